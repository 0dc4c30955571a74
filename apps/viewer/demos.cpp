// The list of all demonstrations. A new demonstration needs its own file, a function declaration below and a line in the list.
#include <graze/error.hpp>
#include <memory>
#include <string>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

std::unique_ptr<Demo> make_sphere_polygon();
std::unique_ptr<Demo> make_primitives();
std::unique_ptr<Demo> make_two_meshes();
std::unique_ptr<Demo> make_rays();
std::unique_ptr<Demo> make_frustum();
std::unique_ptr<Demo> make_sweeps();
std::unique_ptr<Demo> make_moving_meshes();
std::unique_ptr<Demo> make_broad_phase();
std::unique_ptr<Demo> make_stones();
std::unique_ptr<Demo> make_shot();
std::unique_ptr<Demo> make_grenade();
std::unique_ptr<Demo> make_walk();
std::unique_ptr<Demo> make_normals();
std::unique_ptr<Demo> make_sizes();

const std::vector<DemoEntry>& demos() {
  static const std::vector<DemoEntry> list = {{"two-meshes", "Two meshes", "Contact", make_two_meshes},
                                              {"sweeps", "Sweeps", "Contact", make_sweeps},
                                              {"moving-meshes", "Moving meshes", "Contact", make_moving_meshes},
                                              {"rays", "Rays", "Contact", make_rays},
                                              {"stones", "Stones on a rock", "Worlds", make_stones},
                                              {"shot", "Shot", "Worlds", make_shot},
                                              {"grenade", "Grenade", "Worlds", make_grenade},
                                              {"walk", "Walk", "Worlds", make_walk},
                                              {"broad-phase", "Many shapes", "Many shapes", make_broad_phase},
                                              {"sizes", "Very different sizes", "Many shapes", make_sizes},
                                              {"frustum", "View frustum", "Many shapes", make_frustum},
                                              {"sphere-polygon", "Sphere and polygon", "Lessons", make_sphere_polygon},
                                              {"primitives", "Primitives", "Lessons", make_primitives},
                                              {"normals", "Normals", "Lessons", make_normals}};
  return list;
}

std::size_t index_of_demo(const std::string& name) {
  std::string names;
  for (std::size_t i = 0; i < demos().size(); ++i) {
    if (name == demos()[i].name) return i;
    names += (names.empty() ? "" : ", ") + std::string(demos()[i].name);
  }
  throw Error(ErrorCode::invalid_argument, "there is no demonstration \"" + name + "\"; there are: " + names);
}

std::unique_ptr<Demo> make_demo(std::size_t index, const std::string& preset) {
  std::unique_ptr<Demo> demo = demos()[index].make();
  if (preset.empty()) return demo;
  const std::vector<Preset> presets = demo->presets();
  std::string names;
  for (std::size_t i = 0; i < presets.size(); ++i) {
    if (preset == presets[i].name) return demo->choose_preset(i), std::move(demo);
    names += (names.empty() ? "" : ", ") + presets[i].name;
  }
  throw Error(ErrorCode::invalid_argument,
              "the demonstration \"" + demo->name() + "\" has no preset \"" + preset + "\"" + (names.empty() ? "" : "; there are: " + names));
}

}  // namespace graze::view
