// Many boxes: which of them overlap, and which meet a box, ray, sphere or frustum; all of them may move every frame.
#pragma once
#include <cstdint>
#include <functional>
#include <graze/query.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace graze {

/// A set of closed boxes with ids, made for updating all of them each frame and for asking for all overlapping pairs. Single-precision boxes are rounded
/// outward inside, so results are a superset decided on doubles: exact on the boxes given.
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

  /// Ids count from 0; ids of removed boxes are used again, lowest first. Throws Error for NaN or min > max. Infinite sides are legal (planes), and stored as
  /// the largest double: every query sees them so.
  Id insert(const Box& box);
  /// All at once: ids 0 .. n-1; replaces the contents.
  void assign(std::span<const Box> boxes);
  void remove(Id id);
  void move(Id id, const Box& box);
  /// Element i replaces the box of id i; the fast way when everything moves.
  void move_all(std::span<const Box> boxes);
  const Box& box(Id id) const;
  std::size_t size() const;

  /// All pairs (a < b) whose boxes share a point, ascending; on all cores.
  std::vector<IdPair> pairs() const;
  /// All (id of this, id of other), ascending.
  std::vector<IdPair> pairs(const BroadPhase& other) const;

  /// Ids whose boxes meet the shape, ascending. Exact for every shape of the list.
  std::vector<Id> overlapping(ShapeRef shape) const;
  /// Ids wholly inside or crossing, ascending.
  std::vector<Id> visible(const Frustum& frustum) const;
  /// Visits, in no promised order, each id whose box is met by the ray before `t_max`; the visitor returns the new t_max (lower: a hit was found there;
  /// unchanged: go on; negative: stop).
  void along(const Ray& ray, double t_max, const std::function<double(Id, double t_max)>& visit) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze
