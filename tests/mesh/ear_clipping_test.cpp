// Outlines that touch themselves: their triangles are turned one way, have the outline as border and its area, and lids of prisms made of them are closed.
#include "mesh/ear_clipping.hpp"

#include <gtest/gtest.h>
#include <glm/geometric.hpp>
#include <graze/error.hpp>
#include <graze/mesh.hpp>
#include <graze/query.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mesh/polygon_rules.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::Rational;

namespace ear_clipping_test {
namespace {

using Points = std::vector<Vec3>;

Rational twice_area(const Vec3& a, const Vec3& b, const Vec3& c, int drop) {
  return oracle::cross(oracle::r3(b) - oracle::r3(a), oracle::r3(c) - oracle::r3(a))[drop];
}

/// Requires n - 2 triangles, none turned over, whose borders add up to the outline; returns how many have no area.
std::size_t expect_tiles(const Points& p) {
  const std::vector<TriangleIndices> triangles = triangulate(p);
  EXPECT_EQ(triangles.size(), p.size() - 2);
  const AreaAxis axis = area_axis(p);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  std::size_t flat = 0;
  for (const TriangleIndices& t : triangles) {
    const Rational area = twice_area(p[t[0]], p[t[1]], p[t[2]], axis.drop) * axis.sign;
    EXPECT_GE(area, 0);
    flat += area == 0;
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  }
  const auto n = static_cast<std::uint32_t>(p.size());
  for (std::uint32_t k = 0; k < n; ++k) {
    EXPECT_EQ((edges[{k, (k + 1) % n}]), 1);
    edges.erase({k, (k + 1) % n});
  }
  for (const auto& [edge, count] : edges) EXPECT_TRUE(count == 1 && edges.count({edge.second, edge.first}) == 1);
  return flat;
}

Points rotated(Points p, std::size_t by) {
  std::rotate(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(by), p.end());
  return p;
}
Points reversed(Points p) {
  std::reverse(p.begin(), p.end());
  return p;
}
Points tilted(const Points& p) {  // by a matrix of whole numbers
  Points out;
  for (const Vec3& v : p) out.emplace_back(2 * v.x - v.y, v.x + 2 * v.y, 3 * v.x - 5 * v.y);
  return out;
}
Points flat_points(std::initializer_list<std::pair<double, double>> list) {
  Points p;
  for (const auto& [x, y] : list) p.emplace_back(x, y, 0);
  return p;
}

struct Named {
  const char* name;
  Points points;
  double area;
  std::size_t seams;  // triangles without area
};

std::vector<Named> touching_outlines() {
  return {
      {"outline, bridge and hole", flat_points({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}}), 12, 0},
      {"two holes by bridges from one corner",
       flat_points({{0, 0}, {9, 0}, {9, 4}, {0, 4}, {0, 0}, {1, 2}, {1, 3}, {2, 3}, {2, 2}, {1, 2}, {0, 0}, {5, 1}, {5, 2}, {6, 2}, {6, 1}, {5, 1}}), 34, 0},
      {"two holes, one behind the other",
       flat_points({{0, 0}, {9, 0}, {9, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {4, 2}, {4, 3}, {5, 3}, {5, 2}, {4, 2}, {2, 2}, {2, 1}, {1, 1}}), 34, 0},
      {"a hole that touches the outline at a corner", flat_points({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 2}, {2, 1}}), 14.5, 0},
      {"two squares at a corner", flat_points({{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}}), 2, 2},
      {"a corner on an edge", flat_points({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), 8, 1},
      {"two corners on an edge", flat_points({{0, 0}, {6, 0}, {6, 4}, {4, 0}, {3, 4}, {2, 0}, {0, 4}}), 12, 2},
      {"a hole that touches an edge", flat_points({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 2}, {2, 2}, {2, 0}, {1, 2}}), 15, 1},
      {"corners on straight edges and a hole",
       flat_points({{0, 0}, {2, 0}, {4, 0}, {4, 2}, {4, 4}, {2, 4}, {0, 4}, {0, 2}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}}), 12, 0},
      {"a bridge along an edge's line", flat_points({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {2, 2}, {1, 2}, {0, 2}}), 15, 0},
      {"a square that runs out and back", flat_points({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 2}, {2, 2}, {0, 2}}), 16, 2},
      {"two squares at a corner, one of them repeated", flat_points({{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {2, 2}, {1, 2}, {1, 1}, {0, 1}}), 2, 3},
  };
}

}  // namespace

TEST(EarClipping, OutlinesThatTouchThemselves) {
  for (const Named& named : touching_outlines()) {
    for (const Points& p : {named.points, tilted(named.points)}) {
      for (std::size_t by = 0; by < p.size(); ++by) {
        EXPECT_LE(expect_tiles(rotated(p, by)), named.seams) << named.name << " from corner " << by;
        EXPECT_LE(expect_tiles(reversed(rotated(p, by))), named.seams) << named.name << " from corner " << by << ", turned over";
      }
    }
    double area = 0;
    for (const TriangleIndices& t : triangulate(named.points)) {
      const Vec3 u = named.points[t[1]] - named.points[t[0]], v = named.points[t[2]] - named.points[t[0]];
      area += std::abs(u.x * v.y - u.y * v.x) / 2;
    }
    EXPECT_EQ(area, named.area) << named.name;
  }
}

// The lids of a prism; its sides follow the edges of the outline that are not passed both ways.
TEST(EarClipping, LidsOfPrisms) {
  for (const Named& named : touching_outlines()) {
    for (std::size_t by = 0; by < named.points.size(); ++by) {
      const Points p = rotated(named.points, by);
      const auto n = static_cast<std::uint32_t>(p.size());
      MeshData data;
      for (const double z : {0.0, 2.0})
        for (const Vec3& v : p) data.vertices.emplace_back(v.x, v.y, z);
      for (const TriangleIndices& t : triangulate(p)) {
        data.triangles.push_back({t[2], t[1], t[0]});
        data.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
      }
      for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t l = (k + 1) % n;
        bool twice = p[k] == p[l];
        for (std::uint32_t i = 0; i < n; ++i) twice = twice || (p[i] == p[l] && p[(i + 1) % n] == p[k]);
        if (twice) continue;
        data.triangles.push_back({k, l, l + n});
        data.triangles.push_back({k, l + n, k + n});
      }
      const Mesh mesh(data);
      EXPECT_TRUE(check(mesh).solid) << named.name << by;
      EXPECT_EQ(signed_volume(solid(mesh)), 2 * named.area) << named.name << by;
    }
  }
}

// Rounded after a rotation, as files have it: the corners of a bridge stay equal, and the face is no longer plane.
TEST(EarClipping, RoundedKeyholes) {
  const Points keyhole = flat_points({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}});
  test::Random random(5);
  for (int round = 0; round < 30; ++round) {
    double part[4];
    for (double& x : part) x = random.real(-1, 1);
    const Pose turn = Pose::from_quaternion(part[0], part[1], part[2], part[3]);
    for (const double digits : {1e3, 1e6, 0.0}) {
      Points p;
      for (const Vec3& v : keyhole) {
        Vec3 q = turn.apply(v);
        for (int k = 0; k < 3; ++k) q[k] = digits > 0 ? std::round(q[k] * digits) / digits : static_cast<double>(static_cast<float>(q[k]));
        p.push_back(q);
      }
      EXPECT_EQ(expect_tiles(p), 0u);
      double area = 0;
      for (const TriangleIndices& t : triangulate(p)) area += graze::area(Triangle{{p[t[0]], p[t[1]], p[t[2]]}});
      Vec3 outline(0, 0, 0);  // the rounding moves corners, and so the area of the outline itself
      for (std::size_t k = 2; k < p.size(); ++k) outline += glm::cross(p[k - 1] - p[0], p[k] - p[0]);
      EXPECT_NEAR(area, glm::length(outline) / 2, 1.2e-5);  // 1e-6 of it
      EXPECT_NEAR(area, 12, digits == 1e3 ? 0.02 : 1.2e-5);
    }
  }
}

/// Whether the outline runs back on itself at a corner. Then it may cross an edge in a corner, there and back, which the numbers of windings do not show.
bool runs_back(Points p) {
  p.erase(std::unique(p.begin(), p.end()), p.end());
  while (p.size() > 1 && p.front() == p.back()) p.pop_back();
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Vec3 u = p[k] - p[(k + p.size() - 1) % p.size()], v = p[(k + 1) % p.size()] - p[k];
    if (u.x * v.y == u.y * v.x && u.x * v.x + u.y * v.y < 0) return true;
  }
  return false;
}

// Random outlines on a small grid, with repeated corners, folds and touching edges of all kinds: accepted only where each point is passed round 0 or 1 times,
// and in all of these cases there if the outline does not run back on itself. (Among millions there are some whose parts without width cross in corners.) Every
// region of the plane begins beside a corner or a crossing, between two neighbouring directions.
TEST(EarClipping, RandomOutlinesOnAGrid) {
  test::Random random(15);
  int accepted = 0, refused = 0, over = 0;
  for (int round = 0; round < 60000; ++round) {
    const int m = random.integer(1, 4), n = random.integer(4, 11);
    Points p;
    for (int k = 0; k < n; ++k) {
      const int x = random.integer(0, m), y = random.integer(0, m);
      p.emplace_back(x, y, 0);
    }
    if (area_axis(p).sign == 0) continue;
    if (area_axis(p).sign < 0) std::reverse(p.begin(), p.end());
    std::vector<Vec3> places = p;
    bool crosses = false;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) {
        const Vec3 &a = p[i], &c = p[j], u = p[(i + 1) % n] - a, v = p[(j + 1) % n] - c;
        const double det = u.x * v.y - u.y * v.x, t = ((c.x - a.x) * v.y - (c.y - a.y) * v.x) / det, s = ((c.x - a.x) * u.y - (c.y - a.y) * u.x) / det;
        if (det == 0 || !(t > 0 && t < 1 && s > 0 && s < 1)) continue;
        places.push_back(a + u * t);
        crosses = true;
      }
    bool winds_once = true;
    for (std::size_t k = 0; k < places.size() && winds_once; ++k) {
      std::vector<double> angles;
      for (int i = 0; i < n; ++i) {
        const Vec3 d = p[(i + 1) % n] - p[i];
        angles.push_back(std::atan2(d.y, d.x));
        angles.push_back(std::atan2(-d.y, -d.x));
      }
      std::sort(angles.begin(), angles.end());
      for (std::size_t i = 0; i < angles.size() && winds_once; ++i) {
        const double next = i + 1 < angles.size() ? angles[i + 1] : angles[0] + 6.283185307179586, angle = (angles[i] + next) / 2;
        if (next - angles[i] < 1e-9) continue;
        const double x = places[k].x + 1e-5 * std::cos(angle), y = places[k].y + 1e-5 * std::sin(angle);
        int winding = 0;
        for (int e = 0; e < n; ++e) {
          const Vec3 &a = p[e], &b = p[(e + 1) % n];
          const double side = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
          if (a.y <= y && b.y > y && side > 0) ++winding;
          if (a.y > y && b.y <= y && side < 0) --winding;
        }
        winds_once = winding == 0 || winding == 1;
      }
    }
    bool is_cut = true;
    try {
      expect_tiles(p);
    } catch (const Error&) {
      is_cut = false;
    }
    if (winds_once && !crosses && !runs_back(p)) {
      EXPECT_TRUE(is_cut) << "refused: " << [&] {
        std::string text;
        for (const Vec3& v : p) text += "{" + std::to_string(static_cast<int>(v.x)) + "," + std::to_string(static_cast<int>(v.y)) + "},";
        return text;
      }();
    }
    ++(is_cut ? accepted : refused);
    over += is_cut && !winds_once;
    if (HasFailure()) return;
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
  EXPECT_EQ(over, 0);
}

TEST(EarClipping, AThousandHoles) {
  Points p = flat_points({{0, 0}, {4000, 0}, {4000, 4000}, {0, 4000}, {0, 0}});
  std::vector<Points> holes;
  for (int i = 0; i < 1000; ++i) {  // from each to the next, and back at the end
    const double x = 1 + 3.5 * i, y = 2 + 3 * i + i % 2;
    holes.push_back(flat_points({{x, y}, {x, y + 1}, {x + 1, y + 1}, {x + 1, y}}));
  }
  for (const Points& h : holes) p.insert(p.end(), {h[0], h[1], h[2]});
  for (auto h = holes.rbegin(); h != holes.rend(); ++h) p.insert(p.end(), {(*h)[2], (*h)[3], (*h)[0]});
  const std::vector<TriangleIndices> triangles = triangulate(p);
  ASSERT_EQ(triangles.size(), p.size() - 2);
  double twice = 0;
  for (const TriangleIndices& t : triangles) {
    const Vec3 u = p[t[1]] - p[t[0]], v = p[t[2]] - p[t[0]];
    const double area = u.x * v.y - u.y * v.x;
    EXPECT_GE(area, 0);
    twice += area;
  }
  EXPECT_NEAR(twice / 2, 4000.0 * 4000 - 1000, 1e-6);
}

TEST(EarClipping, CrossingOutlinesAreRefused) {
  for (const Points& p :
       {flat_points({{0, 0}, {2, 2}, {2, 0}, {0, 1}}), flat_points({{0, 0}, {1, 0}, {2, 1}, {1, 1}, {2, 0}, {3, 3}, {0, 3}}),
        flat_points({{0, 0}, {1, 1}, {2, 2}, {2, 0.5}, {1, 1}, {0, 3}}), flat_points({{0, 0}, {4, 0}, {4, 4}, {1, 1}, {3, 1}, {2, 3}, {1, 1}, {0, 4}})}) {
    bool refused = false;
    try {
      (void)triangulate(p);
    } catch (const Error& e) {
      refused = std::string(e.what()).find("the polygon crosses itself") != std::string::npos;
    }
    EXPECT_TRUE(refused);
  }
}

// Outlines of 60,000 corners, most of which touch. An algorithm that looks for the next ear among all corners, or runs round the whole outline to decide on
// one, takes minutes.
TEST(EarClipping, ManyCorners) {
  constexpr int n = 60000;
  struct {
    const char* name;
    Points points;
    double area;
  } inputs[4] = {
      {"a chain of squares", {}, n / 4 * 2.0}, {"teeth that touch an edge", {}, 5.0 * n + 7.5}, {"a grid of holes", {}, 0}, {"bridges that bend", {}, 0}};
  auto &chain = inputs[0].points, &teeth = inputs[1].points, &grid = inputs[2].points, &bends = inputs[3].points;
  for (int i = 0; i < n / 4; ++i) chain.insert(chain.end(), {Vec3(2 * i, 0, 0), Vec3(2 * i + 1, -1, 0)});
  for (int i = n / 4; i > 0; --i) chain.insert(chain.end(), {Vec3(2 * i, 0, 0), Vec3(2 * i - 1, 1, 0)});
  teeth = flat_points({{0, 0}, {n, 0}, {n, 10}});
  for (int i = n / 2 - 1; i > 0; --i) teeth.insert(teeth.end(), {Vec3(2 * i + 0.5, 0, 0), Vec3(2 * i - 0.5, 10, 0)});
  teeth.emplace_back(0, 10, 0);
  constexpr int m = 100;  // rows of holes, one behind the other, from the left edge
  grid = flat_points({{0, 0}, {4 * m, 0}, {4 * m, 4 * m}, {0, 4 * m}});
  for (int row = m - 1; row >= 0; --row) {
    const double y = 4 * row + 1;
    grid.emplace_back(0, y, 0);
    for (int i = 0; i < m; ++i)
      for (const auto& [x, h] : {std::pair(1, 0), std::pair(1, 2), std::pair(3, 2), std::pair(3, 0)}) grid.emplace_back(4 * i + x, y + h, 0);
    for (int i = m - 1; i >= 0; --i) {
      grid.emplace_back(4 * i + 1, y, 0);
      if (i > 0) grid.emplace_back(4 * i - 1, y, 0);
    }
    grid.emplace_back(0, y, 0);
  }
  inputs[2].area = 12.0 * m * m;
  bends = flat_points({{0, 100}, {0, 0}});  // a zigzag to a hole, and back
  for (int i = 1; i < n / 2; ++i) bends.emplace_back(i, i % 2, 0);
  bends.insert(bends.end(), {Vec3(n / 2, 2, 0), Vec3(n / 2 + 1, 1, 0), Vec3(n / 2, 0, 0)});
  for (int i = n / 2 - 1; i > 0; --i) bends.emplace_back(i, i % 2, 0);
  bends.insert(bends.end(), {Vec3(0, 0, 0), Vec3(0, -100, 0), Vec3(n, -100, 0), Vec3(n, 100, 0)});
  inputs[3].area = 200.0 * n - 2;
  for (const auto& [name, p, area] : inputs) {
    const std::vector<TriangleIndices> triangles = triangulate(p);
    EXPECT_EQ(triangles.size(), p.size() - 2) << name;
    double twice = 0;
    for (const TriangleIndices& t : triangles) {
      const Vec3 u = p[t[1]] - p[t[0]], v = p[t[2]] - p[t[0]];
      EXPECT_GE(u.x * v.y - u.y * v.x, 0) << name;
      twice += u.x * v.y - u.y * v.x;
    }
    EXPECT_EQ(twice / 2, area) << name;
  }
}

// Bridges from one corner to many holes, listed in the order of their directions, or so that they cross at the corner.
TEST(EarClipping, BridgesFromOneCorner) {
  for (const bool sorted : {true, false}) {
    Points p = flat_points({{0, 0}, {9000, 0}, {9000, 9000}, {0, 9000}});
    for (int i = 0; i < 300; ++i) {
      const double x = 300 + 2 * (sorted ? i : 299 - i), y = 300 + 2 * (sorted ? 299 - i : i);
      p.emplace_back(0, 0, 0);
      for (const auto& [u, v] : {std::pair(0, 0), std::pair(0, 1), std::pair(1, 1), std::pair(1, 0), std::pair(0, 0)}) p.emplace_back(x + u, y + v, 0);
    }
    double twice = 0;
    for (const TriangleIndices& t : triangulate(p)) {
      const Vec3 u = p[t[1]] - p[t[0]], v = p[t[2]] - p[t[0]];
      EXPECT_GT(u.x * v.y - u.y * v.x, 0);
      twice += u.x * v.y - u.y * v.x;
    }
    EXPECT_EQ(twice / 2, 9000.0 * 9000 - 300);
  }
}

}  // namespace ear_clipping_test
