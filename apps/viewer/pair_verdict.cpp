// The thread that examines two models.
#include "viewer/pair_verdict.hpp"
#include <fmt/format.h>
#include <chrono>
#include <graze/progress.hpp>
#include <string>

namespace graze::view {

const PairVerdict::Answer* PairVerdict::at_poses(const Pose& a, const Pose& b) {
  if ((known_ || job_.valid()) && !(same_pose(pose_a_, a) && same_pose(pose_b_, b))) {
    stop();
    known_.reset();
  }
  if (!known_) {
    if (!job_.valid()) {
      pose_a_ = a;
      pose_b_ = b;
      job_ = std::async(std::launch::async, [this, a, b] { return find(a, b); });
    }
    constexpr std::chrono::milliseconds kFrame{30};  // a drag that redraws this often still feels fluid
    if (hurry_ && job_.wait_for(kFrame) != std::future_status::ready) return nullptr;
    known_ = job_.get();
  }
  return &*known_;
}

bool PairVerdict::arrived() const { return job_.valid() && job_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

std::string PairVerdict::progress() const {
  if (!job_.valid()) return "";
  constexpr const char* kTexts[] = {"whether they bound solids", "which triangles intersect", "how the solids lie to each other"};
  return fmt::format("finding out {}: {:.0f} %", kTexts[static_cast<int>(work_.load())], 100 * done_.load());
}

PairVerdict::Answer PairVerdict::find(const Pose& pose_a, const Pose& pose_b) {
  const ProgressScope scope([this](double done) {
    done_ = done;
    return !end_;
  });
  work_ = Work::models;
  if (!examined_) {
    if (!solid_a_ && check(a_).solid) solid_a_.emplace(a_);
    if (!solid_b_ && check(b_).solid) solid_b_.emplace(b_);
    examined_ = true;
  }
  Answer answer;
  work_ = Work::pairs;
  answer.facts = facts_of(at(a_, pose_a), at(b_, pose_b));
  work_ = Work::solids;
  answer.verdict = contact::verdict_of({a_, solid_a_ ? &*solid_a_ : nullptr, pose_a}, {b_, solid_b_ ? &*solid_b_ : nullptr, pose_b}, answer.facts.pairs);
  return answer;
}

void PairVerdict::stop() {
  if (!job_.valid()) return;
  end_ = true;
  job_.wait();
  job_ = {};  // with its error, which nobody asks for any more
  end_ = false;
}

}  // namespace graze::view
