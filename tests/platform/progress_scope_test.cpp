// Every long call in a ProgressScope: the same results, reports from 0 to 1, and an end in the middle, with any number of threads.
#include <gtest/gtest.h>
#include <graze/graze.hpp>
#include <graze/progress.hpp>
#include <graze/scene.hpp>
#include <graze/world.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/solid_boxes.hpp"
#include "support/wavy_sheet.hpp"

namespace graze {
namespace {

MeshData waves(std::uint32_t n, double height) { return test::wavy_sheet(n, height, 2); }

struct ScopedCall {
  std::string name;
  std::function<double()> run;  ///< returns a number that represents the result
};

/// Calls without a parameter for a Progress, and some with one.
const std::vector<ScopedCall>& scoped_calls() {
  static const MeshData data = waves(80, 0);
  static const Mesh low(data), high(waves(80, 9)), crossing(waves(80, 0.5));
  static const Solid box = test::solid_box({0, 0, -1}, {80, 80, 1});
  static const std::vector<Vec3> points = [] {
    test::Random random(5);
    std::vector<Vec3> list;
    for (int i = 0; i < 20000; ++i) list.push_back(random.point(0, 60));
    return list;
  }();
  static const std::vector<Ray> rays = [] {
    std::vector<Ray> list;
    for (const Vec3& p : points) list.push_back({p + Vec3(0, 0, 100), Vec3(0, 0, -1)});
    return list;
  }();
  static const std::vector<Pose> poses = [] {
    std::vector<Pose> list;
    for (int i = 0; i < 400; ++i) list.push_back(translation(points[static_cast<std::size_t>(i)]));
    return list;
  }();
  static const std::vector<Placed> placed = [] {
    std::vector<Placed> list;
    for (const Pose& pose : poses) list.push_back(at(low, pose));
    return list;
  }();
  static const std::vector<ShapeRef> many(placed.begin(), placed.end()), others(many.size(), ShapeRef(high)), solids(many.size(), ShapeRef(box));
  static const Scene scene = [] {
    Scene s;
    for (const Pose& pose : poses) s.add(Sphere{{0, 0, 0}, 3}, pose);
    s.add(low);
    return s;
  }();
  const auto sum = [](const auto& list, const auto& of) {
    double total = 0;
    for (const auto& x : list) total += of(x);
    return total;
  };
  const auto yes = [](std::uint8_t b) { return b != 0 ? 1.0 : 0.0; };
  const auto distance = [](const Closest& c) { return c.distance; };
  const auto t = [](const std::optional<Hit>& hit) { return hit ? hit->t : 0.0; };
  static const std::vector<ScopedCall> calls = {
      {"closest, points", [=] { return sum(closest(points, low), distance); }},
      {"closest, poses", [=] { return sum(closest(low, poses, high), distance); }},
      {"closest, pairs", [=] { return sum(closest(many, others), distance); }},
      {"within, points", [=] { return sum(within(points, low, 5), yes); }},
      {"within, poses", [=] { return sum(within(low, poses, high, 2), yes); }},
      {"within, pairs", [=] { return sum(within(many, others, 2), yes); }},
      {"intersects, poses", [=] { return sum(intersects(low, poses, high), yes); }},
      {"intersects, pairs", [=] { return sum(intersects(many, others), yes); }},
      {"contains", [=] { return sum(contains(box, points), yes); }},
      {"signed distance", [=] { return sum(signed_distance(points, box), [](double d) { return d; }); }},
      {"raycast", [=] { return sum(raycast(RaySpan{rays}, low), t); }},
      {"raycast any", [=] { return sum(raycast_any(RaySpan{rays}, low), yes); }},
      {"raycast all", [=] { return static_cast<double>(raycast_all(RaySpan{rays}, low).hits.size()); }},
      {"relation, pairs", [=] { return sum(relation(solids, solids), [](Relation r) { return static_cast<double>(r); }); }},
      {"contacts", [=] { return sum(contacts(low, crossing), [](const Contact& c) { return c.depth; }); }},
      {"scene pairs", [=] { return sum(scene.pairs(), [](const ScenePair& p) { return 1.0 * p.a + p.b; }); }},
      {"scene rays", [=] { return sum(scene.raycast(RaySpan{rays}), [](const std::optional<SceneHit>& h) { return h ? h->hit.t : 0.0; }); }},
      {"check", [=] { return static_cast<double>(check(low).border_edges.size()); }},
      {"mesh", [=] { return static_cast<double>(Mesh(data).size()); }},
      {"refit", [=] { return static_cast<double>(low.refit(low.vertices()).size()); }},
      {"intersecting triangles", [=] { return static_cast<double>(intersecting_triangles(low, crossing).size()); }},
      {"self-intersections", [=] { return static_cast<double>(self_intersections(low).size()); }},
      {"triangles within", [=] { return static_cast<double>(triangles_within(crossing, low, 0.25).size()); }},
      {"hull", [=] { return static_cast<double>(Hull(std::span<const Vec3>(points)).corners().size()); }},
  };
  return calls;
}

class ScopedThreads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(0); }
};
INSTANTIATE_TEST_SUITE_P(Numbers, ScopedThreads, testing::Values(1, 2, 8));

TEST_P(ScopedThreads, ResultsAreUnchangedAndReported) {
  for (const ScopedCall& call : scoped_calls()) {
    std::vector<double> told;
    double with = 0;
    {
      const ProgressScope scope([&](double done) {
        told.push_back(done);
        return true;
      });
      with = call.run();
    }
    EXPECT_EQ(with, call.run()) << call.name;
    ASSERT_GT(told.size(), 1u) << call.name;
    EXPECT_EQ(told.front(), 0) << call.name;
    EXPECT_LE(*std::max_element(told.begin(), told.end()), 1) << call.name;
    EXPECT_GE(*std::max_element(told.begin(), told.end()), 0.9) << call.name;
  }
}

TEST_P(ScopedThreads, EveryCallCanBeEnded) {
  for (const ScopedCall& call : scoped_calls())
    for (const double limit : {0.0, 0.4}) {
      int after = 0;
      std::optional<ErrorCode> code;
      try {
        const ProgressScope scope([&](double done) {
          after += done >= limit;
          return done < limit;
        });
        (void)call.run();
      } catch (const Error& e) {
        code = e.code();
      }
      EXPECT_EQ(code, ErrorCode::cancelled) << call.name << " at " << limit;
      EXPECT_EQ(after, 1) << call.name << " at " << limit;
    }
}

TEST_P(ScopedThreads, AnEndedQueryLeavesSceneAndMeshAsTheyWere) {
  Scene scene;
  for (int i = 0; i < 3000; ++i) scene.add(Sphere{{0, 0, 0}, 0.75}, translation(Vec3(i % 60, i / 60, 0)));
  const Mesh mesh(waves(60, 0));
  const std::size_t pairs = Scene(scene).pairs().size();
  for (const double limit : {0.0, 0.2, 0.7}) {
    const Mesh fresh(waves(60, 0));  // what it keeps is computed within the scope
    EXPECT_THROW(
        {
          const ProgressScope scope([&](double done) { return done < limit; });
          (void)scene.pairs();
        },
        Error);
    EXPECT_THROW(
        {
          const ProgressScope scope([&](double done) { return done < limit; });
          (void)check(fresh);
        },
        Error);
    EXPECT_EQ(scene.pairs().size(), pairs);
    EXPECT_EQ(check(fresh).components, check(mesh).components);
    EXPECT_EQ(check(fresh).border_edges.size(), check(mesh).border_edges.size());
    scene.move(17, translation(Vec3(17, 0, 0)));
  }
}

TEST(ProgressScopes, FunctionsThatChangeAnObjectAreNotInterrupted) {
  World world;
  world.add_fixed(Box{{-100, -100, -1}, {100, 100, 0}});
  for (int i = 0; i < 2000; ++i) world.add_moving(Sphere{{0, 0, 0}, 0.1}, translation(Vec3(i % 50, i / 50, 1)));
  World other = world;
  {
    const ProgressScope scope([](double) { return false; });
    world.step(0.5);
  }
  other.step(0.5);
  EXPECT_EQ(world.snapshot(), other.snapshot());
}

}  // namespace
}  // namespace graze
