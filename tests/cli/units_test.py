"""Models that declare different units and up axes are compared in one unit and with one axis up, unless --literal."""
import io
import json
import struct
import sys
import zipfile

from tool import check, run, run_all

CORNERS = [(i & 1, i >> 1 & 1, i >> 2) for i in range(8)]
FACES = [(0, 3, 1), (0, 2, 3), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 7, 3), (2, 6, 7), (0, 6, 2), (0, 4, 6), (1, 3, 7), (1, 7, 5)]
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
TYPE = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"


def write_3mf(name, unit, low, high, transform=None):
    """A box; the numbers are texts, as they are to be written."""
    vertices = "".join('<vertex x="%s" y="%s" z="%s"/>' % tuple((low, high)[k] for k in c) for c in CORNERS)
    triangles = "".join('<triangle v1="%d" v2="%d" v3="%d"/>' % f for f in FACES)
    item = '<item objectid="1"%s/>' % (' transform="%s"' % transform if transform else "")
    model = (
        '<model unit="%s" xmlns="%s"><resources><object id="1"><mesh><vertices>%s</vertices><triangles>%s</triangles></mesh></object></resources>'
        "<build>%s</build></model>" % (unit, CORE, vertices, triangles, item)
    )
    with zipfile.ZipFile(name, "w") as z:
        z.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="%s" Target="/m"/></Relationships>'
            % TYPE,
        )
        z.writestr("m", model)


def write_glb(name):
    """A cube of one metre, y up."""
    data = b"".join(struct.pack("<3f", *c) for c in CORNERS) + b"".join(struct.pack("<3H", *f) for f in FACES)
    gltf = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "nodes": [{"mesh": 0}],
    }
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    out = io.BytesIO()
    out.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(data)))
    out.write(struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data)
    with open(name, "wb") as f:
        f.write(out.getvalue())


def write_obj(name):
    with open(name, "w") as f:
        f.write("".join("v %d %d %d\n" % c for c in CORNERS) + "".join("f %d %d %d\n" % tuple(n + 1 for n in t) for t in FACES))


def verdict(a, b, *more):
    code, out, err = run(["check", a, b, "--json", *more])
    return json.loads(out), err


def test_numbers_as_written():
    for unit, a, b in (
        ("inch", "0.1", "2.54"),
        ("inch", "0.7", "17.78"),
        ("inch", "3.3", "83.82"),
        ("foot", "0.1", "30.48"),
        ("centimeter", "0.3", "3"),
        ("meter", "0.0007", "0.7"),
        ("micron", "700", ".7"),
    ):
        write_3mf("a.3mf", unit, "0", a)
        write_3mf("b.3mf", "millimeter", b, "1e3")
        there, notes = verdict("a.3mf", "b.3mf")
        back, _ = verdict("b.3mf", "a.3mf")
        check("%s %s and %s mm touch" % (a, unit, b), there["relation"] == back["relation"] == "touching" and there["pairs"] == back["pairs"], there)
        check("the note", " brought from " in notes and ("touching may be lost" in notes) == (unit in ("inch", "foot", "meter")), notes)
    write_3mf("a.3mf", "inch", "0", "0.1", "1 0 0 0 1 0 0 0 1 0.1 0.2 0.3")
    write_3mf("b.3mf", "millimeter", "5.08", "10")
    there, _ = verdict("a.3mf", "b.3mf")
    check("translations, too", there["relation"] == "touching" and there["places"][0]["point"][0] == 5.08, there)


def test_both_orders_agree():
    write_3mf("inch.3mf", "inch", "0", "0.37")
    write_3mf("mm.3mf", "millimeter", "12.345", "13")
    write_glb("metre.glb")
    for a, b in (("inch.3mf", "mm.3mf"), ("metre.glb", "mm.3mf"), ("inch.3mf", "metre.glb")):
        there, back = verdict(a, b)[0], verdict(b, a)[0]
        check("verdicts of %s and %s" % (a, b), there["verdict"] == back["verdict"] and there.get("distance") == back.get("distance"), (there, back))
    there, notes = verdict("metre.glb", "mm.3mf")
    check(
        "the axis is turned",
        "metre.glb: turned by a quarter turn, so that its up axis y is z" in notes and "brought from metre to millimeter: coordinates times 1000\n" in notes,
        notes,
    )


def test_undeclared_and_literal():
    write_obj("plain.obj")
    write_glb("metre.glb")
    write_3mf("mm.3mf", "millimeter", "0", "1")
    _, notes = verdict("metre.glb", "plain.obj")
    check(
        "an undeclared unit is the other's",
        "plain.obj: declares no unit: taken as metre, as of metre.glb" in notes and "names no up axis: taken as y" in notes,
        notes,
    )
    there, notes = verdict("metre.glb", "mm.3mf", "--literal")
    check(
        "literal",
        there["verdict"] == "identical"
        and "the units of the files differ, and coordinates are compared as they are (metre.glb: metre, mm.3mf: millimeter)" in notes,
        (there, notes),
    )
    check("notes on several files name none", [n for n in there["notes"] if "differ" in n["text"] and "file" not in n], there["notes"])
    code, out, err = run(["query"], '{"id":1,"op":"relation","a":{"type":"mesh","path":"metre.glb"},"b":{"type":"mesh","path":"mm.3mf"}}\n')
    check("queries are literal", '"touching"' in out and "the units of the files differ" in err, (out, err))


def test_sweep_and_pictures():
    write_3mf("inch.3mf", "inch", "0", "0.1")
    write_3mf("mm.3mf", "millimeter", "5.08", "10")
    wall = '{"type":"mesh","path":"mm.3mf"}'
    for b in ("mm.3mf", wall):
        code, out, err = run(["sweep", "inch.3mf", b, "--by", "5.08,5.08,5.08", "--json"])
        answer = json.loads(out)
        check("a sweep of inches against millimetres", answer["hit"] and answer["t"] == 0.5 and "times 127/5" in err, (answer, err))
    code, out, err = run(["sweep", "inch.3mf", wall, "--by", "5.08,5.08,5.08", "--json", "--literal"])
    check("literal: farther apart", json.loads(out)["hit"] and json.loads(out)["t"] > 0.9 and "compared as they are" in err, (out, err))


if __name__ == "__main__":
    sys.exit(run_all([test_numbers_as_written, test_both_orders_agree, test_undeclared_and_literal, test_sweep_and_pictures]))
