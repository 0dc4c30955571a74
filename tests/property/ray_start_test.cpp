// Properties of rays, segments and lines that begin at a t_min: the answers of the ray that begins there, with t counted from the old origin.
#include <gtest/gtest.h>
#include <glm/geometric.hpp>

#include "property/instances.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

std::string told(const std::optional<Hit>& h) {
  if (!h) return "no hit";
  return "t " + text(h->t) + " triangle " + (h->triangle ? std::to_string(*h->triangle) : "-") + " point " + text(h->point) +
         (h->normal ? " normal " + text(*h->normal) : "") + (h->front ? " front" : "") + (h->started_inside ? " started inside" : "");
}

double apart(const Vec3& p, const Vec3& q) { return glm::length(p - q); }

bool same_place(const Hit& x, const Hit& y) { return x.triangle == y.triangle && x.child == y.child && x.started_inside == y.started_inside; }

/// A ray or line of whole numbers from the place of a whole t_min on, and the same moved there.
void check_start(const Instance& b, Source& s, Failures& f) {
  const Vec3 o = s.vector(), d = s.direction();
  const bool line = s.below(3) == 0;
  const double t_min = s.random.integer(line ? -4 : 0, 4), t_max = s.below(2) ? s.random.integer(-1, 6) : INFINITY;
  const Vec3 moved_o = o + d * t_min;
  const Instance a{line ? AnyShape(Line{o, d}) : AnyShape(Ray{o, d}), std::nullopt};
  const Ray moved{moved_o, d};
  const auto ra = *a, rb = *b;
  const RayOptions here{.t_max = t_max, .t_min = t_min}, there{.t_max = t_max - t_min};
  const auto first = raycast(ra, rb, here), other = raycast(moved, rb, there);
  const auto both = [&] { return "from " + text(t_min) + " to " + text(t_max) + ": " + told(first) + "; moved: " + told(other); };
  f.expect(first.has_value() == raycast_any(ra, rb, here), "raycast_any is raycast's yes or no", a, b, both);
  const auto all = raycast_all(ra, rb, here), all_others = raycast_all(moved, rb, there);
  f.expect(first.has_value() == !all.empty(), "raycast_all finds some exactly when raycast does", a, b, both);
  if (curved(b.shape)) return;
  f.expect(first.has_value() == other.has_value(), "hit exactly when the moved ray hits", a, b, both);
  f.expect(all.size() == all_others.size(), "as many hits", a, b, both);
  if (!first || !other || all.size() != all_others.size()) return;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Hit &x = all[i], &y = all_others[i];
    const auto pair = [&] { return "from " + text(t_min) + ": " + told(x) + "; moved: " + told(y); };
    f.expect(std::fabs(x.t - (y.t + t_min)) <= 0x1p-49, "t counts from the origin", a, b, pair);  // both below 16
    f.expect(same_place(x, y), "the same triangle, child and start", a, b, pair);
    f.expect(x.front == y.front && x.normal.has_value() == y.normal.has_value(), "the same side", a, b, pair);
    // On an edge or corner, a line and a ray may tell normals of different faces.
    if (x.normal && y.normal && !line) f.expect(apart(*x.normal, *y.normal) < 1e-9, "the same normal", a, b, pair);
    f.expect(apart(x.point, y.point) <= 1e-9, "the same point", a, b, pair);
    if (x.barycentric && y.barycentric) f.expect(apart(*x.barycentric, *y.barycentric) <= 1e-9, "the same weights", a, b, pair);
  }
}

/// Of all hits, t_min leaves those whose true t is not below it, and what begins there.
void check_start_limits(const Instance& b, Source& s, Failures& f) {
  const Kind kinds[] = {kind_of<Ray>, kind_of<Segment>, kind_of<Line>};
  const Instance a = random_instance(kinds[s.below(3)], s);
  if (curved(b.shape)) return;
  const auto ra = *a, rb = *b;
  const auto all = raycast_all(ra, rb);
  if (all.empty()) return;
  const double t = all[static_cast<std::size_t>(s.below(static_cast<int>(all.size())))].t;
  if (!std::isfinite(t)) return;
  for (const double t_min : {next_down(t), t, next_up(t)}) {
    const RayOptions options{.t_min = t_min};
    const auto rest = raycast_all(ra, rb, options);
    const auto how = [&] { return "t_min " + text(t_min) + ": " + std::to_string(rest.size()) + " of " + std::to_string(all.size()) + " hits, t " + text(t); };
    const auto first = raycast(ra, rb, options);
    f.expect(first.has_value() == !rest.empty() && first.has_value() == raycast_any(ra, rb, options), "the same yes or no", a, b, how);
    if (first && !rest.empty()) f.expect(first->t == rest[0].t && same_place(*first, rest[0]), "the first of all is the first", a, b, how);
    std::size_t expected = 0, began = 0;
    for (const Hit& h : all) expected += h.t >= t_min && !h.started_inside;
    for (const Hit& h : rest) {
      f.expect(h.t >= t_min, "no t below t_min", a, b, how);
      began += h.started_inside;
    }
    // What is hit before t_min may still be met there: by a ray in a triangle's plane, or inside a convex shape.
    f.expect(rest.size() >= expected && rest.size() <= expected + began, "the hits from t_min on", a, b, how);
  }
  f.expect(!raycast_any(ra, rb, {.t_max = t, .t_min = next_up(t)}), "nothing between t and the next double", a, b);
  f.expect(!raycast(ra, rb, {.t_min = INFINITY}), "nothing at infinity", a, b);
}

TEST(RayStart, Moved) { all_kinds(Numbers::whole, 600, 31, true, check_start); }
TEST(RayStart, LimitsWhole) { all_kinds(Numbers::whole, 300, 32, true, check_start_limits); }
TEST(RayStart, LimitsReal) { all_kinds(Numbers::real, 300, 33, true, check_start_limits); }
TEST(RayStart, LimitsHostile) { all_kinds(Numbers::hostile, 100, 34, true, check_start_limits); }

/// A shadow ray from the middle of a triangle of a mesh leaves that triangle out and no other one.
TEST(RayStart, ShadowRays) {
  Random random(35);
  MeshData data;
  for (int i = 0; i < 300; ++i) {
    const auto corner = [&] {
      const double x = random.real(-1, 1), y = random.real(-1, 1), z = random.real(-1, 1);
      return Vec3(x, y, z);
    };
    const Vec3 at = corner() * 3.0;
    for (int k = 0; k < 3; ++k) data.vertices.push_back(at + corner());
    const auto n = static_cast<std::uint32_t>(3 * i);
    data.triangles.push_back({n, n + 1, n + 2});
  }
  const Mesh mesh(std::move(data));
  std::size_t hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const double x = random.real(-5, 5), y = random.real(-5, 5), z = random.real(-5, 5), u = random.real(-1, 1), v = random.real(-1, 1), w = random.real(-1, 1);
    const Ray ray{Vec3(x, y, z), Vec3(u, v, w)};
    const std::vector<Hit> all = raycast_all(ray, mesh);
    std::optional<Hit> hit = raycast(ray, mesh);
    for (const Hit& expected : all) {
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->t, expected.t);
      EXPECT_EQ(hit->triangle, expected.triangle);
      EXPECT_FALSE(hit->started_inside);
      const RaySpan span{.rays = {&ray, 1}, .t_min = next_up(hit->t)};
      hit = raycast(ray, mesh, span.options());
      EXPECT_EQ(raycast(span, mesh)[0].has_value(), hit.has_value());
      EXPECT_EQ(raycast_any(span, mesh)[0] != 0, hit.has_value());
      ++hits;
    }
    EXPECT_FALSE(hit);
  }
  EXPECT_GT(hits, 1000u);
}

TEST(RayStart, RefusesNaN) {
  const Sphere ball{Vec3(0, 0, 0), 1};
  EXPECT_THROW((void)raycast(Ray{}, ball, {.t_min = NAN}), Error);
  EXPECT_FALSE(raycast(Ray{}, ball, {.t_max = 1, .t_min = 2}));
}

}  // namespace
}  // namespace graze::test
