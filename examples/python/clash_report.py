"""Clash detection: pipes that pass through a rack of beams, two runs with a design change between them, and what is decided by hand.

  clash_report.py                        a plant room made in code
  clash_report.py JOB.json|MODEL...      any other; --clearance LENGTH, --out FOLDER keeps the results, and a second run into it says what is new

Lengths are in millimetres."""
import argparse
import math

import graze


def block(size):
    """A closed box from the origin on."""
    x, y, z = size
    corners = [(i * x, j * y, k * z) for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    triangles = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4), (2, 3, 7), (2, 7, 6), (1, 2, 6), (1, 6, 5), (0, 4, 7), (0, 7, 3)]
    return graze.Mesh(corners, triangles)


def pipe(length, radius, sides=24):
    """A closed prism along x."""
    ring = [(0, radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides)) for i in range(sides)]
    corners = ring + [(length, y, z) for _, y, z in ring] + [(0, 0, 0), (length, 0, 0)]
    triangles = []
    for i in range(sides):
        j = (i + 1) % sides
        triangles += [(i, j, sides + j), (i, sides + j, sides + i), (2 * sides, j, i), (2 * sides + 1, sides + i, sides + j)]
    return graze.Mesh(corners, triangles)


def structure():
    """Four columns, and beams along y that lie on them."""
    column, beam = block((200, 200, 3000)), block((200, 4000, 300))
    parts = {}
    for i in range(2):
        for j in range(2):
            parts["column %d-%d" % (i, j)] = column.at(graze.translation((3800 * i, 3800 * j, 0)))
        parts["beam %d" % i] = beam.at(graze.translation((3800 * i, 0, 3000)))
    return graze.Assembly(parts, unit="mm")


def pipes(heights):
    """Pipes along x, a metre apart, with their axes at these heights."""
    straight = pipe(4500, 60)
    return graze.Assembly({"line %d/pipe" % i: straight.at(graze.translation((-250, 500 + 1000 * i, z))) for i, z in enumerate(heights)}, unit="mm")


def show(report):
    """What is open, the worst first."""
    for f in report.open:
        more = "%.4g mm apart" % f.distance if f.verdict == "near" else "" if f.depth is None else "%.4g mm deep" % f.depth
        print("  %-11s %-6s %s | %s  %s" % (f.verdict, f.status, f.a, f.b, more))


def plant_room():
    """Both runs; returns their reports."""
    tests = [
        graze.ClashTest("pipes-steel", "mep/**", "steel/**", clearance=25),
        graze.ClashTest("steel", "steel/**", "steel/**", touching=False),  # beams lie on their columns
    ]
    first = graze.clash({"steel": structure(), "mep": pipes((3150, 3370, 2940, 2900))}, tests=tests, depth=True)
    print("run %d: %d parts, %d pairs of triangles touch" % (first.run, first.counts.parts, int(first.findings.triangle_pairs.sum())))
    show(first)
    # A pipe that passes a beam on purpose gets a sleeve; what only comes near is measured as an array.
    first.approve((f for f in first.findings if "line 0" in f.a), note="sleeve, see drawing 12")
    near = first.findings[first.findings.verdict == "near"]
    print("clearances: %s mm" % sorted(near.distance.round(3).tolist()))
    # Line 1 goes up, line 2 down, and line 3 into the beams. What has not moved is not decided again.
    second = graze.clash({"steel": structure(), "mep": pipes((3150, 3390, 2900, 3250))}, tests=tests, depth=True, before=first)
    print("run %d: %d of %d results taken over" % (second.run, second.counts.reused, second.counts.candidates))
    show(second)
    for status in ("approved", "resolved"):
        print("%s: %d" % (status, (second.findings.status == status).sum()))
    return first, second


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--clearance", type=float, default=0.0)
    parser.add_argument("--out")
    given = parser.parse_args()
    if given.models:
        models = given.models[0] if len(given.models) == 1 else given.models
        report = graze.clash(models, clearance=given.clearance, before=given.out)
        print("%d findings in %d groups" % (len(report.findings), len(report.groups)))
        show(report)
    else:
        report = plant_room()[1]
    if given.out:
        report.write(given.out, bcf="2.1")


if __name__ == "__main__":
    main()
