// Queries on the triangles of meshes: pairs that share a point, between two meshes and within one; triangles within a distance of a shape; nearest triangles.
#include <algorithm>
#include <graze/error.hpp>
#include <graze/query/mesh_triangles.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/pair_lists.hpp"
#include "mesh/queries/self_pairs.hpp"
#include "mesh/queries/shared_corners.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "pairs/triangle_triangle.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel_sort.hpp"
#include "platform/progress_meter.hpp"
#include "platform/watch.hpp"

namespace graze {
namespace {

MeshView triangles_of(ShapeRef s, const char* query) {
  if (const std::optional<MeshView> surface = surface_of(s)) return *surface;
  throw Error(ErrorCode::unsupported_shape, std::string(query) + ": " + article_name(s.kind()) + " has no triangles; use a mesh, solid or heightfield");
}

/// The pairs in order, up to the limit of the options. list(rows, most, meter, out) appends the pairs of some rows, or returns false if there are more than
/// `most`; a row has at most `longest` pairs. With a limit or a visitor, only as many rows as fit are listed at a time.
template <class List>
std::vector<TrianglePair> first_pairs(std::uint32_t rows, std::size_t longest, const PairOptions& options, List&& list) {
  constexpr std::uint64_t kAtOnce = std::uint64_t{1} << 20;  // pairs held before they are visited; a choice
  std::vector<TrianglePair> out;
  if (options.limit == 0) return out;
  ProgressMeter meter(options.progress);
  const bool wants_all = options.limit == std::numeric_limits<std::size_t>::max() && !options.visit;
  const std::uint64_t most = wants_all ? kAnyNumber : std::max<std::uint64_t>(longest, std::min<std::uint64_t>(options.limit, kAtOnce));
  std::vector<TrianglePair> found;
  std::uint32_t step = rows;
  for (std::uint32_t begin = 0; begin < rows;) {
    const PairRows now{begin, begin + std::min(step, rows - begin)};
    found.clear();
    meter.stage(static_cast<double>(now.begin) / rows, static_cast<double>(now.end) / rows);
    if (!list(now, most, meter, found)) {
      step = std::max<std::uint32_t>(1, (now.end - begin) / 16);
      continue;
    }
    for (const TrianglePair& p : found) {
      out.push_back(p);
      if ((options.visit && !options.visit(p)) || out.size() == options.limit) return out;
    }
    begin = now.end;
    step = step > rows / 4 ? rows : 4 * step;
  }
  return out;
}

PairCount counted(std::uint64_t count, std::uint64_t most) { return count > most ? PairCount{most, true} : PairCount{count, false}; }
/// Caps a limit at 2^53, which no count reaches and which keeps sums of counts from overflowing.
std::uint64_t countable(std::uint64_t most) { return std::min(most, std::uint64_t{1} << 53); }

}  // namespace

std::vector<TrianglePair> intersecting_triangles(ShapeRef a, ShapeRef b, const PairOptions& options) {
  const DefaultFloatEnvironment guard;
  const MeshView va = triangles_of(a, "intersecting_triangles"), vb = triangles_of(b, "intersecting_triangles");
  return first_pairs(static_cast<std::uint32_t>(va.mesh->triangles.size()), vb.mesh->triangles.size(), options,
                     [&](const PairRows& rows, std::uint64_t most, ProgressMeter& meter, std::vector<TrianglePair>& out) {
                       return list_triangle_pairs(va, vb, 0, options.filter, rows, most, meter, out);
                     });
}

PairCount count_intersecting_triangles(ShapeRef a, ShapeRef b, std::uint64_t most, const Progress& progress) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(progress);
  return counted(count_triangle_pairs(triangles_of(a, "count_intersecting_triangles"), triangles_of(b, "count_intersecting_triangles"), countable(most), meter),
                 countable(most));
}

bool crosses(const Triangle& a, const Triangle& b) {
  const DefaultFloatEnvironment guard;
  return triangles_cross(a, b);
}

std::vector<TrianglePair> self_intersections(ShapeRef mesh, const PairOptions& options) {
  const DefaultFloatEnvironment guard;
  const MeshView view = triangles_of(mesh, "self_intersections");
  return first_pairs(static_cast<std::uint32_t>(view.mesh->triangles.size()), view.mesh->triangles.size(), options,
                     [&](const PairRows& rows, std::uint64_t most, ProgressMeter& meter, std::vector<TrianglePair>& out) {
                       return list_self_pairs(view, options.filter, rows, most, meter, out);
                     });
}

std::vector<TrianglePair> self_crossings(ShapeRef mesh, const PairOptions& options) {
  const DefaultFloatEnvironment guard;
  const MeshView view = triangles_of(mesh, "self_crossings");
  PairOptions own = options;
  own.filter = [&](std::uint32_t a, std::uint32_t b) {
    return !is_flat(view, a) && !is_flat(view, b) && cross_beyond_edges(view, mesh.get<Solid>() != nullptr, a, b) && (!options.filter || options.filter(a, b));
  };
  return self_intersections(mesh, own);
}

PairCount count_self_intersections(ShapeRef mesh, std::uint64_t most, const Progress& progress) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(progress);
  return counted(count_self_pairs(triangles_of(mesh, "count_self_intersections"), countable(most), meter), countable(most));
}

std::vector<std::uint32_t> triangles_within(ShapeRef shape, ShapeRef mesh, double distance) {
  const DefaultFloatEnvironment guard;
  if (!(distance >= 0)) throw Error(ErrorCode::invalid_argument, "triangles_within: the distance is " + std::to_string(distance) + ", must be 0 or more");
  const MeshView surface = triangles_of(mesh, "triangles_within");
  std::vector<std::uint32_t> found;
  const auto add = [&](const std::vector<std::uint32_t>& more) { found.insert(found.end(), more.begin(), more.end()); };
  const auto of_surface = [&](const MeshView& other) {
    for (const TrianglePair& p : triangle_pairs(surface, other, distance)) found.push_back(p.a);
  };
  visit_shape(shape, [&](const auto& s) {
    for_each_part(s, shape.pose(), [&]<class P>(const P& part) {
      if constexpr (std::is_same_v<P, MeshView>) {
        of_surface(part);
      } else if constexpr (std::is_same_v<P, SolidView>) {
        of_surface(part.surface);
        if (const auto seams = part.surface.placed_seams()) of_surface(*seams);
        surface.mesh->complete();
        for (std::uint32_t i = 0; i < surface.mesh->triangles.size(); ++i) {
          checkpoint();
          if (solid_encloses(part.surface, convex_triangle(surface.triangle(i)))) found.push_back(i);
        }
      } else {
        add(triangles_within(surface, part, distance));
      }
      return true;
    });
  });
  parallel_sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<Closest> closest_triangles(ShapeRef shape, ShapeRef mesh, std::size_t count, double distance) {
  const DefaultFloatEnvironment guard;
  if (!(distance >= 0)) throw Error(ErrorCode::invalid_argument, "closest_triangles: the distance is " + std::to_string(distance) + ", must be 0 or more");
  const MeshView surface = triangles_of(mesh, "closest_triangles");
  std::vector<Closest> found;
  visit_shape(shape, [&](const auto& s) {
    for_each_part(s, shape.pose(), [&]<class P>(const P& part) {
      if constexpr (std::is_same_v<P, ConvexSet> || std::is_same_v<P, Curved>) {
        for (const SurfaceClosest& c : closest_triangles(surface, part, count, distance)) found.push_back(flipped(public_form(c)));
      } else {
        throw Error(ErrorCode::unsupported_shape, "closest_triangles: the shape has triangles of its own; use convex shapes, polygons or compounds of these");
      }
      return true;
    });
  });
  const auto nearer = [](const Closest& a, const Closest& b) { return a.distance != b.distance ? a.distance < b.distance : *a.triangle_b < *b.triangle_b; };
  std::sort(found.begin(), found.end(),
            [](const Closest& a, const Closest& b) { return *a.triangle_b != *b.triangle_b ? *a.triangle_b < *b.triangle_b : a.distance < b.distance; });
  found.erase(std::unique(found.begin(), found.end(), [](const Closest& a, const Closest& b) { return a.triangle_b == b.triangle_b; }),
              found.end());  // of several parts, keep the nearest triangle
  std::sort(found.begin(), found.end(), nearer);
  if (found.size() > count) found.resize(count);
  return found;
}

}  // namespace graze
