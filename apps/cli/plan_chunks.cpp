// What is decided already is kept; what is damaged is decided again, and said.
#include "cli/plan_chunks.hpp"

#include <cstdio>
#include <string>

#include "json/json_write.hpp"

namespace graze::cli {

std::vector<std::size_t> chunks_to_decide(const ClashPlan& plan, const std::vector<std::size_t>& chunks, PlanRun& run) {
  std::vector<std::size_t> out;
  run.chunks = chunks.size();
  for (const std::size_t chunk : chunks) {
    std::string damage;
    const ClashChunkState state = plan.state(chunk, &damage);
    if (state == ClashChunkState::done) {
      ++run.before;
      continue;
    }
    if (state == ClashChunkState::damaged) {
      ++run.damaged;
      std::fputs(("graze: decided again: " + damage + "\n").c_str(), stderr);
    }
    out.push_back(chunk);
  }
  return out;
}

std::string summary_of(const PlanRun& run, bool json) {
  std::string out;
  if (json) {
    json::JsonObject o(out);
    o.add("plan", run.folder).add("chunks", run.chunks).add("before", run.before).add("damaged", run.damaged).add("decided", run.decided);
    o.add("findings", run.findings);
    if (run.ranks > 0) o.add("ranks", run.ranks);
    o.add("seconds", run.seconds).end();
    return out + '\n';
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", run.seconds);
  const auto counted = [](std::size_t n, const char* one, const char* many) { return std::to_string(n) + ' ' + (n == 1 ? one : many); };
  out = run.folder + ": " + counted(run.chunks, "chunk", "chunks") + ": " + std::to_string(run.before) + " decided before, " + std::to_string(run.decided) +
        " now";
  if (run.ranks > 0) out += " by " + counted(run.ranks, "rank", "ranks");
  return out + " in " + seconds + ", with " + counted(run.findings, "finding", "findings") + "\n";
}

}  // namespace graze::cli
