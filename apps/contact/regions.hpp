// Where two models meet: pairs of triangles grouped into connected regions of contact, each with its size, its box and the parts of the models involved.
#pragma once
#include <cstdint>
#include <graze/query.hpp>
#include <string>
#include <vector>

namespace graze::contact {

/// A connected piece of the contact: a point, a curve, an area, or an area with curves.
struct Region {
  std::size_t pairs = 0;                      ///< pairs of triangles
  double length = 0;                          ///< of its curves, rounded; shared edges count once, borders of areas do not count
  double area = 0;                            ///< where both models lie in one plane, rounded
  Box box;                                    ///< of its points, rounded
  Vec3 point{0, 0, 0};                        ///< one of its points, near the middle of the box
  TrianglePair first{0, 0};                   ///< its first pair
  std::vector<std::string> parts_a, parts_b;  ///< names of the parts, in the order of their triangles
};

struct Regions {
  std::vector<Region> list;              ///< areas before curves before points, the largest first
  std::vector<std::uint32_t> region_of;  ///< for each pair: its region's index in the list
};

/// Groups all pairs that `intersecting_triangles(a, b)` gives, in its order. Two pairs belong together when their common points are connected, which is decided
/// exactly: pairs with a common triangle whose other triangles share a corner or an edge (vertices of equal coordinates count as one) are joined if that corner
/// or edge meets the common triangle. Models that touch themselves away from corners and edges may have more regions than pieces. O(n log n) for n pairs and
/// the vertices of their triangles; 40 bytes of memory per pair.
Regions regions_of(const Mesh& a, const Mesh& b, const std::vector<TrianglePair>& pairs);

/// "curve of length 3.2", "area 12, curve of length 4", "point".
std::string size_text(const Region& region);
/// "0.2 x 0.3 x 0.4"; "flat, 0.2 x 0.3" and "0.3 long" where the other extents are 0 up to rounding; empty for a point.
std::string extent_text(const Box& box);
/// The largest absolute value of a coordinate of two models.
double reach_of(const Mesh& a, const Mesh& b);
/// A computed point for people: coordinates that are 0 up to rounding become 0, and -0 becomes 0. `reach` is that of the models.
Vec3 rounded(const Vec3& v, double reach);
/// "flap", "flap, wing and 3 more"; empty for a model without named parts.
std::string parts_text(const std::vector<std::string>& names);

}  // namespace graze::contact
