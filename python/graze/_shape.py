"""What all shapes share: references for the library, placing, and the two ways of storing one: as plain numbers and as an object of the library."""
from typing import Any, Iterator, Sequence, Tuple, Type, TypeVar, Union, overload

import numpy as np
from numpy.typing import NDArray

from graze._arrays import Floats, describe, floats, number, read_only, shaped, vector
from graze._lib import Error, check, ffi, lib, pointer, text, view
from graze.pose import Pose, PoseLike, pose_of

S = TypeVar("S", bound="Shape")


class Target:
    """A shape, placed or not: what every query takes."""

    __slots__ = ("_ref", "__weakref__")
    _ref: Any
    """The graze_ref; the object keeps alive what it points to."""

    @property
    def _long(self) -> bool:
        """Whether it has so many triangles that one question about two such shapes may take long."""
        return False

    def validate(self) -> None:
        """Raises Error where the shape, or a placed vertex, is not valid. Shapes are checked when they are built; a pose may move vertices beyond the
        largest double, which only this checks."""
        check(lib.graze_validate(self._ref))


class Shape(Target):
    """A set of points. Immutable, and safe to share between threads."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """The name of the kind in files and on the command line, such as "sphere"."""
        return text(lib.graze_kind_name(kind_of(self)))

    def at(self, pose: PoseLike) -> "Placed":
        """The shape placed by a Pose or a 4x4 matrix. Copies nothing."""
        return Placed(self, pose if isinstance(pose, Pose) else pose_of("pose", pose))

    def __copy__(self: S) -> S:
        return self

    def __deepcopy__(self: S, memo: Any) -> S:
        return self


class Placed(Target):
    """A shape at a pose, as `shape.at(pose)` returns it."""

    __slots__ = ("shape", "pose")
    shape: Shape
    pose: Pose

    def __init__(self, shape: Shape, pose: Pose) -> None:
        expect("shape", shape, Shape)
        expect("pose", pose, Pose)
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "pose", pose)
        ref = shape._ref
        object.__setattr__(self, "_ref", ffi.new("graze_ref *", (ref.kind, ref.shape, pose._c)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Placed is immutable")

    @property
    def _long(self) -> bool:
        return self.shape._long

    def at(self, pose: PoseLike) -> "Placed":
        """Refused: two poses are not one to the bit."""
        raise Error("the shape is placed already; compose the poses: placed.shape.at(outer @ placed.pose)")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Placed) and self.shape == other.shape and self.pose == other.pose

    def __hash__(self) -> int:
        return hash((self.shape, self.pose))

    def __reduce__(self) -> Any:
        return Placed, (self.shape, self.pose)

    def __repr__(self) -> str:
        return "%r.at(%r)" % (self.shape, self.pose)


def kind_of(shape: Shape) -> int:
    """The number of a shape's kind."""
    if isinstance(shape, PlainShape):
        return shape._KIND
    out = ffi.new("graze_kind *")
    check(lib.graze_shape_kind(shape._ref.shape, out))
    return int(out[0])


def ref_of(name: str, shape: Any) -> Any:
    """The reference to a shape; refuses anything else."""
    if isinstance(shape, Target):
        return shape._ref
    raise TypeError("%s is %s, must be a shape" % (name, describe(shape)))


def expect(name: str, shape: Any, *types: Type[Any]) -> None:
    """Refuses an object of another type."""
    if not isinstance(shape, types):
        raise TypeError("%s is %s, must be a %s" % (name, describe(shape), " or ".join(t.__name__ for t in types)))


# ---- shapes of a few numbers -------------------------------------------------------------------------------------------------------------


class VectorField:
    """A vector among the numbers of a shape: a read-only array (3,)."""

    def __init__(self, at: int) -> None:
        self.at = at

    @overload
    def __get__(self, shape: None, owner: Any = None) -> "VectorField":
        ...

    @overload
    def __get__(self, shape: Union["PlainShape", "ShapeArray"], owner: Any = None) -> Floats:
        ...

    def __get__(self, shape: Any, owner: Any = None) -> Any:
        return self if shape is None else shape._data[..., self.at : self.at + 3]

    def __set__(self, shape: "PlainShape", value: Any) -> None:
        raise AttributeError("shapes are immutable")


class VectorsField(VectorField):
    """Three vectors among the numbers of a shape: a read-only array (3, 3), one in each row."""

    def __get__(self, shape: Any, owner: Any = None) -> Any:
        if shape is None:
            return self
        data = shape._data[..., self.at : self.at + 9]
        return data.reshape(data.shape[:-1] + (3, 3))


class NumberField:
    """A number of a shape."""

    def __init__(self, at: int) -> None:
        self.at = at

    @overload
    def __get__(self, shape: None, owner: Any = None) -> "NumberField":
        ...

    @overload
    def __get__(self, shape: "PlainShape", owner: Any = None) -> float:
        ...

    def __get__(self, shape: Any, owner: Any = None) -> Any:
        if shape is None:
            return self
        value = shape._data[..., self.at]
        return float(value) if value.ndim == 0 else value

    def __set__(self, shape: "PlainShape", value: Any) -> None:
        raise AttributeError("shapes are immutable")


class PlainShape(Shape):
    """A shape of a few numbers, which are its fields in order."""

    __slots__ = ("_data",)
    _long = False
    _data: Floats
    _KIND: int
    _STRUCT: str
    _FIELDS: Tuple[str, ...]

    def _set(self, *values: Any) -> None:
        """Stores the values of the fields, validated."""
        data = np.empty(self._size())
        for name in self._FIELDS:
            field, value = type(self).__dict__[name], values[self._FIELDS.index(name)]
            if isinstance(field, VectorsField):
                data[field.at : field.at + 9] = shaped(name, value, (3, 3)).ravel()
            elif isinstance(field, VectorField):
                data[field.at : field.at + 3] = vector(name, value)
            else:
                data[field.at] = number(name, value)
        self._store(data)
        check(lib.graze_validate(self._ref))

    def _store(self, data: Floats) -> None:
        self._data = read_only(data)
        self._ref = ffi.new("graze_ref *", (self._KIND, ffi.from_buffer(data), ffi.NULL))

    @classmethod
    def _size(cls) -> int:
        return int(ffi.sizeof(cls._STRUCT)) // 8

    @classmethod
    def _of(cls: Type[S], data: Floats) -> S:
        """Of numbers that are valid and nobody else's."""
        shape: Any = cls.__new__(cls)
        shape._store(data)
        return shape  # type: ignore

    @classmethod
    def array(cls, *fields: Any, **named: Any) -> "ShapeArray":
        """Many shapes of this kind, one for each row of the arrays of the fields: Sphere.array(centers, radii) of arrays (n, 3) and (n,) or a number.

        Batches of two such arrays are the fastest: graze.intersects(spheres, boxes) answers spheres[i] against boxes[i].
        """
        return _array_of(cls, fields, named)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainShape) and type(self) is type(other) and self._data.tobytes() == other._data.tobytes()

    def __hash__(self) -> int:
        return hash((self._KIND, self._data.tobytes()))

    def __reduce__(self) -> Any:
        return _unpickle_plain, (type(self), self._data.copy())

    def __repr__(self) -> str:
        parts = []
        for name in self._FIELDS:
            value = getattr(self, name)
            parts.append("%s=%s" % (name, value.tolist() if isinstance(value, np.ndarray) else repr(value)))
        return "%s(%s)" % (type(self).__name__, ", ".join(parts))


def _unpickle_plain(kind: Type[Any], data: Floats) -> Any:
    shape = kind._of(np.ascontiguousarray(data, dtype=np.float64).reshape(kind._size()))
    shape.validate()
    return shape


class ShapeArray(Sequence[PlainShape]):
    """Many shapes of one plain kind, as one array of numbers. Its fields are arrays: `spheres.center` (n, 3), `spheres.radius` (n,)."""

    __slots__ = ("type", "_data")
    type: Type[PlainShape]
    _data: Floats

    def __init__(self, kind: Type[PlainShape], data: Floats) -> None:
        self.type, self._data = kind, read_only(data)

    def __getattr__(self, name: str) -> Any:
        if name in self.type._FIELDS:
            return self.type.__dict__[name].__get__(self)
        raise AttributeError("an array of %s has no field %r" % (self.type.__name__, name))

    def __len__(self) -> int:
        return int(self._data.shape[0])

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return ShapeArray(self.type, np.ascontiguousarray(self._data[i]))
        if isinstance(i, (list, np.ndarray)) and np.ndim(i):
            chosen = np.asarray(i)
            if chosen.ndim != 1 or chosen.dtype.kind not in "iub":
                raise TypeError("the index is %s, must be an integer, a slice, or an array (n,) of integers or bools" % describe(chosen))
            return ShapeArray(self.type, np.ascontiguousarray(self._data[chosen]))
        return self.type._of(self._data[range(len(self))[i]].copy())

    def __iter__(self) -> Iterator[PlainShape]:
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> Any:
        return _unpickle_array, (self.type, self._data.copy())

    def __repr__(self) -> str:
        return "%s.array(...)  # %d" % (self.type.__name__, len(self))

    def _refs(self) -> NDArray[Any]:
        """References to all elements, as graze_ref structs."""
        refs = np.zeros(len(self), REF)
        refs["kind"] = self.type._KIND
        refs["shape"] = self._data.ctypes.data + np.arange(len(self), dtype=np.uint64) * np.uint64(self._data.shape[1] * 8)
        return refs


REF: Any = np.dtype({"names": ["kind", "shape", "pose"], "formats": ["i4", "u8", "u8"], "offsets": [0, 8, 16], "itemsize": 24})


def _unpickle_array(kind: Type[PlainShape], data: Floats) -> ShapeArray:
    shapes = ShapeArray(kind, np.ascontiguousarray(data, dtype=np.float64).reshape(-1, kind._size()))
    _validate_all(shapes)
    return shapes


def _array_of(kind: Type[PlainShape], fields: Tuple[Any, ...], named: Any) -> ShapeArray:
    if len(fields) > len(kind._FIELDS):
        raise TypeError("%s.array: %d arrays, must be at most %d (%s)" % (kind.__name__, len(fields), len(kind._FIELDS), ", ".join(kind._FIELDS)))
    values = dict(zip(kind._FIELDS, fields))
    for name, value in named.items():
        if name not in kind._FIELDS or name in values:
            raise TypeError("%s.array: %s is not a field that is left; fields: %s" % (kind.__name__, name, ", ".join(kind._FIELDS)))
        values[name] = value
    missing = [name for name in kind._FIELDS if name not in values]
    if missing:
        raise TypeError("%s.array: %s is missing" % (kind.__name__, missing[0]))
    columns, n = [], 1
    for name in kind._FIELDS:
        field, array = kind.__dict__[name], floats(name, values[name])
        inner: Tuple[int, ...] = (3, 3) if isinstance(field, VectorsField) else (3,) if isinstance(field, VectorField) else ()
        if array.shape == inner:
            array = array[np.newaxis]
        if array.shape[1:] != inner or array.ndim != len(inner) + 1:
            wanted = "".join(", %d" % k for k in inner)
            raise Error("%s has the shape %s, must have (n%s)" % (name, array.shape, wanted or ","))
        if array.shape[0] != 1:
            if n != 1 and array.shape[0] != n:
                raise Error("%s has %d rows, must have %d as the fields before" % (name, array.shape[0], n))
            n = array.shape[0]
        columns.append((field.at, array.reshape(array.shape[0], -1)))
    data = np.empty((n, kind._size()))
    for at, array in columns:
        data[:, at : at + array.shape[1]] = array
    shapes = ShapeArray(kind, data)
    _validate_all(shapes)
    return shapes


def _validate_all(shapes: ShapeArray) -> None:
    """Refuses invalid shapes: all conditions on fields, here for all rows at once; the library words the error of the first bad one."""
    kind, data = shapes.type, shapes._data
    bad = ~np.isfinite(data).all(axis=1)
    for name in kind._FIELDS:
        field = kind.__dict__[name]
        columns = data[:, field.at : field.at + (9 if isinstance(field, VectorsField) else 3 if isinstance(field, VectorField) else 1)]
        if name in ("direction", "normal"):
            bad |= (columns == 0).all(axis=1)
        elif name in ("half", "radii") or name.startswith("radius"):
            bad |= ~(columns >= 0).all(axis=1)
        elif name == "max":
            bad |= ~(data[:, :3] <= columns).all(axis=1)
    if kind.__name__ in ("Cylinder", "Cone", "TruncatedCone"):
        bad |= (data[:, :3] == data[:, 3:6]).all(axis=1)  # the library decides
    for i in np.flatnonzero(bad):
        try:
            check(lib.graze_validate(kind._of(data[i].copy())._ref))
        except Error as e:
            raise Error("[%d] %s" % (i, e), e.code) from None


# ---- shapes in memory of the library -----------------------------------------------------------------------------------------------------


class HandleShape(Shape):
    """A shape in memory of the library."""

    __slots__ = ("_handle",)
    _handle: Any

    def _hold(self, handle: Any) -> None:
        """Takes a reference that the library returned."""
        self._keep(ffi.gc(handle, lib.graze_shape_release))

    def _keep(self, held: Any) -> None:
        self._handle = held
        self._ref = ffi.new("graze_ref *", (lib.GRAZE_HANDLE, held, ffi.NULL))

    @classmethod
    def _made(cls: Type[S], call: Any) -> S:
        out = ffi.new("graze_shape **")
        check(call(out))
        shape: Any = cls.__new__(cls)
        shape._hold(out[0])
        return shape  # type: ignore

    def _list(self, call: Any, kind: str, dtype: Any, width: int) -> NDArray[Any]:
        """An array in memory of the shape: `width` numbers in each row, or 1."""
        out, count = ffi.new(kind + " **"), ffi.new("size_t *")
        check(call(self._handle, out, count))
        array = view(self._handle, out[0], count[0] * width, dtype)
        return array.reshape(-1, width) if width > 1 else array
