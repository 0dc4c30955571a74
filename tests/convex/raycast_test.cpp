// First contacts of rays with convex shapes: against exact cases, and against rationals and perfect squares.
#include "convex/time/raycast.hpp"

#include <gtest/gtest.h>

#include "convex/decide/decide.hpp"
#include "convex/time/raycast_fast.hpp"
#include "exact/double_parts.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"
#include "support/rational_oracle.hpp"
#include "support/rounds.hpp"
#include "support/shared_cases.hpp"

namespace graze::raycast_test {
namespace {

using nlohmann::json;
using test::Random;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 vec(const json& j) { return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()}; }

struct Target {
  ConvexSet convex;
  std::vector<Vec3> points;  ///< of hulls
};

Target target_of(const json& j) {
  const std::string type = j.at("type");
  Target r;
  if (type == "sphere")
    r.convex = convex_set_of(Sphere{vec(j["center"]), j["radius"]}, nullptr);
  else if (type == "plane")
    r.convex = convex_set_of(Plane{vec(j["point"]), vec(j["normal"])}, nullptr);
  else if (type == "box")
    r.convex = convex_set_of(Box{vec(j["min"]), vec(j["max"])}, nullptr);
  else if (type == "capsule")
    r.convex = convex_set_of(Capsule{vec(j["a"]), vec(j["b"]), j["radius"]}, nullptr);
  else if (type == "obb")
    r.convex = convex_set_of(OrientedBox{vec(j["center"]),
                                         {vec(j["axes"][0]), vec(j["axes"][1]), vec(j["axes"][2])},
                                         {j["half"][0].get<double>(), j["half"][1].get<double>(), j["half"][2].get<double>()}},
                             nullptr);
  else if (type == "triangle" || type == "convex" || type == "tetrahedron") {
    for (const json& p : j["points"]) r.points.push_back(vec(p));
    r.convex.points = static_cast<std::uint32_t>(r.points.size());
    r.convex.outside = r.points.data();  // the pointer stays valid when the vector is moved
  }
  return r;
}

RayQuery ray_of(const json& j) {
  RayQuery r;
  const json& ray = j["ray"];
  if (ray.value("type", "") == "segment") {
    r = {vec(ray["a"]), vec(ray["b"]), true, 0, 1};
  } else {
    r = {vec(ray["origin"]), vec(ray["direction"])};
    if (ray.contains("t_max") && !ray["t_max"].is_null()) r.t_max = ray["t_max"];
  }
  return r;
}

class Cases : public testing::TestWithParam<const char*> {};

TEST_P(Cases, MatchTheKnownAnswers) {
  std::size_t wrong = 0;
  const std::size_t n = test::for_each_case(std::string("oracle/raycast/ray-") + GetParam() + ".jsonl.gz", [&](const json& j) {
    const RayQuery ray = ray_of(j);
    const Target target = target_of(j["b"]);
    const auto hit = raycast(ray, target.convex);
    const bool right = hit.has_value() == j["hit"].get<bool>() && (!hit || !j.contains("t") || hit->t == j["t"].get<double>());
    if (!right && ++wrong < 10) ADD_FAILURE() << (hit ? "hit " + std::to_string(hit->t) : "miss") << " for " << j.dump();
    if (!hit || hit->started_inside) return;
    const Vec3 d = ray.to_point ? ray.direction - ray.origin : ray.direction;
    const double length = std::sqrt(hit->normal.x * hit->normal.x + hit->normal.y * hit->normal.y + hit->normal.z * hit->normal.z);
    EXPECT_NEAR(length, 1, 1e-14);
    EXPECT_LE((hit->normal.x * (d.x / 1e3) + hit->normal.y * (d.y / 1e3)) + hit->normal.z * (d.z / 1e3),
              1e-16 * std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)}))
        << j.dump();
  });
  EXPECT_EQ(wrong, 0u);
  if (n == 0) GTEST_SKIP() << "no cases";
}

INSTANTIATE_TEST_SUITE_P(Shapes, Cases, testing::Values("sphere", "plane", "box", "capsule", "obb", "triangle", "convex", "tetrahedron"),
                         [](const auto& info) { return std::string(info.param); });

/// The general method, without closed forms.
std::optional<ConvexHit> general(const RayQuery& ray, const ConvexSet& target) {
  ConvexSet point;
  point.add_point(ray.origin);
  Motion motion{ray.direction};
  if (ray.to_point) motion.from = &ray.origin;
  return first_contact(point, motion, ray.t_max, target, ray.t_min == -kInfinity);
}

/// Random targets with closed forms; on the grid, rays hit corners and edges and graze.
ConvexSet random_target(Random& random, int kind, bool grid) {
  const auto p = [&] { return grid ? random.grid(-3, 3) : random.point(-1, 1); };
  const auto x = [&] { return grid ? random.below(4) : random.unit(); };
  switch (kind) {
    case 0:
      return convex_set_of(Sphere{p(), x()}, nullptr);
    case 1: {
      const Vec3 a = p(), b = p();
      Box box;
      for (int i = 0; i < 3; ++i) box.min[i] = std::min(a[i], b[i]), box.max[i] = std::max(a[i], b[i]);
      return convex_set_of(box, nullptr);
    }
    case 2:
      return convex_set_of(OrientedBox{p(), {p(), p(), p()}, {x(), x(), x()}}, nullptr);
    case 3:
      return convex_set_of(Capsule{p(), p(), x()}, nullptr);
    default: {
      Vec3 n = p();
      if (n == Vec3(0, 0, 0)) n.z = 1;
      return kind == 4 ? convex_set_of(Plane{p(), n}, nullptr) : convex_set_of(HalfSpace{p(), n}, nullptr);
    }
  }
}

/// Compares raycast_in_doubles with the general method, and counts.
struct AgainstGeneral {
  int all = 0, sure = 0, hits = 0;

  /// Stores both hits and returns true where both hit.
  bool operator()(const RayQuery& ray, const ConvexSet& target, ConvexHit& fast, ConvexHit& right) {
    const Certain result = raycast_in_doubles(ray, target, fast);
    ++all;
    if (result == Certain::unknown) return false;
    ++sure;
    const auto truth = general(ray, target);
    EXPECT_EQ(result == Certain::yes, truth.has_value());
    if (!truth || result == Certain::no) return false;
    ++hits;
    EXPECT_EQ(fast.t, truth->t);
    EXPECT_EQ(fast.started_inside, truth->started_inside);
    right = *truth;
    return true;
  }
};

TEST(Raycast, ClosedFormsAgreeWithTheGeneralMethod) {
  Random random(31);
  AgainstGeneral against;
  for (int k = 0; k < test::rounds(6000); ++k) {
    const bool grid = k % 3 != 0;
    const ConvexSet target = random_target(random, k % 6, grid);
    RayQuery ray{grid ? random.grid(-4, 4) : random.point(-1, 1) * 3.0, grid ? random.grid(-2, 2) : random.point(-1, 1)};
    if (ray.direction == Vec3(0, 0, 0)) continue;
    if (k % 7 == 0) ray.to_point = true;
    if (k % 11 == 0) ray.t_min = -kInfinity;
    if (k % 5 == 0) ray.t_max = grid ? random.below(4) : random.unit() * 4;
    ConvexHit fast, right;
    const bool both = against(ray, target, fast, right);
    ASSERT_FALSE(HasFailure()) << k;
    if (!both || fast.started_inside || grid) continue;
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(fast.normal[i], right.normal[i], 1e-9) << k;
  }
  EXPECT_GT(against.sure, against.all * 3 / 4);
  EXPECT_GT(against.hits, against.all / 6);
}

TEST(Raycast, HullsAgainstRationals) {
  Random random(32);
  int hits = 0;
  for (int k = 0; k < 1500; ++k) {
    std::vector<Vec3> points(static_cast<std::size_t>(3 + random.below(5)));
    for (Vec3& p : points) p = random.grid(-2, 2);
    ConvexSet target;
    target.outside = points.data();
    target.points = static_cast<std::uint32_t>(points.size());
    const RayQuery ray{random.grid(-4, 4), random.grid(-2, 2), false, k % 5 ? 0 : -kInfinity};
    if (ray.direction == Vec3(0, 0, 0)) continue;
    std::vector<std::vector<test::Q>> columns{{test::Q(ray.direction.x), test::Q(ray.direction.y), test::Q(ray.direction.z), test::Q(0)}};
    if (ray.t_min != 0) columns.push_back({-columns[0][0], -columns[0][1], -columns[0][2], test::Q(0)});
    const std::size_t first = columns.size();
    for (const Vec3& p : points) columns.push_back({test::Q(-p.x), test::Q(-p.y), test::Q(-p.z), test::Q(1)});
    std::optional<test::Q> best;
    for (const auto& x : test::basic_solutions(columns, {test::Q(-ray.origin.x), test::Q(-ray.origin.y), test::Q(-ray.origin.z), test::Q(1)})) {
      const test::Q t = first == 2 ? test::Q(x[0] - x[1]) : x[0];
      if (!best || t < *best) best = t;
    }
    const auto hit = raycast(ray, target);
    ASSERT_EQ(hit.has_value(), best.has_value()) << k;
    if (!hit) continue;
    ++hits;
    ASSERT_LE(test::Q(hit->t), *best) << k;
    ASSERT_GT(test::Q(next_up(hit->t)), *best) << k;
  }
  EXPECT_GT(hits, 100);
}

/// A hull as the general method and the fast one take it.
ConvexSet hull_of(const std::vector<Vec3>& points) {
  ConvexSet c;
  c.outside = points.data();
  c.points = static_cast<std::uint32_t>(points.size());
  return c;
}

// Random, flat, repeated and far points, of ordinary, huge, tiny and mixed sizes.
TEST(Raycast, HullsAgreeWithTheGeneralMethod) {
  Random random(33);
  AgainstGeneral against;
  for (int k = 0; k < test::rounds(4000); ++k) {
    const double size = k % 10 == 0 ? 0x1p300 : k % 10 == 1 ? 0x1p-300 : 1;
    const Vec3 far = k % 4 == 0 ? random.grid(-4, 4) * (size * 0x1p30) : Vec3(0, 0, 0);
    const auto point = [&] {
      Vec3 p = k % 3 == 0 ? random.grid(-2, 2) : random.point(-1, 1);
      if (k % 13 == 0) p.z = 1;
      if (k % 17 == 0) p.x *= 0x1p-40;
      if (k % 6 == 1 && random.below(4) != 0) p.z = .3 * p.x + .7 * p.y;  // almost in one plane
      return p * size + far;
    };
    std::vector<Vec3> points(static_cast<std::size_t>(3 + random.below(10)));
    for (Vec3& p : points) p = random.below(8) == 0 ? points[0] : point();
    RayQuery ray{point() + (point() - far), point() - far};
    if (ray.direction == Vec3(0, 0, 0)) continue;
    if (k % 7 == 0) ray.to_point = true;
    if (k % 11 == 0) ray.t_min = -kInfinity;
    if (k % 5 == 0) ray.t_max = random.unit() * 4;
    const ConvexSet target = hull_of(points);
    ConvexHit fast, right;
    against(ray, target, fast, right);
    ASSERT_FALSE(HasFailure()) << k;
  }
  EXPECT_GT(against.sure, against.all * 3 / 4);
  EXPECT_GT(against.hits, against.all / 10);
}

// Faces of many corners that lie in one plane up to rounding, seen at a small angle: a wrong facet shows in the time.
TEST(Raycast, FacesAlmostInOnePlane) {
  Random random(37);
  int sure = 0, hits = 0;
  const int all = test::rounds(1500);
  for (int k = 0; k < all; ++k) {
    const auto in_plane = [&] {
      const double x = random.real(-1, 1), y = random.real(-1, 1);
      return Vec3(x, y, .3 * x + .7 * y);
    };
    std::vector<Vec3> points;
    for (int i = 0; i < 4 + random.below(5); ++i) points.push_back(in_plane());
    points.emplace_back(0, 0, -4);
    const Vec3 aim = (points[0] + points[1] + points[2]) / 3., direction = in_plane() - Vec3(-.3, -.7, 1) * 0x1p-8;
    const RayQuery ray{aim - direction * 2., direction};
    const ConvexSet target = hull_of(points);
    ConvexHit fast;
    const Certain result = raycast_in_doubles(ray, target, fast);
    if (result == Certain::unknown) continue;
    ++sure;
    const auto right = general(ray, target);
    ASSERT_EQ(result == Certain::yes, right.has_value()) << k;
    if (!right) continue;
    ++hits;
    ASSERT_EQ(fast.t, right->t) << k;
  }
  EXPECT_GT(sure, all / 4);
  EXPECT_GT(hits, all / 8);
}

// Rays through a corner that touch nothing else: rounded coordinates lie on either side of the line.
TEST(Raycast, CornersAreNeverMissed) {
  Random random(34);
  const auto wide = [&](int k) { return Vec3(random.below(k) - k / 2, random.below(k) - k / 2, random.below(k) - k / 2); };
  for (int k = 0; k < test::rounds(4000); ++k) {
    const Vec3 direction = wide(1 << 20);
    if (direction == Vec3(0, 0, 0)) continue;
    const Vec3 corner = wide(1 << 30), origin = corner - direction * static_cast<double>(1 + random.below(1000));
    // All other points lie on one side of a plane through the line.
    const Vec3 other = wide(1 << 10);
    const Vec3 up(direction.y * other.z - direction.z * other.y, direction.z * other.x - direction.x * other.z, direction.x * other.y - direction.y * other.x);
    std::vector<Vec3> points{corner};
    while (points.size() < 8) {
      const Vec3 d = wide(1 << (k % 2 == 0 ? 10 : 25));
      const double side = (d.x * up.x + d.y * up.y) + d.z * up.z;
      if (std::fabs(side) > 0x1p20) points.push_back(side > 0 ? corner + d : corner - d);
    }
    // A parallelepiped with this corner.
    const Vec3 a = wide(1 << 10), b = wide(1 << 10), c = wide(1 << 10), to = a * (k % 2 == 0 ? 1. : -1.) + b + c * (k % 4 < 2 ? 1. : -1.);
    const ConvexSet skew = convex_set_of(OrientedBox{corner - to, {a, b, c}, Vec3(1, 1, 1)}, nullptr);
    for (const ConvexSet& target : {hull_of(points), skew}) {
      ConvexHit hit;
      const RayQuery ray{origin, direction};
      ASSERT_NE(raycast_in_doubles(ray, target, hit), Certain::no) << k;
      ASSERT_TRUE(raycast(ray, target)) << k;
    }
  }
}

// Segments that end on a face of a box, in a point that is the multiple of an axis: T is exactly 1, although no product is a double.
TEST(Raycast, TimesThatAreDoubles) {
  Random random(36);
  for (int k = 0; k < test::rounds(1000); ++k) {
    const Vec3 across = random.point(-1, 1), along = random.point(-1, 1), other = random.point(-1, 1);
    ConvexSet box = convex_point(Vec3(0, 0, 0));
    box.add_segment(across, 0, 1).add_segment(along, -1, 1).add_segment(other, -1, 1);
    const Vec3 end = along * .5, origin = along * random.real(-1, 1) + other * random.real(-1, 1) - across * std::ldexp(1.0, -random.below(12));
    ConvexHit hit;
    const RayQuery ray{origin, end, true, 0, 1};
    ASSERT_NE(raycast_in_doubles(ray, box, hit), Certain::no) << k;
    const auto slow = raycast(ray, box);
    ASSERT_TRUE(slow) << k;
    ASSERT_EQ(slow->t, 1) << k;
    // A ball whose surface lies at the origin, and a ray along the axis through its centre.
    const double radius = random.unit(), speed = std::ldexp(1 + random.below(1 << 30), -30), time = std::ldexp(1 + random.below(1 << 20), -30);
    const ConvexSet ball = convex_set_of(Sphere{{radius, 0, 0}, radius}, nullptr);
    const auto first = raycast({{-speed * time, 0, 0}, {speed, 0, 0}}, ball);
    ASSERT_TRUE(first) << k;
    ASSERT_EQ(first->t, time) << k;
  }
}

// Rays nearly in a face of a box. The face is reached at N . x / N . d, where N is the product of its axes and x leads from the origin to its plane. Here
// N . x = N . d -+ 1 and N . d is about 2^93, so the time is just below or above 1; pairs of doubles err by 2^-70 of it.
TEST(Raycast, TimesNextToADouble) {
  struct Row {
    std::array<Vec3, 3> axes;
    Vec3 origin, direction;
    double t;
  };
  const double below = std::nextafter(1.0, 0.0);
  const Row rows[] = {
      {{{{3854182504831, -60694564608, -4169342377127}, {4169342377127, 168457930691, 3851730204244}, {60618951212, -4169342377127, 116731339737}}},
       {-30374891215026, 4129901529463, 14216840056854},
       {31270300517856, 23731555839, -15391135256373},
       below},
      {{{{3430035840587, -2073925034906, -4304109542998}, {236052639837, 4304109542998, -1885809698431}, {4304109542998, 1045966992605, 2926039111420}}},
       {-25088888900200, 23494273272786, 38137631905089},
       {28821328386823, -23047980225224, -34156319921246},
       1.0},
      {{{{-1834226803821, -3254452146692, 903368436329}, {1753561155670, -1891684972843, -3254452146692}, {3254452146692, -1160269805141, 2427980337731}}},
       {3726578884413, 24251880827975, -750426557276},
       {-8094021064494, -23922448889084, -582743961395},
       below},
      {{{{1175472272632, -1278585259466, -3020226269823}, {-3020226269823, 787477757821, -1508843802894}, {1194063537118, 3020226269823, -813855648421}}},
       {-14250102809920, 12136176892564, 10356328726129},
       {14817702681009, -9352073847087, -12965567854231},
       1.0},
      {{{{3617437102093, 3022157888665, -3418168495716}, {2555257733269, 1032879658465, 3617437102093}, {2397741024828, -3617437102093, -660818427543}}},
       {-19866193248229, -24974244604332, 35466744397615},
       {24555141093372, 22956803038691, -36572711772355},
       below},
      {{{{3243425388567, -1772219480616, 787785675223}, {-117002497219, 1227633040693, 3243425388567}, {-2052412602467, -3243425388567, 1153594833846}}},
       {-30403085657034, 12964187248241, -3717349612737},
       {28912173491841, -16122110979227, 6110330042606},
       1.0},
      {{{{722731479361, 2703553410967, -1817192672265}, {229212903594, 1755917988277, 2703553410967}, {2703553410967, -610348451713, 167199396283}}},
       {-8324112344666, -20677703785736, 13004807211078},
       {5425234862729, 20290761871295, -13654218710804},
       below},
      {{{{-1473258802164, 3997986863685, -1376895075319}, {811926216527, -1077700133967, -3997986863685}, {-3997986863685, -1603977137814, -379557017918}}},
       {18264672164463, -33731453140179, -571019793308},
       {-13912938291874, 34565255643785, 479149908745},
       1.0},
  };
  for (const Row& row : rows) {
    const auto hit = raycast({row.origin, row.direction}, convex_set_of(OrientedBox{Vec3(0), row.axes, {4, 4, 1}}, nullptr));
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->t, row.t);
  }
}

// Rays at the tangent of balls and capsules, in planes where all numbers are integers: 3, 4, 5.
TEST(Raycast, TangentsAreNeverMissed) {
  Random random(35);
  for (int k = 0; k < test::rounds(1000); ++k) {
    const double scale = k % 3 == 0 ? 0x1p-40 : k % 3 == 1 ? 1 : 0x1p40, n = static_cast<double>(1 + random.below(1 << 20));
    const Vec3 center = random.grid(-(1 << 20), 1 << 20), at = center + Vec3(3 * n, 4 * n, 0), along(-4, 3, 0);
    const Vec3 origin = at - along * static_cast<double>(1 + random.below(1 << 20));
    const Vec3 end = center + Vec3(-3, -4, 5) * static_cast<double>(random.below(100));  // away from the line, whose tangent plane the capsule keeps
    const ConvexSet ball = convex_set_of(Sphere{center * scale, 5 * n * scale}, nullptr);
    const ConvexSet capsule = k % 2 == 0 ? convex_set_of(Capsule{center * scale, end * scale, 5 * n * scale}, nullptr)
                                         : convex_set_of(Capsule{end * scale, center * scale, 5 * n * scale}, nullptr);
    for (const ConvexSet& target : {ball, capsule}) {
      ConvexHit hit;
      const RayQuery ray{origin * scale, along * scale};
      ASSERT_NE(raycast_in_doubles(ray, target, hit), Certain::no) << k;
      ASSERT_TRUE(raycast(ray, target)) << k;
    }
  }
}

TEST(Raycast, SlidingAlongAndGrazing) {
  // along the side of a capsule: first contact at the start of the side, or at the cap's tangent point
  const ConvexSet side = convex_set_of(Capsule{{0, 0, 0}, {4, 0, 0}, 1}, nullptr);
  for (const double start : {-3.0, -.5, -3.1}) {
    const auto hit = raycast({{start, 1, 0}, {1, 0, 0}}, side);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->t, -start);
  }
  const auto third = raycast({{-1, 1, 0}, {3, 0, 0}}, side);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->t, 1.0 / 3);  // 1/3 rounded to nearest is below 1/3
  EXPECT_FALSE(raycast({{-1, next_up(1.0), 0}, {3, 0, 0}}, side));
  // along a face of a box: T is the start of the face
  const ConvexSet box = convex_set_of(Box{{0, 0, 0}, {1, 1, 1}}, nullptr);
  const auto slide = raycast({{-7, .5, 1}, {7, 0, 0}}, box);
  ASSERT_TRUE(slide);
  EXPECT_EQ(slide->t, 1);
  // a box that slides along a box (as a sweep)
  const ConvexSet mover = convex_set_of(Box{{-3, 0, 1}, {-2, 1, 2}}, nullptr);
  const auto sweep = first_contact(mover, {{3, 0, 0}}, 1, box);
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->t, 2.0 / 3);
}

TEST(Raycast, TimesAtTheEndsOfTheRange) {
  const ConvexSet ball = convex_set_of(Sphere{{0, 0, 0}, 1}, nullptr);
  EXPECT_EQ(raycast({{0, 0, 3}, {0, 0, -5e-324}}, ball)->t, std::numeric_limits<double>::max());
  EXPECT_EQ(raycast({{0, 0, next_up(1.0)}, {0, 0, -1e300}}, ball)->t, 0x1p-52 / 1e300);
  EXPECT_EQ(raycast({{0, 0, 3}, {0, 0, -1}, false, -kInfinity}, ball)->t, 2);
  EXPECT_EQ(raycast({{0, 0, -3}, {0, 0, -1}, false, -kInfinity}, ball)->t, -4);
  const auto inside = raycast({{0, 0, 1}, {0, 0, 1}}, ball);
  ASSERT_TRUE(inside && inside->started_inside);
  EXPECT_EQ(inside->t, 0);
}

}  // namespace
}  // namespace graze::raycast_test
