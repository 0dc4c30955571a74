// Sphere against oriented box: the centre in coordinates along the axes, clamped to the box, is the nearest point when the axes are at right angles. The result
// is proven from both sides for any axes (docs/derivations/round_boxes.md).
#include "pairs/sphere_obb.hpp"

#include <cmath>

#include "pairs/detail/obb_generators.hpp"

namespace graze {

Certain intersects_pair(const Sphere& ball, const OrientedBox& box) {
  using namespace filter;
  const Triple t = difference(ball.center, box.center), u[3] = {generator(box, 0), generator(box, 1), generator(box, 2)};
  Triple x = t;
  for (const Triple& v : u) {
    const double s = clamped_symmetric(dot(t, v) / (dot(v, v) + kTinySquare));
    x = {x.x - s * v.x, x.y - s * v.y, x.z - s * v.z};
  }
  const double m = max_norm(t) + ((max_norm(u[0]) + max_norm(u[1])) + max_norm(u[2])), xx = dot(x, x);
  // Each coordinate of x: u m (t) + 2 u m (products) + 3 u m (sums); the vector sqrt(3) 6 u m < 11 u m.
  const bool inside = proves_within(xx, ball.radius, kSphereBoxSlack * m);
  // Each product 4 u |x|_1 of its size, their sum 3 u |x|_1 m: below 8 u |x|_1 m.
  const double level = (dot(x, t) - ((std::fabs(dot(x, u[0])) + std::fabs(dot(x, u[1]))) + std::fabs(dot(x, u[2])))) - kSphereBoxSlack * (taxicab(x) * m);
  if (either(inside, proves_apart(level, xx, ball.radius))) [[likely]]
    return certain(inside);
  return Certain::unknown;
}

}  // namespace graze
