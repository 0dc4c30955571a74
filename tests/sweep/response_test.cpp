// Collision response: velocities never grow, exactly, and steps never end on the wrong side.
#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/graze.hpp>
#include <graze/response.hpp>

#include <cmath>

#include "property/instances.hpp"
#include "shapes/length.hpp"
#include "support/exact_oracle.hpp"

namespace graze::test::response_test {
namespace {

TEST(Response, NeverLengthensVelocities) {
  Source s(71, Numbers::real);
  for (int i = 0; i < 20000; ++i) {
    s.numbers = i % 3 == 0 ? Numbers::whole : i % 3 == 1 ? Numbers::real : Numbers::hostile;
    const double scale = std::ldexp(1.0, s.random.integer(-1000, 1000));
    const Vec3 v = scale * s.vector(), n = s.direction();
    const Material m{s.below(2) ? 1.0 : s.random.real(0, 1), s.below(2) ? 0.0 : s.random.real(0, 3), s.below(2) ? 1.0 : s.random.real(0, 1)};
    const Vec3 r = respond(v, n, m), w = slide(v, n);
    EXPECT_TRUE(not_longer(r, v)) << text(v) << text(n);
    EXPECT_TRUE(not_longer(w, v)) << text(v) << text(n);
    EXPECT_TRUE(r == respond(v, -n, m)) << "either orientation";
  }
}

TEST(Response, IsReflectionWithoutLoss) {
  Source s(72, Numbers::real);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 v = s.vector(), n = s.direction();
    EXPECT_EQ(respond(v, n, {}), reflect(v, n));
  }
}

TEST(Response, RefusesInvalidInput) {
  EXPECT_THROW((void)respond({1, 0, 0}, {0, 0, 1}, {.restitution = 2}), Error);
  EXPECT_THROW((void)respond({1, 0, 0}, {0, 0, 1}, {.restitution = 1, .friction = -1}), Error);
  EXPECT_THROW((void)bounce(Point{{0, 0, 0}}, {NAN, 0, 0}, 1, Box{{0, 0, 0}, {1, 1, 1}}, {}), Error);
}

/// A closed room far from the origin with a thin wedge in it: nothing ever gets out.
Mesh room(const Vec3& at) {
  MeshData d = closed_box(at - Vec3(1, 1, 1), at + Vec3(1, 1, 1));
  append(d, {{at + Vec3(-.9, -.9, -1), at + Vec3(.9, .9, -1), at + Vec3(.9, .9, 1)}, {{0, 1, 2}}, {}});
  append(d, {{at + Vec3(1, -1, -1), at + Vec3(1, -1, 1), at + Vec3(-1, -.999, .5)}, {{0, 1, 2}}, {}});
  return Mesh(std::move(d));
}

TEST(Bounce, NothingLeavesAClosedRoom) {
  for (const double offset : {0.0, 1e6}) {
    const Vec3 at(offset, -offset, offset / 3);
    const Mesh walls = room(at);
    const Solid inside(Mesh(closed_box(at - Vec3(1, 1, 1), at + Vec3(1, 1, 1))));
    Source s(73, Numbers::real);
    int bounces = 0, still = 0;
    for (int i = 0; i < 60; ++i) {
      Vec3 p = at + 0.45 * s.vector(), v = s.direction();
      if (i % 4 == 0) v = Vec3(std::round(v.x), std::round(v.y), 1);  // into edges and corners
      double energy = v.x * v.x + v.y * v.y + v.z * v.z;
      v = v * (i % 3 == 0 ? 8.0 : 1.0);
      energy = v.x * v.x + v.y * v.y + v.z * v.z;
      for (int k = 0; k < 40; ++k) {
        const BounceStep step = bounce(Point{p}, v, 0.5, walls, {}, {.max_bounces = 100});
        ASSERT_FALSE(step.stopped);
        still += step.position == p;
        p = step.position;
        v = step.velocity;
        bounces += static_cast<int>(step.hits.size());
        ASSERT_TRUE(contains(inside, p)) << text(p);
        ASSERT_FALSE(intersects(Point{p}, walls)) << text(p);
        const double now = v.x * v.x + v.y * v.y + v.z * v.z;
        ASSERT_LE(now, energy * (1 + 1e-15));
      }
    }
    EXPECT_GT(bounces, 1000);
    EXPECT_LT(still, 3);
  }
}

TEST(Bounce, BodiesStayOutOfWalls) {
  const Mesh walls = room({3, 4, 5});
  Source s(74, Numbers::real);
  for (int i = 0; i < 30; ++i) {
    const Vec3 p = Vec3(3, 4, 5) + Vec3(-.3, .3, 0) + 0.05 * s.vector();
    AnyShape body = i % 3 == 0   ? AnyShape(Sphere{p, .1})
                    : i % 3 == 1 ? AnyShape(Capsule{p, p + Vec3(.1, 0, .1), .05})
                                 : AnyShape(Box{p - Vec3(.1, .1, .05), p + Vec3(.1, .1, .05)});
    Pose pose;
    Vec3 v = s.direction();
    for (int k = 0; k < 20; ++k) {
      const BounceStep step = bounce(at(body, pose), v, 0.5, walls, {.restitution = .9, .friction = .1}, {.max_bounces = 50, .sliding = i % 2 == 1});
      pose = step.pose;
      v = step.velocity;
      ASSERT_FALSE(intersects(at(body, pose), walls)) << i << " " << k;
    }
  }
}

}  // namespace
}  // namespace graze::test::response_test
