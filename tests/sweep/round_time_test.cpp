// Contact times of balls by a Newton step: enclosed, on the face that is touched first, and nearly always certain. Compared with integer arithmetic.
#include "sweep/linear/round_time.hpp"

#include <gtest/gtest.h>

#include "exact/big.hpp"
#include "support/random.hpp"
#include "sweep/linear/contact_time.hpp"

namespace graze::test::round_time_test {
namespace {

using sweeping::round_time;
using sweeping::RoundTime;
using D3 = V3<Dyadic>;

D3 exact(const Vec3& v) { return {Dyadic(v.x), Dyadic(v.y), Dyadic(v.z)}; }

/// Sign of the distance from the centre at t to the plane, line or point through the corners `face` of b, minus the radius.
int side(const Vec3& center, const D3& motion, double radius, const ConvexSet& b, const RoundTime& face, const Dyadic& t) {
  const D3 v = exact(b.base(face.found.g[0].b.base)), p = exact(center) + t * motion - v;
  const Dyadic square = Dyadic(radius) * Dyadic(radius);
  if (face.found.n == 1) return sign_of(dot(p, p) - square);
  const D3 e = exact(b.base(face.found.g[1].b.base)) - v;
  if (face.found.n == 2) {
    const D3 c = cross(p, e);
    return sign_of(dot(c, c) - square * dot(e, e));
  }
  const D3 n = cross(e, exact(b.base(face.found.g[2].b.base)) - v);
  const Dyadic height = dot(p, n);
  return sign_of(height * height - square * dot(n, n));
}

struct Case {
  ConvexSet ball, target;
  Vec3 from, to;  ///< the motion is to - from
};

Case random_case(Random& r, int round) {
  Case c;
  const double scale = round % 7 == 3 ? 0x1p-60 : round % 7 == 5 ? 0x1p60 : 1;
  const bool lattice = round % 4 == 3;
  const auto point = [&](double size) {
    Vec3 p = r.point(-size, size);
    if (lattice)
      for (int i = 0; i < 3; ++i) p[i] = static_cast<int>(p[i] * 8) / 8.0;
    return p * scale;
  };
  const Vec3 at = round % 5 == 4 ? Vec3(1e5, -3e4, 2e5) * scale : Vec3(0, 0, 0);
  const double size = std::exp(r.real(-4, 1));  // size of the triangles; balls have about size 1
  for (int k = 0; k < 1 + round % 3; ++k) c.target.add_point(at + point(lattice ? 1 : size));
  const Vec3 start = point(3);
  c.ball.add_point(at + start);
  c.ball.radius = lattice ? 0.5 * scale : std::exp(r.real(-3, 0)) * scale;
  c.target.radius = r.integer(0, 3) == 0 ? c.ball.radius * r.real(0, 1) : 0;
  c.from = round % 3 == 0 ? point(1e3) : Vec3(0, 0, 0);
  c.to = c.from + (point(size) - start) * (lattice ? 2 : r.real(1, 3));
  return c;
}

TEST(RoundTime, EnclosesTheRootOfTheFirstFace) {
  Random r(911);
  int asked = 0, certain = 0, of[4] = {}, early = 0;
  for (int round = 0; round < 30000; ++round) {
    const Case c = random_case(r, round);
    if (c.to == c.from) continue;
    const Motion motion{c.to, &c.from};
    const auto truth = contact_time(c.ball, motion, c.target);
    if (!truth || truth->inside) continue;
    const TwoDouble m[3] = {two_sum(c.to.x, -c.from.x), two_sum(c.to.y, -c.from.y), two_sum(c.to.z, -c.from.z)};
    const auto sum = [](const TwoDouble& x) { return Dyadic(x.hi) + Dyadic(x.lo); };
    const D3 way{sum(m[0]), sum(m[1]), sum(m[2])};
    const Vec3 center = c.ball.base(0);
    for (const double part : {1 - 0x1p-16, 0.9, 0.1, 1e-3}) {
      RoundTime at;
      const bool decided = round_time(c.ball, m, two_sum(c.ball.radius, c.target.radius), c.target, truth->t * part, at);
      if (part > 0.99) {
        ++asked;
        certain += decided;
        of[decided ? at.found.n : 0] += 1;
      }
      if (!decided) continue;
      early += part < 0.99;
      const TwoDouble reach = two_sum(c.ball.radius, c.target.radius);
      if (reach.lo == 0) {
        const Dyadic t = sum(at.time.v), e(at.time.e);
        ASSERT_EQ(side(center, way, reach.hi, c.target, at, t - e), 1) << round << " part " << part;
        ASSERT_EQ(side(center, way, reach.hi, c.target, at, t + e), -1) << round << " part " << part;
      }
      double down;
      if (round_down(at.time, down)) {
        ASSERT_EQ(down, truth->t) << round << " part " << part << " corners " << at.found.n;
      }
    }
  }
  EXPECT_GT(asked, 8000);
  EXPECT_GT(certain, asked * 9 / 10);
  for (int k = 1; k <= 3; ++k) EXPECT_GT(of[k], 500) << k;
  EXPECT_GT(early, 300);
}

/// Contacts slightly inside a face, next to an edge or a corner, from a start where another face is nearest. The time of that face is later by the square of
/// the small distance and must not be taken for the time of contact.
TEST(RoundTime, NearTheBordersOfFaces) {
  Random r(912);
  int certain = 0, other = 0;
  for (int round = 0; round < 20000; ++round) {
    ConvexSet ball, target;
    Vec3 p[3];
    for (Vec3& q : p) target.add_point(q = r.point(-1, 1));
    const Vec3 e = p[1] - p[0], f = p[2] - p[0];
    const Vec3 cross_product(e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x);
    const double area = std::sqrt(cross_product.x * cross_product.x + cross_product.y * cross_product.y + cross_product.z * cross_product.z);
    if (area < 0.1) continue;
    const Vec3 n = cross_product * (1 / area);
    ball.radius = r.real(0.2, 1);
    const auto little = [&] { return std::ldexp(r.real(-1, 1), -r.integer(8, 24)); };
    const double s = round % 2 == 0 ? little() : r.real(0.1, 0.5);
    const Vec3 way = r.point(-1, 1) - 3.0 * n, at = p[0] + s * e + little() * f + ball.radius * n;
    ball.add_point(at - way * r.real(0.3, 0.9));
    const Motion motion{way};
    const auto truth = contact_time(ball, motion, target);
    if (!truth || truth->inside) continue;
    const TwoDouble m[3] = {way.x, way.y, way.z};
    for (int bits = 6; bits < 24; bits += 3) {
      RoundTime decided;
      double down;
      if (!round_time(ball, m, ball.radius, target, truth->t * (1 - std::ldexp(1.0, -bits)), decided)) {
        ++other;
        continue;
      }
      ++certain;
      if (round_down(decided.time, down)) {
        ASSERT_EQ(down, truth->t) << round << " bits " << bits << " corners " << decided.found.n;
      }
    }
  }
  EXPECT_GT(certain, 10000);
  EXPECT_GT(other, 1000);
}

/// What doubles cannot decide goes to the next tier: useless starts, grazing paths, needles, numbers out of range.
TEST(RoundTime, NeverCertifiesFalseContact) {
  RoundTime at;
  const auto decided = [&](const Vec3& center, const Vec3& d, double radius, std::initializer_list<Vec3> corners, double start) {
    ConvexSet b;
    for (const Vec3& p : corners) b.add_point(p);
    const TwoDouble m[3] = {d.x, d.y, d.z};
    return round_time(convex_point(center), m, TwoDouble(radius), b, start, at);
  };
  EXPECT_TRUE(decided({0, 0, 3}, {0, 0, -4}, 1, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, 0.49));
  EXPECT_EQ(at.found.n, 3);
  EXPECT_TRUE(decided({0, 0.5, 3}, {0, 0, -4}, 1, {{0, 0, 0}}, 0.5334));
  EXPECT_FALSE(decided({0, 1, 3}, {0, 0, -4}, 1, {{0, 0, 0}}, 0.7)) << "grazes";
  EXPECT_FALSE(decided({0, 2, 3}, {0, 0, -4}, 1, {{0, 0, 0}}, 0.7)) << "misses";
  EXPECT_FALSE(decided({0, 0, 3}, {0, 0, -4}, 1, {{0, 0, 0}, {1, 0, 0}}, 0.49)) << "at the end of an edge, exactly";
  EXPECT_FALSE(decided({0, 0, 3}, {0, 0, -4}, 1, {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0.49)) << "on the edge of a face, exactly";
  EXPECT_FALSE(decided({0, 0, 3}, {0, 0, -4}, 1, {{-1, 0, 0}, {1, 0, 0}, {0, 0x1p-60, 0}}, 0.49)) << "a needle";
  EXPECT_FALSE(decided({0, 0, 3}, {0, 0, -4}, 1, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 0.49)) << "a point three times";
  EXPECT_FALSE(decided({0, 0, 3}, {0, 0, 4}, 1, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, 0.49)) << "goes away";
  EXPECT_FALSE(decided({0, 0, 3}, {0, 0, -4}, 0, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, 0.7)) << "a point";
  EXPECT_FALSE(decided({0, 0, 0x1p120}, {0, 0, -0x1p121}, 1, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, 0.49)) << "beyond the range";
  EXPECT_FALSE(decided({0, 0, 1 + 0x1p-30}, {0, 0, -0x1p90}, 1, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, 0x1p-121)) << "a tiny time";
}

}  // namespace
}  // namespace graze::test::round_time_test
