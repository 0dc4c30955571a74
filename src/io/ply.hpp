// The reader of PLY, binary and ASCII.
#pragma once
#include <graze/io.hpp>

#include "io/bytes.hpp"

namespace graze::io {

LoadedModel read_ply(const Source& source);

/// Returns true if the content is of this format, whatever the file's name.
bool is_ply(const Source& source);

}  // namespace graze::io
