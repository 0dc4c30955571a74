// The tier in pairs of doubles of the generic decision and distance: it goes on from the simplex with which doubles ended. Where sets touch exactly, integers
// of fixed width test the last simplex.
#pragma once
#include "convex/gjk/gjk.hpp"
#include "convex/minkowski/scaled_pair.hpp"
#include "exact/certain.hpp"

namespace graze {

using StateInPairs = GjkState<Generator, TwoDouble>;

/// Searches until |A - B| <= reach is decided; with `measure`, where A and B are apart, until their distance is accepted. With coordinates below 1 in size,
/// vertices are off by at most 2^-99 each coordinate (sums of at most 7 terms of relative error 2^-102), and x . w by 2^-97 |x|_1, as the choice of w is, so
/// (x . w) / |x| - 2^-95 is a lower and |x| + 2^-95 an upper bound of the true distance of the hulls. A distance is accepted when both bounds, less the sum of
/// radii, agree to 2^-54.
class SearchInPairs {
 public:
  static constexpr double kSlack = 0x1p-95;

  const bool measure;
  const TwoDouble reach;
  StateInPairs s;  ///< whose weights are those of the origin where a tetrahedron is known to contain it
  Certain within = Certain::unknown;
  bool accepted = false;
  double highest_low = 0, lowest_norm = 4;  ///< bounds of the distance of the hulls, but for the slack
  TwoDouble norm = 0, distance = 0;

  /// Runs at once, from a simplex of at least one vertex.
  SearchInPairs(const ScaledPair& pair, const Simplex<Generator>& start, bool measure);

  bool at_point(StateInPairs& state);
  bool at_vertex(StateInPairs& state, const ScaledVertex<TwoDouble>& v);

 private:
  static constexpr double kDecided = 0x1p-93;  // the slack, and what reach is rounded by
  bool end(Certain answer) {
    within = answer;
    return true;
  }
  bool surrounds_origin();
  bool touches_exactly(const ScaledPair& pair) const;

  TwoDouble last_ = 4;
  int step_ = 0;
};

}  // namespace graze
