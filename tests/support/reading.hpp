// Helpers for tests of readers: a model from a string, the message of an error.
#pragma once
#include <cstring>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <string>
#include <string_view>

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

inline bool same_bits(const Vec3& a, const Vec3& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline std::string join(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + '\n';
  return all;
}

}  // namespace graze::test
