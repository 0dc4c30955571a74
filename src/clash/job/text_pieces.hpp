// Texts of many lines, built on all threads.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "platform/parallel.hpp"

namespace graze::clash {

/// Appends to a text, which is kept in pieces, what `put(std::string& out, std::size_t i)` appends for each i in [0, n), in order.
template <class F>
void append_lines(std::vector<std::string>& text, std::size_t n, F&& put) {
  constexpr std::size_t kLines = 256;  // a choice: in a piece
  const std::size_t first = text.size();
  text.resize(first + (n + kLines - 1) / kLines);
  parallel_for(n, kLines, [&](std::size_t begin, std::size_t end) {
    std::string& out = text[first + begin / kLines];
    for (std::size_t i = begin; i < end; ++i) put(out, i);
  });
}

}  // namespace graze::clash
