"""Runs steps with dependencies, as many at a time as there are cores (Python 3 standard library only)."""
import threading
import time


class Step:
    """A named function. It starts when all steps of `needs` that take part have passed and `cores` cores are free (0: all cores)."""

    def __init__(self, name, when, run, needs=(), cores=0):
        self.name, self.when, self.run, self.needs, self.cores = name, when, run, tuple(needs), cores


def run_steps(steps, cores, begin_until, finished):
    """Runs `steps`, in their order as far as dependencies allow. Calls finished(step, result, seconds) for each, one at a time, on the calling thread.
    result is the return value of step.run(), an exception that it raised, "needs" when a step that it needs failed, or "late" when it could not start
    before begin_until() turned false. A result counts as failed when it is an exception or its attribute `failed` is true; a step that did not start
    fails its dependents only with "needs"."""
    waiting, running, done = list(steps), [], {}
    present = {s.name for s in steps}
    changed = threading.Condition()

    def work(step):
        start = time.time()
        try:
            result = step.run()
        except Exception as e:  # reported by the caller
            result = e
        with changed:
            done[step.name] = (result, time.time() - start)
            changed.notify()

    def failed(name):
        result = done[name][0]
        return result == "needs" or isinstance(result, Exception) or bool(getattr(result, "failed", False))

    reported = set()
    with changed:
        while waiting or running:
            free = cores - sum(s.cores or cores for s in running)
            for step in list(waiting):
                if any(n in present and n not in done for n in step.needs):
                    continue
                if any(n in present and failed(n) for n in step.needs):
                    done[step.name] = ("needs", 0.0)
                elif not begin_until():
                    done[step.name] = ("late", 0.0)
                elif (step.cores or cores) <= free or (not running and free == cores):
                    free -= step.cores or cores
                    running.append(step)
                    threading.Thread(target=work, args=(step,), daemon=True).start()
                else:
                    continue
                waiting.remove(step)
            ended = [s for s in steps if s.name in done and s.name not in reported]
            if not ended:
                changed.wait()
                continue
            for step in ended:
                reported.add(step.name)
                running = [s for s in running if s is not step]
                finished(step, *done[step.name])
