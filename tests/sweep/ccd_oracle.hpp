// An independent exact oracle for moving vertices against moving faces and edges: rational polynomials in t, contact by features in space (quartic inside
// tests), every root of every polynomial a candidate, signs at algebraic numbers by gcd and bisection. Slow.
#pragma once
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <graze/vec.hpp>
#include <optional>
#include <span>
#include <vector>

namespace graze::test {

class MovingOracle {
  using Q = boost::multiprecision::cpp_rational;
  using P = std::vector<Q>;  ///< from the constant term up; no leading zeros
  using V = std::array<P, 3>;

  static P trim(P p) {
    while (!p.empty() && p.back() == 0) p.pop_back();
    return p;
  }
  static P add(const P& a, const P& b, int s) {
    P r(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < a.size(); ++i) r[i] += a[i];
    for (std::size_t i = 0; i < b.size(); ++i) r[i] += s * b[i];
    return trim(r);
  }
  static P mul(const P& a, const P& b) {
    if (a.empty() || b.empty()) return {};
    P r(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) r[i + j] += a[i] * b[j];
    return trim(r);
  }
  static V sub(const V& a, const V& b) { return {add(a[0], b[0], -1), add(a[1], b[1], -1), add(a[2], b[2], -1)}; }
  static V cross(const V& a, const V& b) {
    V r;
    for (int k = 0; k < 3; ++k) r[k] = add(mul(a[(k + 1) % 3], b[(k + 2) % 3]), mul(a[(k + 2) % 3], b[(k + 1) % 3]), -1);
    return r;
  }
  static P dot(const V& a, const V& b) { return add(add(mul(a[0], b[0]), mul(a[1], b[1]), 1), mul(a[2], b[2]), 1); }
  static P divide(P a, const P& b, bool remainder) {
    P q(a.size() >= b.size() ? a.size() - b.size() + 1 : 0);
    while (a.size() >= b.size()) {
      const Q f = a.back() / b.back();
      const std::size_t at = a.size() - b.size();
      q[at] = f;
      for (std::size_t i = 0; i < b.size(); ++i) a[at + i] -= f * b[i];
      a.pop_back();
      while (!a.empty() && a.back() == 0) a.pop_back();
    }
    return remainder ? a : trim(q);
  }
  static P monic(P p) {
    const Q lead = p.back();
    for (Q& c : p) c /= lead;
    return p;
  }
  static P gcd(P a, P b) {
    while (!b.empty()) {
      P r = divide(a, b, true);
      a = std::move(b);
      b = r.empty() ? r : monic(r);
    }
    return monic(a);
  }
  static P derivative(const P& p) {
    P r;
    for (std::size_t i = 1; i < p.size(); ++i) r.push_back(p[i] * static_cast<int>(i));
    return r;
  }
  static Q at(const P& p, const Q& x) {
    Q v = 0;
    for (std::size_t i = p.size(); i-- > 0;) v = v * x + p[i];
    return v;
  }
  static int count(const P& p, const Q& lo, const Q& hi) {  // distinct roots in (lo, hi] of a square-free p
    std::vector<P> chain{p, derivative(p)};
    while (!chain.back().empty() && chain.back().size() > 1) {
      P r = divide(chain[chain.size() - 2], chain.back(), true);
      for (Q& c : r) c = -c;
      chain.push_back(r);
    }
    const auto changes = [&](const Q& x) {
      int n = 0, last = 0;
      for (const P& q : chain) {
        const int s = at(q, x).sign();
        if (s != 0) {
          n += last != 0 && s != last;
          last = s;
        }
      }
      return n;
    };
    return changes(lo) - changes(hi);
  }
  struct Time {  ///< the root of p in (lo, hi], or lo == hi
    P p;
    Q lo, hi;
    void halve() {
      const Q mid = (lo + hi) / 2;
      (count(p, lo, mid) == 1 ? hi : lo) = mid;
      if (at(p, hi) == 0) lo = hi;
    }
    int sign(const P& q) {
      if (q.empty()) return 0;
      if (lo == hi) return at(q, lo).sign();
      const P g = gcd(p, q);
      if (g.size() > 1 && count(g, lo, hi) == 1) return 0;
      const P simple = divide(q, q.size() > 1 ? gcd(q, derivative(q)) : P{Q(1)}, false);
      while (lo != hi && (count(simple, lo, hi) != 0 || at(q, hi) == 0)) halve();
      return at(q, hi).sign();
    }
  };
  static void isolate(const P& p, Q lo, Q hi, int n, std::vector<Time>& out) {  // roots in (lo, hi]
    if (n == 0) return;
    if (n == 1) {
      out.push_back({p, lo, hi});
      if (at(p, hi) == 0) out.back().lo = hi;
      return;
    }
    const Q mid = (lo + hi) / 2;
    const int left = count(p, lo, mid);
    isolate(p, lo, mid, left, out);
    isolate(p, mid, hi, n - left, out);
  }

  struct OnSegment {
    V cross_;
    P along, length_less_along, length, from_start;  ///< squares; a segment that is a point requires from_start 0
  };
  P coplanar_;
  V normal_;
  std::vector<P> inside_;
  std::vector<OnSegment> on_;

  void on_segment(const V& x, const V& p, const V& q) {
    const V d = sub(q, p), e = sub(x, p);
    on_.push_back({cross(d, e), dot(d, e), add(dot(d, d), dot(d, e), -1), dot(d, d), dot(e, e)});
  }
  template <class Sign>
  bool contact(Sign&& sign) const {
    if (sign(coplanar_) != 0) return false;
    for (const OnSegment& o : on_)
      if (sign(o.cross_[0]) == 0 && sign(o.cross_[1]) == 0 && sign(o.cross_[2]) == 0 && sign(o.along) >= 0 && sign(o.length_less_along) >= 0 &&
          (sign(o.length) != 0 || sign(o.from_start) == 0))
        return true;
    bool area = false;
    for (const P& c : normal_) area = area || sign(c) != 0;
    if (!area) return false;
    for (const P& i : inside_)
      if (sign(i) < 0) return false;
    return true;
  }

 public:
  MovingOracle(bool edges, std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1) {
    V x[4];
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 3; ++k) x[i][k] = trim({Q(t0[i][k]), Q(t1[i][k]) - Q(t0[i][k])});
    if (edges) {
      const V u = sub(x[1], x[0]), v = sub(x[3], x[2]), w = sub(x[2], x[0]);
      normal_ = cross(u, v);
      coplanar_ = dot(w, normal_);
      const P nn = dot(normal_, normal_), s = dot(cross(w, v), normal_), r = dot(cross(w, u), normal_);
      inside_ = {s, add(nn, s, -1), r, add(nn, r, -1)};
      on_segment(x[0], x[2], x[3]);
      on_segment(x[1], x[2], x[3]);
      on_segment(x[2], x[0], x[1]);
      on_segment(x[3], x[0], x[1]);
    } else {
      normal_ = cross(sub(x[2], x[1]), sub(x[3], x[1]));
      coplanar_ = dot(sub(x[0], x[1]), normal_);
      for (int i = 0; i < 3; ++i) {
        const V &p = x[1 + i], &q = x[1 + (i + 1) % 3];
        inside_.push_back(dot(normal_, cross(sub(q, p), sub(x[0], p))));
        on_segment(x[0], p, q);
      }
    }
  }

  bool contact_at(const Q& t) const {
    return contact([&](const P& p) { return p.empty() ? 0 : at(p, t).sign(); });
  }

  std::optional<double> first() const {
    if (contact_at(0)) return 0.0;
    std::vector<P> all{coplanar_};
    if (coplanar_.empty()) {
      all.insert(all.end(), normal_.begin(), normal_.end());
      all.insert(all.end(), inside_.begin(), inside_.end());
      for (const OnSegment& o : on_) {
        all.insert(all.end(), o.cross_.begin(), o.cross_.end());
        all.push_back(o.along);
        all.push_back(o.length_less_along);
        all.push_back(o.length);
        all.push_back(o.from_start);
      }
    }
    std::optional<double> best;
    for (const P& p : all) {
      if (p.size() < 2) continue;
      const P simple = divide(p, gcd(p, derivative(p)), false);
      std::vector<Time> times;
      isolate(simple, 0, 1, count(simple, 0, 1), times);
      for (Time& t : times) {
        if (best && t.lo >= Q(*best)) continue;
        if (!contact([&](const P& q) { return t.sign(q); })) continue;
        std::uint64_t lo = 0, hi = std::bit_cast<std::uint64_t>(2.0);  // the largest double not above the root
        while (hi - lo > 1) {
          const std::uint64_t mid = (lo + hi) / 2;
          const Q x(std::bit_cast<double>(mid));
          const bool not_above = x <= t.lo || (x <= t.hi && (at(simple, x) == 0 || count(simple, t.lo, x) == 0));
          (not_above ? lo : hi) = mid;
        }
        const double floor = std::bit_cast<double>(lo);
        if (!best || floor < *best) best = floor;
        break;
      }
    }
    return best;
  }
};

}  // namespace graze::test
