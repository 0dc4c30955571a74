// Surfaces against convex shapes: every answer equals brute force over all triangles.
#include <gtest/gtest.h>

#include <cmath>

#include "bvh/scenes.hpp"
#include "convex/sets/convex_set_bounds.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::test::convex_queries_test {
namespace {

std::vector<ConvexSet> convex_sets(Random& r, const NamedMesh& m) {
  std::vector<ConvexSet> all;
  const auto somewhere = [&] { return m.at + r.point(-1.2, 1.2) * m.size; };
  const auto corner = [&] { return m.data.vertices[r.below(m.data.vertices.size())]; };
  for (int i = 0; i < 8; ++i) {
    ConvexSet point, segment, edge, spot, ball, box, ray, line, triangle;
    point.add_point(i % 2 ? corner() : somewhere());
    segment.add_point(somewhere()).add_point(i % 2 ? corner() : somewhere());
    edge.add_point(corner()).add_point(corner());            // perhaps an edge, or in a plane of triangles
    spot.add_point(point.base(0)).add_point(point.base(0));  // a segment of length 0
    ball.add_point(somewhere());
    ball.radius = r.real(0, 0.3) * m.size;
    box.add_point(i % 2 ? corner() : somewhere());
    for (int k = 0; k < 3; ++k) {
      Vec3 axis(0);
      axis[k] = m.size;
      box.add_segment(i < 4 ? axis : r.point(-1, 1) * m.size, -r.real(0, 0.3), 0.25);
    }
    ray.add_point(somewhere()).add_direction(r.point(-1, 1));
    line.add_point(i % 2 ? corner() : somewhere()).add_direction(ray.direction[0]).add_direction(-ray.direction[0]);
    triangle.add_point(somewhere()).add_point(corner()).add_point(corner());
    all.insert(all.end(), {point, segment, edge, spot, ball, box, ray, line, triangle});
  }
  return all;
}

TEST(ConvexQueries, EqualBruteForce) {
  Random r(41);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      SCOPED_TRACE(n.name + (pose ? " placed" : ""));
      const MeshView view(mesh, pose ? &*pose : nullptr);
      for (ConvexSet convex : convex_sets(r, n)) {
        if (pose) {  // bring it near
          for (std::uint32_t k = 0; k < convex.points; ++k) convex.own[k] = pose->apply(convex.own[k]);
        }
        const double d = r.real(0, 0.2) * n.size;
        std::vector<std::uint32_t> touching, near;
        std::optional<SurfaceClosest> best;
        for (std::uint32_t i = 0; i < size_of(view); ++i) {
          const ConvexSet t = convex_triangle(placed_triangle(view, i));
          if (within(t, convex)) touching.push_back(i);
          if (within(t, convex, d)) near.push_back(i);
          if (!convex.bounded()) continue;
          const ConvexClosest c = closest(t, convex);
          if (!best || c.distance < best->closest.distance) best = SurfaceClosest{c, i, 0};
        }
        EXPECT_EQ(intersects(view, convex), !touching.empty());
        EXPECT_EQ(within(view, convex, d), !near.empty());
        EXPECT_EQ(triangles_within(view, convex), touching);
        EXPECT_EQ(triangles_within(view, convex, d), near);
        const std::vector<std::uint32_t> some = some_triangles_within(view, convex, 3);
        EXPECT_EQ(some.size(), std::min<std::size_t>(3, touching.size()));
        for (const std::uint32_t i : some) EXPECT_TRUE(std::binary_search(touching.begin(), touching.end(), i));
        if (near.size() > 1) {
          EXPECT_EQ(triangles_within(view, convex, d, 1), std::vector<std::uint32_t>{near[0]});
        }
        if (!convex.bounded()) continue;
        const auto found = closest(view, convex);
        ASSERT_TRUE(found && best);
        EXPECT_EQ(found->closest.distance, best->closest.distance);
        EXPECT_EQ(found->triangle_a, best->triangle_a);
        for (int k = 0; k < 3; ++k)
          EXPECT_LE(std::fabs(found->closest.on_a[k] - best->closest.on_a[k]),
                    8 * 0x1p-53 * (n.size + std::fabs(found->closest.on_a[k])) + 0x1p-1073);  // both are rounded
        EXPECT_EQ(found->closest.on_b, best->closest.on_b);
        EXPECT_EQ(found->closest.distance == 0, !touching.empty());
      }
    }
  }
}

TEST(ConvexQueries, SameAtEveryCpuLevel) {
  Random r(42);
  const NamedMesh n = meshes()[0];
  const Mesh mesh(n.data);
  const Pose pose = r.pose(1);
  const auto all = convex_sets(r, n);
  std::vector<double> first;
  for_each_cpu_level([&](CpuLevel) {
    std::vector<double> results;
    for (const ConvexSet& c : all) {
      results.push_back(intersects(MeshView(mesh, &pose), c));
      if (!c.bounded()) continue;
      const auto best = closest(MeshView(mesh, &pose), c);
      for (int i = 0; i < 3; ++i) results.push_back(best->closest.on_a[i]);
      results.push_back(best->triangle_a);
    }
    if (first.empty()) first = results;
    EXPECT_EQ(results, first);
  });
}

/// Balls, capsules and boxes of all sizes: centred near corners or on them, within a rounding of touching, or enclosing the whole mesh.
std::vector<ConvexSet> small_convex_sets(Random& r, const MeshView& view, const NamedMesh& m, int n) {
  std::vector<ConvexSet> all;
  for (int i = 0; i < n; ++i) {
    const Triangle t = placed_triangle(view, static_cast<std::uint32_t>(r.integer(0, static_cast<int>(size_of(view)) - 1)));
    const double size = std::ldexp(m.size, -r.integer(-2, 12));
    const Vec3 at = i % 3 == 0 ? t.points[0] : t.points[1] + r.point(-2, 2) * size;
    ConvexSet ball, capsule, box;
    ball.add_point(at);
    ball.radius = size;
    if (i % 4 == 1) {
      const double touching = closest(convex_triangle(t), ball).distance + size;
      ball.radius = i % 8 == 1 ? touching : std::nextafter(touching, 0.0);
    }
    capsule.add_point(at).add_point(at + r.point(-1, 1) * size);
    capsule.radius = i % 5 == 0 ? 0 : size * r.real(0, 1);
    const Pose turned = i % 2 ? r.pose(1) : Pose{};
    box.add_point(at);
    for (int k = 0; k < 3; ++k) {
      Vec3 axis(0);
      axis[k] = 1;
      box.add_segment(turned.rotate(axis), -size * (i % 7 == 0 ? 0 : r.real(0, 1)), size * r.real(0, 1));
    }
    all.insert(all.end(), {ball, capsule, box});
  }
  return all;
}

TEST(ConvexQueries, SmallShapesEqualBruteForceAtEveryCpuLevel) {
  Random r(44);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      SCOPED_TRACE(n.name + (pose ? " placed" : ""));
      const MeshView view(mesh, pose ? &*pose : nullptr);
      const std::vector<ConvexSet> all = small_convex_sets(r, view, n, size_of(view) > 1000 ? 12 : 40);
      std::vector<bool> truth;
      for (const ConvexSet& convex : all) {
        bool any = false;
        for (std::uint32_t i = 0; i < size_of(view) && !any; ++i) any = within(convex_triangle(placed_triangle(view, i)), convex);
        truth.push_back(any);
      }
      for_each_cpu_level([&](CpuLevel) {
        for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(intersects(view, all[i]), truth[i]) << i;
      });
    }
  }
}

// Separated or overlapping by about 1e-9 to 1e-6, which floats cannot resolve.
TEST(ConvexQueries, SmallShapesThatAlmostTouch) {
  Random r(46);
  int yes = 0, no = 0;
  for (int round = 0; round < 150; ++round) {
    const double size = round % 2 ? 0.3 : 0.01;
    MeshData d;
    d.vertices = {Vec3(-1, -1, -1), Vec3(-1, -1, -1), Vec3(1, 1, 1)};  // the tree's units are these
    for (int i = 0; i < 6; ++i) {
      const Vec3 at = r.point(-0.9, 0.9);
      d.vertices.insert(d.vertices.end(), {at, at + r.point(-size, size), at + r.point(-size, size)});
    }
    for (std::uint32_t i = 0; i < d.vertices.size(); i += 3) d.triangles.push_back({i, i + 1, i + 2});
    const Mesh mesh(d);
    const auto touches_any = [&](const ConvexSet& c) {
      for (std::uint32_t i = 0; i < d.triangles.size(); ++i)
        if (within(convex_triangle(mesh.impl().triangle(i)), c)) return true;
      return false;
    };
    for (int kind = 0; kind < 3; ++kind) {
      for (int k = 0; k < 12; ++k) {
        const Triangle t = mesh.impl().triangle(static_cast<std::uint32_t>(r.integer(1, 6)));
        const Pose turned = r.pose(1);
        ConvexSet c;
        c.add_point(t.points[0] + r.point(-1, 1) * (size * 3));
        if (kind == 1) c.add_point(c.own[0] + r.point(-1, 1) * size);
        if (kind == 2) {
          for (int j = 0; j < 3; ++j) {
            Vec3 axis(0);
            axis[j] = 1;
            c.add_segment(turned.rotate(axis), -size * r.real(0.1, 1), size * r.real(0.1, 1));
          }
        }
        ConvexClosest nearest = closest(convex_triangle(t), c);
        for (std::uint32_t i = 0; i < d.triangles.size(); ++i) {
          const ConvexClosest other = closest(convex_triangle(mesh.impl().triangle(i)), c);
          if (other.distance < nearest.distance) nearest = other;
        }
        if (nearest.distance < 1e-3) continue;
        for (const double off : {-1e-6, -3e-7, -1e-7, -3e-8, -1e-9, 1e-9, 3e-8, 1e-7, 3e-7, 1e-6}) {
          ConvexSet moved = c;
          if (kind < 2) {
            moved.radius = nearest.distance + off;
          } else {
            const Vec3 way = (nearest.on_a - nearest.on_b) * ((nearest.distance + off) / nearest.distance);
            moved.own[0] = c.own[0] + way;
          }
          const bool truth = touches_any(moved);
          (truth ? yes : no) += 1;
          for_each_cpu_level([&](CpuLevel) { EXPECT_EQ(intersects(MeshView(mesh), moved), truth) << kind << ' ' << off; });
        }
      }
    }
  }
  EXPECT_GT(yes, 10000);
  EXPECT_GT(no, 10000);
}

// More triangles at one distance than the traversals can store.
TEST(ConvexQueries, ManyTrianglesAtOneDistance) {
  MeshData d;
  for (std::uint32_t i = 0; i < 700; ++i) {
    const double shift = i < 350 ? 0 : 1e-9;
    d.vertices.insert(d.vertices.end(), {Vec3(shift, 0, 0), Vec3(1, shift, 0), Vec3(0, 1, shift)});
    d.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const Mesh mesh(d);
  for_each_cpu_level([&](CpuLevel) {
    for (const double away : {0.0, 1e-9, 1.0, 1e5, 1e12}) {
      ConvexSet point, ball;
      point.add_point(Vec3(0.25, 0.25, 1e-10) + Vec3(0, 0, away));
      std::optional<SurfaceClosest> best;
      for (std::uint32_t i = 0; i < 700; ++i) {
        const ConvexClosest c = closest(convex_triangle(mesh.impl().triangle(i)), point);
        if (!best || c.distance < best->closest.distance) best = SurfaceClosest{c, i, 0};
      }
      const auto found = closest(MeshView(mesh), point);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->closest.distance, best->closest.distance) << away;
      EXPECT_EQ(found->triangle_a, best->triangle_a) << away;
      for (int step = -2; step <= 2; ++step) {
        ball = point;
        ball.radius = best->closest.distance;
        for (int k = 0; k < std::abs(step); ++k) ball.radius = std::nextafter(ball.radius, step < 0 ? 0 : 1e300);
        bool any = false;
        for (std::uint32_t i = 0; i < 700; ++i) any = any || within(convex_triangle(mesh.impl().triangle(i)), ball);
        EXPECT_EQ(intersects(MeshView(mesh), ball), any) << away << ' ' << step;
      }
    }
  });
}

// More triangles that touch than the traversals can store: the lowest counts.
TEST(ConvexQueries, DeepBallsAndPointsOnManyTriangles) {
  Random r(46);
  const MeshData fine = ball(24, Vec3(0), 1);
  MeshData fan;
  fan.vertices.push_back(Vec3(0, 0, 0));
  for (std::uint32_t i = 1; i < 400; ++i) {
    fan.vertices.push_back(r.point(-1, 1));
    if (i > 1) fan.triangles.push_back({0, i - 1, i});
  }
  for (const MeshData& data : {fine, fan}) {
    const Mesh mesh(data);
    for (int round = 0; round < 20; ++round) {
      const Pose pose = r.pose(1);
      const MeshView view(mesh, &pose);
      ConvexSet ball;
      ball.add_point(pose.apply(data.vertices[0]));
      ball.radius = r.real(0, 1.5) * static_cast<double>(round % 3);
      std::optional<SurfaceClosest> lowest;
      for (std::uint32_t i = 0; i < size_of(view) && !lowest; ++i) {
        const ConvexClosest c = closest(convex_triangle(placed_triangle(view, i)), ball);
        if (c.distance == 0) lowest = SurfaceClosest{c, i, 0};
      }
      ASSERT_TRUE(lowest.has_value());
      for_each_cpu_level([&](CpuLevel) {
        const auto found = closest(view, ball);
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->triangle_a, lowest->triangle_a);
        EXPECT_EQ(found->closest.distance, 0);
        EXPECT_EQ(found->closest.on_a, lowest->closest.on_a);
        if (round % 3 != 0) return;
        SurfaceClosest of_point;
        const Vec3 center = ball.base(0);
        closest(view, std::span(&center, 1), std::span(&of_point, 1));
        EXPECT_EQ(of_point.triangle_a, lowest->triangle_a);
      });
    }
  }
}

TEST(ConvexQueries, BatchesOfPointsEqualSingleQueries) {
  Random r(45);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      const MeshView view(mesh, pose ? &*pose : nullptr);
      std::vector<Vec3> points;
      for (int i = 0; i < 60; ++i) {
        const Vec3 v = placed_triangle(view, static_cast<std::uint32_t>(r.integer(0, static_cast<int>(size_of(view)) - 1))).points[1];
        points.push_back(i % 3 == 0 ? v : v + r.point(-1, 1) * std::ldexp(n.size, r.integer(-20, 20)));
      }
      std::vector<SurfaceClosest> all(points.size());
      closest(view, points, all);
      for (std::size_t i = 0; i < points.size(); ++i) {
        ConvexSet point;
        point.add_point(points[i]);
        const auto alone = closest(view, point);
        ASSERT_TRUE(alone);
        EXPECT_EQ(all[i].closest.distance, alone->closest.distance);
        EXPECT_EQ(all[i].closest.on_a, alone->closest.on_a);
        EXPECT_EQ(all[i].closest.on_b, alone->closest.on_b);
        EXPECT_EQ(all[i].triangle_a, alone->triangle_a);
      }
    }
  }
}

TEST(ConvexQueries, EmptyMeshTouchesNothing) {
  const Mesh none(MeshData{});
  ConvexSet c;
  c.add_point(Vec3(0));
  EXPECT_FALSE(intersects(MeshView(none), c));
  EXPECT_FALSE(within(MeshView(none), c, 1e300));
  EXPECT_FALSE(closest(MeshView(none), c));
  EXPECT_TRUE(triangles_within(MeshView(none), c).empty());
}

TEST(ConvexQueries, BoundsContainPlacedVertices) {
  Random r(43);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      const MeshView view(mesh, pose ? &*pose : nullptr);
      Box3 exact;
      for (std::uint32_t i = 0; i < size_of(view); ++i) {
        for (const Vec3& p : placed_triangle(view, i).points) exact.add(p);
      }
      const Vec3 direction = r.point(-1, 1);
      double greatest = -kInfinity;
      for (std::uint32_t i = 0; i < size_of(view); ++i)
        for (const Vec3& p : placed_triangle(view, i).points) greatest = std::max(greatest, direction.x * p.x + direction.y * p.y + direction.z * p.z);
      EXPECT_EQ(greatest_along(view, direction), greatest) << n.name;
      const Box3 tight = tight_bounds(view), loose = loose_bounds(view), loose_in_tree = loose_bounds(view, mesh.impl().tree.root_box());
      EXPECT_EQ(tight.lo, exact.lo);
      EXPECT_EQ(tight.hi, exact.hi);
      for (int i = 0; i < 3; ++i) {
        EXPECT_LE(loose.lo[i], exact.lo[i]) << n.name;
        EXPECT_GE(loose.hi[i], exact.hi[i]) << n.name;
        EXPECT_LE(loose_in_tree.lo[i], exact.lo[i]) << n.name;
        EXPECT_GE(loose_in_tree.hi[i], exact.hi[i]) << n.name;
      }
    }
  }
}

// Many vertices about equally far along the direction.
TEST(ConvexQueries, GreatestAlongEqualsBruteForce) {
  Random r(47);
  for (const double scale : {1.0, 1e-300, 1e200}) {
    const Mesh mesh(ball(30, Vec3(0), scale));
    for (int round = 0; round < 40; ++round) {
      const Pose pose = r.pose(round % 2 ? 0 : 3 * scale);
      const MeshView view(mesh, round % 3 ? &pose : nullptr);
      const Vec3 n = r.point(-1, 1);
      double greatest = -kInfinity;
      for (std::uint32_t i = 0; i < size_of(view); ++i)
        for (const Vec3& p : placed_triangle(view, i).points) greatest = std::max(greatest, n.x * p.x + n.y * p.y + n.z * p.z);
      EXPECT_EQ(greatest_along(view, n), greatest) << scale << ' ' << round;
    }
  }
}

}  // namespace
}  // namespace graze::test::convex_queries_test
