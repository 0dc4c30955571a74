// Triangulates polygons: as a fan, as exact triangles or, for a face that crosses itself, with the least area and a note.
#include "io/faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <graze/error.hpp>
#include <span>
#include <vector>

#include "mesh/edge_meetings.hpp"
#include "mesh/least_area.hpp"
#include "mesh/polygon_rules.hpp"

namespace graze::io {

namespace {

constexpr std::size_t kNotes = 10;  // faces that are named one by one

}  // namespace

void FaceBuilder::add_unusual(std::span<const std::uint32_t> corners, std::size_t place) {
  const std::size_t face = faces_++;
  if (corners.size() < 3) {
    if (short_faces_++ == 0) first_short_ = place;
    return;
  }
  auto& triangles = model_.data.triangles;
  if (triangles.size() + corners.size() > 0xFFFFFFFF) fail(source_, "more than 2^32 triangles", ErrorCode::too_large);
  polygons_.push_back({static_cast<std::uint32_t>(triangles.size()), static_cast<std::uint32_t>(corners.size()), static_cast<std::uint32_t>(face), place});
  for (std::size_t i = 2; i < corners.size(); ++i) triangles.push_back({corners[0], corners[i - 1], corners[i]});
  ++model_.polygons;
}

std::string FaceBuilder::place(std::size_t place, const char* before, const char* after) const {
  return place_kind_ == nullptr ? "" : before + std::string(place_kind_) + ' ' + std::to_string(place) + after;
}

void FaceBuilder::finish() {
  if (model_.data.vertices.size() > 0xFFFFFFFF || model_.data.triangles.size() > 0xFFFFFFFF)
    fail(source_, "more than 2^32 vertices or triangles", ErrorCode::too_large);
  if (!unusable_.empty()) leave_out_unusable();
  for (const Polygon& polygon : polygons_) decide(polygon);
  if (crossing_ > kNotes)
    model_.notes.push_back(std::to_string(crossing_ - kNotes) + " more faces cross themselves, and were cut into the triangles of least area");
  if (short_faces_ > 0) {
    model_.notes.push_back(counted(short_faces_, "face", "faces") + " with fewer than three corners skipped" + place(first_short_, ", the first at ", ""));
  }
  if (model_.data.triangles.empty()) model_.notes.push_back("no triangles");
}

void FaceBuilder::leave_out_unusable() {
  std::vector<Vec3>& vertices = model_.data.vertices;
  const auto is_unusable = [](const Vec3& p) { return !(is_finite(p.x) && is_finite(p.y) && is_finite(p.z)); };
  const auto numbered = [](const Unusable& u) { return "vertex " + std::to_string(u.vertex); };
  for (const TriangleIndices& t : model_.data.triangles) {
    for (const std::uint32_t corner : t) {
      if (!is_unusable(vertices[corner])) continue;
      const auto at = std::lower_bound(unusable_.begin(), unusable_.end(), corner, [](const Unusable& u, std::uint32_t v) { return u.vertex < v; });
      fail(source_, place(at->place, "", ": ") + numbered(*at) + " (counted from 0) is NaN or infinite, and a face uses it");
    }
  }
  std::vector<std::uint32_t> numbers(vertices.size());
  std::size_t kept = 0;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    numbers[v] = static_cast<std::uint32_t>(kept);
    if (!is_unusable(vertices[v])) vertices[kept++] = vertices[v];
  }
  vertices.resize(kept);
  for (TriangleIndices& t : model_.data.triangles)
    for (std::uint32_t& corner : t) corner = numbers[corner];
  model_.notes.push_back(counted(unusable_.size(), "vertex that is", "vertices that are") + " NaN or infinite and in no face left out" +
                         place(unusable_[0].place, ", the first at ", ""));
}

void FaceBuilder::decide(const Polygon& polygon) {
  auto& triangles = model_.data.triangles;
  corners_.reserve(polygon.corners);
  points_.reserve(polygon.corners);
  corners_.assign({triangles[polygon.first_triangle][0], triangles[polygon.first_triangle][1]});
  for (std::uint32_t i = 2; i < polygon.corners; ++i) corners_.push_back(triangles[polygon.first_triangle + i - 2][2]);
  points_.clear();
  for (const std::uint32_t corner : corners_) points_.push_back(model_.data.vertices[corner]);
  bool strict = false;
  const bool fan = is_fan(points_, &strict);
  if (strict || (fan && has_whole_fan(points_))) return;
  std::vector<TriangleIndices> cut;
  try {
    cut = triangulate(points_);
    if (!fan) model_.concave.push_back(polygon.face);
  } catch (const Error& error) {
    cut = least_area_triangles(points_, least_area_work_);
    if (crossing_++ < kNotes) note_crossing(polygon, cut, error.what());
  }
  for (std::size_t i = 0; i < cut.size(); ++i) {
    triangles[polygon.first_triangle + i] = {corners_[cut[i][0]], corners_[cut[i][1]], corners_[cut[i][2]]};
    const Vec3 corners[3] = {points_[cut[i][0]], points_[cut[i][1]], points_[cut[i][2]]};
    if (all_collinear(corners)) model_.seams.push_back(static_cast<std::uint32_t>(polygon.first_triangle + i));
  }
}

void FaceBuilder::note_crossing(const Polygon& polygon, std::span<const TriangleIndices> cut, const std::string& why) {
  const auto twice = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Vec3 u = points_[b] - points_[a], v = points_[c] - points_[a];
    return Vec3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
  };
  const auto length = [](const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); };
  double area = 0;
  Vec3 outline(0, 0, 0);
  for (const TriangleIndices& t : cut) area += length(twice(t[0], t[1], t[2])) / 2;
  for (std::size_t i = 2; i < points_.size(); ++i) outline += twice(0, i - 1, i);
  const double bounded = length(outline) / 2;
  char text[160];
  std::snprintf(text, sizeof text, " crosses itself by %.3g, and was cut into the triangles of least area, %.4g more than the %.4g that its outline bounds: ",
                crossing_depth(points_), std::max(0.0, area - bounded), bounded);
  model_.notes.push_back("face " + std::to_string(polygon.face) + place(polygon.place) + text + why);
}

}  // namespace graze::io
