// Segment, ray and line against a box.
#include "pairs/line_box.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(LineBox, SegmentAgreesWithGeneric) { check_pair<Segment, Box>(); }
TEST(LineBox, RayAgreesWithGeneric) { check_pair<Ray, Box>(); }
TEST(LineBox, LineAgreesWithGeneric) { check_pair<Line, Box>(); }

}  // namespace
}  // namespace graze
