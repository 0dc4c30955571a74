// The lock of an object that may change: many calls read it, or one changes it. Every function of the C interface that uses such an object holds its lock.
#pragma once
#include <graze/graze.h>
#include <atomic>
#include <cstdint>
#include <graze/progress.hpp>

#include "c/call.hpp"

namespace graze::c {

class Hold;
struct Waiter;

/// Calls are served in the order in which they come, so that neither readers nor writers wait forever.
class Lock {
 public:
  Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  friend class Hold;
  friend struct Waiter;
  std::atomic<std::uint64_t> state_;  ///< the bits in lock.cpp
  Waiter* first_ = nullptr;           ///< who waits, in order; under the mutex of lock.cpp
};

enum class Purpose { read, change };

/// Holds a lock while it lives: together with other readers, or alone.
///
/// A callback of the caller's runs on behalf of the call that it belongs to, on whichever thread: what it calls may read what that call reads, whoever waits,
/// and is refused with Error where it would wait for that call.
class Hold {
 public:
  /// Waits until the object is free. Throws Error where that would never be, and when the caller ends the waiting (graze_set_waiting()).
  Hold(const Call& call, const char* argument, Lock& lock, Purpose purpose);
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  friend struct Waiter;

  void wait(const Call& call, const char* argument);

  Lock& lock_;
  Purpose purpose_;
  const Hold* outer_;  ///< what the call holds already, and those calls in whose callbacks it is
};

/// What a thread holds.
struct HeldByThread {
  const Hold* innermost = nullptr;  ///< that its calls hold, or those in whose callback it is
  const Hold* outside = nullptr;    ///< that its calls hold outside callbacks: constant while one of these calls runs on many threads
  int callbacks = 0;                ///< that it is in
};
[[nodiscard]] HeldByThread& held_by_thread();

/// While it lives, the thread runs a callback of a call.
class InCallback {
 public:
  /// Of the call that holds this.
  explicit InCallback(const Hold* held) : before_(here_.innermost) {
    here_.innermost = held;
    ++here_.callbacks;
  }
  /// Of a call of that thread's.
  explicit InCallback(const HeldByThread& caller) : InCallback(&caller == &held_by_thread() ? caller.innermost : caller.outside) {}
  ~InCallback() {
    here_.innermost = before_;
    --here_.callbacks;
  }
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;

 private:
  HeldByThread& here_ = held_by_thread();
  const Hold* before_;
};

/// The function of the caller's as one that runs on behalf of the call that runs now.
template <class F>
auto as_callback(F f) {
  return [f, held = held_by_thread().innermost](const auto&... arguments) {
    const InCallback here(held);
    return f(arguments...);
  };
}

inline Progress progress_of(graze_progress function, void* user) {
  if (!function) return {};
  return as_callback([=](double done) { return function(done, user) != 0; });
}

/// An object and a hold on its lock.
template <class T, Purpose purpose>
class Held {
 public:
  Held(const Call& call, const char* argument, Lock& lock, T& value) : hold_(call, argument, lock, purpose), value_(value) {}
  T* operator->() const { return &value_; }
  T& operator*() const { return value_; }

 private:
  Hold hold_;
  T& value_;
};
template <class T>
using Reading = Held<const T, Purpose::read>;
template <class T>
using Changing = Held<T, Purpose::change>;

/// The function that graze_set_progress() has set for the calling thread.
struct ThreadProgress {
  graze_progress function = nullptr;
  void* user = nullptr;
};
[[nodiscard]] ThreadProgress& thread_progress();

}  // namespace graze::c
