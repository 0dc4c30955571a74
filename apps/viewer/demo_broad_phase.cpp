// Demonstration: thousands of moving shapes in one scene. Shows the pairs that touch and the pairs that come near.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/scene.hpp>
#include <memory>
#include <string>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

namespace {

class BroadPhase : public Demo {
 public:
  BroadPhase() { BroadPhase::reset(); }
  std::string name() const override { return "broad-phase"; }
  std::string title() const override { return "Many shapes"; }
  std::string text() const override {
    return "Many shapes drift through a box. The scene finds all pairs that touch or come nearer than a given distance, exactly, without testing every pair.";
  }
  std::vector<KeyHelp> keys() const override { return {{"+ / -", "more / fewer shapes"}}; }
  void reset() override {
    fill();
    time_ = 0;
  }
  bool moves() const override { return true; }
  void step(double dt) override {
    time_ += dt;
    if (static_cast<int>(bodies_.size()) != count_) fill();
    const double half = half_size();
    for (Body& b : bodies_) {
      Vec3 p = b.pose.translation + b.v * dt;
      for (int k = 0; k < 3; ++k)
        if (std::abs(p[k]) > half) {
          p[k] = std::clamp(p[k], -half, half);
          b.v[k] = -b.v[k];
        }
      b.pose = turned_about(b.pose, b.pose.translation, b.axis, dt);
      b.pose.translation = p;
      scene_.move(b.id, b.pose);
    }
  }
  bool key(Key key, char) override {
    if (key == Key::plus) return count_ = std::min(4000, count_ * 5 / 4 + 1), step(0), true;
    if (key == Key::minus) return count_ = std::max(10, count_ * 4 / 5), step(0), true;
    return false;
  }
  void controls() override {
    if (ImGui::SliderInt("shapes", &count_, 10, 4000)) step(0);
    ImGui::SliderFloat("near is", &within_, 0, 0.6f);
  }
  void play(double u) override {
    reset();
    for (int i = 0; i < static_cast<int>(100 * u); ++i) step(1.0 / 25);
  }
  double still() const override { return 0.3; }
  Picture picture() override {
    PairsOptions options;
    options.within = static_cast<double>(within_);
    const std::vector<ScenePair> pairs = scene_.pairs(options);
    std::vector<char> touches(bodies_.size(), 0);
    std::size_t touching = 0;
    Picture picture;
    const MemberId first = bodies_.empty() ? 0 : bodies_[0].id;
    for (const ScenePair& p : pairs) {
      if (p.distance == 0) {
        ++touching;
        touches[p.a - first] = touches[p.b - first] = 1;
      } else {
        picture.strokes.push_back({p.on_a, p.on_b, kColorDistance, 3});
      }
    }
    constexpr Color kShades[] = {Color{196, 206, 212}, Color{206, 204, 196}, Color{190, 200, 192}};
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Body& b = bodies_[i];
      picture.parts.push_back({surfaces_[static_cast<std::size_t>(b.kind)], b.pose, touches[i] ? kColorHit : kShades[b.kind], 1, true, false, -1});
    }
    const double half = half_size() + 0.3;
    add_box_edges(picture, Box{Vec3(-half), Vec3(half)}, Pose{}, kInk, 1.5f);
    picture.title = fmt::format("Many shapes: {} pairs touch", touching);
    const double all = static_cast<double>(bodies_.size()) * (static_cast<double>(bodies_.size()) - 1) / 2;
    picture.caption = {
        fmt::format("{} shapes, {:.0f} pairs: {} touch, {} more are nearer than {:.2f}", bodies_.size(), all, touching, pairs.size() - touching, within_)};
    picture.legend = {{kColorHit, "touches another"}, {kColorDistance, "near: the shortest line"}};
    picture.focus = Box{Vec3(-half), Vec3(half)};
    picture.camera = fit(*picture.focus, Vec3(0.45, -1, 0.45), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  struct Body {
    MemberId id;
    int kind;
    Pose pose;
    Vec3 v, axis;
  };
  double half_size() const { return 1.05 * std::cbrt(static_cast<double>(count_)) * 0.5; }
  void fill() {
    std::uint64_t state = 7;
    const auto random = [&] {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return static_cast<double>(state >> 40) / static_cast<double>(1 << 23) - 1;
    };
    const AnyShape shapes[] = {Box{Vec3(-0.22, -0.16, -0.12), Vec3(0.22, 0.16, 0.12)}, Capsule{{0, 0, -0.2}, {0, 0, 0.2}, 0.12},
                               Hull{{-0.2, -0.2, -0.15}, {0.25, -0.1, -0.15}, {0, 0.25, -0.15}, {0, 0, 0.25}}};
    surfaces_.clear();
    for (const AnyShape& s : shapes) {
      Picture one;
      add_shape(one, s, Pose{}, {});
      surfaces_.push_back(one.parts[0].surface);
    }
    scene_ = Scene();
    bodies_.clear();
    const double half = half_size();
    for (int i = 0; i < count_; ++i) {
      Body b;
      b.kind = i % 3;
      b.pose = translation(random_vector(random) * half);
      b.axis = unit(random_vector(random));
      b.pose = turned_about(b.pose, b.pose.translation, b.axis, 3 * random());
      b.v = random_vector(random) * 0.5;
      b.id = scene_.add(shapes[b.kind], b.pose);
      bodies_.push_back(b);
    }
  }
  Scene scene_;
  std::vector<Body> bodies_;
  std::vector<SurfacePtr> surfaces_;
  int count_ = 700;
  float within_ = 0.15f;
  double time_ = 0;
};

}  // namespace

std::unique_ptr<Demo> make_broad_phase() { return std::make_unique<BroadPhase>(); }

}  // namespace graze::view
