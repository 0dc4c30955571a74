// The question that particles ask most: is the way from here to there free?
#pragma once
#include <graze/scene.hpp>
#include <span>

namespace graze {

struct SceneAccess {
  /// Contains the member; min > max when it is empty.
  static Box box(const Scene& scene, MemberId id);
  /// Does the closed segment between two points meet no member of these groups? Exact; the same yes or no as raycast(Segment). In the default floating-point
  /// environment.
  static bool way_is_free(const Scene& scene, const Vec3& from, const Vec3& to, std::uint32_t groups);
  /// As raycast(Segment{from[i], to[i]}) each, into first[i].
  static void first_on_ways(const Scene& scene, std::span<const Vec3> from, std::span<const Vec3> to, std::uint32_t groups,
                            std::span<std::optional<SceneHit>> first);
  /// Does hit x of a ray on `a` come before its hit y on `b`? Exactly, as Scene::raycast orders its members.
  static bool is_before(const Ray& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y);
};

}  // namespace graze
