// What graze check found, as a picture and as a page.
#include "cli/commands.hpp"
#include "cli/pictures.hpp"
#ifdef GRAZE_VIEWER
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include "viewer/demo.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/page.hpp"
#endif

namespace graze::cli {

#ifndef GRAZE_VIEWER

void show_check(const CheckSight&, const std::string&, const std::string&, const std::string&, Axis) { no_viewer(); }

#else

namespace {

view::Picture check_picture(const CheckSight& s, double aspect, Axis up_axis) {
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  view::Picture picture;
  view::PairLook look;
  look.opacity_a = look.opacity_b = s.pairs.empty() ? 1 : 0.42f;
  if (s.b_inside) look.opacity_a = 0.3f;  // the outer one lets the inner one be seen
  if (s.a_inside) look.opacity_b = 0.3f;
  view::add_pair(picture, s.a, Pose{}, s.b, Pose{}, {s.pairs, s.closest}, look);
  picture.title = s.verdict.empty() ? s.verdict : fmt::format("{}{}", static_cast<char>(std::toupper(static_cast<unsigned char>(s.verdict[0]))), s.verdict.substr(1));
  picture.legend = {{view::kColorA, fmt::format("A: {}, {} triangles", name(s.name_a), s.a.size())}, {view::kColorB, fmt::format("B: {}, {} triangles", name(s.name_b), s.b.size())}};
  if (!s.pairs.empty()) {
    picture.legend.push_back({view::kColorHit, "triangles that intersect"});
    picture.caption.push_back(fmt::format("{} pair{} of triangles intersect{}", s.pairs.size(), s.pairs.size() == 1 ? "" : "s", s.pairs.size() > look.most ? fmt::format("; the first {} are shown", look.most) : ""));
  }
  if (s.closest && std::isfinite(s.closest->distance)) {
    picture.legend.push_back({view::kColorDistance, "nearest points"});
    picture.caption.push_back(fmt::format("distance{} {}", s.a_inside || s.b_inside ? " between the surfaces" : "", view::exact_text(s.closest->distance)));
    picture.caption.push_back(fmt::format("from {} on A to {} on B", view::short_text(s.closest->on_a), view::short_text(s.closest->on_b)));
  }
  const Box all = view::bounds(picture);
  // across the line between the nearest points, so that it is seen at its full length
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
  return picture;
}

/// What a person may want to see close by: the nearest points, or pairs of triangles, each named with its place.
std::vector<view::PageHit> check_hits(const CheckSight& s) {
  std::vector<view::PageHit> hits;
  if (s.closest && std::isfinite(s.closest->distance)) {
    const Vec3 middle = s.closest->on_a * 0.5 + s.closest->on_b * 0.5;
    hits.push_back({fmt::format("nearest points, distance {}", view::short_text(s.closest->distance)), middle, s.closest->distance, 0});
  }
  constexpr std::size_t kMost = 500;
  for (std::size_t i = 0; i < s.pairs.size() && i < kMost; ++i) {
    const Triangle a = view::triangle_of(s.a, s.pairs[i].a), b = view::triangle_of(s.b, s.pairs[i].b);
    const double size = std::max(view::length(a.points[1] - a.points[0]), view::length(a.points[2] - a.points[0]));
    hits.push_back({fmt::format("A {} with B {}", s.pairs[i].a, s.pairs[i].b), closest(a, b).on_a, size, 0});
  }
  return hits;
}

}  // namespace

void show_check(const CheckSight& sight, const std::string& picture, const std::string& html, const std::string& size_text, Axis up) {
  const Size size = read_size(size_text);
  const view::Picture seen = check_picture(sight, static_cast<double>(size.width) / size.height, up);
  try {
    if (!picture.empty()) view::write_png(picture, view::Offscreen(size.width, size.height).draw(seen));
  } catch (const view::NoGraphics& e) {
    throw Unavailable(e.what());
  }
  if (!html.empty()) {
    view::Page page;
    page.picture = seen;
    page.hits = check_hits(sight);
    if (!sight.pairs.empty() && page.hits.size() < sight.pairs.size()) page.hits_title = fmt::format("{} of {} places", page.hits.size(), sight.pairs.size());
    view::write_page(html, page);
  }
}

#endif

}  // namespace graze::cli
