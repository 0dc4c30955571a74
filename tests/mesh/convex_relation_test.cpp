// Round, curved and flat shapes in solids of several boxes, whose triangles are partly walls inside them. The unit cells of the grid tell the truth: a shape
// leaves such a solid exactly if it shares inner points with a cell that no box fills.
#include "mesh/arrangement/convex_relation.hpp"

#include <gtest/gtest.h>
#include <graze/query.hpp>

#include <map>
#include <vector>

#include "support/random.hpp"
#include "support/rounds.hpp"
#include "support/solid_boxes.hpp"

namespace graze::convex_relation_test {
namespace {

using test::Random;

constexpr int kLow = -4, kHigh = 8;  // cells beyond all boxes and shapes

/// Where the grid lies, and the size of its cells. All coordinates are doubles.
struct Place {
  double unit = 1;
  Vec3 origin{0, 0, 0};
  Vec3 operator()(const Vec3& p) const { return origin + unit * p; }
  Box operator()(const Box& b) const { return {(*this)(b.min), (*this)(b.max)}; }
};

/// Solids of two to five boxes with integer corners, which may overlap, stand on each other or be apart.
class BoxesOnAGrid {
 public:
  explicit BoxesOnAGrid(Random& random, const Place& where = {}) : place(where) {
    for (int n = random.integer(2, 5); n > 0; --n) {
      Box b;
      for (int i = 0; i < 3; ++i) {
        b.min[i] = random.integer(0, 3);
        b.max[i] = b.min[i] + random.integer(1, 3);
      }
      boxes.push_back(b);
      placed.push_back(place(b));
    }
    solid.emplace(test::joined_boxes(placed));
  }
  bool fills(const Vec3& cell) const {
    for (const Box& b : boxes)
      if (cell.x >= b.min.x && cell.x < b.max.x && cell.y >= b.min.y && cell.y < b.max.y && cell.z >= b.min.z && cell.z < b.max.z) return true;
    return false;
  }
  Place place;
  std::vector<Box> boxes, placed;
  std::optional<Solid> solid;
};

template <class F>
void for_each_cell(const F& f) {
  for (int x = kLow; x < kHigh; ++x)
    for (int y = kLow; y < kHigh; ++y)
      for (int z = kLow; z < kHigh; ++z) f(Vec3(x, y, z));
}

bool share_inner(const AnyShape& a, const Box& b) {
  const Relation r = relation(a, b);
  return r != Relation::disjoint && r != Relation::touching;
}

Relation expected(const AnyShape& a, const BoxesOnAGrid& grid) {
  bool leaves = false, inner = false, all_boxes = true;
  const Box bounds = bounding_box(a);
  for_each_cell([&](const Vec3& c) {
    const Box cell = grid.place(Box{c, c + Vec3(1, 1, 1)});
    if (!intersects(bounds, cell) || !share_inner(a, cell)) return;
    (grid.fills(c) ? inner : leaves) = true;
  });
  for (const Box& b : grid.placed) {
    const Relation r = relation(a, b);
    all_boxes = all_boxes && (r == Relation::b_in_a || r == Relation::identical);
  }
  if (!intersects(a, *grid.solid)) return Relation::disjoint;
  if (!leaves) return all_boxes ? Relation::identical : Relation::a_in_b;
  return all_boxes ? Relation::b_in_a : inner ? Relation::overlapping : Relation::touching;
}

void expect_relations_across_walls(const Place& place, int rounds) {
  Random random(1187);
  std::map<Relation, int> found;
  const double u = place.unit;
  const auto half = [&](int lo, int hi) { return 0.5 * random.integer(2 * lo, 2 * hi); };
  const auto somewhere = [&] { return Vec3{half(0, 6), half(0, 6), half(0, 6)}; };  // braces: in this order
  for (int round = 0; round < rounds; ++round) {
    const BoxesOnAGrid grid(random, place);
    const Vec3 p = place(somewhere()), q = place(somewhere()), one = u * random.grid(-1, 1);
    const double r = u * 0.5 * random.integer(1, 3);
    Vec3 along(0, 0, 0);
    along[random.integer(0, 2)] = u * 0.5 * random.integer(1, 3);
    const AnyShape shapes[] = {Sphere{p, r},
                               Capsule{p, q, r},
                               Capsule{p, p + one, r},
                               Cylinder{p, p + along, r},
                               Cone{p, p + along, r},
                               Ellipsoid{q, Vec3(r, u, 0.5 * u)},
                               Cylinder{p, p + along + 0.25 * one, 0.5 * u},
                               TruncatedCone{q, q + along, r, 0.25 * u}};
    for (const AnyShape& s : shapes) {
      const Relation truth = expected(s, grid);
      ASSERT_EQ(relation(s, *grid.solid), truth) << round << " " << type_name(ShapeRef(s).kind());
      ++found[truth];
    }
  }
  for (const Relation r : {Relation::disjoint, Relation::touching, Relation::overlapping, Relation::a_in_b}) EXPECT_GT(found[r], 0) << name_of(r);
}

TEST(ConvexRelation, ShapesAcrossWallsOnAGrid) { expect_relations_across_walls({}, test::rounds(250)); }

TEST(ConvexRelation, SmallShapesAcrossWallsFarAway) {
  expect_relations_across_walls({0x1p-20, Vec3(0x1p30, -0x1p30, 0x1p29)}, test::rounds(100));
  expect_relations_across_walls({0x1p-500, Vec3(0, 0, 0)}, test::rounds(60));
  expect_relations_across_walls({0x1p500, Vec3(0, 0, 0)}, test::rounds(60));
}

/// An ellipsoid that is nearly a ball lies as the ball does wherever balls a little smaller and larger lie alike. The walls are sheared, so that their lines
/// run in many directions, between points that are no doubles.
TEST(ConvexRelation, NearlyBallsAcrossShearedWallsFarAway) {
  const Place place{0x1p-20, Vec3(0x1p30, -0x1p30, 0x1p29)};
  const auto sheared = [](const Vec3& p) { return Vec3(p.x + p.y, p.y + p.z, p.z + 2 * p.x); };
  Random random(1223);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(150); ++round) {
    const BoxesOnAGrid grid(random);
    MeshData data;
    for (const Vec3& v : grid.solid->mesh().vertices()) data.vertices.push_back(place(sheared(v)));
    data.triangles.assign(grid.solid->mesh().triangles().begin(), grid.solid->mesh().triangles().end());
    const Solid solid{Mesh(std::move(data))};
    for (int k = 0; k < 10; ++k) {
      const Vec3 c = place(sheared(0.25 * random.grid(4, 20)));
      const double r = place.unit * 0.125 * random.integer(2, 12);
      const Relation least = relation(Sphere{c, r * (1 - 0x1p-30)}, solid), most = relation(Sphere{c, r * (1 + 0x1p-30)}, solid);
      if (least != most) continue;
      ASSERT_EQ(relation(Ellipsoid{c, Vec3(r, r, r * (1 + 0x1p-45))}, solid), least) << round << " " << k;
      ++found[least];
    }
  }
  for (const Relation r : {Relation::disjoint, Relation::overlapping, Relation::a_in_b}) EXPECT_GT(found[r], 0) << name_of(r);
}

/// Discs and ellipses in planes of the grid and halfway between: a thick one shares inner points with the columns of cells that the flat one crosses.
TEST(ConvexRelation, FlatShapesInPlanesOfTheGrid) {
  Random random(1201);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(400); ++round) {
    const BoxesOnAGrid grid(random);
    const int axis = random.integer(0, 2), height = random.integer(0, 12);  // of the plane, in halves
    Vec3 center{0.5 * random.integer(0, 12), 0.5 * random.integer(0, 12), 0.5 * random.integer(0, 12)}, normal(0, 0, 0),
        radii(0.5 * random.integer(1, 4), 1, 0);
    center[axis] = 0.5 * height;
    normal[axis] = 1;
    std::swap(radii[2], radii[axis]);
    Vec3 thick = radii;
    thick[axis] = 0.25;
    const double r = 0.5 * random.integer(1, 4);
    const std::pair<AnyShape, AnyShape> shapes[] = {
        {Ellipsoid{center, radii}, Ellipsoid{center, thick}},
        {TruncatedCone{center, center + 1e-14 * normal, r, 0.5 * r}, Cylinder{center - 0.25 * normal, center + 0.25 * normal, r}},
        {Ellipsoid{center, radii + normal * 1e-14}, Ellipsoid{center, thick}}};
    for (const auto& pair_of_shapes : shapes) {
      const AnyShape &flat = pair_of_shapes.first, &thickened = pair_of_shapes.second;
      bool leaves = false, inner = false;
      for_each_cell([&](const Vec3& c) {
        if (c[axis] != 0.5 * (height - height % 2)) return;
        if (!share_inner(thickened, {c - (height % 2 == 0 ? normal : Vec3(0, 0, 0)), c + Vec3(1, 1, 1)})) return;
        const bool above = grid.fills(c), below = height % 2 == 0 ? grid.fills(c - normal) : above;
        leaves = leaves || (!above && !below);
        inner = inner || (above && below);
      });
      const Relation truth = !intersects(flat, *grid.solid) ? Relation::disjoint
                             : !leaves                      ? Relation::a_in_b
                             : inner                        ? Relation::overlapping
                                                            : Relation::touching;
      ASSERT_EQ(relation(flat, *grid.solid), truth) << round;
      ++found[truth];
      if (&pair_of_shapes != &shapes[0]) continue;  // the others have a little volume
      // In a compound, which leaves the solid elsewhere.
      const Compound pair({{flat, {}}, {Sphere{Vec3(100, 0, 0), 1}, {}}});
      ASSERT_EQ(relation(pair, *grid.solid), truth == Relation::disjoint ? truth : inner ? Relation::overlapping : Relation::touching) << round;
    }
  }
  for (const Relation r : {Relation::disjoint, Relation::touching, Relation::overlapping, Relation::a_in_b}) EXPECT_GT(found[r], 0) << name_of(r);
}

/// Two boxes have triangles in one plane; an edge of one of these is a wall up to the top of the third box, and none beyond.
TEST(ConvexRelation, EdgesInOnePlaneAreCutByOtherTriangles) {
  const Box three[] = {{Vec3(0, 3, 1), Vec3(2, 5, 3)}, {Vec3(0, 3, 1), Vec3(1, 6, 3)}, {Vec3(0, 2, 1), Vec3(2, 4, 2)}};
  const Solid solid = test::joined_boxes(three);
  EXPECT_EQ(relation(Ellipsoid{Vec3(1, 3, 1.5), Vec3(1, 1, 0.5)}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(1, 3, 1.5), 0.5}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(1, 3, 1.5), 0.5 + 0x1p-50}, solid), Relation::overlapping);
}

TEST(ConvexRelation, Needles) {
  const Box two[] = {{Vec3(0, 0, 0), Vec3(2, 4, 4)}, {Vec3(2, 1, 1), Vec3(4, 3, 3)}};
  const Solid solid = test::joined_boxes(two);
  for (const double thin : {0.0, 1e-300, 1e-14}) {
    const auto needle = [&](const Vec3& c) { return Ellipsoid{c, Vec3(1, thin, 0)}; };
    EXPECT_EQ(relation(needle(Vec3(2, 2, 2)), solid), Relation::a_in_b) << thin;
    EXPECT_EQ(relation(needle(Vec3(2, 1, 2)), solid), Relation::a_in_b) << thin;  // along a face, then through the inside
    EXPECT_EQ(relation(needle(Vec3(2, 0.5, 2)), solid), Relation::overlapping) << thin;
    EXPECT_EQ(relation(needle(Vec3(3, 3, 3)), solid), Relation::a_in_b) << thin;  // along an edge
    EXPECT_EQ(relation(needle(Vec3(3.5, 3, 3)), solid), Relation::touching) << thin;
    EXPECT_EQ(relation(needle(Vec3(5, 2, 2)), solid), Relation::touching) << thin;
    EXPECT_EQ(relation(needle(Vec3(6, 2, 2)), solid), Relation::disjoint) << thin;
  }
}

}  // namespace
}  // namespace graze::convex_relation_test
