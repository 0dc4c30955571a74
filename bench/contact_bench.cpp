// Depths, contacts and contact manifolds of overlapping pairs, with and without hints: Graze against ODE and Bullet on the same inputs in one process.
// contact_bench [--pairs=N] [--rows=a,b,...] [Google Benchmark's options]; names are row/class/peer. The counter "wrong" is the number of depths that differ
// from Graze's, which are certified, by more than 1 %; "integers" is the share of Graze's queries that needed integers.
#include <benchmark/benchmark.h>
#include <ode/ode.h>
#include <graze/explain.hpp>

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/pair_inputs.hpp"

namespace bench {
namespace {

std::size_t pair_count = 2000;
std::string wanted_rows;  // ",a,b," or empty for all

/// A shape and its pose. Graze's queries take `at(shape, pose)`.
template <class S>
struct Body {
  S shape;
  Pose pose;
  ShapeRef ref() const { return placed; }
  Placed placed = at(shape, pose);
  mutable PairHint hint = {};  ///< of the pair of which this is the first
  Body(S s, const Pose& p) : shape(std::move(s)), pose(p) {}
  Body(const Body& b) : shape(b.shape), pose(b.pose) {}
};
template <class A, class B>
using BodyPairs = std::vector<std::pair<Body<A>, Body<B>>>;

Pose random_pose(Random& random, double far) {
  double q[4];
  for (double& x : q) x = random.uniform(-1, 1);
  return Pose::from_quaternion(q[0], q[1], q[2], q[3], random.in_cube(far));
}

/// Pairs with a depth.
template <class Make>
auto overlapping(const Make& make, std::uint64_t seed) {
  Random random(seed);
  std::vector<decltype(make(random))> out;
  while (out.size() < pair_count) {
    auto p = make(random);
    if (penetration(p.first.ref(), p.second.ref()).value) out.push_back(p);
  }
  return out;
}

/// Registers one contestant. `depth(pair)` returns the depth that it found.
template <class P, class F>
void contest(const std::string& name, std::vector<P> pairs, const std::vector<double>& truth, F depth) {
  auto shared = std::make_shared<std::vector<P>>(std::move(pairs));
  double wrong = 0;
  reset_tier_counts();
  for (std::size_t i = 0; i < shared->size(); ++i) wrong += !(std::fabs(depth((*shared)[i]) - truth[i]) <= .01 * truth[i]);
  const double integers = static_cast<double>(tier_counts().big) / static_cast<double>(shared->size());
  const bool own = name.find("/Graze") != std::string::npos;
  benchmark::RegisterBenchmark(name.c_str(), [shared, depth, wrong, integers, own](benchmark::State& state) {
    for (auto _ : state) {
      double sum = 0;
      for (P& p : *shared) sum += depth(p);
      benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(shared->size()) * state.iterations());
    state.counters["wrong"] = wrong;
    if (own) state.counters["integers"] = integers;
  });
}

// ---- ODE ----

void ode_place(dGeomID geom, const Pose& pose) {
  dMatrix3 r;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) r[4 * i + k] = pose.rotation[i][k];
    r[4 * i + 3] = 0;
  }
  dGeomSetRotation(geom, r);
  dGeomSetPosition(geom, pose.translation.x, pose.translation.y, pose.translation.z);
}
dGeomID ode_geom(const Box& b) { return dCreateBox(nullptr, b.max.x - b.min.x, b.max.y - b.min.y, b.max.z - b.min.z); }
dGeomID ode_geom(const Sphere& s) { return dCreateSphere(nullptr, s.radius); }
dGeomID ode_geom(const Capsule& c) { return dCreateCapsule(nullptr, c.radius, c.b.z - c.a.z); }

template <class A, class B>
void contest_ode(const std::string& row, const BodyPairs<A, B>& pairs, const std::vector<double>& truth, int most) {
  std::vector<std::pair<dGeomID, dGeomID>> geoms;  // not freed until the process ends
  for (const auto& [a, b] : pairs) {
    geoms.emplace_back(ode_geom(a.shape), ode_geom(b.shape));
    ode_place(geoms.back().first, a.pose);
    ode_place(geoms.back().second, b.pose);
  }
  contest(row + "/ODE", geoms, truth, [most](const std::pair<dGeomID, dGeomID>& p) {
    dContactGeom contact[8];
    const int n = dCollide(p.first, p.second, most, contact, sizeof contact[0]);
    double deepest = 0;
    for (int i = 0; i < n; ++i) deepest = std::max(deepest, static_cast<double>(contact[i].depth));
    return deepest;
  });
}

// ---- Bullet, in single precision as Debian builds it ----

btVector3 bt_point(const Vec3& p) { return {static_cast<btScalar>(p.x), static_cast<btScalar>(p.y), static_cast<btScalar>(p.z)}; }
btTransform bt_transform(const Pose& p) {
  const auto f = [&](int i, int k) { return static_cast<btScalar>(p.rotation[i][k]); };
  return btTransform(btMatrix3x3(f(0, 0), f(0, 1), f(0, 2), f(1, 0), f(1, 1), f(1, 2), f(2, 0), f(2, 1), f(2, 2)), bt_point(p.translation));
}
std::shared_ptr<btConvexShape> bt_shape(const Box& b) { return std::make_shared<btBoxShape>(bt_point(b.max)); }
std::shared_ptr<btConvexShape> bt_shape(const Sphere& s) { return std::make_shared<btSphereShape>(static_cast<btScalar>(s.radius)); }
std::shared_ptr<btConvexShape> bt_shape(const Capsule& c) {
  return std::make_shared<btCapsuleShapeZ>(static_cast<btScalar>(c.radius), static_cast<btScalar>(c.b.z - c.a.z));
}
std::shared_ptr<btConvexShape> bt_shape(const Hull& h) {
  auto shape = std::make_shared<btConvexHullShape>();
  for (const std::uint32_t i : h.corners()) shape->addPoint(bt_point(h.points()[i]), false);
  shape->recalcLocalAabb();
  shape->setMargin(0);
  return shape;
}

std::shared_ptr<btConvexShape> bt_shape(const Cylinder& c) {
  const auto r = static_cast<btScalar>(c.radius);
  return std::make_shared<btCylinderShapeZ>(btVector3(r, r, static_cast<btScalar>(c.b.z)));
}
std::shared_ptr<btConvexShape> bt_shape(const Cone& c) {
  return std::make_shared<btConeShapeZ>(static_cast<btScalar>(c.radius), static_cast<btScalar>(c.b.z - c.a.z));
}

struct BulletPair {
  std::shared_ptr<btConvexShape> a, b;
  btTransform pose_a, pose_b;
};
struct Deepest final : btDiscreteCollisionDetectorInterface::Result {
  double depth = 0;
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3&, const btVector3&, btScalar distance) override { depth = std::max(depth, -static_cast<double>(distance)); }
};
template <class Detector, class... More>
double bullet_depth(const BulletPair& p, Detector& detector) {
  btDiscreteCollisionDetectorInterface::ClosestPointInput input;
  input.m_transformA = p.pose_a;
  input.m_transformB = p.pose_b;
  Deepest result;
  detector.getClosestPoints(input, result, nullptr);
  return result.depth;
}
template <class A, class B>
void contest_bullet(const std::string& row, const BodyPairs<A, B>& pairs, const std::vector<double>& truth) {
  std::vector<BulletPair> own;
  for (const auto& [a, b] : pairs) own.push_back({bt_shape(a.shape), bt_shape(b.shape), bt_transform(a.pose), bt_transform(b.pose)});
  contest(row + "/Bullet", own, truth, [](const BulletPair& p) {
    if constexpr (std::is_same_v<A, Box> && std::is_same_v<B, Box>) {
      btBoxBoxDetector detector(static_cast<const btBoxShape*>(p.a.get()), static_cast<const btBoxShape*>(p.b.get()));
      return bullet_depth(p, detector);
    } else {
      static btVoronoiSimplexSolver simplex;
      static btGjkEpaPenetrationDepthSolver solver;
      btGjkPairDetector detector(p.a.get(), p.b.get(), &simplex, &solver);
      return bullet_depth(p, detector);
    }
  });
}

// ---- rows ----

enum class Ask { penetration, contacts, manifold, hinted };

double graze_depth(Ask ask, ShapeRef a, ShapeRef b, PairHint& hint) {
  if (ask == Ask::penetration) {
    const PenetrationResult r = penetration(a, b);
    return r.value ? r.value->depth : 0;
  }
  double deepest = 0;
  if (ask == Ask::contacts) {
    for (const Contact& c : contacts(a, b)) deepest = std::max(deepest, c.depth);
    return deepest;
  }
  FixedManifold m;
  const std::span<FixedManifold> out(&m, 1);
  if ((ask == Ask::hinted ? manifold(a, b, hint, out) : manifold(a, b, out)) == 0) return 0;
  for (const ManifoldPoint& p : m.points()) deepest = std::max(deepest, p.depth);
  return deepest;
}

/// The manifolds of all pairs by one call, into memory that is used again.
template <class P>
void contest_batch(const std::string& name, const std::vector<P>& pairs, const std::vector<double>& truth, bool hinted) {
  struct Batch {
    std::vector<P> pairs;
    std::vector<ShapeRef> a, b;
    std::vector<std::size_t> offsets;
    std::vector<FixedManifold> out;
    std::vector<PairHint> hints;
  };
  auto batch = std::make_shared<Batch>();
  batch->pairs = pairs;
  for (const auto& [a, b] : batch->pairs) batch->a.push_back(a.ref()), batch->b.push_back(b.ref());
  batch->offsets.resize(pairs.size() + 1);
  batch->out.resize(pairs.size());
  if (hinted) batch->hints.resize(pairs.size());
  const auto find = [batch] { return manifold(batch->a, batch->b, batch->offsets, batch->out, batch->hints); };
  (void)find();
  double wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    double deepest = 0;
    for (std::size_t k = batch->offsets[i]; k < batch->offsets[i + 1]; ++k)
      for (const ManifoldPoint& p : batch->out[k].points()) deepest = std::max(deepest, p.depth);
    wrong += !(std::fabs(deepest - truth[i]) <= .01 * truth[i]);
  }
  benchmark::RegisterBenchmark(name.c_str(), [batch, find, wrong](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(find());
    state.SetItemsProcessed(static_cast<std::int64_t>(batch->pairs.size()) * state.iterations());
    state.counters["wrong"] = wrong;
  });
}

template <class Make, class Peers>
void row(Ask ask, const std::string& name, const Make& make, const Peers& peers) {
  static constexpr const char* names[] = {"penetration ", "contacts ", "manifold ", "manifold with a hint "};
  const std::string full = names[static_cast<int>(ask)] + name;
  if (!wanted_rows.empty() && wanted_rows.find("," + full + ",") == std::string::npos) return;
  std::uint64_t seed = 1;
  for (const char c : name) seed = seed * 31 + static_cast<unsigned char>(c);
  const auto pairs = overlapping(make, seed);
  std::vector<double> truth;
  for (const auto& [a, b] : pairs) truth.push_back(penetration(a.ref(), b.ref()).value->depth);
  contest(full + "/Graze", pairs, truth, [ask](const auto& p) { return graze_depth(ask, p.first.ref(), p.second.ref(), p.first.hint); });
  if (ask == Ask::manifold || ask == Ask::hinted) contest_batch(full + "/Graze batch", pairs, truth, ask == Ask::hinted);
  peers(full, pairs, truth);
}

Box any_box(Random& random) {
  const Vec3 half(random.uniform(.1, .6), random.uniform(.1, .6), random.uniform(.1, .6));
  return {half * -1.0, half};
}
Sphere random_ball(Random& random) { return {Vec3(0, 0, 0), random.uniform(.1, .6)}; }
Capsule random_rod(Random& random) {
  const double half = random.uniform(.1, .6);
  return {Vec3(0, 0, -half), Vec3(0, 0, half), random.uniform(.05, .3)};
}
Cylinder random_cylinder(Random& random) {
  const double half = random.uniform(.1, .6);
  return {Vec3(0, 0, -half), Vec3(0, 0, half), random.uniform(.05, .3)};
}
Cone random_cone(Random& random) {
  const double half = random.uniform(.1, .6);
  return {Vec3(0, 0, -half), Vec3(0, 0, half), random.uniform(.05, .3)};
}
template <class F, class G>
auto random_pair(const F& first, const G& second) {
  return [=](Random& random) {
    auto a = first(random);
    const Pose p = random_pose(random, .5);
    auto b = second(random);
    return std::pair(Body(std::move(a), p), Body(std::move(b), random_pose(random, .5)));
  };
}
/// A box on another, turned about the vertical and sunk in by 1e-3 to 1e-6, both on a slope.
auto resting_boxes(Random& random) {
  const Box a = any_box(random), b = any_box(random);
  const Pose slope = random_pose(random, .5), turned = Pose::from_quaternion(1, 0, 0, random.uniform(-1, 1));
  const double up = a.max.z + b.max.z - std::exp(random.uniform(-13.8, -6.9));
  Pose place;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      place.rotation[i][k] = 0;
      for (int j = 0; j < 3; ++j) place.rotation[i][k] += slope.rotation[i][j] * turned.rotation[j][k];
    }
  place.translation = slope.apply(Vec3(random.uniform(-.1, .1), random.uniform(-.1, .1), up));
  return std::pair(Body(a, slope), Body(b, place));
}
/// The pairs of `make`, moved apart along the shortest way until that depth is left.
template <class Make>
auto shallow(const Make& make, double depth) {
  return [=](Random& random) {
    auto pair = make(random);
    Pose pose = pair.second.pose;
    if (const auto found = penetration(pair.first.ref(), pair.second.ref()).value) pose.translation -= found->vector * (1 - depth / found->depth);
    return std::pair(pair.first, Body(pair.second.shape, pose));
  };
}
auto hulls(int points) {
  const auto one = [points](Random& random) {
    std::vector<Vec3> p;
    for (int k = 0; k < points; ++k) p.push_back(random.direction() * (.4 + .1 * random.uniform(0, 1)));
    return Hull(p);
  };
  return random_pair(one, one);
}

void register_rows() {
  const auto peers = [](int most) {
    return [most](const std::string& name, const auto& pairs, const std::vector<double>& truth) {
      contest_ode(name, pairs, truth, most);
      contest_bullet(name, pairs, truth);
    };
  };
  const auto bullet = [](const std::string& name, const auto& pairs, const std::vector<double>& truth) { contest_bullet(name, pairs, truth); };
  row(Ask::penetration, "boxes/plain", random_pair(any_box, any_box), peers(1));
  row(Ask::contacts, "boxes/plain", random_pair(any_box, any_box), peers(1));
  row(Ask::manifold, "boxes/plain", random_pair(any_box, any_box), peers(4));
  row(Ask::penetration, "boxes/resting", resting_boxes, peers(1));
  row(Ask::contacts, "boxes/resting", resting_boxes, peers(1));
  row(Ask::manifold, "boxes/resting", resting_boxes, peers(4));
  row(Ask::penetration, "spheres/plain", random_pair(random_ball, random_ball), peers(1));
  row(Ask::penetration, "sphere and box/plain", random_pair(random_ball, any_box), peers(1));
  row(Ask::penetration, "capsules/plain", random_pair(random_rod, random_rod), peers(1));
  row(Ask::penetration, "capsule and box/plain", random_pair(random_rod, any_box), peers(1));
  row(Ask::manifold, "spheres/plain", random_pair(random_ball, random_ball), peers(1));
  row(Ask::manifold, "sphere and box/plain", random_pair(random_ball, any_box), peers(1));
  row(Ask::manifold, "capsules/plain", random_pair(random_rod, random_rod), peers(2));
  row(Ask::manifold, "capsule and box/plain", random_pair(random_rod, any_box), peers(2));
  for (const int n : {8, 30, 100, 400}) row(Ask::penetration, "hulls/" + std::to_string(n), hulls(n), bullet);
  for (const int n : {8, 100}) row(Ask::manifold, "hulls/" + std::to_string(n), hulls(n), bullet);
  for (const int n : {8, 100}) row(Ask::hinted, "hulls/" + std::to_string(n), hulls(n), bullet);
  for (const int n : {8, 20, 40})
    for (const auto& [text, depth] : {std::pair(".01", .01), std::pair(".001", .001), std::pair(".0001", .0001)}) {
      const std::string name = "shallow hulls/" + std::to_string(n) + " corners, " + text + " deep";
      row(Ask::penetration, name, shallow(hulls(n), depth), bullet);
      row(Ask::manifold, name, shallow(hulls(n), depth), bullet);
    }
  const auto curved = [&](const std::string& name, const auto& make) {
    row(Ask::penetration, name + "/plain", make, bullet);
    row(Ask::penetration, name + "/.001 deep", shallow(make, .001), bullet);
  };
  curved("cylinders", random_pair(random_cylinder, random_cylinder));
  curved("cylinder and box", random_pair(random_cylinder, any_box));
  curved("cone and box", random_pair(random_cone, any_box));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--pairs=", 8) == 0)
      bench::pair_count = std::strtoull(argv[i] + 8, nullptr, 10);
    else if (std::strncmp(argv[i], "--rows=", 7) == 0)
      bench::wanted_rows = "," + std::string(argv[i] + 7) + ",";
    else
      argv[kept++] = argv[i];
  }
  argc = kept;
  dInitODE();
  bench::register_rows();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
