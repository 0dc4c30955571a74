// The local frame of a pair of operands: relative to a point of the first, and scaled by a power of two so that all vertices are below 1/2 in size. The scaling
// is done in two steps, by 2^pre and 2^post; 2^pre keeps products within the range of doubles.
#pragma once
#include <cmath>
#include <graze/vec.hpp>

#include "convex/sets/generators.hpp"
#include "exact/double_parts.hpp"

namespace graze {

inline V3<double> rounded(const V3<TwoDouble>& v) { return {v.x.hi + v.x.lo, v.y.hi + v.y.lo, v.z.hi + v.z.lo}; }
inline V3<double> rounded(const V3<double>& v) { return v; }
inline double rounded(const TwoDouble& x) { return x.hi + x.lo; }
inline double rounded(double x) { return x; }
inline double square_root(double x) { return std::sqrt(x); }

inline V3<TwoDouble> times(const V3<TwoDouble>& v, double f) { return {{v.x.hi * f, v.x.lo * f}, {v.y.hi * f, v.y.lo * f}, {v.z.hi * f, v.z.lo * f}}; }
inline V3<double> times(const V3<double>& v, double f) { return {v.x * f, v.y * f, v.z * f}; }

class MinkowskiFrame {
 public:
  double pre_scaled(double x) const { return pre_ == 0 ? x : scaled(x, pre_); }
  double factor() const { return factor_; }  ///< 2^post
  /// A point in the frame, before the second scaling.
  V3<double> local_d(const Vec3& p) const {
    if (pre_ == 0) return {p.x - origin_.x, p.y - origin_.y, p.z - origin_.z};
    return {pre_scaled(p.x) - origin_.x, pre_scaled(p.y) - origin_.y, pre_scaled(p.z) - origin_.z};
  }
  template <class N>
  V3<N> local(const Vec3& p) const;
  V3<double> point_to_local(const Vec3& p) const { return times(local_d(p), factor_); }
  double length_to_local(double x) const { return scaled(x, pre_ + post_); }
  /// The same frame about another point.
  MinkowskiFrame about(const Vec3& p) const {
    MinkowskiFrame f = *this;
    f.origin_ = Vec3(pre_scaled(p.x), pre_scaled(p.y), pre_scaled(p.z));
    return f;
  }

 protected:
  Vec3 origin_;
  int pre_ = 0, post_ = 0;
  double factor_ = 1;
};

template <>
inline V3<double> MinkowskiFrame::local(const Vec3& p) const {
  return point_to_local(p);
}
template <>
inline V3<TwoDouble> MinkowskiFrame::local(const Vec3& p) const {
  return times(V3<TwoDouble>{two_sum(pre_scaled(p.x), -origin_.x), two_sum(pre_scaled(p.y), -origin_.y), two_sum(pre_scaled(p.z), -origin_.z)}, factor_);
}

}  // namespace graze
