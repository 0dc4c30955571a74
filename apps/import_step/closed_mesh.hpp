// The triangles of a shape's faces, joined along the edges that the faces share.
#pragma once
#include <TopoDS_Shape.hxx>
#include <array>
#include <cstdint>
#include <vector>

namespace graze_import {

struct StepMesh {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::size_t bare_faces = 0;  ///< faces that could not be triangulated
};

/// Triangulates a shape. Triangles are at most `deflection` times the shape's largest extent from its surface. Two faces that share an edge share its vertices,
/// by the shape's topology and not by distance, so that a closed shape has a closed mesh.
StepMesh mesh_of(const TopoDS_Shape& shape, double deflection);

}  // namespace graze_import
