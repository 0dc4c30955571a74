// Computes the turned boxes of a mesh's tree, and tests them.
//
// Proof that rounding is harmless. Let M be the largest coordinate relative to the middle. A box's ranges are within 16 M, or it is the box of the whole mesh.
// So all vectors are below 2^6 M, their products with dual directions (of length up to 9) and the sums of those are below 2^11 M, and these err by less than
// 2^-39 M. The directions are dual to each other up to 2^-46 (checked) and span a volume of at least 1/8, so that their condition is below 2^5. A vector
// reconstructed from its components is therefore off by less than 2^-35 M, and its product with another dual direction by less than 2^-31 M. pad_ is 2^-28 M:
// it outweighs the errors that a box accumulates from one level to the next, and those of comparing two boxes.
#include "mesh/queries/turned_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "math/limits.hpp"
#include "mesh/queries/leaf.hpp"

namespace graze {
namespace {

/// Least volume of the parallelepiped of a box's unit directions.
constexpr double kLeastVolume = 0.125;

double dot(const double* a, const double* b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }
void cross(const double* a, const double* b, double* out) {
  for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
void scale(double* a, double length) {
  for (int k = 0; k < 3; ++k) a[k] /= length;
}
void normalize(double* a) { scale(a, std::sqrt(dot(a, a))); }

}  // namespace

/// Sets a box's directions to two vectors and a third: the candidate farthest from their plane or, if that is too near, the vector at right angles to both. If
/// the two are nearly parallel, the vector at right angles to the first and to `normal` replaces the second. Uses the coordinate axes where doubles do not
/// suffice.
void TurnedBoxes::set_directions(const double* first, const double* second, const double* normal, std::span<const std::array<double, 3>> candidates,
                                 Turned& box) {
  double(&u)[3] = box.along[0], (&v)[3] = box.along[1], (&w)[3] = box.along[2];
  std::copy(first, first + 3, u);
  std::copy(second, second + 3, v);
  normalize(u);
  normalize(v);
  cross(u, v, box.across[2]);
  double sine = std::sqrt(dot(box.across[2], box.across[2]));
  if (!(sine > kLeastVolume)) {
    cross(normal, u, v);
    normalize(v);
    cross(u, v, box.across[2]);
    sine = std::sqrt(dot(box.across[2], box.across[2]));
  }
  std::copy(box.across[2], box.across[2] + 3, w);
  scale(w, sine);
  double volume = kLeastVolume;
  for (const std::array<double, 3>& c : candidates) {
    double unit[3] = {c[0], c[1], c[2]};
    normalize(unit);
    if (const double size = std::fabs(dot(box.across[2], unit)); size > volume) volume = size, std::copy(unit, unit + 3, w);
  }
  volume = dot(box.across[2], w);
  cross(v, w, box.across[0]);
  cross(w, u, box.across[1]);
  for (double(&direction)[3] : box.across) scale(direction, volume);
  double off = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double d = dot(box.across[i], box.along[j]) - (i == j ? 1 : 0);
      off += d * d;
    }
  if (std::fabs(volume) > kLeastVolume && off < 0x1p-92) return;  // 2^-46 = 128 u: `across` is the inverse of `along` up to rounding; false for NaN
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) box.along[i][j] = box.across[i][j] = i == j;
}

/// Returns how far a box extends from its centre along a direction.
double TurnedBoxes::reach(const Turned& box, const double* direction) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += std::fabs(dot(box.along[k], direction)) * box.half[k];
  return sum;
}

void TurnedBoxes::set_ranges(const double (&lo)[3], const double (&hi)[3], Turned& box) const {
  bool near = true;
  for (int k = 0; k < 3; ++k) {
    near = near && lo[k] >= -16 * largest_ && hi[k] <= 16 * largest_;
    box.half[k] = (hi[k] - lo[k]) * 0.5 + pad_;
    box.center[k] = 0;
  }
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      if (near)
        box.center[i] += box.along[k][i] * ((lo[k] + hi[k]) * 0.5);
      else
        box.along[k][i] = box.across[k][i] = k == i, box.half[k] = largest_ + pad_;
    }
}

TurnedBoxes::TurnedBoxes(const MeshView& view) {
  const WideBvh& tree = view.mesh->tree;
  Box3 all;
  for (std::uint32_t t = 0; t < view.mesh->triangles.size(); ++t)
    for (const Vec3& p : view.triangle(t).points) all.add(p);
  for (int k = 0; k < 3; ++k) {
    middle_[k] = all.lo[k] * 0.5 + all.hi[k] * 0.5;
    largest_ = std::max({largest_, all.hi[k] - middle_[k], middle_[k] - all.lo[k]});
  }
  if (!(largest_ > 0x1p-300 && largest_ < 0x1p300)) return;
  // Coordinates are below 2^6 largest_, `across` below 2^3, and set_directions leaves 2^-46 between the bases: all roundings are below 2^-36 of largest_.
  pad_ = largest_ * 0x1p-28;
  boxes_.resize(tree.node_count() * kWidth);
  for (std::uint32_t n = static_cast<std::uint32_t>(tree.node_count()); n-- > 0;) {  // children have higher numbers than their parents
    const WideNode& node = tree.node(n);
    for (std::uint32_t s = 0; s < node.used; ++s)
      boxes_[n * kWidth + s] = node.leaf(static_cast<int>(s)) ? enclosing(view, node.child[s], node.count[s])
                                                              : enclosing(&boxes_[std::size_t{node.child[s]} * kWidth], tree.node(node.child[s]).used);
  }
}

/// A box along the longest edge, the shortest edge of its triangle, and the best fitting of the other triangles' shortest edges.
TurnedBoxes::Turned TurnedBoxes::enclosing(const MeshView& view, std::uint32_t first, std::uint32_t count) const {
  double longest = -1, along[3]{}, across[3]{}, normal[3]{};
  std::vector<std::array<double, 3>> shortest;
  for (std::uint32_t i = first; i < first + count; ++i) {
    const Triangle t = leaf::triangle_at(view, i);
    double edge[3][3], length[3];
    for (int e = 0; e < 3; ++e) {
      for (int k = 0; k < 3; ++k) edge[e][k] = t.points[(e + 1) % 3][k] - t.points[e][k];
      length[e] = dot(edge[e], edge[e]);
    }
    const auto far = std::max_element(length, length + 3) - length, near = std::min_element(length, length + 3) - length;
    shortest.push_back({edge[near][0], edge[near][1], edge[near][2]});
    if (length[far] <= longest) continue;
    longest = length[far];
    std::copy(edge[far], edge[far] + 3, along);
    std::copy(edge[near], edge[near] + 3, across);
    cross(edge[0], edge[1], normal);
  }
  Turned r;
  set_directions(along, across, normal, shortest, r);
  double lo[3] = {kInfinity, kInfinity, kInfinity}, hi[3] = {-kInfinity, -kInfinity, -kInfinity};
  for (std::uint32_t i = first; i < first + count; ++i)
    for (const Vec3& corner : leaf::triangle_at(view, i).points) {
      const double p[3] = {corner.x - middle_[0], corner.y - middle_[1], corner.z - middle_[2]};
      for (int k = 0; k < 3; ++k) {
        const double x = dot(r.across[k], p);
        lo[k] = std::min(lo[k], x), hi[k] = std::max(hi[k], x);
      }
    }
  set_ranges(lo, hi, r);
  return r;
}

/// A box along the directions of the longest child.
TurnedBoxes::Turned TurnedBoxes::enclosing(const Turned* children, std::uint32_t count) const {
  Turned r = *std::max_element(children, children + count, [](const Turned& a, const Turned& b) {
    return std::max({a.half[0], a.half[1], a.half[2]}) < std::max({b.half[0], b.half[1], b.half[2]});
  });
  double lo[3] = {kInfinity, kInfinity, kInfinity}, hi[3] = {-kInfinity, -kInfinity, -kInfinity};
  for (std::uint32_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      const double x = dot(r.across[k], children[i].center), half = reach(children[i], r.across[k]);
      lo[k] = std::min(lo[k], x - half), hi[k] = std::max(hi[k], x + half);
    }
  set_ranges(lo, hi, r);
  return r;
}

bool TurnedBoxes::apart(TreeRef a, TreeRef b) const {
  if (boxes_.empty() || a == b || a == kWholeTree || b == kWholeTree) return false;
  const Turned *of = &boxes_[a], *other = &boxes_[b];
  double d[3];
  for (int k = 0; k < 3; ++k) d[k] = other->center[k] - of->center[k];
  for (int turn = 0; turn < 2; ++turn, std::swap(of, other))
    for (int k = 0; k < 3; ++k)
      if (std::fabs(dot(of->across[k], d)) > of->half[k] + reach(*other, of->across[k]) + pad_) return true;
  return false;
}

bool TurnedBoxes::apart(const Triangle& triangle, TreeRef b) const {
  if (boxes_.empty() || b == kWholeTree) return false;
  const Turned& box = boxes_[b];
  double p[3][3];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) p[i][k] = (triangle.points[i][k] - middle_[k]) - box.center[k];
  for (int k = 0; k < 3; ++k) {
    const double x = dot(box.across[k], p[0]), y = dot(box.across[k], p[1]), z = dot(box.across[k], p[2]), far = box.half[k] + pad_;
    if (std::min({x, y, z}) > far || std::max({x, y, z}) < -far) return true;
  }
  return false;
}

}  // namespace graze
