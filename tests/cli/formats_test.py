#!/usr/bin/env python3
"""Assemblies of 3MF, STEP and IFC in the tool: graze info, clash and pack.  formats_test.py [PATH OF graze]   (default: $GRAZE). What the readers of STEP and IFC
need may be absent; then the message that says how to get it is tested."""
import json
import os
import sys
import zipfile

from tool import check, run, run_all

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "corpus", "io", "other")
STEP, IFC = os.path.join(CORPUS, "fixture.step"), os.path.join(CORPUS, "house.ifc")
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
RELATIONSHIPS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/a.model" Id="r" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)
CUBE = "".join('<vertex x="%d" y="%d" z="%d"/>' % (x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1))
FACES = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)]


def write_three_mf(path, items):
    triangles = "".join('<triangle v1="%d" v2="%d" v3="%d"/>' % f for f in FACES)
    model = (
        '<model unit="inch" xmlns="%s"><resources><object id="1" name="cube"><mesh><vertices>%s</vertices><triangles>%s</triangles></mesh></object></resources>'
    )
    build = "".join('<item objectid="1" transform="1 0 0 0 1 0 0 0 1 %s"/>' % i for i in items)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("_rels/.rels", RELATIONSHIPS)
        z.writestr("3D/a.model", model % (CORE, CUBE, triangles) + "<build>%s</build></model>" % build)


def verdicts(path, out):
    """The verdicts of graze clash by the last names of both parts."""
    code, text, err = run(["clash", path, "--out", out])
    check("clash " + path, code == 1, "%d: %s" % (code, text + err))
    with open(os.path.join(out, "clash.json")) as f:
        lines = [json.loads(l) for l in f]
    return {(l["a"].split("/")[-1], l["b"].split("/")[-1]): l["verdict"] for l in lines if "verdict" in l}


def info(path):
    code, out, err = run(["info", path, "--json"])
    return json.loads(out) if code == 0 else {"error": err}


def test_three_mf():
    write_three_mf("cubes.3mf", ["0 0 0", "1 0 0", "1.5 0.5 0.5", "9 9 9"])
    j = info("cubes.3mf")
    check("info", (j.get("format"), j.get("unit"), j.get("up_axis"), j.get("closed")) == ("3mf", "inch", "z", True), j)
    found = verdicts("cubes.3mf", "r3mf")
    check("verdicts", found == {("cube", "cube#2"): "touching", ("cube#2", "cube#3"): "overlapping"}, found)
    code, out, err = run(["pack", "cubes.3mf", "-o", "cubes.graze", "--json"])
    check("pack", code == 0 and json.loads(out)["meshes"] == 1 and json.loads(out)["parts"] == 4, out + err)
    with open("bad.3mf", "wb") as f:
        f.write(b"PK\3\4 and no more")
    code, out, err = run(["info", "bad.3mf"])
    check("a broken archive", code == 3 and "bad.3mf: is no zip archive" in err, err)


def test_step():
    j = info(STEP)
    if "graze-import-step, which was not found" in j.get("error", ""):
        check("how to get STEP", "tools/setup.sh step" in j["error"], j)
        print("graze-import-step is not built: STEP is skipped")
        return
    check("info", (j.get("format"), j.get("unit"), j.get("closed")) == ("step", "millimetre", True), j)
    found = verdicts(STEP, "rstep")
    check("pins stand on the plate", found == {("pin", "plate"): "touching", ("pin#2", "plate"): "touching"}, found)
    sizes = []
    for deflection in ("0.01", "0.0005"):
        code, out, err = run(["pack", STEP, "--deflection", deflection, "-o", "f.graze", "--json"])
        sizes.append(json.loads(out)["placed_triangles"] if code == 0 else err)
    check("pack --deflection", sizes[0] < sizes[1], sizes)
    clashed = []
    for deflection in ("0.01", "0.0005"):
        code, out, err = run(["clash", STEP, "--deflection", deflection, "--no-html", "--no-bcf", "--json", "--out", "fine"])
        clashed.append(json.loads(out)["triangles"] if code == 1 else err)
    check("clash --deflection", clashed == sizes, (clashed, sizes))
    with open("fine.json", "w") as f:
        json.dump({"graze_clash": 1, "models": [{"path": os.path.abspath(STEP), "deflection": 0.0005}]}, f)
    code, out, err = run(["clash", "plan", "fine.json", "-o", "fine-plan", "--json"])
    check("deflection of a job's model", code == 0 and json.loads(out)["triangles"] == sizes[1], out + err)
    code, out, err = run(["clash", STEP, "--deflection", "2", "--out", "fine"])
    check("clash --deflection 2", code == 2 and '--deflection: is "2", must be above 0 and at most 1' in err, "%d %s" % (code, err))
    code, out, err = run(["pack", STEP, "--deflection", "0", "-o", "f.graze"])
    check("pack --deflection 0", code == 2 and '--deflection: is "0", must be above 0 and at most 1' in err, "%d %s" % (code, err))


def test_ifc():
    j = info(IFC)
    if "tools/setup.sh ifc" in j.get("error", ""):
        print("node or web-ifc is not installed: IFC is skipped")
        return
    check("info", (j.get("format"), j.get("unit"), j.get("up_axis"), j.get("closed")) == ("ifc (IFC4)", "millimetre", "z", True), j)
    found = verdicts(IFC, "rifc")
    slab, wall, first, second = "1Slab00000000000000001", "1Wall00000000000000001", "1Column000000000000001", "1Column000000000000002"
    expected = {(first, slab): "touching", (first, wall): "touching", (slab, wall): "touching", (second, slab): "overlapping"}
    check("verdicts", found == expected, found)


if __name__ == "__main__":
    sys.exit(run_all([test_three_mf, test_step, test_ifc]))
