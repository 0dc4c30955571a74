// Pairs in the same place to each other: frames that change no coordinate, decisions that are the same in them, and pairs that have no such frame.
#include "clash/pairs/shared_decisions.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <graze/clash.hpp>
#include <graze/query.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clash/pairs/candidates.hpp"
#include "clash/pairs/decide.hpp"
#include "clash/pairs/findings.hpp"
#include "support/random.hpp"

namespace graze::clash {
namespace {

const std::vector<TriangleIndices> kWedgeFaces = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
Mesh wedge(double a, double b, double c) { return Mesh(MeshData{{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}, {a, 0, c}, {0, b, c}}, kWedgeFaces, {}}); }

ClashParts parts_of(std::vector<Mesh> meshes) {
  ClashParts out;
  out.meshes = std::move(meshes);
  for (const Mesh& m : out.meshes) out.solids.emplace_back(m);
  out.open_reasons.resize(out.meshes.size());
  return out;
}
void add(ClashParts& parts, std::uint32_t mesh, const Pose& pose) {
  parts.parts.push_back({"m/" + std::to_string(parts.parts.size()), "", 0, mesh, pose, bounding_box(at(parts.meshes[mesh], pose))});
}
ClashJob near_job(double clearance) {
  ClashJob job;
  job.tests.push_back({});
  job.tests[0].clearance = clearance;
  return job;
}
PlacedPart placed_part(const ClashParts& parts, std::uint32_t i) {
  const ClashPart& p = parts.parts[i];
  return {&parts.meshes[p.mesh], &*parts.solids[p.mesh], &parts.open_reasons[p.mesh], &p.pose, &p.box};
}
Pose any_quarter(test::Random& r) {
  return compose(Pose::quarter_turn(static_cast<Axis>(r.integer(0, 2)), r.integer(0, 3)),
                 Pose::quarter_turn(static_cast<Axis>(r.integer(0, 2)), r.integer(0, 3)));
}

TEST(SharedDecisions, FramesChangeNoCoordinateAndNoVerdict) {
  test::Random r(7);
  ClashParts parts = parts_of({wedge(3, 2.5, 4), wedge(1.25, 1, 0.015625)});
  for (std::uint32_t i = 0; i < 60; ++i) {
    Pose pose = any_quarter(r);
    if (i % 5 == 0) pose = Pose::from_quaternion(1 + r.integer(0, 3), 1, 0, 2);  // its rotated coordinates are rounded
    for (int k = 0; k < 3; ++k) pose.translation[k] = 1e6 + r.integer(0, 640) / 64.0;
    if (i % 7 == 0) pose.translation.x = 0.1;
    add(parts, i % 2, pose);
  }
  const ClashJob job = near_job(2);
  SharedDecisions decisions(job, parts, false);
  int framed = 0, found = 0;
  for (const Candidate& c : find_candidates(job, parts)) {
    const std::optional<PairFrame> f = decisions.frame(c);
    const Decision here = decisions.decide(c), there = decide(placed_part(parts, c.a), placed_part(parts, c.b), rule_of(job, c, false));
    ASSERT_EQ(here.clash.has_value(), there.clash.has_value());
    if (here.clash) {
      ++found;
      EXPECT_EQ(here.clash->verdict, there.clash->verdict);
      EXPECT_NEAR(here.clash->distance, there.clash->distance, 4e-15 * there.clash->distance);
      EXPECT_EQ(here.clash->triangle_pairs, there.clash->triangle_pairs);
      if (here.clash->verdict != Verdict::near) {
        EXPECT_EQ(here.clash->region.min, there.clash->region.min);
        EXPECT_EQ(here.clash->region.max, there.clash->region.max);
      }
    }
    if (!f) continue;
    ++framed;
    for (const bool second : {false, true}) {
      const std::uint32_t i = second ? c.b : c.a;
      const ClashPart& part = parts.parts[i];
      for (const Vec3& v : parts.meshes[part.mesh].vertices()) EXPECT_EQ(f->to_world.apply((second ? f->b : f->a).apply(v)), part.pose.apply(v));
      const Box box = bounding_box(at(parts.meshes[part.mesh], second ? f->b : f->a)), given = second ? f->box_b : f->box_a;
      EXPECT_EQ(box.min, given.min);
      EXPECT_EQ(box.max, given.max);
    }
  }
  EXPECT_GT(framed, 100);
  EXPECT_GT(found, 100);
}

// Modules of two parts, at eight places and turned by quarters.
TEST(SharedDecisions, ModulesThatAreMovedAndTurnedAreOneGroup) {
  ClashParts parts = parts_of({wedge(3, 2.5, 4), wedge(1, 1, 1)});
  test::Random r(3);
  const Pose inner = Pose::quarter_turn(Axis::y, 1, Vec3(1, 0.5, 4));
  for (int m = 0; m < 8; ++m) {
    Pose module = any_quarter(r);
    module.translation = Vec3(100 * m, -7, 0.25 * m);
    add(parts, 0, module);
    add(parts, 1, compose(module, inner));
  }
  const ClashJob job = near_job(1);
  const std::vector<Candidate> pairs = find_candidates(job, parts);
  ASSERT_EQ(pairs.size(), 8u);
  SharedDecisions decisions(job, parts, false);
  std::set<std::uint64_t> groups;
  for (const Candidate& c : pairs) groups.insert(decisions.group(c));
  EXPECT_EQ(groups.size(), 1u);
  EXPECT_FALSE(groups.contains(0));
  for (const Candidate& c : pairs) {
    const Decision d = decisions.decide(c);
    ASSERT_TRUE(d.clash.has_value());
    EXPECT_TRUE(intersects(Point{d.clash->point}, at(*parts.solids[1], parts.parts[c.b].pose)));
    EXPECT_TRUE(intersects(Point{d.clash->point}, at(*parts.solids[0], parts.parts[c.a].pose)));
  }
}

TEST(SharedDecisions, PairsThatAreRoundedOrAloneHaveNoGroup) {
  ClashParts parts = parts_of({wedge(3, 2.5, 4), wedge(0.1, 1, 1), wedge(1, 2, 0x1p-60), wedge(1, 1, 1)});
  for (int m = 0; m < 2; ++m)
    for (std::uint32_t mesh = 0; mesh < 3; ++mesh) add(parts, mesh, translation(Vec3(1000 * m, 3, 0)));
  add(parts, 3, translation(Vec3(0, 3, 0)));
  const ClashJob job = near_job(1);
  SharedDecisions decisions(job, parts, false);
  EXPECT_FALSE(decisions.frame({0, 1, 0}).has_value());  // .1 + 1000 is rounded
  EXPECT_FALSE(decisions.frame({0, 2, 0}).has_value());  // no grid has both 2^-60 and 1
  EXPECT_TRUE(decisions.frame({0, 6, 0}).has_value());
  EXPECT_EQ(decisions.group({0, 6, 0}), 0u);  // no other part looks like the last
  EXPECT_EQ(decisions.group({0, 3, 0}), decisions.group({0, 3, 0}));
}

TEST(SharedDecisions, AnotherTestIsAnotherGroup) {
  ClashParts parts = parts_of({wedge(3, 2.5, 4), wedge(1, 1, 1)});
  for (int m = 0; m < 2; ++m) {
    add(parts, 0, translation(Vec3(100 * m, 0, 0)));
    add(parts, 1, translation(Vec3(100 * m, 0, 4.5)));
  }
  ClashJob job = near_job(1);
  job.tests.push_back(job.tests[0]);
  job.tests[1].id = "closer";
  job.tests[1].clearance = 0.25;
  SharedDecisions decisions(job, parts, false);
  EXPECT_EQ(decisions.group({0, 1, 0}), decisions.group({2, 3, 0}));
  EXPECT_NE(decisions.group({0, 1, 0}), decisions.group({0, 1, 1}));
  EXPECT_TRUE(decisions.decide({0, 1, 0}).clash.has_value());
  EXPECT_FALSE(decisions.decide({0, 1, 1}).clash.has_value());
  EXPECT_TRUE(decisions.decide({2, 3, 0}).clash.has_value());
  EXPECT_FALSE(decisions.decide({2, 3, 1}).clash.has_value());
}

}  // namespace
}  // namespace graze::clash
