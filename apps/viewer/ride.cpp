// Computes the eye of a riding camera by a sweep.
#include "viewer/ride.hpp"
#include <graze/sweep.hpp>

namespace graze::view {

Vec3 eye_behind(const Scene& fixed, const Vec3& seat, const Vec3& wanted, double radius) {
  if (wanted == seat) return seat;
  // Nearer to a wall than the ball's radius, as bouncing points are at times, a smaller ball is swept.
  for (int i = 0; i < 4; ++i, radius *= 0.25) {
    const Sphere ball{seat, radius};
    if (fixed.intersects(ball)) continue;
    const auto hit = fixed.sweep(ball, wanted - seat);
    const Vec3 eye = !hit ? wanted : hit->hit.moved ? seat + hit->hit.safe.translation : seat;
    if (!fixed.intersects(Segment{seat, eye})) return eye;
  }
  return seat;
}

}  // namespace graze::view
