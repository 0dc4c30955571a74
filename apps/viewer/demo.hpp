// The interface of a demonstration: a small interactive world that can also play by itself for pictures and animations.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "viewer/page.hpp"
#include "viewer/ride.hpp"
#include "viewer/surfaces.hpp"

namespace graze::view {

/// Keys, as the window names them to demonstrations.
enum class Key { up, down, left, right, f1, f2, f3, f4, plus, minus, space, enter, tab, other };

struct KeyHelp {
  std::string keys, what;
};

/// What of a demonstration can be taken hold of with the mouse: a shape itself, or an arrow or ring on it (gizmo.hpp), which lies in front of all shapes.
struct Handle {
  enum class Way { free, along, around };
  int id = 0;
  AnyShape shape;
  Pose pose;
  Way way = Way::free;
  Vec3 axis{0, 0, 1}, center{0, 0, 0};  // of an arrow or ring
  int target = -1;                      // what an arrow or ring moves; -1: itself
  int moved() const { return target < 0 ? id : target; }
};

/// A state of a demonstration that has a name on the command line.
struct Preset {
  std::string name, what;
};

class Demo {
 public:
  virtual ~Demo() = default;
  virtual std::string name() const = 0;  // for the command line
  virtual std::string title() const = 0;
  virtual std::string text() const = 0;  // what one sees and may do
  /// What is there now; the camera is only a proposal.
  virtual Picture picture() = 0;
  /// Widgets (Dear ImGui, within a window of the viewer's).
  virtual void controls() {}
  virtual std::vector<KeyHelp> keys() const { return {}; }
  virtual bool key(Key, char /*letter or digit*/) { return false; }  // true: used
  /// Time goes on by dt seconds; only when moves() is true.
  virtual bool moves() const { return false; }
  virtual void step(double /*dt*/) {}
  virtual void one_step() { step(1.0 / 60); }
  virtual std::vector<Handle> handles() const { return {}; }
  virtual void drag(int /*id*/, const Vec3& /*by*/) {}
  virtual void turn(int /*id*/, const Vec3& /*axis*/, double /*angle*/) {}
  /// The mouse is over a handle (-1: over none), or has taken it; true: the picture changes.
  virtual bool pointed(int /*id*/, bool /*taken*/) { return false; }
  /// The state at u in [0, 1] of the animation; what is seen there must be telling, u = still() most of all.
  virtual void play(double /*u*/) {}
  virtual double still() const { return 0.5; }
  /// How long the animation lasts in its own time; 0: it has none.
  virtual double seconds() const { return 0; }
  virtual void reset() = 0;
  virtual std::vector<Preset> presets() const { return {}; }
  /// Begins with one of presets(), now and after each reset.
  virtual void choose_preset(std::size_t /*index*/) {}
  /// From where one looks while one rides on something (key R) or is in it; nothing else.
  virtual std::optional<Ride> ride() const { return {}; }
  /// Played as a page for a browser; nothing when it is no motion of a world.
  virtual std::optional<Page> replay() { return {}; }
};

struct DemoEntry {
  const char* name;
  const char* title;
  const char* group;
  std::function<std::unique_ptr<Demo>()> make;
};
/// All demonstrations, in the order of the list; those of a group stand together.
const std::vector<DemoEntry>& demos();
/// The place in the list. Throws Error naming those that exist.
std::size_t index_of_demo(const std::string& name);
/// The demonstration at that place, in the state of a preset if one is named. Throws Error naming the presets that exist.
std::unique_ptr<Demo> make_demo(std::size_t index, const std::string& preset = "");

/// Models of the user, each at its own place; those that touch are shown so.
struct NamedMesh {
  std::string name;
  Mesh mesh;
  Pose pose;
};
std::unique_ptr<Demo> make_models_demo(std::vector<NamedMesh> models, Axis up = Axis::z);

Vec3 axis_vector(Axis axis);
/// From the target to the eye: a little from the right and from above, for that axis upwards.
Vec3 usual_direction(Axis up);

/// Two meshes, what touches and where; used by the check picture, the demonstration of two meshes and the models of the user.
struct PairFacts {
  std::vector<TrianglePair> pairs;
  std::optional<Closest> closest;  // when they do not touch
};
PairFacts facts_of(ShapeRef a, ShapeRef b);
/// What pairs of triangles have in common, to be drawn: curves, points, and areas where they lie in one plane.
struct ContactShape {
  std::vector<Stroke> strokes;
  std::vector<Dot> dots;
  std::vector<Triangle> area;
  void add(const Triangle& a, const Triangle& b);
  /// Adds all of it; the area as one part.
  void show(Picture& picture) const;
};
struct PairLook {
  bool curve = true;       // where they meet: curve, area, point
  bool triangles = false;  // which ones
  bool distance = true;
  bool pale = false;  // the models, so that the contact stands out
  float opacity_a = 1, opacity_b = 1;
  std::size_t most = 100000;  // at most so many pairs are shown
};
/// Adds two placed meshes with what is known about them.
void add_pair(Picture& picture, const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const PairFacts& facts, const PairLook& look,
              int id_a = 0, int id_b = 1);

/// Demonstrations' own models.
Mesh torus_mesh(double ring, double tube, int around, int across);
Mesh rock_mesh(double radius, int level, unsigned seed);
Mesh terrain_mesh(double size, int cells);

/// A vector of three numbers drawn one after the other, z first: the order must not be the compiler's.
template <class Random>
Vec3 random_vector(Random& random) {
  const double z = random(), y = random(), x = random();
  return Vec3(x, y, z);
}

/// Rotation after the pose's, about the middle of what is placed.
Pose turned_about(const Pose& pose, const Vec3& middle, const Vec3& axis, double angle);
/// Shortest text that reads back to the same double.
std::string exact_text(double x);
std::string exact_text(const Vec3& v);
/// Six digits, for the eye.
std::string short_text(double x);
std::string short_text(const Vec3& v);

}  // namespace graze::view
