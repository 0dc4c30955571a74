// The C interface: vertices that each move.
#include <graze/graze.h>
#include <algorithm>
#include <array>
#include <graze/sweep/deforming.hpp>
#include <optional>
#include <span>
#include <vector>

#include "c/call.hpp"
#include "c/lock.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

static_assert(GRAZE_EDGE_EDGE == static_cast<int>(DeformingContact::Kind::edge_edge));

std::array<Vec3, 4> corners_of(const Call& call, const char* argument, const double* t) {
  (void)call.required(argument, t);
  return {Vec3(t[0], t[1], t[2]), Vec3(t[3], t[4], t[5]), Vec3(t[6], t[7], t[8]), Vec3(t[9], t[10], t[11])};
}

template <class F>
graze_status first_time(const char* function, const double* t0, const double* t1, double* t, int* hit, const F& ccd) {
  return guarded(function, [&](const Call& call) {
    const std::array<Vec3, 4> from = corners_of(call, "t0", t0), to = corners_of(call, "t1", t1);
    (void)call.required("t", t);
    (void)call.required("hit", hit);
    const std::optional<double> time = ccd(std::span<const Vec3, 4>(from), std::span<const Vec3, 4>(to));
    *hit = time.has_value();
    if (time) *t = *time;
  });
}

graze_deforming_contact plain_contact(const DeformingContact& contact) {
  graze_deforming_contact out;
  out.t = contact.t;
  out.kind = static_cast<graze_feature_pair>(contact.kind);
  out.triangle_a = contact.triangle_a;
  out.triangle_b = contact.triangle_b;
  std::copy(contact.vertices.begin(), contact.vertices.end(), out.vertices);
  return out;
}

DeformingOptions deforming_options(const Call& call, const graze_deforming_options* given) {
  const graze_deforming_options o = call.options("options", given, graze_deforming_options GRAZE_DEFORMING_OPTIONS_INIT);
  DeformingOptions out;
  out.first_only = o.first_only != 0;
  out.limit = o.limit;
  if (o.filter)
    out.filter = as_callback([o](const DeformingContact& contact) {
      const graze_deforming_contact plain = plain_contact(contact);
      return o.filter(&plain, o.filter_user) != 0;
    });
  out.progress = progress_of(o.progress, o.progress_user);
  return out;
}

VertexView moved(const Call& call, const char* argument, const double* vertices, std::size_t count, std::size_t stride) {
  call.require_array(argument, vertices, count, stride, sizeof(Vec3));
  return VertexView(vertices, count, stride);
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_ccd_vertex_face(const double t0[12], const double t1[12], double* t, int* hit) {
  return c::first_time(__func__, t0, t1, t, hit, [](auto from, auto to) { return ccd_vertex_face(from, to); });
}
graze_status graze_ccd_edge_edge(const double t0[12], const double t1[12], double* t, int* hit) {
  return c::first_time(__func__, t0, t1, t, hit, [](auto from, auto to) { return ccd_edge_edge(from, to); });
}
graze_status graze_ccd(const graze_shape* a, const double* a1, size_t count_a, size_t stride_a, const graze_shape* b, const double* b1, size_t count_b,
                       size_t stride_b, const graze_deforming_options* options, graze_deforming_contact** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const Mesh &x = call.held<Mesh>("a", a), &y = call.held<Mesh>("b", b);
    const VertexView end_a = c::moved(call, "a1", a1, count_a, stride_a), end_b = c::moved(call, "b1", b1, count_b, stride_b);
    const DeformingOptions o = c::deforming_options(call, options);
    call.require_list(out, count);
    c::give(out, count, ccd(x, end_a, y, end_b, o), [](const DeformingContact& contact) { return c::plain_contact(contact); });
  });
}
graze_status graze_ccd_self(const graze_shape* mesh, const double* end, size_t vertex_count, size_t stride, const graze_deforming_options* options,
                            graze_deforming_contact** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const Mesh& m = call.held<Mesh>("mesh", mesh);
    const VertexView to = c::moved(call, "end", end, vertex_count, stride);
    const DeformingOptions o = c::deforming_options(call, options);
    call.require_list(out, count);
    c::give(out, count, ccd(m, to, o), [](const DeformingContact& contact) { return c::plain_contact(contact); });
  });
}
