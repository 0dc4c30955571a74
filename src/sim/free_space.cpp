// Marks the cells that members touch, and widens the marks.
#include "sim/free_space.hpp"

#include <algorithm>
#include <bit>
#include <graze/query.hpp>
#include <limits>
#include <span>

namespace graze {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

bool has_bounds(const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (!(b.min[k] >= -kLargest && b.max[k] <= kLargest && b.min[k] <= b.max[k])) return false;
  return true;
}

bool is_identity(const Pose& p) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (p.rotation[i][j] != (i == j ? 1 : 0)) return false;
  return p.translation == Vec3(0, 0, 0);
}

Box box_of(const AnyShape& shape, const Pose& pose) { return is_identity(pose) ? bounding_box(shape) : bounding_box(at(shape, pose)); }

std::size_t triangles_of(const Scene& scene) {
  std::size_t n = 0;
  for (const MemberId id : scene.members())
    if (const Mesh* mesh = scene.shape(id).get<Mesh>()) n += mesh->triangles().size();
  return n;
}

/// As many cells as keep small triangles apart, within 16 times their bytes or so.
double cells_for(std::size_t triangles) { return std::clamp(16.0 * static_cast<double>(triangles), 0x1p18, 0x1p24); }

}  // namespace

class FreeSpace::Maker {
 public:
  explicit Maker(FreeSpace& s) : s_(s) {}

  bool measure(const Scene& scene) {
    Box all{Vec3(kLargest), Vec3(-kLargest)}, meshes = all;
    for (const MemberId id : scene.members()) {
      const AnyShape& shape = scene.shape(id);
      const Box box = box_of(shape, scene.pose(id));
      if (!has_bounds(box)) continue;
      Box& to = shape.get<Mesh>() ? meshes : all;
      for (int k = 0; k < 3; ++k) {
        to.min[k] = std::min(to.min[k], box.min[k]);
        to.max[k] = std::max(to.max[k], box.max[k]);
      }
    }
    const Box& whole = has_bounds(meshes) ? meshes : all;
    if (!has_bounds(whole)) return false;
    double side[3], longest = 0, far = 0;
    for (int k = 0; k < 3; ++k) {
      side[k] = whole.max[k] - whole.min[k];
      longest = std::max(longest, side[k]);
      far = std::max({far, std::fabs(whole.min[k]), std::fabs(whole.max[k])});
    }
    if (!(longest > 0x1p-400 && far < 0x1p400)) return false;
    extent_ = longest;
    double volume = 1;
    for (double& x : side) {
      x = std::max(x, longest * 0x1p-5);
      volume *= x / longest;
    }
    // length of a cell: volume / cell^3 = cells wanted
    double cell = longest * 0x1p-9;
    const double wanted = cells_for(triangles_of(scene));
    while (volume * (longest / cell) * (longest / cell) * (longest / cell) > wanted) cell *= 1.0625;
    if (!(cell > far * 0x1p-39)) return false;
    s_.inverse_ = 1 / cell;
    for (int k = 0; k < 3; ++k) {
      const double n = std::max(1.0, side[k] * s_.inverse_) + 3;  // a cell on each side, and what is cut off
      cells_[k] = static_cast<std::size_t>(n);
      s_.limit_[k] = static_cast<double>(cells_[k]);
      s_.lower_[k] = whole.min[k] - 1.25 * cell;
    }
    s_.rows_ = cells_[1];
    s_.row_words_ = (cells_[0] + 63) / 64;
    s_.words_ = s_.row_words_ * s_.rows_ * cells_[2];
    cell_ = cell;
    return true;
  }

  bool mark(const Scene& scene) {
    s_.bits_.assign(1 + s_.words_, 0);
    s_.bits_[0] = ~std::uint64_t{0};
    for (const MemberId id : scene.members()) {
      const AnyShape& shape = scene.shape(id);
      const Pose& pose = scene.pose(id);
      if (const Mesh* mesh = shape.get<Mesh>()) {
        mark_mesh(*mesh, pose);
        continue;
      }
      const Placed placed = at(shape, pose);
      const Box box = bounding_box(placed);
      // Curved shapes meet others up to 2^-39 of their size too early: that must stay below the pad.
      if (!has_bounds(box) && shape.get<Compound>()) return false;
      if (has_bounds(box))
        for (int k = 0; k < 3; ++k)
          if (!(box.max[k] - box.min[k] < extent_ * 0x1p16)) return false;
      std::size_t from[3], to[3];
      bool outside = false;
      for (int k = 0; k < 3; ++k) {
        from[k] = cell_below((box.min[k] - s_.lower_[k]) * s_.inverse_ - kPad, k);
        to[k] = cell_below((box.max[k] - s_.lower_[k]) * s_.inverse_ + kPad, k);
        outside = outside || !(box.min[k] <= s_.lower_[k] + s_.limit_[k] * cell_ && box.max[k] >= s_.lower_[k]);
      }
      if (!outside) mark_shape(ShapeRef(placed), from, to);
    }
    return true;
  }

  /// Radii 0, 1, 2, 3, 4, 6, 8, 12, 16.
  bool widen() {
    static constexpr int radii[] = {0, 1, 2, 3, 4, 6, 8, 12, 16};
    constexpr std::size_t levels = std::size(radii);
    for (std::size_t r = 0, level = 0; r <= kMostCells; ++r) {
      if (static_cast<std::size_t>(radii[level]) < r) ++level;
      s_.level_of_[r] = static_cast<std::uint8_t>(level);
    }
    s_.bits_.resize(1 + s_.words_ * levels);
    for (std::size_t level = 1; level < levels; ++level) {
      const auto from = s_.bits_.begin() + static_cast<std::ptrdiff_t>(1 + (level - 1) * s_.words_), to = from + static_cast<std::ptrdiff_t>(s_.words_);
      std::copy(from, to, to);
      for (int k = radii[level - 1]; k < radii[level]; ++k) widen_by_one(&*to);
      if (level > 1) continue;
      std::size_t marked = 0;
      for (std::size_t i = 0; i < s_.words_; ++i) marked += static_cast<std::size_t>(std::popcount(to[static_cast<std::ptrdiff_t>(i)]));
      if (marked > s_.words_ * 48) return false;
    }
    return true;
  }

 private:
  /// The cell of a coordinate in units of cells, clamped to the grid.
  std::size_t cell_below(double c, int k) const { return c > 0 ? std::min(static_cast<std::size_t>(std::min(c, 0x1p20)), cells_[k] - 1) : 0; }

  void set_row(std::size_t x0, std::size_t x1, std::size_t y, std::size_t z) {
    std::uint64_t* row = &s_.bits_[1 + (z * s_.rows_ + y) * s_.row_words_];
    for (std::size_t w = x0 / 64; w <= x1 / 64; ++w) {
      std::uint64_t bits = ~std::uint64_t{0};
      if (w == x0 / 64) bits &= ~std::uint64_t{0} << (x0 % 64);
      if (w == x1 / 64) bits &= ~std::uint64_t{0} >> (63 - x1 % 64);
      row[w] |= bits;
    }
  }
  void set_cells(const std::size_t* from, const std::size_t* to) {
    for (std::size_t z = from[2]; z <= to[2]; ++z)
      for (std::size_t y = from[1]; y <= to[1]; ++y) set_row(from[0], to[0], y, z);
  }

  /// Corners in units of cells. Cut in four until its box is no more than what it touches, or nearly so; middles are rounded by far less than the pad.
  void mark_triangle(const Vec3& a, const Vec3& b, const Vec3& c, int depth) {
    std::size_t from[3], to[3];
    int wide = 0;
    for (int k = 0; k < 3; ++k) {
      from[k] = cell_below(std::min({a[k], b[k], c[k]}) - kPad, k);
      to[k] = cell_below(std::max({a[k], b[k], c[k]}) + kPad, k);
      wide += to[k] > from[k] + 1 ? 1 : 0;
    }
    if (wide < 2 || depth == 0) return set_cells(from, to);
    const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    mark_triangle(a, ab, ca, depth - 1);
    mark_triangle(ab, b, bc, depth - 1);
    mark_triangle(ca, bc, c, depth - 1);
    mark_triangle(ab, bc, ca, depth - 1);
  }

  void mark_mesh(const Mesh& mesh, const Pose& pose) {
    const std::span<const Vec3> vertices = mesh.vertices();
    LargeArray<Vec3> at(vertices.size());
    for (std::size_t i = 0; i < at.size(); ++i)
      for (int k = 0; k < 3; ++k) {  // as Pose::apply, but for roundings
        const double x = ((pose.rotation[k][0] * vertices[i].x + pose.rotation[k][1] * vertices[i].y) + pose.rotation[k][2] * vertices[i].z) + pose.translation[k];
        at[i][k] = (x - s_.lower_[k]) * s_.inverse_;
      }
    for (const TriangleIndices& t : mesh.triangles()) mark_triangle(at[t[0]], at[t[1]], at[t[2]], 12);
  }

  /// Halves the range of cells down to blocks of a 32nd of the grid, as long as the shape meets it.
  void mark_shape(ShapeRef shape, const std::size_t* from, const std::size_t* to) {
    Box box;
    std::size_t most = 0;
    int widest = 0;
    for (int k = 0; k < 3; ++k) {
      box.min[k] = s_.lower_[k] + (static_cast<double>(from[k]) - 2 * kPad) * cell_;
      box.max[k] = s_.lower_[k] + (static_cast<double>(to[k]) + 1 + 2 * kPad) * cell_;
      if (to[k] - from[k] > most) {
        most = to[k] - from[k];
        widest = k;
      }
    }
    if (!intersects(box, shape)) return;
    if (most < std::max({cells_[0], cells_[1], cells_[2]}) / 32 + 1) return set_cells(from, to);
    std::size_t middle[3] = {to[0], to[1], to[2]}, after[3] = {from[0], from[1], from[2]};
    middle[widest] = (from[widest] + to[widest]) / 2;
    after[widest] = middle[widest] + 1;
    mark_shape(shape, from, middle);
    mark_shape(shape, after, to);
  }

  /// Along x, then y, then z.
  void widen_by_one(std::uint64_t* bits) {
    const std::size_t n = s_.row_words_, rows = s_.rows_ * cells_[2];
    for (std::size_t r = 0; r < rows; ++r) {
      std::uint64_t* row = bits + r * n;
      std::uint64_t before = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t here = row[i], next = i + 1 < n ? row[i + 1] : 0;
        row[i] = here | (here << 1 | before >> 63) | (here >> 1 | next << 63);
        before = here;
      }
    }
    for (std::size_t z = 0; z < cells_[2]; ++z) widen_across(bits + z * s_.rows_ * n, s_.rows_, n);
    widen_across(bits, cells_[2], s_.rows_ * n);
  }
  /// `count` runs of `n` words, each joined with its neighbours.
  void widen_across(std::uint64_t* bits, std::size_t count, std::size_t n) {
    before_.assign(n, 0);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t *run = bits + i * n, *last = before_.data();
      const std::uint64_t* next = i + 1 < count ? run + n : nullptr;
      for (std::size_t k = 0; k < n; ++k) {
        const std::uint64_t here = run[k];
        run[k] = here | last[k] | (next ? next[k] : 0);
        last[k] = here;
      }
    }
  }

  FreeSpace& s_;
  std::size_t cells_[3] = {0, 0, 0};
  double cell_ = 0, extent_ = 0;
  std::vector<std::uint64_t> before_;
};

std::shared_ptr<const FreeSpace> FreeSpace::of(const Scene& scene) {
  std::shared_ptr<FreeSpace> space(new FreeSpace);
  Maker maker(*space);
  if (!maker.measure(scene) || !maker.mark(scene) || !maker.widen()) return nullptr;
  return space;
}

std::uint64_t FreeSpace::worth(const Scene& scene) {
  const std::size_t triangles = triangles_of(scene);
  return triangles / 4 + static_cast<std::uint64_t>(cells_for(triangles)) / 64;
}

}  // namespace graze
