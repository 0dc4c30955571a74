"""Poses: a rotation and a translation that place a shape, alone and as arrays of many."""
import re
from typing import Any, Iterator, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, VectorLike, choice, describe, doubles, finite, floats, integer, number, packed, read_only, shaped, vector
from graze._lib import Error, check, ffi, lib, pointer

PoseLike = Union["Pose", NDArray[Any], Sequence[Sequence[float]]]
"""A Pose, or a 4x4 matrix for column vectors."""


class Pose:
    """Places a shape: each vertex (x, y, z) moves to ((R_i0 x + R_i1 y) + R_i2 z) + T_i, every operation rounded to double.

    Exact decisions are about the resulting coordinates. Immutable. `Pose()` is the identity; `Pose(matrix)` reads a 4x4 matrix as Pose.matrix() does.
    """

    __slots__ = ("_c", "_array")
    __array_ufunc__ = None  # an array does not take a pose for one of its kind
    _c: Any
    _array: Floats

    def __init__(self, matrix: Optional[PoseLike] = None) -> None:
        array = np.zeros(12)
        if matrix is None:
            array[[0, 4, 8]] = 1
        elif isinstance(matrix, Pose):
            array[:] = matrix._array
        else:
            m = packed(shaped("matrix", matrix, (4, 4)))
            _keep(matrix, lambda: lib.graze_pose_from_matrix4(doubles(m), 0.0, pointer("graze_pose *", array)))
        self._set(array)

    def _set(self, array: Floats) -> None:
        self._array = read_only(array)
        self._c = pointer("graze_pose *", array)

    @classmethod
    def _of(cls, array: Floats) -> "Pose":
        """Of an array of 12 numbers that is nobody else's."""
        pose = cls.__new__(cls)
        pose._set(array)
        return pose

    @classmethod
    def _made(cls, call: Any) -> "Pose":
        array = np.empty(12)
        check(call(pointer("graze_pose *", array)))
        return cls._of(array)

    @classmethod
    def quaternion(cls, w: float, x: float, y: float, z: float, translation: VectorLike = (0.0, 0.0, 0.0)) -> "Pose":
        """The pose of a quaternion of any non-zero length, real part first. Equal components give exact quarter, half and third turns."""
        t, q = vector("translation", translation), [number(n, v) for n, v in zip("wxyz", (w, x, y, z))]
        return cls._made(lambda out: lib.graze_pose_from_quaternion(*q, doubles(t), out))

    @classmethod
    def matrix(cls, matrix: ArrayLike, translation: Optional[VectorLike] = None) -> "Pose":
        """The pose of a 3x3 or 4x4 matrix for column vectors.

        Raises Error unless every entry of R^T R differs from the identity's by at most 1e-12, and for a reflection. Matrices in single precision, and products
        of many, are not that near: see nearest().
        """
        return cls._from_matrix(matrix, None, translation)

    @classmethod
    def nearest(cls, matrix: ArrayLike, tolerance: float = 1e-6, translation: Optional[VectorLike] = None) -> "Pose":
        """The pose of the rotation nearest to a 3x3 or 4x4 matrix: a rounding step for matrices in single precision or of products.

        A matrix that matrix() accepts is kept. Otherwise each entry of the result differs from the given one by at most `tolerance` (0 to 0.1), or Error is
        raised. The same bits on every machine.
        """
        return cls._from_matrix(matrix, number("tolerance", tolerance), translation)

    @classmethod
    def _from_matrix(cls, matrix: ArrayLike, tolerance: Optional[float], translation: Optional[VectorLike]) -> "Pose":
        m = floats("matrix", matrix)
        if m.shape == (4, 4):
            if translation is not None:
                raise Error("matrix is 4x4 and has a translation of its own, must be 3x3 where a translation is given")
            if not (m[3] == (0, 0, 0, 1)).all():
                raise Error("matrix: the last row is (%g, %g, %g, %g), must be (0, 0, 0, 1)" % tuple(m[3]), "invalid_shape")
            m, translation = m[:3, :3], m[:3, 3]
        if m.shape != (3, 3):
            raise Error("matrix has the shape %s, must have (3, 3) or (4, 4)" % (m.shape,))
        r = packed(m)
        t = vector("translation", (0.0, 0.0, 0.0) if translation is None else translation)
        if tolerance is not None:
            limit = tolerance
            return cls._made(lambda out: lib.graze_pose_nearest(doubles(r), limit, doubles(t), out))
        array = np.empty(12)
        _keep(matrix, lambda: lib.graze_pose_from_matrix(doubles(r), doubles(t), pointer("graze_pose *", array)))
        return cls._of(array)

    @classmethod
    def quarter_turn(cls, axis: Union[int, str], n: int = 1, translation: VectorLike = (0.0, 0.0, 0.0)) -> "Pose":
        """`n` exact quarter turns about the axis "x", "y" or "z" (or 0, 1, 2), counter-clockwise seen from its positive end."""
        a = choice("axis", axis, ("x", "y", "z")) if isinstance(axis, str) else integer("axis", axis, 0, 2)
        turns, t = integer("n", n, -(2**31), 2**31 - 1), vector("translation", translation)
        return cls._made(lambda out: lib.graze_pose_quarter_turn(a, turns, doubles(t), out))

    @classmethod
    def translate(cls, translation: VectorLike) -> "Pose":
        """The pose that only translates."""
        array = np.zeros(12)
        array[[0, 4, 8]] = 1
        array[9:] = vector("translation", translation)
        return cls._of(array)

    @property
    def rotation(self) -> Floats:
        """The matrix, (3, 3), read-only."""
        return self._array[:9].reshape(3, 3)

    @property
    def translation(self) -> Floats:
        """The translation (length), (3,), read-only."""
        return self._array[9:]

    @property
    def matrix4(self) -> Floats:
        """The 4x4 matrix for column vectors, a new array. Exact: Pose(pose.matrix4) == pose."""
        m = np.zeros((4, 4))
        m[:3, :3], m[:3, 3], m[3, 3] = self.rotation, self.translation, 1
        return m

    def __array__(self, dtype: Any = None) -> NDArray[Any]:
        return self.matrix4 if dtype is None else self.matrix4.astype(dtype)

    def apply(self, points: ArrayLike) -> Floats:
        """The placed points: (3,) or (n, 3), rounded as queries round them."""
        return self._placed(points, True)

    def rotate(self, directions: ArrayLike) -> Floats:
        """The rotated directions: (3,) or (n, 3), without the translation."""
        return self._placed(directions, False)

    def _placed(self, points: ArrayLike, move: bool) -> Floats:
        p = floats("points", points)
        if p.ndim not in (1, 2) or p.shape[-1] != 3:
            raise Error("points has the shape %s, must have (3,) or (n, 3)" % (p.shape,))
        finite("points", p)
        x, y, z = p[..., 0], p[..., 1], p[..., 2]
        out = np.empty(p.shape)
        with np.errstate(over="ignore", invalid="ignore"):
            for i, (r, t) in enumerate(zip(self.rotation, self.translation)):
                placed = (r[0] * x + r[1] * y) + r[2] * z
                out[..., i] = placed + t if move else placed
        return out

    def inverse(self) -> "Pose":
        """The pose that undoes this one, up to rounding."""
        return self._made(lambda out: lib.graze_pose_inverse(self._c, out))

    def __matmul__(self, inner: "Pose") -> "Pose":
        """outer @ inner: places by `inner`, then by `outer`, rounded. Applying it is not applying both in turn to the bit."""
        if not isinstance(inner, Pose):
            return NotImplemented
        return self._made(lambda out: lib.graze_pose_compose(self._c, inner._c, out))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and self._array.tobytes() == other._array.tobytes()

    def __hash__(self) -> int:
        return hash(self._array.tobytes())

    def __reduce__(self) -> Any:
        return _unpickle_pose, (self._array.copy(),)

    def __copy__(self) -> "Pose":
        return self

    def __deepcopy__(self, memo: Any) -> "Pose":
        return self

    def __repr__(self) -> str:
        return "Pose(rotation=%s, translation=%s)" % (self.rotation.tolist(), self.translation.tolist())


def _keep(matrix: Any, call: Any) -> None:
    """As check(), with advice where the matrix only needs rounding."""
    status = call()
    if not status:
        return
    try:
        check(status)
    except Error as e:
        if "not a rotation: columns" in str(e):
            raise Error("%s; Pose.nearest(matrix) rounds one in single precision" % e, e.code) from None
        raise


def _unpickle_pose(array: Floats) -> Pose:
    rows = np.ascontiguousarray(array, dtype=np.float64).reshape(12)
    return Pose.matrix(rows[:9].reshape(3, 3), rows[9:])


def translation(t: VectorLike) -> Pose:
    """The pose that only translates."""
    return Pose.translate(t)


def pose_of(name: str, value: Any) -> Pose:
    """A Pose, or that of a 4x4 matrix."""
    if isinstance(value, Pose):
        return value
    array = floats(name, value)
    if array.shape != (4, 4):
        raise Error("%s is %s, must be a Pose or a 4x4 matrix" % (name, describe(array)))
    return Pose(array)


class Poses:
    """Many poses, checked once: what `poses=` of a query takes. Immutable.

    `poses` is an array (n, 7) of rows w x y z tx ty tz (a quaternion of any non-zero length, real part first, and a translation), an array (n, 4, 4) of
    matrices, or a sequence of Pose. Matrices are kept as they are; with `tolerance` those in single precision are rounded as by Pose.nearest().
    """

    __slots__ = ("_array",)
    _array: Floats

    def __init__(self, poses: Any, tolerance: float = 0.0) -> None:
        limit = number("tolerance", tolerance)
        if isinstance(poses, Poses):
            array = poses._array
        elif isinstance(poses, Pose):
            raise TypeError("poses is one Pose, must be a sequence; use shape.at(pose) for one")
        elif isinstance(poses, (list, tuple)) and all(isinstance(p, Pose) for p in poses):
            array = np.array([p._array for p in poses]) if poses else np.empty((0, 12))
        else:
            array = _read_poses(floats("poses", poses), limit)
        self._array = read_only(np.ascontiguousarray(array))

    @property
    def rotation(self) -> Floats:
        """The matrices, (n, 3, 3)."""
        return self._array[:, :9].reshape(-1, 3, 3)

    @property
    def translation(self) -> Floats:
        """The translations (length), (n, 3)."""
        return self._array[:, 9:]

    @property
    def matrix4(self) -> Floats:
        """The 4x4 matrices for column vectors, (n, 4, 4), a new array."""
        m = np.zeros((len(self), 4, 4))
        m[:, :3, :3], m[:, :3, 3], m[:, 3, 3] = self.rotation, self.translation, 1
        return m

    def __len__(self) -> int:
        return int(self._array.shape[0])

    @overload
    def __getitem__(self, i: int) -> Pose:
        ...

    @overload
    def __getitem__(self, i: slice) -> "Poses":
        ...

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            poses = Poses.__new__(Poses)
            poses._array = read_only(np.ascontiguousarray(self._array[i]))
            return poses
        return Pose._of(self._array[range(len(self))[i]].copy())

    def __iter__(self) -> Iterator[Pose]:
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> Any:
        return Poses, (self.matrix4,)

    def __repr__(self) -> str:
        return "Poses(%d)" % len(self)


def _read_poses(array: Floats, tolerance: float) -> Floats:
    out = np.empty((len(array), 12))
    to = pointer("graze_pose *", out)
    if array.ndim == 2 and array.shape[1] == 7:
        finite("poses", array)
        rows = packed(array)
        for begin, n in _pieces(len(rows)):
            at = rows.ctypes.data + 56 * begin
            first, translations = ffi.cast("double *", at), ffi.cast("double *", at + 32)
            _all(begin, lambda: lib.graze_poses_from_quaternions(first, 56, translations, 56, n, to + begin))
    elif array.ndim == 3 and array.shape[1:] == (4, 4):
        finite("poses", array)
        matrices = packed(array)
        for begin, n in _pieces(len(matrices)):
            first = ffi.cast("double *", matrices.ctypes.data + 128 * begin)
            _all(begin, lambda: lib.graze_poses_from_matrices4(first, 0, n, tolerance, to + begin))
    elif array.size != 0:
        raise Error("poses has the shape %s, must have (n, 7) or (n, 4, 4)" % (array.shape,))
    return out if array.size else np.empty((0, 12))


def _pieces(n: int) -> Iterator[Tuple[int, int]]:
    """(begin, length) of pieces that take milliseconds each, so that signals are handled between them."""
    piece = 1 << 16
    for begin in range(0, n, piece):
        yield begin, min(piece, n - begin)


def _all(begin: int, call: Any) -> None:
    """As check(), where the library names the array of its own function, and the index from `begin` on."""
    try:
        check(call())
    except Error as e:
        named = re.search(r"\[(\d+)\](.*)", str(e), re.DOTALL)
        raise Error("poses[%d]%s" % (begin + int(named.group(1)), named.group(2)) if named else str(e), e.code) from None


def poses_of(value: Any) -> Poses:
    """The argument `poses` of a query."""
    return value if isinstance(value, Poses) else Poses(value)
