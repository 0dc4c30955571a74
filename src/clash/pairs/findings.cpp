// Keys and ids are digests of what they depend on.
#include "clash/pairs/findings.hpp"

#include <cstdint>
#include <graze/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "clash/pairs/digest.hpp"

namespace graze::clash {
namespace {

constexpr std::uint64_t kResults = 3;  // goes up when a decision gives other numbers than before, so that those of older programs are not reused

std::string identity(const std::string& test, const std::string& a, const std::string& b, const char* kind) {
  Digest d;
  d.add(test).add(a).add(b).add(std::string_view(kind));
  return d.hex(16);
}

}  // namespace

void check_date(const std::string& date) {
  if (!date.empty() && !is_date(date)) throw Error(ErrorCode::invalid_argument, "date: is \"" + date + "\", must be a date as 2026-11-26");
}

ClashCounts count_parts(const ClashParts& parts) {
  ClashCounts counts;
  counts.parts = parts.parts.size();
  counts.meshes = parts.meshes.size();
  for (const ClashPart& p : parts.parts) {
    counts.triangles += parts.meshes[p.mesh].size();
    counts.open_parts += !parts.solids[p.mesh];
  }
  return counts;
}

Rule rule_of(const ClashJob& job, const Candidate& c, bool depth) {
  const ClashTest& t = job.tests[c.test];
  return {t.clearance, t.min_penetration, t.touching, job.solids, depth};
}

std::string key_of(const ClashJob& job, const ClashParts& parts, const Candidate& c, bool depth) {
  const Rule rule = rule_of(job, c, depth);
  Digest d;
  d.add(kResults);
  for (const ClashPart* p : {&parts.parts[c.a], &parts.parts[c.b]}) {
    d.add(parts.hashes[p->mesh]);
    d.add(std::span(&p->pose.rotation[0][0], 9));
    d.add(p->pose.translation.x).add(p->pose.translation.y).add(p->pose.translation.z);
  }
  d.add(rule.clearance).add(rule.min_penetration).add(std::uint64_t{rule.touching}).add(static_cast<std::uint64_t>(rule.solids)).add(std::uint64_t{rule.depth});
  return d.hex(16);
}

void identify(Clash& finding, const ClashJob& job, const ClashParts& parts, const Candidate& c, std::string key) {
  finding.test = job.tests[c.test].id;
  finding.a = parts.parts[c.a].path;
  finding.b = parts.parts[c.b].path;
  finding.key = std::move(key);
  finding.id = identity(finding.test, finding.a, finding.b, class_of(finding.verdict));
}

}  // namespace graze::clash
