// Tests whether particle paths are free and finds their first hits. Meshes at the identity pose are queried directly.
#include "scene/particle_path.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "math/limits.hpp"
#include "mesh/queries/ray_queries.hpp"
#include "query/ray_order.hpp"
#include "query/ray_targets.hpp"
#include "scene/scene_state.hpp"

namespace graze {

Box SceneAccess::box(const Scene& scene, MemberId id) {
  const Scene::State& s = *scene.state_;
  const BoxSet::Id place = s.at(id).place;
  return place == ~0u ? Box{Vec3(1), Vec3(0)} : s.boxes.boxes()[place];
}

std::uint64_t SceneAccess::version(const Scene& scene) { return scene.state_->version; }

bool SceneAccess::path_is_free(const Scene& scene, const Vec3& from, const Vec3& to, std::uint32_t groups) {
  const Scene::State& s = *scene.state_;
  RayQuery ray;
  ray.origin = from;
  ray.direction = to;
  ray.to_point = true;
  ray.t_max = 1;
  Box3 path;
  path.add(from);
  path.add(to);
  const auto meets = [&](const SceneMember& m) {
    if ((m.options.group & groups) == 0) return false;
    if (!m.placed)
      if (const Mesh* mesh = m.shape.get<Mesh>()) return any_hit(ray, MeshView(*mesh, nullptr));
    return raycast_any(Segment{from, to}, m.ref());
  };
  return !s.boxes.for_each(path, [&](BoxSet::Id place) { return meets(s.at_place(place)); });
}

void SceneAccess::first_on_paths(const Scene& scene, std::span<const Vec3> from, std::span<const Vec3> to, std::uint32_t groups,
                                 std::span<std::optional<SceneHit>> first) {
  const Scene::State& s = *scene.state_;
  // A single mesh at the identity pose: the rays of all paths are interleaved.
  const SceneMember* only = nullptr;
  const std::span<const Box> boxes = s.boxes.boxes();
  bool plain = s.boxes.alive() <= BoxSet::kFew;
  for (BoxSet::Id place = 0; plain && place < boxes.size(); ++place) {
    if (!is_alive(boxes[place]) || (s.at_place(place).options.group & groups) == 0) continue;
    plain = !only && !s.at_place(place).placed && s.at_place(place).shape.get<Mesh>();
    only = &s.at_place(place);
  }
  if (!plain) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      first[i].reset();
      if (!path_is_free(scene, from[i], to[i], groups)) first[i] = scene.raycast(Segment{from[i], to[i]}, {}, SceneFilter{groups});
    }
    return;
  }
  std::fill(first.begin(), first.end(), std::nullopt);
  if (!only) return;
  constexpr std::size_t together = kRayBatch;
  RayQuery rays[together];
  std::size_t number[together];
  std::optional<Hit> hits[together];
  const Box3 box = box3(boxes[only->place]);
  const MeshView mesh(*only->shape.get<Mesh>(), nullptr);
  for (std::size_t i = 0; i < from.size();) {
    std::size_t n = 0;
    for (; i < from.size() && n < together; ++i) {
      Box3 path;
      path.add(from[i]);
      path.add(to[i]);
      if (!box.overlaps(path)) continue;
      rays[n] = {from[i], to[i], true, 0, 1};
      number[n++] = i;
    }
    first_hits({rays, n}, mesh, {hits, n});
    for (std::size_t k = 0; k < n; ++k)
      if (hits[k]) first[number[k]] = SceneHit{only->id, *hits[k]};
  }
}

bool SceneAccess::is_before(const Ray& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y) {
  return compare_hits(ray_query(ray, 0, kInfinity), a, x, b, y) < 0;
}

}  // namespace graze
