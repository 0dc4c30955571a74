// A naive integrator for comparison: particles that bounce in a mesh in plain doubles (Moeller-Trumbore, a tree of boxes), without any safety. It leaks; where
// it does not, its paths and bounces are a reference.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/mesh.hpp>
#include <limits>
#include <numeric>
#include <vector>

namespace graze::test_sim {

inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

class PlainIntegrator {
 public:
  struct Particle {
    Vec3 place, velocity;
    std::uint32_t left = ~0u;  // the triangle that it has just bounced off
    double path = 0;
    std::uint64_t bounces = 0;
    bool stuck = false;  // more bounces in a step than allowed: the particle rattles in a corner
  };

  explicit PlainIntegrator(const MeshData& mesh) : mesh_(mesh), order_(mesh.triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    build(0, static_cast<std::uint32_t>(order_.size()));
  }

  void step(Particle& p, double dt, int max_bounces) const {
    double left = dt;
    for (int bounce = 0; left > 0; ++bounce) {
      const Vec3 d = left * p.velocity;
      double t = 1;
      const std::uint32_t hit = first(p.place, d, p.left, t);
      p.place += t * d;
      p.path += t * std::sqrt(dot(d, d));
      if (hit == ~0u) return;
      const auto& k = mesh_.triangles[hit];
      const Vec3 n = cross(mesh_.vertices[k[1]] - mesh_.vertices[k[0]], mesh_.vertices[k[2]] - mesh_.vertices[k[0]]);
      p.velocity -= 2 * dot(p.velocity, n) / dot(n, n) * n;
      p.left = hit;
      ++p.bounces;
      left *= 1 - t;
      if (bounce + 1 > max_bounces) {
        p.stuck = true;
        return;
      }
    }
  }

  /// The first triangle along the path and its fraction. ~0 and an unchanged t if there is none.
  std::uint32_t first(const Vec3& o, const Vec3& d, std::uint32_t skip, double& t) const {
    std::uint32_t best = ~0u, stack[64], top = 0;
    const Vec3 inverse(1 / d.x, 1 / d.y, 1 / d.z);
    stack[top++] = 0;
    while (top > 0) {
      const Node& n = nodes_[stack[--top]];
      double lo = 0, hi = t;
      for (int k = 0; k < 3; ++k) {
        const double a = (n.min[k] - o[k]) * inverse[k], b = (n.max[k] - o[k]) * inverse[k];
        lo = std::max(lo, std::min(a, b) - 1e-6);
        hi = std::min(hi, std::max(a, b) + 1e-6);
      }
      if (lo > hi) continue;
      if (n.count == 0) {
        stack[top++] = n.child;
        stack[top++] = n.child + 1;
        continue;
      }
      for (std::uint32_t i = n.child; i < n.child + n.count; ++i) {
        if (order_[i] == skip) continue;
        const auto& k = mesh_.triangles[order_[i]];
        const Vec3 a = mesh_.vertices[k[0]], e = mesh_.vertices[k[1]] - a, f = mesh_.vertices[k[2]] - a, h = cross(d, f);
        const double det = dot(e, h);
        if (det == 0) continue;
        const Vec3 s = o - a, q = cross(s, e);
        const double u = dot(s, h) / det, v = dot(d, q) / det, at = dot(f, q) / det;
        if (u < 0 || v < 0 || u + v > 1 || at < 0 || at >= t) continue;
        t = at;
        best = order_[i];
      }
    }
    return best;
  }

 private:
  struct Node {
    Vec3 min, max;
    std::uint32_t child = 0, count = 0;
  };

  void build(std::uint32_t begin, std::uint32_t end) {
    nodes_.push_back({});
    fill(0, begin, end);
  }
  void fill(std::uint32_t at, std::uint32_t begin, std::uint32_t end) {
    const double inf = std::numeric_limits<double>::infinity();
    Vec3 lo(inf, inf, inf), hi(-inf, -inf, -inf);
    for (std::uint32_t i = begin; i < end; ++i)
      for (const auto v : mesh_.triangles[order_[i]])
        for (int k = 0; k < 3; ++k) {
          lo[k] = std::min(lo[k], mesh_.vertices[v][k]);
          hi[k] = std::max(hi[k], mesh_.vertices[v][k]);
        }
    nodes_[at] = {lo, hi, begin, end - begin};
    if (end - begin <= 4) return;
    const Vec3 size = hi - lo;
    const int axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    const auto key = [&](std::uint32_t t) {
      const auto& k = mesh_.triangles[t];
      return mesh_.vertices[k[0]][axis] + mesh_.vertices[k[1]][axis] + mesh_.vertices[k[2]][axis];
    };
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_.resize(nodes_.size() + 2);
    nodes_[at].child = child;
    nodes_[at].count = 0;
    fill(child, begin, middle);
    fill(child + 1, middle, end);
  }

  const MeshData& mesh_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace graze::test_sim
