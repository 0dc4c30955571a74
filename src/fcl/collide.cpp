// fcl::collide: whether two geometries share a point, and their contacts.
#include "fcl/collide.hpp"

#include <cstdint>
#include <graze/query/closest.hpp>
#include <graze/query/intersects.hpp>
#include <graze/query/mesh_triangles.hpp>
#include <vector>

#include "fcl/contact_points.hpp"
#include "fcl/placed_shape.hpp"

namespace graze::for_fcl {
namespace {

using FclContact = ::fcl::Contact<double>;

constexpr int kNone = -1;  // FclContact::NONE: no triangle

/// One call: the contacts of two shapes, the mesh first where only one is a mesh.
struct Call {
  const Geometry &g1, &g2;
  const PlacedShape &a, &b;
  bool details;  ///< normals, positions and depths are requested
  CollisionResult& result;

  /// Adds the contacts of two convex shapes that intersect: those of the call, or triangles of them.
  void add(const PlacedShape& x, const PlacedShape& y, int b1, int b2, std::size_t most) const {
    if (!details) {
      result.addContact(FclContact(&g1, &g2, b1, b2));
      return;
    }
    for (const ContactPoint& p : contact_points(x, y)) {
      if (most-- == 0) return;
      result.addContact(FclContact(&g1, &g2, b1, b2, p.pos, p.normal, p.penetration_depth));
    }
  }

  [[nodiscard]] std::vector<TrianglePair> triangle_pairs(std::size_t most) const {
    if (most > 1) return intersecting_triangles(a.ref(), b.ref(), {.limit = most});
    const Closest one = closest(a.ref(), b.ref());  // does not look for the first pair in order
    return {{one.triangle_a.value(), one.triangle_b.value()}};
  }

  [[nodiscard]] std::vector<std::uint32_t> triangles(std::size_t most) const {
    if (most == 1) return {closest(a.ref(), b.ref()).triangle_a.value()};
    std::vector<std::uint32_t> all = triangles_within(b.ref(), a.ref());
    if (all.size() > most) all.resize(most);
    return all;
  }

  /// Adds up to `most` contacts of two shapes that intersect.
  void add_all(std::size_t most) const {
    if (a.get<Mesh>() == nullptr) return add(a, b, kNone, kNone, most);
    if (b.get<Mesh>() == nullptr) {
      for (const std::uint32_t t : triangles(most)) add(placed_triangle(a, t), b, static_cast<int>(t), kNone, 1);
      return;
    }
    for (const TrianglePair& t : triangle_pairs(most)) add(placed_triangle(a, t.a), placed_triangle(b, t.b), static_cast<int>(t.a), static_cast<int>(t.b), 1);
  }
};

}  // namespace

std::optional<std::size_t> collide(const Geometry& o1, const Transform& tf1, const Geometry& o2, const Transform& tf2, const CollisionRequest& request,
                                   CollisionResult& result) {
  if (request.enable_cost || request.num_max_contacts == 0 || !o1.isOccupied() || !o2.isOccupied()) return std::nullopt;
  const auto a = PlacedShape::of(o1, tf1);
  if (!a) return std::nullopt;
  const auto b = PlacedShape::of(o2, tf2);
  if (!b) return std::nullopt;
  if (request.enable_cached_gjk_guess) result.cached_gjk_guess = request.cached_gjk_guess;
  if (request.isSatisfied(result) || !intersects(a->ref(), b->ref())) return result.numContacts();
  const bool exchanged = a->get<Mesh>() == nullptr && b->get<Mesh>() != nullptr;  // as FCL does: o1 of the contacts is the mesh
  const Call call{exchanged ? o2 : o1, exchanged ? o1 : o2, exchanged ? *b : *a, exchanged ? *a : *b, request.enable_contact, result};
  call.add_all(request.num_max_contacts - result.numContacts());
  return result.numContacts();
}

}  // namespace graze::for_fcl
