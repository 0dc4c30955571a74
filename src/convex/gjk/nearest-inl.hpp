// The point of a simplex nearest to the origin, for any number type: doubles and pairs of doubles propose it, integers prove it. Uses no division and no square
// root. A simplex has up to four generators, points and directions (points at infinity). It is the set of all sums w0 g0 + w1 g1 + ... with weights >= 0 where
// the weights of the points sum to 1.
#pragma once
#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "exact/exact_vectors.hpp"
#include "exact/rough.hpp"
#include "exact/two_double.hpp"
#include "platform/expects.hpp"

namespace graze {

/// The face of a simplex that contains the nearest point x, and x itself: x = (X . v0 / X . X) X, or 0.
template <class N>
struct Nearest {
  int count = 0;  ///< number of generators of the face; the first is a point
  int index[4];   ///< of the generators in the simplex
  N weight[4];    ///< of each generator, divided by `total`
  N total;        ///< > 0
  bool at_origin = false;
  V3<N> X;                 ///< normal of the supporting plane at x, towards the simplex: X . y >= X . v0 > 0 for all its y
  N level;                 ///< X . v0
  N squared_n, squared_d;  ///< |x|^2 = squared_n / squared_d, of the lowest degree: vertex v^2 / 1, edge (v x e)^2 / e^2, face (v . n)^2 / n^2
};

/// Weights, normal and square of the nearest point of the affine hull of one subset. Returns false when the subset is dependent or a weight is not positive.
template <class N>
bool nearest_of_face(const V3<N>* g, const bool* is_direction, const int* index, int count, Nearest<N>& out) {
  out.count = count;
  for (int k = 0; k < count; ++k) out.index[k] = index[k];
  const V3<N>& v = g[index[0]];
  V3<N> edge[3];
  for (int k = 1; k < count; ++k) edge[k - 1] = is_direction[index[k]] ? g[index[k]] : g[index[k]] - v;
  if (count == 1) {
    out.weight[0] = out.total = out.squared_d = N(1);
    out.X = v;
    out.squared_n = out.level = dot(v, v);
    out.at_origin = is_zero(v);
    return true;
  }
  if (count == 2) {
    const V3<N>& e = edge[0];
    out.total = dot(e, e);
    if (sign_of(out.total) <= 0) return false;
    out.weight[1] = -dot(v, e);
    const V3<N> c = cross(v, e);
    out.X = cross(e, c);  // e^2 v - (v . e) e
    out.squared_n = out.level = dot(c, c);
    out.squared_d = out.total;
    out.at_origin = is_zero(c);
  } else if (count == 3) {
    const V3<N> n = cross(edge[0], edge[1]);
    out.total = dot(n, n);
    if (sign_of(out.total) <= 0) return false;
    out.weight[1] = dot(cross(edge[1], v), n);
    out.weight[2] = dot(cross(v, edge[0]), n);
    const N height = dot(v, n);
    const int s = sign_of(height);
    out.X = s < 0 ? -n : n;
    out.level = s < 0 ? -height : height;
    out.squared_n = height * height;
    out.squared_d = out.total;
    out.at_origin = s == 0;
  } else {
    const V3<N> n = cross(edge[0], edge[1]);
    N det = dot(n, edge[2]);
    const int s = sign_of(det);
    if (s == 0) return false;
    N w[3] = {dot(cross(edge[2], edge[1]), v), dot(cross(edge[0], edge[2]), v), -dot(n, v)};
    for (int k = 0; k < 3; ++k) out.weight[k + 1] = s < 0 ? -w[k] : w[k];
    out.total = s < 0 ? -det : det;
    out.at_origin = true;
    out.squared_n = N(0);
    out.squared_d = N(1);
  }
  N rest = out.total;
  for (int k = 1; k < count; ++k) {
    if (sign_of(out.weight[k]) <= 0) return false;
    if (!is_direction[index[k]]) rest = rest - out.weight[k];
  }
  out.weight[0] = rest;
  return sign_of(rest) > 0;
}

/// A filter for large integers: excludes faces of a simplex that are certainly not the nearest, by signs of rough numbers. Differences of points are computed
/// exactly first.
class RoughSimplex {
 public:
  /// Exact arithmetic is as fast for numbers shorter than this.
  static constexpr std::size_t kWorth = 16;  // limbs
  static bool worth(const V3<BigInt>* g, int n) {
    std::size_t size = 0;
    for (int k = 0; k < n; ++k)
      size = std::max({size, static_cast<std::size_t>(g[k].x.backend().size()), static_cast<std::size_t>(g[k].y.backend().size()),
                       static_cast<std::size_t>(g[k].z.backend().size())});
    return size >= kWorth;
  }
  RoughSimplex(const V3<BigInt>* g, const bool* is_direction, int n) : is_direction_(is_direction), n_(n) {
    for (int k = 0; k < n; ++k) g_[k] = rough(g[k]);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        if (j != k) from_[k][j] = is_direction[j] ? g_[j] : rough(g[j] - g[k]);
  }
  /// Tests the face of these generators; the first is a point.
  bool surely_not(const int* index, int count) const {
    const V3<Rough>& v = g_[index[0]];
    const auto edge = [&](int k) -> const V3<Rough>& { return from_[index[0]][index[k]]; };
    V3<Rough> X = v;
    Rough total, weight[3];
    if (count == 2) {
      const V3<Rough>& e = edge(1);
      total = dot(e, e);
      weight[0] = -dot(v, e);
      X = cross(e, cross(v, e));
    } else if (count == 3) {
      const V3<Rough> n = cross(edge(1), edge(2));
      total = dot(n, n);
      weight[0] = dot(cross(edge(2), v), n);
      weight[1] = dot(cross(v, edge(1)), n);
      const int side = dot(v, n).certain_sign();
      if (side == 0)
        X = {};
      else
        X = side < 0 ? -n : n;
    } else if (count == 4) {
      const V3<Rough> n = cross(edge(1), edge(2));
      total = dot(n, edge(3));
      const int side = total.certain_sign();
      if (side == 0) return false;
      weight[0] = dot(cross(edge(3), edge(2)), v);
      weight[1] = dot(cross(edge(1), edge(3)), v);
      weight[2] = -dot(n, v);
      if (side < 0) {
        total = -total;
        for (Rough& w : weight) w = -w;
      }
    }
    Rough rest = total;
    for (int k = 1; k < count; ++k) {
      if (weight[k - 1].certain_sign() < 0) return true;
      if (!is_direction_[index[k]]) rest = rest - weight[k - 1];
    }
    if (count > 1 && rest.certain_sign() < 0) return true;
    if (count == 4) return false;
    for (int k = 0; k < n_; ++k) {  // X . (g_k - v) is X . g_k less the level
      bool in_face = false;
      for (int j = 0; j < count; ++j) in_face = in_face || index[j] == k;
      if (!in_face && dot(X, from_[index[0]][k]).certain_sign() < 0) return true;
    }
    return false;
  }

 private:
  static V3<Rough> rough(const V3<BigInt>& v) { return {Rough(v.x), Rough(v.y), Rough(v.z)}; }
  const bool* is_direction_;
  int n_;
  V3<Rough> g_[5], from_[5][5];
};

/// The nearest point of the simplex of n generators. With exact numbers the face is found by its optimality conditions and always exists. With rounded numbers
/// (`exact` false) the result is a proposal: the face of least |x| among those that contain the last generator, which the iteration has just added.
template <bool exact, class N>
void nearest_of_simplex(const V3<N>* g, const bool* is_direction, int n, Nearest<N>& out) {
  GRAZE_EXPECTS(n >= 0 && n <= 4);
  static constexpr unsigned char masks[15] = {1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15};  // ordered by size
  const int all = (1 << n) - 1;
  bool found = false;
  std::optional<RoughSimplex> rough;
  if constexpr (exact && std::is_same_v<N, BigInt>) {
    if (RoughSimplex::worth(g, n)) rough.emplace(g, is_direction, n);
  }
  for (int m = exact ? -1 : 0; m < 15; ++m) {
    // The whole simplex first: a proposal is mostly right, and if all weights are positive no smaller face has the point.
    const int mask = m < 0 ? all : masks[m];
    if (exact && m >= 0 && mask == all) continue;
    if (mask >> n || (!exact && !(mask >> (n - 1) & 1))) continue;
    int index[4], count = 0;
    for (int k = 0; k < n; ++k)
      if (mask >> k & 1) index[count++] = k;
    int first = 0;
    while (first < count && is_direction[index[first]]) ++first;
    if (first == count) continue;
    std::swap(index[0], index[first]);
    if constexpr (exact && std::is_same_v<N, BigInt>) {
      if (rough && rough->surely_not(index, count)) continue;
    }
    Nearest<N> face;
    if (!nearest_of_face(g, is_direction, index, count, face)) continue;
    if constexpr (exact) {
      bool optimal = true;
      for (int k = 0; k < n && optimal && !face.at_origin; ++k) {
        if (mask >> k & 1) continue;
        const N d = dot(face.X, g[k]);
        optimal = is_direction[k] ? sign_of(d) >= 0 : sign_of(d - face.level) >= 0;
      }
      if (!optimal) continue;
      out = std::move(face);
      return;
    } else {
      if (!found || sign_of(face.squared_n * out.squared_d - out.squared_n * face.squared_d) < 0) out = face;
      found = true;
    }
  }
  GRAZE_EXPECTS(found);
}

/// nearest_of_simplex<false>() of points in doubles, bit for bit, without at_origin, X and level.
inline void nearest_of_points(const V3<double>* g, int n, Nearest<double>& out) {
  GRAZE_EXPECTS(n >= 1 && n <= 4);
  const int last = n - 1;
  const V3<double>& p = g[last];
  double best_n = dot(p, p), best_d = 1;
  out.count = 1, out.index[0] = last, out.weight[0] = out.total = out.squared_d = 1, out.squared_n = best_n;
  if (n == 1) return;
  const auto better = [&](double squared_n, double squared_d) {
    if (!(squared_n * best_d - best_n * squared_d < 0)) return false;
    best_n = squared_n, best_d = squared_d;
    out.squared_n = squared_n, out.squared_d = squared_d;
    return true;
  };
  for (int a = 0; a < last; ++a) {
    const V3<double>& v = g[a];
    const V3<double> e = p - v;
    const double total = dot(e, e), weight = -dot(v, e), rest = total - weight;
    if (!(total > 0 && weight > 0 && rest > 0)) continue;
    const V3<double> c = cross(v, e);
    if (!better(dot(c, c), total)) continue;
    out.count = 2, out.index[0] = a, out.index[1] = last;
    out.weight[0] = rest, out.weight[1] = weight, out.total = total;
  }
  for (int a = 0; a < last; ++a)
    for (int b = a + 1; b < last; ++b) {
      const V3<double>& v = g[a];
      const V3<double> e = g[b] - v, f = p - v, m = cross(e, f);
      const double total = dot(m, m), weight_b = dot(cross(f, v), m), weight_c = dot(cross(v, e), m), rest = (total - weight_b) - weight_c;
      if (!(total > 0 && weight_b > 0 && weight_c > 0 && rest > 0)) continue;
      const double height = dot(v, m);
      if (!better(height * height, total)) continue;
      out.count = 3, out.index[0] = a, out.index[1] = b, out.index[2] = last;
      out.weight[0] = rest, out.weight[1] = weight_b, out.weight[2] = weight_c, out.total = total;
    }
  if (n < 4) return;
  const V3<double>& v = g[0];
  const V3<double> e = g[1] - v, f = g[2] - v, h = p - v, m = cross(e, f);
  const double det = dot(m, h), side = det < 0 ? -1 : 1;
  const double w[3] = {side * dot(cross(h, f), v), side * dot(cross(e, h), v), side * -dot(m, v)}, total = side * det;
  const double rest = ((total - w[0]) - w[1]) - w[2];
  if (!(total > 0 && w[0] > 0 && w[1] > 0 && w[2] > 0 && rest > 0) || !better(0, 1)) return;
  out.count = 4, out.total = total;
  for (int k = 0; k < 4; ++k) out.index[k] = k, out.weight[k] = k == 0 ? rest : w[k - 1];
}

}  // namespace graze
