"""Meshes, and the shapes made of them: solids and height fields; reports on meshes, triangulation, and reading of model files."""
import os
import warnings
from typing import Any, Dict, Iterable, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graze._arrays import Floats, VectorLike, c_text, check_items, choice, describe, doubles, floats, integer, number, packed, rows, stride, unmasked, vector
from graze._calls import Progress, interruptible, run
from graze._lib import Error, ModelWarning, check, ffi, lib, pointer, take, text, view
from graze._shape import HandleShape, expect

Indices = NDArray[np.uint32]
BUILDS = ("best", "fast")
LONG = 100000  # triangles from which a call may take long
MANY = 20000  # triangles from which a question about two shapes may take long


class MeshPart(NamedTuple):
    """A named run of triangles, [first, first + count)."""

    name: str
    first: int
    count: int  # type: ignore[assignment]


class Facts(NamedTuple):
    """What a file says besides its triangles."""

    unit: str
    up_axis: str
    notes: Tuple[str, ...]


NO_FACTS = Facts("", "", ())


class NearJunction(NamedTuple):
    """A corner that misses an edge, most likely by a rounding: were it on the edge, the mesh would be closed there."""

    vertex: int  #: an end of an open edge
    edge: Tuple[int, int, int]  #: another open edge, beside whose inside the corner lies: its vertices, and a triangle that uses it
    gap: float  #: their distance
    place: Tuple[float, float, float]  #: of the corner


class MeshReport:
    """The defects of a mesh. Lists are arrays, ascending; edges are rows (vertex, vertex, a triangle that uses it). Vertices with equal coordinates count as
    one."""

    degenerate: Indices  #: triangles without area, exactly
    duplicates: Indices  #: rows (triangle, earlier triangle with the same three corners)
    border_edges: Indices  #: used by one triangle, and no junction closes them
    non_manifold_edges: Indices  #: used by more than two triangles
    inconsistent_edges: Indices  #: used by two triangles in the same direction
    unbalanced_edges: Indices  #: used more often in one direction than in the other, and no junction closes them: solid() refuses them
    junction_edges: Indices  #: used more often in one direction than in the other, but closed by a junction that fits exactly: no defect
    near_junctions: Tuple[NearJunction, ...]  #: junctions that do not fit, by edge; may lack some where there are very many
    unreferenced_vertices: Indices
    repeated_vertices: int  #: vertices with the coordinates of an earlier one
    components: int  #: connected by shared corners
    closed: bool  #: no border edge
    solid: bool  #: solid() accepts the mesh

    def __init__(self, c: Any) -> None:
        owner = ffi.gc(c, lib.graze_free)
        for name, count, width in (
            ("degenerate", "degenerate_count", 1),
            ("duplicates", "duplicate_count", 2),
            ("border_edges", "border_edge_count", 3),
            ("non_manifold_edges", "non_manifold_edge_count", 3),
            ("inconsistent_edges", "inconsistent_edge_count", 3),
            ("unbalanced_edges", "unbalanced_edge_count", 3),
            ("junction_edges", "junction_edge_count", 3),
            ("unreferenced_vertices", "unreferenced_vertex_count", 1),
        ):
            array = view(owner, getattr(c, name), getattr(c, count) * width, np.uint32)
            setattr(self, name, array.reshape(-1, width) if width > 1 else array)
        near = [c.near_junctions[k] for k in range(c.near_junction_count)]
        self.near_junctions = tuple(NearJunction(n.vertex, (n.edge.v0, n.edge.v1, n.edge.triangle), n.gap, (n.place[0], n.place[1], n.place[2])) for n in near)
        self.repeated_vertices, self.components = int(c.repeated_vertices), int(c.components)
        self.closed, self.solid = bool(c.closed), bool(c.solid)

    def counts(self) -> Dict[str, Union[int, bool]]:
        """The numbers of defects, and the answers, by name."""
        return {k: len(v) if isinstance(v, (np.ndarray, tuple)) else v for k, v in vars(self).items()}

    def __repr__(self) -> str:
        return "MeshReport(%s)" % ", ".join("%s=%s" % item for item in self.counts().items())


class _Surface(HandleShape):
    """What meshes, solids and height fields share: their triangles."""

    __slots__ = ("_many",)
    _many: bool

    def _keep(self, held: Any) -> None:
        super()._keep(held)
        self._many = len(self) > MANY

    @property
    def _long(self) -> bool:
        return self._many

    @property
    def vertices(self) -> Floats:
        """The vertices (n, 3), a read-only view of the shape's own memory."""
        return self._list(lib.graze_mesh_vertices, "double const", np.float64, 3)

    @property
    def triangles(self) -> Indices:
        """Three vertex numbers each (m, 3), a read-only view of the shape's own memory."""
        return self._list(lib.graze_mesh_triangles, "uint32_t const", np.uint32, 3)

    def __len__(self) -> int:
        """The number of triangles."""
        out, count = ffi.new("uint32_t const **"), ffi.new("size_t *")
        check(lib.graze_mesh_triangles(self._handle, out, count))
        return int(count[0])

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "%s(%d vertices, %d triangles)" % (type(self).__name__, len(self.vertices), len(self))


class Mesh(_Surface):
    """A surface of triangles (not solid): immutable data with its tree.

    `vertices` (n, 3) are lengths, of type float64 or float32 (widened exactly), or integers; `triangles` (m, 3) are vertex numbers of any integer type. Neither
    is copied on the way. `parts` are (name, first, count) runs of triangles, ascending, without overlap; `user` is a number for each triangle, such as a
    material. `build` is "best", or "fast": in a third of the time; rays and closest points are then 10 to 15 % slower. `progress` receives the fraction that is
    done.

    Raises Error that lists every defect: an index out of range (`triangle 17 uses vertex 9 of 8`), NaN or infinity, wrong parts. Degenerate, duplicate, open
    and self-intersecting meshes are legal.
    """

    __slots__ = ("_facts",)
    _facts: "Facts"

    def __init__(
        self,
        vertices: ArrayLike,
        triangles: ArrayLike,
        *,
        parts: Iterable[Tuple[str, int, int]] = (),
        user: Optional[ArrayLike] = None,
        build: str = "best",
        progress: Optional[Progress] = None,
    ) -> None:
        v, single = _vertices(vertices)
        t, index_type = _triangles(triangles)
        names = [(_part_name(i, p), *_part_range(i, p)) for i, p in enumerate(parts)]
        words = [ffi.new("char[]", name.encode("utf-8", "surrogateescape")) for name, _, _ in names]
        runs = ffi.new("graze_mesh_part[]", [(w, first, count) for w, (_, first, count) in zip(words, names)])
        u = None if user is None else _user(user, len(t))
        given = ffi.new("graze_mesh_input *")
        given.size = ffi.sizeof("graze_mesh_input")
        given.vertices, given.vertex_count, given.vertex_stride = pointer("void *", v), len(v), stride(v)
        given.single_precision, given.index_type = single, index_type
        given.triangles, given.triangle_count, given.triangle_stride = pointer("void *", t), len(t), stride(t)
        given.parts, given.part_count = (runs, len(names)) if names else (ffi.NULL, 0)
        given.user = ffi.NULL if u is None else pointer("uint32_t *", u)
        given.build = choice("build", build, BUILDS)
        out = ffi.new("graze_shape **")

        def create(function: Any, calls: Any) -> int:
            given.progress, given.progress_user = function, calls
            return int(lib.graze_mesh_create(given, out))

        run(progress, create, long=len(t) > LONG)
        self._hold(out[0])

    @property
    def unit(self) -> str:
        """The unit that the file of load() declares; "" for none, and for other meshes. Coordinates are never scaled."""
        return getattr(self, "_facts", NO_FACTS).unit

    @property
    def up_axis(self) -> str:
        """The axis that points up as the file of load() declares it; "" for none, and for other meshes. Nothing is turned."""
        return getattr(self, "_facts", NO_FACTS).up_axis

    @property
    def notes(self) -> Tuple[str, ...]:
        """What the reader noticed in the file of load(), assumed or left out, a line each."""
        return getattr(self, "_facts", NO_FACTS).notes

    @property
    def parts(self) -> Tuple[MeshPart, ...]:
        """The named runs of triangles: groups, objects or nodes of the file."""
        count, part = ffi.new("size_t *"), ffi.new("graze_mesh_part *")
        check(lib.graze_mesh_part_count(self._handle, count))
        out = []
        for i in range(count[0]):
            check(lib.graze_mesh_part_at(self._handle, i, part))
            out.append(MeshPart(text(part.name), part.first, part.count))
        return tuple(out)

    @property
    def user(self) -> Optional[Indices]:
        """A number for each triangle (m,), or None."""
        array = self._list(lib.graze_mesh_user, "uint32_t const", np.uint32, 1)
        return array if len(array) else None

    def report(self) -> MeshReport:
        """An exact report on the defects of the mesh, O(n log n)."""
        out = ffi.new("graze_mesh_report **")
        interruptible(lambda: lib.graze_check(self._handle, out), long=len(self) > LONG)
        return MeshReport(out[0])

    def refit(self, vertices: ArrayLike) -> "Mesh":
        """A mesh with the same triangles, parts and user numbers, moved vertices (n, 3) and a refitted tree, O(n). Raises Error when the number of vertices
        differs, and for NaN or infinity."""
        v, single = _vertices(vertices)
        out = ffi.new("graze_shape **")
        interruptible(lambda: lib.graze_mesh_refit(self._handle, pointer("void *", v), len(v), stride(v), single, out), long=len(v) > LONG)
        mesh = Mesh.__new__(Mesh)
        mesh._hold(out[0])
        return mesh

    def save(self, path: "PathLike") -> None:
        """Writes the mesh with its tree, parts and user numbers into a tree file, which graze.load() and graze.map_mesh() read without building. Raises Error
        where the file cannot be written."""
        name = _path(path)
        interruptible(lambda: lib.graze_save_mesh(self._handle, name), long=len(self) > LONG)

    def tree_boxes(self, level: int) -> Floats:
        """The boxes of the tree `level` steps below its root, for display: rows min x y z, max x y z."""
        out, count = ffi.new("graze_box **"), ffi.new("size_t *")
        check(lib.graze_tree_boxes(self._handle, integer("level", level), out, count))
        return take(out[0], count[0] * 6, np.float64).reshape(-1, 6)

    def __reduce__(self) -> Any:
        user = self.user
        given = (self.vertices.copy(), self.triangles.copy(), [tuple(p) for p in self.parts], None if user is None else user.copy())
        return _unpickle_mesh, (*given, *([tuple(self._facts)] if hasattr(self, "_facts") else []))

    def _repr_html_(self) -> str:
        from graze._page import html_of

        return html_of(self)


def _unpickle_mesh(vertices: Any, triangles: Any, parts: Any, user: Any, facts: Any = None) -> Mesh:
    mesh = Mesh(vertices, triangles, parts=parts, user=user)
    if facts is not None:
        mesh._facts = Facts(*facts)
    return mesh


class Solid(_Surface):
    """The solid that a closed mesh bounds: the surface and all points of non-zero winding number. Overlapping shells add up, inward shells are cavities.

    Raises Error, naming an edge, unless every directed edge is used as often as its opposite, with vertices identified by equal coordinates. Edges that meet
    others in parts of a straight line, exactly (T-junctions), are no opening.
    """

    __slots__ = ()

    def __init__(self, mesh: Mesh) -> None:
        expect("mesh", mesh, Mesh)
        out = ffi.new("graze_shape **")
        interruptible(lambda: lib.graze_solid_create(mesh._handle, out), long=len(mesh) > LONG)
        self._hold(out[0])

    @property
    def mesh(self) -> Mesh:
        """The surface."""
        return Mesh._made(lambda out: lib.graze_surface_create(self._handle, out))

    @property
    def seams(self) -> int:
        """How many triangles without area close its junctions in any pose: 0 without junctions. They are none of its mesh, and no answer names one."""
        count = ffi.new("size_t *")
        check(lib.graze_solid_seams(self._handle, count))
        return int(count[0])

    def __reduce__(self) -> Any:
        return Solid, (self.mesh,)


def solid(mesh: Mesh) -> Solid:
    """The solid that a closed mesh bounds."""
    return Solid(mesh)


class HeightField(_Surface):
    """A terrain over a grid (not solid): vertex (i, j) lies at origin + (i dx, j dy, heights[j, i]).

    `heights` is an array (rows, columns), 2 by 2 at least; NaN is a hole. Raises Error for infinite heights and a spacing that is not positive.
    """

    __slots__ = ()

    def __init__(self, origin: VectorLike, dx: float, dy: float, heights: ArrayLike) -> None:
        o, x, y, h = vector("origin", origin), number("dx", dx), number("dy", dy), packed(floats("heights", heights))
        if h.ndim != 2:
            raise Error("heights has the shape %s, must have (rows, columns)" % (h.shape,))
        out = ffi.new("graze_shape **")
        interruptible(lambda: lib.graze_height_field_create(doubles(o), x, y, h.shape[1], doubles(h), h.size, out), long=h.size > LONG)
        self._hold(out[0])

    def _grid(self) -> Any:
        grid = ffi.new("graze_height_grid *")
        check(lib.graze_height_field_grid(self._handle, grid))
        return grid

    @property
    def origin(self) -> Floats:
        """Where the height 0 of the first column and row lies, (3,)."""
        return np.array(list(self._grid().origin))

    @property
    def spacing(self) -> Tuple[float, float]:
        """dx and dy (length)."""
        grid = self._grid()
        return grid.dx, grid.dy

    @property
    def heights(self) -> Floats:
        """The heights (rows, columns), a read-only view of the shape's own memory; NaN is a hole."""
        grid = self._grid()
        return view(self._handle, grid.heights, grid.rows * grid.columns, np.float64).reshape(grid.rows, grid.columns)

    @property
    def mesh(self) -> Mesh:
        """The surface as a mesh."""
        return Mesh._made(lambda out: lib.graze_surface_create(self._handle, out))

    def __reduce__(self) -> Any:
        return HeightField, (self.origin, *self.spacing, self.heights.copy())


# ---- arguments of a mesh -----------------------------------------------------------------------------------------------------------------


def _vertices(vertices: ArrayLike) -> Tuple[NDArray[Any], int]:
    """The array, and 1 if it is in single precision."""
    array = floats("vertices", vertices) if isinstance(vertices, (list, tuple)) else unmasked("vertices", vertices)
    if array.dtype == np.float32 and array.dtype.isnative:
        if array.ndim != 2 or array.shape[1] != 3:
            raise Error("vertices has the shape %s, must have (n, 3)" % (array.shape,))
        if len(array) and (array.strides[1] != 4 or array.strides[0] < 12 or array.strides[0] % 4 or not array.flags.aligned):
            array = np.array(array, order="C")
        return array, 1
    array = floats("vertices", array)
    if array.size == 0 and array.ndim < 2:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise Error("vertices has the shape %s, must have (n, 3)" % (array.shape,))
    if len(array) and (array.strides[1] != 8 or array.strides[0] < 24 or array.strides[0] % 8 or not array.flags.aligned):
        array = np.array(array, order="C")
    return array, 0


def _integers(name: str, value: ArrayLike) -> NDArray[Any]:
    """An array that is to hold integers."""
    if isinstance(value, (list, tuple)):
        check_items(name, value)
    return unmasked(name, value)


INDEX_TYPES = {np.dtype(np.uint32): 0, np.dtype(np.int32): 1, np.dtype(np.int64): 2}


def _triangles(triangles: ArrayLike) -> Tuple[NDArray[Any], int]:
    """The array, and the number of its type."""
    array = _integers("triangles", triangles)
    if array.size == 0 and array.ndim < 2:
        array = np.empty((0, 3), np.uint32)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError("triangles is %s, must be an array of integers" % describe(array))
    if array.ndim != 2 or array.shape[1] != 3:
        raise Error("triangles has the shape %s, must have (m, 3)" % (array.shape,))
    if array.dtype not in INDEX_TYPES:
        if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size and int(array.max()) > 2**63 - 1:
            raise Error("triangles has the index %d, which no vertex has" % int(array.max()), "invalid_shape")
        array = array.astype(np.int64 if array.size else np.uint32)
    size = array.dtype.itemsize
    if len(array) and (array.strides[1] != size or array.strides[0] < 3 * size or array.strides[0] % size or not array.flags.aligned):
        array = np.array(array, order="C")
    return array, INDEX_TYPES[array.dtype]


def triangle_numbers(triangles: ArrayLike) -> NDArray[np.int64]:
    """The vertex numbers (m, 3) of an array of any integer type."""
    return _triangles(triangles)[0].astype(np.int64)


def _user(user: ArrayLike, count: int) -> Indices:
    array = _integers("user", user)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError("user is %s, must be an array of integers" % describe(array))
    if array.shape != (count,):
        raise Error("user has the shape %s, must have one number for each of %d triangles" % (array.shape, count))
    if array.size and (int(array.min()) < 0 or int(array.max()) > 2**32 - 1):
        raise Error("user has a number that is negative or above 2^32 - 1")
    return packed(array.astype(np.uint32))


def _part_name(i: int, part: Any) -> str:
    if not isinstance(part, (tuple, list)) or len(part) != 3 or not isinstance(part[0], str):
        raise TypeError("parts[%d] is %s, must be (name, first, count)" % (i, describe(part)))
    return part[0]


def _part_range(i: int, part: Any) -> Tuple[int, int]:
    return integer("parts[%d].first" % i, part[1]), integer("parts[%d].count" % i, part[2])


# ---- files and triangulation -------------------------------------------------------------------------------------------------------------


class Model:
    """A model as read from a file: the arrays, and the metadata of the file. Coordinates are never scaled or rotated."""

    vertices: Floats  #: (n, 3)
    triangles: Indices  #: (m, 3), in file order
    parts: Tuple[MeshPart, ...]
    user: Optional[Indices]  #: a number for each triangle, or None
    format: str  #: "obj", "stl (binary)", ...
    unit: str  #: as declared in the file, else ""
    up_axis: str  #: as declared in the file, else ""
    single_precision: bool  #: the coordinates passed through single precision
    polygons: int  #: faces with more than three corners
    concave: Indices  #: faces that are concave or touch themselves and were triangulated exactly
    seams: Indices  #: triangles without area that faces need which touch their own edge; no defects
    notes: Tuple[str, ...]

    def __init__(self, c: Any) -> None:
        owner = ffi.gc(c, lib.graze_free)
        self.vertices = view(owner, c.vertices, c.vertex_count * 3, np.float64).reshape(-1, 3)
        self.triangles = view(owner, c.triangles, c.triangle_count * 3, np.uint32).reshape(-1, 3)
        self.parts = tuple(MeshPart(text(c.parts[i].name), c.parts[i].first, c.parts[i].count) for i in range(c.part_count))
        self.user = None if c.user == ffi.NULL else view(owner, c.user, c.triangle_count, np.uint32)
        self.format, self.unit, self.up_axis = text(c.format), text(c.unit), text(c.up_axis)
        self.single_precision, self.polygons = bool(c.single_precision), int(c.polygons)
        self.concave = view(owner, c.concave, c.concave_count, np.uint32)
        self.seams = view(owner, c.seams, c.seam_count, np.uint32)
        self.notes = tuple(text(c.notes[i]) for i in range(c.note_count))

    def mesh(self, *, build: str = "best", progress: Optional[Progress] = None) -> Mesh:
        """The mesh of the arrays."""
        return Mesh(self.vertices, self.triangles, parts=self.parts, user=self.user, build=build, progress=progress)

    def __repr__(self) -> str:
        return "Model(%s, %d vertices, %d triangles, %d parts)" % (self.format, len(self.vertices), len(self.triangles), len(self.parts))


PathLike = Union[str, "os.PathLike[str]"]


class LoadOptions(NamedTuple):
    """What load(), load_model() and read_model() have in common."""

    deflection: float
    literal: bool
    unit: Optional[str]
    up_axis: Optional[str]
    max_bytes: Optional[int]
    progress: Optional[Progress]


def _read(result: Any, given: LoadOptions, call: Any) -> Any:
    options, out = ffi.new("graze_load_options *"), ffi.new(result)
    options.size = ffi.sizeof("graze_load_options")
    options.max_bytes = 0 if given.max_bytes is None else integer("max_bytes", given.max_bytes, 1, 2**63 - 1)
    options.deflection, options.literal = number("deflection", given.deflection), bool(given.literal)
    words = [ffi.new("char[]", c_text(name, value or "")) for name, value in (("unit", given.unit), ("up_axis", given.up_axis))]
    options.unit, options.up_axis = words

    def load(function: Any, calls: Any) -> int:
        options.progress, options.progress_user = function, calls
        return int(call(options, out))

    run(given.progress, load)
    return out[0]


def _path(path: PathLike) -> bytes:
    try:
        name = os.fsencode(path)
    except TypeError:
        raise TypeError("path is %s, must be a str or a path" % describe(path)) from None
    if b"\0" in name:
        raise Error("path has a NUL character", "unreadable_file")
    return name


def load(
    path: PathLike,
    *,
    deflection: float = 0.001,
    literal: bool = False,
    unit: Optional[str] = None,
    up_axis: Optional[str] = None,
    max_bytes: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Mesh:
    """Reads a model (OBJ, STL, PLY, OFF and others, recognised by content, then by extension) and builds its mesh.

    Triangles of STEP are at most `deflection` from its curved surfaces, a fraction of the largest extent of each shape, above 0 and at most 1. Rotations of
    parts that are quarter turns up to rounding become exact, with a note, unless `literal`. `unit` ("millimetre", "inch", ...) and `up_axis` ("x", "y", "z") bring
    a model that declares others to these: coordinates times the exact ratio, rounded once before a part is placed; an exact quarter turn. What the reader
    noticed, assumed or left out is in the mesh's `notes`, and a ModelWarning tells it. Raises Error that names the file, the line or byte, what was found and what
    was expected. Larger files than `max_bytes` (default 16 GiB) are refused.
    """
    name, facts = _path(path), ffi.new("struct graze_model **")

    def read(options: Any, out: Any) -> Any:
        options.facts = facts
        return lib.graze_load_mesh(name, options, out)

    handle = _read("graze_shape **", LoadOptions(deflection, literal, unit, up_axis, max_bytes, progress), read)
    mesh = Mesh.__new__(Mesh)
    mesh._hold(handle)
    model = Model(ffi.cast("graze_model *", facts[0]))
    mesh._facts = Facts(model.unit, model.up_axis, model.notes)
    warn_of(model.notes, os.fsdecode(name))
    return mesh


def warn_of(notes: Iterable[str], name: str) -> None:
    """A ModelWarning for each note, at the caller of the function that reads."""
    for note in notes:
        warnings.warn("%s: %s" % (name, note), ModelWarning, stacklevel=3)


def load_model(
    path: PathLike,
    *,
    deflection: float = 0.001,
    literal: bool = False,
    unit: Optional[str] = None,
    up_axis: Optional[str] = None,
    max_bytes: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Model:
    """Reads a model as arrays with its metadata. Errors and warnings as load()."""
    name = _path(path)
    model = Model(
        _read(
            "graze_model **",
            LoadOptions(deflection, literal, unit, up_axis, max_bytes, progress),
            lambda options, out: lib.graze_load_model(name, options, out),
        )
    )
    warn_of(model.notes, os.fsdecode(name))
    return model


def read_model(
    data: bytes,
    name: str,
    *,
    deflection: float = 0.001,
    literal: bool = False,
    unit: Optional[str] = None,
    up_axis: Optional[str] = None,
    max_bytes: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Model:
    """Reads a model from bytes. `name` gives its extension and is used in messages. Errors and warnings as load()."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("data is %s, must be bytes" % describe(data))
    if not isinstance(name, str):
        raise TypeError("name is %s, must be a str" % describe(name))
    memory, called = ffi.from_buffer(data), os.fsencode(name)
    model = Model(
        _read(
            "graze_model **",
            LoadOptions(deflection, literal, unit, up_axis, max_bytes, progress),
            lambda options, out: lib.graze_read_model(memory, len(memory), called, options, out),
        )
    )
    warn_of(model.notes, name)
    return model


def has_model_extension(name: PathLike) -> bool:
    """Whether the name of a file ends in the extension of a format that load() reads."""
    return bool(lib.graze_has_model_extension(_path(name)))


def triangulate(points: ArrayLike) -> Indices:
    """Cuts a polygon (n, 3), convex or concave, into n - 2 triangles (n - 2, 3) of indices. Exact. The outline may touch itself, as where a bridge leads to a hole
    and back; there triangles may be without area. Raises Error for a polygon that crosses itself."""
    p, out, count = rows("points", points, 3), ffi.new("uint32_t **"), ffi.new("size_t *")
    check(lib.graze_triangulate(doubles(p), len(p), stride(p), out, count))
    return take(out[0], count[0] * 3, np.uint32).reshape(-1, 3)
