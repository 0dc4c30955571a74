// Frusta: corners of a perspective view, outward planes, refused input.
#include <gtest/gtest.h>
#include <graze/shapes/frustum.hpp>

#include <cmath>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::message_of;

TEST(Frustum, PerspectiveCorners) {
  const Frustum f = Frustum::perspective(Vec3(1, 2, 3), Vec3(1, 2, -7), Vec3(0, 1, 0), 0.5, 2, 1, 4);  // looks along -z
  const auto p = f.points();
  EXPECT_EQ(p[0], Vec3(0, 1.5, 2));
  EXPECT_EQ(p[1], Vec3(2, 1.5, 2));
  EXPECT_EQ(p[2], Vec3(2, 2.5, 2));
  EXPECT_EQ(p[3], Vec3(0, 2.5, 2));
  EXPECT_EQ(p[4], Vec3(-3, 0, -1));
  EXPECT_EQ(p[6], Vec3(5, 4, -1));
  EXPECT_EQ(f.hull().corners().size(), 8u);
}

TEST(Frustum, PlanesPointOutwards) {
  test::Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Vec3 eye = random.point(-5, 5), target = random.point(-5, 5), up = random.point(-1, 1);
    const Frustum f = Frustum::perspective(eye, target, up, random.real(0.1, 2), random.real(0.5, 2), 0.5, 20);
    Vec3 middle(0, 0, 0);
    for (const Vec3& p : f.points())
      for (int k = 0; k < 3; ++k) middle[k] += p[k] / 8;
    for (int w = 0; w < 6; ++w) {
      const Plane plane = f.plane(static_cast<FrustumPlane>(w));
      double d = 0;
      for (int k = 0; k < 3; ++k) d += plane.normal[k] * (middle[k] - plane.point[k]);
      EXPECT_LT(d, 0) << w;
    }
    // names: the near plane faces the eye, left and right face away from each other
    const Plane near = f.plane(FrustumPlane::near);
    double towards = 0;
    for (int k = 0; k < 3; ++k) towards += near.normal[k] * (eye[k] - target[k]);
    EXPECT_GT(towards, 0);
  }
  const Frustum f = Frustum::perspective(Vec3(0, 0, 0), Vec3(0, 0, -1), Vec3(0, 1, 0), 1, 1, 1, 2);
  EXPECT_LT(f.plane(FrustumPlane::left).normal.x, 0);
  EXPECT_GT(f.plane(FrustumPlane::right).normal.x, 0);
  EXPECT_LT(f.plane(FrustumPlane::bottom).normal.y, 0);
  EXPECT_GT(f.plane(FrustumPlane::top).normal.y, 0);
  EXPECT_LT(f.plane(FrustumPlane::far).normal.z, 0);
}

TEST(Frustum, CollapsedNearFace) {
  const Vec3 tip(0, 0, 0);
  const std::vector<Vec3> p{tip, tip, tip, tip, Vec3(-1, -1, -1), Vec3(1, -1, -1), Vec3(1, 1, -1), Vec3(-1, 1, -1)};
  const Frustum f{std::span<const Vec3>(p)};
  EXPECT_GT(f.plane(FrustumPlane::near).normal.z, 0);
  EXPECT_EQ(f.plane(FrustumPlane::near).point, tip);
  EXPECT_EQ(f.hull().corners().size(), 5u);
}

TEST(Frustum, AnyScale) {
  for (double s : {1e-300, 1e-150, 1e150, 1e300}) {
    const Frustum f = Frustum::perspective(Vec3(0, 0, 0), Vec3(0, 0, -s), Vec3(0, s, 0), 0.5, 2, s, 4 * s);
    EXPECT_EQ(f.points()[0], Vec3(-s, -0.5 * s, -s)) << s;
    EXPECT_EQ(f.points()[6], Vec3(4 * s, 2 * s, -4 * s)) << s;
  }
}

TEST(Frustum, Refused) {
  const std::vector<Vec3> seven(7);
  EXPECT_EQ(message_of([&] { Frustum{std::span<const Vec3>(seven)}; }), "frustum: 7 points, must have 8");
  auto view = [](const Vec3& target, const Vec3& up, double t, double near, double far) {
    return message_of([&] { (void)Frustum::perspective(Vec3(0, 0, 0), target, up, t, 1, near, far); });
  };
  EXPECT_NE(view(Vec3(0, 0, 0), Vec3(0, 1, 0), 1, 1, 2).find("no direction"), std::string::npos);
  EXPECT_NE(view(Vec3(0, 3, 0), Vec3(0, 1, 0), 1, 1, 2).find("up is (0, 1, 0)"), std::string::npos);
  EXPECT_NE(view(Vec3(0, 0, 1), Vec3(0, 1, 0), -1, 1, 2).find("tan_half_height is -1"), std::string::npos);
  EXPECT_NE(view(Vec3(0, 0, 1), Vec3(0, 1, 0), 1, 2, 2).find("near is 2, must be < far (2)"), std::string::npos);
  EXPECT_NE(view(Vec3(0, 0, 1), Vec3(0, 1, 0), 1e300, 1, 1e300).find("beyond the largest double"), std::string::npos);
}
