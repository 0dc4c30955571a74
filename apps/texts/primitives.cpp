// Rows P1 to P10: tests of primitives.
#include <cmath>
#include <graze/graze.hpp>
#include <string>
#include <vector>
#include "texts/old_methods.hpp"
#include "texts/row.hpp"

namespace graze::texts {

namespace {

void p1(Cases& cases) {
  const Box cube = Box::from_center({1, 2, 3}, .5);
  const auto in = [&](const Vec3& p, bool right, const char* because) {
    cases.on(show(p) + " in the cube (1,2,3), half size .5").old(old::box_has_point(cube, p)).graze(contains(cube, p)).right(right, because);
  };
  in({1.5, 2.5, 3.5}, true, "a corner");
  in({1.5, 2, 3}, true, "on a face");
  cases.on("(1.5 + 1 ulp,2,3) in the same").graze(contains(cube, {std::nextafter(1.5, 2.0), 2, 3})).right(false, "an ulp outside");
  cases.on("(1,2,3) in the same").graze(contains(cube, {1, 2, 3})).right(true, "its centre");
}

void p2(Cases& cases) {
  const Box box = Box::from_center({0, 0, 0}, Vec3(1, 2, 3));
  cases.on("(-1,2,-3) in the box at 0, half sizes 1, 2, 3").old(old::box_has_point(box, {-1, 2, -3})).graze(contains(box, {-1, 2, -3})).right(true, "a corner");
  cases.on("(0,2.5,0) in the same").graze(contains(box, {0, 2.5, 0})).right(false, "2.5 > 2");
}

void p3(Cases& cases) {
  const Box box{{0, 0, 0}, {1, 2, 3}};
  cases.on("(1,2,3) in " + show(box)).graze(contains(box, {1, 2, 3})).right(true, "its corner");
  cases.on("(1,2,3.5) in " + show(box)).graze(contains(box, {1, 2, 3.5})).right(false, "3.5 > 3");
}

void p4(Cases& cases) {
  const Box a = Box::from_corner({0, 0, 0}, {2, 2, 2});
  const auto meets = [&](const Vec3& corner, const Vec3& size, bool right, const char* because) {
    cases.on("(0,0,0) size (2,2,2) with " + show(corner) + " size " + show(size)).graze(intersects(a, Box::from_corner(corner, size))).right(right, because);
  };
  meets({2, 2, 2}, {5, 1, 1}, true, "a common corner");
  meets({.5, .5, .5}, {.25, .25, .25}, true, "one inside the other");
  meets({2.5, 0, 0}, {1, 1, 1}, false, "2.5 > 2");
}

void p5(Cases& cases) {
  const Box box{{0, 0, 0}, {1, 1, 1}};
  const auto meets = [&](const Sphere& s, const char* because) {
    cases.on(show(s) + " with " + show(box)).old(old::box_meets_sphere(box, s)).graze(intersects(box, s)).right(true, because);
  };
  meets({{1.75, 1.75, .5}, 1.25}, ".75^2 + .75^2 = 1.125 < 1.5625");
  meets({{4, 5, .5}, 5}, "3^2 + 4^2 = 5^2: touching");
  meets({{2, 3, 3}, 3}, "1 + 4 + 4 = 3^2: touching");
  cases.on("(4,5,.5) r 5 - 1 ulp with the same").graze(intersects(box, Sphere{{4, 5, .5}, std::nextafter(5.0, 4.0)})).right(false, "an ulp less than touching");
}

void p6(Cases& cases) {
  const Box cube = Box::from_center({0, 0, 0}, 1.0);
  const Segment touching{{7, 0, 0}, {-5, 2, 0}};
  cases.on(show(touching) + " with the cube -1..1")
      .old(old::cube_meets_segment(1, touching))
      .graze(intersects(cube, touching))
      .right(true, "its middle (1,1,0) lies on an edge");
  cases.on("(7,0,0)(-5,2 + 1 ulp,0) with the same")
      .graze(intersects(cube, Segment{{7, 0, 0}, {-5, std::nextafter(2.0, 3.0), 0}}))
      .right(false, "passes the edge by less than an ulp");
  cases.on("(3,0,0)(2,0,0) with the same").graze(intersects(cube, Segment{{3, 0, 0}, {2, 0, 0}})).right(false, "ends 1 before it");
}

void p7(Cases& cases) {
  const Sphere s{{0, 0, 0}, 1.73205078};
  cases.on("(1,1,1) in " + show(s))
      .old(old::sphere_has_point(s, {1, 1, 1}))
      .graze(contains(s, {1, 1, 1}))
      .right(false, "1.73205078^2 < 3; in single precision both are equal");
  cases.on("(1,1,1) in (0,0,0) r 1.7320508076")
      .graze(contains(Sphere{{0, 0, 0}, 1.7320508076}, {1, 1, 1}))
      .right(true, "1.7320508076 > sqrt(3) = 1.73205080756..");
}

void p8(Cases& cases) {
  const auto meet = [&](const Sphere& a, const Sphere& b, const char* because) {
    cases.on(show(a) + " with " + show(b)).old(old::spheres_meet(a, b)).graze(intersects(a, b)).right(true, because);
  };
  meet({{1, 2, 3}, 0}, {{1, 2, 3}, 0}, "one point twice");
  meet({{0, 0, 0}, 1}, {{2, 0, 0}, 1}, "1 + 1 = 2: touching");
  meet({{0, 0, 0}, 1e8}, {{1e8, 0, 0}, 1}, "1e8 + 1 > 1e8; the sum rounds to 1e8 in single precision");
}

void p9(Cases& cases) {
  const Segment s{{0, 0, 0}, {1, 0, 0}};
  const auto meets = [&](const Vec3& center, bool right, const char* because) {
    const Sphere sphere{center, 1};
    cases.on(show(sphere) + " with " + show(s)).old(old::sphere_meets_segment(sphere, s)).graze(intersects(sphere, s)).right(right, because);
  };
  meets({1.75, .75, 0}, false, ".75^2 + .75^2 = 1.125 > 1");
  meets({-.75, .75, 0}, false, ".75^2 + .75^2 = 1.125 > 1");
  meets({2, 0, 0}, true, "1 beyond the end: touching");
  meets({-1, 0, 0}, true, "1 before the start: touching");
  const Segment none{{0, 0, 0}, {0, 0, 0}};
  cases.on("(1,0,0) r 1 with a segment of length zero at 0")
      .documented("reads a direction that was never set")
      .graze(intersects(Sphere{{1, 0, 0}, 1}, none))
      .right(true, "the distance is the radius");
  cases.on("(1.5,0,0) r 1 with the same")
      .documented("reads a direction that was never set")
      .graze(intersects(Sphere{{1.5, 0, 0}, 1}, none))
      .right(false, "1.5 > 1");
}

// The example program of the article: each of its pairs at the last double at which it touches, and at the next double.
void p10(Cases& cases) {
  const auto both = [&](const std::string& what, auto&& touches, double at) {
    const double past = std::nextafter(at, 1e9);
    cases.on(what + " at x = " + show(at) + ", and one ulp farther")
        .graze(std::string(touches(at) ? "yes" : "no") + ", " + (touches(past) ? "yes" : "no"))
        .right("yes, no", "touching is the last yes");
  };
  const Box cube = Box::from_center({0, 0, 0}, 1.0), box = Box::from_center({0, 0, 0}, Vec3(1, 2, 3)), corners{{-1, -1, -1}, {1, 1, 1}};
  const Sphere ball{{0, 0, 0}, 1};
  both(
      "P1 cube, point",
      [&](double x) {
        return contains(cube, {x, .5, 0});
      },
      1);
  both(
      "P2 box, point",
      [&](double x) {
        return contains(box, {x, 2, 3});
      },
      1);
  both(
      "P3 box by corners, point",
      [&](double x) {
        return contains(corners, {x, 1, 1});
      },
      1);
  both(
      "P4 box, box",
      [&](double x) {
        return intersects(cube, Box::from_corner({x, -1, 0}, {2, 2, 2}));
      },
      1);
  both(
      "P5 box, sphere",
      [&](double x) {
        return intersects(cube, Sphere{{x, 0, 0}, 1});
      },
      2);
  both(
      "P6 cube, segment",
      [&](double x) {
        return intersects(cube, Segment{{x, -2, 0}, {x, 2, 0}});
      },
      1);
  both(
      "P7 sphere, point",
      [&](double x) {
        return contains(ball, {x, 0, 0});
      },
      1);
  both(
      "P8 sphere, sphere",
      [&](double x) {
        return intersects(ball, Sphere{{x, 0, 0}, 2});
      },
      3);
  both(
      "P9 sphere, segment",
      [&](double x) {
        return intersects(ball, Segment{{x, -2, 0}, {x, 2, 0}});
      },
      1);
}

}  // namespace

const std::vector<Row>& primitive_rows() {
  static const std::vector<Row> list = {
      {"P1", "cube against point: centre, half size", "graze view --demo primitives --preset p1-cube-point", p1},
      {"P2", "box against point: centre, half size per axis", "graze view --demo primitives --preset p2-box-point", p2},
      {"P3", "box against point: lowest and highest corner", "graze view --demo primitives --preset p3-box-corners-point", p3},
      {"P4", "box against box of another size: corner and size", "graze view --demo primitives --preset p4-box-box", p4},
      {"P5", "box against sphere", "graze view --demo primitives --preset p5-box-sphere", p5},
      {"P6", "cube against segment", "graze view --demo primitives --preset p6-cube-segment", p6},
      {"P7", "sphere against point", "graze view --demo primitives --preset p7-sphere-point", p7},
      {"P8", "sphere against sphere", "graze view --demo primitives --preset p8-sphere-sphere", p8},
      {"P9", "sphere against segment", "graze view --demo primitives --preset p9-sphere-segment", p9},
      {"P10", "an example program that shows them", "graze view --demo primitives", p10}};
  return list;
}

}  // namespace graze::texts
