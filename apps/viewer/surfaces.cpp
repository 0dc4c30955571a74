// Surfaces of meshes, coarse surfaces of large meshes, lines of spheres and boxes, and intersections of triangles.
#include "viewer/surfaces.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <span>
#include <thread>
#include <unordered_map>
#include <vector>
#include "viewer/feature_edges.hpp"

namespace graze::view {

namespace {

constexpr std::size_t kLarge = 400000;  // number of triangles above which a surface is drawn coarsely while the view moves

std::uint32_t pack(const Vec3& n) {
  const auto field = [](double x) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(std::clamp(x, -1.0, 1.0) * 511))) & 1023u; };
  return field(n.x) | field(n.y) << 10 | field(n.z) << 20;
}

/// Adds triangles one by one; the origin is the centre of the first bounds.
struct Builder {
  std::shared_ptr<Surface> surface = std::make_shared<Surface>();
  explicit Builder(const Box& box) {
    surface->min = box.min;
    surface->max = box.max;
    surface->origin = box.min * 0.5 + box.max * 0.5;
  }
  void corner(const Vec3& p, const Vec3& n, Color c, std::uint8_t edges) {
    const Vec3 q = p - surface->origin;
    surface->corners.push_back({static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), pack(n), c.r, c.g, c.b, edges});
  }
  /// All triangles of a mesh; uses all cores for many triangles.
  void whole(const Mesh& mesh) {
    const std::size_t n = mesh.size(), jobs = n < 100000 ? 1 : std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
    surface->corners.resize(3 * n);
    const auto fill = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const TriangleIndices& t = mesh.triangles()[i];
        const Vec3 &a = mesh.vertices()[t[0]], &b = mesh.vertices()[t[1]], &c = mesh.vertices()[t[2]];
        const std::uint32_t normal = pack(unit(cross(b - a, c - a)));
        Corner* to_corner = &surface->corners[3 * i];
        for (const Vec3* p : {&a, &b, &c}) {
          const Vec3 q = *p - surface->origin;
          *to_corner++ = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), normal, 255, 255, 255, kMeshEdges};
        }
      }
    };
    std::vector<std::future<void>> others;
    for (std::size_t j = 1; j < jobs; ++j) others.push_back(std::async(std::launch::async, fill, n * j / jobs, n * (j + 1) / jobs));
    fill(0, n / jobs);
    for (auto& o : others) o.get();
  }
  void flat(const Vec3& a, const Vec3& b, const Vec3& c, std::uint8_t edges = 7, Color ca = kWhite, Color cb = kWhite, Color cc = kWhite) {
    const Vec3 n = unit(cross(b - a, c - a));
    corner(a, n, ca, edges);
    corner(b, n, cb, edges);
    corner(c, n, cc, edges);
  }
};

Box box_of(std::span<const Vec3> points) {
  if (points.empty()) return {};
  Box box{points[0], points[0]};
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) {
      box.min[k] = std::min(box.min[k], p[k]);
      box.max[k] = std::max(box.max[k], p[k]);
    }
  return box;
}

/// Keeps one vertex per grid cell that contains vertices, and triangles with vertices in three cells.
SurfacePtr coarse_surface(const Mesh& mesh, const Box& box) {
  const Vec3 size = box.max - box.min;
  const double cell = std::max({size.x, size.y, size.z, 1e-300}) / 160;
  struct Cell {
    Vec3 sum{0, 0, 0};
    std::uint32_t count = 0;
  };
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<Cell> cells;
  std::vector<std::uint32_t> cell_of(mesh.vertices().size());
  for (std::size_t i = 0; i < cell_of.size(); ++i) {
    const Vec3 p = mesh.vertices()[i] - box.min;
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k) key = key << 10 | static_cast<std::uint64_t>(std::clamp(p[k] / cell, 0.0, 1000.0));
    const auto [at, added] = numbers.try_emplace(key, static_cast<std::uint32_t>(cells.size()));
    if (added) cells.emplace_back();
    cells[at->second].sum += p;
    ++cells[at->second].count;
    cell_of[i] = at->second;
  }
  std::vector<TriangleIndices> kept;
  for (const TriangleIndices& t : mesh.triangles()) {
    TriangleIndices c{cell_of[t[0]], cell_of[t[1]], cell_of[t[2]]};
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    kept.push_back(c);
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  Builder b(box);
  b.surface->corners.reserve(kept.size() * 3);
  const auto at = [&](std::uint32_t i) { return box.min + cells[i].sum / static_cast<double>(cells[i].count); };
  for (const TriangleIndices& t : kept) b.flat(at(t[0]), at(t[1]), at(t[2]), 0);
  return b.surface;
}

}  // namespace

Triangle triangle_of(const Mesh& mesh, std::uint32_t triangle) {
  const TriangleIndices& t = mesh.triangles()[triangle];
  return {{mesh.vertices()[t[0]], mesh.vertices()[t[1]], mesh.vertices()[t[2]]}};
}

SurfacePtr surface_of(const Mesh& mesh) {
  static std::mutex mutex;
  static std::map<const MeshImpl*, std::weak_ptr<const Surface>> made;  // a surface owns its mesh, so the address is not reused during its lifetime
  const std::lock_guard lock(mutex);
  std::erase_if(made, [](const auto& entry) { return entry.second.expired(); });
  if (const auto it = made.find(&mesh.impl()); it != made.end()) return it->second.lock();
  const Box box = box_of(mesh.vertices());
  Builder b(box);
  b.surface->source = mesh;
  std::future<SurfacePtr> coarse;
  if (mesh.size() > kLarge) coarse = std::async(std::launch::async, [&] { return coarse_surface(mesh, box); });
  b.whole(mesh);
  b.surface->lines = feature_lines(mesh, b.surface->origin);
  if (coarse.valid()) b.surface->coarse = coarse.get();
  made[&mesh.impl()] = b.surface;
  return b.surface;
}

SurfacePtr surface_of(const Mesh& mesh, std::span<const std::uint32_t> triangles) {
  std::vector<Triangle> list;
  list.reserve(triangles.size());
  for (const std::uint32_t t : triangles) list.push_back(triangle_of(mesh, t));
  return surface_of(list);
}

SurfacePtr surface_of(std::span<const Triangle> triangles, bool edges, std::span<const Color> colors) {
  std::vector<Vec3> points;
  for (const Triangle& t : triangles) points.insert(points.end(), t.points.begin(), t.points.end());
  Builder b(box_of(points));
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle& t = triangles[i];
    const auto color = [&](std::size_t k) { return 3 * i + k < colors.size() ? colors[3 * i + k] : kWhite; };
    b.flat(t.points[0], t.points[1], t.points[2], edges ? 7 : 0, color(0), color(1), color(2));
  }
  return b.surface;
}

void add_wire_sphere(Picture& picture, const Vec3& center, double radius, int slices, int stacks, Color color, float width) {
  const auto at = [&](int slice, double stack) {
    const double a = 2 * std::numbers::pi * slice / slices, h = std::numbers::pi * stack / stacks;
    return center + Vec3(std::sin(h) * std::cos(a), std::sin(h) * std::sin(a), std::cos(h)) * radius;
  };
  for (int i = 0; i < slices; ++i)
    for (int j = 0; j < stacks; ++j) {
      picture.strokes.push_back({at(i, j), at(i, j + 1), color, width, false});
      if (j > 0) picture.strokes.push_back({at(i, j), at(i + 1, j), color, width, false});
    }
}

void add_box_edges(Picture& picture, const Box& box, const Pose& pose, Color color, float width) {
  const auto at = [&](int i) { return pose.apply(Vec3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z)); };
  for (int i = 0; i < 8; ++i)
    for (const int bit : {1, 2, 4})
      if (!(i & bit)) picture.strokes.push_back({at(i), at(i | bit), color, width, false});
}

}  // namespace graze::view
