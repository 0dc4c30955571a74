// Clips a line to the part near a tree, in exact arithmetic.
#include "bvh/far_line.hpp"

#include <algorithm>
#include <cmath>

#include "exact/rational.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

Dyadic times(const Dyadic& a, const Dyadic& b) { return {product(a.m, b.m), a.e + b.e}; }
Dyadic shifted(const Dyadic& a, int e) { return {a.m, a.e + e}; }
double quotient(const Dyadic& n, const Dyadic& d) { return to_double(Rational(n, d), Rounding::nearest); }

/// R^T v, or v for a tree without a pose.
void turn_back(const PlacedTree& placed, Dyadic v[3]) {
  if (!placed.placed()) return;
  Dyadic r[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) r[i] = r[i] + times(placed.pose.rotation[j][i], v[j]);
  }
  for (int i = 0; i < 3; ++i) v[i] = r[i];
}

}  // namespace

std::optional<LinePiece> clip_far_line(const PlacedTree& placed, const RayQuery& ray, const double wall[3], double slack) {
  const LocalFrame& f = placed.tree->frame();
  Dyadic o[3], d[3];
  for (int i = 0; i < 3; ++i) {
    o[i] = ray.origin[i];
    d[i] = ray.direction[i];
    if (ray.to_point) d[i] = d[i] - o[i];
    if (placed.placed()) o[i] = o[i] - Dyadic((*placed.pose.translation)[i]);
  }
  turn_back(placed, o);
  turn_back(placed, d);
  const auto size = [](const Dyadic& x) { return sign_of(x) < 0 ? -x : x; };
  int z = 0;
  for (int i = 1; i < 3; ++i) z = compare(size(d[i]), size(d[z])) > 0 ? i : z;
  const int most = bit_length(d[z].m) - 1 + d[z].e;  // 2^most <= |d[z]| < 2^(most + 1)
  LinePiece piece;
  for (int i = 0; i < 3; ++i) {
    o[i] = shifted(o[i] - Dyadic(f.center[i]), f.exponent);
    d[i] = shifted(d[i], -most);
    piece.direction[i] = to_double(d[i]);
  }
  // The line crosses the plane at[z], before everything that it may meet, at the parameter `before` / d[z]. From there until it leaves the box it moves by no
  // more than `thick` in any coordinate.
  const double half = wall[z] + slack, thick = 2 * half;
  piece.at[z] = sign_of(d[z]) > 0 ? -half : half;
  const Dyadic before = Dyadic(piece.at[z]) - o[z];
  for (const int i : {(z + 1) % 3, (z + 2) % 3}) {
    piece.at[i] = quotient(times(o[i], d[z]) + times(before, d[i]), d[z]);
    if (std::fabs(piece.at[i]) > wall[i] + thick + slack) return std::nullopt;
  }
  // The parameter t of the ray is the piece's s + before / d[z], in the tree's unit.
  const auto parameter = [&](double t) { return quotient(times(shifted(t, f.exponent + most), d[z]) - before, d[z]); };
  piece.from = ray.t_min > -kInfinity ? std::max(0.0, parameter(ray.t_min)) : 0;
  piece.to = ray.t_max < kInfinity ? std::min(thick, parameter(ray.t_max)) : thick;
  if (piece.from > thick || piece.to < 0) return std::nullopt;
  return piece;
}

PathSweep::PathSweep(const PlacedTree& placed, const Box3& world, const Vec3& motion, bool exact) {
  const LocalSweep::Place place(local_box(placed, world));
  double gap = 0;
  for (int i = 0; i < 3; ++i) gap = std::max(gap, std::fabs(place.center[i]) - place.half[i]);
  constexpr double kFar = 0x1p10;  // a float of this size is off by 2^-14 of the tree's size
  clipped_ = exact && gap > kFar && motion != Vec3(0, 0, 0) && clip(placed, world, motion);
  if (!clipped_) sweep_.emplace(placed, place, motion);
}

// Clips the path of the box's centre, transformed to the tree exactly, against boxes grown by the box's half sizes (sums of |R^T| half, rounded up) and by the
// rounding of the items themselves. The resulting piece is a motion in the frame of the tree without its pose; its coordinates must fit into doubles.
bool PathSweep::clip(const PlacedTree& placed, const Box3& world, const Vec3& motion) {
  constexpr double huge = 0x1p1000;
  const LocalFrame& f = placed.tree->frame();
  if (placed.extreme || f.exponent < -900 || f.exponent > 900) return false;
  Vec3 center, size;
  for (int i = 0; i < 3; ++i) {
    center[i] = world.lo[i] * 0.5 + world.hi[i] * 0.5;
    if (!(world.hi[i] - world.lo[i] < huge && std::fabs(center[i]) < huge)) return false;              // NaN for infinite sides
    size[i] = std::max(world.hi[i] - center[i], center[i] - world.lo[i]) * (1 + 0x1p-50) + 0x1p-1070;  // 8 u: two roundings
  }
  const double error = (placed.error * f.scale1) * f.scale2;
  double wall[3];
  LocalSweep::Place place;
  for (int i = 0; i < 3; ++i) {
    double sum = size[i];
    if (placed.placed())
      sum =
          (std::fabs(placed.pose.rotation[0][i]) * size[0] + std::fabs(placed.pose.rotation[1][i]) * size[1]) + std::fabs(placed.pose.rotation[2][i]) * size[2];
    place.half[i] = (sum * f.scale1) * f.scale2 * (1 + 0x1p-48) + error;  // 32 u: five roundings
    if (!(place.half[i] < 0x1p20)) return false;
    wall[i] = 1.25 + place.half[i];
  }
  const auto piece = clip_far_line(placed, {center, motion, false, 0, 1}, wall, 0);
  if (!piece) return true;
  Vec3 rest;
  for (int i = 0; i < 3; ++i) {
    place.center[i] = piece->at[i] + piece->from * piece->direction[i];
    rest[i] = (piece->to - piece->from) * piece->direction[i] / f.scale1;
  }
  sweep_.emplace(PlacedTree(*placed.tree, RigidMap{}), place, rest);
  return true;
}

}  // namespace graze
