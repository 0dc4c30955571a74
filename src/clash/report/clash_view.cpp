// The view of a finding. For display only, but the same on every machine: nothing but +, -, *, / and square roots.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <graze/clash.hpp>
#include <graze/query.hpp>
#include <optional>

#include "platform/fp_environment.hpp"

namespace graze {
namespace {

constexpr double kSine = 0.38268343236508977;  // of half the view's height

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Vec3& v) { return std::sqrt(dot(v, v)); }
double radius(const Box& box) { return length(box.max * 0.5 - box.min * 0.5); }
Vec3 middle(const Box& box) { return box.min * 0.5 + box.max * 0.5; }

/// Directions to the eye: four from above, four from below, each obliquely.
std::array<Vec3, 8> directions(Axis up) {
  const int u = static_cast<int>(up), h = (u + 1) % 3, k = (u + 2) % 3;
  std::array<Vec3, 8> out;
  double p = 0.55, q = -1;
  for (std::size_t i = 0; i < 8; ++i) {
    Vec3 d{0, 0, 0};
    d[h] = p;
    d[k] = q;
    d[u] = i < 4 ? 0.6 : -0.5;
    out[i] = d / length(d);
    const double turned = p;
    p = -q;
    q = turned;
  }
  return out;
}

/// The part of the direction across a line; nothing where the line would be seen from its end.
std::optional<Vec3> across(const Vec3& direction, const Vec3& line) {
  const double n = length(line);
  if (!(n > 0)) return direction;
  const Vec3 along = line / n, rest = direction - along * dot(direction, along);
  const double left = length(rest);
  if (left < 0.3) return {};
  return rest / left;
}

}  // namespace

ClashView view_clash(const Clash& clash, const ClashParts& parts, const ClashPart& a, const ClashPart& b, Axis up) {
  const DefaultFloatEnvironment guard;
  const ClashPart& smaller = radius(a.box) <= radius(b.box) ? a : b;
  const bool inside = clash.verdict == Verdict::a_in_b || clash.verdict == Verdict::b_in_a || clash.verdict == Verdict::identical;
  ClashView view;
  view.up = Vec3{0, 0, 0};
  view.up[static_cast<int>(up)] = 1;
  const Box& shown = !inside ? clash.region : clash.verdict == Verdict::a_in_b ? a.box : b.box;
  view.target = middle(shown);
  double reach = inside ? radius(shown) * 1.15 : std::max(radius(shown) * 1.7, radius(smaller.box) * 0.3);
  if (!(reach > 0)) reach = 1;  // points
  const double far = reach / kSine;
  const Vec3 line = clash.distance > 0 ? clash.region.max - clash.region.min : Vec3{0, 0, 0};
  int least = 4;  // 2 where the larger part hides the contact, 1 where the smaller one does, 3 where both do
  for (const Vec3& usual : directions(up)) {
    const std::optional<Vec3> direction = across(usual, line);
    if (!direction || std::abs(dot(*direction, view.up)) > 0.97) continue;
    const Vec3 eye = view.target + *direction * far, before = view.target + *direction * (far * 0.005);
    int hiding = 0;
    for (const ClashPart* part : {&a, &b})
      if (intersects(Segment{eye, before}, at(parts.meshes[part->mesh], part->pose))) hiding += part == &smaller ? 1 : 2;
    if (hiding >= least) continue;
    least = hiding;
    view.eye = eye;
    if (hiding == 0) break;
  }
  if (least == 4) view.eye = view.target + directions(up)[0] * far;
  if (least == 2 || least == 3) (&smaller == &a ? view.glass_b : view.glass_a) = true;
  return view;
}

}  // namespace graze
