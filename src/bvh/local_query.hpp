// Transforms world queries into a tree's own coordinates. The paddings provably cover every rounding of the transformation, including that of placing the items
// by a pose.
//
// Notation: u = 2^-53. A vertex p (in the mesh's frame) is placed at w = R p + T + e, |e| <= 5u (1.75 |p| + |T|) + 2^-1070 in the maximum norm (rows of R have
// 1-norm < 1.75). Every entry of R^T R - I is at most d, so p = R^T (w - T - e) - (R^T R - I) p, whose last term is at most 3 d |p|. P is the largest
// coordinate of the tree's items, |p| <= P.
#pragma once
#include "bvh/wide_bvh.hpp"
#include "math/ray.hpp"

namespace graze {

/// R and T of a pose, not owned; null for a tree without a pose.
struct RigidMap {
  const double (*rotation)[3] = nullptr;
  const Vec3* translation = nullptr;
};

/// A tree at a pose, and the bound on |R^T (w - T) - p| in the mesh's frame.
struct PlacedTree {
  const WideBvh* tree;
  RigidMap pose;
  double reach = 0;      ///< P
  double error = 0;      ///< 3 d P + 1.75 |e|; 0 when not placed
  double defect = 0;     ///< d; 0 when not placed
  bool extreme = false;  ///< magnitudes above 2^1000, where sums might overflow: nothing is culled

  PlacedTree(const WideBvh& t, const RigidMap& p);
  bool placed() const { return pose.rotation != nullptr; }
};

/// Returns a box that contains the image, in the tree's coordinates, of every point of the world box. Infinite sides are allowed.
QueryBox local_box(const PlacedTree& placed, const Box3& world);

/// Returns the limit for squared lower bounds in the tree's coordinates: a bound above it proves a distance greater than `distance` (>= 0).
float local_limit(const WideBvh& tree, double distance);

/// A point in the tree's coordinates, in doubles. The distance of the world point from a placed item equals that of `at` from the item within a factor 1 -+
/// relative and +- absolute. Not usable if the point is so far away, or the tree so placed, that squares might overflow.
struct LocalPoint {
  double at[3], absolute, relative;
  bool usable;
};
LocalPoint local_point(const PlacedTree& placed, const Vec3& p);

/// Converts a length to the tree's units.
double local_length(const WideBvh& tree, double length);

/// A line in the tree's coordinates: what rays and sweeps share. The tree's parameter is t * 2^exponent - t_in.
class LocalLine {
 public:
  bool misses() const { return misses_; }
  const QueryRay& lanes() const { return lanes_; }
  /// Restricts the query to hits or contacts with parameter <= t (closed).
  void shrink(double t);

 protected:
  /// Culls nothing.
  void give_up();
  /// Sets axis i of the lanes for a line that is at `at` where it enters the tree's cube, among boxes grown by `pad`.
  void set_axis(int i, double at, double direction, double inverse, double pad);

  QueryRay lanes_;
  double t_in_, t_out_, error_;
  int exponent_;
  bool misses_ = false, no_cull_ = false;
};

/// A ray in the tree's coordinates. Its origin is moved along the ray to where it enters the cube [-1.25, 1.25]^3 around the tree (computed in doubles), so
/// that floats suffice from there on: the largest component of the direction has magnitude in [1, 2), the origin's are at most 1.26, the parameter lies in [0,
/// 2.6]. Rounding, in positions: origin to float 1.3, direction 2.5, the three operations of a slab 7.2, in all 11 * 2^-24 < 2^-20 - 5 * 2^-24. The errors of
/// the doubles before that are bounded by `error_` (proportional to the origin's distance). Every box is grown by both. Components of the direction below 2^-40
/// are replaced by 2^-40, which shifts the ray by 2^-38 more. When `error_` is not small (see near_ray.hpp), the ray is clipped in exact arithmetic
/// (far_line.hpp): distance then costs no accuracy, but the ray's parameters no longer correspond to positions in the tree. Nothing is culled if a pose rounds
/// the items to a few points and the ray meets those.
class LocalRay : public LocalLine {
 public:
  LocalRay(const PlacedTree& placed, const RayQuery& ray);

  /// The same ray in doubles, for tests at leaves. The point at local parameter s is about start + s * direction, s in [0, length()]. In the cube around the
  /// tree every true point of the ray lies within spread() of the computed one in each coordinate, and its true parameter t satisfies: t * time_unit() - t_in()
  /// is within spread() of s. spread() is infinite where doubles do not suffice.
  const double* start() const { return start_; }
  const double* direction() const { return direction_; }
  const double* inverse_direction() const { return inverse_direction_; }  ///< 1 / direction(), rounded
  double length() const { return t_out_ - t_in_; }
  double spread() const { return spread_; }
  /// 0 if the unit is not a double of ordinary magnitude.
  double time_unit() const;
  double t_in() const { return t_in_; }

 private:
  bool ordinary(const LocalFrame& frame, const RayQuery& ray);
  void general(const PlacedTree& placed, const RayQuery& ray);
  /// For a ray too far away for doubles: transforms its line exactly, so only the rounding of the items themselves remains. Returns false if nothing is left to
  /// do.
  bool start_far(const PlacedTree& placed, const RayQuery& ray, Vec3& local, Vec3& d);
  /// Restricts the parameters to those in the cube.
  void clip_to_cube(const Vec3& local, const Vec3& d);
  void set_lanes(const double local[3], const double d[3]);

  double start_[3], direction_[3], inverse_direction_[3], spread_;  // the constructor sets all of them, either directly or after default values
};

/// A world box that moves along t * motion, t in [0, 1], in the tree's coordinates. It is treated as a ray of the box's centre among boxes grown by its half
/// sizes h. The bounds are those of LocalRay, but positions may be larger by h, so 2^-20 (1 + h) covers the float roundings, at most 11 * 2^-24 of the
/// positions. The relative error of the motion's components is at most 4 u before placing. Boxes 2^40 times the tree's size (unbounded shapes) cull nothing.
class LocalSweep : public LocalLine {
 public:
  LocalSweep(const PlacedTree& placed, const Box3& world, const Vec3& motion) : LocalSweep(placed, Place(local_box(placed, world)), motion) {}
  /// The box in the tree's coordinates, with all rounding included.
  struct Place {
    double center[3], half[3];
    Place() = default;
    explicit Place(const QueryBox& box) {
      for (int i = 0; i < 3; ++i) {
        center[i] = (static_cast<double>(box.lo[i]) + box.hi[i]) * 0.5;
        half[i] = (static_cast<double>(box.hi[i]) - box.lo[i]) * 0.5;
      }
    }
  };
  LocalSweep(const PlacedTree& placed, const Place& at, const Vec3& motion);

  /// For kernels that shorten the interval themselves: the parameter of `lanes` is min(t * 2^exponent, out) - in, and `pad` covers its roundings. Returns false
  /// if nothing is culled or nothing moves.
  bool times(int& exponent, double& in, double& out, double& pad) const {
    exponent = exponent_;
    in = t_in_;
    out = t_out_;
    pad = error_ + 0x1p-21;
    return !no_cull_ && exponent_ > -900 && exponent_ < 900;
  }
};

/// Maps boxes of tree B into the coordinates of tree A, padded for a margin (a length, >= 0) and all rounding. If placed items of both trees come within the
/// margin, their boxes overlap in A's coordinates.
class RelativePlacement {
 public:
  RelativePlacement(const PlacedTree& a, const PlacedTree& b, double margin);
  QueryOrientedBox operator()(const QueryBox& b) const;
  /// Size of B's unit in A's.
  double ratio() const { return ratio_; }
  /// In doubles: a point p of B is at axis[j] p_j + offset in A, off by at most `error` in each coordinate relative to the items of A (including the margin).
  /// Returns false if no such bound is known.
  bool doubles(double axis[3][3], double offset[3], double& error) const;
  /// The same for boxes in floats. Returns false where floats are less effective than doubles: for trees of very different sizes or far apart.
  bool floats(BoxPlacement& p) const;
  /// The same for oriented boxes; `error` bounds that of the points inside in each coordinate, as in doubles().
  bool turns(TurnPlacement& p, double error) const;

 private:
  double axis_[3][3];  // [j][i]: component i (A's frame) of B's axis j
  double offset_[3];
  double ratio_, pad_, skew_;
  bool no_cull_ = false;
};

/// Padding, in the tree's coordinates, that covers the rounding when two items of one tree are placed by the same pose.
float self_padding(const PlacedTree& placed);

}  // namespace graze
