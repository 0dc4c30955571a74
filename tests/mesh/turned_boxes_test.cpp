// Oriented boxes: boxes reported as separated do not meet, and combs cut into slivers leave few pairs.
#include "mesh/queries/turned_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "exact/predicates.hpp"
#include "pairs/triangle_triangle.hpp"
#include "support/random.hpp"

using namespace graze;

namespace turned_boxes_test {
namespace {

/// Calls leaf(a, b) for the pairs of leaves that a traversal with oriented boxes visits, and apart(a, b) for the pairs that it discards.
template <class Leaf, class Apart>
void traversal(const MeshView& view, Leaf&& leaf, Apart&& apart) {
  const PlacedTree placed(view.mesh->tree, view.pose ? RigidMap{view.pose->rotation, &view.pose->translation} : RigidMap{});
  const SelfTraversal traversal(placed);
  const TurnedBoxes turned(view);
  traversal.run(
      {kWholeTree, kWholeTree},
      [&](const RefView& a, const RefView& b) {
        leaf(a.ref, b.ref);
        return false;
      },
      [&](const SelfTraversal::Pair& p) {
        const bool skipped = turned.apart(p.a, p.b);
        if (skipped) apart(p.a, p.b);
        return skipped;
      });
}

/// The triangles below a node.
std::vector<std::uint32_t> below(const WideBvh& tree, TreeRef at) {
  const RefView v = view_of(tree, at);
  std::vector<std::uint32_t> all;
  if (v.count != 0) {
    for (std::uint32_t i = v.child; i < v.child + v.count; ++i) all.push_back(tree.items()[i]);
    return all;
  }
  for (std::uint32_t s = 0; s < tree.node(v.child).used; ++s)
    for (const std::uint32_t t : below(tree, v.child * kWidth + s)) all.push_back(t);
  return all;
}

/// Adjacent slivers, coplanar or nearly so, some of them moved into others; and a few triangles without area.
MeshData slivers(test::Random& random, int n) {
  MeshData d;
  const auto number = [&](int lo, int hi) { return static_cast<double>(random.integer(lo, hi)); };
  const Vec3 along(number(-9, 9), number(-9, 9), number(-9, 9)), step(number(-2, 2), number(-2, 2), number(-2, 2)),
      off(number(0, 1), number(0, 1), number(-1, 1));
  for (int k = 0; k < n; ++k) {
    const Vec3 from = step * (k + (random.integer(0, 9) == 0 ? number(-1, 1) / 4 : 0.0)) + off * (random.integer(0, 4) == 0 ? number(-1, 1) / 8 : 0.0);
    d.vertices.insert(d.vertices.end(), {from, from + step * (number(0, 4) / 4), from + along * number(1, 9)});
    const auto first = static_cast<std::uint32_t>(3 * k);
    d.triangles.push_back({first, first + 1, first + 2});
  }
  return d;
}

/// A comb of n teeth inclined by `lean`, in the plane spanned by x and y.
Mesh comb(int n, double lean, const Vec3& x, const Vec3& y) {
  std::vector<Vec3> outline;
  const auto add = [&](double a, double b) { outline.push_back(x * a + y * b); };
  for (int k = 0; k < n; ++k) add(k, 1), add(k + .5 + lean, 100);
  add(n, 1), add(n, 0), add(0, 0);
  std::reverse(outline.begin(), outline.end());
  MeshData d;
  d.vertices = outline;
  d.triangles = triangulate(outline);
  return Mesh(std::move(d));
}

}  // namespace

TEST(TurnedBoxes, SeparateSetsDoNotMeet) {
  test::Random random(43);
  std::size_t apart = 0, met = 0;
  for (int round = 0; round < 200; ++round) {
    MeshData d = slivers(random, random.integer(30, 90));
    const double size = round % 10 == 0 ? 0x1p-1060 : round % 10 == 1 ? 0x1p1010 : round % 10 == 2 ? 0x1p200 : 1;
    for (Vec3& v : d.vertices) v *= size;
    const Mesh mesh(d);
    const Pose pose = Pose::from_quaternion(1, .3, -.2, .5, Vec3(3, -1, 7) * (size > 1 ? 1.0 : size));
    for (const MeshView& view : {MeshView(mesh), MeshView(mesh, &pose)}) {
      const auto check = [&](TreeRef a, TreeRef b, bool set_apart) {
        for (const std::uint32_t i : below(view.mesh->tree, a))
          for (const std::uint32_t j : below(view.mesh->tree, b)) {
            const bool meet = i != j && triangles_intersect(view.triangle(i), view.triangle(j));
            ASSERT_FALSE(set_apart && meet) << round << ": " << i << " with " << j;
            apart += set_apart, met += meet;
          }
      };
      traversal(
          view, [&](TreeRef a, TreeRef b) { check(a, b, false); }, [&](TreeRef a, TreeRef b) { check(a, b, true); });
    }
  }
  EXPECT_GT(apart, 10000u);
  EXPECT_GT(met, 1000u);
}

// The triangles at the foot of a comb are a fan of slivers whose boxes all touch those of the teeth. With axis-aligned boxes alone, about n^2 / 32 pairs of
// leaves remain (besides those of the fan, which all share corner 0).
TEST(TurnedBoxes, CombsLeaveFewPairs) {
  constexpr int kTeeth = 2000;
  const Vec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  const struct {
    double lean;
    Vec3 x, y;
  } combs[] = {{0, x, y}, {0, y, z}, {0, x * .8 + y * .6, y * .8 - x * .6}, {100, x, y}, {0, x + z * 2.0, y + z * 4.0}};
  for (const auto& c : combs) {
    const Mesh mesh = comb(kTeeth, c.lean, c.x, c.y);
    const MeshView view(mesh);
    const auto in_fan = [&](TreeRef at) {
      const std::vector<std::uint32_t> all = below(view.mesh->tree, at);
      return std::all_of(all.begin(), all.end(), [&](std::uint32_t t) { return std::ranges::count(view.mesh->triangles[t], 0u) == 1; });
    };
    std::size_t leaves = 0;
    traversal(
        view, [&](TreeRef a, TreeRef b) { leaves += !in_fan(a) || !in_fan(b); }, [](TreeRef, TreeRef) {});
    EXPECT_LT(leaves, 10u * kTeeth) << c.lean;
  }
}

// Doubles separate nearly all coplanar neighbours.
TEST(TurnedBoxes, CoplanarNeighboursNeedNoExactArithmetic) {
  const Vec3 x(.8, .6, .1), y(-.6, .8, .3);
  const auto at = [&](double a, double b) { return x * a + y * b; };
  const PredicateCounts before = predicate_counts();
  for (int k = 0; k < 100; ++k) {
    const Triangle a{{at(k, 1), at(k + 1, 1), at(k + .5, 100)}}, b{{at(k + 1.25, 1), at(k + 2.25, 1), at(k + 1.75, 100)}};
    EXPECT_FALSE(triangles_intersect(a, b));
    EXPECT_FALSE(triangles_intersect(b, a));
  }
  EXPECT_EQ(predicate_counts().fixed, before.fixed);
  EXPECT_EQ(predicate_counts().big, before.big);
}

}  // namespace turned_boxes_test
