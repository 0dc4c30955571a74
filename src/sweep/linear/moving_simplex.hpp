// The iteration of GJK for a Minkowski difference that moves (G. van den Bergen 2004): every direction proves a time without contact, and the simplex follows.
#pragma once
#include <utility>

#include "convex/gjk/gjk.hpp"
#include "exact/certain.hpp"
#include "sweep/linear/contact_search.hpp"

namespace graze::sweeping {

/// A simplex of vertices w + t m.
template <class Name>
struct MovingSimplex : GjkState<Name, double> {
  V3<double> m;
  double t = 0;

  /// Any vertex may be the last, since none may have been added, but nearest_of_points only tests faces with the last: each is made the last once.
  void to_nearest() {
    const int n = this->n;
    V3<double> now[4];
    for (int k = 0; k < n; ++k) now[k] = this->w[k] + t * m;
    Nearest<double> nearest = this->proposed_nearest(now, n);
    for (int turn = 0; turn + 1 < n; ++turn) {
      std::swap(now[turn], now[n - 1]);
      Nearest<double> other = this->proposed_nearest(now, n);
      std::swap(now[turn], now[n - 1]);
      if (sign_of(other.squared_n * nearest.squared_d - nearest.squared_n * other.squared_d) >= 0) continue;
      for (int k = 0; k < other.count; ++k) other.index[k] = other.index[k] == turn ? n - 1 : other.index[k] == n - 1 ? turn : other.index[k];
      nearest = other;
    }
    GjkState<Name, double>::to_nearest(nearest, now);
  }
};

/// Ends where no contact up to `limit` is proven, or x comes near contact. Advances the simplex to the latest time that a plane proves.
struct ContactInDoubles {
  double reach, speed, limit;
  double off;                ///< error of x . w, per |x|_1
  double size;               ///< of the vertices, where `off` does not cover the rounding of level - t * rate
  double small, least_step;  ///< only end the search: lengths that count as 0, as 2^-40 of the reach does, and the part of the time that counts as a step
  int steps;
  Certain contact = Certain::unknown;
  double norm = 0, one = 0;
  int step = 0, stalled = 0;

  bool end(Certain answer) {
    contact = answer;
    return true;
  }
  template <class Name, class Vertex>
  bool at_vertex(MovingSimplex<Name>& s, const Vertex& v) {
    const double level = dot(s.x, v.w), touching = reach * norm * (1 + 16 * u);
    // x . m is off by 4 u |x|_1 |m|, and by u of the motion's rounding
    const double gap = level - one * off - touching;
    const double rate = -dot(s.x, s.m), rate_hi = rate + one * speed * (8 * u);
    bool advanced = false;
    if (gap > 0) {
      if (rate_hi <= 0) return end(Certain::no);
      const double bound = gap / rate_hi * (1 - 8 * u);
      if (bound > limit) return end(Certain::no);
      if (bound > s.t) {
        advanced = bound - s.t > least_step * bound;
        s.t = bound;
      }
    }
    if (steps == 1) return true;
    // Past the nearest approach: this plane keeps A and B apart from t on, and before t there is no contact.
    if (rate_hi <= 0 && (level - s.t * rate) - one * (off + 16 * u * (size + s.t * speed)) > touching) return end(Certain::no);
    if (norm <= reach * (1 + 0x1p-40) + small && !advanced) return true;
    if (s.contains(v.g)) return !advanced && ++stalled > 1;
    s.add(v.g, v.w);
    return false;
  }
};

}  // namespace graze::sweeping
