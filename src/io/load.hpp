// Determines the format of a source by content and then by extension, and calls its reader.
#pragma once
#include <graze/io.hpp>
#include <string>

#include "io/bytes.hpp"
#include "io/part_data.hpp"
#include "io/reading_limits.hpp"

namespace graze::io {

/// `path` is the file that the bytes come from, null where there is none.
LoadedModel load_whole(Source source, const std::string* path, const ReadingLimits& limits);
AssemblyData load_parts(Source source, const std::string* path, const ReadingLimits& limits);

/// Throws Error unless it is above 0 and at most 1.
void check_deflection(double deflection, const std::string& name);

bool is_model_extension(const std::string& name);

}  // namespace graze::io
