#!/usr/bin/env python3
"""The demonstrations of grenade, rays, moving meshes, many shapes, sizes, normals and view frustum in the window: sends keys and compares the screen with
the tool's answers for the same models, which are rebuilt here from their formulas."""
import csv
import itertools
import json
import math
import os
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import graze, need, obj, on_a_display, query, run_all, scene, sees
from vectors import add, cross, dot, mul, sub, turned, unit

need("Xvfb", "xdotool")
HIT, NEAR, BLUE, INK = (213, 94, 0), (204, 121, 167), (0, 114, 178), (25, 28, 32)


# ---- the models -------------------------------------------------------------------------------------------------------


def randoms(state):
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (state >> 40) / (1 << 23) - 1


def from_last(r):
    """A random vector whose z is drawn first."""
    z, y = next(r), next(r)
    return [next(r), y, z]


def rock(radius, level, seed):
    t = (1 + 5**0.5) / 2
    v = [[-1, t, 0], [1, t, 0], [-1, -t, 0], [1, -t, 0], [0, -1, t], [0, 1, t], [0, -1, -t], [0, 1, -t], [t, 0, -1], [t, 0, 1], [-t, 0, -1], [-t, 0, 1]]
    f = [
        (0, 11, 5),
        (0, 5, 1),
        (0, 1, 7),
        (0, 7, 10),
        (0, 10, 11),
        (1, 5, 9),
        (5, 11, 4),
        (11, 10, 2),
        (10, 7, 6),
        (7, 1, 8),
        (3, 9, 4),
        (3, 4, 2),
        (3, 2, 6),
        (3, 6, 8),
        (3, 8, 9),
        (4, 9, 5),
        (2, 4, 11),
        (6, 2, 10),
        (8, 6, 7),
        (9, 8, 1),
    ]
    for _ in range(level):
        middle, finer = {}, []

        def between(a, b):
            key = (min(a, b), max(a, b))
            if key not in middle:
                middle[key] = len(v)
                v.append(mul(add(v[a], v[b]), 0.5))
            return middle[key]

        for a, b, c in f:
            ab, bc, ca = between(a, b), between(b, c), between(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        f = finer
    r = randoms((seed * 0x9E3779B97F4A7C15 + 1) % 2**64)
    waves = [mul(from_last(r), 4.0) for _ in range(7)]
    out = []
    for p in v:
        u = unit(p)
        h = 1 + sum(0.09 * math.sin(dot(w, u) + i) for i, w in enumerate(waves))
        out.append(mul(u, radius * (h + 0.015 * next(r))))
    return out, f


def torus(ring, tube, around, across):
    v = []
    for i in range(around):
        for j in range(across):
            a, b = 2 * math.pi * i / around, 2 * math.pi * j / across
            r = ring + tube * math.cos(b)
            v.append([r * math.cos(a), r * math.sin(a), tube * math.sin(b)])
    at = lambda x, y: x % around * across + y % across
    return v, [
        t for i in range(around) for j in range(across) for t in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))
    ]


def building():
    boxes = [
        (-6, -4, -0.2, 6, 4, 0),
        (-6, -4, 0, 6, -3.8, 2.6),
        (-6, 3.8, 0, 6, 4, 2.6),
        (-6, -3.8, 0, -5.8, 3.8, 2.6),
        (5.8, -3.8, 0, 6, 3.8, 2.6),
        (-0.1, -3.8, 0, 0.1, -0.8, 2.6),
        (-0.1, 0.5, 0, 0.1, 3.8, 2.6),
        (-0.1, -0.8, 2.1, 0.1, 0.5, 2.6),
    ]
    boxes += [(x - 0.2, 1.4, 0, x + 0.2, 1.8, 2.6) for x in (-3.6, -1.6)]
    boxes += [(2 + 0.4 * i, -3.8, 0, 2.4 + 0.4 * i, -2, 0.2 * (i + 1)) for i in range(5)]
    boxes += [(4, -3.8, 0, 5.8, -2, 1), (2.2, 1.6, 0, 3.4, 2.6, 0.7), (-5, -3, 0, -4, -2, 1.2)]
    v, f = [], []
    for b in boxes:
        n = len(v)
        v += [[b[3] if i & 1 else b[0], b[4] if i & 2 else b[1], b[5] if i & 4 else b[2]] for i in range(8)]
        for q in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
            f += [(n + q[0], n + q[1], n + q[2]), (n + q[0], n + q[2], n + q[3])]
    return v, f


class Eye:
    """The window's initial camera: shows a whole box from a direction, z up."""

    def __init__(self, box, direction, screen, panel=300, field=0.70, aspect=1.6):
        lo, hi = box
        self.left, self.width, self.height = panel, screen[0] - panel, screen[1]
        target = mul(add(lo, hi), 0.5)
        self.back = unit(direction)
        self.right = unit(cross([0, 0, 1], self.back))
        self.top = cross(self.back, self.right)
        tan_y, far = math.tan(field / 2), 0
        for corner in itertools.product(*zip(lo, hi)):
            p = sub(corner, target)
            far = max(far, dot(p, self.back) + abs(dot(p, self.right)) / (tan_y * aspect), dot(p, self.back) + abs(dot(p, self.top)) / tan_y)
        self.at = add(target, mul(self.back, far * 1.03))
        self.tan_y = tan_y * max(1, aspect * self.height / self.width)

    @classmethod
    def of_points(cls, points, direction, screen, below, panel=300, field=0.60, aspect=1.6):
        """Shows all these points as large as possible and leaves the lower fraction `below` of the height free."""
        e = cls(([min(p[k] for p in points) for k in range(3)], [max(p[k] for p in points) for k in range(3)]), direction, screen, panel, field, aspect)
        lo, hi = [[f(p[k] for p in points) for k in range(3)] for f in (min, max)]
        middle = mul(add(lo, hi), 0.5)
        seen = [[dot(q, e.right), dot(q, e.top), dot(q, e.back)] for q in (sub(p, middle) for p in points)]
        tan_y, room = math.tan(field / 2), 0.94
        tx, ty_top, ty_low = tan_y * aspect * room, tan_y * room, tan_y * (room - 2 * below)
        xp, xm = max(q[2] + q[0] / tx for q in seen), max(q[2] - q[0] / tx for q in seen)
        yp, ym = max(q[2] + q[1] / ty_top for q in seen), max(q[2] - q[1] / ty_low for q in seen)
        z = max((xp + xm) / 2, (yp * ty_top + ym * ty_low) / (ty_top + ty_low))
        x, y = (xp - xm) * tx / 2, ((yp - z) * ty_top - (ym - z) * ty_low) / 2
        e.at = add(add(add(middle, mul(e.right, x)), mul(e.top, y)), mul(e.back, z))
        return e

    def pixel(self, p):
        q = sub(p, self.at)
        depth = -dot(q, self.back)
        x, y = dot(q, self.right) / (depth * self.tan_y * self.width / self.height), dot(q, self.top) / (depth * self.tan_y)
        return self.left + (x + 1) / 2 * self.width, (1 - y) / 2 * self.height


def numbers(pattern, text):
    m = re.search(pattern, text)
    assert m, "%r is not in %r" % (pattern, text)
    return [float(g) for g in m.groups()]


def beside(p, a, b):
    """Distance of a pixel from a line between two."""
    d = (b[0] - a[0], b[1] - a[1])
    t = max(0, min(1, ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1])))
    return math.dist(p, (a[0] + t * d[0], a[1] + t * d[1]))


def near(p, at, color, reach=3, tolerance=30):
    x0, y0 = round(at[0]), round(at[1])
    return any(
        all(abs(c - w) <= tolerance for c, w in zip(p.at(x, y), color))
        for x in range(max(x0 - reach, 0), min(x0 + reach + 1, p.width))
        for y in range(max(y0 - reach, 0), min(y0 + reach + 1, p.height))
    )


# ---- the demonstrations ------------------------------------------------------------------------------------------------------------------


def the_grenade_flies_as_simulate_says(viewer, folder):
    """After each change of the throw, compares the contacts, the place of the explosion, and its distance from the building with `graze simulate` and
    `graze query`; the ball is visible there."""
    model = os.path.join(folder, "building.obj")
    obj(model, *building())
    single = lambda x: struct.unpack("f", struct.pack("f", x))[0]  # as the sliders
    yaw, pitch, speed = 0.07, 0.42, single(8.2)
    eye = Eye.of_points(building()[0], [-0.25, -1, 1.05], (1280, 800), below=0.12)
    for keys, turn, lift, harder in (
        ([], 0, 0, 0),
        (["Left"] * 12, 12, 0, 0),
        (["Up"] * 10 + ["minus"] * 8, 0, 10, -8),
        (["Right"] * 20 + ["Down"] * 25 + ["equal"] * 20, -20, -25, 20),
    ):
        viewer.keys(*keys) if keys else None
        for _ in range(abs(turn)):
            yaw += math.copysign(0.02, turn)
        for _ in range(abs(lift)):
            pitch = max(-1.0, min(1.4, pitch + math.copysign(0.02, lift)))
        for _ in range(abs(harder)):
            speed = max(1, min(20, single(speed + math.copysign(single(0.2), harder))))
        way = [math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)]
        material = {"restitution": single(0.55), "friction": single(0.15)}
        with open(os.path.join(folder, "throw.json"), "w") as f:
            json.dump(
                {
                    "name": "throw",
                    "duration": 3,
                    "step": 1 / 120,
                    "materials": [{"name": "m", **material}],
                    "fixed": [{"shape": {"type": "mesh", "path": model}, "material": "m"}],
                    "bodies": [
                        {
                            "shape": {"type": "sphere", "center": [0, 0, 0], "radius": 0.09, "pose": {"translation": [-5.2, -0.6, 1.5]}},
                            "velocity": mul(way, speed),
                            "material": "m",
                            "rest_speed": 0.2,
                        }
                    ],
                },
                f,
            )
        graze("simulate", "throw.json", "--frames", "360", "--out", "throw", cwd=folder)
        with open(os.path.join(folder, "throw", "trajectories.csv")) as f:
            last = list(csv.DictReader(f))[-1]
        end = [float(last[k]) for k in "xyz"]
        with open(os.path.join(folder, "throw", "hits.csv")) as f:
            hits = sum(row["kind"] == "impact" for row in csv.DictReader(f))
        says = "%d contacts; it goes off after 3.0 s at (%.6g, %.6g, %.6g)" % (hits, *end)
        viewer.until("the window says: " + says, lambda: viewer.words()["caption"][0] == says)
        inside = query({"id": 1, "op": "intersect", "a": {"type": "sphere", "center": end, "radius": 0.09}, "b": {"type": "mesh", "path": model}})[0]["hit"]
        assert viewer.words()["caption"][1] == "the ball and the building share a point: " + ("yes" if inside else "no"), viewer.words()
        viewer.settle()
        p = viewer.display.pixels()
        # only the transparent sphere of the explosion has an orange hue
        places = [(x, y) for x in range(320, 1270, 2) for y in range(90, 730, 2) for r, g, b in [p.at(x, y)] if r - b > 14 and g - b > 7 and 3 < r - g < 40]
        assert len(places) > 300, "the explosion is not seen"
        middle = [sorted(q[k] for q in places)[len(places) // 2] for k in range(2)]
        assert math.dist(middle, eye.pixel(end)) < 8, "it is seen at %s and should be at %s" % (middle, eye.pixel(end))


def rays_hit_what_the_library_says(viewer, folder):
    """The number of rays that hit; the screen has a mark at each hit that is visible from the camera, and none where a ray misses."""
    for name, mesh in (("rock", rock(0.9, 4, 2)), ("ring", torus(1.5, 0.16, 80, 16))):
        obj(os.path.join(folder, name + ".obj"), *mesh)
    shapes = [{"type": "mesh", "path": os.path.join(folder, name + ".obj")} for name in ("rock", "ring")]
    first = lambda rays: [
        min((a for a in pair if a["hit"]), key=lambda a: a["t"], default=None)
        for pair in zip(*[query(*[{"id": i, "op": "raycast", "ray": r, "b": s} for i, r in enumerate(rays)]) for s in shapes])
    ]
    eye = Eye(([-2.2, -1.8, -1], [1.8, 1.8, 1.1]), [-0.15, -1, 0.62], (1280, 800))
    source, count, wide = [-2.4, -1.2, 0.9], 13, 0.6200000047683716
    seen_counts, seen_marks = set(), 0
    for keys, move, fewer in (
        ([], [0, 0, 0], 0),
        (["Up"] * 8 + ["minus"], [0, 0, 8], -2),
        (["Left"] * 30, [-30, 0, 0], 0),
        (["Right"] * 40 + ["Down"] * 30 + ["equal"], [40, 0, -30], 2),
    ):
        viewer.keys(*keys) if keys else None
        for k in range(3):
            for _ in range(abs(move[k])):
                source[k] += math.copysign(0.05, move[k])
        count += fewer
        ahead = unit(mul(source, -1))
        side = unit(cross(ahead, [0, 0, 1]))
        up = cross(side, ahead)
        rays = [
            {"origin": source, "direction": add(add(ahead, mul(side, wide * (2 * i / (count - 1) - 1))), mul(up, wide * (2 * j / (count - 1) - 1) * 0.6))}
            for i in range(count)
            for j in range(count)
        ]
        answers = first(rays)
        hits = [a for a in answers if a]
        assert 0 < len(hits) < len(rays), "no test: %d of %d" % (len(hits), len(rays))
        seen_counts.add(len(hits))
        viewer.until("%d rays, %d hit" % (len(rays), len(hits)), lambda: viewer.words()["caption"][0] == "%d rays, %d hit" % (len(rays), len(hits)))
        viewer.settle()
        p = viewer.display.pixels()
        # hits that are visible from the camera, according to the library
        views = first([{"origin": eye.at, "direction": sub(h["point"], eye.at)} for h in hits])
        lines = [(eye.pixel(r["origin"]), eye.pixel(a["point"] if a else add(r["origin"], mul(r["direction"], 4.2))), a) for r, a in zip(rays, answers)]
        open_hits = [
            h["point"] for h, v in zip(hits, views) if v["t"] > 0.9995 and all(a is h or beside(eye.pixel(h["point"]), q0, q1) > 4.5 for q0, q1, a in lines)
        ]  # and no other ray covers it
        inner = lambda at: 304 < at[0] < p.width - 4 and 40 < at[1] < p.height - 60
        places = [eye.pixel(h) for h in open_hits]
        missing = [at for at in places if inner(at) and not near(p, at, HIT)]
        seen_marks += len(places)
        assert places and not missing, "no mark at %s, %d of %d" % (missing[:5], len(missing), len(places))
        # there is no mark at the ends of rays that miss, far from all hits
        lost = [eye.pixel(add(r["origin"], mul(r["direction"], t))) for r, a in zip(rays, answers) if not a for t in (1.5, 2.5, 3.5)]
        normals = [eye.pixel(add(h["point"], mul(h["normal"], 0.16))) for h in hits] + [eye.pixel(h["point"]) for h in hits]
        clear = [at for at in lost if inner(at) and min((math.dist(at, q) for q in normals), default=99) > 25]
        assert clear and not [at for at in clear if near(p, at, HIT)], "marks where nothing is hit"
    assert len(seen_counts) > 2 and seen_marks > 15, (seen_counts, seen_marks)


def moving_meshes_meet_when_the_library_says(viewer, folder):
    """Before the first contact the cloth and the rock are apart, and no mark is visible; after it they intersect, and marks are visible; in both directions
    of time. The first time equals that of ccd."""
    stone = rock(0.9, 3, 4)
    n = 22
    start = [[-1.2 + 2.4 * i / n, -1.2 + 2.4 * j / n, 1.25 + 0.06 * math.sin(i * 0.9) * math.cos(j * 0.7)] for j in range(n + 1) for i in range(n + 1)]
    end = [add(v, [0.12 * v[1], -0.12 * v[0], -0.55 - 0.5 * math.hypot(v[0], v[1])]) for v in start]
    at = lambda x, y: y * (n + 1) + x
    faces = [t for j in range(n) for i in range(n) for t in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
    obj(os.path.join(folder, "rock.obj"), *stone)

    def touch(t):
        obj(os.path.join(folder, "cloth.obj"), [add(mul(a, 1 - t), mul(b, t)) for a, b in zip(start, end)], faces)
        return query(
            {
                "id": 1,
                "op": "intersect",
                "a": {"type": "mesh", "path": os.path.join(folder, "cloth.obj")},
                "b": {"type": "mesh", "path": os.path.join(folder, "rock.obj")},
            }
        )[0]["hit"]

    words = viewer.words()
    (t,) = numbers(r"the first at t = ([\d.e-]+)", words["caption"][1])
    # the meshes are apart before, so bisection with the exact decision finds the first contact, too
    low, high = t - 0.02, t + 0.02
    assert not touch(low) and touch(high)
    for _ in range(24):
        mid = (low + high) / 2
        low, high = (low, mid) if touch(mid) else (mid, high)
    assert low - 1e-7 < t < high + 1e-7, "the window says %r, the meshes meet between %r and %r" % (t, low, high)

    now = t

    def compare():
        hit = touch(now)
        viewer.until(
            "%s at t = %.3f" % ("contacts" if hit else "no contact yet", now),
            lambda: abs(numbers(r"t = ([\d.]+):", viewer.words()["caption"][0])[0] - now) < 6e-4
            and viewer.title() == "Graze: Moving meshes: " + ("contacts so far" if hit else "no contact yet"),
        )
        past, all_of_them = numbers(r"t = [\d.]+: (\d+) of (\d+) contacts", viewer.words()["caption"][0])
        assert (past > 0) == hit and past <= all_of_them, viewer.words()
        viewer.settle()
        p = viewer.display.pixels()
        marks = p.count(HIT, 12, scene(p)) + p.count(BLUE, 12, scene(p))
        assert (marks > 20) == hit, "%d pixels of marks, %s" % (marks, hit)
        return past

    for key, n in (("Left", 1), ("Right", 2), ("Left", 2), ("Right", 2)):  # past the contact and back
        viewer.keys(*[key] * n)
        for _ in range(n):
            now += 0.01 if key == "Right" else -0.01
        few = compare()
    viewer.keys(*["Right"] * 20)
    now += 20 * 0.01
    assert compare() > few
    viewer.keys("f")
    viewer.until(
        "the first contact",
        lambda: numbers(r"t = [\d.]+: (\d+) of", viewer.words()["caption"][0])[0] >= 1
        and abs(numbers(r"t = ([\d.]+):", viewer.words()["caption"][0])[0] - t) < 6e-4,
    )


class Drifting:
    """The shapes of the demonstration, moved in the same way."""

    KINDS = [
        {"type": "box", "min": [-0.22, -0.16, -0.12], "max": [0.22, 0.16, 0.12]},
        {"type": "capsule", "a": [0, 0, -0.2], "b": [0, 0, 0.2], "radius": 0.12},
        {"type": "convex", "points": [[-0.2, -0.2, -0.15], [0.25, -0.1, -0.15], [0, 0.25, -0.15], [0, 0, 0.25]]},
    ]

    def __init__(self, count):
        self.half = 1.05 * count ** (1 / 3) * 0.5
        r = randoms(7)
        three = lambda: from_last(r)
        self.bodies = []
        for i in range(count):
            b = {"kind": i % 3, "at": mul(three(), self.half), "columns": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
            b["axis"] = unit(three())
            self.turn(b, 3 * next(r))
            b["v"] = mul(three(), 0.5)
            self.bodies.append(b)

    def turn(self, b, angle):
        c = [turned(x, b["axis"], angle) for x in b["columns"]]
        c[0] = unit(c[0])
        c[1] = unit(sub(c[1], mul(c[0], dot(c[0], c[1]))))
        c[2] = cross(c[0], c[1])
        b["columns"] = c

    def step(self, dt):
        for b in self.bodies:
            p = add(b["at"], mul(b["v"], dt))
            for k in range(3):
                if abs(p[k]) > self.half:
                    p[k] = max(-self.half, min(self.half, p[k]))
                    b["v"][k] = -b["v"][k]
            self.turn(b, dt)
            b["at"] = p

    def shapes(self):
        return [
            {**self.KINDS[b["kind"]], "pose": {"matrix": [b["columns"][j][i] for i in range(3) for j in range(3)], "translation": b["at"]}} for b in self.bodies
        ]

    def pairs(self, reach):
        """The number of touching pairs, and of further pairs nearer than `reach`, by brute force."""
        s = self.shapes()
        pairs = [(i, j) for i, j in itertools.combinations(range(len(s)), 2) if math.dist(self.bodies[i]["at"], self.bodies[j]["at"]) < 0.8 + reach]
        hit = sum(a["hit"] for a in query(*[{"id": i, "op": "intersect", "a": s[a], "b": s[b]} for i, (a, b) in enumerate(pairs)]))
        return hit, sum(a["hit"] for a in query(*[{"id": i, "op": "within", "a": s[a], "b": s[b], "distance": reach} for i, (a, b) in enumerate(pairs)])) - hit


def many_shapes_touch_as_the_library_says(viewer, folder):
    """Paused, with few and many shapes, step by step: the number of pairs equals brute force with `graze query`. Vermilion is visible exactly while some
    pairs touch, purple while some are near."""
    viewer.keys("space")
    verdicts, lines = set(), set()
    count = 700
    reach = 0.15000000596046448
    for keys, steps in (
        (["minus"] * 6 + ["F5"], 0),
        (["minus"] * 13, 0),
        (["Return"] * 16, 16),
        (["Return"] * 16, 16),
        (["Return"] * 16, 16),
        (["Return"] * 16, 16),
        (["equal"] * 8, 0),
    ):
        viewer.keys(*keys)
        before = count
        for k in keys:
            count = max(10, count * 4 // 5) if k == "minus" else min(4000, count * 5 // 4 + 1) if k == "equal" else count
        if count != before:
            drifting = Drifting(count)
        for _ in range(steps):
            drifting.step(1 / 60)
        touching, close = drifting.pairs(reach)
        says = "%d shapes, %d pairs: %d touch, %d more are nearer than 0.15" % (count, count * (count - 1) // 2, touching, close)
        viewer.until(says, lambda: viewer.words()["caption"][0] == says and viewer.title() == "Graze: Many shapes: %d pairs touch" % touching)
        viewer.settle()
        assert sees(viewer, HIT) == (touching > 0), "touching shapes: %d" % touching
        p = viewer.display.pixels()
        purple = p.count(NEAR, 8, scene(p)) > 0
        assert close > 0 or not purple, "a line of nearness where none is near"  # a short one may be hidden
        lines.add(purple)
        verdicts.add(touching > 0)
    assert verdicts == lines == {True, False}, (verdicts, lines)


def the_frustum_sees_what_the_library_says(viewer, folder):
    """At some angles: the numbers of boxes and cylinders inside, crossing and outside equal those of `graze query`, and each unobstructed one has its
    colour on the screen."""
    viewer.keys("space", "F5")
    angle, n = 0.4, 32
    shapes = []
    for i in range(n):
        for j in range(n):
            c = [i - (n - 1) / 2, j - (n - 1) / 2, 0.5 + 0.45 * math.sin(i * 0.7) * math.cos(j * 0.9)]
            half = [0.28] * 3 if (i + j) % 2 == 0 else [[0, 0, 0.35], [0.35, 0, 0], [0, 0.35, 0]][i % 3]
            shapes.append(
                (
                    c,
                    {"type": "box", "min": sub(c, half), "max": add(c, half)}
                    if (i + j) % 2 == 0
                    else {"type": "cylinder", "a": sub(c, half), "b": add(c, half), "radius": 0.22},
                    max(half[2], 0.22),
                )
            )
    eye = Eye(([-16, -16, 0], [16, 16, 1]), [0.1, -1, 0.85], (1280, 800))
    counts = set()
    for keys in ([], ["Left"] * 9, ["Left"] * 40, ["Right"] * 60):
        viewer.keys(*keys) if keys else None
        for k in keys:
            angle += 0.05 if k == "Left" else -0.05
        ahead = [math.cos(angle), math.sin(angle), -0.02]
        back = unit(mul(ahead, -1))
        right = unit(cross([0, 0, 1], back))
        top = cross(back, right)
        tan, aspect = 0.3499999940395355, 1.5
        corners = []
        for far in (0.6, n * 0.42):
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corners.append(add(add(add([0, 0, 0.6], mul(back, -far)), mul(right, x * far * tan * aspect)), mul(top, y * far * tan)))
        frustum = {"type": "frustum", "points": corners}
        sides = [a["side"] for a in query(*[{"id": i, "op": "classify", "a": shape, "b": frustum} for i, (_, shape, _) in enumerate(shapes)])]
        says = []
        for kind, name in (("box", "boxes"), ("cylinder", "cylinders")):
            own = [side for (_, shape, _), side in zip(shapes, sides) if shape["type"] == kind]
            says.append("512 %s: %d inside, %d crossing, %d outside" % (name, *(own.count(x) for x in ("inside", "crossing", "outside"))))
        viewer.until(str(says), lambda: viewer.words()["caption"] == says)
        counts.add(str(says))
        viewer.settle()
        p = viewer.display.pixels()
        wrong = 0
        for (c, _, height), side in zip(shapes, sides):
            x, y = eye.pixel(add(c, [0, 0, height]))  # the centre of its upper face
            r, g, b = p.at(round(x), round(y))
            seen = "inside" if b > r + 60 and g < b - 30 and r < 60 else "crossing" if r > b + 60 else "outside"
            wrong += seen != side
        assert wrong < 14, "%d shapes have another colour" % wrong  # some are hidden by the frustum's lines
    assert len(counts) > 2


def boxes_of_very_different_sizes(viewer, folder):
    """Paused, with few and many shapes: each older method finds the same pairs as brute force, with fewer comparisons; the cells of the selected method are
    visible, level by level."""
    viewer.keys("space", "F5")
    count, seen = 300, set()
    for keys in ([], ["minus"] * 6, ["equal"] * 12):
        viewer.keys(*keys, "F5") if keys else None
        for k in keys:
            count = max(10, count * 4 // 5) if k == "minus" else min(3000, count * 5 // 4 + 1)
        r, boxes = randoms(11), []
        for _ in range(count):
            size = 2.4 * 50.0 ** -math.sqrt(abs(next(r)))
            at = mul(from_last(r), 4 - size / 2)
            from_last(r)
            boxes.append((sub(at, [size / 2] * 3), add(at, [size / 2] * 3)))
        touching = sum(all(a[0][k] <= b[1][k] and b[0][k] <= a[1][k] for k in range(3)) for a, b in itertools.combinations(boxes, 2))
        says = "%d boxes, %d pairs; %d overlap according to the library's broad phase" % (count, count * (count - 1) // 2, touching)
        viewer.until(says, lambda: viewer.words()["caption"][0] == says)
        lines = viewer.words()["caption"][1:]
        assert len(lines) == 5, lines
        compared = {}
        for line in lines:
            m = re.fullmatch(r"(> )?([a-z -]+): (\d+) pairs compared, (\d+) found, the same", line)
            assert m and int(m.group(4)) == touching and touching <= int(m.group(3)) < count * (count - 1) // 2, line
            compared[m.group(2)] = int(m.group(3))
        assert compared["multi-resolution grid"] < compared["uniform grid"] / 3 and compared["loose octree"] < compared["octree"] / 3, compared
        seen.add(touching)
    assert len(seen) == 3
    viewer.keys("n")
    viewer.until("the octree", lambda: viewer.words()["title"] == "Very different sizes: octree" and viewer.words()["caption"][4].startswith("> octree"))
    viewer.settle()
    all_levels = viewer.display.pixels()
    viewer.keys("t")  # the root alone
    viewer.settle()
    root = viewer.display.pixels()
    dark, blue = [[p.count(c, 12, scene(p)) for p in (all_levels, root)] for c in (INK, BLUE)]  # lines of the levels 0 and 1
    assert all_levels.differs(root) > 100 and min(dark) > 50 and blue[0] > 50 and blue[1] == 0, "the root's cell is not seen alone: %s, %s" % (dark, blue)


def normals_turn_to_the_viewpoint(viewer, folder):
    """The number of triangles whose front faces the viewpoint, by the sign of a determinant computed here; the viewpoint is typed, moved by keys, and moved
    through the ground."""
    n, size = 10, 4.0
    v = [[size * (i / n - 0.5), size * (j / n - 0.5)] for j in range(n + 1) for i in range(n + 1)]
    v = [[x, y, 2 * (size * 0.04 * (math.sin(x * 6 / size) + math.cos(y * 6 / size * 1.3 + 1) + 0.5 * math.sin((x + y) * 6 / size * 2.1)))] for x, y in v]
    at = lambda x, y: y * (n + 1) + x
    faces = [t for j in range(n) for i in range(n) for t in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
    eye, seen = [-0.3, -0.4, 0.5], set()
    for keys, axis, by in (([], 0, 0), (["Down"] * 14, 2, -0.05), (["Down"] * 16, 2, -0.05), (["Left"] * 20, 0, -0.05), (["F4"] * 30, 1, 0.05)):
        viewer.keys(*keys) if keys else None
        for _ in keys:
            eye[axis] += by
        front = sum(dot(cross(sub(v[b], v[a]), sub(v[c], v[a])), sub(eye, v[a])) >= 0 for a, b, c in faces)
        says = "Normals: %d of 200 triangles face the viewpoint" % front
        viewer.until(says, lambda: viewer.words()["title"] == says)
        seen.add(front)
        viewer.settle()
        assert sees(viewer, (86, 180, 233)) == (front > 0) and sees(viewer, (230, 159, 0)) == (front < 200)
    assert len(seen) > 3, seen


if __name__ == "__main__":
    tests = [
        on_a_display("--demo", "grenade")(the_grenade_flies_as_simulate_says),
        on_a_display("--demo", "rays")(rays_hit_what_the_library_says),
        on_a_display("--demo", "moving-meshes")(moving_meshes_meet_when_the_library_says),
        on_a_display("--demo", "broad-phase", size=(900, 600))(many_shapes_touch_as_the_library_says),
        on_a_display("--demo", "frustum")(the_frustum_sees_what_the_library_says),
        on_a_display("--demo", "sizes")(boxes_of_very_different_sizes),
        on_a_display("--demo", "normals")(normals_turn_to_the_viewpoint),
    ]
    sys.exit(run_all([t for t in tests if len(sys.argv) == 1 or t.__name__ in sys.argv[1:]]))
