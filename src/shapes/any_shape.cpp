// Kinds and names of shapes, and the types that hold or refer to any shape.
#include <graze/shapes.hpp>

namespace graze {
namespace {

template <class... S>
const char* name_of(std::size_t kind, TypeList<S...>) {
  static constexpr const char* names[] = {S::type_name...};
  return kind < sizeof...(S) ? names[kind] : "unknown";
}

const void* address(const AnyShape& shape) {
  return std::visit([](const auto& s) -> const void* { return &s; }, shape.value());
}

}  // namespace

const char* type_name(Kind kind) { return name_of(static_cast<std::size_t>(kind), Shapes{}); }

Placed at(const AnyShape& shape, const Pose& pose) { return {address(shape), shape.kind(), pose}; }

ShapeRef::ShapeRef(const AnyShape& s) : shape_(address(s)), kind_(s.kind()) {}

}  // namespace graze
