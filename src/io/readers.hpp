// One reader per format, from bytes to LoadedModel or Error.
#pragma once
#include <graze/io.hpp>
#include <string>

#include "io/bytes.hpp"

namespace graze::io {

LoadedModel read_obj(const Source& source);
LoadedModel read_off(const Source& source);
LoadedModel read_ply(const Source& source);
LoadedModel read_stl(const Source& source);

/// Reads any other format through assimp in a child process; `ending` names the format. With `path`, the helper opens that file itself, and the files that it
/// refers to; otherwise it receives the bytes.
LoadedModel read_other(const Source& source, const std::string& ending, const std::string* path);

/// Returns true if the content is of this format, whatever the file's name.
bool is_off(const Source& source);
bool is_stl(const Source& source);
bool is_obj(const Source& source);

}  // namespace graze::io
