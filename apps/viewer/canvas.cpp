// Framebuffer objects of OpenGL 3.3.
#include "viewer/canvas.hpp"
#include <epoxy/gl.h>
#include <algorithm>
#include <string>
#include "viewer/renderer.hpp"

namespace graze::view {

struct Canvas::State {
  int width, height;
  GLuint many = 0, many_color = 0, many_depth = 0, one = 0, one_color = 0;
  ~State() {
    glDeleteFramebuffers(1, &many);
    glDeleteFramebuffers(1, &one);
    glDeleteRenderbuffers(1, &many_color);
    glDeleteRenderbuffers(1, &many_depth);
    glDeleteRenderbuffers(1, &one_color);
  }
};

Canvas::Canvas(int width, int height) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.width = width;
  s.height = height;
  GLint most = 0, samples = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  if (width > most || height > most) throw NoGraphics("cannot draw: pictures may have at most " + std::to_string(most) + " pixels a side");
  glGetIntegerv(GL_MAX_SAMPLES, &samples);
  samples = std::clamp(samples, 1, 8);
  const auto buffer = [&](GLuint& name, GLenum format, int n) {
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, n, format, width, height);
  };
  buffer(s.many_color, GL_RGBA8, samples);
  buffer(s.many_depth, GL_DEPTH_COMPONENT24, samples);
  buffer(s.one_color, GL_RGBA8, 0);
  glGenFramebuffers(1, &s.many);
  glBindFramebuffer(GL_FRAMEBUFFER, s.many);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s.many_color);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, s.many_depth);
  const bool good = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glGenFramebuffers(1, &s.one);
  glBindFramebuffer(GL_FRAMEBUFFER, s.one);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s.one_color);
  if (!good || glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw NoGraphics("cannot draw: no framebuffer of " + std::to_string(width) + "x" + std::to_string(height));
}

Canvas::~Canvas() = default;
int Canvas::width() const { return state_->width; }
int Canvas::height() const { return state_->height; }
void Canvas::bind() const { glBindFramebuffer(GL_FRAMEBUFFER, state_->many); }

void Canvas::resolve() const {
  const State& s = *state_;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, s.many);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s.one);
  glBlitFramebuffer(0, 0, s.width, s.height, 0, 0, s.width, s.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, s.one);
}

void Canvas::show(int x) const {
  const State& s = *state_;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, s.one);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, s.width, s.height, x, 0, x + s.width, s.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace graze::view
