// Which chunks of a plan a program has to decide, and what it says about them at the end: for `graze clash run` and graze-clash-mpi.
#pragma once
#include <cstddef>
#include <graze/clash_plan.hpp>
#include <string>
#include <vector>

namespace graze::cli {

/// A run of a plan, or of a share of it.
struct PlanRun {
  std::string folder;
  std::size_t chunks = 0, before = 0, damaged = 0, decided = 0, findings = 0;  ///< findings: of the chunks decided now
  std::size_t ranks = 0;                                                       ///< 0: without MPI
  double seconds = 0;
};

/// Those of the chunks that have no whole result, in the same order. Says on stderr which results are damaged.
std::vector<std::size_t> chunks_to_decide(const ClashPlan& plan, const std::vector<std::size_t>& chunks, PlanRun& run);

/// For people, or as JSON; with the end of the line.
std::string summary_of(const PlanRun& run, bool json);

}  // namespace graze::cli
