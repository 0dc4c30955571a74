// A program of FCL that is answered by libgraze_fcl: whether geometries touch, and their contacts. Nothing here names Graze; where FCL's functions come from is
// up to the loader.
#include <dlfcn.h>
#include <fcl/geometry/octree/octree.h>
#include <fcl/narrowphase/collision.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fcl/geometry.hpp"

namespace {

using Request = fcl::CollisionRequestd;
using Result = fcl::CollisionResultd;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

Result collided(const Geometry& a, const Transform& at_a, const Geometry& b, const Transform& at_b, const Request& request = Request()) {
  Result result;
  const std::size_t count = fcl::collide(a.get(), at_a, b.get(), at_b, request, result);
  EXPECT_EQ(count, result.numContacts());
  return result;
}

bool near(const Vector& a, const Vector& b) { return (a - b).norm() < 1e-14; }

TEST(FclCollide, TheFunctionsAreThoseOfGraze) {
  for (const char* name : {"_ZN3fcl7collideIdEEmPKNS_15CollisionObjectIT_EES5_RKNS_16CollisionRequestIS2_EERNS_15CollisionResultIS2_EE",
                           "_ZN3fcl8distanceIdEET_PKNS_15CollisionObjectIS1_EES5_RKNS_15DistanceRequestIS1_EERNS_14DistanceResultIS1_EE"}) {
    void* const function = dlsym(RTLD_DEFAULT, name);
    Dl_info info;
    ASSERT_NE(dladdr(function, &info), 0) << name;
    EXPECT_NE(std::string(info.dli_fname).find("libgraze_fcl"), std::string::npos) << name << " is that of " << info.dli_fname;
  }
}

TEST(FclCollide, BodiesThatRestOnAFloorTouchAndThoseAboveItDoNot) {
  for (const Named& body : bodies()) {
    for (const Floor& floor : floors()) {
      const double gap = body.curved || floor.named.curved ? 1e-9 : std::numeric_limits<double>::epsilon();
      const std::string pair = body.name + " on " + floor.named.name;
      EXPECT_TRUE(collided(body.geometry, moved(0, 0, 1), floor.named.geometry, floor.at).isCollision()) << pair;
      EXPECT_TRUE(collided(floor.named.geometry, floor.at, body.geometry, moved(0, 0, 1)).isCollision()) << pair << ", exchanged";
      EXPECT_FALSE(collided(body.geometry, moved(0, 0, 1 + gap), floor.named.geometry, floor.at).isCollision()) << pair << ", lifted";
      EXPECT_FALSE(collided(floor.named.geometry, floor.at, body.geometry, moved(0, 0, 1 + gap)).isCollision()) << pair << ", lifted and exchanged";
    }
  }
}

TEST(FclCollide, ContactsOfConvexShapesPointFromTheFirstToTheSecond) {
  const double sunk = 0.75;  // a quarter deep
  for (const Named& body : bodies()) {
    if (body.geometry->getObjectType() == fcl::OT_BVH || body.name == "triangle") continue;
    for (const Floor& floor : floors()) {
      if (floor.named.name == "mesh" || floor.named.name == "plane") continue;
      const std::string pair = body.name + " in " + floor.named.name;
      const Result down = collided(body.geometry, moved(0, 0, sunk), floor.named.geometry, floor.at, Request(1, true));
      const Result up = collided(floor.named.geometry, floor.at, body.geometry, moved(0, 0, sunk), Request(1, true));
      ASSERT_TRUE(down.numContacts() == 1 && up.numContacts() == 1) << pair;
      for (const fcl::Contactd& c : {down.getContact(0), up.getContact(0)}) {
        EXPECT_NEAR(c.penetration_depth, 0.25, 3e-4) << pair;  // that of curved shapes is within a factor of 1.001
        EXPECT_NEAR(c.pos[2], -0.125, 1e-3) << pair;
      }
      EXPECT_EQ(down.getContact(0).o1, body.geometry.get());
      EXPECT_LT(down.getContact(0).normal[2], -0.99) << pair;
      EXPECT_EQ(up.getContact(0).o1, floor.named.geometry.get());
      EXPECT_GT(up.getContact(0).normal[2], 0.99) << pair;
    }
  }
}

TEST(FclCollide, BallsHaveContactsInClosedForm) {
  const auto ball = std::make_shared<fcl::Sphered>(1), large = std::make_shared<fcl::Sphered>(3);
  const auto box = std::make_shared<fcl::Boxd>(8, 8, 2);
  const auto cylinder = std::make_shared<fcl::Cylinderd>(4, 2);
  for (const Geometry& floor : {Geometry(box), Geometry(cylinder)}) {
    for (const double x : {0.0, 1e-17, 1.1, 2.9}) {
      const fcl::Contactd c = collided(ball, moved(x, 0, 1.5), floor, moved(0, 0, 0), Request(1, true)).getContact(0);
      EXPECT_EQ(c.normal, Vector(0, 0, -1)) << x;
      EXPECT_EQ(c.penetration_depth, 0.5) << x;
      EXPECT_EQ(c.pos, Vector(x, 0, 0.75)) << x;
    }
    const fcl::Contactd inside = collided(floor, moved(0, 0, 0), ball, moved(0, 0, -0.5), Request(1, true)).getContact(0);
    EXPECT_EQ(inside.normal, Vector(0, 0, -1));
    EXPECT_EQ(inside.penetration_depth, 1.5);
  }
  const fcl::Contactd c = collided(large, moved(0, 0, 0), ball, moved(3, 0, 0), Request(1, true)).getContact(0);
  EXPECT_EQ(c.normal, Vector(1, 0, 0));
  EXPECT_EQ(c.penetration_depth, 1.0);
  EXPECT_EQ(c.pos, Vector(2.25, 0, 0));  // three quarters of the way, as the radii
}

TEST(FclCollide, BoxesFaceOnFaceHaveFourContacts) {
  const auto box = std::make_shared<fcl::Boxd>(2, 2, 2);
  const Result result = collided(box, moved(0, 0, 0), box, moved(0, 0, 1.75), Request(kAll, true));
  ASSERT_EQ(result.numContacts(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(result.getContact(i).normal, Vector(0, 0, 1));
    EXPECT_EQ(result.getContact(i).penetration_depth, 0.25);
    EXPECT_EQ(result.getContact(i).pos.cwiseAbs(), Vector(1, 1, 0.875));
  }
  EXPECT_EQ(collided(box, moved(0, 0, 0), box, moved(0, 0, 1.75), Request(3, true)).numContacts(), 3u);
  const Result same = collided(box, moved(5, 6, 7), box, moved(5, 6, 7), Request(1, true));
  EXPECT_GT(same.getContact(0).normal.maxCoeff(), 0.5);  // of two directions that are as good, the positive one
}

TEST(FclCollide, APlaneHasItsContactsInItself) {
  const auto plane = std::make_shared<fcl::Planed>(Vector(0, 0, 1), 0);
  const auto box = std::make_shared<fcl::Boxd>(2, 4, 6);
  const auto cone = std::make_shared<fcl::Coned>(1, 2);
  const fcl::Contactd c = collided(box, moved(5, 0, -2), plane, moved(0, 0, 0), Request(1, true)).getContact(0);
  EXPECT_EQ(c.normal, Vector(0, 0, 1));
  EXPECT_EQ(c.penetration_depth, 1.0);
  EXPECT_TRUE(near(c.pos, Vector(5, 0, 0))) << c.pos.transpose();
  const fcl::Contactd cut = collided(plane, moved(0, 0, 0.5), cone, moved(5, 0, 0), Request(1, true)).getContact(0);
  EXPECT_NEAR(cut.normal[2], -1, 1e-3);
  EXPECT_TRUE(near(cut.pos, Vector(5, 0, 0.5))) << cut.pos.transpose();
}

TEST(FclCollide, ContactsTurnWithTheShapes) {
  const auto plane = std::make_shared<fcl::Planed>(Vector(0, 0, 1), 0);
  const auto space = std::make_shared<fcl::Halfspaced>(Vector(1, 0, 0), 0);
  const auto cone = std::make_shared<fcl::Coned>(1, 2);
  const auto ellipsoid = std::make_shared<fcl::Ellipsoidd>(2, 3, 4);
  const auto cylinder = std::make_shared<fcl::Cylinderd>(1, 4);
  for (const Transform& turn : {moved(0, 0, 0), Transform(fcl::AngleAxisd(1, Vector(1, 2, 2).normalized())), moved(3, -7, 0.1)}) {
    const auto one = [&](const Geometry& a, const Transform& at_a, const Geometry& b, const Transform& at_b, double depth, Vector normal, Vector pos) {
      const fcl::Contactd c = collided(a, turn * at_a, b, turn * at_b, Request(1, true)).getContact(0);
      const fcl::Contactd back = collided(b, turn * at_b, a, turn * at_a, Request(1, true)).getContact(0);
      EXPECT_NEAR(c.penetration_depth, depth, 1e-13);
      EXPECT_NEAR((c.normal - turn.linear() * normal).norm(), 0, 1e-13) << c.normal.transpose();
      EXPECT_NEAR((c.pos - turn * pos).norm(), 0, 1e-13) << c.pos.transpose();
      EXPECT_NEAR((c.normal + back.normal).norm(), 0, 1e-13);
      EXPECT_NEAR((c.pos - back.pos).norm(), 0, 1e-13);
    };
    one(cone, moved(0, 0, 0), plane, moved(0, 0, 0.5), 0.5, {0, 0, 1}, {0, 0, 0.5});  // the tip is above
    one(ellipsoid, moved(0, 0, 1), plane, moved(0, 0, 0), 3, {0, 0, -1}, {0, 0, 0});
    one(ellipsoid, moved(0, 0, -1), plane, moved(0, 0, 0), 3, {0, 0, 1}, {0, 0, 0});
    one(ellipsoid, moved(-1, 0, 0), space, moved(0, 0, 0), 3, {-1, 0, 0}, {-1.5, 0, 0});
    one(cylinder, moved(0, 0, 0), cylinder, moved(1.5, 0, 1), 0.5, {1, 0, 0}, {0.75, 0, 0.5});
    one(cylinder, moved(0, 0, 0), cylinder, moved(1, 0, 3.75), 0.25, {0, 0, 1}, {0.5, 0, 1.875});
  }
}

TEST(FclCollide, AMeshComesFirstAndNamesItsTriangles) {
  const auto mesh = box_model<fcl::OBBRSSd>({1, 1, 1});
  const auto ball = std::make_shared<fcl::Sphered>(1);
  for (const bool mesh_first : {true, false}) {
    const Transform at_mesh = moved(0, 0, 0), at_ball = moved(-0.5, -0.25, 1.75);  // above triangle 2, in the top
    const Result result =
        mesh_first ? collided(mesh, at_mesh, ball, at_ball, Request(kAll, true)) : collided(ball, at_ball, mesh, at_mesh, Request(kAll, true));
    ASSERT_GE(result.numContacts(), 1u);
    const fcl::Contactd c = result.getContact(0);
    EXPECT_EQ(c.o1, mesh.get());
    EXPECT_EQ(c.o2, ball.get());
    EXPECT_EQ(c.b1, 2);
    EXPECT_EQ(c.b2, static_cast<int>(fcl::Contactd::NONE));
    EXPECT_TRUE(near(c.normal, Vector(0, 0, 1))) << c.normal.transpose();
    EXPECT_NEAR(c.penetration_depth, 0.25, 1e-14);
  }
}

TEST(FclCollide, TwoMeshesReportEachPairOfTrianglesOnce) {
  const auto mesh = box_model<fcl::RSSd>({1, 1, 1});
  const Result all = collided(mesh, moved(0, 0, 0), mesh, moved(1.5, 1.5, 1.5), Request(kAll, true));
  const Result some = collided(mesh, moved(0, 0, 0), mesh, moved(1.5, 1.5, 1.5), Request(3));
  EXPECT_EQ(some.numContacts(), 3u);
  ASSERT_GE(all.numContacts(), 6u);  // the surfaces meet in six segments, each of a pair of faces
  for (std::size_t i = 1; i < all.numContacts(); ++i) EXPECT_TRUE(all.getContact(i - 1) < all.getContact(i));
  EXPECT_EQ(collided(mesh, moved(0, 0, 0), mesh, moved(2, 2, 2), Request(kAll)).numContacts() > 0, true);  // corner on corner
  EXPECT_EQ(collided(mesh, moved(0, 0, 0), mesh, moved(std::nextafter(2, 3), 2, 2), Request(kAll)).numContacts(), 0u);
}

TEST(FclCollide, ResultsCollectUpToTheRequestedNumber) {
  const auto ball = std::make_shared<fcl::Sphered>(1);
  Result result;
  const Request request(2);
  for (const std::size_t expected : {1u, 2u, 2u}) {
    EXPECT_EQ(fcl::collide(ball.get(), moved(0, 0, 0), ball.get(), moved(1, 0, 0), request, result), expected);
    EXPECT_EQ(result.numContacts(), expected);
  }
}

TEST(FclCollide, AModelThatChangesIsSeen) {
  const auto ball = std::make_shared<fcl::Sphered>(1);
  const auto mesh = box_model<fcl::OBBd>({1, 1, 1});
  const auto touches = [&] { return collided(mesh, moved(0, 0, 0), ball, moved(0, 0, 3)).isCollision(); };
  EXPECT_FALSE(touches());
  for (const double half : {2.0, 1.0, 2.0}) {
    mesh->beginReplaceModel();
    mesh->replaceSubModel(corners({half, half, half}));
    mesh->endReplaceModel();
    EXPECT_EQ(touches(), half == 2);
  }
  mesh->vertices[7][2] = 1;  // without any call; the others of the top still touch
  EXPECT_TRUE(touches());
  for (int i = 0; i < 8; ++i) mesh->vertices[i][2] = 0;
  EXPECT_FALSE(touches());
}

TEST(FclCollide, ManyModelsAtOneAddressAreNotMixedUp) {
  const auto ball = std::make_shared<fcl::Sphered>(1);
  for (int i = 0; i < 200; ++i) {
    const double half = i % 2 == 0 ? 1 : 2;
    const auto mesh = box_model<fcl::AABBd>({half, half, half});
    EXPECT_EQ(collided(mesh, moved(0, 0, 0), ball, moved(0, 0, 3)).isCollision(), half == 2);
  }
}

TEST(FclCollide, ThreadsShareModels) {
  const auto mesh = box_model<fcl::OBBRSSd>({1, 1, 1});
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto own = box_model<fcl::OBBRSSd>({1, 1, static_cast<double>(t + 1)});
      for (int i = 0; i < 300; ++i) {
        const double z = static_cast<double>(t) + 2 + (i % 2 == 0 ? 0 : 1e-12);
        wrong[t] += collided(mesh, moved(0, 0, z), own, moved(0, 0, 0)).isCollision() != (i % 2 == 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(FclCollide, WhatGrazeDoesNotKnowGoesToFcl) {
  const auto ball = std::make_shared<fcl::Sphered>(1);
  const auto box = std::make_shared<fcl::Boxd>(2, 2, 2);
  const auto tree = std::make_shared<octomap::OcTree>(0.5);
  tree->updateNode(octomap::point3d(0.25, 0.25, 0.25), true);
  const auto octree = std::make_shared<fcl::OcTreed>(tree);
  EXPECT_TRUE(collided(octree, moved(0, 0, 0), ball, moved(0, 0, 1)).isCollision());
  EXPECT_FALSE(collided(octree, moved(0, 0, 0), ball, moved(0, 0, 3)).isCollision());

  Request costs(1, false, 1, true);
  EXPECT_GT(collided(box, moved(0, 0, 0), box, moved(1, 0, 0), costs).numCostSources(), 0u);

  const auto free = std::make_shared<fcl::Boxd>(2, 2, 2);
  free->cost_density = 0;
  EXPECT_FALSE(collided(free, moved(0, 0, 0), box, moved(1, 0, 0)).isCollision());

  Transform scaled = moved(0, 0, 0);  // no rotation, so not a pose
  scaled.linear() *= 2;
  EXPECT_NO_THROW((void)collided(box, scaled, box, moved(10, 0, 0)));
}

}  // namespace
