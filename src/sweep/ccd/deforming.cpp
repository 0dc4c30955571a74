// Meshes whose vertices each move on their own line: all pairs of features that meet, with exact first times. Trees of swept triangles find the candidates.
// Every vertex, edge and face belongs to the lowest triangle that contains it, so each pair of features is tested once.
#include <algorithm>
#include <cstring>
#include <graze/error.hpp>
#include <graze/sweep/deforming.hpp>
#include <string>
#include <tuple>

#include "bvh/traverse.hpp"
#include "math/limits.hpp"
#include "mesh/mesh_impl.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/parallel_sort.hpp"
#include "platform/progress_meter.hpp"
#include "sweep/ccd/ccd.hpp"
#include "sweep/ccd/timed_traversal.hpp"

namespace graze {
namespace {

constexpr std::size_t kGrain = 1 << 13, kTasks = 256;  // boxes of a task, and tasks of a traversal; choices

std::vector<Vec3> read(const VertexView& view, const Mesh& mesh, const char* name) {
  if (view.count != mesh.vertices().size())
    throw Error(ErrorCode::invalid_argument,
                std::string("ccd: ") + name + " has " + std::to_string(view.count) + " vertices, must have " + std::to_string(mesh.vertices().size()));
  std::vector<Vec3> out(view.count);
  const auto* bytes = static_cast<const unsigned char*>(view.data);
  const std::size_t stride = view.stride != 0 ? view.stride : 3 * (view.single_precision ? sizeof(float) : sizeof(double));
  std::string report;
  for (std::size_t i = 0; i < view.count; ++i, bytes += stride) {
    for (int k = 0; k < 3; ++k) {
      if (view.single_precision) {
        float x;
        std::memcpy(&x, bytes + static_cast<std::size_t>(k) * sizeof x, sizeof x);
        out[i][k] = x;
      } else {
        std::memcpy(&out[i][k], bytes + static_cast<std::size_t>(k) * sizeof(double), sizeof(double));
      }
      const double x = out[i][k];
      if (x - x != 0)
        report += std::string(report.empty() ? "" : "\n") + "ccd: " + name + ", vertex " + std::to_string(i) + ": " + "xyz"[k] +
                  (x != x  ? " is NaN"
                   : x > 0 ? " is infinity"
                           : " is -infinity");
    }
  }
  if (!report.empty()) throw Error(ErrorCode::invalid_argument, report);
  return out;
}

struct Edge {
  std::uint32_t low, high;
};

/// A mesh in motion: its swept triangles in a tree, and the features that each triangle owns.
class Moving {
 public:
  Moving(const Mesh& mesh, const VertexView& end, const char* name)
      : mesh_(mesh.impl()), end_(read(end, mesh, name)), boxes_(mesh.size()), owned_(mesh.size()) {
    parallel_for(boxes_.size(), kGrain, [&](std::size_t b, std::size_t e) {
      for (std::size_t i = b; i < e; ++i) {
        for (std::uint32_t v : mesh_.triangles[i]) {
          boxes_[i].add(mesh_.vertices[v]);
          boxes_[i].add(end_[v]);
        }
      }
    });
    tree_ = WideBvh(boxes_);
    find_owners();
  }

  const WideBvh& tree() const { return tree_; }
  const Box3& box(std::uint32_t triangle) const { return boxes_[triangle]; }
  BoxPath path(std::uint32_t triangle) const {
    BoxPath p;
    for (std::uint32_t v : corners(triangle)) {
      p.at[0].add(start(v));
      p.at[1].add(end(v));
    }
    return p;
  }
  const TriangleIndices& corners(std::uint32_t triangle) const { return mesh_.triangles[triangle]; }
  const Vec3& start(std::uint32_t v) const { return mesh_.vertices[v]; }
  const Vec3& end(std::uint32_t v) const { return end_[v]; }
  bool owns_vertex(std::uint32_t triangle, int k) const { return owned_[triangle] >> k & 1; }
  bool owns_edge(std::uint32_t triangle, int k) const { return owned_[triangle] >> (3 + k) & 1; }  ///< from corner k to the next
  bool owns_face(std::uint32_t triangle) const { return owned_[triangle] >> 6 & 1; }
  Edge edge(std::uint32_t triangle, int k) const {
    const std::uint32_t p = corners(triangle)[k], q = corners(triangle)[(k + 1) % 3];
    return {std::min(p, q), std::max(p, q)};
  }

 private:
  void find_owners() {
    std::vector<bool> seen(mesh_.vertices.size());
    struct Use {
      std::uint32_t a, b, c, triangle, place;
    };
    std::vector<Use> edges, faces;
    edges.reserve(3 * owned_.size());
    faces.reserve(owned_.size());
    for (std::uint32_t i = 0; i < owned_.size(); ++i) {
      const TriangleIndices& t = mesh_.triangles[i];
      for (int k = 0; k < 3; ++k) {
        if (!seen[t[k]]) owned_[i] |= static_cast<std::uint8_t>(1 << k);
        seen[t[k]] = true;
        const Edge e = edge(i, k);
        if (e.low != e.high) edges.push_back({e.low, e.high, 0, i, static_cast<std::uint32_t>(3 + k)});
      }
      TriangleIndices s = t;
      std::sort(s.begin(), s.end());
      faces.push_back({s[0], s[1], s[2], i, 6});
    }
    for (std::vector<Use>* uses : {&edges, &faces}) {
      parallel_sort(*uses,
                    [](const Use& x, const Use& y) { return std::tie(x.a, x.b, x.c, x.triangle, x.place) < std::tie(y.a, y.b, y.c, y.triangle, y.place); });
      for (std::size_t i = 0; i < uses->size(); ++i) {
        const Use& u = (*uses)[i];
        if (i > 0 && std::tie(u.a, u.b, u.c) == std::tie((*uses)[i - 1].a, (*uses)[i - 1].b, (*uses)[i - 1].c)) continue;
        owned_[u.triangle] |= static_cast<std::uint8_t>(1 << u.place);
      }
    }
  }

  const MeshImpl& mesh_;
  std::vector<Vec3> end_;
  std::vector<Box3> boxes_;
  std::vector<std::uint8_t> owned_;
  WideBvh tree_;
};

bool before(const DeformingContact& x, const DeformingContact& y) {
  return std::tie(x.t, x.kind, x.vertices, x.triangle_a, x.triangle_b) < std::tie(y.t, y.kind, y.vertices, y.triangle_a, y.triangle_b);
}

/// The contacts found by one task; for `first_only`, the first.
class FoundContacts {
 public:
  explicit FoundContacts(const DeformingOptions& options) : options_(options) {}
  void add(const DeformingContact& c) {
    if (options_.first_only && !list_.empty() && !before(c, list_.front())) return;
    if (options_.filter && !options_.filter(c)) return;
    if (options_.first_only) list_.clear();
    list_.push_back(c);
  }
  std::vector<DeformingContact>& list() { return list_; }
  /// For `first_only`: the time of the contact found, infinite if there is none.
  double first() const { return list_.empty() ? kInfinity : list_.front().t; }

 private:
  const DeformingOptions& options_;
  std::vector<DeformingContact> list_;
};

void vertex_face(const Moving& a, std::uint32_t ta, int k, const Moving& b, std::uint32_t tb, DeformingContact::Kind kind, FoundContacts& found) {
  const std::uint32_t v = a.corners(ta)[k];
  const TriangleIndices& f = b.corners(tb);
  const std::array<Vec3, 4> t0{a.start(v), b.start(f[0]), b.start(f[1]), b.start(f[2])}, t1{a.end(v), b.end(f[0]), b.end(f[1]), b.end(f[2])};
  const std::optional<double> t = moving::first_contact(moving::Kind::vertex_face, t0, t1);
  if (!t) return;
  if (kind == DeformingContact::Kind::vertex_face)
    found.add({*t, kind, ta, tb, {v, f[0], f[1], f[2]}});
  else
    found.add({*t, kind, tb, ta, {f[0], f[1], f[2], v}});
}

void edge_edge(const Moving& a, std::uint32_t ta, const Edge& e, const Moving& b, std::uint32_t tb, const Edge& f, FoundContacts& found) {
  const std::array<Vec3, 4> t0{a.start(e.low), a.start(e.high), b.start(f.low), b.start(f.high)}, t1{a.end(e.low), a.end(e.high), b.end(f.low), b.end(f.high)};
  const std::optional<double> t = moving::first_contact(moving::Kind::edge_edge, t0, t1);
  if (t) found.add({*t, DeformingContact::Kind::edge_edge, ta, tb, {e.low, e.high, f.low, f.high}});
}

void test_pair(const Moving& a, std::uint32_t ta, const Moving& b, std::uint32_t tb, FoundContacts& found) {
  if (!a.box(ta).overlaps(b.box(tb))) return;
  for (int i = 0; i < 3; ++i) {
    if (a.owns_vertex(ta, i) && b.owns_face(tb)) vertex_face(a, ta, i, b, tb, DeformingContact::Kind::vertex_face, found);
    if (b.owns_vertex(tb, i) && a.owns_face(ta)) vertex_face(b, tb, i, a, ta, DeformingContact::Kind::face_vertex, found);
    if (!a.owns_edge(ta, i)) continue;
    for (int j = 0; j < 3; ++j)
      if (b.owns_edge(tb, j)) edge_edge(a, ta, a.edge(ta, i), b, tb, b.edge(tb, j), found);
  }
}

bool holds(const TriangleIndices& t, std::uint32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

/// Tests two different triangles of one mesh.
void test_self_pair(const Moving& m, std::uint32_t ta, std::uint32_t tb, FoundContacts& found) {
  if (!m.box(ta).overlaps(m.box(tb))) return;
  for (int i = 0; i < 3; ++i) {
    if (m.owns_vertex(ta, i) && m.owns_face(tb) && !holds(m.corners(tb), m.corners(ta)[i]))
      vertex_face(m, ta, i, m, tb, DeformingContact::Kind::vertex_face, found);
    if (m.owns_vertex(tb, i) && m.owns_face(ta) && !holds(m.corners(ta), m.corners(tb)[i]))
      vertex_face(m, tb, i, m, ta, DeformingContact::Kind::vertex_face, found);
    if (!m.owns_edge(ta, i)) continue;
    for (int j = 0; j < 3; ++j) {
      if (!m.owns_edge(tb, j)) continue;
      const Edge e = m.edge(ta, i), f = m.edge(tb, j);
      if (e.low == f.low || e.low == f.high || e.high == f.low || e.high == f.high) continue;
      if (std::tie(e.low, e.high) < std::tie(f.low, f.high))
        edge_edge(m, ta, e, m, tb, f, found);
      else
        edge_edge(m, tb, f, m, ta, e, found);
    }
  }
}

/// Runs work(start, found) for all starts on all threads and merges the contacts in order.
template <class Start, class Work>
std::vector<DeformingContact> gather(const std::vector<Start>& starts, const DeformingOptions& options, ProgressMeter& meter, Work&& work) {
  std::vector<FoundContacts> found(starts.size(), FoundContacts(options));
  meter.begin(starts.size());
  parallel_for(starts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      work(starts[i], found[i]);
      meter.add(1);
    }
  });
  std::vector<DeformingContact> all;
  for (FoundContacts& f : found) all.insert(all.end(), f.list().begin(), f.list().end());
  parallel_sort(all, before);
  if (options.first_only && all.size() > 1) all.resize(1);
  if (all.size() > options.limit) all.resize(options.limit);
  return all;
}

/// Finds only the first contact: visits pairs of triangles by the times at which their boxes meet, and none later than the earliest contact of any thread. The
/// result does not depend on which other pairs were tested.
template <class Test>
std::vector<DeformingContact> gather_first(const TimedTree& a, const TimedTree& b, const Moving& ma, const Moving& mb, const DeformingOptions& options,
                                           ProgressMeter& meter, Test&& test) {
  const TimedTraversal traversal(a, b);
  Earliest earliest;
  return gather(traversal.frontier(kTasks), options, meter, [&](const TimedTraversal::Pair& start, FoundContacts& found) {
    traversal.run(start, earliest, [&](std::uint32_t i, std::uint32_t j) {
      if (first_meeting(ma.path(i), mb.path(j)) > earliest.now()) return;
      test(i, j, found);
      earliest.lower(found.first());
    });
  });
}

}  // namespace

std::vector<DeformingContact> ccd(const Mesh& a, VertexView a1, const Mesh& b, VertexView b1, const DeformingOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const Moving ma(a, a1, "the end of a"), mb(b, b1, "the end of b");
  if (options.first_only) {
    const TimedTree ta(ma.tree(), [&](std::uint32_t i) { return ma.path(i); }), tb(mb.tree(), [&](std::uint32_t i) { return mb.path(i); });
    return gather_first(ta, tb, ma, mb, options, meter, [&](std::uint32_t i, std::uint32_t j, FoundContacts& found) { test_pair(ma, i, mb, j, found); });
  }
  const PlacedTree pa(ma.tree(), {}), pb(mb.tree(), {});
  const PairTraversal traversal(pa, pb, 0);
  if (traversal.empty()) return {};
  return gather(traversal.frontier(kTasks), options, meter, [&](const PairTraversal::Pair& start, FoundContacts& found) {
    traversal.run(start, [&](const RefView& la, const RefView& lb) {
      for_each_position_pair(la, lb, false, [&](std::uint32_t i, std::uint32_t j) { test_pair(ma, ma.tree().items()[i], mb, mb.tree().items()[j], found); });
      return false;
    });
  });
}

std::vector<DeformingContact> ccd(const Mesh& mesh, VertexView end, const DeformingOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const Moving m(mesh, end, "the end");
  if (options.first_only) {
    const TimedTree tree(m.tree(), [&](std::uint32_t i) { return m.path(i); });
    return gather_first(tree, tree, m, m, options, meter, [&](std::uint32_t i, std::uint32_t j, FoundContacts& found) { test_self_pair(m, i, j, found); });
  }
  const PlacedTree placed(m.tree(), {});
  const SelfTraversal traversal(placed);
  if (traversal.empty()) return {};
  return gather(traversal.frontier(kTasks), options, meter, [&](const SelfTraversal::Pair& start, FoundContacts& found) {
    traversal.run(start, [&](const RefView& la, const RefView& lb) {
      for_each_position_pair(la, lb, la.ref == lb.ref,
                             [&](std::uint32_t i, std::uint32_t j) { test_self_pair(m, m.tree().items()[i], m.tree().items()[j], found); });
      return false;
    });
  });
}

}  // namespace graze
