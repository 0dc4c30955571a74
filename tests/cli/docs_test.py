#!/usr/bin/env python3
"""The documents say what is there: the support matrix is what the tool prints, links and named files exist, test names in heritage.md exist."""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRAZE = os.environ.get("GRAZE", os.path.join(ROOT, "build/release/graze"))
wrong = []


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


matrix = subprocess.run([GRAZE, "shapes", "--markdown"], capture_output=True, text=True)
if matrix.returncode or not os.path.exists(os.path.join(ROOT, "docs/support-matrix.md")) or matrix.stdout != read("docs/support-matrix.md"):
    wrong.append("docs/support-matrix.md is not what `graze shapes --markdown` prints; write it again: ./run shapes --markdown > docs/support-matrix.md")

documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + [os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True)]
for name in documents:
    text = read(name)
    for target in re.findall(r"\]\(([^)#]*)(?:#[^)]*)?\)", text):
        if target and "://" not in target and not os.path.exists(os.path.join(ROOT, os.path.dirname(name), target)):
            wrong.append("%s: link to %s, which does not exist" % (name, target))
    for path in re.findall(r"`((?:src|include|tests|tools|docs|apps|cmake)/[A-Za-z0-9_./-]+)`", text):
        if not os.path.exists(os.path.join(ROOT, path)) and "NAME" not in path and "A_B" not in path:
            wrong.append("%s: names %s, which does not exist" % (name, path))

tests = set(re.findall(r"TEST\((\w+),", "".join(read(os.path.relpath(p, ROOT)) for p in glob.glob(os.path.join(ROOT, "tests/heritage/*.cpp")))))
named = set(re.findall(r"`(Heritage[A-Z]\d+)`", read("docs/heritage.md")))
wrong += ["docs/heritage.md names %s, which does not exist" % t for t in sorted(named - tests)]
wrong += ["docs/heritage.md does not name the test %s" % t for t in sorted(tests - named)]

print("\n".join(wrong) or "%d documents, %d heritage tests" % (len(documents), len(tests)))
sys.exit(1 if wrong else 0)
