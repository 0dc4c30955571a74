// A point against flat surfaces, on their edges and corners too: sweep, raycast and bounce agree on the time and the normal, and brute force in rationals knows
// both.
#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/response.hpp>
#include <graze/scene.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "property/instances.hpp"
#include "support/rational_oracle.hpp"

namespace graze::test {
namespace {

const QVec kZero{0, 0, 0};

bool on_segment(const QVec& x, const QVec& a, const QVec& b) { return cross(x - a, b - a) == kZero && dot(x - a, x - b) <= 0; }

/// A triangle, and the answer about it in rationals.
struct ExactTriangle {
  QVec corner[3], n;
  explicit ExactTriangle(const Triangle& t) {
    for (std::size_t k = 0; k < 3; ++k) corner[k] = exact(t.points[k]);
    n = cross(corner[1] - corner[0], corner[2] - corner[0]);
  }

  bool contains(const QVec& x) const {
    bool within = n != kZero && dot(n, x - corner[0]) == 0, on_edge = false;
    for (int k = 0; k < 3; ++k) {
      const QVec &a = corner[k], &b = corner[(k + 1) % 3];
      within = within && dot(n, cross(b - a, x - a)) >= 0;
      on_edge = on_edge || on_segment(x, a, b);
    }
    return within || on_edge;
  }

  /// The first t in [0, 1] at which p + t m is in the triangle: the start, or where the path meets the plane, a corner, or the line of an edge.
  std::optional<Q> first_time(const QVec& p, const QVec& m) const {
    std::optional<Q> first;
    const auto add = [&](const Q& t) {
      if (t >= 0 && t <= 1 && (!first || t < *first) && contains(p + t * m)) first = t;
    };
    const auto add_quotient = [&](const Q& a, const Q& b) {
      if (b != 0) add(a / b);
    };
    add(0);
    add_quotient(dot(n, corner[0] - p), dot(n, m));
    for (int k = 0; k < 3; ++k) {
      const QVec to = corner[k] - p, across = cross(m, corner[(k + 1) % 3] - corner[k]);
      add_quotient(dot(to, m), dot(m, m));
      add_quotient(dot(cross(to, corner[(k + 1) % 3] - corner[k]), across), dot(across, across));
    }
    return first;
  }

  /// The normal of a contact at t, of any length, by the definition: across the plane, else across the line, else from the triangle to the point just before.
  QVec normal(const QVec& p, const QVec& m, const Q& t) const {
    const Q rate = dot(n, m);
    if (rate != 0) return (rate > 0 ? Q(-1) : Q(1)) * n;
    QVec edge = kZero;
    for (int k = 0; k < 3; ++k)
      if (edge == kZero) edge = corner[(k + 1) % 3] - corner[k];
    const QVec back = Q(-1) * m;
    if (n == kZero) {
      const QVec across = dot(edge, edge) * back - dot(edge, back) * edge;
      return across == kZero ? back : across;
    }
    const QVec before = p + (t - Q(1) / 1000000000) * m;
    std::optional<QVec> nearest;
    for (int k = 0; k < 3; ++k) {
      const QVec &a = corner[k], e = corner[(k + 1) % 3] - a;
      Q s = dot(e, e) == 0 ? Q(0) : Q(dot(before - a, e) / dot(e, e));
      s = s < 0 ? Q(0) : s > 1 ? Q(1) : s;
      const QVec from = before - (a + s * e);
      if (!nearest || dot(from, from) < dot(*nearest, *nearest)) nearest = from;
    }
    return *nearest;
  }
};

Vec3 unit(const QVec& v) {
  const double x = static_cast<double>(v[0]), y = static_cast<double>(v[1]), z = static_cast<double>(v[2]),
               size = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
  const Vec3 u(x / size, y / size, z / size);
  return u / std::sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
}

bool near(const std::optional<Vec3>& got, const Vec3& right) {
  return got && std::fabs(got->x - right.x) < 1e-14 && std::fabs(got->y - right.y) < 1e-14 && std::fabs(got->z - right.z) < 1e-14;
}
std::string said(const std::optional<Vec3>& v) { return v ? text(*v) : "no normal"; }

/// A surface in each of its forms, and its triangles in order.
struct Surface {
  std::vector<AnyShape> forms;
  std::vector<Triangle> triangles;
};

struct SeenCases {
  int hits = 0, borders = 0, in_plane = 0, starts = 0;
};

/// The motion of a point by `m` from `p`: all forms give the first contact that brute force finds.
void check(const Surface& surface, const Vec3& p, const Vec3& m, SeenCases& counts) {
  const QVec qp = exact(p), qm = exact(m);
  std::optional<Q> first;
  std::size_t lowest = 0;
  std::vector<ExactTriangle> exact_triangles;
  for (const Triangle& t : surface.triangles) {
    exact_triangles.emplace_back(t);
    const auto time = exact_triangles.back().first_time(qp, qm);
    if (!time || (first && *time >= *first)) continue;
    first = time;
    lowest = exact_triangles.size() - 1;
  }
  const Vec3 right = first ? unit(exact_triangles[lowest].normal(qp, qm, *first)) : Vec3(0, 0, 0);
  const Q rate = first ? dot(exact_triangles[lowest].n, qm) : Q(0);
  for (const AnyShape& form : surface.forms) {
    const std::string where = std::string(type_name(form.kind())) + ", point " + text(p) + " by " + text(m) + ", triangle " + std::to_string(lowest) + " of " +
                              std::to_string(surface.triangles.size());
    const auto swept = sweep(Point{p}, m, form), ball = sweep(Sphere{p, 0}, m, form), moved = sweep(form, -m, Point{p});
    const auto cast = raycast(Segment{p, p + m}, form), along = raycast(Ray{p, m}, form, {.t_max = 1});
    const BounceStep step = bounce(Point{p}, m, 1, form, {}, {.max_bounces = 1});
    ASSERT_EQ(swept.has_value(), first.has_value()) << where;
    ASSERT_EQ(ball.has_value(), first.has_value()) << where;
    ASSERT_EQ(moved.has_value(), first.has_value()) << where;
    ASSERT_EQ(cast.has_value(), first.has_value()) << where;
    ASSERT_EQ(along.has_value(), first.has_value()) << where;
    if (!first) {
      ASSERT_TRUE(step.hits.empty()) << where;
      continue;
    }
    ++counts.hits;
    ASSERT_TRUE(Q(swept->t) <= *first && *first < Q(next_up(swept->t))) << where;
    for (const double t : {ball->t, moved->t, cast->t, along->t}) ASSERT_EQ(t, swept->t) << where;
    if (*first == 0) {
      // a start on several triangles is that of the lowest that stays in contact, so only a single one has a known normal
      ++counts.starts;
      if (surface.triangles.size() > 1 || rate == 0) continue;
      ASSERT_TRUE(near(swept->normal, right)) << where << ": " << said(swept->normal) << ", right " << text(right);
      const bool through = rate < 0 && form.kind() != kind_of<Hull>;  // from the back to the front it departs; a hull has neither
      ASSERT_EQ(step.hits.empty(), !through) << where;
      ASSERT_TRUE(!through || near(step.hits[0].normal, right)) << where;
      continue;
    }
    counts.in_plane += rate == 0;
    counts.borders += rate != 0 && [&] {
      const ExactTriangle& t = exact_triangles[lowest];
      for (int k = 0; k < 3; ++k)
        if (on_segment(qp + *first * qm, t.corner[k], t.corner[(k + 1) % 3])) return true;
      return false;
    }();
    for (const auto& got : {swept->normal, ball->normal, cast->normal, along->normal})
      ASSERT_TRUE(near(got, right)) << where << ": " << said(got) << ", right " << text(right);
    ASSERT_TRUE(near(moved->normal, -right)) << where << ", surface moving: " << said(moved->normal);
    ASSERT_FALSE(step.hits.empty()) << where;
    ASSERT_EQ(step.hits[0].time, swept->t) << where;
    ASSERT_TRUE(near(step.hits[0].normal, right)) << where << ", bounce: " << text(step.hits[0].normal);
    if (surface.triangles.size() > 1) {
      ASSERT_EQ(*cast->triangle, lowest) << where;
      ASSERT_EQ(*swept->triangle_b, lowest) << where;
    }
  }
}

/// Paths that aim at corners, edges and inner points, within the plane of a triangle or not.
void check_paths(const Surface& surface, int paths, Source& s, SeenCases& counts, const std::function<bool(const Vec3&)>& may_start = {}) {
  const auto factor = [&] { return static_cast<double>(s.random.integer(-2, 2)); };
  for (int i = 0; i < paths; ++i) {
    const auto& c = surface.triangles[static_cast<std::size_t>(s.below(static_cast<int>(surface.triangles.size())))].points;
    const std::size_t k = static_cast<std::size_t>(s.below(3)), j = (k + 1) % 3, l = (k + 2) % 3;
    const Vec3 aim = i % 4 == 0 ? c[k] : i % 4 == 3 ? 0.5 * c[k] + 0.25 * (c[j] + c[l]) : 0.5 * (c[k] + c[j]);
    const Vec3 m = s.below(3) == 0 ? factor() * (c[j] - c[k]) + factor() * (c[l] - c[k]) : s.vector();
    if (m == Vec3(0, 0, 0)) continue;
    const double back[] = {.5, .5, .25, 1, 0};
    const Vec3 start = aim - back[s.below(5)] * m;
    if (!may_start || may_start(start)) check(surface, start, m, counts);
    if (testing::Test::HasFatalFailure()) return;
  }
}

Mesh mesh_of(const std::vector<Triangle>& triangles) {
  MeshData data;
  for (const Triangle& t : triangles) {
    const auto n = static_cast<std::uint32_t>(data.vertices.size());
    for (const Vec3& p : t.points) data.vertices.push_back(p);
    data.triangles.push_back({n, n + 1, n + 2});
  }
  return Mesh(std::move(data));
}

TEST(FlatSurfaces, Triangles) {
  Source s(811);
  SeenCases counts;
  for (int i = 0; i < rounds(200); ++i) {
    Triangle t{{s.vector(), s.vector(), s.vector()}};
    if (i % 6 == 0) t.points[2] = s.below(3) == 0 ? t.points[0] : 2.0 * t.points[1] - t.points[0];
    Surface surface{{t, mesh_of({t}), AnyShape(Compound({{t, Pose{}}}))}, {t}};
    if (i % 6 != 0) surface.forms.push_back(Hull(t.points));
    check_paths(surface, 8, s, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.borders, 400);
  EXPECT_GT(counts.in_plane, 100);
  EXPECT_GT(counts.starts, 100);
}

TEST(FlatSurfaces, Polygons) {
  Source s(812);
  SeenCases counts;
  const std::vector<std::vector<Vec3>> outlines = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {2, 3, 0}, {0, 2, 0}}};
  for (int i = 0; i < rounds(90); ++i) {
    std::vector<Vec3> corners;
    const Vec3 o = s.vector(), u = s.vector(), v = s.vector();
    for (const Vec3& c : outlines[static_cast<std::size_t>(i % 2)]) corners.push_back(o + c.x * u + c.y * v);
    if (i % 3 == 0) corners = {s.vector(), s.vector(), s.vector(), s.vector()};  // bent
    std::optional<Polygon> polygon;
    try {
      polygon.emplace(corners);
    } catch (const Error&) {
      continue;
    }
    std::vector<Triangle> fan;
    for (std::size_t k = 2; k < corners.size(); ++k) fan.push_back({{corners[0], corners[k - 1], corners[k]}});
    check_paths({{*polygon, mesh_of(fan)}, fan}, 8, s, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.borders, 100);
  EXPECT_GT(counts.in_plane, 30);
}

std::vector<Triangle> triangles_of(const Mesh& mesh) {
  std::vector<Triangle> list;
  for (const auto& t : mesh.triangles()) list.push_back({{mesh.vertices()[t[0]], mesh.vertices()[t[1]], mesh.vertices()[t[2]]}});
  return list;
}

TEST(FlatSurfaces, HeightFields) {
  Source s(813);
  SeenCases counts;
  for (int i = 0; i < rounds(60); ++i) {
    std::vector<double> heights;
    for (int k = 0; k < 9; ++k) heights.push_back(s.random.integer(0, 1));
    const HeightField field({0, 0, 0}, 1, 2, 3, heights);
    check_paths({{field, field.mesh()}, triangles_of(field.mesh())}, 8, s, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.borders, 100);
  EXPECT_GT(counts.in_plane, 30);
}

/// From outside a solid, its surface counts.
TEST(FlatSurfaces, Solids) {
  Source s(814);
  SeenCases counts;
  for (int i = 0; i < rounds(100); ++i) {
    std::vector<Vec3> c{s.vector(), s.vector(), s.vector(), s.vector()};
    const int side = exact_side(c[0], c[1], c[2], c[0], c[3]);
    if (side == 0) continue;
    if (side > 0) std::swap(c[0], c[1]);
    const Mesh mesh({c, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}, {}});
    const Solid solid(mesh);
    check_paths({{mesh, solid}, triangles_of(mesh)}, 8, s, counts, [&](const Vec3& start) { return !contains(solid, start); });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.borders, 100);
}

/// A motion that is no triple of doubles, in a scene and between two moving shapes.
TEST(FlatSurfaces, MotionsThatAreNoDoubles) {
  const Triangle flat{{Vec3(.5, -1, 0), Vec3(.5, 1, 0), Vec3(2, 0, 0)}};
  const Point p{{0, .5, 1}};
  const Vec3 from(0, 1, 0), to(1, 0x1p-60, -2);  // meets the edge at (.5, 2^-61, 0)
  for (const AnyShape& form : {AnyShape(flat), AnyShape(mesh_of({flat}))}) {
    Scene scene;
    (void)scene.add(form);
    const auto between = scene.sweep(p, {.from = from, .to = to});
    ASSERT_TRUE(between);
    EXPECT_EQ(between->hit.t, .5);
    EXPECT_EQ(between->hit.normal, Vec3(0, 0, 1));
    const auto both = sweep(p, to, form, from);
    ASSERT_TRUE(both);
    EXPECT_EQ(both->t, .5);
    EXPECT_EQ(both->normal, Vec3(0, 0, 1));
    // the height decides, however small: 2^-80 above the plane at the start and below it at the end
    const auto nearly = sweep(Point{{0, 0, 0x1p-80}}, {1, 0, -0x1p-79}, form);
    ASSERT_TRUE(nearly);
    EXPECT_EQ(nearly->t, .5);
    EXPECT_TRUE(near(nearly->normal, {0, 0, 1})) << said(nearly->normal);
  }
}

/// A ball of positive radius meets an edge beside the plane, so its normal leads from the edge to its centre.
TEST(FlatSurfaces, BallsKeepTheNormalOfTheirContact) {
  const Triangle flat{{Vec3(.5, -1, 0), Vec3(.5, 1, 0), Vec3(2, 0, 0)}};
  for (const AnyShape& form : {AnyShape(flat), AnyShape(mesh_of({flat}))}) {
    const auto hit = sweep(Sphere{{-.5, 0, 4}, 1.25}, {0, 0, -4}, form);  // meets the edge at the height .75
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->t, .8125);
    EXPECT_TRUE(near(hit->normal, {-.8, 0, .6})) << said(hit->normal);
  }
}

}  // namespace
}  // namespace graze::test
