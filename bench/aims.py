"""The target ratio of each row to its fastest peer, both measured in one run. docs/benchmarks.md shows which are reached."""
import math
from page_text import fill
from rows import title

# row: (aim one at a time, aim in a batch, the only peers that count; None: all). Rows of pairs: plain input.
AIMS = {
    "build": (1.5, None, ("Embree SAH",)),
    "build fast": (1, None, ("Embree Morton",)),
    "ray closest": (1, 1, None),
    "ray any": (1, 1, None),
    "ray one-sided": (1, 1, None),
    "ray brief": (0.8, 1, None),
    "ray all": (None, 1.2, None),
    "particles": (1, 1, None),
    "point distance": (1.5, 2.5, None),
    **{"mesh-mesh " + k: (2.5, None, None) for k in "rbxyncd"},
    "all pairs c": (10, None, None),
    "distance n": (5, None, None),
    "sphere-mesh": (2, None, None),
    "box-mesh": (3, None, None),
    "capsule-mesh": (3, None, None),
    "sphere-sphere": (2, 10, None),
    "box-box": (3, None, None),
    "capsule-capsule": (2, None, None),
    "sphere-triangle": (2, None, None),
    "triangle-triangle": (2, None, ("CGAL exact",)),
    "segment-box": (2, None, None),
    "penetration boxes": (2, None, None),
    "contacts boxes": (1, None, None),
    "manifold boxes": (1, None, None),
    **{"penetration " + pair: (1, None, ("ODE",)) for pair in ("spheres", "sphere and box", "capsules", "capsule and box")},
    "penetration hulls": (1.5, None, None),  # 1 for 8 points
    **{ask + " shallow hulls": (1, None, ("Bullet",)) for ask in ("penetration", "manifold")},
    **{"penetration " + pair: (0.5, None, ("Bullet",)) for pair in ("cylinders", "cylinder and box", "cone and box")},
    **{"manifold " + pair: (1, None, ("ODE",)) for pair in ("spheres", "sphere and box", "capsules", "capsule and box")},
    "broad phase uniform": (5, None, None),
    **{"gap " + gap: (5 if gap in (".001", ".03") else 2, None, ("FCL",)) for gap in (".001", ".03", ".1", ".3", "1", "3")},
    "deep": (0.5, None, ("intersects",)),
    "contains": (2, 2, ("CGAL",)),
    "signed distance": (1 / 1.2, None, ("closest",)),
    "refit": (3, None, ("new fast tree",)),
    "robot pairs, 8 touch": (2, None, ("FCL",)),
    "robot pairs, 3 touch": (1.5, None, ("FCL",)),
    "robot pairs, 0 touch": (0.5, None, ("FCL",)),
    "robot any pair, 8 touch": (3, None, ("FCL",)),
    "robot any pair, 3 touch": (3, None, ("FCL",)),
    "robot any pair, 0 touch": (0.5, None, ("FCL",)),
    **{"robot distance, %d touch" % k: (5, None, ("FCL",)) for k in (8, 3, 0)},
    "ray in a scene": (1.5, None, ("Bullet",)),
    "sphere in a scene": (2, None, ("FCL",)),
    **{"%s cast %s in a scene" % (shape, length): (1, None, ("Bullet",)) for shape in ("ball", "box", "capsule") for length in (".04", "1")},
    "character mover": (0.5, None, ("Bullet",)),
    "ray among small meshes": (1.5, None, ("Bullet",)),
    "sphere among small meshes": (2, None, ("FCL",)),
    "boxes of which 1 % move": (5, None, None),
    # set against FCL's narrow phase called directly, not its slower call on collision objects
    **{
        pair + " distance": (1, 2, ("FCL",))
        for pair in ("sphere-sphere", "sphere-capsule", "capsule-capsule", "sphere-box", "sphere-triangle", "triangle-triangle", "box-capsule", "box-box")
    },
    **{pair + " distance": (1, None, ("FCL",)) for pair in ("capsule-triangle", "box-triangle", "sphere-cylinder")},
    **{pair + " distance": (0.5, None, ("FCL",)) for pair in ("cylinder-cylinder", "cylinder-box", "cone-box", "ellipsoid-ellipsoid", "ellipsoid-box")},
    **{"hull distance %d" % n: (2, None, ("FCL",)) for n in (30, 100, 400)},
    **{"hull-hull %d" % n: (2, None, ("FCL",)) for n in (30, 100, 400)},
}
MESH_MESH_MEAN = 5


def aimed(rows):
    """Rows with an aim and a peer that counts: {"row", "title", "aims", "ratios" (one, batch), "rival"}."""
    found = []
    for row in rows:
        one, batch, only = AIMS.get(row["row"], (None, None, None))
        small = row["row"].startswith("broad phase") and int(row["input"]) < 100000  # aims are set for 100,000 boxes and more
        if (one is None and batch is None) or row["input"] in ("touching", "hostile") or small:
            continue
        rates = {n: c["rate"] for n, c in row["contestants"].items() if not n.startswith("Graze")}
        against = [n for n in rates if only is None or n in only]
        if not against or (one is None and "Graze batch" not in row["contestants"]):
            continue
        rival = max(against, key=rates.get)
        own = [row["contestants"][n]["rate"] if n in row["contestants"] else None for n in ("Graze", "Graze batch")]
        ratios = [None if r is None else r / rates[rival] for r in own]
        found.append({"row": row["row"], "title": title(row), "aims": (one, batch), "ratios": ratios, "rival": rival})
        if row["row"] == "triangle-triangle" and own[1] and "CGAL double" in rates:
            name = "%s, %s, batch" % (row["row"], row["input"])
            found.append({"row": row["row"], "title": name, "aims": (None, 2), "ratios": [None, own[1] / rates["CGAL double"]], "rival": "CGAL double"})
    return found


def share(a):
    """The least fraction of its aims that a row reaches (1 and more: all). A batch may count for single queries, but not vice versa."""
    one, batch = a["aims"]
    single = max(r for r in a["ratios"] if r is not None)
    parts = ([single / one] if one else []) + ([a["ratios"][1] / batch] if batch and a["ratios"][1] else [])
    return min(parts)


def mean_of_meshes(rows):
    found = [a["ratios"][0] for a in aimed(rows) if a["row"].startswith("mesh-mesh ")]
    return math.exp(sum(map(math.log, found)) / len(found)) if found else None


def section(rows):
    found = aimed(rows)
    if not found:
        return []
    text = [
        fill("aims", reached=sum(share(a) >= 0.995 for a in found), rows=len(found)),
        "",
        "| row | over | ratio | batch ratio | aim | in a batch | share of the aim |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for a in found:
        text.append(
            "| %s | %s | %s | %s | %s | %s | %s |"
            % (
                a["title"],
                a["rival"],
                *("" if r is None else "%.2f" % r if r < 10 else "%.1f" % r for r in a["ratios"]),
                *("" if x is None else "%g" % x for x in a["aims"]),
                "reached" if share(a) >= 0.995 else "**%.2f**" % share(a),
            )
        )
    mean = mean_of_meshes(rows)
    return (
        text
        + (["", "Mesh against mesh, yes or no, geometric mean over all classes and meshes: %.2f (aim %g)." % (mean, MESH_MESH_MEAN)] if mean else [])
        + [""]
    )
