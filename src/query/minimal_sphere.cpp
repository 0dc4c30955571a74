// The minimal sphere of points: points relative to the middle of their box, at a common scale, in double-double arithmetic.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/query/minimal_sphere.hpp>
#include <graze/shapes/box.hpp>
#include <string>
#include <vector>

#include "exact/big.hpp"
#include "exact/rounding.hpp"
#include "exact/two_double.hpp"
#include "platform/expects.hpp"
#include "platform/fp_environment.hpp"
#include "platform/watch.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

using Relative = V3<TwoDouble>;

bool less(const TwoDouble& a, const TwoDouble& b) { return sign_of(b - a) > 0; }

// The centre of the sphere through `n` (1 to 4) points whose centre lies in their affine hull, by Cramer's rule on 2 u_i . c = u_i . u_i. Returns false if the
// points are dependent.
bool through(const Relative* p, int n, Relative& center) {
  GRAZE_EXPECTS(1 <= n && n <= 4);
  center = p[0];
  if (n == 1) return true;
  Relative u[3];
  TwoDouble g[3][3], h[3], x[3];
  const int m = n - 1;
  for (int i = 0; i < m; ++i) u[i] = p[i + 1] - p[0];
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) g[i][j] = dot(u[i], u[j]);
    h[i] = g[i][i] * TwoDouble(0.5);
  }
  TwoDouble det;
  if (m == 1) {
    det = g[0][0];
    x[0] = h[0];
  } else if (m == 2) {
    det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    x[0] = h[0] * g[1][1] - g[0][1] * h[1];
    x[1] = g[0][0] * h[1] - h[0] * g[1][0];
  } else {
    auto det3 = [](const TwoDouble(&a)[3][3]) {
      return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
             a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    };
    det = det3(g);
    for (int k = 0; k < 3; ++k) {
      TwoDouble a[3][3];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) a[i][j] = j == k ? h[i] : g[i][j];
      x[k] = det3(a);
    }
  }
  if (!(std::fabs(det.hi) > 0x1p-900)) return false;
  for (int i = 0; i < m; ++i) {
    const TwoDouble w = x[i] / det;
    for (int k = 0; k < 3; ++k) center[k] = center[k] + w * u[i][k];
    // the centre of the smallest ball lies among the points, whose coordinates are below 2
    if (!(std::fabs(center[0].hi) < 16 && std::fabs(center[1].hi) < 16 && std::fabs(center[2].hi) < 16)) return false;
  }
  return true;
}

struct Ball {
  Relative center{};
  TwoDouble square{};
  std::vector<Relative> support;
};

// The smallest ball of up to five points. Among all spheres through up to four of the points, it is the one whose furthest point of the five is nearest.
Ball smallest_ball(const std::vector<Relative>& p) {
  GRAZE_EXPECTS(p.size() <= 5);
  Ball best;
  bool any = false;
  for (unsigned subset = 1; subset < 1u << p.size(); ++subset) {
    Relative chosen[4];
    int n = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (subset >> i & 1) {
        if (n == 4) {
          n = 5;
          break;
        }
        chosen[n++] = p[i];
      }
    Relative c;
    if (n > 4 || !through(chosen, n, c)) continue;
    TwoDouble far(0.0);
    for (const Relative& q : p) {
      const Relative d = q - c;
      const TwoDouble s = dot(d, d);
      if (less(far, s)) far = s;
    }
    if (any && !less(far, best.square)) continue;
    any = true;
    best.center = c;
    best.square = far;
    best.support.assign(chosen, chosen + n);
  }
  return best;
}

}  // namespace

Sphere minimal_sphere(std::span<const Vec3> points) {
  const DefaultFloatEnvironment guard;
  if (points.empty()) throw Error(ErrorCode::invalid_argument, "minimal_sphere: no points, must have at least one");
  constexpr std::size_t kLook = 1 << 16;  // points from one look whether the caller wants the call to end to the next: a choice, less than a millisecond
  Box box{points[0], points[0]};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % kLook == 0) checkpoint();
    if (!is_finite(points[i])) require_finite("minimal_sphere: point " + std::to_string(i), points[i]);
    for (int k = 0; k < 3; ++k) {
      box.min[k] = std::min(box.min[k], points[i][k]);
      box.max[k] = std::max(box.max[k], points[i][k]);
    }
  }
  const Vec3 base = box.center();
  double size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, std::max(box.max[k] - base[k], base[k] - box.min[k]));
  if (size == 0) return {base, containing_radius(base, points)};
  const int e = exponent_of(size);
  auto relative = [&](const Vec3& p) {
    Relative r;
    for (int k = 0; k < 3; ++k) {
      const TwoDouble d = two_sum(p[k], -base[k]);
      r[k] = TwoDouble(scaled(d.hi, -e), scaled(d.lo, -e));
    }
    return r;
  };
  // The furthest point joins the support until no point lies outside by more than 1e-14. Every intermediate ball is the smallest ball of a subset of the
  // points, so none is larger than the smallest ball of all points.
  Ball ball;
  ball.support = {Relative{}};
  // The ball grows in each round, so the search ends. The cap of 1000 is arbitrary: beyond it, the sphere still contains all points, but may not be minimal.
  constexpr int kMaxRounds = 1000;
  for (int round = 0; round < kMaxRounds; ++round) {
    const double c[3] = {ball.center[0].hi, ball.center[1].hi, ball.center[2].hi};
    double far = -1;
    const Vec3* furthest = nullptr;
    for (const Vec3& p : points) {
      if (static_cast<std::size_t>(&p - points.data()) % kLook == 0) checkpoint();
      double s = 0;
      for (int k = 0; k < 3; ++k) {
        const double d = scaled(p[k] - base[k], -e) - c[k];
        s += d * d;
      }
      if (s > far) far = s, furthest = &p;
    }
    // 2^-46 = 128 u: coordinates below 2 and the centre are off by 8 u, so squares of at least 1 by about 30 u.
    if (round > 0 && !(far > ball.square.hi * (1 + 0x1p-46))) break;
    std::vector<Relative> five;
    if (round > 0) five = ball.support;
    five.push_back(relative(*furthest));
    Ball next = smallest_ball(five);
    if (round > 1 && !less(ball.square, next.square)) break;
    ball = std::move(next);
  }
  Vec3 center = base;
  for (int k = 0; k < 3; ++k) {
    const TwoDouble x = ball.center[static_cast<std::size_t>(k)];
    const TwoDouble offset(scaled(x.hi, e), scaled(x.lo, e));
    const TwoDouble sum = two_sum(base[k], offset.hi);
    center[k] = sum.hi + (sum.lo + offset.lo);
  }
  const double radius = containing_radius(center, points);
  if (!is_finite(radius)) throw Error(ErrorCode::overflow, "minimal_sphere: the radius is beyond the largest double");
  return {center, radius};
}

}  // namespace graze
