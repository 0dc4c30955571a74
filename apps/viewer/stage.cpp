// Converts members of a scene to parts of a picture. Bodies of one shape share a surface.
#include "viewer/stage.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

using scene_file::Simulation;

namespace {

constexpr Color kBodies[] = {kSkyBlue, kOrange, kGreen, kPurple, kBlue, kYellow};
constexpr Color kGround{205, 205, 198}, kWalker = kOrange, kWay = kBlue, kSheet = kSkyBlue;
constexpr std::size_t kFew = 16;  // maximum number of bodies whose paths are drawn
constexpr Color kTurning[] = {kSkyBlue, kOrange, kGreen, kPurple, kYellow, kFrameB};

bool same(const AnyShape& a, const AnyShape& b) {
  if (a.kind() != b.kind()) return false;
  if (const Hull* h = a.get<Hull>()) return &h->data() == &b.get<Hull>()->data();
  if (const Mesh* m = a.get<Mesh>()) return &m->impl() == &b.get<Mesh>()->impl();
  if (a.get<Solid>() || a.get<HeightField>() || a.get<Compound>() || a.get<Frustum>() || a.get<Polygon>()) return false;
  const auto numbers = [](const AnyShape& s) {  // all other shapes contain only numbers
    return std::visit(
        [](const auto& x) {
          std::vector<double> v;
          using S = std::decay_t<decltype(x)>;
          if constexpr (requires { S::fields(); })
            std::apply(
                [&](const auto&... field) {
                  const auto add = [&](const auto& value) {
                    using T = std::decay_t<decltype(value)>;
                    const auto add_point = [&](const Vec3& p) {
                      for (int k = 0; k < 3; ++k) v.push_back(p[k]);
                    };
                    if constexpr (std::is_same_v<T, double>) {
                      v.push_back(value);
                    } else if constexpr (std::is_same_v<T, Vec3>) {
                      add_point(value);
                    } else {
                      for (const Vec3& p : value) add_point(p);
                    }
                  };
                  (add(x.*(field.member)), ...);
                },
                S::fields());
          return v;
        },
        s.value());
  };
  return numbers(a) == numbers(b);
}

bool finite(const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (!std::isfinite(b.min[k]) || !std::isfinite(b.max[k]) || b.min[k] > b.max[k]) return false;
  return true;
}
void take(Box& all, bool& any, const Box& b) {
  if (!finite(b)) return;
  for (int k = 0; k < 3; ++k) {
    all.min[k] = any ? std::min(all.min[k], b.min[k]) : b.min[k];
    all.max[k] = any ? std::max(all.max[k], b.max[k]) : b.max[k];
  }
  any = true;
}
bool inside(const Vec3& p, const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (!(b.min[k] < p[k] && p[k] < b.max[k])) return false;
  return true;
}

/// Applies q after p.
Pose both(const Pose& q, const Pose& p) {
  Pose pose;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      pose.rotation[i][j] = 0;
      for (int k = 0; k < 3; ++k) pose.rotation[i][j] += q.rotation[i][k] * p.rotation[k][j];
    }
  pose.translation = q.apply(p.translation);
  return pose;
}

/// Replaces a shape that is too thin for a surface by one that has a surface.
AnyShape thick(const AnyShape& shape, double size) {
  if (const Point* p = shape.get<Point>()) return Sphere{p->point, size * 0.006};
  if (const Segment* s = shape.get<Segment>()) return Capsule{s->a, s->b, size * 0.004};
  return shape;
}

/// Grounds are drawn as a large square.
void add_fixed(Picture& picture, const AnyShape& shape, const Pose& pose, const Look& look) {
  if (const HalfSpace* h = shape.get<HalfSpace>()) {
    const Vec3 n = unit(pose.rotate(h->normal)), middle = look.middle + n * dot(pose.apply(h->point) - look.middle, n);
    const Vec3 u = unit(cross(std::abs(n.x) < 0.9 ? Vec3(1, 0, 0) : Vec3(0, 1, 0), n)) * look.extent, v = cross(n, u);
    const Triangle two[] = {{{middle - u - v, middle + u - v, middle + u + v}}, {{middle - u - v, middle + u + v, middle - u + v}}};
    picture.parts.push_back({surface_of(two, false), Pose{}, kGround, look.opacity, false, false, look.id});
    return;
  }
  add_shape(picture, shape, pose, look);
}

}  // namespace

void Stage::add_mover(Kind kind, std::uint32_t id, const AnyShape& shape, const Pose& pose, Color color, bool turns) {
  auto it = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.shape == &shape || same(*k.shape, shape); });
  if (it == known_.end()) {
    Picture one;
    add_fixed(one, thick(shape, size_), Pose{}, {});
    known_.push_back({&shape, std::move(one.parts)});
    it = known_.end() - 1;
  }
  const bool few = kind == Kind::body && bodies_in_all_ <= kFew;  // stay visible behind walls
  for (Part part : it->parts) {
    movers_.push_back({kind, id, part.pose, turns});
    part.pose = both(pose, part.pose);
    part.color = color;
    part.through = kind == Kind::walker || few;
    picture_.parts.push_back(std::move(part));
  }
}

Stage::Stage(const World& world, const Simulation* simulation, const std::vector<std::shared_ptr<const AnyShape>>& own_looks) {
  const auto& looks = simulation ? simulation->scene().body_looks : own_looks;
  const Scene& fixed = world.fixed();
  std::vector<std::pair<MemberId, std::string>> moved;  // members that rotate or translate
  bool any = false;
  Box moving{Vec3(0, 0, 0), Vec3(0, 0, 0)}, still = moving;
  bool any_moving = false, any_still = false;
  std::vector<Vec3> starts;  // bounds of freely moving bodies
  if (simulation) {
    for (const scene_file::Turning& t : simulation->scene().turning) moved.emplace_back(t.member, t.name);
    for (const scene_file::Moving& m : simulation->scene().moving) moved.emplace_back(m.member, m.name);
    for (std::size_t i = 0; i < simulation->walkers().size(); ++i) {
      take(moving, any_moving, bounding_box(at(simulation->scene().walkers[i].shape, translation(simulation->walkers()[i].position))));
      starts.push_back(simulation->walkers()[i].position);
    }
    for (const scene_file::ClothState& c : simulation->cloths())
      for (const Vec3& v : c.vertices) take(moving, any_moving, Box{v, v});
  }
  for (BodyId id = 0; id < world.bodies(); ++id)
    if (world.alive(id)) {
      take(moving, any_moving, bounding_box(at(world.shape(id), world.pose(id))));
      starts.push_back(world.position(id));
    }
  bodies_in_all_ = starts.size() - (simulation ? simulation->walkers().size() : 0);
  for (const MemberId id : fixed.members()) take(still, any_still, bounding_box(at(fixed.shape(id), fixed.pose(id))));
  take(box_, any, moving);
  if (any_still) take(box_, any, still);
  size_ = std::max(length(box_.max - box_.min), 1e-300);

  const bool indoors = simulation && !simulation->walkers().empty();
  for (const MemberId id : fixed.members()) {
    if (std::any_of(moved.begin(), moved.end(), [&](const auto& m) { return m.first == id; })) continue;
    const Box b = bounding_box(at(fixed.shape(id), fixed.pose(id)));
    Look look;
    look.extent = size_ * 0.9;
    look.middle = box_.min * 0.5 + box_.max * 0.5;
    // containers of moving bodies are transparent, so that the bodies are visible
    const auto within = static_cast<std::size_t>(std::count_if(starts.begin(), starts.end(), [&](const Vec3& p) { return finite(b) && inside(p, b); }));
    if (indoors || (!starts.empty() && 2 * within > starts.size())) look.opacity = 0.35f;
    add_fixed(picture_, fixed.shape(id), fixed.pose(id), look);
  }
  first_moving_ = picture_.parts.size();
  if (simulation) {
    for (std::size_t i = 0; i < moved.size(); ++i)
      add_mover(Kind::member, moved[i].first, fixed.shape(moved[i].first), fixed.pose(moved[i].first), kTurning[i % std::size(kTurning)]);
    for (std::size_t i = 0; i < simulation->walkers().size(); ++i)
      add_mover(Kind::walker, static_cast<std::uint32_t>(i), simulation->scene().walkers[i].shape, translation(simulation->walkers()[i].position), kWalker);
  }
  for (BodyId id = 0; id < world.bodies(); ++id) {
    if (!world.alive(id)) continue;
    const AnyShape* look = id < looks.size() ? looks[id].get() : nullptr;
    add_mover(Kind::body, id, look ? *look : world.shape(id), world.pose(id), kBodies[bodies_ % std::size(kBodies)], look != nullptr);
    ++bodies_;
  }
  known_.clear();
  if (simulation)
    for (std::size_t i = 0; i < simulation->cloths().size(); ++i)
      picture_.parts.push_back({surface_of(simulation->scene().cloths[i].mesh.refit(simulation->cloths()[i].vertices)), Pose{}, kSheet});
  for (std::size_t i = first_sheet(); i < picture_.parts.size(); ++i) picture_.parts[i].triangles = true;  // they deform

  const auto entry = [&](Color color, const char* text) { picture_.legend.push_back({color, text}); };
  if (first_moving_ > 0) entry(kStone, "fixed");
  if (!simulation) return;
  for (std::size_t i = 0; i < std::min<std::size_t>(moved.size(), 6); ++i) picture_.legend.push_back({kTurning[i % std::size(kTurning)], moved[i].second});
  if (!simulation->walkers().empty()) {
    entry(kWalker, simulation->walkers().size() == 1 ? "walker" : "walkers");
    entry(kWay, simulation->walkers().size() == 1 ? "its path so far" : "their paths so far");
  }
  if (simulation->walkers().empty() && bodies_ > 0 && bodies_ <= kFew) entry(kWay, "paths of bodies so far");
  if (!simulation->scene().shots.empty()) entry(kColorHit, "shots, up to what they hit");
  if (!simulation->cloths().empty()) entry(kSheet, "cloth");
}

std::vector<Pose> Stage::poses(const World& world, const Simulation* simulation) const {
  std::vector<Pose> list;
  list.reserve(movers_.size());
  for (const Mover& m : movers_) {
    if (m.kind == Kind::body)
      list.push_back(!world.alive(m.id) ? translation(Vec3(1e30, 1e30, 1e30))
                                        : both(m.turns ? polygon_pose(m.id, world.position(m.id), world.time()) : world.pose(m.id), m.local));
    else if (m.kind == Kind::member)
      list.push_back(both(world.fixed().pose(m.id), m.local));
    else
      list.push_back(both(translation(simulation->walkers()[m.id].position), m.local));
  }
  return list;
}

Trail::Trail(const Simulation& simulation, const Box& box) : box_(box), size_(length(box.max - box.min)) {
  for (const scene_file::WalkerState& w : simulation.walkers()) last_.push_back(w.position);
  const World& world = simulation.world();
  std::size_t alive = 0;
  for (BodyId id = 0; id < world.bodies(); ++id) alive += world.alive(id);
  if (alive <= kFew)
    for (BodyId id = 0; id < world.bodies(); ++id) bodies_.push_back(world.position(id));
}

/// How far a shot that hits nothing is drawn: a little beyond the box, so that it does not run through the whole picture.
double Trail::way_out(const Vec3& from, const Vec3& direction) const {
  double least = size_;
  for (int k = 0; k < 3; ++k)
    if (direction[k] != 0) least = std::min(least, ((direction[k] > 0 ? box_.max[k] : box_.min[k]) - from[k]) / direction[k]);
  return std::max(least, 0.0) + 0.1 * size_;
}

std::vector<Stroke> Trail::step(const Simulation& simulation) {
  std::vector<Stroke> list;
  const Vec3 up = unit(simulation.scene().up) * (size_ * 0.002);  // a little above the floor
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const Vec3 now = simulation.walkers()[i].position;
    if (now != last_[i]) list.push_back({last_[i] + up, now + up, kWay, 3, true});
    last_[i] = now;
  }
  const World& world = simulation.world();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto id = static_cast<BodyId>(i);
    if (!world.alive(id)) continue;
    Vec3 from = bodies_[i];
    bodies_[i] = world.position(id);
    const bool again = std::any_of(world.respawns().begin(), world.respawns().end(), [&](const RespawnEvent& e) { return e.body == id; });
    if (!again && bodies_[i] != from) list.push_back({from, bodies_[i], kWay, 2.5f, true});
  }
  for (const scene_file::FiredShot& s : simulation.shots()) {
    const Ray& ray = simulation.scene().shots[s.shot].ray;
    const Vec3 end = s.hit ? s.hit->hit.point : ray.origin + unit(ray.direction) * way_out(ray.origin, unit(ray.direction));
    list.push_back({ray.origin, end, kColorHit, 3, true});
  }
  return list;
}

std::string name_in(const std::vector<std::string>& names, std::uint32_t id, const char* what) {
  if (id >= names.size() || names[id].empty()) return fmt::format("{} {}", what, id);
  const bool one_of_many = (id > 0 && names[id - 1] == names[id]) || (id + 1 < names.size() && names[id + 1] == names[id]);  // emitted
  return one_of_many ? fmt::format("{} {}", names[id], id) : names[id];
}

std::vector<PageHit> events_of(const Simulation& simulation, const Stage* stage) {
  std::vector<PageHit> list;
  const scene_file::SceneFile& scene = simulation.scene();
  const auto add = [&](double time, const std::string& what, const Vec3& at) {
    PageHit& hit = list.emplace_back();
    hit.text = fmt::format("{:.3f} s: {}", time, what);
    hit.at = at;
    hit.time = time;
  };
  for (const scene_file::FiredShot& s : simulation.shots()) {
    const std::string who =
        s.hit ? "hits " + (s.hit->body ? name_in(scene.body_names, s.hit->id, "body") : name_in(scene.fixed_names, s.hit->id, "member")) : "hits nothing";
    add(s.time, scene.shots[s.shot].name + ": " + who, s.hit ? s.hit->hit.point : scene.shots[s.shot].ray.origin);
  }
  for (std::size_t i = 0; i < simulation.turning().size(); ++i) {
    const scene_file::TurningState& t = simulation.turning()[i];
    if (!t.stopped_now) continue;
    add(t.stopped_at, fmt::format("{} touches {} and stops", scene.turning[i].name, name_in(scene.fixed_names, *t.touches, "member")), t.point);
    for (std::size_t part = 0; stage && part < stage->moving(); ++part)
      if (stage->is_member(part, scene.turning[i].member)) list.back().settled.push_back(part);
  }
  for (std::size_t i = 0; i < simulation.walkers().size(); ++i) {
    const scene_file::WalkerState& w = simulation.walkers()[i];
    if (w.changed) add(simulation.world().time(), scene.walkers[i].name + (w.last.enclosed ? " is enclosed" : " is free again"), w.position);
  }
  for (const StopEvent& e : simulation.world().stops())
    add(e.time,
        fmt::format("{} is stopped at {}: more than {} reflections in a step", name_in(scene.body_names, e.b, "body"),
                    name_in(scene.fixed_names, e.a, "member"), simulation.world().options().max_bounces),
        e.point);
  return list;
}

Pose polygon_pose(BodyId id, const Vec3& place, double time) {
  std::uint64_t state = id;
  const auto random = [&] {
    state = (state + 0x9e3779b97f4a7c15u) * 6364136223846793005u;
    state ^= state >> 29;
    return static_cast<double>(state >> 40) / static_cast<double>(1 << 23) - 1;
  };
  const Vec3 axis = unit(random_vector(random) + Vec3(1e-9, 0, 0));
  const double rate = 2 + 2 * random();
  return turned_about(translation(place), place, axis, time * rate + random());
}

Axis near_axis(const Vec3& up) {
  return std::abs(up.x) > std::abs(up.y) && std::abs(up.x) > std::abs(up.z) ? Axis::x : std::abs(up.y) > std::abs(up.z) ? Axis::y : Axis::z;
}

Camera camera_of(const scene_file::SceneFile& scene, const Box& box) {
  const Vec3 up = unit(scene.up);
  if (scene.camera && scene.camera->rides.empty() && scene.camera->eye != scene.camera->target)
    return Camera{scene.camera->eye, scene.camera->target, up, 0.70, 1.6};
  const Vec3 from = usual_direction(near_axis(up));
  return fit(box, dot(up, from) < 0 ? from * -1.0 : from, up, 1.6);
}

}  // namespace graze::view
