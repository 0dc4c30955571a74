// Rays against surfaces: first hit, any hit and all hits equal brute force, including rays through shared corners and edges, in planes, from far away, and at
// all sizes.
#include <gtest/gtest.h>

#include "bvh/scenes.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::test::ray_queries_test {
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

/// The triangles of ray_all, ray by ray; `together` at a time.
std::vector<std::vector<std::uint32_t>> all_hits(const MeshView& view, std::span<const RayQuery> rays, std::size_t together) {
  std::vector<std::vector<std::uint32_t>> found(rays.size());
  for (std::size_t begin = 0; begin < rays.size(); begin += together) {
    std::vector<HitPlace> hits;
    ray_all(view, rays.subspan(begin, std::min(together, rays.size() - begin)), hits);
    for (const HitPlace& hit : hits) found[begin + hit.ray].push_back(first_triangle(view, hit.place).triangle);
  }
  return found;
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
    std::vector<HitPlace> places(all.size());
    places.resize(ray_first(view, all, places));
    const std::uint64_t any = ray_any(view, all);
    const auto every = all_hits(view, all, kRayBatch), single = all_hits(view, all, 1);
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
      EXPECT_EQ(every[k], hit) << k;
      EXPECT_EQ(single[k], hit) << k;
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
      std::vector<RayQuery> all = rays(r, n);
      for (RayQuery& ray : all) {
        if (!pose) break;
        ray.origin = pose->apply(ray.origin);
        ray.direction = ray.to_point ? pose->apply(ray.direction) : pose->rotate(ray.direction);
      }
      const auto every = all_hits(view, all, kRayBatch), single = all_hits(view, all, 1);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const RayQuery& ray = all[k];
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
        EXPECT_EQ(every[k], hit);
        EXPECT_EQ(single[k], hit);
        hits += !hit.empty();
      }
      EXPECT_GT(hits, 10);
    }
  }
}

// More hits than a traversal has room for, many of them at the same parameter or nearly so.
TEST(RayQueries, ManyHitsOfOneRay) {
  Random r(84);
  MeshData data;
  for (int i = 0; i < 400; ++i) {
    double z = 0.25 * r.integer(0, 40);
    if (i % 3 == 0) z += 0x1p-40 * r.unit();
    const double tilt = 0x1p-50 * r.integer(-1, 1);
    for (const Vec3& v : {Vec3(-1, -1, z), Vec3(1, -1, z + tilt), Vec3(0, 1, z)}) data.vertices.push_back(v);
    const auto n = static_cast<std::uint32_t>(data.vertices.size());
    data.triangles.push_back({n - 3, n - 2, n - 1});
  }
  const Mesh mesh(data);
  std::vector<RayQuery> all;
  for (int i = 0; i < 40; ++i) {
    Vec3 from = 0.25 * r.grid(-2, 2);
    from.z = -1;
    all.push_back({from, i % 2 == 0 ? Vec3(0, 0, 1) : Vec3(0x1p-10, 0, 1), false, 0, i % 5 == 0 ? 4 : std::numeric_limits<double>::infinity()});
  }
  std::vector<std::vector<std::uint32_t>> hit(all.size());
  std::size_t most = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (std::uint32_t i = 0; i < mesh.size(); ++i)
      if (ray_hits(all[k], placed_triangle(mesh, i))) hit[k].push_back(i);
    std::sort(hit[k].begin(), hit[k].end(), [&](std::uint32_t a, std::uint32_t b) {
      const int order = compare_hits(all[k], placed_triangle(mesh, a), placed_triangle(mesh, b));
      return order != 0 ? order < 0 : a < b;
    });
    most = std::max(most, hit[k].size());
  }
  EXPECT_GT(most, 300u);
  for_each_cpu_level([&](CpuLevel) {
    EXPECT_EQ(all_hits(mesh, all, kRayBatch), hit);
    EXPECT_EQ(all_hits(mesh, all, 1), hit);
  });
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
}  // namespace graze::test::ray_queries_test
