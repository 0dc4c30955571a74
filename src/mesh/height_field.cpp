// Converts height fields to meshes: a grid of heights, with holes left out.
#include <cstdint>
#include <graze/error.hpp>
#include <graze/shapes/height_field.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exact/big.hpp"
#include "math/limits.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

// origin + i * step, rounded once. Double-double arithmetic would not achieve that.
std::vector<double> grid_line(double origin, double step, std::size_t n, const char* axis) {
  std::vector<double> r(n);
  for (std::size_t i = 0; i < n; ++i) {
    r[i] = to_double(Dyadic(origin) + Dyadic(static_cast<double>(i)) * Dyadic(step));
    // Rounding to nearest saturates at the largest double; a sum beyond it is not representable.
    if (i > 0 && (r[i] == kLargest || !is_finite(r[i])))
      throw Error(ErrorCode::overflow, std::string("heightfield: ") + axis + " of grid line " + std::to_string(i) + " is beyond the largest double");
  }
  return r;
}

Mesh build(const Vec3& origin, double dx, double dy, std::size_t columns, std::span<const double> heights) {
  const DefaultFloatEnvironment guard;
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
  std::vector<std::uint8_t> solid(heights.size());
  std::vector<double> z(heights.size());
  for (std::size_t k = 0; k < heights.size(); ++k) {
    const double h = heights[k];
    if (h != h) continue;  // a hole
    auto at = [&] { return "heightfield: heights[" + std::to_string(k / columns) + "][" + std::to_string(k % columns) + "]"; };
    if (!is_finite(h)) throw Error(ErrorCode::invalid_shape, at() + " is " + text(h) + ", must be finite, or NaN for a hole");
    z[k] = origin.z + h;
    if (!is_finite(z[k]))
      throw Error(ErrorCode::overflow, at() + " is " + text(h) + ", which with origin.z " + text(origin.z) + " is beyond the largest double");
    solid[k] = 1;
  }
  const std::vector<double> x = grid_line(origin.x, dx, columns, "x"), y = grid_line(origin.y, dy, rows, "y");

  // Keeps only vertices that a triangle uses, so that the mesh's bounds are those of the surface.
  constexpr std::uint32_t unused = 0xFFFFFFFFu;
  std::vector<std::uint8_t> used(heights.size());
  std::vector<std::uint32_t> number(heights.size(), unused);
  MeshData data;
  auto cells = [&](auto&& take) {
    for (std::size_t j = 0; j + 1 < rows; ++j)
      for (std::size_t i = 0; i + 1 < columns; ++i) {
        const std::size_t a = j * columns + i, b = a + 1, c = b + columns, d = a + columns;
        if (solid[a] && solid[b] && solid[c]) take(a, b, c);
        if (solid[a] && solid[c] && solid[d]) take(a, c, d);
      }
  };
  std::size_t triangles = 0;
  cells([&](std::size_t a, std::size_t b, std::size_t c) {
    used[a] = used[b] = used[c] = 1;
    ++triangles;
  });
  data.triangles.reserve(triangles);
  data.vertices.reserve(heights.size());
  for (std::size_t j = 0, k = 0; j < rows; ++j)
    for (std::size_t i = 0; i < columns; ++i, ++k) {
      if (!used[k]) continue;
      number[k] = static_cast<std::uint32_t>(data.vertices.size());
      data.vertices.emplace_back(x[i], y[j], z[k]);
    }
  cells([&](std::size_t a, std::size_t b, std::size_t c) { data.triangles.push_back({number[a], number[b], number[c]}); });
  return Mesh(std::move(data), Build::fast);  // on a grid it finds nearly the best tree, in a third of the time
}

}  // namespace

HeightField::HeightField(const Vec3& origin, double dx, double dy, std::size_t columns, std::span<const double> heights)
    : mesh_(build(origin, dx, dy, columns, heights)),
      grid_(std::make_shared<const Grid>(Grid{origin, dx, dy, columns, std::vector<double>(heights.begin(), heights.end())})) {}

}  // namespace graze
