// How a shape tells its fields: reading and writing JSON, printing, validating and random test instances all follow from this one list.
#pragma once
#include <graze/vec.hpp>
#include <tuple>

namespace graze {

/// What a field means, and so what is valid in it. All numbers must be finite.
enum class Role {
  position,   ///< a point: any
  direction,  ///< a direction or normal: not zero, any length
  axis,       ///< an axis of an oriented box: any, zero allowed
  extent,     ///< half sizes or radii: >= 0, length
};

template <class S, class T>
struct Field {
  const char* name;
  T S::*member;
  Role role;
};

template <class S, class T>
constexpr Field<S, T> field(const char* name, T S::*member, Role role) {
  return {name, member, role};
}

}  // namespace graze
