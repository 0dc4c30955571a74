"""Two parts and how they lie to each other: a pin that touches its plate in a plane, and what a millimetre more would do."""
import numpy as np

import graze


def block(low, high):
    """A closed box as a mesh."""
    x, y, z = zip(low, high)
    corners = [(x[i], y[j], z[k]) for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    triangles = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4), (2, 3, 7), (2, 7, 6), (1, 2, 6), (1, 6, 5), (0, 4, 7), (0, 7, 3)]
    return graze.Mesh(corners, triangles)


plate = graze.solid(block((0, 0, 0), (100, 60, 10)))
pin = graze.solid(block((20, 20, 10), (30, 30, 40)))
print("pin and plate:", graze.relation(pin, plate), "- distance", graze.closest(pin, plate).distance)
assert graze.relation(pin, plate) == "touching"  # exactly: no tolerance decides

for dz in (1.0, -1.0):
    moved = pin.at(graze.translation((0, 0, dz)))
    gap, deep = graze.closest(moved, plate), graze.penetration(moved, plate)
    print("moved by %+g mm: %s, distance %g, depth %s" % (dz, graze.relation(moved, plate), gap.distance, deep.depth))

inside = pin.at(graze.translation((0, 0, -30)))
print("sunk in by its length:", graze.relation(inside, plate))
pairs = graze.intersecting_triangles(inside, plate)
print("%d pairs of triangles share a point; plate's triangles: %s" % (len(pairs), np.unique(pairs[:, 1]).tolist()))
print("volumes %g and %g, centroid of the pin %s" % (graze.volume(pin), graze.volume(plate), graze.centroid(pin).tolist()))

scene = graze.Scene()
scene.add("plate", plate)
for i, x in enumerate((20, 30, 45)):
    scene.add("pin %d" % i, pin, graze.translation((x - 20, 0, 0)))
for pair in scene.pairs(within=6, relations=True):
    print("%s / %s: %s, %g" % (scene.name(pair.a), scene.name(pair.b), pair.relation, pair.distance))
