#!/usr/bin/env python3
"""Time and memory of `graze clash` by the number of parts, on generated plants.  clash_bench.py [--most PARTS] [--docs] [GRAZE]

Measures a first run (reading, deciding, clash.json, clash.csv and junit.xml), a second one after one part in a hundred has moved, and one of the plant turned
against the axes, in which rounding leaves no two pairs of parts alike. --docs writes the table and the picture of docs/clash.md."""
import argparse
import datetime
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import charts
import curves_report
import plant

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
PARTS_OF_A_BAY = 9.3
MOST_TURNED = 100_000


def measure(command):
    """(seconds, bytes of memory at most, answer)."""
    start = time.perf_counter()
    r = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    out = r.stdout.read()
    _, status, usage = os.wait4(r.pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit("clash_bench: %s ended with status %d" % (" ".join(command), status))
    return seconds, usage.ru_maxrss * 1024, json.loads(out)


def move_one_in_a_hundred(head):
    for node in [n for n in head["nodes"] if "mesh" in n][::100]:
        node["translation"][0] += 1


def turn(head):
    """By 17 degrees about z, as a building that faces the street."""
    scene = head["scenes"][head.get("scene", 0)]
    head["nodes"].append({"name": "site", "rotation": [0, 0, 0.14780941112961, 0.98901586336191], "children": scene["nodes"]})
    scene["nodes"] = [len(head["nodes"]) - 1]


def change(path, how):
    with open(path, "rb") as f:
        raw = f.read()
    (size,) = struct.unpack("<I", raw[12:16])
    head = json.loads(raw[20 : 20 + size])
    how(head)
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    rest = raw[20 + size :]
    with open(path, "wb") as f:
        f.write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)


def rows(graze, most):
    for size in SIZES:
        if size > most:
            break
        with tempfile.TemporaryDirectory(prefix="clash_bench.") as folder:
            model, out = os.path.join(folder, "plant.glb"), os.path.join(folder, "out")
            plant.write(model, bays=round((size / PARTS_OF_A_BAY) ** 0.5))
            command = [graze, "clash", model, "--clearance", "25", "--no-html", "--no-bcf", "--json", "--out", out]
            first = measure(command)
            change(model, move_one_in_a_hundred)
            again = measure(command)
            change(model, turn)
            turned = measure(command[:-1] + [out + "-turned"]) if size <= MOST_TURNED else None
            row = {
                "parts": first[2]["parts"],
                "pairs": first[2]["pairs"],
                "seconds": first[0],
                "memory": first[1],
                "again": again[0],
                "reused": again[2]["reused"],
                "turned": turned and turned[0],
            }
            row["turned_text"] = "%.2f s" % turned[0] if turned else "–"
            print(
                "%(parts)9d parts %(pairs)9d pairs %(seconds)8.2f s  again %(again)7.2f s  turned %(turned_text)9s" % row,
                "%7.0f MB" % (row["memory"] / 1e6),
                flush=True,
            )
            yield row


def machine():
    with open("/proc/cpuinfo") as f:
        name = re.search(r"model name\s*: (.*)", f.read()).group(1)
    return "%s, %d cores, %s" % (name, os.cpu_count(), datetime.date.today())


def write_docs(found):
    curves = {
        "first run": [(r["parts"], 1e9 * r["seconds"]) for r in found],
        "again": [(r["parts"], 1e9 * r["again"]) for r in found],
        "turned": [(r["parts"], 1e9 * r["turned"]) for r in found if r["turned"]],
    }
    width, height = 640, 380
    picture = charts.begin(width, height, "graze clash, by the number of parts", machine())
    picture += curves_report.panel("", curves, 0, 44, width + 110, height - 54)
    with open(os.path.join(ROOT, "docs", "clash-curve.svg"), "w") as f:
        f.write("\n".join(picture + ["</svg>"]) + "\n")
    lines = ["| parts | pairs tested | first run | again, 1 in 100 moved | turned by 17 degrees | memory |", "|---:|---:|---:|---:|---:|---:|"]
    for r in found:
        lines.append("| {parts:,} | {pairs:,} | {seconds:.2f} s | {again:.2f} s | {turned_text} | {mb:,.0f} MB |".format(mb=r["memory"] / 1e6, **r))
    path = os.path.join(ROOT, "docs", "clash.md")
    with open(path) as f:
        text = f.read()
    begin, end = "<!-- clash_bench -->\n", "<!-- end -->\n"
    before, after = text.split(begin)[0], text.split(end)[1]
    with open(path, "w") as f:
        f.write(before + begin + "\n".join(lines) + "\n\n%s.\n" % machine() + end + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graze", nargs="?", default=os.path.join(ROOT, "build", "release", "graze"))
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--docs", action="store_true")
    o = parser.parse_args()
    found = list(rows(o.graze, o.most))
    if o.docs:
        write_docs(found)


if __name__ == "__main__":
    main()
