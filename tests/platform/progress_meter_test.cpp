// Progress of long calls: increasing fractions, unchanged results, and cancellation by the caller, with any number of threads.
#include "platform/progress_meter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <graze/graze.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/wavy_sheet.hpp"

using namespace graze;

namespace {

MeshData sheet(std::uint32_t n, double amplitude) { return test::wavy_sheet(n, 0, amplitude); }

struct LongCall {
  std::string name;
  std::function<std::size_t(const Progress&)> run;  ///< returns a number that represents the result
};

const std::vector<LongCall>& long_calls() {
  static const MeshData data = sheet(80, 3);
  static const Mesh low(data), high(sheet(80, -3));
  static const std::vector<Vec3> points = [] {
    test::Random random(5);
    std::vector<Vec3> list;
    for (int i = 0; i < 10000; ++i) list.push_back(random.point(-1, 1));
    return list;
  }();
  static const std::vector<Vec3> moved = [] {
    std::vector<Vec3> list(low.vertices().begin(), low.vertices().end());
    for (Vec3& v : list) v.z = -v.z;
    return list;
  }();
  static const std::vector<LongCall> calls = {
      {"mesh, best", [](const Progress& p) { return Mesh(data, Build::best, p).size(); }},
      {"mesh, fast", [](const Progress& p) { return Mesh(data, Build::fast, p).size(); }},
      {"hull", [](const Progress& p) { return Hull(std::span<const Vec3>(points), p).corners().size(); }},
      {"pairs", [](const Progress& p) { return intersecting_triangles(low, high, {.progress = p}).size(); }},
      {"first pairs", [](const Progress& p) { return intersecting_triangles(low, high, {.limit = 2000, .progress = p}).size(); }},
      {"number of pairs", [](const Progress& p) { return static_cast<std::size_t>(count_intersecting_triangles(low, high, 10'000'000, p).count); }},
      {"pairs of one mesh", [](const Progress& p) { return self_intersections(low, {.progress = p}).size(); }},
      {"number of pairs of one mesh", [](const Progress& p) { return static_cast<std::size_t>(count_self_intersections(low, 10'000'000, p).count); }},
      {"contacts in time", [](const Progress& p) { return ccd(low, moved, high, high.vertices(), {.progress = p}).size(); }},
      {"first contact in time", [](const Progress& p) { return ccd(low, moved, high, high.vertices(), {.first_only = true, .progress = p}).size(); }},
  };
  return calls;
}

class Threads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(0); }
};

TEST_P(Threads, ProgressRisesFrom0AndResultsAreUnchanged) {
  for (const LongCall& call : long_calls()) {
    std::vector<double> parts;
    const std::size_t with = call.run([&](double done) {
      parts.push_back(done);
      return true;
    });
    EXPECT_EQ(with, call.run({})) << call.name;
    ASSERT_GT(parts.size(), 3u) << call.name;
    EXPECT_EQ(parts.front(), 0) << call.name;
    EXPECT_LE(parts.back(), 1) << call.name;
    EXPECT_GE(parts.back(), 0.9) << call.name;
    // About a hundred for each of three stages, and where one takes long, the same again every 30 milliseconds.
    const std::set<double> different(parts.begin(), parts.end());
    EXPECT_LE(different.size(), 320u) << call.name;
    EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end())) << call.name;
  }
}

TEST_P(Threads, ReturningFalseEndsTheCall) {
  for (const LongCall& call : long_calls())
    for (const double limit : {0.0, 0.3}) {
      int after = 0;
      std::optional<ErrorCode> code;
      try {
        (void)call.run([&](double done) {
          after += done >= limit;
          return done < limit;
        });
      } catch (const Error& e) {
        code = e.code();
      }
      EXPECT_EQ(code, ErrorCode::cancelled) << call.name << " at " << limit;
      EXPECT_EQ(after, 1) << call.name << " at " << limit;
    }
}

TEST_P(Threads, PropagatesExceptionsOfTheCallback) {
  for (const LongCall& call : long_calls())
    EXPECT_THROW((void)call.run([](double done) -> bool { return done < 0.2 ? true : throw std::out_of_range("enough"); }), std::out_of_range) << call.name;
}

INSTANTIATE_TEST_SUITE_P(Numbers, Threads, testing::Values(1, 2, 8));

TEST(ProgressMeter, StagesShareTheRange) {
  std::vector<double> parts;
  const Progress progress = [&](double done) {
    parts.push_back(done);
    return true;
  };
  ProgressMeter meter(progress);
  EXPECT_TRUE(meter.enabled());
  meter.stage(0, 0.5);
  meter.begin(2);
  meter.add(1);
  meter.add(1);
  meter.stage(0.5, 1);
  meter.begin(1);
  meter.add(1);
  EXPECT_EQ(parts, (std::vector<double>{0, 0.25, 0.5, 1}));
}

TEST(ProgressMeter, CountsNothingWithoutACallback) {
  const Progress none;
  ProgressMeter meter(none);
  EXPECT_FALSE(meter.enabled());
  meter.begin(1);
  meter.add(7);
  EXPECT_FALSE(ProgressMeter().enabled());
}

}  // namespace
