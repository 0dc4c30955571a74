// The queries of C++ by way of the C interface: arguments become graze_refs, results and errors become those of C++ again. For tests that hold both
// against each other, and for a `graze query` through C.
#pragma once
#include <graze/graze.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/graze.hpp>
#include <graze/guarantees.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace graze::through_c {

/// Throws the Error of a status.
inline void require(graze_status status) {
  if (status == GRAZE_OK) return;
  if (status == GRAZE_OUT_OF_MEMORY) throw std::bad_alloc();
  throw Error(static_cast<ErrorCode>(static_cast<int>(status) - 1), graze_last_error());
}

struct Release {
  void operator()(graze_shape* shape) const { graze_shape_release(shape); }
};
using Handle = std::unique_ptr<graze_shape, Release>;

inline const double* doubles(std::span<const Vec3> points) { return reinterpret_cast<const double*>(points.data()); }
inline const graze_pose* plain(const Pose* pose) { return reinterpret_cast<const graze_pose*>(pose); }

inline Handle handle_of(const Mesh& mesh) {
  std::vector<graze_mesh_part> parts;
  for (const MeshPart& part : mesh.parts()) parts.push_back({part.name.c_str(), part.first, part.count});
  graze_mesh_input input = GRAZE_MESH_INPUT_INIT;
  input.vertices = mesh.vertices().data();
  input.vertex_count = mesh.vertices().size();
  input.triangles = mesh.triangles().data();
  input.triangle_count = mesh.triangles().size();
  input.parts = parts.data();
  input.part_count = parts.size();
  input.user = mesh.user().empty() ? nullptr : mesh.user().data();
  graze_shape* shape = nullptr;
  require(graze_mesh_create(&input, &shape));
  return Handle(shape);
}

/// The same mesh is rebuilt once: its tree costs more than most queries. Keeps it, so that its address is not used again.
inline graze_shape* cached(const Mesh& mesh) {
  static std::map<const MeshImpl*, std::pair<Mesh, Handle>> cache;
  const auto found = cache.find(&mesh.impl());
  if (found != cache.end()) return found->second.second.get();
  if (cache.size() > 64) cache.clear();
  return cache.emplace(&mesh.impl(), std::pair(mesh, handle_of(mesh))).first->second.second.get();
}

/// A field of whole steps whose every grid line has a vertex; throws std::invalid_argument for others, which their mesh does not determine.
inline Handle handle_of(const HeightField& field) {
  const std::span<const Vec3> v = field.mesh().vertices();
  std::map<double, std::size_t> x, y;
  for (const Vec3& p : v) x[p.x] = 0, y[p.y] = 0;
  if (x.size() < 2 || y.size() < 2) throw std::invalid_argument("no grid");
  std::size_t columns = 0, rows = 0;
  for (auto& [key, place] : x) place = columns++;
  for (auto& [key, place] : y) place = rows++;
  std::vector<double> heights(columns * rows, NAN);
  for (const Vec3& p : v) heights[y[p.y] * columns + x[p.x]] = p.z;
  const double dx = std::round(std::next(x.begin())->first - x.begin()->first), dy = std::round(std::next(y.begin())->first - y.begin()->first);
  const double origin[3] = {x.begin()->first, y.begin()->first, 0};
  graze_shape* shape = nullptr;
  require(graze_height_field_create(origin, dx, dy, columns, heights.data(), heights.size(), &shape));
  Handle handle(shape);
  const double* vertices = nullptr;
  std::size_t count = 0;
  require(graze_mesh_vertices(shape, &vertices, &count));
  bool same = count == v.size();
  for (std::size_t i = 0; same && i < count; ++i) same = v[i] == Vec3(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
  if (!same) throw std::invalid_argument("the grid is not whole");
  return handle;
}

/// A shape of C++ as an argument: simple ones are read in place, others are rebuilt through the C interface.
class Argument {
 public:
  Argument(ShapeRef s) : Argument(s.kind(), s.shape(), s.pose()) {}
  Argument(Kind kind, const void* shape, const Pose* pose) {
    ref_ = {GRAZE_HANDLE, nullptr, plain(pose)};
    graze_shape* made = nullptr;
    switch (kind) {
      case Kind::mesh:
        made = graze_shape_retain(cached(*static_cast<const Mesh*>(shape)));  // the cache may drop it
        break;
      case Kind::solid:
        require(graze_solid_create(cached(static_cast<const Solid*>(shape)->mesh()), &made));
        break;
      case Kind::height_field:
        made = handle_of(*static_cast<const HeightField*>(shape)).release();
        break;
      case Kind::polygon: {
        const std::span<const Vec3> p = static_cast<const Polygon*>(shape)->points();
        require(graze_polygon_create(doubles(p), p.size(), 0, &made));
        break;
      }
      case Kind::hull: {
        const std::span<const Vec3> p = static_cast<const Hull*>(shape)->points();
        require(graze_hull_create(doubles(p), p.size(), 0, nullptr, nullptr, &made));
        break;
      }
      case Kind::frustum: {
        const std::span<const Vec3> p = static_cast<const Frustum*>(shape)->points();
        require(graze_frustum_create(doubles(p), p.size(), 0, &made));
        break;
      }
      case Kind::compound: {
        std::vector<std::unique_ptr<Argument>> children;
        std::vector<graze_ref> refs;
        for (const Compound::Child& child : static_cast<const Compound*>(shape)->children()) {
          const ShapeRef s(child.shape);
          children.push_back(std::make_unique<Argument>(s.kind(), s.shape(), &child.pose));
          refs.push_back(*children.back()->ref());
        }
        require(graze_compound_create(refs.data(), refs.size(), &made));
        break;
      }
      default:
        ref_.kind = static_cast<graze_kind>(kind);
        ref_.shape = shape;
        return;
    }
    handle_.reset(made);
    ref_.shape = made;
  }
  [[nodiscard]] const graze_ref* ref() const { return &ref_; }
  operator const graze_ref*() const { return &ref_; }
  /// Of shapes that are handles; null for simple ones.
  [[nodiscard]] const graze_shape* handle() const { return ref_.kind == GRAZE_HANDLE ? static_cast<const graze_shape*>(ref_.shape) : nullptr; }

 private:
  Handle handle_;
  graze_ref ref_;
};

// ---- results -----------------------------------------------------------------------------------------------------------------------------

inline Vec3 vector(const double (&v)[3]) { return Vec3(v[0], v[1], v[2]); }
inline std::optional<std::uint32_t> index(std::int64_t i) { return i < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(i)); }
inline Pose pose(const graze_pose& p) { return reinterpret_cast<const Pose&>(p); }

inline Closest result(const graze_closest_points& c) { return {c.distance, vector(c.on_a), vector(c.on_b), index(c.triangle_a), index(c.triangle_b)}; }
inline std::optional<Hit> result(const graze_hit& h) {
  if (!h.hit) return std::nullopt;
  Hit out;
  out.t = h.t;
  out.point = vector(h.point);
  if (h.has_normal) out.normal = vector(h.normal);
  out.triangle = index(h.triangle);
  out.part = index(h.part);
  out.child = index(h.child);
  if (h.has_barycentric) out.barycentric = vector(h.barycentric);
  out.front = h.front != 0;
  out.started_inside = h.started_inside != 0;
  out.user = h.user;
  return out;
}
inline std::optional<SweepHit> result(const graze_sweep_hit& h) {
  if (!h.hit) return std::nullopt;
  SweepHit out;
  out.t = h.t;
  out.point = vector(h.point);
  if (h.has_normal) out.normal = vector(h.normal);
  out.triangle_a = index(h.triangle_a);
  out.triangle_b = index(h.triangle_b);
  out.child_a = index(h.child_a);
  out.child_b = index(h.child_b);
  out.user_a = h.user_a;
  out.user_b = h.user_b;
  out.started_inside = h.started_inside != 0;
  out.departing = h.departing != 0;
  out.budget_ended = h.budget_ended != 0;
  out.safe = pose(h.safe);
  out.safe_point = vector(h.safe_point);
  out.moved = h.moved != 0;
  return out;
}

/// The elements of a list that is freed, each converted by `convert`.
template <class C, class F>
auto list(graze_status status, C*& memory, std::size_t& count, const F& convert) {
  require(status);
  std::vector<decltype(convert(*memory))> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(convert(memory[i]));
  graze_free(memory);
  return out;
}

// ---- queries -----------------------------------------------------------------------------------------------------------------------------

inline bool intersects(const Argument& a, const Argument& b) {
  int out = 0;
  require(graze_intersects(a, b, &out));
  return out != 0;
}
inline bool within(const Argument& a, const Argument& b, double distance) {
  int out = 0;
  require(graze_within(a, b, distance, &out));
  return out != 0;
}
inline bool contains(const Argument& solid, const Vec3& point) {
  int out = 0;
  require(graze_contains(solid, &point.x, &out));
  return out != 0;
}
inline Closest closest(const Argument& a, const Argument& b) {
  graze_closest_points out;
  require(graze_closest(a, b, &out));
  return result(out);
}
inline double signed_distance(const Vec3& point, const Argument& solid) {
  double out = 0;
  require(graze_signed_distance(&point.x, solid, &out));
  return out;
}
inline graze_ray_options plain(const RayOptions& options) {
  graze_ray_options out = GRAZE_RAY_OPTIONS_INIT;
  out.t_max = options.t_max;
  out.t_min = options.t_min;
  out.sides = static_cast<graze_sides>(options.sides);
  return out;
}
inline std::optional<Hit> raycast(const Argument& ray, const Argument& target, const RayOptions& options = {}) {
  const graze_ray_options o = plain(options);
  graze_hit out;
  require(graze_raycast(ray, target, &o, &out));
  return result(out);
}
inline bool raycast_any(const Argument& ray, const Argument& target, const RayOptions& options = {}) {
  const graze_ray_options o = plain(options);
  int out = 0;
  require(graze_raycast_any(ray, target, &o, &out));
  return out != 0;
}
inline std::vector<Hit> raycast_all(const Argument& ray, const Argument& target, const RayOptions& options = {}) {
  const graze_ray_options o = plain(options);
  graze_hit* out = nullptr;
  std::size_t count = 0;
  return list(graze_raycast_all(ray, target, &o, &out, &count), out, count, [](const graze_hit& hit) { return *result(hit); });
}
inline Classification classify(const Argument& shape, const Plane& plane) {
  graze_classification out;
  require(graze_classify_plane(shape, reinterpret_cast<const graze_plane*>(&plane), &out));
  return {static_cast<Side>(out.side), out.distance};
}
inline Visibility classify(const Argument& shape, const Frustum& frustum) {
  const Argument f{ShapeRef(frustum)};
  graze_visibility out;
  require(graze_classify_frustum(shape, f.handle(), &out));
  return static_cast<Visibility>(out);
}
inline Vec3 reflect(const Vec3& v, const Vec3& normal) {
  Vec3 out;
  require(graze_reflect(&v.x, &normal.x, &out.x));
  return out;
}
inline Box bounding_box(const Argument& shape) {
  graze_box out;
  require(graze_bounding_box(shape, &out));
  return {vector(out.min), vector(out.max)};
}
inline Sphere bounding_sphere(const Argument& shape) {
  graze_sphere out;
  require(graze_bounding_sphere(shape, &out));
  return {vector(out.center), out.radius};
}
inline double volume(const Argument& solid) {
  double out = 0;
  require(graze_volume(solid, &out));
  return out;
}
inline double signed_volume(const Argument& solid) {
  double out = 0;
  require(graze_signed_volume(solid, &out));
  return out;
}
inline double area(const Argument& shape) {
  double out = 0;
  require(graze_area(shape, &out));
  return out;
}
inline std::optional<Vec3> centroid(const Argument& shape) {
  Vec3 out;
  int has = 0;
  require(graze_centroid(shape, &out.x, &has));
  return has ? std::optional(out) : std::nullopt;
}
inline Relation relation(const Argument& a, const Argument& b) {
  graze_relation_kind out;
  require(graze_relation(a, b, nullptr, nullptr, &out));
  return static_cast<Relation>(out);
}
inline PenetrationResult penetration(const Argument& a, const Argument& b) {
  graze_penetration_result r;
  require(graze_penetration(a, b, &r));
  PenetrationResult out;
  out.reason = static_cast<NoPenetration>(r.reason);
  if (r.reason == GRAZE_PENETRATES) out.value = Penetration{r.depth, vector(r.normal), vector(r.vector)};
  return out;
}
inline std::vector<Contact> contacts(const Argument& a, const Argument& b) {
  graze_contact* out = nullptr;
  std::size_t count = 0;
  return list(graze_contacts(a, b, &out, &count), out, count, [](const graze_contact& c) {
    return Contact{vector(c.point), vector(c.normal), c.depth, index(c.triangle_a), index(c.triangle_b)};
  });
}
inline std::vector<Manifold> manifold(const Argument& a, const Argument& b, ManifoldPoints points = ManifoldPoints::four) {
  graze_contact_manifold* out = nullptr;
  std::size_t count = 0;
  return list(graze_manifold(a, b, points == ManifoldPoints::all, &out, &count), out, count, [](const graze_contact_manifold& m) {
    Manifold to{vector(m.normal), {}, index(m.triangle_a), index(m.triangle_b)};
    for (std::size_t i = 0; i < m.point_count; ++i) to.points.push_back({vector(m.points[i].point), m.points[i].depth});
    return to;
  });
}
inline graze_pair_options plain(const PairOptions& options) {
  graze_pair_options out = GRAZE_PAIR_OPTIONS_INIT;
  out.limit = options.limit;
  return out;
}
inline std::vector<TrianglePair> intersecting_triangles(const Argument& a, const Argument& b, const PairOptions& options = {}) {
  const graze_pair_options o = plain(options);
  graze_triangle_pair* out = nullptr;
  std::size_t count = 0;
  return list(graze_intersecting_triangles(a, b, &o, &out, &count), out, count, [](const graze_triangle_pair& p) { return TrianglePair{p.a, p.b}; });
}
inline std::vector<TrianglePair> self_intersections(const Argument& mesh, const PairOptions& options = {}) {
  const graze_pair_options o = plain(options);
  graze_triangle_pair* out = nullptr;
  std::size_t count = 0;
  return list(graze_self_intersections(mesh, &o, &out, &count), out, count, [](const graze_triangle_pair& p) { return TrianglePair{p.a, p.b}; });
}
inline std::vector<std::uint32_t> triangles_within(const Argument& shape, const Argument& mesh, double distance) {
  std::uint32_t* out = nullptr;
  std::size_t count = 0;
  return list(graze_triangles_within(shape, mesh, distance, &out, &count), out, count, [](std::uint32_t i) { return i; });
}
inline std::vector<Closest> closest_triangles(const Argument& shape, const Argument& mesh, std::size_t most, double distance) {
  graze_closest_points* out = nullptr;
  std::size_t count = 0;
  return list(graze_closest_triangles(shape, mesh, most, distance, &out, &count), out, count, [](const graze_closest_points& c) { return result(c); });
}
inline std::optional<SweepHit> sweep(const Argument& a, const Vec3& motion, const Argument& b, const SweepOptions& options = {}) {
  graze_sweep_options o = GRAZE_SWEEP_OPTIONS_INIT;
  o.skip_departing = options.skip_departing;
  o.place = options.place;
  o.sides = static_cast<graze_sides>(options.sides);
  graze_sweep_hit out;
  require(graze_sweep(a, &motion.x, b, &o, &out));
  return result(out);
}
inline BounceStep bounce(const Argument& body, const Vec3& velocity, double dt, const Argument& target, const Material& material,
                         const BounceOptions& options = {}) {
  const graze_material m{material.restitution, material.friction, material.speed_kept};
  graze_bounce_options o = GRAZE_BOUNCE_OPTIONS_INIT;
  o.max_bounces = options.max_bounces;
  o.sliding = options.sliding;
  graze_bounce_step step;
  graze_bounce_hit* hits = nullptr;
  std::size_t count = 0;
  BounceStep out;
  out.hits = list(graze_bounce(body, &velocity.x, dt, target, &m, &o, &step, &hits, &count), hits, count, [](const graze_bounce_hit& h) {
    return BounceHit{h.time, vector(h.point), vector(h.normal), vector(h.velocity_before), vector(h.velocity_after), index(h.triangle)};
  });
  out.pose = pose(step.pose);
  out.position = vector(step.position);
  out.velocity = vector(step.velocity);
  out.stopped = step.stopped != 0;
  return out;
}
template <class F>
std::optional<double> first_time(const F& f, std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1) {
  double t = 0;
  int hit = 0;
  require(f(doubles(t0), doubles(t1), &t, &hit));
  return hit ? std::optional(t) : std::nullopt;
}
inline std::optional<double> ccd_vertex_face(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1) { return first_time(graze_ccd_vertex_face, t0, t1); }
inline std::optional<double> ccd_edge_edge(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1) { return first_time(graze_ccd_edge_edge, t0, t1); }

}  // namespace graze::through_c
