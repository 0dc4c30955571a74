#include "viewer/window.hpp"
namespace graze::view { void run_window(const WindowOptions&) { throw NoGraphics("not yet"); } }
