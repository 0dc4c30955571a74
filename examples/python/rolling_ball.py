"""A ball that rolls over a terrain by sweeps: each step is an exact first contact, and each place is certified, so it never falls through."""
import numpy as np

import graze

side = 80
x, y = np.meshgrid(np.arange(side) * 0.5, np.arange(side) * 0.5)
heights = 3 * np.sin(x / 6) * np.cos(y / 7) + 0.4 * np.sin(x * 1.3 + y * 0.9) - 0.15 * x
terrain = graze.HeightField((0, 0, 0), 0.5, 0.5, heights)

ball, dt = graze.Sphere((0, 0, 0), 0.4), 1 / 120
position, velocity = np.array([4.0, 20.0, 8.0]), np.array([1.0, 0.0, 0.0])
track, contacts = [], 0
for _ in range(1200):
    velocity[2] -= 9.81 * dt
    left = dt
    for _ in range(8):
        hit = graze.sweep(ball.at(graze.translation(position)), velocity * left, terrain, skip_departing=True)
        if hit is None:
            position = position + velocity * left
            break
        position = hit.safe.translation  # the new place, certified after rounding
        if hit.normal is not None:
            velocity = graze.slide(velocity, hit.normal)
        contacts += 1
        left *= 1 - hit.t
    track.append(position)
    assert not graze.intersects(ball.at(graze.translation(position)), terrain)

track = np.array(track)
print("%d contacts in 10 s; from %s to %s" % (contacts, track[0].round(2), track[-1].round(2)))
rows, columns = 20, 64
canvas = [[" "] * columns for _ in range(rows)]
for px, _, pz in track[::6]:
    c, r = int(px / (side * 0.5) * columns), int((8 - pz) / 18 * rows)
    if 0 <= c < columns and 0 <= r < rows:
        canvas[r][c] = "o"
print("\n".join("".join(row) for row in canvas))

# The same by a world, which also bounces and rests, with as many bodies as you like.
world = graze.World()
world.add_fixed(terrain, material=graze.Material(restitution=0.3, friction=0.4))
first = world.add_emitter(ball, 200, graze.Emitter(origin=(20, 20, 12), spread=(8, 8, 2)), rest_speed=0.05)
for _ in range(240):
    world.step(1 / 60)
speeds = np.linalg.norm(world.velocities(), axis=1)
print("%d balls after 4 s: the fastest has %.2f, %d have stopped" % (len(world), speeds.max(), (speeds < 1e-9).sum()))
