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
#include "convex/gjk/nearest_exactly.hpp"
#include "convex/sets/hull_support.hpp"
#include "convex/sets/minkowski_frame.hpp"
#include "convex/sets/order.hpp"
#include "exact/integer_root.hpp"
#include "math/limits.hpp"
#include "pairs/detail/gap.hpp"

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

/// One operand's part of the nearest simplex: the points and segments that its corners differ in.
struct OperandFace {
  std::uint32_t base[4];
  double base_weight[4];
  int bases = 0;
  std::uint32_t bits = 0, varying = 0;      ///< common ends of the segments, and segments of which both ends occur
  double high_weight[5] = {0, 0, 0, 0, 0};  ///< of the high ends of the latter

  template <class State>
  OperandFace(const State& s, ConvexCorner Generator::*side) {
    for (int k = 0; k < s.n; ++k) {
      const ConvexCorner& c = s.g[k].*side;
      int i = 0;
      while (i < bases && base[i] != c.base) ++i;
      if (i == bases) base[bases] = c.base, base_weight[bases++] = 0;
      base_weight[i] += rounded(s.weight[k]);
      if (k == 0) bits = c.bits;
      varying |= bits ^ c.bits;
      for (std::uint32_t b = c.bits; b != 0; b &= b - 1) high_weight[std::countr_zero(b)] += rounded(s.weight[k]);
    }
  }
  int dimensions() const { return bases - 1 + std::popcount(varying); }
  /// The factor of segment k.
  double factor(const ConvexSet& c, std::uint32_t k) const {
    const double lo = c.lo[k], hi = c.hi[k];
    return varying >> k & 1 ? std::clamp(lo + high_weight[k] * (hi - lo), lo, hi) : bits >> k & 1 ? hi : lo;
  }
};

/// The nearest points of the face that doubles propose, evaluated once in pairs of doubles, and the proof in doubles that no other point of A - B is nearer
/// than the errors allow (docs/derivations/decision.md, "Distances").
class NearestFace {
 public:
  template <class State>
  NearestFace(const ConvexSet& a, const ConvexSet& b, const State& s) : set_{&a, &b}, feature_{{s, &Generator::a}, {s, &Generator::b}}, n_(s.n - 1) {}

  bool closest(ConvexClosest& out) {
    // Faces of an edge of A and a parallel one of B, or the like, have fewer vertices than their dimension asks for.
    if (n_ > 2 || feature_[0].dimensions() + feature_[1].dimensions() != n_) return false;
    const Vec3 first[2] = {set_[0]->base(feature_[0].base[0]), set_[1]->base(feature_[1].base[0])};
    x_ = filter::two_difference(filter::vector(first[0]), filter::vector(first[1]));
    size_ = filter::max_norm(filter::high(x_));
    for (int side = 0; side < 2; ++side) {
      point_[side] = filter::two_point(filter::vector(first[side]));
      place(side, first[side]);
    }
    set_direction();
    double loss = 0, unit = 1;
    if (!bound_loss(loss, unit)) return false;
    if (loss > filter::kLoss * filter::dot(direction_, direction_) * unit) {
      if (!correct()) return false;
      set_direction();
      bound_loss(loss, unit);
    }
    const filter::Length<double> length = filter::length(x_);
    slack_ = std::sqrt(loss / unit) * (1 + 0x1p-40);
    for (int side = 0; side < 2; ++side)
      if (!supports(side, first[side])) return false;
    // A sum of up to 13 terms is off by at most 2^12 u^2 of their sizes: 16 times what gap-inl.hpp allows for.
    const double ra = set_[0]->radius, rb = set_[1]->radius;
    const PairGap gap = ra + rb > 0 ? filter::gap_of_balls(point_[0], point_[1], x_, length, ra, rb, loss, unit, 16 * size_)
                                    : filter::gap_of_points(point_[0], point_[1], length, loss, unit, 16 * size_);
    out = {gap.distance, Vec3(gap.on_a.x, gap.on_a.y, gap.on_a.z), Vec3(gap.on_b.x, gap.on_b.y, gap.on_b.z)};
    return gap.sure;
  }

  /// Where x is too short for pairs of doubles: the exact height of the face, whose plane certainly supports A - B, and in which the weights certainly lie.
  bool height(const ScaledPair& pair, const StateInPairs& s, double& scaled_height) {
    if (n_ != 2 || feature_[0].dimensions() + feature_[1].dimensions() != 2) return false;
    const V3<TwoDouble> normal = cross(s.w[1] - s.w[0], s.w[2] - s.w[0]);
    const double length = rounded(square_root(dot(normal, normal)));
    for (int k = 0; k < 3; ++k)  // off by 2^-97 / length^2
      if (!(length > 0x1p-30 && s.weight[k].hi > 0x1p-30)) return false;
    const auto edge = [&](int k) { return step(*set_[0], s.g[0].a, s.g[k].a) - step(*set_[1], s.g[0].b, s.g[k].b); };
    const Dyadic exact_height = dot(exact_corner(*set_[0], s.g[0].a) - exact_corner(*set_[1], s.g[0].b), cross(edge(1), edge(2)));
    const double sign = sign_of(exact_height);
    scaled_height = sign * to_double({exact_height.m, exact_height.e + 3 * pair.scale_exponent()}) / length;
    direction_ = {sign * normal.x.hi, sign * normal.y.hi, sign * normal.z.hi};
    slack_ = 0x1p-50 * length;
    return scaled_height > 0x1p-900 && supports(0, set_[0]->base(feature_[0].base[0])) && supports(1, set_[1]->base(feature_[1].base[0]));
  }

 private:
  static V3<Dyadic> exact_corner(const ConvexSet& c, const ConvexCorner& k) {
    V3<Dyadic> p = exact(c.base(k.base));
    for (std::uint32_t i = 0; i < c.segments; ++i) p = p + Dyadic(k.bits >> i & 1 ? c.hi[i] : c.lo[i]) * exact(c.segment[i]);
    return p;
  }
  /// The difference of two corners.
  static V3<Dyadic> step(const ConvexSet& c, const ConvexCorner& from, const ConvexCorner& to) {
    V3<Dyadic> d;
    if (from.base != to.base) d = exact(c.base(to.base)) - exact(c.base(from.base));
    for (std::uint32_t i = 0; i < c.segments; ++i) {
      if (!((from.bits ^ to.bits) >> i & 1)) continue;
      const Dyadic length = Dyadic(c.hi[i]) - Dyadic(c.lo[i]);
      d = d + (to.bits >> i & 1 ? length : -length) * exact(c.segment[i]);
    }
    return d;
  }
  void add(int side, double factor, const filter::TwoPoint<double>& step) {
    point_[side] = filter::plus_product(point_[side], factor, step);
    x_ = filter::plus_product(x_, side ? -factor : factor, step);
    size_ += std::fabs(factor) * filter::max_norm(filter::high(step));
  }
  void place(int side, const Vec3& first) {
    const ConvexSet& c = *set_[side];
    const OperandFace& f = feature_[side];
    for (int i = 1; i < f.bases; ++i) {
      const filter::TwoPoint<double> step = filter::two_difference(filter::vector(c.base(f.base[i])), filter::vector(first));
      add(side, f.base_weight[i], step);
      free_[free_count_++] = {side, step, filter::high(step), std::min(f.base_weight[i], f.base_weight[0])};
    }
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      const filter::Triple g = filter::vector(c.segment[k]);
      const double factor = f.factor(c, k);
      add(side, factor, filter::two_point(g));
      if (f.varying >> k & 1) free_[free_count_++] = {side, filter::two_point(g), g, std::min(factor - c.lo[k], c.hi[k] - factor)};
    }
  }
  void set_direction() {
    x_ = filter::normal(x_);
    direction_ = filter::high(x_);
  }
  /// Moves x to the foot of the perpendicular, of which the rounding of weights keeps it away: far, where x is short. Returns false where it might leave the
  /// face.
  bool correct() {
    const filter::Triple &d = free_[0].rounded, &e = free_[1].rounded;
    const double dd = filter::dot(d, d), xd = filter::dot(direction_, d);
    double by[2] = {-xd / dd, 0};
    if (n_ == 2) {
      const double de = filter::dot(d, e), ee = filter::dot(e, e), xe = filter::dot(direction_, e), det = dd * ee - de * de;
      by[0] = (de * xe - ee * xd) / det, by[1] = (de * xd - dd * xe) / det;
    }
    for (int k = 0; k < n_; ++k) {
      const Step& f = free_[k];
      if (!(std::fabs(by[k]) < 0.25 * f.room - 0x1p-50)) return false;  // the weight of the first point is off by u and moves with both
      add(f.side, f.side ? -by[k] : by[k], f.step);
    }
    return true;
  }
  /// K^2 = loss / unit: how far x may be from the nearest point of the face's plane or line.
  bool bound_loss(double& loss, double& unit) const {
    if (n_ == 0) return true;
    const auto slope = [&](const filter::Triple& d) { return std::fabs(filter::dot(direction_, d)) + filter::product_error(direction_, d); };
    const filter::Triple &d = free_[0].rounded, &e = free_[1].rounded;
    const double dd = filter::dot(d, d), slope_d = slope(d);
    if (n_ == 1) {
      loss = slope_d * slope_d, unit = dd;
      return dd > 0;
    }
    const filter::Triple across = filter::cross(d, e);
    const double ee = filter::dot(e, e), slope_e = slope(e), square = filter::dot(across, across);
    loss = 2 * (slope_d * slope_d * ee + slope_e * slope_e * dd), unit = 0.99 * square;
    return square > filter::kLeastSine * (dd * ee);
  }
  /// Whether a step along d does not approach the origin faster than K allows.
  bool leads_away(const filter::Triple& d) const { return filter::dot(direction_, d) - filter::product_error(direction_, d) >= slack_ * filter::taxicab(d); }
  bool supports(int side, const Vec3& first) const {
    const ConvexSet& c = *set_[side];
    const OperandFace& f = feature_[side];
    const auto outward = [&](const filter::Triple& d) { return side ? -d : d; };
    if (c.hull) {
      const filter::Triple x = outward(direction_);
      const HullDirection along(c, {x.x, x.y, x.z});
      double highest = along.at(f.base[0]);
      for (int i = 1; i < f.bases; ++i) highest = std::max(highest, along.at(f.base[i]));
      const double limit = highest + (hull_error(c) * filter::taxicab(x) + slack_ * 4 * hull_size(c));
      if (along.count(limit) != static_cast<std::size_t>(f.bases)) return false;
    } else {
      for (std::uint32_t i = 0; i < c.points; ++i) {
        if (std::find(f.base, f.base + f.bases, i) != f.base + f.bases) continue;
        if (!leads_away(outward(filter::difference(c.base(i), first)))) return false;
      }
    }
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      if ((f.varying >> k & 1) || c.lo[k] == c.hi[k]) continue;
      const filter::Triple d = filter::vector(c.segment[k]);
      if (!leads_away(outward(f.bits >> k & 1 ? -d : d))) return false;
    }
    return true;
  }

  const ConvexSet* set_[2];
  OperandFace feature_[2];
  int n_, free_count_ = 0;
  /// A direction of the face, and how far the weight of its step is from its limits.
  struct Step {
    int side;
    filter::TwoPoint<double> step;
    filter::Triple rounded;
    double room;
  };
  Step free_[3];
  filter::TwoPoint<double> point_[2], x_;
  filter::Triple direction_;
  double size_ = 0, slack_ = 0;
};

/// Where it finds no closest points, `proposal` becomes the simplex with which it ended.
ClosestOrBounds closest_in_pairs(const ScaledPair& pair, Simplex<Generator>& proposal) {
  const SearchInPairs search(pair, proposal, true);
  const StateInPairs& s = search.s;
  const int e = -pair.scale_exponent();
  if (search.within == Certain::yes && pair.same_generators()) {
    if (const auto point = common_point(pair, s)) return {ConvexClosest{0, *point, *point}, 0, 0};
  }
  double distance = search.distance.hi + search.distance.lo;
  if (!search.accepted && !(pair.reach() == 0 && pair.same_generators() && NearestFace(pair.a(), pair.b(), s).height(pair, s, distance))) {
    proposal = s;
    if (pair.reach() > 0) return {};
    constexpr double kOutward = 0x1p-40;  // more than the roundings of the bounds to doubles
    return {{},
            scaled(std::max(search.highest_low * (1 - kOutward) - 2 * SearchInPairs::kSlack, 0.0), e),
            scaled(search.lowest_norm * (1 + kOutward) + SearchInPairs::kSlack, e)};
  }
  V3<TwoDouble> pa{0, 0, 0}, pb{0, 0, 0};
  for (int k = 0; k < s.n; ++k) {
    pa = pa + s.weight[k] * pair.corner_two(pair.a(), s.g[k].a);
    pb = pb + s.weight[k] * pair.corner_two(pair.b(), s.g[k].b);
  }
  const auto by_norm = [&](double radius) { return radius > 0 ? TwoDouble(radius) / search.norm : TwoDouble(0); };
  ConvexClosest out;
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
ConvexClosest closest_in_integers(const ConvexSet& a, const ConvexSet& b, const Simplex<Generator>& proposal) {
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
ClosestOrBounds without_integers(const ConvexSet& a, const ConvexSet& b, Proposal& proposal) {
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
  if (!common && pair.same_generators() && NearestFace(pair.a(), pair.b(), proposal).closest(out)) {  // the weights are doubles, see above
    ++decision_counts().filter;
    return {out, out.distance, out.distance};
  }
  ClosestOrBounds found;
  if (!common) found = closest_in_pairs(pair, proposal);
  if (found.closest) ++decision_counts().pairs;
  if (!pair.same_generators()) proposal.n = 0;
  return found;
}

}  // namespace

ConvexClosest closest(const ConvexSet& a, const ConvexSet& b) {
  if (order_of(a, b) > 0) {
    ConvexClosest c = closest(b, a);
    std::swap(c.on_a, c.on_b);
    return c;
  }
  Proposal proposal;
  const ClosestOrBounds found = without_integers(a, b, proposal);
  return found.closest ? *found.closest : closest_in_integers(a, b, proposal);
}

ClosestOrBounds closest_without_integers(const ConvexSet& a, const ConvexSet& b) {
  const bool swapped = order_of(a, b) > 0;
  Proposal proposal;
  ClosestOrBounds found = swapped ? without_integers(b, a, proposal) : without_integers(a, b, proposal);
  if (swapped && found.closest) std::swap(found.closest->on_a, found.closest->on_b);
  return found;
}

}  // namespace graze
