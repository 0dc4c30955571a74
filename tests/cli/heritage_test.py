#!/usr/bin/env python3
"""Runs `graze heritage`: all 43 rows hold, rows can be selected by name, JSON and text agree, and the commands and files that a row names exist."""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRAZE = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("GRAZE", os.path.join(ROOT, "build/release/graze")))
ROWS = ["%s%d" % (letter, i) for letter, count in (("K", 14), ("S", 9), ("U", 10), ("P", 10)) for i in range(1, count + 1)]
wrong = []


def graze(*arguments, code=0):
    r = subprocess.run([GRAZE, *arguments], capture_output=True, text=True, timeout=120)
    if r.returncode != code:
        wrong.append("graze %s: exit code %d, expected %d: %s" % (" ".join(arguments), r.returncode, code, r.stderr))
    return r.stdout, r.stderr


def expect(what, got, want):
    if got != want:
        wrong.append("%s: %r, expected %r" % (what, got, want))


text, _ = graze("heritage")
expect("rows in the text", re.findall(r"(?m)^(\w+) +held ", text), ROWS)
expect("last line", text.splitlines()[-1].split(";")[0] if text else "", "43 of 43 rows held")

answer = json.loads(graze("heritage", "--json")[0])
expect("rows in JSON", [r["row"] for r in answer["rows"]], ROWS)
expect("count and held", (answer["count"], answer["held"]), (43, 43))
for row in answer["rows"]:
    expect(row["row"] + " held", row["held"], bool(row["cases"]) and all(c["held"] for c in row["cases"]))
    for case in row["cases"]:
        if case["graze"] != case["right"] and "+-" not in case["right"]:
            wrong.append("%s: %s: %s is called right: %s" % (row["row"], case["input"], case["graze"], case["right"]))
        if case["input"] + "\n" not in text or case["because"] not in text:
            wrong.append("%s: the text lacks %s" % (row["row"], case["input"]))

for arguments, rows in ((["K6"], ["K6"]), (["--row", "K6"], ["K6"]), (["p5", "K12"], ["K12", "P5"]), (["S"], ROWS[14:23]), (["K1"], ["K1"])):
    expect("heritage " + " ".join(arguments), re.findall(r"(?m)^(\w+) +held ", graze("heritage", *arguments)[0]), rows)
expect("--list", [line.split()[0] for line in graze("heritage", "--list")[0].splitlines()], ROWS)
for bad in ("K15", "K0", "Q", "", "K 6"):
    _, message = graze("heritage", bad, code=2)
    if "K1 to K14" not in message:
        wrong.append("heritage %r: the message does not say which rows there are: %r" % (bad, message))
if "graze heritage K6" not in graze("heritage", "--help")[0]:
    wrong.append("heritage --help has no example")

listed = graze("render", "--list")[0]
demos = set(re.findall(r"(?m)^([\w-]+)", listed))
presets = set(re.findall(r"--preset ([\w-]+)", listed))
scenes = {f[:-5] for f in os.listdir(os.path.join(ROOT, "scenes")) if f.endswith(".json")}
ops = graze("query", "--help")[0]
for row in answer["rows"]:
    see = row["see"]
    for demo in re.findall(r"--demo ([\w-]+)", see):
        if demo not in demos:
            wrong.append("%s: there is no demonstration %s" % (row["row"], demo))
    for preset in re.findall(r"--preset ([\w-]+)", see):
        if preset not in presets:
            wrong.append("%s: there is no preset %s" % (row["row"], preset))
    for scene in re.findall(r"graze view (\w+)", see):
        if scene not in scenes:
            wrong.append("%s: there is no scene %s" % (row["row"], scene))
    for op in re.findall(r'op "([\w-]+)"', see):
        if '"op":"%s"' % op not in ops and '"%s"' % op not in ops:
            wrong.append("%s: graze query has no op %s" % (row["row"], op))

print("\n".join(wrong) or "43 rows, %d cases" % sum(len(r["cases"]) for r in answer["rows"]))
sys.exit(1 if wrong else 0)
