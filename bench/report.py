"""Reports the results of bench/run.py as a text table and as docs/benchmarks.md, whose texts are in bench/page."""
import aims
import charts
import cliffs_report
import curves_report
from page_text import fill
from rows import OWN, best_ratio, named, peers, rate, ratio_text, ratios, references, title, unit, wrong_text


def exactness(row):
    """Rates of Graze, of its batch and of the same kernel in doubles alone, and the ratio of Graze's time to that of the kernel."""
    one, batch, plain = (row["contestants"][n]["rate"] for n in ("Graze", "Graze batch", "plain double"))
    return one, batch, plain, plain / one, plain / batch


def table(result):
    lines = ["%-36s %10s %10s  %-24s %7s %7s  %s" % ("row", "Graze/s", "batch/s", "fastest peer/s", "ratio", "batch", "wrong answers")]
    for row in result["rows"]:
        c, beside = row["contestants"], (peers(row) or references(row))[:1]
        one, batch = ratios(row)
        lines.append(
            "%-36s %10s %10s  %-24s %7s %7s  %s"
            % (
                title(row),
                rate(c["Graze"]["rate"]),
                rate(c["Graze batch"]["rate"]) if "Graze batch" in c else "",
                "".join("%s %s" % (name, rate(best["rate"])) for name, best in beside),
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
    if result.get("cliffs"):
        lines.append(cliffs_report.table(result["cliffs"]))
    lines += own_table(result)
    return "\n".join(lines)


def own_table(result):
    """Figures of Graze alone, as lines of text: sweeps, and vertex-face and edge-edge in motion."""
    lines = []
    if result.get("sweeps"):
        lines += ["", "%-26s %-18s %12s %10s" % ("sweep", "model", "a second", "us each")]
        lines += ["%-26s %-18s %12.0f %10.3f" % (r["row"], r["input"], r["rate"], 1e6 / r["rate"]) for r in result["sweeps"]]
    if result.get("ccd"):
        lines += [
            "",
            "%-44s %8s %10s %10s %10s   (microseconds a query; Tight-Inclusion, measured elsewhere: median .5, mean 2,749, worst 400,000)"
            % ("vertex-face, edge-edge", "queries", "median", "mean", "worst"),
        ]
        lines += ["%-44s %8d %10.3f %10.3f %10.3f" % (r["file"], r["queries"], r["median"], r["mean"], r["worst"]) for r in result["ccd"]]
    return lines


# ---- docs/benchmarks.md


def pictures(result):
    """The page's pictures as SVG, by the end of their names: benchmarks.svg, benchmarks-pairs.svg, ..."""
    found = {}
    if charts.with_peers(result):
        found[""] = charts.overview(result)
    for program in charts.SECTIONS:
        if charts.with_peers(result, program):
            found["-" + program] = charts.bars(result, program)
    if result.get("world"):
        found["-world"] = charts.world_chart(result)
    if result.get("curves"):
        found["-curves"] = curves_report.chart(result["curves"], result["machine"])
    if result.get("cliffs"):
        found.update(cliffs_report.pictures(result["cliffs"], result["machine"]))
    return found


def document(result):
    rows = result["rows"]
    load, cores = result["machine"]["load"], result["machine"]["cores"]
    text = [
        introduction(result),
        joined(aims.section(rows)),
        fill("repeat", load_before="%.0f" % load[0], load_after="%.0f" % load[1], repetitions=result["repetitions"]),
    ]
    if max(load) > cores + 0.5:
        text.append(fill("busy_machine"))
    for program in charts.SECTIONS:
        found = [r for r in rows if r["program"] == program]
        if found:
            text.append(fill(program, **section_values(program, found, result)))
    if result.get("world"):
        w = result["world"]
        text.append(fill("world", triangles=format(w["triangles"], ","), steps=w["steps"], table=world_table(w["curve"])))
    if result.get("sweeps"):
        text.append(fill("sweeps", table=sweeps_table(result["sweeps"])))
    if result.get("ccd"):
        text.append(fill("ccd", table=ccd_table(result["ccd"])))
    if result.get("curves"):
        text.append(joined(curves_report.section(result["curves"])))
    if result.get("cliffs"):
        text.append(joined(cliffs_report.section(result["cliffs"])))
    if result.get("exactness"):
        text.append(fill("exactness", table=exactness_table(result["exactness"])))
    if result["tiers"]:
        text.append(fill("tiers", table=tiers_table(result["tiers"])))
    text += [fill("limits"), fill("not_measured")]
    return "\n\n".join(t for t in text if t) + "\n"


def section_values(program, rows, result):
    """What bench/page/PROGRAM.md is filled in with."""
    values = {"table": "![%s](benchmarks-%s.svg)\n\n%s" % (charts.SECTIONS[program], program, rows_table(rows))}
    if program == "pairs":
        values["pairs"] = format(result["pairs"], ",")
        values["exceptions"] = "".join(", %s in %s (%s)" % (format(v, ","), *k.split("/")) for k, v in result.get("slow_pairs", {}).items())
    if program in ("distances", "contact"):
        shares = [c["integers"] for r in rows for c in r["contestants"].values() if "integers" in c]
        values["integers"] = "%.3f%%" % (100 * max(shares, default=0))
    return values


def joined(lines):
    return "\n".join(lines).strip("\n")


def introduction(result):
    m, rows = result["machine"], charts.with_peers(result)
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
        alone=len(result["rows"]) - len(rows),
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
        bold = "**%s**" if peers(row) and best_ratio(row) < 0.95 else "%s"
        text.append(
            "| %s | %s/s | %s | %s | %s | %s | %s | %s |"
            % (
                bold % title(row),
                unit(row),
                rate(c["Graze"]["rate"]),
                rate(c["Graze batch"]["rate"]) if "Graze batch" in c else "",
                ", ".join(["%s %s" % (n, rate(p["rate"])) for n, p in peers(row)] + ["*%s* %s" % (n, rate(p["rate"])) for n, p in references(row)]),
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
        "| sweep | model | a second | µs each |",
        "|---|---|---:|---:|",
    ]
    text += ["| %s | %s | %s | %.3g |" % (r["row"], r["input"], rate(r["rate"]), 1e6 / r["rate"]) for r in sweeps]
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
