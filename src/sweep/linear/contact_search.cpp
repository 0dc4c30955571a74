// Search in doubles for the first contact. Every direction x proves a lower bound of the time of contact: the plane through the least vertex of A - B
// perpendicular to x must first come within the sum of radii. The search of Gilbert, Johnson and Keerthi chooses directions, as in ray casting against convex
// sets (G. van den Bergen 2004), and stops when a bound exceeds the limit. If it converges, the final face gives the time in pairs of doubles: T_F at which the
// distance of the face's plane (line, point) reaches the radii, where x is the point of it nearest to the origin. If x lies in the face, T <= T_F; if the plane
// perpendicular to x supports A - B, it separates before: T >= T_F.
#include "sweep/linear/contact_search.hpp"
#include "platform/expects.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "math/vec3.hpp"

namespace graze::sweeping {

Quick search(const ScaledPair& pair, const V3<double>& m, double limit, FoundContact& found) {
  const double reach = pair.reach(), speed = std::max({std::fabs(m.x), std::fabs(m.y), std::fabs(m.z)});
  Simplex s;
  V3<double> w[5], now[5];
  s.g[0] = Generator{};
  s.n = 1;
  w[0] = pair.point(s.g[0]);
  V3<double> x = w[0];
  double t = 0;
  const double small = (1 + speed) * 0x1p-44;  // only ends the search, as 2^-30 and 2^-46 below do
  static constexpr bool points_only[4] = {};
  int stalled = 0;
  constexpr int kMaxSteps = 40;  // a choice; at the cap the last face is proposed, and tested as any other
  for (int step = 0; step < kMaxSteps; ++step) {
    const double norm = std::sqrt(dot(x, x));
    if (t == 0 && norm + 48 * u < reach * (1 - 8 * u)) return Quick::inside;
    if (!(norm > small * 0x1p-30)) break;
    const Generator g = pair.least(x);
    const V3<double> v = pair.point(g);
    const double level = dot(x, v), one = taxicab(x);
    // as in decide_in_doubles; x . m is off by 4 u |x|_1 |m|, and by u of the motion's rounding
    const double gap = level - one * (64 * u) - reach * norm * (1 + 16 * u);
    const double rate = -dot(x, m), rate_hi = rate + one * speed * (8 * u);
    bool advanced = false;
    if (gap > 0) {
      if (rate_hi <= 0) return Quick::none;
      const double bound = gap / rate_hi * (1 - 8 * u);
      if (bound > limit) return Quick::none;
      if (bound > t) {
        advanced = bound - t > 0x1p-46 * bound;
        t = bound;
      }
    }
    // Past the nearest approach: this plane keeps A and B apart from t on, and before t there is no contact.
    if (rate + one * speed * (8 * u) <= 0 && (level - t * rate) - one * (64 * u + 16 * u * t * speed) > reach * norm * (1 + 16 * u)) return Quick::none;
    if (norm <= reach * (1 + 0x1p-40) + small && !advanced) break;
    if (s.contains(g)) {
      if (!advanced && ++stalled > 1) break;
    } else {
      GRAZE_EXPECTS(s.n < 4);
      s.g[s.n] = g;
      w[s.n] = v;
      ++s.n;
    }
    for (int k = 0; k < s.n; ++k) now[k] = w[k] + t * m;
    // The last generator must take part in a proposal of the nearest face. When none was added, any generator may be the last.
    Nearest<double> nearest;
    if (!nearest_of_simplex<false>(now, points_only, s.n, nearest)) break;
    if (s.n > 1) {
      for (int turn = 0; turn + 1 < s.n; ++turn) {  // nearest_of_simplex only tests faces with the last generator, so each generator is made the last once
        std::swap(now[turn], now[s.n - 1]);
        Nearest<double> other;
        const bool ok = nearest_of_simplex<false>(now, points_only, s.n, other);
        std::swap(now[turn], now[s.n - 1]);
        if (!ok || sign_of(other.squared_n * nearest.squared_d - nearest.squared_n * other.squared_d) >= 0) continue;
        for (int k = 0; k < other.count; ++k) other.index[k] = other.index[k] == turn ? s.n - 1 : other.index[k] == s.n - 1 ? turn : other.index[k];
        nearest = other;
      }
    }
    if (nearest.count == 4) break;
    Simplex face;
    V3<double> kept[4];
    x = {0, 0, 0};
    for (int k = 0; k < nearest.count; ++k) {
      const int i = nearest.index[k];
      face.g[k] = s.g[i];
      kept[k] = w[i];
      x = x + (nearest.weight[k] / nearest.total) * now[i];
    }
    face.n = nearest.count;
    s = face;
    for (int k = 0; k < s.n; ++k) w[k] = kept[k];
  }
  found.n = std::min(s.n, 3);
  for (int k = 0; k < found.n; ++k) found.g[k] = s.g[k];
  return s.n > 3 ? Quick::unknown : Quick::contact;
}

// ---- few vertices: all of A - B at once ------------------------------------------------------------------------------------------------------

namespace {

/// Corners of a convex set in the order of (base, bits); each is a sum of at most 1 + 2 k rounded terms for k segments. Returns 0 if there are too many.
int corners(const ConvexSet& c, V3<double>* out, double& error) {
  if (c.directions != 0 || (c.points << c.segments) > kMostCorners || c.segments > 3) return 0;
  int n = 0;
  double size = 0;
  for (std::uint32_t i = 0; i < c.points; ++i) {
    const Vec3 p = c.base(i);
    for (std::uint32_t bits = 0; bits < (1u << c.segments); ++bits) {
      V3<double> q{p.x, p.y, p.z};
      for (std::uint32_t s = 0; s < c.segments; ++s) {
        const double t = bits >> s & 1 ? c.hi[s] : c.lo[s];
        const V3<double> g{t * c.segment[s].x, t * c.segment[s].y, t * c.segment[s].z};
        size = std::max({size, std::fabs(g.x), std::fabs(g.y), std::fabs(g.z)});
        q = q + g;
        size = std::max({size, std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)});
      }
      GRAZE_EXPECTS(n < kMostCorners);
      out[n++] = q;
    }
  }
  error = size * (2 * c.segments * 1.01 * u);
  return n;
}

}  // namespace

bool vertices_of(const ConvexSet& a, const ConvexSet& b, Vertices& v) {
  V3<double> pa[kMostCorners], pb[kMostCorners];
  double ea = 0, eb = 0;
  const int na = corners(a, pa, ea), nb = corners(b, pb, eb);
  if (na * nb == 0 || na * nb > kMostVertices) return false;
  v.of_b = nb;
  for (int i = 0; i < na; ++i)
    for (int j = 0; j < nb; ++j) {
      const V3<double> w = pa[i] - pb[j];
      v.size = std::max({v.size, std::fabs(w.x), std::fabs(w.y), std::fabs(w.z)});
      GRAZE_EXPECTS(v.n < kMostVertices);
      v.w[v.n++] = w;
    }
  v.error = (ea + eb) + u * v.size;
  return v.size > 0x1p-200 && v.size < 0x1p200;
}

V3<double> nearest_of(const V3<double>* w, int n, unsigned& keep) {
  keep = 1;
  if (n == 1) return w[0];
  const V3<double>& a = w[0];
  const V3<double>& b = w[1];
  const V3<double> ab = b - a;
  if (n == 2) {
    const double t = clamp01(-dot(a, ab) / dot(ab, ab));
    keep = t == 0 ? 1 : t == 1 ? 2 : 3;
    return a + t * ab;
  }
  const V3<double>& c = w[2];
  const V3<double> ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return a;
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) {
    keep = 2;
    return b;
  }
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    keep = 3;
    return a + clamp01(d1 / (d1 - d3)) * ab;
  }
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) {
    keep = 4;
    return c;
  }
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    keep = 5;
    return a + clamp01(d2 / (d2 - d6)) * ac;
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    keep = 6;
    return b + clamp01((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
  }
  keep = 7;
  const V3<double> n3 = cross(ab, ac);
  const double nn = dot(n3, n3);
  if (!(nn > 0)) return a;
  return (dot(a, n3) / nn) * n3;
}

namespace {

/// Bounds the distance of a triangle from the origin from above, by the norm of a convex combination of its corners: at most 10u times their size above that of
/// a point of the triangle. The norm of nearest_of() does not do for that: where a triangle is thin, its normal may have no correct digit.
double norm_inside(const V3<double>& a, const V3<double>& b, const V3<double>& c) {
  const V3<double> n = cross(b - a, c - a);
  const double x = std::max(dot(cross(b, c), n), 0.0), y = std::max(dot(cross(c, a), n), 0.0), z = std::max(dot(cross(a, b), n), 0.0), sum = (x + y) + z;
  if (!(sum > 0x1p-900)) return std::numeric_limits<double>::infinity();
  const V3<double> p = (x / sum) * a + (y / sum) * b + (z / sum) * c;
  return std::sqrt(dot(p, p));
}

}  // namespace

Quick search(const Vertices& v, const V3<double>& m, double reach, double limit, FoundContact& found, double start, int steps) {
  const double speed = std::max({std::fabs(m.x), std::fabs(m.y), std::fabs(m.z)});
  if (!(speed < 0x1p200) || (speed < 0x1p-200 && speed != 0) || !(reach < 0x1p200)) return Quick::unknown;
  const double off = (v.error + 4 * u * v.size) * 1.01;  // error of x . w, per |x|_1: the vertex's own, three products, two sums
  const double small = (v.size + speed) * 0x1p-42;       // only ends the search, as 2^-46 below does
  int at[4] = {0}, n = 1;
  V3<double> x = v.w[0], now[4];
  double t = start;  // requires no contact before it, except for a single step
  if (v.n == 3) {
    at[1] = 1;
    at[2] = 2;
    n = 3;
  }
  int kept[3] = {0, 0, 0}, kept_n = 1;
  int stalled = 0;
  for (int step = 0; step < steps; ++step) {
    // the nearest point of the simplex at t
    for (int k = 0; k < n; ++k) now[k] = v.w[at[k]] + t * m;
    unsigned keep = 0;
    if (n < 4) {
      x = nearest_of(now, n, keep);
    } else {
      double least = std::numeric_limits<double>::infinity();
      for (int skip = 0; skip < 4; ++skip) {
        V3<double> face[3];
        int map[3], k = 0;
        for (int i = 0; i < 4; ++i)
          if (i != skip) {
            map[k] = i;
            face[k++] = now[i];
          }
        unsigned keep3 = 0;
        const V3<double> y = nearest_of(face, 3, keep3);
        const double yy = dot(y, y);
        if (yy < least) {
          least = yy;
          x = y;
          keep = 0;
          for (int i = 0; i < 3; ++i)
            if (keep3 >> i & 1) keep |= 1u << map[i];
        }
      }
    }
    kept_n = 0;
    for (int k = 0; k < n; ++k)
      if (keep >> k & 1) kept[kept_n++] = at[k];
    if (v.n > 3) {
      n = kept_n;
      for (int k = 0; k < n; ++k) at[k] = kept[k];
    }
    const double norm = std::sqrt(dot(x, x)), one = taxicab(x);
    const auto surely_within = [&](double length) { return length + 2 * (v.error + 16 * u * v.size) < reach * (1 - 8 * u); };
    if (t == 0 && surely_within(norm) && (kept_n < 3 || surely_within(norm_inside(v.w[kept[0]], v.w[kept[1]], v.w[kept[2]])))) return Quick::inside;
    if (!(one > v.size * 0x1p-200) || !(one > 0x1p-300)) break;
    double level = dot(x, v.w[0]);
    int least = 0;
    for (int i = 1; i < v.n; ++i) {
      const double d = dot(x, v.w[i]);
      if (d < level) {
        level = d;
        least = i;
      }
    }
    const double gap = level - one * off - reach * norm * (1 + 16 * u);
    const double rate = -dot(x, m), rate_hi = rate + one * speed * (8 * u);
    bool advanced = false;
    const double before = t;
    if (gap > 0) {
      if (rate_hi <= 0) return Quick::none;
      const double bound = gap / rate_hi * (1 - 8 * u);
      if (bound > limit) return Quick::none;
      if (bound > t) {
        advanced = bound - t > 0x1p-46 * bound;
        t = bound;
      }
    }
    if (steps == 1) break;
    // Past the nearest approach: this plane keeps A and B apart from then on, and before there is no contact.
    if (rate_hi <= 0 && (level - before * rate) - one * (off + 16 * u * (v.size + before * speed)) > reach * norm * (1 + 16 * u)) return Quick::none;
    if (norm <= reach * (1 + 0x1p-40) + small && !advanced) break;
    bool known = v.n == 3;
    for (int k = 0; k < n; ++k) known = known || at[k] == least;
    if (known) {
      if (!advanced && ++stalled > 1) break;
    } else if (n < 4) {
      at[n++] = least;
    }
  }
  found.n = kept_n;
  for (int k = 0; k < kept_n; ++k)
    found.g[k] = {Generator::point, {}, {}}, found.g[k].a = {static_cast<std::uint32_t>(kept[k] / v.of_b), 0},
    found.g[k].b = {static_cast<std::uint32_t>(kept[k] % v.of_b), 0};
  return kept_n > 3 || kept_n == 0 ? Quick::unknown : Quick::contact;
}

void name_corners(const ConvexSet& a, const ConvexSet& b, FoundContact& found) {
  for (int k = 0; k < found.n; ++k) {
    ConvexCorner &ca = found.g[k].a, &cb = found.g[k].b;
    ca = {ca.base >> a.segments, ca.base & ((1u << a.segments) - 1)};
    cb = {cb.base >> b.segments, cb.base & ((1u << b.segments) - 1)};
  }
}

}  // namespace graze::sweeping
