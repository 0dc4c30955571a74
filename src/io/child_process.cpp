// Child processes on POSIX systems: posix_spawn, a pipe for the output, an unlinked file for the input.
#include "io/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <system_error>
#include <utility>

#include "platform/watch.hpp"

extern char** environ;

namespace graze::io {
namespace {

constexpr std::int64_t kLook = 30;  // milliseconds between two looks at whether the caller wants an end; a choice

[[noreturn]] void fail_system(const char* what, int error) { throw ChildProcess::Failure{std::string(what) + ": " + std::generic_category().message(error)}; }

/// A descriptor that is not inherited and is above the three standard ones, which the child replaces.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {
    if (fd < 0 || fd > 2) return;
    fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

int unlinked_file() {
#ifdef __linux__
  return memfd_create("graze-import", MFD_CLOEXEC);
#else
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) return -1;
  const int fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
  std::fclose(file);
  return fd;
#endif
}

void write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_system("its input cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  if (lseek(fd, 0, SEEK_SET) != 0) fail_system("its input cannot be rewound", errno);
}

}  // namespace

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments, std::span<const std::byte> input, std::uint64_t wall_seconds)
    : wall_seconds_(wall_seconds), deadline_(std::chrono::steady_clock::now() + std::chrono::seconds(wall_seconds)) {
  const Descriptor in(input.empty() ? open("/dev/null", O_RDONLY | O_CLOEXEC) : unlinked_file());
  if (in.get() < 0) fail_system("no file for its input", errno);
  if (!input.empty()) write_all(in.get(), input);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail_system("no pipe", errno);
  Descriptor from(ends[0]);
  const Descriptor to(ends[1]);
  if (from.get() < 0 || to.get() < 0) fail_system("no pipe", errno);

  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);  // the child does not inherit the caller's masks and ignored signals
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_adddup2(&actions, in.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, to.get(), 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const int error = posix_spawn(&pid_, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    pid_ = -1;
    fail_system(program.c_str(), error);
  }
  output_ = from.release();
}

ChildProcess::~ChildProcess() {
  kill_and_wait();
  if (output_ >= 0) close(output_);
}

ChildProcess::Read ChildProcess::read(void* to, std::size_t n) {
  auto* p = static_cast<char*>(to);
  while (n > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now()).count();
    if (left <= 0) {
      kill_and_wait();
      return Read::late;
    }
    pollfd wait{output_, POLLIN, 0};
    checkpoint();
    const std::int64_t most = watching().watch != nullptr ? kLook : INT_MAX;
    const int ready = poll(&wait, 1, static_cast<int>(std::min<std::int64_t>(left, most)));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ready < 0 ? -1 : ::read(output_, p, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Read::ended;
    p += got;
    n -= static_cast<std::size_t>(got);
  }
  return Read::all;
}

std::string ChildProcess::how_it_ended() {
  if (pid_ < 0) return "it was stopped";
  int status = 0;
  pid_t done;
  for (;;) {  // the child has closed its output, so it is about to end; a stuck one is stopped at the deadline
    done = waitpid(pid_, &status, WNOHANG);
    if (done != 0 && !(done < 0 && errno == EINTR)) break;
    if (std::chrono::steady_clock::now() >= deadline_) kill(pid_, SIGKILL);
    poll(nullptr, 0, 1);
  }
  pid_ = -1;
  if (done < 0) return "how is not known";  // the caller ignores SIGCHLD
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return signal == SIGXCPU ? "it used up its processor time" : "it crashed (signal " + std::to_string(signal) + ")";
}

void ChildProcess::kill_and_wait() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  int status;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

}  // namespace graze::io
