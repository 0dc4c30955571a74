// Collision of two meshes by object spheres, triangle spheres and the exact triangle test. The sphere levels compare squared
// distances with slack, so they only discard pairs that are truly apart.
#include <graze/heritage/hierarchy.hpp>

#include <algorithm>
#include <cmath>

#include "exact/double_parts.hpp"
#include "exact/rounding.hpp"
#include "math/limits.hpp"
#include "mesh/mesh_impl.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "pairs/triangle_triangle.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

Box box_of(const Triangle& t) {
  Box box{t.points[0], t.points[0]};
  for (const Vec3& p : t.points)
    for (int k = 0; k < 3; ++k) {
      box.min[k] = std::min(box.min[k], p[k]);
      box.max[k] = std::max(box.max[k], p[k]);
    }
  return box;
}

Mesh placed(const Mesh& mesh, const Pose& pose) {
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v = pose.apply(v);
  return mesh.refit(VertexView(std::span<const Vec3>(vertices)));
}

// A sphere in the common scale of both objects. In that scale squares do not overflow, and their underflow does not matter.
struct ScaledSphere {
  double x, y, z, r;
};

// Returns true only for spheres that are certainly apart. Magnitudes are below 2, so the relative error of ten roundings is far
// below 2^-46, and the error of scaling into the denormals is far below 2^-1000. Spheres of infinite radius are never apart.
bool apart(const ScaledSphere& a, const ScaledSphere& b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, r = a.r + b.r;
  return (dx * dx + dy * dy) + dz * dz > r * r * (1 + 0x1p-45) + 0x1p-1000;
}

class Scale {
 public:
  Scale(const SphereHierarchy& a, const SphereHierarchy& b) {
    double size = 0;
    for (const SphereHierarchy* h : {&a, &b})
      for (int k = 0; k < 3; ++k) size = std::max(size, std::max(std::fabs(h->object_box().min[k]), std::fabs(h->object_box().max[k])));
    e_ = size > 0 ? exponent_of(size) : 0;
  }
  ScaledSphere operator()(const Sphere& s) const {
    return {scaled(s.center.x, -e_), scaled(s.center.y, -e_), scaled(s.center.z, -e_), s.radius < kLargest ? scaled(s.radius, -e_) : s.radius};
  }

 private:
  int e_;
};

struct Numbered {
  ScaledSphere sphere;
  std::uint32_t triangle;
};

// The triangle spheres of one object, sorted by x, so that a query tests only a window of them.
struct Sorted {
  std::vector<Numbered> spheres;
  double greatest = 0;  // the greatest radius
  Sorted(const SphereHierarchy& h, const Scale& scale) {
    spheres.reserve(h.triangle_spheres().size());
    for (std::uint32_t i = 0; i < h.triangle_spheres().size(); ++i) {
      spheres.push_back({scale(h.triangle_spheres()[i]), i});
      greatest = std::max(greatest, spheres.back().sphere.r);
    }
    std::sort(spheres.begin(), spheres.end(),
              [](const Numbered& a, const Numbered& b) { return a.sphere.x != b.sphere.x ? a.sphere.x < b.sphere.x : a.triangle < b.triangle; });
  }
  // Calls f(triangle) for every sphere that is not certainly apart from s, until f returns false; returns false then.
  // Adds the number of spheres compared to `tests`.
  template <class F>
  bool near(const ScaledSphere& s, std::uint64_t& tests, F&& f) const {
    const double reach = (s.r + greatest) * (1 + 0x1p-40) + 0x1p-40 * std::fabs(s.x) + 0x1p-900;
    auto at = std::lower_bound(spheres.begin(), spheres.end(), s.x - reach, [](const Numbered& n, double x) { return n.sphere.x < x; });
    for (; at != spheres.end() && at->sphere.x <= s.x + reach; ++at) {
      ++tests;
      if (!apart(s, at->sphere) && !f(at->triangle)) return false;
    }
    return true;
  }
};

// The result of one piece of the parallel loop.
struct Part {
  std::vector<TrianglePair> pairs;
  std::uint64_t sphere_tests = 0, candidates = 0;
};

// Returns the pairs of triangles left by both sphere levels for which keep(i, j) holds, ascending.
template <class Keep>
std::vector<TrianglePair> pairs_left(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts& c, Keep&& keep) {
  std::vector<TrianglePair> result;
  const std::size_t n = a.triangle_spheres().size(), m = b.triangle_spheres().size();
  c.possible = std::uint64_t{n} * m;
  const Scale scale(a, b);
  if (n == 0 || m == 0 || apart(scale(a.object_sphere()), scale(b.object_sphere()))) return result;
  c.after_objects = c.possible;
  const Sorted spheres_b(b, scale);
  constexpr std::size_t grain = 64;
  std::vector<Part> parts((n - 1) / grain + 1);
  parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
    Part& part = parts[begin / grain];
    std::vector<std::uint32_t> kept;
    for (std::size_t i = begin; i < end; ++i) {
      kept.clear();
      spheres_b.near(scale(a.triangle_spheres()[i]), part.sphere_tests, [&](std::uint32_t j) {
        ++part.candidates;
        if (keep(static_cast<std::uint32_t>(i), j)) kept.push_back(j);
        return true;
      });
      std::sort(kept.begin(), kept.end());
      for (std::uint32_t j : kept) part.pairs.push_back({static_cast<std::uint32_t>(i), j});
    }
  });
  for (const Part& part : parts) {
    c.sphere_tests += part.sphere_tests;
    c.after_spheres += part.candidates;
    result.insert(result.end(), part.pairs.begin(), part.pairs.end());
  }
  return result;
}

}  // namespace

SphereHierarchy::SphereHierarchy(const Mesh& mesh) : mesh_(mesh), box_(bounding_box(mesh)) {
  const DefaultFloatEnvironment guard;
  const MeshImpl& m = mesh_.impl();
  if (m.triangles.empty()) return;
  std::vector<std::uint8_t> used(m.vertices.size());
  for (const TriangleIndices& t : m.triangles) used[t[0]] = used[t[1]] = used[t[2]] = 1;
  std::vector<Vec3> vertices;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) vertices.push_back(m.vertices[v]);
  object_.center = box_.center();
  object_.radius = containing_radius(object_.center, vertices);
  boxes_.resize(m.triangles.size());
  spheres_.resize(m.triangles.size());
  parallel_for(spheres_.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Triangle triangle = m.triangle(static_cast<std::uint32_t>(t));
      boxes_[t] = box_of(triangle);
      spheres_[t].center = boxes_[t].center();
      spheres_[t].radius = containing_radius(spheres_[t].center, triangle.points);
    }
  });
}

SphereHierarchy::SphereHierarchy(const Mesh& mesh, const Pose& pose) : SphereHierarchy(placed(mesh, pose)) {}

std::vector<TrianglePair> candidate_pairs(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts) {
  const DefaultFloatEnvironment guard;
  HierarchyCounts c;
  std::vector<TrianglePair> result = pairs_left(a, b, c, [](std::uint32_t, std::uint32_t) { return true; });
  if (counts) *counts = c;
  return result;
}

std::vector<TrianglePair> intersecting_triangles(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts) {
  const DefaultFloatEnvironment guard;
  HierarchyCounts c;
  std::vector<TrianglePair> result =
      pairs_left(a, b, c, [&](std::uint32_t i, std::uint32_t j) { return triangles_intersect(a.mesh().impl().triangle(i), b.mesh().impl().triangle(j)); });
  c.hits = result.size();
  if (counts) *counts = c;
  return result;
}

bool intersects(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts) {
  const DefaultFloatEnvironment guard;
  HierarchyCounts c;
  const std::size_t n = a.triangle_spheres().size(), m = b.triangle_spheres().size();
  c.possible = std::uint64_t{n} * m;
  const Scale scale(a, b);
  if (n > 0 && m > 0 && !apart(scale(a.object_sphere()), scale(b.object_sphere()))) {
    c.after_objects = c.possible;
    const Sorted spheres_b(b, scale);
    for (std::size_t i = 0; i < n && c.hits == 0; ++i) {
      const Triangle t = a.mesh().impl().triangle(static_cast<std::uint32_t>(i));
      spheres_b.near(scale(a.triangle_spheres()[i]), c.sphere_tests, [&](std::uint32_t j) {
        ++c.after_spheres;
        c.hits += triangles_intersect(t, b.mesh().impl().triangle(j));
        return c.hits == 0;
      });
    }
  }
  if (counts) *counts = c;
  return c.hits > 0;
}

}  // namespace graze
