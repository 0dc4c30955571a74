// The separating axes of two small polytopes in motion, and the proof of the face that they meet at.
#include "sweep/linear/polytope_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/limits.hpp"
#include "math/vec3.hpp"

namespace graze::sweeping {
namespace {

V3<double> sized(double s, const Vec3& g) { return {s * g.x, s * g.y, s * g.z}; }

/// One operand: its edges, and its corners relative to an origin.
struct Side {
  const ConvexSet& c;
  const bool has_segments;
  int edges;
  V3<double> edge[3];    ///< rounded: of segment k, or from corner k to the next
  V3<double> corner[3];  ///< of points; of segments only the first, at the low ends
  double size = 0;       ///< bounds the sizes of corners, and the sums that they consist of

  Side(const ConvexSet& set, const Vec3& origin) : c(set), has_segments(set.segments != 0) {
    if (has_segments) {
      edges = static_cast<int>(c.segments);
      const Vec3 p = c.base(0) - origin;
      corner[0] = v3(p);
      size = taxicab(p);
      for (int k = 0; k < edges; ++k) {
        corner[0] = corner[0] + sized(c.lo[k], c.segment[k]);
        edge[k] = sized(c.hi[k] - c.lo[k], c.segment[k]);
        size += 2 * std::max(std::fabs(c.lo[k]), std::fabs(c.hi[k])) * taxicab(c.segment[k]);
      }
    } else {
      const int n = static_cast<int>(c.points);
      edges = n == 3 ? 3 : n - 1;
      for (int k = 0; k < n; ++k) {
        corner[k] = v3(c.base(static_cast<std::size_t>(k)) - origin);
        size = std::max(size, taxicab(corner[k]));
      }
      for (int k = 0; k < edges; ++k) edge[k] = corner[next(k)] - corner[k];
      size *= 2;
    }
  }
  int next(int k) const { return k + 1 < static_cast<int>(c.points) ? k + 1 : 0; }
  int faces() const { return has_segments ? edges * (edges - 1) / 2 : edges == 3 ? 1 : 0; }
  /// The two edges of a face; of a triangle both meet in corner 0.
  int first_edge(int face) const { return has_segments && face == 2 ? 1 : 0; }
  int second_edge(int face) const { return has_segments && face == 0 ? 1 : 2; }

  void range(const V3<double>& n, double& least, double& most) const {
    least = most = dot(n, corner[0]);
    if (has_segments) {
      for (int k = 0; k < edges; ++k) {
        const double x = dot(n, edge[k]);
        (x < 0 ? least : most) += x;
      }
    } else {
      for (int k = 1; k < static_cast<int>(c.points); ++k) {
        const double x = dot(n, corner[k]);
        least = std::min(least, x);
        most = std::max(most, x);
      }
    }
  }

  /// The low ends of a segment, or a point, exactly: each coordinate is off by less than 2^-101 of `size`.
  V3<TwoDouble> exact_corner(const ConvexCorner& k) const {
    const Vec3 p = c.base(k.base);
    V3<TwoDouble> r = v3_two(p);
    for (std::uint32_t s = 0; s < c.segments; ++s) {
      const double t = k.bits >> s & 1 ? c.hi[s] : c.lo[s];
      const Vec3& g = c.segment[s];
      r = r + V3<TwoDouble>{two_product(t, g.x), two_product(t, g.y), two_product(t, g.z)};
    }
    return r;
  }
  /// Edge k, relatively off by less than 2^-102.
  V3<TwoDouble> exact_edge(int k) const {
    if (has_segments) {
      const TwoDouble length = two_sum(c.hi[k], -c.lo[k]);
      const Vec3& g = c.segment[k];
      return {length * g.x, length * g.y, length * g.z};
    }
    return exact_difference(c.base(static_cast<std::size_t>(next(k))), c.base(static_cast<std::size_t>(k)));
  }
  /// A corner least along n, at which the edges in `free` begin. Returns false where another corner may be lower; `off` bounds the error of n . edge, per
  /// |edge|_1. Coordinates of n that are `zero` are 0, exactly.
  bool least_corner(const V3<double>& n, const bool (&zero)[3], unsigned free, double off, ConvexCorner& out) const {
    const auto level = [&](const V3<double>& d) { return (zero[0] || d.x == 0) && (zero[1] || d.y == 0) && (zero[2] || d.z == 0); };
    out = {};
    if (has_segments) {
      for (int k = 0; k < edges; ++k) {
        if (free >> k & 1) continue;
        const double x = dot(n, edge[k]);
        if (!(std::fabs(x) > off * taxicab(edge[k])) && !level(edge[k])) return false;
        if (x < 0) out.bits |= 1u << k;
      }
      return true;
    }
    const int count = static_cast<int>(c.points);
    int first = 0;
    if (free == 0) {
      for (int k = 1; k < count; ++k)
        if (dot(n, corner[k] - corner[first]) < 0) first = k;
    } else {
      while (!(free >> first & 1)) ++first;
    }
    out.base = static_cast<std::uint32_t>(first);
    for (int k = 0; k < count; ++k) {
      if (k == first || (free & (free - 1)) != 0 || (free != 0 && k == next(first))) continue;
      const V3<double> d = v3(c.base(static_cast<std::size_t>(k)) - c.base(out.base));  // rounded once
      if (!(dot(n, d) > off * taxicab(d)) && !level(d)) return false;
    }
    return true;
  }
  /// The corner at the other end of an edge.
  ConvexCorner along(ConvexCorner k, int e) const {
    if (has_segments)
      k.bits |= 1u << e;
    else
      k.base = static_cast<std::uint32_t>(next(e));
    return k;
  }
};

/// A face of A - B: two edges of A, two of B, or one of each.
struct Face {
  int side[2], edge[2];
};

struct Contest {
  const Side *a, *b;
  V3<double> motion;
  double size, speed, reach, limit;
  double lower = 0, upper = kInfinity;  ///< contact can only be between these times
  double latest = 0;                    ///< the latest time at which an axis begins to overlap, as computed
  Face face{};
  V3<double> normal{0, 0, 0};

  /// n . (corners) is off by at most 2^-48 |n|_1 size, which holds 16 u for differences, products and sums; n . motion by 8 u |n|_1 speed; reach |n| by 8 u of
  /// itself.
  /// Returns false if there is no contact by `limit`.
  bool axis(const V3<double>& n, const Face& f) {
    const double one = taxicab(n);
    if (!(one > 0)) return true;
    double a0, a1, b0, b1;
    a->range(n, a0, a1);
    b->range(n, b0, b1);
    const double touching = reach == 0 ? 0 : reach * std::sqrt(dot(n, n)), off = one * size * 0x1p-48 + touching * 0x1p-50, rate = dot(n, motion),
                 speed_along = std::fabs(rate), slow = speed_along - one * speed * 0x1p-50, fast = speed_along + one * speed * 0x1p-50;
    const double ahead = (rate > 0 ? b0 - a1 : a0 - b1) - touching, behind = (rate > 0 ? b1 - a0 : a1 - b0) + touching, gap = std::max(ahead, -behind) - off;
    if (gap > 0) {
      const double bound = gap / fast * (1 - 0x1p-50);
      if (bound > limit || (slow > 0 && gap > ahead)) return false;
      lower = std::max(lower, bound);
    }
    if (slow > 0) upper = std::min(upper, (behind + off) / slow);
    // Edges along each other have the axis of a face, too. The face comes first, and holds the point of contact: another axis has to be later for certain.
    if (ahead - 2 * off > latest * speed_along && speed_along > 0) {
      latest = ahead / speed_along;
      face = f;
      normal = rate > 0 ? -n : n;
    }
    return true;
  }
  bool all_axes() {
    const Side* const sides[2] = {a, b};
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < sides[s]->faces(); ++k) {
        const int i = sides[s]->first_edge(k), j = sides[s]->second_edge(k);
        if (!axis(cross(sides[s]->edge[i], sides[s]->edge[j]), {{s, s}, {i, j}})) return false;
      }
    for (int i = 0; i < a->edges; ++i)
      for (int j = 0; j < b->edges; ++j)
        if (!axis(cross(a->edge[i], b->edge[j]), {{0, 1}, {i, j}})) return false;
    return !(lower * (1 - 0x1p-48) > upper);
  }
};

}  // namespace

bool is_small_polytope(const ConvexSet& c) { return c.directions == 0 && !c.pose && (c.segments == 0 ? c.points <= 3 : c.points == 1 && c.segments <= 3); }

Certain polytope_time(const ConvexSet& ca, const V3<TwoDouble>& motion, const ConvexSet& cb, const TwoDouble& radii, double limit, PolytopeTime& out) {
  const Vec3 origin = cb.base(0);
  const Side a(ca, origin), b(cb, origin);
  const V3<double> m = high(motion);
  Contest contest{&a, &b, m, a.size + b.size, taxicab(m), radii.hi, limit};
  if (!contest.all_axes()) return Certain::no;
  if (!(contest.latest > 0)) return Certain::unknown;

  const Face& f = contest.face;
  const Side* const sides[2] = {&a, &b};
  V3<TwoDouble> e[2];
  for (int k = 0; k < 2; ++k) {
    e[k] = sides[f.side[k]]->exact_edge(f.edge[k]);
    if (f.side[k] == 1) e[k] = -e[k];
  }
  const bool triangle = f.side[0] == f.side[1] && !sides[f.side[0]]->has_segments;
  if (triangle) e[1] = -e[1];  // from corner 0 to the last
  V3<TwoDouble> n = cross(e[0], e[1]);
  const bool turned = dot(high(n), contest.normal) < 0;
  if (turned) n = -n;
  const V3<double> normal = high(n), first = high(e[0]), second = high(e[1]);
  const double one = taxicab(normal), l0 = taxicab(first), l1 = taxicab(second), area = l0 * l1, off = one * 0x1p-48;
  if (!(one > area * 0x1p-40)) return Certain::unknown;
  unsigned free[2] = {0, 0};
  for (int k = 0; k < 2; ++k) free[f.side[k]] |= 1u << f.edge[k];
  bool zero[3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    zero[i] = (first[j] == 0 || second[k] == 0) && (first[k] == 0 || second[j] == 0);
  }
  Generator corner;
  if (!a.least_corner(normal, zero, free[0], off, corner.a) || !b.least_corner(-normal, zero, free[1], off, corner.b)) return Certain::unknown;

  const V3<TwoDouble> v = a.exact_corner(corner.a) - b.exact_corner(corner.b);
  const TwoDouble rate = -dot(motion, n);
  TwoDouble height = dot(v, n);
  if (radii.hi != 0) height = height - radii * square_root(dot(n, n));
  const double from = a.size + b.size + taxicab(v3(origin)) * 2, speed = contest.speed;
  out.height = {height, (from + radii.hi) * area * 0x1p-96 + 0x1p-900};
  out.rate = {rate, speed * area * 0x1p-96 + 0x1p-900};
  if (sign_of(out.height) != 1 || sign_of(out.rate) != 1) return Certain::unknown;
  const Fine time = out.height / out.rate;
  const V3<double> p = high(v + V3<TwoDouble>{time.v * motion.x, time.v * motion.y, time.v * motion.z});
  const double loose = taxicab(p) * 0x1p-47 + (from + time.v.hi * speed) * 0x1p-96 + 2 * time.e * speed, side = turned ? -1 : 1;
  const double w0 = side * dot(cross(second, p), normal), w1 = side * dot(cross(p, first), normal), by0 = one * l1 * loose, by1 = one * l0 * loose,
               total = dot(normal, normal), by = one * one * 0x1p-47;
  if (!(w0 > by0 && w1 > by1)) return Certain::unknown;
  if (triangle ? !(total - w0 - w1 > by0 + by1 + by) : !(total - w0 > by0 + by && total - w1 > by1 + by)) return Certain::unknown;

  const auto moved = [&](Generator g, int k) {
    ConvexCorner& c = f.side[k] == 0 ? g.a : g.b;
    c = triangle ? ConvexCorner{static_cast<std::uint32_t>(k + 1), 0} : sides[f.side[k]]->along(c, f.edge[k]);
    return g;
  };
  const Generator name[4] = {corner, moved(corner, 0), moved(corner, 1), moved(moved(corner, 0), 1)};
  name_face(name, {w0 / total, w1 / total}, out.found, out.share);
  out.normal = normal;
  return Certain::yes;
}

}  // namespace graze::sweeping
