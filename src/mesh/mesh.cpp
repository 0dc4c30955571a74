// Builds a Mesh: copies and validates the data (reporting every defect), builds and refits the tree, and computes equal vertices and components.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <graze/error.hpp>
#include <graze/mesh/mesh.hpp>
#include <limits>
#include <mutex>

#include "math/disjoint_sets.hpp"
#include "mesh/construction.hpp"
#include "mesh/kernels/construct_kernels.hpp"
#include "mesh/mesh_impl.hpp"
#include "mesh/oriented_boxes.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/parallel_sort.hpp"
#include "platform/progress_meter.hpp"
#include "platform/watch.hpp"
#include "shapes/placement.hpp"

namespace graze {
namespace {

constexpr std::size_t kGrain = 1 << 12;  // vertices or triangles of a task; a choice
constexpr std::size_t kLook = 1 << 16;   // triangles between two looks at whether the caller wants an end; a choice

LargeArray<Vec3> copy(const VertexView& view) {
  LargeArray<Vec3> result(view.count);
  const auto* const bytes = static_cast<const unsigned char*>(view.data);
  const std::size_t stride = view.stride != 0 ? view.stride : 3 * (view.single_precision ? sizeof(float) : sizeof(double));
  parallel_for(view.count, kGrain, [&](std::size_t b, std::size_t e) {
    if (!view.single_precision && stride == sizeof(Vec3)) {
      std::memcpy(static_cast<void*>(result.data() + b), bytes + b * stride, (e - b) * stride);
      return;
    }
    for (std::size_t i = b; i < e; ++i) {
      if (view.single_precision) {
        float xyz[3];
        std::memcpy(xyz, bytes + i * stride, sizeof xyz);
        result[i] = Vec3(xyz[0], xyz[1], xyz[2]);
      } else {
        double xyz[3];
        std::memcpy(xyz, bytes + i * stride, sizeof xyz);
        result[i] = Vec3(xyz[0], xyz[1], xyz[2]);
      }
    }
  });
  return result;
}

LargeArray<TriangleIndices> copy(std::span<const TriangleIndices> triangles) {
  LargeArray<TriangleIndices> result(triangles.size());
  parallel_for(result.size(), kGrain, [&](std::size_t b, std::size_t e) { std::copy_n(triangles.data() + b, e - b, result.data() + b); });
  return result;
}

bool finite(double x) { return (std::bit_cast<std::uint64_t>(x) >> 52 & 0x7FF) != 0x7FF; }

void line(std::string& report, const std::string& text) {
  if (!report.empty()) report += '\n';
  report += text;
}

void check_vertices(const MeshImpl& m, bool first_only, std::string& report) {
  if (finite(m.largest_coordinate)) return;
  for (std::size_t i = 0; i < m.vertices.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const double x = m.vertices[i][k];
      if (finite(x)) continue;
      line(report, "vertex " + std::to_string(i) + ": " + "xyz"[k] + (x != x ? " is NaN" : x > 0 ? " is infinity" : " is -infinity"));
      if (first_only) return;
    }
  }
}

std::string part_name(const std::vector<MeshPart>& parts, std::size_t i) { return "part " + std::to_string(i) + " (\"" + parts[i].name + "\")"; }

}  // namespace

double largest_magnitude(const LargeArray<Vec3>& vertices) {
  return std::bit_cast<double>(parallel_reduce(
      vertices.size(), kGrain, std::uint64_t{0},
      [&](std::size_t b, std::size_t e) {
        std::uint64_t largest[3] = {0, 0, 0};
        for (std::size_t i = b; i < e; ++i) {
          for (int k = 0; k < 3; ++k) largest[k] = std::max(largest[k], std::bit_cast<std::uint64_t>(vertices[i][k]) << 1 >> 1);
        }
        return std::max({largest[0], largest[1], largest[2]});
      },
      [](std::uint64_t x, std::uint64_t y) { return std::max(x, y); }));
}

std::string defects(const MeshImpl& m, bool first_only) {
  std::string report;
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (m.vertices.size() >= most) line(report, std::to_string(m.vertices.size()) + " vertices, at most " + std::to_string(most - 1) + " are possible");
  if (m.triangles.size() >= most) line(report, std::to_string(m.triangles.size()) + " triangles, at most " + std::to_string(most - 1) + " are possible");
  check_vertices(m, first_only, report);
  const bool in_range = parallel_reduce(
      m.triangles.size(), kGrain, true,
      [&](std::size_t b, std::size_t e) {
        std::uint32_t most = 0;
        for (std::size_t t = b; t < e; ++t) most = std::max({most, m.triangles[t][0], m.triangles[t][1], m.triangles[t][2]});
        return most < m.vertices.size();
      },
      [](bool x, bool y) { return x && y; });
  for (std::size_t t = 0; !in_range && t < m.triangles.size() && (!first_only || report.empty()); ++t) {
    for (std::uint32_t v : m.triangles[t]) {
      if (v >= m.vertices.size())
        line(report, "triangle " + std::to_string(t) + " uses vertex " + std::to_string(v) + " of " + std::to_string(m.vertices.size()));
    }
  }
  if (m.user && m.user->size() != m.triangles.size())
    line(report, std::to_string(m.user->size()) + " user numbers for " + std::to_string(m.triangles.size()) + " triangles, must be as many, or none");
  std::uint64_t end = 0;
  for (std::size_t p = 0; p < m.parts.size() && (!first_only || report.empty()); ++p) {
    const std::uint64_t first = m.parts[p].first, last = first + m.parts[p].count;
    if (last > m.triangles.size())
      line(report,
           part_name(m.parts, p) + ": triangles [" + std::to_string(first) + ", " + std::to_string(last) + ") of " + std::to_string(m.triangles.size()));
    if (first < end)
      line(report, part_name(m.parts, p) + " starts at triangle " + std::to_string(first) + ", before the end " + std::to_string(end) + " of an earlier part");
    end = std::max(end, last);
  }
  return report;
}

LargeArray<TreeVertex> local_vertices(const LargeArray<Vec3>& vertices, const LocalFrame& frame) {
  LargeArray<TreeVertex> result(vertices.size());
  parallel_for(result.size(), kGrain, [&](std::size_t b, std::size_t e) {
    for (std::size_t v = b; v < e; ++v) {
      for (int i = 0; i < 3; ++i) result[v].at[i] = static_cast<float>(frame.to_local(vertices[v][i], i));
      result[v].at[3] = 0;
    }
  });
  return result;
}

namespace {

LocalTriangles local_triangles(const MeshImpl& m, const LargeArray<TreeVertex>& vertices) {
  static_assert(sizeof(TriangleIndices) == 3 * sizeof(std::uint32_t));
  return {vertices.data(), m.triangles.data()->data()};
}

LargeArray<BuildItem> tree_items(const LocalTriangles& triangles, std::size_t count) {
  LargeArray<BuildItem> items(count);
  parallel_for(count, kGrain, [&](std::size_t b, std::size_t e) { construct_kernels().items(triangles, b, e, items.data()); });
  return items;
}

void fill_leaves(MeshImpl& m, const LocalTriangles& triangles) {
  const auto items = m.tree.items();
  m.blocks.resize(m.tree.leaf_count());
  parallel_for(m.tree.node_count(), kGrain / 8, [&](std::size_t b, std::size_t e) {
    construct_kernels().blocks(triangles, &m.tree.node(static_cast<std::uint32_t>(b)), e - b, items.data(), items.size(), m.blocks.data());
  });
}

/// The smallest box of all corners.
Box3 corner_bounds(const MeshImpl& m) {
  return parallel_reduce(
      m.triangles.size(), kGrain, Box3{},
      [&](std::size_t b, std::size_t e) {
        Box3 box;
        for (std::size_t t = b; t < e; ++t) {
          for (std::uint32_t v : m.triangles[t]) box.add(m.vertices[v]);
        }
        return box;
      },
      [](Box3 x, const Box3& y) {
        x.add(y);
        return x;
      });
}

std::shared_ptr<const MeshImpl> build(LargeArray<Vec3> vertices, LargeArray<TriangleIndices> triangles, std::vector<MeshPart> parts,
                                      std::vector<std::uint32_t> user, Build how, ProgressMeter& meter) {
  meter.stage(0, 0.1);  // the shares of the stages are choices; nearly all of the time goes into the tree
  meter.begin(1);
  auto m = std::make_shared<MeshImpl>();
  m->vertices = std::move(vertices);
  m->triangles = std::move(triangles);
  m->parts = std::move(parts);
  if (!user.empty()) m->user = std::make_shared<const std::vector<std::uint32_t>>(std::move(user));
  m->largest_coordinate = largest_magnitude(m->vertices);
  if (const std::string report = defects(*m, false); !report.empty()) throw Error(ErrorCode::invalid_shape, report);
  if (m->triangles.empty()) return m;
  m->tree = WideBvh::with_frame(m->bounds());
  const auto local_corners = local_vertices(m->vertices, m->tree.frame());
  const LocalTriangles local = local_triangles(*m, local_corners);
  LargeArray<BuildItem> items = tree_items(local, m->triangles.size());
  meter.stage(0.1, 0.9);
  m->tree.grow(items, how == Build::fast ? TreeBuild::fast : TreeBuild::best, meter);
  meter.stage(0.9, 1);
  meter.begin(1);
  fill_leaves(*m, local);
  meter.add(1);
  return m;
}

}  // namespace

Mesh::Mesh(MeshData data, Build how, const Progress& progress) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(progress);
  impl_ = build(copy(VertexView(data.vertices)), copy(data.triangles), std::move(data.parts), std::move(data.user), how, meter);
}

Mesh::Mesh(VertexView vertices, std::span<const TriangleIndices> triangles, Build how, const Progress& progress) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(progress);
  impl_ = build(copy(vertices), copy(triangles), {}, {}, how, meter);
}

std::span<const Vec3> Mesh::vertices() const { return impl_->vertices; }
std::span<const TriangleIndices> Mesh::triangles() const { return impl_->triangles; }
std::span<const MeshPart> Mesh::parts() const { return impl_->parts; }
std::span<const std::uint32_t> Mesh::user() const { return impl_->user ? std::span(*impl_->user) : std::span<const std::uint32_t>(); }
double largest_coordinate(const Mesh& mesh) { return mesh.impl().largest_coordinate; }

Mesh Mesh::refit(VertexView vertices) const {
  const DefaultFloatEnvironment guard;
  if (vertices.count != impl_->vertices.size())
    throw Error(ErrorCode::invalid_argument, "refit: " + std::to_string(vertices.count) + " vertices, must be " + std::to_string(impl_->vertices.size()));
  auto m = std::make_shared<MeshImpl>();
  m->vertices = copy(vertices);
  m->largest_coordinate = largest_magnitude(m->vertices);
  std::string report;
  check_vertices(*m, false, report);
  if (!report.empty()) throw Error(ErrorCode::invalid_shape, report);
  m->triangles = copy(impl_->triangles);
  m->parts = impl_->parts;
  m->user = impl_->user;
  if (impl_->tree.empty()) return Mesh(std::move(m));
  m->tree = WideBvh::with_frame(m->bounds());
  const auto local_corners = local_vertices(m->vertices, m->tree.frame());
  m->blocks.resize(impl_->blocks.size());
  m->tree.follow(impl_->tree, [&](std::size_t, std::size_t count, WideNode* nodes) {
    construct_kernels().refit(local_corners.data(), nodes, count, impl_->blocks.data(), m->blocks.data());
  });
  return Mesh(std::move(m));
}

const Box3& MeshImpl::bounds() const {
  std::call_once(bounds_once_, [this] { bounds_ = tree.empty() ? corner_bounds(*this) : tree.bounds(); });
  return bounds_;
}

const std::vector<std::uint32_t>& MeshImpl::canonical() const {
  std::call_once(canonical_once_, [this] {
    complete();
    std::vector<std::uint32_t> order(vertices.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    parallel_sort(order, [this](std::uint32_t a, std::uint32_t b) {
      for (int k = 0; k < 3; ++k) {
        if (vertices[a][k] != vertices[b][k]) return vertices[a][k] < vertices[b][k];
      }
      return a < b;
    });
    std::vector<std::uint32_t> result(vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool same = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
      result[order[i]] = same ? result[order[i - 1]] : order[i];
    }
    canonical_ = std::move(result);
  });
  return canonical_;
}

const std::vector<std::uint32_t>& MeshImpl::component_triangles() const {
  const auto& same = canonical();
  std::call_once(components_once_, [&] {
    DisjointSets sets(vertices.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      if (i % kLook == 0) checkpoint();
      for (int k = 1; k < 3; ++k) sets.join(same[triangles[i][0]], same[triangles[i][k]]);
    }
    std::vector<std::uint32_t> result;
    std::vector<bool> seen(vertices.size());
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
      if (i % kLook == 0) checkpoint();
      const std::uint32_t r = sets.leader(same[triangles[i][0]]);
      if (!seen[r]) result.push_back(i);
      seen[r] = true;
    }
    components_ = std::move(result);
  });
  return components_;
}

const LargeArray<OrientedNode>& MeshImpl::oriented() const {
  std::call_once(oriented_once_, [this] {
    complete();
    oriented_ = oriented_boxes(tree, blocks);
  });
  return oriented_;
}

}  // namespace graze
