// Records a scene for a page, if the tool is built with the viewer.
#pragma once
#include <memory>
#include <string>
#include "scene_file/simulation.hpp"

namespace graze::cli {

class ReplayWriter {
 public:
  /// The scene as it is at the start. Ends with a clear message when the tool was built without the viewer.
  explicit ReplayWriter(const scene_file::Simulation& simulation);
  ~ReplayWriter();
  ReplayWriter(const ReplayWriter&) = delete;
  ReplayWriter& operator=(const ReplayWriter&) = delete;
  /// The scene after a step. Throws Error when that is more than a page can hold.
  void frame(const scene_file::Simulation& simulation);
  void write(const std::string& path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::cli
