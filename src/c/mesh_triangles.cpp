// The C interface: triangles of meshes that intersect or are near a shape.
#include <graze/graze.h>
#include <cstdint>
#include <graze/query/mesh_triangles.hpp>
#include <vector>

#include "c/call.hpp"
#include "c/lock.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

PairOptions pair_options(const Call& call, const graze_pair_options* given) {
  const graze_pair_options o = call.options("options", given, graze_pair_options GRAZE_PAIR_OPTIONS_INIT);
  PairOptions out;
  out.limit = o.limit;
  if (o.filter) out.filter = as_callback([o](std::uint32_t a, std::uint32_t b) { return o.filter(a, b, o.filter_user) != 0; });
  if (o.visit) out.visit = as_callback([o](const TrianglePair& pair) { return o.visit(pair.a, pair.b, o.visit_user) != 0; });
  out.progress = progress_of(o.progress, o.progress_user);
  return out;
}

graze_triangle_pair plain_pair(const TrianglePair& pair) { return {pair.a, pair.b}; }

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_intersecting_triangles(const graze_ref* a, const graze_ref* b, const graze_pair_options* options, graze_triangle_pair** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    const PairOptions o = c::pair_options(call, options);
    call.require_list(out, count);
    c::give(out, count, intersecting_triangles(x, y, o), [](const TrianglePair& pair) { return c::plain_pair(pair); });
  });
}
graze_status graze_self_intersections(const graze_ref* mesh, const graze_pair_options* options, graze_triangle_pair** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef m = call.shape("mesh", mesh);
    const PairOptions o = c::pair_options(call, options);
    call.require_list(out, count);
    c::give(out, count, self_intersections(m, o), [](const TrianglePair& pair) { return c::plain_pair(pair); });
  });
}
graze_status graze_count_intersecting_triangles(const graze_ref* a, const graze_ref* b, uint64_t most, graze_progress progress, void* user, uint64_t* count,
                                                int* more) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    (void)call.required("count", count);
    (void)call.required("more", more);
    const PairCount found = count_intersecting_triangles(x, y, most, c::progress_of(progress, user));
    *count = found.count;
    *more = found.more;
  });
}
graze_status graze_count_self_intersections(const graze_ref* mesh, uint64_t most, graze_progress progress, void* user, uint64_t* count, int* more) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef m = call.shape("mesh", mesh);
    (void)call.required("count", count);
    (void)call.required("more", more);
    const PairCount found = count_self_intersections(m, most, c::progress_of(progress, user));
    *count = found.count;
    *more = found.more;
  });
}
graze_status graze_crosses(const graze_triangle* a, const graze_triangle* b, int* out) {
  return guarded(__func__, [&](const Call& call) {
    const bool yes = crosses(call.plain<Triangle>("a", a), call.plain<Triangle>("b", b));
    call.required("out", out) = yes;
  });
}
graze_status graze_triangles_within(const graze_ref* shape, const graze_ref* mesh, double distance, uint32_t** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("shape", shape), m = call.shape("mesh", mesh);
    call.require_list(out, count);
    c::give(out, count, triangles_within(s, m, distance));
  });
}
graze_status graze_closest_triangles(const graze_ref* shape, const graze_ref* mesh, size_t most, double distance, graze_closest_points** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("shape", shape), m = call.shape("mesh", mesh);
    call.require_list(out, count);
    c::give(out, count, closest_triangles(s, m, most, distance), [](const Closest& points) { return c::to_c(points); });
  });
}
