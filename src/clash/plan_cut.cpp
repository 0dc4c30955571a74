// Pairs in the order of a Z curve; costs by triangles near the other part.
#include "clash/plan_cut.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "clash/shared_decisions.hpp"
#include "platform/parallel.hpp"

namespace graze::clash {
namespace {

constexpr std::uint64_t kPairCost = 190;         // of a pair without triangles near each other, in triangles that are (54 ns); measured on balls that overlap
constexpr std::uint64_t kSharedCost = 100;       // of a pair whose decision is known: most is for writing it
constexpr std::uint64_t kChunkCost = 1'000'000;  // a choice: .05 to .4 s, since contact takes longer, so that writing the result costs little
constexpr std::size_t kFewest = 64, kMost = 100'000;  // choices: enough to share among some machines, not more than a folder holds well

struct PairOrder {
  std::uint64_t place, cost, group;  ///< group: of pairs that share a decision, or 0
  std::size_t lead;                  ///< the place in the order of the first of the group
  Candidate pair;
};

/// Moves pairs that share a decision behind the first of them, which costs more than the others.
void gather_groups(std::vector<PairOrder>& order) {
  std::unordered_map<std::uint64_t, std::size_t> first;  // never iterated
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i].lead = order[i].group == 0 ? i : first.emplace(order[i].group, i).first->second;
    if (order[i].lead != i) order[i].cost = kSharedCost;
  }
  std::stable_sort(order.begin(), order.end(), [](const PairOrder& x, const PairOrder& y) { return x.lead < y.lead; });
}

Box common_box(const Box& a, const Box& b, double apart) {
  Box c;
  for (int i = 0; i < 3; ++i) {
    c.min[i] = std::max(a.min[i], b.min[i] - apart);
    c.max[i] = std::min(a.max[i], b.max[i] + apart);
  }
  return c;
}

/// About the share of a part's triangles that lie in a box: those of a surface are as the area.
double share_in(const Box& part, const Box& box) {
  double ratio[3];
  for (int i = 0; i < 3; ++i) {
    const double whole = part.max[i] / 2 - part.min[i] / 2, inside = box.max[i] / 2 - box.min[i] / 2;  // halves do not overflow
    ratio[i] = whole > 0 ? std::clamp(inside / whole, 0.0, 1.0) : 1.0;
  }
  return std::max({ratio[0] * ratio[1], ratio[1] * ratio[2], ratio[2] * ratio[0]});
}

std::uint64_t cost_of(const ClashParts& parts, const ClashPart& a, const ClashPart& b, double clearance) {
  const auto triangles = [&](const ClashPart& p, const ClashPart& other) {
    return static_cast<double>(parts.meshes[p.mesh].size()) * share_in(p.box, common_box(p.box, other.box, clearance));
  };
  return kPairCost + static_cast<std::uint64_t>(triangles(a, b) + triangles(b, a));
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

}  // namespace

std::vector<PlanChunk> cut_into_chunks(const ClashJob& job, const ClashParts& parts, bool depth, std::size_t most, std::vector<Candidate>& pairs) {
  if (pairs.empty()) return {};
  Box all = parts.parts[0].box;
  for (const ClashPart& p : parts.parts)
    for (int i = 0; i < 3; ++i) all.min[i] = std::min(all.min[i], p.box.min[i]), all.max[i] = std::max(all.max[i], p.box.max[i]);
  SharedDecisions decisions(job, parts, depth);
  std::vector<PairOrder> order(pairs.size());
  parallel_for(pairs.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ClashPart &a = parts.parts[pairs[i].a], &b = parts.parts[pairs[i].b];
      order[i] = {place_of(a.box, b.box, all), cost_of(parts, a, b, job.tests[pairs[i].test].clearance), decisions.group(pairs[i]), 0, pairs[i]};
    }
  });
  std::stable_sort(order.begin(), order.end(), [](const PairOrder& x, const PairOrder& y) { return x.place < y.place; });
  gather_groups(order);
  std::uint64_t left = std::accumulate(order.begin(), order.end(), std::uint64_t{0}, [](std::uint64_t sum, const PairOrder& p) { return sum + p.cost; });
  if (most == 0) most = std::clamp(static_cast<std::size_t>(left / kChunkCost), kFewest, kMost);
  most = std::min(most, pairs.size());
  std::vector<PlanChunk> chunks;
  PlanChunk chunk;
  for (std::size_t i = 0; i < order.size(); ++i) {
    pairs[i] = order[i].pair;
    ++chunk.pairs;
    chunk.cost += order[i].cost;
    if (i + 1 < order.size() && chunk.cost < left / (most - chunks.size())) continue;
    left -= chunk.cost;
    chunks.push_back(chunk);
    chunk = {};
    chunk.first = i + 1;
  }
  return chunks;
}

}  // namespace graze::clash
