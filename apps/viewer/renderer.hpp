// Draws pictures with OpenGL 3.3 core into the bound framebuffer. words.hpp draws the text.
#pragma once
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include "viewer/picture.hpp"

namespace graze::view {

/// No display, no OpenGL 3.3, no window: what the machine lacks, in words for a user.
class NoGraphics : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From the world to the screen, and back as a ray.
struct Projection {
  glm::dmat4 view{1.0}, projection{1.0};
  int width = 1, height = 1;
  int x = 0;  // where its left edge lies on the screen
  Projection(const Camera& camera, const Box& bounds, int width, int height, int x = 0);
  /// Pixels from the upper left; nothing behind the eye.
  std::optional<glm::dvec2> pixel(const Vec3& p) const;
  /// The direction (unit length) through a pixel.
  Vec3 direction(double x, double y) const;
  Vec3 eye;
};

/// Of meshes: borders and creases, or every triangle. Other shapes have their edges unless there are to be none.
enum class EdgeStyle { none, features, triangles };

struct DrawOptions {
  float scale = 1;      // of widths in pixels
  bool moving = false;  // coarse surfaces where there are some
  EdgeStyle edges = EdgeStyle::features;
  double seconds = 0;  // so long a call lasts, about; then `draw` says that there is more to do. 0: until all is drawn
  bool go_on = false;  // with what the last call, of the same picture and view, has left
};

class Renderer {
 public:
  /// Needs a current context; throws NoGraphics when it cannot do what is needed.
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  /// False: `options.seconds` are over, and the picture is not complete.
  bool draw(const Picture& picture, int width, int height, const DrawOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::view
