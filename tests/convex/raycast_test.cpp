// First contacts of rays with convex shapes: against the exact cases, and against rationals and perfect squares.
#include "convex/raycast.hpp"

#include <gtest/gtest.h>

#include "convex/decide.hpp"
#include "exact/double_parts.hpp"
#include "query/forms.hpp"
#include "support/rational_oracle.hpp"
#include "support/shared_cases.hpp"

namespace graze {
namespace {

using nlohmann::json;
using test::Hostile;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 vec(const json& j) { return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()}; }

struct Target {
  Core core;
  std::vector<Vec3> points;  ///< of hulls
};

Target target_of(const json& j) {
  const std::string type = j.at("type");
  Target r;
  if (type == "sphere") r.core = core_of(Sphere{vec(j["center"]), j["radius"]}, nullptr);
  else if (type == "plane") r.core = core_of(Plane{vec(j["point"]), vec(j["normal"])}, nullptr);
  else if (type == "box") r.core = core_of(Box{vec(j["min"]), vec(j["max"])}, nullptr);
  else if (type == "capsule") r.core = core_of(Capsule{vec(j["a"]), vec(j["b"]), j["radius"]}, nullptr);
  else if (type == "obb") r.core = core_of(OrientedBox{vec(j["center"]), {vec(j["axes"][0]), vec(j["axes"][1]), vec(j["axes"][2])}, {j["half"][0].get<double>(), j["half"][1].get<double>(), j["half"][2].get<double>()}}, nullptr);
  else if (type == "triangle" || type == "convex" || type == "tetrahedron") {
    for (const json& p : j["points"]) r.points.push_back(vec(p));
    r.core.points = static_cast<std::uint32_t>(r.points.size());
    r.core.outside = r.points.data();  // stays where it is when the vector is moved
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

TEST_P(Cases, AgreeWithTheTruth) {
  std::size_t wrong = 0;
  const std::size_t n = test::for_each_case(std::string("oracle/raycast/ray-") + GetParam() + ".jsonl.gz", [&](const json& j) {
    const RayQuery ray = ray_of(j);
    const Target target = target_of(j["b"]);
    const auto hit = raycast(ray, target.core);
    const bool right = hit.has_value() == j["hit"].get<bool>() && (!hit || !j.contains("t") || hit->t == j["t"].get<double>());
    if (!right && ++wrong < 10) ADD_FAILURE() << (hit ? "hit " + std::to_string(hit->t) : "miss") << " for " << j.dump();
    if (!hit || hit->started_inside) return;
    const Vec3 d = ray.to_point ? ray.direction - ray.origin : ray.direction;
    const double length = std::sqrt(hit->normal.x * hit->normal.x + hit->normal.y * hit->normal.y + hit->normal.z * hit->normal.z);
    EXPECT_NEAR(length, 1, 1e-14);
    EXPECT_LE((hit->normal.x * (d.x / 1e3) + hit->normal.y * (d.y / 1e3)) + hit->normal.z * (d.z / 1e3), 1e-16 * std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)})) << j.dump();
  });
  EXPECT_EQ(wrong, 0u);
  if (n == 0) GTEST_SKIP() << "no cases";
}

INSTANTIATE_TEST_SUITE_P(Shapes, Cases, testing::Values("sphere", "plane", "box", "capsule", "obb", "triangle", "convex", "tetrahedron"), [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace graze
