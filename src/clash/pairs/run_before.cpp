// Sorted lists, which are joined in one pass.
#include "clash/pairs/run_before.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clash/pairs/candidates.hpp"
#include "platform/parallel.hpp"
#include "platform/parallel_sort.hpp"

namespace graze::clash {
namespace {

constexpr std::size_t kGrain = 256;  // a choice: findings that a thread takes at once

/// Texts whose numbers differ have the order of these numbers.
std::uint64_t begin_of(std::string_view text) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < 8; ++i) out = out << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
  return out;
}

/// What decide() says.
Clash decided(const Clash& c) {
  Clash out;
  out.verdict = c.verdict;
  out.reason = c.reason;
  out.distance = c.distance;
  out.depth = c.depth;
  out.point = c.point;
  out.region = c.region;
  out.triangle_pairs = c.triangle_pairs;
  return out;
}

ClashStatus next_status(const Clash* old) {
  if (old == nullptr || old->status == ClashStatus::resolved) return ClashStatus::fresh;
  return old->status == ClashStatus::fresh ? ClashStatus::active : old->status;
}

}  // namespace

int RunBefore::Entry::compare(const Entry& y) const {
  if (begin != y.begin) return begin < y.begin ? -1 : 1;
  return finding->id.compare(y.finding->id);
}

void RunBefore::add(std::vector<Entry>& list, const Clash& finding) { list.push_back({begin_of(finding.id), &finding, list.size()}); }

void RunBefore::sort(std::vector<Entry>& list) {
  parallel_sort(list, [](const Entry& x, const Entry& y) {
    const int order = x.compare(y);
    return order != 0 ? order < 0 : x.place < y.place;
  });
}

RunBefore::RunBefore(const ClashReport* before) : before_(before) {
  if (before == nullptr) return;
  by_id_.reserve(before->clashes.size());
  for (const Clash& c : before->clashes) {
    add(by_id_, c);
    if (c.status != ClashStatus::resolved && !c.key.empty()) by_key_.emplace(c.key, &c);
  }
  sort(by_id_);
  by_id_.erase(std::unique(by_id_.begin(), by_id_.end(), [](const Entry& x, const Entry& y) { return x.compare(y) == 0; }), by_id_.end());
}

std::optional<Clash> RunBefore::known(const std::string& key) const {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return std::nullopt;
  return decided(*found->second);
}

ClashReport RunBefore::begin(const ClashJob& job, const ClashParts& parts, const std::string& date) const {
  ClashReport report;
  report.unit = job.unit;
  report.date = date;
  report.run = before_ == nullptr ? 1 : before_->run + 1;
  for (const ClashModel& model : job.models) report.models.push_back(model.id);
  report.notes = job.notes;
  const std::vector<std::string> idle = notes_on_exclusions(job, parts);
  report.notes.insert(report.notes.end(), idle.begin(), idle.end());
  report.notes.insert(report.notes.end(), parts.notes.begin(), parts.notes.end());
  return report;
}

void RunBefore::finish(ClashReport& report, const std::vector<Clash*>& found) const {
  std::vector<Entry> by_id;
  by_id.reserve(found.size());
  for (const Clash* c : found) add(by_id, *c);
  sort(by_id);
  struct Line {
    Clash* found;      // null: it is gone
    const Clash* old;  // null: it was not there before
  };
  std::vector<Line> lines;
  lines.reserve(found.size());
  auto old = by_id_.begin();
  bool seen = false;  // whether `old` was found
  const auto pass_old = [&] {
    if (!seen) lines.push_back({nullptr, old->finding});
    seen = false;
    ++old;
  };
  for (const Entry& e : by_id) {
    while (old != by_id_.end() && old->compare(e) < 0) pass_old();
    seen = old != by_id_.end() && old->compare(e) == 0;
    lines.push_back({found[e.place], seen ? old->finding : nullptr});
  }
  while (old != by_id_.end()) pass_old();
  report.clashes.resize(lines.size());
  parallel_for(lines.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Line& line = lines[i];
      Clash& c = report.clashes[i];
      if (line.found == nullptr) {
        c = *line.old;
        c.status = ClashStatus::resolved;
        continue;
      }
      c = std::move(*line.found);
      c.status = next_status(line.old);
      c.first_run = line.old != nullptr ? line.old->first_run : report.run;
      c.date = line.old != nullptr ? line.old->date : report.date;
      c.note = line.old != nullptr ? line.old->note : std::string();
    }
  });
}

}  // namespace graze::clash
