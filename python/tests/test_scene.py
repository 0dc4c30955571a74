"""Scenes, the broad phase, worlds and movers."""
import copy

import numpy as np
import pytest

import graze
from models import box_mesh, soup, torus

RANDOM = np.random.default_rng(17)


def random_scene(n=40):
    scene, placed = graze.Scene(), []
    shapes = [torus(12, 6), graze.Sphere((0, 0, 0), 0.5), graze.Box((0, 0, 0), (1, 1, 1)), soup(5, 20), graze.Capsule((0, 0, 0), (1, 0, 0), 0.2)]
    for i in range(n):
        pose = graze.Pose.quaternion(*RANDOM.normal(size=4), translation=RANDOM.uniform(-5, 5, 3))
        shape = shapes[i % len(shapes)]
        assert scene.add("part %d" % i, shape, pose) == i
        placed.append(shape.at(pose))
    return scene, placed


def test_members():
    scene = graze.Scene()
    box = box_mesh()
    a, b = scene.add("box", box), scene.add("ball", graze.Sphere((0, 0, 0), 1), graze.translation((5, 0, 0)), group=2, meets=3)
    assert len(scene) == 2 and list(scene) == [a, b] == scene.members().tolist() and scene.id("ball") == b and scene.name(a) == "box"
    assert "box" in scene and 7 not in scene and b in scene and scene.options("ball") == (2, 3) and scene.pose(b).translation.tolist() == [5, 0, 0]
    again = scene.shape("box")
    assert again.vertices.ctypes.data == box.vertices.ctypes.data and isinstance(again, graze.Mesh) and scene.shape(b) == graze.Sphere((0, 0, 0), 1)
    scene.move("ball", graze.translation((0.5, 0, 0)))
    assert [(p.a, p.b) for p in scene.pairs()] == [(a, b)]
    scene.replace("box", graze.Point((9, 9, 9)))
    assert len(scene.pairs()) == 0
    other = copy.copy(scene)
    scene.remove("ball")
    assert len(scene) == 1 and "ball" not in scene and len(other) == 2 and other.id("ball") == b
    assert scene.add(graze.Sphere((0, 0, 0), 1).at(graze.translation((1, 1, 1)))) == 2 and scene.name(2) == ""
    for member in ("ball", "nobody", b, 99):
        with pytest.raises(graze.Error) as e:
            scene.pose(member)
        assert e.value.code == "unknown_id"
    scene.add("twice", box), scene.add("twice", box)
    with pytest.raises(graze.Error, match="2 members"):
        scene.pose("twice")
    union = graze.Compound([box, graze.Sphere((0, 0, 0), 1).at(graze.translation((9, 0, 0)))])
    back = scene.shape(scene.add("union", union))
    assert back.children[1] == union.children[1] and isinstance(back.children[0], graze.Mesh)


def test_pairs_against_brute_force():
    scene, placed = random_scene()
    n = len(placed)
    every = [(i, j) for i in range(n) for j in range(i + 1, n)]
    touching = [(i, j) for i, j in every if graze.intersects(placed[i], placed[j])]
    pairs = scene.pairs()
    assert list(zip(pairs.a.tolist(), pairs.b.tolist())) == touching and len(touching) > 3
    near = scene.pairs(0.5)
    assert [(p.a, p.b) for p in near] == [(i, j) for i, j in every if graze.within(placed[i], placed[j], 0.5)]
    for p in near:
        gap = graze.closest(placed[p.a], placed[p.b])
        assert p.distance == gap.distance and p.on_a.tolist() == gap.on_a.tolist() and p.relation is None
    assert near.distance.max() <= 0.5 and near.on_a.shape == (len(near), 3) and set(near.relation) == {""}
    related = scene.pairs(relations=True)
    for p in related:
        assert p.relation == graze.relation(placed[p.a], placed[p.b])
    i, j = touching[0]
    scene.allow("part %d" % i, "part %d" % j)
    assert [(p.a, p.b) for p in scene.pairs()] == touching[1:]
    scene.allow(j, i, False)
    assert [(p.a, p.b) for p in scene.pairs(excluded=[touching[1], (touching[2][1], "part %d" % touching[2][0])])] == touching[:1] + touching[3:]
    assert [(p.a, p.b) for p in scene.pairs(accept=lambda a, b: a % 2 == 0, witnesses=False)] == [p for p in touching if p[0] % 2 == 0]
    one = scene.any_pair()
    assert (one.a, one.b) in touching
    assert scene.least_distance().distance == 0 and scene.least_distance(accept=lambda a, b: (a, b) not in touching).distance > 0
    assert scene.any_pair(accept=lambda a, b: False) is None
    with pytest.raises(ZeroDivisionError):
        scene.pairs(accept=lambda a, b: 1 / 0)
    with pytest.raises(graze.Error):
        scene.pairs(-1)


def test_queries_against_brute_force():
    scene, placed = random_scene()
    origins, directions = RANDOM.uniform(-6, 6, (80, 3)), RANDOM.normal(size=(80, 3))
    hits = scene.raycast(origins, directions)
    for i in range(80):
        single = scene.raycast(origins[i], directions[i])
        each = [(h.t, m) for m, h in ((m, graze.raycast(p, origins[i], directions[i])) for m, p in enumerate(placed)) if h]
        assert (single is None) == (not each) == (hits.member[i] == -1) and hits[i] == single
        if each:
            assert (single.hit.t, single.member) == min(each) and hits.t[i] == single.hit.t
        every = scene.raycast_all(origins[i], directions[i])
        assert every.t.tolist() == sorted(h for m, p in enumerate(placed) for h in graze.raycast_all(p, origins[i], directions[i]).t)
    only = scene.raycast(origins, directions, members=lambda m: m == 3)
    assert set(only.member.tolist()) <= {-1, 3}
    ball = graze.Sphere((0, 0, 0), 2)
    assert scene.overlapping(ball).tolist() == [m for m, p in enumerate(placed) if graze.intersects(ball, p)]
    assert scene.intersects(ball) == (len(scene.overlapping(ball)) > 0) and not scene.intersects(ball, groups=2)
    point = graze.Point((9, 9, 9))
    nearest = scene.closest(point)
    assert nearest.closest.distance == min(graze.closest(point, p).distance for p in placed) and scene.closest(point, members=lambda m: False) is None
    view = graze.Frustum.perspective((0, 0, 9), (0, 0, 0), (0, 1, 0), 0.3, 1, 1, 20)
    assert scene.visible(view).tolist() == [m for m, p in enumerate(placed) if graze.classify(p, view) != "outside"]
    swept = graze.Sphere((0, 0, 9), 0.1)
    first, each = scene.sweep(swept, (0, 0, -18)), scene.sweep_all(swept, (0, 0, -18))
    alone = {m: h for m, h in ((m, graze.sweep(swept, (0, 0, -18), p)) for m, p in enumerate(placed)) if h}
    assert {s.member: s.hit.t for s in each} == {m: h.t for m, h in alone.items()} and (first is None or first.hit.t == each[0].hit.t)
    between = scene.sweep_between(swept, start=(0, 0, 9), end=(0, 0, -9))
    assert (between is None) == (first is None) and (first is None or between.hit.t == first.hit.t)


def test_moving_many():
    scene, placed = random_scene(10)
    poses = np.concatenate([np.tile([1.0, 0, 0, 0], (10, 1)), np.arange(30.0).reshape(10, 3) * 10], axis=1)
    scene.move(scene.members(), poses)
    assert scene.pose(4).translation.tolist() == [120, 130, 140] and len(scene.pairs()) == 0
    scene.move(["part 1", "part 2"], [graze.Pose(), graze.Pose()])
    assert len(scene.pairs()) == 1
    with pytest.raises(graze.Error):
        scene.move([0, 99], [graze.Pose(), graze.Pose()])
    with pytest.raises(graze.Error):
        scene.move([0, 1], [graze.Pose()])


def test_broad_phase():
    low = RANDOM.uniform(-5, 5, (60, 3))
    boxes = np.concatenate([low, low + RANDOM.uniform(0, 2, (60, 3))], axis=1)
    phase = graze.BroadPhase(boxes)
    overlap = (boxes[:, None, :3] <= boxes[None, :, 3:]).all(-1) & (boxes[None, :, :3] <= boxes[:, None, 3:]).all(-1)
    assert phase.pairs().tolist() == np.argwhere(np.triu(overlap, 1)).tolist() and len(phase) == 60
    assert phase.pairs(phase.copy()).tolist() == np.argwhere(overlap).tolist()
    ball = graze.Sphere((0, 0, 0), 2)
    shapes = graze.Box.array(boxes[:, :3], boxes[:, 3:])
    assert phase.overlapping(ball).tolist() == np.flatnonzero(graze.intersects(shapes, ball)).tolist()
    assert graze.BroadPhase(shapes).pairs().tolist() == phase.pairs().tolist()
    ray, found = graze.Ray((-9, 0, 0), (1, 0.01, 0.02)), []
    phase.along(ray, lambda i, t: found.append(i) or t)
    assert sorted(found) == [i for i, b in enumerate(shapes) if graze.intersects(ray, b)]
    with pytest.raises(ZeroDivisionError):
        phase.along(ray, lambda i, t: 1 / 0)
    view = graze.Frustum.perspective((0, 0, 9), (0, 0, 0), (0, 1, 0), 0.3, 1, 1, 20)
    assert phase.visible(view).tolist() == [i for i, b in enumerate(shapes) if graze.classify(b, view) != "outside"]
    phase.remove(3)
    assert phase.insert(graze.Box((0, 0, 0), (1, 1, 1))) == 3 and phase.box(3) == graze.Box((0, 0, 0), (1, 1, 1))
    phase.move(3, graze.Box((50, 50, 50), (51, 51, 51)))
    phase.move_all(boxes + 1)
    assert np.array_equal(phase.box(3).min, boxes[3, :3] + 1)
    for bad in (lambda: phase.box(99), lambda: phase.move_all(boxes[:-1]), lambda: phase.assign([[1, 0, 0, 0, 1, 1]]), lambda: phase.assign(np.zeros((2, 5)))):
        with pytest.raises(graze.Error):
            bad()


def test_worlds():
    def build():
        world = graze.World(seed=7)
        world.add_fixed(graze.HalfSpace((0, 0, 0), (0, 0, 1)), material=graze.Material(restitution=0.5))
        world.add_moving(graze.Sphere((0, 0, 0), 0.5), graze.translation((0, 0, 3)), velocity=(1, 0, 0))
        emitter = graze.Emitter(origin=(0, 0, 5), spread=(1, 1, 0), life=1.5)
        assert world.add_emitter(graze.Point((0, 0, 0)), 50, emitter, material=graze.Material(0.8)) == 1
        return world

    world, again = build(), build()
    impacts = 0
    for _ in range(120):
        world.step(1 / 60)
        impacts += len(world.impacts())
        assert (world.positions()[:, 2] >= 0).all()
    for _ in range(60):
        again.step(1 / 60)
    again = copy.copy(again)
    state = again.snapshot()
    for _ in range(60):
        again.step(1 / 60)
    assert np.array_equal(world.positions(), again.positions()) and world.time == again.time == pytest.approx(2) and world.steps == 120
    third = build()
    third.restore(state)
    for _ in range(60):
        third.step(1 / 60)
    assert np.array_equal(third.velocities(), world.velocities()) and impacts > 10 and world.kinetic_energy() > 0
    event = world.impacts()
    assert set(event.dtype.names) == {"time", "a", "b", "point", "normal", "speed", "triangle"}
    assert world.shape(0) == graze.Sphere((0, 0, 0), 0.5) and len(world) == 51 and len(world.fixed) == 1
    world.set_velocity(0, (0, 0, 9))
    assert world.velocity(0).tolist() == [0, 0, 9]
    shot = world.shoot(world.position(0) + (0, 0, 5), (0, 0, -1))
    assert shot.body and shot.id == 0 and shot.hit.t == pytest.approx(4.5)
    world.remove(0)
    assert not world.alive(0) and np.isnan(world.positions()[0]).all() and "World" in repr(world)
    states = world.states()
    assert states.alive.tolist() == [False] + [True] * 50 and np.isnan(states.rotation[0]).all() and np.isnan(states.velocity[0]).all()
    for i in range(1, 51):
        assert world.pose(i).translation.tolist() == states.translation[i].tolist() and world.pose(i).rotation.tolist() == states.rotation[i].tolist()
        assert world.velocity(i).tolist() == states.velocity[i].tolist()
    for bad in (lambda: world.position(0), lambda: world.restore(b"abc"), lambda: world.fixed.add("x", graze.Point((0, 0, 0))), lambda: world.step(np.nan)):
        with pytest.raises(graze.Error):
            bad()
    fused = graze.World((0, 0, 0))
    fused.add_moving(graze.Point((0, 0, 0)), fuse=0.5)
    fused.step(1.0)
    assert len(fused.explosions()) == 1 and len(fused.stops()) == 0 and len(fused.respawns()) == 0
    fixed = fused.fixed
    del fused
    assert len(fixed) == 0


def test_movers():
    scene = graze.Scene()
    scene.add("floor", graze.Box((-9, -9, -1), (9, 9, 0)))
    scene.add("wall", graze.Box((2, -9, 0), (3, 9, 5)))
    mover = graze.Mover(scene, graze.Sphere((0, 0, 0), 0.5), (0, 0, 0.6))
    result = mover.move((0, 0, -1))
    assert result.grounded and result.ground == 0 and not result.enclosed and mover.position[2] == pytest.approx(0.5)
    mover.move((5, 1, 0))
    assert mover.position[0] == pytest.approx(1.5) and mover.position[0] < 1.5 and mover.scene is scene
    twin, state = mover.copy(), mover.snapshot()
    mover.move((-1, 0, 0))
    twin.move((-1, 0, 0))
    assert twin.pose == mover.pose
    mover.restore(state)
    mover.move((-1, 0, 0))
    assert twin.pose == mover.pose
    mover.position = (0, 0, 3)
    assert mover.position.tolist() == [0, 0, 3] and not mover.enclosed
    with pytest.raises(graze.Error):
        mover.position = (2.5, 0, 1)
    with pytest.raises(graze.Error):
        graze.Mover(scene, graze.Box((0, 0, 0), (1, 1, 1)), (0, 0, 9))
    del scene
    mover.move((1, 0, 0))
