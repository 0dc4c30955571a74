// The iteration of E. G. Gilbert, D. W. Johnson and S. S. Keerthi (1988): the point of a Minkowski difference A - B nearest to the origin, by simplices of
// support points. One loop for all number types. What ends the search, and the proof of what then holds, is a policy of each use.
#pragma once
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "convex/gjk/nearest-inl.hpp"
#include "exact/approx.hpp"
#include "platform/expects.hpp"

namespace graze {

/// Up to four vertices of A - B, by name.
template <class Name>
struct Simplex {
  Name g[4];
  int n = 0;
  bool contains(const Name& x) const {
    for (int k = 0; k < n; ++k)
      if (g[k] == x) return true;
    return false;
  }
};

/// The same with coordinates.
template <class Name, class N>
struct PlacedSimplex : Simplex<Name> {
  V3<N> w[4];

  void add(const Name& name, V3<N> point) {
    GRAZE_EXPECTS(this->n < 4);
    this->g[this->n] = name;
    w[this->n++] = std::move(point);
  }
  /// Reduces the simplex to one of its faces.
  void keep(const int* index, int count) {
    this->n = count;
    if (std::is_sorted(index, index + count)) {
      for (int k = 0; k < count; ++k) {
        if (index[k] == k) continue;
        this->g[k] = this->g[index[k]];
        w[k] = std::move(w[index[k]]);
      }
      return;
    }
    Name name[4];
    V3<N> point[4];
    for (int k = 0; k < count; ++k) {
      name[k] = this->g[index[k]];
      point[k] = std::move(w[index[k]]);
    }
    for (int k = 0; k < count; ++k) {
      this->g[k] = name[k];
      w[k] = std::move(point[k]);
    }
  }
};

/// The state of a search in rounded numbers. It ends with the last simplex, from which a search for the depth can start.
template <class Name, class N>
struct GjkState : PlacedSimplex<Name, N> {
  N weight[4];
  V3<N> x{N(0), N(0), N(0)};  ///< sum of weight * w, the point of the simplex nearest to the origin
  bool by_normal = false;     ///< directions are those of the simplex: near the origin they stay certain longer than x, a sum that cancels

  V3<N> direction() const {
    if (!by_normal || this->n == 1) return x;
    const V3<N> e = this->w[1] - this->w[0], m = this->n == 2 ? cross(e, cross(this->w[0], e)) : cross(e, this->w[2] - this->w[0]);
    const int side = sign_of(dot(m, x));
    return side > 0 ? m : side < 0 ? -m : x;
  }
  void start(const Name& name, const V3<N>& point) {
    this->n = 0;
    this->add(name, point);
    weight[0] = N(1);
    x = point;
  }
  /// Reduces the simplex to its face nearest to the origin. All four vertices remain where the simplex, as computed, contains the origin.
  void to_nearest() { to_nearest(proposed_nearest(this->w, this->n), this->w); }

 protected:
  static Nearest<N> proposed_nearest(const V3<N>* points, int n) {
    Nearest<N> nearest;
    if constexpr (std::is_same_v<N, double>) {
      nearest_of_points(points, n, nearest);
    } else {
      static constexpr bool points_only[4] = {};
      nearest_of_simplex<false>(points, points_only, n, nearest);
    }
    return nearest;
  }
  /// `at`: the vertices' places that `nearest` belongs to.
  void to_nearest(const Nearest<N>& nearest, const V3<N>* at) {
    x = {N(0), N(0), N(0)};
    for (int k = 0; k < nearest.count; ++k) {
      weight[k] = nearest.weight[k] / nearest.total;
      x = x + weight[k] * at[nearest.index[k]];
    }
    this->keep(nearest.index, nearest.count);
  }
};

/// Searches from the nearest point of the simplex `s`. `difference.least(x)` returns the vertex of A - B least along x. `stop.at_point(s)` returns whether the
/// search ends at a nearest point. `stop.at_vertex(s, v)` returns whether it ends at the vertex v least along that point; if not, it adds v to the simplex.
template <class Difference, class Stop, class State>
void gjk(const Difference& difference, Stop& stop, State& s) {
  while (!stop.at_point(s) && !stop.at_vertex(s, difference.least(s.direction()))) s.to_nearest();
}

/// The weights of the origin in a tetrahedron, times its volume.
template <class N>
void weights_of_origin(const V3<N>* w, N (&d)[4]) {
  d[0] = dot(cross(w[1], w[2]), w[3]), d[1] = -dot(cross(w[0], w[2]), w[3]), d[2] = dot(cross(w[0], w[1]), w[3]), d[3] = -dot(cross(w[0], w[1]), w[2]);
}

/// For certainly_contains_origin(): an error bound of the determinant of three vectors, divided by m^2, when their entries are of size at most m <= `most` and
/// each is off by at most e. A determinant of entries of size at most 1 is at most 4, so an error of one vector adds at most 4 e (m + e)^2, and three add 12 e
/// (m + e)^2 < 18 e m^2 where m > 5 e. Two roundings of each of the six products and five of the sums add at most 6 * 7 u m^3.
constexpr double determinant_error(double e, double most) { return 18 * e + 42 * kUnitRoundoff * most; }

/// Whether the tetrahedron of these vertices, off by at most e in each coordinate, certainly contains the origin. Requires `error` above determinant_error()
/// and 21 e: a determinant above error m^2 is at most 4 m^3, hence m > 5 e. Stores the weights of the origin in `weight` unless that is null.
inline bool certainly_contains_origin(const V3<double>* w, double error, double* weight) {
  double m = 0;
  for (int k = 0; k < 4; ++k) m = std::max({m, std::fabs(w[k].x), std::fabs(w[k].y), std::fabs(w[k].z)});
  const double bound = error * (m * m) + 0x1p-900;  // 2^-900: products that underflow
  double d[4];
  weights_of_origin(w, d);
  const bool positive = d[0] > 0;
  for (const double x : d)
    if (!(positive ? x > bound : -x > bound)) return false;
  for (int k = 0; weight && k < 4; ++k) weight[k] = d[k] / ((d[0] + d[1]) + (d[2] + d[3]));
  return true;
}

}  // namespace graze
