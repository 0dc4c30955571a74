// The types of FCL that the library takes and fills, and their vectors as those of Graze.
#pragma once
#include <fcl/geometry/collision_geometry.h>
#include <fcl/narrowphase/collision_request.h>
#include <fcl/narrowphase/collision_result.h>
#include <fcl/narrowphase/continuous_collision_request.h>
#include <fcl/narrowphase/continuous_collision_result.h>
#include <fcl/narrowphase/distance_request.h>
#include <fcl/narrowphase/distance_result.h>
#include <graze/vec.hpp>

namespace graze::for_fcl {

using Geometry = ::fcl::CollisionGeometry<double>;
using Transform = ::fcl::Transform3<double>;
using Vector = ::fcl::Vector3<double>;
using CollisionRequest = ::fcl::CollisionRequest<double>;
using CollisionResult = ::fcl::CollisionResult<double>;
using DistanceRequest = ::fcl::DistanceRequest<double>;
using DistanceResult = ::fcl::DistanceResult<double>;
using ContinuousRequest = ::fcl::ContinuousCollisionRequest<double>;
using ContinuousResult = ::fcl::ContinuousCollisionResult<double>;

[[nodiscard]] inline Vec3 from_fcl(const Vector& v) { return Vec3(v[0], v[1], v[2]); }
[[nodiscard]] inline Vector to_fcl(const Vec3& v) { return Vector(v.x, v.y, v.z); }

}  // namespace graze::for_fcl
