// The internal state of a scene: its members and their boxes.
#pragma once
#include <graze/scene.hpp>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scene/box_set.hpp"

namespace graze {

struct SceneMember {
  MemberId id;
  std::string name;
  AnyShape shape;
  Placed placement;  ///< refers to `shape`
  MemberOptions options;
  BoxSet::Id place = ~0u;  ///< index in the set of boxes; ~0 for empty shapes, which meet nothing
  bool placed = true;      ///< false if the pose is the identity, which need not be applied

  SceneMember(MemberId number, std::string given_name, AnyShape given_shape, const Pose& pose, const MemberOptions& given_options)
      : id(number), name(std::move(given_name)), shape(std::move(given_shape)), placement(at(shape, pose)), options(given_options) {}
  SceneMember(const SceneMember& o) : SceneMember(o.id, o.name, o.shape, o.placement.pose, o.options) {
    place = o.place;
    placed = o.placed;
  }
  SceneMember& operator=(const SceneMember&) = delete;

  /// The member as an argument of a query.
  ShapeRef ref() const { return placed ? ShapeRef(placement) : ShapeRef(shape); }
};

/// A member that a moving box may meet, and a lower bound of the time.
struct EnteredMember {
  const SceneMember* member;
  double entry;
};

struct Scene::State {
  std::vector<std::unique_ptr<SceneMember>> by_id;  // null: removed
  std::vector<MemberId> by_place;                   // by index of the box
  BoxSet boxes;
  std::size_t alive = 0;

  State() = default;
  State(const State& o);
  const SceneMember& at(MemberId id) const;
  SceneMember& at(MemberId id);
  const SceneMember& at_place(BoxSet::Id place) const { return *by_id[by_place[place]]; }
  void place_box(SceneMember& m);
  void drop_box(SceneMember& m);

  /// Calls f(member) for each member that passes the filter and whose box meets the query, until f returns true.
  template <class F>
  void for_each(const Box3& query, const SceneFilter& filter, F&& f) const {
    boxes.for_each(query, [&](BoxSet::Id place) { return passes(at_place(place), filter) && f(at_place(place)); });
  }
  /// Calls f(member) for each member that passes the filter and whose box the ray may enter, roughly in order; f returns the t_max to go on with.
  template <class F>
  void for_each_along_ray(const RayQuery& ray, const SceneFilter& filter, F&& f) const {
    boxes.for_each_along_ray(ray, [&](BoxSet::Id place, double t_max) { return passes(at_place(place), filter) ? f(at_place(place)) : t_max; });
  }
  /// The members that pass the filter and that the box of a moving shape may meet, in the order of those times, then of ids.
  std::vector<EnteredMember> along_sweep(ShapeRef a, const Vec3& motion, const SceneFilter& filter) const;
  static bool passes(const SceneMember& m, const SceneFilter& filter) {
    return (m.options.group & filter.groups) != 0 && (!filter.accept || filter.accept(m.id));
  }
};

}  // namespace graze
