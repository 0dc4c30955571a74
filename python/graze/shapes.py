"""The simple shapes, whose fields are a few numbers. Vectors are any three numbers; lengths have one unit, which the caller chooses.

All shapes are closed sets: touching is intersecting. NaN, infinity, zero directions and normals, negative radii and half sizes, and min > max are refused with
graze.Error, which names the field and the value."""
from typing import Dict, Tuple, Type

import numpy as np

from graze._arrays import Floats, VectorLike, choice, doubles, vector
from graze._lib import check, lib, pointer
from graze._shape import NumberField, PlainShape, VectorField, VectorsField


class Point(PlainShape):
    """The set of one point."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_POINT, "graze_point", ("point",)
    point = VectorField(0)

    def __init__(self, point: VectorLike) -> None:
        self._set(point)


class Segment(PlainShape):
    """All points between `a` and `b`, inclusive; a point when they are equal. In ray casts t is 0 at `a` and 1 at `b`."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_SEGMENT, "graze_segment", ("a", "b")
    a, b = VectorField(0), VectorField(3)

    def __init__(self, a: VectorLike, b: VectorLike) -> None:
        self._set(a, b)


class Ray(PlainShape):
    """All points origin + t * direction with t >= 0. The direction has any non-zero length; t counts in lengths of it."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_RAY, "graze_ray", ("origin", "direction")
    origin, direction = VectorField(0), VectorField(3)

    def __init__(self, origin: VectorLike, direction: VectorLike) -> None:
        self._set(origin, direction)


class Line(PlainShape):
    """All points origin + t * direction with real t. The direction has any non-zero length."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_LINE, "graze_line", ("origin", "direction")
    origin, direction = VectorField(0), VectorField(3)

    def __init__(self, origin: VectorLike, direction: VectorLike) -> None:
        self._set(origin, direction)


class Plane(PlainShape):
    """All x with dot(normal, x - point) = 0. The normal has any non-zero length and points to the front."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_PLANE, "graze_plane", ("point", "normal")
    point, normal = VectorField(0), VectorField(3)

    def __init__(self, point: VectorLike, normal: VectorLike) -> None:
        self._set(point, normal)


class HalfSpace(PlainShape):
    """All x with dot(normal, x - point) <= 0. Solid; the normal has any non-zero length and points outwards."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_HALF_SPACE, "graze_half_space", ("point", "normal")
    point, normal = VectorField(0), VectorField(3)

    def __init__(self, point: VectorLike, normal: VectorLike) -> None:
        self._set(point, normal)


class Triangle(PlainShape):
    """The convex hull of three points, (3, 3), counter-clockwise seen from the front. Without area it is the segment or point to which it collapses."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_TRIANGLE, "graze_triangle", ("points",)
    points = VectorsField(0)

    def __init__(self, points: object) -> None:
        self._set(points)


class Sphere(PlainShape):
    """All points at most `radius` from `center`. Radius 0 gives the point."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_SPHERE, "graze_sphere", ("center", "radius")
    center, radius = VectorField(0), NumberField(3)

    def __init__(self, center: VectorLike, radius: float) -> None:
        self._set(center, radius)


class Box(PlainShape):
    """All x with min <= x <= max in every coordinate: a solid, axis-aligned box."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_BOX, "graze_box", ("min", "max")
    min, max = VectorField(0), VectorField(3)

    def __init__(self, min: VectorLike, max: VectorLike) -> None:
        self._set(min, max)

    @classmethod
    def from_center(cls, center: VectorLike, half: VectorLike) -> "Box":
        """The box with that centre and half size per axis, rounded outward so that it contains the exact one."""
        c, h, out = vector("center", center), vector("half", half), np.empty(6)
        check(lib.graze_box_from_center(doubles(c), doubles(h), pointer("graze_box *", out)))
        return cls._of(out)

    @classmethod
    def from_corner(cls, corner: VectorLike, size: VectorLike) -> "Box":
        """The box with that lowest corner and size per axis; `max` is rounded outward."""
        c, s, out = vector("corner", corner), vector("size", size), np.empty(6)
        check(lib.graze_box_from_corner(doubles(c), doubles(s), pointer("graze_box *", out)))
        return cls._of(out)

    def corner(self, name: str) -> Floats:
        """A corner by its name: A min,min,min, B min,max,min, C max,max,min, D max,min,min; E to H the same with max in z."""
        i, out = choice("name", name, tuple("ABCDEFGH")), np.empty(3)
        check(lib.graze_box_corner(self._ref.shape, i, doubles(out)))
        return out

    @property
    def center(self) -> Floats:
        """The middle of the diagonal, each coordinate correctly rounded."""
        out = np.empty(3)
        check(lib.graze_box_center(self._ref.shape, doubles(out)))
        return out


class OrientedBox(PlainShape):
    """All center + sum t_i axes_i with |t_i| <= half_i: a solid box or parallelepiped. The axes, the rows of (3, 3), are taken literally: they may have any
    length and any angle, be zero or be dependent. `half` is in multiples of their lengths."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_ORIENTED_BOX, "graze_oriented_box", ("center", "axes", "half")
    center, axes, half = VectorField(0), VectorsField(3), VectorField(12)

    def __init__(self, center: VectorLike, axes: object, half: VectorLike) -> None:
        self._set(center, axes, half)


class Capsule(PlainShape):
    """All points at most `radius` from the segment a b. Radius 0 gives the segment, a = b the ball."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_CAPSULE, "graze_capsule", ("a", "b", "radius")
    a, b, radius = VectorField(0), VectorField(3), NumberField(6)

    def __init__(self, a: VectorLike, b: VectorLike, radius: float) -> None:
        self._set(a, b, radius)


class Cylinder(PlainShape):
    """A solid cylinder about the segment a b with flat ends. With a = b it is a point and requires radius 0. Decided within the bound of docs/accuracy.md."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_CYLINDER, "graze_cylinder", ("a", "b", "radius")
    a, b, radius = VectorField(0), VectorField(3), NumberField(6)

    def __init__(self, a: VectorLike, b: VectorLike, radius: float) -> None:
        self._set(a, b, radius)


class Cone(PlainShape):
    """The convex hull of the tip `b` and the disc of that radius about `a`. With a = b it is a point and requires radius 0. Decided within the bound of
    docs/accuracy.md."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_CONE, "graze_cone", ("a", "b", "radius")
    a, b, radius = VectorField(0), VectorField(3), NumberField(6)

    def __init__(self, a: VectorLike, b: VectorLike, radius: float) -> None:
        self._set(a, b, radius)


class TruncatedCone(PlainShape):
    """The convex hull of the discs of those radii about `a` and `b`. With a = b it is a point and requires radii 0. Decided within the bound of
    docs/accuracy.md."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_TRUNCATED_CONE, "graze_truncated_cone", ("a", "b", "radius_a", "radius_b")
    a, b, radius_a, radius_b = VectorField(0), VectorField(3), NumberField(6), NumberField(7)

    def __init__(self, a: VectorLike, b: VectorLike, radius_a: float, radius_b: float) -> None:
        self._set(a, b, radius_a, radius_b)


class Ellipsoid(PlainShape):
    """All points with sum ((x_i - center_i) / radii_i)^2 <= 1; a zero radius flattens it. Its axes are those of the frame; a pose rotates it. Decided within
    the bound of docs/accuracy.md."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_ELLIPSOID, "graze_ellipsoid", ("center", "radii")
    center, radii = VectorField(0), VectorField(3)

    def __init__(self, center: VectorLike, radii: VectorLike) -> None:
        self._set(center, radii)


class Wedge(PlainShape):
    """All corner + r edges_0 + s edges_1 + t edges_2 with r, s >= 0, r + s <= 1 and 0 <= t <= 1: a solid triangular prism. The edges, the rows of (3, 3), are
    taken literally, as the axes of an OrientedBox."""

    __slots__ = ()
    _KIND, _STRUCT, _FIELDS = lib.GRAZE_WEDGE, "graze_wedge", ("corner", "edges")
    corner, edges = VectorField(0), VectorsField(3)

    def __init__(self, corner: VectorLike, edges: object) -> None:
        self._set(corner, edges)


PLAIN: Tuple[Type[PlainShape], ...] = (
    Point,
    Segment,
    Ray,
    Line,
    Plane,
    HalfSpace,
    Triangle,
    Sphere,
    Box,
    OrientedBox,
    Capsule,
    Cylinder,
    Cone,
    Ellipsoid,
    Wedge,
    TruncatedCone,
)
BY_KIND: Dict[int, Type[PlainShape]] = {kind._KIND: kind for kind in PLAIN}
