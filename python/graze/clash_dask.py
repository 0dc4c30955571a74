"""Decides a plan of ``graze clash plan`` with a Dask cluster:

    python3 -m graze.clash_dask PLAN [--scheduler ADDRESS] [--shards N] [--threads N] [--graze PATH]

Needs ``distributed`` (Debian: python3-distributed). The cluster hands out numbers of shares only; each worker runs ``graze clash run PLAN --shard I/N``, so all
machines must see the plan's folder under one path, and have the tool. Without a scheduler, a cluster on this machine is started for the time of the call. A call
that was ended at any moment may be made again: chunks that are decided stay decided. Afterwards, ``graze clash merge PLAN --out DIR`` writes the results."""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import subprocess
import sys
from typing import Any, Optional, Sequence


def decide(plan: str, client: Any, shards: int = 0, threads: int = 1, graze: str = "graze") -> int:
    """Decides the plan with the workers of a ``distributed.Client`` and returns the number of shares that failed; what they said is on stderr. ``shards`` 0 means
    four for each thread of the workers, so that none waits long for the last one."""
    completed = importlib.import_module("distributed").as_completed
    shards = shards or 4 * max(1, sum(client.nthreads().values()))
    commands = [[graze, "clash", "run", os.path.abspath(plan), "--shard", "%d/%d" % (i + 1, shards), "--threads", str(threads)] for i in range(shards)]
    # The function is one of the standard library, so that workers need nothing of this package.
    tasks = client.map(subprocess.run, commands, capture_output=True, text=True, pure=False, retries=3)
    failed = 0
    for done, task in enumerate(completed(tasks), 1):
        error = task.exception()
        result = None if error is not None else task.result()
        if result is None or result.returncode != 0:
            failed += 1
            print(str(error) if result is None else result.stderr.rstrip(), file=sys.stderr)
        print("clash: %d of %d shares" % (done, shards), file=sys.stderr)
    return failed


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m graze.clash_dask", description="Decides a plan of `graze clash plan` with a Dask cluster.")
    parser.add_argument("plan", help="folder of the plan")
    parser.add_argument("--scheduler", help="address of a Dask scheduler, as tcp://node1:8786 (default: a cluster on this machine)")
    parser.add_argument("--shards", type=int, default=0, help="number of shares (default: four for each thread of the workers)")
    parser.add_argument("--threads", type=int, default=1, help="threads of each run (default 1)")
    parser.add_argument("--graze", default=os.environ.get("GRAZE", "graze"), help="the tool on the workers (default: $GRAZE, else graze)")
    options = parser.parse_args(arguments)
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        print("graze.clash_dask: needs the package distributed (Debian: python3-distributed)", file=sys.stderr)
        return 4
    if not options.scheduler and shutil.which(options.graze) is None:
        print("graze.clash_dask: --graze is %r, must be the tool graze; this machine has no such program" % options.graze, file=sys.stderr)
        return 2
    where = {"address": options.scheduler} if options.scheduler else {"processes": False, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.Client(**where) as client:
        failed = decide(options.plan, client, options.shards, options.threads, options.graze)
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
