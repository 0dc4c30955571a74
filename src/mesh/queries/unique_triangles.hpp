// A mesh view without repeated triangles, for counting: contacts of equal triangles are counted once, times their number.
#pragma once
#include <cstdint>
#include <optional>

#include "mesh/queries/mesh_view.hpp"
#include "mesh/triangle_groups.hpp"

namespace graze {

class UniqueTriangles {
 public:
  explicit UniqueTriangles(const MeshView& view);
  UniqueTriangles(const UniqueTriangles&) = delete;
  UniqueTriangles& operator=(const UniqueTriangles&) = delete;

  /// Returns the original view if no triangle is repeated.
  MeshView view() const { return mesh_ ? MeshView(*mesh_, original_.pose) : original_; }
  /// Returns how many triangles of the original equal triangle i of view().
  std::uint32_t weight(std::uint32_t i) const { return mesh_ ? groups_.size[i] : 1; }
  std::size_t size() const { return view().mesh->triangles.size(); }

 private:
  MeshView original_;
  TriangleGroups groups_;
  std::optional<Mesh> mesh_;
};

}  // namespace graze
