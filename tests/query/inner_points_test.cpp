// Solids that share planes, coincide, stand on or fill each other have a depth exactly if they share a unit cube. The shapes consist of unit cubes; their
// surfaces are triangulated in several styles.
#include "query/inner_points.hpp"

#include <gtest/gtest.h>
#include <graze/query.hpp>

#include <array>
#include <cmath>
#include <cstdlib>

#include "mesh/cubes.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::inner_points_test {
namespace {

using namespace cubes;

Relation relation(const Cubes& a, const Cubes& b) {
  bool meet = false;
  for (int x = 0; x < kSide; ++x)
    for (int y = 0; y < kSide; ++y)
      for (int z = 0; z < kSide; ++z) {
        if (!filled(a, x, y, z)) continue;
        if (filled(b, x, y, z)) return Relation::overlapping;
        for (int i = -1; i <= 1; ++i)
          for (int j = -1; j <= 1; ++j)
            for (int k = -1; k <= 1; ++k) meet = meet || filled(b, x + i, y + j, z + k);
      }
  return meet ? Relation::touching : Relation::disjoint;
}

template <class A, class B>
void expect(Relation truth, const A& a, const B& b) {
  const PenetrationResult p = penetration(a, b);
  ASSERT_EQ(p.value.has_value(), truth == Relation::overlapping) << static_cast<int>(p.reason);
  if (truth != Relation::overlapping) {
    ASSERT_EQ(p.reason, truth == Relation::touching ? NoPenetration::touching : NoPenetration::apart);
    return;
  }
  ASSERT_GT(p.value->depth, 0);
  const Relation cleared = graze::relation(at(a, translation(p.value->vector)), b);
  ASSERT_TRUE(cleared == Relation::disjoint || cleared == Relation::touching) << name_of(cleared);
}

Relation relation(const Block& a, const Block& b) { return a.overlaps(b) ? Relation::overlapping : a.meets(b) ? Relation::touching : Relation::disjoint; }

TEST(InnerPoints, AllPairsOfBlocks) {
  test::Random random(1);
  const std::vector<Block> blocks = all_blocks(3);
  ASSERT_EQ(blocks.size(), 216u);
  constexpr double kScales[] = {1, 3, 0.1, 0x1.7p-300, 7e120};
  const std::size_t step = std::getenv("GRAZE_FULL_TESTS") ? 1 : 59;
  std::size_t overlapping = 0, pairs = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t j = i; j < blocks.size(); j += i == j ? 1 : 1 + random.below(step)) {
      const Block &a = blocks[i], &b = blocks[j];
      const double s = kScales[random.below(std::size(kScales))];
      const Solid solid_a(block_mesh(a, random.coin(), s, random)), solid_b(block_mesh(b, random.coin(), s, random));
      const Box box{{s * b.lo[0], s * b.lo[1], s * b.lo[2]}, {s * b.hi[0], s * b.hi[1], s * b.hi[2]}};
      const Relation truth = relation(a, b);
      overlapping += truth == Relation::overlapping;
      ++pairs;
      expect(truth, solid_a, solid_b);
      expect(truth, solid_b, solid_a);
      expect(truth, solid_a, box);
      expect(truth, box, solid_a);
      if (HasFatalFailure()) {
        ADD_FAILURE() << "blocks " << i << " and " << j << ", scale " << s;
        return;
      }
    }
  EXPECT_GT(overlapping, pairs / 5);
}

TEST(InnerPoints, IdenticalSolids) {
  test::Random random(2);
  for (const Block& b : all_blocks(3)) {
    const Solid solid(block_mesh(b, random.coin(), 1, random));
    const PenetrationResult p = penetration(solid, solid);
    ASSERT_TRUE(p.value);
    const int least = std::min({b.hi[0] - b.lo[0], b.hi[1] - b.lo[1], b.hi[2] - b.lo[2]});
    EXPECT_NEAR(p.value->depth, least, 1e-9);
  }
}

TEST(InnerPoints, ShapesOfCubesWithCavitiesAndWalls) {
  test::Random random(3);
  constexpr double kScales[] = {1, 5, 0.3, 0x1.3p-200, 1e100};
  std::size_t count[3] = {0, 0, 0};
  for (int i = 0; i < test::rounds(std::getenv("GRAZE_FULL_TESTS") ? 6000 : 120); ++i) {
    Cubes a = random_cubes(random), b = random_cubes(random);
    if (i % 4 == 0)  // b fills the free space of a, or a part of it, so they do not overlap
      for (std::size_t k = 0; k < b.size(); ++k) b[k] = !a[k] && (i % 8 == 0 || b[k]);
    if (std::none_of(a.begin(), a.end(), [](bool x) { return x; }) || std::none_of(b.begin(), b.end(), [](bool x) { return x; })) continue;
    const double s = kScales[random.below(std::size(kScales))];
    const Solid solid_a(cubes_mesh(a, random.coin(), s, random)), solid_b(cubes_mesh(b, random.coin(), s, random));
    const Relation truth = relation(a, b);
    ++count[static_cast<int>(truth)];
    expect(truth, solid_a, solid_b);
    const Axis axis = static_cast<Axis>(random.below(3));
    Pose turn = Pose::quarter_turn(axis, 1 + random.below(3));  // exact, as is the translation
    turn.translation = Vec3(8, -4, 16);
    if (truth != Relation::overlapping && s == 1) {
      EXPECT_EQ(penetration(at(solid_a, turn), at(solid_b, turn)).reason, truth == Relation::touching ? NoPenetration::touching : NoPenetration::apart);
    } else if (s == 1) {
      EXPECT_TRUE(penetration(at(solid_a, turn), at(solid_b, turn)).value);
    }
    if (HasFailure()) {
      ADD_FAILURE() << "round " << i;
      return;
    }
  }
  for (const std::size_t n : count) EXPECT_GT(n, static_cast<std::size_t>(test::rounds(24) / 8));
}

Solid cube_solid(const Block& b, double scale = 1) {
  test::Random random(4);
  return Solid(block_mesh(b, false, scale, random));
}

TEST(InnerPoints, ShapesWithoutVolume) {
  const Solid fine = [] {
    test::Random random(5);
    return Solid(block_mesh({{0, 0, 0}, {2, 2, 2}}, true, 1, random));  // with edges in the planes x = 1, y = 1, z = 1
  }();
  // A plane, flat box or triangle in one of these planes only touches the triangles, but lies inside.
  const auto depth = [&](ShapeRef s) { return penetration(s, fine); };
  EXPECT_TRUE(depth(Plane{{0, 0, 1}, {0, 0, 1}}).value);
  EXPECT_TRUE(depth(Box{{-1, -1, 1}, {3, 3, 1}}).value);
  EXPECT_TRUE(depth(Triangle{{{{-9, -9, 1}, {19, -9, 1}, {-9, 19, 1}}}}).value);
  EXPECT_TRUE(depth(Triangle{{{{0, 0, 1}, {2, 0, 1}, {0, 2, 1}}}}).value);
  EXPECT_TRUE(depth(Segment{{-1, 1, 1}, {3, 1, 1}}).value);
  EXPECT_TRUE(depth(Segment{{0, 1, 1}, {2, 1, 1}}).value);
  EXPECT_TRUE(depth(Ray{{0, 1, 1}, {3, 0, 0}}).value);
  EXPECT_TRUE(depth(Line{{7, 1, 1}, {3, 0, 0}}).value);
  EXPECT_TRUE(depth(Line{{-1, -1, -1}, {1, 1, 1}}).value);
  EXPECT_TRUE(depth(Point{{1, 1, 1}}).value);
  const auto touches = [&](ShapeRef s) { return depth(s).reason == NoPenetration::touching; };
  EXPECT_TRUE(touches(Plane{{0, 0, 2}, {0, 0, 1}}));
  EXPECT_TRUE(touches(Box{{-1, -1, 2}, {3, 3, 2}}));
  EXPECT_TRUE(touches(Triangle{{{{-9, -9, 2}, {19, -9, 2}, {-9, 19, 2}}}}));
  EXPECT_TRUE(touches(Segment{{-1, 1, 2}, {3, 1, 2}}));
  EXPECT_TRUE(touches(Segment{{0, 0, 1}, {0, 2, 1}}));
  EXPECT_TRUE(touches(Ray{{0, 0, 0}, {-1, -2, -3}}));
  EXPECT_TRUE(touches(Line{{0, 0, 0}, {1, -1, 0}}));
  EXPECT_TRUE(touches(Point{{0, 1, 1}}));
  EXPECT_TRUE(touches(Box{{-1, -1, -1}, {0, 0, 0}}));
  EXPECT_TRUE(touches(Sphere{{1, 1, 3}, 1}));
  EXPECT_TRUE(touches(HalfSpace{{0, 0, 2}, {0, 0, -1}}));
  EXPECT_TRUE(touches(Cylinder{{1, 1, 2}, {1, 1, 4}, 1}));
  EXPECT_TRUE(touches(Cylinder{{1, 1, 2}, {1, 1, 2}, 0.5}));
  EXPECT_TRUE(touches(Capsule{{1, 1, 3}, {9, 9, 9}, 1}));
  // The wall between two cells of one solid is inside.
  MeshData walls;
  for (const Block& b : {Block{{0, 0, 0}, {1, 1, 1}}, Block{{1, 0, 0}, {2, 1, 1}}}) {
    const Solid cell = cube_solid(b);
    const auto n = static_cast<std::uint32_t>(walls.vertices.size());
    for (const Vec3& v : cell.mesh().vertices()) walls.vertices.push_back(v);
    for (const TriangleIndices& t : cell.mesh().triangles()) walls.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  const Solid cells{Mesh(walls)};
  EXPECT_TRUE(penetration(Point{{1, 0.5, 0.25}}, cells).value);
  EXPECT_EQ(penetration(Point{{1, 1, 0.25}}, cells).reason, NoPenetration::touching);
  EXPECT_TRUE(penetration(Triangle{{{{1, 0.25, 0.25}, {1, 0.75, 0.25}, {1, 0.25, 0.75}}}}, cells).value);
}

TEST(InnerPoints, BoxesInsideAndAround) {
  const Solid cube = cube_solid({{0, 0, 0}, {2, 2, 2}});
  for (const Box& b : {Box{{0, 0, 0}, {2, 2, 2}}, Box{{0, 0, 0}, {1, 1, 1}}, Box{{0, 0, 0}, {2, 2, 0.5}}, Box{{-1, 0, 0}, {3, 2, 2}},
                       Box{{0.5, 0, 0}, {1.5, 2, 2}}, Box{{0, 0, 0}, {4, 4, 4}}}) {
    const PenetrationResult p = penetration(b, cube);
    ASSERT_TRUE(p.value);
    EXPECT_FALSE(intersects(at(b, translation(p.value->vector)), cube));
    EXPECT_TRUE(penetration(at(cube, Pose{}), b).value);
  }
  const OrientedBox same{{1, 1, 1}, {Vec3(0.25, 0, 0), Vec3(0, 0, -3), Vec3(0, 1, 0)}, {4, 1.0 / 3, 1}};  // 3 * (1/3) rounds to 1, but is less: strictly inside
  EXPECT_TRUE(penetration(same, cube).value);
}

TEST(InnerPoints, SurfacesAreNoSolids) {
  // Meshes: a box in the corner of a room only touches it; so do two sheets that cross in a common edge, as surfaces have no inner points.
  test::Random random(6);
  Cubes room{}, post{};
  for (int k = 0; k < kSide; ++k)
    for (int l = 0; l < kSide; ++l)
      for (const int wall : {place(k, l, 0), place(k, 0, l), place(0, k, l)}) room[static_cast<std::size_t>(wall)] = true;
  post[static_cast<std::size_t>(place(1, 1, 1))] = true;
  EXPECT_EQ(penetration(cubes_mesh(room, false, 1, random), cubes_mesh(post, false, 1, random)).reason, NoPenetration::touching);
  EXPECT_EQ(penetration(cubes_mesh(room, false, 1, random), Box{{1, 1, 1}, {2, 3, 4}}).reason, NoPenetration::touching);
  MeshData sheet;
  sheet.vertices = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  sheet.triangles = {{0, 1, 2}, {1, 0, 3}};
  const Mesh flat(sheet);
  for (Vec3& v : sheet.vertices) std::swap(v.y, v.z);
  const Mesh upright(sheet);
  EXPECT_EQ(penetration(flat, upright).reason, NoPenetration::touching);
  EXPECT_EQ(penetration(upright, flat).reason, NoPenetration::touching);
  EXPECT_EQ(penetration(flat, at(upright, translation({0, 0, 1}))).reason, NoPenetration::touching);
  // A surface within a solid's common planes.
  EXPECT_TRUE(penetration(flat, Solid(block_mesh({{-1, -1, -1}, {1, 1, 1}}, true, 1, random))).value);
  EXPECT_EQ(penetration(at(flat, translation({0, 0, 1})), Solid(block_mesh({{-1, -1, -1}, {1, 1, 1}}, true, 1, random))).reason, NoPenetration::touching);
}

}  // namespace
}  // namespace graze::inner_points_test
