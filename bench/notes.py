"""What docs/benchmarks.md says of the rows that stay behind their aims."""

LIMITS = """## What limits the rows that stay behind

- **Rays.** A ray at the bunny's box looks at 5.6 nodes and 1.4 leaves (5.4 triangles), 2,300 instructions in all: 920 in the walk (eight boxes and four triangles at a time), 350 to bring the ray to the tree's coordinates with proven padding,
  450 (700 for each hit) for the hit's parameter rounded down as promised, its normal and weights. Over a quarter of the walk waits for the first line of a leaf, an eighth for that of a node: the tree is larger than the second cache. Batches take eight rays in turns, so that one
  waits while the others walk: that is a third faster than one at a time. Sorting rays, or sixteen in turns, gains nothing more.
- **Edge rays.** A third of them run along an axis exactly through a vertex, where every sign is 0 and several triangles are hit at one and the same parameter: signs come from integers, the comparison of parameters from the common corner. Embree answers some of these rays wrongly.
- **Touching pairs.** Exact contact is decided behind the filters, in pairs of doubles or integers of fixed width; plain doubles are wrong on an eighth (triangles) to a third (balls) of these pairs.
- **Meshes .001 apart.** Yes or no: the descent over pairs of nodes takes three quarters of the time (a third alone for bringing the boxes of one into the frame of the other, a sixth for the test of oriented boxes, a quarter for the walk), triangles in lanes a fifth.
  Distances: triangles in lanes 37 %, descent 36 %.
- **Sweeps and particles.** A ball on a long way takes 13 nodes and 15 blocks; no order of visits could spare more than two of these. Two fifths of the time goes into the walk (nodes, its stack, blocks by the way to the triangles' middles), an eighth into Newton's
  steps, the rest into bringing the ball to the tree and into the hit (the time certified in pairs of doubles, about 7,000 instructions; the place certified). What did not pay: asking ahead for the next two children only, one direction a node, kernels in several
  functions, all pairs of doubles inlined. A particle's way is looked up in a grid of bits (8 cells a triangle, at most 2^24, made when so many ways were asked that it is likely repaid, so that few particles have none); what that does not settle is asked of the tree, in
  turns. Hits take most of what is left: the first hit, an exact proof that the way to just before it is free, the response that never adds energy: some thousands of instructions each. What did not pay: twice or four times the cells; fewer bodies together than 512;
  looking at the grid one body at a time, which waits for memory; going through a way's cells one by one, which leaves fewer ways to the tree but takes longer than it spares.
- **Two threads.** Memory pages that a large build touches first are handed out by the kernel of the operating system under one lock: fast builds of a million triangles gain little from the second core."""
