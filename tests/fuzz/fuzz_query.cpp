// Fuzzes `graze query` with arbitrary lines: every line gets one answer, which is JSON on one line and carries an error exactly when the line is invalid.
#include <graze/error.hpp>

#include "cli/query_ops.hpp"
#include "fuzz_input.hpp"
#include "input/json.hpp"

using namespace graze;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static cli::ModelCache models([](const std::string& path) -> Mesh {
    if (path != "t") throw Error(ErrorCode::unreadable_file, path + ": cannot be opened");
    return Mesh(MeshData{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, {}});
  });
  std::string_view text(reinterpret_cast<const char*>(data), size);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string out, error;
    const cli::LineResult result = cli::answer_line(line, models, out, error);
    FUZZ_CHECK(result != cli::LineResult::internal_error);
    FUZZ_CHECK(out.find('\n') == std::string::npos);
    cli::JsonDocument answer;
    answer.parse(out);
    FUZZ_CHECK(answer.root().is(cli::JsonType::object));
    FUZZ_CHECK(answer.root().optional_field("id").has_value());
    FUZZ_CHECK(answer.root().optional_field("error").has_value() == (result != cli::LineResult::answered));
    FUZZ_CHECK(error.empty() == (result == cli::LineResult::answered));
  }
  return 0;
}
