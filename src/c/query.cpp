// The C interface: queries about one or two shapes.
#include <graze/graze.h>
#include <algorithm>
#include <cstdint>
#include <graze/heritage/plane_equation.hpp>
#include <graze/query.hpp>
#include <optional>
#include <span>
#include <vector>

#include "c/block.hpp"
#include "c/call.hpp"
#include "c/lock.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

static_assert(GRAZE_IDENTICAL == static_cast<int>(Relation::identical) && GRAZE_UNBOUNDED == static_cast<int>(NoPenetration::unbounded));
static_assert(GRAZE_IN_FRONT == static_cast<int>(Side::front) && GRAZE_INSIDE == static_cast<int>(Visibility::inside));

graze_contact plain_contact(const Contact& contact) {
  graze_contact out;
  put(out.point, contact.point);
  put(out.normal, contact.normal);
  out.depth = contact.depth;
  out.triangle_a = index_of(contact.triangle_a);
  out.triangle_b = index_of(contact.triangle_b);
  return out;
}

/// Gives an optional vector.
void put_optional(const std::optional<Vec3>& v, double* out, int* has) {
  *has = v.has_value();
  if (v) put_to(out, *v);
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

// ---- two shapes --------------------------------------------------------------------------------------------------------------------------

graze_status graze_intersects(const graze_ref* a, const graze_ref* b, int* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    call.required("out", out) = intersects(x, y);
  });
}
graze_status graze_within(const graze_ref* a, const graze_ref* b, double distance, int* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    call.required("out", out) = within(x, y, distance);
  });
}
graze_status graze_contains(const graze_ref* solid, const double point[3], int* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("solid", solid);
    const Vec3 p = call.vector("point", point);
    call.required("out", out) = contains(s, p);
  });
}
graze_status graze_closest(const graze_ref* a, const graze_ref* b, graze_closest_points* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    call.required("out", out) = c::to_c(closest(x, y));
  });
}
graze_status graze_relation(const graze_ref* a, const graze_ref* b, graze_progress progress, void* user, graze_relation_kind* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    call.required("out", out) = static_cast<graze_relation_kind>(relation(x, y, c::progress_of(progress, user)));
  });
}
const char* graze_relation_name(graze_relation_kind relation) {
  const int value = static_cast<int>(relation);
  return value >= 0 && value <= GRAZE_IDENTICAL ? name_of(static_cast<Relation>(value)) : nullptr;
}
graze_status graze_penetration(const graze_ref* a, const graze_ref* b, graze_penetration_result* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    call.required("out", out) = c::to_c(penetration(x, y));
  });
}
graze_status graze_penetration_with_hint(const graze_ref* a, const graze_ref* b, graze_pair_hint* hint, graze_penetration_result* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    (void)call.required("hint", hint);
    call.required("out", out) = c::to_c(penetration(x, y, c::hints_of(hint, 1)[0]));
  });
}
graze_status graze_closest_with_hint(const graze_ref* a, const graze_ref* b, graze_pair_hint* hint, graze_closest_points* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    (void)call.required("hint", hint);
    call.required("out", out) = c::to_c(closest(x, y, c::hints_of(hint, 1)[0]));
  });
}
graze_status graze_contacts(const graze_ref* a, const graze_ref* b, graze_contact** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    call.require_list(out, count);
    c::give(out, count, contacts(x, y), [](const Contact& contact) { return c::plain_contact(contact); });
  });
}
graze_status graze_manifold(const graze_ref* a, const graze_ref* b, int all_points, graze_contact_manifold** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    call.require_list(out, count);
    const std::vector<Manifold> list = manifold(x, y, all_points ? ManifoldPoints::all : ManifoldPoints::four);
    std::size_t points = 0;
    for (const Manifold& m : list) points += m.points.size();
    // The points follow the manifolds in one piece of memory.
    const std::size_t head = list.size() * sizeof(graze_contact_manifold);
    char* const memory = c::allocate<char>(head + points * sizeof(graze_manifold_point));
    auto* to = reinterpret_cast<graze_contact_manifold*>(memory);
    auto* point = reinterpret_cast<graze_manifold_point*>(memory + head);
    *out = to;
    *count = list.size();
    for (const Manifold& m : list) {
      c::put(to->normal, m.normal);
      to->points = point;
      to->point_count = m.points.size();
      to->triangle_a = c::index_of(m.triangle_a);
      to->triangle_b = c::index_of(m.triangle_b);
      ++to;
      for (const ManifoldPoint& p : m.points) {
        c::put(point->point, p.point);
        point->depth = p.depth;
        ++point;
      }
    }
  });
}
graze_status graze_manifold_into(const graze_ref* a, const graze_ref* b, graze_pair_hint* hint, graze_fixed_manifold* out, size_t room, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef x = call.shape("a", a), y = call.shape("b", b);
    const std::span<graze_fixed_manifold> to = call.room("out", out, room);
    std::size_t& all = call.required("count", count);
    FixedManifold one;
    std::vector<FixedManifold> more;
    std::span<FixedManifold> places(&one, std::min<std::size_t>(room, 1));
    const auto find = [&] { return hint ? manifold(x, y, c::hints_of(hint, 1)[0], places) : manifold(x, y, places); };
    all = find();
    if (all > 1 && room > 1) {
      more.resize(std::min(all, room));
      places = more;
      all = find();
    }
    for (std::size_t i = 0; i < std::min(all, room); ++i) to[i] = c::to_c(places[i]);
  });
}
graze_status graze_classify_plane(const graze_ref* shape, const graze_plane* plane, graze_classification* out) {
  return guarded(__func__, [&](const Call& call) {
    const Classification r = classify(call.shape("shape", shape), call.plain<Plane>("plane", plane));
    call.required("out", out) = {static_cast<graze_side>(r.side), r.distance};
  });
}
graze_status graze_classify_frustum(const graze_ref* shape, const graze_shape* frustum, graze_visibility* out) {
  return guarded(__func__, [&](const Call& call) {
    const Visibility v = classify(call.shape("shape", shape), call.held<Frustum>("frustum", frustum));
    call.required("out", out) = static_cast<graze_visibility>(v);
  });
}

// ---- one shape ---------------------------------------------------------------------------------------------------------------------------

graze_status graze_signed_distance(const double point[3], const graze_ref* solid, double* out) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 p = call.vector("point", point);
    const ShapeRef s = call.shape("solid", solid);
    call.required("out", out) = signed_distance(p, s);
  });
}
graze_status graze_bounding_box(const graze_ref* shape, graze_box* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("shape", shape);
    call.required("out", out) = c::to_c(bounding_box(s));
  });
}
graze_status graze_bounding_sphere(const graze_ref* shape, graze_sphere* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("shape", shape);
    call.required("out", out) = c::to_c(bounding_sphere(s));
  });
}
graze_status graze_minimal_sphere(const double* points, size_t count, size_t stride, graze_sphere* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, count, stride);
    call.required("out", out) = c::to_c(minimal_sphere(p.view()));
  });
}
graze_status graze_volume(const graze_ref* solid, double* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("solid", solid);
    call.required("out", out) = volume(s);
  });
}
graze_status graze_signed_volume(const graze_ref* solid, double* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("solid", solid);
    call.required("out", out) = signed_volume(s);
  });
}
graze_status graze_area(const graze_ref* shape, double* out) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("shape", shape);
    call.required("out", out) = area(s);
  });
}
graze_status graze_centroid(const graze_ref* shape, double out[3], int* has) {
  return guarded(__func__, [&](const Call& call) {
    const ShapeRef s = call.shape("shape", shape);
    (void)call.required("out", out);
    (void)call.required("has", has);
    c::put_optional(centroid(s), out, has);
  });
}
graze_status graze_plane_of(const graze_triangle* triangle, graze_plane* out, int* has) {
  return guarded(__func__, [&](const Call& call) {
    const Triangle& t = call.plain<Triangle>("triangle", triangle);
    (void)call.required("out", out);
    (void)call.required("has", has);
    const std::optional<Plane> plane = plane_of(t);
    *has = plane.has_value();
    if (plane) *out = c::to_c(*plane);
  });
}
graze_status graze_plane_equation(const graze_plane* plane, double out[4]) {
  return guarded(__func__, [&](const Call& call) {
    const Plane& p = call.plain<Plane>("plane", plane);
    double* const to = &call.required("out", out);
    validate(p);
    const PlaneEquation e = equation_of(p);
    to[0] = e.a, to[1] = e.b, to[2] = e.c, to[3] = e.d;
  });
}
graze_status graze_plane_from_equation(const double equation[4], graze_plane* out) {
  return guarded(__func__, [&](const Call& call) {
    (void)call.required("equation", equation);
    const Plane plane = plane_of(PlaneEquation{equation[0], equation[1], equation[2], equation[3]});
    call.required("out", out) = c::to_c(plane);
  });
}
graze_status graze_unit_normal(const graze_triangle* triangle, const double viewpoint[3], double out[3], int* has) {
  return guarded(__func__, [&](const Call& call) {
    const Triangle& t = call.plain<Triangle>("triangle", triangle);
    const Vec3 from = call.vector("viewpoint", viewpoint);
    (void)call.required("out", out);
    (void)call.required("has", has);
    c::put_optional(unit_normal(t, from), out, has);
  });
}
graze_status graze_reflect(const double v[3], const double normal[3], double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 r = reflect(call.vector("v", v), call.vector("normal", normal));
    c::put_to(&call.required("out", out), r);
  });
}
