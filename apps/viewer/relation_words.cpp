// The relation of two models in words.
#include "viewer/relation_words.hpp"
#include <chrono>
#include <string>
#include "viewer/demo.hpp"

namespace graze::view {

RelationWords::RelationWords(const Mesh& a, const Mesh& b) {
  if (a.size() == 0 || b.size() == 0 || !check(a).solid || !check(b).solid) return;
  a_.emplace(a);
  b_.emplace(b);
}

bool RelationWords::hold(bool held) {
  held_ = held;
  return due_ && !held;
}

std::optional<Relation> RelationWords::at_poses(const Pose& a, const Pose& b) {
  if (!a_) return std::nullopt;
  if (known_ && same_pose(known_->a, a) && same_pose(known_->b, b)) return known_->relation;
  due_ = held_ && slow_;
  if (due_) {
    known_.reset();
    return std::nullopt;
  }
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kFrame{30};  // a drag that redraws this often still feels fluid
  const Clock::time_point start = Clock::now();
  known_ = Known{a, b, relation(at(*a_, a), at(*b_, b))};
  slow_ = Clock::now() - start > kFrame;
  return known_->relation;
}

std::string RelationWords::caption() const {
  if (!a_) return "";
  return std::string("relation of the solids: ") + (known_ ? name_of(known_->relation) : "when the mouse lets go");
}

}  // namespace graze::view
