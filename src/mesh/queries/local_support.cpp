// Support functions of convex shapes in a tree's coordinates.
#include "mesh/queries/local_support.hpp"

#include "convex/sets/hull_support.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/leaf.hpp"

namespace graze {
namespace {

constexpr double kLargeLocal = 0x1p200;

Vec3 center_in_world(const MeshView& a) {
  const Vec3& c = a.mesh->tree.frame().center;
  return a.pose ? leaf::place(*a.pose, c) : c;
}

}  // namespace

// Error of farthest(). y in the pair's frame is a point whose value along R d is the greatest up to kLocalError |R d|, and R d itself is rounded: 6 u |d|,
// which counts twice, for the chosen point and for the greatest. R^T y adds 9 u, the sum at + ratio R^T y 4 u of the coordinates of both. All in all below 512
// u in units of the pair, since |y| < 1. The pair's origin is off by what local_point() says, and differences from it by the map's linear part alone, whose
// defect `relative` covers. A hull's point is chosen up to hull_error() |x|_1 instead.
LocalSupport::LocalSupport(const MeshView& a, const PlacedTree& placed, const Operand& b) : origin_(convex_point(center_in_world(a))), pair_(origin_, b, 0) {
  if (b.convex && !b.convex->bounded()) return;
  const WideBvh& tree = *placed.tree;
  const LocalPoint at = local_point(placed, origin_.base(0));
  if (!at.usable) return;
  const double unit = pair_.length_in_world(1);
  if (!(unit > 0) || parts_of(unit).mantissa != 1) return;  // 2^k is no double
  ratio_ = local_length(tree, unit);
  radius_ = local_length(tree, b.radius());
  if (!(ratio_ > 1 / kLargeLocal && ratio_ < kLargeLocal && radius_ < kLargeLocal)) return;
  at_ = {at.at[0], at.at[1], at.at[2]};
  if (placed.placed()) rotation_ = placed.pose.rotation;
  error_ = at.absolute + 512 * kUnitRoundoff * ratio_ + 16 * kUnitRoundoff * max_norm(at_);
  if (b.convex && b.convex->hull && b.convex->segments == 0) {
    hull_ = b.convex;
    error_ += 1.75 * local_length(tree, hull_error(*hull_));
  }
  relative_ = at.relative + 0x1p-40;
  usable_ = error_ < kLargeLocal && relative_ < 0x1p-10;
}

V3<double> LocalSupport::farthest(const V3<double>& d) const {
  V3<double> x = d;
  if (rotation_)
    for (int i = 0; i < 3; ++i) x[i] = (rotation_[i][0] * d.x + rotation_[i][1] * d.y) + rotation_[i][2] * d.z;
  const V3<double> y = hull_ ? pair_.point_to_local(hull_->base(HullDirection(*hull_, -x).least())) : pair_.farthest(1, x);
  V3<double> back = y;
  if (rotation_)
    for (int i = 0; i < 3; ++i) back[i] = (rotation_[0][i] * y.x + rotation_[1][i] * y.y) + rotation_[2][i] * y.z;
  return at_ + ratio_ * back;
}

double distance_slack(const Operand& b, const Box3& box) {
  return b.convex ? 0 : 0x1p-38 * ((box.hi.x - box.lo.x) + (box.hi.y - box.lo.y) + (box.hi.z - box.lo.z));
}

}  // namespace graze
