// Relations of solids made of unit cubes, counted on the cubes: faces on faces in any triangulation, overlapping shells, surfaces that cross themselves, walls
// and cavities; and solids with parts without volume.
#include "mesh/arrangement/body_relation.hpp"

#include <gtest/gtest.h>

#include <map>

#include "mesh/cubes.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::body_relation_test {
namespace {

using namespace cubes;

/// Counted on the cubes; b is moved by `shift`.
Relation counted(const Cubes& a, const Cubes& b, const std::array<int, 3>& shift) {
  bool meet = false, common = false, a_leaves = false, b_leaves = false;
  for (int x = -kSide; x < 2 * kSide; ++x)
    for (int y = -kSide; y < 2 * kSide; ++y)
      for (int z = -kSide; z < 2 * kSide; ++z) {
        const auto in_b = [&](int i, int j, int k) { return filled(b, i - shift[0], j - shift[1], k - shift[2]); };
        const bool of_a = filled(a, x, y, z), of_b = in_b(x, y, z);
        common |= of_a && of_b;
        a_leaves |= of_a && !of_b;
        b_leaves |= of_b && !of_a;
        for (int i = -1; i <= 1 && of_a; ++i)
          for (int j = -1; j <= 1; ++j)
            for (int k = -1; k <= 1; ++k) meet |= in_b(x + i, y + j, z + k);
      }
  if (!meet) return Relation::disjoint;
  if (!a_leaves) return b_leaves ? Relation::a_in_b : Relation::identical;
  if (!b_leaves) return Relation::b_in_a;
  return common ? Relation::overlapping : Relation::touching;
}

Relation relation_of_solids(const Mesh& a, const Mesh& b) { return relation_of_bodies({MeshView(a), true}, {MeshView(b), true}); }

Relation mirrored(Relation r) { return r == Relation::a_in_b ? Relation::b_in_a : r == Relation::b_in_a ? Relation::a_in_b : r; }

bool any(const Cubes& c) {
  return std::any_of(c.begin(), c.end(), [](bool b) { return b; });
}

/// The blocks as shells of one solid, and the cubes that they fill.
Mesh shells(const std::vector<Block>& blocks, bool fine, test::Random& random, Cubes& filled_cubes) {
  MeshData data;
  filled_cubes = {};
  for (const Block& b : blocks) {
    const Mesh m = block_mesh(b, fine, 1, random);
    MeshData shell;
    shell.vertices.assign(m.vertices().begin(), m.vertices().end());
    shell.triangles.assign(m.triangles().begin(), m.triangles().end());
    test::append(data, shell);
    for (int x = b.lo[0]; x < b.hi[0]; ++x)
      for (int y = b.lo[1]; y < b.hi[1]; ++y)
        for (int z = b.lo[2]; z < b.hi[2]; ++z) filled_cubes[static_cast<std::size_t>(place(x, y, z))] = true;
  }
  return Mesh(std::move(data));
}

/// Moved by whole numbers, then sheared by an integer matrix and stretched by powers of two, which rounds nothing.
Mesh sheared(const Mesh& mesh, const std::array<int, 3>& shift, int shear, const Vec3& stretch) {
  MeshData data;
  data.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  for (Vec3 p : mesh.vertices()) {
    p += Vec3(shift[0], shift[1], shift[2]);
    if (shear != 0) p = Vec3(p.x + shear * p.y, p.y - p.z, p.z + 2 * shear * p.x);
    data.vertices.push_back(p * stretch);
  }
  return Mesh(std::move(data));
}

TEST(BodyRelation, CubesInAnyTriangulation) {
  test::Random random(61);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(250); ++round) {
    Cubes a = random_cubes(random), b = random_cubes(random);
    std::array<int, 3> shift{};
    if (round % 3 == 0)
      for (int& x : shift) x = random.below(5) - 2;
    if (round % 4 == 1) b = a;
    if (round % 8 == 5) b[random.below(b.size())] ^= true;  // a cube more or less
    if (round % 7 == 2)
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = !a[i];
    Mesh of_a = cubes_mesh(a, random.below(4) == 0, 1, random), of_b = cubes_mesh(b, random.below(4) == 0, 1, random);
    if (round % 5 == 3) {  // shells that overlap or cross, two triangles a face or many
      std::vector<Block> blocks;
      const std::vector<Block> all = all_blocks(kSide);
      for (int k = 0; k < 3; ++k) blocks.push_back(all[random.below(all.size())]);
      of_a = shells(blocks, random.coin(), random, a);
      if (round % 2 == 0) {
        b = a;
        of_b = cubes_mesh(b, false, 1, random);
      }
    }
    if (!any(a) || !any(b)) continue;
    const int shear = random.below(3);
    constexpr double kSizes[] = {1, 0x1p-40, 0x1p-300, 0x1p300};
    const auto size = [&] { return round % 6 == 4 ? kSizes[random.below(4)] : 1; };
    const double x = size(), y = size(), z = size();
    of_a = sheared(of_a, {}, shear, Vec3(x, y, z));
    of_b = sheared(of_b, shift, shear, Vec3(x, y, z));
    const Relation truth = counted(a, b, shift);
    ++found[truth];
    ASSERT_EQ(name_of(relation_of_solids(of_a, of_b)), std::string(name_of(truth))) << round;
    ASSERT_EQ(name_of(relation_of_solids(of_b, of_a)), std::string(name_of(mirrored(truth)))) << round;
  }
  if (test::kSanitized) return;  // too few rounds to find all
  for (const Relation r : {Relation::disjoint, Relation::touching, Relation::overlapping, Relation::a_in_b, Relation::b_in_a, Relation::identical})
    EXPECT_GT(found[r], 1) << name_of(r);
}

/// Where shells cross, the void between them is bounded only by points where edges pierce faces or three faces meet.
TEST(BodyRelation, VoidsBetweenShellsThatCross) {
  Cubes none;
  test::Random random(62);
  const std::vector<Block> cage = {{{0, 0, 0}, {3, 3, 1}}, {{0, 0, 2}, {3, 3, 3}}, {{0, 0, 0}, {3, 1, 3}},
                                   {{0, 2, 0}, {3, 3, 3}}, {{0, 0, 0}, {1, 3, 3}}, {{2, 0, 0}, {3, 3, 3}}};
  const Mesh a = shells(cage, false, random, none), whole = Mesh(test::closed_box(Vec3(0, 0, 0), Vec3(3, 3, 3))),
             core = Mesh(test::closed_box(Vec3(1, 1, 1), Vec3(2, 2, 2))), seed = Mesh(test::closed_box(Vec3(1.25, 1.25, 1.25), Vec3(1.75, 1.75, 1.75))),
             large = Mesh(test::closed_box(Vec3(-1, -1, -1), Vec3(4, 4, 4)));
  EXPECT_EQ(relation_of_solids(a, whole), Relation::a_in_b);
  EXPECT_EQ(relation_of_solids(a, core), Relation::touching);
  EXPECT_EQ(relation_of_solids(a, seed), Relation::disjoint);
  EXPECT_EQ(relation_of_solids(a, large), Relation::a_in_b);
  // The cage taken out of a block: a point of one slab alone is in the void, one of two or three slabs is not, and so no corner of a slab shows the void.
  MeshData block = test::closed_box(Vec3(-9, -9, -9), Vec3(9, 9, 9)), hole;
  hole.vertices.assign(a.vertices().begin(), a.vertices().end());
  for (const auto& t : a.triangles()) hole.triangles.push_back({t[0], t[2], t[1]});
  test::append(block, hole);
  EXPECT_EQ(relation_of_solids(large, Mesh(std::move(block))), Relation::overlapping);
}

MeshData data_of(std::vector<Vec3> vertices, std::vector<TriangleIndices> triangles) {
  MeshData d;
  d.vertices = std::move(vertices);
  d.triangles = std::move(triangles);
  return d;
}
/// A triangle and its back.
MeshData sheet(const Vec3& a, const Vec3& b, const Vec3& c) { return data_of({a, b, c}, {{0, 1, 2}, {0, 2, 1}}); }
/// The same without area, from a to b.
MeshData needle(const Vec3& a, const Vec3& b) { return sheet(a, b, (a + b) * 0.5); }
Mesh with(MeshData data, const MeshData& more) {
  test::append(data, more);
  return Mesh(std::move(data));
}

MeshData with_box(MeshData data, const Vec3& lo, const Vec3& hi) {
  test::append(data, test::closed_box(lo, hi));
  return data;
}

TEST(BodyRelation, PartsWithoutVolume) {
  const MeshData box = test::closed_box(Vec3(0, 0, 0), Vec3(2, 2, 2)), away = test::closed_box(Vec3(5, 5, 5), Vec3(6, 6, 6));
  const auto relation = [&](const MeshData& a, const MeshData& b) { return name_of(relation_of_solids(Mesh(MeshData(a)), Mesh(MeshData(b)))); };
  const Vec3 in(0.5, 0.5, 1), in2(1.5, 0.5, 1), in3(0.5, 1.5, 1), out(0.5, 0.5, 3), face(0.5, 0.5, 2), face2(1.5, 0.5, 2), face3(0.5, 1.5, 2);
  EXPECT_STREQ(relation(sheet(in, in2, in3), box), "a_in_b");
  EXPECT_STREQ(relation(sheet(face, face2, face3), box), "a_in_b");
  EXPECT_STREQ(relation(sheet(in, in2, out), box), "overlapping");
  EXPECT_STREQ(relation(sheet(face, face2, out), box), "touching");
  EXPECT_STREQ(relation(needle(in, in2), box), "a_in_b");
  EXPECT_STREQ(relation(box, needle(face, face2)), "b_in_a");
  EXPECT_STREQ(relation(needle(in, out), box), "overlapping");
  EXPECT_STREQ(relation(needle(face, out), box), "touching");
  EXPECT_STREQ(relation(needle(face, face2), sheet(face, face2, face3)), "a_in_b");
  EXPECT_STREQ(relation(needle(face, face2), needle(face2, face)), "identical");
  EXPECT_STREQ(relation(needle(face, face2), needle(face, (face + face2) * 0.5)), "b_in_a");
  EXPECT_STREQ(relation(sheet(in, in2, in3), sheet(in3, in2, in)), "identical");
  EXPECT_STREQ(relation(sheet(in, in2, in3), sheet(face, face2, face3)), "disjoint");
  // from one box to another, with no corner in the gap
  EXPECT_STREQ(relation(data_of({Vec3(2, 1, 1), Vec3(4, 1, 1)}, {{0, 1, 1}}), with_box(box, Vec3(4, 0, 0), Vec3(6, 2, 2))), "touching");
  EXPECT_STREQ(relation(data_of({Vec3(2, 1, 1), Vec3(4, 1, 1)}, {{0, 1, 1}}), with_box(box, Vec3(2, 0, 0), Vec3(6, 2, 2))), "a_in_b");
  const Mesh whiskers = with(box, needle(face, out)), plain = Mesh(MeshData(box)), both = with(box, away);
  EXPECT_EQ(relation_of_solids(whiskers, plain), Relation::b_in_a);
  EXPECT_EQ(relation_of_solids(whiskers, whiskers), Relation::identical);
  EXPECT_EQ(relation_of_solids(whiskers, both), Relation::overlapping);
  EXPECT_EQ(relation_of_solids(plain, both), Relation::a_in_b);
  EXPECT_EQ(relation_of_solids(Mesh(MeshData{}), plain), Relation::disjoint);
}

TEST(BodyRelation, CavitiesAndInwardShells) {
  const auto turned = [](MeshData d) {
    for (auto& t : d.triangles) std::swap(t[1], t[2]);
    return d;
  };
  MeshData hollow = test::closed_box(Vec3(0, 0, 0), Vec3(3, 3, 3));
  test::append(hollow, turned(test::closed_box(Vec3(1, 1, 1), Vec3(2, 2, 2))));
  const Mesh a(std::move(hollow)), fit(test::closed_box(Vec3(1, 1, 1), Vec3(2, 2, 2))), loose(test::closed_box(Vec3(1.25, 1.25, 1.25), Vec3(1.5, 1.5, 1.5))),
      big(test::closed_box(Vec3(0.5, 0.5, 0.5), Vec3(2.5, 2.5, 2.5))), inward(turned(test::closed_box(Vec3(0, 0, 0), Vec3(3, 3, 3))));
  EXPECT_EQ(relation_of_solids(a, fit), Relation::touching);
  EXPECT_EQ(relation_of_solids(a, loose), Relation::disjoint);
  EXPECT_EQ(relation_of_solids(a, big), Relation::overlapping);
  EXPECT_EQ(relation_of_solids(a, inward), Relation::a_in_b);  // the solid of an inward box is the box
  EXPECT_EQ(relation_of_solids(inward, Mesh(test::closed_box(Vec3(0, 0, 0), Vec3(3, 3, 3)))), Relation::identical);
}

/// A vertex of one solid inside a face of the other, with its edges on both sides of the face.
TEST(BodyRelation, FacesThatCrossAtACorner) {
  const Mesh a(data_of({{0, 0, 0}, {-1, -1, 1}, {1, -1, 1}, {0, 1, -1}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}})),
      slab(test::closed_box(Vec3(-3, -3, -3), Vec3(3, 3, 0)));
  (void)Solid(a);
  EXPECT_EQ(relation_of_solids(a, slab), Relation::overlapping);
}

/// Two needles of A end in one edge, where an edge of B lies as well: one needle is inside B, the other outside. What one says is not what the other would say,
/// though both have two triangles at the edge.
TEST(BodyRelation, NeedlesJoinedByAnEdgeAlone) {
  MeshData a, b;
  const auto corners = [](MeshData& m, const Vec3& at, const Vec3& p, const Vec3& q) {
    for (const Vec3& v : {p, q, Vec3(0, 0, 0), Vec3(0, 0, 16)}) m.vertices.push_back(at + v);
  };
  static constexpr std::uint32_t face[4][3] = {{0, 3, 2}, {1, 2, 3}, {0, 2, 1}, {0, 1, 3}};  // counter-clockwise around the last two corners: p, then q
  const auto add_face = [](MeshData& m, std::uint32_t first, int k) { m.triangles.push_back({first + face[k][0], first + face[k][1], first + face[k][2]}); };
  const Vec3 far(500, 0, 0);  // others touch there, and come first
  corners(a, far, Vec3(16, 0, 8), Vec3(8, 14, 8));
  corners(b, far - Vec3(0, 0, 16), Vec3(-8, -14, 8), Vec3(-4, -14, 8));
  for (int k = 0; k < 4; ++k) add_face(a, 0, k), add_face(b, 0, k);
  corners(a, Vec3(0, 0, 0), Vec3(16, 6, 8), Vec3(8, 14, 8));
  corners(a, Vec3(0, 0, 0), Vec3(-3, 17, 8), Vec3(-4, 16, 8));
  corners(b, Vec3(0, 0, 0), Vec3(0, 200, 8), Vec3(-160, -130, 8));
  for (int k = 0; k < 4; ++k) add_face(a, 4, k), add_face(a, 8, k), add_face(b, 4, k);
  EXPECT_EQ(relation_of_solids(Mesh(a), Mesh(b)), Relation::overlapping);
  a.triangles.resize(4);  // without the needle inside
  for (int k = 0; k < 4; ++k) add_face(a, 4, k);
  EXPECT_EQ(relation_of_solids(Mesh(a), Mesh(b)), Relation::touching);
}

/// Flaps, which are triangles there and back: B has one of the two that A has, and only the other shows that A leaves B.
TEST(BodyRelation, FlapsOfWhichOneIsCommon) {
  const auto add_flap = [](MeshData& m, const Vec3& p, const Vec3& q, const Vec3& r) {
    const auto n = static_cast<std::uint32_t>(m.vertices.size());
    for (const Vec3& v : {p, q, r}) m.vertices.push_back(v);
    m.triangles.push_back({n, n + 1, n + 2});
    m.triangles.push_back({n, n + 2, n + 1});
  };
  MeshData a = test::closed_box(Vec3(9, -1, -1), Vec3(10, 0, 0)), b = test::closed_box(Vec3(8, -2, -2), Vec3(10, 0, 0));  // in B, and touches it first
  test::append(b, test::closed_box(Vec3(-3, -3, -3), Vec3(-2, -2, -2)));
  test::append(b, test::closed_box(Vec3(20, 2, 2), Vec3(21, 3, 3)));
  for (MeshData* m : {&a, &b}) add_flap(*m, Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0));
  EXPECT_EQ(relation_of_solids(Mesh(a), Mesh(b)), Relation::a_in_b);
  add_flap(a, Vec3(1, 1, 0), Vec3(0, 1, 0), Vec3(1, 0, 0));
  EXPECT_EQ(relation_of_solids(Mesh(a), Mesh(b)), Relation::overlapping);
}

}  // namespace
}  // namespace graze::body_relation_test
