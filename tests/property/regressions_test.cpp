// Regression tests: wrong answers that were found, each with its minimal input.
#include <gtest/gtest.h>

#include "property/instances.hpp"

namespace graze::test {
namespace {

/// A very small mesh beside an ordinary one: the nearest pair was discarded, so the distance was 8e-12 too large.
TEST(Regressions, DistanceOfATinyMesh) {
  const double y = next_up(-1), w = -4.5474735088646412e-13, z = 2.1827872842550278e-11;
  const Mesh a(MeshData{{{w, -1, 0}, {0, -1, 0}, {w, y, 0}, {0, -1, z}, {0, y, z}, {w, y, z}}, {{0, 2, 1}, {3, 4, 5}}, {}});
  const Triangle t{{Vec3(0, 0, 1), Vec3(1, 0, 2), Vec3(1, 1, -1)}};
  const Mesh b(MeshData{{t.points[0], t.points[1], t.points[2]}, {{0, 1, 2}}, {}});
  const Closest c = closest(a, b);
  EXPECT_EQ(c.distance, closest(Triangle{{a.vertices()[3], a.vertices()[4], a.vertices()[5]}}, t).distance);
  EXPECT_EQ(c.triangle_a, 1u);
  EXPECT_FALSE(within(a, b, 1.35400640076));
  EXPECT_TRUE(within(a, b, 1.35400640077));
}

/// A half vector whose square underflows left the radius out of a direction's sum of radii: a triangle that touches was discarded.
TEST(Regressions, TinyHalfVectorsAgainstMeshes) {
  const Triangle flat{{Vec3(-3, -3, .5), Vec3(3, -3, .5), Vec3(0, 3, .5)}};
  const auto mesh_of = [](const Triangle& t) { return Mesh(MeshData{{t.points[0], t.points[1], t.points[2]}, {{0, 1, 2}}, {}}); };
  const Mesh mesh = mesh_of(flat);
  for (int e = -1074; e <= -1; ++e) {
    const double tiny = std::ldexp(1.0, e);
    const Capsule capsule{{0, 0, 0}, {0, 0, tiny}, 1};
    const Box box{{0, 0, 0}, {1, 1, tiny}};
    const OrientedBox oriented{{0, 0, 0}, {Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(0, 0, 1)}, {1, .5, tiny}};
    const Segment segment{{0, 0, 0}, {0, 0, tiny}};
    for (const ShapeRef a : {ShapeRef(capsule), ShapeRef(box), ShapeRef(oriented), ShapeRef(segment)}) {
      ASSERT_TRUE(within(a, flat, 1)) << e;
      EXPECT_TRUE(within(a, mesh, 1)) << e;
      EXPECT_TRUE(within(mesh, a, 1)) << e;
      EXPECT_EQ(triangles_within(a, mesh, 1), std::vector<std::uint32_t>{0}) << e;
      EXPECT_TRUE(within(a, mesh, 7.3e252)) << e;
    }
    EXPECT_TRUE(intersects(capsule, mesh)) << e;
    if (e % 16 != 0) continue;
    EXPECT_EQ(contacts(capsule, mesh).size(), 1u) << e;
    EXPECT_NE(penetration(capsule, mesh).reason, NoPenetration::apart) << e;
    Scene scene;
    scene.add(mesh);
    EXPECT_TRUE(scene.intersects(capsule)) << e;
  }
  const double h = 0x1p-1071;
  EXPECT_TRUE(intersects(Box{{-1, -1, -h}, {1, 1, h}}, mesh_of({{Vec3(-.5, -3, -.5), Vec3(2, 1, 2), Vec3(-1, -2, -1)}})));
}

/// A time that underflows, multiplied by a unit of time that overflows, gave NaN, and the hit was discarded.
TEST(Regressions, LinesWhoseFirstTimeIsBelowAllDoubles) {
  const double s = 1e300;  // each triangle has a corner on the line, so doubles cannot decide
  const Mesh mesh(MeshData{
      {{0, 0, 0}, {s, -s, 0}, {s, s, 0}, {0, 0, s}, {s, -s, s}, {s, s, s}, {0, 0, -s}, {s, -s, -s}, {s, s, -s}}, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, {}});
  for (const double speed : {1e-8, 1e-7, 1e-200, 1e-320}) {
    const auto first = raycast(Line{{0, 0, 0}, {0, 0, -speed}}, mesh), last = raycast(Line{{0, 0, 0}, {0, 0, speed}}, mesh);
    ASSERT_TRUE(first && last);
    EXPECT_EQ(first->triangle, 1u) << speed;
    EXPECT_EQ(last->triangle, 2u) << speed;
    EXPECT_EQ(raycast_all(Line{{0, 0, 0}, {0, 0, -speed}}, mesh).size(), 3u);
  }
}

/// The normals of a box with one side of denormal length, or two of half that exponent, are a few denormals long. Underflow in their products separated the box
/// from a triangle that it meets.
TEST(Regressions, SweepsOfThinBoxes) {
  struct Case {
    OrientedBox box;
    Vec3 motion;
    Triangle triangle;
  };
  const Case cases[] = {
      {{{-0x1.16763a9d8336p+1, -0x1.ea66a1e1aa181p+0, -0x1.f87e57f1bebfep+0},
        {Vec3(-0x1.b2efcd64da70ep-1, 0x1.0e2317c5dec86p-1, 0), Vec3(-0x1.c7a1d61bec7ecp-2, -0x1.6ecc2368be83bp-1, -0x1.132485c68db52p-1),
         Vec3(-0x1.22563ca2a62b3p-2, -0x1.d375a6a424c61p-2, 0x1.afc99ec3a94ecp-1)},
        {0x1.9dc18a20df4aap-1, 0x1.bf5f07e46e45bp-4, 0x1p-1072}},
       {0x1.a199e57c6f53p+0, 0x1.21861f3e7c5dcp+1, 0x1.1917f90a9cb94p+1},
       {{Vec3(0x1.6805717d2ebp-1, -0x1.2ad7b16b831fcp-1, -0x1.71863119cad1p-2), Vec3(-0x1.136408ca2a45p-4, -0x1.d9f005668bb12p-1, 0x1.82b8a6f2e45bep-1),
         Vec3(-0x1.c6fb1057c6f0ep-1, 0x1.e672994926e9p-3, -0x1.9bfe4322aea1cp-2)}}},
      {{{0x1.0c8443d00edb4p+0, 0x1.4d722192c7abp-1, 0x1.7e7831f38c798p+0},
        {Vec3(0x1.7c23f514ed6b4p-2, 0x1.db69abb6f3dbep-1, 0), Vec3(0x1.c318174861893p-1, -0x1.68b1fa7c951a8p-2, -0x1.435029cab4d9cp-2),
         Vec3(-0x1.2c359924ee4b9p-2, 0x1.e0186784c144ep-4, -0x1.e5cf4e82e8b57p-1)},
        {0x1.7d8bb09ff570ap-2, 0x1.55727ed9944f6p-536, 0x1.43e9150631dbp-538}},
       {-0x1.09e293cb0661p+2, -0x1.406e6d2b165b7p+2, -0x1.ae0ec68765079p+1},
       {{Vec3(-0x1.6568b5344851ep-1, 0x1.54a5288a2c888p-2, 0x1.fed86463c0e2p-4), Vec3(-0x1.3c568f83b41ap-4, -0x1.936be3eef97a4p-1, 0x1.15e45fc68955cp-1),
         Vec3(0x1.919933bcaa324p-2, 0x1.c954fa1d9691ap-1, 0x1.ef5541ce13f04p-1)}}}};
  for (const Case& c : cases) {
    const Triangle& t = c.triangle;
    const Mesh mesh(MeshData{{t.points[0], t.points[1], t.points[2]}, {{0, 1, 2}}, {}});
    const auto one = sweep(c.box, c.motion, t), all = sweep(c.box, c.motion, mesh), moved = sweep(mesh, -c.motion, c.box);
    ASSERT_TRUE(one && all && moved);
    EXPECT_EQ(one->t, all->t);
    EXPECT_EQ(one->t, moved->t);
  }
}

/// A triangle in the middle of a mesh, so small that the square of its normal underflows: its own plane seemed to separate it from a capsule that touches it.
TEST(Regressions, TinyTrianglesAgainstCapsules) {
  for (int e = -140; e <= -10; ++e) {
    const double s = std::ldexp(1.0, e);
    const Mesh mesh(MeshData{
        {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {8, 8, 8}, {8, 8, 7}, {8, 7, 8}, {-8, -8, -8}, {-8, -8, -7}, {-8, -7, -8}}, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, {}});
    const Capsule touching{{-.25, 0, -1}, {.25, 0, -1}, 1}, deeper{{-.25, 0, -1}, {.25, 0, -1}, 1.125};
    EXPECT_TRUE(intersects(touching, mesh)) << e;
    EXPECT_TRUE(intersects(deeper, mesh)) << e;
    EXPECT_EQ(triangles_within(touching, mesh), std::vector<std::uint32_t>{0}) << e;
  }
}

/// The common point of a bounded and an unbounded set is rounded, but the witness of a Point must be the point itself.
TEST(Regressions, WitnessInAHalfSpaceIsThePoint) {
  const Closest c = closest(Point{{-1, 3, 2}}, HalfSpace{{1, 1, 3}, {0, -3, -1}});
  EXPECT_EQ(c.distance, 0);
  EXPECT_EQ(c.on_a, Vec3(-1, 3, 2));
}
TEST(Regressions, WitnessOfALineInAFrustumIsOnTheLine) {
  const Line line{{-1, -4, 3}, {2, 3, -3}};
  const Frustum frustum(std::vector<Vec3>{{-4, 0, -1}, {4, 2, -2}, {2, 1, -4}, {-1, 0, 0}, {1, -1, 0}, {0, -4, -2}, {4, -2, 2}, {-4, 1, -2}});
  const Pose half = Pose::quarter_turn(Axis::z, 2, {-2, 0, 2});
  const Closest c = closest(line, at(frustum, half));
  EXPECT_LE(closest(Point{c.on_a}, line).distance, c.distance + 8 * 0x1p-51);
}

/// Exchanging two meshes exchanges the result bit for bit, including the choice among many common points.
TEST(Regressions, WitnessesOfCrossingMeshesAreSymmetric) {
  const HeightField a({-1, 0, 0}, 1, 1, 3, std::vector<double>{1, 1, 0, 1, 0, 1, 1, 1, 2}), b({-1, -1, 0}, 2, 1, 3, std::vector<double>{0, 1, 2, 2, 0, 0});
  const Closest c = closest(a, b), d = closest(b, a);
  EXPECT_EQ(c.on_a, d.on_b);
  EXPECT_EQ(c.triangle_a, d.triangle_b);
  const Polygon p{{1, -1, -1}, {0, -1, -1}, {-1, -2, 0}, {0, -2, 0}}, q{{0, -1, 0}, {1, -1, 0}, {1, -2, -1}, {0, -2, -1}};
  EXPECT_EQ(closest(p, q).on_a, closest(q, p).on_b);
}

/// The normal of a hit does not depend on t_max.
TEST(Regressions, NormalDoesNotDependOnTMax) {
  const Line line{{-1, 1, 0}, {2, -2, 1}};
  const Plane plane{{-1, 1, 0}, {3, -3, 2}};
  EXPECT_EQ(raycast(line, plane)->normal, raycast(line, plane, {0x1p-1074})->normal);
}

/// "No finite translation separates" holds for B and A exactly when it holds for A and B.
TEST(Regressions, UnboundedIsSymmetric) {
  const OrientedBox a{{-1, 1, 0}, {Vec3(-1, 0, 1), Vec3(1, -1, 0), Vec3(1, 0, 1)}, {1, 0, 1}};
  const Mesh mesh(MeshData{
      {{-1, -1, -1}, {0, 1, -1}, {-1, 0, 1}, {1, -1, 1}, {1, -1, 1}, {-1, 0, 0}, {-1, 1, 1}, {-1, 1, -1}, {0, 1, 0}}, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, {}});
  const Compound b({{mesh, Pose::quarter_turn(Axis::y, 1, {-1, 0, 2})}, {HalfSpace{{1, 0, 0}, {1, -1, 1}}, Pose{}}});
  EXPECT_EQ(penetration(a, b).reason, penetration(b, a).reason);
}

/// The first parameter of a line at a curved shape was reported as the start of the search.
TEST(Regressions, LinesAtCurvedShapes) {
  EXPECT_NEAR(raycast(Line{{0, 0, 0}, {0, 0, 1}}, Cylinder{{0, 0, 0}, {0, 0, 1}, 1})->t, 0, 1e-12);
  EXPECT_NEAR(raycast(Line{{0, -5, 0}, {0, 1, 0}}, Ellipsoid{{0, 0, 0}, {1, 2, 3}})->t, 3, 1e-12);
  EXPECT_NEAR(raycast(Line{{0, 0, 0}, {1, 0, 0}}, Cone{{0, 0, 0}, {0, 0, 1}, 1})->t, -1, 1e-12);
}

/// A ray that misses by less than the bound may hit or not, but a hit lies on the shape; a point in motion has the same time.
TEST(Regressions, GrazingCurvedShapes) {
  struct Case {
    Vec3 origin, direction;
    AnyShape shape;
    double t;
  };
  for (const Case& c : {Case{{0.8, -0.6, 12}, {0, 0, -6}, Cylinder{{0, 0, 0}, {3, 4, 0}, 1}, 2},
                        Case{{11.414213562373096, -8.585786437626904, 0}, {-1, 1, 0}, Cone{{0, 0, 0}, {0, 0, 1}, 2}, 10},
                        Case{{20.447213595499957, -9.105572809000083, 1}, {-2, 1, 0}, Cylinder{{0, 0, 0}, {0, 0, 1}, 1}, 10}}) {
    const auto hit = raycast(Ray{c.origin, c.direction}, c.shape);
    if (hit) {
      EXPECT_NEAR(hit->t, c.t, 1e-7);
      EXPECT_LE(closest(Point{hit->point}, c.shape).distance, 0x1p-36 * 10);
    }
    const auto far = raycast(Ray{c.origin, c.direction * 20.0}, c.shape, {.t_max = 1});  // an unbounded ray may be decided differently within the error bound
    const auto moved = sweep(Point{c.origin}, c.direction * 20.0, c.shape);
    ASSERT_EQ(far.has_value(), moved.has_value());
    if (moved) {
      EXPECT_EQ(moved->t, far->t);
    }
  }
}

/// A set with pieces on both sides of a plane that it does not touch was classified as behind.
TEST(Regressions, PiecesOnBothSidesOfAPlane) {
  const Plane plane{{0, 0, 0}, {0, 0, 1}};
  for (const double sign : {1.0, -1.0}) {
    const Compound c({{Point{{0, 0, -5 * sign}}, Pose{}}, {Point{{0, 0, sign}}, Pose{}}});
    const Classification r = classify(c, plane);
    EXPECT_EQ(r.side, Side::intersects);
    EXPECT_EQ(r.distance, sign);
  }
}

/// The normal of a segment met by a ray nearly along it was not perpendicular to the segment.
TEST(Regressions, NormalOfASegmentAlongTheRay) {
  const Triangle segment{{Vec3(0, 0, 0), Vec3(3, 1, 0), Vec3(6, 2, 0)}};
  for (const double z : {1e-12, 1e-15, 1e-100}) {
    const auto hit = raycast(Ray{{-3, -1, -z}, {3, 1, z}}, segment);
    ASSERT_TRUE(hit && hit->normal);
    EXPECT_EQ(*hit->normal, Vec3(0, 0, -1));
  }
}

/// The number of faces of the expanding polytope of a flat ellipsoid and a triangle multiplied with every step, and the call did not return.
TEST(Regressions, DepthOfAFlatEllipsoidTerminates) {
  const Ellipsoid ellipsoid{Vec3(9.8181869305954531e-91, 0.77593823963122155, -3.9746023705334857e-169), Vec3(524288, 2.8104436418311588e-18, 4.99951171875)};
  Pose pose;
  const double rotation[9] = {0.50527386553826548,  -0.32957996159860303, -0.79754333406823863, 0.53094043692728377, 0.84729726181666898,
                              -0.01376962430279103, 0.68029447538509658,  -0.41649057496015235, 0.60310449155173584};
  for (int i = 0; i < 9; ++i) pose.rotation[i / 3][i % 3] = rotation[i];
  pose.translation = Vec3(0, -3.9746023705334863e-169, -7.6368848247902525e-45);
  const Mesh mesh(MeshData{{{1.4518017454436195e-52, 0, 1.4518017454436196e-52},
                            {1.4518017454436195e-52, -7.7274538467505174e-31, -0.89202016297673825},
                            {2.9036034908872389e-52, -2, -2.8104436418311588e-18},
                            {4.76837158203125e-07, 512, 9.8181869305954531e-91},
                            {-5, 2.0324681796190404e-261, 4.76837158203125e-07}},
                           {{4, 0, 0}, {2, 0, 4}, {1, 3, 2}, {4, 3, 2}},
                           {}});
  EXPECT_EQ(contacts(at(ellipsoid, pose), mesh).size(), triangles_within(at(ellipsoid, pose), mesh).size());
}

/// Rounding leaves a small mesh in its old place, far from its exactly placed position: segments that end there were clipped before they reached it.
TEST(Regressions, SegmentsThatEndAtACollapsedMesh) {
  const double x = 4.9655297664380316e+273, y = 4.9655297664380325e+273, z = 4.5327568649300426e-10;
  for (const double scale : {1.0, 0x1p-400, 0x1p-800}) {
    const Mesh mesh(MeshData{{Vec3(x * scale, y * scale, z), Vec3(x * scale, y * scale, 2 * z)}, {{0, 1, 1}}, {}});
    for (const double d : {-1.9382625139273988, 0.0, 1.9382625139273988}) {
      const Pose pose = translation(Vec3(d, d, -2.5189805937856572e-16));
      const Vec3 end = pose.apply(mesh.vertices()[0]);
      for (const Vec3& start : {Vec3(0, 0, 0), Vec3(9e-10, -3e-12, 2e-11), Vec3(0, 0, 1)}) {
        EXPECT_TRUE(raycast(Segment{start, end}, at(mesh, pose))) << scale << " " << d;
        EXPECT_TRUE(raycast_any(Segment{start, end}, at(mesh, pose))) << scale << " " << d;
        EXPECT_TRUE(raycast_any(Segment{end, start}, at(mesh, pose))) << scale << " " << d;
        EXPECT_FALSE(raycast_any(Segment{start, end * .5}, at(mesh, pose))) << scale << " " << d;
      }
    }
  }
}

TEST(Regressions, NearTheMiddleOfAFlatEnd) {  // every direction to the rim is as good, and steps towards the nearest point are lost in rounding
  const TruncatedCone cone{Vec3(-512, 1024, 4096), Vec3(-2560, 7168, -2048), 2048, 0};
  EXPECT_LE(closest(Point{Vec3(-511.99999999999977, 1023.9999999999999, 4096)}, cone).distance, 1e-9);
  const Closest touching = closest(Box{Vec3(0, 2, -1), Vec3(2, 2, 2)}, Ellipsoid{Vec3(1, 1, 2), Vec3(1, 1, 0)});  // in (1, 2, 2)
  EXPECT_EQ(touching.distance, 0);
  EXPECT_NEAR(touching.on_a.x, 1, 1e-6);
  EXPECT_NEAR(touching.on_a.z, 2, 1e-6);
}

}  // namespace
}  // namespace graze::test
