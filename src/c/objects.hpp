// Handles of scenes, worlds, movers and broad phases: pointers to the C++ objects under another name.
#pragma once
#include <graze/graze.h>
#include <graze/mover.hpp>
#include <graze/scene.hpp>
#include <graze/world.hpp>

#include "c/call.hpp"
#include "c/results.hpp"

namespace graze::c {

inline Scene& scene_of(const Call& call, graze_scene* scene) { return reinterpret_cast<Scene&>(call.required("scene", scene)); }
inline const Scene& scene_of(const Call& call, const graze_scene* scene) { return reinterpret_cast<const Scene&>(call.required("scene", scene)); }
inline World& world_of(const Call& call, graze_world* world) { return reinterpret_cast<World&>(call.required("world", world)); }
inline const World& world_of(const Call& call, const graze_world* world) { return reinterpret_cast<const World&>(call.required("world", world)); }
inline Mover& mover_of(const Call& call, graze_mover* mover) { return reinterpret_cast<Mover&>(call.required("mover", mover)); }
inline const Mover& mover_of(const Call& call, const graze_mover* mover) { return reinterpret_cast<const Mover&>(call.required("mover", mover)); }

inline MemberOptions member_options(const Call& call, const graze_member_options* given) {
  const graze_member_options o = call.options("options", given, graze_member_options GRAZE_MEMBER_OPTIONS_INIT);
  return {o.group, o.meets};
}

}  // namespace graze::c
