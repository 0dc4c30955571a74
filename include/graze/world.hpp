// Motion in time: bodies as particles with a velocity among fixed and moved shapes; impacts, emitters, projectiles, movers, cameras; bit-identical replay.
#pragma once
#include <graze/response.hpp>
#include <graze/scene.hpp>
#include <string>
#include <vector>

namespace graze {

using BodyId = std::uint32_t;

struct BodyOptions {
  Vec3 velocity{0, 0, 0};            ///< length/s
  Material material = {};
  double drag = 0;                   ///< 1/s: dv/dt = -drag v
  double gravity_scale = 1;
  std::uint32_t meets = ~0u;         ///< groups of fixed members that it meets
  double fuse = std::numeric_limits<double>::infinity();  ///< s: a grenade goes off (ExplodeEvent) and is removed
  double rest_speed = 0;             ///< length/s: slower than this right after a hit, the body rests until disturbed
};

/// Bodies made again and again (U7): a body that has become slower than `slow`, has fallen below `floor`, or is older than `life` starts again at the emitter.
struct Emitter {
  Vec3 origin{0, 0, 0};
  Vec3 spread{0, 0, 0};              ///< half sizes of the box of start points
  Vec3 velocity{0, 0, 0};
  Vec3 velocity_spread{0, 0, 0};
  double slow = 0;                   ///< length/s
  double floor = -std::numeric_limits<double>::infinity();  ///< height along -gravity's direction
  double life = std::numeric_limits<double>::infinity();    ///< s
};

struct ImpactEvent {
  double time = 0;                   ///< s since the world's start
  MemberId a = 0;                    ///< the fixed member
  BodyId b = 0;
  Vec3 point{0, 0, 0}, normal{0, 0, 0};
  double speed = 0;                  ///< along the normal, before
  std::optional<std::uint32_t> triangle;
};
struct RespawnEvent { double time; BodyId body; };
struct ExplodeEvent { double time; BodyId body; Vec3 point; };
struct ShotHit {
  bool body = false;                 ///< a moving body was hit, else a fixed member
  std::uint32_t id = 0;
  Hit hit;
};

struct WorldOptions {
  Vec3 gravity{0, 0, -9.81};         ///< length/s^2
  std::uint64_t seed = 1;            ///< of the emitters' random numbers
  int most_bounces = 10;             ///< per body and step; then it is stopped for this step
  bool record_impacts = true;
};

/// Fixed members (a Scene) and moving bodies. Between hits a body flies on straight pieces: velocity by the semi-implicit Euler step v += dt (g scale - drag v), then position by v dt (its energy drift is stated in docs/accuracy.md); each
/// piece is an exact sweep, each stop certified, so that no body ever gets from one side of a surface to the other. Bodies do not meet each other. Orientation never changes. Same bits for any number of threads.
class World {
 public:
  explicit World(const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  World(const World&);              ///< a snapshot: continues with the same bits
  World& operator=(const World&);

  MemberId add_fixed(AnyShape shape, const Pose& pose = {}, const Material& material = {}, const MemberOptions& options = {});
  void move_fixed(MemberId id, const Pose& pose);
  const Scene& fixed() const;

  /// Point, Sphere, Capsule, Box, OrientedBox, Hull or any convex shape. Throws Error when invalid.
  BodyId add_moving(AnyShape shape, const Pose& pose, const BodyOptions& options = {});
  /// `count` bodies of one shape that start at the emitter by the world's random numbers, and again whenever it says so. Returns the first id; the others follow.
  BodyId add_emitter(AnyShape shape, std::size_t count, const Emitter& emitter, const BodyOptions& options = {});
  void remove(BodyId id);
  std::size_t bodies() const;
  bool alive(BodyId id) const;
  const AnyShape& shape(BodyId id) const;
  const Pose& pose(BodyId id) const;
  Vec3 position(BodyId id) const;   ///< of a Point: where it is; else the pose applied to the shape's centre of its bounding box
  Vec3 velocity(BodyId id) const;
  void set_velocity(BodyId id, const Vec3& v);

  /// One step of dt seconds for all bodies, on all cores.
  void step(double dt);
  double time() const;
  std::uint64_t steps() const;
  double kinetic_energy() const;    ///< of unit masses; summed in a fixed order

  /// What happened in the last step, ordered by time, then body.
  const std::vector<ImpactEvent>& impacts() const;
  const std::vector<RespawnEvent>& respawns() const;
  const std::vector<ExplodeEvent>& explosions() const;

  /// A shot: who is hit first, fixed or moving, and where.
  std::optional<ShotHit> shoot(const Ray& ray, double t_max = std::numeric_limits<double>::infinity()) const;

  /// Everything, as bytes that restore on any machine; throws Error for bytes that are not a snapshot of a world with these members.
  std::vector<std::uint8_t> snapshot() const;
  void restore(std::span<const std::uint8_t> snapshot);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A camera or character that collides and slides: a sphere or upright capsule that is never inside a wall.
struct MoverOptions {
  Vec3 up{0, 0, 1};
  double step_height = 0.3;          ///< length: ledges up to this are climbed
  double steepest_slope = 0.7;       ///< least cosine between up and a floor's normal on which it stands
  int most_slides = 6;               ///< per move
};
struct MoverResult {
  bool grounded = false;
  Vec3 ground_normal{0, 0, 0};
  int contacts = 0;
};
class Mover {
 public:
  /// Throws Error when the body meets the scene at `position`, or is not a Sphere or Capsule.
  Mover(const Scene& scene, AnyShape body, const Vec3& position, const MoverOptions& options = {});
  /// Moves by the wish, sliding along what it meets, climbing steps, keeping to the floor; the body never meets the scene (exactly).
  MoverResult move(const Vec3& wish);
  const Pose& pose() const { return pose_; }

 private:
  const Scene* scene_;
  AnyShape body_;
  Pose pose_;
  MoverOptions options_;
};

}  // namespace graze
