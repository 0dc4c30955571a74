// Time of contact of a moving ball or capsule in pairs of doubles: finds the face that is nearest at a time before the contact, computes its time, and proves
// that no other face is touched before. Every bound derives from sizes taken at the beginning; no running bound is kept.
#include "sweep/linear/round_time.hpp"

#include <cmath>
#include <cstdint>

#include "convex/gjk/nearest-inl.hpp"
#include "math/limits.hpp"

namespace graze::sweeping {
namespace {

/// v + s * m in pairs of doubles, so that the result rounded to doubles does not depend on the time at which v was taken.
V3<double> moved(const V3<TwoDouble>& v, double s, const V3<double>& m) { return {(v.x + s * m.x).hi, (v.y + s * m.y).hi, (v.z + s * m.z).hi}; }

/// The path from a corner of B to one of A, as a function of time.
struct Path {
  V3<TwoDouble> from, motion;
  V3<double> speed;  ///< the motion, rounded
  double speeds;     ///< the sum of its sizes
  V3<TwoDouble> at(double t) const { return {from.x + t * motion.x, from.y + t * motion.y, from.z + t * motion.z}; }
  V3<double> near(double t) const { return high(from) + t * speed; }
};

/// A root near t of a quadratic that has `value` there, off by `error`; `slope` is the rate at which it falls, off by `slope_error`; `curve` is at least half
/// its second derivative. `find` returns false where no root is certain, or where the root is not after 0.
struct Root {
  Fine time;
  double step = 0;
  bool find(double t, double value, double error, double slope, double slope_error, double curve) {
    const double least = slope - slope_error;
    if (!(least > slope * 0.5)) return false;
    step = value / slope;
    const double size = std::fabs(step), square = curve * size * size;
    const double e = (2 * (error + size * slope_error) + 3 * square) / least + size * 0x1p-49 + 0x1p-900;
    if (!(curve * (size + e) * 16 <= least) || !(size + e < t * 0.25) || !(t > 0x1p-100)) return false;
    time = {quick_two_sum(t, step), e};
    return true;
  }
};

/// A corner: |p|^2 = R^2.
bool touches_corner(const Path& w, double t, const TwoDouble& reach, const V3<double>* others, int n, RoundTime& out) {
  const double r = reach.hi, m = w.speeds;
  for (int k = 0; k < 2; ++k) {
    const V3<double> p = w.near(t);
    t -= (dot(p, p) - r * r) / (2 * dot(p, w.speed));
  }
  const V3<TwoDouble> p = w.at(t);
  const V3<double> h = high(p);
  const double size = taxicab(h) + t * m;
  const TwoDouble value = dot(p, p) - reach * reach;
  Root root;
  if (!root.find(t, value.hi, (size * size + r * r) * 0x1p-100 + 0x1p-900, -2 * dot(h, w.speed), 0x1p-49 * size * m, m * m)) return false;
  const V3<double> x = moved(p, root.step, w.speed);
  const double off = root.time.e * m;
  if (!(size * 0x1p-100 + std::fabs(root.step) * m * 0x1p-50 + off <= r * 0x1p-56)) return false;
  for (int k = 0; k < n; ++k)
    if (!(dot(x, others[k]) > taxicab(others[k]) * (size * 0x1p-48 + 2 * off))) return false;
  out.time = root.time;
  out.normal = x;
  out.share[0] = 1;
  return true;
}

/// An edge e from the corner: |p x e|^2 = R^2 e^2.
bool touches_edge(const Path& w, const V3<TwoDouble>& e, double t, const TwoDouble& reach, const V3<double>* others, int n, RoundTime& out) {
  const V3<double> edge = high(e), k = cross(w.speed, edge);
  const double r = reach.hi, m = w.speeds, length = taxicab(edge), square = dot(edge, edge);
  for (int i = 0; i < 2; ++i) {
    const V3<double> q = cross(w.near(t), edge);
    t -= (dot(q, q) - r * r * square) / (2 * dot(q, k));
  }
  const V3<TwoDouble> p = w.at(t), q = cross(p, e);
  const V3<double> h = high(p), turn = high(q);
  const double size = taxicab(h) + t * m, turns = taxicab(turn), sizes = size * length, reaches = r * length;
  const TwoDouble value = dot(q, q) - (reach * reach) * dot(e, e);
  Root root;
  if (!root.find(t, value.hi, (turns * sizes + reaches * reaches) * 0x1p-98 + sizes * sizes * 0x1p-190 + 0x1p-900, -2 * dot(turn, k),
                 0x1p-47 * turns * m * length, m * m * length * length))
    return false;
  const double drift = m * length * (std::fabs(root.step) * 0x1p-50 + root.time.e), off = root.time.e * m;
  if (!(sizes * 0x1p-100 + drift <= turns * 0x1p-56)) return false;
  const double along = -dot(h + root.step * w.speed, edge), wide = length * (size * 0x1p-48 + 2 * off);
  if (!(along > wide && square - along > wide + length * length * 0x1p-48)) return false;
  const V3<double> x = cross(edge, moved(q, root.step, k));
  for (int i = 0; i < n; ++i)
    if (!(dot(x, others[i]) > taxicab(others[i]) * length * (turns * 0x1p-48 + 2 * (sizes * 0x1p-100 + drift)))) return false;
  out.time = root.time;
  out.normal = x;
  out.share[1] = along / square;
  out.share[0] = 1 - out.share[1];
  return true;
}

/// A face with edges e and f from the corner, a triangle or parallelogram: p . (e x f) = R |e x f|. Stores the point's coordinates along the edges in `at`.
bool touches_face(const Path& w, const V3<TwoDouble>& e, const V3<TwoDouble>& f, bool parallelogram, double t, const TwoDouble& reach, const V3<double>* others,
                  int others_count, double (&inside)[2], RoundTime& out) {
  V3<TwoDouble> n = cross(e, f);
  V3<double> normal = high(n);
  const double r = reach.hi, m = w.speeds, le = taxicab(high(e)), lf = taxicab(high(f)), area = le * lf, ns = taxicab(normal);
  double rate = -dot(w.speed, normal), side = 1;
  if (rate < 0) {
    n = -n;
    normal = -normal;
    rate = -rate;
    side = -1;
  }
  const TwoDouble total = dot(n, n);
  const TwoDouble length = square_root(total);
  if (!(length.hi > area * 0x1p-40)) return false;
  t -= (r * length.hi - dot(w.near(t), normal)) / rate;
  const V3<TwoDouble> p = w.at(t);
  const V3<double> h = high(p);
  const double size = taxicab(h) + t * m;
  const TwoDouble value = dot(p, n) - reach * length;
  Root root;
  if (!root.find(t, value.hi, (size + r) * area * 0x1p-98 + 0x1p-900, rate, 0x1p-49 * m * ns + m * area * 0x1p-100, 0)) return false;
  const double off = 2 * root.time.e * m + size * 0x1p-47;
  const V3<double> at = h + root.step * w.speed;
  const double w1 = side * dot(cross(high(f), at), normal), w2 = side * dot(cross(at, high(e)), normal), by1 = ns * lf * off, by2 = ns * le * off;
  const double by = ns * ns * 0x1p-47;
  if (!(w1 > by1 && w2 > by2)) return false;
  if (parallelogram ? !(total.hi - w1 > by1 + by && total.hi - w2 > by2 + by) : !(total.hi - w1 - w2 > by1 + by2 + by)) return false;
  for (int i = 0; i < others_count; ++i)
    if (!(dot(normal, others[i]) > taxicab(others[i]) * ns * 0x1p-48)) return false;
  inside[0] = w1 / total.hi;
  inside[1] = w2 / total.hi;
  out.time = root.time;
  out.normal = normal;
  return true;
}

/// Corners of A and B, up to two and three.
struct Feature {
  unsigned a = 1, b = 1;  ///< bits
  double square = kInfinity;
  void propose(unsigned of_a, unsigned of_b, const V3<double>& x) {
    const double s = dot(x, x);
    if (!(s < square)) return;
    a = of_a;
    b = of_b;
    square = s;
  }
};

/// The approximately nearest features. now[i][k]: corner i of A minus corner k of B.
Feature nearest_feature(const V3<double> (&now)[2][3], int na, int nb) {
  Feature best;
  unsigned keep = 0;
  for (int i = 0; i < na; ++i) {
    const V3<double> x = nearest_of(now[i], nb, keep);
    best.propose(1u << i, keep, x);
  }
  if (na == 1) return best;
  const V3<double> h = now[1][0] - now[0][0];
  const double hh = dot(h, h);
  for (int k = 0; k < nb; ++k) {
    const double s = -dot(now[0][k], h) / hh;
    if (s > 0 && s < 1) best.propose(3, 1u << k, now[0][k] + s * h);
  }
  for (int k = 0; k < (nb == 3 ? 3 : nb - 1); ++k) {
    const int l = k + 1 < nb ? k + 1 : 0;
    const V3<double>& p = now[0][k];
    const V3<double> e = now[0][l] - p;
    const double ee = dot(e, e), eh = dot(e, h), ep = dot(e, p), hp = dot(h, p), by = 1 / (ee * hh - eh * eh), s = (eh * ep - ee * hp) * by,
                 t = (eh * hp - hh * ep) * by;
    if (s > 0 && s < 1 && t > 0 && t < 1) best.propose(3, 1u << k | 1u << l, p + s * h + t * e);
  }
  return best;
}

}  // namespace

bool round_time(const ConvexSet& ca, const TwoDouble (&motion)[3], const TwoDouble& radii, const ConvexSet& cb, double start, RoundTime& out) {
  Path w;
  w.motion = {motion[0], motion[1], motion[2]};
  w.speed = high(w.motion);
  w.speeds = taxicab(w.speed);
  const int na = static_cast<int>(ca.points), nb = static_cast<int>(cb.points);
  Vec3 a[2], b[3];
  if (!moderate(radii.hi) || radii.hi == 0) return false;
  for (int i = 0; i < na; ++i)
    if (!moderate(a[i] = ca.base(static_cast<std::size_t>(i)))) return false;
  for (int k = 0; k < nb; ++k)
    if (!moderate(b[k] = cb.base(static_cast<std::size_t>(k)))) return false;
  V3<double> now[2][3];
  for (int i = 0; i < na; ++i)
    for (int k = 0; k < nb; ++k) {
      const Vec3 d = a[i] - b[k];
      now[i][k] = V3<double>{d.x, d.y, d.z} + start * w.speed;
    }
  const Feature feature = nearest_feature(now, na, nb);

  // The first corner of the feature, and the edges from there to its others and to all other corners.
  const int first_a = feature.a == 2 ? 1 : 0, first_b = feature.b % 2 != 0 ? 0 : feature.b % 4 != 0 ? 1 : 2;
  const auto corner = [](int i, int k) { return Generator{Generator::point, {static_cast<std::uint32_t>(i), 0}, {static_cast<std::uint32_t>(k), 0}}; };
  Generator name[4] = {corner(first_a, first_b)};  // 00, 10, 01, 11
  V3<TwoDouble> edge[2];
  V3<double> others[3];
  int edges = 0, others_count = 0;
  for (int i = 0; i < na; ++i) {
    if (i == first_a) continue;
    const V3<TwoDouble> e = exact_difference(a[i], a[first_a]);
    if (feature.a >> i & 1) {
      name[1] = corner(i, first_b);
      edge[edges++] = e;
    } else {
      others[others_count++] = high(e);
    }
  }
  for (int k = 0; k < nb; ++k) {
    if (k == first_b) continue;
    const V3<TwoDouble> e = exact_difference(b[first_b], b[k]);
    if (feature.b >> k & 1) {
      if (feature.a == 3) name[3] = corner(1, k);
      name[1 + edges] = corner(first_a, k);
      edge[edges++] = e;
    } else {
      others[others_count++] = high(e);
    }
  }
  w.from = exact_difference(a[first_a], b[first_b]);
  out.found.n = edges + 1;
  for (int k = 0; k <= edges; ++k) out.found.g[k] = name[k];
  if (edges == 0) return touches_corner(w, start, radii, others, others_count, out);
  if (edges == 1) return touches_edge(w, edge[0], start, radii, others, others_count, out);
  double inside[2];
  if (!touches_face(w, edge[0], edge[1], feature.a == 3, start, radii, others, others_count, inside, out)) return false;
  name_face(name, inside, out.found, out.share);
  return true;
}

}  // namespace graze::sweeping
