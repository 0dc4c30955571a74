// A multisampled framebuffer, and the single-sample framebuffer that it is resolved into.
#pragma once
#include <memory>

namespace graze::view {

class Canvas {
 public:
  /// Needs a current context. Throws NoGraphics when the size is beyond what the driver can.
  Canvas(int width, int height);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  int width() const;
  int height() const;
  void bind() const;       ///< draw into it
  void resolve() const;    ///< several samples to one; the result is bound
  void show(int x) const;  ///< the resolved picture into the window, its left edge at x; the window is bound after

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::view
