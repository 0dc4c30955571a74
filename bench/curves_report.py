"""Cost against size, threads and places, as bench/curves_bench measured them: text, a picture of curves, and a section of docs/benchmarks.md."""
import math
from page_text import fill

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#888888", "#7a5195")
PANELS = (
    ("Trees, a triangle, by triangles", ("build", "build fast", "refit", "self-intersections")),
    ("Rays, by triangles", ("ray, first hit", "ray, in a batch", "particle")),
    ("Points, by triangles", ("closest point", "closest point, in a batch", "signed distance", "point in a solid")),
    ("Shapes and sweeps, by triangles", ("sphere against mesh", "box against mesh", "sweep of a sphere", "sweep of a box")),
    ("Two meshes, by triangles", ("mesh against mesh, yes or no", "all pairs, per pair", "distance, .001 apart", "distance, far apart")),
    (
        "Scenes, by bodies or boxes",
        ("scene: ray", "scene: sphere, all overlaps", "scene: sweep of a sphere", "scene: move of a body", "broad phase, a frame"),
    ),
    ("Terrains, by cells", ("terrain: created, per cell", "terrain: all triangles, per cell", "terrain: ray", "terrain: ball", "terrain: sweep of a ball")),
    ("Hulls, by corners", ("hulls: yes or no", "hulls: distance", "hulls: penetration", "hull of points, per point")),
)
PLACES = ("at the origin", "1e6 away", "of size 1e-30")


def of_kind(figures, kind):
    """{what: [(x, value)]}, in the order measured."""
    found = {}
    for f in figures:
        if f["kind"] == kind:
            found.setdefault(f["what"], []).append((f["x"], f["value"]))
    return found


def growth(points):
    """The factor by which the cost of an item grows when the size doubles, over the whole curve."""
    (x0, y0), (x1, y1) = points[0], points[-1]
    return (y1 / y0) ** (1 / math.log2(x1 / x0)) if x1 > x0 else 1.0


def count(x):
    return "%gM" % round(x / 1e6, 1) if x >= 1e6 else "%gk" % round(x / 1e3) if x >= 1e3 else "%g" % x


def table(figures):
    lines = ["", "%-32s %s" % ("ns an item, by size", "per doubling")]
    for what, points in of_kind(figures, "size").items():
        lines.append("%-32s %5.2f   %s" % (what, growth(points), "  ".join("%s %.3g" % (count(x), y) for x, y in points[::3])))
    lines += ["", "%-32s" % "two threads over one"]
    for what, points in of_kind(figures, "threads").items():
        lines.append("%-32s %5.2f" % (what, points[0][1] / points[-1][1]))
    lines += ["", "%-32s %s" % ("cost elsewhere over cost at the origin", "  ".join(PLACES[1:]))]
    for what, points in of_kind(figures, "place").items():
        lines.append("%-32s %s" % (what, "  ".join("%.2f" % (y / points[0][1]) for _, y in points[1:])))
    lines += ["", "cost on a tree built fast over that on the best"]
    for what, points in of_kind(figures, "tree").items():
        lines.append("%-32s %5.2f" % (what, points[1][1] / points[0][1]))
    return "\n".join(lines)


def panels(figures):
    """[(heading, {what: points})]: the curves of each panel; what no panel names comes last, so that no curve is lost."""
    curves = of_kind(figures, "size")
    found = [(heading, {w: curves.pop(w) for w in names if w in curves}) for heading, names in PANELS]
    return [f for f in found + [("Other work", curves)] if f[1]]


def tick(ns):
    return "%g ns" % ns if ns < 1e3 else "%g µs" % (ns / 1e3) if ns < 1e6 else "%g ms" % (ns / 1e6) if ns < 1e9 else "%g s" % (ns / 1e9)


def panel(heading, curves, x0, y0, width, height):
    """The curves of one kind of work, both axes logarithmic, in a box whose upper left corner is (x0, y0)."""
    left, right, top, bottom = x0 + 56, x0 + width - 230, y0 + 30, y0 + height - 34
    xs = [x for points in curves.values() for x, _ in points]
    ys = [y for points in curves.values() for _, y in points]
    x_low, x_high, y_low, y_high = math.log10(min(xs)), math.log10(max(xs)), math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))

    def at(x, y):
        return left + (right - left) * (math.log10(x) - x_low) / (x_high - x_low or 1), top + (bottom - top) * (y_high - math.log10(y)) / (y_high - y_low or 1)

    out = ['<text x="%d" y="%d" font-size="13" font-weight="bold" fill="#1a1a1a">%s</text>' % (x0 + 16, y0 + 16, heading)]
    for k in range(y_low, y_high + 1):
        y = at(xs[0], 10.0**k)[1]
        out.append('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/>' % (left, y, right, y))
        out.append('<text x="%d" y="%.1f" text-anchor="end" font-size="11" fill="#555555">%s</text>' % (left - 6, y + 4, tick(10.0**k)))
    for k in range(math.ceil(x_low - 0.01), math.floor(x_high + 0.01) + 1):
        where = at(10.0**k, ys[0])[0]
        out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#dddddd"/>' % (where, top, where, bottom))
        out.append('<text x="%.1f" y="%d" text-anchor="middle" font-size="11" fill="#555555">%s</text>' % (where, bottom + 16, count(10.0**k)))
    names = []
    for (what, points), colour in zip(curves.items(), COLOURS):
        places = [at(x, y) for x, y in points]
        out.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' % (colour, " ".join("%.1f,%.1f" % p for p in places)))
        out += ['<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>' % (*p, colour) for p in places]
        names.append([places[-1][1] + 4, places[-1][1] + 4, what, growth(points), colour])
    names.sort()
    for a, b in zip(names, names[1:]):  # keep names from overlapping
        b[0] = max(b[0], a[0] + 15)
    for y, own, what, factor, colour in names:
        out.append('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s"/>' % (right + 4, own - 4, right + 14, y - 4, colour))
        out.append('<text x="%d" y="%.1f" font-size="11" fill="%s">%s × %.2f</text>' % (right + 18, y, colour, what.split(": ")[-1], factor))
    return out


def chart(figures, machine):
    """All curves, one panel for each kind of work."""
    found = panels(figures)
    width, height = 560, 290
    whole = 64 + height * math.ceil(len(found) / 2)
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12">'
        % (2 * width, whole, 2 * width, whole),
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="16" y="26" font-size="17" font-weight="bold" fill="#1a1a1a">What one item costs, by size</text>',
        '<text x="16" y="46" fill="#555555">%s, one thread, %s; beside the names: the factor by which the cost grows when the size doubles</text>'
        % (machine["cpu"].replace("&", "&amp;"), machine["date"]),
    ]
    for i, (heading, curves) in enumerate(found):
        out += panel(heading, curves, width * (i % 2), 64 + height * (i // 2), width, height)
    return "\n".join(out + ["</svg>"]) + "\n"


def section(figures):
    text = [
        fill("curves"),
        "",
        "| work | from | to | per doubling |",
        "|---|---:|---:|---:|",
    ]
    for what, points in of_kind(figures, "size").items():
        text.append(
            "| %s | %s: %.3g ns | %s: %.3g ns | %.2f |" % (what, count(points[0][0]), points[0][1], count(points[-1][0]), points[-1][1], growth(points))
        )
    text += [
        "",
        "Two threads over one, by the clock, on a million triangles or boxes: %s."
        % ", ".join("%s %.2f" % (w, p[0][1] / p[-1][1]) for w, p in of_kind(figures, "threads").items()),
        "",
        "The same work elsewhere, cost over that at the origin:",
        "",
        "| work | %s |" % " | ".join(PLACES[1:]),
        "|---|---:|---:|",
    ]
    for what, points in of_kind(figures, "place").items():
        text.append("| %s | %s |" % (what, " | ".join("%.2f" % (y / points[0][1]) for _, y in points[1:])))
    trees = ", ".join("%s %.2f" % (w, p[1][1] / p[0][1]) for w, p in of_kind(figures, "tree").items())
    return text + (["", "On a tree built by `Build::fast`, cost over that on the best tree: %s." % trees] if trees else []) + [""]
