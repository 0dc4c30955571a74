"""The names of python-fcl, answered by exact queries: shapes, transforms, collide, distance, continuousCollide and the manager.

`python -m graze.shims DIR` makes a package `fcl` of this module for a PYTHONPATH. Differences from FCL: touching is a collision; distances have no tolerance;
closed meshes are surfaces, as in FCL; OcTree is refused."""
import itertools
import math
import threading
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

import graze
from graze._arrays import Floats, describe, floats, vector
from graze._fcl_geometry import (
    NODE_TYPE,
    OBJECT_TYPE,
    Box,
    BVHModel,
    Capsule,
    CollisionGeometry,
    Cone,
    Convex,
    Cylinder,
    Ellipsoid,
    Halfspace,
    OcTree,
    Plane,
    Sphere,
    TriangleP,
)
from graze._shape import expect
from graze.results import _Result

# ---- transforms and objects --------------------------------------------------------------------------------------------------------------


class Transform:
    """Transform(), Transform(R or quaternion w x y z), Transform(t), Transform(R or quaternion, t), or a copy. Rotations are rounded to the nearest one."""

    __slots__ = ("pose", "__weakref__")
    pose: graze.Pose

    def __init__(self, *arguments: Any) -> None:
        self.pose = graze.Pose()
        if len(arguments) == 1 and isinstance(arguments[0], Transform):
            self.pose = arguments[0].pose
        elif len(arguments) == 1:
            a = floats("rotation or translation", arguments[0])
            self.pose = graze.translation(a) if a.shape == (3,) else _rotation(a, (0, 0, 0))
        elif len(arguments) == 2:
            self.pose = _rotation(floats("rotation", arguments[0]), arguments[1])
        elif arguments:
            raise ValueError("Too many arguments to Transform constructor")

    def getRotation(self) -> Floats:
        """(3, 3)."""
        return self.pose.rotation.copy()

    def getTranslation(self) -> Floats:
        """(3,)."""
        return self.pose.translation.copy()

    def getQuatRotation(self) -> Floats:
        """w, x, y, z."""
        r = self.pose.rotation
        squares = np.array([1 + r[0, 0] + r[1, 1] + r[2, 2], 1 + r[0, 0] - r[1, 1] - r[2, 2], 1 - r[0, 0] + r[1, 1] - r[2, 2], 1 - r[0, 0] - r[1, 1] + r[2, 2]])
        k = int(np.argmax(squares))
        s = 2 * math.sqrt(squares[k])
        d, e = (r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]), (r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1])
        rows = ((s * s / 4, *d), (d[0], s * s / 4, e[0], e[1]), (d[1], e[0], s * s / 4, e[2]), (d[2], e[1], e[2], s * s / 4))
        return np.array(rows[k]) / s

    def setRotation(self, R: ArrayLike) -> None:
        """Another matrix (3, 3)."""
        self.pose = _rotation(floats("R", R), self.pose.translation)

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Another quaternion w, x, y, z."""
        self.setRotation(q)

    def setTranslation(self, T: ArrayLike) -> None:
        """Another translation (3,)."""
        self.pose = graze.Pose.matrix(self.pose.rotation, vector("T", T))


def _rotation(a: Floats, t: Any) -> graze.Pose:
    if a.shape == (4,):
        return graze.Pose.quaternion(a[0], a[1], a[2], a[3], vector("translation", t))
    if a.shape not in ((3, 3), (9,)):
        raise graze.Error("rotation has the shape %s, must have (3, 3), or (4,) for a quaternion" % (a.shape,))
    return graze.Pose.nearest(a.reshape(3, 3), 1e-5, vector("translation", t))


class CollisionObject(Transform):
    """A geometry with a transform."""

    __slots__ = ("geom", "_target")
    geom: CollisionGeometry

    def __init__(self, geom: CollisionGeometry, tf: Optional[Transform] = None) -> None:
        expect("geom", geom, CollisionGeometry)
        if tf is not None:
            expect("tf", tf, Transform)
        super().__init__(*(() if tf is None else (tf,)))
        self.geom = geom
        self._target: Optional[graze.Placed] = None

    @property
    def collision_geometry(self) -> CollisionGeometry:
        """The geometry."""
        return self.geom

    @property
    def target(self) -> graze.Placed:
        """The placed shape."""
        shape, pose, placed = self.geom.shape, self.pose, self._target
        if shape is None:
            raise ValueError("the model has not been built: call endModel()")
        if placed is not None and placed.shape is shape and placed.pose is pose:
            return placed
        made: graze.Placed = shape.at(pose)
        self._target = made
        return made

    def getTransform(self) -> Transform:
        """A copy of the transform."""
        return Transform(self)

    def setTransform(self, tf: Transform) -> None:
        """Another transform."""
        expect("tf", tf, Transform)
        self.pose = tf.pose

    def getNodeType(self) -> int:
        """That of the geometry."""
        return self.geom.getNodeType()

    def getObjectType(self) -> int:
        """That of the geometry."""
        return self.geom.getObjectType()

    def isOccupied(self) -> bool:
        """True."""
        return True

    def isFree(self) -> bool:
        """False."""
        return False

    def isUncertain(self) -> bool:
        """False."""
        return False


# ---- requests and results ----------------------------------------------------------------------------------------------------------------


class GJKSolverType:
    """Not needed: there is one way to an exact answer."""

    GST_LIBCCD, GST_INDEP = 0, 1


class CCDMotionType:
    """Not needed: motions that do not turn are straight, others are screws."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    """Not needed."""

    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


class CostSource:
    """Where a collision is likely and costly. No query makes one."""

    def __init__(self) -> None:
        self.aabb_min, self.aabb_max, self.cost_density, self.total_cost = np.zeros(3), np.zeros(3), 0.0, 0.0


class Contact(_Result):
    """A contact of two geometries."""

    __slots__ = ("o1", "o2", "b1", "b2", "normal", "pos", "penetration_depth")

    def __init__(self, o1: Any = None, o2: Any = None, b1: int = 0, b2: int = 0, normal: Any = None, pos: Any = None, penetration_depth: float = 0.0) -> None:
        self.o1, self.o2, self.b1, self.b2 = o1, o2, b1, b2  # geometries, by identity, and triangles of meshes
        self.normal = np.zeros(3) if normal is None else normal  # from o1 to o2
        self.pos = np.zeros(3) if pos is None else pos
        self.penetration_depth = penetration_depth


class CollisionRequest:
    """What collide() returns about."""

    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = 0,
    ) -> None:
        self.num_max_contacts, self.enable_contact = num_max_contacts, enable_contact
        self.num_max_cost_sources, self.enable_cost, self.use_approximate_cost = num_max_cost_sources, enable_cost, use_approximate_cost
        self.gjk_solver_type = gjk_solver_type


class CollisionResult:
    """The contacts."""

    def __init__(self, contacts: Optional[List[Contact]] = None, cost_sources: Optional[List[Any]] = None) -> None:
        self.contacts = contacts or []
        self.cost_sources = cost_sources or []
        self.is_collision = False


class ContinuousCollisionRequest:
    """`num_max_iterations` is the budget of a turning motion, `toc_err` (length) its tolerance."""

    def __init__(
        self, num_max_iterations: int = 10, toc_err: float = 0.0001, ccd_motion_type: int = 0, gjk_solver_type: int = 0, ccd_solver_type: int = 0
    ) -> None:
        self.num_max_iterations, self.toc_err = num_max_iterations, toc_err
        self.ccd_motion_type, self.gjk_solver_type, self.ccd_solver_type = ccd_motion_type, gjk_solver_type, ccd_solver_type


class ContinuousCollisionResult:
    """The first time of contact."""

    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        self.is_collide, self.time_of_contact = is_collide, time_of_contact


class DistanceRequest:
    """What distance() returns about."""

    def __init__(self, enable_nearest_points: bool = False, enable_signed_distance: bool = False, gjk_solver_type: int = 0) -> None:
        self.enable_nearest_points, self.enable_signed_distance, self.gjk_solver_type = enable_nearest_points, enable_signed_distance, gjk_solver_type


class DistanceResult:
    """The distance, and the nearest points if requested."""

    def __init__(self, min_distance_: float = math.inf) -> None:
        self.min_distance = min_distance_
        self.nearest_points: List[Any] = [None, None]
        self.o1: Any = None
        self.o2: Any = None
        self.b1 = self.b2 = -1


# ---- queries -----------------------------------------------------------------------------------------------------------------------------


def _expect_pair(o1: Any, o2: Any, request: Any, wanted: Any, result: Any, filled: Any) -> None:
    """Refuses other types of what the queries take."""
    expect("o1", o1, CollisionObject)
    expect("o2", o2, CollisionObject)
    expect("request", request, wanted)
    expect("result", result, filled)


def _contacts(o1: CollisionObject, o2: CollisionObject) -> Iterable[Any]:
    """(triangles, normal from the first to the second, point, depth) of the contacts.

    Two equal Convex geometries in the same place share all their points. As in FCL the point is then the middle between the first corners at both ends along
    the normal, decided in the frame of the geometry; that of all others is the middle of what they share.
    """
    a, b = o1.geom, o2.geom
    if isinstance(a, Convex) and isinstance(b, Convex) and o1.pose == o2.pose and np.array_equal(a.verts, b.verts):
        c = graze.contacts(a.shape, b.shape)[0]
        along = a.verts @ c.normal
        middle = (a.verts[np.argmax(along)] + a.verts[np.argmin(along)]) / 2
        return [((-1, -1), 0 - o1.pose.rotate(c.normal), o1.pose.apply(middle), c.depth)]
    every = graze.contacts(o1.target, o2.target)
    return (((-1 if c.triangle_a is None else c.triangle_a, -1 if c.triangle_b is None else c.triangle_b), 0 - c.normal, c.point, c.depth) for c in every)


def collide(o1: CollisionObject, o2: CollisionObject, request: Optional[CollisionRequest] = None, result: Optional[CollisionResult] = None) -> int:
    """The number of contacts of this pair, up to those requested. Without enable_contact they have triangles and nothing else."""
    request, result = CollisionRequest() if request is None else request, CollisionResult() if result is None else result
    _expect_pair(o1, o2, request, CollisionRequest, result, CollisionResult)
    if not graze.intersects(o1.target, o2.target):
        return 0
    result.is_collision = True
    if request.num_max_contacts == 0:
        return 1
    new: List[Contact] = []
    for triangles, normal, point, depth in itertools.islice(_contacts(o1, o2), request.num_max_contacts):
        new.append(Contact(o1.geom, o2.geom, *triangles))
        if request.enable_contact:
            new[-1].normal, new[-1].pos, new[-1].penetration_depth = normal, point, depth
    result.contacts.extend(new)
    return len(new)


def distance(o1: CollisionObject, o2: CollisionObject, request: Optional[DistanceRequest] = None, result: Optional[DistanceResult] = None) -> float:
    """The distance; of objects that overlap -1, or minus the depth with enable_signed_distance."""
    request, result = DistanceRequest() if request is None else request, DistanceResult() if result is None else result
    _expect_pair(o1, o2, request, DistanceRequest, result, DistanceResult)
    gap = graze.closest(o1.target, o2.target)
    value, points = gap.distance, [gap.on_a, gap.on_b]
    if value == 0:
        value = -1.0
        if request.enable_signed_distance:
            deep = graze.penetration(o1.target, o2.target)
            value = -deep.depth if deep.depth is not None else 0.0
            found = graze.contacts(o1.target, o2.target)
            if deep.depth is not None and len(found) == 1 and deep.normal is not None:
                points = [found.point[0] - deep.normal * deep.depth / 2, found.point[0] + deep.normal * deep.depth / 2]
    if value < result.min_distance:
        result.min_distance, result.o1, result.o2 = value, o1.geom, o2.geom
        result.b1, result.b2 = (-1 if t is None else t for t in (gap.triangle_a, gap.triangle_b))
        if request.enable_nearest_points:
            result.nearest_points = points
    return value


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: Optional[ContinuousCollisionRequest] = None,
    result: Optional[ContinuousCollisionResult] = None,
) -> float:
    """The first time of contact in [0, 1], 1 and is_collide False without one. Motions that do not turn are exact."""
    request, result = ContinuousCollisionRequest() if request is None else request, ContinuousCollisionResult() if result is None else result
    _expect_pair(o1, o2, request, ContinuousCollisionRequest, result, ContinuousCollisionResult)
    expect("tf1_end", tf1_end, Transform)
    expect("tf2_end", tf2_end, Transform)
    ends = (tf1_end.pose, tf2_end.pose)
    turns = [not np.array_equal(o.pose.rotation, e.rotation) for o, e in zip((o1, o2), ends)]
    if not any(turns):
        motions = [e.translation - o.pose.translation for o, e in zip((o1, o2), ends)]
        hit = graze.sweep(o1.target, motions[0], o2.target, motions[1], place=False)
    else:  # in the frame of the second object
        start, end = o2.pose.inverse() @ o1.pose, ends[1].inverse() @ ends[0]
        screw = graze.Screw.between(start, end, start.translation)
        hit = graze.sweep(o1.geom.shape.at(start), screw, o2.geom.shape, tolerance=max(request.toc_err, 1e-9))
    result.is_collide, result.time_of_contact = hit is not None, 1.0 if hit is None else hit.t
    return result.time_of_contact


# ---- managers ----------------------------------------------------------------------------------------------------------------------------


class CollisionData:
    """What defaultCollisionCallback() fills."""

    def __init__(self, request: Optional[CollisionRequest] = None, result: Optional[CollisionResult] = None) -> None:
        self.request, self.result, self.done = request or CollisionRequest(), result or CollisionResult(), False


class DistanceData:
    """What defaultDistanceCallback() fills."""

    def __init__(self, request: Optional[DistanceRequest] = None, result: Optional[DistanceResult] = None) -> None:
        self.request, self.result, self.done = request or DistanceRequest(), result or DistanceResult(), False


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Collides a pair; returns whether the manager may stop."""
    expect("cdata", cdata, CollisionData)
    if cdata.done:
        return True
    collide(o1, o2, cdata.request, cdata.result)
    if not cdata.request.enable_cost and cdata.result.is_collision and len(cdata.result.contacts) >= cdata.request.num_max_contacts:
        cdata.done = True
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> Tuple[bool, float]:
    """Measures a pair; returns whether the manager may stop, and the least distance so far."""
    expect("cdata", cdata, DistanceData)
    if cdata.done:
        return True, cdata.result.min_distance
    distance(o1, o2, cdata.request, cdata.result)
    return cdata.result.min_distance <= 0, cdata.result.min_distance


class DynamicAABBTreeCollisionManager:
    """Many objects, with callbacks for the pairs whose boxes overlap, or that may be nearer than the least distance so far."""

    def __init__(self) -> None:
        self.objs: List[CollisionObject] = []  # replaced as a whole, so that queries of other threads have one of before or after
        self._lock = threading.Lock()

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """Adds objects."""
        for obj in other_objs:
            self.registerObject(obj)

    def registerObject(self, obj: CollisionObject) -> None:
        """Adds an object."""
        expect("obj", obj, CollisionObject)
        with self._lock:
            if all(obj is not o for o in self.objs):
                self.objs = [*self.objs, obj]

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Removes an object."""
        with self._lock:
            self.objs = [o for o in self.objs if o is not obj]

    def setup(self) -> None:
        """Nothing is to be set up."""

    def update(self, arg: Any = None) -> None:
        """Nothing is to be updated."""

    def clear(self) -> None:
        """Removes all objects."""
        with self._lock:
            self.objs = []

    def empty(self) -> bool:
        """Whether there is none."""
        return not self.objs

    def size(self) -> int:
        """How many there are."""
        return len(self.objs)

    def getObjects(self) -> List[CollisionObject]:
        """The objects."""
        return list(self.objs)

    @staticmethod
    def _boxes(objects: List[CollisionObject]) -> graze.BroadPhase:
        rows = [np.concatenate([b.min, b.max]) for b in (graze.bounding_box(o.target) for o in objects)]
        return graze.BroadPhase(np.array(rows).reshape(-1, 6))

    def _pairs(self, other: Any, near: bool) -> Sequence[Tuple[CollisionObject, CollisionObject]]:
        """Pairs to be tested: those whose boxes overlap, or for distances all, the nearest boxes first."""
        ours = self.objs
        if other is None:
            every = [(i, j) for i in range(len(ours)) for j in range(i + 1, len(ours))] if near else self._boxes(ours).pairs().tolist()
            theirs = ours
        else:
            theirs = other.objs if isinstance(other, DynamicAABBTreeCollisionManager) else [other]
            if near:
                every = [(i, j) for i in range(len(ours)) for j in range(len(theirs))]
            else:
                every = self._boxes(ours).pairs(self._boxes(theirs)).tolist()
        pairs = [(ours[i], theirs[j]) for i, j in every]
        return [(b, a) for a, b in pairs] if isinstance(other, CollisionObject) else pairs

    @staticmethod
    def _arguments(arguments: Tuple[Any, ...]) -> Tuple[Any, Any, Callable[..., Any]]:
        if len(arguments) not in (2, 3):
            raise ValueError("must be (cdata, callback), (object, cdata, callback) or (manager, cdata, callback)")
        if not callable(arguments[-1]):
            raise TypeError("callback is %s, must be a function" % describe(arguments[-1]))
        if len(arguments) == 2:
            return None, arguments[0], arguments[1]
        expect("other", arguments[0], CollisionObject, DynamicAABBTreeCollisionManager)
        return arguments[0], arguments[1], arguments[2]

    def collide(self, *arguments: Any) -> None:
        """collide(cdata, callback), collide(object, cdata, callback) or collide(manager, cdata, callback): calls callback(o1, o2, cdata) until it returns
        True."""
        other, data, callback = self._arguments(arguments)
        for a, b in self._pairs(other, False):
            if callback(a, b, data):
                break

    def distance(self, *arguments: Any) -> None:
        """The same for distances: callback(o1, o2, cdata) returns (stop, least distance so far); pairs whose boxes are farther are left out."""
        other, data, callback = self._arguments(arguments)
        pairs = self._pairs(other, True)
        boxes: Dict[int, Any] = {id(o): graze.bounding_box(o.target) for pair in pairs for o in pair}
        apart = [graze.closest(boxes[id(a)], boxes[id(b)]).distance for a, b in pairs]
        least = math.inf
        for k in sorted(range(len(pairs)), key=apart.__getitem__):
            if apart[k] > least:
                break
            stop, least = callback(*pairs[k], data)
            if stop:
                break
