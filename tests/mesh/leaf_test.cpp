// Single queries do not allocate; the cheap tests at the leaves are conservative.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "bvh/scenes.hpp"
#include "mesh/meshes.hpp"
#include "mesh/queries/leaf.hpp"
#include "parts/part_pairs.hpp"
#include "support/random.hpp"

namespace {
std::atomic<std::size_t> g_allocations{0};
}

[[gnu::noinline]] void* operator new(std::size_t n) {  // not inline, or GCC reports operators new and delete as mismatched
  ++g_allocations;
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  ++g_allocations;
  return std::malloc(n ? n : 1);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace graze::test::leaf_test {
namespace {

TEST(Leaf, SingleQueriesDoNotAllocate) {
  Random r(101);
  const Mesh a(ball(40, Vec3(0), 1)), b(soup(r, 500, 1, Vec3(0)));
  const Pose pose = r.pose(1);
  const MeshView va(a), vb(b, &pose);
  ConvexSet c;
  c.add_point(Vec3(0.3, 1.1, 0.2));
  c.radius = 0.05;
  const auto all = [&] {
    int sum = intersects(va, c) + within(vb, c, 0.1) + static_cast<int>(closest(va, c)->triangle_a) + static_cast<int>(closest(vb, c)->triangle_a);
    sum += intersects(va, vb) + static_cast<int>(closest(va, vb)->triangle_a);
    sum += ray_any(va, {Vec3(0.1, 0.2, 0.3), Vec3(1, 2, 3), false, 0, 1}) + ray_first(vb, {Vec3(0.1, 0.2, 0.3), Vec3(1, 2, 3), false, 0, 9}).has_value();
    sum += solid_contains(va, Vec3(0.1, 0.2, 0.3)) + within(SolidView{va}, c, 0);
    return sum;
  };
  const int once = all();
  const std::size_t before = g_allocations;
  EXPECT_EQ(all(), once);
  EXPECT_EQ(g_allocations, before);
}

TEST(Leaf, BoxTestsNeverDiscardNearBoxes) {
  const Box3 a = box_at(Vec3(0), Vec3(1));
  Box3 b = a;
  for (int i = 0; i < 3; ++i) {
    b.lo[i] += 3;
    b.hi[i] += 3;
  }
  EXPECT_FALSE(leaf::maybe_within(a, b, 0.999));
  EXPECT_TRUE(leaf::maybe_within(a, b, 1));
  EXPECT_FALSE(leaf::farther(a, b, 1.7320508075688773));
  EXPECT_TRUE(leaf::farther(a, b, 1.732));
  EXPECT_FALSE(leaf::farther(a, b, std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(leaf::farther(a, a, 0));
  const double d = 0x1p-1073;  // squares underflow: no conclusion
  EXPECT_FALSE(leaf::farther(box_at(Vec3(0), Vec3(0)), box_at(Vec3(8 * d), Vec3(0)), d));
  const Box3 g = leaf::grown(a, 0.1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(g.lo[i], -1.1);
    EXPECT_GT(g.hi[i], 1.1);
  }
}

}  // namespace
}  // namespace graze::test::leaf_test
