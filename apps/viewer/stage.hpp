// A world, or a scene file with its walkers, turning members, cloths and shots, as a picture whose parts are moved as time advances.
#pragma once
#include <cstdint>
#include <graze/mover.hpp>
#include <graze/world.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "scene_file/simulation.hpp"
#include "viewer/page.hpp"

namespace graze::view {

class Stage {
 public:
  /// Shows the current state of the world. Bodies added later are not shown. `looks`: per body, a polygon drawn in place of its shape, or null; a simulation
  /// takes them from its file.
  explicit Stage(const World& world, const scene_file::Simulation* simulation = nullptr, const std::vector<std::shared_ptr<const AnyShape>>& looks = {});

  /// Fixed parts, then moving ones (from first_moving() on), then cloths (from first_sheet() on).
  const Picture& picture() const { return picture_; }
  std::size_t first_moving() const { return first_moving_; }
  std::size_t moving() const { return movers_.size(); }
  /// Whether moving part `i` (counted from first_moving()) belongs to that walker.
  bool is_walker(std::size_t i, std::size_t walker) const { return movers_[i].kind == Kind::walker && movers_[i].id == walker; }
  bool is_member(std::size_t i, MemberId member) const { return movers_[i].kind == Kind::member && movers_[i].id == member; }
  std::size_t first_sheet() const { return first_moving_ + movers_.size(); }
  std::size_t bodies() const { return bodies_; }
  /// The poses of the moving parts; removed bodies are at (1e30, 1e30, 1e30).
  std::vector<Pose> poses(const World& world, const scene_file::Simulation* simulation = nullptr) const;
  /// Bounds of the bounded fixed members and of the initial moving bodies.
  const Box& box() const { return box_; }

 private:
  enum class Kind { member, walker, body };
  struct Mover {
    Kind kind;
    std::uint32_t id;
    Pose local;  // of the part in its shape
    bool turns;  // a polygon attached to a point
  };
  void add_mover(Kind kind, std::uint32_t id, const AnyShape& shape, const Pose& pose, Color color, bool turns = false);
  struct Known {
    const AnyShape* shape;
    std::vector<Part> parts;
  };
  Picture picture_;
  std::vector<Mover> movers_;
  std::vector<Known> known_;
  std::size_t first_moving_ = 0, bodies_ = 0, bodies_in_all_ = 0;
  double size_ = 1;
  Box box_{Vec3(0, 0, 0), Vec3(0, 0, 0)};
};

/// Lines that remain once drawn: the paths of walkers and of bodies, if they are few, and shots up to their hits.
class Trail {
 public:
  /// The box is that of the stage.
  Trail(const scene_file::Simulation& simulation, const Box& box);
  /// Those of the last step.
  std::vector<Stroke> step(const scene_file::Simulation& simulation);

 private:
  double way_out(const Vec3& from, const Vec3& direction) const;
  std::vector<Vec3> last_, bodies_;
  Box box_;
  double size_;
};

/// The name of a body or fixed member in the file; with its number if it has none or shares it.
std::string name_in(const std::vector<std::string>& names, std::uint32_t id, const char* what);

/// Events of a scene's last step besides the impacts of its bodies, for a list: shots, and turning members that stopped (with their moving parts, if the stage
/// is given).
std::vector<PageHit> events_of(const scene_file::Simulation& simulation, const Stage* stage = nullptr);

/// The camera of the scene's file, or a view of the whole box.
Camera camera_of(const scene_file::SceneFile& scene, const Box& box);

/// Rotation of a polygon attached to a point; for display only, since a point has no orientation.
Pose polygon_pose(BodyId id, const Vec3& place, double time);

/// The coordinate axis nearest to that direction.
Axis near_axis(const Vec3& up);

}  // namespace graze::view
