"""Sweeps, screws, response to contacts, and meshes whose vertices move."""
import math

import numpy as np
import pytest

import graze
from models import box_mesh, torus, torus_arrays

RANDOM = np.random.default_rng(13)


def test_known_sweeps():
    floor = graze.HalfSpace((0, 0, 0), (0, 0, 1))
    hit = graze.sweep(graze.Sphere((0, 0, 5), 1), (0, 0, -8), floor)
    assert hit.t == 0.5 and hit.normal.tolist() == [0, 0, 1] and hit.point.tolist() == [0, 0, 0] and hit.moved and not hit.started_inside
    assert not graze.intersects(graze.Sphere((0, 0, 5), 1).at(hit.safe), floor) and hit.safe.translation[2] == pytest.approx(-4)
    assert graze.sweep(graze.Sphere((0, 0, 5), 1), (0, 0, -3), floor) is None
    both = graze.sweep(graze.Box((0, 0, 0), (1, 1, 1)), (2, 0, 0), graze.Box((4, 0, 0), (5, 1, 1)), (-2, 0, 0))
    assert both.t == 0.75
    touching = graze.Sphere((0, 0, 1), 1)
    assert graze.sweep(touching, (0, 0, 1), floor).departing and graze.sweep(touching, (0, 0, 1), floor, skip_departing=True) is None
    assert not graze.sweep(graze.Sphere((0, 0, 5), 1), (0, 0, -8), floor, place=False).moved
    assert graze.sweep(graze.Point((0.2, 0.3, 9)), (0, 0, -10), box_mesh(), sides="back").t == pytest.approx(0.9)
    assert graze.sweep(graze.Point((0.2, 0.3, 9)), (0, 0, -10), box_mesh(), accept=lambda t: False) is None


def test_sweeps_in_batches():
    mesh, n = torus(), 80
    spheres = graze.Sphere.array(RANDOM.uniform(-4, 4, (n, 3)), 0.2)
    motions = -spheres.center * 2
    hits = graze.sweep(spheres, motions, mesh)
    singles = [graze.sweep(s, m, mesh) for s, m in zip(spheres, motions)]
    assert all(a == b for a, b in zip(hits, singles)) and hits.hit.sum() > 20 and hits.hit.tolist() == [s is not None for s in singles]
    assert hits.t[hits.hit].max() <= 1 and hits.triangle_b[~hits.hit].tolist() == [-1] * int((~hits.hit).sum()) and hits.normal.shape == (n, 3)
    ball = graze.Sphere((0, 0, 5), 0.2)
    assert graze.sweep(ball, motions, mesh).t.tolist() == [math.inf if h is None else h.t for h in (graze.sweep(ball, m, mesh) for m in motions)]
    assert graze.sweep(list(spheres), (0, 0, 1), mesh).hit.shape == (n,)
    for hit, sphere in zip(hits, spheres):
        if hit is not None and hit.moved:
            assert not graze.intersects(sphere.at(hit.safe), mesh)
    with pytest.raises(AttributeError):
        hits.speed
    with pytest.raises(graze.Error):
        graze.sweep(spheres, motions[:-1], mesh)


def test_screws():
    screw = graze.Screw((0, 0, 0), (0, 0, 1), math.pi)
    rod = graze.Capsule((1, 0, 0), (3, 0, 0), 0.1)
    hit = graze.sweep(rod, screw, graze.Sphere((0, 2, 0), 0.4), tolerance=1e-9)
    assert hit.t == pytest.approx(0.5 - math.asin(0.5 / 2) / math.pi, abs=1e-7) and not hit.budget_ended
    half = screw.at(0.5)
    assert np.allclose(half.matrix4, graze.Pose.quarter_turn("z").matrix4)
    again = graze.Screw.between(graze.Pose(), half, (0, 0, 0))
    assert again.angle == pytest.approx(math.pi / 2) and "Screw" in repr(again)
    with pytest.raises(graze.Error):
        graze.Screw((0, 0, 0), (0, 0, 0), 1)
    with pytest.raises(graze.Error):
        graze.sweep(rod, screw, rod, (0, 0, 1))


def test_response():
    assert graze.respond((1, 0, -1), (0, 0, 1)).tolist() == [1, 0, 1]
    assert graze.respond((1, 0, -1), (0, 0, 1), graze.Material(restitution=0)).tolist() == [1, 0, 0]
    assert graze.slide((1, 0, -1), (0, 0, 3)).tolist() == [1, 0, 0]
    step = graze.bounce(graze.Sphere((0, 0, 2), 1), (0, 0, -4), 1, graze.HalfSpace((0, 0, 0), (0, 0, 1)))
    assert len(step.hits) == 1 and step.hits[0].time == pytest.approx(0.25) and step.velocity.tolist() == [0, 0, 4] and not step.stopped
    assert step.pose.apply((0, 0, 2))[2] == pytest.approx(4)
    with pytest.raises(graze.Error):
        graze.respond((1, 0, 0), (0, 0, 1), graze.Material(restitution=2))


def test_vertices_that_move():
    face = [(-1, -1, 0), (2, -1, 0), (-1, 2, 0)]
    t0, t1 = [(0, 0, 3), *face], [(0, 0, -1), *face]
    assert graze.ccd_vertex_face(t0, t1) == 0.75 and graze.ccd_vertex_face(t0, t0) is None
    edges0, edges1 = [(-1, 0, 1), (1, 0, 1), (0, -1, 0), (0, 1, 0)], [(-1, 0, -1), (1, 0, -1), (0, -1, 0), (0, 1, 0)]
    assert graze.ccd_edge_edge(edges0, edges1) == 0.5
    a = box_mesh((0, 0, 0), (1, 1, 1))
    b = box_mesh((0.25, 0.25, 3), (0.75, 0.75, 4))
    contacts = graze.ccd(a, a.vertices, b, b.vertices - (0, 0, 4))
    assert len(contacts) > 0 and contacts.t[0] == contacts[0].t == 0.5 and (np.diff(contacts.t) >= 0).all() and contacts.vertices.shape == (len(contacts), 4)
    first = graze.ccd(a, a.vertices, b, b.vertices - (0, 0, 4), first_only=True)
    assert len(first) == 1 and first[0] == contacts[0]
    faces = graze.ccd(a, a.vertices, b, b.vertices - (0, 0, 4), filter=lambda c: c.kind == "face_vertex")
    assert set(faces.kind) == {"face_vertex"} and len(graze.ccd(a, a.vertices, b, b.vertices - (0, 0, 4), limit=2)) == 2
    v, _ = torus_arrays()
    mesh = torus()
    assert len(graze.ccd(mesh, v)) == 0
    squeezed = v * (0.2, 1, 1)
    crossing = v.copy()
    crossing[:, 0] *= -1
    assert len(graze.ccd(mesh, crossing, limit=10)) > 0 and squeezed.shape == v.shape
    with pytest.raises(graze.Error, match="vertices"):
        graze.ccd(mesh, v[:-1])
    with pytest.raises(ZeroDivisionError):
        graze.ccd(a, a.vertices, b, b.vertices - (0, 0, 4), filter=lambda c: 1 / 0)
