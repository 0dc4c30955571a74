// graze sweep: reports whether a moving model or shape touches another on its path, the time and place of first contact, and how far it may move.
#include <fmt/format.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <graze/io.hpp>
#include <graze/query.hpp>
#include <graze/sweep.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "cli/commands.hpp"
#include "cli/part_name.hpp"
#include "cli/query_ops.hpp"
#include "input/json.hpp"
#include "input/model_notes.hpp"
#include "input/shape_reader.hpp"

namespace graze::cli {

namespace {

/// Runs f on an argument; its errors are reported as wrong usage.
template <class F>
auto read_argument(F&& f) {
  try {
    return f();
  } catch (const BadInput& e) {
    throw UsageError(e.what());
  }
}

/// A model's file, or a shape as JSON.
PlacedShape read_operand(const std::string& argument, const char* name, ModelCache& models) {
  if (JsonDocument document; parse_argument(argument, name, document)) return read_shape(document.root().at_place(name), models);
  return {models.mesh(argument), {}};
}

Pose pose_of(const PlacedShape& shape) { return shape.pose ? *shape.pose : Pose{}; }

/// The point of A that moves on a straight line: the centre of its bounds, else its origin.
Vec3 middle(const PlacedShape& a) {
  const Box box = a.visit([](ShapeRef s) { return bounding_box(s); });
  const Vec3 center = box.min * 0.5 + box.max * 0.5;
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(box.min[i]) || !std::isfinite(box.max[i])) return pose_of(a).translation;  // unbounded, or empty
  return center;
}

std::array<double, 9> rows_of(const Pose& pose) {
  const double(&r)[3][3] = pose.rotation;
  return {r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2]};
}

bool is_moved_only(const Pose& pose) { return rows_of(pose) == std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1}; }

RawJson pose_as_json(const Pose& pose) {
  return json_object([&](JsonObject& o) {
    if (!is_moved_only(pose)) o.add("matrix", rows_of(pose));
    o.add("translation", pose.translation);
  });
}

/// As `--pose-a` takes it, to the same bits; a shell needs quotes about JSON.
std::string as_argument(const Pose& pose) {
  if (!is_moved_only(pose)) return "'" + pose_as_json(pose).text + "'";
  const Vec3& v = pose.translation;
  return fmt::format("{},{},{}", text(v.x), text(v.y), text(v.z));
}

/// The mesh to which a triangle index refers, if the shape is one.
const Mesh* mesh_of(const AnyShape& shape, const std::optional<std::uint32_t>& child) {
  if (const Compound* c = shape.get<Compound>(); c && child) return mesh_of(c->children()[*child].shape, {});
  if (const Solid* s = shape.get<Solid>()) return &s->mesh();
  return shape.get<Mesh>();
}

std::string operand_text(const char* name, const std::string& argument, const PlacedShape& shape) {
  const Mesh* mesh = mesh_of(shape.shape, {});
  if (!mesh) return fmt::format("{}: {}\n", name, shape.name());
  JsonDocument document;
  return fmt::format("{}: {} ({} triangles)\n", name, parse_argument(argument, name, document) ? shape.name() : argument, mesh->size());
}

std::string as_text(const SweepCommandOptions& options, const PlacedShape& a, const PlacedShape& b, const std::optional<SweepHit>& hit) {
  const bool turning = options.to.has_value();
  std::string out = operand_text("A", options.a, a) + operand_text("B", options.b, b);
  if (!hit) return out + "verdict: no contact on the way\n";
  if (hit->started_inside)
    out += fmt::format("verdict: contact at the start{}\n", hit->departing ? ", which the motion leaves at once"
                                                            : turning      ? ""
                                                                           : ", which the motion enters or stays in");
  else
    out += "verdict: contact on the way\n";
  out += fmt::format("t: {}\n", text(hit->t));
  if (turning && !hit->started_inside)
    out += hit->budget_ended ? "  never late; the work limit came before the tolerance\n"
                             : fmt::format("  never late; A and B are at most {} apart there\n", options.tolerance);
  out += fmt::format("point: {}\n", text(hit->point));
  if (hit->normal) out += fmt::format("normal, from B to A: {}\n", text(as_direction(*hit->normal)));
  const auto place = [&](const char* name, const PlacedShape& shape, const std::optional<std::uint32_t>& triangle, const std::optional<std::uint32_t>& child) {
    const Mesh* mesh = mesh_of(shape.shape, child);
    if (child) out += fmt::format("child of {}: {}\n", name, *child);
    if (triangle) out += fmt::format("triangle of {}: {}\n", name, mesh ? triangle_text(*mesh, *triangle) : std::to_string(*triangle));
  };
  place("A", a, hit->triangle_a, hit->child_a);
  place("B", b, hit->triangle_b, hit->child_b);
  if (hit->moved)
    out += fmt::format("safe placement of A: --pose-a={}\n", as_argument(hit->safe));
  else
    out += hit->departing ? "next contact: with --skip-departing\n" : "safe placement of A: none on the way\n";
  return out;
}

std::string as_json(bool turning, const std::optional<SweepHit>& hit, const std::vector<ModelNote>& notes) {
  std::string out;
  JsonObject o(out);
  put_sweep(o, hit, turning);
  if (hit) o.add("safe_pose", pose_as_json(hit->safe));
  add_notes(o, notes);
  o.end();
  return out + "\n";
}

}  // namespace

int run_sweep(const SweepCommandOptions& options) {
  const auto pose = [](const std::optional<std::string>& text, const char* name) -> std::optional<Pose> {
    if (!text) return {};
    return read_argument([&] { return read_pose_argument(*text, name); });
  };
  const std::optional<Pose> pose_a = pose(options.pose_a, "--pose-a"), pose_b = pose(options.pose_b, "--pose-b"), to = pose(options.to, "--to");
  const std::optional<double> tolerance = parse_number(options.tolerance);
  if (!tolerance || !(*tolerance > 0)) throw UsageError("--tolerance: is \"" + options.tolerance.substr(0, 40) + "\", must be a finite number > 0");
  const Vec3 motion = to ? Vec3(0, 0, 0) : read_argument([&] { return read_vector_argument(*options.by, "--by"); });

  ModelNotes files(options.literal);
  const auto read = [&] {
    ModelCache models([&](const std::string& path) { return files.mesh(path); });
    return std::pair(read_operand(options.a, "A", models), read_operand(options.b, "B", models));
  };
  std::pair<PlacedShape, PlacedShape> shapes = read();
  if (files.choose_frame()) shapes = read();
  PlacedShape &a = shapes.first, &b = shapes.second;
  if (pose_a) put_at(a, *pose_a, "--pose-a");
  if (pose_b) put_at(b, *pose_b, "--pose-b");

  std::optional<SweepHit> hit;
  if (to) {
    PlacedShape end = a;
    put_at(end, *to, "--to");
    const Screw screw = Screw::between(pose_of(a), *to, middle(a));
    hit = a.visit([&](ShapeRef x) { return b.visit([&](ShapeRef y) { return sweep(x, screw, y, RigidSweepOptions{.tolerance = *tolerance}); }); });
  } else {
    hit = a.visit([&](ShapeRef x) { return b.visit([&](ShapeRef y) { return sweep(x, motion, y, SweepOptions{.skip_departing = options.skip_departing}); }); });
  }
  print_notes(files.list());
  print(options.json ? as_json(to.has_value(), hit, files.list()) : as_text(options, a, b, hit));
  return hit ? kFound : kDone;
}

}  // namespace graze::cli
