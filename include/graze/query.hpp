// Queries about shapes at rest: intersection, distance, rays, sides of planes, penetration, relations, bounds, measures, and batches of these.
//
// Every function takes shapes or `at(shape, pose)` and may run concurrently on shared shapes. On valid shapes a query throws
// nothing but Error for the arguments that its comment names, and std::bad_alloc. Lengths are in the unit of the coordinates;
// results are in world coordinates. docs/accuracy.md states the guarantees in full.
#pragma once
#include <graze/query/batches.hpp>
#include <graze/query/bounds.hpp>
#include <graze/query/brief_hits.hpp>
#include <graze/query/classify.hpp>
#include <graze/query/closest.hpp>
#include <graze/query/common_points.hpp>
#include <graze/query/intersects.hpp>
#include <graze/query/manifold.hpp>
#include <graze/query/measure.hpp>
#include <graze/query/mesh_triangles.hpp>
#include <graze/query/minimal_sphere.hpp>
#include <graze/query/penetration.hpp>
#include <graze/query/raycast.hpp>
#include <graze/query/relation.hpp>
#include <graze/query/triangle_planes.hpp>
