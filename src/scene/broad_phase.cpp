// The public broad phase: keeps the boxes, hands all pairs to the grid (or to the tree when boxes crowd in few cells) and single queries to the index.
#include <algorithm>
#include <atomic>
#include <graze/broad_phase.hpp>
#include <graze/error.hpp>
#include <mutex>

#include "core/fp_environment.hpp"
#include "core/parallel.hpp"
#include "scene/box_grid.hpp"
#include "scene/box_index.hpp"

namespace graze {
namespace {

void require_box(const Box& b, const char* what) {
  for (int k = 0; k < 3; ++k) {
    if (b.min[k] <= b.max[k]) continue;
    const bool nan = b.min[k] != b.min[k] || b.max[k] != b.max[k];
    throw Error(std::string(what) + ": the box's " + "xyz"[k] + (nan ? " is NaN" : ": min is above max"));
  }
}

constexpr double kLargest = std::numeric_limits<double>::max();

// The part of a box that lies within bounds that contain the shape: the same answer, and no infinities.
Box cut_to(const Box& b, const Box3& bounds) {
  Box r = b;
  for (int k = 0; k < 3; ++k) {
    if (r.min[k] < -kLargest) r.min[k] = std::max(-kLargest, std::min(bounds.lo[k], r.max[k]));
    if (r.max[k] > kLargest) r.max[k] = std::min(kLargest, std::max(bounds.hi[k], r.min[k]));
  }
  return r;
}

}  // namespace

struct BroadPhase::State {
  std::vector<Box> boxes;          // removed ones: min > max
  std::vector<Id> free;            // a heap, the lowest on top
  std::size_t alive = 0;

  // Made when first asked for, by one of the threads that ask.
  enum class Indexed { no, moved, yes };
  mutable std::mutex mutex;
  mutable std::atomic<Indexed> indexed{Indexed::no};
  mutable BoxIndex cached;
  mutable std::mutex grid_mutex;
  mutable BoxGrid grid;

  State() = default;
  State(const State& o) : boxes(o.boxes), free(o.free), alive(o.alive) {}

  const BoxIndex& index() const {
    if (indexed.load(std::memory_order_acquire) != Indexed::yes) {
      const std::lock_guard lock(mutex);
      const Indexed now = indexed.load(std::memory_order_relaxed);
      if (now == Indexed::no) cached.build(boxes);
      if (now == Indexed::moved) cached.refit(boxes);
      indexed.store(Indexed::yes, std::memory_order_release);
    }
    return cached;
  }
  /// f(index) if there is one worth keeping.
  template <class F>
  void update(F&& f) {
    if (indexed.load(std::memory_order_relaxed) == Indexed::no) return;
    if (indexed.load(std::memory_order_relaxed) == Indexed::yes) f(cached);
    if (indexed.load(std::memory_order_relaxed) == Indexed::moved || cached.stale()) indexed.store(Indexed::no, std::memory_order_relaxed);
  }
  std::vector<IdPair> tree_pairs() const;
};

BroadPhase::BroadPhase() : state_(std::make_unique<State>()) {}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;
BroadPhase::BroadPhase(const BroadPhase& o) : state_(std::make_unique<State>(*o.state_)) {}
BroadPhase& BroadPhase::operator=(const BroadPhase& o) {
  if (this != &o) state_ = std::make_unique<State>(*o.state_);
  return *this;
}

BroadPhase::Id BroadPhase::insert(const Box& box) {
  require_box(box, "insert");
  State& s = *state_;
  Id id;
  if (s.free.empty()) {
    id = static_cast<Id>(s.boxes.size());
    s.boxes.push_back(box);
  } else {
    std::pop_heap(s.free.begin(), s.free.end(), std::greater<Id>());
    id = s.free.back();
    s.free.pop_back();
    s.boxes[id] = box;
  }
  ++s.alive;
  s.update([&](BoxIndex& index) { index.insert(id); });
  return id;
}

void BroadPhase::assign(std::span<const Box> boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) require_box(boxes[i], ("assign: box " + std::to_string(i)).c_str());
  State& s = *state_;
  s.boxes.assign(boxes.begin(), boxes.end());
  s.free.clear();
  s.alive = boxes.size();
  s.indexed = State::Indexed::no;
}

void BroadPhase::remove(Id id) {
  box(id);
  State& s = *state_;
  s.update([&](BoxIndex& index) { index.remove(id); });
  s.boxes[id] = no_box();
  s.free.push_back(id);
  std::push_heap(s.free.begin(), s.free.end(), std::greater<Id>());
  --s.alive;
}

void BroadPhase::move(Id id, const Box& box) {
  this->box(id);
  require_box(box, "move");
  state_->boxes[id] = box;
  state_->update([&](BoxIndex& index) { index.move(id); });
}

void BroadPhase::move_all(std::span<const Box> boxes) {
  State& s = *state_;
  if (boxes.size() != s.boxes.size() || s.alive != s.boxes.size())
    throw Error("move_all: " + std::to_string(boxes.size()) + " boxes for ids 0 to " + std::to_string(s.boxes.size()) + " of which " + std::to_string(s.alive) + " are in use, must be one for each");
  constexpr std::size_t kGrain = 1 << 14;
  const bool valid = parallel_reduce(boxes.size(), kGrain, true, [&](std::size_t begin, std::size_t end) {
    bool ok = true;
    for (std::size_t i = begin; i < end; ++i) {
      const Box& b = boxes[i];
      ok &= (b.min.x <= b.max.x) & (b.min.y <= b.max.y) & (b.min.z <= b.max.z);
    }
    if (ok) std::copy(boxes.begin() + static_cast<std::ptrdiff_t>(begin), boxes.begin() + static_cast<std::ptrdiff_t>(end), s.boxes.begin() + static_cast<std::ptrdiff_t>(begin));
    return ok;
  }, [](bool a, bool b) { return a && b; });
  s.indexed = s.indexed == State::Indexed::no ? State::Indexed::no : State::Indexed::moved;
  if (!valid)  // boxes of other pieces have moved: legal, and the error says which has not
    for (std::size_t i = 0; i < boxes.size(); ++i) require_box(boxes[i], ("move_all: box " + std::to_string(i)).c_str());
}

const Box& BroadPhase::box(Id id) const {
  if (id >= state_->boxes.size() || !is_alive(state_->boxes[id])) throw Error("broad phase: no box has the id " + std::to_string(id));
  return state_->boxes[id];
}

std::size_t BroadPhase::size() const { return state_->alive; }

// ---- pairs ----

std::vector<BroadPhase::IdPair> BroadPhase::State::tree_pairs() const {
  const BoxIndex& index = this->index();
  std::vector<IdPair> result;
  auto test = [&](Id a, Id b, std::vector<IdPair>& out) {
    if (box3(boxes[a]).overlaps(box3(boxes[b]))) out.emplace_back(std::min(a, b), std::max(a, b));
  };
  const PlacedTree placed(index.tree(), RigidMap{});
  const SelfWalk walk(placed);
  if (!walk.empty()) {
    const auto starts = walk.frontier(256);
    std::vector<std::vector<IdPair>> found(starts.size());
    parallel_for(starts.size(), 1, [&](std::size_t s, std::size_t) {
      walk.run(starts[s], [&](std::uint32_t first_a, std::uint32_t count_a, std::uint32_t first_b, std::uint32_t count_b) {
        for (std::uint32_t i = first_a; i < first_a + count_a; ++i)
          for (std::uint32_t j = first_a == first_b ? i + 1 : first_b; j < first_b + count_b; ++j) {
            const Id a = index.ids()[index.tree().items()[i]], b = index.ids()[index.tree().items()[j]];
            if (index.in_tree(a) && index.in_tree(b)) test(a, b, found[s]);
          }
        return false;
      });
    });
    for (const auto& f : found) result.insert(result.end(), f.begin(), f.end());
  }
  std::vector<std::uint8_t> done(boxes.size(), 0);
  for (const Id a : index.loose()) {
    for (Id b = 0; b < boxes.size(); ++b)
      if (b != a && !done[b] && is_alive(boxes[b])) test(a, b, result);
    done[a] = 1;
  }
  parallel_sort(result);
  return result;
}

std::vector<BroadPhase::IdPair> BroadPhase::pairs() const {
  const DefaultFloatEnvironment guard;
  const State& s = *state_;
  if (s.alive < 2) return {};
  if (s.boxes.size() <= 32) {
    std::vector<IdPair> result;
    for (Id a = 0; a < s.boxes.size(); ++a)
      for (Id b = a + 1; b < s.boxes.size(); ++b)
        if (is_alive(s.boxes[a]) && is_alive(s.boxes[b]) && box3(s.boxes[a]).overlaps(box3(s.boxes[b]))) result.emplace_back(a, b);
    return result;
  }
  // The working memory of the last frame, unless another thread is asking the same.
  std::unique_lock lock(s.grid_mutex, std::try_to_lock);
  BoxGrid own;
  BoxGrid& grid = lock.owns_lock() ? s.grid : own;
  if (grid.build(s.boxes)) return grid.pairs(s.boxes);
  return s.tree_pairs();
}

std::vector<BroadPhase::IdPair> BroadPhase::pairs(const BroadPhase& other) const {
  const DefaultFloatEnvironment guard;
  const State &s = *state_, &o = *other.state_;
  const BoxIndex& index = o.index();
  constexpr std::size_t kGrain = 512;
  std::vector<std::vector<IdPair>> found((s.boxes.size() + kGrain - 1) / kGrain);
  parallel_for(s.boxes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<IdPair>& out = found[begin / kGrain];
    for (std::size_t a = begin; a < end; ++a) {
      if (!is_alive(s.boxes[a])) continue;
      const std::size_t from = out.size();
      const Box3 box = box3(s.boxes[a]);
      index.for_each(box, [&](Id b) {
        if (box.overlaps(box3(o.boxes[b]))) out.emplace_back(static_cast<Id>(a), b);
        return false;
      });
      std::sort(out.begin() + static_cast<std::ptrdiff_t>(from), out.end());
    }
  });
  std::vector<IdPair> result;
  for (const auto& f : found) result.insert(result.end(), f.begin(), f.end());
  return result;
}

// ---- one shape ----

std::vector<BroadPhase::Id> BroadPhase::overlapping(ShapeRef shape) const {
  const DefaultFloatEnvironment guard;
  const State& s = *state_;
  std::vector<Id> result;
  const Box b = bounding_box(shape);
  const Box3 bounds = box3(b);
  if (bounds.empty()) return result;
  auto test = [&](Id id) {
    if (bounds.overlaps(box3(s.boxes[id])) && intersects(shape, cut_to(s.boxes[id], bounds))) result.push_back(id);
    return false;
  };
  const Ray* ray = shape.get<Ray>();
  const Segment* segment = shape.get<Segment>();
  if (ray || segment) {
    const auto point = [&](const Vec3& p) { return shape.pose() ? shape.pose()->apply(p) : p; };
    RayInput input;
    input.origin = point(ray ? ray->origin : segment->a);
    input.direction = ray ? (shape.pose() ? shape.pose()->rotate(ray->direction) : ray->direction) : point(segment->b);
    input.to_point = segment != nullptr;
    input.t_min = 0;
    input.t_max = segment ? 1 : std::numeric_limits<double>::infinity();
    s.index().for_each_along_ray(input, [&](Id id, double t_max) {
      test(id);
      return t_max;
    });
  } else {
    s.index().for_each(bounds, test);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<BroadPhase::Id> BroadPhase::visible(const Frustum& frustum) const { return overlapping(frustum); }

void BroadPhase::along(const Ray& ray, double t_max, const std::function<double(Id, double t_max)>& visit) const {
  const DefaultFloatEnvironment guard;
  if (t_max != t_max) throw Error("along: t_max is NaN");
  if (t_max < 0) return;
  const State& s = *state_;
  Box3 all;
  all.lo = Vec3(-kLargest, -kLargest, -kLargest);
  all.hi = Vec3(kLargest, kLargest, kLargest);
  s.index().for_each_along_ray({ray.origin, ray.direction, false, 0, t_max}, [&](Id id, double now) {
    return raycast_any(ray, cut_to(s.boxes[id], all), {.t_max = now}) ? visit(id, now) : now;
  });
}

}  // namespace graze
