// Exact comparison of candidates for the first contact.
#include "sweep/linear/earliest_contact.hpp"

#include <algorithm>
#include <cmath>

#include "convex/time/exact_time.hpp"

namespace graze {
namespace {

using FeatureCorner = ContactFeature::Corner;

/// Whether two lists have the same corners, but for the coordinates to `ignore`.
bool same(const FeatureCorner* p, int np, const FeatureCorner* q, int nq, const bool (&ignore)[3]) {
  const auto equal = [&](const FeatureCorner& x, const FeatureCorner& y) {
    for (int i = 0; i < 3; ++i)
      if (!ignore[i] && x.base[i] != y.base[i]) return false;
    return x.bits == y.bits;
  };
  const auto all_in = [&](const FeatureCorner* x, int nx, const FeatureCorner* y, int ny) {
    return std::all_of(x, x + nx, [&](const FeatureCorner& c) { return std::any_of(y, y + ny, [&](const FeatureCorner& d) { return equal(c, d); }); });
  };
  return all_in(p, np, q, nq) && all_in(q, nq, p, np);
}

/// Whether the same corners of one side touch the same shape, or the same corners, of the other. The times are then the same. Where the normal is 0 in a
/// coordinate, its plane keeps the projections along that coordinate apart until they touch, so that the time is theirs: corners may differ in it, as those of
/// the triangles of a flat or an upright wall do.
bool same(const PairContact& p, const PairContact& q, bool same_a, bool same_b, bool points_a, bool points_b) {
  const ContactFeature &f = p.feature, &g = q.feature;
  if (f.count == 0 || g.count == 0) return false;
  bool ignore[3];
  for (int i = 0; i < 3; ++i) ignore[i] = p.flat[i] && q.flat[i];
  return (same_a || (points_a && same(f.a, f.count, g.a, g.count, ignore))) && (same_b || (points_b && same(f.b, f.count, g.b, g.count, ignore)));
}

/// Requires no contact at the double below t, nor at 0 if t is that double.
ExactTime exact_time(const PairContact& c, const ConvexSet* a, const Motion& motion, const ConvexSet* b) {
  return c.exact || !a ? ExactTime(c.t) : ExactTime(*a, motion, *b, c.t > 0 ? next_down(c.t) : 0);
}

}  // namespace

int EarliestContact::compare(const PairContact& c, const ConvexSet* a, const ConvexSet* b, const SweepIds& ids) const {
  if (c.inside || best_.inside) return static_cast<int>(best_.inside) - static_cast<int>(c.inside);
  if (c.t != best_.t) return c.t < best_.t ? -1 : 1;
  if (c.exact && best_.exact) return 0;
  const bool convex_sets = a && !curved_;
  const bool same_a = ids.child_a == ids_.child_a && ids.triangle_a == ids_.triangle_a,
             same_b = ids.child_b == ids_.child_b && ids.triangle_b == ids_.triangle_b;
  if (convex_sets && a->radius == a_.radius && b->radius == b_.radius &&
      same(c, best_, same_a, same_b, a->segments + a_.segments == 0, b->segments + b_.segments == 0))
    return 0;
  if (c.has_fine && best_.has_fine) {
    const int s = sign_of(c.fine - best_.fine);
    if (s == 1 || s == -1) return s;
  }
  return graze::compare(exact_time(c, a, motion_, b), exact_time(best_, curved_ ? nullptr : &a_, motion_, &b_));
}

void EarliestContact::take(const PairContact& c, const ConvexSet* a, const ConvexSet* b, const SweepIds& ids) {
  if (c.inside) {
    if (c.departing && skip_) return;
    all_departing_ = all_departing_ && c.departing;
  }
  if (found_) {
    const int order = compare(c, a, b, ids);
    if (order > 0 || (order == 0 && ids >= ids_)) return;
  }
  found_ = true;
  best_ = c;
  ids_ = ids;
  curved_ = a == nullptr;
  if (a) {
    a_ = *a;
    b_ = *b;
  }
  limit_ = c.inside ? 0 : c.exact ? c.t : std::min(next_up(c.t), 1.0);
}

/// The normal differs from that of the contact by at most 16 * 2^-53 a component, and the differences and the product err by as little again: 2^-46 is far
/// more. Corners of the contact's feature lie in the plane.
bool EarliestContact::settled_by_plane(const Triangle& t, const SweepIds& ids) const {
  if (!found_ || best_.inside || curved_ || best_.feature.count == 0 || b_.radius != 0 || ids <= ids_) return false;
  if (ids.child_a != ids_.child_a || ids.triangle_a != ids_.triangle_a) return false;  // the plane keeps only this part of the mover away
  const Vec3 n = best_.normal, f = best_.feature.b[0].base;
  if (n == Vec3(0, 0, 0)) return false;
  for (const Vec3& p : t.points) {
    bool known = false;
    for (int k = 0; k < best_.feature.count; ++k) known = known || (best_.feature.b[k].base == p && best_.feature.b[k].bits == 0);
    if (known) continue;
    const double x = p.x - f.x, y = p.y - f.y, z = p.z - f.z, level = (n.x * x + n.y * y) + n.z * z;
    if (!(level < -0x1p-46 * (std::fabs(x) + std::fabs(y) + std::fabs(z)))) return false;
  }
  return true;
}

}  // namespace graze
