// Two shapes of any kinds: the verdict, the distance, contacts and depth while one is moved; to the last touching double and one further.
#include <fmt/format.h>
#include <imgui.h>
#include <bit>
#include <cmath>
#include <cstdint>
#include "viewer/gizmo.hpp"

namespace graze::view {

namespace {

struct Sample {
  const char* name;
  AnyShape shape;
};

/// About the size of 1 around the origin.
const std::vector<Sample>& samples() {
  static const std::vector<Sample> list = [] {
    std::vector<Sample> s;
    s.push_back({"point", Point{{0, 0, 0}}});
    s.push_back({"segment", Segment{{-0.7, -0.2, 0.1}, {0.7, 0.3, 0.2}}});
    s.push_back({"ray", Ray{{-0.8, 0, 0}, {1, 0.1, 0.15}}});
    s.push_back({"line", Line{{0, 0, 0}, {1, 0.2, 0.3}}});
    s.push_back({"plane", Plane{{0, 0, -0.2}, {0.2, 0.1, 1}}});
    s.push_back({"half space", HalfSpace{{0, 0, -0.3}, {0.15, 0, 1}}});
    s.push_back({"triangle", Triangle{{Vec3(-0.7, -0.5, 0), Vec3(0.8, -0.4, 0.2), Vec3(0, 0.8, -0.1)}}});
    s.push_back({"polygon", Polygon{{0.8, 0, 0}, {0.25, 0.75, 0}, {-0.65, 0.45, 0}, {-0.65, -0.45, 0}, {0.25, -0.75, 0}}});
    s.push_back({"sphere", Sphere{{0, 0, 0}, 0.6}});
    s.push_back({"box", Box{{-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}}});
    s.push_back({"cube", Box::from_center(Vec3(0, 0, 0), 0.45)});
    s.push_back({"oriented box", OrientedBox{{0, 0, 0}, {Vec3(0.8, 0.6, 0), Vec3(-0.6, 0.8, 0), Vec3(0, 0, 1)}, {0.6, 0.35, 0.3}}});
    s.push_back({"capsule", Capsule{{-0.4, 0, -0.2}, {0.4, 0, 0.2}, 0.3}});
    s.push_back({"cylinder", Cylinder{{0, 0, -0.5}, {0, 0.1, 0.5}, 0.4}});
    s.push_back({"cone", Cone{{0, 0, -0.5}, {0, 0, 0.7}, 0.5}});
    s.push_back({"ellipsoid", Ellipsoid{{0, 0, 0}, {0.8, 0.5, 0.3}}});
    s.push_back({"convex hull", Hull{{-0.5, -0.4, -0.4}, {0.6, -0.3, -0.3}, {0.1, 0.7, -0.4}, {0, 0, 0.7}, {-0.4, 0.3, 0.4}, {0.5, 0.3, 0.2}}});
    s.push_back({"frustum", Frustum::perspective(Vec3(0, -0.9, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), 0.45, 1.3, 0.4, 1.6)});
    s.push_back({"mesh", torus_mesh(0.55, 0.22, 36, 18)});
    s.push_back({"solid", solid(rock_mesh(0.6, 2, 3))});
    return s;
  }();
  return list;
}

struct Preset {
  const char* name;
  const char *a, *b;
};
/// Rows P1 to P9 of the heritage.
constexpr Preset kPresets[] = {{"P1 cube and point", "point", "cube"},       {"P2, P3 box and point", "point", "box"},  {"P4 box and box", "box", "box"},
                               {"P5 box and sphere", "sphere", "box"},       {"P6 cube and segment", "segment", "cube"}, {"P7 sphere and point", "point", "sphere"},
                               {"P8 sphere and sphere", "sphere", "sphere"}, {"P9 sphere and segment", "segment", "sphere"}};

int index_of(const std::string& name) {
  for (std::size_t i = 0; i < samples().size(); ++i)
    if (name == samples()[i].name) return static_cast<int>(i);
  return 0;
}

/// Doubles in order as integers, so that one more is the next double.
std::int64_t order(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? std::int64_t{-1} - (bits & INT64_MAX) : bits;
}
double from_order(std::int64_t n) { return std::bit_cast<double>(n < 0 ? (std::int64_t{-1} - n) | INT64_MIN : n); }

class Primitives : public Demo {
 public:
  Primitives() { Primitives::reset(); }
  std::string name() const override { return "primitives"; }
  std::string title() const override { return "Primitives: any shape against any other"; }
  std::string text() const override {
    return "Choose two shapes and drag them with the mouse (Ctrl and drag turns), or by their handles: arrows move along an axis, rings turn about one. The verdict is exact: bring A to contact, then move it by a single ulp, the least step that doubles can make, and see it change.";
  }
  std::vector<KeyHelp> keys() const override {
    return {{"Arrow keys", "A by 0.05 along x and z"}, {"F3 / F4", "A by 0.05 along -y / +y"}, {"C", "bring A to the last touching double along x"}, {"+ / -", "A by one ulp along +x / -x"}, {"N / B", "next shape for A / for B"}, {"Tab", "handles on the other shape"}, {"M", "handles or none"}};
  }
  void reset() override {
    a_ = index_of("capsule");
    b_ = index_of("convex hull");
    home();
  }
  void controls() override {
    choose("A", a_);
    choose("B", b_);
    if (ImGui::BeginCombo("heritage", "P1 to P9")) {
      for (const Preset& p : kPresets)
        if (ImGui::Selectable(p.name)) {
          a_ = index_of(p.a);
          b_ = index_of(p.b);
          home();
        }
      ImGui::EndCombo();
    }
    if (ImGui::Button("bring A to contact")) to_contact();
    ImGui::SameLine();
    if (ImGui::Button("places again")) home();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("A by one ulp along x:");
    ImGui::SameLine();
    if (ImGui::Button(" - ")) nudge(-1);
    ImGui::SameLine();
    if (ImGui::Button(" + ")) nudge(1);
    ImGui::Checkbox("B of glass", &glass_);
    ImGui::Checkbox("handles", &handles_);
  }
  bool key(Key key, char letter) override {
    switch (key) {
      case Key::left: pose_a_.translation.x -= 0.05; return true;
      case Key::right: pose_a_.translation.x += 0.05; return true;
      case Key::up: pose_a_.translation.z += 0.05; return true;
      case Key::down: pose_a_.translation.z -= 0.05; return true;
      case Key::f3: pose_a_.translation.y -= 0.05; return true;
      case Key::f4: pose_a_.translation.y += 0.05; return true;
      case Key::plus: nudge(1); return true;
      case Key::minus: nudge(-1); return true;
      case Key::tab: chosen_ = 1 - chosen_; return true;
      default: break;
    }
    const int n = static_cast<int>(samples().size());
    if (letter == 'm') return handles_ = !handles_, true;
    if (letter == 'c') return to_contact(), true;
    if (letter == 'n') return a_ = (a_ + 1) % n, true;
    if (letter == 'b') return b_ = (b_ + 1) % n, true;
    return false;
  }
  std::vector<Handle> handles() const override {
    std::vector<Handle> list{{0, shape_a(), pose_a_}, {1, shape_b(), pose_b_}};
    if (handles_)
      for (Handle& h : gizmo_handles(chosen_place(), kHandles, chosen_)) list.push_back(std::move(h));
    return list;
  }
  bool pointed(int id, bool taken) override {
    const int hovered = id >= kGizmo ? id : -1, chosen = taken && (id == 0 || id == 1) ? id : chosen_;
    const bool change = hovered != hovered_ || chosen != chosen_;
    hovered_ = hovered;
    chosen_ = chosen;
    return change;
  }
  void drag(int id, const Vec3& by) override { (id == 0 ? pose_a_ : pose_b_).translation += by; }
  void turn(int id, const Vec3& axis, double angle) override {
    Pose& pose = id == 0 ? pose_a_ : pose_b_;
    pose = turned_about(pose, pose.translation, axis, angle);
  }
  void play(double u) override {
    reset();
    handles_ = false;  // nobody can take them in a picture
    pose_a_.translation = Vec3(-1.7 + 3.4 * u, 0.1, 0.15);
    pose_a_ = turned_about(pose_a_, pose_a_.translation, unit(Vec3(0.3, 1, 0.2)), 2.5 * u);
  }
  double still() const override { return 0.33; }

  Picture picture() override {
    const Placed a = at(shape_a(), pose_a_), b = at(shape_b(), pose_b_);
    const bool touch = intersects(a, b);
    Picture picture;
    Look look;
    look.extent = 2.2;
    look.color = kColorA;
    look.opacity = touch ? 0.42f : 1;
    look.id = 0;
    add_shape(picture, shape_a(), pose_a_, look);
    look.color = kColorB;
    look.opacity = touch || glass_ ? 0.42f : 1;
    look.id = 1;
    add_shape(picture, shape_b(), pose_b_, look);
    picture.title = fmt::format("{} and {}: {}", samples()[static_cast<std::size_t>(a_)].name, samples()[static_cast<std::size_t>(b_)].name, touch ? "they touch" : "apart");
    if (picture.title[0] >= 'a' && picture.title[0] <= 'z') picture.title[0] = static_cast<char>(picture.title[0] - 'a' + 'A');
    picture.legend = {{kColorA, std::string("A, ") + samples()[static_cast<std::size_t>(a_)].name}, {kColorB, std::string("B, ") + samples()[static_cast<std::size_t>(b_)].name}};
    if (!touch) {
      const Closest near = closest(a, b);
      picture.strokes.push_back({near.on_a, near.on_b, kColorDistance, 3, true});
      picture.dots.push_back({near.on_a, kColorDistance, 10, true});
      picture.dots.push_back({near.on_b, kColorDistance, 10, true});
      picture.labels.push_back({near.on_a * 0.5 + near.on_b * 0.5, short_text(near.distance)});
      picture.legend.push_back({kColorDistance, "nearest points"});
      picture.caption.push_back(fmt::format("distance {}", exact_text(near.distance)));
      picture.caption.push_back(fmt::format("nearest on A {}, on B {}", short_text(near.on_a), short_text(near.on_b)));
    } else {
      const std::vector<Contact> list = contacts(a, b);
      std::size_t shown = 0;
      for (const Contact& c : list) {
        if (++shown > 40) break;
        picture.dots.push_back({c.point, kColorHit, 10, true});
        picture.strokes.push_back({c.point, c.point + c.normal * 0.35, kColorHit, 3, true});
      }
      picture.legend.push_back({kColorHit, "contact, its normal"});
      const PenetrationResult deep = penetration(a, b);
      if (deep.value)
        picture.caption.push_back(fmt::format("depth {}; moving A by {} separates them", exact_text(deep.value->depth), short_text(deep.value->vector)));
      else
        picture.caption.push_back(deep.reason == NoPenetration::touching ? "they merely touch: depth none" : deep.reason == NoPenetration::unbounded ? "no finite translation separates them" : "apart");
      picture.caption.push_back(fmt::format("{} contact{}{}", list.size(), list.size() == 1 ? "" : "s", list.empty() ? "" : fmt::format("; the first at {}", short_text(list[0].point))));
    }
    picture.caption.push_back(fmt::format("A placed at {}", exact_text(pose_a_.translation)));
    if (!note_.empty()) picture.caption.push_back(note_);
    if (handles_) add_gizmo(picture, chosen_place(), kHandles, hovered_);
    picture.focus = Box{Vec3(-1.2, -0.7, -0.62), Vec3(1.2, 0.7, 0.75)};
    picture.camera = fit(*picture.focus, Vec3(0.35, -1, 0.5), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  const AnyShape& shape_a() const { return samples()[static_cast<std::size_t>(a_)].shape; }
  const AnyShape& shape_b() const { return samples()[static_cast<std::size_t>(b_)].shape; }
  void home() {
    pose_a_ = translation(Vec3(-1.1, 0, 0.1));
    pose_b_ = translation(Vec3(0.5, 0, 0));
    note_.clear();
  }
  void choose(const char* label, int& which) {
    if (!ImGui::BeginCombo(label, samples()[static_cast<std::size_t>(which)].name)) return;
    for (int i = 0; i < static_cast<int>(samples().size()); ++i)
      if (ImGui::Selectable(samples()[static_cast<std::size_t>(i)].name, i == which)) which = i;
    ImGui::EndCombo();
  }
  bool touch_at(double x) const {
    Pose pose = pose_a_;
    pose.translation.x = x;
    return intersects(at(shape_a(), pose), at(shape_b(), pose_b_));
  }
  void nudge(int by) {
    pose_a_.translation.x = from_order(order(pose_a_.translation.x) + by);
    note_ = fmt::format("moved by one ulp to x = {}: {}", exact_text(pose_a_.translation.x), touch_at(pose_a_.translation.x) ? "they touch" : "apart");
  }
  /// Bisects the doubles between a place of contact and a place away from B on A's side until they are neighbours.
  void to_contact() {
    const double side = pose_a_.translation.x <= pose_b_.translation.x ? -1 : 1, far = pose_b_.translation.x + side * 8;
    double in = pose_a_.translation.x;
    for (int i = 0; i <= 400 && !touch_at(in); ++i) in = pose_a_.translation.x - side * 0.02 * i;
    if (!touch_at(in) || touch_at(far)) {
      note_ = touch_at(in) ? "along x they are never apart" : "along x they never touch";
      return;
    }
    std::int64_t yes = order(in), no = order(far);
    while (std::abs(yes - no) > 1) {
      const std::int64_t middle = no + (yes - no) / 2;
      (touch_at(from_order(middle)) ? yes : no) = middle;
    }
    pose_a_.translation.x = from_order(yes);
    note_ = fmt::format("x = {} still touches, the next double {} does not: press {}", exact_text(from_order(yes)), exact_text(from_order(no)), no < yes ? "-" : "+");
  }

  Vec3 chosen_place() const { return (chosen_ == 0 ? pose_a_ : pose_b_).translation; }

  static constexpr double kHandles = 0.8;  // their size
  int a_ = 0, b_ = 0, chosen_ = 0, hovered_ = -1;
  bool handles_ = true;
  Pose pose_a_, pose_b_;
  bool glass_ = false;
  std::string note_;
};

}  // namespace

std::unique_ptr<Demo> make_primitives() { return std::make_unique<Primitives>(); }

}  // namespace graze::view
