// Records a scene for a page, if the tool is built with the viewer.
#pragma once
#include <memory>
#include <string>
#include "scene_file/simulation.hpp"

namespace graze::cli {

class ReplayWriter {
 public:
  /// Starts with the current state of the scene. Fails with a clear message if the tool was built without the viewer.
  explicit ReplayWriter(const scene_file::Simulation& simulation);
  ~ReplayWriter();
  ReplayWriter(const ReplayWriter&) = delete;
  ReplayWriter& operator=(const ReplayWriter&) = delete;
  /// Records the scene after a step. Throws Error when it exceeds what a page can hold.
  void frame(const scene_file::Simulation& simulation);
  void write(const std::string& path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::cli
