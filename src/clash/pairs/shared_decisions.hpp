// Machines and buildings repeat: the same two shapes meet in the same relative position a thousand times. Such pairs are decided once.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "bvh/traverse.hpp"
#include "clash/pairs/candidates.hpp"
#include "clash/pairs/decide.hpp"

namespace graze::clash {

/// A pair's parts in a frame of its own: turned back by the turn of its first part where that is one of quarters, and moved back by the first part's
/// translation.
struct PairFrame {
  Pose a, b;
  Box box_a, box_b;
  Pose to_world;
};

/// Decides pairs of a job. A pair whose world coordinates are exact, as those of parts on a grid are, is decided in its own frame, which differs from the world
/// by an exact motion: the verdict is the same, and distances do not depend on where in the world the pair lies. In that frame many pairs are equal.
/// Threads may call it at the same time; which of them decides a pair makes no difference.
class SharedDecisions {
 public:
  /// Keeps references to both. The solids of a pair's meshes must be there when it is decided.
  SharedDecisions(const ClashJob& job, const ClashParts& parts, bool depth);

  Decision decide(const Candidate& c);

  /// The same in pieces (decide.hpp).
  bool can_be_sliced(const Candidate& c) const;
  SurfaceContact contact(const Candidate& c) const;
  Gathered gather(const Candidate& c, const SearchStart& slice, SurfaceContact contact) const;
  Decision conclude(const Candidate& c, std::vector<Gathered> slices) const;

  /// A number that pairs with one decision have in common (others hardly ever); 0 where it is the pair's alone.
  std::uint64_t group(const Candidate& c) const;

  /// Its own frame, or nothing where that would change a coordinate.
  std::optional<PairFrame> frame(const Candidate& c) const;

 private:
  struct Key {
    std::array<double, 21> numbers;  ///< both rotations and the translation of b
    std::uint32_t mesh_a, mesh_b, test;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const;
  };
  struct Shelf {
    std::mutex mutex;
    std::unordered_map<Key, Decision, Hash> known;  // never iterated
  };
  static constexpr std::size_t kShelves = 64;        // a choice: so that threads seldom wait for each other
  static constexpr std::size_t kMostOnShelf = 1024;  // a choice: 64 k decisions are about 40 MB

  /// Whether the part's turned vertices can be moved so without rounding.
  bool is_exact(std::uint32_t part, const Vec3& translation) const;
  std::uint32_t grid_of(std::uint32_t look) const;
  bool repeats(const Candidate& c) const;
  template <class F>
  auto with_bodies(const Candidate& c, F&& f) const;
  template <class F>
  Decision decide_once(const Candidate& c, const PairFrame& f, F&& decide);
  Key key(const Candidate& c, const PairFrame& f) const;

  const ClashJob& job_;
  const ClashParts& parts_;
  bool depth_;
  std::vector<std::uint32_t> looks_;                       ///< by part: parts of one mesh with one rotation look alike
  std::vector<std::uint32_t> like_;                        ///< by look: a part that has it
  std::vector<std::uint32_t> uses_;                        ///< by mesh: how many parts have it
  mutable std::vector<std::atomic<std::uint32_t>> grids_;  ///< by look, when it was needed first
  std::array<Shelf, kShelves> shelves_;
};

}  // namespace graze::clash
