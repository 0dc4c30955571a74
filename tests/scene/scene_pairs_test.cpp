// Pairs of members against brute force over all pairs: any pair, the least distance, filters, and independence of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <graze/threads.hpp>
#include <set>

#include "shapes/pose.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::scene_pairs_test {
namespace {

using test::Random;
using test_scene::random_shape;
using Ids = std::pair<MemberId, MemberId>;

bool admitted(const Scene& scene, MemberId a, MemberId b, const PairsOptions& o) {
  const MemberOptions &x = scene.options(a), &y = scene.options(b);
  return (x.group & y.meets) != 0 && (y.group & x.meets) != 0 && !o.excluded.contains(a, b) && (!o.accept || o.accept(a, b));
}

/// The result of least_distance(), from every pair.
std::optional<ScenePair> least_of_all(const Scene& scene, const PairsOptions& o) {
  std::optional<ScenePair> best;
  for (const MemberId a : scene.members())
    for (const MemberId b : scene.members()) {
      if (a >= b || !admitted(scene, a, b, o)) continue;
      // a scene does not apply poses that are the identity; closest() may then choose another common point
      const Placed pa = at(scene.shape(a), scene.pose(a)), pb = at(scene.shape(b), scene.pose(b));
      const Closest c = closest(is_identity(scene.pose(a)) ? ShapeRef(scene.shape(a)) : pa, is_identity(scene.pose(b)) ? ShapeRef(scene.shape(b)) : pb);
      if (!best || c.distance < best->distance) best = ScenePair{a, b, c.distance, c.on_a, c.on_b};
    }
  return best;
}

void compare(const Scene& scene, const PairsOptions& o) {
  const auto least = scene.least_distance(o), want = least_of_all(scene, o);
  ASSERT_EQ(least.has_value(), want.has_value());
  if (least) {
    EXPECT_EQ(Ids(least->a, least->b), Ids(want->a, want->b));
    EXPECT_EQ(least->distance, want->distance);
    EXPECT_EQ(least->on_a, want->on_a);
    EXPECT_EQ(least->on_b, want->on_b);
  }
  const auto all = scene.pairs(o);
  std::vector<Ids> got, expected;
  for (const ScenePair& p : all) got.emplace_back(p.a, p.b);
  for (const MemberId a : scene.members())
    for (const MemberId b : scene.members())
      if (a < b && admitted(scene, a, b, o) && within(at(scene.shape(a), scene.pose(a)), at(scene.shape(b), scene.pose(b)), o.within))
        expected.emplace_back(a, b);
  EXPECT_EQ(got, expected);
  const auto any = scene.any_pair(o);
  ASSERT_EQ(any.has_value(), !all.empty());
  if (!any) return;
  const auto same = std::find_if(all.begin(), all.end(), [&](const ScenePair& p) { return p.a == any->a && p.b == any->b; });
  ASSERT_NE(same, all.end());
  EXPECT_EQ(any->distance, same->distance);
  EXPECT_EQ(any->on_a, same->on_a);
}

TEST(ScenePairs, MatchBruteForce) {
  Random random(31);
  int touching = 0, apart = 0;
  for (const int size : {1, 2, 7, 40, 300}) {
    for (int round = 0; round < (size < 100 ? 12 : 3); ++round) {
      Scene scene;
      // round shapes and boxes keep apart in the larger spaces
      const double space = round % 3 == 0 ? 2 : round % 3 == 1 ? 3 * std::cbrt(size) : 40;
      for (int i = 0; i < size; ++i) {
        const MemberOptions options{1u << random.integer(0, 2), random.integer(0, 3) ? ~0u : 1u << random.integer(0, 2)};
        scene.add(random_shape(random, random.integer(0, space > 2 ? 12 : test_scene::kShapes - 1)), random.pose(space), options);
      }
      for (int k = 0; k < size / 4; ++k) {  // ids and places in different order
        const auto members = scene.members();
        scene.remove(members[random.below(members.size())]);
        if (k % 2 == 0) scene.add(random_shape(random, random.integer(0, 12)), random.pose(space));
      }
      std::vector<Ids> excluded;
      for (MemberId a = 0; a + 1 < static_cast<MemberId>(size); ++a) excluded.emplace_back(a + 1, a);
      for (const PairsOptions& o : {PairsOptions{}, PairsOptions{.within = .3}, PairsOptions{.excluded = excluded},
                                    PairsOptions{.within = .1, .accept = [](MemberId a, MemberId b) { return (a + b) % 3 == 0; }}}) {
        compare(scene, o);
        if (const auto least = scene.least_distance(o)) ++(least->distance == 0 ? touching : apart);
      }
    }
  }
  EXPECT_GT(touching, 10);
  EXPECT_GT(apart, 10);
}

TEST(ScenePairs, FarFromTheOriginAndOfEverySize) {
  Random random(32);
  for (const double scale : {1e-300, 1e-9, 1e9, 1e200}) {
    for (const double offset : {0.0, 1e3}) {
      Scene scene;
      for (int i = 0; i < 30; ++i) {
        const Vec3 p = scale * (random.point(-3, 3) + Vec3(offset, offset, 0));
        if (i % 3 == 0)
          scene.add(Sphere{p, scale * random.real(0, .4)});
        else if (i % 3 == 1)
          scene.add(Box{p, p + scale * random.point(0, .5)});
        else
          scene.add(Mesh(MeshData{{p, p + scale * random.point(0, 1), p + scale * random.point(-1, 0)}, {{0, 1, 2}}, {}}));
      }
      compare(scene, {});
      compare(scene, {.within = .2 * scale});
    }
  }
}

// Spheres in a grid: all neighbours are at the same distance, which is also the distance of exact ties.
TEST(ScenePairs, TiesGoToTheLowestPair) {
  for (const int n : {3, 9}) {
    Scene scene;
    std::vector<MemberId> ids;
    for (int i = 0; i < n * n * n; ++i) ids.push_back(scene.add(Sphere{Vec3(i % n, i / n % n, i / n / n), .25}));
    const auto least = scene.least_distance();
    ASSERT_TRUE(least.has_value());
    EXPECT_EQ(Ids(least->a, least->b), Ids(0, 1));
    EXPECT_EQ(least->distance, .5);
    const auto other = scene.least_distance({.excluded = {{0, 1}, {2, 1}}});
    EXPECT_EQ(Ids(other->a, other->b), Ids(0, static_cast<MemberId>(n)));
    scene.move(0, translation(Vec3(0, 0, -9)));
    const auto moved = scene.least_distance();
    EXPECT_EQ(Ids(moved->a, moved->b), Ids(1, 2));
    for (const MemberId id : ids) scene.move(id, translation(Vec3(0, 0, 0)));
    for (int i = 0; i < 4; ++i) scene.add(Sphere{Vec3(0, 0, 0), .1});  // now pairs touch, also in the same box
    EXPECT_EQ(scene.least_distance()->distance, 0);
    EXPECT_EQ(Ids(scene.least_distance()->a, scene.least_distance()->b), Ids(0, static_cast<MemberId>(n * n * n)));
  }
}

TEST(ScenePairs, OptionsLeaveOutWhatIsNotAsked) {
  Scene scene;
  scene.add(Sphere{Vec3(0, 0, 0), 1});
  scene.add(Sphere{Vec3(3, 0, 0), 1});
  scene.add(Mesh(MeshData{}));
  const auto least = scene.least_distance({.witnesses = false});
  EXPECT_EQ(least->distance, 1);
  EXPECT_EQ(least->on_a, Vec3(0, 0, 0));
  EXPECT_EQ(scene.least_distance()->on_a, Vec3(1, 0, 0));
  EXPECT_EQ(scene.any_pair({.within = 1, .witnesses = false})->distance, 0);
  EXPECT_EQ(scene.any_pair({.within = 1})->distance, 1);
  EXPECT_FALSE(scene.any_pair().has_value());
  EXPECT_FALSE(scene.least_distance({.excluded = {{1, 0}}}).has_value());  // the empty mesh has no distance
  EXPECT_FALSE(Scene().least_distance().has_value());
  EXPECT_EQ(test_scene::message([&] { (void)scene.any_pair({.within = -1}); }), "any_pair: within is -1.000000, must be finite and >= 0");
}

TEST(ScenePairs, SameForAnyNumberOfThreads) {
  Random random(33);
  Scene scene;
  for (int i = 0; i < 3000; ++i) scene.add(Sphere{random.point(-4, 4), random.real(.05, .2)});
  std::set<Ids> touching;
  for (const ScenePair& p : scene.pairs({.witnesses = false})) touching.emplace(p.a, p.b);
  ASSERT_GT(touching.size(), 500u);
  // admits ever fewer of them, at last none, so that some searches end late
  for (const std::size_t share : {1, 50, 400, 100000}) {
    const PairsOptions o{.accept = [=](MemberId a, MemberId b) { return (a * 31 + b) % share == 0; }};
    std::optional<ScenePair> any, least;
    for (const int n : {1, 2, 4}) {
      set_threads(n);
      const auto now = scene.any_pair(o), nearest = scene.least_distance(o);
      if (n == 1) any = now, least = nearest;
      ASSERT_EQ(now.has_value(), any.has_value());
      if (now) {
        EXPECT_EQ(Ids(now->a, now->b), Ids(any->a, any->b));
      }
      ASSERT_EQ(nearest.has_value(), least.has_value());
      if (least) {
        EXPECT_EQ(Ids(nearest->a, nearest->b), Ids(least->a, least->b));
      }
    }
    set_threads(0);
    if (any) {
      EXPECT_TRUE(touching.count({any->a, any->b}) == 1);
    }
  }
}

TEST(ScenePairs, HaveTheRelationsOfTheirMembers) {
  Scene scene;
  const MemberId block = scene.add("block", Box{{0, 0, 0}, {4, 4, 4}}), inside = scene.add("inside", Sphere{{1, 1, 1}, 0.5}),
                 beside = scene.add("beside", Box{{4, 0, 0}, {5, 4, 4}}), across = scene.add("across", Box{{-1, 1, 3}, {2, 2, 5}}),
                 around = scene.add("around", Box{{-10, -10, -10}, {10, 10, 3.5}}), copy = scene.add("copy", Box{{0, 0, 0}, {4, 4, 4}}),
                 near = scene.add("near", Box{{0, 4.25, 0}, {4, 5, 4}}), curved = scene.add("curved", Cylinder{{3, 3, 3}, {3, 3, 3.25}, 0.25}),
                 far = scene.add("far", Cylinder{{-9, 10.25, 0}, {-9, 12, 0}, 0.25});
  PairsOptions o;
  for (const ScenePair& p : scene.pairs(o)) EXPECT_FALSE(p.relation);
  o.relations = true;
  o.within = 0.3;
  std::vector<ScenePair> first;
  for (const bool witnesses : {true, false})
    for (const int threads : {1, 2, 5}) {
      set_threads(threads);
      o.witnesses = witnesses;
      const std::vector<ScenePair> pairs = scene.pairs(o);
      if (first.empty()) first = pairs;
      ASSERT_EQ(pairs.size(), first.size());
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_EQ(Ids(pairs[i].a, pairs[i].b), Ids(first[i].a, first[i].b));
        EXPECT_EQ(pairs[i].relation, first[i].relation);
      }
    }
  set_threads(0);
  const auto of = [&](MemberId a, MemberId b) {
    const auto p = std::find_if(first.begin(), first.end(), [&](const ScenePair& x) { return x.a == a && x.b == b; });
    EXPECT_NE(p, first.end()) << a << " " << b;
    return p == first.end() ? std::nullopt : p->relation;
  };
  EXPECT_EQ(of(block, inside), Relation::b_in_a);
  EXPECT_EQ(of(inside, around), Relation::a_in_b);
  EXPECT_EQ(of(block, beside), Relation::touching);
  EXPECT_EQ(of(block, across), Relation::overlapping);
  EXPECT_EQ(of(block, copy), Relation::identical);
  EXPECT_EQ(of(block, near), Relation::disjoint);
  EXPECT_EQ(of(block, curved), Relation::b_in_a);
  EXPECT_EQ(of(around, far), Relation::disjoint);
  const auto any = scene.any_pair(o), least = scene.least_distance(o);
  ASSERT_TRUE(any && least);
  EXPECT_EQ(any->relation, of(any->a, any->b));
  EXPECT_EQ(least->relation, of(least->a, least->b));
  Scene apart;
  apart.add(Box{{0, 0, 0}, {1, 1, 1}});
  apart.add(Cylinder{{3, 0, 0}, {4, 0, 0}, 1});
  EXPECT_EQ(apart.least_distance(o)->relation, Relation::disjoint);
  // relation() refuses a segment that may lie in two balls together
  Scene refused;
  refused.add(Segment{{0, 0, 0}, {1.5, 0, 0}});
  refused.add(Compound({{Sphere{Vec3(0, 0, 0), 1}, {}}, {Sphere{Vec3(1.5, 0, 0), 1}, {}}}));
  ASSERT_EQ(refused.pairs(o).size(), 1u);
  EXPECT_EQ(refused.pairs(o)[0].relation, std::nullopt);
}

}  // namespace
}  // namespace graze::scene_pairs_test
