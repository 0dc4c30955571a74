// The loop that a user of the library writes: sweep to the first contact, answer, go on with what is left of the time.
#include "viewer/motion.hpp"

namespace graze::view {

Vec3 fly(const AnyShape& body, const Vec3& from, Vec3& v, double dt, ShapeRef target, const Bounciness& answer, std::vector<FlightHit>* hits, int most) {
  Vec3 p = from;
  double left = dt;
  for (int i = 0; i <= most; ++i) {
    const Vec3 motion = v * left;
    const auto hit = sweep(at(body, translation(p)), motion, target, SweepOptions{true});
    if (!hit) {
      const Vec3 to = p + motion;  // rounded: where that matters, the body stays for this step
      const bool good = body.get<Point>() ? !raycast_any(Segment{p, to}, target) || p == from : !intersects(at(body, translation(to)), target);
      return good ? to : p;
    }
    if (hit->moved) p = hit->safe.translation;
    if (!hit->normal) {
      v = Vec3(0, 0, 0);
      return p;
    }
    const Vec3 n = *hit->normal, normal_part = n * dot(v, n), along = v - normal_part;
    if (hits) hits->push_back({hit->point, n});
    v = answer.slide ? along : along * (1 - answer.friction) - normal_part * answer.restitution;
    left *= 1 - hit->t;
  }
  v = Vec3(0, 0, 0);
  return p;
}

}  // namespace graze::view
