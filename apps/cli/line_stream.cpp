// The stream of lines: the caller's thread reads and writes; a pool of workers lives as long as the stream.
#include "cli/line_stream.hpp"
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>
#include "cli/progress_bar.hpp"

namespace graze::cli {

namespace {

/// The answers to some consecutive lines of a block.
struct Chunk {
  std::string out;
  bool done = false;
  std::uint64_t lines = 0, errors = 0;
  bool internal_error = false;
  std::uint64_t first_error_line = 0;
  std::string first_error;
  std::exception_ptr failure;
};

class Pool {
 public:
  Pool(int threads, const LineHandler& handler, const StreamOptions& options) : handler_(handler), options_(options) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
    count_ = threads;
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& t : workers_) t.join();
  }

  /// Writes the answers in order. Returns false after an error.
  bool run(const std::vector<InputLine>& lines, StreamResult& result) {
    lines_ = &lines;
    const std::size_t threads = static_cast<std::size_t>(count_);
    chunk_size_ = std::clamp<std::size_t>(lines.size() / (threads * 8), 1, 64);
    const std::size_t chunks = (lines.size() + chunk_size_ - 1) / chunk_size_;
    std::unique_lock lock(mutex_);
    chunks_.assign(chunks, {});
    next_ = 0;
    pending_ = 0;
    abandoned_ = false;
    if (chunks > 1) changed_.notify_all();
    bool go_on = true;
    for (std::size_t i = 0; i < chunks && go_on; ++i) {
      while (!chunks_[i].done) {  // take part, unless others are already far ahead
        if (next_ < chunks && (next_ == i || pending_ < options_.max_pending))
          take(lock);
        else
          changed_.wait(lock);
      }
      Chunk chunk = std::move(chunks_[i]);
      pending_ -= chunk.out.size();
      lock.unlock();
      changed_.notify_all();
      write(chunk.out);
      lock.lock();
      result.lines += chunk.lines;
      result.errors += chunk.errors;
      result.internal_error = result.internal_error || chunk.internal_error;
      if (result.first_error_line == 0 && chunk.first_error_line != 0) {
        result.first_error_line = chunk.first_error_line;
        result.first_error = chunk.first_error;
      }
      if (chunk.failure) failure_ = chunk.failure;
      go_on = !chunk.failure && !(options_.stop_at_error && chunk.errors > 0);
    }
    abandoned_ = true;  // no new chunks; running ones refer to the lines and must end first
    next_ = chunks;
    changed_.wait(lock, [&] { return running_ == 0; });
    chunks_.clear();
    lock.unlock();
    if (failure_) std::rethrow_exception(failure_);
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "cannot write the output");
    return go_on;
  }

 private:
  static void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw std::system_error(errno, std::generic_category(), "cannot write the output");
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stop_ || (!abandoned_ && next_ < chunks_.size() && pending_ < options_.max_pending); });
      if (stop_) return;
      take(lock);
    }
  }

  /// Takes the next chunk and answers it; the lock is held before and after.
  void take(std::unique_lock<std::mutex>& lock) {
    const std::size_t index = next_++;
    ++running_;
    lock.unlock();
    Chunk chunk;
    try {
      const std::size_t begin = index * chunk_size_, end = std::min(begin + chunk_size_, lines_->size());
      for (std::size_t i = begin; i < end; ++i) {
        const InputLine& line = (*lines_)[i];
        std::string error;
        const LineOutcome outcome = handler_(line, chunk.out, error);
        ++chunk.lines;
        if (outcome == LineOutcome::ok) continue;
        ++chunk.errors;
        chunk.internal_error = chunk.internal_error || outcome == LineOutcome::internal_error;
        if (chunk.first_error_line == 0) {
          chunk.first_error_line = line.number;
          chunk.first_error = std::move(error);
        }
        if (options_.stop_at_error) break;
      }
    } catch (...) {
      chunk.failure = std::current_exception();
    }
    chunk.done = true;
    lock.lock();
    pending_ += chunk.out.size();
    chunks_[index] = std::move(chunk);
    --running_;
    changed_.notify_all();
  }

  const LineHandler& handler_;
  const StreamOptions& options_;
  std::vector<std::thread> workers_;
  int count_ = 1;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::vector<InputLine>* lines_ = nullptr;
  std::vector<Chunk> chunks_;
  std::size_t chunk_size_ = 1, next_ = 0, pending_ = 0;
  int running_ = 0;
  bool stop_ = false, abandoned_ = true;
  std::exception_ptr failure_;
};

/// Cuts a descriptor into blocks of whole lines.
class LineReader {
 public:
  LineReader(int input, const StreamOptions& options) : input_(input), options_(options) {}

  /// The next lines, at least one unless the input ended; valid until the next call. Blank lines are left out.
  bool next(std::vector<InputLine>& lines) {
    lines.clear();
    while (lines.empty()) {
      buffer_.erase(0, used_);
      used_ = 0;
      if (buffer_.capacity() > 4 * options_.block && buffer_.size() < options_.block) buffer_.shrink_to_fit();
      std::size_t scanned = 0;
      while (!ended_) {
        const bool whole = buffer_.find('\n', scanned) != std::string::npos;
        has_line_ = has_line_ || whole;
        scanned = first_ ? 0 : buffer_.size();
        if (!has_line_ && buffer_.size() > options_.max_line) break;
        if (has_line_ && (buffer_.size() >= options_.block || !ready())) break;
        fill();
      }
      has_line_ = false;
      cut(lines);
      if (ended_ && lines.empty() && used_ == buffer_.size()) return false;
    }
    return true;
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  bool ready() const {
    pollfd p{input_, POLLIN, 0};
    return ::poll(&p, 1, 0) > 0;
  }
  void fill() {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    const std::size_t old = buffer_.size();
    buffer_.resize(old + kStep);
    ssize_t n;
    do n = ::read(input_, buffer_.data() + old, kStep);
    while (n < 0 && errno == EINTR);
    if (n < 0) throw std::system_error(errno, std::generic_category(), "cannot read the input");
    buffer_.resize(old + static_cast<std::size_t>(n));
    ended_ = n == 0;
    bytes_ += static_cast<std::uint64_t>(n);
    if (first_ && (ended_ || buffer_.size() >= 3)) {
      first_ = false;
      if (buffer_.compare(0, 3, "\xEF\xBB\xBF") == 0) buffer_.erase(0, 3);
    }
  }
  static bool blank(std::string_view s) { return s.find_first_not_of(" \t\r\v\f") == std::string_view::npos; }
  void add(std::vector<InputLine>& lines, std::string_view text, bool too_long) {
    ++number_;
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (!too_long && blank(text)) return;
    lines.push_back({text, number_, too_long, first_line_});
    first_line_ = false;
  }
  /// All whole lines of the buffer; at the end of the input also the last, unterminated line.
  void cut(std::vector<InputLine>& lines) {
    const std::string_view text = buffer_;
    while (used_ < text.size()) {
      const std::size_t end = text.find('\n', used_);
      if (skipping_) {  // the rest of a line that was too long
        if (end == std::string_view::npos) {
          used_ = text.size();
          return;
        }
        skipping_ = false;
        used_ = end + 1;
        continue;
      }
      if (end == std::string_view::npos) {
        if (text.size() - used_ > options_.max_line) {
          add(lines, text.substr(used_, kBeginning), true);
          skipping_ = true;
          used_ = text.size();
        } else if (ended_) {
          add(lines, text.substr(used_), false);
          used_ = text.size();
        }
        return;
      }
      const bool too_long = end - used_ > options_.max_line;
      add(lines, text.substr(used_, too_long ? kBeginning : end - used_), too_long);
      used_ = end + 1;
    }
  }

  static constexpr std::size_t kBeginning = 4096;
  int input_;
  const StreamOptions& options_;
  std::string buffer_;
  std::size_t used_ = 0;
  std::uint64_t number_ = 0, bytes_ = 0;
  bool ended_ = false, first_ = true, first_line_ = true, skipping_ = false, has_line_ = false;
};

}  // namespace

StreamResult run_lines(int input, const LineHandler& handler, const StreamOptions& options) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  StreamResult result;
  LineReader reader(input, options);
  std::vector<InputLine> lines;  // lines and buffer outlive the pool, whose threads read them
  Pool pool(options.threads > 0 ? options.threads : static_cast<int>(cores), handler, options);
  struct stat info {};
  const std::uint64_t total = ::fstat(input, &info) == 0 && S_ISREG(info.st_mode) ? static_cast<std::uint64_t>(info.st_size) : 0;
  ProgressBar progress("answering");
  while (reader.next(lines)) {
    if (!pool.run(lines, result)) break;
    progress.show(reader.bytes(), total);
  }
  return result;
}

}  // namespace graze::cli
