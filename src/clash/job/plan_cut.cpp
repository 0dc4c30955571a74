// Pairs in the order of a Z curve; costs by triangles near the other part.
#include "clash/job/plan_cut.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "clash/pairs/pair_slices.hpp"
#include "clash/pairs/shared_decisions.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"

namespace graze::clash {
namespace {

constexpr std::uint64_t kPairCost = 190;         // of a pair without triangles near each other, in triangles that are (54 ns); measured on balls that overlap
constexpr std::uint64_t kSharedCost = 100;       // of a pair whose decision is known: most is for writing it
constexpr std::uint64_t kChunkCost = 1'000'000;  // a choice: .05 to .4 s, since contact takes longer, so that writing the result costs little
constexpr std::uint64_t kSplitCost = 4 * kChunkCost;  // a choice: below, a pair keeps few ranks waiting
constexpr std::uint64_t kSlices = 16;                 // a choice: of the least pair that is divided, so that slices share out well
constexpr std::size_t kFewest = 64, kMost = 100'000;  // choices: enough to share among some machines, not more than a folder holds well

struct PairOrder {
  std::uint64_t place, cost, group;  ///< group: of pairs that share a decision, or 0
  std::size_t lead;                  ///< the place in the order of the first of the group
  bool followed;                     ///< by others of the group
  Candidate pair;
};

/// Moves pairs that share a decision behind the first of them, which costs more than the others.
void gather_groups(std::vector<PairOrder>& order) {
  std::unordered_map<std::uint64_t, std::size_t> first;  // never iterated
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i].lead = order[i].group == 0 ? i : first.emplace(order[i].group, i).first->second;
    if (order[i].lead == i) continue;
    order[i].cost = kSharedCost;
    order[order[i].lead].followed = true;
  }
  std::stable_sort(order.begin(), order.end(), [](const PairOrder& x, const PairOrder& y) { return x.lead < y.lead; });
}

std::uint64_t cost_of(const ClashParts& parts, const ClashPart& a, const ClashPart& b, double clearance) {
  return kPairCost + triangles_near(parts, a, b, clearance);
}

/// The lowest 21 bits with two zeros before each.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1FFFFF;
  x = (x | x << 32) & 0x1F00000000FFFF;
  x = (x | x << 16) & 0x1F0000FF0000FF;
  x = (x | x << 8) & 0x100F00F00F00F00F;
  x = (x | x << 4) & 0x10C30C30C30C30C3;
  return (x | x << 2) & 0x1249249249249249;
}

/// The Morton code of the middle of the common box.
std::uint64_t place_of(const Box& a, const Box& b, const Box& all) {
  std::uint64_t code = 0;
  for (int i = 0; i < 3; ++i) {
    const double middle = std::max(a.min[i], b.min[i]) / 2 + std::min(a.max[i], b.max[i]) / 2, size = all.max[i] / 2 - all.min[i] / 2;
    const double at = size > 0 ? (middle / 2 - all.min[i] / 2) / size : 0;
    code |= spread(static_cast<std::uint64_t>(std::clamp(at, 0.0, 1.0) * 0x1FFFFF)) << i;
  }
  return code;
}

/// How a large pair is divided.
struct Division {
  std::size_t number;  ///< in the order of pairs
  std::vector<PairSlice> slices = {};
  SurfaceContact contact = SurfaceContact::unknown;
};

std::vector<Division> divide(const ClashJob& job, const ClashParts& parts, const SharedDecisions& decisions, std::uint64_t split_cost,
                             const std::vector<PairOrder>& order) {
  std::vector<Division> out;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i].cost > split_cost && !order[i].followed && decisions.can_be_sliced(order[i].pair)) out.push_back({i});  // followers need the whole
  parallel_for(out.size(), 1, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    for (std::size_t k = begin; k < end; ++k) {
      const Candidate& c = order[out[k].number].pair;
      const std::uint64_t cost = std::max<std::uint64_t>(split_cost / kSlices, 1);
      out[k].slices = slices_of(parts, parts.parts[c.a], parts.parts[c.b], job.tests[c.test].clearance, cost);
      out[k].contact = decisions.contact(c);
    }
  });
  return out;
}

}  // namespace

PlanCut cut_into_chunks(const ClashJob& job, const ClashParts& parts, bool depth, std::size_t most, std::uint64_t split_cost,
                        const std::vector<Candidate>& candidates) {
  PlanCut out;
  if (candidates.empty()) return out;
  if (split_cost == 0) split_cost = kSplitCost;
  Box all = parts.parts[0].box;
  for (const ClashPart& p : parts.parts)
    for (int i = 0; i < 3; ++i) all.min[i] = std::min(all.min[i], p.box.min[i]), all.max[i] = std::max(all.max[i], p.box.max[i]);
  const SharedDecisions decisions(job, parts, depth);
  std::vector<PairOrder> order(candidates.size());
  parallel_for(candidates.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ClashPart &a = parts.parts[candidates[i].a], &b = parts.parts[candidates[i].b];
      order[i] = {
          place_of(a.box, b.box, all), cost_of(parts, a, b, job.tests[candidates[i].test].clearance), decisions.group(candidates[i]), 0, false, candidates[i]};
    }
  });
  std::stable_sort(order.begin(), order.end(), [](const PairOrder& x, const PairOrder& y) { return x.place < y.place; });
  gather_groups(order);
  const std::vector<Division> divisions = divide(job, parts, decisions, split_cost, order);
  std::vector<std::uint64_t> costs;
  out.pairs.reserve(order.size());
  costs.reserve(order.size());
  auto division = divisions.begin();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PairOrder& p = order[i];
    if (division != divisions.end() && division->number == i) {
      const Division& d = *division++;
      if (d.slices.size() > 1) {
        out.splits.push_back({out.pairs.size(), d.slices.size(), d.contact == SurfaceContact::touching});
        for (const PairSlice& s : d.slices) {
          out.pairs.push_back({p.pair, s.slice});
          costs.push_back(kPairCost + s.cost);
        }
        continue;
      }
    }
    out.pairs.push_back({p.pair, {}});
    costs.push_back(p.cost);
  }
  std::uint64_t left = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
  if (most == 0) most = std::clamp(static_cast<std::size_t>(left / kChunkCost), kFewest, kMost);
  most = std::min(most, costs.size());
  PlanChunk chunk;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    ++chunk.pairs;
    chunk.cost += costs[i];
    if (i + 1 < costs.size() && chunk.cost < left / (most - out.chunks.size())) continue;
    left -= chunk.cost;
    out.chunks.push_back(chunk);
    chunk = {};
    chunk.first = i + 1;
  }
  return out;
}

}  // namespace graze::clash
