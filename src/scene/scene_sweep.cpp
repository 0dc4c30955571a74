// Finds the first contact of a moving shape with the members, decided exactly, and certifies the placement against all members.
#include <algorithm>
#include <cmath>
#include <deque>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "math/limits.hpp"
#include "math/moving_box.hpp"
#include "platform/fp_environment.hpp"
#include "query/loose_bounds.hpp"
#include "scene/scene_state.hpp"
#include "sweep/linear/linear_sweep.hpp"
#include "sweep/linear/safe_placement.hpp"

namespace graze {
namespace {

void require_finite_motion(const SweepPath& path) {
  for (const Vec3* v : {&path.to, &path.from})
    for (int k = 0; k < 3; ++k)
      if (!(std::fabs((*v)[k]) <= kLargest))
        throw Error(ErrorCode::invalid_argument,
                    std::string("sweep: motion[") + std::to_string(k) + "] is " + ((*v)[k] != (*v)[k] ? "NaN" : "infinite") + ", must be finite");
}

}  // namespace

std::vector<EnteredMember> Scene::State::along_sweep(ShapeRef a, const Vec3& motion, const SceneFilter& filter) const {
  std::vector<EnteredMember> entered;
  const Box3 box = loose_bounds(a);
  if (box.empty()) return entered;
  boxes.for_each_along_sweep(box, motion, [&](BoxSet::Id place, double entry) {
    if (passes(at_place(place), filter)) entered.push_back({&at_place(place), entry});
  });
  std::sort(entered.begin(), entered.end(),
            [](const EnteredMember& x, const EnteredMember& y) { return x.entry != y.entry ? x.entry < y.entry : x.member->id < y.member->id; });
  return entered;
}

std::optional<SceneSweepHit> Scene::sweep(ShapeRef a, const Vec3& motion, const SweepOptions& options, const SceneFilter& filter) const {
  return sweep(a, SweepPath{.to = motion}, options, filter);
}

std::optional<SceneSweepHit> Scene::sweep(ShapeRef a, const SweepPath& path, const SweepOptions& options, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  require_finite_motion(path);
  const bool direct = path.from == Vec3(0, 0, 0);
  const Motion displacement = direct ? Motion{path.to} : Motion{path.to, &path.from};
  const Vec3 motion = rounded(displacement);
  const auto sweep_one = [&](const SceneMember& m) { return sweep_motion(a, displacement, m.ref(), options, m.id); };
  const std::vector<EnteredMember> candidates = state_->along_sweep(a, motion, filter);
  if (candidates.empty()) return std::nullopt;
  if (candidates.size() == 1) {
    std::optional<SweepHit> hit = sweep_one(*candidates[0].member);
    if (!hit) return std::nullopt;
    return SceneSweepHit{candidates[0].member->id, std::move(*hit)};
  }

  // Finds the first contact of each member, then the earliest of those, compared exactly. Ties go to the lowest id.
  const PartList mover(a);
  EarliestContact among(displacement, options.skip_departing);
  std::deque<PartList> parts;
  bool entered = false;
  for (const EnteredMember& c : candidates) {
    if (c.entry > among.limit()) break;
    const PartList& target = parts.emplace_back(c.member->ref());
    EarliestContact mine(displacement, options.skip_departing);
    const SweepChoice choice(options, displacement, c.member->id);
    graze::sweep_all(mine, mover, target, choice.line());
    if (!mine.found()) continue;
    entered = entered || (mine.contact().inside && !mine.departing());
    SweepIds ids;
    ids.child_b = c.member->id;
    among.offer(mine, ids);
  }
  if (!among.found()) return std::nullopt;
  const MemberId first = *among.ids().child_b;
  std::optional<SweepHit> hit = sweep_one(*state_->by_id[first]);
  if (!hit) throw std::logic_error("scene: the first contact is none");
  hit->departing = hit->departing && !entered;
  if (hit->moved) {
    const Pose from = pose_of(a);
    const auto is_free_of_all = [&](const Pose& to, double = 0) {
      return std::all_of(candidates.begin(), candidates.end(), [&](const EnteredMember& c) {
        const SweepChoice choice(options, displacement, c.member->id);
        return is_free(a, from, to, c.member->ref(), nullptr, choice.line());
      });
    };
    if (!is_free_of_all(hit->safe)) {
      const double back = first_step_back(a, displacement, hit->normal ? *hit->normal : Vec3(0, 0, 0), hit->t);
      const SafePlacement safe = place_before(a, motion, hit->t, back, 4, is_free_of_all);
      hit->safe = safe.pose;
      hit->safe_point = safe.point;
      hit->moved = safe.moved;
    }
  }
  return SceneSweepHit{first, std::move(*hit)};
}

std::vector<SceneSweepHit> Scene::sweep_all(ShapeRef a, const Vec3& motion, const SweepOptions& options, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  require_finite_motion({.to = motion});
  const Motion displacement{motion};
  const PartList mover(a);
  struct Contact {
    Contact(const SceneMember& m, const Motion& displacement, bool skip_departing) : member(m), first(displacement, skip_departing), target(m.ref()) {}
    const SceneMember& member;
    EarliestContact first;
    PartList target;  // referenced by `first`
  };
  std::deque<Contact> contacts;
  for (const EnteredMember& c : state_->along_sweep(a, motion, filter)) {
    Contact& contact = contacts.emplace_back(*c.member, displacement, options.skip_departing);
    const SweepChoice choice(options, displacement, c.member->id);
    graze::sweep_all(contact.first, mover, contact.target, choice.line());
    if (!contact.first.found()) contacts.pop_back();
  }
  std::vector<const Contact*> order;
  for (const Contact& c : contacts) order.push_back(&c);
  const auto is_before = [&](const Contact* x, const Contact* y) {
    EarliestContact both(displacement, options.skip_departing);
    SweepIds x_ids, y_ids;
    x_ids.child_b = x->member.id;
    y_ids.child_b = y->member.id;
    both.offer(x->first, x_ids);
    both.offer(y->first, y_ids);
    return x != y && both.ids() == x_ids;
  };
  std::sort(order.begin(), order.end(), is_before);
  std::vector<SceneSweepHit> hits;
  for (const Contact* c : order)
    if (std::optional<SweepHit> hit = sweep_motion(a, displacement, c->member.ref(), options, c->member.id)) hits.push_back({c->member.id, std::move(*hit)});
  return hits;
}

}  // namespace graze
