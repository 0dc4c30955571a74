// A compiled shader program of OpenGL.
#pragma once
#include <glm/mat4x4.hpp>
#include "viewer/palette.hpp"

namespace graze::view {

class Program {
 public:
  /// Throws NoGraphics when the driver refuses it.
  Program(const char* vertex, const char* fragment);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  void use() const;
  /// Of the program in use.
  void set(const char* name, bool x) const;
  void set(const char* name, int x) const;
  void set(const char* name, float x) const;
  void set(const char* name, float x, float y) const;
  void set(const char* name, Color c) const;
  void set(const char* name, const glm::dmat4& m) const;

 private:
  unsigned id_ = 0;
};

}  // namespace graze::view
