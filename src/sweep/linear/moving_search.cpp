// Times before which nodes and triangles are not touched, by GJK in doubles.
#include "sweep/linear/moving_search.hpp"

#include <cmath>

#include "math/moving_box.hpp"
#include "math/vec3.hpp"
#include "sweep/linear/moving_simplex.hpp"

namespace graze {

using namespace sweeping;

namespace {

struct GapCorner {
  V3<double> p;
  bool operator==(const GapCorner& c) const { return p.x == c.p.x && p.y == c.p.y && p.z == c.p.z; }
};
struct MovingVertex {
  V3<double> w;
  GapCorner g;
  V3<double> on_shape;
};

/// Finds the nearest points with fewer operations than its base does, since its directions only propose.
struct FastSimplex : MovingSimplex<GapCorner> {
  void to_nearest() {
    V3<double> now[4];
    for (int k = 0; k < n; ++k) now[k] = w[k] + t * m;
    unsigned keep = 0;
    if (n < 4) {
      x = nearest_of(now, n, keep);
    } else {
      double least = kInfinity;
      for (int k = 0; k < 4; ++k) {  // faces that the origin is beyond
        const int i = (k + 1) % 4, j = (k + 2) % 4, l = (k + 3) % 4;
        const V3<double> normal = cross(now[j] - now[i], now[l] - now[i]);
        if (!(dot(normal, now[i]) * dot(normal, now[i] - now[k]) < 0)) continue;
        const V3<double> corner[3] = {now[i], now[j], now[l]};
        unsigned bits;
        const V3<double> y = nearest_of(corner, 3, bits);
        if (!(dot(y, y) < least)) continue;
        least = dot(y, y);
        x = y;
        keep = (bits & 1) << i | (bits >> 1 & 1) << j | (bits >> 2) << l;
      }
      if (keep == 0) return;  // around the origin
    }
    int index[4], count = 0;
    for (int k = 0; k < n; ++k)
      if (keep >> k & 1) index[count++] = k;
    PlacedSimplex::keep(index, count);
  }
};

/// Target - shape, for gjk().
template <class Target>
struct Apart {
  const Target& target;
  const LocalSupport& support;
  MovingVertex least(const V3<double>& d) const {
    const V3<double> y = support.farthest(d), w = target.least(d) - y;
    return {w, {w}, y};
  }
};

/// Notes the direction that proves the latest time, and the shape's point that is farthest along it.
struct BestPlane : ContactInDoubles {
  V3<double> direction{0, 0, 0}, on_shape{0, 0, 0};

  bool at_point(const MovingSimplex<GapCorner>& s) {
    if (s.n == 4 || step++ == steps) return true;
    norm = std::sqrt(dot(s.x, s.x));
    one = taxicab(s.x);
    return !(norm > small * 0x1p-30);
  }
  bool at_vertex(MovingSimplex<GapCorner>& s, const MovingVertex& v) {
    const double before = s.t;
    const bool ends = ContactInDoubles::at_vertex(s, v);
    if (s.t > before || contact == Certain::no) {
      direction = s.x;
      on_shape = v.on_shape;
    }
    return ends;
  }
};

}  // namespace

MovingSearch::MovingSearch(const MeshView& a, const Operand& b, const Box3& box, const Vec3& d, double slack)
    : a_(a), placed_(leaf::placed_tree(a)), support_(a, placed_, b) {
  const WideBvh& tree = a.mesh->tree;
  Vec3 from;
  for (int i = 0; i < 3; ++i) from[i] = box.lo[i] * 0.5 + box.hi[i] * 0.5;
  const double sizes = max_norm(from) + max_norm(d);
  const LocalPoint p = local_point(placed_, from), q = local_point(placed_, from + d);
  if (tree.empty() || !support_.usable() || !(sizes < 0x1p500) || !p.usable || !q.usable) return;
  const QueryBox at = local_box(placed_, box);
  size_ = 1;
  for (int i = 0; i < 3; ++i) {
    m_[i] = q.at[i] - p.at[i];
    size_ = std::max({size_, 1 + std::fabs(double{at.lo[i]}), 1 + std::fabs(double{at.hi[i]}), 1 + std::fabs(m_[i])});
  }
  speed_ = max_norm(m_);
  // The motion adds what local_point() bounds at both ends, and at most as much in between; `from`, from + d and m are rounded.
  const double off = local_length(tree, 8 * u * sizes + slack + 0x1p-1066) + p.absolute + q.absolute + 4 * u * size_;
  const double relative = 2 * std::max(support_.relative(), q.relative);
  // Values along unit vectors of items and of points of the shape are rounded in dot products: 8 u of the coordinates. Corners are rounded.
  reach_ = (support_.radius() + (2 * support_.error() + 64 * u * size_ + 1.75 * (kBlockError + off))) * (1 + relative);
  for (int i = 0; i < 3; ++i) {
    box_.lo[i] = at.lo[i] - off * (1 + 0x1p-20);
    box_.hi[i] = at.hi[i] + off * (1 + 0x1p-20);
  }
  moving_.emplace(box_, Vec3(m_.x, m_.y, m_.z));
  usable_ = size_ < 0x1p100 && reach_ < 0x1p100 && relative < 0x1p-10;
}

double MovingSlab::entry(const V3<double>& least) const {
  const double gap = dot(direction, least) - level;
  if (!(gap > 0)) return 0;
  return rate > 0 ? gap / rate * (1 - 8 * u) : kInfinity;
}

template <class Target>
double MovingSearch::bound(const Target& target, int steps, double limit, double key, MovingSlab& slab) const {
  const Apart<Target> apart{target, support_};
  FastSimplex s;
  s.m = -m_;
  const MovingVertex first = apart.least(is_zero(slab.direction) ? m_ : slab.direction);
  s.start(first.g, first.w);
  s.t = key;
  s.to_nearest();
  BestPlane stop{{reach_, speed_, limit, 32 * u * size_, size_, 0x1p-26, 0x1p-20, steps}};
  gjk(apart, stop, s);
  if (!is_zero(stop.direction)) {
    slab.direction = (1 / std::sqrt(dot(stop.direction, stop.direction))) * stop.direction;
    slab.level = dot(slab.direction, stop.on_shape) + reach_ * (1 + 16 * u);
    slab.rate = dot(slab.direction, m_) + taxicab(slab.direction) * speed_ * (8 * u);
  }
  return stop.contact == Certain::no ? kInfinity : s.t;
}

double MovingSearch::known(const Entry& e, const auto& target, double limit) const {
  double key = e.key;
  for (const MovingSlab* slab : {&e.slab, &best_, &last_})
    if (key <= limit) key = std::max(key, slab->entry(target.least(slab->direction)));
  return key;
}

void MovingSearch::expand(const Entry& e, const WideNode& node, double limit) {
  const QueryBox all = children_box(node);
  double shape = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    shape = std::max(shape, box_.hi[i] - box_.lo[i]);
    size = std::max(size, double{all.hi[i]} - all.lo[i]);
  }
  Entry below = e;
  constexpr double kSmall = 0.5;  // a choice: larger nodes are bounded by the shape's box alone, which describes it well enough there
  if (shape >= kSmall * size) {
    const BoxTarget box{{all.lo[0], all.lo[1], all.lo[2]}, {all.hi[0], all.hi[1], all.hi[2]}};
    below.key = known(e, box, limit);
    constexpr int kSteps = 6;  // a choice: bounds of nodes need not be tight
    if (below.key <= limit) below.key = bound(box, kSteps, limit, below.key, below.slab);
    if (below.key > limit) return;
  }
  for (std::uint32_t s = 0; s < node.used; ++s) {
    const BoxTarget box{{node.plane[0][s], node.plane[1][s], node.plane[2][s]}, {node.plane[3][s], node.plane[4][s], node.plane[5][s]}};
    const Box3 sides{{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
    const double key = std::max(known(below, box, limit), moving_->entry(sides, limit));
    if (key > limit) continue;
    const std::uint32_t count = node.count[s], child = count != 0 ? node.leaf_number(s) : node.child[s];
    push({key, key > 0 ? 0 : lowest_of(child, count), child, count, below.slab});
  }
}

std::uint32_t MovingSearch::lowest_of(std::uint32_t child, std::uint32_t count) const {
  if (count == 0) return a_.mesh->tree.node(child).lowest;
  const TriangleBlock& block = a_.mesh->blocks[child];
  return *std::min_element(block.id, block.id + count);
}

TriangleTarget MovingSearch::target_of(BlockPlace at) const {
  const TriangleBlock& block = a_.mesh->blocks[at / kBlock];
  const std::size_t lane = at % kBlock;
  TriangleTarget t;
  for (std::size_t i = 0; i < 3; ++i) t.corner[i] = {block.corner[3 * i][lane], block.corner[3 * i + 1][lane], block.corner[3 * i + 2][lane]};
  return t;
}

void MovingSearch::add_triangle(const Entry& e, std::uint32_t lane, double limit) {
  const BlockPlace at = e.child * static_cast<std::uint32_t>(kBlock) + lane;
  const double key = known(e, target_of(at), limit);
  if (key <= limit) push({key, key > 0 ? 0 : a_.mesh->blocks[e.child].id[lane], at, kTriangle, e.slab});
}

void MovingSearch::bound_triangle(Entry e, double limit) {
  const TriangleTarget t = target_of(e.child);
  e.key = known(e, t, limit);
  constexpr int kSteps = 24;  // a choice: bounds are valid after any number of steps
  if (e.key <= limit) {
    e.key = bound(t, kSteps, limit, e.key, e.slab);
    last_ = e.slab;
  }
  e.kind = kBounded;
  if (e.key <= limit) push(e);
}

}  // namespace graze
