// A terrain given by heights on a grid.
#pragma once
#include <graze/mesh.hpp>
#include <span>

namespace graze {

/// A surface over a grid (not solid). Vertex (i, j) lies at origin + (i dx, j dy, h[j][i]), rounded once per coordinate.
///
/// Cell (i, j) is split along the diagonal from its lowest corner (i, j) to (i+1, j+1), into the triangles (i,j)(i+1,j)(i+1,j+1) and
/// (i,j)(i+1,j+1)(i,j+1). A hole (NaN height) removes the triangles that use its vertex. Triangles are numbered row by row, without
/// the removed ones.
class HeightField {
 public:
  /// `heights` holds the rows (j) one after another, with `columns` heights (i) each; NaN is a hole. Throws Error for infinite or
  /// missing heights, a spacing that is not positive, and fewer than 2 rows or columns.
  HeightField(const Vec3& origin, double dx, double dy, std::size_t columns, std::span<const double> heights);
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  static constexpr const char* type_name = "heightfield";

 private:
  Mesh mesh_;
};

}  // namespace graze
