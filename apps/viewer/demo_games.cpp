// Demonstration: uses in a game. Whether a shot hits, the path of a thrown grenade, and a camera that moves through a building and never enters a wall.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <graze/mover.hpp>
#include <graze/world.hpp>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

namespace {

void add_block(MeshData& d, const Vec3& lo, const Vec3& hi) {
  const auto first = static_cast<std::uint32_t>(d.vertices.size());
  for (int i = 0; i < 8; ++i) d.vertices.emplace_back(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z);
  for (const auto& f : {std::array{0u, 2u, 3u, 1u}, std::array{4u, 5u, 7u, 6u}, std::array{0u, 1u, 5u, 4u}, std::array{2u, 6u, 7u, 3u},
                        std::array{0u, 4u, 6u, 2u}, std::array{1u, 3u, 7u, 5u}}) {
    d.triangles.push_back({first + f[0], first + f[1], first + f[2]});
    d.triangles.push_back({first + f[0], first + f[2], first + f[3]});
  }
}

/// Two rooms with a door, columns, steps up to a platform, a ramp.
Mesh building() {
  MeshData d;
  const auto block = [&](double x0, double y0, double z0, double x1, double y1, double z1) { add_block(d, Vec3(x0, y0, z0), Vec3(x1, y1, z1)); };
  block(-6, -4, -0.2, 6, 4, 0);    // floor
  block(-6, -4, 0, 6, -3.8, 2.6);  // outer walls
  block(-6, 3.8, 0, 6, 4, 2.6);
  block(-6, -3.8, 0, -5.8, 3.8, 2.6);
  block(5.8, -3.8, 0, 6, 3.8, 2.6);
  block(-0.1, -3.8, 0, 0.1, -0.8, 2.6);  // wall with a door
  block(-0.1, 0.5, 0, 0.1, 3.8, 2.6);
  block(-0.1, -0.8, 2.1, 0.1, 0.5, 2.6);
  for (const double x : {-3.6, -1.6}) block(x - 0.2, 1.4, 0, x + 0.2, 1.8, 2.6);
  for (int i = 0; i < 5; ++i) block(2 + 0.4 * i, -3.8, 0, 2.4 + 0.4 * i, -2, 0.2 * (i + 1));
  block(4, -3.8, 0, 5.8, -2, 1);      // platform
  block(2.2, 1.6, 0, 3.4, 2.6, 0.7);  // a table
  block(-5, -3, 0, -4, -2, 1.2);
  return Mesh(std::move(d));
}

Vec3 heading(double yaw, double pitch) { return Vec3(std::cos(pitch) * std::cos(yaw), std::cos(pitch) * std::sin(yaw), std::sin(pitch)); }

class Shot : public Demo {
 public:
  Shot() : ground_(terrain_mesh(16, 60)) {
    for (int i = 0; i < 9; ++i) {
      const double x = -4 + 1.1 * i, y = 3 * std::sin(i * 1.9) + 2;
      const auto down = raycast(Ray{{x, y, 9}, {0, 0, -1}}, ground_);
      const double z = down ? down->point.z : 0;
      if (i % 3 == 0)
        targets_.push_back({"sphere", Sphere{{x, y, z + 0.5}, 0.5}});
      else if (i % 3 == 1)
        targets_.push_back({"box", Box{{x - 0.35, y - 0.35, z}, {x + 0.35, y + 0.35, z + 1}}});
      else
        targets_.push_back({"capsule", Capsule{{x, y, z + 0.35}, {x, y, z + 0.9}, 0.3}});
    }
    Shot::reset();
  }
  std::string name() const override { return "shot"; }
  std::string title() const override { return "Shot"; }
  std::string text() const override {
    return "Aim with the arrow keys, shoot with Space: who is hit first, exactly, and where? What lies behind is hit only when nothing stands before it.";
  }
  std::vector<KeyHelp> keys() const override { return {{"Arrow keys", "aim"}, {"Space", "shoot"}}; }
  void reset() override {
    yaw_ = 1.22;
    pitch_ = -0.02;
    marks_.clear();
  }
  bool key(Key key, char) override {
    switch (key) {
      case Key::left:
        yaw_ += 0.01;
        return true;
      case Key::right:
        yaw_ -= 0.01;
        return true;
      case Key::up:
        pitch_ += 0.01;
        return true;
      case Key::down:
        pitch_ -= 0.01;
        return true;
      case Key::space:
        if (const auto h = first()) marks_.push_back({h->point, h->target});
        return true;
      default:
        return false;
    }
  }
  void controls() override {
    if (ImGui::Button("shoot")) key(Key::space, 0);
    ImGui::SameLine();
    if (ImGui::Button("clear")) marks_.clear();
  }
  void play(double u) override {
    reset();
    const int last = std::min(static_cast<int>(u * static_cast<double>(targets_.size())), static_cast<int>(targets_.size()) - 1);
    for (int i = 0; i <= last; ++i) {  // at one target after another; an obstacle in front of it is hit instead
      const Box b = bounding_box(targets_[static_cast<std::size_t>(i)].shape);
      const Vec3 d = b.min * 0.5 + b.max * 0.5 - from_;
      yaw_ = std::atan2(d.y, d.x);
      pitch_ = std::atan2(d.z, std::hypot(d.x, d.y));
      if (i < last) key(Key::space, 0);
    }
  }
  double still() const override { return 0.72; }
  Picture picture() override {
    Picture picture;
    picture.parts.push_back({surface_of(ground_), Pose{}, kStone, 1, false});
    const auto now = first();
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      Look look;
      const bool shot = std::any_of(marks_.begin(), marks_.end(), [&](const Mark& m) { return m.target == static_cast<int>(i); });
      look.color = now && now->target == static_cast<int>(i) ? kOrange : shot ? kPurple : kSkyBlue;
      add_shape(picture, targets_[i].shape, Pose{}, look);
    }
    const Vec3 muzzle = from_ + Vec3(0.06, 0, -0.12);
    picture.strokes.push_back({muzzle, now ? now->point : from_ + heading(yaw_, pitch_) * 30.0, kBlue, 2.5f});
    if (now) {
      picture.dots.push_back({now->point, kColorHit, 12, true});
      if (now->normal) picture.strokes.push_back({now->point, now->point + *now->normal * 0.7, kColorHit, 4});
    }
    for (const Mark& m : marks_) picture.dots.push_back({m.at, kYellow, 9});
    picture.title = !now              ? "Shot: it hits nothing"
                    : now->target < 0 ? "Shot: it hits the ground"
                                      : fmt::format("Shot: it hits {} {}", targets_[static_cast<std::size_t>(now->target)].name, now->target);
    if (now) picture.caption = {fmt::format("at distance {} at {}", short_text(now->t), short_text(now->point))};
    picture.caption.push_back(
        fmt::format("{} shots so far, {} at targets", marks_.size(), std::count_if(marks_.begin(), marks_.end(), [](const Mark& m) { return m.target >= 0; })));
    picture.legend = {{kOrange, "would be hit now"}, {kPurple, "was hit"}, {kSkyBlue, "not hit yet"}, {kColorHit, "where, and the normal there"}};
    picture.focus = Box{Vec3(-5, -1, -0.5), Vec3(5, 6, 2)};
    picture.camera = Camera{from_ + Vec3(-1.3, -2.6, 2.3), Vec3(0, 2.2, 0.2), Vec3(0, 0, 1), 0.85, 1.6};
    return picture;
  }

 private:
  struct Target {
    const char* name;
    AnyShape shape;
  };
  struct Found {
    double t;
    Vec3 point;
    std::optional<Vec3> normal;
    int target;
  };
  struct Mark {
    Vec3 at;
    int target;
  };
  std::optional<Found> first() const {
    const Ray ray{from_, heading(yaw_, pitch_)};
    std::optional<Found> best;
    const auto take = [&](const std::optional<Hit>& h, int which) {
      if (h && (!best || h->t < best->t)) best = {h->t, h->point, h->normal, which};
    };
    take(raycast(ray, ground_), -1);
    for (std::size_t i = 0; i < targets_.size(); ++i) take(raycast(ray, targets_[i].shape), static_cast<int>(i));
    return best;
  }
  Mesh ground_;
  std::vector<Target> targets_;
  std::vector<Mark> marks_;
  Vec3 from_{-1, -4.5, 1.35};
  double yaw_ = 0, pitch_ = 0;
};

/// A view of the whole building, above the caption.
Camera outside_view(const Mesh& building, const Vec3& direction) {
  Picture only;
  only.parts.push_back({surface_of(building), Pose{}});
  return fit(only, direction, Vec3(0, 0, 1), 1.6, {.below = 0.12});
}

class Grenade : public Demo {
 public:
  Grenade() : building_(building()) { Grenade::reset(); }
  std::string name() const override { return "grenade"; }
  std::string title() const override { return "Grenade"; }
  std::string text() const override {
    return "Where does a thrown grenade fly, and where is it when it goes off? A ball bounces through a building; each flight is an exact sweep.";
  }
  std::vector<KeyHelp> keys() const override { return {{"Left / Right", "turn"}, {"Up / Down", "steeper, flatter"}, {"+ / -", "harder, softer"}}; }
  void reset() override {
    yaw_ = 0.07;
    pitch_ = 0.42;
    speed_ = 8.2f;
    shown_ = 1;
  }
  bool key(Key key, char) override {
    switch (key) {
      case Key::left:
        yaw_ += 0.02;
        return true;
      case Key::right:
        yaw_ -= 0.02;
        return true;
      case Key::up:
        pitch_ = std::min(1.4, pitch_ + 0.02);
        return true;
      case Key::down:
        pitch_ = std::max(-1.0, pitch_ - 0.02);
        return true;
      case Key::plus:
        speed_ = std::min(20.0f, speed_ + 0.2f);
        return true;
      case Key::minus:
        speed_ = std::max(1.0f, speed_ - 0.2f);
        return true;
      default:
        return false;
    }
  }
  void controls() override {
    ImGui::SliderFloat("speed", &speed_, 1, 20);
    ImGui::SliderFloat("restitution", &restitution_, 0, 0.95f);
    ImGui::SliderFloat("friction", &friction_, 0, 0.9f);
    ImGui::SliderFloat("fuse, s", &fuse_, 0.5f, 6);
  }
  void play(double u) override {
    reset();
    shown_ = u;
  }
  double still() const override { return 1; }
  Picture picture() override {
    Picture picture;
    // seen from above and behind, so the walls are transparent
    picture.parts.push_back({surface_of(building_), Pose{}, kStone, 0.35f, true, false, -1, false});
    const AnyShape ball = Sphere{{0, 0, 0}, 0.09};
    World world;
    const Material material{static_cast<double>(restitution_), static_cast<double>(friction_), 1};
    world.add_fixed(building_, Pose{}, material);
    BodyOptions options;
    options.velocity = heading(yaw_, pitch_) * static_cast<double>(speed_);
    options.material = material;
    options.rest_speed = 0.2;
    const double dt = 1.0 / 120;
    const int steps = static_cast<int>(std::lround(fuse_ * shown_ / dt));
    Vec3 p(-5.2, -0.6, 1.5);
    const BodyId id = world.add_moving(ball, translation(p), options);
    picture.dots.push_back({p, kBlack, 10});
    std::size_t hits = 0;
    for (int i = 0; i < steps; ++i) {
      world.step(dt);
      Vec3 from = p;
      for (const ImpactEvent& e : world.impacts()) {
        if (++hits > 200) continue;
        picture.dots.push_back({e.point, kColorHit, 8, true});
        if (hits <= 8) picture.strokes.push_back({e.point, e.point + e.normal * 0.4, kColorHit, 3, true});
        const Vec3 centre = e.point + e.normal * 0.09;
        picture.strokes.push_back({from, centre, kBlue, 2.5f, true});
        from = centre;
      }
      p = world.position(id);
      picture.strokes.push_back({from, p, kBlue, 2.5f, true});
    }
    Look look;
    look.color = kOrange;
    add_shape(picture, ball, translation(p), look);
    if (shown_ >= 1) {
      look.opacity = 0.25f;
      add_shape(picture, Sphere{p, 0.8}, Pose{}, look);
    }
    picture.title = "Grenade: its path and its bounces";
    picture.caption = {fmt::format("{} contacts; it goes off after {:.1f} s at {}", hits, fuse_, short_text(p)),
                       fmt::format("the ball and the building share a point: {}", intersects(at(ball, translation(p)), building_) ? "yes" : "no")};
    picture.legend = {{kBlue, "path of its centre"}, {kColorHit, "bounces and normals"}, {kOrange, "where it goes off"}};
    picture.focus = Box{Vec3(-6, -4, 0), Vec3(6, 4, 2.6)};
    picture.camera = outside_view(building_, Vec3(-0.25, -1, 1.05));
    return picture;
  }

 private:
  Mesh building_;
  double yaw_ = 0, pitch_ = 0, shown_ = 1;
  float speed_ = 8, restitution_ = 0.55f, friction_ = 0.15f, fuse_ = 3;
};

class Walk : public Demo {
 public:
  Walk() : building_(building()) {
    scene_.add(building_);
    Walk::reset();
  }
  std::string name() const override { return "walk"; }
  std::string title() const override { return "Walk"; }
  std::string text() const override {
    return "A camera inside a solid body: walk through the building with the arrow keys. The body slides along walls, climbs steps and never enters anything, "
           "which is checked exactly after each move.";
  }
  std::vector<KeyHelp> keys() const override {
    return {{"Up / Down", "forward, back"}, {"Left / Right", "turn"}, {"A / D", "sideways"}, {"V", "seen from outside"}};
  }
  void reset() override {
    mover_.emplace(scene_, body(), Vec3(-4.6, 0.6, 0.95));
    yaw_ = -0.1;
    walk(Vec3(0, 0, -0.05));
    at_ = mover_->pose().translation;
    way_ = {at_};
    contacts_ = 0;
  }
  bool key(Key key, char letter) override {
    const Vec3 ahead = heading(yaw_, 0), left = heading(yaw_ + std::numbers::pi / 2, 0);
    switch (key) {
      case Key::up:
        return walk(ahead * 0.12), true;
      case Key::down:
        return walk(ahead * -0.12), true;
      case Key::left:
        return yaw_ += 0.06, true;
      case Key::right:
        return yaw_ -= 0.06, true;
      default:
        break;
    }
    if (letter == 'a') return walk(left * 0.12), true;
    if (letter == 'd') return walk(left * -0.12), true;
    if (letter == 'v') return outside_ = !outside_, true;
    return false;
  }
  void controls() override { ImGui::Checkbox("seen from outside", &outside_); }
  void play(double u) override {
    reset();
    outside_ = true;
    // through the door, into the corner, along the wall, up the steps
    for (int i = 0; i < static_cast<int>(u * 160); ++i) {
      const double wish = i < 43 ? -0.09 : i < 72 ? -1.57 : 0.0;
      yaw_ += std::clamp(wish - yaw_, -0.16, 0.16);
      key(Key::up, 0);
    }
  }
  double still() const override { return 0.93; }
  Picture picture() override {
    Picture picture;
    picture.parts.push_back({surface_of(building_), Pose{}, kStone, outside_ ? 0.35f : 1.0f, true, false, -1, false});
    const bool inside = intersects(at(body(), translation(at_)), building_);
    for (std::size_t i = 1; i < way_.size(); ++i) picture.strokes.push_back({way_[i - 1], way_[i], kBlue, 3, outside_});
    if (outside_) {
      Look look;
      look.color = kOrange;
      add_shape(picture, body(), translation(at_), look);
      picture.strokes.push_back({at_, at_ + heading(yaw_, 0) * 0.9, kOrange, 4, true});
    }
    picture.title = inside ? "Walk: in a wall (never)" : "Walk: never in a wall";
    picture.caption = {fmt::format("at {}; {} contacts so far", short_text(at_), contacts_),
                       fmt::format("body and building share a point: {}{}", inside ? "yes" : "no", grounded_ ? "; it stands on the floor" : "")};
    picture.legend = {{kBlue, "path so far"}};
    picture.focus = Box{Vec3(-6, -4, 0), Vec3(6, 4, 2.6)};
    picture.camera = outside_ ? outside_view(building_, Vec3(-0.35, -1, 1.15)) : ride()->camera;
    return picture;
  }
  std::optional<Ride> ride() const override {
    if (outside_) return {};
    return Ride{scene_, at_, Camera{at_ + Vec3(0, 0, 0.65), at_ + Vec3(0, 0, 0.6) + heading(yaw_, -0.05) * 2.0, Vec3(0, 0, 1), 1.1, 0}};
  }

 private:
  static const AnyShape& body() {
    static const AnyShape shape = Capsule{{0, 0, -0.6}, {0, 0, 0.6}, 0.25};
    return shape;
  }
  void walk(const Vec3& wish) {
    MoverResult r = mover_->move(wish);
    for (int i = 0; i < 10 && !r.grounded; ++i) r.grounded = mover_->move(Vec3(0, 0, -0.05)).grounded;  // falls
    grounded_ = r.grounded;
    contacts_ += static_cast<std::size_t>(r.contacts);
    at_ = mover_->pose().translation;
    way_.push_back(at_);
    if (way_.size() > 4000) way_.erase(way_.begin());
  }
  Scene scene_;
  std::optional<Mover> mover_;
  bool grounded_ = false;
  Mesh building_;
  Vec3 at_{0, 0, 0};
  double yaw_ = 0;
  std::vector<Vec3> way_;
  std::size_t contacts_ = 0;
  bool outside_ = false;
};

}  // namespace

std::unique_ptr<Demo> make_shot() { return std::make_unique<Shot>(); }
std::unique_ptr<Demo> make_grenade() { return std::make_unique<Grenade>(); }
std::unique_ptr<Demo> make_walk() { return std::make_unique<Walk>(); }

}  // namespace graze::view
