// The description of a shape's fields. JSON input and output, printing, validation and random test instances all derive from it.
#pragma once
#include <graze/vec.hpp>
#include <tuple>

namespace graze {

/// What a field means, and with it which values are valid. All numbers must be finite.
enum class Role {
  position,   ///< a point: any value
  direction,  ///< a direction or normal: any non-zero length
  axis,       ///< an axis of an oriented box, an edge of a wedge: any value, zero included
  extent,     ///< half sizes or radii: lengths, >= 0
};

/// One field of the shape S: its name in JSON and messages, and the member.
template <class S, class T>
struct Field {
  const char* name;
  T S::*member;
  Role role;
};

template <class S, class T>
[[nodiscard]] constexpr Field<S, T> field(const char* name, T S::*member, Role role) {
  return {name, member, role};
}

}  // namespace graze
