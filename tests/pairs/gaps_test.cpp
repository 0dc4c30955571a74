// Closed forms of distances: against the exact decision, with their witnesses, exchanged, in SIMD lanes; and how often doubles prove them.
#include "pairs/detail/gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <graze/query.hpp>
#include <string>
#include <utility>
#include <vector>

#include "platform/cpu.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using test::Random;

/// Where shapes lie and of what numbers they are made.
enum class Input { random, grid, parallel, thin, far, tiny, huge };
constexpr Input kInputs[] = {Input::random, Input::grid, Input::parallel, Input::thin, Input::far, Input::tiny, Input::huge};
const char* name(Input i) {
  static constexpr const char* names[] = {"random", "grid", "parallel", "thin", "far", "tiny", "huge"};
  return names[static_cast<int>(i)];
}

struct Source {
  Random r;
  Input input;
  Vec3 common{0, 0, 0};  ///< a direction that segments share on parallel input
  Source(std::uint64_t seed, Input i) : r(seed), input(i) { common = r.point(-1, 1); }
  double scale() const { return input == Input::tiny ? 0x1p-250 : input == Input::huge ? 0x1p250 : 1; }
  Vec3 step() {
    if (input == Input::grid) return r.grid(-2, 2);
    if (input == Input::parallel && r.integer(0, 1)) return r.real(-2, 2) * common;
    if (input == Input::thin) return r.point(-1, 1) * std::ldexp(1.0, -r.integer(0, 40));
    return r.point(-1, 1) * scale();
  }
  Vec3 place() {
    if (input == Input::grid) return r.grid(-4, 4);
    if (input == Input::far) return Vec3(1e8, -3e8, 2e8) + r.point(-2, 2);
    return r.point(-2, 2) * scale();
  }
  double radius() { return input == Input::grid ? r.integer(0, 2) : r.integer(0, 7) == 0 ? 0 : r.real(0, .6) * scale(); }
  void make(Point& s) { s.point = place(); }
  void make(Segment& s) { s.a = place(), s.b = s.a + step(); }
  void make(Sphere& s) { s = {place(), radius()}; }
  void make(Capsule& s) { s.a = place(), s.b = s.a + step(), s.radius = radius(); }
  void make(Triangle& s) {
    const Vec3 a = place();
    s = {{a, a + step(), a + step()}};
  }
  void make(Box& s) {
    s.min = place();
    for (int k = 0; k < 3; ++k) s.max[k] = s.min[k] + radius();
  }
  void make(OrientedBox& s) {
    const Pose turn = input == Input::grid ? Pose::quarter_turn(Axis::z, r.integer(0, 3)) : Pose::from_quaternion(r.real(-1, 1), r.real(-1, 1), 1, 0);
    s.center = place();
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3 e(0, 0, 0);
      e[static_cast<int>(k)] = 1;
      s.axes[k] = turn.rotate(e), s.half[static_cast<int>(k)] = radius();
    }
  }
};

double largest(const Vec3& p) { return std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}); }
double ulp(double x) { return std::nextafter(x, INFINITY) - x; }
bool same_bits(const Vec3& p, const Vec3& q) { return std::memcmp(&p, &q, sizeof p) == 0; }
bool same_bits(const Closest& c, const Closest& d) { return c.distance == d.distance && same_bits(c.on_a, d.on_a) && same_bits(c.on_b, d.on_b); }

/// Moves b near a: the distance becomes about 10^-(0..17) of what it was.
Vec3 nearer(const Closest& c, Random& r) { return (c.on_a - c.on_b) * (1 - std::pow(10, -r.real(0, 17))); }
void move(Point& s, const Vec3& d) { s.point += d; }
void move(Segment& s, const Vec3& d) { s.a += d, s.b += d; }
void move(Sphere& s, const Vec3& d) { s.center += d; }
void move(Capsule& s, const Vec3& d) { s.a += d, s.b += d; }
void move(Triangle& s, const Vec3& d) {
  for (Vec3& p : s.points) p += d;
}
void move(Box& s, const Vec3& d) { s.min += d, s.max += d; }
void move(OrientedBox& s, const Vec3& d) { s.center += d; }

double size_of(ShapeRef s) {
  const Box b = bounding_box(s);
  return std::max(largest(b.min), largest(b.max));
}

template <class A, class B>
PairGap gap_of(const A& a, const B& b) {
  if constexpr (requires { pair_gap(a, b); })
    return pair_gap(a, b);
  else
    return filter::exchanged(pair_gap(b, a));
}

template <class A, class B>
void check(const A& a, const B& b, const std::string& where) {
  const Closest c = closest(ShapeRef(a), ShapeRef(b)), flipped = closest(ShapeRef(b), ShapeRef(a));
  ASSERT_TRUE(c.distance == flipped.distance && same_bits(c.on_a, flipped.on_b) && same_bits(c.on_b, flipped.on_a)) << where;
  ASSERT_EQ(c.distance == 0, intersects(ShapeRef(a), ShapeRef(b))) << where;
  const double unit = ulp(std::max(size_of(a), size_of(b)));
  if (c.distance == 0) {
    ASSERT_TRUE(same_bits(c.on_a, c.on_b)) << where;
  } else {
    ASSERT_TRUE(within(a, b, c.distance * (1 + 1e-15))) << where << c.distance;
    ASSERT_FALSE(within(a, b, c.distance * (1 - 1e-15))) << where << c.distance;
    const oracle::Rational left = oracle::squared_distance(c.on_a, c.on_b), more = oracle::Rational(c.distance) + 8 * oracle::Rational(unit),
                           less = oracle::Rational(c.distance) - 8 * oracle::Rational(unit);
    ASSERT_LE(left, more * more) << where;
    if (less > 0) {
      ASSERT_GE(left, less * less) << where;
    }
  }
  ASSERT_TRUE(within(a, Point{c.on_a}, 4 * unit)) << where;
  ASSERT_TRUE(within(b, Point{c.on_b}, 4 * unit)) << where;
  // where the closed form is sure, it is what closest() returns
  const PairGap gap = gap_of(a, b);
  if (gap.sure) {
    ASSERT_EQ(gap.distance, c.distance) << where;
  }
}

template <class A, class B>
void check_pair(const char* what, double least_sure) {
  for (const Input input : kInputs) {
    Source s(17 + static_cast<std::uint64_t>(input), input);
    int sure = 0;
    constexpr int kRounds = 400;
    for (int i = 0; i < kRounds; ++i) {
      const std::string where = std::string(what) + ", " + name(input) + " " + std::to_string(i) + " ";
      A a;
      B b;
      s.make(a), s.make(b);
      check(a, b, where);
      if (::testing::Test::HasFatalFailure()) return;
      sure += gap_of(a, b).sure;
      const Closest c = closest(a, b);
      if (c.distance == 0) continue;
      move(b, nearer(c, s.r));
      check(a, b, where + "near ");
      if (::testing::Test::HasFatalFailure()) return;
    }
    if (input == Input::random || input == Input::far) {
      EXPECT_GE(sure, least_sure * kRounds) << what << " " << name(input);
    }
  }
}

TEST(Gaps, Balls) {
  check_pair<Point, Point>("point point", 1);
  check_pair<Point, Sphere>("point sphere", 1);
  check_pair<Sphere, Sphere>("sphere sphere", 1);
  check_pair<Point, Box>("point box", .8);  // a point inside is left to the exact decision
  check_pair<Sphere, Box>("sphere box", .8);
  check_pair<Box, Box>("box box", 1);
}
TEST(Gaps, Segments) {
  check_pair<Point, Segment>("point segment", .99);
  check_pair<Segment, Segment>("segment segment", .99);
  check_pair<Point, Capsule>("point capsule", .99);
  check_pair<Segment, Sphere>("segment sphere", .99);
  check_pair<Segment, Capsule>("segment capsule", .99);
  check_pair<Sphere, Capsule>("sphere capsule", .99);
  check_pair<Capsule, Capsule>("capsule capsule", .99);
}
TEST(Gaps, Triangles) {
  check_pair<Point, Triangle>("point triangle", .99);
  check_pair<Triangle, Sphere>("triangle sphere", .99);
  check_pair<Triangle, Triangle>("triangle triangle", .7);  // those that intersect are left to the exact decision
}
TEST(Gaps, OrientedBoxes) {
  check_pair<Point, OrientedBox>("point box", .8);
  check_pair<Sphere, OrientedBox>("sphere box", .8);
}

/// Upright capsules, as games have them: parallel segments are proven, too.
TEST(Gaps, UprightCapsules) {
  Random r(3);
  int sure = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p = r.point(-5, 5), q = r.point(-5, 5);
    const Capsule a{p, p + Vec3(0, 0, r.real(.5, 2)), .3}, b{q, q + Vec3(0, 0, r.real(.5, 2)), .3};
    sure += pair_gap(a, b).sure;
    check(a, b, "upright " + std::to_string(i));
  }
  EXPECT_EQ(sure, 1000);
}

template <class A, class B>
void check_batch(const char* what) {
  const CpuLevel before = current_cpu_level();
  for (const Input input : kInputs) {
    Source s(5, input);
    std::vector<A> a(300);
    std::vector<B> b(300);
    for (std::size_t i = 0; i < a.size(); ++i) {
      s.make(a[i]), s.make(b[i]);
      if (const Closest c = closest(a[i], b[i]); i % 2 && c.distance > 0) move(b[i], nearer(c, s.r));
    }
    std::vector<Closest> expected;
    for (std::size_t i = 0; i < a.size(); ++i) expected.push_back(closest(ShapeRef(a[i]), ShapeRef(b[i])));
    for (const CpuLevel level : {CpuLevel::scalar, CpuLevel::sse4, CpuLevel::avx2, CpuLevel::avx512}) {
      force_cpu_level(level);
      for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 300u}) {
        const std::vector<Closest> all = closest(std::span(a.data(), n), std::span(b.data(), n));
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_TRUE(same_bits(all[i], expected[i])) << what << " " << name(input) << " " << i;
          ASSERT_TRUE(same_bits(closest(a[i], b[i]), expected[i])) << what << " " << name(input) << " " << i;
          ASSERT_FALSE(all[i].triangle_a || all[i].triangle_b);
        }
      }
    }
    force_cpu_level(before);
  }
}

TEST(GapBatches, EqualSingleQueries) {
  check_batch<Sphere, Sphere>("sphere sphere");
  check_batch<Sphere, Capsule>("sphere capsule");
  check_batch<Capsule, Capsule>("capsule capsule");
  check_batch<Sphere, Triangle>("sphere triangle");
  check_batch<Triangle, Triangle>("triangle triangle");
  check_batch<Sphere, Box>("sphere box");
  check_batch<Box, Box>("box box");
  check_batch<Segment, Box>("segment box");
  check_batch<Sphere, OrientedBox>("sphere oriented box");
  check_batch<OrientedBox, OrientedBox>("oriented boxes");
  check_batch<OrientedBox, Capsule>("oriented box capsule");
}

TEST(GapBatches, RefuseSizesThatDiffer) {
  const std::vector<Sphere> a(3), b(4);
  EXPECT_EQ(oracle::message_of([&] { (void)closest(a, b); }), "closest: 3 shapes on one side, 4 on the other");
  std::vector<Closest> out(2);
  EXPECT_EQ(oracle::message_of([&] { closest(a, a, std::span<Closest>(out)); }), "closest: 3 pairs, room for 2 answers");
}

}  // namespace
}  // namespace graze
