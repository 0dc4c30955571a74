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

#include "bvh/traverse.hpp"
#include "clash/job/plan_cut.hpp"
#include "clash/job/plan_files.hpp"
#include "clash/job/plan_results.hpp"
#include "clash/pairs/candidates.hpp"
#include "clash/pairs/findings.hpp"
#include "clash/pairs/run_before.hpp"
#include "clash/pairs/shared_decisions.hpp"
#include "json/utf8.hpp"
#include "mesh/closed_mesh.hpp"
#include "mesh/mesh_impl.hpp"
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

/// Where the search for a slice starts.
SearchStart start_of(const clash::PlanPair& p, clash::SliceStarts& starts, const std::string& folder) {
  if (const std::optional<SearchStart> start = starts(p.pair, p.slice)) return *start;
  const auto text = [](const ItemRange& r) { return std::to_string(r.first) + " to " + std::to_string(r.end); };
  throw Error(ErrorCode::malformed_file, folder + "/pairs.bin: parts " + std::to_string(p.pair.a) + " and " + std::to_string(p.pair.b) +
                                             ": triangles stored from " + text(p.slice.a) + " and " + text(p.slice.b) +
                                             ": must be all, or those below one child of a node of the part's tree");
}

/// Whether all chunks that have slices of a pair have results.
bool gathered(const clash::PlanHead& head, std::size_t split, const std::string& folder) {
  const clash::ChunkRange chunks = clash::chunks_of(head, split);
  std::error_code code;
  for (std::size_t i = chunks.first; i < chunks.end; ++i)
    if (!fs::exists(clash::result_file(folder, i), code)) return false;
  return true;
}

/// The pair that is divided.
clash::Candidate pair_of(const clash::PlanHead& head, std::size_t split, const std::string& folder) {
  const std::size_t chunk = clash::chunks_of(head, split).first;
  return clash::read_pairs(head, chunk, folder)[static_cast<std::size_t>(head.splits[split].first - head.chunks[chunk].first)].pair;
}

}  // namespace

std::string write_clash_plan(const ClashJob& job, const ClashParts& parts, const ClashPlanOptions& options, const std::string& folder) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  meter.begin(4);
  check_ids(job);
  clash::check_date(options.date);
  const std::vector<clash::Candidate> pairs = clash::find_candidates(job, parts);
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
  for (std::size_t m = 0; m < parts.solids.size(); ++m)
    if (parts.solids[m] && parts.solids[m]->seams() > 0) head.with_seams.push_back(m);
  head.part_notes = parts.notes;
  clash::PlanCut cut = clash::cut_into_chunks(job, parts, options.depth, options.chunks, options.split_cost, pairs);
  head.chunks = std::move(cut.chunks);
  head.splits = std::move(cut.splits);
  head.orders = clash::orders_of(cut.pairs, parts);
  meter.add(1);
  make_folder(folder);
  // The head comes last, and the others get their names late: a call that is ended at any moment can be made again.
  const std::string tree = clash::parts_file(folder), fresh_tree = tree + ".new";
  save_assembly(assembly_of(parts), fresh_tree);
  meter.add(1);
  head.parts_digest = clash::digest_of_tree_file(fresh_tree);
  head.boxes_digest = clash::digest_of_boxes(parts);
  clash::set_digests(cut.pairs, head.chunks);
  const std::string text = clash::text_of(head);
  std::error_code code;
  if (fs::exists(clash::plan_file(folder), code) && clash::read_plan(folder).id != head.id) {
    fs::remove(fresh_tree, code);
    throw Error(ErrorCode::unwritable_file, folder + ": has another plan, which may have results; name another folder, or remove this one");
  }
  fs::rename(fresh_tree, tree, code);
  if (code) throw Error(ErrorCode::unwritable_file, tree + ": cannot be written: " + code.message());
  clash::write_boxes(parts, folder);
  clash::write_pairs(cut.pairs, folder);
  clash::write_plan(text, folder);
  meter.add(1);
  return head.id;
}

struct ClashPlan::State {
  std::string folder;
  clash::PlanHead head;
  ClashParts parts;
  std::optional<clash::SharedDecisions> decisions;
  clash::SliceStarts starts{parts};

  void identify(Clash& finding, const clash::Candidate& c) const {
    clash::identify(finding, head.job, parts, c, clash::key_of(head.job, parts, c, head.depth));
  }

  std::optional<Clash> conclude(std::size_t split) const {
    return decisions->conclude(pair_of(head, split, folder), clash::read_slices(head, split, folder)).clash;
  }

  /// Concludes on a pair of which all slices are there. Of programs that see the last ones come at the same time, each writes the same verdict. Returns the
  /// number of findings.
  std::size_t conclude_if_last(std::size_t split) const {
    if (!gathered(head, split, folder)) return 0;
    std::error_code code;
    if (fs::exists(clash::verdict_file(folder, split), code)) {
      try {
        clash::check_verdict(head, split, folder);
        return 0;
      } catch (const Error&) {  // damaged, or of another plan: is written anew
      }
    }
    std::optional<Clash> finding;
    try {
      finding = conclude(split);
    } catch (const Error&) {
      // A slice of another chunk is damaged: whoever decides that one again concludes. Errors that remain are those of merge().
      return 0;
    }
    clash::write_verdict(head, split, finding, folder);
    return finding ? 1 : 0;
  }
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
  for (const clash::PlanOrder& o : s.head.orders)
    if (o.mesh >= s.parts.meshes.size() || clash::digest_of_order(s.parts.meshes[static_cast<std::size_t>(o.mesh)]) != o.digest)
      throw Error(ErrorCode::malformed_file,
                  tree + ": mesh " + std::to_string(o.mesh) +
                      " stores its triangles in another order than that of which the plan's slices are ranges (by SHA-256): it is of another plan");
  s.parts.hashes = s.head.hashes;
  s.parts.open_reasons = s.head.open_reasons;
  for (std::size_t m = 0; m < s.parts.meshes.size(); ++m) {  // whoever made the plan has looked for open edges
    const Mesh& mesh = s.parts.meshes[m];
    const bool with_seams = std::binary_search(s.head.with_seams.begin(), s.head.with_seams.end(), std::uint64_t{m});
    s.parts.solids.push_back(s.parts.open_reasons[m].empty() ? std::optional(with_seams ? Solid(mesh) : ClosedMesh::solid(mesh)) : std::nullopt);
  }
  s.parts.notes = s.head.part_notes;
  for (AssemblyPart& p : assembly.parts) s.parts.parts.push_back({std::move(p.path), std::move(p.name), 0, p.mesh, p.pose, {}});
  clash::read_boxes(s.head, folder, s.parts);
  s.decisions.emplace(s.head.job, s.parts, s.head.depth);
  clash::check_pairs(s.head, folder);  // so that damage is reported even if all are decided
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
  // Slices first: whoever decides the last one of a pair concludes on it, meanwhile others still decide.
  std::vector<bool> sliced(chunks());
  for (std::size_t i = 0; i < chunks(); ++i) sliced[i] = !clash::splits_in(state_->head, i).empty();
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return sliced[x] != sliced[y] ? sliced[x] : cost(x) > cost(y); });
  return order;
}

std::vector<std::size_t> ClashPlan::share(std::size_t number, std::size_t shares) const {
  if (number < 1 || number > shares)
    throw Error(ErrorCode::invalid_argument,
                "the share is " + std::to_string(number) + " of " + std::to_string(shares) + ", must be at least 1 and at most the number of shares");
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
  const std::vector<clash::PlanPair> pairs = clash::read_pairs(s.head, chunk, s.folder);
  const std::vector<std::size_t> splits = clash::splits_in(s.head, chunk);
  std::vector<std::size_t> slice_of(pairs.size());  // 1, 2, ... in the order of slices; 0: a whole pair
  std::vector<clash::SurfaceContact> contacts;      // of the pairs of slices
  std::vector<SearchStart> starts;
  std::size_t sliced = 0;
  for (std::size_t i = 0; i < pairs.size() && !splits.empty(); ++i) {
    if (const auto split = clash::split_of(s.head, s.head.chunks[chunk].first + i)) {
      slice_of[i] = ++sliced;
      starts.push_back(start_of(pairs[i], s.starts, s.folder));
      contacts.push_back(s.head.splits[*split].touch ? clash::SurfaceContact::touching : clash::SurfaceContact::apart);
    }
  }
  std::vector<clash::Decision> decisions(pairs.size());
  std::vector<clash::Gathered> slices(sliced);
  meter.begin(pairs.size());
  parallel_for(pairs.size(), splits.empty() ? 4 : 1, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment inner;
    for (std::size_t i = begin; i < end; ++i) {
      if (slice_of[i] != 0)
        slices[slice_of[i] - 1] = s.decisions->gather(pairs[i].pair, starts[slice_of[i] - 1], contacts[slice_of[i] - 1]);
      else
        decisions[i] = s.decisions->decide(pairs[i].pair);
    }
    meter.add(end - begin);
  });
  clash::ChunkResult result;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    result.too_shallow += decisions[i].too_shallow;
    if (decisions[i].clash) result.findings.emplace_back(static_cast<std::uint32_t>(i), std::move(*decisions[i].clash));
  }
  clash::write_result(s.head, chunk, result, slices, s.folder);
  slices = {};
  std::size_t findings = result.findings.size();
  for (const std::size_t split : splits) findings += s.conclude_if_last(split);
  return findings;
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
                                                (missing == 1 ? " chunks is" : " chunks are") + " not decided (the first is chunk " + std::to_string(first) +
                                                "): run the plan first");
  std::vector<clash::ChunkResult> results(chunks());
  meter.begin(chunks());
  parallel_for(chunks(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      results[i] = clash::read_result(s.head, i, s.folder);
      const std::vector<clash::PlanPair> pairs = clash::read_pairs(s.head, i, s.folder);
      for (auto& [pair, finding] : results[i].findings) s.identify(finding, pairs[pair].pair);
    }
    meter.add(end - begin);
  });
  std::vector<Clash> of_splits;
  for (std::size_t i = 0; i < s.head.splits.size(); ++i) {
    // A program that was killed may have left a pair without a verdict.
    const bool there = fs::exists(clash::verdict_file(s.folder, i), code);
    std::optional<Clash> finding = there ? clash::read_verdict(s.head, i, s.folder) : s.conclude(i);
    if (!finding) continue;
    s.identify(*finding, pair_of(s.head, i, s.folder));
    of_splits.push_back(std::move(*finding));
  }
  const clash::RunBefore run_before(before);
  ClashReport report = run_before.begin(s.head.job, s.parts, s.head.date);
  report.counts = s.head.counts;
  report.counts.decided = s.head.counts.candidates;
  std::vector<Clash*> found;
  for (clash::ChunkResult& r : results) {
    report.counts.too_shallow += r.too_shallow;
    for (auto& finding : r.findings) found.push_back(&finding.second);
  }
  for (Clash& c : of_splits) found.push_back(&c);
  run_before.finish(report, found);
  return report;
}

const ClashParts& ClashPlan::parts() const { return state_->parts; }

}  // namespace graze
