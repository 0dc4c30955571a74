// Patterns of paths.
#pragma once
#include <string_view>

namespace graze::clash {

/// `*` stands for any characters but `/`, `**` for any characters ("a/**/b" also matches "a/b"), `?` for one that is not `/`. Time: proportional to the product
/// of both lengths at most.
bool matches(std::string_view pattern, std::string_view text);

/// Whether the pattern has a wildcard.
bool is_pattern(std::string_view text);

}  // namespace graze::clash
