// First contact of two linear or round convex shapes, one of which moves: in doubles with a proof where that is certain, otherwise by the exact decisions of
// convex/.
#pragma once
#include <cstdint>
#include <optional>

#include "convex/time/raycast.hpp"
#include "exact/fine.hpp"
#include "math/box3.hpp"

namespace graze {

/// The feature that touches first: the corners of A and of B that take part. The time is that of the hulls of these corners alone, or of one of them with the
/// whole other shape.
struct ContactFeature {
  int count = 0;  ///< 0: unknown
  struct Corner {
    Vec3 base;
    std::uint32_t bits = 0;
    bool operator==(const Corner&) const = default;
  } a[3], b[3];

  ContactFeature() = default;
  ContactFeature(const ContactFeature& f) { *this = f; }
  ContactFeature& operator=(const ContactFeature& f) {
    count = f.count;
    for (int k = 0; k < count; ++k) {
      a[k] = f.a[k];
      b[k] = f.b[k];
    }
    return *this;
  }
};

struct PairContact {
  double t = 0;               ///< the largest double not above the true first T
  bool exact = false;         ///< T = t, certainly
  bool inside = false;        ///< contact at t = 0
  bool departing = false;     ///< and apart just after t = 0
  Vec3 normal{0, 0, 0};       ///< unit length, from the target to the mover; zero when the start lies deeper than touching
  std::optional<Vec3> point;  ///< a common point, rounded, where known
  bool has_fine = false;
  Fine fine;          ///< T in higher precision, if has_fine
  bool flat[3] = {};  ///< coordinates in which the normal is 0, exactly; of the plane that the feature touches, where known
  ContactFeature feature;
  /// Whether point and normal might differ if `within` had bounded the search for the contact less, as where several faces touch at once.
  bool depends_on_bounds = false;
  double apart = 0;  ///< of curved shapes: the time before contact at which they are clearly apart
};

/// Encloses the first contact of A, which moves by t * motion, t in [0, 1], with B. The result is exact. Requires that no contact is before within.lo; those
/// with T certainly above within.hi may be omitted.
std::optional<PairContact> contact_time(const ConvexSet& a, const Motion& motion, const ConvexSet& b, const TimeBounds& within = {0, 1});

/// A moving ball, for discarding triangles cheaply.
class MovingBall {
 public:
  /// d may have a relative error of 2^-52 in each component.
  MovingBall(const Vec3& center, double radius, const Vec3& d);
  /// Returns true only if the ball certainly touches nothing in the box by `limit`.
  bool surely_misses(const Box3& box, double limit) const;

 private:
  Vec3 center_, d_;
  double radius_;
  bool usable_;
};

/// Whether all numbers are moderate, except those of the base points.
bool all_moderate(const ConvexSet& c);

/// v / |v|, or zero for a zero vector.
Vec3 unit(const Vec3& v);

/// Whether the motion is a triple of doubles; `rounded` returns it.
bool is_exact(const Motion& motion);
Vec3 rounded(const Motion& motion);

}  // namespace graze
