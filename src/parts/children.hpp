// The shapes that make up a shape: the children of a compound, or the shape itself.
#pragma once
#include <list>
#include <span>
#include <vector>

#include "parts/parts.hpp"

namespace graze {

/// Refers to the shape; owns the poses of its children.
class Children {
 public:
  explicit Children(const ShapeRef& shape) {
    if (const Compound* c = shape.get<Compound>()) {
      for_each_child(*c, shape.pose(), [&](std::size_t i, const ShapeRef& child) {
        const AnyShape& own = c->children()[i].shape;
        shapes_.push_back(child.pose() ? ShapeRef(placed_.emplace_back(at(own, *child.pose()))) : ShapeRef(own));
        return true;
      });
    } else {
      shapes_.push_back(shape);
    }
  }
  Children(const Children&) = delete;
  std::size_t size() const { return shapes_.size(); }
  const ShapeRef& operator[](std::size_t i) const { return shapes_[i]; }
  std::span<const ShapeRef> all() const { return shapes_; }

 private:
  std::list<Placed> placed_;
  std::vector<ShapeRef> shapes_;
};

}  // namespace graze
