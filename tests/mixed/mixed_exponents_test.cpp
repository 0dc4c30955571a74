// Every query over meshes, scenes and batches, with numbers whose exponents are mixed within one query, against the same query on single triangles, members or
// pairs. GRAZE_MIXED_COUNT: number of queries (default: a few thousand); GRAZE_MIXED_SEED: first seed; GRAZE_MIXED_SECONDS: time limit. A failure is printed as
// a query line.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "mixed/mixed_numbers.hpp"
#include "platform/cpu.hpp"

namespace graze::test {
namespace {

template <class T>
std::string list(const T& values) {
  std::string all = "[";
  for (const auto& v : values) all += (all.size() > 1 ? "," : "") + std::to_string(v);
  return all + "]";
}

class Search {
 public:
  Search(std::uint64_t seed, const char* level) : s_(seed), seed_(seed), level_(level) {}

  void round() {
    s_.begin();
    switch (s_.below(16)) {
      case 0:
        scene();
        break;
      case 1:
        broad_phase();
        break;
      case 2:
        batches();
        break;
      case 3:
      case 4:
        solid();
        break;
      case 5:
      case 6:
        meshes();
        break;
      case 7:
      case 8:
      case 9:
        rays();
        break;
      case 10:
      case 11:
        sweeps();
        break;
      default:
        shapes();
    }
  }
  std::uint64_t questions() const { return questions_; }
  std::uint64_t wrong() const { return wrong_; }

 private:
  template <class Text>
  void expect(bool good, const Text& text) {
    ++questions_;
    if (good) return;
    if (++wrong_ <= 10) ADD_FAILURE() << "GRAZE_CPU=" << level_ << " seed " << seed_ << ": " << text();
  }
  /// {"op":"..","a":..,"b":..,"distance":..}
  static std::string line(const std::string& op, const Instance& a, const Instance& b, const std::string& more = "") {
    return "{\"op\":\"" + op + "\",\"a\":" + a.text() + ",\"b\":" + b.text() + more + "}";
  }
  static std::string with(const char* name, double x) { return ",\"" + std::string(name) + "\":" + text(x); }
  static std::string with(const char* name, const Vec3& x) { return ",\"" + std::string(name) + "\":" + text(x); }

  /// A surface and its triangles, at the same pose.
  struct Surface {
    Instance mesh;
    std::vector<Triangle> triangles;
    std::vector<Placed> placed;
    explicit Surface(Instance m) : mesh(std::move(m)) {
      const Mesh& data = *mesh.shape.get<Mesh>();
      for (const TriangleIndices& t : data.triangles()) triangles.push_back({{data.vertices()[t[0]], data.vertices()[t[1]], data.vertices()[t[2]]}});
      if (mesh.pose)
        for (const Triangle& t : triangles) placed.push_back(at(t, *mesh.pose));
    }
    std::size_t size() const { return triangles.size(); }
    ShapeRef operator[](std::size_t i) const { return mesh.pose ? ShapeRef(placed[i]) : ShapeRef(triangles[i]); }
  };
  Surface surface(int most) { return Surface(s_.placed(AnyShape(s_.mesh(most)))); }

  /// Indices of what lies within a distance of a shape. Within the error bound of docs/accuracy.md, a single query with a curved shape may answer yes although
  /// boxes prove a no; such indices are only `possible`.
  struct Numbers {
    std::vector<std::uint32_t> sure, possible;
    bool matches(bool any) const { return any ? !possible.empty() : sure.empty(); }
    bool matches(const std::vector<std::uint32_t>& found) const {
      return std::includes(possible.begin(), possible.end(), found.begin(), found.end()) && std::includes(found.begin(), found.end(), sure.begin(), sure.end());
    }
  };
  template <class All>
  static Numbers those(const Instance& shape, const All& all, std::size_t n, double d) {
    Numbers found;
    const auto a = *shape;
    const Box box = curved(shape.shape) ? bounding_box(a) : Box{};
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto b = all(i);
      if (!within(a, b, d)) continue;
      found.possible.push_back(i);
      if (!curved(shape.shape) || within(box, b, d)) found.sure.push_back(i);
    }
    return found;
  }
  static Numbers those(const Instance& shape, const Surface& m, double d = 0) {
    return those(
        shape, [&](std::uint32_t i) { return m[i]; }, m.size(), d);
  }

  void shapes() {
    const Surface m = surface(300);
    const auto mesh = *m.mesh;
    for (int k = 0; k < 6; ++k) {
      const Instance shape = s_.placed(s_.shape());
      const auto a = *shape;
      const Numbers touching = those(shape, m);
      const bool hit = s_.below(2) ? intersects(a, mesh) : intersects(mesh, a);
      expect(touching.matches(hit), [&] { return line("intersect", shape, m.mesh) + " touching: " + list(touching.possible); });
      if (s_.below(2)) {
        const auto found = triangles_within(a, mesh);
        expect(touching.matches(found),
               [&] { return line("triangles-within", shape, m.mesh) + " is " + list(found) + " but touching: " + list(touching.possible); });
      }
      const double d = s_.distance(m.triangles);
      const Numbers near = those(shape, m, d);
      expect(near.matches(within(a, mesh, d)), [&] { return line("within", shape, m.mesh, with("distance", d)) + " near: " + list(near.possible); });
      if (s_.below(2)) {
        const auto found = triangles_within(a, mesh, d);
        expect(near.matches(found),
               [&] { return line("triangles-within", shape, m.mesh, with("distance", d)) + " is " + list(found) + " but near: " + list(near.possible); });
      }
      if (s_.below(4) == 0 && !curved(shape.shape)) nearest(shape, m);
      if (s_.below(12) == 0 && m.size() <= 8) depth(shape, m, touching);
    }
    points(m);
  }

  /// Distances are rounded within 1e-15 or one denormal, so two computations of one distance may differ by twice that.
  static bool same_distance(double x, double y) { return x == y || std::fabs(x - y) <= 2e-15 * std::max(x, y) + 0x1p-1073; }

  void nearest(const Instance& shape, const Surface& m) {
    const auto a = *shape;
    const auto mesh = *m.mesh;
    double least = INFINITY;
    for (std::size_t i = 0; i < m.size(); ++i) least = std::min(least, closest(a, m[i]).distance);
    const Closest c = closest(a, mesh);
    expect(same_distance(c.distance, least),
           [&] { return line("closest", shape, m.mesh) + " is " + text(c.distance) + ", the nearest triangle " + text(least); });
    expect(c.triangle_b && same_distance(closest(a, m[*c.triangle_b]).distance, least),
           [&] { return line("closest", shape, m.mesh) + " names a triangle that is not nearest"; });
  }

  void depth(const Instance& shape, const Surface& m, const Numbers& touching) {
    const auto a = *shape;
    const auto mesh = *m.mesh;
    if (shape.shape.get<Compound>() || of_triangles(shape.shape.kind())) return;  // one contact per part
    std::vector<std::uint32_t> found;
    for (const Contact& c : contacts(a, mesh)) found.push_back(c.triangle_b.value_or(~0u));
    found.erase(std::unique(found.begin(), found.end()), found.end());
    expect(touching.matches(found), [&] { return line("contacts", shape, m.mesh) + " at " + list(found) + " but touching: " + list(touching.possible); });
    const bool apart = penetration(a, mesh).reason == NoPenetration::apart;
    expect(touching.matches(!apart),
           [&] { return line("penetration", shape, m.mesh) + (apart ? " apart" : " not apart") + " but touching: " + list(touching.possible); });
  }

  void points(const Surface& m) {
    const auto mesh = *m.mesh;
    std::vector<Vec3> p;
    for (int i = 0; i < 8; ++i) p.push_back(s_.vector());
    const auto found = closest(std::span<const Vec3>(p), mesh);
    for (std::size_t k = 0; k < p.size(); ++k) {
      double least = INFINITY;
      for (std::size_t i = 0; i < m.size(); ++i) least = std::min(least, closest(Point{p[k]}, m[i]).distance);
      expect(same_distance(found[k].distance, least), [&] {
        return line("closest", {Point{p[k]}, {}}, m.mesh) + " in a batch is " + text(found[k].distance) + ", the nearest triangle " + text(least);
      });
    }
  }

  void meshes() {
    const Surface a = surface(24), b = surface(12);
    const auto ma = *a.mesh, mb = *b.mesh;
    std::vector<TrianglePair> touching, near;
    double least = INFINITY;
    const double d = s_.distance(b.triangles);
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      for (std::uint32_t j = 0; j < b.size(); ++j) {
        if (intersects(a[i], b[j])) touching.push_back({i, j});
        if (within(a[i], b[j], d)) near.push_back({i, j});
        least = std::min(least, closest(a[i], b[j]).distance);
      }
    }
    expect(intersects(ma, mb) == !touching.empty(), [&] { return line("intersect", a.mesh, b.mesh) + " touching: " + std::to_string(touching.size()); });
    expect(intersects(mb, ma) == !touching.empty(), [&] { return line("intersect", b.mesh, a.mesh) + " touching: " + std::to_string(touching.size()); });
    expect(within(ma, mb, d) == !near.empty(), [&] { return line("within", a.mesh, b.mesh, with("distance", d)) + " near: " + std::to_string(near.size()); });
    const auto found = intersecting_triangles(ma, mb);
    expect(found == touching, [&] {
      return line("triangle-pairs", a.mesh, b.mesh) + " finds " + std::to_string(found.size()) + ", touching: " + std::to_string(touching.size());
    });
    const Closest c = closest(ma, mb);
    expect(same_distance(c.distance, least), [&] { return line("closest", a.mesh, b.mesh) + " is " + text(c.distance) + ", the nearest pair " + text(least); });
  }

  static std::string ray_line(const Instance& ray, const Instance& b, double t_max, const char* mode) {
    return "{\"op\":\"raycast\",\"mode\":\"" + std::string(mode) + "\",\"ray\":" + ray.text() + ",\"b\":" + b.text() +
           (t_max < INFINITY ? with("t_max", t_max) : "") + "}";
  }

  void rays() {
    const Surface m = surface(100);
    const auto mesh = *m.mesh;
    std::vector<Ray> batch;
    for (int k = 0; k < 5; ++k) {
      const Instance ray = s_.placed(s_.line_like(m.triangles));
      const auto r = *ray;
      RayOptions options;
      if (s_.below(4) == 0) options.t_max = s_.size();
      if (!ray.pose && ray.shape.get<Ray>() && options.t_max == INFINITY) batch.push_back(*ray.shape.get<Ray>());
      std::vector<std::pair<double, std::uint32_t>> hits;
      double least = INFINITY;
      for (std::uint32_t i = 0; i < m.size(); ++i) {
        if (const auto hit = raycast(r, m[i], options)) {
          hits.push_back({hit->t, i});
          least = std::min(least, hit->t);
        }
      }
      const auto own = [&](std::optional<std::uint32_t> triangle) {
        return triangle && std::find(hits.begin(), hits.end(), std::pair{least, *triangle}) != hits.end();
      };
      const auto first = raycast(r, mesh, options);
      expect(first.has_value() == !hits.empty() && (!first || (same(first->t, least) && own(first->triangle))), [&] {
        return ray_line(ray, m.mesh, options.t_max, "first") + (first ? " t " + text(first->t) : std::string(" misses")) +
               ", triangles hit: " + std::to_string(hits.size()) + ", the first at " + text(least);
      });
      expect(raycast_any(r, mesh, options) == !hits.empty(),
             [&] { return ray_line(ray, m.mesh, options.t_max, "any") + " triangles hit: " + std::to_string(hits.size()); });
      std::vector<std::pair<double, std::uint32_t>> all;
      for (const Hit& h : raycast_all(r, mesh, options)) all.push_back({h.t, h.triangle.value_or(~0u)});
      const bool in_order = std::is_sorted(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
      std::sort(all.begin(), all.end());
      std::sort(hits.begin(), hits.end());
      expect(in_order && all == hits, [&] {
        return ray_line(ray, m.mesh, options.t_max, "all") + " finds " + std::to_string(all.size()) + ", triangles hit: " + std::to_string(hits.size());
      });
    }
    const auto found = raycast(RaySpan{batch}, mesh);
    const auto any = raycast_any(RaySpan{batch}, mesh);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const auto alone = raycast(batch[k], mesh);
      expect(alone.has_value() == found[k].has_value() && alone.has_value() == (any[k] != 0) &&
                 (!alone || (same(alone->t, found[k]->t) && alone->triangle == found[k]->triangle)),
             [&] {
               return ray_line({batch[k], {}}, m.mesh, INFINITY, "first") + " in a batch";
             });
    }
  }

  void sweeps() {
    const Surface m = surface(16);
    const auto mesh = *m.mesh;
    for (int k = 0; k < 3; ++k) {
      const Instance shape = s_.placed(s_.mover());
      const auto a = *shape;
      const Vec3 motion = s_.below(3) ? s_.vector() : s_.along(s_.below(3));
      const bool mesh_moves = s_.below(3) == 0;
      double least = INFINITY;
      bool inside = false;
      std::vector<double> times;
      for (std::uint32_t i = 0; i < m.size(); ++i) {
        const auto hit = mesh_moves ? sweep(m[i], motion, a) : sweep(a, motion, m[i]);
        times.push_back(hit ? hit->t : INFINITY);
        if (!hit) continue;
        least = std::min(least, hit->t);
        inside = inside || hit->started_inside;
      }
      const auto first = mesh_moves ? sweep(mesh, motion, a) : sweep(a, motion, mesh);
      const auto triangle = !first ? std::nullopt : mesh_moves ? first->triangle_a : first->triangle_b;
      expect(first.has_value() == (least < INFINITY) &&
                 (!first || (same(first->t, least) && first->started_inside == inside && triangle && times[*triangle] == least)),
             [&] {
               return (mesh_moves ? line("sweep", m.mesh, shape, with("motion", motion)) : line("sweep", shape, m.mesh, with("motion", motion))) +
                      (first ? " t " + text(first->t) : std::string(" misses")) + ", the first triangle at " + text(least);
             });
    }
  }

  void solid() {
    Vec3 lo = s_.vector(), hi = s_.vector();
    for (int i = 0; i < 3; ++i)
      if (lo[i] > hi[i]) std::swap(lo[i], hi[i]);
    const bool tetrahedron = s_.below(2) != 0;
    const std::vector<Vec3> corners = s_.points(4);
    const MeshData data = tetrahedron ? MeshData{corners, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, {}} : closed_box(lo, hi);
    const std::optional<Pose> pose = s_.pose();
    // Rounding by a pose may turn a box inside out or bend its faces, so that it is no longer the same set. Tetrahedra keep theirs.
    const Instance body{AnyShape(Solid(Mesh(data))), tetrahedron ? pose : std::nullopt},
        same_set{tetrahedron ? AnyShape(Hull(corners)) : AnyShape(Box{lo, hi}), body.pose};
    if (!s_.valid(body) || !s_.valid(same_set)) return;
    const auto b = *body, c = *same_set;
    for (int k = 0; k < 4; ++k) {
      const Vec3 p = s_.vector();
      const bool in = contains(c, p);
      expect(contains(b, p) == in, [&] { return line("intersect", {Point{p}, {}}, body) + " contains " + (in ? "true" : "false"); });
      const Instance shape = s_.placed(s_.shape());
      if (curved(shape.shape) || of_triangles(shape.shape.kind())) continue;
      const auto a = *shape;
      const bool hit = intersects(a, c);
      expect(intersects(a, b) == hit, [&] { return line("intersect", shape, body) + " is not " + (hit ? "true" : "false"); });
      const double d = s_.distance({});
      const bool near = within(a, c, d);
      expect(within(a, b, d) == near, [&] { return line("within", shape, body, with("distance", d)) + " is not " + (near ? "true" : "false"); });
    }
  }

  void scene() {
    Scene scene;
    std::vector<Instance> members;
    const int n = 1 + s_.below(6);
    for (int i = 0; i < n; ++i) members.push_back(s_.placed(s_.below(3) ? s_.shape() : AnyShape(s_.mesh(6))));
    for (const Instance& m : members) scene.add(m.shape, m.pose.value_or(Pose{}));
    // A scene places every member, so the single queries use poses, too.
    for (Instance& m : members) m.pose = m.pose.value_or(Pose{});
    std::vector<Placed> placed;
    for (const Instance& m : members) placed.push_back(at(m.shape, *m.pose));
    const bool any_curved = std::any_of(members.begin(), members.end(), [](const Instance& m) { return curved(m.shape); });
    for (int k = 0; k < 4; ++k) {
      const Instance shape = s_.placed(s_.shape());
      const auto a = *shape;
      Numbers touching = those(
          shape, [&](std::uint32_t i) { return ShapeRef(placed[i]); }, members.size(), 0);
      if (any_curved || curved(shape.shape)) touching.sure.clear();  // the scene may discard with boxes that differ from the shapes' own
      const auto found = scene.overlapping(a);
      expect(touching.matches(found),
             [&] { return "scene.overlapping " + shape.text() + describe(members) + " is " + list(found) + " but touching: " + list(touching.possible); });
      expect(touching.matches(scene.intersects(a)), [&] { return "scene.intersects " + shape.text() + describe(members); });
      if (k == 0 && !any_curved && !curved(shape.shape)) {  // curved: as above
        double least = INFINITY;
        for (const Instance& m : members) least = std::min(least, closest(a, *m).distance);
        const auto c = scene.closest(a);
        expect((c.has_value() || least == INFINITY) && (!c || same_distance(c->closest.distance, least)),
               [&] { return "scene.closest " + shape.text() + describe(members) + " the nearest " + text(least); });
      }
      if (any_curved) continue;
      const Instance ray = s_.placed(s_.line_like({}));
      const auto r = *ray;
      double first = INFINITY;
      for (const Instance& m : members)
        if (const auto hit = raycast(r, *m)) first = std::min(first, hit->t);
      const auto hit = scene.raycast(r);
      expect(hit.has_value() == (first < INFINITY) && (!hit || same(hit->hit.t, first)), [&] {
        return "scene.raycast " + ray.text() + describe(members) + (hit ? " t " + text(hit->hit.t) : " misses") + ", the first at " + text(first);
      });
    }
    const double d = s_.below(2) ? 0 : s_.distance({});
    std::vector<TrianglePair> pairs, found;
    for (std::uint32_t i = 0; i < members.size(); ++i)
      for (std::uint32_t j = i + 1; j < members.size(); ++j)
        if (within(placed[i], placed[j], d)) pairs.push_back({i, j});
    for (const ScenePair& p : scene.pairs({d, false})) found.push_back({p.a, p.b});
    expect(any_curved ? std::includes(pairs.begin(), pairs.end(), found.begin(), found.end()) : found == pairs, [&] {
      return "scene.pairs" + with("within", d) + describe(members) + " finds " + std::to_string(found.size()) + " but " + std::to_string(pairs.size()) + " are";
    });
  }
  static std::string describe(const std::vector<Instance>& members) {
    std::string all = " members ";
    for (const Instance& m : members) all += m.text() + "\n";
    return all;
  }

  std::vector<Box> boxes(int most) {
    std::vector<Box> b;
    for (int n = 1 + s_.below(most); n > 0; --n) {
      Box x{s_.vector(), s_.vector()};
      repair(x);
      b.push_back(x);
    }
    return b;
  }
  void broad_phase() {
    const std::vector<Box> a = boxes(40), b = boxes(40);
    BroadPhase first, second;
    first.assign(a);
    second.assign(b);
    using Pairs = std::vector<BroadPhase::IdPair>;
    Pairs own, both;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      for (std::uint32_t j = i + 1; j < a.size(); ++j)
        if (intersects(a[i], a[j])) own.push_back({i, j});
      for (std::uint32_t j = 0; j < b.size(); ++j)
        if (intersects(a[i], b[j])) both.push_back({i, j});
    }
    const auto text_of = [&](const std::vector<Box>& x) {
      std::string all = "\n";
      for (const Box& y : x) all += "{\"type\":\"box\"," + body(y) + "}\n";
      return all;
    };
    const Pairs found = first.pairs(), found_both = first.pairs(second);
    expect(found == own, [&] { return "BroadPhase::pairs finds " + std::to_string(found.size()) + " of " + std::to_string(own.size()) + text_of(a); });
    expect(found_both == both, [&] {
      return "BroadPhase::pairs(other) finds " + std::to_string(found_both.size()) + " of " + std::to_string(both.size()) + text_of(a) + "and" + text_of(b);
    });
    for (int k = 0; k < 3; ++k) {
      const Instance shape = s_.placed(s_.shape());
      const Numbers touching = those(
          shape, [&](std::uint32_t i) { return ShapeRef(a[i]); }, a.size(), 0);
      const auto overlapping = first.overlapping(*shape);
      expect(touching.matches(overlapping),
             [&] { return "BroadPhase::overlapping " + shape.text() + " is " + list(overlapping) + " but touching: " + list(touching.possible) + text_of(a); });
      const AnyShape line = s_.line_like({});
      if (const Ray* ray = line.get<Ray>()) {
        const double t_max = s_.below(3) ? INFINITY : s_.size();
        std::vector<std::uint32_t> met, hit;
        first.along(*ray, t_max, [&](std::uint32_t id, double t) {
          met.push_back(id);
          return t;
        });
        std::sort(met.begin(), met.end());
        for (std::uint32_t i = 0; i < a.size(); ++i)
          if (raycast_any(*ray, a[i], {t_max})) hit.push_back(i);
        expect(met == hit,
               [&] { return "BroadPhase::along {" + body(*ray) + "}" + with("t_max", t_max) + " meets " + list(met) + " but hit: " + list(hit) + text_of(a); });
      }
    }
  }

  /// Batches of shapes against single queries and, for linear shapes and one ball, against the generic decision on their corners.
  template <class A, class B>
  void batch() {
    std::vector<A> a;
    std::vector<B> b;
    for (int i = 0; i < 24; ++i) {
      a.push_back(s_.instance_of<A>());
      b.push_back(s_.instance_of<B>());
    }
    const auto found = intersects(std::span<const A>(a), std::span<const B>(b));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const bool alone = intersects(ShapeRef(a[i]), ShapeRef(b[i])), typed = intersects(a[i], b[i]);
      expect((found[i] != 0) == alone && typed == alone, [&] { return line("intersect", {a[i], {}}, {b[i], {}}) + (alone ? " true" : " false") + " alone"; });
      std::vector<Vec3> ca, cb;
      double ra = 0, rb = 0;
      if (!corners_of(a[i], ca, ra) || !corners_of(b[i], cb, rb) || (ra != 0 && rb != 0)) continue;
      const bool general = within(Hull(ca), Hull(cb), ra + rb);
      expect(general == alone, [&] { return line("intersect", {a[i], {}}, {b[i], {}}) + (alone ? " true" : " false") + ", its corners say the opposite"; });
    }
  }
  static bool corners_of(const Sphere& s, std::vector<Vec3>& c, double& r) { return c = {s.center}, r = s.radius, true; }
  static bool corners_of(const Capsule& s, std::vector<Vec3>& c, double& r) { return c = {s.a, s.b}, r = s.radius, true; }
  static bool corners_of(const Segment& s, std::vector<Vec3>& c, double&) { return c = {s.a, s.b}, true; }
  static bool corners_of(const Triangle& s, std::vector<Vec3>& c, double&) { return c.assign(s.points.begin(), s.points.end()), true; }
  static bool corners_of(const Box& s, std::vector<Vec3>& c, double&) {
    for (int i = 0; i < 8; ++i) c.push_back(Vec3(i & 1 ? s.max.x : s.min.x, i & 2 ? s.max.y : s.min.y, i & 4 ? s.max.z : s.min.z));
    return true;
  }
  static bool corners_of(const OrientedBox&, std::vector<Vec3>&, double&) { return false; }
  void batches() {
    switch (s_.below(11)) {
      case 0:
        return batch<Sphere, Sphere>();
      case 1:
        return batch<Sphere, Capsule>();
      case 2:
        return batch<Capsule, Capsule>();
      case 3:
        return batch<Sphere, Triangle>();
      case 4:
        return batch<Triangle, Triangle>();
      case 5:
        return batch<Sphere, Box>();
      case 6:
        return batch<Box, Box>();
      case 7:
        return batch<Segment, Box>();
      case 8:
        return batch<Sphere, OrientedBox>();
      case 9:
        return batch<OrientedBox, OrientedBox>();
      default:
        return batch<OrientedBox, Capsule>();
    }
  }

  MixedNumbers s_;
  std::uint64_t seed_, questions_ = 0, wrong_ = 0;
  const char* level_;
};

double setting(const char* name, double otherwise) {
  const char* value = std::getenv(name);
  return value ? std::strtod(value, nullptr) : otherwise;
}

/// One seed per round; each CPU level uses its own seeds.
TEST(MixedExponents, EqualSingleQueries) {
  const double count = setting("GRAZE_MIXED_COUNT", rounds(16000)), seconds = setting("GRAZE_MIXED_SECONDS", INFINITY);
  auto seed = static_cast<std::uint64_t>(setting("GRAZE_MIXED_SEED", 1));
  const CpuLevel own = current_cpu_level();
  std::vector<CpuLevel> levels;
  for (const CpuLevel level : {CpuLevel::scalar, CpuLevel::sse4, CpuLevel::avx2, CpuLevel::avx512}) {
    const CpuLevel got = force_cpu_level(level);
    if (levels.empty() || levels.back() != got) levels.push_back(got);
  }
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t all = 0, wrong = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    force_cpu_level(levels[i]);
    const std::uint64_t until = static_cast<std::uint64_t>(count * static_cast<double>(i + 1) / static_cast<double>(levels.size()));
    const double share = seconds * static_cast<double>(i + 1) / static_cast<double>(levels.size());
    while (all < until && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < share) {
      Search search(seed++, name(levels[i]));
      search.round();
      all += search.questions();
      wrong += search.wrong();
    }
  }
  force_cpu_level(own);
  std::cout << all << " questions, " << wrong << " wrong, seeds to " << seed - 1 << std::endl;
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace graze::test
