// The mover in whole levels: under long random input it is never inside a wall, never passes through a surface, and reaches the positions that a flood fill
// over standing positions finds. Tests a part of each level; all of it with GRAZE_FULL_TESTS=1 (some minutes).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <graze/io.hpp>
#include <graze/mover.hpp>
#include <map>

#include "support/paths.hpp"
#include "support/random.hpp"

namespace graze::mover_levels_test {
namespace {

using test::Random;

bool full() { return std::getenv("GRAZE_FULL_TESTS") != nullptr; }

struct Level {
  const char* name;
  const char* file;  // below the shared folder
  int up;            // axis
  double radius, height, step;
  const char* without = nullptr;  // parts whose names start with this are omitted
};
void PrintTo(const Level& l, std::ostream* out) { *out << l.name; }

constexpr double kSlope = 0.7;

Mesh load(const std::filesystem::path& path, const char* without) {
  MeshData d = load_model(path.string()).data;
  if (!without) return Mesh(d);
  MeshData kept;
  kept.vertices = d.vertices;
  for (const MeshPart& p : d.parts) {
    if (p.name.starts_with(without)) continue;
    for (std::uint32_t i = 0; i < p.count; ++i) kept.triangles.push_back(d.triangles[p.first + i]);
  }
  return Mesh(kept);
}

/// Standing positions on a grid: the body is free and stands on a floor that is not too steep. Two are neighbours when the body can be lifted (by at most the
/// step), moved across and set down. Uses only intersects and raycast.
class FloodFill {
 public:
  using Cell = std::array<int, 2>;
  struct Place {
    Cell cell;
    double height;
    std::vector<std::size_t> next;
  };

  FloodFill(const Mesh& mesh, const Level& level) : mesh_(mesh), level_(level), cell_(0.8 * level.step) {
    a_ = (level.up + 1) % 3;
    b_ = (level.up + 2) % 3;
    up_[level.up] = 1;
    body_ = Capsule{level.radius * up_, (level.height - level.radius) * up_, level.radius};
  }

  const AnyShape& body() const { return body_; }
  const Vec3& up() const { return up_; }
  const std::vector<Place>& places() const { return places_; }
  double cell() const { return cell_; }

  Vec3 at(const Cell& c, double height) const {
    Vec3 p;
    p[a_] = c[0] * cell_;
    p[b_] = c[1] * cell_;
    p[level_.up] = height;
    return p;
  }
  bool free(const Vec3& p) const { return !intersects(graze::at(body_, translation(p)), mesh_); }

  /// The position of the fill that corresponds to a body standing at p.
  std::optional<std::size_t> place_of(const Vec3& p) const {
    const auto found = by_cell_.find({static_cast<int>(std::lround(p[a_] / cell_)), static_cast<int>(std::lround(p[b_] / cell_))});
    if (found == by_cell_.end()) return std::nullopt;
    std::optional<std::size_t> best;
    for (const std::size_t i : found->second)
      if (!best || std::fabs(places_[i].height - p[level_.up]) < std::fabs(places_[*best].height - p[level_.up])) best = i;
    if (std::fabs(places_[*best].height - p[level_.up]) > level_.step) return std::nullopt;
    return best;
  }

  /// Lowers the body in a column from a free height to its floor. Empty if there is no floor above `lowest`, or it is too steep.
  std::optional<double> set_down(const Cell& c, double from, double lowest) const {
    double high = from, low = from;
    for (;;) {
      low -= level_.step / 16;
      if (!free(at(c, low))) break;
      high = low;
      if (low < lowest) return std::nullopt;
    }
    while (high - low > 1e-3 * level_.step) {
      const double middle = 0.5 * (low + high);
      (free(at(c, middle)) ? high : low) = middle;
    }
    // Requires a floor directly below the axis: positions at an edge do not count.
    const double reach = level_.radius + level_.step;
    const auto hit = raycast(Ray{at(c, high + level_.radius), -reach * up_}, mesh_, {.t_max = 1});
    if (!hit || !hit->normal || (*hit->normal)[level_.up] < kSlope + 0.02) return std::nullopt;
    return high;
  }

  /// Fills from the first floor below a point and adds at most `most` positions. Returns the index of the start. Empty, without any change, if there is no
  /// floor, if it is already filled, or if it has fewer than `least` positions.
  std::optional<std::size_t> fill(const Vec3& from, std::size_t least, std::size_t most) {
    const Cell c{static_cast<int>(std::lround(from[a_] / cell_)), static_cast<int>(std::lround(from[b_] / cell_))};
    const double height = from[level_.up];
    if (!free(at(c, height))) return std::nullopt;
    const auto floor = set_down(c, height, bounding_box(mesh_).min[level_.up]);
    const std::size_t start = places_.size();
    if (!floor || find(c, *floor) != start) return std::nullopt;
    add({c, *floor, {}});
    for (std::size_t i = start; i < places_.size() && places_.size() < start + most; ++i) {
      for (const Cell d : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}}) {
        const Cell to{places_[i].cell[0] + d[0], places_[i].cell[1] + d[1]};
        const auto there = cross(places_[i].cell, to, places_[i].height);
        if (!there) continue;
        std::size_t k = find(to, *there);
        if (k == places_.size()) add({to, *there, {}});
        places_[i].next.push_back(k);
      }
    }
    if (places_.size() >= start + least) return start;
    for (; places_.size() > start; places_.pop_back()) {
      auto& column = by_cell_[places_.back().cell];
      column.pop_back();
      if (column.empty()) by_cell_.erase(places_.back().cell);
    }
    return std::nullopt;
  }

 private:
  std::optional<double> cross(const Cell& from, const Cell& to, double height) const {
    const Vec3 a = at(from, height), way = at(to, height) - a;
    for (const double lift : {.05, .5, .95}) {
      bool open = true;
      for (int k = 1; k <= 4 && open; ++k) open = free(a + lift * k / 4 * level_.step * up_);
      for (int k = 1; k <= 8 && open; ++k) open = free(a + lift * level_.step * up_ + k / 8.0 * way);
      if (!open) continue;
      if (const auto floor = set_down(to, height + lift * level_.step, height - .95 * level_.step)) return floor;
    }
    return std::nullopt;
  }
  std::size_t find(const Cell& c, double height) const {
    const auto found = by_cell_.find(c);
    if (found != by_cell_.end())
      for (const std::size_t i : found->second)
        if (std::fabs(places_[i].height - height) < 0.5 * level_.step) return i;
    return places_.size();
  }
  void add(Place p) {
    by_cell_[p.cell].push_back(places_.size());
    places_.push_back(std::move(p));
  }

  const Mesh& mesh_;
  const Level& level_;
  double cell_;
  int a_, b_;
  Vec3 up_{0, 0, 0};
  AnyShape body_ = Point{};
  std::vector<Place> places_;
  std::map<Cell, std::vector<std::size_t>> by_cell_;
};

class MoverLevels : public testing::TestWithParam<Level> {};

TEST_P(MoverLevels, ReachesEveryPlaceAndNeverPassesThroughAWall) {
  const Level& level = GetParam();
  const auto path = test::shared_data() / level.file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared levels";
  const Mesh mesh = load(path, level.without);
  Scene scene;
  scene.add(mesh);
  const Box box = bounding_box(mesh);
  Random random(7);

  // Connected floors below random points.
  FloodFill fill(mesh, level);
  std::vector<std::size_t> starts;
  for (int k = 0; k < (full() ? 200 : 20) && starts.size() < (full() ? 100 : 2); ++k) {
    const Vec3 size = box.max - box.min;
    const Vec3 from = box.min + Vec3(random.unit() * size.x, random.unit() * size.y, random.unit() * size.z) + level.height * random.unit() * fill.up();
    if (const auto start = fill.fill(from, full() ? 50 : 20, full() ? 1000000 : 400)) starts.push_back(*start);
  }
  ASSERT_FALSE(starts.empty());
  const auto& places = fill.places();

  // Random input. After some moves, continues from another visited position, often one with unvisited neighbours.
  const MoverOptions options{.up = fill.up(), .step_height = level.step, .steepest_slope = kSlope};
  std::vector<std::optional<Vec3>> been(places.size());
  std::vector<std::size_t> reached = starts, edge = starts;
  for (const std::size_t i : starts) been[i] = fill.at(places[i].cell, places[i].height);
  std::size_t moves = 0, through = 0, fell = 0;
  const std::size_t budget = places.size() * (full() ? 600 : 300);
  const auto open = [&](std::size_t i) {
    for (const std::size_t k : places[i].next)
      if (!been[k]) return true;
    return false;
  };
  while (moves < budget && reached.size() < places.size()) {
    std::size_t from = reached[random.below(reached.size())];
    if (!edge.empty() && random.unit() < .8) {
      const std::size_t k = random.below(edge.size());
      if (!open(edge[k])) {
        edge[k] = edge.back();
        edge.pop_back();
        continue;
      }
      from = edge[k];
    }
    Mover mover(scene, fill.body(), *been[from], options);
    Vec3 way(0, 0, 0);
    for (int i = 0; i < 24; ++i) {
      if (i == 0 || random.unit() < .15) {
        way = random.direction();
        way[level.up] = 0;
        way *= random.real(.1, .5) * level.radius / std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
      }
      const double rise = random.unit() < .02 ? .5 * level.radius : -.5 * level.radius;
      const Vec3 before = mover.pose().translation;
      const MoverResult result = mover.move(way + rise * fill.up());
      ++moves;
      const Vec3 after = mover.pose().translation, d = after - before;
      ASSERT_FALSE(intersects(at(fill.body(), mover.pose()), mesh)) << "move " << moves;
      // The lower centre is never nearer to the surface than the radius. So a path shorter than twice the radius cannot change sides unless its chord crosses
      // the surface.
      const Vec3 centre = level.radius * fill.up();
      if (d.x * d.x + d.y * d.y + d.z * d.z < 4 * level.radius * level.radius)
        through += raycast_any(Segment{before + centre, after + centre}, mesh);
      else
        ADD_FAILURE() << "a move as long as " << std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
      if (after[level.up] < box.min[level.up] - 2 * level.height) {  // fell off the level
        ++fell;
        break;
      }
      if (!result.grounded) continue;
      if (const auto place = fill.place_of(after); place && !been[*place]) {
        been[*place] = after;
        reached.push_back(*place);
        edge.push_back(*place);
      }
    }
  }
  const double share = static_cast<double>(reached.size()) / static_cast<double>(places.size());
  std::printf("%s: %zu of %zu places on %zu floors (%.2f %%), %zu moves, over the rim %zu times\n", level.name, reached.size(), places.size(), starts.size(),
              100 * share, moves, fell);
  if (std::getenv("GRAZE_SHOW_PLACES")) {
    for (std::size_t i = 0, shown = 0; i < places.size() && shown < 20; ++i) {
      if (been[i]) continue;
      std::size_t sides = 0;
      for (const std::size_t k : places[i].next) sides += been[k].has_value();
      if (sides == 0) continue;
      ++shown;
      const Vec3 p = fill.at(places[i].cell, places[i].height);
      std::printf("  not reached: %g %g %g, %zu ways on, %zu of them reached\n", p.x, p.y, p.z, places[i].next.size(), sides);
    }
  }
  EXPECT_EQ(through, 0u);
  EXPECT_GE(share, .95);
}

INSTANTIATE_TEST_SUITE_P(
    Shared, MoverLevels,
    testing::Values(
        Level{"building", "meshes/box3d/building.obj", 1, .2, 1.2, .2}, Level{"collision_mesh_01", "meshes/box3d/collision_mesh_01.obj", 2, 20, 80, 20},
        Level{"conveyor", "meshes/box3d/conveyor.obj", 1, .3, 1.8, .3}, Level{"single_triangle", "meshes/box3d/single_triangle.obj", 1, .05, .3, .05},
        Level{"stairs", "meshes/box3d/stairs.obj", 1, .25, 1, .4}, Level{"test_map01", "meshes/box3d/test_map01.obj", 1, .3, 1.8, .3},
        Level{"voxel_mesh_01", "meshes/box3d/voxel_mesh_01.obj", 2, 20, 80, 20}, Level{"voxel_mesh_02", "meshes/box3d/voxel_mesh_02.obj", 2, 8, 30, 8},
        Level{"voxel_mesh_03", "meshes/box3d/voxel_mesh_03.obj", 2, 20, 80, 20}, Level{"voxel_mesh_04", "meshes/box3d/voxel_mesh_04.obj", 2, 20, 80, 20},
        Level{"duplex", "scenes/bim/duplex.obj", 1, .2, 1.7, .25}, Level{"duplex_open_doors", "scenes/bim/duplex.obj", 1, .2, 1.7, .25, "IfcDoor"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace graze::mover_levels_test
