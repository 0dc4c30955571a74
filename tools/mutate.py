#!/usr/bin/env python3
"""Mutation test: breaks one thing at a time in a copy of the sources and expects a test to fail.

  tools/mutate.py [--build DIR] [--only REGEX] [--sample N] [--minutes M] [--list | --check]

Each mutation names the file, a text that must occur there exactly once, its replacement, and the test programs that must fail. DIR (default build/mutate)
is kept between runs. Exit status 1 if a mutation survives, or no longer applies. --check only checks whether each still applies."""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time

from mutations import MUTATIONS

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(command, **kw):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kw)


def occurrences(root, mutation):
    with open(os.path.join(root, mutation[1]), encoding="utf-8") as f:
        return f.read().count(mutation[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "mutate"))
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="start no mutation after this time; count those left out")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="N of them, drawn by the commit: other ones for each")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    begin = time.time()
    chosen = [m for m in MUTATIONS if re.search(args.only, m[0])]
    if args.sample:
        commit = run(["git", "-C", ROOT, "rev-parse", "HEAD"]).stdout
        chosen = sorted(chosen, key=lambda m: hashlib.sha256((commit + m[0]).encode()).digest())[: args.sample]
    if args.list:
        print("\n".join("%-60s %s" % (m[0], m[1]) for m in chosen))
        return 0
    if args.check:
        stale = [m for m in chosen if occurrences(ROOT, m) != 1]
        for m in stale:
            print("STALE     %s: the text stands %d times in %s" % (m[0], occurrences(ROOT, m), m[1]))
        print("%d mutations, %d stale" % (len(chosen), len(stale)))
        return 1 if stale else 0
    source, build = os.path.join(args.build, "source"), os.path.join(args.build, "build")
    shutil.rmtree(source, ignore_errors=True)
    os.makedirs(args.build, exist_ok=True)
    shutil.copytree(ROOT, source, copy_function=shutil.copy, ignore=lambda d, names: [n for n in names if n in (".git", "build", "out") and d == ROOT])
    programs = sorted({p for m in chosen for p in m[4]})
    options = "CXX_FLAGS=-O1 BUILD_TYPE=None UNITY_BUILD=ON UNITY_BUILD_BATCH_SIZE=6".split()
    r = run(["cmake", "-S", source, "-B", build, "-G", "Ninja", "-DGRAZE_WERROR=OFF", "-DGRAZE_TOOLS=OFF"] + ["-DCMAKE_" + o for o in options])
    r = r if r.returncode else run(["cmake", "--build", build, "--target"] + ["test_" + p for p in programs])
    if r.returncode:
        print(r.stdout[-3000:])
        print("mutate: the unchanged sources do not build")
        return 1
    for p in programs:
        r = run([find(build, "test_" + p)], cwd=source)
        if r.returncode:
            print(r.stdout[-3000:])
            print("mutate: test_%s fails on the unchanged sources" % p)
            return 1
    survived = left_out = 0
    for name, path, old, new, tests in chosen:
        start, full = time.time(), os.path.join(source, path)
        if start - begin > 60 * args.minutes:
            left_out += 1
            continue
        with open(full) as f:
            text = f.read()
        if text.count(old) != 1:
            print("STALE     %s: the text stands %d times in %s" % (name, text.count(old), path))
            survived += 1
            continue
        with open(full, "w") as f:
            f.write(text.replace(old, new))
        verdict = "SURVIVED"
        r = run(["cmake", "--build", build, "--target"] + ["test_" + t for t in tests])
        if r.returncode:
            verdict = "NO BUILD"
        else:
            for t in tests:
                try:
                    if run([find(build, "test_" + t), "--gtest_break_on_failure=0", "--gtest_fail_fast"], cwd=source, timeout=600).returncode:
                        verdict = "caught"
                        break
                except subprocess.TimeoutExpired:
                    verdict = "caught"  # a mutation that makes a test hang is detected, too
                    break
        with open(full, "w") as f:
            f.write(text)
        survived += verdict != "caught"
        print("%-9s %s (%.0f s)" % (verdict, name, time.time() - start), flush=True)
    if left_out:
        print("%d mutations not begun: %g minutes are over" % (left_out, args.minutes))
    print("%d passed, %d failed" % (len(chosen) - survived - left_out, survived))
    return 1 if survived else 0


def find(build, program):
    for directory, _, names in os.walk(build):
        if program in names and os.access(os.path.join(directory, program), os.X_OK):
            return os.path.join(directory, program)
    raise SystemExit("mutate: %s was not built" % program)


if __name__ == "__main__":
    sys.exit(main())
