"""The geometries of python-fcl's names, and the enumerations of their kinds. Each has `shape`, a graze shape or None."""
import math
import threading
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
from numpy.typing import ArrayLike

import graze
from graze._arrays import Floats, direction, floats, number, read_only, shaped, vector
from graze.mesh import triangle_numbers


class OBJECT_TYPE:
    """Kinds of objects."""

    OT_UNKNOWN, OT_BVH, OT_GEOM, OT_OCTREE, OT_COUNT = range(5)


class NODE_TYPE:
    """What getNodeType() returns."""

    BV_UNKNOWN, BV_AABB, BV_OBB, BV_RSS, BV_kIOS, BV_OBBRSS, BV_KDOP16, BV_KDOP18, BV_KDOP24 = range(9)
    GEOM_BOX, GEOM_SPHERE, GEOM_ELLIPSOID, GEOM_CAPSULE, GEOM_CONE, GEOM_CYLINDER, GEOM_CONVEX, GEOM_PLANE, GEOM_HALFSPACE = range(9, 18)
    GEOM_TRIANGLE, GEOM_OCTREE, NODE_COUNT = range(18, 21)


class CollisionGeometry:
    """A shape in its own frame. Its dimensions can be set; that changes every object that uses the geometry."""

    __slots__ = ("_made", "__weakref__")
    _node = NODE_TYPE.BV_UNKNOWN
    _object = OBJECT_TYPE.OT_GEOM
    _made: Tuple[Dict[str, Any], Any]  # the dimensions and the shape of them, replaced at once
    _shape_of: Any  # makes the shape of all dimensions

    def __init__(self) -> None:
        self._made = {}, None

    @property
    def shape(self) -> Any:
        """The shape, None of a model that is not built."""
        return self._made[1]

    def _make(self, **dimensions: Any) -> None:
        """Makes the shape of these dimensions; those that are not given stay."""
        every = {**self._made[0], **dimensions} if dimensions.keys() != self._made[0].keys() else dimensions
        self._made = every, self._shape_of(**every)

    def getNodeType(self) -> int:
        """One of NODE_TYPE."""
        return self._node

    def getObjectType(self) -> int:
        """One of OBJECT_TYPE."""
        return self._object


class Dimension:
    """A number or vector of a geometry. Setting it makes another shape, or raises Error and changes nothing."""

    def __init__(self, read: Callable[[str, Any], Any]) -> None:
        self._read = read

    def __set_name__(self, owner: Any, name: str) -> None:
        self._name = name

    def __get__(self, geometry: Any, owner: Any = None) -> Any:
        return self if geometry is None else geometry._made[0][self._name]

    def __set__(self, geometry: Any, value: Any) -> None:
        geometry._make(**{self._name: self._read(self._name, value)})


def _fixed_vector(name: str, value: Any) -> Floats:
    return read_only(vector(name, value).copy())


class TriangleP(CollisionGeometry):
    """A triangle."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_TRIANGLE
    a, b, c = Dimension(_fixed_vector), Dimension(_fixed_vector), Dimension(_fixed_vector)

    def __init__(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> None:
        super().__init__()
        self._make(a=_fixed_vector("a", a), b=_fixed_vector("b", b), c=_fixed_vector("c", c))

    @staticmethod
    def _shape_of(a: Any, b: Any, c: Any) -> Any:
        return graze.Triangle([a, b, c])


class Box(CollisionGeometry):
    """A box of those sizes about the origin."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_BOX
    side = Dimension(_fixed_vector)

    def __init__(self, x: float, y: float, z: float) -> None:
        super().__init__()
        self.side = (number("x", x), number("y", y), number("z", z))

    @staticmethod
    def _shape_of(side: Any) -> Any:
        return graze.Box(-side / 2, side / 2)


class Sphere(CollisionGeometry):
    """A ball about the origin."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_SPHERE
    radius = Dimension(number)

    def __init__(self, radius: float) -> None:
        super().__init__()
        self.radius = radius

    @staticmethod
    def _shape_of(radius: Any) -> Any:
        return graze.Sphere((0, 0, 0), radius)


class Ellipsoid(CollisionGeometry):
    """An ellipsoid about the origin."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_ELLIPSOID
    radii = Dimension(_fixed_vector)

    def __init__(self, a: float, b: float, c: float) -> None:
        super().__init__()
        self.radii = (number("a", a), number("b", b), number("c", c))

    @staticmethod
    def _shape_of(radii: Any) -> Any:
        return graze.Ellipsoid((0, 0, 0), radii)


class _Upright(CollisionGeometry):
    __slots__ = ()
    radius, lz = Dimension(number), Dimension(number)
    _kind: Any

    def __init__(self, radius: float, lz: float) -> None:
        super().__init__()
        self._make(radius=number("radius", radius), lz=number("lz", lz))

    @classmethod
    def _shape_of(cls, radius: Any, lz: Any) -> Any:
        return cls._kind((0, 0, -lz / 2), (0, 0, lz / 2), radius)


class Capsule(_Upright):
    """A capsule along z: a cylinder of length lz with half balls on its ends."""

    __slots__ = ()
    _node, _kind = NODE_TYPE.GEOM_CAPSULE, graze.Capsule


class Cylinder(_Upright):
    """A cylinder along z."""

    __slots__ = ()
    _node, _kind = NODE_TYPE.GEOM_CYLINDER, graze.Cylinder


class Cone(_Upright):
    """A cone along z, its tip upwards."""

    __slots__ = ()
    _node, _kind = NODE_TYPE.GEOM_CONE, graze.Cone


class Halfspace(CollisionGeometry):
    """All x with dot(n, x) <= d. Both are divided by the length of n."""

    __slots__ = ()
    _node = NODE_TYPE.GEOM_HALFSPACE
    _kind: Any = graze.HalfSpace
    n, d = Dimension(direction), Dimension(number)

    def __init__(self, n: ArrayLike, d: float) -> None:
        super().__init__()
        self._make(n=direction("n", n), d=number("d", d))

    def _make(self, **dimensions: Any) -> None:
        every = {**self._made[0], **dimensions}
        length = math.hypot(*every["n"])
        super()._make(n=read_only(every["n"] / length), d=every["d"] / length)

    @classmethod
    def _shape_of(cls, n: Any, d: Any) -> Any:
        return cls._kind(n * d, n)


class Plane(Halfspace):
    """All x with dot(n, x) = d."""

    __slots__ = ()
    _node, _kind = NODE_TYPE.GEOM_PLANE, graze.Plane


class Convex(CollisionGeometry):
    """The convex hull of the vertices."""

    __slots__ = ("_faces",)
    _node = NODE_TYPE.GEOM_CONVEX

    def __init__(self, verts: ArrayLike, num_faces: int = 0, faces: Any = None) -> None:
        super().__init__()
        self._faces = num_faces, faces
        self._make(verts=read_only(np.array(floats("verts", verts))))

    @staticmethod
    def _shape_of(verts: Any) -> Any:
        return graze.Hull(verts)

    @property
    def verts(self) -> Floats:
        """The vertices, read-only."""
        verts: Floats = self._made[0]["verts"]
        return verts

    @property
    def num_faces(self) -> int:
        """As given."""
        return self._faces[0]

    @property
    def faces(self) -> Any:
        """As given; the hull has its own."""
        return self._faces[1]


_BUILDING = threading.Lock()  # of the parts of models


class BVHModel(CollisionGeometry):
    """A mesh, built between beginModel() and endModel()."""

    __slots__ = ("_vertices", "_triangles")
    _node, _object = NODE_TYPE.BV_OBBRSS, OBJECT_TYPE.OT_BVH

    def __init__(self) -> None:
        super().__init__()
        self._vertices: List[Floats] = []
        self._triangles: List[Any] = []

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> int:
        """Begins; the numbers are hints."""
        with _BUILDING:
            self._vertices, self._triangles = [], []
        return 0

    def addVertex(self, x: Any, y: Any = None, z: Any = None) -> int:
        """Adds a vertex."""
        vertex = vector("vertex", x if y is None else (x, y, z))[np.newaxis].copy()
        with _BUILDING:
            self._vertices.append(vertex)
        return 0

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> int:
        """Adds a triangle with its own vertices."""
        return self.addSubModel([v1, v2, v3], [(0, 1, 2)])

    def addSubModel(self, verts: Any, triangles: Any) -> int:
        """Adds vertices (n, 3) and triangles (m, 3)."""
        numbers, vertices = triangle_numbers(triangles), shaped("verts", verts, (None, 3)).copy()
        with _BUILDING:
            self._triangles.append(numbers + sum(len(v) for v in self._vertices))
            self._vertices.append(vertices)
        return 0

    def endModel(self) -> int:
        """Builds the tree."""
        with _BUILDING:
            given = list(self._vertices), list(self._triangles)
        vertices, triangles = (np.concatenate(x) if x else None for x in given)
        self._made = {}, graze.Mesh(np.zeros((0, 3)) if vertices is None else vertices, np.zeros((0, 3), np.int64) if triangles is None else triangles)
        return 0

    def num_tries_(self) -> int:
        """The number of triangles."""
        return sum(len(t) for t in list(self._triangles))


class OcTree(CollisionGeometry):
    """Refused: graze has no octrees."""

    __slots__ = ()

    def __init__(self, *_: Any) -> None:
        raise NotImplementedError("graze has no octrees; make a mesh or boxes of the occupied cells")
