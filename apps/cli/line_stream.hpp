// Processes lines on all threads and writes the answers in order, in bounded memory. Never waits for more input than is available, so that a program may query
// line by line.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace graze::cli {

struct InputLine {
  std::string_view text;     ///< without its line end; of a line that is too long just the beginning
  std::uint64_t number = 0;  ///< from 1, blank lines count
  bool too_long = false;
  bool first = false;  ///< of all lines that are not blank
};

enum class LineOutcome { ok, error, internal_error };

/// Answers one line: appends to `out` (with the line end); for a bad line sets `error`. Called from many threads.
using LineHandler = std::function<LineOutcome(const InputLine& line, std::string& out, std::string& error)>;

struct StreamOptions {
  int threads = 0;                                   ///< 0: one per core
  bool stop_at_error = false;                        ///< what follows the first bad line is neither answered nor written
  std::size_t max_line = std::size_t{64} << 20;      ///< bytes
  std::size_t block = std::size_t{16} << 20;         ///< bytes of lines taken at once, as far as they are there
  std::size_t max_pending = std::size_t{256} << 20;  ///< bytes of answers that wait for an earlier one; single answers may be larger
};

struct StreamResult {
  std::uint64_t lines = 0;  ///< answered, good or bad
  std::uint64_t errors = 0;
  bool internal_error = false;
  std::uint64_t first_error_line = 0;
  std::string first_error;
};

/// Reads all of the descriptor; writes the answers to stdout. A byte order mark at the start and blank lines are skipped. Throws std::runtime_error when
/// reading or writing fails.
StreamResult run_lines(int input, const LineHandler& handler, const StreamOptions& options);

}  // namespace graze::cli
