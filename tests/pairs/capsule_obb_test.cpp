// Capsule against oriented box: the filter against the generic decision.
#include "pairs/capsule_obb.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(CapsuleObb, AgreesWithGeneric) { check_pair<OrientedBox, Capsule>(0, 900); }

}  // namespace
}  // namespace graze
