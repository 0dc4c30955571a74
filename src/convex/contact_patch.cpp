// Contact patches: two features are projected along the normal, clipped against each other (I. E. Sutherland, G. W. Hodgman 1974), and lifted to both surfaces.
// Nothing is decided here: whether the operands meet, and the least depth, are known. Rounding may add or remove points at the patch's border.
#include "convex/contact_patch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "convex/box_patch.hpp"
#include "convex/features.hpp"
#include "convex/zonotope_depth.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

/// Lengths that rounding may produce, in units of the frame's size: a choice, some thousand roundings.
constexpr double kNothing = 0x1p-40;
constexpr double kMismatch = 0x1p-20;       ///< by which features may miss each other, or the least depth, in the same units: a choice
constexpr double kNearlyParallel = 0x1p-4;  ///< sine of the angle of two edges that are taken to lie along each other: a choice

/// A place in the projection, and the heights of both surfaces above it, along the direction from A to B.
struct Place {
  double x, y, a, b;
};

struct Projection {
  Double3 e1, e2, m;
  explicit Projection(const Double3& direction) : m(direction) {
    const double x = std::fabs(m.x), y = std::fabs(m.y), z = std::fabs(m.z);
    e1 = cross(m, x <= y && x <= z ? Double3{1, 0, 0} : y <= z ? Double3{0, 1, 0} : Double3{0, 0, 1});
    const double length = std::sqrt(dot(e1, e1));
    e1 = {e1.x / length, e1.y / length, e1.z / length};
    e2 = cross(m, e1);
  }
  Double3 operator()(const Double3& p) const { return {dot(p, e1), dot(p, e2), dot(p, m)}; }
};

/// A feature in the projection: z is the height.
struct Flat {
  int count = 0;
  Double3 corner[Feature::kMostCorners];
  Double3 slope{0, 0, 0};  ///< of a face or plane: its height is slope.z + slope.x x + slope.y y

  Flat(const Feature& f, const Projection& to) : count(f.count) {
    for (int k = 0; k < count; ++k) corner[k] = to(f.corner[k]);
    if (count == 1 || count == 2) return;
    const Double3 n = to(f.normal);
    slope = {-n.x / n.z, -n.y / n.z, 0};
    slope.z = f.is_plane() ? f.level / n.z : corner[0].z - (slope.x * corner[0].x + slope.y * corner[0].y);
    double area = 0;
    for (int k = 1; k + 1 < count; ++k)
      area += (corner[k].x - corner[0].x) * (corner[k + 1].y - corner[0].y) - (corner[k].y - corner[0].y) * (corner[k + 1].x - corner[0].x);
    if (area < 0) std::reverse(corner, corner + count);
  }
  /// The height at (x, y), of an edge at its nearest point.
  double height(double x, double y) const {
    if (count == 1) return corner[0].z;
    if (count == 2) {
      const Double3 d = corner[1] - corner[0];
      return corner[0].z + clamp01(((x - corner[0].x) * d.x + (y - corner[0].y) * d.y) / (d.x * d.x + d.y * d.y)) * d.z;
    }
    return slope.z + (slope.x * x + slope.y * y);
  }
};

/// The corners of a clipped feature. Each line of the other feature adds at most one corner; a line that rounding lets cross a loop more often loses the rest.
struct Places {
  int count = 0;
  Place at[2 * Feature::kMostCorners];
  void add(double x, double y) {
    if (count == 2 * Feature::kMostCorners) return;
    at[count].x = x;
    at[count++].y = y;
  }
};

/// Keeps what of the loop (of a face, or the two ends of an edge) lies to the left of the line from p to q.
void clip(Places& loop, const Double3& p, const Double3& q) {
  const double dx = q.x - p.x, dy = q.y - p.y, slack = -kNothing * (std::fabs(dx) + std::fabs(dy));
  double side[2 * Feature::kMostCorners];
  bool all = true;
  for (int k = 0; k < loop.count; ++k) {
    side[k] = dx * (loop.at[k].y - p.y) - dy * (loop.at[k].x - p.x);
    all &= side[k] >= slack;
  }
  if (all) return;
  Places kept;
  for (int k = 0; k < loop.count; ++k) {
    const bool last = k + 1 == loop.count;
    const int next = last ? 0 : k + 1;
    const Place &c = loop.at[k], &d = loop.at[next];
    const double sc = side[k], sd = side[next];
    if (sc >= slack) kept.add(c.x, c.y);
    if (last && loop.count == 2) break;
    if ((sc >= slack) == (sd >= slack)) continue;
    const double t = clamp01(sc / (sc - sd));
    kept.add(c.x + t * (d.x - c.x), c.y + t * (d.y - c.y));
  }
  loop.count = kept.count;
  std::copy(kept.at, kept.at + kept.count, loop.at);
}

/// Two edges: the ends of what they share when they lie along each other, else where they cross.
void meet(const Flat& a, const Flat& b, Places& out) {
  const Double3 p = a.corner[0], d = a.corner[1] - p, q = b.corner[0], e = b.corner[1] - q;
  const double turn = d.x * e.y - d.y * e.x, dd = d.x * d.x + d.y * d.y, ee = e.x * e.x + e.y * e.y;
  if (turn * turn > kNearlyParallel * kNearlyParallel * (dd * ee)) {
    const double t = clamp01(((q.x - p.x) * e.y - (q.y - p.y) * e.x) / turn);
    out.add(p.x + t * d.x, p.y + t * d.y);
    return;
  }
  const auto along = [&](const Double3& c) { return ((c.x - p.x) * d.x + (c.y - p.y) * d.y) / dd; };
  const double s = along(q), t = along(b.corner[1]), low = std::max(std::min(s, t), 0.0), high = std::min(std::max(s, t), 1.0);
  if (!(low <= high)) return;
  for (const double k : {low, high}) {
    const double x = p.x + k * d.x, y = p.y + k * d.y;  // on the edge of A; the place is halfway to that of B
    const double j = clamp01(((x - q.x) * e.x + (y - q.y) * e.y) / ee);
    out.add(0.5 * (x + (q.x + j * e.x)), 0.5 * (y + (q.y + j * e.y)));
    if (high - low <= kNothing) break;
  }
}

/// Whether a place lies in the projection of a feature, up to `slack`.
bool covers(const Flat& f, const Double3& c, double slack) {
  if (f.count == 0) return true;
  if (f.count <= 2) {
    const Double3 p = f.corner[0], d = f.corner[f.count - 1] - p;
    const double dd = d.x * d.x + d.y * d.y, t = dd > 0 ? clamp01(((c.x - p.x) * d.x + (c.y - p.y) * d.y) / dd) : 0;
    return std::fabs(c.x - (p.x + t * d.x)) + std::fabs(c.y - (p.y + t * d.y)) <= slack;
  }
  for (int k = 0; k < f.count; ++k) {
    const Double3 &p = f.corner[k], &q = f.corner[k + 1 == f.count ? 0 : k + 1];
    const double dx = q.x - p.x, dy = q.y - p.y;
    if (dx * (c.y - p.y) - dy * (c.x - p.x) < -slack * (std::fabs(dx) + std::fabs(dy))) return false;
  }
  return true;
}

/// The corners of the common part of both projections.
void intersect(const Flat& a, const Flat& b, Places& out) {
  const bool face_a = a.count > 2, face_b = b.count > 2;
  if (a.count == 2 && b.count == 2) return meet(a, b, out);
  // The corners of the simpler feature, within the other one if that is a face.
  const bool of_a = b.count == 0 || (a.count != 0 && (face_b && (!face_a || a.count < b.count))) || a.count == 1;
  const Flat &inner = of_a ? a : b, &outer = of_a ? b : a;
  if (inner.count == 1 && !covers(outer, inner.corner[0], kMismatch)) return;
  for (int k = 0; k < inner.count; ++k) out.add(inner.corner[k].x, inner.corner[k].y);
  if (inner.count > 1 && outer.count > 2)
    for (int k = 0; k < outer.count && out.count > 0; ++k) clip(out, outer.corner[k], outer.corner[k + 1 == outer.count ? 0 : k + 1]);
}

bool same_place(const Place& p, const Place& q) { return std::fabs(p.x - q.x) + std::fabs(p.y - q.y) <= 4 * kNothing; }

/// False where these features are not those that meet.
bool patch_of_features(const Operand& a, const Operand& b, const ConvexPenetration& p, decltype(feature_along)& feature, ContactPatch& out) {
  const FeatureFrame frame(a, b);
  const Double3 m{0 - p.normal.x, 0 - p.normal.y, 0 - p.normal.z};
  const std::optional<Feature> fa = feature(a, m, frame), fb = feature(b, -m, frame);
  if (!fa || !fb || (fa->is_plane() && fb->is_plane())) return false;
  const Projection to(m);
  const Flat la(*fa, to), lb(*fb, to);
  Places places;
  intersect(la, lb, places);
  const double ra = a.radius() * frame.scale, rb = b.radius() * frame.scale, least = p.found ? p.depth * frame.scale : 0;
  double most = -4;
  for (int k = 0; k < places.count; ++k) {
    Place& c = places.at[k];
    c.a = la.height(c.x, c.y) + ra;
    c.b = lb.height(c.x, c.y) - rb;
    most = std::max(most, c.a - c.b);
  }
  if (!(std::fabs(most - least) <= kMismatch)) return false;
  out.count = 0;
  const double back = 1 / frame.scale;
  // The least depth is known: only differences are taken from the features.
  int first = 0, last = 0;  // of the places that are kept
  for (int k = 0; k < places.count; ++k) {
    const Place& c = places.at[k];
    const double depth = least - (most - (c.a - c.b));
    if (!(depth >= -kNothing)) continue;
    PatchPoint q;
    q.deepest = depth >= least - kNothing;
    q.depth = !q.deepest ? std::max(depth, 0.0) * back : p.found ? p.depth : 0;
    const double z = 0.5 * (c.a + c.b);
    const Double3 x = c.x * to.e1 + c.y * to.e2 + z * to.m;
    q.point = Vec3(frame.origin.x + x.x * back, frame.origin.y + x.y * back, frame.origin.z + x.z * back);
    if (!(max_norm(q.point) <= kLargest)) return false;
    if (out.count == 0) {
      first = k;
    } else if (same_place(c, places.at[last])) {
      if (q.depth > out.back().depth) out.back() = q;
      continue;
    }
    last = k;
    out.add(q);
  }
  if (out.count > 1 && same_place(places.at[first], places.at[last])) {
    if (out.back().depth > out.at[0].depth) out.at[0] = out.back();
    --out.count;
  }
  return out.count > 0;
}

/// False also where the operands are no boxes.
bool patch_of_boxes(const Operand& a, const Operand& b, const ConvexPenetration& p, ContactPatch& out) {
  if (!(a.convex && b.convex && is_parallelepiped(*a.convex) && is_parallelepiped(*b.convex))) return false;
  return BoxPatch::find(box_terms(*a.convex), box_terms(*b.convex), {0 - p.normal.x, 0 - p.normal.y, 0 - p.normal.z}, p.found ? p.depth : 0, out);
}

template <class A, class B>
Vec3 common_point(const A& a, const B& b, const ConvexPenetration& p) {
  const ConvexClosest c = p.found ? closest(moved(a, p.vector), b) : closest(a, b);
  return c.on_b - p.vector * 0.5;
}

}  // namespace

void contact_patch(const Operand& a, const Operand& b, const ConvexPenetration& p, ContactPatch& out) {
  if (!in_order(a, b)) return contact_patch(b, a, exchanged(p), out);
  if (patch_of_boxes(a, b, p, out) || patch_of_features(a, b, p, feature_along, out) || patch_of_features(a, b, p, farthest_feature, out)) return;
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
  choose(1, [&](const PatchPoint& p) { return length(from(0, p)); });
  choose(2, [&](const PatchPoint& p) { return area(from(0, p), from(1, p)); });
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
