#!/usr/bin/env python3
"""The page that graze check writes, in a browser: it is drawn, needs nothing else, a click on a place moves the camera, and nothing is complained about. Then the player, on a page with frames."""
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import Browser, TETRAHEDRON, graze, need, obj, run_all

need("chromium")
FOLDER = tempfile.TemporaryDirectory()
HIT, DISTANCE = (213, 94, 0), (204, 121, 167)


def path(name):
    return os.path.join(FOLDER.name, name)


def opened(name, **options):
    b = Browser("file://" + path(name), **options)
    b.until("window.graze && window.graze.drawn > 0 && !window.graze.flying")
    return b


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5


def looks_at(b):
    return b.js("(() => { const v = window.graze.view; return [v.target.x, v.target.y, v.target.z]; })()")


def touching_models():
    obj(path("a.obj"), *TETRAHEDRON)
    obj(path("b.obj"), [(x + 0.3, y + 0.1, z + 0.1) for x, y, z in TETRAHEDRON[0]], TETRAHEDRON[1])
    facts = json.loads(graze("check", path("a.obj"), path("b.obj"), "--json", "--limit", "1000", "--html", path("touch.html"), code=1).stdout)
    b = opened("touch.html")
    try:
        p = b.pixels()
        assert p.count(HIT, 40) > 200, "what touches is not seen"
        assert b.js("document.querySelectorAll('#hits button').length") == facts["pairs"] == len(facts["places"])
        middle = b.js("window.graze.head.middle")
        for i in (0, facts["pairs"] - 1):
            before = looks_at(b)
            b.click("#hits li:nth-child(%d) button" % (i + 1))
            b.until("window.graze.flying")
            b.until("!window.graze.flying")
            wanted = [x - m for x, m in zip(facts["places"][i]["point"], middle)]
            assert distance(looks_at(b), wanted) < 1e-9, "the camera looks at %s, the place is %s (before: %s)" % (looks_at(b), wanted, before)
            text = b.js("document.querySelector('#hits [aria-current=true]').textContent")
            assert text == "A %d with B %d" % (facts["places"][i]["triangle_a"], facts["places"][i]["triangle_b"])
        near = b.pixels()
        b.js("document.activeElement.blur()")
        b.call("Input.dispatchKeyEvent", type="keyDown", key="r", text="r")
        b.until("!window.graze.flying && Math.hypot(window.graze.view.eye.x - window.graze.head.camera.eye[0], window.graze.view.eye.y - window.graze.head.camera.eye[1]) < 1e-9")
        assert b.pixels().differs(near) > 500
        before = b.js("window.graze.view.eye.x")
        b.mouse("mousePressed", 300, 600, button="left", clickCount=1)
        for x in range(310, 400, 10):
            b.mouse("mouseMoved", x, 590, button="left", buttons=1)
        b.mouse("mouseReleased", 400, 590, button="left", clickCount=1)
        assert abs(b.js("window.graze.view.eye.x") - before) > 0.01, "dragging does not turn the view"
        assert not b.errors, b.errors
        outside = [u for u in b.requests if not u.startswith(("file://" + path("touch.html"), "data:", "blob:"))]
        assert not outside, outside
    finally:
        b.close()


def models_apart():
    obj(path("a.obj"), *TETRAHEDRON)
    obj(path("b.obj"), [(x + 1.5, y, z) for x, y, z in TETRAHEDRON[0]], TETRAHEDRON[1])
    graze("check", path("a.obj"), path("b.obj"), "--html", path("apart.html"))
    b = opened("apart.html", width=800, height=600)
    try:
        p = b.pixels()
        assert p.count(DISTANCE, 10) > 60, "the line between the nearest points is not seen"
        assert "0.5" in b.js("document.getElementById('labels').textContent") and "distance 0.5" in b.js("document.getElementById('caption').textContent")
        b.click("#hits button")
        b.until("window.graze.flying")
        b.until("!window.graze.flying")
        assert not b.errors, b.errors
    finally:
        b.close()


def names_are_only_text():
    """A file's name that looks like a program is shown, not run."""
    name = "<img src=x onerror=alert(1)></script>.obj"
    folder = path("odd")
    os.makedirs(folder, exist_ok=True)
    odd = os.path.join(folder, name.replace("/", "_"))
    obj(odd, *TETRAHEDRON)
    graze("check", odd, odd, "--html", path("odd.html"), code=1)
    b = opened("odd.html", width=800, height=600)
    try:
        assert "<img" in b.js("document.getElementById('legend').textContent")
        assert b.js("document.querySelectorAll('img').length") == 0 and not b.errors, b.errors
    finally:
        b.close()


def frames_play():
    """A replay: the page of a check with frames put into its head, as graze simulate writes them."""
    import base64
    import struct
    import zlib
    obj(path("a.obj"), *TETRAHEDRON)
    obj(path("b.obj"), [(x + 1.5, y, z) for x, y, z in TETRAHEDRON[0]], TETRAHEDRON[1])
    graze("check", path("a.obj"), path("b.obj"), "--html", path("still.html"))
    with open(path("still.html"), encoding="utf-8") as f:
        text = f.read()
    head = json.loads(re.search(r'<script type="application/json" id="head">(.*?)</script>', text, re.S).group(1).replace("<\\/", "</"))
    data = zlib.decompress(base64.b64decode(re.search(r'<script type="text/plain" id="data">(.*?)</script>', text, re.S).group(1)))
    data += b"\0" * (-len(data) % 4)
    count = 50
    head["frames"] = {"count": count, "moving": 1, "first": 1, "seconds": 0.02, "places": [len(data), 7 * count]}
    head["hits"] = [{"text": "impact", "at": [0, 0, 0], "size": 0.2, "frame": 30}]
    data += b"".join(struct.pack("<7f", 0.01 * i, 0, 0.02 * i, 1, 0, 0, 0) for i in range(count))
    text = re.sub(r'(<script type="application/json" id="head">).*?(</script>)', lambda m: m.group(1) + json.dumps(head).replace("</", "<\\/") + m.group(2), text, flags=re.S)
    text = re.sub(r'(<script type="text/plain" id="data">).*?(</script>)', lambda m: m.group(1) + base64.b64encode(zlib.compress(data)).decode() + m.group(2), text, flags=re.S)
    with open(path("play.html"), "w", encoding="utf-8") as f:
        f.write(text)
    b = opened("play.html")
    try:
        place = lambda: b.js("(() => { const p = window.graze.bodies[1].position; return [p.x, p.y, p.z]; })()")
        assert distance(place(), (0, 0, 0)) < 1e-6
        b.js("(() => { const s = document.getElementById('scrub'); s.value = 40; s.dispatchEvent(new Event('input')); })()")
        assert b.js("window.graze.frame") == 40 and distance(place(), (0.4, 0, 0.8)) < 1e-6
        b.click("#back")
        assert b.js("window.graze.frame") == 39
        b.click("#on")
        assert b.js("window.graze.frame") == 40
        b.click("#hits button")
        assert b.js("window.graze.frame") == 30
        b.until("!window.graze.flying")
        b.js("document.activeElement.blur()")
        b.click("#play")
        b.until("window.graze.frame > 32")
        b.until("window.graze.frame == %d && !window.graze.playing" % (count - 1))
        assert distance(place(), (0.49, 0, 0.98)) < 1e-6
        assert "0.980 s" in b.js("document.getElementById('clock').textContent")
        assert not b.errors, b.errors
    finally:
        b.close()


def a_world_plays():
    """The stones: what the page shows in a frame is where the bodies were in that frame; an impact's place is on the screen when it is clicked."""
    graze("render", "--demo", "stones", "--html", path("stones.html"))
    b = opened("stones.html")
    try:
        frames = b.js("window.graze.head.frames")
        assert frames["count"] == 300 and frames["moving"] == 160
        state = lambda: b.js("window.graze.bodies.slice(window.graze.head.frames.first).map(x => [x.position.x, x.position.y, x.position.z])")
        wanted = lambda n: b.js("window.graze.frame_places(%d)" % n)
        for n in (0, 150, 299, 7):
            b.js("(() => { const s = document.getElementById('scrub'); s.value = %d; s.dispatchEvent(new Event('input')); })()" % n)
            assert b.js("window.graze.frame") == n
            assert all(distance(x, y) < 1e-6 for x, y in zip(state(), wanted(n)))
        first = b.pixels()
        drawn = b.js("window.graze.drawn")
        b.js("window.graze.set_frame(200)")
        b.until("window.graze.drawn > %d" % drawn)
        assert b.pixels().differs(first) > 100, "the frames look the same"
        b.click("#hits li:nth-child(5) button")
        b.until("!window.graze.flying")
        hit = b.js("window.graze.head.hits[4]")
        assert b.js("window.graze.frame") == hit["frame"] and distance(looks_at(b), hit["at"]) < 1e-9
        middle = b.js("window.graze.head.middle")  # a body is drawn about the picture's middle
        near = min(distance([x - m for x, m in zip(p, middle)], hit["at"]) for p in state())
        assert near < 0.12, "no body is near the impact: %g" % near
        assert not b.errors, b.errors
    finally:
        b.close()


def a_simulation_plays():
    """graze simulate: the page's last frame is the last frame of the table of trajectories."""
    graze("simulate", "stones", "--frames", "40", "--out", path("sim"), "--html", path("sim.html"))
    with open(path("sim/trajectories.csv")) as f:
        rows = [line.split(",") for line in f.read().splitlines()[1:]]
    last = [[float(x) for x in r[3:6]] for r in rows if r[0] == "40"]
    b = opened("sim.html")
    try:
        assert b.js("window.graze.head.frames.count") == 40
        b.js("(() => { const s = document.getElementById('scrub'); s.value = 39; s.dispatchEvent(new Event('input')); })()")
        seen = b.js("window.graze.frame_places(39)")
        assert len(seen) == len(last) and b.js("window.graze.frame") == 39
        shifts = [[x - y for x, y in zip(p, q)] for p, q in zip(seen, last)]  # the same for all bodies: of the shape's centre, none for points
        assert all(distance(s, shifts[0]) < 1e-4 for s in shifts), "the bodies are not where the table says"
        assert not b.errors, b.errors
    finally:
        b.close()


def scrub(b, n):
    b.js("(() => { const s = document.getElementById('scrub'); s.value = %d; s.dispatchEvent(new Event('input')); })()" % n)
    assert b.js("window.graze.frame") == n


def on_screen(b, n):
    drawn = b.js("window.graze.drawn")
    scrub(b, n)
    b.until("window.graze.drawn > %d" % drawn)
    return b.pixels()


def a_walk_plays():
    """The walker stands in each frame where walkers.csv says, and its way grows up to there."""
    graze("simulate", "walk", "--frames", "600", "--out", path("walk"), "--html", path("walk.html"))
    with open(path("walk/walkers.csv")) as f:
        rows = [line.split(",") for line in f.read().splitlines()[1:]]
    at = {int(r[0]): [float(x) for x in r[3:6]] for r in rows}
    b = opened("walk.html")
    try:
        frames, middle = b.js("window.graze.head.frames"), b.js("window.graze.head.middle")
        assert frames["count"] == 600 and frames["moving"] == 1
        shown = []
        for n in (0, 150, 599, 300):
            scrub(b, n)
            p = b.js("(() => { const p = window.graze.bodies[%d].position; return [p.x, p.y, p.z]; })()" % frames["first"])
            shown.append((n, [x - y for x, y in zip(p, at[n + 1])], b.js("window.graze.trail_shown()")))
        # a walker that is not turned is drawn about the picture's middle, as its surface is
        assert all(distance(s, (0, 0, 0)) < 1e-4 for n, s, t in shown), (shown, middle)
        trails = {n: t for n, s, t in shown}
        assert trails[0] <= 1 < trails[150] < trails[300] < trails[599], trails
        first, last = on_screen(b, 0), on_screen(b, 599)
        blue = lambda p: p.count((0, 114, 178), 40)
        assert blue(last) - blue(first) > 400, "the way on the screen: %d, %d pixels" % (blue(first), blue(last))
        assert not b.errors, b.errors
    finally:
        b.close()


def gears_turn():
    """The driver turns until its tooth touches: that moment is in the list, before it the gear turns by the same angle each frame, after it not at all."""
    graze("simulate", "gears", "--out", path("gears"), "--html", path("gears.html"))
    with open(path("gears/hits.csv")) as f:
        stop = next(line.split(",") for line in f if ",stop," in line)
    b = opened("gears.html")
    try:
        frames = b.js("window.graze.head.frames")
        assert frames["moving"] == 2
        turn = lambda i: b.js("(() => { const q = window.graze.bodies[%d].quaternion; return 2 * Math.atan2(q.z, q.w); })()" % (frames["first"] + i))
        angles = []
        for n in (0, 1, 2, 30, frames["count"] - 1):
            scrub(b, n)
            angles.append((turn(0), turn(1)))
        step = 0.3 * frames["seconds"]
        assert abs(angles[0][0] - step) < 1e-5 and abs(angles[1][0] - 2 * step) < 1e-5, angles
        assert abs(angles[3][0] - angles[4][0]) < 1e-7 and angles[3][0] > angles[2][0], angles
        assert len({round(a[1], 6) for a in angles}) == 1, "the follower turns: %s" % angles
        assert angles[4][0] <= 0.3 * float(stop[0]) + 1e-9
        hit = b.js("window.graze.head.hits[0]")
        assert "driver touches follower" in hit["text"] and abs(hit["frame"] - (float(stop[0]) / frames["seconds"] - 1)) < 0.5, hit
        middle = b.js("window.graze.head.middle")
        assert distance([x - m for x, m in zip(map(float, stop[4:7]), middle)], hit["at"]) < 1e-9
        b.click("#hits button")
        b.until("!window.graze.flying")
        assert b.js("window.graze.frame") == hit["frame"] and distance(looks_at(b), hit["at"]) < 1e-9
        assert not b.errors, b.errors
    finally:
        b.close()


def a_cloth_bends():
    """The sheet's vertices in the last frame are those of the file that simulate writes, within the 65535th part of the box that holds all frames."""
    graze("simulate", "cloth", "--frames", "60", "--out", path("cloth"), "--html", path("cloth.html"))
    with open(path("cloth/cloth-sheet.obj")) as f:
        wanted = [list(map(float, line.split()[1:])) for line in f if line.startswith("v ")]
    b = opened("cloth.html")
    try:
        middle, sheet = b.js("window.graze.head.middle"), b.js("window.graze.head.sheets[0]")
        assert sheet["vertices"] == len(wanted)
        seen = b.js("window.graze.sheet_places(0, 59)")
        for p, w in zip(seen, wanted):
            assert all(abs(p[k] + middle[k] - w[k]) <= 0.51 * sheet["cell"][k] + 1e-12 for k in range(3)), (p, w)
        assert max(sheet["cell"]) < 1e-3
        first = b.js("window.graze.sheet_places(0, 0)")
        assert max(distance(p, q) for p, q in zip(first, seen)) > 0.5, "it does not fall"
        on = lambda n: b.js("Array.from(window.graze.bodies[%d].children[0].geometry.attributes.position.array.slice(0, 9))" % sheet["part"])  # the first triangle on the card
        scrub(b, 59)
        triangle = b.js("(() => { const s = window.graze.sheet_places(0, 59); return [s[0], s[1], s[22]].flat(); })()")
        assert all(abs(x - y) < 1e-5 for x, y in zip(on(59), triangle)), (on(59), triangle)
        falling, lying = on_screen(b, 5), on_screen(b, 59)
        assert lying.differs(falling) > 300
        assert not b.errors, b.errors
    finally:
        b.close()


def shots_appear():
    """Each shot's line is there from its own time on, and the list tells who was hit."""
    graze("simulate", "shot", "--out", path("shot"), "--html", path("shot.html"))
    b = opened("shot.html")
    try:
        hits, step = b.js("window.graze.head.hits.map(h => h.text)"), b.js("window.graze.head.frames.seconds")
        texts = [h for h in hits if ": hits" in h]
        assert len(texts) == 4 and "hits target in the gap" in texts[1] and texts[3].endswith("hits nothing"), hits
        lines = lambda p: p.count((213, 94, 0), 40)
        before, after = lines(on_screen(b, 5)), lines(on_screen(b, int(0.55 / step)))
        assert after - before > 500, (before, after)
        assert not b.errors, b.errors
    finally:
        b.close()


if __name__ == "__main__":
    sys.exit(run_all([globals()[n] for n in sys.argv[1:]] or [touching_models, models_apart, names_are_only_text, frames_play, a_world_plays, a_simulation_plays, a_walk_plays, gears_turn, a_cloth_bends, shots_appear]))
