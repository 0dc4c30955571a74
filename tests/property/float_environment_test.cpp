// Callers that set flush-to-zero, denormals-are-zero or another rounding mode get the same bytes, and every call restores their mode.
#include <gtest/gtest.h>

#include <cstring>

#include "property/instances.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace graze::test {
namespace {

#if defined(__SSE2__)

struct Bytes {
  std::string all;
  void add(double x) { all.append(reinterpret_cast<const char*>(&x), sizeof x); }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(bool b) { all += b ? 'y' : 'n'; }
  void add(const std::optional<std::uint32_t>& i) { all += i ? std::to_string(*i) : "-"; }
};

/// Sets an environment around each query only; everything else is computed in the default environment.
struct Caller {
  unsigned mode;
  unsigned before = _mm_getcsr();
  int changed = 0;
  template <class F>
  auto operator()(const F& f) {
    _mm_setcsr(mode);
    auto result = f();
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    if ((after & 0xFFC0u) != (mode & 0xFFC0u)) ++changed;
    return result;
  }
};

std::string answers(unsigned mode, int& changed) {
  Caller call{mode};
  Bytes out;
  Source s(77);
  for (int i = 0; i < rounds(400); ++i) {
    s.numbers = i % 3 == 0 ? Numbers::whole : i % 3 == 1 ? Numbers::real : Numbers::hostile;
    const Instance ia = random_instance(static_cast<Kind>(s.below(kKinds)), s), ib = random_instance(static_cast<Kind>(s.below(kKinds)), s);
    const auto a = *ia, b = *ib;
    const double d = s.size();
    const Vec3 p = s.vector();
    const Ray ray = instance<Ray>(s);
    out.add(call([&] { return intersects(a, b); }));
    out.add(call([&] { return within(a, b, d); }));
    out.add(call([&] { return contains(b, p); }));
    const Closest c = call([&] { return closest(a, b); });
    out.add(c.distance), out.add(c.on_a), out.add(c.on_b), out.add(c.triangle_a), out.add(c.triangle_b);
    const auto or_zero = [&](const auto& query) {
      return call([&] {
        try {
          return query();
        } catch (const Error&) {  // refused
          return decltype(query())();
        }
      });
    };
    out.add(or_zero([&] { return signed_distance(p, b); }));
    out.add(or_zero([&] { return volume(b); }));
    out.add(or_zero([&] { return area(b); }));
    if (const auto c = or_zero([&] { return centroid(b); })) out.add(*c);
    if (i % 4 == 0) {  // hostile rays are slow on some shapes
      for (const Hit& h : call([&] { return raycast_all(ray, b); })) {
        out.add(h.t), out.add(h.point), out.add(h.triangle), out.add(h.front), out.add(h.started_inside);
        if (h.normal) out.add(*h.normal);
      }
    }
    const Box box = call([&] { return bounding_box(a); });
    out.add(box.min), out.add(box.max);
    const Classification side = call([&] { return classify(a, Plane{p, ray.direction}); });
    out.add(static_cast<double>(side.side)), out.add(side.distance);
    out.add(call([&] { return reflect(p, ray.direction); }));
    if (!of_triangles(ia.shape.kind()) && !of_triangles(ib.shape.kind()) && s.numbers != Numbers::hostile) {
      const PenetrationResult depth = call([&] { return penetration(a, b); });
      out.add(static_cast<double>(depth.reason));
      if (depth.value) out.add(depth.value->vector), out.add(depth.value->normal);
      for (const Contact& c : call([&] { return contacts(a, b); })) out.add(c.depth), out.add(c.normal), out.add(c.point);
      PairHint hint;
      for (int frame = 0; frame < 3; ++frame)
        for (const Manifold& m : call([&] { return frame == 0 ? manifold(a, b) : manifold(a, b, hint); }))
          for (const ManifoldPoint& k : m.points) out.add(k.point), out.add(k.depth);
    }
    if (of_triangles(ia.shape.kind()) && of_triangles(ib.shape.kind()))
      for (const TrianglePair& pair : call([&] { return intersecting_triangles(a, b); })) out.add(std::optional(pair.a)), out.add(std::optional(pair.b));
  }
  changed = call.changed;
  return out.all;
}

/// Batches run on worker threads, which must have the default environment too; building and refitting as well.
std::string batches(unsigned mode, int& changed) {
  Caller call{mode};
  Bytes out;
  Source s(78, Numbers::hostile);
  MeshData d;
  for (int i = 0; i < 600; ++i) append(d, {points(s, 3), {{0, 1, 2}}, {}});
  const Mesh mesh = call([&] { return Mesh(d); });
  std::vector<Vec3> at;
  std::vector<Ray> rays;
  for (int i = 0; i < 300; ++i) at.push_back(s.vector()), rays.push_back(instance<Ray>(s));
  for (const Closest& c : call([&] { return closest(std::span<const Vec3>(at), mesh); })) out.add(c.distance), out.add(c.on_b), out.add(c.triangle_b);
  for (const auto& h : call([&] { return raycast(RaySpan{rays}, mesh); })) {
    out.add(h.has_value());
    if (h) out.add(h->t), out.add(h->point), out.add(h->triangle);
  }
  const Hull hull = call([&] { return Hull(at); });
  for (const std::uint32_t i : hull.corners()) out.add(std::optional(i));
  const Pose pose = call([] { return Pose::from_quaternion(0.3, 0.1, -0.7, 1); });
  out.add(call([&] { return pose.apply(Vec3(1e-310, 1.0 / 3, 7)); }));
  const Sphere ball = call([&] { return bounding_sphere(mesh); });
  out.add(ball.center), out.add(ball.radius);
  changed = call.changed;
  return out.all;
}

TEST(FloatEnvironment, RestoresTheCallersMode) {
  constexpr unsigned kFlush = 0x8040, kUp = 0x4000, kDown = 0x2000, kZero = 0x6000, kDefault = 0x1F80;
  int changed = 0;
  const std::string truth = answers(kDefault, changed), many = batches(kDefault, changed);
  for (const unsigned mode : {kDefault | kFlush, kDefault | kUp, kDefault | kFlush | kUp, kDefault | kDown, kDefault | kZero}) {
    const std::string again = answers(mode, changed);
    EXPECT_TRUE(again == truth)
        << "mode " << mode << ": differs at byte "
        << std::mismatch(again.begin(), again.begin() + static_cast<std::ptrdiff_t>(std::min(again.size(), truth.size())), truth.begin()).first - again.begin();
    EXPECT_EQ(changed, 0) << "mode " << mode << " was not restored";
    EXPECT_TRUE(batches(mode, changed) == many) << "mode " << mode << ": batches differ";
    EXPECT_EQ(changed, 0) << "mode " << mode << " was not restored by a batch";
  }
}

#endif

}  // namespace
}  // namespace graze::test
