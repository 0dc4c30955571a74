// The window of `graze view`.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include "viewer/open.hpp"
#include "viewer/renderer.hpp"

namespace graze::view {

struct WindowOptions {
  std::vector<std::string> models;
  std::string demo, preset;
  int width = 1280, height = 800;
  OpenOptions reading;                             // of models
  std::function<void(const std::string&)> tell{};  // print the text in the window, one line of JSON whenever it changes
};

/// Runs until the window is closed. Throws NoGraphics without a display or OpenGL, graze::Error for models that cannot be read and unknown demonstrations.
void run_window(const WindowOptions& options);

}  // namespace graze::view
