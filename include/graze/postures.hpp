// Many postures of a robot, or of anything else that is made of several moving shapes: which of them touch the world or themselves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/pose.hpp>
#include <graze/scene.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace graze {

/// The touching pairs of many postures: those of posture i are pairs[offsets[i]] .. pairs[offsets[i + 1] - 1], each with the lower id first, ascending.
struct PosturePairs {
  std::vector<std::size_t> offsets;  ///< one more than there are postures; the first is 0
  std::vector<std::pair<MemberId, MemberId>> pairs;
};

struct PosturePlan;

/// Some members of a scene that move together, such as the links of a robot, among the others, which rest.
///
/// A posture is a pose for each moving member, as Scene::move() takes it (from the member's own frame to the world), in the order in which the members were
/// given: many postures are one array of poses[posture * members().size() + k], where k counts the moving members. The pairs that count are those of two
/// moving members, and of a moving member and one that rests, as far as Scene::pairs() would consider them: the options of the members let them meet, `accept`
/// admits the pair and `excluded` does not hold it. Pairs of members that rest do not count.
///
/// Each answer is, bit for bit, that of the scene whose moving members were given the posture by Scene::move(): exact, touching included, and with curved
/// shapes within the bound of docs/accuracy.md.
///
/// It keeps a copy of the scene; later changes of the scene do not matter to it. A cheap handle to immutable data, which any number of threads may use.
class Postures {
 public:
  /// Prepares many tests: O(m (m + n) + v) for m moving members, n that rest and v vertices of the moving ones. Of the options `witnesses` and `relations` are
  /// not used; `accept` is called here, once for each pair that it may admit. Throws Error for an id that no member has or that is given twice, and for
  /// `within` as Scene::pairs() does.
  Postures(const Scene& scene, std::span<const MemberId> moving, const PairsOptions& options = {});

  /// The moving members, in the order of the poses of a posture.
  [[nodiscard]] const std::vector<MemberId>& members() const;

  /// Returns for each posture 1 if any pair touches (or comes within `within`), otherwise 0. Runs on all cores. Poses are not validated, as in other queries.
  ///
  /// Bounding balls of the members and the balls that they consist of are placed and tested for several postures at once in SIMD lanes, so shapes made of
  /// Spheres (members that are spheres, or compounds of them) against balls, capsules, boxes and cylinders cost least; only what these tests leave is tested
  /// one by one, and a posture is done when its first pair is known to touch. Throws Error unless the number of poses is a multiple of the number of members.
  [[nodiscard]] std::vector<std::uint8_t> touching(std::span<const Pose> poses) const;
  /// The same into memory of the caller. Throws Error unless there is room for one answer for each posture.
  void touching(std::span<const Pose> poses, std::span<std::uint8_t> out) const;

  /// Returns all pairs that touch (or come within `within`) in each posture: those of Scene::pairs() that count. Runs on all cores. Errors as for touching().
  [[nodiscard]] PosturePairs pairs(std::span<const Pose> poses) const;

 private:
  std::shared_ptr<const PosturePlan> plan_;
};

}  // namespace graze
