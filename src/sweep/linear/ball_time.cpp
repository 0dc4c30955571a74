// Time of contact of a moving ball in pairs of doubles: finds the face that is nearest at a time before the contact, computes its time, and proves that no
// other face is touched before. Every bound derives from sizes taken at the beginning; no running bound is kept.
#include "sweep/linear/ball_time.hpp"

#include <cmath>
#include <cstdint>

#include "sweep/linear/contact_search.hpp"

namespace graze::sweeping {
namespace {

V3<double> high(const V3<TwoDouble>& v) { return {v.x.hi, v.y.hi, v.z.hi}; }

/// v + s * m in pairs of doubles, so that the result rounded to doubles does not depend on the time at which v was taken.
V3<double> moved(const V3<TwoDouble>& v, double s, const V3<double>& m) { return {(v.x + s * m.x).hi, (v.y + s * m.y).hi, (v.z + s * m.z).hi}; }

/// The path from a corner to the centre, as a function of time.
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
bool touches_corner(const Path& w, double t, const TwoDouble& reach, const V3<double>* others, int n, BallTime& out) {
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
  return true;
}

/// An edge e from the corner: |p x e|^2 = R^2 e^2.
bool touches_edge(const Path& w, const V3<TwoDouble>& e, double t, const TwoDouble& reach, const V3<double>* others, int n, BallTime& out) {
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
  return true;
}

/// A face with edges e and f from the corner: p . (e x f) = R |e x f|.
bool touches_face(const Path& w, const V3<TwoDouble>& e, const V3<TwoDouble>& f, double t, const TwoDouble& reach, BallTime& out) {
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
  if (!(w1 > by1 && w2 > by2 && total.hi - w1 - w2 > by1 + by2 + ns * ns * 0x1p-47)) return false;
  out.time = root.time;
  out.normal = normal;
  return true;
}

}  // namespace

bool ball_time(const Vec3& center, const TwoDouble (&motion)[3], const TwoDouble& radii, const ConvexSet& b, double start, BallTime& out) {
  Path w;
  w.motion = {motion[0], motion[1], motion[2]};
  w.speed = high(w.motion);
  w.speeds = taxicab(w.speed);
  Vec3 corner[3];
  V3<double> now[3];
  const int n = static_cast<int>(b.points);
  if (!moderate(center) || !moderate(radii.hi) || radii.hi == 0) return false;
  for (int k = 0; k < n; ++k) {
    corner[k] = b.base(static_cast<std::size_t>(k));
    if (!moderate(corner[k])) return false;
    const Vec3 d = center - corner[k];
    now[k] = V3<double>{d.x, d.y, d.z} + start * w.speed;
  }
  unsigned keep = 0;
  nearest_of(now, n, keep);
  out.count = 0;
  int order[3], last = n;  // the feature touched first, then the others
  for (int k = 0; k < n; ++k) order[keep >> k & 1 ? out.count++ : --last] = k;
  for (int k = 0; k < out.count; ++k) out.corner[k] = static_cast<std::uint32_t>(order[k]);
  const Vec3& first = corner[order[0]];
  w.from = exact_difference(center, first);
  V3<double> others[2];
  for (int k = out.count; k < n; ++k) {
    const Vec3 d = first - corner[order[k]];
    others[k - out.count] = {d.x, d.y, d.z};
  }
  if (out.count == 1) return touches_corner(w, start, radii, others, n - 1, out);
  const V3<TwoDouble> e = exact_difference(first, corner[order[1]]);
  if (out.count == 2) return touches_edge(w, e, start, radii, others, n - 2, out);
  return touches_face(w, e, exact_difference(first, corner[order[2]]), start, radii, out);
}

}  // namespace graze::sweeping
