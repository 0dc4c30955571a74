// Prints one hash over the values of many mixed answers, by query and field: run before and after a change that must not alter any answer, such as a renaming;
// tools/check_determinism.py runs it at every CPU level, built by each compiler.
//
//   build/release/tests/answer_hash [ANSWERS [SEED [VALUES]]]      default: 1000000 answers, seed 1
//
// VALUES is a file to write every value to, a line for each field of an answer; tools/compare_answers.py counts and measures what differs between two of them.
// Shapes of every kind, placed and not, with small integers (so that they touch), ordinary reals and mixed exponents. The hash covers every bit of every number
// of an answer. It depends on the random numbers drawn here, so hashes of different versions of this file are not comparable.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <graze/graze.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace graze;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  /// Chooses the kind of numbers for the next query.
  void begin() { style_ = below(5); }
  double number() {
    switch (style_) {
      case 0:
      case 1:
        return below(9) - 4;
      case 2:
        return real();
      case 3:
        return below(3) ? real() : below(9) - 4;
      default: {
        const int exponent = below(40) - 20;  // drawn first: the evaluation order of arguments is unspecified
        return std::ldexp(real(), exponent);
      }
    }
  }
  double size() { return std::fabs(number()); }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return Vec3(x, y, z);
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector();
      if (v != Vec3(0, 0, 0)) return v;
    }
  }
  Vec3 sizes() {
    const double x = size(), y = size(), z = size();
    return Vec3(x, y, z);
  }
  std::vector<Vec3> points(int n) {
    std::vector<Vec3> p;
    for (int i = 0; i < n; ++i) p.push_back(vector());
    return p;
  }

 private:
  double real() { return static_cast<double>(static_cast<std::int64_t>(next())) * 0x1p-61; }
  std::uint64_t state_;
  int style_ = 0;
};

Mesh sheet(Random& r, int n) {
  MeshData d;
  for (int y = 0; y <= n; ++y)
    for (int x = 0; x <= n; ++x) d.vertices.push_back(Vec3(x - .5 * n, y - .5 * n, r.below(3) - 1));
  const auto at_grid = [n](int x, int y) { return static_cast<std::uint32_t>(y * (n + 1) + x); };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      d.triangles.push_back({at_grid(x, y), at_grid(x + 1, y), at_grid(x + 1, y + 1)});
      d.triangles.push_back({at_grid(x, y), at_grid(x + 1, y + 1), at_grid(x, y + 1)});
    }
  return Mesh(d);
}

/// A closed surface: a tetrahedron, or an octahedron with its centre moved.
Mesh closed(Random& r) {
  MeshData d;
  const double s = 1 + r.below(3);
  d.vertices = {Vec3(s, 0, 0), Vec3(-s, 0, 0), Vec3(0, s, 0), Vec3(0, -s, 0), Vec3(0, 0, s), Vec3(0, 0, -s)};
  for (Vec3& v : d.vertices) v += Vec3(r.below(3) - 1, 0, 0);
  d.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return Mesh(d);
}

Box box(Random& r) {
  const Vec3 center = r.vector();
  return Box::from_center(center, r.sizes());
}

AnyShape convex(Random& r) {
  for (;;) try {
      AnyShape s = [&]() -> AnyShape {
        switch (r.below(13)) {
          case 0:
            return Point{r.vector()};
          case 1:
            return Segment{r.vector(), r.vector()};
          case 2:
            return Triangle{{r.vector(), r.vector(), r.vector()}};
          case 3:
            return Polygon(r.points(3));
          case 4:
            return Sphere{r.vector(), r.size()};
          case 5:
            return box(r);
          case 6:
            return OrientedBox{r.vector(), {Vec3(1, 2, 2), Vec3(2, 1, -2), Vec3(2, -2, 1)}, r.sizes()};
          case 7:
            return Capsule{r.vector(), r.vector(), r.size()};
          case 8:
            return Cylinder{r.vector(), r.vector(), r.size()};
          case 9:
            return Cone{r.vector(), r.vector(), r.size()};
          case 10:
            return Ellipsoid{r.vector(), r.sizes()};
          case 11:
            return Hull(r.points(8));
          default: {
            const Vec3 eye = r.vector(), target = r.vector();
            return Frustum::perspective(eye, target, r.direction(), .5, 1.5, .5, 3);
          }
        }
      }();
      validate(s);
      return s;
    } catch (const Error&) {
    }
}

AnyShape line(Random& r) {
  switch (r.below(3)) {
    case 0:
      return Ray{r.vector(), r.direction()};
    case 1:
      return Line{r.vector(), r.direction()};
    default:
      return Segment{r.vector(), r.vector()};
  }
}

AnyShape any(Random& r) {
  switch (r.below(8)) {
    case 0:
      return sheet(r, 2);
    case 1:
      return solid(closed(r));
    case 2: {
      const std::vector<double> heights = {0, 1, 0, 2, 1, double(r.below(3)), 0, 1, 0};
      return HeightField(Vec3(-2, -2, 0), 2, 2, 3, heights);
    }
    case 3:
      return r.below(2) ? AnyShape(Plane{r.vector(), r.direction()}) : AnyShape(HalfSpace{r.vector(), r.direction()});
    case 4:
      return line(r);
    case 5: {
      std::vector<Compound::Child> children;
      for (int i = 0; i < 2; ++i) children.push_back({convex(r), Pose{}});
      return Compound(std::move(children));
    }
    default:
      return convex(r);
  }
}

Pose pose(Random& r) {
  const double x = r.below(5) - 2, y = r.below(5) - 2, z = r.below(5) - 2, w = 1 + r.below(2);
  return Pose::from_quaternion(w, x, y, z, r.vector());
}

// ---- hash --------------------------------------------------------------------------------------------------------------------------------

struct Hash {
  std::uint64_t value = 0xcbf29ce484222325;

  void add(std::uint64_t x) {
    for (int i = 0; i < 8; ++i) value = (value ^ (x >> 8 * i & 255)) * 0x100000001b3;
  }
};

/// The hashes of one query by field; the values of one answer.
class Fields {
 public:
  void add(std::uint64_t x) { put(x); }
  void add(double x) { put(std::isnan(x) ? std::uint64_t{1} << 63 | 1 : std::bit_cast<std::uint64_t>(x), x); }
  void add(bool x) { put(std::uint64_t{x}); }
  void add(std::uint32_t x) { put(std::uint64_t{x}); }
  void add(int x) { put(static_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  template <class T>
  void add(const std::optional<T>& x) {
    in("found", x.has_value());
    if (x) add(*x);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    in("size", std::uint64_t{list.size()});
    for (const T& x : list) add(x);
  }
  void add(const Closest& c) {
    in("distance", c.distance), in("on_a", c.on_a), in("on_b", c.on_b), in("triangle_a", c.triangle_a), in("triangle_b", c.triangle_b);
  }
  void add(const Hit& h) {
    in("t", h.t), in("point", h.point), in("normal", h.normal), in("triangle", h.triangle), in("barycentric", h.barycentric);
    in("front", h.front), in("started_inside", h.started_inside);
  }
  void add(const PenetrationResult& p) {
    in("reason", static_cast<int>(p.reason)), in("found", p.value.has_value());
    if (p.value) in("depth", p.value->depth), in("normal", p.value->normal), in("vector", p.value->vector);
  }
  void add(const Contact& c) {
    in("point", c.point), in("normal", c.normal), in("depth", c.depth), in("triangle_a", c.triangle_a), in("triangle_b", c.triangle_b);
  }
  void add(const Pose& p) {
    for (const Vec3& v : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0, 0, 0)}) add(p.apply(v));
  }
  void add(const SweepHit& h) {
    in("t", h.t), in("point", h.point), in("normal", h.normal), in("triangle_a", h.triangle_a), in("triangle_b", h.triangle_b);
    in("child_a", h.child_a), in("child_b", h.child_b), in("started_inside", h.started_inside), in("departing", h.departing);
    in("budget_ended", h.budget_ended), in("safe", h.safe), in("safe_point", h.safe_point), in("moved", h.moved);
  }
  void add(const TrianglePair& p) { in("pair", p.a), in("pair", p.b); }
  void add(const Box& b) { in("min", b.min), in("max", b.max); }
  void add(const Sphere& s) { in("center", s.center), in("radius", s.radius); }
  void add(const Classification& c) { in("side", static_cast<int>(c.side)), in("distance", c.distance); }
  /// Adds a value as a field of the query, or of the field being added.
  template <class T>
  void in(const char* field, const T& x) {
    const char* outer = std::exchange(field_, field);
    add(x);
    field_ = outer;
  }

  void print(const std::string& query, std::size_t answers, Hash& all) const {
    for (const auto& [field, hash] : hashes_) {
      std::printf("%-40s %9zu  %016llx\n", (query + (field.empty() ? "" : "." + field)).c_str(), answers, static_cast<unsigned long long>(hash.value));
      all.add(hash.value);
    }
  }
  /// Writes the values of the answer just added, and forgets them.
  void write(std::FILE* file, const std::string& query, std::size_t answer) {
    for (const auto& [field, values] : values_) {
      std::fprintf(file, "%zu\t%s%s%s", answer, query.c_str(), field.empty() ? "" : ".", field.c_str());
      for (const double x : values) std::fprintf(file, "\t%.17g", x);
      std::fputc('\n', file);
    }
    values_.clear();
  }
  bool keep = false;  // keep values to write them

 private:
  void put(std::uint64_t bits, double value) {
    hashes_[field_].add(bits);
    if (keep) values_[field_].push_back(value);
  }
  void put(std::uint64_t x) { put(x, static_cast<double>(x)); }
  std::map<std::string, Hash> hashes_;
  std::map<std::string, std::vector<double>> values_;
  const char* field_ = "";
};

class Answers {
 public:
  explicit Answers(const char* values) : values_(values ? std::fopen(values, "w") : nullptr) {}
  ~Answers() {
    if (values_) std::fclose(values_);
  }
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;
  /// Hashes what `query` returns, or that it throws.
  template <class F>
  void add(const std::string& name, const F& query) {
    auto& [answers, fields] = by_query_[name];
    fields.keep = values_ != nullptr;
    ++answers;
    try {
      fields.add(query());
    } catch (const Error&) {
      fields.in("error", true);
    }
    if (values_) fields.write(values_, name, count_);
    ++count_;
  }
  std::size_t count() const { return count_; }
  void print() const {
    Hash all;
    for (const auto& [name, query] : by_query_) query.second.print(name, query.first, all);
    std::printf("%-40s %9zu  %016llx\n", "all", count_, static_cast<unsigned long long>(all.value));
  }

 private:
  std::map<std::string, std::pair<std::size_t, Fields>> by_query_;
  std::size_t count_ = 0;
  std::FILE* values_;
};

// ---- questions ---------------------------------------------------------------------------------------------------------------------------

void pair_of_shapes(Answers& out, Random& r) {
  const AnyShape a = any(r), b = any(r);
  const Pose pa = pose(r), pb = pose(r);
  const Placed placed_a = at(a, pa), placed_b = at(b, pb);
  const ShapeRef x = r.below(2) ? ShapeRef(a) : ShapeRef(placed_a), y = r.below(2) ? ShapeRef(b) : ShapeRef(placed_b);
  const double distance = r.size();
  const Vec3 motion = r.vector();
  out.add("intersects", [&] { return intersects(x, y); });
  out.add("within", [&] { return within(x, y, distance); });
  out.add("closest", [&] { return closest(x, y); });
  out.add("penetration", [&] { return penetration(x, y); });
  out.add("contacts", [&] { return contacts(x, y); });
  out.add("sweep", [&] { return sweep(x, motion, y); });
  out.add("bounding_box", [&] { return bounding_box(x); });
  out.add("bounding_sphere", [&] { return bounding_sphere(x); });
  const Plane plane{r.vector(), r.direction()};
  out.add("classify", [&] { return classify(x, plane); });
}

void shape_and_ray(Answers& out, Random& r) {
  const AnyShape ray = line(r), target = any(r);
  const Pose p = pose(r);
  const Placed placed = at(target, p);
  const ShapeRef y = r.below(2) ? ShapeRef(target) : ShapeRef(placed);
  const Vec3 point = r.vector();
  out.add("raycast", [&] { return raycast(ray, y); });
  out.add("raycast_any", [&] { return raycast_any(ray, y); });
  out.add("raycast_all", [&] { return raycast_all(ray, y); });
  out.add("contains", [&] { return contains(y, point); });
  out.add("signed_distance", [&] { return signed_distance(point, y); });
  out.add("volume", [&] { return volume(y); });
  out.add("area", [&] { return area(y); });
}

void shape_and_mesh(Answers& out, Random& r) {
  const Mesh a = sheet(r, 3), b = r.below(2) ? closed(r) : sheet(r, 2);
  const AnyShape shape = convex(r);
  const Pose p = pose(r);
  const Placed placed = at(b, p);
  const ShapeRef y = r.below(2) ? ShapeRef(b) : ShapeRef(placed);
  const double distance = r.size();
  out.add("intersecting_triangles", [&] { return intersecting_triangles(a, y); });
  out.add("self_intersections", [&] { return self_intersections(y); });
  out.add("triangles_within", [&] { return triangles_within(shape, y, distance); });
  out.add("closest_triangles", [&] { return closest_triangles(shape, y, 3); });
  out.add("meshes closest", [&] { return closest(a, y); });
  const Vec3 motion = r.vector();
  out.add("meshes sweep", [&] { return sweep(a, motion, y); });
  std::vector<Vec3> end(a.vertices().begin(), a.vertices().end());
  for (Vec3& v : end) v += r.vector();
  out.add("ccd", [&] {
    std::vector<double> times;
    for (const DeformingContact& c : ccd(a, end, b, VertexView(b.vertices()))) times.push_back(c.t);
    return times;
  });
  if (r.below(8) == 0) {
    const Screw screw{r.vector(), r.direction(), r.number(), r.vector()};
    RigidSweepOptions options;
    options.budget = 300;
    out.add("rigid sweep", [&] { return sweep(shape, screw, y, options); });
  }
}

void batch(Answers& out, Random& r) {
  std::vector<Sphere> spheres;
  std::vector<Capsule> capsules;
  std::vector<Triangle> triangles, others;
  std::vector<Box> boxes;
  std::vector<OrientedBox> oriented;
  std::vector<Ray> rays;
  for (int i = 0; i < 20; ++i) {
    spheres.push_back({r.vector(), r.size()});
    capsules.push_back({r.vector(), r.vector(), r.size()});
    triangles.push_back({{r.vector(), r.vector(), r.vector()}});
    others.push_back({{r.vector(), r.vector(), r.vector()}});
    boxes.push_back(box(r));
    oriented.push_back({r.vector(), {Vec3(1, 2, 2), Vec3(2, 1, -2), Vec3(2, -2, 1)}, r.sizes()});
    rays.push_back({r.vector(), r.direction()});
  }
  const auto span = [](const auto& v) { return std::span(v.data(), v.size()); };
  const auto turned = [](auto list) {
    std::rotate(list.begin(), list.begin() + 1, list.end());
    return list;
  };
  const auto pairs = [&](const char* name, const auto& a, const auto& b) {
    out.add(name, [&] {
      std::vector<std::uint32_t> answers;
      for (const std::uint8_t x : intersects(span(a), span(b))) answers.push_back(x);
      for (std::size_t i = 0; i < a.size(); ++i) answers.push_back(intersects(a[i], b[i]));
      return answers;
    });
  };
  pairs("sphere sphere", spheres, turned(spheres));
  pairs("sphere capsule", spheres, capsules);
  pairs("capsule capsule", capsules, turned(capsules));
  pairs("sphere triangle", spheres, triangles);
  pairs("triangle triangle", triangles, others);
  pairs("sphere box", spheres, boxes);
  pairs("box box", boxes, turned(boxes));
  pairs("sphere obb", spheres, oriented);
  pairs("obb obb", oriented, turned(oriented));
  pairs("obb capsule", oriented, capsules);
  const Mesh mesh = sheet(r, 4);
  out.add("batch raycast", [&] { return raycast(RaySpan{rays}, mesh); });
  out.add("batch closest", [&] { return closest(r.points(20), mesh); });
  out.add("minimal_sphere", [&] { return minimal_sphere(r.points(9)); });
}

void world(Answers& out, Random& r) {
  out.add("world", [&] {
    World w;
    w.add_fixed(sheet(r, 6), translation(Vec3(0, 0, -3)));
    w.add_fixed(Box::from_center(Vec3(1, 1, -1), Vec3(1, 1, .5)));
    Emitter emitter;
    emitter.origin = Vec3(0, 0, 2);
    emitter.velocity_spread = Vec3(3, 3, 1);
    emitter.floor = -5;
    w.add_emitter(Point{}, 40, emitter);
    w.add_emitter(Sphere{Vec3(0, 0, 0), .25}, 20, emitter);
    for (int i = 0; i < 60; ++i) w.step(1.0 / 60);
    std::vector<Pose> poses;
    for (BodyId b = 0; b < w.bodies(); ++b) poses.push_back(w.pose(b));
    return poses;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  Random r(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  Answers out(argc > 3 ? argv[3] : nullptr);
  while (out.count() < wanted) {
    r.begin();
    const int which = r.below(100);
    if (which < 55)
      pair_of_shapes(out, r);
    else if (which < 85)
      shape_and_ray(out, r);
    else if (which < 97)
      shape_and_mesh(out, r);
    else if (which < 99)
      batch(out, r);
    else
      world(out, r);
  }
  out.print();
  return 0;
}
