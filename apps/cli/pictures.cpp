// The options of pictures and pages: sizes, axes, endings of files.
#include "cli/pictures.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <graze/error.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/up_axis.hpp"

namespace graze::cli {

Size read_size(const std::string& text) {
  Size size;
  const char* end = text.data() + text.size();
  const auto [x, e1] = std::from_chars(text.data(), end, size.width);
  if (e1 == std::errc() && x != end && *x == 'x') {
    const auto [y, e2] = std::from_chars(x + 1, end, size.height);
    if (e2 == std::errc() && y == end && size.width >= 64 && size.height >= 64 && size.width <= 16384 && size.height <= 16384) return size;
  }
  throw UsageError("--size: \"" + text + "\" is not a size like 1280x800 (64 to 16384 pixels a side)");
}

std::string file_ending(const std::string& path) {
  std::string e = std::filesystem::path(path).extension().string();
  std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return e;
}

void prepare_output(const std::string& path, const char* option, std::initializer_list<const char*> endings) {
  if (path.empty()) return;
  const bool known = std::any_of(endings.begin(), endings.end(), [&](const char* e) { return file_ending(path) == e; });
  if (!known) {
    std::string list;
    for (const char* e : endings) list += (list.empty() ? "" : " or ") + std::string(e);
    throw UsageError(std::string(option) + ": the file must end in " + list + ", not \"" + path + "\"");
  }
  make_folder_of(path);
}

void make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code code;
  if (!folder.empty()) std::filesystem::create_directories(folder, code);
  if (code) throw Error(ErrorCode::unwritable_file, path + ": its folder cannot be made: " + code.message());
}

std::optional<Axis> read_up(const std::string& text) {
  if (text.empty()) return {};
  if (const std::optional<Axis> axis = up_axis_of(text)) return axis;
  throw UsageError("--up: is \"" + text + "\", must be x, y or z");
}

}  // namespace graze::cli
