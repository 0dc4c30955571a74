// Brings a moving ball into a tree's coordinates with bounds of all that is rounded on the way, runs the kernel, and decides among what it leaves. Derivation: docs/derivations/sweep.md.
#include "sweep/ball_walk.hpp"

#include <cmath>

#include "mesh/leaf.hpp"
#include "mesh/sweep_kernels.hpp"

namespace graze {

using namespace leaf;

namespace {

constexpr double u = 0x1p-53, kInfinity = std::numeric_limits<double>::infinity();

double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// False where doubles, or floats, do not reach. `slack`: a length that the ball's path may be off besides.
bool prepare(BallWalk& w, const MeshView& view, const LocalSweep& sweep, const PlacedTree& placed, const Core& ball, const Vec3& d, double slack) {
  const WideBvh& tree = view.mesh->tree;
  const Vec3 from = ball.base(0), to = from + d;
  const double sizes = largest(from) + largest(d);
  if (!(sizes < 0x1p500)) return false;
  const LocalPoint p = local_point(placed, from), q = local_point(placed, to);
  int exponent;
  if (!p.usable || !q.usable || !sweep.times(exponent, w.time_in, w.time_out, w.time_pad)) return false;
  w.time_scale = std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  w.size = 1;
  for (int i = 0; i < 3; ++i) {
    w.center[i] = p.at[i];
    w.motion[i] = q.at[i] - p.at[i];
    w.size = std::max({w.size, 1 + std::fabs(w.center[i]), 1 + std::fabs(w.motion[i])});
  }
  // Places between both ends are off by at most as much as these, which local_point bounds; once more for the straight line through them. `to` and the motion are rounded.
  const double radius = local_length(tree, ball.radius), relative = 2 * std::max(p.relative, q.relative) + 0x1p-40;
  const double absolute = 2 * std::max(p.absolute, q.absolute) + 1.75 * kBlockError + 4 * u * w.size + local_length(tree, 8 * u * sizes + slack + 0x1p-1066);
  w.radius_hi = (radius + absolute) * (1 + relative);
  w.radius_lo = (radius - absolute) * (1 - relative);
  if (!(absolute < 0x1p-12 && relative < 0x1p-12 && w.size < 0x1p100 && radius < 0x1p100)) return false;

  w.box_ray = sweep.lanes();
  double reach = 1;
  for (int i = 0; i < 3; ++i) {
    const double at = w.center[i] + w.time_in / w.time_scale * w.motion[i], way = w.motion[i] / w.time_scale;
    w.tube_at[i] = static_cast<float>(at);
    w.tube_way[i] = static_cast<float>(way);
    reach = std::max(reach, std::fabs(at) + 2 * static_cast<double>(w.box_ray.t_hi));
  }
  // Positions are below reach + 1; some 16 roundings of 2^-24 of that.
  w.tube_pad = static_cast<float>(0x1p-19 * (reach + 1));
  w.tube_radius = reach < 64 ? float_above(std::max(w.radius_hi + 0x1p-30 * (1 + w.size), 0x1p-30)) : std::numeric_limits<float>::infinity();

  w.nodes = &tree.node(0);
  w.blocks = view.mesh->blocks.data();
  w.vertices = reinterpret_cast<const unsigned char*>(view.mesh->vertices.data());
  w.deep = ~0u;
  w.deep_place = 0;
  w.found = 0;
  w.top = 1;
  w.stack[0] = {0, 0, 0};
  return true;
}

}  // namespace

bool sweep_ball(First& first, const Core& a, const MeshView& b, const SweepIds& ids) {
  first.near.known = false;
  const Vec3 d = rounded(first.motion());
  if (b.mesh->tree.empty() || d == Vec3(0, 0, 0)) return false;
  const PlacedTree placed = placed_tree(b);
  const Vec3 c = a.base(0);
  const double slack = 0x1p-44 * (largest(c) + largest(d) + a.radius);
  Box3 box;
  for (int i = 0; i < 3; ++i) {
    box.lo[i] = c[i] - a.radius;
    box.hi[i] = c[i] + a.radius;
  }
  const LocalSweep sweep(placed, grown(box, slack), d);
  if (sweep.misses()) {
    first.near.known = true;
    first.near.slack = 0;
    first.near.count = 0;
    return true;
  }
  BallWalk w;
  if (!prepare(w, b, sweep, placed, a, d, slack)) return false;
  w.least = first.limit();
  const auto with = [&](BlockPlace at) {
    SweepIds named = ids;
    named.triangle_b = b.mesh->index_at(at);
    return named;
  };
  const auto ask_all = [&] {
    if (w.deep != ~0u) {
      PairContact inside;
      inside.inside = true;
      first.offer(inside, a, triangle_core(place(b.pose, b.mesh->triangle_at(w.deep_place))), with(w.deep_place));
    }
    if (w.least < kInfinity) first.know(w.least);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < w.found; ++i)
      if (w.candidate[i].lo <= w.least && b.mesh->index_at(w.candidate[i].place) < w.deep) w.candidate[kept++] = w.candidate[i];
    w.found = kept;
    std::sort(w.candidate, w.candidate + kept, [&](const SweepCandidate& x, const SweepCandidate& y) { return b.mesh->index_at(x.place) < b.mesh->index_at(y.place); });
    for (std::uint32_t i = 0; i < kept; ++i) {
      const SweepCandidate& k = w.candidate[i];
      if (k.lo > first.limit()) continue;
      const SweepIds named = with(k.place);
      const Triangle t = place(b.pose, b.mesh->triangle_at(k.place));
      if (first.settled(named) || first.settled_by_plane(t, named)) continue;
      first.ask(a, triangle_core(t), named);
    }
  };
  const SweepKernels& kernels = sweep_kernels();
  bool whole = true;
  while (kernels.ball(w) == SweepEvent::full) {  // as many that may all be first: the exact answers come now
    whole = false;
    ask_all();
    w.found = 0;
    w.least = std::min(w.least, first.limit());
  }
  ask_all();
  if (!whole || w.deep != ~0u || w.found > NearTriangles::kMost) return true;
  first.near.known = true;
  first.near.slack = slack;
  first.near.count = w.found;
  for (std::uint32_t i = 0; i < w.found; ++i) first.near.triangle[i] = place(b.pose, b.mesh->triangle_at(w.candidate[i].place));
  return true;
}

}  // namespace graze
