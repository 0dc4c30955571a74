"""What bench/run.py measured, as a text table, as an SVG bar chart, and as docs/benchmarks.md."""
import math

import aims
import curves_report
import notes

OWN = ("Graze", "Graze batch")
UNITS = {
    "pairs": "pairs",
    "build": "triangles",
    "build fast": "triangles",
    "ray closest": "rays",
    "ray any": "rays",
    "edge rays": "rays",
    "particles": "segments",
    "broad phase uniform": "boxes",
    "broad phase sizes": "boxes",
}


def unit(row):
    return UNITS["pairs"] if row["program"] == "pairs" else UNITS.get(row["row"], "queries")


def title(row):
    return "%s, %s" % (row["row"], row["input"])


def named(row):
    return "%s (%s)" % (row["row"], row["input"])


def peers(row):
    """(name, contestant), fastest first."""
    return sorted(((n, c) for n, c in row["contestants"].items() if n not in OWN), key=lambda p: -p[1]["rate"])


def ratios(row):
    """Of Graze one at a time and in a batch (None: there is none) to the fastest peer, right or wrong."""
    best = peers(row)[0][1]["rate"]
    return [row["contestants"][n]["rate"] / best if n in row["contestants"] else None for n in OWN]


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
    """Peers whose answers differ, and how many."""
    found = []
    for name, c in peers(row):
        if c.get("wrong", 0):
            found.append("%s %d" % (name, c["wrong"]))
        elif c.get("error", 0) > 1e-12:
            found.append("%s: off by %.1g" % (name, c["error"]))
    return ", ".join(found)


def exactness(row):
    """Rates of Graze, its batch and the same kernel in doubles alone, and how many times the latter's time Graze takes."""
    one, batch, plain = (row["contestants"][n]["rate"] for n in ("Graze", "Graze batch", "plain double"))
    return one, batch, plain, plain / one, plain / batch


def table(result):
    lines = ["%-36s %10s %10s  %-24s %7s %7s  %s" % ("row", "Graze/s", "batch/s", "fastest peer/s", "ratio", "batch", "wrong answers")]
    for row in result["rows"]:
        c, (name, best) = row["contestants"], peers(row)[0]
        one, batch = ratios(row)
        lines.append(
            "%-36s %10s %10s  %-24s %7s %7s  %s"
            % (
                title(row),
                rate(c["Graze"]["rate"]),
                rate(c["Graze batch"]["rate"]) if "Graze batch" in c else "",
                "%s %s" % (name, rate(best["rate"])),
                ratio_text(one),
                ratio_text(batch),
                wrong_text(row),
            )
        )
    if result.get("exactness"):
        lines += ["", "%-44s %10s %14s %7s %7s" % ("exactness", "Graze/s", "plain double/s", "cost", "batch")]
        for row in result["exactness"]:
            one, batch, plain, cost, batch_cost = exactness(row)
            lines.append("%-44s %10s %14s %7s %7s" % (title(row), rate(one), rate(plain), ratio_text(cost), ratio_text(batch_cost)))
    if result["tiers"]:
        lines += ["", "%-36s %10s %10s %10s %10s %10s" % ("decision", "ns", "signs", "filter", "fixed", "any width")]
        for t in result["tiers"]:
            lines.append(
                "%-36s %10.1f %s"
                % (
                    "%s, %s" % (t["what"], t["input"]),
                    t["ns"],
                    "%10.2f %9.3f%% %9.3f%% %9.3f%%" % (t["decisions"], 100 * t["filter"], 100 * t["fixed"], 100 * t["big"]) if t["decisions"] else "",
                )
            )
    if result.get("world"):
        lines += [
            "",
            "%-12s %12s %12s %14s %12s %7s   (%d triangles)"
            % ("particles", "Graze/s", "wall, all/s", "world steps/s", "Embree/s", "ratio", result["world"]["triangles"]),
        ]
        for p in result["world"]["curve"]:
            lines.append(
                "%-12d %12s %12s %14.4g %12s %7s"
                % (p["particles"], rate(p["one"]), rate(p["wall"]), p["wall"] / p["particles"], rate(p["embree"]), ratio_text(p["one"] / p["embree"]))
            )
    if result.get("curves"):
        lines.append(curves_report.table(result["curves"]))
    lines += own_table(result)
    return "\n".join(lines)


def own_table(result):
    """Figures of Graze alone, as lines of text: sweeps (Jolt's, measured elsewhere, beside), and vertex-face and edge-edge in motion."""
    lines = []
    if result.get("sweeps"):
        lines += ["", "%-26s %-18s %12s %10s %12s %8s" % ("sweep", "model", "a second", "us each", "Jolt's", "ratio")]
        for r in result["sweeps"]:
            beside = " %12.0f %8.2f" % (r["jolt"], r["rate"] / r["jolt"]) if "jolt" in r else ""
            lines.append("%-26s %-18s %12.0f %10.3f%s" % (r["row"], r["input"], r["rate"], 1e6 / r["rate"], beside))
    if result.get("ccd"):
        lines += [
            "",
            "%-44s %8s %10s %10s %10s   (microseconds a query; Tight-Inclusion, measured elsewhere: median .5, mean 2,749, worst 400,000)"
            % ("vertex-face, edge-edge", "queries", "median", "mean", "worst"),
        ]
        lines += ["%-44s %8d %10.3f %10.3f %10.3f" % (r["file"], r["queries"], r["median"], r["mean"], r["worst"]) for r in result["ccd"]]
    return lines


# ---- picture


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def chart(result):
    """Graze's rate over the fastest peer's, one bar a row, logarithmic, growing from 1 to either side."""
    rows = result["rows"]
    left, right, top, line, width = 250, 190, 84, 21, 960
    plot = width - left - right
    values = [r for row in rows for r in ratios(row) if r is not None] or [1]
    low = min(-1, math.floor(math.log2(min(values))))
    high = max(1, math.ceil(math.log2(max(values))))
    groups = sum(1 for i, row in enumerate(rows) if i == 0 or row["program"] != rows[i - 1]["program"])
    height = top + line * len(rows) + 26 * groups + 40

    def x(value):
        return left + plot * (math.log2(value) - low) / (high - low)

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12">'
        % (width, height, width, height),
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="16" y="26" font-size="17" font-weight="bold" fill="#1a1a1a">Speed of Graze over the fastest peer of each row</text>',
        '<text x="16" y="46" fill="#555555">%s</text>'
        % escape(
            "%s, %s, one thread, %s; medians of %s interleaved repetitions"
            % (result["machine"]["cpu"], result["machine"]["simd"], result["machine"]["date"], result["repetitions"])
        ),
    ]
    legend = (
        ("#2563a8", "Graze is faster"),
        ("#b5532a", "the peer is faster"),
        ("batch", "Graze in a batch"),
        ("dagger", "some of the peer's answers are wrong"),
    )
    at = 16
    for colour, text in legend:
        if colour == "batch":
            out.append('<line x1="%d" y1="56" x2="%d" y2="68" stroke="#111111" stroke-width="2.5"/>' % (at + 5, at + 5))
        elif colour == "dagger":
            out.append('<text x="%d" y="67" fill="#333333">†</text>' % at)
        else:
            out.append('<rect x="%d" y="57" width="10" height="10" fill="%s"/>' % (at, colour))
        out.append('<text x="%d" y="67" fill="#333333">%s</text>' % (at + 16, text))
        at += 44 + 7 * len(text)
    bottom = height - 30
    for k in range(low, high + 1):
        where = x(2.0**k)
        out.append(
            '<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s" stroke-width="%s"/>'
            % (where, top - 4, where, bottom, "#444444" if k == 0 else "#dddddd", "1.4" if k == 0 else "1")
        )
        label = "%d×" % 2**k if k >= 0 else "1/%d" % 2**-k
        out.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#555555">%s</text>' % (where, bottom + 16, label))
    y, program = top, None
    for row in rows:
        if row["program"] != program:
            program = row["program"]
            out.append(
                '<text x="16" y="%d" font-weight="bold" fill="#1a1a1a">%s</text>'
                % (y + 16, {"pairs": "Pairs of shapes", "mesh": "Meshes", "broad": "Many boxes that all move"}.get(program, program))
            )
            y += 26
        one, batch = ratios(row)
        begin, end = sorted((x(1), x(one)))
        out.append('<text x="%d" y="%d" text-anchor="end" fill="#1a1a1a">%s</text>' % (left - 10, y + 14, escape(title(row))))
        out.append(
            '<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>' % (begin, y + 4, max(end - begin, 1), line - 8, "#2563a8" if one >= 1 else "#b5532a")
        )
        if batch is not None:
            out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#111111" stroke-width="2.5"/>' % (x(batch), y + 2, x(batch), y + line - 2))
        wrong = " †" if peers(row)[0][1].get("wrong", 0) else ""
        out.append(
            '<text x="%d" y="%d" fill="#333333">%s</text>' % (width - right + 14, y + 14, escape("%s× %s%s" % (ratio_text(one), peers(row)[0][0], wrong)))
        )
        y += line
    out.append("</svg>")
    return "\n".join(out) + "\n"


def world_chart(result):
    """World steps a second over the number of particles, both logarithmic."""
    curve = result["world"]["curve"]
    lines = (
        ("Graze, all threads", "#2563a8", [(p["particles"], p["wall"] / p["particles"]) for p in curve]),
        ("Graze, one thread", "#7fa8d6", [(p["particles"], p["one"] / p["particles"]) for p in curve]),
        ("Embree, one ray a particle, one thread", "#b5532a", [(p["particles"], p["embree"] / p["particles"]) for p in curve]),
    )
    xs, ys = [math.log10(p["particles"]) for p in curve], [math.log10(y) for _, _, points in lines for _, y in points]
    x0, x1, y0, y1 = math.floor(min(xs)), math.ceil(max(xs)), math.floor(min(ys)), math.ceil(max(ys))
    x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)
    left, top, width, height = 80, 90, 560, 340

    def x(v):
        return left + width * (math.log10(v) - x0) / (x1 - x0)

    def y(v):
        return top + height * (1 - (math.log10(v) - y0) / (y1 - y0))

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="490" viewBox="0 0 720 490" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="16" y="26" font-size="17" font-weight="bold" fill="#1a1a1a">Steps a second of a world of particles</text>',
        '<text x="16" y="46" fill="#555555">%s</text>'
        % escape("a mesh of %s triangles; %s, %s" % (format(result["world"]["triangles"], ","), result["machine"]["cpu"], result["machine"]["date"])),
    ]
    for k in range(x0, x1 + 1):
        out.append(
            '<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#dddddd"/><text x="%.1f" y="%d" text-anchor="middle" fill="#555555">%s</text>'
            % (x(10.0**k), top, x(10.0**k), top + height, x(10.0**k), top + height + 18, format(10**k, ","))
        )
    for k in range(y0, y1 + 1):
        out.append(
            '<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end" fill="#555555">%g</text>'
            % (left, y(10.0**k), left + width, y(10.0**k), left - 8, y(10.0**k) + 4, 10.0**k)
        )
    out.append('<text x="%d" y="%d" text-anchor="middle" fill="#555555">particles</text>' % (left + width // 2, top + height + 38))
    for i, (name, colour, points) in enumerate(lines):
        out.append('<polyline fill="none" stroke="%s" stroke-width="2.5" points="%s"/>' % (colour, " ".join("%.1f,%.1f" % (x(a), y(b)) for a, b in points)))
        out += ['<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>' % (x(a), y(b), colour) for a, b in points]
        out.append(
            '<rect x="%d" y="57" width="10" height="10" fill="%s"/><text x="%d" y="67" fill="#333333">%s</text>'
            % (16 + 180 * i, colour, 32 + 180 * i, escape(name))
        )
    out.append("</svg>")
    return "\n".join(out) + "\n"


# ---- docs/benchmarks.md


def document(result):
    m = result["machine"]
    rows = result["rows"]
    programs = {p: [r for r in rows if r["program"] == p] for p in ("pairs", "mesh", "broad")}
    behind = sorted((r for r in rows if best_ratio(r) < 0.95), key=best_ratio)
    ahead = [r for r in rows if best_ratio(r) > 1.05]
    text = [
        "# Benchmarks",
        "",
        "Graze beside the libraries that people use for the same questions, in one process, on the same inputs, on one thread. Written by `bench/run.py --docs`; do not edit by hand.",
        "",
        "Measured %s on %s (%s, %s, %d cores visible), commit %s, %s, Release; peers as Debian ships them: %s."
        % (m["date"], m["cpu"], m["cpu_family"], m["simd"], m["cores"], m["commit"], m["compiler"], ", ".join("%s %s" % p for p in m["peers"].items())),
        "",
        "![Speed of Graze over the fastest peer of each row](benchmarks.svg)",
        "",
        "## In short",
        "",
        "- Of %d rows Graze leads in %d, is level (within 5 %%) in %d, and loses in %d. Each is compared with the fastest peer, whether or not that peer's answers are right."
        % (len(rows), len(ahead), len(rows) - len(ahead) - len(behind), len(behind)),
    ]
    if behind:
        text.append("- Graze loses here (the better of one at a time and batch, over the fastest peer):")
        for name in sorted({peers(r)[0][0] for r in behind}):
            text.append("  - %s: %s" % (name, ", ".join("%s %s" % (named(r), ratio_text(best_ratio(r))) for r in behind if peers(r)[0][0] == name)))
    exact = [r for r in rows if "CGAL exact" in r["contestants"]]
    if exact:
        text.append(
            "- The one peer that is exact, too, is CGAL with its exact predicates; over it, one at a time and in a batch: %s."
            % ", ".join(
                "%s %s" % (named(r), " and ".join(ratio_text(r["contestants"][n]["rate"] / r["contestants"]["CGAL exact"]["rate"]) for n in OWN)) for r in exact
            )
        )
    mistaken = {}
    for r in rows:
        for name, c in peers(r):
            if c.get("wrong", 0):
                mistaken.setdefault(name, []).append("%s %d" % (named(r), c["wrong"]))
    text.append(
        "- Graze's answers are the truth that the others are held against: they are exact, and the tests hold them against rational arithmetic. Peers with wrong answers, and how many:"
    )
    text += ["  - %s: %s" % (n, ", ".join(t)) for n, t in sorted(mistaken.items())] or ["  - none"]
    text += [
        "",
        *aims.section(rows, result.get("sweeps", [])),
        "## How to repeat it",
        "",
        "```",
        "bench/run.py --docs                     # installs the peers, builds, measures, rewrites this page",
        "bench/compare.py base.json head.json    # what changed between two results (out/bench.json)",
        "```",
        "",
        "The clock is CPU time (the load average was %s before and %s after, on the same cores); each figure is the median of %s repetitions in which the contestants take turns in random order. Objects of each library are built before the clock starts. "
        "%s"
        % (
            *("%.0f" % x for x in m["load"]),
            result["repetitions"],
            "The machine had other work: between two such runs half of the ratios moved by less than a tenth, single ones by up to 1.4."
            if max(m["load"]) > m["cores"] + 0.5
            else "",
        ),
        "",
    ]
    if programs["pairs"]:
        text += [
            "## Pairs of shapes, yes or no",
            "",
            "%s pairs a row%s, about half overlapping. *plain*: random. *touching*: exact contact or one rounding step apart, as models made by people hold everywhere "
            "(spheres on Pythagorean quadruples, boxes on a grid in quarter turns, triangles on a 4 x 4 x 4 grid). *hostile*: placed at random, so that they would touch but for rounding, 1,000 units from the origin."
            % (format(result["pairs"], ","), "".join(", %s in %s (%s)" % (format(v, ","), *k.split("/")) for k, v in result.get("slow_pairs", {}).items())),
            "",
        ]
        text += rows_table(programs["pairs"])
        text += [
            "",
            "How the peers are asked, by the fastest way that each offers: FCL by its narrow phase solver (`GJKSolver_libccd::shapeIntersect`, `shapeTriangleIntersect`, for capsules `shapeDistance`; triangles by "
            "`Intersect::intersect_Triangle`), not through `fcl::collide`, which is slower. Debian compiles FCL with its assertions on. Bullet by `btBoxBoxDetector`, `SphereTriangleDetector`, otherwise `btGjkPairDetector`; single precision, as in Debian, and a box's edges rounded by its margin. ODE by `dCollide` "
            "for one contact (without `CONTACTS_UNIMPORTANT`, with which its boxes miss 8 % of the overlaps); its ray stands for the segment, and it sees no segment that lies inside the box. CGAL by `do_intersect`: *double* is "
            "`Simple_cartesian<double>`, *exact* `Exact_predicates_inexact_constructions_kernel`. An oriented box of Graze keeps its axes literally, so a rotation matrix rounded by a peer is the same box up to rounding only; on plain input no answer hangs on that.",
            "",
        ]
    if programs["mesh"]:
        text += [
            "## Meshes",
            "",
            "Models scaled to a half diagonal of 1, coordinates rounded to float32 (Embree's own precision). build: arrays to a ready tree (*build fast*: both by Morton codes, made faster and slower to query). ray: from the bounding sphere at a point of the box; edge rays: exactly at vertices, edge midpoints and through "
            "vertices parallel to an axis; particles: segments of length .02. mesh-mesh (yes or no; a model against itself at 40 poses): r random, b / x .001 / 1e-5 deep, n / y .001 / 1e-5 apart, c deep, d in quarter turns or shifted along an axis, so that "
            "faces are coplanar. all pairs: every pair of triangles that meet. distance: between meshes .001 apart. Small shapes (sphere r .05; box and capsule of that size) in random rotation near the surface.",
            "",
        ]
        text += rows_table(programs["mesh"])
        text += [
            "",
            "Embree: `rtcIntersect1`, `rtcOccluded1`, `rtcPointQuery` on a tree of SAH quality; *robust* is its watertight mode. FCL: `BVHModel<OBBRSS>`. ODE: trimesh geoms. CGAL: `AABB_tree` over `Simple_cartesian<double>`. "
            "A wrong answer of *all pairs* is a pair too many or too few; \"off by\" is the greatest relative error of a distance.",
            "",
        ]
    if programs["broad"]:
        text += [
            "## Many boxes that all move",
            "",
            "A frame: every box gets a new place, then all overlapping pairs are asked for (in order, by Graze). *uniform*: about seven overlaps a box; *sizes*: sides over three decades. The unit is boxes a second: number of boxes over time of a frame. "
            "The older methods stand in docs/broad_phase.md.",
            "",
        ]
        text += rows_table(programs["broad"])
        text += [
            "",
            "FCL: `DynamicAABBTreeCollisionManager`, `update()` and `collide()`. Bullet: `btDbvt` (single precision), `update` of each leaf and `collideTT` with itself, without the cache of pairs of `btDbvtBroadphase`.",
            "",
        ]
    if result.get("world"):
        text += [
            "## A world of particles",
            "",
            "`World::step` with points that bounce in and around a mesh of %s triangles, half of them near the surface, .02 of the mesh's half diagonal a step, %d steps. Embree: one `rtcIntersect1` a particle and step, no second ray after a bounce and no certificate, on one thread: it leaks. "
            "The unit is particle steps a second, CPU time for one thread, wall time for all."
            % (format(result["world"]["triangles"], ","), result["world"]["steps"]),
            "",
            "![Steps a second over the number of particles](benchmarks-world.svg)",
            "",
            "| particles | Graze, one thread | Graze, all threads | world steps/s, all threads | Embree, one thread | ratio, one thread |",
            "|---:|---:|---:|---:|---:|---:|",
        ]
        text += [
            "| %s | %s | %s | %.4g | %s | %s |"
            % (format(p["particles"], ","), rate(p["one"]), rate(p["wall"]), p["wall"] / p["particles"], rate(p["embree"]), ratio_text(p["one"] / p["embree"]))
            for p in result["world"]["curve"]
        ]
        text.append("")
    if result.get("sweeps"):
        text += [
            "## Sweeps",
            "",
            "Graze alone: Jolt and Box3D are not in Debian. *long* motions cross the model, *short* ones are .1 of its half diagonal; *batch*: all in one call. Jolt's figures were measured on another machine, a faster one (see *Aims*), single precision; the ratio here is to the figure as it is.",
            "",
            "| sweep | model | a second | µs each | Jolt's | ratio |",
            "|---|---|---:|---:|---:|---:|",
        ]
        text += [
            "| %s | %s | %s | %.3g | %s | %s |"
            % (
                r["row"],
                r["input"],
                rate(r["rate"]),
                1e6 / r["rate"],
                rate(r["jolt"]) if "jolt" in r else "",
                ratio_text(r["rate"] / r["jolt"]) if "jolt" in r else "",
            )
            for r in result["sweeps"]
        ]
        text.append("")
    if result.get("ccd"):
        text += [
            "## Vertex against face, edge against edge, in motion",
            "",
            "Exact yes or no and exact time, microseconds a query, one thread. Tight-Inclusion, measured elsewhere on the same cases: median .5, mean 2,749, worst 400,000.",
            "",
            "| cases | queries | median | mean | worst |",
            "|---|---:|---:|---:|---:|",
        ]
        text += ["| %s | %d | %.3g | %.3g | %.3g |" % (r["file"], r["queries"], r["median"], r["mean"], r["worst"]) for r in result["ccd"]]
        text.append("")
    if result.get("curves"):
        text += curves_report.section(result["curves"])
    if result.get("exactness"):
        text += [
            "## What exactness costs a pair",
            "",
            "The time of Graze's function over that of the same kernel in doubles alone (no bounds, no exact tiers, no look at the floating-point environment), one at a time and in a batch.",
            "",
            "| row | Graze | in a batch | doubles alone | cost | cost in a batch | wrong answers of doubles |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
        for row in result["exactness"]:
            one, batch, plain, cost, batch_cost = exactness(row)
            text.append(
                "| %s | %s | %s | %s | %s | %s | %d |"
                % (title(row), rate(one), rate(batch), rate(plain), ratio_text(cost), ratio_text(batch_cost), row["contestants"]["plain double"]["wrong"])
            )
        text.append("")
    if result["tiers"]:
        text += [
            "## Which tier answers",
            "",
            "Which tier of arithmetic gave the sign, and the time of the whole decision. *filter*: doubles with a proven error bound; *fixed*: integers of fixed width, no allocation; *any width*: the last resort. *signs*: decisions needed for one answer. *spread*: exponents too far apart for a fixed width. "
            "Counted are the predicates and the generic decision; where a pair has a function of its own in front of them, what that answers in doubles is not counted, so that signs fall below 1 or are blank.",
            "",
            "| decision | input | ns | signs | filter | fixed | any width |",
            "|---|---|---:|---:|---:|---:|---:|",
        ]
        for t in result["tiers"]:
            shares = "%.2f | %.3f %% | %.3f %% | %.3f %%" % (t["decisions"], 100 * t["filter"], 100 * t["fixed"], 100 * t["big"]) if t["decisions"] else "| | |"
            text.append("| %s | %s | %.1f | %s |" % (t["what"], t["input"], t["ns"], shares))
        text.append("")
    text += [notes.LIMITS, ""] + aims.elsewhere_section(rows, rate)
    return "\n".join(text)


def rows_table(rows):
    """Absolute rates of all, ratio to the fastest peer, wrong answers."""
    text = [
        "| row | unit | Graze | in a batch | peers, fastest first | ratio | batch ratio | wrong answers of peers |",
        "|---|---|---:|---:|---|---:|---:|---|",
    ]
    for row in rows:
        c = row["contestants"]
        one, batch = ratios(row)
        bold = "**%s**" if best_ratio(row) < 0.95 else "%s"
        text.append(
            "| %s | %s/s | %s | %s | %s | %s | %s | %s |"
            % (
                bold % title(row),
                unit(row),
                rate(c["Graze"]["rate"]),
                rate(c["Graze batch"]["rate"]) if "Graze batch" in c else "",
                ", ".join("%s %s" % (n, rate(p["rate"])) for n, p in peers(row)),
                ratio_text(one),
                ratio_text(batch),
                wrong_text(row),
            )
        )
    return text + ["", "Rows in bold: the fastest peer is faster."]
