// The files of a plan (docs/clash.md, "Many machines"): plan.json names all others and their digests, so that its id covers everything.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clash/candidates.hpp"

namespace graze::clash {

struct PlanChunk {
  std::uint64_t first = 0, pairs = 0;  ///< its records in pairs.bin
  std::uint64_t cost = 0;
  std::string digest;
};

/// What plan.json holds.
struct PlanHead {
  std::string id;  ///< the digest of the rest
  ClashJob job;    ///< without selectors, exclusions and places of models
  bool depth = false;
  std::string date;
  ClashCounts counts;
  std::vector<std::string> hashes, open_reasons, part_notes;  ///< as in ClashParts
  std::string parts_digest, boxes_digest;
  std::vector<PlanChunk> chunks;
};

/// The result of a chunk.
struct ChunkResult {
  std::vector<std::pair<std::uint32_t, Clash>> findings;  ///< number of the pair in its chunk, ascending, and what decide() says
  std::uint64_t too_shallow = 0;
};

std::string plan_file(const std::string& folder);
std::string parts_file(const std::string& folder);
std::string result_file(const std::string& folder, std::size_t chunk);

/// The digest of what identifies the content of a tree file that has been checked: its header and table.
std::string digest_of_tree_file(const std::string& path);

/// Sets the id and returns the content of plan.json.
std::string text_of(PlanHead& head);
void write_plan(const std::string& text, const std::string& folder);
/// Throws Error for a file that is missing, damaged, or of another version.
PlanHead read_plan(const std::string& folder);

/// Models and boxes of parts.
std::string digest_of_boxes(const ClashParts& parts);
void write_boxes(const ClashParts& parts, const std::string& folder);
/// Sets the models and boxes of `parts`.
void read_boxes(const PlanHead& head, const std::string& folder, ClashParts& parts);

void set_digests(const std::vector<Candidate>& pairs, std::vector<PlanChunk>& chunks);
void write_pairs(const std::vector<Candidate>& pairs, const std::string& folder);
/// Compares all chunks of pairs with their digests. Throws Error that names the first that is damaged.
void check_pairs(const PlanHead& head, const std::string& folder);
std::vector<Candidate> read_pairs(const PlanHead& head, std::size_t chunk, const std::string& folder);

void write_result(const PlanHead& head, std::size_t chunk, const ChunkResult& result, const std::string& folder);
/// Throws Error for a result that is missing, damaged, or of another plan. check_result() compares digests alone.
void check_result(const PlanHead& head, std::size_t chunk, const std::string& folder);
ChunkResult read_result(const PlanHead& head, std::size_t chunk, const std::string& folder);

}  // namespace graze::clash
