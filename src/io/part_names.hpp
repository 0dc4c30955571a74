// Names of parts as UTF-8, whatever the file has.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace graze::io {

/// Names of formats without a rule are often Latin-1. If the name is no UTF-8, makes each byte the Unicode character of the same number, and returns true.
bool make_utf8(std::string& name);

/// A name for a note: in quotes, as UTF-8, without control characters, cut where it is long.
std::string quote_name(std::string name);

/// Adds a note if names of `parts` parts were Latin-1.
void note_latin1(std::size_t parts, std::vector<std::string>& notes);

}  // namespace graze::io
