// Every query on a height field, none of whose tiles has been made, answers as on a mesh of the same triangles: with shapes of all kinds near the borders of
// tiles, placed and not, on flat, rough and torn terrain.
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <thread>

#include "property/instances.hpp"
#include "support/terrain.hpp"

namespace graze::test {
namespace {

enum class Ground { flat, steps, rough };

/// One height in `hole` is a hole, none for 0. The origin and the spacing are such that grid lines are doubles.
Terrain terrain(Random& r, std::size_t columns, std::size_t rows, Ground ground, int hole) {
  std::vector<double> h(columns * rows);
  for (double& x : h) x = hole > 0 && r.below(hole) == 0 ? NAN : ground == Ground::flat ? 0.0 : ground == Ground::steps ? r.integer(0, 2) : r.real(-1, 1);
  return Terrain(Vec3(-4, 8, 0), 1, 1, columns, std::move(h));
}

/// The bits of an answer.
class Bits {
 public:
  void add(double x) { words_.push_back(std::bit_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  void add(const Pose& p) {
    for (const auto& row : p.rotation)
      for (const double x : row) add(x);
    add(p.translation);
  }
  template <std::integral N>
  void add(N n) {
    words_.push_back(static_cast<std::uint64_t>(n));
  }
  template <class T>
  void add(const std::optional<T>& x) {
    add(x.has_value());
    if (x) add(*x);
  }
  template <class T>
  void add(const std::vector<T>& all) {
    add(all.size());
    for (const T& x : all) add(x);
  }
  void add(const Closest& c) { all(c.distance, c.on_a, c.on_b, c.triangle_a, c.triangle_b); }
  void add(const Hit& h) { all(h.t, h.point, h.normal, h.triangle, h.child, h.barycentric, h.front, h.started_inside); }
  void add(const BriefHit& h) { all(h.t, h.triangle, h.child); }
  void add(const SweepHit& h) {
    all(h.t, h.point, h.normal, h.triangle_a, h.triangle_b, h.started_inside, h.departing, h.budget_ended, h.safe, h.safe_point, h.moved);
  }
  void add(const Contact& c) { all(c.point, c.normal, c.depth, c.triangle_a, c.triangle_b); }
  void add(const ManifoldPoint& p) { all(p.point, p.depth); }
  void add(const Manifold& m) { all(m.normal, m.points, m.triangle_a, m.triangle_b); }
  void add(const PenetrationResult& p) {
    add(static_cast<int>(p.reason));
    if (p.value) all(p.value->depth, p.value->normal, p.value->vector);
  }
  void add(const TrianglePair& p) { all(p.a, p.b); }
  void add(const PairCount& c) { all(c.count, c.more); }
  void add(const Box& b) { all(b.min, b.max); }
  void add(const Sphere& b) { all(b.center, b.radius); }
  void add(const Classification& c) { all(static_cast<int>(c.side), c.distance); }
  void add(const Bits& b) { words_.insert(words_.end(), b.words_.begin(), b.words_.end()); }
  template <class... T>
  void all(const T&... x) {
    (add(x), ...);
  }
  bool operator==(const Bits&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

/// The answer, or that there is none.
template <class F>
Bits bits_of(const F& answer) {
  Bits bits;
  try {
    bits.add(answer());
  } catch (const Error& e) {
    bits.add(static_cast<int>(e.code()));
  }
  return bits;
}

struct Query {
  const char* name;
  std::function<Bits(ShapeRef ground, ShapeRef other)> answer;
};

/// `surfaces`: the other shape may be one. `slow`: with those that take long.
std::vector<Query> pair_queries(Source& s, bool surfaces, bool slow) {
  const double d = s.size(), x = s.number(), y = s.number(), down = s.size() + 1;
  const Vec3 motion(x, y, -2 * down), center = s.vector();
  const Screw screw{center, Vec3(0, 1, 0), .3, motion};
  std::vector<Query> queries;
  const auto query = [&](const char* name, const auto& f) {
    queries.push_back({name, [f](ShapeRef a, ShapeRef b) { return bits_of([&] { return f(a, b); }); }});
  };
  query("intersects", [](ShapeRef a, ShapeRef b) { return intersects(a, b); });
  query("intersects, exchanged", [](ShapeRef a, ShapeRef b) { return intersects(b, a); });
  query("within", [=](ShapeRef a, ShapeRef b) { return within(a, b, d); });
  query("closest", [=](ShapeRef a, ShapeRef b) {
    const Closest c = closest(a, b);  // of surfaces that touch, the pair that is named depends on the trees; a mesh leads before a field
    return surfaces ? Closest{c.distance, {}, {}, {}, {}} : c;
  });
  query("triangles_within", [=](ShapeRef a, ShapeRef b) { return triangles_within(b, a, d); });
  query("closest_triangles", [=](ShapeRef a, ShapeRef b) { return closest_triangles(b, a, 5, d + .25); });
  query("contacts", [](ShapeRef a, ShapeRef b) { return contacts(a, b); });
  query("manifold", [](ShapeRef a, ShapeRef b) { return manifold(b, a); });
  query("sweep", [=](ShapeRef a, ShapeRef b) { return sweep(b, motion, a); });
  query("sweep of the ground", [=](ShapeRef a, ShapeRef b) { return sweep(a, -motion, b, {.place = false}); });
  query("sweep onto one side", [=](ShapeRef a, ShapeRef b) { return sweep(b, motion, a, {.skip_departing = true, .sides = Sides::front}); });
  query("bounce", [=](ShapeRef a, ShapeRef b) {
    const BounceStep step = bounce(b, motion, 1, a, Material{});
    Bits bits;
    bits.all(step.pose, step.velocity, step.hits.size(), step.stopped);
    return bits;
  });
  query("intersecting_triangles", [](ShapeRef a, ShapeRef b) { return intersecting_triangles(a, b); });
  query("scene", [=](ShapeRef a, ShapeRef b) {
    Scene scene;
    (void)scene.add(a.get<HeightField>() ? AnyShape(*a.get<HeightField>()) : AnyShape(*a.get<Mesh>()), a.pose() ? *a.pose() : Pose{});
    (void)scene.add(Sphere{Vec3(5, 5, 20), 1});
    Bits bits;
    bits.add(scene.overlapping(b));
    const auto c = scene.closest(b);
    bits.all(c->member, c->closest.distance);
    if (const auto hit = scene.sweep(b, motion)) bits.all(hit->member, hit->hit);
    return bits;
  });
  if (!slow) return queries;
  query("turning sweep", [=](ShapeRef a, ShapeRef b) {  // the time, which has a bound, depends on the trees
    const auto hit = sweep(b, screw, a, {.tolerance = 1e-2});
    return hit ? 1 + static_cast<int>(hit->started_inside) : 0;
  });
  query("penetration", [](ShapeRef a, ShapeRef b) { return penetration(b, a); });
  query("count_intersecting_triangles", [](ShapeRef a, ShapeRef b) { return count_intersecting_triangles(b, a); });
  query("relation", [](ShapeRef a, ShapeRef b) { return static_cast<int>(relation(a, b)); });
  return queries;
}

/// At the borders of the tiles of a terrain (see terrain()), or anywhere.
Vec3 place(Random& r, const Terrain& t) {
  const double last_x = static_cast<double>(t.columns - 1), last_y = static_cast<double>(t.heights.size() / t.columns - 1);
  const double x = r.coin() ? std::min(last_x, 32.0 * r.integer(0, 2)) : r.integer(0, static_cast<int>(last_x));
  const double y = r.coin() ? std::min(last_y, 32.0 * r.integer(0, 2)) : r.integer(0, static_cast<int>(last_y));
  const double z = r.coin() ? r.integer(-1, 3) : r.real(-2, 2);
  return t.origin + Vec3(x, y, z);
}

TEST(HeightFields, PairsOfAllKinds) {
  Failures failures;
  for (const Ground ground : {Ground::flat, Ground::steps, Ground::rough})
    for (const int hole : {0, 9})
      for (int kind = 0; kind < kKinds; ++kind) {
        Source s(static_cast<std::uint64_t>(1000 * kind + 10 * hole + static_cast<int>(ground)), ground == Ground::rough ? Numbers::real : Numbers::whole);
        s.reach = 2;
        const auto columns = static_cast<std::size_t>(37 + s.below(40)), rows = static_cast<std::size_t>(34 + s.below(5));
        const Terrain t = terrain(s.random, columns, rows, ground, hole);
        Instance other{instance(static_cast<Kind>(kind), s), s.below(2) ? any_pose(s) : Pose{}};
        other.pose->translation += place(s.random, t);
        std::optional<Pose> pose;
        if (s.below(3) == 0) pose = s.below(2) ? any_pose(s) : Pose::quarter_turn(Axis::z, s.below(4), Vec3(1, 2, 0));
        if (pose && s.below(2)) other.pose->translation = pose->apply(other.pose->translation);
        const auto b = *other;
        const bool surfaces = of_triangles(static_cast<Kind>(kind)) || kind == static_cast<int>(kind_of<Compound>);
        const Instance plain{t.mesh, pose};
        const auto of_plain = *plain;
        for (const Query& query : pair_queries(s, surfaces, hole == 9)) {
          const Instance fresh{t.field(), pose};
          const auto of_field = *fresh;
          failures.expect(query.answer(of_field, b) == query.answer(of_plain, b), query.name, fresh, other);
        }
      }
  EXPECT_TRUE(failures.empty()) << failures.text();
}

std::vector<Query> ray_queries(Source& s) {
  const double t_max = s.below(3) == 0 ? s.size() : INFINITY;
  const RayOptions options{.t_max = t_max, .sides = s.below(3) == 0 ? Sides::front : Sides::both};
  std::vector<Query> queries;
  const auto query = [&](const char* name, const auto& f) {
    queries.push_back({name, [f](ShapeRef a, ShapeRef b) { return bits_of([&] { return f(a, b); }); }});
  };
  query("raycast", [=](ShapeRef a, ShapeRef b) { return raycast(b, a, options); });
  query("raycast_any", [=](ShapeRef a, ShapeRef b) { return raycast_any(b, a, options); });
  query("raycast_all", [=](ShapeRef a, ShapeRef b) { return raycast_all(b, a, options); });
  query("raycast_brief", [=](ShapeRef a, ShapeRef b) { return raycast_brief(b, a, options); });
  query("scene", [=](ShapeRef a, ShapeRef b) {
    Scene scene;
    (void)scene.add(a.get<HeightField>() ? AnyShape(*a.get<HeightField>()) : AnyShape(*a.get<Mesh>()), a.pose() ? *a.pose() : Pose{});
    Bits bits;
    for (const SceneHit& h : scene.raycast_all(b, options)) bits.add(h.hit);
    if (const auto first = scene.raycast(b, options)) bits.add(first->hit);
    return bits;
  });
  return queries;
}

/// Through corners and along the borders of tiles, straight down or flat over the ground.
TEST(HeightFields, Rays) {
  Failures failures;
  for (const Ground ground : {Ground::flat, Ground::steps, Ground::rough})
    for (const int hole : {0, 9, 2}) {
      Source s(static_cast<std::uint64_t>(10 * hole + static_cast<int>(ground)), Numbers::whole);
      const Terrain t = terrain(s.random, 75, 70, ground, hole);
      for (int round = 0; round < rounds(60); ++round) {
        const Vec3 at = place(s.random, t), far = s.below(4) == 0 ? at : place(s.random, t);
        const Vec3 from = far + Vec3(0, 0, s.below(3) == 0 ? 0 : 8), direction = far == at ? Vec3(0, 0, -1) : at - from;
        const Instance ray = s.below(3) == 0   ? Instance{Segment{from, at}, std::nullopt}
                             : s.below(3) == 0 ? Instance{Line{from, direction}, std::nullopt}
                                               : Instance{Ray{from, direction}, std::nullopt};
        if (from == at) continue;
        const std::optional<Pose> pose = s.below(4) == 0 ? std::optional(Pose::quarter_turn(Axis::z, 0, Vec3(0, 0, 1))) : std::nullopt;
        const Instance plain{t.mesh, pose};
        const auto of_plain = *plain, b = *ray;
        for (const Query& query : ray_queries(s)) {
          const Instance fresh{t.field(), pose};
          const auto of_field = *fresh;
          failures.expect(query.answer(of_field, b) == query.answer(of_plain, b), query.name, fresh, ray);
        }
      }
    }
  EXPECT_TRUE(failures.empty()) << failures.text();
}

TEST(HeightFields, Batches) {
  Source s(7);
  for (const Ground ground : {Ground::flat, Ground::steps, Ground::rough}) {
    const Terrain t = terrain(s.random, 120, 70, ground, ground == Ground::rough ? 0 : 12);
    std::vector<Ray> rays;
    std::vector<Vec3> points;
    std::vector<Pose> poses;
    for (int i = 0; i < 600; ++i) {
      points.push_back(place(s.random, t));
      rays.push_back({points.back() + Vec3(0, 0, 5), i % 3 == 0 ? Vec3(0, 0, -1) : s.vector() - Vec3(0, 0, 4)});
      poses.push_back(translation(points.back()));
    }
    const auto all = [&](ShapeRef ground_) {
      Bits bits;
      bits.add(raycast(RaySpan{rays}, ground_));  // before anything else has made tiles
      bits.all(closest(std::span<const Vec3>(points), ground_), within(points, ground_, .5));
      std::vector<std::uint8_t> any(rays.size());
      raycast_any(RaySpan{rays}, ground_, any);
      RayHits hits;
      raycast_all(RaySpan{rays}, ground_, hits);
      std::vector<BriefHit> brief(rays.size());
      raycast(RaySpan{rays}, ground_, brief);
      bits.all(any, hits.hits, brief);
      const Capsule capsule{Vec3(0, 0, -.5), Vec3(0, 0, .5), .5};
      bits.all(intersects(capsule, poses, ground_), closest(capsule, std::span<const Pose>(poses).first(60), ground_));
      return bits;
    };
    EXPECT_EQ(all(t.field()), all(t.mesh));
    EXPECT_EQ(all(at(t.field(), Pose{})), all(at(t.mesh, Pose{})));
  }
}

TEST(HeightFields, AloneAndAtFrusta) {
  Source s(8, Numbers::real);
  for (const Ground ground : {Ground::flat, Ground::steps, Ground::rough})
    for (const int hole : {0, 9, 2}) {
      const Terrain t = terrain(s.random, 70, 40, ground, hole);
      const auto same_answer = [&](const auto& f) { EXPECT_EQ(bits_of([&] { return f(ShapeRef(t.field())); }), bits_of([&] { return f(ShapeRef(t.mesh)); })); };
      const Pose pose = any_pose(s);
      same_answer([](ShapeRef x) { return area(x); });
      same_answer([](ShapeRef x) { return centroid(x); });
      same_answer([](ShapeRef x) { return bounding_box(x); });
      same_answer([](ShapeRef x) { return bounding_sphere(x); });
      same_answer([](ShapeRef x) { return self_intersections(x); });
      same_answer([](ShapeRef x) { return count_self_intersections(x); });
      same_answer([](ShapeRef x) { return self_crossings(x); });
      same_answer([&](ShapeRef x) { return bounding_box(ShapeRef(x.kind(), x.shape(), &pose)); });
      same_answer([](ShapeRef x) { return classify(x, Plane{Vec3(3, 4, 0), Vec3(.1, .2, 1)}); });
      for (const double far : {3.0, 300.0}) {
        const Frustum view = Frustum::perspective(Vec3(30, 30, 150), Vec3(30, 29, 0), Vec3(0, 1, 0), 1.2, 1.5, .5, far);
        same_answer([&](ShapeRef x) { return static_cast<int>(classify(x, view)); });
      }
    }
}

TEST(HeightFields, FarAndCollapsed) {
  Source s(9);
  const Terrain t = terrain(s.random, 70, 40, Ground::rough, 9);
  for (const double far : {1e6, 1e15, 1e17, 1e19, 1e300}) {
    const Pose pose = Pose::quarter_turn(Axis::z, 0, Vec3(far, 0, 0));
    const Ray down{Vec3(far, 20, 5), Vec3(0, 0, -1)};
    const Sphere ball{Vec3(far, 20, 0), 1};
    const auto all = [&](const auto& ground) {
      const Placed placed = at(ground, pose);
      Bits bits;
      bits.all(raycast(down, placed), raycast_all(down, placed).size(), raycast_any(down, placed), closest(placed, ball), contacts(ball, placed));
      const std::vector<Ray> rays(3, down);
      bits.add(raycast(RaySpan{rays}, placed));
      return bits;
    };
    EXPECT_EQ(all(t.field()), all(t.mesh)) << far;
  }
}

TEST(HeightFields, ManyThreadsOnAFreshField) {
  Source s(11);
  const Terrain t = terrain(s.random, 300, 200, Ground::rough, 30);
  std::vector<Vec3> points;
  for (int i = 0; i < 200; ++i) {
    const double x = s.random.real(0, 299), y = s.random.real(0, 199), z = s.random.real(-2, 2);
    points.push_back(t.origin + Vec3(x, y, z));
  }
  const auto answers = [&](ShapeRef ground, std::size_t begin) {
    Bits bits;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3& p = points[(begin + i) % points.size()];
      Bits one;
      one.all(raycast(Ray{p + Vec3(0, 0, 9), Vec3(.1, .2, -1)}, ground), closest(ground, Sphere{p, .25}), intersects(ground, Box{p, p + Vec3(1, 1, 1)}));
      bits.add(one);
    }
    return bits;
  };
  for (int round = 0; round < rounds(8); ++round) {
    const HeightField fresh = t.field();
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < 6; ++k)
      threads.emplace_back([&, k] {
        if (k == 5) {
          EXPECT_EQ(fresh.mesh().size(), t.mesh.size());
          EXPECT_EQ(area(fresh), area(t.mesh));
        } else {
          EXPECT_EQ(answers(fresh, 40 * (k / 2)), answers(t.mesh, 40 * (k / 2)));
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace graze::test
