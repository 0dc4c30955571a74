// A scene: many placed shapes with ids, which may be added, moved and removed, and queries over all of them.
#pragma once
#include <cstdint>
#include <functional>
#include <graze/query.hpp>
#include <graze/sweep.hpp>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace graze {

/// A member of a scene. A scene never uses the id of a removed member again.
using MemberId = std::uint32_t;

struct MemberOptions {
  std::uint32_t group = 1;    ///< bits of the groups that the member belongs to
  std::uint32_t meets = ~0u;  ///< pairs() counts two members when the `group` of each shares a bit with the `meets` of the other
};

/// Which members a query considers.
struct SceneFilter {
  std::uint32_t groups = ~0u;                 ///< members of at least one of these groups
  std::function<bool(MemberId)> accept = {};  ///< members for which it returns true; may run on several threads
};

/// Two members that touch, or lie within a distance.
struct ScenePair {
  MemberId a = 0, b = 0;                  ///< a < b
  double distance = 0;                    ///< 0 when they touch
  Vec3 on_a{0, 0, 0}, on_b{0, 0, 0};      ///< witnesses
  std::optional<Relation> relation = {};  ///< if requested: how a lies to b; nothing if they touch and relation() refuses the pair
};

/// A set of pairs of members, such as the adjacent links of a robot. The order within a pair does not matter.
class MemberPairs {
 public:
  MemberPairs() = default;
  /// O(n log n).
  MemberPairs(std::vector<std::pair<MemberId, MemberId>> pairs);
  MemberPairs(std::initializer_list<std::pair<MemberId, MemberId>> pairs) : MemberPairs(std::vector(pairs)) {}
  /// O(log n).
  [[nodiscard]] bool contains(MemberId a, MemberId b) const;
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }

 private:
  std::vector<std::pair<MemberId, MemberId>> pairs_;  // ascending, each a <= b
};

/// Which pairs of members a query considers, and what it returns about them.
struct PairsOptions {
  double within = 0;                                    ///< length, finite, >= 0: the greatest distance of a pair
  bool witnesses = true;                                ///< compute distance and witnesses; otherwise they stay 0
  bool relations = false;                               ///< compute ScenePair::relation; pairs that do not touch are `disjoint`
  std::function<bool(MemberId, MemberId)> accept = {};  ///< pairs (a < b) for which it returns true; may run on several threads
  MemberPairs excluded = {};                            ///< pairs that do not count; ids that no member has do no harm
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

/// A displacement whose ends are given in doubles: the exact motion to - from.
struct SweepPath {
  Vec3 from{0, 0, 0}, to{0, 0, 0};
};

/// A set of placed shapes. Functions that take an id throw Error when no member has it.
///
/// Const functions may run concurrently with each other, on one scene; any other function needs the scene to itself. References
/// to names, shapes, poses and options hold until the next function that is not const.
class Scene {
 public:
  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;
  Scene(const Scene&);
  Scene& operator=(const Scene&);

  // ---- members ----

  /// Adds a shape and returns its id. Names need not be unique. Throws Error when the placed shape is not valid.
  MemberId add(std::string name, AnyShape shape, const Pose& pose = {}, const MemberOptions& options = {});
  MemberId add(AnyShape shape, const Pose& pose = {}, const MemberOptions& options = {});
  /// Gives a member another pose. Throws Error when the placed shape is not valid. O(1), whatever the number of vertices; O(number of
  /// children) for a Compound, and O(n) where the pose might move vertices beyond the largest double.
  void move(MemberId id, const Pose& pose);
  /// Gives member ids[i] the pose poses[i], for all i; of several poses for one member the last counts. Moves all or, when it throws,
  /// none. Throws Error as move() of one member does, naming the pose, and when the numbers of ids and poses differ.
  void move(std::span<const MemberId> ids, std::span<const Pose> poses);
  /// Gives a member another shape at the same pose, such as a refitted mesh. Throws Error when the placed shape is not valid.
  void replace(MemberId id, AnyShape shape);
  void remove(MemberId id);
  [[nodiscard]] bool has(MemberId id) const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::vector<MemberId> members() const;  ///< ascending
  [[nodiscard]] const std::string& name(MemberId id) const;
  [[nodiscard]] const AnyShape& shape(MemberId id) const;
  [[nodiscard]] const Pose& pose(MemberId id) const;
  [[nodiscard]] const MemberOptions& options(MemberId id) const;

  // ---- queries ----

  /// Returns the first hit of a Ray, Segment or Line: raycast() on each member, with the first decided by the true parameter.
  /// Exact ties go to the lowest id. For a curved shape the reported t is compared. Errors as for raycast().
  [[nodiscard]] std::optional<SceneHit> raycast(ShapeRef ray, const RayOptions& options = {}, const SceneFilter& filter = {}) const;

  /// Returns all hits with all members: raycast_all() on each member, in exact order, ties by id, then as raycast_all() orders them.
  [[nodiscard]] std::vector<SceneHit> raycast_all(ShapeRef ray, const RayOptions& options = {}, const SceneFilter& filter = {}) const;

  /// Returns for each ray what raycast() returns for it, bit for bit. Runs on all cores.
  [[nodiscard]] std::vector<std::optional<SceneHit>> raycast(const RaySpan& rays, const SceneFilter& filter = {}) const;
  /// The same into memory of the caller. Throws Error unless there is room for one answer for each ray.
  void raycast(const RaySpan& rays, std::span<std::optional<SceneHit>> out, const SceneFilter& filter = {}) const;

  /// Returns the first contact of a moving shape: graze::sweep() on each member, with the first decided in exact time.
  /// Ties go to the lowest id. `departing` and `safe` refer to all members that the filter admits. Throws Error when `motion` has
  /// NaN or infinity.
  [[nodiscard]] std::optional<SceneSweepHit> sweep(ShapeRef a, const Vec3& motion, const SweepOptions& options = {}, const SceneFilter& filter = {}) const;

  /// The same for the exact motion path.to - path.from.
  [[nodiscard]] std::optional<SceneSweepHit> sweep(ShapeRef a, const SweepPath& path, const SweepOptions& options = {}, const SceneFilter& filter = {}) const;

  /// Returns the first contact with each member that the moving shape meets, in exact order, ties by id: graze::sweep() on each member. So `departing` and
  /// `safe` refer to that member alone. Errors as for sweep().
  [[nodiscard]] std::vector<SceneSweepHit> sweep_all(ShapeRef a, const Vec3& motion, const SweepOptions& options = {}, const SceneFilter& filter = {}) const;

  /// Returns the members that share a point with the shape, ascending.
  [[nodiscard]] std::vector<MemberId> overlapping(ShapeRef shape, const SceneFilter& filter = {}) const;

  /// Returns whether any member shares a point with the shape.
  [[nodiscard]] bool intersects(ShapeRef shape, const SceneFilter& filter = {}) const;

  /// Returns the member nearest to the shape, by the distance that graze::closest() returns; ties go to the lowest id.
  /// Returns nothing when there is no member.
  [[nodiscard]] std::optional<SceneClosest> closest(ShapeRef shape, const SceneFilter& filter = {}) const;

  /// Returns the members inside or crossing the frustum, ascending.
  [[nodiscard]] std::vector<MemberId> visible(const Frustum& frustum, const SceneFilter& filter = {}) const;

  // ---- pairs of members ----
  // Two members are a pair when their options let them meet, `accept` admits the pair and `excluded` does not hold it.

  /// Returns all pairs that are at most `within` apart, ascending; by default those that touch. Runs on all cores.
  /// Throws Error when `within` is negative, infinite or NaN.
  [[nodiscard]] std::vector<ScenePair> pairs(const PairsOptions& options = {}) const;

  /// Returns one of the pairs that pairs() returns, or nothing when there is none. Faster: the pairs whose bounding boxes overlap
  /// most are tested first, and the first that counts ends the search. Which one that is depends only on the members, not on
  /// threads or on earlier queries. Errors as for pairs().
  [[nodiscard]] std::optional<ScenePair> any_pair(const PairsOptions& options = {}) const;

  /// Returns the pair at the least distance, by the distance that graze::closest() returns; ties go to the lowest pair. Returns
  /// nothing when there is no pair. `distance` is always computed, `within` is not used.
  [[nodiscard]] std::optional<ScenePair> least_distance(const PairsOptions& options = {}) const;

 private:
  friend struct SceneAccess;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze
