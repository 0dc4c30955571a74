"""The broad phase: axis-aligned boxes that may all move every frame, the pairs that overlap, and the boxes that meet a shape."""
import math
from typing import Any, Callable, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, floats, integer, packed, real
from graze._calls import filter_of, finish, interruptible
from graze._lib import Error, check, ffi, lib, pointer, take
from graze._shape import ShapeArray, Target, expect, ref_of
from graze.shapes import Box, Ray
from graze.solids import Frustum

Indices = NDArray[np.uint32]
MANY = 20000  # boxes from which all pairs may take long


def _boxes(value: Any) -> Floats:
    """Boxes as rows min x y z, max x y z."""
    if isinstance(value, ShapeArray):
        if value.type is not Box:
            raise TypeError("boxes holds %ss, must hold Boxes" % value.type.__name__)
        return value._data
    array = packed(floats("boxes", value))
    if array.size == 0:
        array = array.reshape(0, 6)
    if array.ndim != 2 or array.shape[1] != 6:
        raise Error("boxes has the shape %s, must have (n, 6): rows of min x y z, max x y z" % (array.shape,))
    return array


class BroadPhase:
    """A set of closed axis-aligned boxes with ids. Answers are exact on the boxes of doubles. Sides may be infinite.

    `boxes` are rows (n, 6) of min x y z, max x y z, or Box.array(...); they get the ids 0 .. n - 1. Any number
    of threads may use one set.
    """

    __slots__ = ("_c", "__weakref__")

    def __init__(self, boxes: Optional[ArrayLike] = None) -> None:
        out = ffi.new("graze_broad_phase **")
        check(lib.graze_broad_phase_create(out))
        self._c = ffi.gc(out[0], lib.graze_broad_phase_free)
        if boxes is not None:
            self.assign(boxes)

    def insert(self, box: Box) -> int:
        """Adds a box and returns its id. Ids count from 0; those of removed boxes are used again, lowest first."""
        expect("box", box, Box)
        out = ffi.new("uint32_t *")
        check(lib.graze_broad_phase_insert(self._c, ffi.cast("graze_box *", box._ref.shape), out))
        return int(out[0])

    def assign(self, boxes: ArrayLike) -> None:
        """Replaces the contents by these boxes, with the ids 0 .. n - 1."""
        b = _boxes(boxes)
        check(lib.graze_broad_phase_assign(self._c, pointer("graze_box *", b), len(b), 0))

    def remove(self, id: int) -> None:
        """Removes a box."""
        check(lib.graze_broad_phase_remove(self._c, integer("id", id)))

    def move(self, id: int, box: Box) -> None:
        """Replaces a box."""
        expect("box", box, Box)
        check(lib.graze_broad_phase_move(self._c, integer("id", id), ffi.cast("graze_box *", box._ref.shape)))

    def move_all(self, boxes: ArrayLike) -> None:
        """Replaces the box of id i by boxes[i], for all ids at once. After an Error for an invalid box some of the others may have moved."""
        b = _boxes(boxes)
        check(lib.graze_broad_phase_move_all(self._c, pointer("graze_box *", b), len(b), 0))

    def box(self, id: int) -> Box:
        """The box with that id."""
        out = np.empty(6)
        check(lib.graze_broad_phase_box(self._c, integer("id", id), pointer("graze_box *", out)))
        return Box._of(out)

    def __len__(self) -> int:
        out = ffi.new("size_t *")
        check(lib.graze_broad_phase_size(self._c, out))
        return int(out[0])

    def copy(self) -> "BroadPhase":
        """A set of the same boxes with the same ids."""
        out = ffi.new("graze_broad_phase **")
        check(lib.graze_broad_phase_copy(self._c, out))
        boxes = BroadPhase.__new__(BroadPhase)
        boxes._c = ffi.gc(out[0], lib.graze_broad_phase_free)
        return boxes

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "BroadPhase":
        return self.copy()

    def pairs(self, other: Optional["BroadPhase"] = None) -> Indices:
        """All pairs of ids (n, 2) whose boxes share a point, ascending: (a < b) of this set, or (id of this, id of the other)."""
        out, count = ffi.new("graze_id_pair **"), ffi.new("size_t *")
        if other is None:
            interruptible(lambda: lib.graze_broad_phase_pairs(self._c, out, count), long=len(self) > MANY)
        else:
            expect("other", other, BroadPhase)
            theirs = other._c
            interruptible(lambda: lib.graze_broad_phase_pairs_with(self._c, theirs, out, count), long=len(self) + len(other) > MANY)
        return take(out[0], count[0] * 2, np.uint32).reshape(-1, 2)

    def overlapping(self, shape: Target) -> Indices:
        """The ids of the boxes that intersect a shape of any kind, ascending."""
        out, count = ffi.new("uint32_t **"), ffi.new("size_t *")
        check(lib.graze_broad_phase_overlapping(self._c, ref_of("shape", shape), out, count))
        return take(out[0], count[0], np.uint32)

    def visible(self, frustum: Frustum) -> Indices:
        """The ids of the boxes inside or crossing the frustum, ascending."""
        expect("frustum", frustum, Frustum)
        out, count = ffi.new("uint32_t **"), ffi.new("size_t *")
        check(lib.graze_broad_phase_visible(self._c, frustum._handle, out, count))
        return take(out[0], count[0], np.uint32)

    def along(self, ray: Ray, visit: Callable[[int, float], float], t_max: float = math.inf) -> None:
        """Calls visit(id, t_max) for each box that the ray meets up to t_max, in no promised order. It returns the t_max to continue with: a lower one after a
        hit, the same one to continue, a negative one to stop."""
        expect("ray", ray, Ray)
        function, user, calls = filter_of("visit", "box", visit)
        if calls is None:
            raise TypeError("visit is None, must be a function")
        finish(lib.graze_broad_phase_along(self._c, ffi.cast("graze_ray *", ray._ref.shape), real("t_max", t_max), function, user), calls)

    def __repr__(self) -> str:
        return "BroadPhase(%d boxes)" % len(self)
