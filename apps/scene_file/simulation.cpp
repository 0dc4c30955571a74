// Advances walkers, shots and cloths together with the world.
#include "scene_file/simulation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <span>
#include <string>
#include <vector>

namespace graze::scene_file {
namespace {

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

void put(std::vector<std::uint8_t>& out, std::uint64_t x) {
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<std::uint8_t>(x >> (8 * i)));
}
void put(std::vector<std::uint8_t>& out, const Vec3& v) {
  for (int i = 0; i < 3; ++i) put(out, std::bit_cast<std::uint64_t>(v[i]));
}
struct Bytes {
  std::span<const std::uint8_t> bytes;
  std::uint64_t number() {
    if (bytes.size() < 8) throw Error(ErrorCode::bad_snapshot, "resume: the saved state is too short");
    std::uint64_t x = 0;
    for (std::size_t i = 0; i < 8; ++i) x |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
    bytes = bytes.subspan(8);
    return x;
  }
  /// Bytes prefixed with their count.
  std::span<const std::uint8_t> block() {
    const std::uint64_t size = number();
    if (size > bytes.size()) throw Error(ErrorCode::bad_snapshot, "resume: the saved state is too short");
    const auto r = bytes.first(size);
    bytes = bytes.subspan(size);
    return r;
  }
  Vec3 vector() {
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = std::bit_cast<double>(number());
    return v;
  }
};

}  // namespace

Simulation::Simulation(SceneFile scene) : scene_(std::move(scene)) {
  frames_ = static_cast<std::uint64_t>(std::max(0.0, scene_.duration / scene_.step + 0.5));
  for (const Walker& w : scene_.walkers) {
    walkers_.push_back({w.position, {}, 0, false});
    movers_.emplace_back(scene_.world.fixed(), w.shape, w.position, w.options);
  }
  turning_.resize(scene_.turning.size());
  for (const Cloth& c : scene_.cloths)
    cloths_.push_back({{c.mesh.vertices().begin(), c.mesh.vertices().end()}, std::vector<Vec3>(c.mesh.vertices().size(), Vec3(0, 0, 0)), 0});
}

void Simulation::step() {
  const double from = scene_.world.time(), to = from + scene_.step;
  shots_.clear();
  for (std::size_t i = 0; i < scene_.shots.size(); ++i) {
    const Shot& s = scene_.shots[i];
    if (s.time >= from && s.time < to) shots_.push_back({i, s.time, scene_.world.shoot(s.ray, s.t_max)});
  }
  for (std::size_t i = 0; i < turning_.size(); ++i) turn(i);
  for (std::size_t i = 0; i < scene_.moving.size(); ++i) shift(i);
  scene_.world.step(scene_.step);
  for (std::size_t i = 0; i < walkers_.size(); ++i) walk(i);
  for (std::size_t i = 0; i < cloths_.size(); ++i) fall(i);
}

void Simulation::turn(std::size_t i) {
  const Turning& t = scene_.turning[i];
  TurningState& state = turning_[i];
  state.stopped_now = false;
  if (state.touches || t.rate == 0) return;
  const Scene& fixed = scene_.world.fixed();
  const Screw motion{t.center, t.axis, t.rate * scene_.step, Vec3(0, 0, 0)};
  double share = 1;
  for (const MemberId other : fixed.members()) {
    if (other == t.member) continue;
    const auto hit = sweep(at(fixed.shape(t.member), fixed.pose(t.member)), motion, at(fixed.shape(other), fixed.pose(other)));
    if (!hit || (state.touches && hit->t >= share)) continue;
    share = hit->t;
    state.touches = other;
    state.point = hit->point;
    state.stopped_now = true;
  }
  if (state.stopped_now) state.stopped_at = scene_.world.time() + share * scene_.step;
  // Always rotates the initial pose by the whole angle: composed rotations would gradually lose orthogonality.
  state.angle += share * t.rate * scene_.step;
  const Pose turned = Screw{t.center, t.axis, state.angle, Vec3(0, 0, 0)}.at(1);
  Pose pose;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      pose.rotation[r][c] = 0;
      for (int k = 0; k < 3; ++k) pose.rotation[r][c] += turned.rotation[r][k] * t.start.rotation[k][c];
    }
  pose.translation = turned.apply(t.start.translation);
  scene_.world.move_fixed(t.member, pose);
}

void Simulation::shift(std::size_t i) {
  const Moving& m = scene_.moving[i];
  const double now = scene_.world.time();
  const Vec3 by = m.shift(now + scene_.step);
  if (by == m.shift(now)) return;
  Pose pose = m.start;
  pose.translation += by;
  scene_.world.move_fixed(m.member, pose);
}

void Simulation::walk(std::size_t i) {
  const Walker& w = scene_.walkers[i];
  WalkerState& state = walkers_[i];
  const Vec3 up = scene_.up / length(scene_.up);
  Vec3 wish(0, 0, 0);
  if (state.next_waypoint < w.waypoints.size()) {
    Vec3 way = w.waypoints[state.next_waypoint] - state.position;
    way -= dot(way, up) * up;
    const double far = length(way), reach = w.speed * scene_.step;
    wish = far > reach ? way * (reach / far) : way;
    if (far <= reach && ++state.next_waypoint == w.waypoints.size() && w.repeat) state.next_waypoint = 0;
  }
  const bool before = movers_[i].enclosed();
  state.last = movers_[i].move(wish - (w.fall * scene_.step) * up);
  state.position = movers_[i].pose().translation;
  state.changed = state.last.enclosed != before;
}

// Verlet integration with distance constraints by relaxation. Then every vertex whose path meets a fixed mesh or the sheet itself (ccd) is kept in place, until
// no path meets anything.
void Simulation::fall(std::size_t i) {
  const Cloth& c = scene_.cloths[i];
  ClothState& state = cloths_[i];
  const std::size_t n = state.vertices.size();
  const std::vector<Vec3> start = state.vertices;
  std::vector<Vec3> end = start;
  for (std::size_t v = 0; v < n; ++v) {
    if (c.pinned[v]) continue;
    state.velocities[v] += scene_.step * scene_.gravity - state.velocities[v] * (0.5 * scene_.step);
    end[v] = start[v] + scene_.step * state.velocities[v];
  }
  for (const Vec3& p : end)
    for (int k = 0; k < 3; ++k)
      if (!(std::fabs(p[k]) <= 1e150))
        throw Error(ErrorCode::invalid_argument, "cloths[" + std::to_string(i) + "] (\"" + c.name + "\"): a vertex moves to " + std::to_string(p[k]) +
                                                     ", beyond what can be computed with; gravity or step are too large");
  const std::span<const Vec3> rest = c.mesh.vertices();
  for (int round = 0; round < c.relaxations; ++round)
    for (const TriangleIndices& t : c.mesh.triangles())
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t a = t[static_cast<std::size_t>(k)], b = t[static_cast<std::size_t>((k + 1) % 3)];
        const Vec3 d = end[b] - end[a];
        const double now = length(d), wanted = length(rest[b] - rest[a]);
        if (!(now > 0)) continue;
        const double wa = c.pinned[a] ? 0 : 1, wb = c.pinned[b] ? 0 : 1;
        if (wa + wb == 0) continue;
        const Vec3 move = d * ((now - wanted) / now / (wa + wb));
        end[a] += wa * move;
        end[b] -= wb * move;
      }
  state.contacts = 0;
  const Mesh sheet = c.mesh.refit(start);
  for (std::size_t round = 0; round <= n; ++round) {
    bool any = false;
    const auto hold = [&](std::uint32_t v) {
      if (end[v] == start[v]) return;
      end[v] = start[v];
      any = true;
    };
    for (const MemberId id : scene_.world.fixed().members()) {
      const Mesh* mesh = scene_.world.fixed().shape(id).get<Mesh>();
      if (!mesh) continue;
      std::vector<Vec3> placed(mesh->vertices().begin(), mesh->vertices().end());
      for (Vec3& p : placed) p = scene_.world.fixed().pose(id).apply(p);
      const Mesh there = mesh->refit(placed);
      for (const DeformingContact& k : ccd(sheet, end, there, placed)) {
        ++state.contacts;
        const int count = k.kind == DeformingContact::Kind::vertex_face ? 1 : k.kind == DeformingContact::Kind::face_vertex ? 3 : 2;
        for (int v = 0; v < count; ++v) hold(k.vertices[static_cast<std::size_t>(v)]);
      }
    }
    for (const DeformingContact& k : ccd(sheet, end)) {
      ++state.contacts;
      for (const std::uint32_t v : k.vertices) hold(v);
    }
    if (!any) break;
  }
  for (std::size_t v = 0; v < n; ++v) state.velocities[v] = (end[v] - start[v]) / scene_.step;
  state.vertices = std::move(end);
}

std::vector<std::uint8_t> Simulation::snapshot() const {
  std::vector<std::uint8_t> out;
  const auto world = scene_.world.snapshot();
  put(out, world.size());
  out.insert(out.end(), world.begin(), world.end());
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    const auto mover = movers_[i].snapshot();
    put(out, mover.size());
    out.insert(out.end(), mover.begin(), mover.end());
    put(out, std::uint64_t{walkers_[i].next_waypoint});
  }
  for (const TurningState& t : turning_) {
    put(out, std::bit_cast<std::uint64_t>(t.angle));
    put(out, t.touches ? std::uint64_t{*t.touches} + 1 : 0);
    put(out, t.point);
  }
  for (const ClothState& c : cloths_) {
    for (const Vec3& v : c.vertices) put(out, v);
    for (const Vec3& v : c.velocities) put(out, v);
  }
  return out;
}

void Simulation::restore(std::span<const std::uint8_t> bytes) {
  Bytes in{bytes};
  scene_.world.restore(in.block());
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    movers_[i].restore(in.block());
    walkers_[i].position = movers_[i].pose().translation;
    walkers_[i].next_waypoint = in.number();
  }
  for (TurningState& t : turning_) {
    t.angle = std::bit_cast<double>(in.number());
    const std::uint64_t touches = in.number();
    if (touches) t.touches = static_cast<MemberId>(touches - 1);
    t.point = in.vector();
  }
  for (ClothState& c : cloths_) {
    for (Vec3& v : c.vertices) v = in.vector();
    for (Vec3& v : c.velocities) v = in.vector();
  }
  if (!in.bytes.empty()) throw Error(ErrorCode::bad_snapshot, "resume: the saved state is of another scene");
}

}  // namespace graze::scene_file
