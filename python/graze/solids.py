"""Shapes of any number of points: hulls, polygons, frusta, and compounds of placed shapes."""
from typing import Dict, Type, Any, Iterable, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, VectorLike, choice, describe, direction, doubles, number, rows, stride, vector
from graze._calls import Progress, run
from graze._lib import Error, check, ffi, lib, pointer
from graze._shape import HandleShape, Placed, Shape, Target
from graze.pose import Pose
from graze.shapes import BY_KIND, Plane


class Hull(HandleShape):
    """The solid convex hull of one or more points (n, 3) in any arrangement; it may be a point, a segment or flat. Exact: the corners are precisely the
    extreme points. Raises Error for no points, and for NaN or infinity."""

    __slots__ = ()

    def __init__(self, points: ArrayLike, progress: Optional[Progress] = None) -> None:
        p, out = rows("points", points, 3), ffi.new("graze_shape **")
        run(progress, lambda f, user: int(lib.graze_hull_create(doubles(p), len(p), stride(p), f, user, out)), long=len(p) > 50000)
        self._hold(out[0])

    @property
    def points(self) -> Floats:
        """All points as given, (n, 3), read-only."""
        return self._list(lib.graze_shape_points, "double const", np.float64, 3)

    @property
    def corners(self) -> NDArray[np.uint32]:
        """The extreme points as indices into `points`, ascending; of equal points the first."""
        return self._list(lib.graze_hull_corners, "uint32_t const", np.uint32, 1)

    @property
    def triangles(self) -> NDArray[np.uint32]:
        """The triangles of the boundary (m, 3) as indices into `points`, counter-clockwise seen from outside."""
        return self._list(lib.graze_hull_triangles, "uint32_t const", np.uint32, 3)

    @property
    def dimension(self) -> int:
        """0 for a point, 1 for a segment, 2 for a flat hull, 3 for a hull with volume."""
        out = ffi.new("int *")
        check(lib.graze_hull_dimension(self._handle, out))
        return int(out[0])

    def __reduce__(self) -> Any:
        return type(self), (self.points.copy(),)

    def __repr__(self) -> str:
        return "Hull(%d points)" % len(self.points)


class Polygon(HandleShape):
    """A convex polygon of 3 or more corners (n, 3): the union of the triangles (p0, p1, p2), (p0, p2, p3), ... Raises Error, naming the corner, for a concave
    or self-crossing outline; triangulate() cuts those."""

    __slots__ = ()

    def __init__(self, points: ArrayLike) -> None:
        p, out = rows("points", points, 3), ffi.new("graze_shape **")
        check(lib.graze_polygon_create(doubles(p), len(p), stride(p), out))
        self._hold(out[0])

    @property
    def points(self) -> Floats:
        """The corners, (n, 3), read-only."""
        return self._list(lib.graze_shape_points, "double const", np.float64, 3)

    def __reduce__(self) -> Any:
        return Polygon, (self.points.copy(),)

    def __repr__(self) -> str:
        return "Polygon(%s)" % self.points.tolist()


FRUSTUM_PLANES = ("near", "far", "left", "right", "bottom", "top")


class Frustum(HandleShape):
    """A view frustum, the convex hull of eight corners (8, 3): the near face with (left,bottom) (right,bottom) (right,top) (left,top), then the far face in the
    same order."""

    __slots__ = ()

    def __init__(self, points: ArrayLike) -> None:
        p, out = rows("points", points, 3), ffi.new("graze_shape **")
        check(lib.graze_frustum_create(doubles(p), len(p), stride(p), out))
        self._hold(out[0])

    @classmethod
    def perspective(cls, eye: VectorLike, target: VectorLike, up: VectorLike, tan_half_height: float, aspect: float, near: float, far: float) -> "Frustum":
        """The frustum of a symmetric perspective view from `eye` towards `target`, by the tangent of half the vertical angle and width / height. `near` and
        `far` are distances, 0 < near < far."""
        vectors = [vector("eye", eye), vector("target", target), direction("up", up)]
        numbers = [number(n, v) for n, v in (("tan_half_height", tan_half_height), ("aspect", aspect), ("near", near), ("far", far))]
        return cls._made(lambda out: lib.graze_frustum_perspective(*(doubles(v) for v in vectors), *numbers, out))

    @property
    def points(self) -> Floats:
        """The eight corners, read-only."""
        return self._list(lib.graze_shape_points, "double const", np.float64, 3)

    def plane(self, which: str) -> Plane:
        """A plane by its name: near, far, left, right, bottom or top. The normal points outwards."""
        out = np.empty(6)
        check(lib.graze_frustum_plane(self._handle, choice("which", which, FRUSTUM_PLANES), pointer("graze_plane *", out)))
        return Plane._of(out)

    def __reduce__(self) -> Any:
        return Frustum, (self.points.copy(),)

    def __repr__(self) -> str:
        return "Frustum(%s)" % self.points.tolist()


Child = Union[Shape, Placed, Tuple[Shape, Pose]]


class Compound(HandleShape):
    """The union of placed shapes, used as one: Compound([box, ball.at(pose), ...]). A child may not be a compound."""

    __slots__ = ("_children",)
    _children: Tuple[Target, ...]

    def __init__(self, children: Iterable[Child]) -> None:
        targets: List[Target] = []
        for i, child in enumerate(children):
            if isinstance(child, tuple) and len(child) == 2 and isinstance(child[0], Shape) and isinstance(child[1], Pose):
                child = child[0].at(child[1])
            if not isinstance(child, Target):
                raise TypeError("children[%d] is %s, must be a shape, placed or not" % (i, describe(child)))
            targets.append(child)
        refs = ffi.new("graze_ref[]", [t._ref[0] for t in targets])
        out = ffi.new("graze_shape **")
        check(lib.graze_compound_create(refs, len(targets), out))
        self._hold(out[0])
        self._children = tuple(targets)

    @property
    def _long(self) -> bool:
        return any(child._long for child in self._children)

    @property
    def children(self) -> Tuple[Target, ...]:
        """The children as given."""
        return self._children

    def __reduce__(self) -> Any:
        return Compound, (list(self._children),)

    def __repr__(self) -> str:
        return "Compound(%s)" % list(self._children)


def wrap(handle: Any) -> Shape:
    """The Python object of a shape that the library returned, whose reference it takes."""
    from graze.mesh import HeightField, Mesh, Solid

    held = ffi.gc(handle, lib.graze_shape_release)
    out = ffi.new("graze_kind *")
    check(lib.graze_shape_kind(handle, out))
    kind = int(out[0])
    if kind in BY_KIND:
        plain, address = BY_KIND[kind], ffi.new("void const **")
        check(lib.graze_shape_plain(handle, kind, address))
        return plain._of(np.frombuffer(ffi.buffer(address[0], plain._size() * 8), dtype=np.float64).copy())
    names: Dict[int, Type[HandleShape]] = {
        lib.GRAZE_POLYGON: Polygon,
        lib.GRAZE_HULL: Hull,
        lib.GRAZE_FRUSTUM: Frustum,
        lib.GRAZE_MESH: Mesh,
        lib.GRAZE_SOLID: Solid,
        lib.GRAZE_HEIGHT_FIELD: HeightField,
        lib.GRAZE_COMPOUND: Compound,
    }
    if kind not in names:
        raise Error("a shape of kind %d, which this version of the package does not know" % kind, "internal")
    shape: Any = names[kind].__new__(names[kind])
    shape._keep(held)
    if kind == lib.GRAZE_COMPOUND:
        count, targets = ffi.new("size_t *"), []
        check(lib.graze_compound_count(handle, count))
        for i in range(count[0]):
            child, pose = ffi.new("graze_shape **"), np.empty(12)
            check(lib.graze_compound_child(handle, i, child, pointer("graze_pose *", pose)))
            inner, placed = wrap(child[0]), Pose._of(pose)
            targets.append(inner if placed == Pose() else inner.at(placed))
        shape._children = tuple(targets)
    return shape  # type: ignore
