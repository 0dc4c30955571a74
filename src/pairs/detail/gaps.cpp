// Closed forms of distances: the shapes as the kernels read them.
#include "pairs/detail/gaps.hpp"

#include "pairs/detail/gap_kernels.hpp"

namespace graze {
namespace {

template <class A, class B>
PairGap gap_of(GapFunctions GapKernels::*functions, const A& a, const B& b) {
  double v[7];
  const bool sure = (gap_kernels().*functions).one(reinterpret_cast<const double*>(&a), reinterpret_cast<const double*>(&b), v);
  return {v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6]}, sure};
}

}  // namespace

PairGap pair_gap(const Sphere& a, const Sphere& b) { return gap_of(&GapKernels::sphere_sphere, a, b); }
PairGap pair_gap(const Sphere& a, const Capsule& b) { return gap_of(&GapKernels::sphere_capsule, a, b); }
PairGap pair_gap(const Capsule& a, const Capsule& b) { return gap_of(&GapKernels::capsule_capsule, a, b); }
PairGap pair_gap(const Sphere& a, const Triangle& b) { return gap_of(&GapKernels::sphere_triangle, a, b); }
PairGap pair_gap(const Triangle& a, const Triangle& b) { return gap_of(&GapKernels::triangle_triangle, a, b); }
PairGap pair_gap(const Sphere& a, const Box& b) { return gap_of(&GapKernels::sphere_box, a, b); }
PairGap pair_gap(const Box& a, const Box& b) { return gap_of(&GapKernels::box_box, a, b); }
PairGap pair_gap(const Sphere& a, const OrientedBox& b) { return gap_of(&GapKernels::sphere_oriented_box, a, b); }

}  // namespace graze
