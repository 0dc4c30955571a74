"""Wrong arguments by the thousand, in other processes: no crash, no hang, and no exception that docs/python.md does not list. GRAZE_FUZZ_CALLS=1000000 makes
more calls than the normal run, GRAZE_FUZZ_FIRST others."""
import os
import subprocess
import sys

import pytest

import fuzz_arguments

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS, FIRST = int(os.environ.get("GRAZE_FUZZ_CALLS", "20000")), int(os.environ.get("GRAZE_FUZZ_FIRST", "0"))
PROCESSES = 4


@pytest.mark.parametrize("part", range(PROCESSES))
def test_wrong_arguments(part, tmp_path):
    program, place, count = os.path.join(HERE, "fuzz_arguments.py"), tmp_path / "number", CALLS // PROCESSES
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "PYTHONFAULTHANDLER": "1"}
    command = [sys.executable, program, "run", str(FIRST + part * count), str(count), str(place)]
    r = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    if r.returncode not in (0, 1) or not r.stdout.rstrip().endswith(" wrong"):
        number = int(place.read_text())
        call = subprocess.run([sys.executable, program, "show", str(number)], capture_output=True, text=True, env=environment).stdout
        raise AssertionError("ended with %d in call %d: %s\n%s%s" % (r.returncode, number, call, r.stdout[-3000:], r.stderr[-3000:]))
    returned = int(r.stdout.rsplit(" returned", 1)[0].rsplit(" ", 1)[1])
    assert r.returncode == 0, r.stdout[-6000:]
    assert 0.1 * count < returned < 0.7 * count  # most are wrong, and not all end at the first check


def test_every_function_is_called():
    """Each public function and method is among those that the fuzzing calls."""
    called = {text for text, _, _ in fuzz_arguments.FUNCTIONS}
    for prefix, module, names in fuzz_arguments.MODULES:
        for name, thing in fuzz_arguments.public(module, names):
            if not isinstance(thing, type):
                assert "%s.%s" % (prefix, name) in called
            elif thing in fuzz_arguments.RECEIVERS:
                methods = [m for m, f in vars(thing).items() if not m.startswith("_") and callable(f)]
                assert all("." + m in called or "%s.%s.%s" % (prefix, name, m) in called for m in methods)
