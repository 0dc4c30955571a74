// Parses, runs and answers one line of `graze query`.
#pragma once
#include <graze/sweep.hpp>
#include <optional>
#include <string>
#include <string_view>
#include "input/json.hpp"
#include "input/model_cache.hpp"

namespace graze::cli {

enum class LineResult { answered, bad_input, internal_error };

/// Appends the answer to `out` as one JSON object without a line end: {"id":..., ...} or {"id":...,"error":"..."}; then `error` has the message, too. Throws
/// nothing but std::bad_alloc.
LineResult answer_line(std::string_view line, ModelCache& models, std::string& out, std::string& error);

/// The answer to a line that was too long, of which only the beginning is known.
void answer_too_long(std::string_view beginning, std::size_t limit, std::string& out, std::string& error);

/// Writes the fields of a sweep's answer, "hit" first. For a motion with rotation "departing" is null, since it is not computed, and "budget_ended" is added.
void put_sweep(JsonObject& answer, const std::optional<SweepHit>& hit, bool turning);

/// "intersect, within, ...".
std::string op_names();

}  // namespace graze::cli
