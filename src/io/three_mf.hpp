// The reader of 3MF, the format of additive manufacturing: a package (zip) with models in XML.
#pragma once
#include "io/bytes.hpp"
#include "io/part_data.hpp"
#include "io/reading_limits.hpp"

namespace graze::io {

/// Whether the content is a zip archive; other formats are archives, too.
bool is_zip(const Source& source);

/// Reads the items of the build as parts, with the components of objects below them. What unpacks to more than `max_bytes` is refused, and what unpacks to far
/// more than a model of the file's size does.
AssemblyData read_three_mf(const Source& source, const ReadingLimits& limits);

}  // namespace graze::io
