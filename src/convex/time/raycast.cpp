// First contacts: Newton's iteration on the distance proposes a time in doubles, and exact decisions certify it.
#include "convex/time/raycast.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "convex/time/exact_motion.hpp"
#include "convex/time/raycast_fast.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

/// Maps doubles to integers in the same order; both zeros map to 0.
std::int64_t key_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}
double from_key(std::int64_t key) { return std::bit_cast<double>(key < 0 ? std::numeric_limits<std::int64_t>::min() - key : key); }

Vec3 rounded_direction(const Motion& m) { return m.from ? Vec3(m.to.x - m.from->x, m.to.y - m.from->y, m.to.z - m.from->z) : m.to; }

bool is_double(double a, double b) {
  const double d = a - b, bb = a - d;
  return d - d == 0 && ((a - (d + bb)) + (bb - b)) == 0;
}
/// Whether the motion is representable in doubles.
bool exact_direction(const Motion& m) { return !m.from || (is_double(m.to.x, m.from->x) && is_double(m.to.y, m.from->y) && is_double(m.to.z, m.from->z)); }

/// Newton's iteration on the convex function t -> distance, from t = 0. The result is only a proposal.
double propose(const ConvexSet& round_moving, const Vec3& d, double t_max, const ConvexSet& round_target) {
  double t = 0;
  ConvexSet moving = round_moving, target = round_target;
  const double reach = moving.radius + target.radius;
  moving.radius = target.radius = 0;  // between the hulls, without radii, the direction stays well defined until contact
  constexpr int kMaxSteps = 40;       // a choice; at the cap, as at any other end, the exact search only starts farther from the contact
  for (int step = 0; step < kMaxSteps; ++step) {
    ConvexSet at = moving;
    if (t != 0) {
      if (at.segments == 5) break;
      at.add_segment(d, t, t);
    }
    const ConvexClosest c = closest(at, target);
    if (!(c.distance > reach)) break;
    const double n[3] = {c.on_a.x - c.on_b.x, c.on_a.y - c.on_b.y, c.on_a.z - c.on_b.z};
    const double size = std::max({std::fabs(n[0]), std::fabs(n[1]), std::fabs(n[2])});
    if (!(size > 0) || !(size < kLargest)) break;
    const double x = n[0] / size, y = n[1] / size, z = n[2] / size;
    const double rate = -((x * d.x + y * d.y) + z * d.z) / std::sqrt((x * x + y * y) + z * z);
    if (!(rate > 0)) break;
    const double next = t + (c.distance - reach) / rate;
    if (!(next > t)) break;
    if (!(next < t_max)) return t_max;
    const bool close = next - t < 1e-15 * next;  // 9 u, the error of the distance
    t = next;
    if (close) break;
  }
  return t;
}

}  // namespace

std::optional<ConvexHit> first_contact(const ConvexSet& moving, const Motion& motion, double t_max, const ConvexSet& target, bool whole_line) {
  if (!whole_line && t_max < 0) return std::nullopt;
  const Vec3 d = rounded_direction(motion);
  bool decided = false;
  // Hit or miss: in doubles first where the swept convex set is representable in doubles.
  if (!whole_line && exact_direction(motion) && (t_max == kInfinity ? moving.directions < 6 : moving.segments < 5)) {
    ConvexSet swept = moving;
    if (t_max == kInfinity) {
      swept.add_direction(d);
    } else {
      swept.add_segment(d, 0, t_max);
    }
    if (!within(swept, target)) return std::nullopt;
    decided = true;
  }
  if (!whole_line && within(moving, target)) return ConvexHit{0, {0, 0}, true, {0, 0, 0}};
  const ExactMotion exact(moving, motion, target);
  if (!decided && !exact.contact_by(t_max, whole_line)) return std::nullopt;

  // The least double s with contact by s: between `low` (no contact by low, or below all doubles in question) and `high` (contact).
  const std::int64_t lowest = whole_line ? key_of(-kLargest) : key_of(0.0);
  std::int64_t low = lowest, high = key_of(std::min(t_max, kLargest));
  if (whole_line && exact.contact_by(-kLargest, true)) return ConvexHit{-kInfinity, {-kInfinity, -kLargest}, false, {0, 0, 0}};
  if (t_max == kInfinity && !exact.contact_by(kLargest, whole_line)) return ConvexHit{kLargest, {kLargest, kInfinity}, false, exact.normal(kLargest)};
  if (whole_line && low < 0 && high > 0) (exact.contact_by(0, true) ? high : low) = 0;  // so that differences of keys do not overflow
  // From the proposal outward by doubling strides, then by bisection: at most about twice 63 decisions, two if the proposal is right.
  std::int64_t at = key_of(propose(moving, d, std::min(t_max, kLargest), target));
  std::int64_t stride = 1;
  while (high - low > 1) {
    if (at <= low) at = low + std::min<std::int64_t>(stride, (high - low) / 2);
    if (at >= high) at = high - std::min<std::int64_t>(stride, (high - low) / 2);
    const bool contact = exact.contact_by(from_key(at), whole_line);
    if (contact) {
      high = at;
      at = high - std::min(stride, high - low);
    } else {
      low = at;
      at = low + std::min(stride, high - low);
    }
    if (stride < (std::int64_t{1} << 60)) stride *= 2;
    if (stride > 64 && high - low < stride / 2) at = low + (high - low) / 2;
  }
  const double s = from_key(high), before = from_key(low);
  ConvexHit hit;
  const bool is_s = exact.first_time_is(s);
  hit.t = is_s ? s : before;
  hit.bounds = {hit.t, s};
  hit.normal = exact.normal(before);
  return hit;
}

std::optional<ConvexHit> raycast(const RayQuery& ray, const ConvexSet& target) {
  ConvexHit hit;
  const Certain fast = raycast_in_doubles(ray, target, hit);
  if (fast == Certain::yes) return hit;
  if (fast == Certain::no) return std::nullopt;
  ConvexSet point;
  point.add_point(ray.origin);
  Motion motion{ray.direction};
  if (ray.to_point) motion.from = &ray.origin;
  std::optional<ConvexHit> slow = first_contact(point, motion, ray.t_max, target, ray.t_min == -kInfinity);
  if (slow && !slow->started_inside && ray.t_max < kInfinity) {  // the normal must not depend on t_max, although t_max may have decided the tier
    RayQuery unlimited = ray;
    unlimited.t_max = kInfinity;
    if (raycast_in_doubles(unlimited, target, hit) == Certain::yes) slow->normal = hit.normal;
  }
  return slow;
}

}  // namespace graze
