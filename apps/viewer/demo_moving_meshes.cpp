// Demonstration: meshes whose vertices all move, each along its own line, with every contact in time.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/sweep.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

namespace {

class MovingMeshes : public Demo {
 public:
  MovingMeshes() : rock_(rock_mesh(0.9, 3, 4)) {
    MeshData d;
    constexpr int n = 22;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) d.vertices.emplace_back(-1.2 + 2.4 * i / n, -1.2 + 2.4 * j / n, 1.25 + 0.06 * std::sin(i * 0.9) * std::cos(j * 0.7));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const auto at = [&](int x, int y) { return static_cast<std::uint32_t>(y * (n + 1) + x); };
        d.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        d.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    start_ = d.vertices;
    for (const Vec3& v : start_) {  // it falls, its rim faster than its middle
      const double r = std::hypot(v.x, v.y);
      end_.push_back(v + Vec3(0.12 * v.y, -0.12 * v.x, -0.55 - 0.5 * r));
    }
    cloth_.emplace(std::move(d));
    const std::vector<Vec3> rest(rock_.vertices().begin(), rock_.vertices().end());
    contacts_ = ccd(*cloth_, end_, rock_, rest);
  }
  std::string name() const override { return "moving-meshes"; }
  std::string title() const override { return "Moving meshes"; }
  std::string text() const override {
    return "Each vertex of the cloth moves on its own line. Every vertex that meets a face and every edge that meets an edge is found, each with its exact "
           "first time.";
  }
  std::vector<KeyHelp> keys() const override { return {{"Left / Right", "time"}, {"F", "to the first contact"}}; }
  void reset() override { t_ = contacts_.empty() ? 0 : contacts_.front().t; }
  bool moves() const override { return false; }
  bool key(Key key, char letter) override {
    if (key == Key::left) return t_ = std::max(0.0, t_ - 0.01), true;
    if (key == Key::right) return t_ = std::min(1.0, t_ + 0.01), true;
    if (letter == 'f') return reset(), true;
    return false;
  }
  void controls() override {
    auto t = static_cast<float>(t_);
    if (ImGui::SliderFloat("time", &t, 0, 1)) t_ = t;
    if (ImGui::Button("to the first contact")) reset();
  }
  void play(double u) override { t_ = u; }
  double still() const override { return contacts_.empty() ? 0.5 : contacts_.front().t + 0.12; }
  Picture picture() override {
    Picture picture;
    std::vector<Vec3> now;
    for (std::size_t i = 0; i < start_.size(); ++i) now.push_back(start_[i] * (1 - t_) + end_[i] * t_);
    picture.parts.push_back({surface_of(rock_), Pose{}, kStone});
    std::vector<Triangle> cloth;
    for (const TriangleIndices& t : cloth_->triangles()) cloth.push_back({{now[t[0]], now[t[1]], now[t[2]]}});
    picture.parts.push_back({surface_of(cloth), Pose{}, kSkyBlue, 0.5f, true, false, -1, true});
    std::size_t past = 0;
    for (const DeformingContact& c : contacts_) {
      if (c.t > t_) break;
      ++past;
      if (past > 3000) continue;
      const auto cloth_at = [&](std::uint32_t v) { return start_[v] * (1 - c.t) + end_[v] * c.t; };
      const auto rock_at = [&](std::uint32_t v) { return rock_.vertices()[v]; };
      Vec3 p;
      if (c.kind == DeformingContact::Kind::vertex_face)
        p = cloth_at(c.vertices[0]);
      else if (c.kind == DeformingContact::Kind::face_vertex)
        p = rock_at(c.vertices[3]);
      else
        p = closest(Segment{cloth_at(c.vertices[0]), cloth_at(c.vertices[1])}, Segment{rock_at(c.vertices[2]), rock_at(c.vertices[3])}).on_b;
      picture.dots.push_back({p, c.kind == DeformingContact::Kind::edge_edge ? kBlue : kColorHit, 8, true});
    }
    picture.title = past == 0 ? "Moving meshes: no contact yet" : "Moving meshes: contacts so far";
    picture.caption = {fmt::format("t = {:.3f}: {} of {} contacts have happened", t_, past, contacts_.size())};
    if (!contacts_.empty()) picture.caption.push_back(fmt::format("the first at t = {}", exact_text(contacts_.front().t)));
    picture.legend = {{kColorHit, "a vertex met a face"}, {kBlue, "an edge met an edge"}};
    picture.focus = Box{Vec3(-1.3, -1.3, -0.6), Vec3(1.3, 1.3, 1.2)};
    picture.camera = fit(*picture.focus, Vec3(0.3, -1, 0.6), Vec3(0, 0, 1), 1.6);
    return picture;
  }

 private:
  Mesh rock_;
  std::optional<Mesh> cloth_;
  std::vector<Vec3> start_, end_;
  std::vector<DeformingContact> contacts_;
  double t_ = 0;
};

}  // namespace

std::unique_ptr<Demo> make_moving_meshes() { return std::make_unique<MovingMeshes>(); }

}  // namespace graze::view
