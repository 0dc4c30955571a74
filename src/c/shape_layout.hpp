// Checks that the plain structs of the C interface are read in place as the C++ shapes. Written by tools/write_c_shapes.cpp; do not edit.
#pragma once
#include <graze/graze.h>
#include <cstddef>
#include <graze/shapes.hpp>

namespace graze {

// clang-format off
static_assert(GRAZE_POINT == static_cast<int>(kind_of<Point>));
static_assert(sizeof(graze_point) == sizeof(Point) && alignof(graze_point) == alignof(Point));
static_assert(offsetof(graze_point, point) == offsetof(Point, point));
static_assert(sizeof(graze_point::point) == sizeof(Point::point));
static_assert(GRAZE_SEGMENT == static_cast<int>(kind_of<Segment>));
static_assert(sizeof(graze_segment) == sizeof(Segment) && alignof(graze_segment) == alignof(Segment));
static_assert(offsetof(graze_segment, a) == offsetof(Segment, a));
static_assert(sizeof(graze_segment::a) == sizeof(Segment::a));
static_assert(offsetof(graze_segment, b) == offsetof(Segment, b));
static_assert(sizeof(graze_segment::b) == sizeof(Segment::b));
static_assert(GRAZE_RAY == static_cast<int>(kind_of<Ray>));
static_assert(sizeof(graze_ray) == sizeof(Ray) && alignof(graze_ray) == alignof(Ray));
static_assert(offsetof(graze_ray, origin) == offsetof(Ray, origin));
static_assert(sizeof(graze_ray::origin) == sizeof(Ray::origin));
static_assert(offsetof(graze_ray, direction) == offsetof(Ray, direction));
static_assert(sizeof(graze_ray::direction) == sizeof(Ray::direction));
static_assert(GRAZE_LINE == static_cast<int>(kind_of<Line>));
static_assert(sizeof(graze_line) == sizeof(Line) && alignof(graze_line) == alignof(Line));
static_assert(offsetof(graze_line, origin) == offsetof(Line, origin));
static_assert(sizeof(graze_line::origin) == sizeof(Line::origin));
static_assert(offsetof(graze_line, direction) == offsetof(Line, direction));
static_assert(sizeof(graze_line::direction) == sizeof(Line::direction));
static_assert(GRAZE_PLANE == static_cast<int>(kind_of<Plane>));
static_assert(sizeof(graze_plane) == sizeof(Plane) && alignof(graze_plane) == alignof(Plane));
static_assert(offsetof(graze_plane, point) == offsetof(Plane, point));
static_assert(sizeof(graze_plane::point) == sizeof(Plane::point));
static_assert(offsetof(graze_plane, normal) == offsetof(Plane, normal));
static_assert(sizeof(graze_plane::normal) == sizeof(Plane::normal));
static_assert(GRAZE_HALF_SPACE == static_cast<int>(kind_of<HalfSpace>));
static_assert(sizeof(graze_half_space) == sizeof(HalfSpace) && alignof(graze_half_space) == alignof(HalfSpace));
static_assert(offsetof(graze_half_space, point) == offsetof(HalfSpace, point));
static_assert(sizeof(graze_half_space::point) == sizeof(HalfSpace::point));
static_assert(offsetof(graze_half_space, normal) == offsetof(HalfSpace, normal));
static_assert(sizeof(graze_half_space::normal) == sizeof(HalfSpace::normal));
static_assert(GRAZE_TRIANGLE == static_cast<int>(kind_of<Triangle>));
static_assert(sizeof(graze_triangle) == sizeof(Triangle) && alignof(graze_triangle) == alignof(Triangle));
static_assert(offsetof(graze_triangle, points) == offsetof(Triangle, points));
static_assert(sizeof(graze_triangle::points) == sizeof(Triangle::points));
static_assert(GRAZE_POLYGON == static_cast<int>(kind_of<Polygon>));
static_assert(GRAZE_SPHERE == static_cast<int>(kind_of<Sphere>));
static_assert(sizeof(graze_sphere) == sizeof(Sphere) && alignof(graze_sphere) == alignof(Sphere));
static_assert(offsetof(graze_sphere, center) == offsetof(Sphere, center));
static_assert(sizeof(graze_sphere::center) == sizeof(Sphere::center));
static_assert(offsetof(graze_sphere, radius) == offsetof(Sphere, radius));
static_assert(sizeof(graze_sphere::radius) == sizeof(Sphere::radius));
static_assert(GRAZE_BOX == static_cast<int>(kind_of<Box>));
static_assert(sizeof(graze_box) == sizeof(Box) && alignof(graze_box) == alignof(Box));
static_assert(offsetof(graze_box, min) == offsetof(Box, min));
static_assert(sizeof(graze_box::min) == sizeof(Box::min));
static_assert(offsetof(graze_box, max) == offsetof(Box, max));
static_assert(sizeof(graze_box::max) == sizeof(Box::max));
static_assert(GRAZE_ORIENTED_BOX == static_cast<int>(kind_of<OrientedBox>));
static_assert(sizeof(graze_oriented_box) == sizeof(OrientedBox) && alignof(graze_oriented_box) == alignof(OrientedBox));
static_assert(offsetof(graze_oriented_box, center) == offsetof(OrientedBox, center));
static_assert(sizeof(graze_oriented_box::center) == sizeof(OrientedBox::center));
static_assert(offsetof(graze_oriented_box, axes) == offsetof(OrientedBox, axes));
static_assert(sizeof(graze_oriented_box::axes) == sizeof(OrientedBox::axes));
static_assert(offsetof(graze_oriented_box, half) == offsetof(OrientedBox, half));
static_assert(sizeof(graze_oriented_box::half) == sizeof(OrientedBox::half));
static_assert(GRAZE_CAPSULE == static_cast<int>(kind_of<Capsule>));
static_assert(sizeof(graze_capsule) == sizeof(Capsule) && alignof(graze_capsule) == alignof(Capsule));
static_assert(offsetof(graze_capsule, a) == offsetof(Capsule, a));
static_assert(sizeof(graze_capsule::a) == sizeof(Capsule::a));
static_assert(offsetof(graze_capsule, b) == offsetof(Capsule, b));
static_assert(sizeof(graze_capsule::b) == sizeof(Capsule::b));
static_assert(offsetof(graze_capsule, radius) == offsetof(Capsule, radius));
static_assert(sizeof(graze_capsule::radius) == sizeof(Capsule::radius));
static_assert(GRAZE_CYLINDER == static_cast<int>(kind_of<Cylinder>));
static_assert(sizeof(graze_cylinder) == sizeof(Cylinder) && alignof(graze_cylinder) == alignof(Cylinder));
static_assert(offsetof(graze_cylinder, a) == offsetof(Cylinder, a));
static_assert(sizeof(graze_cylinder::a) == sizeof(Cylinder::a));
static_assert(offsetof(graze_cylinder, b) == offsetof(Cylinder, b));
static_assert(sizeof(graze_cylinder::b) == sizeof(Cylinder::b));
static_assert(offsetof(graze_cylinder, radius) == offsetof(Cylinder, radius));
static_assert(sizeof(graze_cylinder::radius) == sizeof(Cylinder::radius));
static_assert(GRAZE_CONE == static_cast<int>(kind_of<Cone>));
static_assert(sizeof(graze_cone) == sizeof(Cone) && alignof(graze_cone) == alignof(Cone));
static_assert(offsetof(graze_cone, a) == offsetof(Cone, a));
static_assert(sizeof(graze_cone::a) == sizeof(Cone::a));
static_assert(offsetof(graze_cone, b) == offsetof(Cone, b));
static_assert(sizeof(graze_cone::b) == sizeof(Cone::b));
static_assert(offsetof(graze_cone, radius) == offsetof(Cone, radius));
static_assert(sizeof(graze_cone::radius) == sizeof(Cone::radius));
static_assert(GRAZE_ELLIPSOID == static_cast<int>(kind_of<Ellipsoid>));
static_assert(sizeof(graze_ellipsoid) == sizeof(Ellipsoid) && alignof(graze_ellipsoid) == alignof(Ellipsoid));
static_assert(offsetof(graze_ellipsoid, center) == offsetof(Ellipsoid, center));
static_assert(sizeof(graze_ellipsoid::center) == sizeof(Ellipsoid::center));
static_assert(offsetof(graze_ellipsoid, radii) == offsetof(Ellipsoid, radii));
static_assert(sizeof(graze_ellipsoid::radii) == sizeof(Ellipsoid::radii));
static_assert(GRAZE_HULL == static_cast<int>(kind_of<Hull>));
static_assert(GRAZE_FRUSTUM == static_cast<int>(kind_of<Frustum>));
static_assert(GRAZE_MESH == static_cast<int>(kind_of<Mesh>));
static_assert(GRAZE_SOLID == static_cast<int>(kind_of<Solid>));
static_assert(GRAZE_HEIGHT_FIELD == static_cast<int>(kind_of<HeightField>));
static_assert(GRAZE_WEDGE == static_cast<int>(kind_of<Wedge>));
static_assert(sizeof(graze_wedge) == sizeof(Wedge) && alignof(graze_wedge) == alignof(Wedge));
static_assert(offsetof(graze_wedge, corner) == offsetof(Wedge, corner));
static_assert(sizeof(graze_wedge::corner) == sizeof(Wedge::corner));
static_assert(offsetof(graze_wedge, edges) == offsetof(Wedge, edges));
static_assert(sizeof(graze_wedge::edges) == sizeof(Wedge::edges));
static_assert(GRAZE_TRUNCATED_CONE == static_cast<int>(kind_of<TruncatedCone>));
static_assert(sizeof(graze_truncated_cone) == sizeof(TruncatedCone) && alignof(graze_truncated_cone) == alignof(TruncatedCone));
static_assert(offsetof(graze_truncated_cone, a) == offsetof(TruncatedCone, a));
static_assert(sizeof(graze_truncated_cone::a) == sizeof(TruncatedCone::a));
static_assert(offsetof(graze_truncated_cone, b) == offsetof(TruncatedCone, b));
static_assert(sizeof(graze_truncated_cone::b) == sizeof(TruncatedCone::b));
static_assert(offsetof(graze_truncated_cone, radius_a) == offsetof(TruncatedCone, radius_a));
static_assert(sizeof(graze_truncated_cone::radius_a) == sizeof(TruncatedCone::radius_a));
static_assert(offsetof(graze_truncated_cone, radius_b) == offsetof(TruncatedCone, radius_b));
static_assert(sizeof(graze_truncated_cone::radius_b) == sizeof(TruncatedCone::radius_b));
static_assert(GRAZE_COMPOUND == static_cast<int>(kind_of<Compound>));
// clang-format on

}  // namespace graze
