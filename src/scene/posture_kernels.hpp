// Filters of many postures in SIMD lanes, one posture a lane: places the balls of a moving member, and tests balls against boxes, resting shapes and other
// balls. Answers are masks, one bit a posture of the block. The masks of near_boxes() and near_balls() may differ between CPU levels, what is decided from them
// not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/pose.hpp>
#include <graze/vec.hpp>

namespace graze {

inline constexpr std::size_t kPostureBlock = 64;  ///< postures of a block: the bits of a mask
using PostureMask = std::uint64_t;
inline constexpr std::size_t kPostureRow = kPostureBlock + 8;  ///< doubles of a coordinate: rows a power of two apart would share a few sets of the cache

/// A point of a moving member, and the pose of the compound's child whose own point it is.
struct MemberPoint {
  Vec3 point;
  Pose inner;
  bool composed;  ///< whether `inner` is applied
};

/// What is known of a shape that rests.
struct RestingForm {
  enum class Kind : std::uint8_t { ball, segment, box, oriented_box, cylinder, other };
  Kind kind = Kind::other;
  double box[6] = {};  ///< least and greatest corner of a box that contains whatever counts as touching the shape
  double radius = 0;
  double numbers[12] = {};  ///< centre; ends; least and greatest corner; centre and generators
  double doubt = 0;         ///< by how much a point of an oriented box may be off, and a cylinder be larger or smaller
};

/// Balls of one member in a block: coordinate k of ball i in posture s is places[(3 i + k) kPostureRow + s].
struct PlacedBalls {
  const double* places;
  const double* radii;
  std::size_t count;
  const double* bound;  ///< the ball around them, likewise
  double bound_radius;  ///< see BoundingBall
};

/// Postures in which some pair surely meets, and those in which a pair is undecided; a posture may be in both.
struct PostureVerdict {
  PostureMask yes, unknown;
};

/// The scale of coordinates in single precision: (x - center) * scale.
struct PostureFrame {
  Vec3 center{0, 0, 0};
  double scale = 1;
};

struct PostureKernels {
  /// Places points by the poses of a block, which are `stride` poses apart: exactly the operations of compose() and Pose::apply().
  void (*place)(const Pose* poses, std::size_t stride, const MemberPoint* points, std::size_t count, double* places);
  /// near[i] receives the postures in which the ball with that centre comes within `reach` of box i (six floats: least and greatest corner in the frame,
  /// rounded outward), or nearly.
  void (*near_boxes)(const double* center, double reach, const PostureFrame& frame, const float* boxes, std::size_t count, PostureMask* near);
  /// The postures of `which` in which two balls come within `reach` of each other, centre to centre, or nearly.
  PostureMask (*near_balls)(const double* a, const double* b, double reach, PostureMask which);
  /// Whether any of the balls comes within `distance` of the shape, which must not be `other`.
  PostureVerdict (*balls_and_shape)(const PlacedBalls& balls, const RestingForm& shape, double distance, PostureMask which);
  PostureVerdict (*balls_and_balls)(const PlacedBalls& a, const PlacedBalls& b, double distance, PostureMask which);
};

const PostureKernels& posture_kernels();

/// A placed point of a member is off by at most this share of its own coordinates' sum, of |c|_1 of the point in the member's frame, and of a length that the
/// pose turns: nine roundings each, and 1e-12 that a valid rotation may be off. 2^-36 = 1.4e-11 leaves room for the roundings of the tests, too.
inline constexpr double kPlacedShare = 0x1p-36;

}  // namespace graze
