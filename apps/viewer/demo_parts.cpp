// Shared by several demonstrations: pairs of meshes with their query results, procedural models, rotation, and numbers as text.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

PairFacts facts_of(ShapeRef a, ShapeRef b) {
  PairFacts facts;
  facts.pairs = intersecting_triangles(a, b);
  if (facts.pairs.empty()) facts.closest = closest(a, b);
  return facts;
}

namespace {

std::uint8_t pale(std::uint8_t x) { return static_cast<std::uint8_t>(x + (255 - x) * 55 / 100); }

Triangle placed_triangle(const Mesh& mesh, const Pose& pose, std::uint32_t triangle) {
  Triangle t = triangle_of(mesh, triangle);
  for (Vec3& p : t.points) p = pose.apply(p);
  return t;
}

}  // namespace

void ContactShape::add(const Triangle& a, const Triangle& b) {
  const CommonPoints c = common_points(a, b);
  if (c.count == 1 && !c.no_area) dots.push_back({c.points[0], kColorHit, 12, true});
  if (c.count == 2) strokes.push_back({c.points[0], c.points[1], kColorHit, 4, true});
  for (int k = 1; k + 1 < c.count; ++k) area.push_back({{c.points[0], c.points[static_cast<std::size_t>(k)], c.points[static_cast<std::size_t>(k + 1)]}});
}

void ContactShape::show(Picture& picture) const {
  picture.strokes.insert(picture.strokes.end(), strokes.begin(), strokes.end());
  std::set<std::array<double, 3>> drawn;  // points that lie on a curve or area, too
  const auto key = [](const Vec3& p) { return std::array{p.x, p.y, p.z}; };
  if (!dots.empty()) {
    for (const Stroke& s : strokes) drawn.insert({key(s.a), key(s.b)});
    for (const Triangle& t : area)
      for (const Vec3& p : t.points) drawn.insert(key(p));
  }
  for (const Dot& d : dots)
    if (drawn.insert(key(d.at)).second) picture.dots.push_back(d);
  if (!area.empty()) picture.parts.push_back({surface_of(area, false), Pose{}, kColorHit, 1, false, true, -1, false, false});
}

void add_pair(Picture& picture, const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const PairFacts& facts, const PairLook& look, int id_a,
              int id_b) {
  const bool touch = !facts.pairs.empty();
  const auto shade = [&](Color c) { return look.pale ? Color{pale(c.r), pale(c.g), pale(c.b)} : c; };
  picture.parts.push_back({surface_of(a), pose_a, shade(kColorA), look.opacity_a, true, false, id_a, true});
  picture.parts.push_back({surface_of(b), pose_b, shade(kColorB), look.opacity_b, true, false, id_b, true});
  if (touch && look.triangles) {
    std::vector<std::uint32_t> hit_a, hit_b;
    for (const TrianglePair& p : facts.pairs) {
      if (hit_a.size() >= look.most) break;
      hit_a.push_back(p.a);
      hit_b.push_back(p.b);
    }
    for (auto [list, mesh, pose, shade] : {std::tuple{&hit_a, &a, &pose_a, kColorHit}, std::tuple{&hit_b, &b, &pose_b, kColorHit}}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
      picture.parts.push_back({surface_of(*mesh, *list), *pose, shade, 1, true, true, -1, false, false});
    }
  }
  if (touch && look.curve) {
    ContactShape shape;
    for (std::size_t i = 0; i < facts.pairs.size() && i < look.most; ++i)
      shape.add(placed_triangle(a, pose_a, facts.pairs[i].a), placed_triangle(b, pose_b, facts.pairs[i].b));
    if (look.triangles)
      for (Stroke& s : shape.strokes) s.color = kBlack;  // on triangles of the other colour
    shape.show(picture);
  }
  if (facts.closest && look.distance && std::isfinite(facts.closest->distance)) {
    picture.strokes.push_back({facts.closest->on_a, facts.closest->on_b, kColorDistance, 4, true});
    picture.dots.push_back({facts.closest->on_a, kColorDistance, 12, true});
    picture.dots.push_back({facts.closest->on_b, kColorDistance, 12, true});
    picture.labels.push_back({facts.closest->on_a * 0.5 + facts.closest->on_b * 0.5, fmt::format("{:.6g}", facts.closest->distance)});
  }
}

Mesh torus_mesh(double ring, double tube, int around, int across) {
  MeshData d;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double a = 2 * std::numbers::pi * i / around, b = 2 * std::numbers::pi * j / across, r = ring + tube * std::cos(b);
      d.vertices.emplace_back(r * std::cos(a), r * std::sin(a), tube * std::sin(b));
    }
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const auto at = [&](int x, int y) { return static_cast<std::uint32_t>((x % around) * across + y % across); };
      d.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      d.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return Mesh(std::move(d));
}

Mesh rock_mesh(double radius, int level, unsigned seed) {
  MeshData d;
  const double t = std::numbers::phi;
  d.vertices = {{-1, t, 0}, {1, t, 0}, {-1, -t, 0}, {1, -t, 0}, {0, -1, t}, {0, 1, t}, {0, -1, -t}, {0, 1, -t}, {t, 0, -1}, {t, 0, 1}, {-t, 0, -1}, {-t, 0, 1}};
  d.triangles = {{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                 {3, 9, 4},  {3, 4, 2}, {3, 2, 6}, {3, 6, 8},  {3, 8, 9},   {4, 9, 5}, {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int i = 0; i < level; ++i) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middle;
    const auto between = [&](std::uint32_t a, std::uint32_t b) {
      const auto key = std::minmax(a, b);
      const auto [at, added] = middle.try_emplace(key, static_cast<std::uint32_t>(d.vertices.size()));
      if (added) d.vertices.push_back((d.vertices[a] + d.vertices[b]) * 0.5);
      return at->second;
    };
    std::vector<TriangleIndices> next;
    for (const auto& f : d.triangles) {
      const std::uint32_t ab = between(f[0], f[1]), bc = between(f[1], f[2]), ca = between(f[2], f[0]);
      next.insert(next.end(), {{f[0], ab, ca}, {ab, f[1], bc}, {ca, bc, f[2]}, {ab, bc, ca}});
    }
    d.triangles = std::move(next);
  }
  std::uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
  const auto random = [&] {  // -1..1
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 40) / static_cast<double>(1 << 23) - 1;
  };
  std::array<Vec3, 7> waves;
  for (Vec3& w : waves) w = random_vector(random) * 4.0;
  for (Vec3& v : d.vertices) {
    const Vec3 u = unit(v);
    double r = 1;
    for (std::size_t i = 0; i < waves.size(); ++i) r += 0.09 * std::sin(dot(waves[i], u) + static_cast<double>(i));
    v = u * (radius * (r + 0.015 * random()));
  }
  return Mesh(std::move(d));
}

Mesh terrain_mesh(double size, int cells) {
  MeshData d;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      const double x = size * (static_cast<double>(i) / cells - 0.5), y = size * (static_cast<double>(j) / cells - 0.5), s = 6 / size;
      d.vertices.emplace_back(x, y, size * 0.04 * (std::sin(x * s) + std::cos(y * s * 1.3 + 1) + 0.5 * std::sin((x + y) * s * 2.1)));
    }
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const auto at = [&](int x, int y) { return static_cast<std::uint32_t>(y * (cells + 1) + x); };
      d.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      d.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return Mesh(std::move(d));
}

bool same_pose(const Pose& p, const Pose& q) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (p.rotation[i][j] != q.rotation[i][j]) return false;
  return p.translation == q.translation;
}

Pose turned_about(const Pose& pose, const Vec3& middle, const Vec3& axis, double angle) {
  Vec3 columns[3];
  for (int j = 0; j < 3; ++j) columns[j] = turned(Vec3(pose.rotation[0][j], pose.rotation[1][j], pose.rotation[2][j]), axis, angle);
  columns[0] = unit(columns[0]);  // remains a rotation after any number of turns
  columns[1] = unit(columns[1] - columns[0] * dot(columns[0], columns[1]));
  columns[2] = cross(columns[0], columns[1]);
  Pose result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result.rotation[i][j] = columns[j][i];
  result.translation = middle + turned(pose.translation - middle, axis, angle);
  return result;
}

Vec3 axis_vector(Axis axis) { return axis == Axis::x ? Vec3(1, 0, 0) : axis == Axis::y ? Vec3(0, 1, 0) : Vec3(0, 0, 1); }
Vec3 usual_direction(Axis up) { return up == Axis::x ? Vec3(0.5, 0.55, -1) : up == Axis::y ? Vec3(0.55, 0.5, 1) : Vec3(0.55, -1, 0.5); }

std::string exact_text(double x) { return fmt::format("{}", x); }
std::string exact_text(const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }
std::string short_text(double x) { return fmt::format("{:.6g}", x + 0.0); }  // no "-0"
std::string short_text(const Vec3& v) { return fmt::format("({}, {}, {})", short_text(v.x), short_text(v.y), short_text(v.z)); }

std::pair<std::string, std::string> short_texts(const Vec3& a, const Vec3& b) {
  double largest = 0, difference = 0;
  for (int k = 0; k < 3; ++k) {
    largest = std::max({largest, std::abs(a[k]), std::abs(b[k])});
    difference = std::max(difference, std::abs(a[k] - b[k]));
  }
  int digits = 6;
  if (difference > 0) digits = static_cast<int>(std::clamp(std::ceil(std::log10(largest) - std::log10(difference)) + 3, 6.0, 17.0));
  const auto text = [&](const Vec3& v) { return fmt::format("({:.{}g}, {:.{}g}, {:.{}g})", v.x + 0.0, digits, v.y + 0.0, digits, v.z + 0.0, digits); };
  return {text(a), text(b)};
}

}  // namespace graze::view
