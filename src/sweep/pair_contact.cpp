// Every direction x proves a lower bound of the time of contact: the plane through the least vertex of A - B across x must first come within reach. The search of Gilbert, Johnson and Keerthi chooses directions,
// as in ray casting against convex sets (G. van den Bergen 2004), and stops when a bound exceeds what is asked for. If it converges, the face it ends at gives the time in pairs of doubles:
// T_F at which the distance of the face's plane (line, point) reaches the radii, where x is the point of it nearest to the origin. If x lies in the face, T <= T_F; if the plane across x supports A - B, it separates before: T >= T_F.
#include "sweep/pair_contact.hpp"

#include <cmath>

#include "convex/decide.hpp"
#include "convex/exact_motion.hpp"
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
};

/// Is no corner of c certainly lower along sign * x than the level ones?
bool supports(const Core& c, const LevelCorners& level, const F3& x, bool mirrored) {
  const V3<double> xd{x.x.v.hi, x.y.v.hi, x.z.v.hi};
  const double one = size1(xd), sign = mirrored ? -1 : 1;
  const CoreCorner& v = level.corner[0];
  const Vec3 from = c.base(v.base);
  const auto not_below = [&](double dx, double dy, double dz, const F3& d) {
    const double value = sign * ((xd.x * dx + xd.y * dy) + xd.z * dz);
    if (value > one * (std::fabs(dx) + std::fabs(dy) + std::fabs(dz)) * 0x1p-48) return true;  // x is a rounded pair, off by less than 2^-52 of each component's size or of `one`
    const int s = sign_of(dot(x, d));
    return s == 0 || s == (mirrored ? -1 : 1);
  };
  for (std::uint32_t i = 0; i < c.points; ++i) {
    if (i == v.base || level.has({i, v.bits})) continue;
    const Vec3 p = c.base(i);
    if (!all_moderate(p)) return false;
    if (!not_below(p.x - from.x, p.y - from.y, p.z - from.z, {Fine(p.x) - Fine(from.x), Fine(p.y) - Fine(from.y), Fine(p.z) - Fine(from.z)})) return false;
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    if (c.lo[k] == c.hi[k] || level.has({v.base, v.bits ^ (1u << k)})) continue;
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

/// The time of a face, certified; false when pairs of doubles are not certain.
bool certify(const Core& a, const F3& m, const Core& b, const Found& found, PairContact& out) {
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
      const Fine share = w1 / total;
      n = n + F3{share * e.x, share * e.y, share * e.z};
    }
    if (!supports(a, b, found, n) || !round_down(time, out.t)) return false;
  }
  const int over = sign_of(time - Fine(1.0));
  if (over != -1) return false;  // nor in doubt whether in time
  out.has_fine = true;
  out.fine = time;
  out.exact = time.is_double() && time.v.hi == out.t;
  out.normal = unit(n);
  out.feature.count = found.n;
  for (int k = 0; k < found.n; ++k) {
    out.feature.corner[k] = {w[k].x.v, w[k].y.v, w[k].z.v};
    if (w[k].x.e != 0 || w[k].y.e != 0 || w[k].z.e != 0) out.feature.count = 0;  // not the corners themselves
  }
  return true;
}

void at_start(const Core& a, const Motion& motion, const Core& b, PairContact& out) {
  const StartContact start = ExactMotion(a, motion, b).start();
  out.inside = true;
  out.departing = start.departing;
  out.normal = start.normal;
}

}  // namespace

bool is_exact(const Motion& m) { return !m.from || (is_double(m.to.x, m.from->x) && is_double(m.to.y, m.from->y) && is_double(m.to.z, m.from->z)); }
Vec3 rounded(const Motion& m) { return m.from ? Vec3(m.to.x - m.from->x, m.to.y - m.from->y, m.to.z - m.from->z) : m.to; }

std::optional<PairContact> pair_contact(const Core& a, const Motion& motion, const Core& b, double limit) {
  PairContact out;
  const ScaledPair pair(a, b, 0);
  const Vec3 d = rounded(motion);
  const bool moderate_motion = all_moderate(d) && (!motion.from || (all_moderate(motion.to) && all_moderate(*motion.from)));
  if (pair.usable() && pair.same_generators() && moderate_motion && pair.scale_exponent() > -200 && pair.scale_exponent() < 200) {
    const double s = pair.scale();
    Found found;
    const Quick quick = search(pair, {d.x * s, d.y * s, d.z * s}, std::min(limit, 1.0), found);
    if (quick == Quick::none) return std::nullopt;
    if (quick == Quick::inside) {
      out.inside = true;
      return out;
    }
    if (quick == Quick::contact && all_moderate(a) && all_moderate(b)) {
      F3 m{Fine(d.x), Fine(d.y), Fine(d.z)};
      if (motion.from) m = {Fine(motion.to.x) - Fine(motion.from->x), Fine(motion.to.y) - Fine(motion.from->y), Fine(motion.to.z) - Fine(motion.from->z)};
      if (certify(a, m, b, found, out)) return out;
      out = {};
    }
  }
  if (pair.usable()) {
    Proposal proposal;
    if (decide_in_doubles(pair, proposal, true) == Verdict::within) {  // only said of interiors that meet
      out.inside = true;
      return out;
    }
  }
  if (d == Vec3(0, 0, 0) && is_exact(motion)) {
    if (!within(a, b)) return std::nullopt;
    at_start(a, motion, b, out);
    return out;
  }
  const auto hit = first_contact(a, motion, 1, b);
  if (!hit) return std::nullopt;
  if (hit->started_inside) {
    at_start(a, motion, b, out);
    return out;
  }
  out.t = hit->t;
  out.exact = hit->bounds.lo == hit->bounds.hi;
  out.normal = hit->normal;
  return out;
}

}  // namespace graze
