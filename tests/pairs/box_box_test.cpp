// Box against box, point and sphere.
#include "pairs/box_box.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(BoxBox, AgreesWithGeneric) { check_pair<Box, Box>(); }
TEST(BoxBox, PointAgreesWithGeneric) { check_pair<Point, Box>(); }
TEST(BoxBox, SphereAgreesWithGeneric) { check_pair<Sphere, Box>(); }

}  // namespace
}  // namespace graze
