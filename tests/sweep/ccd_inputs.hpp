// Random motions: small grids, planes, lines, shared coordinates and vertices, contact at a known time, perturbations by an ulp, mixed scales.
#pragma once
#include "support/random.hpp"

namespace graze::test {

struct MovingPoints {
  std::array<Vec3, 4> t0, t1;
};

inline MovingPoints moving_points(Random& r, bool edges) {
  MovingPoints m;
  const int grid = 1 + r.below(4), kind = r.below(8);
  for (auto* side : {&m.t0, &m.t1})
    for (Vec3& p : *side) p = kind == 0 ? r.point(-1, 1) : r.grid(-grid, grid);
  const auto each = [&](auto&& f) {
    for (auto* side : {&m.t0, &m.t1})
      for (Vec3& p : *side) f(p);
  };
  if (kind == 1 || kind == 2) {  // in a plane, perhaps a moving or tilted one; kind 2: on a line
    const int tilt = r.below(3);
    const double z0 = r.below(3), z1 = r.below(3);
    for (auto* side : {&m.t0, &m.t1})
      for (Vec3& p : *side) {
        if (kind == 2) p.y = tilt == 1 ? p.x : tilt == 2 ? -2 * p.x : 0;
        p.z = (side == &m.t0 ? z0 : z1) + (tilt == 2 ? p.x + p.y : 0);
      }
  }
  if (kind == 3 || kind == 4)  // coordinates that are equal
    for (int n = 1 + r.below(6); n > 0; --n) {
      const int i = r.below(4), j = r.below(4), k = r.below(3);
      m.t0[i][k] = m.t0[j][k];
      m.t1[i][k] = m.t1[j][k];
    }
  if (r.below(6) == 0) m.t1[r.below(4)] = m.t1[r.below(4)];
  if (r.below(6) == 0) m.t0[r.below(4)] = m.t0[r.below(4)];
  if (r.below(8) == 0) {
    const int i = r.below(4);
    m.t1[i] = m.t0[i];
  }
  if (kind == 5 || kind == 0) {  // contact at t = n / d: the start of the vertex is solved for
    const int d = kind == 0 ? 4 : 1 + r.below(4);
    const double n = 1 + r.below(d), wa = r.below(5), wb = r.below(5 - static_cast<int>(wa)), wc = 4 - wa - wb;
    const auto now = [&](int i) { return (d - n) * m.t0[i] + n * m.t1[i]; };  // times d
    const Vec3 place = edges ? (wa * now(2) + (4 - wa) * now(3)) : (wa * now(1) + wb * now(2) + wc * now(3));
    if (edges) {  // on a0 + wb / 4 (a1 - a0), solved for the end of a0
      const Vec3 a1 = now(1);
      if (wb < 4) m.t1[0] = ((place - wb * a1) / (4 - wb) - (d - n) * m.t0[0]) / n;
    } else {
      m.t1[0] = (place / 4.0 - (d - n) * m.t0[0]) / n;
    }
  }
  if (r.below(4) == 0)
    each([&](Vec3& p) {
      if (r.below(3) == 0) p = r.nudge(p);
    });
  if (kind == 6)
    each([&](Vec3& p) {
      for (int k = 0; k < 3; ++k) p[k] *= std::bit_cast<double>(static_cast<std::uint64_t>(1023 + r.below(9) - 4) << 52);
    });
  if (kind == 7) {  // one small thing beside large ones
    const int i = r.below(4), k = r.below(3), e = r.below(60);
    m.t0[i][k] += std::bit_cast<double>(static_cast<std::uint64_t>(1023 - e) << 52);
    if (r.below(2)) m.t1[i][k] += std::bit_cast<double>(static_cast<std::uint64_t>(1023 - e) << 52);
  }
  return m;
}

}  // namespace graze::test
