// The operations of `graze query`.
#include "cli/query_ops.hpp"
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <graze/error.hpp>
#include <graze/guarantees.hpp>
#include <graze/heritage/plane_equation.hpp>
#include <graze/query.hpp>
#include <graze/response.hpp>
#include <initializer_list>
#include <limits>
#include <new>
#include <vector>
#include "cli/commands.hpp"
#include "input/json.hpp"
#include "input/shape_reader.hpp"

namespace graze::cli {

namespace {

struct Line {
  JsonValue json;
  ModelCache& models;
  JsonObject& answer;

  PlacedShape shape(const char* name) const { return read_shape(json.field(name), models); }
  void only(std::initializer_list<std::string_view> own) const {
    std::vector<std::string_view> names{"id", "op", "cat", "comment"};  // the last two are for people
    names.insert(names.end(), own.begin(), own.end());
    json.only_fields(names);
  }
  /// The maximum number of pairs to list; a million by default, so that answers stay bounded.
  std::size_t limit() const {
    const std::optional<JsonValue> v = json.optional_field("limit");
    if (!v) return 1'000'000;
    if (v->integer() > kMostPairs) fail(v->place(), "is " + std::string(v->raw().substr(0, 40)) + ", must be at most " + std::to_string(kMostPairs));
    return static_cast<std::size_t>(v->integer());
  }
  double distance() const {
    const JsonValue field = json.field("distance");
    const double d = field.number();
    if (!(d >= 0)) fail(field.place(), "is " + std::string(field.raw().substr(0, 40)) + ", must be >= 0");
    return d;
  }
};

/// Calls f with references to both shapes.
template <class F>
decltype(auto) both(const PlacedShape& a, const PlacedShape& b, F&& f) {
  return a.visit([&](ShapeRef ra) { return b.visit([&](ShapeRef rb) { return f(ra, rb); }); });
}

void op_intersect(const Line& line) {
  line.only({"a", "b"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  line.answer.add("hit", both(a, b, [](ShapeRef x, ShapeRef y) { return intersects(x, y); }));
}

void op_within(const Line& line) {
  line.only({"a", "b", "distance"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  const double distance = line.distance();
  line.answer.add("hit", both(a, b, [&](ShapeRef x, ShapeRef y) { return within(x, y, distance); }));
}

void op_closest(const Line& line) {
  line.only({"a", "b"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  const Closest c = both(a, b, [](ShapeRef x, ShapeRef y) { return closest(x, y); });
  line.answer.add("distance", c.distance);
  const bool exist = std::isfinite(c.distance);  // infinite: one of the sets is empty
  line.answer.add("a", exist ? std::optional<Vec3>(c.on_a) : std::nullopt).add("b", exist ? std::optional<Vec3>(c.on_b) : std::nullopt);
  line.answer.add_if("triangle_a", c.triangle_a).add_if("triangle_b", c.triangle_b);
}

/// 0 is that of all meshes without user numbers.
void add_user(JsonObject& o, const char* name, std::uint32_t user) { o.add_if(name, user != 0 ? std::optional(user) : std::nullopt); }

void put_hit(JsonObject& o, const Hit& hit) {
  o.add("t", hit.t)
      .add("point", hit.point)
      .add("normal", as_direction(hit.normal))
      .add_if("triangle", hit.triangle)
      .add_if("part", hit.child ? hit.child : hit.part);
  o.add_if("barycentric", as_direction(hit.barycentric)).add("front", hit.front).add("started_inside", hit.started_inside);
  add_user(o, "user", hit.user);
}

Sides read_sides(const Line& line) {
  const std::optional<JsonValue> field = line.json.optional_field("sides");
  if (!field) return Sides::both;
  const std::string sides = field->string();
  if (sides != "both" && sides != "front" && sides != "back") fail(field->place(), "is \"" + sides.substr(0, 80) + "\", must be both, front or back");
  return sides == "front" ? Sides::front : sides == "back" ? Sides::back : Sides::both;
}

void op_raycast(const Line& line) {
  line.only({"ray", "mode", "b", "sides"});
  const RayQuery ray = read_ray(line.json.field("ray"), line.models);
  std::string mode = "first";
  if (const std::optional<JsonValue> field = line.json.optional_field("mode")) {
    mode = field->string();
    if (mode != "first" && mode != "any" && mode != "all") fail("mode", "is \"" + mode.substr(0, 80) + "\", must be first, any or all");
  }
  const PlacedShape b = line.shape("b");
  RayOptions options;
  if (ray.t_max) options.t_max = *ray.t_max;
  if (ray.t_min) options.t_min = *ray.t_min;
  options.sides = read_sides(line);
  if (mode == "any") {
    line.answer.add("hit", both(ray.shape, b, [&](ShapeRef r, ShapeRef target) { return raycast_any(r, target, options); }));
  } else if (mode == "first") {
    const std::optional<Hit> hit = both(ray.shape, b, [&](ShapeRef r, ShapeRef target) { return raycast(r, target, options); });
    line.answer.add("hit", hit.has_value());
    if (hit)
      put_hit(line.answer, *hit);
    else
      line.answer.add_raw("t", "null");
  } else {
    const std::vector<Hit> hits = both(ray.shape, b, [&](ShapeRef r, ShapeRef target) { return raycast_all(r, target, options); });
    line.answer.add("hit", !hits.empty());
    line.answer.add_each("hits", hits, [](std::string& out, const Hit& hit) {
      JsonObject o(out);
      put_hit(o, hit);
      o.end();
    });
  }
}

void op_contains(const Line& line) {
  line.only({"a", "point"});
  const PlacedShape a = line.shape("a");
  const Vec3 point = read_vector(line.json.field("point"));
  line.answer.add("hit", a.visit([&](ShapeRef x) { return contains(x, point); }));
}

void op_signed_distance(const Line& line) {
  line.only({"a", "point"});
  const PlacedShape a = line.shape("a");
  const Vec3 point = read_vector(line.json.field("point"));
  line.answer.add("distance", a.visit([&](ShapeRef x) { return signed_distance(point, x); }));
}

void op_classify(const Line& line) {
  line.only({"a", "b"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  if (const Plane* plane = b.get<Plane>()) {
    const Plane placed = b.pose ? Plane{b.pose->apply(plane->point), b.pose->rotate(plane->normal)} : *plane;
    const Classification c = a.visit([&](ShapeRef x) { return classify(x, placed); });
    static constexpr const char* names[] = {"behind", "intersects", "front"};
    line.answer.add("side", names[static_cast<int>(c.side)]).add("distance", c.distance);
  } else if (const Frustum* frustum = b.get<Frustum>()) {
    std::vector<Vec3> corners(frustum->points().begin(), frustum->points().end());
    if (b.pose)
      for (Vec3& p : corners) p = b.pose->apply(p);
    const Frustum placed = b.pose ? Frustum(corners) : *frustum;
    const Visibility v = a.visit([&](ShapeRef x) { return classify(x, placed); });
    static constexpr const char* names[] = {"outside", "crossing", "inside"};
    line.answer.add("side", names[static_cast<int>(v)]);
  } else {
    fail("b", "is " + article_name(b.shape.kind()) + ", must be a plane or a frustum");
  }
}

void op_reflect(const Line& line) {
  line.only({"v", "normal"});
  const Vec3 v = read_vector(line.json.field("v")), normal = read_direction(line.json.field("normal"));
  line.answer.add("v", as_direction(reflect(v, normal)));
}

void op_plane(const Line& line) {
  line.only({"a"});
  const PlacedShape a = line.shape("a");
  std::optional<Plane> plane;
  if (const Plane* given = a.get<Plane>()) {
    plane = a.pose ? Plane{a.pose->apply(given->point), a.pose->rotate(given->normal)} : *given;
  } else if (const std::string type = line.json.field("a").field("type").string(); type == "triangle" || type == "polygon") {
    std::vector<Vec3> corners;  // the points as given: a concave polygon has a plane, too
    line.json.field("a").field("points").each([&](const JsonValue& p) { corners.push_back(a.pose ? a.pose->apply(read_vector(p)) : read_vector(p)); });
    plane = type == "triangle" ? plane_of(Triangle{{corners[0], corners[1], corners[2]}}) : plane_of(corners);
  } else {
    fail("a", "is " + article_name(a.shape.kind()) + ", must be a triangle, a polygon or a plane");
  }
  if (!plane) {
    line.answer.add_raw("plane", "null");  // no area
    return;
  }
  const PlaneEquation e = equation_of(*plane);
  line.answer.add_each("plane", std::array{e.a, e.b, e.c, e.d}, [](std::string& out, double x) { put(out, x); });
}

void op_bounds(const Line& line) {
  line.only({"a"});
  const PlacedShape a = line.shape("a");
  const Box box = a.visit([](ShapeRef x) { return bounding_box(x); });
  bool empty = false, bounded = true;
  for (int i = 0; i < 3; ++i) {
    empty = empty || box.min[i] > box.max[i];
    bounded = bounded && std::isfinite(box.min[i]) && std::isfinite(box.max[i]);
  }
  if (empty) fail("a", "is empty and has no bounds");
  line.answer.add("min", box.min).add("max", box.max);  // infinite ends are null
  std::optional<Sphere> sphere;
  try {
    if (bounded) sphere = a.visit([](ShapeRef x) { return bounding_sphere(x); });
  } catch (const Error&) {  // its radius is beyond the largest double
  }
  if (sphere)
    line.answer.add("center", sphere->center).add("radius", sphere->radius);
  else
    line.answer.add_raw("center", "null").add_raw("radius", "null");
}

void op_measures(const Line& line) {
  line.only({"a"});
  const PlacedShape a = line.shape("a");
  a.visit([&](ShapeRef x) {
    const bool has_volume = guarantee(Query::volume, x.kind(), x.kind()) != Guarantee::refused;
    line.answer.add("area", area(x)).add("volume", has_volume ? std::optional(volume(x)) : std::nullopt).add("centroid", centroid(x));
  });
}

void op_relation(const Line& line) {
  line.only({"a", "b"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  line.answer.add("relation", name_of(both(a, b, [](ShapeRef x, ShapeRef y) { return relation(x, y); })));
}

void op_penetration(const Line& line) {
  line.only({"a", "b"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  const PenetrationResult r = both(a, b, [](ShapeRef x, ShapeRef y) { return penetration(x, y); });
  if (r.value) {
    line.answer.add("depth", r.value->depth).add("normal", as_direction(r.value->normal)).add("vector", as_direction(r.value->vector));
  } else {
    static constexpr const char* names[] = {"none", "apart", "touching", "unbounded"};
    line.answer.add_raw("depth", "null").add("reason", names[static_cast<int>(r.reason)]);
  }
}

void op_contacts(const Line& line) {
  line.only({"a", "b"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  const std::vector<Contact> list = both(a, b, [](ShapeRef x, ShapeRef y) { return contacts(x, y); });
  line.answer.add_each("contacts", list, [](std::string& out, const Contact& c) {
    JsonObject o(out);
    o.add("point", c.point).add("normal", as_direction(c.normal)).add("depth", c.depth).add_if("triangle_a", c.triangle_a).add_if("triangle_b", c.triangle_b);
    o.end();
  });
}

void op_manifold(const Line& line) {
  line.only({"a", "b", "all"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  ManifoldPoints points = ManifoldPoints::four;
  if (const std::optional<JsonValue> all = line.json.optional_field("all"); all && all->boolean()) points = ManifoldPoints::all;
  const std::vector<Manifold> list = both(a, b, [&](ShapeRef x, ShapeRef y) { return manifold(x, y, points); });
  line.answer.add_each("manifolds", list, [](std::string& out, const Manifold& m) {
    JsonObject o(out);
    o.add("normal", as_direction(m.normal));
    o.add_each("points", m.points, [](std::string& to, const ManifoldPoint& p) {
      JsonObject point(to);
      point.add("point", p.point).add("depth", p.depth);
      point.end();
    });
    o.add_if("triangle_a", m.triangle_a).add_if("triangle_b", m.triangle_b);
    o.end();
  });
}

/// list(options) returns the pairs; "more" means that there are others.
template <class List>
void put_pairs(const Line& line, List&& list) {
  PairOptions options;
  const std::size_t limit = line.limit();
  options.limit = limit + 1;
  std::vector<TrianglePair> pairs = list(options);
  const bool more = pairs.size() > limit;
  if (more) pairs.pop_back();
  line.answer.add("count", pairs.size());
  if (more) line.answer.add("more", true);
  line.answer.add_each("pairs", pairs, [](std::string& out, const TrianglePair& p) { put(out, std::array{p.a, p.b}); });
}

void op_triangle_pairs(const Line& line) {
  line.only({"a", "b", "limit"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  put_pairs(line, [&](const PairOptions& options) { return both(a, b, [&](ShapeRef x, ShapeRef y) { return intersecting_triangles(x, y, options); }); });
}

void op_self_intersections(const Line& line) {
  line.only({"a", "limit"});
  const PlacedShape a = line.shape("a");
  put_pairs(line, [&](const PairOptions& options) { return a.visit([&](ShapeRef x) { return self_intersections(x, options); }); });
}

void op_triangles_within(const Line& line) {
  line.only({"a", "b", "distance"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  const double distance = line.json.optional_field("distance") ? line.distance() : 0;
  const std::vector<std::uint32_t> found = both(a, b, [&](ShapeRef x, ShapeRef y) { return triangles_within(x, y, distance); });
  line.answer.add("count", found.size()).add_each("triangles", found, [](std::string& out, std::uint32_t i) { put(out, i); });
}

void op_closest_triangles(const Line& line) {
  line.only({"a", "b", "count", "distance"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  const auto count = static_cast<std::size_t>(line.json.field("count").integer());
  const double distance = line.json.optional_field("distance") ? line.distance() : std::numeric_limits<double>::infinity();
  const std::vector<Closest> found = both(a, b, [&](ShapeRef x, ShapeRef y) { return closest_triangles(x, y, count, distance); });
  line.answer.add("count", found.size()).add_each("triangles", found, [](std::string& out, const Closest& c) {
    JsonObject o(out);
    o.add("distance", c.distance).add("a", c.on_a).add("b", c.on_b).add_if("triangle", c.triangle_b);
    o.end();
  });
}

void op_sweep(const Line& line) {
  line.only({"a", "motion", "b", "skip_departing", "sides"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  const Vec3 motion = read_vector(line.json.field("motion"));
  SweepOptions options;
  if (const std::optional<JsonValue> skip = line.json.optional_field("skip_departing")) options.skip_departing = skip->boolean();
  options.sides = read_sides(line);
  const std::optional<SweepHit> hit = both(a, b, [&](ShapeRef x, ShapeRef y) { return sweep(x, motion, y, options); });
  put_sweep(line.answer, hit, false);
}

/// A field from 0 to `most`; `otherwise` when absent.
double share(const Line& line, const char* name, double otherwise, double most) {
  const std::optional<JsonValue> field = line.json.optional_field(name);
  if (!field) return otherwise;
  const double x = field->number();
  if (!(x >= 0 && x <= most)) fail(field->place(), "is " + std::string(field->raw().substr(0, 40)) + (most == 1 ? ", must be from 0 to 1" : ", must be >= 0"));
  return x;
}

void op_bounce(const Line& line) {
  line.only({"a", "motion", "b", "max_bounces", "restitution", "friction", "speed_kept", "sliding"});
  const PlacedShape a = line.shape("a"), b = line.shape("b");
  const Vec3 motion = read_vector(line.json.field("motion"));
  const Material material{share(line, "restitution", 1, 1), share(line, "friction", 0, std::numeric_limits<double>::max()), share(line, "speed_kept", 1, 1)};
  BounceOptions options;
  if (const std::optional<JsonValue> field = line.json.optional_field("max_bounces")) {
    constexpr std::uint64_t kMost = 10000;  // every one is listed in the answer
    if (field->integer() > kMost) fail(field->place(), "is " + std::to_string(field->integer()) + ", must be <= " + std::to_string(kMost));
    options.max_bounces = static_cast<int>(field->integer());
  }
  if (const std::optional<JsonValue> field = line.json.optional_field("sliding")) options.sliding = field->boolean();
  const BounceStep step = both(a, b, [&](ShapeRef x, ShapeRef y) { return bounce(x, motion, 1, y, material, options); });
  const Sphere* sphere = a.get<Sphere>();
  line.answer.add("hit", !step.hits.empty() || step.stopped)
      .add("place", sphere ? step.pose.apply(sphere->center) : step.position)
      .add("velocity", step.velocity)
      .add("stopped", step.stopped);
  line.answer.add_each("hits", step.hits, [](std::string& out, const BounceHit& hit) {
    JsonObject o(out);
    o.add("t", hit.time).add("point", hit.point).add("normal", as_direction(hit.normal)).add("velocity", hit.velocity_after).add_if("triangle", hit.triangle);
    o.end();
  });
}

void op_ccd(const Line& line) {
  line.only({"kind", "t0", "t1"});
  const std::string kind = line.json.field("kind").string();
  if (kind != "vertex-face" && kind != "edge-edge") fail("kind", "is \"" + kind.substr(0, 80) + "\", must be vertex-face or edge-edge");
  const auto corners = [&](const char* name) {
    const JsonValue field = line.json.field(name);
    std::array<Vec3, 4> points;
    if (!field.is(JsonType::array)) fail(field.place(), std::string("is ") + article_name(field.type()) + ", must be an array of 4 points");
    if (field.size() != 4) fail(field.place(), "has " + std::to_string(field.size()) + " elements, must have 4");
    std::size_t i = 0;
    field.each([&](const JsonValue& p) { points[i++] = read_vector(p); });
    return points;
  };
  const std::array<Vec3, 4> t0 = corners("t0"), t1 = corners("t1");
  const std::optional<double> t = kind == "vertex-face" ? ccd_vertex_face(t0, t1) : ccd_edge_edge(t0, t1);
  line.answer.add("hit", t.has_value());
  if (t)
    line.answer.add("t", *t);
  else
    line.answer.add_raw("t", "null");
}

struct Op {
  const char* name;
  void (*run)(const Line&);
};
constexpr Op kOps[] = {{"intersect", op_intersect},
                       {"within", op_within},
                       {"closest", op_closest},
                       {"raycast", op_raycast},
                       {"contains", op_contains},
                       {"classify", op_classify},
                       {"reflect", op_reflect},
                       {"plane", op_plane},
                       {"bounds", op_bounds},
                       {"measures", op_measures},
                       {"relation", op_relation},
                       {"penetration", op_penetration},
                       {"contacts", op_contacts},
                       {"manifold", op_manifold},
                       {"triangle-pairs", op_triangle_pairs},
                       {"self-intersections", op_self_intersections},
                       {"triangles-within", op_triangles_within},
                       {"closest-triangles", op_closest_triangles},
                       {"signed-distance", op_signed_distance},
                       {"sweep", op_sweep},
                       {"bounce", op_bounce},
                       {"ccd", op_ccd}};

void answer_error(std::string_view id, const std::string& message, std::string& out) {
  JsonObject o(out);
  o.add_raw("id", id).add("error", message);
  o.end();
}

}  // namespace

void put_sweep(JsonObject& answer, const std::optional<SweepHit>& hit, bool turning) {
  answer.add("hit", hit.has_value());
  if (!hit) {
    answer.add_raw("t", "null");
    return;
  }
  answer.add("t", hit->t).add("point", hit->point).add("normal", as_direction(hit->normal));
  answer.add_if("triangle_a", hit->triangle_a).add_if("triangle", hit->triangle_b).add_if("part_a", hit->child_a).add_if("part", hit->child_b);
  add_user(answer, "user_a", hit->user_a);
  add_user(answer, "user", hit->user_b);
  answer.add("started_inside", hit->started_inside).add("departing", turning ? std::nullopt : std::optional<bool>(hit->departing));
  answer.add("safe", hit->safe_point).add("moved", hit->moved);
  if (turning) answer.add("budget_ended", hit->budget_ended);
}

std::string op_names() {
  std::string names;
  for (const Op& op : kOps) names += (names.empty() ? "" : ", ") + std::string(op.name);
  return names;
}

LineResult answer_line(std::string_view line, ModelCache& models, std::string& out, std::string& error) {
  const std::size_t before = out.size();
  JsonDocument document;
  LineResult result = LineResult::bad_input;
  try {
    document.parse(line);
    const JsonValue root = document.root();
    if (!root.is(JsonType::object)) fail("", std::string("the line is ") + article_name(root.type()) + ", must be an object");
    if (const std::optional<JsonValue> id = root.optional_field("id"); id && (id->is(JsonType::array) || id->is(JsonType::object)))
      fail("id", std::string("is ") + article_name(id->type()) + ", must be a number, a string or null");
    const std::string name = root.field("op").string();
    const Op* op = nullptr;
    for (const Op& o : kOps)
      if (name == o.name) op = &o;
    if (!op) fail("op", "is \"" + name.substr(0, 80) + "\", must be one of " + op_names());
    JsonObject answer(out);
    answer.add_raw("id", document.top_id());
    op->run({root, models, answer});
    answer.end();
    return LineResult::answered;
  } catch (const BadInput& e) {
    error = e.what();
  } catch (const Error& e) {  // errors of the library although each shape is valid
    error = e.what();
  } catch (const std::bad_alloc&) {
    error = "not enough memory for this line";
  } catch (const std::exception& e) {
    error = std::string("internal error: ") + e.what();
    result = LineResult::internal_error;
  }
  out.resize(before);
  answer_error(document.top_id(), error, out);
  return result;
}

void answer_too_long(std::string_view beginning, std::size_t limit, std::string& out, std::string& error) {
  JsonDocument document;
  try {
    document.parse(beginning);
  } catch (const BadInput&) {  // expected for a truncated line; the id may be in its beginning
  }
  error = "the line is longer than " + std::to_string(limit) + " bytes";
  answer_error(document.top_id(), error, out);
}

}  // namespace graze::cli
