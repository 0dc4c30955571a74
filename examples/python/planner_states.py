"""A planner's question: which of 100,000 placements of a robot's gripper are free of the cell around it? One call answers all of them, exactly."""
import time

import numpy as np

import graze

random = np.random.default_rng(1)
gripper = graze.Compound(
    [
        graze.Box((-0.06, -0.04, 0), (0.06, 0.04, 0.1)),
        graze.Box((-0.06, -0.01, 0.1), (-0.04, 0.01, 0.2)),
        graze.Box((0.04, -0.01, 0.1), (0.06, 0.01, 0.2)),
    ]
)
table = graze.Box((-1, -1, -0.05), (1, 1, 0))
posts = [graze.Capsule((x, y, 0), (x, y, 1), 0.03) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
bin_walls = [graze.Box((-0.3, s - 0.01, 0), (0.3, s + 0.01, 0.2)) for s in (-0.2, 0.2)]
cell = graze.Compound([table, *posts, *bin_walls])

n = 100000
quaternions = random.normal(size=(n, 4))  # of any length
states = graze.Poses(np.concatenate([quaternions, random.uniform((-0.8, -0.8, 0), (0.8, 0.8, 0.8), (n, 3))], axis=1))
start = time.perf_counter()
free = ~graze.intersects(gripper, cell, poses=states)
seconds = time.perf_counter() - start
print("%d of %d states are free; %.2f million states per second" % (free.sum(), n, n / seconds / 1e6))

safe = ~graze.within(gripper, cell, 0.01, poses=states)  # the distance is compared exactly, too
print("%d keep a distance of 10 mm" % safe.sum())
assert not (safe & ~free).any()
nearest = graze.closest(gripper, cell, poses=states)
tightest = int(np.argmin(np.where(free, nearest.distance, np.inf)))
print("the tightest free state leaves %.3g mm, at %s" % (nearest.distance[tightest] * 1000, nearest.on_b[tightest].round(3)))

# The same cell as a scene, whose members may move between two questions.
scene = graze.Scene()
for i, part in enumerate([table, *posts, *bin_walls]):
    scene.add("fixed %d" % i, part)
arm = scene.add("gripper", gripper, states[tightest])
scene.move(arm, graze.translation((0, 0, -0.02)))
print("pushed into the table it meets: " + ", ".join(scene.name(p.a) for p in scene.pairs()))
