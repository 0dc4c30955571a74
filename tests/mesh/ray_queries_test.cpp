// Rays against surfaces: first hit, any hit and all hits equal brute force, including rays through shared corners and edges, in planes, from far away, and at
// all sizes.
#include <gtest/gtest.h>

#include "bvh/scenes.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

std::vector<RayQuery> rays(Random& r, const NamedMesh& m) {
  std::vector<RayQuery> all;
  const auto& v = m.data.vertices;
  const auto somewhere = [&](double f) { return m.at + r.point(-f, f) * m.size; };
  const auto corner = [&] { return v[r.below(v.size())]; };
  const double infinity = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 40; ++i) {
    const Vec3 to = i % 3 == 0 ? corner() : i % 3 == 1 ? 0.5 * corner() + 0.5 * corner() : somewhere(1);
    Vec3 from = somewhere(2);
    all.push_back({from, to, true, 0, i % 2 ? 1.0 : 3.0});
    const Vec3 direction = to * 0.25 - from * 0.25;
    if (direction != Vec3(0)) all.push_back({from, direction, false, i % 4 == 0 ? -infinity : 0, infinity});
    Vec3 axis(0);
    axis[i % 3] = i % 2 ? 1 : -3;
    from = corner();
    from[i % 3] = somewhere(2)[i % 3];
    all.push_back({from, axis, false, 0, infinity});      // parallel to an axis through a vertex
    all.push_back({corner(), axis, false, 0, infinity});  // from a vertex
    all.push_back({corner(), corner(), true, 0, 1});      // possibly along an edge, in a plane, or of zero length
    if (m.size < 1e100 && m.size > 1e-100) {
      for (const double far : {1e9, 1e9 * m.size, 1e15 * m.size, 1e40 * m.size}) {  // the other coordinates are unchanged
        all.push_back({from + axis * far, -axis, false, 0, infinity});
        all.push_back({from + axis * far, from - axis * far, true, 0, 1});
      }
    }
  }
  return all;
}

/// A mesh that its pose rounds to a few points: triangles become equal or lose their area, and many are hit at the same time.
TEST(RayQueries, CollapsedMeshes) {
  for (const double size : {1.0, 1e-3, 1e-13}) {
    const Mesh tiny(ball(8, Vec3(0, 0, 0), 1e-17 * size));
    const Pose pose = translation(Vec3(.1, .1, .1));
    const MeshView view(tiny, &pose);
    const double x = .1, up = std::nextafter(x, 1), down = std::nextafter(x, 0), infinity = std::numeric_limits<double>::infinity();
    std::vector<RayQuery> all;
    for (const double y : {x, up, down, .1000001}) {
      all.push_back({Vec3(x, y, -1), Vec3(0, 0, 1), false, 0, infinity});
      all.push_back({Vec3(y, x, 7), Vec3(y, x, x), true, 0, 1});
      all.push_back({Vec3(y, y, y), Vec3(1, -1, 1), false, -infinity, infinity});
      all.push_back({Vec3(y, y, y), Vec3(y, y, y), true, 0, 1});
    }
    std::vector<FirstPlace> places(all.size());
    places.resize(ray_first(view, all, places));
    const std::uint64_t any = ray_any(view, all);
    std::size_t next = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      std::vector<std::uint32_t> hit;
      for (std::uint32_t i = 0; i < size_of(view); ++i) {
        if (ray_hits(all[k], placed_triangle(view, i))) hit.push_back(i);
      }
      std::sort(hit.begin(), hit.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int order = compare_hits(all[k], placed_triangle(view, a), placed_triangle(view, b));
        return order != 0 ? order < 0 : a < b;
      });
      const auto first = ray_first(view, all[k]);
      ASSERT_EQ(first.has_value(), !hit.empty()) << k;
      EXPECT_EQ(ray_any(view, all[k]), !hit.empty()) << k;
      EXPECT_EQ((any >> k & 1) != 0, !hit.empty()) << k;
      std::vector<std::uint32_t> found;
      for (const RayHit& h : ray_all(view, all[k])) found.push_back(h.triangle);
      EXPECT_EQ(found, hit) << k;
      if (!first) continue;
      EXPECT_EQ(first->triangle, hit[0]) << k;
      ASSERT_LT(next, places.size());
      EXPECT_EQ(places[next].ray, k);
      EXPECT_EQ(first_triangle(view, places[next++].place).triangle, hit[0]) << k;
    }
    EXPECT_EQ(next, places.size());
  }
}

TEST(RayQueries, EqualBruteForce) {
  Random r(81);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      SCOPED_TRACE(n.name + (pose ? " placed" : ""));
      const MeshView view(mesh, pose ? &*pose : nullptr);
      int hits = 0;
      for (RayQuery ray : rays(r, n)) {
        if (pose) {
          ray.origin = pose->apply(ray.origin);
          ray.direction = ray.to_point ? pose->apply(ray.direction) : pose->rotate(ray.direction);
        }
        std::vector<std::uint32_t> hit;
        for (std::uint32_t i = 0; i < size_of(view); ++i) {
          if (ray_hits(ray, placed_triangle(view, i))) hit.push_back(i);
        }
        std::sort(hit.begin(), hit.end(), [&](std::uint32_t a, std::uint32_t b) {
          const int order = compare_hits(ray, placed_triangle(view, a), placed_triangle(view, b));
          return order != 0 ? order < 0 : a < b;
        });
        const auto first = ray_first(view, ray);
        EXPECT_EQ(ray_any(view, ray), !hit.empty());
        ASSERT_EQ(first.has_value(), !hit.empty());
        if (first) {
          EXPECT_EQ(first->triangle, hit[0]);
        }
        std::vector<std::uint32_t> found;
        for (const RayHit& h : ray_all(view, ray)) found.push_back(h.triangle);
        EXPECT_EQ(found, hit);
        hits += !hit.empty();
      }
      EXPECT_GT(hits, 10);
    }
  }
}

TEST(RayQueries, ClosedSurfacesDoNotLeak) {
  const Mesh mesh(ball(24, Vec3(0), 1));
  Random r(82);
  for (const auto& v : mesh.vertices()) {  // from inside exactly through every vertex and many edges
    const Vec3 from = r.point(-0.2, 0.2);
    EXPECT_TRUE(ray_any(mesh, {from, v, true, 0, 1}));
    EXPECT_TRUE(ray_any(mesh, {from, v - from, false, 0, 2}));
  }
  for (int i = 0; i < 2000; ++i) EXPECT_TRUE(ray_any(mesh, {r.point(-0.3, 0.3), r.point(-1, 1), false, 0, std::numeric_limits<double>::infinity()}));
}

TEST(RayQueries, SameAtEveryCpuLevel) {
  Random r(83);
  const NamedMesh n = meshes()[1];
  const Mesh mesh(n.data);
  const auto all = rays(r, n);
  std::vector<std::uint32_t> first;
  for_each_cpu_level([&](CpuLevel) {
    std::vector<std::uint32_t> results;
    for (const RayQuery& ray : all) {
      const auto hit = ray_first(mesh, ray);
      results.push_back(hit ? hit->triangle : ~0u);
    }
    if (first.empty()) first = results;
    EXPECT_EQ(results, first);
  });
}

}  // namespace
}  // namespace graze::test
