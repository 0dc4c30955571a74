// Demonstration: a shape moved along a straight path to its exact first contact.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <graze/sweep.hpp>
#include <memory>
#include <numbers>
#include <string>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

namespace {

struct Mover {
  const char* name;
  AnyShape shape;
};
const std::vector<Mover>& movers() {
  static const std::vector<Mover> list = {{"capsule", Capsule{{-0.25, 0, -0.1}, {0.25, 0, 0.1}, 0.18}},
                                          {"sphere", Sphere{{0, 0, 0}, 0.3}},
                                          {"point", Point{{0, 0, 0}}},
                                          {"box", Box{{-0.25, -0.2, -0.2}, {0.25, 0.2, 0.2}}},
                                          {"convex hull", Hull{{-0.3, -0.25, -0.2}, {0.3, -0.2, -0.2}, {0, 0.35, -0.2}, {0, 0, 0.35}}},
                                          {"cylinder", Cylinder{{0, 0, -0.3}, {0, 0, 0.3}, 0.2}},
                                          {"mesh", torus_mesh(0.28, 0.1, 24, 12)}};
  return list;
}

class Sweeps : public Demo {
 public:
  Sweeps() : rock_(rock_mesh(0.8, 4, 7)), ring_(torus_mesh(1.25, 0.14, 72, 16)) { Sweeps::reset(); }
  std::string name() const override { return "sweeps"; }
  std::string title() const override { return "Sweeps"; }
  std::string text() const override {
    return "A shape moves along a straight path. The first contact is exact: up to that time there is none, at the next double there is. Drag the start or the "
           "end.";
  }
  std::vector<KeyHelp> keys() const override { return {{"Arrow keys", "the start by 0.05 along x and z"}, {"N", "another shape"}}; }
  void reset() override {
    start_ = Vec3(-2.1, -0.5, 0.75);
    end_ = Vec3(2.1, 0.35, -0.25);
  }
  bool key(Key key, char letter) override {
    switch (key) {
      case Key::left:
        start_.x -= 0.05;
        return true;
      case Key::right:
        start_.x += 0.05;
        return true;
      case Key::up:
        start_.z += 0.05;
        return true;
      case Key::down:
        start_.z -= 0.05;
        return true;
      default:
        break;
    }
    if (letter == 'n') return which_ = (which_ + 1) % static_cast<int>(movers().size()), true;
    return false;
  }
  void controls() override {
    if (ImGui::BeginCombo("shape", mover().name)) {
      for (int i = 0; i < static_cast<int>(movers().size()); ++i)
        if (ImGui::Selectable(movers()[static_cast<std::size_t>(i)].name, i == which_)) which_ = i;
      ImGui::EndCombo();
    }
    if (ImGui::Button("reset placement")) reset();
  }
  std::vector<Handle> handles() const override { return {{0, grip(), translation(start_)}, {1, grip(), translation(end_)}}; }
  void drag(int id, const Vec3& by) override { (id == 0 ? start_ : end_) += by; }
  void play(double u) override {
    reset();
    const double a = 2 * std::numbers::pi * u;
    start_ = Vec3(-2.1, -0.5 * std::cos(a), 0.75 * std::cos(a) + 0.2 * std::sin(a));
  }
  double still() const override { return 0; }
  Picture picture() override {
    Picture picture;
    picture.parts.push_back({surface_of(rock_), Pose{}, kStone});
    picture.parts.push_back({surface_of(ring_), Pose{}, kSkyBlue});
    const Vec3 motion = end_ - start_;
    const Placed body = at(mover().shape, translation(start_));
    const auto rock = sweep(body, motion, rock_), ring = sweep(body, motion, ring_);
    const bool ring_first = ring && (!rock || ring->t < rock->t);
    const auto& hit = ring_first ? ring : rock;
    Look look;
    look.color = kGreen;
    add_shape(picture, mover().shape, translation(start_), look);
    look.opacity = 0.25f;
    add_shape(picture, mover().shape, translation(end_), look);
    picture.strokes.push_back({start_, hit ? start_ + motion * hit->t : end_, kGreen, 3});
    if (hit) {
      look.opacity = 1;
      look.color = kOrange;
      add_shape(picture, mover().shape, hit->moved ? hit->safe : translation(start_), look);
      picture.dots.push_back({hit->point, kColorHit, 12, true});
      if (hit->normal) picture.strokes.push_back({hit->point, hit->point + *hit->normal * 0.45, kColorHit, 4, true});
      for (int i = 0; i < 24; i += 2)  // the rest of the path, beyond the contact
        picture.strokes.push_back({start_ + motion * (hit->t + (1 - hit->t) * i / 24), start_ + motion * (hit->t + (1 - hit->t) * (i + 1) / 24), kGreen, 1.5f});
      picture.title = fmt::format("A {} meets the {}", mover().name, ring_first ? "ring" : "rock");
      picture.caption = {fmt::format("first contact at t = {} of the path{}", exact_text(hit->t), hit->started_inside ? " (it begins in contact)" : ""),
                         fmt::format("at {}{}", short_text(hit->point), hit->triangle_b ? fmt::format(", triangle {}", *hit->triangle_b) : "")};
    } else {
      picture.title = fmt::format("A {} meets nothing", mover().name);
      picture.caption = {"no contact on the whole path"};
    }
    picture.legend = {{kGreen, "start and intended end"}, {kOrange, "where it stops"}, {kColorHit, "first contact and normal"}};
    picture.focus = Box{Vec3(-2.1, -1.3, -0.9), Vec3(2.1, 1.3, 1)};
    picture.camera = fit(*picture.focus, Vec3(0.05, -1, 0.55), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  const Mover& mover() const { return movers()[static_cast<std::size_t>(which_)]; }
  AnyShape grip() const { return mover().shape.get<Point>() ? AnyShape(Sphere{{0, 0, 0}, 0.1}) : mover().shape; }
  Mesh rock_, ring_;
  Vec3 start_{0, 0, 0}, end_{1, 0, 0};
  int which_ = 0;
};

}  // namespace

std::unique_ptr<Demo> make_sweeps() { return std::make_unique<Sweeps>(); }

}  // namespace graze::view
