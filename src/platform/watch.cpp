// What each thread is watched by, and the calls of the caller's function.
#include "platform/watch.hpp"

#include <chrono>
#include <graze/error.hpp>
#include <memory>
#include <utility>

#include "platform/expects.hpp"

namespace graze {
namespace {

constinit thread_local Watching g_watching;

/// The watches whose functions this thread is calling. While it waits for a loop of such a function, it may run pieces of the loop that is watched, too.
struct Calling {
  const Watch* watch;
  const Calling* before;
};
constinit thread_local const Calling* g_calling = nullptr;

bool is_calling(const Watch* watch) {
  for (const Calling* c = g_calling; c != nullptr; c = c->before) {
    if (c->watch == watch) return true;
  }
  return false;
}

std::int64_t nanoseconds() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr std::int64_t kPatience = 30'000'000;  // nanoseconds; a choice: a caller who waits for the end of a call sees no delay

}  // namespace

Watching watching() { return g_watching; }

WatchGuard::WatchGuard(const Watching& now) : before_(std::exchange(g_watching, now)) {}
WatchGuard::~WatchGuard() { g_watching = before_; }

void Watch::check() {
  if (is_calling(this)) return;
  if (outer_ != nullptr) outer_->check();
  if (ended_.load(std::memory_order_acquire)) raise();
  if (nanoseconds() - called_.load(std::memory_order_relaxed) < kPatience) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;  // another thread is calling
  if (ended_.load(std::memory_order_relaxed)) raise();
  call(reported_ < 0 ? 0 : reported_);
}

void count_comparison(Watch& watch) {
  constexpr std::uint32_t kAtOnce = 1 << 16;  // a choice: less than a millisecond
  constinit thread_local std::uint32_t count = 0;
  if (++count % kAtOnce == 0) watch.check();
}

void Watch::restart() {
  const std::lock_guard lock(mutex_);
  reported_ = -1;
}

void Watch::report(double done) {
  if (is_calling(this)) return;
  if (outer_ != nullptr) outer_->check();
  const std::lock_guard lock(mutex_);
  if (ended_.load(std::memory_order_relaxed)) raise();
  if (done > reported_) call(done);
}

void Watch::call(double done) {
  const Uninterrupted own;  // the function may call the library
  const Calling here{this, g_calling};
  g_calling = &here;
  reported_ = done;
  called_.store(nanoseconds(), std::memory_order_relaxed);
  bool ended = false;
  try {
    ended = !(*function_)(done);
  } catch (...) {
    error_ = std::current_exception();
    ended = true;
  }
  g_calling = here.before;
  if (!ended) return;
  ended_.store(true, std::memory_order_release);
  raise();
}

void Watch::raise() const {
  if (error_) std::rethrow_exception(error_);
  throw Error(ErrorCode::cancelled, "the call was ended by its Progress");
}

ProgressScope::ProgressScope(Progress progress) : progress_(std::move(progress)), before_(g_watching.watch), reported_(g_watching.reports) {
  if (!progress_) return;
  watch_ = std::make_unique<Watch>(progress_, before_);
  g_watching = {watch_.get(), true};
}

ProgressScope::~ProgressScope() {
  if (!watch_) return;
  GRAZE_EXPECTS(g_watching.watch == watch_.get());
  g_watching = {before_, reported_};
}

}  // namespace graze
