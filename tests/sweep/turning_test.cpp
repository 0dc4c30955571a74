// Intervals of screw motions: everything that a rotating shape touches within an interval is among the candidates, and not before their times; the same at
// every CPU level. Distances in doubles enclose the true distance.
#include "sweep/screw/turning.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bvh/scenes.hpp"
#include "mesh/meshes.hpp"
#include "shapes/pose.hpp"
#include "support/random.hpp"

namespace graze::test::turning_test {
namespace {

AnyShape body(Random& r, int kind) {
  const double size = std::exp(r.real(-3, 0)), thin = size * (r.integer(0, 2) == 0 ? 0.01 : 0.4);
  switch (kind) {
    case 0:
      return Sphere{r.point(-1, 1), thin};
    case 1:
      return Capsule{size * r.point(-1, 1), size * r.point(-1, 1), thin};
    case 2:
      return Box::from_center(0.3 * r.point(-1, 1), Vec3(size, thin, 0.5 * thin));
    case 3:
      return OrientedBox{r.point(-1, 1), {r.point(-1, 1), r.point(-1, 1), r.point(-1, 1)}, {size, thin, 0}};
    case 4:
      return Cylinder{size * r.point(-1, 1), size * r.point(-1, 1), thin};
    case 5:
      return Ellipsoid{r.point(-1, 1), Vec3(size, thin, 0.7 * thin)};
    default:
      return Triangle{{size * r.point(-1, 1), size * r.point(-1, 1), size * r.point(-1, 1)}};
  }
}

TEST(TurningTraversal, MissesNoContactAndIsNeverLate) {
  Random r(71);
  std::size_t touched = 0, candidates = 0, all = 0;
  for (int round = 0; round < 700; ++round) {
    const double far = round % 5 == 4 ? 300 : 0;
    const Vec3 at(far, -far, 2 * far);
    const Mesh mesh(soup(r, 150, 1, at, 0.1));
    const AnyShape shape = body(r, round % 7);
    Pose start = r.pose(1);
    for (int i = 0; i < 3; ++i) start.translation[i] += at[i];
    const double angles[] = {0.3, 1.5, 6.283, -20, 0};
    const ScrewMotion motion(
        Screw{at + (round % 2 ? 1.0 : 5.0) * r.point(-1, 1), r.point(-1, 1), angles[round % 5], r.integer(0, 2) == 0 ? Vec3(0, 0, 0) : 2.0 * r.point(-1, 1)});
    const bool surface_moves = round % 3 == 2;
    const Placed placed{ShapeRef(shape).shape(), ShapeRef(shape).kind(), start};
    const PartList parts{ShapeRef(placed)};
    std::optional<BoundingVolume> hull;
    std::visit(
        [&]<class P>(const P& p) {
          if constexpr (std::is_same_v<P, ConvexSet> || std::is_same_v<P, Curved>) hull = bounding_volume(p);
        },
        parts[0].part);
    ASSERT_TRUE(hull);
    const double begin = r.real(0, 0.8), end = std::min(1.0, begin + std::exp(r.real(-6, -1)));
    const MeshView view(mesh);
    std::vector<TurningTraversal::Candidate> before;
    bool any = false;
    for_each_cpu_level([&](CpuLevel) {
      TurningTraversal traversal(view, *hull, motion, surface_moves, 0x1p-43 * (4 * far + 20));
      std::vector<TurningTraversal::Candidate> found;
      ASSERT_TRUE(traversal.gather(begin, end, 1000, found)) << round;
      if (any) {
        ASSERT_EQ(found.size(), before.size());
        for (std::size_t i = 0; i < found.size(); ++i) ASSERT_TRUE(found[i].t == before[i].t && found[i].triangle == before[i].triangle);
      }
      any = true;
      before = found;
    });
    candidates += before.size();
    all += mesh.size();
    for (int k = 0; k <= 16; ++k) {
      const double t = begin + (end - begin) * (k / 16.0);
      const Pose moved = motion.at(t);
      const Pose pose = surface_moves ? start : compose(moved, start);
      const Placed now{ShapeRef(shape).shape(), ShapeRef(shape).kind(), pose};
      for (std::uint32_t i = 0; i < mesh.size(); ++i) {
        const Triangle triangle = MeshView(mesh, surface_moves ? &moved : nullptr).triangle(i);
        if (!intersects(now, triangle)) continue;
        ++touched;
        bool listed = false;
        for (const auto& c : before) {
          if (c.triangle != i) continue;
          listed = true;
          ASSERT_LE(c.t, t) << round << " triangle " << i;
        }
        ASSERT_TRUE(listed) << round << " triangle " << i << " touched at " << t << " of [" << begin << ", " << end << "]";
      }
    }
  }
  EXPECT_GT(touched, 3000u);
  EXPECT_LT(candidates, all / 3);
}

TEST(GapInDoubles, EnclosesTheDistance) {
  Random r(72);
  int known = 0;
  for (int round = 0; round < 4000; ++round) {
    const AnyShape a = body(r, round % 7);
    const double far = round % 4 == 3 ? 1e3 : 0;
    const Triangle t{{Vec3(far, 0, 0) + r.point(-1, 1), Vec3(far, 0, 0) + r.point(-1, 1), Vec3(far, 0, 0) + r.point(-1, 1)}};
    Pose pose = r.pose(1);
    pose.translation.x += far;
    const Placed placed{ShapeRef(a).shape(), ShapeRef(a).kind(), pose};
    const PartList parts{ShapeRef(placed)};
    std::visit(
        [&]<class P>(const P& p) {
          if constexpr (std::is_same_v<P, ConvexSet> || std::is_same_v<P, Curved>) {
            if constexpr (std::is_same_v<P, Curved>)
              if (p.convex()) return;
            V3<double> x{0, 0, 0};
            const advance::Gap gap = advance::gap_in_doubles(p, convex_triangle(t), x);
            if (!gap.known) return;
            ++known;
            const double distance = closest(p, convex_triangle(t)).distance;
            ASSERT_LE(gap.low, distance * (1 + 0x1p-40)) << round;
            ASSERT_GE(gap.high, distance * (1 - 0x1p-40)) << round;
            if (!(gap.low > 1e-9)) return;
            // and the plane separates both by as much
            double highest = -1e300;
            for (const Vec3& q : t.points) highest = std::max(highest, -graze::dot(gap.direction, q - pose.translation));
            const ConvexClosest c = closest(p, convex_triangle(t));
            ASSERT_LE(graze::dot(gap.direction, c.on_a - pose.translation) + gap.low, -highest + 1e-9 * (1 + distance)) << round;
          }
        },
        parts[0].part);
  }
  EXPECT_GT(known, 3000);
}

}  // namespace
}  // namespace graze::test::turning_test
