// Contact patches: two features are projected along the normal, clipped against each other (I. E. Sutherland, G. W. Hodgman 1974), and lifted to both surfaces.
// Nothing is decided here: whether the operands meet, and the least depth, are known. Rounding may add or remove points at the patch's border.
#include "convex/depth/contact_patch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "convex/decide/curved_decide.hpp"
#include "convex/depth/closed_patch.hpp"
#include "convex/depth/features.hpp"
#include "convex/depth/zonotope_depth.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

constexpr double kVerySmall = 0x1p-10;  ///< size, relative to the other operand's, below which doubles do not tell the places on the larger one apart

/// Distances within which places and heights count as equal. Choices, far below the 2^-36 of the smaller operand's size that points may be off.
struct Slack {
  double place;   ///< what rounding may produce
  double height;  ///< by which the features' heights may miss the least depth, and a face its corners
  Slack(const FeatureFrame& frame, bool in_pairs, bool curved) {
    const double world = std::min(frame.coordinates, 0x1p20) * 0x1p-52;
    place = (0x1p-40 * frame.small + (in_pairs ? 0x1p-96 : 0x1p-49)) + world;
    height = 4 * (place - world) + 2 * world;
    if (curved) {
      place = std::max(place, 0x1p-30 * frame.small);
      height = std::max(height, 0x1p-24 * frame.small);
    }
  }
};

template <class N>
N clamped01(const N& t) {
  const double x = rounded(t);
  return x > 0 ? (x < 1 ? t : N(1)) : N(0);
}

/// A place in the projection, and the heights of both surfaces above it, along the direction from A to B.
template <class N>
struct Place {
  N x, y, a, b;
  double overlap;  ///< a - b
  bool common;     ///< both features are there
};

template <class N>
struct Projection {
  V3<N> e1, e2, m;
  explicit Projection(const Double3& direction) {
    const double x = std::fabs(direction.x), y = std::fabs(direction.y), z = std::fabs(direction.z);
    Double3 e = cross(direction, x <= y && x <= z ? Double3{1, 0, 0} : y <= z ? Double3{0, 1, 0} : Double3{0, 0, 1});
    const double length = std::sqrt(dot(e, e));
    e = {e.x / length, e.y / length, e.z / length};
    const Double3 f = cross(direction, e);
    m = {direction.x, direction.y, direction.z};
    e1 = {e.x, e.y, e.z};
    e2 = {f.x, f.y, f.z};
  }
  V3<N> operator()(const V3<N>& p) const { return {dot(p, e1), dot(p, e2), dot(p, m)}; }
};

/// A feature in the projection: z is the height.
template <class N>
struct Flat {
  int count = 0;
  V3<N> corner[kMostCorners];
  V3<N> slope{N(0), N(0), N(0)};  ///< of a face or plane: its height is slope.z + slope.x x + slope.y y
  bool good = true;               ///< no corner is off the plane of a face
  bool thin = false;              ///< a face that is much longer than wide: the lines of its edges do not tell well how far it extends

  Flat(const Feature<N>& f, const Projection<N>& to, const Slack& slack) : count(f.count) {
    for (int k = 0; k < count; ++k) corner[k] = to(f.corner[k]);
    if (count == 1 || count == 2) return;
    const V3<N> n = to(f.normal);
    slope = {-n.x / n.z, -n.y / n.z, N(0)};
    slope.z = f.is_plane() ? f.level / n.z : corner[0].z - (slope.x * corner[0].x + slope.y * corner[0].y);
    if (is_plane()) return;
    for (int k = 1; k < count; ++k) good &= std::fabs(rounded(corner[k].z - height(corner[k].x, corner[k].y))) <= slack.height;
    const double area = rounded(n.z);
    if (area < 0) std::reverse(corner, corner + count);
    const int far = farthest_from(0), near = farthest_from(far);
    const double length = apart(far, near);
    thin = !(std::fabs(area) > 0x1p-10 * length * length);
    if (std::fabs(area) > slack.place * length) return;
    // As narrow as rounding: an edge or a corner, whose ends have their own heights.
    good = true;
    const V3<N> ends[2] = {corner[near], corner[far]};
    std::copy(ends, ends + 2, corner);
    count = length > slack.place ? 2 : 1;
  }
  bool is_face() const { return count > 2; }
  bool is_plane() const { return count == 0; }
  const V3<N>& next(int k) const { return corner[k + 1 == count ? 0 : k + 1]; }
  /// The height at (x, y), of an edge at its nearest point.
  N height(const N& x, const N& y) const {
    if (count == 1) return corner[0].z;
    if (count == 2) return corner[0].z + along(corner[0], corner[1], x, y) * (corner[1].z - corner[0].z);
    return slope.z + (slope.x * x + slope.y * y);
  }
  /// How far (x, y) is from the projection.
  double distance(const N& x, const N& y) const {
    if (count == 0) return 0;
    if (count <= 2) return from_edge(corner[0], corner[count - 1], x, y);
    double least = kInfinity;  // from the nearest of the edges that have the place on their outer side
    bool inside = !(thin && beyond(x, y));
    for (int k = 0; k < count; ++k) {
      const V3<N>&p = corner[k], &q = next(k);
      const double dx = rounded(q.x - p.x), dy = rounded(q.y - p.y);
      const bool left = dx * rounded(y - p.y) - dy * rounded(x - p.x) >= 0;
      inside &= left;
      if (!left || thin) least = std::min(least, from_edge(p, q, x, y));
    }
    return inside ? 0 : least;
  }

 private:
  /// Where (x, y) is nearest to an edge.
  static N along(const V3<N>& p, const V3<N>& q, const N& x, const N& y) {
    const N dx = q.x - p.x, dy = q.y - p.y, squared = dx * dx + dy * dy;
    return rounded(squared) > 0 ? clamped01(((x - p.x) * dx + (y - p.y) * dy) / squared) : N(0);
  }
  static double from_edge(const V3<N>& p, const V3<N>& q, const N& x, const N& y) {
    const N t = along(p, q, x, y);
    const double u = rounded(x - (p.x + t * (q.x - p.x))), v = rounded(y - (p.y + t * (q.y - p.y)));
    return std::sqrt(u * u + v * v);
  }
  double apart(int j, int k) const { return std::max(std::fabs(rounded(corner[j].x - corner[k].x)), std::fabs(rounded(corner[j].y - corner[k].y))); }
  int farthest_from(int j) const {
    int far = j;
    for (int k = 0; k < count; ++k)
      if (apart(j, k) > apart(j, far)) far = k;
    return far;
  }
  /// Whether (x, y) is before or after a face in its longest direction.
  bool beyond(const N& x, const N& y) const {
    const int far = farthest_from(0), near = farthest_from(far);
    const double dx = rounded(corner[far].x - corner[near].x), dy = rounded(corner[far].y - corner[near].y);
    bool before = true, after = true;
    for (int k = 0; k < count; ++k) {
      const double along = dx * rounded(x - corner[k].x) + dy * rounded(y - corner[k].y);
      before &= along <= 0;
      after &= along >= 0;
    }
    return before || after;
  }
};

/// The corners of a clipped feature. Each line of the other feature adds at most one corner; a line that rounding lets cross a loop more often loses the rest.
template <class N>
struct Places {
  int count = 0;
  Place<N> at[2 * kMostCorners];
  Places() {}  // leaves the places uninitialised
  void add(const N& x, const N& y) {
    if (count == 2 * kMostCorners) return;
    at[count].x = x;
    at[count++].y = y;
  }
};

/// Keeps what of the loop (of a face, or the two ends of an edge) lies to the left of the line from p to q.
template <class N>
void clip(Places<N>& loop, const V3<N>& p, const V3<N>& q, double place) {
  const N dx = q.x - p.x, dy = q.y - p.y;
  const double slack = -place * (std::fabs(rounded(dx)) + std::fabs(rounded(dy)));
  N side[2 * kMostCorners];
  bool in[2 * kMostCorners], all = true;
  for (int k = 0; k < loop.count; ++k) {
    side[k] = dx * (loop.at[k].y - p.y) - dy * (loop.at[k].x - p.x);
    in[k] = rounded(side[k]) >= slack;
    all &= in[k];
  }
  if (all) return;
  Places<N> kept;
  for (int k = 0; k < loop.count; ++k) {
    const bool last = k + 1 == loop.count;
    const int next = last ? 0 : k + 1;
    const Place<N>&c = loop.at[k], &d = loop.at[next];
    if (in[k]) kept.add(c.x, c.y);
    if (last && loop.count == 2) break;
    if (in[k] == in[next]) continue;
    const N t = clamped01(side[k] / (side[k] - side[next]));
    kept.add(c.x + t * (d.x - c.x), c.y + t * (d.y - c.y));
  }
  loop.count = kept.count;
  std::copy(kept.at, kept.at + kept.count, loop.at);
}

/// Where two edges cross.
template <class N>
void cross_edges(const Flat<N>& a, const Flat<N>& b, Places<N>& out) {
  const V3<N>&p = a.corner[0], &q = b.corner[0], d = a.corner[1] - p, e = b.corner[1] - q;
  const N t = clamped01(((q.x - p.x) * e.y - (q.y - p.y) * e.x) / (d.x * e.y - d.y * e.x));
  out.add(p.x + t * d.x, p.y + t * d.y);
}

/// The ends of what two edges share that lie along each other.
template <class N>
void overlap_edges(const Flat<N>& a, const Flat<N>& b, double place, Places<N>& out) {
  const V3<N>&p = a.corner[0], &q = b.corner[0], d = a.corner[1] - p, e = b.corner[1] - q;
  const N dd = d.x * d.x + d.y * d.y, ee = e.x * e.x + e.y * e.y;
  const auto along = [&](const V3<N>& c) { return clamped01(((c.x - p.x) * d.x + (c.y - p.y) * d.y) / dd); };
  const N s = along(q), t = along(b.corner[1]);
  const double length = std::sqrt(rounded(dd));
  for (const N& k : {s, t}) {
    const N x = p.x + k * d.x, y = p.y + k * d.y;  // on the edge of A; the place is halfway to that of B
    const N j = clamped01(((x - q.x) * e.x + (y - q.y) * e.y) / ee);
    out.add(N(0.5) * (x + (q.x + j * e.x)), N(0.5) * (y + (q.y + j * e.y)));
    if (std::fabs(rounded(s - t)) * length <= place) break;
  }
}

template <class N>
bool nearly_parallel(const Flat<N>& a, const Flat<N>& b) {
  const Double3 d = rounded(a.corner[1] - a.corner[0]), e = rounded(b.corner[1] - b.corner[0]);
  const double turn = d.x * e.y - d.y * e.x;
  return !(turn * turn > kNearlyParallel * kNearlyParallel * ((d.x * d.x + d.y * d.y) * (e.x * e.x + e.y * e.y)));
}

/// The corners of the common part of both projections, unless both are edges: of the simpler feature, within the other one if that is a face. Returns whether
/// the simpler one, in which all of them are, is that of A.
template <class N>
bool intersect(const Flat<N>& a, const Flat<N>& b, double place, Places<N>& out) {
  const bool of_a = b.is_plane() || (!a.is_plane() && b.is_face() && (!a.is_face() || a.count < b.count)) || a.count == 1;
  const Flat<N>&inner = of_a ? a : b, &outer = of_a ? b : a;
  for (int k = 0; k < inner.count; ++k) out.add(inner.corner[k].x, inner.corner[k].y);
  if (inner.count > 1 && outer.is_face())
    for (int k = 0; k < outer.count && out.count > 0; ++k) clip(out, outer.corner[k], outer.next(k), place);
  return of_a;
}

/// The patch of two features, in the frame.
template <class N>
class FeaturePatch {
 public:
  FeaturePatch(const FeatureFrame& frame, const Operand& a, const Operand& b, const ConvexPenetration& p)
      : frame_(frame), slack_(frame, std::is_same_v<N, TwoDouble>, a.curved || b.curved), p_(p), m_{0 - p.normal.x, 0 - p.normal.y, 0 - p.normal.z}, to_(m_) {
    radius_[0] = a.radius() * frame.scale;
    radius_[1] = b.radius() * frame.scale;
    least_ = p.found ? p.depth * frame.scale : 0;
  }
  const Double3& direction() const { return m_; }

  /// False where these features are not those that meet.
  bool find(const Feature<N>& fa, const Feature<N>& fb, ContactPatch& out) {
    if (fa.is_plane() && fb.is_plane()) return false;
    const Flat<N> a(fa, to_, slack_), b(fb, to_, slack_);
    if (!a.good || !b.good) return false;
    Places<N> places;
    if (a.count == 2 && b.count == 2) {
      if (nearly_parallel(a, b)) {
        overlap_edges(a, b, slack_.place, places);
        if (measure(a, b, true, true, places)) return write(places, out);
        places.count = 0;
      }
      cross_edges(a, b, places);
      return measure(a, b, false, true, places) && write(places, out);
    }
    const bool of_a = intersect(a, b, slack_.place, places);
    return measure(a, b, !of_a, of_a, places) && write(places, out);
  }

 private:
  /// Whether a place that is `off` a feature belongs to it: also where its ball is halfway between both surfaces, which overlap by `depth`.
  bool belongs(double off, double radius, double depth) const { return off <= slack_.place || off * off <= 2 * radius * depth; }

  /// Sets the heights. Whether the places where both features are overlap as deeply as is known. `off_a`, `off_b`: places may be off that feature.
  bool measure(const Flat<N>& a, const Flat<N>& b, bool off_a, bool off_b, Places<N>& places) {
    most_ = -4;
    for (int k = 0; k < places.count; ++k) {
      Place<N>& c = places.at[k];
      c.a = a.height(c.x, c.y) + N(radius_[0]);
      c.b = b.height(c.x, c.y) - N(radius_[1]);
      c.overlap = rounded(c.a - c.b);
      c.common = (!off_a || belongs(a.distance(c.x, c.y), radius_[0], c.overlap)) && (!off_b || belongs(b.distance(c.x, c.y), radius_[1], c.overlap));
      if (c.common) most_ = std::max(most_, c.overlap);
    }
    // A face clipped by another has all its places in both, unless the lines of the other's edges do not tell where it ends.
    const bool edges = a.count == 2 && b.count == 2;
    for (int k = 0; k < places.count; ++k)
      if (!edges && !places.at[k].common) return false;
    return std::fabs(most_ - least_) <= slack_.height;
  }

  /// The least depth is known: only differences are taken from the features. Of the heights, that of the smaller operand is the more precise.
  bool write(const Places<N>& places, ContactPatch& out) const {
    out.count = 0;
    const double back = 1 / frame_.scale;
    const Place<N>*first = nullptr, *last = nullptr;  // of the places that are kept
    for (int k = 0; k < places.count; ++k) {
      const Place<N>& c = places.at[k];
      const double depth = least_ - (most_ - c.overlap);
      if (!c.common || !(depth >= -slack_.place)) continue;
      PatchPoint q;
      q.deepest = depth >= least_ - slack_.place;
      q.depth = !q.deepest ? std::max(depth, 0.0) * back : p_.found ? p_.depth : 0;
      const N z = frame_.a_is_smaller ? c.a - N(0.5 * depth) : c.b + N(0.5 * depth);
      const Double3 x = rounded(c.x * to_.e1 + c.y * to_.e2 + z * to_.m);
      q.point = Vec3(frame_.origin.x + x.x * back, frame_.origin.y + x.y * back, frame_.origin.z + x.z * back);
      if (!(max_norm(q.point) <= kLargest)) return false;
      if (!first) {
        first = &c;
      } else if (same_place(c, *last)) {
        if (q.depth > out.back().depth) out.back() = q;
        continue;
      }
      last = &c;
      out.add(q);
    }
    if (out.count > 1 && same_place(*first, *last)) {
      if (out.back().depth > out.at[0].depth) out.at[0] = out.back();
      --out.count;
    }
    return out.count > 0;
  }
  bool same_place(const Place<N>& p, const Place<N>& q) const { return std::fabs(rounded(p.x - q.x)) + std::fabs(rounded(p.y - q.y)) <= 4 * slack_.place; }

  const FeatureFrame& frame_;
  Slack slack_;
  const ConvexPenetration& p_;
  Double3 m_;
  Projection<N> to_;
  double radius_[2], least_, most_ = 0;
};

template <class N>
bool patch_of_features(const FeatureFrame& frame, const Operand& a, const Operand& b, const ConvexPenetration& p, ContactPatch& out) {
  FeaturePatch<N> patch(frame, a, b, p);
  const auto find = [&](auto& feature) {
    const std::optional<Feature<N>> fa = feature(a, patch.direction(), frame);
    if (!fa) return false;
    const std::optional<Feature<N>> fb = feature(b, -patch.direction(), frame);
    return fb && patch.find(*fa, *fb, out);
  };
  return find(feature_along<N>) || find(farthest_feature<N>);
}

/// False where the features do not tell the patch with the precision that is promised.
bool patch_of_features(const Operand& a, const Operand& b, const ConvexPenetration& p, ContactPatch& out) {
  const FeatureFrame frame(a, b);
  if (a.curved || b.curved) return patch_of_features<double>(frame, a, b, p, out);
  const auto precise = [&](double radius) { return radius * frame.scale <= kMostRadius * frame.small; };
  const bool of_a = a.convex->is_ball() && !(b.convex->is_ball() && b.radius() < a.radius());
  if (of_a || b.convex->is_ball()) {
    const Operand& ball = of_a ? a : b;
    return precise(ball.radius()) && ball_patch(ball.convex->base(0), ball.radius(), of_a ? 1 : -1, p, out);
  }
  if (!precise(a.radius()) || !precise(b.radius())) return false;
  return frame.small >= kVerySmall ? patch_of_features<double>(frame, a, b, p, out) : patch_of_features<TwoDouble>(frame, a, b, p, out);
}

/// False also where the operands are no zonotopes.
bool patch_of_zonotopes(const Operand& a, const Operand& b, const ConvexPenetration& p, ContactPatch& out) {
  if (!(a.convex && b.convex && is_zonotope(*a.convex) && is_zonotope(*b.convex))) return false;
  return with_zonotope(*a.convex, [&](const auto& x) { return with_zonotope(*b.convex, [&](const auto& y) { return closed_patch(x, y, p, out); }); });
}

template <class A, class B>
Vec3 common_point(const A& a, const B& b, const ConvexPenetration& p) {
  const ConvexClosest c = p.found ? closest(displaced(a, p.vector), b) : closest(a, b);
  return p.found ? c.on_b - p.normal * (0.5 * p.depth) : c.on_b;
}

}  // namespace

void contact_patch(const Operand& a, const Operand& b, const ConvexPenetration& p, ContactPatch& out) {
  if (!in_order(a, b)) return contact_patch(b, a, exchanged(p), out);
  if (patch_of_zonotopes(a, b, p, out) || patch_of_features(a, b, p, out)) return;
  PatchPoint q;
  q.depth = p.found ? p.depth : 0;
  q.deepest = true;
  if (a.convex && b.convex)
    q.point = common_point(*a.convex, *b.convex, p);
  else if (a.curved && b.curved)
    q.point = common_point(*a.curved, *b.curved, p);
  else if (a.curved)
    q.point = common_point(*a.curved, *b.convex, p);
  else
    q.point = common_point(*a.convex, *b.curved, p);
  out.count = 0;
  out.add(q);
}

void reduce_patch(ContactPatch& patch) {
  if (patch.count <= 4) return;
  PatchPoint* const points = patch.at;
  int chosen[4] = {0, 0, 0, 0};
  const auto choose = [&](int which, const auto& value) {
    double most = -1;
    for (int k = 0; k < patch.count; ++k)
      if (const double x = value(points[k]); x > most) {
        most = x;
        chosen[which] = k;
      }
  };
  const auto from = [&](int which, const PatchPoint& p) { return minus(p.point, points[chosen[which]].point); };
  const auto area = [](const Vec3& u, const Vec3& v) { return length(cross(u, v)); };
  choose(0, [](const PatchPoint& p) { return p.depth; });
  const auto squared = [](const Vec3& v) { return dot(v, v); };
  choose(1, [&](const PatchPoint& p) { return squared(from(0, p)); });
  choose(2, [&](const PatchPoint& p) { return squared(cross(from(0, p), from(1, p))); });
  const Vec3 across = cross(from(0, points[chosen[1]]), from(0, points[chosen[2]]));
  // Of a point outside of the triangle, the areas of its triangles with the three edges exceed that of the triangle by twice what the point adds.
  choose(3, [&](const PatchPoint& p) { return (area(from(0, p), from(1, p)) + area(from(1, p), from(2, p)) + area(from(2, p), from(0, p))) - length(across); });
  std::sort(chosen, chosen + 4);
  patch.count = 0;
  for (int k = 0; k < 4; ++k)
    if (k == 0 || chosen[k] != chosen[k - 1]) patch.add(points[chosen[k]]);
}

Vec3 middle_of(const ContactPatch& patch) {
  Vec3 one(0, 0, 0), sum(0, 0, 0);  // relative to the first of them, so that one point is its own middle
  double n = 0;
  for (const PatchPoint& p : patch) {
    if (!p.deepest) continue;
    if (n == 0) one = p.point;
    const Vec3 d = minus(p.point, one);
    sum = Vec3(sum.x + d.x, sum.y + d.y, sum.z + d.z);
    ++n;
  }
  return Vec3(one.x + sum.x / n, one.y + sum.y / n, one.z + sum.z / n);
}

}  // namespace graze
