// Well-formed UTF-8.
#pragma once
#include <cstddef>
#include <string_view>

namespace graze::json {

/// Length of the well-formed UTF-8 character that begins at `i`, or 0.
std::size_t utf8_length(std::string_view s, std::size_t i);

}  // namespace graze::json
