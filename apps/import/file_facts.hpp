// What a file declares besides its surface: format, unit and up axis.
#pragma once
#include <assimp/scene.h>

#include <string>
#include <vector>

namespace graze_import {

struct FileFacts {
  std::string format, unit, up_axis;
  bool synthetic_root = false;  ///< the root's transform is assimp's own change of unit or axes, which is not applied
  std::vector<std::string> notes;
};

/// `importer` is assimp's name for its reader. The file is at `path`, or in `bytes` if `path` is "-".
FileFacts find_facts(const aiScene& scene, const std::string& importer, const std::string& path, const std::string& bytes, const std::string& ending);

}  // namespace graze_import
