// Plans: made from the candidates of a job, decided chunk by chunk, merged.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <graze/assembly.hpp>
#include <graze/clash_plan.hpp>
#include <graze/error.hpp>
#include <graze/tree_file.hpp>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "clash/candidates.hpp"
#include "clash/findings.hpp"
#include "clash/plan_cut.hpp"
#include "clash/plan_files.hpp"
#include "clash/run_before.hpp"
#include "clash/shared_decisions.hpp"
#include "json/utf8.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/progress_meter.hpp"

namespace graze {
namespace {

namespace fs = std::filesystem;

void make_folder(const std::string& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) throw Error(ErrorCode::unwritable_file, folder + ": cannot be made: " + code.message());
}

Assembly assembly_of(const ClashParts& parts) {
  Assembly out;
  out.meshes = parts.meshes;
  out.parts.reserve(parts.parts.size());
  for (const ClashPart& p : parts.parts) out.parts.push_back({p.path, p.name, p.mesh, p.pose});
  return out;
}

/// Ids of findings depend on those of tests, which plan.json holds as JSON.
void check_ids(const ClashJob& job) {
  for (const ClashTest& t : job.tests)
    for (std::size_t i = 0; i < t.id.size(); i += json::utf8_length(t.id, i))
      if (json::utf8_length(t.id, i) == 0)
        throw Error(ErrorCode::invalid_argument, "test \"" + t.id + "\": its id has no valid UTF-8 at byte " + std::to_string(i) + ", which a plan needs");
}

/// Makes the solids of the meshes whose numbers are given, where they are closed and not there yet.
void examine(ClashParts& parts, std::vector<std::uint32_t> meshes) {
  std::sort(meshes.begin(), meshes.end());
  meshes.erase(std::unique(meshes.begin(), meshes.end()), meshes.end());
  std::erase_if(meshes, [&](std::uint32_t m) { return parts.solids[m] || !parts.open_reasons[m].empty(); });
  parallel_for(meshes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) parts.solids[meshes[i]].emplace(parts.meshes[meshes[i]]);
  });
}

}  // namespace

std::string write_clash_plan(const ClashJob& job, const ClashParts& parts, const ClashPlanOptions& options, const std::string& folder) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  meter.begin(4);
  check_ids(job);
  clash::check_date(options.date);
  std::vector<clash::Candidate> pairs = clash::find_candidates(job, parts);
  meter.add(1);
  clash::PlanHead head;
  head.job = job;
  for (std::string& note : clash::notes_on_exclusions(job, parts)) head.job.notes.push_back(std::move(note));  // a plan has no exclusions
  head.depth = options.depth;
  head.date = options.date;
  head.counts = clash::count_parts(parts);
  head.counts.candidates = pairs.size();
  head.hashes = parts.hashes;
  head.open_reasons = parts.open_reasons;
  head.part_notes = parts.notes;
  head.chunks = clash::cut_into_chunks(job, parts, options.depth, options.chunks, pairs);
  meter.add(1);
  make_folder(folder);
  // The head comes last, and the others get their names late: a call that is ended at any moment can be made again.
  const std::string tree = clash::parts_file(folder), fresh_tree = tree + ".new";
  save_assembly(assembly_of(parts), fresh_tree);
  meter.add(1);
  head.parts_digest = clash::digest_of_tree_file(fresh_tree);
  head.boxes_digest = clash::digest_of_boxes(parts);
  clash::set_digests(pairs, head.chunks);
  const std::string text = clash::text_of(head);
  std::error_code code;
  if (fs::exists(clash::plan_file(folder), code) && clash::read_plan(folder).id != head.id) {
    fs::remove(fresh_tree, code);
    throw Error(ErrorCode::unwritable_file, folder + ": has another plan, which may have results; name another folder, or remove this one");
  }
  fs::rename(fresh_tree, tree, code);
  if (code) throw Error(ErrorCode::unwritable_file, tree + ": cannot be written: " + code.message());
  clash::write_boxes(parts, folder);
  clash::write_pairs(pairs, folder);
  clash::write_plan(text, folder);
  meter.add(1);
  return head.id;
}

struct ClashPlan::State {
  std::string folder;
  clash::PlanHead head;
  ClashParts parts;
  std::optional<clash::SharedDecisions> decisions;
  bool all_examined = false;
};

ClashPlan::ClashPlan(const std::string& folder, const Progress& progress) : state_(std::make_unique<State>()) {
  const DefaultFloatEnvironment guard;
  State& s = *state_;
  s.folder = folder;
  s.head = clash::read_plan(folder);
  const std::string tree = clash::parts_file(folder);
  AssemblyOptions options;
  options.max_bytes = std::numeric_limits<std::size_t>::max();
  options.progress = progress;
  Assembly assembly = load_assembly(tree, options);
  if (clash::digest_of_tree_file(tree) != s.head.parts_digest || assembly.meshes.size() != s.head.counts.meshes || assembly.parts.size() != s.head.counts.parts)
    throw Error(ErrorCode::malformed_file, tree + ": is not the file that plan.json names (by SHA-256): it is of another plan");
  s.parts.meshes = std::move(assembly.meshes);
  s.parts.solids.resize(s.parts.meshes.size());
  s.parts.hashes = s.head.hashes;
  s.parts.open_reasons = s.head.open_reasons;
  s.parts.notes = s.head.part_notes;
  for (AssemblyPart& p : assembly.parts) s.parts.parts.push_back({std::move(p.path), std::move(p.name), 0, p.mesh, p.pose, {}});
  clash::read_boxes(s.head, folder, s.parts);
  s.decisions.emplace(s.head.job, s.parts, s.head.depth);
  clash::check_pairs(s.head, folder);  // so that damage is told even if all are decided
}

ClashPlan::~ClashPlan() = default;
ClashPlan::ClashPlan(ClashPlan&&) noexcept = default;
ClashPlan& ClashPlan::operator=(ClashPlan&&) noexcept = default;

const std::string& ClashPlan::id() const { return state_->head.id; }
const ClashJob& ClashPlan::job() const { return state_->head.job; }
const ClashCounts& ClashPlan::counts() const { return state_->head.counts; }
std::size_t ClashPlan::chunks() const { return state_->head.chunks.size(); }
std::uint64_t ClashPlan::cost(std::size_t chunk) const { return state_->head.chunks.at(chunk).cost; }

std::vector<std::size_t> ClashPlan::largest_first() const {
  std::vector<std::size_t> order(chunks());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return cost(x) > cost(y); });
  return order;
}

std::vector<std::size_t> ClashPlan::share(std::size_t number, std::size_t shares) const {
  if (number < 1 || number > shares)
    throw Error(ErrorCode::invalid_argument, "the share is " + std::to_string(number) + " of " + std::to_string(shares) + ", must be from 1 to their number");
  std::vector<std::size_t> out;
  const std::vector<std::size_t> all = largest_first();
  for (std::size_t i = number - 1; i < all.size(); i += shares) out.push_back(all[i]);
  return out;
}

ClashChunkState ClashPlan::state(std::size_t chunk, std::string* damage) const {
  (void)state_->head.chunks.at(chunk);
  std::error_code code;
  if (!fs::exists(clash::result_file(state_->folder, chunk), code)) return ClashChunkState::missing;
  try {
    clash::check_result(state_->head, chunk, state_->folder);
    return ClashChunkState::done;
  } catch (const Error& error) {
    if (damage != nullptr) *damage = error.what();
    return ClashChunkState::damaged;
  }
}

std::size_t ClashPlan::decide(std::size_t chunk, const Progress& progress) {
  const DefaultFloatEnvironment guard;
  State& s = *state_;
  (void)s.head.chunks.at(chunk);
  ProgressMeter meter(progress);
  const std::vector<clash::Candidate> pairs = clash::read_pairs(s.head, chunk, s.folder);
  const ClashJob& job = s.head.job;
  if (job.solids != ClashSolids::surfaces) {
    std::vector<std::uint32_t> meshes;
    for (const clash::Candidate& c : pairs)
      for (const std::uint32_t part : {c.a, c.b}) meshes.push_back(s.parts.parts[part].mesh);
    examine(s.parts, std::move(meshes));
  }
  std::vector<clash::Decision> decisions(pairs.size());
  meter.begin(pairs.size());
  parallel_for(pairs.size(), 4, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment inner;
    for (std::size_t i = begin; i < end; ++i) decisions[i] = s.decisions->decide(pairs[i]);
    meter.add(end - begin);
  });
  clash::ChunkResult result;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    result.too_shallow += decisions[i].too_shallow;
    if (decisions[i].clash) result.findings.emplace_back(static_cast<std::uint32_t>(i), std::move(*decisions[i].clash));
  }
  clash::write_result(s.head, chunk, result, s.folder);
  return result.findings.size();
}

ClashReport ClashPlan::merge(const ClashReport* before, const Progress& progress) const {
  const DefaultFloatEnvironment guard;
  const State& s = *state_;
  ProgressMeter meter(progress);
  std::size_t missing = 0, first = 0;
  std::error_code code;
  for (std::size_t i = chunks(); i-- > 0;)
    if (!fs::exists(clash::result_file(s.folder, i), code)) ++missing, first = i;
  if (missing > 0)
    throw Error(ErrorCode::unreadable_file, s.folder + ": " + std::to_string(missing) + " of " + std::to_string(chunks()) +
                                                " chunks are not decided (the first is chunk " + std::to_string(first) + "): run the plan first");
  std::vector<clash::ChunkResult> results(chunks());
  meter.begin(chunks());
  parallel_for(chunks(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      results[i] = clash::read_result(s.head, i, s.folder);
      const std::vector<clash::Candidate> pairs = clash::read_pairs(s.head, i, s.folder);
      for (auto& [pair, finding] : results[i].findings)
        clash::identify(finding, s.head.job, s.parts, pairs[pair], clash::key_of(s.head.job, s.parts, pairs[pair], s.head.depth));
    }
    meter.add(end - begin);
  });
  const clash::RunBefore run_before(before);
  ClashReport report = run_before.begin(s.head.job, s.parts, s.head.date);
  report.counts = s.head.counts;
  report.counts.decided = s.head.counts.candidates;
  std::vector<Clash*> found;
  for (clash::ChunkResult& r : results) {
    report.counts.too_shallow += r.too_shallow;
    for (auto& finding : r.findings) found.push_back(&finding.second);
  }
  run_before.finish(report, found);
  return report;
}

const ClashParts& ClashPlan::parts() {
  const DefaultFloatEnvironment guard;
  State& s = *state_;
  if (!s.all_examined) {
    std::vector<std::uint32_t> meshes(s.parts.meshes.size());
    std::iota(meshes.begin(), meshes.end(), 0u);
    examine(s.parts, std::move(meshes));
    s.all_examined = true;
  }
  return s.parts;
}

}  // namespace graze
