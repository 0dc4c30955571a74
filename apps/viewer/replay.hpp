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
  /// Starts with the current state of the world; `seconds_per_frame` is the time between calls of `frame`.
  ReplayRecorder(const World& world, std::string title, double seconds_per_frame, Axis up = Axis::z,
                 const std::vector<std::shared_ptr<const AnyShape>>& looks = {});
  /// Records a scene with its walkers, turning objects, cloths and shots. Pass the same scene to `frame`.
  ReplayRecorder(const scene_file::Simulation& simulation);
  /// Records the current state of the world and the events of its last step. Bodies added after the start are not shown.
  void frame(const World& world);
  void frame(const scene_file::Simulation& simulation);
  std::size_t frames() const { return page_.frames.size(); }
  /// The page. It lists the first 500 events, has a tick for every one, and opens where half of them are over; without any, in the middle.
  Page page() const;

 private:
  void record(const World& world, const scene_file::Simulation* simulation);
  bool count(double time);
  Page page_;
  Stage stage_;
  std::optional<Trail> trail_;
  std::optional<Camera> camera_;
  std::size_t impacts_ = 0, events_ = 0;
  Vec3 up_;
};

}  // namespace graze::view
