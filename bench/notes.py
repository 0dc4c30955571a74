"""What docs/benchmarks.md says of the rows that stay behind their aims."""

LIMITS = """## What limits the rows that stay behind

- **Rays.** A ray at the bunny's box looks at 5.6 nodes and 1.4 leaves (5.4 triangles), 2,300 instructions in all: 920 in the walk (eight boxes and four triangles at a time), 350 to bring the ray to the tree's coordinates with proven padding,
  450 (700 for each hit) for the hit's parameter rounded down as promised, its normal and weights. Over a quarter of the walk waits for the first line of a leaf, an eighth for that of a node: the tree is larger than the second cache. Batches take eight rays in turns, so that one
  waits while the others walk: that is a third faster than one at a time. Sorting rays, or sixteen in turns, gains nothing more.
- **Edge rays.** A third of them run along an axis exactly through a vertex, where every sign is 0 and several triangles are hit at one and the same parameter: signs come from integers, the comparison of parameters from the common corner. Embree answers some of these rays wrongly.
- **Touching pairs.** Exact contact is decided behind the filters, in pairs of doubles or integers of fixed width; plain doubles are wrong on an eighth (triangles) to a third (balls) of these pairs.
- **Meshes .001 apart.** Yes or no (12 µs for the bunny): 120 pairs of nodes, each 8 x 8 boxes tested along the six axes of both frames at once, take some 60 %; 180 pairs of leaves, 16 pairs of triangles side by side, the rest; with larger models both wait
  for memory. Distances (60 µs): half is the first look for a good bound, through boxes that overlap; the search with that bound 28 %, distances of triangles in doubles 11 %, exact ones 6 %. A search that were told the distance would take 10 µs.
- **Two threads.** Memory pages that a large build touches first are handed out by the kernel of the operating system under one lock: fast builds of a million triangles gain little from the second core."""
