// The reader of OFF.
#pragma once
#include <graze/io.hpp>

#include "io/bytes.hpp"

namespace graze::io {

LoadedModel read_off(const Source& source);

/// Returns true if the content is of this format, whatever the file's name.
bool is_off(const Source& source);

}  // namespace graze::io
