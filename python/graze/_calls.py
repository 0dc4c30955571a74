"""Long calls and callbacks: reports of progress, Ctrl-C, and filters written in Python. What a callback raises reaches the caller of the query.

No call leaves a cycle of references behind. An exception that is raised out of a variable makes one, with its traceback and the frame of the variable; it keeps
the arguments alive, and a memoryview among them crashes Python before 3.13 when its collector finds it (gh-77894). So exceptions are raised out of lists."""
import threading
import weakref
from typing import Any, Callable, List, Optional

from graze._lib import check, ffi, last_error, lib

Progress = Callable[[float], Optional[bool]]
"""Receives the fraction of the work that is done, from 0 to 1. Returning False ends the call with Error, code "cancelled"; None and True continue."""


class _Inside(threading.local):
    """How many callbacks the thread is in. A call that it makes there stays in the thread: the library knows by it whose callback the call belongs to."""

    def __init__(self) -> None:
        self.depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *_: Any) -> None:
        self.depth -= 1


_inside = _Inside()


class Callbacks:
    """What a call's callbacks need, and the first exception that one of them raised."""

    def __init__(self, progress: Optional[Progress] = None) -> None:
        self.progress = progress
        self.filters: List[Callable[..., Any]] = []
        self.errors: List[BaseException] = []  # the first one
        self.cancelled = False
        self.handle = ffi.new_handle(weakref.ref(self))

    def fail(self, error: BaseException) -> None:
        if not self.errors:
            self.errors.append(error)
        self.cancelled = True

    def check(self, status: int) -> None:
        """As check(), after what a callback raised."""
        self.raise_first()
        check(status)

    def raise_first(self) -> None:
        """Raises what a callback raised first, if anything."""
        errors, self.errors = self.errors, []
        if errors:
            raise errors.pop(0)


class Filter(Callbacks):
    """A filter or visitor of the caller's: one function."""

    def __init__(self, function: Callable[..., Any], wrap: Callable[..., Any]) -> None:
        super().__init__()
        self.function, self.wrap = function, wrap


def _escaped(kind: Any, error: BaseException, trace: Any) -> None:
    """Keeps what a signal raised in a callback before its first statement."""
    calls = ffi.from_handle(trace.tb_frame.f_locals["user"])()
    calls.fail(error)


@ffi.callback("int(double, void *)", error=0, onerror=_escaped)  # type: ignore
def _progress(done: float, user: Any) -> int:
    calls: Callbacks = ffi.from_handle(user)()
    try:
        if not calls.cancelled and calls.progress is not None:
            with _inside:
                calls.cancelled |= calls.progress(done) is False
    except BaseException as e:  # KeyboardInterrupt, too: this may be the main thread
        calls.fail(e)
    return 0 if calls.cancelled else 1


progress_callback: Any = _progress


def require_callable(name: str, value: Any) -> None:
    """Refuses what is neither None nor a function."""
    if value is not None and not callable(value):
        raise TypeError("%s is a %s, must be a function or None" % (name, type(value).__name__))


def run(progress: Optional[Progress], call: Callable[[Any, Any], int], long: bool = True) -> None:
    """Runs call(progress, user) -> status, so that Ctrl-C ends it. `long` is False where it certainly takes less than a tenth of a second."""
    require_callable("progress", progress)
    calls = Callbacks(progress)
    if not long or _inside.depth or threading.current_thread() is not threading.main_thread():
        function = progress_callback if progress is not None else ffi.NULL
        calls.check(call(function, calls.handle))
        return
    # The main thread waits where signals reach it; the library's threads only see the flag. Not by join(), after whose interruption Python takes a thread that
    # still runs for ended (bpo-45274).
    outcome: List[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            check(call(progress_callback, calls.handle))
        except BaseException as e:
            outcome.append(e)
        finally:
            done.set()

    threading.Thread(target=work, name="graze").start()
    interrupts: List[BaseException] = []
    while not done.is_set():
        try:
            done.wait()
        except BaseException as e:
            interrupts.append(e)
            calls.cancelled = True
    errors = (interrupts or calls.errors or outcome)[:1]
    for every in (interrupts, calls.errors, outcome):
        every.clear()
    if errors:
        raise errors.pop()


def interruptible(call: Callable[[], Any], *filters: Optional["Filter"], long: bool = True) -> None:
    """Runs call() -> status, so that Ctrl-C ends it although it has no parameter for progress. Raises what a filter raised, else the error of the status."""
    if not long or _inside.depth or threading.current_thread() is not threading.main_thread():
        finish(call(), *filters)
        return

    def watched(function: Any, user: Any) -> int:
        lib.graze_set_progress(function, user)
        try:
            return int(call())
        finally:
            lib.graze_set_progress(ffi.NULL, ffi.NULL)

    try:
        run(None, watched)
    finally:
        finish(0, *filters)


# ---- filters -----------------------------------------------------------------------------------------------------------------------------


class TargetTriangle:
    """A triangle that a ray or sweep is about to hit."""

    __slots__ = ("triangle", "user", "child", "member")

    def __init__(self, triangle: int, user: int, child: Optional[int], member: Optional[int]) -> None:
        self.triangle = triangle  #: its number in the mesh, height field or polygon fan
        self.user = user  #: its user number; 0 where the mesh has none
        self.child = child  #: the child of a compound
        self.member = member  #: the member of a scene

    def __repr__(self) -> str:
        return "TargetTriangle(triangle=%d, user=%d, child=%s, member=%s)" % (self.triangle, self.user, self.child, self.member)


TriangleFilter = Callable[[TargetTriangle], bool]


def _call_filter(user: Any, refusal: Any, call: Callable[["Filter"], Any]) -> Any:
    """What call(filter) returns; `refusal` where the call is to end or the filter raises."""
    calls: Filter = ffi.from_handle(user)()
    if calls.cancelled:
        return refusal
    try:
        with _inside:
            return call(calls)
    except BaseException as e:
        calls.fail(e)
    return refusal


def _target(triangle: Any) -> TargetTriangle:
    child, member = triangle.child, triangle.member
    return TargetTriangle(triangle.triangle, triangle.user, child if child >= 0 else None, member if member >= 0 else None)


def _length(value: Any) -> float:
    t = float(value)
    return t if t == t else -1.0


@ffi.callback("int(graze_target_triangle const *, void *)", error=0, onerror=_escaped)  # type: ignore
def _triangle(triangle: Any, user: Any) -> int:
    return int(_call_filter(user, 0, lambda calls: bool(calls.function(_target(triangle)))))


@ffi.callback("int(uint32_t, uint32_t, void *)", error=0, onerror=_escaped)  # type: ignore
def _pair(a: int, b: int, user: Any) -> int:
    return int(_call_filter(user, 0, lambda calls: bool(calls.function(a, b))))


@ffi.callback("int(uint32_t, void *)", error=0, onerror=_escaped)  # type: ignore
def _member(member: int, user: Any) -> int:
    return int(_call_filter(user, 0, lambda calls: bool(calls.function(member))))


@ffi.callback("double(uint32_t, double, void *)", error=0, onerror=_escaped)  # type: ignore
def _box(box: int, t_max: float, user: Any) -> float:
    return float(_call_filter(user, -1.0, lambda calls: _length(calls.function(box, t_max))))


@ffi.callback("int(graze_deforming_contact const *, void *)", error=0, onerror=_escaped)  # type: ignore
def _deforming(contact: Any, user: Any) -> int:
    return int(_call_filter(user, 0, lambda calls: bool(calls.function(calls.wrap(contact)))))


CALLBACKS: Any = {"triangle": _triangle, "pair": _pair, "member": _member, "box": _box, "deforming": _deforming}


def filter_of(name: str, kind: str, function: Any, wrap: Any = None) -> Any:
    """(C function, user pointer, Filter or None) of a filter of the caller's or None. The Filter must live until the call returns."""
    require_callable(name, function)
    if function is None:
        return ffi.NULL, ffi.NULL, None
    calls = Filter(function, wrap)
    return CALLBACKS[kind], calls.handle, calls


def finish(status: int, *filters: Optional[Filter]) -> None:
    """Raises what a filter raised, else the status."""
    for f in filters:
        if f is not None:
            f.raise_first()
    check(status)
