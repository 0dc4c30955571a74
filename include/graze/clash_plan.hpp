// Clash detection by many programs and machines: a plan divides a job into chunks, any program decides any of them, and the results are merged into one report.
// Part of the library graze::clash.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <graze/progress.hpp>
#include <memory>
#include <string>
#include <vector>

namespace graze {

struct ClashPlanOptions {
  bool depth = false;      ///< compute Clash::depth of every overlap
  std::string date;        ///< to be noted with new findings; empty: none
  std::size_t chunks = 0;  ///< at most so many, at least 1; 0: by the work that there is
  /// A pair of parts is divided if it is estimated to cost more (ClashPlan::cost), unless its depth is asked for; 0: 4,000,000. About the triangles of both
  /// parts near the other.
  std::uint64_t split_cost = 0;
  Progress progress = {};
};

/// Writes the plan of a job into a folder, which is made if it is not there: the parts as a tree file, and the candidate pairs, sorted in space and cut into
/// chunks of about equal work. Large pairs are divided into slices, which count as pairs there. docs/clash.md ("Many machines") describes the files. Returns
/// the plan's id, a hash of all that its results depend on.
///
/// The same job and options give the same bytes. A folder with this plan is written anew and keeps its results. Throws Error as find_clashes() does, and for
/// a folder that cannot be written or has another plan. Two calls must not write into one folder at the same time.
[[nodiscard]] std::string write_clash_plan(const ClashJob& job, const ClashParts& parts, const ClashPlanOptions& options, const std::string& folder);

/// What there is of a chunk's result.
enum class ClashChunkState : std::uint8_t {
  missing,
  done,
  damaged  ///< damaged, or the result of another plan
};

/// A plan that has been opened. Programs on any number of machines may work on one at the same time. An object is for one thread at a time.
class ClashPlan {
 public:
  /// Maps the parts. Throws Error that names the file and the place where something is damaged, and for a plan
  /// of another version of the library.
  explicit ClashPlan(const std::string& folder, const Progress& progress = {});
  ~ClashPlan();
  ClashPlan(ClashPlan&&) noexcept;
  ClashPlan& operator=(ClashPlan&&) noexcept;

  [[nodiscard]] const std::string& id() const;
  [[nodiscard]] const ClashJob& job() const;  ///< without selectors and exclusions, which have been applied
  [[nodiscard]] const ClashCounts& counts() const;

  /// Chunks are numbered from 0.
  [[nodiscard]] std::size_t chunks() const;
  [[nodiscard]] std::uint64_t cost(std::size_t chunk) const;  ///< estimated, in any unit
  /// All chunks, those with slices first, then the most expensive: the order in which to hand them out.
  [[nodiscard]] std::vector<std::size_t> largest_first() const;
  /// The chunks of share `number` of `shares`, counted from 1, in the same order. All shares together have each chunk once, and their costs are about
  /// equal. Throws Error unless 1 <= number <= shares.
  [[nodiscard]] std::vector<std::size_t> share(std::size_t number, std::size_t shares) const;

  /// Reads the result of a chunk to see whether it is whole. `damage`, if given, receives what is wrong with a damaged one.
  [[nodiscard]] ClashChunkState state(std::size_t chunk, std::string* damage = nullptr) const;

  /// Decides the pairs of a chunk on all threads, and writes the result: under another name first, so that it is there either whole or not at all. Concludes on
  /// pairs of which the last slice is decided now. Returns the number of findings. A result that is there already is replaced by the same bytes. Throws Error
  /// where the plan is damaged, or cannot be written into.
  [[nodiscard]] std::size_t decide(std::size_t chunk, const Progress& progress = {});

  /// The report of find_clashes() for the job, bit for bit, whoever decided the chunks and however often. Concludes on divided pairs without a verdict.
  /// Statuses come from the run `before`, if given. Throws Error where chunks are not decided yet, or a result is damaged.
  [[nodiscard]] ClashReport merge(const ClashReport* before = nullptr, const Progress& progress = {}) const;

  /// The parts as load_clash_parts() gave them, for reports.
  [[nodiscard]] const ClashParts& parts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze
