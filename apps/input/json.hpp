// The JSON reader and writer that applications share with the readers of models.
#pragma once
#include "json/json_text.hpp"
#include "json/json_write.hpp"

namespace graze::cli {
using namespace json;
}  // namespace graze::cli
