// Edges that meet others in parts of a straight line: which are open, what closes the others, and how junctions that miss are named.
#include "mesh/junctions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/mesh.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mesh/closed_mesh.hpp"
#include "mesh/polygon_rules.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"
#include "support/split_edges.hpp"

namespace graze::junctions_test {
namespace {

using oracle::message_of;
using test::box_with_junctions;
using test::closed_box;
using test::Random;

/// How often each directed edge is used more than its opposite, by the mesh and its seams together.
std::map<std::pair<std::uint32_t, std::uint32_t>, int> surplus(const MeshImpl& mesh, const Junctions& j) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> of;
  const auto add = [&](const TriangleIndices& t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.canonical()[t[k]], b = mesh.canonical()[t[(k + 1) % 3]];
      of[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : a > b ? -1 : 0;
    }
  };
  for (const TriangleIndices& t : mesh.triangles) add(t);
  for (const TriangleIndices& t : j.seams) add(t);
  return of;
}

Junctions junctions_of(const Mesh& mesh) { return find_junctions(mesh.impl(), unmatched_edges(sorted_edge_uses(mesh.impl()))); }

/// Whether q lies on the segment between the ends, exactly.
bool is_between(const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 points[] = {p, q, r};
  if (!all_collinear(points)) return false;
  for (int i = 0; i < 3; ++i)
    if (q[i] < std::min(p[i], r[i]) || q[i] > std::max(p[i], r[i])) return false;
  return true;
}

void expect_closed(const MeshData& d, const std::string& name) {
  const Mesh mesh(d);
  const Junctions j = junctions_of(mesh);
  ASSERT_EQ(j.open_edges, 0u) << name;
  for (const auto& [edge, n] : surplus(mesh.impl(), j)) ASSERT_EQ(n, 0) << name << ": edge " << edge.first << '-' << edge.second;
  ASSERT_EQ(j.owners.size(), j.seams.size());
  for (std::size_t s = 0; s < j.seams.size(); ++s) {
    const Triangle t = mesh.impl().triangle(j.owners[s]);
    bool contained = false;  // in one edge of its owner
    for (int k = 0; k < 3 && !contained; ++k) {
      contained = true;
      for (const std::uint32_t v : j.seams[s]) contained = contained && is_between(t.points[k], mesh.vertices()[v], t.points[(k + 1) % 3]);
    }
    ASSERT_TRUE(contained) << name << ": seam " << s;
  }
  const Solid body = solid(mesh);
  EXPECT_EQ(body.seams(), j.seams.size());
  EXPECT_EQ(body.mesh().size(), d.triangles.size());
  const MeshReport r = check(mesh);
  EXPECT_TRUE(r.closed && r.solid && r.border_edges.empty() && r.unbalanced_edges.empty() && r.near_junctions.empty()) << name;
  EXPECT_EQ(r.junction_edges.empty(), j.seams.empty()) << name;
}

}  // namespace

TEST(Junctions, ClosedMeshesHaveNone) {
  const Mesh box(closed_box(Vec3(0), Vec3(1)));
  EXPECT_TRUE(unmatched_edges(sorted_edge_uses(box.impl())).empty());
  EXPECT_EQ(solid(box).seams(), 0u);
  EXPECT_FALSE(ClosedMesh::seams(solid(box)));
}

TEST(Junctions, ThatFitAreClosed) {
  expect_closed(box_with_junctions({}, {}), "none");
  expect_closed(box_with_junctions({}, {4}), "one corner");
  expect_closed(box_with_junctions({3}, {}), "one corner of the other side");
  expect_closed(box_with_junctions({}, {1, 4, 6}), "chain of three");
  expect_closed(box_with_junctions({2, 5}, {1, 4, 6}), "staggered");
  expect_closed(box_with_junctions({2, 4, 5}, {1, 4, 6}), "staggered with a common corner");
  expect_closed(box_with_junctions({2}, {4}, true), "nested");
  expect_closed(box_with_junctions({2, 5}, {1, 4, 6}, true, true), "oblique");
  EXPECT_EQ(solid(Mesh(box_with_junctions({}, {1, 4, 6}))).seams(), 3u);
}

TEST(Junctions, RandomOnes) {
  Random r(41);
  for (int i = 0; i < test::rounds(200); ++i) {
    const Vec3 low = r.point(-2, -1), high = r.point(1, 2);
    MeshData d = test::on_grid(i % 2 ? test::ball(4, Vec3(0), 1) : closed_box(low, high), 8);
    if (i % 3 == 0) test::append(d, MeshData(d));  // every edge twice
    const int splits = r.integer(1, 30);
    expect_closed(test::with_junctions(std::move(d), r, splits), "case " + std::to_string(i));
  }
}

TEST(Junctions, SurplusOfSeveral) {
  MeshData d = box_with_junctions({}, {4});  // the edge is passed several times each way, in one piece and in two
  test::append(d, box_with_junctions({2}, {}));
  test::append(d, closed_box(Vec3(0), Vec3(8)));
  expect_closed(d, "three boxes");
}

TEST(Junctions, OpenWhereOneSideIsShorter) {
  MeshData d = box_with_junctions({}, {4});
  d.triangles.pop_back();  // from the corner on the edge to its end
  const Mesh mesh(d);
  const MeshReport r = check(mesh);
  EXPECT_FALSE(r.closed || r.solid);
  ASSERT_EQ(r.junction_edges.size(), 1u);  // the half that is there
  EXPECT_EQ(r.junction_edges[0].v1, 8u);
  EXPECT_EQ(r.border_edges.size(), r.unbalanced_edges.size());
  EXPECT_TRUE(std::any_of(r.unbalanced_edges.begin(), r.unbalanced_edges.end(), [](const EdgeAt& e) { return e.v0 == 4 && e.v1 == 5; }));
  EXPECT_NE(message_of([&] { (void)solid(mesh); }).find("edge 0-5 from (0, 0, 0) to (8, 0, 8)"), std::string::npos);
}

TEST(Junctions, TwoFacesThatRunTheSameWayAreOpen) {
  MeshData d = box_with_junctions({}, {4});
  std::swap(d.triangles.back()[0], d.triangles.back()[1]);
  EXPECT_FALSE(check(Mesh(d)).solid);
}

TEST(Junctions, WhatMissesIsNamed) {
  MeshData d = box_with_junctions({}, {4}, false, true);
  EXPECT_TRUE(check(Mesh(d)).solid);
  Vec3& corner = d.vertices[8];
  corner.y = std::nextafter(corner.y, -9);
  const Mesh mesh(d);
  const MeshReport r = check(mesh);
  EXPECT_FALSE(r.closed || r.solid);
  ASSERT_EQ(r.near_junctions.size(), 1u);
  const NearJunction& n = r.near_junctions[0];
  EXPECT_EQ(n.vertex, 8u);
  EXPECT_EQ(n.edge.v0, 4u);
  EXPECT_EQ(n.edge.v1, 5u);
  EXPECT_EQ(n.place, corner);
  EXPECT_GT(n.gap, 1e-17);
  EXPECT_LT(n.gap, 1e-15);
  EXPECT_NE(message_of([&] { (void)solid(mesh); }).find("; open by "), std::string::npos);
  EXPECT_EQ(text_of({8, {0, 1, 5}, 3.1e-17, Vec3(0.5, 0, 1)}), "open by 3e-17: corner 8 at (0.5, 0, 1) beside edge 0-1");
  corner.y -= 0.01;  // no rounding
  EXPECT_TRUE(check(Mesh(d)).near_junctions.empty());
}

TEST(Junctions, TrianglesWithoutAreaCloseThemselves) {
  MeshData d = closed_box(Vec3(0), Vec3(1));
  d.vertices.emplace_back(1.0 / 3, 0, 0);
  d.triangles.push_back({0, 1, 8});
  expect_closed(d, "a needle");
}

TEST(Junctions, ManyTakeLittleTime) {
  MeshData d = box_with_junctions({}, {});  // chains of many corners on both sides of one edge
  const auto chain = [&](std::size_t t, int n) {
    const TriangleIndices v = d.triangles[t];
    const Vec3 a = d.vertices[v[0]], b = d.vertices[v[1]];
    std::uint32_t last = v[0];
    d.triangles[t] = {v[0], v[0], v[0]};
    for (int k = 1; k <= n; ++k) {
      std::uint32_t next = v[1];
      if (k < n) {
        next = static_cast<std::uint32_t>(d.vertices.size());
        d.vertices.push_back(a + (b - a) * (k / static_cast<double>(n)));
      }
      d.triangles.push_back({last, next, v[2]});
      last = next;
    }
  };
  chain(10, 1 << 16);
  chain(11, 3 << 15);
  const auto start = std::chrono::steady_clock::now();
  const Solid body = solid(Mesh(d));
  EXPECT_GT(body.seams(), 98000u);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), test::kSanitized ? 60 : 10);
}

}  // namespace graze::junctions_test
