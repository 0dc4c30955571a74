// Depth of overlaps: bisection along a few directions, with relation() as the test.
#include "clash/pairs/depth.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <graze/query.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "clash/pairs/decide.hpp"

namespace graze::clash {
namespace {

constexpr std::size_t kMostNormals = 24;  // a choice: directions of different facets that are tried
constexpr int kShorter = 5;               // a choice: lengths below the one that is asked for
constexpr double kLadder = 0x1p12;        // a choice: how many times the shortest translation that is tried goes into the longest

Vec3 cross(const Vec3& a, const Vec3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

std::optional<Vec3> unit(const Vec3& v) {
  const double length = std::sqrt(dot(v, v));
  if (!(length > 0) || !(length < 1e300)) return std::nullopt;
  return Vec3(v.x / length, v.y / length, v.z / length);
}

Vec3 normal_of(const Body& b, std::uint32_t triangle) {
  const TriangleIndices& t = b.mesh->triangles()[triangle];
  const Vec3 p = b.pose->apply(b.mesh->vertices()[t[0]]), q = b.pose->apply(b.mesh->vertices()[t[1]]), r = b.pose->apply(b.mesh->vertices()[t[2]]);
  return cross(q - p, r - p);
}

// The greatest power of 4 below a length > 0; 0 below the normal numbers.
double power_of_4_below(double length) {
  const auto bits = std::bit_cast<std::uint64_t>(length * (1 - 1e-9));
  const std::uint64_t exponent = bits >> 52 & 0x7FF;
  return exponent == 0 ? 0 : std::bit_cast<double>((exponent - (exponent % 2 == 0 ? 1 : 0)) << 52);  // 1023 is that of 1
}

class Directions {
 public:
  void add(const Vec3& v) {
    const std::optional<Vec3> u = unit(v);
    if (!u || list.size() >= kMostNormals) return;
    for (const Vec3& known : list)
      if (dot(known, *u) > 1 - 1e-6) return;  // a choice: near enough to one that is tried anyway
    list.push_back(*u);
  }
  std::vector<Vec3> list;
};

std::vector<Vec3> directions(const Body& a, const Body& b, const std::vector<TrianglePair>& pairs) {
  Directions d;
  const Vec3 centers = (a.box->min - b.box->min) + (a.box->max - b.box->max);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 v(0, 0, 0);
    v[axis] = centers[axis] < 0 ? -1 : 1;
    d.add(v);
    v[axis] = -v[axis];
    d.add(v);
  }
  d.add(centers);
  for (const TrianglePair& p : pairs) {  // a leaves b along b's normals, and against its own
    d.add(normal_of(b, p.b));
    const Vec3 n = normal_of(a, p.a);
    d.add(Vec3(-n.x, -n.y, -n.z));
    if (d.list.size() >= kMostNormals) break;
  }
  return d.list;
}

class Mover {
 public:
  Mover(const Body& a, const Body& b, bool solid_a, bool solid_b) : a_(a), b_(b), solid_a_(solid_a), solid_b_(solid_b) {
    for (int i = 0; i < 3; ++i) {
      for (const Box* box : {a.box, b.box}) farthest_ = std::max({farthest_, std::abs(box->min[i]), std::abs(box->max[i])});
      farthest_ = std::max(farthest_, std::abs(a.pose->translation[i]));
    }
  }

  // How much farther than by v a vertex may be moved: the translation of the pose is rounded, then each placed vertex, as it was before. No coordinate is
  // beyond three times the farthest of both parts and of the translation, since they do not come apart farther than they are long.
  double rounding() const { return 8 * 0x1p-52 * farthest_; }

  // Whether a moved by v shares no inner point with b.
  bool clear(const Vec3& v) const {
    Pose pose = *a_.pose;
    pose.translation = pose.translation + v;
    const Placed pa = solid_a_ ? at(*a_.solid, pose) : at(*a_.mesh, pose), pb = solid_b_ ? at(*b_.solid, *b_.pose) : at(*b_.mesh, *b_.pose);
    const Relation r = relation(pa, pb);
    return r == Relation::disjoint || (r == Relation::touching && (solid_a_ || solid_b_));
  }
  // A length along u after which the boxes are apart.
  double longest(const Vec3& u) const {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      if (u[i] > 0) least = std::min(least, (b_.box->max[i] - a_.box->min[i]) / u[i]);
      if (u[i] < 0) least = std::min(least, (b_.box->min[i] - a_.box->max[i]) / u[i]);
    }
    return least * (1 + 1e-9);
  }

 private:
  const Body &a_, &b_;
  bool solid_a_, solid_b_;
  double farthest_ = 0;
};

}  // namespace

bool clears(const Body& a, const Body& b, bool solid_a, bool solid_b, const std::vector<TrianglePair>& pairs, double length) {
  const Mover mover(a, b, solid_a, solid_b);
  const std::vector<Vec3> list = directions(a, b, pairs);
  const auto clear = [&](double by) { return std::any_of(list.begin(), list.end(), [&](const Vec3& u) { return mover.clear(u * by); }); };
  length -= mover.rounding();
  if (!(length > 0)) return false;
  if (clear(length * (1 - 1e-9))) return true;  // the unit vectors are rounded
  // A part that a short translation frees may run into something else on a longer one. The powers are those of 4, so that a greater length tries nearly all
  // that a smaller one does.
  double by = power_of_4_below(length);
  for (int k = 0; k < kShorter && by > 0; ++k, by /= 4)
    if (clear(by)) return true;
  return false;
}

std::optional<double> clearing_depth(const Body& a, const Body& b, bool solid_a, bool solid_b, const std::vector<TrianglePair>& pairs) {
  const Mover mover(a, b, solid_a, solid_b);
  std::optional<double> best;
  for (const Vec3& u : directions(a, b, pairs)) {
    const double far = mover.longest(u);
    if (!std::isfinite(far)) continue;
    const double most = best ? std::min(far, *best) : far;
    double low = 0, high = std::min(far / kLadder, most);  // the shortest that clears, which may be less than where longer ones do
    while (high < most && !mover.clear(u * high)) low = high, high = std::min(4 * high, most);
    if (high == most && !mover.clear(u * high)) continue;
    while (high - low > 1e-3 * high && high > mover.rounding()) {
      const double middle = low + (high - low) / 2;
      (mover.clear(u * middle) ? high : low) = middle;
    }
    best = high;
  }
  if (best) *best += mover.rounding();
  return best;
}

}  // namespace graze::clash
