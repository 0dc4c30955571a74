// Demonstration: unit normals of triangles, flipped towards a viewpoint, whichever side of the triangle the light or the eye is on.
#include <fmt/format.h>
#include <imgui.h>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "viewer/typed.hpp"

namespace graze::view {

namespace {

constexpr Color kFront = kSkyBlue, kBack = kOrange;

class Normals : public Demo {
 public:
  Normals() {
    const Mesh ground = terrain_mesh(4, 10);
    for (std::uint32_t i = 0; i < ground.size(); ++i) {
      Triangle t = triangle_of(ground, i);
      for (Vec3& p : t.points) p.z *= 2;
      triangles_.push_back(t);
    }
    Normals::reset();
  }
  std::string name() const override { return "normals"; }
  std::string title() const override { return "Normals"; }
  std::string text() const override {
    return "The unit normal of each triangle, turned towards the viewpoint (the black ball). Drag the ball or use the arrow keys: where it crosses the plane "
           "of a triangle, that triangle's normal flips, exactly then.";
  }
  std::vector<KeyHelp> keys() const override { return {{"Arrow keys", "viewpoint by 0.05 along x and z"}, {"F3 / F4", "viewpoint by 0.05 along -y / +y"}}; }
  void reset() override { eye_ = Vec3(-0.3, -0.4, 0.5); }
  bool key(Key key, char) override {
    switch (key) {
      case Key::left:
        eye_.x -= 0.05;
        return true;
      case Key::right:
        eye_.x += 0.05;
        return true;
      case Key::up:
        eye_.z += 0.05;
        return true;
      case Key::down:
        eye_.z -= 0.05;
        return true;
      case Key::f3:
        eye_.y -= 0.05;
        return true;
      case Key::f4:
        eye_.y += 0.05;
        return true;
      default:
        return false;
    }
  }
  void controls() override {
    (void)typed("viewpoint", eye_);
    if (ImGui::Button("back to the start")) reset();
  }
  std::vector<Handle> handles() const override { return {{0, Sphere{eye_, 0.1}, Pose{}}}; }
  void drag(int, const Vec3& by) override { eye_ += by; }
  void play(double u) override { eye_ = Vec3(-0.3, -0.4, 1.4 * std::cos(6.283185307179586 * u)); }
  double still() const override { return 0.2; }
  Picture picture() override {
    Picture picture;
    std::size_t front = 0;
    std::vector<Triangle> sides[2];
    for (const Triangle& t : triangles_) {
      const auto normal = unit_normal(t, eye_);
      if (!normal) continue;
      const bool is_front = dot(*normal, plane_of(t)->normal) > 0;
      front += is_front;
      sides[is_front ? 0 : 1].push_back(t);
      const Vec3 middle = (t.points[0] + t.points[1] + t.points[2]) * (1.0 / 3);
      picture.strokes.push_back({middle, middle + *normal * 0.22, is_front ? kFrameA : kFrameB, 2.5f});
    }
    for (int i = 0; i < 2; ++i)
      if (!sides[i].empty()) picture.parts.push_back({surface_of(sides[i]), Pose{}, i == 0 ? kFront : kBack});
    Look look;
    look.color = kBlack;
    look.edges = false;
    look.id = 0;
    add_shape(picture, Sphere{eye_, 0.07}, Pose{}, look);
    picture.parts.back().through = true;
    picture.labels.push_back({eye_ + Vec3(0, 0, 0.1), "viewpoint"});
    picture.title = fmt::format("Normals: {} of {} triangles face the viewpoint", front, triangles_.size());
    picture.caption = {fmt::format("viewpoint {}", exact_text(eye_)),
                       fmt::format("{} normals follow the counter-clockwise order of the corners; {} are reversed", front, triangles_.size() - front)};
    picture.legend = {{kFront, "front: counter-clockwise from the viewpoint"}, {kBack, "back: clockwise, normal reversed"}};
    picture.focus = Box{Vec3(-2, -1.9, -0.6), Vec3(2, 1.9, 0.7)};
    picture.camera = fit(*picture.focus, Vec3(0.35, -1, 0.9), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  std::vector<Triangle> triangles_;
  Vec3 eye_{0, 0, 0};
};

}  // namespace

std::unique_ptr<Demo> make_normals() { return std::make_unique<Normals>(); }

}  // namespace graze::view
