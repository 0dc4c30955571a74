// Directions in which A - B is nearest to the origin, or has its least depth, where its surface is round: at a vertex that is a smooth function of the
// direction, or on an edge whose two ends are. The search by simplices and the expanding polytope gain a fixed factor a step there; this finds the direction
// in a few steps, once it is near. It only proposes.
#pragma once
#include <algorithm>
#include <cmath>

#include "convex/minkowski/local_pair.hpp"

namespace graze {

/// C. G. Broyden's method (1965) for two equations r = 0 of a direction n + y, y across n; it starts with differences.
class DirectionSearch {
 public:
  /// Requires a direction of unit length.
  explicit DirectionSearch(const V3<double>& n) : n_(n) {
    const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
    const V3<double> e = cross(n, x <= y && x <= z ? V3<double>{1, 0, 0} : y <= z ? V3<double>{0, 1, 0} : V3<double>{0, 0, 1});
    e_[0] = (1 / std::sqrt(dot(e, e))) * e;
    e_[1] = cross(n, e_[0]);
  }
  V3<double> direction() const { return n_ + (y_[0] * e_[0] + y_[1] * e_[1]); }
  /// Takes r of direction() and goes on to the next direction. False where r is not smooth, or the first direction not near enough.
  bool next(double r0, double r1) {
    if (count_ == 0 || count_ == 3) {
      r_[0] = r0, r_[1] = r1;
    } else if (count_ < 3) {
      double* const column = column_[count_ - 1];
      column[0] = (r0 - r_[0]) / kStep, column[1] = (r1 - r_[1]) / kStep;
    } else {
      if (!(r0 * r0 + r1 * r1 <= 0.25 * (r_[0] * r_[0] + r_[1] * r_[1]))) return false;  // a step of a smooth function leaves far less
      const double squared = d_[0] * d_[0] + d_[1] * d_[1];
      for (int k = 0; k < 2; ++k) {  // what the step has left is the error of the columns along it
        column_[k][0] += r0 * d_[k] / squared, column_[k][1] += r1 * d_[k] / squared;
      }
      r_[0] = r0, r_[1] = r1;
    }
    ++count_;
    if (count_ < 3) {
      y_[0] = count_ == 1 ? kStep : 0, y_[1] = count_ == 2 ? kStep : 0;
      return true;
    }
    if (count_ == 3) {
      y_[0] = y_[1] = 0;
      ++count_;
    }
    const double det = column_[0][0] * column_[1][1] - column_[1][0] * column_[0][1];
    d_[0] = (column_[1][0] * r_[1] - r_[0] * column_[1][1]) / det, d_[1] = (r_[0] * column_[0][1] - column_[0][0] * r_[1]) / det;
    y_[0] += d_[0], y_[1] += d_[1];
    return y_[0] * y_[0] + y_[1] * y_[1] < 0.25;
  }
  /// The same for a vertex w that shall be parallel to its direction.
  bool next(const V3<double>& w) {
    const double along = dot(w, n_);
    return next(dot(w, e_[0]) - along * y_[0], dot(w, e_[1]) - along * y_[1]);
  }

 private:
  static constexpr double kStep = 0x1p-16;  ///< of the differences: a choice, between curvature and rounding
  V3<double> n_, e_[2];
  int count_ = 0;
  double y_[2] = {0, 0}, r_[2], d_[2], column_[2][2];
};

/// An edge of A - B whose ends are smooth functions of the direction n along which both are least.
struct RoundEdge {
  LocalVertex<double> end[2];
  V3<double> n;

  /// Begins with the farthest two vertices of a simplex that is nearly perpendicular to n.
  RoundEdge(const V3<double>* w, int count, const V3<double>& direction) : n((1 / std::sqrt(dot(direction, direction))) * direction) {
    double most = -1;
    for (int j = 0; j < count; ++j)
      for (int k = j + 1; k < count; ++k)
        if (const V3<double> e = w[j] - w[k]; dot(e, e) > most) most = dot(e, e), end[0].w = w[j], end[1].w = w[k];
  }
  /// Finds n perpendicular to the edge and in one plane with it and the origin, up to `place` of the latter.
  bool follow(const LocalPair& pair, double place) {
    DirectionSearch to(n);
    for (bool go_on = true; go_on;) {
      n = to.direction();
      const V3<double> e = end[0].w - end[1].w;
      const double squared = dot(e, e);
      if (!(squared > 0)) return false;
      // Turned by more than n is off, so that either end is least by itself.
      const V3<double> turn = ((2 * std::fabs(dot(n, e)) + 0x1p-38 * std::sqrt(squared)) / squared) * e;
      const V3<double> last[2] = {end[0].w, end[1].w};
      end[0] = pair.least(n - turn);
      end[1] = pair.least(n + turn);
      for (int k = 0; k < 2; ++k)
        if (const V3<double> by = end[k].w - last[k]; !(dot(by, by) < 0.0625 * squared)) return false;
      const V3<double> edge = end[0].w - end[1].w;
      const double tilt = dot(n, edge), off = dot(end[0].w, cross(n, edge)) / std::sqrt(dot(edge, edge));
      if (std::fabs(off) <= place && std::fabs(tilt) <= std::max(0x1p-10 * place, 0x1p-50)) return true;
      go_on = to.next(tilt, off);
    }
    return false;
  }
};

/// How far the place on a round surface or edge may be off, so that it is one for both operands, with room for rounding: a choice.
inline double round_place(const LocalPair& pair) { return std::max(0x1p-40 * pair.extent(), 0x1p-46); }

}  // namespace graze
