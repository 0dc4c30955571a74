"""Checks and converts arguments: numbers, vectors, arrays of points and of rays. Float64 arrays are used in place; other numbers are converted exactly,
or refused."""
import numbers
import operator
from typing import Any, Iterable, Optional, Sequence, Tuple, Union

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


def _place(name: str, at: Iterable[Any]) -> str:
    return name + "".join("[%d]" % i for i in at)


def _no_double(place: str, value: Any) -> Error:
    return Error("%s is %s, which no double is; round it first" % (place, value))


def _exact(name: str, array: NDArray[Any]) -> Floats:
    """An array of real numbers as float64. Refuses the first number that is no double."""
    kind = array.dtype.kind
    if kind in "iu" and (array.dtype.itemsize < 8 or array.size == 0 or -(2**53) <= int(array.min()) and int(array.max()) <= 2**53):
        return array.astype(np.float64)
    with np.errstate(over="ignore"):
        converted = array.astype(np.float64)
    if kind == "f" and array.dtype.itemsize <= 8:
        return converted
    if kind == "f":
        wrong = (converted.astype(array.dtype) != array) & (array == array)
    else:  # a number that rounds up to 2^63 or 2^64 does not convert back
        wrong = np.asarray(converted >= 2.0 ** (8 * array.dtype.itemsize - (kind == "i")))
        wrong[~wrong] = converted[~wrong].astype(array.dtype) != array[~wrong]
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise _no_double(_place(name, at), array[at])
    return converted


def check_items(name: str, items: Any, at: Tuple[int, ...] = ()) -> None:
    """Refuses what NumPy would round, or take for a number, in a list of numbers or of lists."""
    for i, item in enumerate(items):
        kind = type(item)
        if kind is float or kind is int and -(2**53) <= item <= 2**53:
            continue
        if kind is list or kind is tuple:
            check_items(name, item, (*at, i))
        elif isinstance(item, np.ndarray) and item.ndim:
            floats(_place(name, (*at, i)), item)
        elif isinstance(item, (numbers.Number, np.bool_, np.ndarray)):
            place = _place(name, (*at, i))
            if real_or_nan(place, item) is None:
                raise TypeError("%s is %s, must be a real number" % (place, describe(item)))


def unmasked(name: str, value: Any) -> NDArray[Any]:
    """Any array, which must not leave elements out by a mask."""
    if isinstance(value, np.ma.MaskedArray):
        mask = np.broadcast_to(value.mask, value.shape)
        if mask.any():
            raise Error("%s is masked, must be a number" % _place(name, np.argwhere(mask)[0]))
    try:
        return np.asarray(value)
    except (ValueError, TypeError, OverflowError) as e:
        raise TypeError("%s is %s, must be an array of numbers" % (name, describe(value))) from e


def floats(name: str, value: Any) -> Floats:
    """Any array of real numbers as float64, without a copy where it is that already. Refuses a number that is no double, and names its place."""
    if type(value) is np.ndarray and value.dtype is FLOAT64:
        return value
    if isinstance(value, (list, tuple)):
        check_items(name, value)
    array = unmasked(name, value)
    if array.dtype == np.float64:
        return array if array.dtype.isnative else array.astype(np.float64)
    if array.size == 0 and array.dtype.kind in "fiuO":
        return array.astype(np.float64)
    if array.dtype.kind == "O" and isinstance(value, (list, tuple)) and all(type(x) in (int, float) for x in array.flat):
        return array.astype(np.float64)  # integers beyond 2^64, which are doubles
    if array.dtype.kind not in "fiu":
        raise TypeError("%s is %s, must be an array of real numbers" % (name, describe(array)))
    return _exact(name, array)


def packed(array: NDArray[Any]) -> NDArray[Any]:
    """The array itself where its numbers lie one after another at addresses that suit them, else such a copy."""
    return array if array.flags.c_contiguous and array.flags.aligned else np.array(array, order="C")


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
            return packed(array)
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


def c_text(name: str, value: Any) -> bytes:
    """A text for the library."""
    if not isinstance(value, str):
        raise TypeError("%s is %s, must be a str" % (name, describe(value)))
    if "\0" in value:
        raise Error("%s has a NUL character" % name)
    return value.encode("utf-8", "surrogateescape")


def real(name: str, value: Any) -> float:
    """A real number that is not NaN, exactly."""
    if type(value) is float and value == value:
        return value
    x = real_or_nan(name, value)
    if x is None:
        raise TypeError("%s is %s, must be a number" % (name, describe(value)))
    if x != x:
        raise Error("%s is NaN" % name)
    return x


def real_or_nan(name: str, value: Any) -> Optional[float]:
    """A real number, or None of what is none. Refuses a number that is no double."""
    if isinstance(value, np.ndarray):
        array = unmasked(name, value)
        return real_or_nan(name, array.reshape(())[()]) if array.size == 1 else None
    if value is None or isinstance(value, (bool, np.bool_, str, bytes, complex, np.complexfloating)):
        return None
    try:
        n = operator.index(value)
    except TypeError:
        pass
    else:
        value = n
    try:
        x = float(value)
    except (TypeError, ValueError):
        return None
    except OverflowError as e:
        raise Error("%s is beyond the largest double" % name) from e
    given: Any = value
    if isinstance(value, numbers.Number) and x != given and given == given:
        raise _no_double(name, describe(value) if isinstance(value, int) else value)
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
        array = np.array(array, order="C")
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
