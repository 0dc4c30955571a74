// Boxes at a pose against shapes with a closed form for oriented boxes: the answers are those of the generic decision.
#include <gtest/gtest.h>

#include <cmath>
#include <graze/query.hpp>

#include "convex/decide/decide.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::placed_box_test {
namespace {

using test::Random;

TEST(PlacedBox, MeetsOtherShapesAsTheGenericDecisionSays) {
  Random random(51);
  int met = 0, all = 0;
  for (int k = 0; k < test::rounds(6000); ++k) {
    // On the grid they touch. Odd boxes are not symmetric: their placed centre is no double.
    const bool grid = k % 3 == 0;
    const auto point = [&](int n) { return grid ? random.grid(-n, n) : random.point(-n, n); };
    const double size = k % 5 == 0 ? 0x1p40 : k % 5 == 1 ? 0x1p-40 : 1;
    const auto half = [&] { return (grid ? random.grid(0, 2) : random.point(0, 1)) * size; };
    const Pose pose = grid ? Pose::quarter_turn(static_cast<Axis>(k % 9 / 3), k, point(3) * size)
                           : Pose::from_quaternion(random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), random.real(.1, 1), point(2) * size);
    const Vec3 high = half();
    const Box box{k % 2 == 0 ? -high : Vec3(-high.x - size, -high.y, -high.z), high};
    const Pose other = k % 4 < 2 ? Pose{} : translation(point(1) * size);
    const AnyShape shapes[] = {Sphere{point(3) * size, half().x},
                               Capsule{point(3) * size, point(3) * size, half().x},
                               Segment{point(3) * size, point(3) * size},
                               OrientedBox{point(3) * size, {point(1), point(1), point(1)}, half()},
                               Box{-half(), half()},
                               Point{point(2) * size},
                               Triangle{{point(3) * size, point(3) * size, point(3) * size}}};
    for (const AnyShape& shape : shapes) {
      const Placed a = at(box, pose), b = at(shape, other);
      const ConvexSet set = convex_set_of(ShapeRef(b));
      const bool want = within(convex_set_of(box, &pose), set, 0);
      ASSERT_EQ(intersects(a, b), want) << k << " " << type_name(shape.kind());
      ASSERT_EQ(intersects(b, a), want) << k << " " << type_name(shape.kind());
      met += want;
      ++all;
    }
  }
  EXPECT_GT(met, all / 8);
  EXPECT_GT(all - met, all / 8);
}

/// Boxes far from the origin of their own frame, moved until they nearly touch: the rounding of their centres must not decide.
TEST(PlacedBox, NearContactFarFromItsOwnOrigin) {
  Random random(52);
  int met = 0, all = 0;
  for (int k = 0; k < test::rounds(400); ++k) {
    const double far = std::exp2(random.real(0, 30));
    const auto box = [&] {
      const Vec3 low = random.point(-1, 1) * far;
      return Box{low, low + random.point(0.1, 1)};
    };
    const auto pose_of = [&](const Box& b) {
      Pose p = random.pose(0);
      p.translation = p.apply((b.min + b.max) * -0.5);
      return p;
    };
    const Box a = box(), other = box();
    const Pose pose = pose_of(a), other_pose = pose_of(other);
    const AnyShape shapes[] = {Sphere{{0, 0, 0}, random.real(0, 1)},
                               Capsule{random.point(-1, 1), random.point(-1, 1), random.real(0, 1)},
                               Segment{random.point(-1, 1), random.point(-1, 1)},
                               OrientedBox{{0, 0, 0}, {random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}, random.point(0, 1)},
                               other,
                               Box{random.point(-1, 0), random.point(0, 1)},
                               Point{{0, 0, 0}}};
    const Vec3 along = random.direction();
    for (const AnyShape& shape : shapes) {
      const Pose start = &shape == &shapes[4] ? other_pose : Pose{};
      const auto moved = [&](double t) {
        Pose p = start;
        p.translation += along * t;
        return p;
      };
      const auto meet = [&](const Pose& p) {
        const Placed b = at(shape, p);
        return within(convex_set_of(a, &pose), convex_set_of(ShapeRef(b)), 0);
      };
      double inside = 0, outside = 64;
      for (int step = 0; step < 60; ++step) {
        const double t = 0.5 * (inside + outside);
        (meet(moved(t)) ? inside : outside) = t;
      }
      for (const double beside : {-0x1p-40, -0x1p-48, 0.0, 0x1p-48, 0x1p-40}) {
        const Pose p = moved(inside + beside * far);
        const bool want = meet(p);
        ASSERT_EQ(intersects(at(a, pose), at(shape, p)), want) << k << " " << type_name(shape.kind()) << " " << beside;
        ASSERT_EQ(intersects(at(shape, p), at(a, pose)), want) << k << " " << type_name(shape.kind()) << " " << beside;
        met += want;
        ++all;
      }
    }
  }
  EXPECT_GT(met, all / 8);
  EXPECT_GT(all - met, all / 8);
}

}  // namespace
}  // namespace graze::placed_box_test
