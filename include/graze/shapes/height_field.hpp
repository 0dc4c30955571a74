// A terrain given by heights on a grid.
#pragma once
#include <cstddef>
#include <graze/mesh.hpp>
#include <memory>
#include <span>
#include <vector>

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

  // The grid as it was given.
  [[nodiscard]] const Vec3& origin() const { return grid_->origin; }
  [[nodiscard]] double dx() const { return grid_->dx; }
  [[nodiscard]] double dy() const { return grid_->dy; }
  [[nodiscard]] std::size_t columns() const { return grid_->columns; }
  [[nodiscard]] std::size_t rows() const { return grid_->heights.size() / grid_->columns; }
  [[nodiscard]] std::span<const double> heights() const { return grid_->heights; }  ///< row by row; NaN is a hole

  static constexpr const char* type_name = "heightfield";

 private:
  struct Grid {
    Vec3 origin;
    double dx, dy;
    std::size_t columns;
    std::vector<double> heights;
  };
  Mesh mesh_;
  std::shared_ptr<const Grid> grid_;
};

}  // namespace graze
