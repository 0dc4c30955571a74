// The reader of PLY, binary and ASCII.
#pragma once
#include <graze/io.hpp>

#include "io/bytes.hpp"

namespace graze::io {

LoadedModel read_ply(const Source& source);

}  // namespace graze::io
