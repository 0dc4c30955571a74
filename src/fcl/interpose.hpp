// The functions of FCL that this library answers, under FCL's own names: `libgraze_fcl.so`, preloaded or linked before libfcl, defines them instead of it.
// Declared by the names of their symbols, because FCL's headers declare the same functions as instances of templates that libfcl defines.
#pragma once
#include <fcl/narrowphase/collision_object.h>

#include <cstddef>

#include "fcl/fcl_types.hpp"

#define GRAZE_FCL_COLLIDE_OBJECTS "_ZN3fcl7collideIdEEmPKNS_15CollisionObjectIT_EES5_RKNS_16CollisionRequestIS2_EERNS_15CollisionResultIS2_EE"
#define GRAZE_FCL_COLLIDE \
  "_ZN3fcl7collideIdEEmPKNS_17CollisionGeometryIT_EERKN5Eigen9TransformIS2_Li3ELi1ELi0EEES5_SA_RKNS_16CollisionRequestIS2_EERNS_15CollisionResultIS2_EE"
#define GRAZE_FCL_DISTANCE_OBJECTS "_ZN3fcl8distanceIdEET_PKNS_15CollisionObjectIS1_EES5_RKNS_15DistanceRequestIS1_EERNS_14DistanceResultIS1_EE"
#define GRAZE_FCL_DISTANCE \
  "_ZN3fcl8distanceIdEET_PKNS_17CollisionGeometryIS1_EERKN5Eigen9TransformIS1_Li3ELi1ELi0EEES5_SA_RKNS_15DistanceRequestIS1_EERNS_14DistanceResultIS1_EE"
#define GRAZE_FCL_CONTINUOUS_OBJECTS                                                                                       \
  "_ZN3fcl17continuousCollideIdEET_PKNS_15CollisionObjectIS1_EERKN5Eigen9TransformIS1_Li3ELi1ELi0EEES5_SA_RKNS_26Continuo" \
  "usCollisionRequestIS1_EERNS_25ContinuousCollisionResultIS1_EE"
#define GRAZE_FCL_CONTINUOUS                                                                                                \
  "_ZN3fcl17continuousCollideIdEET_PKNS_17CollisionGeometryIS1_EERKN5Eigen9TransformIS1_Li3ELi1ELi0EEESA_S5_SA_SA_RKNS_26C" \
  "ontinuousCollisionRequestIS1_EERNS_25ContinuousCollisionResultIS1_EE"

namespace graze::for_fcl {

using Object = ::fcl::CollisionObject<double>;

std::size_t interposed_collide(const Object* o1, const Object* o2, const CollisionRequest& request, CollisionResult& result) __asm__(GRAZE_FCL_COLLIDE_OBJECTS);
std::size_t interposed_collide(const Geometry* o1, const Transform& tf1, const Geometry* o2, const Transform& tf2, const CollisionRequest& request,
                               CollisionResult& result) __asm__(GRAZE_FCL_COLLIDE);
double interposed_distance(const Object* o1, const Object* o2, const DistanceRequest& request, DistanceResult& result) __asm__(GRAZE_FCL_DISTANCE_OBJECTS);
double interposed_distance(const Geometry* o1, const Transform& tf1, const Geometry* o2, const Transform& tf2, const DistanceRequest& request,
                           DistanceResult& result) __asm__(GRAZE_FCL_DISTANCE);
double interposed_continuous(const Object* o1, const Transform& end1, const Object* o2, const Transform& end2, const ContinuousRequest& request,
                             ContinuousResult& result) __asm__(GRAZE_FCL_CONTINUOUS_OBJECTS);
double interposed_continuous(const Geometry* o1, const Transform& begin1, const Transform& end1, const Geometry* o2, const Transform& begin2,
                             const Transform& end2, const ContinuousRequest& request, ContinuousResult& result) __asm__(GRAZE_FCL_CONTINUOUS);

}  // namespace graze::for_fcl
