// Closest points of meshes from far away, where squared distances are large in the tree's floats, and with directions of extreme length: regression cases.
#include <gtest/gtest.h>
#include <graze/graze.hpp>

#include <cmath>

namespace graze::far_closest_test {
namespace {

Mesh spikes() {
  MeshData d;
  for (int i = 0; i < 12; ++i) {
    const double x = 4.0 * i, top = i == 7 ? 100 : 5 + i;
    d.vertices.insert(d.vertices.end(), {Vec3(x, 0, 0), Vec3(x + 1, 0, 0), Vec3(x, 1, top)});
    d.triangles.push_back({static_cast<std::uint32_t>(3 * i), static_cast<std::uint32_t>(3 * i + 1), static_cast<std::uint32_t>(3 * i + 2)});
  }
  return Mesh(std::move(d));
}

TEST(FarClosest, NamesTheNearestTriangleFromAnyDistance) {
  const Mesh mesh = spikes();
  for (int e = 0; e < 60; ++e) {
    const double z = 200 + std::ldexp(1.0, e);
    const Closest c = closest(Point{{0, 0, z}}, mesh);
    double best = INFINITY;
    for (std::size_t i = 0; i < mesh.size(); ++i) {
      const auto& t = mesh.triangles()[i];
      best = std::min(best, closest(Point{{0, 0, z}}, Triangle{{mesh.vertices()[t[0]], mesh.vertices()[t[1]], mesh.vertices()[t[2]]}}).distance);
    }
    ASSERT_EQ(c.distance, best) << "2^" << e;
    const Closest between = closest(mesh, at(mesh, translation({0, 0, z})));
    const Closest back = closest(at(mesh, translation({0, 0, z})), mesh);
    ASSERT_EQ(between.distance, back.distance);
    ASSERT_EQ(between.on_a, back.on_b);
    ASSERT_EQ(between.on_a.z, 100) << "2^" << e;
  }
}

TEST(ExtremeDirections, DecisionsDoNotDependOnDirectionLength) {
  for (int e = 0; e <= 1000; e += 20) {
    const double s = std::ldexp(1.0, -e);
    const Triangle t{{Vec3(-s, -s, 0), Vec3(s, -s, 0), Vec3(0, s, s)}};
    for (const double d : {5e-324, 1e-320, 1e-310, 1e-200, 1.0, 1e200, 1.7e308}) {
      ASSERT_TRUE(intersects(t, Line{{0, 0, 0}, {0, 0, d}})) << e << " " << d;
      ASSERT_TRUE(intersects(t, Ray{{0, 0, -s}, {0, 0, d}})) << e << " " << d;
      ASSERT_FALSE(intersects(t, Ray{{0, 0, -s}, {0, 0, -d}})) << e << " " << d;
      ASSERT_TRUE(intersects(Point{{0, 0, -s}}, HalfSpace{{0, 0, 0}, {0, 0, d}})) << e << " " << d;
      ASSERT_FALSE(intersects(Point{{0, 0, s}}, HalfSpace{{0, 0, 0}, {0, 0, d}})) << e << " " << d;
      const auto hit = raycast(Ray{{0, 0, -s}, {0, 0, 1}}, HalfSpace{{0, 0, 0}, {0, 0, d}});
      ASSERT_TRUE(hit && hit->started_inside) << e << " " << d;
    }
  }
}

TEST(ExtremeDirections, WitnessesAreFinite) {
  const Closest c = closest(HalfSpace{{0, 0, 0}, {1.7e308, 0, -1.7e308}}, Point{{-1, 0, 0}});
  EXPECT_EQ(c.distance, 0);
  EXPECT_NEAR(c.on_a.x, -1, 1e-12);
  const auto hit = raycast(Segment{{-1.7e308, 0, 0}, {1.7e308, 0, 0}}, Plane{{1e308, 0, 0}, {1, 0, 0}});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->point.x / 1e308, 1, 1e-12);
}

TEST(ExtremeDirections, BoxesWithAxesOfExtremeLength) {
  for (const double d : {5e-324, 1e-310, 1e-290, 1e-200, 1e200, 1e290}) {
    const double h = 1e290 / (d < 1 ? 1 : 1e280), size = d * h;  // half size times axis
    const OrientedBox box{{0, 0, 0}, {Vec3(d, 0, 0), Vec3(0, d, 0), Vec3(0, 0, d)}, {h, h, h}};
    ASSERT_TRUE(intersects(box, Point{{size * 0.5, size * 0.25, -size * 0.75}})) << d;
    ASSERT_FALSE(intersects(box, Point{{size * 1.5, size * 0.25, -size * 0.75}})) << d;
  }
}

}  // namespace
}  // namespace graze::far_closest_test
