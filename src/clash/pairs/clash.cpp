// The run: all candidates decided, or taken from the run before; and the names of verdicts and statuses.
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clash/pairs/candidates.hpp"
#include "clash/pairs/findings.hpp"
#include "clash/pairs/run_before.hpp"
#include "clash/pairs/shared_decisions.hpp"
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
  std::vector<clash::Candidate> candidates;
  std::optional<clash::RunBefore> before;
  std::optional<clash::SharedDecisions> decisions;
  parallel_for(3, 1, [&](std::size_t begin, std::size_t end) {  // none needs another
    const DefaultFloatEnvironment inner;
    for (std::size_t i = begin; i < end; ++i) {
      if (i == 0) candidates = clash::find_candidates(job, parts);
      if (i == 1) before.emplace(options.before);
      if (i == 2) decisions.emplace(job, parts, options.depth);
    }
  });
  constexpr std::size_t kPairs = 16;  // a choice: in a piece of the loop
  struct Piece {
    std::vector<Clash> found;
    std::uint64_t reused = 0, too_shallow = 0;
  };
  std::vector<Piece> pieces((candidates.size() + kPairs - 1) / kPairs);
  meter.begin(candidates.size());
  parallel_for(candidates.size(), kPairs, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment inner;
    Piece& piece = pieces[begin / kPairs];
    for (std::size_t i = begin; i < end; ++i) {
      const clash::Candidate& c = candidates[i];
      std::string key = clash::key_of(job, parts, c, options.depth);
      std::optional<Clash> finding = before->known(key);
      if (finding) {
        ++piece.reused;
      } else {
        clash::Decision d = decisions->decide(c);
        finding = std::move(d.clash);
        piece.too_shallow += d.too_shallow;
      }
      if (!finding) continue;
      clash::identify(*finding, job, parts, c, std::move(key));
      piece.found.push_back(std::move(*finding));
    }
    meter.add(end - begin);
  });
  ClashReport report = before->begin(job, parts, options.date);
  report.counts = clash::count_parts(parts);
  report.counts.candidates = candidates.size();
  std::vector<Clash*> found;
  for (Piece& piece : pieces) {
    report.counts.reused += piece.reused;
    report.counts.too_shallow += piece.too_shallow;
    for (Clash& c : piece.found) found.push_back(&c);
  }
  report.counts.decided = candidates.size() - report.counts.reused;
  before->finish(report, found);
  return report;
}

}  // namespace graze
