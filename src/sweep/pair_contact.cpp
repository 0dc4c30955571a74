// Every direction x proves a lower bound of the time of contact: the plane through the least vertex of A - B across x must first come within reach. The search of Gilbert, Johnson and Keerthi chooses directions,
// as in ray casting against convex sets (G. van den Bergen 2004), and stops when a bound exceeds what is asked for. If it converges, the face it ends at gives the time in pairs of doubles:
// T_F at which the distance of the face's plane (line, point) reaches the radii, where x is the point of it nearest to the origin. If x lies in the face, T <= T_F; if the plane across x supports A - B, it separates before: T >= T_F.
#include "sweep/pair_contact.hpp"

#include <cmath>

#include "convex/decide.hpp"
#include "convex/exact_time.hpp"
#include "convex/filter.hpp"

namespace graze {
namespace {

constexpr double u = 0x1p-53;
using F3 = V3<Fine>;

bool is_double(double a, double b) {
  const TwoDouble d = two_sum(a, -b);
  return d.hi - d.hi == 0 && d.lo == 0;
}

double size1(const V3<double>& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

enum class Quick { none, contact, inside, unknown };

/// What the search in doubles ended with.
struct Found {
  Generator g[3];
  int n = 0;
};

/// Are t_max = 1 or `limit` certainly not reached; or which face is met first (a proposal)? `inside` is certain, too.
Quick search(const ScaledPair& pair, const V3<double>& m, double limit, Found& found) {
  const double reach = pair.reach(), speed = std::max({std::fabs(m.x), std::fabs(m.y), std::fabs(m.z)});
  Simplex s;
  V3<double> w[5], now[5];
  s.g[0] = Generator{};
  s.n = 1;
  w[0] = pair.point(s.g[0]);
  V3<double> x = w[0];
  double t = 0;
  const double small = (1 + speed) * 0x1p-44;
  static constexpr bool points_only[4] = {};
  int stalled = 0;
  for (int step = 0; step < 40; ++step) {
    const double norm = std::sqrt(dot(x, x));
    if (t == 0 && norm + 48 * u < reach * (1 - 8 * u)) return Quick::inside;
    if (!(norm > small * 0x1p-30)) break;
    const Generator g = pair.least(x);
    const V3<double> v = pair.point(g);
    const double level = dot(x, v), one = size1(x);
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
      s.g[s.n] = g;
      w[s.n] = v;
      ++s.n;
    }
    for (int k = 0; k < s.n; ++k) now[k] = w[k] + t * m;
    // the last generator must take part in a proposal of the nearest face; when none was added, any may be the last
    Nearest<double> nearest;
    if (!nearest_of_simplex<false>(now, points_only, s.n, nearest)) break;
    if (s.n > 1) {
      for (int turn = 0; turn + 1 < s.n; ++turn) {  // nearest_of_simplex only looks at faces with the last one: let each be the last once
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

constexpr int kMostCorners = 8, kMostVertices = 24;

/// The vertices of A - B as doubles, each coordinate off by at most `error`, of size at most `size`.
struct Vertices {
  V3<double> w[kMostVertices];
  int n = 0, of_b = 1;  ///< vertex i is corner i / of_b of A less corner i % of_b of B
  double size = 0, error = 0;
};

/// Corners of a core in the order of (base, bits); each a sum of at most 1 + 2 k rounded terms for k segments. 0 if there are too many.
int corners(const Core& c, V3<double>* out, double& error) {
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
      out[n++] = q;
    }
  }
  error = size * (2 * c.segments * 1.01 * u);
  return n;
}

bool vertices_of(const Core& a, const Core& b, Vertices& v) {
  V3<double> pa[kMostCorners], pb[kMostCorners];
  double ea = 0, eb = 0;
  const int na = corners(a, pa, ea), nb = corners(b, pb, eb);
  if (na * nb == 0 || na * nb > kMostVertices) return false;
  v.of_b = nb;
  for (int i = 0; i < na; ++i)
    for (int j = 0; j < nb; ++j) {
      const V3<double> w = pa[i] - pb[j];
      v.size = std::max({v.size, std::fabs(w.x), std::fabs(w.y), std::fabs(w.z)});
      v.w[v.n++] = w;
    }
  v.error = (ea + eb) + u * v.size;
  return v.size > 0x1p-200 && v.size < 0x1p200;
}

double clamp01(double t) { return t > 0 ? (t < 1 ? t : 1) : 0; }  // NaN gives 0

/// About the point nearest to the origin of a simplex of up to three vertices; `keep` its vertices that matter. For proposals only.
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

/// As search(), for few vertices.
Quick search(const Vertices& v, const V3<double>& m, double reach, double limit, Found& found, double start = 0, int steps = 32) {
  const double speed = std::max({std::fabs(m.x), std::fabs(m.y), std::fabs(m.z)});
  if (!(speed < 0x1p200) || (speed < 0x1p-200 && speed != 0) || !(reach < 0x1p200)) return Quick::unknown;
  const double off = (v.error + 4 * u * v.size) * 1.01;  // of x . w, per |x|_1: the vertex's own, three products, two sums
  const double small = (v.size + speed) * 0x1p-42;
  int at[4] = {0}, n = 1;
  V3<double> x = v.w[0], now[4];
  double t = start;  // no contact before it, or only one step, which needs no such knowledge
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
    const double norm = std::sqrt(dot(x, x)), one = size1(x);
    if (t == 0 && norm + 2 * (v.error + 16 * u * v.size) < reach * (1 - 8 * u)) return Quick::inside;
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
  for (int k = 0; k < kept_n; ++k) found.g[k] = {Generator::point, {}, {}}, found.g[k].a = {static_cast<std::uint32_t>(kept[k] / v.of_b), 0}, found.g[k].b = {static_cast<std::uint32_t>(kept[k] % v.of_b), 0};
  return kept_n > 3 || kept_n == 0 ? Quick::unknown : Quick::contact;
}

/// Corner numbers as corners().
void name_corners(const Core& a, const Core& b, Found& found) {
  for (int k = 0; k < found.n; ++k) {
    CoreCorner &ca = found.g[k].a, &cb = found.g[k].b;
    ca = {ca.base >> a.segments, ca.base & ((1u << a.segments) - 1)};
    cb = {cb.base >> b.segments, cb.base & ((1u << b.segments) - 1)};
  }
}

// ---- certainty in pairs of doubles -------------------------------------------------------------------------------------------------------------

bool all_moderate(const Vec3& p) { return moderate(p.x) && moderate(p.y) && moderate(p.z); }

bool all_moderate(const Core& c) {
  if (!moderate(c.radius)) return false;
  for (std::uint32_t k = 0; k < c.segments; ++k)
    if (!all_moderate(c.segment[k]) || !moderate(c.lo[k]) || !moderate(c.hi[k])) return false;
  return true;
}

bool fine_corner(const Core& c, const CoreCorner& k, F3& out) {
  const Vec3 p = c.base(k.base);
  if (!all_moderate(p)) return false;
  out = {Fine(p.x), Fine(p.y), Fine(p.z)};
  for (std::uint32_t s = 0; s < c.segments; ++s) {
    const Fine t(k.bits >> s & 1 ? c.hi[s] : c.lo[s]);
    out = out + t * F3{Fine(c.segment[s].x), Fine(c.segment[s].y), Fine(c.segment[s].z)};
  }
  return true;
}

Vec3 unit(const F3& n) {
  const double m = std::max({std::fabs(n.x.v.hi), std::fabs(n.y.v.hi), std::fabs(n.z.v.hi)});
  if (!(m > 0)) return Vec3(0, 0, 0);
  const double x = n.x.v.hi / m, y = n.y.v.hi / m, z = n.z.v.hi / m, length = std::sqrt((x * x + y * y) + z * z);
  return {x / length, y / length, z / length};
}

bool positive(const Fine& x) { return sign_of(x) == 1; }
bool not_negative(const Fine& x) {
  const int s = sign_of(x);
  return s == 0 || s == 1;
}

/// Corners of one operand that are known to be equally far along x: joined by generators of the face that share the other operand's corner, for x is perpendicular to the face.
struct LevelCorners {
  CoreCorner corner[3];
  int n = 0;
  bool has(const CoreCorner& c) const {
    for (int k = 0; k < n; ++k)
      if (corner[k] == c) return true;
    return false;
  }
  void add(const CoreCorner& c) {
    if (!has(c)) corner[n++] = c;
  }
  /// Segments across which x is constant: both ends of one are level.
  std::uint32_t segments() const {
    std::uint32_t bits = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) {
        const std::uint32_t d = corner[i].bits ^ corner[j].bits;
        if (corner[i].base == corner[j].base && (d & (d - 1)) == 0) bits |= d;
      }
    return bits;
  }
  bool has_base(std::uint32_t base, std::uint32_t level_segments) const {
    for (int k = 0; k < n; ++k)
      if (corner[k].base == base && ((corner[k].bits ^ corner[0].bits) & ~level_segments) == 0) return true;
    return false;
  }
};

/// Is no corner of c certainly lower along sign * x than the level ones?
bool supports(const Core& c, const LevelCorners& level, const F3& x, bool mirrored) {
  const V3<double> xd{x.x.v.hi, x.y.v.hi, x.z.v.hi};
  const double one = size1(xd), sign = mirrored ? -1 : 1;
  const CoreCorner& v = level.corner[0];
  const Vec3 from = c.base(v.base);
  const std::uint32_t level_segments = level.segments();
  const auto not_below = [&](double dx, double dy, double dz, const F3& d) {
    const double value = sign * ((xd.x * dx + xd.y * dy) + xd.z * dz);
    if (value > one * (std::fabs(dx) + std::fabs(dy) + std::fabs(dz)) * 0x1p-48) return true;  // x is a rounded pair, off by less than 2^-52 of each component's size or of `one`
    const int s = sign_of(dot(x, d));
    return s == 0 || s == (mirrored ? -1 : 1);
  };
  for (std::uint32_t i = 0; i < c.points; ++i) {
    if (i == v.base || level.has_base(i, level_segments)) continue;
    const Vec3 p = c.base(i);
    if (!all_moderate(p)) return false;
    if (!not_below(p.x - from.x, p.y - from.y, p.z - from.z, {Fine(p.x) - Fine(from.x), Fine(p.y) - Fine(from.y), Fine(p.z) - Fine(from.z)})) return false;
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    if (c.lo[k] == c.hi[k] || (level_segments >> k & 1)) continue;
    const double up = v.bits >> k & 1 ? -1 : 1;
    const Vec3& g = c.segment[k];
    if (!not_below(up * g.x, up * g.y, up * g.z, {Fine(up * g.x), Fine(up * g.y), Fine(up * g.z)})) return false;
  }
  return true;
}

/// Does the plane across x support A - B at the face?
bool supports(const Core& a, const Core& b, const Found& found, const F3& x) {
  for (const Fine* c : {&x.x, &x.y, &x.z})
    if (c->e > 0x1p-60 * (std::fabs(x.x.v.hi) + std::fabs(x.y.v.hi) + std::fabs(x.z.v.hi))) return false;
  LevelCorners la, lb;
  la.add(found.g[0].a);
  lb.add(found.g[0].b);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < found.n; ++i)
      for (int j = 0; j < found.n; ++j) {
        if (found.g[i].b == found.g[j].b && la.has(found.g[i].a)) la.add(found.g[j].a);
        if (found.g[i].a == found.g[j].a && lb.has(found.g[i].b)) lb.add(found.g[j].b);
      }
  return supports(a, la, x, false) && supports(b, lb, x, true);
}

/// A point touched, from the nearest one of B's hull.
Vec3 touched(const Vec3& on_hull, const Core& b, const Vec3& normal) {
  Vec3 p = on_hull;
  for (int i = 0; i < 3; ++i) {
    if (b.radius != 0) p[i] += b.radius * normal[i];
    p[i] = std::clamp(p[i], -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
  }
  return p;
}

/// The time of a face, certified, or that it is after `limit`; false when pairs of doubles are not certain.
bool certify(const Core& a, const F3& m, const Core& b, const Found& found, double limit, PairContact& out, bool& late) {
  F3 w[3];
  for (int k = 0; k < found.n; ++k) {
    F3 pa, pb;
    if (!fine_corner(a, found.g[k].a, pa) || !fine_corner(b, found.g[k].b, pb)) return false;
    w[k] = pa - pb;
  }
  const bool round = a.radius > 0 || b.radius > 0;
  const Fine reach = Fine(a.radius) + Fine(b.radius), reach_sq = reach * reach;
  const F3& v = w[0];
  Fine time;
  F3 n;
  double share[3] = {1, 0, 0};  // of the corners at the point of contact
  if (found.n == 3) {
    const F3 e = w[1] - v, f = w[2] - v;
    n = cross(e, f);
    Fine height = dot(v, n), rate = dot(m, n);
    const int side = sign_of(height);
    if (side != 1 && side != -1) return false;
    if (side < 0) {
      height = -height;
      n = -n;
    } else {
      rate = -rate;
    }
    if (!positive(rate)) return false;  // height - t rate
    const Fine total = dot(n, n);
    if (!positive(total)) return false;
    if (round) height = height - reach * square_root(total);
    if (!positive(height)) return false;  // not apart at the start by this plane
    time = height / rate;
    const F3 p = v + F3{time * m.x, time * m.y, time * m.z};
    const F3 nn = side < 0 ? -n : n;
    const Fine w1 = dot(cross(f, p), nn), w2 = dot(cross(p, e), nn);
    if (!not_negative(w1) || !not_negative(w2) || !not_negative(total - w1 - w2)) return false;
    if (!supports(a, b, found, n)) return false;
    share[1] = w1.v.hi / total.v.hi;
    share[2] = w2.v.hi / total.v.hi;
    share[0] = std::max(0.0, 1 - share[1] - share[2]);
    if (!round) {
      if (!round_down_quotient(height, rate, out.t)) return false;
    } else if (!round_down(time, out.t)) {
      return false;
    }
  } else {
    if (!round) return false;
    Fine qa, qb, qc, disc;
    F3 e;
    if (found.n == 1) {
      qa = dot(m, m);
      qb = dot(v, m);
      qc = dot(v, v) - reach_sq;
      const F3 k = cross(v, m);
      disc = qa * reach_sq - dot(k, k);
    } else {
      e = w[1] - v;
      const Fine total = dot(e, e);
      const F3 c = cross(v, e), k = cross(m, e), ck = cross(c, k);
      qa = dot(k, k);
      qb = dot(c, k);
      qc = dot(c, c) - reach_sq * total;
      disc = qa * (reach_sq * total) - dot(ck, ck);
    }
    if (!positive(qc) || sign_of(qb) != -1 || !positive(disc)) return false;
    time = qc / (square_root(disc) - qb);
    n = v + F3{time * m.x, time * m.y, time * m.z};
    if (found.n == 2) {
      const Fine total = dot(e, e), w1 = -dot(n, e);
      if (!not_negative(w1) || !not_negative(total - w1)) return false;
      const Fine along = w1 / total;
      n = n + F3{along * e.x, along * e.y, along * e.z};
      share[1] = along.v.hi;
      share[0] = 1 - share[1];
    }
    if (!supports(a, b, found, n) || !round_down(time, out.t)) return false;
  }
  const int over = sign_of(time - Fine(limit));
  late = over == 1;
  if (late) return true;
  if (limit == 1 && over != -1 && over != 0) return false;
  out.has_fine = true;
  out.fine = time;
  out.exact = time.is_double() && time.v.hi == out.t;
  out.normal = unit(n);
  out.feature.count = found.n;
  Vec3 on_b(0, 0, 0);
  for (int k = 0; k < found.n; ++k) {
    F3 corner;
    fine_corner(b, found.g[k].b, corner);
    on_b += share[k] * Vec3(corner.x.v.hi, corner.y.v.hi, corner.z.v.hi);
    const Generator& g = found.g[k];
    out.feature.a[k] = {a.base(g.a.base), g.a.bits};
    out.feature.b[k] = {b.base(g.b.base), g.b.bits};
  }
  out.point = touched(on_b, b, out.normal);
  return true;
}

}  // namespace

MovingBall::MovingBall(const Vec3& center, double radius, const Vec3& d) : center_(center), d_(d), radius_(radius) {
  const double speed = std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)}), size = std::max({std::fabs(center.x), std::fabs(center.y), std::fabs(center.z)});
  usable_ = speed > 0x1p-200 && speed < 0x1p200 && size < 0x1p200 && radius < 0x1p200;
}

/// By the plane across the direction from the box to where the ball is at `limit`: it separates up to then if it does at the start and the gap is longer than the way along it. Each term of the level is a difference and a product, off by
/// 2 u of itself, the sums by 2 u of the sizes added: 8 u cover it; so do they for the rate, of which each component of d may be off by 2 u, too.
bool MovingBall::surely_misses(const Box3& box, double limit) const {
  if (!usable_) return false;
  double level = 0, sizes = 0, square = 0, rate = 0, rates = 0;
  for (int i = 0; i < 3; ++i) {
    const double at = center_[i] + limit * d_[i], lo = box.lo[i], hi = box.hi[i];
    const double x = at > hi ? at - hi : at < lo ? at - lo : 0;
    const double term = x * (center_[i] - (x > 0 ? hi : lo));
    level += term;
    sizes += std::fabs(term);
    square += x * x;
    rate -= x * d_[i];
    rates += std::fabs(x * d_[i]);
  }
  if (!(square > 0x1p-500 && square < 0x1p800)) return false;
  const double gap = level - 8 * u * sizes - radius_ * std::sqrt(square) * (1 + 16 * u);
  const double way = limit * (rate + 8 * u * rates);
  return gap > 0 && gap > way + 8 * u * std::fabs(way);
}

bool MovingBall::surely_misses(const Triangle& t, double entry, double limit) const {
  if (!usable_) return false;
  Vertices v;
  v.n = v.of_b = 3;
  for (int k = 0; k < 3; ++k) {
    const Vec3& p = t.points[k];
    v.w[k] = {center_.x - p.x, center_.y - p.y, center_.z - p.z};
    v.size = std::max({v.size, std::fabs(v.w[k].x), std::fabs(v.w[k].y), std::fabs(v.w[k].z)});
  }
  v.error = u * v.size;
  if (!(v.size > 0x1p-200 && v.size < 0x1p200)) return false;
  Found found;
  const V3<double> m{d_.x, d_.y, d_.z};
  return search(v, m, radius_, limit, found, limit, 1) == Quick::none || search(v, m, radius_, limit, found, entry) == Quick::none;
}

bool is_exact(const Motion& m) { return !m.from || (is_double(m.to.x, m.from->x) && is_double(m.to.y, m.from->y) && is_double(m.to.z, m.from->z)); }
Vec3 rounded(const Motion& m) { return m.from ? Vec3(m.to.x - m.from->x, m.to.y - m.from->y, m.to.z - m.from->z) : m.to; }

std::optional<PairContact> pair_contact(const Core& a, const Motion& motion, const Core& b, double limit) {
  PairContact out;
  const Vec3 d = rounded(motion);
  const bool moderate_motion = all_moderate(d) && (!motion.from || (all_moderate(motion.to) && all_moderate(*motion.from)));
  Found found;
  Quick quick = Quick::unknown;
  Vertices vertices;
  if (moderate_motion && vertices_of(a, b, vertices)) {
    quick = search(vertices, {d.x, d.y, d.z}, a.radius + b.radius, std::min(limit, 1.0), found);
    name_corners(a, b, found);
  }
  if (quick == Quick::none) return std::nullopt;
  if (quick == Quick::unknown) {
    const ScaledPair pair(a, b, 0);
    if (pair.usable() && pair.same_generators() && moderate_motion && pair.scale_exponent() > -200 && pair.scale_exponent() < 200) {
      const double s = pair.scale();
      quick = search(pair, {d.x * s, d.y * s, d.z * s}, std::min(limit, 1.0), found);
      if (quick == Quick::none) return std::nullopt;
    }
  }
  if (quick == Quick::inside) {
    out.inside = true;
    return out;
  }
  if (quick == Quick::contact && all_moderate(a) && all_moderate(b)) {
    F3 m{Fine(d.x), Fine(d.y), Fine(d.z)};
    if (motion.from) m = {Fine(motion.to.x) - Fine(motion.from->x), Fine(motion.to.y) - Fine(motion.from->y), Fine(motion.to.z) - Fine(motion.from->z)};
    bool late = false;
    if (certify(a, m, b, found, std::min(limit, 1.0), out, late)) return late ? std::nullopt : std::optional(out);
    out = {};
  }
  const ScaledPair pair(a, b, 0);
  if (pair.usable()) {
    Proposal proposal;
    if (decide_in_doubles(pair, proposal, true) == Verdict::within) {  // only said of interiors that meet
      out.inside = true;
      return out;
    }
  }
  const ExactContact contact(a, motion, b);
  if (contact.found() == ExactContact::Found::none) return std::nullopt;
  if (contact.found() == ExactContact::Found::at_start) {
    const StartContact start = contact.motion().start();
    out.inside = true;
    out.departing = start.departing;
    out.normal = start.normal;
    return out;
  }
  out.t = contact.rounded_down(out.exact);
  out.normal = contact.normal();
  if (const auto p = contact.on_b()) out.point = touched(*p, b, out.normal);
  return out;
}

}  // namespace graze
