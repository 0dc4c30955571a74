// The results of a plan's chunks, and of the pairs that are divided (docs/clash.md, "Many machines").
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clash/job/plan_files.hpp"
#include "clash/pairs/decide.hpp"

namespace graze::clash {

/// The result of a chunk.
struct ChunkResult {
  std::vector<std::pair<std::uint32_t, Clash>> findings;  ///< number of the pair in its chunk, ascending, and what decide() says
  std::uint64_t too_shallow = 0;
};

/// Chunks [first, end).
struct ChunkRange {
  std::size_t first, end;
};

/// The pair that a record is a slice of.
std::optional<std::size_t> split_of(const PlanHead& head, std::uint64_t record);
/// The chunks that have slices of a pair.
ChunkRange chunks_of(const PlanHead& head, std::size_t split);
/// The pairs that a chunk has slices of, as numbers of splits, ascending.
std::vector<std::size_t> splits_in(const PlanHead& head, std::size_t chunk);

std::string result_file(const std::string& folder, std::size_t chunk);
/// The verdict on a pair that is divided. Whoever decides its last slice writes it.
std::string verdict_file(const std::string& folder, std::size_t split);

/// `slices`: what was gathered for the chunk's slices, in their order.
void write_result(const PlanHead& head, std::size_t chunk, const ChunkResult& result, const std::vector<Gathered>& slices, const std::string& folder);
void write_verdict(const PlanHead& head, std::size_t split, const std::optional<Clash>& finding, const std::string& folder);

/// These throw Error for a result that is missing, damaged, or of another plan. check_result() compares digests alone, also that of the slices, and of the
/// verdicts on pairs whose first slices are in the chunk, where they are there.
void check_result(const PlanHead& head, std::size_t chunk, const std::string& folder);
void check_verdict(const PlanHead& head, std::size_t split, const std::string& folder);
ChunkResult read_result(const PlanHead& head, std::size_t chunk, const std::string& folder);
std::optional<Clash> read_verdict(const PlanHead& head, std::size_t split, const std::string& folder);
/// What was gathered for a pair.
std::vector<Gathered> read_slices(const PlanHead& head, std::size_t split, const std::string& folder);

}  // namespace graze::clash
