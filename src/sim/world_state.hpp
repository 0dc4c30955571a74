// What a world is made of: fixed members and their materials, kinds of bodies, bodies.
#pragma once
#include <cstdint>
#include <graze/world.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace graze {

/// One generator for the whole of a world (splitmix64), by counter: number k of body b in its life l depends on nothing else, so that threads cannot change it.
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

/// What bodies of one add_moving or add_emitter have in common.
struct BodyKind {
  AnyShape shape;
  Vec3 center{0, 0, 0};            // of its bounding box
  double reach = 0;                // from there, rounded up
  bool point = false;
  BodyOptions options;
  std::optional<Emitter> emitter;
};

struct Body {
  Pose pose;
  Vec3 velocity{0, 0, 0};
  double age = 0;                  // s since its start
  std::uint32_t kind = 0;
  std::uint32_t lives = 0;         // how often it has started at its emitter
  bool alive = true, resting = false;
};

struct World::State {
  WorldOptions options;
  Scene fixed;
  std::vector<Material> materials;  // by member
  std::vector<BodyKind> kinds;
  std::vector<Body> bodies;
  double time = 0;
  std::uint64_t steps = 0;
  std::vector<ImpactEvent> impacts;
  std::vector<RespawnEvent> respawns;
  std::vector<ExplodeEvent> explosions;

  const Body& at(BodyId id) const;
  Vec3 position(const Body& body) const { return kinds[body.kind].point ? body.pose.translation : body.pose.apply(kinds[body.kind].center); }
  void start(BodyId id, Body& body) const;  // anew at its emitter
  /// One body's step: flies for `dt` seconds, from contact to contact; impacts are appended.
  void fly(BodyId id, Body& body, double dt, std::vector<ImpactEvent>& impacts) const;
};

/// Half the sum of squares, correctly rounded (but for ties within 2^-100), the same for any order and sign of the coordinates: so a velocity that is not longer has no more energy.
double kinetic_energy_of(const Vec3& v);

}  // namespace graze
