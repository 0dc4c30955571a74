// G. van den Bergen's expanding polytope (2001), with bounds from both sides that need no exact number.
//
// From above: h(m), the height of C = A - B along any m, is evaluated over all vertices (DoublePair::height); moving A by (h(m) + R) / |m| against m separates,
// R the sum of the radii.
// From below: the polytope's faces are a closed surface of triangles between points of C, by construction: the first is a tetrahedron, and each step replaces a
// disc of faces by the fan over its border. For any n, every point x of a triangle p q r has n . x >= d = min(n . p, n . q, n . r), so that |x| >= d / |n|. n
// is the rounded normal, whose length and direction need not be right. If the origin is on the inner side of every face, the faces' solid angles have one sign,
// so the surface winds around the origin, and C, which is convex, contains every point nearer than the least d / |n|, up to the error of the vertices. With
// coordinates at most 1/2 in size, a component of n is off by less than 7 u and n . p by less than 14 u, so that d > kSide proves the side.
// Where A and B overlap by little, the error of doubles is too much of the depth, though they find the face. Then that face, and those about as near, are
// bounded again in pairs of doubles, of the corners that they stand for, and so is the height along the face's normal; likewise the simplex nearest to the
// origin where only the balls overlap.
#include "convex/depth/depth_in_doubles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "convex/depth/difference_face.hpp"
#include "convex/minkowski/double_pair.hpp"
#include "convex/minkowski/round_direction.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

/// Of curved operands: the gaps of the bounds, relative to the depth, at which the surface is followed where it is round, and the last: choices.
constexpr double kCurvedGaps[] = {0x1p-14, 0x1p-17, 0x1p-20, 0x1p-23, 0x1p-26, kDepthGap};
constexpr double kLeastCurvedGap = 0x1p-26;  ///< accepted where rounding or the room ends it

constexpr double kSide = 64 * kUnitRoundoff;
constexpr double kSureSide = 256 * kUnitRoundoff;  // the same of the vertices themselves: a determinant changes by less than 6 kDoubleError

/// Of a DoublePair, whose vertices have names, or of a LocalPair with curved operands.
template <class Pair>
class PolytopeOf {
 public:
  static constexpr int kMostVertices = 128;  ///< a choice: few depths need more, and the next tier finds those
  static constexpr bool kNamed = std::is_same_v<Pair, DoublePair>;
  explicit PolytopeOf(const Pair& pair) : pair_(pair) {}

  /// Starts with a tetrahedron that contains the origin. Returns whether doubles prove that it does.
  bool begin(const Double3* w, const PointPair<double>* g) {
    const double volume = dot(cross(w[1] - w[0], w[2] - w[0]), w[3] - w[0]);
    const bool turn = volume > 0;
    for (int k = 0; k < 4; ++k) {
      const int from = turn && k < 2 ? 1 - k : k;
      point_[k] = w[from];
      corners_[k] = g[from].corners;
    }
    points_ = 4;
    faces_ = 4;
    static constexpr int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    static constexpr Edge across[4][3] = {{{1, 2}, {3, 2}, {2, 0}}, {{2, 2}, {3, 0}, {0, 0}}, {{0, 2}, {3, 1}, {1, 0}}, {{1, 1}, {2, 1}, {0, 1}}};
    bool good = true;
    for (int f = 0; f < 4; ++f) {
      good = set_face(f, corner[f][0], corner[f][1], corner[f][2]) && good;
      for (int k = 0; k < 3; ++k) face_[f].across[k] = across[f][k];
    }
    return good;
  }

  /// Expands until the nearest face is that of C, up to `relative` of its distance plus `reach`. Returns whether it is; the surface is then still closed around
  /// the origin.
  bool run(double reach, double relative) {
    for (;;) {
      nearest_ = 0;
      for (int f = 1; f < faces_; ++f)
        if (distance_[f] < distance_[nearest_]) nearest_ = f;
      const Face& f = face_[nearest_];
      if constexpr (kNamed) pair_.climb_from(corners_[f.v[0]]);
      const LocalVertex<double> v = pair_.least(-f.n);
      const double height = dot(f.n, v.w) / f.length;
      last_ = {f.n, f.length, height - distance_[nearest_]};
      if (height - distance_[nearest_] <= (height + reach) * relative || (kNamed && is_corner(f, v.corners))) return true;
      if (points_ == kMostVertices || !add(v)) return false;
    }
  }

  /// The nearest face again, in pairs of doubles.
  struct FineFace {
    Double3 normal;    ///< rounded
    TwoDouble inside;  ///< C contains every point that is nearer to the origin
  };
  /// Nothing if that does not prove that the surface goes around the origin.
  std::optional<FineFace> refined() const {
    FineFace nearest{face_[nearest_].n, distance(nearest_)};
    // What other faces leave: from doubles, where that is enough.
    for (int f = 0; f < faces_; ++f) {
      if (f == nearest_ || (distance_[f] - kDoubleError > nearest.inside.hi && distance_[f] * face_[f].length > kSureSide)) continue;
      const TwoDouble d = distance(f);
      if (rounded(d - nearest.inside) < 0) nearest.inside = d;
    }
    if (!(nearest.inside.hi > 0)) return std::nullopt;
    return nearest;
  }
  /// The face of C in which the nearest face lies.
  std::optional<DifferenceFace> face_of(const ConvexSet& a, const ConvexSet& b) const {
    const int* const v = face_[nearest_].v;
    return DifferenceFace::of(a, b, {corners_[v[0]], corners_[v[1]], corners_[v[2]]});
  }
  /// Expands until all faces but those in a face of C are farther than `level`.
  enum class Clear : std::uint8_t { yes, no, failed };  ///< no: C does not extend beyond another face; failed: the precision or the room is exhausted
  Clear clear_but(const DifferenceFace& except, double level, int most_points) {
    const auto in_face = [&](int vertex) { return except.contains(corners_[vertex]); };
    for (;;) {
      nearest_ = -1;
      for (int f = 0; f < faces_; ++f) {
        const int* const v = face_[f].v;
        if (distance_[f] > level || (in_face(v[0]) && in_face(v[1]) && in_face(v[2]))) continue;
        if (nearest_ < 0 || distance_[f] < distance_[nearest_]) nearest_ = f;
      }
      if (nearest_ < 0) return Clear::yes;
      const Face& f = face_[nearest_];
      pair_.climb_from(corners_[f.v[0]]);
      const LocalVertex<double> v = pair_.least(-f.n);
      if (!(dot(f.n, v.w) > level * f.length) || is_corner(f, v.corners)) return Clear::no;
      if (points_ >= most_points || !add(v)) return Clear::failed;
    }
  }
  const Double3& normal() const { return face_[nearest_].n; }
  /// The last face to which a vertex was searched for, also where adding that failed: what its height exceeds that of any other direction by, at most.
  struct LastFace {
    Double3 normal;
    double length, gap;
  };
  const LastFace& last() const { return last_; }
  const Double3& corner(int k) const { return point_[face_[nearest_].v[k]]; }
  double length() const { return face_[nearest_].length; }
  double inside() const { return distance_[nearest_]; }  ///< C contains every point that is nearer to the origin by more than kDoubleError

 private:
  static constexpr int kMostFaces = 2 * kMostVertices;
  /// A face, and its edge from corner k to the next.
  struct Edge {
    int face, k;
  };
  struct Face {
    Double3 n;             ///< outward
    double length, level;  ///< |n|; greatest n . v of its corners
    int v[3];
    Edge across[3];
    bool alive;
  };

  bool is_corner(const Face& f, const CornerNames& c) const { return c == corners_[f.v[0]] || c == corners_[f.v[1]] || c == corners_[f.v[2]]; }

  /// A lower bound of the distance of a face, 0 where it might be on the other side of the origin.
  TwoDouble distance(int f) const {
    const Face& face = face_[f];
    const double error = pair_.fine_error();
    const V3<TwoDouble> p = pair_.vertex(corners_[face.v[0]]), q = pair_.vertex(corners_[face.v[1]]), r = pair_.vertex(corners_[face.v[2]]);
    const V3<TwoDouble> n = cross(q - p, r - p);
    const TwoDouble length = square_root(dot(n, n));
    TwoDouble level = dot(n, p);
    for (const V3<TwoDouble>& x : {q, r})
      if (const TwoDouble d = dot(n, x); rounded(d - level) < 0) level = d;
    if (!(level.hi > 0x1p-92 + 8 * error && length.hi > 0)) return 0;
    return level / length - TwoDouble(2 * error);
  }

  bool set_face(int f, int a, int b, int c) {
    const Double3 &p = point_[a], &q = point_[b], &r = point_[c];
    Face& face = face_[f];
    face.n = cross(q - p, r - p);
    const double x = dot(face.n, p), y = dot(face.n, q), z = dot(face.n, r), d = std::min(std::min(x, y), z);
    face.length = std::sqrt(dot(face.n, face.n));
    face.level = std::max(std::max(x, y), z);
    face.v[0] = a, face.v[1] = b, face.v[2] = c;
    face.alive = true;
    distance_[f] = d / face.length;
    if constexpr (kNamed) return d > kSide;
    // The same for shorter edges e, f: a component of n is off by less than 8 u |e| |f|, n . p by 14 u |e| |f| |p|_1.
    const double most = std::max(std::max(taxicab(p), taxicab(q)), taxicab(r));
    return d > 16 * kUnitRoundoff * (max_norm(q - p) * max_norm(r - p)) * most;
  }

  /// Whether w lies beyond the plane of a face, or in it: a new triangle between w and an edge of the face would be flat.
  bool sees(const Double3& w, const Face& f) const { return dot(f.n, w) > f.level - f.length * 0x1p-48; }

  /// Removes what w sees beyond edge k of face f, and lists the border in order.
  bool remove(const Double3& w, Edge e) {
    Face& f = face_[e.face];
    if (!f.alive) return true;
    if (!sees(w, f)) {
      if (borders_ == kMostFaces) return false;
      border_[borders_++] = e;
      return true;
    }
    f.alive = false;
    dead_[deads_++] = e.face;
    return remove(w, f.across[(e.k + 1) % 3]) && remove(w, f.across[(e.k + 2) % 3]);
  }

  bool add(const LocalVertex<double>& vertex) {
    const Double3& w = vertex.w;
    borders_ = deads_ = 0;
    Face& first = face_[nearest_];
    first.alive = false;
    dead_[deads_++] = nearest_;
    for (int k = 0; k < 3; ++k)
      if (!remove(w, first.across[k])) return false;
    // The border of a disc is one loop, with two edges more than the disc has faces. Rounding may make something else of it.
    if (borders_ != deads_ + 2) return false;
    const int index = points_++;
    point_[index] = w;
    corners_[index] = vertex.corners;
    for (int k = deads_; k < borders_; ++k) {
      if (faces_ == kMostFaces) return false;
      dead_[k] = faces_++;
    }
    for (int k = 0; k < borders_; ++k) {
      const Edge outer = border_[k];
      Face& o = face_[outer.face];
      const int from = o.v[(outer.k + 1) % 3], to = o.v[outer.k], f = dead_[k], next = dead_[k + 1 == borders_ ? 0 : k + 1],
                last = dead_[k == 0 ? borders_ - 1 : k - 1];
      const Edge following = border_[k + 1 == borders_ ? 0 : k + 1];
      if (face_[following.face].v[(following.k + 1) % 3] != to || !set_face(f, from, to, index)) return false;
      face_[f].across[0] = outer;
      face_[f].across[1] = {next, 2};
      face_[f].across[2] = {last, 1};
      o.across[outer.k] = {f, 0};
    }
    return true;
  }

  const Pair& pair_;
  LastFace last_;
  int points_ = 0, faces_ = 0, borders_ = 0, deads_ = 0, nearest_ = 0;
  Double3 point_[kMostVertices];
  CornerNames corners_[kMostVertices];
  double distance_[kMostFaces];
  Face face_[kMostFaces];
  Edge border_[kMostFaces];
  int dead_[kMostFaces];
};

using Polytope = PolytopeOf<DoublePair>;

/// The depth along m, if it exceeds `lower`, a bound of it, by little. `height` = h(m).
ProvenDepth fine_depth(const DoublePair& pair, const Double3& m, const TwoDouble& height, const TwoDouble& lower) {
  const V3<TwoDouble> n{m.x, m.y, m.z};
  const TwoDouble length = square_root(dot(n, n));
  if (!(length.hi > 0x1p-400)) return {};
  const TwoDouble value = height / length + pair.fine_reach();
  const double v = rounded(value), error = 4 * pair.fine_error() + 8 * kUnitRoundoff * std::fabs(v);
  if (v < -error) return {Proof::apart};
  if (!(v > 0 && rounded(value - lower) + 2 * error <= v * kDepthGap)) return {};
  return {Proof::depth, -1 / length.hi, pair.in_world(v), pair.in_world(error), m};
}

/// A face of C in the frame: its vertices in order around it, and its outward normal.
struct PlacedFace {
  const DifferenceFace& name;
  int count;
  Double3 corner[2][FewCorners::kMost];  ///< of both sides, by the numbers of their names
  Double3 at[FewCorners::kMost], m, unit;
  double length;

  PlacedFace(const DoublePair& pair, const DifferenceFace& face) : name(face), count(face.count()) {
    for (int side = 0; side < 2; ++side)
      for (int k = 0; k < face.corners(side).count; ++k) corner[side][k] = pair.placed_in_doubles(side, face.corners(side).name[k]);
    for (int k = 0; k < count; ++k) at[k] = corner[0][face.place(0, k)] - corner[1][face.place(1, k)];
    m = cross(at[1] - at[0], at[2] - at[0]);
    if (dot(m, at[0]) < 0) m = -m;
    length = std::sqrt(dot(m, m));
    const double back = 1 / length;
    unit = {m.x * back, m.y * back, m.z * back};
  }
  /// How far inside the face the origin lies, seen along the normal; negative outside.
  double margin() const {
    double least = kInfinity;
    const Double3 foot = dot(at[0], unit) * unit;
    const double turn = dot(cross(at[1] - at[0], at[2] - at[0]), unit) > 0 ? 1 : -1;
    for (int k = 0; k < count; ++k) {
      const Double3 e = at[k + 1 == count ? 0 : k + 1] - at[k];
      least = std::min(least, turn * dot(cross(e, foot - at[k]), unit) / std::sqrt(dot(e, e)));
    }
    return least;
  }
};

/// What is nowhere larger: `kDoubleError` of the vertices, and the roundings of heights and distances below 1.
constexpr double kFaceError = 2 * kDoubleError + 16 * kUnitRoundoff;

/// The depth along the normal of a face; `height` becomes that in the frame. A function of the pair and the face: the way to the face plays no part. `near`:
/// the corners that may be the farthest.
ProvenDepth depth_at_face(const DoublePair& pair, const PlacedFace& face, const FewCorners (&near)[2], double& height) {
  const double error = kDoubleError + 8 * kUnitRoundoff;
  height = pair.farthest_of(0, face.unit, near[0], face.name.corners(0), face.corner[0]) +
           pair.farthest_of(1, -face.unit, near[1], face.name.corners(1), face.corner[1]);
  if (3 * error <= height * kDepthGap) {
    double least = kInfinity;
    for (int k = 0; k < face.count; ++k) least = std::min(least, dot(face.unit, face.at[k]));
    if (!((height + error) - (least - error) <= height * kDepthGap)) return {};
    return {Proof::depth, -1 / face.length, pair.in_world(height), pair.in_world(error), face.m};
  }
  const V3<TwoDouble> n{face.m.x, face.m.y, face.m.z};
  TwoDouble least[2], greatest[2];  // all pairs of corners are vertices of the face
  for (int side = 0; side < 2; ++side) pair.fine_range(side, side == 0 ? face.m : -face.m, face.name.corners(side), near[side], least[side], greatest[side]);
  const TwoDouble lower = (least[0] + least[1]) / square_root(dot(n, n)) - TwoDouble(2 * pair.fine_error());
  const ProvenDepth s = fine_depth(pair, face.m, greatest[0] + greatest[1], lower);
  if (s.proof != Proof::depth) return {};
  height = pair.in_frame(s.value);
  return s;
}

/// The same for a face that a search found.
ProvenDepth depth_at_face(const DoublePair& pair, const PlacedFace& face, double& height) {
  FewCorners near[2];
  if (!(face.length > 0x1p-60) || !pair.nearly_farthest(0, face.unit, 0, near[0]) || !pair.nearly_farthest(1, -face.unit, 0, near[1])) return {};
  return depth_at_face(pair, face, near, height);
}

/// The depth at a face of C, if that is proven to be the least, and so clearly that the search finds no other face: docs/derivations/penetration.md, "Hints".
ProvenDepth depth_at_clear_face(const DoublePair& pair, const DifferenceFace& name) {
  const PlacedFace face(pair, name);
  const double level = dot(face.at[0], face.unit), margin = face.margin();
  const double loose = level * 0x1p-28 + 4 * kFaceError, clear = level * 0x1p-26 + 16 * kFaceError;
  if (!(face.length > 0x1p-60 && clear <= level * 0x1p-10 && margin >= 2 * std::sqrt(2 * clear * level))) return {};
  const double slack = 16 * loose * (1 + 1 / margin);
  FewCorners near[2];
  pair.climb_from(name.vertex(0));
  for (int side = 0; side < 2; ++side)
    if (!pair.nearly_farthest(side, side == 0 ? face.unit : -face.unit, slack, near[side]) || near[side].count != name.corners(side).count) return {};
  double height;
  const ProvenDepth found = depth_at_face(pair, face, near, height);
  if (found.proof != Proof::depth) return {};
  // A tetrahedron of three vertices of the face, above the origin, and one below, which is replaced while the origin lies outside of a side.
  Double3 w[4];
  PointPair<double> g[4];
  const Double3 foot = height * face.unit;
  const double turn = dot(cross(face.at[1] - face.at[0], face.at[2] - face.at[0]), face.unit) > 0 ? 1 : -1;
  int second = 1;  // of the triangle 0, second, second + 1
  while (second + 2 < face.count && turn * dot(cross(face.at[second + 1] - face.at[0], foot - face.at[0]), face.unit) > 0) ++second;
  for (int k = 0; k < 3; ++k) {
    const int which = k == 0 ? 0 : second + k - 1;
    w[k] = face.at[which];
    g[k].corners = name.vertex(which);
  }
  constexpr int kMostTries = 4, kMostPoints = 40;  // choices; a search without a hint is not much dearer
  Double3 down = -face.unit;
  for (int k = 0; k < kMostTries; ++k) {
    const LocalVertex<double> low = pair.least(-down);
    w[3] = low.w;
    g[3] = {low.a, low.b, low.corners};
    int side = 0;
    for (; side < 3; ++side) {
      down = -turn * cross(w[side == 2 ? 0 : side + 1] - w[side], w[3] - w[side]);  // outward
      if (!(dot(down, w[side]) > 0)) break;
    }
    if (side < 3) continue;
    Polytope polytope(pair);
    return polytope.begin(w, g) && polytope.clear_but(name, height + clear + kFaceError, kMostPoints) == Polytope::Clear::yes ? found : ProvenDepth{};
  }
  return {};
}

}  // namespace

ProvenDepth depth_in_doubles(const Operand& a, const Operand& b, PairHint* hint) {
  const DoublePair pair(a, b);
  if (!pair.usable()) return {};
  const double reach = pair.reach(), error = kDoubleError + 4 * kUnitRoundoff * reach, most = error + 8 * kUnitRoundoff;
  const auto apart_along = [&](const Double3& m) -> ProvenDepth {
    if (hint) *hint = hint_of_plane(m);
    return {Proof::apart};
  };
  if (hint) {
    const PairHint last = std::exchange(*hint, PairHint{});
    if (const auto m = plane_of(last)) {
      (void)pair.least(-*m);  // climbs to the corners about which `height` looks
      if (-pair.height(*m) - most > reach) return apart_along(*m);
    }
    if (const auto face = reach == 0 ? face_of(last, *a.convex, *b.convex) : std::nullopt) {
      if (const ProvenDepth found = depth_at_clear_face(pair, *face); found.proof == Proof::depth) {
        *hint = last;
        return found;
      }
    }
  }
  Nearby<double> s;
  s.x = pair.start();
  const Certain c = search_nearest(pair, reach == 0, 0x1p-52, s);
  if (c == Certain::yes && s.n == 4) {
    Polytope polytope(pair);
    if (!polytope.begin(s.w, s.g)) return {};
    for (std::optional<DifferenceFace> last;;) {  // ends: without new vertices the nearest face stays
      if (!polytope.run(reach, kDepthGap * 0.25)) return {};
      const auto face = reach == 0 ? polytope.face_of(*a.convex, *b.convex) : std::nullopt;
      if (!face || face == last) break;
      double height;
      const ProvenDepth found = depth_at_face(pair, PlacedFace(pair, *face), height);
      if (found.proof != Proof::depth) break;
      const Polytope::Clear clear = polytope.clear_but(*face, height + kFaceError, Polytope::kMostVertices);
      if (clear == Polytope::Clear::failed) return {};
      if (clear == Polytope::Clear::yes) {
        if (hint) *hint = hint_of(*face);
        return found;
      }
      last = face;
    }
    const Double3& m = polytope.normal();
    const double back = 1 / polytope.length(), value = pair.height({m.x * back, m.y * back, m.z * back}) + reach;
    // 8 u: m times `back` is off by 2 u of a height below 1, and has a length off by 4 u
    if ((value + error) - (polytope.inside() + reach - error) <= value * kDepthGap - 8 * kUnitRoundoff)
      return {Proof::depth, -1 / polytope.length(), pair.in_world(value), pair.in_world(error + 8 * kUnitRoundoff), m};
    const auto face = polytope.refined();
    if (!face) return {};
    return fine_depth(pair, face->normal, pair.fine_height(face->normal), face->inside + pair.fine_reach());
  }
  // The hulls are apart, or seem so. -x bounds the gap from below, the nearest point from above: x is the nearest point, whose direction is right to a few u
  // where the search has found the face in which it lies, else that of the best bound, which the last step need not have improved.
  for (const Double3& x : {s.x, s.low_direction}) {
    const Double3 m = -x;
    const double length = std::sqrt(dot(m, m)), back = 1 / length;
    if (!(length > 0x1p-60)) continue;
    const Double3 unit{m.x * back, m.y * back, m.z * back};
    const double gap = -pair.height(unit);
    if (gap - most > reach) return apart_along(unit);
    const double value = reach - gap;
    if (!(gap > most && (value + most) - (reach - s.norm - most) <= value * kDepthGap)) continue;
    return {Proof::depth, -back, pair.in_world(value), pair.in_world(most), m};
  }
  // The nearest point of the last simplex again. It bounds the gap from above also where the hulls meet.
  V3<TwoDouble> w[4], x{0, 0, 0};
  for (int k = 0; k < s.n; ++k) w[k] = pair.vertex(s.g[k].corners);
  static constexpr bool points_only[4] = {};
  Nearest<TwoDouble> nearest;
  nearest_of_simplex<false>(w, points_only, s.n, nearest);
  for (int k = 0; k < nearest.count; ++k) x = x + (nearest.weight[k] / nearest.total) * w[nearest.index[k]];
  const Double3 m = rounded(-x);
  return fine_depth(pair, m, pair.fine_height(m), pair.fine_reach() - square_root(dot(x, x)));
}

ProvenDepth depth_at_face_near(const Operand& a, const Operand& b, const Vec3& normal, PairHint* hint) {
  const DoublePair pair(a, b);
  if (!pair.usable() || pair.reach() > 0) return {};
  const Double3 m{-normal.x, -normal.y, -normal.z};
  // A clear face has all vertices within `slack` of the farthest, for one of these values, and no others (docs/derivations/penetration.md).
  for (double slack = 4 * kFaceError; slack < 0.5; slack *= 2) {
    FewCorners near[2];
    if (!pair.nearly_farthest(0, m, slack, near[0]) || !pair.nearly_farthest(1, -m, slack, near[1])) break;
    if (near[0].count + near[1].count < 4) continue;
    CornerNames vertex[3];
    for (int k = 0; k < 3; ++k) {
      const bool edges = near[0].count == 2;
      const CornerName &p = near[0].name[edges ? k > 0 : std::min(k, near[0].count - 1)], &q = near[1].name[edges ? k > 1 : std::min(k, near[1].count - 1)];
      vertex[k] = {p.corner, q.corner, p.ends, q.ends};
    }
    const auto face = DifferenceFace::of(*a.convex, *b.convex, vertex);
    if (!face || face->corners(0).count != near[0].count || face->corners(1).count != near[1].count) continue;
    if (const ProvenDepth found = depth_at_clear_face(pair, *face); found.proof == Proof::depth) {
      if (hint) *hint = hint_of(*face);
      return found;
    }
  }
  return {};
}

namespace {

/// From the direction -n of a nearest face to that of the least height, where the surface is round.
bool follow_round(const LocalPair& pair, const Double3* face, Double3& n) {
  const double place = round_place(pair);
  DirectionSearch to(n);
  for (bool go_on = true; go_on;) {
    const Double3 x = to.direction();
    const LocalVertex<double> v = pair.least(x);
    const Double3 across = v.w - (dot(x, v.w) / dot(x, x)) * x;
    if (dot(across, across) <= place * place) {
      n = x;
      return true;
    }
    go_on = to.next(v.w);
  }
  RoundEdge edge(face, 3, n);
  if (!edge.follow(pair, place)) return false;
  // The origin is opposite the edge, not one of its ends.
  const Double3 e = edge.end[0].w - edge.end[1].w;
  const double along = dot(e, edge.end[0].w);
  if (!(along >= 0 && along <= dot(e, e))) return false;
  n = edge.n;
  return true;
}

}  // namespace

std::optional<V3<double>> shallowest_in_doubles(const LocalPair& pair, const Nearby<double>& around) {
  const double reach = rounded(pair.reach());
  PolytopeOf<LocalPair> polytope(pair);
  if (!polytope.begin(around.w, around.g)) return std::nullopt;
  const auto unit = [](const Double3& m) { return (1 / std::sqrt(dot(m, m))) * m; };
  const auto height = [&](const Double3& x) { return -dot(x, pair.least(x).w); };
  for (const double gap : kCurvedGaps) {
    if (!polytope.run(reach, gap)) break;
    Double3 n = unit(-polytope.normal()), face[3];
    for (int k = 0; k < 3; ++k) face[k] = polytope.corner(k);
    const double at_face = height(n);
    if (polytope.last().gap <= (at_face + reach) * kDepthGap) break;  // a flat face of A - B
    if (!follow_round(pair, face, n)) continue;
    n = unit(n);
    if (height(n) <= at_face) return -n;  // not another place where the surface is perpendicular to its direction
  }
  const auto& last = polytope.last();
  const Double3 m = unit(last.normal);
  if (!(last.gap <= std::max(kLeastCurvedGap * (height(-m) + reach), 0x1p-38 * pair.extent()))) return std::nullopt;
  return m;
}

}  // namespace graze
