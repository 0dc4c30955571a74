"""The signed distance field of a scan: a slice through a closed mesh, printed as text and written as a PPM picture that needs no library."""
import os
import sys

import numpy as np

import graze

if len(sys.argv) > 1:
    mesh = graze.load(sys.argv[1])
else:  # a bumpy torus in place of a scan
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 96, endpoint=False), np.linspace(0, 2 * np.pi, 48, endpoint=False), indexing="ij")
    tube = 0.7 + 0.08 * np.sin(7 * u) * np.cos(3 * v)
    ring = 2 + tube * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), tube * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(96), np.arange(48), indexing="ij")
    a, b = i * 48 + j, (i + 1) % 96 * 48 + j
    c, d = (i + 1) % 96 * 48 + (j + 1) % 48, i * 48 + (j + 1) % 48
    mesh = graze.Mesh(vertices, np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]))

report = mesh.report()
print("%d triangles, %s" % (len(mesh), "closed" if report.solid else "not closed"))
solid = graze.solid(mesh)  # raises an error that names an edge where the scan has a hole
box = graze.bounding_box(solid)
width, height = 320, 320
low, high = box.min - 0.1 * (box.max - box.min), box.max + 0.1 * (box.max - box.min)
x, y = np.meshgrid(np.linspace(low[0], high[0], width), np.linspace(high[1], low[1], height))
points = np.stack([x, y, np.full_like(x, box.center[2])], axis=-1).reshape(-1, 3)
field = graze.signed_distance(solid, points).reshape(height, width)  # negative inside; the sign is exact
assert ((field <= 0) == graze.contains(solid, points).reshape(height, width)).all()

scale = np.abs(field).max()
shade = np.abs(np.sin(field / scale * 40)) * 90 + 140
picture = np.where(field[..., None] < 0, shade[..., None] * (1, 0.6, 0.5), shade[..., None] * (0.5, 0.7, 1)).astype(np.uint8)
os.makedirs("out", exist_ok=True)
with open("out/field.ppm", "wb") as f:
    f.write(b"P6 %d %d 255\n" % (width, height) + picture.tobytes())
for row in field[:: height // 24]:
    print("".join("#" if d < -0.2 else "+" if d < 0 else "." if d < 0.2 else " " for d in row[:: width // 64]))
print("out/field.ppm: %d by %d; the deepest point is %.4g inside" % (width, height, -field.min()))
