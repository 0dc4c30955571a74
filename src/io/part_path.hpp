// Paths of parts, with a bound on their length: in a chain of nested nodes the paths would otherwise grow with the square of its depth.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace graze::io {

/// Names from the root down, with slashes between them. Of a path with more than 200 levels or 4,096 bytes only the beginning and the end are kept (of each up
/// to 8 levels in 128 bytes; the first name up to 1,024 bytes); a mark between them gives the length of the whole and its digest: "a/b/(139999 bytes,
/// 6e0a7f52d0c1b394)/y/z". The text depends on the whole path alone, not on how it was put together.
class PartPath {
 public:
  static constexpr std::size_t kMostLevels = 200, kMostBytes = 4096;

  PartPath() = default;
  explicit PartPath(std::string_view whole) { append(whole); }

  void append(std::string_view more);
  /// Returns the path of a child of this name; below an empty path the name.
  PartPath below(std::string_view name) const;
  bool shortened() const { return bytes_ != first_.size(); }
  /// The path, or what is kept of it.
  std::string text() const;

 private:
  std::string first_, last_;                   // the whole path in first_, or a beginning and an end that text() trims
  std::size_t bytes_ = 0, levels_ = 1;         // of the whole
  std::uint64_t digest_ = 0xCBF29CE484222325;  // FNV-1a of the whole: it can be continued
};

/// Gives each path of a file only once.
class UniquePaths {
 public:
  /// Returns the path, with "#2", "#3", ... at its end if it has been returned before.
  PartPath add(const PartPath& path);

 private:
  std::unordered_map<std::string, std::size_t> last_;  // by text: the last number given to it
};

/// Adds a note if any path was shortened.
void note_shortened_paths(std::size_t shortened, std::vector<std::string>& notes);

}  // namespace graze::io
