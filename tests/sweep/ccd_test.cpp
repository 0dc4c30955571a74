// Moving vertices against moving faces and edges: compared with an independent oracle, cases with known answers, identities, tiers.
#include <gtest/gtest.h>

#include <graze/sweep.hpp>

#include "exact/double_parts.hpp"
#include "support/random.hpp"
#include "support/shared_cases.hpp"
#include "sweep/ccd/ccd.hpp"
#include "sweep/ccd_inputs.hpp"
#include "sweep/ccd_oracle.hpp"

namespace graze::ccd_test {
namespace {

using test::MovingPoints;

std::optional<double> ask(bool edges, const MovingPoints& m) { return edges ? ccd_edge_edge(m.t0, m.t1) : ccd_vertex_face(m.t0, m.t1); }

std::string show(bool edges, const MovingPoints& m) {
  std::string s = edges ? "edge-edge" : "vertex-face";
  char text[64];
  for (const auto* side : {&m.t0, &m.t1})
    for (const Vec3& p : *side)
      for (int k = 0; k < 3; ++k) {
        std::snprintf(text, sizeof text, " %a", p[k]);
        s += text;
      }
  return s;
}

int rounds(int usual) {
  const char* more = std::getenv("GRAZE_CCD_ROUNDS");
  return more ? std::atoi(more) : usual;
}
std::uint64_t seed() {
  const char* given = std::getenv("GRAZE_CCD_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 1;
}

TEST(Ccd, AgreesWithTheOracle) {
  test::Random r(seed());
  int hits = 0, n = rounds(200);
  for (int i = 0; i < n; ++i) {
    const bool edges = i & 1;
    const MovingPoints m = test::moving_points(r, edges);
    const std::optional<double> truth = test::MovingOracle(edges, m.t0, m.t1).first();
    ASSERT_EQ(ask(edges, m), truth) << i << ": " << show(edges, m);
    hits += truth.has_value();
  }
  EXPECT_GT(hits, n / 5);
  EXPECT_LT(hits, n - n / 5);
}

TEST(Ccd, AllTiersAgree) {
  test::Random r(2);
  moving::counts() = {};
  for (int i = 0; i < 20000; ++i) {
    const auto kind = i & 1 ? moving::Kind::edge_edge : moving::Kind::vertex_face;
    const MovingPoints m = test::moving_points(r, i & 1);
    const std::optional<double> exact = moving::exact_first_contact(kind, m.t0, m.t1);
    ASSERT_EQ(moving::first_contact(kind, m.t0, m.t1), exact) << i << ": " << show(i & 1, m);
  }
  // every tier has its share
  EXPECT_GT(moving::counts().filter, 3000u);
  EXPECT_GT(moving::counts().fixed, 1000u);
  EXPECT_GT(moving::counts().big, 1000u);
}

// Permuting corners, exchanging edges and scaling by powers of two keep the time.
TEST(Ccd, Symmetries) {
  test::Random r(3);
  for (int i = 0; i < 5000; ++i) {
    const bool edges = i & 1;
    const MovingPoints m = test::moving_points(r, edges);
    const std::optional<double> t = ask(edges, m);
    const auto permuted = [&](std::array<int, 4> order) {
      MovingPoints p;
      for (int k = 0; k < 4; ++k) {
        p.t0[k] = m.t0[order[k]];
        p.t1[k] = m.t1[order[k]];
      }
      return p;
    };
    if (edges) {
      for (const auto& order : {std::array{1, 0, 2, 3}, std::array{0, 1, 3, 2}, std::array{2, 3, 0, 1}})
        ASSERT_EQ(ask(true, permuted(order)), t) << show(edges, m);
    } else {
      for (const auto& order : {std::array{0, 2, 1, 3}, std::array{0, 3, 1, 2}, std::array{0, 3, 2, 1}})
        ASSERT_EQ(ask(false, permuted(order)), t) << show(edges, m);
    }
    MovingPoints scaled = m;
    const double s = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + r.below(1600) - 800) << 52);
    for (auto* side : {&scaled.t0, &scaled.t1})
      for (Vec3& p : *side) p *= s;
    ASSERT_EQ(ask(edges, scaled), t) << show(edges, m);
    if (t && *t > 0) {  // the reversed motion has a contact, too
      MovingPoints back{m.t1, m.t0};
      ASSERT_TRUE(ask(edges, back)) << show(edges, m);
    }
  }
}

TEST(Ccd, KnownAnswers) {
  const std::array<Vec3, 3> face{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  const auto vertex = [&](const Vec3& from, const Vec3& to) {
    return ccd_vertex_face(std::array{from, face[0], face[1], face[2]}, std::array{to, face[0], face[1], face[2]});
  };
  EXPECT_EQ(vertex({1, 1, 1}, {1, 1, -1}), 0.5);
  EXPECT_EQ(vertex({1, 1, 1}, {1, 1, 0}), 1.0);
  EXPECT_EQ(vertex({1, 1, 1}, {1, 1, 0x1p-1074}), std::nullopt);
  EXPECT_EQ(vertex({1, 1, 0}, {1, 1, 1}), 0.0);
  EXPECT_EQ(vertex({2, 2, 1}, {2, 2, -1}), 0.5);  // on an edge
  EXPECT_EQ(vertex({2, 2 + 0x1p-51, 1}, {2, 2 + 0x1p-51, -1}), std::nullopt);
  EXPECT_EQ(vertex({-1, 1, 0}, {1, 1, 0}), 0.5);                   // in the plane
  EXPECT_EQ(vertex({1, 1, 2}, {1, 1, -1}), 0x1.5555555555555p-1);  // 2/3, rounded down
  EXPECT_EQ(vertex({1, 1, 1}, {1, 1, 1}), std::nullopt);
  EXPECT_EQ(vertex({1, 1, 0}, {1, 1, 0}), 0.0);
  EXPECT_EQ(vertex({1, 1, 1e300}, {1, 1, -1e300}), 0.5);
  EXPECT_EQ(vertex({1, 1, 0x1p-1074}, {1, 1, -1e308}), 0.0);  // the true time is below the smallest denormal
  // a face that collapses to a point exactly when the vertex passes it
  const std::array<Vec3, 4> before{Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(-1, 1, 0), Vec3(-1, -1, 0)};
  const std::array<Vec3, 4> after{Vec3(0, 0, -1), Vec3(-1, 0, 0), Vec3(1, -1, 0), Vec3(1, 1, 0)};
  EXPECT_EQ(ccd_vertex_face(before, after), 0.5);
  // collinear edges that meet at 1/3, rounded down
  const auto line = [](double a0, double a1, double b0, double b1) { return std::array{Vec3(a0, 0, 0), Vec3(a1, 0, 0), Vec3(b0, 0, 0), Vec3(b1, 0, 0)}; };
  EXPECT_EQ(ccd_edge_edge(line(0, 1, 2, 3), line(3, 4, 2, 3)), 0x1.5555555555555p-2);
  EXPECT_EQ(ccd_edge_edge(line(0, 0, 2, 2), line(3, 3, 2, 2)), 0x1.5555555555555p-1);  // points
  EXPECT_EQ(ccd_edge_edge(line(0, 1, 2, 3), line(0, 1, 1 + 0x1p-52, 3)), std::nullopt);
}

// Coordinates from denormals to the largest doubles in one query.
TEST(Ccd, WholeRangeOfExponents) {
  test::Random r(5);
  int hits = 0;
  for (int i = 0; i < 60; ++i) {
    const bool edges = i & 1;
    MovingPoints m = test::moving_points(r, edges);
    for (auto* side : {&m.t0, &m.t1})
      for (Vec3& p : *side)
        for (int k = 0; k < 3; ++k)
          if (r.below(4) == 0) {
            const double s = std::bit_cast<double>(static_cast<std::uint64_t>(1 + r.below(2040)) << 52);
            p[k] = p[k] == 0 ? (r.below(2) ? s : 0) : p[k] > 0 ? s : -s;
          }
    const std::optional<double> t = ask(edges, m);
    const test::MovingOracle oracle(edges, m.t0, m.t1);
    if (t && *t < 1) {
      ++hits;
      EXPECT_FALSE(*t > 0 && oracle.contact_at(next_down(*t))) << show(edges, m);
    }
    for (double s : {0.0, 0x1p-900, 0x1p-400, 0x1p-20, 0.25, 0.5, 0.75, 1.0})
      if (!t || s < *t) {
        EXPECT_FALSE(oracle.contact_at(s)) << show(edges, m);
      }
  }
  EXPECT_GT(hits, 5);
}

TEST(Ccd, SharedCases) {
  std::size_t total = 0;
  for (const char* name : {"ccd/unit-tests", "ccd/erleben-cube-internal-edges", "ccd/erleben-sliding-spike", "ccd/erleben-spike-crack", "ccd/erleben-spikes",
                           "ccd/erleben-wedge-crack", "oracle/swept/ccd-vf", "oracle/swept/ccd-ee"})
    total += test::for_each_case(std::string(name) + ".jsonl.gz", [&](const nlohmann::json& c) {
      MovingPoints m;
      for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) {
          m.t0[i][k] = c["t0"][i][k];
          m.t1[i][k] = c["t1"][i][k];
        }
      const std::optional<double> t = ask(c["kind"] == "edge-edge", m);
      EXPECT_EQ(t.has_value(), c["hit"].get<bool>()) << name << c["id"];
      if (t && c["hit"]) {
        EXPECT_EQ(*t, c["t"].get<double>()) << name << c["id"];
      }
    });
  if (total == 0) GTEST_SKIP() << "no shared cases";
}

}  // namespace
}  // namespace graze::ccd_test
