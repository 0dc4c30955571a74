// Determines the format of a source by content and then by extension, and calls its reader.
#pragma once
#include <cstddef>
#include <graze/io.hpp>
#include <string>

#include "io/bytes.hpp"
#include "io/part_data.hpp"

namespace graze::io {

/// `path` is the file that the bytes come from, null where there is none; models that take more than `max_bytes` when decoded are refused.
LoadedModel load_whole(Source source, const std::string* path, std::size_t max_bytes);
AssemblyData load_parts(Source source, const std::string* path, std::size_t max_bytes);

bool is_model_extension(const std::string& name);

}  // namespace graze::io
