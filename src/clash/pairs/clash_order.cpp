// The order and the groups of findings in reports.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace graze {

bool worse(const Clash& x, const Clash& y) {
  if (x.verdict != y.verdict) return x.verdict < y.verdict;
  if (x.depth.value_or(0) != y.depth.value_or(0)) return x.depth.value_or(0) > y.depth.value_or(0);
  if (x.distance != y.distance) return x.distance < y.distance;
  return x.id < y.id;
}

std::vector<std::uint32_t> clash_groups(const ClashReport& report) {
  const std::vector<Clash>& clashes = report.clashes;
  // A forest of findings: two that share a part have one root, which is the first of its group.
  std::vector<std::uint32_t> parent(clashes.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::unordered_map<std::string_view, std::uint32_t> first_of_part;
  for (std::uint32_t i = 0; i < clashes.size(); ++i) {
    if (clashes[i].status == ClashStatus::resolved) continue;
    for (const std::string* part : {&clashes[i].a, &clashes[i].b}) {
      const std::uint32_t x = root(first_of_part.try_emplace(*part, i).first->second), y = root(i);
      parent[std::max(x, y)] = std::min(x, y);
    }
  }
  std::vector<std::uint32_t> size(clashes.size(), 0), roots;
  for (std::uint32_t i = 0; i < clashes.size(); ++i) {
    if (clashes[i].status == ClashStatus::resolved) continue;
    if (root(i) == i) roots.push_back(i);
    ++size[root(i)];
  }
  std::stable_sort(roots.begin(), roots.end(), [&](std::uint32_t x, std::uint32_t y) { return size[x] > size[y]; });
  std::vector<std::uint32_t> number(clashes.size(), 0), group(clashes.size(), 0);
  for (std::uint32_t k = 0; k < roots.size(); ++k) number[roots[k]] = k + 1;
  for (std::uint32_t i = 0; i < clashes.size(); ++i)
    if (clashes[i].status != ClashStatus::resolved) group[i] = number[root(i)];
  return group;
}

const ClashPart* find_part(const ClashParts& parts, const std::string& path) {
  const auto at = std::lower_bound(parts.parts.begin(), parts.parts.end(), path, [](const ClashPart& p, const std::string& s) { return p.path < s; });
  return at != parts.parts.end() && at->path == path ? &*at : nullptr;
}

}  // namespace graze
