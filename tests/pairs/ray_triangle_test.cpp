// Ray against triangle: hit, order and time against rational arithmetic.
#include "pairs/ray_triangle.hpp"

#include <gtest/gtest.h>

#include "exact/double_parts.hpp"
#include "exact/predicates.hpp"
#include "pairs/detail/ray_time.hpp"
#include "support/random.hpp"
#include "support/rational_oracle.hpp"
#include "support/rounds.hpp"

namespace graze {
namespace {

using test::Q;
using test::QVec;
using test::Random;
using test::operator-;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The true first T: the least t over the basic solutions of o + t d = sum u_i p_i.
std::optional<Q> oracle(const RayQuery& ray, const Triangle& triangle) {
  const QVec o = test::exact(ray.origin), e = test::exact(ray.direction), d = ray.to_point ? e - o : e;
  std::vector<std::vector<Q>> columns{{d[0], d[1], d[2], Q(0)}};
  if (ray.t_min == -kInfinity) columns.push_back({-d[0], -d[1], -d[2], Q(0)});
  const std::size_t first = columns.size();
  for (const Vec3& p : triangle.points) {
    const QVec v = test::exact(p);
    columns.push_back({-v[0], -v[1], -v[2], Q(1)});
  }
  std::optional<Q> best;
  for (const auto& x : test::basic_solutions(columns, {-o[0], -o[1], -o[2], Q(1)})) {
    const Q t = first == 2 ? Q(x[0] - x[1]) : x[0];
    if (!best || t < *best) best = t;
  }
  if (best && ray.t_max<kInfinity&& * best> Q(ray.t_max)) best.reset();
  return best;
}

std::string print(const RayQuery& r, const Triangle& t) {
  std::string s;
  char buffer[120];
  for (const Vec3& p : {r.origin, r.direction, t.points[0], t.points[1], t.points[2]}) {
    std::snprintf(buffer, sizeof buffer, "(%a,%a,%a)", p.x, p.y, p.z);
    s += buffer;
  }
  return s + (r.to_point ? " to point" : "") + " t_max " + std::to_string(r.t_max);
}

void check(const RayQuery& ray, const Triangle& triangle) {
  const auto right = oracle(ray, triangle);
  for (int k = 0; k < 6; ++k) {
    const Triangle t = k < 3 ? Triangle{{triangle.points[k], triangle.points[(k + 1) % 3], triangle.points[(k + 2) % 3]}}
                             : Triangle{{triangle.points[k - 3], triangle.points[(k + 1) % 3], triangle.points[(k + 2) % 3 == k % 3 ? k % 3 : (k + 2) % 3]}};
    const auto hit = ray_hits(ray, t);
    ASSERT_EQ(hit.has_value(), right.has_value()) << print(ray, t);
    if (!hit) continue;
    ASSERT_TRUE(hit->lo == -kInfinity || Q(hit->lo) <= *right) << print(ray, t) << " lo " << hit->lo;
    ASSERT_TRUE(hit->hi == kInfinity || Q(hit->hi) >= *right) << print(ray, t) << " hi " << hit->hi;
    const double time = hit_time(ray, t);
    ASSERT_TRUE(Q(time) <= *right) << print(ray, t) << " t " << time;
    ASSERT_TRUE(time == std::numeric_limits<double>::max() || Q(next_up(time)) > *right) << print(ray, t) << " t " << time;
    ASSERT_GE(time, ray.t_min);
  }
}

/// The same ray as it is, ended at, and one ulp around the true time.
void check_with_ends(RayQuery ray, const Triangle& triangle) {
  check(ray, triangle);
  if (testing::Test::HasFatalFailure() || !ray_hits(ray, triangle)) return;
  const double t = hit_time(ray, triangle);
  for (double end : {t, next_up(t), next_down(t)}) {
    ray.t_max = end;
    if (end >= ray.t_min) check(ray, triangle);
  }
}

TEST(RayTriangle, DefectsOfTheTexts) {
  // U1: direction, start (0,0,1)..., true hit (1,1,0)
  const Triangle t{{Vec3(0, 0, 0), Vec3(0, 4, 0), Vec3(4, 0, 0)}};
  const std::pair<Vec3, Vec3> moves[] = {
      {{2, 0, 1}, {-1, 1, -1}}, {{0, 2, 1}, {1, -1, -1}}, {{2, 2, 1}, {-1, -1, -1}}, {{2, 1, 1}, {-1, 0, -1}}, {{1, 2, 1}, {0, -1, -1}}};
  for (const auto& [from, by] : moves) {
    ASSERT_TRUE(ray_hits({from, by, false, 0, 1}, t));
    EXPECT_EQ(hit_time({from, by, false, 0, 1}, t), 1);
  }
  EXPECT_FALSE(ray_hits({{1, -.5, 1}, {0, 0, -2}, false, 0, 1}, t));
  const Triangle around{{Vec3(-4, -4, 0), Vec3(4, -4, 0), Vec3(0, 4, 0)}};
  ASSERT_TRUE(ray_hits({{0, 0, 1}, {0, 0, -2}, false, 0, 1}, around));
  EXPECT_EQ(hit_time({{0, 0, 1}, {0, 0, -2}, false, 0, 1}, around), .5);
  ASSERT_TRUE(ray_hits({{1, 1, 0}, {0, 0, -1}, false, 0, 1}, t));
  EXPECT_EQ(hit_time({{1, 1, 0}, {0, 0, -1}, false, 0, 1}, t), 0);
  EXPECT_TRUE(ray_hits({{0, 4, 1}, {0, 0, -1}, false, 0, 1}, t));  // exactly a vertex
  // U2: no tolerance
  EXPECT_FALSE(ray_hits({{.002, .002, 1}, {0, 0, -2}, false, 0, 1}, {{Vec3(0, 0, 0), Vec3(1e-4, 0, 0), Vec3(0, 1e-4, 0)}}));
  // K8: t = 0 at one end and 1 at the other; parallel lines; K9: parallel to y, plane x = 0
  EXPECT_EQ(hit_time({{1, 1, 3}, {1, 1, -1}, true, 0, 1}, t), .75);
  EXPECT_FALSE(ray_hits({{0, 0, 1}, {1, 0, 1}, true, 0, 1}, t));
  EXPECT_FALSE(ray_hits({{1, -5, 0}, {1, 5, 0}, true, 0, 1}, {{Vec3(0, -1, -1), Vec3(0, 1, -1), Vec3(0, 0, 1)}}));
  ASSERT_TRUE(ray_hits({{0, -5, 0}, {0, 5, 0}, true, 0, 1}, {{Vec3(0, -1, -1), Vec3(0, 1, -1), Vec3(0, 0, 1)}}));
  // K11: (0,1) on the vertical edge of (0,0)(0,2)(2,0)
  EXPECT_TRUE(ray_hits({{0, 1, 1}, {0, 1, -1}, true, 0, 1}, {{Vec3(0, 0, 0), Vec3(0, 2, 0), Vec3(2, 0, 0)}}));
}

TEST(RayTriangle, GridWithAllDegeneracies) {
  Random random(11);
  for (int k = 0; k < test::rounds(6000); ++k) {
    const int size = 1 + k % 3;
    RayQuery ray{random.grid(-size, size), random.grid(-size, size)};
    ray.to_point = k % 2;
    if (k % 5 == 0) ray.t_min = -kInfinity;
    if (ray.to_point ? ray.direction == ray.origin : ray.direction == Vec3(0)) continue;
    check_with_ends(ray, {{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}});
    if (HasFatalFailure()) return;
  }
}

TEST(RayTriangle, GenericAndNudged) {
  Random random(12);
  for (int k = 0; k < test::rounds(800); ++k) {
    const Triangle t{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    const double u = random.unit(), v = k % 3 ? random.unit() * (1 - u) : 0;
    RayQuery ray{random.point(-1, 1), {}};
    for (int i = 0; i < 3; ++i) ray.direction[i] = t.points[0][i] + u * (t.points[1][i] - t.points[0][i]) + v * (t.points[2][i] - t.points[0][i]);
    ray.direction = random.nudge(ray.direction);
    ray.to_point = k % 2;
    if (!ray.to_point)
      for (int i = 0; i < 3; ++i) ray.direction[i] -= ray.origin[i];
    check_with_ends(ray, t);
    if (HasFatalFailure()) return;
  }
}

TEST(RayTriangle, ExtremeExponents) {
  Random random(13);
  const double scales[] = {1e300, 5e-324, 1e-300, 1e150, 1, 0x1p-1022};
  for (int k = 0; k < 150; ++k) {
    const double size = scales[random.below(6)], length = scales[random.below(6)];
    RayQuery ray{random.grid(-3, 3) * size, random.grid(-3, 3) * length};
    if (ray.direction == Vec3(0)) continue;
    check({ray.origin, ray.direction}, {{random.grid(-3, 3) * size, random.grid(-3, 3) * size, random.grid(-3, 3) * size}});
    check({{0, 0, size}, {0, 0, -length}}, {{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)}});
    if (HasFatalFailure()) return;
  }
  // T below the smallest denormal and above the largest double
  const Triangle t{{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)}};
  EXPECT_EQ(hit_time({{0, 0, 5e-324}, {0, 0, -1e300}}, t), 0);
  EXPECT_EQ(hit_time({{0, 0, 1e300}, {0, 0, -1e-300}}, t), std::numeric_limits<double>::max());
  EXPECT_EQ(hit_time({{0, 0, -5e-324}, {0, 0, -1e300}, false, -kInfinity}, t), -5e-324);
}

TEST(RayTriangle, SegmentOfLengthZero) {
  const Triangle t{{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}};
  EXPECT_FALSE(ray_hits({{.25, .25, .25}, {.25, .25, .25}, true, 0, 1}, t));
  ASSERT_TRUE(ray_hits({{.5, .25, .25}, {.5, .25, .25}, true, 0, 1}, t));
  EXPECT_EQ(hit_time({{.5, .25, .25}, {.5, .25, .25}, true, 0, 1}, t), 0);
}

TEST(RayTriangle, OrderOfHits) {
  Random random(14);
  int ties = 0, compared = 0;
  for (int k = 0; k < 20000 && compared < test::rounds(1500); ++k) {
    const int size = 1 + k % 3;
    RayQuery ray{random.grid(-size, size), random.grid(-size, size)};
    ray.to_point = k % 2;
    if (k % 5 == 0) ray.t_min = -kInfinity;
    if (ray.to_point ? ray.direction == ray.origin : ray.direction == Vec3(0)) continue;
    const Triangle a{{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}},
        b{{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}};
    if (!ray_hits(ray, a) || !ray_hits(ray, b)) continue;
    const Q ta = *oracle(ray, a), tb = *oracle(ray, b);
    const int right = ta < tb ? -1 : ta > tb;
    ++compared, ties += right == 0;
    ASSERT_EQ(compare_hits(ray, a, b), right) << print(ray, a) << print(ray, b);
    ASSERT_EQ(compare_hits(ray, b, a), -right);
  }
  EXPECT_GT(ties, test::rounds(100));
}

TEST(RayTriangle, WatertightOverSharedEdgesAndVertices) {
  // a fan round a vertex, closed: every ray from above through its inside hits at least one triangle, rays at edges and the vertex included
  Random random(15);
  for (int k = 0; k < 300; ++k) {
    const Vec3 middle(random.real(-1, 1) * .1, random.real(-1, 1) * .1, random.real(-1, 1));
    const Vec3 ring[6] = {{1, 0, random.real(-1, 1)},    {.5, .8, random.real(-1, 1)},   {-.6, .9, random.real(-1, 1)},
                          {-1, -.1, random.real(-1, 1)}, {-.4, -.9, random.real(-1, 1)}, {.7, -.8, random.real(-1, 1)}};
    for (int j = 0; j < 20; ++j) {
      const int i = random.below(6);
      const double u = j == 0 ? 0 : random.real(0, .98);
      Vec3 p;
      for (int c = 0; c < 3; ++c) p[c] = middle[c] + u * (ring[i][c] - middle[c]);
      const Vec3 o = random.point(-1, 1) * 0.1 + Vec3(0, 0, 5);
      const Vec3 d(p.x - o.x, p.y - o.y, p.z - o.z);
      int hits = 0;
      for (int n = 0; n < 6; ++n) hits += ray_hits({o, d}, {{middle, ring[n], ring[(n + 1) % 6]}}).has_value();
      ASSERT_GE(hits, 1);
    }
  }
}

/// A ray along an axis in the plane of the triangle, whose corners have random coordinates: through a corner, or beside all.
struct InPlane {
  RayQuery ray;
  Triangle triangle;
};
InPlane in_plane(Random& random, bool through_corner) {
  InPlane r{{{}, {0, 0, 0}}, {{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}}};
  const int flat = random.below(3), along = (flat + 1 + random.below(2)) % 3;
  for (Vec3& p : r.triangle.points) p[flat] = r.triangle.points[0][flat];
  r.ray.origin = r.triangle.points[random.below(3)];
  if (!through_corner) r.ray.origin[3 - flat - along] = random.real(-1, 1);
  r.ray.origin[along] = -random.real(2, 10);
  r.ray.direction[along] = 1;
  return r;
}

TEST(RayTriangle, RaysInThePlaneStayInDoubles) {
  Random random(17);
  int hits = 0;
  for (int k = 0; k < test::rounds(1000); ++k) {
    const auto [ray, t] = in_plane(random, k % 2 == 0);
    check_with_ends(ray, t);
    if (HasFatalFailure()) return;
    PlaneEntry entry;
    const Certain met = find_entry(ray, t, entry);
    const auto right = oracle(ray, t);
    ASSERT_EQ(met, certain(right.has_value())) << print(ray, t);
    if (!right) continue;
    ++hits;
    ASSERT_TRUE(Q(entry.time.lo) <= *right && *right <= Q(entry.time.hi)) << print(ray, t);
    ASSERT_LE(entry.time.hi - entry.time.lo, 0x1p-46);
    ASSERT_TRUE(entry_after_start(ray, t).has_value());
  }
  EXPECT_GT(hits, test::rounds(500));
}

TEST(RayTriangle, TimesAtCornersAreExact) {
  Random random(19);
  for (int k = 0; k < test::rounds(1000); ++k) {
    const Triangle t{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    const int corner = random.below(3), along = random.below(3);
    RayQuery ray{t.points[corner], {0, 0, 0}};
    ray.origin[along] = -1.25;
    ray.direction[along] = 1;
    const double time = t.points[corner][along] + 1.25;
    if (time - 1.25 != t.points[corner][along] || time < 0 || crossing_side(ray, t) == 0) continue;
    const auto hit = ray_hits(ray, t);
    ASSERT_TRUE(hit && hit->lo == time && hit->hi == time) << print(ray, t);
    const auto met = corner_met(ray, t);
    ASSERT_TRUE(met && met->corner == corner && met->t == time) << print(ray, t);
    ray.t_max = next_down(time);
    ASSERT_FALSE(ray_hits(ray, t));
  }
}

TEST(RayTriangle, OrderOfHitsInThePlane) {
  // a second triangle at a corner or an edge of the first, in its plane or not
  Random random(18);
  int ties = 0;
  for (int k = 0; k < test::rounds(1000); ++k) {
    const auto [ray, a] = in_plane(random, k % 3 != 0);
    if (!ray_hits(ray, a)) continue;
    const Triangle other = in_plane(random, true).triangle;
    for (int i = 0; i < 3; ++i) {
      Triangle b{{a.points[i], k % 2 ? a.points[(i + 1) % 3] : other.points[1], other.points[2]}};
      if (k % 4 < 2) {
        for (int c = 0; c < 3; ++c)
          if (a.points[0][c] == a.points[1][c] && a.points[0][c] == a.points[2][c]) b.points[1][c] = b.points[2][c] = a.points[0][c];
      }
      if (!ray_hits(ray, b)) continue;
      const Q ta = *oracle(ray, a), tb = *oracle(ray, b);
      const int right = ta < tb ? -1 : ta > tb;
      ties += right == 0;
      ASSERT_EQ(compare_hits(ray, a, b), right) << print(ray, a) << print(ray, b);
      ASSERT_EQ(compare_hits(ray, b, a), -right) << print(ray, a) << print(ray, b);
    }
  }
  EXPECT_GT(ties, test::rounds(200));
}

TEST(RayTriangle, GenericRaysStayInDoubles) {
  Random random(16);
  predicate_counts() = {};
  for (int k = 0; k < 10000; ++k) ray_hits({random.point(-1, 1), random.point(-1, 1)}, {{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}});
  EXPECT_EQ(predicate_counts().fixed + predicate_counts().big, 0u);
  // through a corner or the middle of an edge of a grid: decided without unlimited numbers
  for (int k = 0; k < 1000; ++k) {
    const Triangle t{{random.grid(-1000, 1000), random.grid(-1000, 1000), random.grid(-1000, 1000)}};
    ASSERT_TRUE(ray_hits({random.point(-1, 1), t.points[k % 3], true, 0, 1}, t));
    const Vec3 &u = t.points[k % 3], &v = t.points[(k + 1) % 3];
    ASSERT_TRUE(ray_hits({random.point(-1, 1), {(u.x + v.x) / 2, (u.y + v.y) / 2, (u.z + v.z) / 2}, true, 0, 1}, t));
  }
  EXPECT_GT(predicate_counts().fixed, 0u);
  EXPECT_EQ(predicate_counts().big, 0u);
}

}  // namespace
}  // namespace graze
