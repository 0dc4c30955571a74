// The axis that a model's file declares as up.
#pragma once
#include <graze/shapes.hpp>
#include <optional>
#include <string>

namespace graze::cli {

/// Of LoadedModel::up_axis; nothing when the file names none, or a direction downwards.
inline std::optional<Axis> up_axis_of(const std::string& as_the_file_says) {
  if (as_the_file_says == "x" || as_the_file_says == "y" || as_the_file_says == "z") return static_cast<Axis>(as_the_file_says[0] - 'x');
  return {};
}

}  // namespace graze::cli
