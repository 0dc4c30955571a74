// Motion in time: bodies as particles with a velocity among fixed and moved shapes; impacts, emitters, projectiles, movers, cameras; bit-identical replay.
#pragma once
#include <graze/response.hpp>
#include <graze/scene.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace graze {

using BodyId = std::uint32_t;

struct BodyOptions {
  Vec3 velocity{0, 0, 0};  ///< length/s
  Material material = {};
  double drag = 0;  ///< 1/s: dv/dt = -drag v
  double gravity_scale = 1;
  std::uint32_t meets = ~0u;                              ///< groups of fixed members that it meets
  double fuse = std::numeric_limits<double>::infinity();  ///< s: a grenade goes off (ExplodeEvent) and is removed
  double rest_speed = 0;                                  ///< length/s: slower than this right after a hit, the body rests until disturbed
};

/// Bodies made again and again: at the end of a step, a body that is slower than `slow`, has fallen below `floor`, or is older than `life` starts again at the
/// emitter.
struct Emitter {
  Vec3 origin{0, 0, 0};  ///< where a point, the centre of a sphere, or the origin of another shape's frame starts
  Vec3 spread{0, 0, 0};  ///< half sizes of the box of start points
  Vec3 velocity{0, 0, 0};
  Vec3 velocity_spread{0, 0, 0};                            ///< the same of the velocities
  double slow = 0;                                          ///< length/s
  double floor = -std::numeric_limits<double>::infinity();  ///< height along -gravity's direction (z without gravity)
  double life = std::numeric_limits<double>::infinity();    ///< s
  bool own_origin = false;  ///< each body starts again at the place, and with the velocity, of its first start; else at new random ones
};

struct ImpactEvent {
  double time = 0;  ///< s since the world's start
  MemberId a = 0;   ///< the fixed member
  BodyId b = 0;
  Vec3 point{0, 0, 0}, normal{0, 0, 0};
  double speed = 0;  ///< along the normal, before
  std::optional<std::uint32_t> triangle;
};
/// A body that had made `most_bounces` reflections in this step met a member once more: it stays before that contact, its velocity is 0.
struct StopEvent {
  double time = 0;  ///< s since the world's start
  MemberId a = 0;   ///< the fixed member
  BodyId b = 0;
  Vec3 point{0, 0, 0};
};
struct RespawnEvent {
  double time;
  BodyId body;
};
struct ExplodeEvent {
  double time;
  BodyId body;
  Vec3 point;
};
struct ShotHit {
  bool body = false;  ///< a moving body was hit, else a fixed member
  std::uint32_t id = 0;
  Hit hit;
};

struct WorldOptions {
  Vec3 gravity{0, 0, -9.81};  ///< length/s^2
  std::uint64_t seed = 1;     ///< of the emitters' random numbers
  int most_bounces = 10;      ///< reflections of a body in a step; at its next contact within the step it is stopped: velocity 0, as bounce() does
  bool record_impacts = true;
};

/// Fixed members (a Scene) and moving bodies. Between hits a body flies on straight pieces: velocity by the semi-implicit Euler step v += dt (g scale - drag
/// v), then position by v dt (its energy drift is stated in docs/accuracy.md); each piece is an exact sweep, each stop certified, so that no body ever gets
/// from one side of a surface to the other. Bodies do not meet each other. Orientation never changes. Same bits for any number of threads.
class World {
 public:
  explicit World(const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  World(const World&);  ///< a snapshot: continues with the same bits
  World& operator=(const World&);

  MemberId add_fixed(AnyShape shape, const Pose& pose = {}, const Material& material = {}, const MemberOptions& options = {});
  void move_fixed(MemberId id, const Pose& pose);
  const Scene& fixed() const;
  const WorldOptions& options() const;

  /// Point, Sphere, Capsule, Box, OrientedBox, Hull or any convex shape. Throws Error when invalid.
  BodyId add_moving(AnyShape shape, const Pose& pose, const BodyOptions& options = {});
  /// `count` bodies of one shape that start at the emitter by the world's random numbers, and again whenever it says so. Returns the first id; the others
  /// follow.
  BodyId add_emitter(AnyShape shape, std::size_t count, const Emitter& emitter, const BodyOptions& options = {});
  void remove(BodyId id);
  std::size_t bodies() const;
  bool alive(BodyId id) const;
  const AnyShape& shape(BodyId id) const;
  const Pose& pose(BodyId id) const;
  Vec3 position(BodyId id) const;  ///< of a Point: where it is; else the pose applied to the shape's centre of its bounding box
  Vec3 velocity(BodyId id) const;
  void set_velocity(BodyId id, const Vec3& v);

  /// One step of dt seconds for all bodies, on all cores.
  void step(double dt);
  double time() const;
  std::uint64_t steps() const;
  double kinetic_energy() const;  ///< of unit masses; summed in a fixed order

  /// What happened in the last step, ordered by time, then body.
  const std::vector<ImpactEvent>& impacts() const;
  const std::vector<StopEvent>& stops() const;
  const std::vector<RespawnEvent>& respawns() const;
  const std::vector<ExplodeEvent>& explosions() const;

  /// A shot: who is hit first, fixed or moving, and where.
  std::optional<ShotHit> shoot(const Ray& ray, double t_max = std::numeric_limits<double>::infinity()) const;

  /// Time, seed, places, velocities and ages, as bytes that restore on any machine in a world that was built alike: shapes, materials, emitters and the other
  /// options are not stored. restore() throws Error, and changes nothing, for bytes that are no snapshot, or when the ids or kinds of the members or the kinds
  /// of the bodies differ.
  std::vector<std::uint8_t> snapshot() const;
  void restore(std::span<const std::uint8_t> snapshot);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A camera or character that collides and slides: a sphere or upright capsule that is never inside a wall. Members of its scene may move between its moves:
/// they carry it when it stands on them, and push it.
struct MoverOptions {
  Vec3 up{0, 0, 1};
  double step_height = 0.3;     ///< length: ledges up to this are climbed
  double steepest_slope = 0.7;  ///< 0..1: least cosine between up and a floor's normal on which it stands
  int most_slides = 6;          ///< per move
};
struct MoverResult {
  bool grounded = false;
  Vec3 ground_normal{0, 0, 0};
  std::optional<MemberId> ground;  ///< the member that it stands on
  int contacts = 0;
  Vec3 carried{0, 0, 0};  ///< length: how far moved members carried and pushed it, before the wish
  bool enclosed = false;  ///< a member meets the body and no push frees it: it has stayed where it was, and each later move tries again
};

/// Refers to the scene, which must outlive it. A member that was moved (Scene::move) is followed at the beginning of the next move(), in small steps along the
/// screw between its two poses: it takes along what stands on it, by the motion of the point under the feet, and pushes what it meets away along the shortest
/// line between the two; what is in the way of the body stops it, along which it slides. Of members farther from the body than four times its size when it last
/// moved, or moved by more than 32 radii at once, the way is not known: they push it out by `penetration`. Moves of members never turn the body.
class Mover {
 public:
  /// Throws Error when the body meets the scene at `position`, or is not a Sphere or Capsule.
  Mover(const Scene& scene, AnyShape body, const Vec3& position, const MoverOptions& options = {});
  /// Follows the members that have moved; then moves by the wish, sliding along what it meets, climbing steps, keeping to the floor. After it the body meets
  /// nothing (exactly), or `enclosed` is true.
  MoverResult move(const Vec3& wish);
  const Pose& pose() const { return pose_; }
  /// Does the body meet the scene, as far as the last move() or set_position() knows?
  bool enclosed() const { return enclosed_; }
  /// Puts it there, standing on whatever is under it. Throws Error when the body meets the scene there, and leaves it where it was.
  void set_position(const Vec3& position);

  /// What a copy needs to go on with the same bits, beside the scene: restore() takes it for a mover of the same body and scene. Throws Error for other bytes.
  std::vector<std::uint8_t> snapshot() const;
  void restore(std::span<const std::uint8_t> snapshot);

 private:
  /// A member near the body, at the end of the last move.
  struct Neighbor {
    MemberId id;
    Pose pose;
    std::optional<Vec3> side;  // while it encloses the body: the direction out of it, in the member's own frame
  };
  class Follower;
  void follow();
  std::optional<Vec3> settle();  ///< the floor's normal
  void remember();
  const Scene* scene_;
  AnyShape body_;
  Pose pose_;
  MoverOptions options_;
  std::vector<Neighbor> near_;
  std::optional<MemberId> ground_;
  Vec3 foot_{0, 0, 0};  // where it touches the ground
  bool enclosed_ = false;
};

}  // namespace graze
