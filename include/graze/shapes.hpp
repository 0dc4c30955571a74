// All shapes: the list from which kinds, dispatch tables, JSON and tests derive, and the types for "any shape".
#pragma once
#include <concepts>
#include <cstdint>
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
#include <graze/shapes/truncated_cone.hpp>
#include <graze/shapes/wedge.hpp>
#include <string>
#include <type_traits>
#include <variant>

namespace graze {

// ---- list of shapes ----------------------------------------------------------------------------------------------------------------------

/// A list of types, with the variant over them and the index of each.
template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
  using Variant = std::variant<T...>;
  template <class X>
  static constexpr bool contains = (std::is_same_v<X, T> || ...);
  /// Index of X in the list.
  template <class X>
  [[nodiscard]] static constexpr std::size_t index() {
    std::size_t i = 0;
    (void)((std::is_same_v<X, T> ? true : (++i, false)) || ...);
    return i;
  }
};

/// The list of shapes.
using Shapes = TypeList<Point, Segment, Ray, Line, Plane, HalfSpace, Triangle, Polygon, Sphere, Box, OrientedBox, Capsule, Cylinder, Cone, Ellipsoid, Hull,
                        Frustum, Mesh, Solid, HeightField, Wedge, TruncatedCone, Compound>;

template <class S>
concept Shape = Shapes::contains<S>;

/// The kind of a shape: its index in `Shapes`.
enum class Kind : std::uint8_t {
  point,
  segment,
  ray,
  line,
  plane,
  half_space,
  triangle,
  polygon,
  sphere,
  box,
  oriented_box,
  capsule,
  cylinder,
  cone,
  ellipsoid,
  hull,
  frustum,
  mesh,
  solid,
  height_field,
  wedge,
  truncated_cone,
  compound
};
template <Shape S>
inline constexpr Kind kind_of = static_cast<Kind>(Shapes::index<S>());

static_assert(kind_of<Point> == Kind::point && kind_of<Segment> == Kind::segment && kind_of<Ray> == Kind::ray && kind_of<Line> == Kind::line &&
              kind_of<Plane> == Kind::plane && kind_of<HalfSpace> == Kind::half_space && kind_of<Triangle> == Kind::triangle &&
              kind_of<Polygon> == Kind::polygon && kind_of<Sphere> == Kind::sphere && kind_of<Box> == Kind::box && kind_of<OrientedBox> == Kind::oriented_box &&
              kind_of<Capsule> == Kind::capsule && kind_of<Cylinder> == Kind::cylinder && kind_of<Cone> == Kind::cone &&
              kind_of<Ellipsoid> == Kind::ellipsoid && kind_of<Hull> == Kind::hull && kind_of<Frustum> == Kind::frustum && kind_of<Mesh> == Kind::mesh &&
              kind_of<Solid> == Kind::solid && kind_of<HeightField> == Kind::height_field && kind_of<Wedge> == Kind::wedge &&
              kind_of<TruncatedCone> == Kind::truncated_cone && kind_of<Compound> == Kind::compound && Shapes::size == 23);

/// Returns the name of a kind as in the query format, such as "sphere".
[[nodiscard]] const char* type_name(Kind kind);
/// The same with its article, for messages: "a sphere", "an obb".
[[nodiscard]] std::string article_name(Kind kind);

// ---- shapes as arguments -----------------------------------------------------------------------------------------------------------------

/// A shape at a pose, as `at` returns it. Refers to the shape, which must outlive it.
struct Placed {
  const void* shape;
  Kind kind;
  Pose pose;
};

/// Returns the shape placed by the pose, for use as an argument of a query.
template <Shape S>
[[nodiscard]] Placed at(const S& shape, const Pose& pose) {
  return {&shape, kind_of<S>, pose};
}
template <Shape S>
[[nodiscard]] Placed at(const S&& shape, const Pose& pose) {  // a temporary lives until the end of the full expression
  return {&shape, kind_of<S>, pose};
}
[[nodiscard]] Placed at(const AnyShape& shape, const Pose& pose);

/// Non-owning reference to a shape of any kind, placed or not: the parameter type of all queries. The shape, or the `Placed` that
/// holds its pose, must outlive it.
///
/// The identity as a pose counts as none: the answers of all queries are then those of the shape itself, bit for bit.
class ShapeRef {
 public:
  template <Shape S>
  ShapeRef(const S& s) : shape_(&s), kind_(kind_of<S>) {}
  ShapeRef(const Placed& p) : ShapeRef(p.kind, p.shape, &p.pose) {}
  ShapeRef(const AnyShape& s);
  /// A shape of that kind at that address, placed unless `pose` is null: where the type is known only at run time.
  ShapeRef(Kind kind, const void* shape, const Pose* pose) : shape_(shape), pose_(pose == nullptr || is_identity(*pose) ? nullptr : pose), kind_(kind) {}

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const void* shape() const { return shape_; }
  [[nodiscard]] const Pose* pose() const { return pose_; }  ///< null when the shape is not placed, or by the identity
  /// Returns the shape, or null when it is of another kind.
  template <Shape S>
  [[nodiscard]] const S* get() const {
    return kind_ == kind_of<S> ? static_cast<const S*>(shape_) : nullptr;
  }

 private:
  const void* shape_;
  const Pose* pose_ = nullptr;
  Kind kind_;
};

// ---- shapes as values --------------------------------------------------------------------------------------------------------------------

/// Owns one shape of any kind.
class AnyShape {
 public:
  template <Shape S>
  AnyShape(S s) : value_(std::move(s)) {}
  AnyShape(const AnyShape&);
  AnyShape(AnyShape&&) noexcept;
  AnyShape& operator=(const AnyShape&);
  AnyShape& operator=(AnyShape&&) noexcept;
  ~AnyShape();
  [[nodiscard]] Kind kind() const { return static_cast<Kind>(value_.index()); }
  template <Shape S>
  [[nodiscard]] const S* get() const {
    return std::get_if<S>(&value_);
  }
  [[nodiscard]] const Shapes::Variant& value() const { return value_; }

 private:
  Shapes::Variant value_;
};

/// A child of a compound: a shape and its pose.
struct Compound::Child {
  AnyShape shape;
  Pose pose;
};

// ---- validation --------------------------------------------------------------------------------------------------------------------------

/// Throws Error when the shape is not valid: NaN or infinity, a zero direction or normal, a negative radius or half size, min > max.
/// For a placed shape also: a matrix that is no rotation, or a vertex that the pose moves beyond the largest double. The message
/// names the field and the value ("sphere: radius is -1, must be >= 0").
///
/// Queries do not validate. On an invalid shape their answer is meaningless, but they terminate and do not crash.
void validate(ShapeRef shape);

}  // namespace graze
