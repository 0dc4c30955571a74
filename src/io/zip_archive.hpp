// Reading the members of a zip archive in memory.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "io/bytes.hpp"

namespace graze::io {

/// The bytes that a reader may still produce from a file, so that a small file cannot take all memory or hours.
class ReadingBudget {
 public:
  /// Files whose content is not repeated without end stay below 256 MB and 64 bytes for each of their own.
  ReadingBudget(const Source& source, std::uint64_t max_bytes);
  /// Throws when more is spent than allowed.
  void spend(std::uint64_t bytes) {
    if (bytes > left_) fail_spent();
    left_ -= bytes;
  }

 private:
  [[noreturn]] void fail_spent() const;

  const Source& source_;
  std::uint64_t limit_, left_;
};

class ZipArchive {
 public:
  /// Reads the directory of the archive. Throws Error, as the other functions do.
  ZipArchive(const Source& source, ReadingBudget& budget);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// The name in the archive of a part of an OPC package: with or without a slash in front, any case, with or without %20 and the like. Empty if there is none.
  std::string find(std::string_view part) const;

  /// Unpacks a member piece by piece; the pieces count as spent. `name` is one that find() returned. A wrong checksum is found after the last piece.
  void read(const std::string& name, const std::function<void(std::string_view)>& use);

 private:
  struct State;

  const Source& source_;
  ReadingBudget& budget_;
  std::unique_ptr<State> state_;
  std::map<std::string, std::string> members_;  // by normalized name
};

}  // namespace graze::io
