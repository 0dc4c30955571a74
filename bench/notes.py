"""What docs/benchmarks.md says of the rows that stay behind their aims."""

LIMITS = """## What limits the rows that stay behind

- **Rays.** A ray at the bunny's box looks at 5.6 nodes and 1.4 leaves (5.4 triangles). Alone it costs 2,100 instructions: 940 in the walk (eight boxes and four
triangles at a time), 310 to bring it to the tree's coordinates with proven padding,
  370 (590 for each hit) for the hit's parameter rounded down as promised, its normal and weights. But time goes into waiting: two fifths of the walk (a quarter
  of it for the first lines of leaves, a sixth for those of nodes), and for the corners of the triangle hit,
  which Embree need not read, since it answers from the leaf in floats. So rays alone reach .5 to .6 of Embree with a description of the hit, .65 to .9 without.
  Batches take sixteen rays in turns, each asking for what its next step needs, and set them up and describe hits
  in lanes (1,560 instructions): on a model within the third cache they reach seven tenths of Embree's single rays with a description of the hit and nine tenths
  or all without, on a million triangles, where waiting is most of a single ray, 1.2 to 1.7 times its speed.
  Short rays, as those of particles, gain nothing by an order of nodes: in batches 64 of them go down the tree level by level, without a branch on what a node's
  children are, which takes a fifth to a quarter off.
- **Edge rays.** Aimed at a vertex or an edge, a ray meets up to six triangles that only doubles (not the floats of leaves) tell apart. A third run along an
axis exactly through a vertex, where every sign is 0 and several triangles are hit at one and the same parameter: signs
  come from zero products or integers, the comparison of parameters from the common corner, normal and weights from pairs of doubles. Those cost three times a
  plain ray. Embree answers some of these rays wrongly.
- **Points and small shapes.** A point looks at 16 nodes and 20 leaves of the bunny, where the best possible order needs 15 and 16: four leaves at a time in
floats, 1.7 of them again in doubles, 1.9 triangles exactly. Of a point alone 69 % of the time is the walk,
  6 % doubles, 9 % the exact witness; in a batch (ordered as neighbours, each begun at the triangle of the last) the walk 57 %, doubles 9 %, the witness 14 %.
  Walks in turns, a common start for a group of neighbours, and bounds without branches gain nothing there: mispredicted branches
  and the chain of dependent operations are left. Spheres, boxes and capsules go to the middle that lies deepest and end at the first triangle, or box of the
  tree, that certainly touches: half of the time is that walk, a fifth brings the shape into the tree's coordinates.
- **Touching pairs.** Exact contact is decided behind the filters, in pairs of doubles or integers of fixed width; plain doubles are wrong on an eighth
(triangles) to a third (balls) of these pairs.
- **Meshes .001 apart.** Yes or no (12 µs for the bunny): 120 pairs of nodes, each 8 x 8 boxes tested along the six axes of both frames at once, take some 60 %;
180 pairs of leaves, 16 pairs of triangles side by side, the rest; with larger models both wait
  for memory. Distances (60 µs): half is the first look for a good bound, through boxes that overlap; the search with that bound 28 %, distances of triangles in
  doubles 11 %, exact ones 6 %. A search that were told the distance would take 10 µs.
- **Sweeps and particles.** A ball on a long way takes 13 nodes and 15 blocks of the bunny; no order of visits could spare more than two of these. 16,300
instructions, two thirds in the walk, about one and a half a cycle: long chains of dependent operations, and 110 branches guessed wrong. Of the walk's time the
nodes' boxes take 22 %, putting their children in order 20 %, the stack 18 %, the first look at
  blocks 8 %, Newton's steps for 4 blocks 32 %. Batches take each step of eight sweeps before the next, which saves fetching 30 kB of code again and again (6
  %). The time is certified by one step of Newton's method in pairs of doubles (1,500; it was 7,500). What
  did not pay: walks of several sweeps in turns, or all nodes of sixteen walks, then all leaves (only on a million triangles, by a seventh), children sorted by
  a network without a branch, the second of two leaves looked at again when the first gave a time, certifying with fused
  operations in lanes (fewer instructions, the same time), asking ahead for the next two children only, one direction a node or three, nodes without slabs
  (twice as many), kernels in several functions, all pairs of doubles inlined, smaller code at -O2. Half of the short ways begin in contact: there the lowest
  triangle is looked for, a corner within the ball decides for most, and subtrees of higher numbers are passed by. A particle's way is looked up in a grid of
  bits (8 cells a triangle, at most 2^24, made when so many ways were asked that it is likely repaid, so that few particles have none); what that does not
  settle is asked of the tree, in
  turns. Hits take most of what is left: the first hit, an exact proof that the way to just before it is free, the response that never adds energy: some
  thousands of instructions each. What did not pay: twice or four times the cells; fewer bodies together than 512;
  looking at the grid one body at a time, which waits for memory; going through a way's cells one by one, which leaves fewer ways to the tree but takes longer
  than it spares.
- **A world's dip at 30,000.** The grid of free cells is made once as many ways were asked as repay it; there that moment falls into the ten steps that are
measured.
- **Large meshes.** A closest point costs 1.23 to 1.28 times as much for twice the triangles. Most of that is far points: all triangles nearly as close as the
closest one have to be looked at, boxes along the axes hold on to many more, and the nodes looked at
  (138 of four million triangles) grow by 1.31 a doubling; a walk that knew the distance from the start would look at 135. Near points: 18 nodes, 1.14 a
  doubling. Rays alone wait for memory; batches do not."""
