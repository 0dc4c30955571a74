// Demonstration: the program of the sphere and polygon lesson. Keys move a wireframe sphere against a triangle; it is green while it touches and violet
// otherwise.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/heritage/plane_equation.hpp>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>
#include "viewer/typed.hpp"

namespace graze::view {

namespace {

constexpr Color kTouching{0, 255, 0}, kApart{255, 0, 255};  // the lesson's
constexpr float kRadius = 0.1f, kStep = 0.01f;

/// A simple polygon; a concave one, which is no `Polygon`, becomes the mesh of its triangulation.
struct Shown {
  const char *name, *title;
  std::vector<Vec3> corners;
  std::vector<Color> colors;  // of the corners
  AnyShape shape;
  std::vector<Triangle> triangles;
  std::vector<Color> triangle_colors;

  Shown(const char* name, const char* title, std::vector<Vec3> points, std::vector<Color> shades = {})
      : name(name), title(title), corners(std::move(points)), colors(std::move(shades)), shape(Point{}) {
    constexpr Color kShades[] = {kOrange, kSkyBlue, kYellow, kPurple, kVermilion, kBlue};
    for (std::size_t i = colors.size(); i < corners.size(); ++i) colors.push_back(kShades[i % std::size(kShades)]);
    std::vector<TriangleIndices> faces;
    try {
      shape = Polygon(corners);
      for (std::uint32_t i = 1; i + 1 < corners.size(); ++i) faces.push_back({0, i, i + 1});
    } catch (const Error&) {  // concave
      faces = triangulate(corners);
      shape = Mesh(MeshData{corners, faces, {}});
    }
    for (const TriangleIndices& f : faces) {
      triangles.push_back({{corners[f[0]], corners[f[1]], corners[f[2]]}});
      for (const std::uint32_t v : f) triangle_colors.push_back(colors[v]);
    }
  }
};

const std::vector<Shown>& polygons() {
  static const std::vector<Shown> list = [] {
    std::vector<Vec3> six;
    six.reserve(6);
    for (int i = 0; i < 6; ++i) six.emplace_back(std::cos(i * std::numbers::pi / 3) * 0.8, std::sin(i * std::numbers::pi / 3) * 0.8 + 0.4, 0);
    std::vector<Shown> all;
    all.emplace_back("triangle", "the lesson's triangle", std::vector<Vec3>{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                     std::vector<Color>{{255, 0, 0}, {0, 255, 0}, {0, 0, 255}});
    all.emplace_back("square", "a square", std::vector<Vec3>{{-0.8, -0.2, 0}, {0.8, -0.2, 0}, {0.8, 1.1, 0}, {-0.8, 1.1, 0}});
    all.emplace_back("pentagon", "a leaning pentagon",
                     std::vector<Vec3>{{-0.7, 0, -0.2}, {0.7, 0, -0.2}, {0.9, 0.75, 0.175}, {0, 1.25, 0.425}, {-0.9, 0.75, 0.175}});
    all.emplace_back("hexagon", "a hexagon", six);
    all.emplace_back("corners-in-a-row", "first corners in a row", std::vector<Vec3>{{-0.75, 0, 0}, {0, 0, 0}, {0.75, 0, 0}, {0.75, 1, 0}, {-0.75, 1, 0}});
    all.emplace_back("concave", "concave, an arrow", std::vector<Vec3>{{-0.75, -0.25, 0}, {0.75, -0.25, 0}, {-0.375, 0.125, 0}, {-0.75, 1.25, 0}});
    all.emplace_back("star", "concave, a star", [] {
      std::vector<Vec3> p;
      for (int i = 0; i < 10; ++i) {
        const double a = (i + 0.5) * std::numbers::pi / 5, r = i % 2 ? 0.9 : 0.35;
        p.emplace_back(r * std::cos(a), 0.5 + r * std::sin(a), 0);
      }
      return p;
    }());
    all.emplace_back("bent", "bent along a diagonal", std::vector<Vec3>{{-0.75, -0.25, 0}, {0.75, -0.25, 0}, {0.75, 1.25, 0}, {-0.75, 1.25, 0.75}});
    return all;
  }();
  return list;
}

/// The lesson's decision, triangle by triangle and step by step. Shows which step decides; only `intersects` determines the colour.
const char* telling_step(const Sphere& s, const Shown& shown, bool touch) {
  constexpr const char* kFace = "the face: the centre's foot on the plane lies in the polygon";
  bool all_aside = true;
  for (const Triangle& t : shown.triangles) {
    const auto plane = plane_of(t);
    if (!plane || classify(s, *plane).side != Side::intersects) continue;
    all_aside = false;
    if (intersects(Line{s.center, plane->normal}, t)) return kFace;  // the projection in doubles rarely lies exactly in a slanted plane
  }
  if (all_aside) return "the plane: the sphere lies wholly on one side";
  for (const Triangle& t : shown.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      if (intersects(s, Segment{t.points[i], t.points[(i + 1) % 3]})) return "an edge: it passes within the radius";
  return touch ? kFace : "the edges: none comes within the radius";
}

/// "0.5 x - 1 y + 2 = 0".
std::string equation_text(const PlaneEquation& e) {
  std::string text;
  for (const auto& [factor, name] : {std::pair{e.a, " x"}, std::pair{e.b, " y"}, std::pair{e.c, " z"}, std::pair{e.d, ""}})
    if (factor != 0) text += text.empty() ? exact_text(factor) + name : (factor < 0 ? " - " : " + ") + exact_text(std::abs(factor)) + name;
  return text + " = 0";
}

class SpherePolygon : public Demo {
 public:
  std::string name() const override { return "sphere-polygon"; }
  std::string title() const override { return "Sphere and polygon"; }
  std::string text() const override {
    return "The program of the lesson: move the sphere with the arrow keys, F3 and F4; it is green while it touches the polygon and violet while it does not. "
           "From the start, 60 times up is still green and the 61st is violet. The mouse drags the sphere, too. Other polygons may be concave or bent, and the "
           "sphere may have any radius.";
  }
  std::vector<KeyHelp> keys() const override {
    return {{"Up / Down", "sphere by 0.01 along +y / -y"},
            {"Left / Right", "sphere by 0.01 along -x / +x"},
            {"F3 / F4", "sphere by 0.01 along -z / +z"},
            {"F1 / F2", "scene by -2 / +2 degrees about y"},
            {"N", "next polygon"},
            {"+ / -", "radius by 0.01"},
            {"P", "the polygon's plane"}};
  }
  std::vector<Preset> presets() const override {
    std::vector<Preset> list;
    for (const Shown& s : polygons()) list.push_back({s.name, s.title});
    return list;
  }
  void choose_preset(std::size_t index) override {
    which_ = index;
    plane_ = true;
    angle_ = first_angle();
  }
  void reset() override {
    radius_ = kRadius;
    x_ = 0;
    y_ = 0.5f;
    z_ = 0;
    angle_ = first_angle();
  }
  bool key(Key key, char letter) override {
    switch (key) {  // sums in single precision, as in the lesson
      case Key::up:
        y_ += kStep;
        return true;
      case Key::down:
        y_ -= kStep;
        return true;
      case Key::left:
        x_ -= kStep;
        return true;
      case Key::right:
        x_ += kStep;
        return true;
      case Key::f3:
        z_ -= kStep;
        return true;
      case Key::f4:
        z_ += kStep;
        return true;
      case Key::f1:
        angle_ -= 2;
        return true;
      case Key::f2:
        angle_ += 2;
        return true;
      case Key::plus:
        radius_ += 0.01;
        return true;
      case Key::minus:
        radius_ = std::max(0.0, radius_ - 0.01);
        return true;
      default:
        break;
    }
    if (letter == 'n') return which_ = (which_ + 1) % polygons().size(), true;
    if (letter == 'p') return plane_ = !plane_, true;
    return false;
  }
  void controls() override {
    if (ImGui::BeginCombo("polygon", shown().title)) {
      for (std::size_t i = 0; i < polygons().size(); ++i)
        if (ImGui::Selectable(polygons()[i].title, i == which_)) which_ = i;
      ImGui::EndCombo();
    }
    float radius = static_cast<float>(radius_);
    if (ImGui::SliderFloat("radius", &radius, 0, 1)) radius_ = radius;
    const float width = ImGui::CalcItemWidth();
    if (double r = radius_; typed("radius, typed", r, width)) radius_ = std::max(0.0, r);
    ImGui::Checkbox("the closest point", &closest_);
    ImGui::Checkbox("the plane", &plane_);
    if (ImGui::Button("back to the start")) reset();
  }
  std::vector<Handle> handles() const override { return {{0, sphere(), Pose{}}}; }
  void drag(int, const Vec3& by) override {
    x_ += static_cast<float>(by.x);
    y_ += static_cast<float>(by.y);
    z_ += static_cast<float>(by.z);
  }
  void play(double u) override {  // up past the tip and back, rotated so that a picture shows the polygon's face
    reset();
    const int steps = static_cast<int>(std::lround(75 * (1 - std::abs(2 * u - 1))));
    for (int i = 0; i < steps; ++i) key(Key::up, 0);
    angle_ = kFaceAngle;
    if (which_ > 0) radius_ = 0.25;
  }
  double still() const override { return which_ == 0 ? 30.5 / 75 : 8.0 / 75; }  // of the lesson's triangle: 61 steps

  Picture picture() override {
    const Sphere s = sphere();
    const AnyShape& polygon = shown().shape;
    const bool touch = intersects(s, polygon);
    Picture picture;
    picture.background = kBlack;
    picture.parts.push_back({surface_of(shown().triangles, false, shown().triangle_colors), Pose{}, kWhite, 1, false, false, -1, false, false});
    if (which_ > 0)  // with the edges of the triangulation, which show where it is bent
      for (const Triangle& t : shown().triangles)
        for (std::size_t i = 0; i < 3; ++i) picture.strokes.push_back({t.points[i], t.points[(i + 1) % 3], kInk, 1.5f});
    add_wire_sphere(picture, s.center, s.radius, 15, 15, touch ? kTouching : kApart, 2.2f);
    const auto plane = plane_of(shown().corners);
    const Closest near = closest(Point{s.center}, polygon);
    if (closest_) {
      picture.strokes.push_back({s.center, near.on_b, kWhite, 2, true});
      picture.dots.push_back({near.on_b, kWhite, 8, true});
    }
    if (plane_ && plane) {
      Look look;
      look.color = kWhite;
      look.opacity = 0.35f;
      look.extent = 1.5;
      look.middle = Vec3(0, 0.5, 0);
      look.edges = false;
      add_shape(picture, *plane, Pose{}, look);
      const Vec3 foot = closest(Point{look.middle}, *plane).on_b, tip = foot + unit(plane->normal) * 0.35;
      picture.strokes.push_back({foot, tip, kYellow, 3, true});
      picture.labels.push_back({tip, "normal: front"});
      picture.legend.push_back({Color{90, 90, 90}, "plane"});
    }
    const Classification side = plane ? classify(s, *plane) : Classification{};
    constexpr const char* kSides[] = {"behind (0)", "intersects (1)", "front (2)"};
    picture.title = title() + (touch ? ": touches" : ": does not touch");
    picture.caption = {fmt::format("{}: sphere at ({}, {}, {}), radius {}{}", touch ? "TOUCHES" : "does not touch", x_, y_, z_,
                                   radius_ == static_cast<double>(kRadius) ? fmt::format("{}", kRadius) : exact_text(radius_),
                                   which_ == 0 ? " (single precision, as in the lesson)" : ""),
                       fmt::format("against the plane: {}, signed distance {}", kSides[static_cast<int>(side.side)], exact_text(side.distance)),
                       fmt::format("distance of the centre from the polygon: {}; the radius is {}", exact_text(near.distance), exact_text(s.radius)),
                       fmt::format("decided by {}", telling_step(s, shown(), touch))};
    if (plane) picture.caption.push_back(fmt::format("the plane A x + B y + C z + D = 0: {}", equation_text(equation_of(*plane))));
    picture.legend.insert(picture.legend.begin(), {{kTouching, "touches"}, {kApart, "does not touch"}});
    // the lesson's eye; the scene rotates about y instead of the eye
    const double a = -angle_ * std::numbers::pi / 180;
    picture.camera.target = turned(Vec3(0, 0.5, 0), Vec3(0, 1, 0), a);
    picture.camera.eye = turned(Vec3(-2.5, 0.5, -0.1), Vec3(0, 1, 0), a);
    picture.camera.up = Vec3(0, 1, 0);
    picture.camera.field_of_view = 45 * std::numbers::pi / 180;
    picture.focus = Box{Vec3(-1, -0.2, -1), Vec3(1, 1.3, 1)};
    return picture;
  }

 private:
  static constexpr int kFaceAngle = 56;  // shows the polygons' faces
  /// The lesson starts with its triangle seen almost edge-on.
  int first_angle() const { return which_ == 0 ? 0 : kFaceAngle; }
  const Shown& shown() const { return polygons()[which_]; }
  Sphere sphere() const { return {{x_, y_, z_}, radius_}; }
  float x_ = 0, y_ = 0.5f, z_ = 0;
  double radius_ = kRadius;
  int angle_ = 0;
  std::size_t which_ = 0;
  bool closest_ = true, plane_ = false;
};

}  // namespace

std::unique_ptr<Demo> make_sphere_polygon() { return std::make_unique<SpherePolygon>(); }

}  // namespace graze::view
