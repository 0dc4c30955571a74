// Depth of points in curved shapes: known answers; the least distance to supporting planes, which no depth may exceed and which a search approaches;
// consistency with penetration.
#include <gtest/gtest.h>

#include <cmath>
#include <graze/query.hpp>

#include "convex/decide/curved_decide.hpp"
#include "convex/depth/penetration.hpp"
#include "support/random.hpp"

namespace graze::curved_depth_test {
namespace {

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// Distance of p from the supporting plane with unit normal n.
double to_plane(const CurvedEllipsoid& c, const Vec3& p, const Vec3& n) {
  double square = 0;
  for (int k = 0; k < 3; ++k) square += std::pow(c.radii[k] * dot(c.axis[k], n), 2);
  return dot(c.center - p, n) + std::sqrt(square);
}
double to_plane(const HullOfDiscs& c, double radius_a, double radius_b, const Vec3& p, const Vec3& n) {
  const Vec3 axis = (c.b - c.a) / length(c.b - c.a);
  const double tilt = length(Vec3(axis.y * n.z - axis.z * n.y, axis.z * n.x - axis.x * n.z, axis.x * n.y - axis.y * n.x));
  return std::max(dot(c.a - p, n) + radius_a * tilt, dot(c.b - p, n) + radius_b * tilt);
}
double to_plane(const CurvedCylinder& c, const Vec3& p, const Vec3& n) { return to_plane(c, c.radius, c.radius, p, n); }
double to_plane(const CurvedCone& c, const Vec3& p, const Vec3& n) { return to_plane(c, c.radius, 0, p, n); }
double to_plane(const CurvedTruncatedCone& c, const Vec3& p, const Vec3& n) { return to_plane(c, c.radius_a, c.radius_b, p, n); }
double to_plane(const Curved& c, const Vec3& p, const Vec3& n) {
  return c.visit([&](const auto& kind) { return to_plane(kind, p, n); });
}

double by_search(const Curved& c, const Vec3& p, test::Random& r) {
  double best = std::numeric_limits<double>::infinity();
  for (int start = 0; start < 12; ++start) {
    const auto random = [&] { return r.point(-1, 1); };
    Vec3 n = random();
    const auto [a, b] = c.ends();
    if (start < 4 && a != b) {  // sharp minima, to which a search converges slowly: the ends and the side
      const Vec3 axis = (b - a) / length(b - a), out = p - a - axis * dot(p - a, axis);
      double taper = c.largest_radius();  // of the lateral surface, if it leans
      if (const auto* cone = std::get_if<CurvedTruncatedCone>(&c.shape)) taper = cone->radius_a - cone->radius_b;
      const Vec3 candidates[] = {axis, -axis, out, out / length(out) * length(b - a) + axis * taper};
      n = candidates[start];
    }
    n /= length(n);
    double least = to_plane(c, p, n);
    for (double step = 0.5; step > 1e-9;) {
      bool better = false;
      for (int i = 0; i < 12; ++i) {
        Vec3 m = n + random() * step;
        m /= length(m);
        const double d = to_plane(c, p, m);
        if (d < least) least = d, n = m, better = true;
      }
      step *= better ? 1.1 : 0.7;
    }
    best = std::min(best, least);
  }
  return best;
}

TEST(CurvedDepth, KnownAnswers) {
  EXPECT_EQ(signed_distance({0, 0, 2}, Cone{{0, 0, 0}, {0, 0, 2}, 1}), 0);
  EXPECT_NEAR(signed_distance({0.5, 1, 1}, Cylinder{{0, 0, 0}, {1, 2, 2}, 1}), -1, 1e-15);
  EXPECT_NEAR(signed_distance({0, 0, 2}, Cone{{0, 0, 0}, {0, 0, 4}, 3}), -1.2, 1e-15);
  EXPECT_NEAR(signed_distance({0, 0, 2}, TruncatedCone{{0, 0, 0}, {0, 0, 4}, 5, 2}), -2, 1e-15);
  EXPECT_NEAR(signed_distance({1.5, 0, 2.5}, TruncatedCone{{0, 0, 9}, {0, 0, 1}, 0, 6}), -1.5, 1e-15);
  EXPECT_NEAR(signed_distance({0, 2.5, 2}, TruncatedCone{{0, 0, 0}, {0, 0, 4}, 5, 2}), -0.8, 1e-15);
  EXPECT_NEAR(signed_distance({0.001, 0.001, 0.001}, Ellipsoid{{0, 0, 0}, {0.99, 1, 1}}), -0.988952610402051, 1e-14);
  EXPECT_EQ(signed_distance({0, 0, 0}, Ellipsoid{{0, 0, 0}, {1, 2, 3}}), -1);
  EXPECT_NEAR(signed_distance({0, 0, 2.9}, Ellipsoid{{0, 0, 0}, {1, 2, 3}}), -0.1, 1e-14);
}

TEST(CurvedDepth, IsTheLeastDistanceToSupportingPlanes) {
  test::Random r(7);
  for (int i = 0; i < 300; ++i) {
    const double size = std::exp2(r.real(-300, 300));  // exact for neither side, the same for both
    const Vec3 a = r.point(-1, 1), b = a + Vec3(r.real(-1, 1), r.real(-1, 1), r.real(0.1, 1));
    const Pose pose = r.pose(0);
    const bool narrow = i % 5 == 0;
    const Vec3 radii(r.real(0.2, 1), r.real(0.2, 1), narrow ? 1e-3 : r.real(0.2, 1));
    const double radius = r.real(0.1, 1);
    const auto of_size = [&](double s) {
      return i % 4 == 0   ? curved_of(Cylinder{a * s, b * s, radius * s}, &pose)
             : i % 4 == 1 ? curved_of(Cone{a * s, b * s, radius * s}, &pose)
             : i % 4 == 2 ? curved_of(TruncatedCone{a * s, b * s, radius * s, radii.x * s}, &pose)
                          : curved_of(Ellipsoid{a * s, radii * s}, &pose);
    };
    const Curved c = of_size(size);
    const Ends ends = c.ends();
    const Vec3 inside = ends.a + (ends.b - ends.a) * 0.4;
    const Vec3 p = inside + r.point(-1, 1) * (0.15 * size * (narrow ? 1e-3 : 1));
    ConvexSet point;
    point.add_point(p);
    if (!within(c, point)) continue;
    const double depth = depth_in(c, p) / size, searched = by_search(of_size(1), p / size, r);  // at a size at which the search's squares do not overflow
    EXPECT_LE(depth, searched + 1e-12) << i;
    EXPECT_GE(depth, searched - 1e-6) << i;
    const ConvexPenetration out = penetration(point, c);
    ASSERT_TRUE(out.found || depth < 1e-6) << i;
    EXPECT_LE(out.found ? out.depth / size : 0, depth * (1 + 1e-3) + 2e-7) << i;
  }
}

/// No direction found by sampling about the result or anywhere needs a shorter translation than the result, up to the promised factor; the translation
/// separates, and the contact's points are in both shapes.
TEST(CurvedDepth, OfPairsIsTheLeastOfManyDirections) {
  test::Random r(23);
  int found = 0;
  for (int i = 0; i < 1500; ++i) {
    const auto curved = [&](int kind, const Pose& pose) {
      const double flat = i % 3 ? 1 : std::exp2(-r.real(0, 8));
      const double x = r.real(0.3, 1), y = r.real(0.3, 1), z = r.real(0.3, 1) * flat;
      return kind == 0   ? curved_of(Cylinder{{0, 0, -z}, {0, 0, z}, x}, &pose)
             : kind == 1 ? curved_of(Cone{{0, 0, -z}, {0, 0, z}, x}, &pose)
             : kind == 2 ? curved_of(TruncatedCone{{0, 0, -z}, {0, 0, z}, x, y}, &pose)
                         : curved_of(Ellipsoid{{0, 0, 0}, {x, y, z}}, &pose);
    };
    const Pose pose_a = r.pose(0);
    Pose pose_b = r.pose(1);
    const int kind_a = r.below(4), kind_b = r.below(4);
    const Curved a = curved(kind_a, pose_a), b = curved(kind_b, pose_b);
    if (a.convex() || b.convex()) continue;
    const ConvexPenetration p = penetration(a, b);
    ASSERT_EQ(p.reason == ConvexPenetration::Reason::apart, !within(a, b)) << i;
    if (!p.found) continue;
    ++found;
    EXPECT_NEAR(length(p.vector), p.depth, 1e-9 * p.depth + 1e-12) << i;
    EXPECT_NEAR(closest(displaced(a, p.vector), b).distance, 0, 1e-9) << i;
    const Vec3 origin(0, 0, 0);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 600; ++k) {
      Vec3 n = k < 300 ? r.direction() : p.normal + r.point(-1, 1) * std::exp2(-r.real(0, 20));
      n /= length(n);
      // A moves along n until its lowest point is above the highest of B.
      least = std::min(least, to_plane(a, origin, -n) + to_plane(b, origin, n));
    }
    EXPECT_LE(p.depth, least * (1 + 1e-3) + 1e-12) << i;
  }
  EXPECT_GT(found, 300);
}

}  // namespace
}  // namespace graze::curved_depth_test
