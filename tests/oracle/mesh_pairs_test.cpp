// Lists of intersecting triangles against brute force with CGAL's exact kernel (and rationals for triangles without area), pruned by a sweep over exact boxes;
// self-intersections against brute force and known counts.
#include <gtest/gtest.h>

#include "oracle/models.hpp"
#include "support/rational_oracle.hpp"
#if __has_include(<CGAL/Exact_predicates_inexact_constructions_kernel.h>)
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

#include "support/random.hpp"
#define GRAZE_CGAL 1
#endif

namespace graze::test {
namespace {

using Corners = std::array<Vec3, 3>;

bool degenerate(const Corners& t) {
  const auto n = cross(exact(t[1]) - exact(t[0]), exact(t[2]) - exact(t[0]));
  return n[0] == 0 && n[1] == 0 && n[2] == 0;
}

bool meet_by_rationals(const Corners& a, const Corners& b) {
  return hulls_meet({exact(a[0]), exact(a[1]), exact(a[2])}, {exact(b[0]), exact(b[1]), exact(b[2])});
}

#if GRAZE_CGAL
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
Kernel::Point_3 cgal(const Vec3& p) { return {p.x, p.y, p.z}; }
Kernel::Triangle_3 cgal(const Corners& t) { return {cgal(t[0]), cgal(t[1]), cgal(t[2])}; }
/// Requires that both have area.
bool meet(const Corners& a, const Corners& b) { return CGAL::do_intersect(cgal(a), cgal(b)); }
bool meets_segment(const Corners& t, const Vec3& p, const Vec3& q) { return CGAL::do_intersect(cgal(t), Kernel::Segment_3(cgal(p), cgal(q))); }
bool coplanar(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return CGAL::coplanar(cgal(a), cgal(b), cgal(c), cgal(d)); }
/// For coplanar points: whether c and d are strictly on the same side of the line a b.
bool same_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return CGAL::coplanar_orientation(cgal(a), cgal(b), cgal(c), cgal(d)) == CGAL::POSITIVE;
}
#else
bool meet(const Corners& a, const Corners& b) { return meet_by_rationals(a, b); }
bool meets_segment(const Corners& t, const Vec3& p, const Vec3& q) { return hulls_meet({exact(t[0]), exact(t[1]), exact(t[2])}, {exact(p), exact(q)}); }
bool coplanar(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(exact(b) - exact(a), exact(c) - exact(a)), exact(d) - exact(a)) == 0;
}
bool same_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(exact(b) - exact(a), exact(c) - exact(a)), cross(exact(b) - exact(a), exact(d) - exact(a))) > 0;
}
#endif

/// The placed triangles with their exact boxes.
struct Soup {
  std::vector<Corners> triangles;
  std::vector<bool> flat;
  std::vector<Vec3> lo, hi;
  std::vector<std::uint32_t> by_x;  ///< ascending in lo.x

  Soup(const MeshData& d, const Pose& pose) {
    for (const auto& t : d.triangles) {
      Corners c;
      for (std::size_t i = 0; i < 3; ++i) c[i] = pose.apply(d.vertices[t[i]]);
      Vec3 l = c[0], h = c[0];
      for (const Vec3& p : c)
        for (int i = 0; i < 3; ++i) l[i] = std::min(l[i], p[i]), h[i] = std::max(h[i], p[i]);
      triangles.push_back(c);
      flat.push_back(degenerate(c));
      lo.push_back(l);
      hi.push_back(h);
    }
    for (std::uint32_t i = 0; i < triangles.size(); ++i) by_x.push_back(i);
    std::sort(by_x.begin(), by_x.end(), [&](std::uint32_t i, std::uint32_t j) { return lo[i].x < lo[j].x; });
  }
};

/// f(i, j) for all pairs of overlapping closed boxes.
template <class F>
void sweep_boxes(const Soup& a, const Soup& b, const F& f) {
  const auto test = [&](std::uint32_t i, std::uint32_t j) {
    if (a.lo[i].y <= b.hi[j].y && b.lo[j].y <= a.hi[i].y && a.lo[i].z <= b.hi[j].z && b.lo[j].z <= a.hi[i].z) f(i, j);
  };
  std::size_t p = 0, q = 0;
  while (p < a.by_x.size() || q < b.by_x.size()) {
    const bool first = q == b.by_x.size() || (p < a.by_x.size() && a.lo[a.by_x[p]].x <= b.lo[b.by_x[q]].x);
    if (first) {  // all boxes of b that start within the extent of this one
      const std::uint32_t i = a.by_x[p++];
      for (std::size_t k = q; k < b.by_x.size() && b.lo[b.by_x[k]].x <= a.hi[i].x; ++k) test(i, b.by_x[k]);
    } else {
      const std::uint32_t j = b.by_x[q++];
      for (std::size_t k = p; k < a.by_x.size() && a.lo[a.by_x[k]].x <= b.hi[j].x; ++k) test(a.by_x[k], j);
    }
  }
}

std::vector<TrianglePair> brute_force(const Soup& a, const Soup& b) {
  std::vector<TrianglePair> pairs;
  sweep_boxes(a, b, [&](std::uint32_t i, std::uint32_t j) {
    if (a.flat[i] || b.flat[j] ? meet_by_rationals(a.triangles[i], b.triangles[j]) : meet(a.triangles[i], b.triangles[j])) pairs.push_back({i, j});
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::string told(const Soup& a, const Soup& b, const TrianglePair& p) {
  std::string all = "triangles " + std::to_string(p.a) + " and " + std::to_string(p.b) + ":";
  char buffer[100];
  for (const Corners* t : {&a.triangles[p.a], &b.triangles[p.b]})
    for (const Vec3& v : *t) std::snprintf(buffer, sizeof buffer, " [%.17g,%.17g,%.17g]", v.x, v.y, v.z), all += buffer;
  return all;
}

void expect_equal(const std::vector<TrianglePair>& found, const std::vector<TrianglePair>& truth, const Soup& a, const Soup& b, const std::string& what) {
  std::vector<TrianglePair> missing, extra;
  std::set_difference(truth.begin(), truth.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), truth.begin(), truth.end(), std::back_inserter(extra));
  EXPECT_TRUE(missing.empty()) << what << ": " << missing.size() << " missing of " << truth.size() << ", the first " << told(a, b, missing[0]);
  EXPECT_TRUE(extra.empty()) << what << ": " << extra.size() << " too many, the first " << told(a, b, extra[0]);
  EXPECT_EQ(found.size(), truth.size()) << what;
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end())) << what;
}

std::size_t compare(const MeshData& da, const Pose& pa, const MeshData& db, const Pose& pb, const std::string& what) {
  const Soup a(da, pa), b(db, pb);
  const Mesh ma(da), mb(db);
  const auto truth = brute_force(a, b);
  expect_equal(intersecting_triangles(at(ma, pa), at(mb, pb)), truth, a, b, what);
  EXPECT_EQ(intersects(at(ma, pa), at(mb, pb)), !truth.empty()) << what;
  EXPECT_EQ(intersects(at(mb, pb), at(ma, pa)), !truth.empty()) << what;
  return truth.size();
}

Box box_of(const MeshData& d) { return bounding_box(Mesh(d)); }

/// Generic, touching, coplanar and self poses of a model with itself; `step`: a power of two to snap to.
void compare_poses(const MeshData& d, double step, const std::string& name) {
  const Box box = box_of(d);
  const Vec3 size = box.max - box.min;
  const Pose turned = Pose::from_quaternion(1, 0.3, -0.2, 0.1);
  Vec3 back = box.min + 0.5 * size - turned.apply(box.min + 0.5 * size);  // about the model's centre
  EXPECT_GT(compare(d, Pose{}, d, Pose::from_quaternion(1, 0.3, -0.2, 0.1, back), name + " turned"), 0u);
  EXPECT_GT(compare(d, turned, d, Pose::from_quaternion(1, 0.3, -0.2, 0.1, 0.01 * size), name + " turned, one shifted a little"), 0u);
  const MeshData s = snapped(d, step);
  const Box exact_box = box_of(s);
  const Vec3 extent = exact_box.max - exact_box.min;
  EXPECT_GT(compare(s, Pose{}, s, Pose{}, name + " on itself"), s.triangles.size() - 1);
  for (int axis = 0; axis < 3; ++axis) {
    if (extent[axis] == 0) continue;
    Vec3 shift(0, 0, 0);
    shift[axis] = extent[axis];  // the lowest face or vertex of one level with the highest of the other
    compare(s, Pose{}, s, translation(shift), name + " shifted by its extent");
    shift[axis] = 64 * step;
    compare(s, Pose{}, s, translation(shift), name + " shifted along an axis");
    const std::size_t most = axis == 0 ? 2 : 1;
    for (std::size_t n = 1; n <= most; ++n) compare(s, Pose{}, s, Pose::quarter_turn(static_cast<Axis>(axis), static_cast<int>(n)), name + " by quarter turns");
  }
  // the vertex of highest x on the one of lowest x, exactly
  Vec3 highest = s.vertices[s.triangles[0][0]], lowest = highest;
  for (const auto& t : s.triangles)
    for (const std::uint32_t v : t) {
      if (s.vertices[v].x > highest.x) highest = s.vertices[v];
      if (s.vertices[v].x < lowest.x) lowest = s.vertices[v];
    }
  EXPECT_GT(compare(s, Pose{}, s, translation(highest - lowest), name + " vertex on vertex"), 0u);
  Vec3 beyond = highest - lowest;
  beyond.x += step;
  EXPECT_EQ(compare(s, Pose{}, s, translation(beyond), name + " a step beyond"), 0u);
}

TEST(MeshPairs, MadeModels) {
  compare_poses(cube({-4, -4, -4}, {4, 4, 4}), 1, "cube");
  compare_poses(square_torus(3, 2), 1, "torus");
  const MeshData plane = grid_plane(12, 0), box = cube({0, 0, 0}, {6, 6, 6});
  compare(plane, Pose{}, plane, Pose{}, "plane on itself");
  compare(plane, Pose{}, plane, translation({3, 5, 0}), "plane shifted in itself");
  compare(plane, Pose{}, plane, translation({0.5, 0.25, 0}), "plane shifted by fractions in itself");
  compare(plane, Pose{}, plane, Pose::quarter_turn(Axis::x, 1, {0, 6, -3}), "plane across");
  compare(plane, Pose{}, box, Pose{}, "box on a plane");
  compare(plane, Pose{}, box, Pose::quarter_turn(Axis::z, 1, {8, 1, -6}), "box under a plane");
}

TEST(MeshPairs, LatticesWithTrianglesWithoutArea) {
  Random r(51);
  for (int i = 0; i < 12; ++i) {
    const MeshData a = lattice(r, 40, 2 + i % 2), b = lattice(r, 40, 2);
    compare(a, Pose{}, b, Pose::quarter_turn(static_cast<Axis>(i % 3), i, r.grid(-1, 1)), "lattice " + std::to_string(i));
    compare(a, Pose::from_quaternion(1, 1, 1, 1), b, translation({0.5, 0, 0.25}), "turned lattice " + std::to_string(i));
  }
}

struct Named {
  const char* name;
  double step;
  bool full;
};

TEST(MeshPairs, SharedModels) {
  bool any = false;
  for (const Named& n : {Named{"cow.obj", 0x1p-7, false}, Named{"fandisk.obj", 0x1p-8, false}, Named{"teapot.obj", 0x1p-7, false},
                         Named{"stanford-bunny.obj", 0x1p-13, true}, Named{"nefertiti.obj", 0x1p-2, true}}) {
    if (n.full && !full_tests()) continue;
    if (const auto d = shared_model(n.name)) {
      any = true;
      compare_poses(*d, n.step, n.name);
    }
  }
  if (!any) GTEST_SKIP() << "no shared models";
}

TEST(MeshPairs, SharedModelsWithEachOther) {
  const auto cow = shared_model("cow.obj"), teapot = shared_model("teapot.obj"), fandisk = shared_model("fandisk.obj");
  if (!cow || !teapot || !fandisk) GTEST_SKIP() << "no shared models";
  EXPECT_GT(compare(*cow, Pose{}, *teapot, Pose::from_quaternion(1, 0.1, 0.2, 0.3), "cow and teapot"), 0u);
  compare(*fandisk, Pose{}, *teapot, translation({0.1, 0.2, 0.3}), "fandisk and teapot");
  compare(*cow, translation({1e6, 1e6, -1e6}), *fandisk, translation({1e6 + 0.5, 1e6, -1e6}), "far away");
}

// ---- self-intersections ----------------------------------------------------------------------------------------------------------------

std::vector<TrianglePair> self_by_brute_force(const Soup& s) {
  std::vector<TrianglePair> pairs;
  sweep_boxes(s, s, [&](std::uint32_t i, std::uint32_t j) {
    if (i >= j) return;
    const Corners &a = s.triangles[i], &b = s.triangles[j];
    std::vector<std::size_t> in_a, in_b;
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t q = 0; q < 3; ++q)
        if (a[p] == b[q]) in_a.push_back(p), in_b.push_back(q);
    bool counts = false;
    if (s.flat[i] || s.flat[j]) {  // whether all extreme points of the intersection lie in the hull of the shared corners (a point or an edge)
      const auto common = common_points({exact(a[0]), exact(a[1]), exact(a[2])}, {exact(b[0]), exact(b[1]), exact(b[2])});
      std::vector<QVec> shared;
      for (const std::size_t p : in_a) shared.push_back(exact(a[p]));
      for (const QVec& x : common) counts = counts || shared.empty() || !hulls_meet({x}, shared);
    } else if (in_a.size() == 3) {
      counts = true;
    } else if (in_a.size() == 2) {
      const std::size_t p = 3 - in_a[0] - in_a[1], q = 3 - in_b[0] - in_b[1];
      counts = coplanar(a[in_a[0]], a[in_a[1]], a[p], b[q]) && same_side(a[in_a[0]], a[in_a[1]], a[p], b[q]);
    } else if (in_a.size() == 1) {
      const std::size_t p = in_a[0], q = in_b[0];
      counts = meets_segment(b, a[(p + 1) % 3], a[(p + 2) % 3]) || meets_segment(a, b[(q + 1) % 3], b[(q + 2) % 3]);
    } else {
      counts = meet(a, b);
    }
    if (counts) pairs.push_back({i, j});
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void compare_self(const MeshData& d, const Pose& pose, const std::string& what, std::optional<std::size_t> known = std::nullopt) {
  const Soup s(d, pose);
  const Mesh mesh(d);
  const auto found = self_intersections(at(mesh, pose));
  expect_equal(found, self_by_brute_force(s), s, s, what);
  EXPECT_EQ(found.size(), known.value_or(found.size())) << what;
}

TEST(SelfIntersections, MadeModels) {
  compare_self(cube({0, 0, 0}, {1, 1, 1}), Pose{}, "cube", 0);
  compare_self(square_torus(3, 2), Pose{}, "torus", 0);
  compare_self(grid_plane(9, 1), Pose::quarter_turn(Axis::y, 1), "plane", 0);
  MeshData two = cube({0, 0, 0}, {4, 4, 4});
  append(two, cube({2, 2, 2}, {6, 6, 6}));
  compare_self(two, Pose{}, "two cubes");
  append(two, cube({4, 0, 0}, {8, 4, 4}));  // face on face
  append(two, cube({0, 0, 0}, {4, 4, 4}));  // the first again
  compare_self(two, Pose{}, "four cubes");
  compare_self(two, Pose::from_quaternion(1, 0.5, 0.25, 2), "four cubes, turned");
}

TEST(SelfIntersections, Lattices) {
  Random r(52);
  for (int i = 0; i < 15; ++i) {
    MeshData d = lattice(r, 40, 1 + i % 3);
    d.triangles.push_back(d.triangles[0]);
    compare_self(d, Pose{}, "lattice " + std::to_string(i));
  }
}

struct Counted {
  const char* name;
  std::size_t pairs;
};
TEST(SelfIntersections, SharedModels) {
  bool any = false;
  for (const Counted& c : {Counted{"cow.obj", 81},
                           {"fandisk.obj", 0},
                           {"teapot.obj", 161},
                           {"suzanne.obj", 91 /* with its repeated triangle */},
                           {"beetle.obj", 59},
                           {"spot.obj", 0},
                           {"homer.obj", 0},
                           {"alligator.obj", 0},
                           {"woody.obj", 0},
                           {"box3d/building.obj", 2813},
                           {"box3d/stairs.obj", 0 /* with its concave faces as fans: 88 */},
                           {"box3d/test_map01.obj", 74},
                           {"box3d/conveyor.obj", 0},
                           {"box3d/collision_mesh_01.obj", 0},
                           {"box3d/voxel_mesh_01.obj", 0},
                           {"box3d/voxel_mesh_02.obj", 0},
                           {"box3d/voxel_mesh_03.obj", 0},
                           {"box3d/voxel_mesh_04.obj", 0},
                           {"stanford-bunny.obj", 0},
                           {"beetle-alt.obj", 0},
                           {"nefertiti.obj", 0}}) {
    const auto d = shared_model(c.name);
    if (!d) continue;
    any = true;
    if (d->triangles.size() > 20000 && !full_tests()) {
      EXPECT_EQ(self_intersections(Mesh(*d)).size(), c.pairs) << c.name;
      continue;
    }
    compare_self(*d, Pose{}, c.name, c.pairs);
    const Box box = box_of(*d);
    if (d->triangles.size() < 3000)
      compare_self(snapped(*d, std::exp2(std::floor(std::log2(box.max.x - box.min.x)) - 11)), Pose{}, std::string(c.name) + " snapped");
  }
  if (!any) GTEST_SKIP() << "no shared models";
}

}  // namespace
}  // namespace graze::test
