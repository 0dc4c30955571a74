// What options of the command line accept. A message says what was given and what must be.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "input/json.hpp"

namespace graze::cli {

/// One of some words.
inline CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        std::string out = "is \"" + text + "\", must be " + words[0];
        for (std::size_t i = 1; i < words.size(); ++i) out += (i + 1 < words.size() ? ", " : " or ") + words[i];
        return out;
      },
      "word");
}

/// A whole number from `least` to `most`.
inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [least, most](std::string& text) {
        std::uint64_t x = 0;
        const char* end = text.data() + text.size();
        const auto [at, code] = std::from_chars(text.data(), end, x);
        return code == std::errc() && at == end && x >= least && x <= most ? std::string()
                                                                           : fmt::format("is \"{}\", must be a whole number from {} to {}", text, least, most);
      },
      fmt::format("{} to {}", least, most));
}

/// How fine curved surfaces become triangles.
inline CLI::Validator deflection_number() {
  return CLI::Validator(
      [](std::string& text) {
        const std::optional<double> x = parse_number(text);
        return x && *x > 0 && *x <= 1 ? std::string() : "is \"" + text + "\", must be above 0 and at most 1";
      },
      "fraction");
}

}  // namespace graze::cli
