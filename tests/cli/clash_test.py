#!/usr/bin/env python3
"""graze clash: models and jobs, results and exit codes, statuses by hand, two runs at once.  clash_test.py [PATH OF graze]   (default: $GRAZE)"""
import base64
import csv
import glob
import json
import os
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET

from tool import GRAZE, check, cut_box, run, run_all

SHARED = os.environ.get("GRAZE_SHARED", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "shared"))


def box(name, lo, hi, first):
    corners = [(x, y, z) for z in (lo[2], hi[2]) for y in (lo[1], hi[1]) for x in (lo[0], hi[0])]
    faces = [(1, 3, 2), (2, 3, 4), (5, 6, 7), (6, 8, 7), (1, 2, 5), (2, 6, 5), (3, 7, 4), (4, 7, 8), (1, 5, 3), (3, 5, 7), (2, 4, 6), (4, 8, 6)]
    return "g %s\n" % name + "".join("v %g %g %g\n" % c for c in corners) + "".join("f %d %d %d\n" % tuple(i + first for i in f) for f in faces)


def model(path, boxes):
    with open(path, "w") as f:
        f.write("".join(box(n, lo, hi, 8 * k) for k, (n, lo, hi) in enumerate(boxes)))


def results(folder):
    with open(os.path.join(folder, "clash.json")) as f:
        lines = [json.loads(line) for line in f]
    return lines[0], lines[1:]


BLOCKS = [
    ("block", (0, 0, 0), (10, 10, 10)),
    ("across", (9, 4, 4), (12, 6, 6)),
    ("beside", (10, 8, 8), (12, 9, 9)),
    ("close", (4, 4, 10.5), (6, 6, 12)),
    ("inside", (1, 1, 1), (2, 2, 2)),
]


def test_results_of_other_models():
    """Approvals are not wiped by a run on another model into the same folder."""
    model("plant.obj", BLOCKS)
    model("other.obj", BLOCKS[:1])
    plan = [["clash", "plan", "other.obj", "-o", "other-plan"], ["clash", "run", "other-plan"]]
    run(["clash", "plant.obj", "--out", "mine"])
    _, found = results("mine")
    run(["clash", "approve", found[0]["id"], "--note", "by hand", "--out", "mine"])
    before = open("mine/clash.json").read()
    for words in (["clash", "other.obj"], ["clash", "other.obj", "--fresh"], plan[0], plan[1], ["clash", "merge", "other-plan"]):
        writes = words not in plan
        code, out, err = run(words + (["--out", "mine"] if writes else []))
        if writes:
            check(
                "other models are refused",
                code == 2 and not out and 'in mine are of "plant", this run is of "other"' in err and "--start-over" in err,
                (words, code, err),
            )
            check("nothing is lost", open("mine/clash.json").read() == before, words)
    code, out, err = run(["clash", "other.obj", "plant.obj", "--out", "mine"])
    check("one model in common", code == 1 and [c["note"] for c in results("mine")[1] if c["status"] == "approved"] == ["by hand"], err)
    check("models of the run", results("mine")[0]["models"] == ["other", "plant"], results("mine")[0])
    code, out, err = run(["clash", "other.obj", "--start-over", "--out", "mine"])
    head, found = results("mine")
    check("start over", code == 0 and head["run"] == 1 and head["models"] == ["other"] and not found, (err, head, found))
    code, out, err = run(["clash", "plant.obj", "--out", "mine"])
    check("also results without findings are of a model", code == 2 and 'are of "other", this run is of "plant"' in err, err)
    for words in (
        ["clash", "plan", "other.obj", "-o", "p2", "--start-over"],
        ["clash", "approve", "x", "--fresh"],
        ["clash", "other.obj", "--fresh", "--start-over"],
    ):
        check("without effect", run(words)[0] == 2, words)


def test_models_and_results():
    model("m.obj", BLOCKS)
    code, out, err = run(["clash", "m.obj", "--clearance", "1", "--out", "r1"])
    check("exit code 1", code == 1, (code, err))
    check("summary", "5 parts, 5 meshes, 60 triangles" in out and "overlapping" in out and "r1/clash.json" in out, out)
    head, found = results("r1")
    verdicts = sorted((c["a"], c["b"], c["verdict"]) for c in found)
    check(
        "findings",
        verdicts
        == [
            ("m/across", "m/block", "overlapping"),
            ("m/beside", "m/block", "touching"),
            ("m/block", "m/close", "near"),
            ("m/block", "m/inside", "b_in_a"),
        ],
        verdicts,
    )
    check("sorted by id", [c["id"] for c in found] == sorted(c["id"] for c in found))
    near = [c for c in found if c["verdict"] == "near"][0]
    check("distance", near["distance"] == 0.5 and near["point"][2] == 10, near)
    with open("r1/clash.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    check("table", [r["id"] for r in rows] == [c["id"] for c in found] and rows[0]["a"] == found[0]["a"], rows[:1])
    check("groups in the table", {r["group"] for r in rows} == {"1"}, rows)
    suites = ET.parse("r1/junit.xml").getroot()
    check("test report", suites.get("failures") == "4" and len(suites.findall("testsuite/testcase/failure")) == 4, suites.attrib)
    code, out, _ = run(["clash", "m.obj", "--ignore-touching", "--out", "r2", "--json"])
    j = json.loads(out)
    check("summary as JSON", code == 1 and j["verdicts"]["touching"] == 0 and j["verdicts"]["overlapping"] == 1 and j["pairs"] >= 3, out)
    model("apart.obj", [BLOCKS[0], ("far", (20, 0, 0), (21, 1, 1))])
    code, out, _ = run(["clash", "apart.obj", "--out", "r3"])
    check("nothing found", code == 0 and "nothing found" in out, out)


def test_statuses():
    model("s.obj", BLOCKS)
    run(["clash", "s.obj", "--out", "s"])
    _, found = results("s")
    over = [c for c in found if c["verdict"] == "overlapping"][0]["id"]
    code, out, err = run(["clash", "approve", over, "--out", "s", "--note", "as drawn, \"x\""])
    check("approve", code == 0 and over in out and "approved" in out, out + err)
    code, out, _ = run(["clash", "s.obj", "--out", "s", "--json"])
    j = json.loads(out)
    check("reused", j["reused"] == 3 and j["decided"] == j["pairs"] - 3 and j["run"] == 2, out)
    check("approved stays", j["statuses"] == {"new": 0, "active": 2, "reviewed": 0, "approved": 1, "resolved": 0}, out)
    for c in found:
        run(["clash", "review", c["id"], "--out", "s"])
    check("exit code without open findings", run(["clash", "s.obj", "--out", "s"])[0] == 0)
    os.makedirs("before", exist_ok=True)
    with open("s/clash.json", "rb") as f, open("before/clash.json", "wb") as g:
        g.write(f.read())
    model("s.obj", BLOCKS[:2] + [("new", (5, 5, -1), (6, 6, 1))])
    code, out, _ = run(["clash", "s.obj", "--out", "s"])
    check("gone is resolved, and a new one", code == 1 and "resolved" in out, out)
    for place in (0, 5):
        model("moved.obj", [("a", (0, 0, 0), (1, 1, 1)), ("b", (place, 0, 0), (place + 1, 1, 1))])
        run(["clash", "moved.obj", "--out", "moved"])
    gone = results("moved")[1][0]["id"]
    code, out, _ = run(["clash", "explain", "moved.obj", gone, "--out", "moved"])
    check("explain what is gone", code == 0 and "now: no finding" in out and "it is resolved; the last run that found it said identical" in out, out)
    check("explain what is gone, without blame", "another rule" not in out, out)
    code, _, err = run(["clash", "approve", gone, "--out", "nowhere"])
    check("no results, and no folder is made", code == 3 and "nowhere/clash.json" in err and not os.path.exists("nowhere"), err)
    code, out, _ = run(["clash", "diff", "before", "s"])
    check("diff", code == 1 and "New:\n" in out and "Gone:\n" in out and "s/new" in out, out)
    check("no difference", run(["clash", "diff", "s", "s"])[:2] == (0, "no difference\n"))
    code, out, _ = run(["clash", "explain", "s.obj", over, "--out", "s"])
    check("explain", code == 0 and "now: overlapping" in out and "12 triangles, closed" in out and "as drawn" in out, out)
    model("e.obj", BLOCKS)
    run(["clash", "s.obj", "e.obj", "--clearance", "20", "--min-penetration", "0.5", "--out", "rule"])
    other = "rule/clash.json was decided by another rule, or with other shapes or places: it says "
    for c in [f for f in results("rule")[1] if f["verdict"] in ("near", "overlapping")][:6]:
        rule = ["--clearance", "20", "--min-penetration", "0.5"]
        for options, same in ((rule, True), (rule + ["--depth"], True), ([], False), (rule + ["--ignore-touching"], False)):
            code, out, err = run(["clash", "explain", "s.obj", "e.obj", c["id"], "--out", "rule"] + options)
            shown = 'test "all": clearance %s mm, least penetration %s mm' % (("20", "0.5") if options else ("0", "0"))
            check("explain shows its rule", code == 0 and shown in out and "(by the options of this command)" in out, out + err)
            check("explain tells another rule", (other + c["verdict"] in out) != same and ("Give the options of that run" in out) != same, out)
    c = next(f for f in results("rule")[1] if f["a"].startswith("e/") and f["b"].startswith("s/"))
    code, out, err = run(["clash", "explain", "e.obj", c["id"], "--out", "rule"])
    check("explain without a part", code == 0 and "is no part of the job any more" in out, out + err)
    code, _, err = run(["clash", "approve", "0123", "--out", "s"])
    check("unknown id", (code, err) == (3, 'graze: s/clash.json has no finding "0123"\n'), err)


def test_same_bytes():
    model("t.obj", BLOCKS)
    read = []
    for threads in ("1", "2", "8"):
        folder = "t" + threads
        run(["clash", "t.obj", "--clearance", "1", "--threads", threads, "--out", folder])
        read.append([open(os.path.join(folder, n), "rb").read() for n in ("clash.json", "clash.csv", "junit.xml")])
    check("same bytes for any number of threads", read[0] == read[1] == read[2])


def test_parts_that_are_easily_lost():
    cubes = [("Cube", (0, 0, 0), (2, 2, 2)), ("Cube", (1, 1, 1), (3, 3, 3))]
    with open("cubes.obj", "w") as f:
        f.write("".join(box(n, lo, hi, 8 * k).replace("g ", "o ", 1) for k, (n, lo, hi) in enumerate(cubes)))
    run(["clash", "cubes.obj", "--out", "cubes"])
    check("two objects of one name", [(c["a"], c["b"], c["verdict"]) for c in results("cubes")[1]] == [("cubes/Cube", "cubes/Cube#2", "overlapping")])
    model("huge.obj", [("all", (-1.7e308,) * 3, (1.7e308,) * 3), ("one", (0, 0, 0), (1, 1, 1))])
    run(["clash", "huge.obj", "--out", "huge"])
    check("a part beyond all doubles", [c["verdict"] for c in results("huge")[1]] == ["b_in_a"], results("huge"))
    names = ["Tr\u00e4ger", "Tr\u00fcger"]
    with open("latin.obj", "wb") as f:
        f.write("".join(box(n, (0, 0, 0), (1, 1, 1), 8 * k) for k, n in enumerate(names)).encode("latin-1"))
    run(["clash", "latin.obj", "--out", "latin"])
    head, found = results("latin")
    check("names in Latin-1", [(c["a"], c["b"]) for c in found] == [tuple("latin/" + n for n in names)] and "Latin-1" in head["notes"][0], (head, found))
    with open("pattern.json", "w") as f:
        json.dump({"graze_clash": 1, "models": [{"path": "latin.obj"}], "groups": {"g": "latin/Tr?ger"}, "tests": [{"id": "t", "a": "g", "b": "g"}]}, f)
    check("? is a character", run(["clash", "pattern.json", "--out", "pattern"])[0] == 1)
    model("cm.obj", [("a", (0, 0, 0), (70, 70, 70))])
    model("m.obj", [("b", (0.7, 0, 0), (2, 1, 1))])
    with open("units.json", "w") as f:
        json.dump({"graze_clash": 1, "unit": "m", "models": [{"path": "cm.obj", "unit": "cm"}, {"path": "m.obj"}]}, f)
    run(["clash", "units.json", "--out", "units"])
    check("70 cm are .7 m", [c["verdict"] for c in results("units")[1]] == ["touching"], results("units"))


def test_paths_of_parts():
    def stl(path, name):
        corners, faces = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
        facets = ["facet normal 0 0 0\nouter loop\n%sendloop\nendfacet\n" % "".join("vertex %g %g %g\n" % corners[i] for i in f) for f in faces]
        with open(path, "w") as f:
            f.write("solid %s\n%sendsolid\n" % (name, "".join(facets)))

    os.makedirs("site/fittings", exist_ok=True)
    stl("pump.stl", "")
    stl("site/pump.stl", "made by a program")
    stl("site/fittings/pump.stl", "")
    run(["clash", "pump.stl", "site", "site/pump.stl", "--out", "paths"])
    paths = {p for c in results("paths")[1] for p in (c["a"], c["b"])}
    check("paths of STL files and of a folder", paths == {"pump/pump", "pump-2/pump", "site/pump", "site/fittings/pump"}, paths)


def test_two_runs_at_once():
    model("l.obj", BLOCKS)
    run(["clash", "l.obj", "--out", "l"])
    _, found = results("l")
    both = [subprocess.Popen([GRAZE, "clash", "approve", c["id"], "--out", "l"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for c in found]
    check("all end", all(p.wait(60) == 0 for p in both))
    check("no status is lost", all(c["status"] == "approved" for c in results("l")[1]), results("l")[1])


def test_jobs_and_errors():
    model("j.obj", BLOCKS)
    job = {
        "graze_clash": 1,
        "models": [{"id": "m", "path": "j.obj"}],
        "groups": {"block": "m/block"},
        "tests": [{"id": "one", "a": "block", "b": "*", "clearance": 1}],
        "exclude": [{"pair": ["m/inside", "m/*"], "reason": "lift", "until": "2026-01-31"}],
    }

    def write(**changes):
        with open("job.json", "w") as f:
            json.dump({**job, **changes}, f)

    write()
    code, out, err = run(["clash", "job.json", "--date", "2026-01-31", "--out", "j"])
    check("job", code == 1 and len(results("j")[1]) == 3 and results("j")[1][0]["date"] == "2026-01-31", out + err)
    code, out, _ = run(["clash", "job.json", "--date", "2026-02-01", "--out", "j"])
    check("exclusion that is over", len(results("j")[1]) == 4 and "over since 2026-01-31 (lift)" in out, out)
    idle = {"pair": ["m/nobody", "m/*"], "reason": "sleeve"}
    write(
        groups={"block": "m/block", "bolts": "m/M12*"},
        exclude=[idle, {"pair": ["m/none*", "m/no"]}, {"pair": ["m/block", "**/blo*"]}, {"pair": ["m/c*", "m/b*"]}],
    )
    notes = [
        "groups.bolts: no test uses this group",
        'exclude: "m/nobody", "m/*" (sleeve): no part matches "m/nobody"',
        'exclude: "m/none*", "m/no": no part matches "m/none*" or "m/no"',
        'exclude: "m/block", "**/blo*": only one part matches, which is no pair',
    ]
    code, out, err = run(["clash", "job.json", "--out", "idle"])
    check("exclusions and groups without effect", results("idle")[0]["notes"] == notes and all("note: " + n + "\n" in out for n in notes), out + err)
    run(["clash", "plan", "job.json", "-o", "idle-plan"]), run(["clash", "run", "idle-plan"])
    run(["clash", "merge", "idle-plan", "--out", "idle-merged", "--no-html", "--no-bcf"])
    check("the same notes of a plan", results("idle-merged")[0]["notes"] == notes, results("idle-merged")[0])
    before = open("j/clash.json", "rb").read()
    for changes, message in (
        ({"tests": [{"id": "one", "a": "blocks", "b": "*"}]}, 'tests[0].a: is "blocks", but there is no group of this name'),
        ({"groups": {"block": "m/blocks"}}, 'job.json: test "one": a selects no part'),
        ({"models": [{"path": "nobody.glb"}]}, "nobody.glb: there is no such file"),
        ({"models": [{"path": "empty/"}]}, "there is no such file"),
        ({"test": []}, "test: is not a field here"),
        ({"unit": "parsec"}, 'unit: is "parsec"'),
        ({"models": [{"path": "j.obj", "deflection": 0}]}, "models[0].deflection: is 0, must be above 0 and at most 1"),
    ):
        write(**changes)
        code, out, err = run(["clash", "job.json", "--out", "j"])
        check("error of a job", code == 3 and message in err and out == "", (message, err))
    check("an error leaves the results as they are", open("j/clash.json", "rb").read() == before)
    for args, message in (
        (["clash"], "JOB|MODEL"),
        (["clash", "j.obj", "job.json"], "is a job, which stands alone"),
        (["clash", "job.json", "--clearance", "3"], "belong to models"),
        (["clash", "job.json", "--deflection", "0.001"], "--deflection belongs to models"),
        (["clash", "job.json", "--unit", "mm"], "--unit belongs to models"),
        (["clash", "job.json", "--most-pairs", "9"], "--most-pairs belongs to models"),
        (["clash", "j.obj", "--clearance", "-3"], "must be a length >= 0"),
        (["clash", "j.obj", "--solids", "yes"], "must be auto, required or surfaces"),
        (["clash", "j.obj", "--unit", "yard"], '--unit: is "yard", must be mm, cm, m, in or ft'),
        (["clash", "j.obj", "--bcf", "4"], "must be 2.1 or 3.0"),
        (["clash", "j.obj", "--date", "2026-13-01"], "must be a date as 2026-11-26"),
        (["clash", "j.obj", "--thumbnails", "-5"], '--thumbnails: is "-5", must be a whole number from 0 to 1000000'),
        (["clash", "j.obj", "--up", "w"], '--up: is "w", must be x, y or z'),
        (["clash", "j.obj", "--deflection", "2"], '--deflection: is "2", must be above 0 and at most 1'),
        (["clash", "j.obj", "--threads", "1.5"], '--threads: is "1.5", must be a whole number from 1 to 1024'),
        (["clash", "job.json", "--solids", "required"], 'a job states it as "solids"'),
        (["clash", "j.obj", "--note", "x"], "--note belongs to"),
        (["clash", "approve", "0123456789abcdef", "--clearance", "3"], "options of a run have no effect here"),
        (["clash", "approve"], "names no finding"),
        (["clash", "diff", "j", "j", "--json"], "has no answer as JSON"),
        (["clash", "j.obj", "--date", "2026-02-30"], "must be a date as 2026-11-26"),
        (["clash", "diff", "j"], "needs OLD and NEW"),
        (["clash", "explain", "j"], "needs a job, or models and folders, and ID"),
    ):
        code, _, err = run(args)
        check("usage", code == 2 and message in err, (args, code, err))
        check("one form", err.startswith("graze clash") and err.endswith("\nTry: graze clash --help\n") and err.count("clash:") <= 1, err)
    write()
    with open("job.json", "rb") as f:
        text = f.read()
    with open("job.json", "wb") as f:
        f.write(b"\xef\xbb\xbf" + text)
    check("a byte order mark", run(["clash", "job.json", "--out", "mark"])[0] == 1)
    with open("j/clash.json", "ab") as f:
        f.write(b"{}\n")
    code, _, err = run(["clash", "j.obj", "--out", "j"])
    check("damaged results", code == 3 and "j/clash.json: line 1: sha256:" in err, err)
    check("results that cannot be written", run(["clash", "j.obj", "--out", "j.obj/x"])[0] == 3)


def test_units_that_nobody_states():
    corners = base64.b64encode(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)).decode()
    gltf = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + corners}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}, {"mesh": 0, "translation": [0, 0, 0.02]}],
    }
    with open("u.gltf", "w") as f:
        json.dump(gltf, f)
    note = "u.gltf: declares the unit metre, but no unit is given: its numbers and all lengths are taken as mm"
    for options, noted in (([], True), (["--unit", "m"], False), (["--unit", "mm"], False)):
        _, out, err = run(["clash", "u.gltf", "--clearance", "25", "--out", "units", "--no-html", "--no-bcf"] + options)
        check("a unit that nobody states", ("note: " + note + "\n" in out) == noted and (results("units")[0]["notes"] == [note]) == noted, (options, out, err))


def test_assemblies_with_known_truth():
    maker = os.path.join(SHARED, "tools", "make_assembly.py")
    if not os.path.exists(maker):
        return
    kinds = {"touch": "touching", "clash": "overlapping", "clearance": "near", "duplicate": "identical"}
    for kind in ("plant", "machine"):
        for seed in ("3", "4"):
            subprocess.run(
                [sys.executable, maker, "--kind", kind, "--parts", "700", "--seed", seed, "--detail", "1", "--out", "a"], check=True, stdout=subprocess.DEVNULL
            )
            name = glob.glob("a/%s-700-s%s-*.glb" % (kind, seed))[0]
            with open(name[:-4] + ".truth.json") as f:
                truth = json.load(f)
            stem = os.path.basename(name)[:-4]
            expected = {}
            for i, j, what, value, _ in truth["pairs"]:
                if what == "clearance" and value is not None and value >= truth["limit"]:
                    continue
                a, b = (stem + "/" + truth["parts"][k] for k in (i, j))
                if what == "contained":
                    expected[tuple(sorted((a, b)))] = "b_in_a" if a < b else "a_in_b"
                else:
                    expected[tuple(sorted((a, b)))] = kinds[what]
            run(["clash", name, "--clearance", str(truth["limit"]), "--out", "a/out"])
            found = {(c["a"], c["b"]): c["verdict"] for c in results("a/out")[1] if c["status"] != "resolved"}
            wrong = [(p, expected.get(p), found.get(p)) for p in sorted({*expected, *found}) if expected.get(p) != found.get(p)]
            check("%s %s: %d pairs" % (kind, seed, len(expected)), not wrong, wrong[:5])
            for f in glob.glob("a/out/clash.*"):
                os.remove(f)


def test_junctions():
    """A corner on a neighbour's edge opens nothing; one that misses it by a rounding does, and the reason says by how much."""
    wall = ((0, 0, 0), (4, 4, 4))
    model("duct.obj", [("duct", (1, 1, 1), (2, 2, 2))])
    for x, z, verdict in ((3.5, 4, "a_in_b"), (1, 4.000000000000001, "not-evaluated"), (1, 4, "a_in_b")):
        with open("wall.obj", "w") as f:
            f.write(cut_box("wall", *wall, (x, 0, z)))
        run(["clash", "wall.obj", "duct.obj", "--start-over", "--out", "junctions"])
        found = results("junctions")[1]
        check("duct in a wall with a corner at %r" % z, [c["verdict"] for c in found] == [verdict], found)
        if verdict == "not-evaluated":
            named = re.search(r"; open by 9e-16: corner \d+ at \(1, 0, 4.000000000000001\) beside edge \d+-\d+;", found[0]["reason"])
            check("the reason", named, found[0]["reason"])
    job = {"graze_clash": 1, "unit": "mm", "models": [{"id": "wall", "path": "wall.obj"}, {"id": "duct", "path": "duct.obj"}]}
    with open("junctions.json", "w") as f:
        json.dump(job, f)
    run(["clash", "junctions.json", "--out", "whole"])
    for words in (["plan", "junctions.json", "-o", "junctions-plan"], ["run", "junctions-plan"], ["merge", "junctions-plan", "--out", "merged"]):
        code, out, err = run(["clash"] + words)
        check("clash %s" % words[0], code in (0, 1), (out, err))
    check("a plan keeps them", [c["verdict"] for c in results("merged")[1]] == ["a_in_b"] and results("merged")[1] == results("whole")[1], results("merged"))
    code, out, err = run(["pack", "wall.obj", "-o", "wall.graze"])
    run(["clash", "wall.graze", "duct.obj", "--out", "packed"])
    check("a tree file keeps them", code == 0 and [c["verdict"] for c in results("packed")[1]] == ["a_in_b"], (out, err))


def test_documents():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with open(os.path.join(root, "docs", "clash.md")) as f:
        page = f.read()
    example = re.search(r"```json\n(.*?)```", page, re.S).group(1)
    with open(os.path.join(root, "docs", "clash.schema.json")) as f:
        schema = json.load(f)
    job = json.loads(example)
    check("the example has the schema's fields", set(job) <= set(schema["properties"]), job)
    os.makedirs("structure", exist_ok=True)
    model("mep.obj", [("Duct-1", (0, 0, 0), (1, 1, 1)), ("M12", (2, 0, 0), (2.01, 0.01, 0.01)), ("Pipe-1", (4, 4, 4), (5, 5, 5))])
    model("structure/frame.obj", [("Beam 1", (0, 0, 0), (500, 500, 500)), ("Wall-7", (0, 0, 0), (1, 1, 1))])
    job["models"][0]["path"] = "mep.obj"
    with open("example.json", "w") as f:
        json.dump(job, f)
    code, out, err = run(["clash", "example.json", "--out", "example"])
    check("the example runs", code == 1 and '"test":"all"' in open("example/clash.json").read(), out + err)


sys.exit(
    run_all(
        [
            test_models_and_results,
            test_statuses,
            test_same_bytes,
            test_parts_that_are_easily_lost,
            test_paths_of_parts,
            test_two_runs_at_once,
            test_jobs_and_errors,
            test_assemblies_with_known_truth,
            test_junctions,
            test_documents,
        ]
    )
)
