#!/usr/bin/env python3
"""The test run behind ./test (Python 3 standard library only).

  ./test             build with GCC, unit tests, the command line tool, exact cases when they are there
  ./test --full      also the main job, the viewer, Clang, determinism, data races, install, brute force of full size, mixed exponents, mutation, the tool under sanitizers, fuzzing
  ./test --all       also every unit test under sanitizers, and 10 million questions of mixed exponents
  ./test --full --minutes 75   begins no further step then, and says which
  ./test --list      names of the steps;  ./test --only NAME...  just these

Every step prints its time and what it counted; its whole output goes to build/test-logs/NAME.log. The last line is
'N passed, N failed' (and ', N skipped'); the exit code is 1 when anything failed."""
import argparse
import concurrent.futures
import glob
import os
import re
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join(ROOT, "build", "test-logs")
CORES = str(os.cpu_count() or 1)
SHARED = os.environ.get("GRAZE_SHARED", os.path.join(ROOT, "..", "shared"))  # exact cases and models kept beside the sources


class Result:
    def __init__(self, passed=0, failed=0, skipped=0, note="", again=""):
        self.passed, self.failed, self.skipped, self.note, self.again = passed, failed, skipped, note, again


def shell(log, command, timeout=3600, env=None, cwd=ROOT):
    """Runs a command, its output into the log; returns (exit code, output). A timeout ends the whole group of processes."""
    log.write("$ %s\n" % command)
    log.flush()
    start = log.tell()
    p = subprocess.Popen(["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=cwd,
                         env={**os.environ, **(env or {})}, start_new_session=True)
    try:
        code = p.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()
        log.write("\nended after %d s\n" % timeout)
        code = 124
    except BaseException:
        os.killpg(p.pid, signal.SIGKILL)
        raise
    log.flush()
    with open(log.name, errors="replace") as f:
        f.seek(start)
        return code, f.read()


def command(text, **options):
    """A step that is one command: one check, passed when it exits with 0."""
    def step(log):
        code, _ = shell(log, text, **options)
        return Result(passed=code == 0, failed=code != 0)
    return step


def build(preset, options="", targets=""):
    script = ". tools/build.sh; root=$PWD; job() { configure %s %s && ninja -C build/%s %s; }; with_build_lock job" % (preset, options, preset, targets)
    return command(script)


def build_release(log):
    """All of release, tests included; then the tool's stamp, so that ./run does not look again."""
    code, _ = shell(log, "root=$PWD; . tools/build.sh; job() { configure release -DGRAZE_TESTS=ON && ninja -C build/release && build_tool; }; with_build_lock job")
    return Result(passed=code == 0, failed=code != 0)


def count(output, code):
    """Adds up what the programs under ctest counted: cases of GoogleTest, and programs that count nothing as one check each."""
    r, said = Result(), {}
    for number, line in re.findall(r"(?m)^(\d+): (.*)$", output):  # ctest -V puts the test's number before each of its lines
        said.setdefault(number, []).append(line)
    for number, name, word in re.findall(r"(?m)^ *\d+/\d+ Test +#(\d+): (\S+) [. ]*(\*\*\*\w[\w ]*?|Passed)(?= +\d|$|  )", output):
        text = "\n".join(said.get(number, []))
        cases = [sum(int(n) for n in re.findall(r"\[  %s \] (\d+) tests?" % w, text)) for w in ("PASSED ", "FAILED ", "SKIPPED")]
        if word == "***Skipped":
            r.skipped += 1
        elif not any(cases) or (word != "Passed" and not cases[1]):  # counts nothing itself, or crashed, or took too long
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
        code, out = shell(log, "cd %s && ctest -V -j%s --timeout %d --no-tests=error %s" % (where, CORES, timeout, skip), env={"GRAZE_SHARED": SHARED, **(env or {})})
        r = count(out, code)
        if r.failed:
            r.again = "cd %s && ctest --output-on-failure" % where
        return r
    return step


def scripts(folder, before=""):
    """tests/FOLDER/*_test.py and *.sh: as many checks as they count ("N passed, N failed"), else one each; exit code 77 means skipped. They get the tool's path as $GRAZE."""
    def step(log):
        r = Result()
        if before and shell(log, before, timeout=1800)[0] != 0:
            return Result(failed=1, note=" could not be prepared")
        for path in sorted(f for f in glob.glob(os.path.join(ROOT, "tests", folder, "*_test.*")) if f.endswith((".py", ".sh"))):
            start = time.time()
            program = "python3" if path.endswith(".py") else "bash"
            code, out = shell(log, "%s %s" % (program, path), timeout=600, env={"GRAZE": os.path.join(ROOT, "build/release/graze"), "GRAZE_SHARED": SHARED})
            counted = re.findall(r"(?m)^(\d+) passed, (\d+) failed$", out)
            if code == 77:
                r.skipped += 1
            elif folder == "view" and counted and (code == 0) == (counted[-1][1] == "0"):
                r.passed += int(counted[-1][0])
                r.failed += int(counted[-1][1])
            elif code == 0:
                r.passed += 1
            else:
                r.failed += 1
            if code not in (0, 77):
                r.note += " %s (%.0f s)" % (os.path.basename(path), time.time() - start)
        return r
    return step


def exact_cases(folders, pattern="*.jsonl.gz", program="./run"):
    """Sets of queries with their exact answers: a case is a check."""
    def step(log):
        files = sorted(f for d in folders for f in glob.glob(os.path.join(SHARED, d, pattern)))
        checker = os.path.join(SHARED, "tools", "check_answers.py")
        if not files or not os.path.exists(checker):
            return Result(skipped=1, note=" no cases in %s" % os.path.relpath(SHARED, ROOT))
        code, out = shell(log, "python3 -u %s --run '%s query' %s" % (checker, program, " ".join(files)))
        total = re.search(r"(\d+) cases in (\d+) files, (\d+) wrong", out)
        if not total:
            return Result(failed=1)
        wrong = int(total.group(3))
        if code and not wrong:
            wrong = 1
        return Result(passed=max(0, int(total.group(1)) - wrong), failed=wrong)
    return step


LARGE_TARGETS = ("fuzz_meshes", "fuzz_models", "fuzz_shapes")


def fuzz(log):
    """Every reader for 100,000 runs, targets of whole models and queries for 90 seconds, from their seeds in tests/fuzz/seeds/NAME when there are some; as many at once as there are cores."""
    r = Result()
    targets = sorted(f for f in glob.glob(os.path.join(ROOT, "build/fuzz/tests/fuzz/fuzz_*")) if os.access(f, os.X_OK) and os.path.isfile(f))
    if not targets:
        return Result(failed=1, note=" no fuzz target was built")
    def one(target):
        name = os.path.basename(target)
        corpus, seeds = os.path.join(ROOT, "build/fuzz/corpus", name), os.path.join(ROOT, "tests/fuzz/seeds", name)
        os.makedirs(corpus, exist_ok=True)
        with open(os.path.join(LOGS, name + ".log"), "w+") as own:
            return (name,) + shell(own, "%s -runs=100000 -seed=1 -max_total_time=%d -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -artifact_prefix=%s/ %s %s"
                                   % (target, 90 if name in LARGE_TARGETS else 400, LOGS, corpus, seeds if os.path.isdir(seeds) else ""), timeout=700)
    with concurrent.futures.ThreadPoolExecutor(int(CORES)) as pool:
        for name, code, out in pool.map(one, targets):
            log.write(out)
            r.passed += code == 0
            r.failed += code != 0
            runs = re.search(r"stat::number_of_executed_units: (\d+)", out)
            r.note += " %s %s" % (name, "FAILED" if code else runs.group(1) if runs else "?")
    return r


def mixed_exponents(log):
    """Every query over meshes with exponents mixed within it, against single triangles, at every CPU level: a question is a check. 300,000 on one core; with --all 10 million on all cores."""
    shards, count = (20, 500000) if ALL else (1, 300000)
    code, out = shell(log, "seq 1 %d | xargs -P%s -I{} env GRAZE_MIXED_COUNT=%d GRAZE_MIXED_SEED={}000000 build/release/tests/test_mixed" % (shards, CORES, count), timeout=7200)
    said = re.findall(r"(?m)^(\d+) questions, (\d+) wrong", out)
    wrong = sum(int(w) for _, w in said)
    return Result(passed=sum(int(n) for n, _ in said) - wrong, failed=max(wrong, code != 0))


def mutation(log):
    return command("python3 tools/mutate.py --minutes %.1f" % max(1, min(30, (END - time.time()) / 60)), timeout=3000)(log)


END = float("inf")  # with --minutes: no mutation begins later
ALL = False
SANITIZED = {"UBSAN_OPTIONS": "print_stacktrace=1", "ASAN_OPTIONS": "detect_stack_use_after_return=1"}

# name; True: in the short run, False: in the full one, None: only with --all or by name; what it does
STEPS = [
    ("build", True, build_release),
    ("unit-tests", True, unit_tests("release")),
    ("tool", True, scripts("cli")),
    ("exact-cases", True, exact_cases(["oracle/*", "ccd"])),
    ("main-job", False, command("./run", timeout=900)),
    ("view", False, scripts("view", before="bash tools/setup.sh build view viewtest")),  # pictures, the window under Xvfb, pages in Chromium
    ("clang-build", False, build("clang")),
    ("clang-tests", False, unit_tests("clang", exclude="^(layers|format)")),
    ("determinism", False, command("python3 tools/check_determinism.py build/release/graze build/clang/graze", timeout=1200)),
    ("neon", False, command("python3 tools/check_neon.py", timeout=900)),
    ("races-build", False, build("tsan", targets="test_concurrency")),
    ("races-tests", False, command("TSAN_OPTIONS=halt_on_error=1 build/tsan/tests/test_concurrency", timeout=900)),
    ("install", False, command("bash tools/check_install.sh", timeout=1800)),
    ("brute-force", False, command("seq 0 7 | xargs -P%s -I{} env GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX={} build/release/tests/test_oracle" % CORES, timeout=3000, env={"GRAZE_SHARED": SHARED, "GRAZE_FULL_TESTS": "1"})),
    ("mixed-exponents", False, mixed_exponents),
    ("fuzz-build", False, build("fuzz", targets="graze_cli fuzz_targets")),  # the tool under sanitizers, and the fuzz targets
    ("fuzz-tests", False, unit_tests("fuzz", only="^(cli|usage|simulate)$", env=SANITIZED)),
    ("fuzz-cases", False, exact_cases(["oracle/*", "ccd"], program="build/fuzz/graze")),
    ("fuzz", False, fuzz),
    ("mutation", False, mutation),  # last, since it can do with the time that is left
    ("sanitizers-build", None, build("sanitizers")),
    ("sanitizers-tests", None, unit_tests("sanitizers", exclude="^(format|headers|layers|oracle)", env=SANITIZED)),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--only", nargs="+", metavar="NAME")
    a = parser.parse_args()
    names = [s[0] for s in STEPS]
    if a.list:
        print("\n".join("%-18s%s" % (n, "" if short else "  (--all)" if short is None else "  (--full)") for n, short, _ in STEPS))
        return 0
    for n in a.only or []:
        if n not in names:
            print("test: no step '%s'; steps: %s" % (n, " ".join(names)), file=sys.stderr)
            return 2
    os.makedirs(LOGS, exist_ok=True)
    total, begin, broken = Result(), time.time(), set()
    global END, ALL
    ALL = a.all
    END = begin + 60 * (a.minutes + 6)
    for name, short, step in STEPS:
        if (name not in a.only) if a.only else not (short or a.all or (a.full and short is False)):
            continue
        if re.sub("-(tests|cases)$", "-build", name) in broken or (name != "build" and "build" in broken and name in ("unit-tests", "tool", "exact-cases", "main-job")):
            total.failed += 1
            print("FAIL  %-18s        not run: its build failed" % name, flush=True)
            continue
        start = time.time()
        if start - begin > 60 * a.minutes:
            total.skipped += 1
            print("skip  %-18s        not begun: %g minutes are over" % (name, a.minutes), flush=True)
            continue
        path = os.path.join(LOGS, name + ".log")
        with open(path, "w+") as log:
            r = step(log)
        total.passed += r.passed
        total.failed += r.failed
        total.skipped += r.skipped
        word = "FAIL" if r.failed else "ok  " if r.passed else "skip"
        print("%s  %-18s %6.1f s  %d passed, %d failed%s%s" % (word, name, time.time() - start, r.passed, r.failed, ", %d skipped" % r.skipped if r.skipped else "",
                                                           ";" + r.note if r.note else ""), flush=True)
        if r.failed:
            broken.add(name)
            with open(path, errors="replace") as log:
                lines = log.read().splitlines()
            telling = [x for x in lines if re.search(r"(error|FAILED|Failure|\bwrong\b|ERROR|WARNING: ThreadSanitizer|runtime error)", x) and not re.search(r"\b0 wrong", x)]
            for line in (telling[:25] or lines[-25:]):
                print("      | " + line[:220])
            print("      the whole output: %s%s" % (os.path.relpath(path, os.getcwd()), "; again: " + r.again if r.again else ""), flush=True)
    print("%.0f s in all" % (time.time() - begin))
    print("%d passed, %d failed%s" % (total.passed, total.failed, ", %d skipped" % total.skipped if total.skipped else ""))
    return 1 if total.failed or not (total.passed or total.skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
