// Signs that compare distances between points, lines and planes with radii, exact for all finite input. They decide the degenerate and touching cases of pairs
// of round shapes.
#pragma once
#include <graze/vec.hpp>

namespace graze {

/// Sign of dist(c, line a b) - (r + s), times |b - a|; 0 when a = b. All radii in this file are >= 0.
int compare_line_distance(const Vec3& a, const Vec3& b, const Vec3& c, double r, double s);

/// Whether dist(c, segment a b) <= r + s.
bool within_segment(const Vec3& a, const Vec3& b, const Vec3& c, double r, double s);

/// Whether the distance between the segments p q and v w is <= r + s.
bool segments_within(const Vec3& p, const Vec3& q, const Vec3& v, const Vec3& w, double r, double s);

/// Whether the distance of p from the triangle a b c (degenerate or not) is <= r.
bool within_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p, double r);

/// Sign of normal . (c - p).
int plane_side(const Vec3& normal, const Vec3& p, const Vec3& c);

/// Sign of |normal . (c - p)| - r |normal|.
int compare_plane_distance(const Vec3& normal, const Vec3& p, const Vec3& c, double r);

/// Sign of dist(c, line o + t d) - r, times |d|.
int compare_axis_distance(const Vec3& o, const Vec3& d, const Vec3& c, double r);

/// Sign of component `drop` of d x (c - o).
int turn_sign(const Vec3& d, const Vec3& o, const Vec3& c, int drop);

}  // namespace graze
