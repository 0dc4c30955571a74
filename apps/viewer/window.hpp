// The window of `graze view`.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include "viewer/renderer.hpp"

namespace graze::view {

struct WindowOptions {
  std::vector<std::string> models;
  std::string demo, preset;
  int width = 1280, height = 800;
  std::optional<Axis> up;                          // of models; nothing: as their files say
  std::function<void(const std::string&)> tell{};  // what the words in the window say, one line of JSON whenever it changes
};

/// Runs until it is closed. Throws NoGraphics without a display or OpenGL, graze::Error for models that cannot be read and unknown demonstrations.
void run_window(const WindowOptions& options);

}  // namespace graze::view
