// Exact answers by the simplest means, for tests: vectors of rationals, feasibility of convex combinations by trying all bases.
#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <graze/vec.hpp>
#include <optional>
#include <vector>

namespace graze::test {

using Q = boost::multiprecision::cpp_rational;
using QVec = std::array<Q, 3>;

inline QVec exact(const Vec3& v) { return {Q(v.x), Q(v.y), Q(v.z)}; }
inline QVec operator+(const QVec& a, const QVec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline QVec operator-(const QVec& a, const QVec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline QVec operator*(const Q& s, const QVec& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Q dot(const QVec& a, const QVec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline QVec cross(const QVec& a, const QVec& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }

/// Sign of ((b - a) x (c - a)) . (to - from).
inline int exact_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& from, const Vec3& to) {
  const Q s = dot(cross(exact(b) - exact(a), exact(c) - exact(a)), exact(to) - exact(from));
  return s > 0 ? 1 : s < 0 ? -1 : 0;
}

/// The unique solution of sum x_i column_i = rhs if the columns are independent and it exists.
inline std::optional<std::vector<Q>> solve(std::vector<std::vector<Q>> columns, std::vector<Q> rhs) {
  const std::size_t n = columns.size(), m = rhs.size();
  std::size_t row = 0;
  for (std::size_t c = 0; c < n; ++c, ++row) {
    std::size_t pivot = row;
    while (pivot < m && columns[c][pivot] == 0) ++pivot;
    if (pivot == m) return std::nullopt;
    for (auto& col : columns) std::swap(col[row], col[pivot]);
    std::swap(rhs[row], rhs[pivot]);
    for (std::size_t r = 0; r < m; ++r) {
      if (r == row || columns[c][r] == 0) continue;
      const Q f = columns[c][r] / columns[c][row];
      for (std::size_t k = c; k < n; ++k) columns[k][r] -= f * columns[k][row];
      rhs[r] -= f * rhs[row];
    }
  }
  for (std::size_t r = n; r < m; ++r)
    if (rhs[r] != 0) return std::nullopt;
  std::vector<Q> x(n);
  for (std::size_t c = 0; c < n; ++c) x[c] = rhs[c] / columns[c][c];
  return x;
}

/// All basic solutions x >= 0 of sum x_i column_i = rhs: there is a solution exactly when there is a basic one, and a linear function on the (bounded)
/// solutions has its extremes in basic ones.
inline std::vector<std::vector<Q>> basic_solutions(const std::vector<std::vector<Q>>& columns, const std::vector<Q>& rhs, bool first_only = false) {
  std::vector<std::vector<Q>> found;
  const unsigned n = static_cast<unsigned>(columns.size());
  for (unsigned mask = 1; mask < (1u << n); ++mask) {
    if (static_cast<std::size_t>(__builtin_popcount(mask)) > rhs.size()) continue;
    std::vector<std::vector<Q>> chosen;
    for (unsigned i = 0; i < n; ++i)
      if (mask >> i & 1) chosen.push_back(columns[i]);
    const auto x = solve(chosen, rhs);
    if (!x) continue;
    bool good = true;
    for (const Q& v : *x) good = good && v >= 0;
    if (!good) continue;
    std::vector<Q> full(n);
    for (unsigned i = 0, k = 0; i < n; ++i)
      if (mask >> i & 1) full[i] = (*x)[k++];
    found.push_back(full);
    if (first_only) return found;
  }
  return found;
}

/// Points of hull(a) and hull(b) in common: basic solutions of sum u_i a_i = sum v_j b_j, sums 1.
inline std::vector<QVec> common_points(const std::vector<QVec>& a, const std::vector<QVec>& b, bool first_only = false) {
  std::vector<std::vector<Q>> columns;
  for (const QVec& p : a) columns.push_back({p[0], p[1], p[2], Q(1), Q(0)});
  for (const QVec& p : b) columns.push_back({-p[0], -p[1], -p[2], Q(0), Q(1)});
  std::vector<QVec> points;
  for (const auto& x : basic_solutions(columns, {Q(0), Q(0), Q(0), Q(1), Q(1)}, first_only)) {
    QVec p{};
    for (std::size_t i = 0; i < a.size(); ++i) p = p + x[i] * a[i];
    points.push_back(p);
  }
  return points;
}
inline bool hulls_meet(const std::vector<QVec>& a, const std::vector<QVec>& b) { return !common_points(a, b, true).empty(); }

}  // namespace graze::test
