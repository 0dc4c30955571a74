"""Queries about two shapes: known values, batches against single queries, and queries against each other."""
import numpy as np
import pytest

import graze
from models import all_shapes, box_mesh, soup, torus

RANDOM = np.random.default_rng(7)
POINTS = RANDOM.uniform(-3, 3, (200, 3))


def poses(n, size=2.0):
    return np.concatenate([RANDOM.normal(size=(n, 4)), RANDOM.uniform(-size, size, (n, 3))], axis=1)


def test_touching_is_intersecting():
    box, ball = graze.Box((0, 0, 0), (1, 1, 1)), graze.Sphere((1.5, 0.5, 0.5), 0.5)
    assert graze.intersects(box, ball) is True and graze.intersects(box, graze.Sphere((1.5, 0.5, 0.5), np.nextafter(0.5, 0))) is False
    closest = graze.closest(box, graze.Point((1, 1, 4)))
    assert closest.distance == 3 and closest.on_a.tolist() == [1, 1, 1] and closest.on_b.tolist() == [1, 1, 4] and closest.triangle_a is None
    assert graze.within(box, graze.Point((1, 1, 4)), 3) and not graze.within(box, graze.Point((1, 1, 4)), np.nextafter(3, 0))
    assert graze.relation(box, ball, progress=lambda done: True) == "touching" and graze.relation(box, box) == "identical"
    assert graze.relation(graze.Box((0.2, 0.2, 0.2), (0.4, 0.4, 0.4)), box) == "a_in_b"


def test_penetration_and_contacts():
    a, b = graze.Box((0, 0, 0), (1, 1, 1)), graze.Box((0.75, 0.25, 0.25), (2, 0.5, 0.5))
    p = graze.penetration(a, b)
    assert p and p.depth == pytest.approx(0.25, rel=1e-9) and p.normal.tolist() == [-1, 0, 0] and p.vector[0] == pytest.approx(-0.25) and p.reason == "none"
    assert not graze.intersects(graze.Box(a.min + p.vector * 1.0001, a.max + p.vector * 1.0001), b)
    apart = graze.penetration(a, graze.Sphere((9, 0, 0), 1))
    assert not apart and apart.reason == "apart" and apart.vector is None
    contacts = graze.contacts(a, b)
    assert len(contacts) == 1 and contacts[0].depth == contacts.depth[0] == pytest.approx(0.25, rel=1e-9) and contacts.normal.shape == (1, 3)
    assert len(graze.contacts(a, graze.Sphere((9, 0, 0), 1))) == 0 and [c.triangle_b for c in graze.contacts(graze.Sphere((0, 0, 0), 0.1), box_mesh())]
    manifold = graze.manifold(a, graze.Box((0, 0, 1), (1, 1, 2)))
    assert len(manifold) == 1 and manifold[0].points.shape == (4, 3) and manifold[0].depths.tolist() == [0] * 4 and manifold[0].normal.tolist() == [0, 0, -1]
    assert len(graze.manifold(a, graze.Box((0, 0, 1), (1, 1, 2)), all_points=True)[0].points) >= 4


@pytest.mark.parametrize("shape", all_shapes(), ids=lambda s: s.kind)
def test_points_in_batches(shape):
    for target in (shape, shape.at(graze.Pose.quaternion(1, 2, 3, 4, (0.1, 0.2, 0.3)))):
        singles = [graze.closest(target, graze.Point(p)) for p in POINTS]
        batch, turned = graze.closest(target, POINTS), graze.closest(POINTS, target)
        assert batch.distance.tolist() == [s.distance for s in singles] == turned.distance.tolist()
        assert all(b == s for b, s in zip(batch, singles))
        assert np.allclose(turned.on_a, POINTS, rtol=1e-15) and np.array_equal(turned.on_a, batch.on_b) and np.array_equal(turned.on_b, batch.on_a)
        assert graze.closest(target, POINTS[3]) == singles[3]
        inside = graze.contains(target, POINTS)
        assert inside.dtype == np.bool_ and inside.tolist() == [graze.contains(target, p) for p in POINTS]
        assert inside.tolist() == graze.intersects(target, POINTS).tolist() == (batch.distance == 0).tolist() == graze.intersects(POINTS, target).tolist()
        near = graze.within(target, POINTS, 0.5)
        assert near.tolist() == [graze.within(target, graze.Point(p), 0.5) for p in POINTS] == (batch.distance <= 0.5).tolist()
        if shape.kind in ("mesh", "heightfield"):
            with pytest.raises(graze.Error) as e:
                graze.signed_distance(target, POINTS)
            assert e.value.code == "unsupported_shape"
        else:
            signed = graze.signed_distance(target, POINTS)
            assert signed.tolist() == [graze.signed_distance(target, p) for p in POINTS]
            if shape.kind not in ("compound", "plane"):
                assert ((signed <= 0) == inside).all() or shape.kind in ("halfspace",)
                assert np.allclose(np.maximum(signed, 0), batch.distance, rtol=1e-12)


def test_many_poses():
    b = torus()
    given = graze.Poses(poses(60))
    for a in (graze.Capsule((-1, 0, 0), (1, 0, 0), 0.3), soup(3, 40), box_mesh()):
        placed = [a.at(p) for p in given]
        assert graze.intersects(a, b, poses=given).tolist() == [graze.intersects(p, b) for p in placed]
        assert graze.within(a, b, 0.25, poses=given).tolist() == [graze.within(p, b, 0.25) for p in placed]
        many = graze.closest(a, b, poses=given.matrix4)
        assert all(m == graze.closest(p, b) for m, p in zip(many, placed)) and len(many) == 60
        assert graze.intersects(placed, b).tolist() == graze.intersects(a, b, poses=given).tolist() == graze.intersects(b, placed).tolist()
        assert graze.within(placed, b, 0.25).tolist() == graze.within(a, b, 0.25, poses=given).tolist()
        assert graze.closest(placed, b).distance.tolist() == many.distance.tolist()
    assert graze.intersects(b, b, poses=np.zeros((0, 7))).shape == (0,) and len(graze.closest(b, b, poses=[])) == 0
    with pytest.raises(graze.Error, match="placed already"):
        graze.intersects(b.at(graze.Pose()), b, poses=given)
    with pytest.raises(graze.Error):
        graze.within(b, b, -1, poses=[])


def test_arrays_of_shapes_in_batches():
    n = 300
    arrays = {
        "sphere": graze.Sphere.array(RANDOM.uniform(-1, 1, (n, 3)), RANDOM.uniform(0, 1, n)),
        "box": graze.Box.array(RANDOM.uniform(-1, 0, (n, 3)), RANDOM.uniform(0, 1, (n, 3))),
        "capsule": graze.Capsule.array(RANDOM.uniform(-1, 1, (n, 3)), RANDOM.uniform(-1, 1, (n, 3)), 0.25),
        "triangle": graze.Triangle.array(RANDOM.uniform(-1, 1, (n, 3, 3))),
        "cone": graze.Cone.array(RANDOM.uniform(-1, 1, (n, 3)), RANDOM.uniform(-1, 1, (n, 3)), 0.25),
    }
    for a in arrays.values():
        for b in arrays.values():
            hits = graze.intersects(a, b)
            assert hits.tolist() == [graze.intersects(x, y) for x, y in zip(a, b)] and 0 < hits.sum()
            closest = graze.closest(a, b)
            assert closest.distance[:50].tolist() == [graze.closest(x, y).distance for x, y in zip(a[:50], b[:50])] and ((closest.distance == 0) == hits).all()
        assert graze.intersects(a, graze.Point((0, 0, 0))).tolist() == [graze.contains(x, (0, 0, 0)) for x in a]
        assert graze.intersects(list(a), list(arrays["box"])).tolist() == graze.intersects(a, arrays["box"]).tolist()
    relations = graze.relation(arrays["sphere"], arrays["box"])
    assert relations.tolist() == [graze.relation(x, y) for x, y in zip(arrays["sphere"], arrays["box"])] and set(relations) >= {"disjoint", "overlapping"}
    with pytest.raises(graze.Error, match="same number"):
        graze.intersects(arrays["sphere"], arrays["box"][:-1])


def test_distances_against_brute_force():
    a, b = soup(11, 60), soup(12, 50).at(graze.translation((2.5, 0, 0)))
    triangles_a = [graze.Triangle(c) for c in a.vertices[a.triangles]]
    triangles_b = [graze.Triangle(b.pose.apply(c)) for c in b.shape.vertices[b.shape.triangles]]
    least = min(graze.closest(x, y).distance for x in triangles_a for y in triangles_b)
    result = graze.closest(a, b)
    assert result.distance == least > 0 and graze.closest(b, a).distance == least
    assert graze.closest(triangles_a[result.triangle_a], triangles_b[result.triangle_b]).distance == least
    assert np.linalg.norm(result.on_a - result.on_b) == pytest.approx(least, rel=1e-12)
    assert graze.within(a, b, least * (1 + 1e-14)) and not graze.within(a, b, least * (1 - 1e-14))


def test_one_shape():
    mesh = torus()
    box, sphere = graze.bounding_box(mesh), graze.bounding_sphere(mesh)
    assert box.min.tolist() == mesh.vertices.min(axis=0).tolist() and box.max.tolist() == mesh.vertices.max(axis=0).tolist()
    assert (np.linalg.norm(mesh.vertices - sphere.center, axis=1) <= sphere.radius * (1 + 1e-15)).all()
    least = graze.minimal_sphere(np.vstack([np.eye(3), -np.eye(3)]))
    assert np.allclose(least.center, 0) and least.radius == pytest.approx(1)
    assert graze.volume(graze.Box((0, 0, 0), (1, 2, 3))) == 6 and graze.area(graze.Box((0, 0, 0), (1, 2, 3))) == 22
    solid = graze.solid(mesh)
    v = mesh.vertices[mesh.triangles]
    volume = np.einsum("ij,ij->i", v[:, 0], np.cross(v[:, 1], v[:, 2])).sum() / 6
    assert graze.volume(solid) == pytest.approx(volume, rel=1e-12) and graze.signed_volume(solid) == graze.volume(solid)
    assert np.allclose(graze.centroid(solid), 0, atol=1e-12) and graze.centroid(graze.Triangle(np.zeros((3, 3)))) is None
    assert not np.isfinite(graze.bounding_box(graze.Line((0, 0, 0), (1, 1, 1))).max).any()
    with pytest.raises(graze.Error):
        graze.bounding_sphere(graze.Plane((0, 0, 0), (0, 0, 1)))
    assert graze.guarantee("intersects", mesh, solid) == "exact" and graze.guarantee("signed_distance", mesh) == "refused"


def test_planes_and_frusta():
    plane = graze.Plane((0, 0, 1), (0, 0, 2))
    assert graze.classify(graze.Sphere((0, 0, 4), 1), plane) == ("front", 3)
    assert graze.classify(graze.Box((0, 0, 0), (1, 1, 0.5)), plane) == ("behind", -0.5)
    assert graze.classify(graze.Point((7, 7, 1)), plane).side == "intersects"
    view = graze.Frustum.perspective((0, 0, 5), (0, 0, 0), (0, 1, 0), 1, 1, 1, 10)
    assert [graze.classify(graze.Sphere((0, 0, z), 0.5), view) for z in (0, 4, 9)] == ["inside", "crossing", "outside"]
    with pytest.raises(TypeError):
        graze.classify(plane, graze.Sphere((0, 0, 0), 1))
    triangle = graze.Triangle([(0, 0, 0), (2, 0, 0), (0, 2, 0)])
    assert graze.plane_of(triangle).normal.tolist() == [0, 0, 4] and graze.unit_normal(triangle, (0, 0, -3)).tolist() == [0, 0, -1]
    flat = graze.Triangle(np.zeros((3, 3)))
    assert graze.plane_of(flat) is None and graze.unit_normal(flat, (1, 1, 1)) is None
    assert graze.reflect((1, 0, -1), (0, 0, 5)).tolist() == [1, 0, 1]
    assert graze.plane_equation(plane).tolist() == [0, 0, 2, -2] and graze.plane_from_equation([0, 0, 2, -2]) == plane
    for wrong in ([0, 0, 0, 1], [0, 1e-300, 0, 1e300], [0, 1, 0, np.nan], [1, 2, 3]):
        with pytest.raises(graze.Error):
            graze.plane_from_equation(wrong)
    with pytest.raises(TypeError):
        graze.plane_equation(triangle)


def test_one_point_is_an_element_of_a_batch():
    """A single point goes another way through the library than a batch; the answers are the same to the bit."""
    points = np.random.default_rng(8).uniform(-2, 2, (40, 3))
    for shape in all_shapes():
        try:
            many = graze.closest(shape, points), graze.closest(points, shape)
        except graze.Error:
            continue
        for i, p in enumerate(points):
            assert graze.closest(shape, p) == many[0][i] and graze.closest(tuple(p), shape) == many[1][i]
            assert graze.contains(shape, p) == graze.contains(shape, points)[i]
