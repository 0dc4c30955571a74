// The hierarchy of two objects, level by level: object spheres, triangle spheres, triangles. Shows what each level tests and keeps, and which level separates
// the objects. Also labels the corners of bounding boxes.
#pragma once
#include <graze/heritage/hierarchy.hpp>
#include <optional>
#include <string>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

class Levels {
 public:
  /// Draws the widgets. Returns whether something has changed.
  void controls();
  /// L: the next level; after the last one, none. K: named corners.
  bool key(char letter);
  static std::vector<KeyHelp> keys();
  void show(int level) { level_ = level; }
  void show_corners(bool on) { corners_ = on; }
  /// Adds volumes and figures of the selected level, and the named corners if enabled.
  void add(Picture& picture, const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b);
  /// Adds only the named corners of one object; `name` precedes their coordinates in the caption.
  void add_corners(Picture& picture, const std::string& name, const Mesh& mesh, const Pose& pose, Color color) const;

 private:
  struct Known {  // for these poses
    Pose pose_a, pose_b;
    SphereHierarchy a, b;
    HierarchyCounts counts;
    std::vector<TrianglePair> left;
    std::size_t hits = 0;
  };
  int level_ = -1;  // -1: none
  bool corners_ = false, all_ = false;
  std::optional<Known> known_;
};

}  // namespace graze::view
