#!/usr/bin/env python3
"""Draws docs/picture.svg from real answers: readme_picture.py GRAZE OUT.svg (Python 3 standard library only).

Three rings. Two cross: the triangles that `graze query` returns (triangle-pairs) are red. The third is apart: the line joins the nearest points (closest)."""
import json
import math
import os
import subprocess
import sys
import tempfile

SIZE, SCALE = (960, 440), 74.0
LIGHT = (0.35, -0.5, 0.79)
COLOURS = {"a": (86, 140, 204), "b": (222, 164, 62), "c": (110, 170, 120)}
RED = (214, 48, 49)


def grid(x):
    return round(x * 256) / 256  # rounded, so that another system's sine gives the same picture


def ring(radius, tube, n, m):
    """Vertices and triangles of a torus about z, counter-clockwise seen from outside."""
    vertices = []
    for i in range(n):
        u = 2 * math.pi * i / n
        for j in range(m):
            v = 2 * math.pi * j / m
            r = radius + tube * math.cos(v)
            vertices.append((grid(r * math.cos(u)), grid(r * math.sin(u)), grid(tube * math.sin(v))))
    triangles = []
    for i in range(n):
        for j in range(m):
            a, b, c, d = i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
            triangles += [(a, b, c), (a, c, d)]
    return vertices, triangles


def placed(vertices, rotation, translation):
    """Applies a pose as the library does for these exact rotations: a signed permutation of axes, then the translation."""
    return [tuple(sum(rotation[i][k] * v[k] for k in range(3)) + translation[i] for i in range(3)) for v in vertices]


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class View:
    """Parallel projection from the front, somewhat above and from the left."""

    def __init__(self):
        c, s = math.cos(-0.5), math.sin(-0.5)
        d, t = math.cos(0.45), math.sin(0.45)
        self.right = (c, -s, 0.0)
        self.forward = (s * d, c * d, -t)
        self.up = cross(self.right, self.forward)

    def __call__(self, p):
        return SIZE[0] / 2 + SCALE * (dot(p, self.right)), SIZE[1] / 2 - SCALE * dot(p, self.up)

    def depth(self, p):
        return dot(p, self.forward)


def main():
    graze, out = os.path.abspath(sys.argv[1]), sys.argv[2]
    turn = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    rings = {}
    for name, (radius, tube, n, m), rotation, translation in (
        ("a", (1.5, 0.5, 44, 20), [[1, 0, 0], [0, 1, 0], [0, 0, 1]], (-2.75, 0.0, 0.0)),
        ("b", (1.5, 0.5, 44, 20), turn, (-1.0, -1.25, 0.375)),
        ("c", (1.0, 0.375, 40, 16), [[1, 0, 0], [0, 1, 0], [0, 0, 1]], (4.0, -0.25, 0.0)),
    ):
        vertices, triangles = ring(radius, tube, n, m)
        rings[name] = (placed(vertices, rotation, translation), triangles)
    with tempfile.TemporaryDirectory() as folder:
        for name, (vertices, triangles) in rings.items():
            with open(os.path.join(folder, name + ".obj"), "w") as f:
                f.write("".join("v %r %r %r\n" % v for v in vertices) + "".join("f %d %d %d\n" % tuple(i + 1 for i in t) for t in triangles))
        mesh = {name: {"type": "mesh", "path": name + ".obj"} for name in rings}
        questions = [{"id": 1, "op": "triangle-pairs", "a": mesh["a"], "b": mesh["b"]}, {"id": 2, "op": "closest", "a": mesh["b"], "b": mesh["c"]}]
        r = subprocess.run([graze, "query"], input="\n".join(map(json.dumps, questions)), capture_output=True, text=True, cwd=folder)
        if r.returncode:
            sys.exit("graze query ended with %d: %s" % (r.returncode, r.stderr + r.stdout[-500:]))
    crossing, gap = map(json.loads, r.stdout.splitlines())
    red = {"a": {p[0] for p in crossing["pairs"]}, "b": {p[1] for p in crossing["pairs"]}, "c": set()}

    view, faces = View(), []
    for name, (vertices, triangles) in rings.items():
        for index, t in enumerate(triangles):
            p = [vertices[i] for i in t]
            normal = cross(sub(p[1], p[0]), sub(p[2], p[0]))
            if dot(normal, view.forward) >= 0:
                continue
            shade = 0.45 + 0.55 * max(0.0, dot(normal, LIGHT) / math.sqrt(dot(normal, normal) * dot(LIGHT, LIGHT)))
            colour = RED if index in red[name] else COLOURS[name]
            faces.append(
                (
                    -sum(map(view.depth, p)),
                    "#%02x%02x%02x" % tuple(int(x * (1 if colour is RED else shade)) for x in colour),
                    " ".join("%.1f,%.1f" % view(v) for v in p),
                )
            )
    faces.sort()
    (x1, y1), (x2, y2) = view(gap["a"]), view(gap["b"])
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="15">' % SIZE,
        "<title>Two rings that cross, with the crossing triangles in red; a third one apart, with the shortest line to it</title>",
        '<rect width="%d" height="%d" fill="#ffffff"/>' % SIZE,
        '<g stroke-width="0.4" stroke-linejoin="round">',
    ]
    lines += ['<polygon points="%s" fill="%s" stroke="%s"/>' % (points, colour, colour) for _, colour, points in faces]
    lines += [
        "</g>",
        '<g stroke="#111" stroke-width="2"><path d="M%.1f %.1fL%.1f %.1f"/></g>' % (x1, y1, x2, y2),
        '<circle cx="%.1f" cy="%.1f" r="3.5" fill="#111"/><circle cx="%.1f" cy="%.1f" r="3.5" fill="#111"/>' % (x1, y1, x2, y2),
        '<text x="%.0f" y="%.0f" fill="#111">distance %.6g</text>' % (max(x1, x2) - 20, min(y1, y2) - 42, gap["distance"]),
        '<text x="20" y="%d" fill="#b02020">%s pairs of triangles intersect</text>' % (SIZE[1] - 18, "{:,}".format(crossing["count"])),
        "</svg>",
        "",
    ]
    with open(out, "w") as f:
        f.write("\n".join(lines))
    print("%s: %d faces, %d crossing pairs, distance %r" % (out, len(faces), crossing["count"], gap["distance"]))


if __name__ == "__main__":
    main()
