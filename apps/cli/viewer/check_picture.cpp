// Draws the findings of graze check as a picture and as a page.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>
#include "cli/commands.hpp"
#include "cli/pictures.hpp"
#include "cli/viewer/check_view.hpp"
#include "viewer/demo.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/page.hpp"

namespace graze::cli {

namespace {

constexpr std::size_t kMostDrawn = 200000;  // pairs
constexpr std::size_t kMostListed = 1000;   // regions
constexpr float kGlass = 0.25f;             // opacity of the model that would hide the other one, or the contact

/// Draws the contact region by region, so that each is a run of strokes, dots and triangles; lists the largest.
void add_contact(view::Page& page, const CheckSight& s) {
  const std::vector<contact::Region>& regions = s.regions->list;
  std::vector<std::size_t> start(regions.size() + 1, 0);
  for (std::size_t i = 0; i < regions.size(); ++i) start[i + 1] = start[i] + regions[i].pairs;
  std::vector<std::uint32_t> order(s.pairs.size());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::uint32_t i = 0; i < order.size(); ++i) order[next[s.regions->region_of[i]]++] = i;
  // parts that all regions share do not distinguish them
  const bool named = regions.size() < 2 || std::any_of(regions.begin(), regions.end(), [&](const contact::Region& r) {
                       return r.parts_a != regions[0].parts_a || r.parts_b != regions[0].parts_b;
                     });
  const double reach = contact::reach_of(s.a, s.b);
  view::ContactShape shape;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const contact::Region& region = regions[i];
    view::PageHit hit;
    hit.strokes.first = shape.strokes.size();
    hit.dots.first = shape.dots.size();
    hit.area.first = shape.area.size();
    for (std::size_t k = start[i]; k < start[i + 1] && k < kMostDrawn; ++k)
      shape.add(view::triangle_of(s.a, s.pairs[order[k]].a), view::triangle_of(s.b, s.pairs[order[k]].b));
    shape.dots.resize(hit.dots.first);  // only for a region that consists of a point
    if (region.area == 0 && region.length == 0) shape.dots.push_back({region.point, view::kColorHit, 16, true});
    hit.strokes.count = shape.strokes.size() - hit.strokes.first;
    hit.dots.count = shape.dots.size() - hit.dots.first;
    hit.area.count = shape.area.size() - hit.area.first;
    if (i >= kMostListed) continue;
    const std::string a = named ? contact::parts_text(region.parts_a) : "", b = named ? contact::parts_text(region.parts_b) : "";
    hit.text =
        fmt::format("{}. {}", i + 1, a.empty() && b.empty() ? contact::size_text(region) : fmt::format("{} with {}", a.empty() ? "A" : a, b.empty() ? "B" : b));
    const std::string extent = contact::extent_text(region.box);
    const Vec3 at = contact::rounded(region.point, reach);
    hit.detail =
        fmt::format("{}{} pair{} of triangles", a.empty() && b.empty() ? "" : contact::size_text(region) + "; ", region.pairs, region.pairs == 1 ? "" : "s");
    hit.detail += fmt::format("; {}{}at ({:.4g}, {:.4g}, {:.4g})", extent, extent.empty() ? "" : " ", at.x, at.y, at.z);
    hit.at = region.point;
    hit.box = region.box;
    page.hits.push_back(std::move(hit));
  }
  page.hits_title = fmt::format("{}{} region{} of contact", regions.size() > kMostListed ? fmt::format("{} of ", kMostListed) : "", regions.size(),
                                regions.size() == 1 ? "" : "s");
  page.area_part = page.picture.parts.size();
  shape.show(page.picture);
}

/// Points of the contact: of its curves, points and areas, or the nearest points.
std::vector<Vec3> marks_of(const view::Picture& picture) {
  std::vector<Vec3> points;
  for (const view::Stroke& s : picture.strokes) points.push_back(s.a * 0.5 + s.b * 0.5);
  for (const view::Dot& d : picture.dots) points.push_back(d.at);
  for (const view::Part& part : picture.parts) {
    if (part.lit) continue;
    const std::vector<view::Corner>& c = part.surface->corners;
    for (std::size_t i = 0; i + 2 < c.size(); i += 3)
      points.push_back(part.surface->origin +
                       (Vec3(c[i].x, c[i].y, c[i].z) + Vec3(c[i + 1].x, c[i + 1].y, c[i + 1].z) + Vec3(c[i + 2].x, c[i + 2].y, c[i + 2].z)) / 3.0);
  }
  return points;
}

/// The picture without its cameras, and the list of places to zoom in on: the nearest points, or the regions of contact.
view::Page check_page(const CheckSight& s) {
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  view::Page page;
  view::Picture& picture = page.picture;
  view::PairLook look;
  look.pale = !s.pairs.empty();
  look.curve = !s.regions;
  view::add_pair(picture, s.a, Pose{}, s.b, Pose{}, {s.pairs, s.closest}, look);
  if (s.regions) add_contact(page, s);
  picture.title =
      s.verdict.empty() ? s.verdict : fmt::format("{}{}", static_cast<char>(std::toupper(static_cast<unsigned char>(s.verdict[0]))), s.verdict.substr(1));
  picture.legend = {{view::kColorA, fmt::format("A: {}, {} triangles", name(s.name_a), s.a.size())},
                    {view::kColorB, fmt::format("B: {}, {} triangles", name(s.name_b), s.b.size())}};
  if (!s.pairs.empty()) {
    picture.legend.push_back({view::kColorHit, "contact"});
    const std::size_t most = s.regions ? kMostDrawn : look.most;
    std::string count = fmt::format("{}{} pair{} of triangles intersect{}", s.count.more ? "more than " : "", s.count.count, s.count.count == 1 ? "" : "s",
                                    s.count.count == 1 ? "s" : "");
    if (s.regions && s.count.count != s.pairs.size()) count += fmt::format(", {} of them different", s.pairs.size());
    if (s.regions) count = fmt::format("{} region{} of contact; {}", s.regions->list.size(), s.regions->list.size() == 1 ? "" : "s", count);
    if (s.pairs.size() > most) count += fmt::format("; {} are drawn", most);
    picture.caption.push_back(count);
  }
  if (s.closest && std::isfinite(s.closest->distance)) {
    picture.legend.push_back({view::kColorDistance, "nearest points"});
    picture.caption.push_back(fmt::format("distance{} {}", s.a_inside || s.b_inside ? " between the surfaces" : "", view::exact_text(s.closest->distance)));
    const auto [on_a, on_b] = view::short_texts(s.closest->on_a, s.closest->on_b);
    picture.caption.push_back(fmt::format("from {} on A to {} on B", on_a, on_b));
  }
  if (!s.up.guess.empty()) picture.caption.push_back(s.up.guess);
  for (std::string& line : caption_of(s.notes)) picture.caption.push_back(std::move(line));
  picture.focus = view::bounds(picture);
  if (s.closest && std::isfinite(s.closest->distance)) {
    view::PageHit& hit = page.hits.emplace_back();
    hit.text = fmt::format("nearest points, distance {}", view::short_text(s.closest->distance));
    hit.at = s.closest->on_a * 0.5 + s.closest->on_b * 0.5;
    hit.box = Box{glm::min(s.closest->on_a, s.closest->on_b), glm::max(s.closest->on_a, s.closest->on_b)};
    hit.strokes.count = 1;
    hit.dots.count = 2;
  }
  return page;
}

}  // namespace

void show_check(const CheckSight& sight, const std::string& picture, const std::string& html, const std::string& size_text) {
  const Size size = read_size(size_text);
  if (!sight.up.guess.empty()) fmt::print(stderr, "graze: {}\n", sight.up.guess);
  view::Page page = check_page(sight);
  const double aspect = static_cast<double>(size.width) / size.height;
  view::Margins margins{.below = 0.02 + 0.026 * static_cast<double>(page.picture.caption.size())};
  const CheckView chosen = view_check(sight, page.picture, marks_of(page.picture), aspect, margins);
  const Vec3 up = view::axis_vector(sight.up.axis);
  for (const auto& [part, glass] : {std::pair{0, chosen.glass_a}, std::pair{1, chosen.glass_b}}) {
    view::Part& drawn = page.picture.parts[static_cast<std::size_t>(part)];
    if (chosen.glass_a || chosen.glass_b) drawn.color = part == 0 ? view::kColorA : view::kColorB;  // pale ones would become grey behind or as glass
    if (!glass) continue;
    drawn.opacity = kGlass;
    drawn.shell = chosen.glass_a != chosen.glass_b;  // one layer of it, so that what is inside stays visible
  }
  try {
    if (!picture.empty()) {
      view::Picture still = page.picture;
      if (chosen.near) margins.right = view::kInsetSide / std::max(aspect, 1.0) + 0.02;
      set_cameras(still, chosen, up, aspect, margins);
      view::write_png(picture, view::Offscreen(size.width, size.height).draw(still));
    }
  } catch (const view::NoGraphics& e) {
    throw Unavailable(e.what());
  }
  if (html.empty()) return;
  set_cameras(page.picture, chosen, up, 1.5, {});
  view::write_page(html, page);
}

}  // namespace graze::cli
