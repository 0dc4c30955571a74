// graze info: reports what a model is and which defects it has.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <graze/io.hpp>
#include <graze/query.hpp>
#include <optional>
#include <string>
#include <vector>
#include "cli/commands.hpp"
#include "cli/progress_bar.hpp"
#include "cli/up_axis.hpp"
#include "input/json.hpp"

namespace graze::cli {

namespace {

struct Findings {
  LoadedModel model;  // without its arrays
  MeshReport report;
  PairCount self;
  std::vector<TrianglePair> first_self;
  std::uint64_t touching = 0;  // pairs that only touch in edges, which are not among `self`
  double area = 0;
  std::optional<double> volume, signed_volume;                  // of a solid; the first if its surface does not meet itself
  std::optional<Vec3> centroid_of_volume, centroid_of_surface;  // of such a solid; of any area
  std::optional<Box> box;
  std::optional<Sphere> sphere;
};

template <class List>
List shortened(const List& list, std::size_t limit) {
  return List(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(limit, list.size())));
}

void put_number(std::string& out, std::uint32_t v) { put(out, v); }
void put_edge(std::string& out, const EdgeAt& e) {
  JsonObject o(out);
  o.add("v0", e.v0).add("v1", e.v1).add("triangle", e.triangle);
  o.end();
}
void put_near(std::string& out, const NearJunction& n) {
  JsonObject o(out);
  std::string edge;
  put_edge(edge, n.edge);
  o.add("vertex", n.vertex).add_raw("edge", edge);
  o.add("gap", n.gap).add("place", n.place);
  o.end();
}
template <class Pair>
void put_two(std::string& out, const Pair& p) {
  const auto [a, b] = p;
  put(out, std::array{a, b});
}

/// A kind of defect: its count and its first occurrences.
template <class List, class F>
void add_list(JsonObject& o, const char* name, const List& list, std::size_t limit, F&& f) {
  std::string s;
  JsonObject e(s);
  e.add("count", list.size()).add_each("first", shortened(list, limit), f);
  e.end();
  o.add_raw(name, s);
}

std::string as_json(const InfoOptions& options, const Mesh& mesh, const Findings& f) {
  std::string out;
  JsonObject o(out);
  o.add("path", options.model)
      .add("format", f.model.format)
      .add("unit", f.model.unit)
      .add("up_axis", f.model.up_axis)
      .add("single_precision", f.model.single_precision);
  o.add("vertices", mesh.vertices().size()).add("triangles", mesh.size()).add("polygons", f.model.polygons);
  if (f.box)
    o.add("min", f.box->min).add("max", f.box->max);
  else
    o.add_raw("min", "null").add_raw("max", "null");
  if (f.box) {
    std::string corners;
    JsonObject c(corners);
    for (int i = 0; i < 8; ++i) c.add(std::string(1, static_cast<char>('A' + i)), f.box->corner(static_cast<Corner>(i)));
    c.end();
    o.add_raw("corners", corners);
  } else {
    o.add_raw("corners", "null");
  }
  if (f.sphere)
    o.add("center", f.sphere->center).add("radius", f.sphere->radius);
  else
    o.add_raw("center", "null").add_raw("radius", "null");
  o.add("area", f.area).add("volume", f.volume).add("signed_volume", f.signed_volume);
  o.add("centroid", f.centroid_of_volume).add("surface_centroid", f.centroid_of_surface);
  o.add("closed", f.report.closed).add("solid", f.report.solid).add("components", f.report.components).add("repeated_vertices", f.report.repeated_vertices);
  add_list(o, "concave_faces", f.model.concave, options.limit, put_number);
  add_list(o, "degenerate", f.report.degenerate, options.limit, put_number);
  add_list(o, "seams", f.model.seams, options.limit, put_number);
  add_list(o, "duplicates", f.report.duplicates, options.limit, put_two<std::array<std::uint32_t, 2>>);
  add_list(o, "border_edges", f.report.border_edges, options.limit, put_edge);
  add_list(o, "non_manifold_edges", f.report.non_manifold_edges, options.limit, put_edge);
  add_list(o, "inconsistent_edges", f.report.inconsistent_edges, options.limit, put_edge);
  add_list(o, "unbalanced_edges", f.report.unbalanced_edges, options.limit, put_edge);
  add_list(o, "junction_edges", f.report.junction_edges, options.limit, put_edge);
  add_list(o, "near_junctions", f.report.near_junctions, options.limit, put_near);
  add_list(o, "unreferenced_vertices", f.report.unreferenced_vertices, options.limit, put_number);
  std::string self;
  JsonObject s(self);
  s.add("count", f.self.count);
  if (f.self.more) s.add("more", true);
  s.add_each("first", f.first_self, put_two<TrianglePair>);
  if (f.touching > 0) s.add("touching_in_edges", f.touching);
  s.end();
  o.add_raw("self_intersections", self);
  o.add_each("parts", mesh.parts(), [](std::string& s, const MeshPart& p) {
    JsonObject e(s);
    e.add("name", p.name).add("first", p.first).add("count", p.count);
    e.end();
  });
  o.add_each("notes", f.model.notes, [](std::string& s, const std::string& n) { put(s, n); });
  o.end();
  return out + "\n";
}

/// " (0, 5, 7, ...)": the first of `count`.
template <class List, class F>
std::string first_named(const List& list, std::uint64_t count, std::size_t limit, F&& name) {
  if (list.empty() || limit == 0) return "";
  std::string s = " (";
  for (std::size_t i = 0; i < std::min(limit, list.size()); ++i) s += (i ? ", " : "") + name(list[i]);
  return s + (count > limit ? ", ...)" : ")");
}
template <class List, class F>
std::string counted(const List& list, std::size_t limit, F&& name) {
  return std::to_string(list.size()) + first_named(list, list.size(), limit, name);
}

std::string as_text(const InfoOptions& options, const Mesh& mesh, const Findings& f) {
  const std::size_t n = options.limit;
  const auto number = [](std::uint32_t v) { return std::to_string(v); };
  const auto edge = [](const EdgeAt& e) { return fmt::format("vertices {} and {} in triangle {}", e.v0, e.v1, e.triangle); };
  std::string out;
  const auto line = [&](const char* name, const std::string& value) { out += fmt::format("{:24}{}\n", name, value); };
  line("model", options.model);
  line("format", f.model.format + (f.model.single_precision ? ", coordinates in single precision" : ""));
  if (!f.model.unit.empty()) line("unit", f.model.unit + " (as declared in the file; nothing is scaled)");
  if (!f.model.up_axis.empty())
    line("up axis", f.model.up_axis + " (as declared in the file; nothing is rotated)");
  else
    line("up axis", std::string(1, "xyz"[static_cast<int>(customary_up(f.model.format))]) + " in pictures, as a guess: the file names none");
  line("vertices", fmt::format("{} ({} repeat an earlier one's coordinates)", mesh.vertices().size(), f.report.repeated_vertices));
  line("triangles", std::to_string(mesh.size()) + (f.model.polygons ? fmt::format(" (from {} faces with more than three corners)", f.model.polygons) : ""));
  if (f.box) line("bounds", fmt::format("{} to {}", text(f.box->min + Vec3(0)), text(f.box->max + Vec3(0))));  // -0 is 0
  if (f.box) line("size", text(f.box->max - f.box->min));
  if (f.box) {
    constexpr const char* kCorners[] = {"min,min,min", "min,max,min", "max,max,min", "max,min,min", "min,min,max", "min,max,max", "max,max,max", "max,min,max"};
    for (int i = 0; i < 8; ++i)
      line(i == 0 ? "corners" : "", fmt::format("{} {}  {}", static_cast<char>('A' + i), kCorners[i], text(f.box->corner(static_cast<Corner>(i)))));
  }
  if (f.sphere) line("sphere", fmt::format("centre {}, radius {}", text(f.sphere->center), text(f.sphere->radius)));
  line("area", text(f.area));
  if (f.volume) line("volume", text(*f.volume));
  if (f.signed_volume && !f.volume)
    line("signed volume", text(*f.signed_volume) + " (the surface meets itself: space that it winds around twice counts twice)");
  if (f.signed_volume && *f.signed_volume < 0) line("", "the surface is wound inwards");
  if (f.centroid_of_volume) line("centroid", text(*f.centroid_of_volume));
  if (f.centroid_of_surface) line("centroid of the surface", text(*f.centroid_of_surface));
  line("closed", f.report.closed ? "yes" : "no");
  line("bounds a solid", f.report.solid ? "yes" : "no");
  line("connected pieces", std::to_string(f.report.components));
  if (!f.model.concave.empty()) line("concave faces", counted(f.model.concave, n, number) + ", triangulated exactly");
  line("degenerate triangles", counted(f.report.degenerate, n, number));
  if (!f.model.seams.empty()) line("seams", counted(f.model.seams, n, number) + " (triangles without area where a face touches its own edge)");
  line("duplicate triangles", counted(f.report.duplicates, n, [](const auto& d) { return fmt::format("{} as {}", d[0], d[1]); }));
  line("border edges", counted(f.report.border_edges, n, edge));
  line("non-manifold edges", counted(f.report.non_manifold_edges, n, edge));
  line("inconsistent edges", counted(f.report.inconsistent_edges, n, edge));
  line("unbalanced edges", counted(f.report.unbalanced_edges, n, edge));
  if (!f.report.junction_edges.empty()) line("junction edges", counted(f.report.junction_edges, n, edge) + ", which fit exactly: nothing is open there");
  const auto near = [](const NearJunction& j) {
    return fmt::format("open by {:.1g}: corner {} at {} beside edge {}-{}", j.gap, j.vertex, text(j.place), j.edge.v0, j.edge.v1);
  };
  if (!f.report.near_junctions.empty()) line("junctions that miss", counted(f.report.near_junctions, n, near));
  line("unreferenced vertices", counted(f.report.unreferenced_vertices, n, number));
  line("self-intersections",
       (f.self.more ? "more than " : "") + std::to_string(f.self.count) + first_named(f.first_self, f.self.count, n, [](const TrianglePair& p) {
         return fmt::format("{} with {}", p.a, p.b);
       }) + (f.touching > 0 ? fmt::format("; {} only touch in edges", f.touching == 1 ? "1 pair" : std::to_string(f.touching) + " pairs") : ""));
  if (!mesh.parts().empty())
    line("parts", counted(mesh.parts(), n, [](const MeshPart& p) { return fmt::format("{}: {} triangles", p.name.empty() ? "(unnamed)" : p.name, p.count); }));
  for (const std::string& note : f.model.notes) line("note", note);
  return out;
}

}  // namespace

int run_info(const InfoOptions& options) {
  Findings f;
  ProgressBar bar("reading");
  f.model = load_model(options.model, {.progress = bar.stage(0, 0.4), .literal = options.literal});
  const Mesh mesh(std::move(f.model.data), Build::best, bar.stage(0.4, 0.6));
  f.model.data = {};
  f.report = check(mesh);
  std::erase_if(f.report.degenerate, [&](std::uint32_t t) { return std::binary_search(f.model.seams.begin(), f.model.seams.end(), t); });
  f.self = count_self_intersections(mesh, kMostPairs, bar.stage(0.6, 1));
  PairOptions few;
  few.limit = std::min<std::uint64_t>(options.limit, f.self.count);
  if (f.self.count == 0 || f.self.more) {
    f.first_self = self_intersections(mesh, few);
  } else {
    f.first_self = self_crossings(mesh);
    f.touching = f.self.count - f.first_self.size();
    f.self.count = f.first_self.size();
    f.first_self = shortened(f.first_self, options.limit);
  }
  f.area = area(mesh);
  f.centroid_of_surface = centroid(mesh);
  if (f.report.solid) {
    const Solid body = solid(mesh);
    f.signed_volume = signed_volume(body);
    if (f.self.count == 0) {
      f.volume = volume(body);
      f.centroid_of_volume = centroid(body);
    }
  }
  const Box box = bounding_box(mesh);
  if (box.min.x <= box.max.x) {  // else empty
    f.box = box;
    f.sphere = bounding_sphere(mesh);
  }
  print(options.json ? as_json(options, mesh, f) : as_text(options, mesh, f));
  return kDone;
}

}  // namespace graze::cli
