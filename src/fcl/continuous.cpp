// fcl::continuousCollide: the first contact of two geometries in motion.
#include "fcl/continuous.hpp"

#include <cmath>
#include <graze/sweep/linear.hpp>

#include "fcl/placed_shape.hpp"

namespace graze::for_fcl {
namespace {

Vector motion_of(const Path& path) { return path.end.translation() - path.begin.translation(); }

bool is_straight(const Path& path, ::fcl::CCDMotionType type) {
  if (!motion_of(path).allFinite()) return false;
  if (type == ::fcl::CCDM_TRANS) return true;  // keeps the rotation of the start, whatever that of the end is
  return (type == ::fcl::CCDM_LINEAR || type == ::fcl::CCDM_SCREW) && path.begin.linear() == path.end.linear();
}

Transform at_time(const Path& path, double t) {
  Transform transform = path.begin;
  transform.translation() += motion_of(path) * t;
  return transform;
}

}  // namespace

std::optional<double> continuous_collide(const Geometry& o1, const Path& path1, const Geometry& o2, const Path& path2, const ContinuousRequest& request,
                                         ContinuousResult& result) {
  if (!is_straight(path1, request.ccd_motion_type) || !is_straight(path2, request.ccd_motion_type)) return std::nullopt;
  const auto a = PlacedShape::of(o1, path1.begin);
  if (!a) return std::nullopt;
  const auto b = PlacedShape::of(o2, path2.begin);
  if (!b) return std::nullopt;
  const auto hit = sweep(a->ref(), from_fcl(motion_of(path1)), b->ref(), from_fcl(motion_of(path2)), {.place = false});
  result.is_collide = hit.has_value();
  result.time_of_contact = hit ? hit->t : 1.0;
  if (hit) {
    result.contact_tf1 = at_time(path1, hit->t);
    result.contact_tf2 = at_time(path2, hit->t);
  }
  return result.time_of_contact;
}

}  // namespace graze::for_fcl
