// Draws pictures with OpenGL 3.3 core into the bound framebuffer. words.hpp draws the text.
#pragma once
#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include "viewer/picture.hpp"

namespace graze::view {

/// No display, OpenGL 3.3 or window; the message tells the user what is missing.
class NoGraphics : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Projects from the world to the screen, and back to a ray.
struct Projection {
  glm::dmat4 view{1.0}, projection{1.0};
  int width = 1, height = 1;
  int x = 0;  // position of its left edge on the screen
  Projection(const Camera& camera, const Box& bounds, int width, int height, int x = 0);
  /// Pixels from the upper left; empty behind the eye.
  std::optional<glm::dvec2> pixel(const Vec3& p) const;
  /// The direction (unit length) through a pixel.
  Vec3 direction(double x, double y) const;
  Vec3 eye;
};

/// For meshes: borders and creases, or all edges. Other shapes show their edges unless edges are off.
enum class EdgeStyle { none, features, triangles };

struct DrawOptions {
  float scale = 1;      // scale of widths in pixels
  bool moving = false;  // use coarse surfaces where available
  EdgeStyle edges = EdgeStyle::features;
  double seconds = 0;  // approximate time limit of a call; `draw` then reports that more remains. 0: draw everything
  bool go_on = false;  // continue with the rest of the last call for the same picture and view
  int x = 0, y = 0;    // of the lower left corner; elsewhere in the framebuffer nothing changes
};

/// What was sent to the graphics card.
struct DrawCounts {
  std::size_t calls = 0, triangles = 0;
  void add(std::size_t more) {
    ++calls;
    triangles += more;
  }
};

class Renderer {
 public:
  /// Requires a current context; throws NoGraphics when the context lacks a required feature.
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  /// Returns false when `options.seconds` are over and the picture is incomplete.
  bool draw(const Picture& picture, int width, int height, const DrawOptions& options = {});
  /// Of the last picture, so far.
  const DrawCounts& counts() const;

 private:
  struct State;
  class Drawing;
  std::unique_ptr<State> state_;
};

}  // namespace graze::view
