"""Maps of time, as bench/cliffs_bench measured them: a picture a query, the cliffs in them, and a section of docs/benchmarks.md.

A cliff is a cell that costs five times its neighbour, the next gap or depth, or a mesh that costs five times one with a tenth of its triangles. EXPLAINED says
of each class of cliffs why it is there; what is not explained is listed first."""
import math
import re

from page_text import fill

STEP = 5.0  # times its neighbour
LEAST = 500  # ns: a cell below is no cliff
SIZES = {"300": 300, "3k": 3000, "30k": 30000, "300k": 300000}
# Reasons that hold by how a cell is made, or that a profile showed; what is only supposed stays without one.
NEAR = "contact nearer than doubles tell: pairs of doubles, then integers decide"
APART = "bounding boxes, of the shapes or of the tree's nodes, tell apart what is three sizes apart"
SHORT = "at gap 3 the motion ends one size before they touch"
MANY = "more triangles touch, and each is reported, or gives a direction for the depth"
SEARCH = "boxes no longer tell apart: nodes and triangles near the contact are bounded one by one, along directions that GJK proposes"
MESH = ".*mesh.*"
# (query, row, panel, what is beside) as regular expressions; gaps from .. to; the reason. The first that fits counts.
EXPLAINED = (
    ("sweep", ".*", ".*", "gap 3", 0.3, 0.3, SHORT),
    ("(?!ray).*", ".*", "of one size|1e6 from the origin|cold caches", "gap 3", 0.3, 0.3, APART),
    ("intersects|within|contacts|manifold|relation|penetration", MESH, "b 10.*", "gap 3", 0.3, 0.3, APART),
    ("intersects|within|contacts|manifold|relation|penetration", MESH, ".*", "gap 0.3", 0.03, 0.03, SEARCH),
    ("intersects|within|contacts|manifold|relation|penetration", MESH, ".*", "gap 0.03", 0.001, 0.001, SEARCH),
    ("contacts|manifold|penetration", MESH, ".*", ".*", -0.3, -1e-3, MANY),
    (".*", ".*", "of one size|cold caches", "gap .*", -1e-9, 1e-9, NEAR),
    (".*", ".*", "b 100 times larger|b 10,000 times smaller|1e6 from the origin", "gap .*", -1e-6, 1e-6, NEAR),
)


def maps(cells):
    """{query: {panel: {row: {gap: (mean, worst)}}}}, in the order measured."""
    found = {}
    for c in cells:
        found.setdefault(c["query"], {}).setdefault(c["panel"], {}).setdefault(c["row"], {})[c["gap"]] = (c["mean"], c["worst"])
    return found


def reason(query, row, panel, gap, beside):
    """Why a cliff stands there, or nothing."""
    for *texts, low, high, why in EXPLAINED:
        if low <= gap <= high and all(re.fullmatch(wanted, text) for wanted, text in zip(texts, (query, row, panel, beside))):
            return why
    return ""


def smaller(row):
    """The same row with a tenth of the triangles of its largest meshes, or nothing."""
    sizes = re.findall(r"mesh (\w+)", row)
    if not sizes:
        return ""
    names = list(SIZES)
    most = max(names.index(size) for size in sizes)
    return re.sub(r"mesh %s\b" % names[most], "mesh " + names[most - 1], row) if most > 0 else ""


def cliffs(cells):
    """[(factor, query, row, panel, gap, mean, beside what)], the steepest first."""
    found = []
    for query, panels in maps(cells).items():
        for panel, rows in panels.items():
            for row, by_gap in rows.items():
                gaps = list(by_gap)
                for i, gap in enumerate(gaps):
                    mean = by_gap[gap][0]
                    beside = [(by_gap[gaps[k]][0], "gap %g" % gaps[k]) for k in (i - 1, i + 1) if 0 <= k < len(gaps)]
                    if smaller(row) in rows:
                        beside.append((rows[smaller(row)][gap][0], "a tenth of the triangles"))
                    least, what = min(beside)
                    if mean >= max(LEAST, STEP * least):
                        found.append((mean / max(1, least), query, row, panel, gap, mean, what))
    return sorted(found, reverse=True)


def table(cells):
    found = cliffs(cells)
    open_ones = [c for c in found if not reason(*c[1:5], c[6])]
    lines = ["", "%d cells, %d cliffs, %d without a reason:" % (len(cells), len(found), len(open_ones))]
    lines += ["%6.1f x  %-22s %-26s %-22s gap %-7g %10.0f ns, beside %s" % c for c in open_ones]
    return "\n".join(lines)


# ---- pictures

STEPS = 32  # colours, from 30 ns to 100 ms
WIDE, HIGH, LEFT, TOP, BETWEEN = 27, 15, 190, 150, 18  # of a cell, of the names, of the headings, and between panels


def step(ns):
    return min(STEPS - 1, max(0, int((math.log10(max(ns, 1)) - 1.5) / 6.5 * STEPS)))


def colour(k):
    """From pale to dark, in even steps."""
    stops = ((247, 251, 238), (199, 226, 190), (120, 183, 184), (62, 125, 167), (58, 68, 130), (50, 20, 70))
    t = k / (STEPS - 1) * (len(stops) - 1)
    i = min(len(stops) - 2, int(t))
    return "#%02x%02x%02x" % tuple(round(a + (t - i) * (b - a)) for a, b in zip(stops[i], stops[i + 1]))


def short(ns):
    for unit in ("", "k", "M"):
        if ns < 999.5 or unit == "M":
            return ("%.0f%s" if ns >= 9.95 or not unit else "%.1f%s") % (ns, unit)
        ns /= 1e3


def gap_name(gap):
    return "touch" if gap == 0 else ("%g" % gap).replace("e-0", "e-").replace("0.", ".")


def legend():
    out = []
    for i, (ns, name) in enumerate(((100, "100 ns"), (1e3, "1 µs"), (1e4, "10 µs"), (1e5, "100 µs"), (1e6, "1 ms"), (1e7, "10 ms"), (1e8, "100 ms"))):
        out.append('<rect x="%d" y="54" width="22" height="12" fill="%s" stroke="#bbbbbb"/>' % (12 + 90 * i, colour(step(ns))))
        out.append('<text x="%d" y="64" font-size="11" fill="#333333">%s</text>' % (40 + 90 * i, name))
    return out


def panel(name, lines, rows, gaps, x0, steep):
    """The cells of one panel, those of one colour together; cliffs are framed and have their figure."""
    out = ['<text x="%d" y="%d" font-size="12" font-weight="bold" fill="#1a1a1a">%s</text>' % (x0, TOP - 58, name)]
    for i, gap in enumerate(gaps):
        x, y = x0 + WIDE * i + WIDE / 2 + 3, TOP - 6
        out.append('<text x="%.1f" y="%d" transform="rotate(-60 %.1f %d)" fill="#333333">%s</text>' % (x, y, x, y, gap_name(gap)))
    cells, frames = {}, []
    for r, row in enumerate(rows):
        for i, gap in enumerate(gaps):
            if gap not in lines.get(row, {}):
                continue
            ns, x, y = lines[row][gap][0], x0 + WIDE * i, TOP + HIGH * r
            cells.setdefault(step(ns), []).append("M%d %dh%dv%dh-%dz" % (x, y, WIDE, HIGH, WIDE))
            if (row, gap) in steep:
                frames.append('<rect x="%d.5" y="%d.5" width="%d" height="%d"/>' % (x, y, WIDE - 1, HIGH - 1))
                ink = "#ffffff" if ns > 3e4 else "#222222"
                out.append('<text x="%.1f" y="%.1f" text-anchor="middle" fill="%s">%s</text>' % (x + WIDE / 2, y + 10.5, ink, short(ns)))
    out[1:1] = ['<path d="%s" fill="%s"/>' % ("".join(paths), colour(k)) for k, paths in sorted(cells.items())]
    return out + ['<g fill="none" stroke="#c0392b" stroke-width="1.5">%s</g>' % "".join(frames)]


def chart(cells, query, machine):
    """The map of a query: a block for each panel, a line for each pair of kinds, a column for each gap."""
    panels = maps(cells)[query]
    rows = list(dict.fromkeys(row for lines in panels.values() for row in lines))
    gaps = list(dict.fromkeys(gap for lines in panels.values() for by_gap in lines.values() for gap in by_gap))
    width = LEFT + len(panels) * (WIDE * len(gaps) + BETWEEN) + 8
    height = TOP + HIGH * len(rows) + 12
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="8">'
        % (width, height, width, height),
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="12" y="24" font-size="16" font-weight="bold" fill="#1a1a1a">%s: time of one call</text>' % query,
        '<text x="12" y="42" font-size="11" fill="#555555">%s, one thread; means. Columns: gap, or depth below 0, in sizes of the smaller shape. '
        "Framed: five times a neighbour, or five times a mesh with a tenth of the triangles.</text>" % machine["cpu"],
    ] + legend()
    for r, row in enumerate(rows):
        out.append('<text x="%d" y="%.1f" font-size="10" text-anchor="end" fill="#1a1a1a">%s</text>' % (LEFT - 6, TOP + HIGH * r + 11, row))
    found = cliffs(cells)
    for p, (name, lines) in enumerate(panels.items()):
        steep = {(c[2], c[4]) for c in found if c[1] == query and c[3] == name}
        out += panel(name, lines, rows, gaps, LEFT + p * (WIDE * len(gaps) + BETWEEN), steep)
    return "\n".join(out) + "\n</svg>\n"


def pictures(cells, machine):
    """{end of the file's name: SVG}."""
    return {"-map-" + q.replace(" ", "-"): chart(cells, q, machine) for q in maps(cells)}


def section(cells):
    found = cliffs(cells)
    by_reason = {}
    for c in found:
        by_reason.setdefault(reason(*c[1:5], c[6]) or "not explained: " + c[1], []).append(c)
    lines = ["| cliffs | steepest | where | why |", "|---|---|---|---|"]
    for why, some in sorted(by_reason.items(), key=lambda x: -len(x[1])):
        factor, query, row, panel, gap, mean, what = some[0]
        lines.append("| %d | %.0f | %s, %s, %s, gap %g, beside %s | %s |" % (len(some), factor, query, row, panel, gap, what, why))
    names = "\n".join("- [%s](benchmarks-map-%s.svg)" % (q, q.replace(" ", "-")) for q in maps(cells))
    return [fill("cliffs", cells=format(len(cells), ","), count=len(found), table="\n".join(lines), maps=names)]
