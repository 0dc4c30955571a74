// Faces of any number of corners become triangles: the fan from the first corner, or exact triangles where the fan would not be the polygon.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/io.hpp>

#include "io/bytes.hpp"

namespace graze::io {

/// Collects a model's faces in file order. Corners need not exist yet when their face is added: shapes are looked at in `finish`.
class FaceBuilder {
 public:
  /// `place_kind` is "line" or "byte": what the places of faces are; null when they have none.
  FaceBuilder(LoadedModel& model, const Source& source, const char* place_kind) : model_(model), source_(source), place_kind_(place_kind) {}

  /// A face of any size; one with fewer than three corners is skipped and noted.
  void add(std::span<const std::uint32_t> corners, std::size_t place) {
    if (corners.size() == 3) [[likely]] {
      model_.data.triangles.push_back({corners[0], corners[1], corners[2]});
      ++faces_;
    } else {
      add_unusual(corners, place);
    }
  }

  std::size_t faces() const { return faces_; }

  /// Decides every polygon, once all vertices stand and all indices are known to be in range.
  void finish();

 private:
  struct Polygon {
    std::uint32_t first_triangle, corners;
    std::uint32_t face;
    std::size_t place;
  };

  void add_unusual(std::span<const std::uint32_t> corners, std::size_t place);
  void decide(const Polygon& polygon);
  std::string place(std::size_t place, const char* before = " (", const char* after = ")") const;

  LoadedModel& model_;
  const Source& source_;
  const char* place_kind_;
  std::vector<Polygon> polygons_;
  std::size_t faces_ = 0, short_faces_ = 0, first_short_ = 0, crossing_ = 0;
  std::vector<Vec3> points_;  // of the polygon at hand
  std::vector<std::uint32_t> corners_;
};

}  // namespace graze::io
