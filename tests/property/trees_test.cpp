// Answers do not depend on the tree of a mesh: meshes built in both ways, refitted, and with the triangles that do not count left out, answer alike bit for
// bit.
#include <gtest/gtest.h>

#include <graze/sweep.hpp>
#include <optional>
#include <string>
#include <vector>

#include "property/instances.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

/// How the exponents of the coordinates differ.
enum class Exponents { ordinary, mixed, extreme };

struct Scenery {
  Random random;
  Exponents exponents;

  double number() {
    switch (exponents) {
      case Exponents::ordinary:
        return random.integer(0, 1) ? random.integer(-4, 4) / 2.0 : random.real(-2, 2);
      case Exponents::mixed:
        return std::ldexp(random.real(-1, 1), random.integer(-30, 2));
      default:
        return std::ldexp(random.real(-1, 1), random.integer(-300, 300));
    }
  }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return Vec3(x, y, z);
  }
  MeshData data(int triangles) {
    MeshData d;
    for (int i = 0; i < triangles; ++i) append(d, {{vector(), vector(), vector()}, {{0, 1, 2}}, {}});
    if (exponents == Exponents::ordinary) {  // a flat floor, whose triangles are often touched together
      for (int y = 0; y <= 4; ++y)
        for (int x = 0; x <= 4; ++x) d.vertices.push_back(Vec3(x - 2, y - 2, -1));
      const auto base = static_cast<std::uint32_t>(3 * triangles);
      for (std::uint32_t y = 0; y < 4; ++y)
        for (std::uint32_t x = 0; x < 4; ++x) {
          const std::uint32_t i = base + 5 * y + x;
          d.triangles.push_back({i, i + 1, i + 6});
          d.triangles.push_back({i, i + 6, i + 5});
        }
    }
    return d;
  }
  AnyShape mover(bool curved) {
    const double r = std::fabs(number());
    if (curved) {
      if (random.integer(0, 1)) return Ellipsoid{vector(), Vec3(r, std::fabs(number()), std::fabs(number()))};
      Cylinder c{vector(), vector(), r};
      repair(c);
      return c;
    }
    switch (random.integer(0, 6)) {
      case 0:
        return Sphere{vector(), r};
      case 1:
        return Capsule{vector(), vector(), r};
      case 2:
        return Point{vector()};
      case 3:
        return Triangle{{vector(), vector(), vector()}};
      case 4:
        return Hull(std::vector<Vec3>{vector(), vector(), vector(), vector(), vector()});
      case 5:
        return OrientedBox{vector(), {Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(0, 0, 1)}, Vec3(r, std::fabs(number()), std::fabs(number()))};
      default: {
        Box b{vector(), vector()};
        repair(b);
        return b;
      }
    }
  }
};

std::string text(const std::optional<std::uint32_t>& n) { return n ? std::to_string(*n) : "-"; }
std::string text(const std::optional<SweepHit>& h) {
  if (!h) return "no hit";
  return test::text(h->t) + " " + test::text(h->point) + " normal " + (h->normal ? test::text(*h->normal) : "-") + " triangle " + text(h->triangle_b) +
         (h->started_inside ? " inside" : "") + (h->departing ? " departing" : "");
}
std::string text(const std::optional<Hit>& h) {
  if (!h) return "no hit";
  return test::text(h->t) + " " + test::text(h->point) + " normal " + (h->normal ? test::text(*h->normal) : "-") + " triangle " + text(h->triangle);
}
std::string text(const Closest& c) { return test::text(c.distance) + " " + test::text(c.on_a) + " " + test::text(c.on_b) + " triangle " + text(c.triangle_b); }

/// What is asked of each mesh.
struct Question {
  AnyShape mover;
  Vec3 motion;
  SweepOptions sweep;
  RayOptions ray;
  bool ask_closest = true;

  std::string of(const Mesh& mesh) const {
    std::string all = text(graze::sweep(mover, motion, mesh, sweep));
    if (mover.get<Point>()) all += "; ray: " + text(raycast(Ray{mover.get<Point>()->point, motion}, mesh, ray));
    if (ask_closest && !sweep.accept) all += "; closest: " + text(closest(mover, mesh));
    return all;
  }
};

void compare(Exponents exponents, bool curved, int meshes, std::uint64_t seed) {
  Scenery s{Random(seed), exponents};
  int hits = 0;
  for (int m = 0; m < rounds(meshes); ++m) {
    const MeshData data = s.data(s.random.integer(1, 120));
    MeshData far = data;
    for (Vec3& v : far.vertices) v = s.vector();
    const Mesh best(data), fast(data, Build::fast), refitted = Mesh(far).refit({data.vertices}), again = Mesh(far, Build::fast).refit({data.vertices});
    for (int i = 0; i < 20; ++i) {
      Question q{s.mover(curved), s.vector(), {}, {}};
      q.ask_closest = !curved || exponents != Exponents::extreme;  // <graze/mesh/mesh.hpp> says which triangle is named then
      q.sweep.skip_departing = s.random.integer(0, 3) == 0;
      if (s.random.integer(0, 3) == 0) q.sweep.sides = q.ray.sides = s.random.integer(0, 1) ? Sides::front : Sides::back;
      if (q.motion == Vec3(0, 0, 0)) q.motion.x = 1;
      const std::string want = q.of(best);
      hits += want.starts_with("no hit") ? 0 : 1;
      const auto told = [&] { return Instance{q.mover, std::nullopt}.text() + " by " + test::text(q.motion); };
      ASSERT_EQ(q.of(fast), want) << "built fast: " << told();
      ASSERT_EQ(q.of(refitted), want) << "refitted: " << told();
      ASSERT_EQ(q.of(again), want) << "built fast and refitted: " << told();
      if (curved) continue;
      // every third triangle left out, by a filter, and by not being there: its place is taken by a point far away, so that numbers stay
      q.sweep.accept = [](const TargetTriangle& t) { return t.triangle % 3 != 0; };
      q.ray.accept = q.sweep.accept;
      MeshData some = data;
      const auto away = static_cast<std::uint32_t>(some.vertices.size());
      some.vertices.push_back(Vec3(0x1p1000, 0x1p1000, 0x1p1000));
      for (std::size_t t = 0; t < some.triangles.size(); t += 3) some.triangles[t] = {away, away, away};
      const std::string filtered = q.of(best);
      ASSERT_EQ(q.of(fast), filtered) << "built fast, with a filter: " << told();
      ASSERT_EQ(q.of(Mesh(some)), filtered) << "without the triangles: " << told();
    }
  }
  EXPECT_GT(hits, meshes);
}

TEST(Trees, SweepsDoNotDependOnThem) { compare(Exponents::ordinary, false, 100, 91); }
TEST(Trees, SweepsWithMixedExponentsDoNotDependOnThem) { compare(Exponents::mixed, false, 100, 92); }
TEST(Trees, SweepsWithExtremeExponentsDoNotDependOnThem) { compare(Exponents::extreme, false, 6, 93); }
TEST(Trees, SweepsOfCurvedShapesDoNotDependOnThem) { compare(Exponents::ordinary, true, 60, 94); }
TEST(Trees, SweepsOfCurvedShapesWithMixedExponentsDoNotDependOnThem) { compare(Exponents::mixed, true, 60, 95); }
TEST(Trees, SweepsOfCurvedShapesWithExtremeExponentsDoNotDependOnThem) { compare(Exponents::extreme, true, 10, 96); }

}  // namespace
}  // namespace graze::test
