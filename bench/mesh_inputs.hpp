// Inputs of the mesh benchmark: models scaled to a common size, rays, points, and pairs of placed meshes by kind of contact.
#pragma once
#include <graze/graze.hpp>
#include <string>
#include <vector>

#include "bench/random.hpp"

namespace bench {

using namespace graze;

/// The model at that path, or a generated "torus", "sphere", "ball" (512 triangles) or "cube" (12): centre of its box at 0, half its diagonal 1, coordinates
/// rounded to float.
MeshData model(const std::string& path_or_name);

/// A closed surface of about this many triangles, with the same size and position.
MeshData torus_of(std::size_t triangles);

/// A bumpy ball of about this many triangles, with the same size and position; from pole to pole, so its triangles near the poles are slivers.
MeshData sphere_of(std::size_t triangles);

/// About this many triangles of square columns of different heights: flat, upright walls as of machined parts, with the same size and position.
MeshData walls_of(std::size_t triangles);

/// Every triangle split into four, each new vertex moved along the normal by up to a twentieth of its edge.
MeshData subdivide(const MeshData& mesh, Random& random);

/// Origins on the bounding sphere of the box, aimed at a point of the box, unit direction; all rounded to float.
std::vector<Ray> aimed_rays(const MeshData& mesh, std::size_t count, Random& random);
/// A third aimed at a vertex, a third at the middle of an edge, a third parallel to an axis through a vertex.
std::vector<Ray> edge_rays(const MeshData& mesh, std::size_t count, Random& random);

/// Short particle paths: half of the origins within .05 of the surface, unit direction.
std::vector<Ray> particles(const MeshData& mesh, std::size_t count, Random& random);

/// Half uniform in 1.25 times the box, half within .05 of the surface; rounded to float.
std::vector<Vec3> query_points(const MeshData& mesh, std::size_t count, Random& random);

/// Poses of B relative to A at rest. r: random, boxes overlapping; b, n: .001 deep, .001 apart along a random direction; x, y: 1e-5 deep, apart; c: deep;
/// d: A itself in quarter turns or shifted along an axis, so that faces are coplanar and vertices shared.
std::vector<Pose> poses(const Mesh& mesh, char how, std::size_t count, Random& random);

}  // namespace bench
