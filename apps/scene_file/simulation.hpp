// A running scene: the steps of the world, and of the walkers, shots and cloths beside it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scene_file/scene_file.hpp"

namespace graze::scene_file {

struct FiredShot {
  std::size_t shot = 0;  ///< in SceneFile::shots
  double time = 0;
  std::optional<ShotHit> hit;
};

struct WalkerState {
  Vec3 position{0, 0, 0};
  MoverResult last;
  std::size_t next_waypoint = 0;
  bool changed = false;  ///< became enclosed, or free again, in the last step
};

struct ClothState {
  std::vector<Vec3> vertices, velocities;
  std::size_t contacts = 0;  ///< features whose paths met something in the last step
};

struct TurningState {
  double angle = 0;  ///< radians since the start
  std::optional<MemberId> touches;
  Vec3 point{0, 0, 0};       ///< where
  bool stopped_now = false;  ///< in the last step
  double stopped_at = 0;     ///< time, s since the start, rounded
};

class Simulation {
 public:
  explicit Simulation(SceneFile scene);
  Simulation(Simulation&&) = default;
  Simulation(const Simulation&) = delete;  // movers refer to this object's world
  const SceneFile& scene() const { return scene_; }
  const World& world() const { return scene_.world; }
  std::uint64_t frame() const { return scene_.world.steps(); }
  std::uint64_t frames() const { return frames_; }  ///< of the whole duration

  void step();
  const std::vector<FiredShot>& shots() const { return shots_; }  ///< of the last step
  const std::vector<WalkerState>& walkers() const { return walkers_; }
  const std::vector<ClothState>& cloths() const { return cloths_; }

  const std::vector<TurningState>& turning() const { return turning_; }

  std::vector<std::uint8_t> snapshot() const;
  void restore(std::span<const std::uint8_t> bytes);

 private:
  void walk(std::size_t i);
  void fall(std::size_t i);
  void turn(std::size_t i);
  void shift(std::size_t i);
  SceneFile scene_;
  std::uint64_t frames_;
  std::vector<FiredShot> shots_;
  std::vector<WalkerState> walkers_;
  std::vector<Mover> movers_;  ///< of the walkers
  std::vector<ClothState> cloths_;
  std::vector<TurningState> turning_;
};

}  // namespace graze::scene_file
