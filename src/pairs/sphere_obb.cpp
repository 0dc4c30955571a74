// Sphere against oriented box: the filter.
#include "pairs/sphere_obb.hpp"

#include "pairs/detail/obb_generators.hpp"

namespace graze {

namespace filter {
#include "pairs/sphere_obb-inl.hpp"
}

Certain intersects_pair(const Sphere& ball, const OrientedBox& box) {
  using namespace filter;
  return certain(decide_ball_box(difference(ball.center, box.center), {generator(box, 0), generator(box, 1), generator(box, 2)}, ball.radius));
}

}  // namespace graze
