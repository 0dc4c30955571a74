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

/// A file that ends in .json, or the name of an example scene that is no file.
bool is_scene(const std::string& path);

/// Models together, or one scene. Throws graze::Error or cli::BadInput for what cannot be read, and for a scene beside other files.
/// Without `up`, the first model whose file names its up axis decides, else it is z. Tells what it is at, for people who wait.
std::unique_ptr<Demo> open_files(const std::vector<std::string>& paths, std::optional<Axis> up, const std::function<void(const std::string&)>& tell = {});

std::unique_ptr<Demo> make_scene_demo(scene_file::SceneFile scene);

}  // namespace graze::view
