"""What a row of bench/run.py says: its contestants, ratios and figures as text."""

OWN = ("Graze", "Graze batch")
# Graze at other work, beside which a row is set: not peers.
REFERENCES = ("intersects", "closest", "closest batch", "new fast tree", "all move", "one thread")
UNITS = {
    "build": "triangles",
    "build fast": "triangles",
    "refit": "triangles",
    "ray closest": "rays",
    "ray any": "rays",
    "ray one-sided": "rays",
    "ray brief": "rays",
    "ray all": "rays",
    "edge rays": "rays",
    "particles": "segments",
    "broad phase uniform": "boxes",
    "broad phase sizes": "boxes",
    "boxes of which 1 % move": "boxes",
    "character mover": "moves",
    "scene move": "moves",
    "scene move, batch": "moves",
    "robot pairs": "postures",
    "robot any pair": "postures",
    "robot postures": "postures",
    "robot distance": "postures",
}


def unit(row):
    if row["program"] in ("pairs", "distances", "contact"):
        return "pairs"
    return UNITS.get(row["row"]) or UNITS.get(row["row"].rsplit(",", 1)[0], "queries")


# The letters of the rows about two placed meshes, in words.
POSES = {"r": "random", "b": "0.001 deep", "x": "1e-5 deep", "n": "0.001 apart", "y": "1e-5 apart", "c": "deep", "d": "coplanar"}


def words(name):
    """The name of a row as people read it."""
    what, _, letter = name.rpartition(" ")
    return "%s %s" % (what, POSES[letter]) if letter in POSES and what in ("mesh-mesh", "all pairs", "distance") else name


def title(row):
    return "%s, %s" % (words(row["row"]), row["input"])


def named(row):
    return "%s (%s)" % (words(row["row"]), row["input"])


def fastest_first(row, wanted):
    return sorted(((n, c) for n, c in row["contestants"].items() if wanted(n)), key=lambda p: -p[1]["rate"])


def peers(row):
    """Other libraries: (name, contestant), fastest first."""
    return fastest_first(row, lambda n: n not in OWN and n not in REFERENCES)


def references(row):
    """Graze at other work: (name, contestant), fastest first."""
    return fastest_first(row, lambda n: n in REFERENCES)


def ratios(row):
    """Ratios of Graze, one at a time and in a batch (None: there is none), to the fastest peer, right or wrong; without a peer to the fastest reference."""
    beside = peers(row) or references(row)
    return [row["contestants"][n]["rate"] / beside[0][1]["rate"] if beside and n in row["contestants"] else None for n in OWN]


def best_ratio(row):
    return max(r for r in ratios(row) if r is not None)


def rate(x):
    for factor, letter in ((1e6, "M"), (1e3, "k")):
        if x >= factor:
            return "%.3g %s" % (x / factor, letter) if x / factor < 1000 else "%.0f %s" % (x / factor, letter)
    return "%.3g" % x


def ratio_text(r):
    return "" if r is None else "%.2f" % r if r < 10 else "%.1f" % r


def wrong_text(row):
    """Peers whose answers differ, and the number of such answers."""
    found = []
    for name, c in peers(row):
        if c.get("wrong", 0):
            found.append("%s %d" % (name, c["wrong"]))
        elif c.get("error", 0) > 1e-12:
            found.append("%s: off by %.1g" % (name, c["error"]))
    return ", ".join(found)
