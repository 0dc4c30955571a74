// Rows U1 to U4 and U9: a moving point against a mesh. after_hit.cpp covers what happens after a hit.
#include <cmath>
#include <cstdint>
#include <graze/graze.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>
#include "texts/after_hit.hpp"
#include "texts/integer_triangles.hpp"
#include "texts/old_methods.hpp"
#include "texts/row.hpp"

namespace graze::texts {

namespace {

const Triangle kLegs{{Vec3(0, 0, 0), Vec3(0, 4, 0), Vec3(4, 0, 0)}};

std::string moving(const Vec3& from, const Vec3& by) { return show(from) + " by " + show(by); }

/// The hit point from both functions that return it, or their difference.
Value hit_point(const Vec3& from, const Vec3& by, ShapeRef target) {
  const auto swept = sweep(Point{from}, by, target);
  const auto cast = raycast(Segment{from, from + by}, target);  // all sums here are exact
  if (swept.has_value() != cast.has_value() || (swept && (swept->t != cast->t || swept->point != cast->point))) return "sweep and raycast differ";
  return swept ? std::optional<Vec3>(swept->point) : std::nullopt;
}

Value found(const Vec3& point) { return point == Vec3(0, 0, 0) ? Value("none") : Value(point); }

void u1(Cases& cases) {
  const Vec3 hit(1, 1, 0);
  const struct {
    Vec3 from, by;
    Value documented;
  } directions[] = {{{2, 0, 1}, {-1, 1, -1}, Vec3(3, 1, 0)},
                    {{0, 2, 1}, {1, -1, -1}, "none"},
                    {{2, 2, 1}, {-1, -1, -1}, Vec3(1, 3, 0)},
                    {{2, 1, 1}, {-1, 0, -1}, Vec3(3, 1, 0)},
                    {{1, 2, 1}, {0, -1, -1}, Vec3(1, 3, 0)}};
  for (const auto& d : directions)
    cases.on(show(kLegs) + ", " + moving(d.from, d.by))
        .documented(d.documented)
        .graze(hit_point(d.from, d.by, kLegs))
        .right(hit, "from + by, where z = 0; directions by arcsin and arctan lose quadrants");
  cases.on(moving({1, -.5, 1}, {0, 0, -2}))
      .documented("hit")
      .graze(hit_point({1, -.5, 1}, {0, 0, -2}, kLegs))
      .right("none", "y = -.5 lies outside; arccos loses the side");
  const MoveCount n = count_grid_moves(20000);
  cases.on("20,000 points straight down on triangles with corners on the grid -2..2: " + std::to_string(n.hits) + " hits; wrong answers")
      .documented("4,978 false hits per 7,735 true ones")
      .graze(std::to_string(n.missed) + " hits missed, " + std::to_string(n.invented) + " invented")
      .right("0 hits missed, 0 invented", "integer arithmetic decides each one");
  const Triangle around{{Vec3(-4, -4, 0), Vec3(4, -4, 0), Vec3(0, 4, 0)}};
  cases.on(show(around) + ", " + moving({0, 0, 1}, {0, 0, -2}))
      .old(found(old::moving_point_hits({0, 0, 1}, {0, 0, -2}, around)))
      .graze(hit_point({0, 0, 1}, {0, 0, -2}, around))
      .right(Vec3(0, 0, 0), "straight down through the origin, which stands for \"none\" in the listing");
  const Triangle up{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}};
  cases.on(show(up) + ", " + moving({1, 1, 0}, {0, 0, -1}) + ": t")
      .old(found(old::moving_point_hits({1, 1, 0}, {0, 0, -1}, up)))
      .graze(sweep(Point{{1, 1, 0}}, {0, 0, -1}, up)->t)
      .right(0., "it starts on the surface");
  cases.on(show(up) + ", " + moving({0, 0, 1}, {0, 0, -1}))
      .old(old::angle(Vec3(0, 0, 0), Vec3(4, 0, 0)))
      .graze(hit_point({0, 0, 1}, {0, 0, -1}, up))
      .right(Vec3(0, 0, 0), "exactly at a vertex; no angle there");
  cases.on(moving({1, 1, 0}, {0, 0, 0}) + ": t")
      .old(old::angle(Vec3(0, 0, 0), Vec3(0, 0, 1)))
      .graze(sweep(Point{{1, 1, 0}}, {0, 0, 0}, up)->t)
      .right(0., "displacement 0: the start lies on the triangle");
  cases.on(moving({1, 1, 1}, {0, 0, 0}))
      .old(old::angle(Vec3(0, 0, 0), Vec3(0, 0, 1)))
      .graze(hit_point({1, 1, 1}, {0, 0, 0}, up))
      .right("none", "displacement 0, off the triangle");
  cases.on(moving({-1, 1, 1}, {9, 0, 0}))
      .documented("undecided: the comparison of the parallel test is lost in print")
      .graze(hit_point({-1, 1, 1}, {9, 0, 0}, up))
      .right("none", "parallel, 1 above");
  cases.on(moving({-1, 1, 0}, {9, 0, 0})).graze(hit_point({-1, 1, 0}, {9, 0, 0}, up)).right(Vec3(0, 1, 0), "within the plane: enters at x = 0");
  cases.on(moving({1, 1, 1}, {0, 0, -.5})).graze(hit_point({1, 1, 1}, {0, 0, -.5}, up)).right("none", "ends .5 above");
}

void u2(Cases& cases) {
  const Triangle tiny{{Vec3(0, 0, 0), Vec3(1e-4, 0, 0), Vec3(0, 1e-4, 0)}};
  const Vec3 from(.002, .002, 1), by(0, 0, -2);
  cases.on(show(tiny) + ", " + moving(from, by))
      .documented("hit")
      .graze(sweep(Point{from}, by, tiny) ? "hit" : "none")
      .right("none", "it passes 20 sides away; the tolerance grows as the sides get shorter");
  cases.on("the same with a sphere r .003")
      .graze(sweep(Sphere{from, .003}, by, tiny) ? "hit" : "none")
      .right("hit", "(.002^2 + .002^2) = 8e-6 < 9e-6: the tolerant form");
  cases.on("the same with a sphere r .0025")
      .graze(sweep(Sphere{from, .0025}, by, tiny) ? "hit" : "none")
      .right("none", "nearest point (.5e-4,.5e-4): 2 * .00195^2 = 7.6e-6 > 6.25e-6");
}

/// The velocity after the first reflection.
Value new_vector(const Vec3& from, const Vec3& by, ShapeRef target) {
  const BounceStep step = bounce(Point{from}, by, 1, target, {});
  return step.hits.empty() ? "none" : Value(step.hits[0].velocity_after);
}

void u3(Cases& cases) {
  const auto mirrored = [&](const Vec3& v, const Vec3& n, const Vec3& right, const char* because) {
    cases.on(show(v) + " at the normal " + show(n)).old(old::reflect(v, n)).graze(reflect(v, n)).right_within(1e-15, right, because);
  };
  cases.on("(1,0,-1) at the normal (0,0,1)").graze(reflect({1, 0, -1}, {0, 0, 1})).right(Vec3(1, 0, 1), "z is reversed");
  cases.on("(1,0,-1) at the normal (0,0,-1)")
      .documented("undecided: the comparison of the orientation is lost in print")
      .graze(reflect({1, 0, -1}, {0, 0, -1}))
      .right(Vec3(1, 0, 1), "the same plane");
  mirrored({1, 0, -1}, {0, 0, 2}, {1, 0, 1}, "the same plane; the length of the normal does not matter");
  const double third = 1 / std::sqrt(3.0);
  mirrored({-1, -1, -1}, {third, third, third}, {1, 1, 1}, "head-on: reversed; the rounded cosine is above 1");
  mirrored({1000, 0, -1e-4}, {0, 0, 1}, {1000, 0, 1e-4}, "grazing: z is reversed");
  mirrored({0, 0, 0}, {0, 0, 1}, {0, 0, 0}, "nothing stays nothing");
  const Triangle flat{{Vec3(.5, -1, 0), Vec3(.5, 1, 0), Vec3(2, 0, 0)}};
  const auto at_border = [&](const Vec3& from, const Vec3& by, const Vec3& right, const char* because) {
    cases.on(show(flat) + ", " + moving(from, by)).graze(new_vector(from, by, flat)).right(right, because);
  };
  at_border({0, 0, 1}, {1, 0, -2}, {1, 0, 2}, "through an edge at (.5,0,0): the plane z = 0 reflects, as within the triangle");
  at_border({0, -1, 1}, {1, 0, -2}, {1, 0, 2}, "through a corner at (.5,-1,0): the same");
  at_border({0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, "within the plane onto an edge: the edge reflects");
}

Mesh floors(std::initializer_list<double> heights) {
  MeshData data;
  for (const double z : heights) {
    const auto n = static_cast<std::uint32_t>(data.vertices.size());
    for (const Vec3 v : {Vec3(-9, -9, z), Vec3(9, -9, z), Vec3(9, 9, z), Vec3(-9, 9, z)}) data.vertices.push_back(v);
    data.triangles.insert(data.triangles.end(), {{n, n + 1, n + 2}, {n, n + 2, n + 3}});
  }
  return Mesh(std::move(data));
}

/// n x n vertices at unit distance in the plane z = 0.
Mesh sheet(std::uint32_t n) {
  MeshData data;
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) data.vertices.push_back(Vec3(i, j, 0));
  for (std::uint32_t j = 0; j + 1 < n; ++j)
    for (std::uint32_t i = 0; i + 1 < n; ++i) {
      const std::uint32_t a = j * n + i;
      data.triangles.insert(data.triangles.end(), {{a, a + 1, a + n + 1}, {a, a + n + 1, a + n}});
    }
  return Mesh(std::move(data));
}

void u4(Cases& cases) {
  const Mesh stack = floors({0, 1, 3, 2});
  const Vec3 from(1, 0, 4), by(0, 0, -9);
  Vec3 first_in_array(0, 0, 0);  // the listing takes faces in the order of the array
  for (std::size_t i = 0; i < stack.size() && first_in_array == Vec3(0, 0, 0); ++i) {
    Triangle t;
    for (int k = 0; k < 3; ++k) t.points[k] = stack.vertices()[stack.triangles()[i][k]];
    first_in_array = old::moving_point_hits(from, by, t);
  }
  const BounceStep step = bounce(Point{from}, by, 1, stack, {}, {});
  cases.on("floors z = 0, 1, 3, 2 in this order, " + moving(from, by) + ": place of the hit")
      .old(found(first_in_array))
      .graze(step.hits.at(0).point)
      .right(Vec3(1, 0, 3), "the nearest, not the first in the array");
  cases.on("... the new vector").graze(step.hits[0].velocity_after).right(Vec3(0, 0, 9), "reflected at z = 3, length kept");
  cases.on("... where it ends").graze(step.position).right_within(1e-14, Vec3(1, 0, 11), "1 down to the hit, 8 up");
  const Mesh square = sheet(2);
  const Polygon outline{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const auto at_border = [&](const Vec3& start, const Vec3& way, const Vec3& right, const char* because) {
    cases.on("the square [0,1]^2 at z = 0 as a mesh, " + moving(start, way)).graze(new_vector(start, way, square)).right(right, because);
    cases.on("... as a polygon").graze(new_vector(start, way, outline)).right(right, "the same surface");
  };
  at_border({-1, .25, 1}, {2, 0, -2}, {2, 0, 2}, "through an outer edge at (0,.25,0): the plane reflects");
  at_border({0, 0, 1}, {1, 1, -2}, {1, 1, 2}, "through the edge of two triangles at (.5,.5,0): the plane reflects");
  at_border({-1, .25, 0}, {2, 0, 0}, {-2, 0, 0}, "within the plane onto an outer edge: the edge reflects");
  const Mesh large = sheet(300);
  const auto hit = sweep(Point{{298.75, 298.5, 1}}, {0, 0, -2}, large);
  cases.on("a sheet of 90,000 vertices, " + moving({298.75, 298.5, 1}, {0, 0, -2}) + ": its highest vertex")
      .old(static_cast<std::uint16_t>(large.triangles()[*hit->triangle_b][2]))
      .graze(large.triangles()[*hit->triangle_b][2])
      .right(89999, "300 * 300 - 1, above the 65,535 of the listing's indices");
}

void u9(Cases& cases) {
  const auto normal = [&](const Triangle& t, const Vec3& eye, const Value& right, const char* because, bool computed) {
    auto sentence = cases.on(show(t) + " seen from " + show(eye));
    if (computed) sentence.old(old::normal_with_free_z(t));
    sentence.graze(unit_normal(t, eye)).right(right, because);
  };
  const Triangle flat{{Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, 5, 0)}};
  normal(flat, {1, 1, 7}, Vec3(0, 0, 1), "towards the viewpoint above", false);
  normal(flat, {1, 1, -7}, Vec3(0, 0, -1), "towards the viewpoint below", false);
  normal({{Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}}, {5, 0, 0}, Vec3(1, 0, 0), "the plane x = 0: z of the normal must be 0 and cannot be chosen freely",
         true);
  normal({{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)}}, {0, 0, 1}, "none", "three points of one line", false);
}

}  // namespace

const std::vector<Row>& moving_point_rows() {
  static const std::vector<Row> list = {
      {"U1", "a moving point against one triangle: does it hit on its path, and where", "graze view --demo sweeps", u1},
      {"U2", "tolerance: exact in Graze, a sphere of the wished radius is the tolerant form", "graze query, op \"sweep\"", u2},
      {"U3", "reflection for either orientation of the normal, length kept", "graze query, op \"reflect\"", u3},
      {"U4", "against a whole mesh: new vector and place of the hit", "graze query, op \"bounce\"", u4},
      {"U5", "several reflections within one step, at most 10, then stopped", "graze view rattle", u5},
      {"U6", "friction: speed is lost at each hit", "graze view --demo stones", u6},
      {"U7", "the program: many bodies fall on a rock, bounce off and start again", "graze view --demo stones", u7},
      {"U8", "shots, a thrown grenade, a camera in a bounded space", "graze view --demo shot; graze view --demo grenade; graze view --demo walk", u8},
      {"U9", "unit normal of three points, turned towards a viewpoint", "graze view --demo normals", u9},
      {"U10", "a camera on a bouncing body", "graze view stones, key R", u10}};
  return list;
}

}  // namespace graze::texts
