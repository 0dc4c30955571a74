#!/usr/bin/env python3
"""graze render, gallery and the picture of check: the content of the pictures, and the messages when they cannot be drawn."""
import json
import math
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import ROOT, SKIPPED, TETRAHEDRON, bad_inputs, boxes, gltf, graze, obj, query, read_png, run_all

FOLDER = tempfile.TemporaryDirectory()
HIT, DISTANCE, PAPER = (213, 94, 0), (204, 121, 167), (247, 247, 245)

SCENES = os.path.join(ROOT, "scenes")


def path(name):
    return os.path.join(FOLDER.name, name)


def middle(p):
    """The picture without its text: title, legend, caption."""
    return (0, p.height // 6, p.width * 3 // 4, p.height * 5 // 6)


def a_model_fills_its_picture():
    obj(path("t.obj"), *TETRAHEDRON)
    graze("render", path("t.obj"), "-o", path("t.png"), "--size", "320x200")
    p = read_png(path("t.png"))
    assert (p.width, p.height) == (320, 200)
    seen = p.width * p.height - p.count(PAPER)
    assert 0.08 < seen / (p.width * p.height) < 0.9, "the model covers %d pixels" % seen
    assert p.at(0, 100) == PAPER and p.at(319, 100) == PAPER, "cut off at a side"


def a_check_shows_what_touches():
    obj(path("a.obj"), *TETRAHEDRON)
    for shift, touch in ((0.3, True), (1.0, True), (math.nextafter(1.0, 2), False), (1.5, False)):
        obj(path("b.obj"), [(x + shift, y, z) for x, y, z in TETRAHEDRON[0]], TETRAHEDRON[1])
        graze("check", path("a.obj"), path("b.obj"), "--picture", path("c.png"), "--size", "640x400", code=1 if touch else 0)
        p = read_png(path("c.png"))
        hit, distance = p.count(HIT, 6, middle(p)), p.count(DISTANCE, 6, middle(p))
        assert (hit > 15) == touch, "shift %r: %d pixels of the colour for contact" % (shift, hit)
        assert touch or shift < 1.1 or distance > 30, "shift %r: %d pixels of the line between nearest points" % (shift, distance)
        assert not (touch and distance), "a distance is drawn although they touch"


def hues(p, contact_too):
    """The pixels of A, of B and of the contact, in any light and behind glass: blue, orange, vermilion. Without title, legend and caption."""
    a = b = contact = 0
    for y in range(p.height):
        for x in range(p.width * 35 // 100 if 5 * y < p.height or 5 * y > 4 * p.height else 0, p.width * 4 // 5 if 5 * y < p.height else p.width):
            red, green, blue = p.at(x, y)
            if blue - red > 25:
                a += 1
            elif contact_too and green < 0.66 * red and red - blue > 45:
                contact += 1
            elif red - blue > 25:
                b += 1
    return a, b, contact


def a_check_shows_what_it_is_about():
    """Wherever B is, and wherever the contact is, both can be seen: B in A, A in B, far smaller ones, contacts that A hides from every side or from the front."""
    cube = ((-1, -1, -1), (1, 1, 1))
    ring = (((-2, -1, -2), (2, 1, -1)), ((-2, -1, 1), (2, 1, 2)), ((-2, -1, -1), (-1, 1, 1)), ((1, -1, -1), (2, 1, 1)))
    near, least, few = 1e-3, 250, 60
    for name, a, b, contact in (
        ("B in A", [cube], [((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))], False),
        ("A in B", [((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))], [cube], False),
        ("B in A, at its side", [cube], [((0.5, -0.5, -0.5), (1, 0.5, 0.5))], True),
        ("B sticks out of the far side of A", [cube], [((-1.1, -0.5, -0.5), (0.5, 0.5, 0.5))], True),
        ("small on large", [cube], [((0.5, 0.5, 1), (0.51, 0.52, 1.015))], True),
        ("small under large", [cube], [((0.5, 0.5, -1.01), (0.51, 0.51, -1))], True),
        ("small in large", [cube], [((0.5, 0.5, 0.5), (0.51, 0.51, 0.51))], False),
        ("small beside large", [cube], [((1 + near, 0.5, 0.5), (1.01 + near, 0.51, 0.51))], False),
        ("large behind small", [((0.5, 0.5, -1.01), (0.51, 0.51, -1))], [cube], True),
        ("face on face", [cube], [((-1, 1, -1), (1, 2, 1))], True),
        ("B behind A", [((-1, -1, -1), (1, -0.9, 1))], [((-0.3, 0.5, -0.3), (0.3, 0.9, 0.3))], False),
        ("a plug in a ring", ring, [((-1, -0.9, -1), (1, 0.9, 1))], True),
        (
            "a small plug in a long bore",
            [((-2, -9, -2), (2, 9, -1)), ((-2, -9, 1), (2, 9, 2)), ((-2, -9, -1), (-1, 9, 1)), ((1, -9, -1), (2, 9, 1))],
            [((-1, 0, -1), (1, 1, 1))],
            True,
        ),
        ("two plates cross in a small corner", [((-1, -1, -0.01), (1, 1, 0))], [((0.99, 0.99, -1), (3, 3, 1))], True),
    ):
        boxes(path("a.obj"), *a)
        boxes(path("b.obj"), *b)
        graze("check", path("a.obj"), path("b.obj"), "--up", "z", "--picture", path("c.png"), "--size", "640x400", code=None)
        seen = hues(read_png(path("c.png")), contact)
        assert min(seen[:2]) > least, "%s: %d pixels of A, %d of B" % (name, *seen[:2])
        assert not contact or seen[2] > few, "%s: %d pixels of contact" % (name, seen[2])
    graze("check", os.path.join(SCENES, "gear.obj"), os.path.join(SCENES, "rock.obj"), "--picture", path("c.png"), "--size", "640x400", code=1)
    seen = hues(read_png(path("c.png")), True)  # the example of README: a gear in a rock
    assert min(seen[:2]) > least and seen[2] > few, seen


def flat_faces_have_no_lines():
    """A plate gives the same picture with two triangles and with 200; its border is drawn, and so is a crease."""
    corners = [(0, 0, 0), (10, 0, 0), (10, 10, 0), (0, 10, 0)]
    obj(path("two.obj"), corners, [(0, 1, 2), (0, 2, 3)])
    fine = [(i, j, 0) for j in range(11) for i in range(11)]
    cells = [t for j in range(10) for i in range(10) for at in [j * 11 + i] for t in ((at, at + 1, at + 12), (at, at + 12, at + 11))]
    obj(path("many.obj"), fine, cells)
    obj(path("roof.obj"), [(x, y, 0 if x < 5 else 4 * (x - 5)) for x, y, z in fine], cells)
    dark = {}
    for name in ("two", "many", "roof"):
        graze("render", path(name + ".obj"), "-o", path(name + ".png"), "--size", "640x400")
        p = read_png(path(name + ".png"))
        dark[name] = sum(sum(p.at(x, y)) < 400 for y in range(40, 360) for x in range(640))  # lines are darker than faces
    two, many = read_png(path("two.png")), read_png(path("many.png"))
    x0, y0, x1, y1 = middle(two)  # without the text, which contains the number of triangles
    other = sum(two.at(x, y) != many.at(x, y) for y in range(y0, y1) for x in range(x0, x1))
    assert other < 60, "%d pixels differ" % other
    assert dark["two"] > 100 and dark["roof"] > 100, dark


def a_tower_stands():
    """The up axis of a glTF is y, and --up overrides it: a tower is upright in the picture, or lies on its side. OBJ files name no axis and mostly have y up,
    which is said to be a guess."""
    gltf(path("tower.gltf"), (1, 6, 1))
    boxes(path("tower.obj"), ((0, 0, 0), (1, 6, 1)))

    def size(*more, model="tower.gltf", guess=False):
        said = graze("render", path(model), *more, "-o", path("tower.png"), "--size", "400x400").stderr
        assert ("y points up as a guess: OBJ files name no axis; --up changes it\n" in said) == guess and (guess or said == ""), said
        p = read_png(path("tower.png"))
        x0, y0, x1, y1 = 0, 60, 400, 340
        seen = [(x, y) for y in range(y0, y1, 2) for x in range(x0, x1, 2) if sum(abs(a - b) for a, b in zip(p.at(x, y), PAPER)) > 30]
        xs, ys = [x for x, y in seen], [y for x, y in seen]
        return max(xs) - min(xs), max(ys) - min(ys)

    w, h = size()
    assert h > 2 * w, (w, h)
    w, h = size("--up", "z")
    assert h < 1.5 * w, (w, h)
    w, h = size(model="tower.obj", guess=True)
    assert h > 2 * w, (w, h)
    w, h = size("--up", "z", model="tower.obj")
    assert h < 1.5 * w, (w, h)


def demonstrations_show_the_answer():
    """Sphere and polygon, at moments before and after the last contact: the colour is the library's answer."""
    for u, steps in ((0.0, 0), (60 / 150, 60), (61 / 150, 61), (0.5, 75)):
        graze("render", "--demo", "sphere-polygon", "--at", repr(u), "-o", path("s.png"), "--size", "640x400")
        y = single(0.5)
        for _ in range(steps):
            y = single(y + single(0.01))
        touch = query(
            {
                "id": 1,
                "op": "intersect",
                "a": {"type": "sphere", "center": [0, y, 0], "radius": single(0.1)},
                "b": {"type": "triangle", "points": [[-1, 0, 0], [1, 0, 0], [0, 1, 0]]},
            }
        )[0]["hit"]
        p = read_png(path("s.png"))
        green, violet = p.count((0, 255, 0), 0, middle(p)), p.count((255, 0, 255), 0, middle(p))
        assert touch == (steps <= 60)
        assert (green > 20, violet > 20) == (touch, not touch), "after %d steps: %d green, %d violet" % (steps, green, violet)


def the_deciding_step_agrees_with_the_verdict():
    """Each polygon of the lesson: a sphere that touches is never explained by a step that excludes contact. The leaning pentagon touches by its face, not by an
    edge."""
    for preset in ("triangle", "square", "pentagon", "hexagon", "corners-in-a-row", "concave", "star", "bent"):
        graze("render", "--demo", "sphere-polygon", "--preset", preset, "--html", path("step.html"))
        with open(path("step.html"), encoding="utf-8") as f:
            caption = json.loads(f.read().split('id="head">')[1].split("</script>")[0])["caption"]
        touch, excluded = caption[0].startswith("TOUCHES"), "none comes within" in caption[3] or "wholly on one side" in caption[3]
        assert caption[3].startswith("decided by") and touch != excluded, (preset, caption)
        assert preset != "pentagon" or (touch and caption[3].startswith("decided by the face")), caption


def caption_of(preset):
    graze("render", "--demo", "primitives", "--preset", preset, "--html", path("preset.html"))
    with open(path("preset.html"), encoding="utf-8") as f:
        return json.loads(f.read().split('id="head">')[1].split("</script>")[0])["caption"]


def the_articles_tests_stay_in_their_pictures():
    """Shapes, contacts and normals keep clear of the picture's borders (P6's segment is longer than its picture); no number is a negative zero."""
    for preset in (
        "p1-cube-point",
        "p2-box-point",
        "p3-box-corners-point",
        "p4-box-box",
        "p5-box-sphere",
        "p7-sphere-point",
        "p8-sphere-sphere",
        "p9-sphere-segment",
    ):
        graze("render", "--demo", "primitives", "--preset", preset, "-o", path("p.png"), "--size", "640x400")
        p = read_png(path("p.png"))
        for x in (0, p.width - 1):
            assert all(p.at(x, y) == PAPER for y in range(p.height)), preset
        assert not any(n in line for line in caption_of(preset) for n in ("-0,", "-0)")), caption_of(preset)
    near = next(line for line in caption_of("p7-sphere-point") if line.startswith("nearest on A"))  # 2.7e-8 apart: enough digits to see it
    on_a, on_b = re.findall(r"\((.*?)\)", near)
    assert on_a != on_b and 0.9 < math.dist(eval(on_a), eval(on_b)) / 2.7568877289481715e-08 < 1.1, near


def single(x):
    import struct

    return struct.unpack("f", struct.pack("f", x))[0]


def presets_have_names():
    """Every preset that --list names can be drawn; P1 to P9 show the right verdict; errors for wrong names list the existing ones."""
    listed, demo = {}, None
    for line in graze("render", "--list").stdout.splitlines():
        if line.startswith(" "):
            assert line.split()[0] == "--preset"
            listed[demo].append(line.split()[1])
        else:
            demo = line.split()[0]
            listed[demo] = []
    assert [len([p for p in listed["primitives"] if p.startswith("p%d-" % i)]) for i in range(1, 10)] == [1] * 9, listed["primitives"]
    assert len(listed["sphere-polygon"]) >= 8 and len(listed["sizes"]) == 5 and len(listed["two-meshes"]) == 4, listed
    pictures = {}
    for demo, presets in listed.items():
        for preset in presets:
            graze("render", "--demo", demo, "--preset", preset, "-o", path("p.png"), "--size", "480x300")
            p = pictures[demo, preset] = read_png(path("p.png"))
            if demo == "primitives":
                touch = preset[:2] not in ("p7", "p9")  # the article says the opposite of each but P3 and P4
                legend = (
                    p.width * 3 // 5,
                    0,
                    p.width,
                    p.height // 5,
                )  # the legend names what is shown: contacts, or the nearest points; shaded faces have neither colour there
                hit, distance = p.count(HIT, 0, legend), p.count(DISTANCE, 0, legend)
                assert (hit > 5, distance > 5) == (touch, not touch), (preset, hit, distance)
    assert len({p.rgb for p in pictures.values()}) == len(pictures), "two presets look the same"
    r = graze("render", "--demo", "primitives", "--preset", "p0", "-o", path("p.png"), code=3)
    assert "p5-box-sphere" in r.stderr, r.stderr
    assert 'has no preset "x"' in graze("render", "--demo", "rays", "--preset", "x", "-o", path("p.png"), code=3).stderr
    assert "--demo" in graze("render", "--preset", "p1-cube-point", "-o", path("p.png"), "a.obj", code=2).stderr


def the_gallery_has_every_demonstration():
    names = [line.split()[0] for line in graze("render", "--list").stdout.splitlines() if not line.startswith(" ")]
    assert len(names) >= 5
    graze("gallery", path("gallery"), "--size", "320x200")
    with open(path("gallery/index.html")) as f:
        page = f.read()
    for name in names:
        p = read_png(path("gallery/%s.png" % name))
        background = p.at(p.width // 2, p.height - 1)
        assert p.count(background) < 0.97 * p.width * p.height, name + " is empty"
        assert '"%s.png"' % name in page and 'src="plain/%s.png"' % name in page


def the_page_of_the_gallery_has_the_text():
    """The pictures on the page are drawn without text, which would be too small there: the page has the captions; and the command as it was called."""
    with open(path("gallery/index.html")) as f:
        page = f.read()
    assert "pairs of triangles intersect" in page and "triangles that intersect</span>" in page, page
    full, plain = (read_png(path("gallery/%ssphere-polygon.png" % folder)) for folder in ("", "plain/"))
    corner = (0, 0, full.width // 2, full.height // 8)  # of the title
    assert full.count(full.at(full.width - 1, full.height - 1), 0, corner) < plain.count(plain.at(0, 0), 0, corner), "a title is in the plain picture"
    assert "<code>graze view --demo rays</code>" in page
    graze("gallery", path("named"), "--size", "64x64", env={"GRAZE_COMMAND": "./run"})
    with open(path("named/index.html")) as f:
        page = f.read()
    assert "<code>./run view --demo rays</code>" in page and "<code>./run view gears</code>" in page and "<code>graze" not in page


def the_gallery_has_every_scene():
    names = [line.split()[0] for line in graze("simulate", "--list").stdout.splitlines()]
    with open(path("gallery/index.html")) as f:
        page = f.read()
    assert len(names) >= 7
    for name in names:
        p = read_png(path("gallery/scene-%s.png" % name))
        assert p.count(PAPER) < 0.97 * p.width * p.height, name + " is empty"
        assert '"scene-%s.png"' % name in page and "graze view %s<" % name in page


def bad_input_is_named_at_once():
    os.mkdir(path("bad"))
    for file, words in bad_inputs(path("bad")):
        start = time.time()
        r = graze("render", file, "-o", path("none.png"), code=3)
        assert words in r.stderr and os.path.basename(file) in r.stderr and r.stderr.startswith("graze: ") and r.stderr.count("\n") == 1 and r.stdout == "", (
            file,
            r.stderr,
        )
        assert time.time() - start < 20 and not os.path.exists(path("none.png")), file
    r = graze("render", os.path.join(SCENES, "gears.json"), path("bad/empty.obj"), "-o", path("none.png"), code=3)
    assert "together with other files" in r.stderr, r.stderr


def a_scene_at_a_moment():
    """Gears: the contact is shown from 1.193 s on, and not before; seconds and fractions select the same moment."""
    gears = os.path.join(SCENES, "gears.json")
    shots = {}
    for at, touch in (("0.1s", False), ("1.18s", False), ("1.2s", True), ("1.4s", True), ("1", True)):
        graze("render", gears, "--at", at, "-o", path("g.png"), "--size", "640x400")
        p = shots[at] = read_png(path("g.png"))
        assert (p.count(HIT, 6, middle(p)) > 10) == touch, "at %s: %d pixels" % (at, p.count(HIT, 6, middle(p)))
    graze("render", gears, "--at", repr(0.1 / 1.5), "-o", path("h.png"), "--size", "640x400")
    assert read_png(path("h.png")).rgb == shots["0.1s"].rgb
    graze("render", "grenade", "--frames", "3", "-o", path("s.png"), "--size", "160x100", env={"GRAZE_SCENES": SCENES})
    frames = [read_png(path("s-%04d.png" % i)) for i in (1, 2, 3)]
    assert all(a.differs(b) > 5 for a, b in zip(frames, frames[1:]))
    for arguments, words in ((["--at", "9s"], "after the end"), (["--at", "2"], "2s"), (["--at", "soon"], "seconds like")):
        r = graze("render", gears, *arguments, "-o", path("x.png"), code=2)
        assert words in r.stderr, r.stderr
    obj(path("t.obj"), *TETRAHEDRON)
    assert "together with other files" in graze("render", gears, path("t.obj"), "-o", path("x.png"), code=3).stderr


def an_animation_moves():
    graze("render", "--demo", "two-meshes", "--frames", "4", "-o", path("m.png"), "--size", "160x100")
    frames = [read_png(path("m-%04d.png" % i)) for i in (1, 2, 3, 4)]
    assert all(a.differs(b) > 50 for a, b in zip(frames, frames[1:]))
    with open(path("m.webp"), "rb") as f:
        data = f.read()
    assert data[:4] == b"RIFF" and data[8:12] == b"WEBP" and data.count(b"ANMF") == 4
    graze("render", "--demo", "two-meshes", "--frames", "2", "-o", path("n.webp"), "--size", "160x100")
    assert not os.path.exists(path("n-0001.png"))


def the_same_picture_again():
    for name in ("r1.png", "r2.png"):
        graze("render", "--demo", "rays", "-o", path(name), "--size", "320x200")
    assert open(path("r1.png"), "rb").read() == open(path("r2.png"), "rb").read()


def clear_messages():
    obj(path("t.obj"), *TETRAHEDRON)
    for arguments, code, words in (
        (["render", path("none.obj"), "-o", path("x.png")], 3, "none.obj"),
        (["render", "--demo", "nothing", "-o", path("x.png")], 3, "two-meshes"),
        (["render", path("t.obj")], 2, "-o"),
        (["render", "-o", path("x.png")], 2, "models"),
        (["render", path("t.obj"), "-o", path("x.jpg")], 2, ".png"),
        (["render", path("t.obj"), "-o", path("x.png"), "--size", "big"], 2, "1280x800"),
        (["render", path("t.obj"), "-o", path("t.obj/x.png")], 3, "t.obj/x.png: its folder cannot be made"),
        (["check", path("t.obj"), path("t.obj"), "--html", path("t.obj/x.html")], 3, "t.obj/x.html: its folder cannot be made"),
    ):
        r = graze(*arguments, code=code)
        assert words in r.stderr, "%s says: %s" % (arguments, r.stderr)
    # no driver, no display
    r = graze("render", path("t.obj"), "-o", path("x.png"), code=4, env={"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere", "EGL_PLATFORM": "surfaceless"})
    assert "cannot draw" in r.stderr and "apt-get" in r.stderr, r.stderr
    r = graze("view", code=4, env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
    assert "no window" in r.stderr and "graze render" in r.stderr, r.stderr
    r = graze("view", path("none.obj"), code=None, env={"DISPLAY": ":4711"})
    assert r.returncode == 4 and "no window" in r.stderr


if __name__ == "__main__":
    if "built without the viewer" in graze("gallery", path("probe"), "--size", "64x64", code=None).stderr:
        print("skipped: built without the viewer")
        sys.exit(SKIPPED)
    sys.exit(
        run_all(
            [
                a_model_fills_its_picture,
                a_check_shows_what_touches,
                a_check_shows_what_it_is_about,
                flat_faces_have_no_lines,
                a_tower_stands,
                demonstrations_show_the_answer,
                the_deciding_step_agrees_with_the_verdict,
                the_articles_tests_stay_in_their_pictures,
                presets_have_names,
                the_gallery_has_every_demonstration,
                the_page_of_the_gallery_has_the_text,
                the_gallery_has_every_scene,
                bad_input_is_named_at_once,
                a_scene_at_a_moment,
                an_animation_moves,
                the_same_picture_again,
                clear_messages,
            ]
        )
    )
