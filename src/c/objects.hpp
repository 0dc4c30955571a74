// Handles of scenes, worlds and movers: the C++ objects and their locks.
#pragma once
#include <graze/graze.h>
#include <graze/mover.hpp>
#include <graze/postures.hpp>
#include <graze/scene.hpp>
#include <graze/world.hpp>

#include "c/call.hpp"
#include "c/lock.hpp"
#include "c/results.hpp"

/// A scene of the caller's (graze::c::OwnScene), or the fixed members of a world, whose lock is that of the world.
struct graze_scene {
  graze::c::Lock& lock;
  graze::Scene& value;
};

struct graze_world {
  mutable graze::c::Lock lock;
  graze::World value;
  graze_scene fixed{lock, const_cast<graze::Scene&>(value.fixed())};  // callers see a const graze_scene

  explicit graze_world(const graze::WorldOptions& options) : value(options) {}
  explicit graze_world(const graze::World& world) : value(world) {}
};

struct graze_mover {
  mutable graze::c::Lock lock;
  const graze_scene& scene;
  graze::Mover value;
};

struct graze_postures {
  graze::Postures value;  ///< never changes, so it needs no lock
};

namespace graze::c {

struct OwnScene : graze_scene {
  Lock own_lock;
  Scene own;

  OwnScene() : graze_scene{own_lock, own} {}
  explicit OwnScene(const Scene& scene) : graze_scene{own_lock, own}, own(scene) {}
};

inline Changing<Scene> scene_of(const Call& call, graze_scene* scene) {
  graze_scene& s = call.required("scene", scene);
  return {call, "scene", s.lock, s.value};
}
inline Reading<Scene> scene_of(const Call& call, const graze_scene* scene) {
  const graze_scene& s = call.required("scene", scene);
  return {call, "scene", s.lock, s.value};
}
inline Changing<World> world_of(const Call& call, graze_world* world) {
  graze_world& w = call.required("world", world);
  return {call, "world", w.lock, w.value};
}
inline Reading<World> world_of(const Call& call, const graze_world* world) {
  const graze_world& w = call.required("world", world);
  return {call, "world", w.lock, w.value};
}

/// A mover, and its scene, which it reads.
template <class Hold>
struct HeldMover {
  Hold mover;
  Reading<Scene> scene;
  auto operator->() const { return mover.operator->(); }
};
inline HeldMover<Changing<Mover>> mover_of(const Call& call, graze_mover* mover) {
  graze_mover& m = call.required("mover", mover);
  return {{call, "mover", m.lock, m.value}, {call, "scene", m.scene.lock, m.scene.value}};
}
inline HeldMover<Reading<Mover>> mover_of(const Call& call, const graze_mover* mover) {
  const graze_mover& m = call.required("mover", mover);
  return {{call, "mover", m.lock, m.value}, {call, "scene", m.scene.lock, m.scene.value}};
}

inline MemberOptions member_options(const Call& call, const graze_member_options* given) {
  const graze_member_options o = call.options("options", given, graze_member_options GRAZE_MEMBER_OPTIONS_INIT);
  return {o.group, o.meets};
}

}  // namespace graze::c
