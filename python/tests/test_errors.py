"""Wrong arguments: each is an error that says what is wrong, never a crash."""
import math
import pickle

import numpy as np
import pytest

import graze
from models import box_arrays, box_mesh

NAN, INF = math.nan, math.inf
MESH, BALL, BOX = box_mesh(), graze.Sphere((0, 0, 0), 1), graze.Box((0, 0, 0), (1, 1, 1))
V, T = box_arrays()
SCENE, WORLD = graze.Scene(), graze.World()
THREE = np.zeros((2, 3))
RAYS = np.ones((2, 3))

VALUES = [  # each raises graze.Error with this text
    (lambda: graze.Sphere((0, 0), 1), r"center has the shape \(2,\), must have \(3,\)"),
    (lambda: graze.Sphere((0, 0, NAN), 1), r"center\[2\] is NaN"),
    (lambda: graze.Sphere((0, -INF, 0), 1), r"center\[1\] is -infinity"),
    (lambda: graze.Sphere((0, 0, 0), -1), "radius is -1"),
    (lambda: graze.Sphere((0, 0, 0), NAN), "radius is NaN"),
    (lambda: graze.Sphere((0, 0, 0), INF), "radius is infinite"),
    (lambda: graze.Sphere((2**60 + 1, 0, 0), 1), "which no double is"),
    (lambda: graze.Box((1, 0, 0), (0, 1, 1)), "min"),
    (lambda: graze.Ray((0, 0, 0), (0, 0, 0)), "direction"),
    (lambda: graze.Plane((0, 0, 0), (0, 0, 0)), "normal"),
    (lambda: graze.Triangle(np.zeros((2, 3))), "shape"),
    (lambda: graze.Cylinder((0, 0, 0), (0, 0, 0), 1), "cylinder"),
    (lambda: graze.Hull(np.zeros((0, 3))), "point"),
    (lambda: graze.Hull([(0, 0, NAN)]), "NaN"),
    (lambda: graze.Polygon([(0, 0, 0), (1, 1, 1)]), "corners"),
    (lambda: graze.Frustum(np.zeros((7, 3))), "8"),
    (lambda: graze.Frustum.perspective((0, 0, 0), (0, 0, 1), (0, 1, 0), 1, 1, 2, 1), "far"),
    (lambda: graze.Mesh(V[:, :2], T), "vertices has the shape"),
    (lambda: graze.Mesh(V.astype(np.float32)[:, :2], T), "vertices has the shape"),
    (lambda: graze.Mesh(V, T[:, :2]), "triangles has the shape"),
    (lambda: graze.Mesh(V, T.astype(np.int64) - 1), "vertex"),
    (lambda: graze.Mesh(V, np.full((1, 3), 2**40)), "vertex"),
    (lambda: graze.Mesh(V, np.full((1, 3), 2**64 - 1, np.uint64)), "index"),
    (lambda: graze.Mesh(V, T, user=[1, 2]), "user has the shape"),
    (lambda: graze.Mesh(V, T, user=-np.ones(12, int)), "user has a number"),
    (lambda: graze.Mesh(V, T, parts=[("a", 0, 99)]), "part"),
    (lambda: graze.Mesh(V, T, parts=[("a", -1, 2)]), "first is -1"),
    (lambda: graze.Mesh(V, T, build="slow"), "must be one of best, fast"),
    (lambda: graze.HeightField((0, 0, 0), 1, NAN, np.zeros((2, 2))), "dy is NaN"),
    (lambda: graze.Compound([graze.Compound([BALL])]), "compound"),
    (lambda: graze.within(BALL, BOX, -1), "distance"),
    (lambda: graze.within(BALL, BOX, NAN), "distance is NaN"),
    (lambda: graze.within(BALL, BOX, INF), "distance"),
    (lambda: graze.closest(MESH, np.zeros((4, 2))), "shape"),
    (lambda: graze.closest(MESH, [(0, 0, 0), (0, NAN, 0)]), r"points\[1\]\[1\] is NaN"),
    (lambda: graze.contains(MESH, np.zeros((2, 2, 3))), "shape"),
    (lambda: graze.signed_distance(MESH, (0, 0, 0)), "solid"),
    (lambda: graze.intersects(BALL, MESH, poses=np.zeros((3, 4))), "poses has the shape"),
    (lambda: graze.intersects([BALL], [BOX, BOX]), "same number"),
    (lambda: graze.raycast(MESH, THREE, np.zeros((2, 3))), r"directions\[0\]"),
    (lambda: graze.raycast(MESH, THREE, np.ones((3, 3))), "same number"),
    (lambda: graze.raycast(MESH, (0, 0, 0), (0, 0, 0)), "direction"),
    (lambda: graze.raycast(MESH, THREE), "directions is missing"),
    (lambda: graze.raycast(MESH, THREE, RAYS, t_max=NAN), "t_max is NaN"),
    (lambda: graze.raycast(MESH, THREE, RAYS, t_min=NAN), "t_min is NaN"),
    (lambda: graze.raycast(MESH, THREE, RAYS, sides="left"), "sides"),
    (lambda: graze.raycast(MESH, [[0, 0, 0, 1, NAN, 0]]), "NaN"),
    (lambda: graze.sweep(BALL, (NAN, 0, 0), MESH), "motion"),
    (lambda: graze.sweep(BALL, THREE, MESH, (0, 0, 1)), "motion_b"),
    (lambda: graze.sweep(BALL, graze.Screw((0, 0, 0), (0, 0, 1), 1), MESH, tolerance=0), "tolerance"),
    (lambda: graze.intersecting_triangles(MESH, BALL), "mesh"),
    (lambda: graze.intersecting_triangles(MESH, MESH, limit=-1), "limit is -1"),
    (lambda: graze.triangles_within(BALL, MESH, NAN), "distance is NaN"),
    (lambda: graze.closest_triangles(BALL, MESH, -2), "count is -2"),
    (lambda: graze.ccd(MESH, V + NAN), "NaN"),
    (lambda: graze.ccd_edge_edge(THREE, THREE), "shape"),
    (lambda: graze.volume(BALL), "volume"),
    (lambda: graze.bounding_sphere(graze.Line((0, 0, 0), (1, 0, 0))), ""),
    (lambda: graze.minimal_sphere(np.zeros((0, 3))), "point"),
    (lambda: graze.reflect((1, 0, 0), (0, 0, 0)), "normal"),
    (lambda: graze.guarantee("nothing", BALL), "nothing"),
    (lambda: graze.triangulate([(0, 0, 0), (1, 1, 0), (1, 0, 0), (0, 1, 0)]), "cross"),
    (lambda: graze.load("/nowhere/model.obj"), "nowhere"),
    (lambda: graze.load("a\0b"), "NUL"),
    (lambda: graze.read_model(b"", "x.obj"), ""),
    (lambda: graze.load("x.obj", max_bytes=0), "max_bytes"),
    (lambda: SCENE.move(9, graze.Pose()), ""),
    (lambda: SCENE.remove("x"), "0 members"),
    (lambda: SCENE.add("x", BALL, group=-1), "group is -1"),
    (lambda: SCENE.add("x", BALL, group=2**32), "group"),
    (lambda: SCENE.add("x\0y", BALL), "NUL"),
    (lambda: SCENE.add("x", graze.Point((1.7e308, 0, 0)), graze.translation((1.7e308, 0, 0))), ""),
    (lambda: SCENE.pairs(NAN), "NaN"),
    (lambda: SCENE.raycast_all(THREE, RAYS), "one ray"),
    (lambda: WORLD.add_moving(graze.Plane((0, 0, 0), (0, 0, 1))), ""),
    (lambda: WORLD.add_fixed(BALL, material=graze.Material(friction=-1)), "friction"),
    (lambda: WORLD.remove(3), ""),
    (lambda: WORLD.step(-1), ""),
    (lambda: graze.World(max_bounces=-1), "max_bounces"),
    (lambda: graze.set_threads(-1), "n is -1"),
    (lambda: graze.Pose.quarter_turn("w"), "axis"),
    (lambda: graze.Pose.quarter_turn(3), "axis"),
    (lambda: graze.Pose.nearest(np.eye(3), 2), "tolerance"),
    (lambda: BALL.at(np.eye(3)), "4x4"),
]

TYPES = [  # each raises TypeError
    lambda: graze.Sphere("abc", 1),
    lambda: graze.Sphere((0, 0, 0), "1"),
    lambda: graze.Sphere((0, 0, 0), True),
    lambda: graze.Sphere((0, 0, 0), None),
    lambda: graze.Sphere((0, 0, 0)),
    lambda: graze.Sphere(np.zeros(3, complex), 1),
    lambda: graze.Sphere([(0, 0), (1,)], 1),
    lambda: graze.Mesh(V, T.astype(float)),
    lambda: graze.Mesh(V, T, user=[0.5] * 12),
    lambda: graze.Mesh(V, T, parts=[3]),
    lambda: graze.Mesh(V, T, parts=[(b"a", 0, 1)]),
    lambda: graze.Mesh(V, T, build=3),
    lambda: graze.solid(BALL),
    lambda: graze.solid(None),
    lambda: graze.Compound([BALL, 3]),
    lambda: graze.Compound(3),
    lambda: graze.intersects(BALL, None),
    lambda: graze.intersects(None, BALL),
    lambda: graze.intersects(1, 2),
    lambda: graze.intersects(BALL, "box"),
    lambda: graze.intersects([BALL, 3], BOX),
    lambda: graze.intersects(BALL, BOX, poses=graze.Pose()),
    lambda: graze.intersects([BALL], BOX, poses=[graze.Pose()]),
    lambda: graze.closest(THREE, THREE),
    lambda: graze.within(BALL, BOX, None),
    lambda: graze.relation(BALL, (0, 0, 0)),
    lambda: graze.penetration(BALL, (0, 0, 0)),
    lambda: graze.contains((0, 0, 0), BALL),
    lambda: graze.contains(MESH, None),
    lambda: graze.raycast(None, THREE, RAYS),
    lambda: graze.raycast(MESH, BALL),
    lambda: graze.raycast(MESH, graze.Sphere.array(THREE, 1)),
    lambda: graze.raycast(MESH, graze.Ray((0, 0, 0), (0, 0, 1)), (0, 0, 1)),
    lambda: graze.raycast(MESH, THREE, RAYS, accept=3),
    lambda: graze.raycast(MESH, THREE, RAYS, sides=None),
    lambda: graze.sweep(None, (0, 0, 1), MESH),
    lambda: graze.sweep(BALL, (0, 0, 1), None),
    lambda: graze.sweep(BALL, None, MESH),
    lambda: graze.bounce(BALL, (0, 0, 1), 1, MESH, 0.5),
    lambda: graze.ccd(BALL, V),
    lambda: graze.classify(BALL, BALL),
    lambda: graze.plane_of(BALL),
    lambda: graze.crosses(BALL, BALL),
    lambda: graze.load(3),
    lambda: graze.read_model("text", "x.obj"),
    lambda: graze.read_model(b"", 3),
    lambda: graze.guarantee(3, BALL),
    lambda: SCENE.add(3, BALL),
    lambda: SCENE.add("x", 3),
    lambda: SCENE.add("x", BALL.at(graze.Pose()), graze.Pose()),
    lambda: SCENE.move(1.5, graze.Pose()),
    lambda: SCENE.pairs(excluded=[3]),
    lambda: SCENE.visible(BALL),
    lambda: SCENE.raycast(THREE, RAYS, members=3),
    lambda: graze.BroadPhase().insert(BALL),
    lambda: graze.BroadPhase(graze.Sphere.array(THREE, 1)),
    lambda: WORLD.add_moving(3),
    lambda: WORLD.add_emitter(BALL, 3, None),
    lambda: WORLD.restore("text"),
    lambda: graze.Mover(None, BALL, (0, 0, 0)),
    lambda: graze.Mover(SCENE, None, (0, 0, 0)),
    lambda: graze.set_threads(1.5),
    lambda: BALL.at(None),
    lambda: BALL.at("pose"),
]


@pytest.mark.parametrize("case", range(len(VALUES)))
def test_wrong_values(case):
    call, text = VALUES[case]
    with pytest.raises(graze.Error, match=text) as e:
        call()
    assert str(e.value) and e.value.code


@pytest.mark.parametrize("case", range(len(TYPES)))
def test_wrong_types(case):
    with pytest.raises(TypeError) as e:
        TYPES[case]()
    assert str(e.value)


def test_errors_pickle():
    e = pickle.loads(pickle.dumps(graze.Error("text", "too_large")))
    assert isinstance(e, ValueError) and (str(e), e.code) == ("text", "too_large")


def test_large_numbers_are_finite():
    """The sum of many large numbers overflows; they are accepted all the same, and what is not finite among them is found."""
    points = np.full((5, 3), 1.7e308)
    assert graze.contains(BOX, points).tolist() == [False] * 5
    for bad in (NAN, INF, -INF):
        points[3, 1] = bad
        with pytest.raises(graze.Error, match=r"points\[3\]\[1\]"):
            graze.contains(BOX, points)
    points[1, 2] = -INF
    points[3, 1] = INF
    with pytest.raises(graze.Error, match=r"points\[1\]\[2\] is -infinity"):
        graze.contains(BOX, points)
