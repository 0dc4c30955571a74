#!/usr/bin/env python3
"""Runs `graze query` of the built tool and checks its answers and exit codes.  cli_test.py [PATH OF graze]   (default: $GRAZE)"""
import json
import random
import select
import struct
import subprocess
import sys

from tool import GRAZE, BALL, BOX, POINT, SHAPES, ask, bits, check, run, run_all


def test_ops():
    lines = [{"id": i, "op": "intersect", "a": s, "b": POINT} for i, s in enumerate(SHAPES)]
    answers, code, err = ask(*lines)
    check("intersect: exit code", code == 0, err)
    for s, a in zip(SHAPES, answers):
        check("intersect " + s["type"], a.get("hit") is True, a)
    lines = [
        {"op": "intersect", "a": dict(s, pose={"translation": [0, 0, 1000], "rotation": [1, 0, 0, 1]}), "b": {"type": "point", "point": [0, 30, 3]}}
        for s in SHAPES
    ]
    for s, a in zip(SHAPES, ask(*lines)[0]):
        check("intersect placed " + s["type"], a.get("hit") is (s["type"] in ("halfspace",)), a)

    def one(line, expected, exact=True):
        answers, code, _ = ask(dict(line, id="q"))
        a = answers[0] if answers else None
        want = dict(expected, id="q")
        check(json.dumps(line)[:90], code == 0 and (a == want if exact else a is not None and all(a.get(k) == v for k, v in want.items())), a)
        return a or {}

    two = {"type": "point", "point": [3, 4, 0]}
    one({"op": "within", "a": POINT, "b": two, "distance": 5}, {"hit": True})
    one({"op": "within", "a": POINT, "b": two, "distance": 4.999999999999999}, {"hit": False})
    one({"op": "closest", "a": POINT, "b": two}, {"distance": 5, "a": [0, 0, 0], "b": [3, 4, 0]})
    one({"op": "closest", "a": POINT, "b": {"type": "mesh", "path": "cube.obj"}}, {"distance": 1}, False)
    down = {"origin": [0.25, 0.5, 9], "direction": [0, 0, -2]}
    one({"op": "raycast", "ray": down, "b": BOX}, {"hit": True, "t": 4, "point": [0.25, 0.5, 1], "normal": [0, 0, 1]}, False)
    one({"op": "raycast", "ray": down, "mode": "any", "b": BOX}, {"hit": True})
    one({"op": "raycast", "ray": dict(down, t_max=3.5), "b": BOX}, {"hit": False, "t": None})
    one({"op": "raycast", "ray": dict(down, t_max=3.5), "mode": "all", "b": BOX}, {"hit": False, "hits": []})
    one({"op": "raycast", "ray": dict(down, t_max=4), "mode": "any", "b": BOX}, {"hit": True})
    one({"op": "raycast", "ray": dict(down, t_min=4), "mode": "any", "b": BOX}, {"hit": True})
    one({"op": "raycast", "ray": dict(down, t_min=3.5, t_max=3.75), "b": BOX}, {"hit": False, "t": None})
    one({"op": "raycast", "ray": down, "b": BOX}, {"front": True}, False)
    for normal, front in (([0, 0, 1], True), ([0, 0, -1], False)):  # the side from which the ray comes
        one(
            {"op": "raycast", "ray": down, "b": {"type": "plane", "point": [0, 0, 0], "normal": normal}},
            {"hit": True, "t": 4.5, "normal": [0, 0, 1], "front": front},
            False,
        )
    cube = {"type": "mesh", "path": "cube.obj"}
    one({"op": "raycast", "ray": down, "sides": "front", "b": cube}, {"hit": True, "t": 4, "front": True}, False)
    one({"op": "raycast", "ray": down, "sides": "back", "b": cube}, {"hit": True, "t": 5, "front": False}, False)
    one({"op": "raycast", "ray": down, "mode": "any", "sides": "both", "b": cube}, {"hit": True})
    numbered = one({"op": "raycast", "ray": down, "b": dict(cube, user=list(range(100, 112)))}, {"hit": True}, False)
    check("user number of the triangle", numbered.get("user") == 100 + numbered.get("triangle", 0), numbered)
    falling = {"op": "sweep", "a": {"type": "sphere", "center": [0.25, 0.5, 9], "radius": 1}, "motion": [0, 0, -16], "b": cube}
    one(dict(falling, sides="front"), {"hit": True, "t": 0.4375}, False)
    one(dict(falling, sides="back"), {"hit": True, "t": 0.5625}, False)
    one({"op": "raycast", "ray": {"type": "segment", "a": [0, 0, 9], "b": [0, 0, 1]}, "b": BOX}, {"hit": True, "t": 1}, False)
    one({"op": "raycast", "ray": {"type": "line", "origin": [0, 0, -9], "direction": [0, 0, -1]}, "b": BOX}, {"hit": True, "t": -10}, False)
    a = one({"op": "raycast", "ray": down, "mode": "all", "b": {"type": "mesh", "path": "cube.obj"}}, {"hit": True}, False)
    check("all hits in order", [h.get("t") for h in a.get("hits", [])] == [4, 5] and all(isinstance(h.get("triangle"), int) for h in a["hits"]), a)
    one({"op": "raycast", "ray": dict(down, origin=[0, 0, 0]), "b": BALL}, {"hit": True, "t": 0, "normal": None, "started_inside": True}, False)
    one({"op": "contains", "a": BALL, "point": [1, 0, 0]}, {"hit": True})
    one({"op": "contains", "a": {"type": "solid", "path": "cube.obj"}, "point": [0.5, 0, 0]}, {"hit": True})
    one({"op": "contains", "a": {"type": "mesh", "path": "cube.obj"}, "point": [0.5, 0, 0]}, {"hit": False})
    plane = {"type": "plane", "point": [0, 0, 3], "normal": [0, 0, -5]}
    one({"op": "classify", "a": BALL, "b": plane}, {"side": "front", "distance": 3})
    one({"op": "classify", "a": BALL, "b": dict(plane, pose={"translation": [0, 0, -2]})}, {"side": "intersects", "distance": 1})
    one({"op": "classify", "a": BALL, "b": dict(plane, pose={"rotation": [0, 1, 0, 0], "translation": [0, 0, 9]})}, {"side": "behind", "distance": -6})
    frustum = next(s for s in SHAPES if s["type"] == "frustum")
    one({"op": "classify", "a": {"type": "sphere", "center": [0, 0, 1], "radius": 0.5}, "b": frustum}, {"side": "inside"})
    one({"op": "classify", "a": BALL, "b": frustum}, {"side": "crossing"})
    one({"op": "classify", "a": BALL, "b": dict(frustum, pose={"translation": [0, 0, 1.5]})}, {"side": "outside"})
    one({"op": "reflect", "v": [1, 0, -1], "normal": [0, 0, 2]}, {"v": [1, 0, 1]})
    one({"op": "plane", "a": {"type": "triangle", "points": [[0, 0, 1], [2, 0, 1], [0, 3, 1]]}}, {"plane": [0, 0, 6, -6]})
    one(
        {"op": "plane", "a": {"type": "triangle", "points": [[0, 0, 1], [2, 0, 1], [0, 3, 1]], "pose": {"rotation": [0, 1, 0, 0], "translation": [0, 0, 5]}}},
        {"plane": [0, 0, -6, 24]},
    )
    one({"op": "plane", "a": {"type": "triangle", "points": [[0, 0, 0], [1, 1, 1], [2, 2, 2]]}}, {"plane": None})
    one({"op": "plane", "a": {"type": "polygon", "points": [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]}}, {"plane": [0, 0, 8, 0]})
    one({"op": "plane", "a": dict(plane, pose={"translation": [0, 0, -2]})}, {"plane": [0, 0, -5, 5]})
    one(
        {"op": "sweep", "a": {"type": "point", "point": [-3, 0, 0]}, "motion": [4, 0, 0], "b": BALL},
        {"hit": True, "t": 0.5, "started_inside": False, "departing": False},
        exact=False,
    )
    one({"op": "sweep", "a": {"type": "point", "point": [-3, 0, 0]}, "motion": [1, 0, 0], "b": BALL, "skip_departing": True}, {"hit": False, "t": None})
    test_bounce(one)
    one({"op": "bounds", "a": BOX}, {"min": [-1, -1, -1], "max": [1, 1, 1], "center": [0, 0, 0]}, False)
    one({"op": "bounds", "a": next(s for s in SHAPES if s["type"] == "plane")}, {"center": None, "radius": None}, False)
    one({"op": "penetration", "a": BALL, "b": {"type": "sphere", "center": [5, 0, 0], "radius": 1}}, {"depth": None, "reason": "apart"})
    one({"op": "penetration", "a": BALL, "b": {"type": "sphere", "center": [2, 0, 0], "radius": 1}}, {"depth": None, "reason": "touching"})
    solid = {"type": "solid", "path": "cube.obj"}
    one({"op": "penetration", "a": solid, "b": solid}, {"depth": 2}, False)  # along any axis
    one(
        {"op": "penetration", "a": solid, "b": {"type": "solid", "path": "far.obj", "pose": {"translation": [-3, 0, 0]}}}, {"depth": None, "reason": "touching"}
    )
    tent = {"type": "mesh", "path": "tent.obj"}  # two meshes that cross in the ridge, exactly
    one({"op": "penetration", "a": tent, "b": dict(tent, pose={"rotation": [1, 1, 0, 0]})}, {"depth": None, "reason": "touching"})
    a = one({"op": "penetration", "a": BOX, "b": dict(BOX, pose={"translation": [1.5, 0, 0]})}, {}, False)
    check("penetration of boxes", abs(a.get("depth", 0) - 0.5) <= 1e-9 and a.get("normal") == [-1, 0, 0] and abs(a["vector"][0] + 0.5) <= 1e-9, a)
    a = one({"op": "contacts", "a": BALL, "b": {"type": "sphere", "center": [1.5, 0, 0], "radius": 1}}, {}, False)
    through = one(
        {"op": "contacts", "a": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}, "b": {"type": "line", "origin": [3, 4, 1], "direction": [0, 0, 1]}},
        {},
        False,
    )
    check("a contact of infinite depth", through.get("contacts") == [{"point": [3, 4, 0], "normal": [0, 0, 0], "depth": None}], through)
    check("contacts of spheres", len(a.get("contacts", [])) == 1 and set(a["contacts"][0]) == {"point", "normal", "depth"}, a)
    a = one({"op": "manifold", "a": BOX, "b": dict(BOX, pose={"translation": [1.5, 0, 0]})}, {}, False)
    face = sorted(p["point"] for p in a["manifolds"][0]["points"])
    check("a manifold of boxes", a["manifolds"][0]["normal"] == [-1, 0, 0] and face == [[0.75, y, z] for y in (-1, 1) for z in (-1, 1)], a)
    corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
    inline = {"type": "solid", "vertices": corners, "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}
    one({"op": "relation", "a": inline, "b": dict(inline, triangles=[[2, 1, 0], [3, 0, 1], [3, 2, 0], [3, 1, 2]])}, {"relation": "identical"})
    one({"op": "relation", "a": dict(inline, pose={"translation": [-4, 0, 0]}), "b": inline}, {"relation": "touching"})
    one({"op": "relation", "a": BALL, "b": dict(BALL, radius=9)}, {"relation": "a_in_b"})
    one({"op": "relation", "a": {"type": "cylinder", "a": [0, 0, -1], "b": [0, 0, 1], "radius": 1}, "b": BOX}, {"relation": "a_in_b"})
    one({"op": "closest", "a": dict(inline, type="mesh"), "b": {"type": "point", "point": [1, 1, -1]}}, {"distance": 1}, False)
    one({"op": "manifold", "a": BALL, "b": {"type": "sphere", "center": [5, 0, 0], "radius": 1}, "all": True}, {"manifolds": []})
    mesh = {"type": "mesh", "path": "cube.obj"}
    one({"op": "triangle-pairs", "a": mesh, "b": {"type": "mesh", "path": "far.obj"}}, {"count": 0, "pairs": []})
    a = one({"op": "triangle-pairs", "a": mesh, "b": mesh, "limit": 3}, {"count": 3}, False)
    check("pairs ascend", a.get("pairs") == sorted(a.get("pairs", [])) and len(a["pairs"]) == 3, a)
    one({"op": "self-intersections", "a": mesh}, {"count": 0, "pairs": []})
    one({"op": "triangles-within", "a": {"type": "point", "point": [0.3, 0.2, -1]}, "b": mesh}, {"count": 1}, False)
    a = one({"op": "triangles-within", "a": {"type": "point", "point": [0, 0, 0]}, "b": mesh, "distance": 1}, {}, False)
    check("the middle of a cube is as near to each face", a.get("count") == 12 and a["triangles"] == list(range(12)), a)
    a = one({"op": "closest-triangles", "a": {"type": "point", "point": [0.3, 0.2, -2]}, "b": mesh, "count": 3}, {"count": 3}, False)
    check(
        "nearest triangles", [t["distance"] for t in a["triangles"]] == sorted(t["distance"] for t in a["triangles"]) and a["triangles"][0]["distance"] == 1, a
    )
    a = one({"op": "closest-triangles", "a": BALL, "b": mesh, "count": 3, "distance": 0}, {"count": 3}, False)
    check("of triangles that touch the lowest", [(t["distance"], t["triangle"]) for t in a["triangles"]] == [(0, 0), (0, 1), (0, 2)], a)
    one({"op": "measures", "a": BOX}, {"area": 24, "volume": 8, "centroid": [0, 0, 0]})
    one({"op": "measures", "a": mesh}, {"area": 24, "volume": None, "centroid": [0, 0, 0]})
    one({"op": "measures", "a": {"type": "solid", "path": "cube.obj"}}, {"area": 24, "volume": 8, "centroid": [0, 0, 0]})
    one({"op": "measures", "a": {"type": "triangle", "points": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}}, {"area": 0, "volume": None, "centroid": None})
    one({"op": "signed-distance", "a": BALL, "point": [0, 0, 3]}, {"distance": 2})
    one({"op": "signed-distance", "a": BOX, "point": [0.25, 0, 0]}, {"distance": -0.75})
    one({"op": "intersect", "a": POINT, "b": POINT, "cat": "for people", "comment": 3}, {"hit": True})


def test_bounce(one):
    # a point falls onto the upper face of the cube (half size 1) and is reflected upwards
    mesh = {"type": "mesh", "path": "cube.obj"}
    point = {"type": "point", "point": [0.25, 0.5, 4]}
    a = one({"op": "bounce", "a": point, "motion": [0, 0, -12], "b": mesh}, {"hit": True, "velocity": [0, 0, 12], "stopped": False}, False)
    check("bounce: place", max(abs(x - y) for x, y in zip(a["place"], [0.25, 0.5, 10])) < 1e-12, a)
    h = a["hits"][0]
    check(
        "bounce: hit",
        len(a["hits"]) == 1
        and (h["t"], h["point"], h["normal"], h["velocity"]) == (0.25, [0.25, 0.5, 1], [0, 0, 1], [0, 0, 12])
        and isinstance(h["triangle"], int),
        a,
    )
    one(
        {"op": "bounce", "a": point, "motion": [0, 0, -2], "b": mesh},
        {"hit": False, "place": [0.25, 0.5, 2], "velocity": [0, 0, -2], "stopped": False, "hits": []},
    )
    one(
        {
            "op": "bounce",
            "a": point,
            "motion": [4, 0, -4],
            "b": {"type": "plane", "point": [0, 0, 2], "normal": [0, 0, -7]},
            "restitution": 0.5,
            "friction": 0.25,
        },
        {"velocity": [2.5, 0, 2]},
        False,
    )
    one(
        {"op": "bounce", "a": point, "motion": [4, 0, -4], "b": {"type": "plane", "point": [0, 0, 2], "normal": [0, 0, 7]}, "speed_kept": 0.75},
        {"velocity": [3, 0, 3]},
        False,
    )
    a = one(
        {"op": "bounce", "a": point, "motion": [4, 0, -4], "b": {"type": "plane", "point": [0, 0, 2], "normal": [0, 0, 7]}, "sliding": True},
        {"velocity": [4, 0, 0]},
        False,
    )
    check("bounce: slides to", max(abs(x - y) for x, y in zip(a["place"], [4.25, 0.5, 2])) < 1e-12, a)
    a = one(
        {"op": "bounce", "a": {"type": "sphere", "center": [0, 0, 3], "radius": 0.5, "pose": {"translation": [0, 0, 1]}}, "motion": [0, 0, -5], "b": mesh},
        {"velocity": [0, 0, 5]},
        False,
    )
    check("bounce of a sphere: its centre", max(abs(x - y) for x, y in zip(a["place"], [0, 0, 4])) < 1e-12, a)
    # inside the cube: ten reflections, then a stop at the eleventh contact
    for most, more in ((10, {}), (0, {"max_bounces": 0}), (3, {"max_bounces": 3}), (50, {"max_bounces": 200})):
        a = one(dict({"op": "bounce", "a": POINT, "motion": [0, 0, -100], "b": mesh}, **more), {"hit": True}, False)
        stopped = most < 50
        check(
            "bounce: at most %d" % most,
            a["stopped"] is stopped
            and len(a["hits"]) == most
            and a["velocity"] == ([0, 0, 0] if stopped else [0, 0, -100])
            and abs(a["place"][2] - ((-1 if most % 2 == 0 else 1) if stopped else 0)) < 1e-12,
            a,
        )
    for change, word in (
        ({"restitution": 2}, "restitution: is 2, must be from 0 to 1"),
        ({"friction": -1}, "friction: is -1, must be >= 0"),
        ({"speed_kept": 1.5}, "speed_kept: is 1.5"),
        ({"max_bounces": 10001}, "max_bounces: is 10001, must be <= 10000"),
        ({"motion": [1, 2]}, "motion: has 2 numbers"),
        ({"sliding": 1}, "sliding"),
        ({"velocity": [1, 2, 3]}, "velocity"),
    ):
        answers, code, _ = ask(dict({"op": "bounce", "a": POINT, "motion": [0, 0, -1], "b": mesh}, **change))
        check("bounce: " + word, code == 3 and word in answers[0].get("error", ""), answers)


def test_errors():
    def fails(line, *words, id=None):
        good = {"id": "next", "op": "reflect", "v": [1, 2, 3], "normal": [0, 0, 1]}
        answers, code, err = ask(line, good)
        ok = code == 3 and len(answers) == 2 and set(answers[0]) == {"id", "error"} and answers[0]["id"] == id and answers[1].get("v") == [1, 2, -3]
        check("error of " + str(line)[:80], ok and all(w in answers[0]["error"] for w in words) and "line 1" in err, (answers, code, err))

    for text, word in (
        ("{", "column 2"),
        ("[1]", "must be an object"),
        ("nonsense", "column 1"),
        ('{"op":"reflect"} x', "column 18"),
        ('{"op":"reflect",}', "column 17"),
        ("{'op':1}", "field name"),
        ('{"a":01}', "begin with 0"),
        ('{"a":1.}', "digit"),
        ('{"a":NaN}', "value"),
        ('{"a":-Infinity}', "digit"),
        ('{"a":"\\x"}', "escape"),
        ("[" * 100, "deep"),
        ('{"a":1,"a":2}', "given twice"),
        ('{"a":"\t"}', "control"),
        ('{"a":tru}', "true"),
    ):
        fails(text, word)
    fails({"id": 7}, "op: is missing", id=7)
    fails({"id": None, "op": 3}, "op: is a number, must be a string")
    fails({"id": [1], "op": "reflect"}, "id: is an array")
    fails('{"id":17,"op":', "column 15", id=17)
    fails({"id": "x", "op": "fly"}, 'op: is "fly"', "signed-distance", id="x")
    sheet = {"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}
    fails({"id": 1, "op": "signed-distance", "a": sheet, "point": [0, 0, 1]}, "is a mesh", "without an inside", "closest", id=1)
    fails({"id": 1, "op": "sweep", "a": POINT, "b": BALL}, "motion: is missing", id=1)
    fails({"id": 1, "op": "sweep", "a": POINT, "motion": [1, 0], "b": BALL}, "motion", id=1)
    fails({"id": 1, "op": "sweep", "a": POINT, "motion": [1, 0, 0], "b": BALL, "skip": True}, "skip", id=1)
    fails({"id": 1, "op": "ccd", "kind": "edge-edge"}, "t0: is missing", id=1)

    def shape(s, *words):
        fails({"id": 1, "op": "intersect", "a": POINT, "b": s}, *words, id=1)

    shape(3, "b: is a number, must be an object")
    shape({}, "b.type: is missing")
    shape({"type": "blob"}, 'b.type: is "blob"', "heightfield", "tetrahedron")
    shape({"type": "sphere", "center": [0, 0, 0]}, "b.radius: is missing")
    shape(dict(BALL, radius=-1), "b.radius: is -1, must be >= 0")
    shape(dict(BALL, radius="1"), "b.radius: is a string, must be a number")
    shape(dict(BALL, radius=None), "b.radius: is null, must be a number")
    shape(dict(BALL, center=[0, 0]), "b.center: has 2 numbers, must have 3")
    shape(dict(BALL, center=[0, 0, 0, 0]), "b.center: has 4 numbers, must have 3")
    shape(dict(BALL, center=[0, True, 0]), "b.center[1]: is true or false, must be a number")
    shape(dict(BALL, centre=[0, 0, 0]), "b.centre: is not a field here", "radius")
    shape({"type": "plane", "point": [0, 0, 0], "normal": [0, -0.0, 0]}, "b.normal: is [0,0,0], must not be zero")
    shape({"type": "ray", "origin": [0, 0, 0], "direction": [0, 0, 0]}, "b.direction")
    shape({"type": "box", "min": [0, 0, 1], "max": [1, 1, 0]}, "b: ")
    shape({"type": "obb", "center": [0, 0, 0], "axes": [[1, 0, 0], [0, 1, 0]], "half": [1, 1, 1]}, "b.axes: has 2 points, must have 3")
    shape({"type": "obb", "center": [0, 0, 0], "axes": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "half": [1, -1, 1]}, "b.half[1]: is -1, must be >= 0")
    shape({"type": "ellipsoid", "center": [0, 0, 0], "radii": [1, 1, -2]}, "b.radii[2]: is -2")
    shape({"type": "triangle", "points": [[0, 0, 0], [1, 0, 0]]}, "b.points: has 2 points, must have 3")
    shape({"type": "triangle", "points": [[0, 0, 0], [1, 0, 0], [1, "x", 0]]}, "b.points[2][1]: is a string")
    shape({"type": "tetrahedron", "points": [[0, 0, 0]] * 5}, "b.points: has 5 points, must have 4")
    shape({"type": "frustum", "points": [[0, 0, 0]] * 7}, "b.points: has 7 points, must have 8")
    shape({"type": "convex", "points": []}, "b.points")
    shape({"type": "polygon", "points": [[0, 0, 0], [4, 0, 0], [4, 4, 0], [3, -1, 0], [0, 4, 0]]}, "b.points")
    shape({"type": "cylinder", "a": [0, 0, 0], "b": [0, 0, 0], "radius": 1}, "b: ")
    shape({"type": "heightfield", "origin": [0, 0, 0], "spacing": [1, 1], "heights": [[1, 2], [3]]}, "b.heights[1]: has 1 heights")
    shape({"type": "heightfield", "origin": [0, 0, 0], "spacing": [1, 1], "heights": [[1, "a"], [3, 4]]}, "b.heights[0][1]")
    shape({"type": "heightfield", "origin": [0, 0, 0], "spacing": [0, 1], "heights": [[1, 2], [3, 4]]}, "b: ")
    shape({"type": "compound", "children": [POINT, dict(BALL, radius=-2)]}, "b.children[1].radius: is -2")
    shape({"type": "compound", "children": [{"type": "compound", "children": []}]}, "b.children[0]", "compound in a compound")
    shape({"type": "mesh", "path": "no/such.obj"}, "b.path: ", "no/such.obj")
    shape({"type": "mesh", "path": "bad.obj"}, "b.path: ", "bad.obj")
    shape({"type": "solid", "path": "open.obj"}, "b.path: ")
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    shape({"type": "mesh"}, "b: has no path and no vertices")
    shape({"type": "mesh", "path": "cube.obj", "vertices": corners}, "b: has a path and vertices")
    shape({"type": "mesh", "vertices": corners}, "b.triangles: is missing")
    shape({"type": "mesh", "vertices": [[0, 0]], "triangles": []}, "b.vertices[0]: has 2 numbers, must have 3")
    shape({"type": "mesh", "vertices": corners, "triangles": [[0, 1, 3]]}, "b.triangles[0][2]: is 3, must be below 3")
    shape({"type": "mesh", "vertices": corners, "triangles": [[0, 1]]}, "b.triangles[0]: has 2 elements, must have 3")
    shape({"type": "mesh", "vertices": corners, "triangles": [[0, 1, -1]]}, "b.triangles[0][2]")
    shape({"type": "mesh", "vertices": corners, "triangles": [[0, 1, 2]], "user": [1, 2]}, "b.user: has 2 elements")
    shape({"type": "solid", "vertices": corners, "triangles": [[0, 1, 2]]}, "b: solid: the mesh does not bound a solid")
    fails(
        {
            "id": 1,
            "op": "relation",
            "a": {"type": "segment", "a": [0, 0, 0], "b": [1.5, 0, 0]},
            "b": {"type": "compound", "children": [BALL, dict(BALL, pose={"translation": [1.5, 0, 0]})]},
        },
        "relation: child 0 of the first shape, a segment, meets 2 children of the other",
        id=1,
    )
    shape(dict(BALL, pose=3), "b.pose: is a number")
    shape(dict(BALL, pose={"rotation": [0, 0, 0, 0]}), "b.pose.rotation")
    shape(dict(BALL, pose={"rotation": [1, 0, 0]}), "b.pose.rotation: has 3 numbers, must have 4")
    shape(dict(BALL, pose={"matrix": [1, 0, 0, 0, 1, 0, 0, 0, -1]}), "b.pose.matrix", "reflect")
    shape(dict(BALL, pose={"matrix": [1, 0, 0, 0, 1, 0, 0, 0.1, 1]}), "b.pose.matrix")
    shape(dict(BALL, pose={"matrix": [1, 0, 0, 0, 1, 0, 0, 0, 1], "rotation": [1, 0, 0, 0]}), "b.pose")
    shape(dict(BALL, pose={"translate": [1, 2, 3]}), "b.pose.translate: is not a field")
    fails('{"id":1,"op":"reflect","v":[1e999,0,0],"normal":[0,0,1]}', "v[0]: is 1e999, too large", id=1)
    fails('{"id":1,"op":"reflect","v":[0,0,-2e308],"normal":[0,0,1]}', "v[2]: is -2e308", id=1)
    fails({"id": 1, "op": "reflect", "v": [0, 0, 0], "normal": [0, 0, 0]}, "normal: is [0,0,0]", id=1)
    fails({"id": 1, "op": "reflect", "v": [0, 0, 0], "normal": [0, 0, 1], "extra": 1}, "extra: is not a field", id=1)
    fails({"id": 1, "op": "within", "a": POINT, "b": BALL, "distance": -1}, "distance: is -1, must be >= 0", id=1)
    fails({"id": 1, "op": "within", "a": POINT, "b": BALL}, "distance: is missing", id=1)
    fails({"id": 1, "op": "raycast", "ray": {"origin": [0, 0, 0], "direction": [0, 0, 0]}, "b": BALL}, "ray.direction", id=1)
    fails({"id": 1, "op": "raycast", "ray": BALL, "b": BALL}, 'ray.type: is "sphere"', id=1)
    fails({"id": 1, "op": "raycast", "ray": {"origin": [0, 0, 0], "direction": [0, 0, 1]}, "mode": "last", "b": BALL}, 'mode: is "last"', id=1)
    fails({"id": 1, "op": "plane", "a": BALL}, "a: is a sphere, must be a triangle, a polygon or a plane", id=1)
    fails({"id": 1, "op": "classify", "a": BALL, "b": BALL}, "b: is a sphere, must be a plane or a frustum", id=1)
    fails({"id": 1, "op": "triangle-pairs", "a": BALL, "b": {"type": "mesh", "path": "cube.obj"}}, id=1)
    fails({"id": 1, "op": "self-intersections", "a": {"type": "mesh", "path": "cube.obj"}, "limit": -1}, "limit: is -1", id=1)
    fails({"id": 1, "op": "self-intersections", "a": BALL}, id=1)
    fails({"id": 1, "op": "triangles-within", "a": BALL, "b": BALL}, "has no triangles", id=1)
    fails({"id": 1, "op": "triangles-within", "a": BALL, "b": {"type": "mesh", "path": "cube.obj"}, "distance": -1}, "distance: is -1", id=1)
    fails({"id": 1, "op": "closest-triangles", "a": BALL, "b": {"type": "mesh", "path": "cube.obj"}}, "count: is missing", id=1)
    fails({"id": 1, "op": "closest-triangles", "a": BALL, "b": {"type": "mesh", "path": "cube.obj"}, "count": 1.5}, "count: is 1.5", id=1)
    code, out, _ = run(["query"], b'{"id":"\xff","op":"reflect"}\n')
    check("bytes that are not UTF-8", code == 3 and "UTF-8" in json.loads(out)["error"], out)


def test_numbers():
    rng = random.Random(7)
    values = [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1 / 3, 1e22, 1e23, 123456789012345680000.0, 2.0**53 + 2, 9007199254740993.0]
    while len(values) < 3000:
        x = struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
        if x == x and abs(x) <= 1e300:
            values.append(x)
    lines = [{"id": i, "op": "closest", "a": {"type": "point", "point": [v, 0, 1]}, "b": {"type": "point", "point": [v, 0, 1]}} for i, v in enumerate(values)]
    answers = ask(*lines)[0]
    check("numbers come back with the same bits", len(answers) == len(values) and all(bits(a["a"][0]) == bits(v) for a, v in zip(answers, values)))
    _, out, _ = run(["query"], '{"id":1,"op":"bounds","a":{"type":"box","min":[-0,-0.0,0],"max":[1,1,1]}}\n')
    check("-0 stays -0", '"min":[-0.0,-0.0,0]' in out, out)
    long = "0.1000000000000000055511151231257827021181583404541015625000000000000000000000000001"
    _, out, _ = run(["query"], '{"id":1,"op":"bounds","a":{"type":"point","point":[%s,1E+2,1e-400]}}\n' % long)
    check("correct rounding", json.loads(out)["min"] == [0.1, 100, 0] and '"min":[0.1,100,0]' in out, out)
    _, out, _ = run(["query"], '{"id":3.0e5,"op":"reflect","v":[0,0,0],"normal":[0,0,1]}\n{"id":"a\\u00e9\\n","op":"x"}\n')
    check("ids as written", out.startswith('{"id":3.0e5,') and '{"id":"a\\u00e9\\n",' in out, out)


def test_stream():
    q = '{"id":%d,"op":"reflect","v":[1,2,3],"normal":[0,0,1]}'
    check("no input", run(["query"])[:2] == (0, ""))
    code, out, _ = run(["query"], b"\xef\xbb\xbf" + (q % 1).encode() + b"\r\n\r\n  \n" + (q % 2).encode())
    check("byte order mark, CRLF, blank lines, no last line end", code == 0 and [json.loads(l)["id"] for l in out.splitlines()] == [1, 2], out)
    rng = random.Random(3)
    kinds = [s for s in SHAPES if s["type"] not in ("ellipsoid", "cylinder", "cone", "truncated_cone")]
    lines = []
    for i in range(4000):
        a, b = dict(rng.choice(kinds)), dict(rng.choice(kinds))
        a["pose"] = {"translation": [rng.uniform(-2, 2) for _ in range(3)], "rotation": [rng.uniform(0.1, 1) for _ in range(4)]}
        lines.append({"id": i, "op": rng.choice(["intersect", "closest"]), "a": a, "b": b})
        if i % 97 == 0:
            lines.append({"id": -i, "op": "nothing"})
    text = "".join(json.dumps(l) + "\n" for l in lines)
    code, first, err = run(["query", "--threads", "1"], text)
    check("answers in order", [json.loads(l)["id"] for l in first.splitlines()] == [l["id"] for l in lines])
    check(
        "only bad lines are errors", code == 3 and sum('"error"' in l for l in first.splitlines()) == 42, [l for l in first.splitlines() if '"error"' in l][:3]
    )
    for threads in ("2", "7"):
        check("same bytes with %s threads" % threads, run(["query", "--threads", threads], text)[1] == first)
    with open("lines.jsonl", "w") as f:
        f.write(text)
    check("from a file", run(["query", "lines.jsonl"])[1] == first)
    # A program can query line by line.
    p = subprocess.Popen([GRAZE, "query"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ok = True
    for i in range(3):
        p.stdin.write((q % i + "\n").encode())
        p.stdin.flush()
        ok = ok and bool(select.select([p.stdout], [], [], 20)[0]) and json.loads(p.stdout.readline())["id"] == i
    p.stdin.close()
    check("line by line", p.wait(20) == 0 and ok)
    p.stdout.close()
    # Overlong lines use little memory; the lines around them are answered.
    big = (
        (q % 1).encode()
        + b'\n{"id":"long","op":"contains","a":{"type":"convex","points":['
        + b"[0,0,0]," * (100 * 1024 * 1024 // 8)
        + b"\n"
        + (q % 2).encode()
        + b"\n"
    )
    code, out, _ = run(["query"], big, limit_mb=1024)
    answers = [json.loads(l) for l in out.splitlines()]
    check("a line of 100 MB", code == 3 and [a["id"] for a in answers] == [1, "long", 2] and "longer than" in answers[1]["error"], out[:300])
    many = "".join('{"id":%d,"op":"triangle-pairs","a":{"type":"mesh","path":"cube.obj"},"b":{"type":"mesh","path":"cube.obj"}}\n' % i for i in range(5000))
    code, out, _ = run(["query"], many, limit_mb=1024)
    check("many models", code == 0 and out.count("\n") == 5000)


if __name__ == "__main__":
    sys.exit(run_all([test_ops, test_errors, test_numbers, test_stream]))
