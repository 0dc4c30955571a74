#!/usr/bin/env python3
"""bench/compare.py BASE.json HEAD.json: what changed between two runs of bench/run.py, above the noise.

Removes the drift of the machine from each change of Graze's rate: the median change of the peers in the same row, which are the same binaries in both runs.
Then a change counts when it exceeds the combined spread of both measurements, and 5 % (30 % if the machine had other work: a load average above its number
of cores). Exit code: 0 nothing slower, 1 something slower or a wrong answer, 2 wrong usage."""
import json
import statistics
import sys

OWN = ("Graze", "Graze batch")


def load(path):
    with open(path) as f:
        result = json.load(f)
    machine = result["machine"]
    quiet = max(machine.get("load", [1e9])) <= machine["cores"] + 0.5
    return quiet, {(r["row"], r["input"]): r["contestants"] for r in result["rows"]}, {(t["what"], t["input"]): t for t in result["tiers"]}


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    (base_quiet, base, base_tiers), (head_quiet, head, head_tiers) = load(arguments[0]), load(arguments[1])
    floor = 0.05 if base_quiet and head_quiet else 0.3
    bad = changes = 0
    for key in head:
        if key not in base:
            print("new row: %s, %s" % key)
            continue
        b, h = base[key], head[key]
        common = [n for n in h if n not in OWN and n in b]
        drift = statistics.median(h[n]["rate"] / b[n]["rate"] for n in common) if common else 1
        for name in OWN:
            if name not in h or name not in b:
                continue
            change = h[name]["rate"] / b[name]["rate"] / drift
            noise = max(floor, h[name]["spread"] + b[name]["spread"])
            if change > 1 + noise or change < 1 / (1 + noise):
                changes += 1
                bad += change < 1
                print(
                    "%-44s %s %.2f x (noise %.0f %%)"
                    % ("%s, %s%s" % (*key, ", batch" if name != "Graze" else ""), "faster" if change > 1 else "SLOWER", change, 100 * noise)
                )
            if h[name].get("wrong", 0):
                bad += 1
                print("%s, %s: %s gives %d wrong answers" % (*key, name, h[name]["wrong"]))
    for key in base:
        if key not in head:
            print("row is gone: %s, %s" % key)
    for key in head_tiers:
        if key in base_tiers:
            for tier in ("pairs", "fixed", "big"):
                if tier not in base_tiers[key]:  # measured before it was counted apart
                    continue
                before, after = base_tiers[key][tier], head_tiers[key][tier]
                if abs(after - before) > 0.001:
                    changes += 1
                    print("%-44s share of tier '%s': %.2f %% -> %.2f %%" % ("%s, %s" % key, tier, 100 * before, 100 * after))
    if not changes and not bad:
        print("no change above the noise in %d rows" % len(head))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
