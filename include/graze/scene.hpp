// Many placed shapes as one: add, move, remove; rays, sweeps, overlaps, closest, frustum, all touching or too near pairs.
#pragma once
#include <cstdint>
#include <functional>
#include <graze/sweep.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace graze {

/// A member of a scene; ids of removed members are never used again within the scene.
using MemberId = std::uint32_t;

struct MemberOptions {
  std::uint32_t group = 1;    ///< bits of the groups that the member belongs to
  std::uint32_t meets = ~0u;  ///< a pair counts when each member's `group` shares a bit with the other's `meets`
};

struct SceneFilter {
  std::uint32_t groups = ~0u;                 ///< only members of these groups
  std::function<bool(MemberId)> accept = {};  ///< only members for which it is true; may be called from several threads
};

struct ScenePair {
  MemberId a = 0, b = 0;              ///< a < b
  double distance = 0;                ///< 0 when they touch
  Vec3 on_a{0, 0, 0}, on_b{0, 0, 0};  ///< witnesses
};
struct PairsOptions {
  double within = 0;      ///< length, finite, >= 0: pairs at most this far apart
  bool witnesses = true;  ///< compute distance and witnesses; without, they stay 0
};

struct SceneHit {
  MemberId member = 0;
  Hit hit;
};
struct SceneSweepHit {
  MemberId member = 0;
  SweepHit hit;
};
struct SceneClosest {
  MemberId member = 0;
  Closest closest;
};

class Scene {
 public:
  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;
  Scene(const Scene&);
  Scene& operator=(const Scene&);

  /// Throws Error when the shape is not valid. Names need not be unique.
  MemberId add(std::string name, AnyShape shape, const Pose& pose = {}, const MemberOptions& options = {});
  MemberId add(AnyShape shape, const Pose& pose = {}, const MemberOptions& options = {});
  void move(MemberId id, const Pose& pose);
  void replace(MemberId id, AnyShape shape);  ///< another shape at the same pose (a refitted mesh)
  void remove(MemberId id);
  bool has(MemberId id) const;
  std::size_t size() const;
  std::vector<MemberId> members() const;  ///< ascending
  const std::string& name(MemberId id) const;
  const AnyShape& shape(MemberId id) const;
  const Pose& pose(MemberId id) const;
  const MemberOptions& options(MemberId id) const;

  /// First hit of a Ray, Segment or Line: as `raycast` on each member, decided exactly among members, exact ties to the lowest id.
  std::optional<SceneHit> raycast(ShapeRef ray, const RayOptions& options = {}, const SceneFilter& filter = {}) const;
  /// First contact of a moving shape: as `sweep` on each member, decided exactly among members, ties to the lowest id. `safe` is certified against all members
  /// of the filter.
  std::optional<SceneSweepHit> sweep(ShapeRef a, const Vec3& motion, const SweepOptions& options = {}, const SceneFilter& filter = {}) const;
  /// The same for the motion to - from, taken exactly: a shape that is put from one place of doubles to another.
  std::optional<SceneSweepHit> sweep(ShapeRef a, const Vec3& to, const Vec3& from, const SweepOptions& options, const SceneFilter& filter) const;
  /// Members that share a point with the shape, ascending.
  std::vector<MemberId> overlapping(ShapeRef shape, const SceneFilter& filter = {}) const;
  bool intersects(ShapeRef shape, const SceneFilter& filter = {}) const;
  /// The member nearest to the shape, ties to the lowest id; nothing in an empty scene.
  std::optional<SceneClosest> closest(ShapeRef shape, const SceneFilter& filter = {}) const;
  /// Members inside or crossing the frustum, ascending.
  std::vector<MemberId> visible(const Frustum& frustum, const SceneFilter& filter = {}) const;
  /// All pairs of members that touch, or are at most `within` apart, ascending; on all cores.
  std::vector<ScenePair> pairs(const PairsOptions& options = {}) const;

 private:
  friend struct SceneAccess;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze
