// Units of length by their names, and models brought from one to another.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/scale.hpp"

namespace graze::io {

/// A fraction of metres, > 0.
struct UnitLength {
  std::uint64_t up, down;
};

/// The length of a unit as LoadedModel::unit has it: "metre", "millimeter", "inch", "inch (0.0254 m)", "2.5 cm". Nothing for names that are not known.
std::optional<UnitLength> length_of_unit(const std::string& unit);

/// From one unit to another; 1 unless both are known and the second is not empty.
Scale scale_between(const std::string& from, const std::string& to);

/// A note that a model's lengths were brought from one unit to another.
void note_scale(const Scale& scale, const std::string& from, const std::string& to, std::vector<std::string>& notes);

}  // namespace graze::io
