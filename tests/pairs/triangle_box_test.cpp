// Triangle against box.
#include "pairs/triangle_box.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(TriangleBox, AgreesWithGeneric) { check_pair<Triangle, Box>(); }

}  // namespace
}  // namespace graze
