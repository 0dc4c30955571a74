"""Assemblies, models whose parts keep their names and places; and tree files, meshes that are mapped instead of built."""
import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from graze._arrays import c_text, choice, describe, integer, number
from graze._calls import Progress, interruptible, run
from graze._lib import Error, check, ffi, lib, text
from graze._shape import Placed, expect
from graze.mesh import BUILDS, Mesh, PathLike, Solid, _path, warn_of
from graze.pose import Pose, PoseLike, Poses, pose_of
from graze.scene import Scene

IDENTITY = Pose()
Shaped = Union[Mesh, Placed]
"""A mesh, placed or not."""


class AssemblyPart(NamedTuple):
    """A placed mesh of an assembly."""

    path: str  #: unique in its assembly: the id that the file gives, else the name
    name: str  #: the names from the root down ("floor 2/pipe"); repetitions have "#2", "#3", ... at their end
    mesh: Mesh  #: shared by all parts that repeat it
    pose: Pose

    @property
    def placed(self) -> Placed:
        """The mesh at its pose, for any query."""
        return self.mesh.at(self.pose)


class Assembly:
    """A model as its parts: meshes with a path, a name and a pose each. Immutable.

    `parts` is a mapping of paths to meshes, placed or not (`{"frame": frame, "wheel": wheel.at(pose)}`), or a sequence of AssemblyPart. Parts with the same
    Mesh object share it. `format`, `unit`, `up_axis` ("" for unknown), `single_precision` and `notes` are what load_assembly() tells of a file; nothing is
    scaled or turned because of them.

    Raises Error for a path that two parts have.
    """

    _meshes: Optional[Tuple[Mesh, ...]]
    _parts: Optional[Tuple[AssemblyPart, ...]]
    _by_path: Optional[Dict[str, AssemblyPart]]

    def __init__(
        self,
        parts: Union[Mapping[str, Shaped], Iterable[AssemblyPart]],
        *,
        format: str = "",
        unit: str = "",
        up_axis: str = "",
        single_precision: bool = False,
        notes: Iterable[str] = (),
    ) -> None:
        given = [_part(i, p) for i, p in enumerate(_items(parts))]
        numbers: Dict[int, int] = {}
        meshes: List[Mesh] = []
        for part in given:
            if id(part.mesh) not in numbers:
                numbers[id(part.mesh)] = len(meshes)
                meshes.append(part.mesh)
        keep = [c_text("notes[%d]" % i, note) for i, note in enumerate(texts("notes", notes))]
        lines = [ffi.new("char[]", note) for note in keep]
        names = [(ffi.new("char[]", c_text("path", p.path)), ffi.new("char[]", c_text("name", p.name))) for p in given]
        c_parts, handles, c_notes = ffi.new("graze_assembly_part[]", len(given)), [m._handle for m in meshes], ffi.new("char *[]", lines)
        for i, part in enumerate(given):
            c = c_parts[i]
            c.path, c.name, c.mesh = names[i][0], names[i][1], numbers[id(part.mesh)]
            ffi.memmove(ffi.addressof(c, "pose"), part.pose._c, POSE_BYTES)
        c_meshes = ffi.new("graze_shape *[]", handles)
        words = [ffi.new("char[]", c_text(name, value)) for name, value in (("format", format), ("unit", unit), ("up_axis", up_axis))]
        c_input = ffi.new("graze_assembly_input *")
        c_input.size = ffi.sizeof("graze_assembly_input")
        c_input.meshes, c_input.mesh_count, c_input.parts, c_input.part_count = c_meshes, len(meshes), c_parts, len(given)
        c_input.format, c_input.unit, c_input.up_axis = words
        c_input.single_precision, c_input.notes, c_input.note_count = bool(single_precision), c_notes, len(lines)
        out = ffi.new("graze_assembly **")
        check(lib.graze_assembly_create(c_input, out))
        self._hold(out[0])
        self._meshes, self._parts = tuple(meshes), tuple(given)

    def _hold(self, handle: Any) -> None:
        """Takes what the library returned."""
        self._c = ffi.gc(handle, lib.graze_assembly_free)
        self._data = ffi.new("graze_assembly_data *")
        check(lib.graze_assembly_get(self._c, self._data))
        self._meshes, self._parts, self._by_path = None, None, None

    @classmethod
    def _of(cls, handle: Any) -> "Assembly":
        assembly = cls.__new__(cls)
        assembly._hold(handle)
        return assembly

    @property
    def meshes(self) -> Tuple[Mesh, ...]:
        """Each mesh once, however many parts share it, in the order of their first part."""
        if self._meshes is None:
            self._meshes = tuple(Mesh._made(lambda out, i=i: lib.graze_assembly_mesh(self._c, i, out)) for i in range(self._data.mesh_count))
        return self._meshes

    @property
    def parts(self) -> Tuple[AssemblyPart, ...]:
        """The parts in file order."""
        if self._parts is None:
            meshes, poses, c = self.meshes, self.poses, self._data.parts
            self._parts = tuple(AssemblyPart(text(c[i].path), text(c[i].name), meshes[c[i].mesh], poses[i]) for i in range(len(self)))
        return self._parts

    @property
    def mesh_numbers(self) -> NDArray[np.uint32]:
        """The index into `meshes` of each part, (n,)."""
        return np.array([self._data.parts[i].mesh for i in range(len(self))], np.uint32)

    @property
    def poses(self) -> Poses:
        """The poses of all parts, (n,)."""
        return poses_in(self._data.parts, len(self))

    @property
    def format(self) -> str:
        """ "gltf", "obj", "stl (binary)", ..., or "folder"."""
        return text(self._data.format)

    @property
    def unit(self) -> str:
        """As the file declares it, else ""."""
        return text(self._data.unit)

    @property
    def up_axis(self) -> str:
        """As the file declares it, else ""."""
        return text(self._data.up_axis)

    @property
    def single_precision(self) -> bool:
        """Whether the coordinates of the file have single precision; they are widened exactly."""
        return bool(self._data.single_precision)

    @property
    def notes(self) -> Tuple[str, ...]:
        """What else the reader found, one line each."""
        return tuple(text(self._data.notes[i]) for i in range(self._data.note_count))

    @property
    def placed_triangles(self) -> int:
        """The number of triangles of all placed parts."""
        return int(self._data.placed_triangles)

    def __len__(self) -> int:
        """The number of parts."""
        return int(self._data.part_count)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[AssemblyPart]:
        return iter(self.parts)

    def __getitem__(self, part: Union[int, str]) -> AssemblyPart:
        """The part with that number or path."""
        if not isinstance(part, str):
            return self.parts[integer("part", part, -(2**32))]
        if self._by_path is None:
            self._by_path = {p.path: p for p in self.parts}
        if part not in self._by_path:
            raise Error("no part has the path %s" % describe(part), "unknown_id")
        return self._by_path[part]

    def scene(self, *, solids: bool = False) -> Scene:
        """A scene with a member for each part, in their order, whose name is the part's path. With `solids` closed meshes are solids, others stay surfaces."""
        shapes: Dict[int, Any] = {id(m): _solid(m) if solids else m for m in self.meshes}
        scene = Scene()
        for part in self.parts:
            scene.add(part.path, shapes[id(part.mesh)], part.pose)
        return scene

    def save(self, path: PathLike) -> None:
        """Writes a tree file, which load_assembly() maps instead of building trees. `format` is not written. Raises Error where the file cannot be written, and
        without parts."""
        name = _path(path)
        interruptible(lambda: lib.graze_save_assembly(self._c, name))

    def __reduce__(self) -> Any:
        parts = [(p.path, p.name, n, p.pose) for p, n in zip(self.parts, self.mesh_numbers.tolist())]
        return _unpickle, (parts, self.meshes, (self.format, self.unit, self.up_axis, self.single_precision, self.notes))

    def __repr__(self) -> str:
        return "Assembly(%d parts, %d meshes, %d triangles)" % (len(self), self._data.mesh_count, self.placed_triangles)


def _unpickle(parts: Any, meshes: Any, rest: Any) -> Assembly:
    words = dict(zip(("format", "unit", "up_axis", "single_precision", "notes"), rest))
    return Assembly([AssemblyPart(path, name, meshes[mesh], pose) for path, name, mesh, pose in parts], **words)


def _items(parts: Any) -> Iterable[Any]:
    if isinstance(parts, Mapping):
        return parts.items()
    if isinstance(parts, (str, bytes)) or not isinstance(parts, Iterable):
        raise TypeError("parts is %s, must be a mapping of paths to meshes, or a sequence of AssemblyPart" % describe(parts))
    return parts


def _part(i: int, part: Any) -> AssemblyPart:
    if isinstance(part, AssemblyPart):
        path, name, mesh, pose = part
        if not isinstance(pose, Pose):
            pose = pose_of("parts[%d].pose" % i, pose)
    elif isinstance(part, tuple) and len(part) == 2:
        path, shape = part
        name = path
        mesh, pose = (shape.shape, shape.pose) if isinstance(shape, Placed) else (shape, IDENTITY)
    else:
        raise TypeError("parts[%d] is %s, must be an AssemblyPart" % (i, describe(part)))
    for what, value in (("path", path), ("name", name)):
        if not isinstance(value, str):
            raise TypeError("parts[%d].%s is %s, must be a str" % (i, what, describe(value)))
    expect("parts[%d].mesh" % i, mesh, Mesh)
    return AssemblyPart(path, name, mesh, pose)


def _solid(mesh: Mesh) -> Any:
    try:
        return Solid(mesh)
    except Error as e:
        if e.code != "invalid_shape":
            raise
        return mesh


# ---- between C and Python ----------------------------------------------------------------------------------------------------------------

POSE_BYTES: int = ffi.sizeof("graze_pose")


def texts(name: str, values: Any) -> List[str]:
    """A list of texts, which is not a text itself."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError("%s is %s, must be a sequence of str" % (name, describe(values)))
    return list(values)


def poses_in(structs: Any, count: int) -> Poses:
    """The members `pose` of an array of structs, copied."""
    array = np.empty((count, 12))
    for i in range(count):
        ffi.memmove(ffi.cast("char *", array.ctypes.data + i * POSE_BYTES), ffi.addressof(structs[i], "pose"), POSE_BYTES)
    poses = Poses.__new__(Poses)
    array.flags.writeable = False
    poses._array = array
    return poses


# ---- reading -----------------------------------------------------------------------------------------------------------------------------


def _read(
    scale: float,
    pose: Optional[PoseLike],
    build: str,
    deflection: float,
    literal: bool,
    max_bytes: Optional[int],
    progress: Optional[Progress],
    call: Any,
) -> Assembly:
    options, out = ffi.new("graze_assembly_options *"), ffi.new("graze_assembly **")
    placed = IDENTITY if pose is None else pose_of("pose", pose)
    options.size, options.scale, options.pose = ffi.sizeof("graze_assembly_options"), number("scale", scale), placed._c
    options.build = choice("build", build, BUILDS)
    options.deflection = number("deflection", deflection)
    options.literal = bool(literal)
    options.max_bytes = 0 if max_bytes is None else integer("max_bytes", max_bytes, 1, 2**63 - 1)

    def load(function: Any, calls: Any) -> int:
        options.progress, options.progress_user = function, calls
        return int(call(options, out))

    run(progress, load)
    return Assembly._of(out[0])


def load_assembly(
    path: PathLike,
    *,
    scale: float = 1.0,
    pose: Optional[PoseLike] = None,
    build: str = "best",
    deflection: float = 0.001,
    literal: bool = False,
    max_bytes: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Assembly:
    """Reads a model as its parts, or all models of a folder and its subfolders.

    Parts are the nodes of glTF, the items of 3MF, the products of STEP and IFC, the groups and objects of OBJ, the parts of a tree file, and for other formats
    the file or its named parts. Every coordinate is multiplied by `scale`, rounded once, before it is placed, for another unit of length; `pose` places the
    whole model. Rotations stay poses; scale, shear and mirror of the file are applied to the vertices, rounded. `build` is that of Mesh. Triangles of STEP are
    at most `deflection` from its curved surfaces, a fraction of the largest extent of each shape, above 0 and at most 1. Rotations that are quarter turns up to
    rounding become exact, with a note, unless `literal`.

    A ModelWarning tells each of the assembly's `notes`. Raises Error that names the file, the place, what was found and what was expected, and where there is no part. Larger files than `max_bytes` (default 16
    GiB) are refused.
    """
    name = _path(path)
    assembly = _read(scale, pose, build, deflection, literal, max_bytes, progress, lambda options, out: lib.graze_load_assembly(name, options, out))
    warn_of(assembly.notes, os.fsdecode(name))
    return assembly


def read_assembly(
    data: bytes,
    name: str,
    *,
    scale: float = 1.0,
    pose: Optional[PoseLike] = None,
    build: str = "best",
    deflection: float = 0.001,
    literal: bool = False,
    max_bytes: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Assembly:
    """Reads a model from bytes, as load_assembly(). `name` is used for its extension, for parts without names, and in messages."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("data is %s, must be bytes" % describe(data))
    if not isinstance(name, str):
        raise TypeError("name is %s, must be a str" % describe(name))
    memory, called = ffi.from_buffer(data), _path(name)
    assembly = _read(
        scale, pose, build, deflection, literal, max_bytes, progress, lambda options, out: lib.graze_read_assembly(memory, len(memory), called, options, out)
    )
    warn_of(assembly.notes, name)
    return assembly


# ---- tree files --------------------------------------------------------------------------------------------------------------------------


def save(shape: Union[Mesh, Assembly, Iterable[Mesh]], path: PathLike) -> None:
    """Writes a mesh, several meshes or an assembly with their trees into a tree file, which load(), load_assembly() and map_mesh() read without building.

    The file is written under another name and renamed, so a file of that name that is mapped stays valid. Raises Error where it cannot be written.
    """
    if isinstance(shape, (Mesh, Assembly)):
        shape.save(path)
        return
    if isinstance(shape, (str, bytes)) or not isinstance(shape, Iterable):
        raise TypeError("shape is %s, must be a Mesh, a sequence of Mesh or an Assembly" % describe(shape))
    meshes: List[Any] = list(shape)
    name = _path(path)
    for i, mesh in enumerate(meshes):
        expect("shape[%d]" % i, mesh, Mesh)
    handles = ffi.new("graze_shape *[]", [m._handle for m in meshes])
    interruptible(lambda: lib.graze_save_meshes(handles, len(meshes), name))


def map_mesh(path: PathLike) -> Mesh:
    """Maps the mesh of a tree file with exactly one mesh into memory: all programs that map it share one copy.

    Its queries give the bits of the mesh that was saved. The file is checked once, in about a sixth of the time that building takes, and must not be changed in
    place while the mesh is in use; replacing it, as save() does, is safe. Raises Error that names the file, the place, what was found and what was expected.
    """
    name, out = _path(path), ffi.new("graze_shape **")
    interruptible(lambda: lib.graze_map_mesh(name, out))
    return Mesh._made(lambda to: _pass(out[0], to))


def map_meshes(path: PathLike) -> Tuple[Mesh, ...]:
    """The same for all meshes of a file."""
    name, out, count = _path(path), ffi.new("graze_shape ***"), ffi.new("size_t *")
    interruptible(lambda: lib.graze_map_meshes(name, out, count))
    handles = out[0]
    meshes = tuple(Mesh._made(lambda to, i=i: _pass(handles[i], to)) for i in range(count[0]))
    lib.graze_free(handles)
    return meshes


def _pass(handle: Any, to: Any) -> int:
    to[0] = handle
    return 0
