#!/usr/bin/env python3
"""The same bytes from each CPU level, number of threads and program: check_determinism.py GRAZE [GRAZE...] (for instance one built by GCC, one by Clang).

Makes questions (all shapes, most queries, meshes large enough for the wide code; many exact contacts), asks them in each setting, compares the answers."""
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

LEVELS = ["scalar", "sse4", "avx2", "avx512", "neon"]  # a level that the machine lacks counts as the best it has
THREADS = [1, 2, 7]
SETTINGS = [(level, 2) for level in LEVELS] + [(LEVELS[3], threads) for threads in THREADS if threads != 2]


class Questions:
    """Shapes and queries as lines of JSON; small whole numbers and halves as often as any doubles."""

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
        kind = kind or self.random.choice(["point", "segment", "ray", "line", "plane", "halfspace", "triangle", "sphere", "box", "obb", "capsule", "convex", "tetrahedron", "polygon"])
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
        op = self.random.choice(["intersect", "within", "closest", "raycast", "contains", "classify", "penetration", "bounds", "signed-distance", "reflect"])
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
        if op == "penetration":
            return self.line(op, a=self.solid_shape(), b=self.solid_shape())
        if op == "reflect":
            return self.line(op, v=self.vector(), normal=self.direction())
        return self.line(op, a=self.shape())

    def large(self):
        op = self.random.choice(["intersect", "closest", "raycast", "triangle-pairs", "mesh-mesh", "contacts", "solid"])
        if op in ("intersect", "closest"):
            return self.line(op, a=self.shape(), b=self.mesh())
        if op == "raycast":
            return self.line(op, ray={"origin": self.vector(), "direction": self.direction()}, mode=self.random.choice(["first", "all"]), b=self.mesh())
        if op == "contacts":
            return self.line(op, a=self.solid_shape(), b=self.mesh())
        if op == "solid":
            return self.line("contains", a={"type": "solid", "path": self.random.choice(self.solids)}, point=self.vector())
        return self.line("closest" if op == "mesh-mesh" else op, a=self.mesh(), b=self.mesh())


def write_torus(path, n, m):
    """A closed surface without sine and cosine, so that every machine writes the same file: a square path of square rings, n times m cells a side."""
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


def answers(program, arguments, text, folder, level):
    r = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, cwd=folder, env={**os.environ, "GRAZE_CPU": level})
    return r.returncode, r.stdout, r.stderr


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
        commands += [("check", ["check", "torus.obj", "grid.obj", "--pose-b=" + pose, "--json", "--limit", "1000"], "") for pose in ("0.0,0.0,0.5", "0.0,0.0,0.75", "1.0,1.0,1.0,1.0,0.0,0.0,0.0")]
        for name, arguments, given in commands:
            seen = {}
            for program in programs:
                for level, threads in SETTINGS:
                    code, out, err = answers(program, [*arguments, "--threads", str(threads)], given, folder, level)
                    if code > 1:
                        print("%s GRAZE_CPU=%s --threads %d ends with %d: %s" % (name, level, threads, code, (err or out)[-300:]))
                        errors = [x for x in out.splitlines() if '"error"' in x]
                        print("\n".join(errors[:3]))
                        return 1
                    seen.setdefault(hashlib.sha256(out.encode()).hexdigest(), []).append((program, level, threads, out))
            lines = next(iter(seen.values()))[0][3].count("\n")
            print("%s: %d lines, %d settings, %d different outputs" % (" ".join(arguments)[:60], lines, sum(map(len, seen.values())), len(seen)))
            if len(seen) > 1:
                bad += 1
                first, second = [v[0] for v in seen.values()][:2]
                print("  %s and %s" % (first[:3], second[:3]))
                for a, b in zip(first[3].splitlines(), second[3].splitlines()):
                    if a != b:
                        print("  %s\n  %s" % (a[:300], b[:300]))
                        break
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
