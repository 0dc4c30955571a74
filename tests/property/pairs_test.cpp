// Properties of any two shapes: symmetry, consistency of distance and intersection, invariance under exact motions. All pairs of kinds, random instances.
#include <gtest/gtest.h>

#include "property/instances.hpp"

namespace graze::test {
namespace {

/// The largest coordinate of the pair, as given by the fields.
double largest(const Instance& s) {
  double m = 0;
  const auto take = [&](const Vec3& v) {
    for (int i = 0; i < 3; ++i) m = std::max(m, std::fabs(v[i]));
  };
  const Box b = bounding_box(*s);
  for (const Vec3& v : {b.min, b.max})
    for (int i = 0; i < 3; ++i)
      if (std::isfinite(v[i])) m = std::max(m, std::fabs(v[i]));
  if (s.pose) take(s.pose->translation);
  std::visit(
      [&](const auto& x) {
        using S = std::remove_cvref_t<decltype(x)>;
        if constexpr (std::is_same_v<S, Ray> || std::is_same_v<S, Line>) take(x.origin);
        if constexpr (std::is_same_v<S, Plane> || std::is_same_v<S, HalfSpace>) take(x.point);
      },
      s.shape.value());
  return m;
}

double ulp(double x) { return std::max(next_up(x) - x, 0x1p-1074); }

void check_pair(const Instance& ia, const Instance& ib, Source& s, Failures& f) {
  const auto a = *ia, b = *ib;
  const bool bounded = curved(ia.shape) || curved(ib.shape);
  const bool hit = intersects(a, b);
  f.expect(hit == intersects(b, a), "intersects is symmetric", ia, ib);
  f.expect(hit == within(a, b, 0), "within 0 is intersects", ia, ib, [&] { return "hit " + std::to_string(hit); });
  const Closest c = closest(a, b), d = closest(b, a);
  const auto told = [&] {
    return "hit " + std::to_string(hit) + " distance " + text(c.distance) + " on a " + text(c.on_a) + " on b " + text(c.on_b) + "; other way " +
           text(d.distance) + " " + text(d.on_b) + " " + text(d.on_a);
  };
  f.expect((c.distance == 0) == hit, "distance 0 exactly when they intersect", ia, ib, told);
  f.expect(same(c.distance, d.distance), "distance is symmetric", ia, ib, told);
  f.expect(same(c.on_a, d.on_b) && same(c.on_b, d.on_a), "witnesses are symmetric", ia, ib, told);
  f.expect(c.triangle_a == d.triangle_b && c.triangle_b == d.triangle_a, "triangles of witnesses are symmetric", ia, ib, told);
  f.expect(!(c.distance < 0) && !std::isnan(c.distance), "distance is a number >= 0", ia, ib, told);
  if (c.distance == 0) f.expect(c.on_a == c.on_b, "one common point", ia, ib, told);

  double m = std::max(largest(ia), largest(ib));
  if (std::isfinite(c.distance)) {
    for (int i = 0; i < 3; ++i) m = std::max({m, std::fabs(c.on_a[i]), std::fabs(c.on_b[i])});
    const double slack = bounded ? 2e-12 * m : 8 * ulp(m);
    const long double x = static_cast<long double>(c.on_a.x) - c.on_b.x, y = static_cast<long double>(c.on_a.y) - c.on_b.y,
                      z = static_cast<long double>(c.on_a.z) - c.on_b.z;
    const long double apart = std::sqrt(x * x + y * y + z * z);
    f.expect(std::fabs(apart - c.distance) <= slack, "witnesses are as far apart as distance says", ia, ib,
             [&] { return told() + " apart " + text(static_cast<double>(apart)); });
    const double off_a = closest(Point{c.on_a}, a).distance, off_b = closest(Point{c.on_b}, b).distance;
    const double off = bounded ? (c.distance < 1e-7 * m ? 1e-7 : 1e-10) * m : slack;  // docs/accuracy.md: witnesses of curved shapes, which may barely touch
    f.expect(off_a <= off && off_b <= off, "witnesses lie on their shapes", ia, ib, [&] { return told() + " off by " + text(off_a) + " and " + text(off_b); });
    const double delta = bounded ? 2e-12 * m : 0;
    const double up = next_up(c.distance + std::max(c.distance * 1.0000001e-15, 0x1p-1074) + delta),
                 down = c.distance - std::max(c.distance * 1.0000001e-15, 0x1p-1074) - delta;
    f.expect(within(a, b, up), "within the distance rounded up", ia, ib, told);
    if (next_down(down) >= 0 && !hit) f.expect(!within(a, b, next_down(down)), "not within the distance rounded down", ia, ib, told);
  }
  const double e = s.size(), e2 = e + s.size();
  const bool near = within(a, b, e);
  f.expect(near == within(b, a, e), "within is symmetric", ia, ib, [&] { return "d " + text(e); });
  f.expect(!near || within(a, b, e2), "within is monotone", ia, ib, [&] { return "d " + text(e) + " and " + text(e2); });
  f.expect(!hit || near, "intersects implies within", ia, ib);
}

/// The same pair after a motion that is exact on its coordinates.
void check_moved(const Instance& ia, const Instance& ib, Source& s, Failures& f) {
  const auto a = *ia, b = *ib;
  const Pose p = exact_pose(s);
  const auto pa = at(ia.shape, p), pb = at(ib.shape, p);
  const auto told = [&] { return "moved by " + text(p) + " distances " + text(closest(a, b).distance) + " and " + text(closest(pa, pb).distance); };
  const bool bounded = curved(ia.shape) || curved(ib.shape);
  const double before = closest(a, b).distance, after = closest(pa, pb).distance;
  if (!bounded) {
    f.expect(intersects(a, b) == intersects(pa, pb), "moved pair intersects as before", ia, ib, told);
    const double d = s.size();
    f.expect(within(a, b, d) == within(pa, pb, d), "moved pair is within as before", ia, ib, [&] { return told() + " d " + text(d); });
  }
  const double slack = bounded ? 1e-10 : 2.1e-15 * before;
  f.expect(before == after || std::fabs(before - after) <= slack, "moved pair is as far apart as before", ia, ib, told);
}

TEST(PairsOfAllKinds, WholeNumbers) { all_pairs(Numbers::whole, 120, 1, true, check_pair); }
TEST(PairsOfAllKinds, Reals) { all_pairs(Numbers::real, 60, 2, true, check_pair); }
TEST(PairsOfAllKinds, HostileNumbers) { all_pairs(Numbers::hostile, 60, 3, true, check_pair); }
TEST(PairsOfAllKinds, ExactMotionsChangeNothing) { all_pairs(Numbers::whole, 100, 4, false, check_moved); }

TEST(AllKinds, GeneratedInstancesAreValid) {
  Source s(5);
  for (const Numbers n : {Numbers::whole, Numbers::real, Numbers::hostile}) {
    s.numbers = n;
    for (int k = 0; k < kKinds; ++k)
      for (int i = 0; i < 100; ++i) {
        const AnyShape shape = instance(static_cast<Kind>(k), s);
        ASSERT_NO_THROW(validate(shape)) << (Instance{shape, std::nullopt}.text());
      }
  }
}

}  // namespace
}  // namespace graze::test
