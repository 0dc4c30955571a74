// Boxes in a frame with u as its third axis, swept over the plane, then separating axes of pairs of triangles.
#include "mesh/arrangement/gaps_along.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "math/box3.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "platform/watch.hpp"

namespace graze {
namespace {

constexpr double kParallel = 1e-12;                      // a choice: of a unit vector, components along u below this are roundings
constexpr std::uint64_t kEncounter = 16, kFraming = 16;  // steps, about

/// A triangle in the frame.
struct FramedTriangle {
  std::array<Vec3, 3> point;
  Box3 box;
  std::array<Vec3, 3> edges() const { return {point[1] - point[0], point[2] - point[1], point[0] - point[2]}; }
};

class Frame {
 public:
  Frame(const Vec3& u, const Vec3& origin) : u_(u), origin_(origin) {
    int least = 0;
    for (int i = 1; i < 3; ++i)
      if (std::fabs(u[i]) < std::fabs(u[least])) least = i;
    Vec3 axis(0, 0, 0);
    axis[least] = 1;
    e_ = cross(u, axis);
    e_ /= length(e_);
    f_ = cross(u, e_);
  }
  FramedTriangle operator()(const Triangle& t) const {
    FramedTriangle out;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 x = t.points[k] - origin_;
      out.point[k] = Vec3(dot(e_, x), dot(f_, x), dot(u_, x));
      out.box.add(out.point[k]);
    }
    return out;
  }

 private:
  Vec3 u_, origin_, e_, f_;
};

struct Interval {
  double lo, hi;
};

/// The lengths at which a triangle meets another while it moves along the third axis, and whether it crosses it rather than slides along.
class Encounter {
 public:
  Encounter(const FramedTriangle& a, const FramedTriangle& b, double tolerance) : a_(a), b_(b), tolerance_(tolerance) {}

  bool operator()() {
    const std::array<Vec3, 3> e = a_.edges(), f = b_.edges();
    const Vec3 n = cross(e[0], e[1]), m = cross(f[0], f[1]);
    if (!cut(n) || !cut(m)) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!cut(cross(e[i], n)) || !cut(cross(f[i], m))) return false;
      for (std::size_t j = 0; j < 3; ++j)
        if (!cut(cross(e[i], f[j]))) return false;
    }
    return true;
  }
  Interval interval{-kInfinity, kInfinity};
  bool slides = false;

 private:
  /// Cuts the interval down to where the projections onto n overlap; false if nothing is left.
  bool cut(const Vec3& n) {
    const double size = taxicab(n);
    if (!(size > 0)) return true;
    const auto range = [&](const std::array<Vec3, 3>& p) {
      const double x = dot(n, p[0]), y = dot(n, p[1]), z = dot(n, p[2]);
      return Interval{std::min({x, y, z}), std::max({x, y, z})};
    };
    const Interval a = range(a_.point), b = range(b_.point);
    const double first = b.lo - a.hi, last = b.hi - a.lo;
    if (std::fabs(n.z) <= kParallel * size) {
      slides = slides || first > -tolerance_ * size || last < tolerance_ * size;
      return first < tolerance_ * size && last > -tolerance_ * size;
    }
    interval.lo = std::max(interval.lo, (n.z > 0 ? first : last) / n.z);
    interval.hi = std::min(interval.hi, (n.z > 0 ? last : first) / n.z);
    return interval.hi - interval.lo > tolerance_;
  }

  const FramedTriangle &a_, &b_;
  double tolerance_;
};

/// Steps that are left, counted down.
class Steps {
 public:
  explicit Steps(std::uint64_t& budget) : budget_(budget) {}
  /// False if there are not so many.
  bool take(std::uint64_t n) {
    if (budget_ < n) return budget_ = 0, false;
    budget_ -= n;
    if ((since_ += n) < kBetweenChecks) return true;
    since_ = 0;
    checkpoint();
    return true;
  }

 private:
  static constexpr std::uint64_t kBetweenChecks = 1 << 16;
  std::uint64_t& budget_;
  std::uint64_t since_ = 0;
};

/// Calls f for all pairs whose boxes overlap in the plane; both lists are sorted by box.lo.x. False if the steps do not suffice.
template <class F>
bool for_pairs_in_plane(const std::vector<FramedTriangle>& a, const std::vector<FramedTriangle>& b, Steps& steps, const F& f) {
  const auto later = [&](const FramedTriangle& t, const std::vector<FramedTriangle>& list, std::size_t from, const auto& g) {
    for (std::size_t k = from; k < list.size() && list[k].box.lo.x <= t.box.hi.x; ++k) {
      if (!steps.take(1)) return false;
      if (list[k].box.lo.y <= t.box.hi.y && t.box.lo.y <= list[k].box.hi.y && !g(list[k])) return false;
    }
    return true;
  };
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();)
    if (a[i].box.lo.x <= b[j].box.lo.x) {
      if (!later(a[i], b, j, [&](const FramedTriangle& t) { return f(a[i], t); })) return false;
      ++i;
    } else {
      if (!later(b[j], a, i, [&](const FramedTriangle& t) { return f(t, b[j]); })) return false;
      ++j;
    }
  return true;
}

struct Crossings {
  std::vector<Interval> intervals;
  std::vector<double> slide_ends;  ///< after which solids without crossing surfaces may be apart
};

/// Where nothing crosses: the ends of intervals, and the ends of slides in between.
std::vector<double> gaps_between(Crossings& crossings, const GapLimits& limits) {
  std::vector<Interval>& intervals = crossings.intervals;
  std::vector<double>& ends = crossings.slide_ends;
  std::sort(intervals.begin(), intervals.end(), [](const Interval& x, const Interval& y) { return x.lo < y.lo || (x.lo == y.lo && x.hi < y.hi); });
  std::sort(ends.begin(), ends.end());
  std::vector<double> gaps;
  auto next = ends.begin();
  const auto offer = [&](double from, double to) {
    if (from > 0) gaps.push_back(from);
    for (; next != ends.end() && *next <= to; ++next)
      if (*next > from + limits.tolerance && *next <= limits.most) gaps.push_back(*next), from = *next;
  };
  double end = 0;
  for (const Interval& c : intervals) {
    if (c.lo > end) offer(end, c.lo);
    end = std::max(end, c.hi);
  }
  if (end <= limits.most) offer(end, kInfinity);
  return gaps;
}

}  // namespace

std::vector<double> gaps_along(const Vec3& u, std::span<const Triangle> a, std::span<const Triangle> b, const GapLimits& limits, std::uint64_t& budget) {
  Steps steps(budget);
  if (!steps.take(kFraming * (a.size() + b.size()))) return {};
  const Frame frame(u, limits.origin);
  const auto framed = [&](std::span<const Triangle> triangles, Box3& box) {
    std::vector<FramedTriangle> list;
    list.reserve(triangles.size());
    for (const Triangle& t : triangles) {
      list.push_back(frame(t));
      box.add(list.back().box);
    }
    return list;
  };
  Box3 box_a, box_b;
  std::vector<FramedTriangle> list_a = framed(a, box_a), list_b = framed(b, box_b);
  const auto keep = [](std::vector<FramedTriangle>& list, const Box3& within) {
    std::erase_if(list, [&](const FramedTriangle& t) { return !t.box.overlaps(within); });
    std::sort(list.begin(), list.end(), [](const FramedTriangle& x, const FramedTriangle& y) { return x.box.lo.x < y.box.lo.x; });
  };
  box_b.lo.z -= limits.most;
  keep(list_a, box_b);
  box_a.hi.z += limits.most;
  keep(list_b, box_a);

  Crossings crossings;
  const bool enough = for_pairs_in_plane(list_a, list_b, steps, [&](const FramedTriangle& s, const FramedTriangle& t) {
    if (t.box.hi.z < s.box.lo.z || t.box.lo.z - s.box.hi.z > limits.most) return true;
    if (!steps.take(kEncounter)) return false;
    Encounter e(s, t, limits.tolerance);
    if (!e() || !(e.interval.hi > 0) || !(e.interval.lo < limits.most)) return true;
    if (e.slides) {
      crossings.slide_ends.push_back(e.interval.hi);
    } else {
      crossings.intervals.push_back(e.interval);
    }
    return true;
  });
  if (!enough) return {};
  return gaps_between(crossings, limits);
}

}  // namespace graze
