// Sort and sweep, uniform grid, octree and loose octree, written as their texts say and with sorted arrays in place of pointers.
#include "bench/older_broad_phases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace bench {
namespace {

using graze::Box;

bool overlap(const Box& a, const Box& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z && b.min.z <= a.max.z;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>& results() {
  static std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  pairs.clear();
  return pairs;
}

struct World {
  graze::Vec3 lo{1e300, 1e300, 1e300};
  double size = 0, largest = 0, smallest = 1e300;
  explicit World(const std::vector<Box>& boxes) {
    graze::Vec3 hi(-1e300, -1e300, -1e300);
    for (const Box& b : boxes) {
      double side = 0;
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], b.min[k]);
        hi[k] = std::max(hi[k], b.max[k]);
        side = std::max(side, b.max[k] - b.min[k]);
      }
      largest = std::max(largest, side);
      smallest = std::min(smallest, side);
    }
    for (int k = 0; k < 3; ++k) size = std::max(size, hi[k] - lo[k]);
  }
};

/// Items by key: begin of each key's run.
struct Buckets {
  std::vector<std::uint32_t> begin, item;
  Buckets(const std::vector<std::uint32_t>& key, std::size_t keys) : begin(keys + 1, 0), item(key.size()) {
    for (const std::uint32_t k : key) ++begin[k + 1];
    for (std::size_t k = 0; k < keys; ++k) begin[k + 1] += begin[k];
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < key.size(); ++i) item[at[key[i]]++] = i;
  }
};

/// Cells of an octree to a depth, level by level.
struct Levels {
  int depth;
  std::vector<std::size_t> base;
  Levels(const World& world, std::size_t n) {
    depth = 0;
    double cell = world.size;
    while (depth < 8 && cell * 0.5 >= world.smallest && (std::size_t{1} << (3 * depth)) < n) ++depth, cell *= 0.5;
    std::size_t sum = 0;
    for (int k = 0; k <= depth; ++k) {
      base.push_back(sum);
      sum += std::size_t{1} << (3 * k);
    }
    base.push_back(sum);
  }
};

std::uint32_t coordinate(double x, double lo, double inverse, std::uint32_t n) {
  const double c = (x - lo) * inverse;
  return c <= 0 ? 0 : std::min(n - 1, static_cast<std::uint32_t>(c));
}

}  // namespace

std::size_t sort_and_sweep(const std::vector<Box>& boxes) {
  std::vector<std::uint32_t> order(boxes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return boxes[a].min.x < boxes[b].min.x; });
  std::vector<Box> sorted;
  for (const std::uint32_t i : order) sorted.push_back(boxes[i]);
  auto& pairs = results();
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = i + 1; j < sorted.size() && sorted[j].min.x <= sorted[i].max.x; ++j)
      if (overlap(sorted[i], sorted[j])) pairs.emplace_back(order[i], order[j]);
  return pairs.size();
}

std::size_t one_grid(const std::vector<Box>& boxes) {
  const World world(boxes);
  const double cell = std::max(world.largest * 1.000001, world.size / 512);
  const auto n = static_cast<std::uint32_t>(world.size / cell) + 1;
  std::vector<std::uint32_t> key(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::uint32_t c[3];
    for (int k = 0; k < 3; ++k) c[k] = coordinate(boxes[i].min[k], world.lo[k], 1 / cell, n);
    key[i] = (c[2] * n + c[1]) * n + c[0];
  }
  const Buckets grid(key, static_cast<std::size_t>(n) * n * n);
  auto& pairs = results();
  for (std::uint32_t z = 0; z < n; ++z)
    for (std::uint32_t y = 0; y < n; ++y)
      for (std::uint32_t x = 0; x < n; ++x) {
        const std::size_t c = (static_cast<std::size_t>(z) * n + y) * n + x;
        for (std::uint32_t i = grid.begin[c]; i < grid.begin[c + 1]; ++i) {
          const std::uint32_t a = grid.item[i];
          for (std::uint32_t j = i + 1; j < grid.begin[c + 1]; ++j)
            if (overlap(boxes[a], boxes[grid.item[j]])) pairs.emplace_back(a, grid.item[j]);
          for (int d = 14; d < 27; ++d) {  // the later half of the neighbours
            const std::int64_t nx = std::int64_t{x} + d % 3 - 1, ny = std::int64_t{y} + d / 3 % 3 - 1, nz = std::int64_t{z} + d / 9 - 1;
            if (nx < 0 || ny < 0 || nx >= n || ny >= n || nz >= n) continue;
            const auto other = static_cast<std::size_t>((nz * n + ny) * n + nx);
            for (std::uint32_t j = grid.begin[other]; j < grid.begin[other + 1]; ++j)
              if (overlap(boxes[a], boxes[grid.item[j]])) pairs.emplace_back(a, grid.item[j]);
          }
        }
      }
  return pairs.size();
}

std::size_t octree(const std::vector<Box>& boxes) {
  const World world(boxes);
  const Levels levels(world, boxes.size());
  const std::uint32_t n = 1u << levels.depth;
  const double inverse = n / (world.size * 1.000001);
  struct Place {
    std::uint32_t c[3];
    int level;
  };
  std::vector<Place> place(boxes.size());
  std::vector<std::uint32_t> key(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    Place& p = place[i];
    p.level = levels.depth;
    std::uint32_t differ = 0;
    for (int k = 0; k < 3; ++k) {
      p.c[k] = coordinate(boxes[i].min[k], world.lo[k], inverse, n);
      differ |= p.c[k] ^ coordinate(boxes[i].max[k], world.lo[k], inverse, n);
    }
    for (; differ != 0; differ >>= 1) {
      --p.level;
      for (auto& c : p.c) c >>= 1;
    }
    key[i] = static_cast<std::uint32_t>(levels.base[static_cast<std::size_t>(p.level)] + ((static_cast<std::size_t>(p.c[2]) << p.level | p.c[1]) << p.level | p.c[0]));
  }
  const Buckets cells(key, levels.base.back());
  auto& pairs = results();
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    std::uint32_t c[3] = {place[a].c[0], place[a].c[1], place[a].c[2]};
    for (int level = place[a].level; level >= 0; --level) {
      const std::size_t cell = levels.base[static_cast<std::size_t>(level)] + ((static_cast<std::size_t>(c[2]) << level | c[1]) << level | c[0]);
      for (std::uint32_t j = cells.begin[cell]; j < cells.begin[cell + 1]; ++j) {
        const std::uint32_t b = cells.item[j];
        if ((level < place[a].level || b > a) && overlap(boxes[a], boxes[b])) pairs.emplace_back(a, b);
      }
      for (auto& x : c) x >>= 1;
    }
  }
  return pairs.size();
}

std::size_t loose_octree(const std::vector<Box>& boxes) {
  const World world(boxes);
  const Levels levels(world, boxes.size());
  std::vector<int> level(boxes.size());
  std::vector<std::uint32_t> key(boxes.size());
  std::vector<std::size_t> population(static_cast<std::size_t>(levels.depth) + 1, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    double side = 0;
    for (int k = 0; k < 3; ++k) side = std::max(side, boxes[i].max[k] - boxes[i].min[k]);
    int l = levels.depth;
    while (l > 0 && world.size / (1 << l) < side) --l;
    level[i] = l;
    ++population[static_cast<std::size_t>(l)];
    std::uint32_t c[3];
    for (int k = 0; k < 3; ++k) c[k] = coordinate(0.5 * (boxes[i].min[k] + boxes[i].max[k]), world.lo[k], (1 << l) / world.size, 1u << l);
    key[i] = static_cast<std::uint32_t>(levels.base[static_cast<std::size_t>(l)] + ((static_cast<std::size_t>(c[2]) << l | c[1]) << l | c[0]));
  }
  const Buckets cells(key, levels.base.back());
  auto& pairs = results();
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    for (int l = 0; l <= level[a]; ++l) {
      if (population[static_cast<std::size_t>(l)] == 0) continue;
      const double cell = world.size / (1 << l), half = cell * 0.5000001;
      std::uint32_t from[3], to[3];
      for (int k = 0; k < 3; ++k) {  // a centre within half a cell of the box
        from[k] = coordinate(boxes[a].min[k] - half, world.lo[k], 1 / cell, 1u << l);
        to[k] = coordinate(boxes[a].max[k] + half, world.lo[k], 1 / cell, 1u << l);
      }
      for (std::uint32_t z = from[2]; z <= to[2]; ++z)
        for (std::uint32_t y = from[1]; y <= to[1]; ++y)
          for (std::uint32_t x = from[0]; x <= to[0]; ++x) {
            const std::size_t c = levels.base[static_cast<std::size_t>(l)] + ((static_cast<std::size_t>(z) << l | y) << l | x);
            for (std::uint32_t j = cells.begin[c]; j < cells.begin[c + 1]; ++j) {
              const std::uint32_t b = cells.item[j];
              if ((l < level[a] || b > a) && overlap(boxes[a], boxes[b])) pairs.emplace_back(a, b);
            }
          }
    }
  }
  return pairs.size();
}

}  // namespace bench
