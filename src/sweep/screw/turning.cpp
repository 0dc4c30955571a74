// Spans of a screw motion as straight paths of an enlarged shape: enlarged by the rotation within the span and by the deviation from the straight path.
#include "sweep/screw/turning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "convex/sets/convex_set_bounds.hpp"
#include "sweep/linear/wide_traversal.hpp"

namespace graze {

using namespace advance;

namespace {

constexpr double kWide = 1 + 0x1p-30;  // covers sums and products of a few terms, each off by some u

/// Returns the convex set itself if it is a ball or capsule, or a box with orthogonal axes, along which it can be enlarged; otherwise a box that contains it.
ConvexSet enlargeable(const ConvexSet& c) {
  if (c.points + c.segments <= 2) return c;
  bool square = c.points == 1 && c.segments == 3;
  for (std::uint32_t k = 0; square && k < 3; ++k) {
    const Vec3 &a = c.segment[k], &b = c.segment[(k + 1) % 3];
    const double aa = dot(a, a), bb = dot(b, b);
    square = aa > 0x1p-400 && aa < 0x1p400 && std::fabs(dot(a, b)) < 0x1p-36 * std::min(aa, bb);
  }
  if (square) return c;
  const Box3 box = bounds(c);
  ConvexSet r;
  r.add_point(Vec3(0, 0, 0));
  for (int i = 0; i < 3; ++i) {
    Vec3 axis(0, 0, 0);
    axis[i] = 1;
    r.add_segment(axis, box.lo[i], box.hi[i]);
  }
  return r;
}

}  // namespace

TurningTraversal::TurningTraversal(const MeshView& surface, const BoundingVolume& shape, const ScrewMotion& motion, bool surface_moves, double error)
    : surface_(surface), motion_(motion), surface_moves_(surface_moves), error_(error + shape.more), turn_(std::fabs(motion.screw.angle)) {
  const ConvexSet c = enlargeable(shape.convex);
  // Copies the points without their pose. Computes the centre, and how far the ends of the half axes are from it, perpendicular to the screw's axis.
  convex_.radius = c.radius;
  for (std::uint32_t i = 0; i < c.points; ++i) convex_.add_point(c.base(i));
  center_ = c.points == 2 ? convex_.own[0] * 0.5 + convex_.own[1] * 0.5 : convex_.own[0];
  double least = kWide, most = c.radius;
  spread_ = 0;
  const auto half = [&](const Vec3& h) {
    spread_ += scaled_length(cross(h, motion.axis));
    least = least == kWide ? scaled_length(h) : std::min(least, scaled_length(h));
    most = std::max(most, scaled_length(h));
  };
  if (c.points == 2) half(convex_.own[1] * 0.5 - convex_.own[0] * 0.5);
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    convex_.add_segment(c.segment[k], c.lo[k], c.hi[k]);
    center_ += (c.lo[k] * 0.5 + c.hi[k] * 0.5) * c.segment[k];
    half((c.hi[k] * 0.5 - c.lo[k] * 0.5) * c.segment[k]);
  }
  spread_ = spread_ * kWide + error_;
  const Vec3& d = motion.screw.displacement;
  const double across = scaled_length(cross(d, motion.axis)), lever = lever_of(center_, 0, motion);
  bend_ =
      turn_ * turn_ * (lever + (surface_moves ? across : 0)) + (surface_moves ? 2 * turn_ * across : 0);  // bounds the second derivative of the centre's path
  bend_ = bend_ * kWide + turn_ * turn_ * error_;
  // The deviation allowed: an eighth of the mean of least and greatest extent, for both together.
  const double allowed = 0.125 * std::sqrt(std::max(least == kWide || c.radius > least ? c.radius : least, most * 0x1p-6) * most);
  if (turn_ * spread_ > allowed) good_span_ = allowed / (turn_ * spread_);
  if (bend_ * good_span_ * good_span_ > 8 * allowed) good_span_ = std::sqrt(8 * allowed / bend_);
  if (!(good_span_ > 0x1p-12)) good_span_ = 0x1p-12;  // a choice: at most 4096 spans unless too many triangles are near
  usable_ = turn_ < 0x1p400 && spread_ < 0x1p400 && bend_ < 0x1p400 && error_ < 0x1p400;
}

Pose TurningTraversal::view(double t) const { return surface_moves_ ? inverse(motion_.at(t)) : motion_.at(t); }

bool TurningTraversal::gather(double begin, double end, std::size_t most, std::vector<Candidate>& out) {
  out.clear();
  const double span = end - begin;
  const Pose middle = view(begin + span * 0.5);
  const Vec3 from = view(begin).apply(center_), to = view(end).apply(center_), shift = from - middle.apply(center_);
  Vec3 displacement = to - from;
  const double error = 32 * error_;  // centre and corners at the beginning, the middle and the end are each off by error_ a coordinate
  double off = (0.5 * turn_ * span * spread_ + 0.125 * span * span * bend_) * kWide;
  if (max_norm(displacement) < 0.0625 * (off + error)) {  // the traversal needs a nonzero path
    off = (off + error) * 1.25;
    displacement = Vec3(0.0625 * off, 0, 0);
  }
  ConvexSet convex;
  for (std::uint32_t i = 0; i < convex_.points; ++i) convex.add_point(middle.apply(convex_.own[i]) + shift);
  const double longer = off * (1 + 0x1p-20);
  if (convex_.segments < 3) convex.radius = convex_.radius + longer;
  for (std::uint32_t k = 0; k < convex_.segments; ++k) {
    const double more = convex_.segments < 3 ? 0 : longer / scaled_length(convex_.segment[k]);
    convex.add_segment(middle.rotate(convex_.segment[k]), convex_.lo[k] - more, convex_.hi[k] + more);
  }
  wide::Traversal traversal(surface_, convex, displacement, error, true);
  usable_ = traversal.usable();
  if (!usable_) return false;
  if (traversal.misses()) return true;
  SweepTraversal& w = traversal.state;
  w.least = 1;
  for (bool done = false; !done;) {
    done = traversal.next() == SweepEvent::done;
    for (std::uint32_t i = 0; i < w.found; ++i) {
      if (out.size() == most) return false;
      const double t = begin + w.candidate[i].lo * span * (1 - 0x1p-40);  // the products; 2^-50 for the sum
      out.push_back({std::max(begin, t - 0x1p-50 * t), surface_.mesh->index_at(w.candidate[i].place)});
    }
    w.found = 0;
  }
  std::sort(out.begin(), out.end(), [](const Candidate& x, const Candidate& y) { return x.t != y.t ? x.t < y.t : x.triangle < y.triangle; });
  return true;
}

}  // namespace graze
