// The members of a scene and their boxes. Every query takes candidates from the boxes and decides each with the exact queries.
#include "scene/scene_state.hpp"

#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <utility>

#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "query/ray_order.hpp"
#include "shapes/pose.hpp"

namespace graze {
namespace {

bool is_surface(const AnyShape& s) { return s.get<Mesh>() || s.get<Solid>() || s.get<HeightField>(); }

// Returns a box that contains the placed points of a box. The error of the contract's arithmetic is less than 5 * 2^-53 of the sum of the sizes; the padding
// exceeds it.
Box placed_box(const Box& local, const Pose& pose) {
  Box r;
  for (int i = 0; i < 3; ++i) {
    double lo = pose.translation[i], hi = lo, size = std::fabs(lo);
    for (int j = 0; j < 3; ++j) {
      const double a = pose.rotation[i][j] * local.min[j], b = pose.rotation[i][j] * local.max[j];
      lo += std::min(a, b);
      hi += std::max(a, b);
      size += std::max(std::fabs(a), std::fabs(b));
    }
    const double pad = size * 0x1p-48 + 0x1p-1060;
    r.min[i] = lo - pad;
    r.max[i] = hi + pad;
    if (!(r.min[i] <= r.max[i])) r.min[i] = -kInfinity, r.max[i] = kInfinity;  // beyond the largest double
  }
  return r;
}

}  // namespace

Scene::State::State(const State& o) : by_place(o.by_place), boxes(o.boxes), alive(o.alive) {
  by_id.reserve(o.by_id.size());
  for (const auto& m : o.by_id) by_id.push_back(m ? std::make_unique<SceneMember>(*m) : nullptr);
}

const SceneMember& Scene::State::at(MemberId id) const {
  if (id >= by_id.size() || !by_id[id]) throw Error(ErrorCode::unknown_id, "scene: no member has the id " + std::to_string(id));
  return *by_id[id];
}
SceneMember& Scene::State::at(MemberId id) { return const_cast<SceneMember&>(static_cast<const State*>(this)->at(id)); }

void Scene::State::place_box(SceneMember& m) {
  m.placed = !is_identity(m.pose);
  const Box box = is_surface(m.shape) ? (is_alive(m.local) ? placed_box(m.local, m.pose) : m.local) : bounding_box(graze::at(m.shape, m.pose));
  if (!is_alive(box)) return drop_box(m);
  if (m.place != ~0u) return boxes.move(m.place, box);
  m.place = boxes.insert(box);
  if (m.place >= by_place.size()) by_place.resize(m.place + 1);
  by_place[m.place] = m.id;
}

void Scene::State::drop_box(SceneMember& m) {
  if (m.place != ~0u) boxes.remove(m.place);
  m.place = ~0u;
}

Scene::Scene() : state_(std::make_unique<State>()) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::Scene(const Scene& o) : state_(std::make_unique<State>(*o.state_)) {}
Scene& Scene::operator=(const Scene& o) {
  if (this != &o) state_ = std::make_unique<State>(*o.state_);
  return *this;
}

MemberId Scene::add(std::string name, AnyShape shape, const Pose& pose, const MemberOptions& options) {
  const DefaultFloatEnvironment guard;
  validate(graze::at(shape, pose));
  State& s = *state_;
  const auto id = static_cast<MemberId>(s.by_id.size());
  auto m = std::make_unique<SceneMember>(SceneMember{id, std::move(name), std::move(shape), pose, options, no_box(), ~0u, true});
  if (is_surface(m->shape)) m->local = bounding_box(m->shape);
  s.place_box(*m);
  s.by_id.push_back(std::move(m));
  ++s.alive;
  return id;
}
MemberId Scene::add(AnyShape shape, const Pose& pose, const MemberOptions& options) { return add(std::string(), std::move(shape), pose, options); }

void Scene::move(MemberId id, const Pose& pose) {
  const DefaultFloatEnvironment guard;
  SceneMember& m = state_->at(id);
  validate(graze::at(m.shape, pose));
  m.pose = pose;
  state_->place_box(m);
}

void Scene::replace(MemberId id, AnyShape shape) {
  const DefaultFloatEnvironment guard;
  SceneMember& m = state_->at(id);
  validate(graze::at(shape, m.pose));
  m.shape = std::move(shape);
  m.local = is_surface(m.shape) ? bounding_box(m.shape) : no_box();
  state_->place_box(m);
}

void Scene::remove(MemberId id) {
  state_->drop_box(state_->at(id));
  state_->by_id[id].reset();
  --state_->alive;
}

bool Scene::has(MemberId id) const { return id < state_->by_id.size() && state_->by_id[id]; }
std::size_t Scene::size() const { return state_->alive; }
std::vector<MemberId> Scene::members() const {
  std::vector<MemberId> ids;
  for (const auto& m : state_->by_id)
    if (m) ids.push_back(m->id);
  return ids;
}
const std::string& Scene::name(MemberId id) const { return state_->at(id).name; }
const AnyShape& Scene::shape(MemberId id) const { return state_->at(id).shape; }
const Pose& Scene::pose(MemberId id) const { return state_->at(id).pose; }
const MemberOptions& Scene::options(MemberId id) const { return state_->at(id).options; }

// ---- rays ----

std::optional<SceneHit> Scene::raycast(ShapeRef ray, const RayOptions& options, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  const RayQuery query = ray_query(ray, options);
  // Members are compared by their true parameters. Each member reports the largest double not above its parameter. Therefore the limit is the next double after
  // the best, and hits with equal reports are compared exactly.
  std::optional<SceneHit> best;
  RayOptions now = options;
  const State& s = *state_;
  const auto test_place = [&](BoxSet::Id place) {
    const SceneMember& m = s.at_place(place);
    if (!State::passes(m, filter)) return;
    const MemberRef target(m);
    std::optional<Hit> hit = graze::raycast(ray, target, now);
    if (!hit) return;
    if (best) {
      const int order = compare_hits(query, target, *hit, MemberRef(*s.by_id[best->member]), best->hit);
      if (order > 0 || (order == 0 && m.id > best->member)) return;
    }
    best = SceneHit{m.id, std::move(*hit)};
    now.t_max = std::min(options.t_max, next_up(best->hit.t));
  };
  if (s.boxes.alive() <= State::kFew) {
    Box3 path;  // bounding box of a segment
    if (query.to_point) {
      path.add(query.origin);
      path.add(query.direction);
    }
    for (BoxSet::Id place = 0; place < s.boxes.boxes().size(); ++place)
      if (const Box& b = s.boxes.boxes()[place]; is_alive(b) && (!query.to_point || box3(b).overlaps(path))) test_place(place);
  } else {
    s.boxes.index().for_each_along_ray({query.origin, query.direction, query.to_point, query.t_min, query.t_max}, [&](BoxSet::Id place, double) {
      test_place(place);
      return now.t_max;
    });
  }
  return best;
}

// ---- shapes at rest ----

std::vector<MemberId> Scene::overlapping(ShapeRef shape, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  std::vector<MemberId> result;
  const Box3 bounds = box3(bounding_box(shape));
  if (bounds.empty()) return result;
  state_->for_each(bounds, filter, [&](const SceneMember& m) {
    if (graze::intersects(shape, MemberRef(m))) result.push_back(m.id);
    return false;
  });
  std::sort(result.begin(), result.end());
  return result;
}

bool Scene::intersects(ShapeRef shape, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  bool any = false;
  const Box3 bounds = box3(bounding_box(shape));
  if (bounds.empty()) return false;
  state_->for_each(bounds, filter, [&](const SceneMember& m) { return any = graze::intersects(shape, MemberRef(m)); });
  return any;
}

std::vector<MemberId> Scene::visible(const Frustum& frustum, const SceneFilter& filter) const { return overlapping(frustum, filter); }

std::optional<SceneClosest> Scene::closest(ShapeRef shape, const SceneFilter& filter) const {
  const DefaultFloatEnvironment guard;
  std::optional<SceneClosest> best;
  const State& s = *state_;
  const Box3 bounds = box3(bounding_box(shape));
  const auto test_member = [&](const SceneMember& m) {
    if (!State::passes(m, filter)) return;
    Closest c = graze::closest(shape, MemberRef(m));
    if (best && (c.distance > best->closest.distance || (c.distance == best->closest.distance && m.id > best->member))) return;
    best = SceneClosest{m.id, c};
  };
  if (bounds.empty()) {
    for (const auto& m : s.by_id)
      if (m) test_member(*m);
    return best;
  }
  if (s.boxes.alive() <= State::kFew) {
    for (BoxSet::Id place = 0; place < s.boxes.boxes().size(); ++place)
      if (is_alive(s.boxes.boxes()[place])) test_member(s.at_place(place));
  } else {
    // The limit lies slightly beyond the best distance: distances are rounded, and all equal ones must be visited.
    s.boxes.index().for_each_nearest(bounds, [&](BoxSet::Id place) {
      test_member(s.at_place(place));
      return best ? best->closest.distance * (1 + 0x1p-40) : kInfinity;
    });
  }
  if (!best)  // all members are empty: infinite distance
    for (const auto& m : s.by_id)
      if (m) test_member(*m);
  return best;
}

// ---- pairs ----

std::vector<ScenePair> Scene::pairs(const PairsOptions& options) const {
  const DefaultFloatEnvironment guard;
  if (!(options.within >= 0 && options.within <= kLargest))
    throw Error(ErrorCode::invalid_argument, "pairs: within is " + std::to_string(options.within) + ", must be finite and >= 0");
  const State& s = *state_;
  std::vector<BoxPair> candidates;
  if (options.within == 0) {
    candidates = s.boxes.pairs();
  } else {
    // Boxes grown by half the distance on each side overlap if the shapes may come within the distance; the steps cover the rounding.
    std::vector<Box> grown(s.boxes.boxes().begin(), s.boxes.boxes().end());
    const double half = next_up(options.within * 0.5);
    for (Box& b : grown) {
      if (!is_alive(b)) continue;
      for (int k = 0; k < 3; ++k) {
        if (b.min[k] >= -kLargest) b.min[k] = next_down(std::max(b.min[k] - half, -kLargest));
        if (b.max[k] <= kLargest) b.max[k] = next_up(std::min(b.max[k] + half, kLargest));
      }
    }
    BoxGrid grid;
    if (grown.size() <= 32) {
      candidates = few_pairs(grown);
    } else if (grid.build(grown)) {
      candidates = grid.pairs(grown);
    } else {
      BoxSet set;
      std::copy(grown.begin(), grown.end(), set.assign(grown.size()).begin());
      candidates = set.pairs();
    }
  }
  constexpr std::size_t kGrain = 16;  // pairs of members of a task; a choice
  std::vector<std::vector<ScenePair>> found((candidates.size() + kGrain - 1) / kGrain);
  parallel_for(candidates.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SceneMember *a = &s.at_place(candidates[i].first), *b = &s.at_place(candidates[i].second);
      if (a->id > b->id) std::swap(a, b);
      if ((a->options.group & b->options.meets) == 0 || (b->options.group & a->options.meets) == 0) continue;
      const MemberRef pa(*a), pb(*b);
      if (!(options.within > 0 ? graze::within(pa, pb, options.within) : graze::intersects(pa, pb))) continue;
      ScenePair pair{a->id, b->id, 0, Vec3(0, 0, 0), Vec3(0, 0, 0)};
      if (options.witnesses) {
        const Closest c = graze::closest(pa, pb);
        pair.distance = c.distance;
        pair.on_a = c.on_a;
        pair.on_b = c.on_b;
      }
      found[begin / kGrain].push_back(pair);
    }
  });
  std::vector<ScenePair> result;
  for (const auto& f : found) result.insert(result.end(), f.begin(), f.end());
  std::sort(result.begin(), result.end(), [](const ScenePair& x, const ScenePair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  return result;
}

}  // namespace graze
