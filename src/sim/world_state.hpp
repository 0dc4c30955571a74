// The internal state of a world: fixed members and their materials, kinds of bodies, bodies.
#pragma once
#include <algorithm>
#include <cstdint>
#include <graze/world.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/free_space.hpp"

namespace graze {

/// Counter-based random generator of a world (splitmix64). Number k of body b in its life l depends on nothing else, so threads cannot change it.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t body, std::uint64_t life, std::uint64_t k) {
  std::uint64_t z = seed;
  for (const std::uint64_t part : {body, life, k}) {
    z += 0x9e3779b97f4a7c15u * (part + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
  }
  return z;
}

/// What all bodies of one add_moving or add_emitter call share.
struct BodyKind {
  AnyShape shape;
  Vec3 center{0, 0, 0};  // of its bounding box
  double reach = 0;      // radius about the centre, rounded up
  double extent = 0;     // bounds the distance of every point of the body from its translation along each axis
  bool point = false;
  BodyOptions options;
  std::optional<Emitter> emitter;
};

struct Body {
  Pose pose;
  Vec3 velocity{0, 0, 0};
  double age = 0;  // seconds since its start
  std::uint32_t kind = 0;
  std::uint32_t lives = 0;  // number of starts at its emitter
  bool alive = true, resting = false;
};

/// Events of a step, of all bodies or of some.
struct Events {
  std::vector<ImpactEvent> impacts;
  std::vector<StopEvent> stops;
  std::vector<RespawnEvent> respawns;
  std::vector<ExplodeEvent> explosions;
  void clear() {
    impacts.clear();
    stops.clear();
    respawns.clear();
    explosions.clear();
  }
};

struct World::State {
  WorldOptions options;
  Scene fixed;
  std::vector<Material> materials;  // by member
  std::vector<BodyKind> kinds;
  std::vector<Body> bodies;
  double time = 0;
  std::uint64_t steps = 0;
  Events events;  // of the last step

  // Built from `fixed` after enough path queries; never changes an answer.
  std::shared_ptr<const FreeSpace> free_space;
  std::optional<std::uint64_t> paths_left;  // path queries until it is built

  const Body& at(BodyId id) const;
  void fixed_changed() {
    free_space = nullptr;
    paths_left.reset();
  }
  void expect_paths(std::uint64_t paths);  // called before that many path queries
  Vec3 position(const Body& body) const { return kinds[body.kind].point ? body.pose.translation : body.pose.apply(kinds[body.kind].center); }
  void start(BodyId id, Body& body) const;  // restarts the body at its emitter
  /// Advances bodies [begin, end), at most kTogether, by a step of dt seconds, each until its fuse ends. Impacts and stops are appended body by body.
  static constexpr std::size_t kTogether = 512;
  void fly(std::size_t begin, std::size_t end, double dt, Events& happened);
  double flight_of(const Body& body, double dt) const { return std::min(dt, std::max(kinds[body.kind].options.fuse - body.age, 0.0)); }

 private:
  struct Flight;
  /// Advances the bodies whose paths the cells prove free; keeps the others and returns their number. Works in rounds, each of which prefetches what the next
  /// one reads: first all flights at once, then in halves.
  std::size_t pass_clear(Flight* flights, std::size_t count);
  /// Moves a body along a piece of its path and lets it bounce. For a point, `hit` is the first hit of the piece. Returns true if the body continues, and
  /// stores from where.
  bool meet(Flight& flight, const std::optional<SceneHit>& hit, Events& happened);
};

/// Half the sum of squares, correctly rounded (except for ties within 2^-100) and the same for any order and sign of the coordinates. Therefore a velocity that
/// is not longer has no more energy.
double kinetic_energy_of(const Vec3& v);

}  // namespace graze
