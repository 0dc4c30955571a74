// Members that move between the moves of a mover: lifts and platforms carry it, doors push it, a closing room encloses it and releases it again.
#include <gtest/gtest.h>

#include <cmath>
#include <graze/error.hpp>
#include <graze/mover.hpp>

#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::mover_follow_test {
namespace {

constexpr double kPi = 0x1.921fb54442d18p+1;
const Capsule kWalker{Vec3(0, 0, .3), Vec3(0, 0, 1.5), .3};
const Sphere kBall{Vec3(0, 0, .3), .3};  // its lowest point is at the origin, too

Vec3 place(const Mover& m) { return m.pose().translation; }

Mesh box_mesh(const Box& b) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back(Vec3(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z));
  const std::uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& q : quads) {
    d.triangles.push_back({q[0], q[1], q[2]});
    d.triangles.push_back({q[0], q[2], q[3]});
  }
  return Mesh(d);
}

/// A platform of each kind, its upper side at z = 0.
std::vector<AnyShape> platforms() {
  const Box slab{Vec3(-2, -2, -.5), Vec3(2, 2, 0)};
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(Vec3(i & 1 ? 2 : -2, i & 2 ? 2 : -2, i & 4 ? 0 : -.5));
  return {slab,
          box_mesh(slab),
          solid(box_mesh(slab)),
          Hull(corners),
          Cylinder{Vec3(0, 0, -.5), Vec3(0, 0, 0), 2},
          Compound({{slab, {}}, {Box{Vec3(-2, -2, 0), Vec3(2, -1.9, 1)}, {}}}),
          Polygon{Vec3(-2, -2, 0), Vec3(2, -2, 0), Vec3(2, 2, 0), Vec3(-2, 2, 0)}};
}

void expect_free(const Scene& scene, const AnyShape& body, const Mover& mover, const MoverResult& r) {
  ASSERT_EQ(r.enclosed, mover.enclosed());
  ASSERT_EQ(scene.intersects(at(body, mover.pose())), mover.enclosed());
}

TEST(MoverFollow, LiftsCarryTheMover) {
  const Vec3 ways[] = {Vec3(0, 0, .05), Vec3(0, 0, -.05), Vec3(0, 0, .9),    Vec3(0, 0, -.9),
                       Vec3(.2, 0, 0),  Vec3(-.9, .7, 0), Vec3(.1, -.1, .2), Vec3(-.3, 0, -.4)};
  for (const AnyShape& body : {AnyShape(kWalker), AnyShape(kBall)})
    for (const AnyShape& platform : platforms())
      for (const Vec3& way : ways) {
        Scene scene;
        const MemberId lift = scene.add(platform);
        Mover mover(scene, body, Vec3(.25, .5, 1e-6));
        mover.move(Vec3(0, 0, -.01));
        SCOPED_TRACE(testing::Message() << type_name(platform.kind()) << " by " << way.x << " " << way.y << " " << way.z);
        for (int i = 1; i <= 40; ++i) {
          const Vec3 before = place(mover);
          scene.move(lift, translation(double(i) * way));
          const MoverResult r = mover.move(Vec3(0, 0, -.01));
          expect_free(scene, body, mover, r);
          ASSERT_TRUE(r.grounded);
          ASSERT_EQ(r.ground, lift);
          for (int k = 0; k < 3; ++k) {
            ASSERT_NEAR(r.carried[k], way[k], 1e-6);
            ASSERT_NEAR(place(mover)[k] - before[k], way[k], 2e-6);
          }
        }
        EXPECT_NEAR(place(mover).z, 40 * way.z, 1e-5);
      }
}

TEST(MoverFollow, WalksOnAPlatformAsOnTheGround) {
  Scene scene;
  const MemberId platform = scene.add(Box{Vec3(-9, -9, -1), Vec3(9, 9, 0)});
  Mover mover(scene, kWalker, Vec3(0, 0, 1e-6));
  for (int i = 1; i <= 50; ++i) {
    scene.move(platform, translation(double(i) * Vec3(.1, .05, .02)));
    mover.move(Vec3(-.05, .1, -.05));
  }
  EXPECT_NEAR(place(mover).x, 50 * .05, 1e-4);
  EXPECT_NEAR(place(mover).y, 50 * .15, 1e-4);
  EXPECT_NEAR(place(mover).z, 50 * .02, 1e-4);
}

TEST(MoverFollow, TurntablesCarryTheMover) {
  Scene scene;
  const MemberId disc = scene.add(Cylinder{Vec3(0, 0, -.5), Vec3(0, 0, 0), 3});
  Mover mover(scene, kWalker, Vec3(2, 0, 1e-6));
  mover.move(Vec3(0, 0, -.01));
  for (int i = 1; i <= 36; ++i) {
    scene.move(disc, Pose::from_quaternion(std::cos(i * kPi / 72), 0, 0, std::sin(i * kPi / 72)));
    ASSERT_TRUE(mover.move(Vec3(0, 0, -.01)).grounded);
    ASSERT_NEAR(place(mover).x, 2 * std::cos(i * kPi / 36), 1e-4);
    ASSERT_NEAR(place(mover).y, 2 * std::sin(i * kPi / 36), 1e-4);
  }
}

TEST(MoverFollow, ObstaclesHoldTheMoverBackOnAPlatform) {
  Scene scene;
  scene.add(Box{Vec3(1, -5, 0), Vec3(2, 5, 5)});
  const MemberId belt = scene.add(Box{Vec3(-50, -50, -1), Vec3(50, 50, 0)});
  Mover mover(scene, kWalker, Vec3(0, 0, 1e-6));
  for (int i = 1; i <= 20; ++i) {
    scene.move(belt, translation(double(i) * Vec3(.1, .1, 0)));
    const MoverResult r = mover.move(Vec3(0, 0, -.01));
    expect_free(scene, kWalker, mover, r);
    EXPECT_TRUE(r.grounded);
  }
  EXPECT_NEAR(place(mover).x, .7, 1e-5);
  EXPECT_NEAR(place(mover).y, 2, 1e-4);  // slides along the wall
}

// Thick and thin doors, surfaces without thickness, slow and fast.
TEST(MoverFollow, SlidingDoorsPushTheMover) {
  const AnyShape doors[] = {Box{Vec3(-.1, -2, 0), Vec3(0, 2, 3)},
                            box_mesh(Box{Vec3(-.02, -2, 0), Vec3(0, 2, 3)}),
                            Polygon{Vec3(0, -2, 0), Vec3(0, 2, 0), Vec3(0, 2, 3), Vec3(0, -2, 3)},
                            HalfSpace{Vec3(0, 0, 0), Vec3(1, 0, 0)},
                            Plane{Vec3(0, 0, 0), Vec3(-1, 0, 0)},
                            Capsule{Vec3(0, -2, 1), Vec3(0, 2, 1), 0}};
  for (const AnyShape& body : {AnyShape(kWalker), AnyShape(Sphere{Vec3(0, 0, 1), .3})})
    for (const AnyShape& door : doors)
      for (const double pace : {.01, .1, .5, 2.}) {
        Scene scene;
        scene.add(Box{Vec3(-100, -100, -1), Vec3(100, 100, -.5)});
        const MemberId id = scene.add(door, translation(Vec3(-1, 0, 0)));
        Mover mover(scene, body, Vec3(0, .25, 0));
        for (int i = 1; i <= 30; ++i) {
          scene.move(id, translation(Vec3(-1 + i * pace, 0, 0)));
          const MoverResult r = mover.move(Vec3(0, 0, 0));
          expect_free(scene, body, mover, r);
          ASSERT_FALSE(r.enclosed);
          ASSERT_NEAR(place(mover).x, std::max(0., -1 + i * pace + .3), 1e-5) << type_name(door.kind()) << " " << pace << " " << i;
        }
        EXPECT_NEAR(place(mover).y, .25, 1e-5);
      }
}

TEST(MoverFollow, SwingingDoorsPushTheMoverAside) {
  for (const double degrees : {1., 5., 15., 30.})
    for (const double from : {.4, .8, 1.2}) {
      Scene scene;
      const MemberId door = scene.add(Box{Vec3(0, -.025, 0), Vec3(2, .025, 3)});
      Mover mover(scene, kWalker, Vec3(from, .5, .5));
      for (double angle = degrees; angle <= 150; angle += degrees) {
        scene.move(door, Pose::from_quaternion(std::cos(angle * kPi / 360), 0, 0, std::sin(angle * kPi / 360)));
        const MoverResult r = mover.move(Vec3(0, 0, 0));
        expect_free(scene, kWalker, mover, r);
        ASSERT_FALSE(r.enclosed);
        // never on the other side of the door
        const Vec3 p = place(mover);
        const double across = -std::sin(angle * kPi / 180) * p.x + std::cos(angle * kPi / 180) * p.y,
                     along = std::cos(angle * kPi / 180) * p.x + std::sin(angle * kPi / 180) * p.y;
        ASSERT_TRUE(across > .325 || along > 2) << degrees << " " << from << " at " << angle << ": " << p.x << " " << p.y;
      }
    }
}

// Pushed along a slanted wall into a corner, the mover slides while there is room, and is then enclosed.
TEST(MoverFollow, SlidesBetweenADoorAndAWall) {
  Scene scene;
  scene.add(HalfSpace{Vec3(2, 0, 0), Vec3(-1, -1, 0)});
  const MemberId door = scene.add(Box{Vec3(-.1, -20, 0), Vec3(0, 20, 3)}, translation(Vec3(-.5, 0, 0)));
  Mover mover(scene, kWalker, Vec3(0, 0, 0));
  for (int i = 1; i <= 60; ++i) {
    const double x = -.5 + i * .1;
    scene.move(door, translation(Vec3(x, 0, 0)));
    const MoverResult r = mover.move(Vec3(0, 0, 0));
    expect_free(scene, kWalker, mover, r);
    ASSERT_FALSE(r.enclosed) << i;
    ASSERT_GT(place(mover).x, x + .3);
  }
  EXPECT_LT(place(mover).y, -3);
}

TEST(MoverFollow, AClosingRoomEnclosesAndReleasesTheMover) {
  for (const AnyShape& body : {AnyShape(kWalker), AnyShape(kBall)})
    for (const double pace : {.01, .05, .2}) {
      Scene scene;
      scene.add(Box{Vec3(-9, -9, -1), Vec3(9, 9, 0)});
      scene.add(Box{Vec3(-9, -9, 2), Vec3(9, 9, 3)});
      scene.add(Box{Vec3(-9, 1, 0), Vec3(9, 2, 2)});
      scene.add(Box{Vec3(-9, -2, 0), Vec3(9, -1, 2)});
      const MemberId west = scene.add(Box{Vec3(-1.2, -1, 0), Vec3(-1, 1, 2)}), east = scene.add(Box{Vec3(1, -1, 0), Vec3(1.2, 1, 2)});
      Mover mover(scene, body, Vec3(.3, .2, 1e-6));
      mover.move(Vec3(0, 0, -.01));
      int enclosed = 0;
      Vec3 last = place(mover);
      const auto room = [&](double half) {
        scene.move(west, translation(Vec3(1 - half, 0, 0)));
        scene.move(east, translation(Vec3(half - 1, 0, 0)));
        const MoverResult r = mover.move(Vec3(.02, 0, -.01));
        expect_free(scene, body, mover, r);
        ASSERT_EQ(r.enclosed, half < .3) << half;
        if (r.enclosed) {
          if (enclosed++ > 0) {
            ASSERT_EQ(place(mover), last);  // it stays where it was
          }
          EXPECT_EQ(r.contacts, 0);
          EXPECT_FALSE(r.grounded);
        } else {
          EXPECT_TRUE(r.grounded);
          ASSERT_LE(std::abs(place(mover).x), half - .3);
        }
        last = place(mover);
      };
      for (int round = 0; round < 2; ++round) {
        enclosed = 0;
        const int steps = static_cast<int>(.85 / pace);
        for (int i = 0; i <= steps; ++i) room(1.003 - i * pace);
        EXPECT_GT(enclosed, 0);
        for (int i = steps; i >= 0; --i) room(1.003 - i * pace);
        EXPECT_FALSE(mover.enclosed());
      }
      for (int i = 0; i < 60; ++i) mover.move(Vec3(.05, 0, -.01));
      EXPECT_NEAR(place(mover).x, .703, 1e-5);  // it walks again, up to the wall
    }
}

// One wall stays, the other recedes: the body is pushed free.
TEST(MoverFollow, FreedWhenOneSideOpens) {
  Scene scene;
  const MemberId west = scene.add(Box{Vec3(-1.2, -3, -3), Vec3(-1, 3, 3)}), east = scene.add(Box{Vec3(1, -3, -3), Vec3(1.2, 3, 3)});
  Mover mover(scene, kWalker, Vec3(0, 0, 0));
  for (int i = 1; i <= 10; ++i) {
    scene.move(west, translation(Vec3(i * .08, 0, 0)));
    scene.move(east, translation(Vec3(-i * .08, 0, 0)));
    mover.move(Vec3(0, 0, 0));
  }
  EXPECT_TRUE(mover.enclosed());
  scene.move(east, translation(Vec3(0, 0, 0)));
  const MoverResult r = mover.move(Vec3(0, 0, 0));
  EXPECT_FALSE(r.enclosed);
  EXPECT_FALSE(scene.intersects(at(kWalker, mover.pose())));
  EXPECT_NEAR(place(mover).x, .1, 1e-5);  // at the side of the wall where it was, not beyond
}

TEST(MoverFollow, ALiftUnderACeilingEnclosesTheMover) {
  Scene scene;
  scene.add(Box{Vec3(-9, -9, 3), Vec3(9, 9, 4)});
  const MemberId lift = scene.add(Box{Vec3(-9, -9, -1), Vec3(9, 9, 0)});
  Mover mover(scene, kWalker, Vec3(0, 0, 1e-6));
  for (int i = 1; i <= 40; ++i) {
    scene.move(lift, translation(Vec3(0, 0, i * .05)));
    const MoverResult r = mover.move(Vec3(.1, 0, -.05));
    expect_free(scene, kWalker, mover, r);
    ASSERT_EQ(r.enclosed, i * .05 > 1.2) << i;
  }
  const double x = place(mover).x;
  scene.move(lift, translation(Vec3(0, 0, 1)));
  EXPECT_FALSE(mover.move(Vec3(.1, 0, -.05)).enclosed);
  EXPECT_GT(place(mover).x, x + .05);
}

// A member that appears on top of the mover, without a path, still pushes it out.
TEST(MoverFollow, PushedOutOfMembersPlacedOntoTheMover) {
  test::Random random(51);
  for (int i = 0; i < 60; ++i) {
    for (const AnyShape& shape : platforms()) {
      Scene scene;
      const MemberId id = scene.add(shape, translation(Vec3(0, 0, 1000)));
      Mover mover(scene, kWalker, Vec3(0, 0, 0));
      scene.move(id, random.pose(1));
      const bool meets = scene.intersects(at(kWalker, mover.pose()));
      const MoverResult r = mover.move(Vec3(0, 0, 0));
      expect_free(scene, kWalker, mover, r);
      EXPECT_FALSE(r.enclosed) << type_name(shape.kind()) << " " << i;
      EXPECT_EQ(r.carried != Vec3(0, 0, 0), meets) << type_name(shape.kind()) << " " << i;  // the mover may also step down onto it
    }
  }
}

TEST(MoverFollow, SetPosition) {
  Scene scene;
  const MemberId box = scene.add(Box{Vec3(-1, -1, -1), Vec3(1, 1, 0)});
  Mover mover(scene, kWalker, Vec3(0, 0, 1e-6));
  EXPECT_EQ(test_scene::message([&] { mover.set_position(Vec3(0, 0, -.5)); }), "set_position: the body meets the scene there");
  EXPECT_EQ(place(mover), Vec3(0, 0, 1e-6));
  EXPECT_THROW(mover.set_position(Vec3(NAN, 0, 0)), Error);
  mover.set_position(Vec3(.5, .5, 1e-6));
  EXPECT_EQ(place(mover), Vec3(.5, .5, 1e-6));
  scene.move(box, translation(Vec3(0, 0, .25)));  // the mover stands on the box at once and is carried
  const MoverResult r = mover.move(Vec3(0, 0, -.01));
  EXPECT_NEAR(r.carried.z, .25, 1e-6);
  EXPECT_TRUE(r.grounded);
  // Out of an enclosure, too.
  const MemberId lid = scene.add(Box{Vec3(-1, -1, 3), Vec3(1, 1, 4)});
  mover.move(Vec3(0, 0, 0));
  for (int i = 1; i < 15; ++i) {
    scene.move(lid, translation(Vec3(0, 0, -.1 * i)));
    mover.move(Vec3(0, 0, 0));
  }
  EXPECT_TRUE(mover.enclosed());
  mover.set_position(Vec3(5, 0, 0));
  EXPECT_FALSE(mover.enclosed());
  EXPECT_FALSE(mover.move(Vec3(.1, 0, 0)).enclosed);
  EXPECT_NEAR(place(mover).x, 5.1, 1e-12);
}

// Boxes, meshes and doors shift and turn at random around the mover. The flag always equals the exact test, and a restored snapshot continues with the same
// bits.
TEST(MoverFollow, TheEnclosedFlagIsExactForRandomMembers) {
  test::Random random(52);
  int carried = 0, enclosed = 0, freed = 0;
  for (int scenes = 0; scenes < 5; ++scenes) {
    Scene scene;
    std::vector<MemberId> ids;
    std::vector<Vec3> at_start;
    scene.add(Box{Vec3(-9, -9, -1), Vec3(9, 9, 0)});
    for (int i = 0; i < 40; ++i) {
      const Vec3 p = random.point(-2.5, 2.5) + Vec3(0, 0, 1.5);
      const Vec3 half(.1 + random.unit(), .1 + random.unit(), .02 + random.unit());
      const AnyShape shape = i % 3 == 0 ? AnyShape(box_mesh(Box{-half, half})) : i % 3 == 1 ? AnyShape(Box{-half, half}) : AnyShape(Capsule{-half, half, .2});
      if (intersects(at(kWalker, translation(Vec3(0, 0, .01))), at(shape, translation(p)))) continue;
      ids.push_back(scene.add(shape, translation(p)));
      at_start.push_back(p);
    }
    Mover mover(scene, kWalker, Vec3(0, 0, .01));
    std::optional<Mover> second;
    bool was_enclosed = false;
    for (int i = 0; i < 150; ++i) {
      for (std::size_t k = 0; k < ids.size(); ++k) {
        const double phase = .03 * i * (1 + .1 * double(k)) + double(k);
        scene.move(ids[k], Pose::from_quaternion(std::cos(phase), std::sin(phase) * .3, 0, std::sin(phase),
                                                 at_start[k] + Vec3(std::sin(phase), std::cos(1.3 * phase), .5 * std::sin(.7 * phase))));
      }
      if (i == 80) {
        second.emplace(scene, kWalker, Vec3(50, 50, 50));
        second->restore(mover.snapshot());
      }
      const Vec3 wish = random.point(-.1, .1) - Vec3(0, 0, .05);
      const MoverResult r = mover.move(wish);
      expect_free(scene, kWalker, mover, r);
      if (second) {
        second->move(wish);
        ASSERT_EQ(second->pose().translation, place(mover));
        ASSERT_EQ(second->snapshot(), mover.snapshot());
      }
      carried += r.carried != Vec3(0, 0, 0);
      enclosed += r.enclosed;
      freed += was_enclosed && !r.enclosed;
      was_enclosed = r.enclosed;
    }
  }
  EXPECT_GT(carried, 100);
  EXPECT_GT(enclosed, 0);
  EXPECT_GT(freed, 0);
  Scene empty;
  Mover mover(empty, kWalker, Vec3(0, 0, 0));
  EXPECT_THROW(mover.restore(std::vector<std::uint8_t>(20)), Error);
}

/// The list in the snapshot of a mover, which follows its place, two flags and its foot.
std::vector<std::uint8_t> neighbors(const Mover& mover) {
  const std::vector<std::uint8_t> bytes = mover.snapshot();
  return {bytes.begin() + 64, bytes.end()};
}

// While the scene rests, the list of neighbours is kept; a mover that begins at the same place makes its own. Both must hold the same, and go on alike when
// members move.
TEST(MoverFollow, KeepsItsNeighborsWhileTheSceneRests) {
  test::Random random(31);
  for (int round = 0; round < 20; ++round) {
    Scene scene;
    scene.add(Box{Vec3(-60, -60, -1), Vec3(60, 60, 0)});
    std::vector<MemberId> posts;
    for (int i = 0; i < 150; ++i) posts.push_back(scene.add(test_scene::random_shape(random, random.integer(0, 12)), translation(random.point(-12, 12))));
    const AnyShape body = round % 2 == 0 ? AnyShape(kWalker) : AnyShape(kBall);
    Vec3 start = random.point(-4, 4);
    start.z = 1e-6;
    while (scene.intersects(at(body, translation(start)))) start.x += .1;
    Mover mover(scene, body, start);
    for (int step = 0; step < 60; ++step) {
      if (step % 12 == 11)
        for (int k = 0; k < 40; ++k) {
          const MemberId post = posts[static_cast<std::size_t>(random.integer(0, 149))];
          if (!scene.has(post)) continue;
          if (random.integer(0, 9) == 0)
            scene.remove(post);
          else
            scene.move(post, translation(scene.pose(post).translation + random.point(-.3, .3)));
        }
      const Vec3 wish = random.point(-1, 1) + Vec3(.5, 0, -.2);
      std::optional<Mover> other;
      if (!mover.enclosed() && !scene.intersects(at(body, mover.pose()))) other.emplace(scene, body, place(mover));
      Mover restored(scene, body, start = scene.intersects(at(body, translation(start))) ? Vec3(0, 0, 50) : start);
      restored.restore(mover.snapshot());
      if (other && step % 12 != 11) {
        EXPECT_EQ(neighbors(*other), neighbors(mover));
      }
      const MoverResult r = mover.move(wish), again = restored.move(wish);
      expect_free(scene, body, mover, r);
      EXPECT_EQ(place(mover), place(restored));
      EXPECT_EQ(r.carried, again.carried);
      EXPECT_EQ(r.ground, again.ground);
      EXPECT_EQ(mover.snapshot(), restored.snapshot());
    }
  }
}

}  // namespace
}  // namespace graze::mover_follow_test
