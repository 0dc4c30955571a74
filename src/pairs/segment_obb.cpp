// Segment against oriented box (of any axes) by separating axes, as for two oriented boxes (obb_obb.cpp): the segment is a box of one generator.
// Everything is scaled by two: the box has generators 2 u_k, the segment w = b - a, t = (a - c) + (b - c). They meet exactly when t lies in the zonotope of
// these four, which, when the box has a volume, has the facets' normals u_i x u_j = U_k and w x u_k. With |w . u_i x u_j| = |w . U_k| and |(w x u_k) . t| =
// |u_k . (t x w)| all products come from U, t and w.
#include "pairs/segment_obb.hpp"

#include <algorithm>
#include <cmath>

#include "pairs/detail/obb_generators.hpp"

namespace graze {

namespace {

/// Error bounds. With S, W, T at least the size of every component of u, w and of both parts of t: u and w have relative errors u, t has 2 u of T; U has 4 u of
/// 2 S^2, t x w has 5 u of 2 T W. Products of three with 6 terms are then off by (4 + 2 + 1 + 2) u of all their terms, and the (at most three) sums add 3 u:
/// below 12 u * 6 S^2 (T + W + 2 S) of a face and 12 u * 6 S W (T + 4 S) of a cross product; 96 u (T + W + 4 S) S times S or W covers both. Of a RoundedBox, u
/// is off by 2 u and U by 6 u, which makes 14 of the 12, and t by 2 u `off` more.
Certain decide(const Segment& segment, const OrientedBox& box, double off) {
  using namespace filter;
  const Triple p = difference(segment.a, box.center), q = difference(segment.b, box.center), w = difference(segment.b, segment.a),
               t{p.x + q.x, p.y + q.y, p.z + q.z};
  const Triple u[3] = {generator(box, 0), generator(box, 1), generator(box, 2)}, of_faces[3] = {cross(u[1], u[2]), cross(u[2], u[0]), cross(u[0], u[1])},
               turn = cross(t, w);
  const double s = std::max(std::max(max_norm(u[0]), max_norm(u[1])), max_norm(u[2])),
               extent = (((max_norm(p) + off) + (max_norm(q) + off)) + max_norm(w)) + 4 * s;
  const double unit = kSegmentBoxSlack * extent, slack_face = unit * (s * s), slack_cross = unit * (s * max_norm(w));
  const double det = std::fabs(dot(of_faces[0], u[0]));
  double reach[3], of_face[3], of_cross[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    reach[k] = std::fabs(dot(of_faces[k], w));
    of_face[k] = std::fabs(dot(of_faces[k], t)) - (2 * det + reach[k]);
  }
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) of_cross[k] = std::fabs(dot(u[k], turn)) - 2 * (reach[(k + 1) % 3] + reach[(k + 2) % 3]);
  const double face = std::max(std::max(of_face[0], of_face[1]), of_face[2]), crossed = std::max(std::max(of_cross[0], of_cross[1]), of_cross[2]);
  const bool in_range = (std::min(slack_face, slack_cross) > 0x1p-900) & (extent < 0x1p300);  // underflow and overflow
  const bool apart = (face > slack_face) | (crossed > slack_cross), meet = (face < -slack_face) & (crossed < -slack_cross) & (det > slack_face);
  if (in_range & either(apart, meet)) [[likely]]
    return certain(meet);
  return Certain::unknown;
}

}  // namespace

Certain intersects_pair(const Segment& segment, const OrientedBox& box) { return decide(segment, box, 0); }
Certain intersects_pair(const Segment& segment, const RoundedBox& box) { return decide(segment, box.box, box.off); }

}  // namespace graze
