"""Worlds: bodies that fly and bounce as particles among fixed shapes, with emitters, events and shots; and movers for cameras and characters. Replays are
bit-identical."""
import math
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from graze._arrays import Floats, VectorLike, describe, doubles, integer, number, real, vector
from graze._lib import Error, check, dtype_of, ffi, lib, pointer, take
from graze._shape import Shape, Target, expect, ref_of
from graze.motion import Material, material_of
from graze.pose import Pose, PoseLike, pose_of
from graze.results import Hit, _index, _Result, _v
from graze.rays import read_rays
from graze.scene import ALL, Scene
from graze.shapes import Ray
from graze.solids import wrap


class Emitter(NamedTuple):
    """Where bodies start, and when they restart: at the end of a step in which they are slower than `slow`, below `floor`, or of the age `life`."""

    origin: VectorLike = (0.0, 0.0, 0.0)  #: start of a point, a sphere's centre, or the origin of another shape's frame
    spread: VectorLike = (0.0, 0.0, 0.0)  #: half sizes of the box of start points, >= 0
    velocity: VectorLike = (0.0, 0.0, 0.0)  #: length/s
    velocity_spread: VectorLike = (0.0, 0.0, 0.0)  #: half sizes of the box of start velocities, >= 0
    slow: float = 0.0  #: length/s, >= 0
    floor: float = -math.inf  #: height against the direction of gravity
    life: float = math.inf  #: s, > 0
    own_origin: bool = False  #: each body restarts as at its own first start; otherwise with new random numbers


class ShotHit(NamedTuple):
    """The first hit of a shot."""

    body: bool  #: a moving body, not a fixed member
    id: int
    hit: Hit


class WorldStates(NamedTuple):
    """The state of all bodies of a world, by id; NaN for removed ones."""

    rotation: Floats  #: (n, 3, 3)
    translation: Floats  #: (n, 3)
    velocity: Floats  #: (n, 3), length/s
    alive: NDArray[np.bool_]  #: (n,)


class World:
    """Fixed members (a scene) and moving bodies. The result of a step is the same, bit for bit, for any number of threads.

    `gravity` is in length/s^2, `seed` that of the emitters' random numbers, `max_bounces` the number of reflections of a body in one step. Any number
    of threads may use one world: queries run concurrently, and a change, step() included, waits for those that came before it.
    """

    __slots__ = ("_c", "__weakref__")

    def __init__(self, gravity: VectorLike = (0.0, 0.0, -9.81), *, seed: int = 1, max_bounces: int = 10, record_impacts: bool = True) -> None:
        options, out = ffi.new("graze_world_options *"), ffi.new("graze_world **")
        options.size, options.gravity = ffi.sizeof("graze_world_options"), list(vector("gravity", gravity))
        options.seed, options.max_bounces = integer("seed", seed, 0, 2**64 - 1), integer("max_bounces", max_bounces, 0, 2**31 - 1)
        options.record_impacts = int(bool(record_impacts))
        check(lib.graze_world_create(options, out))
        self._c = ffi.gc(out[0], lib.graze_world_free)

    # ---- fixed members ----

    def add_fixed(self, shape: Target, pose: Optional[PoseLike] = None, *, material: Material = Material(), group: int = 1, meets: int = ALL) -> int:
        """Adds a member that does not move by itself, and returns its id."""
        options, out = ffi.new("graze_member_options *"), ffi.new("graze_member *")
        options.size, options.group, options.meets = ffi.sizeof("graze_member_options"), integer("group", group), integer("meets", meets)
        check(lib.graze_world_add_fixed(self._c, _placed(shape, pose)._ref, material_of(material), options, out))
        return int(out[0])

    def move_fixed(self, id: int, pose: PoseLike) -> None:
        """Moves a fixed member and wakes all bodies at rest."""
        check(lib.graze_world_move_fixed(self._c, integer("id", id), pose_of("pose", pose)._c))

    @property
    def fixed(self) -> Scene:
        """The fixed members, for queries."""
        out = ffi.new("graze_scene const **")
        check(lib.graze_world_fixed(self._c, out))
        return Scene._of(ffi.cast("graze_scene *", out[0]), self)

    # ---- bodies ----

    def _body(self, velocity: Any, material: Any, drag: Any, gravity_scale: Any, meets: Any, fuse: Any, rest_speed: Any) -> Any:
        c = ffi.new("graze_body_options *")
        c.size, c.velocity, c.material = ffi.sizeof("graze_body_options"), list(vector("velocity", velocity)), material_of(material)[0]
        c.drag, c.gravity_scale, c.meets = number("drag", drag), number("gravity_scale", gravity_scale), integer("meets", meets)
        c.fuse, c.rest_speed = real("fuse", fuse), number("rest_speed", rest_speed)
        return c

    def add_moving(
        self,
        shape: Target,
        pose: Optional[PoseLike] = None,
        *,
        velocity: VectorLike = (0.0, 0.0, 0.0),
        material: Material = Material(),
        drag: float = 0.0,
        gravity_scale: float = 1.0,
        meets: int = ALL,
        fuse: float = math.inf,
        rest_speed: float = 0.0,
    ) -> int:
        """Adds a body of a bounded, non-empty shape, and returns its id.

        `velocity` is in length/s, `drag` in 1/s, `fuse` the age in s at which it explodes and is removed; slower than `rest_speed` just after a hit, it rests
        until disturbed. `meets` are the groups of fixed members that it collides with.
        """
        options, out = self._body(velocity, material, drag, gravity_scale, meets, fuse, rest_speed), ffi.new("graze_body *")
        check(lib.graze_world_add_moving(self._c, _placed(shape, pose)._ref, options, out))
        return int(out[0])

    def add_emitter(
        self,
        shape: Shape,
        count: int,
        emitter: Emitter,
        *,
        material: Material = Material(),
        drag: float = 0.0,
        gravity_scale: float = 1.0,
        meets: int = ALL,
        fuse: float = math.inf,
        rest_speed: float = 0.0,
    ) -> int:
        """Adds `count` bodies of one shape that start at the emitter, with the world's random numbers. Returns the first id; the others follow it."""
        expect("shape", shape, Shape)
        expect("emitter", emitter, Emitter)
        c, out = ffi.new("graze_emitter *"), ffi.new("graze_body *")
        c.size = ffi.sizeof("graze_emitter")
        for name in ("origin", "spread", "velocity", "velocity_spread"):
            setattr(c, name, list(vector(name, getattr(emitter, name))))
        for name in ("slow", "floor", "life"):
            setattr(c, name, real(name, getattr(emitter, name)))
        c.own_origin = int(bool(emitter.own_origin))
        options = self._body((0.0, 0.0, 0.0), material, drag, gravity_scale, meets, fuse, rest_speed)
        check(lib.graze_world_add_emitter(self._c, shape._ref, integer("count", count), c, options, out))
        return int(out[0])

    def remove(self, body: int) -> None:
        """Removes a body. Its id is never used again."""
        check(lib.graze_world_remove(self._c, integer("body", body)))

    def _number(self, call: Any, kind: str, *arguments: Any) -> Any:
        out = ffi.new(kind + " *")
        check(call(self._c, *arguments, out))
        return out[0]

    def __len__(self) -> int:
        """The number of ids in use, including those of removed bodies."""
        return int(self._number(lib.graze_world_bodies, "size_t"))

    def alive(self, body: int) -> bool:
        """Whether the body is there, not removed or exploded."""
        return bool(self._number(lib.graze_world_alive, "int", integer("body", body)))

    def shape(self, body: int) -> Shape:
        """The shape of a body."""
        return wrap(self._number(lib.graze_world_shape, "graze_shape *", integer("body", body)))

    def pose(self, body: int) -> Pose:
        """The pose of a body."""
        i = integer("body", body)
        return Pose._made(lambda out: lib.graze_world_pose(self._c, i, out))

    def _vector(self, call: Any, body: Any) -> Floats:
        out = np.empty(3)
        check(call(self._c, integer("body", body), doubles(out)))
        return out

    def position(self, body: int) -> Floats:
        """The position of a body (3,)."""
        return self._vector(lib.graze_world_position, body)

    def velocity(self, body: int) -> Floats:
        """The velocity of a body (3,), length/s."""
        return self._vector(lib.graze_world_velocity, body)

    def positions(self) -> Floats:
        """The positions of all ids (n, 3); NaN for removed bodies."""
        while True:
            out = np.full((len(self), 3), np.nan)
            if self._filled(lib.graze_world_positions(self._c, len(out), doubles(out)), len(out)):
                return out

    def _filled(self, status: int, n: int) -> bool:
        """Whether a call has filled arrays for n bodies; False where another thread has added some since they were made."""
        if status and len(self) == n:
            check(status)
        return not status

    def velocities(self) -> Floats:
        """The velocities of all ids (n, 3); NaN for removed bodies."""
        return self.states().velocity

    def states(self) -> "WorldStates":
        """Poses and velocities of all ids at once; NaN for removed bodies."""
        while True:
            n = len(self)
            poses, velocities, alive = np.full((n, 12), np.nan), np.full((n, 3), np.nan), np.empty(n, np.bool_)
            to = pointer("graze_pose *", poses), 0, doubles(velocities), 0, ffi.cast("uint8_t *", alive.ctypes.data)
            if self._filled(lib.graze_world_states(self._c, n, *to), n):
                return WorldStates(poses[:, :9].reshape(n, 3, 3), poses[:, 9:], velocities, alive)

    def set_velocity(self, body: int, velocity: VectorLike) -> None:
        """Sets the velocity of a body and wakes it."""
        v = vector("velocity", velocity)
        check(lib.graze_world_set_velocity(self._c, integer("body", body), doubles(v)))

    # ---- motion ----

    def step(self, dt: float) -> None:
        """Advances all bodies by dt seconds, on all cores."""
        check(lib.graze_world_step(self._c, real("dt", dt)))

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return float(self._number(lib.graze_world_time, "double"))

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return int(self._number(lib.graze_world_steps, "uint64_t"))

    def kinetic_energy(self) -> float:
        """Of unit masses."""
        return float(self._number(lib.graze_world_kinetic_energy, "double"))

    def _events(self, call: Any, struct: str) -> NDArray[Any]:
        out, count = ffi.new(struct + " **"), ffi.new("size_t *")
        check(call(self._c, out, count))
        return take(out[0], count[0], dtype_of(struct))

    def impacts(self) -> NDArray[Any]:
        """Bounces of the last step, by time, then body: a structured array of time, a (the fixed member), b (the body), point, normal, speed (along the
        normal, before the impact), triangle (or -1)."""
        return self._events(lib.graze_world_impacts, "graze_impact")

    def stops(self) -> NDArray[Any]:
        """Bodies stopped after `max_bounces` reflections in the last step: a structured array of time, a, b, point."""
        return self._events(lib.graze_world_stops, "graze_stop")

    def respawns(self) -> NDArray[Any]:
        """Bodies restarted at their emitters in the last step: a structured array of time, body."""
        return self._events(lib.graze_world_respawns, "graze_respawn")

    def explosions(self) -> NDArray[Any]:
        """Fuses that ended in the last step: a structured array of time, body, point."""
        return self._events(lib.graze_world_explosions, "graze_explosion")

    def shoot(self, origin: Any, direction: Optional[VectorLike] = None, t_max: float = math.inf) -> Optional[ShotHit]:
        """The first hit of a ray with a body or a fixed member, or None."""
        one, _ = read_rays(origin, direction)
        expect("origin", one, Ray)
        out = ffi.new("graze_shot_hit *")
        check(lib.graze_world_shoot(self._c, ffi.cast("graze_ray *", one._ref.shape), real("t_max", t_max), out))
        return ShotHit(bool(out.body), out.id, Hit(out.hit)) if out.hit.hit else None

    # ---- copies ----

    def copy(self) -> "World":
        """A world that continues with the same bits."""
        out = ffi.new("graze_world **")
        check(lib.graze_world_copy(self._c, out))
        world = World.__new__(World)
        world._c = ffi.gc(out[0], lib.graze_world_free)
        return world

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "World":
        return self.copy()

    def snapshot(self) -> bytes:
        """Time, seed, poses, velocities and ages."""
        return _snapshot(lib.graze_world_snapshot, self._c)

    def restore(self, snapshot: bytes) -> None:
        """Continues from a snapshot of a world that was built alike, with the same bits. Changes nothing on an error."""
        _restore(lib.graze_world_restore, self._c, snapshot)

    def __repr__(self) -> str:
        return "World(%d bodies, %d fixed members)" % (len(self), len(self.fixed))


def _placed(shape: Any, pose: Any) -> Target:
    ref_of("shape", shape)
    if pose is None:
        return shape  # type: ignore
    expect("shape", shape, Shape)
    return shape.at(pose)  # type: ignore


def _snapshot(call: Any, c: Any) -> bytes:
    out, count = ffi.new("uint8_t **"), ffi.new("size_t *")
    check(call(c, out, count))
    try:
        return bytes(ffi.buffer(out[0], count[0]))
    finally:
        lib.graze_free(out[0])


def _restore(call: Any, c: Any, snapshot: Any) -> None:
    if not isinstance(snapshot, (bytes, bytearray, memoryview)):
        raise TypeError("snapshot is %s, must be bytes" % describe(snapshot))
    data = bytes(snapshot)
    check(call(c, ffi.from_buffer("uint8_t[]", data), len(data)))


class MoverResult(_Result):
    """What a move of a Mover did."""

    __slots__ = ("grounded", "ground_normal", "ground", "contacts", "carried", "enclosed")
    grounded: bool
    ground_normal: Floats
    ground: Optional[int]  #: the member that the body stands on
    contacts: int
    carried: Floats  #: length: displacement by moved members, before the requested motion
    enclosed: bool  #: a member meets the body and no push frees it; the body did not move

    def __init__(self, c: Any) -> None:
        self.grounded, self.ground_normal, self.ground = bool(c.grounded), _v(c.ground_normal), _index(c.ground)
        self.contacts, self.carried, self.enclosed = c.contacts, _v(c.carried), bool(c.enclosed)


class Mover:
    """A camera or character: a Sphere or upright Capsule that slides along walls, climbs steps and is never inside a wall.

    `up` has any non-zero length; ledges up to `step_height` (length) are climbed; `steepest_slope` is the least cosine between `up` and the normal of a floor
    that the body stands on. The scene's members may move between the moves of the body. Raises Error when the body meets the scene at `position`.
    """

    __slots__ = ("_c", "_scene", "__weakref__")

    def __init__(
        self,
        scene: Scene,
        body: Shape,
        position: VectorLike,
        *,
        up: VectorLike = (0.0, 0.0, 1.0),
        step_height: float = 0.3,
        steepest_slope: float = 0.7,
        max_slides: int = 6,
    ) -> None:
        expect("scene", scene, Scene)
        options, out, p = ffi.new("graze_mover_options *"), ffi.new("graze_mover **"), vector("position", position)
        options.size, options.up = ffi.sizeof("graze_mover_options"), list(vector("up", up))
        options.step_height, options.steepest_slope = real("step_height", step_height), real("steepest_slope", steepest_slope)
        options.max_slides = integer("max_slides", max_slides, 1, 2**31 - 1)
        check(lib.graze_mover_create(scene._c, ref_of("body", body), doubles(p), options, out))
        self._c, self._scene = ffi.gc(out[0], lib.graze_mover_free), scene

    def move(self, wish: VectorLike) -> MoverResult:
        """Follows the members that have moved, then moves the body by `wish` (length)."""
        w, out = vector("wish", wish), ffi.new("graze_mover_result *")
        check(lib.graze_mover_move(self._c, doubles(w), out))
        return MoverResult(out)

    @property
    def scene(self) -> Scene:
        """The scene."""
        return self._scene

    @property
    def pose(self) -> Pose:
        """The pose of the body."""
        return Pose._made(lambda out: lib.graze_mover_pose(self._c, out))

    @property
    def position(self) -> Floats:
        """The translation of the pose (3,)."""
        return self.pose.translation

    @position.setter
    def position(self, position: VectorLike) -> None:
        """Puts the body somewhere else. Raises Error, without moving it, where it would meet the scene."""
        p = vector("position", position)
        check(lib.graze_mover_set_position(self._c, doubles(p)))

    @property
    def enclosed(self) -> bool:
        """Whether the body meets the scene, as of the last move."""
        out = ffi.new("int *")
        check(lib.graze_mover_enclosed(self._c, out))
        return bool(out[0])

    def copy(self) -> "Mover":
        """A mover in the same scene that continues with the same bits."""
        out = ffi.new("graze_mover **")
        check(lib.graze_mover_copy(self._c, out))
        mover = Mover.__new__(Mover)
        mover._c, mover._scene = ffi.gc(out[0], lib.graze_mover_free), self._scene
        return mover

    __copy__ = copy

    def snapshot(self) -> bytes:
        """The bytes that a copy needs, besides the scene."""
        return _snapshot(lib.graze_mover_snapshot, self._c)

    def restore(self, snapshot: bytes) -> None:
        """Continues from a snapshot of a mover with the same body and scene."""
        _restore(lib.graze_mover_restore, self._c, snapshot)
