// Draws the findings of graze check as a picture and as a page.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include "cli/commands.hpp"
#include "cli/pictures.hpp"
#include "viewer/demo.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/page.hpp"

namespace graze::cli {

namespace {

constexpr std::size_t kMostDrawn = 200000;  // pairs
constexpr std::size_t kMostListed = 1000;   // regions

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
    const Vec3 size = region.box.max - region.box.min;
    hit.detail =
        fmt::format("{}{} pair{} of triangles", a.empty() && b.empty() ? "" : contact::size_text(region) + "; ", region.pairs, region.pairs == 1 ? "" : "s");
    hit.detail += fmt::format("; {}at {}", view::length(size) > 0 ? fmt::format("{:.3g} x {:.3g} x {:.3g} ", size.x, size.y, size.z) : "",
                              fmt::format("({:.4g}, {:.4g}, {:.4g})", region.point.x, region.point.y, region.point.z));
    hit.at = region.point;
    hit.box = region.box;
    page.hits.push_back(std::move(hit));
  }
  page.hits_title = fmt::format("{}{} region{} of contact", regions.size() > kMostListed ? fmt::format("{} of ", kMostListed) : "", regions.size(),
                                regions.size() == 1 ? "" : "s");
  page.area_part = page.picture.parts.size();
  shape.show(page.picture);
}

/// The picture, and the list of places to zoom in on: the nearest points, or the regions of contact.
view::Page check_page(const CheckSight& s, double aspect, Axis up_axis) {
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  view::Page page;
  view::Picture& picture = page.picture;
  view::PairLook look;
  look.pale = !s.pairs.empty();
  if (s.b_inside) look.opacity_a = 0.3f;  // the outer model is transparent, so that the inner one is visible
  if (s.a_inside) look.opacity_b = 0.3f;
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
    picture.caption.push_back(fmt::format("from {} on A to {} on B", view::short_text(s.closest->on_a), view::short_text(s.closest->on_b)));
  }
  const Box all = view::bounds(picture);
  // perpendicular to the line between the nearest points, which then appears at full length
  const Vec3 up = view::axis_vector(up_axis);
  Vec3 direction = view::usual_direction(up_axis);
  if (s.closest && std::isfinite(s.closest->distance) && s.closest->distance > 0) {
    const Vec3 line = view::unit(s.closest->on_b - s.closest->on_a);
    direction = view::unit(direction) - line * view::dot(view::unit(direction), line);
    if (view::length(direction) < 0.2) direction = view::cross(line, std::abs(line.x) < 0.7 ? Vec3(1, 0, 0) : Vec3(0, 1, 0));
    if (std::abs(view::dot(view::unit(direction), up)) > 0.97) direction += (view::usual_direction(up_axis) - up * 0.5) * 0.4;  // not straight from above
  }
  picture.focus = all;
  picture.camera = view::fit(picture, direction, up, aspect);
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

void show_check(const CheckSight& sight, const std::string& picture, const std::string& html, const std::string& size_text, Axis up) {
  const Size size = read_size(size_text);
  const view::Page page = check_page(sight, static_cast<double>(size.width) / size.height, up);
  try {
    if (!picture.empty()) view::write_png(picture, view::Offscreen(size.width, size.height).draw(page.picture));
  } catch (const view::NoGraphics& e) {
    throw Unavailable(e.what());
  }
  if (!html.empty()) view::write_page(html, page);
}

}  // namespace graze::cli
