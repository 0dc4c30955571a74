// Demonstration: two meshes. Spheres of the hierarchy, boxes of the trees by level, intersecting triangles, the intersection curve, and closest points when
// apart. Also shows the user's own models.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>
#include "viewer/levels.hpp"
#include "viewer/pair_verdict.hpp"

namespace graze::view {

namespace {

bool apart(const PairVerdict::Answer& answer) {
  return answer.verdict.surfaces == contact::Surfaces::apart && (!answer.verdict.relation || answer.verdict.relation == Relation::disjoint);
}

/// The verdict in the words of `graze check`, with the distance of models that are apart.
std::string words_of(const PairVerdict::Answer& answer) {
  const std::string text = contact::text_of(answer.verdict);
  return apart(answer) ? fmt::format("{} by {}", text, short_text(answer.facts.closest->distance)) : text;
}

/// The pairs of triangles, or the exact distance.
std::string figures_of(const PairVerdict::Answer& answer, const std::string& of_all) {
  const std::size_t pairs = answer.facts.pairs.size();
  if (pairs == 0) return fmt::format("distance{} {}", apart(answer) ? "" : " of the surfaces", exact_text(answer.facts.closest->distance));
  return fmt::format("{}{} {} of triangles intersect", pairs, of_all, pairs == 1 && of_all.empty() ? "pair" : "pairs");
}

class TwoMeshes : public Demo {
 public:
  TwoMeshes() : a_(torus_mesh(1, 0.38, 64, 28)), b_(rock_mesh(0.8, 4, 5)), verdict_(a_, b_) {
    for (unsigned level = 0;; ++level) {  // down to the leaves of both trees
      std::vector<Box> a = tree_boxes(a_, level), b = tree_boxes(b_, level);
      if (level > 0 && a.size() == levels_a_.back().size() && b.size() == levels_b_.back().size()) break;
      levels_a_.push_back(std::move(a));
      levels_b_.push_back(std::move(b));
    }
    look_.triangles = true;
    TwoMeshes::reset();
  }
  std::string name() const override { return "two-meshes"; }
  std::string title() const override { return "Two meshes"; }
  std::string text() const override {
    return "Drag one mesh through the other (Ctrl and drag turns it). Every pair of triangles that shares a point is found, and no other; so is how "
           "the solids lie to each other. When the surfaces are apart: the shortest line between them. The hierarchy of spheres (L) and the boxes of the trees "
           "(T), level by level, rule out nearly all pairs of "
           "triangles.";
  }
  std::vector<Preset> presets() const override {
    return {{"objects", "level 1 of the hierarchy: object boxes and spheres"},
            {"triangle-spheres", "level 2: boxes and spheres of triangles"},
            {"triangles", "level 3: triangles"},
            {"corners", "corners of the bounding boxes by name"}};
  }
  void choose_preset(std::size_t index) override {
    if (index < 3) levels_view_.show(static_cast<int>(index));
    levels_view_.show_corners(index == 3);
    glass_ = true;
  }
  std::vector<KeyHelp> keys() const override {
    std::vector<KeyHelp> list{{"Arrow keys", "B by 0.02 along x and z"},
                              {"T", "boxes of the trees: next level, after the leaves none"},
                              {"0 to 9", "boxes of that level"},
                              {"G", "glass"}};
    for (KeyHelp& k : Levels::keys()) list.push_back(std::move(k));
    return list;
  }
  void reset() override {
    pose_a_ = Pose{};
    pose_b_ = translation(Vec3(1.15, 0.1, 0.55));
  }
  bool key(Key key, char letter) override {
    switch (key) {
      case Key::left:
        pose_b_.translation.x -= 0.02;
        return true;
      case Key::right:
        pose_b_.translation.x += 0.02;
        return true;
      case Key::up:
        pose_b_.translation.z += 0.02;
        return true;
      case Key::down:
        pose_b_.translation.z -= 0.02;
        return true;
      default:
        break;
    }
    if (letter == 't') return level_ = level_ == last_level() ? -1 : level_ + 1, true;
    if (letter >= '0' && letter <= '9') return level_ = std::min(letter - '0', last_level()), true;
    if (letter == 'g') return glass_ = !glass_, true;
    return levels_view_.key(letter);
  }
  void controls() override {
    ImGui::Checkbox("triangles that intersect", &look_.triangles);
    ImGui::Checkbox("the curve where they cut", &look_.curve);
    ImGui::Checkbox("nearest points", &look_.distance);
    levels_view_.controls();
    ImGui::SliderInt("tree boxes", &level_, -1, last_level(), level_ < 0 ? "none" : level_ == last_level() ? "leaves" : "level %d");
    ImGui::Checkbox("glass", &glass_);
    if (ImGui::Button("reset placement")) reset();
  }
  std::vector<Handle> handles() const override { return {{0, a_, pose_a_}, {1, b_, pose_b_}}; }
  void drag(int id, const Vec3& by) override { (id == 0 ? pose_a_ : pose_b_).translation += by; }
  void turn(int id, const Vec3& axis, double angle) override {
    Pose& pose = id == 0 ? pose_a_ : pose_b_;
    pose = turned_about(pose, pose.translation, axis, angle);
  }
  void hurry() override { verdict_.hurry(); }
  std::string pending() const override { return verdict_.progress(); }
  bool arrived() const override { return verdict_.arrived(); }
  void play(double u) override {
    pose_a_ = Pose{};
    pose_b_ = translation(Vec3(2.5 - 3.2 * u, 0.1, 0.5));
    pose_b_ = turned_about(pose_b_, pose_b_.translation, Vec3(0, 0, 1), 2 * u);
  }
  double still() const override { return 0.42; }

  Picture picture() override {
    Picture picture;
    const PairVerdict::Answer* answer = verdict_.at_poses(pose_a_, pose_b_);
    const PairFacts facts = answer ? answer->facts : PairFacts{};
    look_.opacity_a = look_.opacity_b = glass_ ? 0.3f : 1;
    add_pair(picture, a_, pose_a_, b_, pose_b_, facts, look_);
    if (level_ >= 0)
      for (const auto& [boxes, pose, color] : {std::tuple{&levels_a_[level()], &pose_a_, kFrameA}, std::tuple{&levels_b_[level()], &pose_b_, kFrameB}})
        for (const Box& box : *boxes) add_box_edges(picture, box, *pose, color, level_ < 2 ? 2.5f : 1.5f);
    picture.title = answer ? "Two meshes: " + words_of(*answer) : "Two meshes";
    picture.legend = {{kColorA, fmt::format("A, {} triangles", a_.size())}, {kColorB, fmt::format("B, {} triangles", b_.size())}};
    if (answer) picture.caption.push_back(figures_of(*answer, fmt::format(" of {}", a_.size() * b_.size())));
    if (facts.closest) {
      picture.legend.push_back({kColorDistance, "nearest points"});
      picture.caption.push_back(fmt::format("triangle {} of A, triangle {} of B", *facts.closest->triangle_a, *facts.closest->triangle_b));
    } else if (answer) {
      picture.legend.push_back({kColorHit, "triangles that intersect"});
    }
    if (level_ >= 0) {
      picture.legend.push_back({kFrameA, fmt::format("A, boxes: {}", levels_a_[level()].size())});
      picture.legend.push_back({kFrameB, fmt::format("B, boxes: {}", levels_b_[level()].size())});
      picture.caption.push_back(level_ == last_level() ? "boxes of the trees' leaves"
                                                       : fmt::format("boxes of the trees at level {} of {}", level_, last_level()));
    }
    levels_view_.add(picture, a_, pose_a_, b_, pose_b_);
    picture.caption.push_back(fmt::format("B placed at {}", short_text(pose_b_.translation)));
    picture.focus = Box{Vec3(-1.25, -1.1, -0.6), Vec3(1.9, 1, 1.05)};
    picture.camera = fit(*picture.focus, Vec3(0.25, -1, 0.75), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  int last_level() const { return static_cast<int>(levels_a_.size()) - 1; }
  std::size_t level() const { return static_cast<std::size_t>(level_); }

  Mesh a_, b_;
  PairVerdict verdict_;
  std::vector<std::vector<Box>> levels_a_, levels_b_;  // by level
  int level_ = -1;                                     // -1: no boxes
  Levels levels_view_;
  Pose pose_a_, pose_b_;
  PairLook look_;
  bool glass_ = false;
};

constexpr Color kModelColors[] = {kSkyBlue, kOrange, kGreen, kPurple, kYellow, kBlue, kStone};

class Models : public Demo {
 public:
  Models(std::vector<NamedMesh> models, cli::UpAxis up, std::vector<cli::ModelNote> notes)
      : models_(std::move(models)), start_(models_), up_(up.axis), guess_(std::move(up.guess)), notes_(std::move(notes)) {
    bool any = false;
    for (const NamedMesh& m : models_) {
      if (m.mesh.size() == 0) continue;
      const Box b = bounding_box(at(m.mesh, m.pose));
      for (int k = 0; k < 3; ++k) {
        all_.min[k] = any ? std::min(all_.min[k], b.min[k]) : b.min[k];
        all_.max[k] = any ? std::max(all_.max[k], b.max[k]) : b.max[k];
      }
      any = true;
    }
  }
  std::string name() const override { return "models"; }
  std::string title() const override { return "Your models"; }
  std::string text() const override {
    return "Drag a model with the mouse (Ctrl and drag turns it). With two models their verdict is kept up to date; drop files on the window to look at "
           "others.";
  }
  std::vector<KeyHelp> keys() const override {
    std::vector<KeyHelp> list{{"G", "glass"}, {"U", "the axis that points up"}};
    for (KeyHelp& k : Levels::keys()) list.push_back(std::move(k));
    return list;
  }
  std::string guess() const override { return guess_; }
  void reset() override { models_ = start_; }
  bool key(Key, char letter) override {
    if (letter == 'g') return glass_ = !glass_, true;
    if (letter == 'u') return set_up((static_cast<int>(up_) + 1) % 3), true;
    return levels_.key(letter);
  }
  void controls() override {
    int axis = static_cast<int>(up_);
    if (ImGui::Combo("up", &axis, "x\0y\0z\0")) set_up(axis);
    for (const NamedMesh& m : models_) ImGui::BulletText("%s: %zu triangles", m.name.c_str(), m.mesh.size());
    ImGui::Checkbox("glass", &glass_);
    levels_.controls();
    if (ImGui::Button("reset placement")) reset();
  }
  std::vector<Handle> handles() const override {
    std::vector<Handle> list;
    for (std::size_t i = 0; i < models_.size(); ++i) list.push_back({static_cast<int>(i), models_[i].mesh, models_[i].pose});
    return list;
  }
  void drag(int id, const Vec3& by) override { models_[static_cast<std::size_t>(id)].pose.translation += by; }
  void turn(int id, const Vec3& axis, double angle) override {
    NamedMesh& m = models_[static_cast<std::size_t>(id)];
    const Box b = bounding_box(at(m.mesh, m.pose));
    m.pose = turned_about(m.pose, b.min * 0.5 + b.max * 0.5, axis, angle);
  }
  void hurry() override { hurry_ = true; }
  std::string pending() const override { return verdict_ ? verdict_->progress() : ""; }
  bool arrived() const override { return verdict_ && verdict_->arrived(); }
  void play(double u) override { turn_ = u; }
  double still() const override { return 0; }

  Picture picture() override {
    Picture picture;
    std::size_t triangles = 0;
    for (const NamedMesh& m : models_) {
      triangles += m.mesh.size();
      picture.title += (picture.title.empty() ? "" : ", ") + m.name;
    }
    const float opacity = glass_ ? 0.3f : 1;
    if (models_.size() == 2 && models_[0].mesh.size() && models_[1].mesh.size()) {
      const NamedMesh &a = models_[0], &b = models_[1];
      if (!verdict_) verdict_.emplace(a.mesh, b.mesh);
      if (hurry_) verdict_->hurry();
      const PairVerdict::Answer* answer = verdict_->at_poses(a.pose, b.pose);
      PairLook look;
      look.opacity_a = look.opacity_b = opacity;
      add_pair(picture, a.mesh, a.pose, b.mesh, b.pose, answer ? answer->facts : PairFacts{}, look);
      picture.title = fmt::format("A: {}, B: {}", a.name, b.name);
      picture.legend = {{kColorA, "A: " + a.name}, {kColorB, "B: " + b.name}};
      if (answer) {
        picture.title = fmt::format("{} ({})", words_of(*answer), picture.title);
        picture.caption.push_back(figures_of(*answer, ""));
      }
      levels_.add(picture, a.mesh, a.pose, b.mesh, b.pose);
    } else {
      for (std::size_t i = 0; i < models_.size(); ++i) {
        const Color color = kModelColors[i % std::size(kModelColors)];
        picture.parts.push_back({surface_of(models_[i].mesh), models_[i].pose, color, opacity, true, false, static_cast<int>(i), true});
        levels_.add_corners(picture, "box of " + models_[i].name, models_[i].mesh, models_[i].pose, models_.size() == 1 ? kFrameA : kInk);
        if (models_.size() > 1 && i < 12) picture.legend.push_back({color, models_[i].name});
      }
    }
    picture.caption.push_back(fmt::format("{} triangles; {} to {}", triangles, short_text(all_.min), short_text(all_.max)));
    if (!guess_.empty()) picture.caption.push_back(guess_);
    for (std::string& line : cli::caption_of(notes_)) picture.caption.push_back(std::move(line));
    picture.focus = all_;
    if (!fitted_) {  // once, so that the view does not change while models are dragged
      Picture start;
      for (const NamedMesh& m : start_) start.parts.push_back({surface_of(m.mesh), m.pose});
      fitted_ = fit(start, usual_direction(up_), axis_vector(up_), 1.6);
    }
    const double angle = turn_ * 6.283185307179586;
    picture.camera = turn_ == 0 ? *fitted_ : fit(all_, turned(usual_direction(up_), axis_vector(up_), angle), axis_vector(up_), 1.45);
    return picture;
  }

 private:
  void set_up(int axis) {
    up_ = static_cast<Axis>(axis);
    guess_.clear();
    fitted_.reset();
  }
  std::vector<NamedMesh> models_, start_;
  Axis up_;
  std::string guess_;  // of up_: says so
  std::vector<cli::ModelNote> notes_;
  Box all_{Vec3(0, 0, 0), Vec3(1, 1, 1)};
  bool glass_ = false, hurry_ = false;
  double turn_ = 0;
  Levels levels_;
  std::optional<PairVerdict> verdict_;  // of two models
  std::optional<Camera> fitted_;
};

}  // namespace

std::unique_ptr<Demo> make_two_meshes() { return std::make_unique<TwoMeshes>(); }
std::unique_ptr<Demo> make_models_demo(std::vector<NamedMesh> models, cli::UpAxis up, std::vector<cli::ModelNote> notes) {
  return std::make_unique<Models>(std::move(models), std::move(up), std::move(notes));
}

}  // namespace graze::view
