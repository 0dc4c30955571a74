// The nearest triangles of a surface to shapes of every kind: the answers of brute force over all triangles, after few exact tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <graze/shapes.hpp>
#include <type_traits>
#include <variant>
#include <vector>

#include "bvh/scenes.hpp"
#include "math/vec3.hpp"
#include "mesh/meshes.hpp"
#include "parts/convex_of_shape.hpp"

namespace graze::test::convex_search_test {
namespace {

using Shape = std::variant<ConvexSet, Curved>;

/// Shapes of every kind around `at`, of about `size`. The hull must outlive them.
std::vector<Shape> shapes(Random& r, const Vec3& at, double size, const Hull& hull, const Pose& pose) {
  const auto point = [&] { return at + r.point(-1, 1) * size; };
  const Vec3 p = point(), q = point();
  const double radius = r.real(0, 1) * size;
  std::vector<Shape> all;
  const auto add_convex = [&](const auto& shape) { all.push_back(convex_set_of(shape, nullptr)); };
  add_convex(Segment{p, q});
  add_convex(Triangle{{p, q, point()}});
  add_convex(Capsule{p, q, radius});
  ConvexSet box;
  box.add_point(p);
  for (int k = 0; k < 3; ++k) {
    Vec3 axis(0);
    axis[k] = 1;
    box.add_segment(pose.rotate(axis), -r.real(0, 1) * size, r.real(0, 1) * size);
  }
  all.push_back(box);
  box.radius = radius;  // as for a sphere that moves
  all.push_back(box);
  all.push_back(convex_set_of(hull, &pose));
  const auto add_curved = [&](const auto& shape) {
    all.push_back(curved_of(shape, nullptr));
    Curved moving = std::get<Curved>(all.back());
    if (moving.convex()) return;
    moving.motion = r.point(-1, 1) * size;
    moving.motion_to = 1;
    all.push_back(moving);
  };
  if (p != q) {
    add_curved(Cylinder{p, q, radius});
    add_curved(Cone{p, q, radius});
  }
  add_curved(Ellipsoid{p, Vec3(radius, r.real(0, 1) * size, r.real(0, 1) * size)});
  return all;
}

bool same(const SurfaceClosest& x, const SurfaceClosest& y) {
  return x.closest.distance == y.closest.distance && x.closest.on_a == y.closest.on_a && x.closest.on_b == y.closest.on_b && x.triangle_a == y.triangle_a;
}

/// All triangles by distance, then number.
template <class Convex>
std::vector<SurfaceClosest> by_brute_force(const MeshView& view, const Convex& b) {
  std::vector<SurfaceClosest> all;
  for (std::uint32_t i = 0; i < size_of(view); ++i) all.push_back({closest(convex_triangle(placed_triangle(view, i)), b), i, 0});
  std::stable_sort(all.begin(), all.end(), [](const SurfaceClosest& x, const SurfaceClosest& y) { return x.closest.distance < y.closest.distance; });
  return all;
}

template <class Convex>
void expect_brute_force(const MeshView& view, const Convex& b) {
  const std::vector<SurfaceClosest> truth = by_brute_force(view, b);
  const std::size_t few = std::min<std::size_t>(truth.size(), 5);
  const double limit = truth[few - 1].closest.distance;
  for_each_cpu_level([&](CpuLevel) {
    const auto found = closest(view, b);
    ASSERT_TRUE(found);
    EXPECT_TRUE(same(*found, truth[0])) << found->triangle_a << ' ' << truth[0].triangle_a << ' ' << found->closest.distance - truth[0].closest.distance;
    const std::vector<SurfaceClosest> nearest = closest_triangles(view, b, few, kInfinity);
    ASSERT_EQ(nearest.size(), few);
    for (std::size_t i = 0; i < few; ++i) EXPECT_TRUE(same(nearest[i], truth[i])) << i;
    const std::size_t within =
        static_cast<std::size_t>(std::count_if(truth.begin(), truth.end(), [&](const SurfaceClosest& c) { return c.closest.distance <= limit; }));
    EXPECT_EQ(closest_triangles(view, b, truth.size() + 1, limit).size(), within);
  });
  for (const double distance : {0.0, truth[0].closest.distance, std::nextafter(truth[0].closest.distance, 0), limit}) {
    std::vector<std::uint32_t> near;
    for (std::uint32_t i = 0; i < size_of(view); ++i)
      if (within(b, convex_triangle(placed_triangle(view, i)), distance)) near.push_back(i);
    for_each_cpu_level([&](CpuLevel) {
      EXPECT_EQ(triangles_within(view, b, distance), near) << distance;
      EXPECT_EQ(within(view, b, distance), !near.empty()) << distance;
    });
  }
}

TEST(ConvexSearch, EqualsBruteForce) {
  Random r(81);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      SCOPED_TRACE(n.name + (pose ? " placed" : ""));
      const MeshView view(mesh, pose ? &*pose : nullptr);
      for (int round = 0; round < 6; ++round) {
        const Triangle near = placed_triangle(view, static_cast<std::uint32_t>(r.integer(0, static_cast<int>(size_of(view)) - 1)));
        // In contact, near, far away; much smaller than the mesh, much larger.
        const int scale = n.size > 1e100 ? r.integer(-60, 0) : n.size < 1e-100 ? r.integer(0, 60) : r.integer(-12, 8);
        const double size = std::ldexp(n.size, scale);
        const Vec3 at = near.points[0] + r.point(-1, 1) * std::ldexp(n.size, n.size > 1e100 ? -round : 2 - 3 * round);
        std::vector<Vec3> points;
        for (int i = 0; i < 12; ++i) points.push_back(r.point(-1, 1) * size);
        const Hull hull(points);
        Pose turned = r.pose(0);
        turned.translation = at;
        for (const Shape& shape : shapes(r, at, size, hull, turned)) std::visit([&](const auto& b) { expect_brute_force(view, b); }, shape);
      }
    }
  }
}

// Many triangles at one distance, so that the lowest counts, and more than the search stores.
TEST(ConvexSearch, LowestOfEqualTriangles) {
  MeshData d;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const double x = i % 20, y = i / 20 % 5;
    d.vertices.insert(d.vertices.end(), {Vec3(x, y, 0), Vec3(x + 1, y, 0), Vec3(x, y + 1, 0)});
    d.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  std::reverse(d.triangles.begin(), d.triangles.end());
  const Mesh mesh(d);
  for (const double z : {0.5, 2.0, 1e9}) {  // the first one touches
    expect_brute_force(MeshView(mesh), convex_set_of(Box{{2, 1, z - 0.5}, {9, 3, z + 0.5}}, nullptr));
    expect_brute_force(MeshView(mesh), convex_set_of(Capsule{{2, 1.5, z}, {9, 1.5, z}, 0.5}, nullptr));
    expect_brute_force(MeshView(mesh), curved_of(Cylinder{{2, 2, z - 0.5}, {2, 2, z + 0.5}, 3}, nullptr));
  }
}

// A shape as large as the mesh, or much larger, is near it only in few of its 102,400 triangles.
TEST(ConvexSearch, FewExactTestsWithin) {
  Random r(83);
  const Mesh mesh(ball(160, Vec3(0), 1));
  const MeshView view(mesh);
  for (const double size : {1.0, 1e4}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 40; ++i) points.push_back(r.point(-1, 1) * size);
    const Hull hull(points);
    for (int round = 0; round < 20; ++round) {
      Vec3 away = r.point(-1, 1);
      away *= size / std::sqrt(dot(away, away));
      Pose turned = r.pose(0);
      turned.translation = away;
      for (const Shape& shape : shapes(r, away, size, hull, turned)) {
        const DecisionCounts before = decision_counts();
        std::visit(
            [&](const auto& b) {
              const auto nearest = closest(view, b);
              ASSERT_TRUE(nearest);
              const double d = nearest->closest.distance;
              EXPECT_TRUE(d == 0 || !within(view, b, d * (1 - 1e-9)));
            },
            shape);
        const DecisionCounts& after = decision_counts();
        EXPECT_LE((after.filter - before.filter) + (after.pairs - before.pairs) + (after.big - before.big), 1000u) << size << ' ' << shape.index();
      }
    }
  }
}

// The work grows like the logarithm of the number of triangles: with corners in common, some triangles are equally near.
TEST(ConvexSearch, FewExactTests) {
  Random r(82);
  for (const std::uint32_t n : {16u, 160u}) {  // 1000 and 100,000 triangles
    const Mesh mesh(ball(n, Vec3(0), 1));
    const MeshView view(mesh);
    for (const double size : {0.02, 1.0}) {
      std::vector<Vec3> points;
      for (int i = 0; i < 40; ++i) points.push_back(r.point(-1, 1) * size);
      const Hull hull(points);
      for (int round = 0; round < 20; ++round) {
        Vec3 away = r.point(-1, 1);
        away *= (1.1 + 6 * size) / std::sqrt(dot(away, away));
        Pose turned = r.pose(0);
        turned.translation = away;
        for (const Shape& shape : shapes(r, away, size, hull, turned)) {
          const DecisionCounts before = decision_counts();
          std::visit([&](const auto& b) { EXPECT_TRUE(closest(view, b)); }, shape);
          const DecisionCounts& after = decision_counts();
          EXPECT_LE((after.filter - before.filter) + (after.pairs - before.pairs) + (after.big - before.big), 100u) << n << ' ' << size << ' ' << shape.index();
        }
      }
    }
  }
}

}  // namespace
}  // namespace graze::test::convex_search_test
