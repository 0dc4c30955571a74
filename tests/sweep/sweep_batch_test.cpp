// Many sweeps against one target, which advance together where possible. Each answer equals that of the single sweep to the last bit, for all kinds of shapes,
// CPU levels and numbers of threads. Errors name the invalid input.
#include <gtest/gtest.h>
#include <graze/threads.hpp>

#include "bvh/scenes.hpp"
#include "graze/sweep.hpp"
#include "mesh/grid.hpp"
#include "property/instances.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::test::sweep_batch_test {
namespace {

using test_scene::kShapes;
using test_scene::message;
using test_scene::random_shape;

bool same_hits(const std::optional<SweepHit>& x, const std::optional<SweepHit>& y) {
  if (!x || !y) return !x && !y;
  bool pose = same(x->safe.translation, y->safe.translation);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) pose = pose && same(x->safe.rotation[i][j], y->safe.rotation[i][j]);
  return pose && same(x->t, y->t) && same(x->point, y->point) && x->normal.has_value() == y->normal.has_value() &&
         (!x->normal || same(*x->normal, *y->normal)) && x->triangle_a == y->triangle_a && x->triangle_b == y->triangle_b && x->child_a == y->child_a &&
         x->child_b == y->child_b && x->started_inside == y->started_inside && x->departing == y->departing && x->moved == y->moved &&
         same(x->safe_point, y->safe_point);
}

TEST(SweepBatch, EqualsSingleSweeps) {
  Random r(2024);
  Random heights(1);
  const Mesh ground = grid(heights, 20, 1, Vec3(0, 0, 0), .1), floor = grid(heights, 20, 1, Vec3(0, 0, 0), 0), small = test_scene::random_mesh(r);
  const Placed tilted = at(ground, r.pose(.2));
  const AnyShape compound = random_shape(r, kShapes - 1);
  const Sphere sphere{{0, 0, 0}, .3};
  const Solid block(Mesh(MeshData{{{-.4, -.4, -.4}, {.5, 0, 0}, {0, .5, 0}, {0, 0, .5}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, {}}));
  const ShapeRef targets[] = {ground, tilted, floor, small, block, compound, sphere};
  std::vector<AnyShape> bodies;
  std::vector<Placed> placed;
  std::vector<ShapeRef> shapes;
  std::vector<Vec3> motions;
  constexpr std::size_t n = 2 * kShapes + 80 + 3;  // mostly balls; not a multiple of any group
  bodies.reserve(n);
  placed.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool rests = i >= 2 * kShapes && i % 5 == 0;  // a ball on the floor that leaves it
    bodies.push_back(rests ? Sphere{{r.real(-.9, .9), r.real(-.9, .9), .25}, .25}
                           : random_shape(r, i < 2 * kShapes ? static_cast<int>(i) % kShapes : static_cast<int>(i) % 2 * 2));
    placed.push_back(at(bodies[i], r.pose(1)));
    shapes.push_back(i % 3 == 0 || rests ? ShapeRef(bodies[i]) : placed[i]);
    motions.push_back(rests         ? Vec3(r.real(-1, 1), r.real(-1, 1), r.real(.1, 1))
                      : i % 17 == 5 ? Vec3(0, 0, 0)
                      : i % 7 == 3  ? r.point(-1, 1) * 1e-3
                      : i % 13 == 6 ? r.point(-1, 1) * 1e200
                                    : r.point(-3, 3));  // 1e200: beyond the range of the traversal in doubles
  }
  std::size_t hits = 0, inside = 0, departing = 0, moved = 0;
  for (const ShapeRef& target : targets)
    for (const bool skip : {false, true}) {
      std::vector<std::optional<SweepHit>> alone;
      for (std::size_t i = 0; i < n; ++i) {
        alone.push_back(sweep(shapes[i], motions[i], target, SweepOptions{skip}));
        hits += alone[i] ? 1 : 0;
        inside += alone[i] && alone[i]->started_inside ? 1 : 0;
        departing += alone[i] && alone[i]->departing ? 1 : 0;
        moved += alone[i] && alone[i]->moved ? 1 : 0;
      }
      for_each_cpu_level([&](CpuLevel level) {
        set_threads(level == CpuLevel::scalar ? 1 : 2);
        const auto together = sweep(shapes, motions, target, SweepOptions{skip});
        for (std::size_t i = 0; i < n; ++i)
          ASSERT_TRUE(same_hits(together[i], alone[i])) << i << " kind " << static_cast<int>(shapes[i].kind()) << " level " << static_cast<int>(level);
      });
    }
  set_threads(0);
  EXPECT_GT(hits, 400u);
  EXPECT_GT(inside, 100u);
  EXPECT_GT(departing, 10u);
  EXPECT_GT(moved, 100u);
}

TEST(SweepBatch, WritesToTheCallersMemory) {
  Random r(7);
  const Mesh ground = grid(r, 8, 1, Vec3(0, 0, 0), .1);
  const std::vector<Sphere> balls(20, Sphere{{0, 0, 1}, .25});
  const std::vector<ShapeRef> shapes(balls.begin(), balls.end());
  std::vector<Vec3> motions(20, Vec3(0, 0, -2));
  motions[3] = Vec3(0, 0, 2);
  std::vector<std::optional<SweepHit>> out(20, SweepHit{});
  sweep(shapes, motions, ground, out);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_TRUE(same_hits(out[i], sweep(shapes[i], motions[i], ground))) << i;
  EXPECT_FALSE(out[3]);
  sweep(std::span<const ShapeRef>(), std::span<const Vec3>(), ground, std::span<std::optional<SweepHit>>());  // an empty batch
  EXPECT_NE(message([&] { sweep(shapes, motions, ground, std::span(out).first(19)); }).find("room for 19 answers of 20 sweeps"), std::string::npos);
  EXPECT_NE(message([&] { sweep(std::span(shapes).first(4), motions, ground, out); }).find("4 shapes with 20 motions"), std::string::npos);
  motions[11].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message([&] { sweep(shapes, motions, ground, out); }).find("motions[11][1] is NaN"), std::string::npos);
}

}  // namespace
}  // namespace graze::test::sweep_batch_test
