// Rows S1 to S9: a sphere against a polygon.
#include <algorithm>
#include <cmath>
#include <graze/graze.hpp>
#include <span>
#include <vector>
#include "texts/old_methods.hpp"
#include "texts/row.hpp"

namespace graze::texts {

namespace {

using Corners = std::vector<Vec3>;
const Corners kProgram{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}};

void s1(Cases& cases) {
  const Plane ground{{0, 0, 1}, {0, 0, 5}};
  const auto side = [&](const Sphere& s, int right, double distance, const char* because) {
    const Classification c = classify(s, ground);
    cases.on(show(s) + " and the plane z = 1: side, distance")
        .graze(show(static_cast<int>(c.side)) + ", " + show(c.distance))
        .right(show(right) + ", " + show(distance), because);
  };
  side({{7, 7, 3}, 1}, 2, 2, "2 above, more than the radius: FRONT = 2");
  side({{7, 7, 3}, 2}, 1, 2, "2 above, the radius: INTERSECTS = 1");
  side({{7, 7, -3}, 1}, 0, -4, "4 below: BEHIND = 0");
  const Corners in_line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  const Sphere middle{{1, 1, 0}, .5};
  cases.on(show(middle) + " and the plane of " + show(in_line) + ": side")
      .old(old::classify_sphere(middle, in_line))
      .graze(static_cast<int>(classify(middle, *plane_of(Triangle{{in_line[0], in_line[2], in_line[3]}})).side))
      .right(1, "its centre lies in the plane z = 0; the first three corners have no plane, the distance is NaN");
  const Corners far{{65535, 0, 0}, {65537, 0, 2}, {65536, 1, 1}};
  const Vec3 point(65536 + 1.0 / 128, .25, 1);
  cases.on("triangle " + show(far) + ", distance of " + show(point))
      .old(old::plane_distance(far, point))
      .graze(classify(Point{point}, *plane_of(Triangle{{far[0], far[1], far[2]}})).distance)
      .right_within(1e-18, -1 / (128 * std::sqrt(2.0)), "the plane is z = x - 65535; the point lies 1/128 below it in z: -1/(128 sqrt 2)");
}

void s2(Cases& cases) {
  cases.on("(3,4,5) onto z = 1, normal (0,0,3)").graze(closest(Point{{3, 4, 5}}, Plane{{0, 0, 1}, {0, 0, 3}}).on_b).right(Vec3(3, 4, 1), "only z changes");
  cases.on("(3,3,3) onto x + y + z = 0").graze(closest(Point{{3, 3, 3}}, Plane{{0, 0, 0}, {1, 1, 1}}).on_b).right(Vec3(0, 0, 0), "along (1,1,1)");
}

void s3(Cases& cases) {
  const Corners house{{0, 0, 0}, {4, 0, 0}, {6, 2, 0}, {4, 4, 0}, {0, 4, 0}};
  const Polygon p{std::span<const Vec3>(house)};
  const auto in = [&](const Vec3& point, bool right, const char* because) {
    cases.on(show(point) + " in " + show(house)).graze(intersects(Point{point}, p)).right(right, because);
  };
  in({5, 2, 0}, true, "x <= 6 - |y - 2|");
  in({5, 3, 0}, true, "on the edge x = 8 - y");
  in({6, 2, 0}, true, "a corner");
  in({5.5, 3, 0}, false, "5.5 > 8 - 3");
}

void s4(Cases& cases) {
  const Segment s{{0, 0, 0}, {4, 0, 0}};
  const auto nearest = [&](const Vec3& point, const Vec3& right, const char* because) {
    cases.on(show(s) + ", nearest to " + show(point)).graze(closest(Point{point}, s).on_b).right(right, because);
  };
  nearest({1, 2, 0}, {1, 0, 0}, "above the segment: its x");
  nearest({-3, 4, 0}, {0, 0, 0}, "before its start");
  nearest({9, 0, 0}, {4, 0, 0}, "beyond its end");
}

void s5(Cases& cases) {
  const Segment edge{{0, 0, 0}, {4, 0, 0}};
  const auto meets = [&](const Sphere& s, bool right, const char* because) {
    cases.on(show(s) + " with the edge " + show(edge)).graze(intersects(s, edge)).right(right, because);
  };
  meets({{2, 1, 0}, 1}, true, "distance 1, the radius");
  meets({{5, 0, 0}, 1}, true, "1 beyond its end, the radius");
  meets({{4.75, .75, 0}, 1}, false, ".75^2 + .75^2 = 1.125 > 1");
}

void s6(Cases& cases) {
  const auto meets = [&](const Corners& corners, const Sphere& s, bool right, const char* because) {
    const Polygon p{std::span<const Vec3>(corners)};
    cases.on(show(s) + " with " + show(corners)).old(old::sphere_meets_polygon(s, corners)).graze(intersects(s, p)).right(right, because);
  };
  meets(kProgram, {{0, .5, .5}, .5}, true, ".5 above the inside: touching");
  meets(kProgram, {{0, .5, -.5}, .5}, true, ".5 below the inside: touching");
  meets(kProgram, {{0, -.5, 0}, .5}, true, ".5 from an edge: touching");
  meets(kProgram, {{-1.5, 0, 0}, .5}, true, ".5 from a corner: touching");
  meets(kProgram, {{0, .5, 0}, 0}, true, "a point inside");
  meets({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}, {{1, 1, 0}, .5}, true, "the middle of the square; the first three corners lie on one line");
  meets({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 2}}, {{.25, 3.75, 1.75}, .25}, true,
        "the second triangle of the fan is z = (y - x)/2: (.25,3.75,1.75) lies on it");
  const Corners concave{{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}};
  MeshData data{concave, triangulate(concave), {}};
  const Mesh mesh(std::move(data));
  const auto on_concave = [&](const Sphere& s, bool right, const char* because) {
    cases.on(show(s) + " with the concave " + show(concave)).old(old::sphere_meets_polygon(s, concave)).graze(intersects(s, mesh)).right(right, because);
  };
  on_concave({{2, 2, 0}, .5}, false, "4/sqrt(10) = 1.26 from the edges that meet in (1,1)");
  cases.on("(2,2,0) r 1.5 with the same").graze(intersects(Sphere{{2, 2, 0}, 1.5}, mesh)).right(true, "1.26 < 1.5");
}

void s7(Cases& cases) {
  const Polygon p{std::span<const Vec3>(kProgram)};
  const auto meets = [&](const Segment& s, bool right, const char* because) {
    cases.on(show(s) + " with " + show(kProgram)).graze(intersects(s, p)).right(right, because);
  };
  meets({{0, .5, 1}, {0, .5, -1}}, true, "through (0,.5,0)");
  meets({{0, 1, 1}, {0, 1, -1}}, true, "through the corner (0,1,0)");
  meets({{0, 1.25, 1}, {0, 1.25, -1}}, false, "above the corner");
  meets({{0, .5, 2}, {0, .5, 1}}, false, "ends before the plane");
  cases.on("(0,.5,1)(0,.5,-1): t").graze(raycast(Segment{{0, .5, 1}, {0, .5, -1}}, p)->t).right(.5, "z = 1 - 2 t");
}

void s8(Cases& cases) {
  const Polygon p{std::span<const Vec3>(kProgram)};
  cases.on(show(kProgram) + ": front")
      .graze(plane_of(Triangle{{kProgram[0], kProgram[1], kProgram[2]}})->normal)
      .right(Vec3(0, 0, 2), "counter-clockwise, area 1: twice the area along +z");
  const auto colour_after = [&](int presses, float step) {
    float y = .5f;  // the program adds in single precision
    for (int i = 0; i < presses; ++i) y += step;
    return intersects(Sphere{{0, y, 0}, .1f}, p) ? "green (0,255,0)" : "violet (255,0,255)";
  };
  cases.on("sphere r .1 at (0,.5,0)").graze(colour_after(0, .01f)).right("green (0,255,0)", "its centre lies in the triangle");
  cases.on("up 60 times by .01")
      .graze(colour_after(60, .01f))
      .right("green (0,255,0)", "y adds up to 1.0999994 in single precision, so the distance from the corner (0,1,0) is below the radius");
  cases.on("up 61 times").graze(colour_after(61, .01f)).right("violet (255,0,255)", "y is about 1.11, .11 from the corner");
  cases.on("down 60 times")
      .graze(colour_after(60, -.01f))
      .right("green (0,255,0)", "y adds up to -.0999998 in single precision, so the distance from the edge y = 0 is below the radius");
  cases.on("down 61 times").graze(colour_after(61, -.01f)).right("violet (255,0,255)", "y is about -.11, .11 from the edge");
}

void s9(Cases& cases) {
  Scene room;
  for (const double z : {0.0, 3.0}) room.add(Polygon{Vec3(-9, -9, z), Vec3(9, -9, z), Vec3(9, 9, z), Vec3(-9, 9, z)});
  for (const double s : {-9.0, 9.0}) {
    room.add(Polygon{Vec3(s, -9, 0), Vec3(s, 9, 0), Vec3(s, 9, 3), Vec3(s, -9, 3)});
    room.add(Polygon{Vec3(-9, s, 0), Vec3(9, s, 0), Vec3(9, s, 3), Vec3(-9, s, 3)});
  }
  const Sphere eye{{0, 0, 0}, .25};
  Mover camera(room, eye, {0, 0, 1.5});
  int touching = 0, outside = 0;
  double farthest = 0;
  for (int i = 0; i < 300; ++i) {
    camera.move(Vec3((i * 7 % 11 - 4) * .5, (i * 5 % 13 - 6) * .5, (i * 3 % 7 - 3) * .5));
    const Vec3 c = camera.pose().translation;
    touching += room.intersects(at(eye, camera.pose()));
    outside += !(std::abs(c.x) < 9 && std::abs(c.y) < 9 && c.z > 0 && c.z < 3);
    farthest = std::max(farthest, c.x);
  }
  cases.on("a camera r .25 in a room 18 x 18 x 3, 300 moves towards its walls: frames in which it touches")
      .graze(touching)
      .right(0, "after each move it meets nothing");
  cases.on("frames outside the room").graze(outside).right(0, "each move is a sweep");
  cases.on("its greatest x").graze(farthest).right_within(1e-6, 8.75, "stopped by the wall x = 9 less its radius");
}

}  // namespace

const std::vector<Row>& sphere_polygon_rows() {
  static const std::vector<Row> list = {
      {"S1", "a sphere against a plane: behind 0, intersects 1, front 2, with the signed distance", "graze view --demo sphere-polygon", s1},
      {"S2", "the sphere's centre projected onto the plane", "graze view --demo sphere-polygon", s2},
      {"S3", "is a point of the plane in a polygon", "graze view --demo sphere-polygon", s3},
      {"S4", "closest point of a segment", "graze query, op \"closest\"", s4},
      {"S5", "does the sphere meet an edge", "graze view --demo sphere-polygon", s5},
      {"S6", "a sphere against any simple polygon, concave and bent ones included", "graze view --demo sphere-polygon --preset concave", s6},
      {"S7", "segment against polygon", "graze query, op \"raycast\"", s7},
      {"S8", "the program: triangle, wireframe sphere, keys", "graze view --demo sphere-polygon", s8},
      {"S9", "a camera that collides with the world", "graze view --demo walk", s9}};
  return list;
}

}  // namespace graze::texts
