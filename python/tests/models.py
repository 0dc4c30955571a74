"""Meshes and shapes for the tests, and brute force in exact rational numbers."""
from fractions import Fraction

import numpy as np

import graze

BOX_TRIANGLES = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4), (2, 3, 7), (2, 7, 6), (1, 2, 6), (1, 6, 5), (0, 4, 7), (0, 7, 3)]


def box_arrays(low=(0, 0, 0), high=(1, 1, 1)):
    """A closed box, outward."""
    x, y, z = zip(low, high)
    corners = [(x[i], y[j], z[k]) for k in (0, 1) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return np.array(corners, float), np.array(BOX_TRIANGLES, np.uint32)


def box_mesh(low=(0, 0, 0), high=(1, 1, 1)):
    return graze.Mesh(*box_arrays(low, high))


def torus_arrays(n=24, m=12, big=2.0, small=0.7):
    """A closed torus about z, outward."""
    u, v = np.meshgrid(np.arange(n) * 2 * np.pi / n, np.arange(m) * 2 * np.pi / m, indexing="ij")
    ring = big + small * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), small * np.sin(v)], axis=-1).reshape(-1, 3)
    triangles = []
    for i in range(n):
        for j in range(m):
            a, b = i * m + j, (i + 1) % n * m + j
            c, d = (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
            triangles += [(a, b, c), (a, c, d)]
    return vertices, np.array(triangles, np.uint32)


def torus(n=24, m=12, big=2.0, small=0.7):
    return graze.Mesh(*torus_arrays(n, m, big, small))


def soup(seed, n, size=0.3):
    """Random triangles in the cube [-1, 1]^3."""
    random = np.random.default_rng(seed)
    middle = random.uniform(-1, 1, (n, 1, 3))
    vertices = (middle + random.uniform(-size, size, (n, 3, 3))).reshape(-1, 3)
    return graze.Mesh(vertices, np.arange(3 * n).reshape(-1, 3))


def triangle_shapes(mesh):
    return graze.Triangle.array(mesh.vertices[mesh.triangles])


PLAIN = [
    graze.Point((0.1, 0.2, 0.3)),
    graze.Segment((0, 0, 0), (1, 2, 3)),
    graze.Ray((0, 0, 0), (0, 0, 2)),
    graze.Line((0, 1, 0), (1, 0, 0)),
    graze.Plane((0, 0, 0.5), (0, 0, 2)),
    graze.HalfSpace((0, 0, -0.5), (0, 0, 1)),
    graze.Triangle([(0, 0, 0), (1, 0, 0), (0, 1, 0)]),
    graze.Sphere((0.5, 0.5, 0.5), 0.75),
    graze.Box((0, 0, 0), (1, 1, 1)),
    graze.OrientedBox((0, 0, 0), [(1, 1, 0), (-1, 1, 0), (0, 0, 1)], (0.5, 0.5, 0.5)),
    graze.Capsule((0, 0, 0), (1, 0, 0), 0.25),
    graze.Cylinder((0, 0, 0), (0, 0, 1), 0.5),
    graze.Cone((0, 0, 0), (0, 0, 1), 0.5),
    graze.TruncatedCone((0, 0, 0), (0, 0, 1), 0.5, 0.25),
    graze.Ellipsoid((0, 0, 0), (1, 2, 3)),
    graze.Wedge((0, 0, 0), [(1, 0, 0), (0, 1, 0), (0, 0, 1)]),
]


def all_shapes():
    """One of each kind."""
    box = box_mesh()
    return PLAIN + [
        graze.Polygon([(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0)]),
        graze.Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.1, 0.1, 0.1)]),
        graze.Frustum.perspective((0, 0, 5), (0, 0, 0), (0, 1, 0), 0.5, 1.5, 1, 10),
        box,
        graze.solid(box),
        graze.HeightField((0, 0, 0), 1, 1, [[0, 1, 0], [1, 2, 1]]),
        graze.Compound([graze.Sphere((0, 0, 0), 1), graze.Box((0, 0, 0), (1, 1, 1)).at(graze.translation((3, 0, 0)))]),
    ]


def exact_dot(a, b):
    return sum(Fraction(float(x)) * Fraction(float(y)) for x, y in zip(a, b))


def segment_crosses_triangle(p, q, corners):
    """Whether the segment from p to q meets the triangle, for cases in general position: exact signs of volumes."""

    def volume(a, b, c, d):
        u, v, w = ([Fraction(float(y)) - Fraction(float(x)) for x, y in zip(a, e)] for e in (b, c, d))
        return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])

    a, b, c = corners
    s, t = volume(p, a, b, c), volume(q, a, b, c)
    sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)]
    assert s != 0 and t != 0 and all(x != 0 for x in sides), "not in general position"
    return (s > 0) != (t > 0) and (all(x > 0 for x in sides) or all(x < 0 for x in sides))
