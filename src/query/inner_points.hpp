// Whether shapes share inner points of one of them.
#pragma once
#include "parts/children.hpp"

namespace graze {

/// Whether an inner point of one shape belongs to the other. Exact for linear and round shapes and solids; with curved shapes within the bound of
/// `within`. Inner points that several children have only together count where these are linear.
bool inner_points_meet(const Children& a, const Children& b);

}  // namespace graze
