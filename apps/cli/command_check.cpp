// graze check: reports whether two models touch, where, how far apart they are, and whether one is inside the other.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <graze/explain.hpp>
#include <graze/heritage/hierarchy.hpp>
#include <graze/io.hpp>
#include <graze/query.hpp>
#include <graze/threads.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "cli/commands.hpp"
#include "cli/part_name.hpp"
#include "cli/pictures.hpp"
#include "cli/progress_bar.hpp"
#include "cli/up_axis.hpp"
#include "contact/regions.hpp"
#include "contact/verdict.hpp"
#include "input/json.hpp"
#include "input/model_notes.hpp"
#include "input/shape_reader.hpp"

namespace graze::cli {

namespace {

/// Further pairs are only counted. Then it is unknown whether surfaces that meet also cross.
constexpr std::size_t kExamined = 1'000'000;

/// A model in the world.
struct Model {
  std::string path;
  Mesh mesh;  // each vertex is placed once, with the rounding of docs/conventions.md
  bool closed = false;
  std::optional<Solid> solid;
  std::optional<Mesh> unique;                 // the mesh without repeated triangles, if it has any
  std::vector<std::uint32_t> number, weight;  // per triangle: the index of its first occurrence in the mesh, and the number of equal ones

  Model(LoadedModel loaded, const std::string& path, const std::optional<Pose>& pose, const char* pose_name) : path(path), mesh(std::move(loaded.data)) {
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
    if (!report.duplicates.empty()) drop_duplicates(report.duplicates);
  }

  const Mesh& distinct() const { return unique ? *unique : mesh; }
  std::uint32_t original(std::uint32_t i) const { return unique ? number[i] : i; }
  contact::Body body() const { return {mesh, solid ? &*solid : nullptr, {}}; }
  std::uint64_t copies(std::uint32_t i) const { return unique ? weight[i] : 1; }

 private:
  void drop_duplicates(const std::vector<std::array<std::uint32_t, 2>>& duplicates) {
    std::vector<std::uint32_t> count(mesh.size(), 1);
    for (const auto& [later, first] : duplicates) {
      count[later] = 0;
      ++count[first];
    }
    std::vector<TriangleIndices> triangles;
    for (std::uint32_t t = 0; t < count.size(); ++t) {
      if (count[t] == 0) continue;
      triangles.push_back(mesh.triangles()[t]);
      number.push_back(t);
      weight.push_back(count[t]);
    }
    unique.emplace(VertexView(mesh.vertices()), triangles);
  }
};

struct Place {
  TrianglePair pair;
  Vec3 point;
};

struct Outcome {
  contact::Verdict verdict;
  PairCount pairs;
  std::uint64_t crossing = 0;               // pairs that pierce each other
  bool examined = true;                     // all of them; else the first kExamined different ones
  std::vector<Place> places;                // the first of them
  std::vector<TrianglePair> all;            // the examined pairs, if a picture is requested; one of each group of equal ones
  std::optional<contact::Regions> regions;  // connected pieces of the contact, if all pairs were examined
  std::optional<Box> region;                // contains every common point
  std::optional<Closest> nearest;           // when the surfaces do not intersect
  std::optional<HierarchyCounts> levels;
  struct Work {
    TierCounts verdict, rest;  // decisions for the verdict; those after it, for counts, places, regions and the distance
    KernelUse kernels;         // of both
  };
  std::optional<Work> work;
};

Triangle corner_points(const Mesh& mesh, std::uint32_t triangle) {
  const TriangleIndices& t = mesh.triangles()[triangle];
  return {{mesh.vertices()[t[0]], mesh.vertices()[t[1]], mesh.vertices()[t[2]]}};
}

Box common_box(const Box& a, const Box& b) {
  Box common;
  for (int k = 0; k < 3; ++k) {
    common.min[k] = std::max(a.min[k], b.min[k]);
    common.max[k] = std::min(a.max[k], b.max[k]);
  }
  return common;
}

/// Extends `region` by the intersection of the boxes of both triangles.
void grow(std::optional<Box>& region, const Triangle& a, const Triangle& b) {
  const Box common = common_box(bounding_box(a), bounding_box(b));
  if (!region) {
    region = common;
    return;
  }
  for (int k = 0; k < 3; ++k) {
    region->min[k] = std::min(region->min[k], common.min[k]);
    region->max[k] = std::max(region->max[k], common.max[k]);
  }
}

Outcome examine(const Model& a, const Model& b, const CheckOptions& options, ProgressBar& bar) {
  Outcome result;
  if (options.explain) {
    set_threads(1);  // the counters are those of this thread
    reset_tier_counts();
  }
  const KernelUse before = kernel_use();

  // ---- the verdict, with all pairs that it rests on
  PairOptions some;
  some.limit = kExamined + 1;
  some.progress = bar.stage(0.7, 0.85);
  std::vector<TrianglePair> pairs = intersecting_triangles(a.distinct(), b.distinct(), some);
  if (pairs.size() > kExamined) {
    pairs.pop_back();
    result.examined = false;
  }
  std::uint64_t count = 0;
  for (TrianglePair& p : pairs) {
    const std::uint64_t copies = a.copies(p.a) * b.copies(p.b);
    p = {a.original(p.a), b.original(p.b)};
    const Triangle ta = corner_points(a.mesh, p.a), tb = corner_points(b.mesh, p.b);
    count += copies;
    if (crosses(ta, tb)) result.crossing += result.examined ? copies : 1;
    grow(result.region, ta, tb);
  }
  const contact::Body body_a = a.body(), body_b = b.body();
  result.verdict = contact::verdict_on_surfaces(body_a, body_b, pairs, result.examined, result.crossing > 0);
  if (options.explain) {
    result.work.emplace().verdict = tier_counts();
    reset_tier_counts();
  }
  contact::add_relation(result.verdict, body_a, body_b, bar.stage(0.85, 0.95));

  // ---- what else is reported
  result.pairs = !result.examined     ? count_intersecting_triangles(a.mesh, b.mesh, kMostPairs, bar.stage(0.95, 1))
                 : count > kMostPairs ? PairCount{kMostPairs, true}
                                      : PairCount{count, false};
  if (result.pairs.more) result.crossing = std::min(result.crossing, kMostPairs);
  if (!result.examined) result.region = common_box(bounding_box(a.mesh), bounding_box(b.mesh));
  if (!options.picture.empty() || !options.html.empty()) result.all = pairs;
  if (!pairs.empty()) {
    PairOptions first;
    first.limit = options.limit;
    for (const TrianglePair& p : intersecting_triangles(a.mesh, b.mesh, first))
      result.places.push_back({p, closest(corner_points(a.mesh, p.a), corner_points(b.mesh, p.b)).on_a});
    if (result.examined) result.regions = contact::regions_of(a.mesh, b.mesh, pairs);
  } else if (a.mesh.size() > 0 && b.mesh.size() > 0) {
    result.nearest = closest(a.mesh, b.mesh);
  }
  if (options.explain) {
    result.work->rest = tier_counts();
    KernelUse& kernels = result.work->kernels = kernel_use();
    kernels.entered -= before.entered;
    kernels.elsewhere -= before.elsewhere;
    if (a.mesh.size() > 0 && b.mesh.size() > 0 && result.pairs.count <= kExamined) {  // requires a list of all pairs
      HierarchyCounts counts;
      (void)intersecting_triangles(SphereHierarchy(a.mesh), SphereHierarchy(b.mesh), &counts);
      result.levels = counts;
    }
  }
  return result;
}

std::string as_json(const Model& a, const Model& b, const Outcome& r, const std::vector<ModelNote>& notes, const CheckOptions& options) {
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
  o.add("verdict", name_of(r.verdict)).add("hit", r.verdict.surfaces != contact::Surfaces::apart).add("identical", r.verdict.identical);
  if (r.verdict.relation) o.add("relation", name_of(*r.verdict.relation));
  o.add("surfaces", name_of(r.verdict.surfaces));
  o.add("pairs", r.pairs.count);
  if (r.pairs.more) o.add("more", true);
  o.add("crossing_pairs", r.crossing);
  if (!r.examined) o.add("examined_pairs", kExamined);
  o.add_each("places", r.places, [&](std::string& s, const Place& p) {
    JsonObject e(s);
    e.add("triangle_a", p.pair.a).add("triangle_b", p.pair.b).add("point", p.point);
    if (const std::string* name = part_name(a.mesh, p.pair.a)) e.add("part_a", *name);
    if (const std::string* name = part_name(b.mesh, p.pair.b)) e.add("part_b", *name);
    e.end();
  });
  if (r.regions) {
    o.add("regions", r.regions->list.size());
    const std::vector<contact::Region> largest(r.regions->list.begin(),
                                               r.regions->list.begin() + static_cast<std::ptrdiff_t>(std::min(options.limit, r.regions->list.size())));
    o.add_each("largest_regions", largest, [&](std::string& s, const contact::Region& region) {
      JsonObject e(s);
      e.add("pairs", region.pairs)
          .add("length", region.length)
          .add("area", region.area)
          .add("min", region.box.min)
          .add("max", region.box.max)
          .add("point", region.point);
      const auto names = [&](const char* field, const std::vector<std::string>& list) {
        e.add_each(field, list, [](std::string& to, const std::string& name) { put(to, name); });
      };
      names("parts_a", region.parts_a);
      names("parts_b", region.parts_b);
      e.end();
    });
  }
  add_notes(o, notes);
  if (r.region) o.add("region_min", r.region->min).add("region_max", r.region->max);
  if (r.nearest) {
    o.add("distance", r.nearest->distance).add("witness_a", r.nearest->on_a).add("witness_b", r.nearest->on_b);
    o.add_if("triangle_a", r.nearest->triangle_a).add_if("triangle_b", r.nearest->triangle_b);
  } else if (r.pairs.count > 0) {
    o.add("distance", 0.0);
  }
  if (r.work) {
    const auto add_tiers = [](JsonObject& to, const TierCounts& n) {
      to.add("decided_by_filter", n.filter)
          .add("decided_by_pairs_of_doubles", n.pairs)
          .add("decided_by_fixed_width", n.fixed)
          .add("decided_by_any_width", n.big);
    };
    std::string s, rest;
    JsonObject after(rest);
    add_tiers(after, r.work->rest);
    after.end();
    JsonObject e(s);
    if (r.levels)
      e.add("possible_pairs", r.levels->possible)
          .add("after_object_spheres", r.levels->after_objects)
          .add("after_triangle_spheres", r.levels->after_spheres)
          .add("hits", r.levels->hits);
    add_tiers(e, r.work->verdict);
    e.add_raw("after_verdict", rest);
    const KernelUse& kernels = r.work->kernels;
    e.add("cpu_level", kernels.level).add("wide_tests", kernels.entered).add("wide_tests_at_other_levels", kernels.elsewhere);
    e.end();
    o.add_raw("explain", s);
  }
  o.end();
  return out + "\n";
}

std::string as_text(const Model& a, const Model& b, const Outcome& r, const CheckOptions& options) {
  std::string out;
  const auto model = [&](const char* name, const Model& m) {
    out += fmt::format("{}: {} ({} triangles, {})\n", name, m.path, m.mesh.size(),
                       m.solid    ? "bounds a solid"
                       : m.closed ? "closed, but bounds no solid"
                                  : "open");
  };
  model("A", a);
  model("B", b);
  out += fmt::format("verdict: {}\n", contact::text_of(r.verdict));
  if (r.pairs.count > 0) {
    const char* more = r.pairs.more ? "more than " : "";
    if (r.examined)
      out += fmt::format("intersecting triangle pairs: {}{}, of which {}{} pierce each other\n", more, r.pairs.count, r.crossing == kMostPairs ? more : "",
                         r.crossing);
    else
      out +=
          fmt::format("intersecting triangle pairs: {}{}; of the first {} different ones, {} pierce each other\n", more, r.pairs.count, kExamined, r.crossing);
    const double reach = contact::reach_of(a.mesh, b.mesh);
    const auto rounded = [&](const Vec3& v) {
      const Vec3 w = contact::rounded(v, reach);
      return fmt::format("({:.6g}, {:.6g}, {:.6g})", w.x, w.y, w.z);
    };
    for (const Place& p : r.places)
      out += fmt::format("  A {} with B {} at {}\n", triangle_text(a.mesh, p.pair.a), triangle_text(b.mesh, p.pair.b), rounded(p.point));
    if (r.pairs.count > r.places.size()) out += fmt::format("  and {}{} more (--limit)\n", more, r.pairs.count - r.places.size());
    out += fmt::format("all within: {} to {}\n", rounded(r.region->min), rounded(r.region->max));
    if (r.regions) {
      const std::vector<contact::Region>& list = r.regions->list;
      out += fmt::format("connected regions of contact: {}\n", list.size());
      for (std::size_t i = 0; i < list.size() && i < options.limit; ++i) {
        const std::string parts_a = contact::parts_text(list[i].parts_a), parts_b = contact::parts_text(list[i].parts_b);
        const std::string parts =
            parts_a.empty() && parts_b.empty() ? "" : fmt::format(", A{} with B{}", parts_a.empty() ? "" : " " + parts_a, parts_b.empty() ? "" : " " + parts_b);
        out += fmt::format("  {}{}, {} pair{}, {} to {}\n", contact::size_text(list[i]), parts, list[i].pairs, list[i].pairs == 1 ? "" : "s",
                           rounded(list[i].box.min), rounded(list[i].box.max));
      }
      if (list.size() > options.limit) out += fmt::format("  and {} more (--limit)\n", list.size() - options.limit);
    } else {
      out += fmt::format("connected regions of contact: not grouped, since there are more than {} pairs\n", kExamined);
    }
  }
  if (r.nearest) {
    out += fmt::format("distance{}: {}\n", r.verdict.surfaces == contact::Surfaces::apart ? "" : " between the surfaces", text(r.nearest->distance));
    const auto witness = [&](const char* name, const Mesh& mesh, const Vec3& point, const std::optional<std::uint32_t>& t) {
      out += fmt::format("  nearest on {}: {}{}\n", name, text(point), t ? ", triangle " + triangle_text(mesh, *t) : "");
    };
    witness("A", a.mesh, r.nearest->on_a, r.nearest->triangle_a);
    witness("B", b.mesh, r.nearest->on_b, r.nearest->triangle_b);
  }
  if (r.work) {
    out += "explained:\n";
    if (r.levels) {
      out += fmt::format("  triangle pairs in all:                        {}\n", r.levels->possible);
      out += fmt::format("  left by the spheres of the objects:           {}\n", r.levels->after_objects);
      out += fmt::format("  left by the spheres of the triangles:         {}\n", r.levels->after_spheres);
      out += fmt::format("  that intersect by the exact test:             {}\n", r.levels->hits);
    }
    const auto tiers = [&](const char* purpose, const TierCounts& n) {
      out += fmt::format("  decided for {}, where no closed form in doubles did:\n", purpose);
      out += fmt::format("    in doubles with a proven bound:             {}\n", n.filter);
      out += fmt::format("    in pairs of doubles with a proven bound:    {}\n", n.pairs);
      out += fmt::format("    in exact integers of fixed width:           {}\n", n.fixed);
      out += fmt::format("    in exact integers of any width:             {}\n", n.big);
    };
    tiers("the verdict", r.work->verdict);
    tiers(r.nearest ? "the distance" : "counts, places and regions", r.work->rest);
    out += fmt::format("  calls of the SIMD code that tests tree nodes: {} (CPU level {})\n", r.work->kernels.entered, r.work->kernels.level);
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
  prepare_output(options.picture, "check: --picture", {".png"});
  prepare_output(options.html, "check: --html", {".html", ".htm"});
  (void)read_size(options.size);
  UpChoice up(read_up(options.up));
  const std::optional<Pose> pose_a = pose(options.pose_a, "--pose-a"), pose_b = pose(options.pose_b, "--pose-b");
  ProgressBar bar("checking");
  ModelNotes models(options.literal);
  std::vector<LoadedModel> loaded =
      models.load_together({options.a, options.b}, [&](std::size_t i) { return i == 0 ? bar.stage(0, 0.35) : bar.stage(0.35, 0.7); });
  for (const LoadedModel& model : loaded) up.take(model);
  const Model a(std::move(loaded[0]), options.a, pose_a, "--pose-a"), b(std::move(loaded[1]), options.b, pose_b, "--pose-b");
  const std::vector<ModelNote> notes = models.list();
  const Outcome result = examine(a, b, options, bar);
  const auto in = [&](Relation solids, contact::Surfaces whole, contact::Surfaces part) {
    return result.verdict.relation == solids || result.verdict.surfaces == whole || result.verdict.surfaces == part;
  };
  if (!options.picture.empty() || !options.html.empty())
    show_check({a.mesh, b.mesh, a.path, b.path, contact::text_of(result.verdict), result.all, result.pairs, result.regions ? &*result.regions : nullptr,
                result.nearest, in(Relation::a_in_b, contact::Surfaces::a_in_b, contact::Surfaces::part_of_a_in_b),
                in(Relation::b_in_a, contact::Surfaces::b_in_a, contact::Surfaces::part_of_b_in_a), up.result(), notes},
               options.picture, options.html, options.size);
  print_notes(notes);
  print(options.json ? as_json(a, b, result, notes, options) : as_text(a, b, result, options));
  return result.verdict.surfaces == contact::Surfaces::apart ? kDone : kFound;
}

}  // namespace graze::cli
