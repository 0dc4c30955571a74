// Fits an oriented box to the triangles below each node: along the principal axes of their corners, from the leaves up. Boxes of inner nodes enclose those of
// their children.
#include "mesh/oriented_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace graze {
namespace {

/// Number, mean, and sums of the products of the offsets from the mean (xx, yy, zz, xy, xz, yz) of some points.
struct Moments {
  float n = 0, mean[3] = {0, 0, 0}, scatter[6] = {0, 0, 0, 0, 0, 0};

  void add_product(const float (&d)[3], float weight) {
    for (int i = 0; i < 3; ++i) {
      scatter[i] += weight * d[i] * d[i];
      scatter[3 + i] += weight * d[i == 2 ? 1 : 0] * d[i == 0 ? 1 : 2];
    }
  }
};

Moments moments_of(const TriangleBlock& block) {
  Moments m;
  m.n = 3 * kBlock;
  for (std::size_t c = 0; c < 9; ++c) m.mean[c % 3] += ((block.corner[c][0] + block.corner[c][1]) + (block.corner[c][2] + block.corner[c][3])) / m.n;
  for (std::size_t c = 0; c < 9; c += 3) {
    for (std::size_t k = 0; k < kBlock; ++k) {
      const float d[3] = {block.corner[c][k] - m.mean[0], block.corner[c + 1][k] - m.mean[1], block.corner[c + 2][k] - m.mean[2]};
      m.add_product(d, 1);
    }
  }
  return m;
}

Moments joined(const Moments (&part)[kWidth], std::uint32_t count) {
  Moments m;
  for (std::uint32_t s = 0; s < count; ++s) m.n += part[s].n;
  for (std::uint32_t s = 0; s < count; ++s)
    for (int i = 0; i < 3; ++i) m.mean[i] += part[s].mean[i] * (part[s].n / m.n);
  for (std::uint32_t s = 0; s < count; ++s) {
    const float d[3] = {part[s].mean[0] - m.mean[0], part[s].mean[1] - m.mean[1], part[s].mean[2] - m.mean[2]};
    m.add_product(d, part[s].n);
    for (int i = 0; i < 6; ++i) m.scatter[i] += part[s].scatter[i];
  }
  return m;
}

/// 3 x 3 matrices of 8 children side by side.
using Matrices = float[3][3][kWidth];

/// A Jacobi rotation: makes the symmetric matrices' entries (p, q) zero, and turns the columns of v along.
void rotate(Matrices& m, Matrices& v, int p, int q) {
  const int r = 3 - p - q;
  for (int s = 0; s < kWidth; ++s) {
    const float d = m[q][q][s] - m[p][p][s], off = 2 * m[p][q][s];
    const float root = std::sqrt(d * d + off * off) + 1e-30f;  // never 0: matrices that are diagonal, or 0, stay as they are
    const float t = off / (d < 0 ? d - root : d + root), c = 1 / std::sqrt(t * t + 1), z = t * c;
    m[p][p][s] -= t * m[p][q][s];
    m[q][q][s] += t * m[p][q][s];
    m[p][q][s] = m[q][p][s] = 0;
    const float rp = m[r][p][s], rq = m[r][q][s];
    m[r][p][s] = m[p][r][s] = c * rp - z * rq;
    m[r][q][s] = m[q][r][s] = z * rp + c * rq;
    for (int i = 0; i < 3; ++i) {
      const float x = v[i][p][s], y = v[i][q][s];
      v[i][p][s] = c * x - z * y;
      v[i][q][s] = z * x + c * y;
    }
  }
}

/// Sets the first two axes of each box to eigenvectors of the scatter.
void set_axes(const Moments (&part)[kWidth], OrientedNode& out) {
  Matrices m, v;
  for (int s = 0; s < kWidth; ++s) {
    const float* x = part[s].scatter;
    const float sum = (x[0] + x[1]) + x[2], scale = sum > 1e-30f ? 1 / sum : 0;  // smaller sums may have lost digits to underflow: any axes do
    for (int i = 0; i < 3; ++i) {
      m[i][i][s] = x[i] * scale;
      v[i][i][s] = 1;
    }
    constexpr int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 3; ++k) {
      const auto [i, j] = pair[k];
      m[i][j][s] = m[j][i][s] = x[3 + k] * scale;
      v[i][j][s] = v[j][i][s] = 0;
    }
  }
  for (int sweep = 0; sweep < 4; ++sweep) {  // converges quadratically; the bounds hold for any axes
    rotate(m, v, 0, 1);
    rotate(m, v, 0, 2);
    rotate(m, v, 1, 2);
  }
  // The rotations have rounded the columns. In doubles: unit length, and perpendicular. Then only the conversion to float rounds: by 2^-25 in each component.
  for (int s = 0; s < kWidth; ++s) {
    double x[3], y[3], xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < 3; ++i) {
      x[i] = static_cast<double>(v[i][0][s]);
      y[i] = static_cast<double>(v[i][1][s]);
      xx += x[i] * x[i];
      xy += x[i] * y[i];
    }
    for (int i = 0; i < 3; ++i) {
      y[i] -= x[i] * (xy / xx);
      yy += y[i] * y[i];
    }
    const double scale_x = 1 / std::sqrt(xx), scale_y = 1 / std::sqrt(yy);
    for (int i = 0; i < 3; ++i) {
      out.axis[0][i][s] = static_cast<float>(x[i] * scale_x);
      out.axis[1][i][s] = static_cast<float>(y[i] * scale_y);
    }
  }
}

/// The axes of one box.
struct Axes {
  float at[3][3];  ///< [k][i]: component i of axis k
  Axes(const OrientedNode& node, std::uint32_t s) {
    for (std::size_t i = 0; i < 3; ++i) {
      at[0][i] = node.axis[0][i][s];
      at[1][i] = node.axis[1][i][s];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      at[2][i] = at[0][j] * at[1][k] - at[0][k] * at[1][j];
    }
  }
  float along(std::size_t k, const float (&d)[3]) const { return at[k][0] * d[0] + at[k][1] * d[1] + at[k][2] * d[2]; }
};

/// The range of what a box encloses along its axes, relative to a point.
struct Ranges {
  float lo[3] = {8, 8, 8}, hi[3] = {-8, -8, -8};
  void add(std::size_t k, float at, float half) {
    lo[k] = std::min(lo[k], at - half);
    hi[k] = std::max(hi[k], at + half);
  }
};

Ranges ranges_of(const TriangleBlock& block, const Axes& axes, const float (&origin)[3]) {
  Ranges r;
  for (std::size_t c = 0; c < 9; c += 3) {
    for (std::size_t lane = 0; lane < kBlock; ++lane) {
      const float d[3] = {block.corner[c][lane] - origin[0], block.corner[c + 1][lane] - origin[1], block.corner[c + 2][lane] - origin[2]};
      for (std::size_t k = 0; k < 3; ++k) r.add(k, axes.along(k, d), 0);
    }
  }
  return r;
}

Ranges ranges_of(const OrientedNode& node, std::uint32_t count, const Axes& axes, const float (&origin)[3]) {
  Ranges r;
  for (std::uint32_t s = 0; s < count; ++s) {
    const Axes own(node, s);
    const float d[3] = {node.center[0][s] - origin[0], node.center[1][s] - origin[1], node.center[2][s] - origin[2]};
    for (std::size_t k = 0; k < 3; ++k) {
      float half = 0;
      for (std::size_t j = 0; j < 3; ++j) half += std::fabs(axes.along(k, own.at[j])) * node.half[j][s];
      r.add(k, axes.along(k, d), half);
    }
  }
  return r;
}

/// Sets center and half sizes of box s. With v = 2^-24, m the largest half size and |offsets from the origin, a point of the box| <= 3.5 m: projections err by
/// 6 v 3.5 m, the center along an axis by 20 v 1.75 m (axes that are only nearly orthonormal, products and sums) and 1.75 v |center| (below 6 v): in all below
/// 56 v m + 6 v. Kernels err by 75 v m (see nearest_pair_kernels.cpp). 2^-16 m = 256 v m covers both.
void set_box(OrientedNode& out, std::uint32_t s, const Axes& axes, const float (&origin)[3], Ranges r) {
  float middle[3], largest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    // All corners lie within sqrt(3) of 0, so nothing is beyond that: centers and half sizes stay small however boxes of boxes grow.
    const float at = axes.along(k, origin);
    r.lo[k] = std::max(r.lo[k], -1.7321f - at);
    r.hi[k] = std::min(r.hi[k], 1.7321f - at);
    middle[k] = 0.5f * (r.lo[k] + r.hi[k]);
    largest = std::max(largest, 0.5f * (r.hi[k] - r.lo[k]));
  }
  for (std::size_t i = 0; i < 3; ++i) out.center[i][s] = origin[i] + (axes.at[0][i] * middle[0] + axes.at[1][i] * middle[1] + axes.at[2][i] * middle[2]);
  for (std::size_t k = 0; k < 3; ++k) out.half[k][s] = 0.5f * (r.hi[k] - r.lo[k]) + (0x1p-16f * 1.01f * largest + 0x1p-21f);
}

}  // namespace

LargeArray<OrientedNode> oriented_boxes(const WideBvh& tree, const LargeArray<TriangleBlock>& blocks) {
  LargeArray<OrientedNode> boxes(tree.node_count());
  LargeArray<Moments> moments(tree.node_count());
  for (std::size_t n = tree.node_count(); n-- > 0;) {  // children have higher numbers
    const WideNode& node = tree.node(static_cast<std::uint32_t>(n));
    Moments part[kWidth];
    for (std::uint32_t s = 0; s < node.used; ++s) part[s] = node.count[s] != 0 ? moments_of(blocks[node.leaf_number(s)]) : moments[node.child[s]];
    moments[n] = joined(part, node.used);
    OrientedNode& out = boxes[n];
    set_axes(part, out);
    for (std::uint32_t s = 0; s < kWidth; ++s) {
      if (s >= node.used) {
        for (std::size_t i = 0; i < 3; ++i) out.center[i][s] = out.half[i][s] = 0;
        continue;
      }
      const Axes axes(out, s);
      const Ranges r = node.count[s] != 0 ? ranges_of(blocks[node.leaf_number(s)], axes, part[s].mean)
                                          : ranges_of(boxes[node.child[s]], tree.node(node.child[s]).used, axes, part[s].mean);
      set_box(out, s, axes, part[s].mean, r);
    }
  }
  return boxes;
}

}  // namespace graze
