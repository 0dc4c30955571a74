// Rays that count only one side of the triangles, or those that a filter accepts: every answer is that of a mesh of the triangles that count, whose sides are
// found here in rational numbers; refused triangles hide nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/graze.hpp>
#include <graze/threads.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "bvh/scenes.hpp"
#include "mesh/meshes.hpp"
#include "platform/cpu.hpp"
#include "support/random.hpp"
#include "support/rational_oracle.hpp"

namespace graze::triangle_filter_test {
namespace {

using test::Random;

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Sign of the normal times to - from.
int exact_side(const Triangle& t, const Vec3& from, const Vec3& to) { return test::exact_side(t.points[0], t.points[1], t.points[2], from, to); }

struct Cast {
  AnyShape ray;
  Vec3 from, to;  ///< its direction is to - from
};

/// The triangles that count, as a mesh of their own.
struct Counted {
  Mesh mesh;
  std::vector<std::uint32_t> number;
};
Counted counted(const Mesh& mesh, const Pose* pose, const Cast& cast, const RayOptions& o) {
  MeshData d;
  d.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  std::vector<std::uint32_t> number;
  for (std::uint32_t i = 0; i < mesh.size(); ++i) {
    if (o.sides != Sides::both && exact_side(test::placed_triangle(MeshView(mesh, pose), i), cast.from, cast.to) != (o.sides == Sides::front ? -1 : 1))
      continue;
    if (o.accept && !o.accept({i, mesh.user()[i], {}, {}})) continue;
    d.triangles.push_back(mesh.triangles()[i]);
    d.user.push_back(mesh.user()[i]);
    number.push_back(i);
  }
  return {Mesh(std::move(d)), std::move(number)};
}

void expect_same(const Hit& got, Hit want, const std::vector<std::uint32_t>* number = nullptr) {
  if (number) want.triangle = (*number)[*want.triangle];
  EXPECT_EQ(got.t, want.t);
  EXPECT_EQ(got.point, want.point);
  EXPECT_EQ(got.normal, want.normal);
  EXPECT_EQ(got.triangle, want.triangle);
  EXPECT_EQ(got.part, want.part);
  EXPECT_EQ(got.child, want.child);
  EXPECT_EQ(got.barycentric, want.barycentric);
  EXPECT_EQ(got.front, want.front);
  EXPECT_EQ(got.started_inside, want.started_inside);
  EXPECT_EQ(got.user, want.user);
}

std::vector<Cast> casts(Random& r, const test::NamedMesh& m) {
  std::vector<Cast> all;
  const auto& v = m.data.vertices;
  const auto corner = [&] { return v[r.below(v.size())]; };
  const auto add = [&](const Vec3& from, const Vec3& direction) {
    if (direction == Vec3(0, 0, 0)) return;
    all.push_back({Ray{from, direction}, Vec3(0, 0, 0), direction});
    all.push_back({Line{from, direction}, Vec3(0, 0, 0), direction});
  };
  for (int i = 0; i < 3; ++i) {
    const Vec3 from = m.at + r.point(-2, 2) * m.size, to = i % 2 ? corner() : 0.5 * corner() + 0.5 * corner();
    add(from, 0.25 * to - 0.25 * from);
    all.push_back({Segment{from, to}, from, to});
    Vec3 axis(0, 0, 0);
    axis[i % 3] = i % 2 ? 1 : -3;
    Vec3 beside = corner();
    add(beside, axis);  // from a vertex, perhaps in planes
    beside[i % 3] = from[i % 3];
    add(beside, axis);
    const Vec3 a = corner(), b = corner();
    all.push_back({Segment{a, b}, a, b});  // perhaps along an edge, or of length 0
    if (m.size < 1e100 && m.size > 1e-100) add(beside - axis * (1e9 * m.size), axis);
  }
  return all;
}

/// All choices: sides, numbers, users, and without the nearest hit.
std::vector<RayOptions> choices(ShapeRef ray, ShapeRef target) {
  std::vector<RayOptions> all;
  const auto nearest = raycast(ray, target);
  for (const Sides sides : {Sides::both, Sides::front, Sides::back}) {
    all.push_back({kEndless, sides});
    all.push_back({kEndless, sides, [](const TargetTriangle& t) { return t.user % 3 != 1; }});
    all.push_back({kEndless, sides, [n = nearest ? *nearest->triangle : 0](const TargetTriangle& t) { return t.triangle != n; }});
    all.push_back({kEndless, sides, [](const TargetTriangle&) { return false; }});
    all.push_back({nearest ? nearest->t : 1, sides, [](const TargetTriangle& t) { return t.triangle % 2 == 0; }});
  }
  return all;
}

test::NamedMesh with_users(test::NamedMesh m) {
  for (std::uint32_t i = 0; i < m.data.triangles.size(); ++i) m.data.user.push_back(i * 7 + 3);
  return m;
}

TEST(TriangleFilter, AnswersAreThoseOfTheTrianglesThatCount) {
  Random r(91);
  std::size_t hits = 0, fewer = 0, hidden = 0;
  for (const test::NamedMesh& plain : test::meshes()) {
    const test::NamedMesh m = with_users(plain);
    const Mesh mesh(m.data);
    for (const auto& pose : test::poses_for(r, m)) {
      SCOPED_TRACE(m.name + (pose ? " placed" : ""));
      std::vector<Cast> all = casts(r, m);
      for (std::size_t k = hits % 2; k < all.size(); k += 2) {
        Cast& c = all[k];
        if (pose) {  // turned, so that they still meet the mesh
          if (const Segment* s = c.ray.get<Segment>()) {
            c.from = pose->apply(s->a), c.to = pose->apply(s->b);
            c.ray = Segment{c.from, c.to};
          } else {
            c.to = pose->rotate(c.to);
            if (c.to == Vec3(0, 0, 0)) continue;
            if (const Ray* ray = c.ray.get<Ray>())
              c.ray = Ray{pose->apply(ray->origin), c.to};
            else
              c.ray = Line{pose->apply(c.ray.get<Line>()->origin), c.to};
          }
        }
        const Placed placed = at(mesh, pose ? *pose : Pose{});
        const ShapeRef target = pose ? ShapeRef(placed) : ShapeRef(mesh);
        const auto nearest = raycast(c.ray, target);
        for (const RayOptions& o : choices(c.ray, target)) {
          const Counted want = counted(mesh, pose ? &*pose : nullptr, c, o);
          const Placed placed_want = at(want.mesh, pose ? *pose : Pose{});
          const ShapeRef only = pose ? ShapeRef(placed_want) : ShapeRef(want.mesh);
          const auto wanted = raycast_all(c.ray, only, {o.t_max});
          const auto got = raycast_all(c.ray, target, o);
          ASSERT_EQ(got.size(), wanted.size());
          for (std::size_t i = 0; i < got.size(); ++i) expect_same(got[i], wanted[i], &want.number);
          test::for_each_cpu_level([&](CpuLevel) {
            EXPECT_EQ(raycast_any(c.ray, target, o), !wanted.empty());
            const auto first = raycast(c.ray, target, o);
            ASSERT_EQ(first.has_value(), !wanted.empty());
            if (first) expect_same(*first, wanted[0], &want.number);
          });
          hits += !wanted.empty();
          fewer += want.mesh.size() < mesh.size();
          hidden += !wanted.empty() && wanted[0].t > nearest->t;
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(hits, 750u);
  EXPECT_GT(fewer, 2000u);
  EXPECT_GT(hidden, 100u);
}

TEST(TriangleFilter, BatchesEqualSingleRays) {
  Random r(92);
  test::NamedMesh m{"", test::ball(24, Vec3(0, 0, 0), 1), 1};
  test::append(m.data, test::soup(r, 3000, 1, Vec3(0, 0, 0)));
  m = with_users(m);
  const Mesh mesh(m.data);
  std::vector<Ray> rays;
  for (int i = 0; i < 130; ++i) {
    const Vec3 from = i % 7 == 0 ? m.data.vertices[static_cast<std::size_t>(i)] : r.point(-2, 2);
    rays.push_back({from, r.point(-1, 1)});
  }
  const Placed turned = at(mesh, r.pose(1)), far = at(mesh, translation(Vec3(1e15, 0, 0)));  // far: the pose collapses the mesh
  const HeightField field(Vec3(-1, -1, 0), .1, .1, 21, std::vector<double>(21 * 21, .25));
  const Compound two({{mesh, {}}, {field, translation(Vec3(0, 0, 1))}});
  std::size_t hits = 0;
  for (const ShapeRef& target : {ShapeRef(mesh), ShapeRef(turned), ShapeRef(far), ShapeRef(field), ShapeRef(two)}) {
    for (const Sides sides : {Sides::both, Sides::front, Sides::back}) {
      for (const bool filtered : {false, true}) {
        for (const double t_max : {.05, kEndless}) {  // .05: short rays
          const TriangleFilter accept =
              filtered ? TriangleFilter([](const TargetTriangle& t) { return t.user % 5 != 2 && t.triangle % 4 != 3; }) : TriangleFilter();
          std::vector<Ray> near = rays;
          if (target.pose())
            for (Ray& ray : near) ray.origin = target.pose()->apply(ray.origin);
          const RaySpan span{near, t_max, sides, accept};
          for (const int threads : {1, 3}) {
            set_threads(threads);
            const auto first = raycast(span, target);
            const auto any = raycast_any(span, target);
            for (std::size_t i = 0; i < near.size(); ++i) {
              const auto want = raycast(near[i], target, {t_max, sides, accept});
              ASSERT_EQ(first[i].has_value(), want.has_value()) << i;
              EXPECT_EQ(any[i] != 0, want.has_value()) << i;
              if (want) expect_same(*first[i], *want);
              hits += want.has_value();
            }
          }
          set_threads(0);
          if (HasFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(hits, 1000u);
}

TEST(TriangleFilter, SharedEdgesAndCornersOfOppositeFacesAreHitOnTheSideAskedFor) {
  // Seen from +z, triangle 0 shows its front and triangle 1 its back; they share an edge along y.
  const Mesh mesh(MeshData{{{0, -1, 0}, {0, 1, 0}, {-1, 0, -1}, {1, 0, -1}}, {{0, 1, 2}, {0, 1, 3}}, {}, {5, 6}});
  for (const Vec3& at_edge : {Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, .3, 0)}) {
    const Ray down{at_edge + Vec3(0, 0, 4), Vec3(0, 0, -1)};
    const auto front = raycast(down, mesh, {kEndless, Sides::front}), back = raycast(down, mesh, {kEndless, Sides::back});
    ASSERT_TRUE(front && back);
    EXPECT_EQ(front->triangle, 0u);
    EXPECT_EQ(front->user, 5u);
    EXPECT_TRUE(front->front);
    EXPECT_EQ(back->triangle, 1u);
    EXPECT_EQ(back->user, 6u);
    EXPECT_FALSE(back->front);
    EXPECT_EQ(front->t, 4);
    EXPECT_EQ(back->t, 4);
    // The same at the start of the ray.
    const auto here = raycast(Ray{at_edge, Vec3(0, 0, -1)}, mesh, {kEndless, Sides::back});
    ASSERT_TRUE(here);
    EXPECT_TRUE(here->started_inside);
    EXPECT_EQ(here->triangle, 1u);
  }
  EXPECT_FALSE(raycast(Ray{Vec3(-.25, 0, 4), Vec3(0, 0, -1)}, mesh, {kEndless, Sides::back}));
}

TEST(TriangleFilter, ParallelAndDegenerateTrianglesCountOnlyFromBothSides) {
  const Triangle flat{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}}, line{{Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(3, 3, 0)}},
      point{{Vec3(1, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 0)}};
  for (const Triangle& t : {flat, line, point}) {
    const Mesh mesh(MeshData{{t.points[0], t.points[1], t.points[2]}, {{0, 1, 2}}, {}});
    const Ray along{Vec3(-1, 0, 0), Vec3(1, 0, 0)};
    for (const ShapeRef& target : {ShapeRef(t), ShapeRef(mesh)}) {
      EXPECT_TRUE(raycast_any(along, target));
      for (const Sides sides : {Sides::front, Sides::back}) {
        EXPECT_FALSE(raycast_any(along, target, {kEndless, sides}));
        EXPECT_FALSE(raycast(along, target, {kEndless, sides}));
        EXPECT_TRUE(raycast_all(along, target, {kEndless, sides}).empty());
      }
    }
  }
  // A direction that leaves the plane by a denormal is decided by its sign.
  const Ray nearly{Vec3(-1, .25, 0x1p-1074), Vec3(1, 0, -0x1p-1074)};
  EXPECT_TRUE(raycast_any(nearly, flat, {kEndless, Sides::front}));
  EXPECT_FALSE(raycast_any(nearly, flat, {kEndless, Sides::back}));
}

TEST(TriangleFilter, OtherShapes) {
  const Ray down{Vec3(.3, .2, 5), Vec3(0, 0, -1)}, up{Vec3(.3, .2, -5), Vec3(0, 0, 1)};
  const Polygon polygon{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(1, 1, 0), Vec3(-1, 1, 0)};
  const HeightField field(Vec3(-1, -1, 0), 1, 1, 3, std::vector<double>(9, 0));
  const Triangle triangle{{Vec3(-3, -3, 0), Vec3(3, -3, 0), Vec3(0, 5, 0)}};
  for (const ShapeRef& s : {ShapeRef(polygon), ShapeRef(field), ShapeRef(triangle)}) {
    EXPECT_TRUE(raycast_any(down, s, {kEndless, Sides::front}));
    EXPECT_FALSE(raycast_any(down, s, {kEndless, Sides::back}));
    EXPECT_FALSE(raycast_any(up, s, {kEndless, Sides::front}));
    EXPECT_TRUE(raycast_any(up, s, {kEndless, Sides::back}));
    EXPECT_FALSE(raycast_any(up, s, {kEndless, Sides::both, [](const TargetTriangle&) { return false; }}));
  }
  EXPECT_EQ(raycast(down, polygon, {kEndless, Sides::both, [](const TargetTriangle& t) { return t.triangle == 1; }}), std::nullopt);
  EXPECT_TRUE(raycast(down, polygon, {kEndless, Sides::both, [](const TargetTriangle& t) { return t.triangle == 0; }}));
  // Bodies have no sides.
  const Solid solid(Mesh(test::closed_box(Vec3(-1, -1, -1), Vec3(1, 1, 1))));
  const Sphere sphere{Vec3(0, 0, 0), 1};
  const RayOptions nothing{kEndless, Sides::back, [](const TargetTriangle&) { return false; }};
  for (const ShapeRef& s : {ShapeRef(solid), ShapeRef(sphere)}) {
    EXPECT_TRUE(raycast_any(down, s, nothing));
    const auto hit = raycast(down, s, nothing), want = raycast(down, s);
    ASSERT_TRUE(hit && want);
    expect_same(*hit, *want);
    EXPECT_EQ(raycast_all(down, s, nothing).size(), raycast_all(down, s).size());
  }
}

TEST(TriangleFilter, NamesChildrenAndMembers) {
  const Mesh low(MeshData{{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}}, {}, {40}}),
      high(MeshData{{{-9, -9, 1}, {9, -9, 1}, {0, 9, 1}}, {{0, 1, 2}}, {}, {41}});
  const Compound both({{high, {}}, {low, {}}});
  const Ray down{Vec3(0, 0, 9), Vec3(0, 0, -1)};
  const auto second = raycast(down, both, {kEndless, Sides::both, [](const TargetTriangle& t) { return *t.child == 1 && t.user == 40 && !t.member; }});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->child, 1u);
  EXPECT_EQ(second->user, 40u);
  EXPECT_EQ(second->t, 9);
  EXPECT_EQ(raycast_all(down, both, {kEndless, Sides::both, [](const TargetTriangle& t) { return t.child == 0u; }}).size(), 1u);

  Scene scene;
  const MemberId near = scene.add(high), far = scene.add(low), pair = scene.add(both, translation(Vec3(0, 0, -5)));
  const auto only = [](MemberId id) { return RayOptions{kEndless, Sides::front, [id](const TargetTriangle& t) { return t.member == id; }}; };
  for (const MemberId id : {near, far, pair}) {
    const auto hit = scene.raycast(down, only(id));
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->member, id);
    EXPECT_EQ(hit->hit.user, id == far ? 40u : 41u);
    EXPECT_EQ(scene.raycast_all(down, only(id)).size(), id == pair ? 2u : 1u);
    const std::vector<Ray> many(100, down);
    for (const auto& one : scene.raycast(RaySpan{many, kEndless, Sides::front, only(id).accept})) {
      ASSERT_TRUE(one);
      EXPECT_EQ(one->member, id);
    }
  }
  EXPECT_FALSE(scene.raycast(down, {kEndless, Sides::back}));
  EXPECT_TRUE(scene.raycast(Ray{Vec3(0, 0, -20), Vec3(0, 0, 1)}, {kEndless, Sides::back}));
  EXPECT_EQ(scene.raycast(down, {kEndless, Sides::both, [](const TargetTriangle& t) { return t.child == 1u; }})->hit.user, 40u);
}

TEST(TriangleFilter, ExceptionsReachTheCaller) {
  Random r(93);
  const Mesh mesh(test::soup(r, 500, 1, Vec3(0, 0, 0)));
  const RayOptions o{kEndless, Sides::both, [](const TargetTriangle&) -> bool { throw std::runtime_error("refused to answer"); }};
  const Ray ray{mesh.vertices()[0] + Vec3(0, 0, 3), Vec3(0, 0, -1)};
  EXPECT_THROW((void)raycast(ray, mesh, o), std::runtime_error);
  EXPECT_THROW((void)raycast_any(ray, mesh, o), std::runtime_error);
  EXPECT_THROW((void)raycast_all(ray, mesh, o), std::runtime_error);
  const std::vector<Ray> many(1000, ray);
  EXPECT_THROW((void)raycast(RaySpan{many, kEndless, Sides::both, o.accept}, mesh), std::runtime_error);
  EXPECT_TRUE(raycast(ray, mesh));
}

TEST(TriangleFilter, UserNumbersStayWithTheirTriangles) {
  MeshData d = test::closed_box(Vec3(0, 0, 0), Vec3(1, 1, 1));
  EXPECT_TRUE(Mesh(d).user().empty());
  for (std::uint32_t i = 0; i < 12; ++i) d.user.push_back(1000 + i);
  const Mesh mesh(d);
  EXPECT_TRUE(std::equal(mesh.user().begin(), mesh.user().end(), d.user.begin(), d.user.end()));
  std::vector<Vec3> moved = d.vertices;
  for (Vec3& v : moved) v.x += 5;
  const Mesh refitted = mesh.refit(moved);
  EXPECT_EQ(refitted.user().data(), mesh.user().data());  // shared
  const auto hit = raycast(Ray{Vec3(5.25, .5, 5), Vec3(0, 0, -1)}, refitted);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->user, 1000 + *hit->triangle);
  const Solid solid(refitted);
  EXPECT_EQ(raycast(Ray{Vec3(5.25, .5, 5), Vec3(0, 0, -1)}, solid)->user, hit->user);
  d.user.pop_back();
  try {
    (void)Mesh(d);
    ADD_FAILURE() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), "11 user numbers for 12 triangles, must be as many, or none");
  }
  d.triangles.clear();
  EXPECT_THROW((void)Mesh(d), Error);
}

}  // namespace
}  // namespace graze::triangle_filter_test
