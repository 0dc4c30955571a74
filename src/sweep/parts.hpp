// A shape as a list of parts that sweeps fold over: cores, curved shapes, surfaces and solids, each with the numbers by which a hit names it.
#pragma once
#include <deque>
#include <variant>
#include <vector>

#include "query/leaves.hpp"
#include "query/parts.hpp"

namespace graze {

struct SweptPart {
  std::variant<Core, Curved, MeshView, SolidView> part;
  std::optional<std::uint32_t> child, triangle;  ///< of a compound; of a polygon's fan
};

/// Refers to the shape; owns the poses of a compound's children.
class SweptParts {
 public:
  explicit SweptParts(ShapeRef shape);
  SweptParts(const SweptParts&) = delete;
  std::size_t size() const { return parts_.size(); }
  const SweptPart& operator[](std::size_t i) const { return parts_[i]; }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  template <class S>
  friend struct SweptPartsCell;
  std::vector<SweptPart> parts_;
  std::deque<Pose> poses_;
};

}  // namespace graze
