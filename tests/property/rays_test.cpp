// Properties of a ray, segment or line and any shape: the forms of raycast agree with each other and with intersects; t_max is inclusive; contains equals
// intersects with a point; batches equal single queries.
#include <gtest/gtest.h>
#include <graze/error.hpp>

#include "property/instances.hpp"

namespace graze::test {
namespace {

bool same(const std::optional<Hit>& a, const std::optional<Hit>& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  const auto equal = [](const std::optional<Vec3>& x, const std::optional<Vec3>& y) { return x.has_value() == y.has_value() && (!x || test::same(*x, *y)); };
  return test::same(a->t, b->t) && test::same(a->point, b->point) && equal(a->normal, b->normal) && a->triangle == b->triangle && a->part == b->part &&
         a->child == b->child && equal(a->barycentric, b->barycentric) && a->front == b->front && a->started_inside == b->started_inside;
}

void check_ray(const Instance& b, Source& s, Failures& f) {
  const Kind kinds[] = {kind_of<Ray>, kind_of<Segment>, kind_of<Line>};
  const Instance a = random_instance(kinds[s.below(3)], s);
  const auto ra = *a, rb = *b;
  const bool line = a.shape.kind() == kind_of<Line>, bounded = curved(b.shape);
  const auto first = raycast(ra, rb);
  const auto all = raycast_all(ra, rb);
  const auto told = [&] {
    return first ? "t " + text(first->t) + " triangle " + (first->triangle ? std::to_string(*first->triangle) : "-") +
                       (first->started_inside ? " started inside" : "")
                 : std::string("no hit");
  };
  f.expect(first.has_value() == intersects(ra, rb), "raycast hits exactly when they intersect", a, b, told);
  f.expect(first.has_value() == raycast_any(ra, rb), "raycast_any is raycast's yes or no", a, b, told);
  f.expect(first.has_value() == !all.empty(), "raycast_all finds some exactly when raycast does", a, b, told);
  if (!all.empty())
    f.expect(same(first, all[0]), "the first of all is the first", a, b,
             [&] { return told() + " of all: t " + text(all[0].t) + " triangle " + (all[0].triangle ? std::to_string(*all[0].triangle) : "-"); });
  for (std::size_t i = 1; i < all.size(); ++i) f.expect(all[i - 1].t <= all[i].t, "all in order", a, b);
  if (!first) return;
  if (!line) {
    f.expect(first->t >= 0, "t >= 0", a, b, told);
    const auto* segment = a.shape.get<Segment>();
    const auto* ray = a.shape.get<Ray>();
    if (segment) f.expect(first->t <= 1, "t <= 1", a, b, told);
    const Vec3 start = a.pose ? a.pose->apply(segment ? segment->a : ray->origin) : segment ? segment->a : ray->origin;
    if (!bounded) f.expect(first->started_inside == intersects(Point{start}, rb), "started_inside exactly when the start is in", a, b, told);
  } else {
    f.expect(!first->started_inside, "a line does not start", a, b, told);
  }
  if (first->started_inside) f.expect(first->t == 0, "started inside at 0", a, b, told);
  if (bounded) return;
  const auto with = [&](double t_max) { return raycast(ra, rb, {t_max}); };
  f.expect(same(with(next_up(first->t)), first), "the same up to the next double above t", a, b, [&] {
    const auto again = with(next_up(first->t));
    return told() + " point " + text(first->point) + " front " + std::to_string(first->front) +
           (again ? "; then t " + text(again->t) + " point " + text(again->point) + " front " + std::to_string(again->front) : "; then none");
  });
  if (first->t != -INFINITY && (first->t != 0 || line)) {
    f.expect(!with(next_down(first->t)), "nothing before t", a, b, told);
    f.expect(!raycast_any(ra, rb, {next_down(first->t)}), "not any before t", a, b, told);
  }
  f.expect(with(first->t).has_value() == raycast_any(ra, rb, {first->t}), "t_max at t: the same yes or no", a, b, told);
}

TEST(RaysOnAllKinds, WholeNumbers) { all_kinds(Numbers::whole, 600, 21, true, check_ray); }
TEST(RaysOnAllKinds, Reals) { all_kinds(Numbers::real, 300, 22, true, check_ray); }
TEST(RaysOnAllKinds, HostileNumbers) { all_kinds(Numbers::hostile, 60, 23, true, check_ray); }

/// t is exact when it is a double: axis-parallel unit steps on whole numbers against boxes.
TEST(RaysOnAllKinds, BatchesEqualSingleQueries) {
  all_kinds(Numbers::whole, 40, 24, true, [](const Instance& b, Source& s, Failures& f) {
    std::vector<Ray> rays;
    std::vector<Vec3> points;
    for (int i = 0; i < 40; ++i) {
      rays.push_back(instance<Ray>(s));
      points.push_back(s.vector());
    }
    const auto rb = *b;
    const double t_max = s.below(2) ? s.size() : INFINITY;
    const auto hits = raycast(RaySpan{rays, t_max}, rb);
    const auto any = raycast_any(RaySpan{rays, t_max}, rb);
    const auto near = closest(std::span<const Vec3>(points), rb);
    const auto in = contains(rb, std::span<const Vec3>(points));
    const Instance none{Point{}, std::nullopt};
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const Instance ray{rays[i], std::nullopt}, point{Point{points[i]}, std::nullopt};
      f.expect(same(hits[i], raycast(rays[i], rb, {t_max})), "batch of rays", ray, b);
      f.expect((any[i] != 0) == raycast_any(rays[i], rb, {t_max}), "batch of rays, any hit", ray, b);
      const Closest c = closest(Point{points[i]}, rb);
      f.expect(test::same(near[i].distance, c.distance) && test::same(near[i].on_a, c.on_a) && test::same(near[i].on_b, c.on_b) &&
                   near[i].triangle_b == c.triangle_b,
               "batch of points", point, b,
               [&] { return text(near[i].distance) + " " + text(near[i].on_b) + " alone " + text(c.distance) + " " + text(c.on_b); });
      f.expect((in[i] != 0) == contains(rb, points[i]), "batch of contains", point, b);
      f.expect(contains(rb, points[i]) == intersects(Point{points[i]}, rb), "contains is intersects with the point", point, b);
    }
  });
}

TEST(RaysOnAllKinds, ClassesOfSides) {
  for (const Numbers n : {Numbers::whole, Numbers::hostile}) {
    all_kinds(n, 300, 25, true, [](const Instance& a, Source& s, Failures& f) {
      const Plane plane = instance<Plane>(s);
      const auto ra = *a;
      const Instance b{plane, std::nullopt};
      if (curved(a.shape)) return;
      const Classification c = classify(ra, plane);
      const bool below = intersects(ra, HalfSpace{plane.point, plane.normal}), above = intersects(ra, HalfSpace{plane.point, -plane.normal});
      if (a.shape.kind() == kind_of<Compound> && below == above) return;  // parts on both sides
      if (a.shape.kind() == kind_of<Mesh> && below == above) return;
      const Side side = !below ? Side::front : !above ? Side::behind : Side::intersects;
      f.expect(c.side == side || (of_triangles(a.shape.kind()) && below && above && !intersects(ra, plane)), "classified by its half spaces", a, b,
               [&] { return "side " + std::to_string(static_cast<int>(c.side)) + " below " + std::to_string(below) + " above " + std::to_string(above); });
      if (a.shape.kind() == kind_of<Sphere>) return;
      const double d = closest(ra, plane).distance;
      const auto told = [&] { return "classified at " + text(c.distance) + ", closest says " + text(d); };
      if (side == Side::front)
        f.expect(c.distance > 0 && (c.distance == d || std::fabs(c.distance - d) <= 2.1e-15 * d + 0x1p-1073), "distance in front", a, b, told);
      if (side == Side::behind)
        f.expect(c.distance < 0 && (c.distance == -d || std::fabs(-c.distance - d) <= 2.1e-15 * d + 0x1p-1073), "distance behind", a, b, told);
      const Frustum view = instance<Frustum>(s);
      const Instance v{view, std::nullopt};
      f.expect((classify(ra, view) == Visibility::outside) == !intersects(ra, view), "outside of a frustum", a, v);
    });
  }
}

bool is_surface_without_inside(Kind k) { return k == Kind::mesh || k == Kind::height_field; }

TEST(SignedDistance, AgreesWithContainsAndClosest) {
  for (const Numbers n : {Numbers::whole, Numbers::hostile}) {
    all_kinds(n, 300, 26, true, [](const Instance& b, Source& s, Failures& f) {
      const Vec3 p = s.vector();
      const auto rb = *b;
      bool refused = is_surface_without_inside(b.shape.kind());
      if (const Compound* compound = b.shape.get<Compound>())
        for (const Compound::Child& child : compound->children()) refused = refused || is_surface_without_inside(child.shape.kind());
      if (refused) {
        const Vec3 points[] = {p};
        for (const bool batch : {false, true}) {
          try {
            if (batch)
              (void)signed_distance(std::span<const Vec3>(points), rb);
            else
              (void)signed_distance(p, rb);
            f.expect(false, "refused", b, b);
          } catch (const Error& e) {
            f.expect(e.code() == ErrorCode::unsupported_shape, "refused as unsupported", b, b);
          }
        }
        return;
      }
      if (curved(b.shape) || b.shape.kind() == kind_of<Plane>) return;
      const Instance a{Point{p}, std::nullopt};
      const double d = signed_distance(p, rb), c = closest(Point{p}, rb).distance;
      const auto told = [&] { return "signed " + text(d) + " closest " + text(c); };
      f.expect((d <= 0) == contains(rb, p), "not positive exactly when contained", a, b, told);
      if (d > 0) f.expect(d == c || std::fabs(d - c) <= 2.1e-15 * c + 0x1p-1073, "outside it is the distance", a, b, told);
    });
  }
}

}  // namespace
}  // namespace graze::test
