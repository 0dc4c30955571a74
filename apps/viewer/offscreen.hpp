// A drawing surface without a window, display or graphics card: EGL without a surface (Mesa renders on the processor if there is no card).
#pragma once
#include <memory>
#include "viewer/image.hpp"
#include "viewer/renderer.hpp"

namespace graze::view {

class Offscreen {
 public:
  /// Throws NoGraphics that names what is missing. At most one instance per process at a time.
  Offscreen(int width, int height);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// The picture with its text.
  Image draw(const Picture& picture);
  const DrawCounts& counts() const;  ///< of the last picture, without its text
  int width() const;
  int height() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::view
