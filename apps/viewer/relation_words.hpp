// How two placed models lie to each other as solids, in words. Keeps dragging fluid: where a relation takes long, it waits until the mouse lets go.
#pragma once
#include <graze/query.hpp>
#include <optional>
#include <string>

namespace graze::view {

class RelationWords {
 public:
  /// Without effect unless both meshes bound solids.
  RelationWords(const Mesh& a, const Mesh& b);
  /// Whether the mouse holds a model. Returns true if words that were left out are now due.
  bool hold(bool held);
  /// Finds the relation at these poses. Nothing if a mesh bounds no solid, or if it takes long and the mouse holds a model.
  std::optional<Relation> at_poses(const Pose& a, const Pose& b);
  /// For a caption: "relation of the solids: overlapping", or when it will be known; empty if a mesh bounds no solid.
  std::string caption() const;

 private:
  struct Known {
    Pose a, b;
    Relation relation;
  };
  std::optional<Solid> a_, b_;
  std::optional<Known> known_;
  bool held_ = false, slow_ = false, due_ = false;
};

}  // namespace graze::view
