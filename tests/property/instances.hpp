// Random valid instances of every shape, generated from its fields(): integers (where touching is common), reals, and hostile doubles. For property tests.
#pragma once
#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <graze/graze.hpp>
#include <graze/guarantees.hpp>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "support/random.hpp"
#include "support/rounds.hpp"
#include "support/surfaces.hpp"

namespace graze::test {

enum class Numbers { whole, real, hostile };

inline double next_up(double x) { return std::nextafter(x, INFINITY); }
inline double next_down(double x) { return std::nextafter(x, -INFINITY); }

struct Source {
  Random random;
  Numbers numbers = Numbers::whole;
  int reach = 3;  ///< of whole numbers
  explicit Source(std::uint64_t seed, Numbers n = Numbers::whole) : random(seed), numbers(n) {}

  int below(int n) { return random.integer(0, n - 1); }
  double number() {
    if (numbers == Numbers::whole) return random.integer(-reach, reach);
    if (numbers == Numbers::real) return random.real(-2, 2);
    switch (below(4)) {
      case 0:
        return random.integer(-2, 2);
      case 1:
        return next_up(random.integer(-2, 2));
      case 2:
        return next_down(random.integer(-2, 2));
      default:
        return std::ldexp(random.integer(-3, 3), -random.integer(0, 70));
    }
  }
  double size() { return std::fabs(number()); }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return Vec3(x, y, z);
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector();
      if (v != Vec3(0, 0, 0)) return v;
    }
  }
};

inline void fill(double& x, Role, Source& s) { x = s.size(); }
inline void fill(Vec3& v, Role role, Source& s) {
  if (role == Role::extent) {
    for (int i = 0; i < 3; ++i) v[i] = s.size();
  } else {
    v = role == Role::direction ? s.direction() : s.vector();
  }
}
template <class T, std::size_t N>
void fill(std::array<T, N>& a, Role role, Source& s) {
  for (T& x : a) fill(x, role, s);
}

/// Makes instances valid where the roles of the fields do not suffice.
template <class S>
void repair(S&) {}
inline void repair(Box& b) {
  for (int i = 0; i < 3; ++i)
    if (b.min[i] > b.max[i]) std::swap(b.min[i], b.max[i]);
}
inline void repair(Cylinder& c) {
  if (c.a == c.b) c.radius = 0;
}
inline void repair(Cone& c) {
  if (c.a == c.b) c.radius = 0;
}
inline void repair(TruncatedCone& c) {
  if (c.a == c.b) c.radius_a = c.radius_b = 0;
}

template <class S>
S instance(Source& s) requires requires {
  S::fields();
}
{
  S shape;
  std::apply([&](const auto&... f) { (fill(shape.*(f.member), f.role, s), ...); }, S::fields());
  repair(shape);
  return shape;
}

inline std::vector<Vec3> points(Source& s, int n) {
  std::vector<Vec3> p;
  for (int i = 0; i < n; ++i) p.push_back(s.vector());
  return p;
}

template <class S>
S instance(Source& s) requires std::is_same_v<S, Polygon> {
  const Vec3 o = s.vector(), u = s.vector(), v = s.vector();  // a parallelogram or a triangle; the triangle if rounding makes the parallelogram invalid
  if (s.below(3) == 0) return Polygon{o, u, v};
  try {
    return Polygon{o, o + u, o + u + v, o + v};
  } catch (const std::exception&) {
    return Polygon{o, u, v};
  }
}
template <class S>
S instance(Source& s) requires std::is_same_v<S, Hull> {
  return Hull(points(s, 1 + s.below(8)));
}
template <class S>
S instance(Source& s) requires std::is_same_v<S, Frustum> {
  if (s.below(2)) return Frustum(points(s, 8));
  const double n = 1, f = 1 + s.size();
  const Vec3 o = s.vector();
  std::vector<Vec3> p;
  for (double r : {n, f})
    for (int i = 0; i < 4; ++i) p.push_back(o + Vec3(i == 1 || i == 2 ? r : -r, i >= 2 ? r : -r, r));
  return Frustum(p);
}
template <class S>
S instance(Source& s) requires std::is_same_v<S, Mesh> {
  MeshData d;
  const int n = 1 + s.below(4);
  for (int i = 0; i < n; ++i) append(d, {points(s, 3), {{0, 1, 2}}, {}});
  return Mesh(std::move(d));
}
inline MeshData closed_data(Source& s) {
  MeshData d;
  const int n = 1 + (s.below(4) == 0);
  for (int i = 0; i < n; ++i) {
    if (s.below(2)) {
      Box b = instance<Box>(s);
      append(d, closed_box(b.min, b.max));
    } else {
      append(d, {points(s, 4), {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, {}});
    }
  }
  return d;
}
template <class S>
S instance(Source& s) requires std::is_same_v<S, Solid> {
  return Solid(Mesh(closed_data(s)));
}
template <class S>
S instance(Source& s) requires std::is_same_v<S, HeightField> {
  const std::size_t columns = 2 + static_cast<std::size_t>(s.below(2)), rows = 2 + static_cast<std::size_t>(s.below(2));
  std::vector<double> h;
  for (std::size_t i = 0; i < columns * rows; ++i) h.push_back(s.below(9) == 0 ? NAN : s.number());
  const Vec3 o = s.vector();
  const double dx = 1 + s.below(2), dy = 1 + s.below(2);
  return HeightField(o, dx, dy, columns, h);
}

inline Pose exact_pose(Source& s) {
  const auto axis = static_cast<Axis>(s.below(3));
  const int n = s.below(4);
  return Pose::quarter_turn(axis, n, s.random.grid(-2, 2));
}
inline Pose any_pose(Source& s) {
  const double w = s.random.integer(-2, 2), x = s.random.real(-1, 1), y = s.random.integer(1, 2), z = s.random.real(-1, 1);
  return Pose::from_quaternion(w, x, y, z, s.vector());
}

AnyShape instance(Kind kind, Source& s);

template <class S>
S instance(Source& s) requires std::is_same_v<S, Compound> {
  std::vector<Compound::Child> children;
  const int n = s.below(4);
  for (int i = 0; i < n; ++i) {
    const auto kind = static_cast<Kind>(s.below(static_cast<int>(Shapes::size) - 1));
    AnyShape child = instance(kind, s);
    children.push_back({std::move(child), s.below(2) ? exact_pose(s) : Pose{}});
  }
  return Compound(std::move(children));
}

template <class... S>
AnyShape instance_of(TypeList<S...>, Kind kind, Source& s) {
  using Make = AnyShape (*)(Source&);
  static constexpr Make make[] = {+[](Source& source) { return AnyShape(instance<S>(source)); }...};
  return make[static_cast<std::size_t>(kind)](s);
}
inline AnyShape instance(Kind kind, Source& s) { return instance_of(Shapes{}, kind, s); }

// ---- kinds -----------------------------------------------------------------------------------------------------------------------------

inline constexpr int kKinds = static_cast<int>(Shapes::size);
template <class... S>
constexpr bool is_one_of(Kind k) {
  return ((k == kind_of<S>) || ...);
}
inline bool curved(const AnyShape& s) {
  if (const Compound* c = s.get<Compound>())
    return std::any_of(c->children().begin(), c->children().end(), [](const auto& child) { return curved(child.shape); });
  return guarantee(Query::within, s.kind(), s.kind()) == Guarantee::bounded;
}
inline bool unbounded(Kind k) { return is_one_of<Ray, Line, Plane, HalfSpace>(k); }
inline bool of_triangles(Kind k) { return is_one_of<Mesh, Solid, HeightField>(k); }

// ---- text: in the query format where it can express the shape ----------------------------------------------------------------------------------

inline std::string text(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}
inline std::string text(const Vec3& v) { return "[" + text(v.x) + "," + text(v.y) + "," + text(v.z) + "]"; }
template <class T, std::size_t N>
std::string text(const std::array<T, N>& a) {
  std::string all = "[";
  for (std::size_t i = 0; i < N; ++i) all += (i ? "," : "") + text(a[i]);
  return all + "]";
}
inline std::string text(std::span<const Vec3> points) {
  std::string all = "[";
  for (std::size_t i = 0; i < points.size(); ++i) all += (i ? "," : "") + text(points[i]);
  return all + "]";
}
inline std::string text(const Pose& p) {
  std::string all = "{\"matrix\":[";
  for (int i = 0; i < 9; ++i) all += (i ? "," : "") + text(p.rotation[i / 3][i % 3]);
  return all + "],\"translation\":" + text(p.translation) + "}";
}
inline std::string text(const Mesh& m) {
  std::string all = "\"vertices\":" + text(m.vertices()) + ",\"triangles\":[";
  for (std::size_t i = 0; i < m.size(); ++i) {
    const auto& t = m.triangles()[i];
    all += (i ? ",[" : "[") + std::to_string(t[0]) + "," + std::to_string(t[1]) + "," + std::to_string(t[2]) + "]";
  }
  return all + "]";
}
template <class S>
std::string body(const S& s) {
  if constexpr (requires { S::fields(); }) {
    std::string all;
    std::apply([&](const auto&... f) { ((all += (all.empty() ? "\"" : ",\"") + std::string(f.name) + "\":" + text(s.*(f.member))), ...); }, S::fields());
    return all;
  } else if constexpr (requires { s.points(); }) {
    return "\"points\":" + text(s.points());
  } else if constexpr (requires { s.mesh(); }) {
    return text(s.mesh());
  } else if constexpr (std::is_same_v<S, Mesh>) {
    return text(s);
  } else {
    std::string all = "\"children\":[";
    for (const auto& c : s.children()) {
      if (all.back() == '}') all += ',';
      all += "{\"pose\":" + text(c.pose) + ",";
      std::visit([&](const auto& x) { all += "\"type\":\"" + std::string(std::remove_cvref_t<decltype(x)>::type_name) + "\"," + body(x) + "}"; },
                 c.shape.value());
    }
    return all + "]";
  }
}

/// Owns a shape, placed or not, for the duration of a test.
struct Instance {
  AnyShape shape;
  std::optional<Pose> pose;

  /// The argument to pass to queries.
  struct Argument {
    Placed placed;
    ShapeRef ref;
    Argument(const AnyShape& shape, const std::optional<Pose>& pose) : placed(at(shape, pose.value_or(Pose{}))), ref(shape) {
      if (pose) ref = ShapeRef(placed);
    }
    Argument(const Argument&) = delete;
    operator ShapeRef() const { return ref; }
  };
  Argument operator*() const { return Argument(shape, pose); }
  std::string text() const {
    std::string all = "{\"type\":\"" + std::string(type_name(shape.kind())) + "\",";
    std::visit([&](const auto& x) { all += body(x); }, shape.value());
    if (pose) all += ",\"pose\":" + graze::test::text(*pose);
    return all + "}";
  }
};

inline Instance random_instance(Kind kind, Source& s) {
  AnyShape shape = instance(kind, s);
  std::optional<Pose> pose;
  const int which = s.below(4);
  if (which == 0) pose = exact_pose(s);
  if (which == 1 && s.numbers != Numbers::whole) pose = any_pose(s);
  return {std::move(shape), pose};
}

/// Failures counted by property and kinds; only the first of each is described in full.
class Failures {
 public:
  template <class Text>
  void expect(bool good, const std::string& property, const Instance& a, const Instance& b, const Text& detail) {
    if (good) return;
    const std::string key = property + ": " + type_name(a.shape.kind()) + " x " + type_name(b.shape.kind());
    auto& entry = found_[key];
    if (entry.first++ == 0) entry.second = detail() + "\n  a: " + a.text() + "\n  b: " + b.text();
  }
  void expect(bool good, const std::string& property, const Instance& a, const Instance& b) {
    expect(good, property, a, b, [] { return std::string(); });
  }
  bool empty() const { return found_.empty(); }
  std::string text() const {
    std::string all;
    for (const auto& [key, entry] : found_) all += key + " (" + std::to_string(entry.first) + " times) " + entry.second + "\n";
    return all;
  }

 private:
  std::map<std::string, std::pair<int, std::string>> found_;
};

/// Runs `check` on `instances` pairs of every two kinds, in one order.
template <class Check>
void all_pairs(Numbers numbers, int instances, std::uint64_t seed, bool posed, const Check& check) {
  Failures failures;
  instances = rounds(instances);
  for (int k = 0; k < kKinds; ++k) {
    for (int l = k; l < kKinds; ++l) {
      Source s(seed + static_cast<std::uint64_t>(100 * k + l), numbers);
      for (int i = 0; i < instances; ++i) {
        if (numbers == Numbers::whole) s.reach = 1 + i % 4;
        const auto make = [&](int kind) {
          return posed ? random_instance(static_cast<Kind>(kind), s) : Instance{instance(static_cast<Kind>(kind), s), std::nullopt};
        };
        const Instance a = make(k), b = make(l);
        check(a, b, s, failures);
      }
    }
  }
  EXPECT_TRUE(failures.empty()) << failures.text();
}

/// Runs `check` on instances of each kind.
template <class Check>
void all_kinds(Numbers numbers, int instances, std::uint64_t seed, bool posed, const Check& check) {
  Failures failures;
  instances = rounds(instances);
  for (int k = 0; k < kKinds; ++k) {
    Source s(seed + static_cast<std::uint64_t>(k), numbers);
    for (int i = 0; i < instances; ++i) {
      if (numbers == Numbers::whole) s.reach = 1 + i % 4;
      const Instance a = posed ? random_instance(static_cast<Kind>(k), s) : Instance{instance(static_cast<Kind>(k), s), std::nullopt};
      check(a, s, failures);
    }
  }
  EXPECT_TRUE(failures.empty()) << failures.text();
}

inline bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
inline bool same(const Vec3& a, const Vec3& b) { return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z); }

}  // namespace graze::test
