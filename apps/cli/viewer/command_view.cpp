// graze view: opens the window.
#include "cli/commands.hpp"

#include <string>

#include "cli/pictures.hpp"
#include "viewer/window.hpp"

namespace graze::cli {

int run_view(const ViewOptions& options) {
  const Size size = read_size(options.size);
  try {
    if (!options.preset.empty() && options.demo.empty()) throw UsageError("view: --preset needs --demo NAME");
    view::WindowOptions window{options.models, options.demo, options.preset, size.width, size.height, {read_up(options.up), options.literal}};
    if (options.tell) window.tell = [](const std::string& line) { print(line + "\n"); };
    view::run_window(window);
  } catch (const view::NoGraphics& e) {
    throw Unavailable(e.what());
  }
  return kDone;
}

}  // namespace graze::cli
