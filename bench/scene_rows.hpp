// What the rows of scenes share: contestants, conversions to Bullet's types, and a tube of any number of triangles.
#pragma once
#include <benchmark/benchmark.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <graze/graze.hpp>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace bench {

using namespace graze;

/// `frame(i)` runs item i of a cycle of `count` and returns its answer; each counts as `items`.
inline void contest(const std::string& name, std::size_t count, std::size_t items, const std::function<double(std::size_t)>& frame,
                    const std::vector<double>& truth) {
  const auto place = std::make_shared<std::size_t>(0);  // goes on from run to run: the same item again might find its answer stored
  auto* b = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    std::size_t &at = *place, wrong = 0;
    for (auto _ : state) {
      const double answer = frame(at);
      if (!truth.empty()) wrong += std::fabs(answer - truth[at]) > 1e-6 * (1 + std::fabs(truth[at]));
      at = at + 1 < count ? at + 1 : 0;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(items) * state.iterations());
    state.counters["wrong"] = static_cast<double>(wrong);
  });
  b->Unit(benchmark::kMicrosecond);
}

/// Runs an answer over the whole cycle once.
inline std::vector<double> all_of(std::size_t count, const std::function<double(std::size_t)>& frame) {
  std::vector<double> answers(count);
  for (std::size_t i = 0; i < count; ++i) answers[i] = frame(i);
  return answers;
}

inline btScalar b(double x) { return static_cast<btScalar>(x); }
inline btVector3 bullet_vector(const Vec3& v) { return {b(v.x), b(v.y), b(v.z)}; }
inline btTransform bullet_transform(const Pose& pose) {
  const auto& r = pose.rotation;
  return btTransform(btMatrix3x3(b(r[0][0]), b(r[0][1]), b(r[0][2]), b(r[1][0]), b(r[1][1]), b(r[1][2]), b(r[2][0]), b(r[2][1]), b(r[2][2])),
                     bullet_vector(pose.translation));
}

/// A closed tube round the z axis from -.5 to .5, with bumps: 2 * columns * (rows + 1) triangles.
inline MeshData tube(std::uint32_t rows, std::uint32_t columns) {
  MeshData mesh;
  for (std::uint32_t i = 0; i <= rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      const double z = static_cast<double>(i) / rows, turn = 2 * std::numbers::pi * j / columns;
      const double r = .14 * std::sqrt(std::max(0.02, 1 - std::pow(std::fabs(2 * z - 1), 6))) * (1 + .08 * std::sin(5 * turn) * std::sin(17 * z));
      mesh.vertices.emplace_back(r * std::cos(turn), r * std::sin(turn), z - .5);
    }
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      const std::uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns, c = a + columns, d = b + columns;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  for (const std::uint32_t end : {0u, rows}) {
    const auto centre = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.emplace_back(0, 0, end == 0 ? -.5 : .5);
    for (std::uint32_t j = 0; j < columns; ++j) {
      const std::uint32_t a = end * columns + j, b = end * columns + (j + 1) % columns;
      mesh.triangles.push_back(end == 0 ? TriangleIndices{centre, b, a} : TriangleIndices{centre, a, b});
    }
  }
  return mesh;
}

/// The rows of robots: a chain of meshes, and one of balls among obstacles.
void register_robots(bool quick);
void register_balls(bool quick);

}  // namespace bench
