// Traversals against brute force over boxes: every touching box is visited, and few others.
#include "bvh/traverse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "bvh/scenes.hpp"
#include "bvh/traverse_in_order.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

PlacedTree still(const WideBvh& t) { return PlacedTree(t, {}); }

std::set<std::uint32_t> overlapping(const PlacedTree& t, const Box3& q) {
  std::set<std::uint32_t> found;
  for_each_overlap(*t.tree, local_box(t, q), [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) found.insert(t.tree->items()[first + k]);
    return false;
  });
  return found;
}

TEST(Traverse, OverlapFindsAllBoxesThatTouch) {
  Random r(31);
  for (const BoxScene& s : box_scenes()) {
    SCOPED_TRACE(s.name);
    const WideBvh tree(s.boxes);
    for (int round = 0; round < 100 && !s.boxes.empty(); ++round) {
      // A box that touches one item at a corner only, or lies anywhere, or extends to infinity.
      Box3 q = s.boxes[r.below(s.boxes.size())];
      if (q.empty() || s.name == "some infinite") continue;
      for (int i = 0; i < 3; ++i) {
        const double size = std::min(q.hi[i] - q.lo[i], 1e308), lo = q.lo[i], hi = q.hi[i];
        switch (r.integer(0, 4)) {
          case 0:
            q.lo[i] = hi;
            q.hi[i] = hi + size;
            break;
          case 1:
            q.hi[i] = lo;
            q.lo[i] = lo - size;
            break;
          case 2:
            q.hi[i] = std::numeric_limits<double>::infinity();
            break;
          case 3:
            q.lo[i] = -std::numeric_limits<double>::infinity();
            break;
          default:
            break;
        }
      }
      const auto found = overlapping(still(tree), q);
      for (std::uint32_t i = 0; i < s.boxes.size(); ++i) {
        if (!s.boxes[i].empty() && s.boxes[i].overlaps(q)) {
          EXPECT_TRUE(found.count(i));
        }
      }
    }
  }
}

std::set<std::uint32_t> along(const PlacedTree& t, const RayQuery& in) {
  LocalRay ray(t, in);
  std::set<std::uint32_t> found;
  for_each_along(*t.tree, ray, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) found.insert(t.tree->items()[first + k]);
    return false;
  });
  // in the order of the bounds, it visits the same
  std::set<std::uint32_t> in_order, expected;
  for_each_in_order_along(
      *t.tree, LocalRay(t, in),
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t k = 0; k < count; ++k) in_order.insert(t.tree->items()[first + k]);
        return false;
      },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t k = 0; k < count; ++k) expected.insert(t.tree->items()[first + k]);
      });
  EXPECT_EQ(in_order, found);
  EXPECT_EQ(expected, found);
  return found;
}

// Integer lattices: the point origin + t direction is exact, boxes have it in a corner, an edge, a face, or inside; rays lie in planes and edges of boxes.
TEST(Traverse, RaysVisitEveryBoxTheyTouch) {
  Random r(32);
  for (const double scale : {1.0, 0x1p-1040, 0x1p-600, 0x1p900}) {
    for (const double offset : {0.0, 1048576.0}) {
      for (int round = 0; round < 400; ++round) {
        std::vector<Box3> boxes;
        const auto lattice = [&](int lo, int hi) { return Vec3(r.integer(lo, hi), r.integer(lo, hi), r.integer(lo, hi)); };
        const Vec3 o = lattice(-6, 6) + Vec3(offset);
        Vec3 d = lattice(-2, 2);
        if (d == Vec3(0)) d[1] = 1;
        const int n = r.integer(1, 60), t_max = r.integer(0, 8);
        std::vector<bool> hit;
        for (int i = 0; i < n; ++i) {
          const int t = r.integer(-3, 12);
          const Vec3 p = o + static_cast<double>(t) * d;
          Box3 b;
          b.add((p - lattice(0, 2)) * scale);
          b.add((p + lattice(0, 2)) * scale);
          boxes.push_back(b);
          hit.push_back(t >= 0 && t <= t_max);
        }
        for (int k = r.integer(0, 100); k > 0; --k) {
          Box3 b;
          b.add((lattice(-9, 9) + Vec3(offset)) * scale);
          boxes.push_back(b);
          hit.push_back(false);
        }
        const WideBvh tree(boxes);
        const double m = r.integer(0, 1) ? 0x1p-30 : 0x1p10;  // the same ray with direction and parameter scaled
        const Vec3 direction = d * (scale * m);
        const auto found = along(still(tree), {o * scale, direction, false, 0, t_max / m});
        const auto segment = along(still(tree), {o * scale, (o + d) * scale, true, 0, static_cast<double>(t_max)});
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
          if (!hit[i]) continue;
          EXPECT_TRUE(found.count(i)) << "scale " << scale << " offset " << offset << " round " << round << " box " << i;
          EXPECT_TRUE(segment.count(i)) << "segment: scale " << scale << " offset " << offset << " round " << round << " box " << i;
        }
      }
    }
  }
}

TEST(Traverse, RaysCullFromFarAwayAndAtAllScales) {
  Random r(33);
  const auto boxes = random_boxes(r, 5000, 1, 0, 0.01);
  for (double scale : {1.0, 0x1p-1000, 0x1p1000}) {
    auto scaled = boxes;
    for (Box3& b : scaled) {
      b.lo *= scale;
      b.hi *= scale;
    }
    const WideBvh tree(scaled);
    std::size_t visited = 0;
    for (int i = 0; i < 100; ++i) {
      const Vec3 to = r.point(-0.8, 0.8), from = to + r.point(-1, 1) * (i % 2 ? 1e6 : 3.0);
      visited += along(still(tree), {from * scale, (to - from) * scale, false, 0, 10}).size();
    }
    EXPECT_LT(visited, 100u * 120) << scale;
    EXPECT_GT(visited, 100u) << scale;
  }
}

TEST(Traverse, ZeroLengthSegmentVisitsItsPoint) {
  Random r(34);
  const auto boxes = random_boxes(r, 500, 1, 0, 0.3);
  const WideBvh tree(boxes);
  for (int i = 0; i < 50; ++i) {
    const Vec3 p = r.point(-1, 1);
    const auto found = along(still(tree), {p, p, true, 0, 1});
    for (std::uint32_t k = 0; k < boxes.size(); ++k) {
      if (boxes[k].overlaps(box_at(p, Vec3(0)))) {
        EXPECT_TRUE(found.count(k));
      }
    }
    EXPECT_LT(found.size(), 200u);
  }
}

TEST(Traverse, ShorteningARaySkipsOnlyBoxesBeyondItsEnd) {
  Random r(35);
  const auto boxes = random_boxes(r, 3000, 1, 0, 0.02);
  const WideBvh tree(boxes);
  for (int i = 0; i < 200; ++i) {
    const Vec3 from = r.point(-3, 3), to = r.point(-1, 1);
    const RayQuery in{from, to - from, false, 0, std::numeric_limits<double>::infinity()};
    // First entry into a box shrunk by 1e-9, by brute force in long doubles.
    double best = std::numeric_limits<double>::infinity();
    std::set<std::uint32_t> first;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::uint32_t k = 0; k < boxes.size(); ++k) {
        long double lo = 0, hi = std::numeric_limits<long double>::infinity();
        for (int a = 0; a < 3; ++a) {
          const long double x = (boxes[k].lo[a] + 1e-9L - from[a]) / in.direction[a], y = (boxes[k].hi[a] - 1e-9L - from[a]) / in.direction[a];
          lo = std::max(lo, std::min(x, y));
          hi = std::min(hi, std::max(x, y));
        }
        if (lo > hi) continue;
        if (pass == 0) best = std::min(best, static_cast<double>(hi));
        if (pass == 1 && lo <= best) first.insert(k);
      }
    }
    LocalRay ray(still(tree), in);
    std::set<std::uint32_t> found;
    for_each_along(tree, ray, [&](std::uint32_t f, std::uint32_t count) {
      for (std::uint32_t k = 0; k < count; ++k) found.insert(tree.items()[f + k]);
      ray.shrink(best);
      return false;
    });
    for (std::uint32_t k : first) EXPECT_TRUE(found.count(k));
    // in the order of the bounds: all of those, and hardly others
    LocalRay again(still(tree), in);
    std::set<std::uint32_t> in_order;
    for_each_in_order_along(
        tree, again,
        [&](std::uint32_t f, std::uint32_t count) {
          for (std::uint32_t k = 0; k < count; ++k) in_order.insert(tree.items()[f + k]);
          again.shrink(best);
          return false;
        },
        [](std::uint32_t, std::uint32_t) {});
    for (std::uint32_t k : first) EXPECT_TRUE(in_order.count(k));
    EXPECT_LE(in_order.size(), found.size());
  }
}

TEST(Traverse, NearestVisitsTheNearestBox) {
  Random r(36);
  for (const BoxScene& s : box_scenes()) {
    if (s.boxes.empty() || s.name == "some infinite") continue;
    SCOPED_TRACE(s.name);
    const WideBvh tree(s.boxes);
    for (int round = 0; round < 30; ++round) {
      const Box3& near = s.boxes[r.below(s.boxes.size())];
      if (near.empty()) continue;
      const Vec3 size = tree.bounds().hi * 0.5 - tree.bounds().lo * 0.5;
      Box3 q;
      Vec3 p;
      for (int i = 0; i < 3; ++i) p[i] = std::clamp(near.hi[i] + r.real(-0.1, 0.1) * size[i], -1.7e308, 1.7e308);
      q.add(p);
      const auto distance = [&](std::uint32_t k) {
        long double sum = 0;
        for (int i = 0; i < 3; ++i) {
          const long double gap = std::max({0.0L, static_cast<long double>(s.boxes[k].lo[i]) - q.hi[i], static_cast<long double>(q.lo[i]) - s.boxes[k].hi[i]});
          sum += gap * gap;
        }
        return std::sqrt(sum);
      };
      long double best = std::numeric_limits<long double>::infinity();
      for (std::uint32_t k = 0; k < s.boxes.size(); ++k) {
        if (!s.boxes[k].empty()) best = std::min(best, distance(k));
      }
      float limit = local_limit(tree, std::numeric_limits<double>::infinity());
      long double found = std::numeric_limits<long double>::infinity();
      std::set<std::uint32_t> seen;
      for_each_nearest(tree, local_box(still(tree), q), limit, [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t k = first; k < first + count; ++k) {
          seen.insert(tree.items()[k]);
          found = std::min(found, distance(tree.items()[k]));
        }
        limit = local_limit(tree, static_cast<double>(found) * (1 + 1e-15));
        return false;
      });
      EXPECT_EQ(found, best);
      for (std::uint32_t k = 0; k < s.boxes.size(); ++k) {  // ties are not left out
        if (!s.boxes[k].empty() && distance(k) == best) {
          EXPECT_TRUE(seen.count(k));
        }
      }
    }
  }
}

// Items are points (boxes of no size), so that their placed images are doubles: pairs that coincide in the world must be found, however each was placed.
TEST(Traverse, FindsCoincidentPlacedPoints) {
  Random r(37);
  for (const double scale : {1.0, 1e-200, 1e200, 0x1p-1060}) {
    for (const double shift : {0.0, 1.0, 1e6}) {
      for (int round = 0; round < 30; ++round) {
        const Pose pa = r.pose(shift * scale), pb = r.pose(shift * scale);
        std::vector<Vec3> a, b;
        std::vector<Box3> boxes_a, boxes_b;
        for (int i = 0; i < 60; ++i) {
          a.push_back(r.point(-1, 1) * scale);
          // The point of B whose image is nearest to that of a: within rounding. The traversal with that margin must find it.
          const Vec3 w = pa.apply(a.back()) - pb.translation;
          Vec3 v;
          for (int k = 0; k < 3; ++k) v[k] = pb.rotation[0][k] * w.x + pb.rotation[1][k] * w.y + pb.rotation[2][k] * w.z;
          b.push_back(v);
          boxes_a.push_back(box_at(a.back(), Vec3(0)));
          boxes_b.push_back(box_at(b.back(), Vec3(0)));
        }
        const WideBvh ta(boxes_a), tb(boxes_b);
        const PlacedTree la(ta, RigidMap{pa.rotation, &pa.translation}), lb(tb, RigidMap{pb.rotation, &pb.translation});
        std::size_t pairs = 0;
        const auto run = [&](double margin) {
          std::set<std::pair<std::uint32_t, std::uint32_t>> found;
          PairTraversal(la, lb, margin).run({kWholeTree, kWholeTree, 0}, [&](const RefView& fa, const RefView& fb) {
            for_each_position_pair(fa, fb, false, [&](std::uint32_t i, std::uint32_t j) { found.insert({ta.items()[i], tb.items()[j]}); });
            return false;
          });
          return found;
        };
        const auto touching = run(0);
        for (std::uint32_t i = 0; i < a.size(); ++i) {
          const Vec3 wa = pa.apply(a[i]);
          const Vec3 wb = pb.apply(b[i]);
          if (wa == wb) {
            EXPECT_TRUE(touching.count({i, i}));
          }
          const double gap = std::max({std::fabs(wa.x - wb.x), std::fabs(wa.y - wb.y), std::fabs(wa.z - wb.z)});
          EXPECT_TRUE(run(gap * 1.75).count({i, i}));
          // A ray that starts at the image of a point meets it, as does a box there.
          Box3 q;
          q.add(wa);
          EXPECT_TRUE(overlapping(la, q).count(i));
          EXPECT_TRUE(along(la, {wa, Vec3(1, 2, 3), false, 0, 1}).count(i));
          EXPECT_TRUE(along(la, {wa, wa, true, 0, 1}).count(i));
        }
        pairs += touching.size();
        if (scale > 1e-300) {  // the traversal culls, except where paddings are as large as the tree
          EXPECT_LT(pairs, a.size() * 40);
        }
      }
    }
  }
}

TEST(Traverse, PairTraversalFindsAllOverlappingBoxesOnce) {
  Random r(38);
  for (int round = 0; round < 20; ++round) {
    const auto a = random_boxes(r, 400, 1, 0, 0.2), b = random_boxes(r, 300, round % 2 ? 0.1 : 3, 0, 0.1);
    const WideBvh ta(a), tb(b);
    const PlacedTree pa = still(ta), pb = still(tb);
    const PairTraversal traversal(pa, pb, 0);
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> found, parts;
    const auto collect = [&](auto& into) {
      return [&](const RefView& fa, const RefView& fb) {
        for (std::uint32_t i = fa.child; i < fa.child + fa.count; ++i) {
          for (std::uint32_t j = fb.child; j < fb.child + fb.count; ++j) {
            if (a[ta.items()[i]].overlaps(b[tb.items()[j]])) into.insert({ta.items()[i], tb.items()[j]});
          }
        }
        return false;
      };
    };
    traversal.run({kWholeTree, kWholeTree, 0}, collect(found));
    for (const auto& start : traversal.frontier(64)) traversal.run(start, collect(parts));
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      for (std::uint32_t j = 0; j < b.size(); ++j) {
        if (a[i].overlaps(b[j])) expected.insert({i, j});
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(parts, expected);
  }
}

TEST(Traverse, SelfTraversalFindsEveryUnorderedPairOnce) {
  for (const BoxScene& s : box_scenes()) {
    if (s.boxes.size() > 1200) continue;
    SCOPED_TRACE(s.name);
    const WideBvh tree(s.boxes);
    const PlacedTree placed = still(tree);
    const SelfTraversal traversal(placed);
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> found, parts, expected;
    const auto collect = [&](auto& into) {
      return [&](const RefView& fa, const RefView& fb) {
        for (std::uint32_t i = fa.child; i < fa.child + fa.count; ++i) {
          for (std::uint32_t j = fa.ref == fb.ref ? i + 1 : fb.child; j < fb.child + fb.count; ++j) {
            const std::uint32_t x = tree.items()[i], y = tree.items()[j];
            if (s.boxes[x].overlaps(s.boxes[y])) into.insert({std::min(x, y), std::max(x, y)});
          }
        }
        return false;
      };
    };
    if (!traversal.empty()) {
      traversal.run({kWholeTree, kWholeTree}, collect(found));
      for (const auto& start : traversal.frontier(64)) traversal.run(start, collect(parts));
    }
    for (std::uint32_t i = 0; i < s.boxes.size(); ++i) {
      for (std::uint32_t j = i + 1; j < s.boxes.size(); ++j) {
        if (s.boxes[i].overlaps(s.boxes[j])) expected.insert({i, j});
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(parts, expected);
  }
}

}  // namespace
}  // namespace graze::test
