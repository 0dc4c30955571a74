// Scenes, worlds, movers and broad phases of the C interface that eight threads read and change at once. The build with the thread sanitizer runs this file;
// GRAZE_RACE_SECONDS makes it longer.
#include <graze/graze.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "c/row_of_boxes.hpp"

namespace graze {
namespace {

using namespace through_c;
using namespace std::chrono_literals;

TEST(ConcurrentObjects, EightThreadsUseOneSceneAndOneWorld) {
  const char* const seconds = std::getenv("GRAZE_RACE_SECONDS");
  const auto end = std::chrono::steady_clock::now() + (seconds ? std::chrono::milliseconds(static_cast<int>(1000 * std::atof(seconds))) : 1000ms);
  graze_scene* const scene = row_of(40);
  graze_world* world = nullptr;
  ok(graze_world_create(nullptr, &world));
  ok(graze_world_add_fixed(world, &kBox, nullptr, nullptr, nullptr));
  const graze_scene* fixed = nullptr;
  ok(graze_world_fixed(world, &fixed));
  const graze_sphere ball{{0, 0, 0}, 0.1};
  const graze_ref ball_ref = graze_sphere_ref(&ball);
  const double far[3] = {500, 0, 0}, up[3] = {0, 0, 0.01};
  graze_mover* mover = nullptr;
  ok(graze_mover_create(scene, &ball_ref, far, nullptr, &mover));
  graze_broad_phase* boxes = nullptr;
  ok(graze_broad_phase_create(&boxes));
  std::atomic<long> rounds[8] = {};
  std::atomic<int> nested{0};
  const std::vector<std::function<void(int)>> work{
      [&](int i) {  // adds and removes
        graze_member id = 0;
        const std::string name(static_cast<std::size_t>(i % 40), 'n');
        ok(graze_scene_add(scene, name.c_str(), &kBox, nullptr, &id));
        ok(graze_scene_remove(scene, id));
      },
      [&](int i) {  // moves all boxes at once
        std::vector<graze_member> ids;
        std::vector<graze_pose> poses;
        for (int k = 0; k < 40; ++k) ids.push_back(static_cast<graze_member>(k)), poses.push_back(shift(k + 1000 * (i % 2)));
        ok(graze_scene_move_batch(scene, ids.data(), poses.data(), ids.size(), 0));
      },
      [&](int) {  // the boxes touch in a row wherever they are: 39 pairs, and those with the one that comes and goes
        graze_scene_pair* pairs = nullptr;
        std::size_t n = 0, in_row = 0;
        ok(graze_scene_pairs(scene, nullptr, &pairs, &n));
        for (std::size_t i = 0; i < n; ++i) in_row += pairs[i].b < 40;
        graze_free(pairs);
        EXPECT_EQ(in_row, 39u);
      },
      [&](int) {
        graze_member* ids = nullptr;
        std::size_t n = 0;
        ok(graze_scene_members(scene, &ids, &n));
        EXPECT_TRUE(n == 40 || n == 41);
        char* name = nullptr;
        if (graze_scene_name(scene, ids[n - 1], &name) == GRAZE_OK) graze_free(name);
        graze_free(ids);
        graze_scene* copy = nullptr;
        ok(graze_scene_copy(scene, &copy));
        graze_scene_free(copy);
      },
      [&](int) {  // a question in the filter of a question
        ok(ask(scene, [&](graze_member id) {
          int has = 0;
          EXPECT_EQ(graze_scene_has(scene, id, &has), GRAZE_OK);
          EXPECT_EQ(has, 1);
          EXPECT_EQ(graze_scene_remove(scene, id), GRAZE_INVALID_ARGUMENT);
          ++nested;
          return 0;
        }));
      },
      [&](int i) {  // the world changes
        graze_body body = 0;
        const graze_pose at = shift(i % 9);
        const graze_ref placed = graze_at(ball_ref, &at);
        ok(graze_world_add_moving(world, &placed, nullptr, &body));
        ok(graze_world_step(world, 0.001));
        ok(graze_world_remove(world, body));
      },
      [&](int) {
        std::uint8_t* bytes = nullptr;
        std::size_t n = 0;
        ok(graze_world_snapshot(world, &bytes, &n));
        graze_free(bytes);
        ok(graze_world_bodies(world, &n));
        std::vector<double> positions(3 * n);
        (void)graze_world_positions(world, n, positions.data());
        int yes = 0;
        ok(graze_scene_intersects(fixed, &kBox, nullptr, &yes));
        EXPECT_EQ(yes, 1);
      },
      [&](int i) {
        ok(graze_mover_move(mover, up, nullptr));
        graze_pose pose;
        ok(graze_mover_pose(mover, &pose));
        std::uint32_t id = 0;
        ok(graze_broad_phase_insert(boxes, &kUnit, &id));
        graze_id_pair* pairs = nullptr;
        std::size_t n = 0;
        ok(graze_broad_phase_pairs(boxes, &pairs, &n));
        graze_free(pairs);
        if (i % 2)
          ok(graze_broad_phase_remove(boxes, id));
        else if (i % 64 == 0)
          ok(graze_broad_phase_assign(boxes, nullptr, 0, 0));
      }};
  // Longer where a machine that has much else to do lets a thread wait.
  const auto goes_on = [&] {
    const auto now = std::chrono::steady_clock::now();
    return now < end || (now < end + 60s && std::any_of(std::begin(rounds), std::end(rounds), [](const auto& r) { return r <= 5; }));
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < work.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; goes_on() && !::testing::Test::HasFailure(); ++i) work[t](i), ++rounds[t];
    });
  for (std::thread& t : threads) t.join();
  for (const auto& r : rounds) EXPECT_GT(r, 5);  // nobody waited forever
  EXPECT_GT(nested, 0);
  if (seconds)
    for (std::size_t t = 0; t < work.size(); ++t) std::printf("thread %zu: %ld rounds\n", t, rounds[t].load());
  graze_mover_free(mover);
  graze_broad_phase_free(boxes);
  graze_scene_free(scene);
  graze_world_free(world);
}

}  // namespace
}  // namespace graze
