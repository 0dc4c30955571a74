// Search in doubles for the first contact. Every direction x proves a lower bound of the time of contact: the plane through the least vertex of A - B
// perpendicular to x must first come within the sum of radii. GJK chooses directions, as in ray casting against convex sets (G. van den Bergen 2004), and stops
// when a bound exceeds the limit. If it converges, the final face gives the time in pairs of doubles: T_F at which the distance of the face's plane (line,
// point) reaches the radii, where x is the point of it nearest to the origin. If x lies in the face, T <= T_F; if the plane perpendicular to x supports A - B,
// it separates before: T >= T_F.
#include "sweep/linear/contact_search.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "sweep/linear/moving_simplex.hpp"

namespace graze::sweeping {

namespace {

/// The bounds are those of DecisionInDoubles.
struct ContactOfGenerators : ContactInDoubles {
  bool at_point(const MovingSimplex<Generator>& s) {
    if (s.n == 4 || step++ == steps) return true;
    norm = std::sqrt(dot(s.x, s.x));
    one = taxicab(s.x);
    if (s.t == 0 && norm + 48 * u < reach * (1 - 8 * u)) return end(Certain::yes);
    return !(norm > small * 0x1p-30);
  }
};

}  // namespace

void name_face(const Generator (&corner)[4], const double (&inside)[2], FoundContact& found, double (&share)[3]) {
  const bool far = inside[0] + inside[1] > 1;
  found.n = 3;
  found.g[0] = corner[far ? 3 : 0];
  found.g[1] = corner[far ? 2 : 1];
  found.g[2] = corner[far ? 1 : 2];
  for (int k = 0; k < 2; ++k) share[1 + k] = far ? 1 - inside[k] : inside[k];
  share[0] = std::max(0.0, 1 - share[1] - share[2]);
}

Certain search(const ScaledPair& pair, const V3<double>& m, double limit, FoundContact& found) {
  const double speed = std::max({std::fabs(m.x), std::fabs(m.y), std::fabs(m.z)});
  MovingSimplex<Generator> s;
  s.m = m;
  s.start(Generator{}, pair.point(Generator{}));
  constexpr int kMaxSteps = 40;  // a choice; at the cap the last face is proposed, and tested as any other
  ContactOfGenerators stop{{pair.reach(), speed, limit, 64 * u, 0, (1 + speed) * 0x1p-44, 0x1p-46, kMaxSteps}};
  gjk(pair, stop, s);
  found.n = stop.contact != Certain::unknown || s.n > 3 ? 0 : s.n;
  for (int k = 0; k < found.n; ++k) found.g[k] = s.g[k];
  return stop.contact;
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

}  // namespace graze::sweeping
