// Triangle meshes: a cheap handle to immutable data with its tree, the solid that a closed mesh bounds, a report on defects, and
// triangulation of polygons.
#pragma once
#include <graze/mesh/check.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/mesh/solid.hpp>
#include <graze/mesh/tree_boxes.hpp>
#include <graze/mesh/triangulate.hpp>
