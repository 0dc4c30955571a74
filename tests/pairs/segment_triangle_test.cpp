// Segment against triangle.
#include "pairs/segment_triangle.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(SegmentTriangle, AgreesWithGeneric) { check_pair<Segment, Triangle>(); }

}  // namespace
}  // namespace graze
