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
#include <variant>
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

bool has_curved(const PartList& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const ListedPart& p) { return std::holds_alternative<Curved>(p.part); });
}

/// The member that a moving shape meets first: the first contacts are compared exactly, and ties go to the lowest id. The members may come in any order.
class FirstMember {
 public:
  FirstMember(ShapeRef a, const Motion& motion, const SweepOptions& options)
      : a_(a), motion_(motion), options_(options), mover_(a), curved_(has_curved(mover_)), among_(motion, options.skip_departing) {}

  /// Returns the time up to which members still count.
  double offer(const SceneMember& m) {
    std::optional<Candidate>& place = of_[1 - best_];
    place.emplace(m, motion_, options_);
    // the time of a curved shape might depend on what is known
    if (!curved_ && !has_curved(place->target)) place->first.know(among_.limit());
    graze::sweep_all(place->first, mover_, place->target, place->choice.line());
    if (!place->first.found()) return among_.limit();
    stays_inside_ = stays_inside_ || (place->first.contact().inside && !place->first.departing());
    SweepIds ids;
    ids.child_b = m.id;
    among_.offer(place->first, ids);
    if (among_.ids().child_b == m.id) best_ = 1 - best_;
    return among_.limit();
  }
  bool found() const { return among_.found(); }
  /// Its hit, as if it were alone; departing only if no member holds the shape.
  SceneSweepHit hit() {
    Candidate& best = *of_[best_];
    std::optional<SweepHit> hit = hit_of(best.first, {a_, mover_, best.member.ref(), best.target}, options_, best.choice.line());
    hit->departing = hit->departing && !stays_inside_;
    return {best.member.id, std::move(*hit)};
  }

 private:
  struct Candidate {
    Candidate(const SceneMember& m, const Motion& motion, const SweepOptions& options)
        : member(m), choice(options, motion, m.id), target(m.ref()), first(motion, options.skip_departing) {}
    const SceneMember& member;
    SweepChoice choice;
    PartList target;  // referenced by `first`
    EarliestContact first;
  };
  const ShapeRef a_;
  const Motion& motion_;
  const SweepOptions& options_;
  const PartList mover_;
  const bool curved_;
  EarliestContact among_;
  bool stays_inside_ = false;
  std::optional<Candidate> of_[2];  // the best, and the one that is tested
  int best_ = 0;
};

/// Calls f(member) for the members that is_free() of a placement at `to` may depend on, until f returns true.
template <class State, class F>
void for_each_on_step(const State& scene, ShapeRef a, const Pose& to, const SceneFilter& filter, const F& f) {
  if (const Vec3* center = center_of(a)) {
    const Vec3 step = to.apply(*center) - placed_point(*center, a.pose());
    scene.along_sweep_in_order(loose_bounds(a), step, filter, [&](const SceneMember& m) { return f(m) ? -1.0 : 1.0; });
  } else {
    scene.for_each(loose_bounds(Placed{a.shape(), a.kind(), to}), filter, f);
  }
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
  FirstMember first(a, displacement, options);
  state_->along_sweep_in_order(loose_bounds(a), rounded(displacement), filter, [&](const SceneMember& m) { return first.offer(m); });
  if (!first.found()) return std::nullopt;
  SceneSweepHit found = first.hit();
  SweepHit& hit = found.hit;
  if (!hit.moved) return found;
  const Pose from = pose_of(a);
  const auto is_free_of = [&](const SceneMember& m, const Pose& to) {
    const SweepChoice choice(options, displacement, m.id);
    return is_free(a, from, to, m.ref(), nullptr, choice.line());
  };
  const auto others_are_free = [&](const Pose& to) {
    bool free = true;
    for_each_on_step(*state_, a, to, filter, [&](const SceneMember& m) {
      free = m.id == found.member || is_free_of(m, to);
      return !free;
    });
    return free;
  };
  if (others_are_free(hit.safe)) return found;
  const SceneMember& touched = *state_->by_id[found.member];
  const double back = first_step_back(a, displacement, hit.normal ? *hit.normal : Vec3(0, 0, 0), hit.t);
  const SafePlacement safe =
      place_before(a, rounded(displacement), hit.t, back, 4, [&](const Pose& to, double) { return is_free_of(touched, to) && others_are_free(to); });
  hit.safe = safe.pose;
  hit.safe_point = safe.point;
  hit.moved = safe.moved;
  return found;
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
  order.reserve(contacts.size());
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
