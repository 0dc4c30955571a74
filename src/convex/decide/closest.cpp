// Distance and closest points of two convex sets: proposed in doubles, refined and bounded from both sides in pairs of doubles, and computed from the exact
// nearest face where pairs of doubles cannot give 1e-15.
#include "convex/decide/closest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "convex/decide/decide.hpp"
#include "convex/decide/filter.hpp"
#include "convex/decide/in_pairs.hpp"
#include "convex/decide/nearest_face.hpp"
#include "convex/gjk/nearest_exactly.hpp"
#include "convex/sets/hint_kind.hpp"
#include "convex/sets/minkowski_frame.hpp"
#include "convex/sets/order.hpp"
#include "exact/integer_root.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

double component(const V3<TwoDouble>& v, int i) { return i == 0 ? v.x.hi + v.x.lo : i == 1 ? v.y.hi + v.y.lo : v.z.hi + v.z.lo; }

Vec3 unscaled(const V3<TwoDouble>& v, int exponent) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) r[i] = std::clamp(scaled(component(v, i), exponent), -kLargest, kLargest);
  return r;
}

/// Whether a coordinate of the corner may lose digits by the pair's scale: those of a point that is to be returned must not.
bool loses_digits(const ScaledPair& pair, const ConvexSet& c, const ConvexCorner& k) {
  const auto lost = [&](const Vec3& v) {
    const auto tiny = [&](double x) { return x != 0 && std::fabs(x) * pair.scale() < 0x1p-900; };
    return tiny(v.x) || tiny(v.y) || tiny(v.z);
  };
  bool any = lost(c.base(k.base));
  for (std::uint32_t i = 0; i < c.segments; ++i) any = any || lost(c.segment[i]);
  return any;
}

/// A common point of two convex sets that certainly intersect, from the convex combination that proved it: the point on the segment between the hulls' points
/// that divides it in the ratio of the radii. Nothing if their coordinates lose digits, or if these points are to be one and differ by more than a rounding of
/// coordinates.
std::optional<Vec3> common_point(const ScaledPair& pair, const StateInPairs& s) {
  V3<TwoDouble> pa{0, 0, 0}, x{0, 0, 0};
  double largest = 0;
  for (int k = 0; k < s.n; ++k) {
    if (loses_digits(pair, pair.a(), s.g[k].a) || loses_digits(pair, pair.b(), s.g[k].b)) return std::nullopt;
    const V3<TwoDouble> a = pair.corner_two(pair.a(), s.g[k].a);
    pa = pa + s.weight[k] * a;
    x = x + s.weight[k] * s.w[k];
    largest = std::max({largest, std::fabs(a.x.hi), std::fabs(a.y.hi), std::fabs(a.z.hi)});
  }
  const double reach = pair.radius_a() + pair.radius_b();
  if (reach == 0 && std::max({std::fabs(x.x.hi), std::fabs(x.y.hi), std::fabs(x.z.hi)}) > 0x1p-52 * largest) return std::nullopt;
  const TwoDouble t = reach > 0 ? pair.radius_a() / reach : 0.5;
  return unscaled(pa - t * x, -pair.scale_exponent());
}
/// From weights in doubles, or better ones where these have few correct bits, as those of a flat tetrahedron.
std::optional<Vec3> common_point(const ScaledPair& pair, const Proposal& proposal) {
  StateInPairs s;
  for (int k = 0; k < proposal.n; ++k) {
    s.add(proposal.g[k], pair.point_two(proposal.g[k]));
    s.weight[k] = proposal.weight[k];
  }
  if (const auto point = common_point(pair, s)) return point;
  if (s.n < 4) return std::nullopt;
  TwoDouble d[4];
  weights_of_origin(s.w, d);
  for (int k = 0; k < 4; ++k) s.weight[k] = d[k] / ((d[0] + d[1]) + (d[2] + d[3]));
  return common_point(pair, s);
}

/// The nearest points of the face that is clear, where a slower tier has found the direction of the nearest point: what a hint would have led to.
bool closest_at_clear_face(const ConvexSet& a, const ConvexSet& b, const V3<double>& x, PairHint* hint, ConvexClosest& out) {
  const auto face = face_near(a, b, x);
  if (!face || !NearestFace(a, b, *face).closest(out, true)) return false;
  if (hint) *hint = hint_of(*face);
  return true;
}

/// Where it finds no closest points, `proposal` becomes the simplex with which it ended.
ClosestOrBounds closest_in_pairs(const ScaledPair& pair, Simplex<Generator>& proposal, PairHint* hint) {
  const SearchInPairs search(pair, proposal, true);
  const StateInPairs& s = search.s;
  const int e = -pair.scale_exponent();
  if (search.within == Certain::yes && pair.same_generators()) {
    if (const auto point = common_point(pair, s)) return {ConvexClosest{0, *point, *point}, 0, 0};
  }
  double distance = search.distance.hi + search.distance.lo;
  V3<double> direction = rounded(s.x);
  const auto proves_height = [&] {
    const FaceName name(s);
    NearestFace face(pair.a(), pair.b(), name);
    const bool proven = face.height(pair, s, distance);
    direction = face.direction();
    return proven;
  };
  if (!search.accepted && !(pair.reach() == 0 && pair.same_generators() && proves_height())) {
    proposal = s;
    if (pair.reach() > 0) return {};
    constexpr double kOutward = 0x1p-40;  // more than the roundings of the bounds to doubles
    return {{},
            scaled(std::max(search.highest_low * (1 - kOutward) - 2 * SearchInPairs::kSlack, 0.0), e),
            scaled(search.lowest_norm * (1 + kOutward) + SearchInPairs::kSlack, e)};
  }
  ConvexClosest out;
  if (pair.same_generators() && closest_at_clear_face(pair.a(), pair.b(), direction, hint, out)) return {out, out.distance, out.distance};
  V3<TwoDouble> pa{0, 0, 0}, pb{0, 0, 0};
  for (int k = 0; k < s.n; ++k) {
    pa = pa + s.weight[k] * pair.corner_two(pair.a(), s.g[k].a);
    pb = pb + s.weight[k] * pair.corner_two(pair.b(), s.g[k].b);
  }
  const auto by_norm = [&](double radius) { return radius > 0 ? TwoDouble(radius) / search.norm : TwoDouble(0); };
  out.distance = std::min(std::max(scaled(distance, e), std::numeric_limits<double>::denorm_min()), kLargest);
  out.on_a = unscaled(pa - by_norm(pair.radius_a()) * s.x, e);
  out.on_b = unscaled(pb + by_norm(pair.radius_b()) * s.x, e);
  return {out, out.distance, out.distance};
}

/// |x| and the distance, from an exact nearest point other than the origin.
struct Separation {
  int bits;
  BigInt norm;  ///< |x| * 2^bits, relative error below 2^-130
  BigInt numerator, denominator;
  int exponent;
  Separation(const IntegerPair& pair, const Nearest<BigInt>& n)
      : bits(std::max(0, 280 - bit_length(n.squared_n) + bit_length(n.squared_d)) / 2 + 1),
        norm(integer_root((n.squared_n << (2 * bits)) / n.squared_d)),
        // (|x|^2 - reach^2) / (|x| + reach): no cancellation remains
        numerator((n.squared_n - pair.reach * pair.reach * n.squared_d) << bits),
        denominator(n.squared_d * (norm + (pair.reach << bits))),
        exponent(pair.exponent) {}
  double distance() const {
    const double d = to_double(boost::multiprecision::abs(numerator), denominator, exponent, Rounding::nearest, true);
    return numerator.sign() < 0 ? -d : d;
  }
};

/// Distance and witnesses from the exact nearest face.
ConvexClosest closest_in_integers(const ConvexSet& a, const ConvexSet& b, const Simplex<Generator>& proposal, PairHint* hint) {
  ++decision_counts().big;
  const IntegerPair pair(a, b, 0);
  int sign = 0;
  const ExactNearest e = nearest_exactly(pair, proposal, false, sign);
  const Nearest<BigInt>& n = e.nearest;
  const auto [pa, pb] = contributions(pair, e);
  const V3<BigInt> x = pa - pb;
  ConvexClosest out;
  const BigInt radius_a = integer_of(a.radius, pair.exponent), radius_b = integer_of(b.radius, pair.exponent);
  if (sign <= 0) {
    // The common point lies on the segment between the hulls' closest points: pa - t x with t = radius_a / reach (any t when the hulls meet).
    BigInt num_x = 0, den = n.total;
    V3<BigInt> p = pa;
    if (!n.at_origin) {
      num_x = radius_a;
      p = pair.reach * pa - num_x * x;
      den = n.total * pair.reach;
    }
    const BigInt* c[3] = {&p.x, &p.y, &p.z};
    for (int i = 0; i < 3; ++i) out.on_a[i] = to_double(*c[i], den, pair.exponent, Rounding::nearest);
    out.on_b = out.on_a;
    out.distance = 0;
    return out;
  }
  const auto to_direction = [&](const BigInt& along) { return to_double(along, n.total, pair.exponent, Rounding::nearest); };
  if (closest_at_clear_face(a, b, {to_direction(x.x), to_direction(x.y), to_direction(x.z)}, hint, out)) return out;
  const Separation gap(pair, n);
  out.distance = gap.distance();
  const int bits = gap.bits;
  const BigInt& norm = gap.norm;
  // on_a = pa / total - radius_a * (x / total) / |x|; here pa and x are the sums before the division by the total weight, and norm is |x / total| * 2^bits
  const BigInt den = n.total * norm;
  const V3<BigInt> qa = norm * pa - BigInt(radius_a << bits) * x, qb = norm * pb + BigInt(radius_b << bits) * x;
  const BigInt* ca[3] = {&qa.x, &qa.y, &qa.z};
  const BigInt* cb[3] = {&qb.x, &qb.y, &qb.z};
  for (int i = 0; i < 3; ++i) {
    out.on_a[i] = to_double(*ca[i], den, pair.exponent, Rounding::nearest);
    out.on_b[i] = to_double(*cb[i], den, pair.exponent, Rounding::nearest);
  }
  return out;
}

}  // namespace

double signed_gap(const ConvexSet& a, const ConvexSet& b) {
  const IntegerPair pair(a, b, 0);
  int sign = 0;
  const ExactNearest e = nearest_exactly(pair, {}, false, sign);
  if (e.nearest.at_origin) return -to_double(pair.reach, 1, pair.exponent, Rounding::nearest, true);
  return Separation(pair, e.nearest).distance();
}

namespace {

/// `proposal` becomes the simplex with which integers start.
ClosestOrBounds without_integers(const ConvexSet& a, const ConvexSet& b, Proposal& proposal, PairHint* hint) {
  const ScaledPair pair(a, b, 0);
  if (!pair.usable()) return {};
  const bool common = decide_in_doubles(pair, proposal, false) == Certain::yes;
  if (common && pair.same_generators()) {  // with a cut cone the weights belong to distant ends, whose rounding would show
    if (const auto point = common_point(pair, proposal)) {
      ++decision_counts().filter;
      return {ConvexClosest{0, *point, *point}, 0, 0};
    }
  }
  ConvexClosest out;
  if (!common && pair.same_generators() && proposal.n < 4) {
    // Faces of an edge of A and a parallel one of B, or the like, have fewer vertices than their dimension asks for.
    const FaceName face(proposal);
    if (face.dimensions() == proposal.n - 1 && NearestFace(pair.a(), pair.b(), face).closest(out, false)) {
      if (hint) *hint = hint_of(face);
      ++decision_counts().filter;
      return {out, out.distance, out.distance};
    }
  }
  ClosestOrBounds found;
  if (!common) found = closest_in_pairs(pair, proposal, hint);
  if (found.closest) ++decision_counts().pairs;
  if (!pair.same_generators()) proposal.n = 0;
  return found;
}

/// The nearest points of the face of the hint, if it is clear.
bool closest_at_hint(const ConvexSet& a, const ConvexSet& b, PairHint& hint, ConvexClosest& out) {
  const auto face = face_named(hint, a, b);
  if (face && NearestFace(a, b, *face).closest(out, true)) {
    ++decision_counts().filter;
    return true;
  }
  hint = {};
  return false;
}

ConvexClosest closest_in_order(const ConvexSet& a, const ConvexSet& b, PairHint* hint) {
  ConvexClosest at_hint;
  if (hint && closest_at_hint(a, b, *hint, at_hint)) return at_hint;
  Proposal proposal;
  const ClosestOrBounds found = without_integers(a, b, proposal, hint);
  return found.closest ? *found.closest : closest_in_integers(a, b, proposal, hint);
}

}  // namespace

ConvexClosest closest(const ConvexSet& a, const ConvexSet& b, PairHint* hint) {
  if (order_of(a, b) <= 0) return closest_in_order(a, b, hint);
  if (hint) *hint = exchanged(*hint);
  ConvexClosest c = closest_in_order(b, a, hint);
  if (hint) *hint = exchanged(*hint);
  std::swap(c.on_a, c.on_b);
  return c;
}

ClosestOrBounds closest_without_integers(const ConvexSet& a, const ConvexSet& b) {
  const bool swapped = order_of(a, b) > 0;
  Proposal proposal;
  ClosestOrBounds found = swapped ? without_integers(b, a, proposal, nullptr) : without_integers(a, b, proposal, nullptr);
  if (swapped && found.closest) std::swap(found.closest->on_a, found.closest->on_b);
  return found;
}

}  // namespace graze
