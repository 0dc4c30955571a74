"""Rays, segments and lines against shapes: the first hit, any hit, all hits."""
import math
from typing import Any, Iterator, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from graze._arrays import Floats, choice, describe, direction, floats, ray_rows, real, require_directions, rows, stride, vector
from graze._calls import TriangleFilter, filter_of, finish, interruptible
from graze._lib import Error, dtype_of, ffi, lib, take
from graze._shape import Placed, ShapeArray, Target, ref_of
from graze.results import AllHits, Hit, HitArray
from graze.shapes import Line, Ray, Segment

PIECE = 1 << 16  # rays of a piece
LONG = 1 << 14  # rays from which a piece may take long
SIDES = ("both", "front", "back")
RAYS = "origins (3,) or (n, 3) and directions of that shape; or a Ray, Segment or Line, placed or not; or Ray.array(...)"


def ray_options(t_min: Any, t_max: Any, sides: Any, accept: Any) -> Tuple[Any, Any]:
    """The options of a cast, and the filter, to be kept until the call returns."""
    if t_min is None and t_max is math.inf and sides == "both" and accept is None:
        return DEFAULTS, None
    options = ffi.new("graze_ray_options *")
    options.size = ffi.sizeof("graze_ray_options")
    options.t_min = -math.inf if t_min is None else real("t_min", t_min)
    options.t_max, options.sides = real("t_max", t_max), choice("sides", sides, SIDES)
    options.accept, options.accept_user, calls = filter_of("accept", "triangle", accept)
    return options, calls


DEFAULTS: Any = ffi.new("graze_ray_options *", {"size": ffi.sizeof("graze_ray_options"), "t_min": -math.inf, "t_max": math.inf})


def is_ray(value: Any) -> bool:
    """Whether it is a shape that can be cast."""
    return isinstance(value.shape if isinstance(value, Placed) else value, (Ray, Segment, Line))


def in_pieces(n: int, size: int) -> Iterator[Tuple[int, int]]:
    """Begins and ends of pieces of a batch."""
    for begin in range(0, n, size):
        yield begin, min(n, begin + size)


class Rays:
    """Many rays: rows of six numbers as they are, or origins and directions, which are joined piece by piece while the pieces are in the cache."""

    def __init__(self, origins: Floats, directions: Optional[Floats] = None) -> None:
        self.origins, self.directions = origins, directions

    def __len__(self) -> int:
        return len(self.origins)

    def joined(self) -> Floats:
        """Rows of six numbers."""
        return self.origins if self.directions is None else np.concatenate([self.origins, self.directions], axis=1)

    def pieces(self) -> Iterator[Tuple[int, int, Any, int]]:
        """(begin, end, graze_ray *, stride) of the pieces of a batch. The pointer is valid until the next piece."""
        if self.directions is None:
            for begin, end in in_pieces(len(self), PIECE):
                yield begin, end, ffi.cast("graze_ray *", self.origins.ctypes.data + begin * self.origins.strides[0]), stride(self.origins)
            return
        joined = np.empty((min(len(self), PIECE), 6))
        for begin, end in in_pieces(len(self), PIECE):
            joined[: end - begin, :3], joined[: end - begin, 3:] = self.origins[begin:end], self.directions[begin:end]
            yield begin, end, ffi.cast("graze_ray *", joined.ctypes.data), 0


def read_rays(origins: Any, directions: Any) -> Tuple[Any, Optional[Rays]]:
    """(a shape, None) of one ray, or (None, Rays) of many."""
    if directions is None:
        if is_ray(origins):
            return origins, None
        if isinstance(origins, ShapeArray):
            if origins.type is not Ray:
                raise TypeError("the array holds %ss, must hold Rays" % origins.type.__name__)
            return None, Rays(origins._data)
        if isinstance(origins, Target):
            raise TypeError("%s is no ray; must be %s" % (describe(origins), RAYS))
        array = floats("rays", origins)
        if array.ndim == 1 and array.shape == (6,):
            return Ray(array[:3], array[3:]), None
        if array.ndim == 2 and array.shape[1] == 6:
            array = rows("rays", array, 6)
            require_directions("directions", array[:, 3:])
            return None, Rays(array)
        raise Error("directions is missing: must be " + RAYS)
    if isinstance(origins, (Target, ShapeArray)):
        raise TypeError("directions is given with a %s, must be given with origins" % type(origins).__name__)
    o, d = floats("origins", origins), floats("directions", directions)
    if o.ndim == 1 and d.ndim == 1:
        data = np.empty(6)
        data[:3], data[3:] = vector("origins", o), direction("directions", d)
        return Ray._of(data), None
    return None, Rays(*ray_rows(o.reshape(1, -1) if o.ndim == 1 else o, d.reshape(1, -1) if d.ndim == 1 else d))


def raycast(
    target: Target,
    origins: Any,
    directions: Optional[ArrayLike] = None,
    *,
    t_min: Optional[float] = None,
    t_max: float = math.inf,
    sides: str = "both",
    accept: Optional[TriangleFilter] = None,
) -> Any:
    """The first hits of rays with a shape. Hit or miss is exact, and the hit is truly the first; ties go to the lowest index.

    Rays are origins and directions, (3,) or (n, 3) of any non-zero length; or rows (n, 6); or a Ray, Segment or Line, placed or not. `t_max` is inclusive,
    in lengths of the direction. The ray begins at origin + t_min * direction, taken exactly, and t counts from the origin nevertheless: a shadow ray from a hit
    leaves that hit out with t_min = math.nextafter(hit.t, math.inf). `sides` are those from which triangles are hit: "both", "front" or "back". `accept` returns whether a TargetTriangle may be
    hit; it is called from several threads.

    Returns Hit or None for one ray, HitArray for many.
    """
    ref = ref_of("target", target)
    one, many = read_rays(origins, directions)
    options, calls = ray_options(t_min, t_max, sides, accept)
    if many is None:
        out = ffi.new("graze_hit *")
        finish(lib.graze_raycast(one._ref, ref, options, out), calls)
        return Hit(out) if out.hit else None
    result: HitArray = HitArray._room(len(many))
    for begin, end, rays, step in many.pieces():
        interruptible(lambda: lib.graze_raycast_batch(rays, end - begin, step, ref, options, result._address(begin)), calls, long=end - begin > LONG)
    return result


def raycast_any(
    target: Target,
    origins: Any,
    directions: Optional[ArrayLike] = None,
    *,
    t_min: Optional[float] = None,
    t_max: float = math.inf,
    sides: str = "both",
    accept: Optional[TriangleFilter] = None,
) -> Any:
    """Whether raycast() would find a hit: bool, or an array of bools (n,). Faster."""
    ref = ref_of("target", target)
    one, many = read_rays(origins, directions)
    options, calls = ray_options(t_min, t_max, sides, accept)
    if many is None:
        out = ffi.new("int *")
        finish(lib.graze_raycast_any(one._ref, ref, options, out), calls)
        return bool(out[0])
    result = np.empty(len(many), np.bool_)
    for begin, end, rays, step in many.pieces():
        bytes_out = ffi.cast("uint8_t *", result.ctypes.data + begin)
        interruptible(lambda: lib.graze_raycast_any_batch(rays, end - begin, step, ref, options, bytes_out), calls, long=end - begin > LONG)
    return result


def raycast_all(
    target: Target,
    origins: Any,
    directions: Optional[ArrayLike] = None,
    *,
    t_min: Optional[float] = None,
    t_max: float = math.inf,
    sides: str = "both",
    accept: Optional[TriangleFilter] = None,
) -> Any:
    """All hits in exact order of t, then index: one for each triangle, one for a shape of another kind.

    Returns a HitArray for one ray, AllHits for many: one after another, those of ray i from offsets[i] to offsets[i + 1] - 1.
    """
    ref = ref_of("target", target)
    one, many = read_rays(origins, directions)
    options, calls = ray_options(t_min, t_max, sides, accept)
    dtype = dtype_of("graze_hit")
    if many is None:
        out, count = ffi.new("graze_hit **"), ffi.new("size_t *")
        finish(lib.graze_raycast_all(one._ref, ref, options, out, count), calls)
        return HitArray(take(out[0], count[0], dtype))
    offsets, lists = np.zeros(len(many) + 1, np.uint64), []
    for begin, end, rays, step in many.pieces():
        out, own = ffi.new("graze_hit **"), np.zeros(end - begin + 1, np.uint64)
        address = ffi.cast("size_t *", own.ctypes.data)
        interruptible(lambda: lib.graze_raycast_all_batch(rays, end - begin, step, ref, options, address, out), calls, long=end - begin > LONG // 16)
        lists.append(take(out[0], int(own[-1]), dtype))
        offsets[begin + 1 : end + 1] = offsets[begin] + own[1:]
    data = lists[0] if len(lists) == 1 else np.concatenate(lists) if lists else np.empty(0, dtype)
    return AllHits(data, offsets)
