// Distances of pairs with a closed form. `pair_gap(a, b)` has the shapes in the order of the list `Shapes` or reversed; exchanging two shapes of one kind
// exchanges the result bit for bit. What it leaves undecided goes to the generic distance (convex/closest.hpp).
#pragma once
#include <graze/shapes/box.hpp>
#include <graze/shapes/capsule.hpp>
#include <graze/shapes/oriented_box.hpp>
#include <graze/shapes/point.hpp>
#include <graze/shapes/segment.hpp>
#include <graze/shapes/sphere.hpp>
#include <graze/shapes/triangle.hpp>

#include "pairs/detail/gap.hpp"

namespace graze {

PairGap pair_gap(const Sphere& a, const Sphere& b);
PairGap pair_gap(const Sphere& a, const Capsule& b);
PairGap pair_gap(const Capsule& a, const Capsule& b);
PairGap pair_gap(const Sphere& a, const Triangle& b);
PairGap pair_gap(const Triangle& a, const Triangle& b);
PairGap pair_gap(const Sphere& a, const Box& b);
PairGap pair_gap(const Box& a, const Box& b);
PairGap pair_gap(const Sphere& a, const OrientedBox& b);

// Points are spheres and segments are capsules without a radius.
inline Sphere round_form(const Point& s) { return {s.point, 0}; }
inline Capsule round_form(const Segment& s) { return {s.a, s.b, 0}; }

inline PairGap pair_gap(const Point& a, const Sphere& b) { return pair_gap(round_form(a), b); }
inline PairGap pair_gap(const Point& a, const Capsule& b) { return pair_gap(round_form(a), b); }
inline PairGap pair_gap(const Point& a, const Triangle& b) { return pair_gap(round_form(a), b); }
inline PairGap pair_gap(const Point& a, const Box& b) { return pair_gap(round_form(a), b); }
inline PairGap pair_gap(const Point& a, const OrientedBox& b) { return pair_gap(round_form(a), b); }
inline PairGap pair_gap(const Point& a, const Point& b) { return pair_gap(round_form(a), round_form(b)); }
inline PairGap pair_gap(const Point& a, const Segment& b) { return pair_gap(round_form(a), round_form(b)); }
inline PairGap pair_gap(const Sphere& a, const Segment& b) { return pair_gap(a, round_form(b)); }
inline PairGap pair_gap(const Segment& a, const Segment& b) { return pair_gap(round_form(a), round_form(b)); }
inline PairGap pair_gap(const Segment& a, const Capsule& b) { return pair_gap(round_form(a), b); }

}  // namespace graze
