// Motion in time: a world of bodies that fly and bounce as particles among fixed shapes, with emitters, projectiles and shots.
// Replays are bit-identical.
#pragma once
#include <cstdint>
#include <graze/response.hpp>
#include <graze/scene.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace graze {

// ---- bodies ------------------------------------------------------------------------------------------------------------------------------

/// A moving body of a world. A world never uses the id of a removed body again.
using BodyId = std::uint32_t;

struct BodyOptions {
  Vec3 velocity{0, 0, 0};  ///< length/s
  Material material = {};
  double drag = 0;                                        ///< 1/s, >= 0: dv/dt = -drag v
  double gravity_scale = 1;                               ///< factor on the gravity of the world
  std::uint32_t meets = ~0u;                              ///< groups of fixed members that the body collides with
  double fuse = std::numeric_limits<double>::infinity();  ///< s: age at which the body explodes (ExplodeEvent) and is removed
  double rest_speed = 0;                                  ///< length/s, >= 0: a body slower than this just after a hit rests until disturbed
};

/// Where bodies start, and when they restart. At the end of a step a body returns to the emitter when it is slower than
/// `slow`, has fallen below `floor`, or has reached the age `life`.
struct Emitter {
  Vec3 origin{0, 0, 0};                                     ///< start of a Point, a Sphere's centre, or the origin of another shape's frame
  Vec3 spread{0, 0, 0};                                     ///< half sizes of the box of start points, >= 0
  Vec3 velocity{0, 0, 0};                                   ///< length/s
  Vec3 velocity_spread{0, 0, 0};                            ///< half sizes of the box of start velocities, >= 0
  double slow = 0;                                          ///< length/s, >= 0
  double floor = -std::numeric_limits<double>::infinity();  ///< height against the direction of gravity (z without gravity)
  double life = std::numeric_limits<double>::infinity();    ///< s, > 0
  /// Each body restarts with the position and velocity of its own first start; otherwise with new random ones.
  bool own_origin = false;
};

// ---- events ------------------------------------------------------------------------------------------------------------------------------

/// A body bounced off a fixed member.
struct ImpactEvent {
  double time = 0;  ///< s since the world's start
  MemberId a = 0;   ///< the fixed member
  BodyId b = 0;
  Vec3 point{0, 0, 0}, normal{0, 0, 0};
  double speed = 0;  ///< along the normal, before the impact; length/s
  std::optional<std::uint32_t> triangle;
};
/// A body stopped: after `max_bounces` reflections in this step it met a member once more. It stays before that contact, with velocity 0.
struct StopEvent {
  double time = 0;  ///< s since the world's start
  MemberId a = 0;   ///< the fixed member
  BodyId b = 0;
  Vec3 point{0, 0, 0};
};
/// A body restarted at its emitter.
struct RespawnEvent {
  double time;  ///< s since the world's start
  BodyId body;
};
/// The fuse of a body ended.
struct ExplodeEvent {
  double time;  ///< s since the world's start
  BodyId body;
  Vec3 point;
};

/// The first hit of a shot.
struct ShotHit {
  bool body = false;     ///< true for a moving body, false for a fixed member
  std::uint32_t id = 0;  ///< a BodyId or a MemberId
  Hit hit;
};

// ---- world -------------------------------------------------------------------------------------------------------------------------------

struct WorldOptions {
  Vec3 gravity{0, 0, -9.81};  ///< length/s^2
  std::uint64_t seed = 1;     ///< seed of the emitters' random numbers
  /// Reflections of a body in one step, >= 0. At its next contact within the step the body is stopped, as by bounce().
  int max_bounces = 10;
  bool record_impacts = true;  ///< false: impacts() and stops() stay empty
};

/// Fixed members (a Scene) and moving bodies.
///
/// Integration is semi-implicit Euler: velocity by v += dt (g scale - drag v), then position by v dt; docs/accuracy.md states the
/// energy drift. Between hits a body moves on straight pieces. Each piece is an exact sweep and each stop is certified, so no
/// point and no ball of positive radius ever gets from one side of a surface to the other; docs/accuracy.md states what holds for
/// other bodies. The result of a step is the same, bit for bit, for any number of threads.
///
/// Const functions may run concurrently with each other; any other function, step() included, needs the world to itself. A step
/// uses several threads of its own.
///
/// Not modelled: contacts between bodies, and rotation.
///
/// Functions that take an id throw Error when no such member or living body exists.
class World {
 public:
  /// Throws Error when gravity is not finite or max_bounces is negative.
  explicit World(const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  World(const World&);  ///< the copy continues with the same bits
  World& operator=(const World&);

  // ---- fixed members ----

  /// Adds a member that does not move by itself. Throws Error when the placed shape or the material is not valid.
  MemberId add_fixed(AnyShape shape, const Pose& pose = {}, const Material& material = {}, const MemberOptions& options = {});
  /// Moves a fixed member and wakes all bodies at rest. A body that the member now covers is not pushed out.
  void move_fixed(MemberId id, const Pose& pose);
  [[nodiscard]] const Scene& fixed() const;
  [[nodiscard]] const WorldOptions& options() const;

  // ---- bodies ----

  /// Adds a body of any bounded, non-empty shape and returns its id. A Point and a Sphere are stored about the origin of their
  /// frame, and a Sphere of radius 0 as a Point: shape() and pose() return them so. Throws Error when the placed shape or an
  /// option is not valid.
  BodyId add_moving(AnyShape shape, const Pose& pose, const BodyOptions& options = {});
  /// Adds `count` bodies of one shape that start at the emitter, with positions and velocities by the world's random numbers, and restart as the emitter
  /// specifies. Returns the first id; the others follow it. Throws Error as add_moving() does, and for an emitter that is not valid.
  BodyId add_emitter(AnyShape shape, std::size_t count, const Emitter& emitter, const BodyOptions& options = {});
  void remove(BodyId id);
  [[nodiscard]] std::size_t bodies() const;  ///< number of ids in use, including those of removed bodies
  [[nodiscard]] bool alive(BodyId id) const;
  [[nodiscard]] const AnyShape& shape(BodyId id) const;
  [[nodiscard]] const Pose& pose(BodyId id) const;
  [[nodiscard]] Vec3 position(BodyId id) const;  ///< for a Point the point itself; else the placed centre of the shape's bounding box
  [[nodiscard]] Vec3 velocity(BodyId id) const;
  /// Sets the velocity (length/s) and wakes the body. Throws Error for NaN or infinity.
  void set_velocity(BodyId id, const Vec3& v);

  // ---- time ----

  /// Advances all bodies by dt seconds, on all cores. Throws Error when dt is negative, infinite or NaN.
  void step(double dt);
  [[nodiscard]] double time() const;            ///< s since the start
  [[nodiscard]] std::uint64_t steps() const;    ///< number of steps made
  [[nodiscard]] double kinetic_energy() const;  ///< of unit masses; summed in a fixed order

  // ---- events of the last step ----

  [[nodiscard]] const std::vector<ImpactEvent>& impacts() const;      ///< by time, then body
  [[nodiscard]] const std::vector<StopEvent>& stops() const;          ///< by time, then body
  [[nodiscard]] const std::vector<RespawnEvent>& respawns() const;    ///< by body; all occur at the end of the step
  [[nodiscard]] const std::vector<ExplodeEvent>& explosions() const;  ///< by time, then body

  // ---- queries ----

  /// Returns the first hit of a ray, a body or a fixed member, ordered by the true parameter as in Scene::raycast(). t_max is
  /// inclusive. Throws Error when the ray is not valid or t_max is NaN.
  [[nodiscard]] std::optional<ShotHit> shoot(const Ray& ray, double t_max = std::numeric_limits<double>::infinity()) const;

  // ---- snapshots ----

  /// Returns time, seed, poses, velocities and ages as bytes. Any machine can restore them in a world that was built alike:
  /// shapes, materials, emitters and the other options are not stored.
  [[nodiscard]] std::vector<std::uint8_t> snapshot() const;
  /// Continues from a snapshot with the same bits. Throws Error, and changes nothing, for bytes that are no snapshot, and when
  /// the ids or kinds of the members or the kinds of the bodies differ.
  void restore(std::span<const std::uint8_t> snapshot);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze
