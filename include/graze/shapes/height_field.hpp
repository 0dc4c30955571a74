// A terrain given by heights on a grid.
#pragma once
#include <graze/mesh.hpp>

namespace graze {

/// The surface over a grid: vertex (i, j) at origin + (i dx, j dy, h[j][i]), rounded once per coordinate; each cell split from its lowest-index corner (i, j)
/// to (i+1, j+1); a cell with a hole (NaN height) at a corner loses the triangles that use it. Cell (i, j) has triangles (i,j)(i+1,j)(i+1,j+1) and
/// (i,j)(i+1,j+1)(i,j+1), numbered row by row with removed ones skipped.
class HeightField {
 public:
  /// `heights` row by row (j), `columns` per row (i); NaN is a hole. Throws Error for infinite or missing heights, spacing not > 0, fewer than 2 rows or
  /// columns.
  HeightField(const Vec3& origin, double dx, double dy, std::size_t columns, std::span<const double> heights);
  const Mesh& mesh() const { return mesh_; }
  static constexpr const char* type_name = "heightfield";

 private:
  Mesh mesh_;
};

}  // namespace graze
