#!/usr/bin/env python3
"""Runs graze simulate: the examples, the schema, errors that name the path, the same bytes for every number of threads, Ctrl-C and --resume. Usage:
simulate_test.py GRAZE"""
import filecmp
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCENES = os.path.join(ROOT, "scenes")
GRAZE = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("GRAZE", os.path.join(ROOT, "build/release/graze")))
failures = []


def check(what, good, more=""):
    if not good:
        failures.append(what)
        print("FAILED: %s %s" % (what, more))


def graze(*arguments, **more):
    return subprocess.run([GRAZE, "simulate", *arguments], capture_output=True, text=True, timeout=300, **more)


def errors(value, schema, root, place=""):
    """Validates by the subset of JSON Schema that the scene schema uses."""
    if "$ref" in schema:
        at = root
        for part in schema["$ref"][2:].split("/"):
            at = at[part]
        return errors(value, at, root, place)
    if "not" in schema and not errors(value, schema["not"], root, place):
        return [place + ": is what must not be"]
    if "allOf" in schema:
        return [e for s in schema["allOf"] for e in errors(value, s, root, place)]
    if "anyOf" in schema:
        return [] if any(not errors(value, s, root, place) for s in schema["anyOf"]) else [place + ": none of the alternatives"]
    if "enum" in schema:
        return [] if value in schema["enum"] else ["%s: %r" % (place, value)]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    found, kind = [], schema.get("type", "object" if isinstance(value, dict) and set(schema) & {"properties", "required"} else None)
    if kind in kinds and not isinstance(value, kinds[kind]):
        return ["%s: is no %s" % (place, kind)]
    if kind in ("number", "integer"):
        if isinstance(value, bool) or not isinstance(value, (int, float) if kind == "number" else int):
            return ["%s: is no %s" % (place, kind)]
        if (
            value < schema.get("minimum", value)
            or value > schema.get("maximum", value)
            or ("exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"])
        ):
            found.append("%s: out of range" % place)
    if kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**9):
            found.append("%s: has %d elements" % (place, len(value)))
        for i, v in enumerate(value):
            found += errors(v, schema["items"], root, "%s[%d]" % (place, i))
    if kind == "object":
        found += ["%s: no %s" % (place, r) for r in schema.get("required", []) if r not in value]
        for name, v in value.items():
            if name in schema.get("properties", {}):
                found += errors(v, schema["properties"][name], root, "%s.%s" % (place, name))
            elif schema.get("additionalProperties") is False:
                found.append("%s: unknown field %s" % (place, name))
    return found


def files(folder):
    return sorted(f for f in os.listdir(folder))


def same(a, b):
    return files(a) == files(b) and not filecmp.cmpfiles(a, b, files(a), shallow=False)[1]


schema = json.load(open(os.path.join(ROOT, "docs", "scene.schema.json")))
names = sorted(f[:-5] for f in os.listdir(SCENES) if f.endswith(".json"))
check("examples", {"stones", "shot", "grenade", "walk", "room", "cloth", "gears"} <= set(names), names)
listed = graze("--list")
check("--list", [line.split()[0] for line in listed.stdout.splitlines()] == names, listed.stdout + listed.stderr)

with tempfile.TemporaryDirectory() as tmp:
    for name in names:
        scene = json.load(open(os.path.join(SCENES, name + ".json")))
        found = errors(scene, schema, schema)
        check("schema of " + name, not found, found)
        done = graze(name, "--out", os.path.join(tmp, name), "--frames", "12")
        check("runs " + name, done.returncode == 0, done.stderr)
        if done.returncode == 0:
            summary = json.load(open(os.path.join(tmp, name, "summary.json")))
            check("summary of " + name, summary["complete"] and summary["frames"] == 12, summary)

    # The reader refuses what the schema forbids, and names the same path as the schema validator.
    def scene_file(change):
        d = {
            "fixed": [{"shape": {"type": "box", "min": [0, 0, 0], "max": [1, 1, 1]}}],
            "bodies": [{"shape": {"type": "sphere", "center": [0, 0, 3], "radius": 1}}, {"shape": {"type": "point", "point": [0, 0, 5]}}],
            "emitters": [{"count": 3, "origin": [0, 0, 9]}],
            "shots": [{"origin": [0, 0, 9], "direction": [0, 0, -1]}],
            "walkers": [{"shape": {"type": "sphere", "center": [0, 0, 0], "radius": 0.2}, "position": [5, 5, 5], "waypoints": []}],
            "cloths": [],
            "materials": [{"name": "m"}],
        }
        change(d)
        path = os.path.join(tmp, "scene.json")
        with open(path, "w") as f:
            json.dump(d, f)
        return path, d

    def put(path, value):
        def change(d):
            at = d
            for p in path[:-1]:
                at = at[p]
            at[path[-1]] = value

        return change

    cases = [
        (("bodies", 0, "shape", "radius"), -1, "bodies[0].shape.radius: is -1, must be >= 0"),
        (("bodies", 1, "shape", "point"), [1, 2], "bodies[1].shape.point: has 2 numbers, must have 3"),
        (("bodies", 1, "drag"), -2, "bodies[1].drag: is -2, must be >= 0"),
        (("bodies", 1, "colour"), 1, "colour"),
        (("bodies", 1, "material"), "iron", "bodies[1].material: there is no material \"iron\""),
        (("bodies", 1, "material"), {"restitution": 2}, "bodies[1].material.restitution: is 2, must be <= 1"),
        (("emitters", 0, "life"), 0, "emitters[0].life: is 0, must be >= "),
        (("emitters", 0, "count"), 1.5, "emitters[0].count"),
        (("shots", 0, "direction"), [0, 0, 0], "shots[0].direction"),
        (("walkers", 0, "position"), [0.5, 0.5, 0.5], "walkers[0]: mover: the body meets the scene where it starts"),
        (("walkers", 0, "waypoints"), [[1, 2, 3], [1, "x", 3]], "walkers[0].waypoints[1][1]"),
        (("materials", 0, "friction"), "much", "materials[0].friction: is a string, must be a number"),
        (("step",), 0, "step: is 0, must be > 0"),
        (("fixed", 0, "shape"), {"type": "mesh", "path": "nowhere.obj"}, "fixed[0].shape"),
        (("camera",), {"eye": [0, 0, 0], "rides": "nobody"}, "camera.rides: there is no body or walker \"nobody\""),
        (("fixed", 0, "shape", "min"), [2, 0, 0], "fixed[0].shape"),
    ]
    for path, value, want in cases:
        name, d = scene_file(put(path, value))
        done = graze(name, "--out", os.path.join(tmp, "bad"))
        check("error of %s" % (path,), done.returncode == 3 and want in done.stderr and name in done.stderr, done.stderr)
    # Shapes: both refuse an extra, missing or malformed field; neither refuses the unchanged shape.
    p, q, r = [0, 0, 0], [1, 0, 0], [0, 1, 0.5]
    corners = [[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    shapes = [
        {"type": "point", "point": p},
        {"type": "segment", "a": p, "b": q},
        {"type": "ray", "origin": p, "direction": q},
        {"type": "line", "origin": p, "direction": q},
        {"type": "plane", "point": p, "normal": q},
        {"type": "halfspace", "point": p, "normal": q},
        {"type": "triangle", "points": [p, q, r]},
        {"type": "polygon", "points": [p, q, r]},
        {"type": "sphere", "center": p, "radius": 1},
        {"type": "box", "min": p, "max": [1, 1, 1]},
        {"type": "obb", "center": p, "axes": [q, r, [0, 0, 1]], "half": [1, 1, 1]},
        {"type": "capsule", "a": p, "b": q, "radius": 1},
        {"type": "cylinder", "a": p, "b": q, "radius": 1},
        {"type": "cone", "a": p, "b": q, "radius": 1},
        {"type": "truncated_cone", "a": p, "b": q, "radius_a": 1, "radius_b": 2},
        {"type": "ellipsoid", "center": p, "radii": [1, 2, 3]},
        {"type": "convex", "points": corners},
        {"type": "tetrahedron", "points": [p, q, r, [0, 0, 2]]},
        {"type": "frustum", "points": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]},
        {"type": "heightfield", "origin": p, "spacing": [1, 1], "heights": [[0, 1], [None, 2]]},
        {"type": "wedge", "corner": p, "edges": [q, r, [0, 0, 2]]},
        {"type": "compound", "children": [{"type": "point", "point": p}, {"type": "sphere", "center": p, "radius": 1}]},
        {"type": "mesh", "path": os.path.join(SCENES, "rock.obj")},
        {"type": "solid", "path": os.path.join(SCENES, "rock.obj")},
    ]
    check(
        "all shapes of the schema",
        sorted(s["type"] for s in shapes) == sorted(t for a in schema["$defs"]["shape"]["anyOf"] for t in a["properties"]["type"]["enum"]),
    )

    def both(shape, good, what):
        name, d = scene_file(put(("fixed", 0, "shape"), shape))
        done, found = graze(name, "--out", os.path.join(tmp, "shape"), "--frames", "1"), errors(d, schema, schema)
        check("%s: the reader" % what, (done.returncode == 0) == good and (good or "fixed[0].shape" in done.stderr), done.stderr)
        check("%s: the schema" % what, (not found) == good, found)

    wrong = {
        "pose": [
            {"rotation": [1, 0, 0]},
            {"rotation": [0, 0, 0, 0]},
            {"rotation": [1, 0, 0, 0], "matrix": [1, 0, 0, 0, 1, 0, 0, 0, 1]},
            {"turn": 3},
            {"translation": [1, 2]},
            5,
        ]
    }
    for shape in shapes:
        both(shape, True, shape["type"])
        both(dict(shape, pose={"translation": [0, 0, -9], "rotation": [1, 0, 0, 1]}), True, shape["type"] + " placed")
        both(dict(shape, colour="red"), False, shape["type"] + " with an unknown field")
        both(dict(shape, **{"radius" if "radius" not in shape else "radii": 1}), False, shape["type"] + " with another shape's field")
        for field in shape:
            both({k: v for k, v in shape.items() if k != field}, False, "%s without %s" % (shape["type"], field))
            if field == "type":
                continue
            bad = ["x" if field != "path" else 3, None, True]
            if isinstance(shape[field], list):
                bad += [[], {}, [[1, 2]] if isinstance(shape[field][0], list) else [1, 2, 3, 4]]
            if field in ("direction", "normal"):
                bad.append([0, 0, 0])
            if field == "radius":
                bad.append(-1)
            if field in ("half", "radii"):
                bad.append([1, -1, 1])
            if field == "spacing":
                bad.append([0, 1])
            if field == "children":
                bad = [5, [{"type": "point"}], [{"type": "compound", "children": []}], [{"type": "sphere", "center": p, "radius": 1, "colour": 1}]]
            for value in bad:
                both(dict(shape, **{field: value}), False, "%s with %s = %r" % (shape["type"], field, value))
    for pose in wrong["pose"]:
        both(dict(shapes[8], pose=pose), False, "a pose %r" % pose)
    both({"type": "cube"}, False, "an unknown shape")
    for path, value in (
        (("emitters", 0, "shape"), {"type": "point", "point": p, "pose": {"translation": p}}),
        (("walkers", 0, "shape"), {"type": "box", "min": p, "max": [1, 1, 1]}),
        (("shots", 0, "direction"), p),
        (("up",), p),
        (("bodies", 0, "polygon"), [p, q]),
        (("emitters", 0, "own_origin"), 1),
        (("moving",), [{"shape": shapes[8], "path": []}]),
        (("moving",), [{"shape": shapes[8], "path": [{"time": -1, "by": p}]}]),
        (("moving",), [{"shape": shapes[8], "path": [{"time": 1, "by": p, "to": p}]}]),
        (("cloths",), [{"corner": p, "side_u": [1e300, 0, 0], "side_v": r}]),
        (("cloths",), [{"corner": p, "side_u": p, "side_v": r}]),
    ):
        name, d = scene_file(put(path, value))
        done, found = graze(name, "--out", os.path.join(tmp, "bad"), "--frames", "1"), errors(d, schema, schema)
        check("%s = %r is refused" % (path, value), done.returncode == 3 and name in done.stderr and path[0] in done.stderr and found, (done.stderr, found))
    for path, value, want in (
        (("cloths",), [{"corner": p, "side_u": q, "side_v": [0, 1e300, 0]}], "cloths[0].side_v[1]: is 1e+300, must be from -1e+100 to 1e+100"),
        (("moving",), [{"shape": shapes[8], "path": [{"time": 2, "by": p}, {"time": 2, "by": q}]}], "moving[0].path[1].time: is 2, must be > 2"),
    ):
        name, d = scene_file(put(path, value))
        done = graze(name, "--out", os.path.join(tmp, "bad"), "--frames", "1")
        check(want, done.returncode == 3 and name in done.stderr and want in done.stderr, done.stderr)

    # Errors during the run name the scene and the object, too.
    def falling(d):
        d.update(
            {"walkers": [], "gravity": [0, 0, -1e200], "cloths": [{"name": "sheet", "corner": [0, 0, 9], "side_u": q, "side_v": r, "cells_u": 2, "cells_v": 2}]}
        )

    name, _ = scene_file(falling)
    done = graze(name, "--out", os.path.join(tmp, "bad"))
    check("a cloth that leaves the doubles", done.returncode == 3 and name in done.stderr and 'cloths[0] ("sheet")' in done.stderr, done.stderr)

    # Errors say what a file is when it is not a scene.
    for file in ("rock.obj", "room.obj"):
        done = graze(os.path.join(SCENES, file))
        check(
            "a model " + file,
            done.returncode == 3 and file + ": is a model, not a scene" in done.stderr and "graze view" in done.stderr and "graze check" in done.stderr,
            done.stderr,
        )
    vrml = os.path.join(tmp, "a.wrl")
    with open(vrml, "w") as f:
        f.write("#VRML V2.0 utf8\n")
    check("a model in a format of assimp", "a.wrl: is a model, not a scene" in graze(vrml).stderr)
    for text, want in (("", "the file is empty"), ("v 0 0 0", "is no scene"), ("[1]", "is no scene"), ("{", "expected"), ('{"fixed": 3}', "fixed")):
        with open(os.path.join(tmp, "text.json"), "w") as f:
            f.write(text)
        done = graze(os.path.join(tmp, "text.json"))
        check("no scene: %r" % text, done.returncode == 3 and "text.json: " in done.stderr and want in done.stderr, done.stderr)

    check("unknown name", graze("nothing-of-that-name").returncode == 3)
    check("usage", graze().returncode == 2)
    check("the unchanged file is good", graze(scene_file(lambda d: None)[0], "--out", os.path.join(tmp, "good"), "--frames", "3").returncode == 0)

    # Threads and seeds.
    for t in ("1", "2"):
        graze("stones", "--frames", "60", "--threads", t, "--out", os.path.join(tmp, "t" + t))
    check("threads", same(os.path.join(tmp, "t1"), os.path.join(tmp, "t2")))
    graze("stones", "--frames", "60", "--seed", "9", "--out", os.path.join(tmp, "s9"))
    check("seed", not same(os.path.join(tmp, "t1"), os.path.join(tmp, "s9")))

    # Binary trajectories contain the same numbers.
    graze("stones", "--frames", "5", "--binary", "--out", os.path.join(tmp, "b"))
    data = open(os.path.join(tmp, "b", "trajectories.bin"), "rb").read()
    rows, at = [], 0
    for frame in range(6):
        when, n = struct.unpack_from("<dQ", data, at)
        at += 16
        for _ in range(n):
            rows.append((frame, *struct.unpack_from("<Qddd", data, at)))
            at += 32
    text = [line.split(",") for line in open(os.path.join(tmp, "t1", "trajectories.csv"))][1:]
    want = [(int(r[0]), int(r[2]), float(r[3]), float(r[4]), float(r[5])) for r in text if int(r[0]) <= 5]
    check("binary", at == len(data) and rows == want)

    # Ten reflections in a step, then the ball stops; the slower balls continue.
    graze("rattle", "--out", os.path.join(tmp, "rattle"))
    hits = [line.split(",") for line in open(os.path.join(tmp, "rattle", "hits.csv"))][1:]
    halts = [h for h in hits if h[1] == "halt"]
    check("one ball is stopped", len(halts) == 1 and halts[0][2] == "2", halts)
    in_step = [h for h in hits if h[1] == "impact" and h[2] == "2" and int(float(h[0]) / 0.02) == int(float(halts[0][0]) / 0.02)]
    check("after ten reflections in the step", len(in_step) == 10, len(in_step))
    last = {r[2]: r for r in (line.strip().split(",") for line in open(os.path.join(tmp, "rattle", "trajectories.csv")))}
    check("it stays there", last["2"][6:] == ["0", "0", "0"] and 0 < float(last["2"][3]) < 12 and all(float(last[b][3]) > 12 for b in "01"), last)

    # A body restarts at its own origin with its own initial velocity.
    graze("stones", "--frames", "500", "--out", os.path.join(tmp, "own"))
    rows = [line.strip().split(",") for line in open(os.path.join(tmp, "own", "trajectories.csv"))][1:]
    first = {r[2]: r[3:] for r in rows if r[0] == "0"}
    again = [(line.split(",")[2], float(line.split(",")[0])) for line in open(os.path.join(tmp, "own", "hits.csv")) if ",respawn," in line]
    at_frame = {(r[0], r[2]): r[3:] for r in rows}
    check("bodies start again", len(again) > 100, len(again))
    check("each at its own origin", all(at_frame[str(round(t / 0.01)), b] == first[b] for b, t in again) and len(set(map(tuple, first.values()))) == len(first))

    # Lift, ferry, door and closing room.
    graze("lift", "--out", os.path.join(tmp, "lift"))
    rows = [line.strip().split(",") for line in open(os.path.join(tmp, "lift", "walkers.csv"))][1:]
    place = {(int(r[2]), round(float(r[1]), 2)): [float(x) for x in r[3:6]] for r in rows}
    near = lambda a, b: all(abs(x - y) < 0.02 for x, y in zip(a, b))
    check("the lift carries", near(place[0, 8.0], [-7.5, 0.5, 2.5]) and near(place[0, 16.0], [-7.5, 0.5, 0.05]), (place[0, 8.0], place[0, 16.0]))
    check("the ferry carries", near(place[1, 7.0], [3, -3.5, 0.3]) and near(place[1, 14.0], [-3, -3.5, 0.3]), (place[1, 7.0], place[1, 14.0]))
    check("the door pushes", near(place[2, 8.0], [2.4, 4, 0]), place[2, 8.0])
    flags = [(float(r[1]), int(r[8])) for r in rows if r[2] == "3"]
    enclosed = [t for t, f in flags if f]
    check(
        "the room encloses and opens",
        enclosed and 4 < enclosed[0] < 6 and 8 < enclosed[-1] < 10 and all(f == (enclosed[0] <= t <= enclosed[-1]) for t, f in flags),
        enclosed[:1] + enclosed[-1:],
    )
    check("nobody else is enclosed", not any(int(r[8]) for r in rows if r[2] != "3"))

    # Killed repeatedly at any moment: --resume ends with the same files as one uninterrupted run.
    rng = random.Random(14)
    for scene, frames in (("room", "60"), ("lift", "400"), ("cloth", "40")):
        whole, parts = os.path.join(tmp, "whole-" + scene), os.path.join(tmp, "killed-" + scene)
        arguments = [scene, "--frames", frames, "--threads", "1"]
        began = time.time()
        graze(*arguments, "--out", whole)
        took = time.time() - began
        kills = 0
        for attempt in range(40):
            process = subprocess.Popen(
                [GRAZE, "simulate", *arguments, "--out", parts, "--resume"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
            try:
                _, err = process.communicate(timeout=rng.uniform(0, 0.7 * took) if kills < 10 else 300)
                # a kill may come after the last write, but before the program exits
                ended = kills > 0 and process.returncode == 3 and "complete, there is nothing to resume" in err
                check("resumes after %d kills" % kills, process.returncode == 0 or ended, err)
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                os.makedirs(parts, exist_ok=True)
                for name in ("state.bin", "summary.json", "cloth-sheet.obj")[: 3 if scene == "cloth" else 2]:
                    open(os.path.join(parts, name + ".part-host-1-0"), "w").close()  # as if killed while it was written
        check("%s: killed" % scene, kills >= 1, kills)
        check("%s: the same files after %d kills" % (scene, kills), same(whole, parts), (files(whole), files(parts)))
        check("%s: complete" % scene, graze(*arguments, "--out", parts, "--resume").returncode == 3)

    # Ctrl-C: files are complete up to a frame, and --resume gives the bytes of an uninterrupted run.
    whole, parts = os.path.join(tmp, "whole"), os.path.join(tmp, "parts")
    arguments = ["room", "--frames", "60", "--threads", "1"]
    graze(*arguments, "--out", whole)
    resumed = 0
    process = subprocess.Popen([GRAZE, "simulate", *arguments, "--out", parts], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.time() + 60
    while time.time() < deadline and process.poll() is None:
        size = os.path.getsize(os.path.join(parts, "trajectories.csv")) if os.path.exists(os.path.join(parts, "trajectories.csv")) else 0
        if size > 1000000:
            process.send_signal(signal.SIGINT)
            break
        time.sleep(0.01)
    out, err = process.communicate(timeout=60)
    check("ended by Ctrl-C", process.returncode == 0, err)
    summary = json.load(open(os.path.join(parts, "summary.json")))
    if not summary["complete"]:
        check("says how to go on", "--resume" in out, out)
        last = open(os.path.join(parts, "trajectories.csv")).read()
        check("whole lines", last.endswith("\n") and last.splitlines()[-1].startswith("%d," % summary["frames"]))
        done = graze(*arguments, "--out", parts, "--resume")
        check("resumes", done.returncode == 0, done.stderr)
    check("the same bytes as without a break", same(whole, parts), (files(whole), files(parts)))
    check("nothing to resume", graze(*arguments, "--out", whole, "--resume").returncode == 3)

print("%d failed" % len(failures) if failures else "all as expected")
sys.exit(1 if failures else 0)
