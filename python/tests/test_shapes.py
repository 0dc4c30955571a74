"""Shapes: their fields, equality, immutability, arrays of shapes, and what is refused."""
import copy
import pickle

import numpy as np
import pytest

import graze
from models import PLAIN, all_shapes, box_mesh, soup


@pytest.mark.parametrize("shape", PLAIN, ids=lambda s: s.kind)
def test_fields_are_what_was_given(shape):
    fields = {name: getattr(shape, name) for name in shape._FIELDS}
    again = type(shape)(**fields)
    assert again == shape and hash(again) == hash(shape) and repr(shape).startswith(type(shape).__name__)
    assert again is not shape and eval(repr(shape), vars(graze)) == shape
    for value in fields.values():
        assert isinstance(value, float) or (value.dtype == np.float64 and not value.flags.writeable and value.shape in ((3,), (3, 3)))
    with pytest.raises(AttributeError):
        setattr(shape, shape._FIELDS[0], 1)
    with pytest.raises(AttributeError):
        shape.other = 1


@pytest.mark.parametrize("shape", all_shapes(), ids=lambda s: s.kind)
def test_copies_and_pickles_answer_alike(shape):
    assert copy.copy(shape) is shape and copy.deepcopy(shape) is shape
    again = pickle.loads(pickle.dumps(shape))
    assert type(again) is type(shape) and again.kind == shape.kind
    for probe in (graze.Sphere((0.3, 0.2, 0.1), 0.4), graze.Box((-9, -9, -9), (-8, -8, -8)), graze.Point((0, 0, 0))):
        assert graze.intersects(again, probe) == graze.intersects(shape, probe)
        assert graze.closest(again, probe) == graze.closest(shape, probe)
    placed = pickle.loads(pickle.dumps(shape.at(graze.translation((1, 2, 3)))))
    assert placed.pose == graze.translation((1, 2, 3)) and graze.bounding_box(placed) == graze.bounding_box(shape.at(placed.pose))


def test_kinds_have_their_names():
    assert [s.kind for s in all_shapes()] == (
        "point segment ray line plane halfspace triangle sphere box obb capsule cylinder cone truncated_cone ellipsoid wedge "
        "polygon convex frustum mesh solid heightfield compound"
    ).split()


def test_boxes():
    box = graze.Box.from_center((1, 2, 3), (0.5, 1, 2))
    assert box == graze.Box((0.5, 1, 1), (1.5, 3, 5)) == graze.Box.from_corner((0.5, 1, 1), (1, 2, 4))
    assert box.center.tolist() == [1, 2, 3] and box.corner("A").tolist() == [0.5, 1, 1] and box.corner("G").tolist() == [1.5, 3, 5]
    with pytest.raises(graze.Error):
        box.corner("I")
    with pytest.raises(graze.Error):
        graze.Box.from_center((0, 0, 0), (-1, 0, 0))


def test_hulls_polygons_and_frusta():
    hull = graze.Hull(np.vstack([np.eye(3), np.zeros((1, 3)), np.full((1, 3), 0.1)]))
    assert hull.dimension == 3 and hull.corners.tolist() == [0, 1, 2, 3] and hull.triangles.shape == (4, 3) and len(hull.points) == 5
    assert graze.Hull([(0, 0, 0)]).dimension == 0 and graze.Hull([(0, 0, 0), (1, 1, 1)]).dimension == 1
    assert graze.volume(hull) == pytest.approx(1 / 6, rel=1e-15)
    polygon = graze.Polygon([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    assert polygon.points.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    with pytest.raises(graze.Error, match="triangulate"):
        graze.Polygon([(0, 0, 0), (2, 0, 0), (0.5, 0.5, 0), (0, 2, 0)])
    assert graze.triangulate([(0, 0, 0), (2, 0, 0), (0.5, 0.5, 0), (0, 2, 0)]).shape == (2, 3)
    frustum = graze.Frustum.perspective((0, 0, 5), (0, 0, 0), (0, 1, 0), 1, 1, 1, 10)
    near = frustum.plane("near")
    assert near.point[2] == 4 and near.normal[2] > 0 and graze.Frustum(frustum.points).points.tolist() == frustum.points.tolist()


def test_compounds_keep_their_children():
    ball, box = graze.Sphere((0, 0, 0), 1), graze.Box((0, 0, 0), (1, 1, 1))
    pose = graze.Pose.quarter_turn("z", 1, (5, 0, 0))
    union = graze.Compound([ball, box.at(pose), (box_mesh(), graze.translation((9, 9, 9)))])
    assert union.children[0] is ball and union.children[1].shape is box and union.children[1].pose == pose and len(union.children) == 3
    assert graze.intersects(union, graze.Point((4.5, 0.5, 0.5))) and not graze.intersects(union, graze.Point((2, 0, 0)))
    with pytest.raises(graze.Error):
        graze.Compound([union])


def test_arrays_of_shapes():
    spheres = graze.Sphere.array(np.arange(12.0).reshape(4, 3), 0.5)
    assert len(spheres) == 4 and spheres.radius.tolist() == [0.5] * 4 and spheres.center.shape == (4, 3)
    assert spheres[1] == graze.Sphere((3, 4, 5), 0.5) and spheres[-1] == spheres[3] and len(spheres[1:3]) == 2 and list(spheres)[2] == spheres[2]
    boxes = graze.Box.array(min=np.zeros((4, 3)), max=np.ones((4, 3)))
    assert pickle.loads(pickle.dumps(boxes)).max.tolist() == boxes.max.tolist()
    axes = np.broadcast_to(np.eye(3), (4, 3, 3))
    oriented = graze.OrientedBox.array(np.zeros((4, 3)), axes, (1, 2, 3))
    assert oriented.axes.shape == (4, 3, 3) and oriented[2].half.tolist() == [1, 2, 3]
    for bad, text in (
        (lambda: graze.Sphere.array(np.zeros((2, 3)), [1, -1]), r"\[1\].*radius is -1"),
        (lambda: graze.Sphere.array(np.zeros((2, 3)), [1, 2, 3]), "radius has 3 rows"),
        (lambda: graze.Sphere.array(np.zeros((2, 2)), 1), "shape"),
        (lambda: graze.Sphere.array([(0, 0, np.nan)], 1), "NaN"),
        (lambda: graze.Box.array([(1, 0, 0)], [(0, 1, 1)]), "min"),
        (lambda: graze.Plane.array([(1, 0, 0)], [(0, 0, 0)]), "normal"),
        (lambda: graze.Cylinder.array([(1, 0, 0)], [(1, 0, 0)], 1), "cylinder"),
    ):
        with pytest.raises(graze.Error, match=text):
            bad()
    with pytest.raises(TypeError, match="radius is missing"):
        graze.Sphere.array(np.zeros((2, 3)))
    with pytest.raises(TypeError, match="size"):
        graze.Sphere.array(np.zeros((2, 3)), size=3)
    with pytest.raises(AttributeError):
        spheres.volume


def test_placed_shapes():
    ball = graze.Sphere((1, 0, 0), 0.5)
    placed = ball.at(graze.Pose.quarter_turn("z"))
    assert graze.bounding_box(placed) == graze.Box((-0.5, 0.5, -0.5), (0.5, 1.5, 0.5)) and placed.shape is ball
    assert placed == ball.at(placed.pose) and len({placed, ball.at(placed.pose)}) == 1
    with pytest.raises(graze.Error, match="compose"):
        placed.at(graze.Pose())
    with pytest.raises(AttributeError):
        placed.pose = graze.Pose()
    with pytest.raises(graze.Error):
        soup(1, 3).at(graze.translation((1e308, 1e308, 1e308))).at(graze.Pose())
    big = graze.Point((1.7e308, 0, 0)).at(graze.translation((1.7e308, 0, 0)))
    with pytest.raises(graze.Error):
        big.validate()


def test_elements_of_arrays():
    balls = graze.Sphere.array(np.arange(12.0).reshape(4, 3), [1, 2, 3, 4])
    assert balls[-1].radius == 4 and balls[1:3].radius.tolist() == [2, 3] and balls[[3, 0]].radius.tolist() == [4, 1]
    assert balls[np.array([True, False, False, True])].radius.tolist() == [1, 4] and balls[np.int64(2)].radius == 3
    for wrong in (4, -5, 2**70, [7]):
        with pytest.raises(IndexError):
            balls[wrong]
    for wrong in (None, (0, 1), 0.5, "x", [[0], [1]], [0.5], np.zeros((2, 2), int)):
        with pytest.raises(TypeError):
            balls[wrong]
    poses = graze.Poses([graze.translation((i, 0, 0)) for i in range(4)])
    assert poses[-1].translation[0] == 3 and isinstance(poses[1:3], graze.Poses) and poses[1:3].translation[:, 0].tolist() == [1, 2]
    for wrong in (4, 2**70):
        with pytest.raises(IndexError):
            poses[wrong]
    for wrong in (None, (0, 1), [0], "x"):
        with pytest.raises(TypeError):
            poses[wrong]
