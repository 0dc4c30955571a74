// Draws balls with OpenGL: a quad for each, whose fragments are cast at the ball. Round at any size, and as cheap for thousands as for one.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include "viewer/renderer.hpp"

namespace graze::view {

/// As the graphics card takes it.
struct Ball {
  float center[3];  // in the frame of the eye
  float radius;
  std::uint8_t color[3];
  std::uint8_t lit;  // 0 or 255
  Ball(const Part& part, const Projection& projection);
};

struct BallStyle {
  enum class Side { nearest, front, back } side = Side::nearest;  // nearest: the front, or the back where the eye is inside
  float opacity = 1;
  bool by_samples = false;  // the rim covers only some of a pixel's samples; otherwise it is more transparent
  bool whole_pixels = false;
};

class Balls {
 public:
  /// Requires a current context.
  Balls();
  ~Balls();
  Balls(const Balls&) = delete;
  Balls& operator=(const Balls&) = delete;
  void draw(std::span<const Ball> balls, const Projection& projection, const BallStyle& style);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::view
