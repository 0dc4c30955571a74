// The commonest pairs without the dispatch table: each calls its own function, in the default floating-point environment.
#include <graze/query.hpp>

#include "platform/fp_environment.hpp"
#include "query/all_pairs.hpp"

namespace graze {
namespace {

/// Applies a filter that may leave the answer to the dispatch table.
template <class A, class B>
bool filtered(const A& a, const B& b) {
  const DefaultFloatEnvironment guard;
  const Certain c = intersects_pair(a, b);
  return c == Certain::unknown ? intersects(ShapeRef(a), ShapeRef(b)) : c == Certain::yes;
}

}  // namespace

bool intersects(const Sphere& a, const Sphere& b) {
  const DefaultFloatEnvironment guard;
  return intersects_pair(a, b);
}
bool intersects(const Sphere& a, const Capsule& b) {
  const DefaultFloatEnvironment guard;
  return intersects_pair(a, b);
}
bool intersects(const Capsule& a, const Capsule& b) {
  const DefaultFloatEnvironment guard;
  return intersects_pair(a, b);
}
bool intersects(const Sphere& a, const Triangle& b) {
  const DefaultFloatEnvironment guard;
  return intersects_pair(b, a);
}
bool intersects(const Triangle& a, const Triangle& b) {
  const DefaultFloatEnvironment guard;
  return intersects_pair(a, b);
}
bool intersects(const Sphere& a, const Box& b) {
  const DefaultFloatEnvironment guard;
  return intersects_pair(a, b);
}
bool intersects(const Box& a, const Box& b) {
  const DefaultFloatEnvironment guard;
  return intersects_pair(a, b);
}
bool intersects(const Segment& a, const Box& b) {
  const DefaultFloatEnvironment guard;
  return intersects_pair(a, b);
}
bool intersects(const Sphere& a, const OrientedBox& b) { return filtered(a, b); }
bool intersects(const OrientedBox& a, const OrientedBox& b) { return filtered(a, b); }
bool intersects(const OrientedBox& a, const Capsule& b) { return filtered(a, b); }

}  // namespace graze
