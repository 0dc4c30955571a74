#!/usr/bin/env python3
"""The tool's information, help, messages and limits.  usage_test.py [PATH OF graze]   (default: $GRAZE)"""
import json
import math
import os
import random
import re
import subprocess
import sys

from tool import GRAZE, BALL, BOX, ask, check, cut_box, run, run_all


def test_info_shapes_usage():
    code, out, err = run(["info", "cube.obj", "--json"])
    j = json.loads(out) if out else {}
    corners = {"A": [-1, -1, -1], "B": [-1, 1, -1], "C": [1, 1, -1], "D": [1, -1, -1], "E": [-1, -1, 1], "F": [-1, 1, 1], "G": [1, 1, 1], "H": [1, -1, 1]}
    check("corners by name", j.get("corners") == corners, j.get("corners"))
    _, words, _ = run(["info", "cube.obj"])
    check(
        "corners in words",
        all(re.search(r"%s [minax,]+  \(%d, %d, %d\)" % (n, *c), words) for n, c in corners.items()) and "B min,max,min" in words and "H max,min,max" in words,
        words,
    )
    check(
        "info",
        code == 0
        and j.get("triangles") == 12
        and j.get("closed") is True
        and j.get("solid") is True
        and j.get("min") == [-1, -1, -1]
        and j["self_intersections"]["count"] == 0,
        out + err,
    )
    measures = [j.get(k) for k in ("area", "volume", "signed_volume", "centroid", "surface_centroid")]
    check("info: measures", measures == [24, 8, 8, [0, 0, 0], [0, 0, 0]], measures)
    check("info: measures in words", "area                    24\n" in words and "volume                  8\n" in words and "wound inwards" not in words, words)
    check("info: sphere contains all", j.get("radius", 0) ** 2 >= 3 - 1e-15, j)
    code, out, _ = run(["info", "open.obj", "--json"])
    j = json.loads(out)
    check("info of an open model", j["closed"] is False and j["solid"] is False and j["border_edges"]["count"] == 3 and j["parts"][0]["name"] == "flap", out)
    check("info: no volume of an open model", j["area"] == 0.5 and j["volume"] is None and j["signed_volume"] is None and j["centroid"] is None, out)
    code, out, _ = run(["info", "open.obj"])
    check("info as text", code == 0 and "border edges" in out and "closed                  no" in out, out)
    code, _, err = run(["info", "bad.obj"])
    check("info of a bad model", code == 3 and "bad.obj" in err and "2" in err, err)
    code, out, _ = run(["shapes", "--json"])
    j = json.loads(out)
    cells = {(q["query"], c["a"], c["b"]): c["guarantee"] for q in j["queries"] for c in q["cells"]}
    check(
        "shapes as JSON",
        code == 0 and len(j["shapes"]) == 23 and cells[("intersects", "triangle", "mesh")] == "exact" and cells[("intersects", "cone", "mesh")] == "bounded",
        out[:200],
    )
    check("shapes: symmetric", all(cells[("intersects", b, a)] == g for (q, a, b), g in cells.items() if q == "intersects"))
    check("shapes as markdown", run(["shapes", "--markdown"])[1].startswith("# ") and "| sphere |" in run(["shapes", "--markdown"])[1])
    check("shapes", run(["shapes"])[0] == 0)
    for args in (
        ["fly"],
        ["sweep"],
        ["sweep", "cube.obj", "far.obj"],
        ["sweep", "cube.obj", "far.obj", "--by", "1,0,0", "--to", "1,0,0"],
        ["sweep", "cube.obj", "far.obj", "--by", "1,0,0", "--tolerance", "1"],
        ["sweep", "cube.obj", "far.obj", "--to", "1,0,0", "--skip-departing"],
        ["simulate", "--zzz"],
        ["view", "--zzz"],
        ["render", "--zzz"],
        ["bench"],
        ["--zzz"],
        ["query", "--threads", "0"],
        ["query", "--threads", "x"],
        ["check", "a", "b", "c"],
        ["shapes", "--json", "--markdown"],
        ["cast", "cube.obj"],
    ):
        code, out, err = run(args)
        check("usage: " + " ".join(args), code == 2 and "--help" in err and out == "", (code, out, err))
    check("--version", run(["--version"])[:2] == (0, "graze 0.1.0\n"), run(["--version"]))
    code, out, _ = run(["--help"])
    check("--help", code == 0 and all(c in out for c in ("check", "sweep", "query", "cast", "closest", "info", "shapes", "simulate", "GRAZE_CPU")), out)
    arm = os.uname().machine in ("aarch64", "arm64")
    for level, word in (("bogus", 2), ("AVX2", 2), ("avx2" if arm else "neon", 2), ("neon" if arm else "avx512", 0), ("scalar", 0), ("", 0)):
        code, out, err = run(["shapes"], env={"GRAZE_CPU": level})
        check(
            "GRAZE_CPU=" + level,
            code == word and (code == 0) == (err == "") and (code == 0 or level in err and "must be scalar" in err and "on this processor" in err),
            (code, err),
        )
    check("simulate without a scene", run(["simulate"])[0] == 2)
    for c in ("check", "sweep", "query", "cast", "closest", "info", "shapes", "simulate"):
        code, out, _ = run([c, "--help"])
        check(c + " --help", code == 0 and "Examples:" in out and "graze " + c in out, out[-200:])
    check("no such file", run(["query", "none.jsonl"])[0] == 3)
    check("a directory", run(["query", "."])[0] == 3)
    for name, args in (("nobody.gltf", ["info"]), ("nobody.obj", ["check", "cube.obj"]), ("nobody.json", ["simulate"])):
        os.mkfifo(name)
        code, out, err = run(args + ["./" + name])
        check("a pipe that nobody writes to: " + name, code == 3 and "no program writes to" in err and name in err and out == "", (code, out, err))
    with open("rays.csv", "w") as f:
        f.write("0,0,9,0,0,-1\n")
    line = json.dumps({"op": "intersect", "a": BALL, "b": BOX})
    for args in (
        [],
        ["--help"],
        ["--version"],
        ["help"],
        ["help", "info"],
        ["version"],
        ["man"],
        ["completion", "bash"],
        ["info", "--help"],
        ["check", "cube.obj", "far.obj"],
        ["check", "cube.obj", "far.obj", "--json"],
        ["sweep", "cube.obj", "far.obj", "--by", "1,0,0"],
        ["query"],
        ["cast", "cube.obj", "rays.csv"],
        ["closest", "cube.obj", "-"],
        ["info", "cube.obj"],
        ["shapes"],
        ["simulate", "--list"],
        ["render", "--list"],
        ["heritage", "--list"],
    ):
        data = b"1,2,3\n" if args[:1] == ["closest"] else line.encode() + b"\n"
        with open("/dev/full", "wb") as full:
            r = subprocess.run([GRAZE] + args, input=data, stdout=full, stderr=subprocess.PIPE)
        built = b"without the viewer" not in r.stderr
        check("a full disk: graze " + " ".join(args), r.returncode == 4 and (b"cannot write" in r.stderr or not built), r)


def test_first_look():
    root = run(["--help"])[1]
    check("graze alone prints the overview", run([]) == (0, root, ""), run([])[:2])
    check("graze help", run(["help"]) == (0, root, ""))
    for c in ("check", "query", "info", "help"):
        check("graze help " + c, run(["help", c]) == run([c, "--help"]) and "graze " + c in run(["help", c])[1], run(["help", c]))
    code, out, err = run(["version"])
    check("graze version", code == 0 and out.startswith(run(["--version"])[1]) and "CPU level" in out, out)
    for args, word in (
        (["chek"], "did you mean check?"),
        (["hel", "check"], "there is no command \"hel\"; did you mean help?"),
        (["help", "querry"], "did you mean query?"),
        (["check", "a.obj", "b.obj", "--pictur", "x.png"], "there is no option --pictur; did you mean --picture?"),
        (["check", "a.obj", "--pictur"], "did you mean --picture?"),
        (["check", "a.obj", "--posea=1,2,3"], "there is no option --posea; did you mean --pose-a?"),
        (["--verson"], "did you mean --version?"),
        (["info", "cube.obj", "--limits", "3"], "did you mean --limit?"),
        (["query", "--zzzzz"], "there is no option --zzzzz\n"),
        (["fly"], "there is no command \"fly\" (check, "),
        (["completion", "tcsh"], "must be bash, zsh or fish"),
        (["check", "cube.obj", "far.obj", "--json", "--pictur", "x"], "did you mean --picture?"),
    ):
        code, out, err = run(args)
        check("mistyped: " + " ".join(args), code == 2 and word in err and out == "", (code, err))
    check("the value of an option may begin with --", "no option" not in run(["check", "cube.obj", "far.obj", "--pose-a", "--1"])[2])
    with open("one_ray.csv", "w") as f:
        f.write("0,0,9,0,0,-12\n")
    for args, message in (
        (["check", "cube.obj", "far.obj", "--limit", "-1"], 'graze check: --limit: is "-1", must be >= 0'),
        (["info", "cube.obj", "--limit", "-1"], 'graze info: --limit: is "-1", must be >= 0'),
        (["simulate", "stones", "--seed", "-1"], 'graze simulate: --seed: is "-1", must be >= 0'),
        *(
            (["cast", "cube.obj", "one_ray.csv", "--bounce", "--friction", x], 'graze cast: --friction: is "%s", must be >= 0' % x)
            for x in ("-1", "nan", "inf")
        ),
        *(
            (["cast", "cube.obj", "one_ray.csv", "--bounce", "--restitution", x], 'graze cast: --restitution: is "%s", must be from 0 to 1' % x)
            for x in ("2", "nan")
        ),
    ):
        code, out, err = run(args)
        check("out of range: " + " ".join(args), code == 2 and err.splitlines()[0] == message and out == "", (code, out, err))
    ids = [int(n) for n in re.findall(r'^  \{"id":(\d+),"op":', run(["query", "--help"])[1], re.M)]
    check("the questions in the help are numbered", ids == list(range(1, len(ids) + 1)) and len(ids) >= 20, ids)
    for args, word in (
        (["check", "cube.obj", "far.obj", "--picture", "x.jpg"], "--picture: the file must end in .png, not \"x.jpg\""),
        (["check", "cube.obj", "far.obj", "--picture", "x"], ".png"),
        (["check", "cube.obj", "far.obj", "--html", "x.png"], "--html: the file must end in .html or .htm"),
        (["check", "cube.obj", "far.obj", "--size", "3x3"], "--size"),
        (["check", "cube.obj", "far.obj", "--up", "w"], "--up"),
        (["simulate", "stones", "--html", "x.txt"], "--html"),
        (["render", "cube.obj", "-o", "x.jpg"], ".png or .webp"),
        (["render", "cube.obj", "--html", "x.jpg"], "--html"),
    ):
        code, out, err = run(args)
        check("ending: " + " ".join(args), code == 2 and word in err or code == 4 and "without the viewer" in err, (code, err))
        check("nothing written: " + " ".join(args), not any(os.path.exists(n) for n in ("x", "x.jpg", "x.png", "x.txt")))
    code, page, err = run(["man"])
    check(
        "the manual page",
        code == 0
        and page.startswith(".TH GRAZE 1")
        and all(w in page for w in (".SH NAME", ".SH COMMANDS", "graze check A B", "\\-\\-pose\\-a", "self\\-intersections", "Exit codes")),
        page[:300],
    )
    check(
        "lines of the manual page begin with no stray control character",
        not any(l and l[0] in ".'" and l[1:3] not in ("TH", "SH", "SS", "TP", "PP", "nf", "fi", "B ", "I ") for l in page.splitlines()),
        page[:300],
    )
    for shell, words in (
        ("bash", ("_graze", "--picture", "complete -o filenames")),
        ("zsh", ("#compdef graze", "--picture")),
        ("fish", ("-l picture", "complete -c graze")),
    ):
        code, out, _ = run(["completion", shell])
        check("completions for " + shell, code == 0 and all(w in out for w in words), out[:300])
    script = run(["completion", "bash"])[1]
    r = subprocess.run(
        [
            "bash",
            "-c",
            script
            + "COMP_WORDS=(graze check --pic); COMP_CWORD=2; _graze; echo ${COMPREPLY[@]}; COMP_WORDS=(graze clo); COMP_CWORD=1; _graze; echo ${COMPREPLY[@]}",
        ],
        capture_output=True,
        text=True,
    )
    check("bash completes", r.stdout == "--picture\nclosest\n", r)


def test_messages():
    for text, words in (
        ("not json", ("column 1", "JSON value", '"not"')),
        ("{'op':1}", ("column 2", "double quotes")),
        ('{"op":"bounds","a":NaN}', ("column 20", '"NaN"')),
        ('{"op":True}', ("column 7", '"True"')),
        ('{"op":"bounds","a":{"type":"sphere"', ("expected , or }", "the end of the line")),
        ('{"op":1,"op":2}', ("column 9", '"op" is given twice')),
        ('{"op":.5}', ("column 7", "JSON value", "'.'")),
        ("[1]", ("is an array", "must be an object")),
        ("\x01", ("byte 1",)),
        ("nul", ("column 1", '"nul"')),
        ('{"op":"bounds"} x', ("column 17", "end of the line")),
        ('{"op":' + "z" * 500 + "}", ('"' + "z" * 20 + '"',)),
    ):
        answers, code, err = ask(text)
        check(
            "message for " + text[:40],
            code == 3 and len(answers) == 1 and all(w in answers[0].get("error", "") for w in words) and len(answers[0]["error"]) < 200,
            answers,
        )
    plane = [[0, 0, 0], [4, 0, 0], [1, 1, 0], [0, 4, 0]]
    down = lambda x, y: {"op": "raycast", "ray": {"origin": [x, y, 5], "direction": [0, 0, -1]}, "b": {"type": "polygon", "points": plane}}
    answers, code, err = ask(
        down(0.5, 0.5),
        down(2, 2),
        {
            "op": "intersect",
            "a": {"type": "sphere", "center": [2, 2, 0], "radius": 1},
            "b": {"type": "polygon", "points": plane, "pose": {"translation": [0, 0, 0.5]}},
        },
        {"op": "closest", "a": {"type": "point", "point": [3, 3, 0]}, "b": {"type": "polygon", "points": plane}},
    )
    check(
        "concave polygons",
        code == 0 and [a.get("hit") for a in answers[:3]] == [True, False, False] and abs(answers[3]["distance"] - math.sqrt(6.4)) < 1e-12,
        (answers, err),
    )
    for points, words in (
        ([[0, 0, 0], [2, 2, 0], [2, 0, 0], [0, 2, 0]], ("edges 0-1 ((0, 0, 0) to (2, 2, 0)) and 2-3", "cross")),
        ([[0, 0, 0], [4, 0, 0], [4, 4, 0], [3, -1, 0], [0, 4, 0]], ("edges 0-1", "3-4", "cross")),
        ([[0, 0, 0], [1, 0, 0]], ("2 corners",)),
        ([[0, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 0]], ("corner",)),
    ):
        answers, code, err = ask({"op": "bounds", "a": {"type": "polygon", "points": points}})
        check("refused polygon", code == 3 and "a.points" in answers[0].get("error", "") and all(w in answers[0]["error"] for w in words), answers)


def test_many_pairs():
    """Models of equal, coplanar and fan triangles: pairs are counted, the first ones named, in little memory."""
    n = 100000
    with open("equal.obj", "w") as f:
        f.write("v 0 0 0\nv 1 0 0\nv 0 1 0\n" + "f 1 2 3\n" * n)
    code, out, err = run(["info", "equal.obj", "--json", "--limit", "4"], limit_mb=1024)
    found = json.loads(out)["self_intersections"] if code == 0 else err
    check("100,000 equal triangles", found == {"count": 10000000, "more": True, "first": [[0, 1], [0, 2], [0, 3], [0, 4]]}, found)
    out = run(["info", "equal.obj"], limit_mb=1024)[1]
    check("as text", "more than 10000000 (0 with 1, 0 with 2," in out, out)
    code, out, err = run(["check", "equal.obj", "equal.obj", "--limit", "2"], limit_mb=1024)
    check(
        "check of 100,000 equal triangles",
        code == 1
        and "the models are identical" in out
        and "pairs: more than 10000000" in out
        and "A 0 with B 1" in out
        and "and more than 9999998 more" in out,
        (code, out, err),
    )
    answers, code, err = ask(
        {"op": "self-intersections", "a": {"type": "mesh", "path": "equal.obj"}, "limit": 3},
        {"op": "triangle-pairs", "a": {"type": "mesh", "path": "equal.obj"}, "b": {"type": "mesh", "path": "equal.obj"}, "limit": 2},
        {"op": "self-intersections", "a": {"type": "mesh", "path": "cube.obj"}, "limit": 3},
        {"op": "self-intersections", "a": {"type": "mesh", "path": "cube.obj"}, "limit": 20000000},
    )
    check(
        "queries with a limit",
        [(a.get("count"), a.get("more"), a.get("pairs")) for a in answers[:3]]
        == [(3, True, [[0, 1], [0, 2], [0, 3]]), (2, True, [[0, 0], [0, 1]]), (0, None, [])]
        and "at most 10000000" in answers[3]["error"],
        (answers, err),
    )
    answers, code, err = ask({"op": "triangle-pairs", "a": {"type": "mesh", "path": "equal.obj"}, "b": {"type": "mesh", "path": "equal.obj"}})
    check("without a limit a million", answers[0].get("count") == 1000000 and answers[0].get("more") is True, (str(answers)[:200], err))
    random.seed(3)
    with open("heap.obj", "w") as f:  # 8,000 different coplanar triangles that all overlap
        for k in range(8000):
            a = random.random()
            f.write("v %r %r 0\nv %r %r 0\nv %r %r 0\n" % (a, -9 - a, 9 + a, 8 + a, -9 - a, 8 + a))
        f.write("".join("f %d %d %d\n" % (3 * k + 1, 3 * k + 2, 3 * k + 3) for k in range(8000)))
    code, out, err = run(["info", "heap.obj", "--limit", "2"], limit_mb=1024)
    check("a heap of triangles", code == 0 and "more than 10000000 (0 with 1, 0 with 2, ...)" in out, (out, err))
    code, out, err = run(["check", "heap.obj", "heap.obj", "--json", "--pose-b", "0.5,0,0"], limit_mb=1500)
    j = json.loads(out) if code == 1 else {}
    check(
        "check of heaps",
        j.get("verdict") == "touching_or_crossing" and j.get("more") is True and j.get("pairs") == 10000000 and j.get("examined_pairs") == 1000000,
        (str(j)[:300], err),
    )
    m = 20000
    with open("disc.obj", "w") as f:
        f.write(
            "".join("v %r %r 0\n" % (math.cos(2 * math.pi * k / m), math.sin(2 * math.pi * k / m)) for k in range(m))
            + "f "
            + " ".join(str(k + 1) for k in range(m))
            + "\n"
        )
    code, out, err = run(["info", "disc.obj"])
    check("one face of 20,000 corners", code == 0 and "self-intersections      0\n" in out, (out, err))


def test_junctions():
    """What info says where a corner lies on a neighbour's edge, and where it misses it."""
    with open("fits.obj", "w") as f:
        f.write(cut_box("box", (0, 0, 0), (4, 4, 4), (1, 0, 4)))
    with open("misses.obj", "w") as f:
        f.write(cut_box("box", (0, 0, 0), (4, 4, 4), (1, -1e-17, 4)))
    j = json.loads(run(["info", "fits.obj", "--json"])[1])
    check("closed", j["closed"] and j["solid"] and j["volume"] == 64 and j["centroid"] == [2, 2, 2], j)
    check("no defects", not any(j[k]["count"] for k in ("border_edges", "unbalanced_edges", "degenerate", "near_junctions")), j)
    touching = {"count": 0, "first": [], "touching_in_edges": 2}
    check("junctions", j["junction_edges"]["count"] == 3 and j["self_intersections"] == touching, (j["junction_edges"], j["self_intersections"]))
    words = run(["info", "fits.obj"])[1]
    check("in words", "junction edges          3 (" in words and "nothing is open there" in words and "0; 2 pairs only touch in edges" in words, words[-600:])
    j = json.loads(run(["info", "misses.obj", "--json"])[1])
    near = {"vertex": 8, "edge": {"v0": 4, "v1": 5, "triangle": 6}, "gap": 1e-17, "place": [1, -1e-17, 4]}
    check("what misses", not j["closed"] and not j["solid"] and j["near_junctions"] == {"count": 1, "first": [near]}, j["near_junctions"])
    words = run(["info", "misses.obj"])[1]
    check("what misses, in words", "open by 1e-17: corner 8 at (1, -1e-17, 4) beside edge 4-5" in words and "bounds a solid          no" in words, words[-600:])
    answers, code, err = ask({"op": "contains", "a": {"type": "solid", "path": "misses.obj"}, "point": [1, 1, 1]})
    check("solid names it", code == 3 and "; open by 1e-17: corner 8 at" in answers[0].get("error", ""), (answers, err))
    solid = {"type": "solid", "path": "fits.obj"}
    answers, code, err = ask({"op": "contains", "a": solid, "point": [1, 1, 1]}, {"op": "measures", "a": solid})
    check("solid takes what fits", code == 0 and answers[0].get("hit") is True and answers[1].get("volume") == 64, (answers, err))


if __name__ == "__main__":
    sys.exit(run_all([test_junctions, test_info_shapes_usage, test_first_look, test_messages, test_many_pairs]))
