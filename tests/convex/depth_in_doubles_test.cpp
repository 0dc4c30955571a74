// Depths in doubles (two boxes by separating axes, other convex sets by an expanding polytope or along the gap) against integer arithmetic, on generic and on
// degenerate pairs: what doubles answer is right, and they answer nearly all generic pairs.
#include "convex/depth/depth_in_doubles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <graze/query/closest.hpp>
#include <graze/query/intersects.hpp>

#include "convex/depth/exact_depth.hpp"
#include "convex/depth/zonotope_depth.hpp"
#include "convex/depth_oracle.hpp"
#include "convex/sets/order.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::depth_in_doubles_test {
namespace {

using depth_oracle::Truth;
using Reason = ConvexPenetration::Reason;

OrientedBox oriented(const Pose& p, const Vec3& half) {
  OrientedBox b{p.translation, {}, half};
  for (int k = 0; k < 3; ++k) b.axes[static_cast<std::size_t>(k)] = Vec3(p.rotation[0][k], p.rotation[1][k], p.rotation[2][k]);
  return b;
}

std::optional<ConvexPenetration> result_of(const ProvenDepth& s) {
  if (s.proof == Proof::none) return std::nullopt;
  ConvexPenetration p;
  if (s.proof == Proof::apart) {
    p.reason = Reason::apart;
  } else {
    p.found = true;
    set_translation(s, p);
  }
  return p;
}
ProvenDepth in_closed_form(const ConvexSet& a, const ConvexSet& b) { return is_zonotope(a) && is_zonotope(b) ? zonotope_depth(a, b) : ProvenDepth{}; }

struct Tally {
  int all = 0, answered = 0, closed = 0, deep = 0;  ///< answered: in doubles; of these closed: in closed form
};

/// What doubles answer, and the public result, against the truth.
void check(const ConvexSet& a, const depth_oracle::Body& body_a, const ConvexSet& b, const depth_oracle::Body& body_b, Tally& tally) {
  const depth_oracle::Pair pair(body_a, body_b);
  const Truth t = pair.truth();
  const auto expect = [&](const ConvexPenetration& p) {
    ASSERT_EQ(p.found, t.kind == Truth::deep);
    if (!p.found) {
      EXPECT_EQ(p.reason, t.kind == Truth::touching ? Reason::touching : Reason::apart);
      return;
    }
    EXPECT_LE(depth_oracle::Pair::excess(p.vector, t.depth), 1e-9);
    EXPECT_LE(std::fabs(static_cast<double>(depth_oracle::Real(p.depth / t.depth - 1))), 1e-9);
    EXPECT_NEAR(p.normal.x * p.normal.x + p.normal.y * p.normal.y + p.normal.z * p.normal.z, 1, 1e-15 * 8);
    EXPECT_TRUE(pair.separated(p.vector));
  };
  ++tally.all;
  tally.deep += t.kind == Truth::deep;
  bool answered = false;
  if (const auto p = result_of(in_closed_form(a, b))) {
    ++tally.closed;
    answered = true;
    expect(*p);
  }
  if (const auto p = is_parallelepiped(a) && is_parallelepiped(b) ? std::nullopt : result_of(depth_in_doubles(a, b))) {
    answered = true;
    expect(*p);
  }
  tally.answered += answered;
  expect(penetration(a, b));
  if (order_of(a, b) == 0) return;
  const ConvexPenetration p = penetration(a, b), q = penetration(b, a);
  EXPECT_EQ(p.vector, Vec3(0, 0, 0) - q.vector);
  EXPECT_EQ(p.normal, Vec3(0, 0, 0) - q.normal);
}
template <class A, class B>
void check(const A& a, const B& b, Tally& tally) {
  check(convex_set_of(a, nullptr), depth_oracle::body(a), convex_set_of(b, nullptr), depth_oracle::body(b), tally);
}

template <class Make>
Tally generic(const Make& make, int n, std::uint64_t seed) {
  test::Random r(seed);
  Tally tally;
  for (int i = 0; i < n; ++i) {
    SCOPED_TRACE(i);
    make(r, tally);
  }
  return tally;
}

TEST(DepthInDoubles, GenericPairs) {
  const auto box = [](test::Random& r) {
    const Pose p = r.pose(0.6);
    return oriented(p, Vec3(r.real(0.1, 0.7), r.real(0.1, 0.7), r.real(0.1, 0.7)));
  };
  const auto capsule = [](test::Random& r) {
    const Vec3 a = r.point(-0.7, 0.7), b = r.point(-0.7, 0.7);
    return Capsule{a, b, r.real(0.05, 0.4)};
  };
  const auto sphere = [](test::Random& r) {
    const Vec3 c = r.point(-0.7, 0.7);
    return Sphere{c, r.real(0.1, 0.6)};
  };
  const auto triangle = [](test::Random& r) {
    const Vec3 a = r.point(-0.8, 0.8), b = r.point(-0.8, 0.8), c = r.point(-0.8, 0.8);
    return Triangle{{a, b, c}};
  };
  const auto hull = [](test::Random& r) {
    std::vector<Vec3> p;
    for (int k = 0; k < 8; ++k) p.push_back(r.point(-0.7, 0.7));
    return Hull(p);
  };
  const auto every = [](const auto& first, const auto& second, int n, std::uint64_t seed, bool closed) {
    const Tally t = generic(
        [&](test::Random& r, Tally& tally) {
          const auto a = first(r);
          check(a, second(r), tally);
        },
        n, seed);
    EXPECT_GE(t.answered, t.all - t.all / 50 - 1) << "doubles answered " << t.answered << " of " << t.all;
    EXPECT_GE(t.closed, closed ? t.all - t.all / 50 - 1 : 0) << "closed forms answered " << t.closed << " of " << t.all;
    EXPECT_GT(t.deep, t.all / 10);
  };
  every(box, box, 150, 1, true);
  every(sphere, sphere, 300, 2, true);
  every(sphere, box, 300, 3, true);
  every(capsule, capsule, 300, 4, true);
  every(capsule, box, 100, 5, true);
  every(sphere, capsule, 300, 12, true);
  every(triangle, box, 100, 6, false);
  every(triangle, capsule, 200, 7, false);
  every(triangle, triangle, 200, 8, false);
  every(hull, hull, 4, 9, false);
  every(hull, box, 10, 10, false);
}

/// Two shapes, the first moved along the gap between both until they overlap by `depth`.
template <class B>
void check_shallow(const Hull& a, Pose pose, const B& b, double depth, Tally& tally) {
  const Closest gap = closest(at(a, pose), b);
  if (!(gap.distance > 0)) return;
  pose.translation += (gap.on_b - gap.on_a) * ((gap.distance + depth) / gap.distance);
  const Placed placed = at(a, pose);
  const ConvexSet ca = convex_set_of(placed), cb = convex_set_of(b, nullptr);
  const auto p = result_of(depth_in_doubles(ca, cb));
  ++tally.all;
  tally.answered += p.has_value();
  if (!p) return;
  const ConvexPenetration truth = penetration_exactly(ca, cb);
  ASSERT_EQ(p->found, truth.found);
  tally.deep += p->found;
  if (!p->found) return;
  EXPECT_NEAR(p->depth / truth.depth, 1, 1e-9);
  pose.translation += p->vector * (1 + 0x1p-30);
  EXPECT_FALSE(intersects(at(a, pose), b));
}

/// The case of each frame of a simulation: doubles find the face, and pairs of doubles measure it.
TEST(DepthInDoubles, HullsThatTouchALittle) {
  test::Random r(17);
  const auto hull = [&](int corners) {
    std::vector<Vec3> p;
    for (int k = 0; k < corners; ++k) {
      const Vec3 d = r.direction();
      p.push_back(d / std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z));
    }
    return Hull(p);
  };
  for (const int corners : {8, 20, 40}) {
    Tally tally;
    for (int i = 0; i < 24; ++i) {
      SCOPED_TRACE(i);
      const Hull a = hull(corners), b = hull(corners);
      Pose pose = r.pose(0);
      const Vec3 away = r.direction();
      pose.translation = away * (3 / std::sqrt(away.x * away.x + away.y * away.y + away.z * away.z));
      const double depth = std::ldexp(1, -4 - i % 12);
      switch (i % 3) {
        case 0:
          check_shallow(a, pose, b, depth, tally);
          break;
        case 1:
          check_shallow(a, pose, Capsule{{-0.5, 0, 0}, {0.5, 0, 0.25}, 0.25}, depth, tally);
          break;
        default:
          check_shallow(a, pose, Box{{-0.5, -0.5, -0.5}, {0.5, 0.75, 0.5}}, depth, tally);
      }
    }
    EXPECT_EQ(tally.deep, tally.all) << corners;
    EXPECT_EQ(tally.answered, tally.all) << corners;
  }
}

TEST(DepthInDoubles, BoxesWithParallelEdgesAndFaces) {
  test::Random r(11);
  Tally tally;
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const Vec3 half(1, 0.5, 0.75), other(0.5, 0.25, 0.5);
    Pose p = i % 2 ? r.pose(1) : Pose{};
    OrientedBox a = oriented(p, half), b = oriented(p, i % 5 ? other : half);
    // from identical and nested to face on face, edge on edge and corner on corner, exactly or nearly
    const double sink[] = {0, 1e-3, 1e-6, 1e-9, 1e-13, 0.25};
    const double d = sink[r.below(6)];
    for (int k = 0; k < 3; ++k)
      if (r.below(2)) b.center += a.axes[static_cast<std::size_t>(k)] * (a.half[k] + b.half[k] - d);
    if (r.below(3) == 0) {  // turned by nearly nothing about one axis
      const double turn = std::ldexp(1, -r.below(60));
      const std::size_t k = static_cast<std::size_t>(r.below(3)), j = (k + 1) % 3;
      const Vec3 u = b.axes[k], v = b.axes[j];
      b.axes[k] = u + v * turn;
      b.axes[j] = v - u * turn;
    }
    if (r.below(4) == 0) std::swap(b.axes[0], b.axes[2]);
    if (r.below(6) == 0) b.half[static_cast<int>(r.below(3))] = 0;
    check(a, b, tally);
  }
  EXPECT_GT(tally.answered, tally.all / 3);
}

/// Boxes that lie on each other on a slope, turned about the vertical and tilted by anything down to nothing: their faces tie, and so do the pairs of their
/// edges, but for rounding or for the tilt.
TEST(DepthInDoubles, RestingBoxes) {
  test::Random r(16);
  Tally level, tilted;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const double size = i % 3 ? 1 : std::ldexp(1, r.below(120) - 60);
    const Pose slope = r.pose(0);
    const OrientedBox a = oriented(slope, Vec3(r.real(0.1, 0.6), r.real(0.1, 0.6), r.real(0.1, 0.6)) * size);
    OrientedBox b = oriented(slope, Vec3(r.real(0.1, 0.6), r.real(0.1, 0.6), r.real(0.1, 0.6)) * size);
    const auto turn = [&](std::size_t k, double c, double s) {
      const Vec3 u = b.axes[k], v = b.axes[(k + 1) % 3];
      b.axes[k] = u * c + v * s;
      b.axes[(k + 1) % 3] = v * c - u * s;
    };
    const double t = i % 4 ? r.real(-1, 1) : 0;
    turn(0, (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t));
    const bool tilt = i % 2;
    if (tilt) turn(1 + static_cast<std::size_t>(r.below(2)), 1, std::ldexp(1, -r.below(40) - 20));
    b.center = a.center + a.axes[0] * (r.real(-0.3, 0.3) * size) + a.axes[1] * (r.real(-0.3, 0.3) * size) +
               a.axes[2] * (a.half.z + b.half.z - std::exp(r.real(-13.8, -6.9)) * size);
    check(a, b, tilt ? tilted : level);
  }
  EXPECT_GT(level.deep, level.all / 2);
  EXPECT_GE(level.closed, level.all - level.all / 10);
  EXPECT_GT(tilted.closed, tilted.all / 2);
}

TEST(DepthInDoubles, BoxesFarFromTheOriginAndOfExtremeSizes) {
  test::Random r(12);
  Tally near, far;
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(i);
    const double size = std::ldexp(1, r.below(120) - 60), away = size * std::ldexp(1, r.below(40));
    const Vec3 middle = r.point(-away, away), half = Vec3(r.real(0.1, 1), r.real(0.1, 1), r.real(0.1, 1)) * size;
    const auto at = [&](const Vec3& c) { return Box{c - half, c + half}; };
    check(at(middle), at(middle + r.point(-size, size)), near);
    Pose p = r.pose(0);
    p.translation = middle;
    check(oriented(p, half), Sphere{middle + r.point(-size, size), r.real(0.1, 1) * size}, far);
    check(at(middle), Capsule{middle + r.point(-size, size), middle + r.point(-size, size), r.real(0.1, 1) * size}, far);
  }
  EXPECT_GE(near.answered, near.all * 9 / 10);
  EXPECT_GE(far.answered, far.all * 9 / 10);
}

TEST(DepthInDoubles, ObliqueBoxes) {
  test::Random r(13);
  Tally tally;
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const auto box = [&] {
      OrientedBox b{r.point(-0.5, 0.5), {r.point(-1, 1), r.point(-1, 1), r.point(-1, 1)}, {r.real(0, 1), r.real(0, 1), r.real(0, 1)}};
      if (r.below(8) == 0) b.axes[1] = b.axes[0] + r.point(-1, 1) * std::ldexp(1, -r.below(60));
      if (r.below(8) == 0) b.axes[2] = b.axes[2] * std::ldexp(1, r.below(80) - 40);
      return b;
    };
    const OrientedBox a = box();
    OrientedBox b = box();
    if (r.below(4) == 0) b.axes[static_cast<std::size_t>(r.below(3))] = a.axes[static_cast<std::size_t>(r.below(3))];
    check(a, b, tally);
  }
  EXPECT_GT(tally.answered, tally.all / 2);
}

TEST(DepthInDoubles, FlatTouchingAndConcentricSets) {
  Tally tally;
  const Triangle t{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}};
  check(t, t, tally);
  check(t, Triangle{{Vec3(1, 1, 0), Vec3(5, 1, 0), Vec3(1, 5, 0)}}, tally);
  check(t, Box{{1, 1, 0}, {2, 2, 1}}, tally);
  check(t, Box{{1, 1, -0.5}, {2, 2, 0.5}}, tally);
  check(t, Sphere{{1, 1, 0.5}, 0.5}, tally);
  check(t, Sphere{{1, 1, 0}, 0.5}, tally);
  check(t, Capsule{{1, 1, -1}, {1, 1, 1}, 0.25}, tally);
  check(t, Point{{1, 1, 0}}, tally);
  check(Sphere{{1, 2, 3}, 1}, Sphere{{1, 2, 3}, 2}, tally);
  check(Sphere{{0, 0, 0}, 1}, Sphere{{2, 0, 0}, 1}, tally);
  check(Sphere{{0, 0, 0}, 1}, Sphere{{std::nextafter(2.0, 0), 0, 0}, 1}, tally);
  check(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule{{0, -1, 0}, {0, 1, 0}, 0.25}, tally);
  check(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5}, tally);
  check(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule{{0, 0, 0.5}, {3, 0, 0.5}, 0.25}, tally);
  check(Box{{0, 0, 0}, {1, 1, 1}}, Sphere{{0.5, 0.5, 0.5}, 0.25}, tally);
  check(Box{{0, 0, 0}, {1, 1, 1}}, Sphere{{0.5, 0.5, 1.25}, 0.25}, tally);
  check(Segment{{-1, 0, 0}, {1, 0, 0}}, Segment{{0, -1, 0}, {0, 1, 0}}, tally);
  EXPECT_GE(tally.answered, 3);
}

/// Balls and rods on boxes: upright, lying along edges and faces, without length or radius, at corners, sunk in by anything, at any size.
TEST(DepthInDoubles, RoundShapesOnBoxes) {
  test::Random r(15);
  Tally tally;
  for (int i = 0; i < 1200; ++i) {
    SCOPED_TRACE(i);
    const double size = i % 3 ? 1 : std::ldexp(1, r.below(240) - 120);
    const Pose p = i % 2 ? r.pose(1) : Pose{};
    OrientedBox a = oriented(p, Vec3(1, 0.5, r.below(8) ? 0.75 : 0) * size);
    a.center = p.translation * (size * std::ldexp(1, r.below(3) * 15));
    if (r.below(6) == 0) a.axes[1] = a.axes[1] + a.axes[0] * std::ldexp(1, -r.below(60));  // oblique
    const auto place = [&] {                                                               // of corners, edges, faces and the middle, or anything
      Vec3 c = a.center;
      for (int k = 0; k < 3; ++k) {
        const double s[] = {-1, 0, 1, 0.5, r.real(-1.5, 1.5)};
        c += a.axes[static_cast<std::size_t>(k)] * (a.half[k] * s[r.below(5)]);
      }
      return c;
    };
    const double sink[] = {0, 1e-3, 1e-6, 1e-9, 1e-13, 0.25};
    const double radius = r.below(5) ? 0.25 * size : 0;
    const std::size_t up = static_cast<std::size_t>(r.below(3));
    const Vec3 at = place(), lifted = at + a.axes[up] * (radius - sink[r.below(6)] * size);
    check(a, Sphere{lifted, radius}, tally);
    Vec3 along = a.axes[static_cast<std::size_t>(r.below(3))];
    if (r.below(3) == 0) along = along + a.axes[static_cast<std::size_t>(r.below(3))] * std::ldexp(1, -r.below(60));
    const Capsule rod{lifted, r.below(8) ? lifted + along * (size * (r.below(2) ? 1 : 0.5)) : lifted, radius};
    check(a, rod, tally);
    check(a, Capsule{at, place(), radius}, tally);
    check(rod, Capsule{at, place(), 0.5 * size}, tally);
    check(rod, Capsule{at, at + along * (2 * size), radius}, tally);
    check(rod, Sphere{place(), 0.5 * size}, tally);
  }
  EXPECT_GT(tally.closed, tally.all / 2);
}

/// Placed hulls: the exact tier evaluates the placed points.
TEST(DepthInDoubles, PlacedHulls) {
  test::Random r(14);
  int answered = 0, all = 0;
  for (int i = 0; i < 60; ++i) {
    const int n = i % 3 == 0 ? 100 : 12 + r.below(30);
    const double own = i % 4 == 0 ? 1e3 : 0;  // far from the origin of its own frame
    const auto points = [&] {
      std::vector<Vec3> p;
      for (int k = 0; k < n; ++k) {
        Vec3 v = r.point(-1, 1);
        v = v / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        p.push_back(v + Vec3(own, 0, 0));
        if (k % 3 == 0) p.push_back(v * 0.5 + Vec3(own, 0, 0));  // no corner
      }
      return p;
    };
    const Hull a(points()), b(points());
    Pose p = r.pose(0.6), q = r.pose(0.6);
    p.translation -= p.rotate(Vec3(own, 0, 0));
    q.translation -= q.rotate(Vec3(own, 0, 0));
    const ConvexSet ca = convex_set_of(a, &p), cb = convex_set_of(b, &q);
    if (!within(ca, cb)) continue;
    ++all;
    SCOPED_TRACE(i);
    const auto found = result_of(depth_in_doubles(ca, cb));
    if (!found) continue;
    ++answered;
    ASSERT_TRUE(found->found);
    EXPECT_LE(compare_distance(moved(ca, found->vector * (1 - 4e-9)), cb), 0);  // a shorter vector does not separate
    EXPECT_GE(compare_distance(moved(ca, found->vector), cb), 0);
    if (n > 30) continue;
    const ConvexPenetration exact = penetration_exactly(ca, cb);
    ASSERT_TRUE(exact.found);
    EXPECT_NEAR(found->depth, exact.depth, exact.depth * 1e-9);
  }
  EXPECT_GT(all, 40);
  EXPECT_GE(answered, all - 2);
}

}  // namespace
}  // namespace graze::depth_in_doubles_test
