// What each query guarantees for each pair of shapes: the table that `graze shapes` prints and docs/support-matrix.md shows.
#pragma once
#include <cstdint>
#include <graze/shapes.hpp>
#include <span>

namespace graze {

/// The queries of <graze/query.hpp> whose guarantee depends on the kinds of the shapes.
enum class Query : std::uint8_t {
  intersects,
  within,
  closest,
  signed_distance,
  contains,
  raycast,
  classify,
  relation,
  penetration,
  contacts,
  manifold,
  intersecting_triangles,
  self_intersections,
  volume,
  area,
  centroid,
  bounding_box
};
inline constexpr std::size_t kQueries = static_cast<std::size_t>(Query::bounding_box) + 1;  ///< bounding_box is the last

enum class Guarantee : std::uint8_t {
  refused,    ///< the query does not take such shapes
  exact,      ///< yes or no, order and index are those of exact arithmetic; a number is the exact one, rounded as documented
  certified,  ///< a distance or area within 1e-15 relative or one denormal, zero and sign exact; a vector verified exactly; a box that contains the shape; a
              ///< centroid within 2^-52 of the largest coordinate
  bounded,    ///< decided within 1e-12 of the largest extent, symmetric
  children,   ///< a compound: the guarantees of its children
};

/// Returns the guarantee of a query for shapes of the kinds a and b. For a query about one shape both are its kind.
[[nodiscard]] Guarantee guarantee(Query query, Kind a, Kind b);

[[nodiscard]] const char* query_name(Query query);          ///< name of the function in <graze/query.hpp>
[[nodiscard]] const char* guarantee_name(Guarantee which);  ///< one word
[[nodiscard]] const char* guarantee_text(Guarantee which);  ///< one sentence

}  // namespace graze
