// First contact of a moving part with a part at rest, computed over their triangles by tree traversal, and of whole shapes.
#pragma once
#include <algorithm>
#include <optional>

#include "convex/bounding_volume.hpp"
#include "math/limits.hpp"
#include "parts/part_list.hpp"
#include "sweep/linear/earliest_contact.hpp"

namespace graze {

/// Adds to `first` every candidate for the first contact of one part of the mover and one of the target, named by the numbers of both parts and of the
/// triangles of surfaces.
void sweep_parts(EarliestContact& first, const ListedPart& a, const ListedPart& b);

/// The first contact of two shapes' parts, including shapes that lie inside solids.
void sweep_all(EarliestContact& first, const PartList& a, const PartList& b);

/// A box moving along t * d, with lower bounds of the first t >= 0 at which it may meet other boxes; d may have a relative error of 2^-52 in each component.
class MovingBox {
 public:
  MovingBox(const Box3& box, const Vec3& d);
  /// Returns more than `limit` when the boxes do not meet by then.
  double entry(const Box3& other, double limit) const {
    // Differences have the right sign and a relative error of u = 2^-53, as have quotients and products that do not underflow; d adds 2 u. Together 6 u; 32 u
    // are taken.
    constexpr double wide = 0x1p-48;
    double enter = 0, leave = limit;
    for (int i = 0; i < 3; ++i) {
      const double ahead = other.lo[i] - box_.hi[i], behind = box_.lo[i] - other.hi[i];  // gaps for motion forward and backward
      if (still_[i]) {
        if (ahead > 0 || behind > 0) return kInfinity;
        continue;
      }
      const double to = forward_[i] ? ahead : behind, past = forward_[i] ? behind : ahead;
      if (past > 0) return kInfinity;
      if (inverse_[i] == 0) continue;  // numbers without a usable inverse
      enter = std::max(enter, to * inverse_[i] * (1 - wide));
      leave = std::min(leave, -past * inverse_[i] * (1 + wide) + 0x1p-1060);
    }
    return enter <= leave ? enter : kInfinity;
  }

 private:
  Box3 box_;
  double inverse_[3];
  bool still_[3], forward_[3];
};
inline double box_entry(const Box3& a, const Vec3& d, const Box3& b, double limit) { return MovingBox(a, d).entry(b, limit); }

}  // namespace graze
