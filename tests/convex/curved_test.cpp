// Cylinders, cones, ellipsoids: exact cases, closed forms, dense sampling, degenerate and extreme sizes, symmetry.
#include "convex/decide/curved_decide.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "convex/minkowski/local_pair.hpp"
#include "convex/sets/plane_form.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::curved_test {
namespace {

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }
ConvexSet ball(const Vec3& c, double r) { return convex_set_of(Sphere{c, r}, nullptr); }

long double distance_to_cylinder(const Vec3& p, const Cylinder& c) {
  const long double dx = (long double)c.b.x - c.a.x, dy = (long double)c.b.y - c.a.y, dz = (long double)c.b.z - c.a.z,
                    h = std::sqrt(dx * dx + dy * dy + dz * dz);
  const long double qx = (long double)p.x - c.a.x, qy = (long double)p.y - c.a.y, qz = (long double)p.z - c.a.z;
  const long double z = (qx * dx + qy * dy + qz * dz) / h;
  const long double cx = qy * dz - qz * dy, cy = qz * dx - qx * dz, cz = qx * dy - qy * dx, m = std::sqrt(cx * cx + cy * cy + cz * cz) / h;
  const long double ez = z < 0 ? -z : z > h ? z - h : 0, em = m > c.radius ? m - c.radius : 0;
  return std::sqrt(ez * ez + em * em);
}
long double distance_to_cone(const Vec3& p, const TruncatedCone& c) {
  const long double dx = (long double)c.b.x - c.a.x, dy = (long double)c.b.y - c.a.y, dz = (long double)c.b.z - c.a.z,
                    h = std::sqrt(dx * dx + dy * dy + dz * dz);
  const long double qx = (long double)p.x - c.a.x, qy = (long double)p.y - c.a.y, qz = (long double)p.z - c.a.z;
  const long double z = (qx * dx + qy * dy + qz * dz) / h;
  const long double cx = qy * dz - qz * dy, cy = qz * dx - qx * dz, cz = qx * dy - qy * dx, m = std::sqrt(cx * cx + cy * cy + cz * cz) / h, r = c.radius_a,
                    k = c.radius_b - r;
  if (z >= 0 && z <= h && (m - r) * h - z * k <= 0) return 0;
  const long double t = std::min(1.0L, std::max(0.0L, ((m - r) * k + z * h) / (k * k + h * h)));
  const long double slant = std::hypot(m - r - k * t, z - h * t);
  return z < 0 ? std::min(slant, std::hypot(std::max(m - r, 0.0L), z)) : z > h ? std::min(slant, std::hypot(std::max(m - r - k, 0.0L), z - h)) : slant;
}

TEST(Curved, SphereAgainstCylinderAndCones) {
  test::Random r(1);
  int touching = 0;
  for (int i = 0; i < 20000; ++i) {
    const Cylinder cylinder{r.point(-2, 2), r.point(-2, 2), r.real(0.01, 1.5)};
    const Cone cone{cylinder.a, cylinder.b, cylinder.radius};
    const TruncatedCone truncated{cylinder.a, cylinder.b, cylinder.radius, r.real(0.01, 1.5)};
    const Vec3 p = r.point(-4, 4);
    const double radius = r.real(0, 1);
    for (int k = 0; k < 3; ++k) {
      const Curved c = k == 0 ? curved_of(cylinder, nullptr) : k == 1 ? curved_of(cone, nullptr) : curved_of(truncated, nullptr);
      const long double d = k == 0   ? distance_to_cylinder(p, cylinder)
                            : k == 1 ? distance_to_cone(p, TruncatedCone{cone.a, cone.b, cone.radius, 0})
                                     : distance_to_cone(p, truncated);
      const ConvexSet b = ball(p, radius);
      const ConvexClosest found = closest(c, b);
      const bool touch = within(c, b);
      touching += touch;
      if (std::fabs((double)(d - radius)) > 1e-14) {
        EXPECT_EQ(touch, d < radius);
        EXPECT_EQ(within_exactly(c, b, 0), certain(d < radius));
      }
      EXPECT_EQ(found.distance == 0, touch);
      EXPECT_NEAR(found.distance, std::max(0.0, (double)(d - radius)), 4e-12);
      EXPECT_NEAR(length(found.on_a - found.on_b), found.distance, 1e-11);
    }
  }
  EXPECT_GT(touching, 1000);
}

TEST(Curved, ExactTangencies) {
  const Curved cylinder = curved_of(Cylinder{{0, 0, 0}, {0, 0, 10}, 3}, nullptr);
  // Side: sqrt(3^2 + 4^2) = 5 = 3 + 2.
  EXPECT_TRUE(within(cylinder, ball({3, 4, 5}, 2)));
  EXPECT_FALSE(within(cylinder, ball({3, 4, 5}, std::nextafter(2.0, 0))));
  EXPECT_FALSE(within(cylinder, ball({3, std::nextafter(4.0, 5), 5}, 2)));
  EXPECT_TRUE(within(cylinder, ball({3, 4, 5}, 0), 2));
  // Rim: (3 + 3, z + 4) at distance 5.
  EXPECT_TRUE(within(cylinder, ball({6, 0, 14}, 5)));
  EXPECT_FALSE(within(cylinder, ball({6, 0, 14}, std::nextafter(5.0, 0))));
  EXPECT_TRUE(within(cylinder, ball({6, 0, -4}, 5)));
  EXPECT_FALSE(within(cylinder, ball({6, 0, std::nextafter(-4.0, -5)}, 5)));
  const Curved cone = curved_of(Cone{{0, 0, 0}, {0, 0, 4}, 3}, nullptr);
  // Slanted side: normal (4, 3) / 5; the point 5 out from the middle (1.5, 2) of the slant.
  EXPECT_TRUE(within(cone, ball({5.5, 0, 5}, 5)));
  EXPECT_FALSE(within(cone, ball({5.5, 0, 5}, std::nextafter(5.0, 0))));
  EXPECT_TRUE(within(cone, ball({0, 0, 4}, 0)));
  EXPECT_FALSE(within(cone, ball({0, 0, std::nextafter(4.0, 5)}, 0)));
  EXPECT_TRUE(within(cone, ball({1.5, 0, 2}, 0)));
  EXPECT_FALSE(within(cone, ball({std::nextafter(1.5, 2), 0, 2}, 0)));
  EXPECT_TRUE(within(cone, ball({0, 3, 0}, 0)));
  EXPECT_FALSE(within(cone, ball({0, 3, -0x1p-1074}, 0)));
  for (const TruncatedCone& t : {TruncatedCone{{0, 0, 0}, {0, 0, 4}, 5, 2}, TruncatedCone{{0, 0, 4}, {0, 0, 0}, 2, 5}}) {
    const Curved truncated = curved_of(t, nullptr);
    for (const Vec3& center : {Vec3(7.5, 0, 5), Vec3(8, 0, -4), Vec3(5, 0, 8), Vec3(-1, 0, 9), Vec3(0, 4, -5)}) {  // the side, both rims, both ends
      EXPECT_TRUE(within(truncated, ball(center, 5)));
      EXPECT_FALSE(within(truncated, ball(center, std::nextafter(5.0, 0))));
    }
    EXPECT_TRUE(within(truncated, ball({2, 0, 4}, 0)));
    EXPECT_FALSE(within(truncated, ball({std::nextafter(2.0, 3), 0, 4}, 0)));
    EXPECT_TRUE(within(truncated, ball({3.5, 0, 2}, 0)));
    EXPECT_FALSE(within(truncated, ball({std::nextafter(3.5, 4), 0, 2}, 0)));
    EXPECT_FALSE(within(truncated, ball({0, 0, -0x1p-1074}, 0)));
  }
  const Curved ellipsoid = curved_of(Ellipsoid{{1, 1, 1}, {3, 4, 5}}, nullptr);
  EXPECT_TRUE(within(ellipsoid, ball({4, 1, 1}, 0)));
  EXPECT_FALSE(within(ellipsoid, ball({std::nextafter(4.0, 5), 1, 1}, 0)));
  EXPECT_TRUE(within(ellipsoid, convex_set_of(Plane{{4, 0, 0}, {2, 0, 0}}, nullptr)));
  EXPECT_FALSE(within(ellipsoid, convex_set_of(HalfSpace{{std::nextafter(4.0, 5), 0, 0}, {-1, 0, 0}}, nullptr)));
  EXPECT_TRUE(within(ellipsoid, convex_set_of(HalfSpace{{4, 0, 0}, {-1, 0, 0}}, nullptr)));
  EXPECT_TRUE(within(ellipsoid, convex_set_of(Box{{-9, 5, -9}, {9, 7, 9}}, nullptr)));
  EXPECT_FALSE(within(ellipsoid, convex_set_of(Box{{-9, std::nextafter(5.0, 6), -9}, {9, 7, 9}}, nullptr)));
  EXPECT_TRUE(within(ellipsoid, convex_set_of(Line{{0, 1, 6}, {1, 0, 0}}, nullptr)));
  EXPECT_FALSE(within(ellipsoid, convex_set_of(Ray{{1, 1, std::nextafter(6.0, 7)}, {0, 1, 0}}, nullptr)));
}

TEST(Curved, ExactAgainstPlanes) {
  const Curved cylinder = curved_of(Cylinder{{0, 0, 0}, {0, 0, 10}, 5}, nullptr);
  // Normal (3, 0, 4): the disc extends 5 * 3 = 15 in n . x.
  EXPECT_TRUE(within(cylinder, convex_set_of(Plane{{-5, 0, 0}, {3, 0, 4}}, nullptr)));
  EXPECT_FALSE(within(cylinder, convex_set_of(Plane{{std::nextafter(-5.0, -6), 0, 0}, {3, 0, 4}}, nullptr)));
  EXPECT_FALSE(within(cylinder, convex_set_of(HalfSpace{{std::nextafter(-5.0, -6), 0, 0}, {3, 0, 4}}, nullptr)));
  EXPECT_TRUE(within(cylinder, convex_set_of(HalfSpace{{55, 0, 0}, {3, 0, 4}}, nullptr)));
  EXPECT_TRUE(within(cylinder, convex_set_of(Plane{{5, 0, 10}, {3, 0, 4}}, nullptr)));
  EXPECT_FALSE(within(cylinder, convex_set_of(Plane{{std::nextafter(5.0, 6), 0, 10}, {3, 0, 4}}, nullptr)));
  const Curved cone = curved_of(Cone{{0, 0, 0}, {0, 0, 10}, 5}, nullptr);
  EXPECT_TRUE(within(cone, convex_set_of(Plane{{0, 0, 10}, {0, 0, 1}}, nullptr)));
  EXPECT_FALSE(within(cone, convex_set_of(Plane{{0, 0, std::nextafter(10.0, 11)}, {0, 0, -1}}, nullptr)));
  EXPECT_TRUE(within(cone, convex_set_of(Plane{{-5, 0, 0}, {3, 0, 4}}, nullptr)));
  const Curved truncated = curved_of(TruncatedCone{{0, 0, 0}, {0, 0, 4}, 5, 2}, nullptr);
  EXPECT_TRUE(within(truncated, convex_set_of(Plane{{5, 0, 0}, {4, 0, 3}}, nullptr)));
  EXPECT_FALSE(within(truncated, convex_set_of(Plane{{std::nextafter(5.0, 6), 0, 0}, {4, 0, 3}}, nullptr)));
  EXPECT_TRUE(within(truncated, convex_set_of(HalfSpace{{2, 0, 4}, {-4, 0, -3}}, nullptr)));
  EXPECT_FALSE(within(truncated, convex_set_of(HalfSpace{{std::nextafter(2.0, 3), 0, 4}, {-4, 0, -3}}, nullptr)));
  PlaneForm f;
  for (const Vec3& n : {Vec3(1, 2, 3), Vec3(0, 0, -2), Vec3(-1, 0, 0), Vec3(0, 5, 0), Vec3(3, -3, 3), Vec3(0, 1, -7)}) {
    ASSERT_TRUE(is_plane(convex_set_of(HalfSpace{{1, 2, 3}, n}, nullptr), f));
    EXPECT_EQ(f.normal, n);
    EXPECT_TRUE(f.solid);
    ASSERT_TRUE(is_plane(convex_set_of(Plane{{1, 2, 3}, n}, nullptr), f));
    EXPECT_FALSE(f.solid);
    EXPECT_TRUE(f.normal == n || f.normal == -n);
  }
}

Curved random_curved(test::Random& r, double size, const Pose* pose, double flat = 1) {
  switch (r.below(4)) {
    case 0:
      return curved_of(Cylinder{r.point(-size, size), r.point(-size, size), r.real(0.05, 1) * size * flat}, pose);
    case 1:
      return curved_of(Cone{r.point(-size, size), r.point(-size, size), r.real(0.05, 1) * size * flat}, pose);
    case 2:
      return curved_of(TruncatedCone{r.point(-size, size), r.point(-size, size), r.real(0.05, 1) * size * flat, r.real(0.05, 1) * size * flat}, pose);
    default:
      return curved_of(Ellipsoid{r.point(-size, size), Vec3(r.real(0.1, 1) * flat, r.real(0.1, 1), r.real(0.1, 1)) * size}, pose);
  }
}

ConvexSet random_convex_set(test::Random& r, double size) {
  switch (r.below(9)) {
    case 0:
      return convex_set_of(Segment{r.point(-size, size), r.point(-size, size)}, nullptr);
    case 1:
      return convex_set_of(Ray{r.point(-size, size), r.point(-size, size)}, nullptr);
    case 2:
      return convex_set_of(Line{r.point(-size, size), r.point(-size, size)}, nullptr);
    case 3:
      return convex_set_of(Plane{r.point(-size, size), r.point(-size, size)}, nullptr);
    case 4:
      return convex_set_of(HalfSpace{r.point(-size, size), r.point(-size, size)}, nullptr);
    case 5:
      return convex_set_of(Triangle{{r.point(-size, size), r.point(-size, size), r.point(-size, size)}}, nullptr);
    case 6:
      return convex_set_of(Capsule{r.point(-size, size), r.point(-size, size), r.real(0, size * 0.3)}, nullptr);
    case 7:
      return convex_set_of(Sphere{r.point(-size, size), r.real(0, size)}, nullptr);
    default: {
      const Pose p = r.pose(size);
      return convex_set_of(Box{{-size * 0.3, -size * 0.2, -size * 0.4}, {size * 0.1, size * 0.5, size * 0.2}}, &p);
    }
  }
}

/// The dual bound by cutting planes alone: an independent method for the distance.
double distance_by_cuts(const Operand& a, const Operand& b) {
  const LocalPair pair(a, b, 0);
  Nearby<TwoDouble> nothing;
  nothing.low = 0;
  const TwoDouble d = bound_by_cuts(pair, nothing, 8, 0x1p-46, nullptr);
  return pair.length_in_world(d - pair.reach());
}

TEST(Curved, DistanceAgreesWithCuttingPlanes) {
  test::Random r(7);
  int apart = 0;
  for (int i = 0; i < 600; ++i) {
    const Pose pose = r.pose(2);
    const Curved c = random_curved(r, 1, &pose), e = random_curved(r, 1, nullptr);
    const ConvexSet convex = random_convex_set(r, 2);
    const double d = closest(c, convex).distance, expected = distance_by_cuts(c, convex);
    const double scale = convex.bounded() ? 1 : 1e3;  // the cuts apply to the truncated cone
    EXPECT_NEAR(d, std::max(expected, 0.0), 1e-11 * scale) << i;
    const double d2 = closest(c, e).distance;
    EXPECT_NEAR(d2, std::max(distance_by_cuts(c, e), 0.0), 1e-11) << i;
    apart += d > 0;
    apart += d2 > 0;
  }
  EXPECT_GT(apart, 200);
}

/// Greatest n . x over a shape, less that of its place, in long doubles.
long double height_of(const Curved& c, const Vec3& n) {
  using Real = long double;
  if (const ConvexSet* set = c.convex()) {
    Real most = -1e300L;
    for (std::uint32_t i = 0; i < set->points; ++i) {
      const Vec3 p = set->base(i);
      most = std::max(most, (Real)n.x * p.x + (Real)n.y * p.y + (Real)n.z * p.z);
    }
    for (std::uint32_t k = 0; k < set->segments; ++k) {
      const Vec3& v = set->segment[k];
      const Real along = (Real)n.x * v.x + (Real)n.y * v.y + (Real)n.z * v.z;
      most += std::max(along * set->lo[k], along * set->hi[k]);
    }
    return most + set->radius * std::sqrt((Real)n.x * n.x + (Real)n.y * n.y + (Real)n.z * n.z);
  }
  if (const auto* e = std::get_if<CurvedEllipsoid>(&c.shape)) {
    Real sum = 0;
    for (int k = 0; k < 3; ++k) {
      const Real t = e->radii[k] * ((Real)n.x * e->axis[k].x + (Real)n.y * e->axis[k].y + (Real)n.z * e->axis[k].z);
      sum += t * t;
    }
    return (Real)n.x * e->center.x + (Real)n.y * e->center.y + (Real)n.z * e->center.z + std::sqrt(sum);
  }
  return c.visit([&]<class K>(const K& kind) -> Real {
    if constexpr (std::is_base_of_v<HullOfDiscs, K>) {
      const Real dx = (Real)kind.b.x - kind.a.x, dy = (Real)kind.b.y - kind.a.y, dz = (Real)kind.b.z - kind.a.z;
      const Real cx = n.y * dz - n.z * dy, cy = n.z * dx - n.x * dz, cz = n.x * dy - n.y * dx;
      const Real tilt = std::sqrt((cx * cx + cy * cy + cz * cz) / (dx * dx + dy * dy + dz * dz));
      const Real at_a = (Real)n.x * kind.a.x + (Real)n.y * kind.a.y + (Real)n.z * kind.a.z;
      return std::max(at_a + kind.radius_a * tilt, at_a + (n.x * dx + n.y * dy + n.z * dz) + kind.radius_b * tilt);
    } else {
      return 0;
    }
  });
}

/// Curved shapes, balls, boxes, capsules and triangles of very different sizes and proportions.
Curved any_shape(test::Random& r, double size, const Pose& pose) {
  const double flat = r.below(3) ? 1 : std::exp2(-r.real(0, 24));
  switch (r.below(8)) {
    case 0:
      return {convex_set_of(Sphere{r.point(-size, size), r.real(0.1, 1) * size}, &pose)};
    case 1:
      return {convex_set_of(Box{Vec3(-size, -flat * size, -0.5 * size), Vec3(0.3 * size, flat * size, size)}, &pose)};
    case 2:
      return {convex_set_of(Capsule{r.point(-size, size), r.point(-size, size), 0.2 * size * flat}, &pose)};
    case 3:
      return {convex_set_of(Triangle{{r.point(-size, size), r.point(-size, size), r.point(-size, size)}}, &pose)};
    default:
      return random_curved(r, size, &pose, flat);
  }
}
double extent_of(const Curved& c) {
  if (c.convex()) return 0;
  const Ends ends = c.ends();
  return std::max({c.largest_radius(), std::fabs(ends.b.x - ends.a.x), std::fabs(ends.b.y - ends.a.y), std::fabs(ends.b.z - ends.a.z)});
}
ConvexClosest closest_of(const Curved& a, const Curved& b) { return b.convex() ? closest(a, *b.convex()) : closest(a, b); }
bool meets(const Curved& a, const Curved& b, double extra) { return b.convex() ? within(a, *b.convex(), extra) : within(a, b, extra); }

/// The plane between the witnesses bounds the distance from below, and the witnesses, which lie in the shapes, from above.
TEST(Curved, DistancesHoldFromBothSides) {
  test::Random r(17);
  int apart = 0, needles = 0;
  for (int i = 0; i < 6000; ++i) {
    const double ratio = i % 2 ? 1 : std::exp2(r.real(-20, 20)), reach = (1 + ratio) * std::exp2(r.real(-2, 7));
    const Pose pose = r.pose(reach), other = r.pose(1);
    const Curved a = any_shape(r, 1, other), b = any_shape(r, ratio, pose);
    if (a.convex()) continue;
    const ConvexClosest c = closest_of(a, b);
    EXPECT_EQ(c.distance == 0, meets(a, b, 0)) << i;
    if (c.distance == 0) continue;
    ++apart;
    const double extent = std::max(extent_of(a), extent_of(b));
    const long double slack = 0x1p-40L * extent + 0x1p-52L * (std::fabs(c.on_a.x) + std::fabs(c.on_a.y) + std::fabs(c.on_a.z) + c.distance) * 4;
    needles += b.convex() == nullptr && extent_of(b) < 1e-3;
    const Vec3 n = c.on_b - c.on_a;
    const long double low = (-height_of(a, n) - height_of(b, -n)) / std::sqrt((long double)n.x * n.x + (long double)n.y * n.y + (long double)n.z * n.z);
    // The direction between the witnesses is not exactly that of the plane which proves the distance.
    if (c.distance > 1e-3 * extent) {
      EXPECT_NEAR((double)(c.distance - low), 0, (double)(3 * slack + 1e-9L * (1 + ratio))) << i;
    }
    EXPECT_NEAR(length(n), c.distance, (double)slack) << i;
    EXPECT_TRUE(meets(a, {convex_point(c.on_a)}, (double)(2 * slack))) << i;
    if (!b.convex()) {
      EXPECT_TRUE(meets(b, {convex_point(c.on_b)}, (double)(2 * slack))) << i;
    }
    EXPECT_TRUE(meets(a, b, c.distance + (double)slack)) << i;
    if (c.distance > 2 * slack) {
      EXPECT_FALSE(meets(a, b, c.distance - (double)(2 * slack))) << i;
    }
  }
  EXPECT_GT(apart, 2000);
  EXPECT_GT(needles, 20);
}

TEST(Curved, SymmetricAndConsistent) {
  test::Random r(3);
  for (int i = 0; i < 5000; ++i) {
    const double scale = std::ldexp(1.0, r.below(660) - 330), flat = r.below(4) ? 1 : 1e-6;
    const Pose pose = r.pose(scale);
    const Curved a = random_curved(r, scale, r.below(2) ? &pose : nullptr, flat), b = random_curved(r, scale, nullptr, r.below(2) ? 1 : flat);
    const ConvexClosest ab = closest(a, b), ba = closest(b, a);
    EXPECT_EQ(ab.distance, ba.distance);
    EXPECT_EQ(ab.on_a, ba.on_b);
    EXPECT_EQ(ab.on_b, ba.on_a);
    EXPECT_EQ(within(a, b), within(b, a));
    EXPECT_EQ(within(a, b), ab.distance == 0);
    if (ab.distance > 0) {
      EXPECT_NEAR(length((ab.on_a - ab.on_b) / scale), ab.distance / scale, 1e-11);
      EXPECT_TRUE(within(a, b, ab.distance * (1 + 1e-9) + scale * 1e-11));
      EXPECT_FALSE(within(a, b, ab.distance * (1 - 1e-9) - scale * 1e-11 < 0 ? 0 : ab.distance * (1 - 1e-9) - scale * 1e-11));
    }
  }
}

TEST(Curved, NearlyTouchingIsDecidedWithinTheBound) {
  // Two ellipsoids moved almost into contact: the answer flips inside the bound.
  test::Random r(11);
  for (int i = 0; i < 300; ++i) {
    const double flat = i % 3 ? 1 : 1e-6;
    const Pose pose = r.pose(3);
    const Curved a = random_curved(r, 1, &pose, flat), b = random_curved(r, 1, nullptr, i % 2 ? 1 : flat);
    const ConvexClosest c = closest(a, b);
    if (c.distance < 0.01) continue;
    const Vec3 gap = c.on_b - c.on_a;
    for (double rest : {1e-11, -1e-11}) {
      const Curved moved = graze::moved(a, gap * (1 - rest / c.distance));
      if (a.convex()) continue;
      const auto is_cone = [](const Curved& s) { return std::holds_alternative<CurvedCone>(s.shape); };
      if (rest < 0 && (is_cone(a) || is_cone(b))) continue;  // sharp tips may pass each other
      EXPECT_EQ(within(moved, b), rest < 0) << i << " " << rest;
      const double d = closest(moved, b).distance;
      EXPECT_NEAR(d, std::max(rest, 0.0), 4e-12) << i;
    }
  }
}

TEST(Curved, DegenerateShapes) {
  EXPECT_TRUE(curved_of(Cylinder{{0, 0, 0}, {1, 0, 0}, 0}, nullptr).convex());
  EXPECT_TRUE(curved_of(Ellipsoid{{0, 0, 0}, {2, 2, 2}}, nullptr).convex());
  const Curved segment = curved_of(Ellipsoid{{0, 0, 0}, {0, 3, 0}}, nullptr);
  EXPECT_TRUE(within(segment, ball({0, 3, 0}, 0)));
  EXPECT_FALSE(within(segment, ball({0, std::nextafter(3.0, 4), 0}, 0)));
  const Curved disc = curved_of(Ellipsoid{{0, 0, 0}, {2, 3, 0}}, nullptr);
  EXPECT_FALSE(within(disc, ball({0, 0, 1e-3}, 0)));
  EXPECT_TRUE(within(disc, ball({1, 1, 1e-3}, 1.0001e-3)));
  EXPECT_NEAR(closest(disc, ball({0, 7, 3}, 0)).distance, 5, 1e-11);
  EXPECT_TRUE(within(disc, curved_of(Cylinder{{-1, 3, -5}, {1, 3, 5}, 0.5}, nullptr)));
  EXPECT_TRUE(within(curved_of(Ellipsoid{{0, 0, 0}, {1, 1e6, 1e-6}}, nullptr), convex_set_of(Segment{{0, 9e5, -1}, {0, 9e5, 1}}, nullptr)));
  // Coaxial, touching by their ends; and equal shapes.
  const Curved lower = curved_of(Cylinder{{0, 0, 0}, {0, 0, 1}, 1}, nullptr), upper = curved_of(Cylinder{{0, 0, 1}, {0, 0, 2}, 0.3}, nullptr);
  EXPECT_TRUE(within(lower, upper));
  EXPECT_TRUE(within(lower, lower));
  EXPECT_EQ(closest(lower, lower).distance, 0);
  EXPECT_FALSE(within(lower, curved_of(Cylinder{{0, 0, 1 + 1e-11}, {0, 0, 2}, 0.3}, nullptr)));
  // Side by side, parallel.
  EXPECT_TRUE(within(lower, curved_of(Cylinder{{2, 0, -1}, {2, 0, 4}, 1}, nullptr)));
  EXPECT_FALSE(within(lower, curved_of(Cylinder{{2 + 1e-11, 0, -1}, {2 + 1e-11, 0, 4}, 1}, nullptr)));
}

TEST(Curved, FarFromTheOriginAndHuge) {
  const double far = 1e9;
  const Curved c = curved_of(Cylinder{{far, far, far}, {far, far, far + 2}, 1}, nullptr),
               d = curved_of(Cylinder{{far + 2, far, far}, {far + 2, far, far + 2}, 1}, nullptr);
  EXPECT_TRUE(within(c, d));
  EXPECT_FALSE(within(c, curved_of(Cylinder{{far + 2 + 0x1p-20, far, far}, {far + 2 + 0x1p-20, far, far + 2}, 1}, nullptr)));
  EXPECT_NEAR(closest(c, curved_of(Cylinder{{far + 2 + 0x1p-20, far, far}, {far + 2 + 0x1p-20, far, far + 2}, 1}, nullptr)).distance, 0x1p-20, 2e-12);
  const Curved big = curved_of(Ellipsoid{{0, 0, 0}, {1e300, 2e300, 1e299}}, nullptr), tiny = curved_of(Ellipsoid{{0, 0, 0}, {1e-300, 2e-300, 1e-305}}, nullptr);
  EXPECT_TRUE(within(big, tiny));
  EXPECT_TRUE(within(big, big));
  EXPECT_TRUE(within(tiny, tiny));
  EXPECT_TRUE(within(tiny, ball({2e-300, 0, 0}, 1e-300)));
  EXPECT_FALSE(within(tiny, ball({2.1e-300, 0, 0}, 1e-300)));
  EXPECT_FALSE(within(big, curved_of(Cylinder{{1e308, 1e308, 0}, {1e308, 1e308, 1e307}, 1e307}, nullptr)));
  const Curved widest = curved_of(Cylinder{{-1.7e308, 0, 0}, {1.7e308, 0, 0}, 1.7e308}, nullptr);
  EXPECT_TRUE(within(widest, big));
  EXPECT_TRUE(within(widest, convex_set_of(Plane{{0, 1.6e308, 0}, {1, 1, 1}}, nullptr)));
}

}  // namespace
}  // namespace graze::curved_test
