// Hulls against rational arithmetic: every point is below every facet, the surface is closed, and corners are extreme. Also degenerate arrangements and any
// exponents.
#include <graze/shapes/hull.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "shapes/hull_data.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

using namespace graze;
using oracle::r3;

namespace {

using Triple = std::array<std::uint32_t, 3>;

bool equal(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

int rank_of(const std::vector<oracle::R3>& v) {
  for (const auto& a : v)
    for (const auto& b : v)
      for (const auto& c : v)
        if (oracle::dot(oracle::cross(a, b), c) != 0) return 3;
  return 2;
}

// Checks that the stored facets are the boundary of the hull and the stored corners its extreme points.
void expect_hull(const Hull& h) {
  const auto p = h.points();
  // corners: ascending, and the first of equal points
  for (std::size_t i = 0; i + 1 < h.corners().size(); ++i) ASSERT_LT(h.corners()[i], h.corners()[i + 1]);
  for (std::uint32_t c : h.corners())
    for (std::uint32_t i = 0; i < c; ++i) ASSERT_FALSE(equal(p[i], p[c])) << "corner " << c << " equals point " << i;
  std::map<std::array<std::uint32_t, 2>, int> edges;
  std::map<std::uint32_t, std::vector<oracle::R3>> normals;
  for (const Triple& t : h.triangles()) {
    const oracle::R3 n = oracle::cross(r3(p[t[1]]) - r3(p[t[0]]), r3(p[t[2]]) - r3(p[t[0]]));
    ASSERT_FALSE(oracle::is_zero(n));
    for (const Vec3& q : p) ASSERT_LE(oracle::dot(n, r3(q) - r3(p[t[0]])), 0);
    for (int k = 0; k < 3; ++k) {
      ++edges[{t[k], t[(k + 1) % 3]}];
      normals[t[k]].push_back(n);
      ASSERT_TRUE(std::binary_search(h.corners().begin(), h.corners().end(), t[k]));
    }
  }
  for (const auto& [e, n] : edges) ASSERT_EQ((edges[{e[1], e[0]}]), n);
  const HullData& d = h.data();
  ASSERT_EQ(d.edge_begin.size(), h.corners().size() + 1);
  for (std::size_t t = 0; t < d.neighbours.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Triple& other = h.triangles()[d.neighbours[t][k]];
      bool found = false;
      for (int j = 0; j < 3; ++j) found |= other[j] == h.triangles()[t][(k + 1) % 3] && other[(j + 1) % 3] == h.triangles()[t][k];
      ASSERT_TRUE(found) << "neighbour across edge " << k << " of triangle " << t;
    }
  if (h.dimension() == 3) {
    for (const auto& [e, n] : edges) ASSERT_EQ(n, 1);
    ASSERT_EQ(normals.size(), h.corners().size());
    for (const auto& [v, ns] : normals) ASSERT_EQ(rank_of(ns), 3) << "corner " << v << " is not extreme";
    ASSERT_EQ(h.triangles().size(), 2 * h.corners().size() - 4);  // Euler
  } else if (h.dimension() == 2) {
    ASSERT_EQ(h.triangles().size(), 2 * (h.corners().size() - 2));
    const Triple& t = h.triangles()[0];
    for (const Vec3& q : p) ASSERT_EQ(oracle::orient(p[t[0]], p[t[1]], p[t[2]], q), 0);
    // no corner lies between two others
    for (std::uint32_t a : h.corners())
      for (std::uint32_t b : h.corners())
        for (std::uint32_t c : h.corners())
          if (a != b && b != c && a != c) {
            ASSERT_FALSE(oracle::is_zero(oracle::cross(r3(p[b]) - r3(p[a]), r3(p[c]) - r3(p[a]))));
          }
  } else {
    ASSERT_TRUE(h.triangles().empty());
    ASSERT_EQ(h.corners().size(), static_cast<std::size_t>(h.dimension() + 1));
    const Vec3 &a = p[h.corners().front()], &b = p[h.corners().back()];
    for (const Vec3& q : p) {
      ASSERT_TRUE(oracle::is_zero(oracle::cross(r3(b) - r3(a), r3(q) - r3(a))));
      ASSERT_LE(oracle::dot(r3(a) - r3(q), r3(b) - r3(q)), 0);  // between the two
    }
  }
}

}  // namespace

TEST(Hull, DegenerateGridPoints) {
  test::Random random(1);
  int seen[4] = {0, 0, 0, 0};
  for (int round = 0; round < test::rounds(1500); ++round) {
    std::vector<Vec3> p(static_cast<std::size_t>(random.integer(1, 30)));
    const int size = random.integer(0, 2), flat = random.integer(0, 5);
    for (Vec3& q : p) {
      q = random.grid(-size, size);
      if (flat == 0) q.z = q.x - q.y;
      if (flat == 1) q = Vec3(q.x, 2 * q.x, -q.x);
      if (q.x == 0 && random.integer(0, 1)) q.x = -0.0;
    }
    const Hull h{std::span<const Vec3>(p)};
    ++seen[h.dimension()];
    expect_hull(h);
    if (HasFatalFailure()) return;
  }
  for (int s : seen) EXPECT_GT(s, test::rounds(20));
}

TEST(Hull, RandomAndNearlyFlat) {
  test::Random random(2);
  for (int round = 0; round < test::rounds(60); ++round) {
    std::vector<Vec3> p(static_cast<std::size_t>(random.integer(4, 60)));
    for (Vec3& q : p) {
      q = random.point(-1, 1);
      if (round % 3 == 1) q.z = q.x * 0.1 + q.y * 0.3;  // flat up to rounding
      if (round % 3 == 2) q = Vec3(1e6 + q.x, 1e6 + q.x * 1e-10, 1e6 + q.z * 1e-9);
    }
    expect_hull(Hull{std::span<const Vec3>(p)});
    if (HasFatalFailure()) return;
  }
}

// Scaling by powers of two, one per axis, is exact, so the hull's combinatorics do not change.
TEST(Hull, AnyExponents) {
  test::Random random(3);
  for (int round = 0; round < 40; ++round) {
    std::vector<Vec3> p(30);
    for (Vec3& q : p) q = random.grid(-4, 4);
    const Hull plain{std::span<const Vec3>(p)};
    for (const auto& s :
         {std::array<double, 3>{0x1p-1070, 0x1p-1070, 0x1p-1070}, {0x1p1021, 0x1p1021, 0x1p1021}, {0x1p1021, 1, 0x1p-1070}, {0x1p600, 0x1p-600, 0x1p300}}) {
      std::vector<Vec3> q = p;
      for (Vec3& v : q) v = Vec3(v.x * s[0], v.y * s[1], v.z * s[2]);
      const Hull h{std::span<const Vec3>(q)};
      EXPECT_EQ(h.dimension(), plain.dimension());
      EXPECT_TRUE(std::ranges::equal(h.corners(), plain.corners()));
      EXPECT_TRUE(std::ranges::equal(h.triangles(), plain.triangles()));
    }
  }
}

TEST(Hull, Cube) {
  std::vector<Vec3> p;
  for (int i = 0; i < 27; ++i) p.emplace_back(i % 3, i / 3 % 3, i / 9);
  const Hull h{std::span<const Vec3>(p)};
  expect_hull(h);
  EXPECT_EQ(h.corners().size(), 8u);
  EXPECT_EQ(h.triangles().size(), 12u);
  EXPECT_EQ(h.data().edge_ends.size(), 24u);  // 12 edges, both ways; no diagonals
}

// The hull depends on the set of points, not on their order.
TEST(Hull, OrderDoesNotMatter) {
  test::Random random(4);
  std::vector<Vec3> p(200);
  for (Vec3& q : p) q = random.grid(-5, 5);
  auto facets = [](const Hull& h) {
    std::set<std::array<double, 3>> r;
    for (std::uint32_t c : h.corners()) r.insert({h.points()[c].x, h.points()[c].y, h.points()[c].z});
    return r;
  };
  const auto first = facets(Hull{std::span<const Vec3>(p)});
  for (int i = 0; i < 10; ++i) {
    random.shuffle(p);
    EXPECT_EQ(facets(Hull{std::span<const Vec3>(p)}), first);
  }
}

TEST(Hull, ManyPointsOnASphereAndOnACube) {
  test::Random random(5);
  std::vector<Vec3> p(test::rounds(100000));
  for (Vec3& q : p) {
    do q = random.point(-1, 1);
    while (q.x * q.x + q.y * q.y + q.z * q.z > 1 || q.x * q.x + q.y * q.y + q.z * q.z < 0.1);
    const double l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    q = Vec3(q.x / l, q.y / l, q.z / l);
  }
  const auto start = std::chrono::steady_clock::now();
  const Hull sphere{std::span<const Vec3>(p)};
  EXPECT_GT(sphere.corners().size(), p.size() / 10 * 9);
  EXPECT_EQ(sphere.triangles().size(), 2 * sphere.corners().size() - 4);
  for (Vec3& q : p) q[random.integer(0, 2)] = random.integer(0, 1) ? 1 : -1;
  const Hull cube{std::span<const Vec3>(p)};
  EXPECT_EQ(cube.dimension(), 3);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_LT(seconds, 60);
}

// A corner with many faces, and points on the planes and lines of those faces, on both sides of the corner. Tests the search by sectors.
TEST(Hull, ConesOfManyFaces) {
  test::Random random(31);
  for (int round = 0; round < 60; ++round) {
    std::vector<Vec3> p;
    const int n = random.integer(5, 12);
    for (int x = -n; x <= n; ++x) p.emplace_back(x, x * x, 0);
    const Vec3 apex(random.integer(-2, 2), random.integer(n, n * n), random.integer(1, 4));
    p.push_back(apex);
    for (int k = random.integer(0, 12); k > 0; --k) {  // on the lines from corners through the apex, before it or beyond it
      const Vec3& a = p[static_cast<std::size_t>(random.integer(0, 2 * n))];
      p.push_back(a + (apex - a) * (0.5 * random.integer(1, 4)));
    }
    for (int k = random.integer(0, 12); k > 0; --k) {  // in the planes of faces
      const auto i = static_cast<std::size_t>(random.integer(0, 2 * n - 1));
      p.push_back(p[i] + (p[i + 1] - p[i]) * (0.5 * random.integer(-1, 3)) + (apex - p[i]) * (0.5 * random.integer(0, 3)));
    }
    random.shuffle(p);
    expect_hull(Hull(p));
    if (HasFatalFailure()) return;
  }
}

// Rings in parallel planes, prisms, cones, crossed rings. Inserting points in the order of their distances takes minutes.
TEST(Hull, ManyPointsOnCirclesAndLines) {
  constexpr int n = 40000;
  const auto ring = [](std::vector<Vec3>& p, double radius, double z, double phase) {
    for (int k = 0; k < n; ++k) {
      const double a = 2 * 3.14159265358979323846 * (k + phase) / n;
      p.emplace_back(radius * std::cos(a), radius * std::sin(a), z);
    }
  };
  std::vector<std::vector<Vec3>> inputs(5);
  ring(inputs[0], 1, 0, 0), ring(inputs[0], 1, 1, 0);
  ring(inputs[1], 1, 0, 0), ring(inputs[1], 1, 1, .5);
  ring(inputs[2], 1, 0, 0), ring(inputs[2], .5, 1, 0);
  ring(inputs[3], 1, 0, 0);
  for (int k = 0; k < n; ++k) inputs[3].emplace_back(0, 0, (k + 1.0) / n);
  ring(inputs[4], 1, 0, 0);
  for (int k = 0; k < n; ++k) inputs[4].emplace_back(inputs[4][static_cast<std::size_t>(k)].x, .5, inputs[4][static_cast<std::size_t>(k)].y);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Hull h(inputs[i]);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 20) << i;
    EXPECT_EQ(h.triangles().size(), 2 * h.corners().size() - 4) << i;
    EXPECT_GE(h.corners().size(), i == 3 ? n + 1u : i == 4 ? n + 0u : 2u * n - 2 * n / 100) << i;
  }
}

TEST(Hull, Refused) {
  EXPECT_EQ(oracle::message_of([] { Hull{std::span<const Vec3>()}; }), "convex: no points, must have at least one");
  EXPECT_EQ(oracle::message_of([] { Hull{Vec3(0, 0, 0), Vec3(0, std::numeric_limits<double>::quiet_NaN(), 0)}; }), "convex: point 1: y is NaN, must be finite");
}
