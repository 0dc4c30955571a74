// Batches of points and rays against one target, on all cores. Points that are neighbours are asked after each other, which saves waiting for memory (of rays
// it saves less than the scattered writing costs); rays through a surface take their steps in turns, so that none waits for memory alone. Element i never
// depends on how the work was cut or ordered.
#include <cmath>
#include <graze/error.hpp>
#include <graze/query.hpp>

#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "query/morton_order.hpp"
#include "query/ray_order.hpp"
#include "query/ray_targets.hpp"

namespace graze {
namespace {

constexpr std::size_t kSortedAtOnce = 1 << 18, kSortedPiece = 1 << 11;  // points ordered at a time; the longer the order, the nearer the neighbours
constexpr std::size_t kSortedBatch = 512, kSortedTarget = 4096;         // points and triangles from which an order pays (measured)

constexpr std::size_t kPoints = 128;      // gathered at a time
constexpr std::size_t kRays = kRayBatch;  // in a piece

template <class T>
void ask_for(const T& x) {
  for (std::size_t line = 0; line < sizeof(T); line += 64) __builtin_prefetch(reinterpret_cast<const char*>(&x) + line);
}

/// Calls piece(n, at) with at(0 .. n - 1) the points of a piece; asking for one brings in those that follow, and their places in `out`.
template <class R, class F>
void in_pieces(std::span<const Vec3> points, ShapeRef target, std::span<R> out, const F& piece) {
  const std::optional<MeshView> surface = surface_of(target);
  const bool sort = points.size() >= kSortedBatch && surface && surface->mesh->triangles.size() >= kSortedTarget;
  if (!sort) {
    parallel_for(points.size(), 64, [&](std::size_t begin, std::size_t end) {
      const DefaultFloatEnvironment guard;
      piece(end - begin, [&](std::size_t k) { return begin + k; });
    });
    return;
  }
  const DefaultFloatEnvironment guard;
  for (std::size_t from = 0; from < points.size(); from += kSortedAtOnce) {
    const std::vector<std::uint32_t> order = coherent_order(points.subspan(from, std::min(kSortedAtOnce, points.size() - from)));
    parallel_for(order.size(), kSortedPiece, [&](std::size_t begin, std::size_t end) {
      const DefaultFloatEnvironment own;
      piece(end - begin, [&](std::size_t k) {
        if (const std::size_t ahead = begin + k + 4; ahead < order.size()) {
          ask_for(points[from + order[ahead]]);
          ask_for(out[from + order[ahead]]);
        }
        return from + order[begin + k];
      });
    });
  }
}

template <class A, class B>
void same_size(const char* query, const A& elements, const B& out) {
  if (elements.size() != out.size())
    throw Error(std::string(query) + ": " + std::to_string(elements.size()) + " elements, room for " + std::to_string(out.size()) + " answers");
}

/// Rays against a surface by its own batch, against anything else one by one.
template <class R, class Batch, class One>
void ray_batch(const RaySpan& rays, ShapeRef target, std::span<R> out, const Batch& batch, const One& one) {
  const std::optional<MeshView> surface = target.get<Solid>() ? std::nullopt : surface_of(target);
  parallel_for(out.size(), kRays, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    if (surface) {
      RayQuery query[kRays];
      query[0] = ray_query(rays.rays[begin], {rays.t_max});  // looks at t_max, too
      for (std::size_t i = begin + 1; i < end; ++i) query[i - begin] = {rays.rays[i].origin, rays.rays[i].direction, false, 0, query[0].t_max};
      batch(std::span<const RayQuery>(query, end - begin), *surface, out.subspan(begin, end - begin));
    } else {
      for (std::size_t i = begin; i < end; ++i) out[i] = one(rays.rays[i]);
    }
  });
}

}  // namespace

void closest(std::span<const Vec3> points, ShapeRef target, std::span<Closest> out) {
  same_size("closest", points, out);
  if (const std::optional<MeshView> surface = surface_of(target); surface && !target.get<Solid>()) {
    if (surface->mesh->triangles.empty()) {
      for (std::size_t i = 0; i < points.size(); ++i) out[i] = closest(Point{points[i]}, target);
      return;
    }
    in_pieces(points, target, out, [&](std::size_t n, const auto& at) {
      Vec3 some[kPoints];
      SurfaceClosest found[kPoints];
      std::size_t place[kPoints];
      for (std::size_t k = 0; k < n; k += kPoints) {
        const std::size_t m = std::min(kPoints, n - k);
        for (std::size_t i = 0; i < m; ++i) some[i] = points[place[i] = at(k + i)];
        closest(*surface, std::span<const Vec3>(some, m), std::span<SurfaceClosest>(found, m));
        for (std::size_t i = 0; i < m; ++i) out[place[i]] = flipped(public_form(found[i]));
      }
    });
    return;
  }
  in_pieces(points, target, out, [&](std::size_t n, const auto& at) {
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = at(k);
      out[i] = closest(Point{points[i]}, target);
    }
  });
}
std::vector<Closest> closest(std::span<const Vec3> points, ShapeRef target) {
  std::vector<Closest> out(points.size());
  closest(points, target, out);
  return out;
}

void contains(ShapeRef solid, std::span<const Vec3> points, std::span<std::uint8_t> out) {
  same_size("contains", points, out);
  in_pieces(points, solid, out, [&](std::size_t n, const auto& at) {
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = at(k);
      out[i] = contains(solid, points[i]);
    }
  });
}
std::vector<std::uint8_t> contains(ShapeRef solid, std::span<const Vec3> points) {
  std::vector<std::uint8_t> out(points.size());
  contains(solid, points, out);
  return out;
}

void raycast(const RaySpan& rays, ShapeRef target, std::span<std::optional<Hit>> out) {
  same_size("raycast", rays.rays, out);
  ray_batch(rays, target, out, first_hits, [&](const Ray& ray) { return raycast(ray, target, {rays.t_max}); });
}
std::vector<std::optional<Hit>> raycast(const RaySpan& rays, ShapeRef target) {
  std::vector<std::optional<Hit>> out(rays.rays.size());
  raycast(rays, target, out);
  return out;
}

void raycast_any(const RaySpan& rays, ShapeRef target, std::span<std::uint8_t> out) {
  same_size("raycast_any", rays.rays, out);
  ray_batch(rays, target, out, any_hits, [&](const Ray& ray) { return raycast_any(ray, target, {rays.t_max}); });
}
std::vector<std::uint8_t> raycast_any(const RaySpan& rays, ShapeRef target) {
  std::vector<std::uint8_t> out(rays.rays.size());
  raycast_any(rays, target, out);
  return out;
}

}  // namespace graze
