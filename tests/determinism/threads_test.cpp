// The same bits for any number of threads: pairs, self-intersections, distances and batches of rays; and for any CPU level, with proof that its kernels ran.
#include <gtest/gtest.h>
#include <graze/threads.hpp>

#include <atomic>
#include <bit>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "bvh/box_kernels.hpp"
#include "oracle/models.hpp"
#include "platform/cpu.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

struct Bits {
  std::string all;
  template <class T>
  void add(const T& x) {
    all.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const std::optional<std::uint32_t>& i) { add(i.value_or(0xFFFFFFFFu)); }
  void add(const Closest& c) { add(c.distance), add(c.on_a), add(c.on_b), add(c.triangle_a), add(c.triangle_b); }
};

std::string answers(const MeshData& da, const MeshData& db) {
  Bits out;
  const Mesh a(da), b(db);
  const Box box = bounding_box(a);
  const Vec3 size = box.max - box.min;
  Random r(91);
  std::vector<Pose> poses{Pose{}, translation(0.125 * size), Pose::from_quaternion(1, 0.2, 0.3, -0.4, 0.3 * size), translation(Vec3(3.0 * size.x, 0, 0))};
  for (const Pose& p : poses) {
    for (const TrianglePair& pair : intersecting_triangles(a, at(b, p))) out.add(pair.a), out.add(pair.b);
    out.add(closest(a, at(b, p)));
    out.add(static_cast<std::uint8_t>(intersects(a, at(b, p))));
    out.add(static_cast<std::uint8_t>(within(at(b, p), a, 0.5 * size.x)));
  }
  for (const TrianglePair& pair : self_intersections(at(b, poses[2]))) out.add(pair.a), out.add(pair.b);
  std::vector<Vec3> points;
  std::vector<Ray> rays;
  for (int i = 0; i < 4000; ++i) {
    const auto& t = da.triangles[r.below(da.triangles.size())];
    points.push_back(box.min + Vec3(r.real(-0.5, 1.5) * size.x, r.real(-0.5, 1.5) * size.y, r.real(-0.5, 1.5) * size.z));
    const Vec3 d = da.vertices[t[0]] - points.back();
    rays.push_back({points.back(), d == Vec3(0, 0, 0) ? Vec3(1, 0, 0) : d});
  }
  for (const Closest& c : closest(std::span<const Vec3>(points), a)) out.add(c);
  for (const auto& h : raycast(RaySpan{rays, 2}, a)) {
    out.add(static_cast<std::uint8_t>(h.has_value()));
    if (h) out.add(h->t), out.add(h->point), out.add(h->triangle), out.add(h->normal.value_or(Vec3(0, 0, 0)));
  }
  return out.all;
}

std::vector<std::pair<MeshData, MeshData>> models() {
  std::vector<std::pair<MeshData, MeshData>> all{{square_torus(12, 6), square_torus(8, 8)}, {grid_plane(60, 3), square_torus(12, 6)}};
  Random r(92);
  all.emplace_back(lattice(r, 300, 6), lattice(r, 300, 6));
  const auto cow = shared_model("cow.obj"), teapot = shared_model("teapot.obj");
  if (cow && teapot) all.emplace_back(*cow, *teapot);
  return all;
}

TEST(Determinism, SameBitsForAnyNumberOfThreads) {
  for (const auto& [a, b] : models()) {
    set_threads(1);
    const std::string truth = answers(a, b);
    for (const int n : {2, 7, 0}) {
      set_threads(n);
      EXPECT_TRUE(answers(a, b) == truth) << n << " threads";
    }
  }
  set_threads(0);
}

// A long search for the nearest pair is shared by threads that split it as they come; short ones are not.
TEST(Determinism, OneDistanceByAnyNumberOfThreads) {
  const Mesh torus(square_torus(96, 24)), small(square_torus(48, 12)), plane(grid_plane(20, 0));
  const Box box = bounding_box(torus);
  const Vec3 size = box.max - box.min;
  Random r(93);
  std::string truth;
  for (const int n : {1, 2, 5, 2}) {
    set_threads(n);
    r = Random(93);
    Bits out;
    std::size_t apart = 0, touching = 0;
    const auto add = [&](const ShapeRef& a, const ShapeRef& b) {
      const Closest c = closest(a, b);
      out.add(c);
      ++(c.distance > 0 ? apart : touching);
      if (!(c.distance > 0)) return;
      for (const double d : {std::nextafter(c.distance, 0.), c.distance, c.distance * 1.01}) out.add(static_cast<std::uint8_t>(within(a, b, d)));
    };
    for (int round = 0; round < 20; ++round) {
      const Vec3 shift(r.real(-1.2, 1.2) * size.x, r.real(-1.2, 1.2) * size.y, (round % 3 == 0 ? .01 : r.real(0, 2)) * size.z + .5 * size.z);
      const Pose pose = round % 4 == 0 ? translation(shift) : Pose::from_quaternion(r.real(-1, 1), r.real(-1, 1), r.real(-1, 1), r.real(.1, 1), shift);
      const Compound both({{small, pose}, {torus, translation(3.0 * shift)}});
      add(torus, at(small, pose));
      add(at(torus, pose), torus);
      add(both, torus);
    }
    // Faces that are parallel: very many pairs at the same distance, of which the lowest counts; then exact contact, and a mesh against itself.
    for (const double z : {box.max.z + 1, box.max.z + .125, box.max.z, 0.0}) add(torus, at(plane, translation(Vec3(.5, .25, z))));
    add(torus, at(torus, translation(Vec3(0, 0, 1.25 * size.z))));
    add(torus, torus);
    if (truth.empty()) truth = out.all;
    EXPECT_TRUE(out.all == truth) << n << " threads";
    EXPECT_GT(apart, 20u);
    EXPECT_GT(touching, 5u);
  }
  set_threads(0);
}

// Distances asked for by several threads at once: one of them has the helpers, the others search alone.
TEST(Determinism, DistancesOfSeveralCallersAtOnce) {
  const Mesh torus(square_torus(96, 24));
  const Vec3 size = bounding_box(torus).max - bounding_box(torus).min;
  const Pose pose = Pose::from_quaternion(1, .3, -.2, .5, 1.4 * size);
  set_threads(1);
  const double truth = closest(torus, at(torus, pose)).distance;
  set_threads(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 100; ++k) wrong += closest(torus, at(torus, pose)).distance != truth;
    });
  }
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(wrong, 0);
  const std::vector<ShapeRef> many(200, torus);
  const Placed placed = at(torus, pose);
  for (const Closest& c : closest(many, std::vector<ShapeRef>(200, placed))) EXPECT_EQ(c.distance, truth);
  set_threads(0);
}

TEST(Determinism, SameBitsAtEveryCpuLevelAndKernelsRun) {
  const CpuLevel best = current_cpu_level();
  set_threads(1);
  for (const auto& [a, b] : models()) {
    force_cpu_level(CpuLevel::scalar);
    const std::string truth = answers(a, b);
    for (int level = 0; level < kCpuLevels; ++level) {
      const CpuLevel got = force_cpu_level(static_cast<CpuLevel>(level));
      if (static_cast<int>(got) != level) continue;  // not on this machine
      EXPECT_STREQ(cpu_level(), name(got));
      const KernelCounts before = kernel_counts;
      EXPECT_TRUE(answers(a, b) == truth) << name(got);
      const auto i = static_cast<std::size_t>(level);
      EXPECT_GT(kernel_counts.ray[i], before.ray[i]) << name(got);
      EXPECT_GT(kernel_counts.distance[i], before.distance[i]) << name(got);
      EXPECT_GT(kernel_counts.overlap[i] + kernel_counts.oriented_overlap[i], before.overlap[i] + before.oriented_overlap[i]) << name(got);
      for (std::size_t other = 0; other < static_cast<std::size_t>(kCpuLevels); ++other) {
        if (other == i) continue;
        EXPECT_EQ(kernel_counts.ray[other], before.ray[other]) << name(got) << " entered another level's kernel";
      }
    }
  }
  force_cpu_level(best);
  set_threads(0);
}

}  // namespace
}  // namespace graze::test
