// graze query: answers queries given as JSON lines.
#include <fmt/format.h>
#include <cstdio>
#include <graze/io.hpp>
#include <string>
#include "cli/commands.hpp"
#include "cli/line_stream.hpp"
#include "cli/query_ops.hpp"
#include "input/input_file.hpp"
#include "input/model_notes.hpp"

namespace graze::cli {

int run_query(const QueryOptions& options) {
  const InputFile input(options.file);
  ModelNotes notes(options.literal);
  ModelCache models([&](const std::string& path) { return notes.mesh(path, ModelNotes::Empty::allowed); });
  StreamOptions stream;
  stream.threads = options.threads;
  const LineHandler handler = [&](const InputLine& line, std::string& out, std::string& error) {
    LineResult result = LineResult::bad_input;
    if (line.too_long)
      answer_too_long(line.text, stream.max_line, out, error);
    else
      result = answer_line(line.text, models, out, error);
    out += '\n';
    return result == LineResult::answered ? LineOutcome::ok : result == LineResult::internal_error ? LineOutcome::internal_error : LineOutcome::error;
  };
  const StreamResult result = run_lines(input.descriptor(), handler, stream);
  print_notes(notes.list());
  if (result.errors == 0) return kDone;
  const std::string message = fmt::format("graze query: {}: {} of {} lines had errors; the first: line {}: {}\n", input.name(), result.errors, result.lines,
                                          result.first_error_line, result.first_error);
  std::fputs(message.c_str(), stderr);
  return result.internal_error ? kInternal : kBadInput;
}

}  // namespace graze::cli
