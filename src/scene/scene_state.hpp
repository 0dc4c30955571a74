// The internal state of a scene: its members and their boxes.
#pragma once
#include <atomic>
#include <cstdint>
#include <graze/scene.hpp>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "platform/ahead.hpp"
#include "scene/box_set.hpp"

namespace graze {

struct alignas(64) SceneMember {
  static constexpr std::size_t kFirst = 192;  ///< bytes that a query reads of most members
  MemberId id;
  MemberOptions options;
  BoxSet::Id place = ~0u;  ///< index in the set of boxes; ~0 for empty shapes, which meet nothing
  bool placed = true;      ///< false if the pose is the identity, which need not be applied
  Placed placement;        ///< refers to `shape`
  AnyShape shape;
  std::string name;

  SceneMember(MemberId number, std::string given_name, AnyShape given_shape, const Pose& pose, const MemberOptions& given_options)
      : id(number), options(given_options), placement(at(given_shape, pose)), shape(std::move(given_shape)), name(std::move(given_name)) {
    placement = at(shape, pose);
  }
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

/// Whether two members are a pair that the options let count.
bool may_be_pair(const SceneMember& a, const SceneMember& b, const PairsOptions& options);
/// Throws Error unless the distance is finite and not negative.
void require_within(const char* query, double within);

struct Scene::State {
  std::vector<std::unique_ptr<SceneMember>> by_id;  // null: removed
  std::vector<const SceneMember*> by_place;         // by index of the box
  BoxSet boxes;
  std::size_t alive = 0;
  std::uint64_t version = next_version();

  State() = default;
  State(const State& o);
  const SceneMember& at(MemberId id) const;
  SceneMember& at(MemberId id);
  const SceneMember& at_place(BoxSet::Id place) const { return *by_place[place]; }
  /// To be called with every change. Versions of all scenes differ.
  void changed() { version = next_version(); }
  static std::uint64_t next_version() {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  void place_box(SceneMember& m);
  void drop_box(SceneMember& m);

  /// Calls f(member) for each member that passes the filter and whose box meets the query, until f returns true.
  template <class F>
  void for_each(const Box3& query, const SceneFilter& filter, F&& f) const {
    const auto take = [&](const SceneMember* m) { return passes(*m, filter) && f(*m); };
    Ahead<const SceneMember*, decltype(take)> ahead(take);
    (void)(boxes.for_each_near(query, [&](BoxSet::Id place) { return ahead.add(by_place[place], by_place[place], SceneMember::kFirst); }) || ahead.rest());
  }
  /// Calls f(member) for each member that passes the filter and whose box the ray may enter, roughly in order; f returns the t_max to go on with.
  template <class F>
  void for_each_along_ray(const RayQuery& ray, const SceneFilter& filter, F&& f) const {
    boxes.for_each_along_ray(ray, [&](BoxSet::Id place, double t_max) { return passes(at_place(place), filter) ? f(at_place(place)) : t_max; },
                             {nullptr, by_place.data(), SceneMember::kFirst});
  }
  /// The members that pass the filter and that the box of a moving shape may meet, in the order of those times, then of ids.
  std::vector<EnteredMember> along_sweep(ShapeRef a, const Vec3& motion, const SceneFilter& filter) const;
  /// Calls f(member) for each member that passes the filter and that a box may meet that moves along the motion, nearly in the order of the times; f returns
  /// the time up to which members still count, or a negative number to stop.
  template <class F>
  void along_sweep_in_order(const Box3& box, const Vec3& motion, const SceneFilter& filter, F&& f) const {
    if (box.empty()) return;
    double limit = 1;
    boxes.for_each_in_order_along_sweep(
        box, motion, [&](BoxSet::Id place, double) { return passes(at_place(place), filter) ? limit = f(at_place(place)) : limit; },
        [&](BoxSet::Id place) {
          for (std::size_t at = 0; at < SceneMember::kFirst; at += 64) __builtin_prefetch(reinterpret_cast<const char*>(by_place[place]) + at);
        });
  }
  static bool passes(const SceneMember& m, const SceneFilter& filter) {
    return (m.options.group & filter.groups) != 0 && (!filter.accept || filter.accept(m.id));
  }
};

}  // namespace graze
