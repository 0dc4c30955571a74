// `graze clash`: which parts of models overlap, touch or come too near, and what has become of the findings.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <graze/clash.hpp>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace graze::cli {

inline constexpr const char* kClashFolder = "out/clash";  // of results, where --out does not name one

struct ClashCommandOptions {
  std::vector<std::string> words;  // a job or models; or an action on findings and what it applies to
  double clearance = 0, min_penetration = 0;
  std::string unit, solids = "auto", out = kClashFolder, date, note;
  std::uint64_t most_pairs = 0;
  bool ignore_touching = false, depth = false, fresh = false, start_over = false, json = false, no_html = false, no_bcf = false;
  std::string bcf = "2.1", up;
  std::size_t thumbnails = 1000;
  std::optional<double> deflection;  // as ClashModel::deflection
  bool literal = false;              // as ClashModel::literal
  std::size_t chunks = 0;            // plan
  std::uint64_t split = 0;
  std::string shard;  // run: "I/N"
  int threads = 0;    // as given to set_threads(), for programs that this one starts
};

void add_clash_options(CLI::App* command, ClashCommandOptions& options);
/// Returns 0 if no finding is new or active, else 1.
int run_clash(const ClashCommandOptions& options);

/// Whether there is an option that only a job, models or a plan take.
bool has_job_options(const ClashCommandOptions& options);

/// The job that the options name or describe.
ClashJob clash_job_of(const ClashCommandOptions& options);

/// Waits for the results of the run before; null: there was none.
using ClashBefore = std::function<const ClashReport*()>;
/// Finds clashes with the statuses of the run before, and says where their parts are; these are needed for reports alone.
struct FoundClashes {
  ClashReport report;
  const ClashParts* parts;
};
using FindClashes = std::function<FoundClashes(const ClashBefore& before)>;

/// Writes all results into the folder of --out, which it holds meanwhile, and prints the summary. Returns 0 if no finding is new or active, else 1.
int write_results(const ClashCommandOptions& options, const ClashJob& job, const FindClashes& find);

/// graze clash plan, run and merge.
int plan_clash(const ClashCommandOptions& options);
int run_clash_plan(const ClashCommandOptions& options);
int merge_clash_plan(const ClashCommandOptions& options);

}  // namespace graze::cli
