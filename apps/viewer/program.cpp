// Compiles shader programs, and sets their uniforms.
#include "viewer/program.hpp"
#include <epoxy/gl.h>
#include <glm/gtc/type_ptr.hpp>
#include <string>
#include "viewer/renderer.hpp"

namespace graze::view {

namespace {

GLuint compile(GLenum kind, const char* text) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (!good) {
    char log[2000] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    throw NoGraphics(std::string("the graphics driver refuses a shader: ") + log);
  }
  return shader;
}

}  // namespace

Program::Program(const char* vertex, const char* fragment) {
  const GLuint v = compile(GL_VERTEX_SHADER, vertex), f = compile(GL_FRAGMENT_SHADER, fragment);
  id_ = glCreateProgram();
  glAttachShader(id_, v);
  glAttachShader(id_, f);
  glLinkProgram(id_);
  glDeleteShader(v);
  glDeleteShader(f);
  GLint good = 0;
  glGetProgramiv(id_, GL_LINK_STATUS, &good);
  if (!good) throw NoGraphics("the graphics driver cannot link a shader program");
}

Program::~Program() { glDeleteProgram(id_); }
void Program::use() const { glUseProgram(id_); }
void Program::set(const char* name, bool x) const { glUniform1i(glGetUniformLocation(id_, name), x); }
void Program::set(const char* name, int x) const { glUniform1i(glGetUniformLocation(id_, name), x); }
void Program::set(const char* name, float x) const { glUniform1f(glGetUniformLocation(id_, name), x); }
void Program::set(const char* name, float x, float y) const { glUniform2f(glGetUniformLocation(id_, name), x, y); }
void Program::set(const char* name, Color c) const { glUniform3f(glGetUniformLocation(id_, name), c.r / 255.0f, c.g / 255.0f, c.b / 255.0f); }
void Program::set(const char* name, const glm::dmat4& m) const {
  const glm::mat4 single(m);
  glUniformMatrix4fv(glGetUniformLocation(id_, name), 1, GL_FALSE, glm::value_ptr(single));
}

}  // namespace graze::view
