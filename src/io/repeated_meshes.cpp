// Meshes are hashed, then those with one hash are compared.
#include "io/repeated_meshes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "io/xxh64.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "shapes/pose.hpp"

namespace graze::io {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// A mesh as it is compared with others: with its first vertex at the origin where its parts can make up for that.
struct Shape {
  Vec3 origin{0, 0, 0};
  bool moved = false;
  std::uint64_t hash = 0;
  std::uint32_t same_as = kNone;  // the first mesh with this shape

  Vec3 vertex(const Vec3& v) const { return moved ? Vec3(v.x - origin.x, v.y - origin.y, v.z - origin.z) : v; }
};

Pose made_up(const Pose& pose, const Vec3& origin) {
  Pose out = pose;
  out.translation = apply_pose(pose, origin);
  return out;
}

bool can_be_moved(const MeshData& mesh, const Shape& shape, std::span<const Pose* const> poses) {
  return std::all_of(poses.begin(), poses.end(), [&](const Pose* pose) {
    const Pose made = made_up(*pose, shape.origin);
    return std::all_of(mesh.vertices.begin(), mesh.vertices.end(), [&](const Vec3& v) { return apply_pose(made, shape.vertex(v)) == apply_pose(*pose, v); });
  });
}

std::uint64_t hash_of(const MeshData& mesh, const Shape& shape) {
  std::vector<double> numbers;
  numbers.reserve(3 * mesh.vertices.size());
  for (const Vec3& vertex : mesh.vertices) {
    const Vec3 v = shape.vertex(vertex);
    for (int i = 0; i < 3; ++i) numbers.push_back(v[i] + 0.0);  // equal numbers have equal bits
  }
  return xxh64(std::as_bytes(std::span(numbers))) ^ (xxh64(std::as_bytes(std::span(mesh.triangles))) << 1 | (shape.moved ? 1 : 0));
}

bool same(const MeshData& a, const Shape& shape_a, const MeshData& b, const Shape& shape_b) {
  return shape_a.moved == shape_b.moved && a.triangles == b.triangles && a.user == b.user &&
         std::equal(a.vertices.begin(), a.vertices.end(), b.vertices.begin(), b.vertices.end(),
                    [&](const Vec3& p, const Vec3& q) { return shape_a.vertex(p) == shape_b.vertex(q); });
}

// For each mesh the poses of its parts.
class Users {
 public:
  explicit Users(const PlacedParts& placed) : first_(placed.meshes.size() + 1, 0), poses_(placed.parts.size()) {
    for (const AssemblyPart& p : placed.parts) ++first_[p.mesh + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const AssemblyPart& p : placed.parts) poses_[next[p.mesh]++] = &p.pose;
  }
  std::span<const Pose* const> of(std::size_t mesh) const { return std::span(poses_).subspan(first_[mesh], first_[mesh + 1] - first_[mesh]); }

 private:
  std::vector<std::size_t> first_;
  std::vector<const Pose*> poses_;
};

// The meshes for which there are others with as many vertices and triangles.
std::vector<std::uint32_t> meshes_of_one_size(const std::vector<MeshData>& meshes) {
  const auto size = [&](std::uint32_t i) { return std::pair(meshes[i].vertices.size(), meshes[i].triangles.size()); };
  std::vector<std::uint32_t> order(meshes.size()), out;
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return size(x) < size(y); });
  for (std::size_t k = 0; k < order.size(); ++k)
    if ((k > 0 && size(order[k - 1]) == size(order[k])) || (k + 1 < order.size() && size(order[k + 1]) == size(order[k]))) out.push_back(order[k]);
  return out;
}

std::vector<Shape> shapes_of(const PlacedParts& placed) {
  const Users users(placed);
  std::vector<Shape> shapes(placed.meshes.size());
  std::vector<std::uint32_t> order = meshes_of_one_size(placed.meshes);
  parallel_for(order.size(), 1, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment inner;
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t i = order[k];
      const MeshData& mesh = placed.meshes[i];
      if (mesh.vertices.empty()) continue;
      Shape& shape = shapes[i];
      shape.origin = mesh.vertices[0];
      shape.moved = true;
      shape.moved = can_be_moved(mesh, shape, users.of(i));
      shape.hash = hash_of(mesh, shape);
    }
  });
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return std::pair(shapes[x].hash, x) < std::pair(shapes[y].hash, y); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    const Shape& before = shapes[order[k - 1]];
    if (before.hash == shapes[order[k]].hash) shapes[order[k]].same_as = before.same_as == kNone ? order[k - 1] : before.same_as;
  }
  parallel_for(order.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      Shape& shape = shapes[order[k]];
      if (shape.same_as != kNone && !same(placed.meshes[order[k]], shape, placed.meshes[shape.same_as], shapes[shape.same_as])) shape.same_as = kNone;
    }
  });
  return shapes;
}

}  // namespace

void share_repeated_meshes(PlacedParts& placed) {
  if (placed.meshes.size() < 2) return;
  const std::vector<Shape> shapes = shapes_of(placed);
  std::vector<bool> shared(shapes.size(), false);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i].same_as != kNone) shared[i] = shared[shapes[i].same_as] = true;
  std::vector<MeshData> meshes;
  std::vector<std::uint32_t> numbers(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].same_as != kNone) {
      numbers[i] = numbers[shapes[i].same_as];
      placed.meshes[i] = {};
      continue;
    }
    numbers[i] = static_cast<std::uint32_t>(meshes.size());
    meshes.push_back(std::move(placed.meshes[i]));
    if (!shared[i]) continue;
    for (Vec3& v : meshes.back().vertices) v = shapes[i].vertex(v);
  }
  for (AssemblyPart& part : placed.parts) {
    const Shape& shape = shapes[part.mesh];
    if (shared[part.mesh] && shape.moved) part.pose = made_up(part.pose, shape.origin);
    part.mesh = numbers[part.mesh];
  }
  placed.meshes = std::move(meshes);
}

}  // namespace graze::io
