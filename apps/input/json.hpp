// The JSON reader and writer that applications share with the readers of models.
#pragma once
#include <graze/vec.hpp>
#include <optional>
#include "json/json_text.hpp"
#include "json/json_write.hpp"

namespace graze::cli {
using namespace json;

/// A direction, or weights, as they are written: the sign of a zero in them means nothing, and "-0.0" only puzzles.
inline Vec3 as_direction(const Vec3& v) { return v + Vec3(0, 0, 0); }
inline std::optional<Vec3> as_direction(const std::optional<Vec3>& v) { return v ? std::optional(as_direction(*v)) : v; }
}  // namespace graze::cli
