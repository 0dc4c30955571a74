// Helpers for tests of readers: a model from a string, the message of an error.
#pragma once
#include <cstring>
#include <filesystem>
#include <fstream>
#include <graze/assembly.hpp>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "support/paths.hpp"

namespace graze::test {

inline LoadedModel load_text(std::string_view text, const std::string& name) {
  return load_model({reinterpret_cast<const std::byte*>(text.data()), text.size()}, name);
}

/// The message of the error, or "" when none is thrown.
inline std::string load_error(std::string_view text, const std::string& name) {
  try {
    load_text(text, name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline Assembly load_parts(std::string_view text, const std::string& name, const AssemblyOptions& options = {}) {
  return load_assembly({reinterpret_cast<const std::byte*>(text.data()), text.size()}, name, options);
}

/// The message of the error, or "" when none is thrown.
inline std::string parts_error(std::string_view text, const std::string& name, const AssemblyOptions& options = {}) {
  try {
    (void)load_parts(text, name, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A file of the corpus in a format that is not read by lines.
inline std::filesystem::path other_corpus(const char* name) { return project_root() / "tests" / "corpus" / "io" / "other" / name; }

inline bool same_bits(const Vec3& a, const Vec3& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline std::string join(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + '\n';
  return all;
}

}  // namespace graze::test
