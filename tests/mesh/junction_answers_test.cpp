// Bodies with corners on edges of one side only answer as the bodies without these corners: exactly without a pose and at poses that round nothing, and within
// roundings at others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/graze.hpp>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "mesh/meshes.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"
#include "support/split_edges.hpp"

namespace graze::junction_answers_test {
namespace {

using test::append;
using test::ball;
using test::box_with_junctions;
using test::closed_box;
using test::on_grid;
using test::Random;
using test::reversed;
using test::with_junctions;

Vec3 grid_point(Random& r) {
  const int x = r.integer(-24, 24), y = r.integer(-24, 24), z = r.integer(-24, 24);
  return Vec3(x, y, z) / 8.0;
}

/// A pose that rounds no coordinate with few bits.
Pose exact_pose(Random& r) {
  Pose p = Pose::quarter_turn(static_cast<Axis>(r.integer(0, 2)), r.integer(0, 3));
  p = compose(Pose::quarter_turn(static_cast<Axis>(r.integer(0, 2)), r.integer(0, 3)), p);
  p.translation = grid_point(r);
  return p;
}

std::set<double> times(const std::vector<Hit>& hits) {
  std::set<double> t;
  for (const Hit& h : hits) t.insert(h.t);
  return t;
}

/// Compares two placed bodies; `exact`: the pose rounds nothing.
class Comparison {
 public:
  Comparison(ShapeRef split, ShapeRef plain, Random& r, double size, bool exact)
      : split_(split), plain_(plain), r_(r), size_(size), exact_(exact), triangles_(static_cast<std::uint32_t>(split.get<Solid>()->mesh().size())) {}

  void points() {
    for (int i = 0; i < 6; ++i) {
      const Vec3 p = some_point();
      EXPECT_EQ(contains(split_, p), contains(plain_, p));
      same(signed_distance(p, split_), signed_distance(p, plain_));
      const Closest c = closest(split_, Point{p});
      same(c.distance, closest(plain_, Point{p}).distance);
      EXPECT_TRUE(!c.triangle_a || *c.triangle_a < triangles_);
    }
  }
  void rays() {
    for (int i = 0; i < 6; ++i) {
      const Vec3 from = some_point() * 2.0;
      const Ray ray{from, some_direction()};
      const std::optional<Hit> h = raycast(ray, split_), g = raycast(ray, plain_);
      ASSERT_EQ(h.has_value(), g.has_value());
      EXPECT_EQ(raycast_any(ray, split_), g.has_value());
      const std::vector<Hit> all = raycast_all(ray, split_);
      EXPECT_TRUE(!exact_ || times(all) == times(raycast_all(ray, plain_)));
      for (const Hit& x : all) EXPECT_TRUE(x.started_inside || *x.triangle < triangles_);
      if (!h) continue;
      EXPECT_EQ(h->started_inside, g->started_inside);
      same(h->t, g->t);
      EXPECT_TRUE(!h->triangle || *h->triangle < triangles_);
    }
  }
  void shapes() {
    const Vec3 p = some_point(), q = some_point(), o = some_point();
    const double a = size_ * r_.real(0.01, 0.5);
    compare(Sphere{p, a});
    compare(Box{p - Vec3(a), p + Vec3(a)});
    compare(Segment{p, q});
    compare(Capsule{p, q, a / 4});
    compare(Triangle{{p, q, o}});
    compare(Cylinder{p, q, a});
    compare(Mesh(closed_box(p - Vec3(a), p + Vec3(a))));
    compare(solid(Mesh(closed_box(p - Vec3(a), p + Vec3(a)))));
    compare(solid(Mesh(ball(3, p, a))));
    EXPECT_EQ(classify(split_, Plane{p, Vec3(1, 2, 3)}).side, classify(plain_, Plane{p, Vec3(1, 2, 3)}).side);
  }
  void measures() {
    EXPECT_TRUE(!exact_ || relation(split_, plain_) == Relation::identical);
    same(volume(split_), volume(plain_));
    same(signed_volume(split_), signed_volume(plain_));
    same(area(split_), area(plain_));
    const Vec3 c = *centroid(split_), d = *centroid(plain_);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(c[i], d[i], 1e-12 * size_);
  }
  void all() {
    points();
    rays();
    shapes();
    measures();
  }

 private:
  Vec3 some_point() { return exact_ ? grid_point(r_) : r_.point(-1.2 * size_, 1.2 * size_); }
  Vec3 some_direction() {
    for (;;) {
      const Vec3 d = exact_ && r_.integer(0, 1) ? grid_point(r_) : r_.point(-1, 1);
      if (d != Vec3(0)) return d;
    }
  }
  // Witnesses on several triangles are rounded one by one.
  void same(double x, double y, bool loosely = false) const {
    EXPECT_NEAR(x, y, exact_ && !loosely ? 1e-15 * std::fabs(y) : 1e-12 * std::max({1.0, std::fabs(y), size_}));
  }
  template <class S>
  void compare(const S& s) {
    EXPECT_EQ(intersects(split_, s), intersects(plain_, s)) << S::type_name;
    EXPECT_EQ(within(split_, s, size_ / 8), within(plain_, s, size_ / 8)) << S::type_name;
    EXPECT_EQ(relation(split_, s), relation(plain_, s)) << S::type_name;
    EXPECT_EQ(relation(s, split_), relation(s, plain_)) << S::type_name;
    constexpr bool curved = std::is_same_v<S, Cylinder>;
    same(closest(split_, s).distance, closest(plain_, s).distance, curved);
    const Vec3 motion = some_direction() * size_;
    const auto h = sweep(s, motion, split_), g = sweep(s, motion, plain_);
    ASSERT_EQ(h.has_value(), g.has_value()) << S::type_name;
    EXPECT_EQ(penetration(split_, s).reason, penetration(plain_, s).reason) << S::type_name;
    if (!h) return;
    same(h->t, g->t, curved);
    EXPECT_TRUE(!h->triangle_b || *h->triangle_b < triangles_);
    EXPECT_EQ(h->started_inside, g->started_inside) << S::type_name;
  }

  ShapeRef split_, plain_;
  Random& r_;
  double size_;
  bool exact_;
  std::uint32_t triangles_;
};

MeshData some_body(Random& r) {
  const int kind = r.integer(0, 3);
  if (kind == 0) {
    const Vec3 low = r.point(-2, -1), high = r.point(1, 2);
    return on_grid(closed_box(low, high), 4);
  }
  if (kind == 1) return on_grid(ball(static_cast<std::uint32_t>(r.integer(3, 5)), Vec3(0), 2), 8);
  MeshData d = kind == 2 ? closed_box(Vec3(-2), Vec3(2)) : closed_box(Vec3(-2), Vec3(-1, 2, 2));
  if (kind == 2) {  // with a cavity, and an island in it
    append(d, reversed(closed_box(Vec3(-1), Vec3(1.5))));
    append(d, closed_box(Vec3(-0.5), Vec3(0.75)));
  } else {
    append(d, on_grid(ball(4, Vec3(1, 0, 0), 1), 8));
  }
  return d;
}

}  // namespace

TEST(Junctions, AnswersAreThoseWithoutThem) {
  Random r(17);
  for (int i = 0; i < test::rounds(60); ++i) {
    const MeshData body = some_body(r);
    const int splits = r.integer(2, 25);
    const Solid split{Mesh(with_junctions(body, r, splits))}, plain{Mesh(body)};
    SCOPED_TRACE(i);
    Comparison(split, plain, r, 2, true).all();
    const Pose turned = exact_pose(r), anywhere = r.pose(3);
    Comparison(at(split, turned), at(plain, turned), r, 2, true).all();
    Comparison(at(split, anywhere), at(plain, anywhere), r, 2, false).all();
    if (HasFailure()) return;
  }
}

TEST(Junctions, ThousandPoses) {
  struct Case {
    const char* name;
    MeshData split;
    bool oblique;
  };
  const Case cases[] = {{"chain of three", box_with_junctions({}, {1, 4, 6}), false},
                        {"staggered chains", box_with_junctions({2, 5}, {1, 4, 6}), false},
                        {"a junction in a junction", box_with_junctions({2}, {4}, true), false},
                        {"oblique", box_with_junctions({3, 5}, {2, 4}, true, true), true}};
  Random r(5);
  for (const Case& c : cases) {
    const Solid split{Mesh(c.split)}, plain{Mesh(box_with_junctions({}, {}, false, c.oblique))};
    ASSERT_GT(split.seams(), 0u);
    for (int i = 0; i < test::rounds(1000); ++i) {
      SCOPED_TRACE(std::string(c.name) + ", pose " + std::to_string(i));
      const bool exact = i % 8 == 0;
      const Pose pose = exact ? exact_pose(r) : r.pose(20);
      Comparison compare(at(split, pose), at(plain, pose), r, 8, exact);
      compare.points();
      compare.rays();
      compare.measures();
      if (i % 10 == 0) compare.shapes();
      if (HasFailure()) return;
    }
  }
}

TEST(Junctions, EveryPoseIsClosed) {
  // Segments through the moved corners, where a surface without seams would have slits.
  const Solid split{Mesh(box_with_junctions({2, 5}, {1, 4, 6}, true, true))};
  Random r(3);
  for (int i = 0; i < test::rounds(300); ++i) {
    const Pose pose = r.pose(2);
    const Placed body = at(split, pose);
    const Vec3 mean = *centroid(body);
    ASSERT_TRUE(contains(body, mean));
    for (const Vec3& v : split.mesh().vertices()) {
      const Vec3 corner = pose.apply(v);
      ASSERT_TRUE(contains(body, corner));
      const std::vector<Hit> hits = raycast_all(Segment{mean, corner + (corner - mean)}, body);
      ASSERT_TRUE(hits.size() > 1 && hits[0].started_inside);  // it leaves the body through its surface
      for (std::size_t k = 1; k < hits.size(); ++k) ASSERT_LT(*hits[k].triangle, split.mesh().size());
      // From outside, beside another member that is met at the same double: the ray may meet a seam, and no triangle of the body.
      const Vec3 inward = mean - corner;
      const Ray ray{corner - inward, inward};
      const std::optional<Hit> first = raycast(ray, body);
      ASSERT_TRUE(first);
      const Triangle cross{{first->point, first->point + Vec3(inward.y, -inward.x, 0), first->point + Vec3(0, inward.z, -inward.y)}};
      Scene scene;
      scene.add(split, pose);
      scene.add(Plane{first->point, inward});
      scene.add(cross);
      ASSERT_GE(scene.raycast_all(ray).size(), 2u);
      ASSERT_LE(scene.raycast(ray)->hit.t, first->t);
    }
  }
}

TEST(Junctions, TwoBodiesThatShareAFace) {
  const Solid plain(Mesh(closed_box(Vec3(0), Vec3(8)))), split(Mesh(box_with_junctions({2, 5}, {1, 4, 6})));
  const Solid above(Mesh(closed_box(Vec3(0, 0, 8), Vec3(8, 8, 12)))), inner(Mesh(closed_box(Vec3(2, 2, 2), Vec3(6, 6, 8))));
  for (const Solid* s : {&plain, &split}) {
    EXPECT_EQ(relation(*s, above), Relation::touching);
    EXPECT_EQ(relation(*s, inner), Relation::b_in_a);
    EXPECT_EQ(relation(*s, plain), Relation::identical);
    EXPECT_EQ(relation(*s, split), Relation::identical);
  }
}

TEST(Junctions, VolumeOfTrianglesWithoutArea) {
  MeshData d = box_with_junctions({}, {4});
  d.triangles.push_back({5, 4, 8});  // what a seam would be, as files have it
  const Solid body{Mesh(d)};
  EXPECT_EQ(body.seams(), 0u);
  EXPECT_EQ(volume(body), 512);
  EXPECT_EQ(*centroid(body), Vec3(4));
  Random r(8);
  for (int i = 0; i < test::rounds(100); ++i) EXPECT_NEAR(volume(at(body, r.pose(9))), 512, 1e-10);
}

TEST(Junctions, VolumeWhereShellsTouchInEdges) {
  MeshData d = closed_box(Vec3(0), Vec3(2));
  append(d, closed_box(Vec3(2, -1, 2), Vec3(4, 1, 4)));
  EXPECT_EQ(volume(solid(Mesh(d))), 16);
  append(d, closed_box(Vec3(1), Vec3(3)));  // crosses them
  EXPECT_THROW((void)volume(solid(Mesh(d))), Error);
  MeshData hollow = closed_box(Vec3(0), Vec3(8));
  append(hollow, reversed(closed_box(Vec3(1, 1, 1), Vec3(3, 3, 3))));
  append(hollow, reversed(closed_box(Vec3(3, 2, 3), Vec3(5, 4, 5))));
  EXPECT_EQ(volume(solid(Mesh(hollow))), 512 - 8 - 8);
}

}  // namespace graze::junction_answers_test
