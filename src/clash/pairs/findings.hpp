// From candidates to findings: rules, keys and ids, and counts. A run and the chunks of a plan use the same functions.
#pragma once
#include <cstdint>
#include <graze/clash.hpp>
#include <string>

#include "bvh/traverse.hpp"
#include "clash/pairs/candidates.hpp"
#include "clash/pairs/decide.hpp"

namespace graze::clash {

/// Throws Error for a text that is neither empty nor a date.
void check_date(const std::string& date);

/// Numbers of parts, meshes and triangles.
ClashCounts count_parts(const ClashParts& parts);

/// What a candidate's test asks.
Rule rule_of(const ClashJob& job, const Candidate& c, bool depth);

/// The key of a candidate's result (Clash::key).
std::string key_of(const ClashJob& job, const ClashParts& parts, const Candidate& c, bool depth);

/// Sets the test, the paths, the key and the id of a finding that has its verdict.
void identify(Clash& finding, const ClashJob& job, const ClashParts& parts, const Candidate& c, std::string key);

}  // namespace graze::clash
