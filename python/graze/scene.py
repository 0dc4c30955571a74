"""Scenes: many placed shapes with ids, which may be added, moved and removed, and queries over all of them."""
import math
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, VectorLike, describe, doubles, integer, real, stride, vector
from graze._calls import TriangleFilter, filter_of, finish, interruptible
from graze._lib import Error, check, dtype_of, ffi, lib, take, text
from graze._shape import Shape, Target, expect, ref_of
from graze.motion import sweep_options
from graze.pose import Pose, PoseLike, pose_of, poses_of
from graze.query import RELATIONS
from graze.rays import LONG, ray_options, read_rays
from graze.results import Closest, Hit, HitArray, Records, SweepHit, _Result, _v
from graze.solids import Frustum, wrap

Member = Union[int, str]
"""A member of a scene: its id, or its name if only one has that name."""
Indices = NDArray[np.uint32]
ALL = 2**32 - 1
MEMBERS = 20000  # members from which a question about a shape may take long
MANY = 100  # members from which a question about all pairs may take long


class SceneHit(NamedTuple):
    """The first hit of a ray with a member."""

    member: int
    hit: Hit


class SceneSweepHit(NamedTuple):
    """The first contact with a member."""

    member: int
    hit: SweepHit


class SceneClosest(NamedTuple):
    """The member nearest to a shape: `closest.on_a` lies on the shape, `closest.on_b` on the member."""

    member: int
    closest: Closest


class SceneHitArray(HitArray):
    """Hits of rays with members of a scene; `member` is -1 where there is none."""

    __slots__ = ()
    _STRUCT = "graze_scene_hit"

    def _one(self, c: Any) -> Any:
        return SceneHit(c.member, Hit(c.hit)) if c.hit.hit else None

    @property
    def _hits(self) -> NDArray[Any]:
        return self._data["hit"]

    @property
    def member(self) -> NDArray[np.int64]:
        """Members (n,), or -1."""
        return self._data["member"]


class ScenePair(_Result):
    """Two members that touch, or lie within a distance."""

    __slots__ = ("a", "b", "distance", "on_a", "on_b", "relation")
    a: int  #: a < b
    b: int
    distance: float  #: 0 when they touch
    on_a: Floats  #: witnesses
    on_b: Floats
    relation: Optional[str]  #: if requested; None where the members touch and relation() refuses the pair

    def __init__(self, c: Any) -> None:
        self.a, self.b, self.distance, self.on_a, self.on_b = c.a, c.b, c.distance, _v(c.on_a), _v(c.on_b)
        self.relation = RELATIONS[c.relation] if c.relation >= 0 else None


class ScenePairs(Records[ScenePair]):
    """Pairs of members, ascending."""

    __slots__ = ()
    _STRUCT = "graze_scene_pair"

    def _one(self, c: Any) -> ScenePair:
        return ScenePair(c)

    @property
    def a(self) -> Indices:
        """Ids (n,)."""
        return self._data["a"]

    @property
    def b(self) -> Indices:
        """Ids (n,), each above that of a."""
        return self._data["b"]

    @property
    def distance(self) -> Floats:
        """Lengths (n,); 0 where they touch, and without witnesses."""
        return self._data["distance"]

    @property
    def on_a(self) -> Floats:
        """Witnesses (n, 3)."""
        return self._data["on_a"]

    @property
    def on_b(self) -> Floats:
        """Witnesses (n, 3)."""
        return self._data["on_b"]

    @property
    def relation(self) -> NDArray[np.str_]:
        """Words (n,); "" if not requested, and where relation() refuses the pair."""
        words: NDArray[np.str_] = np.array(("",) + RELATIONS)[self._data["relation"] + 1]
        return words


class Scene:
    """Many placed shapes with ids. Functions that take a member accept its id, or its name if only one has that name.

    Any number of threads may use one scene: queries run concurrently, and a change waits for those that came before it. A filter must not change the scene that
    its query is about (Error), but may ask about it.
    """

    __slots__ = ("_c", "_owner", "_names", "_allowed", "_large", "__weakref__")

    def __init__(self) -> None:
        out = ffi.new("graze_scene **")
        check(lib.graze_scene_create(out))
        self._c = ffi.gc(out[0], lib.graze_scene_free)
        self._owner: Any = None
        self._names: Dict[str, List[int]] = {}
        self._allowed: Set[Tuple[int, int]] = set()
        self._large = False

    @classmethod
    def _of(cls, c: Any, owner: Any) -> "Scene":
        """The fixed members of a world: a view, not to be changed."""
        scene = cls.__new__(cls)
        scene._c, scene._owner, scene._names, scene._allowed, scene._large = c, owner, {}, set(), True
        return scene

    def _long(self) -> bool:
        """Whether a question about all pairs may take long."""
        return self._large or len(self) > MANY

    def _slow(self, shape: Target) -> bool:
        """Whether a question about a shape may take long."""
        return self._large and shape._long or len(self) > MEMBERS

    def _change(self) -> Any:
        if self._owner is not None:
            raise Error("the fixed members of a world change only by World.add_fixed() and World.move_fixed()")
        return self._c

    # ---- members ----

    def add(self, name: Any, shape: Any = None, pose: Optional[PoseLike] = None, *, group: int = 1, meets: int = ALL) -> int:
        """Adds a shape, and returns its id: add("gear", gear, pose) or add(gear.at(pose)). Names need not be unique. Data of meshes and hulls is shared.

        `group` are the bits of the groups that it belongs to; pairs count two members when the group of each shares a bit with the `meets` of the other. Raises
        Error when the placed shape is not valid.
        """
        if isinstance(name, Target):
            if pose is not None or isinstance(shape, (str, Target)):
                raise TypeError("the name comes first: scene.add(name, shape, pose)")
            name, shape, pose = "", name, shape
        if not isinstance(name, str):
            raise TypeError("name is %s, must be a str" % describe(name))
        if pose is not None:
            expect("shape", shape, Shape)
            shape = shape.at(pose)
        options, out = ffi.new("graze_member_options *"), ffi.new("graze_member *")
        options.size, options.group, options.meets = ffi.sizeof("graze_member_options"), integer("group", group), integer("meets", meets)
        check(lib.graze_scene_add(self._change(), _c_name(name), ref_of("shape", shape), options, out))
        if shape._long:
            self._large = True
        self._names.setdefault(name, []).append(int(out[0]))
        return int(out[0])

    def _id(self, member: Member) -> int:
        if isinstance(member, str):
            ids = self._names.get(member, [])
            if len(ids) != 1:
                raise Error("%d members have the name %r, must be one" % (len(ids), member), "unknown_id")
            return ids[0]
        return integer("member", member)

    def id(self, name: str) -> int:
        """The id of the only member with that name."""
        if not isinstance(name, str):
            raise TypeError("name is %s, must be a str" % describe(name))
        return self._id(name)

    def move(self, member: Any, pose: Any) -> None:
        """Gives a member another pose; or, for a sequence of members, members[i] the pose poses[i]: all or, on an error, none."""
        if not isinstance(member, (list, tuple, range)) and not (isinstance(member, np.ndarray) and member.ndim):
            check(lib.graze_scene_move(self._change(), self._id(member), pose_of("pose", pose)._c))
            return
        ids, poses = np.array([self._id(m) for m in member], np.uint32), poses_of(pose)
        if len(ids) != len(poses):
            raise Error("there are %d members and %d poses, must be the same number" % (len(ids), len(poses)))
        c = ffi.cast("graze_pose *", poses._array.ctypes.data)
        check(lib.graze_scene_move_batch(self._change(), ffi.cast("graze_member *", ids.ctypes.data), c, len(ids), 0))

    def replace(self, member: Member, shape: Shape) -> None:
        """Gives a member another shape at the same pose, such as a refitted mesh."""
        expect("shape", shape, Shape)
        check(lib.graze_scene_replace(self._change(), self._id(member), shape._ref))
        if shape._long:
            self._large = True

    def remove(self, member: Member) -> None:
        """Removes a member. Its id is never used again."""
        i = self._id(member)
        name = self.name(i)
        check(lib.graze_scene_remove(self._change(), i))
        self._names[name].remove(i)

    def __len__(self) -> int:
        out = ffi.new("size_t *")
        check(lib.graze_scene_size(self._c, out))
        return int(out[0])

    def __contains__(self, member: Member) -> bool:
        if isinstance(member, str):
            return bool(self._names.get(member))
        out = ffi.new("int *")
        check(lib.graze_scene_has(self._c, integer("member", member), out))
        return bool(out[0])

    def __iter__(self) -> Iterator[int]:
        return iter(self.members().tolist())

    def members(self) -> Indices:
        """The ids, ascending."""
        return self._list(lib.graze_scene_members)

    def name(self, member: Member) -> str:
        """The name of a member."""
        out = ffi.new("char **")
        check(lib.graze_scene_name(self._c, self._id(member), out))
        try:
            return text(out[0])
        finally:
            lib.graze_free(out[0])

    def shape(self, member: Member) -> Shape:
        """The shape of a member, not placed. Data of meshes and hulls is shared."""
        out = ffi.new("graze_shape **")
        check(lib.graze_scene_shape(self._c, self._id(member), out))
        return wrap(out[0])

    def pose(self, member: Member) -> Pose:
        """The pose of a member."""
        i = self._id(member)
        return Pose._made(lambda out: lib.graze_scene_pose(self._c, i, out))

    def options(self, member: Member) -> Tuple[int, int]:
        """(group, meets) of a member."""
        out = ffi.new("graze_member_options *")
        check(lib.graze_scene_options(self._c, self._id(member), out))
        return out.group, out.meets

    def copy(self) -> "Scene":
        """A scene with the same members and ids."""
        out = ffi.new("graze_scene **")
        check(lib.graze_scene_copy(self._c, out))
        scene = Scene._of(ffi.gc(out[0], lib.graze_scene_free), None)
        # Each of the next two is one step for other threads; a member that one of them adds or removes may be in one of copy and names.
        scene._allowed, scene._large, names = set(self._allowed), self._large, dict(self._names)
        unknown = set(scene)
        for name, ids in names.items():
            scene._names[name] = [i for i in list(ids) if i in unknown]
            unknown.difference_update(scene._names[name])
        for i in sorted(unknown):
            scene._names.setdefault(scene.name(i), []).append(i)
        return scene

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Scene":
        return self.copy()

    def __repr__(self) -> str:
        return "Scene(%d members)" % len(self)

    # ---- queries ----

    def _filter(self, groups: Any, accept: Any) -> Tuple[Any, Any]:
        c = ffi.new("graze_scene_filter *")
        c.size, c.groups = ffi.sizeof("graze_scene_filter"), integer("groups", groups)
        c.accept, c.accept_user, calls = filter_of("members", "member", accept)
        return c, calls

    def _list(self, call: Any, *arguments: Any) -> Indices:
        out, count = ffi.new("uint32_t **"), ffi.new("size_t *")
        check(call(self._c, *arguments, out, count))
        return take(out[0], count[0], np.uint32)

    def raycast(
        self,
        origins: Any,
        directions: Optional[ArrayLike] = None,
        *,
        t_min: Optional[float] = None,
        t_max: float = math.inf,
        sides: str = "both",
        accept: Optional[TriangleFilter] = None,
        groups: int = ALL,
        members: Optional[Callable[[int], bool]] = None,
    ) -> Any:
        """The first hits of rays with any member, as graze.raycast(): SceneHit or None for one ray, SceneHitArray for many. Ties go to the lowest id.

        `groups` are those of the members that take part, `members` a function that returns whether a member does; it is called from several threads.
        """
        one, many = read_rays(origins, directions)
        options, calls = ray_options(t_min, t_max, sides, accept)
        chosen, choosing = self._filter(groups, members)
        if many is None:
            out = ffi.new("graze_scene_hit *")
            finish(lib.graze_scene_raycast(self._c, one._ref, options, chosen, out), calls, choosing)
            return SceneHit(out.member, Hit(out.hit)) if out.hit.hit else None
        result: SceneHitArray = SceneHitArray._room(len(many))
        rows, n = many.joined(), len(many)  # in one call, so that all are about the same members
        rays, step, to = ffi.cast("graze_ray *", rows.ctypes.data), stride(rows), result._address(0)
        interruptible(lambda: lib.graze_scene_raycast_batch(self._c, rays, n, step, options, chosen, to), calls, choosing, long=n > LONG)
        return result

    def raycast_all(
        self,
        origins: Any,
        directions: Optional[ArrayLike] = None,
        *,
        t_min: Optional[float] = None,
        t_max: float = math.inf,
        sides: str = "both",
        accept: Optional[TriangleFilter] = None,
        groups: int = ALL,
        members: Optional[Callable[[int], bool]] = None,
    ) -> SceneHitArray:
        """All hits of one ray with all members, in exact order."""
        one, many = read_rays(origins, directions)
        if many is not None:
            raise Error("raycast_all of a scene takes one ray, not %d" % len(many))
        options, calls = ray_options(t_min, t_max, sides, accept)
        chosen, choosing = self._filter(groups, members)
        out, count = ffi.new("graze_scene_hit **"), ffi.new("size_t *")
        finish(lib.graze_scene_raycast_all(self._c, one._ref, options, chosen, out, count), calls, choosing)
        return SceneHitArray(take(out[0], count[0], dtype_of("graze_scene_hit")))

    def sweep(
        self,
        a: Target,
        motion: VectorLike,
        *,
        skip_departing: bool = False,
        place: bool = True,
        sides: str = "both",
        accept: Optional[TriangleFilter] = None,
        groups: int = ALL,
        members: Optional[Callable[[int], bool]] = None,
    ) -> Optional[SceneSweepHit]:
        """The first contact of a moving shape with any member, as graze.sweep(). Ties go to the lowest id."""
        options, calls = sweep_options(skip_departing, place, sides, accept)
        chosen, choosing = self._filter(groups, members)
        out, v = ffi.new("graze_scene_sweep_hit *"), vector("motion", motion)
        ref = ref_of("a", a)
        interruptible(lambda: lib.graze_scene_sweep(self._c, ref, doubles(v), options, chosen, out), calls, choosing, long=self._slow(a))
        return SceneSweepHit(out.member, SweepHit(out.hit)) if out.hit.hit else None

    def sweep_between(self, a: Target, *, start: VectorLike, end: VectorLike, skip_departing: bool = False, place: bool = True) -> Optional[SceneSweepHit]:
        """The same for the exact motion end - start, whose ends are given in doubles."""
        options, _ = sweep_options(skip_departing, place, "both", None)
        chosen, _ = self._filter(ALL, None)
        out, v, w = ffi.new("graze_scene_sweep_hit *"), vector("start", start), vector("end", end)
        ref = ref_of("a", a)
        interruptible(lambda: lib.graze_scene_sweep_between(self._c, ref, doubles(v), doubles(w), options, chosen, out), long=self._slow(a))
        return SceneSweepHit(out.member, SweepHit(out.hit)) if out.hit.hit else None

    def sweep_all(
        self,
        a: Target,
        motion: VectorLike,
        *,
        skip_departing: bool = False,
        place: bool = True,
        sides: str = "both",
        accept: Optional[TriangleFilter] = None,
        groups: int = ALL,
        members: Optional[Callable[[int], bool]] = None,
    ) -> List[SceneSweepHit]:
        """The first contact with each member that the moving shape meets, in exact order."""
        options, calls = sweep_options(skip_departing, place, sides, accept)
        chosen, choosing = self._filter(groups, members)
        out, count, v = ffi.new("graze_scene_sweep_hit **"), ffi.new("size_t *"), vector("motion", motion)
        ref = ref_of("a", a)
        interruptible(lambda: lib.graze_scene_sweep_all(self._c, ref, doubles(v), options, chosen, out, count), calls, choosing, long=self._slow(a))
        try:
            return [SceneSweepHit(out[0][i].member, SweepHit(out[0][i].hit)) for i in range(count[0])]
        finally:
            lib.graze_free(out[0])

    def overlapping(self, shape: Target, *, groups: int = ALL, members: Optional[Callable[[int], bool]] = None) -> Indices:
        """The members that share a point with the shape, ascending."""
        chosen, choosing = self._filter(groups, members)
        out, count = ffi.new("graze_member **"), ffi.new("size_t *")
        ref = ref_of("shape", shape)
        interruptible(lambda: lib.graze_scene_overlapping(self._c, ref, chosen, out, count), choosing, long=self._slow(shape))
        return take(out[0], count[0], np.uint32)

    def intersects(self, shape: Target, *, groups: int = ALL, members: Optional[Callable[[int], bool]] = None) -> bool:
        """Whether any member shares a point with the shape."""
        chosen, choosing = self._filter(groups, members)
        out = ffi.new("int *")
        ref = ref_of("shape", shape)
        interruptible(lambda: lib.graze_scene_intersects(self._c, ref, chosen, out), choosing, long=self._slow(shape))
        return bool(out[0])

    def closest(self, shape: Target, *, groups: int = ALL, members: Optional[Callable[[int], bool]] = None) -> Optional[SceneClosest]:
        """The member nearest to the shape; ties go to the lowest id. None when there is no member."""
        chosen, choosing = self._filter(groups, members)
        member, out = ffi.new("int64_t *"), ffi.new("graze_closest_points *")
        ref = ref_of("shape", shape)
        interruptible(lambda: lib.graze_scene_closest(self._c, ref, chosen, member, out), choosing, long=self._slow(shape))
        return SceneClosest(int(member[0]), Closest(out)) if member[0] >= 0 else None

    def visible(self, frustum: Frustum, *, groups: int = ALL, members: Optional[Callable[[int], bool]] = None) -> Indices:
        """The members inside or crossing the frustum, ascending."""
        expect("frustum", frustum, Frustum)
        chosen, choosing = self._filter(groups, members)
        out, count = ffi.new("graze_member **"), ffi.new("size_t *")
        finish(lib.graze_scene_visible(self._c, frustum._handle, chosen, out, count), choosing)
        return take(out[0], count[0], np.uint32)

    # ---- pairs of members ----

    def allow(self, a: Member, b: Member, allowed: bool = True) -> None:
        """Lets two members touch, such as the adjacent links of a robot: queries about pairs leave them out. With `allowed` False they count again."""
        i, j = sorted((self._id(a), self._id(b)))
        (self._allowed.add if allowed else self._allowed.discard)((i, j))

    def _pair_options(self, within: Any, witnesses: Any, relations: Any, accept: Any, excluded: Optional[Iterable[Sequence[Member]]]) -> Tuple[Any, Any, Any]:
        options = ffi.new("graze_scene_pair_options *")
        options.size, options.within = ffi.sizeof("graze_scene_pair_options"), real("within", within)
        options.witnesses, options.relations = int(bool(witnesses)), int(bool(relations))
        options.accept, options.accept_user, calls = filter_of("accept", "pair", accept)
        pairs = set(self._allowed)
        for i, pair in enumerate(excluded or ()):
            if not isinstance(pair, (tuple, list, np.ndarray)) or len(pair) != 2:
                raise TypeError("excluded[%d] is %s, must be a pair of members" % (i, describe(pair)))
            pairs.add((self._id(pair[0]), self._id(pair[1])))
        keep = ffi.new("graze_member_pair[]", sorted(pairs))
        options.excluded, options.excluded_count = (keep, len(pairs)) if pairs else (ffi.NULL, 0)
        return options, calls, keep

    def pairs(
        self,
        within: float = 0.0,
        *,
        witnesses: bool = True,
        relations: bool = False,
        accept: Optional[Callable[[int, int], bool]] = None,
        excluded: Optional[Iterable[Sequence[Member]]] = None,
    ) -> ScenePairs:
        """All pairs of members at most `within` (length) apart, ascending; by default those that touch. On all cores.

        Without `witnesses` distances and points stay 0. `accept(a, b)` returns whether a pair counts; it is called from several threads. `excluded` are pairs
        that do not count, besides those of allow().
        """
        options, calls, _keep = self._pair_options(within, witnesses, relations, accept, excluded)
        out, count = ffi.new("graze_scene_pair **"), ffi.new("size_t *")
        interruptible(lambda: lib.graze_scene_pairs(self._c, options, out, count), calls, long=self._long())
        return ScenePairs(take(out[0], count[0], dtype_of("graze_scene_pair")))

    def any_pair(
        self,
        within: float = 0.0,
        *,
        witnesses: bool = True,
        relations: bool = False,
        accept: Optional[Callable[[int, int], bool]] = None,
        excluded: Optional[Iterable[Sequence[Member]]] = None,
    ) -> Optional[ScenePair]:
        """One of those pairs, always the same, or None. Faster."""
        return self._one_pair(lib.graze_scene_any_pair, within, witnesses, relations, accept, excluded)

    def least_distance(
        self,
        *,
        relations: bool = False,
        accept: Optional[Callable[[int, int], bool]] = None,
        excluded: Optional[Iterable[Sequence[Member]]] = None,
    ) -> Optional[ScenePair]:
        """The pair at the least distance; ties go to the lowest pair. None when there is no pair."""
        return self._one_pair(lib.graze_scene_least_distance, 0.0, True, relations, accept, excluded)

    def _one_pair(self, call: Any, *arguments: Any) -> Optional[ScenePair]:
        options, calls, _keep = self._pair_options(*arguments)
        out, has = ffi.new("graze_scene_pair *"), ffi.new("int *")
        interruptible(lambda: call(self._c, options, out, has), calls, long=self._long())
        return ScenePair(out) if has[0] else None


def _c_name(name: str) -> bytes:
    if "\0" in name:
        raise Error("the name has a NUL character")
    return name.encode("utf-8", "surrogateescape")
