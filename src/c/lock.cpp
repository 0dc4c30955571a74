// Locks of objects: a word of atomic bits for calls that need not wait, and for the others one queue for each object, under one mutex.
#include "c/lock.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <graze/error.hpp>
#include <mutex>
#include <string>
#include <vector>
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace graze::c {
namespace {

// The bits of Lock::state_: the number of readers; whether a call changes the object; whether others wait, so that newcomers join them; whether a thread that a
// forked process does not have was using it; and the number of forks before the last three were written.
constexpr std::uint64_t kReaders = (std::uint64_t{1} << 32) - 1, kChanged = std::uint64_t{1} << 32, kQueue = std::uint64_t{1} << 33,
                        kLost = std::uint64_t{1} << 34, kFork = std::uint64_t{1} << 40;

constexpr std::chrono::milliseconds kPatience{20};  // between two questions whether to wait on; a choice: a user who presses Ctrl-C sees no delay

std::atomic<std::uint64_t> g_forks{0};  // times kFork
constinit thread_local HeldByThread g_held;

struct Shared {
  std::mutex mutex;
  std::vector<const Waiter*> waiters;  ///< all that wait for any lock
  std::atomic<graze_waiting> waiting{nullptr};
  std::atomic<void*> waiting_user{nullptr};
};
/// Never destroyed: threads may wait while the program ends.
Shared& shared() {
  static Shared& s = *new Shared;
  return s;
}

}  // namespace

/// A call that waits. All but `ready` under the mutex.
struct Waiter {
  Lock& lock;
  const Purpose purpose;
  const Hold* const held;  ///< by the call and those around it
  Waiter* next = nullptr;
  bool granted = false;
  std::condition_variable ready;

  Waiter(Lock& l, Purpose p, const Hold* h) : lock(l), purpose(p), held(h) {}

  /// Takes the lock if it is free, whoever waits for it.
  static bool enter(Lock& lock, Purpose purpose);
  /// Gives the lock to those who wait for it, as far as it is free.
  static void serve(Lock& lock);
  /// Forgets what threads did that this process does not have.
  static void renew(Lock& lock);

  /// In the child of a fork, whose only thread goes on with its calls.
  static void renew_after_fork();

  [[nodiscard]] bool waits_for(const Hold* others) const {
    for (const Hold* h = others; h != nullptr; h = h->outer_) {
      if (&h->lock_ == &lock && (purpose == Purpose::change || h->purpose_ == Purpose::change)) return true;
    }
    return false;
  }
  /// Whether the wait would never end: what is waited for is held by a call that waits itself, and so on, back to this one.
  [[nodiscard]] bool closes_circle() const;
  void join(bool first);
  void leave();
};

bool Waiter::enter(Lock& lock, Purpose purpose) {
  std::uint64_t s = lock.state_.load(std::memory_order_relaxed);
  const std::uint64_t obstacles = purpose == Purpose::read ? kChanged : kChanged | kReaders;
  do {
    if ((s & obstacles) != 0) return false;
  } while (!lock.state_.compare_exchange_weak(s, purpose == Purpose::read ? s + 1 : s | kChanged, std::memory_order_acquire, std::memory_order_relaxed));
  return true;
}

void Waiter::serve(Lock& lock) {
  while (lock.first_ != nullptr && enter(lock, lock.first_->purpose)) {
    Waiter& w = *lock.first_;
    lock.first_ = w.next;
    w.granted = true;
    w.ready.notify_one();
  }
  if (lock.first_ == nullptr) lock.state_.fetch_and(~kQueue, std::memory_order_relaxed);
}

void Waiter::renew(Lock& lock) {
  const std::uint64_t s = lock.state_.load(std::memory_order_relaxed), forks = g_forks.load(std::memory_order_relaxed);
  if (s / kFork == forks / kFork) return;
  lock.first_ = nullptr;
  lock.state_.store(forks | ((s & (kReaders | kChanged | kLost)) != 0 ? kLost : 0), std::memory_order_relaxed);
}

bool Waiter::closes_circle() const {
  std::vector<const Waiter*> open{this}, rest = shared().waiters;
  while (!open.empty()) {
    const Waiter* const w = open.back();
    open.pop_back();
    if (w != this && w->waits_for(held)) return true;
    const auto next = std::partition(rest.begin(), rest.end(), [&](const Waiter* other) { return !w->waits_for(other->held); });
    open.insert(open.end(), next, rest.end());
    rest.erase(next, rest.end());
  }
  return false;
}

void Waiter::join(bool first) {
  shared().waiters.push_back(this);
  Waiter** place = &lock.first_;
  while (!first && *place != nullptr) place = &(*place)->next;
  next = *place;
  *place = this;
  lock.state_.fetch_or(kQueue, std::memory_order_relaxed);
  serve(lock);  // a call that ended before the bit was set did not see it
}

void Waiter::leave() {
  std::erase(shared().waiters, this);
  Waiter** place = &lock.first_;
  while (*place != nullptr && *place != this) place = &(*place)->next;
  if (*place == this) *place = next;
  serve(lock);
}

void Waiter::renew_after_fork() {
  const std::uint64_t forks = g_forks.fetch_add(kFork, std::memory_order_relaxed) + kFork;
  shared().waiters.clear();
  for (const Hold* h = g_held.innermost; h != nullptr; h = h->outer_) {
    h->lock_.first_ = nullptr;
    h->lock_.state_.store(forks, std::memory_order_relaxed);
  }
  for (const Hold* h = g_held.innermost; h != nullptr; h = h->outer_)
    h->lock_.state_.fetch_add(h->purpose_ == Purpose::read ? 1 : kChanged, std::memory_order_relaxed);
  shared().mutex.unlock();
}

HeldByThread& held_by_thread() { return g_held; }

ThreadProgress& thread_progress() {
  constinit thread_local ThreadProgress progress;
  return progress;
}

namespace {

/// Whether the caller lets the thread wait on. `outermost`: the thread is in no callback, so that nothing else asks its function now.
bool may_wait_on(bool outermost) {
  const ThreadProgress own = thread_progress();
  if (outermost && own.function && own.function(0, own.user) == 0) return false;
  const graze_waiting function = shared().waiting.load(std::memory_order_acquire);
  return !function || function(shared().waiting_user.load(std::memory_order_relaxed)) != 0;
}

#if defined(__unix__) || defined(__APPLE__)
// A child of fork() has a copy of this thread alone. That the mutex is free then is the work of these handlers.
[[maybe_unused]] const int g_registered = pthread_atfork([] { shared().mutex.lock(); }, [] { shared().mutex.unlock(); }, Waiter::renew_after_fork);
#endif

}  // namespace

Lock::Lock() : state_(g_forks.load(std::memory_order_relaxed)) {}

Hold::Hold(const Call& call, const char* argument, Lock& lock, Purpose purpose) : lock_(lock), purpose_(purpose), outer_(g_held.innermost) {
  const std::uint64_t unused = g_forks.load(std::memory_order_relaxed), others = purpose == Purpose::read ? ~kReaders : ~std::uint64_t{0};
  std::uint64_t s = lock.state_.load(std::memory_order_relaxed);
  do {
    if ((s & others) == unused) continue;
    wait(call, argument);
    break;
  } while (!lock.state_.compare_exchange_weak(s, purpose == Purpose::read ? s + 1 : s | kChanged, std::memory_order_acquire, std::memory_order_relaxed));
  HeldByThread& here = g_held;
  here.innermost = this;
  if (here.callbacks == 0) here.outside = this;
}

Hold::~Hold() {
  HeldByThread& here = g_held;
  here.innermost = outer_;
  if (here.callbacks == 0) here.outside = outer_;
  const bool read = purpose_ == Purpose::read;
  const std::uint64_t s = read ? lock_.state_.fetch_sub(1, std::memory_order_release) : lock_.state_.fetch_and(~kChanged, std::memory_order_release);
  if ((s & kQueue) == 0 || (read && (s & kReaders) != 1)) return;
  const std::lock_guard guard(shared().mutex);
  Waiter::serve(lock_);
}

void Hold::wait(const Call& call, const char* argument) {
  std::unique_lock guard(shared().mutex);
  Waiter::renew(lock_);
  if ((lock_.state_.load(std::memory_order_relaxed) & kLost) != 0)
    call.refuse(argument, "was in use by another thread when this process was forked, and that thread is not there to finish");
  Waiter me(lock_, purpose_, outer_);
  if (me.waits_for(outer_)) call.refuse(argument, "is in use by the call whose callback this is; it can be changed after that call");
  // A reader in a callback passes those who wait: they may be waiting for the call that it is part of.
  const bool passes = outer_ != nullptr && purpose_ == Purpose::read;
  if ((passes || lock_.first_ == nullptr) && Waiter::enter(lock_, purpose_)) return;
  if (me.closes_circle()) call.refuse(argument, "is in use by a call that waits for the one whose callback this is");
  me.join(passes);
  while (!me.granted) {
    // On the system's clock, which the thread sanitizer knows.
    if (me.ready.wait_until(guard, std::chrono::system_clock::now() + kPatience) == std::cv_status::no_timeout || me.granted) continue;
    guard.unlock();
    const bool on = may_wait_on(outer_ == nullptr);
    guard.lock();
    if (on) continue;
    if (me.granted) lock_.state_.fetch_sub(purpose_ == Purpose::read ? 1 : kChanged, std::memory_order_release);
    me.leave();
    throw Error(ErrorCode::cancelled, std::string("the caller ended the waiting for ") + argument + ", which another call uses");
  }
  std::erase(shared().waiters, &me);
}

}  // namespace graze::c

graze_status graze_set_waiting(graze_waiting function, void* user) {
  graze::c::Shared& s = graze::c::shared();
  s.waiting.store(nullptr, std::memory_order_relaxed);
  s.waiting_user.store(user, std::memory_order_relaxed);
  s.waiting.store(function, std::memory_order_release);
  return GRAZE_OK;
}
