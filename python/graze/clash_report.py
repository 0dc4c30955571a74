"""What clash detection finds: the run, its findings with their statuses, and the files of results."""
import fcntl
import os
import threading
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from graze._arrays import Floats, c_text, choice, describe, integer, read_only
from graze._calls import Progress, interruptible, require_callable, run
from graze._lib import Error, check, dtype_of, ffi, lib, text, view
from graze.clash_job import AXES, ClashExclusion, ClashJob, ClashParts, ClashTest, Date, Models, day_of
from graze.mesh import PathLike, _path
from graze.results import Bools, _Result
from graze.shapes import Box

VERDICTS = ("identical", "a_in_b", "b_in_a", "overlapping", "touching", "near", "not-evaluated")
CLASSES = ("hard", "hard", "hard", "hard", "touching", "near", "not-evaluated")
STATUSES = ("new", "active", "reviewed", "approved", "resolved")
Numbers = NDArray[np.uint32]
Words = NDArray[np.str_]
WORDS = ("id", "test", "a", "b", "reason", "key", "date", "note")


class Clash(_Result):
    """A pair of parts that a test finds, or found before."""

    __slots__ = (
        "id",
        "test",
        "a",
        "b",
        "verdict",
        "status",
        "reason",
        "distance",
        "depth",
        "point",
        "region",
        "triangle_pairs",
        "key",
        "first_run",
        "date",
        "note",
        "group",
    )
    id: str  #: 16 hexadecimal digits: of the test, both paths and the class of the verdict
    test: str  #: the id of the test
    a: str  #: path of a part, with its model
    b: str  #: above a
    verdict: str  #: "identical", "a_in_b", "b_in_a", "overlapping", "touching", "near" or "not-evaluated"
    status: str  #: "new", "active", "reviewed", "approved" or "resolved"
    reason: str  #: why the pair is not evaluated, else ""
    distance: float  #: length
    depth: Optional[float]  #: length of a translation that is verified to end the overlap; if requested
    point: Floats  #: common to both, or the point of a nearest to b
    region: Box  #: around the pairs of triangles that touch; of parts apart, around both nearest points
    triangle_pairs: int  #: that touch
    key: str  #: 16 hexadecimal digits: of both shapes and places and of the rule; equal keys have equal results
    first_run: int  #: the number of the run that found it first
    date: str  #: of that run, else ""
    note: str  #: by hand, else ""
    group: int  #: findings that share a part, directly or through others, have one number, from 1; 0: resolved

    @property
    def open(self) -> bool:
        """Whether it is new or active."""
        return self.status in ("new", "active")


class ClashFindings(Sequence[Clash]):
    """Findings by id, as a list and as one array for each member: `findings[7]`, `findings["0035cb3fed337cc1"]`, `findings.distance`,
    `findings[findings.verdict == "near"]`. They do not follow later changes of their report."""

    def __init__(self, data: NDArray[Any], words: Dict[str, List[str]], group: Numbers) -> None:
        self._data, self._words, self._group = read_only(data), words, read_only(group)
        self._ids: Optional[Dict[str, int]] = None

    def __len__(self) -> int:
        return len(self._data)

    def _numbers(self) -> Dict[str, int]:
        """The numbers of the findings by their ids."""
        if self._ids is None:
            self._ids = {name: i for i, name in enumerate(self._words["id"])}
        return self._ids

    def _number(self, id: str) -> int:
        found = self._numbers().get(id)
        if found is None:
            raise Error("no finding has the id %s" % describe(id), "unknown_id")
        return found

    def _take(self, numbers: NDArray[Any]) -> "ClashFindings":
        words = {name: [column[i] for i in numbers.tolist()] for name, column in self._words.items()}
        return ClashFindings(self._data[numbers], words, self._group[numbers])

    @overload
    def __getitem__(self, finding: Union[int, str]) -> Clash:
        ...

    @overload
    def __getitem__(self, finding: Union[slice, List[int], NDArray[Any]]) -> "ClashFindings":
        ...

    def __getitem__(self, finding: Any) -> Any:
        if isinstance(finding, (slice, list)) or isinstance(finding, np.ndarray) and finding.ndim:
            if not isinstance(finding, slice):
                finding = np.asarray(finding, dtype=None if len(finding) else np.int64)
                if finding.ndim != 1 or finding.dtype.kind not in "iub":
                    raise TypeError("the index is %s, must be an integer, an id, a slice, or an array (n,) of integers or bools" % describe(finding))
            return self._take(np.arange(len(self))[finding])
        i = self._number(finding) if isinstance(finding, str) else range(len(self))[finding]
        row, clash = self._data[i], Clash.__new__(Clash)
        for name in WORDS:
            setattr(clash, name, self._words[name][i])
        clash.verdict, clash.status = VERDICTS[row["verdict"]], STATUSES[row["status"]]
        clash.distance, clash.depth = float(row["distance"]), float(row["depth"]) if row["has_depth"] else None
        clash.point, clash.region = row["point"].copy(), Box._of(np.concatenate([row["region"]["min"], row["region"]["max"]]))
        clash.triangle_pairs, clash.first_run, clash.group = int(row["triangle_pairs"]), int(row["first_run"]), int(self._group[i])
        return clash

    def __iter__(self) -> Iterator[Clash]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, finding: object) -> bool:
        return (finding.id if isinstance(finding, Clash) else finding) in self._numbers()

    def _column(self, name: str) -> Words:
        return np.array(self._words[name], dtype=np.str_)

    @property
    def id(self) -> Words:
        """16 hexadecimal digits each, (n,)."""
        return self._column("id")

    @property
    def test(self) -> Words:
        """The ids of the tests, (n,)."""
        return self._column("test")

    @property
    def a(self) -> Words:
        """Paths of parts, (n,)."""
        return self._column("a")

    @property
    def b(self) -> Words:
        """Paths of parts, each above that of a, (n,)."""
        return self._column("b")

    @property
    def verdict(self) -> Words:
        """ "identical", "a_in_b", "b_in_a", "overlapping", "touching", "near" or "not-evaluated", (n,)."""
        words: Words = np.array(VERDICTS)[self._data["verdict"]]
        return words

    @property
    def verdict_class(self) -> Words:
        """ "hard", "touching", "near" or "not-evaluated", (n,): a part of a finding's identity."""
        words: Words = np.array(CLASSES)[self._data["verdict"]]
        return words

    @property
    def status(self) -> Words:
        """ "new", "active", "reviewed", "approved" or "resolved", (n,)."""
        words: Words = np.array(STATUSES)[self._data["status"]]
        return words

    @property
    def open(self) -> Bools:
        """Whether each is new or active, (n,)."""
        mask: Bools = self._data["status"] <= lib.GRAZE_CLASH_ACTIVE
        return mask

    @property
    def reason(self) -> Words:
        """Why the pairs are not evaluated, else "", (n,)."""
        return self._column("reason")

    @property
    def distance(self) -> Floats:
        """Lengths (n,); 0 where the parts touch."""
        return self._data["distance"]

    @property
    def has_depth(self) -> Bools:
        """Whether `depth` is set, (n,)."""
        mask: Bools = self._data["has_depth"] != 0
        return mask

    @property
    def depth(self) -> Floats:
        """Lengths (n,) of translations that are verified to end the overlaps; 0 where has_depth is False."""
        return self._data["depth"]

    @property
    def point(self) -> Floats:
        """Points (n, 3): common to both, or the point of a nearest to b."""
        return self._data["point"]

    @property
    def region(self) -> Floats:
        """Lowest and highest corners (n, 2, 3) of the boxes around the contacts."""
        return np.stack([self._data["region"]["min"], self._data["region"]["max"]], axis=1)

    @property
    def triangle_pairs(self) -> NDArray[np.uint64]:
        """Numbers of pairs of triangles that touch, (n,)."""
        return self._data["triangle_pairs"]

    @property
    def key(self) -> Words:
        """16 hexadecimal digits each, (n,): equal keys have equal results."""
        return self._column("key")

    @property
    def first_run(self) -> Numbers:
        """The numbers of the runs that found them first, (n,)."""
        return self._data["first_run"]

    @property
    def date(self) -> Words:
        """The days of those runs, or "", (n,)."""
        return self._column("date")

    @property
    def note(self) -> Words:
        """Notes by hand, or "", (n,)."""
        return self._column("note")

    @property
    def group(self) -> Numbers:
        """Groups (n,): findings that share a part, directly or through others, have one number. Group 1 has the most; 0: resolved."""
        return self._group

    def __reduce__(self) -> Any:
        return ClashFindings, (self._data.copy(), self._words, self._group.copy())

    def __repr__(self) -> str:
        return "ClashFindings(%d)" % len(self)


class ClashCounts(NamedTuple):
    """What a run went through."""

    parts: int
    meshes: int
    triangles: int  #: of all placed parts
    open_parts: int  #: not closed, so that they are surfaces
    candidates: int  #: pairs whose boxes come near enough
    decided: int  #: of them, in this run
    reused: int  #: of them, taken from the run before
    too_shallow: int  #: overlaps that do not count because of min_penetration


def counts_of(c: Any) -> ClashCounts:
    """The counts of a struct of the library."""
    return ClashCounts(*(int(getattr(c, name)) for name in ClashCounts._fields))


Finding = Union[str, Clash]
"""A finding, or its id."""


class ClashReport:
    """The findings of a run, as clash() returns them and read_clashes() reads them.

    `parts` are those of the run; None for a report that was read. `before` is the report of the run before, if there was one.
    """

    parts: Optional[ClashParts]
    before: Optional["ClashReport"]

    def __init__(self, handle: Any, parts: Optional[ClashParts] = None, before: Optional["ClashReport"] = None, up: str = "z") -> None:
        self._c, self.parts, self.before, self._up = ffi.gc(handle, lib.graze_clash_report_free), parts, before, up
        self._data = ffi.new("graze_clash_report_data *")
        check(lib.graze_clash_report_get(self._c, self._data))
        self._lock = threading.Lock()  # notes move in memory
        self._findings: Optional[ClashFindings] = None

    def _copy(self) -> Any:
        """A copy that nobody changes."""
        out = ffi.new("graze_clash_report **")
        with self._lock:
            check(lib.graze_clash_report_copy(self._c, out))
        return ffi.gc(out[0], lib.graze_clash_report_free)

    @property
    def unit(self) -> str:
        """The unit of all lengths."""
        return text(self._data.unit)

    @property
    def run(self) -> int:
        """The number of the run, from 1."""
        return int(self._data.run)

    @property
    def date(self) -> str:
        """The day of the run, "" if it had none."""
        return text(self._data.date)

    @property
    def counts(self) -> ClashCounts:
        """What the run went through."""
        return counts_of(self._data.counts)

    @property
    def notes(self) -> Tuple[str, ...]:
        """What the readers found, and exclusions and groups that have no effect, one line each."""
        return tuple(text(self._data.notes[i]) for i in range(self._data.note_count))

    @property
    def models(self) -> Tuple[str, ...]:
        """The ids of the models of the run."""
        return tuple(text(self._data.models[i]) for i in range(self._data.model_count))

    @property
    def findings(self) -> ClashFindings:
        """All findings by id, resolved ones too."""
        with self._lock:
            if self._findings is None:
                c, n = self._data.findings, self._data.finding_count
                words = {name: [text(getattr(c[i], name)) for i in range(n)] for name in WORDS}
                group = np.zeros(n, np.uint32)
                check(lib.graze_clash_groups(self._c, ffi.from_buffer("uint32_t[]", group)))
                self._findings = ClashFindings(view(self._c, c, n, dtype_of("graze_clash")).copy(), words, group)
            return self._findings

    @property
    def open(self) -> ClashFindings:
        """The findings that are new or active, the worst first: by verdict, then the deepest, then the nearest."""
        order, found = np.zeros(self._data.finding_count, np.uint32), self.findings
        check(lib.graze_clash_order(self._c, ffi.from_buffer("uint32_t[]", order)))
        return found._take(order[found.open[order]])

    @property
    def groups(self) -> Tuple[ClashFindings, ...]:
        """Findings that share a part, directly or through others, are one group; the largest first. Resolved ones are in none."""
        found = self.findings
        order = np.argsort(found.group, kind="stable")
        ends = np.searchsorted(found.group[order], np.arange(1, int(found.group.max(initial=0)) + 2))
        return tuple(found._take(order[begin:end]) for begin, end in zip(ends, ends[1:]))

    # ---- decisions by hand ----

    def _set(self, status: str, findings: Tuple[Any, ...], note: Optional[str]) -> None:
        ids: List[Any] = []
        for f in findings:
            ids.extend([f] if isinstance(f, (str, Clash)) or not isinstance(f, Iterable) else f)
        for f in ids:
            if not isinstance(f, (str, Clash)):
                raise TypeError("a finding is %s, must be a Clash or an id" % describe(f))
        known = self.findings
        numbers = [known._number(f.id if isinstance(f, Clash) else f) for f in ids]
        line = None if note is None else c_text("note", note)
        with self._lock:
            for i in numbers:
                check(lib.graze_set_clash_status(self._c, i, STATUSES.index(status)))
                if line is not None:
                    check(lib.graze_set_clash_note(self._c, i, line))
            self._findings = None

    def approve(self, *findings: Union[Finding, Iterable[Finding]], note: Optional[str] = None) -> None:
        """Sets findings to "approved", which stays in later runs, and their note unless it is None. Each is a Clash, an id, or a sequence of them. Raises Error, and
        changes nothing, where one is unknown."""
        self._set("approved", findings, note)

    def review(self, *findings: Union[Finding, Iterable[Finding]], note: Optional[str] = None) -> None:
        """Sets findings to "reviewed", which stays in later runs. Arguments as those of approve()."""
        self._set("reviewed", findings, note)

    def resolve(self, *findings: Union[Finding, Iterable[Finding]], note: Optional[str] = None) -> None:
        """Sets findings to "resolved"; a later run that finds them makes them new. Arguments as those of approve()."""
        self._set("resolved", findings, note)

    def reopen(self, *findings: Union[Finding, Iterable[Finding]], note: Optional[str] = None) -> None:
        """Sets findings to "active". Arguments as those of approve()."""
        self._set("active", findings, note)

    # ---- files ----

    def write(self, folder: PathLike, *, csv: bool = True, junit: bool = True, bcf: Optional[str] = None) -> None:
        """Writes clash.json, the statuses for the next run, into a folder, which is made; clash.csv and junit.xml; and clash.bcf where `bcf` is its version, "2.1"
        or "3.0".

        What an earlier run wrote there and this one does not is removed, a page of `graze clash` too, so that the folder has the results of one run. Two
        programs that write into one folder wait for each other. Raises Error where a file cannot be written.
        """
        name = os.fsdecode(_path(folder))
        try:
            os.makedirs(name, exist_ok=True)
            lock = os.open(os.path.join(name, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as e:
            raise Error("%s: cannot be written: %s" % (name, e.strerror), "unwritable_file") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if bcf is not None:
                self.write_bcf(os.path.join(name, "clash.bcf"), version=bcf)
            with self._lock:
                for wanted, file, call in (
                    (csv, "clash.csv", lib.graze_write_clash_csv),
                    (junit, "junit.xml", lib.graze_write_clash_junit),
                    (bcf is not None, "clash.bcf", None),
                    (False, "report.html", None),
                    (True, "clash.json", lib.graze_write_clashes),  # last: the statuses of the next run
                ):
                    path = os.path.join(name, file)
                    if not wanted and os.path.exists(path):
                        os.remove(path)
                    elif wanted and call is not None:
                        check(call(self._c, os.fsencode(path)))
        except OSError as e:
            raise Error("%s: cannot be written: %s" % (name, e.strerror), "unwritable_file") from None
        finally:
            os.close(lock)

    def write_bcf(self, path: PathLike, *, version: str = "2.1", most: int = 10000) -> int:
        """Writes a file in the BIM Collaboration Format, version "2.1" or "3.0", without pictures: a topic for each finding that is new, active or reviewed, the
        worst `most` of them. Returns how many were left out. Raises Error for a report without parts, one that was read."""
        if self.parts is None:
            raise Error("the report was read from a file and has no parts, which BCF needs; run clash() again")
        name, options, left_out = _path(path), ffi.new("graze_bcf_options *"), ffi.new("size_t *")
        choice("version", version, ("2.1", "3.0"))
        word = ffi.new("char[]", version.encode())
        options.size, options.version, options.up, options.most = ffi.sizeof("graze_bcf_options"), word, AXES.index(self._up), integer("most", most)
        parts = self.parts._c
        with self._lock:
            interruptible(lambda: lib.graze_write_clash_bcf(self._c, parts, name, options, left_out))
        return int(left_out[0])

    def __repr__(self) -> str:
        return "ClashReport(run %d, %d findings, %d open)" % (self.run, len(self.findings), int(self.findings.open.sum()))


def read_clashes(path: PathLike) -> ClashReport:
    """Reads a clash.json, or that of a folder of results. Raises Error that names the line, for a damaged file too."""
    name = os.fsdecode(_path(path))
    file, out = os.path.join(name, "clash.json") if os.path.isdir(name) else name, ffi.new("graze_clash_report **")
    check(lib.graze_read_clashes(os.fsencode(file), out))
    return ClashReport(out[0])


def clash(
    models: Union[ClashJob, Models],
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
    depth: bool = False,
    date: Optional[Date] = None,
    before: Optional[Union[ClashReport, PathLike]] = None,
    fresh: bool = False,
    parts: Optional[ClashParts] = None,
    progress: Optional[Progress] = None,
) -> ClashReport:
    """Finds which parts of models overlap, touch or come nearer than `clearance`. Exact: no verdict depends on a tolerance.

        report = graze.clash("plant.glb", clearance=25, before="results")
        report.open[0].a, report.findings.distance
        report.write("results")

    `models` is a job file ("job.json"), a ClashJob, or what a ClashJob is made of, with the keywords up to `up`, which it explains: files, folders, assemblies,
    meshes, or a mapping of ids to them. `depth` computes how deep parts overlap. `date` is noted with new findings and decides which exclusions of a job file are
    over (None: today, and nothing is noted). `before` is the run before, as a report, a clash.json, or a folder of results, which need not be there yet: it
    gives statuses, and results of pairs that have not changed; with `fresh` every pair is decided again. `parts` are those of a ClashJob that has loaded them already,
    from the same models.

    Raises Error as load_assembly() does, for a test that selects no part, for wrong jobs, and for parts that were loaded from other models.
    """
    require_callable("progress", progress)
    words: Dict[str, Any] = dict(
        tests=tests, clearance=clearance, min_penetration=min_penetration, touching=touching, exclude=exclude, exclude_siblings=exclude_siblings
    )
    words.update(exclude_same_model=exclude_same_model, solids=solids, most_pairs=most_pairs, unit=unit, up=up)
    day, job = day_of(date, None), job_of(models, words, date)
    earlier = before_of(before)
    copied = ffi.NULL if earlier is None else earlier._copy()
    loaded = parts
    if loaded is None:
        loaded = job.load(share_of(progress, 0.0))
    elif not isinstance(loaded, ClashParts):
        raise TypeError("parts is %s, must be ClashParts" % describe(parts))
    options, out, word = ffi.new("graze_clash_options *"), ffi.new("graze_clash_report **"), ffi.new("char[]", day.encode())
    options.size, options.depth, options.date, options.fresh = ffi.sizeof("graze_clash_options"), bool(depth), word, bool(fresh)
    options.before = copied
    c_parts = loaded._c

    def find(function: Any, user: Any) -> int:
        options.progress, options.progress_user = function, user
        return int(lib.graze_find_clashes(job._c, c_parts, options, out))

    run(share_of(progress, 0.5), find)
    return ClashReport(out[0], loaded, earlier, job.up)


DEFAULTS: Dict[str, Any] = dict(clash.__kwdefaults__ or {})


def job_of(models: Any, words: Dict[str, Any], date: Any) -> ClashJob:
    """A job file, a job, or a job of models and the keywords that it is made with."""
    file = models if isinstance(models, (str, os.PathLike)) else None
    if not isinstance(models, ClashJob) and (file is None or not os.fsdecode(_path(file)).endswith(".json") or os.path.isdir(file)):
        return ClashJob(models, **words)
    for name, value in words.items():
        if value is not DEFAULTS[name] and value != DEFAULTS[name]:
            raise Error("%s belongs to models; a job states it" % name)
    return models if isinstance(models, ClashJob) else ClashJob.read(models, date)


def before_of(before: Any) -> Optional[ClashReport]:
    """The run before: a report, or that of a file or folder, if it is there."""
    if before is None or isinstance(before, ClashReport):
        return before
    path = os.fsdecode(_path(before))
    file = path if path.endswith(".json") and not os.path.isdir(path) else os.path.join(path, "clash.json")
    return read_clashes(file) if file == path or os.path.exists(file) else None


def share_of(progress: Optional[Progress], begin: float) -> Optional[Progress]:
    """Of two halves."""
    if progress is None:
        return None
    whole = progress
    return lambda done: whole(begin + done / 2)
