"""Queries about two shapes: single ones and batches by one function, chosen by the arguments. Also measures, bounds and classification of one shape.

In each function with parameters `a` and `b` these may be
- two shapes, placed or not: one answer;
- a shape and points (3,) or (n, 3): the answers for these points;
- sequences of shapes (lists, or arrays as Sphere.array() makes them), or one sequence and one shape: element i answers a[i] and b[i];
- two shapes and `poses` (see Poses): element i answers a.at(poses[i]) and b.
Element i of a batch is what the single query answers, bit for bit. Batches run on all cores without Python's lock."""
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, VectorLike, describe, direction, doubles, floats, packed, real, rows, shaped, stride, three, vector
from graze._calls import Progress, interruptible, run
from graze._lib import Error, check, ffi, last_error, lib, pointer, take, text
from graze._shape import REF, Placed, PlainShape, Shape, ShapeArray, Target, expect, ref_of
from graze.pose import Poses, poses_of
from graze.results import Closest, ClosestArray, ContactArray, Manifold, Penetration
from graze.shapes import Box, Plane, Sphere, Triangle
from graze.solids import Frustum

Bools = NDArray[np.bool_]
Points = Union[ArrayLike, Sequence[Target]]
Operand = Union[Target, Points]

POINTS, PLAIN = 50000, 100000  # points, and pairs of plain shapes, from which a batch may take long
LONG = 20000  # triangles from which one question may take long
FEW = 16  # pairs and poses from which a batch of large shapes may take long: each may take milliseconds
POSES = 256  # the same of others
_new_int = ffi.typeof("int *")
_new = ffi.new
_intersects, _within, _contains, _closest = lib.graze_intersects, lib.graze_within, lib.graze_contains, lib.graze_closest


# ---- operands ----------------------------------------------------------------------------------------------------------------------------


def is_shapes(value: Any) -> bool:
    """Whether the operand is a sequence of shapes, not of numbers."""
    return isinstance(value, ShapeArray) or isinstance(value, (list, tuple)) and len(value) > 0 and isinstance(value[0], Target)


def refs_of(name: str, value: Any, count: Optional[int] = None) -> NDArray[Any]:
    """References to all shapes of a sequence, or `count` times to one shape."""
    if isinstance(value, ShapeArray):
        return value._refs()
    if isinstance(value, Target):
        one = np.frombuffer(ffi.buffer(value._ref), dtype=REF)
        return np.repeat(one, 1 if count is None else count)
    out = ffi.new("graze_ref[]", len(value))
    for i, shape in enumerate(value):
        if not isinstance(shape, Target):
            raise TypeError("%s[%d] is %s, must be a shape" % (name, i, describe(shape)))
        out[i] = shape._ref[0]
    return np.frombuffer(ffi.buffer(out), dtype=REF) if len(value) else np.empty(0, REF)


def _pairs_of(a: Any, b: Any) -> Tuple[NDArray[Any], NDArray[Any]]:
    """References to the shapes of both operands, of equal length."""
    n = [len(x) if is_shapes(x) else None for x in (a, b)]
    for name, x, k in (("a", a, n[0]), ("b", b, n[1])):
        if k is None:
            ref_of(name, x)
    if n[0] is not None and n[1] is not None and n[0] != n[1]:
        raise Error("a has %d shapes and b has %d, must have the same number" % (n[0], n[1]))
    count = n[0] if n[0] is not None else n[1]
    return refs_of("a", a, count), refs_of("b", b, count)


def _refs(array: NDArray[Any]) -> Any:
    return ffi.cast("graze_ref *", array.ctypes.data)


def _bools(n: int) -> Bools:
    return np.empty(n, np.bool_)


def _bytes(out: Bools) -> Any:
    return ffi.cast("uint8_t *", out.ctypes.data)


def _points(name: str, value: Any) -> Tuple[Floats, bool]:
    """Points (n, 3) of an operand that is no shape, and whether it was one point (3,)."""
    array = floats(name, value)
    if array.size == 0 and array.ndim == 1:
        return array.reshape(0, 3), False
    if array.ndim == 1:
        return vector(name, array).reshape(1, 3), True
    return rows(name, array, 3), False


def _split(a: Any, b: Any) -> Tuple[Any, Any, bool]:
    """(points, shape, whether the shape came first) of two operands, one of which is a shape."""
    if isinstance(a, Target):
        return b, a, True
    if isinstance(b, Target):
        return a, b, False
    raise TypeError("a is %s and b is %s, one of them must be a shape" % (describe(a), describe(b)))


def _first(points: Floats) -> Any:
    return ffi.cast("double *", points.ctypes.data)


def _at_poses(a: Any, b: Any, poses: Any) -> Poses:
    if isinstance(a, Placed):
        raise Error("a is placed already, must be without a pose where poses are given; compose them")
    ref_of("a", a), ref_of("b", b)
    return poses_of(poses)


def _pose(poses: Poses) -> Any:
    return ffi.cast("graze_pose *", poses._array.ctypes.data)


def _is_long(operand: Any) -> bool:
    """Whether one of the shapes has many triangles."""
    if isinstance(operand, Target):
        return operand._long
    return not isinstance(operand, ShapeArray) and any(isinstance(shape, Target) and shape._long for shape in operand)


def _long(count: int, a: Any, b: Any) -> bool:
    """Whether so many questions about two operands may take a tenth of a second."""
    if count <= FEW:
        return False
    if count > POSES:
        return count > PLAIN or not all(isinstance(x, (ShapeArray, PlainShape)) for x in (a, b))
    return _is_long(a) and _is_long(b)


# ---- yes or no ---------------------------------------------------------------------------------------------------------------------------


@overload
def intersects(a: Target, b: Target) -> bool:
    ...


@overload
def intersects(a: Operand, b: Operand, *, poses: Any = None) -> Any:
    ...


def intersects(a: Any, b: Any, *, poses: Any = None) -> Any:
    """Whether the closed sets share a point. Touching counts. Exact; with a curved shape within the bound of docs/accuracy.md.

    Returns bool, or an array of bools (n,) for a batch; see the top of this module for what `a` and `b` may be.
    """
    if poses is None:
        try:
            out = _new(_new_int)
            if a._long and b._long:
                interruptible(lambda: _intersects(a._ref, b._ref, out))
                return bool(out[0])
            status = _intersects(a._ref, b._ref, out)
        except (AttributeError, TypeError):
            return _intersects_batch(a, b)
        if status:
            raise last_error(status)
        return bool(out[0])
    many = _at_poses(a, b, poses)
    result = _bools(len(many))
    interruptible(lambda: lib.graze_intersects_poses(a._ref, _pose(many), len(many), 0, b._ref, _bytes(result)), long=_long(len(many), a, b))
    return result


def _intersects_batch(a: Any, b: Any) -> Any:
    if isinstance(a, ShapeArray) and isinstance(b, ShapeArray):
        if len(a) != len(b):
            raise Error("a has %d shapes and b has %d, must have the same number" % (len(a), len(b)))
        result = _bools(len(a))
        da, db = a._data, b._data
        pa, pb = (ffi.cast("void *", d.ctypes.data) for d in (da, db))
        interruptible(lambda: lib.graze_intersects_arrays(a.type._KIND, pa, b.type._KIND, pb, len(a), _bytes(result)), long=len(a) > PLAIN)
        return result
    if is_shapes(a) or is_shapes(b):
        ra, rb = _pairs_of(a, b)
        result = _bools(len(ra))
        interruptible(lambda: lib.graze_intersects_pairs(_refs(ra), 0, _refs(rb), 0, len(ra), _bytes(result)), long=_long(len(ra), a, b))
        return result
    points, shape, _ = _split(a, b)
    return contains(shape, points)


@overload
def within(a: Target, b: Target, distance: float) -> bool:
    ...


@overload
def within(a: Operand, b: Operand, distance: float, *, poses: Any = None) -> Any:
    ...


def within(a: Any, b: Any, distance: float, *, poses: Any = None) -> Any:
    """Whether the distance is at most `distance` (length, finite, >= 0). The true distance is compared, not a rounded one.

    Returns bool, or an array of bools (n,) for a batch; see the top of this module for what `a` and `b` may be.
    """
    d = real("distance", distance)
    if poses is not None:
        many = _at_poses(a, b, poses)
        result = _bools(len(many))
        interruptible(lambda: lib.graze_within_poses(a._ref, _pose(many), len(many), 0, b._ref, d, _bytes(result)), long=_long(len(many), a, b))
        return result
    if isinstance(a, Target) and isinstance(b, Target):
        out = _new(_new_int)
        if a._long and b._long:
            interruptible(lambda: _within(a._ref, b._ref, d, out))
        else:
            check(_within(a._ref, b._ref, d, out))
        return bool(out[0])
    if is_shapes(a) or is_shapes(b):
        ra, rb = _pairs_of(a, b)
        result = _bools(len(ra))
        interruptible(lambda: lib.graze_within_pairs(_refs(ra), 0, _refs(rb), 0, len(ra), d, _bytes(result)), long=_long(len(ra), a, b))
        return result
    points, shape, _ = _split(a, b)
    p, single = _points("points", points)
    result = _bools(len(p))
    interruptible(lambda: lib.graze_within_batch(_first(p), len(p), stride(p), shape._ref, d, _bytes(result)), long=len(p) > POINTS)
    return bool(result[0]) if single else result


def contains(solid: Target, points: ArrayLike) -> Any:
    """Whether a shape contains a point (3,), or each of points (n, 3): the same as intersects() with a Point. Returns bool or an array of bools (n,)."""
    target = ref_of("solid", solid)
    p, single = _points("points", points)
    if single:
        out = _new(_new_int)
        check(_contains(target, three(p), out))
        return bool(out[0])
    result = _bools(len(p))
    interruptible(lambda: lib.graze_contains_batch(target, _first(p), len(p), stride(p), _bytes(result)), long=len(p) > POINTS)
    return result


# ---- distances ---------------------------------------------------------------------------------------------------------------------------


@overload
def closest(a: Target, b: Target) -> Closest:
    ...


@overload
def closest(a: Operand, b: Operand, *, poses: Any = None) -> Any:
    ...


def closest(a: Any, b: Any, *, poses: Any = None) -> Any:
    """The distance of two shapes, with a relative error of at most 1e-15 or one denormal, and a pair of closest points.

    Returns Closest, or ClosestArray for a batch; see the top of this module for what `a` and `b` may be. In closest(mesh, points) A is the mesh: on_a lies on
    it, and triangle_a is its triangle.
    """
    if poses is not None:
        many = _at_poses(a, b, poses)
        result: ClosestArray = ClosestArray._room(len(many))
        interruptible(lambda: lib.graze_closest_poses(a._ref, _pose(many), len(many), 0, b._ref, result._address(0)), long=_long(len(many), a, b))
        return result
    if isinstance(a, Target) and isinstance(b, Target):
        out = ffi.new("graze_closest_points *")
        if a._long and b._long:
            interruptible(lambda: _closest(a._ref, b._ref, out))
        else:
            check(_closest(a._ref, b._ref, out))
        return Closest(out)
    if isinstance(a, ShapeArray) and isinstance(b, ShapeArray) and len(a) == len(b):
        result = ClosestArray._room(len(a))
        pa, pb = (ffi.cast("void *", d.ctypes.data) for d in (a._data, b._data))
        interruptible(lambda: lib.graze_closest_arrays(a.type._KIND, pa, b.type._KIND, pb, len(a), result._address(0)), long=len(a) > PLAIN)
        return result
    if is_shapes(a) or is_shapes(b):
        ra, rb = _pairs_of(a, b)
        result = ClosestArray._room(len(ra))
        interruptible(lambda: lib.graze_closest_pairs(_refs(ra), 0, _refs(rb), 0, len(ra), result._address(0)), long=_long(len(ra), a, b))
        return result
    points, shape, shape_first = _split(a, b)
    p, single = _points("points", points)
    if single:
        out, point = ffi.new("graze_closest_points *"), ffi.new("graze_ref *", (lib.GRAZE_POINT, three(p), ffi.NULL))
        check(_closest(shape._ref, point, out) if shape_first else _closest(point, shape._ref, out))
        return Closest(out)
    result = ClosestArray(np.empty(len(p), ClosestArray._room(0)._data.dtype), shape_first)
    interruptible(lambda: lib.graze_closest_batch(_first(p), len(p), stride(p), shape._ref, result._address(0)), long=len(p) > POINTS)
    return result


def signed_distance(solid: Target, points: ArrayLike) -> Any:
    """The distance of a point (3,), or of points (n, 3), from the boundary of a solid: negative inside; the sign is exact. Returns float or an array (n,).

    Raises Error (unsupported_shape) for meshes and height fields, which have no inside: use solid(mesh). Inside a Compound it is minus the greatest depth in
    one of the children.
    """
    target = ref_of("solid", solid)
    p, single = _points("points", points)
    result = np.empty(len(p))
    out = ffi.cast("double *", result.ctypes.data)
    interruptible(lambda: lib.graze_signed_distance_batch(_first(p), len(p), stride(p), target, out), long=len(p) > POINTS)
    return float(result[0]) if single else result


# ---- how two shapes lie ------------------------------------------------------------------------------------------------------------------

RELATIONS = ("disjoint", "touching", "overlapping", "a_in_b", "b_in_a", "identical")


@overload
def relation(a: Target, b: Target, *, progress: Optional[Progress] = None) -> str:
    ...


@overload
def relation(a: Operand, b: Operand, *, progress: Optional[Progress] = None) -> Any:
    ...


def relation(a: Any, b: Any, *, progress: Optional[Progress] = None) -> Any:
    """How A lies to B: "disjoint", "touching", "overlapping", "a_in_b", "b_in_a" or "identical". Exact.

    For sequences of shapes (or one and a shape) an array of these words. Raises Error (unsupported_shape) for the few pairs that the C++ documentation of
    relation() lists; of a batch that of the lowest pair. `progress` receives the fraction that is done, of a single pair.
    """
    if isinstance(a, Target) and isinstance(b, Target):
        out = ffi.new("graze_relation_kind *")
        size = sum(len(s) for s in (getattr(t, "shape", t) for t in (a, b)) if hasattr(s, "__len__"))
        run(progress, lambda f, user: int(lib.graze_relation(a._ref, b._ref, f, user, out)), long=size > LONG)
        return RELATIONS[int(out[0])]
    if not (is_shapes(a) or is_shapes(b)):
        _ = ref_of("a", a), ref_of("b", b)
    ra, rb = _pairs_of(a, b)
    kinds = np.zeros(len(ra), np.int32)
    out = ffi.cast("graze_relation_kind *", kinds.ctypes.data)
    interruptible(lambda: lib.graze_relation_pairs(_refs(ra), 0, _refs(rb), 0, len(ra), out), long=len(ra) > FEW)
    return np.array(RELATIONS)[kinds]


def penetration(a: Target, b: Target) -> Penetration:
    """A translation that separates two shapes, or the reason why there is none: of convex shapes the least up to a factor of 1 + 1e-9 (1 + 1e-3 for curved
    ones); of meshes, solids and compounds one that need not be the shortest, verified exactly."""
    out = ffi.new("graze_penetration_result *")
    ra, rb = ref_of("a", a), ref_of("b", b)
    interruptible(lambda: lib.graze_penetration(ra, rb, out), long=a._long and b._long)
    return Penetration(out)


def contacts(a: Target, b: Target) -> ContactArray:
    """The contacts of two shapes: one for a convex pair that intersects, and with a mesh one for each touching triangle. Empty exactly when they do not
    intersect."""
    out, count = ffi.new("graze_contact **"), ffi.new("size_t *")
    ra, rb = ref_of("a", a), ref_of("b", b)
    interruptible(lambda: lib.graze_contacts(ra, rb, out, count), long=a._long and b._long)
    return ContactArray(take(out[0], count[0], ContactArray._room(0)._data.dtype))


def manifold(a: Target, b: Target, *, all_points: bool = False) -> List[Manifold]:
    """The points where two shapes meet, for solvers of contact forces: a Manifold for each pair of convex parts or triangles that touch, of at most four points
    unless `all_points`."""
    out, count = ffi.new("graze_contact_manifold **"), ffi.new("size_t *")
    ra, rb, every = ref_of("a", a), ref_of("b", b), int(bool(all_points))
    interruptible(lambda: lib.graze_manifold(ra, rb, every, out, count), long=a._long and b._long)
    try:
        return [Manifold(out[0][i]) for i in range(count[0])]
    finally:
        lib.graze_free(out[0])


class Classification(NamedTuple):
    """The side of a plane on which a shape lies."""

    side: str  #: "behind", "intersects" or "front"
    distance: float  #: signed, positive on the side of the normal: of a Sphere's centre, else of the nearest point


SIDES, VISIBILITY = ("behind", "intersects", "front"), ("outside", "crossing", "inside")


def classify(shape: Target, by: Union[Plane, Frustum]) -> Any:
    """The side of a Plane on which a shape lies (Classification), or whether it is "outside", "crossing" or "inside" a Frustum."""
    ref = ref_of("shape", shape)
    if isinstance(by, Plane):
        out = ffi.new("graze_classification *")
        check(lib.graze_classify_plane(ref, ffi.cast("graze_plane *", by._ref.shape), out))
        return Classification(SIDES[int(out.side)], out.distance)
    expect("by", by, Plane, Frustum)
    seen = ffi.new("graze_visibility *")
    check(lib.graze_classify_frustum(ref, by._handle, seen))
    return VISIBILITY[int(seen[0])]


# ---- one shape ---------------------------------------------------------------------------------------------------------------------------


def bounding_box(shape: Target) -> Box:
    """The smallest box of doubles that contains the shape; infinite for unbounded shapes, and with min > max for an empty mesh."""
    out = np.empty(6)
    check(lib.graze_bounding_box(ref_of("shape", shape), pointer("graze_box *", out)))
    return Box._of(out)


def bounding_sphere(shape: Target) -> Sphere:
    """A sphere that contains the shape. Raises Error for an empty or unbounded one."""
    out = np.empty(4)
    check(lib.graze_bounding_sphere(ref_of("shape", shape), pointer("graze_sphere *", out)))
    return Sphere._of(out)


def minimal_sphere(points: ArrayLike) -> Sphere:
    """The minimal enclosing sphere of points (n, 3)."""
    p, out = rows("points", points, 3), np.empty(4)
    to = pointer("graze_sphere *", out)
    interruptible(lambda: lib.graze_minimal_sphere(doubles(p), len(p), stride(p), to), long=len(p) > POINTS)
    return Sphere._of(out)


def _measure(call: Any, shape: Any) -> float:
    out, ref = ffi.new("double *"), ref_of("shape", shape)
    interruptible(lambda: call(ref, out), long=shape._long)
    return float(out[0])


def volume(solid: Target) -> float:
    """The double nearest to the exact volume (length^3) of a solid, box, oriented box, hull or frustum. Raises Error for other kinds, and for a solid whose
    surface meets itself."""
    return _measure(lib.graze_volume, solid)


def signed_volume(solid: Target) -> float:
    """The integral of the winding number over space (length^3) of a solid: the volume where the surface does not meet itself. O(n)."""
    return _measure(lib.graze_signed_volume, solid)


def area(shape: Target) -> float:
    """The area (length^2), with a relative error below 2^-52: of triangles, polygons, meshes, height fields and solids the sum over all triangles; of boxes,
    hulls and frusta that of the surface."""
    return _measure(lib.graze_area, shape)


def centroid(shape: Target) -> Optional[Floats]:
    """The centroid (3,) of the volume, or of the area of a surface. None if that is exactly 0."""
    out, has = np.empty(3), ffi.new("int *")
    check(lib.graze_centroid(ref_of("shape", shape), doubles(out), has))
    return out if has[0] else None


def plane_of(triangle: Triangle) -> Optional[Plane]:
    """The plane of a triangle, or None for one without area, which is decided exactly."""
    expect("triangle", triangle, Triangle)
    out, has = np.empty(6), ffi.new("int *")
    check(lib.graze_plane_of(ffi.cast("graze_triangle *", triangle._ref.shape), pointer("graze_plane *", out), has))
    return Plane._of(out) if has[0] else None


def plane_equation(plane: Plane) -> Floats:
    """The equation a x + b y + c z + d = 0 of a plane, (4,): a b c is exactly its normal, d is rounded once to the nearest double. Where d would overflow, all
    four are divided by one power of two."""
    expect("plane", plane, Plane)
    out = np.empty(4)
    check(lib.graze_plane_equation(ffi.cast("graze_plane *", plane._ref.shape), doubles(out)))
    return out


def plane_from_equation(equation: ArrayLike) -> Plane:
    """The plane of an equation a x + b y + c z + d = 0, given as (4,): the normal is exactly a b c, and the point lies on the axis of its largest component n,
    at -d / n rounded once. Raises Error for a = b = c = 0, NaN and infinity, and a point beyond the largest double."""
    e, out = packed(shaped("equation", equation, (4,))), np.empty(6)
    check(lib.graze_plane_from_equation(doubles(e), pointer("graze_plane *", out)))
    return Plane._of(out)


def unit_normal(triangle: Triangle, viewpoint: VectorLike) -> Optional[Floats]:
    """The unit normal (3,) of a triangle on the side of the viewpoint, or None for a triangle without area."""
    expect("triangle", triangle, Triangle)
    v, out, has = vector("viewpoint", viewpoint), np.empty(3), ffi.new("int *")
    check(lib.graze_unit_normal(ffi.cast("graze_triangle *", triangle._ref.shape), doubles(v), doubles(out), has))
    return out if has[0] else None


def reflect(v: VectorLike, normal: VectorLike) -> Floats:
    """v (3,) mirrored at a plane with that normal, of any non-zero length. Never longer than v."""
    given, n, out = vector("v", v), direction("normal", normal), np.empty(3)
    check(lib.graze_reflect(doubles(given), doubles(n), doubles(out)))
    return out


def guarantee(query: str, a: Shape, b: Optional[Shape] = None) -> str:
    """What a query ("closest", "raycast", ...) guarantees for two shapes, or for one: "refused", "exact", "certified", "bounded" or "of_children"."""
    from graze._shape import kind_of

    if not isinstance(query, str):
        raise TypeError("query is %s, must be a str" % describe(query))
    expect("a", a, Shape)
    other = a if b is None else b
    expect("b", other, Shape)
    out = ffi.new("graze_guarantee_kind *")
    check(lib.graze_guarantee(query.encode(), kind_of(a), kind_of(other), out))
    return text(lib.graze_guarantee_name(out[0]))
