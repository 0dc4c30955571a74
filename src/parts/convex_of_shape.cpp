// Converts linear and round convex shapes to a ConvexSet.
#include "parts/convex_of_shape.hpp"

#include <cstdint>

#include "parts/table.hpp"
#include "platform/expects.hpp"

namespace graze {
namespace {

ConvexSet at_point(const Vec3& p, const Pose* pose) { return convex_point(placed_point(p, pose)); }

/// Adds two directions, and their negatives, that exactly span the plane perpendicular to n. Each consists of a smaller component of n and the negated largest
/// one.
void add_plane_directions(ConvexSet& c, const Vec3& n) {
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) > std::abs(n[k])) k = i;
  for (int i = 0; i < 3; ++i) {
    if (i == k) continue;
    Vec3 d(0, 0, 0);
    d[k] = n[i];
    d[i] = -n[k];
    c.add_direction(d).add_direction(-d);
  }
}

}  // namespace

ConvexSet convex_set_of(const Point& s, const Pose* pose) { return at_point(s.point, pose); }
ConvexSet convex_set_of(const Segment& s, const Pose* pose) { return at_point(s.a, pose).add_point(placed_point(s.b, pose)); }
ConvexSet convex_set_of(const Ray& s, const Pose* pose) { return at_point(s.origin, pose).add_direction(placed_direction(s.direction, pose)); }
ConvexSet convex_set_of(const Line& s, const Pose* pose) {
  const Vec3 d = placed_direction(s.direction, pose);
  return at_point(s.origin, pose).add_direction(d).add_direction(-d);
}
ConvexSet convex_set_of(const Plane& s, const Pose* pose) {
  ConvexSet c = at_point(s.point, pose);
  add_plane_directions(c, placed_direction(s.normal, pose));
  return c;
}
ConvexSet convex_set_of(const HalfSpace& s, const Pose* pose) {
  ConvexSet c = at_point(s.point, pose);
  const Vec3 n = placed_direction(s.normal, pose);
  add_plane_directions(c, n);
  return c.add_direction(-n);
}
ConvexSet convex_set_of(const Triangle& s, const Pose* pose) {
  return at_point(s.points[0], pose).add_point(placed_point(s.points[1], pose)).add_point(placed_point(s.points[2], pose));
}
ConvexSet convex_set_of(const Sphere& s, const Pose* pose) {
  ConvexSet c = at_point(s.center, pose);
  c.radius = s.radius;
  return c;
}
ConvexSet convex_set_of(const Box& s, const Pose* pose) {
  ConvexSet c;
  c.add_point(pose ? pose->translation : Vec3(0, 0, 0));
  for (int i = 0; i < 3; ++i) {
    Vec3 axis(0, 0, 0);
    if (pose) {
      axis = Vec3(pose->rotation[0][i], pose->rotation[1][i], pose->rotation[2][i]);
    } else {
      axis[i] = 1;
    }
    c.add_segment(axis, s.min[i], s.max[i]);
  }
  return c;
}
ConvexSet convex_set_of(const OrientedBox& s, const Pose* pose) {
  ConvexSet c = at_point(s.center, pose);
  for (int i = 0; i < 3; ++i) c.add_segment(placed_direction(s.axes[i], pose), -s.half[i], s.half[i]);
  return c;
}
ConvexSet convex_set_of(const Capsule& s, const Pose* pose) {
  ConvexSet c = at_point(s.a, pose).add_point(placed_point(s.b, pose));
  c.radius = s.radius;
  return c;
}
ConvexSet convex_set_of(const Hull& s, const Pose* pose) {
  if (s.points().size() == 1) return at_point(s.points()[0], pose);  // sets with a hull have corners between which to choose
  ConvexSet c;
  c.outside = s.points().data();
  c.points = static_cast<std::uint32_t>(s.points().size());
  c.hull = &s.data();
  c.pose = pose;
  return c;
}
ConvexSet convex_set_of(const Frustum& s, const Pose* pose) { return convex_set_of(s.hull(), pose); }
// The corner is a segment without length, because the sums of the corner and the edges may be no doubles.
ConvexSet convex_set_of(const Wedge& s, const Pose* pose) {
  ConvexSet c = convex_point(Vec3(0, 0, 0));
  c.add_point(placed_direction(s.edges[0], pose)).add_point(placed_direction(s.edges[1], pose));
  return c.add_segment(placed_point(s.corner, pose), 1, 1).add_segment(placed_direction(s.edges[2], pose), 0, 1);
}

namespace {

template <class S>
struct IsConvexCell {
  static bool call() { return form_of<S>() == Form::convex; }
};
template <class S>
struct ConvexCell {
  static ConvexSet call(const ShapeRef& s) {
    if constexpr (form_of<S>() == Form::convex)
      return convex_set_of(*static_cast<const S*>(s.shape()), s.pose());
    else
      return {};
  }
};
constexpr auto kIsConvexTable = make_table<bool (*)(), IsConvexCell>();
constexpr auto kConvexTable = make_table<ConvexSet (*)(const ShapeRef&), ConvexCell>();

}  // namespace

bool has_convex_set(const ShapeRef& s) { return kIsConvexTable[place(s.kind())](); }
ConvexSet convex_set_of(const ShapeRef& s) {
  GRAZE_EXPECTS(has_convex_set(s));
  return kConvexTable[place(s.kind())](s);
}

}  // namespace graze
