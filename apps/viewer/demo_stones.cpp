// Bodies fall on a rock, bounce off and fly down; who is too slow or has fallen deep starts again. One can ride on a stone.
#include <fmt/format.h>
#include <imgui.h>
#include <cmath>
#include <numbers>
#include "viewer/motion.hpp"

namespace graze::view {

namespace {

struct Stone {
  Vec3 p{0, 0, 0}, v{0, 0, 0};
  double spin = 0;   // of the polygon that is drawn; the point that is decided about has no orientation
  Vec3 axis{0, 0, 1};
};

class Stones : public Demo {
 public:
  Stones() : rock_(rock_mesh(1.4, 4, 11)) { Stones::reset(); }
  std::string name() const override { return "stones"; }
  std::string title() const override { return "Stones on a rock"; }
  std::string text() const override {
    return "Material points with a polygon each fall on a rock, bounce off and fly down; who becomes too slow or has fallen far starts again. No stone ever gets through the rock: each way is an exact sweep.";
  }
  std::vector<KeyHelp> keys() const override { return {{"R", "ride on a stone, leave it"}, {"N", "another stone to ride on"}, {"+ / -", "more / fewer stones"}}; }
  void reset() override {
    random_ = 1;
    stones_.clear();
    hits_.clear();
    grow();
    for (int i = 0; i < 90; ++i) step(1.0 / 60);
  }
  bool moves() const override { return true; }
  void step(double dt) override {
    grow();
    time_ += dt;
    const Bounciness answer{static_cast<double>(restitution_), static_cast<double>(friction_), false};
    for (FlightMark& h : hits_) h.age += dt;
    std::erase_if(hits_, [](const FlightMark& h) { return h.age > 0.6; });
    const AnyShape body = Point{{0, 0, 0}};
    for (Stone& s : stones_) {
      s.v.z -= gravity_ * dt;
      std::vector<FlightHit> hits;
      s.p = fly(body, s.p, s.v, dt, rock_, answer, &hits);
      s.spin += dt * (hits.empty() ? 3 : 6);
      for (const FlightHit& h : hits)
        if (hits_.size() < 400) hits_.push_back({h.point, h.normal, 0});
      bounces_ += hits.size();
      if ((!hits.empty() && length(s.v) < 0.15) || s.p.z < -2.6) start(s);
    }
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
    for (; last_u_ < u; last_u_ += 1.0 / 150) step(1.0 / 50);
  }
  double still() const override { return 0.5; }

  Picture picture() override {
    Picture picture;
    picture.parts.push_back({surface_of(rock_), Pose{}, kStone});
    if (!shape_) {
      std::vector<Vec3> five;
      for (int i = 0; i < 5; ++i) five.emplace_back(0.055 * std::cos(i * 1.2566), 0.055 * std::sin(i * 1.2566), 0);
      Picture one;
      add_shape(one, Polygon(five), Pose{}, {});
      shape_ = one.parts[0].surface;
    }
    constexpr Color kColors[] = {kSkyBlue, kOrange, kGreen, kPurple, kBlue, kYellow};
    for (std::size_t i = 0; i < stones_.size(); ++i) {
      const Stone& s = stones_[i];
      picture.parts.push_back({shape_, turned_about(translation(s.p), s.p, s.axis, s.spin), kColors[i % std::size(kColors)]});
    }
    for (const FlightMark& h : hits_) picture.strokes.push_back({h.at, h.at + h.normal * (0.2 * (1 - h.age / 0.6)), kColorHit, 3});
    picture.title = "Stones on a rock";
    picture.caption = {fmt::format("{} stones, {} bounces so far", stones_.size(), bounces_)};
    picture.legend = {{kColorHit, "a bounce: its normal"}};
    picture.focus = Box{Vec3(-1.7, -1.7, -1.9), Vec3(1.7, 1.7, 2.3)};
    picture.camera = fit(*picture.focus, Vec3(0.3, -1, 0.35), Vec3(0, 0, 1), 1.6);
    if (ride_ && !stones_.empty()) {
      const Stone& s = stones_[ridden_ % stones_.size()];
      const Vec3 flat = unit(Vec3(-s.p.x, -s.p.y, 0) + Vec3(1e-9, 0, 0));
      smooth_ = unit(smooth_ * 0.93 + flat * 0.07);
      picture.camera = Camera{s.p - smooth_ * 0.5 + Vec3(0, 0, 0.22), s.p + smooth_ * 0.6 - Vec3(0, 0, 0.1), Vec3(0, 0, 1), 1.0, 0};
      picture.caption.push_back(fmt::format("riding on stone {}: speed {:.2f}", ridden_ % stones_.size(), length(s.v)));
    }
    return picture;
  }

 private:
  struct FlightMark {
    Vec3 at, normal;
    double age;
  };
  double random() {
    random_ = random_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(random_ >> 40) / static_cast<double>(1 << 24);
  }
  void start(Stone& s) {
    s.p = Vec3(1.8 * random() - 0.9, 1.8 * random() - 0.9, 2.2 + 1.2 * random());
    s.v = Vec3(random() - 0.5, random() - 0.5, 0);
    s.axis = unit(Vec3(random() - 0.5, random() - 0.5, random() - 0.5));
  }
  void grow() {
    const auto n = static_cast<std::size_t>(std::max(count_, 1));
    if (stones_.size() > n) stones_.resize(n);
    while (stones_.size() < n) {
      stones_.emplace_back();
      start(stones_.back());
    }
  }
  Mesh rock_;
  SurfacePtr shape_;
  std::vector<Stone> stones_;
  std::vector<FlightMark> hits_;
  std::uint64_t random_ = 1, bounces_ = 0;
  std::size_t ridden_ = 0;
  int count_ = 160;
  float gravity_ = 9.81f, restitution_ = 0.65f, friction_ = 0.1f;
  bool ride_ = false;
  double time_ = 0, last_u_ = 0;
  Vec3 smooth_{0, 1, 0};
};

}  // namespace

std::unique_ptr<Demo> make_stones() { return std::make_unique<Stones>(); }

}  // namespace graze::view
