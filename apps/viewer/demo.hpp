// The interface of a demonstration: a small interactive world that can also play by itself for pictures and animations.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "cli/up_axis.hpp"
#include "input/model_notes.hpp"
#include "viewer/page.hpp"
#include "viewer/ride.hpp"
#include "viewer/surfaces.hpp"

namespace graze::view {

/// Keys as the window passes them to demonstrations.
enum class Key { up, down, left, right, f1, f2, f3, f4, plus, minus, space, enter, tab, other };

struct KeyHelp {
  std::string keys, what;
};

/// A part of a demonstration that the mouse can drag: a shape, or an arrow or ring on it (gizmo.hpp), which is in front of all shapes.
struct Handle {
  enum class Way { free, along, around };
  int id = 0;
  AnyShape shape;
  Pose pose;
  Way way = Way::free;
  Vec3 axis{0, 0, 1}, center{0, 0, 0};  // of an arrow or ring
  int target = -1;                      // the handle that an arrow or ring moves; -1: itself
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
  virtual std::string text() const = 0;  // what is shown and what the user can do
  /// The current picture; its camera is only a proposal.
  virtual Picture picture() = 0;
  /// Widgets (Dear ImGui, within a window of the viewer's).
  virtual void controls() {}
  virtual std::vector<KeyHelp> keys() const { return {}; }
  virtual bool key(Key, char /*letter or digit*/) { return false; }  // true: used
  /// Advances time by dt seconds; called only when moves() is true.
  virtual bool moves() const { return false; }
  virtual void step(double /*dt*/) {}
  virtual void one_step() { step(1.0 / 60); }
  virtual std::vector<Handle> handles() const { return {}; }
  virtual void drag(int /*id*/, const Vec3& /*by*/) {}
  virtual void turn(int /*id*/, const Vec3& /*axis*/, double /*angle*/) {}
  /// From now on, picture() leaves out answers that take longer than a frame. pending() says which are missing; once arrived(), picture() has them.
  virtual void hurry() {}
  virtual std::string pending() const { return {}; }
  virtual bool arrived() const { return false; }
  /// The mouse is over a handle (-1: over none), or has grabbed it. Returns whether the picture changes.
  virtual bool pointed(int /*id*/, bool /*taken*/) { return false; }
  /// The state at u in [0, 1] of the animation. Each should be informative, above all u = still().
  virtual void play(double /*u*/) {}
  virtual double still() const { return 0.5; }
  /// Duration of the animation in its own time; 0: there is none.
  virtual double seconds() const { return 0; }
  virtual void reset() = 0;
  virtual std::vector<Preset> presets() const { return {}; }
  /// Starts with one of presets(), now and after each reset.
  virtual void choose_preset(std::size_t /*index*/) {}
  /// The camera of a ride (key R); empty when there is none.
  virtual std::optional<Ride> ride() const { return {}; }
  /// What the picture assumes since no file says it; empty: nothing.
  virtual std::string guess() const { return {}; }
  /// A recording as a page for a browser; empty when it is not a motion of a world.
  virtual std::optional<Page> replay() { return {}; }
};

struct DemoEntry {
  const char* name;
  const char* title;
  const char* group;
  std::function<std::unique_ptr<Demo>()> make;
};
/// All demonstrations, in the order of the list; those of a group are adjacent.
const std::vector<DemoEntry>& demos();
/// The index in the list. Throws Error that lists the existing names.
std::size_t index_of_demo(const std::string& name);
/// The demonstration at that index, in the state of a preset if one is named. Throws Error that lists the existing presets.
std::unique_ptr<Demo> make_demo(std::size_t index, const std::string& preset = "");

/// Models of the user, each at its own position; highlights those that touch.
struct NamedMesh {
  std::string name;
  Mesh mesh;
  Pose pose;
};
std::unique_ptr<Demo> make_models_demo(std::vector<NamedMesh> models, cli::UpAxis up, std::vector<cli::ModelNote> notes = {});

Vec3 axis_vector(Axis axis);
/// Direction from the target to the eye, slightly from the right and from above, for this up axis.
Vec3 usual_direction(Axis up);

/// Two meshes, what touches and where; used by the check picture, the demonstration of two meshes and the models of the user.
struct PairFacts {
  std::vector<TrianglePair> pairs;
  std::optional<Closest> closest;  // when they do not touch
};
PairFacts facts_of(ShapeRef a, ShapeRef b);
/// The intersections of pairs of triangles for drawing: curves, points, and areas of coplanar triangles.
struct ContactShape {
  std::vector<Stroke> strokes;
  std::vector<Dot> dots;
  std::vector<Triangle> area;
  void add(const Triangle& a, const Triangle& b);
  /// Adds all of it; the area as one part.
  void show(Picture& picture) const;
};
struct PairLook {
  bool curve = true;       // contact: curve, area, point
  bool triangles = false;  // which ones
  bool distance = true;
  bool pale = false;  // the models are transparent, so that the contact stands out
  float opacity_a = 1, opacity_b = 1;
  std::size_t most = 100000;  // maximum number of pairs to show
};
/// Adds two placed meshes and the results of their queries.
void add_pair(Picture& picture, const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const PairFacts& facts, const PairLook& look,
              int id_a = 0, int id_b = 1);

/// Demonstrations' own models.
Mesh torus_mesh(double ring, double tube, int around, int across);
Mesh rock_mesh(double radius, int level, unsigned seed);
Mesh terrain_mesh(double size, int cells);

/// A vector of three random numbers, z first: the order must not depend on the compiler.
template <class Random>
Vec3 random_vector(Random& random) {
  const double z = random(), y = random(), x = random();
  return Vec3(x, y, z);
}

bool same_pose(const Pose& p, const Pose& q);
/// Applies a further rotation about the centre of the placed object.
Pose turned_about(const Pose& pose, const Vec3& middle, const Vec3& axis, double angle);
/// Shortest text that reads back to the same double.
std::string exact_text(double x);
std::string exact_text(const Vec3& v);
/// Six digits, for display.
std::string short_text(double x);
std::string short_text(const Vec3& v);
/// Both with as many digits as it takes to see how they differ: at least six.
std::pair<std::string, std::string> short_texts(const Vec3& a, const Vec3& b);

}  // namespace graze::view
