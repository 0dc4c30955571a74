// Ray and line against a sphere.
#include "pairs/line_sphere.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(LineSphere, RayAgreesWithGeneric) { check_pair<Ray, Sphere>(); }
TEST(LineSphere, LineAgreesWithGeneric) { check_pair<Line, Sphere>(); }

}  // namespace
}  // namespace graze
