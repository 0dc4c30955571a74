// Builds the free-space grid: marks the cells that members touch, and dilates the marks.
#include "sim/free_space.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "math/limits.hpp"
#include "scene/particle_path.hpp"
#include "shapes/pose.hpp"

namespace graze {
namespace {

bool has_bounds(const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (!(b.min[k] >= -kLargest && b.max[k] <= kLargest && b.min[k] <= b.max[k])) return false;
  return true;
}

std::size_t triangles_of(const Scene& scene) {
  std::size_t n = 0;
  for (const MemberId id : scene.members())
    if (const Mesh* mesh = scene.shape(id).get<Mesh>()) n += mesh->triangles().size();
  return n;
}

/// Number of cells: enough to separate small triangles, with 8 bytes of bits per triangle.
double cells_for(std::size_t triangles) { return std::clamp(8.0 * static_cast<double>(triangles), 0x1p18, 0x1p24); }

}  // namespace

class FreeSpace::Maker {
  static constexpr int kMeetingCost = 8;  // in pieces of triangles, see work_left_; a choice, as all numbers that bound the work

 public:
  explicit Maker(FreeSpace& s) : s_(s) {}

  bool measure(const Scene& scene) {
    Box all{Vec3(kLargest), Vec3(-kLargest)}, meshes = all;
    for (const MemberId id : scene.members()) {
      const AnyShape& shape = scene.shape(id);
      const Box box = SceneAccess::box(scene, id);
      boxes_.push_back(box);
      if (!has_bounds(box)) continue;
      Box& to = shape.get<Mesh>() ? meshes : all;
      for (int k = 0; k < 3; ++k) {
        to.min[k] = std::min(to.min[k], box.min[k]);
        to.max[k] = std::max(to.max[k], box.max[k]);
      }
    }
    const Box& whole = has_bounds(meshes) ? meshes : all;
    if (!has_bounds(whole)) return false;
    s_.holds_all_ = true;
    for (const Box& box : boxes_)
      for (int k = 0; k < 3; ++k) s_.holds_all_ = s_.holds_all_ && (box.min[k] > box.max[k] || (box.min[k] >= whole.min[k] && box.max[k] <= whole.max[k]));
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
      x = std::max(x, longest * 0x1p-5);  // a flat scene counts as this thick
      volume *= x / longest;
    }
    // Cell size: the number of cells is volume / cell^3. It grows from 2^-9 of the longest side in steps of a sixteenth until there are few enough.
    double cell = longest * 0x1p-9;
    const double wanted = cells_for(triangles_of(scene));
    while (volume * (longest / cell) * (longest / cell) * (longest / cell) > wanted) cell *= 1.0625;
    if (!(cell > far * 0x1p-36)) return false;  // positions in units of cells are then off by a few u * 2^37, far below kPad = 2^-10
    s_.inverse_ = 1 / cell;
    for (int k = 0; k < 3; ++k) {
      const double n = std::max(1.0, side[k] * s_.inverse_) + 3;  // one cell on each side, and the part lost to truncation
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

  /// Returns false if a grid would be useless: members without structure that are so large that they pass through most cells, or through the same cells many
  /// times. Models of all kinds need at most a third of the work allowed.
  bool mark(const Scene& scene) {
    marks_.assign(s_.words_, 0);
    work_left_ = static_cast<std::int64_t>(4 * triangles_of(scene) + cells_[0] * cells_[1] * cells_[2] + 1024 * kMeetingCost * scene.size());
    std::size_t number = 0;
    for (const MemberId id : scene.members()) {
      const AnyShape& shape = scene.shape(id);
      const Pose& pose = scene.pose(id);
      const Box& box = boxes_[number++];
      if (const Mesh* mesh = shape.get<Mesh>()) {
        if (!mark_mesh(*mesh, pose)) return false;
        continue;
      }
      const Placed placed = at(shape, pose);
      // Curved shapes report contact up to 2^-39 of their size too early. This must stay below the pad: 2^16 extents of at most 2^9 cells make it 2^-14.
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
      if (work_left_ < 0) return false;
    }
    return true;
  }

  /// Builds the levels for the radii 1, 2, 3, 4, 6, 8, 12, 16.
  bool widen() {
    static constexpr int radii[] = {1, 2, 3, 4, 6, 8, 12, 16};
    static_assert(radii[std::size(radii) - 1] == kMostCells);
    constexpr std::size_t levels = std::size(radii);
    for (int r = 0, level = 0; r < kMostCells; ++r) {
      if (radii[level] <= r) ++level;
      s_.level_of_[r] = static_cast<std::uint8_t>(level);
    }
    s_.bits_.resize(1 + s_.words_ * levels);
    s_.bits_[0] = ~(std::uint64_t{1} << kClear);
    LargeArray<std::uint64_t> along_x(s_.words_), along_y(s_.words_);
    const std::uint64_t* from = marks_.data();
    for (std::size_t level = 0; level < levels; ++level) {
      // Dilating by r and then shifting by s <= r both ways dilates by r + s without leaving out a cell in between.
      const int more = level > 0 ? radii[level] - radii[level - 1] : 1;
      std::uint64_t* to = &s_.bits_[1 + level * s_.words_];
      widen_rows(from, static_cast<unsigned>(more), along_x.data());
      for (std::size_t z = 0; z < cells_[2]; ++z)
        join(&along_x[z * s_.rows_ * s_.row_words_], s_.rows_, s_.row_words_, static_cast<std::size_t>(more), &along_y[z * s_.rows_ * s_.row_words_]);
      join(along_y.data(), cells_[2], s_.rows_ * s_.row_words_, static_cast<std::size_t>(more), to);
      from = to;
      if (level > 0) continue;
      std::size_t marked = 0;
      for (std::size_t i = 0; i < s_.words_; ++i) marked += static_cast<std::size_t>(std::popcount(to[i]));
      if (marked > cells_[0] * cells_[1] * cells_[2] / 4 * 3) return false;
    }
    return true;
  }

 private:
  /// The cell of a coordinate given in units of cells, clamped to the grid.
  std::size_t cell_below(double c, int k) const { return c > 0 ? std::min(static_cast<std::size_t>(std::min(c, 0x1p20)), cells_[k] - 1) : 0; }

  void set_row(std::size_t x0, std::size_t x1, std::size_t y, std::size_t z) {
    std::uint64_t* row = &marks_[(z * s_.rows_ + y) * s_.row_words_];
    for (std::size_t w = x0 / 64; w <= x1 / 64; ++w) {
      std::uint64_t bits = ~std::uint64_t{0};
      if (w == x0 / 64) bits &= ~std::uint64_t{0} << (x0 % 64);
      if (w == x1 / 64) bits &= ~std::uint64_t{0} >> (63 - x1 % 64);
      row[w] |= bits;
    }
  }
  void set_cells(const std::size_t* from, const std::size_t* to) {
    if (from[0] / 64 == to[0] / 64) {
      const std::uint64_t bits = (~std::uint64_t{0} << (from[0] % 64)) & (~std::uint64_t{0} >> (63 - to[0] % 64));
      for (std::size_t z = from[2]; z <= to[2]; ++z)
        for (std::size_t y = from[1]; y <= to[1]; ++y) marks_[(z * s_.rows_ + y) * s_.row_words_ + from[0] / 64] |= bits;
      return;
    }
    for (std::size_t z = from[2]; z <= to[2]; ++z)
      for (std::size_t y = from[1]; y <= to[1]; ++y) set_row(from[0], to[0], y, z);
  }

  // Corners of triangles in units of 2^-20 cells. The error of each is a few units, far less than the pad.
  static constexpr int kFraction = 20;
  static constexpr std::int32_t kFixedPad = static_cast<std::int32_t>(kPad * (1 << kFraction));
  struct Fixed {
    std::int32_t at[3];
  };
  static Fixed middle(const Fixed& a, const Fixed& b) {
    Fixed m;
    for (int k = 0; k < 3; ++k) m.at[k] = a.at[k] + (b.at[k] - a.at[k]) / 2;
    return m;
  }

  /// Splits the triangle in four until its box is no larger than the cells that it touches, or nearly so.
  void mark_triangle(const Fixed& a, const Fixed& b, const Fixed& c) {
    std::size_t from[3], to[3];
    int wide = 0;
    for (int k = 0; k < 3; ++k) {
      from[k] = static_cast<std::size_t>((std::min(std::min(a.at[k], b.at[k]), c.at[k]) - kFixedPad) >> kFraction);
      to[k] = static_cast<std::size_t>((std::max(std::max(a.at[k], b.at[k]), c.at[k]) + kFixedPad) >> kFraction);
      wide += to[k] > from[k] + 1 ? 1 : 0;
    }
    --work_left_;
    if (wide < 2) return set_cells(from, to);
    const Fixed ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    mark_triangle(a, ab, ca);
    mark_triangle(ab, b, bc);
    mark_triangle(ca, bc, c);
    mark_triangle(ab, bc, ca);
  }

  bool mark_mesh(const Mesh& mesh, const Pose& pose) {
    const std::span<const Vec3> vertices = mesh.vertices();
    const bool placed = !is_identity(pose);
    LargeArray<Fixed> at(vertices.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Vec3 p = placed ? pose.apply(vertices[i]) : vertices[i];
      for (int k = 0; k < 3; ++k)  // all corners of triangles lie in the grid, more than a cell from its sides
        at[i].at[k] = static_cast<std::int32_t>(std::clamp((p[k] - s_.lower_[k]) * s_.inverse_, 0.5, s_.limit_[k] - 0.5) * (1 << kFraction));
    }
    for (const TriangleIndices& t : mesh.triangles()) {
      mark_triangle(at[t[0]], at[t[1]], at[t[2]]);
      if (work_left_ < 0) return false;
    }
    return true;
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
    work_left_ -= kMeetingCost;
    if (work_left_ < 0 || !intersects(box, shape)) return;
    if (most < std::max({cells_[0], cells_[1], cells_[2]}) / 32 + 1) return set_cells(from, to);
    std::size_t middle[3] = {to[0], to[1], to[2]}, after[3] = {from[0], from[1], from[2]};
    middle[widest] = (from[widest] + to[widest]) / 2;
    after[widest] = middle[widest] + 1;
    mark_shape(shape, from, middle);
    mark_shape(shape, after, to);
  }

  void widen_rows(const std::uint64_t* from, unsigned by, std::uint64_t* to) const {
    const std::size_t n = s_.row_words_, rows = s_.rows_ * cells_[2];
    for (std::size_t r = 0; r < rows; ++r, from += n, to += n)
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t before = i > 0 ? from[i - 1] : 0, here = from[i], next = i + 1 < n ? from[i + 1] : 0;
        to[i] = here | (here << by | before >> (64 - by)) | (here >> by | next << (64 - by));
      }
  }
  /// Writes to each of `count` runs of `n` words the OR of that run and the runs `by` before and after it.
  static void join(const std::uint64_t* from, std::size_t count, std::size_t n, std::size_t by, std::uint64_t* to) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t *here = from + i * n, *before = i >= by ? here - by * n : here, *after = i + by < count ? here + by * n : here;
      std::uint64_t* out = to + i * n;
      for (std::size_t k = 0; k < n; ++k) out[k] = here[k] | before[k] | after[k];
    }
  }

  FreeSpace& s_;
  std::vector<Box> boxes_;  // boxes of the members
  std::size_t cells_[3] = {0, 0, 0};
  double cell_ = 0, extent_ = 0;
  LargeArray<std::uint64_t> marks_;  // radius 0, row by row
  std::int64_t work_left_ = 0;       // in pieces of triangles; one test of a shape against a box costs kMeetingCost pieces
};

std::shared_ptr<const FreeSpace> FreeSpace::of(const Scene& scene) {
  std::shared_ptr<FreeSpace> space(new FreeSpace);
  Maker maker(*space);
  if (!maker.measure(scene) || !maker.mark(scene) || !maker.widen()) return nullptr;
  return space;
}

std::uint64_t FreeSpace::worth(const Scene& scene) {
  const std::size_t triangles = triangles_of(scene);
  return triangles / 8 + static_cast<std::uint64_t>(cells_for(triangles)) / 128 + 256 * scene.size();
}

}  // namespace graze
