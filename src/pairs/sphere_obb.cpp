// Sphere against oriented box: the filter.
#include "pairs/sphere_obb.hpp"

#include "pairs/detail/obb_generators.hpp"

namespace graze {

namespace filter {
#include "pairs/sphere_obb-inl.hpp"
}

namespace {
Certain decide(const Sphere& ball, const OrientedBox& box, double off) {
  using namespace filter;
  return certain(decide_ball_box(difference(ball.center, box.center), {generator(box, 0), generator(box, 1), generator(box, 2)}, ball.radius, off));
}
}  // namespace

Certain intersects_pair(const Sphere& ball, const OrientedBox& box) { return decide(ball, box, 0); }
Certain intersects_pair(const Sphere& ball, const RoundedBox& box) { return decide(ball, box.box, box.off); }

}  // namespace graze
