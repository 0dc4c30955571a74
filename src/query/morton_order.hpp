// The order in which a batch of points is processed. Neighbouring points follow each other, so that they traverse the same parts of a tree. Answers do not
// depend on the order.
#pragma once
#include <cstdint>
#include <graze/vec.hpp>
#include <span>
#include <vector>

namespace graze {

/// A permutation along a Morton curve (G. M. Morton, "A computer oriented geodetic data base", IBM 1966) of 30 bits, in O(n). Requires finite points, fewer
/// than 2^32.
std::vector<std::uint32_t> morton_order(std::span<const Vec3> points);

}  // namespace graze
