#!/usr/bin/env python3
"""graze simulate from outside: the examples, the schema, errors that name the path, the same bytes for every number of threads, Ctrl-C and --resume. Usage: simulate_test.py GRAZE"""
import filecmp
import json
import os
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
    """What of JSON Schema the scene's schema uses."""
    if "$ref" in schema:
        at = root
        for part in schema["$ref"][2:].split("/"):
            at = at[part]
        return errors(value, at, root, place)
    if "anyOf" in schema:
        return [] if any(not errors(value, s, root, place) for s in schema["anyOf"]) else [place + ": none of the alternatives"]
    if "enum" in schema:
        return [] if value in schema["enum"] else ["%s: %r" % (place, value)]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool}
    found, kind = [], schema.get("type")
    if kind in kinds and not isinstance(value, kinds[kind]):
        return ["%s: is no %s" % (place, kind)]
    if kind in ("number", "integer"):
        if isinstance(value, bool) or not isinstance(value, (int, float) if kind == "number" else int):
            return ["%s: is no %s" % (place, kind)]
        if value < schema.get("minimum", value) or value > schema.get("maximum", value) or ("exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]):
            found.append("%s: out of range" % place)
    if kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10 ** 9):
            found.append("%s: has %d elements" % (place, len(value)))
        for i, v in enumerate(value):
            found += errors(v, schema["items"], root, "%s[%d]" % (place, i))
    if kind == "object":
        found += ["%s: no %s" % (place, r) for r in schema.get("required", []) if r not in value]
        for name, v in value.items():
            if name in schema["properties"]:
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

    # What the schema forbids, the reader refuses, and by the path that the schema's checker names.
    def scene_file(change):
        d = {"fixed": [{"shape": {"type": "box", "min": [0, 0, 0], "max": [1, 1, 1]}}],
             "bodies": [{"shape": {"type": "sphere", "center": [0, 0, 3], "radius": 1}}, {"shape": {"type": "point", "point": [0, 0, 5]}}],
             "emitters": [{"count": 3, "origin": [0, 0, 9]}], "shots": [{"origin": [0, 0, 9], "direction": [0, 0, -1]}],
             "walkers": [{"shape": {"type": "sphere", "center": [0, 0, 0], "radius": 0.2}, "position": [5, 5, 5], "waypoints": []}],
             "cloths": [], "materials": [{"name": "m"}]}
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

    cases = [(("bodies", 0, "shape", "radius"), -1, "bodies[0].shape.radius: is -1, must be >= 0"),
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
             (("fixed", 0, "shape", "min"), [2, 0, 0], "fixed[0].shape")]
    for path, value, want in cases:
        name, d = scene_file(put(path, value))
        done = graze(name, "--out", os.path.join(tmp, "bad"))
        check("error of %s" % (path,), done.returncode == 3 and want in done.stderr, done.stderr)
    check("unknown name", graze("nothing-of-that-name").returncode == 3)
    check("usage", graze().returncode == 2)
    check("the unchanged file is good", graze(scene_file(lambda d: None)[0], "--out", os.path.join(tmp, "good"), "--frames", "3").returncode == 0)

    # Threads and seeds.
    for t in ("1", "2"):
        graze("stones", "--frames", "60", "--threads", t, "--out", os.path.join(tmp, "t" + t))
    check("threads", same(os.path.join(tmp, "t1"), os.path.join(tmp, "t2")))
    graze("stones", "--frames", "60", "--seed", "9", "--out", os.path.join(tmp, "s9"))
    check("seed", not same(os.path.join(tmp, "t1"), os.path.join(tmp, "s9")))

    # Binary trajectories hold the same numbers.
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

    # Ctrl-C: files are complete up to a frame, and --resume gives the bytes of one run.
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
