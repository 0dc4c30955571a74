// Opens what the user names on the command line or drops on the window: models, or a scene.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "scene_file/scene_file.hpp"
#include "viewer/demo.hpp"

namespace graze::view {

/// Whether it is a file that ends in .json, or the name of an example scene and not a file.
bool is_scene(const std::string& path);

/// How models are read.
struct OpenOptions {
  std::optional<Axis> up;  ///< nothing: as the files say, or a guess
  bool literal = false;    ///< as LoadOptions::literal, and units and up axes that differ are not brought together
};

/// Opens models together, or one scene. Throws graze::Error or cli::BadInput for files that cannot be read, and for a scene besides other files. Without `up`,
/// the first model whose file declares its up axis decides, else a guess (cli/up_axis.hpp). Reports its current step for progress messages.
std::unique_ptr<Demo> open_files(const std::vector<std::string>& paths, const OpenOptions& options, const std::function<void(const std::string&)>& tell = {});

std::unique_ptr<Demo> make_scene_demo(scene_file::SceneFile scene);

}  // namespace graze::view
