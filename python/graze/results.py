"""What queries return. Results of batches hold one array for each member (a view of the memory that the library filled) and give single results by index."""
from typing import Any, Generic, Iterator, Optional, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from graze._arrays import Floats
from graze._lib import dtype_of, ffi, pointer
from graze.pose import Pose, Poses

R = TypeVar("R")
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def _v(c: Any) -> Floats:
    return np.array((c[0], c[1], c[2]))


def _flags(c: NDArray[Any]) -> Bools:
    flags: Bools = c != 0
    return flags


def _index(i: int) -> Optional[int]:
    return i if i >= 0 else None


class _Result:
    """A result with named members."""

    __slots__: Tuple[str, ...] = ()

    def __repr__(self) -> str:
        parts = []
        for name in self.__slots__:
            value = getattr(self, name)
            parts.append("%s=%s" % (name, value.tolist() if isinstance(value, np.ndarray) else repr(value)))
        return "%s(%s)" % (type(self).__name__, ", ".join(parts))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(np.array_equal(getattr(self, n), getattr(other, n)) if n != "safe" else getattr(self, n) == getattr(other, n) for n in self.__slots__)

    __hash__ = None  # type: ignore

    def __getstate__(self) -> Any:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: Any) -> None:
        for name, value in state.items():
            setattr(self, name, value)


class Records(Generic[R]):
    """Results of a batch."""

    __slots__ = ("_data",)
    _STRUCT = ""
    _data: NDArray[Any]

    def __init__(self, data: NDArray[Any]) -> None:
        self._data = data

    @classmethod
    def _room(cls, n: int) -> Any:
        return cls(np.empty(n, dtype_of(cls._STRUCT)))

    def _address(self, begin: int = 0) -> Any:
        return ffi.cast(self._STRUCT + " *", self._data.ctypes.data + begin * self._data.dtype.itemsize)

    def __len__(self) -> int:
        return len(self._data)

    def _one(self, c: Any) -> Any:
        raise NotImplementedError

    def __getitem__(self, i: int) -> R:
        n = range(len(self._data))[i]  # IndexError, and negative indices
        result: R = self._one(self._address()[n]) if self._data.flags.c_contiguous else self._one(pointer(self._STRUCT + " *", self._data[n : n + 1])[0])
        return result

    def __iter__(self) -> Iterator[R]:
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> Any:
        return type(self), (self._data,)

    def __repr__(self) -> str:
        return "%s(%d)" % (type(self).__name__, len(self))


# ---- closest points ----------------------------------------------------------------------------------------------------------------------


class Closest(_Result):
    """A distance and a pair of closest points."""

    __slots__ = ("distance", "on_a", "on_b", "triangle_a", "triangle_b")
    distance: float  #: length, >= 0; 0 exactly when the sets intersect; infinite only when a set is empty
    on_a: Floats  #: witness on A; equal to on_b when the sets intersect
    on_b: Floats
    triangle_a: Optional[int]  #: of meshes: the triangle that contains the witness
    triangle_b: Optional[int]

    def __init__(self, c: Any, swapped: bool = False) -> None:
        self.distance = c.distance
        self.on_a, self.on_b = _v(c.on_a), _v(c.on_b)
        self.triangle_a, self.triangle_b = _index(c.triangle_a), _index(c.triangle_b)
        if swapped:
            self.on_a, self.on_b, self.triangle_a, self.triangle_b = self.on_b, self.on_a, self.triangle_b, self.triangle_a


class ClosestArray(Records[Closest]):
    """Many distances and pairs of closest points."""

    __slots__ = ("_swapped",)
    _STRUCT = "graze_closest_points"

    def __init__(self, data: NDArray[Any], swapped: bool = False) -> None:
        super().__init__(data)
        self._swapped = swapped

    def _one(self, c: Any) -> Closest:
        return Closest(c, self._swapped)

    def _side(self, name: str, of_a: bool) -> NDArray[Any]:
        return self._data[name + ("_a" if of_a != self._swapped else "_b")]

    @property
    def distance(self) -> Floats:
        """Lengths (n,), >= 0; 0 exactly when the sets intersect; infinite only when a set is empty."""
        return self._data["distance"]

    @property
    def on_a(self) -> Floats:
        """Witnesses on A (n, 3)."""
        return self._side("on", True)

    @property
    def on_b(self) -> Floats:
        """Witnesses on B (n, 3)."""
        return self._side("on", False)

    @property
    def triangle_a(self) -> Ints:
        """Of meshes: the triangles that contain the witnesses (n,); -1 for other shapes."""
        return self._side("triangle", True)

    @property
    def triangle_b(self) -> Ints:
        """The same of B."""
        return self._side("triangle", False)

    def __reduce__(self) -> Any:
        return ClosestArray, (self._data, self._swapped)


# ---- hits of rays ------------------------------------------------------------------------------------------------------------------------


class Hit(_Result):
    """Where a ray meets a shape."""

    __slots__ = ("t", "point", "normal", "triangle", "part", "child", "barycentric", "front", "started_inside", "user")
    t: float  #: the largest double not above the true parameter, in lengths of the direction (of a segment: 0..1)
    point: Floats  #: rounded
    normal: Optional[Floats]  #: unit length, against the ray; None when the ray started inside
    triangle: Optional[int]  #: of a mesh, height field or polygon fan: the lowest that is hit first
    part: Optional[int]  #: of a mesh
    child: Optional[int]  #: of a compound
    barycentric: Optional[Floats]  #: weights of the triangle's corners
    front: bool  #: of a triangle, polygon, mesh or plane: the direction is against the normal. Of others: the ray came from outside
    started_inside: bool  #: the closed sets intersect at t = 0; never set for a line
    user: int  #: of a mesh: the user number of the triangle; 0 where it has none

    def __init__(self, c: Any) -> None:
        self.t, self.point = c.t, _v(c.point)
        self.normal = _v(c.normal) if c.has_normal else None
        self.triangle, self.part, self.child = _index(c.triangle), _index(c.part), _index(c.child)
        self.barycentric = _v(c.barycentric) if c.has_barycentric else None
        self.front, self.started_inside, self.user = bool(c.front), bool(c.started_inside), c.user


class HitArray(Records[Optional[Hit]]):
    """Hits of many rays. Without a hit `hit` is False, numbers of triangles, parts and children are -1, t is infinite, and all else
    is 0."""

    __slots__ = ()
    _STRUCT = "graze_hit"

    def _one(self, c: Any) -> Optional[Hit]:
        return Hit(c) if c.hit else None

    @property
    def _hits(self) -> NDArray[Any]:
        return self._data

    @property
    def hit(self) -> Bools:
        """Whether there is a hit (n,)."""
        return _flags(self._hits["hit"])

    @property
    def t(self) -> Floats:
        """Parameters (n,): the largest doubles not above the true ones, in lengths of the direction."""
        return self._hits["t"]

    @property
    def point(self) -> Floats:
        """Points (n, 3), rounded."""
        return self._hits["point"]

    @property
    def normal(self) -> Floats:
        """Unit normals (n, 3), against the rays; 0 where has_normal is False."""
        return self._hits["normal"]

    @property
    def has_normal(self) -> Bools:
        """False also where the ray started inside (n,)."""
        return _flags(self._hits["has_normal"])

    @property
    def triangle(self) -> Ints:
        """Triangles (n,), or -1."""
        return self._hits["triangle"]

    @property
    def part(self) -> Ints:
        """Parts of a mesh (n,), or -1."""
        return self._hits["part"]

    @property
    def child(self) -> Ints:
        """Children of a compound (n,), or -1."""
        return self._hits["child"]

    @property
    def barycentric(self) -> Floats:
        """Weights of the triangles' corners (n, 3)."""
        return self._hits["barycentric"]

    @property
    def front(self) -> Bools:
        """Whether the front was hit (n,); see Hit."""
        return _flags(self._hits["front"])

    @property
    def started_inside(self) -> Bools:
        """Whether the sets intersect at t = 0 (n,)."""
        return _flags(self._hits["started_inside"])

    @property
    def user(self) -> NDArray[np.uint32]:
        """User numbers of the triangles (n,)."""
        return self._hits["user"]


class AllHits(HitArray):
    """All hits of many rays, one after another: those of ray i are offsets[i] .. offsets[i + 1] - 1."""

    __slots__ = ("offsets",)

    def __init__(self, data: NDArray[Any], offsets: NDArray[np.uint64]) -> None:
        super().__init__(data)
        self.offsets = offsets  #: (n + 1,), from 0

    def of(self, ray: int) -> HitArray:
        """The hits of one ray."""
        i = range(len(self.offsets) - 1)[ray]
        return HitArray(self._data[int(self.offsets[i]) : int(self.offsets[i + 1])])

    @property
    def ray(self) -> Ints:
        """The number of the ray of each hit."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets.astype(np.int64)))

    def __reduce__(self) -> Any:
        return AllHits, (self._data, self.offsets)


# ---- penetration and contacts ------------------------------------------------------------------------------------------------------------

REASONS = ("none", "apart", "touching", "unbounded")


class Penetration(_Result):
    """A translation that separates two shapes, or the reason why there is none. False in a condition where there is none."""

    __slots__ = ("reason", "depth", "normal", "vector")
    reason: str  #: "none" if the members below are set, else "apart", "touching" or "unbounded"
    depth: Optional[float]  #: length, > 0
    normal: Optional[Floats]  #: unit length, from B to A
    vector: Optional[Floats]  #: translation of A after which A and B at most touch, verified exactly

    def __init__(self, c: Any) -> None:
        self.reason = REASONS[c.reason]
        some = c.reason == 0
        self.depth = c.depth if some else None
        self.normal, self.vector = (_v(c.normal), _v(c.vector)) if some else (None, None)

    def __bool__(self) -> bool:
        return self.depth is not None


class Contact(_Result):
    """A contact of two shapes."""

    __slots__ = ("point", "normal", "depth", "triangle_a", "triangle_b")
    point: Floats  #: midpoint of the deepest points of both shapes
    normal: Floats  #: unit length, from B to A; zero where the depth is infinite
    depth: float  #: length, >= 0; 0 when the shapes merely touch
    triangle_a: Optional[int]
    triangle_b: Optional[int]

    def __init__(self, c: Any) -> None:
        self.point, self.normal, self.depth = _v(c.point), _v(c.normal), c.depth
        self.triangle_a, self.triangle_b = _index(c.triangle_a), _index(c.triangle_b)


class ContactArray(Records[Contact]):
    """The contacts of two shapes."""

    __slots__ = ()
    _STRUCT = "graze_contact"

    def _one(self, c: Any) -> Contact:
        return Contact(c)

    @property
    def point(self) -> Floats:
        """(n, 3)."""
        return self._data["point"]

    @property
    def normal(self) -> Floats:
        """(n, 3), unit length, from B to A."""
        return self._data["normal"]

    @property
    def depth(self) -> Floats:
        """(n,), lengths."""
        return self._data["depth"]

    @property
    def triangle_a(self) -> Ints:
        """(n,), or -1."""
        return self._data["triangle_a"]

    @property
    def triangle_b(self) -> Ints:
        """(n,), or -1."""
        return self._data["triangle_b"]


class Manifold(_Result):
    """The points where two convex shapes, or two triangles, meet."""

    __slots__ = ("normal", "points", "depths", "triangle_a", "triangle_b")
    normal: Floats  #: of all points: unit length, from B to A
    points: Floats  #: (k, 3), halfway between the surfaces along the normal
    depths: Floats  #: (k,), lengths >= 0
    triangle_a: Optional[int]
    triangle_b: Optional[int]

    def __init__(self, c: Any) -> None:
        self.normal = _v(c.normal)
        rows = [(p.point[0], p.point[1], p.point[2], p.depth) for p in (c.points[i] for i in range(c.point_count))]
        data = np.array(rows).reshape(-1, 4)
        self.points, self.depths = data[:, :3], data[:, 3]
        self.triangle_a, self.triangle_b = _index(c.triangle_a), _index(c.triangle_b)


# ---- sweeps ------------------------------------------------------------------------------------------------------------------------------


class SweepHit(_Result):
    """The first contact of a moving shape A with a shape B."""

    __slots__ = (
        *("t", "point", "normal", "triangle_a", "triangle_b", "child_a", "child_b", "user_a", "user_b"),
        *("started_inside", "departing", "budget_ended", "moved", "safe", "safe_point"),
    )
    t: float  #: fraction 0..1 of the motion, never above the true one
    point: Floats
    normal: Optional[Floats]  #: unit length, from B to A, against the motion; None when the start lies deeper than touching
    triangle_a: Optional[int]  #: of meshes, height fields and polygon fans
    triangle_b: Optional[int]
    child_a: Optional[int]  #: of compounds
    child_b: Optional[int]
    user_a: int  #: of meshes: the user numbers of those triangles
    user_b: int
    started_inside: bool  #: the closed sets intersect at t = 0
    departing: bool  #: contact at the start that the motion leaves at once
    budget_ended: bool  #: rotation only: the work limit was reached before the tolerance
    moved: bool  #: False, with the placement unchanged, when no certified placement in doubles exists
    safe: Pose  #: a placement of the mover at or a little before the contact, certified after rounding; replaces the pose given
    safe_point: Floats  #: position of a point at `safe`; for other shapes, of the origin

    def __init__(self, c: Any) -> None:
        self.t, self.point = c.t, _v(c.point)
        self.normal = _v(c.normal) if c.has_normal else None
        self.triangle_a, self.triangle_b = _index(c.triangle_a), _index(c.triangle_b)
        self.child_a, self.child_b = _index(c.child_a), _index(c.child_b)
        self.user_a, self.user_b = c.user_a, c.user_b
        self.started_inside, self.departing = bool(c.started_inside), bool(c.departing)
        self.budget_ended, self.moved = bool(c.budget_ended), bool(c.moved)
        self.safe = Pose._of(np.frombuffer(ffi.buffer(ffi.addressof(c, "safe")), dtype=np.float64).copy())
        self.safe_point = _v(c.safe_point)


class SweepArray(Records[Optional[SweepHit]]):
    """First contacts of many moving shapes. Without one `hit` is False, numbers of triangles and children are -1, t is infinite, and all else is 0."""

    __slots__ = ()
    _STRUCT = "graze_sweep_hit"

    def _one(self, c: Any) -> Optional[SweepHit]:
        return SweepHit(c) if c.hit else None

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name in ("hit", "started_inside", "departing", "budget_ended", "moved", "has_normal"):
            flags: NDArray[Any] = self._data[name] != 0
            return flags
        if name in ("t", "point", "normal", "triangle_a", "triangle_b", "child_a", "child_b", "user_a", "user_b", "safe_point"):
            array: NDArray[Any] = self._data[name]
            return array
        raise AttributeError("SweepArray has no member %r" % name)

    @property
    def safe(self) -> Poses:
        """The certified placements; of a miss all 0, which is no pose."""
        poses = Poses.__new__(Poses)
        flat = np.concatenate([self._data["safe"]["rotation"].reshape(-1, 9), self._data["safe"]["translation"]], axis=1)
        poses._array = flat
        return poses


Index = Union[int, "np.integer[Any]"]
