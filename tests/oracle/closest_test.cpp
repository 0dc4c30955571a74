// Distances to meshes against exact squared distances over all pairs of triangles, in rationals. Closest points lie on their triangles and are as far apart as
// the distance.
#include <gtest/gtest.h>

#include "oracle/models.hpp"
#include "support/random.hpp"
#include "support/rational_oracle.hpp"

namespace graze::test {
namespace {

using Corners = std::array<QVec, 3>;

Q square(const QVec& v) { return dot(v, v); }

Q point_segment(const QVec& p, const QVec& a, const QVec& b) {
  const QVec e = b - a;
  const Q ee = square(e);
  if (ee == 0) return square(p - a);
  Q t = dot(p - a, e) / ee;
  t = t < 0 ? Q(0) : t > 1 ? Q(1) : t;
  return square(p - (a + t * e));
}

Q point_triangle(const QVec& p, const Corners& t) {
  const QVec n = cross(t[1] - t[0], t[2] - t[0]);
  const Q nn = square(n);
  if (nn != 0) {
    bool over = true;
    for (std::size_t i = 0; i < 3; ++i) over = over && dot(cross(t[(i + 1) % 3] - t[i], p - t[i]), n) >= 0;
    if (over) {
      const Q h = dot(n, p - t[0]);
      return h * h / nn;
    }
  }
  return std::min({point_segment(p, t[0], t[1]), point_segment(p, t[1], t[2]), point_segment(p, t[2], t[0])});
}

Q segment_segment(const QVec& a, const QVec& b, const QVec& c, const QVec& d) {
  Q best = std::min({point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)});
  const QVec u = b - a, v = d - c, w = a - c;
  const Q uu = square(u), uv = dot(u, v), vv = square(v), uw = dot(u, w), vw = dot(v, w), det = uu * vv - uv * uv;
  if (det != 0) {
    const Q s = (uv * vw - vv * uw) / det, t = (uu * vw - uv * uw) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = std::min(best, square(w + s * u - t * v));
  }
  return best;
}

Q triangle_triangle(const Corners& a, const Corners& b) {
  if (hulls_meet({a[0], a[1], a[2]}, {b[0], b[1], b[2]})) return 0;
  Q best = point_triangle(a[0], b);
  for (std::size_t i = 0; i < 3; ++i) {
    best = std::min({best, point_triangle(a[i], b), point_triangle(b[i], a)});
    for (std::size_t k = 0; k < 3; ++k) best = std::min(best, segment_segment(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]));
  }
  return best;
}

std::vector<Corners> triangles(const MeshData& d) {
  std::vector<Corners> all;
  for (const auto& t : d.triangles) all.push_back({exact(d.vertices[t[0]]), exact(d.vertices[t[1]]), exact(d.vertices[t[2]])});
  return all;
}

/// Checks that the distance is the root of `sq` within 1e-15 relative or one denormal.
bool right(double distance, const Q& sq) {
  const Q d(distance), e = d * Q(1, 1000000000000000) + Q(0x1p-1074), lo = d - e, hi = d + e;
  return (lo <= 0 || lo * lo <= sq) && hi * hi >= sq && (distance == 0) == (sq == 0);
}

/// In rationals: the witnesses are `distance` apart and lie on their sets, up to 8 ulp of the largest coordinate.
void check_witnesses(const Closest& c, const Q& off_a, const Q& off_b, double largest, const std::string& what) {
  const Q slack = Q(8 * (std::nextafter(largest, INFINITY) - largest)), apart = square(exact(c.on_a) - exact(c.on_b)), d(c.distance);
  EXPECT_TRUE(apart <= (d + slack) * (d + slack) && (d <= slack || apart >= (d - slack) * (d - slack))) << what;
  EXPECT_LE(off_a, slack * slack) << what;
  EXPECT_LE(off_b, slack * slack) << what;
  if (c.distance == 0) {
    EXPECT_EQ(c.on_a, c.on_b) << what;
  }
}

std::string told(const Vec3& p) {
  char buffer[120];
  std::snprintf(buffer, sizeof buffer, "[%.17g,%.17g,%.17g]", p.x, p.y, p.z);
  return buffer;
}

double largest_of(const MeshData& d) {
  double m = 0;
  for (const Vec3& v : d.vertices)
    for (int i = 0; i < 3; ++i) m = std::max(m, std::fabs(v[i]));
  return m;
}

void points_to(const MeshData& d, const std::vector<Vec3>& points, const std::string& what) {
  const Mesh mesh(d);
  const auto all = triangles(d);
  for (const Vec3& p : points) {
    const QVec x = exact(p);
    Q best = point_triangle(x, all[0]);
    std::uint32_t lowest = 0;
    for (std::uint32_t i = 1; i < all.size(); ++i) {
      const Q sq = point_triangle(x, all[i]);
      if (sq < best) best = sq, lowest = i;
    }
    const Closest c = closest(Point{p}, mesh);
    ASSERT_TRUE(right(c.distance, best)) << what << " point " << told(p) << " distance " << c.distance;
    ASSERT_TRUE(c.triangle_b && *c.triangle_b < all.size()) << what << " point " << told(p);
    const Q named = point_triangle(x, all[*c.triangle_b]);  // attains the minimum within the rounding of distances, and no lower index attains it exactly
    ASSERT_TRUE(right(c.distance, named)) << what << " point " << told(p);
    if (named == best) {
      ASSERT_EQ(*c.triangle_b, lowest) << what << " point " << told(p);
    }
    ASSERT_EQ(contains(mesh, p), best == 0) << what << " point " << told(p);
    double largest = largest_of(d);
    for (int i = 0; i < 3; ++i) largest = std::max(largest, std::fabs(p[i]));
    check_witnesses(c, square(exact(c.on_a) - x), point_triangle(exact(c.on_b), all[*c.triangle_b]), largest, what + " point " + told(p));
  }
}

std::vector<Vec3> points_around(const MeshData& d, Random& r, int n) {
  std::vector<Vec3> points;
  const double size = 1.5 * largest_of(d);
  for (int i = 0; i < n; ++i) {
    const auto& t = d.triangles[r.below(d.triangles.size())];
    const Vec3 a = d.vertices[t[0]], b = d.vertices[t[1]], c = d.vertices[t[2]];
    points.push_back(r.point(-size, size));
    points.push_back(a);
    points.push_back(0.5 * (a + b));
    points.push_back(0.25 * (a + b) + 0.5 * c);
    Vec3 p = points.back();
    p[i % 3] = std::nextafter(p[i % 3], 2 * size);
    points.push_back(p);
    points.push_back(r.grid(-static_cast<int>(size) - 2, static_cast<int>(size) + 2));
  }
  return points;
}

TEST(DistancesByRationals, PointsToMadeMeshes) {
  Random r(71);
  for (const auto& [d, what] : {std::pair(cube({-4, -2, 0}, {4, 6, 8}), "cube"), std::pair(square_torus(2, 1), "torus"), std::pair(grid_plane(4, 1), "plane"),
                                std::pair(lattice(r, 40, 3), "lattice")})
    points_to(d, points_around(d, r, 8), what);
  MeshData tiny = lattice(r, 30, 3), odd = lattice(r, 30, 3);
  for (Vec3& v : tiny.vertices) v *= 0x1p-1040;
  for (Vec3& v : odd.vertices) v = Vec3(std::nextafter(v.x, 9), v.y, std::nextafter(v.z, -9));
  points_to(tiny, points_around(tiny, r, 10), "tiny lattice");
  points_to(odd, points_around(odd, r, 8), "almost lattice");
}

TEST(DistancesByRationals, PointsToSharedModels) {
  const auto cow = shared_model("cow.obj");
  if (!cow) GTEST_SKIP() << "no shared models";
  Random r(72);
  points_to(*cow, points_around(*cow, r, full_tests() ? 20 : 1), "cow");
}

void meshes_apart(const MeshData& da, const MeshData& db, const std::string& what) {
  const auto a = triangles(da), b = triangles(db);
  Q best = -1;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::uint32_t k = 0; k < b.size(); ++k) {
      const Q sq = triangle_triangle(a[i], b[k]);
      if (best < 0 || sq < best) best = sq;
    }
  const Mesh ma(da), mb(db);
  const Closest c = closest(ma, mb);
  std::string model;
  for (const MeshData* d : {&da, &db})
    for (const Vec3& v : d->vertices) model += told(v);
  ASSERT_TRUE(right(c.distance, best)) << what << " distance " << c.distance << model;
  ASSERT_EQ(intersects(ma, mb), best == 0) << what << model;
  const double reach = c.distance * (1 + 2e-15) + 0x1p-1073;
  ASSERT_TRUE(within(ma, mb, reach)) << what << model;
  for (const double d : {c.distance, std::nextafter(c.distance, 0), std::nextafter(c.distance, INFINITY), 0.5 * c.distance})
    ASSERT_EQ(within(ma, mb, d), Q(d) * Q(d) >= best) << what << " d " << d << model;
  check_witnesses(c, point_triangle(exact(c.on_a), a[*c.triangle_a]), point_triangle(exact(c.on_b), b[*c.triangle_b]), std::max(largest_of(da), largest_of(db)),
                  what + model);
}

TEST(DistancesByRationals, Meshes) {
  Random r(73);
  for (int i = 0; i < (full_tests() ? 60 : 4); ++i) {
    MeshData a = lattice(r, 1 + static_cast<std::uint32_t>(r.integer(0, 3)), 2), b = lattice(r, 1 + static_cast<std::uint32_t>(r.integer(0, 3)), 2);
    const Vec3 shift = r.grid(-6, 6);
    for (Vec3& v : b.vertices) v += shift;
    meshes_apart(a, b, "lattices");
    for (MeshData* d : {&a, &b})
      for (Vec3& v : d->vertices)
        for (int k = 0; k < 3; ++k) v[k] += std::ldexp(r.integer(-2, 2), -r.integer(20, 60));
    meshes_apart(a, b, "almost lattices");
    for (MeshData* d : {&a, &b})
      for (Vec3& v : d->vertices)
        for (int k = 0; k < 3; ++k)
          if (r.integer(0, 3) == 0) v[k] = r.integer(0, 1) ? -0x1p-1074 : std::ldexp(r.integer(-3, 3), -r.integer(0, 300));
    meshes_apart(a, b, "lattices with tiny coordinates");
  }
}

}  // namespace
}  // namespace graze::test
