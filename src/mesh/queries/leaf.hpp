// Helpers for the leaves of mesh traversals: placed triangles, their boxes, and cheap conservative box tests in doubles.
#pragma once
#include <algorithm>
#include <cstdint>

#include "bvh/traverse.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze::leaf {

/// The same arithmetic as Pose::apply, inline.
inline Vec3 place(const Pose& p, const Vec3& v) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) r[i] = ((p.rotation[i][0] * v.x + p.rotation[i][1] * v.y) + p.rotation[i][2] * v.z) + p.translation[i];
  return r;
}
inline Triangle place(const Pose* pose, const Triangle& t) {
  return pose ? Triangle{{place(*pose, t.points[0]), place(*pose, t.points[1]), place(*pose, t.points[2])}} : t;
}

inline PlacedTree placed_tree(const MeshView& view) {
  return PlacedTree(view.mesh->tree, view.pose ? RigidMap{view.pose->rotation, &view.pose->translation} : RigidMap{});
}

/// The triangle at a position of the tree's leaf order.
inline Triangle triangle_at(const MeshView& view, std::uint32_t place_) { return place(view.pose, view.mesh->triangle(view.mesh->tree.items()[place_])); }
inline std::uint32_t index_at(const MeshView& view, std::uint32_t place_) { return view.mesh->tree.items()[place_]; }

/// The data that visitors of leaves read first: the triangle numbers.
inline LeafData leaf_data(const MeshView& view) { return {view.mesh->tree.items().data(), sizeof(std::uint32_t)}; }

inline Box3 box_of(const Triangle& t) {
  Box3 b;
  for (int i = 0; i < 3; ++i) {
    b.lo[i] = std::min({t.points[0][i], t.points[1][i], t.points[2][i]});
    b.hi[i] = std::max({t.points[0][i], t.points[1][i], t.points[2][i]});
  }
  return b;
}

/// Returns false only if the boxes are certainly more than d apart along an axis. Rounding is monotone, so a rounded gap above d proves a gap above d.
inline bool maybe_within(const Box3& a, const Box3& b, double d) {
  for (int i = 0; i < 3; ++i) {
    if (a.lo[i] - b.hi[i] > d || b.lo[i] - a.hi[i] > d) return false;
  }
  return true;
}

/// Returns the box grown on all sides by at least d.
inline Box3 grown(Box3 b, double d) {
  for (int i = 0; i < 3; ++i) {  // relative error 2^-53 of the sum, plus 2^-1074
    b.lo[i] -= d;
    b.hi[i] += d;
    b.lo[i] -= 0x1p-52 * (b.lo[i] < 0 ? -b.lo[i] : b.lo[i]) + 0x1p-1070;
    b.hi[i] += 0x1p-52 * (b.hi[i] < 0 ? -b.hi[i] : b.hi[i]) + 0x1p-1070;
  }
  return b;
}

/// Returns true only if the boxes' distance certainly exceeds `best` by more than the error that distances at leaves may have (1e-15 relative). Equal distances
/// are therefore never discarded.
inline bool farther(const Box3& a, const Box3& b, double best) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double gap = std::max({a.lo[i] - b.hi[i], b.lo[i] - a.hi[i], 0.0});
    sum += gap * gap;
  }
  const double best_sq = best * best;
  // 1e-12: both squares are off by 2e-15 at most; 1e-280: smaller squares may have lost digits to underflow
  return best_sq > 1e-280 ? sum * (1 - 1e-12) > best_sq : best_sq == 0 && best == 0 && sum > 1e-280;
}

}  // namespace graze::leaf
