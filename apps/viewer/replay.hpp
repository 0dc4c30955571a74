// Records a world step by step and makes the page that plays it.
#pragma once
#include <graze/world.hpp>
#include "viewer/page.hpp"

namespace graze::view {

class ReplayRecorder {
 public:
  /// Fixed members and bodies as they are now; `seconds_per_frame` is the time between calls of `frame`.
  ReplayRecorder(const World& world, std::string title, double seconds_per_frame, Axis up = Axis::z);
  /// What the world is now, and what has happened in its last step. Bodies added after the start are not shown.
  void frame(const World& world);
  std::size_t frames() const { return page_.frames.size(); }
  /// The page; `most_hits` impacts and explosions at most are listed.
  Page page(std::size_t most_hits = 500) const;

 private:
  Page page_;
  std::vector<BodyId> bodies_;
  std::size_t impacts_ = 0;
  Axis up_;
};

}  // namespace graze::view
