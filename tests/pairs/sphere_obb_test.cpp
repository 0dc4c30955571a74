// Sphere against oriented box: the filter against the generic decision.
#include "pairs/sphere_obb.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(SphereObb, AgreesWithGeneric) { check_pair<Sphere, OrientedBox>(0, 900); }

}  // namespace
}  // namespace graze
