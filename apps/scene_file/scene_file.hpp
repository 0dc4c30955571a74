// Reads scenes from JSON files (docs/scene.schema.json) into a world that is ready to run, with its walkers, shots, cloths and cameras.
#pragma once
#include <cstdint>
#include <filesystem>
#include <graze/mover.hpp>
#include <graze/world.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "input/model_notes.hpp"

namespace graze::scene_file {

/// A character that walks along waypoints, stays on the floor and climbs steps.
struct Walker {
  std::string name;
  AnyShape shape;  ///< sphere or capsule, feet at the origin of its position
  Vec3 position{0, 0, 0};
  MoverOptions options;
  double speed = 1.5;  ///< length/s
  double fall = 3;     ///< length/s, downwards, always part of the requested motion
  std::vector<Vec3> waypoints;
  bool repeat = false;  ///< restarts after the last waypoint
};

struct Shot {
  std::string name;
  double time = 0;  ///< s
  Ray ray;
  double t_max = std::numeric_limits<double>::infinity();
};

/// A sheet of points with distance constraints that falls over the fixed meshes. ccd decides every step; vertices that would pass through stay where they are.
struct Cloth {
  std::string name;
  Mesh mesh{MeshData{}};
  std::vector<std::uint8_t> pinned;  ///< by vertex
  int relaxations = 8;
};

/// A fixed object that turns about an axis until it would touch another fixed object. Each step is a sweep with rotation.
struct Turning {
  std::string name;
  MemberId member = 0;
  Pose start;
  Vec3 center{0, 0, 0}, axis{0, 0, 1};
  double rate = 0;  ///< radians/s
};

/// A fixed object that translates: a lift, a sliding door, a closing wall. It moves uniformly between two stops of its path, carries and pushes walkers, and is
/// never blocked.
struct Moving {
  struct Stop {
    double time = 0;   ///< s
    Vec3 by{0, 0, 0};  ///< from its start
  };
  std::string name;
  MemberId member = 0;
  Pose start;
  std::vector<Stop> path;  ///< times ascend; the object is at rest before the first stop and after the last one
  bool repeat = false;     ///< restarts after the last stop

  Vec3 shift(double time) const;
};

/// A camera for the viewer.
struct Camera {
  Vec3 eye{0, 0, 0}, target{0, 0, 0};
  std::string rides;  ///< name of a body, walker or nothing; the eye is then an offset from it
};

struct SceneFile {
  std::string name, title;
  double duration = 5;  ///< s
  double step = 0.01;   ///< s
  std::uint64_t seed = 1;
  Vec3 up{0, 0, 1}, gravity{0, 0, -9.81};
  World world;
  std::vector<std::string> fixed_names, body_names;         ///< by id; emitted bodies carry their emitter's name
  std::vector<std::shared_ptr<const AnyShape>> body_looks;  ///< by id: the polygon attached to a body, drawn in place of its shape, or null
  std::vector<Walker> walkers;
  std::vector<Shot> shots;
  std::vector<Cloth> cloths;
  std::vector<Turning> turning;
  std::vector<Moving> moving;
  std::optional<Camera> camera;
  std::vector<cli::ModelNote> notes;  ///< what the readers of its models noticed
};

/// Throws BadInput: "bodies[3].shape.radius: is -1, must be >= 0". Model paths are relative to `folder`. `seed` replaces the file's.
SceneFile read_scene(std::string_view text, const std::string& folder, std::optional<std::uint64_t> seed = {});

/// Loads a file, or an example by name, from $GRAZE_SCENES, ./scenes, or the folder where the examples were built or installed. Throws Error or BadInput that
/// begins with the file's name.
SceneFile load_scene(const std::string& path_or_name, std::optional<std::uint64_t> seed = {});

/// A file of the examples, such as a scene's model. Throws Error when the examples are missing.
std::filesystem::path example_file(const std::string& name);

/// The examples that load_scene finds by name, in order, with their titles.
std::vector<std::pair<std::string, std::string>> example_scenes();

}  // namespace graze::scene_file
