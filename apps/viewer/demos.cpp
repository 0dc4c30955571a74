// The list of all demonstrations. A new one is its own file, a function below and a line in the list.
#include <graze/error.hpp>
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

const std::vector<DemoEntry>& demos() {
  static const std::vector<DemoEntry> list = {
      {"sphere-polygon", "Sphere and polygon", make_sphere_polygon},
      {"primitives", "Primitives", make_primitives},
      {"two-meshes", "Two meshes", make_two_meshes},
      {"stones", "Stones on a rock", make_stones},
      {"shot", "Shot", make_shot},
      {"grenade", "Grenade", make_grenade},
      {"walk", "Walk", make_walk},
      {"sweeps", "Sweeps", make_sweeps},
      {"moving-meshes", "Moving meshes", make_moving_meshes},
      {"rays", "Rays", make_rays},
      {"broad-phase", "Many shapes", make_broad_phase},
      {"frustum", "View frustum", make_frustum}};
  return list;
}

std::unique_ptr<Demo> make_demo(const std::string& name) {
  std::string names;
  for (const DemoEntry& e : demos()) {
    if (name == e.name) return e.make();
    names += (names.empty() ? "" : ", ") + std::string(e.name);
  }
  throw Error("there is no demonstration \"" + name + "\"; there are: " + names);
}

}  // namespace graze::view
