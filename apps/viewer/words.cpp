// Layout of text: title at the top left, legend at the top right, caption at the bottom left, labels next to their objects.
#include "viewer/words.hpp"
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/vec2.hpp>
#include <string>
#include <utility>
#include <vector>

namespace graze::view {

float scale_for(int width, int height) { return std::max(0.6f, std::min(static_cast<float>(width) / 1280, static_cast<float>(height) / 800)); }

Fonts load_fonts(float scale) {
  ImGuiIO& io = ImGui::GetIO();
  static const ImWchar ranges[] = {0x20, 0xff, 0x370, 0x3ff, 0x2010, 0x2026, 0x2190, 0x2193, 0x2212, 0x2212, 0x2264, 0x2265, 0};
  const auto load = [&](const char* file, float size) -> ImFont* {
    for (const char* folder :
         {"/usr/share/fonts/truetype/dejavu/", "/usr/share/fonts/dejavu/", "/usr/share/fonts/TTF/", "/usr/share/fonts/dejavu-sans-fonts/"}) {
      const std::string path = std::string(folder) + file;
      std::error_code e;
      if (std::filesystem::is_regular_file(path, e)) return io.Fonts->AddFontFromFileTTF(path.c_str(), std::round(size * scale), nullptr, ranges);
    }
    ImFontConfig config;
    config.SizePixels = std::round(size * scale);
    return io.Fonts->AddFontDefault(&config);
  };
  Fonts fonts;
  fonts.text = load("DejaVuSans.ttf", 15);
  fonts.title = load("DejaVuSans-Bold.ttf", 20);
  return fonts;
}

namespace {

ImU32 rgba(Color c, int alpha = 255) { return IM_COL32(c.r, c.g, c.b, alpha); }

struct Writer {
  ImDrawList* list;
  float scale;
  Color ink, paper;

  static float size_of(const ImFont* font) { return font->FontSize; }
  ImVec2 extent(const ImFont* font, const std::string& text, float wrap) const { return font->CalcTextSizeA(font->FontSize, 1e9f, wrap, text.c_str()); }
  void text(const ImFont* font, float x, float y, const std::string& words, float wrap) const {
    list->AddText(font, font->FontSize, ImVec2(std::round(x), std::round(y)), rgba(ink), words.c_str(), nullptr, wrap);
  }
  /// The ground of a text: what is drawn behind it must not run through the letters.
  void panel(float x0, float y0, float x1, float y1) const {
    list->AddRectFilled(ImVec2(x0, y0), ImVec2(x1, y1), rgba(paper, 245), 5 * scale);
    list->AddRect(ImVec2(x0, y0), ImVec2(x1, y1), rgba(ink, 40), 5 * scale);
  }
};

/// The frame of an inset, a frame around what it shows, and two lines between them.
void draw_inset(const Inset& inset, const Projection& projection, const Area& at, const Fonts& fonts, const Writer& w) {
  ImVec2 low(1e9f, 1e9f), high(-1e9f, -1e9f);
  for (int i = 0; i < 8; ++i) {
    const Box& b = inset.box;
    const auto p = projection.pixel(Vec3(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z));
    if (!p) continue;
    low = ImVec2(std::min(low.x, static_cast<float>(p->x)), std::min(low.y, static_cast<float>(p->y)));
    high = ImVec2(std::max(high.x, static_cast<float>(p->x)), std::max(high.y, static_cast<float>(p->y)));
  }
  if (low.x <= high.x) {
    const ImVec2 middle((low.x + high.x) / 2, (low.y + high.y) / 2);
    const float half = std::max({(high.x - low.x) / 2, (high.y - low.y) / 2, 8 * w.scale});
    const ImVec2 from(middle.x - half, middle.y - half), to(middle.x + half, middle.y + half);
    const bool above = middle.y < (at.y0 + at.y1) / 2;
    // from the near side of the small frame to the near side of the large one, so that no line crosses either
    for (const auto& [a, b] : {std::pair{ImVec2(to.x, from.y), ImVec2(at.x0, at.y0)}, std::pair{ImVec2(above ? from.x : to.x, to.y), ImVec2(at.x0, at.y1)}})
      w.list->AddLine(a, b, rgba(w.ink, 110), 1.2f * w.scale);
    w.list->AddRect(from, to, rgba(w.ink), 0, 0, 1.8f * w.scale);
  }
  w.list->AddRect(ImVec2(at.x0, at.y0), ImVec2(at.x1, at.y1), rgba(w.ink), 0, 0, 1.8f * w.scale);
  const float pad = 5 * w.scale;
  const ImVec2 size = w.extent(fonts.text, inset.text, at.x1 - at.x0 - 4 * pad);
  w.panel(at.x0 + pad, at.y1 - size.y - 2 * pad, at.x0 + size.x + 3 * pad, at.y1 - pad);
  w.text(fonts.text, at.x0 + 2 * pad, at.y1 - size.y - 1.5f * pad, inset.text, at.x1 - at.x0 - 4 * pad);
}

/// The strokes of a picture on the screen.
class Lines {
 public:
  Lines(const Picture& picture, const Projection& projection) {
    if (picture.labels.empty()) return;
    for (const Stroke& s : picture.strokes) {
      const auto a = projection.pixel(s.a), b = projection.pixel(s.b);
      if (a && b) lines_.emplace_back(*a, *b);
    }
  }
  bool cross(const glm::dvec2& low, const glm::dvec2& high) const {
    return std::any_of(lines_.begin(), lines_.end(), [&](const auto& line) {
      double from = 0, to = 1;  // the part of the line between both sides, in x and in y
      for (int k = 0; k < 2; ++k) {
        const double a = line.first[k], d = line.second[k] - a;
        if (d == 0 && (a < low[k] || a > high[k])) return false;
        if (d == 0) continue;
        const double u = (low[k] - a) / d, v = (high[k] - a) / d;
        from = std::max(from, std::min(u, v));
        to = std::min(to, std::max(u, v));
      }
      return from <= to;
    });
  }

 private:
  std::vector<std::pair<glm::dvec2, glm::dvec2>> lines_;
};

}  // namespace

Area inset_area(int width, int height) {
  const float margin = 14 * scale_for(width, height), side = static_cast<float>(kInsetSide) * static_cast<float>(std::min(width, height));
  return {std::round(width - margin - side), std::round(height - margin - side), std::round(width - margin), std::round(height - margin)};
}

void draw_words(const Picture& picture, const Projection& projection, const Area& area, const Fonts& fonts, float scale, ImDrawList* list) {
  const Writer w{list, scale, ink_on(picture.background), picture.background};
  const float margin = 14 * scale, pad = 6 * scale, line = fonts.text->FontSize * 1.3f;
  const float wide = area.x1 - area.x0 - 2 * margin;

  if (picture.inset) draw_inset(*picture.inset, projection, inset_area(projection.width, projection.height), fonts, w);

  float caption_height = 0, caption_width = 0;
  std::vector<float> heights;
  for (const std::string& s : picture.caption) {
    const ImVec2 size = w.extent(fonts.text, s.empty() ? " " : s, wide);
    heights.push_back(size.y + line - fonts.text->FontSize);
    caption_height += heights.back();
    caption_width = std::max(caption_width, size.x);
  }
  const float caption_top = area.y1 - margin - caption_height;

  const Lines lines(picture, projection);
  for (const Label& label : picture.labels) {
    const auto at = projection.pixel(label.at);
    if (!at || label.text.empty()) continue;
    const ImVec2 size = w.extent(fonts.text, label.text, wide / 2);
    // to the upper right of its point; where a line would run through it, to another side
    const float right = static_cast<float>(at->x) + 9 * scale, left = static_cast<float>(at->x) - 9 * scale - size.x;
    const float above = static_cast<float>(at->y) - size.y - 5 * scale, below = static_cast<float>(at->y) + 5 * scale;
    float x = right, y = above;
    for (const auto& [side, high] : {std::pair{right, above}, std::pair{left, above}, std::pair{right, below}, std::pair{left, below}}) {
      if (lines.cross({side, high}, {side + size.x, high + size.y})) continue;
      x = side;
      y = high;
      break;
    }
    x = std::clamp(x, area.x0 + margin, std::max(area.x0 + margin, area.x1 - margin - size.x));
    y = std::clamp(y, area.y0 + margin, std::max(area.y0 + margin, area.y1 - margin - size.y));
    if (!heights.empty() && x < area.x0 + margin + caption_width + 2 * pad) y = std::min(y, caption_top - size.y - pad);  // not under the caption
    w.panel(x - pad / 2, y - pad / 3, x + size.x + pad / 2, y + size.y + pad / 3);
    w.text(fonts.text, x, y, label.text, wide / 2);
  }

  float legend_width = 0;
  for (const LegendEntry& e : picture.legend) legend_width = std::max(legend_width, w.extent(fonts.text, e.text, 0).x);
  if (!picture.legend.empty()) {
    const float box = fonts.text->FontSize * 0.8f, x0 = area.x1 - margin - legend_width - box - 3 * pad;
    float y = area.y0 + margin;
    w.panel(x0, y - pad / 2, area.x1 - margin, y + line * static_cast<float>(picture.legend.size()) + pad / 2);
    for (const LegendEntry& e : picture.legend) {
      list->AddRectFilled(ImVec2(x0 + pad, y + (line - box) / 2), ImVec2(x0 + pad + box, y + (line + box) / 2), rgba(e.color), 2 * scale);
      w.text(fonts.text, x0 + 2 * pad + box, y + (line - fonts.text->FontSize) / 2, e.text, 0);
      y += line;
    }
    legend_width += box + 4 * pad;
  }

  if (!picture.title.empty()) {
    const float wrap = std::max(wide - legend_width, wide / 3);
    const ImVec2 size = w.extent(fonts.title, picture.title, wrap);
    w.panel(area.x0 + margin - pad, area.y0 + margin - pad / 2, area.x0 + margin + size.x + pad, area.y0 + margin + size.y + pad / 2);
    w.text(fonts.title, area.x0 + margin, area.y0 + margin, picture.title, wrap);
  }

  if (!picture.caption.empty()) {
    float y = caption_top;
    w.panel(area.x0 + margin - pad, y - pad / 2, area.x0 + margin + caption_width + pad, area.y1 - margin + pad / 2);
    for (std::size_t i = 0; i < picture.caption.size(); ++i) {
      w.text(fonts.text, area.x0 + margin, y, picture.caption[i], wide);
      y += heights[i];
    }
  }
}

WordsOffscreen::WordsOffscreen(float scale) : scale_(scale) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  fonts_ = load_fonts(scale);
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
    ImGui::DestroyContext();
    throw NoGraphics("cannot draw: Dear ImGui finds no OpenGL");
  }
}

WordsOffscreen::~WordsOffscreen() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
}

void WordsOffscreen::draw(const Picture& picture, int width, int height) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  io.DeltaTime = 1.0f / 60;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  const Projection projection(picture.camera, bounds(picture), width, height);
  draw_words(picture, projection, {0, 0, io.DisplaySize.x, io.DisplaySize.y}, fonts_, scale_, ImGui::GetBackgroundDrawList());
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace graze::view
