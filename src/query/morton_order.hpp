// The order in which a batch of points is worked on: neighbours after each other, so that they walk through the same parts of a tree. Answers do not depend on
// it.
#pragma once
#include <graze/vec.hpp>
#include <span>
#include <vector>

namespace graze {

/// A permutation along a Morton curve (G. M. Morton, "A computer oriented geodetic data base", IBM 1966) of 30 bits; O(n). Finite points, fewer than 2^32.
std::vector<std::uint32_t> coherent_order(std::span<const Vec3> points);

}  // namespace graze
