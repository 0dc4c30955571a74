// How the pairs of a job are ordered and cut into chunks.
#pragma once
#include <cstddef>
#include <graze/clash.hpp>
#include <vector>

#include "clash/candidates.hpp"
#include "clash/plan_files.hpp"

namespace graze::clash {

/// Sorts the pairs in space, so that those of a chunk share parts, each followed by those that share its decision; and cuts them into at most `most` chunks of
/// about equal cost (0: as many as the work asks for). Chunks lack their digests.
std::vector<PlanChunk> cut_into_chunks(const ClashJob& job, const ClashParts& parts, bool depth, std::size_t most, std::vector<Candidate>& pairs);

}  // namespace graze::clash
