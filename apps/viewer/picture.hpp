// Describes a picture without any graphics API: triangles, lines, points, text and a camera. The window, the offscreen renderer and the page all draw it.
#pragma once
#include <cstdint>
#include <graze/mesh.hpp>
#include <graze/pose.hpp>
#include <graze/shapes/box.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "viewer/palette.hpp"

namespace graze::view {

/// A vertex in the format for the graphics card.
struct Corner {
  float x, y, z;         // relative to the surface's origin
  std::uint32_t normal;  // three signed fields of 10 bits
  std::uint8_t r, g, b;  // multiplied with the part's colour
  std::uint8_t
      edges;  // bit k: the edge opposite to the triangle's corner k is drawn; bit 3: only where all edges of triangles are drawn; the same in all three corners
};
inline constexpr std::uint8_t kMeshEdges = 15;  // all edges, of a triangle of a mesh

/// A line of a surface that is drawn as an edge, relative to its origin.
struct FeatureLine {
  float ax, ay, az, bx, by, bz;
  float size;  // length of its chain of lines: the line fades where the chain is only a few pixels long
};

/// Immutable triangles; the address identifies the copy on the graphics card. `origin` keeps distant surfaces precise.
struct Surface {
  Vec3 origin{0, 0, 0};
  std::vector<Corner> corners;            // three a triangle
  std::vector<FeatureLine> lines;         // of meshes: borders and creases
  Vec3 min{0, 0, 0}, max{0, 0, 0};        // bounds, origin added
  std::shared_ptr<const Surface> coarse;  // coarse surface of a large model, drawn instead while the view moves
  std::optional<Mesh> source;             // the mesh whose triangles are shown
  double ball = 0;                        // the radius of the ball about `origin` that it approximates; 0: it is none
  // Round shapes: the number of sides of circles, the radius of the widest, and the same shape with fewer sides, drawn where it is so small that it looks the
  // same.
  int sides = 0;
  double widest = 0;
  std::shared_ptr<const Surface> simpler;
};
using SurfacePtr = std::shared_ptr<const Surface>;

/// A placed surface.
struct Part {
  SurfacePtr surface;
  Pose pose;
  Color color = kStone;
  float opacity = 1;
  bool edges = true;
  bool through = false;    // shown faintly where hidden by another part
  int id = -1;             // id in the demonstration; -1: cannot be dragged
  bool shell = false;      // transparent: only its layer nearest to the eye
  bool lit = true;         // false: unlit colours
  bool triangles = false;  // all edges of a mesh's triangles, not only borders and creases
};

struct Stroke {
  Vec3 a{0, 0, 0}, b{0, 0, 0};
  Color color = kInk;
  float width = 2;  // pixels at a scale of 1
  bool through = false;
};

struct Dot {
  Vec3 at{0, 0, 0};
  Color color = kInk;
  float size = 9;  // pixels at a scale of 1
  bool through = false;
};

struct Label {
  Vec3 at{0, 0, 0};
  std::string text;
};

struct Camera {
  Vec3 eye{0, -1, 0}, target{0, 0, 0}, up{0, 0, 1};
  double field_of_view = 0.70;  // radians, of the height
  double aspect = 0;            // intended width/height; a narrower view shows as much. 0: none
};

struct LegendEntry {
  Color color;
  std::string text;
};

/// What would be too small in a picture, again from nearby, in its lower right corner.
struct Inset {
  Box box;  // framed in the picture
  Camera camera;
  std::string text;
};
inline constexpr double kInsetSide = 0.38;  // of the square, as a part of the picture's shorter side

struct Picture {
  std::vector<Part> parts;
  std::vector<Stroke> strokes;
  std::vector<Dot> dots;
  std::vector<Label> labels;
  std::string title;
  std::vector<std::string> caption;  // lines of figures below the picture
  std::vector<LegendEntry> legend;
  Color background = kPaper;
  Camera camera;
  std::optional<Inset> inset;
  std::optional<Box> focus;  // the box that the camera rotates about and keeps in view; empty: all bounds
};

/// Bounds of everything drawn (the unit cube when empty).
Box bounds(const Picture& picture);
/// The focus, or all bounds.
Box focus(const Picture& picture);

/// A camera that shows the whole box, from `direction` (from the target to the eye), with that field of view and width/height.
Camera fit(const Box& box, const Vec3& direction, const Vec3& up, double aspect, double field_of_view = 0.70);

/// What a camera leaves free for words and insets, as parts of the height and the width.
struct Margins {
  double below = 0.08, right = 0;
};
/// A camera that shows everything as large as possible within the margins.
Camera fit(const Picture& picture, const Vec3& direction, const Vec3& up, double aspect, const Margins& margins = {}, double field_of_view = 0.60);

double length(const Vec3& v);
/// The normalised vector; (0, 0, 1) for zero.
Vec3 unit(const Vec3& v);
Vec3 cross(const Vec3& a, const Vec3& b);
double dot(const Vec3& a, const Vec3& b);
/// Rotates `p` about the axis (unit length) by an angle in radians.
Vec3 turned(const Vec3& p, const Vec3& axis, double angle);

}  // namespace graze::view
