// The embedded files of apps/viewer/page: frame, style, shaders, drawing and program of the page. @WORDS@ are replaced when the page is written.
#pragma once

namespace graze::view {

extern const char* const kPageText;
extern const char* const kPageStyle;
extern const char* const kPageShaders;
extern const char* const kPageDrawing;
extern const char* const kPageProgram;

}  // namespace graze::view
