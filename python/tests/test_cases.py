"""The runner cases.py against the command line tool: the same answers to every operation, to the bit. Skipped where the tool is not built."""
import json
import os
import subprocess

import pytest

import cases
from models import box_arrays

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.environ.get("GRAZE") or os.path.join(ROOT, "build", "release", "graze")
V, T = (a.tolist() for a in box_arrays())
BALL = {"type": "sphere", "center": [0.3, 0.4, 0.9], "radius": 0.5}
BOX = {"type": "box", "min": [0, 0, 0], "max": [1, 1, 1], "pose": {"rotation": [1, 0.2, 0, 0], "translation": [0.1, 0.2, 0.3]}}
MESH, SOLID = {"type": "mesh", "vertices": V, "triangles": T}, {"type": "solid", "vertices": V, "triangles": T}
FAR = {**MESH, "pose": {"matrix": [0, -1, 0, 1, 0, 0, 0, 0, 1], "translation": [3, 0, 0.5]}}
UNION = {"type": "compound", "children": [BALL, {**BOX, "pose": {"translation": [4, 0, 0]}}]}
QUERIES = [
    {"op": "intersect", "a": BALL, "b": MESH},
    {"op": "intersect", "a": {"type": "nothing"}, "b": MESH},
    {"op": "within", "a": FAR, "b": MESH, "distance": 1.0},
    {"op": "closest", "a": FAR, "b": MESH},
    {"op": "closest", "a": BALL, "b": UNION},
    {"op": "raycast", "ray": {"origin": [0.3, 0.2, 5], "direction": [0, 0.01, -2]}, "b": {**MESH, "user": list(range(12))}},
    {"op": "raycast", "ray": {"origin": [0.3, 0.2, 5], "direction": [0, 0, -2], "t_max": 1}, "b": MESH},
    {"op": "raycast", "ray": {"origin": [0.3, 0.2, 5], "direction": [0, 0, -2], "t_min": 2.25, "t_max": 9}, "b": MESH},
    {"op": "raycast", "ray": {"type": "segment", "a": [0.3, 0.2, 5], "b": [0, 0, -5]}, "mode": "all", "b": UNION},
    {"op": "raycast", "ray": {"origin": [0.5, 0.5, 0.5], "direction": [0, 0, 1]}, "mode": "any", "b": SOLID, "sides": "back"},
    {"op": "contains", "a": SOLID, "point": [1, 0.5, 0.5]},
    {"op": "signed-distance", "a": SOLID, "point": [0.5, 0.25, 0.125]},
    {"op": "classify", "a": BALL, "b": {"type": "plane", "point": [0, 0, 3], "normal": [0, 1, 3]}},
    {"op": "reflect", "v": [1, 2, -3], "normal": [0.1, 0, 1]},
    {"op": "bounds", "a": BOX},
    {"op": "bounds", "a": {"type": "line", "origin": [0, 0, 0], "direction": [1, 1, 0]}},
    {"op": "measures", "a": SOLID},
    {"op": "measures", "a": FAR},
    {"op": "relation", "a": SOLID, "b": {**SOLID, "pose": {"translation": [1, 0, 0]}}},
    {"op": "penetration", "a": BALL, "b": BOX},
    {"op": "penetration", "a": BALL, "b": FAR},
    {"op": "contacts", "a": BALL, "b": MESH},
    {"op": "manifold", "a": BOX, "b": {"type": "box", "min": [0, 0, 0], "max": [1, 1, 1]}},
    {"op": "manifold", "a": BOX, "b": {"type": "box", "min": [0, 0, 0], "max": [1, 1, 1]}, "all": True},
    {"op": "triangle-pairs", "a": MESH, "b": {**MESH, "pose": {"translation": [0.5, 0.25, 0]}}, "limit": 7},
    {"op": "self-intersections", "a": MESH},
    {"op": "triangles-within", "a": BALL, "b": MESH, "distance": 0.25},
    {"op": "closest-triangles", "a": BALL, "b": MESH, "count": 3},
    {"op": "sweep", "a": BALL, "motion": [4, 0, 0.1], "b": FAR},
    {"op": "sweep", "a": BALL, "motion": [0, 0, 9], "b": FAR},
    {"op": "bounce", "a": {**BALL, "center": [2, 0.5, 5]}, "motion": [0.5, 0, -9], "b": FAR, "restitution": 0.5, "friction": 0.25},
    {"op": "ccd", "kind": "vertex-face", "t0": [[0, 0, 1], [-1, -1, 0], [2, -1, 0], [-1, 2, 0]], "t1": [[0, 0, -1], [-1, -1, 0], [2, -1, 0], [-1, 2, 0]]},
]


@pytest.mark.skipif(not os.access(TOOL, os.X_OK), reason="the tool is not built")
def test_answers_are_those_of_the_tool():
    lines = [json.dumps({"id": i, **q}) for i, q in enumerate(QUERIES)]
    r = subprocess.run([TOOL, "query"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    answers = [json.loads(line) for line in r.stdout.splitlines()]
    assert len(answers) == len(lines), r.stderr
    for line, theirs in zip(lines, answers):
        ours = json.loads(json.dumps(cases.answer(line)))
        assert ("error" in ours) == ("error" in theirs) and (ours == theirs or "error" in ours), line
    assert {q["op"] for q in QUERIES} == set(cases.OPS)
