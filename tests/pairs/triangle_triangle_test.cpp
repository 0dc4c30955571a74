// Triangle against triangle: every answer against rational arithmetic, on grids with all degeneracies, one ulp away from contact, and at the ends of the
// exponent range.
#include "pairs/triangle_triangle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <graze/query.hpp>

#include "exact/predicates.hpp"
#include "support/random.hpp"
#include "support/rational_oracle.hpp"
#include "support/rounds.hpp"

namespace graze {
namespace {

using test::QVec;
using test::Random;

std::vector<QVec> exact(const Triangle& t) { return {test::exact(t.points[0]), test::exact(t.points[1]), test::exact(t.points[2])}; }
bool oracle(const Triangle& a, const Triangle& b) { return test::hulls_meet(exact(a), exact(b)); }

std::string print(const Triangle& t) {
  std::string s;
  char buffer[120];
  for (const Vec3& p : t.points) {
    std::snprintf(buffer, sizeof buffer, "(%a,%a,%a)", p.x, p.y, p.z);
    s += buffer;
  }
  return s;
}

Triangle permuted(const Triangle& t, int k) {
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  return {{t.points[order[k][0]], t.points[order[k][1]], t.points[order[k][2]]}};
}

/// The answer is the same for all orders of corners and operands.
void expect(const Triangle& a, const Triangle& b, bool right) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      ASSERT_EQ(triangles_intersect(permuted(a, i), permuted(b, j)), right) << print(a) << " " << print(b) << " orders " << i << " " << j;
      ASSERT_EQ(triangles_intersect(permuted(b, j), permuted(a, i)), right) << print(b) << " " << print(a) << " orders " << j << " " << i;
    }
}

TEST(TriangleTriangle, DefectsOfTheTexts) {
  const auto yes = [](Triangle a, Triangle b) { expect(a, b, true); };
  yes({{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)}}, {{Vec3(0, 0, 1), Vec3(0, 0, 2), Vec3(.25, 0, -1)}});
  yes({{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}}, {{Vec3(1, 1, 0), Vec3(2, 1, 0), Vec3(1, 2, 0)}});
  yes({{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}}, {{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}});
  yes({{Vec3(0, 0, 0), Vec3(.5, 0, 0), Vec3(0, 0, .5)}}, {{Vec3(.1, -.25, .1), Vec3(.2, .25, .1), Vec3(.1, .25, .2)}});
  yes({{Vec3(0, 0, 0), Vec3(0, 2, 0), Vec3(2, 0, 0)}}, {{Vec3(0, 1, -1), Vec3(0, 1, 1), Vec3(-3, 1, 0)}});
  yes({{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}}, {{Vec3(0, 0, 0), Vec3(-1, 0, 1), Vec3(0, -1, 1)}});
  yes({{Vec3(-1, 0, -1), Vec3(1, 0, -1), Vec3(0, 0, 1)}}, {{Vec3(0, 0, -3), Vec3(0, 0, 3), Vec3(0, 5, 0)}});
  yes({{Vec3(.25, -1, .25), Vec3(.25, 1, .25), Vec3(5, 5, 5)}}, {{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 0, 4)}});
  yes({{Vec3(-513, -598, 0), Vec3(821, 1564, 0), Vec3(1178, 894, 0)}}, {{Vec3(386, 859, 0), Vec3(386, 859, 5), Vec3(386, 860, 9)}});
}

TEST(TriangleTriangle, GridWithAllDegeneracies) {
  Random random(1);
  int hits = 0;
  for (int k = 0; k < 2000; ++k) {
    const int size = 1 + k % 3;
    const Triangle a{{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}},
        b{{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}};
    const bool right = oracle(a, b);
    hits += right;
    expect(a, b, right);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(hits, 500);
}

/// Tests the centroid of the extreme common points: it is inside both exactly when some common point is.
bool cross_oracle(const Triangle& a, const Triangle& b) {
  using test::operator+;
  using test::operator-;
  using test::operator*;
  const auto p = exact(a), q = exact(b);
  const auto normal = [](const std::vector<QVec>& t) { return test::cross(t[1] - t[0], t[2] - t[0]); };
  const QVec n = normal(p), m = normal(q), zero{};
  if (test::cross(n, m) == zero) return false;  // one plane, or no area
  const auto common = test::common_points(p, q);
  if (common.empty()) return false;
  QVec middle{};
  for (const QVec& x : common) middle = middle + x;
  middle = test::Q(1) / common.size() * middle;
  const auto inside = [&](const std::vector<QVec>& t, const QVec& up) {
    for (std::size_t i = 0; i < 3; ++i)
      if (test::dot(test::cross(t[(i + 1) % 3] - t[i], middle - t[i]), up) <= 0) return false;
    return true;
  };
  return inside(p, n) && inside(q, m);
}

TEST(TriangleTriangle, CrossOnlyThroughTheInside) {
  Random random(11);
  int crossings = 0, touches = 0;
  for (int k = 0; k < test::rounds(3000); ++k) {
    const int size = 1 + k % 3;
    const Triangle a{{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}},
        b{{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}};
    const bool right = cross_oracle(a, b);
    crossings += right, touches += !right && triangles_intersect(a, b);
    for (int i = 0; i < 6; ++i) {
      ASSERT_EQ(triangles_cross(permuted(a, i), permuted(b, 5 - i)), right) << print(a) << " " << print(b) << " orders " << i;
      ASSERT_EQ(triangles_cross(permuted(b, i), permuted(a, i)), right) << print(b) << " " << print(a) << " orders " << i;
    }
  }
  EXPECT_GT(crossings, test::rounds(100));
  EXPECT_GT(touches, test::rounds(400));
  // one rounding step decides
  const Triangle floor{{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)}};
  EXPECT_FALSE(crosses(floor, {{Vec3(0, 0, 0), Vec3(.1, 0, 1), Vec3(-.1, 0, 1)}}));
  EXPECT_TRUE(crosses(floor, {{Vec3(0, 0, -5e-324), Vec3(.1, 0, 1), Vec3(-.1, 0, 1)}}));
  EXPECT_FALSE(crosses(floor, floor));
}

TEST(TriangleTriangle, PlanarGrid) {
  Random random(2);
  for (int k = 0; k < 900; ++k) {
    const int drop = k % 3;
    Triangle a{{random.grid(-2, 2), random.grid(-2, 2), random.grid(-2, 2)}}, b{{random.grid(-2, 2), random.grid(-2, 2), random.grid(-2, 2)}};
    for (auto* t : {&a, &b})
      for (Vec3& p : t->points) p[drop] = k % 2 ? 1 : p[(drop + 1) % 3] + 2 * p[(drop + 2) % 3];
    expect(a, b, oracle(a, b));
    if (HasFatalFailure()) return;
  }
}

TEST(TriangleTriangle, OneUlpBesideContact) {
  Random random(3);
  int hits = 0;
  for (int k = 0; k < 400; ++k) {
    const Triangle a{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    Triangle b{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    // a corner of b near a point of a's face, edge or corner
    double u = random.unit(), v = random.unit() * (1 - u);
    if (k % 3 == 1) v = 0;
    if (k % 3 == 2) u = v = 0;
    for (int i = 0; i < 3; ++i) b.points[0][i] = a.points[0][i] + u * (a.points[1][i] - a.points[0][i]) + v * (a.points[2][i] - a.points[0][i]);
    b.points[0] = random.nudge(b.points[0]);
    const bool right = oracle(a, b);
    hits += right;
    expect(a, b, right);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(hits, 80);
  EXPECT_LT(hits, 350);
}

TEST(TriangleTriangle, ExtremeExponents) {
  Random random(4);
  const double scales[] = {0x1p1000, 5e-324, 0x1p-1000, 0x1p500, 1, 0x1p-1022};
  for (int k = 0; k < 300; ++k) {
    Triangle a, b;
    const bool mixed = k % 16 == 0;
    const double s = scales[random.below(6)];
    for (auto* t : {&a, &b})
      for (Vec3& p : t->points) p = random.grid(-3, 3);
    for (auto* t : {&a, &b})
      for (Vec3& p : t->points) p *= 2;
    const bool plain = !mixed && oracle(a, b);  // scaling all by one exact factor changes nothing
    for (auto* t : {&a, &b})
      for (Vec3& p : t->points)
        for (int i = 0; i < 3; ++i) p[i] *= mixed ? scales[random.below(6)] : s;
    expect(a, b, mixed ? oracle(a, b) : plain);
    if (HasFatalFailure()) return;
  }
}

TEST(TriangleTriangle, BeyondSharedVertex) {
  Random random(5);
  int more = 0, checked = 0;
  for (int k = 0; k < 4000; ++k) {
    const int size = 1 + k % 2;
    Triangle a{{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}},
        b{{a.points[0], random.grid(-size, size), random.grid(-size, size)}};
    bool other = false;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) other = other || (i + j > 0 && a.points[i] == b.points[j] && !(a.points[i] == a.points[0]));
    if (other) continue;
    const auto common = test::common_points(exact(a), exact(b));
    const bool right = std::any_of(common.begin(), common.end(), [&](const QVec& p) { return p != test::exact(a.points[0]); });
    more += right, ++checked;
    ASSERT_EQ(intersect_beyond_vertex(a, b), right) << print(a) << " " << print(b);
    ASSERT_EQ(intersect_beyond_vertex(b, a), right) << print(a) << " " << print(b);
  }
  EXPECT_GT(more, 300);
  EXPECT_GT(checked - more, 300);
}

TEST(TriangleTriangle, BeyondSharedEdge) {
  Random random(6);
  int more = 0, checked = 0;
  for (int k = 0; k < 2000; ++k) {
    const Triangle a{{random.grid(-1, 1), random.grid(-1, 1), random.grid(-1, 1)}}, b{{a.points[0], a.points[1], random.grid(-1, 1)}};
    // the intersection is more than the edge when a corner of it (a basic solution) is off the edge
    bool right = false;
    for (const QVec& p : test::common_points(exact(a), exact(b))) right = right || !test::hulls_meet({p}, {test::exact(a.points[0]), test::exact(a.points[1])});
    more += right, ++checked;
    ASSERT_EQ(intersect_beyond_edge(a, b), right) << print(a) << " " << print(b);
    ASSERT_EQ(intersect_beyond_edge({{b.points[1], b.points[0], b.points[2]}}, {{a.points[1], a.points[0], a.points[2]}}), right);
  }
  EXPECT_GT(more, 150);
  EXPECT_GT(checked - more, 150);
}

TEST(TriangleTriangle, GenericPairsStayInDoubles) {
  Random random(7);
  predicate_counts() = {};
  for (int k = 0; k < 10000; ++k) {
    const Triangle a{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}}, b{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    triangles_intersect(a, b);
  }
  EXPECT_EQ(predicate_counts().fixed, 0u);
  EXPECT_EQ(predicate_counts().big, 0u);
}

TEST(TriangleTriangle, TouchingPairsNeedNoUnlimitedNumbers) {
  Random random(8);
  predicate_counts() = {};
  for (int k = 0; k < 3000; ++k) {
    Triangle a{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}}, b{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    const Vec3 &u = a.points[k % 3], &v = a.points[(k + 1) % 3];  // a corner of b on the middle of an edge of a, nearly or exactly
    for (int i = 0; i < 3; ++i) b.points[k / 3 % 3][i] = (u[i] + v[i]) / 2;
    triangles_intersect(a, b);
  }
  EXPECT_GT(predicate_counts().fixed, 0u);
  EXPECT_EQ(predicate_counts().big, 0u);
}

}  // namespace
}  // namespace graze
