// A multisampled framebuffer, and the single-sample framebuffer that it is resolved into.
#pragma once
#include <memory>

namespace graze::view {

class Canvas {
 public:
  /// Needs a current context. Throws NoGraphics when the driver does not support the size.
  Canvas(int width, int height);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  int width() const;
  int height() const;
  void bind() const;       ///< binds it for drawing
  void resolve() const;    ///< resolves the samples; binds the result
  void show(int x) const;  ///< copies the resolved picture into the window, its left edge at x; binds the window

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze::view
