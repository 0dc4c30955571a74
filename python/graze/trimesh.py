"""The names of trimesh's ray, proximity and collision modules, answered by exact queries in double precision.

Meshes are trimesh.Trimesh objects (anything with `vertices` and `faces`) or graze.Mesh. trimesh itself is not needed."""
import contextlib
import functools
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, describe, floats, integer
from graze._shape import Placed, Target, expect
from graze.mesh import Mesh, Solid
from graze.pose import Pose
from graze.query import closest, contacts, contains, signed_distance
from graze.rays import raycast, raycast_all, raycast_any
from graze.scene import Scene

Ints = NDArray[np.int64]
TOLERANCE = 1e-5  # transforms in single precision, as trimesh makes them


def mesh_of(mesh: Any) -> Mesh:
    """The graze.Mesh of a trimesh.Trimesh."""
    if isinstance(mesh, Mesh):
        return mesh
    if not hasattr(mesh, "vertices") or not hasattr(mesh, "faces"):
        raise TypeError("mesh is %s, must have vertices and faces" % describe(mesh))
    return Mesh(mesh.vertices, mesh.faces)


def pose_of(transform: Any) -> Pose:
    """The pose of a 4x4 matrix, rounded to the nearest rotation; None is the identity."""
    return Pose() if transform is None else Pose.nearest(transform, TOLERANCE)


class _Made:
    """What was made of an object in one state."""

    def __init__(self, state: Any, mesh: Mesh) -> None:
        self.state, self.mesh = state, mesh
        self._solid: Optional[Solid] = None
        self._corners: Optional[Mesh] = None

    @property
    def solid(self) -> Solid:
        if self._solid is None:
            self._solid = Solid(self.mesh)
        return self._solid

    @property
    def corners(self) -> Mesh:
        """Each vertex as a triangle that is a point."""
        if self._corners is None:
            n = len(self.mesh.vertices)
            self._corners = Mesh(self.mesh.vertices, np.repeat(np.arange(n), 3).reshape(-1, 3))
        return self._corners


class _Built:
    """The graze.Mesh of an object, built at its first use: a trimesh.Trimesh makes its helpers before it has vertices. Built again when the object is another
    one, or has other arrays, or its hash changes, which for a trimesh.Trimesh is that of its arrays."""

    def __init__(self, given: Any) -> None:
        self._given = given
        self._made: Optional[_Made] = None

    def _now(self) -> _Made:
        """Of the object as it is now; for other threads one step."""
        given, made = self._given, self._made
        state: Tuple[Any, ...] = (given,)
        if not isinstance(given, Mesh):
            hashes: Any = type(given).__hash__
            by_content = hashes is not None and hashes is not object.__hash__
            state += (hash(given),) if by_content else (getattr(given, "vertices", None), getattr(given, "faces", None))
        if made is None or len(made.state) != len(state) or not all(a is b or type(a) is int and a == b for a, b in zip(made.state, state)):
            made = self._made = _Made(state, mesh_of(given))
        return made

    @property
    def _mesh(self) -> Mesh:
        return self._now().mesh

    @property
    def _solid(self) -> Solid:
        return self._now().solid


class RayMeshIntersector(_Built):
    """Rays against a mesh. Every triangle that a ray meets is a hit, also at its edges; hits are in the order of each ray."""

    def __init__(self, geometry: Any, scale_to_box: bool = True) -> None:
        super().__init__(geometry)

    @property
    def mesh(self) -> Any:
        """The object whose mesh it is; another one may be set."""
        return self._given

    @mesh.setter
    def mesh(self, geometry: Any) -> None:
        """Answers for another object from now on."""
        self._given = geometry

    def _hits(self, origins: Any, directions: Any, multiple_hits: bool, max_hits: int) -> Tuple[Ints, Ints, Floats]:
        o, d = np.atleast_2d(floats("ray_origins", origins)), np.atleast_2d(floats("ray_directions", directions))
        most = integer("max_hits", max_hits, 0, 2**63 - 1)
        if not multiple_hits:
            first = raycast(self._mesh, o, d)
            rays: Ints = np.flatnonzero(first.hit)
            return first.triangle[rays], rays, first.point[rays]
        every = raycast_all(self._mesh, o, d)
        rays = every.ray
        kept = np.arange(len(every)) - every.offsets.astype(np.int64)[rays] < most
        return every.triangle[kept], rays[kept], every.point[kept]

    def intersects_id(
        self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True, max_hits: int = 1 << 62, return_locations: bool = False
    ) -> Any:
        """(index_tri, index_ray), and the locations (n, 3) if asked for."""
        triangles, rays, points = self._hits(ray_origins, ray_directions, multiple_hits, max_hits)
        return (triangles, rays, points) if return_locations else (triangles, rays)

    def intersects_location(self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True) -> Tuple[Floats, Ints, Ints]:
        """(locations, index_ray, index_tri)."""
        triangles, rays, points = self._hits(ray_origins, ray_directions, multiple_hits, 1 << 62)
        return points, rays, triangles

    def intersects_first(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> Ints:
        """The first triangle that each ray meets, or -1."""
        hits = raycast(self._mesh, np.atleast_2d(floats("ray_origins", ray_origins)), np.atleast_2d(floats("ray_directions", ray_directions)))
        return np.ascontiguousarray(hits.triangle)

    def intersects_any(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> NDArray[np.bool_]:
        """Whether each ray meets the mesh."""
        origins, directions = np.atleast_2d(floats("ray_origins", ray_origins)), np.atleast_2d(floats("ray_directions", ray_directions))
        result: NDArray[np.bool_] = raycast_any(self._mesh, origins, directions)
        return result

    def contains_points(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Whether each point lies in the solid that the mesh bounds, which must be closed; its surface belongs to it."""
        result: NDArray[np.bool_] = contains(self._solid, np.atleast_2d(floats("points", points)))
        return result


class ProximityQuery(_Built):
    """Closest points of a mesh."""

    def __init__(self, mesh: Any) -> None:
        super().__init__(mesh)

    def on_surface(self, points: ArrayLike) -> Tuple[Floats, Floats, Ints]:
        """(closest (n, 3), distance (n,), triangle_id (n,))."""
        near = closest(self._mesh, np.atleast_2d(floats("points", points)))
        return np.ascontiguousarray(near.on_a), np.ascontiguousarray(near.distance), np.ascontiguousarray(near.triangle_a)

    def vertex(self, points: ArrayLike) -> Tuple[Floats, Ints]:
        """(distance, index) of the nearest vertex to each point."""
        near = closest(self._now().corners, np.atleast_2d(floats("points", points)))
        return np.ascontiguousarray(near.distance), np.ascontiguousarray(near.triangle_a)

    def signed_distance(self, points: ArrayLike) -> Floats:
        """Distances from the surface, positive inside (trimesh's sign). Raises Error for a mesh that is not closed, which has no inside."""
        signed: Floats = signed_distance(self._solid, np.atleast_2d(floats("points", points)))
        return 0 - signed


def signed_distance_of(mesh: Any, points: ArrayLike) -> Floats:
    """As trimesh.proximity.signed_distance()."""
    return ProximityQuery(mesh).signed_distance(points)


def closest_point(mesh: Any, points: ArrayLike) -> Tuple[Floats, Floats, Ints]:
    """As trimesh.proximity.closest_point()."""
    return ProximityQuery(mesh).on_surface(points)


class ContactData:
    """A contact of two objects."""

    def __init__(self, names: Tuple[str, str], contact: Any) -> None:
        self.names = set(names)
        self._indices: Dict[str, Optional[int]] = {names[0]: contact.triangle_a, names[1]: contact.triangle_b}
        self.normal, self.point, self.depth = contact.normal, contact.point, contact.depth

    def index(self, name: str) -> Optional[int]:
        """The triangle of the object of that name."""
        return self._indices[name]


class DistanceData:
    """The distance of two objects."""

    def __init__(self, names: Tuple[str, str], gap: Any) -> None:
        self.names, self.distance = set(names), gap.distance
        self._points: Dict[str, Floats] = {names[0]: gap.on_a, names[1]: gap.on_b}
        self._indices: Dict[str, Optional[int]] = {names[0]: gap.triangle_a, names[1]: gap.triangle_b}

    def index(self, name: str) -> Optional[int]:
        """The triangle of the object of that name."""
        return self._indices[name]

    def point(self, name: str) -> Floats:
        """The closest point of the object of that name."""
        return self._points[name]


F = TypeVar("F", bound=Callable[..., Any])


def _alone(method: F) -> F:
    """The method of a manager as one that has it, and another one that is given, to itself."""

    @functools.wraps(method)
    def alone(self: Any, *arguments: Any, **named: Any) -> Any:
        managers = {id(m): m for m in (self, *arguments, *named.values()) if isinstance(m, CollisionManager)}
        with contextlib.ExitStack() as locks:
            for _, manager in sorted(managers.items()):  # in one order, so that two threads never wait for each other
                locks.enter_context(manager._lock)
            return method(self, *arguments, **named)

    return cast(F, alone)


SINGLE = "__external"  # trimesh's name of the mesh of a ..._single query


class CollisionManager:
    """Named meshes, with collisions and distances between them. Meshes are surfaces. ignore(a, b) leaves a pair out. Threads that use one manager wait for each
    other."""

    def __init__(self) -> None:
        self._scene = Scene()
        self._ids: Dict[str, int] = {}
        self._lock = threading.RLock()

    @_alone
    def add_object(self, name: str, mesh: Any, transform: Optional[ArrayLike] = None) -> int:
        """Adds a mesh, or replaces the one of that name. Returns its id in a graze.Scene."""
        if name in self._ids:
            self.remove_object(name)
        self._ids[name] = self._scene.add(name, mesh_of(mesh), pose_of(transform))
        return self._ids[name]

    @_alone
    def remove_object(self, name: str) -> None:
        """Removes a mesh."""
        self._scene.remove(self._id(name))
        del self._ids[name]

    @_alone
    def set_transform(self, name: str, transform: ArrayLike) -> None:
        """Moves a mesh."""
        self._scene.move(self._id(name), pose_of(transform))

    @_alone
    def ignore(self, a: str, b: str, ignored: bool = True) -> None:
        """Leaves the pair out of collisions and distances within this manager."""
        self._scene.allow(self._id(a), self._id(b), ignored)

    def _id(self, name: str) -> int:
        if name not in self._ids:
            raise ValueError("%s not in collision manager!" % name)
        return self._ids[name]

    def _placed(self, name: str) -> Placed:
        return self._scene.shape(self._ids[name]).at(self._scene.pose(self._ids[name]))

    # ---- collisions ----

    def _collisions(self, pairs: List[Tuple[Any, Any, Any, Target, Target]], return_names: bool, return_data: bool) -> Any:
        hit = bool(pairs)
        if not return_names and not return_data:
            return hit
        out: List[Any] = [hit]
        if return_names:
            out.append({p[0] for p in pairs})
        if return_data:
            out.append([ContactData((a, b), c) for _, a, b, x, y in pairs for c in contacts(x, y)])
        return tuple(out)

    @_alone
    def in_collision_single(self, mesh: Any, transform: Optional[ArrayLike] = None, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether a mesh touches any of the manager: bool, or (bool, names, contacts) as asked for."""
        given = mesh_of(mesh).at(pose_of(transform))
        names = [self._scene.name(int(m)) for m in self._scene.overlapping(given)]
        return self._collisions([(n, SINGLE, n, given, self._placed(n)) for n in names], return_names, return_data)

    @_alone
    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two meshes of the manager touch; names are sorted pairs."""
        pairs = [sorted((self._scene.name(p.a), self._scene.name(p.b))) for p in self._scene.pairs(witnesses=False)]
        return self._collisions([((a, b), a, b, self._placed(a), self._placed(b)) for a, b in pairs], return_names, return_data)

    @_alone
    def in_collision_other(self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any mesh of the manager touches one of another; names are pairs (of this, of the other)."""
        expect("other_manager", other_manager, CollisionManager)
        pairs = []
        for name in other_manager._ids:
            theirs = other_manager._placed(name)
            pairs += [(own, name, theirs) for own in (self._scene.name(int(m)) for m in self._scene.overlapping(theirs))]
        return self._collisions([((own, name), own, name, self._placed(own), t) for own, name, t in pairs], return_names, return_data)

    # ---- distances ----

    @staticmethod
    def _distance(names: Any, ends: Optional[Tuple[str, str]], gap: Any, return_names: bool, return_data: bool) -> Any:
        distance = np.inf if gap is None else gap.distance
        out = [distance] + ([names] if return_names else []) + ([None if gap is None or ends is None else DistanceData(ends, gap)] if return_data else [])
        return distance if len(out) == 1 else tuple(out)

    @_alone
    def min_distance_single(self, mesh: Any, transform: Optional[ArrayLike] = None, return_name: bool = False, return_data: bool = False) -> Any:
        """The least distance of a mesh from those of the manager, 0 where they touch: float, or (float, name, data) as asked for."""
        found = self._scene.closest(mesh_of(mesh).at(pose_of(transform)))
        name = None if found is None else self._scene.name(found.member)
        ends = None if name is None else (SINGLE, name)
        return self._distance(name, ends, None if found is None else found.closest, return_name, return_data)

    @_alone
    def min_distance_internal(self, name: Optional[str] = None, return_names: bool = False, return_data: bool = False) -> Any:
        """The least distance of any two meshes of the manager, or of the named one from any other; names are a sorted pair."""
        only = None if name is None else self._id(name)
        pair = self._scene.least_distance(accept=None if only is None else lambda a, b: only in (a, b))
        if pair is None:
            return self._distance(None, None, None, return_names, return_data)
        a, b = sorted((self._scene.name(pair.a), self._scene.name(pair.b)))
        return self._distance((a, b), (a, b), closest(self._placed(a), self._placed(b)), return_names, return_data)

    @_alone
    def min_distance_other(self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False) -> Any:
        """The least distance of a mesh of the manager from one of another."""
        expect("other_manager", other_manager, CollisionManager)
        best: Any = None
        for name in other_manager._ids:
            found = self._scene.closest(other_manager._placed(name))
            if found is not None and (best is None or found.closest.distance < best[2]):
                best = (self._scene.name(found.member), name, found.closest.distance)
        if best is None:
            return self._distance(None, None, None, return_names, return_data)
        gap = closest(self._placed(best[0]), other_manager._placed(best[1]))
        return self._distance(best[:2], best[:2], gap, return_names, return_data)
