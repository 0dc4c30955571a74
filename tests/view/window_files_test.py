#!/usr/bin/env python3
"""graze view with files: models and scenes that a user names or drops, and files that it refuses."""
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import ROOT, Display, TETRAHEDRON, Viewer, bad_inputs, graze, need, obj, on_a_display, run_all, scene, sees

need("Xvfb", "xdotool")
HIT, ORANGE, SKY_BLUE = (213, 94, 0), (230, 159, 0), (86, 180, 233)


def sees_same(p, q):
    """Whether it is the same scene; ignores the panel, whose times differ."""
    x0, y0, x1, y1 = scene(p)
    return all(p.at(x, y) == q.at(x, y) for y in range(y0, y1, 5) for x in range(x0, x1, 5))


def verdict_title(a, b):
    """The title with two models: what `graze check` says of them, and their distance where they are apart."""
    lines = dict(line.split(": ", 1) for line in graze("check", a, b, code=None).stdout.splitlines() if ": " in line)
    verdict = lines["verdict"] + (" by %.6g" % float(lines["distance"]) if lines["verdict"] == "apart" else "")
    return "Graze: %s (A: %s, B: %s)" % (verdict, os.path.basename(a), os.path.basename(b))


def the_verdict_is_that_of_check(viewer, folder):
    """For solids and open surfaces, apart, touching, overlapping, one in the other; and while a model is dragged away from the other."""
    corners, faces = TETRAHEDRON
    large = [(4 * x - 0.5, 4 * y - 0.5, 4 * z - 0.5) for x, y, z in corners]
    a, seen = os.path.join(folder, "first.obj"), set()
    obj(a, corners, faces)
    for i, (vertices, triangles) in enumerate(
        [([(x + d, y, z) for x, y, z in corners], t) for d in (0, 0.3, 1, 1.5) for t in (faces, faces[:3])] + [(large, faces)]
    ):
        b = os.path.join(folder, "second%d.obj" % i)
        obj(b, vertices, triangles)
        viewer.drop(a, b)
        title = verdict_title(a, b)
        viewer.until(title, lambda: viewer.title() == title)
        seen.add(title.split(" (")[0])
    assert len(seen) == 6, seen
    b = os.path.join(folder, "dragged.obj")
    obj(b, [(x + 0.3, y, z) for x, y, z in corners], faces)
    viewer.drop(a, b)
    viewer.until("they overlap", lambda: viewer.title().startswith("Graze: the models overlap"))
    viewer.settle()
    p, d = viewer.display.pixels(), viewer.display
    x0, y0, x1, y1 = scene(p)
    orange = lambda x, y: p.at(x, y)[0] > 110 and p.at(x, y)[0] - p.at(x, y)[2] > 100 and p.at(x, y)[1] > 0.55 * p.at(x, y)[0]
    inside = lambda x, y: all(orange(x + i, y + j) for i in (-8, 0, 8) for j in (-8, 0, 8))
    x, y = min((x, y) for y in range(p.height // 4, p.height * 3 // 4, 3) for x in range(x0, x1 - 9, 3) if inside(x, y))
    d.do("mousemove", x, y, "mousedown", 1)
    for i in range(1, 30):
        d.do("mousemove", x + 12 * i, y + 6 * i)
    viewer.until("they are apart", lambda: viewer.title().startswith("Graze: apart by "))
    d.do("mousemove", x, y)
    viewer.until("they overlap again", lambda: viewer.title().startswith("Graze: the models overlap"))
    d.do("mouseup", 1)


def models_of_the_user(viewer, folder):
    viewer.until("the models are open", lambda: viewer.title() == verdict_title(*PAIR))
    viewer.settle()
    p = viewer.display.pixels()
    assert p.count(HIT, 40, scene(p)) > 30, "what touches is not seen"
    before = viewer.display.pixels()
    d = viewer.display
    viewer.keys("u")
    viewer.until("another axis points up", lambda: d.pixels().differs(before) > 500)
    viewer.keys("u", "u")
    viewer.until("the first axis points up again", lambda: sees_same(d.pixels(), before))
    viewer.settle()
    before = d.pixels()  # without the line that calls the axis a guess
    d.do("mousemove", 340, 700, "mousedown", 1)
    for i in range(1, 9):
        d.do("mousemove", 340 + 20 * i, 700 - 8 * i)
    d.do("mouseup", 1)
    viewer.until("the view turned", lambda: d.pixels().differs(before) > 1000)
    viewer.keys("Home")
    viewer.settle()
    assert d.pixels().differs(before) < 400, "Home does not bring the view back"
    viewer.keys("l", "l", "l")
    levels = lambda: [c for c in viewer.words()["caption"] if c.startswith("level ")]
    viewer.until("the hierarchy's levels", lambda: len(levels()) == 3)
    assert levels()[0] == "level 1, object spheres: 1 test, they meet, 16 pairs left" and viewer.words()["caption"][0].split()[0] == re.search(
        r"tests, (\d+) left: they intersect", levels()[2]
    ).group(1), levels()


def a_large_model_is_opened_beside_the_window():
    """430,000 triangles: the window appears before they are loaded, handles keys, rotates, and draws all of them when the view is at rest, transparent
    ones, too."""
    import math

    with tempfile.TemporaryDirectory() as folder:
        n = 465
        model = os.path.join(folder, "large.obj")
        with open(model, "w") as f:
            for j in range(n):
                f.writelines("v %d %d %.6f\n" % (i, j, 30 * math.sin(i * 0.03) * math.cos(j * 0.04)) for i in range(n))
            for j in range(n - 1):
                f.writelines("f %d %d %d\nf %d %d %d\n" % (a, a + 1, a + n + 1, a, a + n + 1, a + n) for a in range(j * n + 1, j * n + n))
        d = Display(900, 600)
        try:
            viewer = Viewer(d, model, cwd=folder)
            try:
                viewer.until("it is open", lambda: viewer.title() == "Graze: large.obj", 60)
                view = lambda: (lambda p: [p.at(x, y) for x in range(300, 880, 7) for y in range(60, 520, 7)])(d.pixels())
                d.do("mousemove", 250, 590)

                def rests():
                    last, same = None, 0
                    while same < 8:
                        now = view()
                        same = same + 1 if now == last else 0
                        last = now
                        time.sleep(0.25)
                    return last

                whole = rests()
                assert len(set(whole)) > 50
                d.do("mousemove", 300, 590, "mousedown", 1)
                for i in range(1, 20):
                    d.do("mousemove", 300 + 12 * i, 590)
                d.do("mouseup", 1)
                viewer.until("it has turned", lambda: sum(a != b for a, b in zip(view(), whole)) > 500)
                rests()
                viewer.keys("F5", "Home")  # the drag may have moved the model, or the view
                d.do("mousemove", 250, 590)
                viewer.until("it is drawn in full again", lambda: sum(a != b for a, b in zip(view(), whole)) < 20, 60)
                # close up and transparent: the edges of its triangles are visible, unlike in a coarse picture
                d.do("mousemove", 560, 590, "click", "--repeat", 20, "--delay", 5, 4, "mousemove", 250, 590)
                viewer.keys("g")
                rests()
                edges = view()
                viewer.keys("e")
                viewer.until("of glass it is drawn in full, too", lambda: sum(a != b for a, b in zip(edges, view())) > 150, 60)
            finally:
                viewer.close()
        finally:
            d.close()


GEARS = os.path.join(ROOT, "scenes", "gears.json")


def scenes_of_files(viewer, folder):
    """A scene from the command line plays, pauses, steps, and restarts."""
    d = viewer.display
    viewer.until("the scene is open", lambda: viewer.title() == "Graze: Many small bodies fall on a rock, bounce off, fly down, and start again")
    first = d.pixels()
    viewer.until("they fall", lambda: d.pixels().differs(first) > 200)
    viewer.keys("space")
    viewer.settle()
    still = d.pixels()
    viewer.keys("Return")
    viewer.until("one step", lambda: d.pixels().differs(still) > 20)
    viewer.settle()
    viewer.keys("r")
    viewer.until("the view from a body", lambda: d.pixels().differs(still) > 3000)
    viewer.keys("r", "Next")
    viewer.until("the demonstrations are still there", lambda: viewer.title().startswith("Graze: Two meshes"))


def gears_stop_where_simulate_says(viewer, folder):
    graze("simulate", GEARS, "--out", os.path.join(folder, "gears"))
    with open(os.path.join(folder, "gears", "hits.csv")) as f:
        assert ",stop," in f.read()
    viewer.until("the scene is open", lambda: viewer.title() == "Graze: Gears turn until their teeth touch")
    d = viewer.display
    viewer.keys("Return", "Return", "F5")  # a step pauses
    viewer.until("no contact at the start", lambda: (lambda p: p.count(HIT, 12, scene(p)) == 0)(d.pixels()))
    viewer.keys(*["Return"] * 59)
    viewer.settle()
    p = d.pixels()
    assert p.count(HIT, 12, scene(p)) == 0, "they touch before 1.19 s"
    viewer.keys("Return")
    viewer.until("the contact is shown", lambda: (lambda p: p.count(HIT, 12, scene(p)) > 10)(d.pixels()))
    viewer.settle()
    p = d.pixels()
    viewer.keys(*["Return"] * 5)
    viewer.settle()
    x0, y0, x1, y1 = scene(p)
    q = d.pixels()
    assert all(p.at(x, y) == q.at(x, y) for x in range(x0, x1, 5) for y in range(y0 + 60, y1 - 60, 5)), "they turn on after they have touched"


def events_come_in_their_order(viewer, folder):
    """After a long frame, all events are applied in their order: Home after a drag undoes it, Home before it does not; the same for keys between two drags,
    wheel, and widgets."""
    d = viewer.display
    d.do("mousemove", 340, 700)
    viewer.settle()
    whole = d.pixels()
    same = lambda: (lambda p: sum(p.at(x, y) != whole.at(x, y) for x in range(330, 1270, 9) for y in range(60, 640, 9)))(d.pixels())

    def drag():
        d.do("mousemove", 340, 700, "mousedown", 1, "mousemove", 520, 660, "mousemove", 600, 640, "mouseup", 1, "mousemove", 340, 700)

    for act, moved in (
        (lambda: (drag(), viewer.keys("Home")), False),
        (lambda: (viewer.keys("Home"), drag()), True),
        (lambda: (viewer.keys("Home")), False),
        (lambda: (drag(), viewer.keys("Home"), drag()), True),
        (lambda: (d.do("click", 4, "click", 4), drag(), viewer.keys("Home")), False),
        (lambda: (viewer.keys("Home"), d.do("click", 5, "click", 5)), True),
        (lambda: (viewer.keys("Home"), d.do("mousedown", 3, "mousemove", 480, 600, "mouseup", 3, "mousemove", 340, 700)), True),
        (lambda: (d.do("mousedown", 3, "mousemove", 480, 600, "mouseup", 3, "mousemove", 340, 700), viewer.keys("Home")), False),
    ):
        with viewer.a_long_frame():
            act()
        viewer.settle()
        assert (same() > 200) == moved and (moved or same() < 20), "%d pixels differ" % same()
    # a shape is dragged in the same long frame in which a key switches to another demonstration, before or after
    viewer.keys("Next", "Prior")
    viewer.settle()
    title = viewer.title()
    with viewer.a_long_frame():
        drag()
        viewer.keys("Next", "Prior")
    viewer.settle()
    assert viewer.title() == title and same() < 20, "what was dragged before the demonstration changed still moves it: %d" % same()
    # a widget (the list of demonstrations) between keys
    names = [line.split()[0] for line in graze("render", "--list").stdout.splitlines() if not line.startswith(" ")]
    viewer.keys("Next")
    viewer.until("another one", lambda: viewer.words()["demo"] != names[2])
    row = next(y for y in range(70, 100, 7) if (d.do("mousemove", 100, y, "click", 1), viewer.settle(2)) and viewer.words()["demo"] == names[2])
    click = lambda: d.do("mousemove", 100, row, "mousedown", 1, "mouseup", 1, "mousemove", 700, 400)
    for act, shown in (
        (lambda: (click(), viewer.keys("Next")), 3),
        (lambda: (viewer.keys("Next"), click()), 2),
        (lambda: (click(), viewer.keys("Next", "Next"), click(), viewer.keys("Prior")), 1),
    ):
        with viewer.a_long_frame():
            act()
        viewer.until("demonstration %d" % shown, lambda: viewer.words()["demo"] == names[shown])


def a_drop_opens_files(viewer, folder):
    """A real drop: the model appears. A file that cannot be read causes a message and changes nothing else."""
    d = viewer.display
    model, other = os.path.join(folder, "one of them.obj"), os.path.join(folder, "b.obj")
    obj(model, *TETRAHEDRON)
    obj(other, [(x + 3, y, z) for x, y, z in TETRAHEDRON[0]], TETRAHEDRON[1])
    d.do("mousemove", 340, 700)
    viewer.drop(model)
    viewer.until("the model is open", lambda: viewer.title() == "Graze: one of them.obj" and viewer.words()["opening"] == "")
    viewer.settle()
    assert sees(viewer, SKY_BLUE), "the model is not seen"
    viewer.drop(model, other)
    title = verdict_title(model, other)
    viewer.until("both are open", lambda: viewer.title() == title)
    viewer.settle()
    assert sees(viewer, SKY_BLUE) and sees(viewer, ORANGE), "not both are seen"
    before = d.pixels()
    panel = lambda p: sum(r > 130 and r - g > 60 and r - b > 90 for r, g, b in (p.at(x, y) for y in range(250, p.height) for x in range(300)))
    assert viewer.words()["message"] == "" and panel(before) == 0
    for file, words in bad_inputs(folder)[::3]:  # render_test.py tests all of them
        viewer.drop(file)
        viewer.until("the complaint about " + file, lambda: words in viewer.words()["message"] and os.path.basename(file) in viewer.words()["message"])
        viewer.settle()
        p = d.pixels()
        assert panel(p) > 60, "the complaint is not seen"
        assert viewer.title() == title and all(
            p.at(x, y) == before.at(x, y) for x in range(302, p.width, 5) for y in range(0, p.height, 5)
        ), "the picture has changed"
    viewer.drop(os.path.join(ROOT, "scenes", "gears.json"))
    viewer.until("the scene is open", lambda: viewer.title() == "Graze: Gears turn until their teeth touch" and viewer.words()["message"] == "")


def wrong_files_are_complained_about():
    with tempfile.TemporaryDirectory() as folder:
        broken = os.path.join(folder, "broken.json")
        with open(broken, "w") as f:
            f.write('{"bodies": [{"shape": {"type": "sphere", "center": [0,0,0], "radius": -1}}]}')
        display = Display(640, 480)
        try:
            for arguments, words in (
                (["view", broken], "radius"),
                (["view", os.path.join(folder, "none.obj")], "none.obj"),
                (["view", GEARS, broken], "together with other files"),
            ):
                r = graze(*arguments, code=3, env={"DISPLAY": display.name})
                assert words in r.stderr, r.stderr
            for file, words in bad_inputs(folder)[1::3]:
                r = graze("view", file, code=3, env={"DISPLAY": display.name})
                assert words in r.stderr and os.path.basename(file) in r.stderr and r.stdout == "", (file, r.stderr)
        finally:
            display.close()


if __name__ == "__main__":
    pair = tempfile.mkdtemp()
    PAIR = os.path.join(pair, "a.obj"), os.path.join(pair, "b.obj")
    obj(PAIR[0], *TETRAHEDRON)
    obj(PAIR[1], [(x + 0.25, y + 0.1, z + 0.1) for x, y, z in TETRAHEDRON[0]], TETRAHEDRON[1])
    tests = [
        on_a_display(*PAIR)(models_of_the_user),
        on_a_display("--demo", "shot")(the_verdict_is_that_of_check),
        on_a_display(os.path.join(ROOT, "scenes", "stones.json"))(scenes_of_files),
        on_a_display("gears")(gears_stop_where_simulate_says),
        on_a_display("--demo", "two-meshes")(events_come_in_their_order),
        on_a_display("--demo", "shot")(a_drop_opens_files),
        wrong_files_are_complained_about,
        a_large_model_is_opened_beside_the_window,
    ]
    sys.exit(run_all([t for t in tests if len(sys.argv) == 1 or t.__name__ in sys.argv[1:]]))
