// Memory that is to become resident little by little.
#pragma once
#include <cstddef>

namespace graze {

/// Asks the system for small pages at the beginning of an array (see large_array.hpp) of which little more is written at first: a large one would become
/// resident as a whole. Does nothing where more than a large page is written, or the array has no pages of its own.
void begin_in_small_pages(void* array, std::size_t bytes, std::size_t written);

}  // namespace graze
