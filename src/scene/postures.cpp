// Prepares many postures of moving members, and runs them in blocks on all cores.
#include <graze/postures.hpp>

#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/query/bounds.hpp>
#include <graze/query/minimal_sphere.hpp>
#include <initializer_list>
#include <optional>
#include <string>

#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/watch.hpp"
#include "query/loose_bounds.hpp"
#include "query/placed.hpp"
#include "scene/particle_path.hpp"
#include "scene/posture_block.hpp"
#include "scene/posture_plan.hpp"
#include "scene/scene_state.hpp"

namespace graze {
namespace {

constexpr std::size_t kFewBoxes = 256;  // boxes that are all tested; more are in a tree; a choice

double taxicab(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

void set(RestingForm& form, RestingForm::Kind kind, double radius, std::initializer_list<Vec3> points) {
  form.kind = kind;
  form.radius = radius;
  std::size_t at = 0;
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) form.numbers[at++] = p[k];
}

RestingForm form_of_box(const OrientedBox& b, double doubt) {
  RestingForm form;
  set(form, RestingForm::Kind::oriented_box, 0, {b.center, b.half.x * b.axes[0], b.half.y * b.axes[1], b.half.z * b.axes[2]});
  form.doubt = doubt;
  return form;
}

RestingForm form_of_placed(const Box& box, const Pose& pose) {
  if (const std::optional<OrientedBox> b = oriented(box, pose)) return form_of_box(*b, 0);
  const Vec3 middle = .5 * box.min + .5 * box.max, half = .5 * box.max - .5 * box.min;
  const auto column = [&](int i) { return Vec3(pose.rotation[0][i], pose.rotation[1][i], pose.rotation[2][i]); };
  const double doubt = kPlacedShare * (taxicab(pose.translation) + taxicab(box.min) + taxicab(box.max));
  return form_of_box({apply_pose(pose, middle), {column(0), column(1), column(2)}, half}, doubt);
}

RestingForm form_of_shape(const ShapeRef& s) {
  using Form = RestingForm::Kind;
  RestingForm form;
  if (const auto* point = s.get<Point>()) {
    set(form, Form::ball, 0, {placed(*point, s.pose()).point});
  } else if (const auto* ball = s.get<Sphere>()) {
    set(form, Form::ball, ball->radius, {placed(*ball, s.pose()).center});
  } else if (const auto* segment = s.get<Segment>()) {
    const Segment own = placed(*segment, s.pose());
    set(form, Form::segment, 0, {own.a, own.b});
  } else if (const auto* capsule = s.get<Capsule>()) {
    const Capsule own = placed(*capsule, s.pose());
    set(form, Form::segment, own.radius, {own.a, own.b});
  } else if (const auto* cylinder = s.get<Cylinder>()) {
    set(form, Form::cylinder, cylinder->radius, {placed_point(cylinder->a, s.pose()), placed_point(cylinder->b, s.pose())});
  } else if (const auto* box = s.get<Box>()) {
    if (s.pose()) return form_of_placed(*box, *s.pose());
    set(form, Form::box, 0, {box->min, box->max});
  } else if (const auto* oriented_box = s.get<OrientedBox>()) {
    return form_of_box(placed(*oriented_box, s.pose()), 0);
  }
  return form;
}

/// A small ball around the vertices or the shape; infinite for an unbounded one, and for one that is very far out.
Sphere ball_around(const ShapeRef& s) {
  constexpr double kFar = 0x1p500;  // beyond, squares might overflow
  const Box3 box = loose_bounds(s);
  for (int k = 0; k < 3; ++k)
    if (!(box.lo[k] > -kFar && box.hi[k] < kFar)) return {Vec3(0, 0, 0), kInfinity};
  const Mesh* const mesh = s.get<Mesh>();
  const Solid* const solid = s.get<Solid>();
  if (mesh != nullptr || solid != nullptr) return minimal_sphere((mesh != nullptr ? *mesh : solid->mesh()).vertices());
  return bounding_sphere(s);
}

/// The box of a mesh with all that kPlacedShare covers; nothing for other shapes.
std::optional<Box> box_around(const ShapeRef& s) {
  const std::optional<MeshView> surface = surface_of(s);
  const Box3 box = surface ? loose_bounds(s) : Box3();
  if (box.empty()) return std::nullopt;
  const double more = kPlacedShare * (max_norm(box.lo) + max_norm(box.hi));
  return more <= kLargest ? std::optional(Box{box.lo - more, box.hi + more}) : std::nullopt;
}

/// A small ball around balls: goes from the middle towards the ball that reaches farthest, ever less far.
Sphere ball_around(std::span<const Sphere> balls) {
  constexpr int kSteps = 200;  // a choice: within some percent of the least
  if (balls.size() == 1) return balls[0];
  Vec3 c = balls[0].center;
  const auto reach = [&](const Sphere& b, const Vec3& from) {
    const Vec3 d = b.center - from;
    return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z) + b.radius;
  };
  const auto farthest = [&](const Vec3& from) {
    return *std::max_element(balls.begin(), balls.end(), [&](const Sphere& x, const Sphere& y) { return reach(x, from) < reach(y, from); });
  };
  Sphere best{c, reach(farthest(c), c)};
  for (int i = 1; i <= kSteps; ++i) {
    const Sphere far = farthest(c);
    const double r = reach(far, c);
    if (r < best.radius) best = {c, r};
    const Vec3 to = far.center - c;
    const double length = std::sqrt(to.x * to.x + to.y * to.y + to.z * to.z);
    if (!(length > 0 && r < kInfinity)) break;
    c += ((length + far.radius) / (length * (i + 1))) * to;
  }
  best.radius = reach(farthest(best.center), best.center);
  return best;
}

/// The point in the member's own frame, nearly.
Vec3 in_member(const MemberPoint& p) { return p.composed ? apply_pose(p.inner, p.point) : p.point; }

double reach_of(const MemberPoint& p, double radius) {
  const double inner = p.composed ? taxicab(p.inner.translation) : 0;
  return radius + kPlacedShare * (radius + 2 * taxicab(p.point) + inner);
}

float rounded_out(double x, int side) {
  const double out = x + side * std::fabs(x) * 0x1p-22;
  return std::fabs(out) < 0x1p120 ? static_cast<float>(out) : out < 0 ? -HUGE_VALF : HUGE_VALF;
}

}  // namespace

// ---- preparation -------------------------------------------------------------------------------------------------------------------------

void PosturePlan::add_moving(const PairsOptions& options) {
  const auto& all = SceneAccess::state(scene);
  for (const MemberId id : ids) {
    const SceneMember& m = all.at(id);
    MovingMember& moving = members.emplace_back(MovingMember{id, {{}, m.shape, nullptr, places, 0}, {}, {}, {}, {}, {}});
    const Compound* const compound = m.shape.get<Compound>();
    const std::size_t parts = compound != nullptr ? compound->children().size() : 1;
    std::vector<MemberPoint> points[2];  // of Spheres, of others
    std::vector<Sphere> around;
    for (std::size_t i = 0; i < parts; ++i) {
      const Compound::Child* const child = compound != nullptr ? &compound->children()[i] : nullptr;
      MovingPart part{box_around(child != nullptr ? child->shape : m.shape), child != nullptr ? child->shape : m.shape,
                      child != nullptr && !is_identity(child->pose) ? &child->pose : nullptr, 0, 0};
      if (loose_bounds(part.shape).empty()) continue;
      const Sphere* const ball = part.shape.get<Sphere>();
      const Sphere bound = ball != nullptr ? *ball : ball_around(part.shape);
      const MemberPoint& point =
          points[ball == nullptr].emplace_back(MemberPoint{bound.center, part.inner != nullptr ? *part.inner : Pose{}, part.inner != nullptr});
      part.reach = reach_of(point, bound.radius);
      around.push_back({in_member(point), part.reach});
      (ball != nullptr ? moving.balls : moving.others).push_back(part);
      if (ball != nullptr) moving.radii.push_back(ball->radius);
    }
    const Sphere whole = around.empty() ? Sphere{Vec3(0, 0, 0), 0} : ball_around(around);
    moving.points.push_back({whole.center, Pose{}, false});
    moving.whole.reach = reach_of(moving.points[0], whole.radius);
    for (const auto& some : points) moving.points.insert(moving.points.end(), some.begin(), some.end());
    std::size_t next = places + 1;
    for (MovingPart& part : moving.balls) part.place = next++;
    for (MovingPart& part : moving.others) part.place = next++;
    places = next;
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j)
      if (members[i].points.size() > 1 && members[j].points.size() > 1 && may_be_pair(all.at(ids[i]), all.at(ids[j]), options)) pairs.emplace_back(i, j);
}

void PosturePlan::add_resting(const PairsOptions& options) {
  const auto& all = SceneAccess::state(scene);
  std::vector<Box> bounds;
  std::vector<std::uint8_t> count(members.size());
  for (const auto& m : all.by_id) {
    if (!m || m->place == ~0u || std::find(ids.begin(), ids.end(), m->id) != ids.end()) continue;
    for (std::size_t k = 0; k < members.size(); ++k) count[k] = members[k].points.size() > 1 && may_be_pair(all.at(ids[k]), *m, options);
    if (std::find(count.begin(), count.end(), 1) == count.end()) continue;
    const Children& parts = children_.emplace_back(m->ref());
    for (const ShapeRef& part : parts.all()) {
      const Box3 box = loose_bounds(part);
      if (box.empty()) continue;
      bounds.push_back({box.lo, box.hi});
      bool curved = false;
      visit_shape(part, [&]<class S>(const S&) { curved = form_of<S>() == Form::curved; });
      resting.push_back({part, m->id, form_of_shape(part), curved});
      for (int k = 0; k < 3; ++k) resting.back().form.box[k] = box.lo[k], resting.back().form.box[3 + k] = box.hi[k];
      for (std::size_t k = 0; k < members.size(); ++k) members[k].counts.push_back(count[k]);
    }
  }
  if (bounds.size() > kFewBoxes) return index.build(bounds);
  const Bulk bulk = bulk_of(bounds);
  frame.center = bulk.center;
  frame.scale = power_of_two(std::clamp(-exponent_of(std::max(bulk.half, 0x1p-900)), -900, 900));
  for (const Box& b : bounds)
    for (const int side : {-1, 1})
      for (int k = 0; k < 3; ++k) boxes.push_back(rounded_out(((side < 0 ? b.min : b.max)[k] - frame.center[k]) * frame.scale, side));
}

PosturePlan::PosturePlan(const Scene& given, std::span<const MemberId> moving, const PairsOptions& options)
    : scene(given), ids(moving.begin(), moving.end()), within(options.within) {
  require_within("postures", within);
  std::vector<MemberId> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw Error(ErrorCode::invalid_argument, "postures: member " + std::to_string(*twice) + " is given twice");
  for (const MemberId id : ids) (void)SceneAccess::state(scene).at(id);
  add_moving(options);
  add_resting(options);
}

Postures::Postures(const Scene& scene, std::span<const MemberId> moving, const PairsOptions& options) {
  const DefaultFloatEnvironment guard;
  plan_ = std::make_shared<const PosturePlan>(scene, moving, options);
}

const std::vector<MemberId>& Postures::members() const { return plan_->ids; }

// ---- queries -----------------------------------------------------------------------------------------------------------------------------

namespace {

/// The number of postures.
std::size_t count_of(std::span<const Pose> poses, std::size_t members) {
  if (members == 0 ? !poses.empty() : poses.size() % members != 0)
    throw Error(ErrorCode::invalid_argument, "postures: " + std::to_string(poses.size()) + " poses for " + std::to_string(members) +
                                                 " moving members, must be one for each member of each posture");
  return members == 0 ? 0 : poses.size() / members;
}

/// Calls f(block, number of its first posture, number of postures) for all blocks, whose poses are set, on all cores.
template <class F>
void for_each_block(const PosturePlan& plan, std::span<const Pose> poses, std::size_t postures, const F& f) {
  constexpr std::size_t kMost = 16;  // blocks of a task, at most: they share the memory of one; a choice
  const std::size_t blocks = (postures + kPostureBlock - 1) / kPostureBlock;
  parallel_for(blocks, std::clamp<std::size_t>(blocks / 16, 1, kMost), [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    PostureBlock block(plan);
    for (std::size_t b = begin; b < end; ++b) {
      checkpoint();
      const std::size_t first = b * kPostureBlock, count = std::min(kPostureBlock, postures - first);
      block.set(poses.subspan(first * plan.members.size(), count * plan.members.size()), count);
      f(block, first, count);
    }
  });
}

}  // namespace

void Postures::touching(std::span<const Pose> poses, std::span<std::uint8_t> out) const {
  const std::size_t n = count_of(poses, plan_->members.size());
  if (out.size() != n)
    throw Error(ErrorCode::invalid_argument, "postures: " + std::to_string(n) + " postures, room for " + std::to_string(out.size()) + " answers");
  for_each_block(*plan_, poses, n, [&](PostureBlock& block, std::size_t first, std::size_t count) {
    const PostureMask touching = block.touching();
    for (std::size_t s = 0; s < count; ++s) out[first + s] = touching >> s & 1;
  });
}

std::vector<std::uint8_t> Postures::touching(std::span<const Pose> poses) const {
  std::vector<std::uint8_t> out(count_of(poses, plan_->members.size()));
  touching(poses, out);
  return out;
}

PosturePairs Postures::pairs(std::span<const Pose> poses) const {
  const std::size_t n = count_of(poses, plan_->members.size());
  std::vector<std::vector<PosturePair>> found((n + kPostureBlock - 1) / kPostureBlock);
  for_each_block(*plan_, poses, n, [&](PostureBlock& block, std::size_t first, std::size_t) { found[first / kPostureBlock] = block.pairs(); });
  PosturePairs all;
  all.offsets.assign(n + 1, 0);
  for (std::size_t b = 0; b < found.size(); ++b)
    for (const PosturePair& p : found[b]) {
      all.pairs.emplace_back(p.a, p.b);
      ++all.offsets[b * kPostureBlock + p.posture + 1];
    }
  for (std::size_t i = 0; i < n; ++i) all.offsets[i + 1] += all.offsets[i];
  return all;
}

}  // namespace graze
