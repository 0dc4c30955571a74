// What cylinders and cones, whole or truncated, have in common: placing, bounds, and the tools of their exact decisions (signs of polynomials and of U + V
// sqrt(P)).
#include "convex/curved/axial.hpp"

#include <algorithm>
#include <cmath>

#include "convex/sets/order.hpp"
#include "convex/sets/plane_form.hpp"
#include "exact/rounding.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {

/// The direction of the axis: b - a, halved where that overflows.
Vec3 axis_of(const Axial& s) {
  const Vec3 &a = s.a, &b = s.b, d = minus(b, a);
  if (max_norm(d) == 0) return s.direction;
  return max_norm(d) < kInfinity ? d : Vec3(0.5 * b.x - 0.5 * a.x, 0.5 * b.y - 0.5 * a.y, 0.5 * b.z - 0.5 * a.z);
}

}  // namespace

Axial::Axial(const Vec3& end_a, const Vec3& end_b, double r, const Pose* pose)
    : a(pose ? pose->apply(end_a) : end_a), b(pose ? pose->apply(end_b) : end_b), direction(pose ? pose->rotate(end_b - end_a) : end_b - end_a), radius(r) {}

DeepPoint Axial::deep_point(double at_a, double at_b) const { return {a * at_a + b * at_b, std::min(radius, max_norm(b - a))}; }

V3<Dyadic> Axial::flat_normal() const { return a == b ? exact_vector(direction) : V3<Dyadic>{}; }

std::optional<ConvexSet> Axial::as_convex() const {
  if (radius != 0) return std::nullopt;
  return ConvexSet().add_point(a).add_point(b);
}

// Along coordinate k: r sqrt(1 - d_k^2 / |d|^2).
Vec3 Axial::disc_extent(double r) const {
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
double Axial::disc_reach(const Vec3& end, double r, const Vec3& center) const {
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

ConvexSet Axial::bounding_set() const {
  ConvexSet capsule;  // every point is within the radius of the axis
  capsule.add_point(a).add_point(b);
  capsule.radius = radius;
  return capsule;
}

BoundingVolume Axial::bounding_volume() const {
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
V3<double> Axial::unit_axis(const MinkowskiFrame& frame) const {
  Vec3 d(frame.pre_scaled(b.x) - frame.pre_scaled(a.x), frame.pre_scaled(b.y) - frame.pre_scaled(a.y), frame.pre_scaled(b.z) - frame.pre_scaled(a.z));
  if (max_norm(d) == 0) d = direction;
  const int e = exponent_of(max_norm(d));
  if (e == -100000) return {0, 0, 1};
  const V3<double> n{scaled(d.x, -e), scaled(d.y, -e), scaled(d.z, -e)};
  return times(n, 1 / std::sqrt(graze::dot(n, n)));
}

template <>
V3<TwoDouble> Axial::unit_axis(const MinkowskiFrame& frame) const {
  const auto difference = [&](int i) { return two_sum(frame.pre_scaled(b[i]), -frame.pre_scaled(a[i])); };
  V3<TwoDouble> d{difference(0), difference(1), difference(2)};
  if (is_zero(d)) d = {direction.x, direction.y, direction.z};
  const int e = exponent_of(max_norm(Vec3(d.x.hi, d.y.hi, d.z.hi)));
  if (e == -100000) return {0.0, 0.0, 1.0};
  for (TwoDouble* x : {&d.x, &d.y, &d.z}) *x = {scaled(x->hi, -e), scaled(x->lo, -e)};
  const TwoDouble length = square_root(graze::dot(d, d));
  return {d.x / length, d.y / length, d.z / length};
}

std::optional<AxialPoint> Axial::relative(const Vec3& p) const {
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

AxialPosition::AxialPosition(const Axial& shape, const Vec3& p) : axis(normalized(shape.b - shape.a != Vec3(0, 0, 0) ? shape.b - shape.a : shape.direction)) {
  length = dot(shape.b - shape.a, axis);
  height = dot(p - shape.a, axis);
  out = (p - shape.a) - height * axis;
  rho = std::sqrt(dot(out, out));
}

int order_of(const Axial& x, const Axial& y) {
  if (const int c = order_of(x.a, y.a)) return c;
  if (const int c = order_of(x.b, y.b)) return c;
  if (const int c = order_of(x.radius, y.radius)) return c;
  return order_of(x.direction, y.direction);
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

Certain discs_meet_plane(const Axial& shape, double radius_a, double radius_b, const ConvexSet& other) {
  PlaneForm plane;
  if (!is_plane(other, plane)) return Certain::unknown;
  // Whether n . (x - point) <= 0 for some x of the shape, and >= 0 for another if it is a plane.
  const V3<Dyadic> n = exact_vector(plane.normal), a = exact_vector(shape.a), b = exact_vector(shape.b), p = exact_vector(plane.point);
  const V3<Dyadic> d = b - a, across = cross(n, d);
  const Dyadic ha = graze::dot(n, a - p), hb = graze::dot(n, b - p), dd = graze::dot(d, d), tilt = graze::dot(across, across);
  // The disc of radius r around a covers the heights ha +- sqrt(r^2 tilt / dd).
  const auto reaches = [&](const Dyadic& h, double r) { return sign_of(h * h * dd - Dyadic(r) * r * tilt) <= 0; };
  const bool cut_a = reaches(ha, radius_a), cut_b = reaches(hb, radius_b);
  const bool low = sign_of(ha) <= 0 || sign_of(hb) <= 0 || cut_a || cut_b;
  if (plane.solid || !low) return certain(low);
  return certain(sign_of(ha) >= 0 || sign_of(hb) >= 0 || cut_a || cut_b);
}

}  // namespace graze
