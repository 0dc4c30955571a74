// Bounding boxes and spheres (K1 - K4): the tightest doubles that contain the shape, against rational arithmetic; unbounded, empty and very large shapes.
#include <gtest/gtest.h>
#include <graze/query.hpp>

#include <cmath>

#include "exact/double_parts.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::message_of;
using oracle::Rational;

namespace bounds_test {
namespace {

const double inf = std::numeric_limits<double>::infinity();

void expect_tight(double lo, double hi, const Rational& exact_lo, const Rational& exact_hi) {
  EXPECT_LE(Rational(lo), exact_lo);
  EXPECT_GT(Rational(next_up(lo)), exact_lo);
  EXPECT_GE(Rational(hi), exact_hi);
  EXPECT_LT(Rational(next_down(hi)), exact_hi);
}

// The sphere contains the points exactly, and the next smaller radius does not.
void expect_sphere(const Sphere& s, const std::vector<oracle::R3>& points, bool tight = true) {
  Rational far = 0;
  for (const auto& p : points) {
    const oracle::R3 d = p - oracle::r3(s.center);
    far = std::max(far, oracle::dot(d, d));
  }
  EXPECT_GE(Rational(s.radius) * Rational(s.radius), far);
  if (s.radius == 0) return;
  double less = s.radius;
  for (int k = 0; k < (tight ? 1 : 16); ++k) less = next_down(less);
  EXPECT_LT(Rational(less) * Rational(less), far);
}

Mesh cube_mesh(double s) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.emplace_back(i & 1 ? s : -s, i & 2 ? s : -s, i & 4 ? s : -s);
  d.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return Mesh(std::move(d));
}

}  // namespace

TEST(Bounds, CubeContainsItsCorner) {  // the rounded square of the radius fell short of 3
  const Sphere s = bounding_sphere(cube_mesh(1));
  EXPECT_EQ(s.center, Vec3(0, 0, 0));
  EXPECT_GE(Rational(s.radius) * Rational(s.radius), 3);
  EXPECT_LT(Rational(next_down(s.radius)) * Rational(next_down(s.radius)), 3);
  const Box b = bounding_box(cube_mesh(1));
  EXPECT_EQ(b.corner(Corner::A), Vec3(-1, -1, -1));
  EXPECT_EQ(b.corner(Corner::G), Vec3(1, 1, 1));
}

TEST(Bounds, ExactWhereRepresentable) {
  EXPECT_EQ(bounding_box(Sphere{Vec3(1, 2, 3), 2}).min, Vec3(-1, 0, 1));
  EXPECT_EQ(bounding_box(Capsule{Vec3(0, 0, 0), Vec3(0, 0, 5), 1}).max, Vec3(1, 1, 6));
  EXPECT_EQ(bounding_box(Cylinder{Vec3(0, 0, 0), Vec3(0, 0, 5), 1}).max, Vec3(1, 1, 5));
  EXPECT_EQ(bounding_box(Cone{Vec3(0, 0, 0), Vec3(0, 0, 5), 1}).min, Vec3(-1, -1, 0));
  EXPECT_EQ(bounding_box(Ellipsoid{Vec3(0, 0, 0), Vec3(1, 2, 3)}).max, Vec3(1, 2, 3));
  EXPECT_EQ(bounding_box(at(Ellipsoid{Vec3(0, 0, 0), Vec3(1, 2, 3)}, Pose::quarter_turn(Axis::z, 1))).max, Vec3(2, 1, 3));
  EXPECT_EQ(bounding_box(at(Box{Vec3(-1, -2, -3), Vec3(1, 2, 3)}, Pose::quarter_turn(Axis::x, 1, Vec3(1, 1, 1)))).max, Vec3(2, 4, 3));
  EXPECT_EQ(bounding_sphere(Segment{Vec3(0, 0, 0), Vec3(6, 8, 0)}).radius, 5);
  EXPECT_EQ(bounding_sphere(Sphere{Vec3(0.1, 0.2, 0.3), 0.7}).radius, 0.7);
  EXPECT_EQ(bounding_sphere(Ellipsoid{Vec3(0.1, 0.2, 0.3), Vec3(0.1, 0.7, 0.2)}).radius, 0.7);
}

TEST(Bounds, BoxesAndSpheresOutward) {
  test::Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Pose pose = random.pose(5);
    const Sphere s{random.point(-3, 3), random.unit()};
    const Box bs = bounding_box(s);
    OrientedBox o{random.point(-3, 3), {random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}, Vec3(random.unit(), random.unit(), random.unit())};
    const Box bo = bounding_box(o);
    Box x{random.point(-2, 0), random.point(0, 2)};
    const Box bx = bounding_box(at(x, pose));
    for (int k = 0; k < 3; ++k) {
      expect_tight(bs.min[k], bs.max[k], Rational(s.center[k]) - Rational(s.radius), Rational(s.center[k]) + Rational(s.radius));
      Rational half = 0, lo = pose.translation[k], hi = pose.translation[k];
      for (int i = 0; i < 3; ++i) {
        half += abs(Rational(o.axes[static_cast<std::size_t>(i)][k])) * Rational(o.half[i]);
        const Rational r(pose.rotation[k][i]), p = r * Rational(x.min[i]), q = r * Rational(x.max[i]);
        lo += std::min(p, q);
        hi += std::max(p, q);
      }
      expect_tight(bo.min[k], bo.max[k], Rational(o.center[k]) - half, Rational(o.center[k]) + half);
      expect_tight(bx.min[k], bx.max[k], lo, hi);
    }
    std::vector<oracle::R3> corners, placed;
    for (int c = 0; c < 8; ++c) {
      oracle::R3 p = oracle::r3(o.center), q = oracle::r3(pose.translation);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
          p.c[k] += (c >> i & 1 ? 1 : -1) * Rational(o.half[i]) * Rational(o.axes[static_cast<std::size_t>(i)][k]);
          q.c[k] += Rational(c >> i & 1 ? x.max[i] : x.min[i]) * Rational(pose.rotation[k][i]);
        }
      corners.push_back(p);
      placed.push_back(q);
    }
    expect_sphere(bounding_sphere(o), corners, false);
    expect_sphere(bounding_sphere(at(x, pose)), placed, false);
  }
}

TEST(Bounds, VertexShapesAreTight) {
  test::Random random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<Vec3> p(static_cast<std::size_t>(random.integer(1, 20)));
    const int e = round % 2 ? random.integer(-1060, 1000) : 0;
    for (Vec3& q : p) {
      q = round % 3 ? random.point(-1, 1) : random.grid(-3, 3);
      q = Vec3(scaled(q.x, e), scaled(q.y, e), scaled(q.z, e));
    }
    const Hull h{std::span<const Vec3>(p)};
    std::vector<oracle::R3> exact;
    for (const Vec3& q : p) exact.push_back(oracle::r3(q));
    expect_sphere(bounding_sphere(h), exact);
  }
}

TEST(Bounds, ContainDiscsWhoseAxisIsLostInPlacing) {
  const Pose far = translation(Vec3(0, 0, 0x1p80));
  for (const AnyShape& shape :
       {AnyShape(Cylinder{{0, 0, 0}, {0, 0, 1}, 2}), AnyShape(Cone{{0, 0, 0}, {0, 0, 1}, 2}), AnyShape(TruncatedCone{{0, 0, 0}, {0, 0, 1}, 1, 2})}) {
    const Box box = bounding_box(at(shape, far));
    EXPECT_EQ(box.min, Vec3(-2, -2, 0x1p80));
    EXPECT_EQ(box.max, Vec3(2, 2, 0x1p80));
    EXPECT_GE(bounding_sphere(at(shape, far)).radius, 2);
  }
}

TEST(Bounds, CylindersAndConesContainAndAreTight) {
  test::Random random(3);
  for (int round = 0; round < 300; ++round) {
    Vec3 a = random.point(-2, 2), b = random.point(-2, 2);
    if (round % 4 == 0) b = Vec3(a.x, a.y + random.real(-1e-9, 1e-9), a.z + 1);
    const double r = random.unit() * (round % 5 ? 1 : 1e-12);
    const double q = random.unit();
    const TruncatedCone truncated{a, b, r, q};
    const Box c = bounding_box(Cylinder{a, b, r}), k1 = bounding_box(Cone{a, b, r}), k2 = bounding_box(truncated), other = bounding_box(Cone{b, a, q});
    EXPECT_EQ(k2.min, Vec3(std::min(k1.min.x, other.min.x), std::min(k1.min.y, other.min.y), std::min(k1.min.z, other.min.z)));
    EXPECT_EQ(k2.max, Vec3(std::max(k1.max.x, other.max.x), std::max(k1.max.y, other.max.y), std::max(k1.max.z, other.max.z)));
    EXPECT_EQ(bounding_box(TruncatedCone{a, b, r, r}).max, c.max);
    const oracle::R3 d = oracle::r3(b) - oracle::r3(a);
    const Rational dd = oracle::dot(d, d);
    for (int k = 0; k < 3; ++k) {
      const Rational extent_sq = Rational(r) * Rational(r) * (dd - d[k] * d[k]) / dd;
      const Rational beyond = Rational(c.max[k]) - Rational(std::max(a[k], b[k]));
      EXPECT_GE(beyond, 0);
      EXPECT_GE(beyond * beyond, extent_sq);
      const double less = c.max[k] - 16 * 0x1p-52 * std::max(std::fabs(c.max[k]), r);
      const Rational inside = Rational(less) - Rational(std::max(a[k], b[k]));
      EXPECT_TRUE(inside < 0 || inside * inside < extent_sq);
      const Rational cone = Rational(k1.max[k]) - Rational(a[k]);
      EXPECT_GE(k1.max[k], b[k]);
      EXPECT_TRUE(cone * cone >= extent_sq);
      EXPECT_LE(k1.max[k], c.max[k]);
    }
    // spheres: rim points in doubles
    EXPECT_EQ(bounding_sphere(TruncatedCone{a, b, r, r}).radius, bounding_sphere(Cylinder{a, b, r}).radius);
    const Sphere s = bounding_sphere(Cylinder{a, b, r});
    const double len = std::sqrt(static_cast<double>(dd));
    const Vec3 n(static_cast<double>(d[0]) / len, static_cast<double>(d[1]) / len, static_cast<double>(d[2]) / len);
    Vec3 u(n.y, -n.x, 0);
    if (std::fabs(n.z) > 0.9) u = Vec3(0, n.z, -n.y);
    const double ul = std::sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
    u = Vec3(u.x / ul, u.y / ul, u.z / ul);
    const Vec3 w(n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x);
    for (int i = 0; i < 16; ++i) {
      const double co = std::cos(i * 0.4), si = std::sin(i * 0.4);
      const Vec3 q(b.x + r * (co * u.x + si * w.x), b.y + r * (co * u.y + si * w.y), b.z + r * (co * u.z + si * w.z));
      EXPECT_LE(static_cast<double>(oracle::squared_distance(q, s.center)), s.radius * s.radius * (1 + 1e-14));
    }
    const double least = std::sqrt(0.25 * static_cast<double>(dd) + r * r);
    EXPECT_LE(s.radius, least * (1 + 1e-14) + 1e-14);
  }
}

TEST(Bounds, PosedEllipsoid) {
  test::Random random(4);
  for (int round = 0; round < 200; ++round) {
    const Pose pose = random.pose(5);
    const Ellipsoid e{random.point(-1, 1), Vec3(random.unit(), random.unit(), round % 3 ? random.unit() : 0)};
    const Box b = bounding_box(at(e, pose));
    const Vec3 c = pose.apply(e.center);
    for (int k = 0; k < 3; ++k) {
      Rational sq = 0;
      for (int i = 0; i < 3; ++i) sq += Rational(pose.rotation[k][i]) * Rational(e.radii[i]) * Rational(pose.rotation[k][i]) * Rational(e.radii[i]);
      const Rational half = Rational(b.max[k]) - Rational(c[k]);
      EXPECT_GE(half * half, sq);
      EXPECT_LE(static_cast<double>(half * half), static_cast<double>(sq) * (1 + 1e-13) + 1e-13);
    }
    const Sphere s = bounding_sphere(at(e, pose));
    EXPECT_GE(s.radius, std::max({e.radii.x, e.radii.y, e.radii.z}));
    EXPECT_LE(s.radius, std::max({e.radii.x, e.radii.y, e.radii.z}) * (1 + 1e-14));
  }
}

TEST(Bounds, UnboundedAndEmpty) {
  const Box ray = bounding_box(Ray{Vec3(1, 2, 3), Vec3(0, -1, 2)});
  EXPECT_EQ(ray.min, Vec3(1, -inf, 3));
  EXPECT_EQ(ray.max, Vec3(1, 2, inf));
  const Box line = bounding_box(Line{Vec3(1, 2, 3), Vec3(0, -1, 0)});
  EXPECT_EQ(line.min, Vec3(1, -inf, 3));
  EXPECT_EQ(line.max, Vec3(1, inf, 3));
  EXPECT_EQ(bounding_box(Plane{Vec3(1, 2, 3), Vec3(0, 0, -2)}).min, Vec3(-inf, -inf, 3));
  EXPECT_EQ(bounding_box(Plane{Vec3(1, 2, 3), Vec3(0, 1, -2)}).min, Vec3(-inf, -inf, -inf));
  EXPECT_EQ(bounding_box(HalfSpace{Vec3(1, 2, 3), Vec3(0, 0, 2)}).max, Vec3(inf, inf, 3));
  EXPECT_EQ(bounding_box(HalfSpace{Vec3(1, 2, 3), Vec3(0, 0, 2)}).min, Vec3(-inf, -inf, -inf));
  const Mesh nothing{MeshData{}};
  EXPECT_GT(bounding_box(nothing).min.x, bounding_box(nothing).max.x);
  EXPECT_EQ(message_of([&] { (void)bounding_sphere(nothing); }), "bounding_sphere: the mesh is empty");
  EXPECT_EQ(message_of([&] { (void)bounding_sphere(Line{}); }), "bounding_sphere: the line is unbounded or reaches beyond the largest double");
  EXPECT_NE(message_of([&] { (void)bounding_sphere(cube_mesh(1.7e308)); }).find("beyond the largest double"), std::string::npos);
  const Sphere big = bounding_sphere(cube_mesh(1e308));  // (A + G) / 2 overflows in the text
  EXPECT_EQ(big.center, Vec3(0, 0, 0));
  EXPECT_GE(Rational(big.radius) * Rational(big.radius), 3 * Rational(1e308) * Rational(1e308));
}

TEST(Bounds, UnusedVerticesDoNotCountAndCompoundsAdd) {
  MeshData d;
  d.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(100, 100, 100)};
  d.triangles = {{0, 1, 2}};
  EXPECT_EQ(bounding_box(Mesh(d)).max, Vec3(1, 1, 0));
  const Compound c{{{Sphere{Vec3(0, 0, 0), 1}, translation(Vec3(10, 0, 0))}, {Box{Vec3(0, 0, 0), Vec3(1, 1, 1)}, Pose{}}}};
  EXPECT_EQ(bounding_box(c).min, Vec3(0, -1, -1));
  EXPECT_EQ(bounding_box(at(c, translation(Vec3(0, 0, 5)))).max, Vec3(11, 1, 6));
  const Sphere s = bounding_sphere(c);
  EXPECT_GE(s.radius, 11 - s.center.x);
}

// The box of a mesh is stored: it must be that of all corners, also after a refit, and of each handle's own data.
TEST(Bounds, StoredBoxesFollowTheVertices) {
  test::Random random(8);
  for (int round = 0; round < 20; ++round) {
    MeshData d;
    for (int i = 0; i < 40; ++i) d.vertices.push_back(random.point(-3, 3));
    for (std::uint32_t i = 0; i + 5 < 40; ++i) d.triangles.push_back({i, i + 1, i + 4});
    const Mesh mesh(d);
    std::vector<Vec3> moved;
    for (const Vec3& v : d.vertices) moved.push_back(v * 2.0 + random.point(-1, 1));
    const Mesh refit = mesh.refit(VertexView(moved));
    const auto tight = [&](const std::vector<Vec3>& p) {
      Box b{p[0], p[0]};
      for (std::size_t i = 0; i < 39; ++i)  // the last vertex belongs to no triangle
        for (int k = 0; k < 3; ++k) b.min[k] = std::min(b.min[k], p[i][k]), b.max[k] = std::max(b.max[k], p[i][k]);
      return b;
    };
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(bounding_box(mesh).min, tight(d.vertices).min);
      EXPECT_EQ(bounding_box(mesh).max, tight(d.vertices).max);
      EXPECT_EQ(bounding_box(refit).min, tight(moved).min);
      EXPECT_EQ(bounding_box(refit).max, tight(moved).max);
    }
  }
}

}  // namespace bounds_test
