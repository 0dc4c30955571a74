// The face of A - B nearest to the origin, by name: its nearest points in closed form, and the proof in doubles that no other point of A - B is nearer than the
// errors allow (docs/derivations/decision.md, "Distances").
#pragma once
#include <cstdint>
#include <graze/pair_hint.hpp>
#include <optional>

#include "convex/decide/closest.hpp"
#include "convex/decide/in_pairs.hpp"
#include "pairs/detail/gap.hpp"

namespace graze {

/// One operand's part of a face: base points, and segments of which both ends occur.
struct OperandFace {
  std::uint32_t base[4];
  int bases = 0;
  std::uint32_t bits = 0, varying = 0;  ///< common ends of the segments, and those of which both ends occur

  OperandFace() = default;
  OperandFace(const Simplex<Generator>& s, ConvexCorner Generator::*of);
  int dimensions() const {
    int n = bases - 1;
    for (std::uint32_t v = varying; v != 0; v &= v - 1) ++n;  // mostly none; no CPU level that is compiled for everywhere counts bits
    return n;
  }
};

/// The same of both operands.
struct FaceName {
  OperandFace side[2];

  FaceName() = default;
  /// Of the vertices of a simplex.
  explicit FaceName(const Simplex<Generator>& s) : side{{s, &Generator::a}, {s, &Generator::b}} {}
  int dimensions() const { return side[0].dimensions() + side[1].dimensions(); }
};

PairHint hint_of(const FaceName& face);
/// The face that a hint names, of at most two dimensions. Nothing for other hints, numbers of no point or segment, and unbounded sets.
std::optional<FaceName> face_named(const PairHint& hint, const ConvexSet& a, const ConvexSet& b);
/// The only face that can be clear (see NearestFace) where the nearest point of A - B is x, up to 2^-24 of its length. The length of x counts as little as that
/// of any direction.
std::optional<FaceName> face_near(const ConvexSet& a, const ConvexSet& b, const V3<double>& x);

/// What is computed of a face depends only on the set of its points, not on how it was found.
class NearestFace {
 public:
  /// Keeps references to all three.
  NearestFace(const ConvexSet& a, const ConvexSet& b, const FaceName& face);

  /// Returns whether the nearest points are proven. `clear`: and no other face can be (at most one is clear, and where one is, no other is proven).
  bool closest(ConvexClosest& out, bool clear);
  /// Where x is too short for pairs of doubles: the exact height of the face, whose plane certainly supports A - B, and in which the weights certainly lie.
  bool height(const ScaledPair& pair, const StateInPairs& s, double& scaled_height);
  /// After one of both: of the nearest point of A - B.
  V3<double> direction() const { return {direction_.x, direction_.y, direction_.z}; }

 private:
  /// A direction of the face, its weight, and how far that is from its limits.
  struct Step {
    int side;
    double lo, hi;
    filter::TwoPoint<double> step;
    filter::Triple rounded;
    double weight, room;
  };
  void add(int side, double factor, const filter::TwoPoint<double>& step);
  void place(int side);
  bool weigh();
  void set_direction();
  bool correct();
  void bound_loss(double& loss, double& unit) const;
  bool well_inside(double length) const;
  bool leads_away(const filter::Triple& d, double times) const;
  bool supports(int side) const;

  const ConvexSet* set_[2];
  const FaceName& face_;
  Vec3 corner_[2][4];  ///< the base points, in the order of their coordinates
  int n_, free_count_ = 0;
  Step free_[2];
  filter::TwoPoint<double> point_[2], x_;
  filter::Triple direction_;
  double dd_ = 0, ee_ = 0, area_sq_ = 0;  ///< of the directions d and e: squares of their lengths and of that of d x e
  double size_ = 0, slack_ = 0;
  double clear_ = 0;  ///< how far, times |x|, other corners of A - B must lie from the plane of the face
};

}  // namespace graze
