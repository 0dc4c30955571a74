// Least separating translations: closed forms, verification by the exact decision, minimality (shorter translations must fail), exact reasons, symmetry.
#include "convex/depth/penetration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::penetration_test {
namespace {

using Reason = ConvexPenetration::Reason;
double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }
template <class S>
ConvexSet convex(const S& s) {
  return convex_set_of(s, nullptr);
}

bool meet(const ConvexSet& a, const ConvexSet& b) { return within(a, b, 0); }
bool meet(const Curved& a, const ConvexSet& b) { return within(a, b, 0); }
bool meet(const Curved& a, const Curved& b) { return within(a, b, 0); }

/// The vector separates, no shorter one does, and exchanging the operands negates it.
template <class A, class B>
void expect_minimal(const A& a, const B& b, test::Random& r, double tolerance = 1e-8) {
  const ConvexPenetration p = penetration(a, b), q = penetration(b, a);
  ASSERT_EQ(p.found, q.found);
  ASSERT_EQ(p.reason, q.reason);
  if (!p.found) {
    if (p.reason == Reason::apart)
      EXPECT_FALSE(meet(a, b));
    else
      EXPECT_TRUE(meet(a, b));
    return;
  }
  EXPECT_TRUE(meet(a, b));
  EXPECT_GT(p.depth, 0);
  EXPECT_EQ(p.depth, q.depth);
  EXPECT_EQ(p.vector, Vec3(0, 0, 0) - q.vector);
  EXPECT_NEAR(length(p.normal), 1, 1e-14);
  const double l = length(p.vector);
  EXPECT_LE(l, p.depth * (1 + 1e-9));
  EXPECT_GE(l, p.depth * (1 - 1e-12));
  EXPECT_LE(length(p.vector / l - p.normal), 1e-12);
  EXPECT_FALSE(meet(moved(a, p.vector * (1 + 1e-7)), b));
  EXPECT_TRUE(meet(moved(a, p.vector * (1 - tolerance)), b));
  for (int i = 0; i < 12; ++i) {
    Vec3 u = r.point(-1, 1);
    u = u * (p.depth * (1 - tolerance) / length(u));
    if (i % 2) {
      u = p.normal + u * (0.05 / p.depth);
      u = u * (p.depth * (1 - tolerance) / length(u));
    }
    EXPECT_TRUE(meet(moved(a, u), b));
  }
}

TEST(Penetration, BoxesInClosedForm) {
  const ConvexPenetration p = penetration(convex(Box{{0, 0, 0}, {2, 2, 2}}), convex(Box{{1.5, -5, -5}, {9, 5, 5}}));
  ASSERT_TRUE(p.found);
  EXPECT_DOUBLE_EQ(p.depth, 0.5);
  EXPECT_EQ(p.normal, Vec3(-1, 0, 0));
  EXPECT_NEAR(p.vector.x, -0.5, 1e-9);
  EXPECT_GE(-p.vector.x, 0.5);
  EXPECT_EQ(penetration(convex(Box{{0, 0, 0}, {1, 1, 1}}), convex(Box{{1, 0, 0}, {2, 1, 1}})).reason, Reason::touching);
  EXPECT_EQ(penetration(convex(Box{{0, 0, 0}, {1, 1, 1}}), convex(Box{{1, 1, 1}, {2, 2, 2}})).reason, Reason::touching);
  EXPECT_EQ(penetration(convex(Box{{0, 0, 0}, {1, 1, 1}}), convex(Box{{1.5, 0, 0}, {2, 1, 1}})).reason, Reason::apart);
  // Touching, then overlapping by one unit in the last place.
  const ConvexPenetration tiny = penetration(convex(Box{{0, 0, 0}, {1, 1, 1}}), convex(Box{{std::nextafter(1.0, 0), 0, 0}, {2, 1, 1}}));
  ASSERT_TRUE(tiny.found);
  EXPECT_EQ(tiny.depth, 0x1p-53);
  EXPECT_EQ(tiny.normal, Vec3(-1, 0, 0));
  EXPECT_FALSE(meet(moved(convex(Box{{0, 0, 0}, {1, 1, 1}}), tiny.vector * 1.0000001), convex(Box{{std::nextafter(1.0, 0), 0, 0}, {2, 1, 1}})));
  // Inside far from the origin.
  const ConvexPenetration denormal = penetration(convex(Box{{0, 0, 0}, {1, 1, 1}}), convex(Box{{-1, -1, -1}, {0x1p-1060, 1, 1}}));
  ASSERT_TRUE(denormal.found);
  EXPECT_EQ(denormal.depth, 0x1p-1060);
  EXPECT_GE(denormal.vector.x, 0x1p-1060);
}

TEST(Penetration, RoundShapesInClosedForm) {
  const ConvexPenetration p = penetration(convex(Sphere{{0, 0, 0}, 2}), convex(Sphere{{3, 0, 0}, 1.5}));
  ASSERT_TRUE(p.found);
  EXPECT_DOUBLE_EQ(p.depth, 0.5);
  EXPECT_EQ(p.normal, Vec3(-1, 0, 0));
  EXPECT_EQ(penetration(convex(Sphere{{0, 0, 0}, 2}), convex(Sphere{{3, 0, 0}, 1})).reason, Reason::touching);
  EXPECT_EQ(penetration(convex(Sphere{{0, 0, 0}, 2}), convex(Sphere{{3, 0, 0}, 0.5})).reason, Reason::apart);
  EXPECT_EQ(penetration(convex(Sphere{{0, 0, 0}, 5}), convex(Point{{3, 4, 0}})).reason, Reason::touching);
  const ConvexPenetration same = penetration(convex(Sphere{{1, 1, 1}, 2}), convex(Sphere{{1, 1, 1}, 3}));
  ASSERT_TRUE(same.found);
  EXPECT_DOUBLE_EQ(same.depth, 5);
  const ConvexPenetration in_box = penetration(convex(Sphere{{0.4, 0, 0}, 0.25}), convex(Box{{-1, -2, -2}, {1, 2, 2}}));
  ASSERT_TRUE(in_box.found);
  EXPECT_NEAR(in_box.depth, 0.85, 1e-15);
  EXPECT_NEAR(in_box.normal.x, 1, 1e-15);
  const ConvexPenetration crossing = penetration(convex(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5}), convex(Capsule{{0, -1, 0}, {0, 1, 0}, 0.25}));
  ASSERT_TRUE(crossing.found);
  EXPECT_NEAR(crossing.depth, 0.75, 1e-15);
  EXPECT_EQ(std::fabs(crossing.normal.z), 1);
}

TEST(Penetration, FlatSetsMerelyTouch) {
  const ConvexSet t = convex(Triangle{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}});
  EXPECT_EQ(penetration(t, convex(Triangle{{Vec3(1, 1, 0), Vec3(5, 1, 0), Vec3(1, 5, 0)}})).reason, Reason::touching);
  EXPECT_EQ(penetration(t, convex(Segment{{1, 1, 0}, {1, 1, 3}})).reason, Reason::touching);
  const ConvexPenetration pierced = penetration(t, convex(Segment{{1, 1, -0.25}, {1, 1, 3}}));
  ASSERT_TRUE(pierced.found);
  EXPECT_NEAR(pierced.depth, 0.25, 1e-15);
  EXPECT_EQ(penetration(convex(Segment{{-1, 0, 0}, {1, 0, 0}}), convex(Segment{{0, -1, 0}, {0, 1, 0}})).reason, Reason::touching);
  EXPECT_EQ(penetration(convex(Point{{1, 1, 0}}), t).reason, Reason::touching);
}

TEST(Penetration, Unbounded) {
  const ConvexSet plane = convex(Plane{{0, 0, 0}, {1, 2, 3}});
  EXPECT_EQ(penetration(convex(Line{{0, 0, 0}, {0, 0, 1}}), plane).reason, Reason::unbounded);
  EXPECT_EQ(penetration(convex(Plane{{0, 0, 0}, {1, 0, 0}}), plane).reason, Reason::unbounded);
  EXPECT_EQ(penetration(convex(Plane{{0, 0, 0}, {-2, -4, -6}}), plane).reason, Reason::touching);
  EXPECT_EQ(penetration(convex(Line{{0, 0, 0}, {3, 0, -1}}), plane).reason, Reason::touching);
  EXPECT_EQ(penetration(convex(Line{{0, 0, 0}, {3, 0, std::nextafter(-1.0, 0)}}), plane).reason, Reason::unbounded);
  EXPECT_EQ(penetration(convex(Line{{0, 0, 0}, {3, 0, -1}}), convex(Line{{0, 0, 0}, {1, 1, 1}})).reason, Reason::touching);
  EXPECT_EQ(penetration(convex(HalfSpace{{0, 0, 0}, {0, 0, 1}}), convex(HalfSpace{{0, 0, 0}, {0, 1, 0}})).reason, Reason::unbounded);
  EXPECT_EQ(penetration(convex(HalfSpace{{0, 0, 0}, {0, 0, 1}}), convex(HalfSpace{{0, 0, 0}, {0, 0, 2}})).reason, Reason::unbounded);
  EXPECT_EQ(penetration(convex(HalfSpace{{0, 0, 0}, {0, 0, 1}}), convex(HalfSpace{{0, 0, 0}, {0, 0, -2}})).reason, Reason::touching);
  const ConvexPenetration slab = penetration(convex(HalfSpace{{0, 0, 0.5}, {0, 0, 1}}), convex(HalfSpace{{0, 0, 0}, {0, 0, -2}}));
  ASSERT_TRUE(slab.found);
  EXPECT_DOUBLE_EQ(slab.depth, 0.5);
  EXPECT_EQ(slab.normal, Vec3(0, 0, -1));
  const ConvexPenetration box = penetration(convex(Box{{0, 0, 0}, {1, 1, 1}}), convex(Plane{{0, 0, 0.25}, {0, 0, 5}}));
  ASSERT_TRUE(box.found);
  EXPECT_DOUBLE_EQ(box.depth, 0.25);
  EXPECT_EQ(box.normal, Vec3(0, 0, 1));
  const ConvexPenetration ray = penetration(convex(Ray{{0, 0, 0.5}, {0, 0, 1}}), convex(Box{{-9, -9, 0}, {9, 9, 1}}));
  ASSERT_TRUE(ray.found);
  EXPECT_DOUBLE_EQ(ray.depth, 0.5);
  EXPECT_EQ(ray.normal, Vec3(0, 0, 1));
  const ConvexPenetration line = penetration(convex(Line{{0, 3, 0}, {0, 0, 1}}), convex(Sphere{{0, 0, 0}, 5}));
  ASSERT_TRUE(line.found);
  EXPECT_DOUBLE_EQ(line.depth, 2);
  EXPECT_EQ(penetration(convex(Ray{{0, 0, 0}, {0, 0, -1}}), convex(HalfSpace{{0, 0, 0}, {0, 0, 1}})).reason, Reason::unbounded);
  EXPECT_EQ(penetration(convex(Ray{{0, 0, 0}, {0, 0, 1}}), convex(HalfSpace{{0, 0, 0}, {0, 0, 1}})).reason, Reason::touching);
}

TEST(Penetration, RandomConvexSetsAreMinimal) {
  test::Random r(5);
  const auto any = [&](double scale) -> ConvexSet {
    const Pose pose = r.pose(0.5 * scale);
    switch (r.below(6)) {
      case 0:
        return convex_set_of(Box{{-scale, -scale * 0.5, -scale * 0.1}, {scale * 0.3, scale, scale * 0.4}}, &pose);
      case 1:
        return convex(Triangle{{r.point(-scale, scale), r.point(-scale, scale), r.point(-scale, scale)}});
      case 2:
        return convex(Capsule{r.point(-scale, scale), r.point(-scale, scale), r.real(0, 0.5) * scale});
      case 3:
        return convex(OrientedBox{r.point(-scale, scale), {r.point(-1, 1), r.point(-1, 1), r.point(-1, 1)}, Vec3(0.5, 0.5, 1e-3) * scale});
      case 4:
        return convex(Segment{r.point(-scale, scale), r.point(-scale, scale)});
      default:
        return convex(Sphere{r.point(-scale, scale), r.real(0, 1) * scale});
    }
  };
  int found = 0;
  for (int i = 0; i < 1500; ++i) {
    const double scale = i % 3 ? 1 : std::ldexp(1.0, r.below(600) - 300);
    const ConvexSet a = any(scale), b = any(scale);
    SCOPED_TRACE(i);
    expect_minimal(a, b, r);
    found += penetration(a, b).found;
  }
  EXPECT_GT(found, 400);
}

/// Least h(m) over many directions, each refined by descent in small steps: no value may be below the depth.
template <class A, class B>
double least_height(const A& a, const B& b, test::Random& r) {
  const Operand oa(a), ob(b);
  const LocalPair pair(oa, ob, 0);
  const auto height = [&](V3<double> m) {
    const double l = std::sqrt(dot(m, m));
    m = {m.x / l, m.y / l, m.z / l};
    return dot(m, pair.farthest(0, m) - pair.farthest(1, -m)) + rounded(pair.reach());
  };
  V3<double> best{1, 0, 0};
  double least = 1e9;
  for (int i = 0; i < 400; ++i) {
    const Vec3 p = r.point(-1, 1);
    const double h = height({p.x, p.y, p.z});
    if (h < least) {
      least = h;
      best = {p.x, p.y, p.z};
    }
  }
  for (double step = 0.3; step > 1e-7; step *= 0.97) {
    const Vec3 p = r.point(-step, step);
    const double h = height(best + V3<double>{p.x, p.y, p.z});
    if (h < least) {
      least = h;
      best = best + V3<double>{p.x, p.y, p.z};
    }
  }
  return pair.length_in_world(least);
}

TEST(Penetration, NoDirectionIsShallower) {
  test::Random r(15);
  int found = 0;
  for (int i = 0; i < 1000; ++i) {
    const Pose p = r.pose(0.7), q = r.pose(0.7);
    const ConvexSet box = convex_set_of(Box{{-1, -0.5, -0.7}, {0.3, 1, 0.4}}, &p), other = convex_set_of(Box{{-1, -1, -1}, {1, 0.1, 1}}, &q),
                    capsule = convex(Capsule{r.point(-1, 1), r.point(-1, 1), 0.4});
    const Curved cylinder = curved_of(Cylinder{{0, 0, -1}, {0.3, 0, 1}, 0.6}, &p), ellipsoid = curved_of(Ellipsoid{{0, 0, 0}, {0.5, 1, 0.7}}, &q);
    SCOPED_TRACE(i);
    const auto check = [&](const auto& a, const auto& b) {
      const ConvexPenetration d = penetration(a, b);
      if (!d.found) return;
      ++found;
      const double least = least_height(a, b, r);
      EXPECT_GE(least, d.depth * (1 - 1e-9)) << d.depth - least;
    };
    check(box, other);
    check(box, capsule);
    check(other, convex(Triangle{{r.point(-1, 1), r.point(-1, 1), r.point(-1, 1)}}));
    check(cylinder, other);
    check(cylinder, ellipsoid);
    check(ellipsoid, capsule);
  }
  EXPECT_GT(found, 600);
}

TEST(Penetration, Hulls) {
  test::Random r(6);
  for (int i = 0; i < 60; ++i) {
    std::vector<Vec3> p, q;
    for (int k = 0; k < 5 + i; ++k) p.push_back(r.point(-1, 1));
    for (int k = 0; k < 25; ++k) q.push_back(r.point(-1, 1) + Vec3(1, 0.2, 0));
    const Hull a(p), b(q);
    SCOPED_TRACE(i);
    expect_minimal(convex(a), convex(b), r);
    expect_minimal(convex(a), convex(Box{{0.2, -3, -3}, {4, 5, 5}}), r);
    expect_minimal(convex(a), convex(HalfSpace{{-0.3, 0, 0}, {1, 1, 1}}), r);
  }
}

TEST(Penetration, Curved) {
  test::Random r(8);
  int found = 0;
  const auto any = [&](const Pose* pose) {
    switch (r.below(4)) {
      case 0:
        return curved_of(Cylinder{r.point(-1, 1), r.point(-1, 1), r.real(0.1, 1)}, pose);
      case 1:
        return curved_of(Cone{r.point(-1, 1), r.point(-1, 1), r.real(0.1, 1)}, pose);
      case 2:
        return curved_of(TruncatedCone{r.point(-1, 1), r.point(-1, 1), r.real(0.1, 1), r.real(0.1, 1)}, pose);
      default:
        return curved_of(Ellipsoid{r.point(-1, 1), {r.real(0.1, 1), r.real(0.1, 1), r.real(0.1, 1)}}, pose);
    }
  };
  for (int i = 0; i < 250; ++i) {
    const Pose pose = r.pose(0.3);
    const Curved a = any(&pose), b = any(nullptr);
    SCOPED_TRACE(i);
    expect_minimal(a, b, r, 1e-6);
    expect_minimal(a, convex(Box{{-0.5, -0.5, -0.5}, {0.5, 1, 0.5}}), r, 1e-6);
    expect_minimal(a, convex(Capsule{{-0.5, -0.5, -0.5}, {0.5, 1, 0.5}, 0.2}), r, 1e-6);
    expect_minimal(a, convex(HalfSpace{{-0.5, -0.5, -0.5}, {0.5, 1, 0.5}}), r, 1e-6);
    expect_minimal(a, convex(Line{{-0.1, 0, 0}, {0.5, 1, 0.5}}), r, 1e-6);
    found += penetration(a, b).found;
  }
  EXPECT_GT(found, 50);
}

TEST(Penetration, CurvedInClosedForm) {
  const Curved cylinder = curved_of(Cylinder{{0, 0, 0}, {0, 0, 10}, 3}, nullptr);
  const ConvexPenetration p = penetration(cylinder, convex(Sphere{{4, 0, 5}, 2}));
  ASSERT_TRUE(p.found);
  EXPECT_NEAR(p.depth, 1, 1e-12);
  EXPECT_NEAR(p.normal.x, -1, 1e-9);
  const ConvexPenetration plane = penetration(curved_of(Ellipsoid{{1, 1, 1}, {3, 4, 5}}, nullptr), convex(HalfSpace{{0, 0, -2}, {0, 0, 1}}));
  ASSERT_TRUE(plane.found);
  EXPECT_NEAR(plane.depth, 2, 1e-12);
  EXPECT_EQ(plane.normal, Vec3(0, 0, 1));
  const ConvexPenetration coaxial = penetration(cylinder, curved_of(Cylinder{{0, 0, 9}, {0, 0, 12}, 2}, nullptr));
  ASSERT_TRUE(coaxial.found);
  EXPECT_NEAR(coaxial.depth, 1, 1e-11);
  const ConvexPenetration within_each_other = penetration(cylinder, curved_of(Cylinder{{0, 0, -20}, {0, 0, 20}, 2}, nullptr));
  ASSERT_TRUE(within_each_other.found);
  EXPECT_NEAR(within_each_other.depth, 5, 1e-4);
  EXPECT_EQ(penetration(cylinder, convex(Sphere{{5, 0, 5}, 2})).reason, Reason::touching);
  EXPECT_EQ(penetration(cylinder, convex(Plane{{0, 0, 0}, {0, 0, 1}})).reason, Reason::touching);
}

}  // namespace
}  // namespace graze::penetration_test
