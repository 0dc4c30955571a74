// The program of the lesson: a wireframe sphere is moved by keys against a triangle; green while it touches, violet while it does not.
#include <fmt/format.h>
#include <imgui.h>
#include <cmath>
#include <numbers>
#include "viewer/demo.hpp"

namespace graze::view {

namespace {

constexpr Color kTouching{0, 255, 0}, kApart{255, 0, 255};  // the lesson's
constexpr float kRadius = 0.1f, kStep = 0.01f;

struct Shown {
  const char* name;
  Polygon polygon;
  std::vector<Color> corners;
};

std::vector<Shown> polygons() {
  std::vector<Vec3> six;
  for (int i = 0; i < 6; ++i) six.emplace_back(std::cos(i * std::numbers::pi / 3) * 0.8, std::sin(i * std::numbers::pi / 3) * 0.8 + 0.4, 0);
  return {{"the lesson's triangle", Polygon{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}}},
          {"a square", Polygon{{-0.8, -0.2, 0}, {0.8, -0.2, 0}, {0.8, 1.1, 0}, {-0.8, 1.1, 0}}, {kOrange, kSkyBlue, kYellow, kPurple}},
          {"a leaning pentagon", Polygon{{-0.7, 0, -0.2}, {0.7, 0, -0.2}, {0.9, 0.75, 0.175}, {0, 1.25, 0.425}, {-0.9, 0.75, 0.175}}, {kOrange, kSkyBlue, kYellow, kPurple, kVermilion}},
          {"a hexagon", Polygon(six), {kOrange, kSkyBlue, kYellow, kPurple, kVermilion, kBlue}}};
}

/// How the lesson decides, step by step; here to say which of its steps is the telling one. The colour comes from `intersects` alone.
const char* telling_step(const Sphere& s, const Polygon& polygon) {
  const auto p = polygon.points();
  const auto plane = plane_of(Triangle{{p[0], p[1], p[2]}});
  if (!plane) return "the polygon has no plane";
  if (classify(s, *plane).side != Side::intersects) return "the plane: the sphere lies wholly on one side";
  if (intersects(Point{closest(Point{s.center}, *plane).on_b}, polygon)) return "the face: the centre's foot on the plane lies in the polygon";
  for (std::size_t i = 0; i < p.size(); ++i)
    if (intersects(s, Segment{p[i], p[(i + 1) % p.size()]})) return "an edge: it passes within the radius";
  return "the edges: none comes within the radius";
}

class SpherePolygon : public Demo {
 public:
  std::string name() const override { return "sphere-polygon"; }
  std::string title() const override { return "Sphere and polygon"; }
  std::string text() const override {
    return "The program of the lesson: move the sphere with the arrow keys, F3 and F4; it is green while it touches the polygon and violet while it does not. "
           "From the start, 60 times up is still green and the 61st is violet. The mouse drags the sphere, too.";
  }
  std::vector<KeyHelp> keys() const override {
    return {{"Up / Down", "sphere by 0.01 along +y / -y"}, {"Left / Right", "sphere by 0.01 along -x / +x"}, {"F3 / F4", "sphere by 0.01 along -z / +z"},
            {"F1 / F2", "scene by -2 / +2 degrees about y"}, {"N", "next polygon"}};
  }
  void reset() override {
    x_ = 0;
    y_ = 0.5f;
    z_ = 0;
    angle_ = 0;
  }
  bool key(Key key, char letter) override {
    switch (key) {  // sums in single precision, as there
      case Key::up: y_ += kStep; return true;
      case Key::down: y_ -= kStep; return true;
      case Key::left: x_ -= kStep; return true;
      case Key::right: x_ += kStep; return true;
      case Key::f3: z_ -= kStep; return true;
      case Key::f4: z_ += kStep; return true;
      case Key::f1: angle_ -= 2; return true;
      case Key::f2: angle_ += 2; return true;
      default: break;
    }
    if (letter == 'n') {
      which_ = (which_ + 1) % static_cast<int>(all_.size());
      return true;
    }
    return false;
  }
  void controls() override {
    if (ImGui::BeginCombo("polygon", all_[static_cast<std::size_t>(which_)].name)) {
      for (int i = 0; i < static_cast<int>(all_.size()); ++i)
        if (ImGui::Selectable(all_[static_cast<std::size_t>(i)].name, i == which_)) which_ = i;
      ImGui::EndCombo();
    }
    ImGui::Checkbox("the closest point", &closest_);
    if (ImGui::Button("back to the start")) reset();
  }
  std::vector<Handle> handles() const override { return {{0, sphere(), Pose{}}}; }
  void drag(int, const Vec3& by) override {
    x_ += static_cast<float>(by.x);
    y_ += static_cast<float>(by.y);
    z_ += static_cast<float>(by.z);
  }
  void play(double u) override {  // up over the tip and back, turned so that a picture shows the polygon's face
    reset();
    const int steps = static_cast<int>(std::lround(75 * (1 - std::abs(2 * u - 1))));
    for (int i = 0; i < steps; ++i) key(Key::up, 0);
    angle_ = 56;
  }
  double still() const override { return 30.5 / 75; }  // 61 steps

  Picture picture() override {
    const Shown& shown = all_[static_cast<std::size_t>(which_)];
    const Sphere s = sphere();
    const bool touch = intersects(s, shown.polygon);
    const auto p = shown.polygon.points();
    Picture picture;
    picture.background = kBlack;
    std::vector<Triangle> fan;
    std::vector<Color> colors;
    for (std::size_t i = 1; i + 1 < p.size(); ++i) {
      fan.push_back({{p[0], p[i], p[i + 1]}});
      colors.insert(colors.end(), {shown.corners[0], shown.corners[i], shown.corners[i + 1]});
    }
    picture.parts.push_back({surface_of(fan, false, colors), Pose{}, kWhite, 1, false, false, -1, false, false});
    add_wire_sphere(picture, s.center, s.radius, 15, 15, touch ? kTouching : kApart, 2.2f);
    const auto plane = plane_of(Triangle{{p[0], p[1], p[2]}});
    const Closest near = closest(Point{s.center}, shown.polygon);
    if (closest_) {
      picture.strokes.push_back({s.center, near.on_b, kWhite, 2, true});
      picture.dots.push_back({near.on_b, kWhite, 8, true});
    }
    const Classification side = plane ? classify(s, *plane) : Classification{};
    constexpr const char* kSides[] = {"behind (0)", "intersects (1)", "front (2)"};
    picture.title = title() + (touch ? ": touches" : ": does not touch");
    picture.caption = {fmt::format("{}: sphere at ({}, {}, {}), radius {} (single precision, as in the lesson)", touch ? "TOUCHES" : "does not touch", x_, y_, z_, kRadius),
                       fmt::format("against the plane: {}, signed distance {}", kSides[static_cast<int>(side.side)], exact_text(side.distance)),
                       fmt::format("distance of the centre from the polygon: {}; the radius is {}", exact_text(near.distance), exact_text(s.radius)),
                       fmt::format("decided by {}", telling_step(s, shown.polygon))};
    picture.legend = {{kTouching, "touches"}, {kApart, "does not touch"}};
    // the lesson's eye; the scene is turned about y instead of the eye
    const double a = -angle_ * std::numbers::pi / 180;
    picture.camera.target = turned(Vec3(0, 0.5, 0), Vec3(0, 1, 0), a);
    picture.camera.eye = turned(Vec3(-2.5, 0.5, -0.1), Vec3(0, 1, 0), a);
    picture.camera.up = Vec3(0, 1, 0);
    picture.camera.field_of_view = 45 * std::numbers::pi / 180;
    picture.focus = Box{Vec3(-1, -0.2, -1), Vec3(1, 1.3, 1)};
    return picture;
  }

 private:
  Sphere sphere() const { return {{x_, y_, z_}, kRadius}; }
  float x_ = 0, y_ = 0.5f, z_ = 0;
  int angle_ = 0;
  int which_ = 0;
  bool closest_ = true;
  std::vector<Shown> all_ = polygons();
};

}  // namespace

std::unique_ptr<Demo> make_sphere_polygon() { return std::make_unique<SpherePolygon>(); }

}  // namespace graze::view
