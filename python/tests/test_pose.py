"""Poses: every way of making one, composing, applying, and arrays of poses bit for bit as single ones."""
import pickle

import numpy as np
import pytest

import graze

RANDOM = np.random.default_rng(5)


def quaternions(n):
    return np.concatenate([RANDOM.normal(size=(n, 4)) * 10.0 ** RANDOM.integers(-300, 300, (n, 1)), RANDOM.uniform(-9, 9, (n, 3))], axis=1)


def test_turns_are_exact():
    quarter = graze.Pose.quaternion(1, 0, 0, 1, translation=(1, 2, 3))
    assert quarter.rotation.tolist() == [[0, -1, 0], [1, 0, 0], [0, 0, 1]] and quarter.translation.tolist() == [1, 2, 3]
    assert quarter == graze.Pose.quarter_turn("z", 1, (1, 2, 3)) == graze.Pose.quarter_turn(2, 5, (1, 2, 3)) == graze.Pose.quarter_turn(2, -3, (1, 2, 3))
    assert quarter.apply((1, 0, 0)).tolist() == [1, 3, 3] and quarter.rotate((1, 0, 0)).tolist() == [0, 1, 0]
    assert quarter.apply(np.eye(3)).tolist() == [quarter.apply(v).tolist() for v in np.eye(3)]
    assert graze.Pose() == graze.translation((0, 0, 0)) == graze.Pose(np.eye(4))
    assert (quarter @ quarter.inverse()).apply((7, 8, 9)).tolist() == [7, 8, 9]


def test_matrices():
    pose = graze.Pose.quaternion(0.3, -0.2, 0.9, 0.1, (1, -2, 3))
    m = pose.matrix4
    assert graze.Pose(m) == graze.Pose.matrix(m) == graze.Pose.matrix(m[:3, :3], m[:3, 3]) == pose and np.asarray(pose).tolist() == m.tolist()
    single = m.astype(np.float32)
    with pytest.raises(graze.Error, match="Pose.nearest"):
        graze.Pose(single)
    near = graze.Pose.nearest(single)
    assert np.abs(near.rotation - pose.rotation).max() < 1e-7 and graze.Pose.nearest(near.matrix4, 0) == near
    for bad in (np.diag([1, 1, -1]), np.eye(3) * 2, np.eye(3)[:2], np.full((3, 3), np.nan)):
        with pytest.raises(graze.Error):
            graze.Pose.matrix(bad)
    with pytest.raises(graze.Error, match="last row"):
        graze.Pose.matrix(np.eye(4) + np.eye(4)[[3, 2, 1, 0]])
    with pytest.raises(graze.Error, match="3x3"):
        graze.Pose.matrix(np.eye(4), (0, 0, 0))
    for quaternion in ((0, 0, 0, 0), (np.nan, 0, 0, 1), (np.inf, 0, 0, 1)):
        with pytest.raises(graze.Error):
            graze.Pose.quaternion(*quaternion)


def test_composition_is_that_of_matrices():
    for row in quaternions(50):
        a, b = graze.Pose.quaternion(*row[:4], translation=row[4:]), graze.Pose.quarter_turn("x", 1, (1, 2, 3))
        assert np.abs((a @ b).matrix4 - a.matrix4 @ b.matrix4).max() < 1e-13
        assert np.abs(a.inverse().matrix4 - np.linalg.inv(a.matrix4)).max() < 1e-13
        assert pickle.loads(pickle.dumps(a)) == a and hash(a) == hash(graze.Pose(a))
    with pytest.raises(TypeError):
        a @ np.eye(4)


def test_many_poses_have_the_bits_of_single_ones():
    rows = np.concatenate([quaternions(500), [[1, 0, 0, 1, 0, 0, 0], [5e-324, 0, 0, 0, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0]]])
    many = graze.Poses(rows)
    singles = [graze.Pose.quaternion(*row[:4], translation=row[4:]) for row in rows]
    assert len(many) == len(rows) and all(p == s for p, s in zip(many, singles))
    assert graze.Poses(many.matrix4).matrix4.tolist() == many.matrix4.tolist() == graze.Poses(singles).matrix4.tolist()
    rounded = graze.Poses(many.matrix4.astype(np.float32), tolerance=1e-6)
    assert all(p == graze.Pose.nearest(m) for p, m in zip(rounded, many.matrix4.astype(np.float32)))
    assert len(pickle.loads(pickle.dumps(many))) == len(many) and len(graze.Poses([])) == 0
    with pytest.raises(graze.Error, match=r"poses\[1\]"):
        graze.Poses([[1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]])
    with pytest.raises(graze.Error, match=r"poses\[2\]"):
        graze.Poses([np.eye(4), np.eye(4), np.diag([1, 1, -1, 1])])
    with pytest.raises(graze.Error, match="shape"):
        graze.Poses(np.zeros((4, 6)))
    with pytest.raises(TypeError):
        graze.Poses(graze.Pose())
