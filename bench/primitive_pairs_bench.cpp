// Pairs of primitive shapes, yes or no: Graze against FCL, Bullet, ODE and CGAL on the same inputs in one process.
// primitive_pairs_bench [--pairs=N] [--rows=a,b,...] [Google Benchmark's options]; names are row/class/peer. The counter "wrong" is the number of answers that
// differ from Graze's, which are exact. Peers' objects are built before the clock starts.
#include <benchmark/benchmark.h>
#include <ode/ode.h>

#include <BulletCollision/CollisionDispatch/SphereTriangleDetector.h>
#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <btBulletCollisionCommon.h>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/intersections.h>

#include <fcl/fcl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/pair_inputs.hpp"

namespace bench {
namespace {

std::size_t pair_count = 200000;
std::string wanted_rows;  // ",a,b," or empty for all

/// Registers one contestant: `hit(pair)` for each element of `pairs`.
template <class P, class F>
void contest(const std::string& name, std::vector<P> pairs, std::vector<std::uint8_t> truth, F hit) {
  auto shared = std::make_shared<std::vector<P>>(std::move(pairs));
  double wrong = 0;
  for (std::size_t i = 0; i < shared->size(); ++i) wrong += static_cast<bool>(hit((*shared)[i])) != static_cast<bool>(truth[i]);
  benchmark::RegisterBenchmark(name.c_str(), [shared, hit, wrong](benchmark::State& state) {
    for (auto _ : state) {
      std::size_t hits = 0;
      for (P& p : *shared) hits += hit(p) ? 1 : 0;
      benchmark::DoNotOptimize(hits);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(shared->size()) * state.iterations());
    state.counters["wrong"] = wrong;
  });
}

/// Graze: one pair at a time by the public function, and as a batch.
template <class A, class B>
void contest_graze(const std::string& row, const Pairs<A, B>& pairs) {
  std::vector<std::pair<A, B>> own;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) own.emplace_back(pairs.a[i], pairs.b[i]);
  contest(row + "/Graze", own, pairs.truth, [](const std::pair<A, B>& p) { return intersects(p.first, p.second); });

  if constexpr (requires { intersects(std::span<const A>(pairs.a), std::span<const B>(pairs.b)); }) {
    auto batch = std::make_shared<Pairs<A, B>>(pairs);
    std::vector<std::uint8_t> answers(pairs.a.size());
    const auto ask = [](const Pairs<A, B>& p, std::vector<std::uint8_t>& out) {
      intersects(std::span<const A>(p.a), std::span<const B>(p.b), std::span<std::uint8_t>(out));
    };
    ask(pairs, answers);
    double wrong = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) wrong += answers[i] != pairs.truth[i];
    benchmark::RegisterBenchmark((row + "/Graze batch").c_str(), [batch, answers, ask, wrong](benchmark::State& state) mutable {
      for (auto _ : state) {
        ask(*batch, answers);
        benchmark::DoNotOptimize(answers.data());
      }
      state.SetItemsProcessed(static_cast<std::int64_t>(batch->a.size()) * state.iterations());
      state.counters["wrong"] = wrong;
    });
    return;
  }

  struct Batch {
    Pairs<A, B> pairs;
    std::vector<ShapeRef> a, b;
  };
  auto batch = std::make_shared<Batch>();
  batch->pairs = pairs;
  for (const A& a : batch->pairs.a) batch->a.emplace_back(a);
  for (const B& b : batch->pairs.b) batch->b.emplace_back(b);
  double wrong = 0;
  const auto answers = intersects(batch->a, batch->b);
  for (std::size_t i = 0; i < answers.size(); ++i) wrong += answers[i] != pairs.truth[i];
  benchmark::RegisterBenchmark((row + "/Graze batch").c_str(), [batch, wrong](benchmark::State& state) {
    for (auto _ : state) {
      const auto hits = intersects(batch->a, batch->b);
      benchmark::DoNotOptimize(hits.data());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(batch->a.size()) * state.iterations());
    state.counters["wrong"] = wrong;
  });
}

// ---- placed solids in a common form, from which each peer's objects are made ----

/// Rotation by columns and centre.
struct Placement {
  std::array<Vec3, 3> axes;
  Vec3 center;
};
Placement placement(const Sphere& s) { return {{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, s.center}; }
Placement placement(const OrientedBox& b) { return {b.axes, b.center}; }
Placement placement(const Capsule& c) {  // along its own z
  const Vec3 d = c.b - c.a;
  const double length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  const Vec3 z = d / length;
  const Vec3 h = std::abs(z.x) < .6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  Vec3 x(h.y * z.z - h.z * z.y, h.z * z.x - h.x * z.z, h.x * z.y - h.y * z.x);
  x = x / std::sqrt(x.x * x.x + x.y * x.y + x.z * x.z);
  return {{x, Vec3(z.y * x.z - z.z * x.y, z.z * x.x - z.x * x.z, z.x * x.y - z.y * x.x), z}, (c.a + c.b) * .5};
}
double length(const Capsule& c) {
  const Vec3 d = c.b - c.a;
  return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

// ---- FCL: the narrow phase solver called directly, without contacts: faster than fcl::collide, which finds it by table and collects results ----

fcl::Sphered fcl_shape(const Sphere& s) { return fcl::Sphered(s.radius); }
fcl::Boxd fcl_shape(const OrientedBox& b) { return fcl::Boxd(2 * b.half.x, 2 * b.half.y, 2 * b.half.z); }
fcl::Capsuled fcl_shape(const Capsule& c) { return fcl::Capsuled(c.radius, length(c)); }
fcl::Vector3d fcl_point(const Vec3& p) { return {p.x, p.y, p.z}; }
fcl::Transform3d fcl_transform(const Placement& p) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) t.linear().col(i) = fcl_point(p.axes[static_cast<std::size_t>(i)]);
  t.translation() = fcl_point(p.center);
  return t;
}

template <class A, class B>
struct FclPair {
  A a;
  B b;
  fcl::Transform3d pose_a, pose_b;
};

template <class A, class B>
auto fcl_pairs(const Pairs<A, B>& pairs) {
  using FA = decltype(fcl_shape(pairs.a[0]));
  using FB = decltype(fcl_shape(pairs.b[0]));
  std::vector<FclPair<FA, FB>> out;
  out.reserve(pairs.a.size());
  for (std::size_t i = 0; i < pairs.a.size(); ++i)
    out.push_back({fcl_shape(pairs.a[i]), fcl_shape(pairs.b[i]), fcl_transform(placement(pairs.a[i])), fcl_transform(placement(pairs.b[i]))});
  return out;
}

template <class A, class B>
void contest_fcl(const std::string& row, const Pairs<A, B>& pairs) {
  contest(row + "/FCL", fcl_pairs(pairs), pairs.truth,
          [solver = fcl::detail::GJKSolver_libccdd()](const auto& p) { return solver.shapeIntersect(p.a, p.pose_a, p.b, p.pose_b, nullptr); });
}
void contest_fcl_distance(const std::string& row,
                          const Pairs<Capsule, Capsule>& pairs) {  // the distance has a closed form there, the intersection test has none
  contest(row + "/FCL", fcl_pairs(pairs), pairs.truth, [solver = fcl::detail::GJKSolver_libccdd()](const auto& p) {
    double distance = 0;
    fcl::Vector3d on_a, on_b;  // Debian's build asserts that contacts are requested
    return !solver.shapeDistance(p.a, p.pose_a, p.b, p.pose_b, &distance, &on_a, &on_b) || distance <= 0;
  });
}

// ---- Bullet: its detectors called directly, in single precision as Debian builds it ----

btVector3 bt_point(const Vec3& p) { return {static_cast<btScalar>(p.x), static_cast<btScalar>(p.y), static_cast<btScalar>(p.z)}; }
btTransform bt_transform(const Placement& p) {
  const auto& a = p.axes;
  const auto f = [](double x) { return static_cast<btScalar>(x); };
  return btTransform(btMatrix3x3(f(a[0].x), f(a[1].x), f(a[2].x), f(a[0].y), f(a[1].y), f(a[2].y), f(a[0].z), f(a[1].z), f(a[2].z)), bt_point(p.center));
}
std::unique_ptr<btConvexShape> bt_shape(const Sphere& s) { return std::make_unique<btSphereShape>(static_cast<btScalar>(s.radius)); }
std::unique_ptr<btConvexShape> bt_shape(const OrientedBox& b) { return std::make_unique<btBoxShape>(bt_point(b.half)); }
std::unique_ptr<btConvexShape> bt_shape(const Capsule& c) {
  return std::make_unique<btCapsuleShapeZ>(static_cast<btScalar>(c.radius), static_cast<btScalar>(length(c)));
}
std::unique_ptr<btConvexShape> bt_shape(const Triangle& t) {
  auto shape = std::make_unique<btTriangleShape>(bt_point(t.points[0]), bt_point(t.points[1]), bt_point(t.points[2]));
  shape->setMargin(0);
  return shape;
}
Placement placement(const Triangle&) { return {{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, Vec3(0, 0, 0)}; }

struct BulletPair {
  std::shared_ptr<btConvexShape> a, b;
  btTransform pose_a, pose_b;
};
template <class A, class B>
std::vector<BulletPair> bullet_pairs(const Pairs<A, B>& pairs) {
  std::vector<BulletPair> out;
  for (std::size_t i = 0; i < pairs.a.size(); ++i)
    out.push_back({bt_shape(pairs.a[i]), bt_shape(pairs.b[i]), bt_transform(placement(pairs.a[i])), bt_transform(placement(pairs.b[i]))});
  return out;
}

struct AnyContact final : btDiscreteCollisionDetectorInterface::Result {
  bool found = false;
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3&, const btVector3&, btScalar depth) override { found |= depth <= 0; }
};

template <class A, class B>
void contest_bullet_gjk(const std::string& row, const Pairs<A, B>& pairs) {
  contest(row + "/Bullet", bullet_pairs(pairs), pairs.truth, [](const BulletPair& p) {
    static btVoronoiSimplexSolver simplex;
    static btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector(p.a.get(), p.b.get(), &simplex, &depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = p.pose_a;
    input.m_transformB = p.pose_b;
    const btScalar margin = p.a->getMargin() + p.b->getMargin() + btScalar(1e-5);
    input.m_maximumDistanceSquared = margin * margin;  // beyond it only the result "apart" is needed
    AnyContact result;
    detector.getClosestPoints(input, result, nullptr);
    return result.found;
  });
}
void contest_bullet(const std::string& row, const Pairs<OrientedBox, OrientedBox>& pairs) {
  contest(row + "/Bullet", bullet_pairs(pairs), pairs.truth, [](const BulletPair& p) {
    btBoxBoxDetector detector(static_cast<const btBoxShape*>(p.a.get()), static_cast<const btBoxShape*>(p.b.get()));
    btBoxBoxDetector::ClosestPointInput input;
    input.m_transformA = p.pose_a;
    input.m_transformB = p.pose_b;
    AnyContact result;
    detector.getClosestPoints(input, result, nullptr);
    return result.found;
  });
}
void contest_bullet(const std::string& row, const Pairs<Sphere, Triangle>& pairs) {
  contest(row + "/Bullet", bullet_pairs(pairs), pairs.truth, [](const BulletPair& p) {
    SphereTriangleDetector detector(static_cast<btSphereShape*>(p.a.get()), static_cast<btTriangleShape*>(p.b.get()), 0);
    SphereTriangleDetector::ClosestPointInput input;
    input.m_transformA = p.pose_a;
    input.m_transformB = p.pose_b;
    AnyContact result;
    detector.getClosestPoints(input, result, nullptr);
    return result.found;
  });
}

// ---- ODE: dCollide on geoms, one contact ----

void ode_place(dGeomID geom, const Placement& p) {
  const auto& a = p.axes;
  const dMatrix3 r{a[0].x, a[1].x, a[2].x, 0, a[0].y, a[1].y, a[2].y, 0, a[0].z, a[1].z, a[2].z, 0};
  dGeomSetRotation(geom, r);
  dGeomSetPosition(geom, p.center.x, p.center.y, p.center.z);
}
dGeomID ode_geom(const Sphere& s) { return dCreateSphere(nullptr, s.radius); }
dGeomID ode_geom(const OrientedBox& b) { return dCreateBox(nullptr, 2 * b.half.x, 2 * b.half.y, 2 * b.half.z); }
dGeomID ode_geom(const Capsule& c) { return dCreateCapsule(nullptr, c.radius, length(c)); }
template <class S>
dGeomID ode_placed(const S& s) {
  const dGeomID geom = ode_geom(s);
  ode_place(geom, placement(s));
  return geom;
}
dGeomID ode_placed(const Segment& s) {
  const Vec3 d = s.b - s.a;
  const dGeomID geom = dCreateRay(nullptr, std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z));
  dGeomRaySet(geom, s.a.x, s.a.y, s.a.z, d.x, d.y, d.z);
  return geom;
}
dGeomID ode_placed(const Box& b) {
  const Vec3 size = b.max - b.min, center = b.center();
  const dGeomID geom = dCreateBox(nullptr, size.x, size.y, size.z);
  dGeomSetPosition(geom, center.x, center.y, center.z);
  return geom;
}

template <class A, class B>
void contest_ode(const std::string& row, const Pairs<A, B>& pairs) {
  std::vector<std::pair<dGeomID, dGeomID>> geoms;  // not freed until the process ends
  for (std::size_t i = 0; i < pairs.a.size(); ++i) geoms.emplace_back(ode_placed(pairs.a[i]), ode_placed(pairs.b[i]));
  contest(row + "/ODE", geoms, pairs.truth, [](const std::pair<dGeomID, dGeomID>& p) {
    dContactGeom contact;
    return dCollide(p.first, p.second, 1, &contact, sizeof contact) > 0;  // with CONTACTS_UNIMPORTANT its boxes miss 8 % of the overlaps
  });
}

// ---- CGAL ----

template <class K>
typename K::Point_3 cgal_point(const Vec3& p) {
  return {p.x, p.y, p.z};
}
template <class K>
typename K::Triangle_3 cgal_shape(const Triangle& t) {
  return {cgal_point<K>(t.points[0]), cgal_point<K>(t.points[1]), cgal_point<K>(t.points[2])};
}
template <class K>
typename K::Segment_3 cgal_shape(const Segment& s) {
  return {cgal_point<K>(s.a), cgal_point<K>(s.b)};
}
template <class K>
CGAL::Bbox_3 cgal_shape(const Box& b) {
  return {b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
}
template <class K, class A, class B>
void contest_cgal_kernel(const std::string& name, const Pairs<A, B>& pairs) {
  std::vector<std::pair<decltype(cgal_shape<K>(pairs.a[0])), decltype(cgal_shape<K>(pairs.b[0]))>> own;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) own.emplace_back(cgal_shape<K>(pairs.a[i]), cgal_shape<K>(pairs.b[i]));
  contest(name, own, pairs.truth, [](const auto& p) { return CGAL::do_intersect(p.first, p.second); });
}
template <class A, class B>
void contest_cgal(const std::string& row, const Pairs<A, B>& pairs) {
  contest_cgal_kernel<CGAL::Simple_cartesian<double>>(row + "/CGAL double", pairs);
  contest_cgal_kernel<CGAL::Exact_predicates_inexact_constructions_kernel>(row + "/CGAL exact", pairs);
}

// ---- the same kernels in doubles alone, without bounds, tiers or the guard of the floating-point environment: what exactness costs ----

struct PlainSide {
  Vec3 origin, normal;
  PlainSide(const Vec3& a, const Vec3& b, const Vec3& c) : origin(a) {
    const Vec3 u = b - a, v = c - a;
    normal = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  }
  double operator()(const Vec3& p) const {
    const Vec3 w = p - origin;
    return (normal.x * w.x + normal.y * w.y) + normal.z * w.z;
  }
};
[[gnu::noinline]] bool plain_intersects(const Sphere& a, const Sphere& b) {
  const Vec3 d = a.center - b.center;
  const double r = a.radius + b.radius;
  return (d.x * d.x + d.y * d.y) + d.z * d.z <= r * r;
}
[[gnu::noinline]] bool plain_intersects(const Triangle& a, const Triangle& b) {
  const Vec3 *p = a.points.data(), *q = b.points.data();
  const PlainSide plane_a(p[0], p[1], p[2]), plane_b(q[0], q[1], q[2]);
  const double p0 = plane_b(p[0]), p1 = plane_b(p[1]), p2 = plane_b(p[2]), q0 = plane_a(q[0]), q1 = plane_a(q[1]), q2 = plane_a(q[2]);
  const unsigned behind_p = (p0 < 0) | (p1 < 0) << 1 | (p2 < 0) << 2, behind_q = (q0 < 0) | (q1 < 0) << 1 | (q2 < 0) << 2;
  if ((behind_p == 0) | (behind_p == 7) | (behind_q == 0) | (behind_q == 7)) return false;
  static constexpr std::uint8_t alone[8] = {0, 0, 1, 2, 2, 1, 0, 0}, next[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  const unsigned i = alone[behind_p], j = alone[behind_q], a_behind = behind_p >> i & 1, b_behind = behind_q >> j & 1;
  const Vec3 &b0 = q[j], &b1 = q[next[j][a_behind]], &b2 = q[next[j][a_behind ^ 1]];
  return (PlainSide(p[i], b0, p[next[i][b_behind]])(b1) >= 0) & (PlainSide(p[i], b0, p[next[i][b_behind ^ 1]])(b2) <= 0);
}
[[gnu::noinline]] bool plain_intersects(const Segment& s, const Box& b) {
  bool apart = false;
  double d[3], sum[3], width[3];
  for (int k = 0; k < 3; ++k) {
    apart |= (std::max(s.a[k], s.b[k]) < b.min[k]) | (std::min(s.a[k], s.b[k]) > b.max[k]);
    const double low = b.min[k] - s.a[k], high = b.max[k] - s.a[k];
    d[k] = s.b[k] - s.a[k], sum[k] = high + low, width[k] = high - low;
  }
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    apart |= std::fabs(d[i] * sum[j] - d[j] * sum[i]) > std::fabs(d[i]) * width[j] + std::fabs(d[j]) * width[i];
  }
  return !apart;
}
template <class A, class B>
void contest_plain(const std::string& row, const Pairs<A, B>& pairs) {
  std::vector<std::pair<A, B>> own;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) own.emplace_back(pairs.a[i], pairs.b[i]);
  contest(row + "/plain double", own, pairs.truth, [](const std::pair<A, B>& p) { return plain_intersects(p.first, p.second); });
}

// ---- rows ----

template <class Make, class Peers>
void row(const std::string& name, const Make& make, const Peers& peers) {
  if (!wanted_rows.empty() && wanted_rows.find("," + name + ",") == std::string::npos) return;
  std::uint64_t seed = 1;
  for (const char c : name) seed = seed * 31 + static_cast<unsigned char>(c);
  const auto pairs = collect(pair_count, seed, make);
  contest_graze(name, pairs);
  peers(name, pairs);
}

template <class A, class B>
auto two(A (*first)(Random&), B (*second)(Random&)) {
  return [first, second](Random& random) {
    const A a = first(random);
    return std::pair<A, B>(a, second(random));
  };
}

void register_rows() {
  const auto spheres = [](const std::string& name, const auto& pairs) {
    contest_fcl(name, pairs);
    contest_bullet_gjk(name, pairs);
    contest_ode(name, pairs);
  };
  row("sphere-sphere/plain", two(random_sphere, random_sphere), spheres);
  row("sphere-sphere/touching", touching_spheres, spheres);
  row("sphere-sphere/hostile", hostile_spheres, spheres);
  const auto boxes = [](const std::string& name, const auto& pairs) {
    contest_fcl(name, pairs);
    contest_bullet(name, pairs);
    contest_ode(name, pairs);
  };
  row("box-box/plain", two(random_oriented_box, random_oriented_box), boxes);
  row("box-box/touching", touching_boxes, boxes);
  row("box-box/hostile", hostile_boxes, boxes);
  row("capsule-capsule/plain", two(random_capsule, random_capsule), [](const std::string& name, const auto& pairs) {
    contest_fcl_distance(name, pairs);
    contest_bullet_gjk(name, pairs);
    contest_ode(name, pairs);
  });
  row("sphere-triangle/plain", two(random_sphere, random_triangle), [](const std::string& name, const auto& pairs) {
    struct Pair {
      fcl::Sphered sphere;
      fcl::Transform3d pose;
      fcl::Vector3d p, q, r;
    };
    std::vector<Pair> own;
    for (std::size_t i = 0; i < pairs.a.size(); ++i) {
      const auto& t = pairs.b[i].points;
      own.push_back({fcl_shape(pairs.a[i]), fcl_transform(placement(pairs.a[i])), fcl_point(t[0]), fcl_point(t[1]), fcl_point(t[2])});
    }
    contest(name + "/FCL", std::move(own), pairs.truth,
            [solver = fcl::detail::GJKSolver_libccdd()](const Pair& p) { return solver.shapeTriangleIntersect(p.sphere, p.pose, p.p, p.q, p.r); });
    contest_bullet(name, pairs);
  });
  const auto triangles = [](const std::string& name, const auto& pairs) {
    std::vector<std::array<fcl::Vector3d, 6>> own;
    for (std::size_t i = 0; i < pairs.a.size(); ++i) {
      const auto &s = pairs.a[i].points, &t = pairs.b[i].points;
      own.push_back({fcl_point(s[0]), fcl_point(s[1]), fcl_point(s[2]), fcl_point(t[0]), fcl_point(t[1]), fcl_point(t[2])});
    }
    contest(name + "/FCL", std::move(own), pairs.truth,
            [](const auto& p) { return fcl::detail::Intersectd::intersect_Triangle(p[0], p[1], p[2], p[3], p[4], p[5]); });
    contest_cgal(name, pairs);
  };
  row("triangle-triangle/plain", two(random_triangle, random_triangle), triangles);
  row("triangle-triangle/touching", touching_triangles, triangles);
  row("triangle-triangle/hostile", hostile_triangles, triangles);
  row("segment-box/plain", two(random_segment, random_box), [](const std::string& name, const auto& pairs) {
    contest_cgal(name, pairs);
    contest_ode(name, pairs);
  });
  const auto solids = [](const std::string& name, const auto& pairs) {
    contest_fcl(name, pairs);
    contest_bullet_gjk(name, pairs);
    contest_ode(name, pairs);
  };
  const auto plain = [](const std::string& name, const auto& pairs) { contest_plain(name, pairs); };
  row("exactness of sphere-sphere/plain", two(random_sphere, random_sphere), plain);
  row("exactness of sphere-sphere/touching", touching_spheres, plain);
  row("exactness of triangle-triangle/plain", two(random_triangle, random_triangle), plain);
  row("exactness of triangle-triangle/touching", touching_triangles, plain);
  row("exactness of segment-box/plain", two(random_segment, random_box), plain);
  row("exactness of segment-box/touching", touching_segments, plain);
  row("sphere-box/plain", two(random_sphere, random_oriented_box), solids);
  row("sphere-capsule/plain", two(random_sphere, random_capsule), solids);
  row("box-capsule/plain", two(random_oriented_box, random_capsule), solids);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--pairs=", 8) == 0) {
      bench::pair_count = std::strtoull(argv[i] + 8, nullptr, 10);
    } else if (std::strncmp(argv[i], "--rows=", 7) == 0) {
      bench::wanted_rows = "," + std::string(argv[i] + 7) + ",";
    } else {
      std::fprintf(stderr, "primitive_pairs_bench: unknown argument %s\n", argv[i]);
      return 2;
    }
  }
  dInitODE2(0);
  if (dCheckConfiguration("ODE_double_precision") != 1) {
    std::fprintf(stderr, "primitive_pairs_bench: ODE's library is not in double precision as its headers say\n");
    return 4;
  }
  graze::set_threads(1);
  bench::register_rows();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
