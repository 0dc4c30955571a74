// A face of A - B by the corners of both sets: a face of one with a corner of the other, or two edges. It has the same name whichever of its vertices were
// found, so that what is computed of it does not depend on the way to it.
#pragma once
#include <cstdint>
#include <graze/pair_hint.hpp>
#include <optional>

#include "convex/minkowski/double_pair.hpp"

namespace graze {

class DifferenceFace {
 public:
  /// The face with these three vertices. Nothing where they do not span a face of a hull, box or triangle and one corner, or two edges (two corners of each
  /// side: whether they are edges is not tested, nor whether three corners of a hull of triangles alone are a facet), for faces of more than FewCorners::kMost
  /// corners, and where a number is that of no corner.
  static std::optional<DifferenceFace> of(const ConvexSet& a, const ConvexSet& b, const CornerNames (&vertex)[3]);

  bool operator==(const DifferenceFace&) const = default;
  const FewCorners& corners(int side) const { return side_[side]; }
  bool contains(const CornerNames& v) const { return side_[0].contains({v.a, v.ends_a}) && side_[1].contains({v.b, v.ends_b}); }
  /// Its vertices in order around it.
  int count() const { return side_[0].count == 2 ? 4 : side_[0].count + side_[1].count - 1; }
  CornerNames vertex(int k) const;
  /// Which of a side's corners vertex k has.
  int place(int side, int k) const {
    if (side_[0].count == 2) return side == 0 ? k == 1 || k == 2 : k > 1;
    return side_[side].count > 1 ? k : 0;
  }

 private:
  FewCorners side_[2];
};

/// Hints. A plane is given by a direction of any length along which all of A is lower than all of B.
PairHint hint_of(const DifferenceFace& face);
PairHint hint_of_plane(const V3<double>& direction);
std::optional<DifferenceFace> face_of(const PairHint& hint, const ConvexSet& a, const ConvexSet& b);
std::optional<V3<double>> plane_of(const PairHint& hint);  ///< a unit vector

}  // namespace graze
