// Linear sweeps of every kind of shape against every other. Exact static decisions on the swept pieces, by brute force, must confirm the time from both sides.
// Also trees against lists, symmetry, departing starts, certified placements, points against raycast, numbers over the whole range of doubles, and ties.
#include <gtest/gtest.h>

#include "convex/decide/decide.hpp"
#include "graze/sweep.hpp"
#include "parts/convex_of_shape.hpp"
#include "property/instances.hpp"
#include "support/random.hpp"
#include "sweep/linear/linear_sweep.hpp"

namespace graze::test::linear_test {
namespace {

/// The convex pieces of a shape.
struct Pieces {
  PartList parts;
  std::vector<ConvexSet> convex_sets;
  bool curved = false, has_solid = false;
  explicit Pieces(ShapeRef s) : parts(s) {
    for (const ListedPart& p : parts) {
      std::visit(
          [&]<class P>(const P& part) {
            if constexpr (std::is_same_v<P, ConvexSet>)
              convex_sets.push_back(part);
            else if constexpr (std::is_same_v<P, Curved>) {
              if (part.convex())
                convex_sets.push_back(*part.convex());
              else
                curved = true;
            } else if constexpr (std::is_same_v<P, MeshView>)
              add(part);
            else {
              has_solid = true;
              add(part.surface);
            }
          },
          p.part);
    }
  }
  void add(const MeshView& view) {
    for (std::uint32_t i = 0; i < view.mesh->triangles.size(); ++i) convex_sets.push_back(convex_triangle(view.triangle(i)));
  }
};

/// Whether some piece of a meets a piece of b at a time in [from, to].
bool meet(const Pieces& a, const Vec3& m, const Pieces& b, double from, double to) {
  for (const ConvexSet& ca : a.convex_sets) {
    ConvexSet swept = ca;
    swept.add_segment(m, from, to);
    for (const ConvexSet& cb : b.convex_sets)
      if (within(swept, cb)) return true;
  }
  return false;
}

std::string described(const std::optional<SweepHit>& h, const Vec3& m) {
  if (!h) return "motion " + text(m) + ": no hit";
  return "motion " + text(m) + ": t " + text(h->t) + (h->started_inside ? " inside" : "") + (h->departing ? " departing" : "") + " triangles " +
         (h->triangle_a ? std::to_string(*h->triangle_a) : "-") + " " + (h->triangle_b ? std::to_string(*h->triangle_b) : "-");
}

/// The first contact without trees.
EarliestContact by_list(const Motion& motion, const Pieces& a, const Pieces& b) {
  EarliestContact first(motion, false);
  std::uint32_t j = 0;
  for (const ConvexSet& cb : b.convex_sets) {
    std::uint32_t i = 0;
    for (const ConvexSet& ca : a.convex_sets) test_pair(first, ca, cb, {std::nullopt, j, std::nullopt, i++});
    ++j;
  }
  return first;
}

void check(const Instance& a, const Instance& b, const Vec3& m, bool whole, Failures& f) {
  const auto ra = *a, rb = *b;
  const std::optional<SweepHit> hit = sweep(ra, m, rb);
  const auto say = [&] { return described(hit, m); };
  const bool start = intersects(ra, rb);
  f.expect((hit && hit->started_inside) == start, "started_inside is intersects", a, b, say);
  if (hit) {
    f.expect(hit->t >= 0 && hit->t <= 1, "0 <= t <= 1", a, b, say);
    f.expect(!hit->started_inside || hit->t == 0, "inside at 0", a, b, say);
    if (hit->normal) {
      const Vec3 n = *hit->normal;
      f.expect(std::fabs(n.x * n.x + n.y * n.y + n.z * n.z - 1) < 1e-14, "unit normal", a, b, say);
    }
    if (hit->moved) {
      const Placed placed = at(a.shape, hit->safe);
      f.expect(!intersects(ShapeRef(placed), rb), "safe is free", a, b, say);
    }
  }
  const Pieces pa(ra), pb(rb);
  if (pa.curved || pb.curved) {
    if (!hit || hit->started_inside) return;
    for (const double part : {0.0, 0.25, 0.5, 0.75, 0.96875}) {
      const Pose from = a.pose.value_or(Pose{});
      Pose pose = from;
      pose.translation += part * hit->t * m;
      const Placed placed = at(a.shape, pose);
      f.expect(!intersects(ShapeRef(placed), rb), "no contact before t (curved)", a, b, say);
    }
    return;
  }
  // exact from both sides
  if (!start) {
    f.expect(hit.has_value() == meet(pa, m, pb, 0, 1), "hit exactly when the swept set meets", a, b, say);
    if (hit) {
      if (hit->t > 0) f.expect(!meet(pa, m, pb, 0, next_down(hit->t)), "no contact before t", a, b, say);
      f.expect(meet(pa, m, pb, 0, std::min(1.0, next_up(hit->t))), "contact by the next double", a, b, say);
    }
    const Motion motion{m};
    const EarliestContact list = by_list(motion, pa, pb);
    f.expect(list.found() == hit.has_value() && (!hit || list.contact().t == hit->t), "the list finds the same", a, b, say);
    if (hit && list.found()) {
      if (hit->triangle_b && b.shape.kind() != kind_of<Compound>)
        f.expect(*hit->triangle_b == *list.ids().triangle_b, "the list names the same triangle of the target", a, b,
                 [&] { return say() + " list " + std::to_string(*list.ids().triangle_b); });
      if (hit->triangle_a && a.shape.kind() != kind_of<Compound>)
        f.expect(*hit->triangle_a == *list.ids().triangle_a, "the list names the same triangle of the mover", a, b,
                 [&] { return say() + " list " + std::to_string(*list.ids().triangle_a); });
    }
  } else if (whole && !pa.has_solid && !pb.has_solid) {
    f.expect(hit->departing == !meet(pa, m, pb, 0x1p-30, 0x1p-30), "departing is apart just after", a, b, say);
  }
  const auto other = sweep(rb, -m, ra);
  f.expect(other.has_value() == hit.has_value() &&
               (!hit || (test::same(other->t, hit->t) && other->started_inside == hit->started_inside && other->departing == hit->departing)),
           "seen from the other", a, b, [&] { return say() + "; other " + described(other, -m); });
  const auto both = sweep(ra, m * 0.5, rb, m * -0.5);
  const bool halved = m * 0.5 + m * 0.5 == m;  // half of an odd denormal is rounded
  f.expect(!halved || (both.has_value() == hit.has_value() && (!hit || test::same(both->t, hit->t))), "both moving by halves", a, b,
           [&] { return say() + "; both " + described(both, m); });
  // skipping
  const auto skip = sweep(ra, m, rb, SweepOptions{true});
  f.expect(!hit || hit->departing || (skip && skip->t == hit->t), "nothing to skip", a, b, [&] { return say() + "; skipping " + described(skip, m); });
  f.expect(!skip || hit, "skipping finds nothing new", a, b, say);
  f.expect(!skip || !skip->departing, "skipping never departs", a, b, [&] { return say() + "; skipping " + described(skip, m); });
}

void run(Numbers numbers, int instances, std::uint64_t seed, bool posed) {
  all_pairs(numbers, instances, seed, posed, [&](const Instance& a, const Instance& b, Source& s, Failures& f) {
    Vec3 m = s.vector();
    if (s.below(3) == 0) m = 4.0 * m;
    const bool whole = numbers == Numbers::whole;
    check(a, b, m, whole, f);
    if (a.shape.kind() != b.shape.kind()) check(b, a, m, whole, f);
  });
}

TEST(LinearSweep, WholeNumbers) { run(Numbers::whole, 12, 501, true); }
TEST(LinearSweep, Reals) { run(Numbers::real, 6, 502, true); }
TEST(LinearSweep, HostileNumbers) { run(Numbers::hostile, 3, 503, true); }

/// The normal of a thin triangle may have no correct digit, so a distance along it must not prove contact.
TEST(LinearSweep, BallsBesideThinTrianglesDoNotStartInside) {
  Random random(504);
  int apart = 0;
  for (const double thickness : {1e-2, 1e-14, 1e-15, 3e-16})
    for (const double share : {1 - 1e-13, 0.5})
      for (int i = 0; i < 20000; ++i) {
        const Vec3 a = random.point(-1, 1), b = random.point(-1, 1), c = a + random.real(0.1, 0.9) * (b - a) + thickness * random.point(-1, 1);
        const Triangle triangle{{a, b, c}};
        const double distance = closest(Point{{0, 0, 0}}, triangle).distance;
        const Sphere ball{{0, 0, 0}, distance * share};
        if (distance < 0.05 || intersects(ball, triangle)) continue;
        ++apart;
        const auto hit = sweep(ball, random.point(-1, 1), triangle);
        ASSERT_FALSE(hit && hit->started_inside) << "thickness " << thickness << ", share " << share << ", " << i;
      }
  EXPECT_GT(apart, 100000);
}

TEST(LinearSweep, PointSweepsEqualRays) {
  for (const Numbers n : {Numbers::whole, Numbers::real, Numbers::hostile}) {
    all_kinds(n, n == Numbers::hostile ? 30 : 120, 504, true, [](const Instance& b, Source& s, Failures& f) {
      const Instance a{Point{s.vector()}, std::nullopt};
      const Vec3 m = s.direction();
      const auto rb = *b;
      const auto hit = sweep(*a, m, rb);
      const auto ray = raycast(Ray{a.shape.get<Point>()->point, m}, rb, {1.0});
      if (curved(b.shape)) return;
      f.expect(hit.has_value() == ray.has_value(), "a point is a ray", a, b, [&] { return described(hit, m); });
      if (!hit || !ray) return;
      f.expect(test::same(hit->t, ray->t) && hit->started_inside == ray->started_inside, "at the same time", a, b,
               [&] { return described(hit, m) + " ray " + text(ray->t); });
      if (b.shape.kind() == kind_of<Mesh> || b.shape.kind() == kind_of<HeightField>)
        f.expect(hit->triangle_b == ray->triangle, "at the same triangle", a, b, [&] { return described(hit, m); });
    });
  }
}

/// Numbers of any exponent (mode 0), at the ends of the range (1), or few of them, some beside others (2).
struct WideRange {
  Random random;
  int mode;
  double number() {
    if (mode == 0) return (random.integer(0, 1) ? 1 : -1) * std::ldexp(random.real(1, 2), random.integer(-1074, 1021));
    static constexpr double list[] = {0, 5e-324, -5e-324, 1e308, -1.7e308, 1, -1, 1e-300, 2.5, -3};
    if (mode == 1) return list[random.integer(0, 9)];
    return random.integer(0, 1) ? random.integer(-2, 2) : random.integer(-2, 2) * (1 + std::ldexp(random.integer(-1, 1), -random.integer(20, 52)));
  }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return Vec3(x, y, z);
  }
  AnyShape shape() {
    switch (random.integer(0, 6)) {
      case 0:
        return Point{vector()};
      case 1:
        return Segment{vector(), vector()};
      case 2:
        return Triangle{{vector(), vector(), vector()}};
      case 3:
        return Sphere{vector(), std::fabs(number())};
      case 4:
        return Capsule{vector(), vector(), std::fabs(number())};
      case 5:
        return OrientedBox{vector(), {vector(), vector(), vector()}, Vec3(std::fabs(number()), std::fabs(number()), std::fabs(number()))};
      default: {
        Box b{vector(), vector()};
        repair(b);
        return b;
      }
    }
  }
};

ConvexSet convex_set_of_any(const AnyShape& s) {
  ConvexSet c;
  std::visit(
      [&]<class S>(const S& shape) {
        if constexpr (form_of<S>() == Form::convex) c = convex_set_of(shape, nullptr);
      },
      s.value());
  return c;
}

TEST(LinearSweep, NumbersOfTheWholeRange) {
  for (int mode = 0; mode < 3; ++mode) {
    WideRange w{Random(600 + static_cast<std::uint64_t>(mode)), mode};
    int hits = 0;
    for (int i = 0; i < (mode == 2 ? 1500 : 250); ++i) {
      const Instance a{w.shape(), std::nullopt}, b{w.shape(), std::nullopt};
      const Vec3 m = w.vector();
      const auto hit = sweep(*a, m, *b);
      const ConvexSet ca = convex_set_of_any(a.shape), cb = convex_set_of_any(b.shape);
      const auto meets = [&](double s) {
        ConvexSet swept = ca;
        swept.add_segment(m, 0, s);
        return within(swept, cb);
      };
      ASSERT_EQ(hit.has_value(), meets(1)) << a.text() << " " << text(m) << " " << b.text();
      if (!hit) continue;
      ++hits;
      ASSERT_EQ(hit->started_inside, meets(0));
      if (hit->started_inside) continue;
      if (hit->t > 0) {
        ASSERT_FALSE(meets(next_down(hit->t))) << a.text() << " " << text(m) << " " << b.text();
      }
      ASSERT_TRUE(meets(std::min(1.0, next_up(hit->t)))) << a.text() << " " << text(m) << " " << b.text();
      const auto other = sweep(*b, -m, *a);
      ASSERT_TRUE(other && test::same(other->t, hit->t));
    }
    EXPECT_GT(hits, 20);
  }
}

/// A fall onto a vertex, edge or face that many triangles share reports the lowest triangle, whatever the tree's order. The triangles are numbered at random.
TEST(LinearSweep, TiesNameTheLowest) {
  Random random(78);
  MeshData d;
  constexpr std::uint32_t n = 12;
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) d.vertices.push_back(Vec3(i, j, 0));
  for (std::uint32_t j = 0; j + 1 < n; ++j)
    for (std::uint32_t i = 0; i + 1 < n; ++i) {
      d.triangles.push_back({j * n + i, j * n + i + 1, j * n + n + i + 1});
      d.triangles.push_back({j * n + i, j * n + n + i + 1, j * n + n + i});
    }
  random.shuffle(d.triangles);
  const Mesh floor(std::move(d));
  for (int i = 0; i < 200; ++i) {
    const Vec3 c(random.integer(2, 18) * 0.5, random.integer(2, 18) * 0.5, 3);
    const Vec3 m(0, 0, -4 + (i % 3) * 0.25);
    for (const AnyShape& body : {AnyShape(Sphere{c, 0.75}), AnyShape(Box{c - Vec3(1, 1, 0.75), c + Vec3(1, 1, 1)}),
                                 AnyShape(Capsule{c, c + Vec3(1, 0, 0), 0.75}), AnyShape(Point{c - Vec3(0, 0, 0.75)})}) {
      const auto hit = sweep(body, m, floor);
      ASSERT_TRUE(hit);
      Pose down = translation(hit->t * m);
      if (hit->t * m.z != -2.25) continue;  // not a double, and neither is the point of contact
      std::optional<std::uint32_t> lowest;
      for (std::uint32_t t = 0; t < floor.size() && !lowest; ++t) {
        const TriangleIndices& k = floor.triangles()[t];
        if (intersects(at(body, down), Triangle{{floor.vertices()[k[0]], floor.vertices()[k[1]], floor.vertices()[k[2]]}})) lowest = t;
      }
      ASSERT_EQ(hit->triangle_b, lowest) << i << " " << type_name(body.kind());
      EXPECT_EQ(*hit->normal, Vec3(0, 0, 1));
    }
  }
}

}  // namespace
}  // namespace graze::test::linear_test
