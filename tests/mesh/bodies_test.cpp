// Exact triangles of convex sets: closed surfaces that wind once around inner points, and flat sets; what is unbounded reaches beyond the box.
#include "mesh/queries/bodies.hpp"

#include <gtest/gtest.h>

#include "parts/convex_of_shape.hpp"

namespace graze::bodies_test {
namespace {

ExactPoint at(const Vec3& p) { return {exact(p)}; }

TEST(Bodies, ATurnedBoxIsClosedAndOutward) {
  const OrientedBox box{Vec3(1, 2, 3), {Vec3(0.6, 0.8, 0), Vec3(-0.8, 0.6, 0), Vec3(0, 0, 1)}, Vec3(1.1, 0.7, 0.3)};
  const BodyPart part = exact_part(convex_set_of(box, nullptr), {});
  ASSERT_EQ(part.size(), 12u);
  EXPECT_TRUE(part.solid);
  EXPECT_EQ(winding_number(part.exact, at(Vec3(1, 2, 3))), 1);
  EXPECT_EQ(winding_number(part.exact, at(Vec3(1, 2, 4))), 0);
  EXPECT_TRUE(contains(part, ExactPoint{exact(Vec3(1, 2, 3)) + exact(Vec3(0, 0, 0.3))}));
  EXPECT_FALSE(contains(part, ExactPoint{exact(Vec3(1, 2, 3)) + exact(Vec3(0, 0, 0.3)) + exact(Vec3(0, 0, 0x1p-300))}));
}

TEST(Bodies, WedgesSimplicesAndFlatSets) {
  const Wedge wedge{Vec3(0.1, 0.2, 0.3), {Vec3(0.7, 0, 0), Vec3(0, 0.7, 0), Vec3(0, 0, 0.7)}};
  const BodyPart solid = exact_part(convex_set_of(wedge, nullptr), {});
  EXPECT_EQ(solid.size(), 8u);
  EXPECT_TRUE(solid.solid);
  EXPECT_TRUE(contains(solid, Vec3(0.2, 0.3, 0.5)));
  EXPECT_FALSE(contains(solid, Vec3(0.7, 0.8, 0.5)));
  const BodyPart flat = exact_part(convex_set_of(OrientedBox{Vec3(0, 0, 0.1), {Vec3(1, 1, 0), Vec3(1, -1, 0), Vec3(0, 0, 1)}, Vec3(0.1, 0.3, 0)}, nullptr), {});
  EXPECT_EQ(flat.size(), 2u);
  EXPECT_FALSE(flat.solid);
  EXPECT_TRUE(contains(flat, Vec3(0, 0, 0.1)));
  EXPECT_FALSE(contains(flat, Vec3(0, 0, 0)));
  const BodyPart needle = exact_part(convex_set_of(Segment{Vec3(0, 0, 0), Vec3(2, 2, 2)}, nullptr), {});
  EXPECT_TRUE(contains(needle, Vec3(1, 1, 1)));
  EXPECT_FALSE(contains(needle, Vec3(1, 1, 2)));
  EXPECT_TRUE(contains(exact_part(convex_point(Vec3(1, 2, 3)), {}), Vec3(1, 2, 3)));
}

TEST(Bodies, UnboundedShapesReachBeyondTheBox) {
  const Box3 around{Vec3(-5, -7, 100), Vec3(9, 8, 1e6)};
  const Vec3 corners[] = {around.lo, around.hi, Vec3(-5, 8, 1e6), Vec3(9, -7, 100)};
  const HalfSpace half{Vec3(3, 1, 2), Vec3(0.001, -3, 0.5)};
  const Plane plane{half.point, half.normal};
  const BodyPart h = exact_part(convex_set_of(half, nullptr), around), p = exact_part(convex_set_of(plane, nullptr), around);
  EXPECT_TRUE(h.solid);
  EXPECT_FALSE(p.solid);
  for (const Vec3& c : corners) {
    EXPECT_EQ(contains(h, c), (c.x - 3) * 0.001 - (c.y - 1) * 3 + (c.z - 2) * 0.5 <= 0) << c.x;
    // the foot of the corner on the plane, along y, in exact numbers: y = 1 + ((x - 3) * 0.001 + (z - 2) * 0.5) / 3
    const Dyadic n = Dyadic(c.x - 3) * Dyadic(0.001) + Dyadic(c.z - 2) * Dyadic(0.5) + Dyadic(3);
    EXPECT_TRUE(contains(p, ExactPoint{{Dyadic(3) * Dyadic(c.x), n, Dyadic(3) * Dyadic(c.z)}, Dyadic(3)}));
  }
  const BodyPart line = exact_part(convex_set_of(Line{Vec3(1, 1, -1e300), Vec3(0, 0, 1e-300)}, nullptr), around);
  EXPECT_TRUE(contains(line, Vec3(1, 1, 1e6)));
  EXPECT_TRUE(contains(line, Vec3(1, 1, -1e300)));
  const BodyPart ray = exact_part(convex_set_of(Ray{Vec3(1, 1, 0), Vec3(0, 0, 1e-300)}, nullptr), around);
  EXPECT_TRUE(contains(ray, Vec3(1, 1, 1e6)));
  EXPECT_FALSE(contains(ray, Vec3(1, 1, -1)));
}

}  // namespace
}  // namespace graze::bodies_test
