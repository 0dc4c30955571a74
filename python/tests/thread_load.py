"""Objects that eight threads use at once: python thread_load.py SECONDS. Prints the rounds of each thread; a crash or a wrong answer ends it with another code."""
import copy
import sys
import threading
import time

import numpy as np

import graze
import graze.embreex
import graze.fcl
import graze.trimesh
from models import box_arrays, box_mesh

ROW = 40
ENOUGH = 3  # rounds of each thread


def loads():
    """Functions of a round number, by name; each runs in a thread of its own."""
    box, ball = graze.Box((0, 0, 0), (1, 1, 1)), graze.Sphere((0.5, 0.5, 0.5), 0.25)
    scene, world, boxes = graze.Scene(), graze.World(), graze.BroadPhase()
    row = [scene.add("row", box, graze.translation((i, 0, 0))) for i in range(ROW)]
    world.add_fixed(box)
    mover = graze.Mover(scene, graze.Sphere((0, 0, 0), 0.1), (0, 0, 90))
    manager, rays, embree = graze.trimesh.CollisionManager(), graze.RaycastingScene(), graze.embreex.EmbreeScene()
    objects = graze.fcl.DynamicAABBTreeCollisionManager()
    geometry = graze.fcl.Sphere(0.25)
    target, far = graze.fcl.CollisionObject(geometry), graze.fcl.CollisionObject(graze.fcl.Sphere(1), graze.fcl.Transform((5, 0, 0)))
    origins, directions = np.tile((0.5, 0.5, 9.0), (200, 1)), np.tile((0, 0, -1.0), (200, 1))

    def add(i):
        scene.remove(scene.add("n" * (i % 40), box, graze.translation((i % 40, 50, 0))))

    def move(i):
        scene.move(row, [graze.translation((k + 100 * (i % 2), 0, 0)) for k in range(ROW)])

    def read(i):
        members = list(scene)
        assert members[:ROW] == row and len(members) in (ROW, ROW + 1)
        pairs = scene.pairs(accept=lambda a, b: scene.pose(a) is not None and b < ROW)
        assert len(pairs) == ROW - 1, len(pairs)
        hits = scene.raycast(origins + (70 * (i % 2), 0, 0), directions, members=lambda m: m in scene and m < ROW)
        assert len(set(hits.member.tolist())) == 1
        try:
            assert set(scene.name(members[-1])) <= set("nrow")
        except graze.Error as e:
            assert e.code == "unknown_id", e

    def copies(i):
        twin = copy.copy(scene)
        assert sorted(m for ids in twin._names.values() for m in ids) == list(twin) and len(twin) in (ROW, ROW + 1)
        assert all(twin.name(m) == name for name, ids in twin._names.items() for m in ids)

    def step(i):
        body = world.add_moving(ball, graze.translation((0, 0, 3 + i % 5)))
        world.step(0.001)
        world.remove(body)

    def look(i):
        assert world.snapshot()
        states, twin = world.states(), world.copy()
        assert len(twin) >= len(states.alive) and world.positions().shape[1] == 3
        assert world.fixed.intersects(ball) and len(world.impacts()) >= 0

    def walk(i):
        mover.move((0, 0, 0.01 if i % 2 else -0.01))
        assert mover.copy().position.shape == (3,)
        k = boxes.insert(graze.Box((i % 7, 0, 0), (i % 7 + 1.5, 1, 1)))
        assert boxes.pairs().shape[1] == 2
        boxes.remove(k)

    def shims(i):
        me = threading.get_ident()
        manager.add_object("%d %d" % (me, i % 3), box_mesh())
        assert manager.in_collision_internal(return_names=True)[0] in (True, False)
        manager.remove_object("%d %d" % (me, i % 3))
        if i < 20:
            rays.add_triangles(*box_arrays((3 * i, 0, 0), (3 * i + 1, 1, 1)))
            graze.embreex.TriangleMesh(embree, *box_arrays())
        assert rays.count_intersections(np.array([[0.3, 0.6, 9, 0, 0, -1.0]])).tolist() == [2]
        assert (embree.run(origins[:3], directions[:3]) >= 0).all()
        objects.registerObject(target)
        objects.collide(graze.fcl.CollisionData(), graze.fcl.defaultCollisionCallback)
        geometry.radius = 0.25 + i % 2 * 9
        assert graze.fcl.collide(target, far) in (0, 1)
        objects.unregisterObject(target)

    return {
        "add": add,
        "move": move,
        "read": read,
        "read again": read,
        "copy": copies,
        "step": step,
        "look": look,
        "walk and shims": lambda i: (walk(i), shims(i)),
    }


def main(seconds):
    every, errors = loads(), []
    rounds = dict.fromkeys(every, 0)
    end = time.monotonic() + seconds
    late = end + 60  # for a machine that has much else to do

    def run(name, load):
        while not errors and (time.monotonic() < end or min(rounds.values()) < ENOUGH and time.monotonic() < late):
            try:
                load(rounds[name])
            except BaseException as e:
                errors.append("%s: %r" % (name, e))
            rounds[name] += 1

    threads = [threading.Thread(target=run, args=item) for item in every.items()]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print(rounds)
    assert not errors, errors
    assert min(rounds.values()) >= ENOUGH, rounds  # nobody waits forever


if __name__ == "__main__":
    main(float(sys.argv[1]))
