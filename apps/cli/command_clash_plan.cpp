// graze clash plan, run and merge: a job divided among programs and machines.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <graze/clash.hpp>
#include <graze/clash_plan.hpp>
#include <graze/error.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command_clash.hpp"
#include "cli/commands.hpp"
#include "cli/folder_lock.hpp"
#include "cli/plan_chunks.hpp"
#include "cli/progress_bar.hpp"
#include "input/json.hpp"

namespace graze::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlanFolder = "out/plan";
constexpr const char* kMpiProgram = "graze-clash-mpi";

/// Without slashes at its end, for messages.
std::string folder_named(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string plan_in(const ClashCommandOptions& o) {
  const std::string& action = o.words[0];
  if (o.words.size() != 2) throw UsageError("clash " + action + ": needs PLAN, the folder of a plan");
  if (has_job_options(o)) throw UsageError("clash " + action + ": options of the job belong to `graze clash plan`, which has written them into the plan");
  if (action != "run" && !o.shard.empty()) throw UsageError("clash " + action + ": --shard belongs to `graze clash run PLAN`");
  return folder_named(o.words[1]);
}

struct Shard {
  std::size_t number = 1, of = 1;
};

Shard read_shard(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const auto whole = [&](const std::string& digits) -> std::size_t {
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return 0;
    return std::stoul(digits);
  };
  Shard shard{0, 0};
  if (slash != std::string::npos) shard = {whole(text.substr(0, slash)), whole(text.substr(slash + 1))};
  if (shard.number < 1 || shard.number > shard.of) throw UsageError("clash run: --shard is \"" + text + "\", must be I/N with 1 <= I <= N, as 3/16");
  return shard;
}

/// The variable that says that mpirun, or its like, started this program; or null.
const char* rank_variable() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name) != nullptr) return name;
  return nullptr;
}

std::optional<std::string> mpi_program() {
  std::error_code code;
  std::vector<fs::path> places;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  if (!code) places = {self.parent_path() / kMpiProgram, self.parent_path() / ".." / "libexec" / "graze" / kMpiProgram};
#ifdef GRAZE_LIBEXEC_DIR
  places.push_back(fs::path(GRAZE_LIBEXEC_DIR) / kMpiProgram);
#endif
  for (const fs::path& place : places)
    if (fs::is_regular_file(place, code)) return place.string();
  return std::nullopt;
}

/// This program goes on as a rank of MPI.
[[noreturn]] void become_rank(const ClashCommandOptions& o, const std::string& folder, const char* variable) {
  const std::optional<std::string> program = mpi_program();
  if (!program)
    throw Unavailable("this is a rank of MPI (" + std::string(variable) + " is set), but " + kMpiProgram +
                      " was not built: install libopenmpi-dev and openmpi-bin (tools/setup.sh mpi), configure and build again, or divide the plan without MPI: "
                      "graze clash run " +
                      folder + " --shard I/N");
  std::vector<std::string> words = {kMpiProgram, folder};
  if (o.threads > 0) words.insert(words.end(), {"--threads", std::to_string(o.threads)});
  if (o.json) words.push_back("--json");
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& w : words) arguments.push_back(w.data());
  arguments.push_back(nullptr);
  ::execv(program->c_str(), arguments.data());
  throw Unavailable(*program + " cannot be run: " + std::strerror(errno));
}

}  // namespace

int plan_clash(const ClashCommandOptions& o) {
  if (o.words.size() < 2) throw UsageError("clash plan: needs a job, or models and folders");
  if (!o.shard.empty()) throw UsageError("clash plan: --shard belongs to `graze clash run PLAN`");
  const std::string folder = o.out == kClashFolder ? kPlanFolder : folder_named(o.out);
  ClashCommandOptions of_job = o;
  of_job.words.erase(of_job.words.begin());
  const ClashJob job = clash_job_of(of_job);
  const FolderLock lock(folder);
  std::string id;
  std::vector<std::string> notes;
  {
    ProgressBar bar("plan");
    const ClashParts parts = load_clash_parts(job, bar.stage(0, 0.6));
    ClashPlanOptions options;
    options.depth = o.depth;
    options.date = o.date;
    options.chunks = o.chunks;
    options.split_cost = o.split;
    options.progress = bar.stage(0.6, 1);
    id = write_clash_plan(job, parts, options, folder);
    notes = parts.notes;
  }
  const ClashPlan plan(folder);
  const ClashCounts& n = plan.counts();
  notes.insert(notes.begin(), plan.job().notes.begin(), plan.job().notes.end());
  const std::uint64_t bytes = fs::file_size(folder + "/parts.graze");
  if (o.json) {
    std::string out;
    JsonObject j(out);
    j.add("plan", folder).add("id", id).add("parts", n.parts).add("meshes", n.meshes).add("triangles", n.triangles).add("open_parts", n.open_parts);
    j.add("pairs", n.candidates).add("chunks", plan.chunks()).add("bytes", bytes).add("notes", notes).end();
    print(out + "\n");
    return kDone;
  }
  std::string out = folder + ": " + std::to_string(n.parts) + " parts, " + std::to_string(n.triangles) + " triangles (" + std::to_string(bytes) + " bytes); ";
  out += std::to_string(n.candidates) + " pairs of parts in " + std::to_string(plan.chunks()) + " chunks\n";
  for (const std::string& note : notes) out += "note: " + note + "\n";
  out += "to decide them: graze clash run " + folder + ", with --shard or mpirun on many machines; then: graze clash merge " + folder + " --out DIR\n";
  print(out);
  return kDone;
}

int run_clash_plan(const ClashCommandOptions& o) {
  const std::string folder = plan_in(o);
  const Shard shard = read_shard(o.shard);
  if (const char* variable = rank_variable(); variable != nullptr && o.shard.empty()) become_rank(o, folder, variable);
  const auto begin = std::chrono::steady_clock::now();
  PlanRun run;
  run.folder = folder;
  {
    ProgressBar bar("clash");
    ClashPlan plan(folder, bar.stage(0, 0));
    const std::vector<std::size_t> undecided = chunks_to_decide(plan, plan.share(shard.number, shard.of), run);
    double all = 0, done = 0;
    for (const std::size_t chunk : undecided) all += static_cast<double>(plan.cost(chunk));
    for (const std::size_t chunk : undecided) {
      const double cost = static_cast<double>(plan.cost(chunk));
      run.findings += plan.decide(chunk, bar.stage(done / all, (done + cost) / all));
      done += cost;
      ++run.decided;
    }
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  print(summary_of(run, o.json));
  return kDone;
}

int merge_clash_plan(const ClashCommandOptions& o) {
  const std::string folder = plan_in(o);
  std::optional<ClashPlan> plan;
  {
    ProgressBar bar("plan");
    plan.emplace(folder, bar.stage(0, 1));
  }
  const ClashParts no_parts;
  return write_results(o, plan->job(), [&](const ClashBefore& before) {
    ProgressBar bar("merge");
    ClashReport report = plan->merge(before(), bar.stage(0, 1));
    const bool wanted = !o.no_html || !o.no_bcf;
    return FoundClashes{std::move(report), wanted ? &plan->parts() : &no_parts};
  });
}

}  // namespace graze::cli
