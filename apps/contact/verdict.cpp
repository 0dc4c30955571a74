// Decides how surfaces lie to each other, where the relation of solids does not say it.
#include "contact/verdict.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace graze::contact {

namespace {

constexpr const char* kNames[] = {"apart", "touching", "crossing", "touching_or_crossing", "a_in_b", "b_in_a", "part_of_a_in_b", "part_of_b_in_a"};
constexpr const char* kTexts[] = {"apart",         "the surfaces touch", "the surfaces cross",      "the surfaces touch or cross",
                                  "A is inside B", "B is inside A",      "a part of A is inside B", "a part of B is inside A"};

Triangle corner_points(const Body& body, std::uint32_t triangle) {
  const TriangleIndices& t = body.mesh.triangles()[triangle];
  Triangle placed;
  for (std::size_t k = 0; k < 3; ++k) placed.points[k] = body.pose.apply(body.mesh.vertices()[t[k]]);
  return placed;
}

/// Surfaces without piercing triangles may still cross exactly along edges and corners. Then a triangle that meets the other model has a point inside that
/// model and off its surface. Tests corners, and the midpoints of edges and triangles that are representable.
bool reaches_inside(const Body& model, const Body& other, std::span<const TrianglePair> pairs, std::uint32_t TrianglePair::*side) {
  if (!other.solid) return false;
  std::vector<std::uint32_t> triangles;
  triangles.reserve(pairs.size());
  for (const TrianglePair& p : pairs) triangles.push_back(p.*side);
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  constexpr double kWeights[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {.5, .5, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .25, .25}, {.25, .5, .25}, {.25, .25, .5}};
  std::vector<Vec3> points;
  for (const std::uint32_t number : triangles) {
    const Triangle t = corner_points(model, number);
    for (const auto& w : kWeights) {
      Vec3 point;
      bool exact = true;
      for (int k = 0; k < 3; ++k) {
        const double x = w[0] * t.points[0][k], y = w[1] * t.points[1][k], z = w[2] * t.points[2][k], xy = x + y, sum = xy + z;
        exact = exact && xy - x == y && xy - y == x && sum - xy == z && sum - z == xy && (sum == 0 || std::fabs(sum) > 1e-300);
        point[k] = sum;
      }
      if (exact) points.push_back(point);
    }
  }
  const std::vector<std::uint8_t> in = contains(at(*other.solid, other.pose), points);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (in[i] && !intersects(Point{points[i]}, at(other.mesh, other.pose))) return true;
  return false;
}

enum class Inside { none, some, all };

/// How much of a model lies inside a solid whose surface it does not meet. Any used vertex decides for its connected piece.
Inside inside(const Body& model, const Body& other) {
  if (!other.solid || model.mesh.size() == 0) return Inside::none;
  std::vector<bool> used(model.mesh.vertices().size());
  for (const TriangleIndices& t : model.mesh.triangles())
    for (const std::uint32_t v : t) used[v] = true;
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) points.push_back(model.pose.apply(model.mesh.vertices()[i]));
  const std::vector<std::uint8_t> in = contains(at(*other.solid, other.pose), points);
  const auto count = static_cast<std::size_t>(std::count_if(in.begin(), in.end(), [](std::uint8_t x) { return x != 0; }));
  return count == 0 ? Inside::none : count == points.size() ? Inside::all : Inside::some;
}

/// The triangles of a model as a set. Each starts at its lowest corner, so that order, first corner, repetitions and the sign of 0 do not matter.
std::vector<std::array<double, 9>> oriented_triangles(const Body& body) {
  std::vector<std::array<double, 9>> list;
  list.reserve(body.mesh.size());
  for (std::uint32_t i = 0; i < body.mesh.size(); ++i) {
    const Triangle t = corner_points(body, i);
    const auto from = [&](std::size_t first) {
      std::array<double, 9> row;
      for (std::size_t k = 0; k < 9; ++k) row[k] = t.points[(first + k / 3) % 3][static_cast<int>(k % 3)] + 0.0;  // -0 becomes 0
      return row;
    };
    list.push_back(std::min({from(0), from(1), from(2)}));
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

}  // namespace

Verdict verdict_on_surfaces(const Body& a, const Body& b, std::span<const TrianglePair> pairs, bool all, bool cross) {
  Verdict verdict;
  if (!pairs.empty()) {
    cross = cross || reaches_inside(a, b, pairs, &TrianglePair::a) || reaches_inside(b, a, pairs, &TrianglePair::b);
    verdict.surfaces = cross ? Surfaces::crossing : all ? Surfaces::touching : Surfaces::meeting;
    verdict.identical = oriented_triangles(a) == oriented_triangles(b);
    return verdict;
  }
  const Inside a_in_b = inside(a, b), b_in_a = inside(b, a);
  verdict.surfaces = a_in_b == Inside::all    ? Surfaces::a_in_b
                     : b_in_a == Inside::all  ? Surfaces::b_in_a
                     : a_in_b == Inside::some ? Surfaces::part_of_a_in_b
                     : b_in_a == Inside::some ? Surfaces::part_of_b_in_a
                                              : Surfaces::apart;
  return verdict;
}

void add_relation(Verdict& verdict, const Body& a, const Body& b, const Progress& progress) {
  if (!a.solid || !b.solid) return;
  verdict.relation = relation(at(*a.solid, a.pose), at(*b.solid, b.pose), progress);
  const bool meet = verdict.surfaces == Surfaces::touching || verdict.surfaces == Surfaces::crossing || verdict.surfaces == Surfaces::meeting;
  if (meet && verdict.relation != Relation::overlapping) verdict.surfaces = Surfaces::touching;  // neither leaves the other
}

Verdict verdict_of(const Body& a, const Body& b, std::span<const TrianglePair> pairs) {
  const bool cross = std::any_of(pairs.begin(), pairs.end(), [&](const TrianglePair& p) { return crosses(corner_points(a, p.a), corner_points(b, p.b)); });
  Verdict verdict = verdict_on_surfaces(a, b, pairs, true, cross);
  add_relation(verdict, a, b);
  return verdict;
}

std::string text_of(const Verdict& v) {
  const std::string surfaces = kTexts[static_cast<int>(v.surfaces)];
  if (v.identical) return "the models are identical";
  if (!v.relation) return surfaces;
  constexpr const char* texts[] = {"apart", "the models touch", "the models overlap", "A is inside B", "B is inside A", "both models bound the same solid"};
  const std::string solids = texts[static_cast<int>(*v.relation)];
  if (v.relation == Relation::disjoint || v.relation == Relation::touching) return solids;
  return solids + "; " + (v.surfaces == Surfaces::a_in_b || v.surfaces == Surfaces::b_in_a ? "the surfaces are apart" : surfaces);
}

const char* name_of(const Verdict& v) {
  if (v.relation == Relation::disjoint) return name_of(Surfaces::apart);
  return v.relation ? graze::name_of(*v.relation) : v.identical ? graze::name_of(Relation::identical) : name_of(v.surfaces);
}

const char* name_of(Surfaces surfaces) { return kNames[static_cast<int>(surfaces)]; }

}  // namespace graze::contact
