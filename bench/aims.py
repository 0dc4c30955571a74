"""The target ratio of each row, and the rates of all peers measured on another machine. docs/benchmarks.md compares both with the measurements here."""
import math
import statistics
from page_text import fill
from rows import title, words

# {row: {input: {peer: rate}}}: on an AMD Zen 5 with AVX-512 (two virtual cores, one thread, medians), each peer through its fastest interface; within 15 %.
# "stanford-bunny+2": subdivided twice, 1.1 M triangles.
BUNNY, NEFERTITI, BIG = "stanford-bunny", "nefertiti", "stanford-bunny+2"
MOVED, LINKS = ("6788", "137552", "438518"), "20 links"
ELSEWHERE = {
    "build": {BUNNY: {"Embree SAH": 2.9e6, "tinybvh": 3.6e6, "CGAL": 3.9e6}, BIG: {"Embree SAH": 3.1e6, "CGAL": 2.9e6}},
    "build fast": {BUNNY: {"Embree Morton": 12.9e6, "Box3D": 6.5e6}, BIG: {"Embree Morton": 12.3e6}},
    "ray closest": {
        BUNNY: {"Embree": 5.6e6, "Embree robust": 4.9e6, "tinybvh": 4.7e6, "Jolt": 2.7e6},
        NEFERTITI: {"Embree": 4.4e6, "Embree robust": 4.1e6, "tinybvh": 3.9e6},
        BIG: {"Embree": 2.2e6, "Embree robust": 2.0e6, "tinybvh": 1.9e6},
    },
    "ray any": {BUNNY: {"Embree": 6.5e6, "tinybvh": 5.6e6}, BIG: {"Embree": 2.5e6, "tinybvh": 2.3e6}},
    "particles": {BUNNY: {"Embree": 10.8e6, "tinybvh": 8.5e6}, BIG: {"Embree": 6.2e6, "tinybvh": 5.2e6}},
    "point distance": {BUNNY: {"fcpw": 470e3, "Embree": 245e3, "CGAL": 94e3}, BIG: {"fcpw": 88e3, "Embree": 44e3, "CGAL": 17e3}},
    "mesh-mesh r": {BUNNY: {"Coal": 45.7e3, "FCL": 36.1e3}, BIG: {"FCL": 30.7e3}},
    "mesh-mesh b": {BUNNY: {"Coal": 16.4e3, "FCL": 17.1e3}, BIG: {"FCL": 19e3}},
    "mesh-mesh n": {BUNNY: {"ODE": 9e3, "FCL": 8.1e3}, BIG: {"FCL": 10.4e3}},
    "mesh-mesh y": {BUNNY: {"ODE": 8.9e3, "Bullet": 6.8e3}, BIG: {"FCL": 5.4e3}},
    "mesh-mesh c": {BUNNY: {"Coal": 38.2e3}, BIG: {"FCL": 32.8e3}},
    "all pairs c": {BUNNY: {"FCL": 109, "Coal": 96}, BIG: {"FCL": 25, "Coal": 11}},
    "distance n": {BUNNY: {"FCL": 1013, "Coal": 1012}, BIG: {"FCL": 487, "Coal": 461}},
    "sphere-mesh": {BUNNY: {"Jolt": 2.44e6, "Box3D": 1.01e6}, BIG: {"Jolt": 1.21e6, "Box3D": 88e3}},
    "box-mesh": {BUNNY: {"Jolt": 680e3, "Box3D": 190e3}, BIG: {"FCL": 148e3}},
    "capsule-mesh": {BUNNY: {"Jolt": 470e3, "Box3D": 310e3}},
    "sphere-sphere": {"plain": {"FCL": 31.9e6, "Box3D": 19.7e6}},
    "box-box": {"plain": {"Box3D": 3.3e6, "Bullet": 3.3e6, "FCL": 1.9e6}},
    "capsule-capsule": {"plain": {"Box3D": 11.5e6, "Coal": 6.3e6}},
    "sphere-triangle": {"plain": {"Box3D": 16.5e6, "FCL": 12.5e6}},
    "triangle-triangle": {"plain": {"CGAL double": 19.6e6, "CGAL exact": 9.7e6, "FCL": 7.5e6}},
    "segment-box": {"plain": {"CGAL double": 20.8e6}},
    "penetration boxes": {"plain": {"ODE": 1 / 0.39e-6}},
    "penetration hulls": {"8": {"Jolt": 1 / 1.5e-6}, "30": {"Coal": 1 / 4e-6}, "100": {"Coal": 1 / 7e-6}, "400": {"Bullet": 1 / 16e-6}},
    "broad phase uniform": {
        "100000": {"Coal": 1e5 / 69e-3, "FCL": 1e5 / 85e-3, "Bullet": 1e5 / 177e-3},
        "1000000": {"Coal": 1e6 / 753e-3, "FCL": 1e6 / 831e-3, "Bullet": 1e6 / 4.006},
    },
    "contains": {"torus 13000": {"CGAL": 1.3e6}},
    # A limit of time, as the rate of a peer: 1 and .1 microseconds a move, 2 a query.
    "scene move": {n + " vertices": {"1 us": 1e6} for n in MOVED},
    "scene move, batch": {n + " vertices": {".1 us": 1e7} for n in MOVED},
    "scene query, nothing near": {n + " vertices": {"2 us": 5e5} for n in MOVED},
    # A tenth of what a move took before the mover was made fast: 464 microseconds along a wall, 300 in a corner of boxes, 640 to 1,060 among meshes.
    "character mover": {
        "along a wall": {"46 us": 1 / 46.4e-6},
        "corner of boxes": {"30 us": 1 / 30e-6},
        "along a mesh wall": {"64 us": 1 / 64e-6},
        "corner of meshes": {"106 us": 1 / 106e-6},
    },
    # A robot of the same size in other postures: only Coal's share of FCL's rate would carry over.
    "robot pairs, 8 touch": {LINKS: {"Coal": 2764}},
    "robot pairs, 3 touch": {LINKS: {"Coal": 8900}},
    "robot pairs, 0 touch": {LINKS: {"Coal": 447e3}},
    "robot distance, 8 touch": {LINKS: {"Coal": 818}},
    "robot distance, 3 touch": {LINKS: {"Coal": 213}},
    "robot distance, 0 touch": {LINKS: {"Coal": 93}},
    "ray in a scene": {"10000 bodies": {"Jolt": 1 / 1.7e-6}, "100000 bodies": {"Jolt": 1 / 3.8e-6}},
    "sphere sweep long": {BUNNY: {"Jolt": 39e3}, BIG: {"Jolt": 4.2e3}},
    "sphere sweep short": {BUNNY: {"Jolt": 38e3, "Box3D": 47e3}, BIG: {"Jolt": 3.3e3}},
    # on another model of as many triangles
    "box sweep long": {"torus 13k": {"Jolt": 61e3}},
    "capsule sweep long": {"torus 13k": {"Jolt": 75e3}},
}

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
    "sphere sweep long": (10, None, None),
    "sphere sweep short": (10, None, None),
    "box sweep long": (5, None, None),
    "capsule sweep long": (5, None, None),
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
    "broad phase uniform": (5, None, None),
    **{"gap " + gap: (5 if gap in (".001", ".03") else 2, None, ("FCL",)) for gap in (".001", ".03", ".1", ".3", "1", "3")},
    "deep": (0.5, None, ("intersects",)),
    "contains": (2, 2, ("CGAL",)),
    "signed distance": (1 / 1.2, None, ("closest",)),
    "refit": (3, None, ("new fast tree",)),
    "scene move": (1, None, None),
    "scene move, batch": (1, None, None),
    "scene query, nothing near": (1, None, None),
    "robot pairs, 8 touch": (2, None, ("FCL",)),
    "robot pairs, 3 touch": (1.5, None, ("FCL",)),
    "robot pairs, 0 touch": (0.5, None, ("FCL",)),
    "robot any pair, 8 touch": (3, None, ("FCL",)),
    "robot any pair, 3 touch": (3, None, ("FCL",)),
    "robot any pair, 0 touch": (0.5, None, ("FCL",)),
    **{"robot distance, %d touch" % k: (5, None, ("FCL",)) for k in (8, 3, 0)},
    "ray in a scene": (1.5, None, None),
    "sphere in a scene": (2, None, None),
    "character mover": (1, None, ("46 us", "30 us", "64 us", "106 us")),
    "ray among small meshes": (1.5, None, ("Bullet",)),
    "sphere among small meshes": (2, None, ("FCL",)),
    "boxes of which 1 % move": (5, None, None),
    # set against fcl::distance on collision objects, where it has a function for the pair
    "sphere-sphere distance": (2, 5, ("FCL objects",)),
    "sphere-capsule distance": (2, 5, ("FCL objects",)),
    "capsule-capsule distance": (1, 5, ("FCL objects",)),
    "sphere-box distance": (2, 5, ("FCL objects",)),
    "sphere-triangle distance": (2, 5, ("FCL",)),
    "triangle-triangle distance": (2, 5, ("FCL",)),
    "box-capsule distance": (1, 2, ("FCL objects",)),
    "capsule-triangle distance": (1, None, ("FCL",)),
    "box-triangle distance": (1, None, ("FCL",)),
    "box-box distance": (1, 2, ("FCL objects",)),
    **{"hull distance %d" % n: (2, None, ("FCL",)) for n in (30, 100, 400)},
    **{"hull-hull %d" % n: (2, None, ("FCL",)) for n in (30, 100, 400)},
}
MESH_MESH_MEAN = 5


def figures(row):
    return ELSEWHERE.get(row["row"], {}).get(row["input"], {})


def pace(rows):
    """The speed of this machine relative to the other one: the median ratio over all peers measured on both."""
    found = [c["rate"] / figures(r)[n] for r in rows for n, c in r["contestants"].items() if n in figures(r)]
    return statistics.median(found) if found else 1.0


def rivals(row, middle):
    """[(name, rate, measured here?)], fastest first. A peer that was not measured here counts with its rate elsewhere, scaled by the ratio of the row's other
    peers here and there (without any: by `middle`)."""
    here = {n: c["rate"] for n, c in row["contestants"].items() if not n.startswith("Graze")}
    there = figures(row)
    both = [here[n] / there[n] for n in here if n in there]
    scale = statistics.median(both) if both else middle
    found = [(n, x, True) for n, x in here.items()] + [(n, x * scale, False) for n, x in there.items() if n not in here]
    return sorted(found, key=lambda f: -f[1])


def aimed(rows, sweeps):
    """Rows with an aim: {"title", "aims", "ratios" (one, batch), "rival", "measured"}; including sweeps, which no peer in Debian offers."""
    middle = pace(rows)
    ways = {(r["row"], r["input"]): {"rate": r["rate"]} for r in sweeps}  # a batch has its own row
    every = rows + [
        {
            "row": row,
            "input": model,
            "contestants": {"Graze": one} | ({"Graze batch": ways[row + ", batch", model]} if (row + ", batch", model) in ways else {}),
        }
        for (row, model), one in ways.items()
    ]
    found = []
    for row in every:
        one, batch, only = AIMS.get(row["row"], (None, None, None))
        if (
            one is None or row["input"] in ("touching", "hostile") or (row["row"].startswith("broad phase") and not figures(row))
        ):  # aims are set for 100,000 boxes and more
            continue
        against = [r for r in rivals(row, middle) if only is None or r[0] in only]
        if not against:
            continue
        name, rate, measured = against[0]
        ratios = [row["contestants"][n]["rate"] / rate if n in row["contestants"] else None for n in ("Graze", "Graze batch")]
        found.append({"row": row["row"], "title": title(row), "aims": (one, batch), "ratios": ratios, "rival": name, "measured": measured})
        if row["row"] == "triangle-triangle":
            other = row["contestants"].get("CGAL double")
            if other and ratios[1]:
                found.append(
                    {
                        "row": row["row"],
                        "title": "%s, %s, batch" % (row["row"], row["input"]),
                        "aims": (None, 2),
                        "ratios": [None, row["contestants"]["Graze batch"]["rate"] / other["rate"]],
                        "rival": "CGAL double",
                        "measured": True,
                    }
                )
    return found


def share(a):
    """The least fraction of its aims that a row reaches (1 and more: all). A batch may count for single queries, but not vice versa."""
    one, batch = a["aims"]
    single = max(r for r in a["ratios"] if r is not None)
    parts = ([single / one] if one else []) + ([a["ratios"][1] / batch] if batch and a["ratios"][1] else [])
    return min(parts)


def mean_of_meshes(rows, sweeps):
    found = [a["ratios"][0] for a in aimed(rows, sweeps) if a["row"].startswith("mesh-mesh ")]
    return math.exp(sum(map(math.log, found)) / len(found)) if found else None


def section(rows, sweeps):
    found = aimed(rows, sweeps)
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
                a["rival"] if a["measured"] else "*%s*" % a["rival"],
                *("" if r is None else "%.2f" % r if r < 10 else "%.1f" % r for r in a["ratios"]),
                *("" if x is None else "%g" % x for x in a["aims"]),
                "reached" if share(a) >= 0.995 else "**%.2f**" % share(a),
            )
        )
    mean = mean_of_meshes(rows, sweeps)
    return (
        text
        + (["", "Mesh against mesh, yes or no, geometric mean over all classes and meshes: %.2f (aim %g)." % (mean, MESH_MESH_MEAN)] if mean else [])
        + [""]
    )


def elsewhere_section(rows, rate_text):
    """The peers' rates here and elsewhere; empty when no row was measured there."""
    found = [(r, n, c["rate"], figures(r)[n]) for r in rows for n, c in r["contestants"].items() if n in figures(r)]
    if not found:
        return []
    text = [
        fill("elsewhere"),
        "",
        "| row | peer | here | elsewhere | here over elsewhere |",
        "|---|---|---:|---:|---:|",
    ]
    middle = pace(rows)
    for r, name, here, there in found:
        ratio = here / there
        text.append(
            "| %s, %s | %s | %s | %s | %s |"
            % (words(r["row"]), r["input"], name, rate_text(here), rate_text(there), ("**%.2f**" if abs(ratio / middle - 1) > 0.2 else "%.2f") % ratio)
        )
    return text + [""]
