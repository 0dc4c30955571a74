// Runs another program with given arguments and input, and reads its output under a deadline. The program never outlives this object.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace graze::io {

/// Started by posix_spawn, without a copy of this process, so it is safe in programs with threads.
class ChildProcess {
 public:
  struct Failure {
    std::string message;
  };
  enum class Read { all, ended, late };

  /// Throws Failure. `input` becomes the program's standard input; its standard error is discarded.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments, std::span<const std::byte> input, std::uint64_t wall_seconds);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Reads from the program's output into `to`.
  Read read(void* to, std::size_t n);

  std::uint64_t wall_seconds() const { return wall_seconds_; }

  /// Waits for the program to end and describes how it ended.
  std::string how_it_ended();

 private:
  void kill_and_wait();

  std::uint64_t wall_seconds_;
  std::chrono::steady_clock::time_point deadline_;
  pid_t pid_ = -1;
  int output_ = -1;
};

}  // namespace graze::io
