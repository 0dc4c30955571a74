// Number fields over Dear ImGui's text fields, because its own number fields round what they show.
#include "viewer/typed.hpp"
#include <fmt/format.h>
#include <imgui.h>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <graze/error.hpp>
#include <span>
#include <variant>
#include <vector>

namespace graze::view {

namespace {

/// All points of a shape that is constructed from points.
template <class S>
bool typed_points(const S& s, AnyShape& shape) {
  std::vector<Vec3> points(s.points().begin(), s.points().end());
  bool changed = false;
  for (std::size_t i = 0; i < points.size(); ++i) changed |= typed(fmt::format("{}", i).c_str(), points[i]);
  if (changed) shape = S(points);
  return changed;
}

bool typed_field(const char* name, double& x, float width) { return typed(name, x, width); }
bool typed_field(const char* name, Vec3& v, float) { return typed(name, v); }
bool typed_field(const char* name, std::array<Vec3, 3>& list, float) {
  bool changed = false;
  for (std::size_t i = 0; i < 3; ++i) changed |= typed(fmt::format("{} {}", name, i).c_str(), list[i]);
  return changed;
}

float row_width() { return ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize("direction").x - 2 * ImGui::GetStyle().ItemInnerSpacing.x; }

template <class S>
bool typed_shape(const S& s, AnyShape& shape) {
  if constexpr (requires { S::fields(); }) {
    S now = s;
    bool changed = false;
    std::apply([&](const auto&... f) { ((changed |= typed_field(f.name, now.*(f.member), row_width())), ...); }, S::fields());
    if (changed) {
      validate(now);
      shape = now;
    }
    return changed;
  } else if constexpr (requires {
                         S(std::span<const Vec3>());
                         s.points();
                       }) {
    return typed_points(s, shape);
  } else {
    ImGui::TextDisabled("(a model: only its place)");
    return false;
  }
}

}  // namespace

bool typed(const char* label, double& x, float width) {
  static std::string edited;  // text of the active field, of which there is at most one
  char text[64];
  std::strncpy(text, exact_text(x).c_str(), sizeof text - 1);
  text[sizeof text - 1] = 0;
  ImGui::SetNextItemWidth(width);
  ImGui::InputText(label, text, sizeof text, ImGuiInputTextFlags_CharsScientific | ImGuiInputTextFlags_AutoSelectAll);
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  if (ImGui::IsItemActive() || pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter))
    edited = text;  // a field that loses focus otherwise gets its old text back
  if (!ImGui::IsItemDeactivatedAfterEdit() || pressed(ImGuiKey_Escape)) return false;
  const char *first = edited.c_str() + std::strspn(edited.c_str(), " +"), *last = edited.c_str() + edited.size();
  while (last > first && last[-1] == ' ') --last;
  double value = 0;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value) || value == x) return false;
  x = value;
  return true;
}

bool typed(const char* label, Vec3& v) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = (row_width() - 2 * gap) / 3;
  bool changed = false;
  ImGui::PushID(label);
  for (int k = 0; k < 3; ++k) {
    if (k > 0) ImGui::SameLine(0, gap);
    changed |= typed(k == 0 ? "##x" : k == 1 ? "##y" : "##z", v[k], width);
  }
  ImGui::PopID();
  ImGui::SameLine(0, gap);
  ImGui::TextUnformatted(label);
  return changed;
}

bool typed(AnyShape& shape, std::string& refused) {
  try {
    const AnyShape before = shape;
    const bool changed = std::visit([&](const auto& s) { return typed_shape(s, shape); }, before.value());
    if (changed) refused.clear();
    return changed;
  } catch (const Error& e) {
    refused = e.what();
    return false;
  }
}

}  // namespace graze::view
