// Computes barycentric coordinates of hits from the ray itself, because the rounded hit point may lie far from a small triangle. Uses double-double arithmetic
// where it suffices and exact quotients otherwise.
#include "query/barycentric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "exact/exact_vectors.hpp"
#include "exact/rational.hpp"
#include "exact/two_double.hpp"
#include "pairs/detail/ray_time.hpp"
#include "pairs/ray_triangle.hpp"

namespace graze {
namespace {

double length_1(const V3<TwoDouble>& a) { return taxicab(V3<double>{a.x.hi, a.y.hi, a.z.hi}); }

/// For a line that crosses the plane, the weights are proportional to the volumes w_i = d . (p_j x p_k), where p are the corners relative to the ray's origin.
/// Differences are exact. The products and sums of a volume (6 u^2 and 3 u^2 each) have an error of at most 40 u^2 < 2^-100 of |d| |p_j| |p_k| (sums of sizes).
/// If all sizes are below 2^200 and the sum of the volumes is above 2^-500, nothing overflows, and underflow is negligible: products that underflow have an
/// error of 2^-1074 times at most 2^400. If the sum is above 2^-40 of the largest product of sizes, the error of a weight is at most 4 * 2^-60; rounding adds
/// 2^-54.
std::optional<Vec3> in_two_doubles(const RayQuery& ray, const Triangle& triangle) {
  const V3<TwoDouble> d = ray.to_point ? exact_difference(ray.direction, ray.origin) : V3<TwoDouble>{ray.direction.x, ray.direction.y, ray.direction.z};
  V3<TwoDouble> p[3];
  for (std::size_t k = 0; k < 3; ++k) p[k] = exact_difference(triangle.points[k], ray.origin);
  const double far = std::max(length_1(p[0]), std::max(length_1(p[1]), length_1(p[2]))), size = length_1(d);
  if (!(far < 0x1p200 && size < 0x1p200)) return std::nullopt;
  TwoDouble w[3];
  for (std::size_t k = 0; k < 3; ++k) w[k] = dot(d, cross(p[(k + 1) % 3], p[(k + 2) % 3]));
  const TwoDouble sum = w[0] + w[1] + w[2];
  if (!(std::fabs(sum.hi) > 0x1p-500 && std::fabs(sum.hi) > size * far * far * 0x1p-40)) return std::nullopt;
  Vec3 r;
  for (int k = 0; k < 3; ++k) r[k] = std::clamp((w[k] / sum).hi, 0.0, 1.0);
  return r;
}

/// For a ray in the plane, which enters the triangle at a corner or between two of them.
std::optional<Vec3> at_entry(const RayQuery& ray, const Triangle& triangle) {
  const auto entry = crossing_side(ray, triangle) == 0 ? entry_after_start(ray, triangle) : std::nullopt;
  if (!entry) return std::nullopt;
  Vec3 r(0, 0, 0);
  const TwoDouble to = entry->from == entry->to ? TwoDouble(0.0) : entry->weight.v;
  r[entry->to] = std::clamp(to.hi, 0.0, 1.0);
  r[entry->from] = std::clamp((TwoDouble(1.0) - to).hi, 0.0, 1.0);
  return r;
}

/// The function c + t m: a value that is linear along the ray.
struct Linear {
  Dyadic c, m;
  Dyadic at(const Rational& t) const { return c * t.d + m * t.n; }  ///< the value times t.d
};

class ExactWeights {
 public:
  ExactWeights(const RayQuery& ray, const Triangle& t)
      : has_start_(ray.has_start()), start_(has_start_ ? Rational(ray.t_min) : Rational()), o_(exact(ray.origin)), d_(exact(ray.direction)) {
    if (ray.to_point) d_ = d_ - o_;
    for (std::size_t k = 0; k < 3; ++k) p_[k] = exact(t.points[k]);
    n_ = cross(p_[1] - p_[0], p_[2] - p_[0]);
  }
  Vec3 operator()() { return is_zero(n_) ? on_segment() : in_plane(); }

 private:
  Vec3 in_plane() const {
    // Weight of corner k times |n|^2, along the ray.
    Linear w[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const V3<Dyadic>&a = p_[(k + 1) % 3], &b = p_[(k + 2) % 3];
      w[k] = {dot(n_, cross(b - a, o_ - a)), dot(n_, cross(b - a, d_))};
    }
    Rational t = start_;
    if (const Dyadic across = dot(n_, d_); sign_of(across) != 0) {
      t = {dot(n_, p_[0] - o_), across};
    } else {  // a ray in the plane enters where the last weight to become positive is 0
      bool any = has_start_;
      for (const Linear& x : w)
        if (sign_of(x.m) > 0) later(t, Rational(-x.c, x.m), any);
    }
    return weights(w, t, dot(n_, n_));
  }

  Vec3 on_segment() const {
    std::size_t first = 0, last = 0;
    Dyadic longest(0.0);
    for (const auto& [i, k] : {std::pair<std::size_t, std::size_t>(0, 1), {0, 2}, {1, 2}}) {
      const V3<Dyadic> e = p_[k] - p_[i];
      const Dyadic length = dot(e, e);
      if (compare(length, longest) <= 0) continue;
      longest = length;
      first = i;
      last = k;
    }
    if (sign_of(longest) == 0) return {1, 0, 0};
    const V3<Dyadic> e = p_[last] - p_[first], r = o_ - p_[first], aside = cross(e, d_), from = cross(e, r);
    Linear w[3];  // weights times the squared length of the longest edge
    w[last] = {dot(e, r), dot(e, d_)};
    w[first] = {longest - w[last].c, -w[last].m};
    Rational t = start_;
    if (!is_zero(aside)) {
      std::size_t k = 0;
      while (sign_of(aside[k]) == 0) ++k;
      t = {-from[k], aside[k]};
    } else {
      bool any = has_start_;
      for (const std::size_t k : {first, last})
        if (sign_of(w[k].m) > 0) later(t, Rational(-w[k].c, w[k].m), any);
    }
    return weights(w, t, longest);
  }

  static void later(Rational& t, Rational s, bool& any) {
    if (!any || compare(t, s) < 0) t = std::move(s);
    any = true;
  }
  static Vec3 weights(const Linear (&w)[3], const Rational& t, const Dyadic& size) {
    Vec3 r;
    for (int k = 0; k < 3; ++k) r[k] = to_double(Rational(w[k].at(t), t.d * size), Rounding::nearest);
    return r;
  }

  bool has_start_;
  Rational start_;
  V3<Dyadic> o_, d_, p_[3], n_;
};

}  // namespace

Vec3 barycentric_at_hit(const RayQuery& ray, const Triangle& triangle) {
  if (const std::optional<Vec3> w = in_two_doubles(ray, triangle)) return *w;
  if (const std::optional<Vec3> w = at_entry(ray, triangle)) return *w;
  return ExactWeights(ray, triangle)();
}

}  // namespace graze
