// The decision of a filter in doubles, and the texts that filters share.
#pragma once
#include <cstddef>
#include <graze/vec.hpp>

#include "exact/approx.hpp"
#include "exact/certain.hpp"
#include "math/point.hpp"

namespace graze {
namespace filter {

/// Three doubles, for proofs in doubles.
using Triple = Point3<double>;
inline Triple difference(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Triple vector(const Vec3& v) { return {v.x, v.y, v.z}; }

/// Whether one of two proofs holds. Not `yes | no`: compilers make two branches of that, of which the first is unpredictable.
inline bool either(bool yes, bool no) { return static_cast<int>(yes) + static_cast<int>(no) != 0; }

#include "pairs/detail/certain-inl.hpp"

inline Certain certain(const Decision<double>& d) {
  if (d.sure) [[likely]]
    return graze::certain(d.yes);
  return Certain::unknown;
}

}  // namespace filter
}  // namespace graze
