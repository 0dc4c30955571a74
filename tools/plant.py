"""A small plant as a GLB file: bays of columns, beams and plates, with pipes on shoes that run through them, some of them through a column."""
import json
import math
import struct


def box(lo, hi):
    points = [(x, y, z) for z in (lo[2], hi[2]) for y in (lo[1], hi[1]) for x in (lo[0], hi[0])]
    faces = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)]
    return points, faces


def tube(radius, length, sides=24, bore=0.8):
    """A pipe along x from 0."""
    ring = [(math.cos(2 * math.pi * k / sides), math.sin(2 * math.pi * k / sides)) for k in range(sides)]
    points = [(x, r * radius * c, r * radius * s) for x in (0, length) for r in (1, bore) for c, s in ring]
    faces = []
    for k in range(sides):
        n = (k + 1) % sides
        for p, q in ((0, 2), (3, 1), (2, 3), (1, 0)):  # outside, bore, far end, near end, by number of the ring
            a, b, c, d = p * sides + k, p * sides + n, q * sides + k, q * sides + n
            faces += [(a, b, c), (b, d, c)]
    return points, faces


def write(path, bays=6):
    """Writes bays x bays bays, in millimetres, z up in the model and y up in the file."""
    shapes = {
        "column": box((-150, -150, 0), (150, 150, 4000)),
        "beam": box((150, -100, 3600), (5850, 100, 4000)),
        "plate": box((-300, -300, -30), (300, 300, 0)),
        "shoe": box((-60, -60, 4000), (60, 60, 4100)),
        "pipe": tube(100, 6000),
        "rack": box((-100, 150, 3600), (100, 5850, 4000)),
    }
    nodes, groups = [], []
    for i in range(bays):
        for j in range(bays):
            x, y, first = 6000 * i, 6000 * j, len(nodes)
            placed = [("column", x, y, 0), ("plate", x, y, 0)]
            placed += [("beam", x, y, 0)] if i + 1 < bays else []
            placed += [("rack", x, y, 0)] if j + 1 < bays else []
            for line in range(1, 4):
                z = 0 if (i + j) % 5 else -300 * (line == 2)  # every fifth bay has a pipe through its beam
                if i + 1 < bays:
                    placed += [("shoe", x + 1500 * line, y, 0)]
                if j + 1 < bays:
                    placed += [("pipe", x, y + 1500 * line, 4100 + z)]
            nodes += [{"name": "%s%d" % (name, k), "mesh": list(shapes).index(name), "translation": [x, z, -y]} for k, (name, x, y, z) in enumerate(placed)]
            groups.append({"name": "bay %d-%d" % (i + 1, j + 1), "children": list(range(first, len(nodes)))})
    scene = list(range(len(nodes), len(nodes) + len(groups)))
    data, views, accessors, meshes = b"", [], [], []
    for k, (points, faces) in enumerate(shapes.values()):
        turned = [(x, z, -y) for x, y, z in points]
        for raw, count, kind in (
            (b"".join(struct.pack("<3f", *p) for p in turned), len(points), {"componentType": 5126, "type": "VEC3"}),
            (b"".join(struct.pack("<3I", *f) for f in faces), 3 * len(faces), {"componentType": 5125, "type": "SCALAR"}),
        ):
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)})
            accessors.append({"bufferView": len(views) - 1, "count": count, **kind})
            data += raw
        accessors[-2]["min"], accessors[-2]["max"] = [min(c) for c in zip(*turned)], [max(c) for c in zip(*turned)]
        meshes.append({"primitives": [{"attributes": {"POSITION": 2 * k}, "indices": 2 * k + 1}]})
    head = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": scene}], "nodes": nodes + groups, "meshes": meshes}
    text = json.dumps({**head, "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(data)}]}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as f:
        f.write(struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A) + text)
        f.write(struct.pack("<II", len(data), 0x4E4942) + data)
