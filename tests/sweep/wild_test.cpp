// Linear sweeps with numbers over the whole range of doubles, and nearly degenerate ones. Exact static decisions confirm the time from both sides; ties report
// the lowest triangle.
#include <gtest/gtest.h>

#include "convex/decide/decide.hpp"
#include "graze/sweep.hpp"
#include "parts/convex_of_shape.hpp"
#include "property/instances.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

struct Wild {
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

TEST(WildSweep, TimesConfirmedFromBothSides) {
  for (int mode = 0; mode < 3; ++mode) {
    Wild w{Random(600 + static_cast<std::uint64_t>(mode)), mode};
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
}  // namespace graze::test
