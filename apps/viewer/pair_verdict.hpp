// The answers about two placed models, found in a thread of their own, so that the window stays fluid while large models are dragged.
#pragma once
#include <atomic>
#include <future>
#include <optional>
#include <string>
#include "contact/verdict.hpp"
#include "viewer/demo.hpp"

namespace graze::view {

class PairVerdict {
 public:
  struct Answer {
    PairFacts facts;
    contact::Verdict verdict;
  };

  PairVerdict(const Mesh& a, const Mesh& b) : a_(a), b_(b) {}
  ~PairVerdict() { stop(); }
  PairVerdict(const PairVerdict&) = delete;
  PairVerdict& operator=(const PairVerdict&) = delete;

  /// From now on, at_poses() waits no longer than a frame may take.
  void hurry() { hurry_ = true; }
  /// The answer at these poses; null while it is being found. Work on other poses ends.
  const Answer* at_poses(const Pose& a, const Pose& b);
  /// Whether the answer that at_poses() did not have is there.
  bool arrived() const;
  /// The work on an answer, and how much of it is done; empty where there is none.
  std::string progress() const;

 private:
  enum class Work { models, pairs, solids };
  Answer find(const Pose& a, const Pose& b);
  void stop();

  Mesh a_, b_;
  bool examined_ = false;  // whether they bound solids
  std::optional<Solid> solid_a_, solid_b_;
  bool hurry_ = false;
  Pose pose_a_, pose_b_;  // of the answer, or of the work on it
  std::optional<Answer> known_;
  std::atomic<bool> end_{false};
  std::atomic<Work> work_{Work::models};
  std::atomic<double> done_{0};
  std::future<Answer> job_;
};

}  // namespace graze::view
