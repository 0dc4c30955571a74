// A sum of two multiples of 2^e is exact as long as it is at most 2^(53+e): so vertices on a grid keep their places to each other when their part is moved by
// steps of a grid that is not too fine.
#include "clash/pairs/shared_decisions.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "clash/pairs/decide.hpp"
#include "clash/pairs/findings.hpp"
#include "exact/double_parts.hpp"
#include "exact/two_double.hpp"
#include "shapes/pose.hpp"

namespace graze::clash {
namespace {

// Numbers that are multiples of 2^lowest and less than 2^(highest + 1).
struct Grid {
  int lowest = 4096, highest = -4096;  // of no number but 0

  void add(const Vec3& v) {
    for (int i = 0; i < 3; ++i) {
      if (v[i] == 0) continue;
      lowest = std::min(lowest, parts_of(v[i]).exponent);
      highest = std::max(highest, exponent_of(v[i]));
    }
  }
  // Whether each sum of two of them is exact: both are less than 2^(52 + lowest).
  bool sums_are_exact() const { return highest < lowest + 52; }

  // As a number that is not 0, which stands for what is not known yet.
  static Grid from(std::uint32_t stored) { return {static_cast<int>(stored >> 16) - 8192, static_cast<int>(stored & 0xFFFF) - 8192}; }
  std::uint32_t stored() const { return static_cast<std::uint32_t>(lowest + 8192) << 16 | static_cast<std::uint32_t>(highest + 8192); }
};

Grid find_grid(const Mesh& mesh, const Pose& pose) {
  Grid grid;
  for (const Vec3& vertex : mesh.vertices()) {
    grid.add(rotated(pose, vertex));
    if (!grid.sums_are_exact()) break;  // nor are they with more
  }
  return grid;
}

int compare_rotations(const Pose& x, const Pose& y) {
  for (int k = 0; k < 9; ++k) {
    const double p = x.rotation[k / 3][k % 3], q = y.rotation[k / 3][k % 3];
    if (p != q) return p < q ? -1 : 1;
  }
  return 0;
}

bool by_quarters(const Pose& pose) {
  for (const auto& row : pose.rotation)
    for (const double x : row)
      if (x != 0 && x != 1 && x != -1) return false;
  return true;
}

Pose only_turned(const Pose& pose) {
  Pose r = pose;
  r.translation = Vec3(0, 0, 0);
  return r;
}

Pose turned_back(const Pose& pose) {
  Pose r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.rotation[i][j] = pose.rotation[j][i];
  return r;
}

Box placed(const Pose& pose, const Box& box) {
  const Vec3 p = apply_pose(pose, box.min), q = apply_pose(pose, box.max);
  Box out;
  for (int i = 0; i < 3; ++i) out.min[i] = std::min(p[i], q[i]), out.max[i] = std::max(p[i], q[i]);
  return out;
}

std::uint64_t mixed(std::uint64_t x) {  // the end of SplitMix64 (G. Steele and others, 2014)
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

void to_world(const PairFrame& f, Decision& decision) {
  if (!decision.clash) return;
  decision.clash->point = apply_pose(f.to_world, decision.clash->point);
  decision.clash->region = placed(f.to_world, decision.clash->region);
}

PlacedPart placed_part(const ClashParts& parts, std::uint32_t part, const Pose& pose, const Box& box) {
  const std::uint32_t mesh = parts.parts[part].mesh;
  const auto& solid = parts.solids[mesh];
  return {&parts.meshes[mesh], solid ? &*solid : nullptr, &parts.open_reasons[mesh], &pose, &box};
}

}  // namespace

SharedDecisions::SharedDecisions(const ClashJob& job, const ClashParts& parts, bool depth)
    : job_(job), parts_(parts), depth_(depth), looks_(parts.parts.size()), uses_(parts.meshes.size()) {
  const std::vector<ClashPart>& all = parts.parts;
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    if (all[x].mesh != all[y].mesh) return all[x].mesh < all[y].mesh;
    const int turns = compare_rotations(all[x].pose, all[y].pose);
    return turns != 0 ? turns < 0 : x < y;
  });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool again = k > 0 && all[order[k]].mesh == all[order[k - 1]].mesh && compare_rotations(all[order[k]].pose, all[order[k - 1]].pose) == 0;
    if (!again) like_.push_back(order[k]);
    looks_[order[k]] = static_cast<std::uint32_t>(like_.size() - 1);
    ++uses_[all[order[k]].mesh];
  }
  grids_ = std::vector<std::atomic<std::uint32_t>>(like_.size());
}

std::uint32_t SharedDecisions::grid_of(std::uint32_t look) const {
  std::uint32_t stored = grids_[look].load(std::memory_order_relaxed);
  if (stored != 0) return stored;
  const ClashPart& part = parts_.parts[like_[look]];
  stored = find_grid(parts_.meshes[part.mesh], part.pose).stored();
  grids_[look].store(stored, std::memory_order_relaxed);  // every thread finds the same
  return stored;
}

bool SharedDecisions::is_exact(std::uint32_t part, const Vec3& translation) const {
  Grid grid = Grid::from(grid_of(looks_[part]));
  grid.add(translation);
  return grid.sums_are_exact();
}

std::optional<PairFrame> SharedDecisions::frame(const Candidate& c) const {
  const ClashPart &a = parts_.parts[c.a], &b = parts_.parts[c.b];
  if (!is_exact(c.a, a.pose.translation) || !is_exact(c.b, b.pose.translation)) return std::nullopt;
  const V3<TwoDouble> step = exact_difference(b.pose.translation, a.pose.translation);
  if (step.x.lo != 0 || step.y.lo != 0 || step.z.lo != 0) return std::nullopt;
  const Vec3 across(step.x.hi, step.y.hi, step.z.hi);
  if (!is_exact(c.b, across)) return std::nullopt;
  const Pose back = by_quarters(a.pose) ? turned_back(a.pose) : Pose();
  PairFrame f;
  f.a = compose(back, only_turned(a.pose));
  f.b = compose(back, only_turned(b.pose));
  f.b.translation = rotated(back, across);
  for (int k = 0; k < 3; ++k) {
    f.b.translation[k] += 0.0;  // no -0, so that equal keys have equal bits
    for (int i = 0; i < 3; ++i) f.a.rotation[k][i] += 0.0, f.b.rotation[k][i] += 0.0;
  }
  Pose home = back;
  home.translation = rotated(back, Vec3(0 - a.pose.translation.x, 0 - a.pose.translation.y, 0 - a.pose.translation.z));
  f.box_a = placed(home, a.box);
  f.box_b = placed(home, b.box);
  f.to_world = turned_back(back);
  f.to_world.translation = a.pose.translation;
  return f;
}

SharedDecisions::Key SharedDecisions::key(const Candidate& c, const PairFrame& f) const {
  Key k{{}, parts_.parts[c.a].mesh, parts_.parts[c.b].mesh, c.test};
  std::copy_n(&f.a.rotation[0][0], 9, k.numbers.begin());
  std::copy_n(&f.b.rotation[0][0], 9, k.numbers.begin() + 9);
  for (int i = 0; i < 3; ++i) k.numbers[static_cast<std::size_t>(18 + i)] = f.b.translation[i];
  return k;
}

std::size_t SharedDecisions::Hash::operator()(const Key& k) const {
  std::uint64_t h = mixed((std::uint64_t{k.mesh_a} << 32 | k.mesh_b) + 0x9E3779B97F4A7C15u) + k.test;
  for (const double x : k.numbers) h = mixed(h + std::bit_cast<std::uint64_t>(x));
  return h;
}

// Other pairs can only be in the same place to each other where there are other parts with both meshes.
bool SharedDecisions::repeats(const Candidate& c) const { return uses_[parts_.parts[c.a].mesh] > 1 && uses_[parts_.parts[c.b].mesh] > 1; }

std::uint64_t SharedDecisions::group(const Candidate& c) const {
  if (!repeats(c)) return 0;
  const std::optional<PairFrame> f = frame(c);
  return f ? Hash()(key(c, *f)) | 1 : 0;
}

// Calls f(a, b, frame) with the bodies in their frame, if they have one, else where they are.
template <class F>
auto SharedDecisions::with_bodies(const Candidate& c, F&& f) const {
  const std::optional<PairFrame> own = frame(c);
  if (own) return f(placed_part(parts_, c.a, own->a, own->box_a), placed_part(parts_, c.b, own->b, own->box_b), &*own);
  const ClashPart &a = parts_.parts[c.a], &b = parts_.parts[c.b];
  return f(placed_part(parts_, c.a, a.pose, a.box), placed_part(parts_, c.b, b.pose, b.box), static_cast<const PairFrame*>(nullptr));
}

bool SharedDecisions::can_be_sliced(const Candidate& c) const {
  return with_bodies(c, [&](const PlacedPart& a, const PlacedPart& b, const PairFrame*) { return clash::can_be_sliced(a, b, rule_of(job_, c, depth_)); });
}

SurfaceContact SharedDecisions::contact(const Candidate& c) const {
  return with_bodies(c, [](const PlacedPart& a, const PlacedPart& b, const PairFrame*) { return contact_of(a, b); });
}

Gathered SharedDecisions::gather(const Candidate& c, const SearchStart& slice, SurfaceContact contact) const {
  return with_bodies(c,
                     [&](const PlacedPart& a, const PlacedPart& b, const PairFrame*) { return clash::gather(a, b, rule_of(job_, c, depth_), slice, contact); });
}

Decision SharedDecisions::conclude(const Candidate& c, std::vector<Gathered> slices) const {
  return with_bodies(c, [&](const PlacedPart& a, const PlacedPart& b, const PairFrame* f) {
    Decision decision = clash::conclude(a, b, rule_of(job_, c, depth_), join(a, b, std::move(slices)));
    if (f != nullptr) to_world(*f, decision);
    return decision;
  });
}

// The decision in the frame: the one that is known, or the one that `decide` makes.
template <class F>
Decision SharedDecisions::decide_once(const Candidate& c, const PairFrame& f, F&& decide) {
  if (!repeats(c)) return decide();
  const Key k = key(c, f);
  Shelf& shelf = shelves_[Hash()(k) >> 58];
  {
    const std::lock_guard lock(shelf.mutex);
    if (const auto at = shelf.known.find(k); at != shelf.known.end()) return at->second;
  }
  Decision made = decide();
  const std::lock_guard lock(shelf.mutex);
  if (shelf.known.size() < kMostOnShelf) shelf.known.emplace(k, made);
  return made;
}

Decision SharedDecisions::decide(const Candidate& c) {
  return with_bodies(c, [&](const PlacedPart& a, const PlacedPart& b, const PairFrame* f) {
    const Rule rule = rule_of(job_, c, depth_);
    if (f == nullptr) return clash::decide(a, b, rule);
    Decision decision = decide_once(c, *f, [&] { return clash::decide(a, b, rule); });
    to_world(*f, decision);
    return decision;
  });
}

}  // namespace graze::clash
