// The locks of objects: changes from callbacks are refused, waiting ends, and forks are safe. tests/concurrency has the test of many threads.
#include <graze/graze.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "c/row_of_boxes.hpp"

namespace graze::lock_test {
namespace {

using namespace std::chrono_literals;

using namespace through_c;

/// Holds an object in a question until it is told to end.
class Asking {
 public:
  explicit Asking(
      graze_scene* scene, std::function<void()> last = [] {})
      : thread_([this, scene, last] {
          ok(ask(scene, [&](graze_member) {
            if (!began_.exchange(true)) {
              while (!end_) std::this_thread::sleep_for(1ms);
              last();
            }
            return 0;
          }));
        }) {
    while (!began_) std::this_thread::sleep_for(1ms);
  }
  ~Asking() {
    end();
    if (thread_.joinable()) thread_.join();
  }
  void end() { end_ = true; }

 private:
  std::atomic<bool> began_{false}, end_{false};
  std::thread thread_;
};

TEST(CLock, AChangeFromACallbackIsAnError) {
  graze_scene *const scene = row_of(3), *const other = row_of(3);
  std::string text;
  ok(ask(scene, [&](graze_member id) {
    EXPECT_EQ(graze_scene_remove(scene, id), GRAZE_INVALID_ARGUMENT);
    text = graze_last_error();
    EXPECT_EQ(graze_scene_add(other, "another object", &kBox, nullptr, nullptr), GRAZE_OK);
    return 0;
  }));
  EXPECT_EQ(text, "graze_scene_remove: scene is in use by the call whose callback this is; it can be changed after that call");
  std::size_t n = 0;
  ok(graze_scene_size(scene, &n));
  EXPECT_EQ(n, 3u);

  // The same of pairs, whose filters run on other threads.
  graze_scene_pair_options options = GRAZE_SCENE_PAIR_OPTIONS_INIT;
  std::atomic<int> refused{0};
  struct Both {
    graze_scene* scene;
    std::atomic<int>* refused;
  } both{scene, &refused};
  options.accept_user = &both;
  options.accept = [](graze_member a, graze_member, void* user) {
    const Both& b = *static_cast<Both*>(user);
    *b.refused += graze_scene_remove(b.scene, a) == GRAZE_INVALID_ARGUMENT;
    return 1;
  };
  graze_scene_pair* pairs = nullptr;
  ok(graze_scene_pairs(scene, &options, &pairs, &n));
  graze_free(pairs);
  EXPECT_EQ(n, 2u);
  EXPECT_GE(refused, 2);
  graze_scene_free(scene);
  graze_scene_free(other);
}

TEST(CLock, AReaderInACallbackPassesAWriterThatWaits) {
  graze_scene* const scene = row_of(3);
  std::atomic<bool> changed{false};
  std::thread writer;
  {
    Asking asking(scene, [&] {
      std::size_t n = 0;
      ok(graze_scene_size(scene, &n));
      EXPECT_EQ(n, 3u);
      EXPECT_FALSE(changed);
    });
    writer = std::thread([&] {
      ok(graze_scene_add(scene, "x", &kBox, nullptr, nullptr));
      changed = true;
    });
    std::this_thread::sleep_for(30ms);
    EXPECT_FALSE(changed);
  }
  writer.join();
  EXPECT_TRUE(changed);
  graze_scene_free(scene);
}

TEST(CLock, CallsThatWouldWaitForEachOtherAreRefused) {
  graze_scene *const a = row_of(2), *const b = row_of(2);
  std::atomic<int> inside{0}, refused{0}, done{0};
  const auto change = [&](graze_scene* held, graze_scene* wanted) {
    bool once = false;
    ok(ask(held, [&](graze_member) {
      if (once) return 0;
      once = true;
      ++inside;
      while (inside < 2) std::this_thread::sleep_for(1ms);
      const graze_status s = graze_scene_add(wanted, "x", &kBox, nullptr, nullptr);
      (s == GRAZE_OK ? done : refused) += 1;
      if (s != GRAZE_OK) {
        EXPECT_NE(std::string(graze_last_error()).find("waits for the one whose callback this is"), std::string::npos) << graze_last_error();
      }
      return 0;
    }));
  };
  std::thread first(change, a, b), second(change, b, a);
  first.join();
  second.join();
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(done, 1);
  graze_scene_free(a);
  graze_scene_free(b);
}

TEST(CLock, TheCallerEndsTheWaiting) {
  graze_scene* const scene = row_of(2);
  static std::atomic<int> asked;
  asked = 0;
  {
    const Asking asking(scene);
    ok(graze_set_waiting([](void*) { return ++asked < 3 ? 1 : 0; }, nullptr));
    EXPECT_EQ(graze_scene_remove(scene, 0), GRAZE_CANCELLED);
    EXPECT_EQ(asked, 3);
    ok(graze_set_waiting(nullptr, nullptr));
    asked = 0;
    ok(graze_set_progress([](double, void*) { return ++asked < 3 ? 1 : 0; }, nullptr));
    EXPECT_EQ(graze_scene_remove(scene, 0), GRAZE_CANCELLED);
    EXPECT_EQ(asked, 3);
    ok(graze_set_progress(nullptr, nullptr));
  }
  ok(graze_scene_remove(scene, 0));  // nobody is left in the queue
  graze_scene_free(scene);
}

TEST(CLock, AChildOfAForkRefusesWhatAnotherThreadUsed) {
  graze_scene *const used = row_of(2), *const idle = row_of(2);
  int status = 1;
  {
    const Asking asking(used);
    const pid_t child = fork();
    if (child == 0) {
      std::size_t n = 0;
      const bool refused =
          graze_scene_size(used, &n) == GRAZE_INVALID_ARGUMENT && std::string(graze_last_error()).find("was in use by another thread") != std::string::npos;
      const bool good = graze_scene_remove(idle, 0) == GRAZE_OK && graze_scene_size(idle, &n) == GRAZE_OK && n == 1;
      _exit(refused && good ? 0 : 1);
    }
    waitpid(child, &status, 0);
  }
  EXPECT_EQ(status, 0);
  // A fork in a callback: the child goes on with the question.
  status = 1;
  ok(ask(used, [&](graze_member) {
    const pid_t child = fork();
    if (child == 0) {
      std::size_t n = 0;
      const bool good = graze_scene_size(used, &n) == GRAZE_OK && n == 2 && graze_scene_remove(used, 0) == GRAZE_INVALID_ARGUMENT;
      _exit(good ? 0 : 1);
    }
    waitpid(child, &status, 0);
    return 1;
  }));
  EXPECT_EQ(status, 0);
  graze_scene_free(used);
  graze_scene_free(idle);
}

}  // namespace
}  // namespace graze::lock_test
