// Faces of A - B by name: of all that could be named, at most one is clear, and then it is what closest() finds, to the bit.
#include "convex/decide/nearest_face.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <graze/query.hpp>
#include <utility>
#include <vector>

#include "convex/decide/closest.hpp"
#include "convex/sets/order.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::nearest_face_test {
namespace {

using test::Random;

bool same(const ConvexClosest& a, const ConvexClosest& b) {
  const auto equal = [](const Vec3& p, const Vec3& q) { return std::memcmp(&p, &q, sizeof(Vec3)) == 0; };
  return a.distance == b.distance && equal(a.on_a, b.on_a) && equal(a.on_b, b.on_b);
}

/// All parts of a face with at most three points and two segments.
std::vector<OperandFace> parts_of(const ConvexSet& c) {
  std::vector<OperandFace> out;
  for (std::uint32_t varying = 0; varying < 1u << c.segments; ++varying)
    for (std::uint32_t bits = 0; bits < 1u << c.segments; ++bits) {
      if ((bits & varying) != 0) continue;
      for (std::uint32_t i = 0; i < c.points; ++i)
        for (std::uint32_t j = i; j < c.points; ++j)
          for (std::uint32_t k = j; k < c.points; ++k) {
            if (i == j && j != k) continue;
            OperandFace f;
            f.bits = bits, f.varying = varying;
            // the last first: the order of names does not matter
            f.base[f.bases++] = k;
            if (j != k) f.base[f.bases++] = j;
            if (i != j) f.base[f.bases++] = i;
            if (f.dimensions() <= 2) out.push_back(f);
          }
    }
  return out;
}

struct Faces {
  int clear = 0, proven = 0;
};

/// A clear face is found from the direction of the nearest point alone, which other tiers know to 2^-26.
void expect_found_along(const ConvexSet& a, const ConvexSet& b, const ConvexClosest& clear) {
  const Vec3 x = clear.on_a - clear.on_b;
  if (clear.distance < 0x1p-20) return;  // rounded witnesses do not have it
  for (const double off : {0.0, 0x1p-26, -0x1p-26}) {
    const auto name = face_near(a, b, {x.x + off * x.y, x.y - off * x.x, x.z + off * clear.distance});
    ASSERT_TRUE(name);
    ConvexClosest c;
    EXPECT_TRUE(NearestFace(a, b, *name).closest(c, true) && same(c, clear));
  }
}

/// Requires that A precedes B.
Faces expect_one_answer(const ConvexSet& a, const ConvexSet& b) {
  const ConvexClosest found = closest(a, b);
  Faces n;
  for (const OperandFace& f : parts_of(a))
    for (const OperandFace& g : parts_of(b)) {
      FaceName name;
      name.side[0] = f, name.side[1] = g;
      if (name.dimensions() > 2) continue;
      ConvexClosest c;
      if (NearestFace(a, b, name).closest(c, true)) {
        ++n.clear;
        EXPECT_TRUE(same(c, found));
        expect_found_along(a, b, c);
      }
      if (NearestFace(a, b, name).closest(c, false)) ++n.proven;
    }
  EXPECT_LE(n.clear, 1);
  if (n.clear == 1) {
    EXPECT_EQ(n.proven, 1);
  }
  return n;
}

Hull simplex(Random& r, double size, double thin) {
  std::vector<Vec3> p;
  for (int k = 0; k < 4; ++k) {
    const Vec3 x = r.point(-size, size);
    p.push_back(Vec3(x.x, x.y, x.z * thin));
  }
  return Hull(p);
}

AnyShape small_shape(Random& r) {
  const double thin = r.below(3) == 0 ? std::exp(r.real(-20, 0)) : 1;
  switch (r.below(6)) {
    case 0: {
      const Vec3 a = r.point(-0.5, 0.5), b = r.point(-0.5, 0.5), c = r.point(-0.5, 0.5);
      return Triangle{{a, b, c}};
    }
    case 1:
      return Box{{-0.5, -0.25, -0.375 * thin}, {0.5, 0.25, 0.375}};
    case 2: {
      const Vec3 a = r.point(-0.5, 0.5), b = r.point(-0.5, 0.5);
      return Capsule{a, b, r.coin() ? 0.0 : 0.25};
    }
    case 3:
      return Sphere{{0, 0, 0}, 0.25};
    default:
      return simplex(r, 0.5, thin);
  }
}

}  // namespace

/// Turned by any angle, and by nearly none, so that faces and edges are nearly parallel; at gaps down to where other tiers answer.
TEST(NearestFace, AtMostOneIsClearAndThatIsTheAnswer) {
  Random r(1);
  int clear = 0, all = 0;
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const AnyShape s = small_shape(r), t = i % 4 ? small_shape(r) : s;
    const Pose p = i % 3 ? r.pose(0) : Pose{};
    Pose q = r.pose(0);
    if (i % 2 == 0) {  // nearly the same rotation
      const double tilt = std::exp(r.real(-36, -2));
      q = compose(p, Pose::from_quaternion(1, tilt * r.real(-1, 1), tilt * r.real(-1, 1), tilt * r.real(-1, 1)));
    }
    q.translation = r.direction() * 2.5;
    const Closest start = closest(at(s, p), at(t, q));
    if (start.distance == 0) continue;
    const Vec3 toward = (start.on_a - start.on_b) * (1 / start.distance), home = q.translation;
    for (const double gap : {1.0, 1e-2, 1e-5, 1e-8, 1e-11, 1e-13}) {
      q.translation = home + toward * (start.distance - gap);
      const Placed pa = at(s, p), pb = at(t, q);
      const ConvexSet a = convex_set_of(ShapeRef(pa)), b = convex_set_of(ShapeRef(pb));
      const Faces n = order_of(a, b) <= 0 ? expect_one_answer(a, b) : expect_one_answer(b, a);
      clear += n.clear, ++all;
    }
  }
  EXPECT_GT(clear * 3, all);
}

/// Weights at an edge, and corners just above a plane: what is nearly another face is not clear.
TEST(NearestFace, BetweenTwoFaces) {
  Random r(2);
  int clear = 0, all = 0;
  for (int i = 0; i < 1200; ++i) {
    SCOPED_TRACE(i);
    const double across = std::exp(r.real(-40, 0)) * (r.coin() ? 1 : -1), above = std::exp(r.real(-40, 0));
    const Vec3 point(across, r.real(-0.4, 0.4), -std::exp(r.real(-12, 2)));
    const Hull roof(std::array{Vec3(0, -0.5, 0), Vec3(0, 0.5, 0), Vec3(0.5, 0, 0), Vec3(-0.5, 0, above), Vec3(0, 0, 0.5)});
    const Pose turn = r.pose(r.coin() ? 0 : 1);
    const Placed pa = at(roof, turn);
    const Sphere ball{turn.apply(point), i % 3 ? 0 : 1e-6};
    const ConvexSet a = convex_set_of(ShapeRef(pa)), b = convex_set_of(ball, nullptr);
    const Faces n = order_of(a, b) <= 0 ? expect_one_answer(a, b) : expect_one_answer(b, a);
    clear += n.clear, ++all;
  }
  EXPECT_GT(clear * 10, all);
  EXPECT_LT(clear, all);
}

}  // namespace graze::nearest_face_test
