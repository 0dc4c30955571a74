// Free ways: no hit is made up, meshes at the identity are asked directly.
#include "scene/way.hpp"

#include <algorithm>

#include "query/ray_order.hpp"
#include "query/ray_targets.hpp"
#include "scene/scene_state.hpp"

namespace graze {

Box SceneAccess::box(const Scene& scene, MemberId id) {
  const Scene::State& s = *scene.state_;
  const BoxSet::Id place = s.at(id).place;
  return place == ~0u ? Box{Vec3(1), Vec3(0)} : s.boxes.boxes()[place];
}

bool SceneAccess::way_is_free(const Scene& scene, const Vec3& from, const Vec3& to, std::uint32_t groups) {
  const Scene::State& s = *scene.state_;
  RayQuery ray;
  ray.origin = from;
  ray.direction = to;
  ray.to_point = true;
  ray.t_max = 1;
  Box3 way;
  way.add(from);
  way.add(to);
  const auto meets = [&](const SceneMember& m) {
    if ((m.options.group & groups) == 0) return false;
    if (!m.placed)
      if (const Mesh* mesh = m.shape.get<Mesh>()) return any_hit(ray, MeshView(*mesh, nullptr));
    return raycast_any(Segment{from, to}, MemberRef(m));
  };
  const std::span<const Box> boxes = s.boxes.boxes();
  if (s.boxes.alive() <= Scene::State::kFew) {
    for (BoxSet::Id place = 0; place < boxes.size(); ++place)
      if (is_alive(boxes[place]) && box3(boxes[place]).overlaps(way) && meets(s.at_place(place))) return false;
    return true;
  }
  bool met = false;
  s.boxes.index().for_each(way, [&](BoxSet::Id place) { return box3(boxes[place]).overlaps(way) && (met = meets(s.at_place(place))); });
  return !met;
}

void SceneAccess::ways_are_free(const Scene& scene, std::span<const Vec3> from, std::span<const Vec3> to, std::uint32_t groups, std::span<std::uint8_t> free) {
  const Scene::State& s = *scene.state_;
  // Few members, each a mesh where it is: the rays of all ways take turns.
  const std::span<const Box> boxes = s.boxes.boxes();
  bool plain = s.boxes.alive() <= Scene::State::kFew;
  for (BoxSet::Id place = 0; plain && place < boxes.size(); ++place)
    plain = !is_alive(boxes[place]) || (s.at_place(place).options.group & groups) == 0 || (!s.at_place(place).placed && s.at_place(place).shape.get<Mesh>());
  if (!plain) {
    for (std::size_t i = 0; i < from.size(); ++i) free[i] = way_is_free(scene, from[i], to[i], groups);
    return;
  }
  constexpr std::size_t together = 64;
  RayQuery rays[together];
  std::size_t number[together];
  std::uint8_t met[together];
  std::fill(free.begin(), free.end(), std::uint8_t{1});
  for (BoxSet::Id place = 0; place < boxes.size(); ++place) {
    if (!is_alive(boxes[place]) || (s.at_place(place).options.group & groups) == 0) continue;
    const Box3 box = box3(boxes[place]);
    const MeshView mesh(*s.at_place(place).shape.get<Mesh>(), nullptr);
    for (std::size_t i = 0; i < from.size();) {
      std::size_t n = 0;
      for (; i < from.size() && n < together; ++i) {
        Box3 way;
        way.add(from[i]);
        way.add(to[i]);
        if (free[i] == 0 || !box.overlaps(way)) continue;
        rays[n] = {from[i], to[i], true, 0, 1};
        number[n++] = i;
      }
      any_hits({rays, n}, mesh, {met, n});
      for (std::size_t k = 0; k < n; ++k) free[number[k]] = met[k] == 0;
    }
  }
}

bool SceneAccess::is_before(const Ray& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y) { return compare_hits(ray_query(ray, {}), a, x, b, y) < 0; }

}  // namespace graze
