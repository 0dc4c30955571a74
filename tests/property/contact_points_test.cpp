// Points of contacts and manifolds lie on both shapes, as include/graze/query/penetration.hpp promises: all pairs of kinds, near the origin and far from it, of
// equal and of very different sizes, thin, flat and degenerate. Distances are measured by closest(), which other tests verify.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "property/instances.hpp"

namespace graze::test {
namespace {

/// x -> unit * x + to, for positions; sizes are multiplied by `unit`, a power of two.
struct Move {
  double unit;
  Vec3 to;
  Vec3 operator()(const Vec3& p) const { return p * unit + to; }
  std::vector<Vec3> operator()(std::span<const Vec3> points) const {
    std::vector<Vec3> all;
    for (const Vec3& p : points) all.push_back((*this)(p));
    return all;
  }
  void field(Vec3& v, Role role) const { v = role == Role::position ? (*this)(v) : role == Role::direction ? v : v * unit; }
  void field(double& x, Role) const { x *= unit; }
  template <class T, std::size_t N>
  void field(std::array<T, N>& a, Role role) const {
    for (T& x : a) field(x, role);
  }
  AnyShape operator()(const AnyShape& shape) const {
    return std::visit([&](const auto& s) { return moved(s); }, shape.value());
  }

 private:
  Mesh mesh(const Mesh& m) const {
    MeshData d;
    d.vertices = (*this)(m.vertices());
    for (std::size_t i = 0; i < m.size(); ++i) d.triangles.push_back(m.triangles()[i]);
    return Mesh(std::move(d));
  }
  template <class S>
  AnyShape moved(S s) const {
    if constexpr (std::is_same_v<S, OrientedBox>) {
      s.center = (*this)(s.center);
      s.half *= unit;  // the axes stay
      return s;
    } else if constexpr (requires { S::fields(); }) {
      std::apply([&](const auto&... f) { (field(s.*(f.member), f.role), ...); }, S::fields());
      return s;
    } else if constexpr (std::is_same_v<S, Mesh>) {
      return mesh(s);
    } else if constexpr (std::is_same_v<S, Solid>) {
      return Solid(mesh(s.mesh()));
    } else if constexpr (std::is_same_v<S, HeightField>) {
      std::vector<double> heights;
      for (const double h : s.heights()) heights.push_back(h * unit);
      return HeightField((*this)(s.origin()), s.dx() * unit, s.dy() * unit, s.columns(), heights);
    } else if constexpr (std::is_same_v<S, Compound>) {
      std::vector<Compound::Child> children;
      for (const Compound::Child& c : s.children()) {
        Pose pose = c.pose;
        pose.translation = (*this)(pose.translation);
        children.push_back({Move{unit, Vec3(0, 0, 0)}(c.shape), pose});
      }
      return Compound(std::move(children));
    } else {
      return S((*this)(s.points()));
    }
  }
};

struct Size {
  double extent = INFINITY;  ///< of the bounding box
  double coordinate = 0;     ///< the largest of the box
  explicit Size(ShapeRef s) {
    const Box b = bounding_box(s);
    double most = 0;
    for (int i = 0; i < 3; ++i) {
      most = std::max(most, b.max[i] - b.min[i]);
      coordinate = std::max({coordinate, std::fabs(b.min[i]), std::fabs(b.max[i])});
    }
    if (std::isfinite(coordinate) && coordinate < 1e300) extent = most;
  }
};

double ulp(double x) { return next_up(x) - x; }

/// Counts of what was checked, printed by the long form.
struct Counts {
  long pairs = 0, contacts = 0, points = 0;
} counts;

void check_points(const Instance& ia, const Instance& ib, double unit, Failures& f) {
  const auto a = *ia, b = *ib;
  ++counts.pairs;
  const std::vector<Contact> found = contacts(a, b);
  if (found.empty()) return;
  const Size size_a(a), size_b(b);
  const Size& smaller = size_a.extent <= size_b.extent ? size_a : size_b;
  const bool bounded = curved(ia.shape) || curved(ib.shape);
  const auto check = [&](const char* what, const Vec3& p, double depth) {
    ++counts.points;
    if (!(depth < INFINITY)) return;
    const double coordinate = std::max({smaller.extent < INFINITY ? smaller.coordinate : 0, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    const auto finite = [&](double extent) { return extent < INFINITY ? extent : unit; };  // of two that are unbounded, pieces may touch
    const double size = bounded ? std::max(finite(size_a.extent), finite(size_b.extent)) : finite(smaller.extent);
    const double allowed = depth / 2 * (1 + 0x1p-50) + (bounded ? 1e-7 : 0x1p-36) * size + 4 * ulp(coordinate);
    const double off_a = closest(Point{p}, a).distance, off_b = closest(Point{p}, b).distance;
    f.expect(off_a <= allowed && off_b <= allowed, what, ia, ib, [&] {
      return "point " + text(p) + " depth " + text(depth) + " is off a by " + text(off_a) + ", off b by " + text(off_b) + ", allowed " + text(allowed);
    });
  };
  for (const Contact& c : found) {
    ++counts.contacts;
    check("contact point", c.point, c.depth);
  }
  for (const Manifold& m : manifold(a, b, ManifoldPoints::all))
    for (const ManifoldPoint& p : m.points) check("manifold point", p.point, p.depth);
}

/// What makes a shape thin or flat: some numbers become much smaller, or 0.
struct Flattened {
  Source& s;
  double factor() const {
    static constexpr double factors[] = {0, 1, 0x1p-10, 1e-15, 1e-16, 1e-18, 1e-30, 1e-100};
    return factors[s.below(8)];
  }
  AnyShape operator()(const AnyShape& shape) const {
    if (const OrientedBox* box = shape.get<OrientedBox>()) {
      OrientedBox o = *box;
      switch (s.below(3)) {
        case 0:
          for (int i = 0; i < 3; ++i) o.half[i] *= factor();
          break;
        case 1:  // three parallel axes
          o.axes[1] = o.axes[0] * 2.0;
          o.axes[2] = -o.axes[0];
          break;
        default:
          o.axes[2] = o.axes[0] + o.axes[1] * factor();
          if (o.axes[2] == Vec3(0, 0, 0)) o.axes[2] = o.axes[0];
      }
      return o;
    }
    if (const Wedge* wedge = shape.get<Wedge>()) {
      Wedge w = *wedge;
      w.edges[static_cast<std::size_t>(s.below(3))] *= factor();
      return w;
    }
    if (const Triangle* triangle = shape.get<Triangle>()) {
      Triangle t = *triangle;
      t.points[2] = t.points[0] + (t.points[1] - t.points[0]) * static_cast<double>(s.below(3));
      return t;
    }
    if (const Box* box = shape.get<Box>()) {
      Box t = *box;
      const int i = s.below(3);
      t.max[i] = t.min[i] + (t.max[i] - t.min[i]) * factor();
      return t;
    }
    if (shape.get<Hull>()) {  // of the corners of a wedge, or of points in a plane
      if (s.below(2)) {
        const Wedge w = instance<Wedge>(s);
        std::vector<Vec3> p;
        for (const double t : {0.0, 1.0})
          for (const Vec3& e : {Vec3(0, 0, 0), w.edges[0], w.edges[1]}) p.push_back(w.corner + e + w.edges[2] * t);
        return Hull(p);
      }
      const Vec3 o = s.vector(), u = s.vector(), v = s.vector();
      std::vector<Vec3> p;
      for (int i = 0, n = 1 + s.below(6); i < n; ++i) p.push_back(o + u * static_cast<double>(s.below(3)) + v * static_cast<double>(s.below(3)));
      return Hull(p);
    }
    return shape;
  }
};

Vec3 place(Source& s, double size) {
  const double x = s.random.integer(-16, 16), y = s.random.integer(-16, 16), z = s.random.integer(-16, 16);
  return Vec3(x, y, z) * (size / 8);
}

/// Calls check with `n` pairs of each two kinds. 0: near the origin; 1: moved by up to 2^60, of one size that is at least 2^-20 of that; 2: of different sizes.
void for_pairs(int form, Numbers numbers, int n, std::uint64_t seed, const std::function<void(const Instance&, const Instance&, double)>& check) {
  n = rounds(n);
  for (int k = 0; k < kKinds; ++k)
    for (int l = k; l < kKinds; ++l) {
      Source s(seed * 1000003 + static_cast<std::uint64_t>(100 * k + l), numbers);
      for (int i = 0; i < n; ++i) {
        if (numbers == Numbers::whole) s.reach = 1 + i % 4;
        const auto make = [&](int kind) {
          Instance x{instance(static_cast<Kind>(kind), s), std::nullopt};
          if (s.below(4) == 0) x.shape = Flattened{s}(x.shape);
          return x;
        };
        Instance a = make(k), b = make(l);
        const int exponent = s.below(61), less = s.below(21);
        const double unit = form == 0 ? 1 : std::ldexp(1.0, exponent - less), other = form == 2 ? unit * std::ldexp(1.0, s.below(less + 1)) : unit;
        const Vec3 to = form == 0 ? Vec3(0, 0, 0) : place(s, std::ldexp(1.0, exponent));
        const Move move_a{unit, form == 2 ? to + place(s, other) : to}, move_b{other, to};
        const auto put = [&](Instance& x, const Move& move) {  // by its coordinates or by a pose
          if (s.below(3)) {
            x.shape = move(x.shape);
          } else {
            x.shape = Move{move.unit, Vec3(0, 0, 0)}(x.shape);
            x.pose = s.below(2) || numbers == Numbers::whole ? exact_pose(s) : any_pose(s);
            x.pose->translation = move(x.pose->translation);
          }
        };
        try {
          put(a, move_a);
          put(b, move_b);
        } catch (const Error&) {
          continue;  // rounding makes a polygon bent
        }
        check(a, b, unit);
      }
    }
}

void all_points(int form, Numbers numbers, int n, std::uint64_t seed) {
  if (const char* more = std::getenv("GRAZE_CONTACT_ROUNDS")) n *= std::atoi(more);
  if (const char* given = std::getenv("GRAZE_CONTACT_SEED")) seed += 100 * static_cast<std::uint64_t>(std::atoll(given));
  Failures f;
  counts = {};
  for_pairs(form, numbers, n, seed, [&](const Instance& a, const Instance& b, double unit) { check_points(a, b, unit, f); });
  EXPECT_TRUE(f.empty()) << f.text();
  if (std::getenv("GRAZE_CONTACT_ROUNDS"))
    std::printf("seed %llu: %ld pairs, %ld contacts, %ld points\n", static_cast<unsigned long long>(seed), counts.pairs, counts.contacts, counts.points);
}

/// Round shapes as flat as a few units in the last place of their coordinates, whose axis no rounded translation keeps.
TEST(ContactPoints, FlatRoundShapes) {
  Failures f;
  counts = {};
  Source s(8, Numbers::real);
  for (int i = 0, n = rounds(2000); i < n; ++i) {
    const double x = s.random.integer(-3, 3), y = s.random.integer(-3, 3), z = s.random.integer(-3, 3);
    const double p = s.random.integer(4, 7), q = s.random.integer(4, 7), r = s.random.integer(4, 7), radius = s.random.integer(1, 4);
    const Vec3 a = Vec3(p, q, r) / 4.0, b = a + Vec3(x, y, z) * 0x1p-52;
    if (a == b) continue;
    const int form = s.below(3), kind = s.below(kKinds);
    const AnyShape round = form == 0   ? AnyShape(Cone{a, b, radius})
                           : form == 1 ? AnyShape(Cylinder{a, b, radius})
                                       : AnyShape(TruncatedCone{a, b, radius, radius / 2});
    check_points({round, std::nullopt}, {instance(static_cast<Kind>(kind), s), std::nullopt}, 1, f);
  }
  EXPECT_TRUE(f.empty()) << f.text();
  EXPECT_GT(counts.points, 500);
}

TEST(ContactPoints, WholeNumbers) { all_points(0, Numbers::whole, 60, 1); }
TEST(ContactPoints, Reals) { all_points(0, Numbers::real, 20, 2); }
TEST(ContactPoints, HostileNumbers) { all_points(0, Numbers::hostile, 20, 3); }
TEST(ContactPoints, FarWholeNumbers) { all_points(1, Numbers::whole, 30, 4); }
TEST(ContactPoints, FarReals) { all_points(1, Numbers::real, 20, 5); }
TEST(ContactPoints, DifferentSizes) { all_points(2, Numbers::whole, 20, 6); }
TEST(ContactPoints, DifferentSizesInReals) { all_points(2, Numbers::real, 20, 7); }

}  // namespace
}  // namespace graze::test
