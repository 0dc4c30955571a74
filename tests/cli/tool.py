"""Shared by the tests of the built tool: running it, counting checks, models and shapes for queries. The tool's path is the first argument, else $GRAZE.
Standard library only."""
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile

GRAZE = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("GRAZE", "build/release/graze"))
passed, failures = 0, []


def check(what, ok, detail=""):
    global passed
    if ok:
        passed += 1
    else:
        failures.append("%s: %s" % (what, str(detail)[:600]))


def run(args, data=b"", limit_mb=None, env=None):
    def limits():
        if limit_mb and "GRAZE_SANITIZED" not in os.environ:
            resource.setrlimit(resource.RLIMIT_AS, (limit_mb << 20, limit_mb << 20))

    if isinstance(data, str):
        data = data.encode()
    r = subprocess.run([GRAZE] + args, input=data, capture_output=True, timeout=300, preexec_fn=limits, env={**os.environ, **(env or {})})
    return r.returncode, r.stdout.decode(), r.stderr.decode()


def ask(*lines, args=()):
    """Returns the answers to some lines (dicts or text), and the exit code."""
    text = "".join((l if isinstance(l, str) else json.dumps(l)) + "\n" for l in lines)
    code, out, err = run(["query"] + list(args), text)
    return [json.loads(l) for l in out.splitlines()], code, err


def bits(x):
    return struct.pack("<d", float(x))


def cut_box(name, lo, hi, corner, first=0):
    """An OBJ group: a box of which the top has another corner beside or on its front edge, which the front face has not."""
    corners = [(x, y, z) for z in (lo[2], hi[2]) for y in (lo[1], hi[1]) for x in (lo[0], hi[0])] + [corner]
    faces = [(1, 3, 2), (2, 3, 4), (5, 9, 7), (9, 6, 7), (6, 8, 7), (1, 2, 5), (2, 6, 5), (3, 7, 4), (4, 7, 8), (1, 5, 3), (3, 5, 7), (2, 4, 6), (4, 8, 6)]
    return "g %s\n" % name + "".join("v %r %r %r\n" % c for c in corners) + "".join("f %d %d %d\n" % tuple(i + first for i in f) for f in faces)


POINT = {"type": "point", "point": [0, 0, 0]}
BALL = {"type": "sphere", "center": [0, 0, 0], "radius": 1}
BOX = {"type": "box", "min": [-1, -1, -1], "max": [1, 1, 1]}
SHAPES = [  # each contains or touches the origin
    POINT,
    {"type": "segment", "a": [-1, 0, 0], "b": [1, 0, 0]},
    {"type": "ray", "origin": [0, 0, 0], "direction": [0, 0, 2]},
    {"type": "line", "origin": [0, 0, 5], "direction": [0, 0, 2]},
    {"type": "plane", "point": [1, 0, 0], "normal": [0, 0, 3]},
    {"type": "halfspace", "point": [0, 0, 0], "normal": [0, 0, 1]},
    {"type": "triangle", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]},
    {"type": "polygon", "points": [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]},
    BALL,
    BOX,
    {"type": "obb", "center": [0.5, 0, 0], "axes": [[0.5, 0.5, 0], [-0.5, 0.5, 0], [0, 0, 1]], "half": [1, 1, 1]},
    {"type": "capsule", "a": [0, 0, -1], "b": [0, 0, 1], "radius": 0.5},
    {"type": "cylinder", "a": [0, 0, -1], "b": [0, 0, 1], "radius": 0.5},
    {"type": "cone", "a": [0, 0, -1], "b": [0, 0, 1], "radius": 0.5},
    {"type": "truncated_cone", "a": [0, 0, -1], "b": [0, 0, 1], "radius_a": 0.5, "radius_b": 0.25},
    {"type": "ellipsoid", "center": [0, 0, 0], "radii": [1, 2, 3]},
    {"type": "wedge", "corner": [0, 0, -1], "edges": [[1, 0, 0], [0, 1, 0], [0, 0, 2]]},
    {"type": "convex", "points": [[-1, -1, -1], [1, -1, -1], [0, 1, -1], [0, 0, 1]]},
    {"type": "tetrahedron", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    {"type": "frustum", "points": [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [-2, -2, 2], [2, -2, 2], [2, 2, 2], [-2, 2, 2]]},
    {"type": "heightfield", "origin": [-1, -1, 0], "spacing": [1, 1], "heights": [[0, 0, 0], [0, 0, 0], [0, 0, None]]},
    {
        "type": "compound",
        "children": [{"type": "sphere", "center": [9, 9, 9], "radius": 1}, {"type": "point", "point": [1, 2, 3], "pose": {"translation": [-1, -2, -3]}}],
    },
    {"type": "mesh", "path": "cube.obj", "pose": {"translation": [1, 0, 0]}},
    {"type": "solid", "path": "cube.obj"},
]


def write_models():
    def cube(h, c=(0, 0, 0)):
        v = "".join("v %r %r %r\n" % (c[0] + h * x, c[1] + h * y, c[2] + h * z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1))
        quads = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
        return v + "".join("f %d %d %d %d\n" % q for q in quads)

    for name, text in {
        "cube.obj": cube(1.0),
        "small.obj": cube(0.25),
        "far.obj": cube(1.0, (5.0, 0.0, 0.0)),
        "open.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\ng flap\nf 1 2 3\n",
        "tent.obj": "v -1 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nf 1 2 3\nf 2 1 4\n",
        "bad.obj": "v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n",
        "empty.obj": "# nothing\n",
    }.items():
        with open(name, "w") as f:
            f.write(text)


def run_all(tests):
    """Runs the tests in a temporary folder with the models; prints each failure and 'N passed, N failed'. Exit code: 1 on a failure, 77 (skipped) without a
    tool."""
    if not os.access(GRAZE, os.X_OK):
        print("no tool at %s: skipped" % GRAZE)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_models()
        for test in tests:
            try:
                test()
            except Exception:  # the tool's answer had the wrong form
                import traceback

                failures.append("%s: %s" % (test.__name__, traceback.format_exc().strip().splitlines()[-3:]))
        os.chdir("/")
    for f in failures:
        print("FAILED " + f)
    print("%d passed, %d failed" % (passed, len(failures)))
    return 1 if failures else 0
