// Barycentric coordinates of hits against rationals: any exponents, mixed within one query, thin sides, rays within the plane, triangles without area, and hits
// decided in doubles and by the kernels for many rays.
#include "query/barycentric.hpp"

#include <gtest/gtest.h>
#include <graze/query.hpp>

#include <cmath>

#include "support/random.hpp"
#include "support/rational_oracle.hpp"
#include "support/rounds.hpp"

namespace graze::test::barycentric_test {
namespace {

/// The parameter of the first common point of the ray (t >= 0) and the triangle.
std::optional<Q> first_time(const QVec& o, const QVec& d, const Triangle& t) {
  std::vector<std::vector<Q>> columns{{-d[0], -d[1], -d[2], Q(0)}};
  for (const Vec3& p : t.points) {
    const QVec q = exact(p);
    columns.push_back({q[0], q[1], q[2], Q(1)});
  }
  std::optional<Q> least;
  for (const std::vector<Q>& x : basic_solutions(columns, {o[0], o[1], o[2], Q(1)}))
    if (!least || x[0] < *least) least = x[0];
  return least;
}

/// The greatest error of the weights. For a triangle with area they are unique; otherwise the distance of their point from the true point, relative to the
/// longest edge.
double error(const QVec& o, const QVec& d, const Triangle& t, const Vec3& weights) {
  const std::optional<Q> time = first_time(o, d, t);
  if (!time) return 1;
  const QVec at = o + *time * d;
  std::vector<std::vector<Q>> columns;
  QVec said{};
  Q longest = 0;
  for (int k = 0; k < 3; ++k) {
    const QVec q = exact(t.points[static_cast<std::size_t>(k)]);
    columns.push_back({q[0], q[1], q[2], Q(1)});
    said = said + Q(weights[k]) * q;
    const QVec e = exact(t.points[static_cast<std::size_t>((k + 1) % 3)]) - q;
    longest = std::max(longest, dot(e, e));
  }
  if (const auto truth = solve(columns, {at[0], at[1], at[2], Q(1)})) {
    double most = 0;
    for (int k = 0; k < 3; ++k) most = std::max(most, std::fabs(static_cast<double>(Q(weights[k]) - (*truth)[static_cast<std::size_t>(k)])));
    return most;
  }
  if (longest == 0) return weights == Vec3(1, 0, 0) ? 0 : 1;
  const QVec off = said - at;
  return std::sqrt(static_cast<double>(Q(dot(off, off) / longest)));
}

struct Worst {
  int hits = 0;
  double error = 0;
};
void ask(const Ray& ray, const Triangle& t, Worst& worst) {
  const auto hit = raycast(ray, t);
  if (!hit) return;
  ++worst.hits;
  ASSERT_TRUE(hit->barycentric);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE((*hit->barycentric)[k] >= 0 && (*hit->barycentric)[k] <= 1);
  const double e = error(exact(ray.origin), exact(ray.direction), t, *hit->barycentric);
  worst.error = std::max(worst.error, e);
  ASSERT_LE(e, 0x1p-39);
  const Mesh mesh({{t.points.begin(), t.points.end()}, {{0, 1, 2}}, {}});
  const auto of_mesh = raycast(RaySpan{std::span<const Ray>(&ray, 1)}, mesh);
  ASSERT_TRUE(of_mesh[0]);
  EXPECT_LE(error(exact(ray.origin), exact(ray.direction), t, *of_mesh[0]->barycentric), 0x1p-39);
}

double any_size(Random& random, int range) { return std::ldexp(random.real(0.5, 1.5), random.below(2 * range) - range); }

TEST(Barycentric, MixedExponents) {
  Random random(1);
  Worst worst;
  for (int i = 0; i < rounds(1200); ++i) {
    const int range = i % 3 == 0 ? 1020 : i % 3 == 1 ? 300 : 30;
    // Sides in two coordinates, each with its own exponent, heights with others. A ray along the third axis hits at its projection.
    const int axis = random.below(3), x = (axis + 1) % 3, y = (axis + 2) % 3;
    const double width = any_size(random, range), height = any_size(random, range);
    Triangle t;
    for (int k = 0; k < 3; ++k) {
      Vec3& p = t.points[static_cast<std::size_t>(k)];
      p[axis] = random.below(4) == 0 ? 0 : any_size(random, range) * (random.below(2) ? 1 : -1);
      p[x] = k == 1 ? width : k == 2 && random.below(2) ? width * random.real(-1, 1) : 0;
      p[y] = k == 2 ? height : 0;
    }
    Ray ray{{0, 0, 0}, {0, 0, 0}};
    const double u = random.unit(), v = random.unit() * (1 - u);
    ray.origin[x] = u * t.points[1][x] + v * t.points[2][x];
    ray.origin[y] = v * t.points[2][y];
    const double far = any_size(random, range) * (random.below(2) ? 1 : -1);
    ray.origin[axis] = far;
    ray.direction[axis] = -far;
    if (random.below(3) == 0) ray.direction[x] = any_size(random, range);  // most of these miss
    ask(ray, t, worst);
    if (HasFatalFailure()) {
      ADD_FAILURE() << "round " << i;
      return;
    }
  }
  EXPECT_GT(worst.hits, rounds(1200) / 8);
}

TEST(Barycentric, ThinAndFarTrianglesAndGlancingRays) {
  Random random(2);
  Worst worst;
  for (int i = 0; i < rounds(2000); ++i) {
    const double thin = std::ldexp(1.0, -random.below(60)), size = std::ldexp(1.0, random.below(60) - 30);
    Triangle t;
    t.points[0] = random.point(-1, 1);
    const Vec3 e = random.point(-1, 1) * size, f = e * random.real(-1, 1) + random.point(-1, 1) * (size * thin);
    t.points[1] = t.points[0] + e;
    t.points[2] = t.points[0] + f;
    const double u = random.unit(), v = random.unit() * (1 - u);
    const Vec3 aim = t.points[0] * (1 - u - v) + t.points[1] * u + t.points[2] * v;
    Vec3 way = random.point(-1, 1);
    if (i % 4 == 0) way = e * random.real(-1, 1) + f * random.real(-1, 1) + random.point(-1, 1) * std::ldexp(size, -random.below(40));  // glancing
    const double far = std::ldexp(1.0, random.below(40) - 5);
    ask({aim - way * far, way}, t, worst);
    ask({aim - way * far, way * far}, t, worst);
    if (HasFatalFailure()) {
      ADD_FAILURE() << "round " << i;
      return;
    }
  }
  EXPECT_GT(worst.hits, rounds(2000) / 2);
}

TEST(Barycentric, InPlaneRaysAndTrianglesWithoutArea) {
  Random random(3);
  Worst worst;
  int flat = 0;
  for (int i = 0; i < rounds(6000); ++i) {
    Triangle t;
    for (Vec3& p : t.points) p = random.grid(-2, 2);
    const int kind = i % 4;
    if (kind == 0)
      for (Vec3& p : t.points) p.z = 1;
    if (kind == 1) t.points[2] = t.points[0] + (t.points[1] - t.points[0]) * static_cast<double>(random.integer(-3, 3));
    Vec3 o = random.grid(-3, 3), d = random.grid(-2, 2);
    if (kind == 0) {
      o.z = 1;
      d.z = 0;
    }
    if (kind == 1) {
      d = (t.points[1] - t.points[0]) * static_cast<double>(random.integer(-2, 2));
      o = t.points[0] - d * static_cast<double>(random.integer(-3, 3));
    }
    if (d == Vec3(0, 0, 0)) continue;
    const double s = std::ldexp(1.0, random.below(1200) - 600);
    for (Vec3& p : t.points) p = p * s;
    const int before = worst.hits;
    ask({o * s, d}, t, worst);
    flat += worst.hits - before;
    if (HasFatalFailure()) {
      ADD_FAILURE() << "round " << i;
      return;
    }
  }
  EXPECT_GT(flat, rounds(6000) / 10);
}

TEST(Barycentric, SegmentsAndLines) {
  const Triangle t{{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}};
  EXPECT_EQ(*raycast(Segment{{1, 1, 3}, {1, 1, -1}}, t)->barycentric, Vec3(0.5, 0.25, 0.25));
  EXPECT_EQ(*raycast(Segment{{1, -1, 0}, {1, 3, 0}}, t)->barycentric, Vec3(0.75, 0.25, 0));  // in the plane: the point of entry
  EXPECT_EQ(*raycast(Line{{1, 1, 0}, {0, 2, 0}}, t)->barycentric, Vec3(0.75, 0.25, 0));
  EXPECT_EQ(*raycast(Ray{{1, 1, 0}, {0, 2, 0}}, t)->barycentric, Vec3(0.5, 0.25, 0.25));  // starts on it
  EXPECT_EQ(*raycast(Segment{{-1.7e308, 0, 0}, {1.7e308, 0, 0}}, t)->barycentric, Vec3(1, 0, 0));
  const Triangle thread{{{{1, 0, 0}, {0, 0, 0}, {4, 0, 0}}}};  // its longest edge has the second and third corner
  EXPECT_EQ(*raycast(Ray{{3, 0, -5}, {0, 0, 1}}, thread)->barycentric, Vec3(0, 0.25, 0.75));
  EXPECT_EQ(*raycast(Ray{{-2, 0, 0}, {1, 0, 0}}, thread)->barycentric, Vec3(0, 1, 0));
  EXPECT_EQ(*raycast(Line{{-2, 0, 0}, {-1, 0, 0}}, thread)->barycentric, Vec3(0, 0, 1));
  EXPECT_EQ(*raycast(Ray{{1, 0, 0}, {1, 0, 0}}, thread)->barycentric, Vec3(0, 0.75, 0.25));
  // For a ray along it, the normal is the reversed ray direction.
  EXPECT_EQ(*raycast(Ray{{-2, 0, 0}, {1, 0, 0}}, thread)->normal, Vec3(-1, 0, 0));
  EXPECT_EQ(*raycast(Ray{{3, 0, -5}, {1e-30, 0, 1}}, thread)->normal, Vec3(0, 0, -1));
  const Triangle dot{{{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}};
  EXPECT_EQ(*raycast(Ray{{0, 0, 0}, {1, 2, 3}}, dot)->barycentric, Vec3(1, 0, 0));
}

TEST(Hit, FrontIsTheSideThatTheRayComesFrom) {
  const auto front = [](ShapeRef ray, ShapeRef target) {
    const auto hit = raycast(ray, target);
    EXPECT_TRUE(hit);
    const auto all = raycast_all(ray, target);
    EXPECT_EQ(all.front().front, hit->front);
    return hit && hit->front;
  };
  const Plane up{{0, 0, 0}, {0, 0, 1}}, down{{0, 0, 0}, {0, 0, -1e-300}};
  const Ray from_below{{0, 0, -3}, {0, 0, 1}}, from_above{{0, 0, 3}, {1, 0, -1}};
  EXPECT_FALSE(front(from_below, up));
  EXPECT_TRUE(front(from_below, down));
  EXPECT_TRUE(front(from_above, up));
  EXPECT_FALSE(front(Segment{{0, 0, -3}, {0, 1, 3}}, up));
  EXPECT_FALSE(front(Line{{0, 0, 3}, {0, 1, 3}}, up));
  EXPECT_TRUE(front(Line{{0, 0, 3}, {0, 1, -3}}, up));
  EXPECT_FALSE(front(Segment{{0, 0, -1.7e308}, {0, 1, 1.7e308}}, up));
  EXPECT_FALSE(front(from_below, at(down, Pose::quarter_turn(Axis::x, 2))));
  EXPECT_FALSE(front(Ray{{0, 0, 0}, {1, 0, 0}}, up));  // within it
  EXPECT_TRUE(front(Ray{{0, 0, 0}, {1, 0, -1}}, up));  // starts on it, as with triangles
  const Triangle triangle{{{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}}};
  EXPECT_FALSE(front(from_below, triangle));
  EXPECT_TRUE(front(from_above, triangle));
  EXPECT_TRUE(front(Ray{{0, 0, 0}, {1, 0, -1}}, triangle));
  EXPECT_FALSE(front(from_below, Polygon{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}));
  std::vector<Compound::Child> children;
  children.push_back({up, Pose{}});
  EXPECT_FALSE(front(from_below, Compound(children)));
  // Solid shapes: the front is the outside.
  EXPECT_TRUE(front(from_above, HalfSpace{{0, 0, 0}, {0, 0, 1}}));
  EXPECT_FALSE(front(from_below, HalfSpace{{0, 0, 0}, {0, 0, 1}}));
  EXPECT_FALSE(front(Line{{0, 0, 3}, {0, 0, 1}}, HalfSpace{{0, 0, 0}, {0, 0, 1}}));  // has no first point: it starts inside
  EXPECT_TRUE(front(Line{{0, 0, 3}, {0, 0, -1}}, HalfSpace{{0, 0, 0}, {0, 0, 1}}));
  const OrientedBox turned{{0, 0, 0}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {1, 1, 1}};
  for (const AnyShape& shape :
       {AnyShape(Box{{-1, -1, -1}, {1, 1, 1}}), AnyShape(Sphere{{0, 0, 0}, 1}), AnyShape(Cylinder{{0, 0, -1}, {0, 0, 1}, 1}), AnyShape(turned)}) {
    std::visit(
        [&](const auto& s) {
          EXPECT_TRUE(front(from_below, s));
          EXPECT_TRUE(front(Line{{0, 0, 9}, {0, 0, 1}}, s));
          EXPECT_FALSE(front(Ray{{0, 0, 0}, {0, 0, 1}}, s));
          EXPECT_FALSE(front(Segment{{0, 0, 0}, {0, 0, 9}}, s));
        },
        shape.value());
  }
}

}  // namespace
}  // namespace graze::test::barycentric_test
