// Tests a block of postures. Filters only discard pairs of parts that cannot touch, or prove that they do; the rest is decided as Scene decides it.
#include "scene/posture_block.hpp"

#include <algorithm>
#include <cmath>
#include <graze/query.hpp>
#include <tuple>
#include <utility>

namespace graze {
namespace {

bool within_reach(const ShapeRef& a, const ShapeRef& b, double distance) { return distance > 0 ? within(a, b, distance) : intersects(a, b); }

template <class F>
void for_each_bit(PostureMask mask, const F& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::size_t>(__builtin_ctzll(mask)));
}

}  // namespace

void PostureBlock::set(std::span<const Pose> poses, std::size_t count) {
  const std::size_t members = plan_.members.size();
  valid_ = count == kPostureBlock ? ~PostureMask{0} : (PostureMask{1} << count) - 1;
  poses_ = poses.data();
  if (count < kPostureBlock) {  // the last posture fills up the block
    padded_.resize(kPostureBlock * members);
    std::copy(poses.begin(), poses.end(), padded_.begin());
    for (std::size_t i = count * members; i < padded_.size(); ++i) padded_[i] = padded_[i - members];
    poses_ = padded_.data();
  }
}

PostureMask PostureBlock::touching() {
  run(false);
  return valid_ & ~alive_;
}

std::vector<PosturePair> PostureBlock::pairs() {
  run(true);
  std::vector<PosturePair> pairs;
  for (const Meeting& m : meetings_) for_each_bit(m.yes, [&](std::size_t s) { pairs.push_back({static_cast<std::uint32_t>(s), m.a, m.b}); });
  std::sort(pairs.begin(), pairs.end(),
            [](const PosturePair& x, const PosturePair& y) { return std::tie(x.posture, x.a, x.b) < std::tie(y.posture, y.a, y.b); });
  return pairs;
}

void PostureBlock::run(bool all) {
  all_ = all;
  alive_ = valid_;
  meetings_.clear();
  tasks_.clear();
  for (std::size_t k = 0; k < plan_.members.size(); ++k) {
    const MovingMember& m = plan_.members[k];
    kernels_.place(poses_ + k, plan_.members.size(), m.points.data(), m.points.size(), &places_[3 * kPostureRow * m.whole.place]);
  }
  for (std::size_t k = 0; k < plan_.members.size() && alive_ != 0; ++k) find_resting(k);
  for (const auto& [i, j] : plan_.pairs)
    if (alive_ != 0) test_moving(i, j);
  // Cheap ones first: any that touches saves the others.
  const auto dear = [](const Task& t) { return t.a->box && t.resting != nullptr && t.resting->curved; };
  std::stable_partition(tasks_.begin(), tasks_.end(), [&](const Task& t) { return !dear(t); });
  for (const Task& task : tasks_) do_task(task);
}

void PostureBlock::begin_meeting(MemberId a, MemberId b) {
  const auto [first, second] = std::minmax(a, b);
  if (meetings_.empty() || meetings_.back().a != first || meetings_.back().b != second) meetings_.push_back({first, second, 0});
}

PlacedBalls PostureBlock::balls_of(const MovingMember& m) const {
  return {places_of(m.whole) + 3 * kPostureRow, m.radii.data(), m.radii.size(), places_of(m.whole), m.whole.reach};
}

Vec3 PostureBlock::center_of_ball(const MovingPart& p, std::size_t posture) const {
  const double* const at = places_of(p) + posture;
  return {at[0], at[kPostureRow], at[2 * kPostureRow]};
}

// ---- moving against resting --------------------------------------------------------------------------------------------------------------

void PostureBlock::find_resting(std::size_t k) {
  const MovingMember& m = plan_.members[k];
  if (m.points.size() == 1) return;  // without parts
  near_.resize(plan_.resting.size());
  const double reach = m.whole.reach + plan_.within;
  if (!plan_.boxes.empty()) {
    kernels_.near_boxes(places_of(m.whole), reach, plan_.frame, plan_.boxes.data(), plan_.resting.size(), near_.data());
    for (std::size_t i = 0; i < near_.size(); ++i)
      if ((near_[i] & alive_) != 0 && m.counts[i] != 0) test_resting(k, i, near_[i]);
    return;
  }
  near_parts_.clear();
  std::fill(near_.begin(), near_.end(), 0);
  for_each_bit(alive_, [&](std::size_t s) {
    const Vec3 c = center_of_ball(m.whole, s);
    const double r = (reach + kPlacedShare * (std::fabs(c.x) + std::fabs(c.y) + std::fabs(c.z))) * (1 + kPlacedShare);
    plan_.index.for_each(Box3{c - r, c + r}, [&](std::uint32_t i) {
      if (m.counts[i] == 0) return false;
      if (near_[i] == 0) near_parts_.push_back(i);
      near_[i] |= PostureMask{1} << s;
      return false;
    });
  });
  std::sort(near_parts_.begin(), near_parts_.end());
  for (const std::uint32_t i : near_parts_) test_resting(k, i, near_[i]);
}

void PostureBlock::test_resting(std::size_t k, std::size_t part, PostureMask near) {
  const MovingMember& m = plan_.members[k];
  const RestingPart& resting = plan_.resting[part];
  begin_meeting(m.id, resting.member);
  const std::size_t meeting = meetings_.size() - 1;
  const PostureMask which = open(meeting, near);
  if (which == 0) return;
  if (!m.balls.empty()) {
    PostureMask unknown = which;
    if (resting.form.kind != RestingForm::Kind::other) {
      const PostureVerdict verdict = kernels_.balls_and_shape(balls_of(m), resting.form, plan_.within, which);
      found(meeting, verdict.yes);
      unknown = verdict.unknown & ~verdict.yes;
    }
    if (unknown != 0) tasks_.push_back({meeting, k, 0, &m.whole, nullptr, &resting, unknown});
  }
  for (const MovingPart& other : m.others) {
    PostureMask own = which;
    if (m.points.size() > 2 && !plan_.boxes.empty())
      kernels_.near_boxes(places_of(other), other.reach + plan_.within, plan_.frame, &plan_.boxes[6 * part], 1, &own);
    if ((own & which) != 0) tasks_.push_back({meeting, k, 0, &other, nullptr, &resting, own & which});
  }
}

// ---- moving against moving ---------------------------------------------------------------------------------------------------------------

void PostureBlock::test_moving(std::size_t i, std::size_t j) {
  const MovingMember &a = plan_.members[i], &b = plan_.members[j];
  const auto near = [&](const MovingPart& p, const MovingPart& q, PostureMask which) {
    return kernels_.near_balls(places_of(p), places_of(q), p.reach + q.reach + plan_.within, which);
  };
  const PostureMask which = near(a.whole, b.whole, alive_);
  if (which == 0) return;
  begin_meeting(a.id, b.id);
  const std::size_t meeting = meetings_.size() - 1;
  if (!a.balls.empty() && !b.balls.empty()) {
    const PostureVerdict verdict = kernels_.balls_and_balls(balls_of(a), balls_of(b), plan_.within, which);
    found(meeting, verdict.yes);
    if ((verdict.unknown & ~verdict.yes) != 0) tasks_.push_back({meeting, i, j, &a.whole, &b.whole, nullptr, verdict.unknown & ~verdict.yes});
  }
  const auto add = [&](const MovingPart& p, const MovingPart& q) {
    const PostureMask own = near(p, q, which);
    if (own != 0) tasks_.push_back({meeting, i, j, &p, &q, nullptr, own});
  };
  for (const MovingPart& p : a.others) {
    for (const MovingPart& q : b.balls) add(p, q);
    for (const MovingPart& q : b.others) add(p, q);
  }
  for (const MovingPart& q : b.others)
    for (const MovingPart& p : a.balls) add(p, q);
}

// ---- one by one --------------------------------------------------------------------------------------------------------------------------

void PostureBlock::do_task(const Task& task) {
  for_each_bit(open(task.meeting, task.which), [&](std::size_t s) {
    if (touches(task, s)) found(task.meeting, PostureMask{1} << s);
  });
}

/// Whether a part, or all balls of the member, touch a shape.
bool PostureBlock::touches(const MovingMember& a, const MovingPart& part, std::size_t member, std::size_t posture, const ShapeRef& other,
                           const RestingPart* resting) const {
  const Pose& pose = pose_of_member(member, posture);
  const auto one = [&](const MovingPart& p) {
    const Pose placed = p.inner != nullptr ? compose(pose, *p.inner) : pose;
    if (resting != nullptr && resting->curved && p.box) {  // each triangle against a curved shape takes a search; the more covers what its answers may be off
      const double* const box = resting->form.box;
      const Vec3 own = p.box->max - p.box->min;
      const double more = kPlacedShare * (((box[3] - box[0]) + (box[4] - box[1]) + (box[5] - box[2])) + (own.x + own.y + own.z));
      if (more <= 0x1p500 && !within(at(*p.box, placed), other, plan_.within + more)) return false;
    }
    return within_reach(ShapeRef(p.shape.kind(), p.shape.shape(), &placed), other, plan_.within);
  };
  if (&part != &a.whole) return one(part);
  const Vec3 c = center_of_ball(a.whole, posture);
  const double reach = (a.whole.reach + kPlacedShare * (std::fabs(c.x) + std::fabs(c.y) + std::fabs(c.z))) * (1 + kPlacedShare);
  const bool curved = resting != nullptr && resting->curved;  // whose answers may be off by more than the ball covers
  if (a.balls.size() > 1 && !curved && !within_reach(Sphere{c, reach}, other, plan_.within)) return false;
  return std::any_of(a.balls.begin(), a.balls.end(), one);
}

bool PostureBlock::touches(const Task& task, std::size_t posture) const {
  const MovingMember& a = plan_.members[task.member_a];
  if (task.resting != nullptr) return touches(a, *task.a, task.member_a, posture, task.resting->shape, task.resting);
  const MovingMember& b = plan_.members[task.member_b];
  const Pose& pose = pose_of_member(task.member_b, posture);
  const auto with = [&](const MovingPart& p) {
    const Pose placed = p.inner != nullptr ? compose(pose, *p.inner) : pose;
    return touches(a, *task.a, task.member_a, posture, ShapeRef(p.shape.kind(), p.shape.shape(), &placed), nullptr);
  };
  if (task.b != &b.whole) return with(*task.b);
  return std::any_of(b.balls.begin(), b.balls.end(), with);
}

}  // namespace graze
