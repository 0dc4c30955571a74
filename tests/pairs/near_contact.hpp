// For tests of round shapes against oriented boxes: points at a given height above the surface of a box, where contact depends on rounding.
#pragma once
#include "pairs/pair_check.hpp"
#include "support/random.hpp"

namespace graze::test {

struct Above {
  Vec3 point, normal;  ///< at `height` along the normal over a point of a face, an edge or a corner
};
/// `kind`: 0 a face, 1 an edge, 2 a corner.
inline Above above_surface(Random& random, const OrientedBox& box, int kind, double height) {
  Vec3 p = box.center, n(0, 0, 0);
  const int first = random.integer(0, 2);
  for (int i = 0; i < 3; ++i) {
    const int k = (first + i) % 3;
    const double side = random.integer(0, 1) ? 1 : -1;
    const bool at_end = i <= kind;
    p += box.axes[static_cast<std::size_t>(k)] * (box.half[k] * (at_end ? side : random.real(-0.9, 0.9)));
    if (at_end) n += box.axes[static_cast<std::size_t>(k)] * (side * random.real(0.2, 1));
  }
  n = n / std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  return {p + n * height, n};
}

/// Counts how often a filter decides, and checks its decisions.
template <class A, class B>
void compare(const A& a, const B& b, Answers& r) {
  const Certain c = intersects_pair(a, b);
  ++(c == Certain::yes ? r.yes : c == Certain::no ? r.no : r.unknown);
  if (c != Certain::unknown) {
    EXPECT_EQ(c == Certain::yes, within(convex_set_of(a, nullptr), convex_set_of(b, nullptr)));
  }
}

}  // namespace graze::test
