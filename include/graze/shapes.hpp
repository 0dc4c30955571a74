// All shapes: the one list from which kinds, dispatch tables, JSON and tests follow, and the types that stand for "any shape".
#pragma once
#include <concepts>
#include <graze/mesh.hpp>
#include <graze/pose.hpp>
#include <graze/shapes/box.hpp>
#include <graze/shapes/capsule.hpp>
#include <graze/shapes/compound.hpp>
#include <graze/shapes/cone.hpp>
#include <graze/shapes/cylinder.hpp>
#include <graze/shapes/ellipsoid.hpp>
#include <graze/shapes/frustum.hpp>
#include <graze/shapes/half_space.hpp>
#include <graze/shapes/height_field.hpp>
#include <graze/shapes/hull.hpp>
#include <graze/shapes/line.hpp>
#include <graze/shapes/oriented_box.hpp>
#include <graze/shapes/plane.hpp>
#include <graze/shapes/point.hpp>
#include <graze/shapes/polygon.hpp>
#include <graze/shapes/ray.hpp>
#include <graze/shapes/segment.hpp>
#include <graze/shapes/sphere.hpp>
#include <graze/shapes/triangle.hpp>
#include <string>
#include <type_traits>
#include <variant>

namespace graze {

template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
  using Variant = std::variant<T...>;
  template <class X>
  static constexpr bool contains = (std::is_same_v<X, T> || ...);
  /// Place of X in the list.
  template <class X>
  static constexpr std::size_t index() {
    std::size_t i = 0;
    (void)((std::is_same_v<X, T> ? true : (++i, false)) || ...);
    return i;
  }
};

/// The one list of shapes.
using Shapes = TypeList<Point, Segment, Ray, Line, Plane, HalfSpace, Triangle, Polygon, Sphere, Box, OrientedBox, Capsule, Cylinder, Cone, Ellipsoid, Hull,
                        Frustum, Mesh, Solid, HeightField, Compound>;

template <class S>
concept Shape = Shapes::contains<S>;

/// The kind of a shape is its place in `Shapes`.
enum class Kind : std::uint8_t {};
template <Shape S>
inline constexpr Kind kind_of = static_cast<Kind>(Shapes::index<S>());

/// The name of a kind, as in the query format ("sphere").
const char* type_name(Kind kind);

/// A shape at a pose; only made by `at`, only meant as an argument: it refers to the shape.
struct Placed {
  const void* shape;
  Kind kind;
  Pose pose;
};

/// The shape placed by the pose, for use as a query's argument.
template <Shape S>
Placed at(const S& shape, const Pose& pose) {
  return {&shape, kind_of<S>, pose};
}
template <Shape S>
Placed at(const S&& shape, const Pose& pose) {  // a temporary lives as long as the full expression of the query
  return {&shape, kind_of<S>, pose};
}
Placed at(const AnyShape& shape, const Pose& pose);

/// Any shape of the caller's, placed or not: the parameter type of all queries. Refers to it. Only lists for batches are stored, and not longer than the shapes
/// live; of placed ones keep the Placed: it holds the pose.
class ShapeRef {
 public:
  template <Shape S>
  ShapeRef(const S& s) : shape_(&s), kind_(kind_of<S>) {}
  ShapeRef(const Placed& p) : shape_(p.shape), pose_(&p.pose), kind_(p.kind) {}
  ShapeRef(const AnyShape& s);

  Kind kind() const { return kind_; }
  const void* shape() const { return shape_; }
  const Pose* pose() const { return pose_; }  ///< null: not placed
  /// The shape itself, or null when it is of another kind.
  template <Shape S>
  const S* get() const {
    return kind_ == kind_of<S> ? static_cast<const S*>(shape_) : nullptr;
  }

 private:
  const void* shape_;
  const Pose* pose_ = nullptr;
  Kind kind_;
};

/// Owns one shape of any kind.
class AnyShape {
 public:
  template <Shape S>
  AnyShape(S s) : value_(std::move(s)) {}
  Kind kind() const { return static_cast<Kind>(value_.index()); }
  template <Shape S>
  const S* get() const {
    return std::get_if<S>(&value_);
  }
  const Shapes::Variant& value() const { return value_; }

 private:
  Shapes::Variant value_;
};

struct Compound::Child {
  AnyShape shape;
  Pose pose;
};

/// Throws Error when the shape is not valid: NaN or infinity, zero direction or normal, negative radius or half size, min > max; placed: a matrix that is no
/// rotation, or a vertex that the pose moves beyond the largest double. The message names the field and the value ("sphere: radius is -1, must be >= 0").
/// Queries do not check: on an invalid shape their answer means nothing, but they end and do not crash.
void validate(ShapeRef shape);

}  // namespace graze
