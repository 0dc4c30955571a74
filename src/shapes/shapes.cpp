// Kinds and names of shapes, the types that hold or refer to any shape, and validation: one rule per role of a field, and the conditions between the fields of
// one shape.
#include <algorithm>
#include <array>
#include <cmath>
#include <graze/error.hpp>
#include <graze/shapes.hpp>
#include <span>

#include "math/box3.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/hull_data.hpp"
#include "shapes/message.hpp"
#include "shapes/placement.hpp"
#include "shapes/pose.hpp"

namespace graze {

// Not in the header: copies of a variant of so many types take a fifth of the compile time of each file that makes one.
AnyShape::AnyShape(const AnyShape&) = default;
AnyShape::AnyShape(AnyShape&&) noexcept = default;
AnyShape& AnyShape::operator=(const AnyShape&) = default;
AnyShape& AnyShape::operator=(AnyShape&&) noexcept = default;
AnyShape::~AnyShape() = default;

namespace {

template <class... S>
const char* name_of(std::size_t kind, TypeList<S...>) {
  static constexpr const char* names[] = {S::type_name...};
  return kind < sizeof...(S) ? names[kind] : "unknown";
}

const void* address(const AnyShape& shape) {
  return std::visit([](const auto& s) -> const void* { return &s; }, shape.value());
}

// ---- validation --------------------------------------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const std::string& field, const std::string& value, const char* expected) {
  throw Error(ErrorCode::invalid_shape, field + " is " + value + ", must be " + expected);
}

// Names of fields are functions that return them: only an invalid field needs its name.

template <class Name>
void check_field(const Name& name, double x, Role role) {
  if (!is_finite(x)) refuse(name(), text(x), "finite");
  if (role == Role::extent && x < 0) refuse(name(), text(x), ">= 0");
}

template <class Name>
void check_field(const Name& name, const Vec3& v, Role role) {
  for (int i = 0; i < 3; ++i) check_field([&] { return name() + "." + "xyz"[i]; }, v[i], role);
  if (role == Role::direction && v.x == 0 && v.y == 0 && v.z == 0) refuse(name(), text(v), "a direction of non-zero length");
}

template <class Name, std::size_t N>
void check_field(const Name& name, const std::array<Vec3, N>& a, Role role) {
  for (std::size_t i = 0; i < N; ++i) check_field([&] { return name() + "[" + std::to_string(i) + "]"; }, a[i], role);
}

template <class S>
void check_rest(const S&) {}

void check_rest(const Box& b) {
  for (int i = 0; i < 3; ++i)
    if (b.min[i] > b.max[i])
      throw Error(ErrorCode::invalid_shape,
                  std::string("box: min.") + "xyz"[i] + " is " + text(b.min[i]) + ", must be <= max." + "xyz"[i] + " (" + text(b.max[i]) + ")");
}

template <class S>
void check_axis(const S& s, const char* name, double radius) {
  if (s.a.x == s.b.x && s.a.y == s.b.y && s.a.z == s.b.z && radius > 0)
    throw Error(ErrorCode::invalid_shape,
                std::string(S::type_name) + ": a equals b, so the axis has no direction; " + name + " is " + text(radius) + ", must be 0 then");
}
void check_rest(const Cylinder& c) { check_axis(c, "radius", c.radius); }
void check_rest(const Cone& c) { check_axis(c, "radius", c.radius); }
void check_rest(const TruncatedCone& c) {
  check_axis(c, "radius_a", c.radius_a);
  check_axis(c, "radius_b", c.radius_b);
}

template <class S>
concept HasFields = requires {
  S::fields();
};

template <class S, class Field>
std::string field_name(const Field& f) {
  return std::string(S::type_name) + ": " + f.name;
}

template <class S>
void check_shape(const S& s) {
  if constexpr (HasFields<S>) {  // other shapes are validated on construction and cannot change
    std::apply([&s](const auto&... f) { (check_field([&] { return field_name<S>(f); }, s.*(f.member), f.role), ...); }, S::fields());
    check_rest(s);
  }
}

// Requires that a pose maps every vertex to finite coordinates. The exact decisions use the placed coordinates, which must be doubles.

/// If no coordinate of a point and of the translation exceeds this, the placed point is finite: the magnitudes of a row of a rotation add up to less than 1.75,
/// so its coordinates lie below 2^1002, whatever is rounded. That holds also for the poses of a compound's children, composed with the compound's.
constexpr double kSafelyPlaced = 0x1p1000;

double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }
double largest(std::span<const Vec3> points) {
  double r = 0;
  for (const Vec3& p : points) r = std::max(r, largest(p));
  return r;
}
double largest(const Box3& b) { return std::max(largest(b.lo), largest(b.hi)); }

template <class Name>
void check_placed(const Name& name, const Vec3& p, const Pose& pose) {
  const Vec3 q = pose.apply(p);
  for (int i = 0; i < 3; ++i)
    if (!is_finite(q[i])) throw Error(ErrorCode::overflow, name() + " at " + text(p) + " is moved by the pose beyond the largest double");
}

bool safely_placed(double largest_of_all, const Pose& pose) { return largest_of_all <= kSafelyPlaced && largest(pose.translation) <= kSafelyPlaced; }

/// Checks points, none of which has a coordinate above `largest_of_all`: one by one only where that may be too much.
void check_placed(const char* type, const char* what, std::span<const Vec3> points, double largest_of_all, const Pose& pose) {
  if (safely_placed(largest_of_all, pose)) return;
  for (std::size_t i = 0; i < points.size(); ++i)
    check_placed([&] { return std::string(type) + ": " + what + "[" + std::to_string(i) + "]"; }, points[i], pose);
}

template <class S>
void check_placed(const S& s, const Pose& pose) {
  if constexpr (std::is_same_v<S, Box>) {
    // the corners of a placed box are sums of products, not doubles
  } else if constexpr (HasFields<S>) {
    const auto check = [&](const auto& f) {
      if (f.role != Role::position) return;
      const auto& value = s.*(f.member);
      const auto name = [&] { return field_name<S>(f); };
      if constexpr (requires { value.size(); })
        for (std::size_t i = 0; i < value.size(); ++i) check_placed([&] { return name() + "[" + std::to_string(i) + "]"; }, value[i], pose);
      else if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, double>)
        check_placed(name, value, pose);
    };
    std::apply([&](const auto&... f) { (check(f), ...); }, S::fields());
  } else if constexpr (std::is_same_v<S, Hull>) {
    check_placed(S::type_name, "points", s.points(), largest(s.data().bounds), pose);
  } else if constexpr (requires { s.points(); }) {
    check_placed(S::type_name, "points", s.points(), largest(s.points()), pose);
  } else if constexpr (requires { s.vertices(); }) {
    check_placed(S::type_name, "vertices", s.vertices(), largest_coordinate(s), pose);
  } else if constexpr (std::is_same_v<S, HeightField>) {
    if (safely_placed(largest_coordinate(s), pose)) return;  // before its vertices are made
    check_placed(S::type_name, "vertices", s.mesh().vertices(), largest_coordinate(s), pose);
  } else if constexpr (requires { s.mesh(); }) {
    check_placed(S::type_name, "vertices", s.mesh().vertices(), largest_coordinate(s.mesh()), pose);
  } else {  // compound: the poses of its children are composed with its own
    for (std::size_t i = 0; i < s.children().size(); ++i) {
      const Compound::Child& c = s.children()[i];
      const auto check = [&]<class C>(const C& child) {
        if constexpr (!std::is_same_v<C, Compound>) check_placed(child, compose(pose, c.pose));
      };
      std::visit(check, c.shape.value());
    }
  }
}

template <class... S>
void check_kind(const ShapeRef& shape, TypeList<S...>) {
  (void)((shape.get<S>() ? (check_shape(*shape.get<S>()), true) : false) || ...);
}

template <class... S>
void check_placed_kind(const ShapeRef& shape, const Pose& pose, TypeList<S...>) {
  (void)((shape.get<S>() ? (check_placed(*shape.get<S>(), pose), true) : false) || ...);
}

}  // namespace

const char* type_name(Kind kind) { return name_of(static_cast<std::size_t>(kind), Shapes{}); }
std::string article_name(Kind kind) {
  const std::string name = type_name(kind);
  return (std::string_view("aeio").find(name[0]) == std::string_view::npos ? "a " : "an ") + name;
}

Placed at(const AnyShape& shape, const Pose& pose) { return {address(shape), shape.kind(), pose}; }

ShapeRef::ShapeRef(const AnyShape& s) : shape_(address(s)), kind_(s.kind()) {}

void validate(ShapeRef shape) {
  const DefaultFloatEnvironment guard;
  check_kind(shape, Shapes{});
  if (const Pose* pose = shape.pose()) {
    const auto where = [&] { return std::string(type_name(shape.kind())) + ": pose: "; };
    if (!is_finite(pose->translation)) require_finite(where() + "translation", pose->translation);
    const std::string defect = rotation_defect(pose->rotation);
    if (!defect.empty()) throw Error(ErrorCode::invalid_shape, where() + defect);
    check_placed_kind(shape, *pose, Shapes{});
  }
}

}  // namespace graze
