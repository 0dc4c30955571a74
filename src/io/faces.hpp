// Converts faces of any number of corners to triangles: the fan from the first corner, or an exact triangulation where the fan would not cover the polygon, or
// would have triangles without area.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/io.hpp>

#include "io/bytes.hpp"

namespace graze::io {

/// Collects the faces of a model in file order. Corners may be defined after the face that uses them: polygons are decided in `finish`.
class FaceBuilder {
 public:
  /// `place_kind` is "line" or "byte", the unit of the positions of faces; null if faces have no position.
  FaceBuilder(LoadedModel& model, const Source& source, const char* place_kind) : model_(model), source_(source), place_kind_(place_kind) {}

  /// Adds a face of any size; a face with fewer than three corners is skipped and noted.
  void add(std::span<const std::uint32_t> corners, std::size_t place) {
    if (corners.size() == 3) [[likely]] {
      model_.data.triangles.push_back({corners[0], corners[1], corners[2]});
      ++faces_;
    } else {
      add_unusual(corners, place);
    }
  }

  std::size_t faces() const { return faces_; }

  /// The last vertex of the model, at `place`, has this position. One that is NaN or infinite is left out in finish(), which throws if a face uses it.
  void check_vertex(const Vec3& p, std::size_t place) {
    if (!(is_finite(p.x) && is_finite(p.y) && is_finite(p.z))) [[unlikely]]
      unusable_.push_back({static_cast<std::uint32_t>(model_.data.vertices.size() - 1), place});
  }

  /// Triangulates every polygon. Requires that all vertices are known and all indices are in range.
  void finish();

 private:
  struct Polygon {
    std::uint32_t first_triangle, corners;
    std::uint32_t face;
    std::size_t place;
  };

  struct Unusable {
    std::uint32_t vertex;
    std::size_t place;
  };

  void add_unusual(std::span<const std::uint32_t> corners, std::size_t place);
  void decide(const Polygon& polygon);
  void note_crossing(const Polygon& polygon, std::span<const TriangleIndices> cut, const std::string& why);
  void leave_out_unusable();
  std::string place(std::size_t place, const char* before = " (", const char* after = ")") const;

  LoadedModel& model_;
  const Source& source_;
  const char* place_kind_;
  std::vector<Polygon> polygons_;
  std::vector<Unusable> unusable_;  // vertices that are not finite, ascending
  std::size_t faces_ = 0, short_faces_ = 0, first_short_ = 0, crossing_ = 0;
  std::uint64_t least_area_work_ = 20'000'000'000;  // steps of least_area_triangles() that a file may cost: about a minute
  std::vector<Vec3> points_;                        // of the current polygon
  std::vector<std::uint32_t> corners_;
};

}  // namespace graze::io
