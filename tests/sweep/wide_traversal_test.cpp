// The SIMD traversal of meshes by moving balls, capsules and boxes against the plain list: the same first contact, bit for bit, at every CPU level. No touching
// triangle is left out, enclosures of times enclose, and the triangles reported near a ball's path are complete.
#include "sweep/linear/wide_traversal.hpp"
#include "sweep/linear/surface_sweep.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "bvh/scenes.hpp"
#include "mesh/grid.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"
#include "sweep/linear/linear_sweep.hpp"

namespace graze::test::wide_traversal_test {
namespace {

struct Case {
  Mesh mesh;
  std::optional<Pose> pose;
  ConvexSet mover;
  Vec3 motion;
  MeshView view() const { return MeshView(mesh, pose ? &*pose : nullptr); }
};

/// kind 0: ball, 1: capsule, 2: box, 3: rectangle, 4: point.
ConvexSet mover(Random& r, int kind, const Vec3& c, double size) {
  ConvexSet convex;
  convex.add_point(c);
  if (kind == 1) convex.add_point(c + r.point(-1, 1) * size);
  if (kind == 0 || kind == 1) convex.radius = size * r.real(0.05, 1);
  if (kind == 2 || kind == 3) {
    const Pose turn = r.pose(0);
    for (int k = 0; k < 5 - kind; ++k) convex.add_segment(Vec3(turn.rotation[0][k], turn.rotation[1][k], turn.rotation[2][k]), -size * r.real(0.1, 1), size);
  }
  return convex;
}

Case random_case(Random& r, int round) {
  const double scale = round % 7 == 3 ? 0x1p-300 : round % 7 == 5 ? 0x1p200 : 1;
  const Vec3 at = round % 5 == 4 ? Vec3(1e5, -3e4, 2e5) * scale : Vec3(0, 0, 0);
  const int which = round % 4;
  Mesh mesh = which == 0   ? Mesh(soup(r, 300, scale, at, 0.1))
              : which == 1 ? grid(r, 14, scale, at, 0.03)
              : which == 2 ? grid(r, 14, scale, at, 0)  // flat: many ties
                           : Mesh(lattice(r, 60, scale * 0.4, at));
  Case c{mesh, {}, {}, {}};
  const bool whole = which >= 2 && r.integer(0, 1);
  Vec3 from = r.point(-1.5, 1.5), way = r.point(-2, 2);
  double size = std::exp(r.real(-4, 0));
  if (whole) {  // on the lattice of the mesh: touching, along edges
    const auto grain = [](double x) { return static_cast<int>(x * 7) / 7.0; };
    for (int i = 0; i < 3; ++i) {
      from[i] = grain(from[i]);
      way[i] = grain(way[i]);
    }
    size = 1 / 7.0;
  }
  if (r.integer(0, 5) == 0) way *= 1e-3;
  if (r.integer(0, 8) == 0) way[r.integer(0, 2)] = 0;
  if (way == Vec3(0, 0, 0)) way.z = -1;
  c.mover = mover(r, round % 5, from * scale + at, size * scale);
  c.motion = way * scale;
  if (which == 2 && c.mover.is_ball() && r.integer(0, 2) == 0) {  // lies on the plane and departs, or not
    Vec3 p = c.mover.base(0);
    p.z = at.z + 0.25 * scale;
    c.mover = ConvexSet();
    c.mover.add_point(p);
    c.mover.radius = 0.25 * scale;
    c.motion.z = scale * r.integer(-1, 2);
  } else if (round % 3 == 1) {
    c.pose = r.pose(0.1 * scale);
  }
  return c;
}

/// Every triangle, one by one.
void list(EarliestContact& first, const Case& c, bool surface_moves) {
  for (std::uint32_t i = 0; i < c.mesh.size(); ++i) {
    const ConvexSet t = convex_triangle(c.view().triangle(i));
    if (surface_moves)
      test_pair(first, t, c.mover, {std::nullopt, std::nullopt, std::nullopt, i});
    else
      test_pair(first, c.mover, t, {std::nullopt, i, std::nullopt, std::nullopt});
  }
}

bool same_bits(double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; }

TEST(WideTraversal, FirstContactMatchesTheListAtEveryLevel) {
  Random r(811);
  int hits = 0, inside = 0, used = 0, departing = 0;
  for (int round = 0; round < 1500; ++round) {
    const Case c = random_case(r, round);
    const bool surface_moves = round % 2 == 1, skip = round % 11 == 0;
    const Motion motion{surface_moves ? -c.motion : c.motion};
    EarliestContact truth(motion, skip);
    list(truth, c, surface_moves);
    for_each_cpu_level([&](CpuLevel level) {
      EarliestContact first(motion, skip);
      const MeshView view = c.view();
      if (sweep_wide(first, SurfacePair<ConvexSet>{c.mover, view, surface_moves, {}}) == Swept::unusable) return;
      ++used;
      ASSERT_EQ(first.found(), truth.found()) << round << " level " << static_cast<int>(level);
      if (!truth.found()) return;
      ++hits;
      const PairContact &p = first.contact(), &q = truth.contact();
      ASSERT_TRUE(same_bits(p.t, q.t)) << round << ": " << p.t << " " << q.t;
      ASSERT_EQ(p.inside, q.inside) << round;
      ASSERT_EQ(first.departing(), truth.departing()) << round;
      ASSERT_TRUE(first.ids() == truth.ids()) << round << ": " << first.ids().triangle_b.value_or(first.ids().triangle_a.value_or(9999)) << " "
                                              << truth.ids().triangle_b.value_or(truth.ids().triangle_a.value_or(9999));
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(same_bits(p.normal[i], q.normal[i])) << round;
      inside += p.inside;
      departing += first.departing();
      // The list of near triangles is complete: no other triangle comes within the slack.
      if (first.near.known && !p.inside) {
        for (std::uint32_t i = 0; i < c.mesh.size(); ++i) {
          const Triangle t = c.view().triangle(i);
          bool listed = false;
          for (std::uint32_t k = 0; k < first.near.count; ++k) listed = listed || std::equal(t.points.begin(), t.points.end(), first.near.triangle[k]);
          if (listed) continue;
          ConvexSet swept = c.mover;
          swept.add_segment(c.motion, 0, p.t);
          ASSERT_FALSE(within(swept, convex_triangle(t), first.near.slack)) << round << " triangle " << i;
        }
      }
    });
  }
  EXPECT_GT(used, 1400);  // at one level; each further level adds as many
  EXPECT_GT(hits, used / 4);
  EXPECT_GT(inside, used / 40);
  EXPECT_GT(departing, used / 1000);
}

TEST(WideTraversal, EnclosuresEncloseAndAreTheSameAtEveryLevel) {
  Random r(812);
  std::size_t candidates = 0, sure = 0;
  for (int round = 0; round < 800; ++round) {
    const Case c = random_case(r, round);
    if (c.mover.is_point()) continue;
    std::vector<std::optional<PairContact>> truth;
    for (std::uint32_t i = 0; i < c.mesh.size(); ++i) truth.push_back(contact_time(c.mover, {c.motion}, convex_triangle(c.view().triangle(i))));
    std::vector<SweepCandidate> before;
    bool any = false;
    for_each_cpu_level([&](CpuLevel) {
      wide::Traversal traversal(c.view(), c.mover, c.motion, 0);
      if (!traversal.usable()) return;
      std::vector<SweepCandidate> all;
      std::uint32_t deep = ~0u;
      double least = 1;
      if (!traversal.misses()) {
        SweepTraversal& w = traversal.state;
        w.least = 1;
        for (SweepEvent event = SweepEvent::full; event != SweepEvent::done;) {
          event = traversal.next();
          for (std::uint32_t i = 0; i < w.found; ++i) all.push_back(w.candidate[i]);
          w.found = 0;
        }
        least = w.least;
        deep = w.deep;
      }
      // Each discarded triangle is later than the least time, or has a higher index than the lowest deep one.
      std::vector<bool> kept(c.mesh.size());
      for (const SweepCandidate& k : all) {
        const std::uint32_t i = c.mesh.impl().index_at(k.place);
        kept[i] = true;
        ++candidates;
        if (truth[i]) {
          ASSERT_LE(k.lo, truth[i]->t) << round;
        }
        if (k.hi > 1) continue;
        ++sure;
        ASSERT_TRUE(truth[i] && truth[i]->t <= k.hi) << round << " triangle " << i;
      }
      if (deep != ~0u) {
        ASSERT_TRUE(truth[deep] && truth[deep]->inside && truth[deep]->normal == Vec3(0, 0, 0) && !truth[deep]->departing) << round;
      }
      for (std::uint32_t i = 0; i < c.mesh.size(); ++i) {
        if (!kept[i] && truth[i]) {
          ASSERT_TRUE(truth[i]->t >= least || i >= deep) << round << " triangle " << i;
          ASSERT_TRUE(truth[i]->t > 0 || i >= deep || deep == ~0u) << round;
        }
      }
      if (any) {
        ASSERT_EQ(all.size(), before.size()) << round;
        for (std::size_t i = 0; i < all.size(); ++i)
          ASSERT_TRUE(same_bits(all[i].lo, before[i].lo) && same_bits(all[i].hi, before[i].hi) && all[i].place == before[i].place) << round;
      }
      any = true;
      before = all;
    });
  }
  EXPECT_GT(candidates, 1000u);
  EXPECT_GT(sure, 200u);
}

/// Corners within a few ulps of the radius, among deep triangles: the lowest triangle that touches at the start must be reported.
TEST(WideTraversal, CornersAtTheRadius) {
  Random r(813);
  int lowest = 0, higher = 0;
  for (int round = 0; round < 1500; ++round) {
    const double scale = round % 7 == 3 ? 0x1p-300 : round % 7 == 5 ? 0x1p200 : 1;
    const std::uint32_t n = 10 + static_cast<std::uint32_t>(r.integer(0, 200));
    const Vec3 center = r.point(-1, 1) * scale;
    const double radius = r.real(0.1, 0.5) * scale;
    const auto direction = [&] {
      for (;;) {
        const Vec3 v = r.point(-1, 1);
        const double s = v.x * v.x + v.y * v.y + v.z * v.z;
        if (s > 0.01) return v * (1 / std::sqrt(s));
      }
    };
    MeshData d;
    for (std::uint32_t i = 0; i < n; ++i) {  // one corner near the radius, the others behind the plane perpendicular to it; a few are deep
      const Vec3 out = direction();
      const double off = std::ldexp(r.real(-1, 1), -r.integer(18, 54)), at = radius * (r.integer(0, 7) == 0 ? r.real(0.5, 0.99) : 1 + off);
      const Vec3 corner = center + out * at;
      const auto behind = [&] {
        const Vec3 way = direction() * (0.1 * scale);
        const double along = way.x * out.x + way.y * out.y + way.z * out.z;
        return corner + way + out * (std::fabs(along) - along + 0.01 * scale);
      };
      d.vertices.insert(d.vertices.end(), {corner, behind(), behind()});
      const std::uint32_t turn = static_cast<std::uint32_t>(r.integer(0, 2));
      d.triangles.push_back({3 * i + turn, 3 * i + (turn + 1) % 3, 3 * i + (turn + 2) % 3});
    }
    Case c{Mesh(d), {}, {}, direction() * (0.5 * scale)};
    if (round % 3 == 0) c.pose = r.pose(0.1 * scale);
    const Vec3 p = c.pose ? c.pose->apply(center) : center;
    c.mover.add_point(p);
    if (round % 4 == 1) c.mover.add_point(p + direction() * (0.2 * scale));
    c.mover.radius = radius;
    const Motion motion{c.motion};
    EarliestContact truth(motion, round % 5 == 0);
    list(truth, c, false);
    for_each_cpu_level([&](CpuLevel level) {
      EarliestContact first(motion, round % 5 == 0);
      const MeshView view = c.view();
      if (sweep_wide(first, SurfacePair<ConvexSet>{c.mover, view, false, {}}) == Swept::unusable) return;
      ASSERT_EQ(first.found(), truth.found()) << round << " level " << static_cast<int>(level);
      if (!truth.found()) return;
      ASSERT_TRUE(first.ids() == truth.ids() && same_bits(first.contact().t, truth.contact().t) && first.contact().inside == truth.contact().inside)
          << round << " level " << static_cast<int>(level);
      (truth.ids().triangle_b == 0u ? lowest : higher) += truth.contact().inside;
    });
  }
  EXPECT_GT(lowest, 500);
  EXPECT_GT(higher, 500);
}

}  // namespace
}  // namespace graze::test::wide_traversal_test
