// Expanding polytope algorithm: finds the direction m of least h(m) = max m . w over A - B, for an origin inside A - B. Every direction tried gives an upper
// bound; the polytope of the vertices found gives the lower bound. `depth_in_doubles.cpp` keeps a polytope of its own: it starts from GJK's simplex and walks
// from face to face in fixed arrays, which this one, where each step compares all faces, would make slower.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "convex/minkowski/local_pair.hpp"

namespace graze {

/// The surface of a polytope that grows by vertices of A - B. `Space` has the numbers: `Number` of coordinates, `Real` to compare them by, Plane {n, d, ..}
/// with n . v = d; support(m); shorten(v), which returns false where v has no direction; size(v); beyond(x), whether a point at n . w - d = x is outside a
/// plane.
template <class Space>
class ExpandingSurface {
 public:
  using N = typename Space::Number;
  struct Face : Space::Plane {
    int v[3];
  };

  explicit ExpandingSurface(const Space& space) : space_(space) {}
  const Space& space() const { return space_; }
  const std::vector<Face>& faces() const { return faces_; }
  const V3<N>& point(int i) const { return points_[i]; }

  /// A tetrahedron of vertices: the farthest pair along the axes, then the vertex farthest from their line, then the one farthest from their plane. Returns
  /// false where A - B has no volume. `m` is then perpendicular to it, else to a face.
  bool begin(V3<N>& m) {
    using Real = typename Space::Real;
    const V3<N> axis[3] = {{N(1), N(0), N(0)}, {N(0), N(1), N(0)}, {N(0), N(0), N(1)}};
    V3<N> p, q;
    Real most = -1;
    for (const V3<N>& e : axis) {
      const V3<N> hi = space_.support(e), lo = space_.support(-e);
      if (offer(Space::real(dot(e, hi - lo)), most)) p = lo, q = hi;
    }
    m = axis[0];
    V3<N> along = q - p;
    if (!Space::shorten(along)) return false;
    const Real x = Space::real(along.x);
    V3<N> side = cross(along, axis[25 * x * x < 9 * Space::real(dot(along, along)) ? 0 : 1]);  // the sine is at least 0.6
    if (!Space::shorten(side)) return false;
    m = side;
    const V3<N> other = cross(along, side);
    V3<N> r = p, s = p;
    Real away = Space::flat();
    for (const V3<N>& e : {side, other, -side, -other}) {
      const V3<N> w = space_.support(e);
      if (offer(Space::size(cross(along, w - p)), away)) r = w;
    }
    if (away == Space::flat()) return false;
    m = cross(along, r - p);
    if (!Space::shorten(m)) return false;
    Real height = Space::flat();
    for (const V3<N>& e : {m, -m}) {
      const V3<N> w = space_.support(e);
      const Real d = Space::real(dot(m, w - p));
      if (offer(d < 0 ? Real(-d) : d, height)) s = w;
    }
    if (height == Space::flat()) return false;
    points_ = {p, q, r, s};
    centre_ = (p + q) + (r + s);
    return face(0, 1, 2) && face(0, 3, 1) && face(0, 2, 3) && face(1, 3, 2);  // every edge occurs once in each direction, here and after every step
  }

  /// Adds the vertex farthest beyond the nearest face, until stop(face, height of that vertex) or where rounding ends it.
  template <class Stop>
  void run(const Stop& stop) {
    for (;;) {
      const Face* nearest = faces_.data();
      for (const Face& f : faces_)
        if (Space::nearer(f, *nearest)) nearest = &f;
      const V3<N> w = space_.support(nearest->n);
      if (stop(*nearest, dot(nearest->n, w)) || !add(w)) return;
    }
  }

 private:
  template <class Real>
  static bool offer(const Real& value, Real& most) {
    if (!(value > most)) return false;
    most = value;
    return true;
  }

  /// Adds a face, oriented away from the centre of the first tetrahedron.
  bool face(int a, int b, int c) {
    V3<N> n = cross(points_[b] - points_[a], points_[c] - points_[a]);
    if (!Space::shorten(n)) return false;
    if (Space::real(dot(n, N(4) * points_[a] - centre_)) < 0) n = -n;
    const N d = dot(n, points_[a]);
    faces_.push_back({Space::plane(n, d), {a, b, c}});
    return true;
  }

  /// Replaces the faces that w is beyond by faces between their border and w. In integers none of the new faces is degenerate: a border collinear with w
  /// belongs to faces whose planes contain w.
  bool add(const V3<N>& w) {
    const int index = static_cast<int>(points_.size());
    points_.push_back(w);
    edges_.clear();
    std::size_t kept = 0;
    for (Face& f : faces_) {
      if (Space::beyond(dot(f.n, w) - f.d)) {  // holds for the face that w was found from
        for (int k = 0; k < 3; ++k) toggle(f.v[k], f.v[(k + 1) % 3]);
      } else {
        if (&faces_[kept] != &f) faces_[kept] = std::move(f);
        ++kept;
      }
    }
    if (kept == faces_.size()) return false;
    faces_.resize(kept);
    // A surface without holes has at most 2 n - 4 triangles. Where rounding hides which faces are visible from w, the outline falls apart and the number of
    // faces would multiply with every step.
    bool closed = !edges_.empty() && kept + edges_.size() + 4 <= 2 * points_.size();
    for (const auto& e : edges_) closed = closed && face(e[0], e[1], index);
    if (!closed) faces_.clear();
    return closed;
  }
  void toggle(int a, int b) {
    const auto back = std::find_if(edges_.begin(), edges_.end(), [=](const auto& e) { return e[0] == b && e[1] == a; });
    if (back != edges_.end())
      edges_.erase(back);
    else
      edges_.push_back({a, b});
  }

  Space space_;
  std::vector<V3<N>> points_;
  std::vector<Face> faces_;
  std::vector<std::array<int, 2>> edges_;
  V3<N> centre_;  ///< four times a point of the interior
};

/// A - B in doubles or pairs of doubles. Normals have unit length.
template <class N>
struct RoundedSpace {
  using Number = N;
  using Real = double;
  static constexpr bool wide = std::is_same_v<N, TwoDouble>;
  /// Progress and height that count. The first tetrahedron needs 16 times that, which exceeds the error of a support (96 u, 2^-94).
  static constexpr double kFlat = wide ? 0x1p-92 : 0x1p-50;
  struct Plane {
    V3<N> n;
    N d;
  };

  const LocalPair& pair;
  V3<N> support(const V3<N>& m) const { return pair.farthest(0, m) - pair.farthest(1, -m); }
  static double real(const N& x) { return rounded(x); }
  static double size(const V3<N>& v) { return std::sqrt(rounded(dot(v, v))); }
  static double flat() { return kFlat * 16; }
  static bool beyond(const N& x) { return rounded(x) > kFlat * 0.25; }
  static bool nearer(const Plane& f, const Plane& g) { return rounded(f.d - g.d) < 0; }
  static Plane plane(const V3<N>& n, const N& d) { return {n, d}; }
  static bool shorten(V3<N>& v) {
    const N length = square_root(dot(v, v));
    if (!(rounded(length) > (wide ? 0x1p-180 : 0x1p-90))) return false;
    v = {v.x / length, v.y / length, v.z / length};
    return true;
  }
};

template <class N>
struct Shallowest {
  V3<N> m{N(0), N(0), N(0)};  ///< unit length
  N value{8};                 ///< h(m): upper bound
  N lower{-8};                ///< certain except for rounding
  bool exhausted = false;     ///< all steps were used
  bool flat = false;          ///< A - B has no volume to the precision of N: m is normal to it
};

template <class N>
class ExpandingPolytope {
 public:
  explicit ExpandingPolytope(const LocalPair& pair) : surface_({pair}) {}

  Shallowest<N> run(int steps, double relative) {
    Shallowest<N> best;
    const auto offer = [&](const V3<N>& m, const N& value) {
      if (rounded(value - best.value) < 0) best.m = m, best.value = value;
    };
    V3<N> first;
    best.flat = !surface_.begin(first);
    for (const V3<N>& m : {first, -first}) offer(m, dot(m, surface_.space().support(m)));
    if (best.flat) return best;
    int step = 0;
    surface_.run([&](const auto& face, const N& value) {
      best.exhausted = step++ == steps;
      if (best.exhausted) return true;
      best.lower = face.d;
      offer(face.n, value);
      return rounded(best.value - best.lower) <= rounded(best.value) * relative || !(rounded(value - face.d) > RoundedSpace<N>::kFlat);
    });
    return best;
  }

  /// The polytope contains every point nearer to the origin than this; negative when that is not certain. The faces form a closed surface of vertices of A - B,
  /// each off by at most kLocalError a coordinate. Where the origin lies on the same side of all faces, the surface encloses the origin and every point nearer
  /// than its nearest plane. The planes are those of the vertices as stored: in pairs of doubles off by less than 2^-96 / |normal|.
  double inside() const {
    double least = surface_.faces().empty() ? -8 : 8;
    int side = 0;
    for (const auto& f : surface_.faces()) {
      const V3<TwoDouble> p = two(f.v[0]), n = cross(two(f.v[1]) - p, two(f.v[2]) - p);
      const double length = rounded(square_root(dot(n, n))), d = rounded(dot(n, p));
      const int s = d > 0 ? 1 : -1;
      if (!(length > 0x1p-90) || (side != 0 && s != side)) return -8;
      side = s;
      least = std::min(least, (std::fabs(d) - 0x1p-96) / length);
    }
    return least - 2 * kLocalError<N>;  // 2: for the length of a vector of such coordinates
  }

 private:
  V3<TwoDouble> two(int i) const {
    const V3<N>& p = surface_.point(i);
    return {TwoDouble(p.x), TwoDouble(p.y), TwoDouble(p.z)};
  }

  ExpandingSurface<RoundedSpace<N>> surface_;
};

}  // namespace graze
