// Text in pictures: title, legend, caption and labels. Dear ImGui draws it, in the window and in pictures without one.
#pragma once
#include <memory>
#include "viewer/renderer.hpp"

struct ImDrawList;
struct ImFont;

namespace graze::view {

/// Scale of text and lines on a surface of that many pixels; 1 for 1280 x 800.
float scale_for(int width, int height);

struct Fonts {
  ImFont* text = nullptr;
  ImFont* title = nullptr;
};
/// Adds the fonts to the current ImGui context. DejaVu Sans where it is installed, else ImGui's own.
Fonts load_fonts(float scale);

/// The rectangle available for text, in pixels.
struct Area {
  float x0, y0, x1, y1;
};
/// The square of an inset, in the lower right corner of a surface of that size.
Area inset_area(int width, int height);
/// An inset, which is drawn already, gets its frame, and lines to what it shows.
void draw_words(const Picture& picture, const Projection& projection, const Area& area, const Fonts& fonts, float scale, ImDrawList* list);

/// An ImGui context of its own for pictures without a window.
class WordsOffscreen {
 public:
  explicit WordsOffscreen(float scale);
  ~WordsOffscreen();
  WordsOffscreen(const WordsOffscreen&) = delete;
  WordsOffscreen& operator=(const WordsOffscreen&) = delete;
  void draw(const Picture& picture, int width, int height);

 private:
  Fonts fonts_;
  float scale_;
};

}  // namespace graze::view
