#!/usr/bin/env python3
"""Checks that clang-format 14 would change no C++ file and black 23 no Python file, and that no other text source is wider than 160 columns, contains a tab
or trailing blanks, or lacks its final newline. Usage: check_format.py [--fix] [ROOT]

Layouts differ between versions of the formatters, so other versions are refused. Exit status: 0 formatted, 1 not, 77 a formatter is not installed (ctest
counts that as skipped)."""
import os
import re
import shutil
import subprocess
import sys

WIDTH = 160
FOLDERS = ("include", "src", "apps", "bench", "tests", "examples", "tools", "cmake", "python")
CPP, PYTHON, TEXT = (".cpp", ".hpp", ".h", ".c"), (".py",), (".sh", ".js", ".css", ".html", ".vert", ".frag", ".cmake", "CMakeLists.txt")
TOOLS = (  # names, version, options to check, options to fix, endings
    (("clang-format-14", "clang-format"), r"version 14\.", ["--dry-run", "-Werror", "--ferror-limit=1"], ["-i"], CPP),
    (("black",), r"^black, 23\.", ["-q", "--check", "--diff", "-S", "-l", str(WIDTH)], ["-q", "-S", "-l", str(WIDTH)], PYTHON),
)


def formatter(names, version):
    """The path of a formatter of that version, or None."""
    for name in names:
        path = shutil.which(name)
        if path and re.search(version, subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


def text_defects(path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > WIDTH:
            yield "%s:%d: %d columns, at most %d" % (path, number, len(line), WIDTH)
        if "\t" in line or line != line.rstrip():
            yield "%s:%d: a tab or trailing blanks" % (path, number)
    if lines[-1] != "":
        yield "%s: does not end with a newline" % path


def main():
    arguments = [a for a in sys.argv[1:] if a != "--fix"]
    fix = "--fix" in sys.argv[1:]
    root = os.path.abspath(arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    every = [os.path.join(d, f) for top in FOLDERS for d, _, fs in os.walk(os.path.join(root, top)) for f in sorted(fs)]
    every += [os.path.join(root, f) for f in ("CMakeLists.txt", "run", "setup.py", "test") if os.path.exists(os.path.join(root, f))]
    if not every:
        print("check_format: no source files under %s" % root)
        return 1
    changed = False
    for names, version, check, mend, endings in TOOLS:
        files = [f for f in every if f.endswith(endings)]
        tool = formatter(names, version)
        if tool is None and files:
            print("check_format: %s is not installed (Debian 12: tools/setup.sh test)" % names[0])
            return 77
        for i in range(0, len(files), 100):
            r = subprocess.run([tool, *(mend if fix else check), *files[i : i + 100]], capture_output=True, text=True)
            changed |= r.returncode != 0
            sys.stdout.write(r.stdout + r.stderr)
    defects = [d for f in every if f.endswith(TEXT) or os.path.basename(f) in ("run", "test") for d in text_defects(f)]
    print("\n".join(defects) + "\n" if defects else "", end="")
    print("%d files%s" % (len(every), "; not formatted: run tools/check_format.py --fix" if changed else ""))
    return 1 if changed or defects else 0


if __name__ == "__main__":
    sys.exit(main())
