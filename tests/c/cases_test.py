#!/usr/bin/env python3
"""`graze query` and its twin by way of the C interface (tests/c/cases.cpp) print the same bytes: every operation, shapes of all kinds, and errors.
Usage: cases_test.py GRAZE CASES"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
sys.dont_write_bytecode = True
import tool  # noqa: E402

PROGRAMS = ([os.path.abspath(sys.argv[1]), "query", "--threads", "1"], [os.path.abspath(sys.argv[2])])


def queries():
    # a height field with a hole is not rebuilt from its mesh
    shapes = [s for s in tool.SHAPES if s["type"] != "heightfield"]
    shapes.append({"type": "heightfield", "origin": [-1, -1, 0], "spacing": [1, 1], "heights": [[0, 0, 0], [0, 1, 0], [0, 0, 0]]})
    shapes.append({"type": "mesh", "path": "missing.obj"})
    for a in shapes:
        for op in ("bounds", "measures", "plane", "self-intersections"):
            yield {"op": op, "a": a}
        for op in ("contains", "signed-distance"):
            yield {"op": op, "a": a, "point": [0.25, 0.5, 2]}
        for b in shapes:
            for op in ("intersect", "closest", "relation", "penetration", "contacts", "manifold", "triangle-pairs", "classify"):
                yield {"op": op, "a": a, "b": b}
            yield {"op": "manifold", "a": a, "b": b, "all": True}
            yield {"op": "within", "a": a, "b": b, "distance": 0.5}
            yield {"op": "triangles-within", "a": a, "b": b, "distance": 0.5}
            yield {"op": "closest-triangles", "a": a, "b": b, "count": 2}
            yield {"op": "sweep", "a": {**a, "pose": {"translation": [0, 0, 9]}}, "motion": [0, 0, -9], "b": b}
            yield {"op": "bounce", "a": {**a, "pose": {"translation": [0, 0, 9]}}, "motion": [0, 0, -9], "b": b}
    for b in shapes:
        for mode in ("first", "any", "all"):
            for sides in ("both", "front", "back"):
                yield {"op": "raycast", "ray": {"origin": [0.25, 0.5, 5], "direction": [0, 0, -1]}, "b": b, "mode": mode, "sides": sides}
    yield {"op": "reflect", "v": [1, 2, 3], "normal": [0, 1, 1]}
    corners = [[0, 0, 1], [-1, -1, 0], [1, -1, 0], [0, 1, 0]]
    for kind in ("vertex-face", "edge-edge"):
        yield {"op": "ccd", "kind": kind, "t0": corners, "t1": [[0, 0, -1]] + corners[1:]}
    yield {"op": "guess"}


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tool.write_models()
        lines = [json.dumps({"id": i, **q}) for i, q in enumerate(queries())]
        text = "".join(l + "\n" for l in lines).encode()
        answers = [subprocess.run(p, input=text, capture_output=True, timeout=600).stdout.decode().splitlines() for p in PROGRAMS]
        os.chdir("/")
    wrong = ["%s\n  C++ %s\n  C   %s" % (l, a, b) for l, a, b in zip(lines, *answers) if a != b]
    if not len(lines) == len(answers[0]) == len(answers[1]):
        wrong.append("%d queries, %d and %d answers" % (len(lines), len(answers[0]), len(answers[1])))
    print("".join(w[:2000] + "\n" for w in wrong[:20]) + "%d queries, %d answered otherwise" % (len(lines), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
