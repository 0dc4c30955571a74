// Slices of a pair of parts: what is concluded from them is what is decided about the whole, to the bit, however the pair is divided.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <graze/threads.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clash/job/result_text.hpp"
#include "clash/pairs/pair_slices.hpp"
#include "clash/pairs/shared_decisions.hpp"
#include "json/json_write.hpp"

namespace graze::clash {
namespace {

/// A block whose lower and upper faces are grids of n x n squares, at z0 and z1, within [0, side] in x and y. Without `sides` it is two open sheets.
MeshData block(std::uint32_t n, double side, double z0, double z1, bool sides = true) {
  MeshData d;
  for (const double z : {z0, z1})
    for (std::uint32_t j = 0; j <= n; ++j)
      for (std::uint32_t i = 0; i <= n; ++i) d.vertices.push_back({side * i / n, side * j / n, z});
  const auto at = [n](std::uint32_t s, std::uint32_t i, std::uint32_t j) { return (s * (n + 1) + j) * (n + 1) + i; };
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t e) {
    d.triangles.push_back({a, b, c});
    d.triangles.push_back({a, c, e});
  };
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      quad(at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j));
      quad(at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1));
    }
  for (std::uint32_t k = 0; k < n && sides; ++k) {
    quad(at(0, k, 0), at(0, k + 1, 0), at(1, k + 1, 0), at(1, k, 0));
    quad(at(0, n, k), at(0, n, k + 1), at(1, n, k + 1), at(1, n, k));
    quad(at(0, k + 1, n), at(0, k, n), at(1, k, n), at(1, k + 1, n));
    quad(at(0, 0, k + 1), at(0, 0, k), at(1, 0, k), at(1, 0, k + 1));
  }
  return d;
}

/// A block whose vertices are moved onto a ball around the origin.
MeshData ball(std::uint32_t n, double radius) {
  MeshData d = block(n, 2, -1, 1);
  for (Vec3& p : d.vertices) {
    p.x -= 1, p.y -= 1;
    const double far = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    p = p * (radius / far);
  }
  return d;
}

ClashParts two_parts(MeshData a, const Pose& pose_a, MeshData b, const Pose& pose_b) {
  ClashParts parts;
  for (auto [data, pose] : {std::pair(&a, &pose_a), std::pair(&b, &pose_b)}) {
    const Mesh mesh(std::move(*data));
    const bool closed = check(mesh).solid;
    Box box{pose->apply(mesh.vertices()[0]), pose->apply(mesh.vertices()[0])};
    for (const Vec3& v : mesh.vertices()) {
      const Vec3 p = pose->apply(v);
      for (int i = 0; i < 3; ++i) box.min[i] = std::min(box.min[i], p[i]), box.max[i] = std::max(box.max[i], p[i]);
    }
    const auto number = static_cast<std::uint32_t>(parts.meshes.size());
    parts.meshes.push_back(mesh);
    parts.solids.push_back(closed ? std::optional(Solid(mesh)) : std::nullopt);
    parts.hashes.push_back(std::to_string(number));
    parts.open_reasons.push_back(closed ? "" : "an edge is open");
    parts.parts.push_back({"m/" + std::to_string(number), std::to_string(number), 0, number, *pose, box});
  }
  return parts;
}

struct Case {
  const char* name;
  ClashParts parts;
  Verdict verdict;  ///< with a clearance of .3, surfaces that are not closed as they are
};

std::vector<Case> cases() {
  const Pose none, turned = Pose::from_quaternion(0.9, 0.1, -0.2, 0.3), up = translation({0, 0, 1}), beside = translation({0.05, 0.05, 1});
  std::vector<Case> out;
  const auto add = [&](const char* name, MeshData a, const Pose& pa, MeshData b, const Pose& pb, Verdict v) {
    out.push_back({name, two_parts(std::move(a), pa, std::move(b), pb), v});
  };
  add("balls that cross", ball(16, 1), none, ball(20, 1), translation({0.7, 0.2, 0.1}), Verdict::overlapping);
  add("balls nearly in one place", ball(16, 1), none, ball(16, 1), translation({0.001, 0, 0}), Verdict::overlapping);
  add("a ball in a ball", ball(20, 1), none, ball(12, 0.4), none, Verdict::b_in_a);
  add("balls near each other", ball(16, 1), none, ball(20, 1), translation({0.1, 0.2, 2.1}), Verdict::near);
  add("the same", block(10, 1, 0, 1), turned, block(10, 1, 0, 1), turned, Verdict::identical);
  add("faces in each other", block(12, 1, 0, 1), none, block(16, 1, 0, 1), up, Verdict::touching);
  add("faces in each other, beside", block(12, 1, 0, 1), none, block(12, 1, 0, 1), beside, Verdict::touching);
  add("faces that face each other", block(12, 1, 0, 1), none, block(16, 1, 0, 1), translation({0, 0, 1.125}), Verdict::near);
  // The lowest of the nearest triangles of one lie at the other's highest.
  add("faces that face each other, turned", block(12, 1, 0, 1), none, block(16, 1, 0, 1), Pose::quarter_turn(Axis::z, 2, {1, 1, 1.125}), Verdict::near);
  add("one face of both", block(12, 1, 0, 1), none, block(9, 1, 0, 2), translation({0.03, 0.01, 0}), Verdict::overlapping);
  for (const double radius : {0x1p-10, 0x1p-16}) {  // sizes at which the searches use other numbers than floats
    add("a small ball in a face", block(12, 1, 0, 1), none, ball(8, radius), translation({0.51, 0.52, 1}), Verdict::overlapping);
    add("a small ball over a face", block(12, 1, 0, 1), none, ball(8, radius), translation({0.51, 0.52, 1 + 1.25 * radius}), Verdict::near);
  }
  add("a ball through sheets", ball(16, 1), none, block(16, 2, 0, 0.25, false), translation({-1, -1, 0}), Verdict::overlapping);
  add("a ball between sheets", ball(12, 0.1), none, block(16, 2, -0.5, 0.5, false), translation({-1, -1, 0}), Verdict::not_evaluated);
  add("sheets over a ball", ball(16, 1), none, block(16, 2, 1.2, 1.3, false), translation({-1, -1, 0}), Verdict::near);
  return out;
}

std::string text_of(const Decision& d) {
  std::string out;
  json::JsonObject o(out);
  o.add("too_shallow", d.too_shallow);
  if (d.clash) put_decided(o, *d.clash);
  o.end();
  return out;
}

std::vector<ClashJob> jobs() {
  std::vector<ClashJob> out;
  for (const double clearance : {0.0, 0.3})
    for (const ClashSolids solids : {ClashSolids::automatic, ClashSolids::surfaces})
      for (const bool touching : {true, false}) {
        ClashJob job;
        job.solids = solids;
        job.tests.push_back({});
        job.tests[0].clearance = clearance;
        job.tests[0].touching = touching;
        out.push_back(std::move(job));
      }
  return out;
}

constexpr Candidate kPair{0, 1, 0};

Decision decide(const ClashJob& job, const ClashParts& parts, const Candidate& c) { return SharedDecisions(job, parts, false).decide(c); }
Gathered gather(const ClashJob& job, const ClashParts& parts, const Candidate& c, const Slice& slice, SurfaceContact contact) {
  return SharedDecisions(job, parts, false).gather(c, *SliceStarts(parts)(c, slice), contact);
}
Decision conclude(const ClashJob& job, const ClashParts& parts, const Candidate& c, std::vector<Gathered> slices) {
  return SharedDecisions(job, parts, false).conclude(c, std::move(slices));
}

/// Compares what is concluded from slices with what is decided about the whole, and returns the numbers of slices.
std::set<std::size_t> compare(const Case& c, const ClashJob& job, const Candidate& pair) {
  const ClashParts& parts = c.parts;
  std::set<std::size_t> numbers;
  const std::string whole = text_of(decide(job, parts, pair));
  const Gathered all = gather(job, parts, pair, {}, SurfaceContact::unknown);
  const SurfaceContact contact = SharedDecisions(job, parts, false).contact(pair);
  for (const std::uint64_t cost : {4, 40, 300}) {
    std::vector<Gathered> gathered, knowing;
    std::size_t pairs = 0;
    for (const PairSlice& s : slices_of(parts, parts.parts[pair.a], parts.parts[pair.b], job.tests[0].clearance, cost)) {
      gathered.push_back(gather(job, parts, pair, s.slice, SurfaceContact::unknown));
      knowing.push_back(gather(job, parts, pair, s.slice, contact));
      pairs += gathered.back().pairs.size();
    }
    const std::size_t slices = gathered.size();
    EXPECT_EQ(pairs, all.pairs.size()) << c.name;
    EXPECT_EQ(text_of(conclude(job, parts, pair, std::move(gathered))), whole) << c.name << ", cost " << cost << ", " << slices << " slices";
    EXPECT_EQ(text_of(conclude(job, parts, pair, std::move(knowing))), whole) << c.name << ", cost " << cost << ", " << slices << " slices";
    numbers.insert(slices);
  }
  return numbers;
}

TEST(ClashSlices, ConcludeAsTheWhole) {
  std::set<std::size_t> numbers;
  for (const Case& c : cases()) {
    for (const ClashJob& job : jobs())
      for (const Candidate& pair : {kPair, Candidate{1, 0, 0}}) numbers.merge(compare(c, job, pair));
    const Decision d = decide(jobs()[4], c.parts, kPair);
    ASSERT_TRUE(d.clash) << c.name;
    EXPECT_EQ(d.clash->verdict, c.verdict) << c.name;
  }
  EXPECT_GT(numbers.size(), 20u);
}

TEST(ClashSlices, GatherTheSameOnAnyNumberOfThreads) {
  for (const Case& c : cases()) {
    const ClashJob job = jobs()[4];
    for (const PairSlice& s : slices_of(c.parts, c.parts.parts[0], c.parts.parts[1], 0.3, 300)) {
      set_threads(1);
      const Gathered one = gather(job, c.parts, kPair, s.slice, SurfaceContact::unknown);
      set_threads(4);
      const Gathered four = gather(job, c.parts, kPair, s.slice, SurfaceContact::unknown);
      set_threads(0);
      EXPECT_EQ(one.pairs, four.pairs) << c.name;
      ASSERT_EQ(one.gap.has_value(), four.gap.has_value()) << c.name;
      if (one.gap) {
        EXPECT_EQ(one.gap->distance, four.gap->distance);
        EXPECT_EQ(one.gap->triangles, four.gap->triangles);
      }
    }
  }
}

/// Every pair of triangles is below one slice, whichever part is divided; slices cost about what was asked for.
TEST(ClashSlices, CoverThePairOnce) {
  const ClashParts parts = two_parts(block(40, 1, 0, 1), {}, block(6, 1, 0, 1), translation({0, 0, 1}));
  for (const bool swapped : {false, true}) {
    const ClashPart &a = parts.parts[swapped ? 1 : 0], &b = parts.parts[swapped ? 0 : 1];
    for (const std::uint64_t cost : {60, 1000, 100000}) {
      std::vector<int> seen(parts.meshes[0].size());
      for (const PairSlice& s : slices_of(parts, a, b, 0, cost)) {
        EXPECT_EQ(swapped ? s.slice.a : s.slice.b, ItemRange{});  // the part of more triangles is divided
        EXPECT_LE(s.cost, cost);
        Gathered g = gather(jobs()[0], parts, {swapped ? 1u : 0u, swapped ? 0u : 1u, 0}, s.slice, SurfaceContact::unknown);
        std::set<std::uint32_t> own;
        for (const TrianglePair& p : g.pairs) own.insert(swapped ? p.b : p.a);
        for (const std::uint32_t t : own) ++seen[t];
      }
      for (const int n : seen) EXPECT_LE(n, 1);
    }
    EXPECT_EQ(slices_of(parts, a, b, 0, 100000).size(), 1u);
  }
}

TEST(ClashSlices, WhatIsNotDivided) {
  const ClashParts parts = two_parts(ball(6, 1), {}, block(4, 1, 0, 1, false), {});
  ClashJob job = jobs()[0];
  EXPECT_TRUE(SharedDecisions(job, parts, false).can_be_sliced(kPair));
  EXPECT_FALSE(SharedDecisions(job, parts, true).can_be_sliced(kPair));
  job.tests[0].min_penetration = 0.5;
  EXPECT_FALSE(SharedDecisions(job, parts, false).can_be_sliced(kPair));
  job.tests[0].min_penetration = 0;
  job.solids = ClashSolids::required;
  EXPECT_FALSE(SharedDecisions(job, parts, false).can_be_sliced(kPair));
}

}  // namespace
}  // namespace graze::clash
