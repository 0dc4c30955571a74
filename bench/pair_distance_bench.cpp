// Distances of pairs of shapes: Graze against FCL and Bullet on the same inputs in one process. Rows of hulls also decide yes or no.
// pair_distance_bench [--pairs=N] [--rows=a,b,...] [Google Benchmark's options]; names are row/input/peer. "apart": random pairs that do not meet; "near": the
// same, moved until they are at most a hundredth apart; "mixed" (hulls): half of them overlap; "with a hint": that of the pair's last distance. The counter
// "error" is the greatest relative difference from Graze's distance (for yes or no, "wrong" counts the differences), "integers" the share of Graze's answers
// that took integers. Peers' objects are built before the clock starts.
#include <benchmark/benchmark.h>

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <btBulletCollisionCommon.h>

#include <fcl/fcl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <graze/explain.hpp>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/pair_inputs.hpp"

namespace bench {
namespace {

std::size_t pair_count = 200000;
std::string wanted_rows;  // ",a,b," or empty for all

// ---- placed solids in a common form, from which each peer's objects are made ----

struct Placement {
  std::array<Vec3, 3> axes{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  Vec3 center{0, 0, 0};
};
double length(const Vec3& d) { return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z); }

/// A hull of points on a sphere, and its place.
struct PlacedHull {
  std::shared_ptr<const Hull> hull;
  Pose pose;
  operator Placed() const { return at(*hull, pose); }
};

/// A cylinder, cone or ellipsoid about the origin, and its place.
template <class S>
struct PlacedCurve {
  S shape;
  Pose pose;
  operator Placed() const { return at(shape, pose); }
};
template <class S>
concept HasPose = requires(const S& s) {
  s.pose;
};

Placement placement(const Sphere& s) { return {.center = s.center}; }
Placement placement(const Triangle&) { return {}; }
Placement placement(const OrientedBox& b) { return {b.axes, b.center}; }
Placement placement(const Capsule& c) {  // along its own z
  const Vec3 z = (c.b - c.a) / length(c.b - c.a);
  Vec3 x = cross(std::abs(z.x) < .6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0), z);
  x = x / length(x);
  return {{x, cross(z, x), z}, (c.a + c.b) * .5};
}
template <HasPose S>
Placement placement(const S& h) {
  const auto& r = h.pose.rotation;
  return {{Vec3(r[0][0], r[1][0], r[2][0]), Vec3(r[0][1], r[1][1], r[2][1]), Vec3(r[0][2], r[1][2], r[2][2])}, h.pose.translation};
}

void move(Sphere& s, const Vec3& by) { s.center += by; }
void move(OrientedBox& b, const Vec3& by) { b.center += by; }
template <HasPose S>
void move(S& h, const Vec3& by) {
  h.pose.translation += by;
}
void move(Capsule& c, const Vec3& by) { c.a += by, c.b += by; }
void move(Triangle& t, const Vec3& by) {
  for (Vec3& p : t.points) p += by;
}

template <class A, class B>
Closest ask(const A& a, const B& b) {
  if constexpr (HasPose<A> && HasPose<B>)
    return closest(Placed(a), Placed(b));
  else if constexpr (HasPose<A>)
    return closest(Placed(a), b);
  else if constexpr (HasPose<B>)
    return closest(a, Placed(b));
  else
    return closest(a, b);
}
/// A pair that rests, with the hint of its last distance.
template <class P>
struct Hinted {
  P pair;
  mutable PairHint hint = {};
};
template <class P>
double hinted_distance(const Hinted<P>& p) {
  const auto placed = [](const auto& s) -> decltype(auto) {
    if constexpr (HasPose<std::remove_cvref_t<decltype(s)>>)
      return Placed(s);
    else
      return (s);
  };
  return closest(placed(p.pair.first), placed(p.pair.second), p.hint).distance;
}
bool meet(const PlacedHull& a, const PlacedHull& b) { return intersects(Placed(a), Placed(b)); }

// ---- FCL: the narrow phase solver called directly ----

fcl::Vector3d fcl_point(const Vec3& p) { return {p.x, p.y, p.z}; }
std::shared_ptr<fcl::Sphered> fcl_shape(const Sphere& s) { return std::make_shared<fcl::Sphered>(s.radius); }
std::shared_ptr<fcl::Boxd> fcl_shape(const OrientedBox& b) { return std::make_shared<fcl::Boxd>(2 * b.half.x, 2 * b.half.y, 2 * b.half.z); }
std::shared_ptr<fcl::Capsuled> fcl_shape(const Capsule& c) { return std::make_shared<fcl::Capsuled>(c.radius, length(c.b - c.a)); }
std::shared_ptr<fcl::TrianglePd> fcl_shape(const Triangle& t) {
  return std::make_shared<fcl::TrianglePd>(fcl_point(t.points[0]), fcl_point(t.points[1]), fcl_point(t.points[2]));
}
std::shared_ptr<fcl::Convexd> fcl_shape(const PlacedHull& h) {
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const Vec3& p : h.hull->points()) points->push_back(fcl_point(p));
  auto faces = std::make_shared<std::vector<int>>();
  for (const auto& t : h.hull->triangles()) faces->insert(faces->end(), {3, static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
  return std::make_shared<fcl::Convexd>(points, static_cast<int>(h.hull->triangles().size()), faces);
}
std::shared_ptr<fcl::Cylinderd> fcl_shape(const PlacedCurve<Cylinder>& c) { return std::make_shared<fcl::Cylinderd>(c.shape.radius, 2 * c.shape.b.z); }
std::shared_ptr<fcl::Coned> fcl_shape(const PlacedCurve<Cone>& c) { return std::make_shared<fcl::Coned>(c.shape.radius, 2 * c.shape.b.z); }
std::shared_ptr<fcl::Ellipsoidd> fcl_shape(const PlacedCurve<Ellipsoid>& e) {
  return std::make_shared<fcl::Ellipsoidd>(e.shape.radii.x, e.shape.radii.y, e.shape.radii.z);
}
fcl::Transform3d fcl_transform(const Placement& p) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) t.linear().col(i) = fcl_point(p.axes[static_cast<std::size_t>(i)]);
  t.translation() = fcl_point(p.center);
  return t;
}

template <class A, class B>
struct FclPair {
  std::shared_ptr<A> a;
  std::shared_ptr<B> b;
  fcl::Transform3d pose_a, pose_b;
};
template <class A, class B>
auto fcl_pairs(const std::vector<std::pair<A, B>>& pairs) {
  using FA = typename decltype(fcl_shape(pairs[0].first))::element_type;
  using FB = typename decltype(fcl_shape(pairs[0].second))::element_type;
  std::vector<FclPair<FA, FB>> out;
  for (const auto& [a, b] : pairs) out.push_back({fcl_shape(a), fcl_shape(b), fcl_transform(placement(a)), fcl_transform(placement(b))});
  return out;
}
template <class A, class B>
double fcl_distance(const FclPair<A, B>& p) {
  static const fcl::detail::GJKSolver_libccdd solver;
  double distance = 0;
  fcl::Vector3d on_a, on_b;
  bool apart;
  if constexpr (std::is_same_v<A, fcl::TrianglePd> && std::is_same_v<B, fcl::TrianglePd>) {
    return fcl::detail::TriangleDistanced::triDistance(p.a->a, p.a->b, p.a->c, p.b->a, p.b->b, p.b->c, on_a, on_b);
  } else if constexpr (std::is_same_v<B, fcl::TrianglePd>) {
    apart = solver.shapeTriangleDistance(*p.a, p.pose_a, p.b->a, p.b->b, p.b->c, &distance, &on_a, &on_b);
  } else {
    apart = solver.shapeDistance(*p.a, p.pose_a, *p.b, p.pose_b, &distance, &on_a, &on_b);
  }
  return apart ? distance : 0;
}

// The same through fcl::distance on collision objects, as programs mostly call it.

struct FclObjects {
  std::shared_ptr<fcl::CollisionObjectd> a, b;
};
template <class A, class B>
std::vector<FclObjects> fcl_objects(const std::vector<std::pair<A, B>>& pairs) {
  std::vector<FclObjects> out;
  for (const auto& [a, b] : pairs)
    out.push_back({std::make_shared<fcl::CollisionObjectd>(fcl_shape(a), fcl_transform(placement(a))),
                   std::make_shared<fcl::CollisionObjectd>(fcl_shape(b), fcl_transform(placement(b)))});
  return out;
}
double fcl_object_distance(const FclObjects& p) {
  fcl::DistanceResultd result;
  return std::max(fcl::distance(p.a.get(), p.b.get(), fcl::DistanceRequestd(true), result), 0.0);
}

template <class A, class B>
bool fcl_meet(const FclPair<A, B>& p) {
  static const fcl::detail::GJKSolver_libccdd solver;
  return solver.shapeIntersect(*p.a, p.pose_a, *p.b, p.pose_b, nullptr);
}

// ---- Bullet: its pair detector called directly, in single precision as Debian builds it ----

btVector3 bt_point(const Vec3& p) { return {static_cast<btScalar>(p.x), static_cast<btScalar>(p.y), static_cast<btScalar>(p.z)}; }
btTransform bt_transform(const Placement& p) {
  const auto& a = p.axes;
  const auto f = [](double x) { return static_cast<btScalar>(x); };
  return btTransform(btMatrix3x3(f(a[0].x), f(a[1].x), f(a[2].x), f(a[0].y), f(a[1].y), f(a[2].y), f(a[0].z), f(a[1].z), f(a[2].z)), bt_point(p.center));
}
std::shared_ptr<btConvexShape> bt_shape(const Sphere& s) { return std::make_shared<btSphereShape>(static_cast<btScalar>(s.radius)); }
std::shared_ptr<btConvexShape> bt_shape(const OrientedBox& b) { return std::make_shared<btBoxShape>(bt_point(b.half)); }
std::shared_ptr<btConvexShape> bt_shape(const Capsule& c) {
  return std::make_shared<btCapsuleShapeZ>(static_cast<btScalar>(c.radius), static_cast<btScalar>(length(c.b - c.a)));
}
std::shared_ptr<btConvexShape> bt_shape(const Triangle& t) {
  auto shape = std::make_shared<btTriangleShape>(bt_point(t.points[0]), bt_point(t.points[1]), bt_point(t.points[2]));
  shape->setMargin(0);
  return shape;
}
std::shared_ptr<btConvexShape> bt_shape(const PlacedHull& h) {
  auto shape = std::make_shared<btConvexHullShape>();
  for (const Vec3& p : h.hull->points()) shape->addPoint(bt_point(p), false);
  shape->recalcLocalAabb();
  shape->setMargin(0);
  return shape;
}
std::shared_ptr<btConvexShape> bt_shape(const PlacedCurve<Cylinder>& c) {
  return std::make_shared<btCylinderShapeZ>(bt_point(Vec3(c.shape.radius, c.shape.radius, c.shape.b.z)));
}
std::shared_ptr<btConvexShape> bt_shape(const PlacedCurve<Cone>& c) {
  return std::make_shared<btConeShapeZ>(static_cast<btScalar>(c.shape.radius), static_cast<btScalar>(2 * c.shape.b.z));
}
/// Whether Bullet has both kinds of shape.
template <class A, class B>
concept BothInBullet = requires(const A& a, const B& b) {
  bt_shape(a);
  bt_shape(b);
};

struct BulletPair {
  std::shared_ptr<btConvexShape> a, b;
  btTransform pose_a, pose_b;
};
template <class A, class B>
std::vector<BulletPair> bullet_pairs(const std::vector<std::pair<A, B>>& pairs) {
  std::vector<BulletPair> out;
  for (const auto& [a, b] : pairs) out.push_back({bt_shape(a), bt_shape(b), bt_transform(placement(a)), bt_transform(placement(b))});
  return out;
}
struct FoundDistance final : btDiscreteCollisionDetectorInterface::Result {
  btScalar distance = 0;
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3&, const btVector3&, btScalar depth) override { distance = depth; }
};
double bullet_distance(const BulletPair& p) {
  static btVoronoiSimplexSolver simplex;
  static btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(p.a.get(), p.b.get(), &simplex, &depth);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = p.pose_a;
  input.m_transformB = p.pose_b;
  FoundDistance result;
  detector.getClosestPoints(input, result, nullptr);
  return std::max(static_cast<double>(result.distance), 0.0);
}

// ---- contestants ----

template <class P, class F>
void contest_distance(const std::string& name, std::vector<P> pairs, const std::vector<double>& truth, F distance, double integers = 0) {
  auto shared = std::make_shared<std::vector<P>>(std::move(pairs));
  double error = 0;
  for (std::size_t i = 0; i < shared->size(); ++i) error = std::max(error, std::abs(distance((*shared)[i]) - truth[i]) / truth[i]);
  benchmark::RegisterBenchmark(name.c_str(), [shared, distance, error, integers](benchmark::State& state) {
    for (auto _ : state) {
      double sum = 0;
      for (const P& p : *shared) sum += distance(p);
      benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(shared->size()) * state.iterations());
    state.counters["error"] = error;
    if (integers >= 0) state.counters["integers"] = integers;
  });
}

template <class A, class B>
void contest_batch(const std::string& name, const std::vector<std::pair<A, B>>& pairs, const std::vector<double>& truth) {
  struct Batch {
    std::vector<A> a;
    std::vector<B> b;
    std::vector<Closest> out;
  };
  auto batch = std::make_shared<Batch>();
  for (const auto& [a, b] : pairs) batch->a.push_back(a), batch->b.push_back(b);
  batch->out.resize(pairs.size());
  const auto find = [batch] { closest(std::span<const A>(batch->a), std::span<const B>(batch->b), std::span<Closest>(batch->out)); };
  find();
  double error = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) error = std::max(error, std::abs(batch->out[i].distance - truth[i]) / truth[i]);
  benchmark::RegisterBenchmark(name.c_str(), [batch, find, error](benchmark::State& state) {
    for (auto _ : state) {
      find();
      benchmark::DoNotOptimize(batch->out.data());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(batch->out.size()) * state.iterations());
    state.counters["error"] = error;
  });
}

bool wanted(const std::string& name) { return wanted_rows.empty() || wanted_rows.find("," + name + ",") != std::string::npos; }

std::uint64_t seed_of(const std::string& name) {
  std::uint64_t seed = 1;
  for (const char c : name) seed = seed * 31 + static_cast<unsigned char>(c);
  return seed;
}

/// Pairs that are apart. With `near`, B is moved towards A along the shortest way until at most a hundredth is left.
template <class Make>
auto apart(std::size_t count, std::uint64_t seed, bool near, const Make& make) {
  Random random(seed);
  std::vector<decltype(make(random))> out;
  while (out.size() < count) {
    auto pair = make(random);
    const Closest c = ask(pair.first, pair.second);
    if (c.distance == 0) continue;
    if (near) {
      const double left = random.uniform(0, .01);
      if (c.distance < left) continue;
      move(pair.second, (c.on_a - c.on_b) * (1 - left / c.distance));
      if (ask(pair.first, pair.second).distance == 0) continue;
    }
    out.push_back(std::move(pair));
  }
  return out;
}

/// `hinted`: Graze's distances with a hint.
template <class Make>
void distance_row(const std::string& name, std::size_t count, const Make& make, bool hinted = false) {
  for (const bool near : {false, true}) {
    const std::string row = name + (near ? "/near" : "/apart");
    if (!wanted(row)) continue;
    const auto pairs = apart(count, seed_of(row), near, make);
    using Pair = typename std::remove_cvref_t<decltype(pairs)>::value_type;
    std::vector<double> truth;
    graze::reset_tier_counts();
    for (const Pair& p : pairs) truth.push_back(ask(p.first, p.second).distance);
    const double integers = static_cast<double>(graze::tier_counts().big) / static_cast<double>(pairs.size());
    if (hinted) {
      std::vector<Hinted<Pair>> own;
      for (const Pair& p : pairs) own.push_back({p});
      contest_distance(row + "/Graze", own, truth, hinted_distance<Pair>, integers);
    } else {
      const auto own = [](const Pair& p) { return ask(p.first, p.second).distance; };
      contest_distance(row + "/Graze", pairs, truth, own, integers);
      if constexpr (FrequentPair<typename Pair::first_type, typename Pair::second_type>) contest_batch(row + "/Graze batch", pairs, truth);
    }
    const auto fcl = fcl_pairs(pairs);
    contest_distance(
        row + "/FCL", fcl, truth, [](const auto& p) { return fcl_distance(p); }, -1);
    if constexpr (!std::is_same_v<typename Pair::second_type, Triangle>)  // for which fcl::distance has no function
      contest_distance(row + "/FCL objects", fcl_objects(pairs), truth, fcl_object_distance, -1);
    if constexpr (BothInBullet<typename Pair::first_type, typename Pair::second_type>)
      contest_distance(row + "/Bullet", bullet_pairs(pairs), truth, bullet_distance, -1);
  }
}

template <class A, class B>
auto two(A (*first)(Random&), B (*second)(Random&)) {
  return [first, second](Random& random) {
    A a = first(random);
    return std::pair<A, B>(std::move(a), second(random));
  };
}

Pose anywhere(Random& random) {
  const Vec3 axis = random.direction();
  return Pose::from_quaternion(random.uniform(-1, 1), axis.x, axis.y, axis.z, random.in_cube(1));
}
template <class S>
PlacedCurve<S> random_curve(Random& random) {
  if constexpr (std::is_same_v<S, Ellipsoid>) {
    const Vec3 radii(random.uniform(.1, .5), random.uniform(.1, .5), random.uniform(.1, .5));
    return {{{0, 0, 0}, radii}, anywhere(random)};
  } else {
    const double half = random.uniform(.1, .5), radius = random.uniform(.05, .4);
    return {{{0, 0, -half}, {0, 0, half}, radius}, anywhere(random)};
  }
}

std::pair<PlacedHull, PlacedHull> hulls(Random& random, int points) {
  static std::vector<std::shared_ptr<const Hull>> known[512];
  auto& some = known[points];
  while (some.size() < 64) {
    std::vector<Vec3> p;
    for (int i = 0; i < points; ++i) p.push_back(random.direction() * random.uniform(.45, .5));
    some.push_back(std::make_shared<const Hull>(p));
  }
  const auto place = [&] {
    const Pose pose = anywhere(random);
    return PlacedHull{some[static_cast<std::size_t>(random.integer(0, 63))], pose};
  };
  PlacedHull a = place();
  return {std::move(a), place()};
}

void hull_rows(int points) {
  const auto make = [points](Random& random) { return hulls(random, points); };
  const std::size_t count = pair_count / 10;
  distance_row("hull distance " + std::to_string(points), count, make);
  distance_row("hull distance with a hint " + std::to_string(points), count, make, true);
  const std::string row = "hull-hull " + std::to_string(points) + "/mixed";
  if (!wanted(row)) return;
  Random random(seed_of(row));
  std::vector<std::pair<PlacedHull, PlacedHull>> pairs;
  std::vector<bool> truth;
  while (pairs.size() < count) {
    const bool hit = random.coin();
    auto pair = make(random);
    while (meet(pair.first, pair.second) != hit) pair = make(random);
    pairs.push_back(std::move(pair));
    truth.push_back(hit);
  }
  graze::reset_tier_counts();
  for (const auto& p : pairs) benchmark::DoNotOptimize(meet(p.first, p.second));
  const double integers = static_cast<double>(graze::tier_counts().big) / static_cast<double>(pairs.size());
  const auto contest = [&](const std::string& name, auto own, const auto& hit, double share) {
    double wrong = 0;
    for (std::size_t i = 0; i < own.size(); ++i) wrong += hit(own[i]) != truth[i];
    auto shared = std::make_shared<decltype(own)>(std::move(own));
    benchmark::RegisterBenchmark((row + name).c_str(), [shared, hit, wrong, share](benchmark::State& state) {
      for (auto _ : state) {
        std::size_t hits = 0;
        for (const auto& p : *shared) hits += hit(p) ? 1 : 0;
        benchmark::DoNotOptimize(hits);
      }
      state.SetItemsProcessed(static_cast<std::int64_t>(shared->size()) * state.iterations());
      state.counters["wrong"] = wrong;
      if (share >= 0) state.counters["integers"] = share;
    });
  };
  contest(
      "/Graze", pairs, [](const auto& p) { return meet(p.first, p.second); }, integers);
  contest(
      "/FCL", fcl_pairs(pairs), [](const auto& p) { return fcl_meet(p); }, -1);
}

void register_rows() {
  distance_row("sphere-sphere distance", pair_count, two(random_sphere, random_sphere));
  distance_row("sphere-capsule distance", pair_count, two(random_sphere, random_capsule));
  distance_row("capsule-capsule distance", pair_count, two(random_capsule, random_capsule));
  distance_row("sphere-box distance", pair_count, two(random_sphere, random_oriented_box));
  distance_row("sphere-triangle distance", pair_count, two(random_sphere, random_triangle));
  distance_row("triangle-triangle distance", pair_count, two(random_triangle, random_triangle));
  distance_row("box-capsule distance", pair_count / 4, two(random_oriented_box, random_capsule));
  distance_row("capsule-triangle distance", pair_count / 4, two(random_capsule, random_triangle));
  distance_row("box-triangle distance", pair_count / 4, two(random_oriented_box, random_triangle));
  distance_row("box-box distance", pair_count / 4, two(random_oriented_box, random_oriented_box));
  distance_row("box-box distance with a hint", pair_count / 4, two(random_oriented_box, random_oriented_box), true);
  const auto curved = [&](const std::string& name, auto first, auto second) { distance_row(name + " distance", pair_count / 10, two(first, second)); };
  curved("cylinder-cylinder", random_curve<Cylinder>, random_curve<Cylinder>);
  curved("cylinder-box", random_curve<Cylinder>, random_oriented_box);
  curved("cone-box", random_curve<Cone>, random_oriented_box);
  curved("sphere-cylinder", random_sphere, random_curve<Cylinder>);
  curved("ellipsoid-ellipsoid", random_curve<Ellipsoid>, random_curve<Ellipsoid>);
  curved("ellipsoid-box", random_curve<Ellipsoid>, random_oriented_box);
  for (const int points : {30, 100, 400}) hull_rows(points);
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
      std::fprintf(stderr, "pair_distance_bench: unknown argument %s\n", argv[i]);
      return 2;
    }
  }
  graze::set_threads(1);
  bench::register_rows();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
