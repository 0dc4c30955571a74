// Containment with curved shapes: the largest scale at which one shape fits into another against support functions in many directions, ties that users make,
// and exact answers one unit in the last place beside them.
#include "convex/containment/curved_containment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::curved_containment_test {
namespace {

using test::Random;

/// A convex set or a curved shape, with what it refers to.
struct Set {
  std::optional<ConvexSet> convex;
  std::optional<Curved> curved;
  Operand operand() const { return convex ? Operand(*convex) : Operand(*curved); }
};
Set set_of(ConvexSet c) { return {c, {}}; }
Set set_of(Curved c) { return {{}, c}; }

bool is_subset(const Set& a, const Set& b) {
  if (a.curved) return b.curved ? graze::is_subset(*a.curved, *b.curved) : graze::is_subset(*a.curved, *b.convex);
  return graze::is_subset(*a.convex, *b.curved);
}

constexpr int kKindsOfShapes = 9, kCurvedKinds = 4;
constexpr const char* kNames[] = {"cylinder", "cone", "truncated cone", "ellipsoid", "sphere", "capsule", "box", "wedge", "half-space"};

/// Numbers of a shape around the origin, which it contains, and no smaller than a ball of radius 0.15 there.
struct Numbers {
  int kind;
  Vec3 axis, radii;
  Pose pose;
  Numbers(Random& r, int k, double shift) : kind(k), axis(r.point(-1, 1)), radii(r.real(.2, 1), r.real(.2, 1), r.real(.2, 1)), pose(r.pose(shift)) {
    axis = axis * ((0.3 + radii.z) / std::sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z));
    if (r.integer(0, 3) == 0) pose = translation(pose.translation);
    if (r.integer(0, 3) == 0) radii.y = radii.x;
    if (r.integer(0, 3) == 0) axis = Vec3(0, 0, 0.3 + radii.z);
  }
  Set at_scale(double s) const {
    const Vec3 a = -s * axis, b = s * axis, r = s * radii;
    switch (kind) {
      case 0:
        return set_of(curved_of(Cylinder{a, b, r.x}, &pose));
      case 1:
        return set_of(curved_of(Cone{a, b, 2 * r.x}, &pose));
      case 2:
        return set_of(curved_of(TruncatedCone{a, b, r.x, r.y}, &pose));
      case 3:
        return set_of(curved_of(Ellipsoid{Vec3(0, 0, 0), r}, &pose));
      case 4:
        return set_of(convex_set_of(Sphere{Vec3(0, 0, 0), r.x}, &pose));
      case 5:
        return set_of(convex_set_of(Capsule{a, b, r.x}, &pose));
      case 6:
        return set_of(convex_set_of(Box{-r, r}, &pose));
      case 7:
        return set_of(convex_set_of(Wedge{s * Vec3(-1, -1, -1), {s * Vec3(3, 0, 0.5), s * Vec3(0, 3, 0), s * Vec3(0.25, 0, 2)}}, &pose));
      default:
        return set_of(convex_set_of(HalfSpace{0.5 * b, axis}, &pose));
    }
  }
};

/// How far a leaves b in a direction: the difference of the support functions, in the local frame of the pair.
double excess(const LocalPair& pair, const V3<double>& n) {
  return dot(n, pair.farthest(0, n) - pair.farthest(1, n)) / std::sqrt(dot(n, n)) + rounded(pair.radius(0) - pair.radius(1));
}

/// Normals of the smooth pieces of b's surface where its support function has a kink: of faces, or of a cone at an angle around the axis.
template <class F>
void for_each_normal(const Set& b, double angle, const F& f) {
  const auto around = [&](const Vec3& from, const Vec3& to, double taper) {
    const Vec3 d = to - from;
    const double length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    const V3<double> axis{d.x / length, d.y / length, d.z / length}, across = std::fabs(axis.x) < 0.6 ? V3<double>{1, 0, 0} : V3<double>{0, 1, 0};
    V3<double> u = cross(axis, across);
    u = (1 / std::sqrt(dot(u, u))) * u;
    f(axis);
    f(-axis);
    f((length * std::cos(angle)) * u + (length * std::sin(angle)) * cross(axis, u) + taper * axis);
  };
  if (b.convex) {
    if (b.convex->points == 2 && b.convex->radius > 0) around(b.convex->base(0), b.convex->base(1), 0);
    if (b.convex->radius > 0 || !b.convex->bounded()) return;
    ConvexFaces(*b.convex).for_each([&](const ConvexSet& face) {
      const std::vector<V3<Dyadic>> sides = basis_of(face);
      const V3<Dyadic> n = cross(sides[0], sides[1]);
      for (const double sign : {1.0, -1.0}) f(sign * V3<double>{to_double(n.x), to_double(n.y), to_double(n.z)});
      return true;
    });
    return;
  }
  b.curved->visit([&]<class K>(const K& kind) {
    if constexpr (std::is_same_v<K, CurvedCone>)
      around(kind.a, kind.b, kind.radius);
    else if constexpr (std::is_same_v<K, CurvedTruncatedCone>)
      around(kind.a, kind.b, kind.radius_a - kind.radius_b);
    else if constexpr (std::is_same_v<K, CurvedCylinder>)
      around(kind.a, kind.b, 0);
  });
}

/// The largest that samples and a random search find.
double largest_excess(const Set& a, const Set& b, Random& random) {
  const LocalPair pair(a.operand(), b.operand(), 0);
  double best = -1e300;
  V3<double> at{1, 0, 0};
  const auto test = [&](const V3<double>& n) {
    if (is_zero(n)) return;
    if (const double e = excess(pair, n); e > best) {
      best = e;
      at = (1 / std::sqrt(dot(n, n))) * n;
    }
  };
  const auto near = [&](double size) { return V3<double>{random.real(-size, size), random.real(-size, size), random.real(-size, size)}; };
  double most = -1e300;
  for (int start = 0; start < 6; ++start) {  // there may be several local ones
    most = std::max(most, best);
    best = -1e300;
    for (int k = 0; k < 60; ++k) test(near(1));
    for (double step = 0.3; step > 1e-8; step *= 0.95) test(at + near(step));
  }
  best = std::max(most, best);
  double angle = 0;
  const auto test_angle = [&](double x) {
    const double before = best;
    for_each_normal(b, x, test);
    if (best > before) angle = x;
  };
  for (int k = 0; k < 300; ++k) test_angle(0.02095 * k);
  for (double step = 0.1; step > 1e-8; step *= 0.9) test_angle(angle + random.real(-step, step));
  return best;
}

TEST(CurvedContainment, LargestScaleAgreesWithSupportFunctions) {
  Random random(301);
  for (int round = 0; round < test::rounds(400); ++round) {
    const int kind_a = random.integer(0, kKindsOfShapes - 2), kind_b = kind_a < kCurvedKinds ? random.integer(0, kKindsOfShapes - 1) : random.integer(0, 3);
    const Numbers inner(random, kind_a, 0.05), outer(random, kind_b, 0.05);
    const Set b = outer.at_scale(1);
    const std::string name = std::to_string(round) + ": " + kNames[kind_a] + " in " + kNames[kind_b];
    double lo = 0x1p-10, hi = 16;
    ASSERT_TRUE(is_subset(inner.at_scale(lo), b)) << name;
    ASSERT_FALSE(is_subset(inner.at_scale(hi), b)) << name;
    while (hi - lo > 1e-15 * hi) {
      const double middle = 0.5 * (lo + hi);
      if (!(lo < middle && middle < hi)) break;
      (is_subset(inner.at_scale(middle), b) ? lo : hi) = middle;
    }
    for (const double less : {1e-12, 1e-9, 1e-4, 0.1}) {
      const Set fits = inner.at_scale(lo * (1 - less));
      ASSERT_TRUE(is_subset(fits, b)) << name << " " << less;
      ASSERT_LT(largest_excess(fits, b, random), 1e-13) << name << " " << less;
    }
    for (const double more : {1e-4, 0.1}) {
      const Set leaves = inner.at_scale(lo * (1 + more));
      ASSERT_FALSE(is_subset(leaves, b)) << name << " " << more;
      ASSERT_GT(largest_excess(leaves, b, random), 0) << name << " " << more;
    }
    // a_in_b cannot be lost by making b larger by more than the bound, nor gained by making it smaller
    ASSERT_TRUE(is_subset(inner.at_scale(lo), outer.at_scale(1 + 1e-11))) << name;
    if (kind_b == 8) continue;
    ASSERT_FALSE(is_subset(inner.at_scale(hi), outer.at_scale(1 - 1e-10))) << name;
  }
}

Curved cylinder(const Vec3& a, const Vec3& b, double r, const Pose* pose = nullptr) { return curved_of(Cylinder{a, b, r}, pose); }
Curved ellipsoid(const Vec3& c, const Vec3& radii, const Pose* pose = nullptr) { return curved_of(Ellipsoid{c, radii}, pose); }
ConvexSet ball(const Vec3& c, double r) { return convex_set_of(Sphere{c, r}, nullptr); }

TEST(CurvedContainment, ExactBesideTies) {
  const double above = std::nextafter(1.0, 2), below = std::nextafter(1.0, 0);
  const Curved unit = cylinder({0, 0, 0}, {0, 0, 2}, 1);
  // balls in cylinders
  EXPECT_TRUE(graze::is_subset(ball({0, 0, 1}, 1), unit));
  EXPECT_FALSE(graze::is_subset(ball({0, 0, 1}, above), unit));
  EXPECT_FALSE(graze::is_subset(ball({0, 0, 1}, 1), cylinder({0, 0, 0}, {0, 0, 2}, below)));
  EXPECT_FALSE(graze::is_subset(ball({0, 0, above}, 1), unit));
  EXPECT_FALSE(graze::is_subset(ball({0, 0, below}, 1), unit));
  // parallel axes
  EXPECT_TRUE(graze::is_subset(cylinder({0.5, 0, 0}, {0.5, 0, 2}, 0.5), unit));
  EXPECT_FALSE(graze::is_subset(cylinder({0.5, 0, 0}, {0.5, 0, 2}, std::nextafter(0.5, 1)), unit));
  EXPECT_TRUE(graze::is_subset(cylinder({0, 0, 0}, {0, 0, 2}, below), unit));
  EXPECT_FALSE(graze::is_subset(unit, cylinder({0, 0, 0}, {0, 0, 2}, below)));
  EXPECT_TRUE(graze::is_subset(cylinder({0, 0, 0}, {0, 0, 0.5}, 0.75), curved_of(Cone{{0, 0, 0}, {0, 0, 2}, 1}, nullptr)));
  EXPECT_FALSE(graze::is_subset(cylinder({0, 0, 0}, {0, 0, std::nextafter(0.5, 1)}, 0.75), curved_of(Cone{{0, 0, 0}, {0, 0, 2}, 1}, nullptr)));
  // discs in balls
  EXPECT_TRUE(graze::is_subset(cylinder({0, 0, -3}, {0, 0, 3}, 4), ball({0, 0, 0}, 5)));
  EXPECT_FALSE(graze::is_subset(cylinder({0, 0, -3}, {0, 0, 3}, std::nextafter(4.0, 5)), ball({0, 0, 0}, 5)));
  // linear sets
  const ConvexSet box = convex_set_of(Box{Vec3(-1, -1, 0), Vec3(1, 1, 2)}, nullptr);
  EXPECT_TRUE(graze::is_subset(unit, box));
  EXPECT_FALSE(graze::is_subset(cylinder({0, 0, 0}, {0, 0, 2}, above), box));
  EXPECT_TRUE(graze::is_subset(ellipsoid({0, 0, 1}, {1, 0.5, 1}), box));
  EXPECT_FALSE(graze::is_subset(ellipsoid({0, 0, 1}, {1, 0.5, above}), box));
  // concentric ellipsoids
  EXPECT_TRUE(graze::is_subset(ellipsoid({0, 0, 0}, {1, 2, 3}), ellipsoid({0, 0, 0}, {1, 2, 3})));
  EXPECT_TRUE(graze::is_subset(ellipsoid({0, 0, 0}, {1, 2, 3}), ellipsoid({0, 0, 0}, {above, 2, 3})));
  EXPECT_FALSE(graze::is_subset(ellipsoid({0, 0, 0}, {above, 2, 3}), ellipsoid({0, 0, 0}, {1, 2, 3})));
}

/// Pairs that fit without room: the numbers decide nothing else, and neither do poses, whose rounding is within the bound.
TEST(CurvedContainment, InscribedShapesFitUnderAnyPose) {
  Random random(302);
  for (int round = 0; round < test::rounds(400); ++round) {
    const Pose pose = round == 0 ? Pose{} : random.pose(round % 2 ? 3 : 0.1);
    const double e = round % 4 == 0 ? 0x1p-400 : round % 4 == 1 ? 0x1p400 : 1;
    const auto v = [&](double x, double y, double z) { return e * Vec3(x, y, z); };
    Pose placed = pose;
    placed.translation = e * pose.translation;
    const auto curved = [&](const auto& s) { return curved_of(s, &placed); };
    const Cylinder can{v(0, 0, -1), v(0, 0, 1), e};
    const Capsule capsule{v(0, 0, -1), v(0, 0, 1), e};
    const Sphere sphere{v(0, 0, 0), e};
    const Ellipsoid ball{v(0, 0, 0), v(1, 1, 1)};
    const Cone cone{v(0, 0, -1), v(0, 0, 1), e};
    const ConvexSet in_capsule = convex_set_of(capsule, &placed), in_sphere = convex_set_of(sphere, &placed);
    EXPECT_TRUE(graze::is_subset(curved(can), in_capsule)) << round;
    EXPECT_TRUE(graze::is_subset(curved(ball), curved(can))) << round;
    EXPECT_TRUE(graze::is_subset(curved(cone), curved(can))) << round;
    EXPECT_TRUE(graze::is_subset(curved(Ellipsoid{v(0, 0, 0), v(1, 1, 2)}), in_capsule)) << round;
    EXPECT_TRUE(graze::is_subset(curved(Ellipsoid{v(0, 0, 0), v(1, 0.5, 2)}), in_capsule)) << round;
    EXPECT_FALSE(graze::is_subset(curved(Ellipsoid{v(0, 0, 0), v(1, 1, 2.00001)}), in_capsule)) << round;
    EXPECT_FALSE(graze::is_subset(curved(Ellipsoid{v(0, 0, 0), v(1, 1, 2)}), convex_set_of(Capsule{v(0, 0, -1), v(0, 0, 0.99999), e}, &placed))) << round;
    EXPECT_TRUE(graze::is_subset(curved(ball), in_sphere)) << round;
    EXPECT_TRUE(graze::is_subset(in_sphere, curved(ball))) << round;
    EXPECT_TRUE(graze::is_subset(curved(ball), in_capsule)) << round;
    EXPECT_TRUE(graze::is_subset(curved(Ellipsoid{v(0, 0, -1), v(1, 1, 0.5)}), in_capsule)) << round;  // its equator is the border of cap and side
    // an ellipsoid touches a cone along a circle: radii r, h with h^2 + (2 r)^2 = (height of the tip)^2, here 3/5, 4/5 of 2
    EXPECT_TRUE(graze::is_subset(curved(Ellipsoid{v(0, 0, -1), v(0.8, 0.8, 1.2)}), curved(Cone{v(0, 0, -9), v(0, 0, 1), 5 * e}))) << round;
    EXPECT_FALSE(graze::is_subset(curved(Ellipsoid{v(0, 0, -1), v(0.8, 0.80001, 1.2)}), curved(Cone{v(0, 0, -9), v(0, 0, 1), 5 * e}))) << round;
    // tilted circle in a sphere, through its centre
    EXPECT_TRUE(graze::is_subset(curved(Ellipsoid{v(0, 0, 0), v(1, 1, 0)}), curved(ball))) << round;
    EXPECT_TRUE(graze::is_subset(curved(Cone{v(0, 0, -1), v(0, 0, 0), 2 * e}), curved(TruncatedCone{v(0, 0, -1), v(0, 0, 1), 2 * e, 1e-9 * e}))) << round;
  }
}

/// Thickness or length far below the bound, and partners far larger or smaller.
TEST(CurvedContainment, NeedlesDiscsAndExtremeRatios) {
  for (const double thin : {1e-3, 1e-9, 1e-15, 1e-30, 1e-200}) {
    const Vec3 a(1, 2, 3), b(2, 4, 6), slightly = a + thin * (b - a);
    const Curved needle = cylinder(a, b, thin);
    EXPECT_TRUE(graze::is_subset(needle, needle)) << thin;
    EXPECT_TRUE(graze::is_subset(needle, convex_set_of(Capsule{a, b, 2 * thin}, nullptr))) << thin;
    EXPECT_TRUE(graze::is_subset(needle, cylinder(Vec3(0, 0, 0), Vec3(3, 6, 9), 1))) << thin;
    EXPECT_FALSE(graze::is_subset(needle, cylinder(Vec3(0, 0, 0), Vec3(1.5, 3, 4.5), 1))) << thin;
    EXPECT_FALSE(graze::is_subset(needle, cylinder(Vec3(9, 0, 0), Vec3(9, 6, 9), 1))) << thin;
    EXPECT_FALSE(graze::is_subset(cylinder(Vec3(0, 0, 0), Vec3(3, 6, 9), 1), needle)) << thin;
    EXPECT_TRUE(graze::is_subset(ellipsoid(a, {thin, 1, thin}), ellipsoid(a, {2 * thin, 1, thin}))) << thin;
    EXPECT_TRUE(graze::is_subset(ellipsoid(a, {thin, 1, thin}), ellipsoid(a, {1, 2, 1}))) << thin;
    EXPECT_FALSE(graze::is_subset(ellipsoid(a, {1, 2, 1}), ellipsoid(a, {thin, 1, thin}))) << thin;
    EXPECT_FALSE(graze::is_subset(ball(a, 1), ellipsoid(a, {1, 1, thin}))) << thin;
    if (!(slightly != a)) continue;
    EXPECT_FALSE(graze::is_subset(ball(a, 1), cylinder(a, slightly, 1))) << thin;
    EXPECT_TRUE(graze::is_subset(cylinder(a, slightly, 1), cylinder(a - (b - a), b, 1))) << thin;
  }
  const Curved small = cylinder({1e6, 0, 0}, {1e6, 0, 1e-6}, 1e-6);
  EXPECT_TRUE(graze::is_subset(small, ball({0, 0, 0}, 1.1e6)));
  EXPECT_FALSE(graze::is_subset(small, ball({0, 0, 0}, 1e6)));
  EXPECT_FALSE(graze::is_subset(ball({0, 0, 0}, 1e6), small));
  EXPECT_TRUE(graze::is_subset(small, ellipsoid({1e6, 0, 0}, {1e-5, 1e-5, 1e-5})));
  EXPECT_TRUE(graze::is_subset(ball({0, 0, 0}, 1), ellipsoid({0, 0, 0}, {1e150, 1, 1e-3 + 1})));
}

/// The support function of the axial kinds at a plane that cuts the axis at every angle, in integers: 3-4-5.
TEST(CurvedContainment, ObliqueHalfSpaces) {
  const Vec3 n(3, 0, 4);
  const auto below = [&](const Vec3& p) { return convex_set_of(HalfSpace{p, n}, nullptr); };
  const double step = 0x1p-40;
  // the farthest point of the unit disc about the origin is (1, 0, 0), at height 3; of the ellipsoid (5, 1, 5) / 5: sqrt(9 + 16) / 5 * 5
  EXPECT_TRUE(graze::is_subset(cylinder({0, 0, -2}, {0, 0, 0}, 1), below({1, 0, 0})));
  EXPECT_FALSE(graze::is_subset(cylinder({0, 0, -2}, {0, 0, step}, 1), below({1, 0, 0})));
  EXPECT_TRUE(graze::is_subset(curved_of(Cone{{0, 0, 0}, {0, 0, 0.75}, 1}, nullptr), below({1, 0, 0})));
  EXPECT_FALSE(graze::is_subset(curved_of(Cone{{0, 0, 0}, {0, 0, 0.75 + step}, 1}, nullptr), below({1, 0, 0})));
  EXPECT_TRUE(graze::is_subset(curved_of(TruncatedCone{{0, 0, 0}, {0, 0, -3}, 1, 5}, nullptr), below({1, 0, 0})));
  EXPECT_FALSE(graze::is_subset(curved_of(TruncatedCone{{0, 0, 0}, {0, 0, -3}, 1, 5 + step}, nullptr), below({1, 0, 0})));
  EXPECT_TRUE(graze::is_subset(ellipsoid({0, 0, 0}, {1, 9, 1}), below({1, 0, 0.5})));
  EXPECT_FALSE(graze::is_subset(ellipsoid({0, 0, 0}, {1, 9, 1}), below({1, 0, 0.5 - step})));
}

TEST(CurvedContainment, FlatShapesInFlatSets) {
  const Curved disc = ellipsoid({0, 0, 0}, {2, 1, 0});
  const ConvexSet plane = convex_set_of(Plane{{7, 7, 0}, {0, 0, 1}}, nullptr), other = convex_set_of(Plane{{0, 0, 0}, {0, 1, 1}}, nullptr);
  EXPECT_TRUE(graze::is_subset(disc, plane));
  EXPECT_FALSE(graze::is_subset(disc, other));
  const auto rectangle = [](double x, double y) { return convex_set_of(Box{Vec3(-x, -y, 0), Vec3(x, y, 0)}, nullptr); };
  EXPECT_TRUE(graze::is_subset(disc, rectangle(2, 1)));
  EXPECT_FALSE(graze::is_subset(disc, rectangle(2, std::nextafter(1.0, 0))));
  EXPECT_TRUE(graze::is_subset(disc, convex_set_of(Triangle{Vec3(-9, -1, 0), Vec3(9, -1, 0), Vec3(0, 9, 0)}, nullptr)));
  EXPECT_FALSE(graze::is_subset(disc, convex_set_of(Triangle{Vec3(-9, -0.5, 0), Vec3(9, -1, 0), Vec3(0, 9, 0)}, nullptr)));
  const std::vector<Vec3> points{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {-3, 0, 0}, {0, -3, 0}, {1, 1, 0}, {1.5, 1.5, 0}};
  ConvexSet hull;
  hull.outside = points.data();
  hull.points = static_cast<std::uint32_t>(points.size());
  EXPECT_TRUE(graze::is_subset(disc, hull));  // sqrt(5) / sqrt(2) from its centre to the sides at 3 / sqrt(2)
  EXPECT_FALSE(graze::is_subset(ellipsoid({0, 0, 0}, {3, 1, 0}), hull));
  EXPECT_FALSE(graze::is_subset(disc, convex_set_of(Segment{{-9, 0, 0}, {9, 0, 0}}, nullptr)));
  EXPECT_FALSE(graze::is_subset(disc, convex_set_of(Line{{-9, 0, 0}, {9, 0, 0}}, nullptr)));
  EXPECT_FALSE(graze::is_subset(cylinder({0, 0, 0}, {0, 0, 1}, 1), plane));
}

TEST(CurvedContainment, InnerPoints) {
  const Curved can = cylinder({0, 0, 0}, {0, 0, 2}, 1);
  const auto triangle = [](double z) { return convex_set_of(Triangle{Vec3(-9, -9, z), Vec3(9, -9, z), Vec3(0, 9, z)}, nullptr); };
  EXPECT_FALSE(share_inner_points(can, triangle(0)));
  EXPECT_FALSE(share_inner_points(triangle(2), can));
  EXPECT_TRUE(share_inner_points(can, triangle(1e-9)));
  EXPECT_TRUE(share_inner_points(triangle(2 - 1e-9), can));
  EXPECT_FALSE(share_inner_points(can, cylinder({2, 0, 0}, {2, 0, 2}, 1)));
  EXPECT_TRUE(share_inner_points(can, cylinder({2 - 1e-9, 0, 0}, {2 - 1e-9, 0, 2}, 1)));
  EXPECT_FALSE(share_inner_points(can, ball({0, 0, 3}, 1)));
  EXPECT_TRUE(share_inner_points(can, ball({0, 0, 3 - 1e-9}, 1)));
  EXPECT_FALSE(share_inner_points(ellipsoid({0, 0, 0}, {1, 1, 0}), ellipsoid({0, 0, 0}, {0, 1, 1})));  // neither has any
  EXPECT_TRUE(share_inner_points(ellipsoid({0, 0, 0}, {1, 1, 0}), ellipsoid({0, 0, 0}, {1, 1, 1})));
  EXPECT_TRUE(has_volume(can));
  EXPECT_FALSE(has_volume(ellipsoid({0, 0, 0}, {1, 1, 0})));
  const V3<Dyadic> inner = some_inner_point(can);
  EXPECT_EQ(sign_of(inner.z - Dyadic(1.0)), 0);
}

}  // namespace
}  // namespace graze::curved_containment_test
