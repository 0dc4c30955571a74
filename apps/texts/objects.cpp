// Rows K1 to K14: hierarchical collision of whole objects.
#include <cmath>
#include <cstdint>
#include <graze/graze.hpp>
#include <graze/heritage/hierarchy.hpp>
#include <graze/heritage/older_broad_phases.hpp>
#include <graze/heritage/plane_equation.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>
#include "texts/integer_triangles.hpp"
#include "texts/old_methods.hpp"
#include "texts/row.hpp"

namespace graze::texts {

namespace {

const Triangle kCorner{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}};

Mesh mesh_of(std::initializer_list<Triangle> triangles) {
  MeshData data;
  for (const Triangle& t : triangles) {
    const auto n = static_cast<std::uint32_t>(data.vertices.size());
    data.vertices.insert(data.vertices.end(), t.points.begin(), t.points.end());
    data.triangles.push_back({n, n + 1, n + 2});
  }
  return Mesh(std::move(data));
}

Mesh cube(const Vec3& center) {  // half size 1
  MeshData data;
  for (int i = 0; i < 8; ++i) data.vertices.push_back(center + Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  data.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return Mesh(std::move(data));
}

void k1(Cases& cases) {
  const Triangle t{{Vec3(-1, 5, 2), Vec3(3, -4, 0), Vec3(0, 0, 7)}};
  const Box box = bounding_box(mesh_of({t}));
  cases.on(show(t) + ", lowest corner").graze(box.min).right(Vec3(-1, -4, 0), "the least x, y and z of the vertices");
  cases.on(show(t) + ", highest corner").graze(box.max).right(Vec3(3, 5, 7), "the greatest x, y and z");
  const Vec3 named[] = {{-1, -4, 0}, {-1, 5, 0}, {3, 5, 0}, {3, -4, 0}, {-1, -4, 7}, {-1, 5, 7}, {3, 5, 7}, {3, -4, 7}};
  const char* why[] = {"min,min,min", "min,max,min", "max,max,min", "max,min,min", "min,min,max", "min,max,max", "max,max,max", "max,min,max"};
  for (int i = 0; i < 8; ++i) cases.on(std::string("corner ") + static_cast<char>('A' + i)).graze(box.corner(static_cast<Corner>(i))).right(named[i], why[i]);
}

void k2(Cases& cases) {
  const Box box{{-1, -4, 0}, {3, 5, 7}};
  cases.on(show(box)).graze(box.center()).right(Vec3(1, .5, 3.5), "the middle of the diagonal AG");
  const Box huge{{1e308, 1e308, -1.5e308}, {1.5e308, 1e308, -1e308}};
  cases.on(show(huge))
      .old(old::middle(huge.min, huge.max))
      .graze(huge.center())
      .right(Vec3(1.25e308, 1e308, -1.25e308), "A + G is above the largest double, A/2 + G/2 is not");
}

void k3(Cases& cases) {
  const Sphere sphere = bounding_sphere(cube({0, 0, 0}));
  cases.on("cube -1..1, centre").graze(sphere.center).right(Vec3(0, 0, 0), "the middle of its box");
  cases.on("cube -1..1, radius")
      .graze(sphere.radius)
      .right_within(0x1p-51, std::nextafter(std::sqrt(3.0), 2), "sqrt(3) = 1.73205080756887729.. lies above the double nearest to it");
  cases.on("cube -1..1, is the vertex (1,1,1) in its sphere")
      .old(old::rounded_sphere_contains(3, {1, 1, 1}))
      .graze(contains(sphere, {1, 1, 1}))
      .right(true, "the square of the nearest double is 2.9999999999999996 < 3; Graze rounds the radius outward");
}

void k4(Cases& cases) {
  const Mesh mesh = cube({5, 0, 0});
  const SphereHierarchy hierarchy(mesh);
  int in_sphere = 0, in_box = 0, around_box = 0;
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    Triangle t;
    for (int k = 0; k < 3; ++k) t.points[k] = mesh.vertices()[mesh.triangles()[i][k]];
    const Box& box = hierarchy.triangle_boxes()[i];
    for (const Vec3& p : t.points) {
      in_sphere += contains(hierarchy.triangle_spheres()[i], p);
      in_box += contains(box, p);
    }
    around_box += hierarchy.triangle_spheres()[i].center == box.center();
  }
  cases.on("cube of 12 triangles, corners within the sphere of their polygon").graze(in_sphere).right(36, "12 times 3");
  cases.on("cube of 12 triangles, corners within the box of their polygon").graze(in_box).right(36, "12 times 3");
  cases.on("cube of 12 triangles, spheres around the middle of the polygon's box").graze(around_box).right(12, "centre as in K2");
  const Triangle t{{Vec3(2, 0, 0), Vec3(4, 0, 0), Vec3(3, 3, 0)}};
  cases.on(show(t) + ", is the centre of its sphere within its box")
      .old(contains(bounding_box(t), old::middle_of_triangle(t)))
      .graze(contains(bounding_box(t), SphereHierarchy(mesh_of({t})).triangle_spheres()[0].center))
      .right(true, "the text divides the sum of three corners by 2: (4.5,1.5,0) lies outside");
}

void k5(Cases& cases) {
  const Sphere a{{0, 0, 0}, 1};
  const auto pair = [&](const Sphere& s, const Sphere& t, bool right, const char* because) {
    cases.on(show(s) + " with " + show(t)).old(old::spheres_penetrate(s, t)).graze(intersects(s, t)).right(right, because);
  };
  cases.on(show(a) + " with (3,0,0) r 2").graze(intersects(a, Sphere{{3, 0, 0}, 2})).right(true, "1 + 2 = 3: touching");
  cases.on(show(a) + " with (3 + 1 ulp,0,0) r 2")
      .graze(intersects(a, Sphere{{std::nextafter(3.0, 4.0), 0, 0}, 2}))
      .right(false, "the distance is an ulp larger than 1 + 2");
  pair({{0, 0, 0}, 2}, {{1, 0, 0}, 2}, true, "2 + 2 >= 1; the text turns the comparison round");
  pair(a, {{3, 0, 0}, 1}, false, "1 + 1 < 3");
}

void k6(Cases& cases) {
  const auto levels = [&](const std::string& what, const SphereHierarchy& a, const SphereHierarchy& b, const char* right, const char* because) {
    HierarchyCounts n;
    (void)intersecting_triangles(a, b, &n);
    cases.on(what + ": pairs of triangles, after object spheres, after polygon spheres, hits")
        .graze(show(double(n.possible)) + ", " + show(double(n.after_objects)) + ", " + show(double(n.after_spheres)) + ", " + show(double(n.hits)))
        .right(right, because);
  };
  const Triangle left{{Vec3(-9, 0, 0), Vec3(-8, 0, 0), Vec3(-9, 1, 0)}}, right{{Vec3(9, 0, 0), Vec3(8, 0, 0), Vec3(9, 1, 0)}};
  const SphereHierarchy two(mesh_of({left, right}));
  const auto one = [](const Vec3& a, const Vec3& b, const Vec3& c) { return SphereHierarchy(mesh_of({Triangle{{a, b, c}}})); };
  levels("two triangles 16 apart, and one far away", two, one({0, 0, 99}, {1, 0, 99}, {0, 1, 99}), "2, 0, 0, 0",
         "radii of about 9 and 1, distance 99: the first level separates");
  levels("... and one in the middle", two, one({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), "2, 2, 0, 0",
         "within the object's sphere; 8 away from either polygon: the second level separates");
  levels("... and one that covers the slant of the left one", two, one({-8, 1, 0}, {-8.25, 1, 0}, {-8, .75, 0}), "2, 2, 1, 0",
         "its corner lies 0.25 from the line x + y = -8 between them: the third level separates");
  levels("... and one through the left one", two, one({-8.75, .25, -1}, {-8.75, .25, 1}, {-8.5, 2, 1}), "2, 2, 1, 1",
         "its first edge passes through (-8.75,0.25,0)");
  const SphereHierarchy at_corner = one({1, 1, 1}, {1, 1, 1}, {1, 1, 1});
  cases.on("cube -1..1 with a triangle that is the point (1,1,1)")
      .old(old::rounded_sphere_contains(3, {1, 1, 1}))
      .graze(intersects(SphereHierarchy(cube({0, 0, 0})), at_corner))
      .right(true, "a common vertex; spheres rounded to nearest stop at the first level");
}

void k7(Cases& cases) {
  const auto equation = [](const Plane& plane) {
    const PlaneEquation e = equation_of(plane);
    return show(e.a) + ", " + show(e.b) + ", " + show(e.c) + ", " + show(e.d);
  };
  const Triangle t{{Vec3(0, 0, 1), Vec3(2, 0, 1), Vec3(0, 3, 1)}}, slant{{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}};
  cases.on(show(t) + ": A, B, C, D").graze(equation(*plane_of(t))).right("0, 0, 6, -6", "(2,0,0) x (0,3,0) = (0,0,6); 6 z - 6 = 0");
  cases.on(show(slant) + ": A, B, C, D").graze(equation(*plane_of(slant))).right("1, 1, 1, -1", "(-1,1,0) x (-1,0,1) = (1,1,1); x + y + z - 1 = 0");
  cases.on("stored normal (0,0,2) at (5,5,3): A, B, C, D").graze(equation(Plane{{5, 5, 3}, {0, 0, 2}})).right("0, 0, 2, -6", "2 z - 6 = 0");
  cases.on("stored normal (0,0,2) at (5,5,3): distance of (1,1,7)")
      .graze(classify(Point{{1, 1, 7}}, Plane{{5, 5, 3}, {0, 0, 2}}).distance)
      .right(4., "7 - 3; the normal's length does not matter");
  const Triangle line{{Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(2, 2, 2)}};
  cases.on(show(line)).graze(plane_of(line) ? "a plane" : "none").right("none", "three points of one line have no plane");
}

void k8(Cases& cases) {
  const Plane ground{{0, 0, 0}, {0, 0, 1}};
  const auto t = [&](const Vec3& a, const Vec3& b) {  // t = 0 at the second point
    const auto hit = raycast(Segment{b, a}, ground);
    return hit ? std::optional<double>(hit->t) : std::nullopt;
  };
  cases.on("a (1,1,3), b (1,1,-1), plane z = 0").graze(t({1, 1, 3}, {1, 1, -1})).right(.25, "z = -1 + 4 t");
  cases.on("a (1,1,3), b (1,1,1)").graze(t({1, 1, 3}, {1, 1, 1})).right("none", "z = 1 + 2 t, t = -1/2 does not count");
  cases.on("a (1,1,3), b (1,1,0)").graze(t({1, 1, 3}, {1, 1, 0})).right(0., "b lies in the plane");
  cases.on("a (1,1,0), b (1,1,-1)").graze(t({1, 1, 0}, {1, 1, -1})).right(1., "a lies in the plane");
  cases.on("a (0,0,1), b (5,0,1), parallel")
      .old(old::line_plane({0, 0, 1}, {5, 0, 1}, ground))
      .graze(t({0, 0, 1}, {5, 0, 1}))
      .right("none", "z = 1 all the way; the division is by zero");
  cases.on("a = b = (1,1,0), an edge from a corner to itself")
      .old(old::line_plane({1, 1, 0}, {1, 1, 0}, ground))
      .graze(t({1, 1, 0}, {1, 1, 0}))
      .right(0., "the segment is one point, which lies in the plane");
}

void k9(Cases& cases) {
  const Triangle t{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 4)}};
  const auto point = [](const Line& line, ShapeRef target) {
    const auto hit = raycast(line, target);
    return hit ? std::optional<Vec3>(hit->point) : std::nullopt;
  };
  cases.on("line x = 1, z = 1 with " + show(t)).graze(point(Line{{1, -3, 1}, {0, 1, 0}}, t)).right(Vec3(1, 1, 1), "the plane is y = z");
  const Plane wall{{0, 0, 0}, {1, 0, 0}};
  cases.on("line x = 1, z = 0 with the plane x = 0: y")
      .old(old::height_on_plane(1, 0, wall))
      .graze(point(Line{{1, 0, 0}, {0, 1, 0}}, wall))
      .right("none", "parallel; B = 0");
  cases.on("line x = 0, z = 0 with the plane x = 0: does it meet")
      .old(show(old::height_on_plane(0, 0, wall)))
      .graze(raycast_any(Line{{0, 0, 0}, {0, 1, 0}}, wall))
      .right(true, "it lies in the plane");
  cases.on("line (-1,-2,-3) + t (1,1,1) with the plane x + y + z = 0")
      .graze(point(Line{{-1, -2, -3}, {1, 1, 1}}, Plane{{0, 0, 0}, {1, 1, 1}}))
      .right(Vec3(1, 0, -1), "-6 + 3 t = 0, t = 2");
}

void k10(Cases& cases) {
  const char* planes[] = {"x = 0", "y = 0", "z = 0"};
  for (int axis = 0; axis < 3; ++axis) {
    Triangle t{};
    Vec3 middle(0, 0, 0);
    t.points[1][(axis + 1) % 3] = t.points[2][(axis + 2) % 3] = 4;
    middle[(axis + 1) % 3] = middle[(axis + 2) % 3] = 2;
    Vec3 past = middle;
    past[(axis + 2) % 3] = std::nextafter(2.0, 3.0);
    cases.on(std::string("triangle with legs 4 in the plane ") + planes[axis] + ", middle of the slant")
        .graze(intersects(Point{middle}, t))
        .right(true, "2 + 2 = 4");
    cases.on(std::string("... in the plane ") + planes[axis] + ", an ulp farther").graze(intersects(Point{past}, t)).right(false, "2 + 2 + ulp > 4");
  }
  const Triangle small{{Vec3(0, 0, 0), Vec3(.5, 0, 0), Vec3(0, 0, .5)}}, through{{Vec3(.1, -.25, .1), Vec3(.2, .25, .1), Vec3(.1, .25, .2)}};
  cases.on(show(small) + " with " + show(through))
      .old(old::triangles_meet(small, through))
      .graze(intersects(small, through))
      .right(true, "edges of the second pass y = 0 near (.15,.1) and (.1,.15); the integer abs of the normal (0,-.25,0) is 0, so the first becomes a line");
}

void k11(Cases& cases) {
  const auto on_edge = [&](const Triangle& t, double x, double y, const char* because) {
    cases.on("(" + show(x) + "," + show(y) + ") in " + show(t))
        .old(old::point_in_flat_triangle(t, x, y))
        .graze(intersects(Point{{x, y, 0}}, t))
        .right(true, because);
  };
  on_edge({{Vec3(0, 0, 0), Vec3(0, 2, 0), Vec3(2, 0, 0)}}, 0, 1, "the middle of the vertical edge x = 0");
  on_edge({{Vec3(-513, -598, 0), Vec3(821, 1564, 0), Vec3(1178, 894, 0)}}, 386, 859, "386 + 513 = 29 * 31, 859 + 598 = 47 * 31; the edge is 46 * (29,47)");
  cases.on("(1,1) in (0,0)(0,2)(2,0)")
      .graze(intersects(Point{{1, 1, 0}}, Triangle{{Vec3(0, 0, 0), Vec3(0, 2, 0), Vec3(2, 0, 0)}}))
      .right(true, "x + y = 2: on the slanted edge");
  cases.on("(1,1 + 1 ulp) in (0,0)(0,2)(2,0)")
      .graze(intersects(Point{{1, std::nextafter(1.0, 2.0), 0}}, Triangle{{Vec3(0, 0, 0), Vec3(0, 2, 0), Vec3(2, 0, 0)}}))
      .right(false, "x + y > 2");
}

void k12(Cases& cases) {
  const auto pair = [&](const Triangle& a, const Triangle& b, bool right, const char* because) {
    cases.on(show(a) + " with " + show(b)).old(old::triangles_meet(a, b)).graze(intersects(a, b) && intersects(b, a)).right(right, because);
  };
  pair({{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)}}, {{Vec3(0, 0, 1), Vec3(0, 0, 2), Vec3(.25, 0, -1)}}, true,
       "the last edge passes through (.125,0,0); the listing ends at the first edge, whose line meets the triangle beyond its ends");
  pair(kCorner, {{Vec3(1, 1, 0), Vec3(2, 1, 0), Vec3(1, 2, 0)}}, true, "one plane, one inside the other");
  pair(kCorner, kCorner, true, "identical");
  pair({{Vec3(0, 0, 0), Vec3(0, 2, 0), Vec3(2, 0, 0)}}, {{Vec3(0, 1, -1), Vec3(0, 1, 1), Vec3(-3, 1, 0)}}, true,
       "an edge passes through (0,1,0) on a vertical edge");
  pair({{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}}, {{Vec3(0, 0, 0), Vec3(-1, 0, 1), Vec3(0, -1, 1)}}, true, "one shared vertex");
  pair({{Vec3(-1, 0, -1), Vec3(1, 0, -1), Vec3(0, 0, 1)}}, {{Vec3(0, 0, -3), Vec3(0, 0, 3), Vec3(0, 5, 0)}}, true,
       "an edge lies in the other's plane, from (0,0,-1) to (0,0,1) inside it");
  const Triangle edge_through{{Vec3(.25, -1, .25), Vec3(.25, 1, .25), Vec3(5, 5, 5)}}, floor{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 0, 4)}};
  cases.on(show(edge_through) + " with " + show(floor) + ", one way only as in listing 4.5.3")
      .old(old::edges_meet(floor, edge_through))
      .graze(intersects(edge_through, floor) && intersects(floor, edge_through))
      .right(true, "the first edge of the first passes through (.25,0,.25)");
  cases.on("segment (1,1,-1)(1,1,1) as a triangle with " + show(kCorner))
      .graze(intersects(Triangle{{Vec3(1, 1, -1), Vec3(1, 1, -1), Vec3(1, 1, 1)}}, kCorner))
      .right(true, "it passes through (1,1,0)");

  const GridCount n = count_grid_pairs(200000);
  cases.on("200,000 pairs on the integer grid -2..2, triangles with area: " + std::to_string(n.hits) + " hits; wrong answers")
      .old(std::to_string(n.old_misses) + " hits missed")
      .graze(std::to_string(n.missed) + " hits missed, " + std::to_string(n.invented) + " invented")
      .right("0 hits missed, 0 invented", "integer arithmetic decides each pair; the documented pairs: 4,417 of 74,230 hits missed");

  const auto pairs = intersecting_triangles(cube({0, 0, 0}), mesh_of({kCorner, Triangle{{Vec3(5, 5, 5), Vec3(6, 5, 5), Vec3(5, 6, 5)}}}));
  std::string list;
  for (const TrianglePair& p : pairs) list += (list.empty() ? "" : ", ") + std::to_string(p.a) + "-" + std::to_string(p.b);
  cases.on("cube -1..1 with " + show(kCorner) + " and one far away: all pairs")
      .graze(list)
      .right("6-0, 7-0, 10-0, 11-0", "the plane z = 0 cuts the sides y = 1 and x = 1, two triangles each, inside the quarter x, y >= 0");
}

void k13(Cases& cases) {
  const Frustum view = Frustum::perspective({0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 1, 1, 1, 10);
  const auto side = [](Visibility v) { return v == Visibility::outside ? "outside" : v == Visibility::crossing ? "crossing" : "inside"; };
  const std::string eye = ", eye at 0 looking along -z, 90 degrees wide, 1 to 10";
  cases.on("sphere (0,0,-5) r 1" + eye).graze(side(classify(Sphere{{0, 0, -5}, 1}, view))).right("inside", "5/sqrt(2), 4 and 5 from the planes");
  cases.on("sphere (0,0,-10) r 1").graze(side(classify(Sphere{{0, 0, -10}, 1}, view))).right("crossing", "its centre lies in the far plane");
  cases.on("sphere (0,0,1) r 2").graze(side(classify(Sphere{{0, 0, 1}, 2}, view))).right("crossing", "touches the near plane at (0,0,-1)");
  cases.on("sphere (0,0,5) r 1").graze(side(classify(Sphere{{0, 0, 5}, 1}, view))).right("outside", "behind the eye");
  cases.on("cylinder (0,0,-5)(0,0,5) r .5")
      .graze(side(classify(Cylinder{{0, 0, -5}, {0, 0, 5}, .5}, view)))
      .right("crossing", "its axis passes through the near plane");
  cases.on("cylinder (0,0,-3)(0,0,-6) r .5")
      .graze(side(classify(Cylinder{{0, 0, -3}, {0, 0, -6}, .5}, view)))
      .right("inside", "x and y up to .5, depth from 3: |x| <= depth");
  cases.on("cylinder (0,0,0)(0,0,5) r .5").graze(side(classify(Cylinder{{0, 0, 0}, {0, 0, 5}, .5}, view))).right("outside", "depth at most 0");

  std::vector<Box> boxes;
  for (int x = 0; x < 10; ++x)
    for (int y = 0; y < 10; ++y)
      for (int z = 0; z < 10; ++z) boxes.push_back({Vec3(x, y, z), Vec3(x + 1, y + 1, z + 1)});
  boxes.push_back({{-5000, -5000, -5000}, {5000, 5000, 5000}});
  boxes.push_back({{.25, .25, .25}, {.25 + 0x1p-10, .25, .25}});
  BroadPhase grid;
  grid.assign(boxes);
  cases.on("1,000 unit boxes side by side, one of size 10,000 around them, one of size 2^-10 in the first: touching pairs")
      .graze(grid.pairs().size())
      .right(11478, "neighbours (28^3 - 10^3) / 2 = 10,476, large 1,001, small 1");
  for (const OlderBroadPhase method : {OlderBroadPhase::multi_resolution_grid, OlderBroadPhase::octree, OlderBroadPhase::loose_octree})
    cases.on(std::string("the same boxes in the ") + name_of(method)).graze(overlapping_pairs(method, boxes).pairs.size()).right(11478, "as above");
  Scene scene;
  for (const Box& b : boxes) scene.add(b);
  cases.on("the same boxes as members of a Scene").graze(scene.pairs({.witnesses = false}).size()).right(11478, "as above");
}

void k14(Cases& cases) {
  const Triangle t{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}};
  cases.on(show(t) + ": normal").graze(plane_of(t)->normal).right(Vec3(0, 0, 1), "right-handed: x cross y is z");
  const auto front = [&](const Ray& ray) { return raycast(ray, t)->front ? "front" : "back"; };
  cases.on("seen from (.25,.25,1), where its corners run counter-clockwise")
      .graze(front({{.25, .25, 1}, {0, 0, -1}}))
      .right("front", "the side that the normal points to");
  cases.on("seen from (.25,.25,-1)").graze(front({{.25, .25, -1}, {0, 0, 1}})).right("back", "the other side");
}

}  // namespace

const std::vector<Row>& object_rows() {
  static const std::vector<Row> list = {
      {"K1", "bounding box of an object in one pass, its eight corners by name", "graze view --demo two-meshes --preset corners", k1},
      {"K2", "centre of an object: the middle of the diagonal AG", "graze info scenes/gear.obj", k2},
      {"K3", "bounding sphere of an object, truly around every vertex", "graze info scenes/gear.obj", k3},
      {"K4", "the same box and sphere for every polygon of an object", "graze view --demo two-meshes --preset triangle-spheres", k4},
      {"K5", "sphere against sphere", "graze view --demo primitives --preset p8-sphere-sphere", k5},
      {"K6", "the hierarchy: object spheres, polygon spheres, triangles; stops at the first level that separates",
       "graze view --demo two-meshes --preset objects", k6},
      {"K7", "plane of a triangle, Ax + By + Cz + D = 0", "graze query, op \"plane\"", k7},
      {"K8", "line against plane by the parameter t", "graze query, op \"raycast\"", k8},
      {"K9", "lines parallel to y; in Graze any direction", "graze query, op \"raycast\"", k9},
      {"K10", "flattening a triangle without making it a line", "graze query, op \"intersect\"", k10},
      {"K11", "point in the flattened triangle, vertical edges included", "graze query, op \"intersect\"", k11},
      {"K12", "triangle against triangle, both ways round; all pairs of two objects", "graze view --demo two-meshes --preset triangles", k12},
      {"K13", "shapes against the view frustum; many objects of very different sizes", "graze view --demo frustum; graze view --demo sizes", k13},
      {"K14", "right-handed coordinates, counter-clockwise front faces", "graze view --demo normals", k14}};
  return list;
}

}  // namespace graze::texts
