// Properties of bounds (they contain the shape, and no smaller box of doubles does) and of penetration and contacts (only for shapes that intersect; the vector
// separates them).
#include <gtest/gtest.h>
#include <graze/guarantees.hpp>

#include "property/instances.hpp"

namespace graze::test {
namespace {

void check_bounds(const Instance& a, Source&, Failures& f) {
  const auto ra = *a;
  const Box b = bounding_box(ra);
  const bool bounded = curved(a.shape), round = bounded || is_one_of<Sphere, Capsule, Compound>(a.shape.kind());
  const Instance box{b, std::nullopt};
  if (b.min.x > b.max.x) return;  // empty
  for (int i = 0; i < 3; ++i) {
    Vec3 n(0, 0, 0), p(0, 0, 0);
    n[i] = 1;
    const auto told = [&] { return "axis " + std::to_string(i); };
    const auto below = [&](double x) {
      p[i] = x;
      return intersects(ra, HalfSpace{p, n});
    };
    const auto above = [&](double x) {
      p[i] = x;
      return intersects(ra, HalfSpace{p, -n});
    };
    double least = b.min[i], most = b.max[i];
    if (std::isfinite(least)) {
      if (!bounded) f.expect(!below(next_down(least)), "nothing below the box", a, box, told);
      for (int k = 0; k < (round ? 6 : 1); ++k) least = next_up(least);
      if (!bounded) f.expect(below(least), "the box is tight below", a, box, told);
    }
    if (std::isfinite(most)) {
      if (!bounded) f.expect(!above(next_up(most)), "nothing above the box", a, box, told);
      for (int k = 0; k < (round ? 6 : 1); ++k) most = next_down(most);
      if (!bounded) f.expect(above(most), "the box is tight above", a, box, told);
    }
  }
  if (!std::isfinite(b.min.x + b.min.y + b.min.z + b.max.x + b.max.y + b.max.z)) return;
  const Sphere s = bounding_sphere(ra);
  const Instance ball{s, std::nullopt};
  for (int i = 0; i < 3; ++i) {  // the ball contains the shape's extreme points along each axis: the ball's slab contains the shape
    Vec3 n(0, 0, 0);
    n[i] = 1;
    f.expect(s.center[i] + s.radius >= b.max[i] - 1e-12 && s.center[i] - s.radius <= b.min[i] + 1e-12, "the ball spans the box's slabs", a, ball);
  }
  const auto in = [&](std::span<const Vec3> points) {
    for (const Vec3& p : points) f.expect(contains(s, a.pose ? a.pose->apply(p) : p), "the ball contains the vertices", a, ball, [&] { return text(p); });
  };
  std::visit(
      [&](const auto& x) {
        using S = std::remove_cvref_t<decltype(x)>;
        if constexpr (requires { x.points(); }) in(x.points());
        if constexpr (requires { x.mesh(); })
          for (const auto& t : x.mesh().triangles())
            for (const std::uint32_t v : t) in(x.mesh().vertices().subspan(v, 1));
        if constexpr (std::is_same_v<S, Mesh>)
          for (const auto& t : x.triangles())
            for (const std::uint32_t v : t) in(x.vertices().subspan(v, 1));
        if constexpr (std::is_same_v<S, Triangle>) in(x.points);
        if constexpr (std::is_same_v<S, Segment> || std::is_same_v<S, Capsule>) in(std::vector<Vec3>{x.a, x.b});
      },
      a.shape.value());
}

TEST(Bounds, WholeNumbers) { all_kinds(Numbers::whole, 300, 31, true, check_bounds); }
TEST(Bounds, Reals) { all_kinds(Numbers::real, 300, 32, true, check_bounds); }
TEST(Bounds, HostileNumbers) { all_kinds(Numbers::hostile, 300, 33, true, check_bounds); }

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// The shape with v added to the translation of its pose.
Instance moved(const Instance& a, const Vec3& v) {
  Pose p = a.pose.value_or(Pose{});
  p.translation += v;
  return {a.shape, p};
}

void check_depth(const Instance& a, const Instance& b, Source&, Failures& f) {
  const Kind ka = a.shape.kind(), kb = b.shape.kind();
  if (guarantee(Query::penetration, ka, kb) == Guarantee::refused) return;
  const auto ra = *a, rb = *b;
  const bool hit = intersects(ra, rb), bounded = curved(a.shape) || curved(b.shape);
  const PenetrationResult p = penetration(ra, rb);
  const auto told = [&] {
    return "hit " + std::to_string(hit) + " reason " + std::to_string(static_cast<int>(p.reason)) +
           (p.value ? " depth " + text(p.value->depth) + " normal " + text(p.value->normal) + " vector " + text(p.value->vector) : "");
  };
  if (!bounded) f.expect((p.reason == NoPenetration::apart) == !hit, "apart exactly when they do not intersect", a, b, told);
  f.expect(p.value.has_value() == (p.reason == NoPenetration::none), "a value or a reason", a, b, told);
  if (p.value) {
    f.expect(p.value->depth > 0, "depth > 0", a, b, told);
    f.expect(std::fabs(length(p.value->normal) - 1) < 1e-15 * 4, "unit normal", a, b, told);
    const double longer = length(p.value->vector) - p.value->depth;
    f.expect(longer >= -0x1p-50 * p.value->depth && longer <= 0x1p-32 * p.value->depth, "the vector is as long as the depth", a, b, told);
    const Instance away = moved(a, p.value->vector);  // rounding of the moved coordinates may make them overlap again by as much
    const double size = 16;
    const PenetrationResult left = penetration(*away, rb);
    f.expect(!left.value || left.value->depth <= (bounded ? 1e-10 : 1e-14) * size, "the vector separates", a, b,
             [&] { return told() + " left " + text(left.value->depth); });
  }
  const auto c = contacts(ra, rb);
  if (!bounded) f.expect(c.empty() == !hit, "contacts exactly when they intersect", a, b, [&] { return told() + " contacts " + std::to_string(c.size()); });
  for (const Contact& k : c)
    f.expect(k.depth >= 0 && (k.depth == INFINITY ? k.normal == Vec3(0, 0, 0) : std::fabs(length(k.normal) - 1) < 4e-15), "contact's depth and normal", a, b,
             [&] { return told() + " contact depth " + text(k.depth) + " normal " + text(k.normal); });
  const PenetrationResult q = penetration(rb, ra);
  f.expect(q.reason == p.reason, "the reason is symmetric", a, b, [&] { return told() + " other way " + std::to_string(static_cast<int>(q.reason)); });
  const bool convex = ka < kind_of<Mesh> && kb < kind_of<Mesh> && ka != kind_of<Polygon> && kb != kind_of<Polygon>;
  if (p.value && q.value && convex)
    f.expect(std::fabs(p.value->depth - q.value->depth) <= 2e-9 * p.value->depth + (bounded ? 1e-11 : 0), "the depth is symmetric", a, b,
             [&] { return told() + " other way " + text(q.value->depth); });
}

TEST(Depth, WholeNumbers) { all_pairs(Numbers::whole, 30, 34, true, check_depth); }
TEST(Depth, Reals) { all_pairs(Numbers::real, 15, 35, true, check_depth); }

}  // namespace
}  // namespace graze::test
