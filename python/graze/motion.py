"""Motion: the first contact of shapes that move along lines and screws, the response to contacts, and meshes whose vertices each move."""
from typing import Any, Callable, List, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, VectorLike, choice, direction, doubles, floats, integer, number, packed, real, rows, shaped, stride, vector
from graze._calls import Filter, Progress, TriangleFilter, filter_of, interruptible, run
from graze._lib import Error, check, dtype_of, ffi, lib, take
from graze._shape import Target, expect, ref_of
from graze.mesh import LONG, Mesh
from graze.pose import Pose, PoseLike, pose_of
from graze.query import FEW, _is_long, is_shapes, refs_of
from graze.rays import SIDES
from graze.results import Records, SweepArray, SweepHit, _index, _Result, _v

BUDGET = 10000  # steps of a motion along a screw

# ---- sweeps ------------------------------------------------------------------------------------------------------------------------------


def sweep_options(skip_departing: Any, place: Any, sides: Any, accept: Any) -> Any:
    """The options of a sweep, and the filter, to be kept until the call returns."""
    options = ffi.new("graze_sweep_options *")
    options.size = ffi.sizeof("graze_sweep_options")
    options.skip_departing, options.place, options.sides = int(bool(skip_departing)), int(bool(place)), choice("sides", sides, SIDES)
    options.accept, options.accept_user, calls = filter_of("accept", "triangle", accept)
    return options, calls


class Screw:
    """A screw motion: a rotation by `angle` (radians, of any size) about the line through `center` along `axis` (of any non-zero length), together with a
    translation by `displacement`, both uniform in t of [0, 1]."""

    __slots__ = ("center", "axis", "angle", "displacement")

    def __init__(self, center: VectorLike, axis: VectorLike, angle: float, displacement: VectorLike = (0.0, 0.0, 0.0)) -> None:
        self.center, self.axis = vector("center", center), direction("axis", axis)
        self.angle, self.displacement = number("angle", angle), vector("displacement", displacement)

    def _c(self) -> Any:
        c = ffi.new("graze_screw *")
        c.center, c.axis, c.angle, c.displacement = list(self.center), list(self.axis), self.angle, list(self.displacement)
        return c

    @classmethod
    def between(cls, start: PoseLike, end: PoseLike, center: VectorLike) -> "Screw":
        """The screw about `center` (a world point fixed to the body) that starts at one pose and ends at the other up to rounding, by the smaller angle."""
        c, out = vector("center", center), ffi.new("graze_screw *")
        check(lib.graze_screw_between(pose_of("start", start)._c, pose_of("end", end)._c, doubles(c), out))
        return cls(_v(out.center), _v(out.axis), out.angle, _v(out.displacement))

    def at(self, t: float) -> Pose:
        """The pose of the motion at fraction t, rounded. It is applied after the pose of the start."""
        c, fraction = self._c(), number("t", t)
        return Pose._made(lambda out: lib.graze_screw_at(c, fraction, out))

    def __repr__(self) -> str:
        return "Screw(center=%s, axis=%s, angle=%r, displacement=%s)" % (self.center.tolist(), self.axis.tolist(), self.angle, self.displacement.tolist())


def sweep(
    a: Any,
    motion: Any,
    b: Target,
    motion_b: Optional[VectorLike] = None,
    *,
    skip_departing: bool = False,
    place: bool = True,
    sides: str = "both",
    accept: Optional[TriangleFilter] = None,
    tolerance: float = 1e-6,
    budget: int = BUDGET,
) -> Any:
    """The first contact of `a`, which moves by start + t * motion for t in [0, 1], with `b` at rest. Returns SweepHit, or None.

    `motion` is a displacement (3,), or a Screw. Along a line hit or miss is exact, and so is which contact is first (with a curved shape within a bound);
    contact at the start is a hit at t = 0. With `motion_b` both move, and point and safe are in the frame in which b rests at its start.

    `skip_departing` ignores contacts at the start that the motion leaves. Without `place` there is no certified placement (`safe`), and a hit takes less time.
    `sides` and `accept` leave triangles of b out; see raycast(). Along a screw `tolerance` (length) is the distance at the reported t at most, and `budget`
    the number of steps per pair of parts.

    With a sequence of shapes `a`, or motions (n, 3), it is a batch: a[i] moves by motions[i]. Returns SweepArray.
    """
    target = ref_of("b", b)
    if isinstance(motion, Screw):
        if motion_b is not None:
            raise Error("motion_b is given with a Screw, must be None")
        _ = ref_of("a", a)
        return _sweep_screw(a, motion, b, tolerance, budget)
    options, calls = sweep_options(skip_departing, place, sides, accept)
    m = floats("motion", motion)
    if isinstance(a, Target) and m.ndim == 1:
        out, v, long = ffi.new("graze_sweep_hit *"), vector("motion", m), a._long and b._long
        if motion_b is None:
            interruptible(lambda: lib.graze_sweep(a._ref, doubles(v), target, options, out), calls, long=long)
        else:
            w = vector("motion_b", motion_b)
            interruptible(lambda: lib.graze_sweep_both(a._ref, doubles(v), target, doubles(w), options, out), calls, long=long)
        return SweepHit(out) if out.hit else None
    if motion_b is not None:
        raise Error("motion_b is given for a batch, must be None")
    if not is_shapes(a):
        ref_of("a", a)
    m = rows("motion", m.reshape(1, -1) if m.ndim == 1 else m, 3)
    shapes = refs_of("a", a, len(m))
    if len(m) == 1 and len(shapes) != 1:
        m = np.repeat(m, len(shapes), axis=0)
    if len(shapes) != len(m):
        raise Error("a has %d shapes and motion has %d rows, must have the same number" % (len(shapes), len(m)))
    result: SweepArray = SweepArray._room(len(m))
    refs, motions = ffi.cast("graze_ref *", shapes.ctypes.data), doubles(m)
    interruptible(
        lambda: lib.graze_sweep_batch(refs, 0, motions, stride(m), len(m), target, options, result._address(0)),
        calls,
        long=len(m) > FEW or _is_long(a) and b._long,
    )
    return result


def _sweep_screw(a: Target, motion: Screw, b: Target, tolerance: Any, budget: Any) -> Optional[SweepHit]:
    options, out, c = ffi.new("graze_rigid_sweep_options *"), ffi.new("graze_sweep_hit *"), motion._c()
    options.size = ffi.sizeof("graze_rigid_sweep_options")
    options.tolerance, options.budget = real("tolerance", tolerance), integer("budget", budget, 0, 2**63 - 1)
    interruptible(lambda: lib.graze_sweep_screw(a._ref, c, b._ref, options, out), long=a._long or b._long or options.budget > BUDGET)
    return SweepHit(out) if out.hit else None


# ---- response ----------------------------------------------------------------------------------------------------------------------------


class Material(NamedTuple):
    """How a surface reflects a body."""

    restitution: float = 1.0  #: 0..1: the share of the normal speed that is kept
    friction: float = 0.0  #: >= 0: Coulomb's coefficient
    speed_kept: float = 1.0  #: 0..1: the share of the whole speed that is kept at each hit


def material_of(material: Any) -> Any:
    """The struct of a Material."""
    expect("material", material, Material)
    return ffi.new("graze_material *", tuple(real(n, v) for n, v in zip(Material._fields, material)))


def respond(v: VectorLike, normal: VectorLike, material: Material = Material()) -> Floats:
    """The velocity (3,) after a hit at a surface with that normal. Never longer than v."""
    given, n, out = vector("v", v), direction("normal", normal), np.empty(3)
    check(lib.graze_respond(doubles(given), doubles(n), material_of(material), doubles(out)))
    return out


def slide(v: VectorLike, normal: VectorLike) -> Floats:
    """v (3,) without its component into the surface. Never longer than v."""
    given, n, out = vector("v", v), direction("normal", normal), np.empty(3)
    check(lib.graze_slide(doubles(given), doubles(n), doubles(out)))
    return out


class BounceHit(_Result):
    """One reflection within a step."""

    __slots__ = ("time", "point", "normal", "velocity_before", "velocity_after", "triangle")
    time: float  #: within the step, 0..dt
    point: Floats
    normal: Floats  #: unit length, against the motion
    velocity_before: Floats
    velocity_after: Floats
    triangle: Optional[int]

    def __init__(self, c: Any) -> None:
        self.time, self.point, self.normal = c.time, _v(c.point), _v(c.normal)
        self.velocity_before, self.velocity_after, self.triangle = _v(c.velocity_before), _v(c.velocity_after), _index(c.triangle)


class BounceStep(_Result):
    """The state of a body after a step."""

    __slots__ = ("pose", "position", "velocity", "stopped", "hits")
    pose: Pose  #: certified as SweepHit.safe is
    position: Floats  #: of a point; else the translation of `pose`
    velocity: Floats
    stopped: bool  #: velocity 0: at the contact after `max_bounces` reflections, or deep inside from the start
    hits: List[BounceHit]

    def __init__(self, c: Any, hits: List[BounceHit]) -> None:
        self.pose = Pose._of(np.frombuffer(ffi.buffer(ffi.addressof(c, "pose")), dtype=np.float64).copy())
        self.position, self.velocity, self.stopped, self.hits = _v(c.position), _v(c.velocity), bool(c.stopped), hits


def bounce(
    body: Target,
    velocity: VectorLike,
    dt: float,
    target: Target,
    material: Material = Material(),
    *,
    max_bounces: int = 10,
    sliding: bool = False,
) -> BounceStep:
    """Moves a shape with a velocity (length/s) for the time `dt` (s) among `target`, bouncing off what it meets, or sliding along it."""
    options, out = ffi.new("graze_bounce_options *"), ffi.new("graze_bounce_step *")
    options.size = ffi.sizeof("graze_bounce_options")
    options.max_bounces, options.sliding = integer("max_bounces", max_bounces, 0, 2**31 - 1), int(bool(sliding))
    v, hits, count = vector("velocity", velocity), ffi.new("graze_bounce_hit **"), ffi.new("size_t *")
    body_ref, target_ref, time = ref_of("body", body), ref_of("target", target), real("dt", dt)
    surface = material_of(material)
    interruptible(lambda: lib.graze_bounce(body_ref, doubles(v), time, target_ref, surface, options, out, hits, count), long=body._long and target._long)
    try:
        return BounceStep(out, [BounceHit(hits[0][i]) for i in range(count[0])])
    finally:
        lib.graze_free(hits[0])


# ---- vertices that move ------------------------------------------------------------------------------------------------------------------


def _first_time(call: Any, t0: Any, t1: Any) -> Optional[float]:
    a, b = (packed(shaped(n, v, (4, 3))) for n, v in (("t0", t0), ("t1", t1)))
    t, hit = ffi.new("double *"), ffi.new("int *")
    check(call(doubles(a), doubles(b), t, hit))
    return float(t[0]) if hit[0] else None


def ccd_vertex_face(t0: ArrayLike, t1: ArrayLike) -> Optional[float]:
    """The first time in [0, 1] at which a vertex and a face share a point: the largest double not above it, or None. The corners (v, f0, f1, f2), (4, 3), move
    linearly from t0 to t1. Exact in all cases."""
    return _first_time(lib.graze_ccd_vertex_face, t0, t1)


def ccd_edge_edge(t0: ArrayLike, t1: ArrayLike) -> Optional[float]:
    """The same for two edges, with the corners (a0, a1, b0, b1)."""
    return _first_time(lib.graze_ccd_edge_edge, t0, t1)


FEATURES = ("vertex_face", "face_vertex", "edge_edge")


class DeformingContact(_Result):
    """A pair of features that meet while vertices move."""

    __slots__ = ("t", "kind", "triangle_a", "triangle_b", "vertices")
    t: float
    kind: str  #: "vertex_face", "face_vertex" or "edge_edge": the feature of A, then that of B
    triangle_a: int  #: the lowest triangles that contain the features
    triangle_b: int
    vertices: NDArray[np.uint32]  #: (4,): the vertex and the face, the face and the vertex, or the edges

    def __init__(self, c: Any) -> None:
        self.t, self.kind, self.triangle_a, self.triangle_b = c.t, FEATURES[int(c.kind)], c.triangle_a, c.triangle_b
        self.vertices = np.array(list(c.vertices), np.uint32)


class DeformingContacts(Records[DeformingContact]):
    """Pairs of features that meet, by t, then kind, then vertices."""

    __slots__ = ()
    _STRUCT = "graze_deforming_contact"

    def _one(self, c: Any) -> DeformingContact:
        return DeformingContact(c)

    @property
    def t(self) -> Floats:
        """Times (k,): the largest doubles not above the true ones."""
        return self._data["t"]

    @property
    def kind(self) -> NDArray[np.str_]:
        """Words (k,)."""
        words: NDArray[np.str_] = np.array(FEATURES)[self._data["kind"]]
        return words

    @property
    def triangle_a(self) -> NDArray[np.uint32]:
        """(k,)."""
        return self._data["triangle_a"]

    @property
    def triangle_b(self) -> NDArray[np.uint32]:
        """(k,)."""
        return self._data["triangle_b"]

    @property
    def vertices(self) -> NDArray[np.uint32]:
        """(k, 4)."""
        return self._data["vertices"]


def _end(name: str, value: Any, mesh: Mesh) -> Floats:
    end = rows(name, value, 3)
    if len(end) != len(mesh.vertices):
        raise Error("%s has %d vertices, must have %d as the mesh" % (name, len(end), len(mesh.vertices)))
    return end


def ccd(
    a: Mesh,
    a1: ArrayLike,
    b: Optional[Mesh] = None,
    b1: Optional[ArrayLike] = None,
    *,
    first_only: bool = False,
    limit: Optional[int] = None,
    filter: Optional[Callable[[DeformingContact], bool]] = None,
    progress: Optional[Progress] = None,
) -> DeformingContacts:
    """All pairs of features of the meshes A and B that meet while the vertices move linearly from those of the mesh to `a1` and `b1` (n, 3). Exact.

    Without `b` those of one mesh against itself; features that share a vertex do not count then. `first_only` keeps only the first contact in time, `limit` the
    first ones in order. `filter` returns False for a contact to be dropped; it is called from several threads.
    """
    expect("a", a, Mesh)
    end_a = _end("a1", a1, a)
    options, out, count = ffi.new("graze_deforming_options *"), ffi.new("graze_deforming_contact **"), ffi.new("size_t *")
    options.size, options.first_only = ffi.sizeof("graze_deforming_options"), int(bool(first_only))
    options.limit = 2**64 - 1 if limit is None else integer("limit", limit, 0, 2**63 - 1)
    calls: Optional[Filter]
    options.filter, options.filter_user, calls = filter_of("filter", "deforming", filter, DeformingContact)
    if b is None:
        if b1 is not None:
            raise Error("b1 is given without b")
        first = (a._handle, doubles(end_a), len(end_a), stride(end_a))
        call: Any = lib.graze_ccd_self
    else:
        expect("b", b, Mesh)
        end_b = _end("b1", b.vertices if b1 is None else b1, b)
        first = (a._handle, doubles(end_a), len(end_a), stride(end_a), b._handle, doubles(end_b), len(end_b), stride(end_b))  # type: ignore
        call = lib.graze_ccd

    def work(function: Any, user: Any) -> int:
        options.progress, options.progress_user = function, user
        return int(call(*first, options, out, count))

    run(progress, work, long=len(a) + (0 if b is None else len(b)) > LONG // 10)
    if calls is not None and calls.errors:
        lib.graze_free(out[0])
        calls.raise_first()
    return DeformingContacts(take(out[0], count[0], dtype_of("graze_deforming_contact")))
