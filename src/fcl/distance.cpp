// fcl::distance: how far two geometries are apart, or how deep they overlap.
#include "fcl/distance.hpp"

#include <algorithm>
#include <cstdint>
#include <graze/query/closest.hpp>
#include <graze/query/penetration.hpp>
#include <limits>
#include <vector>

#include "fcl/placed_shape.hpp"

namespace graze::for_fcl {
namespace {

constexpr double kOverlapping = -1;  // what FCL reports where no signed distance is requested

int triangle(const std::optional<std::uint32_t>& t) { return t ? static_cast<int>(*t) : ::fcl::DistanceResult<double>::NONE; }

/// Makes the distance of shapes that intersect minus the depth, with the deepest points of two convex shapes; for a mesh both are the deepest contact, as in
/// FCL.
void sign(const PlacedShape& a, const PlacedShape& b, Closest& found) {
  const PenetrationResult deep = penetration(a.ref(), b.ref());
  if (!deep.value) {  // touching, or no translation separates them
    found.distance = deep.reason == NoPenetration::unbounded ? -std::numeric_limits<double>::max() : 0.0;
    return;
  }
  found.distance = -deep.value->depth;
  const std::vector<Contact> all = contacts(a.ref(), b.ref());
  const Contact& c = *std::max_element(all.begin(), all.end(), [](const Contact& x, const Contact& y) { return x.depth < y.depth; });
  found.on_a = found.on_b = c.point;
  if (a.get<Mesh>() != nullptr || b.get<Mesh>() != nullptr) return;
  found.on_a -= c.normal * (c.depth * 0.5);
  found.on_b += c.normal * (c.depth * 0.5);
}

}  // namespace

std::optional<double> distance(const Geometry& o1, const Transform& tf1, const Geometry& o2, const Transform& tf2, const DistanceRequest& request,
                               DistanceResult& result) {
  const auto a = PlacedShape::of(o1, tf1);
  if (!a) return std::nullopt;
  const auto b = PlacedShape::of(o2, tf2);
  if (!b) return std::nullopt;
  if (request.isSatisfied(result)) return result.min_distance;
  const bool exchanged = a->get<Mesh>() == nullptr && b->get<Mesh>() != nullptr;  // as FCL does: o1 of the result is the mesh
  const PlacedShape &first = exchanged ? *b : *a, &second = exchanged ? *a : *b;
  Closest found = closest(first.ref(), second.ref());
  if (found.distance == 0) {
    found.distance = kOverlapping;
    if (request.enable_signed_distance) sign(first, second, found);
  }
  result.update(found.distance, exchanged ? &o2 : &o1, exchanged ? &o1 : &o2, triangle(found.triangle_a), triangle(found.triangle_b), to_fcl(found.on_a),
                to_fcl(found.on_b));
  return result.min_distance;
}

}  // namespace graze::for_fcl
