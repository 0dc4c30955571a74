// Sphere against triangle.
#include "pairs/sphere_triangle.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(SphereTriangle, AgreesWithGeneric) { check_pair<Triangle, Sphere>(); }

}  // namespace
}  // namespace graze
