// What filters of distances share, in doubles.
#pragma once
#include "exact/two_double.hpp"
#include "pairs/detail/certain.hpp"

namespace graze::filter {

#include "pairs/detail/gap-inl.hpp"

}  // namespace graze::filter

namespace graze {

/// Closest points of two shapes where doubles and one evaluation in pairs of doubles prove them.
using PairGap = filter::Gap<double>;

}  // namespace graze
