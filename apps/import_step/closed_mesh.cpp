// Triangulation by OpenCASCADE, and the joining of what it repeats for each face.
#include "closed_mesh.hpp"

#include <BRepBndLib.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Vertex.hxx>
#include <algorithm>
#include <array>
#include <cstdint>
#include <gp_Pnt.hxx>
#include <gp_Trsf.hxx>
#include <numeric>
#include <utility>
#include <vector>

namespace graze_import {
namespace {

constexpr double kAngle = 0.25;  // radians between neighbouring facets of a curve; a choice: at least 25 for a circle

// Sets of nodes that are one vertex. A set is named by its first node.
class Nodes {
 public:
  std::uint32_t add(std::size_t n) {
    const auto first = static_cast<std::uint32_t>(above_.size());
    above_.resize(above_.size() + n);
    std::iota(above_.begin() + first, above_.end(), first);
    return first;
  }
  std::uint32_t find(std::uint32_t node) {
    while (above_[node] != node) node = above_[node] = above_[above_[node]];
    return node;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> above_;
};

double largest_extent(const TopoDS_Shape& shape) {
  Bnd_Box box;
  BRepBndLib::Add(shape, box, false);
  if (box.IsVoid()) return 0;
  double x0, y0, z0, x1, y1, z1;
  box.Get(x0, y0, z0, x1, y1, z1);
  return std::max({x1 - x0, y1 - y0, z1 - z0});
}

class Joiner {
 public:
  explicit Joiner(const TopoDS_Shape& shape) {
    TopExp::MapShapes(shape, TopAbs_EDGE, edges_);
    TopExp::MapShapes(shape, TopAbs_VERTEX, corners_);
    first_on_edge_.resize(static_cast<std::size_t>(edges_.Extent()) + 1);
    first_at_corner_.resize(static_cast<std::size_t>(corners_.Extent()) + 1, kNone);
  }

  void add_face(const TopoDS_Face& face) {
    TopLoc_Location place;
    const Handle(Poly_Triangulation) net = BRep_Tool::Triangulation(face, place);
    if (net.IsNull() || net->NbTriangles() == 0) {
      ++out_.bare_faces;
      return;
    }
    const std::uint32_t first = nodes_.add(static_cast<std::size_t>(net->NbNodes()));
    for (int i = 1; i <= net->NbNodes(); ++i) {
      gp_Pnt p = net->Node(i);
      if (!place.IsIdentity()) p.Transform(place.Transformation());
      points_.push_back({p.X(), p.Y(), p.Z()});
    }
    const bool reversed = face.Orientation() == TopAbs_REVERSED;
    for (int i = 1; i <= net->NbTriangles(); ++i) {
      int a = 0, b = 0, c = 0;
      net->Triangle(i).Get(a, b, c);
      if (reversed) std::swap(b, c);
      const auto number = [&](int node) { return first + static_cast<std::uint32_t>(node) - 1; };
      corners_of_.push_back({number(a), number(b), number(c)});
    }
    // Once for each use of an edge in the face: a seam is used twice, in both directions, with its own nodes for each.
    for (TopExp_Explorer e(face, TopAbs_EDGE); e.More(); e.Next()) add_edge(TopoDS::Edge(e.Current()), net, place, first);
  }

  StepMesh finish() {
    std::vector<std::uint32_t> numbers(points_.size(), kNone);
    const auto number = [&](std::uint32_t node) {
      const std::uint32_t set = nodes_.find(node);
      if (numbers[set] == kNone) {
        numbers[set] = static_cast<std::uint32_t>(out_.vertices.size());
        out_.vertices.push_back(points_[set]);
      }
      return numbers[set];
    };
    for (const auto& t : corners_of_) {
      const std::array<std::uint32_t, 3> v{number(t[0]), number(t[1]), number(t[2])};
      // A triangle at a pole, whose edge is a point, has two corners there. Its two other edges cancel, so that it can go.
      if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) out_.triangles.push_back(v);
    }
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  void add_edge(const TopoDS_Edge& edge, const Handle(Poly_Triangulation) & net, const TopLoc_Location& place, std::uint32_t first) {
    const Handle(Poly_PolygonOnTriangulation) line = BRep_Tool::PolygonOnTriangulation(edge, net, place);
    if (line.IsNull()) return;
    std::vector<std::uint32_t> along;
    for (int i = 1; i <= line->NbNodes(); ++i) along.push_back(first + static_cast<std::uint32_t>(line->Node(i)) - 1);
    if (along.empty()) return;
    // The nodes follow the edge's curve, whichever way a face uses it.
    const TopoDS_Edge forward = TopoDS::Edge(edge.Oriented(TopAbs_FORWARD));
    join_corner(TopExp::FirstVertex(forward), along.front());
    join_corner(TopExp::LastVertex(forward), along.back());
    if (BRep_Tool::Degenerated(edge)) {
      for (const std::uint32_t node : along) nodes_.join(along.front(), node);
      return;
    }
    std::vector<std::uint32_t>& known = first_on_edge_[static_cast<std::size_t>(edges_.FindIndex(edge))];
    if (known.empty()) known = along;
    if (known.size() != along.size()) return;  // the faces do not conform here: the mesh stays open, and what needs a solid reports that
    for (std::size_t i = 0; i < along.size(); ++i) nodes_.join(known[i], along[i]);
  }

  void join_corner(const TopoDS_Vertex& corner, std::uint32_t node) {
    if (corner.IsNull()) return;
    std::uint32_t& known = first_at_corner_[static_cast<std::size_t>(corners_.FindIndex(corner))];
    if (known == kNone) known = node;
    nodes_.join(known, node);
  }

  TopTools_IndexedMapOfShape edges_, corners_;  // from 1
  std::vector<std::vector<std::uint32_t>> first_on_edge_;
  std::vector<std::uint32_t> first_at_corner_;
  Nodes nodes_;
  std::vector<std::array<double, 3>> points_;
  std::vector<std::array<std::uint32_t, 3>> corners_of_;
  StepMesh out_;
};

}  // namespace

StepMesh mesh_of(const TopoDS_Shape& shape, double deflection) {
  const double extent = largest_extent(shape);
  if (!(extent > 0)) return {};
  const BRepMesh_IncrementalMesh triangulated(shape, deflection * extent, false, kAngle, false);  // the triangles stay in the shape
  Joiner joiner(shape);
  for (TopExp_Explorer f(shape, TopAbs_FACE); f.More(); f.Next()) joiner.add_face(TopoDS::Face(f.Current()));
  return joiner.finish();
}

}  // namespace graze_import
