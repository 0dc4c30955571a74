// Input fields for numbers: each shows the shortest text of a double and reads it back to the same bits. Also the fields for all numbers of a shape.
#pragma once
#include <string>
#include "viewer/demo.hpp"

namespace graze::view {

/// A field of this width, its label at the right. Returns true when another finite number was typed, on Enter or when the field loses focus; discards other
/// text.
bool typed(const char* label, double& x, float width);
/// Three fields in a row.
bool typed(const char* label, Vec3& v);
/// A field for each number of a shape. Returns whether the shape has changed. Numbers that give no valid shape leave it unchanged and set `refused` to the
/// reason.
bool typed(AnyShape& shape, std::string& refused);

}  // namespace graze::view
