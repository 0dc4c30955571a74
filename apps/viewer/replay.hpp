// Records a world or a scene step by step, and writes the page that plays it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "viewer/stage.hpp"

namespace graze::view {

class ReplayRecorder {
 public:
  /// The world as it is now; `seconds_per_frame` is the time between calls of `frame`.
  ReplayRecorder(const World& world, std::string title, double seconds_per_frame, Axis up = Axis::z,
                 const std::vector<std::shared_ptr<const AnyShape>>& looks = {});
  /// A scene with its walkers, turning things, cloths and shots. It must be given to `frame` then.
  ReplayRecorder(const scene_file::Simulation& simulation);
  /// What the world is now, and what has happened in its last step. Bodies added after the start are not shown.
  void frame(const World& world);
  void frame(const scene_file::Simulation& simulation);
  std::size_t frames() const { return page_.frames.size(); }
  /// The page; `most_hits` impacts and explosions at most are listed.
  Page page(std::size_t most_hits = 500) const;

 private:
  void record(const World& world, const scene_file::Simulation* simulation);
  Page page_;
  Stage stage_;
  std::optional<Trail> trail_;
  std::optional<Camera> camera_;
  std::size_t impacts_ = 0;
  Vec3 up_;
};

}  // namespace graze::view
