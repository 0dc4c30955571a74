// A shape as a list of its parts: convex sets, curved shapes, surfaces and solids. Each part stores the indices by which a hit names it.
#pragma once
#include <cstdint>
#include <list>
#include <optional>
#include <variant>
#include <vector>

#include "parts/part_pairs.hpp"
#include "parts/parts.hpp"

namespace graze {

using Part = std::variant<ConvexSet, Curved, MeshView, SolidView>;

struct ListedPart {
  Part part;
  std::optional<std::uint32_t> child, triangle;  ///< index of a compound's child; index in a polygon's fan
  bool has_sides;                                ///< a Triangle, or a triangle of a fan: rays and sweeps may choose one side
  template <class P>
  ListedPart(const P& p, std::optional<std::uint32_t> c, std::optional<std::uint32_t> t, bool sides) : part(p), child(c), triangle(t), has_sides(sides) {}
};

/// `whole`: a polygon is one convex set where its placed corners are exactly planar and convex; otherwise its parts are the triangles of its fan.
enum class Polygons { fans, whole };

/// Non-owning reference to the shape; owns the poses of a compound's children.
class PartList {
 public:
  explicit PartList(ShapeRef shape, Polygons polygons = Polygons::fans);
  PartList(const PartList&) = delete;
  std::size_t size() const { return one_ ? 1 : parts_.size(); }
  const ListedPart& operator[](std::size_t i) const { return begin()[i]; }
  const ListedPart* begin() const { return one_ ? &*one_ : parts_.data(); }
  const ListedPart* end() const { return begin() + size(); }

 private:
  template <class S>
  friend struct PartListCell;
  template <class P>
  void add(const P& part, std::optional<std::uint32_t> child, std::optional<std::uint32_t> triangle, bool has_sides) {
    if (!one_ && parts_.empty()) {
      one_.emplace(part, child, triangle, has_sides);
      return;
    }
    if (one_) {
      parts_.push_back(std::move(*one_));
      one_.reset();
    }
    parts_.emplace_back(part, child, triangle, has_sides);
  }
  std::optional<ListedPart> one_;  // most shapes have one part and need no allocation
  std::vector<ListedPart> parts_;
  std::list<Pose> poses_;
};

}  // namespace graze
