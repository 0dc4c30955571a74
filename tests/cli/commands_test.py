#!/usr/bin/env python3
"""Runs the commands about files (check, sweep, cast, closest) of the built tool.  commands_test.py [PATH OF graze]   (default: $GRAZE)"""
import json
import math
import random
import sys

from tool import BALL, ask, bits, check, run, run_all


def test_check():
    def verdict(args, code, word, **fields):
        c, out, err = run(["check"] + args + ["--json"])
        j = json.loads(out) if out else {}
        check("check " + " ".join(args), c == code and j.get("verdict") == word and all(j.get(k) == v for k, v in fields.items()), (c, out, err))
        c2, text, _ = run(["check"] + args)
        check("check as text", c2 == code and "verdict: " in text, text)
        said = "apart" if j.get("relation") == "disjoint" else j.get("relation", word)
        check("the verdict is the relation of the solids", j.get("verdict") == said, j)
        return j

    j = verdict(["cube.obj", "far.obj"], 0, "apart", distance=3, hit=False, pairs=0, relation="disjoint")
    check("witnesses", j.get("witness_a", [0])[0] == 1 and j.get("witness_b", [0])[0] == 4 and "triangle_a" in j, j)
    verdict(["cube.obj", "far.obj", "--pose-b", "-3,0,0"], 1, "touching", relation="touching", distance=0, region_min=[1, -1, -1], region_max=[1, 1, 1])
    j = verdict(["cube.obj", "far.obj", "--pose-b", "-3,0,0"], 1, "touching", regions=1)
    r = j["largest_regions"][0]
    check("a region of contact", (r["area"], r["length"], r["min"], r["max"], r["pairs"]) == (4, 0, [1, -1, -1], [1, 1, 1], j["pairs"]), r)
    for other, pose, words in (
        ("far.obj", "-3,0,0", "the models touch"),
        ("far.obj", "-3.5,0,0", "the models overlap; the surfaces cross"),
        ("far.obj", "0,0,0", "apart"),
        ("far.obj", "-5,0,0", "the models are identical"),
        ("small.obj", "0,0,0", "B is inside A; the surfaces are apart"),
        ("small.obj", "0.75,0,0", "B is inside A; the surfaces touch"),
        ("open.obj", "0,0,0", "the surfaces cross"),
    ):
        _, text, _ = run(["check", "cube.obj", other, "--pose-b", pose])
        check("verdict as text", "verdict: %s\n" % words in text, text)
    _, text, _ = run(["check", "cube.obj", "small.obj", "--pose-a", "0.8,0.6,0,0,0.1,0.2,0.3"])
    check("no rounded zeros in the text", "e-1" not in text.split("all within")[-1].split("distance")[0], text)
    c, text, _ = run(["check", "cube.obj", "far.obj", "--pose-b", "-3,0,0"])
    check("regions as text", "connected regions of contact: 1\n  area 4, %d pairs, (1, -1, -1) to (1, 1, 1)\n" % j["pairs"] in text, text)
    verdict(["cube.obj", "far.obj", "--pose-b", "-2.9999999999999996,0,0"], 0, "apart")
    verdict(["cube.obj", "far.obj", "--pose-a", "0,0,0,2,10,0,0", "--pose-b=5,0,0"], 1, "identical", identical=False)  # turned upside down
    verdict(["cube.obj", "cube.obj", "--pose-a", '{"rotation":[1,0,0,1],"translation":[9,0,0]}', "--limit", "3"], 0, "apart", distance=7)
    verdict(
        ["cube.obj", "far.obj", "--pose-b", "-3.0000000000000004,0,0"], 1, "overlapping", surfaces="crossing", crossing_pairs=0
    )  # faces in common planes: no triangle crosses another
    verdict(["cube.obj", "far.obj", "--pose-b", "-3.5,0.25,0.25"], 1, "overlapping", relation="overlapping", surfaces="crossing")
    verdict(["cube.obj", "cube.obj", "--pose-b", "1,0,0"], 1, "overlapping", crossing_pairs=0, relation="overlapping", surfaces="crossing")
    verdict(["cube.obj", "small.obj"], 1, "b_in_a", distance=0.75, pairs=0, relation="b_in_a")
    verdict(["small.obj", "cube.obj"], 1, "a_in_b", relation="a_in_b")
    verdict(["small.obj", "open.obj"], 1, "crossing", surfaces="crossing", relation=None)
    j = verdict(["cube.obj", "cube.obj", "--limit", "2"], 1, "identical", surfaces="touching", identical=True, relation="identical")
    check("limit", len(j.get("places", [])) == 2 and j["pairs"] > 2, j)
    j = verdict(["open.obj", "open.obj"], 1, "identical", surfaces="touching", pairs=1, crossing_pairs=0, identical=True, relation=None)
    check("place", j["places"][0].get("part_a") == "flap" and j["places"][0]["point"][2] == 0, j)
    check("a region's parts", j["largest_regions"][0]["parts_a"] == ["flap"] == j["largest_regions"][0]["parts_b"] and j["largest_regions"][0]["area"] > 0, j)
    c, text, _ = run(["check", "open.obj", "open.obj"])
    check("a region's parts as text", ", A flap with B flap, 1 pair, " in text, text)
    j = verdict(["cube.obj", "small.obj", "--pose-b", "1,0,0", "--explain"], 1, "overlapping")
    e = j.get("explain", {})
    # Identical: the same oriented triangles, whatever their order, first corners, vertex order and the sign of 0; not when one is flipped, missing or moved.
    flap = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 2 3\nf 1 3 4\n"
    same = {"reordered": "v 0 0 2\nv -0 1 -0\nv 0 -0 0\nv 1 0 0\nf 2 1 3\nf 4 2 3\n", "repeated": flap + "f 3 1 2\n", "thin": flap + "f 1 1 2\nf 1 2 1\n"}
    other = {
        "turned over": flap.replace("f 1 2 3", "f 1 3 2"),
        "less": flap.replace("f 1 3 4\n", ""),
        "more": flap + "f 1 2 4\n",
        "moved": flap.replace("v 0 0 2", "v 0 0 2.0000000000000004"),
    }
    for name, text in {"flap": flap, "thinner": flap + "f 2 1 1\n", **same, **other}.items():
        with open(name + ".obj", "w") as f:
            f.write(text)
    for name in same:
        c, out, _ = run(["check", "thinner.obj" if name == "thin" else "flap.obj", name + ".obj"])
        check("identical: " + name, c == 1 and "verdict: the models are identical\n" in out, out)
    for name in other:
        c, out, _ = run(["check", name + ".obj", "flap.obj"])
        check("not identical: " + name, c == 1 and "identical" not in out, out)
        verdict([name + ".obj", "flap.obj"], 1, "touching", identical=False)
    turn = '{"rotation":[1,0,0,1]}'
    verdict(["flap.obj", "flap.obj", "--pose-a", turn, "--pose-b", turn], 1, "identical", surfaces="touching", identical=True)
    verdict(["flap.obj", "flap.obj", "--pose-a", turn], 1, "touching", identical=False)
    verdict(["cube.obj", "far.obj", "--pose-b", "-5,0,0"], 1, "identical", surfaces="touching", identical=True)
    check("explain", e.get("possible_pairs") == 144 and e.get("hits") == j["pairs"], j)
    tiers = ["decided_by_filter", "decided_by_pairs_of_doubles", "decided_by_fixed_width", "decided_by_any_width"]

    def explained(*args):
        """How many decisions fell in each tier: for the verdict, and after it."""
        _, out, _ = run(["check", *args, "--json", "--explain"])
        e = json.loads(out)["explain"]
        return [[where[tier] for tier in tiers] for where in (e, e["after_verdict"])]

    few, many = (explained("cube.obj", "small.obj", "--pose-b", "1,0,0", "--limit", n) for n in ("0", "10"))
    check("explain: places do not count for the verdict", few[0] == many[0] and sum(few[0]) > 0 and sum(few[1]) < sum(many[1]), (few, many))
    apart = explained("cube.obj", "far.obj")
    check("explain: nor does the distance", sum(apart[0]) == 0 and sum(apart[1]) > 0, apart)
    c, text, _ = run(["check", "cube.obj", "far.obj", "--explain"])
    lines = [line.strip().split(",")[0].split(":")[0] for line in text.split("explained:")[1].splitlines()]
    for_verdict, after = lines.index("decided for the verdict"), lines.index("decided for the distance")
    check(
        "explain: tiers as text", lines[for_verdict + 1 : for_verdict + 5] == lines[after + 1 : after + 5] and "in pairs of doubles" in lines[after + 2], text
    )
    for args, code, word in (
        (["cube.obj"], 2, "B is required"),
        (["cube.obj", "no.obj"], 3, "no.obj"),
        (["cube.obj", "bad.obj"], 3, "bad.obj"),
        (["cube.obj", "far.obj", "--pose-a", "1,2"], 2, "--pose-a"),
        (["cube.obj", "far.obj", "--pose-a", "0,0,0,0,1,1,1"], 2, "--pose-a"),
        (["cube.obj", "far.obj", "--pose-b", "1,x,3"], 2, '"x"'),
        (["cube.obj", "far.obj", "--limit", "-3"], 2, "limit"),
    ):
        c, out, err = run(["check"] + args)
        check("check " + " ".join(args), c == code and word in err and out == "", (c, out, err))
    c, out, err = run(["check", "empty.obj", "cube.obj", "--json"])
    check("an empty model", c == 3 or (c == 0 and json.loads(out)["verdict"] == "apart"), (c, out, err))


def test_sweep():
    def moved(args, code, **fields):
        c, out, err = run(["sweep"] + args + ["--json"])
        j = json.loads(out) if out else {}
        check("sweep " + " ".join(args), c == code and j.get("hit") is (code == 1) and all(j.get(k) == v for k, v in fields.items()), (c, out, err))
        c2, text, _ = run(["sweep"] + args)
        lines = dict(l.split(": ", 1) for l in text.splitlines() if ": " in l)
        check("sweep as text", c2 == code and (lines.get("verdict") == "no contact on the way" if code == 0 else bits(lines["t"]) == bits(j["t"])), text)
        return j, text

    mesh = {"type": "mesh", "path": "cube.obj"}
    far = {"type": "mesh", "path": "far.obj"}
    j, text = moved(["cube.obj", "far.obj", "--by", "7,0,0"], 1, normal=[-1, 0, 0], started_inside=False, departing=False, moved=True)
    answer = ask({"op": "sweep", "a": mesh, "motion": [7, 0, 0], "b": far})[0][0]
    check(
        "sweep: the fields of the query",
        {k: v for k, v in j.items() if k not in ("safe_pose", "notes")} == {k: v for k, v in answer.items() if k != "id"},
        (j, answer),
    )
    check(
        "sweep: at the contact",
        bits(j["t"]) == bits(3 / 7)
        and j["point"][0] == 4
        and "triangle of A: %d\n" % j["triangle_a"] in text
        and "triangle of B: %d\n" % j["triangle"] in text,
        (j, text),
    )
    safe = text.split("--pose-a=")[1].split()[0]
    check("sweep: the safe placement", j["safe_pose"] == {"translation": [float(x) for x in safe.split(",")]} and 2.99 < j["safe"][0] < 3, text)
    check("sweep: apart where it is safe", run(["check", "cube.obj", "far.obj", "--pose-a=" + safe])[0] == 0, text)
    moved(["cube.obj", "far.obj", "--by", "3,0,0"], 1, t=1)
    moved(["cube.obj", "far.obj", "--by", "2.9999999999999996,0,0"], 0, t=None)
    moved(["cube.obj", "far.obj", "--by=-3,0,0"], 0)
    moved(["cube.obj", "far.obj", "--pose-a=-1,0,0", "--pose-b", "3,0,0", "--by", "14,0,0"], 1, t=0.5)
    # contact at the start
    _, text = moved(["open.obj", "open.obj", "--by", "0,0,1"], 1, t=0, started_inside=True, departing=True, triangle_a=0, triangle=0)
    check("sweep: leaves at once", "leaves at once" in text and "triangle of A: 0 of flap" in text, text)
    moved(["open.obj", "open.obj", "--by", "0,0,1", "--skip-departing"], 0)
    _, text = moved(["cube.obj", "far.obj", "--pose-b=-4,0,0", "--by", "9,0,0"], 1, t=0, started_inside=True, departing=False, moved=False)
    check("sweep: stays in", "at the start" in text and "none on the way" in text, text)
    moved(["small.obj", "cube.obj", "--by", "0.5,0,0"], 0)
    moved(["small.obj", json.dumps({"type": "solid", "path": "cube.obj"}), "--by", "0.5,0,0"], 1, t=0)
    # shapes; --pose-a replaces the shape's own pose
    moved([json.dumps({"type": "point", "point": [-3, 0, 0]}), json.dumps(BALL), "--by", "4,0,0"], 1, t=0.5, point=[-1, 0, 0])
    placed = json.dumps(dict(BALL, pose={"translation": [0, 50, 0]}))
    moved([" " + placed, "cube.obj", "--by", "8,0,0"], 0)
    moved([placed, "cube.obj", "--pose-a=-4,0,0", "--by", "8,0,0"], 1, t=0.25)
    compound = {
        "type": "compound",
        "children": [
            {"type": "sphere", "center": [9, 9, 9], "radius": 1},
            {"type": "mesh", "path": "open.obj", "pose": {"rotation": [1, 0, 1, 0], "translation": [0, -0.25, 0.25]}},
        ],
    }
    _, text = moved([json.dumps({"type": "point", "point": [-3, 0, 0]}), json.dumps(compound), "--by", "9,0,0"], 1, part=1, triangle=0)
    check("sweep: the child of a compound", "child of B: 1" in text and "triangle of B: 0 of flap" in text, text)
    # rotation: an eighth of a turn about z puts an edge of the cube 1.41 from its centre
    j, text = moved(["cube.obj", "far.obj", "--to", "1,0,0,1,6,0,0", "--tolerance", "1e-9"], 1, budget_ended=False, departing=None, moved=True)
    t, pose = j["t"], text.split("--pose-a='")[1].split("'")[0]
    half = t * 1.5707963267948966
    check("sweep: turning", 0 <= 3 - 6 * t - (abs(math.sin(half)) + abs(math.cos(half)) - 1) < 1.1e-9, (t, text))
    check(
        "sweep: turning, the safe placement",
        json.loads(pose) == j["safe_pose"] and run(["check", "cube.obj", "far.obj", "--pose-a=" + pose])[0] == 0,
        (text, pose),
    )
    straight = moved(["cube.obj", "far.obj", "--to", "6,0,0"], 1)[0]["t"]
    check("sweep: without a turn", 0 <= 0.5 - straight < 1e-6, straight)
    moved(["cube.obj", "far.obj", "--to", "1,0,0,1,0,9,0"], 0)
    same = ["sweep", "cube.obj", "far.obj", "--to", "1,2,3,4,6,0,0", "--json"]
    check("sweep: same bytes", run(same + ["--threads", "1"]) == run(same + ["--threads", "5"]))
    by = ["--by", "1,2,3"]
    for args, code, word in (
        (["cube.obj", "far.obj", "--by", "1,2"], 2, "--by: has 2 numbers"),
        (["cube.obj", "far.obj", "--by", "1,x,3"], 2, '--by: number 2 is "x"'),
        (["cube.obj", "far.obj", "--by", "1e999,0,0"], 2, "finite"),
        (["cube.obj", "far.obj", "--to", "1,2"], 2, "--to: has 2"),
        (["cube.obj", "far.obj", "--to", "0,0,0,0,1,2,3"], 2, "--to"),
        (["cube.obj", "far.obj", "--to", "1,2,3", "--tolerance", "nan"], 2, "--tolerance"),
        (["cube.obj", "far.obj", "--to", "1,2,3", "--tolerance", "0"], 2, "--tolerance"),
        (["cube.obj", "far.obj", "--pose-b", "1,2"] + by, 2, "--pose-b"),
        (["cube.obj", "no.obj"] + by, 3, "no.obj"),
        (["bad.obj", "cube.obj"] + by, 3, "bad.obj: line 2"),
        (["cube.obj", json.dumps(dict(BALL, radius=-1))] + by, 3, "B.radius: is -1"),
        (['{"type"', "cube.obj"] + by, 3, "A: column 8"),
        (['{"type":"blob"}', "cube.obj"] + by, 3, "A.type"),
        (['{"type":"solid","path":"open.obj"}', "cube.obj"] + by, 3, "A.path"),
        (["", "cube.obj"] + by, 3, ""),
        (
            ['{"type":"line","origin":[0,0,0],"direction":[0,0,1]}', '{"type":"plane","point":[9,0,0],"normal":[1,0,0]}', "--to", "1,0,0,1,0,0,0"],
            3,
            "without end",
        ),
        ([json.dumps({"type": "point", "point": [1e308, 0, 0]}), "cube.obj", "--pose-a=1.7e308,0,0"] + by, 3, "--pose-a"),
    ):
        c, out, err = run(["sweep"] + args)
        check("sweep " + " ".join(args), c == code and word in err and out == "", (c, out, err))


def test_tables():
    rays = "ox,oy,oz,dx,dy,dz\r\n0.25,0.5,9,0,0,-2\r\n# a comment\r\n\r\n5,5,5,0,0,1\r\n0.25,0.5,9,0,0,-1,7.5\r\n0.25,0.5,9,0,0,-1,8\r\n 0.25 , 0.5 , 9 , 0 , 0 , -1 , inf"
    with open("rays.csv", "w", newline="") as f:
        f.write(rays)
    code, out, err = run(["cast", "cube.obj", "rays.csv"])
    rows = [l.split(",") for l in out.splitlines()]
    check(
        "cast",
        code == 1
        and rows[0] == "hit,t,x,y,z,nx,ny,nz,triangle".split(",")
        and [r[0] for r in rows[1:]] == ["1", "0", "0", "1", "1"]
        and all(len(r) == 9 for r in rows),
        out + err,
    )
    check("cast: values", rows[1][1:8] == ["4", "0.25", "0.5", "1", "0", "0", "1"], rows[1])
    code, out, _ = run(["cast", "cube.obj", "-", "--json"], rays)
    answers = [json.loads(l) for l in out.splitlines()]
    check(
        "cast as JSON",
        code == 1 and [(a["line"], a["hit"]) for a in answers] == [(2, True), (5, False), (6, False), (7, True), (8, True)] and answers[0]["t"] == 4,
        out,
    )
    check("cast: nothing found", run(["cast", "cube.obj", "-"], "5,5,5,0,0,1\n")[0] == 0)
    many = "".join("%r,%r,9,0,0,-1\n" % (random.Random(i).uniform(-2, 2), i / 3000) for i in range(3000))
    check("cast: same bytes", run(["cast", "cube.obj", "-", "--threads", "1"], many) == run(["cast", "cube.obj", "-", "--threads", "5"], many))
    for table, word in (
        ("0,0,0,0,0,1\n1,2\n", "line 2: has 2 columns"),
        ("0,0,0,0,0,0\n", "must not be zero"),
        ("0,0,0,0,0,1\n0,0,nan,0,0,1\n", "column 3 (oz)"),
        ("1,2,3,4,5,1e999\n", "column 6 (dz)"),
        ("1,2,3,4,5,6,7,8\n", "more than 7 columns"),
        ("a,b,c\nd,e,f\n", "line 2"),
    ):
        code, out, err = run(["cast", "cube.obj", "-"], table)
        check("cast of " + repr(table), code == 3 and "standard input: line" in err and word in err, (code, err))
    quoted = '"0.5","0.5","5","0","0","-1"'
    for table in (quoted, quoted + "\n" + quoted, '"ox","oy","oz","dx","dy","dz"\n' + quoted, ' "0.5" ,0.5, 5,0,"0",-1'):
        code, out, err = run(["cast", "cube.obj", "-"], table)
        lines = [line for line in out.splitlines() if line[:1].isdigit()]
        check("cast: quoted %r" % table, code == 1 and len(lines) == 1 + (table.count(quoted) == 2) and all(",4," in x for x in lines), out + err)
    for table, message in (('"0.5,0,0,0,0,1', "quotation mark is not closed"), ('"0.5"x,0,0,0,0,1', 'found "x" behind a quotation mark, must be a comma')):
        code, out, err = run(["cast", "cube.obj", "-"], table)
        check("cast: bad quotes", code == 3 and message in err, out + err)
    check("cast: no table", run(["cast", "cube.obj", "none.csv"])[0] == 3 and "none.csv" in run(["cast", "cube.obj", "none.csv"])[2])
    code, out, err = run(["cast", "cube.obj", "-", "--bounce"], "ox,oy,oz,dx,dy,dz\n0.25,0.5,4,0,0,-12\n5,5,5,0,0,1\n0,0,0,0,0,-100\n1,1,1.5,0,0,0\n")
    rows = [l.split(",") for l in out.splitlines()]
    check(
        "cast --bounce",
        code == 1
        and rows[0] == "hits,x,y,z,vx,vy,vz,stopped,t,hx,hy,hz,nx,ny,nz,triangle".split(",")
        and all(len(r) == 16 for r in rows)
        and [r[0] for r in rows[1:]] == ["1", "0", "10", "0"],
        out + err,
    )
    values = [[float(x) for x in r[1:8]] for r in rows[1:]]
    wanted = [[0.25, 0.5, 10, 0, 0, 12, 0], [5, 5, 6, 0, 0, 1, 0], [0, 0, -1, 0, 0, 0, 1], [1, 1, 1.5, 0, 0, 0, 0]]
    check("cast --bounce: the new vectors and places", all(abs(x - y) < 1e-12 for v, w in zip(values, wanted) for x, y in zip(v, w)), values)
    check(
        "cast --bounce: the place of the hit",
        rows[1][8:15] == ["0.25", "0.25", "0.5", "1", "0", "0", "1"] and rows[1][15].isdigit() and rows[2][8:] == [""] * 8,
        rows,
    )
    code, out, _ = run(
        ["cast", "cube.obj", "-", "--bounce", "--json", "--restitution", "0.5", "--friction", "0.25", "--max-bounces", "1"], "0,0.5,2.25,1,0,-4\n"
    )
    j = json.loads(out)
    check("cast --bounce as JSON", code == 1 and j["velocity"] == [0, 0, 2] and j["point"] == [0.3125, 0.5, 1], out)
    check("cast --bounce: nothing met", run(["cast", "cube.obj", "-", "--bounce"], "5,5,5,0,0,1\n")[0] == 0)
    for more, table, c in (
        (["--restitution", "2", "--bounce"], "", 2),
        (["--friction=-1", "--bounce"], "", 2),
        (["--max-bounces", "3"], "", 2),
        (["--bounce"], "0,0,0,0,0,1,5\n", 3),
    ):
        check("cast " + " ".join(more), run(["cast", "cube.obj", "-"] + more, table)[0] == c)
    code, out, err = run(["closest", "cube.obj", "-"], "x,y,z\n4,0.25,0.5\n1,0.25,0.5\n")
    rows = [l.split(",") for l in out.splitlines()]
    check("closest", code == 0 and rows[1][:4] == ["3", "1", "0.25", "0.5"] and rows[2][:4] == ["0", "1", "0.25", "0.5"] and rows[1][4].isdigit(), out + err)
    code, out, _ = run(["closest", "cube.obj", "-", "--json"], "4,0.25,0.5\n")
    j = json.loads(out)
    check("closest as JSON", code == 0 and j["distance"] == 3 and j["point"] == [1, 0.25, 0.5] and j["line"] == 1, out)
    check("closest of a bad row", run(["closest", "cube.obj", "-"], "1,2,x\n")[0] == 3)


if __name__ == "__main__":
    sys.exit(run_all([test_check, test_sweep, test_tables]))
