#!/usr/bin/env python3
"""Checks the functions of the C interface. Usage: check_c_symbols.py NM LIBRARY, or --write

The functions that include/graze declares as GRAZE_API, those that the library defines, and the list src/c/symbols.txt must be the same, so that none is lost
unnoticed; a shared library exports nothing else; and tests/c/every.c calls each. --write writes the list from the headers, after a function was added on
purpose. Prints one line for each breach; exit code 1 when there is one."""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "src", "c", "symbols.txt")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def main():
    headers = "".join(map(read, sorted(glob.glob(os.path.join(ROOT, "include", "graze", "c", "*.h")))))
    declared = set(re.findall(r"GRAZE_API [^;(]*?\b(graze_\w+)\(", headers))
    if "--write" in sys.argv:
        with open(LIST, "w", encoding="utf-8") as f:
            f.write("".join(name + "\n" for name in sorted(declared)))
        return 0
    nm, library = sys.argv[1:]
    listed = set(read(LIST).split())
    shared = ".so" in os.path.basename(library)
    symbols = subprocess.run([nm, *(["-D"] if shared else []), "--defined-only", library], capture_output=True, text=True, check=True).stdout
    defined = {line.split()[2].split("@")[0] for line in symbols.splitlines() if re.match(r"[0-9a-f]+ [TWVBDRu] ", line)}
    called = set(re.findall(r"\b(graze_\w+)\(", read(os.path.join(ROOT, "tests", "c", "every.c"))))
    breaches = ["%s is declared, but not in src/c/symbols.txt" % n for n in declared - listed]
    breaches += ["%s is in src/c/symbols.txt, but not declared" % n for n in listed - declared]
    breaches += ["%s is declared, but the library does not export it" % n for n in declared - defined]
    breaches += ["%s is exported, but not declared" % n for n in defined - declared if shared or n.startswith("graze_")]
    breaches += ["%s is not called in tests/c/every.c" % n for n in declared - called]
    print("".join(b + "\n" for b in sorted(breaches)) + "%d functions, %d breaches" % (len(declared), len(breaches)))
    return 1 if breaches or not declared else 0


if __name__ == "__main__":
    sys.exit(main())
