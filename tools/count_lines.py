#!/usr/bin/env python3
"""Counts lines of code by room: lines of src, include and apps that are neither blank nor only comment. Usage: count_lines.py [--commit C] [--against C]

Of C++, C and JavaScript files as they are (check_format.py keeps their form), of HTML, CSS and texts not. --commit counts those of a commit instead of the
working tree, --against adds the difference from a commit. A room is a folder of src, or include, or a folder of apps."""
import argparse
import collections
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENDINGS = (".cpp", ".hpp", ".h", ".js", ".mjs")


def code_lines(text):
    """Lines that have more than blanks and comments. Quotes are followed, so that "//" in a text is no comment."""
    count, i, n, has, state = 0, 0, len(text), False, ""
    while i < n:
        c, two = text[i], text[i : i + 2]
        if c == "\n":
            count += has
            has = False
            state = "" if state == "//" else state
        elif state == "//":
            pass
        elif state == "/*":
            if two == "*/":
                state = ""
                i += 1
        elif state == 'R"':
            has = has or not c.isspace()
            if text.startswith(')"', i):
                state = ""
                i += 1
        elif state:
            has = True
            if c == "\\":
                i += 1
            elif c == state:
                state = ""
        elif two in ("//", "/*"):
            state = two
            i += 1
        elif text.startswith('R"(', i):
            has, state = True, 'R"'
            i += 2
        elif c == '"' or c == "`" or (c == "'" and not (i and text[i - 1].isalnum())):
            has, state = True, c
        elif not c.isspace():
            has = True
        i += 1
    return count + has


def room_of(path):
    parts = path.split("/")
    return parts[0] if parts[0] == "include" or len(parts) < 3 else "/".join(parts[:-1] if parts[0] == "src" else parts[:2])


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, check=True).stdout.decode(errors="replace")


def count(commit):
    rooms = collections.Counter()
    names = git("ls-tree", "-r", "--name-only", commit).splitlines() if commit else git("ls-files").splitlines()
    for name in names:
        if not name.startswith(("src/", "include/", "apps/")) or not name.endswith(ENDINGS):
            continue
        if commit:
            text = git("show", commit + ":" + name)
        else:
            with open(os.path.join(ROOT, name), errors="replace") as f:
                text = f.read()
        rooms[room_of(name)] += code_lines(text)
    return rooms


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--commit")
    parser.add_argument("--against")
    options = parser.parse_args()
    now, before = count(options.commit), count(options.against) if options.against else None
    for room in sorted(now | (before or {})):
        print("%-28s %6d%s" % (room, now[room], "" if before is None else "  %+d" % (now[room] - before[room])))
    total = sum(now.values())
    print("%-28s %6d%s" % ("all", total, "" if before is None else "  %+d" % (total - sum(before.values()))))


if __name__ == "__main__":
    main()
