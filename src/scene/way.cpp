// Free ways: no hit is made up, meshes at the identity are asked directly.
#include "scene/way.hpp"

#include "query/ray_order.hpp"
#include "query/ray_targets.hpp"
#include "scene/scene_state.hpp"

namespace graze {

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

bool SceneAccess::is_before(const Ray& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y) { return compare_hits(ray_query(ray, {}), a, x, b, y) < 0; }

}  // namespace graze
