// The same bits for any number of threads: pairs, self-intersections, distances and batches of rays; and for any CPU level, with proof that its kernels ran.
#include <gtest/gtest.h>
#include <graze/threads.hpp>

#include <bit>
#include <string>

#include "bvh/box_kernels.hpp"
#include "oracle/models.hpp"
#include "platform/cpu.hpp"

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
  oracle::Random r(91);
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
    const auto& t = da.triangles[static_cast<std::size_t>(r.integer(0, static_cast<int>(da.triangles.size()) - 1))];
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
  oracle::Random r(92);
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
