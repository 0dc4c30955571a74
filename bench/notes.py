"""What docs/benchmarks.md says beside the figures: the peers' rates measured elsewhere, and what limits the rows that stay behind their aims."""

# (row, input, peer): rate on an AMD Zen 5 with AVX-512 (two virtual cores, one thread, medians), each peer asked by its fastest way; 15 % up or down.
ELSEWHERE = {
    ("build", "stanford-bunny", "Embree SAH"): 2.9e6, ("build fast", "stanford-bunny", "Embree Morton"): 12.9e6,
    ("ray closest", "stanford-bunny", "Embree"): 5.6e6, ("ray closest", "stanford-bunny", "Embree robust"): 4.9e6, ("ray closest", "nefertiti", "Embree"): 4.4e6, ("ray closest", "nefertiti", "Embree robust"): 4.1e6,
    ("ray any", "stanford-bunny", "Embree"): 6.5e6, ("particles", "stanford-bunny", "Embree"): 10.8e6,
    ("point distance", "stanford-bunny", "Embree"): 245e3, ("point distance", "stanford-bunny", "CGAL"): 94e3,
    ("mesh-mesh r", "stanford-bunny", "FCL"): 36.1e3, ("mesh-mesh b", "stanford-bunny", "FCL"): 17.1e3, ("mesh-mesh n", "stanford-bunny", "ODE"): 9e3, ("mesh-mesh y", "stanford-bunny", "ODE"): 8.9e3,
    ("all pairs c", "stanford-bunny", "FCL"): 109, ("distance n", "stanford-bunny", "FCL"): 1013,
    ("sphere-sphere", "plain", "FCL"): 31.9e6, ("box-box", "plain", "Bullet"): 3.3e6, ("box-box", "plain", "FCL"): 1.9e6, ("sphere-triangle", "plain", "FCL"): 12.5e6,
    ("triangle-triangle", "plain", "CGAL double"): 19.6e6, ("triangle-triangle", "plain", "CGAL exact"): 9.7e6, ("triangle-triangle", "plain", "FCL"): 7.5e6, ("segment-box", "plain", "CGAL double"): 20.8e6,
    ("broad phase uniform", "100000", "FCL"): 1e5 / 85e-3, ("broad phase uniform", "100000", "Bullet"): 1e5 / 177e-3, ("broad phase uniform", "1000000", "FCL"): 1e6 / 831e-3, ("broad phase uniform", "1000000", "Bullet"): 1e6 / 4.006,
}

LIMITS = """## What limits the rows that stay behind

- **Rays.** A ray at the bunny's box looks at 5.6 nodes and 1.4 leaves (5.4 triangles), 2,300 instructions in all: 920 in the walk (eight boxes and four triangles at a time), 350 to bring the ray to the tree's coordinates with proven padding,
  450 (700 for each hit) for the hit's parameter rounded down as promised, its normal and weights. Over a quarter of the walk waits for the first line of a leaf, an eighth for that of a node: the tree is larger than the second cache. Batches take eight rays in turns, so that one
  waits while the others walk: that is a third faster than one at a time. Sorting rays, or sixteen in turns, gains nothing more.
- **Edge rays.** A third of them run along an axis exactly through a vertex, where every sign is 0 and several triangles are hit at one and the same parameter: signs come from integers, the comparison of parameters from the common corner. Embree answers some of these rays wrongly.
- **Touching pairs.** Exact contact is decided behind the filters, in pairs of doubles or integers of fixed width; plain doubles are wrong on an eighth (triangles) to a third (balls) of these pairs.
- **Meshes .001 apart.** Yes or no: the descent over pairs of nodes takes three quarters of the time (a third alone for bringing the boxes of one into the frame of the other, a sixth for the test of oriented boxes, a quarter for the walk), triangles in lanes a fifth.
  Distances: triangles in lanes 37 %, descent 36 %.
- **Two threads.** Memory pages that a large build touches first are handed out by the kernel of the operating system under one lock: fast builds of a million triangles gain little from the second core."""


def elsewhere_section(rows, rate):
    """The peers' rates here and elsewhere; nothing when no row was measured there."""
    found = [(r, n, c["rate"], ELSEWHERE[(r["row"], r["input"], n)]) for r in rows for n, c in r["contestants"].items() if (r["row"], r["input"], n) in ELSEWHERE]
    if not found:
        return []
    text = ["## The peers here and elsewhere", "",
            "Rates of the same peers on the same work on another machine (AMD Zen 5, AVX-512; 15 % up or down), to see that they are asked well here. A slower CPU with a shared cache explains ratios of .5 to .8, most where memory decides; "
            "ratios in bold differ by more than a fifth from the middle of all.", "",
            "| row | peer | here | elsewhere | here over elsewhere |", "|---|---|---:|---:|---:|"]
    middle = sorted(here / there for _, _, here, there in found)[len(found) // 2]
    for r, name, here, there in found:
        ratio = here / there
        text.append("| %s, %s | %s | %s | %s | %s |" % (r["row"], r["input"], name, rate(here), rate(there), ("**%.2f**" if abs(ratio / middle - 1) > 0.2 else "%.2f") % ratio))
    return text + [""]
