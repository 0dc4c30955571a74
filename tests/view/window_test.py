#!/usr/bin/env python3
"""graze view on a virtual display: sends keys and mouse events and compares the screen with the library's answers."""
import os
import re
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import graze, need, on_a_display, query, read_png, run_all, scene, sees

need("Xvfb", "xdotool")
GREEN, VIOLET, HIT, DISTANCE = (0, 255, 0), (255, 0, 255), (213, 94, 0), (204, 121, 167)
LESSON = {"type": "triangle", "points": [[-1, 0, 0], [1, 0, 0], [0, 1, 0]]}


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def sphere_polygon_shows_the_answer(viewer, folder):
    """S8: past the contact in both directions with each key."""
    at = {"x": single(0), "y": single(0.5), "z": single(0)}
    step = single(0.01)
    axes = {"Up": ("y", 1), "Down": ("y", -1), "Left": ("x", -1), "Right": ("x", 1), "F3": ("z", -1), "F4": ("z", 1)}

    def press(key, n=1):
        axis, sign = axes[key]
        viewer.keys(*[key] * n)
        for _ in range(n):
            at[axis] = single(at[axis] + sign * step)

    def answer():
        return query({"id": 1, "op": "intersect", "a": {"type": "sphere", "center": [at["x"], at["y"], at["z"]], "radius": single(0.1)}, "b": LESSON})[0]["hit"]

    def compare(expected=None):
        touch = answer()
        assert expected is None or touch == expected, "the library says %s at %s" % (touch, at)
        seen = lambda: (lambda p: (p.count(GREEN, 0, scene(p)) > 20, p.count(VIOLET, 0, scene(p)) > 20))(viewer.display.pixels())
        viewer.until("the sphere %s at %s" % ("green" if touch else "violet", at), lambda: seen() == (touch, not touch))

    def steps_to_apart(key):
        axis, sign = axes[key]
        places, p = [], dict(at)
        for _ in range(100):
            p[axis] = single(p[axis] + sign * step)
            places.append([p["x"], p["y"], p["z"]])
        answers = query(*[{"id": i, "op": "intersect", "a": {"type": "sphere", "center": c, "radius": single(0.1)}, "b": LESSON} for i, c in enumerate(places)])
        return [a["hit"] for a in answers].index(False) + 1

    compare(True)
    press("Up", 60)
    compare(True)
    press("Up")
    compare(False)
    press("Down")
    compare(True)  # and back past the contact
    press("Up")
    compare(False)
    viewer.keys("F5")
    at.update(x=single(0), y=single(0.5), z=single(0))
    compare(True)
    for key, back in (("F4", "F3"), ("F3", "F4"), ("Right", "Left"), ("Left", "Right"), ("Down", "Up")):
        n = steps_to_apart(key)
        assert n in range(5, 100)
        press(key, n - 1)
        compare(True)
        press(key)
        compare(False)
        press(back)
        compare(True)
        press(key)
        compare(False)
        viewer.keys("F5")
        at.update(x=single(0), y=single(0.5), z=single(0))
    compare(True)
    before = viewer.display.pixels()
    viewer.keys(*["F2"] * 20)  # 40 degrees: the triangle is no longer seen edge-on
    viewer.until("the scene turned", lambda: viewer.display.pixels().differs(before) > 500)
    viewer.keys("Escape")
    viewer.process.wait(10)
    assert viewer.process.returncode == 0


def primitives_show_the_answer(viewer, folder):
    d = viewer.display
    viewer.until("apart at first", lambda: viewer.title().endswith(": apart"))
    viewer.settle()
    p = d.pixels()
    assert p.count(DISTANCE, 0, scene(p)) > 50 and p.count(HIT, 0, scene(p)) == 0
    viewer.keys("c")
    viewer.until("brought to contact", lambda: viewer.title().endswith(": they touch"))
    viewer.settle()
    p = d.pixels()
    assert p.count(HIT, 40, scene(p)) > 10, "the contact is not seen"
    for _ in range(3):  # a single ulp either way
        viewer.keys("minus")
        viewer.until("apart one ulp further", lambda: viewer.title().endswith(": apart"))
        viewer.keys("equal")
        viewer.until("touching one ulp back", lambda: viewer.title().endswith(": they touch"))
    # the mouse: drag A away from B
    viewer.settle()
    p = d.pixels()
    places = [
        (x, y) for x in range(320, 1100, 6) for y in range(100, 650, 6) if p.at(x, y)[0] > 40 and p.at(x, y)[2] > p.at(x, y)[0] + 60
    ]  # of A, not of a handle
    x, y = places[len(places) // 2]
    d.do("mousemove", x, y, "mousedown", 1)
    for i in range(1, 11):
        d.do("mousemove", x - 12 * i, y)
    d.do("mouseup", 1)
    viewer.until("dragged apart", lambda: viewer.title().endswith(": apart"))
    for _ in range(20):  # other kinds
        before = viewer.title()
        viewer.keys("n")
        viewer.until("the next shape", lambda: viewer.title() != before)
        assert re.match(r"Graze: .* and convex hull: (apart|they touch)$", viewer.title()), viewer.title()


FRAME_A, FRAME_B, AXES = (0, 114, 178), (140, 84, 0), {"x": (140, 84, 0), "y": (0, 158, 115), "z": (0, 114, 178)}


def extent(p, color, hue=False, before=None):
    """Bounds on the screen of the pixels that have that colour (and did not before), or that hue in any light: x0, y0, x1, y1."""
    total, found = sum(color), []
    x0, y0, x1, y1 = scene(p)
    for y in range(y0, y1, 2):
        for x in range(x0, x1, 2):
            c = p.at(x, y)
            s = sum(c)
            if (
                s > 120 and all(abs(c[k] / s - color[k] / total) < 0.03 for k in range(3))
                if hue
                else all(abs(c[k] - color[k]) < 12 for k in range(3)) and (before is None or before.at(x, y) != c)
            ):
                found.append((x, y))
    assert found, "nothing of the colour %s" % (color,)
    return min(x for x, y in found), min(y for x, y in found), max(x for x, y in found), max(y for x, y in found)


def tree_boxes_by_level(viewer, folder):
    """The boxes of level 0 surround their meshes on the screen; each level has more lines; after the leaves there are none."""
    viewer.keys(*["Up"] * 60)  # apart: nothing hides anything
    viewer.until("apart", lambda: viewer.title().startswith("Graze: Two meshes: apart by "))
    viewer.settle()
    none = viewer.display.pixels()
    assert none.count(FRAME_A, 12, scene(none)) < 5, "boxes before they are asked for"
    viewer.keys("0")
    viewer.settle()
    p = viewer.display.pixels()
    for frame, color in ((FRAME_A, (86, 180, 233)), (FRAME_B, (230, 159, 0))):
        outer, inner = extent(p, frame, before=none), extent(none, color, True)
        assert (
            outer[0] <= inner[0] + 2 and outer[1] <= inner[1] + 2 and outer[2] >= inner[2] - 2 and outer[3] >= inner[3] - 2
        ), "the box %s does not surround the mesh %s" % (outer, inner)
    last = p.count(FRAME_A, 12, scene(p))
    for level in (1, 2, 3):
        viewer.keys("t")
        viewer.settle()
        p = viewer.display.pixels()
        now = p.count(FRAME_A, 40, scene(p))
        assert now > last, "level %d shows no more lines than the one before: %d, %d" % (level, now, last)
        last = now
    viewer.keys("9")  # the leaves
    viewer.settle()
    viewer.keys("t")
    viewer.settle()
    viewer.until("no boxes after the leaves", lambda: viewer.display.pixels().differs(none) < 60)


def middle_of(p, color):
    """The pixels of that colour at the left, where A is, and their bounds."""
    x0, y0, x1, y1 = scene(p)
    found = [(x, y) for y in range(y0, y1, 2) for x in range(x0, min(x1, 740), 2) if all(abs(c - w) < 5 for c, w in zip(p.at(x, y), color))]
    assert len(found) > 5, "nothing of the colour %s" % (color,)
    return sum(x for x, y in found) / len(found), sum(y for x, y in found) / len(found), found


def handles_move_and_turn(viewer, folder):
    """An arrow moves its shape along its axis only, however the mouse strays from it; a ring rotates the shape in place."""
    d = viewer.display

    def pull(x, y, dx, dy):
        d.do("mousemove", x, y)
        viewer.settle(2)
        d.do("mousedown", 1)
        for i in range(1, 11):
            d.do("mousemove", x + dx * i // 10, y + dy * i // 10)
        d.do("mouseup", 1)
        d.do("mousemove", 400, 690)
        viewer.settle()

    d.do("mousemove", 400, 690)
    viewer.settle()
    p = d.pixels()
    zx, zy, z = middle_of(p, AXES["z"])
    tip = min(z, key=lambda q: q[1])  # the arrow of z points upwards
    x, y = tip[0], tip[1] + 16
    pull(x, y, 90, -80)
    after = middle_of(d.pixels(), AXES["z"])
    assert zy - after[1] > 40, "the arrow of z does not lift: %g" % (zy - after[1])
    assert abs(after[0] - zx) < 25, "the arrow of z moves sideways by %g" % (after[0] - zx)
    p = d.pixels()
    xs = middle_of(p, AXES["x"])[2]
    right = max(xs, key=lambda q: q[0])
    pull(right[0] - 8, right[1] - 1, -120, 60)  # away from B, and downwards, which has no effect
    q = d.pixels()
    moved = max(middle_of(q, AXES["x"])[2], key=lambda r: r[0])
    assert right[0] - moved[0] > 60 and abs(moved[1] - right[1]) < 0.4 * (right[0] - moved[0]), "the arrow of x: from %s to %s" % (right, moved)
    assert viewer.title().endswith(": apart")
    before = d.pixels()
    ring = middle_of(before, AXES["z"])[2]
    tip = min(ring, key=lambda r: r[1])
    left = min(ring, key=lambda r: r[0])  # the ring about z lies flat
    pull(left[0], left[1], 60, 40)
    turned = d.pixels()
    assert turned.differs(before) > 150, "the ring about z does not turn"
    now = min(middle_of(turned, AXES["z"])[2], key=lambda r: r[1])
    assert abs(now[0] - tip[0]) < 4 and abs(now[1] - tip[1]) < 4, "turning moves the shape: %s, %s" % (tip, now)
    viewer.keys("m")
    viewer.settle()
    p = d.pixels()
    assert p.count(AXES["y"], 10, scene(p)) == 0, "the handles stay"


def two_meshes_show_the_answer(viewer, folder):
    viewer.until("intersecting at first", lambda: viewer.title() == "Graze: Two meshes: the models overlap; the surfaces cross")
    viewer.settle()
    p = viewer.display.pixels()
    assert p.count(HIT, 25, scene(p)) > 30
    viewer.keys(*["Up"] * 60)
    viewer.until("apart", lambda: viewer.title().startswith("Graze: Two meshes: apart by "))
    viewer.settle()
    p = viewer.display.pixels()
    assert p.count(DISTANCE, 0, scene(p)) > 30 and p.count(HIT, 0, scene(p)) == 0
    viewer.keys(*["Down"] * 60)
    viewer.until("intersecting again", lambda: viewer.title() == "Graze: Two meshes: the models overlap; the surfaces cross")


def the_levels_of_two_meshes(viewer, folder):
    """Object spheres, triangle spheres, triangles: the numbers tested and left at each level, at any pose; the first level that separates ends the test."""
    numbers = lambda pattern, text: [int(g) for g in re.fullmatch(pattern, text).groups()]
    caption = lambda: [c for c in viewer.words()["caption"] if c.startswith("level ")]
    viewer.keys("l")
    viewer.until("level 1", lambda: len(caption()) == 1)
    assert caption()[0] == "level 1, object spheres: 1 test, they meet, 18350080 pairs left", caption()
    viewer.settle()
    p = viewer.display.pixels()
    assert p.count(FRAME_A, 40, scene(p)) > 100 and p.count(FRAME_B, 40, scene(p)) > 100, "the objects' spheres and boxes are not seen"
    viewer.keys("l")
    viewer.until("level 2", lambda: len(caption()) == 2)
    tests, left = numbers(r"level 2, triangle spheres: (\d+) tests, (\d+) left", caption()[1])
    assert 18350080 > tests > left > 294, caption()
    viewer.settle()
    q = viewer.display.pixels()
    assert q.differs(p) > 200, "the triangles' volumes are not seen"
    viewer.keys("l")
    viewer.until("level 3", lambda: len(caption()) == 3)
    tests3, hits = numbers(r"level 3, triangles: (\d+) tests, (\d+) left: they intersect", caption()[2])
    assert tests3 == left and viewer.words()["caption"][0].startswith("%d of 18350080 pairs" % hits), viewer.words()
    viewer.keys(*["Up"] * 52)  # the object spheres still meet; no triangle spheres do
    viewer.until(
        "level 2 separates",
        lambda: len(caption()) == 3 and caption()[1].endswith(", 0 left: it stops here") and caption()[2] == "level 3, triangles: not needed",
    )
    viewer.keys(*["Right"] * 120)
    viewer.until(
        "level 1 separates",
        lambda: caption()
        == ["level 1, object spheres: 1 test, apart: it stops here", "level 2, triangle spheres: not needed", "level 3, triangles: not needed"],
    )
    viewer.keys("F5", "l", "k")
    viewer.until(
        "none again, corners",
        lambda: not caption() and "box of A: corner A (-1.38, -1.38, -0.38), corner G (1.38, 1.38, 0.38), centre (0, 0, 0)" in viewer.words()["caption"],
    )


def fields(p):
    """The white fields of the panel, row by row: lists of (x0, x1, y) through their centres."""
    rows, first = [], -99  # in the current row
    for y in range(40, p.height - 4):
        runs, x = [], 4
        while x < 290:
            start = x
            while x < 290 and p.at(x, y) == (255, 255, 255):
                x += 1
            if x - start > 40:
                runs.append((start, x))
            x += 1
        if runs and y - first > 20:
            rows.append([(a, b, y + 9) for a, b in runs])
            first = y
    return rows


def numbers_are_typed(viewer, folder):
    """Every coordinate of both shapes can be typed; invalid numbers or shapes change nothing; Escape leaves the field, then closes a list, then the
    window."""
    d = viewer.display
    caption = lambda: viewer.words()["caption"]

    def type_into(field, text, end="Return"):
        x0, x1, y = field
        d.do("mousemove", (x0 + x1) // 2, y, "click", 1)
        viewer.settle(2)
        d.do("key", "ctrl+a")
        if text:
            d.do("type", "--delay", "5", "--", text)
        else:
            d.do("key", "BackSpace")
        d.do("key", end)
        viewer.settle(2)

    viewer.until("the preset", lambda: viewer.title() == "Graze: Sphere and sphere: they touch" and caption()[0] == "P8 sphere and sphere")
    viewer.settle()
    three = [r for r in fields(d.pixels()) if len(r) == 3]
    assert len(three) >= 3, fields(d.pixels())
    center_a, moved_a, center_b = three[:3]
    type_into(center_b[0], "0.75000000000000011")  # the next double
    viewer.until("apart by an ulp", lambda: viewer.title().endswith(": apart") and caption()[1] == "distance 1.1102230246251565e-16")
    type_into(center_b[0], "0.75")
    viewer.until("touching again", lambda: viewer.title().endswith(": they touch"))
    type_into(moved_a[2], "-3.5")
    viewer.until("moved down", lambda: caption()[-1] == "A moved by (0, 0, -3.5)" and viewer.title().endswith(": apart"))
    type_into(center_a[2], "3.5")
    viewer.until("the numbers add up", lambda: viewer.title().endswith(": they touch"))
    for nonsense in ("abc", "1e999", "--4", ""):
        type_into(center_a[1], nonsense)
        assert viewer.title().endswith(": they touch"), nonsense
    radius = [r for r in fields(d.pixels()) if len(r) == 1 and r[0][2] > center_a[0][2]][0]
    type_into(radius[0], "-1")  # no sphere
    assert viewer.title().endswith(": they touch")
    type_into(radius[0], "0.125")
    viewer.until("smaller", lambda: viewer.title().endswith(": apart") and caption()[1] == "distance 0.125")
    type_into(radius[0], "7", end="Escape")
    assert viewer.process.poll() is None and caption()[1] == "distance 0.125", "Escape in a field is not for the field alone"
    x0, x1, y = fields(d.pixels())[0][0]  # the list of example scenes
    before = d.pixels()
    d.do("mousemove", (x0 + x1) // 2, y, "click", 1)
    viewer.until("the list opens", lambda: d.pixels().differs(before) > 300)
    viewer.settle()
    opened = d.pixels()
    viewer.keys("Escape")
    viewer.until("the list closes", lambda: d.pixels().differs(opened) > 300)
    assert viewer.process.poll() is None, "Escape closed the window instead of the list"
    viewer.keys("Escape")
    viewer.process.wait(10)
    assert viewer.process.returncode == 0


def concave_and_bent_polygons(viewer, folder):
    """The verdict of each polygon, at the radius set by keys, is that of the same triangles in `graze query`; the plane's equation is that of its `plane`."""
    corners = {
        "concave": [[-0.75, -0.25, 0], [0.75, -0.25, 0], [-0.375, 0.125, 0], [-0.75, 1.25, 0]],
        "bent": [[-0.75, -0.25, 0], [0.75, -0.25, 0], [0.75, 1.25, 0], [-0.75, 1.25, 0.75]],
    }
    triangles = {"concave": [(0, 1, 2), (0, 2, 3)], "bent": [(0, 1, 2), (0, 2, 3)]}
    seen = set()
    for name, steps in (("concave", 0), ("bent", 2)):
        viewer.keys("F5", *["n"] * steps)
        radius, y = single(0.1), single(0.5)
        for keys in ([], ["equal"] * 12, ["equal"] * 12, ["Up"] * 40, ["minus"] * 20, ["Down"] * 85):
            viewer.keys(*keys) if keys else None
            for k in keys:
                radius, y = (
                    (radius + 0.01, y)
                    if k == "equal"
                    else (max(0.0, radius - 0.01), y)
                    if k == "minus"
                    else (radius, single(y + (single(0.01) if k == "Up" else -single(0.01))))
                )
            ball = {"type": "sphere", "center": [0, y, 0], "radius": radius}
            touch = any(
                a["hit"]
                for a in query(
                    *[
                        {"id": i, "op": "intersect", "a": ball, "b": {"type": "triangle", "points": [corners[name][k] for k in t]}}
                        for i, t in enumerate(triangles[name])
                    ]
                )
            )
            viewer.until(
                "%s %s" % (name, touch),
                lambda: viewer.title() == "Graze: Sphere and polygon: " + ("touches" if touch else "does not touch")
                and repr(radius) in viewer.words()["caption"][2],
            )
            step = viewer.words()["caption"][3]
            assert touch != ("none comes within" in step or "wholly on one side" in step), (name, touch, step)
            seen.add((name, touch))
    assert len(seen) == 4, seen
    assert viewer.words()["caption"][4] == "the plane A x + B y + C z + D = 0: 1.125 x - 1.125 y + 4.5 z + 0.5625 = 0", viewer.words()
    assert query({"id": 1, "op": "plane", "a": {"type": "polygon", "points": corners["bent"]}})[0]["plane"] == [1.125, -1.125, 4.5, 0.5625]


def the_first_sight_is_a_contact(viewer, folder):
    viewer.until(
        "two meshes that intersect",
        lambda: viewer.title() == "Graze: Two meshes: the models overlap; the surfaces cross" and viewer.words()["demo"] == "two-meshes",
    )


def every_demonstration_opens(viewer, folder):
    names = [line.split()[0] for line in graze("render", "--list").stdout.splitlines() if not line.startswith(" ")]
    seen = set()
    for _ in names:
        viewer.settle(4)
        p = viewer.display.pixels()
        assert len({p.at(x, y) for x in range(330, 1270, 13) for y in range(60, 700, 13)}) > 5, "nothing is to be seen: " + viewer.title()
        seen.add(viewer.title())
        before = viewer.title()
        viewer.keys("Next")
        viewer.until("the next demonstration", lambda: viewer.title() != before)
    assert len(seen) == len(names), seen
    viewer.keys("h")
    viewer.settle(4)
    help_seen = viewer.display.pixels()
    viewer.keys("h")
    viewer.settle(4)
    assert viewer.display.pixels().differs(help_seen) > 2000, "no help is shown"
    viewer.keys("F11")
    viewer.until("a picture is written", lambda: [f for f in os.listdir(folder) if f.endswith(".png")])
    viewer.settle(3)
    p = read_png(os.path.join(folder, [f for f in os.listdir(folder) if f.endswith(".png")][0]))
    assert p.width > 800 and p.height == 800


ORANGE, BLUE, SKY_BLUE = (230, 159, 0), (0, 114, 178), (86, 180, 233)


def sweeps_show_the_answer(viewer, folder):
    viewer.until("a contact at first", lambda: viewer.title() == "Graze: A capsule meets the rock")
    viewer.until("where it is stopped is seen", lambda: sees(viewer, ORANGE))
    viewer.keys(*["Up"] * 120)  # six lengths higher: above everything
    viewer.until("no contact", lambda: viewer.title() == "Graze: A capsule meets nothing")
    viewer.until("nothing is stopped", lambda: not sees(viewer, ORANGE))
    viewer.keys(*["Down"] * 120)
    viewer.until("a contact again", lambda: viewer.title() == "Graze: A capsule meets the rock" and sees(viewer, ORANGE))
    viewer.keys("n")
    viewer.until("another shape", lambda: viewer.title().startswith("Graze: A sphere meets"))


def shots_show_the_answer(viewer, folder):
    seen = set()
    for _ in range(40):
        title = viewer.title()
        if title not in seen:
            seen.add(title)
            at_target = not title.endswith(("ground", "nothing"))
            viewer.until("a target in orange exactly while it is hit", lambda: sees(viewer, ORANGE) == at_target)
            viewer.keys("space")
        viewer.keys(*["Right"] * 3)
        viewer.settle(1)
        if len(seen) > 3:
            break
    assert any(t.endswith("ground") for t in seen) or any("capsule" in t or "box" in t or "sphere" in t for t in seen), seen
    assert len(seen) > 1, seen


def walking_never_enters_a_wall(viewer, folder):
    viewer.keys("v")
    viewer.until("the walker is seen", lambda: sees(viewer, ORANGE))
    before = viewer.display.pixels()
    for keys in (["Up"] * 50, ["Left"] * 12 + ["Up"] * 50, ["d"] * 40, ["Right"] * 30 + ["Up"] * 60):
        viewer.keys(*keys)
        viewer.until("it has not entered a wall", lambda: viewer.title() == "Graze: Walk: never in a wall")
    viewer.until("it has moved", lambda: viewer.display.pixels().differs(before) > 300)
    assert "never in a wall" in viewer.title()


def stones_pause_and_step(viewer, folder):
    d = viewer.display
    first = d.pixels()
    viewer.until("they fall", lambda: d.pixels().differs(first) > 100)
    viewer.keys("space")
    viewer.settle()
    still = d.pixels()
    time.sleep(0.5)
    assert d.pixels().differs(still) < 30, "they fall in a pause"
    viewer.keys("Return")
    viewer.until("one step", lambda: d.pixels().differs(still) > 20)
    viewer.settle()
    viewer.keys("r")
    viewer.until("the view from a stone", lambda: d.pixels().differs(still) > 3000)


if __name__ == "__main__":
    tests = [
        on_a_display("--demo", "sphere-polygon")(sphere_polygon_shows_the_answer),
        on_a_display("--demo", "primitives")(primitives_show_the_answer),
        on_a_display("--demo", "two-meshes")(two_meshes_show_the_answer),
        on_a_display("--demo", "primitives")(handles_move_and_turn),
        on_a_display("--demo", "two-meshes")(tree_boxes_by_level),
        on_a_display("--demo", "sweeps")(sweeps_show_the_answer),
        on_a_display("--demo", "shot")(shots_show_the_answer),
        on_a_display("--demo", "walk")(walking_never_enters_a_wall),
        on_a_display("--demo", "stones", size=(900, 600))(stones_pause_and_step),
        on_a_display()(every_demonstration_opens),
        on_a_display()(the_first_sight_is_a_contact),
        on_a_display("--demo", "two-meshes")(the_levels_of_two_meshes),
        on_a_display("--demo", "primitives", "--preset", "p8-sphere-sphere")(numbers_are_typed),
        on_a_display("--demo", "sphere-polygon", "--preset", "concave")(concave_and_bent_polygons),
    ]
    sys.exit(run_all([t for t in tests if len(sys.argv) == 1 or t.__name__ in sys.argv[1:]]))
