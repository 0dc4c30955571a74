"""Reports the results of bench/run.py as a text table, as an SVG bar chart, and as docs/benchmarks.md, whose texts are in bench/page."""
import math

import aims
import curves_report
from page_text import fill


OWN = ("Graze", "Graze batch")
UNITS = {
    "pairs": "pairs",
    "build": "triangles",
    "build fast": "triangles",
    "ray closest": "rays",
    "ray any": "rays",
    "ray one-sided": "rays",
    "edge rays": "rays",
    "particles": "segments",
    "broad phase uniform": "boxes",
    "broad phase sizes": "boxes",
}


def unit(row):
    return UNITS["pairs"] if row["program"] in ("pairs", "distances") else UNITS.get(row["row"], "queries")


def title(row):
    return "%s, %s" % (row["row"], row["input"])


def named(row):
    return "%s (%s)" % (row["row"], row["input"])


def peers(row):
    """(name, contestant), fastest first."""
    return sorted(((n, c) for n, c in row["contestants"].items() if n not in OWN), key=lambda p: -p[1]["rate"])


def ratios(row):
    """Ratios of Graze, one at a time and in a batch (None: there is none), to the fastest peer, right or wrong."""
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
    """Peers whose answers differ, and the number of such answers."""
    found = []
    for name, c in peers(row):
        if c.get("wrong", 0):
            found.append("%s %d" % (name, c["wrong"]))
        elif c.get("error", 0) > 1e-12:
            found.append("%s: off by %.1g" % (name, c["error"]))
    return ", ".join(found)


def exactness(row):
    """Rates of Graze, of its batch and of the same kernel in doubles alone, and the ratio of Graze's time to that of the kernel."""
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
        lines += ["", "%-36s %10s %10s %10s %10s %10s %10s" % ("decision", "ns", "signs", "filter", "pairs", "fixed", "any width")]
        for t in result["tiers"]:
            lines.append(
                "%-36s %10.1f %s"
                % (
                    "%s, %s" % (t["what"], t["input"]),
                    t["ns"],
                    "%10.2f %9.3f%% %9.3f%% %9.3f%% %9.3f%%" % (t["decisions"], *tier_shares(t)) if t["decisions"] else "",
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
    """Figures of Graze alone, as lines of text: sweeps (next to Jolt's, measured elsewhere), and vertex-face and edge-edge in motion."""
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
    """Graze's rate over the fastest peer's: one bar per row, logarithmic, growing from 1 to either side."""
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
                % (
                    y + 16,
                    {
                        "pairs": "Pairs of shapes",
                        "distances": "Distances of pairs",
                        "contact": "Depths and contacts",
                        "mesh": "Meshes",
                        "broad": "Many boxes that all move",
                    }.get(program, program),
                )
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
    """World steps per second over the number of particles, both logarithmic."""
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
    rows = result["rows"]
    programs = {p: [r for r in rows if r["program"] == p] for p in ("pairs", "distances", "contact", "mesh", "broad")}
    load, cores = result["machine"]["load"], result["machine"]["cores"]
    text = [
        introduction(result),
        joined(aims.section(rows, result.get("sweeps", []))),
        fill("repeat", load_before="%.0f" % load[0], load_after="%.0f" % load[1], repetitions=result["repetitions"]),
    ]
    if max(load) > cores + 0.5:
        text.append(fill("busy_machine"))
    if programs["pairs"]:
        exceptions = "".join(", %s in %s (%s)" % (format(v, ","), *k.split("/")) for k, v in result.get("slow_pairs", {}).items())
        text.append(fill("pairs", pairs=format(result["pairs"], ","), exceptions=exceptions, table=rows_table(programs["pairs"])))
    if programs["distances"]:
        shares = [c["integers"] for r in programs["distances"] for c in r["contestants"].values() if "integers" in c]
        text.append(fill("distances", integers="%.3f%%" % (100 * max(shares)), table=rows_table(programs["distances"])))
    if programs["contact"]:
        text.append(fill("contacts", table=rows_table(programs["contact"])))
    if programs["mesh"]:
        text.append(fill("meshes", table=rows_table(programs["mesh"])))
    if programs["broad"]:
        text.append(fill("broad_phase", table=rows_table(programs["broad"])))
    if result.get("world"):
        w = result["world"]
        text.append(fill("world", triangles=format(w["triangles"], ","), steps=w["steps"], table=world_table(w["curve"])))
    if result.get("sweeps"):
        text.append(fill("sweeps", table=sweeps_table(result["sweeps"])))
    if result.get("ccd"):
        text.append(fill("ccd", table=ccd_table(result["ccd"])))
    if result.get("curves"):
        text.append(joined(curves_report.section(result["curves"])))
    if result.get("exactness"):
        text.append(fill("exactness", table=exactness_table(result["exactness"])))
    if result["tiers"]:
        text.append(fill("tiers", table=tiers_table(result["tiers"])))
    text += [fill("limits"), joined(aims.elsewhere_section(rows, rate))]
    return "\n\n".join(t for t in text if t) + "\n"


def joined(lines):
    return "\n".join(lines).strip("\n")


def introduction(result):
    m, rows = result["machine"], result["rows"]
    behind = sorted((r for r in rows if best_ratio(r) < 0.95), key=best_ratio)
    ahead = sum(best_ratio(r) > 1.05 for r in rows)
    losses, mistakes = {}, {}
    for r in behind:
        losses.setdefault(peers(r)[0][0], []).append("%s %s" % (named(r), ratio_text(best_ratio(r))))
    for r in rows:
        for name, c in peers(r):
            if c.get("wrong", 0):
                mistakes.setdefault(name, []).append("%s %d" % (named(r), c["wrong"]))
    over_exact = [
        "%s %s" % (named(r), " and ".join(ratio_text(r["contestants"][n]["rate"] / r["contestants"]["CGAL exact"]["rate"]) for n in OWN))
        for r in rows
        if "CGAL exact" in r["contestants"]
    ]
    return fill(
        "introduction",
        **{key: m[key] for key in ("date", "cpu", "cpu_family", "simd", "cores", "commit", "compiler")},
        peers=", ".join("%s %s" % p for p in m["peers"].items()),
        rows=len(rows),
        ahead=ahead,
        level=len(rows) - ahead - len(behind),
        behind=len(behind),
        losses=by_peer(losses),
        over_exact=", ".join(over_exact) or "not measured",
        mistakes=by_peer(mistakes),
    )


def by_peer(found):
    """An item for each peer, in order of names."""
    return "\n".join("  - %s: %s" % (name, ", ".join(texts)) for name, texts in sorted(found.items())) or "  - none"


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
    return "\n".join(text)


def world_table(curve):
    text = [
        "| particles | Graze, one thread | Graze, all threads | world steps/s, all threads | Embree, one thread | ratio, one thread |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    text += [
        "| %s | %s | %s | %.4g | %s | %s |"
        % (format(p["particles"], ","), rate(p["one"]), rate(p["wall"]), p["wall"] / p["particles"], rate(p["embree"]), ratio_text(p["one"] / p["embree"]))
        for p in curve
    ]
    return "\n".join(text)


def sweeps_table(sweeps):
    text = [
        "| sweep | model | a second | µs each | Jolt's | ratio |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for r in sweeps:
        beside = (rate(r["jolt"]), ratio_text(r["rate"] / r["jolt"])) if "jolt" in r else ("", "")
        text.append("| %s | %s | %s | %.3g | %s | %s |" % (r["row"], r["input"], rate(r["rate"]), 1e6 / r["rate"], *beside))
    return "\n".join(text)


def ccd_table(ccd):
    text = [
        "| cases | queries | median | mean | worst |",
        "|---|---:|---:|---:|---:|",
    ]
    text += ["| %s | %d | %.3g | %.3g | %.3g |" % (r["file"], r["queries"], r["median"], r["mean"], r["worst"]) for r in ccd]
    return "\n".join(text)


def exactness_table(rows):
    text = [
        "| row | Graze | in a batch | doubles alone | cost | cost in a batch | wrong answers of doubles |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        one, batch, plain, cost, batch_cost = exactness(row)
        text.append(
            "| %s | %s | %s | %s | %s | %s | %d |"
            % (title(row), rate(one), rate(batch), rate(plain), ratio_text(cost), ratio_text(batch_cost), row["contestants"]["plain double"]["wrong"])
        )
    return "\n".join(text)


def tier_shares(t):
    return [100 * t.get(tier, 0) for tier in ("filter", "pairs", "fixed", "big")]  # earlier results have pairs within filter


def tiers_table(tiers):
    text = [
        "| decision | input | ns | signs | filter | pairs | fixed | any width |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for t in tiers:
        shares = "%.2f | %.3f %% | %.3f %% | %.3f %% | %.3f %%" % (t["decisions"], *tier_shares(t)) if t["decisions"] else "| | | |"
        text.append("| %s | %s | %.1f | %s |" % (t["what"], t["input"], t["ns"], shares))
    return "\n".join(text)
