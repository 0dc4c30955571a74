// The reader of all formats that only assimp knows.
#pragma once
#include <graze/io.hpp>
#include <string>

#include "io/bytes.hpp"
#include "io/import_helper.hpp"
#include "io/reading_limits.hpp"

namespace graze::io {

/// Reads any other format through assimp in a child process; `ending` names the format. With `path`, the helper opens that file itself, and the files that it
/// refers to; otherwise it receives the bytes. Rounded quarter turns become exact unless `limits.literal`, and
/// lengths are brought to `limits.unit`.
LoadedModel read_other(const Source& source, const std::string& ending, const std::string* path, const ReadingLimits& limits);

/// Reads the records of that helper.
LoadedModel read_flat(ImportRecords& records, const Source& source, const ReadingLimits& limits);

}  // namespace graze::io
