// A shape as a list of parts for sweeps: convex sets, curved shapes, surfaces and solids. Each part stores the indices by which a hit names it.
#pragma once
#include <cstdint>
#include <list>
#include <optional>
#include <variant>
#include <vector>

#include "parts/part_pairs.hpp"
#include "parts/parts.hpp"

namespace graze {

struct SweptPart {
  std::variant<ConvexSet, Curved, MeshView, SolidView> part;
  std::optional<std::uint32_t> child, triangle;  ///< index of a compound's child; index in a polygon's fan
  template <class P>
  SweptPart(const P& p, std::optional<std::uint32_t> c, std::optional<std::uint32_t> t) : part(p), child(c), triangle(t) {}
};

/// Non-owning reference to the shape; owns the poses of a compound's children.
class SweptParts {
 public:
  explicit SweptParts(ShapeRef shape);
  SweptParts(const SweptParts&) = delete;
  std::size_t size() const { return one_ ? 1 : parts_.size(); }
  const SweptPart& operator[](std::size_t i) const { return begin()[i]; }
  const SweptPart* begin() const { return one_ ? &*one_ : parts_.data(); }
  const SweptPart* end() const { return begin() + size(); }

 private:
  template <class S>
  friend struct SweptPartsCell;
  template <class P>
  void add(const P& part, std::optional<std::uint32_t> child, std::optional<std::uint32_t> triangle) {
    if (!one_ && parts_.empty()) {
      one_.emplace(part, child, triangle);
      return;
    }
    if (one_) {
      parts_.push_back(std::move(*one_));
      one_.reset();
    }
    parts_.emplace_back(part, child, triangle);
  }
  std::optional<SweptPart> one_;  // most shapes have one part and need no allocation
  std::vector<SweptPart> parts_;
  std::list<Pose> poses_;
};

}  // namespace graze
