// Sphere and point against segment and capsule.
#include "pairs/sphere_segment.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(SphereSegment, AgreesWithGeneric) { check_pair<Segment, Sphere>(); }
TEST(SphereSegment, CapsuleAgreesWithGeneric) { check_pair<Sphere, Capsule>(); }
TEST(SphereSegment, PointAndCapsuleAgreeWithGeneric) { check_pair<Point, Capsule>(); }

}  // namespace
}  // namespace graze
