"""Triangles of meshes: those that intersect, as pairs or as a number, and those near a shape."""
import math
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from graze._arrays import integer, real
from graze._calls import Progress, filter_of, interruptible, run
from graze._lib import check, dtype_of, ffi, lib, take
from graze._shape import Placed, Target, expect, ref_of
from graze.results import ClosestArray
from graze.shapes import Triangle

Indices = NDArray[np.uint32]
PairFunction = Callable[[int, int], bool]
LONG = 10000  # triangles from which a call may take long


def _triangles(*targets: Any) -> int:
    shapes = [t.shape if isinstance(t, Placed) else t for t in targets]
    return sum(len(s) for s in shapes if hasattr(s, "__len__"))


def _list(call: Any, size: int, limit: Any, accept: Any, visit: Any, progress: Any) -> Indices:
    options, out, count = ffi.new("graze_pair_options *"), ffi.new("graze_triangle_pair **"), ffi.new("size_t *")
    options.size = ffi.sizeof("graze_pair_options")
    options.limit = 2**64 - 1 if limit is None else integer("limit", limit, 0, 2**63 - 1)
    options.filter, options.filter_user, filtering = filter_of("filter", "pair", accept)
    options.visit, options.visit_user, visiting = filter_of("visit", "pair", visit)

    def work(function: Any, user: Any) -> int:
        options.progress, options.progress_user = function, user
        return int(call(options, out, count))

    run(progress, work, long=size > LONG)
    for calls in (filtering, visiting):
        if calls is not None and calls.errors:
            lib.graze_free(out[0])
            calls.raise_first()
    return take(out[0], count[0] * 2, np.uint32).reshape(-1, 2)


def intersecting_triangles(
    a: Target,
    b: Target,
    *,
    limit: Optional[int] = None,
    filter: Optional[PairFunction] = None,
    visit: Optional[PairFunction] = None,
    progress: Optional[Progress] = None,
) -> Indices:
    """All pairs of triangles of A and B that share a point, (k, 2), ascending. Exact. A and B are each a mesh, height field or the surface of a solid.

    `limit` keeps the first ones in order. `filter(a, b)` drops pairs for which it returns False; it is called from several threads. `visit(a, b)` is called in
    order; returning False ends the query.
    """
    ra, rb = ref_of("a", a), ref_of("b", b)
    return _list(lambda *rest: lib.graze_intersecting_triangles(ra, rb, *rest), _triangles(a, b), limit, filter, visit, progress)


def self_intersections(
    mesh: Target,
    *,
    limit: Optional[int] = None,
    filter: Optional[PairFunction] = None,
    visit: Optional[PairFunction] = None,
    progress: Optional[Progress] = None,
) -> Indices:
    """All pairs (a < b) of triangles of one mesh that intersect in more than the corners or the edge that both share, (k, 2), ascending. Exact."""
    ref = ref_of("mesh", mesh)
    return _list(lambda *rest: lib.graze_self_intersections(ref, *rest), _triangles(mesh), limit, filter, visit, progress)


class PairCount(NamedTuple):
    """A number of pairs: exactly `count`, or more than that if `more` is True."""

    count: int  # type: ignore[assignment]
    more: bool


def _count(call: Any, size: int, most: Any, progress: Any) -> PairCount:
    count, more, limit = ffi.new("uint64_t *"), ffi.new("int *"), integer("most", most, 0, 2**63 - 1)
    run(progress, lambda function, user: int(call(limit, function, user, count, more)), long=size > LONG)
    return PairCount(int(count[0]), more[0] != 0)


def count_intersecting_triangles(a: Target, b: Target, most: int = 10_000_000, progress: Optional[Progress] = None) -> PairCount:
    """How many pairs intersecting_triangles() lists, counted up to `most`. Memory is O(n), however many there are."""
    ra, rb = ref_of("a", a), ref_of("b", b)
    return _count(lambda *rest: lib.graze_count_intersecting_triangles(ra, rb, *rest), _triangles(a, b), most, progress)


def count_self_intersections(mesh: Target, most: int = 10_000_000, progress: Optional[Progress] = None) -> PairCount:
    """How many pairs self_intersections() lists, counted up to `most`."""
    ref = ref_of("mesh", mesh)
    return _count(lambda *rest: lib.graze_count_self_intersections(ref, *rest), _triangles(mesh), most, progress)


def crosses(a: Triangle, b: Triangle) -> bool:
    """Whether two triangles cross: they lie in different planes and share a point inside both, on no edge and no corner. Exact."""
    expect("a", a, Triangle)
    expect("b", b, Triangle)
    out = ffi.new("int *")
    check(lib.graze_crosses(ffi.cast("graze_triangle *", a._ref.shape), ffi.cast("graze_triangle *", b._ref.shape), out))
    return bool(out[0])


def triangles_within(shape: Target, mesh: Target, distance: float = 0.0) -> Indices:
    """The triangles of a mesh within `distance` (length, >= 0, compared exactly) of a shape, ascending. Distance 0 selects those that intersect it."""
    out, count = ffi.new("uint32_t **"), ffi.new("size_t *")
    rs, rm, d = ref_of("shape", shape), ref_of("mesh", mesh), real("distance", distance)
    interruptible(lambda: lib.graze_triangles_within(rs, rm, d, out, count), long=shape._long and mesh._long)
    return take(out[0], count[0], np.uint32)


def closest_triangles(shape: Target, mesh: Target, count: int, distance: float = math.inf) -> ClosestArray:
    """The `count` triangles of a mesh nearest to a convex shape, polygon or compound of these, none farther than `distance`, by distance: on_a on the shape,
    triangle_b the number of the triangle."""
    out, found, most = ffi.new("graze_closest_points **"), ffi.new("size_t *"), integer("count", count, 0, 2**63 - 1)
    rs, rm, d = ref_of("shape", shape), ref_of("mesh", mesh), real("distance", distance)
    interruptible(lambda: lib.graze_closest_triangles(rs, rm, most, d, out, found), long=mesh._long and most > 1000)
    return ClosestArray(take(out[0], found[0], dtype_of("graze_closest_points")))
