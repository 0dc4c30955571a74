// Records a world for a page, when the tool has the viewer.
#pragma once
#include <graze/world.hpp>
#include <memory>
#include <string>

namespace graze::cli {

class ReplayWriter {
 public:
  /// The world as it is at the start. Ends with a clear message when the tool was built without the viewer.
  ReplayWriter(const World& world, const std::string& title, double seconds_per_frame);
  ~ReplayWriter();
  ReplayWriter(const ReplayWriter&) = delete;
  ReplayWriter& operator=(const ReplayWriter&) = delete;
  /// The world after a step. Throws Error when that is more than a page can hold.
  void frame(const World& world);
  void write(const std::string& path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::cli
