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

namespace graze::scene_file {

/// A character with a way: it walks from point to point, stays on the floor, climbs steps.
struct Walker {
  std::string name;
  AnyShape shape;  ///< sphere or capsule, feet at the origin of its position
  Vec3 position{0, 0, 0};
  MoverOptions options;
  double speed = 1.5;  ///< length/s
  double fall = 3;     ///< length/s, downwards, always wished
  std::vector<Vec3> waypoints;
  bool repeat = false;  ///< begins again after the last waypoint
};

struct Shot {
  std::string name;
  double time = 0;  ///< s
  Ray ray;
  double t_max = std::numeric_limits<double>::infinity();
};

/// A sheet of points held together by distances, that falls over the fixed meshes: every step is decided by ccd, what would pass stays.
struct Cloth {
  std::string name;
  Mesh mesh{MeshData{}};
  std::vector<std::uint8_t> pinned;  ///< by vertex
  int relaxations = 8;
};

/// A fixed thing that turns about an axis until it would touch another fixed thing: each step is a sweep with rotation.
struct Turning {
  std::string name;
  MemberId member = 0;
  Pose start;
  Vec3 center{0, 0, 0}, axis{0, 0, 1};
  double rate = 0;  ///< radians/s
};

/// A fixed thing that shifts: a lift, a sliding door, a wall that closes in. Between two stops of its path it moves evenly; it carries and pushes walkers, and
/// stops for nothing.
struct Moving {
  struct Stop {
    double time = 0;   ///< s
    Vec3 by{0, 0, 0};  ///< from its start
  };
  std::string name;
  MemberId member = 0;
  Pose start;
  std::vector<Stop> path;  ///< times ascend; before the first stop and after the last one it rests
  bool repeat = false;     ///< begins again after the last stop

  Vec3 shift(double time) const;
};

/// Where a viewer should look from.
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
};

/// Throws BadInput: "bodies[3].shape.radius: is -1, must be >= 0". Model paths are relative to `folder`. `seed` replaces the file's.
SceneFile read_scene(std::string_view text, const std::string& folder, std::optional<std::uint64_t> seed = {});

/// A path to a file, or the name of an example: looked for in $GRAZE_SCENES, ./scenes and where the examples were built or installed. Throws Error or BadInput,
/// with the file's name in front.
SceneFile load_scene(const std::string& path_or_name, std::optional<std::uint64_t> seed = {});

/// A file of the examples, as a scene's model. Throws Error when the examples are not there.
std::filesystem::path example_file(const std::string& name);

/// The examples that load_scene finds by name, in order, with their titles.
std::vector<std::pair<std::string, std::string>> example_scenes();

}  // namespace graze::scene_file
