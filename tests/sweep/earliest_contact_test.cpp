// The order of contacts at flat and upright walls: coplanar triangles and level edges are met at the same time, which their features prove. Compared with exact
// times.
#include "sweep/linear/earliest_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "convex/time/exact_time.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::test::earliest_contact_test {
namespace {

ConvexSet triangle_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  ConvexSet t;
  t.add_point(a).add_point(b).add_point(c);
  return t;
}

TEST(EarliestContact, TrianglesOfAWallTie) {
  Random r(923);
  int ties = 0, ordered = 0, contacts = 0;
  for (int round = 0; round < rounds(3000); ++round) {
    ConvexSet box;
    box.add_point(Vec3(0, 0, 0));
    for (int k = 0; k < 3; ++k) {
      Vec3 axis(0, 0, 0);
      axis[k] = 1;
      const double lo = r.real(-1, 1);
      box.add_segment(axis, lo, lo + r.real(0.1, 1));
    }
    // A strip of walls that stand upright, along an axis or not; each of two triangles.
    std::vector<ConvexSet> walls;
    Vec3 at = Vec3(3 + r.real(0, 1), -4, 0);
    for (int k = 0; k < 6; ++k) {
      Vec3 next = at + Vec3(r.integer(0, 2) == 0 ? r.real(-0.5, 0.5) : 0, r.real(0.5, 2), 0);
      const double z0 = -3, z1 = 3;
      const Vec3 p(at.x, at.y, z0), q(next.x, next.y, z0), s(at.x, at.y, z1), t(next.x, next.y, z1);
      walls.push_back(triangle_of(p, q, t));
      walls.push_back(r.integer(0, 1) == 0 ? triangle_of(p, t, s) : triangle_of(s, p, t));
      at = next;
    }
    const Vec3 to(8, r.real(-3, 3), r.real(-1, 1));
    const Motion motion{to, nullptr};
    for (std::uint32_t i = 0; i < walls.size(); ++i)
      for (std::uint32_t j = 0; j < walls.size(); ++j) {
        if (i == j) continue;
        EarliestContact first(motion, false);
        test_pair(first, box, walls[i], {std::nullopt, i, std::nullopt, std::nullopt});
        if (!first.found() || first.contact().inside) continue;
        const double t = first.contact().t;
        test_pair(first, box, walls[j], {std::nullopt, j, std::nullopt, std::nullopt});
        if (first.contact().t != t || (first.ids().triangle_b == i && !contact_time(box, motion, walls[j], {0, 1}))) continue;
        const auto other = contact_time(box, motion, walls[j], {0, 1});
        if (!other || other->t != t) continue;
        ++contacts;
        const ExactTime one(box, motion, walls[i], next_down(t)), two(box, motion, walls[j], next_down(t));
        const int order = compare(one, two);
        ASSERT_EQ(*first.ids().triangle_b, order < 0 ? i : order > 0 ? j : std::min(i, j)) << round << ": " << i << ", " << j;
        (order == 0 ? ties : ordered) += 1;
      }
  }
  EXPECT_GT(ties, contacts / 2);
  EXPECT_GT(contacts, rounds(3000) / 2);
}

}  // namespace
}  // namespace graze::test::earliest_contact_test
