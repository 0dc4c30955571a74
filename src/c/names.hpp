// Texts between C and C++.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace graze::c {

/// "argument[index]", for messages.
inline std::string element_name(const std::string& argument, std::size_t index) { return argument + "[" + std::to_string(index) + "]"; }

/// Of an optional text of the caller's.
inline std::string text_or(const char* text, const char* other) { return text ? text : other; }
inline std::string text_or_empty(const char* text) { return text_or(text, ""); }

/// The pointers that the C interface returns for texts: valid while the list is unchanged.
inline std::vector<const char*> pointers_to(const std::vector<std::string>& list) {
  std::vector<const char*> out;
  out.reserve(list.size());
  for (const std::string& text : list) out.push_back(text.c_str());
  return out;
}

}  // namespace graze::c
