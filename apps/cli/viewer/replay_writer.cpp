// Records a scene for a page with the viewer's recorder.
#include "cli/replay_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <graze/error.hpp>
#include <string>

#include "viewer/replay.hpp"

namespace graze::cli {

struct ReplayWriter::State {
  view::ReplayRecorder recorder;
};

ReplayWriter::ReplayWriter(const scene_file::Simulation& simulation) : state_(new State{view::ReplayRecorder(simulation)}) {}

void ReplayWriter::frame(const scene_file::Simulation& simulation) {
  constexpr std::size_t kMost = 6000000;  // placements and vertices: about 150 MB in the browser
  std::size_t n = simulation.world().bodies() + simulation.walkers().size() + simulation.turning().size();
  for (const scene_file::ClothState& c : simulation.cloths()) n += c.vertices.size();
  if ((state_->recorder.frames() + 1) * n > kMost)
    throw Error(ErrorCode::invalid_argument, "--html: a page holds at most " + std::to_string(kMost / std::max<std::size_t>(n, 1)) + " frames of " +
                                                 std::to_string(n) + " moving bodies and vertices; use --frames");
  state_->recorder.frame(simulation);
}

void ReplayWriter::write(const std::string& path) const { view::write_page(path, state_->recorder.page()); }

ReplayWriter::~ReplayWriter() = default;

}  // namespace graze::cli
