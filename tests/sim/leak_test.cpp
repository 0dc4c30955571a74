// No particle ever reaches the other side of a surface: particles in closed meshes, checked by exact winding numbers. Also checks energy, travel and bytes,
// with a naive integrator as the reference for paths and bounces. Small by default; GRAZE_FULL_TESTS=1 runs 100,000 particles over 1,000 steps on each mesh,
// 10,000 on one (minutes for each mesh: select single ones with --gtest_filter, or fewer particles with GRAZE_LEAK_PARTICLES).
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <graze/io.hpp>
#include <graze/query.hpp>
#include <graze/threads.hpp>
#include <graze/world.hpp>

#include "leak_scenes.hpp"
#include "plain_integrator.hpp"
#include "platform/parallel.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

namespace graze::leak_test {
namespace {

using test::Random;
using test_sim::PlainIntegrator;

bool full() { return std::getenv("GRAZE_FULL_TESTS") != nullptr; }
/// Number of particles of the full test: GRAZE_LEAK_PARTICLES, or 100,000.
std::size_t many() {
  const char* const said = std::getenv("GRAZE_LEAK_PARTICLES");
  return said ? std::strtoull(said, nullptr, 10) : 100000;
}
constexpr int kMostBounces = 2000;
constexpr double kStep = 1.0 / 64;

struct Start {
  Vec3 place, velocity;
};

/// Random starts in the bounds, off the surface, on either side of it, always with walls ahead and behind. Per step, one particle in a hundred flies 10 to 100
/// times the distance between those walls, the others .01 to 1 times. With `calm` it is one in a thousand, and .001 to .1 times.
std::vector<Start> starts(const Mesh& mesh, const Solid& inside, bool in_hall, std::size_t count, std::uint64_t seed, bool calm = false) {
  Random random(seed);
  const Box box = bounding_box(mesh);
  const Vec3 size = box.max - box.min;
  std::vector<Start> result;
  while (result.size() < count) {
    std::vector<Vec3> candidates;
    for (std::size_t i = 0; i < count; ++i) candidates.push_back(box.min + Vec3(random.unit() * size.x, random.unit() * size.y, random.unit() * size.z));
    const auto in = contains(inside, candidates);
    for (std::size_t i = 0; i < count && result.size() < count; ++i) {
      const bool hall = in_hall && i % 2 == 0;
      if (static_cast<bool>(in[i]) == hall || intersects(Point{candidates[i]}, mesh)) continue;
      const Vec3 d = random.direction();
      const auto ahead = raycast(Ray{candidates[i], d}, mesh), behind = raycast(Ray{candidates[i], -d}, mesh);
      if (!ahead || !behind) continue;
      const double distances = result.size() % (calm ? 1000 : 100) == 0 ? 100 * std::pow(.1, random.unit()) : (calm ? .1 : 1) * std::pow(.01, random.unit());
      result.push_back({candidates[i], d * ((ahead->t + behind->t) * distances / kStep)});
    }
  }
  return result;
}

World world_of(const Mesh& mesh, const std::vector<Start>& starts) {
  World world({Vec3(0, 0, 0), 1, kMostBounces, true});
  world.add_fixed(mesh);
  for (const Start& s : starts) world.add_moving(Point{}, translation(s.place), {.velocity = s.velocity});
  return world;
}

/// No gravity, no loss at bounces. `in_hall`: half of the particles start on the other side, in the hall of the building; the test checks only that they stay
/// on their side.
void leak_test(const std::string& name, const MeshData& data, bool in_hall, std::size_t count, int steps, bool calm = false) {
  const Mesh mesh(data);
  const Solid inside = solid(mesh);
  const std::vector<Start> start = starts(mesh, inside, in_hall, count, 1, calm);
  const auto sides = [&](const std::vector<Vec3>& places) { return contains(inside, places); };
  std::vector<Vec3> last;
  for (const Start& s : start) last.push_back(s.place);
  const auto side = sides(last);
  const Box box = bounding_box(mesh);
  const auto leaked = [&](const std::vector<Vec3>& places) {
    std::vector<bool> result(count);
    const auto now = sides(places);
    for (std::size_t i = 0; i < count; ++i) result[i] = now[i] != side[i] || !intersects(Point{places[i]}, box);
    return result;
  };

  const auto clock = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  World world = world_of(mesh, start);
  std::vector<double> path(count);
  std::vector<std::uint64_t> bounces(count);
  std::size_t outside = 0, still = 0;
  bool energy_grew = false;
  double energy = world.kinetic_energy(), stepping = 0;
  for (int step = 1; step <= steps; ++step) {
    const double before = clock();
    world.step(kStep);
    stepping += clock() - before;
    const double now = world.kinetic_energy();
    energy_grew = energy_grew || now > energy;
    energy = now;
    std::vector<Vec3> places(count), from = last;
    for (const ImpactEvent& e : world.impacts()) {
      const Vec3 d = e.point - from[e.b];
      path[e.b] += std::sqrt(test_sim::dot(d, d));
      ++bounces[e.b];
      from[e.b] = e.point;
    }
    for (BodyId i = 0; i < count; ++i) {
      places[i] = world.position(i);
      const Vec3 d = places[i] - from[i];
      path[i] += std::sqrt(test_sim::dot(d, d));
      still += places[i] == last[i];
    }
    last = places;
    if (step % (full() ? 100 : 10) == 0 || step == steps)
      for (const bool out : leaked(places)) outside += out;
  }

  const double plain_began = clock();
  const PlainIntegrator plain(data);
  const std::size_t every = full() ? 10 : 1;  // a sample of the particles that includes the fast ones
  std::vector<PlainIntegrator::Particle> particles(count);
  for (std::size_t i = 0; i < count; ++i) particles[i] = {start[i].place, start[i].velocity};
  std::vector<bool> lost(count);
  for (int done = 0; done < steps;) {
    const int now = std::min(full() ? 100 : 10, steps - done);
    parallel_for(count, std::size_t{250}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i += every)
        for (int k = 0; k < now; ++k) plain.step(particles[i], kStep, kMostBounces);
    });
    done += now;
    std::vector<Vec3> places;
    for (const auto& p : particles) places.push_back(p.place);
    const std::vector<bool> out = leaked(places);
    for (std::size_t i = 0; i < count; ++i) lost[i] = lost[i] || out[i] || particles[i].stuck;
  }
  double path_sum = 0, plain_path = 0;
  std::uint64_t all = 0, bounce_sum = 0, plain_bounces = 0, leaks = 0;
  for (std::size_t i = 0; i < count; ++i) {
    all += bounces[i];
    if (i % every != 0) continue;
    if (lost[i]) {
      ++leaks;
      continue;
    }
    path_sum += path[i];
    bounce_sum += bounces[i];
    plain_path += particles[i].path;
    plain_bounces += particles[i].bounces;
  }
  const double path_ratio = path_sum / plain_path, bounce_ratio = static_cast<double>(bounce_sum) / static_cast<double>(plain_bounces);
  if (full())
    std::printf(
        "%s: %zu particles, %d steps: %zu outside, %zu steps without travel, %llu bounces; steps took %.0f s (%.3g a second); plain: %llu of %zu leaked or "
        "stuck, %.0f s; path ratio %.6f, bounce ratio %.6f\n",
        name.c_str(), count, steps, outside, still, static_cast<unsigned long long>(all), stepping, static_cast<double>(count) * steps / stepping,
        static_cast<unsigned long long>(leaks), count / every, clock() - plain_began, path_ratio, bounce_ratio);
  std::fflush(stdout);
  EXPECT_EQ(outside, 0u);
  EXPECT_FALSE(energy_grew);
  EXPECT_LT(static_cast<double>(still), 1e-4 * static_cast<double>(count) * steps + 1) << still << " steps without travel";
  EXPECT_NEAR(path_ratio, 1, .01);
  EXPECT_NEAR(bounce_ratio, 1, full() && !calm ? .01 : .05);  // fewer bounces, so more scatter
}

struct Case {
  const char* name;
  double offset;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name << " at " << c.offset; }
class Leak : public testing::TestWithParam<Case> {
 protected:
  std::optional<MeshData> data() const {
    const std::string name = GetParam().name;
    const double far = GetParam().offset;
    MeshData d;
    if (name == "rock")
      d = test_sim::rock(4, .3);
    else if (name == "building")
      d = test_sim::building();
    else {
      const auto path = test::shared_data() / "meshes" / (name + ".obj");
      if (!std::filesystem::exists(path)) return std::nullopt;
      d = test_sim::capped(load_model(path.string()).data);
    }
    return test_sim::moved(std::move(d), Vec3(far, -far, far));
  }
};

TEST_P(Leak, NoParticleEscapes) {
  const auto mesh = data();
  if (!mesh) GTEST_SKIP() << "no shared meshes";
  const std::string name = std::string(GetParam().name) + (GetParam().offset != 0 ? " at 1e6" : "");
  leak_test(name, *mesh, name.starts_with("building"), full() ? many() : 2000, full() ? 1000 : 30);
}

/// Repeated runs, and runs with other numbers of threads, end with the same bytes.
TEST_P(Leak, SameBytes) {
  const auto data = this->data();
  if (!data) GTEST_SKIP() << "no shared meshes";
  const Mesh mesh(*data);
  const std::vector<Start> start = starts(mesh, solid(mesh), false, full() ? many() : 2000, 2);
  std::vector<std::uint8_t> bytes;
  for (const int threads : {0, 0, 1, 2, 5}) {
    set_threads(threads);
    World world = world_of(mesh, start);
    for (int step = 0; step < (full() ? 50 : 10); ++step) world.step(kStep);
    set_threads(0);
    const auto now = world.snapshot();
    if (bytes.empty()) bytes = now;
    EXPECT_TRUE(now == bytes) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, Leak,
                         testing::Values(Case{"rock", 0}, Case{"building", 0}, Case{"spot", 0}, Case{"nefertiti", 0}, Case{"stanford-bunny", 0},
                                         Case{"rock", 1e6}, Case{"building", 1e6}, Case{"spot", 1e6}, Case{"nefertiti", 1e6}, Case{"stanford-bunny", 1e6}),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::erase(name, '-');
                           return name + (info.param.offset != 0 ? "Far" : "");
                         });

TEST(LeakLong, TenThousandSteps) {
  if (!full()) GTEST_SKIP() << "only with GRAZE_FULL_TESTS=1";
  const auto path = test::shared_data() / "meshes" / "spot.obj";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared meshes";
  leak_test("spot, long", load_model(path.string()).data, false, many(), 10000, true);
}

TEST(LeakBodies, BallsAndCapsulesInTheBuilding) {
  const Mesh mesh(test_sim::building());
  const Solid inside = solid(mesh);
  Random random(5);
  World world({Vec3(0, 0, -9.81), 5, 50, false});
  world.add_fixed(mesh, {}, {.restitution = .9});
  while (world.bodies() < 60) {
    const Vec3 p = random.point(-.95, .95) * Vec3(1, 1, .4) + Vec3(0, 0, .4);
    const AnyShape shape = world.bodies() % 2 ? AnyShape(Sphere{Vec3(0, 0, 0), .01}) : AnyShape(Capsule{Vec3(0, 0, 0), Vec3(.02, 0, .01), .004});
    if (world.fixed().intersects(at(shape, translation(p))) || contains(inside, p)) continue;  // in the hall, between the walls
    world.add_moving(shape, translation(p), {.velocity = random.point(-50, 50), .material = {.restitution = .9}});
  }
  for (int step = 0; step < 60; ++step) {
    world.step(1.0 / 64);
    for (BodyId i = 0; i < world.bodies(); ++i) {
      const Vec3 p = world.position(i);
      ASSERT_FALSE(world.fixed().intersects(at(world.shape(i), world.pose(i))));
      ASSERT_FALSE(contains(inside, p));
      ASSERT_LT(std::max(std::abs(p.x), std::abs(p.y)), .999);
      ASSERT_LT(std::abs(p.z - .4), .4);
    }
  }
}

}  // namespace
}  // namespace graze::leak_test
