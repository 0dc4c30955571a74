// Demonstration: a fan of rays against a mesh, and thousands of boxes and cylinders against a view frustum.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

namespace {

class Rays : public Demo {
 public:
  Rays() : rock_(rock_mesh(0.9, 4, 2)), ring_(torus_mesh(1.5, 0.16, 80, 16)) { Rays::reset(); }
  std::string name() const override { return "rays"; }
  std::string title() const override { return "Rays"; }
  std::string text() const override {
    return "A fan of rays from a point that can be dragged: the first hits, exactly, with their normals; no ray slips through an edge.";
  }
  std::vector<KeyHelp> keys() const override { return {{"Arrow keys", "the source by 0.05 along x and z"}, {"+ / -", "more / fewer rays"}}; }
  void reset() override { from_ = Vec3(-2.4, -1.2, 0.9); }
  bool key(Key key, char) override {
    switch (key) {
      case Key::left:
        from_.x -= 0.05;
        return true;
      case Key::right:
        from_.x += 0.05;
        return true;
      case Key::up:
        from_.z += 0.05;
        return true;
      case Key::down:
        from_.z -= 0.05;
        return true;
      case Key::plus:
        count_ = std::min(41, count_ + 2);
        return true;
      case Key::minus:
        count_ = std::max(3, count_ - 2);
        return true;
      default:
        return false;
    }
  }
  void controls() override {
    ImGui::SliderInt("rays a side", &count_, 3, 41);
    ImGui::SliderFloat("width of the fan", &wide_, 0.1f, 1.5f);
    ImGui::Checkbox("normals", &normals_);
  }
  std::vector<Handle> handles() const override { return {{0, Sphere{from_, 0.12}, Pose{}}}; }
  void drag(int, const Vec3& by) override { from_ += by; }
  void play(double u) override {
    const double a = 2 * std::numbers::pi * u;
    from_ = Vec3(-2.7 * std::cos(a) + 0.1, -2.2 * std::sin(a) - 0.2, 0.9);
  }
  double still() const override { return 0.08; }
  Picture picture() override {
    Picture picture;
    picture.parts.push_back({surface_of(rock_), Pose{}, kStone});
    picture.parts.push_back({surface_of(ring_), Pose{}, kSkyBlue});
    const Vec3 ahead = unit(Vec3(0, 0, 0) - from_), side = unit(cross(ahead, Vec3(0, 0, 1))), up = cross(side, ahead);
    std::vector<Ray> rays;
    for (int i = 0; i < count_; ++i)
      for (int j = 0; j < count_; ++j) {
        const double s = wide_ * (2.0 * i / (count_ - 1) - 1), t = wide_ * (2.0 * j / (count_ - 1) - 1) * 0.6;
        rays.push_back({from_, ahead + side * s + up * t});
      }
    const auto rock = raycast({rays}, rock_), ring = raycast({rays}, ring_);
    int hits = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const bool first_ring = ring[i] && (!rock[i] || ring[i]->t < rock[i]->t);
      const auto& hit = first_ring ? ring[i] : rock[i];
      if (!hit) {
        picture.strokes.push_back({from_, from_ + rays[i].direction * 4.2, Color{190, 190, 185}, 1});
        continue;
      }
      ++hits;
      picture.strokes.push_back({from_, hit->point, kBlue, 1.5f});
      picture.dots.push_back({hit->point, kColorHit, 7});
      if (normals_ && hit->normal) picture.strokes.push_back({hit->point, hit->point + *hit->normal * 0.16, kColorHit, 2});
    }
    picture.dots.push_back({from_, kBlack, 14});
    picture.title = "Rays: first hits and normals";
    picture.caption = {fmt::format("{} rays, {} hit", rays.size(), hits), fmt::format("from {}", short_text(from_))};
    picture.legend = {{kBlue, "ray up to its first hit"}, {kColorHit, "hit and normal"}, {Color{190, 190, 185}, "ray that misses"}};
    picture.focus = Box{Vec3(-2.2, -1.8, -1), Vec3(1.8, 1.8, 1.1)};
    picture.camera = fit(*picture.focus, Vec3(-0.15, -1, 0.62), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  Mesh rock_, ring_;
  Vec3 from_{0, 0, 0};
  int count_ = 13;
  float wide_ = 0.62f;
  bool normals_ = true;
};

class FrustumBoxes : public Demo {
 public:
  std::string name() const override { return "frustum"; }
  std::string title() const override { return "A view frustum among boxes and cylinders"; }
  std::string text() const override {
    return "Which boxes and cylinders does a camera see? Outside, crossing or wholly inside the frustum, each decided exactly.";
  }
  std::vector<KeyHelp> keys() const override { return {{"Left / Right", "turns the frustum"}}; }
  void reset() override { angle_ = 0.4; }
  bool moves() const override { return true; }
  void step(double dt) override { angle_ += 0.3 * dt; }
  bool key(Key key, char) override {
    if (key == Key::left) return angle_ += 0.05, true;
    if (key == Key::right) return angle_ -= 0.05, true;
    return false;
  }
  void controls() override {
    ImGui::SliderInt("shapes a side", &side_, 4, 60);
    ImGui::SliderFloat("half height", &tan_, 0.05f, 1);
  }
  void play(double u) override { angle_ = 2 * std::numbers::pi * u; }
  double still() const override { return 0.07; }
  Picture picture() override {
    for (int kind = 0; kind < 2; ++kind)
      if (!surfaces_[kind]) {
        Picture one;
        add_shape(one, kind == 0 ? AnyShape(cube(Vec3(0, 0, 0))) : AnyShape(cylinder(Vec3(0, 0, 0), 0)), Pose{}, {});
        surfaces_[kind] = one.parts[0].surface;
      }
    Picture picture;
    const Vec3 eye(0, 0, 0.6), ahead(std::cos(angle_), std::sin(angle_), -0.02);
    const double reach = side_ * 0.42;
    const Frustum view = Frustum::perspective(eye, eye + ahead, Vec3(0, 0, 1), tan_, 1.5, 0.6, reach);
    int counts[2][3] = {};  // boxes, cylinders
    constexpr Color kColors[] = {Color{205, 205, 200}, kOrange, kBlue};
    for (int i = 0; i < side_; ++i)
      for (int j = 0; j < side_; ++j) {
        const Vec3 c(i - (side_ - 1) / 2.0, j - (side_ - 1) / 2.0, 0.5 + 0.45 * std::sin(i * 0.7) * std::cos(j * 0.9));
        const int kind = (i + j) % 2, lean = kind == 1 ? i % 3 : 0;
        const auto which = static_cast<int>(kind == 0 ? classify(cube(c), view) : classify(cylinder(c, lean), view));
        ++counts[kind][which];
        Pose pose = translation(c);
        if (lean > 0) pose = turned_about(pose, c, lean == 1 ? Vec3(0, 1, 0) : Vec3(-1, 0, 0), std::numbers::pi / 2);
        picture.parts.push_back({surfaces_[kind], pose, kColors[which], 1, true, false, -1});
      }
    const auto p = view.points();
    for (int i = 0; i < 4; ++i)
      for (const auto& [a, b] : {std::pair{i, (i + 1) % 4}, std::pair{4 + i, 4 + (i + 1) % 4}, std::pair{i, 4 + i}})
        picture.strokes.push_back({p[static_cast<std::size_t>(a)], p[static_cast<std::size_t>(b)], kBlack, 2.5f, true});
    Look look;
    look.color = kSkyBlue;
    look.opacity = 0.16f;
    add_shape(picture, view, Pose{}, look);
    picture.title = title();
    for (int kind = 0; kind < 2; ++kind) {
      const int* n = counts[kind];
      picture.caption.push_back(
          fmt::format("{} {}: {} inside, {} crossing, {} outside", n[0] + n[1] + n[2], kind == 0 ? "boxes" : "cylinders", n[2], n[1], n[0]));
    }
    picture.legend = {{kColors[2], "inside"}, {kColors[1], "crossing"}, {kColors[0], "outside"}};
    picture.focus = Box{Vec3(-side_ / 2.0, -side_ / 2.0, 0), Vec3(side_ / 2.0, side_ / 2.0, 1)};
    picture.camera = fit(*picture.focus, Vec3(0.1, -1, 0.85), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  static Box cube(const Vec3& c) { return {c - Vec3(0.28), c + Vec3(0.28)}; }
  /// Upright, or along x or y.
  static Cylinder cylinder(const Vec3& c, int lean) {
    const Vec3 half = lean == 1 ? Vec3(0.35, 0, 0) : lean == 2 ? Vec3(0, 0.35, 0) : Vec3(0, 0, 0.35);
    return {c - half, c + half, 0.22};
  }

  double angle_ = 0.4;
  int side_ = 32;
  float tan_ = 0.35f;
  SurfacePtr surfaces_[2];
};

}  // namespace

std::unique_ptr<Demo> make_rays() { return std::make_unique<Rays>(); }
std::unique_ptr<Demo> make_frustum() { return std::make_unique<FrustumBoxes>(); }

}  // namespace graze::view
