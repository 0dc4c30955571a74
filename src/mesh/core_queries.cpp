// Surfaces against convex shapes: one walk each for cores and curved shapes.
#include <bit>
#include <cmath>

#include "convex/core_bounds.hpp"
#include "core/parallel.hpp"
#include "mesh/core_kernels.hpp"
#include "mesh/distance_bounds.hpp"
#include "mesh/nearest_kernels.hpp"
#include "mesh/plain_closest.hpp"

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

std::optional<LocalCore> local_core(const MeshView& a, const PlacedTree& placed, const Core& core, double distance) {
  if (!core.bounded() || core.points > 2 || core.segments + core.points > 4) return std::nullopt;
  constexpr double u = 0x1p-53;
  const auto largest = [](const Vec3& v) { return greatest(v); };
  Vec3 center = core.base(0), half[3];
  double sizes = largest(center);
  LocalCore c{};
  if (core.points == 2) {
    const Vec3 other = core.base(1);
    sizes += largest(other);
    for (int i = 0; i < 3; ++i) half[0][i] = other[i] * 0.5 - center[i] * 0.5;
    for (int i = 0; i < 3; ++i) center[i] = center[i] * 0.5 + other[i] * 0.5;
    c.halves = 1;
  }
  for (std::uint32_t k = 0; k < core.segments; ++k) {
    const double middle = core.lo[k] * 0.5 + core.hi[k] * 0.5, reach = core.hi[k] * 0.5 - core.lo[k] * 0.5;
    for (int i = 0; i < 3; ++i) center[i] += middle * core.segment[k][i];
    for (int i = 0; i < 3; ++i) half[c.halves][i] = reach * core.segment[k][i];
    sizes += (std::fabs(core.lo[k]) + std::fabs(core.hi[k])) * largest(core.segment[k]);
    ++c.halves;
  }
  const WideBvh& tree = *placed.tree;
  const LocalPoint at = local_point(placed, center);
  if (!at.usable) return std::nullopt;
  double extent = 1;
  for (int i = 0; i < 3; ++i) {
    c.center[i] = at.at[i];
    extent = std::max(extent, std::fabs(at.at[i]));
  }
  for (std::uint32_t k = 0; k < c.halves; ++k) {
    for (int i = 0; i < 3; ++i) {
      double x = half[k][i];
      if (a.pose) x = (a.pose->rotation[0][i] * half[k][0] + a.pose->rotation[1][i] * half[k][1]) + a.pose->rotation[2][i] * half[k][2];
      c.half[k][i] = local_length(tree, x);
      extent += std::fabs(c.half[k][i]);
    }
  }
  const double radius = local_length(tree, core.radius + distance), loose = at.relative + 0x1p-40;
  c.radius_hi = radius * (1 + loose) + (radius > 0 ? 0x1p-500 : 0);
  c.radius_lo = radius * (1 - loose);
  // the world's roundings, those of placing, the corners' and the kernel's
  c.error = local_length(tree, 64 * u * sizes + 0x1p-1066) + at.absolute + kBlockError + 64 * u * extent;
  if (!(extent < 0x1p200 && radius < 0x1p200 && c.error < 0x1p200)) return std::nullopt;
  c.square = c.halves == 3;
  for (std::uint32_t k = 0; k < c.halves; ++k) {
    const Vec3 h(c.half[k][0], c.half[k][1], c.half[k][2]), g(c.half[(k + 1) % 3][0], c.half[(k + 1) % 3][1], c.half[(k + 1) % 3][2]);
    const double hh = dot(h, h), gg = dot(g, g);
    c.square = c.square && hh > 0x1p-40 && std::fabs(dot(h, g)) < 0x1p-30 * std::min(hh, gg);
  }
  return c;
}

namespace {

/// Calls visit(number) for the triangles within the distance until it returns true. With `any`, one that the filter is certain of ends the walk as well.
template <class Convex, class Visit>
bool for_triangles_within(const MeshView& a, const Convex& b, double distance, bool any, Visit&& visit) {
  const Box3 box = bounds(b);
  const PlacedTree placed = placed_tree(a);
  std::optional<LocalCore> local;
  if constexpr (std::is_same_v<Convex, Core>) local = local_core(a, placed, b, distance);
  const CoreKernels& kernels = core_kernels();
  return for_each_overlap(a.mesh->tree, local_box(placed, distance > 0 ? grown(box, distance) : box), [&](const WideNode& node, std::uint32_t slot) {
    const std::uint32_t leaf = node.leaf_number(slot);
    std::uint32_t bits = (1u << node.count[slot]) - 1;
    if (local) {
      const CoreHits hits = kernels.touch(a.mesh->blocks[leaf], node.count[slot], *local);
      if (any && hits.certain) return true;
      bits = hits.possible;
    }
    for (; bits != 0; bits &= bits - 1) {
      const BlockPlace at = leaf * static_cast<std::uint32_t>(kBlock) + static_cast<std::uint32_t>(std::countr_zero(bits));
      const Triangle t = place(a.pose, a.mesh->triangle_at(at));
      if (maybe_within(box_of(t), box, distance) && within(b, triangle_core(t), distance) && visit(a.mesh->index_at(at))) return true;
    }
    return false;
  });
}

template <class Convex>
bool any_triangle_within(const MeshView& a, const Convex& b, double distance) {
  return for_triangles_within(a, b, distance, true, [](std::uint32_t) { return true; });
}

template <class Convex>
std::vector<std::uint32_t> all_triangles_within(const MeshView& a, const Convex& b, double distance, std::size_t limit) {
  std::vector<std::uint32_t> found;
  for_triangles_within(a, b, distance, false, [&](std::uint32_t index) {
    found.push_back(index);
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

/// Closest points of a triangle and a shape; in doubles where they reach.
CoreClosest nearest(const Triangle& t, const Core& b) {
  if (b.is_point()) {
    const Vec3 p = b.base(0);
    if (const auto plain = plain_closest(p, t)) return {plain->distance, plain->on_triangle, p};
  }
  return closest(triangle_core(t), b);
}
CoreClosest nearest(const Triangle& t, const Curved& b) { return closest(triangle_core(t), b); }

/// A heap of the nearest so far, the farthest on top; its distance limits the walk once it is full.
template <class Convex>
std::vector<SurfaceClosest> nearest_triangles(const MeshView& a, const Convex& b, std::size_t count, double distance) {
  std::vector<SurfaceClosest> heap;
  if (count == 0) return heap;
  const Box3 box = bounds(b);
  const auto nearer = [](const SurfaceClosest& x, const SurfaceClosest& y) {
    return x.closest.distance != y.closest.distance ? x.closest.distance < y.closest.distance : x.triangle_a < y.triangle_a;
  };
  double last = distance;
  float limit = local_limit(a.mesh->tree, last);
  for_each_nearest(a.mesh->tree, local_box(placed_tree(a), box), limit, [&](std::uint32_t first, std::uint32_t n) {
    for (std::uint32_t k = first; k < first + n; ++k) {
      const Triangle t = triangle_at(a, k);
      if (farther(box_of(t), box, last)) continue;
      const SurfaceClosest c{nearest(t, b), index_at(a, k), 0};
      if (c.closest.distance > distance || (heap.size() == count && !nearer(c, heap.front()))) continue;
      if (heap.size() == count) {
        std::pop_heap(heap.begin(), heap.end(), nearer);
        heap.pop_back();
      }
      heap.push_back(c);
      std::push_heap(heap.begin(), heap.end(), nearer);
      if (heap.size() == count) limit = local_limit(a.mesh->tree, last = heap.front().closest.distance);
    }
    return false;
  });
  std::sort_heap(heap.begin(), heap.end(), nearer);
  return heap;
}

/// The nearest triangle so far, exactly, with ties to the lowest.
struct Best {
  explicit Best(const Core& b) : point(b.base(0)), is_point(b.is_point()) {}
  PlainPoint point;
  bool is_point;
  std::optional<SurfaceClosest> found;
  CoreClosest nearest_to(const Triangle& t, const Core& b) {
    if (is_point) {
      if (const auto plain = point(t)) return {plain->distance, plain->on_triangle, b.base(0)};
    }
    return closest(triangle_core(t), b);
  }
  void ask(const MeshView& a, const Core& b, BlockPlace at) {
    const std::uint32_t index = a.mesh->index_at(at);
    if (found && found->closest.distance == 0 && index > found->triangle_a) return;
    const CoreClosest c = nearest_to(place(a.pose, a.mesh->triangle_at(at)), b);
    if (!found || c.distance < found->closest.distance || (c.distance == found->closest.distance && index < found->triangle_a)) found = SurfaceClosest{c, index, 0};
  }
};

/// Points and spheres: distances from the centre are enclosed in doubles, and only triangles whose enclosures reach the least upper bound (or the radius: those touch, and the lowest counts) are asked exactly.
std::optional<SurfaceClosest> triangle_closest_to_ball(const MeshView& a, const Core& b, double bound) {
  const Vec3 center = b.base(0);
  const PlacedTree placed = placed_tree(a);
  const LocalPoint local = local_point(placed, center);
  const WideBvh& tree = a.mesh->tree;
  const double radius = local_length(tree, b.radius);
  if (!local.usable || !(radius < 0x1p200)) return closest_triangle(a, b);
  Box3 at;
  at.add(center);
  NearestWalk walk;
  walk.nodes = &tree.node(0);
  walk.blocks = a.mesh->blocks.data();
  walk.vertices = reinterpret_cast<const unsigned char*>(a.mesh->vertices.data());
  walk.box = local_box(placed, at);
  for (int i = 0; i < 3; ++i) walk.point[i] = local.at[i];
  walk.absolute = local.absolute + 1.75 * kBlockError + local_length(tree, 0x1p-1072);  // distances compared are rounded: by a denormal, if they are as small
  walk.relative = local.relative;
  walk.floor = radius * (1 + 0x1p-40);
  walk.least = std::max(walk.floor, local_length(tree, bound + b.radius) * (1 + 0x1p-40));
  walk.floats = NearestWalk::fits_floats(walk.point) && walk.relative < 0x1p-10 && walk.absolute < 1;
  walk.blocks_kept = walk.found = 0;
  walk.top = 1;
  walk.stack[0] = 0;
  Best best(b);
  const NearestKernels& kernels = nearest_kernels();
  for (bool done = false; !done;) {
    done = kernels.walk(walk);
    for (std::uint32_t i = 0; i < walk.found; ++i) {
      if (walk.candidate[i].lo <= nearest_limit(walk.least)) best.ask(a, b, walk.candidate[i].place);
    }
    walk.found = 0;
    if (best.found) walk.least = std::min(walk.least, std::max(walk.floor, local_length(tree, best.found->closest.distance + b.radius) * (1 + 0x1p-40)));
  }
  return best.found;
}

}  // namespace

bool intersects(const MeshView& a, const Core& b) { return within(a, b, 0); }
bool within(const MeshView& a, const Core& b, double distance) { return any_triangle_within(a, b, distance); }
bool within(const MeshView& a, const Curved& b, double distance) { return any_triangle_within(a, b, distance); }
std::vector<std::uint32_t> triangles_within(const MeshView& a, const Core& b, double distance, std::size_t limit) { return all_triangles_within(a, b, distance, limit); }
std::vector<std::uint32_t> triangles_within(const MeshView& a, const Curved& b, double distance, std::size_t limit) { return all_triangles_within(a, b, distance, limit); }
std::optional<SurfaceClosest> closest(const MeshView& a, const Core& b, double bound) {
  if (a.mesh->triangles.empty()) return std::nullopt;
  return b.is_ball() ? triangle_closest_to_ball(a, b, bound) : closest_triangle(a, b);
}
std::optional<SurfaceClosest> closest(const MeshView& a, const Curved& b) { return closest_triangle(a, b); }
std::vector<SurfaceClosest> closest_triangles(const MeshView& a, const Core& b, std::size_t count, double distance) { return nearest_triangles(a, b, count, distance); }
std::vector<SurfaceClosest> closest_triangles(const MeshView& a, const Curved& b, std::size_t count, double distance) { return nearest_triangles(a, b, count, distance); }

}  // namespace graze
