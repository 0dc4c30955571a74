// Sweeps in the order of times against the plain list of all triangles: the same first contact, bit for bit, with few exact tests, and no triangle near the
// path left out.
#include "sweep/linear/moving_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <graze/shapes.hpp>
#include <type_traits>
#include <variant>
#include <vector>

#include "bvh/scenes.hpp"
#include "convex/sets/convex_set_bounds.hpp"
#include "math/vec3.hpp"
#include "mesh/meshes.hpp"
#include "parts/convex_of_shape.hpp"
#include "sweep/linear/surface_sweep.hpp"

namespace graze::test::moving_search_test {
namespace {

using Shape = std::variant<ConvexSet, Curved>;

/// Shapes of every kind around `at`, of about `size`. The hull must outlive them.
std::vector<Shape> shapes(Random& r, const Vec3& at, double size, const Hull& hull, const Pose& pose) {
  const auto point = [&] { return at + r.point(-1, 1) * size; };
  const Vec3 p = point(), q = point(), s = point();
  const double radius = r.real(0, 1) * size, other = r.real(0, 1) * size;
  ConvexSet box;
  box.add_point(p);
  for (int k = 0; k < 3; ++k) box.add_segment(Vec3(pose.rotation[0][k], pose.rotation[1][k], pose.rotation[2][k]), -other, radius);
  std::vector<Shape> all{convex_set_of(Segment{p, q}, nullptr), convex_set_of(Triangle{{p, q, s}}, nullptr), convex_set_of(Capsule{p, q, radius}, nullptr), box,
                         convex_set_of(hull, &pose)};
  if (p != q) {
    all.push_back(curved_of(Cylinder{p, q, radius}, nullptr));
    all.push_back(curved_of(Cone{p, q, radius}, nullptr));
    all.push_back(curved_of(TruncatedCone{p, q, radius, other}, nullptr));
  }
  all.push_back(curved_of(Ellipsoid{p, Vec3(radius, other, size)}, nullptr));
  return all;
}

template <class S>
void list(EarliestContact& first, const SurfacePair<S>& pair) {
  for (std::uint32_t i = 0; i < size_of(pair.surface); ++i) pair.test(first, placed_triangle(pair.surface, i), pair.with(i));
}

bool same_bits(const Vec3& a, const Vec3& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

ConvexSet swept(ConvexSet c, const Vec3& d, double t) { return c.add_segment(d, 0, t); }
Curved swept(const Curved& c, const Vec3& d, double t) {
  if (c.convex()) return {swept(*c.convex(), d, t)};
  return {c.shape, d, 0, t};
}

/// Returns whether doubles sufficed. Times of tiny curved shapes are found by bisection, up to the bound of its decisions: they depend on what was known.
template <class S>
bool expect_list(const MeshView& view, const S& shape, const Vec3& d, bool surface_moves, bool skip) {
  const Motion motion{surface_moves ? -d : d};
  const SurfacePair<S> pair{shape, view, surface_moves, {}};
  EarliestContact truth(motion, skip), first(motion, skip);
  list(truth, pair);
  if (!sweep_in_order(first, pair)) return false;
  EXPECT_EQ(first.found(), truth.found());
  if (!truth.found() || !first.found()) return true;
  first.forget_bounds();
  truth.forget_bounds();
  const PairContact &p = first.contact(), &q = truth.contact();
  if (std::is_same_v<S, Curved> && max_norm(d) < 0x1p-200) {
    EXPECT_NEAR(p.t, q.t, 1e-12);
    return true;
  }
  EXPECT_EQ(std::memcmp(&p.t, &q.t, sizeof p.t), 0) << p.t << ' ' << q.t;
  EXPECT_EQ(p.inside, q.inside);
  EXPECT_EQ(first.departing(), truth.departing());
  EXPECT_TRUE(first.ids() == truth.ids());
  EXPECT_TRUE(same_bits(p.normal, q.normal));
  EXPECT_EQ(p.point.has_value(), q.point.has_value());
  if (p.point && q.point) {
    EXPECT_TRUE(same_bits(*p.point, *q.point));
  }
  if (!first.near.known || p.inside) return true;
  const S path = swept(shape, d, p.t);
  for (std::uint32_t i = 0; i < size_of(view); ++i) {
    const Triangle t = placed_triangle(view, i);
    bool listed = false;
    for (std::uint32_t k = 0; k < first.near.count; ++k) listed = listed || std::equal(t.points.begin(), t.points.end(), first.near.triangle[k]);
    EXPECT_TRUE(listed || !within(path, convex_triangle(t), first.near.slack)) << i;
  }
  return true;
}

TEST(MovingSearch, EqualsTheList) {
  Random r(91);
  int used = 0;
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      SCOPED_TRACE(n.name + (pose ? " placed" : ""));
      const MeshView view(mesh, pose ? &*pose : nullptr);
      for (int round = 0; round < 4; ++round) {
        const Triangle near = placed_triangle(view, static_cast<std::uint32_t>(r.integer(0, static_cast<int>(size_of(view)) - 1)));
        const int scale = n.size > 1e100 ? r.integer(-60, -4) : n.size < 1e-100 ? r.integer(0, 60) : r.integer(-8, 3);
        const double size = std::ldexp(n.size, scale);
        const Vec3 from = r.point(-1, 1) * (size + n.size), beyond = r.point(-1, 1) * (0.2 * n.size);
        const Vec3 at = round == 0 ? near.points[0] + from * 0.01 : near.points[0] + from;  // begins in contact, or may
        std::vector<Vec3> points;
        for (int i = 0; i < 12; ++i) points.push_back(r.point(-1, 1) * size);
        const Hull hull(points);
        Pose turned = r.pose(0);
        turned.translation = at;
        Vec3 d = beyond - from;
        if (round == 3) d[r.integer(0, 2)] = 0;
        const bool surface_moves = r.integer(0, 3) == 0, skip = r.integer(0, 3) == 0;
        for (const Shape& shape : shapes(r, at, size, hull, turned))
          std::visit([&](const auto& s) { used += expect_list(view, s, d, surface_moves, skip); }, shape);
      }
    }
  }
  EXPECT_GT(used, 400);
}

// Flat faces that touch whole triangles, their edges and corners at once: the lowest number counts.
TEST(MovingSearch, LowestOfEqualTriangles) {
  MeshData d;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const double x = i % 20, y = i / 20 % 5;
    d.vertices.insert(d.vertices.end(), {Vec3(x, y, 0), Vec3(x + 1, y, 0), Vec3(x, y + 1, 0)});
    d.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  std::reverse(d.triangles.begin(), d.triangles.end());
  const Mesh mesh(d);
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(Vec3(2 + 7 * (i & 1), 1 + (i & 2), (i & 4) / 4));
  const Hull hull(corners);
  for (const double z : {0.0, 0.5, 2.0}) {
    const Pose up = translation(Vec3(0, 0, z));
    for (const Vec3& way : {Vec3(0, 0, -4), Vec3(1, 0.5, -4), Vec3(0, 0, 1)}) {
      expect_list(MeshView(mesh), convex_set_of(hull, &up), way, false, false);
      expect_list(MeshView(mesh), convex_set_of(Triangle{{Vec3(2, 1, z), Vec3(9, 1, z), Vec3(2, 3, z)}}, nullptr), way, false, true);
      expect_list(MeshView(mesh), curved_of(Cylinder{{2, 2, z}, {2, 2, z + 1}, 1.5}, nullptr), way, false, false);
    }
  }
}

// The work grows like the logarithm of the number of triangles, for shapes as large as the mesh, too: with corners in common, some are touched at one time.
TEST(MovingSearch, FewExactTests) {
  Random r(92);
  for (const std::uint32_t n : {16u, 160u}) {  // 1000 and 100,000 triangles
    const Mesh mesh(ball(n, Vec3(0), 1));
    const MeshView view(mesh);
    for (const double size : {0.02, 1.0, 100.0}) {
      std::vector<Vec3> points;
      for (int i = 0; i < 40; ++i) points.push_back(r.point(-1, 1) * size);
      const Hull hull(points);
      for (int round = 0; round < 10; ++round) {
        Vec3 away = r.point(-1, 1);
        away *= (1.1 + 4 * size) / std::sqrt(dot(away, away));
        Pose turned = r.pose(0);
        turned.translation = away;
        for (const Shape& shape : shapes(r, away, size, hull, turned))
          std::visit(
              [&]<class S>(const S& s) {
                const Motion motion{-2.0 * away};
                EarliestContact first(motion, false);
                const Box3 box = bounds(s);
                MovingSearch search(view, s, box, motion.to, 0);
                ASSERT_TRUE(search.usable());
                const SurfacePair<S> pair{s, view, false, {}};
                double limit = 1;
                int tests = 0;
                search.run(
                    limit, [](std::uint32_t) { return false; },
                    [&](BlockPlace at, double start) {
                      ++tests;
                      pair.test(first, mesh.impl().triangle_at(at), pair.with(mesh.impl().index_at(at)), start);
                      limit = first.limit();
                    });
                if (!first.found() || !first.contact().inside) {
                  EXPECT_LE(tests, 24) << n << ' ' << size << ' ' << shape.index();
                }
              },
              shape);
      }
    }
  }
}

}  // namespace
}  // namespace graze::test::moving_search_test
