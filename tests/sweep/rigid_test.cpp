// Rigid motions with rotation: against dense sampling with exact decisions, against contacts known in closed form, gears, refused input.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <glm/geometric.hpp>
#include <graze/error.hpp>
#include <graze/sweep.hpp>

#include "convex/decide/decide.hpp"
#include "exact/angle.hpp"
#include "exact/double_parts.hpp"
#include "shapes/pose.hpp"
#include "support/random.hpp"

namespace graze::rigid_test {
namespace {

using Long = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<200, boost::multiprecision::digit_base_2>, boost::multiprecision::et_off>;
constexpr double kPi = 0x1.921fb54442d18p+1;

double cosine(double a) { return sine_cosine(a, 1).cosine; }
double sine(double a) { return sine_cosine(a, 1).sine; }

TEST(Screw, PlacesPointsWithinTheBound) {
  test::Random r(1);
  for (int i = 0; i < 400; ++i) {
    const Screw s{10.0 * r.point(-1, 1), r.point(-1, 1), r.real(-1, 1) * (i % 7 ? 10 : 1e6), 5.0 * r.point(-1, 1)};
    const double t = i % 10 ? r.unit() : 1;
    const Vec3 p = 3.0 * r.point(-1, 1), q = s.at(t).apply(p);
    Long k[3], arm[3], size = 0, along = 0, turned[3];
    for (int j = 0; j < 3; ++j) size += Long(s.axis[j]) * Long(s.axis[j]);
    for (int j = 0; j < 3; ++j) {
      k[j] = Long(s.axis[j]) / sqrt(size);
      arm[j] = Long(p[j]) - Long(s.center[j]);
      along += k[j] * arm[j];
    }
    const Long angle = Long(s.angle) * Long(t), c = cos(angle), sn = sin(angle);
    for (int j = 0; j < 3; ++j) {
      const int l = (j + 1) % 3, m = (j + 2) % 3;
      turned[j] = arm[j] * c + (k[l] * arm[m] - k[m] * arm[l]) * sn + k[j] * along * (1 - c) + Long(s.center[j]) + Long(t) * Long(s.displacement[j]);
      EXPECT_LE(abs(turned[j] - Long(q[j])), 0x1p-43 * (3 + 10 + 5)) << i;
    }
  }
  const Screw still{Vec3(1, 2, 3), Vec3(0, 0, 2), 5, Vec3(1, 1, 1)};
  EXPECT_EQ(still.at(0).apply(Vec3(0.1, 0.2, 0.3)), Vec3(0.1, 0.2, 0.3));
}

TEST(Screw, BetweenTwoPoses) {
  test::Random r(2);
  for (int i = 0; i < 600; ++i) {
    const Pose from = r.pose(3);
    Pose to = r.pose(3);
    if (i % 4 == 0) to = from;
    if (i % 4 == 1) {  // half a turn, or nearly
      Screw half{Vec3(0, 0, 0), i % 8 == 1 ? Vec3(r.below(3) - 1, 1, r.below(3) - 1) : r.point(-1, 1), kPi + (i % 3 - 1) * 1e-9, r.point(-1, 1)};
      to = compose(half.at(1), from);
    }
    const Vec3 center = 2.0 * r.point(-1, 1);
    const Screw s = Screw::between(from, to, center);
    EXPECT_GE(s.angle, 0);
    EXPECT_LE(s.angle, kPi + 1e-14);
    const Pose end = s.at(1);
    for (int k = 0; k < 5; ++k) {
      const Vec3 p = 2.0 * r.point(-1, 1), a = end.apply(from.apply(p)), b = to.apply(p);
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(a[j], b[j], 2e-14) << i;
    }
  }
}

TEST(RigidSweep, KnownAnswers) {
  // a rod on the x axis turns a quarter about z: its end meets a ball
  const Segment rod{{1, 0, 0}, {3, 0, 0}};
  const Screw quarter{{0, 0, 0}, {0, 0, 7}, kPi / 2, {0, 0, 0}};
  RigidSweepOptions o;
  o.tolerance = 1e-9;
  auto hit = sweep(rod, quarter, Sphere{{0, 2, 0}, 0.5}, o);
  ASSERT_TRUE(hit);
  EXPECT_FALSE(hit->budget_ended);
  // the rod's line is 0.5 from (0, 2) when sin(angle between) = 0.25
  const double angle = kPi / 2 - angle_of(0.25, std::sqrt(1 - 0.0625));
  EXPECT_LE(hit->t, angle / (kPi / 2));
  EXPECT_GE(hit->t, angle / (kPi / 2) - 1e-8);
  EXPECT_TRUE(hit->moved);
  EXPECT_FALSE(intersects(at(rod, hit->safe), Sphere{{0, 2, 0}, 0.5}));
  ASSERT_TRUE(hit->normal);
  EXPECT_NEAR(glm::dot(*hit->normal, Vec3(cosine(angle), sine(angle), 0)), 0, 1e-6);
  // it passes below a ball without touching it
  EXPECT_FALSE(sweep(rod, quarter, Sphere{{0, 2, 0.6}, 0.5}, o));
  EXPECT_FALSE(sweep(rod, quarter, Sphere{{0, 4, 0}, 0.9}, o));
  // falling while turning: a box onto the ground
  const Box box{{-1, -1, -1}, {1, 1, 1}};
  hit = sweep(at(box, translation({0, 0, 5})), Screw{{0, 0, 5}, {0, 1, 0}, kPi / 4, {0, 0, -10}}, HalfSpace{{0, 0, 0}, {0, 0, 1}}, o);
  ASSERT_TRUE(hit);
  {  // height of the lowest corner: 5 - 10 t - sqrt 2 cos(pi/4 (1 - t))
    const double t = hit->t, height = 5 - 10 * t - (cosine(kPi / 4 * t) + sine(kPi / 4 * t));
    EXPECT_GE(height, 0);
    EXPECT_LE(height, 1.1e-9);
  }
  // operands exchanged: an unbounded shape turns
  EXPECT_TRUE(sweep(Plane{{0, 0, 0}, {0, 0, 1}}, Screw{{0, 0, 0}, {0, 1, 0}, 1, {0, 0, 0}}, Sphere{{5, 0, -1}, 0.5}, o));
  EXPECT_FALSE(sweep(Plane{{0, 0, 0}, {0, 0, 1}}, Screw{{0, 0, 0}, {0, 1, 0}, 0.05, {0, 0, 0}}, Sphere{{5, 0, -1}, 0.5}, o));
  // start
  hit = sweep(rod, quarter, Sphere{{2, 0, 0}, 0.5});
  ASSERT_TRUE(hit);
  EXPECT_TRUE(hit->started_inside);
  EXPECT_EQ(hit->t, 0);
  EXPECT_FALSE(hit->moved);
  // no motion
  EXPECT_FALSE(sweep(rod, Screw{}, Sphere{{0, 2, 0}, 0.5}));
  // many full turns about the own axis touch nothing
  EXPECT_FALSE(sweep(at(Capsule{{0, 0, 0}, {0, 0, 2}, 0.5}, translation({1, 1, 0})), Screw{{1, 1, 0}, {0, 0, 1}, 100, {0, 0, 0}}, Sphere{{1, 2, 1}, 0.4}, o));
}

TEST(RigidSweep, Refusals) {
  const Sphere ball{{0, 0, 0}, 1}, other{{5, 0, 0}, 1};
  const auto message = [&](const Screw& s, double tolerance) -> std::string {
    try {
      RigidSweepOptions o;
      o.tolerance = tolerance;
      (void)sweep(ball, s, other, o);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  Screw s;
  EXPECT_EQ(message(s, 1e-6), "");
  EXPECT_EQ(message(s, 0).substr(0, 18), "sweep: tolerance i");
  s.axis = Vec3(0, 0, 0);
  EXPECT_EQ(message(s, 1e-6), "sweep: axis is zero");
  s = Screw{};
  s.angle = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message(s, 1e-6), "sweep: angle is infinite, must be finite");
  s = Screw{};
  s.center.y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(s, 1e-6), "sweep: center[1] is NaN, must be finite");
  EXPECT_THROW((void)sweep(Plane{{0, 0, 0}, {0, 0, 1}}, Screw{{0, 0, 0}, {1, 0, 0}, 1, {0, 0, 0}}, Line{{0, 0, 5}, {1, 0, 0}}), Error);
  EXPECT_EQ(sweep(Plane{{0, 0, 0}, {0, 0, 1}}, Screw{{0, 0, 0}, {1, 0, 0}, 1, {0, 0, 0}}, Line{{0, 0, 5}, {0, 0, 1}})->t, 0);  // the shapes touch at the start
  // numbers so large that nothing can be decided: reported, not missed
  const auto hit = sweep(at(ball, translation({1e300, 0, 0})), Screw{{0, 0, 0}, {0, 0, 1}, 0, {-1e300, 0, 0}}, other);
  ASSERT_TRUE(hit);
  EXPECT_TRUE(hit->budget_ended);
}

/// Shapes that are hard to catch: needles, plates, small balls.
AnyShape hostile_shape(test::Random& r, int kind) {
  const double length = 0.2 + 4 * r.unit(), thin = r.below(2) ? 1e-3 : 0.3;
  switch (kind) {
    case 0:
      return Segment{length * r.point(-1, 1), length * r.point(-1, 1)};
    case 1:
      return Triangle{{length * r.point(-1, 1), length * r.point(-1, 1), length * r.point(-1, 1)}};
    case 2:
      return Sphere{length * r.point(-1, 1), thin};
    case 3:
      return Capsule{length * r.point(-1, 1), length * r.point(-1, 1), thin};
    case 4:
      return Box::from_center(r.point(-1, 1), Vec3(length, thin, thin));
    case 5:
      return Box::from_center(r.point(-1, 1), Vec3(length, length, thin * 0.1));
    case 6:
      return Hull(std::vector<Vec3>{length * r.point(-1, 1), length * r.point(-1, 1), length * r.point(-1, 1), length * r.point(-1, 1), r.point(-1, 1),
                                    r.point(-1, 1)});
    case 7:
      return Point{length * r.point(-1, 1)};
    case 8:
      return Cylinder{length * r.point(-1, 1), length * r.point(-1, 1), thin};
    default:
      return OrientedBox{r.point(-1, 1), {r.point(-1, 1), r.point(-1, 1), r.point(-1, 1)}, {length, thin, 0.5}};
  }
}

struct Tally {
  int motions = 0, hits = 0, flagged = 0, far = 0;
};

/// No sampled contact before the reported time, and a small gap at the reported time.
void compare_with_samples(ShapeRef a, const Pose& start, const Screw& s, ShapeRef b, int samples, const RigidSweepOptions& o, Tally& tally,
                          const std::string& what) {
  const auto placed = [&](double t) { return Placed{a.shape(), a.kind(), compose(s.at(t), start)}; };
  const auto hit = sweep(Placed{a.shape(), a.kind(), start}, s, b, o);
  ++tally.motions;
  tally.hits += hit.has_value();
  if (hit) {
    if (hit->budget_ended)
      ++tally.flagged;
    else if (closest(placed(hit->t), b).distance > o.tolerance * (1 + 1e-9) + 1e-12)
      ++tally.far;
    if (hit->moved) {
      ASSERT_FALSE(intersects(Placed{a.shape(), a.kind(), hit->safe}, b)) << what;
    }
  }
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (hit && t >= hit->t) break;
    ASSERT_FALSE(intersects(placed(t), b)) << what << ", contact at " << t << ", reported " << (hit ? hit->t : -1);
  }
}

TEST(RigidSweep, NeverMissesAgainstDenseSamples) {
  const char* more = std::getenv("GRAZE_RIGID_ROUNDS");
  const char* seed = std::getenv("GRAZE_RIGID_SEED");
  const int rounds = more ? std::atoi(more) : 1500;
  test::Random r(seed ? std::strtoull(seed, nullptr, 10) : 5);
  Tally tally;
  for (int i = 0; i < rounds; ++i) {
    const int ka = r.below(10), kb = r.below(10);
    const AnyShape a = hostile_shape(r, ka), b = hostile_shape(r, kb);
    const Pose start = r.pose(2.5);
    const double angles[] = {0.1, 1, kPi, 2 * kPi, -20, 0};
    const Screw s{r.below(2) ? start.translation : 3.0 * r.point(-1, 1), r.below(3) ? r.point(-1, 1) : Vec3(0, 0, 1), angles[r.below(6)],
                  r.below(2) ? Vec3(0, 0, 0) : 6.0 * r.point(-1, 1)};
    RigidSweepOptions o;
    o.tolerance = r.below(2) ? 1e-6 : 1e-4;
    compare_with_samples(a, start, s, b, more ? 1000 : 200, o, tally, std::to_string(i) + ": " + type_name(a.kind()) + " against " + type_name(b.kind()));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.hits, rounds / 10);
  EXPECT_EQ(tally.far, 0);
  EXPECT_LE(tally.flagged, std::max(1, rounds / 1000));
  RecordProperty("flagged", tally.flagged);
  if (more) std::printf("%d motions, %d hits, %d flagged\n", tally.motions, tally.hits, tally.flagged);
}

TEST(RigidSweep, MeshesNeverMissAgainstDenseSamples) {
  const char* more = std::getenv("GRAZE_RIGID_ROUNDS");
  const char* seed = std::getenv("GRAZE_RIGID_SEED");
  const int rounds = more ? std::atoi(more) / 20 : 60;
  test::Random r(seed ? std::strtoull(seed, nullptr, 10) : 9);
  Tally tally;
  const auto soup = [&] {
    MeshData d;
    const int n = 3 + r.below(40);
    const double size = 0.1 + r.unit(), spread = 2.5 * r.unit();
    for (int i = 0; i < n; ++i) {
      const Vec3 c = spread * r.point(-1, 1);
      for (int k = 0; k < 3; ++k) d.vertices.push_back(c + size * r.point(-1, 1));
      const auto v = static_cast<std::uint32_t>(3 * i);
      d.triangles.push_back({v, v + 1, v + 2});
    }
    return Mesh(std::move(d));
  };
  for (int i = 0; i < rounds; ++i) {
    const Mesh m = soup(), other = soup();
    const AnyShape shape = r.below(2)         ? AnyShape(other)
                           : r.below(12) == 0 ? AnyShape(Plane{3.0 * r.point(-1, 1), r.point(-1, 1)})
                                              : hostile_shape(r, r.below(10));
    const bool mover = r.below(2) && type_name(shape.kind()) != std::string("plane");
    const Pose start = r.pose(3);
    const double angles[] = {0.1, 1, kPi, 2 * kPi, -20, 0};
    const Screw s{r.below(2) ? start.translation : 3.0 * r.point(-1, 1), r.point(-1, 1), angles[r.below(6)], r.below(2) ? Vec3(0, 0, 0) : 6.0 * r.point(-1, 1)};
    RigidSweepOptions o;
    o.tolerance = r.below(2) ? 1e-6 : 1e-3;
    const ShapeRef a = mover ? ShapeRef(shape) : ShapeRef(m), b = mover ? ShapeRef(m) : ShapeRef(shape);
    compare_with_samples(a, start, s, b, more ? 1000 : 150, o, tally, std::to_string(i) + ": " + type_name(a.kind()) + " against " + type_name(b.kind()));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.hits, rounds / 10);
  EXPECT_EQ(tally.far, 0);
  EXPECT_LE(tally.flagged, std::max(1, rounds / 1000));
  if (more) std::printf("%d motions of meshes, %d hits, %d flagged\n", tally.motions, tally.hits, tally.flagged);
}

/// A gear about the z axis, its teeth prisms of the outline.
Mesh gear(int teeth, double inner, double outer, double height) {
  MeshData m;
  const int n = 4 * teeth;
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < n; ++i) {
      const double a = 2 * kPi * i / n, radius = i % 4 == 1 || i % 4 == 2 ? outer : inner;
      m.vertices.push_back(Vec3(radius * cosine(a), radius * sine(a), side * height));
    }
  m.vertices.push_back(Vec3(0, 0, 0));
  m.vertices.push_back(Vec3(0, 0, height));
  const auto c = static_cast<std::uint32_t>(2 * n);
  for (int i = 0; i < n; ++i) {
    const auto p = static_cast<std::uint32_t>(i), q = static_cast<std::uint32_t>((i + 1) % n), u = static_cast<std::uint32_t>(n);
    m.triangles.push_back({p, q, q + u});
    m.triangles.push_back({p, q + u, p + u});
    m.triangles.push_back({q, p, c});
    m.triangles.push_back({p + u, q + u, c + 1});
  }
  return Mesh(std::move(m));
}

TEST(RigidSweep, GearsAndMeshes) {
  const Mesh a = gear(12, 0.85, 1.0, 0.3), b = gear(12, 0.85, 1.0, 0.3);
  Tally tally;
  RigidSweepOptions o;
  o.tolerance = 1e-6;
  test::Random r(6);
  for (int i = 0; i < 12; ++i) {
    // side by side, teeth in gaps. One gear turns until they touch, or freely when they are far enough apart.
    const double distance = 1.84 + 0.02 * i;
    const Pose start = translation(Vec3(distance, 0, i % 3 == 2 ? 0.35 : 0.01));
    const Screw s{Vec3(distance, 0, 0), Vec3(0, 0, 1), (i & 1 ? 1 : -1) * 2 * kPi, Vec3(0, 0, 0)};
    const Pose turned = compose(Screw{Vec3(distance, 0, 0), Vec3(0, 0, 1), kPi / 12 + 0.02 * r.real(-1, 1), Vec3(0, 0, 0)}.at(1), start);
    compare_with_samples(a, turned, s, b, 300, o, tally, "gears at " + std::to_string(distance));
    compare_with_samples(solid(a), turned, s, b, 50, o, tally, "solid gear at " + std::to_string(distance));
    compare_with_samples(Box::from_center(Vec3(0, 0, 0), Vec3(0.02, 3, 0.02)), translation(Vec3(1.5, 0, 0.1)),
                         Screw{Vec3(1.5, 0, 0.1), r.point(-1, 1), 2 * kPi, 0.3 * r.point(-1, 1)}, b, 300, o, tally, "a needle in a gear");
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(tally.far, 0);
  EXPECT_LE(tally.flagged, 1);
  EXPECT_GT(tally.hits, 10);
}

// Numbers whose exponents differ widely within one query: every distance needs unlimited integers, so each step is expensive. The budget bounds such decisions
// over all pairs, not only the steps of each.
TEST(RigidSweep, DecisionsInUnlimitedIntegersAreBounded) {
  test::Random r(7);
  int range = 0;
  const auto number = [&] {
    return r.below(10) == 0 ? r.integer(-2, 2) : (1 + r.unit()) * std::ldexp(r.below(2) ? 1.0 : -1.0, r.below(2 * range + 1) - range);
  };
  const auto vector = [&] {
    const double x = number(), y = number();
    return Vec3(x, y, number());
  };
  const auto direction = [&] {
    const Vec3 v = vector();
    return v == Vec3(0, 0, 0) ? Vec3(0, 0, 1) : v;
  };
  const auto extent = [&] { return std::fabs(number()); };
  const auto shape = [&]() -> AnyShape {
    switch (r.below(9)) {
      case 0:
        return Segment{vector(), vector()};
      case 1:
        return Triangle{{vector(), vector(), vector()}};
      case 2:
        return Capsule{vector(), vector(), extent()};
      case 3:
        return OrientedBox{vector(), {vector(), vector(), vector()}, Vec3(extent(), extent(), extent())};
      case 4: {
        const Vec3 a = vector(), b = vector();
        return Box{Vec3(std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)), Vec3(std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z))};
      }
      case 5:
        return HalfSpace{vector(), direction()};
      case 6:
        return Line{vector(), direction()};
      case 7:
        return Ellipsoid{vector(), Vec3(extent(), extent(), extent())};
      default: {
        MeshData d;
        for (std::uint32_t i = 0; i < 12; ++i) {
          for (int k = 0; k < 3; ++k) d.vertices.push_back(vector());
          d.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
        }
        return Mesh(std::move(d));
      }
    }
  };
  int ended = 0;
  for (int i = 0; i < 400; ++i) {
    range = std::array{20, 60, 150, 300, 600}[static_cast<std::size_t>(i % 5)];
    const AnyShape a = shape(), b = shape();
    const Screw s{vector(), direction(), i % 2 ? 6 * r.real(-1, 1) : number(), vector()};
    RigidSweepOptions o;
    o.tolerance = std::ldexp(1.0, r.below(range + 20) - range);
    std::optional<SweepHit> hit;
    const std::uint64_t before = decision_counts().big;
    try {
      hit = sweep(a, s, b, o);
    } catch (const Error&) {  // both unbounded
      continue;
    }
    // the decisions in the budget, those of the last step, and those at the start and the end: some twenty per triangle of both
    const std::uint64_t triangles = (a.get<Mesh>() ? 12u : 1u) * (b.get<Mesh>() ? 12u : 1u);
    EXPECT_LE(decision_counts().big - before, 100u + 40u * triangles) << i << ": " << type_name(a.kind()) << ", " << type_name(b.kind());
    if (!hit || !hit->budget_ended) continue;
    ++ended;
    o.budget *= 4;  // more work never leads to an earlier time
    const auto later = sweep(a, s, b, o);
    EXPECT_TRUE(!later || later->t >= hit->t) << i;
  }
  EXPECT_GT(ended, 20);
}

TEST(RigidSweep, CompoundsNameTheChild) {
  const Compound wheel({{AnyShape(Sphere{{1, 0, 0}, 0.1}), Pose{}}, {AnyShape(Sphere{{-1, 0, 0}, 0.1}), Pose{}}});
  const auto hit = sweep(wheel, Screw{{0, 0, 0}, {0, 0, 1}, kPi, {0, 0, 0}}, Box{{-0.1, -1.2, -0.1}, {0.1, -0.8, 0.1}});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->child_a, 1u);
  EXPECT_FALSE(hit->child_b);
  EXPECT_NEAR(hit->t, 0.5 - 2.0 / kPi / 2 * 0.2, 0.02);
}

}  // namespace
}  // namespace graze::rigid_test
