// The style of the window's widgets, and the list of keys that F1 shows.
#pragma once
#include <imgui.h>

namespace graze::view {

class Demo;

/// Colours and borders of all widgets, for a scale of the fonts.
void set_style(float scale);

struct HelpPlace {
  ImVec2 min{0, 0}, max{0, 0};
};

/// Draws the keys of the demonstration and the common keys, centred at `center`; `indent` is the column of the explanations. Closing the window clears `open`.
HelpPlace draw_help(const Demo& demo, ImVec2 center, float indent, bool& open);

}  // namespace graze::view
