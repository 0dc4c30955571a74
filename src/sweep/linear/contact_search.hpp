// The search in doubles for the first contact of two moving convex shapes. It proves that a path is free of contact, or proposes the face that is met first.
#pragma once
#include <cmath>
#include <cstdint>

#include "convex/decide/filter.hpp"
#include "exact/double_parts.hpp"

namespace graze::sweeping {

constexpr double u = kUnitRoundoff;

inline V3<double> high(const V3<TwoDouble>& v) { return {v.x.hi, v.y.hi, v.z.hi}; }

/// The face at which a search in doubles ended; n = 0: none.
struct FoundContact {
  Generator g[3];
  int n = 0;
};

/// Names three corners of a face around the point corner[0] + inside[0] * edge 0 + inside[1] * edge 1, and their weights there. corner[1] and corner[2] are the
/// other ends of the edges, and of a parallelogram corner[3] is the opposite corner: it takes part where the sum is above 1.
void name_face(const Generator (&corner)[4], const double (&inside)[2], FoundContact& found, double (&share)[3]);

/// Whether A and B meet by t_max = 1 or `limit`. `no` and `yes`, for interiors that meet at the start, are certain. Otherwise proposes the face that is met
/// first.
Certain search(const ScaledPair& pair, const V3<double>& m, double limit, FoundContact& found);

/// The approximate point nearest to the origin of a simplex of up to three vertices; `keep` has its relevant vertices, as bits. For proposals only.
V3<double> nearest_of(const V3<double>* w, int n, unsigned& keep);

}  // namespace graze::sweeping
