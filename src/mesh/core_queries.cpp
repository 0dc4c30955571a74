// Surfaces against convex shapes: one walk each for cores and curved shapes.
#include <cmath>

#include "convex/core_bounds.hpp"
#include "core/parallel.hpp"
#include "mesh/distance_bounds.hpp"

namespace graze {

using namespace leaf;

Triangle MeshView::triangle(std::uint32_t i) const { return place(pose, mesh->triangle(i)); }

Core triangle_core(const Triangle& t) {
  Core c;
  c.add_point(t.points[0]).add_point(t.points[1]).add_point(t.points[2]);
  return c;
}

Box3 loose_bounds(const MeshView& view) {
  const Box3& b = view.mesh->tree.bounds();
  if (!view.pose || b.empty()) return b;
  const Pose& p = *view.pose;
  Box3 r;
  for (int i = 0; i < 3; ++i) {  // every rounded sum lies within 8 * 2^-53 of the sizes added
    double center = p.translation[i], half = 0, size = std::fabs(p.translation[i]);
    for (int j = 0; j < 3; ++j) {
      const double m = b.lo[j] * 0.5 + b.hi[j] * 0.5, h = std::max(b.hi[j] - m, m - b.lo[j]);
      center += p.rotation[i][j] * m;
      half += std::fabs(p.rotation[i][j]) * h;
      size += std::fabs(p.rotation[i][j]) * (std::fabs(m) + h);
    }
    half += 0x1p-48 * size + 0x1p-1060;
    r.lo[i] = center - half;
    r.hi[i] = center + half;
    if (!(std::fabs(r.lo[i]) < 0x1p1000 && std::fabs(r.hi[i]) < 0x1p1000)) {
      r.lo[i] = -std::numeric_limits<double>::infinity();
      r.hi[i] = std::numeric_limits<double>::infinity();
    }
  }
  return r;
}

Box3 tight_bounds(const MeshView& view) {
  if (!view.pose) return view.mesh->tree.bounds();
  return parallel_reduce(view.mesh->triangles.size(), 1 << 14, Box3{}, [&](std::size_t b, std::size_t e) {
    Box3 r;
    for (std::size_t i = b; i < e; ++i) r.add(box_of(view.triangle(static_cast<std::uint32_t>(i))));
    return r;
  }, [](Box3 x, const Box3& y) { x.add(y); return x; });
}

namespace {

template <class Convex>
bool any_triangle_within(const MeshView& a, const Convex& b, double distance) {
  const Box3 box = bounds(b);
  return for_each_overlap(a.mesh->tree, local_box(placed_tree(a), distance > 0 ? grown(box, distance) : box), [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const Triangle t = triangle_at(a, k);
      if (maybe_within(box_of(t), box, distance) && within(b, triangle_core(t), distance)) return true;
    }
    return false;
  });
}

template <class Convex>
std::vector<std::uint32_t> all_triangles_within(const MeshView& a, const Convex& b, double distance, std::size_t limit) {
  const Box3 box = bounds(b);
  std::vector<std::uint32_t> found;
  for_each_overlap(a.mesh->tree, local_box(placed_tree(a), distance > 0 ? grown(box, distance) : box), [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const Triangle t = triangle_at(a, k);
      if (maybe_within(box_of(t), box, distance) && within(b, triangle_core(t), distance)) found.push_back(index_at(a, k));
    }
    return false;
  });
  std::sort(found.begin(), found.end());
  if (found.size() > limit) found.resize(limit);
  return found;
}

template <class Convex>
std::optional<SurfaceClosest> closest_triangle(const MeshView& a, const Convex& b) {
  if (a.mesh->triangles.empty()) return std::nullopt;
  const Box3 box = bounds(b);
  std::optional<SurfaceClosest> best;
  float limit = local_limit(a.mesh->tree, std::numeric_limits<double>::infinity());
  for_each_nearest(a.mesh->tree, local_box(placed_tree(a), box), limit, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const std::uint32_t index = index_at(a, k);
      const Triangle t = triangle_at(a, k);
      if (best && ((best->closest.distance == 0 && index > best->triangle_a) || farther(box_of(t), box, best->closest.distance))) continue;
      const CoreClosest c = closest(triangle_core(t), b);
      if (best && (c.distance > best->closest.distance || (c.distance == best->closest.distance && index > best->triangle_a))) continue;
      if (!best || c.distance < best->closest.distance) limit = local_limit(a.mesh->tree, c.distance);
      best = SurfaceClosest{c, index, 0};
    }
    return false;
  });
  return best;
}

/// The nearest triangle so far, exactly, with ties to the lowest.
struct Best {
  std::optional<SurfaceClosest> found;
  void ask(const MeshView& a, const Core& b, std::uint32_t k) {
    const std::uint32_t index = index_at(a, k);
    if (found && found->closest.distance == 0 && index > found->triangle_a) return;
    const CoreClosest c = closest(triangle_core(triangle_at(a, k)), b);
    if (!found || c.distance < found->closest.distance || (c.distance == found->closest.distance && index < found->triangle_a)) found = SurfaceClosest{c, index, 0};
  }
};

/// Points and spheres: distances from the centre are enclosed in doubles, and only triangles whose enclosures reach the least upper bound (or the radius: those touch, and the lowest counts) are asked exactly.
std::optional<SurfaceClosest> triangle_closest_to_ball(const MeshView& a, const Core& b) {
  constexpr std::size_t kWaiting = 32;
  struct {
    double lo;
    std::uint32_t place;
  } waiting[kWaiting];
  std::size_t n = 0;
  const Vec3 center = b.base(0);
  Box3 at;
  at.add(center);
  Best best;
  double least = std::numeric_limits<double>::infinity();  // upper bound of the least distance from the centre, or the radius if that is more
  const auto out = [&](double lo) { return lo > least * (1 + 1e-12); };
  float limit = local_limit(a.mesh->tree, least);
  for_each_nearest(a.mesh->tree, local_box(placed_tree(a), at), limit, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const DistanceBounds d = distance_bounds(center, triangle_at(a, k));
      if (out(d.lo)) continue;
      if (d.hi < least) {
        least = std::max(d.hi, b.radius);
        limit = local_limit(a.mesh->tree, least);
      }
      if (n == kWaiting) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < n; ++i) {
          if (!out(waiting[i].lo)) waiting[kept++] = waiting[i];
        }
        n = kept;
      }
      if (n == kWaiting) {
        for (std::size_t i = 0; i < n; ++i) best.ask(a, b, waiting[i].place);
        n = 0;
      }
      waiting[n++] = {d.lo, k};
    }
    return false;
  }, leaf_data(a));
  for (std::size_t i = 0; i < n; ++i) {
    if (!out(waiting[i].lo)) best.ask(a, b, waiting[i].place);
  }
  return best.found;
}

}  // namespace

bool intersects(const MeshView& a, const Core& b) { return within(a, b, 0); }
bool within(const MeshView& a, const Core& b, double distance) { return any_triangle_within(a, b, distance); }
bool within(const MeshView& a, const Curved& b, double distance) { return any_triangle_within(a, b, distance); }
std::vector<std::uint32_t> triangles_within(const MeshView& a, const Core& b, double distance, std::size_t limit) { return all_triangles_within(a, b, distance, limit); }
std::vector<std::uint32_t> triangles_within(const MeshView& a, const Curved& b, double distance, std::size_t limit) { return all_triangles_within(a, b, distance, limit); }
std::optional<SurfaceClosest> closest(const MeshView& a, const Core& b) {
  if (a.mesh->triangles.empty()) return std::nullopt;
  return b.points == 1 && b.segments == 0 && b.bounded() ? triangle_closest_to_ball(a, b) : closest_triangle(a, b);
}
std::optional<SurfaceClosest> closest(const MeshView& a, const Curved& b) { return closest_triangle(a, b); }

}  // namespace graze
