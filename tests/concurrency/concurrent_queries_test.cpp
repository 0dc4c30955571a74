// Concurrent queries on shared shapes give the same answers as sequential ones. The build with the thread sanitizer runs this file.
#include <gtest/gtest.h>
#include <graze/graze.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <thread>
#include <vector>

namespace graze {
namespace {

/// An octahedron of many triangles, each face cut in four `depth` times.
Mesh round_mesh(int depth, const Vec3& center) {
  MeshData d;
  d.vertices = {{8, 0, 0}, {-8, 0, 0}, {0, 8, 0}, {0, -8, 0}, {0, 0, 8}, {0, 0, -8}};
  d.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int i = 0; i < depth; ++i) {
    std::vector<TriangleIndices> finer;
    for (const auto& t : d.triangles) {
      const auto n = static_cast<std::uint32_t>(d.vertices.size());
      for (int k = 0; k < 3; ++k) {
        const Vec3 a = d.vertices[t[k]], b = d.vertices[t[(k + 1) % 3]];
        d.vertices.push_back(Vec3((a.x + b.x) * 0.5, (a.y + b.y) * 0.5, (a.z + b.z) * 0.5));
      }
      finer.push_back({t[0], n, n + 2});
      finer.push_back({n, t[1], n + 1});
      finer.push_back({n + 2, n + 1, t[2]});
      finer.push_back({n, n + 1, n + 2});
    }
    d.triangles = finer;
  }
  for (Vec3& v : d.vertices) v = Vec3(v.x + center.x, v.y + center.y, v.z + center.z);
  return Mesh(std::move(d));
}

/// Combines the results of many queries in one number: touching pairs (the exact tiers) and distant pairs.
std::uint64_t questions(const Mesh& a, const Mesh& b, const Solid& solid_a, const Hull& hull, int seed) {
  std::uint64_t sum = 0;
  const auto add = [&](double x) { sum = sum * 1099511628211u + std::bit_cast<std::uint64_t>(x); };
  for (int i = 0; i < 6; ++i) {
    const double shift = (seed + i) % 9 - 4;
    const Pose pose = translation(Vec3(shift, 0, 16));  // tip on tip at shift 0
    add(intersects(a, at(b, pose)));
    add(static_cast<double>(intersecting_triangles(a, at(b, translation(Vec3(shift, 1, 0)))).size()));
    add(closest(at(a, pose), b).distance);
    add(closest(Sphere{Vec3(shift, 2, 9), 0.5}, a).distance);
    if (const auto hit = raycast(Ray{Vec3(shift, 0, 30), Vec3(0, 0, -1)}, a)) add(hit->t + *hit->triangle);
    add(contains(solid_a, Vec3(shift, 1, 1)));
    add(intersects(at(hull, pose), solid_a));
    add(intersects(hull, OrientedBox{Vec3(shift, 0, 0), {Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(0, 0, 1)}, Vec3(1, 2, 3)}));
  }
  add(static_cast<double>(self_intersections(a).size()));
  return sum;
}

TEST(ConcurrentQueries, GiveSequentialResultsOnSharedShapes) {
  const Mesh a = round_mesh(3, Vec3(0, 0, 0)), b = round_mesh(3, Vec3(0, 0, 0));
  const Solid solid_a = solid(a);
  const Hull hull{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {3, 3, 3}};
  constexpr int kThreads = 4, kRounds = 4;
  std::vector<std::uint64_t> alone;
  for (int i = 0; i < kThreads * kRounds; ++i) alone.push_back(questions(a, b, solid_a, hull, i));
  std::vector<std::uint64_t> together(alone.size());
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int r = 0; r < kRounds; ++r) together[static_cast<std::size_t>(t * kRounds + r)] = questions(a, b, solid_a, hull, t * kRounds + r);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(alone, together);
}

TEST(ConcurrentQueries, FirstQuestionsAboutAScene) {
  // The first query builds the index, on several threads, while the pieces of other queries wait for it. It must not wait for them.
  Scene scene;
  for (int i = 0; i < 300; ++i) scene.add(Box{Vec3(i, 0, 0), Vec3(i + 0.5, 1, 1)});
  std::vector<Ray> rays;
  for (int i = 0; i < 3000; ++i) rays.push_back({Vec3(0.1 * i, 0.5, 9), Vec3(0, 0, -1)});
  const auto is_hit = [](const auto& hit) { return hit.has_value(); };
  for (int round = 0; round < 100; ++round) {
    const Scene fresh = scene;
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
      threads.emplace_back([&, t] {
        ++ready;
        while (ready < 6) std::this_thread::yield();
        if (t % 2 == 0) {
          const auto hits = fresh.raycast(RaySpan{rays});
          EXPECT_EQ(std::count_if(hits.begin(), hits.end(), is_hit), 1800);
        } else {
          EXPECT_EQ(fresh.overlapping(Box{Vec3(0, 0, 0), Vec3(10, 1, 1)}).size(), 11u);
        }
      });
    for (std::thread& t : threads) t.join();
  }
}

/// The tiles of a field are made by whoever comes first.
TEST(ConcurrentQueries, FirstQuestionsAboutAField) {
  constexpr std::size_t kColumns = 130, kRows = 100;
  std::vector<double> heights(kColumns * kRows);
  for (std::size_t k = 0; k < heights.size(); ++k) heights[k] = static_cast<double>(k * k % 61) / 64 + (k % 401 == 0 ? 4 : 0);
  const auto answers = [](const HeightField& field, std::size_t first) {
    std::vector<double> found;
    for (std::size_t i = 0; i < 40; ++i) {
      const std::size_t k = (first + i) % 40;  // each thread begins elsewhere
      const Vec3 at(static_cast<double>(k * 31 % 129) + .25, static_cast<double>(k * 17 % 99) + .5, .5);
      const auto hit = raycast(Ray{at + Vec3(0, 0, 9), Vec3(.01, 0, -1)}, field);
      found.resize(120);
      found[3 * k] = hit ? hit->t + *hit->triangle : -1;
      found[3 * k + 1] = closest(Sphere{at + Vec3(0, 0, 3), 1}, field).distance;
      found[3 * k + 2] = static_cast<double>(triangles_within(Box{at - Vec3(2, 2, 2), at + Vec3(2, 2, 2)}, field, 0).size());
    }
    return found;
  };
  const std::vector<double> truth = answers(HeightField(Vec3(0, 0, 0), 1, 1, kColumns, heights), 0);
  for (int round = 0; round < 5; ++round) {
    const HeightField field(Vec3(0, 0, 0), 1, 1, kColumns, heights);
    std::vector<std::vector<double>> own(4);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < own.size(); ++k) threads.emplace_back([&, k] { own[k] = answers(field, 7 * k); });
    for (std::thread& t : threads) t.join();
    for (const std::vector<double>& o : own) EXPECT_EQ(o, truth);
    EXPECT_EQ(field.mesh().triangles().size(), 2 * (kColumns - 1) * (kRows - 1));
  }
}

TEST(ConcurrentQueries, BuildAndDestroyMeshes) {
  const Mesh shared = round_mesh(2, Vec3(0, 0, 0));
  const std::size_t pairs = intersecting_triangles(shared, round_mesh(2, Vec3(1, 0, 0))).size();
  EXPECT_GT(pairs, 0u);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int r = 0; r < 4; ++r) {
        const Mesh copy = shared, own = round_mesh(2, Vec3(1, 0, 0));
        if (intersecting_triangles(copy, own).size() != pairs) ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0);
}

/// Const functions of one object, called by several threads at once; the first calls trigger lazy initialisation.
TEST(ConcurrentQueries, SharedScenesBroadPhasesAndWorlds) {
  constexpr int kThreads = 4;
  for (int round = 0; round < 3; ++round) {
    Scene scene;
    BroadPhase boxes;
    World world;
    for (int i = 0; i < 200; ++i) {
      const Vec3 at(i % 10, i / 10 % 10, i / 100);
      scene.add(Sphere{at, 0.4 + 0.01 * (i % 20)});
      (void)boxes.insert(Box{at, Vec3(at.x + 1, at.y + 0.5, at.z + 0.75)});
      world.add_fixed(Sphere{at, 0.3});
      if (i % 10 == 0) world.add_moving(Sphere{Vec3(at.x, at.y, 9), 0.1}, Pose{});
    }
    const Scene& s = scene;
    const BroadPhase& b = boxes;
    const World& w = world;
    const auto all = [&](int seed) {
      std::uint64_t sum = 0;
      const auto add = [&](double x) { sum = sum * 1099511628211u + std::bit_cast<std::uint64_t>(x); };
      for (int i = 0; i < 20; ++i) {
        const Vec3 p((seed + i) % 11 - 0.5, (3 * seed + i) % 9, -5);
        const Ray ray{p, Vec3(0.01, 0.02, 1)};
        if (const auto hit = s.raycast(ray)) add(hit->hit.t + hit->member);
        if (const auto hit = s.sweep(Sphere{p, 0.2}, Vec3(0, 0, 20))) add(hit->hit.t + hit->member);
        if (const auto near = s.closest(Point{p})) add(near->closest.distance + near->member);
        add(static_cast<double>(s.overlapping(Sphere{Vec3(p.x, p.y, 1), 1.5}).size()));
        add(static_cast<double>(b.overlapping(Sphere{Vec3(p.x, p.y, 1), 1}).size()));
        if (const auto hit = w.shoot(ray)) add(hit->hit.t + hit->id);
      }
      add(static_cast<double>(s.pairs().size()));
      add(static_cast<double>(b.pairs().size()));
      add(static_cast<double>(w.snapshot().size()));
      return sum;
    };
    std::vector<std::uint64_t> together(kThreads);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { together[static_cast<std::size_t>(t)] = all(t); });
    for (std::thread& t : threads) t.join();
    for (int t = 0; t < kThreads; ++t) EXPECT_EQ(together[static_cast<std::size_t>(t)], all(t)) << "round " << round << ", thread " << t;
  }
}

TEST(ConcurrentQueries, MoversShareAScene) {
  Scene scene;
  scene.add(Box{Vec3(-50, -50, -1), Vec3(50, 50, 0)});
  for (int i = 0; i < 40; ++i) scene.add(Sphere{Vec3(3 * (i % 8), 3 * (i / 8), 0), 1});
  const auto walk = [&](int seed) {
    Mover mover(scene, Sphere{Vec3(0, 0, 0), 0.3}, Vec3(seed - 1.5, -4, 0.4));
    for (int i = 0; i < 30; ++i) (void)mover.move(Vec3(0.1 * (i % 3), 0.2, 0));
    return mover.pose().translation;
  };
  std::vector<Vec3> together(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&, t] { together[static_cast<std::size_t>(t)] = walk(t); });
  for (std::thread& t : threads) t.join();
  for (int t = 0; t < 4; ++t) EXPECT_EQ(together[static_cast<std::size_t>(t)], walk(t)) << t;
}

TEST(ConcurrentQueries, ResultsDoNotDependOnTheNumberOfThreads) {
  const Mesh a = round_mesh(4, Vec3(0, 0, 0)), b = round_mesh(4, Vec3(0.5, 0.25, 0));
  std::vector<Vec3> points;
  for (int i = 0; i < 3000; ++i) points.push_back(Vec3(i % 13 - 6.5, i % 7 - 3, i % 11 - 5.25));
  set_threads(1);
  const auto pairs = intersecting_triangles(a, b);
  const auto near = closest(points, a);
  const auto inside = contains(solid(a), points);
  for (int n : {2, 3, 8}) {
    set_threads(n);
    EXPECT_EQ(intersecting_triangles(a, b), pairs) << n << " threads";
    EXPECT_EQ(contains(solid(a), points), inside) << n << " threads";
    const auto again = closest(points, a);
    ASSERT_EQ(again.size(), near.size());
    for (std::size_t i = 0; i < near.size(); ++i) {
      ASSERT_EQ(again[i].distance, near[i].distance) << n << " threads, point " << i;
      ASSERT_EQ(again[i].on_b, near[i].on_b) << n << " threads, point " << i;
      ASSERT_EQ(again[i].triangle_b, near[i].triangle_b) << n << " threads, point " << i;
    }
  }
  set_threads(0);
}

TEST(ConcurrentQueries, ThreadsShareOneDistance) {
  const Mesh a = round_mesh(5, Vec3(0, 0, 0)), b = round_mesh(5, Vec3(0, 0, 0));
  std::vector<Pose> poses;
  for (int i = 0; i < 12; ++i) poses.push_back(Pose::from_quaternion(1, .1 * i, .3, -.2, Vec3(13 + i, .5 * i, 9)));
  const auto distances = [&] {
    std::vector<Closest> all;
    for (const Pose& pose : poses) all.push_back(closest(a, at(b, pose)));
    return all;
  };
  const auto same = [](const std::vector<Closest>& x, const std::vector<Closest>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i].distance != y[i].distance || x[i].on_a != y[i].on_a || x[i].triangle_a != y[i].triangle_a || x[i].triangle_b != y[i].triangle_b) return false;
    }
    return true;
  };
  set_threads(1);
  const std::vector<Closest> truth = distances();
  set_threads(4);
  for (int round = 0; round < 5; ++round) EXPECT_TRUE(same(distances(), truth));
  std::atomic<int> wrong{0};  // one caller at a time has the helpers
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) callers.emplace_back([&] { wrong += !same(distances(), truth); });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(wrong, 0);
  set_threads(0);
}

/// Two threads ask without end; others ask the same in scopes that end in the middle. The shapes are fresh, so that what they keep is computed meanwhile.
TEST(ConcurrentQueries, EndedOnesLeaveTheOthersAlone) {
  const Mesh reference = round_mesh(3, Vec3(0, 0, 0));
  const Hull hull{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {3, 3, 3}};
  const std::uint64_t expected = questions(reference, reference, solid(reference), hull, 1);
  std::atomic<int> wrong{0}, ended{0}, asked{0};
  for (int round = 0; round < 3; ++round) {
    const Mesh a = round_mesh(3, Vec3(0, 0, 0));
    const Solid solid_a = solid(a);
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
      threads.emplace_back([&] {
        do wrong += questions(a, a, solid_a, hull, 1) != expected;
        while (++asked < 2 || !stop);
      });
    std::vector<std::thread> ending;
    for (int t = 0; t < 2; ++t)
      ending.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          std::atomic<int> calls{0};
          try {
            const ProgressScope scope([&, last = 1 + 7 * i + t](double) { return ++calls < last; });
            (void)questions(a, a, solid_a, hull, 1);
          } catch (const Error& e) {
            ended += e.code() == ErrorCode::cancelled;
          }
        }
      });
    for (std::thread& t : ending) t.join();
    stop = true;
    for (std::thread& t : threads) t.join();
    wrong += questions(a, a, solid_a, hull, 1) != expected;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(ended, 0);
}

}  // namespace
}  // namespace graze
