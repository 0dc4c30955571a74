// The separating axes of two small polytopes in motion, and the proof of the face that they meet at.
#include "sweep/linear/polytope_time.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "convex/sets/small_polytope.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"

namespace graze::sweeping {
namespace {

/// A face of A - B: two edges of A, two of B, or one of each.
struct Face {
  int side[2], edge[2];
};

struct Contest {
  const PolytopeSide *a, *b;
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
    const PolytopeSide* const sides[2] = {a, b};
    const bool ends = any_axis(sides, [&](int s, int i, int t, int j) { return !axis(cross(sides[s]->edge[i], sides[t]->edge[j]), {{s, t}, {i, j}}); });
    return !ends && !(lower * (1 - 0x1p-48) > upper);
  }
};

/// The span of a face: two edges of A - B, and their normal, towards A.
struct Span {
  V3<double> edge[2];
  V3<TwoDouble> n;
  V3<double> normal;
  double side, one, area;
  bool triangle;

  /// Returns false where the edges may be parallel. `towards`: turns the normal to this side.
  bool set(const PolytopeSide* const (&sides)[2], const Face& f, const V3<double>& towards) {
    V3<TwoDouble> e[2];
    for (int k = 0; k < 2; ++k) {
      e[k] = sides[f.side[k]]->exact_edge(f.edge[k]);
      if (f.side[k] == 1) e[k] = -e[k];
    }
    triangle = f.side[0] == f.side[1] && !sides[f.side[0]]->has_segments;
    if (triangle) e[1] = -e[1];  // from corner 0 to the last
    n = cross(e[0], e[1]);
    side = dot(high(n), towards) < 0 ? -1 : 1;
    if (side < 0) n = -n;
    normal = high(n);
    for (int k = 0; k < 2; ++k) edge[k] = high(e[k]);
    one = taxicab(normal);
    area = taxicab(edge[0]) * taxicab(edge[1]);
    return one > area * 0x1p-40;
  }
};

/// The last part of the proof: the plane of a face supports A - B, and the origin's path meets the plane within the face.
struct FaceProof {
  const PolytopeSide* const (&sides)[2];
  const Contest& contest;
  const V3<TwoDouble>& motion;
  const TwoDouble& radii;
  double from;  ///< bounds the sizes of the corners of A - B

  /// The time at which the plane is met, and whether that is certainly within the face with this corner.
  Certain at(const Face& f, const Span& span, const Generator& corner, PolytopeTime& out) const {
    const V3<TwoDouble> v = corner_in_pairs(sides[0]->c, corner.a) - corner_in_pairs(sides[1]->c, corner.b);
    const TwoDouble rate = -dot(motion, span.n);
    TwoDouble height = dot(v, span.n);
    if (radii.hi != 0) height = height - radii * square_root(dot(span.n, span.n));
    const double speed = contest.speed, one = span.one;
    out.height = {height, (from + radii.hi) * span.area * 0x1p-96 + 0x1p-900};
    out.rate = {rate, speed * span.area * 0x1p-96 + 0x1p-900};
    if (sign_of(out.height) != 1 || sign_of(out.rate) != 1) return Certain::unknown;
    const Fine time = out.height / out.rate;
    const V3<double> p = high(v + V3<TwoDouble>{time.v * motion.x, time.v * motion.y, time.v * motion.z}), &normal = span.normal;
    const double loose = taxicab(p) * 0x1p-47 + (from + time.v.hi * speed) * 0x1p-96 + 2 * time.e * speed;
    const double w0 = span.side * dot(cross(span.edge[1], p), normal), w1 = span.side * dot(cross(p, span.edge[0]), normal),
                 by0 = one * taxicab(span.edge[1]) * loose, by1 = one * taxicab(span.edge[0]) * loose, total = dot(normal, normal), by = one * one * 0x1p-47;
    if (!(w0 > by0 && w1 > by1)) return Certain::unknown;
    if (span.triangle ? !(total - w0 - w1 > by0 + by1 + by) : !(total - w0 > by0 + by && total - w1 > by1 + by)) return Certain::unknown;

    const auto moved = [&](Generator g, int k) {
      ConvexCorner& c = f.side[k] == 0 ? g.a : g.b;
      c = span.triangle ? ConvexCorner{static_cast<std::uint32_t>(k + 1), 0} : sides[f.side[k]]->along(c, f.edge[k]);
      return g;
    };
    const Generator name[4] = {corner, moved(corner, 0), moved(corner, 1), moved(moved(corner, 0), 1)};
    name_face(name, {w0 / total, w1 / total}, out.found, out.share);
    out.normal = normal;
    return Certain::yes;
  }

  /// Edges of A and B along the plane make its face a polygon; triangles and parallelograms cover it, some of them more than once.
  Certain within_polygon(const LeastCorners (&least)[2], const V3<double>& towards, PolytopeTime& out) const {
    for (int s = 0; s < 2; ++s)
      for (int t = s; t < 2; ++t)
        for (int i = 0; i < sides[s]->edges; ++i)
          for (int j = s == t ? i + 1 : 0; j < sides[t]->edges; ++j) {
            const bool triangle = s == t && !sides[s]->has_segments;
            if (!(least[s].edges >> i & 1) || !(least[t].edges >> j & 1) || (triangle && (i != 0 || j != 2))) continue;
            const Face f{{s, t}, {i, j}};
            Span span;
            if (!span.set(sides, f, towards)) continue;
            unsigned used[2] = {0, 0};
            used[s] |= 1u << i;
            used[t] |= 1u << j;
            ConvexCorner corner[2][kMost];
            const int na = corners(0, least[0], used[0], corner[0]), nb = corners(1, least[1], used[1], corner[1]);
            for (int x = 0; x < na; ++x)
              for (int y = 0; y < nb; ++y)
                if (at(f, span, {Generator::point, corner[0][x], corner[1][y]}, out) == Certain::yes) return Certain::yes;
          }
    return Certain::unknown;
  }

 private:
  static constexpr int kMost = 8;

  /// The least corners at which the edges in `used` may begin. Points come in the order of their coordinates, so that neighbours, which number them in another
  /// order, touch at the same ones.
  int corners(int s, const LeastCorners& least, unsigned used, ConvexCorner* out) const {
    const PolytopeSide& side = *sides[s];
    int n = 0;
    if (side.has_segments) {
      for (unsigned bits = 0; bits < 1u << side.edges; ++bits)
        if ((bits & ~(least.edges & ~used)) == 0) out[n++] = {0, least.corner.bits | bits};
      return n;
    }
    if (used != 0) {
      out[n++] = {static_cast<std::uint32_t>(std::countr_zero(used)), 0};
      return n;
    }
    for (std::uint32_t k = 0; k < side.c.points; ++k)
      if (least.points >> k & 1) out[n++] = {k, 0};
    std::sort(out, out + n, [&](const ConvexCorner& x, const ConvexCorner& y) {
      const Vec3 p = side.c.base(x.base), q = side.c.base(y.base);
      return std::array{p.x, p.y, p.z} < std::array{q.x, q.y, q.z};
    });
    return n;
  }
};

}  // namespace

Certain polytope_time(const ConvexSet& ca, const V3<TwoDouble>& motion, const ConvexSet& cb, const TwoDouble& radii, double limit, PolytopeTime& out) {
  const Vec3 origin = cb.base(0);
  const PolytopeSide a(ca, origin), b(cb, origin);
  const V3<double> m = high(motion);
  Contest contest{&a, &b, m, a.size + b.size, taxicab(m), radii.hi, limit};
  if (!contest.all_axes()) return Certain::no;
  if (!(contest.latest > 0)) return Certain::unknown;

  const Face& f = contest.face;
  const PolytopeSide* const sides[2] = {&a, &b};
  Span span;
  if (!span.set(sides, f, contest.normal)) return Certain::unknown;
  unsigned free[2] = {0, 0};
  for (int k = 0; k < 2; ++k) free[f.side[k]] |= 1u << f.edge[k];
  bool zero[3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const V3<double>&e = span.edge[0], &g = span.edge[1];
    zero[i] = (e[j] == 0 || g[k] == 0) && (e[k] == 0 || g[j] == 0);
  }
  // An edge lies along the plane where every product is 0, or where a segment has the direction of one of the face's edges.
  const auto is_level = [&](int s) {
    return [&, s](const V3<double>& d, int segment) {
      if ((zero[0] || d.x == 0) && (zero[1] || d.y == 0) && (zero[2] || d.z == 0)) return true;
      if (segment < 0) return false;
      const Vec3& g = sides[s]->c.segment[segment];
      for (int k = 0; k < 2; ++k)
        if (sides[f.side[k]]->has_segments) {
          const Vec3& e = sides[f.side[k]]->c.segment[f.edge[k]];
          if (g == e || g == -e) return true;
        }
      return false;
    };
  };
  LeastCorners least[2];
  const double off = span.one * 0x1p-48;
  if (!a.least_corners(span.normal, is_level(0), free[0], off, least[0]) || !b.least_corners(-span.normal, is_level(1), free[1], off, least[1]))
    return Certain::unknown;
  const double from = a.size + b.size + taxicab(v3(origin)) * 2;
  const FaceProof proof{sides, contest, motion, radii, from};
  for (int i = 0; i < 3; ++i) out.flat[i] = zero[i];
  const bool polygon = std::popcount(least[0].edges) + std::popcount(least[1].edges) > (span.triangle ? 3 : 2);
  return polygon ? proof.within_polygon(least, contest.normal, out) : proof.at(f, span, {Generator::point, least[0].corner, least[1].corner}, out);
}

}  // namespace graze::sweeping
