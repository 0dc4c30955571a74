// The points where triangles meet beyond their corners: where an edge pierces a triangle, edges cross, or three triangles meet. Exact.
#pragma once
#include <graze/shapes/triangle.hpp>
#include <map>
#include <set>
#include <vector>

#include "math/vec3.hpp"
#include "mesh/queries/winding.hpp"

namespace graze {

ExactTriangle exact(const Triangle& t);

/// Whether each triangle has corners on both sides of the other's plane. If not, their common points lie on edges or in one plane.
bool straddle(const Triangle& s, const Triangle& t);
bool straddle(const ExactTriangle& s, const ExactTriangle& t);

/// Points of which each is to be examined once.
class MeetingPoints {
 public:
  std::vector<Vec3> vertices;      ///< those added since the last clear()
  std::vector<ExactPoint> points;  ///< the same for points that are no doubles

  void add(const Vec3& v);
  void add(const ExactPoint& v);
  /// Adds the points where edges of one triangle pierce the other or cross its edges.
  void add_meeting(const Triangle& s, const Triangle& t);
  void add_meeting(const ExactTriangle& s, const ExactTriangle& t);
  /// Adds the common point of three triangles whose planes meet in one point.
  void add_common(const Triangle& r, const Triangle& s, const Triangle& t);
  void add_common(const ExactTriangle& r, const ExactTriangle& s, const ExactTriangle& t);
  std::size_t size() const { return vertices.size() + points.size(); }
  void clear() {
    vertices.clear();
    points.clear();
  }

 private:
  struct Less {
    bool operator()(const Vec3& x, const Vec3& y) const { return less(x, y); }
  };
  std::set<Vec3, Less> known_;
  std::map<Vec3, std::vector<ExactPoint>, Less> known_points_;  ///< by their lower bounds
};

}  // namespace graze
