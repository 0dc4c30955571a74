// Pairs of triangles in SIMD lanes of doubles, compiled once per CPU level: placing a block, enclosing distances. Included inside Highway's per-target passes.
#if defined(GRAZE_MESH_PAIR_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_MESH_PAIR_LANES_INL
#undef GRAZE_MESH_PAIR_LANES_INL
#else
#define GRAZE_MESH_PAIR_LANES_INL
#endif

#include <hwy/highway.h>
#include <cstdint>

#include "mesh/kernels/block-inl.hpp"
#include "mesh/kernels/pair_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace pair_lanes {
using namespace block;

constexpr double u = 0x1p-53;
/// More than the underflow in a sum of a few products, each off by at most 2^-1075. Normals of triangles that are small relative to the other tree's unit may
/// be as short as denormals.
constexpr double kUnderflow = 0x1p-1060;

inline void place_block(const TriangleBlock& block, const BlockPlacement& p, PlacedBlock& out) {
  const DD d;
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    for (std::size_t c = 0; c < 9; c += 3) {
      const P at = corner_of(block, c / 3, k);
      for (std::size_t i = 0; i < 3; ++i) {
        const V sum = at.x * hn::Set(d, p.axis[0][i]) + at.y * hn::Set(d, p.axis[1][i]) + at.z * hn::Set(d, p.axis[2][i]);
        hn::Store(sum + hn::Set(d, p.offset[i]), d, out.corner[c + i] + k);
      }
    }
  }
}

HWY_INLINE P corner_a(const TriangleBlock& a, std::size_t corner, std::uint32_t i) {
  const DD d;
  return {hn::Set(d, static_cast<double>(a.corner[3 * corner][i])), hn::Set(d, static_cast<double>(a.corner[3 * corner + 1][i])),
          hn::Set(d, static_cast<double>(a.corner[3 * corner + 2][i]))};
}
HWY_INLINE P corner_b(const PlacedBlock& b, std::size_t corner, std::size_t k) {
  const DD d;
  return {hn::Load(d, b.corner[3 * corner] + k), hn::Load(d, b.corner[3 * corner + 1] + k), hn::Load(d, b.corner[3 * corner + 2] + k)};
}

/// The shortest difference of points so far.
struct Best {
  P x;
  V sq;
  HWY_INLINE void propose(const P& y) {
    const V s = dot(y, y);
    const M better = s < sq;
    x = select(better, y, x);
    sq = hn::IfThenElse(better, s, sq);
  }
};

/// Corner p and the triangle at o with edges e, g. Proposes the offset from the foot o + s e + t g, the corner's height above the plane, if the foot is inside.
HWY_INLINE void propose_face(Best& best, const P& p, const P& o, const P& e, const P& g, V ee, V gg, V eg, V det, bool turned) {
  const DD d;
  const P w = p - o;
  const V we = dot(w, e), wg = dot(w, g);
  const V s = (we * gg - wg * eg) / det, t = (wg * ee - we * eg) / det;
  const M inside = hn::And(hn::And(s > hn::Zero(d), t > hn::Zero(d)), hn::And(det > hn::Zero(d), s + t < hn::Set(d, 1.0)));
  if (hn::AllFalse(d, inside)) return;
  const P foot = point_along(point_along(w, hn::Neg(hn::IfThenElseZero(inside, s)), e), hn::Neg(hn::IfThenElseZero(inside, t)), g);
  best.propose(turned ? -foot : foot);  // outside: the corner's offset from o, which is also a true candidate
}

// Quotients whose divisors underflow still give points of the triangles (clamp01), or fail the test for the face. From any two points of the triangles, whose
// difference is x, with M the largest coordinate relative to A's corner 0, as in distance_bounds.hpp: the distance is at most |x| (1 + 8 u) + 32 u (2 M), and
// at least (min of a . x - max of b . x) / |x| (1 - 8 u) - 40 u (2 M). `error` in each coordinate moves both by at most 1.75 error.
// Only pairs in `wanted` are computed and returned.
inline std::uint32_t distance(const TriangleBlock& a, std::uint32_t wanted, const PlacedBlock& b, const BlockPlacement& placement, double least, double* lo_out,
                              double* hi_out) {
  const DD d;
  std::uint32_t bits = 0;
  const double moved = 1.75 * placement.error;
  for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
    const P b0 = corner_b(b, 0, k), b1 = corner_b(b, 1, k), b2 = corner_b(b, 2, k);
    const P box_lo{min3(b0.x, b1.x, b2.x), min3(b0.y, b1.y, b2.y), min3(b0.z, b1.z, b2.z)},
        box_hi{max3(b0.x, b1.x, b2.x), max3(b0.y, b1.y, b2.y), max3(b0.z, b1.z, b2.z)};
    const P f0 = b1 - b0, f1 = b2 - b1, f2 = b0 - b2, g = b2 - b0;
    const V ff0 = dot(f0, f0), ff1 = dot(f1, f1), ff2 = dot(f2, f2), fg = dot(f0, g), f_det = ff0 * ff2 - fg * fg;
    for (std::uint32_t i = 0; i < kBlock; ++i) {
      if ((wanted >> 4 * i & 15) == 0) continue;
      const P a0 = corner_a(a, 0, i), a1 = corner_a(a, 1, i), a2 = corner_a(a, 2, i);
      const auto gap = [&](V b_lo, V b_hi, V x, V y, V z) { return hn::Max(hn::Max(b_lo - max3(x, y, z), min3(x, y, z) - b_hi), hn::Zero(d)); };
      const V gx = gap(box_lo.x, box_hi.x, a0.x, a1.x, a2.x), gy = gap(box_lo.y, box_hi.y, a0.y, a1.y, a2.y), gz = gap(box_lo.z, box_hi.z, a0.z, a1.z, a2.z);
      const V gap_sq = gx * gx + gy * gy + gz * gz;
      const P q0 = b0 - a0, q1 = b1 - a0, q2 = b2 - a0, p1 = a1 - a0, p2 = a2 - a0;
      const V size = hn::Max(hn::Max(max_norm(p1), max_norm(p2)), max3(max_norm(q0), max_norm(q1), max_norm(q2)));
      const V err = size * hn::Set(d, 80 * u) + hn::Set(d, moved);
      // The gap between the boxes alone.
      const V far = hn::Set(d, least) * hn::Set(d, 1 + placement.relative + 16 * u) + err;
      if (hn::AllTrue(d, gap_sq > far * far)) continue;
      // Also the gaps along both normals, which separate surfaces that face each other. With coordinates below 2^201, |n|^2 stays below 2^815. It may
      // underflow, or far^2 may be infinite; then the product is too large, or NaN, and nothing is discarded.
      const P e1 = p2 - p1, normal_a = cross(p1, p2), normal_b = cross(f0, f1);
      const auto beyond = [&](const P& n) {
        const V x1 = dot(p1, n), x2 = dot(p2, n), y0 = dot(q0, n), y1 = dot(q1, n), y2 = dot(q2, n);
        const V open = hn::Max(min3(y0, y1, y2) - max3(x1, x2, hn::Zero(d)), min3(x1, x2, hn::Zero(d)) - max3(y0, y1, y2));
        const V g = open - err * taxicab(n);
        return hn::And(g > hn::Zero(d), g * g > far * far * ((dot(n, n) + hn::Set(d, kUnderflow)) * hn::Set(d, 1 + 0x1p-40)));
      };
      if (hn::AllTrue(d, hn::Or(gap_sq > far * far, hn::Or(beyond(normal_a), beyond(normal_b))))) continue;
      Best best{-q0, dot(q0, q0)};  // a - b
      const P e[3] = {p1, e1, -p2}, f[3] = {f0, f1, f2};
      const P pa[3] = {{hn::Zero(d), hn::Zero(d), hn::Zero(d)}, p1, p2}, pb[3] = {q0, q1, q2};
      const V ff[3] = {ff0, ff1, ff2};
      V ee[3];
      for (int m = 0; m < 3; ++m) ee[m] = dot(e[m], e[m]);
      for (int m = 0; m < 3; ++m) {
        for (int n = 0; n < 3; ++n) {
          const P r = pa[m] - pb[n];
          const V ef = dot(e[m], f[n]), er = dot(e[m], r), fr = dot(f[n], r);
          const V s = clamp01((ef * fr - er * ff[n]) / (ee[m] * ff[n] - ef * ef));
          const V t = clamp01((ef * s + fr) / ff[n]);
          const V again = clamp01((ef * t - er) / ee[m]);
          best.propose(point_along(point_along(r, again, e[m]), hn::Neg(t), f[n]));
        }
      }
      const V e_g = dot(p1, p2), e_det = ee[0] * ee[2] - e_g * e_g;
      for (int n = 0; n < 3; ++n) {
        propose_face(best, pb[n], pa[0], p1, p2, ee[0], ee[2], e_g, e_det, true);
        propose_face(best, pa[n], q0, f0, g, ff0, ff2, fg, f_det, false);
      }
      const V length = hn::Sqrt(best.sq), zero = hn::Zero(d);
      const V low_a = min3(zero, dot(p1, best.x), dot(p2, best.x)), high_b = max3(dot(q0, best.x), dot(q1, best.x), dot(q2, best.x));
      const V level = hn::IfThenElseZero(length > hn::Set(d, 0x1p-60), (low_a - high_b) / length);
      const V hi = length * hn::Set(d, 1 + 16 * u + placement.relative) + err, lo = level * hn::Set(d, 1 - 16 * u - placement.relative) - err;
      hn::StoreU(lo, d, lo_out + 4 * i + k);
      hn::StoreU(hi, d, hi_out + 4 * i + k);
      bits |= lane_bits(lo <= hn::Set(d, least), k) << (4 * i);
    }
  }
  return bits & wanted;
}

}  // namespace pair_lanes
}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#endif
