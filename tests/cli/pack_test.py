#!/usr/bin/env python3
"""graze pack: what it writes, that every command reads it, and its messages.  pack_test.py [PATH OF graze]   (default: $GRAZE)"""
import json
import os
import sys

from tool import check, run, run_all

BOX = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
FACES = [(1, 3, 2), (2, 3, 4), (5, 6, 7), (6, 8, 7), (1, 2, 5), (2, 6, 5), (3, 7, 4), (4, 7, 8), (1, 5, 3), (3, 5, 7), (2, 4, 6), (4, 8, 6)]


def write_boxes(path, places):
    with open(path, "w") as f:
        for k, (x, y, z) in enumerate(places):
            f.write("o box%d\n" % k)
            f.writelines("v %g %g %g\n" % (x + p[0], y + p[1], z + p[2]) for p in BOX)
            f.writelines("f %d %d %d\n" % tuple(8 * k + i for i in t) for t in FACES)


def test_pack():
    write_boxes("a.obj", [(0, 0, 0), (3, 0, 0), (0.5, 0.5, 0.5)])
    write_boxes("b.obj", [(9, 0, 0)])
    code, out, err = run(["pack", "a.obj", "-o", "a.graze"])
    check("pack", code == 0 and "a.graze: " in out and "3 parts of 1 mesh, 12 triangles (36 placed)" in out, out + err)
    code, out, err = run(["pack", "a.obj", "-o", "a.graze", "--json", "--threads", "1"])
    j = json.loads(out)
    check("pack --json", code == 0 and j["parts"] == 3 and j["bytes"] == os.path.getsize("a.graze"), out + err)
    with open("a.graze", "rb") as f:
        bytes_of_one = f.read()
    run(["pack", "a.obj", "-o", "a.graze", "--threads", "4"])
    with open("a.graze", "rb") as f:
        check("the same bytes for any number of threads", f.read() == bytes_of_one)

    before, after = [json.loads(run(["info", m, "--json"])[1]) for m in ("a.obj", "a.graze")]
    check("info", after["format"] == "graze" and [p["name"] for p in after["parts"]] == ["box0", "box1", "box2"], after)
    same = ("triangles", "area", "min", "max", "components", "closed")
    check("info is the same", [before[k] for k in same] == [after[k] for k in same], after)
    run(["clash", "a.obj", "--out", "r1"])
    run(["clash", "a.graze", "--out", "r2"])
    with open("r1/clash.csv") as f, open("r2/clash.csv") as g:
        check("clash is the same", f.read().replace("a.obj", "a.graze") == g.read())
    verdicts = [run(["check", m, "b.obj", "--json"])[0] for m in ("a.obj", "a.graze")]
    check("check is the same", verdicts == [0, 0], verdicts)

    code, out, err = run(["pack", "a.obj", "b.obj", "a.graze", "-o", "all.graze", "--json"])
    check("several models", code == 0 and json.loads(out)["parts"] == 7, out + err)
    names = [p["name"] for p in json.loads(run(["info", "all.graze", "--json"])[1])["parts"]]
    check("their names", names[0] == "a/box0" and names[3].startswith("b/") and names[4] == "a#2/box0", names)
    code, out, err = run(["pack", "a.obj", "--whole", "-o", "whole.graze", "--json"])
    check("--whole", code == 0 and json.loads(out)["meshes"] == 1, out + err)
    names = [p["name"] for p in json.loads(run(["info", "whole.graze", "--json"])[1])["parts"]]
    check("--whole keeps groups", names == ["box0", "box1", "box2"], names)
    with open("rays.csv", "w") as f:
        f.write("0.25,0.25,9,0,0,-1\n")
    answers = [run(["cast", m, "rays.csv"])[1] for m in ("a.obj", "whole.graze")]
    check("cast is the same", answers[0] == answers[1] and "1,8,0.25" in answers[0] and answers[0].count("\n") == 2, answers)


def test_messages():
    write_boxes("m.obj", [(0, 0, 0)])
    run(["pack", "m.obj", "-o", "m.graze"])
    with open("m.graze", "rb") as f:
        good = f.read()
    with open("bad.graze", "wb") as f:
        f.write(good[:-1])
    with open("worse.graze", "wb") as f:
        f.write(good[:400] + bytes([good[400] ^ 1]) + good[401:])
    for args, expected, status in (
        (["pack", "m.obj"], "--out", 2),
        (["pack", "-o", "x.graze"], "MODEL", 2),
        (["pack", "missing.obj", "-o", "x.graze"], "missing.obj", 3),
        (["pack", "m.obj", "-o", "m.obj/x.graze"], "m.obj/x.graze: its folder cannot be made", 3),
        (["info", "bad.graze"], "bad.graze: has %d bytes, must be %d: the file is cut short" % (len(good) - 1, len(good)), 3),
        (["info", "worse.graze"], "the checksum is wrong", 3),
    ):
        code, out, err = run(args)
        check(" ".join(args), code == status and expected in err and not os.path.exists("x.graze"), "%d: %s" % (code, out + err))


if __name__ == "__main__":
    sys.exit(run_all([test_pack, test_messages]))
