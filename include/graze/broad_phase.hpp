// A broad phase: a set of axis-aligned boxes that may all move every frame, with the pairs that overlap and the boxes that meet a
// shape, ray or frustum.
#pragma once
#include <cstdint>
#include <functional>
#include <graze/query.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace graze {

/// A set of closed boxes with ids. All answers are exact on the given boxes of doubles: the tree stores boxes rounded outward to single precision, and doubles
/// decide its candidates.
///
/// Const functions may run concurrently with each other; any other function needs the object to itself.
///
/// Sides may be infinite. They are stored as the largest double, and every query uses that value. Functions that take an id throw
/// Error when no box has it. Boxes with NaN or min > max are refused with an Error.
class BroadPhase {
 public:
  using Id = std::uint32_t;
  using IdPair = std::pair<Id, Id>;

  BroadPhase();
  ~BroadPhase();
  BroadPhase(BroadPhase&&) noexcept;
  BroadPhase& operator=(BroadPhase&&) noexcept;
  BroadPhase(const BroadPhase&);
  BroadPhase& operator=(const BroadPhase&);

  // ---- boxes ----

  /// Adds a box and returns its id. Ids count from 0; those of removed boxes are used again, lowest first.
  Id insert(const Box& box);
  /// Replaces the contents by these boxes, with the ids 0 .. n-1.
  void assign(std::span<const Box> boxes);
  void remove(Id id);
  void move(Id id, const Box& box);
  /// Replaces the box of id i by boxes[i], for all ids at once: the fastest update when everything moves. Throws Error unless
  /// there is one box for each id and every id is in use. After an Error for an invalid box some of the others may have moved.
  void move_all(std::span<const Box> boxes);
  [[nodiscard]] const Box& box(Id id) const;
  [[nodiscard]] std::size_t size() const;

  // ---- pairs ----

  /// Returns all pairs (a < b) whose boxes share a point, ascending. Runs on all cores.
  [[nodiscard]] std::vector<IdPair> pairs() const;
  /// Returns all pairs (id of this, id of other) whose boxes share a point, ascending.
  [[nodiscard]] std::vector<IdPair> pairs(const BroadPhase& other) const;

  // ---- queries ----

  /// Returns the ids of the boxes that intersect a shape of any kind, ascending.
  [[nodiscard]] std::vector<Id> overlapping(ShapeRef shape) const;
  /// Returns the ids of the boxes inside or crossing the frustum, ascending.
  [[nodiscard]] std::vector<Id> visible(const Frustum& frustum) const;
  /// Calls `visit` for each box that the ray meets up to `t_max`, in no promised order. The visitor returns the t_max to continue with: a lower one after a
  /// hit, the same one to continue, a negative one to stop. Throws Error when t_max is NaN.
  void along(const Ray& ray, double t_max, const std::function<double(Id, double t_max)>& visit) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze
