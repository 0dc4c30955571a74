// A program that uses many queries and prints every bit of the answers. Built in several ways (default; -O0 -ffast-math and GLM's macros; from an installed
// copy), it must print the same bytes.
#include <glm/glm.hpp>
#include <graze/graze.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using namespace graze;

void put(double x) { std::printf(" %016llx", static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(x))); }
void put(const Vec3& v) {
  put(v.x);
  put(v.y);
  put(v.z);
}
void put(bool b) { std::printf(" %d", b ? 1 : 0); }
void put(const std::optional<std::uint32_t>& i) {
  if (i)
    std::printf(" %u", *i);
  else
    std::printf(" -");
}
void put(const std::optional<Vec3>& v) {
  if (v)
    put(*v);
  else
    std::printf(" -");
}
void put(const Hit& h) {
  put(h.t);
  put(h.point);
  put(h.normal);
  put(h.triangle);
  put(h.barycentric);
  put(h.front);
  put(h.started_inside);
}

/// Random numbers made without floating-point arithmetic, from the bits of a linear congruential generator. Four kinds: a coarse grid (many exact contacts), a
/// fine one, far from zero and near zero.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint32_t bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  double next(int kind) {
    const int i = static_cast<int>(bits() % 9) - 4;
    if (kind == 0) return i;
    if (kind == 1) return std::bit_cast<double>((std::uint64_t{bits()} << 32 & 0x800fffff00000000u) | 0x3ff0000000000000u | bits());  // +-[1, 2)
    if (kind == 2)
      return std::bit_cast<double>((std::uint64_t{1023u + 40u} << 52) | (std::uint64_t{bits() % 64} << 12));  // far from the origin, near each other
    return std::bit_cast<double>(std::uint64_t{bits() % 5});                                                  // denormals
  }
  Vec3 vector(int kind) {
    const double x = next(kind), y = next(kind), z = next(kind);
    return Vec3(x, y, z);
  }
  Vec3 direction(int kind) {
    Vec3 v = vector(kind);
    while (v.x == 0 && v.y == 0 && v.z == 0 && !nonzero(v)) v = vector(kind);
    return v;
  }
  double size(int kind) {
    const double x = next(kind);
    return std::signbit(x) ? -x : x;
  }

 private:
  static bool nonzero(const Vec3& v) {  // compared by bits, since this program may treat denormals as zero
    for (double x : {v.x, v.y, v.z})
      if (std::bit_cast<std::uint64_t>(x) << 1) return true;
    return false;
  }
  std::uint64_t state_;
};

std::vector<AnyShape> make_shapes(Numbers& n, int kind) {
  const auto v = [&] { return n.vector(kind); };
  std::vector<AnyShape> s;
  s.emplace_back(Point{v()});
  s.emplace_back(Segment{v(), v()});
  s.emplace_back(Ray{v(), n.direction(kind)});
  s.emplace_back(Line{v(), n.direction(kind)});
  s.emplace_back(Plane{v(), n.direction(kind)});
  s.emplace_back(HalfSpace{v(), n.direction(kind)});
  s.emplace_back(Triangle{{v(), v(), v()}});
  s.emplace_back(Sphere{v(), n.size(kind)});
  s.emplace_back(Box::from_center(v(), Vec3(n.size(kind), n.size(kind), n.size(kind))));
  s.emplace_back(OrientedBox{v(), {v(), v(), v()}, Vec3(n.size(kind), n.size(kind), n.size(kind))});
  s.emplace_back(Capsule{v(), v(), n.size(kind)});
  s.emplace_back(Hull{v(), v(), v(), v(), v(), v()});
  return s;
}

/// A closed box-like mesh of two layers of triangles, moved a little by the generator.
Mesh make_mesh(Numbers& n, int kind) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back(n.vector(kind));
  const std::uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& q : quads) {
    d.triangles.push_back({q[0], q[1], q[2]});
    d.triangles.push_back({q[0], q[2], q[3]});
  }
  return Mesh(std::move(d));
}

void pairs(const std::vector<AnyShape>& shapes, const Pose& pose, double d) {
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      std::printf("pair %zu %zu", i, j);
      put(intersects(shapes[i], shapes[j]));
      put(within(shapes[i], at(shapes[j], pose), d));
      const Closest c = closest(shapes[i], at(shapes[j], pose));
      put(c.distance);
      put(c.on_a);
      put(c.on_b);
      std::printf("\n");
    }
}

void one_each(const std::vector<AnyShape>& shapes, const Vec3& point, const Plane& plane, const Ray& ray, const Segment& segment) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    std::printf("shape %zu", i);
    put(contains(shapes[i], point));
    const Classification side = classify(shapes[i], plane);
    std::printf(" %d", static_cast<int>(side.side));
    put(side.distance);
    for (const ShapeRef r : {ShapeRef(ray), ShapeRef(segment)})
      if (const auto h = raycast(r, shapes[i])) put(*h);
    const Box b = bounding_box(shapes[i]);
    put(b.min);
    put(b.max);
    std::printf("\n");
  }
}

void meshes(const Mesh& a, const Mesh& b, const Pose& pose, const std::vector<AnyShape>& shapes, const Ray& ray) {
  std::printf("meshes");
  put(intersects(a, at(b, pose)));
  for (const TrianglePair& p : intersecting_triangles(a, at(b, pose))) std::printf(" %u/%u", p.a, p.b);
  for (const TrianglePair& p : self_intersections(a)) std::printf(" %u:%u", p.a, p.b);
  const Closest c = closest(a, at(b, pose));
  put(c.distance);
  put(c.on_a);
  put(c.triangle_a);
  put(c.triangle_b);
  for (const Hit& h : raycast_all(ray, a)) put(h);
  const MeshReport report = check(a);
  std::printf(" %zu %zu %d", report.degenerate.size(), report.components, report.solid);
  if (report.solid) {
    const Solid s = solid(a);
    for (const AnyShape& shape : shapes) put(intersects(s, shape));
    put(signed_distance(ray.origin, s));
    put(signed_volume(at(s, pose)));
    put(area(s));
    put(centroid(a));
    const Vec3 points[2] = {ray.origin, ray.direction};
    for (const double d : signed_distance(std::span<const Vec3>(points), s)) put(d);
  }
  std::printf("\n");
  for (const AnyShape& shape : shapes) {
    put(intersects(shape, a));
    put(closest(at(shape, pose), a).distance);
  }
  std::printf("\n");
}

void depth(const std::vector<AnyShape>& shapes) {
  for (const AnyShape& a : shapes)
    for (const AnyShape& b : shapes) {
      if (!(a.get<Sphere>() || a.get<Box>() || a.get<Capsule>() || a.get<Hull>()) || !(b.get<Sphere>() || b.get<Box>() || b.get<Capsule>() || b.get<Hull>()))
        continue;
      const PenetrationResult p = penetration(a, b);
      std::printf("depth %d", static_cast<int>(p.reason));
      if (p.value) {
        put(p.value->depth);
        put(p.value->vector);
      }
      PairHint hint;
      for (const Manifold& m : manifold(a, b, hint))
        for (const ManifoldPoint& k : m.points) {
          put(k.point);
          put(k.depth);
        }
      std::printf("\n");
    }
}

void small_things(Numbers& n, int kind) {
  const Triangle t{{n.vector(kind), n.vector(kind), n.vector(kind)}};
  std::printf("small");
  put(reflect(n.vector(kind), n.direction(kind)));
  put(unit_normal(t, n.vector(kind)));
  if (const auto p = plane_of(t)) put(p->normal);
  const Sphere s = minimal_sphere(t.points);
  put(s.center);
  put(s.radius);
  const Sphere around = bounding_sphere(t);
  put(around.radius);
  std::printf("\n");
}

void motion(Numbers& n, int kind, const std::vector<AnyShape>& shapes, const Mesh& mesh) {
  std::printf("motion");
  for (const AnyShape& s : shapes) {
    const Vec3 m = n.vector(kind);
    const auto hit = sweep(s, m, mesh);
    if (!hit) continue;
    put(hit->t);
    put(hit->point);
    put(hit->normal);
    put(hit->safe_point);
    std::printf(" %d%d%d", hit->started_inside, hit->departing, hit->moved);
  }
  const Vec3 v = n.vector(kind), normal = n.direction(kind);
  put(respond(v, normal, {0.5, 0.25, 0.75}));
  put(slide(v, normal));
  const BounceStep step = bounce(Point{n.vector(kind)}, v, 1, mesh, {});
  put(step.position);
  put(step.velocity);
  std::printf("\n");
}

}  // namespace

int main() {
  // This program's own GLM functions. If the library used the same inline functions, the linker might keep these copies, compiled with this program's options.
  const glm::dvec3 u(3, 5, 7), w(0.5, 0.25, 2);
  std::printf("graze %s %d\n", version(), glm::dot(glm::cross(u, w), u) == 0.0 && glm::length(Vec3(3, 4, 0)) == 5.0);
  for (int kind = 0; kind < 4; ++kind) {
    Numbers n(static_cast<std::uint64_t>(kind) + 1);
    for (int round = 0; round < 3; ++round) {
      const std::vector<AnyShape> shapes = make_shapes(n, kind);
      const Pose pose = round == 0 ? translation(n.vector(kind)) : Pose::from_quaternion(1, round, n.next(0), n.next(0), n.vector(kind));
      const double d = n.size(kind);
      pairs(shapes, pose, d);
      const Vec3 point = n.vector(kind);
      const Plane plane{n.vector(kind), n.direction(kind)};
      const Ray ray{n.vector(kind), n.direction(kind)};
      const Segment segment{n.vector(kind), n.vector(kind)};
      one_each(shapes, point, plane, ray, segment);
      const Mesh a = make_mesh(n, kind), b = make_mesh(n, kind);
      meshes(a, b, pose, shapes, ray);
      depth(shapes);
      small_things(n, kind);
      motion(n, kind, shapes, a);
    }
  }
  return 0;
}
