// The question that particles ask most: is the way from here to there free?
#pragma once
#include <graze/scene.hpp>

namespace graze {

struct SceneAccess {
  /// Does the closed segment between two points meet no member of these groups? Exact; the same yes or no as raycast(Segment). In the default floating-point environment.
  static bool way_is_free(const Scene& scene, const Vec3& from, const Vec3& to, std::uint32_t groups);
};

}  // namespace graze
