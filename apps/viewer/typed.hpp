// Input fields for numbers: each shows the shortest text of a double and reads it back to the same bits. Also the fields for all numbers of a shape.
#pragma once
#include <string>
#include "viewer/demo.hpp"

namespace graze::view {

/// A field `width` wide, its label at the right. True when another finite number has been typed, at Enter or when the field is left; other text is dropped.
bool typed(const char* label, double& x, float width);
/// Three fields in a row.
bool typed(const char* label, Vec3& v);
/// A field for each number of a shape. True when the shape has changed; numbers that are no valid shape leave it as it is and give the reason in `refused`.
bool typed(AnyShape& shape, std::string& refused);

}  // namespace graze::view
