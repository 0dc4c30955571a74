// The reader of Wavefront OBJ.
#pragma once
#include <graze/io.hpp>

#include "io/bytes.hpp"

namespace graze::io {

LoadedModel read_obj(const Source& source);

/// Returns true if the content is of this format, whatever the file's name.
bool is_obj(const Source& source);

}  // namespace graze::io
