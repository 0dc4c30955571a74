// The C interface: owned shapes of any kind, boxes, shapes of points, compounds.
#include <graze/graze.h>
#include <array>
#include <atomic>
#include <graze/query.hpp>
#include <graze/shapes.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "c/call.hpp"
#include "c/lock.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

/// The hull of a Hull or Frustum.
const Hull& hull_of(const Call& call, const graze_shape* shape) {
  const AnyShape& any = call.required("hull", shape).value;
  if (const Hull* const hull = any.get<Hull>()) return *hull;
  if (const Frustum* const frustum = any.get<Frustum>()) return frustum->hull();
  call.refuse("hull", std::string("is of kind ") + type_name(any.kind()) + ", must be of kind convex or frustum");
}

std::span<const Vec3> points_of(const Call& call, const AnyShape& shape) {
  if (const Hull* const hull = shape.get<Hull>()) return hull->points();
  if (const Polygon* const polygon = shape.get<Polygon>()) return polygon->points();
  if (const Frustum* const frustum = shape.get<Frustum>()) return frustum->points();
  call.refuse("shape", std::string("is of kind ") + type_name(shape.kind()) + ", must be of kind convex, polygon or frustum");
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

// ---- any kind ----------------------------------------------------------------------------------------------------------------------------

graze_status graze_validate(const graze_ref* shape) {
  return guarded(__func__, [&](const Call& call) { validate(call.shape("shape", shape)); });
}

graze_status graze_shape_create(const graze_ref* ref, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    AnyShape shape = call.unplaced("ref", ref);
    validate(shape);
    call.required("out", out) = c::make_shape(std::move(shape));
  });
}

graze_shape* graze_shape_retain(graze_shape* shape) {
  if (shape) shape->references.fetch_add(1, std::memory_order_relaxed);
  return shape;
}

void graze_shape_release(graze_shape* shape) {
  if (shape && shape->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shape;
}

graze_status graze_shape_kind(const graze_shape* shape, graze_kind* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = static_cast<graze_kind>(call.required("shape", shape).value.kind()); });
}

const char* graze_kind_name(graze_kind kind) {
  return kind >= 0 && static_cast<std::size_t>(kind) < Shapes::size ? type_name(static_cast<Kind>(kind)) : nullptr;
}

graze_status graze_shape_plain(const graze_shape* shape, graze_kind kind, const void** out) {
  return guarded(__func__, [&](const Call& call) {
    const AnyShape& any = call.required("shape", shape).value;
    if (static_cast<graze_kind>(any.kind()) != kind)
      call.refuse("shape",
                  std::string("is of kind ") + std::to_string(static_cast<int>(any.kind())) + " (" + type_name(any.kind()) + "), not " + std::to_string(kind));
    const ShapeRef plain(any);
    const graze_ref ref{kind, plain.shape(), nullptr};
    (void)call.shape("shape", &ref);  // refuses kinds without a plain struct
    call.required("out", out) = plain.shape();
  });
}

// ---- boxes -------------------------------------------------------------------------------------------------------------------------------

graze_status graze_box_from_center(const double center[3], const double half[3], graze_box* out) {
  return guarded(__func__, [&](const Call& call) {
    const Box box = Box::from_center(call.vector("center", center), call.vector("half", half));
    call.required("out", out) = c::to_c(box);
  });
}
graze_status graze_box_from_corner(const double corner[3], const double size[3], graze_box* out) {
  return guarded(__func__, [&](const Call& call) {
    const Box box = Box::from_corner(call.vector("corner", corner), call.vector("size", size));
    call.required("out", out) = c::to_c(box);
  });
}
graze_status graze_box_corner(const graze_box* box, int corner, double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 p = call.plain<Box>("box", box).corner(call.enumerator<Corner>("corner", corner, 8));
    c::put_to(&call.required("out", out), p);
  });
}
graze_status graze_box_center(const graze_box* box, double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 p = call.plain<Box>("box", box).center();
    c::put_to(&call.required("out", out), p);
  });
}

// ---- shapes of points --------------------------------------------------------------------------------------------------------------------

graze_status graze_hull_create(const double* points, size_t count, size_t stride, graze_progress progress, void* user, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, count, stride);
    (void)call.required("out", out);
    *out = c::make_shape(Hull(p.view(), c::progress_of(progress, user)));
  });
}
graze_status graze_polygon_create(const double* points, size_t count, size_t stride, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, count, stride);
    (void)call.required("out", out);
    *out = c::make_shape(Polygon(p.view()));
  });
}
graze_status graze_frustum_create(const double* points, size_t count, size_t stride, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = call.array<Vec3>("points", points, count, stride);
    (void)call.required("out", out);
    *out = c::make_shape(Frustum(p.view()));
  });
}
graze_status graze_frustum_perspective(const double eye[3], const double target[3], const double up[3], double tan_half_height, double aspect,
                                       double near_distance, double far_distance, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 e = call.vector("eye", eye), t = call.vector("target", target), u = call.vector("up", up);
    (void)call.required("out", out);
    *out = c::make_shape(Frustum::perspective(e, t, u, tan_half_height, aspect, near_distance, far_distance));
  });
}
graze_status graze_frustum_plane(const graze_shape* frustum, int which, graze_plane* out) {
  return guarded(__func__, [&](const Call& call) {
    const Plane plane = call.held<Frustum>("frustum", frustum).plane(call.enumerator<FrustumPlane>("which", which, 6));
    call.required("out", out) = c::to_c(plane);
  });
}

graze_status graze_shape_points(const graze_shape* shape, const double** points, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const std::span<const Vec3> p = c::points_of(call, call.required("shape", shape).value);
    call.required("points", points);
    call.required("count", count) = p.size();
    *points = c::as_c<double>(p);
  });
}
graze_status graze_hull_corners(const graze_shape* hull, const uint32_t** corners, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const std::span<const std::uint32_t> list = c::hull_of(call, hull).corners();
    call.required("corners", corners);
    call.required("count", count) = list.size();
    *corners = list.data();
  });
}
graze_status graze_hull_triangles(const graze_shape* hull, const uint32_t** triangles, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const std::span<const std::array<std::uint32_t, 3>> list = c::hull_of(call, hull).triangles();
    call.required("triangles", triangles);
    call.required("count", count) = list.size();
    *triangles = c::as_c<std::uint32_t>(list);
  });
}
graze_status graze_hull_dimension(const graze_shape* hull, int* out) {
  return guarded(__func__, [&](const Call& call) { call.required("out", out) = c::hull_of(call, hull).dimension(); });
}

// ---- compounds ---------------------------------------------------------------------------------------------------------------------------

graze_status graze_compound_create(const graze_ref* children, size_t count, graze_shape** out) {
  return guarded(__func__, [&](const Call& call) {
    (void)call.shapes("children", children, count, 0);  // checks all of them, with their places in the messages
    (void)call.required("out", out);
    std::vector<Compound::Child> list;
    list.reserve(count);
    for (std::size_t i = 0; i < count; ++i) list.push_back({call.owned("children", &children[i]), call.pose_of(&children[i])});
    *out = c::make_shape(Compound(std::move(list)));
  });
}
graze_status graze_compound_count(const graze_shape* compound, size_t* count) {
  return guarded(__func__, [&](const Call& call) { call.required("count", count) = call.held<Compound>("compound", compound).children().size(); });
}
graze_status graze_compound_child(const graze_shape* compound, size_t index, graze_shape** shape, graze_pose* pose) {
  return guarded(__func__, [&](const Call& call) {
    const std::vector<Compound::Child>& children = call.held<Compound>("compound", compound).children();
    if (index >= children.size()) call.refuse("index", "is " + std::to_string(index) + ", must be less than " + std::to_string(children.size()));
    call.required("shape", shape);
    call.required("pose", pose) = c::to_c(children[index].pose);
    *shape = c::make_shape(children[index].shape);
  });
}
