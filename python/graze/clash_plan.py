"""Clash detection by many programs and machines: a plan divides a job into chunks, any program decides any of them, and the results are merged (docs/clash.md)."""
import os
from typing import Any, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from graze._arrays import describe, integer, read_only
from graze._calls import Progress, require_callable, run
from graze._lib import Error, check, ffi, lib, take, text, view
from graze.clash_job import ClashJob, ClashParts, Date, Models, day_of
from graze.clash_report import ClashCounts, ClashReport, before_of, counts_of, job_of, share_of
from graze.mesh import PathLike, _path

CHUNK_STATES = ("missing", "done", "damaged")


def write_clash_plan(
    models: Union[ClashJob, Models],
    folder: PathLike,
    *,
    depth: bool = False,
    date: Optional[Date] = None,
    chunks: int = 0,
    split_cost: int = 0,
    parts: Optional[ClashParts] = None,
    progress: Optional[Progress] = None,
) -> str:
    """Writes the plan of a job into a folder, which is made if it is not there, and returns the plan's id, a hash of all that its results depend on.

        job = graze.ClashJob("plant.glb", clearance=25)
        graze.write_clash_plan(job, "plan")
        plan = graze.ClashPlan("plan")            # in any number of programs, on all machines that see the folder
        for chunk in plan.share(1, 16):
            if plan.state(chunk) != "done":
                plan.decide(chunk)
        report = graze.ClashPlan("plan").merge(before="results")   # when all are decided

    `models` is a ClashJob, a job file, or models that are all tested against all. `depth`, `date` and `parts` are those of clash(). There are at most `chunks`
    chunks, of about equal work; 0 means by the work that there is. A pair of parts is divided if it is estimated to cost more than `split_cost`, unless its depth
    is asked for; 0 means 4,000,000. Raises Error as clash() does, and for a folder that has another plan.
    """
    require_callable("progress", progress)
    name, day, job = _path(folder), day_of(date, None), job_of(models, {}, date)
    loaded = parts
    if loaded is None:
        loaded = job.load(share_of(progress, 0.0))
    elif not isinstance(loaded, ClashParts):
        raise TypeError("parts is %s, must be ClashParts" % describe(parts))
    options, word, id = ffi.new("graze_clash_plan_options *"), ffi.new("char[]", day.encode()), ffi.new("char[65]")
    options.size, options.depth, options.date, options.chunks = ffi.sizeof("graze_clash_plan_options"), bool(depth), word, integer("chunks", chunks)
    options.split_cost = integer("split_cost", split_cost)
    c_parts = loaded._c

    def write(function: Any, user: Any) -> int:
        options.progress, options.progress_user = function, user
        return int(lib.graze_write_clash_plan(job._c, c_parts, options, name, id))

    run(share_of(progress, 0.5), write)
    return text(id)


class ClashPlan:
    """A plan that has been opened. Programs on any number of machines may work on one at the same time.

    Raises Error that names the file and the place where something is damaged.
    """

    def __init__(self, folder: PathLike, progress: Optional[Progress] = None) -> None:
        name, out = _path(folder), ffi.new("graze_clash_plan **")
        run(progress, lambda function, user: int(lib.graze_clash_plan_open(name, function, user, out)))
        self._c, self._folder = ffi.gc(out[0], lib.graze_clash_plan_free), os.fsdecode(name)
        self._data = ffi.new("graze_clash_plan_data *")
        check(lib.graze_clash_plan_get(self._c, self._data))
        self._job: Optional[ClashJob] = None
        self._parts: Optional[ClashParts] = None

    @property
    def id(self) -> str:
        """64 hexadecimal digits, of all that the results depend on."""
        return text(self._data.id)

    @property
    def folder(self) -> str:
        """The folder, as it was given."""
        return self._folder

    @property
    def counts(self) -> ClashCounts:
        """Numbers of parts, meshes, triangles and pairs; those of a run are 0."""
        return counts_of(self._data.counts)

    @property
    def costs(self) -> NDArray[np.uint64]:
        """For each chunk its cost, (n,): estimated, in any unit."""
        costs: NDArray[np.uint64] = read_only(view(self._c, self._data.costs, self._data.chunk_count, np.uint64).copy())
        return costs

    @property
    def job(self) -> ClashJob:
        """The job, without selectors, exclusions and paths of models, which have been applied."""
        if self._job is None:
            out = ffi.new("graze_clash_job **")
            check(lib.graze_clash_plan_job(self._c, out))
            self._job = ClashJob._of(out[0])
        return self._job

    @property
    def parts(self) -> ClashParts:
        """The parts, as ClashJob.load() gave them."""
        if self._parts is None:
            models, out = self.job.model_ids, ffi.new("graze_clash_parts **")
            run(None, lambda function, user: int(lib.graze_clash_plan_parts(self._c, out)))
            self._parts = ClashParts(out[0], models)
        return self._parts

    def __len__(self) -> int:
        return int(self._data.chunk_count)

    def share(self, number: int = 1, shares: int = 1) -> NDArray[np.uint64]:
        """The numbers of the chunks of share `number` of `shares`, counted from 1, in the order in which to decide them: those with slices of
        divided pairs, then the most expensive. All shares together have each chunk once, and cost about the same."""
        out, count = ffi.new("size_t **"), ffi.new("size_t *")
        check(lib.graze_clash_plan_share(self._c, integer("number", number), integer("shares", shares), out, count))
        chunks: NDArray[np.uint64] = take(out[0], int(count[0]), np.uint64)
        return chunks

    def _state(self, chunk: int) -> Tuple[str, str]:
        i, state, damage = self._number(chunk), ffi.new("graze_clash_chunk_state *"), ffi.new("char const **")
        check(lib.graze_clash_plan_state(self._c, i, state, damage))
        return CHUNK_STATES[state[0]], text(damage[0])

    def state(self, chunk: int) -> str:
        """ "missing", "done", or "damaged" (also the result of another plan). Reads the result of the chunk to see whether it is whole."""
        return self._state(chunk)[0]

    def damage(self, chunk: int) -> str:
        """What is wrong with a damaged result, else ""."""
        return self._state(chunk)[1]

    def decide(self, chunk: int, progress: Optional[Progress] = None) -> int:
        """Decides the pairs of a chunk and writes the result, so that it is there either whole or not at all. Returns the number of findings. A result that is
        there is replaced by the same bytes. Raises Error where the plan is damaged, or cannot be written into."""
        i, found = self._number(chunk), ffi.new("size_t *")
        run(progress, lambda function, user: int(lib.graze_clash_plan_decide(self._c, i, function, user, found)))
        return int(found[0])

    def merge(self, before: Optional[Union[ClashReport, PathLike]] = None, *, parts: bool = True, progress: Optional[Progress] = None) -> ClashReport:
        """The report of clash() for the job, whoever decided the chunks and however often. Statuses come from the run `before`: a report, a clash.json, or a folder
        of results, which need not be there yet. Without `parts` the report has none, and no mesh is examined; it cannot write BCF then. Raises Error where chunks are
        not decided, or a result is damaged."""
        earlier, out = before_of(before), ffi.new("graze_clash_report **")
        copied, its_parts, up = ffi.NULL if earlier is None else earlier._copy(), self.parts if parts else None, self.job.up
        run(progress, lambda function, user: int(lib.graze_clash_plan_merge(self._c, copied, function, user, out)))
        return ClashReport(out[0], its_parts, earlier, up)

    def _number(self, chunk: Any) -> int:
        if len(self) == 0:
            raise Error("the plan has no chunks: no test asks about a pair of parts whose boxes come near enough")
        return integer("chunk", chunk, 0, len(self) - 1)

    def __repr__(self) -> str:
        return "ClashPlan(%d chunks, %d pairs)" % (len(self), self._data.counts.candidates)
