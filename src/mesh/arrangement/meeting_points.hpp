// The points where triangles meet beyond their corners: where an edge pierces a triangle, edges cross, or three triangles meet. Exact.
#pragma once
#include <graze/shapes/triangle.hpp>
#include <map>
#include <set>
#include <vector>

#include "math/vec3.hpp"
#include "mesh/arrangement/crossing.hpp"

namespace graze {

/// Points of which each is to be examined once.
class MeetingPoints {
 public:
  std::vector<Vec3> vertices;      ///< those added since the last clear()
  std::vector<ExactPoint> points;  ///< the same for points that are no doubles

  void add(const Vec3& v);
  void add(const ExactPoint& v);
  /// Adds the points of a crossing that lie on edges.
  template <class T>
  Crossing add_meeting(const T& s, const T& t, Points points = Points::on_edges) {
    const Crossing c = crossing(s, t, points);
    for (const NamedPoint& p : c.points()) add(exact_point(p, s, t));
    return c;
  }
  /// Adds the common point of three triangles whose planes meet in one point.
  template <class T>
  void add_common(const T& r, const T& s, const T& t) {
    if (const auto v = common_point(r, s, t)) add(*v);
  }
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
