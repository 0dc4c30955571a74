// `graze heritage`: the comparison behind "held" detects every kind of difference, all rows exist and hold, and every documented defect of the four texts is
// run with its numbers.
#include <gtest/gtest.h>
#include "texts/row.hpp"

#include <cmath>
#include <graze/error.hpp>
#include <limits>
#include <map>
#include "texts/integer_triangles.hpp"

namespace graze::texts {
namespace {

bool held(const Value& graze, const Value& right) {
  Cases cases;
  cases.on("").graze(graze).right(right, "");
  return cases.all().at(0).held;
}

bool held_within(double bound, const Value& graze, const Value& right) {
  Cases cases;
  cases.on("").graze(graze).right_within(bound, right, "");
  return cases.all().at(0).held;
}

TEST(HeritageRows, ACaseHoldsOnlyWhenTheAnswersAreEqual) {
  EXPECT_TRUE(held(true, true));
  EXPECT_FALSE(held(false, true));
  EXPECT_FALSE(held(true, false));
  EXPECT_TRUE(held(.1, .1));
  EXPECT_FALSE(held(.1, std::nextafter(.1, 1.0)));
  EXPECT_FALSE(held(1., std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(held(-0.0, 0.0));
  EXPECT_TRUE(held(7u, 7));
  EXPECT_FALSE(held(7u, 8));
  EXPECT_TRUE(held(Vec3(1, 2, 3), Vec3(1, 2, 3)));
  EXPECT_FALSE(held(Vec3(1, 2, 3), Vec3(1, 2, std::nextafter(3.0, 4.0))));
  EXPECT_FALSE(held(std::optional<Vec3>(), Vec3(0, 0, 0)));
  EXPECT_TRUE(held(std::optional<Vec3>(), "none"));
  EXPECT_FALSE(held("", true)) << "a case without an answer";
}

TEST(HeritageRows, ABoundIsABoundForEveryNumber) {
  EXPECT_TRUE(held_within(.5, 1.5, 1.));
  EXPECT_FALSE(held_within(.5, 1.75, 1.));
  EXPECT_FALSE(held_within(.5, std::nan(""), 1.));
  EXPECT_FALSE(held_within(.5, Vec3(1, 2, 4), Vec3(1, 2, 3)));
  EXPECT_FALSE(held_within(.5, "none", 1.)) << "no numbers";
  EXPECT_FALSE(held_within(.5, 1., Vec3(1, 1, 1)));
}

TEST(HeritageRows, ARowHoldsOnlyWithCasesThatAllHold) {
  const auto result = [](void (*cases)(Cases&)) { return run(Row{"X1", "", "", cases}).held; };
  EXPECT_TRUE(result([](Cases& c) { c.on("").graze(true).right(true, ""); }));
  EXPECT_FALSE(result([](Cases&) {}));
  EXPECT_FALSE(result([](Cases& c) {
    c.on("").graze(true).right(true, "");
    c.on("").graze(false).right(true, "");
    c.on("").graze(true).right(true, "");
  }));
  EXPECT_FALSE(result([](Cases& c) {
    c.on("").graze(true).right(true, "");
    throw Error(ErrorCode::invalid_argument, "refused");
  }));
}

TEST(HeritageRows, AllFortyThreeInOrder) {
  std::vector<std::string> want, got;
  for (const auto& [letter, count] : {std::pair('K', 14), std::pair('S', 9), std::pair('U', 10), std::pair('P', 10)})
    for (int i = 1; i <= count; ++i) want.push_back(letter + std::to_string(i));
  for (const Row& row : rows()) got.push_back(row.name);
  EXPECT_EQ(got.size(), 43u);
  EXPECT_EQ(got, want);
}

TEST(HeritageRows, AllHoldAndEveryDefectIsOne) {
  for (const Row& row : rows()) {
    const RowResult result = run(row);
    EXPECT_TRUE(result.held) << row.name;
    for (const Case& c : result.cases) {
      EXPECT_TRUE(c.held) << row.name << ": " << c.input << ": " << c.graze << ", right: " << c.right;
      EXPECT_NE(c.old, c.right) << row.name << ": " << c.input << ": not a defect";
    }
  }
}

/// The documented results of the old listings, compared with those that the row computes or quotes.
TEST(HeritageRows, DocumentedDefectsAreRun) {
  const struct {
    const char *row, *input, *old, *right;
  } documented[] = {
      {"K2", "(1e+308,", "infinity", "(1.25e+308,1e+308,-1.25e+308)"},
      {"K3", "vertex (1,1,1)", "no", "yes"},
      {"K4", "(2,0,0)(4,0,0)(3,3,0)", "no", "yes"},
      {"K5", "(0,0,0) r 2 with (1,0,0) r 2", "no", "yes"},
      {"K6", "point (1,1,1)", "no", "yes"},
      {"K8", "parallel", "infinity", "none"},
      {"K8", "corner to itself", "NaN", "0"},
      {"K9", "x = 1, z = 0 with the plane x = 0", "infinity", "none"},
      {"K9", "x = 0, z = 0 with the plane x = 0", "NaN", "yes"},
      {"K10", "(0,0,0)(0.5,0,0)(0,0,0.5) with (0.1,-0.25,0.1)(0.2,0.25,0.1)(0.1,0.25,0.2)", "no", "yes"},
      {"K11", "(0,1) in (0,0,0)(0,2,0)(2,0,0)", "no", "yes"},
      {"K11", "(386,859) in (-513,-598,0)(821,1564,0)(1178,894,0)", "no", "yes"},
      {"K12", "(-1,-1,0)(1,-1,0)(0,1,0) with (0,0,1)(0,0,2)(0.25,0,-1)", "no", "yes"},
      {"K12", "(0,0,0)(4,0,0)(0,4,0) with (1,1,0)(2,1,0)(1,2,0)", "no", "yes"},
      {"K12", "(0,0,0)(4,0,0)(0,4,0) with (0,0,0)(4,0,0)(0,4,0)", "no", "yes"},
      {"K12", "(0,0,0)(0,2,0)(2,0,0) with (0,1,-1)(0,1,1)(-3,1,0)", "no", "yes"},
      {"K12", "(0,0,0)(1,0,0)(0,1,0) with (0,0,0)(-1,0,1)(0,-1,1)", "no", "yes"},
      {"K12", "(-1,0,-1)(1,0,-1)(0,0,1) with (0,0,-3)(0,0,3)(0,5,0)", "no", "yes"},
      {"K12", "(0.25,-1,0.25)(0.25,1,0.25)(5,5,5) with (0,0,0)(4,0,0)(0,0,4), one way", "no", "yes"},
      {"K12", "200,000 pairs", "hits missed", "0 hits missed, 0 invented"},
      {"S1", "(65535,0,0)(65537,0,2)(65536,1,1), distance of (65536.0078125,0.25,1)", "-0.00390625", "-0.00552"},
      {"S1", "(0,0,0)(1,0,0)(2,0,0)(2,2,0)(0,2,0)", "0", "1"},
      {"S6", "(0,0.5,0.5) r 0.5", "no", "yes"},
      {"S6", "(0,0.5,-0.5) r 0.5", "no", "yes"},
      {"S6", "(0,-0.5,0) r 0.5", "no", "yes"},
      {"S6", "(-1.5,0,0) r 0.5", "no", "yes"},
      {"S6", "(0,0.5,0) r 0 with", "no", "yes"},
      {"S6", "(1,1,0) r 0.5 with (0,0,0)(1,0,0)(2,0,0)(2,2,0)(0,2,0)", "no", "yes"},
      {"S6", "(0.25,3.75,1.75) r 0.25 with (0,0,0)(4,0,0)(4,4,0)(0,4,2)", "no", "yes"},
      {"S6", "(2,2,0) r 0.5 with the concave (0,0,0)(4,0,0)(1,1,0)(0,4,0)", "yes", "no"},
      {"U1", "(2,0,1) by (-1,1,-1)", "(3,1,0)", "(1,1,0)"},
      {"U1", "(0,2,1) by (1,-1,-1)", "none", "(1,1,0)"},
      {"U1", "(2,2,1) by (-1,-1,-1)", "(1,3,0)", "(1,1,0)"},
      {"U1", "(2,1,1) by (-1,0,-1)", "(3,1,0)", "(1,1,0)"},
      {"U1", "(1,2,1) by (0,-1,-1)", "(1,3,0)", "(1,1,0)"},
      {"U1", "(1,-0.5,1) by (0,0,-2)", "hit", "none"},
      {"U1", "20,000 points", "4,978 false hits", "0 hits missed, 0 invented"},
      {"U1", "(-4,-4,0)(4,-4,0)(0,4,0), (0,0,1) by (0,0,-2)", "none", "(0,0,0)"},
      {"U1", "(1,1,0) by (0,0,-1)", "none", "0"},
      {"U1", "(0,0,1) by (0,0,-1)", "NaN", "(0,0,0)"},
      {"U1", "(1,1,0) by (0,0,0)", "NaN", "0"},
      {"U1", "(1,1,1) by (0,0,0)", "NaN", "none"},
      {"U1", "(-1,1,1) by (9,0,0)", "lost in print", "none"},
      {"U2", "(0.002,0.002,1) by (0,0,-2)", "hit", "none"},
      {"U3", "normal (0,0,-1)", "lost in print", "(1,0,1)"},
      {"U3", "(1,0,-1) at the normal (0,0,2)", "(1,0,", "(1,0,1)"},
      {"U3", "(-1,-1,-1) at the normal (0.577", "NaN", "(1,1,1)"},
      {"U3", "(1000,0,-1e-04)", "(1000,0,5.", "(1000,0,1e-04)"},
      {"U3", "(0,0,0) at the normal", "NaN", "(0,0,0)"},
      {"U4", "in this order", "(1,0,0)", "(1,0,3)"},
      {"U4", "90,000 vertices", "24463", "89999"},
      {"U5", "(0,0,.5) by (0,0,-3)", "bounces: 0", "bounces: 3, end (0,0,0.5), velocity (0,0,3)"},
      {"U5", "(0,0,.875) by (2,0,-2)", "bounces: 1", "bounces: 2, end (0,0,1.125), velocity (-2,0,2)"},
      {"U9", "(0,0,0)(0,1,0)(0,0,1)", "NaN", "(1,0,0)"},
      {"P1", "(1.5,2.5,3.5)", "no", "yes"},
      {"P2", "(-1,2,-3)", "no", "yes"},
      {"P5", "(1.75,1.75,0.5) r 1.25", "no", "yes"},
      {"P5", "(4,5,0.5) r 5", "no", "yes"},
      {"P5", "(2,3,3) r 3", "no", "yes"},
      {"P6", "(7,0,0)(-5,2,0)", "no", "yes"},
      {"P7", "(1,1,1) in (0,0,0) r 1.73205078", "yes", "no"},
      {"P8", "(1,2,3) r 0", "no", "yes"},
      {"P8", "(0,0,0) r 1 with (2,0,0) r 1", "no", "yes"},
      {"P8", "r 1e+08", "no", "yes"},
      {"P9", "(1.75,0.75,0) r 1", "yes", "no"},
      {"P9", "(-0.75,0.75,0) r 1", "yes", "no"},
      {"P9", "(2,0,0) r 1", "no", "yes"},
      {"P9", "(-1,0,0) r 1", "no", "yes"},
      {"P9", "length zero", "never set", "yes"},
  };
  std::map<std::string, std::vector<Case>> cases;
  for (const Row& row : rows()) cases[row.name] = run(row).cases;
  for (const auto& d : documented) {
    bool found = false;
    for (const Case& c : cases[d.row])
      found = found || (c.input.find(d.input) != std::string::npos && c.old.find(d.old) != std::string::npos && c.right.find(d.right) == 0);
    EXPECT_TRUE(found) << d.row << ": " << d.input;
  }
}

TEST(HeritageRows, IntegerTriangles) {
  const IntegerTriangle a{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  EXPECT_TRUE(share_a_point(a, a));
  EXPECT_TRUE(share_a_point(a, {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}));    // in one plane, inside
  EXPECT_TRUE(share_a_point(a, {{{2, 2, 0}, {4, 4, 0}, {4, 2, 0}}}));    // in one plane, a corner on an edge
  EXPECT_FALSE(share_a_point(a, {{{3, 3, 0}, {4, 4, 0}, {4, 2, 0}}}));   // in one plane, beyond the slanted edge
  EXPECT_TRUE(share_a_point(a, {{{1, 1, -1}, {1, 1, 1}, {9, 9, 9}}}));   // an edge passes through
  EXPECT_FALSE(share_a_point(a, {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}}));   // parallel
  EXPECT_FALSE(share_a_point(a, {{{3, 3, -1}, {3, 3, 1}, {9, 9, 9}}}));  // passes beside
  EXPECT_FALSE(has_area({{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}}));
}

}  // namespace
}  // namespace graze::texts
