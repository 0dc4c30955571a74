// Validation: each kind of defect with its message; names of kinds; references to any shape.
#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/shapes.hpp>

#include <cmath>
#include <limits>
#include <tuple>

#include "shapes/placement.hpp"
#include "support/exact_oracle.hpp"

using namespace graze;
using oracle::message_of;

namespace {
const double nan_ = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
std::string why(ShapeRef s) {
  return message_of([&] { validate(s); });
}
const std::string ok = "(nothing thrown)";
}  // namespace

TEST(Validate, NamesFieldValueAndExpectation) {
  EXPECT_EQ(why(Sphere{Vec3(0, 0, 0), -1}), "sphere: radius is -1, must be >= 0");
  EXPECT_EQ(why(Sphere{Vec3(0, nan_, 0), 1}), "sphere: center.y is NaN, must be finite");
  EXPECT_EQ(why(Sphere{Vec3(0, 0, 0), nan_}), "sphere: radius is NaN, must be finite");
  EXPECT_EQ(why(Ray{Vec3(0, 0, 0), Vec3(0, -0.0, 0)}).substr(0, 18), "ray: direction is ");
  EXPECT_NE(why(Line{Vec3(0, 0, 0), Vec3(0, 0, 0)}), ok);
  EXPECT_NE(why(Plane{Vec3(0, 0, 0), Vec3(0, 0, 0)}), ok);
  EXPECT_NE(why(HalfSpace{Vec3(0, 0, 0), Vec3(0, inf, 0)}), ok);
  EXPECT_EQ(why(Box{Vec3(2, 0, 0), Vec3(1, 1, 1)}), "box: min.x is 2, must be <= max.x (1)");
  EXPECT_EQ(why(Triangle{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, -inf, 0)}}), "triangle: points[2].y is -infinity, must be finite");
  EXPECT_EQ(why(OrientedBox{Vec3(0, 0, 0), {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, Vec3(1, 1, -0.5)}), "obb: half.z is -0.5, must be >= 0");
  EXPECT_EQ(why(Capsule{Vec3(0, 0, 0), Vec3(0, 0, 1), -2}), "capsule: radius is -2, must be >= 0");
  EXPECT_EQ(why(Cylinder{Vec3(1, 1, 1), Vec3(1, 1, 1), 2}), "cylinder: a equals b, so the axis has no direction; radius is 2, must be 0 then");
  EXPECT_EQ(why(Cone{Vec3(0, 0, 0), Vec3(-0.0, 0, 0), 2}), "cone: a equals b, so the axis has no direction; radius is 2, must be 0 then");
  EXPECT_EQ(why(TruncatedCone{Vec3(0, 0, 0), Vec3(0, 0, 0), 0, 2}), "truncated_cone: a equals b, so the axis has no direction; radius_b is 2, must be 0 then");
  EXPECT_EQ(why(Ellipsoid{Vec3(0, 0, 0), Vec3(1, -1, 1)}), "ellipsoid: radii.y is -1, must be >= 0");
}

TEST(Validate, AcceptsDegenerateShapes) {
  EXPECT_EQ(why(Sphere{}), ok);
  EXPECT_EQ(why(Box{}), ok);
  EXPECT_EQ(why(Segment{}), ok);
  EXPECT_EQ(why(Triangle{}), ok);
  EXPECT_EQ(why(OrientedBox{Vec3(0, 0, 0), {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)}, Vec3(0, 0, 0)}), ok);
  EXPECT_EQ(why(Cylinder{Vec3(0, 0, 0), Vec3(0, 0, 0), 0}), ok);
  EXPECT_EQ(why(Ellipsoid{}), ok);
  EXPECT_EQ(why(Ray{Vec3(0, 0, 0), Vec3(0, 5e-324, 0)}), ok);
  EXPECT_EQ(why(Hull{Vec3(0, 0, 0)}), ok);
}

TEST(Validate, RefusesInvalidPoses) {
  const Sphere s{Vec3(0, 0, 0), 1};
  Pose p;
  EXPECT_EQ(why(at(s, p)), ok);
  p.translation.x = nan_;
  EXPECT_EQ(why(at(s, p)), "sphere: pose: translation: x is NaN, must be finite");
  p = Pose{};
  p.rotation[0][0] = -1;
  EXPECT_NE(why(at(s, p)).find("reflection"), std::string::npos);
}

TEST(Validate, RefusesPosesThatOverflowAVertex) {
  const Pose far = translation(Vec3(1e308, 0, 0));
  const auto refused = [&](ShapeRef s, const std::string& what) { EXPECT_EQ(why(s), what + " is moved by the pose beyond the largest double"); };
  refused(at(Sphere{Vec3(1e308, 0, 0), 1}, far), "sphere: center at (1e+308, 0, 0)");
  refused(at(Triangle{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1.5e308, 0, 0)}}, far), "triangle: points[2] at (1.5e+308, 0, 0)");
  const Vec3 points[] = {Vec3(0, 0, 0), Vec3(1e308, 0, 0), Vec3(0, 1, 0)};
  refused(at(Hull(points), far), "convex: points[1] at (1e+308, 0, 0)");
  const TriangleIndices triangles[] = {{0, 1, 2}};
  const Mesh mesh{VertexView(std::span<const Vec3>(points)), triangles};
  refused(at(mesh, far), "mesh: vertices[1] at (1e+308, 0, 0)");
  const Compound compound{{{Sphere{Vec3(0, 0, 0), 1}, far}}};
  refused(at(compound, far), "sphere: center at (0, 0, 0)");
  EXPECT_EQ(why(at(Box{Vec3(0, 0, 0), Vec3(1e308, 1, 1)}, far)), ok);  // its corners are sums, not doubles
  EXPECT_EQ(why(at(Sphere{Vec3(1e307, 0, 0), 1}, far)), ok);
}

// The largest coordinate decides only where it proves that all placed vertices are finite; it counts vertices that no triangle uses.
TEST(Validate, LargeCoordinatesAreCheckedOneByOne) {
  const Pose far = translation(Vec3(1e308, 0, 0)), turned = Pose::quarter_turn(Axis::z, 1, Vec3(1e308, 0, 0));
  const auto points = [](double x, double y) { return std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(x, y, 0)}; };
  const TriangleIndices triangles[] = {{0, 1, 2}};
  for (const auto& [x, y, refused_far, refused_turned] : {std::tuple(1e308, 0.0, true, false), std::tuple(0.0, -1e308, false, true),
                                                          std::tuple(-1e308, 0.0, false, false), std::tuple(0x1p1001, 1.0, false, false)}) {
    const std::vector<Vec3> p = points(x, y);
    const Mesh mesh{VertexView(p), triangles};
    EXPECT_EQ(largest_coordinate(mesh), std::max(std::fabs(x), std::fabs(y)));
    EXPECT_EQ(largest_coordinate(mesh.refit(VertexView(points(2, 0)))), 2);
    EXPECT_EQ(why(at(mesh, far)) != ok, refused_far);
    EXPECT_EQ(why(at(mesh, turned)) != ok, refused_turned);
    const Hull hull(p);
    EXPECT_EQ(why(at(hull, far)) != ok, refused_far);
    EXPECT_EQ(why(at(hull, turned)) != ok, refused_turned);
    const Compound compound{{{mesh, translation(Vec3(0, 0, 1))}, {hull, Pose{}}}};
    EXPECT_EQ(why(at(compound, far)) != ok, refused_far);
    EXPECT_EQ(why(at(compound, turned)) != ok, refused_turned);
  }
  EXPECT_EQ(largest_coordinate(Mesh(MeshData{})), 0);
  EXPECT_EQ(why(at(Mesh(MeshData{points(1, 1), {{0, 1, 2}}, {}}), far)), ok);
}

TEST(Shapes, NamesAndReferences) {
  EXPECT_STREQ(type_name(kind_of<Sphere>), "sphere");
  EXPECT_STREQ(type_name(kind_of<Compound>), "compound");
  EXPECT_STREQ(type_name(static_cast<Kind>(200)), "unknown");
  const AnyShape any = Sphere{Vec3(1, 2, 3), 4};
  const ShapeRef ref = any;
  ASSERT_NE(ref.get<Sphere>(), nullptr);
  EXPECT_EQ(ref.get<Sphere>(), any.get<Sphere>());
  EXPECT_EQ(ref.get<Box>(), nullptr);
  const Placed placed = at(any, translation(Vec3(1, 0, 0)));
  EXPECT_EQ(placed.shape, any.get<Sphere>());
  EXPECT_EQ(placed.kind, kind_of<Sphere>);
}

TEST(Compound, ChecksItsChildren) {
  const Compound c{{{Sphere{Vec3(0, 0, 0), 1}, Pose{}}, {Box{}, translation(Vec3(1, 2, 3))}}};
  EXPECT_EQ(c.children().size(), 2u);
  EXPECT_EQ(message_of([] { Compound{{{Box{}, Pose{}}, {Sphere{Vec3(0, 0, 0), -1}, Pose{}}}}; }), "compound: child 1: sphere: radius is -1, must be >= 0");
  EXPECT_EQ(message_of([&] { Compound{{{c, Pose{}}}}; }).substr(0, 32), "compound: child 0 is a compound:");
  EXPECT_TRUE(Compound{std::vector<Compound::Child>{}}.children().empty());
}
