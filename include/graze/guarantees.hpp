// What each query promises for each pair of shapes: the table that `graze shapes` prints and docs/support-matrix.md shows.
#pragma once
#include <graze/shapes.hpp>
#include <span>

namespace graze {

/// The queries of <graze/query.hpp> that depend on the kinds of their shapes.
enum class Query : std::uint8_t {
  intersects,
  within,
  closest,
  signed_distance,
  contains,
  raycast,
  classify,
  penetration,
  contacts,
  intersecting_triangles,
  self_intersections,
  bounding_box
};
inline constexpr std::size_t kQueries = 12;

enum class Guarantee : std::uint8_t {
  refused,    ///< the query is not about such shapes
  exact,      ///< the yes or no, the order and the index are those of exact arithmetic; a number is the exact one, rounded as documented
  certified,  ///< a number within 1e-15 relative or one denormal (distance), or a vector verified exactly (penetration); zero and sign exact
  bounded,    ///< decided within 1e-12 of the largest extent, symmetric
  children,   ///< a compound: as its children
};

/// The guarantee of a query for shapes a and b; a query about one shape takes it as both.
Guarantee guarantee(Query query, Kind a, Kind b);

const char* query_name(Query query);          ///< as in <graze/query.hpp>
const char* guarantee_name(Guarantee which);  ///< one word
const char* guarantee_text(Guarantee which);  ///< one sentence

}  // namespace graze
