// Volume, area and centroid against sums of rationals, against each other under exact motions, and for shapes that do not have them.
#include <graze/query/measure.hpp>

#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/graze.hpp>
#include <graze/threads.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "mesh/meshes.hpp"
#include "support/random.hpp"
#include "support/rational_oracle.hpp"
#include "support/rounds.hpp"

namespace graze::measure_test {
namespace {

using test::append;
using test::ball;
using test::closed_box;
using test::cross;
using test::dot;
using test::operator+;
using test::operator-;
using test::operator*;
using test::Q;
using test::QVec;
using test::Random;
using test::reversed;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Whether x is the double nearest to the rational, or one of the two.
bool is_nearest(double x, const Q& exact) {
  const auto away = [&](double y) { return std::isfinite(y) ? Q(abs(Q(y) - exact)) : Q(Q(abs(exact) + 1) * 2); };
  return away(x) <= away(std::nextafter(x, kInf)) && away(x) <= away(std::nextafter(x, -kInf));
}

QVec corner(const MeshData& d, std::size_t t, std::size_t k, const std::optional<Pose>& pose) {
  const Vec3& p = d.vertices[d.triangles[t][k]];
  return test::exact(pose ? pose->apply(p) : p);
}

struct Oracle {
  Q volume = 0;
  QVec moment{Q(0), Q(0), Q(0)};
};
Oracle oracle_of(const MeshData& d, const std::optional<Pose>& pose = {}) {
  Oracle o;
  for (std::size_t t = 0; t < d.triangles.size(); ++t) {
    const QVec a = corner(d, t, 0, pose), b = corner(d, t, 1, pose), c = corner(d, t, 2, pose);
    const Q v = dot(a, cross(b, c)) / 6;
    o.volume += v;
    o.moment = o.moment + Q(v / 4) * (a + b + c);
  }
  return o;
}

double largest(const MeshData& d, const std::optional<Pose>& pose) {
  double m = 0;
  for (Vec3 p : d.vertices) {
    if (pose) p = pose->apply(p);
    m = std::max({m, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
  }
  return m;
}

void expect_near(const std::optional<Vec3>& c, const QVec& exact, double largest, const std::string& where) {
  ASSERT_TRUE(c) << where;
  for (int k = 0; k < 3; ++k)
    EXPECT_LE(Q(abs(Q((*c)[k]) - exact[static_cast<std::size_t>(k)])), Q(largest) * Q(0x1p-52)) << where << " coordinate " << k << " is " << (*c)[k];
}

void expect_near(const std::optional<Vec3>& c, const Vec3& expected, double largest) {
  ASSERT_TRUE(c);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR((*c)[k], expected[k], largest * 0x1p-51);
}

std::string error_of(const auto& query) {
  try {
    query();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported_shape);
    return e.what();
  }
  return "";
}

/// A tetrahedron or box with random corners: convex, so that its surface does not meet itself.
MeshData random_body(Random& r, double scale, const Vec3& at) {
  if (r.integer(0, 1) == 0) return closed_box(at + scale * r.point(-1, 0), at + scale * r.point(0.125, 1));
  std::vector<Vec3> points;
  for (int i = r.integer(4, 12); i > 0; --i) points.push_back(at + scale * r.point(-1, 1));
  const Hull h{std::span<const Vec3>(points)};
  MeshData d;
  d.vertices.assign(h.points().begin(), h.points().end());
  d.triangles.assign(h.triangles().begin(), h.triangles().end());
  return d;
}

TEST(Volume, IsTheNearestDouble) {
  Random r(5);
  const struct {
    double scale;
    Vec3 at;
  } places[] = {{1, Vec3(0)}, {1, Vec3(1e6, -3e5, 7e6)}, {1e-3, Vec3(5e9)}, {1e-40, Vec3(0)}, {1e90, Vec3(0)}, {1e-105, Vec3(0)}};
  for (int round = 0; round < test::rounds(300); ++round) {
    const auto& place = places[round % std::size(places)];
    const MeshData d = random_body(r, place.scale, place.at);
    const Oracle o = oracle_of(d);
    if (o.volume <= 0) continue;  // rounding made it flat
    const Solid s = solid(Mesh(d));
    const std::string where = "round " + std::to_string(round);
    ASSERT_TRUE(is_nearest(volume(s), o.volume)) << where << ": " << volume(s);
    EXPECT_EQ(signed_volume(s), volume(s)) << where;
    const Solid inward = solid(Mesh(reversed(d)));
    EXPECT_EQ(volume(inward), volume(s)) << where;
    EXPECT_EQ(signed_volume(inward), -volume(s)) << where;
    const QVec c = Q(1 / o.volume) * o.moment;
    expect_near(centroid(s), c, largest(d, {}), where);
    expect_near(centroid(inward), c, largest(d, {}), where);
  }
}

TEST(Volume, OfPlacedSolidsIsThatOfThePlacedVertices) {
  Random r(6);
  for (int round = 0; round < test::rounds(60); ++round) {
    const MeshData d = random_body(r, 1, r.point(-2, 2));
    const Pose pose = r.pose(round % 2 ? 1 : 1e5);
    const Oracle o = oracle_of(d, pose);
    const Solid s = solid(Mesh(d));
    ASSERT_TRUE(is_nearest(volume(at(s, pose)), o.volume)) << round;
    expect_near(centroid(at(s, pose)), Q(1 / o.volume) * o.moment, largest(d, pose), std::to_string(round));
  }
}

TEST(Volume, CountsSpaceOnceAndCavitiesNot) {
  const MeshData cube = closed_box({0, 0, 0}, {4, 4, 4}), inner = closed_box({1, 1, 1}, {3, 3, 3}), core = closed_box({1.5, 1.5, 1.5}, {2.5, 2.5, 2.5}),
                 beside = closed_box({10, 0, 0}, {12, 1, 1});
  const auto of = [](std::initializer_list<MeshData> shells) {
    MeshData d;
    for (const MeshData& m : shells) append(d, m);
    return solid(Mesh(d));
  };
  struct {
    Solid s;
    double volume, sum;
  } const cases[] = {
      {of({cube, reversed(inner)}), 64 - 8, 64 - 8},
      {of({cube, inner}), 64, 64 + 8},
      {of({reversed(cube), reversed(inner)}), 64, -64 - 8},
      {of({reversed(cube), inner}), 64 - 8, -64 + 8},
      {of({cube, reversed(inner), core}), 64 - 8 + 1, 64 - 8 + 1},
      {of({cube, inner, reversed(core)}), 64, 64 + 8 - 1},
      {of({cube, reversed(inner), reversed(core)}), 64 - 8 + 1, 64 - 8 - 1},  // wound around -1 times
      {of({cube, beside}), 66, 66},
      {of({cube, reversed(beside)}), 66, 62},
      {of({inner, cube, reversed(core), beside}), 66, 64 + 8 - 1 + 2},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(volume(c.s), c.volume);
    EXPECT_EQ(signed_volume(c.s), c.sum);
  }
  EXPECT_EQ(*centroid(of({cube, inner})), Vec3(2, 2, 2));
  expect_near(centroid(of({cube, reversed(beside)})), Vec3((64 * 2 + 2 * 11) / 66.0, (64 * 2 + 1) / 66.0, (64 * 2 + 1) / 66.0), 12);
  EXPECT_EQ(volume(solid(Mesh(MeshData{}))), 0);
  EXPECT_FALSE(centroid(solid(Mesh(MeshData{}))));
}

TEST(Volume, OfShellsThatShareAnEdgeOrACorner) {
  MeshData edge = closed_box({0, 0, 0}, {1, 1, 1});
  append(edge, closed_box({1, 1, 0}, {2, 2, 1}));  // the edge of both is used four times
  EXPECT_EQ(volume(solid(Mesh(edge))), 2);
  MeshData one_inward = closed_box({0, 0, 0}, {1, 1, 1});
  append(one_inward, reversed(closed_box({1, 1, 0}, {2, 2, 1})));
  EXPECT_EQ(volume(solid(Mesh(one_inward))), 2);
  EXPECT_EQ(signed_volume(solid(Mesh(one_inward))), 0);
  MeshData corner = closed_box({0, 0, 0}, {1, 1, 1});
  append(corner, closed_box({1, 1, 1}, {2, 3, 2}));
  EXPECT_EQ(volume(solid(Mesh(corner))), 3);
}

TEST(Volume, RefusesASurfaceThatMeetsItself) {
  MeshData d = closed_box({0, 0, 0}, {2, 2, 2});
  append(d, closed_box({1, 1, 1}, {3, 3, 3}));
  const Solid s = solid(Mesh(d));
  const std::string e = error_of([&] { (void)volume(s); });
  EXPECT_NE(e.find("triangles"), std::string::npos) << e;
  EXPECT_NE(e.find("signed volume"), std::string::npos) << e;
  EXPECT_NE(error_of([&] { (void)centroid(s); }), "");
  EXPECT_EQ(signed_volume(s), 16);  // the common cube counts twice
  EXPECT_EQ(area(s), 48);
  MeshData sheet{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {{0, 1, 2}, {0, 2, 1}}, {}};
  EXPECT_NE(error_of([&] { (void)volume(solid(Mesh(sheet))); }), "");
  EXPECT_EQ(signed_volume(solid(Mesh(sheet))), 0);
}

TEST(Volume, RefusesOtherShapes) {
  const Mesh mesh(closed_box({0, 0, 0}, {1, 1, 1}));
  const std::string e = error_of([&] { (void)volume(mesh); });
  EXPECT_NE(e.find("the shape is a mesh"), std::string::npos) << e;
  EXPECT_NE(e.find("solid(mesh)"), std::string::npos) << e;
  for (const AnyShape& s : {AnyShape(Point{}), AnyShape(Cylinder{{0, 0, 0}, {0, 0, 1}, 1}), AnyShape(Triangle{}), AnyShape(Compound({{Sphere{}, {}}}))})
    EXPECT_NE(error_of([&] { (void)volume(s); }), "") << type_name(s.kind());
  EXPECT_NE(error_of([&] { (void)signed_volume(mesh); }), "");
  EXPECT_NE(error_of([&] { (void)signed_volume(Box{}); }), "");
  EXPECT_NE(error_of([&] { (void)area(Sphere{}); }), "");
  EXPECT_NE(error_of([&] { (void)centroid(Segment{}); }), "");
}

TEST(Volume, HasNoLimitsOfSize) {
  EXPECT_EQ(volume(solid(Mesh(closed_box({0, 0, 0}, {0x1p-1000, 1, 1})))), 0x1p-1000);
  EXPECT_EQ(volume(solid(Mesh(closed_box({0, 0, 0}, {0x1p-1000, 0x1p-1000, 1})))), 0x1p-1074) << "positive, so it does not round to 0";
  EXPECT_EQ(volume(solid(Mesh(closed_box({0, 0, 0}, {0x1p1000, 0x1p1000, 1})))), std::numeric_limits<double>::max());
  EXPECT_EQ(volume(solid(Mesh(closed_box({0, 0, 0}, {0x1p1000, 0x1p-1000, 1})))), 1);
  EXPECT_EQ(area(Mesh(closed_box({0, 0, 0}, {0x1p-1000, 1, 1}))), 2);
  EXPECT_EQ(area(Mesh(closed_box({0, 0, 0}, {0x1p600, 0x1p600, 1}))), std::numeric_limits<double>::max());
  EXPECT_EQ(*centroid(solid(Mesh(closed_box({0, 0, 0}, {0x1p1000, 0x1p-1000, 2})))), Vec3(0x1p999, 0x1p-1001, 1));
  // 1 up to less than half an ulp, which pairs of doubles cannot see
  MeshData d = closed_box({0, 0, 0}, {1, 1, 1});
  append(d, closed_box({2, 0, 0}, {3, 0x1p-90, 0x1p-90}));
  EXPECT_EQ(volume(solid(Mesh(d))), 1);
  MeshData tie = closed_box({0, 0, 0}, {1, 1, 1});  // a tie but for the third body
  append(tie, closed_box({2, 0, 0}, {3, 0x1p-53, 1}));
  append(tie, closed_box({4, 0, 0}, {5, 0x1p-90, 0x1p-90}));
  EXPECT_EQ(volume(solid(Mesh(tie))), 1 + 0x1p-52);
}

TEST(Area, OfTrianglesIsNearTheSumOfTheirRoots) {
  Random r(7);
  for (const test::NamedMesh& m : test::meshes()) {
    for (const std::optional<Pose>& pose : test::poses_for(r, m)) {
      const Mesh mesh(m.data);
      const double a = pose ? area(at(mesh, *pose)) : area(mesh);
      // sum of roots, each as an integer: floor(sqrt(n 2^2k)) / 2^k with an error below 2^-k
      Q sum = 0, n_largest = 0;
      std::vector<Q> squares;
      for (std::size_t t = 0; t < m.data.triangles.size(); ++t) {
        const QVec p = corner(m.data, t, 0, pose), n = cross(corner(m.data, t, 1, pose) - p, corner(m.data, t, 2, pose) - p);
        squares.push_back(dot(n, n));
        n_largest = std::max(n_largest, squares.back());
      }
      if (n_largest == 0) {
        EXPECT_EQ(a, 0) << m.name;
        continue;
      }
      const auto bits = [](const boost::multiprecision::cpp_int& x) { return static_cast<int>(msb(x)); };
      const int size = (bits(numerator(n_largest)) - bits(denominator(n_largest))) / 2, k = 100 - size;  // 2^-k is 2^-100 of the largest root
      for (const Q& square : squares) {
        const boost::multiprecision::cpp_int whole =
            k >= 0 ? (numerator(square) << (2 * k)) / denominator(square) : numerator(square) / (denominator(square) << (-2 * k));
        const boost::multiprecision::cpp_int root = sqrt(whole);
        sum += k >= 0 ? Q(root, boost::multiprecision::cpp_int(1) << k) : Q(root << -k);
      }
      const Q half = std::min(Q(sum / 2), Q(std::numeric_limits<double>::max()));
      EXPECT_LE(Q(abs(Q(a) - half)), std::max(half * Q(0x1p-52) * Q(1 + 0x1p-30), Q(0x1p-1074))) << m.name << (pose ? ", placed" : "") << ": " << a;
    }
  }
}

TEST(Area, OfNeedlesAndKnownShapes) {
  EXPECT_EQ(area(Triangle{{Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, 4, 0)}}), 6);
  EXPECT_EQ(area(Polygon{{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}}), 6);
  EXPECT_EQ(area(solid(Mesh(closed_box({0, 0, 0}, {1, 2, 3})))), 22);
  const std::vector<double> heights = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(area(HeightField(Vec3(0, 0, 0), 1, 2, 3, heights)), 8);
  // collinear but for the last bit of one coordinate, far from the origin
  const Vec3 a(1e15, 1e15, 0), b(1e15 + 1, 1e15 + 1, 0), c(1e15 + 1024, 1e15 + 1024.125, 0);
  EXPECT_EQ(area(Triangle{{a, b, c}}), 0.0625);
  EXPECT_EQ(area(Triangle{{a, b, Vec3(1e15 + 1024, 1e15 + 1024, 0)}}), 0);
  EXPECT_EQ(area(Triangle{{Vec3(0, 0, 0), Vec3(0.1, 0.1, 0.1), Vec3(0.7, 0.7, 0.7)}}), 0);
  EXPECT_FALSE(centroid(Triangle{{Vec3(0, 0, 0), Vec3(0.1, 0.1, 0.1), Vec3(0.7, 0.7, 0.7)}}));
  EXPECT_FALSE(centroid(Mesh(MeshData{})));
  EXPECT_EQ(area(Mesh(MeshData{})), 0);
}

TEST(Centroid, OfASurfaceWeighsByArea) {
  EXPECT_EQ(*centroid(Triangle{{Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, 3, 6)}}), Vec3(1, 1, 2));
  EXPECT_EQ(*centroid(Mesh(closed_box({1, 2, 3}, {3, 4, 7}))), Vec3(2, 3, 5));
  MeshData two{{Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, 3, 0), Vec3(0, 0, 9), Vec3(6, 0, 9), Vec3(0, 6, 9)}, {{0, 1, 2}, {3, 4, 5}}, {}};  // areas 1 : 4
  expect_near(centroid(Mesh(two)), Vec3((1 + 4 * 2) / 5.0, (1 + 4 * 2) / 5.0, 4 * 9 / 5.0), 9);
  MeshData tiny = two;
  for (Vec3& p : tiny.vertices) p = p * 0x1p-300;
  expect_near(centroid(Mesh(tiny)), *centroid(Mesh(two)) * 0x1p-300, 9 * 0x1p-300);
}

TEST(Measures, OfConvexShapesAreThoseOfTheirSolids) {
  Random r(8);
  EXPECT_EQ(volume(Box{{0, 0, 0}, {1, 2, 3}}), 6);
  EXPECT_EQ(area(Box{{0, 0, 0}, {1, 2, 3}}), 22);
  EXPECT_EQ(area(Box{{0, 0, 0}, {1, 2, 0}}), 4) << "both sides";
  EXPECT_EQ(volume(Box{{0, 0, 0}, {1, 2, 0}}), 0);
  EXPECT_FALSE(centroid(Box{{0, 0, 0}, {1, 2, 0}}));
  EXPECT_EQ(volume(OrientedBox{{5, 5, 5}, {Vec3(1, 1, 0), Vec3(0, 2, 0), Vec3(0, 0, -3)}, {1, 1, 0.5}}), 24);
  EXPECT_EQ(*centroid(OrientedBox{{5, 6, 7}, {Vec3(1, 1, 0), Vec3(0, 2, 0), Vec3(0, 0, -3)}, {1, 1, 0.5}}), Vec3(5, 6, 7));
  EXPECT_EQ(area(Hull{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), 2) << "both sides";
  EXPECT_EQ(volume(Hull{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 0);
  EXPECT_EQ(area(Hull{{0, 0, 0}, {1, 0, 0}}), 0);
  for (int round = 0; round < test::rounds(50); ++round) {
    Box box{r.point(-3, 0), r.point(0.25, 3)};
    const Solid s = solid(Mesh(closed_box(box.min, box.max)));
    EXPECT_EQ(volume(box), volume(s));
    EXPECT_NEAR(area(box), area(s), area(s) * 0x1p-51);
    const Pose quarter = r.quarter_turn(2);
    EXPECT_EQ(volume(at(box, quarter)), volume(box)) << "a quarter turn rounds nothing of a placed box";
    const Pose pose = r.pose(2);
    EXPECT_NEAR(volume(at(box, pose)), volume(box), volume(box) * 1e-14);
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.emplace_back(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z);
    const Hull hull{std::span<const Vec3>(corners)};
    EXPECT_EQ(volume(hull), volume(box));
    EXPECT_NEAR(volume(at(hull, pose)), volume(at(s, pose)), volume(s) * 1e-14);  // placing bends the faces, whose hull it is
    for (int k = 0; k < 3; ++k) EXPECT_NEAR((*centroid(at(hull, pose)))[k], (*centroid(at(box, pose)))[k], 1e-14);
  }
}

TEST(Measures, AreTheSameForAnyNumberOfThreads) {
  const Mesh mesh(ball(60, Vec3(1e5, 3, -7), 1.7));
  const Solid s = solid(mesh);
  const Pose pose = Pose::from_quaternion(1, 2, 3, 4, Vec3(0.1, 0.2, 0.3));
  std::vector<double> first;
  for (const int threads : {1, 2, 3, 8}) {
    set_threads(threads);
    const Vec3 c = *centroid(at(s, pose)), d = *centroid(mesh);
    const std::vector<double> all = {volume(s), signed_volume(at(s, pose)), area(mesh), area(at(s, pose)), c.x, c.y, c.z, d.x, d.y, d.z};
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << threads;
  }
  set_threads(0);
}

}  // namespace
}  // namespace graze::measure_test
