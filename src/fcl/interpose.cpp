// The functions of FCL that this library answers. What it does not answer goes to FCL's own function of the same name, the next in the order of loading.
#include "fcl/interpose.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "fcl/collide.hpp"
#include "fcl/continuous.hpp"
#include "fcl/distance.hpp"

namespace graze::for_fcl {
namespace {

void* next_symbol(const char* name) {
  void* const symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) {
    throw std::runtime_error(std::string("libgraze_fcl: no library after it defines ") + name +
                             "; expected libfcl, as a shared library that is loaded after libgraze_fcl");
  }
  return symbol;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(next_symbol(name));
}

using Collide = std::size_t(const Geometry*, const Transform&, const Geometry*, const Transform&, const CollisionRequest&, CollisionResult&);
using Distance = double(const Geometry*, const Transform&, const Geometry*, const Transform&, const DistanceRequest&, DistanceResult&);
using Continuous = double(const Geometry*, const Transform&, const Transform&, const Geometry*, const Transform&, const Transform&, const ContinuousRequest&,
                          ContinuousResult&);

}  // namespace

std::size_t interposed_collide(const Geometry* o1, const Transform& tf1, const Geometry* o2, const Transform& tf2, const CollisionRequest& request,
                               CollisionResult& result) {
  if (const auto count = collide(*o1, tf1, *o2, tf2, request, result)) return *count;
  static Collide* const fcl_collide = next<Collide>(GRAZE_FCL_COLLIDE);
  return fcl_collide(o1, tf1, o2, tf2, request, result);
}

std::size_t interposed_collide(const Object* o1, const Object* o2, const CollisionRequest& request, CollisionResult& result) {
  return interposed_collide(o1->collisionGeometry().get(), o1->getTransform(), o2->collisionGeometry().get(), o2->getTransform(), request, result);
}

double interposed_distance(const Geometry* o1, const Transform& tf1, const Geometry* o2, const Transform& tf2, const DistanceRequest& request,
                           DistanceResult& result) {
  if (const auto found = distance(*o1, tf1, *o2, tf2, request, result)) return *found;
  static Distance* const fcl_distance = next<Distance>(GRAZE_FCL_DISTANCE);
  return fcl_distance(o1, tf1, o2, tf2, request, result);
}

double interposed_distance(const Object* o1, const Object* o2, const DistanceRequest& request, DistanceResult& result) {
  return interposed_distance(o1->collisionGeometry().get(), o1->getTransform(), o2->collisionGeometry().get(), o2->getTransform(), request, result);
}

double interposed_continuous(const Geometry* o1, const Transform& begin1, const Transform& end1, const Geometry* o2, const Transform& begin2,
                             const Transform& end2, const ContinuousRequest& request, ContinuousResult& result) {
  if (const auto time = continuous_collide(*o1, {begin1, end1}, *o2, {begin2, end2}, request, result)) return *time;
  static Continuous* const fcl_continuous = next<Continuous>(GRAZE_FCL_CONTINUOUS);
  return fcl_continuous(o1, begin1, end1, o2, begin2, end2, request, result);
}

double interposed_continuous(const Object* o1, const Transform& end1, const Object* o2, const Transform& end2, const ContinuousRequest& request,
                             ContinuousResult& result) {
  return interposed_continuous(o1->collisionGeometry().get(), o1->getTransform(), end1, o2->collisionGeometry().get(), o2->getTransform(), end2, request,
                               result);
}

}  // namespace graze::for_fcl
