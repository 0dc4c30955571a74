// Stands in for apps/cli/viewer in a tool that is linked without the viewer: every picture, page or window is refused, but the
// page of graze clash, which has no pictures then.
#include <string>

#include "cli/clash_pictures.hpp"
#include "cli/commands.hpp"
#include "cli/pictures.hpp"
#include "cli/replay_writer.hpp"

namespace graze::cli {
namespace {

[[noreturn]] void refuse() { throw Unavailable("this graze was built without the viewer (its packages: tools/setup.sh view; then build again)"); }

}  // namespace

int run_render(const RenderOptions&) { refuse(); }
int run_gallery(const GalleryOptions&) { refuse(); }
int run_view(const ViewOptions&) { refuse(); }
void show_check(const CheckSight&, const std::string&, const std::string&, const std::string&) { refuse(); }
ClashPictures draw_clashes(const ClashDrawing&) { return {}; }

struct ReplayWriter::State {};
ReplayWriter::ReplayWriter(const scene_file::Simulation&) { refuse(); }
ReplayWriter::~ReplayWriter() = default;
void ReplayWriter::frame(const scene_file::Simulation&) {}
void ReplayWriter::write(const std::string&) const {}

}  // namespace graze::cli
