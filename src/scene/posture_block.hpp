// A block of postures: bounding balls and balls in SIMD lanes first, and exact tests, one by one, of what they leave.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scene/posture_plan.hpp"

namespace graze {

/// A pair of members that touches in a posture of the block; a < b.
struct PosturePair {
  std::uint32_t posture;
  MemberId a, b;
};

class PostureBlock {
 public:
  /// The plan must outlive it. Memory is used again from block to block.
  explicit PostureBlock(const PosturePlan& plan) : plan_(plan), places_(std::make_unique_for_overwrite<double[]>(3 * kPostureRow * plan.places)) {}
  PostureBlock(const PostureBlock&) = delete;

  /// Sets the poses of 1 .. kPostureBlock postures, which must outlive the queries.
  void set(std::span<const Pose> poses, std::size_t count);
  /// The postures in which any pair touches.
  PostureMask touching();
  /// All pairs that touch, by posture, then ascending.
  std::vector<PosturePair> pairs();

 private:
  /// Two members of which some parts may touch, and the postures in which they do.
  struct Meeting {
    MemberId a, b;
    PostureMask yes;
  };
  /// Two parts to be tested one posture after the other; `b` is null where the other one rests. `a` is the whole member: all of its balls.
  struct Task {
    std::size_t meeting, member_a, member_b;
    const MovingPart *a, *b;
    const RestingPart* resting;
    PostureMask which;
  };

  void run(bool all);
  void find_resting(std::size_t k);
  void test_resting(std::size_t k, std::size_t part, PostureMask near);
  void test_moving(std::size_t i, std::size_t j);
  void do_task(const Task& task);
  bool touches(const Task& task, std::size_t posture) const;
  bool touches(const MovingMember& a, const MovingPart& part, std::size_t member, std::size_t posture, const ShapeRef& other, const RestingPart* resting) const;

  void begin_meeting(MemberId a, MemberId b);
  /// The postures of a mask that still matter to the meeting.
  PostureMask open(std::size_t meeting, PostureMask which) const { return which & (all_ ? valid_ & ~meetings_[meeting].yes : alive_); }
  void found(std::size_t meeting, PostureMask yes) {
    meetings_[meeting].yes |= yes;
    if (!all_) alive_ &= ~yes;
  }

  const double* places_of(const MovingPart& p) const { return &places_[3 * kPostureRow * p.place]; }
  PlacedBalls balls_of(const MovingMember& m) const;
  const Pose& pose_of_member(std::size_t member, std::size_t posture) const { return poses_[posture * plan_.members.size() + member]; }
  Vec3 center_of_ball(const MovingPart& p, std::size_t posture) const;

  const PosturePlan& plan_;
  const PostureKernels& kernels_ = posture_kernels();
  const Pose* poses_ = nullptr;
  std::vector<Pose> padded_;          // poses of a block that is not full
  std::unique_ptr<double[]> places_;  // of all points: see PlacedBalls
  std::vector<PostureMask> near_;
  std::vector<std::uint32_t> near_parts_;
  std::vector<Meeting> meetings_;
  std::vector<Task> tasks_;
  PostureMask valid_ = 0, alive_ = 0;
  bool all_ = false;  // whether all pairs are wanted
};

}  // namespace graze
