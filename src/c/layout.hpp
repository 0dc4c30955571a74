// Which structs and arrays of C are read in place as those of C++, or the other way round. Each has the same size, alignment and members.
#pragma once
#include <graze/graze.h>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <graze/mesh/check.hpp>
#include <graze/pair_hint.hpp>
#include <graze/query/brief_hits.hpp>
#include <graze/shapes.hpp>
#include <span>
#include <type_traits>

#include "c/shape_layout.hpp"

namespace graze::c {

template <class T, class C>
inline constexpr bool same_size = sizeof(T) == sizeof(C) && alignof(T) == alignof(C) && std::is_standard_layout_v<T>&& std::is_trivially_copyable_v<T>;

/// Whether memory of the type C may be read as of the type T. An array of T is an array of C, with more elements where C is a number.
template <class T, class C>
inline constexpr bool reads_as = std::same_as<T, C>;

// shape_layout.hpp checks the members of these.
template <>
inline constexpr bool reads_as<Ray, graze_ray> = same_size<Ray, graze_ray>;
template <>
inline constexpr bool reads_as<Box, graze_box> = same_size<Box, graze_box>;
template <>
inline constexpr bool reads_as<Plane, graze_plane> = same_size<Plane, graze_plane>;
template <>
inline constexpr bool reads_as<Triangle, graze_triangle> = same_size<Triangle, graze_triangle>;

template <>
inline constexpr bool reads_as<Vec3, double> = same_size<Vec3, double[3]>&& offsetof(Vec3, y) == sizeof(double) && offsetof(Vec3, z) == 2 * sizeof(double);
template <>
inline constexpr bool reads_as<Pose, graze_pose> = same_size<Pose, graze_pose>&& offsetof(Pose, rotation) == offsetof(graze_pose, rotation) &&
                                                   sizeof(Pose::rotation) == sizeof(graze_pose::rotation) &&
                                                   offsetof(Pose, translation) == offsetof(graze_pose, translation);
template <>
inline constexpr bool reads_as<PairHint, graze_pair_hint> = same_size<PairHint, graze_pair_hint>&& offsetof(PairHint, ends_a) ==
                                                                offsetof(graze_pair_hint, ends_a) &&
                                                            offsetof(PairHint, ends_b) == offsetof(graze_pair_hint, ends_b) &&
                                                            offsetof(PairHint, corner_a) == offsetof(graze_pair_hint, corner_a) &&
                                                            offsetof(PairHint, corner_b) == offsetof(graze_pair_hint, corner_b) &&
                                                            offsetof(PairHint, direction) == offsetof(graze_pair_hint, direction);
template <>
inline constexpr bool reads_as<EdgeAt, graze_edge_at> = same_size<EdgeAt, graze_edge_at>&& offsetof(EdgeAt, v0) == offsetof(graze_edge_at, v0) &&
                                                        offsetof(EdgeAt, v1) == offsetof(graze_edge_at, v1) &&
                                                        offsetof(EdgeAt, triangle) == offsetof(graze_edge_at, triangle);
template <>
inline constexpr bool reads_as<NearJunction, graze_near_junction> =
    same_size<NearJunction, graze_near_junction>&& reads_as<EdgeAt, graze_edge_at>&& reads_as<Vec3, double>&& offsetof(NearJunction, vertex) ==
        offsetof(graze_near_junction, vertex) &&
    offsetof(NearJunction, edge) == offsetof(graze_near_junction, edge) && offsetof(NearJunction, gap) == offsetof(graze_near_junction, gap) &&
    offsetof(NearJunction, place) == offsetof(graze_near_junction, place);
template <>
inline constexpr bool reads_as<BriefHit, graze_brief_hit> = same_size<BriefHit, graze_brief_hit>&& offsetof(BriefHit, t) == offsetof(graze_brief_hit, t) &&
                                                            offsetof(BriefHit, triangle) == offsetof(graze_brief_hit, triangle) &&
                                                            offsetof(BriefHit, child) == offsetof(graze_brief_hit, child);
template <std::size_t N>
inline constexpr bool reads_as<std::array<std::uint32_t, N>, std::uint32_t> = same_size<std::array<std::uint32_t, N>, std::uint32_t[N]>;

/// An array of the library's as one of the C interface.
template <class C, class T>
const C* as_c(std::span<const T> list) {
  static_assert(reads_as<T, C>);
  return reinterpret_cast<const C*>(list.data());
}

}  // namespace graze::c
