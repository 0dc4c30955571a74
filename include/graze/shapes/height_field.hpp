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
///
/// A field keeps its heights and the extremes of tiles of 32 x 32 cells: about 9 bytes a cell. The triangles of a tile are made where a
/// query first comes near it, from any thread, in some tens of microseconds; then the tile takes about 180 bytes a cell more. Answers do
/// not depend on which tiles are made. All of them are made by mesh(); by `closest` and a positive `within` of the field and another
/// surface; and by what visits every triangle: self-intersections, numbers of intersecting triangles, `area`, `centroid`,
/// `bounding_sphere`, `bounding_box` at a pose, `relation`, and `penetration` and sweeps of the field with a solid.
///
/// Copies share the data, and any number of threads may query it.
class HeightField {
 public:
  /// `heights` holds the rows (j) one after another, with `columns` heights (i) each; NaN is a hole. O(n), some nanoseconds a cell. Throws
  /// Error for infinite or missing heights, a spacing that is not positive, and fewer than 2 rows or columns.
  HeightField(const Vec3& origin, double dx, double dy, std::size_t columns, std::span<const double> heights);
  /// All triangles as a mesh. Makes those that are not made yet, on all cores: about 50 nanoseconds a cell, and memory as above.
  [[nodiscard]] const Mesh& mesh() const;

  // The grid as it was given.
  [[nodiscard]] const Vec3& origin() const { return grid_->origin; }
  [[nodiscard]] double dx() const { return grid_->dx; }
  [[nodiscard]] double dy() const { return grid_->dy; }
  [[nodiscard]] std::size_t columns() const { return grid_->columns; }
  [[nodiscard]] std::size_t rows() const { return grid_->heights.size() / grid_->columns; }
  [[nodiscard]] std::span<const double> heights() const { return grid_->heights; }  ///< row by row; NaN is a hole

  static constexpr const char* type_name = "heightfield";
  [[nodiscard]] const MeshImpl& impl() const { return mesh_.impl(); }

 private:
  struct Grid {
    Vec3 origin;
    double dx, dy;
    std::size_t columns;
    std::vector<double> heights;
  };
  [[nodiscard]] static Mesh made_of(const std::shared_ptr<const Grid>& grid);

  std::shared_ptr<const Grid> grid_;
  Mesh mesh_;  ///< see MeshImpl::complete
};

}  // namespace graze
