// The files of a plan (docs/clash.md, "Many machines"): plan.json names all others and their digests, so that its id covers everything.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "clash/pairs/candidates.hpp"
#include "clash/pairs/pair_slices.hpp"

namespace graze::clash {

/// A record of pairs.bin: a pair, or a slice of one.
struct PlanPair {
  Candidate pair;
  Slice slice;
};

/// A pair that is divided: its slices' records in pairs.bin, and whether the surfaces touch.
struct PlanSplit {
  std::uint64_t first = 0, slices = 0;
  bool touch = false;
};

/// The order in which a mesh stores its triangles, of which slices are ranges.
struct PlanOrder {
  std::uint64_t mesh = 0;
  std::string digest;
};

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
  std::vector<std::uint64_t> with_seams;                      ///< the meshes of solids with seams, ascending
  std::vector<PlanOrder> orders;                              ///< ascending by mesh
  std::string parts_digest, boxes_digest;
  std::vector<PlanChunk> chunks;
  std::vector<PlanSplit> splits;  ///< ascending
};

std::string plan_file(const std::string& folder);
std::string parts_file(const std::string& folder);

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

/// The orders of all meshes that slices divide.
std::vector<PlanOrder> orders_of(const std::vector<PlanPair>& pairs, const ClashParts& parts);
std::string digest_of_order(const Mesh& mesh);

void set_digests(const std::vector<PlanPair>& pairs, std::vector<PlanChunk>& chunks);
void write_pairs(const std::vector<PlanPair>& pairs, const std::string& folder);
/// Compares all chunks of pairs with their digests. Throws Error that names the first that is damaged.
void check_pairs(const PlanHead& head, const std::string& folder);
std::vector<PlanPair> read_pairs(const PlanHead& head, std::size_t chunk, const std::string& folder);

}  // namespace graze::clash
