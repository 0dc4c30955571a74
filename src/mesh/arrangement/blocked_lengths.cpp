// Boxes in a frame with u as its third axis, swept over the plane, then separating axes of pairs of triangles.
#include "mesh/arrangement/blocked_lengths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "math/limits.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

constexpr double kTouching = 1e-12;  // a choice: overlaps of this part of the coordinates are roundings

/// A triangle in the frame, and the axes that it offers.
struct FramedTriangle {
  std::array<Vec3, 3> point, edge;
  Vec3 normal;
  Box3 box;
};

class Frame {
 public:
  explicit Frame(const Vec3& u) : u_(u) {
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
      out.point[k] = Vec3(dot(e_, t.points[k]), dot(f_, t.points[k]), dot(u_, t.points[k]));
      out.box.add(out.point[k]);
    }
    for (std::size_t k = 0; k < 3; ++k) out.edge[k] = out.point[(k + 1) % 3] - out.point[k];
    out.normal = cross(out.edge[0], out.edge[1]);
    return out;
  }

 private:
  Vec3 u_, e_, f_;
};

struct Interval {
  double lo, hi;
};

/// The lengths at which a triangle meets another while it moves along the third axis, and whether it crosses it rather than slides along.
class Encounter {
 public:
  Encounter(const FramedTriangle& a, const FramedTriangle& b, double rounding) : a_(a), b_(b), rounding_(rounding) {}

  bool operator()() {
    if (!cut(a_.normal) || !cut(b_.normal)) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!cut(cross(a_.edge[i], a_.normal)) || !cut(cross(b_.edge[i], b_.normal))) return false;
      for (std::size_t j = 0; j < 3; ++j)
        if (!cut(cross(a_.edge[i], b_.edge[j]))) return false;
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
    if (std::fabs(n.z) <= kTouching * size) {
      slides = slides || first > -rounding_ * size || last < rounding_ * size;
      return first < rounding_ * size && last > -rounding_ * size;
    }
    interval.lo = std::max(interval.lo, (n.z > 0 ? first : last) / n.z);
    interval.hi = std::min(interval.hi, (n.z > 0 ? last : first) / n.z);
    return interval.hi - interval.lo > rounding_;
  }

  const FramedTriangle &a_, &b_;
  double rounding_;
};

/// Calls f for all pairs whose boxes overlap in the plane.
template <class F>
void for_pairs_in_plane(const std::vector<FramedTriangle>& a, const std::vector<FramedTriangle>& b, const F& f) {
  const auto later = [](const FramedTriangle& t, const std::vector<FramedTriangle>& list, std::size_t from, const auto& g) {
    for (std::size_t k = from; k < list.size() && list[k].box.lo.x <= t.box.hi.x; ++k)
      if (list[k].box.lo.y <= t.box.hi.y && t.box.lo.y <= list[k].box.hi.y) g(list[k]);
  };
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();)
    if (a[i].box.lo.x <= b[j].box.lo.x) {
      later(a[i], b, j, [&](const FramedTriangle& t) { f(a[i], t); });
      ++i;
    } else {
      later(b[j], a, i, [&](const FramedTriangle& t) { f(t, b[j]); });
      ++j;
    }
}

}  // namespace

std::vector<Triangle> placed_triangles(const MeshView& view) {
  std::vector<Triangle> list;
  list.reserve(view.mesh->triangles.size());
  for (std::uint32_t i = 0; i < view.mesh->triangles.size(); ++i) list.push_back(view.triangle(i));
  return list;
}

std::vector<double> gaps_along(const Vec3& u, std::span<const Triangle> a, std::span<const Triangle> b, double most) {
  const Frame frame(u);
  double farthest = 0;
  const auto framed = [&](std::span<const Triangle> triangles, Box3& box) {
    std::vector<FramedTriangle> list;
    list.reserve(triangles.size());
    for (const Triangle& t : triangles) {
      list.push_back(frame(t));
      box.add(list.back().box);
    }
    farthest = std::max({farthest, max_norm(box.lo), max_norm(box.hi)});
    return list;
  };
  Box3 box_a, box_b;
  std::vector<FramedTriangle> list_a = framed(a, box_a), list_b = framed(b, box_b);
  const auto keep = [](std::vector<FramedTriangle>& list, const Box3& within) {
    std::erase_if(list, [&](const FramedTriangle& t) { return !t.box.overlaps(within); });
    std::sort(list.begin(), list.end(), [](const FramedTriangle& x, const FramedTriangle& y) { return x.box.lo.x < y.box.lo.x; });
  };
  box_b.lo.z -= most;
  keep(list_a, box_b);
  box_a.hi.z += most;
  keep(list_b, box_a);

  std::vector<Interval> crossings;
  std::vector<double> ends;  // of slides, after which solids without crossing surfaces may be apart
  for_pairs_in_plane(list_a, list_b, [&](const FramedTriangle& s, const FramedTriangle& t) {
    if (t.box.hi.z < s.box.lo.z || t.box.lo.z - s.box.hi.z > most) return;
    Encounter m(s, t, kTouching * farthest);
    if (!m() || !(m.interval.hi > 0) || !(m.interval.lo < most)) return;
    if (m.slides) {
      ends.push_back(m.interval.hi);
    } else {
      crossings.push_back(m.interval);
    }
  });
  std::sort(crossings.begin(), crossings.end(), [](const Interval& x, const Interval& y) { return x.lo < y.lo || (x.lo == y.lo && x.hi < y.hi); });
  std::vector<double> gaps;
  std::sort(ends.begin(), ends.end());
  auto next = ends.begin();
  const auto offer = [&](double from, double to) {  // a gap
    if (from > 0) gaps.push_back(from);
    for (; next != ends.end() && *next <= to; ++next)
      if (*next > from + kTouching * farthest && *next <= most) gaps.push_back(*next), from = *next;
  };
  double end = 0;
  for (const Interval& c : crossings) {
    if (c.lo > end) offer(end, c.lo);
    end = std::max(end, c.hi);
  }
  if (end <= most) offer(end, kInfinity);
  return gaps;
}

}  // namespace graze
