// Compares the sweep for crossing edges with brute force over all pairs, on grids where most outlines touch, overlap and repeat themselves.
#include "mesh/edge_meetings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random.hpp"

using namespace graze;

namespace edge_meetings_test {
namespace {

int turn(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double d = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);  // exact: small integers
  return d > 0 ? 1 : d < 0 ? -1 : 0;
}
bool between(const Vec3& a, const Vec3& b, const Vec3& c) {
  return turn(a, b, c) == 0 && std::min(a.x, b.x) <= c.x && c.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= c.y && c.y <= std::max(a.y, b.y);
}

struct Verdict {
  bool cross, touch;
};
Verdict pair(const std::vector<Vec3>& p, const OutlineEdge& e, const OutlineEdge& f) {
  const Vec3 &a = p[e.from], &b = p[e.to], &c = p[f.from], &d = p[f.to];
  return {turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0, between(a, b, c) || between(a, b, d) || between(c, d, a) || between(c, d, b)};
}

}  // namespace

TEST(EdgeMeetings, AgreesWithAllPairs) {
  test::Random random(21);
  int crossing = 0, clean = 0, simple = 0;
  for (int round = 0; round < 30000; ++round) {
    const int m = random.integer(1, 5), n = random.integer(3, 12);
    std::vector<Vec3> p;
    for (int k = 0; k < n; ++k) p.emplace_back(random.integer(0, m), random.integer(0, m), 0);
    std::vector<OutlineEdge> edges;
    bool folds = false;
    for (std::uint32_t k = 0; k < p.size(); ++k) {
      const std::uint32_t l = (k + 1) % n, h = (k + 2) % n;
      if (p[k] != p[l]) edges.push_back({k, l});
      folds = folds || p[k] == p[l] || between(p[k], p[l], p[h]) || between(p[l], p[h], p[k]);
    }
    bool any_cross = false, any_meeting = false;
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Verdict v = pair(p, edges[i], edges[j]);
        any_cross = any_cross || v.cross;
        any_meeting = any_meeting || (edges[i].from != edges[j].to && edges[j].from != edges[i].to && (v.cross || v.touch));
      }
    for (const int sign : {1, -1}) {  // seen from either side
      const FlatOutline outline(p, {2, sign});
      const auto crosses = find_meeting(outline, edges, Meeting::cross);
      ASSERT_EQ(crosses.has_value(), any_cross);
      ASSERT_TRUE(!crosses || (crosses->cross && pair(p, crosses->first, crosses->second).cross));
      if (folds) continue;
      const auto meets = find_meeting(outline, edges, Meeting::any);
      ASSERT_EQ(meets.has_value(), any_meeting);
      if (!meets) continue;
      const Verdict v = pair(p, meets->first, meets->second);
      ASSERT_TRUE(meets->cross ? v.cross : v.touch && !v.cross);
      ASSERT_LT(meets->first.from, meets->second.from);
    }
    crossing += any_cross;
    clean += !any_cross;
    simple += !folds && !any_meeting;
  }
  EXPECT_GT(crossing, 1000);
  EXPECT_GT(clean, 1000);
  EXPECT_GT(simple, 1000);
}

TEST(EdgeMeetings, NamesEdgesOfNonSimplePolygons) {
  const auto defect = [](const std::vector<Vec3>& p) { return simplicity_defect(p, {2, 1}); };
  EXPECT_EQ(defect({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(1, 1, 0), Vec3(0, 4, 0)}), "");
  EXPECT_EQ(defect({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 0, 0), Vec3(1, 1, 0), Vec3(0, 4, 0), Vec3(0, 0, 0)}), "");  // repeated corners
  EXPECT_EQ(defect({Vec3(0, 0, 0), Vec3(2, 2, 0), Vec3(2, 0, 0), Vec3(0, 2, 0)}), "edges 0-1 ((0, 0, 0) to (2, 2, 0)) and 2-3 ((2, 0, 0) to (0, 2, 0)) cross");
  EXPECT_EQ(defect({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(2, 0, 0), Vec3(0, 4, 0)}),
            "edges 0-1 ((0, 0, 0) to (4, 0, 0)) and 3-4 ((2, 0, 0) to (0, 4, 0)) touch");
  EXPECT_EQ(defect({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(2, 0, 0), Vec3(0, 4, 0)}), "corner 1 at (4, 0, 0) folds back onto the edge before it");
}

}  // namespace edge_meetings_test
