// How deep parts overlap: translations that end the overlap, each verified.
#pragma once
#include <graze/query.hpp>
#include <optional>
#include <vector>

namespace graze::clash {

struct Body;

/// Whether a translation of `a` shorter than `length` is verified to leave no common inner point. True is a proof; false means that none of the directions
/// tried (normals of the triangles that touch, axes, centre to centre) has one of the lengths tried: `length` and the five powers of 4 below it.
bool clears(const Body& a, const Body& b, bool solid_a, bool solid_b, const std::vector<TrianglePair>& pairs, double length);

/// The least length found among these directions, each a verified translation; within 1e-3 of the least along its direction where longer ones clear, too.
/// Where they do not, it finds what is cleared at one of seven lengths in steps of 4.
std::optional<double> clearing_depth(const Body& a, const Body& b, bool solid_a, bool solid_b, const std::vector<TrianglePair>& pairs);

}  // namespace graze::clash
