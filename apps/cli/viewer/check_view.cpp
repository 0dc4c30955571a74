// Tries directions by segments from the eye to points of the models and of their contact.
#include "cli/viewer/check_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <graze/query.hpp>
#include <numbers>
#include <vector>

#include "viewer/demo.hpp"

namespace graze::cli {
namespace {

using view::cross;
using view::dot;
using view::length;
using view::unit;

constexpr std::size_t kTried = 200;                     // points of each model, and of the contact
constexpr double kModelShown = 0.2, kMarksShown = 0.3;  // the least parts of these points that must be visible
constexpr double kSmall = 0.125;                        // a model smaller than this part of the other one is shown again from nearby,
constexpr double kSmallContact = 0.025;                 // and so is a contact or gap smaller than this part of the whole,
constexpr double kFlat = 1e-5;                          // unless it is so small that single precision cannot draw it

double diagonal(const Box& box) { return length(box.max - box.min); }
Vec3 middle(const Box& box) { return box.min * 0.5 + box.max * 0.5; }

std::vector<Vec3> some(const Mesh& mesh) {
  std::vector<Vec3> points;
  const std::size_t step = std::max<std::size_t>(1, mesh.size() / kTried);
  for (std::size_t i = 0; i < mesh.size(); i += step) {
    const Triangle t = view::triangle_of(mesh, static_cast<std::uint32_t>(i));
    points.push_back(t.points[0] / 3.0 + t.points[1] / 3.0 + t.points[2] / 3.0);
  }
  return points;
}

/// The parts, from 0 to 1, that are visible from an eye.
struct Seen {
  double a = 1, b = 1;                             // not behind the other model
  double marks = 1, without_a = 1, without_b = 1;  // of the contact: as it is, and if one model were of glass
  double score() const { return std::min(a / kModelShown, 1.0) + std::min(b / kModelShown, 1.0) + 2 * std::min(marks / kMarksShown, 1.0); }
};

class Views {
 public:
  Views(const CheckSight& sight, const std::vector<Vec3>& marks) : sight_(sight), a_(some(sight.a)), b_(some(sight.b)) {
    const std::size_t step = std::max<std::size_t>(1, marks.size() / kTried);
    for (std::size_t i = 0; i < marks.size(); i += step) marks_.push_back(marks[i]);
    const double size_a = diagonal(bounding_box(sight.a)), size_b = diagonal(bounding_box(sight.b));
    a_is_smaller_ = size_a < size_b;
    lift_ = 0.01 * std::min(size_a, size_b);
  }

  /// Seen from the eye of the picture and, for what the inset shows, from that of the inset.
  Seen seen(const Vec3& eye, const std::optional<Vec3>& near_eye) const {
    const Vec3& close = near_eye ? *near_eye : eye;
    Seen s;
    s.a = shown(a_, sight_.b, near_eye && a_is_smaller_ ? close : eye);
    s.b = shown(b_, sight_.a, near_eye && !a_is_smaller_ ? close : eye);
    if (marks_.empty()) return s;
    double free = 0, not_behind_b = 0, not_behind_a = 0;
    for (const Vec3& p : marks_) {
      const bool behind_a = hides(sight_.a, close, p), behind_b = hides(sight_.b, close, p);
      free += !behind_a && !behind_b;
      not_behind_b += !behind_b;
      not_behind_a += !behind_a;
    }
    const auto n = static_cast<double>(marks_.size());
    s.marks = free / n;
    s.without_a = not_behind_b / n;
    s.without_b = not_behind_a / n;
    return s;
  }

 private:
  bool hides(const Mesh& mesh, const Vec3& eye, const Vec3& point) const {
    if (&mesh == &sight_.a ? sight_.b_inside : sight_.a_inside) return false;  // it is of glass
    const Vec3 to_eye = eye - point;
    const double far = length(to_eye);
    const Vec3 before = point + to_eye * std::min(0.5, lift_ / far);  // marks lie on both surfaces
    if (!(far > 0) || !std::isfinite(far) || !std::isfinite(length(before))) return false;
    return intersects(Segment{eye, before}, mesh);
  }
  double shown(const std::vector<Vec3>& points, const Mesh& other, const Vec3& eye) const {
    if (points.empty()) return 1;
    const auto n = std::count_if(points.begin(), points.end(), [&](const Vec3& p) { return !hides(other, eye, p); });
    return static_cast<double>(n) / static_cast<double>(points.size());
  }

  const CheckSight& sight_;
  std::vector<Vec3> a_, b_, marks_;
  bool a_is_smaller_ = false;
  double lift_ = 0;
};

/// What an inset is to show, if the picture would show it too small.
std::optional<Box> small_thing(const CheckSight& s) {
  if (s.a.size() == 0 || s.b.size() == 0) return {};
  const Box box_a = bounding_box(s.a), box_b = bounding_box(s.b);
  const Box all{glm::min(box_a.min, box_b.min), glm::max(box_a.max, box_b.max)};
  const double size_a = diagonal(box_a), size_b = diagonal(box_b), whole = diagonal(all);
  if (!std::isfinite(whole)) return {};
  const auto grown = [&](const Box& box) {
    const Vec3 half(std::max(diagonal(box), 100 * kFlat * whole) * 0.35), at = middle(box);
    return Box{at - half, at + half};
  };
  if (std::min(size_a, size_b) < kSmall * whole && std::max(size_a, size_b) > std::min(size_a, size_b) / kSmall) return grown(size_a < size_b ? box_a : box_b);
  std::optional<Box> contact;
  if (s.regions && !s.regions->list.empty()) contact = s.regions->list[0].box;
  if (s.closest) contact = Box{glm::min(s.closest->on_a, s.closest->on_b), glm::max(s.closest->on_a, s.closest->on_b)};
  if (!contact || diagonal(*contact) > kSmallContact * whole || diagonal(*contact) < kFlat * whole) return {};
  return grown(*contact);
}

/// Across the line between the nearest points, which then appears at full length; else obliquely from above and from below, all around.
std::vector<Vec3> directions(const CheckSight& s) {
  const Vec3 up = view::axis_vector(s.up.axis), usual = unit(view::usual_direction(s.up.axis));
  std::vector<Vec3> list;
  constexpr int kAround = 8;
  const auto turned = [](const Vec3& v, const Vec3& axis, int i) { return view::turned(v, axis, 2 * std::numbers::pi * i / kAround); };
  if (s.closest && std::isfinite(s.closest->distance) && s.closest->distance > 0) {
    const Vec3 line = unit(s.closest->on_b - s.closest->on_a);
    Vec3 first = usual - line * dot(usual, line);
    if (length(first) < 0.2) first = cross(line, std::abs(line.x) < 0.7 ? Vec3(1, 0, 0) : Vec3(0, 1, 0));
    for (int i = 0; i < kAround; ++i) {
      Vec3 direction = unit(turned(unit(first), line, i));
      if (std::abs(dot(direction, up)) > 0.97) direction = unit(direction + (usual - up * 0.5) * 0.4);  // not straight from above
      list.push_back(direction);
    }
    return list;
  }
  for (const double high : {0.0, -2.0})  // the part of the usual height that is added
    for (int i = 0; i < kAround; ++i) list.push_back(unit(turned(usual + up * (high * dot(usual, up)), up, i)));
  return list;
}

view::Camera near_camera(const Box& box, const Vec3& direction, const Vec3& up) { return view::fit(box, direction, up, 1); }

}  // namespace

CheckView view_check(const CheckSight& sight, const view::Picture& picture, const std::vector<Vec3>& marks, double aspect, const view::Margins& margins) {
  const Views views(sight, marks);
  const Vec3 up = view::axis_vector(sight.up.axis);
  CheckView best;
  best.near = small_thing(sight);
  Seen seen;
  double most = -1;
  for (const Vec3& direction : directions(sight)) {
    const Vec3 eye = view::fit(picture, direction, up, aspect, margins).eye;
    const Seen now = views.seen(eye, best.near ? std::optional(near_camera(*best.near, direction, up).eye) : std::nullopt);
    if (!(now.score() > most)) continue;
    most = now.score();
    seen = now;
    best.direction = direction;
    if (most >= 4) break;
  }
  best.glass_a = sight.b_inside || seen.b < kModelShown;
  best.glass_b = sight.a_inside || seen.a < kModelShown;
  const double shown = best.glass_a && best.glass_b ? 1 : best.glass_a ? seen.without_a : best.glass_b ? seen.without_b : seen.marks;
  if (shown >= kMarksShown) return best;
  if (best.glass_a || best.glass_b || std::max(seen.without_a, seen.without_b) < kMarksShown) {
    best.glass_a = best.glass_b = true;
  } else {
    (seen.without_a >= seen.without_b ? best.glass_a : best.glass_b) = true;
  }
  return best;
}

void set_cameras(view::Picture& picture, const CheckView& chosen, const Vec3& up, double aspect, const view::Margins& margins) {
  picture.camera = view::fit(picture, chosen.direction, up, aspect, margins);
  if (!chosen.near) return;
  view::Inset inset{*chosen.near, near_camera(*chosen.near, chosen.direction, up), ""};
  const double far = length(picture.camera.eye - middle(*chosen.near)), close = length(inset.camera.eye - middle(*chosen.near));
  const double larger =
      view::kInsetSide * std::min(1.0, aspect) * far * std::tan(picture.camera.field_of_view / 2) / (close * std::tan(inset.camera.field_of_view / 2));
  inset.text = larger < 10 ? fmt::format("enlarged {:.1f} times", larger) : fmt::format("enlarged {:.0f} times", larger);
  picture.inset = inset;
}

}  // namespace graze::cli
