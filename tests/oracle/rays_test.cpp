// Rays against meshes and points against solids, by brute force in rationals: hit or miss, the triangle, t as the largest double not above the true value, all
// hits in order; winding by a generic ray.
#include <gtest/gtest.h>

#include "oracle/models.hpp"
#include "support/random.hpp"
#include "support/rational_oracle.hpp"

namespace graze::test {
namespace {

double next_up(double x) { return std::nextafter(x, INFINITY); }
double next_down(double x) { return std::nextafter(x, -INFINITY); }

struct Truth {
  Q t;
  std::uint32_t triangle;
};

/// The least t >= 0 (for a line: the least t) with o + t d in the hull of the corners. A linear function attains its least value at a basic solution.
std::optional<Q> first_in(const QVec& o, const QVec& d, const std::array<QVec, 3>& p) {
  const QVec n = cross(p[1] - p[0], p[2] - p[0]);
  const bool area = n[0] != 0 || n[1] != 0 || n[2] != 0;
  const Q slope = dot(n, d);
  if (area && slope != 0) {  // it meets the plane in one point
    const Q t = dot(n, p[0] - o) / slope;
    if (t < 0) return std::nullopt;
    const QVec x = o + t * d;
    for (std::size_t i = 0; i < 3; ++i)
      if (dot(cross(p[(i + 1) % 3] - p[i], x - p[i]), n) < 0) return std::nullopt;
    return t;
  }
  if (area && dot(n, o - p[0]) != 0) return std::nullopt;
  std::optional<Q> best;
  std::vector<std::vector<Q>> columns;
  for (const QVec& v : p) columns.push_back({v[0], v[1], v[2], Q(1)});
  columns.push_back({-d[0], -d[1], -d[2], Q(0)});
  for (const auto& x : basic_solutions(columns, {o[0], o[1], o[2], Q(1)}))
    if (!best || x[3] < *best) best = x[3];
  return best;
}

struct Scene {
  MeshData data;
  Mesh mesh;
  std::vector<std::array<QVec, 3>> exact_triangles;
  explicit Scene(MeshData d) : data(std::move(d)), mesh(data) {
    for (const auto& t : data.triangles) exact_triangles.push_back({exact(data.vertices[t[0]]), exact(data.vertices[t[1]]), exact(data.vertices[t[2]])});
  }
  Vec3 corner(std::uint32_t t, std::size_t i) const { return data.vertices[data.triangles[t][i]]; }
};

/// Whether the ray may come near the triangle's box, with a margin that covers rounding.
bool near(const Scene& s, std::uint32_t t, const Ray& ray) {
  double enter = 0, leave = INFINITY;
  for (int i = 0; i < 3; ++i) {
    double lo = INFINITY, hi = -INFINITY, size = std::fabs(ray.origin[i]);
    for (std::size_t k = 0; k < 3; ++k) lo = std::min(lo, s.corner(t, k)[i]), hi = std::max(hi, s.corner(t, k)[i]);
    size = std::max({size, std::fabs(lo), std::fabs(hi)}) * 1e-9;
    lo -= size, hi += size;
    if (ray.direction[i] == 0) {
      if (ray.origin[i] < lo || ray.origin[i] > hi) return false;
      continue;
    }
    double a = (lo - ray.origin[i]) / ray.direction[i], b = (hi - ray.origin[i]) / ray.direction[i];
    if (a > b) std::swap(a, b);
    const double slack = 1e-9 * std::max(std::fabs(a), std::fabs(b));
    enter = std::max(enter, a - slack), leave = std::min(leave, b + slack);
  }
  return enter <= leave;
}

std::vector<Truth> truths(const Scene& s, const Ray& ray) {
  const QVec o = exact(ray.origin), d = exact(ray.direction);
  std::vector<Truth> all;
  for (std::uint32_t i = 0; i < s.data.triangles.size(); ++i) {
    if (!near(s, i, ray)) continue;
    if (const auto t = first_in(o, d, s.exact_triangles[i])) all.push_back({*t, i});
  }
  std::stable_sort(all.begin(), all.end(), [](const Truth& a, const Truth& b) { return a.t < b.t; });
  return all;
}

std::string told(const Ray& r) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, "origin [%.17g,%.17g,%.17g] direction [%.17g,%.17g,%.17g]", r.origin.x, r.origin.y, r.origin.z, r.direction.x,
                r.direction.y, r.direction.z);
  return buffer;
}

bool rounded_down(double t, const Q& truth) { return Q(t) <= truth && truth < Q(next_up(t)); }

int hits = 0, misses = 0;

void check(const Scene& s, const Ray& ray) {
  const auto truth = truths(s, ray);
  const auto first = raycast(ray, s.mesh);
  ASSERT_EQ(first.has_value(), !truth.empty()) << told(ray);
  ASSERT_EQ(raycast_any(ray, s.mesh), !truth.empty()) << told(ray);
  const auto all = raycast_all(ray, s.mesh);
  ASSERT_EQ(all.size(), truth.size()) << told(ray);
  ++(truth.empty() ? misses : hits);
  if (truth.empty()) return;
  ASSERT_EQ(*first->triangle, truth[0].triangle) << told(ray);
  ASSERT_TRUE(rounded_down(first->t, truth[0].t)) << told(ray) << " t " << first->t;
  ASSERT_EQ(first->started_inside, truth[0].t == 0) << told(ray);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(*all[i].triangle, truth[i].triangle) << told(ray) << " hit " << i;
    ASSERT_TRUE(rounded_down(all[i].t, truth[i].t)) << told(ray) << " hit " << i;
  }
  // t_max is closed and compared with the true t
  const double t = first->t;
  ASSERT_EQ(raycast_any(ray, s.mesh, {t}), truth[0].t == Q(t)) << told(ray);
  if (t > 0) {
    ASSERT_FALSE(raycast_any(ray, s.mesh, {next_down(t)})) << told(ray);
  }
  ASSERT_EQ(raycast_all(ray, s.mesh, {all.back().t}).size(),
            static_cast<std::size_t>(std::count_if(truth.begin(), truth.end(), [&](const Truth& x) { return x.t <= Q(all.back().t); })))
      << told(ray);
}

/// Rays aimed at vertices, edge midpoints and faces, along the axes through vertices, in planes of triangles, from the surface.
void aim(const Scene& s, Random& r, int n, double step) {
  const auto count = static_cast<int>(s.data.triangles.size());
  const Box box = bounding_box(s.mesh);
  const Vec3 size = box.max - box.min;
  const auto snap = [&](Vec3 v) {
    for (int i = 0; i < 3; ++i) v[i] = std::nearbyint(v[i] / step) * step;
    return v;
  };
  for (int i = 0; i < n; ++i) {
    const auto t = static_cast<std::uint32_t>(r.integer(0, count - 1));
    const Vec3 a = s.corner(t, 0), b = s.corner(t, 1), c = s.corner(t, 2);
    const Vec3 from = snap(box.min + Vec3(r.real(-0.5, 1.5) * size.x, r.real(-0.5, 1.5) * size.y, r.real(-0.5, 1.5) * size.z));
    std::vector<Ray> rays;
    const auto shoot = [&](const Vec3& o, const Vec3& d) {
      if (d != Vec3(0, 0, 0)) rays.push_back({o, d});
    };
    shoot(from, a - from);                                  // at a vertex (exact: everything is snapped)
    shoot(from, 0.5 * (a + b) - from);                      // at the middle of an edge
    shoot(from, 0.25 * (a + b) + 0.5 * c - from);           // at the face
    shoot(from, snap(r.point(-1, 1) * (size.x + size.y)));  // anywhere
    Vec3 axis(0, 0, 0);
    axis[i % 3] = i % 2 ? 1 : -1;
    const double far = 2 * (size.x + size.y + size.z);
    shoot(a - snap(Vec3(far, far, far)) * axis * axis * Vec3(axis.x + axis.y + axis.z), axis);  // along an axis through a vertex
    shoot(a, axis);                                                                             // from a vertex
    shoot(a - (b - a), b - a);                                                                  // along an edge
    shoot(0.5 * (a + b), c - a);                                                                // in the plane, from an edge
    shoot(a - 2.0 * (c - 0.5 * (a + b)), c - 0.5 * (a + b));                                    // in a parallel or the same plane
    shoot(0.25 * (a + b) + 0.5 * c, from - a);                                                  // from inside a face
    Vec3 beside = 0.5 * (a + b) - from;
    beside[i % 3] = r.integer(0, 1) ? next_up(beside[i % 3]) : next_down(beside[i % 3]);  // one ulp beside an edge
    shoot(from, beside);
    for (const Ray& ray : rays) {
      check(s, ray);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(RaysByRationals, MadeMeshes) {
  Random r(61);
  hits = misses = 0;
  aim(Scene(cube({-4, -2, 0}, {4, 6, 8})), r, 60, 0.25);
  aim(Scene(square_torus(2, 1)), r, 40, 0.25);
  aim(Scene(grid_plane(5, 1)), r, 40, 0.25);
  for (int i = 0; i < 6; ++i) aim(Scene(lattice(r, 30, 2 + i % 2)), r, 15, 0.25);
  MeshData thin = cube({0, 0, 0}, {1, 1, 0x1p-30});
  append(thin, cube({0, 0, 1}, {1, 1, next_up(1)}));
  aim(Scene(thin), r, 40, 0x1p-20);
  EXPECT_GT(hits, 1000);
  EXPECT_GT(misses, 200);
}

TEST(RaysByRationals, SharedModels) {
  Random r(62);
  const auto cow = shared_model("cow.obj"), fandisk = shared_model("fandisk.obj");
  if (!cow || !fandisk) GTEST_SKIP() << "no shared models";
  const int n = full_tests() ? 300 : 25;
  aim(Scene(snapped(*cow, 0x1p-12)), r, n, 0x1p-12);
  aim(Scene(*cow), r, n, 0x1p-12);
  aim(Scene(snapped(*fandisk, 0x1p-5)), r, n, 0x1p-5);
  aim(Scene(*fandisk), r, n, 0x1p-12);
}

// ---- points in solids ------------------------------------------------------------------------------------------------------------------

/// Winding number of a point off the surface, by a ray that meets no edge; empty when the direction is not generic.
std::optional<int> winding(const Scene& s, const QVec& p, const QVec& d) {
  int sum = 0;
  for (const auto& t : s.exact_triangles) {
    const QVec n = cross(t[1] - t[0], t[2] - t[0]);
    const Q slope = dot(n, d), height = dot(n, t[0] - p);
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) continue;
    if (slope == 0) return std::nullopt;
    if (height * slope < 0) continue;
    const QVec x = p + (height / slope) * d;
    bool inside = true, edge = false;
    for (std::size_t i = 0; i < 3; ++i) {
      const Q side = dot(cross(t[(i + 1) % 3] - t[i], x - t[i]), n);
      edge = edge || side == 0;
      inside = inside && side >= 0;
    }
    if (inside && edge) return std::nullopt;
    if (inside) sum += slope > 0 ? 1 : -1;
  }
  return sum;
}

bool on_surface(const Scene& s, const QVec& p) {
  for (const auto& t : s.exact_triangles) {
    const QVec n = cross(t[1] - t[0], t[2] - t[0]);
    if (dot(n, p - t[0]) == 0 && hulls_meet({p}, {t[0], t[1], t[2]})) return true;
  }
  return false;
}

void check_points(MeshData data, Random& r, int n, const std::string& what) {
  const Scene s(std::move(data));
  const Solid body(s.mesh);
  const Box box = bounding_box(s.mesh);
  const Vec3 size = box.max - box.min;
  int in = 0, out = 0;
  for (int i = 0; i < n; ++i) {
    const auto t = static_cast<std::uint32_t>(r.integer(0, static_cast<int>(s.data.triangles.size()) - 1));
    const Vec3 a = s.corner(t, 0), b = s.corner(t, 1), c = s.corner(t, 2);
    std::vector<Vec3> points{box.min + Vec3(r.unit() * size.x, r.unit() * size.y, r.unit() * size.z),
                             a,
                             0.5 * (a + b),
                             0.25 * (a + b) + 0.5 * c,
                             Vec3(a.x, b.y, c.z),
                             Vec3(a.x + 1, a.y, a.z)};
    for (std::size_t k = 1; k < 4; ++k) {  // one ulp beside a vertex, an edge, a face
      Vec3 p = points[k];
      p[i % 3] = r.integer(0, 1) ? next_up(p[i % 3]) : next_down(p[i % 3]);
      points.push_back(p);
    }
    for (const Vec3& p : points) {
      const QVec x = exact(p);
      bool truth = on_surface(s, x);
      if (!truth) {
        std::optional<int> w;
        while (!w) w = winding(s, x, {Q(r.integer(-1000003, 1000003)), Q(r.integer(-1000003, 1000003)), Q(r.integer(1, 1000003))});
        truth = *w != 0;
      }
      ++(truth ? in : out);
      ASSERT_EQ(contains(body, p), truth) << what << " point " << told({p, {}});
      ASSERT_EQ(intersects(Point{p}, body), truth) << what;
      const double d = signed_distance(p, body);
      ASSERT_EQ(d <= 0, truth) << what << " point " << told({p, {}}) << " distance " << d;
    }
  }
  EXPECT_GT(in, n) << what;
  EXPECT_GT(out, n / 2) << what;
}

TEST(PointsInSolids, MadeModels) {
  Random r(63);
  check_points(cube({-1, 0, 2}, {3, 5, 4}), r, 60, "cube");
  check_points(square_torus(2, 1), r, 60, "torus");
  MeshData overlapping = cube({0, 0, 0}, {4, 4, 4});
  append(overlapping, cube({2, 2, 2}, {6, 6, 6}));
  append(overlapping, cube({4, 0, 0}, {8, 4, 4}));
  MeshData cavity = cube({0.5, 0.5, 0.5}, {1.5, 1.5, 1.5});
  for (auto& t : cavity.triangles) std::swap(t[1], t[2]);
  append(overlapping, cavity);
  check_points(overlapping, r, 60, "overlapping cubes with a cavity");
  for (int i = 0; i < 10; ++i) {
    MeshData tangled;  // closed, with every kind of contact between its shells
    for (int k = 0; k < 4; ++k) {
      const auto base = static_cast<std::uint32_t>(tangled.vertices.size());
      for (int v = 0; v < 4; ++v) tangled.vertices.push_back(r.grid(-3, 3));
      for (const auto& f : {TriangleIndices{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}) tangled.triangles.push_back({base + f[0], base + f[1], base + f[2]});
    }
    check_points(tangled, r, 15, "tangled tetrahedra " + std::to_string(i));
  }
}

TEST(PointsInSolids, SharedModels) {
  const auto fandisk = shared_model("fandisk.obj");
  if (!fandisk || !full_tests()) GTEST_SKIP() << "only with the shared models and GRAZE_FULL_TESTS=1";
  Random r(64);
  check_points(*fandisk, r, 20, "fandisk");
}

}  // namespace
}  // namespace graze::test
