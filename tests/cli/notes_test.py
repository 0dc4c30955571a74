"""What readers notice in models reaches every command that reads them; models without triangles are refused."""
import json
import sys

from tool import check, run, run_all

CUBE = "".join("v %d %d %d\n" % (i & 1, i >> 1 & 1, i >> 2) for i in range(8)) + "".join(
    "f %d %d %d\n" % tuple(n + 1 for n in f)
    for f in ((0, 3, 1), (0, 2, 3), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 7, 3), (2, 6, 7), (0, 6, 2), (0, 4, 6), (1, 3, 7), (1, 7, 5))
)
NOTE = "noted.obj: line 1: 'fancy' is not known, ignored (1 statement)"
SCENE = {"name": "s", "duration": 0.02, "step": 0.01, "fixed": [{"name": "ground", "shape": {"type": "mesh", "path": "noted.obj"}}]}


def write(name, text):
    with open(name, "w") as f:
        f.write(text)


def files():
    write("noted.obj", "fancy\n" + CUBE)
    write("plain.obj", CUBE)
    write("points.obj", "v 0 0 0\nv 1 0 0\np 1 2\n")
    write("rays.csv", "0.5,0.25,9,0,0,-1\n")
    write("points.csv", "0.5,0.5,9\n")
    write("q.jsonl", '{"id":1,"op":"bounds","a":{"type":"mesh","path":"noted.obj"}}\n{"id":2,"op":"bounds","a":{"type":"mesh","path":"noted.obj"}}\n')
    for name, model in (("scene.json", "noted.obj"), ("empty.json", "points.obj")):
        scene = dict(SCENE, fixed=[{"name": "ground", "shape": {"type": "mesh", "path": model}}])
        write(name, json.dumps(scene))


def test_every_command_tells_the_notes():
    files()
    for command in (
        ["check", "noted.obj", "plain.obj"],
        ["check", "plain.obj", "noted.obj", "--json"],
        ["sweep", "noted.obj", "plain.obj", "--by", "0,0,1"],
        ["sweep", "noted.obj", "plain.obj", "--by", "0,0,1", "--json"],
        ["cast", "noted.obj", "rays.csv"],
        ["closest", "noted.obj", "points.csv", "--json"],
        ["query", "q.jsonl"],
        ["simulate", "scene.json", "--out", "sim"],
    ):
        code, out, err = run(command)
        check(" ".join(command), code in (0, 1) and err.count("graze: note: ") == 1 and "note: " in err and NOTE in err, (code, err))
        if "--json" in command and command[0] in ("check", "sweep"):
            notes = json.loads(out)["notes"]
            check("notes in JSON", notes == [{"file": "noted.obj", "text": NOTE.split(": ", 1)[1]}], notes)
    with open("sim/summary.json") as f:
        check("notes of a simulation", [n["text"] for n in json.load(f)["notes"]] == [NOTE.split(": ", 1)[1]], "")
    code, out, err = run(["check", "plain.obj", "plain.obj", "--json"])
    check("nothing to tell", err == "" and json.loads(out)["notes"] == [], err)


def test_models_without_triangles_are_refused():
    files()
    for command in (
        ["check", "points.obj", "plain.obj"],
        ["check", "plain.obj", "points.obj"],
        ["sweep", "points.obj", "plain.obj", "--by", "0,0,1"],
        ["cast", "points.obj", "rays.csv"],
        ["closest", "points.obj", "points.csv"],
        ["simulate", "empty.json", "--out", "sim2"],
        ["clash", "points.obj", "--out", "c1"],
    ):
        code, out, err = run(command)
        check(" ".join(command), code == 3 and "points.obj" in err and ("has no triangle" in err or "no part with a triangle" in err), (code, err))
    code, out, err = run(["clash", "points.obj", "plain.obj", "noted.obj", "--out", "c2", "--no-html", "--no-bcf"])
    check("clash notes the empty one", code == 1 and "note: points.obj: no part with a triangle" in out and "identical" in out, (code, out))
    check("once", "points.obj: no triangles" not in out, out)
    write("points2.obj", "v 0 0 0\n")
    code, out, err = run(["clash", "points.obj", "points2.obj", "--out", "c4"])
    check("and names all where all are", code == 3 and "points.obj, points2.obj: no part with a triangle" in err, err)
    code, out, err = run(["query"], '{"id":1,"op":"intersect","a":{"type":"mesh","path":"points.obj"},"b":{"type":"point","point":[0,0,0]}}\n')
    check("a query may ask about it", code == 0 and "note: points.obj: no triangles" in err, err)


def test_models_far_from_each_other():
    files()
    write("far.obj", "".join("v %d %d %d\n" % (6000000 + (i & 1), i >> 1 & 1, i >> 2) for i in range(8)) + CUBE[CUBE.index("f ") :])
    write("near.obj", "".join("v %d %d %d\n" % (90 + (i & 1), i >> 1 & 1, i >> 2) for i in range(8)) + CUBE[CUBE.index("f ") :])
    code, out, err = run(["clash", "plain.obj", "far.obj", "near.obj", "--unit", "m", "--out", "c3", "--no-html", "--no-bcf"])
    note = "note: far.obj: lies 6e+06 m away from plain.obj, far more than the size of either: do they have one origin and unit?"
    check("far apart", code == 0 and note in out and out.count("away from") == 1, out)


if __name__ == "__main__":
    sys.exit(run_all([test_every_command_tells_the_notes, test_models_without_triangles_are_refused, test_models_far_from_each_other]))
