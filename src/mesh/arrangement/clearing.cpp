// Gaps along each direction are proposals; they are verified in ascending order of length.
#include "mesh/arrangement/clearing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "math/vec3.hpp"
#include "mesh/arrangement/blocked_lengths.hpp"
#include "mesh/arrangement/body_relation.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "shapes/pose.hpp"

namespace graze {
namespace {

constexpr std::size_t kMostNormals = 32;  // a choice, as the next: directions that are tried
constexpr std::size_t kMostDirections = 96;
constexpr int kMostGaps = 100;  // a choice: gaps tried before only the last ones of each direction are

class Directions {
 public:
  /// Returns false once there are `most`.
  bool add(const Vec3& v, std::size_t most) {
    if (list.size() >= most) return false;
    const double size = std::sqrt(dot(v, v));
    if (!(size > 0) || !(size < 1e300)) return true;
    const Vec3 u = v / size;
    // A choice: near enough to one that is tried anyway.
    if (std::ranges::none_of(list, [&](const Vec3& known) { return dot(known, u) > 1 - 1e-6; })) list.push_back(u);
    return true;
  }
  bool add_both(const Vec3& v, std::size_t most) { return add(v, most) && add(v * -1.0, most); }
  std::vector<Vec3> list;
};

std::array<Vec3, 3> edges_of(const Triangle& t) { return {t.points[1] - t.points[0], t.points[2] - t.points[1], t.points[0] - t.points[2]}; }

Vec3 normal_of(const Triangle& t) {
  const auto e = edges_of(t);
  return cross(e[0], e[1]);
}

Box3 bounds_of(std::span<const Triangle> triangles) {
  Box3 box;
  for (const Triangle& t : triangles)
    for (const Vec3& p : t.points) box.add(p);
  return box;
}

/// `centers`: from that of B to that of A.
std::vector<Vec3> directions_of(std::span<const Triangle> a, std::span<const Triangle> b, const Vec3& centers, const std::vector<TrianglePair>& touching) {
  Directions d;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 v(0, 0, 0);
    v[axis] = centers[axis] < 0 ? -1 : 1;
    d.add_both(v, kMostNormals);
  }
  d.add(centers, kMostNormals);
  // A leaves B along B's normals, and against its own.
  for (const TrianglePair& p : touching)
    if (!d.add(normal_of(b[p.b]), kMostNormals) || !d.add(normal_of(a[p.a]) * -1.0, kMostNormals)) break;
  for (std::size_t i = 0; touching.empty() && i < std::max(a.size(), b.size()); ++i) {  // one encloses the other
    if (i < b.size()) d.add(normal_of(b[i]), kMostNormals);
    if (i < a.size()) d.add(normal_of(a[i]) * -1.0, kMostNormals);
  }
  for (const TrianglePair& p : touching)
    for (const Vec3& e : edges_of(a[p.a]))
      for (const Vec3& f : edges_of(b[p.b]))
        if (!d.add_both(cross(e, f), kMostDirections)) return d.list;
  return d.list;
}

/// The number of fewest binary digits that is above `low` and at most `high`; 0 <= low < high.
double roundest(double low, double high) {
  for (double step = std::bit_cast<double>(std::bit_cast<std::uint64_t>(high) & 0x7FF0000000000000); step > 0; step /= 2) {
    const double x = static_cast<double>(static_cast<std::int64_t>(high / step)) * step;
    if (x > low) return x;
  }
  return high;
}

/// A length along u after which all of A is beyond all of B.
double beyond(const Vec3& u, std::span<const Triangle> a, std::span<const Triangle> b) {
  double least = kInfinity, greatest = -kInfinity;
  for (const Triangle& t : a)
    for (const Vec3& p : t.points) least = std::min(least, dot(u, p));
  for (const Triangle& t : b)
    for (const Vec3& p : t.points) greatest = std::max(greatest, dot(u, p));
  return greatest - least;
}

}  // namespace

Clearing::Clearing(const SurfaceOrSolid& a, const SurfaceOrSolid& b, const std::vector<TrianglePair>& touching)
    : a_(a), b_(b), triangles_a_(placed_triangles(a.surface)), triangles_b_(placed_triangles(b.surface)) {
  if (a.surface.pose) pose_ = *a.surface.pose;
  const Box3 box_a = bounds_of(triangles_a_), box_b = bounds_of(triangles_b_);
  directions_ = directions_of(triangles_a_, triangles_b_, (box_a.lo - box_b.lo) + (box_a.hi - box_b.hi), touching);
  // The translation of the pose is rounded, then each placed vertex, as it was before. No coordinate is beyond three times the farthest of both and of the
  // translation, since they do not come apart farther than they are long.
  rounding_ = 8 * 0x1p-52 * std::max({max_norm(box_a.lo), max_norm(box_a.hi), max_norm(box_b.lo), max_norm(box_b.hi), max_norm(pose_.translation)});
}

Pose Clearing::moved_pose(const Vec3& v) const {
  Pose pose = pose_;
  pose.translation += v;
  return pose;
}

bool Clearing::clear(const Vec3& v) const {
  const Pose pose = moved_pose(v);
  MeshView moved = a_.surface;
  moved.pose = &pose;
  if (!a_.solid && !b_.solid) return !intersects(moved, b_.surface);
  return !share_inner_points({moved, a_.solid}, {b_.surface, b_.solid});
}

bool Clearing::moves_exactly(const Vec3& v) const {
  const Pose pose = moved_pose(v);
  return std::ranges::all_of(a_.surface.mesh->vertices, [&](const Vec3& x) {
    const Vec3 from = apply_pose(pose_, x), to = apply_pose(pose, x);
    for (int i = 0; i < 3; ++i) {  // the error of a sum of two doubles (D. E. Knuth, The Art of Computer Programming 2, 4.2.2)
      const double sum = from[i] + v[i], part = sum - from[i];
      if (sum != to[i] || (from[i] - (sum - part)) + (v[i] - part) != 0) return false;
    }
    return true;
  });
}

/// The roundest number near the length, or one a little longer than it, that clears.
std::optional<double> Clearing::clear_near(const Vec3& u, double length) const {
  const double error = rounding_ + length * 0x1p-44;
  if (const double round = roundest(std::max(length - error, 0.0), length + error); clear(u * round)) return round;
  const double longer = length + error + length * 0x1p-20;
  if (!clear(u * longer)) return std::nullopt;
  for (const double near : {length + error, length + error * 0x1p10})
    if (near < longer && clear(u * near)) return near;
  return longer;
}

std::optional<Shift> Clearing::shortest(double most) const {
  for (const Vec3& u : directions_) most = std::min(most, beyond(u, triangles_a_, triangles_b_) + rounding_);
  struct Gap {
    double length;
    std::size_t direction;
    bool last;  ///< of its direction
  };
  std::vector<Gap> gaps;
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    const std::vector<double> lengths = gaps_along(directions_[i], triangles_a_, triangles_b_, most);
    for (const double l : lengths) gaps.push_back({l, i, l == lengths.back()});
  }
  std::stable_sort(gaps.begin(), gaps.end(), [](const Gap& x, const Gap& y) { return x.length < y.length; });
  int tried = 0;
  for (const Gap& g : gaps) {
    if (++tried > kMostGaps && !g.last) continue;
    if (const std::optional<double> length = clear_near(directions_[g.direction], g.length)) return Shift{directions_[g.direction], *length};
  }
  return std::nullopt;
}

}  // namespace graze
