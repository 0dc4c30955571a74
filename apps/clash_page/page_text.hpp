// The embedded files of apps/clash_page: frame, style and program of the page. @WORDS@ are replaced when the page is written.
#pragma once

namespace graze::clash_page {

extern const char* const kPageText;
extern const char* const kPageStyle;
extern const char* const kPageProgram;

}  // namespace graze::clash_page
