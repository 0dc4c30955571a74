// Transforms a moving ball, capsule or box into a tree's coordinates, with bounds of all roundings involved. Derivation: docs/derivations/sweep.md.
#include "sweep/linear/wide_traversal.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/leaf.hpp"

namespace graze::wide {

using namespace leaf;

namespace {

constexpr double u = kUnitRoundoff;

/// Returns the sum of the sizes of all products.
double cross(const double* a, const double* b, double* out) {
  double products = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = a[j] * b[k] - a[k] * b[j];
    products += std::fabs(a[j] * b[k]) + std::fabs(a[k] * b[j]);
  }
  return products;
}

/// Sets the convex set and its motion, with the error of both. Returns false where doubles do not suffice, or the kernels know no such set.
bool place(const MeshView& view, const PlacedTree& placed, const ConvexSet& convex, const Vec3& d, double slack, bool encloses, SweepTraversal& w) {
  const Vec3 from = convex.base(0), to = from + d;
  const double sizes = max_norm(from) + max_norm(d);
  if (!(sizes < 0x1p500)) return false;
  const auto local = local_convex_set(view, placed, convex, 0);
  if (!local) return false;
  w.convex = *local;
  const std::uint32_t halves = w.convex.halves;
  if (halves >= 2 && convex.radius != 0) return false;
  const LocalPoint p = local_point(placed, from), q = local_point(placed, to);
  if (!p.usable || !q.usable) return false;
  w.size = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    w.motion[i] = q.at[i] - p.at[i];
    double extent = 1 + std::fabs(w.convex.center[i]);
    for (std::uint32_t k = 0; k < halves; ++k) extent += std::fabs(w.convex.half[k][i]);
    w.size = std::max({w.size, extent, 1 + std::fabs(w.motion[i])});
  }
  // The position of the convex set at the start is within its error. Along the path, the motion adds what local_point bounds at both ends, and at most as much
  // in between. `to` and the motion are rounded.
  w.convex.error += p.absolute + q.absolute + 4 * u * w.size + local_length(view.mesh->tree, 8 * u * sizes + slack + 0x1p-1066);
  const double relative = 2 * std::max(p.relative, q.relative) + 0x1p-40, off = 1.75 * w.convex.error;
  w.radius_hi = (w.convex.radius_hi + off) * (1 + relative);
  w.radius_lo = encloses ? -1 : (w.convex.radius_lo - off) * (1 - relative);
  w.encloses = encloses;
  return w.convex.error < 0x1p-12 && relative < 0x1p-12 && w.size < 0x1p100 && w.radius_hi < 0x1p100;
}

/// Contains the convex set at the start.
LocalSweep::Place box_of(const SweepTraversal& w) {
  LocalSweep::Place box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.center[i] = w.convex.center[i];
    box.half[i] = w.radius_hi;
    for (std::uint32_t k = 0; k < w.convex.halves; ++k) box.half[i] += std::fabs(w.convex.half[k][i]);
  }
  return box;
}

/// Sets the normals of a box, and whether they tell all.
void set_normals(SweepTraversal& w) {
  const std::uint32_t halves = w.convex.halves;
  if (halves == 3) {
    for (std::size_t i = 0; i < 3; ++i) w.normal_products[i] = cross(w.convex.half[(i + 1) % 3], w.convex.half[(i + 2) % 3], w.normal[i]);
  } else if (halves == 2) {
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t i = 0; i < 3; ++i) w.normal[k][i] = w.convex.half[k][i];
      w.normal_products[k] = -1;
    }
    w.normal_products[2] = cross(w.convex.half[0], w.convex.half[1], w.normal[2]);
  }
  // Edges of blocks are differences of floats, hence 0 or above 2^-203: with such halves, products are 0 only where a factor is.
  w.certain = !w.encloses;
  for (std::uint32_t k = 0; k < halves; ++k)
    for (const double x : w.convex.half[k]) w.certain = w.certain && (x == 0 || std::fabs(x) > 0x1p-500);
}

/// Sets the ball that contains the convex set, in floats: positions are below reach + 1; some 16 roundings of 2^-24 of that.
void set_tube(SweepTraversal& w) {
  const std::uint32_t halves = w.convex.halves;
  double reach = 1, about = 0;
  for (std::uint32_t k = 0; k < halves; ++k) {
    const double* h = w.convex.half[k];
    const double square = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
    about = w.convex.square ? about + square : about + std::sqrt(square);
  }
  if (w.convex.square) about = std::sqrt(about * (1 + 0x1p-20));  // halves are orthogonal to within 2^-30
  for (std::size_t i = 0; i < 3; ++i) {
    const double at = w.convex.center[i] + w.time_in / w.time_scale * w.motion[i], direction = w.motion[i] / w.time_scale;
    w.tube_at[i] = static_cast<float>(at);
    w.tube_direction[i] = static_cast<float>(direction);
    w.tube_half[i] = halves == 1 ? static_cast<float>(w.convex.half[0][i]) : 0;
    reach = std::max(reach, std::fabs(at) + 2 * static_cast<double>(w.box_ray.t_hi));
  }
  w.tube_pad = static_cast<float>(0x1p-19 * (reach + 1));
  const double thin = std::max(w.radius_hi + 0x1p-30 * (1 + w.size), 0x1p-30);
  w.tube_thin = float_above(thin);
  w.tube_radius = reach < 64 ? float_above(thin + about * (1 + 0x1p-30)) : std::numeric_limits<float>::infinity();
}

}  // namespace

double slack_of(const ConvexSet& convex, const Vec3& d) { return 0x1p-44 * (max_norm(convex.base(0)) + max_norm(d) + convex.radius); }

Traversal::Traversal(const MeshView& view, const ConvexSet& convex, const Vec3& d, double slack, bool encloses) {
  const WideBvh& tree = view.mesh->tree;
  if (tree.empty() || d == Vec3(0, 0, 0)) return;
  const PlacedTree placed = placed_tree(view);
  SweepTraversal& w = state;
  if (!place(view, placed, convex, d, slack, encloses, w)) return;
  const LocalSweep sweep(placed, box_of(w), d);
  if (sweep.misses()) {
    usable_ = misses_ = true;
    return;
  }
  int exponent;
  if (!sweep.times(exponent, w.time_in, w.time_out, w.time_pad)) return;
  w.time_scale = std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  set_normals(w);
  w.box_ray = sweep.lanes();
  set_tube(w);
  w.nodes = &tree.node(0);
  w.blocks = view.mesh->blocks.data();
  w.vertices = reinterpret_cast<const unsigned char*>(view.mesh->vertices.data());
  w.least = kInfinity;
  w.deep = ~0u;
  w.deep_place = ~0u;
  w.visits = ~0u;
  w.found = 0;
  w.top = -1;
  const SweepKernels& kernels = sweep_kernels();
  go_ = w.convex.halves == 0 ? kernels.ball : w.convex.halves == 1 ? kernels.capsule : kernels.box;
  usable_ = true;
}

}  // namespace graze::wide
