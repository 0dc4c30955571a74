// Converts any shape to surfaces, strokes or dots of a picture.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <variant>
#include <vector>
#include "viewer/surfaces.hpp"

namespace graze::view {

namespace {

constexpr int kRound = 64;  // number of sides of round shapes; surfaces with fewer are drawn where they are small

/// A surface of revolution: rings of (position along the axis, radius). At a crease, a ring uses the normals of both neighbours.
struct Profile {
  double along, radius;
  double n_along, n_out;  // normal in the plane of the profile
};

/// Two vectors perpendicular to the axis and to each other.
void basis(const Vec3& axis, Vec3& u, Vec3& v) {
  const Vec3 a = unit(axis);
  u = unit(std::abs(a.z) < 0.9 ? cross(Vec3(0, 0, 1), a) : cross(Vec3(1, 0, 0), a));
  v = cross(a, u);
}

class Maker {
 public:
  std::shared_ptr<Surface> surface = std::make_shared<Surface>();
  explicit Maker(int sides = kRound) : sides_(sides) {}

  void triangle(const std::array<Vec3, 3>& p, const std::array<Vec3, 3>& n, std::uint8_t edges) {
    for (int k = 0; k < 3; ++k) {
      points_.push_back(p[k]);
      normals_.push_back(n[k]);
      edges_.push_back(edges);
    }
  }
  void flat(const Vec3& a, const Vec3& b, const Vec3& c, std::uint8_t edges = 7) {
    const Vec3 n = unit(cross(b - a, c - a));
    triangle({a, b, c}, {n, n, n}, edges);
  }
  void quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {  // the diagonal a c is not drawn
    flat(a, b, c, 5);
    flat(a, c, d, 3);
  }
  /// Adds rings from one end to the other; equal neighbours form a crease, which is drawn as an edge.
  void revolve(const Vec3& from, const Vec3& axis, const std::vector<Profile>& rings) {
    Vec3 u, v;
    basis(axis, u, v);
    const Vec3 a = unit(axis);
    const auto at = [&](const Profile& r, int i) {
      const double angle = 2 * std::numbers::pi * (i % sides_) / sides_;
      return from + a * r.along + (u * std::cos(angle) + v * std::sin(angle)) * r.radius;
    };
    const auto normal = [&](const Profile& r, int i) {
      const double angle = 2 * std::numbers::pi * (i % sides_) / sides_;
      return unit(a * r.n_along + (u * std::cos(angle) + v * std::sin(angle)) * r.n_out);
    };
    for (std::size_t j = 0; j + 1 < rings.size(); ++j) {
      const Profile &lo = rings[j], &hi = rings[j + 1];
      if (lo.along == hi.along && lo.radius == hi.radius) continue;
      const bool crease_lo = j > 0 && rings[j - 1].along == lo.along && rings[j - 1].radius == lo.radius && lo.radius > 0;
      const bool crease_hi = j + 2 < rings.size() && rings[j + 2].along == hi.along && rings[j + 2].radius == hi.radius && hi.radius > 0;
      for (int i = 0; i < sides_; ++i) {
        const Vec3 p00 = at(lo, i), p01 = at(lo, i + 1), p10 = at(hi, i), p11 = at(hi, i + 1);
        const Vec3 n00 = normal(lo, i), n01 = normal(lo, i + 1), n10 = normal(hi, i), n11 = normal(hi, i + 1);
        if (lo.radius > 0) triangle({p00, p01, p11}, {n00, n01, n11}, crease_lo ? 4 : 0);
        if (hi.radius > 0) triangle({p00, p11, p10}, {n00, n11, n10}, crease_hi ? 1 : 0);
      }
    }
  }
  std::shared_ptr<Surface> finish() {
    if (points_.empty()) return surface;
    Vec3 lo = points_[0], hi = points_[0];
    for (const Vec3& p : points_)
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], p[k]);
        hi[k] = std::max(hi[k], p[k]);
      }
    surface->min = lo;
    surface->max = hi;
    surface->origin = lo * 0.5 + hi * 0.5;
    const auto field = [](double x) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(std::clamp(x, -1.0, 1.0) * 511))) & 1023u; };
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 p = points_[i] - surface->origin, &n = normals_[i];
      surface->corners.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), field(n.x) | field(n.y) << 10 | field(n.z) << 20,
                                  255, 255, 255, edges_[i]});
    }
    return surface;
  }

 private:
  int sides_;
  std::vector<Vec3> points_, normals_;
  std::vector<std::uint8_t> edges_;
};

std::vector<Profile> arc(int sides, double along, double radius, double from, double to) {  // angles from the axis' start
  std::vector<Profile> rings;
  const int n = std::max(4, static_cast<int>(0.5 * sides * std::abs(to - from) / std::numbers::pi));
  for (int i = 0; i <= n; ++i) {
    const double angle = from + (to - from) * i / n, c = -std::cos(angle), s = i == 0 && from == 0 ? 0 : i == n && to == std::numbers::pi ? 0 : std::sin(angle);
    rings.push_back({along + radius * c, radius * s, c, s});
  }
  return rings;
}

/// `make` makes it with a number of sides; `widest` is the radius of its widest circle.
template <class Make>
SurfacePtr round_surface(double widest, const Make& make) {
  SurfacePtr last;
  for (const int sides : {12, 24, kRound}) {
    const std::shared_ptr<Surface> s = make(sides);
    s->sides = sides;
    s->widest = widest;
    s->simpler = last;
    last = s;
  }
  return last;
}

SurfacePtr ball(const Vec3& center, double radius) {
  Maker m;
  m.revolve(center, Vec3(0, 0, 1), arc(kRound, 0, radius, 0, std::numbers::pi));
  const std::shared_ptr<Surface> s = m.finish();
  s->ball = radius;
  return s;
}

SurfacePtr ellipsoid(const Ellipsoid& e) {
  const auto scaled = [&](const Vec3& p) { return e.center + p * e.radii; };
  const auto normal = [&](const Vec3& p) { return unit(p * Vec3(e.radii.y * e.radii.z, e.radii.z * e.radii.x, e.radii.x * e.radii.y)); };
  return round_surface(std::max({e.radii.x, e.radii.y, e.radii.z}), [&](int sides) {
    Maker m(sides);
    const auto rings = arc(sides, 0, 1, 0, std::numbers::pi);
    const auto at = [&](const Profile& r, int i) {
      const double a = 2 * std::numbers::pi * (i % sides) / sides;
      return Vec3(r.radius * std::cos(a), r.radius * std::sin(a), r.along);
    };
    for (std::size_t j = 0; j + 1 < rings.size(); ++j)
      for (int i = 0; i < sides; ++i) {
        const Vec3 a = at(rings[j], i), b = at(rings[j], i + 1), c = at(rings[j + 1], i + 1), d = at(rings[j + 1], i);
        m.triangle({scaled(a), scaled(b), scaled(c)}, {normal(a), normal(b), normal(c)}, 0);
        m.triangle({scaled(a), scaled(c), scaled(d)}, {normal(a), normal(c), normal(d)}, 0);
      }
    return m.finish();
  });
}

SurfacePtr parallelepiped(const Vec3& center, const Vec3& x, const Vec3& y, const Vec3& z) {
  Maker m;
  const auto at = [&](int i) { return center + x * (i & 1 ? 1.0 : -1.0) + y * (i & 2 ? 1.0 : -1.0) + z * (i & 4 ? 1.0 : -1.0); };
  for (const auto& f :
       {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4}, std::array{2, 6, 7, 3}, std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}})
    m.quad(at(f[0]), at(f[1]), at(f[2]), at(f[3]));
  return m.finish();
}

/// Shows coplanar facets as one face.
SurfacePtr hull_surface(const Hull& hull) {
  const auto points = hull.points();
  const auto triangles = hull.triangles();
  std::vector<Vec3> normals;
  for (const auto& t : triangles) normals.push_back(unit(cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]])));
  Maker m;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    std::uint8_t edges = 0;
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t p = triangles[i][(k + 1) % 3], q = triangles[i][(k + 2) % 3];
      bool crease = true;
      for (std::size_t j = 0; j < triangles.size() && triangles.size() < 2000; ++j) {
        const auto& t = triangles[j];
        if (j != i && std::count(t.begin(), t.end(), p) && std::count(t.begin(), t.end(), q)) crease = dot(normals[i], normals[j]) < 1 - 1e-12;
      }
      if (crease) edges = static_cast<std::uint8_t>(edges | 1 << k);
    }
    m.flat(points[triangles[i][0]], points[triangles[i][1]], points[triangles[i][2]], edges);
  }
  return m.finish();
}

SurfacePtr square(const Vec3& middle, const Vec3& normal, double extent) {
  Vec3 u, v;
  basis(normal, u, v);
  Maker m;
  m.quad(middle - (u + v) * extent, middle + (u - v) * extent, middle + (u + v) * extent, middle - (u - v) * extent);
  return m.finish();
}

struct Adder {
  Picture& picture;
  const Pose& pose;
  const Look& look;

  void part(SurfacePtr surface, float opacity_factor = 1) {
    if (!surface->corners.empty()) picture.parts.push_back({std::move(surface), pose, look.color, look.opacity * opacity_factor, look.edges, false, look.id});
  }
  void stroke(const Vec3& a, const Vec3& b) { picture.strokes.push_back({a, b, look.color, look.width, false}); }  // placed already
  void dot_at(const Vec3& p) { picture.dots.push_back({p, look.color, 3 * look.width, false}); }

  void operator()(const Point& s) { dot_at(pose.apply(s.point)); }
  void operator()(const Segment& s) { stroke(pose.apply(s.a), pose.apply(s.b)); }
  void operator()(const Ray& s) {
    const Vec3 o = pose.apply(s.origin), d = unit(pose.rotate(s.direction));
    const Vec3 tip = o + d * (look.extent + length(o - look.middle));
    stroke(o, tip);
    dot_at(o);
  }
  void operator()(const Line& s) {
    const Vec3 o = pose.apply(s.origin), d = unit(pose.rotate(s.direction)), foot = o + d * dot(look.middle - o, d);
    stroke(foot - d * look.extent, foot + d * look.extent);
  }
  void plane(const Vec3& point, const Vec3& normal, float opacity) {
    const Vec3 p = pose.apply(point), n = unit(pose.rotate(normal)), foot = look.middle + n * dot(p - look.middle, n);
    Part square_part{square(foot, n, look.extent * 0.6), Pose{}, look.color, opacity * look.opacity, look.edges, false, look.id};
    picture.parts.push_back(std::move(square_part));
    stroke(foot, foot + n * (look.extent * 0.12));  // its normal
  }
  void operator()(const Plane& s) { plane(s.point, s.normal, 0.5f); }
  void operator()(const HalfSpace& s) {
    const Vec3 p = pose.apply(s.point), n = unit(pose.rotate(s.normal)), foot = look.middle + n * dot(p - look.middle, n);
    Vec3 u, v;
    basis(n, u, v);
    const double e = look.extent * 0.6, thick = look.extent * 0.15;
    Part slab{parallelepiped(foot - n * (thick / 2), u * e, v * e, n * (thick / 2)), Pose{}, look.color, look.opacity * 0.5f, look.edges, false, look.id};
    picture.parts.push_back(std::move(slab));
    stroke(foot, foot + n * (look.extent * 0.12));
  }
  void operator()(const Triangle& s) {
    Maker m;
    m.flat(s.points[0], s.points[1], s.points[2]);
    part(m.finish());
  }
  void operator()(const Polygon& s) {
    Maker m;
    const auto p = s.points();
    for (std::size_t i = 1; i + 1 < p.size(); ++i) m.flat(p[0], p[i], p[i + 1], static_cast<std::uint8_t>(1 | (i + 2 == p.size() ? 2 : 0) | (i == 1 ? 4 : 0)));
    part(m.finish());
  }
  void operator()(const Sphere& s) {
    if (s.radius == 0) return dot_at(pose.apply(s.center));
    part(ball(s.center, s.radius));
  }
  void operator()(const Box& s) {
    const Vec3 h = (s.max - s.min) * 0.5;
    part(parallelepiped(s.min + h, Vec3(h.x, 0, 0), Vec3(0, h.y, 0), Vec3(0, 0, h.z)));
  }
  void operator()(const OrientedBox& s) { part(parallelepiped(s.center, s.axes[0] * s.half.x, s.axes[1] * s.half.y, s.axes[2] * s.half.z)); }
  void operator()(const Capsule& s) {
    if (s.radius == 0) return stroke(pose.apply(s.a), pose.apply(s.b));
    if (s.a == s.b) return part(ball(s.a, s.radius));
    part(round_surface(s.radius, [&](int sides) {
      std::vector<Profile> rings = arc(sides, 0, s.radius, 0, std::numbers::pi / 2);
      const std::vector<Profile> top = arc(sides, length(s.b - s.a), s.radius, std::numbers::pi / 2, std::numbers::pi);
      rings.insert(rings.end(), top.begin(), top.end());
      Maker m(sides);
      m.revolve(s.a, s.b - s.a, rings);
      return m.finish();
    }));
  }
  void operator()(const Cylinder& s) { (*this)(TruncatedCone{s.a, s.b, s.radius, s.radius}); }
  void operator()(const Cone& s) { (*this)(TruncatedCone{s.a, s.b, s.radius, 0}); }
  void operator()(const TruncatedCone& s) {
    const double h = length(s.b - s.a), r = s.radius_a, q = s.radius_b;
    if (r == 0 && q == 0) return stroke(pose.apply(s.a), pose.apply(s.b));
    part(round_surface(std::max(r, q), [&](int sides) {
      Maker m(sides);
      m.revolve(s.a, s.b - s.a, {{0, 0, -1, 0}, {0, r, -1, 0}, {0, r, r - q, h}, {h, q, r - q, h}, {h, q, 1, 0}, {h, 0, 1, 0}});
      return m.finish();
    }));
  }
  void operator()(const Ellipsoid& s) { part(ellipsoid(s)); }
  void operator()(const Hull& s) {
    const auto p = s.points();
    const auto c = s.corners();
    if (s.dimension() == 0) return dot_at(pose.apply(p[c[0]]));
    if (s.dimension() == 1) return stroke(pose.apply(p[c[0]]), pose.apply(p[c[1]]));
    part(hull_surface(s));
  }
  void operator()(const Frustum& s) { (*this)(s.hull()); }
  void operator()(const Wedge& s) {
    const Vec3 o = s.corner, x = s.edges[0], y = s.edges[1], z = s.edges[2];
    (*this)(Hull{o, o + x, o + y, o + z, o + x + z, o + y + z});
  }
  void operator()(const Mesh& s) { part(surface_of(s)); }
  void operator()(const Solid& s) { part(surface_of(s.mesh())); }
  void operator()(const HeightField& s) { part(surface_of(s.mesh())); }
  void operator()(const Compound& s) {
    for (const Compound::Child& child : s.children()) {
      Pose both;  // for display; the library places children itself
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          both.rotation[i][j] = 0;
          for (int k = 0; k < 3; ++k) both.rotation[i][j] += pose.rotation[i][k] * child.pose.rotation[k][j];
        }
      both.translation = pose.apply(child.pose.translation);
      add_shape(picture, child.shape, both, look);
    }
  }
};

}  // namespace

void add_shape(Picture& picture, const AnyShape& shape, const Pose& pose, const Look& look) { std::visit(Adder{picture, pose, look}, shape.value()); }

}  // namespace graze::view
