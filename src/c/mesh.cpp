// The C interface: meshes, solids and height fields, their data, reports, triangulation.
#include <graze/graze.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <graze/mesh.hpp>
#include <graze/shapes.hpp>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "c/block.hpp"
#include "c/call.hpp"
#include "c/lock.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

VertexView view_of(const Call& call, const char* argument, const void* vertices, std::size_t count, std::size_t stride, int single_precision) {
  if (count != 0 && !vertices) call.refuse(argument, "is null, must be " + std::to_string(count) + " vertices");
  const std::size_t size = single_precision ? 3 * sizeof(float) : 3 * sizeof(double);
  if (count != 0 && stride != 0 && stride < size)
    call.refuse(argument, "has the stride " + std::to_string(stride) + ", must be 0 or at least " + std::to_string(size));
  return single_precision ? VertexView(static_cast<const float*>(vertices), count, stride) : VertexView(static_cast<const double*>(vertices), count, stride);
}

/// The vertex numbers of all triangles; a number that does not fit 32 bits, or is negative, is refused as one that no vertex has.
template <class I>
std::vector<TriangleIndices> triangles_of(const graze_mesh_input& input) {
  std::vector<TriangleIndices> out(input.triangle_count);
  const std::size_t stride = input.triangle_stride == 0 ? 3 * sizeof(I) : input.triangle_stride;
  std::string defects;
  for (std::size_t i = 0; i < out.size(); ++i) {
    I corners[3];
    std::memcpy(corners, static_cast<const char*>(input.triangles) + i * stride, sizeof corners);
    for (std::size_t k = 0; k < 3; ++k) {
      if (static_cast<std::int64_t>(corners[k]) < 0 || static_cast<std::int64_t>(corners[k]) > std::int64_t{std::numeric_limits<std::uint32_t>::max()})
        throw Error(ErrorCode::invalid_shape,
                    "mesh: triangle " + std::to_string(i) + " uses vertex " + std::to_string(corners[k]) + " of " + std::to_string(input.vertex_count));
      out[i][k] = static_cast<std::uint32_t>(corners[k]);
    }
  }
  return out;
}

std::vector<TriangleIndices> triangles_of(const Call& call, const graze_mesh_input& input) {
  const int type = call.enumerator<int>("input.index_type", input.index_type, 3);
  if (input.triangle_count != 0 && !input.triangles) call.refuse("input.triangles", "is null, must be " + std::to_string(input.triangle_count) + " triangles");
  const std::size_t size = 3 * (type == GRAZE_INT64 ? sizeof(std::int64_t) : sizeof(std::uint32_t));
  if (input.triangle_stride != 0 && input.triangle_stride < size)
    call.refuse("input.triangle_stride", "is " + std::to_string(input.triangle_stride) + ", must be 0 or at least " + std::to_string(size));
  if (type == GRAZE_INT64) return triangles_of<std::int64_t>(input);
  return type == GRAZE_INT32 ? triangles_of<std::int32_t>(input) : triangles_of<std::uint32_t>(input);
}

Mesh mesh_of(const Call& call, const graze_mesh_input& input) {
  const VertexView vertices = view_of(call, "input.vertices", input.vertices, input.vertex_count, input.vertex_stride, input.single_precision);
  const Build build = call.enumerator<Build>("input.build", input.build, 2);
  const Progress progress = progress_of(input.progress, input.progress_user);
  if (input.part_count == 0 && !input.user) {
    const bool in_place = input.index_type == GRAZE_UINT32 && (input.triangle_stride == 0 || input.triangle_stride == sizeof(TriangleIndices)) &&
                          reinterpret_cast<std::uintptr_t>(input.triangles) % alignof(TriangleIndices) == 0 && input.triangles;
    if (in_place)
      return Mesh(vertices, std::span<const TriangleIndices>(static_cast<const TriangleIndices*>(input.triangles), input.triangle_count), build, progress);
    return Mesh(vertices, triangles_of(call, input), build, progress);
  }
  MeshData data;
  data.triangles = triangles_of(call, input);
  data.vertices.resize(input.vertex_count);
  const std::size_t stride = input.vertex_stride != 0 ? input.vertex_stride : input.single_precision ? 3 * sizeof(float) : 3 * sizeof(double);
  for (std::size_t i = 0; i < input.vertex_count; ++i) {
    const char* const from = static_cast<const char*>(input.vertices) + i * stride;
    if (input.single_precision) {
      float v[3];
      std::memcpy(v, from, sizeof v);
      data.vertices[i] = Vec3(v[0], v[1], v[2]);
    } else {
      std::memcpy(static_cast<void*>(&data.vertices[i]), from, sizeof(Vec3));
    }
  }
  if (input.part_count != 0) (void)call.required("input.parts", input.parts);
  for (std::size_t i = 0; i < input.part_count; ++i)
    data.parts.push_back({input.parts[i].name ? input.parts[i].name : "", input.parts[i].first, input.parts[i].count});
  if (input.user) data.user.assign(input.user, input.user + input.triangle_count);
  return Mesh(std::move(data), build, progress);
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_mesh_create(const graze_mesh_input* input, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    (void)call.required("input", input);
    const graze_mesh_input given = call.options("input", input, *input);
    (void)call.required("out", out);
    *out = c::make_shape(c::mesh_of(call, given));
  });
}
graze_status graze_mesh_refit(const graze_shape* mesh, const void* vertices, size_t count, size_t stride, int single_precision, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const Mesh& old = call.held<Mesh>("mesh", mesh);
    (void)call.required("out", out);
    *out = c::make_shape(old.refit(c::view_of(call, "vertices", vertices, count, stride, single_precision)));
  });
}
graze_status graze_solid_create(const graze_shape* mesh, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const Mesh& surface = call.held<Mesh>("mesh", mesh);
    (void)call.required("out", out);
    *out = c::make_shape(Solid(surface));
  });
}
graze_status graze_solid_seams(const graze_shape* solid, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const Solid& body = call.held<Solid>("solid", solid);
    call.required("count", count) = body.seams();
  });
}
graze_status graze_surface_create(const graze_shape* shape, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const Mesh& surface = call.surface("shape", shape);
    call.required("out", out) = c::make_shape(surface);
  });
}
graze_status graze_height_field_create(const double origin[3], double dx, double dy, size_t columns, const double* heights, size_t count, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 o = call.vector("origin", origin);
    call.require_array("heights", heights, count, 0, sizeof(double));
    (void)call.required("out", out);
    *out = c::make_shape(HeightField(o, dx, dy, columns, std::span<const double>(heights, count)));
  });
}

graze_status graze_height_field_grid(const graze_shape* field, graze_height_grid* out) {
  return guarded(__func__, [&](const Call& call) {
    const HeightField& f = call.held<HeightField>("field", field);
    graze_height_grid& to = call.required("out", out);
    c::put(to.origin, f.origin());
    to.dx = f.dx();
    to.dy = f.dy();
    to.columns = f.columns();
    to.rows = f.rows();
    to.heights = f.heights().data();
  });
}

// ---- data --------------------------------------------------------------------------------------------------------------------------------

graze_status graze_mesh_vertices(const graze_shape* shape, const double** vertices, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const std::span<const Vec3> list = call.surface("shape", shape).vertices();
    call.required("vertices", vertices);
    call.required("count", count) = list.size();
    *vertices = c::as_c<double>(list);
  });
}
graze_status graze_mesh_triangles(const graze_shape* shape, const uint32_t** triangles, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const std::span<const TriangleIndices> list = call.surface("shape", shape).triangles();
    call.required("triangles", triangles);
    call.required("count", count) = list.size();
    *triangles = c::as_c<std::uint32_t>(list);
  });
}
graze_status graze_mesh_user(const graze_shape* shape, const uint32_t** user, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const std::span<const std::uint32_t> list = call.surface("shape", shape).user();
    call.required("user", user);
    call.required("count", count) = list.size();
    *user = list.data();
  });
}
graze_status graze_mesh_part_count(const graze_shape* shape, size_t* count) {
  return guarded(__func__, [&](const Call& call) { call.required("count", count) = call.surface("shape", shape).parts().size(); });
}
graze_status graze_mesh_part_at(const graze_shape* shape, size_t index, graze_mesh_part* out) {
  return guarded(__func__, [&](const Call& call) {
    const std::span<const MeshPart> parts = call.surface("shape", shape).parts();
    if (index >= parts.size()) call.refuse("index", "is " + std::to_string(index) + ", must be less than " + std::to_string(parts.size()));
    call.required("out", out) = {parts[index].name.c_str(), parts[index].first, parts[index].count};
  });
}
graze_status graze_tree_boxes(const graze_shape* mesh, unsigned level, graze_box** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const Mesh& surface = call.surface("mesh", mesh);
    call.require_list(out, count);
    c::give(out, count, tree_boxes(surface, level), [](const Box& box) { return c::to_c(box); });
  });
}

// ---- reports and triangulation -----------------------------------------------------------------------------------------------------------

graze_status graze_check(const graze_shape* mesh, graze_mesh_report** out) {
  return guarded(__func__, [&](const Call& call) {
    const Mesh& surface = call.surface("mesh", mesh);
    (void)call.required("out", out);
    const MeshReport r = check(surface);
    c::Block block;
    const auto degenerate = block.add(r.degenerate), unreferenced = block.add(r.unreferenced_vertices);
    const auto duplicates = block.add(r.duplicates);
    const auto border = block.add(r.border_edges), non_manifold = block.add(r.non_manifold_edges), inconsistent = block.add(r.inconsistent_edges),
               unbalanced = block.add(r.unbalanced_edges), junctions = block.add(r.junction_edges);
    const auto near = block.add(r.near_junctions);
    *out = block.release<graze_mesh_report>([&](graze_mesh_report& to, const c::Block::Memory& at) {
      to.degenerate = at.get<std::uint32_t>(degenerate, to.degenerate_count = r.degenerate.size());
      to.duplicates = at.get<std::uint32_t>(duplicates, to.duplicate_count = r.duplicates.size());
      to.border_edges = at.get<graze_edge_at>(border, to.border_edge_count = r.border_edges.size());
      to.non_manifold_edges = at.get<graze_edge_at>(non_manifold, to.non_manifold_edge_count = r.non_manifold_edges.size());
      to.inconsistent_edges = at.get<graze_edge_at>(inconsistent, to.inconsistent_edge_count = r.inconsistent_edges.size());
      to.unbalanced_edges = at.get<graze_edge_at>(unbalanced, to.unbalanced_edge_count = r.unbalanced_edges.size());
      to.unreferenced_vertices = at.get<std::uint32_t>(unreferenced, to.unreferenced_vertex_count = r.unreferenced_vertices.size());
      to.repeated_vertices = r.repeated_vertices;
      to.components = r.components;
      to.closed = r.closed;
      to.solid = r.solid;
      to.junction_edges = at.get<graze_edge_at>(junctions, to.junction_edge_count = r.junction_edges.size());
      to.near_junctions = at.get<graze_near_junction>(near, to.near_junction_count = r.near_junctions.size());
    });
  });
}
graze_status graze_triangulate(const double* points, size_t point_count, size_t stride, uint32_t** triangles, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, point_count, stride);
    (void)call.required("triangles", triangles);
    (void)call.required("count", count);
    const std::vector<TriangleIndices> list = triangulate(p.view());
    std::uint32_t* const memory = c::allocate<std::uint32_t>(3 * list.size());
    for (std::size_t i = 0; i < 3 * list.size(); ++i) memory[i] = list[i / 3][i % 3];
    *triangles = memory;
    *count = list.size();
  });
}
