// The recorder of the viewer behind a name that exists without it, too.
#include "cli/replay_writer.hpp"
#include <algorithm>
#include <graze/error.hpp>
#include "cli/pictures.hpp"
#ifdef GRAZE_VIEWER
#include "viewer/replay.hpp"
#endif

namespace graze::cli {

#ifndef GRAZE_VIEWER

struct ReplayWriter::State {};
ReplayWriter::ReplayWriter(const World&, const std::string&, double) { no_viewer(); }
void ReplayWriter::frame(const World&) {}
void ReplayWriter::write(const std::string&) const {}

#else

struct ReplayWriter::State {
  view::ReplayRecorder recorder;
};

ReplayWriter::ReplayWriter(const World& world, const std::string& title, double seconds_per_frame) : state_(new State{view::ReplayRecorder(world, title, seconds_per_frame)}) {}

void ReplayWriter::frame(const World& world) {
  constexpr std::size_t kMost = 6000000;  // placements: about 150 MB in the browser
  if ((state_->recorder.frames() + 1) * world.bodies() > kMost)
    throw Error("--html: a page holds at most " + std::to_string(kMost / std::max<std::size_t>(world.bodies(), 1)) + " frames of " + std::to_string(world.bodies()) + " bodies; use --frames");
  state_->recorder.frame(world);
}

void ReplayWriter::write(const std::string& path) const { view::write_page(path, state_->recorder.page()); }

#endif

ReplayWriter::~ReplayWriter() = default;

}  // namespace graze::cli
