// Checks height fields, and computes the lines of their grids.
#include <cmath>
#include <graze/error.hpp>
#include <graze/shapes/height_field.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exact/big.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "mesh/field_tiles.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"
#include "shapes/placement.hpp"

namespace graze {
namespace {

/// origin + i * step, rounded once. As two doubles it is `hi` and, up to 2^-53 of itself, `lo`: where both ends of that interval round to one double, so does
/// it.
double on_grid_line(double origin, double step, double i) {
  if (step > 0x1p-400 && step < 0x1p400 && origin > -0x1p400 && origin < 0x1p400) {
    const TwoDouble product = two_product(i, step), sum = two_sum(origin, product.hi);
    const double lo = sum.lo + product.lo, error = std::fabs(lo) * 0x1p-52;
    const double below = sum.hi + (lo - error), above = sum.hi + (lo + error);
    if (below == above) return below;
  }
  return to_double(Dyadic(origin) + Dyadic(i) * Dyadic(step));
}

std::vector<double> grid_line(double origin, double step, std::size_t n, const char* axis) {
  std::vector<double> r(n);
  for (std::size_t i = 0; i < n; ++i) {
    r[i] = on_grid_line(origin, step, static_cast<double>(i));
    // Rounding to nearest saturates at the largest double; a sum beyond it is not representable.
    if (i > 0 && (r[i] == kLargest || !is_finite(r[i])))
      throw Error(ErrorCode::overflow, std::string("heightfield: ") + axis + " of grid line " + std::to_string(i) + " is beyond the largest double");
  }
  return r;
}

void check_heights(double origin_z, std::size_t columns, std::span<const double> heights) {
  bool sound = true;
  for (const double h : heights) sound &= (h != h) | ((origin_z + h) - (origin_z + h) == 0);
  if (sound) return;
  for (std::size_t k = 0; k < heights.size(); ++k) {
    const double h = heights[k], z = origin_z + h;
    if (h != h || is_finite(z)) continue;
    const std::string at = "heightfield: heights[" + std::to_string(k / columns) + "][" + std::to_string(k % columns) + "]";
    if (!is_finite(h)) throw Error(ErrorCode::invalid_shape, at + " is " + text(h) + ", must be finite, or NaN for a hole");
    throw Error(ErrorCode::overflow, at + " is " + text(h) + ", which with origin.z " + text(origin_z) + " is beyond the largest double");
  }
}

}  // namespace

Mesh HeightField::made_of(const std::shared_ptr<const Grid>& grid) {
  const DefaultFloatEnvironment guard;
  const auto& [origin, dx, dy, columns, heights] = *grid;
  require_finite("heightfield: origin", origin);
  for (const auto& [name, value] : {std::pair{"dx", dx}, std::pair{"dy", dy}})
    if (!(is_finite(value) && value > 0))
      throw Error(ErrorCode::invalid_shape, std::string("heightfield: spacing ") + name + " is " + text(value) + ", must be finite and > 0");
  if (columns < 2) throw Error(ErrorCode::invalid_shape, "heightfield: columns is " + std::to_string(columns) + ", must be at least 2");
  if (heights.size() % columns != 0 || heights.size() / columns < 2)
    throw Error(ErrorCode::invalid_shape,
                "heightfield: " + std::to_string(heights.size()) + " heights given, must be at least two full rows of " + std::to_string(columns));
  const std::size_t rows = heights.size() / columns;
  if (heights.size() > 0xFFFFFFFFull || 2 * (rows - 1) * (columns - 1) > 0xFFFFFFFFull)
    throw Error(ErrorCode::overflow,
                "heightfield: " + std::to_string(rows) + " x " + std::to_string(columns) + " heights are more than 32-bit triangle numbers reach");
  check_heights(origin.z, columns, heights);
  return Mesh(mesh_of_field({grid_line(origin.x, dx, columns, "x"), grid_line(origin.y, dy, rows, "y"), origin.z, heights, grid}));
}

HeightField::HeightField(const Vec3& origin, double dx, double dy, std::size_t columns, std::span<const double> heights)
    : grid_(std::make_shared<const Grid>(Grid{origin, dx, dy, columns, std::vector<double>(heights.begin(), heights.end())})), mesh_(made_of(grid_)) {}

const Mesh& HeightField::mesh() const {
  const DefaultFloatEnvironment guard;
  impl().complete();
  return mesh_;
}

double largest_coordinate(const HeightField& field) { return field.impl().largest_coordinate; }

}  // namespace graze
