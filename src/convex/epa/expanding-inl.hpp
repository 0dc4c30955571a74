// Expanding polytope algorithm: finds the direction m of least h(m) = max m . w over A - B, for an origin inside A - B. Every direction tried gives an upper
// bound; the polytope of the vertices found gives the lower bound.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "convex/minkowski/local_pair.hpp"

namespace graze {

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
  explicit ExpandingPolytope(const LocalPair& pair) : pair_(pair) {}

  Shallowest<N> run(int steps, double relative) {
    if (!begin()) return best_;
    best_.exhausted = true;
    for (int step = 0; step < steps; ++step) {
      int nearest = -1;
      for (std::size_t f = 0; f < faces_.size(); ++f)
        if (nearest < 0 || less(faces_[f].d, faces_[nearest].d)) nearest = static_cast<int>(f);
      const Face face = faces_[nearest];
      best_.lower = face.d;
      const V3<N> w = support(face.n);
      const N value = dot(face.n, w);
      offer(face.n, value);
      if (rounded(best_.value - best_.lower) <= rounded(best_.value) * relative || !(rounded(value - face.d) > kFlat) || !add(w)) {
        best_.exhausted = false;
        break;
      }
    }
    return best_;
  }

  /// The polytope contains every point nearer to the origin than this; negative when that is not certain. The faces form a closed surface of vertices of A - B,
  /// each off by at most kLocalError a coordinate. Where the origin lies on the same side of all faces, the surface encloses the origin and every point nearer
  /// than its nearest plane. The planes are those of the vertices as stored: in pairs of doubles off by less than 2^-96 / |normal|.
  double inside() const {
    double least = faces_.empty() ? -8 : 8;
    int side = 0;
    for (const Face& f : faces_) {
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
  V3<TwoDouble> two(int i) const { return {TwoDouble(points_[i].x), TwoDouble(points_[i].y), TwoDouble(points_[i].z)}; }
  static constexpr bool wide = std::is_same_v<N, TwoDouble>;
  /// Progress and height that count. The first tetrahedron needs 16 times that, which exceeds the error of a support (96 u, 2^-94).
  static constexpr double kFlat = wide ? 0x1p-92 : 0x1p-50;
  struct Face {
    int v[3];
    V3<N> n;
    N d;
  };
  static bool less(const N& a, const N& b) { return rounded(a - b) < 0; }
  V3<N> support(const V3<N>& m) const { return pair_.farthest(0, m) - pair_.farthest(1, -m); }
  void offer(const V3<N>& m, const N& value) {
    if (!less(value, best_.value)) return;
    best_.m = m;
    best_.value = value;
  }
  bool unit(V3<N>& v) const {
    const N length = square_root(dot(v, v));
    if (!(rounded(length) > (wide ? 0x1p-180 : 0x1p-90))) return false;
    v = {v.x / length, v.y / length, v.z / length};
    return true;
  }

  bool begin() {
    // A tetrahedron of vertices: the farthest pair along the axes, then the vertex farthest from their line, then the one farthest from their plane.
    V3<N> axis[3] = {{N(1), N(0), N(0)}, {N(0), N(1), N(0)}, {N(0), N(0), N(1)}};
    V3<N> p, q;
    double most = -1;
    for (const V3<N>& e : axis) {
      const V3<N> hi = support(e), lo = support(-e);
      const double width = rounded(dot(e, hi - lo));
      if (width > most) {
        most = width;
        p = lo;
        q = hi;
      }
    }
    V3<N> along = q - p;
    best_.flat = true;
    best_.m = axis[0];
    best_.value = N(0);
    if (!unit(along)) return false;
    V3<N> side = cross(along, std::fabs(rounded(along.x)) < 0.6 ? axis[0] : axis[1]);  // the sine is at least 0.6

    if (!unit(side)) return false;
    V3<N> other = cross(along, side);
    V3<N> r = p;
    double away = kFlat * 16;
    for (const V3<N>& e : {side, other, -side, -other}) {
      const V3<N> w = support(e);
      const V3<N> c = cross(along, w - p);
      const double d = std::sqrt(rounded(dot(c, c)));
      if (d > away) {
        away = d;
        r = w;
      }
    }
    best_.m = side;
    if (away == kFlat * 16) return false;
    V3<N> n = cross(along, r - p);
    if (!unit(n)) return false;
    best_.m = n;
    V3<N> s = p;
    double height = kFlat * 16;
    for (const V3<N>& e : {n, -n}) {
      const V3<N> w = support(e);
      const double d = std::fabs(rounded(dot(n, w - p)));
      if (d > height) {
        height = d;
        s = w;
      }
    }
    const V3<N> up = support(n), down = support(-n);
    best_.value = dot(n, up);
    if (less(-dot(n, down), best_.value)) {
      best_.m = -n;
      best_.value = -dot(n, down);
    }
    if (height == kFlat * 16) return false;
    best_.flat = false;
    points_ = {p, q, r, s};
    centre_ = N(0.25) * ((p + q) + (r + s));
    return face(0, 1, 2) && face(0, 3, 1) && face(0, 2, 3) && face(1, 3, 2);  // every edge occurs once in each direction, here and after every step
  }

  /// Adds a face, oriented away from the centre of the first tetrahedron.
  bool face(int a, int b, int c) {
    Face f{{a, b, c}, cross(points_[b] - points_[a], points_[c] - points_[a]), N(0)};
    if (!unit(f.n)) return false;
    if (rounded(dot(f.n, points_[a] - centre_)) < 0) f.n = -f.n;
    f.d = dot(f.n, points_[a]);
    faces_.push_back(f);
    return true;
  }

  bool add(const V3<N>& w) {
    const int index = static_cast<int>(points_.size());
    points_.push_back(w);
    edges_.clear();
    std::size_t kept = 0;
    for (const Face& f : faces_) {
      if (rounded(dot(f.n, w) - f.d) > kFlat * 0.25) {  // holds for the face that w was found from, by more than kFlat
        for (int k = 0; k < 3; ++k) toggle(f.v[k], f.v[(k + 1) % 3]);
      } else {
        faces_[kept++] = f;
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
    for (std::size_t i = 0; i < edges_.size(); ++i)
      if (edges_[i][0] == b && edges_[i][1] == a) {
        edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
    edges_.push_back({a, b});
  }

  const LocalPair& pair_;
  Shallowest<N> best_;
  std::vector<V3<N>> points_;
  std::vector<Face> faces_;
  std::vector<std::array<int, 2>> edges_;
  V3<N> centre_;
};

}  // namespace graze
