// States what each query guarantees, depending on the kinds of its shapes.
#include <graze/guarantees.hpp>
#include <iterator>

#include "parts/convex_of_shape.hpp"

namespace graze {

namespace {

template <class... S>
constexpr bool any_of(Kind k) {
  return ((k == kind_of<S>) || ...);
}

template <class... S>
constexpr bool has_form(Form form, Kind k, TypeList<S...>) {
  return ((form_of<S>() == form && k == kind_of<S>) || ...);
}

constexpr bool curved(Kind k) { return has_form(Form::curved, k, Shapes{}); }
constexpr bool of_triangles(Kind k) { return any_of<Mesh, Solid, HeightField>(k); }
constexpr bool of_volume(Kind k) { return any_of<Solid, Box, OrientedBox, Hull, Frustum>(k); }

}  // namespace

Guarantee guarantee(Query query, Kind a, Kind b) {
  const auto worst = [&](Guarantee best) {
    if (any_of<Compound>(a) || any_of<Compound>(b)) return Guarantee::children;
    return curved(a) || curved(b) ? Guarantee::bounded : best;
  };
  switch (query) {
    case Query::intersects:
    case Query::within:
      return worst(Guarantee::exact);
    case Query::closest:
      return worst(Guarantee::certified);
    case Query::contains:
      return any_of<Point>(a) ? worst(Guarantee::exact) : Guarantee::refused;
    case Query::signed_distance:
      return any_of<Point>(a) && !any_of<Mesh, HeightField>(b) ? worst(Guarantee::certified) : Guarantee::refused;
    case Query::raycast:
      return any_of<Ray, Segment, Line>(a) ? worst(Guarantee::exact) : Guarantee::refused;
    case Query::classify:
      return any_of<Plane, Frustum>(b) ? worst(Guarantee::exact) : Guarantee::refused;
    case Query::relation:
      return worst(Guarantee::exact);
    case Query::penetration:
    case Query::contacts:
    case Query::manifold:
      return worst(Guarantee::certified);
    case Query::intersecting_triangles:
      return of_triangles(a) && of_triangles(b) ? Guarantee::exact : Guarantee::refused;
    case Query::self_intersections:
      return a == b && of_triangles(a) ? Guarantee::exact : Guarantee::refused;
    case Query::volume:
      return a == b && of_volume(a) ? Guarantee::exact : Guarantee::refused;
    case Query::area:
    case Query::centroid:
      return a == b && (of_volume(a) || of_triangles(a) || any_of<Triangle, Polygon>(a)) ? Guarantee::certified : Guarantee::refused;
    case Query::bounding_box:
      return a == b ? worst(Guarantee::certified) : Guarantee::refused;
  }
  return Guarantee::refused;
}

const char* query_name(Query query) {
  static constexpr const char* names[] = {"intersects",         "within",   "closest",     "signed_distance", "contains",    "raycast",
                                          "classify",           "relation", "penetration", "contacts",        "manifold",    "intersecting_triangles",
                                          "self_intersections", "volume",   "area",        "centroid",        "bounding_box"};
  static_assert(std::size(names) == kQueries);
  return names[static_cast<std::size_t>(query)];
}

const char* guarantee_name(Guarantee which) {
  static constexpr const char* names[] = {"refused", "exact", "certified", "bounded", "children"};
  return names[static_cast<std::size_t>(which)];
}

const char* guarantee_text(Guarantee which) {
  static constexpr const char* texts[] = {"the query does not apply to these shapes",
                                          "yes or no, order and index are those of exact arithmetic; numbers are the exact ones, rounded as documented",
                                          "a distance or area within 1e-15 relative or one denormal, zero and sign exact; a separating vector verified "
                                          "exactly; a box that truly contains; a centroid "
                                          "within 2^-52 of the largest coordinate",
                                          "decided within 1e-12 of the largest extent, symmetric", "as the children of the compound"};
  return texts[static_cast<std::size_t>(which)];
}

}  // namespace graze
