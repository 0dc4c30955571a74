// Loads files and prepares them for drawing in a separate thread, so that the window stays responsive.
#pragma once
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>
#include "viewer/open.hpp"

namespace graze::view {

class Loading {
 public:
  struct Opened {
    std::unique_ptr<Demo> demo;
    Picture picture;  // its first
  };
  /// Calls `done` in the thread when everything is ready or has failed.
  Loading(std::vector<std::string> paths, const OpenOptions& options, std::function<void()> done);
  bool ready() const { return opened_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  /// Returns the result, or throws the error that stopped the loading.
  Opened take() { return opened_.get(); }
  const std::string& names() const { return names_; }
  /// The current step, and its start time.
  std::string text() const;

 private:
  std::string names_, doing_ = "opening";
  mutable std::mutex mutex_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::future<Opened> opened_;  // last member: its destructor waits for the thread, which uses the others
};

/// The demonstration that is shown before anything is open.
std::unique_ptr<Demo> make_waiting(const std::vector<std::string>& paths);

}  // namespace graze::view
