// Hints: whatever they say, the answers are those without one, to the bit; and where a pair moves little, they are used.
#include <graze/pair_hint.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/query.hpp>
#include <span>
#include <string>
#include <vector>

#include "convex/depth/depth_in_doubles.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::pair_hint_test {
namespace {

void put(std::string& out, double x) { out += std::to_string(std::bit_cast<std::uint64_t>(x)) + " "; }
void put(std::string& out, const Vec3& v) { put(out, v.x), put(out, v.y), put(out, v.z); }
std::string bits(const std::vector<Manifold>& list) {
  std::string out;
  for (const Manifold& m : list) {
    put(out, m.normal);
    for (const ManifoldPoint& p : m.points) put(out, p.point), put(out, p.depth);
    out += "| ";
  }
  return out;
}
std::string bits(const PenetrationResult& r) {
  std::string out = std::to_string(static_cast<int>(r.reason)) + " ";
  if (r.value) put(out, r.value->depth), put(out, r.value->normal), put(out, r.value->vector);
  return out;
}

Hull ball_of(test::Random& r, int points, double size) {
  std::vector<Vec3> p;
  for (int k = 0; k < points; ++k) {
    const Vec3 d = r.direction();
    p.push_back(d * (size * r.real(0.8, 1) / std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z)));
  }
  return Hull(p);
}
Hull cube_of(double half) {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k) p.push_back(Vec3(k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half));
  return Hull(p);
}
Hull prism(int sides, double radius, double height) {
  std::vector<Vec3> p;
  for (int k = 0; k < sides; ++k)
    for (const double z : {-height, height}) {
      const double t = 2.0 * k / sides - 1, s = std::sqrt(1 - t * t);  // about a circle, without trigonometry
      p.push_back(Vec3(radius * t, radius * (k % 2 ? s : -s), z));
    }
  return Hull(p);
}
AnyShape any_shape(test::Random& r) {
  switch (r.below(9)) {
    case 0:
      return cube_of(r.real(0.3, 0.6));
    case 1:
      return Box{{-0.5, -0.25, -0.375}, {0.5, 0.25, 0.375}};
    case 2: {
      const Vec3 a = r.point(-0.7, 0.7), b = r.point(-0.7, 0.7), c = r.point(-0.7, 0.7);
      return Triangle{{a, b, c}};
    }
    case 3:
      return prism(r.integer(3, 12), 0.5, 0.25);
    case 4:
      return Capsule{Vec3(0, 0, -0.3), Vec3(0, 0, 0.3), 0.25};
    case 5:
      return Sphere{{0, 0, 0}, 0.5};
    default:
      return ball_of(r, r.integer(4, 60), 0.5);
  }
}
PairHint random_hint(test::Random& r) {
  PairHint h;
  h.kind = static_cast<std::uint8_t>(r.integer(0, 6));
  for (std::size_t k = 0; k < 3; ++k) {
    const bool wild = r.below(4) == 0;
    h.corner_a[k] = wild ? static_cast<std::uint32_t>(r.bits()) : static_cast<std::uint32_t>(r.below(8));
    h.corner_b[k] = wild ? static_cast<std::uint32_t>(r.bits()) : static_cast<std::uint32_t>(r.below(8));
    if (r.coin()) h.corner_a[k] = h.corner_a[0];
    if (r.coin()) h.corner_b[k] = h.corner_b[0];
    h.ends_a[k] = static_cast<std::uint8_t>(r.below(3) ? 0 : r.below(256));
    h.ends_b[k] = static_cast<std::uint8_t>(r.below(3) ? 0 : r.below(256));
  }
  if (r.coin()) h.ends_a[2] = static_cast<std::uint8_t>(r.integer(0, 4)), h.ends_b[2] = static_cast<std::uint8_t>(r.integer(0, 4));  // numbers of corners
  h.direction = r.direction();
  if (r.below(6) == 0) h.direction = Vec3(std::bit_cast<double>(r.bits()), std::bit_cast<double>(r.bits()), 0);
  return h;
}
Pose moved(const Pose& p, test::Random& r, double by) {
  const Vec3 axis = r.point(-by, by);
  Pose q = compose(Pose::from_quaternion(1, axis.x, axis.y, axis.z), p);
  q.translation = p.translation + r.point(-by, by);
  return q;
}

std::string bits(const Closest& c) {
  std::string out;
  put(out, c.distance), put(out, c.on_a), put(out, c.on_b);
  return out;
}

/// Either order; `hint` becomes that of this pair.
void expect_same_closest(const ShapeRef& a, const ShapeRef& b, PairHint& hint) {
  const std::string cold = bits(closest(a, b)), exchanged = bits(closest(b, a));
  PairHint other = hint;
  EXPECT_EQ(bits(closest(b, a, other)), exchanged);
  EXPECT_EQ(bits(closest(b, a, other)), exchanged);
  EXPECT_EQ(bits(closest(a, b, hint)), cold);
  EXPECT_EQ(bits(closest(a, b, hint)), cold);
}

/// All calls with this hint; it becomes that of the manifold.
void expect_same(const ShapeRef& a, const ShapeRef& b, PairHint& hint) {
  const std::string depth = bits(penetration(a, b)), points = bits(manifold(a, b));
  PairHint one = hint, two = hint, three = hint;
  expect_same_closest(a, b, three);
  EXPECT_EQ(bits(penetration(a, b, one)), depth);
  EXPECT_EQ(bits(manifold(a, b, two, ManifoldPoints::all)), bits(manifold(a, b, ManifoldPoints::all)));
  EXPECT_EQ(bits(manifold(a, b, hint)), points);
  EXPECT_EQ(bits(manifold(a, b, hint)), points);  // with the hint of this very pair
}

TEST(PairHint, AnswersDoNotDependOnIt) {
  test::Random r(1);
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const AnyShape a = any_shape(r), b = any_shape(r);
    Pose p = r.pose(0.4), q = r.pose(0.4);
    PairHint hint;
    for (int frame = 0; frame < 6; ++frame) {
      const Placed pa = at(a, p), pb = at(b, q);
      expect_same(pa, pb, hint);
      PairHint garbage = random_hint(r);
      expect_same(pa, pb, garbage);
      q = moved(q, r, frame == 3 ? 0.5 : 0.01);
    }
  }
}

/// Pushed apart until they overlap by little, which only other tiers may prove, or touch exactly.
TEST(PairHint, ShallowAndTouching) {
  test::Random r(2);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const AnyShape a = any_shape(r), b = any_shape(r);
    const Pose p = r.pose(0.2);
    Pose q = r.pose(0.2);
    const PenetrationResult start = penetration(at(a, p), at(b, q));
    if (!start.value) continue;
    const Vec3 apart = start.value->vector * -1.0;
    const Vec3 home = q.translation;
    PairHint hint;
    for (const double depth : {1e-1, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 1e-15, 0.0, -1e-12, 1e-4}) {
      q.translation = home + apart * (1 - depth);
      const Placed pa = at(a, p), pb = at(b, q);
      expect_same(pa, pb, hint);
    }
  }
}

/// Faces on faces, where many faces and edges are as good as one another.
TEST(PairHint, RestingFaces) {
  test::Random r(3);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const Hull a = i % 2 ? cube_of(0.5) : prism(r.integer(3, 8), 0.5, 0.5), b = i % 3 ? cube_of(0.5) : prism(r.integer(3, 8), 0.5, 0.5);
    const Pose slope = i % 4 < 2 ? Pose{} : r.pose(0.3);
    PairHint hint;
    for (int frame = 0; frame < 5; ++frame) {
      const double tilt = frame == 0 ? 0.0 : r.real(-1, 1) * std::exp(r.real(-36, -5));
      Pose top = compose(slope, Pose::from_quaternion(1, tilt, 0, i % 5 ? r.real(-1, 1) : 0));
      top.translation = slope.apply(Vec3(r.real(-0.3, 0.3), r.real(-0.3, 0.3), 1 - std::exp(r.real(-16, -3))));
      const Placed pa = at(a, slope), pb = at(b, top);
      expect_same(pa, pb, hint);
    }
  }
}

/// At gaps of all sizes, with hints of the frame before, of another pair, and of neither.
TEST(PairHint, ClosestOfPairsThatAreApart) {
  test::Random r(5);
  PairHint foreign;
  for (int i = 0; i < 600; ++i) {
    SCOPED_TRACE(i);
    const AnyShape a = any_shape(r), b = any_shape(r);
    const double scale = i % 7 ? 1 : std::ldexp(1.0, r.integer(-100, 100)), far = i % 5 ? 0 : std::exp(r.real(0, 20));
    const auto placed_near = [&](const Vec3& offset) {
      Pose p = r.pose(0);
      p.translation = (offset + Vec3(far, far, far)) * scale;
      return p;
    };
    const Pose p = placed_near(Vec3(0, 0, 0));
    Pose q = placed_near(r.direction() * 3.0);
    const Closest start = closest(at(a, p), at(b, q));
    if (start.distance == 0) continue;
    const Vec3 toward = (start.on_a - start.on_b) * (1 / start.distance), home = q.translation;
    PairHint hint;
    for (int frame = 0; frame < 6; ++frame) {
      const double gap = frame % 3 == 2 ? r.real(0.5, 2) : std::exp(r.real(-34, 0));
      q.translation = home + toward * (start.distance - gap);
      const Placed pa = at(a, p), pb = at(b, q);
      expect_same_closest(pa, pb, hint);
      PairHint garbage = random_hint(r), stale = foreign;
      expect_same_closest(pa, pb, garbage);
      expect_same_closest(pa, pb, stale);
      foreign = hint;
      const Vec3 place = q.translation;
      q = moved(q, r, gap * 0.1);
      q.translation = place;
    }
  }
}

TEST(PairHint, ClosestUsesItWhereAPairMovesLittle) {
  test::Random r(6);
  int used = 0, all = 0;
  for (int i = 0; i < 300; ++i) {
    const AnyShape a = i % 3 ? AnyShape(ball_of(r, 20, 0.5)) : AnyShape(Box{{-0.5, -0.25, -0.375}, {0.5, 0.25, 0.375}}), b = ball_of(r, 20, 0.5);
    const Pose p = r.pose(0.1);
    Pose q = r.pose(0.1);
    q.translation = q.translation + r.direction() * 1.5;
    PairHint hint;
    const Placed pa = at(a, p), pb = at(b, q);
    if (closest(pa, pb, hint).distance == 0) continue;
    const PairHint before = hint;
    const Pose next = moved(q, r, 1e-3);
    const Placed pn = at(b, next);
    (void)closest(pa, pn, hint);
    ++all;
    used += hint.kind != 0 && hint.kind == before.kind && hint.corner_a == before.corner_a && hint.corner_b == before.corner_b && hint.ends_a == before.ends_a;
  }
  EXPECT_GT(all, 200);
  EXPECT_GT(used * 10, all * 9);
}

TEST(PairHint, ClosestOfManyPairs) {
  test::Random r(7);
  std::vector<AnyShape> shapes;
  for (int i = 0; i < 400; ++i) shapes.push_back(any_shape(r));
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < shapes.size(); ++i) poses.push_back(r.pose(2));
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < shapes.size(); ++i) placed.push_back(at(shapes[i], poses[i]));
  const std::vector<ShapeRef> a(placed.begin(), placed.begin() + 200), b(placed.begin() + 200, placed.end());
  std::vector<PairHint> hints(a.size());
  std::vector<Closest> out(a.size());
  for (int times = 0; times < 2; ++times) {
    closest(a, b, out, hints);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(bits(out[i]), bits(closest(a[i], b[i])));
  }
  EXPECT_THROW(closest(a, b, std::span(out).first(3)), Error);
  EXPECT_THROW(closest(a, b, out, std::span(hints).first(3)), Error);
  EXPECT_THROW(closest(a, std::span(b).first(3), out), Error);
}

TEST(PairHint, IsUsedWhereAPairMovesLittle) {
  test::Random r(4);
  int used = 0, all = 0, apart = 0, again = 0;
  for (int i = 0; i < 200; ++i) {
    const Hull a = ball_of(r, 20, 0.5), b = ball_of(r, 20, 0.5);
    const double far = i % 2 ? 0.3 : 0.9;
    const Pose p = r.pose(far), q = r.pose(far);
    const ConvexSet ca = convex_set_of(a, &p);
    PairHint hint;
    const ConvexSet cb = convex_set_of(b, &q);
    if (depth_in_doubles(ca, cb, &hint).proof == Proof::none) continue;
    const Pose next = moved(q, r, 1e-3);
    const ConvexSet cn = convex_set_of(b, &next);
    const PairHint before = hint;
    const ProvenDepth with = depth_in_doubles(ca, cn, &hint);
    if (with.proof == Proof::apart) {
      ++apart;
      again += hint.kind == before.kind && hint.direction == before.direction;
    } else {
      ++all;
      used += hint.kind == before.kind && hint.corner_a == before.corner_a && hint.corner_b == before.corner_b;
    }
  }
  EXPECT_GT(all, 60);
  EXPECT_GT(apart, 20);
  EXPECT_GT(used * 10, all * 8);
  EXPECT_GE(again * 10, apart * 4);  // a search ends with the first plane that separates, however narrowly
}

TEST(PairHint, ExchangedShapesHaveTheirOwn) {
  const Hull a = cube_of(0.5), b = cube_of(0.25);
  const Placed pa = at(a, Pose::from_quaternion(1, 0.1, 0.2, 0.3)), pb = at(b, Pose::from_quaternion(1, -0.3, 0.1, 0, Vec3(0.6, 0.125, 0.25)));
  PairHint hint, other;
  const auto m = manifold(pa, pb, hint), n = manifold(pb, pa, other);
  EXPECT_EQ(hint.corner_a, other.corner_b);
  EXPECT_EQ(hint.corner_b, other.corner_a);
  expect_same(pb, pa, hint);
  ASSERT_EQ(m.size(), n.size());
}

}  // namespace
}  // namespace graze::pair_hint_test
