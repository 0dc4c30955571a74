#!/usr/bin/env python3
"""Checks that output bytes do not depend on CPU level, number of threads or compiler: check_determinism.py GRAZE [GRAZE...] (for instance one built by GCC,
one by Clang).

Generates queries (all shapes, most operations, meshes large enough for the SIMD code; many exact contacts), runs them in each setting and compares the
answers. Asserts that each setting ran at its level and entered the SIMD code there. Also hashes mixed answers of the library
(tests/determinism/answer_hash.cpp). If $GRAZE_SHARED names a folder with case files and models, also runs all case files, and rays, closest points, all
pairs and self-intersections on four of its meshes."""
import glob
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

ARM = os.uname().machine in ("aarch64", "arm64")
LEVELS = ["scalar", "neon"] if ARM else ["scalar", "sse4", "avx2", "avx512"]  # a level that the machine lacks falls back to its best one
THREADS = [1, 2, 7]
SETTINGS = [(level, 2) for level in LEVELS] + [(LEVELS[-1], threads) for threads in THREADS if threads != 2]


class Questions:
    """Shapes and queries as lines of JSON; half of the numbers are small integers and halves, half are any doubles."""

    def __init__(self, seed, meshes, solids):
        self.random, self.meshes, self.solids, self.count = random.Random(seed), meshes, solids, 0

    def number(self):
        kind = self.random.randrange(8)
        if kind < 5:
            return self.random.randrange(-8, 9) / 2
        if kind < 7:
            return self.random.uniform(-4, 4)
        return self.random.uniform(-1, 1) * 2.0 ** self.random.randrange(-60, 60)

    def vector(self):
        return [self.number() for _ in range(3)]

    def direction(self):
        v = self.vector()
        return v if any(v) else [0, 0, 1]

    def size(self):
        return abs(self.number())

    def solid_shape(self):
        kind = self.random.choice(["sphere", "box", "obb", "capsule", "convex", "tetrahedron"])
        return self.shape(kind)

    def shape(self, kind=None):
        v = self.vector
        kind = kind or self.random.choice(
            ["point", "segment", "ray", "line", "plane", "halfspace", "triangle", "sphere", "box", "obb", "capsule", "convex", "tetrahedron", "polygon"]
        )
        s = {"type": kind}
        if kind == "point":
            s["point"] = v()
        elif kind in ("segment", "capsule"):
            s.update(a=v(), b=v())
        elif kind in ("ray", "line"):
            s.update(origin=v(), direction=self.direction())
        elif kind in ("plane", "halfspace"):
            s.update(point=v(), normal=self.direction())
        elif kind in ("triangle", "tetrahedron", "convex"):
            s["points"] = [v() for _ in range({"triangle": 3, "tetrahedron": 4, "convex": 7}[kind])]
        elif kind == "polygon":
            x, y, z, w, h = self.number(), self.number(), self.number(), self.size(), self.size()
            s["points"] = [[x, y, z], [x + w, y, z], [x + w, y + h, z], [x, y + h, z]]
        elif kind == "sphere":
            s["center"] = v()
        elif kind == "box":
            a, b = v(), v()
            s.update(min=list(map(min, a, b)), max=list(map(max, a, b)))
        elif kind == "obb":
            s.update(center=v(), axes=[v(), v(), v()], half=[self.size() for _ in range(3)])
        if kind in ("sphere", "capsule"):
            s["radius"] = self.size()
        return self.placed(s)

    def placed(self, s):
        if self.random.randrange(3) == 0:
            s["pose"] = {"rotation": self.random.choice([[1, 0, 0, 1], [1, 1, 1, 1], [0.5, 0.25, -1, 0.125], [1, 0, 0, 0]]), "translation": self.vector()}
        return s

    def mesh(self):
        return self.placed({"type": "mesh", "path": self.random.choice(self.meshes)})

    def line(self, op, **fields):
        self.count += 1
        return json.dumps({"id": self.count, "op": op, **fields})

    def small(self):
        op = self.random.choice(
            ["intersect", "within", "closest", "raycast", "contains", "classify", "penetration", "manifold", "bounds", "signed-distance", "measures", "reflect"]
        )
        if op in ("intersect", "closest"):
            return self.line(op, a=self.shape(), b=self.shape())
        if op == "within":
            return self.line(op, a=self.shape(), b=self.shape(), distance=self.size())
        if op == "raycast":
            return self.line(op, ray={"origin": self.vector(), "direction": self.direction()}, mode=self.random.choice(["first", "any", "all"]), b=self.shape())
        if op in ("contains", "signed-distance"):
            return self.line(op, a=self.solid_shape(), point=self.vector())
        if op == "classify":
            return self.line(op, a=self.solid_shape(), b=self.shape("plane"))
        if op in ("penetration", "manifold"):
            return self.line(op, a=self.solid_shape(), b=self.solid_shape())
        if op == "measures":
            return self.line(op, a=self.shape(self.random.choice(["triangle", "polygon", "box", "obb", "convex", "tetrahedron"])))
        if op == "reflect":
            return self.line(op, v=self.vector(), normal=self.direction())
        return self.line(op, a=self.shape())

    def large(self):
        op = self.random.choice(["intersect", "closest", "raycast", "triangle-pairs", "mesh-mesh", "contacts", "manifold", "measures", "solid"])
        if op in ("intersect", "closest"):
            return self.line(op, a=self.shape(), b=self.mesh())
        if op == "raycast":
            return self.line(op, ray={"origin": self.vector(), "direction": self.direction()}, mode=self.random.choice(["first", "all"]), b=self.mesh())
        if op in ("contacts", "manifold"):
            return self.line(op, a=self.solid_shape(), b=self.mesh())
        if op == "measures":
            return self.line(op, a=self.mesh())
        if op == "solid":
            return self.line("contains", a={"type": "solid", "path": self.random.choice(self.solids)}, point=self.vector())
        return self.line("closest" if op == "mesh-mesh" else op, a=self.mesh(), b=self.mesh())


def write_torus(path, n, m):
    """A closed surface made without sine and cosine, so that every machine writes the same file: a square path of square rings, n times m cells per side."""

    def ring(i, k):  # the i-th of k points on the border of [-1, 1]^2
        side, along = divmod(4 * i / k, 1)
        return [(-1 + 2 * along, -1), (1, -1 + 2 * along), (1 - 2 * along, 1), (-1, 1 - 2 * along)][int(side)]

    with open(path, "w") as f:
        for i in range(n):
            x, y = ring(i, n)
            for j in range(m):
                r, z = ring(j, m)
                f.write("v %r %r %r\n" % (x * (2 + r / 2), y * (2 + r / 2), z / 2))
        for i in range(n):
            for j in range(m):
                a, b, c, d = i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
                f.write("f %d %d %d\nf %d %d %d\n" % (a + 1, b + 1, c + 1, a + 1, c + 1, d + 1))


def write_grid(path, n, rng):
    """An open, bumpy surface with heights in sixteenths: flat patches, shared planes."""
    with open(path, "w") as f:
        for j in range(n):
            for i in range(n):
                f.write("v %r %r %r\n" % (8 * i / (n - 1) - 4, 8 * j / (n - 1) - 4, rng.randrange(-4, 5) / 16))
        for j in range(n - 1):
            for i in range(n - 1):
                a = j * n + i + 1
                f.write("f %d %d %d\nf %d %d %d\n" % (a, a + 1, a + n + 1, a, a + n + 1, a + n))


SHARED = os.environ.get("GRAZE_SHARED", os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "..", "shared"))
MODELS = ["stanford-bunny.obj", "nefertiti.obj", "fandisk.obj", "cow.obj"]


def machine_levels():
    """The levels that this machine supports, by the flags of its processor."""
    try:
        with open("/proc/cpuinfo") as f:
            flags = set(f.read().split())
    except OSError:
        return ["scalar"]
    have = ["scalar"]
    if {"sse4_1", "sse4_2"} <= flags:
        have.append("sse4")
        if {"avx2", "fma", "bmi2"} <= flags:
            have.append("avx2")
            if {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"} <= flags:
                have.append("avx512")
    return have


def wrong_level(program, folder, level, have):
    """Checks with --explain at which level the SIMD tests ran. Returns "" when they ran only at the requested level, or at the highest supported one below
    it."""
    expected = level if level in have else have[-1]
    code, out, err = answers(program, ["check", "torus.obj", "grid.obj", "--json", "--explain"], "", folder, level)
    if code > 1:
        return err or out
    e = json.loads(out)["explain"]
    if e["cpu_level"] != expected or not e["wide_tests"] or e["wide_tests_at_other_levels"]:
        return "expected level %s entered, found %s" % (expected, {k: e[k] for k in ("cpu_level", "wide_tests", "wide_tests_at_other_levels")})
    return ""


def case_files():
    """(folder, its queries without their expected answers) for each folder of case files."""
    for name in sorted(os.listdir(os.path.join(SHARED, "oracle"))) if os.path.isdir(os.path.join(SHARED, "oracle")) else []:
        folder = os.path.join(SHARED, "oracle", name)
        lines = []
        for path in sorted(glob.glob(os.path.join(folder, "*.jsonl.gz"))):
            with gzip.open(path, "rt") as f:
                for line in f:
                    q = json.loads(line)
                    if q["op"] == "within":
                        keep = ("id", "op", "a", "b", "distance")
                    else:
                        keep = ("id", "op", "kind", "a", "b", "ray", "mode", "motion", "skip_departing", "t0", "t1", "point", "v", "normal")
                    lines.append(json.dumps({k: q[k] for k in keep if k in q}))
        if lines:
            yield folder, "\n".join(lines) + "\n"


def model_questions():
    """Rays, closest points, all pairs and self-intersections on four models."""
    folder = os.path.join(SHARED, "meshes")
    if not all(os.path.exists(os.path.join(folder, m)) for m in MODELS):
        return
    rng, lines = random.Random(3), []
    for m in MODELS:
        mesh = {"type": "mesh", "path": m}
        with open(os.path.join(folder, m)) as f:
            vertices = [list(map(float, x.split()[1:4])) for x in f if x.startswith("v ")]
        size = max(max(v) for v in vertices) - min(min(v) for v in vertices)
        for i in range(300):
            p, q = rng.choice(vertices), [rng.choice(vertices)[k] + size * rng.uniform(-1, 1) for k in range(3)]
            lines.append({"op": "raycast", "ray": {"type": "segment", "a": q, "b": p}, "mode": rng.choice(["first", "all"]), "b": mesh})
            lines.append({"op": "closest", "a": {"type": "point", "point": q}, "b": mesh})
        lines.append({"op": "self-intersections", "a": mesh, "limit": 5000})
        for other in MODELS[MODELS.index(m) :]:
            lines.append(
                {
                    "op": "triangle-pairs",
                    "a": mesh,
                    "b": {"type": "mesh", "path": other, "pose": {"rotation": [1, 0, 0, 1], "translation": [0, 0, 0]}},
                    "limit": 5000,
                }
            )
    yield folder, "\n".join(json.dumps({"id": i, **x}) for i, x in enumerate(lines)) + "\n"


def answers(program, arguments, text, folder, level):
    r = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, cwd=folder, env={**os.environ, "GRAZE_CPU": level})
    return r.returncode, r.stdout, r.stderr


def differs(name, programs, arguments, given, folder, errors_count=True):
    """Runs the queries in every setting. Returns True when two outputs differ or (errors_count) a query is refused."""
    seen = {}
    for program in programs:
        for level, threads in SETTINGS:
            code, out, err = answers(program, [*arguments, "--threads", str(threads)], given, folder, level)
            if code > (1 if errors_count else 3):
                print("%s GRAZE_CPU=%s --threads %d ends with %d: %s" % (name, level, threads, code, (err or out)[-300:]))
                print("\n".join([x for x in out.splitlines() if '"error"' in x][:3]))
                return True
            seen.setdefault(hashlib.sha256(out.encode()).hexdigest(), []).append((program, level, threads, out))
    lines = next(iter(seen.values()))[0][3].count("\n")
    print(
        "%s: %d lines, %d settings, %d different outputs"
        % (name if name.startswith("query on") else " ".join(arguments)[:60], lines, sum(map(len, seen.values())), len(seen)),
        flush=True,
    )
    if len(seen) == 1:
        return False
    first, second = [v[0] for v in seen.values()][:2]
    print("  %s and %s" % (first[:3], second[:3]))
    for a, b in zip(first[3].splitlines(), second[3].splitlines()):
        if a != b:
            print("  %s\n  %s" % (a[:300], b[:300]))
            break
    return True


def hashes_differ(programs):
    """Hashes 50,000 answers at each CPU level with the answer_hash that is built next to each program. Returns True when two outputs differ."""
    seen = {}
    for program in programs:
        hasher = os.path.join(os.path.dirname(program), "tests", "answer_hash")
        if not os.path.exists(hasher):
            print("no %s: build with GRAZE_TESTS=ON" % hasher)
            return True
        for level in LEVELS:
            r = subprocess.run([hasher, "50000"], capture_output=True, text=True, env={**os.environ, "GRAZE_CPU": level})
            if r.returncode != 0:
                print("%s GRAZE_CPU=%s ends with %d" % (hasher, level, r.returncode))
                return True
            seen.setdefault(r.stdout, []).append((hasher, level))
    print("hash of answers: %d settings, %d different outputs" % (sum(map(len, seen.values())), len(seen)), flush=True)
    for output, settings in seen.items() if len(seen) > 1 else []:
        print("  %s\n%s" % (settings, output))
    return len(seen) > 1


def main():
    programs = [os.path.abspath(p) for p in sys.argv[1:]]
    if not programs or not all(os.path.exists(p) for p in programs):
        print("usage: check_determinism.py GRAZE [GRAZE...]; missing: %s" % " ".join(p for p in programs if not os.path.exists(p)))
        return 2
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        rng = random.Random(1)
        write_torus(os.path.join(folder, "torus.obj"), 96, 48)
        write_torus(os.path.join(folder, "coarse.obj"), 12, 8)
        write_grid(os.path.join(folder, "grid.obj"), 64, rng)
        questions = Questions(2, ["torus.obj", "coarse.obj", "grid.obj"], ["torus.obj", "coarse.obj"])
        text = "\n".join([questions.small() for _ in range(8000)] + [questions.large() for _ in range(200)]) + "\n"
        commands = [("query", ["query"], text)]
        commands += [
            ("check", ["check", "torus.obj", "grid.obj", "--pose-b=" + pose, "--json", "--limit", "1000"], "")
            for pose in ("0.0,0.0,0.5", "0.0,0.0,0.75", "1.0,1.0,1.0,1.0,0.0,0.0,0.0")
        ]
        have = machine_levels()
        for program in programs:
            for level in LEVELS:
                wrong = wrong_level(program, folder, level, have)
                if wrong:
                    print("GRAZE_CPU=%s %s: %s" % (level, program, wrong))
                    return 1
        print("levels of this machine, each asserted: %s" % " ".join(have))
        for name, arguments, given in commands:
            bad += differs(name, programs, arguments, given, folder)
        for where, given in [*case_files(), *model_questions()]:
            bad += differs("query on " + os.path.relpath(where, SHARED), programs, ["query"], given, where, errors_count=False)
    bad += hashes_differ(programs)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
