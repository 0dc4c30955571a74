// The members of a scene and their boxes. Every query takes candidates from the boxes and decides each with the exact queries.
#include "scene/scene_state.hpp"

#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <utility>

#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/watch.hpp"
#include "query/loose_bounds.hpp"
#include "query/ray_order.hpp"
#include "shapes/pose.hpp"

namespace graze {

Scene::State::State(const State& o) : by_place(o.by_place.size()), boxes(o.boxes), alive(o.alive) {
  by_id.reserve(o.by_id.size());
  for (const auto& m : o.by_id) {
    by_id.push_back(m ? std::make_unique<SceneMember>(*m) : nullptr);
    if (m && m->place != ~0u) by_place[m->place] = by_id.back().get();
  }
}

const SceneMember& Scene::State::at(MemberId id) const {
  if (id >= by_id.size() || !by_id[id]) throw Error(ErrorCode::unknown_id, "scene: no member has the id " + std::to_string(id));
  return *by_id[id];
}
SceneMember& Scene::State::at(MemberId id) { return const_cast<SceneMember&>(static_cast<const State*>(this)->at(id)); }

void Scene::State::place_box(SceneMember& m) {
  m.placed = !is_identity(m.placement.pose);
  const Box3 bounds = loose_bounds(m.ref());
  if (bounds.empty()) return drop_box(m);
  const Box box{bounds.lo, bounds.hi};
  if (m.place != ~0u) return boxes.move(m.place, box);
  m.place = boxes.insert(box);
  if (m.place >= by_place.size()) by_place.resize(m.place + 1);
  by_place[m.place] = &m;
}

void Scene::State::drop_box(SceneMember& m) {
  if (m.place == ~0u) return;
  boxes.remove(m.place);
  by_place[m.place] = nullptr;
  m.place = ~0u;
}

Scene::Scene() : state_(std::make_unique<State>()) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::Scene(const Scene& o) : state_(std::make_unique<State>(*o.state_)) {}
Scene& Scene::operator=(const Scene& o) {
  if (this != &o) state_ = std::make_unique<State>(*o.state_);
  return *this;
}

MemberId Scene::add(std::string name, AnyShape shape, const Pose& pose, const MemberOptions& options) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  validate(graze::at(shape, pose));
  State& s = *state_;
  const auto id = static_cast<MemberId>(s.by_id.size());
  auto m = std::make_unique<SceneMember>(id, std::move(name), std::move(shape), pose, options);
  s.changed();
  s.place_box(*m);
  s.by_id.push_back(std::move(m));
  ++s.alive;
  return id;
}
MemberId Scene::add(AnyShape shape, const Pose& pose, const MemberOptions& options) { return add(std::string(), std::move(shape), pose, options); }

void Scene::move(MemberId id, const Pose& pose) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  SceneMember& m = state_->at(id);
  validate(graze::at(m.shape, pose));
  state_->changed();
  m.placement.pose = pose;
  state_->place_box(m);
}

void Scene::move(std::span<const MemberId> ids, std::span<const Pose> poses) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  if (ids.size() != poses.size())
    throw Error(ErrorCode::invalid_argument,
                "move: " + std::to_string(poses.size()) + " poses for " + std::to_string(ids.size()) + " members, must be one for each");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const SceneMember& m = state_->at(ids[i]);
    try {
      validate(graze::at(m.shape, poses[i]));
    } catch (const Error& e) {
      throw Error(e.code(), "move: pose " + std::to_string(i) + " (member " + std::to_string(ids[i]) + "): " + e.what());
    }
  }
  state_->changed();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    SceneMember& m = *state_->by_id[ids[i]];
    m.placement.pose = poses[i];
    state_->place_box(m);
  }
}

void Scene::replace(MemberId id, AnyShape shape) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  SceneMember& m = state_->at(id);
  validate(graze::at(shape, m.placement.pose));
  state_->changed();
  m.shape = std::move(shape);
  m.placement = graze::at(m.shape, m.placement.pose);
  state_->place_box(m);
}

void Scene::remove(MemberId id) {
  SceneMember& m = state_->at(id);
  state_->changed();
  state_->drop_box(m);
  state_->by_id[id].reset();
  --state_->alive;
}

bool Scene::has(MemberId id) const { return id < state_->by_id.size() && state_->by_id[id]; }
std::size_t Scene::size() const { return state_->alive; }
std::vector<MemberId> Scene::members() const {
  std::vector<MemberId> ids;
  for (const auto& m : state_->by_id)
    if (m) ids.push_back(m->id);
  return ids;
}
const std::string& Scene::name(MemberId id) const { return state_->at(id).name; }
const AnyShape& Scene::shape(MemberId id) const { return state_->at(id).shape; }
const Pose& Scene::pose(MemberId id) const { return state_->at(id).placement.pose; }
const MemberOptions& Scene::options(MemberId id) const { return state_->at(id).options; }

// ---- shapes at rest ----

std::vector<MemberId> Scene::overlapping(ShapeRef shape, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  std::vector<MemberId> result;
  const Box3 bounds = loose_bounds(shape);
  if (bounds.empty()) return result;
  state_->for_each(bounds, filter, [&](const SceneMember& m) {
    if (graze::intersects(shape, m.ref())) result.push_back(m.id);
    return false;
  });
  std::sort(result.begin(), result.end());
  return result;
}

bool Scene::intersects(ShapeRef shape, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  bool any = false;
  const Box3 bounds = loose_bounds(shape);
  if (bounds.empty()) return false;
  state_->for_each(bounds, filter, [&](const SceneMember& m) { return any = graze::intersects(shape, m.ref()); });
  return any;
}

std::vector<MemberId> Scene::visible(const Frustum& frustum, const SceneFilter& filter) const { return overlapping(frustum, filter); }

std::optional<SceneClosest> Scene::closest(ShapeRef shape, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  std::optional<SceneClosest> best;
  const State& s = *state_;
  const Box3 bounds = loose_bounds(shape);
  const auto test_member = [&](const SceneMember& m) {
    if (!State::passes(m, filter)) return;
    Closest c = graze::closest(shape, m.ref());
    if (best && (c.distance > best->closest.distance || (c.distance == best->closest.distance && m.id > best->member))) return;
    best = SceneClosest{m.id, c};
  };
  if (bounds.empty()) {
    for (const auto& m : s.by_id)
      if (m) test_member(*m);
    return best;
  }
  // The limit lies slightly beyond the best distance: distances are rounded, and all equal ones must be visited.
  s.boxes.for_each_nearest(bounds, [&](BoxSet::Id place) {
    test_member(s.at_place(place));
    return best ? best->closest.distance * (1 + 0x1p-40) : kInfinity;
  });
  if (!best)  // all members are empty: infinite distance
    for (const auto& m : s.by_id)
      if (m) test_member(*m);
  return best;
}

}  // namespace graze
