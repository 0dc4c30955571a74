// The public broad phase: validates input, and decides in doubles the candidates that the index returns.
#include <algorithm>
#include <graze/broad_phase.hpp>
#include <graze/error.hpp>
#include <string>

#include "math/limits.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/watch.hpp"
#include "query/loose_bounds.hpp"
#include "scene/box_set.hpp"

namespace graze {
namespace {

void require_box(const Box& b, const char* what, std::size_t index = ~std::size_t{0}) {
  for (int k = 0; k < 3; ++k) {
    if (b.min[k] <= b.max[k]) continue;
    const bool nan = b.min[k] != b.min[k] || b.max[k] != b.max[k];
    throw Error(ErrorCode::invalid_argument, std::string(what) + ": " + (index == ~std::size_t{0} ? "the box" : "box " + std::to_string(index)) + ": " +
                                                 "xyz"[k] + (nan ? " is NaN" : ": min is above max"));
  }
}

// Clamps infinite sides to the largest double once, so that every query decides on the same finite boxes.
Box cut(const Box& b) {
  Box r;
  for (int k = 0; k < 3; ++k) {
    r.min[k] = std::min(std::max(b.min[k], -kLargest), kLargest);
    r.max[k] = std::min(std::max(b.max[k], -kLargest), kLargest);
  }
  return r;
}

// Clips a box to bounds that contain the shape. The answer stays the same, but coordinates that only the exact tiers can handle disappear.
Box cut_to(const Box& b, const Box3& bounds) {
  Box r = b;
  for (int k = 0; k < 3; ++k) {
    if (r.min[k] == -kLargest) r.min[k] = std::max(-kLargest, std::min(bounds.lo[k], r.max[k]));
    if (r.max[k] == kLargest) r.max[k] = std::min(kLargest, std::max(bounds.hi[k], r.min[k]));
  }
  return r;
}

}  // namespace

struct BroadPhase::State {
  BoxSet set;
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
  return state_->set.insert(cut(box));
}

void BroadPhase::assign(std::span<const Box> boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) require_box(boxes[i], "assign", i);
  std::transform(boxes.begin(), boxes.end(), state_->set.assign(boxes.size()).begin(), cut);
}

void BroadPhase::remove(Id id) {
  (void)box(id);
  state_->set.remove(id);
}

void BroadPhase::move(Id id, const Box& box) {
  (void)this->box(id);
  require_box(box, "move");
  state_->set.move(id, cut(box));
}

void BroadPhase::move_all(std::span<const Box> boxes) {
  const Uninterrupted whole;
  const std::size_t ids = state_->set.boxes().size(), alive = state_->set.alive();
  if (boxes.size() != ids || alive != ids)
    throw Error(ErrorCode::invalid_argument, "move_all: " + std::to_string(boxes.size()) + " boxes for " + std::to_string(ids) + " ids of which " +
                                                 std::to_string(alive) + " are in use, must be one for each");
  constexpr std::size_t kGrain = 1 << 14;  // boxes of a task; a choice
  const BoxSet::AllBoxes to = state_->set.move_all();
  const bool valid = parallel_reduce(
      boxes.size(), kGrain, true,
      [&](std::size_t begin, std::size_t end) {
        bool ok = true;
        for (std::size_t i = begin; i < end; ++i) {
          const Box& b = boxes[i];
          ok &= (b.min.x <= b.max.x) & (b.min.y <= b.max.y) & (b.min.z <= b.max.z);
        }
        for (std::size_t i = begin; ok && i < end; ++i) {
          const Box box = cut(boxes[i]);
          to.changed[i] |= static_cast<std::uint8_t>(box.min != to.boxes[i].min || box.max != to.boxes[i].max);
          to.boxes[i] = box;
        }
        return ok;
      },
      [](bool a, bool b) { return a && b; });
  if (!valid)  // other pieces may already have been moved, which is allowed; the error names the invalid box
    for (std::size_t i = 0; i < boxes.size(); ++i) require_box(boxes[i], "move_all", i);
}

const Box& BroadPhase::box(Id id) const {
  const std::span<const Box> boxes = state_->set.boxes();
  if (id >= boxes.size() || !is_alive(boxes[id])) throw Error(ErrorCode::unknown_id, "broad phase: no box has the id " + std::to_string(id));
  return boxes[id];
}

std::size_t BroadPhase::size() const { return state_->set.alive(); }

// ---- pairs ----

std::vector<BroadPhase::IdPair> BroadPhase::pairs() const {
  const DefaultFloatEnvironment guard;
  return state_->set.pairs();
}

std::vector<BroadPhase::IdPair> BroadPhase::pairs(const BroadPhase& other) const {
  const DefaultFloatEnvironment guard;
  const std::span<const Box> mine = state_->set.boxes();
  constexpr std::size_t kGrain = 512;  // boxes of a task; a choice
  std::vector<std::vector<IdPair>> found((mine.size() + kGrain - 1) / kGrain);
  parallel_for(mine.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<IdPair>& out = found[begin / kGrain];
    for (std::size_t a = begin; a < end; ++a) {
      if (!is_alive(mine[a])) continue;
      const std::size_t from = out.size();
      const Box3 box = box3(mine[a]);
      other.state_->set.for_each(box, [&](Id b) {
        out.emplace_back(static_cast<Id>(a), b);
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
  const std::span<const Box> boxes = state_->set.boxes();
  std::vector<Id> result;
  const Box* const plain = shape.pose() ? nullptr : shape.get<Box>();
  const Box3 bounds = plain ? box3(cut(*plain)) : loose_bounds(shape);
  if (bounds.empty()) return result;
  auto test = [&](Id id) {
    if (bounds.overlaps(box3(boxes[id])) && (plain || intersects(shape, cut_to(boxes[id], bounds)))) result.push_back(id);
    return false;
  };
  const Ray* ray = shape.get<Ray>();
  const Segment* segment = shape.get<Segment>();
  if (ray || segment) {
    const auto point = [&](const Vec3& p) { return shape.pose() ? shape.pose()->apply(p) : p; };
    RayQuery input;
    input.origin = point(ray ? ray->origin : segment->a);
    input.direction = ray ? (shape.pose() ? shape.pose()->rotate(ray->direction) : ray->direction) : point(segment->b);
    input.to_point = segment != nullptr;
    if (segment) input.t_max = 1;
    state_->set.for_each_along_ray(input, [&](Id id, double t_max) {
      test(id);
      return t_max;
    });
  } else {
    state_->set.for_each(bounds, test);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<BroadPhase::Id> BroadPhase::visible(const Frustum& frustum) const { return overlapping(frustum); }

void BroadPhase::along(const Ray& ray, double t_max, const std::function<double(Id, double t_max)>& visit) const {
  const DefaultFloatEnvironment guard;
  if (t_max != t_max) throw Error(ErrorCode::invalid_argument, "along: t_max is NaN");
  if (t_max < 0) return;
  const std::span<const Box> boxes = state_->set.boxes();
  Box3 all;
  all.lo = Vec3(-kLargest, -kLargest, -kLargest);
  all.hi = Vec3(kLargest, kLargest, kLargest);
  state_->set.for_each_along_ray({ray.origin, ray.direction, false, 0, t_max},
                                 [&](Id id, double now) { return raycast_any(ray, cut_to(boxes[id], all), {.t_max = now}) ? visit(id, now) : now; });
}

}  // namespace graze
