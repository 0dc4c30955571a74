#!/usr/bin/env python3
"""tools/schedule.py with steps that only sleep: dependencies, cores, failures and the time limit."""
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from schedule import Step, run_steps  # noqa: E402


class Result:
    def __init__(self, failed):
        self.failed = failed


class Trial:
    """Runs steps and records what ran at the same time."""

    def __init__(self, cores=2, late=()):
        self.cores, self.late = cores, late
        self.lock, self.now, self.together, self.order = threading.Lock(), set(), set(), []

    def step(self, name, needs=(), cores=0, fails=False, raises=False):
        def run():
            with self.lock:
                self.now.add(name)
                self.together.update(frozenset((a, b)) for a in self.now for b in self.now if a != b)
                self.order.append(name)
            time.sleep(0.05)
            with self.lock:
                self.now.remove(name)
            if raises:
                raise RuntimeError("broken")
            return Result(fails)

        return Step(name, True, run, needs, cores)

    def run(self, *steps):
        results = {}
        run_steps(steps, self.cores, lambda: not set(self.late) & set(self.order), lambda step, result, seconds: results.__setitem__(step.name, result))
        assert set(results) == {s.name for s in steps}, results
        return results


def test_runs_in_order_when_each_uses_all_cores():
    t = Trial()
    t.run(t.step("a"), t.step("b"), t.step("c"))
    assert t.order == ["a", "b", "c"] and not t.together


def test_runs_small_steps_together():
    t = Trial()
    t.run(t.step("a", cores=1), t.step("all"), t.step("b", cores=1))
    assert t.together == {frozenset("ab")}, t.together
    assert t.order[2] == "all"


def test_never_uses_more_cores_than_there_are():
    t = Trial(cores=1)
    t.run(t.step("a", cores=1), t.step("b", cores=1), t.step("all"), t.step("greedy", cores=3))
    assert not t.together and len(t.order) == 4


def test_waits_for_needs():
    t = Trial()
    t.run(t.step("late", needs=["early"], cores=1), t.step("early", cores=1))
    assert t.order == ["early", "late"]


def test_ignores_needs_that_take_no_part():
    t = Trial()
    assert not t.run(t.step("a", needs=["absent"]))["a"].failed


def test_passes_failures_on():
    t = Trial()
    results = t.run(t.step("a", fails=True), t.step("b", needs=["a"]), t.step("c", needs=["b"]), t.step("d"))
    assert results["b"] == results["c"] == "needs" and t.order == ["a", "d"]
    t = Trial()
    results = t.run(t.step("a", raises=True), t.step("b", needs=["a"]))
    assert isinstance(results["a"], RuntimeError) and results["b"] == "needs"


def test_begins_nothing_too_late():
    t = Trial(late=["a"])
    results = t.run(t.step("a"), t.step("b"), t.step("c", needs=["b"]))
    assert results["b"] == results["c"] == "late" and t.order == ["a"]


if __name__ == "__main__":
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok", name)
