"""The pictures of docs/benchmarks.md, as SVG: every row as a dot, the rows of each section as bars, and the steps of a world of particles."""
import math

from rows import peers, ratio_text, ratios, title

# program: the section's name in the overview
SECTIONS = {
    "pairs": "Pairs of shapes, yes or no",
    "distances": "Distances of pairs",
    "contact": "Depths and contacts",
    "mesh": "Meshes",
    "distance": "Distances of meshes",
    "broad": "Many boxes that all move",
    "scene": "Scenes",
    "mover": "Character mover",
}
AHEAD, BEHIND = "#2563a8", "#b5532a"


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def begin(width, height, heading, below):
    return [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12">'
        % (width, height, width, height),
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="16" y="26" font-size="17" font-weight="bold" fill="#1a1a1a">%s</text>' % escape(heading),
        '<text x="16" y="46" fill="#555555">%s</text>' % escape(below),
    ]


def measured(result):
    m = result["machine"]
    return "%s, %s, one thread, %s; medians of %s interleaved repetitions" % (m["cpu"], m["simd"], m["date"], result["repetitions"])


def with_peers(result, program=None):
    return [r for r in result["rows"] if peers(r) and program in (None, r["program"])]


class Ratios:
    """A logarithmic axis of ratios to base 2, from `left` to `right`."""

    def __init__(self, values, left, right):
        self.low = min(-1, math.floor(math.log2(min(values))))
        self.high = max(1, math.ceil(math.log2(max(values))))
        self.left, self.right = left, right

    def x(self, value):
        return self.left + (self.right - self.left) * (math.log2(value) - self.low) / (self.high - self.low)

    def grid(self, top, bottom):
        out, step = [], 1 if self.high - self.low <= 11 else 2
        for k in range(self.low, self.high + 1):
            out.append(
                '<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s" stroke-width="%s"/>'
                % (self.x(2.0**k), top, self.x(2.0**k), bottom, "#444444" if k == 0 else "#dddddd", "1.4" if k == 0 else "1")
            )
            if k % step == 0:
                label = "%d×" % 2**k if k >= 0 else "1/%d" % 2**-k
                out.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#555555">%s</text>' % (self.x(2.0**k), bottom + 16, label))
        return out


def overview(result):
    """One dot per row, at Graze's rate over the fastest peer's (the better of single queries and batches), a line per section."""
    found = [(p, name, [max(r for r in ratios(row) if r is not None) for row in with_peers(result, p)]) for p, name in SECTIONS.items()]
    found = [f for f in found if f[2]]
    left, right, top, line, width = 210, 120, 76, 40, 960
    bottom = top + line * len(found)
    axis = Ratios([r for _, _, values in found for r in values], left, width - right)
    out = begin(width, bottom + 34, "Speed of Graze over the fastest peer, each row a dot", measured(result))
    out += axis.grid(top - 4, bottom)
    for i, (_, name, values) in enumerate(found):
        middle = top + line * i + line // 2
        if i:
            out.append('<line x1="16" y1="%d" x2="%d" y2="%d" stroke="#eeeeee"/>' % (middle - line // 2, width - 16, middle - line // 2))
        out.append('<text x="%d" y="%d" text-anchor="end" fill="#1a1a1a">%s</text>' % (left - 14, middle + 4, name))
        ahead = sum(v >= 1 for v in values)
        out.append('<text x="%d" y="%d" fill="#333333">%d of %d ahead</text>' % (width - right + 14, middle + 4, ahead, len(values)))
        taken = []  # places of dots so far: dots side by side move up and down
        for v in sorted(values):
            x, offset = axis.x(v), 0
            for offset in (0, -8, 8, -15, 15):
                if all(math.hypot(x - a, offset - b) >= 7.5 for a, b in taken):
                    break
            taken.append((x, offset))
            out.append('<circle cx="%.1f" cy="%d" r="4" fill="%s" fill-opacity="0.75"/>' % (x, middle + offset, AHEAD if v >= 1 else BEHIND))
    return "\n".join(out + ["</svg>"]) + "\n"


def bars(result, program):
    """Graze's rate over the fastest peer's: one bar per row of the section, growing from 1 to either side; a tick for the batch."""
    rows = with_peers(result, program)
    right, top, line, width = 190, 84, 21, 960
    left = max(250, 20 + round(6.8 * max((len(title(row)) for row in rows), default=0)))  # about the width of a letter
    axis = Ratios([r for row in rows for r in ratios(row) if r is not None], left, width - right)
    bottom = top + line * len(rows)
    out = begin(width, bottom + 30, "%s: speed of Graze over the fastest peer" % SECTIONS[program], measured(result))
    legend, at = [("box", AHEAD, "Graze is faster"), ("box", BEHIND, "the peer is faster")], 16
    if any(ratios(row)[1] is not None for row in rows):
        legend.append(("tick", "#111111", "Graze in a batch"))
    if any(peers(row)[0][1].get("wrong", 0) for row in rows):
        legend.append(("dagger", "#333333", "some of the peer's answers are wrong"))
    for mark, colour, text in legend:
        if mark == "tick":
            out.append('<line x1="%d" y1="56" x2="%d" y2="68" stroke="%s" stroke-width="2.5"/>' % (at + 5, at + 5, colour))
        elif mark == "dagger":
            out.append('<text x="%d" y="67" fill="%s">†</text>' % (at, colour))
        else:
            out.append('<rect x="%d" y="57" width="10" height="10" fill="%s"/>' % (at, colour))
        out.append('<text x="%d" y="67" fill="#333333">%s</text>' % (at + 16, text))
        at += 44 + 7 * len(text)
    out += axis.grid(top - 4, bottom)
    for i, row in enumerate(rows):
        y = top + line * i
        one, batch = ratios(row)
        first, last = sorted((axis.x(1), axis.x(one)))
        out.append('<text x="%d" y="%d" text-anchor="end" fill="#1a1a1a">%s</text>' % (left - 10, y + 14, escape(title(row))))
        out.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>' % (first, y + 4, max(last - first, 1), line - 8, AHEAD if one >= 1 else BEHIND))
        if batch is not None:
            out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#111111" stroke-width="2.5"/>' % (axis.x(batch), y + 2, axis.x(batch), y + line - 2))
        name, best = peers(row)[0]
        text = "%s× %s%s" % (ratio_text(one), name, " †" if best.get("wrong", 0) else "")
        out.append('<text x="%d" y="%d" fill="#333333">%s</text>' % (width - right + 14, y + 14, escape(text)))
    return "\n".join(out + ["</svg>"]) + "\n"


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

    below = "a mesh of %s triangles; %s, %s" % (format(result["world"]["triangles"], ","), result["machine"]["cpu"], result["machine"]["date"])
    out = begin(720, 490, "Steps a second of a world of particles", below)
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
    return "\n".join(out + ["</svg>"]) + "\n"
