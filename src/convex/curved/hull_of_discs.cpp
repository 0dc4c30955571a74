// What cylinders and cones, whole or truncated, have in common: placing, bounds, and the tools of their exact decisions (signs of polynomials and of U + V
// sqrt(P)).
#include "convex/curved/hull_of_discs.hpp"

#include <algorithm>
#include <cmath>

#include "convex/sets/order.hpp"
#include "convex/sets/plane_form.hpp"
#include "exact/rounding.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

/// The direction of the axis: b - a, halved where that overflows.
Vec3 axis_of(const HullOfDiscs& s) {
  const Vec3 &a = s.a, &b = s.b, d = minus(b, a);
  if (max_norm(d) == 0) return s.direction;
  return max_norm(d) < kInfinity ? d : Vec3(0.5 * b.x - 0.5 * a.x, 0.5 * b.y - 0.5 * a.y, 0.5 * b.z - 0.5 * a.z);
}

}  // namespace

HullOfDiscs::HullOfDiscs(const Vec3& end_a, const Vec3& end_b, double r_a, double r_b, const Pose* pose)
    : a(pose ? pose->apply(end_a) : end_a),
      b(pose ? pose->apply(end_b) : end_b),
      direction(pose ? pose->rotate(end_b - end_a) : end_b - end_a),
      radius_a(r_a),
      radius_b(r_b),
      radius(std::max(r_a, r_b)) {}

DeepPoint HullOfDiscs::deep_point(double at_a, double at_b) const { return {a * at_a + b * at_b, std::min(radius, max_norm(b - a))}; }

V3<Dyadic> HullOfDiscs::flat_normal() const { return a == b ? exact(direction) : V3<Dyadic>{}; }

std::optional<ConvexSet> HullOfDiscs::as_convex() const {
  if (radius != 0) return std::nullopt;
  return ConvexSet().add_point(a).add_point(b);
}

// Along coordinate k: r sqrt(1 - d_k^2 / |d|^2).
Vec3 HullOfDiscs::disc_extent(double r) const {
  const Vec3 d = axis_of(*this);
  Vec3 half(0, 0, 0);
  for (int k = 0; k < 3; ++k) {
    const double p = d[(k + 1) % 3], q = d[(k + 2) % 3];
    if ((p == 0 && q == 0) || r == 0) continue;
    half[k] = r;
    if (d[k] == 0) continue;
    const int e = exponent_of(std::max(std::fabs(p), std::fabs(q))), f = std::max(e, exponent_of(d[k]));
    const double ps = scaled(p, -e), qs = scaled(q, -e), pf = scaled(p, -f), qf = scaled(q, -f), kf = scaled(d[k], -f);
    const double ratio = std::sqrt(ps * ps + qs * qs) / std::sqrt((pf * pf + qf * qf) + kf * kf);
    // 2^-49 covers the roundings, about ten; the two steps up cover products that are denormal
    half[k] = std::min(r, next_up(scaled(next_up((r * ratio) * (1 + 0x1p-49)), e - f)));
  }
  return half;
}

// The furthest point is (along the axis, off the axis + r).
double HullOfDiscs::disc_reach(const Vec3& end, double r, const Vec3& center) const {
  const double offset = distance_up(center, end);
  if (r == 0) return offset;
  const int e = std::max(exponent_of(std::max(offset, r)), -1000);
  const Vec3 d = axis_of(*this);
  if (max_norm(d) == 0) return add_up(offset, r);
  const Vec3 s = to_unit_range(d);
  const V3<TwoDouble> n = normalized(V3<TwoDouble>{s.x, s.y, s.z});
  const auto difference = [&](double x, double y) {
    const TwoDouble t = two_sum(x, -y);
    return TwoDouble(scaled(t.hi, -e), scaled(t.lo, -e));
  };
  const V3<TwoDouble> w{difference(center.x, end.x), difference(center.y, end.y), difference(center.z, end.z)};
  const TwoDouble along = graze::dot(w, n);
  const V3<TwoDouble> across{w.x - along * n.x, w.y - along * n.y, w.z - along * n.z};
  // the axis has an error of 2^-52, so the part off the axis has an error of 2^-51 of the offset; |w| >= both parts bounds the whole by |w| + r
  const TwoDouble off = square_root(graze::dot(across, across)) + TwoDouble(scaled(offset, -e) * 0x1p-50) + TwoDouble(scaled(r, -e));
  const TwoDouble far = square_root(along * along + off * off);
  return std::min(scaled_up(far + far * TwoDouble(0x1p-50), e), add_up(offset, r));
}

Box3 HullOfDiscs::bounds() const {
  Box3 box;
  add_around(box, a, disc_extent(radius_a));
  add_around(box, b, disc_extent(radius_b));
  return box;
}

double HullOfDiscs::reach(const Vec3& center) const { return std::max(disc_reach(a, radius_a, center), disc_reach(b, radius_b, center)); }

ConvexSet HullOfDiscs::bounding_set() const {
  ConvexSet capsule;  // every point is within the radius of the axis
  capsule.add_point(a).add_point(b);
  capsule.radius = radius;
  return capsule;
}

BoundingVolume HullOfDiscs::bounding_volume() const {
  BoundingVolume r;
  const Vec3 displacement = b - a;
  const double l = length(displacement);
  r.more = 0x1p-36 * (l + radius);
  if (radius <= l || !(l + radius > 0x1p-200 && l + radius < 0x1p200)) {
    r.convex = bounding_set();
    return r;
  }
  Vec3 axis = l > 0x1p-200 ? displacement : direction;
  const double n = length(axis);
  axis = n > 0x1p-400 && n < 0x1p400 ? axis * (1 / n) : Vec3(0, 0, 1);
  const int k = std::fabs(axis.x) <= std::fabs(axis.y) && std::fabs(axis.x) <= std::fabs(axis.z) ? 0 : std::fabs(axis.y) <= std::fabs(axis.z) ? 1 : 2;
  Vec3 across(0, 0, 0);
  across[k] = 1;
  across -= axis[k] * axis;
  across = across * (1 / length(across));
  const Vec3 third(axis.y * across.z - axis.z * across.y, axis.z * across.x - axis.x * across.z, axis.x * across.y - axis.y * across.x);
  r.convex.add_point(a * 0.5 + b * 0.5).add_segment(axis, -0.5 * l, 0.5 * l).add_segment(across, -radius, radius).add_segment(third, -radius, radius);
  return r;
}

template <>
V3<double> HullOfDiscs::unit_axis(const MinkowskiFrame& frame) const {
  Vec3 d(frame.pre_scaled(b.x) - frame.pre_scaled(a.x), frame.pre_scaled(b.y) - frame.pre_scaled(a.y), frame.pre_scaled(b.z) - frame.pre_scaled(a.z));
  if (max_norm(d) == 0) d = direction;
  const int e = exponent_of(max_norm(d));
  if (e == -100000) return {0, 0, 1};
  const V3<double> n{scaled(d.x, -e), scaled(d.y, -e), scaled(d.z, -e)};
  return times(n, 1 / std::sqrt(graze::dot(n, n)));
}

template <>
V3<TwoDouble> HullOfDiscs::unit_axis(const MinkowskiFrame& frame) const {
  const auto difference = [&](int i) { return two_sum(frame.pre_scaled(b[i]), -frame.pre_scaled(a[i])); };
  V3<TwoDouble> d{difference(0), difference(1), difference(2)};
  if (is_zero(d)) d = {direction.x, direction.y, direction.z};
  const int e = exponent_of(max_norm(Vec3(d.x.hi, d.y.hi, d.z.hi)));
  if (e == -100000) return {0.0, 0.0, 1.0};
  for (TwoDouble* x : {&d.x, &d.y, &d.z}) *x = {scaled(x->hi, -e), scaled(x->lo, -e)};
  const TwoDouble length = square_root(graze::dot(d, d));
  return {d.x / length, d.y / length, d.z / length};
}

std::optional<AxialPoint> HullOfDiscs::relative(const Vec3& p) const {
  const Vec3 displacement = b - a;
  const double size = std::max(radius, max_norm(displacement));
  if (size == 0) return std::nullopt;
  const int scale = -exponent_of(size);
  const auto small = [&](const Vec3& v) { return Vec3(scaled(v.x, scale), scaled(v.y, scale), scaled(v.z, scale)); };
  const Vec3 axis = small(displacement), to = small(p - a);
  const double length = std::sqrt(dot(axis, axis));
  if (length == 0) return std::nullopt;
  const double height = dot(to, axis) / length;
  const Vec3 out = to - axis * (height / length);
  return AxialPoint{length, scaled(radius, scale), height, std::sqrt(dot(out, out)), scale};
}

/// In the half-plane of distance from the axis and height above a: the trapezoid (0, 0), (radius_a, 0), (radius_b, length), (0, length).
std::optional<V3<double>> HullOfDiscs::nearest(const V3<double>& q) const {
  const V3<double> axis = v3(a == b ? direction : minus(b, a));
  const double norm = std::sqrt(graze::dot(axis, axis)), length = a == b ? 0 : norm;
  if (!(norm > 0)) return std::nullopt;
  const V3<double> unit = (1 / norm) * axis;
  const double height = graze::dot(q, unit);
  const V3<double> out = q - height * unit;
  const double rho = std::sqrt(graze::dot(out, out)), taper = radius_b - radius_a, beyond = rho - radius_a;
  if (height >= 0 && height <= length && beyond * length <= height * taper) return std::nullopt;
  const double t = std::clamp((beyond * taper + height * length) / (taper * taper + length * length), 0.0, 1.0);  // along the side
  double m = radius_a + t * taper, z = t * length;
  const auto squared = [&](double x, double y) { return (rho - x) * (rho - x) + (height - y) * (height - y); };
  const bool low = height < 0;
  if (low || height > length) {
    const double end = std::min(rho, low ? radius_a : radius_b), level = low ? 0 : length;
    if (!(squared(m, z) <= squared(end, level))) m = end, z = level;
  }
  return z * unit + (rho > 0 ? std::min(m, rho) / rho : 0.0) * out;
}

double HullOfDiscs::height(const V3<double>& n) const {
  const V3<double> axis = v3(a == b ? direction : minus(b, a)), across = cross(n, axis);
  const double tilt = std::sqrt(graze::dot(across, across) / graze::dot(axis, axis));
  return std::max(radius_a * tilt, (a == b ? 0 : graze::dot(n, axis)) + radius_b * tilt);
}

double HullOfDiscs::size() const { return taxicab(v3(minus(b, a))) + (radius_a + radius_b); }

AxialPosition::AxialPosition(const HullOfDiscs& shape, const Vec3& p)
    : axis(normalized(shape.b - shape.a != Vec3(0, 0, 0) ? shape.b - shape.a : shape.direction)) {
  length = dot(shape.b - shape.a, axis);
  height = dot(p - shape.a, axis);
  out = (p - shape.a) - height * axis;
  rho = std::sqrt(dot(out, out));
}

int order_of(const HullOfDiscs& x, const HullOfDiscs& y) {
  if (const int c = order_of(x.a, y.a)) return c;
  if (const int c = order_of(x.b, y.b)) return c;
  if (const int c = order_of(x.radius, y.radius)) return c;
  if (const int c = order_of(x.direction, y.direction)) return c;
  if (const int c = order_of(x.radius_a, y.radius_a)) return c;
  return order_of(x.radius_b, y.radius_b);
}

int sign_of_sum(const Dyadic& u, const Dyadic& v, const Dyadic& p) {
  const int su = sign_of(u), sv = sign_of(p) == 0 ? 0 : sign_of(v);
  if (su == sv || sv == 0) return su;
  if (su == 0) return sv;
  return su * sign_of(u * u - v * v * p);
}

AxisView::AxisView(const V3<Dyadic>& q, const V3<Dyadic>& d) : dd(graze::dot(d, d)), t(graze::dot(q, d)), qq(graze::dot(q, q)) {
  const V3<Dyadic> c = cross(q, d);
  radial = graze::dot(c, c);
}

bool near_disc(const AxisView& v, const Dyadic& r, const Dyadic& rho) {
  if (sign_of(v.radial - r * r * v.dd) <= 0) return sign_of(v.t * v.t - rho * rho * v.dd) <= 0;
  // (q . q) + r^2 - rho^2 <= 2 r sqrt(radial) / |d|
  const Dyadic k = v.qq + r * r - rho * rho;
  if (sign_of(k) <= 0) return true;
  return sign_of(k * k * v.dd - Dyadic(4) * r * r * v.radial) <= 0;
}

Certain discs_meet_plane(const HullOfDiscs& shape, const ConvexSet& other) {
  PlaneForm plane;
  if (!is_plane(other, plane)) return Certain::unknown;
  // Whether n . (x - point) <= 0 for some x of the shape, and >= 0 for another if it is a plane.
  const V3<Dyadic> n = exact(plane.normal), a = exact(shape.a), b = exact(shape.b), p = exact(plane.point);
  const V3<Dyadic> d = b - a, across = cross(n, d);
  const Dyadic ha = graze::dot(n, a - p), hb = graze::dot(n, b - p), dd = graze::dot(d, d), tilt = graze::dot(across, across);
  // The disc of radius r around a covers the heights ha +- sqrt(r^2 tilt / dd).
  const auto reaches = [&](const Dyadic& h, double r) { return sign_of(h * h * dd - Dyadic(r) * r * tilt) <= 0; };
  const bool cut_a = reaches(ha, shape.radius_a), cut_b = reaches(hb, shape.radius_b);
  const bool low = sign_of(ha) <= 0 || sign_of(hb) <= 0 || cut_a || cut_b;
  if (plane.solid || !low) return certain(low);
  return certain(sign_of(ha) >= 0 || sign_of(hb) >= 0 || cut_a || cut_b);
}

int HullOfDiscs::side(const V3<Dyadic>& n, const V3<Dyadic>& p) const {
  const V3<Dyadic> axis = exact_axis(), sideways = cross(n, axis);
  const Dyadic dd = graze::dot(axis, axis), tilt = graze::dot(sideways, sideways) * dd;
  const auto of_disc = [&](const Vec3& centre, double r) { return sign_of_sum(graze::dot(n, exact(centre) - p) * dd, r, tilt); };
  return std::max(of_disc(a, radius_a), of_disc(b, radius_b));
}

/// A disc lies in a ball where its farthest point does: |q|^2 + r^2 + 2 r (distance of the centre of the ball from the axis) <= R^2.
bool HullOfDiscs::is_in_ball(const V3<Dyadic>& center, const Dyadic& r) const {
  const auto inside = [&](const Vec3& at, const Dyadic& own) {
    const AxisView v(center - exact(at), exact_axis());
    return sign_of_sum((v.qq + own * own - r * r) * v.dd, Dyadic(2) * own, v.radial * v.dd) <= 0;
  };
  return inside(a, radius_a) && inside(b, radius_b);
}

/// For parallel axes: each disc between the ends, and (distance of its centre from the axis) + r at most the radius there.
Certain HullOfDiscs::is_in(const HullOfDiscs& other) const {
  const V3<Dyadic> axis = other.exact_axis();
  if (other.a == other.b || !is_zero(cross(exact_axis(), axis))) return Certain::unknown;
  const Dyadic wide = other.radius_a, taper = wide - Dyadic(other.radius_b);
  const auto inside = [&](const Vec3& at, const Dyadic& r) {
    const AxisView v(exact(at) - exact(other.a), axis);
    if (sign_of(v.t) < 0 || sign_of(v.t - v.dd) > 0) return false;
    return sign_of_sum((r - wide) * v.dd + taper * v.t, 1.0, v.radial * v.dd) <= 0;
  };
  return certain(inside(a, radius_a) && inside(b, radius_b));
}

void HullOfDiscs::add_pieces(const MinkowskiFrame& frame, std::vector<Piece>& out) const {
  const LocalAxial<TwoDouble> t(*this, frame);
  const auto add_circle = [&](const V3<TwoDouble>& centre, double r) {
    Piece p;
    p.centre = centre;
    if (const TwoDouble local(frame.pre_scaled(r) * frame.factor()); rounded(local) > 0) {
      p.n = 2;
      pieces::complete_basis(t.axis, p.column[0], p.column[1]);
      for (int k = 0; k < 2; ++k) p.column[k] = local * p.column[k];
    }
    out.push_back(p);
  };
  add_circle(t.a, radius_a);
  add_circle(t.b, radius_b);
}

bool HullOfDiscs::contains(const Piece& p, const MinkowskiFrame& frame, double delta) const {
  using namespace pieces;
  const LocalAxial<TwoDouble> t(*this, frame);
  const TwoDouble wide_a(frame.pre_scaled(radius_a) * frame.factor()), wide_b(frame.pre_scaled(radius_b) * frame.factor());
  const TwoDouble length = dot(t.b - t.a, t.axis), taper = wide_a - wide_b;
  const Heights z(p, t.a, t.axis);
  if (rounded(z.middle - z.half) < -delta || rounded(z.middle + z.half - length) > delta) return false;
  const Grown wide(rounded(taper) > 0 ? wide_a : wide_b, delta);
  if (!is_at_most_zero(beyond_cylinder(p, t.a, t.axis, wide), wide.margin)) return false;
  // A height below 2 delta is no height within the bound: the cone is the disc of its wide end.
  if (rounded(taper) == 0 || rounded(length) <= 2 * delta) return true;
  // cosine * (distance from the axis) <= v = cosine * wide_a - sine * height, the distance from the lateral surface on the axis
  const TwoDouble slant = square_root(length * length + taper * taper), cosine = length / slant, sine = taper / slant;
  SphereQuadratic q = quadratic_of(p);
  const auto flat = [&](const W3& x) { return cosine * across(t.axis, x); };
  add_length(q, 1, flat(p.centre - t.a), {flat(p.column[0]), flat(p.column[1]), flat(p.column[2])});
  const TwoDouble v = cosine * wide_a - sine * z.middle;
  q.add_square(-1, v + TwoDouble(delta), {-(sine * z.along[0]), -(sine * z.along[1]), -(sine * z.along[2])});
  const double least = std::max(0.0, rounded(v) - std::fabs(rounded(sine * z.half)));  // of v on the piece
  return is_at_most_zero(q, TwoDouble((2 * least + delta) * delta));
}

std::array<double, 3> HullOfDiscs::extents() const { return {radius, radius, max_norm(minus(b, a))}; }

CurvedFeature HullOfDiscs::feature(const V3<double>& d) const {
  CurvedFeature f;
  const Vec3 w = a == b ? direction : minus(b, a);
  V3<double> axis{w.x, w.y, w.z};
  if (const double size = max_norm(w); size > 0) axis = {axis.x / size, axis.y / size, axis.z / size};
  const double length = std::sqrt(graze::dot(axis, axis));
  if (length > 0) axis = {axis.x / length, axis.y / length, axis.z / length};
  const double along = graze::dot(axis, d);
  V3<double> out = d - along * axis;  // perpendicular to the axis, towards d
  double across = std::sqrt(graze::dot(out, out));
  if (!(across > 0x1p-20)) {
    out = cross(axis, std::fabs(axis.x) < 0.6 ? V3<double>{1, 0, 0} : V3<double>{0, 1, 0});
    across = std::sqrt(graze::dot(out, out));
  }
  out = {out.x / across, out.y / across, out.z / across};
  const Vec3& end = along > 0 ? b : a;
  const double r = along > 0 ? radius_b : radius_a;
  if (along * along >= 0.5 && r > 0) {
    const V3<double> side = cross(axis, out);
    const double h = r * 0.70710678118654752440;
    const double x[8] = {r, h, 0, -h, -r, -h, 0, h}, y[8] = {0, h, r, h, 0, -h, -r, -h};
    for (int k = 0; k < 8; ++k) f.add(end, x[k] * out + y[k] * side);
    return f;
  }
  f.add(a, radius_a * out);
  f.add(b, radius_b * out);
  return f;
}

}  // namespace graze
