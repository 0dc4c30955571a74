"""Checks and converts arguments: numbers, vectors, arrays of points and of rays. Float64 arrays are used in place; other numbers are converted exactly."""
import operator
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._lib import Error, ffi, pointer

FLOAT64 = np.dtype(np.float64)
Floats = NDArray[np.float64]
VectorLike = Union[Sequence[float], NDArray[Any]]
"""Three numbers: a tuple, a list, or an array of shape (3,)."""


def describe(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, np.ndarray):
        return "an array of shape %s and type %s" % (value.shape, value.dtype)
    if isinstance(value, (int, float, str, bool, type(None))):
        shown = repr(value)
        return shown if len(shown) <= 60 else shown[:57] + "..."
    return "a %s" % type(value).__name__


def floats(name: str, value: Any) -> Floats:
    """Any array of real numbers as float64, without a copy where it is that already."""
    if type(value) is np.ndarray and value.dtype is FLOAT64:
        return value
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as e:
        raise TypeError("%s is %s, must be an array of numbers" % (name, describe(value))) from e
    if array.dtype == np.float64:
        return array if array.dtype.isnative else array.astype(np.float64)
    if array.size == 0 and array.dtype.kind in "fiuO":
        return array.astype(np.float64)
    if array.dtype.kind not in "fiu":
        raise TypeError("%s is %s, must be an array of real numbers" % (name, describe(array)))
    if array.dtype.itemsize > 8 or array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        exact = array.astype(np.float64)
        if array.dtype.kind in "iu":
            big = np.abs(exact) > 2.0**53
            if bool(big.any()):
                raise Error("%s has an integer beyond 2^53, which may not be a double" % name)
        return exact
    return array.astype(np.float64)


def finite(name: str, array: Floats) -> None:
    """Refuses NaN and infinity, naming the element."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(array.sum())
    if total - total == 0:  # NaN and infinity stay in a sum, so none was there; a sum that overflows is looked into
        return
    good = np.isfinite(array)
    if not good.all():
        at = np.argwhere(~good)[0]
        value = float(array[tuple(at)])
        where = name + "".join("[%d]" % i for i in at)
        raise Error("%s is %s, must be finite" % (where, "NaN" if value != value else "infinity" if value > 0 else "-infinity"), "invalid_shape")


def shaped(name: str, value: Any, shape: Tuple[Optional[int], ...]) -> Floats:
    """An array of finite numbers of that shape; None stands for any length."""
    array = floats(name, value)
    if array.ndim != len(shape) or any(want is not None and have != want for have, want in zip(array.shape, shape)):
        wanted = "(%s)" % ", ".join("n" if n is None else str(n) for n in shape) if len(shape) != 1 or shape[0] is None else "(%d,)" % shape[0]
        raise Error("%s has the shape %s, must have %s" % (name, array.shape, wanted))
    finite(name, array)
    return array


def vector(name: str, value: Any) -> Floats:
    """Three finite numbers, contiguous."""
    array = floats(name, value)
    if array.shape == (3,):
        x, y, z = array.tolist()  # of three numbers, faster than NumPy's functions
        if x - x == 0 and y - y == 0 and z - z == 0:  # not of infinity or NaN
            return np.ascontiguousarray(array)
    return shaped(name, array, (3,))  # words the error


def direction(name: str, value: Any) -> Floats:
    """Three finite numbers, not all 0."""
    v = vector(name, value)
    if not any(v.tolist()):
        raise Error("%s is (0, 0, 0), must not be zero" % name, "invalid_shape")
    return v


def number(name: str, value: Any) -> float:
    """A finite real number."""
    x = real(name, value)
    if x - x != 0:
        raise Error("%s is %s, must be finite" % (name, "NaN" if x != x else "infinite"), "invalid_shape")
    return x


def real(name: str, value: Any) -> float:
    """A real number that is not NaN."""
    if isinstance(value, (bool, np.bool_, str, bytes, complex)) or value is None:
        raise TypeError("%s is %s, must be a number" % (name, describe(value)))
    try:
        x = float(value)
    except (TypeError, ValueError) as e:
        raise TypeError("%s is %s, must be a number" % (name, describe(value))) from e
    except OverflowError as e:
        raise Error("%s is beyond the largest double" % name) from e
    if x != x:
        raise Error("%s is NaN" % name)
    return x


def integer(name: str, value: Any, low: int = 0, high: int = 2**32 - 1) -> int:
    """An integer in a range, both ends inclusive."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError("%s is %s, must be an integer" % (name, value))
    try:
        n = operator.index(value)
    except TypeError as e:
        raise TypeError("%s is %s, must be an integer" % (name, describe(value))) from e
    if not low <= n <= high:
        raise Error("%s is %d, must be from %d to %d" % (name, n, low, high))
    return n


def choice(name: str, value: Any, names: Sequence[str]) -> int:
    """The index of a word among the words that are allowed."""
    if not isinstance(value, str):
        raise TypeError("%s is %s, must be one of %s" % (name, describe(value), ", ".join(names)))
    if value not in names:
        raise Error("%s is %s, must be one of %s" % (name, describe(value), ", ".join(names)))
    return list(names).index(value)


def rows(name: str, value: Any, width: int) -> Floats:
    """An array (n, width) of finite numbers, whose rows are packed; they may lie apart."""
    array = shaped(name, value, (None, width))
    if array.shape[0] and (array.strides[1] != 8 or array.strides[0] < 8 * width or array.strides[0] % 8 or not array.flags.aligned):
        array = np.ascontiguousarray(array)
    return array


def stride(array: NDArray[Any]) -> int:
    """Bytes from one row to the next."""
    return int(array.strides[0]) if array.shape[0] > 1 else 0


def three(array: Floats) -> Any:
    """The address of the numbers of a contiguous array. Faster than doubles()."""
    return ffi.from_buffer("double[]", array)


def doubles(array: Floats) -> Any:
    """The address of the first number."""
    return pointer("double *", array)


def ray_rows(origins: ArrayLike, directions: ArrayLike) -> Tuple[Floats, Floats]:
    """Origins and directions (n, 3) each, where one of them may be a single row. Refuses zero directions."""
    o, d = shaped("origins", origins, (None, 3)), shaped("directions", directions, (None, 3))
    require_directions("directions", d)
    if o.shape[0] != d.shape[0]:
        if 1 not in (o.shape[0], d.shape[0]):
            raise Error("origins has %d rows and directions has %d, must have the same number" % (o.shape[0], d.shape[0]))
        n = max(o.shape[0], d.shape[0]) if 0 not in (o.shape[0], d.shape[0]) else 0
        o, d = np.broadcast_to(o[:n], (n, 3)), np.broadcast_to(d[:n], (n, 3))
    return o, d


def require_directions(name: str, d: Floats) -> None:
    """Refuses rows that are 0."""
    flat = np.flatnonzero(d[:, 0] == 0)
    zero = flat[(d[flat, 1] == 0) & (d[flat, 2] == 0)]
    if len(zero):
        raise Error("%s[%d] is (0, 0, 0), must not be zero" % (name, int(zero[0])), "invalid_shape")


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The array itself, which can no longer be written to."""
    array.flags.writeable = False
    return array
