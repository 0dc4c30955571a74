// Intersection tests of capsules with capsules and segments.
#pragma once
#include <graze/shapes/capsule.hpp>
#include <graze/shapes/segment.hpp>

namespace graze {

/// Whether the distance of the segments p q and v w is at most r + s.
bool thick_segments_meet(const Vec3& p, const Vec3& q, const Vec3& v, const Vec3& w, double r, double s);

inline bool intersects_pair(const Capsule& a, const Capsule& b) { return thick_segments_meet(a.a, a.b, b.a, b.b, a.radius, b.radius); }
inline bool intersects_pair(const Segment& a, const Capsule& b) { return thick_segments_meet(a.a, a.b, b.a, b.b, b.radius, 0); }

}  // namespace graze
