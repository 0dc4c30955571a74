// Curved shapes in linear motion. Decisions on the swept shape confirm times from both sides, and times are never later than the exact time where a closed form
// exists. Normals touch both shapes; sweeps against meshes give the list's answer at every CPU level.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <graze/sweep.hpp>

#include "bvh/scenes.hpp"
#include "convex/minkowski/local_pair.hpp"
#include "exact/double_parts.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"
#include "sweep/linear/curved_contact.hpp"
#include "sweep/linear/linear_sweep.hpp"

namespace graze::test::curved_contact_test {
namespace {

using Long = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<300, boost::multiprecision::digit_base_2>, boost::multiprecision::et_off>;

/// kind 0: cylinder, 1: cone, 2: truncated cone, 3: ellipsoid; now and then flat or needle-like.
AnyShape curved_shape(Random& r, int kind, const Vec3& at, double size) {
  const Vec3 axis = r.point(-1, 1) * size * (r.integer(0, 3) == 0 ? 0.01 : 1.0);
  const double radius = size * (r.integer(0, 3) == 0 ? 0.01 : r.real(0.1, 1));
  if (kind == 0) return Cylinder{at, at + axis, radius};
  if (kind == 1) return Cone{at, at + axis, radius};
  if (kind == 2) return TruncatedCone{at, at + axis, radius, size * r.real(0.01, 1)};
  return Ellipsoid{at, Vec3(size * r.real(0.05, 1), size * r.real(0.05, 1), radius)};
}
Curved curved_of(const AnyShape& s) {
  const PartList parts{ShapeRef(s)};
  return std::get<Curved>(parts[0].part);
}
double extent_of(const Curved& c) {
  double e = c.largest_radius();
  const Ends ends = c.ends();
  for (int i = 0; i < 3; ++i) e = std::max(e, std::fabs(ends.b[i] - ends.a[i]));
  return e;
}
Curved swept(Curved c, const Vec3& d, double from, double to) {
  c.motion = d;
  c.motion_from = from;
  c.motion_to = to;
  return c;
}
double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

Long times(const Vec3& a, const Vec3& b) { return Long(a.x) * Long(b.x) + Long(a.y) * Long(b.y) + Long(a.z) * Long(b.z); }

/// The least n . p over the shape.
Long least(const CurvedEllipsoid& c, const Vec3& n) {
  Long sum = 0;
  for (int i = 0; i < 3; ++i) sum += pow(Long(c.radii[i]) * times(n, c.axis[i]), 2);
  return times(n, c.center) - sqrt(sum);
}
Long least(const HullOfDiscs& c, double radius_a, double radius_b, const Vec3& n) {
  Long nn = times(n, n), along = 0, length = 0;
  for (int i = 0; i < 3; ++i) {
    const Long k = Long(c.b[i]) - Long(c.a[i]);
    along += k * Long(n[i]);
    length += k * k;
  }
  const Long tilt = sqrt(std::max(Long(0), nn - along * along / length));
  return std::min(times(n, c.a) - Long(radius_a) * tilt, times(n, c.b) - Long(radius_b) * tilt);
}
Long least(const CurvedCylinder& c, const Vec3& n) { return least(c, c.radius, c.radius, n); }
Long least(const CurvedCone& c, const Vec3& n) { return least(c, c.radius, 0, n); }
Long least(const CurvedTruncatedCone& c, const Vec3& n) { return least(c, c.radius_a, c.radius_b, n); }
Long least(const Curved& c, const Vec3& n) {
  return c.visit([&](const auto& kind) { return least(kind, n); });
}

/// The shape with its radii multiplied by `factor`.
Curved narrowed(Curved c, double factor) {
  std::visit(
      [&]<class S>(S& s) {
        if constexpr (std::is_base_of_v<HullOfDiscs, S>) {
          s.radius_a *= factor;
          s.radius_b *= factor;
        }
        if constexpr (std::is_same_v<S, CurvedEllipsoid>)
          for (double& x : s.radii) x *= factor;
      },
      c.shape);
  return c;
}

TEST(CurvedContact, TimesConfirmedFromBothSides) {
  Random r(91);
  int hits = 0, misses = 0, touching = 0;
  for (int round = 0; round < 6000; ++round) {
    const double far = round % 5 == 4 ? 1e4 : 0;
    const Vec3 at = Vec3(far, -2 * far, far / 3);
    const AnyShape shape = curved_shape(r, round % 4, at + r.point(-1, 1), std::exp(r.real(-4, 0)));
    const Curved c = curved_of(shape);
    if (c.convex()) continue;
    const double size = round % 7 == 0 ? 20 : round % 7 == 1 ? 0.02 : 1;
    Triangle t{{at + size * r.point(-1, 1), at + size * r.point(-1, 1), at + size * r.point(-1, 1)}};
    if (round % 11 == 0) t.points[2] = t.points[1];
    const Vec3 to = (t.points[0] + t.points[1] + t.points[2]) * (1 / 3.0) + 0.5 * r.point(-1, 1),
               d = round % 4 == 0 ? 1e-3 * r.point(-1, 1) : r.real(0.8, 2) * (to - c.point());
    const ConvexSet convex = convex_triangle(t);
    const auto hit = contact_time(c, {d}, convex);
    const double extent = extent_of(c), speed = std::sqrt(dot(d, d));
    if (!hit) {
      // only shapes that touch only within the error bound may be discarded
      ASSERT_FALSE(within(swept(narrowed(c, 1 - 0x1p-36), d, 0, 1), convex)) << round;
      ++misses;
      continue;
    }
    if (hit->inside) {
      ASSERT_TRUE(within(c, convex)) << round;
      ++touching;
      continue;
    }
    ++hits;
    const double rate = -dot(hit->normal, d);
    ASSERT_GT(rate, 0) << round;
    // not early: at t the gap is within 2^-42 of the extent (2^-41 allows for the error of `within` with a distance), or what two doubles of the time resolve
    const double resolved = 2 * (next_up(hit->t) - hit->t) * speed;
    ASSERT_TRUE(within(swept(c, d, hit->t, hit->t), convex, 0x1p-41 * extent + resolved + 0x1p-80 * far)) << round << " t " << hit->t;
    // not late: no contact before t
    const double before = hit->t - 0x1p-40 * extent / rate;
    if (before > 0) {
      ASSERT_FALSE(within(swept(c, d, 0, before), convex)) << round << " t " << hit->t << " rate " << rate / speed;
    }
    // a plane perpendicular to the normal touches both
    Long highest = -1e30;
    for (const Vec3& p : t.points) highest = std::max(highest, Long(dot(hit->normal, p - at)));
    const Long gap = least(c, hit->normal) + Long(hit->t) * Long(dot(hit->normal, d)) - highest - Long(hit->normal.x) * Long(at.x) -
                     Long(hit->normal.y) * Long(at.y) - Long(hit->normal.z) * Long(at.z);
    EXPECT_LT(abs(gap), 0x1p-22 * extent) << round << " " << gap;
    // with operands exchanged and the motion reversed: the same time up to the bound
    const auto other = contact_time(convex, {-d}, c);
    ASSERT_TRUE(other) << round;
    EXPECT_LE(std::fabs(other->t - hit->t) * rate, 0x1p-40 * extent) << round;
  }
  EXPECT_GT(hits, 1000);
  EXPECT_GT(misses, 1000);
  EXPECT_GT(touching, 100);
}

TEST(CurvedContact, NeverLaterThanTheExactTimeOnAFace) {
  Random r(92);
  int faces = 0;
  for (int round = 0; round < 6000; ++round) {
    const AnyShape shape = curved_shape(r, round % 4, r.point(-1, 1), r.real(0.2, 1));
    const Curved c = curved_of(shape);
    if (c.convex()) continue;
    // a plane with an exact normal below the shape, and a triangle in it around the target of the motion
    const Vec3 n(r.integer(-4, 4), r.integer(-4, 4), r.integer(1, 4));
    const Vec3 e(n.z, 0, -n.x), f(0, n.z, -n.y);
    const double low = -8;
    const Vec3 foot = Vec3(0, 0, low);
    Vec3 d = foot - c.point() + 0.25 * r.point(-1, 1);
    if (dot(n, d) > 0) continue;
    d = d * 1.5;
    const double wide = std::ldexp(1.0, r.integer(0, 4));
    const Triangle t{{foot - (e + f) * wide, foot + e * (2 * wide), foot + f * (2 * wide)}};
    const auto hit = contact_time(c, {d}, convex_triangle(t));
    if (!hit || hit->inside) continue;
    // touched on the face: exactly when the lowest point of the shape along n reaches the plane
    const Long rate = Long(n.x) * Long(d.x) + Long(n.y) * Long(d.y) + Long(n.z) * Long(d.z), exact = (Long(n.z) * Long(low) - least(c, n)) / rate;
    const double norm = std::sqrt(dot(n, n));
    Vec3 slope = hit->normal - n * (1 / norm);
    if (!(std::sqrt(dot(slope, slope)) < 1e-9)) continue;  // touched at an edge or corner
    ++faces;
    ASSERT_LE(Long(hit->t), exact) << round << " late by " << (Long(hit->t) - exact);
    ASSERT_LE((exact - Long(hit->t)) * -rate / norm, 0x1p-42 * extent_of(c) + 0x1p-51 * hit->t * std::sqrt(dot(d, d))) << round;
  }
  EXPECT_GT(faces, 500);
}

TEST(CurvedContact, TheBoundingVolumeEncloses) {
  Random r(93);
  for (int round = 0; round < 3000; ++round) {
    const AnyShape shape = curved_shape(r, round % 4, r.point(-1, 1), std::exp(r.real(-8, 1)));
    const Pose pose = r.pose(1);
    const Placed placed{ShapeRef(shape).shape(), ShapeRef(shape).kind(), pose};
    const PartList parts{ShapeRef(placed)};
    const Curved c = std::get<Curved>(parts[0].part);
    if (c.convex()) continue;
    const auto hull = bounding_volume(c);
    ASSERT_TRUE(hull);
    EXPECT_LE(hull->more, 0x1p-30 * extent_of(c));
    for (int k = 0; k < 12; ++k) {  // it extends as far along any direction
      const Vec3 n = r.point(-1, 1);
      Long low = 1e30;
      for (std::uint32_t i = 0; i < hull->convex.points; ++i)
        low = std::min(low, Long(n.x) * Long(hull->convex.base(i).x) + Long(n.y) * Long(hull->convex.base(i).y) + Long(n.z) * Long(hull->convex.base(i).z));
      for (std::uint32_t s = 0; s < hull->convex.segments; ++s) {
        const Vec3& g = hull->convex.segment[s];
        const Long along = Long(n.x) * Long(g.x) + Long(n.y) * Long(g.y) + Long(n.z) * Long(g.z);
        low += std::min(Long(hull->convex.lo[s]) * along, Long(hull->convex.hi[s]) * along);
      }
      low -= (Long(hull->convex.radius) + Long(hull->more)) * sqrt(Long(n.x) * Long(n.x) + Long(n.y) * Long(n.y) + Long(n.z) * Long(n.z));
      ASSERT_LE(low, least(c, n)) << round;
    }
  }
}

TEST(CurvedContact, MeshSweepsMatchTheListAtEveryLevel) {
  Random r(94);
  int hits = 0, inside = 0;
  for (int round = 0; round < 400; ++round) {
    const double scale = round % 7 == 3 ? 0x1p-90 : 1;
    const Vec3 at = round % 5 == 4 ? Vec3(1e3, -3e2, 2e3) * scale : Vec3(0, 0, 0);
    const Mesh mesh = round % 2 ? Mesh(soup(r, 200, scale, at, 0.1)) : Mesh(ball(10, at, 0.7 * scale));
    AnyShape shape = curved_shape(r, round % 4, at + scale * r.point(-1.2, 1.2), scale * std::exp(r.real(-4, -0.5)));
    const Vec3 d = scale * r.point(-2, 2);
    const bool surface_moves = round % 4 == 3;
    SweepOptions options;
    options.skip_departing = round % 6 == 5;
    std::optional<SweepHit> truth;
    std::uint32_t truth_triangle = 0;
    for (std::uint32_t i = 0; i < mesh.size(); ++i) {
      const Triangle t = MeshView(mesh).triangle(i);
      const auto hit = surface_moves ? sweep(t, d, shape, options) : sweep(shape, d, t, options);
      if (!hit) continue;
      const bool first = !truth || (hit->started_inside && !truth->started_inside) || (hit->started_inside == truth->started_inside && hit->t < truth->t);
      if (!first) continue;
      truth = hit;
      truth_triangle = i;
    }
    for_each_cpu_level([&](CpuLevel level) {
      const auto hit = surface_moves ? sweep(mesh, d, shape, options) : sweep(shape, d, mesh, options);
      ASSERT_EQ(hit.has_value(), truth.has_value()) << round << " level " << static_cast<int>(level);
      if (!hit) return;
      ASSERT_EQ(hit->t, truth->t) << round << " level " << static_cast<int>(level);
      ASSERT_EQ(surface_moves ? *hit->triangle_a : *hit->triangle_b, truth_triangle) << round;
      ASSERT_EQ(hit->normal.has_value(), truth->normal.has_value()) << round;
      if (hit->normal) {
        ASSERT_EQ(*hit->normal, *truth->normal) << round;
      }
      if (hit->moved && !surface_moves) {
        const Placed safe{ShapeRef(shape).shape(), ShapeRef(shape).kind(), hit->safe};
        ASSERT_FALSE(intersects(safe, mesh)) << round;
      }
      ++hits;
      inside += hit->started_inside;
    });
  }
  EXPECT_GT(hits, 300);
  EXPECT_GT(inside, 20);
}

TEST(CurvedContact, PointSweepsEqualRays) {
  Random r(77);
  int hits = 0;
  for (int k = 0; k < rounds(3000); ++k) {
    const double size = std::ldexp(1.0, r.integer(-3, 3));
    const AnyShape shape = curved_shape(r, k % 4, r.point(-1, 1) * size, size);
    const Vec3 p = r.point(-4, 4) * size, aim = r.point(-1, 1) * size, motion = (aim - p) * r.real(0.5, 4);
    const auto hit = sweep(Point{p}, motion, shape);
    const auto ray = raycast(Ray{p, motion}, shape, {1.0}), endless = raycast(Ray{p, motion}, shape);
    ASSERT_EQ(hit.has_value(), ray.has_value()) << k;
    if (!hit) continue;
    ++hits;
    EXPECT_EQ(hit->t, ray->t) << k;
    EXPECT_EQ(hit->t, endless->t) << k;
    const auto later = raycast(Ray{p, motion}, shape, {std::min(1.0, hit->t * r.real(1, 2))});
    ASSERT_TRUE(later) << k;
    EXPECT_EQ(later->t, hit->t) << k;
  }
  EXPECT_GT(hits, rounds(3000) / 10);
  for (const AnyShape& shape : {AnyShape(Cylinder{{1e300, 0, 0}, {1e300, 0, 9}, 1}), AnyShape(Cone{{1e300, 0, 0}, {1e300, 0, 9}, 1}),
                                AnyShape(Ellipsoid{{1e300, 0, 0}, {1, 2, 3}}), AnyShape(Sphere{{1e300, 0, 0}, 1})})
    EXPECT_EQ(raycast(Ray{{0, 0.1, 0.2}, {1e-300, 0, 0}}, shape)->t, std::numeric_limits<double>::max());  // saturated
}

}  // namespace
}  // namespace graze::test::curved_contact_test
