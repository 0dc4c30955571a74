// Processes lines on all threads and writes the answers in order, in bounded memory. Answers all available lines before it waits for more input, so that a
// program can query line by line.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace graze::cli {

struct InputLine {
  std::string_view text;     ///< without its line end; only the beginning of a line that is too long
  std::uint64_t number = 0;  ///< from 1, blank lines count
  bool too_long = false;
  bool first = false;  ///< among all lines that are not blank
};

enum class LineOutcome { ok, error, internal_error };

/// Answers one line: appends to `out` (with the line end); for a bad line sets `error`. Called from many threads.
using LineHandler = std::function<LineOutcome(const InputLine& line, std::string& out, std::string& error)>;

struct StreamOptions {
  int threads = 0;                                   ///< 0: one per core
  bool stop_at_error = false;                        ///< stops at the first bad line; nothing after it is written
  std::size_t max_line = std::size_t{64} << 20;      ///< bytes
  std::size_t block = std::size_t{16} << 20;         ///< bytes of lines read at once, if available
  std::size_t max_pending = std::size_t{256} << 20;  ///< limit for answers that wait for an earlier one, in bytes; a single answer may be larger
};

struct StreamResult {
  std::uint64_t lines = 0;  ///< number of answered lines, good or bad
  std::uint64_t errors = 0;
  bool internal_error = false;
  std::uint64_t first_error_line = 0;
  std::string first_error;
};

/// Reads the descriptor to its end and writes the answers to stdout. A byte order mark at the start and blank lines are skipped. Throws std::runtime_error when
/// reading or writing fails.
StreamResult run_lines(int input, const LineHandler& handler, const StreamOptions& options);

}  // namespace graze::cli
