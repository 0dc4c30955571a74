// Points that are doubles are compared by their coordinates, others by exact comparison with those in the same box of doubles.
#include "mesh/arrangement/meeting_points.hpp"

#include <algorithm>

namespace graze {

void MeetingPoints::add(const Vec3& v) {
  if (known_.insert(v).second) vertices.push_back(v);
}

void MeetingPoints::add(const ExactPoint& v) {
  const Box3 box = box_of(v);
  if (box.lo == box.hi) return add(box.lo);
  std::vector<ExactPoint>& same = known_points_[box.lo];  // rarely more than one
  if (std::any_of(same.begin(), same.end(), [&](const ExactPoint& w) { return is_zero(v.scale * w.at - w.scale * v.at); })) return;
  same.push_back(v);
  points.push_back(v);
}

}  // namespace graze
