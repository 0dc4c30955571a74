// Pairs of members: all that touch or come near, any of them, and the nearest. Boxes give the candidates, and the exact queries decide them.
#include <algorithm>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/watch.hpp"
#include "scene/scene_state.hpp"

namespace graze {

MemberPairs::MemberPairs(std::vector<std::pair<MemberId, MemberId>> pairs) : pairs_(std::move(pairs)) {
  for (auto& [a, b] : pairs_)
    if (a > b) std::swap(a, b);
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

bool MemberPairs::contains(MemberId a, MemberId b) const {
  return !pairs_.empty() && std::binary_search(pairs_.begin(), pairs_.end(), std::pair<MemberId, MemberId>(std::minmax(a, b)));
}

bool may_be_pair(const SceneMember& a, const SceneMember& b, const PairsOptions& options) {
  const auto [first, second] = std::minmax(a.id, b.id);
  return (a.options.group & b.options.meets) != 0 && (b.options.group & a.options.meets) != 0 && !options.excluded.contains(first, second) &&
         (!options.accept || options.accept(first, second));
}

void require_within(const char* query, double within) {
  if (!(within >= 0 && within <= kLargest))
    throw Error(ErrorCode::invalid_argument, std::string(query) + ": within is " + std::to_string(within) + ", must be finite and >= 0");
}

namespace {

/// Two members that may be a pair, a->id < b->id. The key orders the tests.
struct MemberPair {
  const SceneMember *a, *b;
  double key = 0;
};
bool by_ids(const MemberPair& x, const MemberPair& y) { return x.a->id != y.a->id ? x.a->id < y.a->id : x.b->id < y.b->id; }

bool admitted(const MemberPair& c, const PairsOptions& options) { return may_be_pair(*c.a, *c.b, options); }

bool counts(const MemberPair& c, double within) {
  return within > 0 ? graze::within(c.a->ref(), c.b->ref(), within) : graze::intersects(c.a->ref(), c.b->ref());
}

ScenePair with_witnesses(const MemberPair& c) {
  const Closest closest = graze::closest(c.a->ref(), c.b->ref());
  return {c.a->id, c.b->id, closest.distance, closest.on_a, closest.on_b};
}

std::optional<Relation> relation_of(const MemberPair& c) {
  if (!graze::intersects(c.a->ref(), c.b->ref())) return Relation::disjoint;
  try {
    return graze::relation(c.a->ref(), c.b->ref());
  } catch (const Error& e) {
    if (e.code() != ErrorCode::unsupported_shape) throw;
    return std::nullopt;
  }
}

ScenePair described(const MemberPair& c, const PairsOptions& options) {
  ScenePair pair = options.witnesses ? with_witnesses(c) : ScenePair{c.a->id, c.b->id};
  if (options.relations) pair.relation = relation_of(c);
  return pair;
}

/// The pairs of boxes that come within a distance, or nearly.
std::vector<BoxPair> near_boxes(const BoxSet& boxes, double within) {
  if (within == 0) return boxes.pairs();
  // Boxes grown by half the distance on each side overlap if the shapes may come within the distance; the steps cover the rounding.
  BoxSet set;
  const std::span<Box> grown = set.assign(boxes.boxes().size());
  std::copy(boxes.boxes().begin(), boxes.boxes().end(), grown.begin());
  const double half = next_up(within * 0.5);
  for (Box& b : grown) {
    if (!is_alive(b)) continue;
    for (int k = 0; k < 3; ++k) {
      if (b.min[k] >= -kLargest) b.min[k] = next_down(std::max(b.min[k] - half, -kLargest));
      if (b.max[k] <= kLargest) b.max[k] = next_up(std::min(b.max[k] + half, kLargest));
    }
  }
  return set.pairs();
}

MemberPair pair_of(const SceneMember& a, const SceneMember& b) { return a.id < b.id ? MemberPair{&a, &b} : MemberPair{&b, &a}; }

/// The share of the smaller box that both have in common, as a product over the axes.
double common_share(const Box& a, const Box& b) {
  double share = 1;
  for (int k = 0; k < 3; ++k) {
    const double common = std::min(a.max[k], b.max[k]) - std::max(a.min[k], b.min[k]), size = std::min(a.max[k] - a.min[k], b.max[k] - b.min[k]);
    if (common < size) share *= std::max(common, 0.0) / size;  // false for infinite and flat boxes
  }
  return share;
}

/// Returns the first candidate that counts, in the order in which next() returns them. Tests them in batches, which grow and run on all cores.
template <class Next>
std::optional<MemberPair> first_that_counts(const Next& next, double within) {
  constexpr std::size_t kGrain = 64;  // the first batch is one task, which runs on the calling thread; a choice
  std::vector<MemberPair> batch;
  for (std::size_t size = kGrain;; size = std::min<std::size_t>(2 * size, 64 * kGrain)) {
    batch.clear();
    while (batch.size() < size) {
      const std::optional<MemberPair> c = next();
      if (!c) break;
      batch.push_back(*c);
    }
    if (batch.empty()) return std::nullopt;
    const std::size_t first = parallel_reduce(
        batch.size(), kGrain, batch.size(),
        [&](std::size_t begin, std::size_t end) {
          while (begin < end && !counts(batch[begin], within)) ++begin;
          return begin < end ? begin : batch.size();
        },
        [](std::size_t x, std::size_t y) { return std::min(x, y); });
    if (first < batch.size()) return batch[first];
  }
}

/// The nearest pair so far, by the distance that closest() returns, then by ids.
class NearestPair {
 public:
  const std::optional<ScenePair>& found() const { return found_; }
  /// Shapes that are farther apart do not change the result. Returned distances are off by 1e-15 or a denormal; all that may be equal count.
  double limit() const { return found_ ? std::min(found_->distance * (1 + 0x1p-40) + 0x1p-1070, kLargest) : kInfinity; }
  void add(const MemberPair& c) {
    checkpoint();
    if (found_ && !graze::within(c.a->ref(), c.b->ref(), limit())) return;
    const ScenePair pair = with_witnesses(c);
    if (!found_ || std::tie(pair.distance, pair.a, pair.b) < std::tie(found_->distance, found_->a, found_->b)) found_ = pair;
  }

 private:
  std::optional<ScenePair> found_;
};

/// Takes candidates by ascending key.
class KeyQueue {
 public:
  void add(const MemberPair& c) { heap_.push_back(c); }
  void start() { std::make_heap(heap_.begin(), heap_.end(), later); }
  std::optional<MemberPair> next() {
    if (heap_.empty()) return std::nullopt;
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const MemberPair c = heap_.back();
    heap_.pop_back();
    return c;
  }

 private:
  static bool later(const MemberPair& x, const MemberPair& y) { return x.key != y.key ? x.key > y.key : by_ids(y, x); }
  std::vector<MemberPair> heap_;
};

/// Hundreds of nanoseconds that a pair takes, roughly: choices.
double work(const MemberPair& c, const PairsOptions& options) {
  const bool more = options.witnesses || options.relations;
  const auto of = [&](const SceneMember& m) {
    const Kind k = m.shape.kind();
    return k == Kind::mesh || k == Kind::solid || k == Kind::height_field || k == Kind::compound ? (more ? 200.0 : 10.0) : 1.0;
  };
  return of(*c.a) + of(*c.b);
}

}  // namespace

std::vector<ScenePair> Scene::pairs(const PairsOptions& options) const {
  const DefaultFloatEnvironment guard;
  require_within("pairs", options.within);
  const State& s = *state_;
  std::vector<MemberPair> candidates;
  double total = 0;
  for (const BoxPair& places : near_boxes(s.boxes, options.within)) {
    candidates.push_back(pair_of(s.at_place(places.first), s.at_place(places.second)));
    total += work(candidates.back(), options);
  }
  constexpr double kInline = 1000;  // 100 microseconds: waking another thread takes about 15
  const std::size_t grain = total < kInline ? candidates.size() : 16;
  std::vector<std::vector<ScenePair>> found(grain == 0 ? 0 : (candidates.size() + grain - 1) / grain);
  parallel_for(candidates.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (admitted(candidates[i], options) && counts(candidates[i], options.within)) found[begin / grain].push_back(described(candidates[i], options));
  });
  std::vector<ScenePair> result;
  for (const auto& f : found) result.insert(result.end(), f.begin(), f.end());
  std::sort(result.begin(), result.end(), [](const ScenePair& x, const ScenePair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  return result;
}

std::optional<ScenePair> Scene::any_pair(const PairsOptions& options) const {
  const DefaultFloatEnvironment guard;
  require_within("any_pair", options.within);
  const State& s = *state_;
  const std::span<const Box> boxes = s.boxes.boxes();
  KeyQueue queue;
  for (const BoxPair& places : near_boxes(s.boxes, options.within)) {
    MemberPair c = pair_of(s.at_place(places.first), s.at_place(places.second));
    c.key = -common_share(boxes[places.first], boxes[places.second]);
    queue.add(c);
  }
  queue.start();
  const auto next = [&] {
    std::optional<MemberPair> c;
    do c = queue.next();
    while (c && !admitted(*c, options));
    return c;
  };
  const std::optional<MemberPair> first = first_that_counts(next, options.within);
  if (!first) return std::nullopt;
  return described(*first, options);
}

std::optional<ScenePair> Scene::least_distance(const PairsOptions& options) const {
  const DefaultFloatEnvironment guard;
  const State& s = *state_;
  const std::span<const Box> boxes = s.boxes.boxes();
  constexpr std::size_t kAllPairs = 256;  // boxes of which all pairs are listed; a choice
  const bool all = boxes.size() <= kAllPairs;
  std::vector<MemberPair> overlapping;
  KeyQueue queue;
  const auto list = [&](BoxSet::Id i, BoxSet::Id j) {
    MemberPair c = pair_of(s.at_place(i), s.at_place(j));
    c.key = least_gap(box3(boxes[i]), box3(boxes[j]));
    if (c.key == 0) {
      c.key = -common_share(boxes[i], boxes[j]);
      overlapping.push_back(c);
    }
    queue.add(c);
  };
  if (all) {
    for (BoxSet::Id i = 0; i < boxes.size(); ++i)
      for (BoxSet::Id j = i + 1; is_alive(boxes[i]) && j < boxes.size(); ++j)
        if (is_alive(boxes[j])) list(i, j);
  } else {
    for (const BoxPair& places : s.boxes.pairs()) list(places.first, places.second);
  }
  // Pairs that touch are all at distance 0: the lowest is the result.
  std::sort(overlapping.begin(), overlapping.end(), by_ids);
  std::size_t at = 0;
  const auto next = [&]() -> std::optional<MemberPair> {
    while (at < overlapping.size() && !admitted(overlapping[at], options)) ++at;
    if (at == overlapping.size()) return std::nullopt;
    return overlapping[at++];
  };
  if (const std::optional<MemberPair> touching = first_that_counts(next, 0)) return described(*touching, options);
  NearestPair nearest;
  queue.start();
  for (std::optional<MemberPair> c = queue.next(); c && c->key <= nearest.limit(); c = queue.next())
    if (admitted(*c, options)) nearest.add(*c);
  if (!all)  // pairs of boxes that do not overlap, from each member to the members of higher ids
    for (BoxSet::Id i = 0; i < boxes.size(); ++i) {
      if (!is_alive(boxes[i])) continue;
      s.boxes.for_each_nearest(
          box3(boxes[i]),
          [&](BoxSet::Id j) {
            if (s.at_place(j).id > s.at_place(i).id) {
              const MemberPair c = pair_of(s.at_place(i), s.at_place(j));
              const double gap = least_gap(box3(boxes[i]), box3(boxes[j]));
              if (gap > 0 && gap <= nearest.limit() && admitted(c, options)) nearest.add(c);
            }
            return nearest.limit();
          },
          nearest.limit());
    }
  std::optional<ScenePair> result = nearest.found();
  if (result && options.relations) result->relation = Relation::disjoint;  // pairs that touch were found above
  if (result && !options.witnesses) result->on_a = result->on_b = Vec3(0, 0, 0);
  return result;
}

}  // namespace graze
