// The separating axis test in integers, and the count of row K12.
#include "texts/integer_triangles.hpp"
#include <algorithm>
#include <graze/sweep.hpp>
#include "texts/old_methods.hpp"

namespace graze::texts {

namespace {

IntegerPoint minus(const IntegerPoint& a, const IntegerPoint& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
IntegerPoint cross(const IntegerPoint& a, const IntegerPoint& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
std::int64_t dot(const IntegerPoint& a, const IntegerPoint& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
IntegerPoint normal(const IntegerTriangle& t) { return cross(minus(t[1], t[0]), minus(t[2], t[0])); }

/// Whether there is a gap along the axis. The zero axis has none.
bool separates(const IntegerPoint& axis, const IntegerTriangle& a, const IntegerTriangle& b) {
  const auto range = [&](const IntegerTriangle& t) { return std::minmax({dot(axis, t[0]), dot(axis, t[1]), dot(axis, t[2])}); };
  const auto [a_low, a_high] = range(a);
  const auto [b_low, b_high] = range(b);
  return a_high < b_low || b_high < a_low;
}

/// A fixed sequence of random numbers.
struct Grid {
  std::uint64_t state = 1;
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % n; }
  /// With area, corners on -2..2 in the first `dimensions` coordinates, 0 in the others.
  IntegerTriangle triangle(std::size_t dimensions) {
    IntegerTriangle t{};
    do
      for (IntegerPoint& p : t)
        for (std::size_t i = 0; i < dimensions; ++i) p[i] = below(5) - 2;
    while (!has_area(t));
    return t;
  }
};

Triangle to_doubles(const IntegerTriangle& t) {
  Triangle out;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) out.points[k][i] = static_cast<double>(t[k][i]);
  return out;
}

}  // namespace

bool has_area(const IntegerTriangle& t) { return normal(t) != IntegerPoint{0, 0, 0}; }

bool share_a_point(const IntegerTriangle& a, const IntegerTriangle& b) {
  const IntegerPoint na = normal(a), nb = normal(b);
  if (separates(na, a, b) || separates(nb, a, b)) return false;
  for (int i = 0; i < 3; ++i) {
    const IntegerPoint ea = minus(a[(i + 1) % 3], a[i]), eb = minus(b[(i + 1) % 3], b[i]);
    if (separates(cross(na, ea), a, b) || separates(cross(nb, eb), a, b)) return false;
    for (int j = 0; j < 3; ++j)
      if (separates(cross(ea, minus(b[(j + 1) % 3], b[j])), a, b)) return false;
  }
  return true;
}

GridCount count_grid_pairs(std::size_t pairs) {
  Grid grid;
  GridCount n;
  for (std::size_t i = 0; i < pairs; ++i) {
    const IntegerTriangle a = grid.triangle(3), b = grid.triangle(3);
    const Triangle da = to_doubles(a), db = to_doubles(b);
    const bool right = share_a_point(a, b), answer = intersects(da, db);
    n.hits += right;
    n.old_misses += right && !old::triangles_meet(da, db);
    n.missed += right && !answer;
    n.invented += !right && answer;
  }
  return n;
}

MoveCount count_grid_moves(std::size_t moves) {
  Grid grid;
  MoveCount n;
  for (std::size_t i = 0; i < moves; ++i) {
    IntegerTriangle t = grid.triangle(2);
    const Triangle target = to_doubles(t);
    const IntegerPoint p{2 * grid.below(10) - 9, 2 * grid.below(10) - 9, 0};  // in quarters
    for (IntegerPoint& corner : t)
      for (std::int64_t& c : corner) c *= 4;
    bool left = true, right = true;
    for (int k = 0; k < 3; ++k) {
      const std::int64_t side = cross(minus(t[(k + 1) % 3], t[k]), minus(p, t[k]))[2];
      left = left && side >= 0;
      right = right && side <= 0;
    }
    const bool hit = left || right, answer = sweep(Point{{static_cast<double>(p[0]) / 4, static_cast<double>(p[1]) / 4, 1}}, {0, 0, -2}, target).has_value();
    n.hits += hit;
    n.missed += hit && !answer;
    n.invented += !hit && answer;
  }
  return n;
}

}  // namespace graze::texts
