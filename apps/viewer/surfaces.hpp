// Surfaces and lines of shapes: meshes unchanged, round shapes tessellated finely enough for display.
#pragma once
#include <cstdint>
#include <graze/query.hpp>
#include <span>
#include "viewer/picture.hpp"

namespace graze::view {

/// The surface of a mesh: flat triangles, borders and creases as lines. Made once per mesh; large models have a coarse surface as well.
SurfacePtr surface_of(const Mesh& mesh);

/// The surface of only these triangles.
SurfacePtr surface_of(const Mesh& mesh, std::span<const std::uint32_t> triangles);

/// Triangles of three points each, optionally with a colour for each point; edges drawn or not.
SurfacePtr surface_of(std::span<const Triangle> triangles, bool edges = true, std::span<const Color> colors = {});

struct Look {
  Color color = kStone;
  float opacity = 1;
  bool edges = true;
  int id = -1;
  double extent = 10;  // unbounded shapes are drawn up to this distance from `middle`
  Vec3 middle{0, 0, 0};
  float width = 3;  // of lines, pixels
};

/// Adds any shape at a pose: a part, strokes or dots.
void add_shape(Picture& picture, const AnyShape& shape, const Pose& pose, const Look& look);

/// Circles of latitude and longitude, as glutWireSphere draws them.
void add_wire_sphere(Picture& picture, const Vec3& center, double radius, int slices, int stacks, Color color, float width);
/// The twelve edges of a box at a pose.
void add_box_edges(Picture& picture, const Box& box, const Pose& pose, Color color, float width);

Triangle triangle_of(const Mesh& mesh, std::uint32_t triangle);

}  // namespace graze::view
