// Convex shapes with corners in doubles are joined to one mesh: their surfaces wind once around their points, so that the union is where the sum is not zero.
#include "parts/body_of_shape.hpp"

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "convex/containment/containment.hpp"
#include "exact/exact_vectors.hpp"
#include "parts/parts.hpp"

namespace graze {
namespace {

/// The corners of a bounded convex set without radius as doubles, if they are.
std::optional<std::vector<Vec3>> corners_of(const ConvexSet& c) {
  std::vector<Vec3> corners;
  const bool all = c.bounded() && for_each_hull_corner(c, [&](const ConvexSet& corner) {
                     V3<Dyadic> p = exact(corner.base(0));
                     for (std::uint32_t k = 0; k < corner.segments; ++k) p = p + Dyadic(corner.lo[k]) * exact(corner.segment[k]);
                     const Vec3 rounded(to_double(p.x), to_double(p.y), to_double(p.z));
                     corners.push_back(rounded);
                     return is_zero(exact(rounded) - p);
                   });
  return all ? std::optional(std::move(corners)) : std::nullopt;
}

class Builder {
 public:
  explicit Builder(const Box3& around) : around_(around) {}

  /// Returns false for a shape that is round or curved.
  template <class S>
  bool add(const S& s, const Pose* pose) {
    constexpr Form form = form_of<S>();
    if constexpr (form == Form::compound) {
      for (const Compound::Child& child : s.children()) {
        const Pose& placed = out_.poses.emplace_back(pose ? compose(*pose, child.pose) : child.pose);
        bool known = true;
        visit_shape(at(child.shape, placed), [&]<class C>(const C& c) {
          if constexpr (!std::is_same_v<C, Compound>) known = add(c, &placed);
        });
        if (!known) return false;
      }
    } else if constexpr (form == Form::solid) {
      out_.body.parts.emplace_back(MeshView(s, pose), true);
    } else if constexpr (form == Form::mesh) {
      out_.body.parts.emplace_back(MeshView(s, pose), false);
    } else if constexpr (form == Form::fan) {
      for (std::size_t i = 0; i < fan_size(s); ++i) add_to(surface_, fan_triangle(s, i, pose).points);
    } else if constexpr (form == Form::curved) {
      const Curved c = curved_of(s, pose);
      return c.convex() && add_convex(*c.convex());
    } else {
      return add_convex(convex_set_of(s, pose));
    }
    return true;
  }

  ShapeBody done() {
    if (!solid_.triangles.empty()) out_.body.parts.emplace_back(Mesh(std::move(solid_)), true);
    if (!surface_.triangles.empty()) out_.body.parts.emplace_back(Mesh(std::move(surface_)), false);
    return std::move(out_);
  }

 private:
  bool add_convex(const ConvexSet& c) {
    if (c.radius > 0) return false;
    out_.body.unbounded |= !c.bounded();
    if (const auto corners = corners_of(c))
      add_hull(Hull(std::span<const Vec3>(*corners)));
    else
      out_.body.parts.push_back(exact_part(c, around_));
    return true;
  }
  void add_hull(const Hull& hull) {
    const std::span<const Vec3> p = hull.points();
    MeshData& to = hull.dimension() == 3 ? solid_ : surface_;
    for (const auto& t : hull.triangles()) add_to(to, {p[t[0]], p[t[1]], p[t[2]]});
    if (hull.dimension() < 2) add_to(to, {p[hull.corners().front()], p[hull.corners().back()], p[hull.corners().back()]});
  }
  static void add_to(MeshData& to, const std::array<Vec3, 3>& corners) {
    const auto n = static_cast<std::uint32_t>(to.vertices.size());
    to.vertices.insert(to.vertices.end(), corners.begin(), corners.end());
    to.triangles.push_back({n, n + 1, n + 2});
  }

  Box3 around_;
  ShapeBody out_;
  MeshData solid_, surface_;
};

template <class S>
constexpr bool is_unbounded_kind = std::is_same_v<S, Ray> || std::is_same_v<S, Line> || std::is_same_v<S, Plane> || std::is_same_v<S, HalfSpace>;
template <class S>
constexpr bool is_surface_kind = std::is_same_v<S, Triangle> || form_of<S>() == Form::fan || form_of<S>() == Form::mesh;

}  // namespace

std::optional<ShapeBody> body_of(std::span<const ShapeRef> shapes, const Box3& around) {
  Builder builder(around);
  for (const ShapeRef& shape : shapes) {
    bool known = true;
    visit_shape(shape, [&](const auto& s) { known = builder.add(s, shape.pose()); });
    if (!known) return std::nullopt;
  }
  return builder.done();
}

bool is_unbounded(ShapeRef shape) {
  bool any = false;
  visit_shape(shape, [&](const auto& s) {
    visit_children(s, shape.pose(), [&]<class C>(std::optional<std::uint32_t>, const C&, const Pose*) { return !(any = is_unbounded_kind<C>); });
  });
  return any;
}

bool is_surface(ShapeRef shape) {
  bool all = true;
  visit_shape(shape, [&](const auto& s) {
    visit_children(s, shape.pose(), [&]<class C>(std::optional<std::uint32_t>, const C&, const Pose*) { return all = is_surface_kind<C>; });
  });
  return all;
}

}  // namespace graze
