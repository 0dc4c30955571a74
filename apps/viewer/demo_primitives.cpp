// Demonstration: two shapes of any kinds, one of which can be moved. Shows the verdict, distance, contacts and depth, down to the last touching double and one
// step further.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "viewer/gizmo.hpp"
#include "viewer/typed.hpp"

namespace graze::view {

namespace {

struct Sample {
  const char* name;
  AnyShape shape;
};

/// About size 1, centred at the origin.
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
    s.push_back({"truncated cone", TruncatedCone{{0, 0, -0.5}, {0, 0, 0.5}, 0.55, 0.25}});
    s.push_back({"ellipsoid", Ellipsoid{{0, 0, 0}, {0.8, 0.5, 0.3}}});
    s.push_back({"wedge", Wedge{{-0.5, -0.4, -0.4}, {Vec3(1, 0, 0), Vec3(0, 0, 0.8), Vec3(0, 0.8, 0)}}});
    s.push_back({"convex hull", Hull{{-0.5, -0.4, -0.4}, {0.6, -0.3, -0.3}, {0.1, 0.7, -0.4}, {0, 0, 0.7}, {-0.4, 0.3, 0.4}, {0.5, 0.3, 0.2}}});
    s.push_back({"frustum", Frustum::perspective(Vec3(0, -0.9, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), 0.45, 1.3, 0.4, 1.6)});
    s.push_back({"mesh", torus_mesh(0.55, 0.22, 36, 18)});
    s.push_back({"solid", solid(rock_mesh(0.6, 2, 3))});
    return s;
  }();
  return list;
}

struct Lesson {
  const char *name, *title, *text;
  const char *kind_a, *kind_b;
  AnyShape a, b;
};

/// The article's tests P1 to P9, each with input on which its listing fails.
const std::vector<Lesson>& lessons() {
  static const std::vector<Lesson> list = {
      {"p1-cube-point", "P1 cube and point",
       "A cube of a centre and a half size holds a point if no coordinate is farther from the centre than the half size. The article compares with <, so a "
       "point on a face is lost; touching counts here.",
       "point", "cube", Point{{0.5, -0.25, 0.125}}, Box::from_center(Vec3(0, 0, 0), 0.5)},
      {"p2-box-point", "P2 box and point", "The same with a half size for each axis. This point lies on an edge of the box: the article says no, right is yes.",
       "point", "box", Point{{-0.75, -0.5, 0}}, Box::from_center(Vec3(0, 0, 0), Vec3(0.75, 0.5, 0.25))},
      {"p3-box-corners-point", "P3 box of two corners and point",
       "A box of its lowest and highest corner holds a point if each coordinate lies between theirs. This point is the highest corner itself.", "point", "box",
       Point{{0.5, 0.5, 0.375}}, Box{{-0.75, -0.5, -0.25}, {0.5, 0.5, 0.375}}},
      {"p4-box-box", "P4 box and box",
       "Two boxes, each of a corner and a size, meet if their intervals meet on all three axes. These share a part of one face.", "box", "box",
       Box::from_corner(Vec3(-0.75, -0.5, -0.5), Vec3(1.25, 1, 0.75)), Box::from_corner(Vec3(0.5, -0.25, -0.25), Vec3(0.5, 0.625, 0.5))},
      {"p5-box-sphere", "P5 box and sphere",
       "A sphere meets a box if the box's point nearest to its centre is not farther than the radius. The article adds the distances along the axes, .75 + .75 "
       "> 1.25, and says no; their squares give 1.06: yes.",
       "sphere", "box", Sphere{{1.75, 1.75, 0.5}, 1.25}, Box{{0, 0, 0}, {1, 1, 1}}},
      {"p6-cube-segment", "P6 cube and segment",
       "No axis separates a cube from a segment that meets it: the cube's three axes and their cross products with the segment are tried. This one touches an "
       "edge of the cube; the article rounds and says no.",
       "segment", "cube", Segment{{7, 0, 0}, {-5, 2, 0}}, Box::from_center(Vec3(0, 0, 0), 1)},
      {"p7-sphere-point", "P7 sphere and point",
       "A point lies in a sphere if its distance from the centre, compared in squares, is not above the radius. This one is outside by 3e-8: the article, in "
       "single precision, says yes, right is no.",
       "point", "sphere", Point{{1, 1, 1}}, Sphere{{0, 0, 0}, 1.73205078}},
      {"p8-sphere-sphere", "P8 sphere and sphere",
       "Two spheres meet if the distance of their centres is not above the sum of the radii. Here both are .75: the article compares with < and says no, right "
       "is yes.",
       "sphere", "sphere", Sphere{{0, 0, 0}, 0.25}, Sphere{{0.75, 0, 0}, 0.5}},
      {"p9-sphere-segment", "P9 sphere and segment",
       "A sphere meets a segment if the segment's point nearest to its centre is not farther than the radius. Here that is the end (1, 0, 0), at 1.06: right "
       "is no; the article says yes.",
       "segment", "sphere", Segment{{0, 0, 0}, {1, 0, 0}}, Sphere{{1.75, 0.75, 0}, 1}}};
  return list;
}

int index_of(const std::string& name) {
  for (std::size_t i = 0; i < samples().size(); ++i)
    if (name == samples()[i].name) return static_cast<int>(i);
  return 0;
}

/// Maps doubles to integers in order, so that adding one gives the next double.
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
    return "Choose two shapes, drag them with the mouse (Ctrl and drag turns) or by their handles, or type any of their numbers. The verdict is exact: bring A "
           "to contact, then move it by a single ulp, the least step that doubles can make, and see it change.";
  }
  std::vector<KeyHelp> keys() const override {
    return {{"Arrow keys", "A by 0.05 along x and z"},
            {"F3 / F4", "A by 0.05 along -y / +y"},
            {"C", "bring A to the last touching double along x"},
            {"+ / -", "A by one ulp along +x / -x"},
            {"N / B", "next shape for A / for B"},
            {"Tab", "handles on the other shape"},
            {"M", "handles or none"}};
  }
  std::vector<Preset> presets() const override {
    std::vector<Preset> list;
    for (const Lesson& l : lessons()) list.push_back({l.name, l.title});
    return list;
  }
  void choose_preset(std::size_t index) override {
    lesson_ = &lessons()[index];
    reset();
  }
  void reset() override {
    note_.clear();
    if (!lesson_) {
      take_sample(0, index_of("capsule"));
      take_sample(1, index_of("convex hull"));
      return home();
    }
    names_ = {lesson_->kind_a, lesson_->kind_b};
    shapes_ = {lesson_->a, lesson_->b};
    poses_ = {Pose{}, Pose{}};
    Box box = bounding_box(shapes_[0]);
    for (int k = 0; k < 3; ++k) {  // for long segments, only the part near the other shape
      const Box other = bounding_box(shapes_[1]);
      box.min[k] = std::max(std::min(box.min[k], other.min[k]), other.min[k] - 1.5);
      box.max[k] = std::min(std::max(box.max[k], other.max[k]), other.max[k] + 1.5);
    }
    constexpr double kRoom = 0.2;  // direction of the contact's normal
    focus_ = Box{box.min - Vec3(kRoom), box.max + Vec3(kRoom)};
  }
  void controls() override {
    if (ImGui::BeginCombo("lesson", lesson_ ? lesson_->title : "P1 to P9")) {
      for (std::size_t i = 0; i < lessons().size(); ++i)
        if (ImGui::Selectable(lessons()[i].title, lesson_ == &lessons()[i])) choose_preset(i);
      ImGui::EndCombo();
    }
    if (lesson_) ImGui::TextWrapped("%s", lesson_->text);
    for (int i = 0; i < 2; ++i) {
      ImGui::PushID(i);
      choose(i == 0 ? "A" : "B", i);
      (void)typed(shapes_[at_index(i)], refused_);
      (void)typed("moved by", poses_[at_index(i)].translation);
      ImGui::PopID();
    }
    if (!refused_.empty()) ImGui::TextWrapped("refused: %s", refused_.c_str());
    if (ImGui::Button("bring A to contact")) to_contact();
    ImGui::SameLine();
    if (ImGui::Button("reset placement")) home();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("A by one ulp along x:");
    ImGui::SameLine();
    if (ImGui::Button(" - ")) nudge(-1);
    ImGui::SameLine();
    if (ImGui::Button(" + ")) nudge(1);
    ImGui::Checkbox("B of glass", &glass_);
    ImGui::SameLine();
    ImGui::Checkbox("handles", &handles_);
  }
  bool key(Key key, char letter) override {
    switch (key) {
      case Key::left:
        poses_[0].translation.x -= 0.05;
        return true;
      case Key::right:
        poses_[0].translation.x += 0.05;
        return true;
      case Key::up:
        poses_[0].translation.z += 0.05;
        return true;
      case Key::down:
        poses_[0].translation.z -= 0.05;
        return true;
      case Key::f3:
        poses_[0].translation.y -= 0.05;
        return true;
      case Key::f4:
        poses_[0].translation.y += 0.05;
        return true;
      case Key::plus:
        nudge(1);
        return true;
      case Key::minus:
        nudge(-1);
        return true;
      case Key::tab:
        chosen_ = 1 - chosen_;
        return true;
      default:
        break;
    }
    if (letter == 'm') return handles_ = !handles_, true;
    if (letter == 'c') return to_contact(), true;
    if (letter == 'n') return next_sample(0), true;
    if (letter == 'b') return next_sample(1), true;
    return false;
  }
  std::vector<Handle> handles() const override {
    std::vector<Handle> list{{0, shapes_[0], poses_[0]}, {1, shapes_[1], poses_[1]}};
    if (handles_)
      for (Handle& h : gizmo_handles(center_of(chosen_), kHandles, chosen_)) list.push_back(std::move(h));
    return list;
  }
  bool pointed(int id, bool taken) override {
    const int hovered = id >= kGizmo ? id : -1, chosen = taken && (id == 0 || id == 1) ? id : chosen_;
    const bool change = hovered != hovered_ || chosen != chosen_;
    hovered_ = hovered;
    chosen_ = chosen;
    return change;
  }
  void drag(int id, const Vec3& by) override { poses_[at_index(id)].translation += by; }
  void turn(int id, const Vec3& axis, double angle) override { poses_[at_index(id)] = turned_about(poses_[at_index(id)], center_of(id), axis, angle); }
  void play(double u) override {
    reset();
    handles_ = false;  // hidden in pictures, where nobody can drag them
    if (lesson_) {
      poses_[0].translation.x = 2 * u - 1;
      return;
    }
    poses_[0].translation = Vec3(-1.7 + 3.4 * u, 0.1, 0.15);
    poses_[0] = turned_about(poses_[0], poses_[0].translation, unit(Vec3(0.3, 1, 0.2)), 2.5 * u);
  }
  double still() const override { return lesson_ ? 0.5 : 0.33; }

  Picture picture() override {
    const Placed a = at(shapes_[0], poses_[0]), b = at(shapes_[1], poses_[1]);
    const bool touch = intersects(a, b);
    Picture picture;
    Look look;
    look.extent = 2.2;
    for (int i = 0; i < 2; ++i) {
      look.color = i == 0 ? kColorA : kColorB;
      look.opacity = touch || (i == 1 && glass_) ? 0.42f : 1;
      look.id = i;
      add_shape(picture, shapes_[at_index(i)], poses_[at_index(i)], look);
    }
    picture.title = fmt::format("{} and {}: {}", names_[0], names_[1], touch ? "they touch" : "apart");
    if (picture.title[0] >= 'a' && picture.title[0] <= 'z') picture.title[0] = static_cast<char>(picture.title[0] - 'a' + 'A');
    picture.legend = {{kColorA, "A, " + names_[0]}, {kColorB, "B, " + names_[1]}};
    if (!touch) {
      const Closest near = closest(a, b);
      picture.strokes.push_back({near.on_a, near.on_b, kColorDistance, 3, true});
      picture.dots.push_back({near.on_a, kColorDistance, 10, true});
      picture.dots.push_back({near.on_b, kColorDistance, 10, true});
      picture.labels.push_back({near.on_a * 0.5 + near.on_b * 0.5, short_text(near.distance)});
      picture.legend.push_back({kColorDistance, "nearest points"});
      picture.caption.push_back(fmt::format("distance {}", exact_text(near.distance)));
      const auto [on_a, on_b] = short_texts(near.on_a, near.on_b);
      picture.caption.push_back(fmt::format("nearest on A {}, on B {}", on_a, on_b));
    } else {
      const std::vector<Contact> list = contacts(a, b);
      std::size_t shown = 0;
      for (const Contact& c : list) {
        if (++shown > 40) break;
        picture.dots.push_back({c.point, kColorHit, 10, true});
        picture.strokes.push_back({c.point, c.point + c.normal * 0.35, kColorHit, 3, true});
      }
      picture.legend.push_back({kColorHit, "contact and its normal"});
      const PenetrationResult deep = penetration(a, b);
      if (deep.value)
        picture.caption.push_back(fmt::format("depth {}; moving A by {} separates them", exact_text(deep.value->depth), short_text(deep.value->vector)));
      else
        picture.caption.push_back(deep.reason == NoPenetration::touching    ? "they only touch: there is no depth"
                                  : deep.reason == NoPenetration::unbounded ? "no finite translation separates them"
                                                                            : "the depth of these shapes is undecided");
      picture.caption.push_back(fmt::format("{} contact{}{}", list.size(), list.size() == 1 ? "" : "s",
                                            list.empty() ? "" : fmt::format("; the first at {}", short_text(list[0].point))));
    }
    picture.caption.push_back(fmt::format("A moved by {}", exact_text(poses_[0].translation)));
    if (lesson_) picture.caption.insert(picture.caption.begin(), lesson_->title);
    if (!note_.empty()) picture.caption.push_back(note_);
    if (handles_) add_gizmo(picture, center_of(chosen_), kHandles, hovered_);
    picture.focus = focus_;
    picture.camera = fit(*picture.focus, Vec3(0.35, -1, 0.5), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  static std::size_t at_index(int i) { return static_cast<std::size_t>(i); }
  void take_sample(int i, int which) {
    const Sample& sample = samples()[at_index(which)];
    names_[at_index(i)] = sample.name;
    shapes_[at_index(i)] = sample.shape;
  }
  void next_sample(int i) { take_sample(i, (index_of(names_[at_index(i)]) + 1) % static_cast<int>(samples().size())); }
  void home() {
    if (lesson_) return reset();
    poses_ = {translation(Vec3(-1.1, 0, 0.1)), translation(Vec3(0.5, 0, 0))};
    focus_ = Box{Vec3(-1.2, -0.7, -0.62), Vec3(1.2, 0.7, 0.75)};
    note_.clear();
  }
  void choose(const char* label, int i) {
    if (!ImGui::BeginCombo(label, names_[at_index(i)].c_str())) return;
    for (int k = 0; k < static_cast<int>(samples().size()); ++k)
      if (ImGui::Selectable(samples()[at_index(k)].name, names_[at_index(i)] == samples()[at_index(k)].name)) take_sample(i, k);
    ImGui::EndCombo();
  }
  /// Centre of the shape's box in its own frame; the origin for unbounded shapes.
  Vec3 middle_of(int i) const {
    const Box box = bounding_box(shapes_[at_index(i)]);
    const Vec3 middle = box.center();
    return std::isfinite(length(box.max - box.min)) ? middle : Vec3(0, 0, 0);
  }
  Vec3 center_of(int i) const { return poses_[at_index(i)].apply(middle_of(i)); }
  /// A's pose with its centre at that x.
  Pose pose_at(double x) const {
    Pose pose = poses_[0];
    pose.translation.x = x - poses_[0].rotate(middle_of(0)).x;
    return pose;
  }
  bool touch_at(double x) const { return intersects(at(shapes_[0], pose_at(x)), at(shapes_[1], poses_[1])); }
  void nudge(int by) {
    const double x = from_order(order(center_of(0).x) + by);
    poses_[0] = pose_at(x);
    note_ = fmt::format("moved by one ulp to x = {}: {}", exact_text(x), touch_at(x) ? "they touch" : "apart");
  }
  /// Bisects the doubles between a position with contact and one without, on A's side of B, until they are neighbours.
  void to_contact() {
    const double start = center_of(0).x, side = start <= center_of(1).x ? -1 : 1, far = center_of(1).x + side * 8;
    double in = start;
    for (int i = 0; i <= 400 && !touch_at(in); ++i) in = start - side * 0.02 * i;
    if (!touch_at(in) || touch_at(far)) {
      note_ = touch_at(in) ? "along x they are never apart" : "along x they never touch";
      return;
    }
    std::int64_t yes = order(in), no = order(far);
    while (std::abs(yes - no) > 1) {
      const std::int64_t middle = no + (yes - no) / 2;
      (touch_at(from_order(middle)) ? yes : no) = middle;
    }
    poses_[0] = pose_at(from_order(yes));
    note_ = fmt::format("x = {} still touches, the next double {} does not: press {}", exact_text(from_order(yes)), exact_text(from_order(no)),
                        no < yes ? "-" : "+");
  }

  static constexpr double kHandles = 0.8;  // their size
  const Lesson* lesson_ = nullptr;         // the initial preset
  std::array<std::string, 2> names_;       // of A and B, as are shapes and poses
  std::array<AnyShape, 2> shapes_{Point{}, Point{}};
  std::array<Pose, 2> poses_;
  int chosen_ = 0, hovered_ = -1;
  bool handles_ = true, glass_ = false;
  Box focus_;
  std::string note_, refused_;
};

}  // namespace

std::unique_ptr<Demo> make_primitives() { return std::make_unique<Primitives>(); }

}  // namespace graze::view
