// Batches of points and rays against one target: the same bits as single queries, in any order of processing.
#include <gtest/gtest.h>
#include <graze/graze.hpp>
#include <graze/query/brief_hits.hpp>

#include "mesh/meshes.hpp"
#include "platform/cpu.hpp"
#include "support/random.hpp"

namespace graze::batches_test {
namespace {

using test::Random;

void expect_same(const Closest& a, const Closest& b, const std::string& where) {
  EXPECT_EQ(a.distance, b.distance) << where;
  EXPECT_EQ(a.on_a, b.on_a) << where;
  EXPECT_EQ(a.on_b, b.on_b) << where;
  EXPECT_EQ(a.triangle_a, b.triangle_a) << where;
  EXPECT_EQ(a.triangle_b, b.triangle_b) << where;
}

BriefHit brief_of(const std::optional<Hit>& hit) {
  return hit ? BriefHit{hit->t, hit->triangle.value_or(BriefHit::kNone), hit->child.value_or(BriefHit::kNone)} : BriefHit{};
}

/// Points near the corners, on them, between them and far away.
std::vector<Vec3> points_about(Random& r, const MeshData& d, std::size_t n, double scale, const Vec3& at) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& v = d.vertices[r.below(d.vertices.size())];
    switch (i % 4) {
      case 0:
        points.push_back(v);
        break;
      case 1:
        points.push_back(v + scale * 1e-3 * r.point(-1, 1));
        break;
      case 2:
        points.push_back(scale * r.point(-1, 1) + at);
        break;
      default:
        points.push_back(scale * std::ldexp(1.0, r.integer(0, 60)) * r.point(-1, 1) + at);
    }
  }
  return points;
}

TEST(TargetBatches, ClosestEqualsSingleQueries) {  // with 5,000 triangles: points are sorted, and each search starts from the previous result
  for (const double scale : {1.0, 1e-200, 1e200}) {
    for (int kind = 0; kind < 2; ++kind) {
      Random r(7);
      const MeshData d = kind == 0 ? test::soup(r, 5000, scale, Vec3(scale, 0, 0), 0.05) : test::lattice(r, 4200, scale, Vec3(0, 0, 0), 40);
      const Mesh mesh(d);
      const std::vector<Vec3> points = points_about(r, d, kind == 0 ? 2000 : 520, scale, Vec3(0, 0, 0));
      for (const bool placed : {false, true}) {
        const Pose pose = translation(Vec3(0.25, -1, 3) * scale);
        const auto placed_mesh = at(mesh, pose);
        const ShapeRef target = placed ? ShapeRef(placed_mesh) : ShapeRef(mesh);
        const std::vector<Closest> all = closest(points, target);
        ASSERT_EQ(all.size(), points.size());
        for (std::size_t i = 0; i < points.size(); i += 3) expect_same(all[i], closest(Point{points[i]}, target), "point " + std::to_string(i));
      }
    }
  }
}

TEST(TargetBatches, WritesToTheCallersMemory) {
  Random r(8);
  const MeshData d = test::closed_box({-1, -1, -1}, {1, 1, 1});
  const Solid box = solid(Mesh(d));
  const std::vector<Vec3> points = points_about(r, d, 200, 1, Vec3(0, 0, 0));
  std::vector<Closest> near(points.size());
  closest(points, box, near);
  std::vector<std::uint8_t> inside(points.size(), 7);
  contains(box, points, inside);
  std::vector<Ray> rays;
  for (const Vec3& p : points) rays.push_back({p, r.point(-1, 1) + Vec3(3, 0, 0)});
  std::vector<std::optional<Hit>> hits(rays.size(), Hit{});
  raycast(RaySpan{rays, 2}, box.mesh(), hits);
  for (std::size_t i = 0; i < points.size(); ++i) {
    expect_same(near[i], closest(Point{points[i]}, box), "point " + std::to_string(i));
    EXPECT_EQ(inside[i], contains(box, points[i]) ? 1 : 0);
    const auto hit = raycast(rays[i], box.mesh(), {2});
    ASSERT_EQ(hits[i].has_value(), hit.has_value());
    if (hit) {
      EXPECT_EQ(hits[i]->t, hit->t);
      EXPECT_EQ(hits[i]->triangle, hit->triangle);
    }
  }
  EXPECT_EQ(contains(box, points), inside);
  std::vector<double> depth(points.size());
  signed_distance(points, box, depth);
  const Pose pose = r.pose(0.5);
  const std::vector<double> placed = signed_distance(points, at(box, pose)), ball = signed_distance(points, Sphere{{0.5, 0, 0}, 1});
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(depth[i], signed_distance(points[i], box));
    EXPECT_EQ(depth[i] <= 0, inside[i] != 0);
    EXPECT_EQ(placed[i], signed_distance(points[i], at(box, pose)));
    EXPECT_EQ(ball[i], signed_distance(points[i], Sphere{{0.5, 0, 0}, 1}));
  }
  EXPECT_EQ(signed_distance(std::span<const Vec3>(points), solid(Mesh(MeshData{})))[0], std::numeric_limits<double>::infinity());
  depth.pop_back();
  EXPECT_THROW(signed_distance(points, box, depth), Error);
  near.pop_back();
  EXPECT_THROW(closest(points, box, near), Error);
  EXPECT_THROW(contains(box, points, std::span<std::uint8_t>()), Error);
  EXPECT_THROW(raycast_any(RaySpan{rays}, box, std::span<std::uint8_t>()), Error);
  EXPECT_THROW(raycast(RaySpan{rays}, box, std::span<std::optional<Hit>>()), Error);
  EXPECT_TRUE(closest(std::span<const Vec3>(), box).empty());
}

// Interleaved rays, and short rays in waves, at every CPU level: past the tree, through corners and along edges (which the kernels leave undecided), through
// more triangles at one point than are kept, in numbers that fill no group. Waves run out of space for nodes and leaves (kind 1), for candidates (2) and for
// undecided triangles (3).
TEST(TargetBatches, RaysEqualSingleQueries) {
  Random r(10);
  const CpuLevel before = current_cpu_level();
  for (int kind = 0; kind < 4; ++kind) {
    MeshData d = kind % 2 == 0 ? test::soup(r, 3000, 1, Vec3(0, 0, 0), 0.05)
                 : kind == 3   ? test::ball(24, Vec3(0), 20)
                               : test::lattice(r, 2000, 1, Vec3(0, 0, 0), 20);
    if (kind == 2) {  // forty sheets so close that only exact times order them
      for (int copy = 1; copy < 40; ++copy)
        for (std::size_t i = 0; i < 10; ++i) {
          TriangleIndices t = d.triangles[i];
          for (std::uint32_t& v : t) {
            d.vertices.push_back(d.vertices[v] + Vec3(copy * 0x1p-40, 0, 0));
            v = static_cast<std::uint32_t>(d.vertices.size() - 1);
          }
          d.triangles.push_back(t);
        }
    }
    const Mesh mesh(d);
    const Pose pose = translation(Vec3(0.25, -1, 3));
    const auto placed = at(mesh, pose);
    std::vector<Ray> aimed;
    for (std::size_t i = 0; i < 1003; ++i) {
      const auto& t = d.triangles[i % 4 == 0 ? i % 10 : r.below(d.triangles.size())];
      const Vec3 &a = d.vertices[t[0]], &b = d.vertices[t[1]], &c = d.vertices[t[2]];
      const Vec3 aim = i % 4 == 0 ? a * 0.25 + b * 0.25 + c * 0.5 : i % 4 == 1 ? a : i % 4 == 2 ? (a + b) * 0.5 : r.point(-20, 20);
      const Vec3 from = i % 3 == 0 ? aim - Vec3(0, 0, 4) : r.point(-3, 3);
      aimed.push_back({from, aim - from});
      if (i % 50 == 7) aimed.back() = {Vec3(0, 0, 1e250), Vec3(0, 0, -1e250)};
      if (i < 501) continue;
      const Vec3 way = Vec3(1, r.integer(-2, 2), r.integer(-2, 2)) * (kind % 2 == 0 ? 0.03125 : 0.5);
      aimed.back() = {aim - way, way};
    }
    for (int level = 0; level < kCpuLevels; ++level) {
      if (force_cpu_level(static_cast<CpuLevel>(level)) != static_cast<CpuLevel>(level)) continue;
      for (const bool moved : {false, true}) {
        const ShapeRef target = moved ? ShapeRef(placed) : ShapeRef(mesh);
        std::vector<Ray> rays = aimed;
        for (Ray& ray : rays) ray.origin += moved ? pose.translation : Vec3(0, 0, 0);
        for (const double t_max : {2.0, std::numeric_limits<double>::infinity()}) {
          const auto hits = raycast(RaySpan{rays, t_max}, target);
          const auto any = raycast_any(RaySpan{rays, t_max}, target);
          std::vector<BriefHit> briefs(rays.size(), BriefHit{0, 0, 0});
          raycast(RaySpan{rays, t_max}, target, briefs);
          std::size_t found = 0;
          for (std::size_t i = 0; i < rays.size(); ++i) {
            const auto alone = raycast(rays[i], target, {t_max});
            ASSERT_EQ(hits[i].has_value(), alone.has_value()) << i;
            ASSERT_EQ(any[i] != 0, alone.has_value()) << i;
            ASSERT_EQ(briefs[i], brief_of(alone)) << i;
            ASSERT_EQ(briefs[i], raycast_brief(rays[i], target, {t_max})) << i;
            if (!alone) continue;
            ++found;
            ASSERT_EQ(hits[i]->t, alone->t) << i;
            ASSERT_EQ(hits[i]->triangle, alone->triangle) << i;
            ASSERT_EQ(hits[i]->point, alone->point) << i;
            ASSERT_EQ(hits[i]->barycentric, alone->barycentric) << i;
          }
          EXPECT_GT(found, 200u);
          EXPECT_LT(found, rays.size());
        }
      }
    }
  }
  force_cpu_level(before);
}

TEST(TargetBatches, WithinEqualsSingleQueries) {
  Random r(21);
  const Mesh mesh(test::soup(r, 5000, 1, Vec3(0, 0, 0), 0.05));
  const std::vector<Vec3> points = points_about(r, test::soup(r, 100, 1, Vec3(0, 0, 0), 0.05), 700, 1, Vec3(0, 0, 0));
  const Sphere ball{{0.5, 0, 0}, 0.5};
  for (const double distance : {0.0, 0.03, 1.0}) {
    const std::vector<std::uint8_t> near = within(points, mesh, distance), of_ball = within(points, ball, distance);
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(near[i] != 0, within(Point{points[i]}, mesh, distance)) << i;
      ASSERT_EQ(of_ball[i] != 0, within(Point{points[i]}, ball, distance)) << i;
    }
  }
  EXPECT_THROW((void)within(std::span<const Vec3>(), ball, -1), Error);
  EXPECT_THROW(within(points, ball, 1, std::span<std::uint8_t>()), Error);
}

TEST(TargetBatches, AllHitsEqualSingleQueries) {
  Random r(22);
  const Mesh mesh(test::soup(r, 3000, 1, Vec3(0, 0, 0), 0.3));
  const Solid box = solid(Mesh(test::closed_box({-1, -1, -1}, {1, 1, 1})));
  std::vector<Ray> rays;
  for (int i = 0; i < 300; ++i) rays.push_back({3.0 * r.point(-1, 1), r.point(-1, 1) + Vec3(0, 0, 2)});
  const Pose pose = r.pose(1);
  const auto placed = at(mesh, pose);
  const Compound compound({{mesh, pose}, {Sphere{{0, 0, 1}, 0.5}, Pose()}});
  RayHits again;
  BriefHits briefs;
  for (const ShapeRef target : {ShapeRef(mesh), ShapeRef(placed), ShapeRef(box), ShapeRef(compound)})
    for (const double t_max : {0.5, std::numeric_limits<double>::infinity()}) {
      const RayHits all = raycast_all(RaySpan{rays, t_max}, target);
      raycast_all(RaySpan{rays, t_max}, target, again);
      raycast_all(RaySpan{rays, t_max}, target, briefs);
      ASSERT_EQ(all.offsets.size(), rays.size() + 1);
      EXPECT_EQ(all.offsets[0], 0u);
      EXPECT_EQ(all.offsets.back(), all.hits.size());
      EXPECT_EQ(again.offsets, all.offsets);
      EXPECT_EQ(briefs.offsets, all.offsets);
      EXPECT_GT(all.hits.size(), 0u);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const std::vector<Hit> one = raycast_all(rays[i], target, {t_max});
        ASSERT_EQ(one.size(), all.offsets[i + 1] - all.offsets[i]);
        for (std::size_t k = 0; k < one.size(); ++k) {
          for (const Hit& hit : {all.hits[all.offsets[i] + k], again.hits[all.offsets[i] + k]}) {
            EXPECT_EQ(one[k].t, hit.t);
            EXPECT_EQ(one[k].point, hit.point);
            EXPECT_EQ(one[k].normal, hit.normal);
            EXPECT_EQ(one[k].triangle, hit.triangle);
            EXPECT_EQ(one[k].child, hit.child);
            EXPECT_EQ(one[k].barycentric, hit.barycentric);
            EXPECT_EQ(one[k].started_inside, hit.started_inside);
          }
          EXPECT_EQ(brief_of(one[k]), briefs.hits[all.offsets[i] + k]);
        }
      }
    }
  const RayHits none = raycast_all(RaySpan{{}}, mesh);
  EXPECT_EQ(none.offsets, std::vector<std::size_t>{0});
  EXPECT_TRUE(none.hits.empty());
  EXPECT_THROW((void)raycast_all(RaySpan{rays, std::numeric_limits<double>::quiet_NaN()}, mesh), Error);
}

TEST(TargetBatches, BriefHitsOfAllShapes) {
  const Mesh mesh(test::closed_box({-1, -1, -1}, {1, 1, 1}));
  const Solid box = solid(mesh);
  const Sphere ball{{0, 0, 0}, 1};
  const Compound compound({{ball, Pose()}, {mesh, translation(Vec3(4, 0, 0))}});
  std::vector<Ray> rays;
  for (const double z : {-8.0, -1.0, 0.0, 0x1p-1074})
    for (const double x : {0.0, 0.5, 1.0, 4.0, 9.0}) rays.push_back({Vec3(x, x, z), Vec3(0, 0, 1)}), rays.push_back({Vec3(z, x, x), Vec3(1, 0, 0)});
  const Line line{{0, 0, 0}, {0, 0, 1}};
  for (const ShapeRef target : {ShapeRef(mesh), ShapeRef(box), ShapeRef(ball), ShapeRef(compound)}) {
    for (const double t_min : {0.0, 1.0, 9.0}) {
      std::vector<BriefHit> briefs(rays.size());
      raycast(RaySpan{rays, 12, Sides::both, {}, t_min}, target, briefs);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const RayOptions options{12, Sides::both, {}, t_min};
        EXPECT_EQ(briefs[i], brief_of(raycast(rays[i], target, options))) << i;
        EXPECT_EQ(briefs[i], raycast_brief(rays[i], target, options)) << i;
      }
    }
    EXPECT_EQ(raycast_brief(line, target), brief_of(raycast(line, target)));
  }
  EXPECT_FALSE(BriefHit().hit());
  std::vector<BriefHit> few(1);
  EXPECT_THROW(raycast(RaySpan{rays}, mesh, few), Error);
}

TEST(TargetBatches, OneShapeAtManyPoses) {
  Random r(23);
  const Mesh mesh(test::soup(r, 500, 1, Vec3(0, 0, 0), 0.2));
  const Capsule capsule{{-1, 0, 0}, {1, 0, 0}, 0.2};
  const Pose pose = r.pose(1);
  std::vector<Pose> poses;
  for (int i = 0; i < 200; ++i) poses.push_back(r.pose(3));
  for (const ShapeRef a : {ShapeRef(mesh), ShapeRef(capsule)})
    for (const Placed& b : {at(mesh, pose), at(capsule, pose)}) {
      const std::vector<std::uint8_t> hit = intersects(a, poses, b), near = within(a, poses, b, 0.5);
      const std::vector<Closest> gap = closest(a, poses, b);
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const ShapeRef placed(a.kind(), a.shape(), &poses[i]);
        ASSERT_EQ(hit[i] != 0, intersects(placed, b)) << i;
        ASSERT_EQ(near[i] != 0, within(placed, b, 0.5)) << i;
        expect_same(gap[i], closest(placed, b), std::to_string(i));
      }
      EXPECT_GT(std::count(hit.begin(), hit.end(), 1), 0);
      EXPECT_GT(std::count(near.begin(), near.end(), 0), 0);
    }
  EXPECT_TRUE(intersects(ShapeRef(mesh), std::span<const Pose>(), ShapeRef(mesh)).empty());
  EXPECT_THROW((void)intersects(at(mesh, pose), poses, ShapeRef(mesh)), Error);
  EXPECT_THROW((void)closest(at(mesh, pose), poses, ShapeRef(mesh)), Error);
  EXPECT_THROW((void)within(ShapeRef(mesh), std::span<const Pose>(), ShapeRef(mesh), -1), Error);
  EXPECT_THROW(intersects(ShapeRef(mesh), poses, ShapeRef(mesh), std::span<std::uint8_t>()), Error);
}

TEST(TargetBatches, PairsOfPlacedShapes) {
  Random r(24);
  const Mesh mesh(test::soup(r, 300, 1, Vec3(0, 0, 0), 0.2));
  const Sphere ball{{0, 0, 0}, 0.5};
  std::vector<Placed> a, b;
  for (int i = 0; i < 150; ++i) {
    a.push_back(i % 2 == 0 ? at(mesh, r.pose(2)) : at(ball, r.pose(2)));
    b.push_back(i % 3 == 0 ? at(mesh, r.pose(2)) : at(ball, r.pose(2)));
  }
  const std::vector<ShapeRef> refs_a(a.begin(), a.end()), refs_b(b.begin(), b.end());
  const std::vector<std::uint8_t> hit = intersects(refs_a, refs_b), near = within(refs_a, refs_b, 0.5);
  const std::vector<Closest> gap = closest(refs_a, refs_b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(hit[i] != 0, intersects(a[i], b[i]));
    EXPECT_EQ(near[i] != 0, within(a[i], b[i], 0.5));
    expect_same(gap[i], closest(a[i], b[i]), std::to_string(i));
  }
  EXPECT_THROW((void)within(refs_a, std::span<const ShapeRef>(refs_b).first(3), 0.5), Error);
  EXPECT_THROW((void)within(std::span<const ShapeRef>(), std::span<const ShapeRef>(), -1.0), Error);
}

}  // namespace
}  // namespace graze::batches_test
