"""What docs/benchmarks.md says of the rows that stay behind their aims."""

LIMITS = """## What limits the rows that stay behind

- **Rays.** A ray at the bunny's box looks at 5.6 nodes and 1.4 leaves (5.4 triangles). Alone it costs 2,100 instructions: 940 in the walk (eight boxes and four triangles at a time), 310 to bring it to the tree's coordinates with proven padding,
  370 (590 for each hit) for the hit's parameter rounded down as promised, its normal and weights. But time goes into waiting: two fifths of the walk (a quarter of it for the first lines of leaves, a sixth for those of nodes), and for the corners of the triangle hit,
  which Embree need not read, since it answers from the leaf in floats. So rays alone reach .55 to .65 of Embree with a description of the hit, .75 without. Batches take sixteen rays in turns, each asking for what its next step needs, and set them up and describe hits
  in lanes (1,560 instructions): they are as fast as Embree, one ray at a time.
- **Edge rays.** Aimed at a vertex or an edge, a ray meets up to six triangles that only doubles (not the floats of leaves) tell apart. A third run along an axis exactly through a vertex, where every sign is 0 and several triangles are hit at one and the same parameter: signs
  come from zero products or integers, the comparison of parameters from the common corner, normal and weights from pairs of doubles. Those cost three times a plain ray. Embree answers some of these rays wrongly.
- **Touching pairs.** Exact contact is decided behind the filters, in pairs of doubles or integers of fixed width; plain doubles are wrong on an eighth (triangles) to a third (balls) of these pairs.
- **Meshes .001 apart.** Yes or no: the descent over pairs of nodes takes three quarters of the time (a third alone for bringing the boxes of one into the frame of the other, a sixth for the test of oriented boxes, a quarter for the walk), triangles in lanes a fifth.
  Distances: triangles in lanes 37 %, descent 36 %.
- **Two threads.** Memory pages that a large build touches first are handed out by the kernel of the operating system under one lock: fast builds of a million triangles gain little from the second core."""
