// How the pairs of a job are ordered, divided and cut into chunks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <vector>

#include "clash/job/plan_files.hpp"
#include "clash/pairs/candidates.hpp"

namespace graze::clash {

struct PlanCut {
  std::vector<PlanPair> pairs;
  std::vector<PlanSplit> splits;
  std::vector<PlanChunk> chunks;  ///< lack their digests
};

/// Sorts the pairs in space, so that those of a chunk share parts, each followed by those that share its decision; divides those whose cost is above
/// `split_cost` (0: a choice) into slices, and cuts all into at most `most` chunks of about equal cost (0: as many as the work asks for).
PlanCut cut_into_chunks(const ClashJob& job, const ClashParts& parts, bool depth, std::size_t most, std::uint64_t split_cost,
                        const std::vector<Candidate>& candidates);

}  // namespace graze::clash
