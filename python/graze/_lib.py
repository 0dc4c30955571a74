"""Loads the C library, translates its errors to exceptions, and makes arrays of its memory without copying it."""
import importlib
import os
import threading
from typing import Any, Dict, List

import numpy as np
from numpy.typing import NDArray

try:
    _ffi = importlib.import_module("graze._ffi").ffi
except ImportError as e:  # a source tree
    raise ImportError("graze: the native part is missing; install the package (pip install --no-build-isolation .) or use ./run python SCRIPT") from e

ffi: Any = _ffi


def _load() -> Any:
    here = os.path.dirname(os.path.abspath(__file__))
    helper = os.path.join(here, "graze-import")
    if os.path.exists(helper):  # a program that readers run; the others are looked for beside it
        os.environ.setdefault("GRAZE_IMPORT_HELPER", helper)
    path = os.environ.get("GRAZE_LIBRARY") or os.path.join(here, "libgraze_c.so")
    try:
        # Never unloaded: objects that Python frees at its end still call it.
        return ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_NODELETE)
    except OSError as e:
        raise ImportError("graze: cannot load %s: %s" % (path, e)) from e


lib: Any = _load()


class Error(ValueError):
    """Refused input. The text names the place, the value and what was expected."""

    code: str
    """What kind of input it refuses: "invalid_argument", "invalid_shape", "unsupported_shape", "unknown_id", "overflow", "unreadable_file",
    "malformed_file", "too_large", "unwritable_file", "bad_snapshot", "cancelled" or "internal"."""

    def __init__(self, message: str, code: str = "invalid_argument") -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.code)


class ModelWarning(UserWarning):
    """What a reader noticed in a file, assumed about it or left out."""


class _Interrupts(threading.local):
    """What signal handlers raised while the thread waited for an object that another one uses."""

    def __init__(self) -> None:
        self.errors: List[BaseException] = []


_interrupts = _Interrupts()


def _interrupted(kind: Any, error: BaseException, trace: Any) -> None:
    _interrupts.errors.append(error)


@ffi.callback("int(void *)", error=0, onerror=_interrupted)  # type: ignore
def _waiting(user: Any) -> int:
    """Asked while a thread waits: in the main thread Python calls the handlers of signals where this begins. What they raise ends the wait."""
    return 1


lib.graze_set_waiting(_waiting, ffi.NULL)


def last_error(status: int) -> BaseException:
    """The exception for the status that a function of the library has just returned in this thread."""
    if status == lib.GRAZE_CANCELLED and _interrupts.errors:
        return _interrupts.errors.pop()
    text = ffi.string(lib.graze_last_error()).decode("utf-8", "replace")
    if status == lib.GRAZE_OUT_OF_MEMORY:
        return MemoryError(text or "graze: not enough memory")
    return Error(text, ffi.string(lib.graze_status_name(status)).decode())


def check(status: int) -> None:
    """Raises the exception of a status that is not GRAZE_OK."""
    if status:
        raise last_error(status)


# ---- structs as NumPy types --------------------------------------------------------------------------------------------------------------

_SCALARS = {"double": "f8", "int": "i4", "int32_t": "i4", "uint32_t": "u4", "int64_t": "i8", "uint64_t": "u8", "size_t": "u8", "uint8_t": "u1"}
_dtypes: Dict[str, np.dtype[Any]] = {}


def _format(c: Any) -> Any:
    if c.kind == "array":
        inner = _format(c.item)
        base, shape = inner if isinstance(inner, tuple) else (inner, ())
        return base, (c.length, *shape)
    if c.kind == "struct":
        return dtype_of(c.cname)
    if c.kind == "enum":
        return "i4"
    if c.kind == "pointer":
        return "u8"
    return _SCALARS.get(c.cname) or "i%d" % ffi.sizeof(c)


def dtype_of(name: str) -> np.dtype[Any]:
    """The NumPy type of a struct of the library, with its offsets and size."""
    if name not in _dtypes:
        c = ffi.typeof(name)
        fields = [(field, _format(f.type), f.offset) for field, f in c.fields]
        _dtypes[name] = np.dtype(
            {"names": [f[0] for f in fields], "formats": [f[1] for f in fields], "offsets": [f[2] for f in fields], "itemsize": ffi.sizeof(c)}
        )
    return _dtypes[name]


class _Memory:
    """Memory of the library as a buffer for NumPy. `owner` keeps it alive."""

    def __init__(self, owner: Any, address: int, count: int, size: int, writable: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "shape": (count * size,), "typestr": "|u1", "data": (address, not writable)}


def view(owner: Any, pointer: Any, count: int, dtype: Any, writable: bool = False) -> NDArray[Any]:
    """An array of `count` elements at `pointer`, which `owner` keeps alive."""
    kind = np.dtype(dtype)
    if count == 0:
        return np.empty(0, kind)
    address = int(ffi.cast("uintptr_t", pointer))
    return np.asarray(_Memory(owner, address, count, kind.itemsize, writable)).view(kind)


def take(pointer: Any, count: int, dtype: Any) -> NDArray[Any]:
    """An array of a list that the library returned, freed with the array."""
    if pointer == ffi.NULL:
        return np.empty(0, np.dtype(dtype))
    return view(ffi.gc(pointer, lib.graze_free), pointer, count, dtype, writable=True)


def pointer(kind: str, array: NDArray[Any]) -> Any:
    """The address of an array's first element. The array must stay alive."""
    return ffi.cast(kind, array.ctypes.data)


def text(c: Any) -> str:
    """A Python string of a C string."""
    return "" if c == ffi.NULL else str(ffi.string(c).decode("utf-8", "surrogateescape"))


def version() -> str:
    """The version of the loaded library, "major.minor.patch"."""
    return text(lib.graze_version())


def cpu_level() -> str:
    """The CPU level in use: "scalar", "sse4", "avx2", "avx512" or "neon". Answers never depend on it."""
    return text(lib.graze_cpu_level())


def set_threads(n: int = 0) -> None:
    """Sets how many threads the library uses from now on; 0 means all cores. Results never depend on it."""
    import operator

    n = operator.index(n)
    if not 0 <= n < 2**31:
        raise Error("set_threads: n is %d, must be from 0 to 2147483647" % n)
    lib.graze_set_threads(n)


# A child of fork() has one thread. Workers of multiprocessing share the cores anyway.
os.register_at_fork(after_in_child=lambda: lib.graze_set_threads(1))
