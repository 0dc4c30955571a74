// For tests: the least separating translation of two linear or round shapes by brute force in integers, over all pairs of edges and all simplices of corners.
#pragma once
#include <graze/shapes.hpp>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <optional>
#include <vector>

namespace depth_oracle {

using Z = boost::multiprecision::cpp_int;
using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<240, boost::multiprecision::digit_base_2>, boost::multiprecision::et_off>;
using graze::Vec3;

struct Z3 {
  Z x, y, z;
};
inline Z3 operator+(const Z3& a, const Z3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Z3 operator-(const Z3& a, const Z3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Z3 operator-(const Z3& a) { return {-a.x, -a.y, -a.z}; }
inline Z dot(const Z3& a, const Z3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Z3 cross(const Z3& a, const Z3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline bool is_zero(const Z3& a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/// m * 2^e
struct Number {
  Z m = 0;
  int e = 0;
  Number() = default;
  Number(double x) {
    if (x == 0) return;
    const double f = std::frexp(x, &e);
    m = static_cast<long long>(std::ldexp(f, 53));
    e -= 53;
  }
  Number(Z mantissa, int exponent) : m(std::move(mantissa)), e(exponent) {}
  void shorten() {
    if (m == 0) {
      e = 0;
      return;
    }
    const unsigned zeros = lsb(abs(m));
    m = m < 0 ? Z(-(-m >> zeros)) : Z(m >> zeros);
    e += static_cast<int>(zeros);
  }
  Z at(int exponent) const { return m == 0 ? Z(0) : Z(m << (e - exponent)); }
};
inline Number operator+(const Number& a, const Number& b) {
  if (a.m == 0) return b;
  if (b.m == 0) return a;
  const int e = std::min(a.e, b.e);
  Number r(a.at(e) + b.at(e), e);
  r.shorten();
  return r;
}
inline Number operator*(const Number& a, const Number& b) {
  Number r(a.m * b.m, a.e + b.e);
  r.shorten();
  return r;
}

using Point = std::array<Number, 3>;
inline Point point(const Vec3& v) { return {Number(v.x), Number(v.y), Number(v.z)}; }
inline Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Point operator*(double s, const Point& a) { return {Number(s) * a[0], Number(s) * a[1], Number(s) * a[2]}; }

/// Corners, edge directions (all differences of corners when none are given), recession directions, radius.
struct Body {
  std::vector<Point> corners, edges, directions;
  double radius = 0;
};

inline Body body(const graze::Point& s) { return {{point(s.point)}, {}, {}, 0}; }
inline Body body(const graze::Segment& s) { return {{point(s.a), point(s.b)}, {}, {}, 0}; }
inline Body body(const graze::Triangle& s) { return {{point(s.points[0]), point(s.points[1]), point(s.points[2])}, {}, {}, 0}; }
inline Body body(const graze::Sphere& s) { return {{point(s.center)}, {}, {}, s.radius}; }
inline Body body(const graze::Capsule& s) { return {{point(s.a), point(s.b)}, {}, {}, s.radius}; }
inline Body body(const graze::Hull& s) {
  Body b;
  for (const Vec3& p : s.points()) b.corners.push_back(point(p));
  return b;
}
inline Body body(const graze::Box& s) {
  Body b;
  for (int k = 0; k < 8; ++k) b.corners.push_back(point({k & 1 ? s.max.x : s.min.x, k & 2 ? s.max.y : s.min.y, k & 4 ? s.max.z : s.min.z}));
  b.edges = {point({1, 0, 0}), point({0, 1, 0}), point({0, 0, 1})};
  return b;
}
inline Body body(const graze::OrientedBox& s) {
  Body b;
  for (int k = 0; k < 8; ++k) {
    Point p = point(s.center);
    for (int i = 0; i < 3; ++i) p = p + (k >> i & 1 ? s.half[i] : -s.half[i]) * point(s.axes[i]);
    b.corners.push_back(p);
  }
  for (int i = 0; i < 3; ++i) b.edges.push_back(point(s.axes[i]));
  return b;
}
inline Body body(const graze::Ray& s) { return {{point(s.origin)}, {}, {point(s.direction)}, 0}; }
/// All directions perpendicular to the normal, one of whose components is not 0.
inline Body plane(const Vec3& at, const Vec3& n) {
  const int k = n.x != 0 ? 0 : n.y != 0 ? 1 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
  Vec3 u(0), v(0);
  u[i] = n[k];
  u[k] = -n[i];
  v[j] = n[k];
  v[k] = -n[j];
  return {{point(at)}, {}, {point(u), point(u * -1.0), point(v), point(v * -1.0)}, 0};
}
inline Body body(const graze::Plane& s) { return plane(s.point, s.normal); }
inline Body body(const graze::HalfSpace& s) {
  Body b = plane(s.point, s.normal);
  b.directions.push_back(point(s.normal * -1.0));
  return b;
}
inline Body body(const graze::Line& s) { return {{point(s.origin)}, {}, {point(s.direction), -1.0 * point(s.direction)}, 0}; }

struct Truth {
  enum Kind { apart, touching, unbounded, deep } kind = apart;
  Real depth = 0;  ///< deep only
};

class Pair {
 public:
  Pair(const Body& a, const Body& b) : a_(a), b_(b) {
    exponent_ = std::numeric_limits<int>::max();
    const auto low = [this](const Number& x) {
      if (x.m != 0) exponent_ = std::min(exponent_, x.e);
    };
    for (const Body* s : {&a, &b}) {
      for (const Point& p : s->corners)
        for (const Number& x : p) low(x);
      Number r(s->radius);
      low(r);
    }
    if (exponent_ == std::numeric_limits<int>::max()) exponent_ = 0;
    reach_ = Number(a.radius).at(exponent_) + Number(b.radius).at(exponent_);
    edges(a);
    edges(b);
  }

  Truth truth() const { return judge(0, {0, 0, 0}); }

  /// Whether A moved by v and B have no inner point in common.
  bool separated(const Vec3& v) const {
    int e = exponent_;
    for (int i = 0; i < 3; ++i) {
      const Number x(v[i]);
      if (x.m != 0) e = std::min(e, x.e);
    }
    const Truth t = judge(exponent_ - e, {Number(v.x).at(e), Number(v.y).at(e), Number(v.z).at(e)});
    return t.kind == Truth::apart || t.kind == Truth::touching;
  }

  /// |v| / depth - 1; requires a depth much larger than the spacing of doubles.
  static double excess(const Vec3& v, const Real& depth) {
    const Real x = v.x, y = v.y, z = v.z;
    return static_cast<double>(Real((sqrt(x * x + y * y + z * z) - depth) / depth));
  }

 private:
  static Z3 shortened(const Point& p) {
    int e = std::numeric_limits<int>::max();
    for (const Number& x : p)
      if (x.m != 0) e = std::min(e, x.e);
    return {p[0].at(e), p[1].at(e), p[2].at(e)};
  }
  void add_edge(const Point& p) {
    Z3 e = shortened(p);
    if (is_zero(e)) return;
    for (const Z3& k : edges_)
      if (is_zero(cross(k, e))) return;
    edges_.push_back(std::move(e));
  }
  void edges(const Body& s) {
    for (const Point& e : s.edges) add_edge(e);
    if (s.edges.empty())
      for (std::size_t i = 0; i < s.corners.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) add_edge(s.corners[i] + -1.0 * s.corners[j]);
    for (const Point& d : s.directions) add_edge(d);
    for (const Point& d : s.directions) recession_.push_back(shortened(&s == &a_ ? d : -1.0 * d));
  }

  Real real(const Z& numerator, const Z& denominator, int exponent) const { return ldexp(Real(numerator) / Real(denominator), exponent); }

  Truth judge(int shift, const Z3& move) const {
    std::vector<Z3> corners;
    const int e = exponent_ - shift;
    for (const Point& p : a_.corners)
      for (const Point& q : b_.corners) corners.push_back(Z3{p[0].at(e), p[1].at(e), p[2].at(e)} - Z3{q[0].at(e), q[1].at(e), q[2].at(e)} + move);
    const Z reach = reach_ << shift;
    // Planes through the corners, least first: (h, m^2).
    bool any = false, flat = true;
    Z best_h = 0, best_mm = 1;
    for (std::size_t i = 0; i < edges_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Z3 m = cross(edges_[i], edges_[j]);
        const Z mm = dot(m, m);
        Z low, high;
        for (std::size_t k = 0; k < corners.size(); ++k) {
          Z d = dot(m, corners[k]);
          if (k == 0 || d < low) low = d;
          if (k == 0 || d > high) high = d;
        }
        bool up = true, down = true;
        for (const Z3& r : recession_) {
          const Z d = dot(m, r);
          up = up && d <= 0;
          down = down && d >= 0;
        }
        if (low != high || !up || !down) flat = false;
        const auto offer = [&](const Z& h) {
          // h |m'| < h' |m|
          const auto signed_square = [](const Z& x) { return x < 0 ? Z(-(x * x)) : Z(x * x); };
          if (!any || signed_square(h) * best_mm < signed_square(best_h) * mm) {
            best_h = h;
            best_mm = mm;
          }
          any = true;
        };
        if (up) offer(high);
        if (down) offer(-low);
      }
    const int sizes = e;
    Truth t;
    if (reach == 0) {
      // Flat sets can only touch; the planes decide all others.
      if (edges_.size() < 2 || (flat && any)) {
        Z n, d;
        nearest(corners, n, d);
        t.kind = n == 0 ? Truth::touching : Truth::apart;
        return t;
      }
      if (!any) {
        t.kind = Truth::unbounded;
        return t;
      }
      t.kind = best_h < 0 ? Truth::apart : best_h == 0 ? Truth::touching : Truth::deep;
      if (t.kind == Truth::deep) t.depth = ldexp(Real(best_h) / sqrt(Real(best_mm)), sizes);
      return t;
    }
    Z n, d;  // the square of the distance from the surface of A - B
    nearest(corners, n, d);
    const bool solid = edges_.size() >= 2 && !(flat && any);
    if (solid && !any) {
      t.kind = Truth::unbounded;
      return t;
    }
    if (n == 0 || (solid && best_h > 0)) {
      t.kind = Truth::deep;
      t.depth = ldexp(Real(reach) + (solid && best_h > 0 ? Real(best_h) / sqrt(Real(best_mm)) : Real(0)), sizes);
      return t;
    }
    const Z rest = reach * reach * d - n;
    t.kind = rest < 0 ? Truth::apart : rest == 0 ? Truth::touching : Truth::deep;
    if (t.kind == Truth::deep) t.depth = ldexp(Real(rest) / (Real(d) * (Real(reach) + sqrt(Real(n) / Real(d)))), sizes);
    return t;
  }

  /// Least n / d = |x|^2 over all simplexes of up to three corners and directions.
  void nearest(const std::vector<Z3>& corners, Z& n, Z& d) const {
    bool any = false;
    const auto offer = [&](Z numerator, Z denominator) {
      if (any && numerator * d >= n * denominator) return;
      any = true;
      n = std::move(numerator);
      d = std::move(denominator);
    };
    struct Side {
      Z3 e;
      bool point;
    };
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Z3& v = corners[i];
      offer(dot(v, v), 1);
      std::vector<Side> sides;
      for (std::size_t j = i + 1; j < corners.size(); ++j) sides.push_back({corners[j] - v, true});
      for (const Z3& r : recession_) sides.push_back({r, false});
      for (std::size_t j = 0; j < sides.size(); ++j) {
        const Z3& e = sides[j].e;
        const Z ee = dot(e, e), ve = dot(v, e);
        if (ee == 0) continue;
        if (ve <= 0 && (!sides[j].point || -ve <= ee)) {
          const Z3 c = cross(v, e);
          offer(dot(c, c), ee);
        }
        for (std::size_t k = j + 1; k < sides.size(); ++k) {
          const Z3& f = sides[k].e;
          const Z3 m = cross(e, f);
          const Z mm = dot(m, m);
          if (mm == 0) continue;
          const Z s = dot(cross(f, v), m), t = dot(cross(v, e), m);  // weights of e and f, times m^2
          if (s < 0 || t < 0) continue;
          if ((sides[j].point ? s : Z(0)) + (sides[k].point ? t : Z(0)) > mm) continue;
          const Z h = dot(v, m);
          offer(h * h, mm);
        }
      }
    }
  }

  const Body &a_, &b_;
  int exponent_ = 0;
  Z reach_;
  std::vector<Z3> edges_, recession_;
};

}  // namespace depth_oracle
