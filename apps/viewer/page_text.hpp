// The page: frame, style, shaders and program, the files of apps/viewer/page. @WORDS@ are replaced when it is written.
#pragma once

namespace graze::view {

extern const char* const kPageText;
extern const char* const kPageStyle;
extern const char* const kPageShaders;
extern const char* const kPageProgram;

}  // namespace graze::view
