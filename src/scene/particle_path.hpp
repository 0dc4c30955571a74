// What simulations need of scenes besides the public queries: above all the most frequent ones of particles, whether the straight path between two points is
// free, and its first hit.
#pragma once
#include <cstdint>
#include <graze/scene.hpp>
#include <optional>
#include <span>

namespace graze {

struct SceneAccess {
  /// A box that contains the member; min > max if the member is empty.
  static Box box(const Scene& scene, MemberId id);
  static const Scene::State& state(const Scene& scene) { return *scene.state_; }
  /// A number that differs after each change, and between scenes.
  static std::uint64_t version(const Scene& scene);
  /// Returns true if the closed segment between two points meets no member of these groups. Exact, and consistent with raycast(Segment). Requires the default
  /// floating-point environment.
  static bool path_is_free(const Scene& scene, const Vec3& from, const Vec3& to, std::uint32_t groups);
  /// Stores the result of raycast(Segment{from[i], to[i]}) in first[i].
  static void first_on_paths(const Scene& scene, std::span<const Vec3> from, std::span<const Vec3> to, std::uint32_t groups,
                             std::span<std::optional<SceneHit>> first);
  /// Returns true if hit x of a ray on `a` comes exactly before its hit y on `b`, in the order that Scene::raycast uses.
  static bool is_before(const Ray& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y);
};

}  // namespace graze
