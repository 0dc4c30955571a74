// What two triangles have in common: a point, a segment or a convex polygon, whose corners have exact names.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <graze/shapes/triangle.hpp>
#include <optional>
#include <span>

#include "mesh/queries/winding.hpp"

namespace graze {

/// A corner, an edge without its ends, or the inside of a triangle. Edge k joins corner k and the next.
struct Feature {
  enum Kind : std::uint8_t { corner, edge, inside };
  Kind kind = inside;
  std::uint8_t index = 0;
  auto operator<=>(const Feature&) const = default;
};

/// A point of two triangles: where it lies in each. Never inside both.
struct NamedPoint {
  Feature a, b;
  bool operator==(const NamedPoint&) const = default;
};

/// The common points of two triangles. Each corner of the common set has one name, except where a triangle has no area.
struct Crossing {
  bool straddle = false;  ///< each has corners on both sides of the other's plane
  bool coplanar = false;
  std::uint8_t count = 0;            ///< 0: no common point; 1: a point; 2: a segment; more: a polygon in one plane
  std::array<NamedPoint, 15> point;  ///< those of a polygon in the order around it
  std::span<const NamedPoint> points() const { return {point.data(), count}; }
};

/// Which points are asked for: all, or those in which an edge goes through the other's plane or crosses an edge in it, in any order. The latter cost less, and
/// less again if only asked for where triangles straddle.
enum class Points : std::uint8_t { all, on_edges, on_edges_if_straddling };

/// Exact, for any triangles.
Crossing crossing(const Triangle& a, const Triangle& b, Points points = Points::all);
Crossing crossing(const ExactTriangle& a, const ExactTriangle& b, Points points = Points::all);

/// The place of a point of crossing(a, b).
ExactPoint exact_point(const NamedPoint& p, const Triangle& a, const Triangle& b);
ExactPoint exact_point(const NamedPoint& p, const ExactTriangle& a, const ExactTriangle& b);

/// The common point of three triangles whose planes meet in one point.
std::optional<ExactPoint> common_point(const Triangle& r, const Triangle& s, const Triangle& t);
std::optional<ExactPoint> common_point(const ExactTriangle& r, const ExactTriangle& s, const ExactTriangle& t);

}  // namespace graze
