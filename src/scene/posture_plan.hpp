// What is prepared for many postures: the parts of the moving members with balls around them, the parts of those that rest, and the pairs that count.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <graze/postures.hpp>
#include <graze/scene.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "parts/children.hpp"
#include "scene/box_index.hpp"
#include "scene/posture_kernels.hpp"

namespace graze {

/// A shape that rests: a member or a child of one. Those of one member follow each other.
struct RestingPart {
  ShapeRef shape;
  MemberId member;
  RestingForm form;
  bool curved;
};

/// A shape of a moving member, which is itself or a child, and the ball around it.
struct MovingPart {
  std::optional<Box> box;  ///< in the child's frame, around the vertices of a mesh and some more
  ShapeRef shape;          ///< in the child's frame
  const Pose* inner;       ///< the child's pose; null: none
  std::size_t place;       ///< the number of its placed point among those of a block
  double reach;            ///< of the ball around it, with kPlacedShare of what it covers
};

struct MovingMember {
  MemberId id;
  MovingPart whole;               ///< the ball around all parts; its shape is the member
  std::vector<MovingPart> balls;  ///< Spheres
  std::vector<double> radii;      ///< of `balls`
  std::vector<MovingPart> others;
  std::vector<MemberPoint> points;   ///< whose places follow each other: of `whole`, `balls` and `others`
  std::vector<std::uint8_t> counts;  ///< for each resting part whether the pair counts
};

struct PosturePlan {
  PosturePlan(const Scene& given, std::span<const MemberId> moving, const PairsOptions& options);
  PosturePlan(const PosturePlan&) = delete;

  const Scene scene;  ///< whose shapes are referred to
  const std::vector<MemberId> ids;
  const double within;
  std::vector<MovingMember> members;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< of moving members, that count
  std::size_t places = 0;                                  ///< points placed for a posture
  std::vector<RestingPart> resting;
  PostureFrame frame;
  std::vector<float> boxes;  ///< of `resting` in the frame, if they are few
  BoxIndex index;            ///< of `resting`, otherwise

 private:
  void add_moving(const PairsOptions& options);
  void add_resting(const PairsOptions& options);
  std::deque<Children> children_;
};

}  // namespace graze
