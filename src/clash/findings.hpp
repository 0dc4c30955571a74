// From candidates to findings: rules, keys and ids, counts, and what the run before says. A run and the chunks of a plan use the same functions.
#pragma once
#include <cstdint>
#include <graze/clash.hpp>
#include <string>
#include <unordered_map>

#include "clash/candidates.hpp"
#include "clash/decide.hpp"

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
void identify(Clash& finding, const ClashJob& job, const ClashParts& parts, const Candidate& c, const std::string& key);

/// The findings of the run before, which must outlive this; there may be none.
class RunBefore {
 public:
  explicit RunBefore(const ClashReport* before);

  /// A finding with this key, which has the result of every pair with the key; or null.
  const Clash* known(const std::string& key) const;

  /// A report without findings and counts: unit, date, number of the run, notes.
  ClashReport begin(const ClashJob& job, const ClashParts& parts, const std::string& date) const;

  /// Gives the findings their statuses, adds those that are gone, and sorts all.
  void finish(ClashReport& report) const;

 private:
  const ClashReport* before_;
  std::unordered_map<std::string, const Clash*> by_id_;  // iterated only where the result is sorted afterwards
  std::unordered_map<std::string, const Clash*> by_key_;
};

}  // namespace graze::clash
