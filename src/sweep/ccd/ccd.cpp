// Moving vertices against moving faces and edges: the order of the tiers, and the public functions.
#include <graze/sweep/deforming.hpp>

#include "platform/fp_environment.hpp"
#include "sweep/ccd/ccd.hpp"

namespace graze {

namespace moving {

constinit thread_local Counts counts_of_thread;

std::optional<double> first_contact(Kind kind, Points t0, Points t1) {
  const Filtered f = filtered(kind, t0, t1);
  if (f.contact == Certain::no) {
    ++counts().filter;
    return std::nullopt;
  }
  if (f.contact == Certain::yes) {
    if (const std::optional<double> t = fixed_time(kind, t0, t1, f)) {
      ++counts().fixed;
      return t;
    }
  }
  ++counts().big;
  return exact_first_contact(kind, t0, t1);
}

}  // namespace moving

std::optional<double> ccd_vertex_face(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1) {
  const DefaultFloatEnvironment guard;
  return moving::first_contact(moving::Kind::vertex_face, t0, t1);
}

std::optional<double> ccd_edge_edge(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1) {
  const DefaultFloatEnvironment guard;
  return moving::first_contact(moving::Kind::edge_edge, t0, t1);
}

}  // namespace graze
