// Capsule against capsule and segment.
#include "pairs/capsule_capsule.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(CapsuleCapsule, AgreesWithGeneric) { check_pair<Capsule, Capsule>(); }
TEST(CapsuleCapsule, SegmentAgreesWithGeneric) { check_pair<Segment, Capsule>(); }

}  // namespace
}  // namespace graze
