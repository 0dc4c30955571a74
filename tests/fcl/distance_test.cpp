// A program of FCL that is answered by libgraze_fcl: distances and first contacts of motions.
#include <fcl/narrowphase/continuous_collision.h>
#include <fcl/narrowphase/distance.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "fcl/geometry.hpp"

namespace {

using Request = fcl::DistanceRequestd;
using Result = fcl::DistanceResultd;

Result distance_of(const Geometry& a, const Transform& at_a, const Geometry& b, const Transform& at_b, bool is_signed) {
  Result result;
  const double returned = fcl::distance(a.get(), at_a, b.get(), at_b, Request(true, is_signed), result);
  EXPECT_EQ(returned, result.min_distance);
  return result;
}

TEST(FclDistance, BodiesAboveAFloor) {
  for (const Named& body : bodies()) {
    for (const Floor& floor : floors()) {
      const std::string pair = body.name + " over " + floor.named.name;
      const Result apart = distance_of(body.geometry, moved(0, 0, 1.75), floor.named.geometry, floor.at, false);
      const bool exchanged = floor.named.name == "mesh" && body.geometry->getObjectType() == fcl::OT_GEOM;
      const int of_body = exchanged ? 1 : 0;
      const double bound = floor.named.curved ? 0x1p-40 * 16 : body.curved ? 0x1p-40 * 6 : 1e-14;  // 16, 6: the largest curved extents
      EXPECT_NEAR(apart.min_distance, 0.75, bound) << pair;
      EXPECT_EQ(exchanged ? apart.o2 : apart.o1, body.geometry.get()) << pair;
      EXPECT_NEAR(apart.nearest_points[of_body][2], 0.75, bound) << pair;
      EXPECT_NEAR(apart.nearest_points[1 - of_body][2], 0, bound) << pair;
      EXPECT_EQ(distance_of(body.geometry, moved(0, 0, 0.75), floor.named.geometry, floor.at, false).min_distance, -1) << pair;
      EXPECT_EQ(distance_of(body.geometry, moved(0, 0, 1), floor.named.geometry, floor.at, true).min_distance, 0) << pair << ", touching";
    }
  }
}

TEST(FclDistance, SignedDistancesAreMinusTheDepth) {
  for (const Named& body : bodies()) {
    if (body.geometry->getObjectType() == fcl::OT_BVH || body.name == "triangle") continue;
    for (const Floor& floor : floors()) {
      if (floor.named.name == "mesh" || floor.named.name == "plane") continue;
      const std::string pair = body.name + " in " + floor.named.name;
      const Result deep = distance_of(body.geometry, moved(0, 0, 0.75), floor.named.geometry, floor.at, true);
      EXPECT_NEAR(deep.min_distance, -0.25, 3e-4) << pair;
      EXPECT_NEAR(deep.nearest_points[0][2], -0.25, 1e-3) << pair;
      EXPECT_NEAR(deep.nearest_points[1][2], 0, 1e-3) << pair;
    }
  }
}

TEST(FclDistance, TheLeastOfManyIsKept) {
  const auto ball = std::make_shared<fcl::Sphered>(1), other = std::make_shared<fcl::Sphered>(1);
  Result result;
  EXPECT_EQ(fcl::distance(ball.get(), moved(0, 0, 0), ball.get(), moved(5, 0, 0), Request(true), result), 3);
  EXPECT_EQ(fcl::distance(ball.get(), moved(0, 0, 0), other.get(), moved(4, 0, 0), Request(true), result), 2);
  EXPECT_EQ(fcl::distance(ball.get(), moved(0, 0, 0), ball.get(), moved(6, 0, 0), Request(true), result), 2);
  EXPECT_EQ(result.o2, other.get());
  EXPECT_EQ(result.nearest_points[0], Vector(1, 0, 0));
  EXPECT_EQ(result.nearest_points[1], Vector(3, 0, 0));
}

TEST(FclDistance, TwoHalfSpacesAreSeparatedByNoTranslation) {
  const auto up = std::make_shared<fcl::Halfspaced>(Vector(0, 0, 1), 0), across = std::make_shared<fcl::Halfspaced>(Vector(1, 0, 0), 0);
  EXPECT_EQ(distance_of(up, moved(0, 0, 0), across, moved(0, 0, 0), true).min_distance, -std::numeric_limits<double>::max());
}

TEST(FclContinuous, TheFirstContactOfAStraightMotion) {
  const auto box = std::make_shared<fcl::Boxd>(2, 2, 2);
  const auto mesh = box_model<fcl::OBBRSSd>({1, 1, 1});
  for (const Geometry& body : {Geometry(box), Geometry(mesh)}) {
    fcl::ContinuousCollisionResultd result;
    const double t = fcl::continuousCollide(body.get(), moved(-4, 0, 0), moved(4, 0, 0), box.get(), moved(0, 0, 0), moved(0, 0, 0),
                                            fcl::ContinuousCollisionRequestd(), result);
    EXPECT_TRUE(result.is_collide);
    EXPECT_EQ(t, 0.25);
    EXPECT_EQ(result.time_of_contact, 0.25);
    EXPECT_EQ(result.contact_tf1.translation(), Vector(-2, 0, 0));
    // a thin wall passes through between any two steps
    const auto wall = std::make_shared<fcl::Boxd>(1e-9, 2, 2);
    const auto bullet = std::make_shared<fcl::Sphered>(1e-9);
    EXPECT_LT(fcl::continuousCollide(bullet.get(), moved(-3, 0, 0), moved(5, 0, 0), wall.get(), moved(0, 0, 0), moved(0, 0, 0),
                                     fcl::ContinuousCollisionRequestd(), result),
              1);
    EXPECT_TRUE(result.is_collide);
    EXPECT_EQ(fcl::continuousCollide(body.get(), moved(-4, 0, 0), moved(-2 - 1e-9, 0, 0), box.get(), moved(0, 0, 0), moved(0, 0, 0),
                                     fcl::ContinuousCollisionRequestd(), result),
              1);
    EXPECT_FALSE(result.is_collide);
  }
}

TEST(FclContinuous, MotionsThatTurnGoToFcl) {
  const auto bar = std::make_shared<fcl::Boxd>(4, 0.5, 0.5);
  const auto ball = std::make_shared<fcl::Sphered>(0.5);
  const Transform turned = Transform(fcl::AngleAxisd(3, Vector(0, 0, 1)));
  fcl::ContinuousCollisionRequestd request(100);
  request.ccd_motion_type = fcl::CCDM_SCREW;
  fcl::ContinuousCollisionResultd result;
  const double t = fcl::continuousCollide(bar.get(), moved(0, 0, 0), turned, ball.get(), moved(0, 2, 0), moved(0, 2, 0), request, result);
  EXPECT_TRUE(result.is_collide);
  EXPECT_GT(t, 0.2);
  EXPECT_LT(t, 0.6);
}

}  // namespace
