"""The input of clash detection: models, tests and exclusions, and the parts that they name."""
import datetime
import math
import os
import tempfile
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

from graze._arrays import c_text, choice, describe, integer, number, real
from graze._calls import Progress, run
from graze._lib import Error, check, ffi, lib, text
from graze._shape import Placed
from graze.assembly import IDENTITY, POSE_BYTES, Assembly, poses_in, texts
from graze.mesh import Mesh, PathLike, _path
from graze.pose import Pose, PoseLike, pose_of
from graze.shapes import Box

AXES = ("x", "y", "z")
SOLIDS = ("auto", "required", "surfaces")
INFINITY = math.inf

Source = Union[PathLike, Assembly, Mesh, Placed]
"""A model file or a folder, an assembly, or a mesh, placed or not."""
Date = Union[str, datetime.date]
"""A day, as datetime.date or "2026-11-26"."""


class PartSelector(NamedTuple):
    """Selects parts, which have to satisfy every condition. In patterns `*` stands for any characters of a name, `**` for any characters, `?` for one; names are
    separated by `/`."""

    path: str = "**"  #: pattern of "model/path" or "model/name"
    name: str = "*"  #: pattern of the last name
    size_from: float = 0.0  #: least length of the longest side of the part's box
    size_below: float = INFINITY  #: which this length is less than


class ClashTest(NamedTuple):
    """Parts against parts. `a` and `b` are patterns of paths, or selectors."""

    id: str = "all"
    a: Union[str, PartSelector] = "**"
    b: Union[str, PartSelector] = "**"
    clearance: float = 0.0  #: length: parts nearer than this are a finding ("near")
    min_penetration: float = 0.0  #: length: an overlap that a verified shorter translation ends does not count
    touching: bool = True  #: whether touching parts are a finding


class ClashModel(NamedTuple):
    """A model of a job. Its coordinates are multiplied by `scale`, or taken from `unit` to the job's unit, and turned from its axis `up` to the job's, or placed by
    `pose`."""

    source: Source
    id: Optional[str] = None  #: the first name in the paths of its parts; None: the file's name
    unit: Optional[str] = None  #: "mm", "cm", "m", "in" or "ft"; None: the job's
    up: Optional[str] = None  #: "x", "y" or "z"; None: the job's
    scale: Optional[float] = None
    pose: Optional[PoseLike] = None
    deflection: float = 0.001  #: STEP: as that of load_assembly()
    literal: bool = False  #: as that of load_assembly()


class ClashExclusion(NamedTuple):
    """A pair of parts that does not count: patterns as in PartSelector.path."""

    a: str
    b: str
    reason: str = ""


Models = Union[Source, ClashModel, Mapping[str, Source], Iterable[Union[Source, ClashModel]]]
"""One model, several, or a mapping of ids to models."""


class ClashJob:
    """What is to be tested: models, tests and exclusions. Immutable.

    `models` is a model file, a folder, an Assembly, a Mesh or a ClashModel; several of them; or a mapping of ids to them. The id is the first name in the paths of
    a model's parts ("plant/floor 2/pump"). Lengths are in `unit`. `up` is the axis that points up, for views of findings (None: y if all models are glTF, else z).

    With `tests` each ClashTest states its own clearance, min_penetration and touching; without, all parts are tested against all by those given here. `exclude`
    are pairs of patterns, (a, b) or (a, b, reason), that do not count; `exclude_siblings` leaves out parts with the same parent below their model, and
    `exclude_same_model` those of one model. `solids` is "auto" (closed parts are solids, others surfaces), "required" (a pair with a part that is not closed is
    not evaluated) or "surfaces". A run with more than `most_pairs` pairs of parts near each other is refused (None: 100 for each part, at least 250,000).

    Assemblies and meshes in memory are written to a temporary tree file that lives as long as the job. Raises Error for an unknown unit, a repeated id, and what
    else a job file must not have.
    """

    def __init__(
        self,
        models: Models,
        *,
        tests: Optional[Iterable[ClashTest]] = None,
        clearance: float = 0.0,
        min_penetration: float = 0.0,
        touching: bool = True,
        exclude: Iterable[Union[ClashExclusion, Tuple[str, ...]]] = (),
        exclude_siblings: bool = False,
        exclude_same_model: bool = False,
        solids: str = "auto",
        most_pairs: Optional[int] = None,
        unit: str = "mm",
        up: Optional[str] = None,
    ) -> None:
        given = _models(models)
        axis = (1 if given and all(_is_gltf(m.source) for m in given) else 2) if up is None else choice("up", up, AXES)
        keep: List[Any] = []

        def word(name: str, value: Any) -> Any:
            keep.append(ffi.new("char[]", c_text(name, value)))
            return keep[-1]

        c = ffi.new("graze_clash_job_input *")
        c.size, c.unit, c.up = ffi.sizeof("graze_clash_job_input"), word("unit", unit), axis
        c.solids = choice("solids", solids, SOLIDS)
        c.most_pairs = 0 if most_pairs is None else integer("most_pairs", most_pairs, 1, 2**40)
        c.exclude_siblings, c.exclude_same_model = bool(exclude_siblings), bool(exclude_same_model)
        all_tests = _tests(tests, clearance, min_penetration, touching)
        c_tests = ffi.new("graze_clash_test[]", len(all_tests))
        for i, test in enumerate(all_tests):
            where = "tests[%d]." % i
            c_tests[i].id = word(where + "id", test.id)
            for to, name, side in ((c_tests[i].a, where + "a", test.a), (c_tests[i].b, where + "b", test.b)):
                s = PartSelector(side) if isinstance(side, str) else side
                if not isinstance(s, PartSelector):
                    raise TypeError("%s is %s, must be a pattern or a PartSelector" % (name, describe(side)))
                to.path, to.name = word(name + ".path", s.path), word(name + ".name", s.name)
                to.size_from, to.size_below = real(name + ".size_from", s.size_from), real(name + ".size_below", s.size_below)
            c_tests[i].clearance, c_tests[i].min_penetration = _length(where + "clearance", test.clearance), _length(
                where + "min_penetration", test.min_penetration
            )
            c_tests[i].touching = bool(test.touching)
        c.tests, c.test_count = c_tests, len(all_tests)
        pairs = [_exclusion(i, e) for i, e in enumerate(_list("exclude", exclude))]
        c_pairs = ffi.new("graze_clash_exclusion[]", len(pairs))
        for i, pair in enumerate(pairs):
            c_pairs[i].a, c_pairs[i].b, c_pairs[i].reason = (word("exclude[%d]" % i, value) for value in pair)
        c.excluded, c.excluded_count = c_pairs, len(pairs)
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        c_models = ffi.new("graze_clash_model[]", len(given))
        ids: Dict[str, None] = {}
        for i, model in enumerate(given):
            name, path = self._file_of(i, model, ids)
            c_models[i].id = word("models[%d].id" % i, name)
            keep.append(ffi.new("char[]", path))
            c_models[i].path = keep[-1]
            c_models[i].scale = _scale(i, model, keep[0])
            ffi.memmove(ffi.addressof(c_models[i], "pose"), _turn(i, model, axis)._c, POSE_BYTES)
            c_models[i].deflection = number("models[%d].deflection" % i, model.deflection)
            c_models[i].literal = bool(model.literal)
        c.models, c.model_count = c_models, len(given)
        out = ffi.new("graze_clash_job **")
        check(lib.graze_clash_job_create(c, out))
        self._hold(out[0])

    def _hold(self, handle: Any) -> None:
        self._c = ffi.gc(handle, lib.graze_clash_job_free)
        self._data = ffi.new("graze_clash_job_input *")
        check(lib.graze_clash_job_get(self._c, self._data))

    def _file_of(self, i: int, model: ClashModel, ids: Dict[str, None]) -> Tuple[str, bytes]:
        """The id and the file of a model; what is in memory is written into one."""
        source, name = model.source, model.id
        kind = "assembly" if isinstance(source, Assembly) else "mesh" if isinstance(source, (Mesh, Placed)) else ""
        path = b"" if kind else _path(source)  # type: ignore[arg-type]
        if name is None:
            stem, first = (kind, kind) if kind else _stem(os.fsdecode(path))
            name, n = first, 2
            while name in ids:
                name, n = "%s-%d" % (stem, n), n + 1
        else:
            c_text("models[%d].id" % i, name)
            if not name or any(mark in name for mark in "/*?"):
                raise Error("models[%d].id is %s, must not be empty, and without /, * and ?" % (i, describe(name)))
        if name in ids:
            raise Error("models[%d].id is %s, as that of another model" % (i, describe(name)))
        ids[name] = None
        if isinstance(source, (Mesh, Placed)):
            source = Assembly({name: source})
        if isinstance(source, Assembly):
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="graze-")
            path = os.fsencode(os.path.join(self._folder.name, "%d.graze" % i))
            # Without notes, which would stand in reports behind the name of the temporary file.
            (Assembly(source.parts) if source.notes else source).save(os.fsdecode(path))
        return name, path

    @classmethod
    def read(cls, path: PathLike, date: Optional[Date] = None) -> "ClashJob":
        """Reads a job file (docs/clash.md). Paths of models are relative to its folder. Exclusions whose last day is before `date` (None: today) do not count.

        Raises Error that names the file, the place, what was found and what was expected.
        """
        name, out = _path(path), ffi.new("graze_clash_job **")
        check(lib.graze_read_clash_job(name, day_of(date, datetime.date.today()).encode(), out))
        return cls._of(out[0])

    @classmethod
    def _of(cls, handle: Any) -> "ClashJob":
        job = cls.__new__(cls)
        job._folder = None
        job._hold(handle)
        return job

    @property
    def unit(self) -> str:
        """The unit of all lengths."""
        return text(self._data.unit)

    @property
    def up(self) -> str:
        """The axis that points up."""
        return AXES[self._data.up]

    @property
    def model_ids(self) -> Tuple[str, ...]:
        """The ids of the models."""
        return tuple(text(self._data.models[i].id) for i in range(self._data.model_count))

    @property
    def tests(self) -> Tuple[ClashTest, ...]:
        """The tests."""
        c = self._data.tests
        return tuple(
            ClashTest(text(c[i].id), _selector(c[i].a), _selector(c[i].b), c[i].clearance, c[i].min_penetration, bool(c[i].touching))
            for i in range(self._data.test_count)
        )

    @property
    def exclude(self) -> Tuple[ClashExclusion, ...]:
        """The pairs of patterns that do not count."""
        c = self._data.excluded
        return tuple(ClashExclusion(text(c[i].a), text(c[i].b), text(c[i].reason)) for i in range(self._data.excluded_count))

    @property
    def notes(self) -> Tuple[str, ...]:
        """For the user: exclusions that have expired, groups that no test uses."""
        return notes_of(lambda out, count: lib.graze_clash_job_notes(self._c, out, count))

    def load(self, progress: Optional[Progress] = None) -> "ClashParts":
        """Loads the models. Raises Error as load_assembly() does, and where no part is found."""
        out = ffi.new("graze_clash_parts **")
        run(progress, lambda function, user: int(lib.graze_load_clash_parts(self._c, function, user, out)))
        return ClashParts(out[0], self.model_ids)

    def __repr__(self) -> str:
        return "ClashJob(%d models, %d tests)" % (self._data.model_count, self._data.test_count)


# ---- parts -------------------------------------------------------------------------------------------------------------------------------


class ClashPart(NamedTuple):
    """A part of a job."""

    path: str  #: with the model's id
    name: str  #: with the model's id
    model: str  #: the id
    mesh: Mesh
    pose: Pose
    box: Box  #: the smallest
    open_edge: str  #: which edge of the mesh is open, so that the part is a surface; "" where it is closed

    @property
    def placed(self) -> Placed:
        """The mesh at its pose, for any query."""
        return self.mesh.at(self.pose)


class ClashParts(Sequence[ClashPart]):
    """The parts of all models of a job, sorted by path, as ClashJob.load() returns them: `parts[7]`, `parts["plant/floor 2/pump"]`. Immutable."""

    def __init__(self, handle: Any, models: Tuple[str, ...]) -> None:
        self._c = ffi.gc(handle, lib.graze_clash_parts_free)
        out, count = ffi.new("graze_clash_part const **"), ffi.new("size_t *")
        check(lib.graze_clash_parts_list(self._c, out, count))
        self._parts, self._count, self._models = out[0], int(count[0]), models
        check(lib.graze_clash_parts_mesh_count(self._c, count))
        self._meshes: List[Optional[Tuple[Mesh, str]]] = [None] * count[0]

    def __len__(self) -> int:
        return self._count

    def _mesh(self, i: int) -> Tuple[Mesh, str]:
        found = self._meshes[i]
        if found is None:
            reason = ffi.new("char const **")
            mesh = Mesh._made(lambda out: lib.graze_clash_parts_mesh(self._c, i, out, reason))
            found = self._meshes[i] = mesh, text(reason[0])
        return found

    @overload
    def __getitem__(self, part: Union[int, str]) -> ClashPart:
        ...

    @overload
    def __getitem__(self, part: slice) -> Sequence[ClashPart]:
        ...

    def __getitem__(self, part: Any) -> Any:
        if isinstance(part, slice):
            return [self[i] for i in range(self._count)[part]]
        if isinstance(part, str):
            found = ffi.new("int64_t *")
            check(lib.graze_clash_parts_find(self._c, c_text("part", part), found))
            if found[0] < 0:
                raise Error("no part has the path %s" % describe(part), "unknown_id")
            part = found[0]
        c = self._parts[range(self._count)[part]]
        mesh, reason = self._mesh(c.mesh)
        pose = Pose._of(np.frombuffer(ffi.buffer(ffi.addressof(c, "pose")), np.float64).copy())
        box = Box._of(np.frombuffer(ffi.buffer(ffi.addressof(c, "box")), np.float64).copy())
        return ClashPart(text(c.path), text(c.name), self._models[c.model], mesh, pose, box, reason)

    def __iter__(self) -> Iterator[ClashPart]:
        return (self[i] for i in range(self._count))

    @property
    def meshes(self) -> Tuple[Mesh, ...]:
        """The meshes, those of each model once."""
        return tuple(self._mesh(i)[0] for i in range(len(self._meshes)))

    @property
    def notes(self) -> Tuple[str, ...]:
        """What the readers found, one line each."""
        return notes_of(lambda out, count: lib.graze_clash_parts_notes(self._c, out, count))

    def __repr__(self) -> str:
        return "ClashParts(%d parts, %d meshes)" % (self._count, len(self._meshes))


# ---- arguments ---------------------------------------------------------------------------------------------------------------------------


def notes_of(call: Any) -> Tuple[str, ...]:
    """A list of texts in memory of an object."""
    out, count = ffi.new("char const * const **"), ffi.new("size_t *")
    check(call(out, count))
    return tuple(text(out[0][i]) for i in range(count[0]))


def day_of(date: Any, default: Optional[datetime.date]) -> str:
    """A date as text; "" for None without a default."""
    day = default if date is None else date
    if day is None:
        return ""
    if isinstance(day, datetime.date):
        return day.strftime("%Y-%m-%d")
    if not isinstance(day, str):
        raise TypeError("date is %s, must be a datetime.date or a str as 2026-11-26" % describe(day))
    try:
        read = datetime.datetime.strptime(day, "%Y-%m-%d")
    except ValueError:
        raise Error("date is %s, must be as 2026-11-26" % describe(day)) from None
    return read.strftime("%Y-%m-%d")


def _models(models: Any) -> List[ClashModel]:
    given = _named_models(models)
    for i, model in enumerate(given):
        if not isinstance(model.source, (Assembly, Mesh, Placed, str, bytes, os.PathLike)):
            raise TypeError("models[%d] is %s, must be a path, an Assembly or a Mesh" % (i, describe(model.source)))
    return given


def _named_models(models: Any) -> List[ClashModel]:
    if isinstance(models, (ClashModel, Assembly, Mesh, Placed, str, bytes, os.PathLike)):
        models = [models]
    if isinstance(models, Mapping):
        named = []
        for name, source in models.items():
            if isinstance(source, ClashModel):
                if source.id is not None and source.id != name:
                    raise Error("models[%s] has the id %s" % (describe(name), describe(source.id)))
                named.append(source._replace(id=name))
            else:
                named.append(ClashModel(source, name))
        return named
    return [m if isinstance(m, ClashModel) else ClashModel(m) for m in _list("models", models)]


def _list(name: str, values: Any) -> List[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError("%s is %s, must be a sequence" % (name, describe(values)))
    return list(values)


def _is_gltf(source: Any) -> bool:
    if isinstance(source, Assembly):
        return source.format.startswith("gltf")
    if isinstance(source, (Mesh, Placed)):
        return False
    return os.path.splitext(os.fsdecode(_path(source)))[1].lower() in (".glb", ".gltf")


def _stem(path: str) -> Tuple[str, str]:
    """The name of a file without its extension; and the id of a model from it, which for a folder is its whole name."""
    last = os.path.basename(os.path.normpath(path)) or path
    stem = os.path.splitext(last)[0]
    return stem, last if os.path.isdir(path) else stem


def _length(name: str, value: Any) -> float:
    x = number(name, value)
    if x < 0:
        raise Error("%s is %r, must be >= 0" % (name, x))
    return x


def _tests(tests: Any, clearance: Any, min_penetration: Any, touching: Any) -> List[ClashTest]:
    if tests is None:
        return [ClashTest("all", "**", "**", _length("clearance", clearance), _length("min_penetration", min_penetration), touching)]
    if (clearance, min_penetration, touching) != (0.0, 0.0, True):
        raise Error("clearance, min_penetration and touching belong to each of the tests where tests are given")
    given = [tests] if isinstance(tests, ClashTest) else _list("tests", tests)
    if not given:
        raise Error("tests is empty; leave it out for all parts against all")
    for i, test in enumerate(given):
        if not isinstance(test, ClashTest):
            raise TypeError("tests[%d] is %s, must be a ClashTest" % (i, describe(test)))
    return given


def _exclusion(i: int, pair: Any) -> ClashExclusion:
    if not isinstance(pair, (tuple, list)) or len(pair) not in (2, 3):
        raise TypeError("exclude[%d] is %s, must be (a, b) or (a, b, reason)" % (i, describe(pair)))
    return ClashExclusion(*texts("exclude[%d]" % i, pair))


def _scale(i: int, model: ClashModel, unit: Any) -> float:
    if model.unit is None:
        return 1.0 if model.scale is None else number("models[%d].scale" % i, model.scale)
    if model.scale is not None:
        raise Error("models[%d] has both unit and scale" % i)
    out = ffi.new("double *")
    check(lib.graze_unit_ratio(c_text("models[%d].unit" % i, model.unit), unit, out))
    return float(out[0])


def _turn(i: int, model: ClashModel, axis: int) -> Pose:
    if model.up is None:
        return IDENTITY if model.pose is None else pose_of("models[%d].pose" % i, model.pose)
    if model.pose is not None:
        raise Error("models[%d] has both up and pose" % i)
    up = choice("models[%d].up" % i, model.up, AXES)
    return Pose._made(lambda out: lib.graze_turn_axis(up, axis, out))


def _selector(c: Any) -> PartSelector:
    return PartSelector(text(c.path), text(c.name), c.size_from, c.size_below)
