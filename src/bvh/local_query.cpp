// Transforms queries into a tree's coordinates. The header derives the bounds.
#include "bvh/local_query.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "bvh/far_line.hpp"
#include "bvh/near_ray.hpp"
#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "math/point.hpp"
#include "math/vec3.hpp"

namespace graze {

namespace filter {
#include "bvh/ray_start-inl.hpp"
}

namespace {

constexpr double u = kUnitRoundoff;
constexpr double kHuge = 0x1p1000;  // sums of a few products of a pose and coordinates up to this do not overflow

[[gnu::noinline]] double times_far_power(double x, int e) {
  // Five steps cover 2^5000, more than the range of doubles: any remainder of e changes nothing.
  for (int steps = 0; e > 1000 && steps < 5; ++steps, e -= 1000) x *= 0x1p1000;
  for (int steps = 0; e < -1000 && steps < 5; ++steps, e += 1000) x *= 0x1p-1000;
  return x * power_of_two(std::clamp(e, -1000, 1000));
}

// x * 2^e, saturating at infinity and 0. Unlike scaled(), one product for all usual e; below the normal range it may round more than once.
inline double times_power(double x, int e) { return e <= 1000 && e >= -1000 ? x * power_of_two(e) : times_far_power(x, e); }

/// R^T v.
Vec3 turned_back(const RigidMap& pose, const Vec3& v) {
  Vec3 r(0, 0, 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i] += pose.rotation[j][i] * v[j];
  return r;
}

/// Divides v by the power of two that brings its largest component into [1, 2), and adds that power to k. Returns false for a vector without one.
bool normalise(Vec3& v, int& k) {
  const double m = max_norm(v);
  if (!(m > 0 && m < kInfinity)) return false;
  const int e = exponent_of(m);
  for (int i = 0; i < 3; ++i) v[i] = times_power(v[i], -e);
  k += e;
  return true;
}

}  // namespace

PlacedTree::PlacedTree(const WideBvh& t, const RigidMap& p) : tree(&t), pose(p) {
  const Box3& b = t.bounds();
  if (!t.empty()) reach = std::max(max_norm(b.lo), max_norm(b.hi));
  extreme = placed() && reach > kHuge;
  if (!placed()) return;
  const auto& r = pose.rotation;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double dot = (r[0][i] * r[0][j] + r[1][i] * r[1][j]) + r[2][i] * r[2][j];
      defect = std::max(defect, std::fabs(dot - (i == j)));
    }
  }
  defect += 8 * u;  // the dot product's own rounding: below 3.1 u
  const double shift = max_norm(*pose.translation);
  extreme = extreme || shift > kHuge;
  // 3 d P + 1.75 |e|, with 1.75 * 5 u = 8.75 u and 1.75 * 2^-1070, each rounded up (notation of the header)
  error = 3.1 * defect * reach + 10 * u * (1.75 * reach + shift) + 0x1p-1068;
}

QueryBox local_box(const PlacedTree& placed, const Box3& world) {
  const LocalFrame& f = placed.tree->frame();
  QueryBox q;
  if (!placed.placed()) {
    for (int i = 0; i < 3; ++i) {
      q.lo[i] = float_below(f.to_local(world.lo[i], i));
      q.hi[i] = float_above(f.to_local(world.hi[i], i));
    }
    return q;
  }
  bool extreme = placed.extreme;
  for (int j = 0; j < 3; ++j) {
    extreme = extreme || (std::fabs(world.lo[j]) > kHuge && world.lo[j] != -kInfinity) || (std::fabs(world.hi[j]) > kHuge && world.hi[j] != kInfinity);
  }
  const RigidMap& pose = placed.pose;
  for (int i = 0; i < 3; ++i) {
    // Row i of R^T times (w - T): at most four roundings a term, hence 5u of the sum of sizes; 8 u cover the roundings of the bound, too.
    double lo = 0, hi = 0, lo_size = 0, hi_size = 0;
    for (int j = 0; j < 3; ++j) {
      const double r = pose.rotation[j][i], t = (*pose.translation)[j];
      if (r == 0) continue;
      const double a = r > 0 ? world.lo[j] : world.hi[j], b = r > 0 ? world.hi[j] : world.lo[j];
      lo += r * (a - t);
      hi += r * (b - t);
      lo_size += std::fabs(r) * (std::fabs(a) + std::fabs(t));
      hi_size += std::fabs(r) * (std::fabs(b) + std::fabs(t));
    }
    lo -= lo_size == kInfinity ? kInfinity : 8 * u * lo_size + placed.error;
    hi += hi_size == kInfinity ? kInfinity : 8 * u * hi_size + placed.error;
    q.lo[i] = extreme ? float_below(-kInfinity) : float_below(f.to_local(lo, i));
    q.hi[i] = extreme ? float_above(kInfinity) : float_above(f.to_local(hi, i));
  }
  return q;
}

float local_limit(const WideBvh& tree, double distance) {
  const double x = times_power(distance + 0x1p-1072, tree.frame().exponent) * (1 + 0x1p-30);  // compared distances may err by a denormal and by 1e-15
  if (!(x < 0x1p60)) return 0x1p126f;
  return rounded_up(x * x < 0x1p-110 ? 0x1p-110 : x * x);  // squares below this might underflow; bounds that small count as 0 anyway
}

double local_length(const WideBvh& tree, double length) { return times_power(length, tree.frame().exponent); }

LocalPoint local_point(const PlacedTree& placed, const Vec3& p) {
  const LocalFrame& f = placed.tree->frame();
  LocalPoint r{{0, 0, 0}, 0, 0, true};
  Vec3 m = p;
  double error = 0;  // error of a coordinate, in the mesh's frame
  if (placed.placed()) {
    if (placed.extreme || max_norm(p) > kHuge) r.usable = false;
    m = turned_back(placed.pose, p - *placed.pose.translation);
    error = placed.error + 16 * u * (max_norm(p) + max_norm(*placed.pose.translation));  // four roundings a term, rows of 1-norm 1.75: 7 u
    r.relative = 16 * (placed.defect + u);  // |R^T v| against |v|: within 3 times the defects of R R^T, which are as small as those of R^T R
  }
  double far = 1;
  for (int i = 0; i < 3; ++i) {
    r.at[i] = f.to_local(m[i], i);
    far = std::max(far, std::fabs(r.at[i]));
  }
  // 1.75 > sqrt(3) for the length; to_local is off by 2 u
  r.absolute = 1.75 * ((error * f.scale1) * f.scale2 + 4 * u * far);
  r.usable = r.usable && far < 0x1p200 && r.absolute < 0x1p200;
  return r;
}

namespace {

/// Stored instead of a ray's exponent when the ray was clipped far away and no double of its parameter corresponds to a position in the tree.
constexpr int kNoTimes = 8000;

/// A ray that enters every box at parameter 0.
QueryRay passes_every_box() {
  QueryRay q{};
  for (int i = 0; i < 3; ++i) {
    q.o_near[i] = 8;
    q.o_far[i] = -8;
    q.inverse[i] = 1;
    q.near_plane[i] = static_cast<std::uint32_t>(i);
    q.far_plane[i] = static_cast<std::uint32_t>(3 + i);
  }
  q.t_hi = 64;
  return q;
}

/// A ray's displacement, d * 2^k with the largest component of d in [1, 2). Returns false for a segment of length zero, and any direction: all its points lie
/// at parameter 0.
bool displacement_of(const RayQuery& ray, double size, Vec3& d, int& k) {
  d = ray.direction;
  k = 0;
  if (ray.to_point) {
    const bool halve = size > 0x1p1021;  // the difference might overflow
    for (int i = 0; i < 3; ++i) d[i] = halve ? ray.direction[i] * 0.25 - ray.origin[i] * 0.25 : ray.direction[i] - ray.origin[i];
    k = halve ? 2 : 0;
  }
  if (normalise(d, k)) return true;
  d = Vec3(1, 0, 0);
  return false;
}

}  // namespace

void LocalLine::give_up() {
  no_cull_ = true;
  lanes_ = passes_every_box();
}

// Along a component below 2^-40 the line moves less than the pad at all its parameters, so it counts as still: an inverse of 2^40 is finite, unlike 1 / 0.
inline void LocalLine::set_axis(int i, double at, double direction, double inverse, double pad) {
  const bool still = !(std::fabs(direction) >= 0x1p-40);
  const float single = still ? 0x1p40f : static_cast<float>(inverse);
  const std::uint32_t down = std::bit_cast<std::uint32_t>(single) >> 31;
  const double ahead = std::copysign(pad, single);
  lanes_.inverse[i] = single;
  lanes_.near_plane[i] = static_cast<std::uint32_t>(i) + 3 * down;
  lanes_.far_plane[i] = static_cast<std::uint32_t>(i) + 3 - 3 * down;
  lanes_.o_near[i] = static_cast<float>(at + ahead);
  lanes_.o_far[i] = static_cast<float>(at - ahead);
}

void LocalLine::shrink(double t) {
  if (no_cull_ || misses_ || exponent_ == kNoTimes) return;
  // t * 2^exponent is exact up to saturation. The difference errs by u relative to numbers below far + 4, which error_ covers.
  const double local = std::min(times_power(t, exponent_), t_out_) - t_in_;
  lanes_.t_hi = float_above(local + error_ + 0x1p-21);
}

LocalRay::LocalRay(const PlacedTree& placed, const RayQuery& ray) {
  if (placed.placed() || !ordinary(placed.tree->frame(), ray)) general(placed, ray);
}

// The same as general() for a tree without a pose and for magnitudes at which nothing is lost.
bool LocalRay::ordinary(const LocalFrame& f, const RayQuery& ray) {
  if (f.exponent > 900 || f.exponent < -900) return false;
  const Vec3 along = ray.displacement();
  const double origin[3] = {ray.origin.x, ray.origin.y, ray.origin.z}, direction[3] = {along.x, along.y, along.z},
               center[3] = {f.center[0], f.center[1], f.center[2]};
  const auto start = filter::start_ray(origin, direction, ray.t_min, ray.t_max, center, power_of_two(f.exponent));
  if (!start.ordinary) return false;
  exponent_ = exponent_of(start.time);
  error_ = start.error;
  t_in_ = start.t_in;
  t_out_ = start.t_out;
  misses_ = !(t_in_ <= t_out_);
  for (int i = 0; i < 3; ++i) inverse_direction_[i] = start.inverse[i];
  if (!misses_) set_lanes(start.local, start.direction);
  return true;
}

inline void LocalRay::set_lanes(const double local[3], const double d[3]) {
  for (int i = 0; i < 3; ++i) {
    start_[i] = local[i] + t_in_ * d[i];
    direction_[i] = d[i];
    set_axis(i, start_[i], d[i], inverse_direction_[i], 0x1p-20 + error_);
  }
  // Doubled, because the direction's error grows along the ray, by as much beyond the start as before it. The parameter in the tree's units itself errs by a
  // few u (far + 4). 2^-46 covers the roundings of start + s * direction: its terms are below 7.
  spread_ = 4 * error_ + 0x1p-46;
  // Below 3. In floats the inverse and the product err by 2^-24 each, at parameters up to 2.6: below 2^-21.
  lanes_.t_hi = rounded_up((t_out_ - t_in_) + error_ + 0x1p-21);
}

[[gnu::noinline, gnu::cold]] void LocalRay::general(const PlacedTree& placed, const RayQuery& ray) {
  const LocalFrame& f = placed.tree->frame();
  for (int i = 0; i < 3; ++i) {
    start_[i] = 0;
    direction_[i] = inverse_direction_[i] = i == 0;
  }
  spread_ = kInfinity;
  lanes_ = QueryRay{};
  t_in_ = t_out_ = error_ = 0;
  exponent_ = 0;
  misses_ = no_cull_ = false;
  const double size = std::max(max_norm(ray.origin), max_norm(ray.direction));
  Vec3 o = ray.origin, d;
  int k = 0;
  const bool moves = displacement_of(ray, size, d, k);
  double before = 0;  // error made in the mesh's frame
  if (placed.placed()) {
    const RigidMap& p = placed.pose;
    if (placed.extreme) {
      give_up();
      return;
    }
    o = turned_back(p, o - *p.translation);
    d = turned_back(p, d);
    if (!normalise(d, k)) {
      give_up();
      return;
    }
    before = size > kHuge ? kInfinity : placed.error + 16 * u * (max_norm(ray.origin) + max_norm(*p.translation));  // the sums above may have overflowed
  }
  double far = 0;
  Vec3 local;
  for (int i = 0; i < 3; ++i) {
    local[i] = f.to_local(o[i], i);
    far = std::max(far, std::fabs(local[i]));
  }
  // Direction and origin err by a few u relative to the distance to the tree, which is at most far + 2.5 (times 2, the size of the direction).
  error_ = (before * f.scale1) * f.scale2 + 64 * u * (far + 4);
  if (error_ < kNearRayError) {
    exponent_ = moves ? k + f.exponent : -8000;
    t_in_ = moves ? times_power(ray.t_min, exponent_) : 0;
    t_out_ = moves ? times_power(ray.t_max, exponent_) : 0;
  } else if (!moves) {
    misses_ = far - 2 * error_ > 1.25;
    if (!misses_) give_up();
    return;
  } else if (!start_far(placed, ray, local, d)) {
    return;
  }
  clip_to_cube(local, d);
  if (misses_) return;
  const double at[3] = {local[0], local[1], local[2]}, direction[3] = {d[0], d[1], d[2]};
  set_lanes(at, direction);
  if (!moves) spread_ = kInfinity;
}

bool LocalRay::start_far(const PlacedTree& placed, const RayQuery& ray, Vec3& local, Vec3& d) {
  const LocalFrame& f = placed.tree->frame();
  constexpr double wall[3] = {1.25, 1.25, 1.25};
  error_ = (placed.error * f.scale1) * f.scale2 + 64 * u * 8;
  if (!(error_ < 0x1p900)) {
    give_up();
    return false;
  }
  const auto piece = clip_far_line(placed, ray, wall, 2 * error_);
  misses_ = !piece;
  if (misses_) return false;
  if (!(error_ < 0.05)) {  // the walls at 1.25 leave room for that outside the tree's [-1, 1]
    give_up();
    return false;
  }
  exponent_ = kNoTimes;
  t_in_ = piece->from;
  t_out_ = piece->to;
  for (int i = 0; i < 3; ++i) {
    local[i] = piece->at[i];
    d[i] = piece->direction[i];
  }
  return true;
}

inline void LocalRay::clip_to_cube(const Vec3& local, const Vec3& d) {
  // The signs of directions are unpredictable, so nothing branches on them.
  const auto least_of = [](double a, double b) { return a < b ? a : b; };
  const auto most_of = [](double a, double b) { return a > b ? a : b; };
  for (int i = 0; i < 3; ++i) {
    inverse_direction_[i] = 1 / d[i];
    const bool small = !(std::fabs(d[i]) >= 0x1p-900);  // otherwise the product could be 0 times infinity
    if (d[i] == 0) {
      if (std::fabs(local[i]) > 1.25) misses_ = true;
      continue;
    }
    const double a = small ? (-1.25 - local[i]) / d[i] : (-1.25 - local[i]) * inverse_direction_[i],
                 b = small ? (1.25 - local[i]) / d[i] : (1.25 - local[i]) * inverse_direction_[i];
    t_in_ = most_of(t_in_, least_of(a, b));
    t_out_ = least_of(t_out_, most_of(a, b));
  }
  if (!(t_in_ <= t_out_)) misses_ = true;
}

double LocalRay::time_unit() const { return exponent_ > -1000 && exponent_ < 1000 ? power_of_two(exponent_) : 0; }

LocalSweep::LocalSweep(const PlacedTree& placed, const Place& place, const Vec3& motion) {
  const LocalFrame& f = placed.tree->frame();
  t_in_ = t_out_ = error_ = 0;
  exponent_ = 0;
  const double *const center = place.center, *const half = place.half;
  double h = 0, far = 0;
  for (int i = 0; i < 3; ++i) {
    h = std::max(h, half[i]);
    far = std::max(far, std::fabs(center[i]));
  }
  // 2^40 and 2^50 are choices: culling gains nothing for a box so large, and from so far error_ is too large, below.
  if (!(h < 0x1p40 && far < 0x1p50) || placed.extreme || !(max_norm(motion) < kHuge)) {
    give_up();
    return;
  }
  // The motion in the tree's frame: the rows of R^T, whose defect turns it by at most 3 d of its length.
  Vec3 d = motion;
  int k = 0;
  bool moves = normalise(d, k);
  if (moves && placed.placed()) {
    d = turned_back(placed.pose, d);
    moves = normalise(d, k);
    if (!moves) {
      give_up();
      return;
    }
  }
  if (!moves) d = Vec3(1, 0, 0);
  error_ = (64 * u + 16 * placed.defect) *
           (far + h + 4);  // over the path from the start to where the box has left the tree, at most far + h + 2.5 long (times 2, the size of the direction)
  if (!(error_ < 0.05)) {  // the clip at 1.25 leaves room for that outside the tree's [-1, 1]
    give_up();
    return;
  }
  exponent_ = moves ? k + f.exponent : -8000;
  t_in_ = 0;
  t_out_ = moves ? times_power(1.0, exponent_) : 0;
  for (int i = 0; i < 3; ++i) {
    const double wall = 1.25 + half[i];
    if (d[i] == 0) {
      if (std::fabs(center[i]) > wall) misses_ = true;
      continue;
    }
    const double a = (-wall - center[i]) / d[i], b = (wall - center[i]) / d[i];
    t_in_ = std::max(t_in_, std::min(a, b));
    t_out_ = std::min(t_out_, std::max(a, b));
  }
  if (!(t_in_ <= t_out_)) misses_ = true;
  if (misses_) return;
  for (int i = 0; i < 3; ++i) set_axis(i, center[i] + t_in_ * d[i], d[i], 1 / d[i], half[i] + 0x1p-20 * (1 + h) + error_);
  shrink(1);
}

RelativePlacement::RelativePlacement(const PlacedTree& a, const PlacedTree& b, double margin) {
  const LocalFrame &fa = a.tree->frame(), &fb = b.tree->frame();
  static constexpr double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static constexpr Vec3 origin(0, 0, 0);
  const RigidMap stay{identity, &origin};
  const RigidMap &pa = a.placed() ? a.pose : stay, &pb = b.placed() ? b.pose : stay;
  const int e = fa.exponent - fb.exponent;
  const double shift = max_norm(*pa.translation) + max_norm(*pb.translation);
  if (a.extreme || b.extreme || a.reach > kHuge || b.reach > kHuge || e > 900 || e < -900) {
    no_cull_ = true;
    ratio_ = e > 0 ? 0x1p900 : 0x1p-900;
    return;
  }
  ratio_ = power_of_two(e);
  const auto to_a = [&](double x) { return (x * fa.scale1) * fa.scale2; };
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    double center = 0, move = 0;
    for (int j = 0; j < 3; ++j) {
      axis_[j][i] = (pa.rotation[0][i] * pb.rotation[0][j] + pa.rotation[1][i] * pb.rotation[1][j]) + pa.rotation[2][i] * pb.rotation[2][j];
      center += axis_[j][i] * fb.center[j];
      move += pa.rotation[j][i] * ((*pb.translation)[j] - (*pa.translation)[j]);
    }
    offset_[i] = to_a((center + move) - fa.center[i]);
    size = std::max(size, std::fabs(offset_[i]));
  }
  // In A's frame, for a point common to both trees (or within the margin): p_a = M p_b + R_A^T (T_B - T_A) + rest, |rest| <= error_a + 1.75 |e_b| + margin (1 +
  // 2e-12), where b.error bounds 1.75 |e_b|. M's entries and the sums err by at most 64 u of all magnitudes together.
  const double rest = a.error + b.error + 64 * u * (a.reach + b.reach + shift) + margin * (1 + 0x1p-36) + 0x1p-1060;
  pad_ = to_a(rest) + 32 * u * (4 * ratio_ + size);     // positions of boxes are off by 30 u ratio_ + 3 u size
  skew_ = 8 * (a.defect + b.defect + 16 * u) * ratio_;  // B's axes are orthonormal up to the defects of both poses
  if (!(pad_ < 0x1p200 && size < 0x1p200)) no_cull_ = true;
}

QueryOrientedBox RelativePlacement::operator()(const QueryBox& b) const {
  QueryOrientedBox q;
  if (no_cull_) {
    for (int i = 0; i < 3; ++i) {
      q.bounds.lo[i] = float_below(-kInfinity);
      q.bounds.hi[i] = float_above(kInfinity);
      q.center[i] = 0;
      for (int j = 0; j < 3; ++j) q.axis[i][j] = 0;
      q.half[i] = 1;
    }
    return q;
  }
  double c[3], h[3], center[3], far = 0;
  for (int j = 0; j < 3; ++j) {
    c[j] = (static_cast<double>(b.lo[j]) + b.hi[j]) * 0.5 * ratio_;
    h[j] = (static_cast<double>(b.hi[j]) - b.lo[j]) * 0.5 * ratio_;
  }
  for (int i = 0; i < 3; ++i) {
    center[i] = ((axis_[0][i] * c[0] + axis_[1][i] * c[1]) + axis_[2][i] * c[2]) + offset_[i];
    const double half = ((std::fabs(axis_[0][i]) * h[0] + std::fabs(axis_[1][i]) * h[1]) + std::fabs(axis_[2][i]) * h[2]) + pad_;
    q.bounds.lo[i] = float_below(center[i] - half);
    q.bounds.hi[i] = float_above(center[i] + half);
    far = std::max({far, std::fabs(center[i]), half});
  }
  // Along an axis the float kernel errs by at most 1.75 * 7 * 2^-24 ((1.1 + |center|) + 1.1) < 2^-19 (1.1 + |center|) 0.8. Far or large boxes use only the
  // axis-parallel bounds above.
  const bool axes = far < 0x1p40;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) q.axis[j][i] = axes ? static_cast<float>(axis_[j][i]) : 0.0f;
    q.center[j] = axes ? static_cast<float>(center[j]) : 0.0f;
    // The rest vector's component along the axis is at most 1.75 times its largest component.
    q.half[j] = axes ? float_above(h[j] + 1.75 * pad_ + skew_ + 0x1p-19 * (1.25 + far)) : 1.0f;
  }
  return q;
}

bool RelativePlacement::doubles(double axis[3][3], double offset[3], double& error) const {
  if (no_cull_ || !(ratio_ > 0x1p-200 && ratio_ < 0x1p200)) return false;  // products of a few placed coordinates stay in the range of doubles
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) axis[j][i] = axis_[j][i] * ratio_;
    offset[j] = offset_[j];
  }
  error = pad_;
  return true;
}

// With r = ratio and o the largest component of the offset, the sums of the kernel stay below o + 3.5 r. A component of the centre errs by 2^-24 (5 o + 16 r):
// the inputs' sums, axes, products and partial sums. The half sizes err by 2^-24 10.5 r, the final difference by 2^-24 (o + 3.5 r). Together this is below
// 2^-20 (o + 2 r). Sums with the padding itself round four times, which its factor covers.
bool RelativePlacement::floats(BoxPlacement& p) const {
  if (no_cull_) return false;
  double far = 0;
  for (int i = 0; i < 3; ++i) far = std::max(far, std::fabs(offset_[i]));
  if (!(far < 0x1p14 && ratio_ < 0x1p14 && ratio_ > 0x1p-14)) return false;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      p.axis[j][i] = static_cast<float>(axis_[j][i] * ratio_ * 0.5);
      p.size[j][i] = std::fabs(p.axis[j][i]);
    }
    p.offset[i] = static_cast<float>(offset_[i]);
  }
  p.pad = float_above(pad_ * (1 + 0x1p-20) + 0x1p-20 * (far + 2 * ratio_));
  p.ratio = static_cast<float>(ratio_);
  return true;
}

// The padding in floats is derived in mesh/kernels/nearest_pair_kernels.cpp. The bounds on sizes are a choice: there it is 1.6 % of the smaller tree, or more.
bool RelativePlacement::turns(TurnPlacement& p, double error) const {
  if (no_cull_) return false;
  double far = 0;
  for (int i = 0; i < 3; ++i) far = std::max(far, std::fabs(offset_[i]));
  if (!(far < 0x1p14 && ratio_ < 0x1p14 && ratio_ > 0x1p-14)) return false;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) p.axis[j][i] = static_cast<float>(axis_[j][i]);
    p.offset[i] = static_cast<float>(offset_[i]);
  }
  p.ratio = static_cast<float>(ratio_);
  p.pad = float_above(1.75 * error + 0x1p-20 * (far + 4 * ratio_ + 2.5));
  return true;
}

float self_padding(const PlacedTree& placed) {
  if (!placed.placed()) return 0;
  if (placed.extreme) return 8;  // wider than the tree's [-1, 1]: every box overlaps every other
  const LocalFrame& f = placed.tree->frame();
  const double pad = ((2.5 * placed.error) * f.scale1) * f.scale2;
  return pad < 8 ? float_above(pad) : 8.0f;
}

}  // namespace graze
