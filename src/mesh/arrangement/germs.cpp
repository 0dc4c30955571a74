// Examines the sectors at one point, a vertex in doubles or a rational point where triangles cross.
#include "mesh/arrangement/germs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "exact/germ_predicates.hpp"
#include "exact/predicates.hpp"
#include "math/disjoint_sets.hpp"
#include "math/limits.hpp"
#include "mesh/queries/leaf.hpp"
#include "pairs/point_triangle.hpp"

namespace graze {

using namespace leaf;

namespace {

/// A vertex. Rays are given by points on them.
struct AtVertex {
  using Ray = Vec3;
  static constexpr bool kVectors = false;
  Vec3 v;

  Box3 box() const { return {v, v}; }
  ExactPoint exact_point() const { return {exact(v)}; }
  std::array<Ray, 3> corners(const Triangle& t) const { return t.points; }
  bool on(const std::array<Ray, 3>& t) const { return triangle_contains(Triangle{t}, v); }
  bool in(const BodyPart& part) const { return part.solid && contains(part, v); }

  /// Sign of (a x b) . x.
  int level(const Ray& a, const Ray& b, const Ray& x) const { return orient3d(v, a, b, x); }
  /// Sign of (x x y) . (a x b).
  int turn(const Ray& a, const Ray& b, const Ray& x, const Ray& y) const { return turn_in_plane(v, a, b, x, y); }
  bool parallel(const Ray& a, const Ray& b) const { return turn(a, b, a, b) == 0; }
  int dot(const Ray& a, const Ray& b) const { return dot_sign(v, a, v, b); }
  static bool equal(const Ray& a, const Ray& b) { return a == b; }
  bool is_here(const Ray& a) const { return a == v; }

  int shadow_turn(const Ray& u, const Ray& w) const { return orient2d(v, u, w, 0); }
  int shadow_turn_of_sum(const Ray& u, const Ray& w, const Ray& p, const Ray& q) const { return graze::shadow_turn_of_sum(u, w, v, p, q); }
  int shadow_turn_of_normal(const Ray& u, const Ray& w, const Ray& a, const Ray& b) const { return graze::shadow_turn_of_normal(u, w, v, a, b); }
  static int compare(const Ray& u, const Ray& w, int i) { return w[i] > u[i] ? 1 : w[i] < u[i] ? -1 : 0; }
  int side(const std::array<Ray, 3>& t) const { return -orient3d(t[0], t[1], t[2], v); }
  int side_of_sum(const std::array<Ray, 3>& t, const Ray& p, const Ray& q) const { return graze::side_of_sum(t[0], t[1], t[2], v, p, q); }
  int side_of_normal(const std::array<Ray, 3>& t, const Ray& a, const Ray& b) const { return graze::side_of_normal(t[0], t[1], t[2], v, a, b); }
};

/// A rational point. Rays are vectors.
struct AtPoint {
  using Ray = V3<Dyadic>;
  static constexpr bool kVectors = true;
  ExactPoint v;

  Box3 box() const { return box_of(v); }
  const ExactPoint& exact_point() const { return v; }
  std::array<Ray, 3> corners(const Triangle& t) const {
    return {from_to(v, exact(t.points[0])), from_to(v, exact(t.points[1])), from_to(v, exact(t.points[2]))};
  }
  std::array<Ray, 3> corners(const ExactTriangle& t) const { return {from_to(v, t.points[0]), from_to(v, t.points[1]), from_to(v, t.points[2])}; }
  bool on(const std::array<Ray, 3>& t) const { return origin_in_triangle(t); }
  bool in(const BodyPart& part) const { return part.solid && (part.mesh ? winding_number(*part.mesh, v) : winding_number(part.exact, v)) != 0; }

  static int level(const Ray& a, const Ray& b, const Ray& x) { return sign_of(graze::dot(cross(a, b), x)); }
  static int turn(const Ray& a, const Ray& b, const Ray& x, const Ray& y) { return sign_of(graze::dot(cross(x, y), cross(a, b))); }
  static bool parallel(const Ray& a, const Ray& b) { return is_zero(cross(a, b)); }
  /// The ray of the sector x, y in the plane of a, b, from which x and y lie on different sides.
  static Ray meeting(const Ray& a, const Ray& b, const Ray& x, const Ray& y) {
    const Ray normal = cross(a, b);
    const Dyadic hx = graze::dot(normal, x), hy = graze::dot(normal, y);
    return sign_of(hx) > 0 ? hx * y - hy * x : hy * x - hx * y;
  }
  static int dot(const Ray& a, const Ray& b) { return sign_of(graze::dot(a, b)); }
  static bool equal(const Ray& a, const Ray& b) { return is_zero(a - b); }
  static bool is_here(const Ray& a) { return is_zero(a); }

  static int shadow_turn(const Ray& u, const Ray& w) { return sign_of(u.y * w.z - u.z * w.y); }
  static int shadow_turn_of(const Ray& u, const Ray& w, const Ray& m) { return sign_of((w.y - u.y) * m.z - (w.z - u.z) * m.y); }
  static int shadow_turn_of_sum(const Ray& u, const Ray& w, const Ray& p, const Ray& q) { return shadow_turn_of(u, w, p + q); }
  static int shadow_turn_of_normal(const Ray& u, const Ray& w, const Ray& a, const Ray& b) { return shadow_turn_of(u, w, cross(a, b)); }
  static int compare(const Ray& u, const Ray& w, int i) { return graze::compare(w[i], u[i]); }
  static Ray normal(const std::array<Ray, 3>& t) { return cross(t[1] - t[0], t[2] - t[0]); }
  static int side(const std::array<Ray, 3>& t) { return sign_of(graze::dot(t[0], normal(t))); }
  static int side_of_sum(const std::array<Ray, 3>& t, const Ray& p, const Ray& q) { return sign_of(graze::dot(p + q, normal(t))); }
  static int side_of_normal(const std::array<Ray, 3>& t, const Ray& a, const Ray& b) { return sign_of(graze::dot(cross(a, b), normal(t))); }
};

template <class Place>
class Neighbourhood {
 public:
  Neighbourhood(const Place& place, const std::vector<PartOfBody>& parts) : place_(place), parts_(parts), near_(parts.size()), on_part_(parts.size()) {
    for (std::uint32_t k = 0; k < parts_.size(); ++k) collect(k);
  }

  /// Returns false if the rays cannot be given: triangles pierce each other along a ray that is no edge, and rays are points on edges.
  bool examine(Findings& found) {
    if (!on_[0] && !on_[1]) return true;
    if (!on_[0] || !on_[1]) {  // a point of one surface off the other
      const int own = on_[0] ? 0 : 1;
      if (!is_in(1 - own)) {
        (own == 0 ? found.a_leaves_b : found.b_leaves_a) = true;
        return true;
      }
      found.inner = true;
      if (own == 0 ? found.b_leaves_a : found.a_leaves_b) return true;
    } else {
      found.met = true;
    }
    if (!divide()) return false;
    for (const Piece& x : pieces_) add(x, found);
    for (const Needle& x : needles_) add(x, found);
    for (int k = 0; k < 2; ++k)
      if (is_point(k)) found.inner |= surrounded_by(1 - k);
    return true;
  }

  /// Whether a piece of B's surface has points outside A beside it; nothing where examine() would return false.
  std::optional<bool> borders() {
    if (!on_[1]) return false;
    if (!on_[0]) return !is_in(0);
    if (!divide()) return std::nullopt;
    return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.covered[1] && (!fills(0, p.front) || !fills(0, p.back)); });
  }

 private:
  using Ray = typename Place::Ray;
  using Corners = std::array<Ray, 3>;
  struct Sector {
    std::uint32_t from, to;  ///< rays less than half a turn apart
    std::uint32_t part;
  };
  struct Needle {
    std::uint32_t ray;
    int of;  ///< body
  };
  /// What lies between two neighbouring rays of a plane. Its front is the side of from x to.
  struct Piece {
    std::uint32_t from, to;             ///< rays, from < to
    bool covered[2] = {false, false};   ///< by triangles of each body
    std::uint32_t front = 0, back = 0;  ///< regions
  };
  /// One triangle's share in a piece.
  struct Layer {
    std::uint32_t from, to;  ///< as in Piece
    std::uint32_t part;
    int jump;  ///< winding number of the back less that of the front
  };

  /// Whether a body has the point inside, of whose surface it is no point.
  bool is_in(int body) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const PartOfBody& p) { return p.body == body && place_.in(*p.part); });
  }

  /// Finds the triangles that a ray from the point towards +x may meet, among them those that contain the point.
  void collect(std::uint32_t k) {
    const Box3 at = place_.box();
    Box3 ray = at;
    ray.hi.x = kInfinity;
    const auto collect_from = [&](const MeshView& mesh) {
      if (mesh.mesh->tree.empty()) return;
      for_each_overlap(mesh.mesh->tree, local_box(placed_tree(mesh), ray), [&](const WideNode& node, std::uint32_t slot) {
        for (std::uint32_t i = 0; i < node.count[slot]; ++i) {
          const Triangle t = triangle_at(mesh, node.child[slot] + i);
          const Box3 box = box_of(t);
          if (box.overlaps(ray)) add_near(k, place_.corners(t), box.overlaps(at));
        }
        return false;
      });
    };
    if (const std::optional<MeshView>& mesh = parts_[k].part->mesh) {
      collect_from(*mesh);
      if (const auto seams = mesh->placed_seams()) collect_from(*seams);
    }
    if constexpr (Place::kVectors)
      for (const ExactTriangle& t : parts_[k].part->exact)
        if (t.box.overlaps(ray)) add_near(k, place_.corners(t), t.box.overlaps(at));
  }
  void add_near(std::uint32_t k, const Corners& c, bool may_be_on) {
    near_[k].push_back(c);
    if (!may_be_on || !place_.on(c)) return;
    const int body = parts_[k].body;
    on_[body] = on_part_[k] = true;
    const std::size_t before = sectors_.size();
    for (std::size_t j = 0; j < 3; ++j)
      if (!place_.parallel(c[j], c[(j + 1) % 3])) sectors_.push_back({number_of(c[j]), number_of(c[(j + 1) % 3]), k});
    for (std::size_t j = 0; j < 3 && sectors_.size() == before; ++j)  // without area
      if (!place_.is_here(c[j])) needles_.push_back({number_of(c[j]), body});
  }

  /// The number of a ray among those of different directions.
  std::uint32_t number_of(const Ray& r) {
    for (std::uint32_t i = 0; i < rays_.size(); ++i)
      if (Place::equal(rays_[i], r)) return i;
    for (std::uint32_t i = 0; i < rays_.size(); ++i)
      if (place_.parallel(rays_[i], r) && place_.dot(rays_[i], r) > 0) return i;
    rays_.push_back(r);
    return static_cast<std::uint32_t>(rays_.size() - 1);
  }

  /// Finds the pieces, and the winding numbers beside them. Returns false if a ray cannot be given.
  bool divide() {
    levels_.resize(sectors_.size());
    find_levels();
    if (!pierce()) return false;
    cut();
    join();
    wind();
    return true;
  }

  /// On which side of each sector's plane each ray lies.
  void find_levels() {
    for (std::size_t s = 0; s < sectors_.size(); ++s) {
      const std::uint32_t from = sectors_[s].from, to = sectors_[s].to;
      for (auto r = static_cast<std::uint32_t>(levels_[s].size()); r < rays_.size(); ++r)
        levels_[s].push_back(static_cast<std::int8_t>(r == from || r == to ? 0 : place_.level(rays_[from], rays_[to], rays_[r])));
    }
  }

  /// Adds the rays along which sectors cross within both. Returns false if there may be some that the place cannot express.
  bool pierce() {
    const auto parted = [&](std::size_t s, const Sector& o) { return levels_[s][o.from] * levels_[s][o.to] < 0; };
    const std::size_t n = rays_.size();
    for (std::size_t s = 0; s < sectors_.size(); ++s)
      for (std::size_t o = s + 1; o < sectors_.size(); ++o) {
        if (!parted(s, sectors_[o]) || !parted(o, sectors_[s])) continue;
        if constexpr (!Place::kVectors) {
          return false;
        } else {
          const Sector &x = sectors_[s], &y = sectors_[o];
          const Ray d = Place::meeting(rays_[x.from], rays_[x.to], rays_[y.from], rays_[y.to]);
          if (Place::dot(d, Place::meeting(rays_[y.from], rays_[y.to], rays_[x.from], rays_[x.to])) > 0) number_of(d);
        }
      }
    if (rays_.size() > n) find_levels();
    return true;
  }

  /// Cuts all sectors into pieces by the rays of all sectors.
  void cut() {
    std::vector<std::uint32_t> inside;
    for (std::size_t number = 0; number < sectors_.size(); ++number) {
      const Sector& s = sectors_[number];
      const Ray &from = rays_[s.from], &to = rays_[s.to];
      const auto turn = [&](std::uint32_t x, std::uint32_t y) { return place_.turn(from, to, rays_[x], rays_[y]); };
      inside = {s.from};
      for (std::uint32_t r = 0; r < rays_.size(); ++r)
        if (r != s.from && r != s.to && levels_[number][r] == 0 && turn(s.from, r) > 0 && turn(r, s.to) > 0) inside.push_back(r);
      inside.push_back(s.to);
      if (inside.size() > 3) std::sort(inside.begin() + 1, inside.end() - 1, [&](std::uint32_t x, std::uint32_t y) { return turn(x, y) > 0; });
      for (std::size_t k = 0; k + 1 < inside.size(); ++k) {
        const bool forward = inside[k] < inside[k + 1];
        layers_.push_back({forward ? inside[k] : inside[k + 1], forward ? inside[k + 1] : inside[k], s.part, forward ? 1 : -1});
      }
    }
    std::sort(layers_.begin(), layers_.end(), [](const Layer& x, const Layer& y) { return x.from != y.from ? x.from < y.from : x.to < y.to; });
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const Layer& x = layers_[k];
      if (k == 0 || layers_[k - 1].from != x.from || layers_[k - 1].to != x.to) {
        first_layer_.push_back(static_cast<std::uint32_t>(k));
        pieces_.emplace_back().from = x.from;
        pieces_.back().to = x.to;
      }
      pieces_.back().covered[parts_[x.part].body] = true;
    }
    first_layer_.push_back(static_cast<std::uint32_t>(layers_.size()));
  }

  /// Numbers the regions between the pieces: around each ray, the side of a piece towards the next one is that piece's side towards it.
  void join() {
    DisjointSets regions(2 * pieces_.size());  // of sides: 2 k is the front of piece k, 2 k + 1 its back
    struct Spoke {
      std::uint32_t piece, other;  ///< the other ray of the piece
      bool first;                  ///< whether the ray is the piece's first, so that its front is seen after it in the turn about the ray
    };
    std::vector<Spoke> spokes;
    for (std::uint32_t r = 0; r < rays_.size(); ++r) {
      spokes.clear();
      for (std::uint32_t k = 0; k < pieces_.size(); ++k)
        if (pieces_[k].from == r || pieces_[k].to == r) spokes.push_back({k, pieces_[k].from == r ? pieces_[k].to : pieces_[k].from, pieces_[k].from == r});
      if (spokes.empty()) continue;
      const Ray &axis = rays_[r], &start = rays_[spokes[0].other];
      const auto half = [&](std::uint32_t x) {  // in the turn from `start`: 0 there, 1 before half a turn, 2 there, 3 after
        const int s = place_.level(axis, start, rays_[x]);
        return s > 0 ? 1 : s < 0 ? 3 : place_.turn(axis, start, axis, rays_[x]) > 0 ? 0 : 2;
      };
      if (spokes.size() > 2)
        std::sort(spokes.begin() + 1, spokes.end(), [&](const Spoke& x, const Spoke& y) {
          const int hx = half(x.other), hy = half(y.other);
          return hx != hy ? hx < hy : (hx == 1 || hx == 3) && place_.level(axis, rays_[x.other], rays_[y.other]) > 0;
        });
      for (std::size_t k = 0; k < spokes.size(); ++k) {
        const Spoke &x = spokes[k], &y = spokes[(k + 1) % spokes.size()];
        regions.join(2 * x.piece + (x.first ? 0 : 1), 2 * y.piece + (y.first ? 1 : 0));
      }
    }
    for (std::uint32_t k = 0; k < pieces_.size(); ++k) {
      pieces_[k].front = regions.leader(2 * k);
      pieces_[k].back = regions.leader(2 * k + 1);
    }
  }

  int& winding(std::uint32_t region, std::uint32_t part) { return windings_[region * parts_.size() + part]; }

  /// Finds the winding numbers of all regions: of some by a ray, of the others by what lies between.
  void wind() {
    const auto n = static_cast<std::uint32_t>(parts_.size());
    windings_.resize(2 * pieces_.size() * n);
    std::vector<bool> known(2 * pieces_.size());
    std::vector<std::optional<int>> far(n);  // of the parts that the point is not on
    std::size_t first = 0;
    for (std::size_t left = pieces_.size(); left > 0;) {
      bool progress = false;
      left = 0;
      for (std::size_t k = 0; k < pieces_.size(); ++k) {
        const Piece& x = pieces_[k];
        if (known[x.front] && known[x.back]) continue;
        if (known[x.front] || known[x.back]) {
          const bool forward = known[x.front];
          const std::uint32_t from = forward ? x.front : x.back, to = forward ? x.back : x.front;
          for (std::uint32_t p = 0; p < n; ++p) winding(to, p) = winding(from, p);
          for (std::uint32_t l = first_layer_[k]; l < first_layer_[k + 1]; ++l)
            if (parts_[layers_[l].part].part->solid) winding(to, layers_[l].part) += forward ? layers_[l].jump : -layers_[l].jump;
          known[x.front] = known[x.back] = progress = true;
        } else {
          ++left;
        }
      }
      if (progress || left == 0) continue;
      while (known[pieces_[first].front]) ++first;
      const Piece& x = pieces_[first];
      for (std::uint32_t p = 0; p < n; ++p) {
        if (!on_part_[p] && !far[p]) far[p] = winding_in_front(p, x.from, x.to);
        winding(x.front, p) = on_part_[p] ? winding_in_front(p, x.from, x.to) : *far[p];
      }
      known[x.front] = true;
    }
    for (int body = 0; body < 2; ++body) {
      filled_[body].resize(known.size());
      for (std::uint32_t r = 0; r < known.size(); ++r)
        for (std::uint32_t p = 0; p < n && known[r]; ++p)
          if (parts_[p].body == body && winding(r, p) != 0) filled_[body][r] = true;
    }
  }
  bool fills(int body, std::uint32_t region) const { return filled_[body][region]; }

  /// The crossings of a ray towards +x from v + e m + e^2 n with the triangles of a body, with e > 0 as small as necessary, m in the middle of two rays and n
  /// their normal (0 if they are one ray). The half-open rule moves a point that is still on an edge's shadow by (d, d^2) in y and z, with d smaller still.
  int winding_in_front(std::uint32_t k, std::uint32_t from, std::uint32_t to) const {
    const BodyPart& part = *parts_[k].part;
    if (!part.solid) return 0;
    if (!Place::kVectors && !part.mesh) return winding_number(part.exact, place_.exact_point());  // the point is not on this part
    const Ray &p = rays_[from], &q = rays_[to];
    const auto turn = [&](const Ray& u, const Ray& w) {
      int sign = place_.shadow_turn(u, w);
      if (sign == 0) sign = place_.shadow_turn_of_sum(u, w, p, q);
      if (sign == 0) sign = place_.shadow_turn_of_normal(u, w, p, q);
      if (sign == 0) sign = -Place::compare(u, w, 2);
      return sign != 0 ? sign : Place::compare(u, w, 1);
    };
    int sum = 0;
    for (const Corners& t : near_[k]) {
      const int around = turn(t[0], t[1]);
      if (around == 0 || turn(t[1], t[2]) != around || turn(t[2], t[0]) != around) continue;
      int side = place_.side(t);
      if (side == 0) side = -place_.side_of_sum(t, p, q);
      if (side == 0) side = -place_.side_of_normal(t, p, q);
      if (side == around) sum += side;
    }
    return sum;
  }

  void add(const Piece& x, Findings& found) const {
    const bool front_a = fills(0, x.front), front_b = fills(1, x.front), back_a = fills(0, x.back), back_b = fills(1, x.back);
    const bool in_a = x.covered[0] || (front_a && back_a), in_b = x.covered[1] || (front_b && back_b);
    found.a_leaves_b |= (in_a && !in_b) || (front_a && !front_b) || (back_a && !back_b);
    found.b_leaves_a |= (in_b && !in_a) || (front_b && !front_a) || (back_b && !back_a);
    found.inner |= (front_a && front_b) || (back_a && back_b) || (in_b && front_a && back_a) || (in_a && front_b && back_b);
  }

  /// Whether nothing of a body reaches farther than the point.
  bool is_point(int body) const {
    return on_[body] && std::none_of(sectors_.begin(), sectors_.end(), [&](const Sector& x) { return parts_[x.part].body == body; }) &&
           std::none_of(needles_.begin(), needles_.end(), [&](const Needle& x) { return x.of == body; });
  }
  bool surrounded_by(int body) const {
    return !pieces_.empty() && std::all_of(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return fills(body, p.front) && fills(body, p.back); });
  }

  /// A triangle without area runs along a ray.
  void add(const Needle& x, Findings& found) const {
    const int other = 1 - x.of;
    bool alone = true, in = false, surrounded = true;
    for (const Piece& p : pieces_) {
      if (p.from != x.ray && p.to != x.ray) continue;
      const bool front = fills(other, p.front), back = fills(other, p.back);
      alone = false;
      in = in || p.covered[other] || front || back;
      surrounded = surrounded && front && back;
    }
    for (std::uint32_t k = 0; alone && k < parts_.size(); ++k) in = in || (parts_[k].body == other && winding_in_front(k, x.ray, x.ray) != 0);
    if (alone) surrounded = in;
    for (const Needle& o : needles_) in = in || (o.of == other && o.ray == x.ray);
    if (!in) (x.of == 0 ? found.a_leaves_b : found.b_leaves_a) = true;
    found.inner |= surrounded;
  }

  const Place& place_;
  const std::vector<PartOfBody>& parts_;
  std::vector<std::vector<Corners>> near_;  ///< by part
  std::vector<bool> on_part_;
  bool on_[2] = {false, false};  ///< by body
  std::vector<Ray> rays_;
  std::vector<Sector> sectors_;
  std::vector<Needle> needles_;
  std::vector<std::vector<std::int8_t>> levels_;  ///< by sector, then ray
  std::vector<Layer> layers_;
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> first_layer_;  ///< of each piece, and one more
  std::vector<int> windings_;               ///< by region, then part
  std::vector<bool> filled_[2];             ///< by body, then region
};

}  // namespace

Germs::Germs(const Body& a, const Body& b) {
  for (const Body* body : {&a, &b})
    for (const BodyPart& part : body->parts) parts_.push_back({&part, body == &b ? 1 : 0});
}

/// Whether the point is on triangles whose corners are no doubles.
bool Germs::needs_exact(const ExactPoint& v) const {
  const Box3 at = box_of(v);
  for (const PartOfBody& p : parts_)
    for (const ExactTriangle& t : p.part->exact)
      if (t.box.overlaps(at) && triangle_contains(t, v)) return true;
  return false;
}

void Germs::examine(const Vec3& v, Findings& found) const {
  const AtVertex at{v};
  if (needs_exact({exact(v)}) || !Neighbourhood(at, parts_).examine(found)) examine(ExactPoint{exact(v)}, found);
}
void Germs::examine(const ExactPoint& v, Findings& found) const {
  const AtPoint at{v};
  Neighbourhood(at, parts_).examine(found);
}

bool Germs::borders(const Vec3& v) const {
  const AtVertex at{v};
  const std::optional<bool> found = needs_exact({exact(v)}) ? std::nullopt : Neighbourhood(at, parts_).borders();
  return found ? *found : borders(ExactPoint{exact(v)});
}
bool Germs::borders(const ExactPoint& v) const {
  const AtPoint at{v};
  return *Neighbourhood(at, parts_).borders();
}

}  // namespace graze
