// Draws the levels of a hierarchy. Draws only as many volumes as can be distinguished; counts always include all of them.
#include "viewer/levels.hpp"
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace graze::view {

namespace {

constexpr const char* kLevels[] = {"1, objects", "2, triangle spheres", "3, triangles"};
constexpr std::size_t kMostBoxes = 600, kMostSpheres = 60;

std::string plural(std::uint64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

void add_triangles(Picture& picture, const SphereHierarchy& h, const std::vector<std::uint32_t>& triangles, Color color) {
  for (std::size_t i = 0; i < std::min(triangles.size(), kMostBoxes); ++i) add_box_edges(picture, h.triangle_boxes()[triangles[i]], Pose{}, color, 1.2f);
  const std::size_t step = std::max<std::size_t>(1, triangles.size() / kMostSpheres);  // spread over the object
  for (std::size_t i = 0; i < triangles.size(); i += step)
    add_wire_sphere(picture, h.triangle_spheres()[triangles[i]].center, h.triangle_spheres()[triangles[i]].radius, 12, 6, color, 1);
}

}  // namespace

std::vector<KeyHelp> Levels::keys() {
  return {{"L", "levels of the hierarchy: objects, triangle spheres, triangles, none"}, {"K", "corners of the bounding boxes by name"}};
}

void Levels::controls() {
  if (ImGui::BeginCombo("hierarchy", level_ < 0 ? "none" : kLevels[level_])) {
    for (int i = -1; i < 3; ++i)
      if (ImGui::Selectable(i < 0 ? "none" : kLevels[i], i == level_)) level_ = i;
    ImGui::EndCombo();
  }
  if (level_ == 1) ImGui::Checkbox("volumes of all triangles", &all_);
  ImGui::Checkbox("corners by name", &corners_);
}

bool Levels::key(char letter) {
  if (letter == 'l') return level_ = level_ == 2 ? -1 : level_ + 1, true;
  if (letter == 'k') return corners_ = !corners_, true;
  return false;
}

void Levels::add_corners(Picture& picture, const std::string& name, const Mesh& mesh, const Pose& pose, Color color) const {
  if (!corners_ || mesh.size() == 0) return;
  constexpr const char* kNames[] = {"A min,min,min", "B min,max,min", "C max,max,min", "D max,min,min",
                                    "E min,min,max", "F min,max,max", "G max,max,max", "H max,min,max"};
  const Box box = bounding_box(at(mesh, pose));
  add_box_edges(picture, box, Pose{}, color, 2.0f);
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = box.corner(static_cast<graze::Corner>(i));
    picture.dots.push_back({corner, color, 8, true});
    picture.labels.push_back({corner, kNames[i]});
  }
  picture.caption.push_back(fmt::format("{}: corner A {}, corner G {}, centre {}", name, short_text(box.min), short_text(box.max), short_text(box.center())));
}

void Levels::add(Picture& picture, const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  add_corners(picture, "box of A", a, pose_a, kFrameA);
  add_corners(picture, "box of B", b, pose_b, kFrameB);
  if (level_ < 0 || a.size() == 0 || b.size() == 0) return;
  if (!known_ || !same_pose(known_->pose_a, pose_a) || !same_pose(known_->pose_b, pose_b)) {
    known_.emplace(Known{pose_a, pose_b, SphereHierarchy(a, pose_a), SphereHierarchy(b, pose_b), {}, {}, 0});
    known_->left = candidate_pairs(known_->a, known_->b, &known_->counts);
    HierarchyCounts all;
    known_->hits = intersecting_triangles(known_->a, known_->b, &all).size();
  }
  const Known& k = *known_;
  const HierarchyCounts& c = k.counts;
  for (const auto& [h, color] : {std::pair{&k.a, kFrameA}, std::pair{&k.b, kFrameB}}) {
    if (level_ == 0) add_box_edges(picture, h->object_box(), Pose{}, color, 2.5f);
    if (level_ <= 1) add_wire_sphere(picture, h->object_sphere().center, h->object_sphere().radius, 24, 12, color, level_ == 0 ? 1.5f : 0.6f);
  }
  const bool first_separates = c.after_objects == 0, second_separates = !first_separates && k.left.empty();
  picture.caption.push_back(fmt::format("level 1, object spheres: 1 test, {}",
                                        first_separates ? "apart: it stops here" : fmt::format("they meet, {} left", plural(c.possible, "pair"))));
  if (level_ >= 1)
    picture.caption.push_back("level 2, triangle spheres: " + (first_separates ? "not needed"
                                                                               : fmt::format("{}, {} left{}", plural(c.sphere_tests, "test"), c.after_spheres,
                                                                                             second_separates ? ": it stops here" : "")));
  if (level_ == 2)
    picture.caption.push_back("level 3, triangles: " + (first_separates || second_separates ? "not needed"
                                                                                            : fmt::format("{}, {} left: {}", plural(c.after_spheres, "test"),
                                                                                                          k.hits, k.hits ? "they intersect" : "apart")));
  if (level_ == 1) {
    std::vector<std::uint32_t> of_a, of_b;
    if (all_) {
      for (std::uint32_t i = 0; i < a.size(); ++i) of_a.push_back(i);
      for (std::uint32_t i = 0; i < b.size(); ++i) of_b.push_back(i);
    } else {
      for (const TrianglePair& p : k.left) of_a.push_back(p.a), of_b.push_back(p.b);
      for (auto* list : {&of_a, &of_b}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
      }
    }
    add_triangles(picture, k.a, of_a, kFrameA);
    add_triangles(picture, k.b, of_b, kFrameB);
  }
  picture.legend.push_back({kFrameA, level_ == 1 ? all_ ? "A: boxes and spheres of triangles" : "A: remaining boxes and spheres" : "A: its box and sphere"});
  picture.legend.push_back({kFrameB, level_ == 1 ? all_ ? "B: boxes and spheres of triangles" : "B: remaining boxes and spheres" : "B: its box and sphere"});
  if (level_ == 2) picture.legend.resize(picture.legend.size() - 2);
}

}  // namespace graze::view
