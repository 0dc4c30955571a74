// The tree of a field is the grid's own: a leaf has two neighbouring cells of a row, a node of level 1 has 4 x 4 cells, one of level 2 16 x 8, a tile (level 3)
// 32 x 32, and so on, each of 2 x 4 or 4 x 2 below it. Only nodes, leaves, vertices and triangles that exist get numbers, so that without reading heights again
// every tile knows where its own are: nodes are numbered from the root down to the tiles, then tile by tile; leaves and positions of items tile by tile;
// triangles and vertices row by row, which takes a number for each row of each tile.
#include "mesh/field_tiles.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include "math/limits.hpp"
#include "platform/parallel.hpp"
#include "platform/small_pages.hpp"

namespace graze {
namespace {

constexpr int kSide = 32;  // cells of a tile's side
constexpr int kTileLevel = 3;
constexpr std::size_t kTilesAtOnce = 4;  // of a task; a choice
constexpr std::uint32_t kNoLowest = ~0u;

/// How many nodes of the level below lie side by side in one of this level; at level 1, how many leaves.
struct Split {
  std::uint32_t x, y;
};
constexpr Split split(int level) { return level % 2 == 1 ? Split{2, 4} : Split{4, 2}; }

/// The cells of a node of a level.
struct Cells {
  std::uint64_t x = 2, y = 1;  // of a leaf
};
constexpr Cells cells(int level) {
  Cells c;
  for (int l = 1; l <= level; ++l) c = {c.x * split(l).x, c.y * split(l).y};
  return c;
}
static_assert(cells(kTileLevel).x == kSide && cells(kTileLevel).y == kSide);

std::uint32_t bits_in(std::uint64_t x) { return static_cast<std::uint32_t>(std::popcount(x)); }

/// A tile by its column and row.
struct TileAt {
  std::uint32_t x, y;
};

/// The triangles and vertices in and around a tile. Bit 1 + i belongs to column i of the tile.
class TileBits {
 public:
  /// Row j of the tile, -1 <= j <= kSide + 1, -1 <= i <= kSide: which vertices are no holes.
  void set(int j, std::uint64_t solid) { solid_[j + 1] = solid; }

  static constexpr std::uint64_t kOwn = ((std::uint64_t{1} << kSide) - 1) << 1;  ///< the tile's own columns

  /// Row j of cells, -1 <= j <= kSide: which of their lower and upper triangles exist.
  std::uint64_t lower(int j) const { return solid_[j + 1] & solid_[j + 1] >> 1 & solid_[j + 2] >> 1; }
  std::uint64_t upper(int j) const { return solid_[j + 1] & solid_[j + 2] >> 1 & solid_[j + 2]; }
  /// Row j of vertices, 0 <= j <= kSide: which are used by any triangle; by the tile's own, 0 <= i <= kSide.
  std::uint64_t used(int j) const { return corners(lower(j), upper(j), lower(j - 1), upper(j - 1)) & kOwn; }
  std::uint64_t own_corners(int j) const {
    const std::uint64_t above = j < kSide ? kOwn : 0, below = j > 0 ? kOwn : 0;
    return corners(lower(j) & above, upper(j) & above, lower(j - 1) & below, upper(j - 1) & below);
  }
  /// Row j of the tile's cells: bit i: cell i has a triangle.
  std::uint32_t own_cells(int j) const { return static_cast<std::uint32_t>(((lower(j) | upper(j)) & kOwn) >> 1); }

 private:
  static std::uint64_t corners(std::uint64_t lower, std::uint64_t upper, std::uint64_t lower_below, std::uint64_t upper_below) {
    return lower | upper | lower << 1 | (lower_below | upper_below) << 1 | upper_below;
  }
  std::uint64_t solid_[kSide + 3];
};

/// The next float outside an interval of floats.
QueryBox rounded_outward(const float* lo, const float* hi) {
  QueryBox box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = -rounded_up(-static_cast<double>(lo[k]));
    box.hi[k] = rounded_up(hi[k]);
  }
  return box;
}

/// A node without children.
WideNode empty_node() {
  WideNode node;
  std::memset(static_cast<void*>(&node), 0, sizeof node);
  for (int k = 0; k < 3; ++k) {
    std::fill_n(node.plane[k], kWidth, 2.0f);
    std::fill_n(node.plane[3 + k], kWidth, -2.0f);
  }
  node.lowest = kNoLowest;
  return node;
}

void add_child(WideNode& node, std::uint32_t child, std::uint32_t count) {
  node.child[node.used] = child;
  node.count[node.used] = static_cast<std::uint8_t>(count);
  node.leaves |= (count != 0 ? 1u : 0u) << node.used;
  ++node.used;
}

/// How many of the groups of `width` bits have any that is set.
std::uint32_t groups(std::uint32_t bits, std::uint64_t width) {
  for (std::uint64_t step = 1; step < width; step *= 2) bits |= bits >> step;
  std::uint32_t firsts = 0;
  for (std::uint64_t at = 0; at < kSide; at += width) firsts |= 1u << at;
  return bits_in(bits & firsts);
}

struct Extremes {
  double lo, hi;
};
/// Of the numbers whose bits are set.
Extremes extremes(const double* x, std::uint64_t which) {
  double lo = x[std::countr_zero(which)], hi = lo;
  for (; which != 0; which &= which - 1) {
    const double at = x[std::countr_zero(which)];
    lo = std::min(lo, at);
    hi = std::max(hi, at);
  }
  return {lo, hi};
}

/// What a tile has: how much, then where its own begins. Its root is not among the nodes.
struct Share {
  std::uint32_t nodes = 0, leaves = 0, triangles = 0;
};

/// Of a tile, while the upper part of the tree is made.
struct Summary {
  Box3 box;
  Share share;
};

class FieldTiles final : public NodeSource {
 public:
  explicit FieldTiles(FieldGrid&& grid);
  virtual ~FieldTiles() = default;
  static std::shared_ptr<const MeshImpl> mesh(const std::shared_ptr<FieldTiles>& tiles);

  void make(const WideNode& node) const override;
  void make_item(std::uint32_t item) const override;
  void make_all() const override;

 private:
  friend class TileMaker;
  std::size_t columns() const { return grid_.x.size(); }
  std::size_t rows() const { return grid_.y.size(); }
  double z(std::size_t j, std::size_t i) const { return grid_.z + grid_.heights[j * columns() + i]; }
  bool solid(std::size_t j, std::size_t i) const { return z(j, i) == z(j, i); }
  std::size_t tile_number(const TileAt& t) const { return std::size_t{t.y} * across_ + t.x; }
  std::size_t run(std::size_t row, std::size_t tile_column) const { return row * across_ + tile_column; }

  TileBits bits_of(const TileAt& tile) const;
  Summary summarize(const TileAt& tile);
  void number_nodes(std::span<const Summary> all);
  void set_upper_boxes(std::span<const Summary> all);
  double first_zero() const;
  void make_vertices(const TileAt& tile) const;

  FieldGrid grid_;
  std::uint32_t across_, along_;  ///< tiles side by side, and one behind another
  int root_level_ = 1;
  std::vector<std::uint32_t> triangle_before_, vertex_before_;  ///< by run(), a row of a tile: how many come before it
  std::vector<TileAt> tiles_;                                   ///< those with triangles, in the order of their roots
  std::vector<Share> share_;                                    ///< of each
  std::vector<std::uint32_t> root_of_;                          ///< by tile_number(): the node
  std::uint32_t first_root_ = 0;
  Share all_;
  Box3 bounds_;
  LocalFrame frame_;
  std::unique_ptr<std::once_flag[]> made_, vertices_made_;
  mutable std::atomic<bool> all_made_{false};
  // Written where tiles are made, but for the upper nodes.
  mutable LargeArray<WideNode> nodes_;
  mutable LargeArray<TriangleBlock> blocks_;
  mutable LargeArray<Vec3> vertices_;
  mutable LargeArray<TriangleIndices> triangles_;
  mutable LargeArray<std::uint32_t> items_;
};

// ---- the upper part ----------------------------------------------------------------------------------------------------------------------

FieldTiles::FieldTiles(FieldGrid&& grid)
    : grid_(std::move(grid)), across_(static_cast<std::uint32_t>((columns() - 1) / kSide + 1)), along_(static_cast<std::uint32_t>((rows() - 1) / kSide + 1)) {
  while (cells(root_level_).x < columns() - 1 || cells(root_level_).y < rows() - 1) ++root_level_;
  const std::size_t tiles = std::size_t{across_} * along_;
  triangle_before_.resize(rows() * across_ + 1);
  vertex_before_.resize(rows() * across_ + 1);
  std::vector<Summary> all(tiles);
  parallel_for(tiles, kTilesAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) all[t] = summarize({static_cast<std::uint32_t>(t % across_), static_cast<std::uint32_t>(t / across_)});
  });
  for (std::vector<std::uint32_t>* const numbers : {&triangle_before_, &vertex_before_}) {
    std::uint32_t sum = 0;
    for (std::uint32_t& n : *numbers) n = std::exchange(sum, sum + n);
  }
  if (triangle_before_.back() == 0) return;
  for (const Summary& s : all) bounds_.add(s.box);
  if (grid_.z == 0 && std::signbit(grid_.z))  // of zeros of both signs, bounds have the first
    for (double* const x : {&bounds_.lo.z, &bounds_.hi.z})
      if (*x == 0) *x = first_zero();
  frame_ = WideBvh::with_frame(bounds_).frame();
  number_nodes(all);
  set_upper_boxes(all);
  made_ = std::make_unique<std::once_flag[]>(tiles_.size());
  vertices_made_ = std::make_unique<std::once_flag[]>(tiles);
  blocks_.resize(all_.leaves);
  vertices_.resize(vertex_before_.back());
  triangles_.resize(all_.triangles);
  items_.resize(all_.triangles);
}

std::shared_ptr<const MeshImpl> FieldTiles::mesh(const std::shared_ptr<FieldTiles>& tiles) {
  auto m = std::make_shared<MeshImpl>();
  if (tiles->nodes_.empty()) return m;
  const auto shared = [&](const auto& array) { return array_in(array.data(), array.size(), tiles); };
  m->vertices = shared(tiles->vertices_);
  m->triangles = shared(tiles->triangles_);
  m->blocks = shared(tiles->blocks_);
  m->tree = WideBvh::restored(tiles->bounds_, shared(tiles->nodes_), shared(tiles->items_), tiles->blocks_.size(), tiles.get());
  for (int k = 0; k < 3; ++k) m->largest_coordinate = std::max({m->largest_coordinate, std::fabs(tiles->bounds_.lo[k]), std::fabs(tiles->bounds_.hi[k])});
  return m;
}

TileBits FieldTiles::bits_of(const TileAt& tile) const {
  TileBits bits;
  const std::size_t x = std::size_t{tile.x} * kSide, y = std::size_t{tile.y} * kSide;
  const std::size_t begin = x == 0 ? 0 : x - 1, end = std::min(columns(), x + kSide + 1);
  for (int j = -1; j <= kSide + 1; ++j) {
    std::uint64_t row = 0;
    if (y + static_cast<std::size_t>(j + 1) >= 1 && y + static_cast<std::size_t>(j + 1) <= rows()) {
      const double* const h = grid_.heights.data() + (y + static_cast<std::size_t>(j + 1) - 1) * columns();
      for (std::size_t i = begin; i < end; ++i) row |= std::uint64_t{h[i] == h[i]} << (i + 1 - x);
    }
    bits.set(j, row);
  }
  return bits;
}

/// Also counts the triangles and vertices of the tile's rows.
Summary FieldTiles::summarize(const TileAt& tile) {
  const TileBits bits = bits_of(tile);
  const std::size_t x = std::size_t{tile.x} * kSide, y = std::size_t{tile.y} * kSide, end = std::min<std::size_t>(kSide + 1, rows() - y);
  Summary s;
  std::uint64_t used_columns = 0;
  std::uint32_t below[kTileLevel] = {};  // cells with triangles, of the rows of nodes of each level
  for (std::size_t j = 0; j < end; ++j) {
    const int row = static_cast<int>(j);
    if (const std::uint64_t corners = bits.own_corners(row); corners != 0) {
      used_columns |= corners;
      const auto first = static_cast<std::size_t>(std::countr_zero(corners));
      const Extremes z = extremes(grid_.heights.data() + (y + j) * columns() + x + first - 1, corners >> first);
      s.box.add(Vec3(0, grid_.y[y + j], grid_.z + z.lo));
      s.box.add(Vec3(0, grid_.y[y + j], grid_.z + z.hi));
    }
    if (j == kSide) break;
    const std::uint32_t own = bits_in(bits.lower(row) & TileBits::kOwn) + bits_in(bits.upper(row) & TileBits::kOwn);
    triangle_before_[run(y + j, tile.x)] = own;
    vertex_before_[run(y + j, tile.x)] = bits_in(bits.used(row));
    s.share.triangles += own;
    const std::uint32_t in_row = bits.own_cells(row);
    s.share.leaves += groups(in_row, cells(0).x);
    for (int level = 1; level < std::min(root_level_, kTileLevel); ++level) {
      below[level] |= in_row;
      if ((j + 1) % cells(level).y != 0 && j + 1 != end) continue;
      s.share.nodes += groups(std::exchange(below[level], 0), cells(level).x);
    }
  }
  if (used_columns != 0) {
    s.box.lo.x = grid_.x[x + static_cast<std::size_t>(std::countr_zero(used_columns)) - 1];
    s.box.hi.x = grid_.x[x + static_cast<std::size_t>(std::bit_width(used_columns)) - 2];
  }
  return s;
}

/// The z that is 0 of the first corner of a triangle, in their order, for which it is.
double FieldTiles::first_zero() const {
  for (std::size_t j = 0; j + 1 < rows(); ++j)
    for (std::size_t i = 0; i + 1 < columns(); ++i) {
      const double a = z(j, i), b = z(j, i + 1), c = z(j + 1, i + 1), d = z(j + 1, i);
      const bool cut = a != a || c != c;
      if (!cut && b == b)
        for (const double x : {a, b, c})
          if (x == 0) return x;
      if (!cut && d == d)
        for (const double x : {a, c, d})
          if (x == 0) return x;
    }
  return 0;
}

/// Numbers the nodes from the root down to the tiles, links them, and then numbers what belongs to each tile.
void FieldTiles::number_nodes(std::span<const Summary> all) {
  struct Level {
    std::size_t across, along;
    std::vector<std::uint8_t> present;
  };
  std::vector<Level> levels{{across_, along_, std::vector<std::uint8_t>(all.size())}};
  for (std::size_t t = 0; t < all.size(); ++t) levels[0].present[t] = all[t].share.triangles != 0;
  const int top = std::max(root_level_, kTileLevel);
  for (int level = kTileLevel + 1; level <= top; ++level) {
    const Level& below = levels.back();
    const auto [x, y] = split(level);
    Level now{(below.across - 1) / x + 1, (below.along - 1) / y + 1, {}};
    now.present.resize(now.across * now.along);
    for (std::size_t j = 0; j < below.along; ++j)
      for (std::size_t i = 0; i < below.across; ++i) now.present[j / y * now.across + i / x] |= below.present[j * below.across + i];
    levels.push_back(std::move(now));
  }
  std::vector<WideNode> upper;
  tiles_ = {{0, 0}};
  std::uint32_t number = 1;
  for (int level = top; level > kTileLevel; --level) {
    const Level& below = levels[static_cast<std::size_t>(level - 1 - kTileLevel)];
    const auto [x, y] = split(level);
    std::vector<TileAt> next;
    for (const TileAt& at : tiles_) {
      WideNode& node = upper.emplace_back(empty_node());
      for (std::uint32_t j = at.y * y; j < std::min<std::size_t>(below.along, at.y * y + y); ++j)
        for (std::uint32_t i = at.x * x; i < std::min<std::size_t>(below.across, at.x * x + x); ++i) {
          if (!below.present[j * below.across + i]) continue;
          add_child(node, number++, 0);
          next.push_back({i, j});
        }
    }
    tiles_ = std::move(next);
  }
  first_root_ = static_cast<std::uint32_t>(upper.size());
  all_.nodes = number;
  root_of_.resize(all.size());
  for (const TileAt& tile : tiles_) {
    root_of_[tile_number(tile)] = first_root_ + static_cast<std::uint32_t>(share_.size());
    share_.push_back(all_);
    const Share& own = all[tile_number(tile)].share;
    all_ = {all_.nodes + own.nodes, all_.leaves + own.leaves, all_.triangles + own.triangles};
  }
  nodes_.resize(all_.nodes);
  begin_in_small_pages(nodes_.data(), nodes_.size() * sizeof(WideNode), (first_root_ + tiles_.size()) * sizeof(WideNode));
  std::copy(upper.begin(), upper.end(), nodes_.begin());
}

/// Sets the boxes of the upper nodes, and lets the tiles' wait.
void FieldTiles::set_upper_boxes(std::span<const Summary> all) {
  for (std::size_t k = 0; k < tiles_.size(); ++k) {
    WideNode& root = nodes_[first_root_ + k];
    std::memset(static_cast<void*>(&root), 0, sizeof root);
    root.source = reinterpret_cast<std::uintptr_t>(static_cast<const NodeSource*>(this));
  }
  for (std::uint32_t n = first_root_; n-- > 0;) {
    WideNode& node = nodes_[n];
    for (std::uint32_t s = 0; s < node.used; ++s) {
      const std::uint32_t child = node.child[s];
      if (child < first_root_) {
        node.set_box(s, children_box(nodes_[child]));
        node.lowest = std::min(node.lowest, nodes_[child].lowest);
        continue;
      }
      const TileAt& tile = tiles_[child - first_root_];
      float lo[3], hi[3];
      for (int i = 0; i < 3; ++i) {
        lo[i] = static_cast<float>(frame_.to_local(all[tile_number(tile)].box.lo[i], i));
        hi[i] = static_cast<float>(frame_.to_local(all[tile_number(tile)].box.hi[i], i));
      }
      node.set_box(s, rounded_outward(lo, hi));
      std::size_t first = run(std::size_t{tile.y} * kSide, tile.x);
      while (triangle_before_[first + 1] == triangle_before_[first]) first += across_;
      node.lowest = std::min(node.lowest, triangle_before_[first]);
    }
  }
}

// ---- the tiles ---------------------------------------------------------------------------------------------------------------------------

/// Makes the vertices of a tile's own rows and columns.
void FieldTiles::make_vertices(const TileAt& tile) const {
  if (tile.x >= across_ || tile.y >= along_) return;
  std::call_once(vertices_made_[tile_number(tile)], [&] {
    const TileBits bits = bits_of(tile);
    const std::size_t x = std::size_t{tile.x} * kSide, y = std::size_t{tile.y} * kSide;
    for (std::size_t j = y; j < std::min(rows(), y + kSide); ++j) {
      Vec3* at = vertices_.data() + vertex_before_[run(j, tile.x)];
      for (std::uint64_t rest = bits.used(static_cast<int>(j - y)); rest != 0; rest &= rest - 1) {
        const std::size_t i = x + static_cast<std::size_t>(std::countr_zero(rest)) - 1;
        *at++ = Vec3(grid_.x[i], grid_.y[j], z(j, i));
      }
    }
  });
}

/// Makes the triangles, leaves and nodes of a tile.
class TileMaker {
 public:
  TileMaker(const FieldTiles& field, const TileAt& tile) : f_(field), tile_(tile), bits_(field.bits_of(tile)) {}
  /// Fills all of the root but its source.
  void make(WideNode& root, const Share& own) {
    set_corners();
    set_triangles();
    set_nodes(root, own);
  }

 private:
  static constexpr std::size_t kCorners = kSide + 1;
  struct Corner {
    std::size_t j, i;
  };
  using Corners = std::array<Corner, 3>;

  /// Calls f(corners) for the triangles of a cell.
  template <class F>
  void for_triangles(std::size_t j, std::size_t i, const F& f) const {
    if (bits_.lower(static_cast<int>(j)) >> (i + 1) & 1) f(Corners{{{j, i}, {j, i + 1}, {j + 1, i + 1}}});
    if (bits_.upper(static_cast<int>(j)) >> (i + 1) & 1) f(Corners{{{j, i}, {j + 1, i + 1}, {j + 1, i}}});
  }

  /// The numbers of the corners, and where they are in the tree's coordinates.
  void set_corners() {
    const std::size_t x = std::size_t{tile_.x} * kSide, y = std::size_t{tile_.y} * kSide;
    const std::size_t wide = std::min(kCorners, f_.columns() - x), deep = std::min(kCorners, f_.rows() - y);
    for (std::size_t i = 0; i < wide; ++i) x_[i] = static_cast<float>(f_.frame_.to_local(f_.grid_.x[x + i], 0));
    for (std::size_t j = 0; j < deep; ++j) {
      y_[j] = static_cast<float>(f_.frame_.to_local(f_.grid_.y[y + j], 1));
      const std::uint64_t used = bits_.used(static_cast<int>(j)) >> 1;
      const std::size_t run = f_.run(y + j, tile_.x);
      std::uint32_t next = f_.vertex_before_[run];
      for (std::size_t i = 0; i < wide; ++i) {
        z_[j][i] = static_cast<float>(f_.frame_.to_local(f_.z(y + j, x + i), 2));
        number_[j][i] = next;  // of the last column, which the next tile begins with, too
        next += used >> i & 1 ? 1 : 0;
      }
    }
  }

  void set_triangles() {
    const std::size_t y = std::size_t{tile_.y} * kSide;
    for (std::size_t j = 0; j < std::min<std::size_t>(kSide, f_.rows() - y); ++j) {
      std::uint32_t id = f_.triangle_before_[f_.run(y + j, tile_.x)];
      for (std::size_t i = 0; i < kSide; ++i) {
        first_[j][i] = id;
        for_triangles(j, i, [&](const Corners& c) { f_.triangles_[id++] = {number_[c[0].j][c[0].i], number_[c[1].j][c[1].i], number_[c[2].j][c[2].i]}; });
      }
    }
  }

  void set_nodes(WideNode& root, const Share& own) {
    struct Open {
      WideNode* node;
      int level;
      std::size_t x, y;
    } open[1 + 8 + 64];
    std::size_t count = 1;
    std::uint32_t number = own.nodes, leaf = own.leaves, place = own.triangles;
    open[0] = {&root, std::min(f_.root_level_, kTileLevel), 0, 0};
    for (std::size_t k = 0; k < count; ++k) {
      const auto [node, level, x, y] = open[k];
      *node = empty_node();
      node->first_leaf = k == 0 ? 0 : leaf;
      const Cells size = cells(level - 1);
      for (std::size_t j = y; j < y + size.y * split(level).y; j += size.y)
        for (std::size_t i = x; i < x + size.x * split(level).x; i += size.x) {
          if (!any_in(i, j, size)) continue;
          if (level > 1) {
            open[count++] = {&f_.nodes_[number], level - 1, i, j};
            add_child(*node, number++, 0);
          } else {
            add_leaf(*node, i, j, leaf++, place);
          }
        }
    }
    for (std::size_t k = count; k-- > 0;) {
      WideNode& node = *open[k].node;
      for (std::uint32_t s = 0; s < node.used; ++s) {
        if (node.count[s] != 0) continue;
        const WideNode& child = f_.nodes_[node.child[s]];
        node.set_box(s, children_box(child));
        node.lowest = std::min(node.lowest, child.lowest);
      }
    }
  }

  bool any_in(std::size_t x, std::size_t y, const Cells& size) const {
    std::uint32_t any = 0;
    for (std::size_t j = y; j < y + size.y; ++j) any |= bits_.own_cells(static_cast<int>(j));
    return (std::uint64_t{any} >> x & ((std::uint64_t{1} << size.x) - 1)) != 0;
  }

  /// The triangles of two cells.
  void add_leaf(WideNode& node, std::size_t x, std::size_t y, std::uint32_t leaf, std::uint32_t& place) {
    Corners corners[kBlock];
    std::size_t n = 0;
    for (const std::size_t i : {x, x + 1}) for_triangles(y, i, [&](const Corners& c) { corners[n++] = c; });
    TriangleBlock& block = f_.blocks_[leaf];
    float lo[3] = {2, 2, 2}, hi[3] = {-2, -2, -2};
    for (std::size_t lane = 0; lane < kBlock; ++lane) {
      const std::size_t t = std::min(lane, n - 1);
      block.id[lane] = first_[y][x] + static_cast<std::uint32_t>(t);
      for (std::size_t c = 0; c < 3; ++c) {
        const auto [j, i] = corners[t][c];
        block.vertex[c][lane] = number_[j][i];
        const float at[3] = {x_[i], y_[j], z_[j][i]};
        for (std::size_t k = 0; k < 3; ++k) {
          block.corner[3 * c + k][lane] = at[k];
          lo[k] = std::min(lo[k], at[k]);
          hi[k] = std::max(hi[k], at[k]);
        }
      }
    }
    node.set_box(node.used, rounded_outward(lo, hi));
    node.lowest = std::min(node.lowest, block.id[0]);
    add_child(node, place, static_cast<std::uint32_t>(n));
    for (std::size_t t = 0; t < n; ++t) f_.items_[place++] = block.id[t];
  }

  const FieldTiles& f_;
  TileAt tile_;
  TileBits bits_;
  float x_[kCorners], y_[kCorners], z_[kCorners][kCorners];
  std::uint32_t number_[kCorners][kCorners], first_[kSide][kSide];
};

void FieldTiles::make(const WideNode& node) const {
  const auto k = static_cast<std::size_t>(&node - nodes_.data()) - first_root_;
  std::call_once(made_[k], [&] {
    const TileAt& tile = tiles_[k];
    for (const std::uint32_t y : {tile.y, tile.y + 1})
      for (const std::uint32_t x : {tile.x, tile.x + 1}) make_vertices({x, y});
    WideNode root;
    TileMaker(*this, tile).make(root, share_[k]);
    std::memcpy(static_cast<void*>(&nodes_[first_root_ + k]), &root, offsetof(WideNode, source));
    __atomic_store_n(&nodes_[first_root_ + k].source, 0, __ATOMIC_RELEASE);
  });
}

void FieldTiles::make_item(std::uint32_t item) const {
  if (all_made_.load(std::memory_order_acquire)) return;
  const auto after = std::upper_bound(triangle_before_.begin(), triangle_before_.end(), item);
  if (after == triangle_before_.end()) return;
  const auto run = static_cast<std::size_t>(after - triangle_before_.begin()) - 1;
  (void)made(nodes_[root_of_[run / across_ / kSide * across_ + run % across_]]);
}

void FieldTiles::make_all() const {
  if (all_made_.load(std::memory_order_acquire)) return;
  parallel_for(tiles_.size(), kTilesAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) (void)made(nodes_[first_root_ + k]);
  });
  all_made_.store(true, std::memory_order_release);
}

}  // namespace

std::shared_ptr<const MeshImpl> mesh_of_field(FieldGrid&& grid) { return FieldTiles::mesh(std::make_shared<FieldTiles>(std::move(grid))); }

}  // namespace graze
