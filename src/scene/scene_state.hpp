// The internal state of a scene: its members and their boxes.
#pragma once
#include <graze/scene.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scene/box_set.hpp"

namespace graze {

struct SceneMember {
  MemberId id;
  std::string name;
  AnyShape shape;
  Pose pose;
  MemberOptions options;
  Box local;               ///< of the shape without its pose; only for surfaces, whose box requires a pass over all vertices
  BoxSet::Id place = ~0u;  ///< index in the set of boxes; ~0 for empty shapes, which meet nothing
  bool placed = true;      ///< false if the pose is the identity, which need not be applied
};

/// A member as an argument of a query. A temporary lives to the end of the full expression.
class MemberRef {
 public:
  explicit MemberRef(const SceneMember& m) : at_(graze::at(m.shape, m.pose)), placed_(m.placed), member_(&m) {}
  operator ShapeRef() const { return placed_ ? ShapeRef(at_) : ShapeRef(member_->shape); }

 private:
  Placed at_;
  bool placed_;
  const SceneMember* member_;
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

  /// Calls f(member) for each member that passes the filter and whose box may meet the query, until f returns true.
  template <class F>
  void for_each(const Box3& query, const SceneFilter& filter, F&& f) const {
    const std::span<const Box> all = boxes.boxes();
    if (boxes.alive() <= kFew) {  // a few members need no tree
      for (BoxSet::Id place = 0; place < all.size(); ++place)
        if (is_alive(all[place]) && box3(all[place]).overlaps(query) && passes(at_place(place), filter) && f(at_place(place))) return;
      return;
    }
    boxes.index().for_each(query, [&](BoxSet::Id place) { return box3(all[place]).overlaps(query) && passes(at_place(place), filter) && f(at_place(place)); });
  }
  static bool passes(const SceneMember& m, const SceneFilter& filter) {
    return (m.options.group & filter.groups) != 0 && (!filter.accept || filter.accept(m.id));
  }
  static constexpr std::size_t kFew = 8;  ///< members that are tested one by one, without the index; a choice
};

}  // namespace graze
