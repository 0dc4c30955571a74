#!/usr/bin/env python3
"""Checks that clang-format 14 would change no source file. Usage: check_format.py [--fix] [ROOT]

Layouts differ between versions of clang-format, so another version is refused. Exit status: 0 formatted, 1 not, 77 no clang-format 14 here (ctest counts that as skipped)."""
import os
import re
import shutil
import subprocess
import sys

FOLDERS = ("include", "src", "apps", "bench", "tests", "examples")
ENDINGS = (".cpp", ".hpp", ".h")


def formatter():
    """The path of clang-format 14, or None."""
    for name in ("clang-format-14", "clang-format"):
        path = shutil.which(name)
        if path and re.search(r"version 14\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


def main():
    arguments = [a for a in sys.argv[1:] if a != "--fix"]
    fix = "--fix" in sys.argv[1:]
    root = os.path.abspath(arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    tool = formatter()
    if tool is None:
        print("check_format: clang-format 14 is not installed (Debian 12: clang-format-14)")
        return 77
    files = sorted(os.path.join(d, f) for top in FOLDERS for d, _, fs in os.walk(os.path.join(root, top)) for f in fs if f.endswith(ENDINGS))
    if not files:
        print("check_format: no source files under %s" % root)
        return 1
    changed = 0
    for i in range(0, len(files), 100):
        options = ["-i"] if fix else ["--dry-run", "-Werror", "--ferror-limit=1"]
        r = subprocess.run([tool, *options, *files[i:i + 100]], capture_output=True, text=True)
        changed += r.returncode != 0
        sys.stdout.write(r.stderr)
    print("%d files%s" % (len(files), "" if not changed else "; not formatted: run tools/check_format.py --fix"))
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
