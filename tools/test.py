#!/usr/bin/env python3
"""The test run behind ./test (Python 3 standard library only).

  ./test             build with GCC, unit tests, the command line tool, exact cases when they are there
  ./test --full      also the main job, the viewer, programs of FCL, Clang, determinism, data races, install, full-size brute force, mixed exponents, the tool under
  sanitizers, fuzzing
  ./test --all       also mutations, every unit test under sanitizers, and 10 million queries with mixed exponents
  ./test --full --minutes 75   starts no further step after that time, and names those left out
  ./test --list      names of the steps;  ./test --only NAME...  only these

Steps that use one core run in parallel; a step waits for those that it needs. Every step prints its time and its counts; its whole output goes
to build/test-logs/NAME.log. The last line is 'N passed, N failed' (and ', N skipped'); the exit code is 1 when anything failed."""
import argparse
import concurrent.futures
import glob
import os
import re
import signal
import subprocess
import sys
import time

from schedule import Step, run_steps

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join(ROOT, "build", "test-logs")
CORES = str(os.cpu_count() or 1)
SHARED = os.environ.get("GRAZE_SHARED", os.path.join(ROOT, "..", "shared"))  # exact cases and models next to the source tree


LIVE = set()  # process groups of the running commands


class Result:
    def __init__(self, passed=0, failed=0, skipped=0, note="", again=""):
        self.passed, self.failed, self.skipped, self.note, self.again = passed, failed, skipped, note, again


def shell(log, command, timeout=3600, env=None, cwd=ROOT):
    """Runs a command and logs its output; returns (exit code, output). A timeout kills the whole process group."""
    log.write("$ %s\n" % command)
    log.flush()
    start = log.tell()
    p = subprocess.Popen(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        start_new_session=True,
    )
    LIVE.add(p.pid)
    try:
        code = p.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()
        log.write("\nended after %d s\n" % timeout)
        code = 124
    finally:
        LIVE.discard(p.pid)
    log.flush()
    with open(log.name, errors="replace") as f:
        f.seek(start)
        return code, f.read()


def command(text, **options):
    """A step of one command: one check, which passes when the command exits with 0."""

    def step(log):
        code, _ = shell(log, text, **options)
        return Result(passed=code == 0, failed=code != 0)

    return step


def build(preset, options="", targets=""):
    script = ". tools/build.sh; root=$PWD; job() { configure %s %s && ninja -C build/%s %s; }; with_build_lock job" % (preset, options, preset, targets)
    return command(script)


def build_release(log):
    """Builds all of release, including tests; then writes the tool's stamp, so that ./run does not check again."""
    code, _ = shell(
        log,
        "root=$PWD; . tools/build.sh; job() { configure release -DGRAZE_TESTS=ON -DGRAZE_WERROR=ON && ninja -C build/release && build_tool; }; with_build_lock job",
    )
    return Result(passed=code == 0, failed=code != 0)


def count(output, code):
    """Sums the checks of the programs under ctest: cases of GoogleTest; a program without counts is one check."""
    r, said = Result(), {}
    for number, line in re.findall(r"(?m)^(\d+): (.*)$", output):  # ctest -V prefixes each line with the test's number
        said.setdefault(number, []).append(line)
    for number, name, word in re.findall(r"(?m)^ *\d+/\d+ Test +#(\d+): (\S+) [. ]*(\*\*\*\w[\w ]*?|Passed)(?= +\d|$|  )", output):
        text = "\n".join(said.get(number, []))
        cases = [sum(int(n) for n in re.findall(r"\[  %s \] (\d+) tests?" % w, text)) for w in ("PASSED ", "FAILED ", "SKIPPED")]
        if word == "***Skipped":
            r.skipped += 1
        elif not any(cases) or (word != "Passed" and not cases[1]):  # prints no counts, crashed, or timed out
            r.passed += word == "Passed"
            r.failed += word != "Passed"
            r.note += "" if word == "Passed" else " " + name
        else:
            r.passed += cases[0]
            r.failed += cases[1]
            r.skipped += cases[2]
    if code != 0 and r.failed == 0:
        r.failed = 1
    return r


def unit_tests(preset, exclude="", only="", env=None, timeout=2400):
    def step(log):
        where = os.path.join("build", preset)
        skip = "-E '%s'" % exclude if exclude else "-R '%s'" % only if only else ""
        code, out = shell(
            log, "cd %s && ctest -V -j%s --timeout %d --no-tests=error %s" % (where, CORES, timeout, skip), env={"GRAZE_SHARED": SHARED, **(env or {})}
        )
        r = count(out, code)
        if r.failed:
            r.again = "cd %s && ctest --output-on-failure" % where
        return r

    return step


def scripts(folder, before=""):
    """Runs tests/FOLDER/*_test.py and *.sh, one per core at a time. Each counts as many checks as it prints ("N passed, N failed"), else one; exit code 77
    means skipped. $GRAZE is the path of the tool."""

    def one(path):
        start = time.time()
        program = "python3" if path.endswith(".py") else "bash"
        with open(os.path.join(LOGS, "%s-%s.log" % (folder, os.path.basename(path))), "w+") as log:
            env = {"GRAZE": os.path.join(ROOT, "build/release/graze"), "GRAZE_SHARED": SHARED, "GRAZE_CLASH_KILLS": "50" if ALL else "3"}
            code, out = shell(log, "%s %s" % (program, path), timeout=900, env=env)
        return path, code, out, time.time() - start

    def step(log):
        r = Result()
        if before and shell(log, before, timeout=1800)[0] != 0:
            return Result(failed=1, note=" could not be prepared")
        paths = sorted((f for f in glob.glob(os.path.join(ROOT, "tests", folder, "*_test.*")) if f.endswith((".py", ".sh"))), key=os.path.getsize, reverse=True)
        with concurrent.futures.ThreadPoolExecutor(int(CORES)) as pool:
            for path, code, out, seconds in pool.map(one, paths):
                log.write("== %s\n%s" % (path, out))
                counted = re.findall(r"(?m)^(\d+) passed, (\d+) failed$", out)
                if code == 77:
                    r.skipped += 1
                elif folder == "view" and counted and (code == 0) == (counted[-1][1] == "0"):
                    r.passed += int(counted[-1][0])
                    r.failed += int(counted[-1][1])
                else:
                    r.passed += code == 0
                    r.failed += code != 0
                r.note += " %s %s%.0f s" % (os.path.basename(path), "" if code in (0, 77) else "FAILED ", seconds)
        return r

    return step


def exact_cases(folders, pattern="*.jsonl.gz", program="./run query"):
    """Sets of queries with their exact answers; each case is a check."""

    def step(log):
        files = sorted(f for d in folders for f in glob.glob(os.path.join(SHARED, d, pattern)))
        checker = os.path.join(SHARED, "tools", "check_answers.py")
        if not files or not os.path.exists(checker):
            return Result(skipped=1, note=" no cases in %s" % os.path.relpath(SHARED, ROOT))
        code, out = shell(log, "python3 -u %s --run '%s' %s" % (checker, program, " ".join(files)))
        total = re.search(r"(\d+) cases in (\d+) files, (\d+) wrong", out)
        if not total:
            return Result(failed=1)
        wrong = int(total.group(3))
        if code and not wrong:
            wrong = 1
        return Result(passed=max(0, int(total.group(1)) - wrong), failed=wrong)

    return step


def python_package(log):
    """Stages the package in build/python, then runs its tests, mypy among them. Each test is a check. With --all the package has a library of its own, as the
    wheel does, which runs without oneTBB; else that of the release build."""
    library = {} if ALL else {"GRAZE_LIBRARY": os.path.join(ROOT, "build", "release", "libgraze_c.so")}
    script = "bash tools/setup.sh build python && root=$PWD && . tools/build.sh && with_build_lock build_python"
    if shell(log, script, timeout=7200, env=library)[0] != 0:
        return Result(failed=1, note=" could not be built")
    code, out = shell(log, "/usr/bin/python3 -m pytest -q -p no:cacheprovider python/tests", timeout=1800, env={"GRAZE_SHARED": SHARED})
    said = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|errors?|skipped)", out.strip().split("\n")[-1])}
    failed = said.get("failed", 0) + said.get("error", 0) + said.get("errors", 0)
    return Result(said.get("passed", 0), failed or int(code != 0), said.get("skipped", 0), again="./run python -m pytest python/tests")


LARGE_TARGETS = ("fuzz_meshes", "fuzz_models", "fuzz_shapes")


def fuzz(log):
    """Fuzzes every reader for 50,000 runs, and the targets for whole models and queries for 40 seconds, from the seeds in tests/fuzz/seeds/NAME if any;
    one per core at a time."""
    r = Result()
    targets = sorted(f for f in glob.glob(os.path.join(ROOT, "build/fuzz/tests/fuzz/fuzz_*")) if os.access(f, os.X_OK) and os.path.isfile(f))
    if not targets:
        return Result(failed=1, note=" no fuzz target was built")

    def one(target):
        name = os.path.basename(target)
        corpus, seeds = os.path.join(ROOT, "build/fuzz/corpus", name), os.path.join(ROOT, "tests/fuzz/seeds", name)
        os.makedirs(corpus, exist_ok=True)
        with open(os.path.join(LOGS, name + ".log"), "w+") as own:
            return (name,) + shell(
                own,
                "%s -runs=50000 -seed=1 -max_total_time=%d -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -artifact_prefix=%s/ %s %s"
                % (target, 40 if name in LARGE_TARGETS else 400, LOGS, corpus, seeds if os.path.isdir(seeds) else ""),
                timeout=700,
            )

    with concurrent.futures.ThreadPoolExecutor(int(CORES)) as pool:
        for name, code, out in pool.map(one, targets):
            log.write(out)
            r.passed += code == 0
            r.failed += code != 0
            runs = re.search(r"stat::number_of_executed_units: (\d+)", out)
            r.note += " %s %s" % (name, "FAILED" if code else runs.group(1) if runs else "?")
    return r


def mixed_exponents(log):
    """Compares queries on meshes, with exponents mixed within each query, with queries on single triangles at every CPU level. Each query is a check.
    300,000 on one core; with --all 10 million on all cores."""
    shards, count = (20, 500000) if ALL else (1, 300000)
    code, out = shell(
        log,
        "seq 1 %d | xargs -P%s -I{} env GRAZE_MIXED_COUNT=%d GRAZE_MIXED_SEED={}000000 build/release/tests/test_mixed" % (shards, CORES, count),
        timeout=7200,
    )
    said = re.findall(r"(?m)^(\d+) questions, (\d+) wrong", out)
    wrong = sum(int(w) for _, w in said)
    return Result(passed=sum(int(n) for n, _ in said) - wrong, failed=max(wrong, code != 0))


def fcl_programs(log):
    """Builds libgraze_fcl.so and its programs in build/release and runs them; the option is off again afterwards."""
    tests = "(cd build/release && ctest -V --no-tests=error -R '^fcl_')"
    job = (
        "configure release -DGRAZE_TESTS=ON -DGRAZE_WERROR=ON -DGRAZE_FCL=ON && ninja -C build/release graze_fcl test_fcl_preloaded test_fcl_linked && " + tests
    )
    script = (
        "bash tools/setup.sh build test fcl && . tools/build.sh && root=$PWD && job() { %s; local code=$?; configure release -DGRAZE_FCL=OFF && return $code; }"
    )
    code, out = shell(log, script % job + " && with_build_lock job", timeout=3600)
    return count(out, code)


def helper_formats(log):
    """Installs what the readers of STEP and IFC need, builds them in build/release, and runs the tests that are skipped without."""
    job = "configure release -DGRAZE_TESTS=ON -DGRAZE_WERROR=ON && ninja -C build/release graze_import_step graze_cli test_io"
    tests = "(cd build/release && ctest -V --no-tests=error -R '^(io|tool_formats)$')"
    script = "bash tools/setup.sh build test step ifc && . tools/build.sh && root=$PWD && job() { %s && %s; } && with_build_lock job" % (job, tests)
    code, out = shell(log, script, timeout=3600)
    return count(out, code)


def mutation(log):
    """All mutations with --all; by name a few, different for each commit."""
    return command("python3 tools/mutate.py %s" % ("" if ALL else "--sample 4 --minutes 15"), timeout=7200 if ALL else 2400)(log)


def tidy(log):
    """Runs clang-tidy on recently changed files; on everything with --all."""
    return command("python3 tools/check_tidy.py %s build/clang" % ("--all" if ALL else "--minutes 3"), timeout=3600)(log)


ALL = False
SANITIZED = {"UBSAN_OPTIONS": "print_stacktrace=1", "ASAN_OPTIONS": "detect_stack_use_after_return=1"}

# when: True for the short run, False for the full one, None only for --all or by name
STEPS = [
    Step(name, when, run, needs, cores)
    for name, when, run, needs, cores in (
        ("build", True, build_release, (), 0),
        ("unit-tests", True, unit_tests("release", exclude="^tool_"), ["build"], 0),
        ("tool", True, scripts("cli"), ["build"], 0),
        ("clang-build", False, build("clang"), (), 0),
        ("races-build", False, build("tsan", targets="test_concurrency"), (), 0),
        ("fuzz-build", False, build("fuzz", targets="graze_cli fuzz_targets"), (), 0),  # the tool under sanitizers, and the fuzz targets
        ("python", False, python_package, ["build"], 0),
        # The steps of one core: after all that they need, so that none runs alone.
        ("python-cases", False, exact_cases(["oracle/*", "ccd", "relation"], program="./run python %s/python/tests/cases.py" % ROOT), ["python"], 1),
        ("mixed-exponents", False, mixed_exponents, ["build"], 1),
        ("determinism", False, command("python3 tools/check_determinism.py build/release/graze build/clang/graze", timeout=1800), ["build", "clang-build"], 1),
        ("fuzz-cases", False, exact_cases(["oracle/*", "ccd", "relation"], program="build/fuzz/graze query"), ["fuzz-build"], 1),
        ("exact-cases", True, exact_cases(["oracle/*", "ccd", "relation"]), ["build"], 1),
        ("exact-cases-c", False, exact_cases(["oracle/*", "ccd", "relation"], program="build/release/tests/c/c_cases"), ["build"], 1),
        ("neon", False, command("python3 tools/check_neon.py", timeout=1800), (), 1),
        ("races-tests", False, command("TSAN_OPTIONS=halt_on_error=1 build/tsan/tests/test_concurrency", timeout=1800), ["races-build"], 1),
        ("main-job", False, command("./run", timeout=900), ["build"], 0),
        ("clash-job", False, command("./run clash", timeout=900), ["main-job"], 0),
        ("view", False, scripts("view", before="bash tools/setup.sh build view viewtest"), ["build"], 0),  # pictures, the window under Xvfb, pages in Chromium
        ("tidy", False, tidy, ["clang-build"], 0),
        (
            "clang-tests",
            False,
            unit_tests("clang", exclude="^(format|headers|includes|layers|mutations|nodiscard|schedule|tool_(simulate|usage|clash_plan))"),
            ["clang-build"],
            0,
        ),
        ("formats", False, helper_formats, ["build"], 0),
        ("install", False, command("bash tools/check_install.sh", timeout=1800), ["build"], 0),
        (
            "brute-force",
            False,
            command(
                "seq 0 7 | xargs -P%s -I{} env GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX={} build/release/tests/test_oracle" % CORES,
                timeout=3000,
                env={"GRAZE_SHARED": SHARED, "GRAZE_FULL_TESTS": "1"},
            ),
            ["build"],
            0,
        ),
        ("fuzz-tests", False, unit_tests("fuzz", only="^tool_(cli|commands)$", env=SANITIZED), ["fuzz-build"], 0),
        ("fuzz", False, fuzz, ["fuzz-build"], 0),
        ("fcl", False, fcl_programs, ["build"], 0),
        ("mutation", None, mutation, (), 0),
        ("sanitizers-build", None, build("sanitizers"), (), 0),
        (
            "sanitizers-tests",
            None,
            unit_tests("sanitizers", exclude="^(format|headers|includes|layers|mutations|nodiscard|oracle|schedule)", env=SANITIZED),
            ["sanitizers-build"],
            0,
        ),
    )
]


def report(step, result, seconds):
    """Prints the outcome of a step; returns its Result."""
    if result == "needs":
        print("FAIL  %-18s        not run: a step that it needs failed" % step.name, flush=True)
        return Result(failed=1)
    if result == "late":
        print("skip  %-18s        not begun: the time is over" % step.name, flush=True)
        return Result(skipped=1)
    r = Result(failed=1, note=" %r" % result) if isinstance(result, Exception) else result
    word = "FAIL" if r.failed else "ok  " if r.passed else "skip"
    print(
        "%s  %-18s %6.1f s  %d passed, %d failed%s%s"
        % (word, step.name, seconds, r.passed, r.failed, ", %d skipped" % r.skipped if r.skipped else "", ";" + r.note if r.note else ""),
        flush=True,
    )
    if r.failed:
        path = log_of(step.name)
        with open(path, errors="replace") as log:
            lines = log.read().splitlines()
        telling = [
            x
            for x in lines
            if re.search(r"(error|FAILED|Failure|\bwrong\b|ERROR|WARNING: ThreadSanitizer|runtime error)", x) and not re.search(r"\b0 wrong", x)
        ]
        for line in telling[:25] or lines[-25:]:
            print("      | " + line[:220])
        print("      the whole output: %s%s" % (os.path.relpath(path, os.getcwd()), "; again: " + r.again if r.again else ""), flush=True)
    return r


def log_of(name):
    return os.path.join(LOGS, name + ".log")


def logged(step):
    """Returns the step's function with an open log."""

    def run():
        with open(log_of(step.name), "w+") as log:
            return step.run(log)

    return Step(step.name, step.when, run, step.needs, step.cores)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--only", nargs="+", metavar="NAME")
    a = parser.parse_args()
    names = [s.name for s in STEPS]
    if a.list:
        print("\n".join("%-18s%s" % (n, "" if short else "  (--all)" if short is None else "  (--full)") for n, short in ((s.name, s.when) for s in STEPS)))
        return 0
    for n in a.only or []:
        if n not in names:
            print("test: no step '%s'; steps: %s" % (n, " ".join(names)), file=sys.stderr)
            return 2
    os.makedirs(LOGS, exist_ok=True)
    begin, total, took = time.time(), Result(), []
    global ALL
    ALL = a.all

    def finished(step, result, seconds):
        r = report(step, result, seconds)
        took.append((seconds, step.name))
        total.passed += r.passed
        total.failed += r.failed
        total.skipped += r.skipped

    chosen = [s for s in STEPS if ((s.name in a.only) if a.only else (s.when or a.all or (a.full and s.when is False)))]
    try:
        run_steps([logged(s) for s in chosen], int(CORES), lambda: time.time() - begin <= 60 * a.minutes, finished)
    finally:
        for group in list(LIVE):
            os.killpg(group, signal.SIGKILL)
    if len(took) > 4:
        print("longest: " + ", ".join("%s %.0f s" % (name, seconds) for seconds, name in sorted(took, reverse=True)[:8]))
    cpu = os.times()
    print("%.0f s in all, %.0f s of CPU time" % (time.time() - begin, cpu.children_user + cpu.children_system))
    print("%d passed, %d failed%s" % (total.passed, total.failed, ", %d skipped" % total.skipped if total.skipped else ""))
    return 1 if total.failed or not (total.passed or total.skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
