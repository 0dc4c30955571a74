// The style of the window's widgets, and the list of keys that F1 shows.
#include "viewer/help_window.hpp"

#include <vector>

#include "viewer/demo.hpp"
#include "viewer/input.hpp"

namespace graze::view {

void set_style(float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  ImGui::StyleColorsLight();
  style.ScaleAllSizes(scale);
  style.Colors[ImGuiCol_WindowBg] = ImVec4(0.96f, 0.96f, 0.95f, 1);
  style.Colors[ImGuiCol_TextDisabled] = ImVec4(0.38f, 0.40f, 0.42f, 1);
  style.Colors[ImGuiCol_Border] = ImVec4(0.45f, 0.48f, 0.5f, 0.6f);  // white fields on a light panel need a border
  style.FrameBorderSize = 1;
}

HelpPlace draw_help(const Demo& demo, ImVec2 center, float indent, bool& open) {
  ImGui::SetNextWindowPos(center, ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  ImGui::Begin("Keys and mouse", &open,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  const auto rows = [&](const std::vector<KeyHelp>& list) {
    for (const KeyHelp& k : list) {
      ImGui::TextUnformatted(k.keys.c_str());
      ImGui::SameLine(indent);
      ImGui::TextUnformatted(k.what.c_str());
    }
  };
  if (!demo.keys().empty()) {
    ImGui::TextDisabled("%s", demo.title().c_str());
    rows(demo.keys());
    ImGui::Separator();
  }
  rows(common_keys());
  HelpPlace place;
  place.min = ImGui::GetWindowPos();
  place.max = ImVec2(place.min.x + ImGui::GetWindowWidth(), place.min.y + ImGui::GetWindowHeight());
  ImGui::End();
  return place;
}

}  // namespace graze::view
