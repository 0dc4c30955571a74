// Batches of points and rays against one target, of one shape at many poses and of pairs within a distance, on all cores. Points are processed in the order of
// a Morton curve, so that neighbours share cache lines. For rays, sorting saves less than its scattered writes cost; instead, rays against a surface are
// interleaved, so that each hides the memory latency of the others. The answer of element i does not depend on the partition or the order.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/query/batches.hpp>
#include <graze/query/brief_hits.hpp>
#include <string>

#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/ray_queries.hpp"
#include "mesh/queries/triangle_choice.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "query/morton_order.hpp"
#include "query/ray_order.hpp"
#include "query/ray_targets.hpp"
#include "query/signed_distance.hpp"

namespace graze {
namespace {

constexpr std::size_t kSortedAtOnce = 1 << 18, kSortedPiece = 1 << 11;  // points sorted at a time; larger groups bring closer neighbours together
constexpr std::size_t kSortedBatch = 512, kSortedTarget = 4096;         // numbers of points and triangles from which sorting pays (measured)

constexpr std::size_t kPoints = 128;      // points gathered at a time
constexpr std::size_t kRays = kRayBatch;  // rays in a piece

template <class T>
void prefetch(const T& x) {
  for (std::size_t line = 0; line < sizeof(T); line += 64) __builtin_prefetch(reinterpret_cast<const char*>(&x) + line);
}

/// Calls piece(n, at), where at(0 .. n - 1) are the indices of the points of a piece. Each call of `at` prefetches a following point and its element of `out`.
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
    const std::vector<std::uint32_t> order = morton_order(points.subspan(from, std::min(kSortedAtOnce, points.size() - from)));
    parallel_for(order.size(), kSortedPiece, [&](std::size_t begin, std::size_t end) {
      const DefaultFloatEnvironment own;
      piece(end - begin, [&](std::size_t k) {
        if (const std::size_t ahead = begin + k + 4; ahead < order.size()) {
          prefetch(points[from + order[ahead]]);
          prefetch(out[from + order[ahead]]);
        }
        return from + order[begin + k];
      });
    });
  }
}

/// Calls visit(index, closest point) for the n points of a piece. The surface is not empty.
template <class At, class Visit>
void for_each_closest(std::span<const Vec3> points, const MeshView& surface, std::size_t n, const At& at, const Visit& visit) {
  Vec3 some[kPoints];
  SurfaceClosest found[kPoints];
  std::size_t place[kPoints];
  for (std::size_t k = 0; k < n; k += kPoints) {
    const std::size_t m = std::min(kPoints, n - k);
    for (std::size_t i = 0; i < m; ++i) some[i] = points[place[i] = at(k + i)];
    closest(surface, std::span<const Vec3>(some, m), std::span<SurfaceClosest>(found, m));
    for (std::size_t i = 0; i < m; ++i) visit(place[i], found[i]);
  }
}

template <class A, class B>
void same_size(const char* query, const A& elements, const B& out) {
  if (elements.size() != out.size())
    throw Error(ErrorCode::invalid_argument,
                std::string(query) + ": " + std::to_string(elements.size()) + " elements, room for " + std::to_string(out.size()) + " answers");
}

/// Where rays meet no child and no inside, so that the batch functions of surfaces answer them.
std::optional<MeshView> surface_of_rays(ShapeRef target) { return target.get<Solid>() ? std::nullopt : surface_of(target); }

/// The rays of a piece as queries. Also validates the limits.
class RayQueries {
 public:
  RayQueries(const RaySpan& rays, const TriangleChoice& choice, std::size_t begin, std::size_t end) : count_(end - begin) {
    query_[0] = ray_query(rays.rays[begin], rays.t_min, rays.t_max, choice.or_null());
    for (std::size_t i = begin + 1; i < end; ++i)
      query_[i - begin] = {rays.rays[i].origin, rays.rays[i].direction, false, query_[0].t_min, query_[0].t_max, query_[0].choice};
  }
  operator std::span<const RayQuery>() const { return {query_, count_}; }

 private:
  std::size_t count_;
  RayQuery query_[kRays];
};

/// Rays against a surface use the surface's batch function; rays against other shapes are cast one by one.
template <class R, class Batch, class One>
void ray_batch(const RaySpan& rays, ShapeRef target, std::span<R> out, const Batch& batch, const One& one) {
  const TriangleChoice choice(rays);
  const std::optional<MeshView> surface = surface_of_rays(target);
  parallel_for(out.size(), kRays, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    if (surface) {
      batch(RayQueries(rays, choice, begin, end), *surface, out.subspan(begin, end - begin));
    } else {
      for (std::size_t i = begin; i < end; ++i) out[i] = one(rays.rays[i]);
    }
  });
}

void put(const Hit& hit, Hit& out) { out = hit; }
void put(const Hit& hit, BriefHit& out) { out = brief(hit); }

/// Calls count(begin, end, piece) for pieces of rays, which sets offsets[i + 1] of each to the number of its hits; then fill(begin, end, piece), which writes
/// their hits from hits[offsets[begin]] on.
template <class Hits, class Count, class Fill>
void all_in_pieces(std::size_t n, Hits& out, const Count& count, const Fill& fill) {
  out.offsets.assign(n + 1, 0);
  parallel_for(n, kRays, [&](std::size_t begin, std::size_t end) { count(begin, end, begin / kRays); });
  for (std::size_t i = 0; i < n; ++i) out.offsets[i + 1] += out.offsets[i];
  out.hits.resize(out.offsets[n]);
  parallel_for(n, kRays, [&](std::size_t begin, std::size_t end) { fill(begin, end, begin / kRays); });
}

/// All hits of rays: those with a surface are found first and described when their number is known.
template <class Hits>
void all_hits(const RaySpan& rays, ShapeRef target, Hits& out) {
  using Element = typename decltype(Hits::hits)::value_type;
  const std::size_t n = rays.rays.size(), pieces = n == 0 ? 0 : (n - 1) / kRays + 1;
  if (const std::optional<MeshView> surface = surface_of_rays(target)) {
    const TriangleChoice choice(rays);
    std::vector<std::vector<HitPlace>> places(pieces);
    all_in_pieces(
        n, out,
        [&](std::size_t begin, std::size_t end, std::size_t piece) {
          const DefaultFloatEnvironment guard;
          ray_all(*surface, RayQueries(rays, choice, begin, end), places[piece]);
          for (const HitPlace& hit : places[piece]) ++out.offsets[begin + hit.ray + 1];
        },
        [&](std::size_t begin, std::size_t end, std::size_t piece) {
          const DefaultFloatEnvironment guard;
          describe(RayQueries(rays, choice, begin, end), *surface, places[piece], std::span<Element>(out.hits).subspan(out.offsets[begin]));
        });
    return;
  }
  const RayOptions options = rays.options();
  std::vector<std::vector<Hit>> found(pieces);
  all_in_pieces(
      n, out,
      [&](std::size_t begin, std::size_t end, std::size_t piece) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::vector<Hit> hits = raycast_all(rays.rays[i], target, options);
          out.offsets[i + 1] = hits.size();
          found[piece].insert(found[piece].end(), hits.begin(), hits.end());
        }
      },
      [&](std::size_t begin, std::size_t, std::size_t piece) {
        for (std::size_t k = 0; k < found[piece].size(); ++k) put(found[piece][k], out.hits[out.offsets[begin] + k]);
        found[piece] = {};
      });
}

/// Calls f(i) for all i, in pieces on all cores.
template <class F>
void for_each_index(std::size_t n, std::size_t grain, const F& f) {
  parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    for (std::size_t i = begin; i < end; ++i) f(i);
  });
}

constexpr std::size_t kPosesAtOnce = 16;  // a choice: pairs of meshes may take milliseconds

/// out[i] = answer(a at poses[i]).
template <class R, class F>
void at_poses(const char* query, ShapeRef a, std::span<const Pose> poses, std::span<R> out, const F& answer) {
  same_size(query, poses, out);
  if (a.pose()) throw Error(ErrorCode::invalid_argument, std::string(query) + ": the shape is placed already, must be without a pose");
  for_each_index(poses.size(), kPosesAtOnce, [&](std::size_t i) { out[i] = answer(ShapeRef(a.kind(), a.shape(), &poses[i])); });
}

/// within() refuses such distances; a batch does so without points or pairs, too.
void require_distance(double distance) {
  const Point origin;
  (void)within(origin, origin, distance);
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
      for_each_closest(points, *surface, n, at, [&](std::size_t i, const SurfaceClosest& found) { out[i] = flipped(public_form(found)); });
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

void within(std::span<const Vec3> points, ShapeRef target, double distance, std::span<std::uint8_t> out) {
  same_size("within", points, out);
  require_distance(distance);
  in_pieces(points, target, out, [&](std::size_t n, const auto& at) {
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = at(k);
      out[i] = within(Point{points[i]}, target, distance);
    }
  });
}
std::vector<std::uint8_t> within(std::span<const Vec3> points, ShapeRef target, double distance) {
  std::vector<std::uint8_t> out(points.size());
  within(points, target, distance, out);
  return out;
}

void signed_distance(std::span<const Vec3> points, ShapeRef solid, std::span<double> out) {
  same_size("signed_distance", points, out);
  require_signed_distance(solid);
  const Solid* const s = solid.get<Solid>();
  const bool surface = s != nullptr && !s->mesh().triangles().empty() && s->seams() == 0;
  in_pieces(points, solid, out, [&](std::size_t n, const auto& at) {
    if (!surface) {
      for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = at(k);
        out[i] = signed_distance(points[i], solid);
      }
      return;
    }
    const SolidView view{MeshView(*s, solid.pose())};
    for_each_closest(points, view.surface, n, at,
                     [&](std::size_t i, const SurfaceClosest& found) { out[i] = with_sign(found.closest.distance, points[i], view); });
  });
}
std::vector<double> signed_distance(std::span<const Vec3> points, ShapeRef solid) {
  std::vector<double> out(points.size());
  signed_distance(points, solid, out);
  return out;
}

void raycast(const RaySpan& rays, ShapeRef target, std::span<std::optional<Hit>> out) {
  same_size("raycast", rays.rays, out);
  const RayOptions options = rays.options();
  ray_batch(
      rays, target, out, [](const auto&... x) { first_hits(x...); }, [&](const Ray& ray) { return raycast(ray, target, options); });
}
void raycast(const RaySpan& rays, ShapeRef target, std::span<BriefHit> out) {
  same_size("raycast", rays.rays, out);
  const RayOptions options = rays.options();
  ray_batch(
      rays, target, out, [](const auto&... x) { first_hits(x...); }, [&](const Ray& ray) { return raycast_brief(ray, target, options); });
}
std::vector<std::optional<Hit>> raycast(const RaySpan& rays, ShapeRef target) {
  std::vector<std::optional<Hit>> out(rays.rays.size());
  raycast(rays, target, out);
  return out;
}

void raycast_any(const RaySpan& rays, ShapeRef target, std::span<std::uint8_t> out) {
  same_size("raycast_any", rays.rays, out);
  const RayOptions options = rays.options();
  ray_batch(rays, target, out, any_hits, [&](const Ray& ray) { return raycast_any(ray, target, options); });
}
std::vector<std::uint8_t> raycast_any(const RaySpan& rays, ShapeRef target) {
  std::vector<std::uint8_t> out(rays.rays.size());
  raycast_any(rays, target, out);
  return out;
}

void raycast_all(const RaySpan& rays, ShapeRef target, RayHits& out) { all_hits(rays, target, out); }
void raycast_all(const RaySpan& rays, ShapeRef target, BriefHits& out) { all_hits(rays, target, out); }
RayHits raycast_all(const RaySpan& rays, ShapeRef target) {
  RayHits out;
  raycast_all(rays, target, out);
  return out;
}

// ---- one shape at many poses -------------------------------------------------------------------------------------------------------------

void intersects(ShapeRef a, std::span<const Pose> poses, ShapeRef b, std::span<std::uint8_t> out) {
  at_poses("intersects", a, poses, out, [&](ShapeRef placed) { return intersects(placed, b); });
}
std::vector<std::uint8_t> intersects(ShapeRef a, std::span<const Pose> poses, ShapeRef b) {
  std::vector<std::uint8_t> out(poses.size());
  intersects(a, poses, b, std::span<std::uint8_t>(out));
  return out;
}

void within(ShapeRef a, std::span<const Pose> poses, ShapeRef b, double distance, std::span<std::uint8_t> out) {
  require_distance(distance);
  at_poses("within", a, poses, out, [&](ShapeRef placed) { return within(placed, b, distance); });
}
std::vector<std::uint8_t> within(ShapeRef a, std::span<const Pose> poses, ShapeRef b, double distance) {
  std::vector<std::uint8_t> out(poses.size());
  within(a, poses, b, distance, out);
  return out;
}

void closest(ShapeRef a, std::span<const Pose> poses, ShapeRef b, std::span<Closest> out) {
  at_poses("closest", a, poses, out, [&](ShapeRef placed) { return closest(placed, b); });
}
std::vector<Closest> closest(ShapeRef a, std::span<const Pose> poses, ShapeRef b) {
  std::vector<Closest> out(poses.size());
  closest(a, poses, b, std::span<Closest>(out));
  return out;
}

// ---- many pairs --------------------------------------------------------------------------------------------------------------------------

void within(std::span<const ShapeRef> a, std::span<const ShapeRef> b, double distance, std::span<std::uint8_t> out) {
  same_size("within", a, b);
  same_size("within", a, out);
  require_distance(distance);
  for_each_index(a.size(), 64, [&](std::size_t i) { out[i] = within(a[i], b[i], distance); });
}
std::vector<std::uint8_t> within(std::span<const ShapeRef> a, std::span<const ShapeRef> b, double distance) {
  std::vector<std::uint8_t> out(a.size());
  within(a, b, distance, out);
  return out;
}

}  // namespace graze
