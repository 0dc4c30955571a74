// graze check: do two models touch, where, how far apart, is one inside the other.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <graze/explain.hpp>
#include <graze/hierarchy.hpp>
#include <graze/io.hpp>
#include <graze/query.hpp>
#include "cli/commands.hpp"
#include "cli/json_write.hpp"
#include "cli/part_name.hpp"
#include "cli/pictures.hpp"
#include "cli/progress.hpp"
#include "cli/shape_reader.hpp"

namespace graze::cli {

namespace {

enum class Verdict { apart, touch, cross, a_inside_b, b_inside_a, part_of_a_inside_b, part_of_b_inside_a };
constexpr const char* kVerdictNames[] = {"apart", "surfaces-touch", "surfaces-cross", "a-inside-b", "b-inside-a", "part-of-a-inside-b", "part-of-b-inside-a"};
constexpr const char* kVerdictTexts[] = {"apart", "the surfaces touch", "the surfaces cross", "A is inside B", "B is inside A", "a part of A is inside B", "a part of B is inside A"};

/// A model in the world.
struct Model {
  std::string path;
  Mesh mesh;  // vertices placed, once each: the pose of the contract
  bool closed = false;
  std::optional<Solid> solid;

  Model(const std::string& path, const std::optional<Pose>& pose, const char* pose_name) : path(path), mesh(load_mesh(path)) {
    if (pose) {
      std::vector<Vec3> placed(mesh.vertices().begin(), mesh.vertices().end());
      for (std::size_t i = 0; i < placed.size(); ++i) {
        placed[i] = pose->apply(placed[i]);
        for (int k = 0; k < 3; ++k)
          if (!std::isfinite(placed[i][k])) fail(pose_name, fmt::format("moves vertex {} beyond the range of doubles", i));
      }
      mesh = mesh.refit(VertexView(std::span<const Vec3>(placed)));
    }
    const MeshReport report = check(mesh);
    closed = report.closed;
    if (report.solid) solid.emplace(mesh);
  }
};

struct Place {
  TrianglePair pair;
  Vec3 point;
};

struct Outcome {
  Verdict verdict = Verdict::apart;
  std::size_t pairs = 0, crossing = 0;  // of them, pairs that pierce each other
  std::vector<Place> places;        // the first of them
  std::vector<TrianglePair> all;    // all of them, when a picture was asked for
  std::optional<Box> region;        // contains every common point
  std::optional<Closest> surfaces;  // when they do not intersect
  std::optional<HierarchyCounts> levels;
  std::optional<TierCounts> tiers;
  KernelUse kernels;
};

Triangle corner_points(const Mesh& mesh, std::uint32_t triangle) {
  const TriangleIndices& t = mesh.triangles()[triangle];
  return {{mesh.vertices()[t[0]], mesh.vertices()[t[1]], mesh.vertices()[t[2]]}};
}

/// Grows `region` by what the boxes of both triangles have in common.
void grow(std::optional<Box>& region, const Triangle& a, const Triangle& b) {
  Box common;
  for (int k = 0; k < 3; ++k) {
    const auto [min_a, max_a] = std::minmax({a.points[0][k], a.points[1][k], a.points[2][k]});
    const auto [min_b, max_b] = std::minmax({b.points[0][k], b.points[1][k], b.points[2][k]});
    common.min[k] = std::max(min_a, min_b);
    common.max[k] = std::min(max_a, max_b);
  }
  if (!region) {
    region = common;
    return;
  }
  for (int k = 0; k < 3; ++k) {
    region->min[k] = std::min(region->min[k], common.min[k]);
    region->max[k] = std::max(region->max[k], common.max[k]);
  }
}

/// Surfaces that no triangle pierces may still cross, exactly along edges and corners: then something of one model, of a triangle that meets the other, is inside the other and off its surface. Corners and
/// those middles of edges and triangles that are doubles tell.
bool reaches_inside(const Model& model, const Model& other, const std::vector<TrianglePair>& pairs, std::uint32_t TrianglePair::*side) {
  if (!other.solid) return false;
  std::vector<std::uint32_t> triangles;
  for (const TrianglePair& p : pairs) triangles.push_back(p.*side);
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  constexpr double kWeights[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {.5, .5, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .25, .25}, {.25, .5, .25}, {.25, .25, .5}};
  std::vector<Vec3> points;
  for (const std::uint32_t number : triangles) {
    const Triangle t = corner_points(model.mesh, number);
    for (const auto& w : kWeights) {
      Vec3 at;
      bool exact = true;
      for (int k = 0; k < 3; ++k) {
        const double x = w[0] * t.points[0][k], y = w[1] * t.points[1][k], z = w[2] * t.points[2][k], xy = x + y, sum = xy + z;
        exact = exact && xy - x == y && xy - y == x && sum - xy == z && sum - z == xy && (sum == 0 || std::fabs(sum) > 1e-300);
        at[k] = sum;
      }
      if (exact) points.push_back(at);
    }
  }
  const std::vector<std::uint8_t> in = contains(*other.solid, points);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (in[i] && !intersects(Point{points[i]}, other.mesh)) return true;
  return false;
}

enum class Inside { none, some, all };

/// How much of a model whose surface misses the solid's lies inside it: every vertex that a triangle uses tells for its connected piece.
Inside inside(const Model& model, const Model& other) {
  if (!other.solid || model.mesh.size() == 0) return Inside::none;
  std::vector<bool> used(model.mesh.vertices().size());
  for (const TriangleIndices& t : model.mesh.triangles())
    for (const std::uint32_t v : t) used[v] = true;
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) points.push_back(model.mesh.vertices()[i]);
  const std::vector<std::uint8_t> in = contains(*other.solid, points);
  const auto count = static_cast<std::size_t>(std::count_if(in.begin(), in.end(), [](std::uint8_t x) { return x != 0; }));
  return count == 0 ? Inside::none : count == points.size() ? Inside::all : Inside::some;
}

Outcome examine(const Model& a, const Model& b, const CheckOptions& options) {
  Outcome result;
  if (options.explain) {
    set_threads(1);  // the counters are those of this thread
    reset_tier_counts();
  }
  const std::vector<TrianglePair> pairs = intersecting_triangles(a.mesh, b.mesh);
  result.pairs = pairs.size();
  if (!options.picture.empty() || !options.html.empty()) result.all = pairs;
  if (!pairs.empty()) {
    for (const TrianglePair& p : pairs) {
      const Triangle ta = corner_points(a.mesh, p.a), tb = corner_points(b.mesh, p.b);
      result.crossing += crosses(ta, tb);
      grow(result.region, ta, tb);
      if (result.places.size() < options.limit) result.places.push_back({p, closest(ta, tb).on_a});
    }
    const bool cross = result.crossing > 0 || reaches_inside(a, b, pairs, &TrianglePair::a) || reaches_inside(b, a, pairs, &TrianglePair::b);
    result.verdict = cross ? Verdict::cross : Verdict::touch;
  } else {
    const Inside a_in_b = inside(a, b), b_in_a = inside(b, a);
    if (a_in_b == Inside::all)
      result.verdict = Verdict::a_inside_b;
    else if (b_in_a == Inside::all)
      result.verdict = Verdict::b_inside_a;
    else if (a_in_b == Inside::some)
      result.verdict = Verdict::part_of_a_inside_b;
    else if (b_in_a == Inside::some)
      result.verdict = Verdict::part_of_b_inside_a;
    if (a.mesh.size() > 0 && b.mesh.size() > 0) result.surfaces = closest(a.mesh, b.mesh);
  }
  if (options.explain) {
    result.tiers = tier_counts();
    result.kernels = kernel_use();
    if (a.mesh.size() > 0 && b.mesh.size() > 0) {
      HierarchyCounts counts;
      (void)intersecting_triangles(SphereHierarchy(a.mesh), SphereHierarchy(b.mesh), &counts);
      result.levels = counts;
    }
  }
  return result;
}

std::string as_json(const Model& a, const Model& b, const Outcome& r) {
  std::string out;
  JsonObject o(out);
  const auto model = [](const Model& m) {
    std::string s;
    JsonObject e(s);
    e.add("path", m.path).add("triangles", m.mesh.size()).add("closed", m.closed).add("solid", m.solid.has_value());
    e.end();
    return s;
  };
  o.add_raw("a", model(a)).add_raw("b", model(b));
  o.add("verdict", kVerdictNames[static_cast<int>(r.verdict)]).add("hit", r.verdict != Verdict::apart).add("pairs", r.pairs).add("crossing_pairs", r.crossing);
  o.add_each("places", r.places, [&](std::string& s, const Place& p) {
    JsonObject e(s);
    e.add("triangle_a", p.pair.a).add("triangle_b", p.pair.b).add("point", p.point);
    if (const std::string* name = part_name(a.mesh, p.pair.a)) e.add("part_a", *name);
    if (const std::string* name = part_name(b.mesh, p.pair.b)) e.add("part_b", *name);
    e.end();
  });
  if (r.region) o.add("region_min", r.region->min).add("region_max", r.region->max);
  if (r.surfaces) {
    o.add("distance", r.surfaces->distance).add("witness_a", r.surfaces->on_a).add("witness_b", r.surfaces->on_b);
    o.add_if("triangle_a", r.surfaces->triangle_a).add_if("triangle_b", r.surfaces->triangle_b);
  } else if (r.pairs > 0) {
    o.add("distance", 0.0);
  }
  if (r.tiers) {
    std::string s;
    JsonObject e(s);
    if (r.levels)
      e.add("possible_pairs", r.levels->possible)
          .add("after_object_spheres", r.levels->after_objects)
          .add("after_triangle_spheres", r.levels->after_spheres)
          .add("hits", r.levels->hits);
    e.add("decided_by_filter", r.tiers->filter).add("decided_by_fixed_width", r.tiers->fixed).add("decided_by_any_width", r.tiers->big);
    e.add("cpu_level", r.kernels.level).add("wide_tests", r.kernels.entered).add("wide_tests_at_other_levels", r.kernels.elsewhere);
    e.end();
    o.add_raw("explain", s);
  }
  o.end();
  return out + "\n";
}

std::string as_text(const Model& a, const Model& b, const Outcome& r) {
  std::string out;
  const auto model = [&](const char* name, const Model& m) {
    out += fmt::format("{}: {} ({} triangles, {})\n", name, m.path, m.mesh.size(),
                       m.solid    ? "bounds a solid"
                       : m.closed ? "closed, but bounds no solid"
                                  : "open");
  };
  model("A", a);
  model("B", b);
  out += fmt::format("verdict: {}\n", kVerdictTexts[static_cast<int>(r.verdict)]);
  if (r.pairs > 0) {
    out += fmt::format("intersecting triangle pairs: {}, of which {} pierce each other\n", r.pairs, r.crossing);
    for (const Place& p : r.places) out += fmt::format("  A {} with B {} at {}\n", triangle_text(a.mesh, p.pair.a), triangle_text(b.mesh, p.pair.b), text(p.point));
    if (r.pairs > r.places.size()) out += fmt::format("  and {} more (--limit)\n", r.pairs - r.places.size());
    out += fmt::format("all within: {} to {}\n", text(r.region->min), text(r.region->max));
  }
  if (r.surfaces) {
    out += fmt::format("distance{}: {}\n", r.verdict == Verdict::apart ? "" : " between the surfaces", text(r.surfaces->distance));
    const auto witness = [&](const char* name, const Mesh& mesh, const Vec3& point, const std::optional<std::uint32_t>& t) {
      out += fmt::format("  nearest on {}: {}{}\n", name, text(point), t ? ", triangle " + triangle_text(mesh, *t) : "");
    };
    witness("A", a.mesh, r.surfaces->on_a, r.surfaces->triangle_a);
    witness("B", b.mesh, r.surfaces->on_b, r.surfaces->triangle_b);
  }
  if (r.tiers) {
    out += "explained:\n";
    if (r.levels) {
      out += fmt::format("  triangle pairs in all:                        {}\n", r.levels->possible);
      out += fmt::format("  left by the spheres of the objects:           {}\n", r.levels->after_objects);
      out += fmt::format("  left by the spheres of the triangles:         {}\n", r.levels->after_spheres);
      out += fmt::format("  that intersect by the exact test:             {}\n", r.levels->hits);
    }
    out += fmt::format("  decided in doubles with a proven bound:       {}\n", r.tiers->filter);
    out += fmt::format("  decided in exact numbers of fixed width:      {}\n", r.tiers->fixed);
    out += fmt::format("  decided in exact numbers of any width:        {}\n", r.tiers->big);
    out += fmt::format("  tests of tree nodes, eight boxes at once:     {} (CPU level {})\n", r.kernels.entered, r.kernels.level);
  }
  return out;
}

}  // namespace

int run_check(const CheckOptions& options) {
  const auto pose = [](const std::string& text, const char* name) -> std::optional<Pose> {
    if (text.empty()) return {};
    try {
      return read_pose_argument(text, name);
    } catch (const BadInput& e) {
      throw UsageError(e.what());
    }
  };
  const std::optional<Pose> pose_a = pose(options.pose_a, "--pose-a"), pose_b = pose(options.pose_b, "--pose-b");
  Progress progress("checking");
  const Model a(options.a, pose_a, "--pose-a");
  progress.show(1, 3);
  const Model b(options.b, pose_b, "--pose-b");
  progress.show(2, 3);
  const Outcome result = examine(a, b, options);
  if (!options.picture.empty() || !options.html.empty())
    show_check({a.mesh, b.mesh, a.path, b.path, kVerdictTexts[static_cast<int>(result.verdict)], result.all, result.surfaces, result.verdict == Verdict::a_inside_b || result.verdict == Verdict::part_of_a_inside_b,
                result.verdict == Verdict::b_inside_a || result.verdict == Verdict::part_of_b_inside_a},
               options.picture, options.html, options.size, read_up(options.up));
  print(options.json ? as_json(a, b, result) : as_text(a, b, result));
  return result.verdict == Verdict::apart ? kDone : kFound;
}

}  // namespace graze::cli
