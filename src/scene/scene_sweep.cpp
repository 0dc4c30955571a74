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
#include <vector>

#include "math/limits.hpp"
#include "platform/fp_environment.hpp"
#include "scene/scene_state.hpp"
#include "sweep/linear/linear_sweep.hpp"
#include "sweep/linear/moving_box.hpp"
#include "sweep/linear/safe_placement.hpp"

namespace graze {
namespace {

struct Candidate {
  const SceneMember* member;
  double entry;  // lower bound of the time of contact
};

/// Bounding box of a box moved by t * d, t in [0, 1]; the padding covers the rounding of the sums.
Box3 swept(const Box3& box, const Vec3& d) {
  Box3 r = box;
  for (int k = 0; k < 3; ++k) {
    const double pad = (std::fabs(box.lo[k]) + std::fabs(box.hi[k]) + std::fabs(d[k])) * 0x1p-50 + 0x1p-1060;
    r.lo[k] = box.lo[k] + std::min(d[k], 0.0) - pad;
    r.hi[k] = box.hi[k] + std::max(d[k], 0.0) + pad;
    if (!(r.lo[k] >= -kLargest)) r.lo[k] = -kInfinity;
    if (!(r.hi[k] <= kLargest)) r.hi[k] = kInfinity;
  }
  return r;
}

}  // namespace

std::optional<SceneSweepHit> Scene::sweep(ShapeRef a, const Vec3& motion, const SweepOptions& options, const SceneFilter& filter) const {
  return sweep(a, motion, Vec3(0, 0, 0), options, filter);
}

std::optional<SceneSweepHit> Scene::sweep(ShapeRef a, const Vec3& to, const Vec3& from, const SweepOptions& options, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  const Box3 box = box3(bounding_box(a));
  if (box.empty()) return std::nullopt;
  for (const Vec3* v : {&to, &from})
    for (int k = 0; k < 3; ++k)
      if (!(std::fabs((*v)[k]) <= kLargest))
        throw Error(ErrorCode::invalid_argument,
                    std::string("sweep: motion[") + std::to_string(k) + "] is " + ((*v)[k] != (*v)[k] ? "NaN" : "infinite") + ", must be finite");
  const bool direct = from == Vec3(0, 0, 0);
  const Motion displacement = direct ? Motion{to} : Motion{to, &from};
  const Vec3 motion = rounded(displacement);
  const auto sweep_one = [&](ShapeRef target) { return direct ? graze::sweep(a, to, target, options) : graze::sweep(a, to, target, from, options); };
  std::vector<Candidate> candidates;
  const std::span<const Box> boxes = state_->boxes.boxes();
  const MovingBox moving(box, motion);
  state_->for_each(swept(box, motion), filter, [&](const SceneMember& m) {
    const double entry = moving.entry(box3(boxes[m.place]), 1);
    if (entry <= 1) candidates.push_back({&m, entry});
    return false;
  });
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& x, const Candidate& y) { return x.entry != y.entry ? x.entry < y.entry : x.member->id < y.member->id; });

  if (candidates.empty()) return std::nullopt;
  if (candidates.size() == 1) {
    const MemberRef target(*candidates[0].member);
    std::optional<SweepHit> hit = sweep_one(ShapeRef(target));
    if (!hit) return std::nullopt;
    return SceneSweepHit{candidates[0].member->id, std::move(*hit)};
  }

  // Finds the first contact of each member, then the earliest of those, compared exactly. Ties go to the lowest id.
  const PartList mover(a);
  EarliestContact among(displacement, options.skip_departing);
  std::deque<MemberRef> placements;  // referenced by the parts
  std::deque<PartList> parts;
  bool entered = false;
  for (const Candidate& c : candidates) {
    if (c.entry > among.limit()) break;
    const PartList& target = parts.emplace_back(ShapeRef(placements.emplace_back(*c.member)));
    EarliestContact mine(displacement, options.skip_departing);
    sweep_all(mine, mover, target);
    if (!mine.found()) continue;
    entered = entered || (mine.contact().inside && !mine.departing());
    SweepIds ids;
    ids.child_b = c.member->id;
    among.offer(mine, ids);
  }
  if (!among.found()) return std::nullopt;
  const MemberId first = *among.ids().child_b;
  const MemberRef target(*state_->by_id[first]);
  std::optional<SweepHit> hit = sweep_one(ShapeRef(target));
  if (!hit) throw std::logic_error("scene: the first contact is none");
  hit->departing = hit->departing && !entered;
  if (hit->moved) {
    const Pose from = pose_of(a);
    const auto is_free_of_all = [&](const Pose& to, double = 0) {
      return std::all_of(candidates.begin(), candidates.end(), [&](const Candidate& c) { return is_free(a, from, to, MemberRef(*c.member)); });
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

}  // namespace graze
