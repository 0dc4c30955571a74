// Gaps along each direction are proposals; they are verified in ascending order of length.
#include "mesh/arrangement/clearing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "bvh/traverse.hpp"
#include "math/vec3.hpp"
#include "mesh/arrangement/body_relation.hpp"
#include "mesh/arrangement/gaps_along.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "shapes/pose.hpp"

namespace graze {

using namespace leaf;

namespace {

// Choices:
constexpr std::size_t kMostNormals = 32, kMostDirections = 96;
constexpr std::size_t kMostPairs = 1 << 12;       // of triangles that touch, whose normals and edges are looked at
constexpr int kMostGaps = 100;                    // gaps tried before only the last ones of each direction are
constexpr std::uint64_t kMostSteps = 1ull << 26;  // of gaps_along(), for all directions
constexpr double kTouching = 1e-12;               // overlaps of this part of the size are roundings

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

/// Calls f for indices below `size` until it returns false, or for so many: first some far apart, then those between, since neighbours are alike.
template <class F>
void for_each_spread(std::size_t size, std::size_t most, const F& f) {
  for (std::size_t step = std::bit_ceil(std::max<std::size_t>(size, 1)), from = 0; step > 0; step /= 2, from = step)
    for (std::size_t i = from; i < size; i += from == 0 ? size : 2 * step)
      if (most-- == 0 || !f(i)) return;
}

struct NearTriangles {
  std::vector<Triangle> a, b;
};

/// `centers`: from that of B to that of A.
std::vector<Vec3> directions_of(const MeshView& a, const MeshView& b, const NearTriangles& near, const Vec3& centers,
                                const std::vector<TrianglePair>& touching) {
  Directions d;
  d.add(centers, kMostNormals);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 v(0, 0, 0);
    v[axis] = centers[axis] < 0 ? -1 : 1;
    d.add_both(v, kMostNormals);
  }
  // A leaves B along B's normals, and against its own.
  const auto add_normals = [&](const Triangle& s, const Triangle& t) { return d.add(normal_of(t), kMostNormals) && d.add(normal_of(s) * -1.0, kMostNormals); };
  const auto add_products = [&](const Triangle& s, const Triangle& t) {
    for (const Vec3& e : edges_of(s))
      for (const Vec3& f : edges_of(t))
        if (!d.add_both(cross(e, f), kMostDirections)) return false;
    return true;
  };
  const auto for_pairs = [&](const auto& f) {
    for_each_spread(touching.size(), kMostPairs, [&](std::size_t i) { return f(a.triangle(touching[i].a), b.triangle(touching[i].b)); });
  };
  for_pairs(add_normals);
  if (touching.empty() && !near.a.empty() && !near.b.empty())  // one encloses the other
    for_each_spread(std::max(near.a.size(), near.b.size()), kMostPairs,
                    [&](std::size_t i) { return add_normals(near.a[i % near.a.size()], near.b[i % near.b.size()]); });
  for_pairs(add_products);
  return std::move(d.list);
}

Box3 grown_by(Box3 box, double length) {
  box.lo -= Vec3(length);
  box.hi += Vec3(length);
  return box;
}

/// The placed triangles whose boxes meet the box, in the order of the tree.
std::vector<Triangle> triangles_in(const MeshView& view, const Box3& box) {
  std::vector<Triangle> list;
  const MeshImpl& mesh = *view.mesh;
  for_each_overlap(mesh.tree, local_box(placed_tree(view), box), [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const Triangle t = view.triangle(mesh.tree.items()[k]);
      if (box_of(t).overlaps(box)) list.push_back(t);
    }
    return false;
  });
  return list;
}

/// The number of fewest binary digits that is above `low` and at most `high`; 0 <= low < high.
double roundest(double low, double high) {
  for (double step = std::bit_cast<double>(std::bit_cast<std::uint64_t>(high) & 0x7FF0000000000000); step > 0; step /= 2) {
    const double x = static_cast<double>(static_cast<std::int64_t>(high / step)) * step;
    if (x > low) return x;
  }
  return high;
}

}  // namespace

struct Clearing::Gap {
  double length;
  Vec3 direction;
  bool last;  ///< of its direction
};

Clearing::Clearing(const SurfaceOrSolid& a, const SurfaceOrSolid& b, const std::vector<TrianglePair>& touching)
    : a_(a), b_(b), touching_(touching), box_a_(tight_bounds(a.surface)), box_b_(tight_bounds(b.surface)) {
  if (a.surface.pose) pose_ = *a.surface.pose;
  // The translation of the pose is rounded, then each placed vertex, as it was before. No coordinate is beyond three times the farthest of both and of the
  // translation, since they do not come apart farther than they are long.
  rounding_ = 8 * 0x1p-52 * std::max({max_norm(box_a_.lo), max_norm(box_a_.hi), max_norm(box_b_.lo), max_norm(box_b_.hi), max_norm(pose_.translation)});
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
  a_.surface.mesh->complete();
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
std::optional<double> Clearing::clear_near(const Vec3& u, double length, double most) const {
  const auto clears = [&](double x) { return x <= most && clear(u * x); };
  const double error = rounding_ + length * 0x1p-44;
  if (const double round = roundest(std::max(length - error, 0.0), length + error); clears(round)) return round;
  const double longer = std::min(length + error + length * 0x1p-20, most);
  if (!clears(longer)) return std::nullopt;
  for (const double near : {length + error, length + error * 0x1p10})
    if (near < longer && clears(near)) return near;
  return longer;
}

/// Ascending.
std::vector<Clearing::Gap> Clearing::gaps(double most) const {
  std::vector<Gap> list;
  for (int axis = 0; axis < 3; ++axis)  // where the boxes are apart
    for (const double sign : {1.0, -1.0}) {
      const double length = sign > 0 ? box_b_.hi[axis] - box_a_.lo[axis] : box_a_.hi[axis] - box_b_.lo[axis];
      if (!(length > 0) || !(length <= most)) continue;
      Vec3 u(0, 0, 0);
      u[axis] = sign;
      list.push_back({length, u, true});
    }
  for (const Gap& g : list) most = std::min(most, g.length + rounding_);
  const NearTriangles near{triangles_in(a_.surface, grown_by(box_b_, most)), triangles_in(b_.surface, grown_by(box_a_, most))};
  Box3 of_near;
  for (const std::vector<Triangle>* triangles : {&near.a, &near.b})
    for (const Triangle& t : *triangles) of_near.add(box_of(t));
  const Vec3 size = of_near.hi - of_near.lo;
  const GapLimits limits{of_near.lo + size * 0.5, most, kTouching * max_norm(size) + rounding_};
  std::uint64_t budget = kMostSteps;
  for (const Vec3& u : directions_of(a_.surface, b_.surface, near, (box_a_.lo - box_b_.lo) + (box_a_.hi - box_b_.hi), touching_)) {
    const std::vector<double> lengths = gaps_along(u, near.a, near.b, limits, budget);
    for (const double l : lengths) list.push_back({l, u, l == lengths.back()});
  }
  std::stable_sort(list.begin(), list.end(), [](const Gap& x, const Gap& y) { return x.length < y.length; });
  return list;
}

std::optional<Shift> Clearing::shortest(double most) const {
  int tried = 0;
  for (const Gap& g : gaps(most)) {
    if (++tried > kMostGaps && !g.last) continue;
    if (const std::optional<double> length = clear_near(g.direction, g.length, most)) return Shift{g.direction, *length};
  }
  return std::nullopt;
}

}  // namespace graze
