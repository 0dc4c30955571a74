// Deforming meshes against brute force over all pairs of features; order, options, refused input, threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <graze/error.hpp>
#include <graze/sweep.hpp>
#include <graze/threads.hpp>
#include <set>
#include <tuple>

#include "support/random.hpp"

namespace graze::deforming_test {
namespace {

using Kind = DeformingContact::Kind;
using Key = std::tuple<double, int, std::array<std::uint32_t, 4>, std::uint32_t, std::uint32_t>;

std::vector<Key> keys(const std::vector<DeformingContact>& list) {
  std::vector<Key> out;
  for (const DeformingContact& c : list) out.push_back({c.t, static_cast<int>(c.kind), c.vertices, c.triangle_a, c.triangle_b});
  return out;
}

struct Features {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> vertices, faces;        ///< number, triangle
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> edges;  ///< low, high, triangle
  explicit Features(const Mesh& m) {
    std::set<std::uint32_t> v;
    std::set<std::pair<std::uint32_t, std::uint32_t>> e;
    std::set<TriangleIndices> f;
    for (std::uint32_t i = 0; i < m.size(); ++i) {
      const TriangleIndices t = m.triangles()[i];
      TriangleIndices sorted = t;
      std::sort(sorted.begin(), sorted.end());
      if (f.insert(sorted).second) faces.push_back({i, i});
      for (int k = 0; k < 3; ++k) {
        if (v.insert(t[k]).second) vertices.push_back({t[k], i});
        const std::uint32_t p = std::min(t[k], t[(k + 1) % 3]), q = std::max(t[k], t[(k + 1) % 3]);
        if (p != q && e.insert({p, q}).second) edges.push_back({p, q, i});
      }
    }
  }
};

std::vector<Key> brute(const Mesh& a, const std::vector<Vec3>& a1, const Mesh& b, const std::vector<Vec3>& b1, bool self) {
  std::vector<Key> out;
  const Features fa(a), fb(b);
  const auto vf = [&](const Mesh& ma, const std::vector<Vec3>& ma1, const Features& x, const Mesh& mb, const std::vector<Vec3>& mb1, const Features& y,
                      bool flip) {
    for (const auto& [v, tv] : x.vertices)
      for (const auto& [f, tf] : y.faces) {
        const TriangleIndices t = mb.triangles()[f];
        if (self && (t[0] == v || t[1] == v || t[2] == v)) continue;
        const auto hit = ccd_vertex_face(std::array{ma.vertices()[v], mb.vertices()[t[0]], mb.vertices()[t[1]], mb.vertices()[t[2]]},
                                         std::array{ma1[v], mb1[t[0]], mb1[t[1]], mb1[t[2]]});
        if (!hit) continue;
        if (flip)
          out.push_back({*hit, 1, {t[0], t[1], t[2], v}, tf, tv});
        else
          out.push_back({*hit, 0, {v, t[0], t[1], t[2]}, tv, tf});
      }
  };
  vf(a, a1, fa, b, b1, fb, false);
  if (!self) vf(b, b1, fb, a, a1, fa, true);
  for (const auto& [p, q, te] : fa.edges)
    for (const auto& [r, s, tf] : fb.edges) {
      if (self && (std::tie(p, q) >= std::tie(r, s) || p == r || p == s || q == r || q == s)) continue;
      const auto hit = ccd_edge_edge(std::array{a.vertices()[p], a.vertices()[q], b.vertices()[r], b.vertices()[s]}, std::array{a1[p], a1[q], b1[r], b1[s]});
      if (hit) out.push_back({*hit, 2, {p, q, r, s}, te, tf});
    }
  std::sort(out.begin(), out.end());
  return out;
}

/// A sheet of n x n cells with shuffled triangles, one of them repeated and one degenerate; vertices on a small grid or anywhere.
Mesh sheet(test::Random& r, int n, double height, bool rough) {
  MeshData d;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) d.vertices.push_back(Vec3(i, j, height) + (rough ? 0.3 * r.point(-1, 1) : Vec3(0, 0, r.below(2))));
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (n + 1) + j); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      d.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      d.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  d.triangles.push_back({at(0, 1), at(0, 0), at(1, 0)});  // a copy, moved elsewhere
  d.triangles.push_back({at(0, 0), at(0, 0), at(n, n)});
  r.shuffle(d.triangles);
  return Mesh(std::move(d));
}

std::vector<Vec3> moved(test::Random& r, const Mesh& m, const Vec3& by, bool rough) {
  std::vector<Vec3> v(m.vertices().begin(), m.vertices().end());
  for (Vec3& p : v) p += by + (rough ? 0.4 * r.point(-1, 1) : r.grid(-1, 1));
  return v;
}

TEST(Deforming, AllPairsOnceInOrder) {
  test::Random r(1);
  std::size_t total = 0;
  for (int i = 0; i < 24; ++i) {
    const bool rough = i & 1;
    const int n = 2 + r.below(4);
    const Mesh a = sheet(r, n, 0, rough), b = sheet(r, n, 2, rough);
    const std::vector<Vec3> a1 = moved(r, a, Vec3(0, 0, 1), rough), b1 = moved(r, b, Vec3(0.5, 0, -2), rough);
    const std::vector<Key> found = keys(ccd(a, a1, b, b1));
    ASSERT_EQ(found, brute(a, a1, b, b1, false));
    total += found.size();
    DeformingOptions first;
    first.first_only = true;
    const std::vector<Key> one = keys(ccd(a, a1, b, b1, first));
    ASSERT_EQ(one.size(), found.empty() ? 0u : 1u);
    if (!found.empty()) {
      ASSERT_EQ(one[0], found[0]);
    }
    DeformingOptions some;
    some.limit = 5;
    some.filter = [](const DeformingContact& c) { return c.kind == Kind::edge_edge; };
    std::vector<Key> expected;
    for (const Key& k : found)
      if (std::get<1>(k) == 2 && expected.size() < 5) expected.push_back(k);
    ASSERT_EQ(keys(ccd(a, a1, b, b1, some)), expected);
  }
  EXPECT_GT(total, 1000u);
}

TEST(Deforming, AgainstItself) {
  test::Random r(2);
  std::size_t total = 0;
  for (int i = 0; i < 16; ++i) {
    const bool rough = i & 1;
    const Mesh m = sheet(r, 2 + r.below(4), 0, rough);
    std::vector<Vec3> end = moved(r, m, Vec3(0, 0, 0), rough);
    for (Vec3& p : end) p = Vec3(p.x, p.y > 2 ? 4 - p.y : p.y, p.y > 2 ? 0.5 : p.z);  // folded over
    const std::vector<Key> found = keys(ccd(m, end));
    ASSERT_EQ(found, brute(m, end, m, end, true));
    total += found.size();
    DeformingOptions first;
    first.first_only = true;
    const std::vector<Key> one = keys(ccd(m, end, first));
    ASSERT_EQ(one.size(), found.empty() ? 0u : 1u);
    if (!found.empty()) {
      ASSERT_EQ(one[0], found[0]);
    }
  }
  EXPECT_GT(total, 200u);
}

/// A search that discards later contacts finds the same first contact as the full search, with a filter, and on any number of threads.
TEST(Deforming, FirstMatchesTheFullSearch) {
  test::Random r(5);
  for (int i = 0; i < 12; ++i) {
    const bool rough = i & 1;
    const Mesh a = sheet(r, 14, 0, rough), b = sheet(r, 14, 2.5, rough);
    const std::vector<Vec3> a1 = moved(r, a, Vec3(0, 0, i % 3), rough), b1 = moved(r, b, Vec3(i % 4, 0, -5), rough);
    DeformingOptions all, first;
    if (i % 3 == 2) all.filter = first.filter = [](const DeformingContact& c) { return c.kind == Kind::edge_edge && c.triangle_a % 3 == 0; };
    first.first_only = true;
    const std::vector<Key> found = keys(ccd(a, a1, b, b1, all));
    ASSERT_FALSE(found.empty());
    for (const int n : {1, 2}) {
      set_threads(n);
      ASSERT_EQ(keys(ccd(a, a1, b, b1, first)), std::vector<Key>{found[0]}) << i;
    }
    set_threads(0);
  }
}

TEST(Deforming, SameForAnyNumberOfThreads) {
  test::Random r(3);
  const Mesh a = sheet(r, 20, 0, true), b = sheet(r, 20, 1, true);
  const std::vector<Vec3> a1 = moved(r, a, Vec3(0, 0, 1), true), b1 = moved(r, b, Vec3(0, 0, -1), true);
  set_threads(1);
  const std::vector<Key> one = keys(ccd(a, a1, b, b1));
  set_threads(0);
  EXPECT_EQ(keys(ccd(a, a1, b, b1)), one);
  EXPECT_GT(one.size(), 100u);
}

TEST(Deforming, Refusals) {
  const Mesh m(MeshData{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {{0, 1, 2}}, {}});
  std::vector<Vec3> end(m.vertices().begin(), m.vertices().end());
  EXPECT_TRUE(ccd(m, end).empty());
  const auto message = [&](const std::vector<Vec3>& v) -> std::string {
    try {
      (void)ccd(m, v);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  end[1].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(end), "ccd: the end, vertex 1: y is NaN");
  end.pop_back();
  EXPECT_EQ(message(end), "ccd: the end has 2 vertices, must have 3");
  const Mesh none(MeshData{});
  EXPECT_TRUE(ccd(none, std::vector<Vec3>{}, m, std::vector<Vec3>(m.vertices().begin(), m.vertices().end())).empty());
  // single precision, with a stride
  const float rows[3][4] = {{0, 0, 1, 9}, {1, 0, 1, 9}, {0, 1, 1, 9}};
  const Mesh point(MeshData{{Vec3(0.25, 0.25, 0.5), Vec3(0.25, 0.25, 0.5), Vec3(0.25, 0.25, 0.5)}, {{0, 1, 2}}, {}});
  const auto hits = ccd(m, VertexView(&rows[0][0], 3, sizeof rows[0]), point, point.vertices());
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].t, 0.5);
}

}  // namespace
}  // namespace graze::deforming_test
