#!/usr/bin/env python3
"""The page of graze clash in a browser: filters, search, order, groups, keys, thumbnails, the parts in 3D, statuses set later, many rows, printing, and the same
bytes twice."""
import base64
import json
import os
import shutil
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import Browser, graze, need, run_all

need("chromium")
FOLDER = tempfile.TemporaryDirectory()
A, B, HIT, GAP = (86, 180, 233), (230, 159, 0), (213, 94, 0), (204, 121, 167)


def path(*names):
    return os.path.join(FOLDER.name, *names)


def boxes(name, list_of_boxes):
    """An OBJ whose groups are boxes: (name, low corner, high corner)."""
    with open(path(name), "w") as f:
        for k, (group, lo, hi) in enumerate(list_of_boxes):
            f.write("g %s\n" % group)
            f.writelines("v %r %r %r\n" % tuple((hi if i >> axis & 1 else lo)[axis] for axis in range(3)) for i in range(8))
            for face in ((1, 3, 2), (2, 3, 4), (5, 6, 7), (6, 8, 7), (1, 2, 5), (2, 6, 5), (3, 7, 4), (4, 7, 8), (1, 5, 3), (3, 5, 7), (2, 4, 6), (4, 8, 6)):
                f.write("f %d %d %d\n" % tuple(8 * k + i for i in face))


def few():
    """Two boxes that overlap, one that touches the first, one inside another, and two that are near each other; the first run into an empty folder."""
    shutil.rmtree(path("few"), ignore_errors=True)
    boxes(
        "few.obj",
        [
            ("plate <1>", (0, 0, 0), (10, 10, 2)),
            ("rod", (4, 4, -5), (5, 5, 9)),
            ("block", (10, 0, 0), (14, 10, 2)),
            ("shell", (100, 0, 0), (120, 20, 20)),
            ("core", (105, 5, 5), (110, 10, 10)),
            ("left", (200, 0, 0), (201, 1, 1)),
            ("right", (201.5, 0, 0), (202, 1, 1)),
        ],
    )
    return graze("clash", path("few.obj"), "--clearance", "1", "--out", path("few"), code=1)


def opened(name, **options):
    b = Browser("file://" + path(name, "report.html"), **options)
    b.until("window.graze && (window.graze.drawn > 0 || window.graze.shaped === false)")
    return b


def choose(b, verdict):
    b.js("document.getElementById('clear').click()")
    drawn = b.js("graze.drawn")
    b.js("[...document.querySelectorAll('.row')].find(r => r.textContent.includes(%r)).click()" % verdict)
    b.until("graze.drawn > %d || !graze.shaped" % drawn)


def pixels_of(b, colors):
    """Numbers of pixels of the view with these colours, in any light."""
    x0, y0, x1, y1 = b.js("(() => { const r = document.getElementById('stage').getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })()")
    p, counts = b.pixels(), [0] * len(colors)
    for y in range(int(y0) + 3, int(y1) - 3, 2):
        for x in range(int(x0) + 3, int(x1) - 3, 2):
            at = p.at(x, y)
            if sum(at) > 120:
                for i, c in enumerate(colors):
                    counts[i] += all(abs(at[k] / sum(at) - c[k] / sum(c)) < 0.03 for k in range(3))
    return counts


def table_and_view():
    few()
    b = opened("few")
    try:
        texts = b.js("[...document.querySelectorAll('.row')].map(r => r.innerText.replace(/\\s+/g, ' ').trim())")
        assert len(texts) == 4 and [v in t for v, t in zip(("a_in_b", "overlapping", "touching", "near"), texts)] == [True] * 4 and "0.5" in texts[3], texts
        assert any("plate <1>" in t for t in texts), texts
        assert b.js("[...document.querySelectorAll('.row img')].every(i => i.complete && i.naturalWidth === 240)")
        for verdict, color in (("overlapping", HIT), ("touching", HIT), ("near", GAP), ("a_in_b", None)):
            choose(b, verdict)
            opacities = b.js("graze.stage.bodies.map(x => x.userData.opacity)")
            wanted = [c for c, shown in ((A, opacities[0] == 1), (B, opacities[1] == 1 and color), (color, color)) if shown]
            assert wanted and wanted != [color], "%s: no part is opaque" % verdict
            counts = pixels_of(b, wanted)
            assert all(n > 20 for n in counts), "%s: pixels of %s: %s" % (verdict, wanted, counts)
        assert not b.errors, b.errors
        assert all(r.startswith(("file:", "data:")) for r in b.requests), b.requests
    finally:
        b.close()


def filters_and_keys():
    few()
    b = opened("few")
    try:
        rows = lambda: b.js("graze.visible.map(r => r.verdict)")
        b.click("[data-verdict=near]")
        assert rows() == ["near"], rows()
        b.click("[data-verdict=touching]")
        assert rows() == ["touching", "near"], rows()
        b.click("#clear")
        assert len(rows()) == 4
        b.js("(() => { const s = document.getElementById('search'); s.value = 'PLATE rod'; s.dispatchEvent(new Event('input')); })()")
        assert rows() == ["overlapping"], rows()
        assert b.js("document.getElementById('shown').textContent") == "1 of 4 findings"
        b.js("(() => { const s = document.getElementById('search'); s.value = 'nothing like this'; s.dispatchEvent(new Event('input')); })()")
        assert rows() == [] and b.js("document.querySelector('.empty').textContent").startswith("No finding")
        b.click("#clear")
        for key, clicks in (("distance", 1), ("distance", 1)):
            b.click("[data-sort=%s]" % key)
            order = b.js("graze.visible.map(r => r.distance)")
            assert order == sorted(order, reverse=clicks == 2) or order == sorted(order, reverse=True), order
        assert order[0] == 0.5, order
        b.click("[data-sort=distance]")
        assert b.js("graze.visible.map(r => r.position)") == [0, 1, 2, 3]
        press = lambda key: [b.call("Input.dispatchKeyEvent", type=kind, key=key) for kind in ("keyDown", "keyUp")]
        chosen = lambda: b.js("graze.rows.findIndex(r => r.id === graze.chosen)")
        b.js("document.activeElement.blur()")
        for key, row in (("Home", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", 3), ("ArrowDown", 3)):
            press(key)
            assert chosen() == row, "%s: row %d, expected %d" % (key, chosen(), row)
        for grouping, bands in (("group", 3), ("part", 3), ("models", 1), ("cell", 4)):
            b.js("(() => { const s = document.getElementById('grouping'); s.value = %r; s.dispatchEvent(new Event('change')); })()" % grouping)
            found = b.js("[...document.querySelectorAll('.band')].map(x => x.textContent)")
            assert len(found) == bands, "%s: %s" % (grouping, found)
        b.click("#fold")
        assert b.js("document.querySelectorAll('.row').length") == 0 and b.js("document.querySelectorAll('.band').length") == 4
        assert not b.errors, b.errors
    finally:
        b.close()


def statuses_set_later():
    few()
    with open(path("few", "clash.json")) as f:
        found = [json.loads(line) for line in f][1:]
    near = [c["id"] for c in found if c["verdict"] == "near"][0]
    out = graze("clash", "approve", near, "--note", "a </script> gap", "--out", path("few")).stdout
    assert "clash.bcf is that of the last run" in out, out
    b = opened("few")
    try:
        r = b.js("(() => { const r = graze.rows.find(r => r.id === %r); return [r.status, r.note, r.position]; })()" % near)
        assert r == ["approved", "a </script> gap", 3], r
        choose(b, "near")
        assert "a </script> gap" in b.js("document.getElementById('facts').innerText")
        assert b.js("graze.shaped") and not b.errors, b.errors
    finally:
        b.close()


def many_rows():
    """Scrolls, sorts and prints 10,000 rows of boxes that touch their neighbours; only those in view are in the document."""
    boxes("many.obj", [("box %d %d" % (i, j), (i, j, 0), (i + 1, j + 1, 1)) for i in range(51) for j in range(51)])
    graze("clash", path("many.obj"), "--thumbnails", "3", "--no-bcf", "--out", path("many"), code=1)
    assert not os.path.exists(path("many", "clash.bcf"))
    b = opened("many")
    try:
        total = b.js("graze.shown")
        assert total == 2 * 51 * 50 + 2 * 50 * 50, total
        assert b.js("document.querySelectorAll('.row').length") < 60
        assert b.js("graze.rows.filter(r => document.querySelector(`[data-id='${r.id}'] img`)).length") == 3
        b.js("document.getElementById('scroller').scrollTop = 1e9")
        b.until("[...document.querySelectorAll('.row')].some(r => r.dataset.id === graze.rows[graze.rows.length - 1].id)")
        assert b.js("document.querySelectorAll('.row').length") < 60
        took = b.js(
            "(() => { const t = performance.now(); for (const key of ['a', 'verdict', 'b']) document.querySelector(`[data-sort=${key}]`).click(); return performance.now() - t; })()"
        )
        assert took < 20000, "three sorts took %d ms" % took  # an endless loop, not a slow machine
        b.js("graze.print_rows()")
        assert b.js("document.querySelectorAll('#print tbody tr').length") == 5000
        assert b.js("document.querySelector('#print p').textContent") == "The first 5000 of %d findings." % total
        assert not b.errors, b.errors
    finally:
        b.close()


def more_rows_than_the_page_takes():
    """635 boxes, each nearer than the clearance to every other."""
    boxes("all.obj", [("part/box %d" % i, (2 * (i % 30), 2 * (i // 30), 0), (2 * (i % 30) + 1, 2 * (i // 30) + 1, 1)) for i in range(635)])
    total, most = 635 * 634 // 2, 200000
    out = graze("clash", path("all.obj"), "--clearance", "100", "--thumbnails", "0", "--no-bcf", "--out", path("all"), code=1).stdout
    assert "report.html has the first %d findings; %d more are in clash.json" % (most, total - most) in out, out
    with open(path("all", "report.html")) as f:
        text = f.read()
    table = text[text.index('id="findings">') : text.index('id="pictures">')]
    assert len(table) < 120 * most, "%d bytes for %d findings" % (len(table), most)
    shapes = text[text.index('id="shapes">') + len('id="shapes">') :]
    shapes = shapes[: shapes.index("</script>")]
    assert len(shapes) < 24_000_000, "%d bytes of parts and views" % len(shapes)
    in_3d = len(json.loads(shapes)["views"])
    assert 0 < in_3d < most, in_3d
    with open(path("all", "clash.json")) as f:
        found = [json.loads(line) for line in f][1:]
    assert len(found) == total
    b = opened("all")
    try:
        assert b.js("graze.rows.length") == most
        assert b.js("document.getElementById('counts').textContent").startswith("%d findings in run 1: %d new, %d left out." % (total, most, total - most))
        assert "does not show %d findings in 3D" % (most - in_3d) in b.js("document.getElementById('notes').textContent")
        assert "%d that come after them are in clash.json" % (total - most) in b.js("document.getElementById('notes').textContent")
        by_id = {c["id"]: c for c in found}
        for i in (0, 1, 77777, most - 1):
            r = json.loads(b.js("JSON.stringify((r => ({...r, a: graze.path_of(r.a), b: graze.path_of(r.b)}))(graze.rows[%d]))" % i))
            c = by_id[r["id"]]
            assert (r["a"], r["b"], r["verdict"], r["status"], r["test"], r["pairs"]) == (c["a"], c["b"], "near", "new", "all", 0), (r, c)
            assert abs(r["distance"] / c["distance"] - 1) < 1e-6 and r["depth"] is None and r["first_run"] == 1 and r["date"] == r["note"] == "", (r, c)
            corners = [*c["region"][0], *c["region"][1]]
            size = max(y - x for x, y in zip(*c["region"]))
            assert all(abs(x - y) <= size / 900 for x, y in zip(r["point"] + r["region"], c["point"] + corners)), (r, c)
        last = found[-1]["id"]
    finally:
        b.close()
    graze("clash", "approve", last, "--note", "far", "--out", path("all"))
    b = opened("all")
    try:
        assert b.js("graze.rows.length") == most and b.js("graze.rows.every(r => r.status === 'new')")
    finally:
        b.close()


def printing():
    few()
    b = opened("few")
    try:
        data = base64.b64decode(b.call("Page.printToPDF", printBackground=True)["data"])
        assert data[:5] == b"%PDF-" and len(data) > 5000
        assert b.js("document.querySelectorAll('#print tbody tr').length") == 4
    finally:
        b.close()


def same_bytes():
    few()
    first = {n: open(path("few", n), "rb").read() for n in ("report.html", "clash.bcf")}
    few()
    for name, content in first.items():
        assert open(path("few", name), "rb").read() == content, name
    with zipfile.ZipFile(path("few", "clash.bcf")) as z:
        assert z.testzip() is None
        pictures = [n for n in z.namelist() if n.endswith("snapshot.png")]
        assert len(pictures) == 4 and all(z.read(n)[:8] == b"\x89PNG\r\n\x1a\n" for n in pictures), z.namelist()
        assert all(i.date_time == (1980, 1, 1, 0, 0, 0) for i in z.infolist())


def without_reports():
    few()
    graze("clash", path("few.obj"), "--clearance", "1", "--no-html", "--bcf", "3.0", "--out", path("few"), code=1)
    assert not os.path.exists(path("few", "report.html")), "the page of an older run is still there"
    with zipfile.ZipFile(path("few", "clash.bcf")) as z:
        assert b'VersionId="3.0"' in z.read("bcf.version") and "extensions.xml" in z.namelist()
    r = graze("clash", path("few.obj"), "--bcf", "1.0", "--out", path("few"), code=2)
    assert "must be 2.1 or 3.0" in r.stderr, r.stderr


if __name__ == "__main__":
    sys.exit(run_all([table_and_view, filters_and_keys, statuses_set_later, many_rows, more_rows_than_the_page_takes, printing, same_bytes, without_reports]))
