// Signs that decide where points infinitely near to a vertex lie: beside a piece of a plane between two rays from the vertex. Exact, in the tiers of
// predicates.hpp. All arguments are points; v is the vertex, and a ray is given by a point on it.
#pragma once
#include <graze/vec.hpp>

namespace graze {

/// Sign of ((x - v) x (y - v)) . ((a - v) x (b - v)): the turn from x to y in the plane of v, a, b.
int turn_in_plane(const Vec3& v, const Vec3& a, const Vec3& b, const Vec3& x, const Vec3& y);

/// Sign of component x of (w - u) x m, where m = (p - v) + (q - v).
int shadow_turn_of_sum(const Vec3& u, const Vec3& w, const Vec3& v, const Vec3& p, const Vec3& q);
/// The same with n = (a - v) x (b - v) in place of m.
int shadow_turn_of_normal(const Vec3& u, const Vec3& w, const Vec3& v, const Vec3& a, const Vec3& b);

/// Sign of m . N, where N = (t1 - t0) x (t2 - t0) and m = (p - v) + (q - v).
int side_of_sum(const Vec3& t0, const Vec3& t1, const Vec3& t2, const Vec3& v, const Vec3& p, const Vec3& q);
/// The same with n = (a - v) x (b - v) in place of m.
int side_of_normal(const Vec3& t0, const Vec3& t1, const Vec3& t2, const Vec3& v, const Vec3& a, const Vec3& b);

}  // namespace graze
