#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy. Usage: check_tidy.py [--all | --since REVISION] [--minutes M] BUILD

BUILD is a folder with compile_commands.json, made by Clang; its C++ files are checked. Without --all, checks only files that changed since REVISION
(default: ten commits ago, or the first commit). Headers of include/ and src/ are checked through the .cpp of their name. With --minutes, starts no file
after that time and counts the files left out. Exit code 1 when there is a finding, 77 when clang-tidy is not installed."""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
TOPS = ("src", "apps", "bench", "examples")


def changed_since(revision):
    git = ["git", "-C", ROOT]
    if not revision:
        commits = subprocess.run(git + ["rev-list", "-n", "11", "HEAD"], capture_output=True, text=True).stdout.split()
        revision = commits[-1] if commits else "HEAD"
    out = subprocess.run(git + ["diff", "--name-only", "--diff-filter=d", revision], capture_output=True, text=True, check=True).stdout
    return set(out.splitlines())


def chosen_files(compiled, changed):
    """The compiled files that changed, or whose header changed."""
    stems = {os.path.basename(c)[:-4] for c in changed if c.endswith(".hpp")}
    return [f for f in compiled if f in changed or os.path.basename(f)[:-4] in stems]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--since", default="")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    args = parser.parse_args()
    tidy = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if not tidy:
        print("clang-tidy is not installed")
        return 77
    with open(os.path.join(args.build, "compile_commands.json"), encoding="utf-8") as f:
        commands = [c for c in json.load(f) if c["file"].endswith(".cpp")]
    if any("clang" not in os.path.basename(next(w for w in shlex.split(c["command"]) if "ccache" not in w)) for c in commands):
        print("check_tidy: %s was not configured with Clang (preset \"clang\")" % args.build)
        return 1
    compiled = sorted({os.path.relpath(c["file"], ROOT) for c in commands if os.path.relpath(c["file"], ROOT).startswith(tuple(t + os.sep for t in TOPS))})
    files = compiled if args.all else chosen_files(compiled, changed_since(args.since))
    begin = time.time()

    def check(path):
        if time.time() - begin > 60 * args.minutes:
            return None
        r = subprocess.run([tidy, "--quiet", "-p", args.build, os.path.join(ROOT, path)], capture_output=True, text=True)
        lines = r.stdout.splitlines()
        findings = {re.sub("^" + re.escape(ROOT + os.sep), "", l) for l in lines if re.search(r": (error|warning): ", l)}
        if r.returncode and not findings:
            findings = {"%s: clang-tidy fails: %s" % (path, r.stderr.strip()[-500:])}
        return findings

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, files))
    findings = sorted(set().union(*[r for r in results if r]))
    print("\n".join(findings + ["%d of %d files, %d findings" % (sum(r is not None for r in results), len(files), len(findings))]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
