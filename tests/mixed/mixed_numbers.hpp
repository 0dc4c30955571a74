// Numbers and shapes whose exponents are mixed within one query: zeros, integers, denormals, thresholds of floats and doubles, equal and nearly equal numbers.
#pragma once
#include "property/instances.hpp"
#include "support/random.hpp"

namespace graze::test {

class MixedNumbers {
 public:
  explicit MixedNumbers(std::uint64_t seed) : r_(seed) {}

  /// Starts a new query: chooses the spread of exponents, for positions and for sizes, and a common power of two.
  void begin() {
    used_.clear();
    wild_place_ = wild_ = below(4);
    wild_size_ = below(4);
    shift_ = below(3) ? 0 : r_.integer(-900, 900);
    if (below(12) == 0) shift_ = below(2) ? -1060 : 1000;
  }
  int below(int n) { return r_.integer(0, n - 1); }

  double number() {
    const int kind = below(20);
    if (kind == 0) return 0;
    if (!used_.empty() && kind < 8) {
      const double x = used_[static_cast<std::size_t>(below(static_cast<int>(used_.size())))];
      switch (kind) {
        case 1:
          return next_up(x);
        case 2:
          return next_down(x);
        case 3:
          return -x;
        case 4:
          return finite(x + used_[static_cast<std::size_t>(below(static_cast<int>(used_.size())))]);
        default:
          return x;
      }
    }
    const double x = finite(std::ldexp(mantissa(), exponent()) * (below(2) ? 1 : -1));
    used_.push_back(x);
    return x;
  }
  double size() {
    wild_ = wild_size_;
    const double x = std::fabs(number());
    wild_ = wild_place_;
    return x;
  }
  /// At about a size's distance from `p`.
  Vec3 beside(const Vec3& p) {
    Vec3 q;
    for (int i = 0; i < 3; ++i) q[i] = below(4) ? finite(p[i] + (below(2) ? size() : -size())) : p[i];
    return q;
  }
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
  /// Anywhere, or all next to the first.
  std::vector<Vec3> points(int n) {
    std::vector<Vec3> p{vector()};
    const bool together = below(3) == 0;
    while (static_cast<int>(p.size()) < n) p.push_back(together ? beside(p[0]) : vector());
    return p;
  }
  /// Sometimes the difference of two coordinates.
  double distance(const std::vector<Triangle>& near) {
    if (near.empty() || below(2)) return size();
    const Vec3& p = near[static_cast<std::size_t>(below(static_cast<int>(near.size())))].points[static_cast<std::size_t>(below(3))];
    return std::fabs(finite(p[below(3)] - number()));
  }

  /// 1 to `most` triangles, usually few: separate, with common corners, or a bent sheet.
  Mesh mesh(int most) {
    const int n = 1 + below(below(30) == 0 ? most : below(4) == 0 ? std::min(most, 24) : 4);
    MeshData d;
    if (below(3)) {
      const int corners = below(2) ? 3 * n : 3 + n / 2;
      if (corners == 3 * n) {
        for (int i = 0; i < n; ++i)
          for (const Vec3& p : points(3)) d.vertices.push_back(p);
      } else {
        d.vertices = points(corners);
      }
      for (int i = 0; i < n; ++i) {
        const auto at = [&](int k) { return static_cast<std::uint32_t>(corners == 3 * n ? 3 * i + k : below(corners)); };
        d.triangles.push_back({at(0), at(1), at(2)});
      }
    } else {
      const Vec3 o = vector(), u = vector(), v = vector(), w = vector();
      const int side = std::max(1, static_cast<int>(std::sqrt(n / 2.0)));
      for (int y = 0; y <= side; ++y)
        for (int x = 0; x <= side; ++x) {
          Vec3 p;
          for (int i = 0; i < 3; ++i) p[i] = finite(o[i] + x * u[i] + y * v[i] + (below(3) ? 0 : w[i]));
          d.vertices.push_back(p);
        }
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
          const auto i = static_cast<std::uint32_t>(y * (side + 1) + x), up = static_cast<std::uint32_t>(side + 1);
          d.triangles.push_back({i, i + 1, i + up + 1});
          d.triangles.push_back({i, i + up + 1, i + up});
        }
    }
    for (const Vec3& p : d.vertices)
      for (int i = 0; i < 3; ++i)
        if (below(static_cast<int>(d.vertices.size())) < 4) used_.push_back(p[i]);
    return Mesh(std::move(d));
  }

  std::optional<Pose> pose() {
    if (below(3)) return std::nullopt;
    if (below(2)) return Pose::quarter_turn(static_cast<Axis>(below(3)), below(4), vector());
    return Pose::from_quaternion(r_.integer(1, 2), r_.real(-1, 1), r_.integer(-2, 2), r_.real(-1, 1), vector());
  }
  static bool valid(const Instance& i) {
    try {
      validate(*i);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }
  /// The shape at a random valid pose.
  Instance placed(AnyShape shape) {
    Instance i{std::move(shape), pose()};
    if (!valid(i)) i.pose.reset();
    return i;
  }

  template <class S>
  S instance_of() {
    S s = filled<S>();
    if constexpr (std::is_same_v<S, Triangle>) {
      const auto p = points(3);
      std::copy(p.begin(), p.end(), s.points.begin());
    } else if constexpr (requires { s.b; }) {
      if (below(2)) s.b = beside(s.a);
    } else if constexpr (std::is_same_v<S, Box>) {
      if (below(2)) s.max = beside(s.min);
    }
    repair(s);
    return s;
  }
  AnyShape shape() {
    switch (below(20)) {
      case 0:
        return instance_of<Point>();
      case 1:
        return instance_of<Segment>();
      case 2:
        return instance_of<Ray>();
      case 3:
        return instance_of<Line>();
      case 4:
        return instance_of<Plane>();
      case 5:
        return instance_of<HalfSpace>();
      case 6:
        return instance_of<Triangle>();
      case 7:
      case 8:
        return instance_of<Sphere>();
      case 9:
      case 10:
        return instance_of<Box>();
      case 11:
      case 12:
        return instance_of<OrientedBox>();
      case 13:
      case 14:
        return instance_of<Capsule>();
      case 15:
        return Hull(points(1 + below(8)));
      case 16:
        return Frustum(points(8));
      case 17:
        return curved_shape();
      case 18:
        return Compound({{instance_of<Sphere>(), {}}, {instance_of<Box>(), {}}});
      default:
        return mover();
    }
  }
  /// A bounded shape that is not curved.
  AnyShape mover() {
    switch (below(8)) {
      case 0:
        return instance_of<Point>();
      case 1:
        return instance_of<Segment>();
      case 2:
        return instance_of<Sphere>();
      case 3:
        return instance_of<Capsule>();
      case 4:
        return instance_of<Box>();
      case 5:
        return instance_of<OrientedBox>();
      case 6:
        return instance_of<Triangle>();
      default:
        return Hull(points(1 + below(6)));
    }
  }
  AnyShape curved_shape() {
    AnyShape s = below(3) == 0 ? AnyShape(instance_of<Cylinder>()) : below(2) ? AnyShape(instance_of<Cone>()) : AnyShape(instance_of<Ellipsoid>());
    return valid({s, {}}) ? s : AnyShape(instance_of<Sphere>());
  }
  /// A vector along axis k that is not zero.
  Vec3 along(int k) {
    Vec3 d(0, 0, 0);
    while (d[k] == 0) d[k] = number();
    return d;
  }
  /// A ray, segment or line, often through a corner or the middle of a triangle.
  AnyShape line_like(const std::vector<Triangle>& at) {
    Vec3 o = vector(), d = direction();
    if (!at.empty() && below(3)) {
      const Triangle& t = at[static_cast<std::size_t>(below(static_cast<int>(at.size())))];
      Vec3 to = t.points[static_cast<std::size_t>(below(3))];
      if (below(2))
        for (int i = 0; i < 3; ++i) to[i] = t.points[0][i] * 0.25 + t.points[1][i] * 0.25 + t.points[2][i] * 0.5;
      Vec3 way;
      for (int i = 0; i < 3; ++i) way[i] = finite(to[i] - o[i]);
      if (way != Vec3(0, 0, 0)) d = way;
    }
    if (below(5) == 0) {  // along an axis, from anywhere on it
      const int k = below(3);
      if (!at.empty()) o = at[static_cast<std::size_t>(below(static_cast<int>(at.size())))].points[static_cast<std::size_t>(below(3))];
      o[k] = number();
      d = along(k);
    }
    switch (below(5)) {
      case 0:
        return Line{o, d};
      case 1: {
        Vec3 end;
        for (int i = 0; i < 3; ++i) end[i] = finite(o[i] + d[i]);
        return Segment{o, end};
      }
      default:
        return Ray{o, d};
    }
  }

 private:
  static double finite(double x) { return std::isfinite(x) ? x : std::copysign(0x1p1000, x); }
  template <class S>
  S filled() {
    S shape;
    std::apply([&](const auto&... f) { (fill(shape.*(f.member), f.role), ...); }, S::fields());
    return shape;
  }
  void fill(double& x, Role) { x = size(); }
  void fill(Vec3& v, Role role) {
    v = role == Role::direction ? direction() : vector();
    if (role == Role::extent)
      for (int i = 0; i < 3; ++i) v[i] = size();
  }
  template <class T, std::size_t N>
  void fill(std::array<T, N>& a, Role role) {
    for (T& x : a) fill(x, role);
  }
  double mantissa() {
    switch (below(3)) {
      case 0:
        return 1;
      case 1:
        return r_.integer(1, 7);
      default:
        return r_.real(1, 2);
    }
  }
  int exponent() {
    // The limits of floats, doubles, their squares and fourth powers, and the constants of filters.
    static constexpr int kEdges[] = {-1074, -1060, -1022, -900, -700, -538, -500, -450, -400, -300, -268, -200, -149, -126,
                                     -110,  -100,  -80,   -75,  -63,  -53,  -40,  -37,  -25,  24,   30,   40,   53,   60,
                                     64,    100,   126,   200,  255,  300,  400,  500,  511,  600,  900,  1000, 1020};
    const int tame = r_.integer(-2, 2) + shift_;
    if (below(4) >= wild_) return tame;
    switch (below(4)) {
      case 0:
        return r_.integer(-1074, 1020);
      case 1:
        return kEdges[below(static_cast<int>(std::size(kEdges)))] + r_.integer(-2, 2);
      case 2:
        return r_.integer(-40, 10) + shift_;
      default:
        return r_.integer(-160, 60) + shift_;
    }
  }

  Random r_;
  std::vector<double> used_;
  int wild_ = 0, wild_place_ = 0, wild_size_ = 0, shift_ = 0;
};

}  // namespace graze::test
