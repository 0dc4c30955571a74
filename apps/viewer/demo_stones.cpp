// Demonstration: bodies fall on a rock and bounce off. Bodies that are too slow or have fallen too far start again. The camera can ride on a body.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/io.hpp>
#include <graze/world.hpp>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>
#include "scene_file/scene_file.hpp"
#include "viewer/demo.hpp"
#include "viewer/replay.hpp"

namespace graze::view {

namespace {

class Stones : public Demo {
 public:
  Stones() : rock_(load_mesh(scene_file::example_file("rock.obj"))), polygon_(std::make_shared<const AnyShape>(pentagon())) { Stones::reset(); }
  std::string name() const override { return "stones"; }
  std::string title() const override { return "Stones on a rock"; }
  std::string text() const override {
    return "Point masses, each drawn as a polygon, fall on a rock from a file (scenes/rock.obj), bounce off and fly down; one that becomes too slow or has "
           "fallen far starts again where it started. No stone ever gets through the rock: each path is an exact sweep.";
  }
  std::vector<KeyHelp> keys() const override {
    return {{"R", "ride on a stone, leave it"}, {"N", "another stone to ride on"}, {"+ / -", "more / fewer stones"}};
  }
  void reset() override {
    made_ = {count_, gravity_, restitution_, friction_};
    WorldOptions options;
    options.gravity = Vec3(0, 0, -static_cast<double>(gravity_));
    world_ = World(options);
    const Material material{static_cast<double>(restitution_), static_cast<double>(friction_), 1};
    world_.add_fixed(rock_, Pose{}, material);
    Emitter emitter;
    emitter.origin = Vec3(0, 0, 2.8);
    emitter.spread = Vec3(0.9, 0.9, 0.6);
    emitter.velocity_spread = Vec3(0.5, 0.5, 0);
    emitter.slow = 0.1;
    emitter.floor = -2.6;
    emitter.own_origin = true;
    BodyOptions body;
    body.material = material;
    first_ = world_.add_emitter(Point{{0, 0, 0}}, static_cast<std::size_t>(count_), emitter, body);
    marks_.clear();
    bounces_ = respawns_ = 0;
    for (int i = 0; i < 60; ++i) advance(1.0 / 60);
  }
  bool moves() const override { return true; }
  void step(double dt) override {
    if (made_ != Settings{count_, gravity_, restitution_, friction_}) reset();
    advance(dt);
  }
  bool key(Key key, char letter) override {
    if (letter == 'r') return ride_ = !ride_, true;
    if (letter == 'n') return ++ridden_, true;
    if (key == Key::plus) return count_ = std::min(2000, count_ * 5 / 4 + 1), true;
    if (key == Key::minus) return count_ = std::max(1, count_ * 4 / 5), true;
    return false;
  }
  void controls() override {
    ImGui::SliderInt("stones", &count_, 1, 2000);
    ImGui::SliderFloat("gravity", &gravity_, 0, 20);
    ImGui::SliderFloat("restitution", &restitution_, 0, 1);
    ImGui::SliderFloat("friction", &friction_, 0, 1);
    ImGui::Checkbox("ride on a stone", &ride_);
  }
  void play(double u) override {
    if (u <= last_u_) {
      reset();
      last_u_ = 0;
    }
    for (; last_u_ + 1e-9 < u; last_u_ += 1.0 / 150) step(1.0 / 50);
  }
  double still() const override { return 0.5; }
  std::optional<Page> replay() override {
    reset();
    ReplayRecorder recorder(world_, "Stones on a rock", 1.0 / 60, Axis::z, std::vector<std::shared_ptr<const AnyShape>>(world_.bodies(), polygon_));
    for (int i = 0; i < 300; ++i) {
      world_.step(1.0 / 60);
      recorder.frame(world_);
    }
    return recorder.page();
  }

  Picture picture() override {
    Picture picture;
    picture.parts.push_back({surface_of(rock_), Pose{}, kStone});
    if (!shape_) {
      Picture one;
      add_shape(one, *polygon_, Pose{}, {});
      shape_ = one.parts[0].surface;
    }
    constexpr Color kColors[] = {kSkyBlue, kOrange, kGreen, kPurple, kBlue, kYellow};
    for (std::size_t i = 0; i < world_.bodies(); ++i) {
      const BodyId id = first_ + static_cast<BodyId>(i);
      picture.parts.push_back({shape_, polygon_pose(id, world_.position(id), world_.time()), kColors[i % std::size(kColors)]});
    }
    for (const Mark& h : marks_) picture.strokes.push_back({h.at, h.at + h.normal * (0.2 * (1 - h.age / 0.6)), kColorHit, 3});
    picture.title = "Stones on a rock";
    picture.caption = {fmt::format("{} stones after {:.2f} s: {} bounces, {} started again", world_.bodies(), world_.time(), bounces_, respawns_)};
    picture.legend = {{kColorHit, "bounce and its normal"}};
    picture.focus = Box{Vec3(-1.7, -1.7, -1.9), Vec3(1.7, 1.7, 2.3)};
    picture.camera = fit(*picture.focus, Vec3(0.3, -1, 0.35), Vec3(0, 0, 1), 1.6);
    if (const auto riding = ride()) {
      picture.camera = riding->camera;
      picture.caption.push_back(fmt::format("riding on stone {}: speed {:.2f}", ridden_ % world_.bodies(), length(world_.velocity(ridden()))));
    }
    return picture;
  }
  std::optional<Ride> ride() const override {
    if (!ride_ || world_.bodies() == 0) return {};
    const Vec3 p = world_.position(ridden()), eye = eye_behind(world_.fixed(), p, p - smooth_ * 0.5 + Vec3(0, 0, 0.22), 0.02);
    return Ride{world_.fixed(), p, Camera{eye, eye + smooth_ * 1.1 - Vec3(0, 0, 0.32), Vec3(0, 0, 1), 1.0, 0}};
  }

 private:
  struct Mark {
    Vec3 at, normal;
    double age;
  };
  struct Settings {
    int count;
    float gravity, restitution, friction;
    bool operator==(const Settings&) const = default;
  };
  BodyId ridden() const { return first_ + static_cast<BodyId>(ridden_ % world_.bodies()); }
  void advance(double dt) {
    for (Mark& h : marks_) h.age += dt;
    std::erase_if(marks_, [](const Mark& h) { return h.age > 0.6; });
    world_.step(dt);
    bounces_ += world_.impacts().size();
    respawns_ += world_.respawns().size();
    for (const ImpactEvent& e : world_.impacts())
      if (marks_.size() < 400) marks_.push_back({e.point, e.normal, 0});
    if (world_.bodies() > 0) {  // during a ride the eye turns slowly towards the rock
      const Vec3 p = world_.position(ridden());
      smooth_ = unit(smooth_ * 0.93 + unit(Vec3(-p.x, -p.y, 0) + Vec3(1e-9, 0, 0)) * 0.07);
    }
  }
  static Polygon pentagon() {
    std::vector<Vec3> five;
    five.reserve(5);
    for (int i = 0; i < 5; ++i) five.emplace_back(0.055 * std::cos(i * 1.2566), 0.055 * std::sin(i * 1.2566), 0);
    return Polygon(five);
  }
  Mesh rock_;
  std::shared_ptr<const AnyShape> polygon_;  // attached to every point
  SurfacePtr shape_;
  World world_;
  BodyId first_ = 0;
  std::vector<Mark> marks_;
  std::uint64_t bounces_ = 0, respawns_ = 0;
  std::size_t ridden_ = 0;
  int count_ = 160;
  float gravity_ = 9.81f, restitution_ = 0.65f, friction_ = 0.15f;
  Settings made_{};
  bool ride_ = false;
  double last_u_ = 1;
  Vec3 smooth_{0, 1, 0};
};

}  // namespace

std::unique_ptr<Demo> make_stones() { return std::make_unique<Stones>(); }

}  // namespace graze::view
