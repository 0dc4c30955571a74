// The instances of balls on the graphics card.
#include "viewer/balls.hpp"
#include <epoxy/gl.h>
#include <cstddef>
#include "viewer/program.hpp"
#include "viewer/shaders.hpp"

namespace graze::view {

Ball::Ball(const Part& part, const Projection& projection)
    : radius(static_cast<float>(part.surface->ball)), color{part.color.r, part.color.g, part.color.b}, lit(part.lit ? 255 : 0) {
  const Vec3 at = part.pose.apply(part.surface->origin);
  const glm::dvec4 seen = projection.view * glm::dvec4(at.x, at.y, at.z, 1);
  for (int k = 0; k < 3; ++k) center[k] = static_cast<float>(seen[k]);
}

struct Balls::State {
  Program program{kBallVertex, kBallFragment};
  GLuint array = 0, buffer = 0;
};

Balls::Balls() : state_(std::make_unique<State>()) {
  State& s = *state_;
  glGenVertexArrays(1, &s.array);
  glGenBuffers(1, &s.buffer);
  glBindVertexArray(s.array);
  glBindBuffer(GL_ARRAY_BUFFER, s.buffer);
  for (GLuint i = 0; i < 2; ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribDivisor(i, 1);
  }
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(Ball), reinterpret_cast<const void*>(offsetof(Ball, center)));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Ball), reinterpret_cast<const void*>(offsetof(Ball, color)));
}

Balls::~Balls() {
  glDeleteVertexArrays(1, &state_->array);
  glDeleteBuffers(1, &state_->buffer);
}

void Balls::draw(std::span<const Ball> balls, const Projection& p, const BallStyle& style) {
  if (balls.empty()) return;
  const Program& program = state_->program;
  program.use();
  program.set("projection", p.projection);
  program.set("screen", static_cast<float>(p.width), static_cast<float>(p.height));
  program.set("nearest", static_cast<float>(p.projection[3][2] / (p.projection[2][2] - 1)));
  program.set("side", static_cast<int>(style.side));
  program.set("opacity", style.opacity);
  program.set("by_samples", style.by_samples);
  program.set("least", style.whole_pixels ? 0.5f : 0.0f);
  glDisable(GL_CULL_FACE);  // the sides are those of the ball, not of its quad
  glBindVertexArray(state_->array);
  glBindBuffer(GL_ARRAY_BUFFER, state_->buffer);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(balls.size_bytes()), balls.data(), GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(balls.size()));
}

}  // namespace graze::view
