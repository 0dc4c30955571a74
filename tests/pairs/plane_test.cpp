// Planes and half-spaces against bounded shapes.
#include "pairs/detail/plane.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(Plane, PointAgreesWithGeneric) { check_pair<Point, Plane>(0, 0, false); }
TEST(Plane, SegmentAgreesWithGeneric) { check_pair<Segment, Plane>(); }
TEST(Plane, TriangleAgreesWithGeneric) { check_pair<Triangle, Plane>(); }
TEST(Plane, SphereAgreesWithGeneric) { check_pair<Sphere, Plane>(); }
TEST(Plane, CapsuleAgreesWithGeneric) { check_pair<Capsule, Plane>(); }
TEST(Plane, BoxAgreesWithGeneric) { check_pair<Box, Plane>(); }
TEST(Plane, OrientedBoxAgreesWithGeneric) { check_pair<OrientedBox, Plane>(0, 400); }
TEST(HalfSpace, PointAgreesWithGeneric) { check_pair<Point, HalfSpace>(); }
TEST(HalfSpace, SegmentAgreesWithGeneric) { check_pair<Segment, HalfSpace>(); }
TEST(HalfSpace, TriangleAgreesWithGeneric) { check_pair<Triangle, HalfSpace>(); }
TEST(HalfSpace, SphereAgreesWithGeneric) { check_pair<Sphere, HalfSpace>(); }
TEST(HalfSpace, CapsuleAgreesWithGeneric) { check_pair<Capsule, HalfSpace>(); }
TEST(HalfSpace, BoxAgreesWithGeneric) { check_pair<Box, HalfSpace>(); }
TEST(HalfSpace, OrientedBoxAgreesWithGeneric) { check_pair<OrientedBox, HalfSpace>(0, 400); }

}  // namespace
}  // namespace graze
