// Volume, area and centroid of triangles: in pairs of doubles with a running bound, in unlimited numbers where that bound does not suffice.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "exact/exact_vectors.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/pair_lists.hpp"

namespace graze {

/// The triangles of a placed mesh and its seams, or some in an array.
class TriangleList {
 public:
  TriangleList(const MeshView& view) : view_(view), seams_(view.placed_seams()), of_mesh_(view.mesh->triangles.size()) {
    view.mesh->complete();
    size_ = of_mesh_ + (seams_ ? seams_->mesh->triangles.size() : 0);
  }
  TriangleList(std::span<const Triangle> triangles) : triangles_(triangles), of_mesh_(0), size_(triangles.size()) {}
  std::size_t size() const { return size_; }
  Triangle operator[](std::size_t i) const {
    if (!view_) return triangles_[i];
    return i < of_mesh_ ? view_->triangle(static_cast<std::uint32_t>(i)) : seams_->triangle(static_cast<std::uint32_t>(i - of_mesh_));
  }

 private:
  std::optional<MeshView> view_, seams_;
  std::span<const Triangle> triangles_;
  std::size_t of_mesh_, size_;
};

/// For each triangle of a solid, and then each seam, whether it bounds the points of non-zero winding number, and from which side: 1 if its front is outside,
/// -1 if its back is, 0 if both sides are inside, or it has no area. Empty: all have the same sign, and none is 0.
///
/// Requires a closed surface of which triangles with area meet in edges and corners only; `touching` are the pairs of those that do so beyond shared ones, and
/// what a pose has moved across an edge by a rounding may also cross. `flat`: the triangles that have no area, or had none before they were placed.
std::vector<std::int8_t> sides_of_boundary(const MeshView& solid, std::span<const std::uint8_t> flat, std::span<const TrianglePair> touching);

/// The sum over all triangles of the volume between each and the origin, each times its sign (1 without signs), rounded to nearest; not 0 unless it is.
double sum_of_volumes(const TriangleList& triangles, std::span<const std::int8_t> signs = {});
/// The centroid of that volume, within 2^-52 of the greatest coordinate; nothing if it is 0.
std::optional<Vec3> centroid_of_volume(const TriangleList& triangles, std::span<const std::int8_t> signs = {});

/// The sum of areas, with a relative error below 2^-52 or within one denormal.
double sum_of_areas(const TriangleList& triangles);
/// The centroid of all areas, within 2^-52 of the greatest coordinate; nothing if there is no area.
std::optional<Vec3> centroid_of_area(const TriangleList& triangles);

/// sqrt(square) with a relative error below 2^-100, for square >= 0.
Dyadic root(const Dyadic& square);

}  // namespace graze
