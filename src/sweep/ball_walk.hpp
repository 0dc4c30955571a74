// A ball that moves into a surface: the wide walk, and exact answers for what it leaves.
#pragma once
#include "mesh/mesh_queries.hpp"
#include "sweep/first.hpp"

namespace graze {

/// Asks `first` for all triangles of b that the ball a may touch first, and notes those near its way. False, and nothing asked, where doubles do not reach.
bool sweep_ball(First& first, const Core& a, const MeshView& b, const SweepIds& ids);

}  // namespace graze
