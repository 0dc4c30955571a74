// A search for the nearest pair of triangles that several threads share. A thread takes a frame, and splits what it has left whenever no frame waits. In which
// order they search changes what they need not look at, but not what they find: whatever may be nearest by the bound at the end is within every earlier bound.
#pragma once
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "mesh/kernels/nearest_pair_kernels.hpp"
#include "platform/parallel.hpp"

namespace graze {

class SharedSearch {
 public:
  /// Takes over the frames of a search that one thread has begun.
  explicit SharedSearch(const NearPairSearch& w) : frames_(w.frame, w.frame + w.top), least_(w.least), waiting_(w.top) {}

  /// One of the threads. While it holds a frame, the others wait for what it may give.
  class Thread {
   public:
    explicit Thread(SharedSearch& search) : s_(search) {}
    ~Thread() { leave(); }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;

    /// Lets go of the last frame and takes another; waits for one while other threads hold some. Returns false at the end of the search.
    bool take(NearFrame& out) {
      leave();
      for (;;) {
        {
          const std::lock_guard lock(s_.mutex_);
          if (s_.stopped_) return false;
          if (!s_.frames_.empty()) {
            out = s_.frames_.back();
            s_.frames_.pop_back();
            --s_.waiting_;
            ++s_.working_;
            working_ = true;
            return true;
          }
          if (s_.working_ == 0) return false;
        }
        wait_for_helper([&] { return s_.waiting_ != 0 || s_.working_ == 0; });
      }
    }

   private:
    void leave() {
      if (working_) --s_.working_;
      working_ = false;
    }

    SharedSearch& s_;
    bool working_ = false;
  };

  bool wants_frames() const { return waiting_.load(std::memory_order_relaxed) == 0; }
  void give(const NearFrame& frame) {
    const std::lock_guard lock(mutex_);
    frames_.push_back(frame);
    ++waiting_;
  }
  /// Lowers the common upper bound to `least`, and returns it.
  double lower(double least) {
    double common = least_.load(std::memory_order_relaxed);
    while (least < common && !least_.compare_exchange_weak(common, least, std::memory_order_relaxed)) {
    }
    return std::min(common, least);
  }
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  std::mutex& mutex() { return mutex_; }

 private:
  std::mutex mutex_;
  std::vector<NearFrame> frames_;
  std::atomic<double> least_;
  std::atomic<int> waiting_, working_{0};  ///< frames that wait, and threads that hold one
  std::atomic<bool> stopped_{false};
};

}  // namespace graze
