// The run: all candidates decided, or taken from the run before; and the names of verdicts and statuses.
#include <cstddef>
#include <graze/clash.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clash/candidates.hpp"
#include "clash/findings.hpp"
#include "clash/run_before.hpp"
#include "clash/shared_decisions.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/progress_meter.hpp"

namespace graze {

const char* name_of(Verdict v) {
  constexpr const char* names[] = {"identical", "a_in_b", "b_in_a", "overlapping", "touching", "near", "not-evaluated"};
  return names[static_cast<int>(v)];
}

const char* class_of(Verdict v) {
  constexpr const char* names[] = {"hard", "hard", "hard", "hard", "touching", "near", "not-evaluated"};
  return names[static_cast<int>(v)];
}

const char* name_of(ClashStatus s) {
  constexpr const char* names[] = {"new", "active", "reviewed", "approved", "resolved"};
  return names[static_cast<int>(s)];
}

ClashReport find_clashes(const ClashJob& job, const ClashParts& parts, const ClashOptions& options) {
  const DefaultFloatEnvironment guard;
  clash::check_date(options.date);
  ProgressMeter meter(options.progress);
  const std::vector<clash::Candidate> candidates = clash::find_candidates(job, parts);
  const clash::RunBefore before(options.before);
  struct Result {
    std::optional<Clash> clash;
    bool too_shallow = false, reused = false;
  };
  std::vector<Result> results(candidates.size());
  clash::SharedDecisions decisions(job, parts, options.depth);
  meter.begin(candidates.size());
  parallel_for(candidates.size(), 16, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment inner;
    for (std::size_t i = begin; i < end; ++i) {
      const clash::Candidate& c = candidates[i];
      const std::string key = clash::key_of(job, parts, c, options.depth);
      Result& r = results[i];
      if (std::optional<Clash> known = before.known(key)) {
        r.clash = std::move(known);
        r.reused = true;
      } else {
        clash::Decision d = decisions.decide(c);
        r.clash = std::move(d.clash);
        r.too_shallow = d.too_shallow;
      }
      if (r.clash) clash::identify(*r.clash, job, parts, c, key);
    }
    meter.add(end - begin);
  });
  ClashReport report = before.begin(job, parts, options.date);
  report.counts = clash::count_parts(parts);
  report.counts.candidates = candidates.size();
  std::vector<Clash*> found;
  for (Result& r : results) {
    ++(r.reused ? report.counts.reused : report.counts.decided);
    report.counts.too_shallow += r.too_shallow;
    if (r.clash) found.push_back(&*r.clash);
  }
  before.finish(report, found);
  return report;
}

}  // namespace graze
