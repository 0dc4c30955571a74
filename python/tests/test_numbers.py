"""Numbers and arrays of every type and layout: exactly what was given, or an error that names the place."""
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import graze
from models import box_arrays, box_mesh

BIG = 2**53 + 1
MESH = box_mesh()
BALL = graze.Sphere((0, 0, 0), 1)


def test_integers_beyond_doubles_are_refused():
    """2^53 + 1 is not 2^53: the answers below would be wrong."""
    ball = graze.Sphere((0, 0, 0), 2**53)
    assert graze.intersects(ball, graze.Point([2**53, 0, 0])) and not graze.intersects(ball, graze.Point([2**53 + 2, 0, 0]))
    for x in (
        [BIG, 0, 0],
        (0.5, 0, -BIG),
        [0, np.int64(BIG), 0],
        [0, np.array(BIG), 0.5],
        np.array([BIG, 0, 0]),
        np.array([0, 0, BIG], np.uint64),
        np.array([0, 2**63 - 1, 0]),
        np.array([2**64 - 1, 0, 0], np.uint64),
        np.array([BIG, 0, 0], ">i8"),
        [2**70 + 1, 0, 0],
        [0, Fraction(1, 3), 0],
        [0, 0, np.longdouble(1) / 3],
        np.array([1, 2, 3], np.longdouble) / 7,
    ):
        with pytest.raises(graze.Error, match=r"point\[\d\] is .* which no double is"):
            graze.Point(x)
    with pytest.raises(graze.Error, match=r"points\[1\]\[2\] is 9007199254740993, which no double is"):
        graze.contains(ball, [(0, 0, 0), (0, 0.5, BIG)])
    with pytest.raises(graze.Error, match=r"points\[1\]\[0\] is 9007199254740993, which no double is"):
        graze.closest(ball, np.array([(0, 0, 0), (BIG, 0, 0)]))


SINGLE = {
    "radius": lambda x: graze.Sphere((0, 0, 0), x),
    "t_max": lambda x: graze.raycast(MESH, (0, 0, 9), (0, 0, -1), t_max=x),
    "distance": lambda x: graze.within(BALL, MESH, x),
    "within": lambda x: graze.Scene().pairs(within=x),
    "angle": lambda x: graze.Screw((0, 0, 0), (0, 0, 1), x),
    "dt": lambda x: graze.World().step(x),
    "x": lambda x: graze.Pose.quaternion(1, x, 0, 0),
    "fuse": lambda x: graze.World().add_moving(BALL, fuse=x),
}
ARRAYS = {
    "motion": lambda x: graze.sweep(BALL, x, MESH),
    "translation": graze.translation,
    "origins": lambda x: graze.raycast(MESH, x, (0, 0, 1)),
    "directions": lambda x: graze.raycast(MESH, (0, 0, 0), x),
    "normal": lambda x: graze.reflect((1, 0, 0), x),
    "points": lambda x: graze.signed_distance(BALL, x),
    "gravity": graze.World,
    "velocity": lambda x: graze.World().add_moving(BALL, velocity=x),
    "a": lambda x: graze.Segment(x, (0, 0, 0)),
}


@pytest.mark.parametrize("name", SINGLE)
def test_single_numbers(name):
    call = SINGLE[name]
    for wrong in (BIG, np.int64(BIG), np.uint64(BIG), Fraction(1, 3), Decimal("0.1"), np.longdouble(1) / 3, -(2**60) - 1):
        with pytest.raises(graze.Error, match="%s is .* which no double is" % name):
            call(wrong)
    for wrong in (True, np.bool_(True), 1 + 0j, np.complex64(1), "1", None, [1, 2]):
        with pytest.raises(TypeError, match="%s is " % name):
            call(wrong)
    with pytest.raises(graze.Error, match="%s is masked" % name):
        call(np.ma.masked)
    for right in (2, 2**60, np.float32(0.1), np.longdouble(2.5), Fraction(1, 4), Decimal("0.5"), np.array(3)):
        call(right)


@pytest.mark.parametrize("name", ARRAYS)
def test_vectors(name):
    call = ARRAYS[name]
    for wrong in ([0, 0, BIG], np.array([0, BIG, 1]), np.array([1, 2, 3], np.longdouble) / 7, [Fraction(1, 3), 1, 1], [0, 1, Decimal("0.1")]):
        with pytest.raises(graze.Error, match=r"%s\[\d\] is .* which no double is" % name):
            call(wrong)
    with pytest.raises(graze.Error, match=r"%s\[1\] is masked" % name):
        call(np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False]))
    for wrong in ([0, True, 1], [1j, 0, 0], np.array([1j, 0, 0]), np.array([True, False, True]), ["1", "2", "3"], [None, 0, 1], np.array([1, 2, None])):
        with pytest.raises(TypeError, match=name):
            call(wrong)
    call(np.ma.array([1.0, 2.0, 3.0]))
    call([2**54, 0, 1])
    call(np.array([1, 2, 3], np.longdouble) / 4)


def test_meshes_and_rows():
    vertices, triangles = box_arrays()
    for wrong in (vertices.astype(np.longdouble) / 3, vertices.astype(np.int64) + 2**53, [[0, 0, BIG], [1, 0, 0], [0, 1, 0.5]]):
        with pytest.raises(graze.Error, match=r"vertices\[\d\]\[\d\] is .* which no double is"):
            graze.Mesh(np.array(wrong) if isinstance(wrong, np.ndarray) else wrong, triangles)
    masked = np.ma.array(vertices, mask=np.zeros_like(vertices, bool))
    assert np.array_equal(graze.Mesh(masked, np.ma.array(triangles)).vertices, vertices)
    masked[3, 1] = np.ma.masked
    with pytest.raises(graze.Error, match=r"vertices\[3\]\[1\] is masked"):
        graze.Mesh(masked, triangles)
    hidden = np.ma.array(triangles, mask=False)
    hidden[5, 0] = np.ma.masked
    with pytest.raises(graze.Error, match=r"triangles\[5\]\[0\] is masked"):
        graze.Mesh(vertices, hidden)
    with pytest.raises(TypeError, match=r"triangles\[0\]\[1\]"):
        graze.Mesh(vertices, [[0, True, 2]])
    with pytest.raises(graze.Error, match=r"poses\[1\]\[4\] is .* which no double is"):
        graze.intersects(BALL, MESH, poses=[[1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, BIG, 0, 0.5]])
    with pytest.raises(graze.Error, match=r"center\[0\]\[2\] is .* which no double is"):
        graze.Sphere.array(np.array([[0, 0, BIG]]), 1.0)


def layouts(array):
    """The same numbers in every layout."""
    array = np.ascontiguousarray(array)
    size = array.dtype.itemsize
    yield "misaligned", np.frombuffer(b"\0" + array.tobytes(), array.dtype, offset=1).reshape(array.shape)
    wide = np.zeros(array.nbytes + 64, np.uint8)
    for at in (4, 7):
        view = wide[at : at + array.nbytes].view(array.dtype).reshape(array.shape)
        view[...] = array
        yield "misaligned by %d" % at, view.copy() if at % size == 0 else view
    yield "big endian", array.astype(array.dtype.newbyteorder(">"))
    yield "Fortran", np.asfortranarray(array)
    yield "reversed", np.ascontiguousarray(array[::-1])[::-1]
    yield "reversed twice", np.ascontiguousarray(array[..., ::-1])[..., ::-1]
    apart = np.zeros((len(array), 3) + array.shape[1:], array.dtype)
    apart[:, 1] = array
    yield "apart", apart[:, 1]
    fixed = array.copy()
    fixed.flags.writeable = False
    yield "read-only", fixed
    packed = np.zeros(len(array), np.dtype([("tag", "u1"), ("numbers", array.dtype, array.shape[1:])]))
    packed["numbers"] = array
    yield "records", packed["numbers"]


def test_layouts():
    random = np.random.default_rng(5)
    points, directions, (vertices, triangles) = random.uniform(-2, 2, (20, 3)), random.normal(size=(20, 3)), box_arrays()
    solid, turns = graze.solid(MESH), np.hstack([random.normal(size=(20, 4)), random.uniform(-2, 2, (20, 3))])
    matrices, boxes = graze.Poses(turns).matrix4, np.hstack([points, points + 1])
    calls = {
        "closest": (points, lambda x: graze.closest(MESH, x).distance),
        "contains": (points, lambda x: graze.contains(solid, x)),
        "signed_distance": (points, lambda x: graze.signed_distance(solid, x)),
        "within": (points, lambda x: graze.within(MESH, x, 0.5)),
        "origins": (points, lambda x: graze.raycast(MESH, x, directions).t),
        "directions": (directions, lambda x: graze.raycast(MESH, points, x).t),
        "rays": (np.hstack([points, directions]), lambda x: graze.raycast(MESH, x).t),
        "all": (np.hstack([points, directions]), lambda x: graze.raycast_all(MESH, x).offsets),
        "sweep": (directions, lambda x: graze.sweep(BALL, x, MESH.at(graze.translation((9, 0, 0)))).t),
        "quaternions": (turns, lambda x: graze.intersects(MESH, BALL, poses=x)),
        "matrices": (matrices, lambda x: graze.closest(MESH, BALL, poses=x).distance),
        "vertices": (vertices, lambda x: graze.Mesh(x, triangles).vertices),
        "single": (vertices.astype(np.float32), lambda x: graze.Mesh(x, triangles).vertices),
        "triangles": (triangles, lambda x: graze.Mesh(vertices, x).triangles),
        "long triangles": (triangles.astype(np.int64), lambda x: graze.Mesh(vertices, x).triangles),
        "short triangles": (triangles.astype(np.int16), lambda x: graze.Mesh(vertices, x).triangles),
        "hull": (points, lambda x: graze.Hull(x).points),
        "minimal_sphere": (points, lambda x: graze.minimal_sphere(x).center),
        "spheres": (points, lambda x: graze.Sphere.array(x, 1.0).center),
        "boxes": (boxes, lambda x: graze.BroadPhase(x).pairs()),
        "apply": (points, lambda x: graze.translation((1, 2, 3)).apply(x)),
        "heights": (random.uniform(size=(4, 4)), lambda x: graze.HeightField((0, 0, 0), 1, 1, x).heights),
        "refit": (vertices + 1, lambda x: MESH.refit(x).vertices),
        "matrix": (matrices[0], lambda x: graze.Pose(x).matrix4),
        "pose": (matrices[0], lambda x: MESH.at(x).pose.matrix4),
        "vector": (points[0], lambda x: graze.Sphere(x, 1).center),
        "one point": (points[0], lambda x: graze.closest(MESH, x).on_a),
        "one ray": (np.hstack([points[0], directions[0]]), lambda x: graze.Segment(x[:3], x[3:]).a),
        "ccd": (random.uniform(size=(4, 3)), lambda x: np.array([graze.ccd_edge_edge(x, x) or -1])),
        "equation": (np.array([1.0, 2, 3, 4]), lambda x: graze.plane_from_equation(x).normal),
        "triangulate": (vertices[:4], lambda x: graze.triangulate(x)),
        "scene": (points, lambda x: _scene().raycast(x, directions).t),
    }
    for name, (array, call) in calls.items():
        expected = np.asarray(call(array))
        for layout, same in layouts(array):
            assert np.array_equal(np.asarray(same), array), (name, layout)
            found = np.asarray(call(same))
            assert found.shape == expected.shape and np.array_equal(found, expected), (name, layout)
    for empty in (np.zeros((0, 3)), np.zeros((0, 3), np.int64), np.zeros((0, 3), ">f8"), np.asfortranarray(np.zeros((0, 3)))):
        assert len(graze.closest(MESH, empty)) == len(graze.contains(solid, empty)) == len(graze.raycast(MESH, empty, empty)) == 0
        assert len(graze.Mesh(empty, np.zeros((0, 3), int))) == 0
    assert len(graze.intersects(MESH, BALL, poses=np.zeros((0, 4, 4)))) == len(graze.intersects(MESH, BALL, poses=np.zeros((0, 7), int))) == 0


def _scene():
    scene = graze.Scene()
    scene.add("a", MESH)
    return scene


def test_wrong_poses_name_their_place():
    turns = np.zeros((3, 7))
    turns[:, 0] = 1
    turns[1] = 0
    with pytest.raises(graze.Error, match=r"^poses\[1\]"):
        graze.intersects(BALL, MESH, poses=turns)
    matrices = np.tile(np.eye(4), (3, 1, 1))
    matrices[2, 0, 0] = 2
    with pytest.raises(graze.Error, match=r"^poses\[2\]"):
        graze.intersects(BALL, MESH, poses=np.frombuffer(b"\0" + matrices.tobytes(), float, offset=1).reshape(3, 4, 4))


def test_a_miss_is_infinitely_far():
    origins, directions = np.array([(0.5, 0.25, 9.0), (9, 9, 9)]), np.array([(0, 0, -1.0), (0, 0, -1)])
    scene = graze.Scene()
    scene.add("a", MESH)
    spheres = graze.Sphere.array(origins, 0.125)
    assert graze.raycast(MESH, origins, directions).t.tolist() == scene.raycast(origins, directions).t.tolist() == [8, np.inf]
    t = graze.sweep(spheres, 10 * directions, MESH).t
    assert 0.78 < t[0] < 0.8 and t[1] == np.inf
