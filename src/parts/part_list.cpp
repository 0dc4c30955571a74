// Builds the list of a shape's parts, dispatched by the kind of the shape.
#include "parts/part_list.hpp"

#include <cstdint>

#include "mesh/polygon_rules.hpp"

namespace graze {
namespace {

/// Placing rounds the corners.
std::optional<ConvexSet> planar_convex_set(const Polygon& p, const Pose* pose) {
  std::vector<Vec3> corners;
  for (const Vec3& c : p.points()) corners.push_back(placed_point(c, pose));
  if (!all_coplanar(corners) || (pose && !is_fan(corners))) return std::nullopt;
  ConvexSet c;
  c.outside = p.points().data();
  c.points = static_cast<std::uint32_t>(p.points().size());
  c.pose = pose;
  return c;
}

}  // namespace

template <class S>
struct PartListCell {
  static void call(PartList& to, ShapeRef shape, Polygons polygons) {
    visit_children(*static_cast<const S*>(shape.shape()), shape.pose(), [&]<class C>(std::optional<std::uint32_t> child, const C& c, const Pose* pose) {
      if (child && pose) pose = &to.poses_.emplace_back(*pose);  // absent where it is the identity
      if constexpr (std::is_same_v<C, Polygon>)
        if (const auto whole = polygons == Polygons::whole ? planar_convex_set(c, pose) : std::nullopt) {
          to.add(*whole, child, std::nullopt, false);
          return true;
        }
      constexpr bool fan = form_of<C>() == Form::fan;
      std::uint32_t triangle = 0;
      return for_each_part(c, pose, [&](const auto& part) {
        to.add(part, child, fan ? std::optional(triangle++) : std::nullopt, fan || std::is_same_v<C, Triangle>);
        return true;
      });
    });
  }
};

namespace {
constexpr auto kTable = make_table<void (*)(PartList&, ShapeRef, Polygons), PartListCell>();
}

PartList::PartList(ShapeRef shape, Polygons polygons) { kTable[place(shape.kind())](*this, shape, polygons); }

}  // namespace graze
