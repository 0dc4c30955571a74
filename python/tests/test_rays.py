"""Rays: batches against single casts, all hits, options, filters, and brute force in rational numbers."""
import numpy as np
import pytest

import graze
from models import all_shapes, box_mesh, segment_crosses_triangle, soup, torus

RANDOM = np.random.default_rng(9)
ORIGINS, DIRECTIONS = RANDOM.uniform(-3, 3, (150, 3)), RANDOM.normal(size=(150, 3))


@pytest.mark.parametrize("shape", all_shapes(), ids=lambda s: s.kind)
def test_batches_answer_as_single_casts(shape):
    for target in (shape, shape.at(graze.Pose.quarter_turn("x", 1, (0.25, 0, 0)))):
        hits = graze.raycast(target, ORIGINS, DIRECTIONS)
        singles = [graze.raycast(target, o, d) for o, d in zip(ORIGINS, DIRECTIONS)]
        assert len(hits) == 150 and all(a == b for a, b in zip(hits, singles))
        assert hits.hit.tolist() == [s is not None for s in singles] == graze.raycast_any(target, ORIGINS, DIRECTIONS).tolist()
        assert (hits.triangle[~hits.hit] == -1).all() and (np.isfinite(hits.t) == hits.hit).all() and hits.point.shape == (150, 3)
        every = graze.raycast_all(target, ORIGINS, DIRECTIONS)
        assert every.offsets[0] == 0 and int(every.offsets[-1]) == len(every) and len(every.ray) == len(every)
        for i in range(150):
            one = graze.raycast_all(target, ORIGINS[i], DIRECTIONS[i])
            assert every.of(i).t.tolist() == one.t.tolist() == sorted(one.t.tolist()) and (len(one) > 0) == hits.hit[i]
            if len(one):
                assert one[0].t == singles[i].t
        short = graze.raycast(target, ORIGINS, DIRECTIONS, t_max=0.5)
        assert (short.hit == (hits.hit & (hits.t <= 0.5))).all()
        rows = np.concatenate([ORIGINS, DIRECTIONS], axis=1)
        rays = graze.Ray.array(ORIGINS, DIRECTIONS)
        assert graze.raycast(target, rows).t.tolist() == hits.t.tolist() == graze.raycast(target, rays).t.tolist()
        assert graze.raycast(target, graze.Ray(ORIGINS[0], DIRECTIONS[0])) == singles[0] == graze.raycast(target, rows[0])


def test_hits_against_brute_force():
    mesh = soup(21, 100)
    corners = mesh.vertices[mesh.triangles]
    crossed = 0
    for o, d in zip(ORIGINS[:60], -ORIGINS[:60] + DIRECTIONS[:60] / 4):
        expected = {i for i, c in enumerate(corners) if segment_crosses_triangle(o, o + d, c)}
        hits = graze.raycast_all(mesh, graze.Segment(o, o + d))
        assert set(hits.triangle.tolist()) == expected
        crossed += len(expected)
        if expected:
            first = graze.raycast(mesh, graze.Segment(o, o + d))
            assert first.triangle == hits.triangle[0] and first.t == hits.t[0]
            weighted = first.barycentric @ corners[first.triangle]
            assert np.allclose(weighted, first.point) and np.allclose(o + d * first.t, first.point)
            assert np.dot(first.normal, d) < 0 and np.linalg.norm(first.normal) == pytest.approx(1)
    assert crossed > 30


def test_known_hits():
    mesh = box_mesh()
    hit = graze.raycast(mesh, (0.25, 0.5, 3), (0, 0, -2))
    assert (hit.t, hit.point.tolist(), hit.normal.tolist(), hit.front, hit.started_inside) == (1, [0.25, 0.5, 1], [0, 0, 1], True, False)
    inside = graze.raycast(graze.solid(mesh), (0.5, 0.5, 0.5), (0, 0, 1))
    assert inside.t == 0 and inside.started_inside and inside.normal is None
    assert graze.raycast(mesh, graze.Line((0.25, 0.5, 3), (0, 0, 1))).t == -3
    assert graze.raycast(mesh, (0.25, 0.5, 3), (0, 0, 1)) is None and not graze.raycast_any(mesh, (0.25, 0.5, 3), (0, 0, 1))
    assert graze.raycast(mesh, [(0.25, 0.5, 3)] * 4, (0, 0, -1)).t.tolist() == [2] * 4
    assert graze.raycast(mesh, np.zeros((0, 3)), np.zeros((0, 3))).hit.shape == (0,) and len(graze.raycast_all(mesh, np.zeros((0, 6)))) == 0
    union = graze.Compound([graze.Sphere((0, 0, 0), 1), mesh])
    assert graze.raycast(union, (0.5, 0.5, 9), (0, 0, -1)).child == 1
    placed = graze.Ray((3, 0, 0), (-2, 0, 0)).at(graze.translation((0, 0.5, 0.25)))
    assert graze.raycast(mesh, placed).t == 1


def test_sides_and_filters():
    mesh = torus()
    both = graze.raycast(mesh, ORIGINS, -ORIGINS)
    front, back = graze.raycast(mesh, ORIGINS, -ORIGINS, sides="front"), graze.raycast(mesh, ORIGINS, -ORIGINS, sides="back")
    assert front.front[front.hit].all() and not back.front[back.hit].any() and both.hit.sum() >= front.hit.sum()
    user = graze.Mesh(mesh.vertices, mesh.triangles, user=np.arange(len(mesh)) % 2)
    odd = graze.raycast(user, ORIGINS, -ORIGINS, accept=lambda t: t.user == 1)
    assert (odd.triangle[odd.hit] % 2 == 1).all() and odd.hit.any()
    assert graze.raycast(user, ORIGINS[0], -ORIGINS[0], accept=lambda t: False) is None
    with pytest.raises(ZeroDivisionError):
        graze.raycast(user, (0, 2, 9), (0, 0, -1), accept=lambda t: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        graze.raycast(user, [(0, 2, 9)] * 500, (0, 0, -1), accept=lambda t: 1 / 0)


def test_triangles():
    a, b = soup(31, 60), soup(32, 70)
    ta, tb = ([graze.Triangle(c) for c in m.vertices[m.triangles]] for m in (a, b))
    expected = [[i, j] for i, x in enumerate(ta) for j, y in enumerate(tb) if graze.intersects(x, y)]
    pairs = graze.intersecting_triangles(a, b)
    assert pairs.dtype == np.uint32 and pairs.tolist() == expected and len(expected) > 10
    assert graze.count_intersecting_triangles(a, b) == (len(expected), False) and graze.count_intersecting_triangles(a, b, most=5) == (5, True)
    assert graze.intersecting_triangles(a, b, limit=7).tolist() == expected[:7]
    assert graze.intersecting_triangles(a, b, filter=lambda i, j: i % 2 == 0).tolist() == [p for p in expected if p[0] % 2 == 0]
    visited = []
    graze.intersecting_triangles(a, b, visit=lambda i, j: visited.append([i, j]) or len(visited) < 10)
    assert visited == expected[:10]
    with pytest.raises(ZeroDivisionError):
        graze.intersecting_triangles(a, b, filter=lambda i, j: 1 / 0)
    own = [[i, j] for i in range(60) for j in range(i + 1, 60) if graze.intersects(ta[i], ta[j])]
    assert graze.self_intersections(a).tolist() == own and graze.count_self_intersections(a).count == len(own)
    assert len(graze.self_intersections(torus())) == 0
    ball = graze.Sphere((0, 0, 0), 0.25)
    assert graze.triangles_within(ball, a, 0.2).tolist() == [i for i, x in enumerate(ta) if graze.within(ball, x, 0.2)]
    near = graze.closest_triangles(ball, a, 5)
    assert near.distance.tolist() == sorted(graze.closest(ball, x).distance for x in ta)[:5] and len(graze.closest_triangles(ball, a, 5, 0.0)) <= 5
    assert graze.crosses(graze.Triangle([(0, 0, 0), (1, 0, 0), (0, 1, 0)]), graze.Triangle([(0.2, 0.2, -1), (0.2, 0.2, 1), (0.3, 0.4, 1)]))
